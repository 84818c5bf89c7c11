//! Two programs that speak with each other, whichever of them ends first and however it does.
//!
//! Both are one program, an actor, whose arguments are its part. No test depends on how fast anybody is: what is to be seen
//! follows from who waits for whom.

use crate::environment::installed;
use rebut::diagnostic::{ErrorKind, Result};
use rebut::run::{
    Builder, Cancel, Decision, Environment, Exit, Interaction, LimitHit, Limits, Luggage, Outcome, Party, Program,
    Side, Variant, interact,
};
use std::ffi::OsString;
use std::fs;
use std::path::Path;

const ACTOR: &str = r#"
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
int main(int count, char **words) {
    static char line[1 << 16];
    for (int i = 1; i < count; i++) {
        const char *word = words[i];
        if (!strncmp(word, "say:", 4)) { printf("%s\n", word + 4); fflush(stdout); }
        else if (!strcmp(word, "hear")) { if (!fgets(line, sizeof line, stdin)) return 9; fputs(line, stderr); }
        else if (!strcmp(word, "hear-all")) while (fgets(line, sizeof line, stdin)) fputs(line, stderr);
        else if (!strcmp(word, "repeat")) while (fgets(line, sizeof line, stdin)) { fputs(line, stdout); fflush(stdout); }
        else if (!strcmp(word, "flood")) for (;;) { memset(line, 'x', sizeof line); if (write(1, line, sizeof line) < 0) return 7; }
        else if (!strcmp(word, "deaf")) close(0);
        else if (!strcmp(word, "mute")) close(1);
        else if (!strcmp(word, "brave")) signal(SIGPIPE, SIG_IGN);
        else if (!strcmp(word, "crash")) { raise(SIGSEGV); }
        else if (!strcmp(word, "spin")) for (volatile int on = 1; on;) {}
        else if (!strcmp(word, "wait")) for (;;) pause();
        else if (!strncmp(word, "file:", 5)) { FILE *file = fopen(word + 5, "r"); while (fgets(line, sizeof line, file)) fputs(line, stdout); fflush(stdout); }
        else if (!strncmp(word, "note:", 5)) { FILE *file = fopen(word + 5, "w"); fputs("noted\n", file); fclose(file); }
        else if (!strncmp(word, "exit:", 5)) return atoi(word + 5);
        else return 77;
    }
    return 0;
}
"#;

fn environment() -> Environment {
    Environment::capture().unwrap().with("REBUT_CACHE", env!("CARGO_TARGET_TMPDIR"))
}

/// Somebody who can play any part; none where there is no compiler. With walls, and without a spawner.
fn actors() -> Vec<(Program, Builder)> {
    if !installed(&["gcc", "cc", "clang"]) {
        return Vec::new();
    }
    let with = |environment: Environment| {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("actor.c");
        fs::write(&path, ACTOR).unwrap();
        let builder = Builder::new(environment).unwrap();
        (builder.compile(&path, Variant::Judged, &Cancel::new()).unwrap().program, builder)
    };
    vec![with(environment().with_spawner(env!("CARGO_BIN_EXE_rebut"))), with(environment())]
}

fn part(words: &str) -> Vec<OsString> {
    words.split_whitespace().map(OsString::from).collect()
}

/// An interactor with which nobody is dismissed.
fn content(_: &Outcome) -> bool {
    false
}

fn play_with(actor: &Program, [interactor, submission]: [&str; 2], limits: &Limits) -> Result<Interaction> {
    let (interactor, submission) = (part(interactor), part(submission));
    let side = |args| Side { program: actor, args, limits, luggage: None };
    interact(&side(&interactor), &side(&submission), &content, &Cancel::new())
}

fn play(actor: &Program, parts: [&str; 2]) -> Interaction {
    play_with(actor, parts, &Limits::default()).unwrap()
}

/// `<` is the interactor, `>` the submission.
fn spelt(interaction: &Interaction) -> String {
    let line = |line: &rebut::run::Line| {
        let mark = if line.from == Party::Interactor { '<' } else { '>' };
        format!("{mark}{}", String::from_utf8_lossy(&line.text))
    };
    interaction.transcript.lines().map(line).collect::<Vec<_>>().join(" ")
}

/// Both exits, who left first, and what decides.
fn ends(interaction: &Interaction) -> (Exit, Exit, Party, Decision) {
    (interaction.interactor.exit, interaction.submission.exit, interaction.first, interaction.decision())
}

