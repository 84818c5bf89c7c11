//! Failures of reference, validator or generator are never blamed on a submission: exit status 3, and a finding of
//! their own if an input causes them.

use crate::environment::{Folder, installed};
use crate::programs::{ECHO_C, c_about_n};

const STRESS: &str = "stress sol.c --reference brute.c --input 'n where 1<=n<=8' --seed 1 --cases 200";

fn folder(reference: &str) -> Folder {
    Folder::new().file("sol.c", ECHO_C).file("brute.c", reference)
}

#[test]
fn crash_of_the_reference_is_a_finding_that_replays() {
    let folder = folder(&c_about_n("if (n >= 3) abort();"));
    let ran = folder.rebut(STRESS).exits(3);
    ran.shows_all(&["JUDGE ERROR", "the reference brute.c", "SIGABRT", "no submission can be judged on it"]);
    let finding = folder.finding();
    assert_eq!((finding.name.as_str(), finding.read("input.txt").as_str()), ("findings/0001-brute-judge-error", "3\n"));
    finding.replay().exits(3).shows("JUDGE ERROR");
    folder.write("brute.c", ECHO_C);
    finding.replay().exits(0);
}

#[test]
fn exit_status_of_the_reference_is_a_judge_error() {
    let folder = folder(&c_about_n("if (n >= 3) { fputs(\"n is odd\\n\", stderr); return 7; }"));
    folder.rebut(STRESS).exits(3).shows_all(&["JUDGE ERROR", "7", "n is odd"]);
}

#[test]
fn nondeterministic_reference_is_a_judge_error() {
    let folder = folder(&c_about_n("if (n >= 3) n = getpid();"));
    let ran = folder.rebut(STRESS).exits(3);
    ran.shows_all(&["JUDGE ERROR", "differently from run to run", "one run", "another run"]).hides("FAIL");
    folder.finding().replay().exits(3).shows("JUDGE ERROR");
}

#[test]
fn checker_that_refuses_the_answer_is_a_judge_error() {
    let folder = folder(ECHO_C).file("checker.c", "int main() { return 43; }\n");
    let ran = folder.rebut(&format!("{STRESS} --checker checker.c")).exits(3);
    ran.shows_all(&["JUDGE ERROR", "checker.c", "refuses even the answer of the reference"]).hides("FAIL");
}

#[test]
fn reference_that_does_not_compile_is_a_judge_error() {
    let ran = folder("int main() { return x; }\n").rebut(STRESS).exits(3);
    ran.shows_all(&["brute.c` does not compile", "undeclared"]);
}

#[test]
fn reference_that_is_always_too_slow_is_reported() {
    let ran = folder(&c_about_n("for (;;);")).rebut(&format!("{STRESS} --reference-time 50ms")).exits(3);
    ran.shows_all(&["runs out of time or memory", "--where", "--reference-time"]);
}

#[test]
fn inputs_too_slow_for_the_reference_are_skipped() {
    let folder = folder(&c_about_n("volatile int i = 0; while (n >= 7) i++;"));
    folder
        .rebut(&format!("{STRESS} --cases 20 --reference-time 50ms").replace("--cases 200 ", ""))
        .exits(0)
        .shows("skipped");
}

#[test]
fn crash_of_a_validator_is_a_judge_error() {
    let folder = folder(ECHO_C).file("check.c", c_about_n("abort();"));
    let ran = folder.rebut(&format!("{STRESS} --validator ./check.c")).exits(3);
    ran.shows_all(&["the validator `./check.c`", "SIGABRT", "42 to accept"]);
}

#[test]
fn unknown_exit_status_of_a_validator_is_a_judge_error() {
    let folder = folder(ECHO_C).file("check.c", c_about_n("return 99;"));
    folder.rebut(&format!("{STRESS} --validator ./check.c")).exits(3).shows("exited with status 99");
}

#[test]
fn failing_generator_is_named_with_its_seed() {
    if !installed(&["python3"]) {
        return;
    }
    let folder = folder(ECHO_C).file("gen.py", "import sys\nsys.exit('no idea')\n");
    let ran = folder.rebut("stress sol.c --reference brute.c --generator gen.py --seed 1 --cases 9").exits(3);
    ran.shows_all(&["the generator", "for seed", "no idea"]);
}

#[test]
fn generator_of_invalid_inputs_is_a_judge_error() {
    if !installed(&["python3"]) {
        return;
    }
    let folder = folder(ECHO_C).file("gen.py", "print(5)\n").file("check.py", "print('5 is not even')\nexit(43)\n");
    let command = "stress sol.c --reference brute.c --generator gen.py --validator check.py --seed 1 --cases 9";
    folder.rebut(command).exits(3).shows_all(&["printed an invalid input", "5 is not even"]);
}

#[test]
fn inputs_with_too_little_memory_for_the_reference_are_skipped() {
    let folder = folder(&c_about_n("if (n >= 3) { fputs(\"std::bad_alloc\\n\", stderr); abort(); }"));
    folder.rebut(STRESS).exits(0).shows("skipped: the reference runs out of time or memory on them");
}

#[test]
fn generators_that_ignore_their_seed_are_named() {
    for (text, flaw) in [
        ("echo $$", "ignores its seed: it prints another input for"),
        ("echo 5", "prints the same input for each of 8 seeds"),
        ("true", "prints nothing for each of 8 seeds"),
        ("printf $1", "prints no newline at the end of its last line"),
    ] {
        let folder = folder(ECHO_C).script("gen.sh", format!("#!/bin/sh\n{text}\n"));
        let ran = folder.rebut("stress sol.c --reference brute.c --generator ./gen.sh --seed 1 --cases 3");
        ran.shows(&format!("the generator `./gen.sh` {flaw}"));
    }
    let folder = folder(ECHO_C).script("gen.sh", "#!/bin/sh\necho $1\n");
    let ran = folder.rebut("stress sol.c --reference brute.c --generator ./gen.sh --seed 1 --cases 3");
    ran.exits(0).hides("the generator `./gen.sh`");
}
