//! When the jury's side fails, no submission is blamed: exit status 3, and a finding of its own where there is an input.

use crate::environment::{Folder, installed};
use crate::programs::{ECHO_C, c_about_n};

const STRESS: &str = "stress sol.c --reference brute.c --input 'n where 1<=n<=8' --seed 1 --cases 200";

fn folder(reference: &str) -> Folder {
    Folder::new().file("sol.c", ECHO_C).file("brute.c", reference)
}

#[test]
fn a_reference_that_crashes_is_a_finding_that_replays() {
    let folder = folder(&c_about_n("if (n >= 3) abort();"));
    let ran = folder.rebut(STRESS).exits(3);
    ran.shows_all(&["JUDGE ERROR", "the reference brute.c", "SIGABRT", "says nothing about a submission"]);
    let finding = folder.finding();
    assert_eq!((finding.name.as_str(), finding.read("input.txt").as_str()), ("findings/0001-brute-judge-error", "3\n"));
    finding.replay().exits(3).shows("JUDGE ERROR");
    folder.write("brute.c", ECHO_C);
    finding.replay().exits(0);
}

#[test]
fn a_reference_that_exits_with_a_status_failed() {
    let folder = folder(&c_about_n("if (n >= 3) { fputs(\"n is odd\\n\", stderr); return 7; }"));
    folder.rebut(STRESS).exits(3).shows_all(&["JUDGE ERROR", "7", "n is odd"]);
}

#[test]
fn a_reference_that_differs_from_run_to_run_proves_nothing() {
    let folder = folder(&c_about_n("if (n >= 3) n = getpid();"));
    let ran = folder.rebut(STRESS).exits(3);
    ran.shows_all(&["JUDGE ERROR", "differently from run to run", "one run", "another run"]).hides("FAIL");
    folder.finding().replay().exits(3).shows("JUDGE ERROR");
}

#[test]
fn a_reference_that_does_not_compile_is_the_jurys_fault() {
    let ran = folder("int main() { return x; }\n").rebut(STRESS).exits(3);
    ran.shows_all(&["brute.c` does not compile", "undeclared"]);
}

#[test]
fn a_reference_that_is_always_too_slow_is_said_to_be() {
    let ran = folder(&c_about_n("for (;;);")).rebut(&format!("{STRESS} --reference-time 50ms")).exits(3);
    ran.shows_all(&["too slow", "--where", "--reference-time"]);
}

#[test]
fn inputs_that_take_the_reference_too_long_are_skipped() {
    let folder = folder(&c_about_n("volatile int i = 0; while (n >= 7) i++;"));
    folder
        .rebut(&format!("{STRESS} --cases 20 --reference-time 50ms").replace("--cases 200 ", ""))
        .exits(0)
        .shows("skipped");
}

#[test]
fn a_validator_that_crashes_judges_nothing() {
    let folder = folder(ECHO_C).file("check.c", c_about_n("abort();"));
    let ran = folder.rebut(&format!("{STRESS} --validator ./check.c")).exits(3);
    ran.shows_all(&["the validator `./check.c`", "SIGABRT", "42 to accept"]);
}

#[test]
fn a_validator_that_exits_with_nonsense_judges_nothing() {
    let folder = folder(ECHO_C).file("check.c", c_about_n("return 99;"));
    folder.rebut(&format!("{STRESS} --validator ./check.c")).exits(3).shows("exited with status 99");
}

#[test]
fn a_generator_that_fails_is_named_with_its_seed() {
    if !installed(&["python3"]) {
        return;
    }
    let folder = folder(ECHO_C).file("gen.py", "import sys\nsys.exit('no idea')\n");
    let ran = folder.rebut("stress sol.c --reference brute.c --generator gen.py --seed 1 --cases 9").exits(3);
    ran.shows_all(&["the generator", "for seed", "no idea"]);
}

#[test]
fn a_generator_whose_inputs_are_refused_is_wrong() {
    if !installed(&["python3"]) {
        return;
    }
    let folder = folder(ECHO_C).file("gen.py", "print(5)\n").file("check.py", "print('5 is not even')\nexit(43)\n");
    let command = "stress sol.c --reference brute.c --generator gen.py --validator check.py --seed 1 --cases 9";
    folder.rebut(command).exits(3).shows_all(&["makes an invalid input", "5 is not even"]);
}
