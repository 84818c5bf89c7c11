//! Operating failures: exit status 4 with the path and the cause, and no finding is ever lost.

use crate::environment::{Folder, installed, skipped};
use crate::programs::{ECHO_C, FORMAT, RIGHT_C, WRONG_C, c_about_n};
use std::process::Command;

fn stress(options: &str) -> String {
    format!("stress sol.c --reference brute.c --input '{FORMAT}' --seed 1 --cases 200 {options}")
}

fn folder_with_wrong_submission() -> Folder {
    Folder::new().file("sol.c", WRONG_C).file("brute.c", RIGHT_C)
}

#[test]
fn missing_compiler_is_named() {
    let folder = Folder::new().file("sol.cpp", "int main() {}").file("brute.c", ECHO_C);
    let stress = "stress sol.cpp --reference brute.c --input 'n where 1<=n<=5'";
    let ran = folder.typed(stress).variable("CXX", "/nonexistent/g++").run().exits(4);
    ran.shows_all(&["/nonexistent/g++", "CXX"]);
    let ran = folder.typed(stress).variable("PATH", "").run().exits(4);
    ran.shows_all(&["C++", "g++"]).hides("panicked");
}

#[test]
fn missing_interpreter_is_named() {
    let folder = Folder::new().file("sol.py", "print(input())").file("brute.c", ECHO_C);
    let stress = "stress sol.py --reference brute.c --input 'n where 1<=n<=5'";
    folder.typed(stress).variable("PATH", "").run().exits(4).shows_all(&["Python", "python3"]);
}

#[test]
fn killed_compiler_is_reported() {
    let folder = Folder::new().file("sol.c", c_about_n("n += 0;")).file("brute.c", ECHO_C);
    let stress = "stress sol.c --reference brute.c --input 'n where 1<=n<=5'";
    let ran = folder.typed(stress).variable("CC", "sh -c 'kill -9 $$'").run().exits(1);
    ran.shows("the compiler ended by: killed (SIGKILL)");
}

#[test]
fn finding_is_saved_elsewhere_if_its_folder_is_read_only() {
    for place in ["sol.c/findings", "/proc/findings"] {
        let folder = folder_with_wrong_submission().file("tmp/x", "");
        let tmp = folder.path("tmp").display().to_string();
        let ran = folder.typed(&stress(&format!("--findings {place}"))).variable("TMPDIR", &tmp).run().exits(1);
        let ran = ran.shows_all(&["warning", "failed to save the finding", place, "--findings", "rebut replay"]);
        let kept = spare_finding(&folder);
        assert_eq!(folder.read(&format!("{kept}/input.txt")), "1\n-1\n", "{ran}");
        folder.rebut(&format!("replay {kept}")).exits(1);
    }
}

/// Returns the folder of the only finding among the temporary files.
fn spare_finding(folder: &Folder) -> String {
    let spare = folder.names("tmp").into_iter().find(|name| name.starts_with("rebut-findings-")).unwrap();
    assert_eq!(folder.names(&format!("tmp/{spare}")), ["0001-sol-wrong-answer"]);
    format!("tmp/{spare}/0001-sol-wrong-answer")
}

#[test]
fn full_disk_loses_no_finding() {
    if !can_mount() {
        return skipped("no file system can be mounted here");
    }
    let folder = folder_with_wrong_submission().file("tmp/x", "").file("full/x", "");
    let tmp = folder.path("tmp").display().to_string();
    let full =
        "mount -t tmpfs -o size=64k none full && (cat /dev/zero > full/filler || true) 2> /dev/null; exec \"$@\"";
    let command = folder.typed(&stress("--findings full/findings")).variable("TMPDIR", tmp);
    let ran = command.through(&["unshare", "--map-root-user", "--mount", "sh", "-c", full, "sh"]).run().exits(1);
    ran.shows_all(&["warning", "failed to save the finding", "no space left on device", "rebut replay"]);
    spare_finding(&folder);
}

fn can_mount() -> bool {
    let mut unshare = Command::new("unshare");
    unshare.args(["--map-root-user", "--mount", "mount", "-t", "tmpfs", "none", "/tmp"]);
    unshare.output().is_ok_and(|output| output.status.success())
}

#[test]
fn unreadable_file_is_named() {
    if !std::fs::exists("/proc/self/mem").is_ok_and(|there| there) {
        return skipped("every file can be read here");
    }
    let folder = Folder::new();
    let ran = folder.rebut("validate /proc/self/mem --input 'n where 1<=n<=5'").exits(4);
    ran.shows("failed to read `/proc/self/mem`: input/output error");
}

#[test]
fn unwritable_report_is_an_error_and_the_finding_is_kept() {
    let folder = folder_with_wrong_submission();
    folder.rebut(&stress("--json /dev/full")).exits(4).shows_all(&["/dev/full", "no space left", "FAIL"]);
    assert_eq!(folder.finding().read("input.txt"), "1\n-1\n");
    folder.rebut(&stress("--json sol.c/report.json")).exits(4).shows("sol.c/report.json");
}

#[test]
fn unwritable_output_is_an_error() {
    let folder = Folder::new();
    let generate = format!("generate --input '{FORMAT}' -n 100");
    let full = ["sh", "-c", "exec \"$@\" > /dev/full", "sh"];
    folder.typed(&generate).through(&full).run().exits(4).shows("no space left");
    folder.write("file", "");
    folder.rebut(&format!("{generate} --out file/made")).exits(4).shows("file/made");
    let closed = ["sh", "-c", "\"$@\" | true", "sh"];
    folder.typed(&generate).through(&closed).run().hides("panicked");
}

