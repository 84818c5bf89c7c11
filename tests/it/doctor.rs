//! `rebut doctor` tells the truth about this machine.

use crate::environment::{Folder, installed};
use crate::programs::{FORMAT, RIGHT_C, WRONG_C};
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::Command;

#[test]
fn layers_and_compilers_are_told() {
    let ran =
        Folder::new().rebut("doctor").exits(0).shows_all(&["layers of protection", "limits", "spawner", "engine"]);
    if installed(&["python3"]) {
        ran.shows("Python 3");
    }
}

#[test]
fn the_sandbox_of_compilers_is_told() {
    let folder = Folder::new().file("bin/gcc", "#!/bin/sh\nexec /usr/bin/gcc \"$@\"\n").file("a.c", RIGHT_C);
    folder.rebut("doctor").exits(0).shows_all(&[
        "sandbox of compilers",
        "reads its toolchain, the sources and `include/`",
        "limits   60 s of processor time, 2048 MiB of memory, 256 MiB of files",
    ]);
    let ran = folder.rebut("doctor --json - --compile-time 5s --compile-memory 512").exits(0);
    let told: serde_json::Value = serde_json::from_str(&ran.stdout).unwrap();
    assert_eq!(told["compilers"]["cpu_time_ms"], 5000);
    assert_eq!(told["compilers"]["memory_bytes"], 512 << 20);
    assert_eq!(told["compilers"]["layers"].as_array().unwrap().len(), 4);
    let all_active = !folder.rebut("doctor").stdout.contains("MISSING");
    if !installed(&["gcc"]) || !Path::new("/usr/bin/gcc").exists() || !all_active {
        return;
    }
    let script = folder.path("bin/gcc");
    fs::set_permissions(&script, fs::Permissions::from_mode(0o755)).unwrap();
    let script = script.display().to_string();
    folder.typed("doctor").variable("CC", &script).run().exits(0).shows("it is a script and runs WITHOUT a sandbox");
    let stress = "stress a.c --reference a.c --input 'n; a[n] where 1<=n<=2; 0<=a<=1' --cases 3 --require-isolation";
    folder.typed(stress).variable("CC", &script).run().exits(4).shows("is a script, which has no sandbox");
}

#[test]
fn a_missing_compiler_comes_with_its_remedy() {
    let ran = Folder::new().typed("doctor").variable("PATH", "/nowhere").run().exits(0);
    ran.shows("missing  Python: python3; install python3");
}

#[test]
fn as_json_it_says_the_same() {
    let ran = Folder::new().rebut("doctor --json -").exits(0);
    let told: serde_json::Value = serde_json::from_str(&ran.stdout).unwrap();
    assert!(
        told["layers"].as_array().unwrap().iter().any(|layer| layer["name"] == "limits" && layer["active"] == true)
    );
    assert_eq!(told["tools"].as_array().unwrap().len(), 8);
}

#[test]
fn what_is_required_is_there_or_said_to_be_missing() {
    let folder = Folder::new().file("a.format", "n\nwhere:\n    1 <= n <= 2\n");
    let all_active = !folder.rebut("doctor").stdout.contains("MISSING");
    let ran = folder.rebut("generate a.format --require-isolation");
    if all_active {
        ran.exits(0);
    } else {
        ran.exits(4).shows("isolation is required");
    }
}

/// A kernel as one was seen: whoever puts up a filter for system calls never comes back from it.
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
fn a_kernel_that_does_not_answer_is_not_waited_for() {
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
        .shows_all(&["MISSING system calls", "does not come back from putting up a seccomp filter"]);
    silently("generate a.format --require-isolation").exits(4).shows("does not come back");
    // Without that layer programs run all the same, and nobody tries to put it up again.
    folder.write("right.c", RIGHT_C);
    folder.write("wrong.c", WRONG_C);
    silently("stress wrong.c --reference right.c --format a.format").exits(1).shows("wrong answer");
}
