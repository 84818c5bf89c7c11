//! Conversations between two programs that end first and exit in every combination.
//!
//! Both are one program, the actor, with its part as arguments. No test depends on timing: the expected outcome follows
//! from which program waits for the other.

use crate::environment::installed;
use rebut_diagnostics::{ErrorKind, Result};
use rebut_sandbox::{
    CancelToken, HostEnvironment, Interaction, InteractionDecision, InteractionParty, InteractionSide, LimitHit,
    ProcessExit, Program, RunFiles, RunLimits, RunOutcome, run_interaction,
};
use rebut_toolchain::{BuildVariant, ProgramBuilder};
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

fn environment() -> HostEnvironment {
    HostEnvironment::from_process().unwrap().with_variable("REBUT_CACHE", env!("CARGO_TARGET_TMPDIR"))
}

/// Returns the actor in a sandbox and without a spawner, or nothing without a compiler.
fn actors() -> Vec<(Program, ProgramBuilder)> {
    if !installed(&["gcc", "cc", "clang"]) {
        return Vec::new();
    }
    let with = |environment: HostEnvironment| {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("actor.c");
        fs::write(&path, ACTOR).unwrap();
        let builder = ProgramBuilder::new(environment).unwrap();
        (builder.compile(&path, BuildVariant::Judged, &CancelToken::new()).unwrap().program, builder)
    };
    vec![with(environment().with_spawner(env!("CARGO_BIN_EXE_rebut"))), with(environment())]
}

fn part(words: &str) -> Vec<OsString> {
    words.split_whitespace().map(OsString::from).collect()
}

/// An early-exit test that never dismisses the submission.
fn never_dismiss(_: &RunOutcome) -> bool {
    false
}

fn play_with(actor: &Program, [interactor, submission]: [&str; 2], limits: &RunLimits) -> Result<Interaction> {
    let (interactor, submission) = (part(interactor), part(submission));
    let side = |args| InteractionSide { program: actor, args, limits, files: None };
    run_interaction(&side(&interactor), &side(&submission), &never_dismiss, &CancelToken::new())
}

fn play(actor: &Program, parts: [&str; 2]) -> Interaction {
    play_with(actor, parts, &RunLimits::default()).unwrap()
}

/// Returns the transcript: `<` is the interactor, `>` the submission.
fn transcript_text(interaction: &Interaction) -> String {
    let line = |line: &rebut_sandbox::TranscriptLine| {
        let mark = if line.from == InteractionParty::Interactor { '<' } else { '>' };
        format!("{mark}{}", String::from_utf8_lossy(&line.text))
    };
    interaction.transcript.kept_lines().map(line).collect::<Vec<_>>().join(" ")
}

/// Returns both exits, the side that left first, and what decides.
fn ends(interaction: &Interaction) -> (ProcessExit, ProcessExit, InteractionParty, InteractionDecision) {
    (interaction.interactor.exit, interaction.submission.exit, interaction.first_to_leave, interaction.decision())
}

#[test]
fn programs_take_turns() {
    for (actor, _) in actors() {
        let parts = ["say:1 hear say:2 hear exit:42", "hear say:a hear say:b hear-all"];
        let done = play(&actor, parts);
        assert_eq!(transcript_text(&done), "<1 >a <2 >b");
        assert_eq!(
            ends(&done),
            (
                ProcessExit::Code(42),
                ProcessExit::Code(0),
                InteractionParty::Interactor,
                InteractionDecision::Interactor
            )
        );
        assert_eq!(done.interactor.stderr, b"a\nb\n");
        assert_eq!(done.submission.stderr, b"1\n2\n");
        assert!(done.transcript.kept_lines().all(|line| line.is_complete) && done.transcript.omitted_lines == 0);
    }
}

