//! `rebut doctor` reports the sandbox layers and compilers of this machine.

use crate::environment::{Folder, installed, make_executable};
use crate::programs::{FORMAT, RIGHT_C, WRONG_C};
use std::path::Path;
use std::process::Command;

#[test]
fn layers_and_compilers_are_reported() {
    let ran = Folder::new().rebut("doctor").exits(0).shows_all(&["sandbox layers", "limits", "spawner", "engine"]);
    if installed(&["python3"]) {
        ran.shows("Python 3");
    }
}

#[test]
fn compiler_sandbox_is_reported() {
    let folder = Folder::new().file("bin/gcc", "#!/bin/sh\nexec /usr/bin/gcc \"$@\"\n").file("a.c", RIGHT_C);
    folder.rebut("doctor").exits(0).shows_all(&[
        "sandbox of compilers",
        "reads its toolchain, the sources and `include/`",
        "limits   60 s of processor time, 2048 MiB of memory, 256 MiB of files",
    ]);
    let ran = folder.rebut("doctor --json - --compile-time 5s --compile-memory 512").exits(0);
    let report: serde_json::Value = serde_json::from_str(&ran.stdout).unwrap();
    assert_eq!(report["compilers"]["cpu_time_ms"], 5000);
    assert_eq!(report["compilers"]["memory_bytes"], 512 << 20);
    assert_eq!(report["compilers"]["layers"].as_array().unwrap().len(), 4);
    let all_active = !folder.rebut("doctor").stdout.contains("MISSING");
    if !installed(&["gcc"]) || !Path::new("/usr/bin/gcc").exists() || !all_active {
        return;
    }
    let script = folder.path("bin/gcc");
    make_executable(&script);
    let script = script.display().to_string();
    folder.typed("doctor").variable("CC", &script).run().exits(0).shows("a script, which runs WITHOUT a sandbox");
    let stress = "stress a.c --reference a.c --input 'n; a[n] where 1<=n<=2; 0<=a<=1' --cases 3 --require-isolation";
    folder.typed(stress).variable("CC", &script).run().exits(4).shows("is a script, which cannot be sandboxed");
}

#[test]
fn missing_compiler_is_reported_with_a_remedy() {
    let ran = Folder::new().typed("doctor").variable("PATH", "/nowhere").run().exits(0);
    ran.shows("missing  Python: python3; install python3");
}

#[test]
fn json_report_has_the_same_content() {
    let ran = Folder::new().rebut("doctor --json -").exits(0);
    let report: serde_json::Value = serde_json::from_str(&ran.stdout).unwrap();
    assert!(
        report["layers"].as_array().unwrap().iter().any(|layer| layer["name"] == "limits" && layer["active"] == true)
    );
    assert_eq!(report["tools"].as_array().unwrap().len(), 15);
}

#[test]
fn required_isolation_is_present_or_reported_missing() {
    let folder = Folder::new().file("a.format", "n\nwhere:\n    1 <= n <= 2\n");
    let all_active = !folder.rebut("doctor").stdout.contains("MISSING");
    let ran = folder.rebut("generate a.format --require-isolation");
    if all_active {
        ran.exits(0);
    } else {
        ran.exits(4).shows("isolation is required");
    }
}

/// A kernel on which installing a seccomp filter never returns, as observed once.
const SILENT_KERNEL: &str = r#"
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdarg.h>
#include <sys/syscall.h>
#include <unistd.h>
long syscall(long number, ...) {
    long a[6];
    va_list rest;
    va_start(rest, number);
    for (int i = 0; i < 6; i++) a[i] = va_arg(rest, long);
    va_end(rest);
    if (number == SYS_seccomp && a[0] == 1) for (;;) pause();
    long (*real)(long, ...) = (long (*)(long, ...))dlsym(RTLD_NEXT, "syscall");
    return real(number, a[0], a[1], a[2], a[3], a[4], a[5]);
}
"#;

#[test]
fn unresponsive_kernel_probe_times_out() {
    if !cfg!(all(target_os = "linux", target_env = "gnu")) || !installed(&["gcc"]) {
        return;
    }
    let folder = Folder::new().file("silent.c", SILENT_KERNEL).file("a.format", FORMAT);
    let library = folder.path("silent.so").display().to_string();
    let made = Command::new("gcc").args(["-shared", "-fPIC", "-o", &library]).arg(folder.path("silent.c")).status();
    assert!(made.unwrap().success());
    let silently = |arguments: &str| folder.typed(arguments).variable("LD_PRELOAD", &library).run();
    silently("doctor")
        .exits(0)
        .shows_all(&["MISSING system calls", "installing a seccomp filter hangs in this kernel"]);
    silently("generate a.format --require-isolation").exits(4).shows("hangs in this kernel");
    // Programs run without that layer, and its installation is not tried again.
    folder.write("right.c", RIGHT_C);
    folder.write("wrong.c", WRONG_C);
    silently("stress wrong.c --reference right.c --format a.format").exits(1).shows("wrong answer");
}

#[test]
fn small_stack_is_enough() {
    if cfg!(target_os = "linux") {
        let program = env!("CARGO_BIN_EXE_rebut");
        let ran = Command::new("bash").args(["-c", &format!("ulimit -s 64; exec {program} doctor")]).output().unwrap();
        assert!(ran.status.success(), "{ran:?}");
    }
}