#[test]
fn two_programs_speak_in_turn() {
    for (actor, _) in actors() {
        let parts = ["say:1 hear say:2 hear exit:42", "hear say:a hear say:b hear-all"];
        let done = play(&actor, parts);
        assert_eq!(spelt(&done), "<1 >a <2 >b");
        assert_eq!(ends(&done), (Exit::Code(42), Exit::Code(0), Party::Interactor, Decision::Interactor));
        assert_eq!(done.interactor.stderr, b"a\nb\n");
        assert_eq!(done.submission.stderr, b"1\n2\n");
        assert!(done.transcript.lines().all(|line| line.is_whole) && done.transcript.left_out == 0);
    }
}

#[test]
fn whoever_leaves_first_is_known() {
    use Decision::{Early, Failed, Interactor, Submission};
    let cases = [
        // The submission has said all, and goes.
        (["hear hear-all exit:42", "say:x"], Exit::Code(42), Exit::Code(0), Party::Submission, Interactor),
        (["hear hear exit:42", "say:x"], Exit::Code(9), Exit::Code(0), Party::Submission, Interactor),
        // It leaves while it is spoken to.
        (["flood", "hear-some"], Exit::Signal(13), Exit::Code(77), Party::Submission, Submission),
        (["flood", "exit:0"], Exit::Signal(13), Exit::Code(0), Party::Submission, Early),
        (["brave flood", "exit:0"], Exit::Code(7), Exit::Code(0), Party::Submission, Interactor),
        (["hear exit:43", "crash"], Exit::Code(9), Exit::Signal(11), Party::Submission, Submission),
        (["flood", "crash"], Exit::Signal(13), Exit::Signal(11), Party::Submission, Submission),
        // The interactor has heard enough.
        (["exit:43", "flood"], Exit::Code(43), Exit::Signal(13), Party::Interactor, Interactor),
        (["exit:43", "hear"], Exit::Code(43), Exit::Code(9), Party::Interactor, Interactor),
        (["hear exit:43", "say:x flood"], Exit::Code(43), Exit::Signal(13), Party::Interactor, Interactor),
        (["say:1 exit:43", "hear hear crash"], Exit::Code(43), Exit::Code(9), Party::Interactor, Interactor),
        (["exit:42", "hear-all crash"], Exit::Code(42), Exit::Signal(11), Party::Interactor, Interactor),
        // It fails.
        (["crash", "hear"], Exit::Signal(11), Exit::Code(9), Party::Interactor, Failed),
        (["crash", "hear-all"], Exit::Signal(11), Exit::Code(0), Party::Interactor, Failed),
    ];
    for (actor, _) in actors() {
        for (parts, interactor, submission, first, decision) in cases {
            for _ in 0..3 {
                assert_eq!(ends(&play(&actor, parts)), (interactor, submission, first, decision), "{parts:?}");
            }
        }
    }
}

#[test]
fn a_stream_that_is_closed_is_closed_for_the_other() {
    for (actor, _) in actors() {
        // It lives on, but says nothing more: the interactor reads the end.
        let mute = play(&actor, ["hear hear-all exit:42", "say:x mute hear-all"]);
        assert_eq!(ends(&mute), (Exit::Code(42), Exit::Code(0), Party::Submission, Decision::Interactor));
        // It lives on, but listens no more: the interactor's words fail.
        let limits = Limits { wall_time_limit_ms: 3000, ..Limits::default() };
        let deaf = play_with(&actor, ["brave flood", "deaf wait"], &limits).unwrap();
        assert_eq!((deaf.interactor.exit, deaf.first), (Exit::Code(7), Party::Submission));
        assert_eq!(deaf.submission.limit, Some(LimitHit::WallTime), "{deaf:?}");
        let deaf = play(&actor, ["deaf hear-all", "flood"]);
        assert_eq!((deaf.submission.exit, deaf.first), (Exit::Signal(13), Party::Interactor));
    }
}