/// Programs for both sides, the exit of the interactor and of the submission, and what decides.
type Ending = ([&'static str; 2], ProcessExit, ProcessExit, InteractionDecision);

/// Plays each conversation several times and compares how it ends.
#[track_caller]
fn check_endings(first_to_leave: InteractionParty, endings: &[Ending]) {
    for (actor, _) in actors() {
        for (parts, interactor, submission, decision) in endings {
            for _ in 0..3 {
                let expected = (*interactor, *submission, first_to_leave, *decision);
                assert_eq!(ends(&play(&actor, *parts)), expected, "{parts:?}");
            }
        }
    }
}

#[test]
fn submission_that_leaves_first_is_recorded() {
    use InteractionDecision::{Interactor, Submission, SubmissionLeftEarly};
    use ProcessExit::{Code, Signal};
    let endings = [
        // The submission has printed everything and exits.
        (["hear hear-all exit:42", "say:x"], Code(42), Code(0), Interactor),
        (["hear hear exit:42", "say:x"], Code(9), Code(0), Interactor),
        // It exits while the interactor is still writing to it.
        (["flood", "hear-some"], Signal(13), Code(77), Submission),
        (["flood", "exit:0"], Signal(13), Code(0), SubmissionLeftEarly),
        (["brave flood", "exit:0"], Code(7), Code(0), Interactor),
        (["hear exit:43", "crash"], Code(9), Signal(11), Submission),
        (["flood", "crash"], Signal(13), Signal(11), Submission),
    ];
    check_endings(InteractionParty::Submission, &endings);
}

#[test]
fn interactor_that_leaves_first_is_recorded() {
    use InteractionDecision::{Interactor, InteractorFailed};
    use ProcessExit::{Code, Signal};
    let endings = [
        // The interactor has read enough to decide.
        (["exit:43", "flood"], Code(43), Signal(13), Interactor),
        (["exit:43", "hear"], Code(43), Code(9), Interactor),
        (["hear exit:43", "say:x flood"], Code(43), Signal(13), Interactor),
        (["say:1 exit:43", "hear hear crash"], Code(43), Code(9), Interactor),
        (["exit:42", "hear-all crash"], Code(42), Signal(11), Interactor),
        // The interactor crashes.
        (["crash", "hear"], Signal(11), Code(9), InteractorFailed),
        (["crash", "hear-all"], Signal(11), Code(0), InteractorFailed),
    ];
    check_endings(InteractionParty::Interactor, &endings);
}

#[test]
fn closed_stream_is_closed_for_the_other_side() {
    for (actor, _) in actors() {
        // It keeps running and writes nothing more: the interactor reads the end of the stream.
        let mute = play(&actor, ["hear hear-all exit:42", "say:x mute hear-all"]);
        assert_eq!(
            ends(&mute),
            (
                ProcessExit::Code(42),
                ProcessExit::Code(0),
                InteractionParty::Interactor,
                InteractionDecision::Interactor
            )
        );
        // It keeps running and reads nothing more: the interactor's writes fail.
        let limits = RunLimits { wall_time_limit_ms: 3000, ..RunLimits::default() };
        let deaf = play_with(&actor, ["brave flood", "deaf wait"], &limits).unwrap();
        assert_eq!((deaf.interactor.exit, deaf.first_to_leave), (ProcessExit::Code(7), InteractionParty::Submission));
        assert_eq!(deaf.submission.limit, Some(LimitHit::WallTime), "{deaf:?}");
        let deaf = play(&actor, ["deaf hear-all", "flood"]);
        assert_eq!(
            (deaf.submission.exit, deaf.first_to_leave),
            (ProcessExit::Signal(13), InteractionParty::Interactor)
        );
    }
}

#[test]
fn deadlocks_end_at_the_time_limit() {
    let limits = RunLimits { wall_time_limit_ms: 300, ..RunLimits::with_cpu_time_ms(100) };
    for (actor, _) in actors() {
        // Each waits for the other, or floods the other.
        for parts in [["hear exit:43", "hear"], ["flood", "flood"], ["wait", "wait"], ["flood", "wait"]] {
            let done = play_with(&actor, parts, &limits).unwrap();
            assert_eq!(done.submission.limit, Some(LimitHit::WallTime), "{parts:?} {done:?}");
            assert!(done.submission.is_idle(), "{parts:?} {done:?}");
            assert_eq!(
                (done.first_to_leave, done.decision()),
                (InteractionParty::Submission, InteractionDecision::Submission),
                "{parts:?}"
            );
        }
        let limits = RunLimits { wall_time_limit_ms: 60_000, ..limits.clone() };
        let spinning = play_with(&actor, ["hear exit:43", "say:x spin"], &limits).unwrap();
        assert_eq!(spinning.submission.limit, Some(LimitHit::CpuTime));
        assert_eq!(spinning.decision(), InteractionDecision::Submission);
        let judge = play_with(&actor, ["spin", "hear"], &limits).unwrap();
        assert_eq!((judge.interactor.limit, judge.submission.limit), (Some(LimitHit::CpuTime), None));
        assert_eq!(judge.decision(), InteractionDecision::InteractorFailed);
    }
}

#[test]
fn refused_submission_is_dismissed() {
    // An unlimited wait would follow otherwise.
    let limits = RunLimits::with_cpu_time_ms(600_000);
    let refuses = |outcome: &RunOutcome| outcome.exit == ProcessExit::Code(43);
    for (actor, _) in actors() {
        for (parts, expected) in [
            (["hear exit:43", "say:x spin"], (ProcessExit::Signal(9), true)),
            (["exit:43", "wait"], (ProcessExit::Signal(9), true)),
            (["hear exit:43", "say:x hear-all"], (ProcessExit::Code(0), true)),
            (["hear hear exit:42", "say:x say:y hear-all"], (ProcessExit::Code(0), false)),
        ] {
            let args = parts.map(part);
            let [interactor, submission] =
                [0, 1].map(|i| InteractionSide { program: &actor, args: &args[i], limits: &limits, files: None });
            let done = run_interaction(&interactor, &submission, &refuses, &CancelToken::new()).unwrap();
            // A program that reads the end of its input can exit before it is dismissed.
            let is_gone = parts[1].ends_with("hear-all") && done.submission.exit == ProcessExit::Signal(9);
            assert!(done.submission.exit == expected.0 || is_gone, "{parts:?} {done:?}");
            assert_eq!((done.is_dismissed, done.submission.limit), (expected.1, None), "{parts:?}");
            assert_eq!(
                (done.first_to_leave, done.decision()),
                (InteractionParty::Interactor, InteractionDecision::Interactor),
                "{parts:?}"
            );
        }
        // A submission that left first is not dismissed.
        let args = ["hear hear-all exit:43", "say:x crash"].map(part);
        let [interactor, submission] =
            [0, 1].map(|i| InteractionSide { program: &actor, args: &args[i], limits: &limits, files: None });
        let done = run_interaction(&interactor, &submission, &refuses, &CancelToken::new()).unwrap();
        assert_eq!((done.is_dismissed, done.decision()), (false, InteractionDecision::Submission));
    }
}

/// Each program ends soon after the other, or because of it. On a busy machine, any of them can be the faster one.
#[test]
fn verdicts_do_not_depend_on_which_program_is_faster() {
    use InteractionDecision::{Interactor, Submission};
    // The programs, whether the submission is dismissed, whether it ended by itself, and what decides.
    let cases = [
        // The interactor refuses a message; that the submission crashes is its own affair.
        (["hear exit:43", "say:x exit:1"], true, true, Interactor),
        (["say:1 hear exit:43", "say:x crash"], true, true, Interactor),
        // It refuses because there is no message.
        (["hear hear-all exit:43", "say:x exit:1"], false, true, Submission),
        (["hear-all exit:43", "crash"], false, true, Submission),
        // It accepts, and the submission fails by itself, or because no answer comes.
        (["hear exit:42", "say:x exit:1"], false, true, Interactor),
        (["hear exit:42", "say:x say:y say:z crash"], false, true, Interactor),
        (["hear exit:42", "say:x hear"], false, false, Interactor),
    ];
    let limits = RunLimits::with_cpu_time_ms(10_000);
    let refuses = |outcome: &RunOutcome| outcome.exit == ProcessExit::Code(43);
    for (actor, _) in actors() {
        let play_often = |first: usize| {
            for (parts, is_dismissed, by_itself, decision) in cases.iter().cycle().skip(first).take(15) {
                let args = parts.map(part);
                let [interactor, submission] =
                    [0, 1].map(|i| InteractionSide { program: &actor, args: &args[i], limits: &limits, files: None });
                let done = run_interaction(&interactor, &submission, &refuses, &CancelToken::new()).unwrap();
                let found = (done.is_dismissed, done.decision());
                assert_eq!(found, (*is_dismissed, *decision), "{parts:?} {done:?}");
                assert!(*is_dismissed || done.ended_by_itself == *by_itself, "{parts:?} {done:?}");
            }
        };
        let play_often = &play_often;
        std::thread::scope(|scope| (0..14).for_each(|first| drop(scope.spawn(move || play_often(first)))));
    }
}

#[test]
fn submission_that_closes_its_output_has_not_ended() {
    let limits = RunLimits::with_cpu_time_ms(600_000);
    let refuses = |outcome: &RunOutcome| outcome.exit == ProcessExit::Code(43);
    for (actor, _) in actors() {
        for words in ["mute wait", "say:x mute deaf wait"] {
            let args = ["hear-all exit:43", words].map(part);
            let [interactor, submission] =
                [0, 1].map(|i| InteractionSide { program: &actor, args: &args[i], limits: &limits, files: None });
            let done = run_interaction(&interactor, &submission, &refuses, &CancelToken::new()).unwrap();
            assert!(done.is_dismissed, "{words} {done:?}");
        }
    }
}

#[test]
fn endless_conversation_reaches_the_output_limit() {
    let limits = RunLimits { output_limit_bytes: 1 << 20, ..RunLimits::default() };
    for (actor, _) in actors() {
        let done = play_with(&actor, ["hear-all exit:43", "flood"], &limits).unwrap();
        assert_eq!((done.submission.limit, done.interactor.limit), (Some(LimitHit::Output), None));
        assert_eq!(
            (done.first_to_leave, done.decision()),
            (InteractionParty::Submission, InteractionDecision::Submission)
        );
        let done = play_with(&actor, ["flood", "hear-all"], &limits).unwrap();
        assert_eq!(
            (done.interactor.limit, done.decision()),
            (Some(LimitHit::Output), InteractionDecision::InteractorFailed)
        );
    }
}

#[test]
fn interactor_has_files_and_collects_feedback() {
    for (actor, _) in actors() {
        let files = RunFiles::new().with_file("1.in", b"4\n5\n").unwrap().with_folder("feedback").unwrap();
        let files = files.with_collected("feedback").unwrap();
        // The words of a part contain paths, so the path is that of the working folder.
        let mut args = part("hear exit:42");
        let limits = RunLimits::default();
        args.insert(0, RunFiles::path_argument("feedback"));
        let interactor = InteractionSide { program: &actor, args: &args, limits: &limits, files: Some(&files) };
        let words = part("say:x");
        let submission = InteractionSide { program: &actor, args: &words, limits: &limits, files: None };
        let done = run_interaction(&interactor, &submission, &never_dismiss, &CancelToken::new()).unwrap();
        assert_eq!(done.interactor.exit, ProcessExit::Code(77), "a path is no part");
        if is_in_own_folder(&actor) {
            let args = part("file:1.in hear note:feedback/judgemessage.txt exit:42");
            let interactor = InteractionSide { args: &args, ..interactor };
            let words = part("hear hear say:9 hear-all");
            let done = run_interaction(
                &interactor,
                &InteractionSide { args: &words, ..submission },
                &never_dismiss,
                &CancelToken::new(),
            )
            .unwrap();
            assert_eq!(
                ends(&done),
                (
                    ProcessExit::Code(42),
                    ProcessExit::Code(0),
                    InteractionParty::Interactor,
                    InteractionDecision::Interactor
                )
            );
            assert_eq!(transcript_text(&done), "<4 <5 >9");
            let expected = (Path::new("feedback/judgemessage.txt").to_owned(), b"noted\n".to_vec());
            assert_eq!(done.interactor.files.into_iter().collect::<Vec<_>>(), [expected]);
            assert!(done.submission.files.is_empty());
        }
    }
}

/// Returns true if the actor runs in a folder of its own.
fn is_in_own_folder(actor: &Program) -> bool {
    let files = RunFiles::new().with_file("here", b"").unwrap();
    let limits = RunLimits::default();
    let args = part("file:here");
    let job = rebut_sandbox::RunJob { args: &args, files: Some(&files), ..rebut_sandbox::RunJob::new(b"", &limits) };
    actor.run_job(&job, &CancelToken::new()).unwrap().is_success()
}

#[test]
fn background_processes_do_not_delay_the_end() {
    for (actor, builder) in actors().into_iter().take(1) {
        // Outside the sandbox it can start processes, which inherit its ends of the pipes.
        let command = "sh -c 'sleep 1000 & read line; echo $line; exit 42'";
        let interactor = builder.compile_command(command, &CancelToken::new()).unwrap().program;
        let limits = RunLimits::default();
        let words = part("say:x hear hear-all");
        let interactor = InteractionSide { program: &interactor, args: &[], limits: &limits, files: None };
        let submission = InteractionSide { program: &actor, args: &words, limits: &limits, files: None };
        let done = run_interaction(&interactor, &submission, &never_dismiss, &CancelToken::new()).unwrap();
        assert_eq!(
            ends(&done),
            (
                ProcessExit::Code(42),
                ProcessExit::Code(0),
                InteractionParty::Interactor,
                InteractionDecision::Interactor
            )
        );
        assert_eq!(transcript_text(&done), ">x <x");
    }
}

#[test]
fn escaped_processes_do_not_delay_the_end() {
    // Without a spawner the descendants of a run are not all ended.
    if !installed(&["setsid"]) {
        return;
    }
    let builder = ProgramBuilder::new(environment()).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let escape = |name: &str, then: &str| {
        let file = folder.path().join(name);
        let sleeper = format!("setsid sh -c \"echo \\$\\$ > {0}; exec sleep 1000\" <&3 & ", file.display());
        let wait = format!("while [ ! -s {0} ]; do sleep 0.01; done; ", file.display());
        let command = format!("sh -c 'exec 3<&0; {sleeper}{wait}{then}'");
        (builder.compile_command(&command, &CancelToken::new()).unwrap().program, file)
    };
    let (interactor, one) = escape("one", "read line; echo $line; exit 42");
    let (submission, other) = escape("other", "echo x; exit 0");
    let limits = RunLimits::default();
    let side = |program| InteractionSide { program, args: &[], limits: &limits, files: None };
    let done = run_interaction(&side(&interactor), &side(&submission), &never_dismiss, &CancelToken::new()).unwrap();
    for file in [one, other] {
        let pid: i32 = fs::read_to_string(file).unwrap().trim().parse().unwrap();
        let pid = rustix::process::Pid::from_raw(pid).unwrap();
        rustix::process::kill_process(pid, rustix::process::Signal::KILL)
            .expect("it is alive, and the run did not wait for it");
    }
    assert_eq!((done.interactor.exit, done.submission.exit), (ProcessExit::Code(42), ProcessExit::Code(0)));
}

#[test]
fn conversation_can_be_cancelled() {
    for (actor, _) in actors() {
        let cancel = CancelToken::new();
        let words = part("wait");
        let limits = RunLimits::with_cpu_time_ms(60_000);
        let side = InteractionSide { program: &actor, args: &words, limits: &limits, files: None };
        let stopped = std::thread::scope(|scope| {
            let talk = scope.spawn(|| run_interaction(&side, &side, &never_dismiss, &cancel));
            std::thread::sleep(std::time::Duration::from_millis(50));
            cancel.cancel();
            talk.join().unwrap()
        });
        assert_eq!(stopped.unwrap_err().kind(), ErrorKind::Interrupted);
    }
}

#[test]
fn conversations_run_concurrently() {
    for (actor, _) in actors() {
        std::thread::scope(|scope| {
            let one = |i: usize| {
                let actor = &actor;
                scope.spawn(move || {
                    let parts = [format!("say:{i} hear exit:43"), "repeat".to_owned()];
                    transcript_text(&play(actor, [&parts[0], &parts[1]]))
                })
            };
            let all: Vec<_> = (0..12).map(one).collect();
            for (i, transcript) in all.into_iter().enumerate() {
                assert_eq!(transcript.join().unwrap(), format!("<{i} >{i}"));
            }
        });
    }
}