#[test]
fn full_stdout_is_an_error_and_closed_stdout_is_none() {
    let folder = folder_with_wrong_submission()
        .file("n.format", "n\nwhere:\n    1 <= n <= 5\n")
        .file("1.in", "3\n")
        .file("one.ctd", "INT(1,5,n) NEWLINE EOF\n")
        .file("p/input.format", "n\nwhere:\n    1 <= n <= 5\n")
        .file("p/problem.yaml", "name: P\n")
        .file("p/submissions/accepted/a.c", ECHO_C)
        .file("p/data/sample/1.in", "3\n")
        .file("p/data/sample/1.ans", "3\n");
    folder.rebut(&stress("")).exits(1);
    let found = folder.finding().name;
    let commands = [
        stress("--no-save"),
        stress("--no-save --json -"),
        format!("replay {found}"),
        format!("shrink {found}/original.txt sol.c --reference brute.c --input '{FORMAT}' --no-save"),
        "generate n.format".to_owned(),
        "generate n.format --invalid".to_owned(),
        "generate n.format --profile".to_owned(),
        "enumerate n.format".to_owned(),
        "enumerate n.format --count".to_owned(),
        "validate n.format 1.in".to_owned(),
        "format explain n.format".to_owned(),
        "format describe n.format".to_owned(),
        "format fmt --stdout n.format".to_owned(),
        "format from-ctd one.ctd".to_owned(),
        "verify p".to_owned(),
        "verify p --github".to_owned(),
        "run a.c p".to_owned(),
        "export p --as legacy --out made".to_owned(),
        "check".to_owned(),
        "check tokens 1.in 1.in 1.in".to_owned(),
        "shapes".to_owned(),
        "doctor".to_owned(),
        "--help".to_owned(),
        "stress --help".to_owned(),
        "--version".to_owned(),
    ];
    let full = ["sh", "-c", "exec \"$@\" > /dev/full", "sh"];
    let closed = ["bash", "-c", "set -o pipefail; \"$@\" | true", "bash"];
    for command in commands {
        let ran = folder.typed(&command).through(&full).run().exits(4);
        assert!(ran.stderr.contains("failed to write to the standard output"), "{ran}");
        assert_eq!(ran.stderr.matches("error: ").count(), 1, "{ran}");
        let _ = std::fs::remove_dir_all(folder.path("made"));
        folder.typed(&command).through(&closed).run().hides("error: ");
        let _ = std::fs::remove_dir_all(folder.path("made"));
    }
}

#[cfg(target_os = "linux")]
#[test]
fn executable_that_kills_its_spawner_fails_alone() {
    if !installed(&["gcc"]) {
        return;
    }
    let kill = "#include <signal.h>\n#include <stdio.h>\n#include <unistd.h>\nint main() {\n    int n;\n    scanf(\"%d\", &n);\n    \
                if (n >= 3) kill(getppid(), SIGKILL), sleep(100);\n    printf(\"%d\\n\", n);\n}\n";
    let folder =
        Folder::new().file("kill.c", kill).file("wrong.c", c_about_n("if (n >= 40) n = 0;")).file("echo.c", ECHO_C);
    let compiled = Command::new("gcc").args(["kill.c", "-o", "killer"]).current_dir(folder.path("")).status();
    assert!(compiled.is_ok_and(|status| status.success()));
    let search =
        "stress ./killer wrong.c --reference echo.c --input 'n where 1<=n<=50' --seed 1 --cases 60 --keep-going";
    let ran = folder.rebut(search).exits(1).shows_all(&[
        "FAIL killer: runtime error",
        "SIGKILL",
        "FAIL wrong.c: wrong answer",
    ]);
    let inputs: Vec<String> = folder.findings().iter().map(|finding| finding.read("input.txt")).collect();
    assert_eq!(inputs.len(), 2, "{ran}");
    assert!(inputs.contains(&"3\n".to_owned()) && inputs.contains(&"40\n".to_owned()), "{inputs:?}");
}

#[test]
fn closed_terminal_loses_no_finding() {
    let folder = folder_with_wrong_submission();
    let closed = ["sh", "-c", "exec \"$@\" > /dev/full 2> /dev/full", "sh"];
    folder.typed(&stress("")).through(&closed).run();
    assert_eq!(folder.finding().read("input.txt"), "1\n-1\n");
}

#[test]
fn missing_compiler_leaves_the_other_references() {
    if !installed(&["gcc", "cc", "clang"]) {
        return;
    }
    let folder = Folder::new()
        .file("sol.c", WRONG_C)
        .file("p/input.format", FORMAT.replace(" where ", "\nwhere:\n    ").replace("; a", "\na"))
        .file("p/submissions/accepted/fast.cpp", "int main() {}")
        .file("p/submissions/accepted/slow.c", RIGHT_C);
    let stress = folder.typed("stress sol.c --problem p --seed 1 --cases 200");
    stress.variable("CXX", "/nonexistent/g++").run().exits(1).shows("slow.c");
}

/// A parent of rebut can have SIGCHLD ignored, which is inherited.
#[test]
fn children_are_reaped_if_sigchld_is_ignored() {
    if !installed(&["gcc", "python3"]) {
        return;
    }
    let ignoring =
        "import os, signal, sys; signal.signal(signal.SIGCHLD, signal.SIG_IGN); os.execv(sys.argv[1], sys.argv[1:])";
    folder_with_wrong_submission()
        .typed(&stress(""))
        .through(&["python3", "-c", ignoring])
        .run()
        .exits(1)
        .shows("FAIL");
}