#[test]
fn nobody_waits_for_ever() {
    let limits = Limits { wall_time_limit_ms: 300, ..Limits::with_cpu_time_ms(100) };
    for (actor, _) in actors() {
        // Each waits for the other, or floods the other.
        for parts in [["hear exit:43", "hear"], ["flood", "flood"], ["wait", "wait"], ["flood", "wait"]] {
            let done = play_with(&actor, parts, &limits).unwrap();
            assert_eq!(done.submission.limit, Some(LimitHit::WallTime), "{parts:?} {done:?}");
            assert!(done.submission.is_idle(), "{parts:?} {done:?}");
            assert_eq!((done.first, done.decision()), (Party::Submission, Decision::Submission), "{parts:?}");
        }
        let limits = Limits { wall_time_limit_ms: 60_000, ..limits.clone() };
        let spinning = play_with(&actor, ["hear exit:43", "say:x spin"], &limits).unwrap();
        assert_eq!(spinning.submission.limit, Some(LimitHit::CpuTime));
        assert_eq!(spinning.decision(), Decision::Submission);
        let judge = play_with(&actor, ["spin", "hear"], &limits).unwrap();
        assert_eq!((judge.interactor.limit, judge.submission.limit), (Some(LimitHit::CpuTime), None));
        assert_eq!(judge.decision(), Decision::Failed);
    }
}

#[test]
fn who_is_refused_is_dismissed() {
    // Nobody would wait for that.
    let limits = Limits::with_cpu_time_ms(600_000);
    let refuses = |outcome: &Outcome| outcome.exit == Exit::Code(43);
    for (actor, _) in actors() {
        for (parts, expected) in [
            (["hear exit:43", "say:x spin"], (Exit::Signal(9), true)),
            (["exit:43", "wait"], (Exit::Signal(9), true)),
            (["hear exit:43", "say:x hear-all"], (Exit::Code(0), true)),
            (["hear hear exit:42", "say:x say:y hear-all"], (Exit::Code(0), false)),
        ] {
            let args = parts.map(part);
            let [told, listener] =
                [0, 1].map(|i| Side { program: &actor, args: &args[i], limits: &limits, luggage: None });
            let done = interact(&told, &listener, &refuses, &Cancel::new()).unwrap();
            // Who reads the end may be gone before it is dismissed.
            let is_gone = parts[1].ends_with("hear-all") && done.submission.exit == Exit::Signal(9);
            assert!(done.submission.exit == expected.0 || is_gone, "{parts:?} {done:?}");
            assert_eq!((done.is_dismissed, done.submission.limit), (expected.1, None), "{parts:?}");
            assert_eq!((done.first, done.decision()), (Party::Interactor, Decision::Interactor), "{parts:?}");
        }
        // Who left first is asked nothing more.
        let args = ["hear hear-all exit:43", "say:x crash"].map(part);
        let [told, listener] = [0, 1].map(|i| Side { program: &actor, args: &args[i], limits: &limits, luggage: None });
        let done = interact(&told, &listener, &refuses, &Cancel::new()).unwrap();
        assert_eq!((done.is_dismissed, done.decision()), (false, Decision::Submission));
    }
}

#[test]
fn who_says_too_much_reaches_the_output_limit() {
    let limits = Limits { output_limit_bytes: 1 << 20, ..Limits::default() };
    for (actor, _) in actors() {
        let done = play_with(&actor, ["hear-all exit:43", "flood"], &limits).unwrap();
        assert_eq!((done.submission.limit, done.interactor.limit), (Some(LimitHit::Output), None));
        assert_eq!((done.first, done.decision()), (Party::Submission, Decision::Submission));
        let done = play_with(&actor, ["flood", "hear-all"], &limits).unwrap();
        assert_eq!((done.interactor.limit, done.decision()), (Some(LimitHit::Output), Decision::Failed));
    }
}

#[test]
fn an_interactor_has_files_and_brings_its_feedback() {
    for (actor, _) in actors() {
        let luggage = Luggage::new().with_file("1.in", b"4\n5\n").unwrap().with_folder("feedback").unwrap();
        let luggage = luggage.bringing("feedback").unwrap();
        // A word of a part is a prefix and a place, so the place is told by the folder of the run.
        let mut args = part("hear exit:42");
        let limits = Limits::default();
        args.insert(0, Luggage::place("feedback"));
        let told = Side { program: &actor, args: &args, limits: &limits, luggage: Some(&luggage) };
        let words = part("say:x");
        let listener = Side { program: &actor, args: &words, limits: &limits, luggage: None };
        let done = interact(&told, &listener, &content, &Cancel::new()).unwrap();
        assert_eq!(done.interactor.exit, Exit::Code(77), "a path is no part");
        if actor_is_walled(&actor) {
            let args = part("file:1.in hear note:feedback/judgemessage.txt exit:42");
            let told = Side { args: &args, ..told };
            let words = part("hear hear say:9 hear-all");
            let done = interact(&told, &Side { args: &words, ..listener }, &content, &Cancel::new()).unwrap();
            assert_eq!(ends(&done), (Exit::Code(42), Exit::Code(0), Party::Interactor, Decision::Interactor));
            assert_eq!(spelt(&done), "<4 <5 >9");
            let expected = (Path::new("feedback/judgemessage.txt").to_owned(), b"noted\n".to_vec());
            assert_eq!(done.interactor.files.into_iter().collect::<Vec<_>>(), [expected]);
            assert!(done.submission.files.is_empty());
        }
    }
}

/// Whether it works in a folder of its own, which is empty.
fn actor_is_walled(actor: &Program) -> bool {
    let luggage = Luggage::new().with_file("here", b"").unwrap();
    let limits = Limits::default();
    let args = part("file:here");
    let job = rebut::run::Job { args: &args, luggage: Some(&luggage), ..rebut::run::Job::new(b"", &limits) };
    actor.run_job(&job, &Cancel::new()).unwrap().is_success()
}

#[test]
fn what_somebody_leaves_behind_holds_nobody_up() {
    for (actor, builder) in actors().into_iter().take(1) {
        // Without walls it may start others, which inherit its ends of the pipes.
        let command = "sh -c 'sleep 1000 & read line; echo $line; exit 42'";
        let interactor = builder.command(command, &Cancel::new()).unwrap().program;
        let limits = Limits::default();
        let words = part("say:x hear hear-all");
        let told = Side { program: &interactor, args: &[], limits: &limits, luggage: None };
        let listener = Side { program: &actor, args: &words, limits: &limits, luggage: None };
        let done = interact(&told, &listener, &content, &Cancel::new()).unwrap();
        assert_eq!(ends(&done), (Exit::Code(42), Exit::Code(0), Party::Interactor, Decision::Interactor));
        assert_eq!(spelt(&done), ">x <x");
    }
}

#[test]
fn what_gets_away_holds_nobody_up_either() {
    // Without a spawner nobody sees to it that all of a run ends.
    if !installed(&["setsid"]) {
        return;
    }
    let builder = Builder::new(environment()).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let escape = |name: &str, then: &str| {
        let file = folder.path().join(name);
        let sleeper = format!("setsid sh -c \"echo \\$\\$ > {0}; exec sleep 1000\" <&3 & ", file.display());
        let wait = format!("while [ ! -s {0} ]; do sleep 0.01; done; ", file.display());
        let command = format!("sh -c 'exec 3<&0; {sleeper}{wait}{then}'");
        (builder.command(&command, &Cancel::new()).unwrap().program, file)
    };
    let (interactor, one) = escape("one", "read line; echo $line; exit 42");
    let (submission, other) = escape("other", "echo x; exit 0");
    let limits = Limits::default();
    let side = |program| Side { program, args: &[], limits: &limits, luggage: None };
    let done = interact(&side(&interactor), &side(&submission), &content, &Cancel::new()).unwrap();
    for file in [one, other] {
        let pid: i32 = fs::read_to_string(file).unwrap().trim().parse().unwrap();
        let pid = rustix::process::Pid::from_raw(pid).unwrap();
        rustix::process::kill_process(pid, rustix::process::Signal::KILL).expect("it lives, and nobody waited for it");
    }
    assert_eq!((done.interactor.exit, done.submission.exit), (Exit::Code(42), Exit::Code(0)));
}

#[test]
fn a_conversation_can_be_stopped() {
    for (actor, _) in actors() {
        let cancel = Cancel::new();
        let words = part("wait");
        let limits = Limits::with_cpu_time_ms(60_000);
        let side = Side { program: &actor, args: &words, limits: &limits, luggage: None };
        let stopped = std::thread::scope(|scope| {
            let talk = scope.spawn(|| interact(&side, &side, &content, &cancel));
            std::thread::sleep(std::time::Duration::from_millis(50));
            cancel.cancel();
            talk.join().unwrap()
        });
        assert_eq!(stopped.unwrap_err().kind(), ErrorKind::Interrupted);
    }
}

#[test]
fn many_speak_at_once() {
    for (actor, _) in actors() {
        std::thread::scope(|scope| {
            let one = |i: usize| {
                let actor = &actor;
                scope.spawn(move || {
                    let parts = [format!("say:{i} hear exit:43"), "repeat".to_owned()];
                    spelt(&play(actor, [&parts[0], &parts[1]]))
                })
            };
            let all: Vec<_> = (0..12).map(one).collect();
            for (i, said) in all.into_iter().enumerate() {
                assert_eq!(said.join().unwrap(), format!("<{i} >{i}"));
            }
        });
    }
}
