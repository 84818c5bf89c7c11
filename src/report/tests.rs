//! Tests against golden files of complete screens. `REBUT_UPDATE_GOLDEN=1` rewrites these files, to be reviewed with
//! the change.

use super::*;
use rebut_diagnostics::{Diagnostic, DiagnosticText, Error, SourceText, Span};
use rebut_engine::event::*;
use rebut_format::language::Format;
use rebut_packages::verdict::Verdict;
use rebut_packages::{Certificate, ProofKind};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use unicode_width::UnicodeWidthStr;

fn check_golden(name: &str, actual: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("testdata/screens").join(format!("{name}.txt"));
    if std::env::var_os("REBUT_UPDATE_GOLDEN").is_some() {
        std::fs::write(&path, actual).unwrap();
    }
    let expected = std::fs::read_to_string(&path).unwrap_or_default();
    assert_eq!(actual, expected, "{} differs; REBUT_UPDATE_GOLDEN=1 rewrites it", path.display());
}

/// Returns the text on both streams after these events.
fn render_events(events: &[Event], options: &ReportOptions) -> (String, String) {
    let (mut out, mut err) = (Vec::new(), Vec::new());
    let mut terminal = TerminalReport::new(&mut out, &mut err, options.clone());
    terminal.set_format(board_format());
    for event in events {
        terminal.take_event(event);
    }
    assert!(terminal.write_error().is_none());
    drop(terminal);
    (String::from_utf8(out).unwrap(), String::from_utf8(err).unwrap())
}

/// Checks the screen of events at 80 and 120 columns.
fn check_screen(name: &str, events: &[Event]) {
    for width in [80, 120] {
        let (out, err) = render_events(events, &ReportOptions { width, ..ReportOptions::default() });
        for line in out.lines().chain(err.lines()) {
            assert!(line.width() <= width, "{} columns: {line}", line.width());
            assert_eq!(line.trim_end(), line);
        }
        check_golden(&format!("{name}-{width}"), &format!("{err}{out}"));
    }
}

fn board_format() -> Format {
    let source =
        SourceText::new("board.format", "R C\nboard[R][C]\nwhere:\n    1 <= R, C <= 9\n    board over \".XO\"\n");
    Format::parse(&source).unwrap().0
}

fn sample_started() -> SearchStarted {
    SearchStarted {
        submissions: vec!["sub.cpp".to_owned()],
        reference: "ref.rs".to_owned(),
        inputs: "input.format".to_owned(),
        checker: "tokens".to_owned(),
        jobs: 2,
        engine: "process".to_owned(),
        seed: 0x5eed_c0de,
        time_budget_ms: Some(60_000),
        case_budget: None,
        initial_growth: 0,
    }
}

fn count_map(pairs: &[(&str, u64)]) -> BTreeMap<String, u64> {
    pairs.iter().map(|(name, count)| ((*name).to_owned(), *count)).collect()
}

fn sample_progress(elapsed_ms: u64, cases: u64) -> SearchProgress {
    SearchProgress {
        elapsed_ms,
        cases,
        test_cases: cases,
        programs_cpu_time_us: 0,
        longest_conversation: None,
        verdicts: [("AC", cases)].into(),
        shapes: count_map(&[
            ("planted", cases / 3),
            ("small", cases / 3),
            ("uniform", cases / 6),
            ("multi", cases / 6),
        ]),
        answers: count_map(&[("YES", cases * 61 / 100), ("NO", cases * 39 / 100)]),
        skipped: 0,
        refused: 0,
        unfinished_ms: 0,
        shares: TimeShares { generate: 3, submission: 61, reference: 34, check: 2 },
    }
}

fn sample_finding(verdict: Verdict) -> Finding {
    Finding {
        failure: FindingFailure::new("sub.cpp", verdict),
        origin: FindingOrigin {
            case: Some(12_481),
            shape: Some("planted/gap".to_owned()),
            elapsed_ms: 849,
            seed: Some(0x5eed_c0de),
            ..FindingOrigin::default()
        },
        run: FindingRun {
            input: b"3\n1 2 3\n".to_vec(),
            checker: "tokens".to_owned(),
            cpu_time_ms: 3,
            memory_peak_bytes: 3 << 20,
            ..FindingRun::default()
        },
        minimization: FindingMinimization {
            size_before: 412,
            size_after: 9,
            size_unit: "elements",
            steps: 41,
            tried: 1_204,
            time_ms: 312,
            path: Vec::new(),
            passes: Vec::new(),
            is_complete: true,
        },
        proof: FindingProof::default(),
        slowness: None,
        images: Vec::new(),
        saved: SavedFinding {
            folder: Some(PathBuf::from("findings/0001-sub-wrong-answer")),
            replay: Some("rebut replay findings/0001-sub-wrong-answer".to_owned()),
            shrink: None,
        },
    }
}

fn wrong_answer(answer: &[u8], output: &[u8], message: &str) -> Finding {
    let (answer, output, message) = (answer.to_vec(), output.to_vec(), message.to_owned());
    changed(sample_finding(Verdict::WrongAnswer), |found| {
        found.run.answer = answer;
        found.run.output = output;
        found.failure.message = message;
    })
}

/// Returns a finding after some changes.
fn changed(mut found: Finding, change: impl FnOnce(&mut Finding)) -> Finding {
    change(&mut found);
    found
}

fn found_event(found: Finding) -> Event {
    Event::Found(Box::new(found))
}

fn sample_summary(findings: usize, survivors: &[&str]) -> CommandSummary {
    CommandSummary {
        reason: if findings > 0 { EndReason::Done } else { EndReason::Time },
        progress: Some(sample_progress(60_000, 12_480)),
        result: None,
        result_reason: None,
        smaller_inputs: None,
        findings,
        unconfirmed: 0,
        survivors: survivors.iter().map(|name| (*name).to_owned()).collect(),
        expression: None,
        reach: None,
        ceiling: None,
        exit_status: u8::from(findings > 0),
        seed: Some(0x5eed_c0de),
        initial_growth: None,
        guessed_format: false,
    }
}

#[test]
fn wrong_answer_shows_the_board() {
    let found = wrong_answer(b"YES\n", b"NO\n", "token 1: YES / NO");
    let found = changed(found, |found| {
        found.run.input = b"3 3\nX.X\nOO.\n...\n".to_vec();
    });
    check_screen(
        "wrong-answer",
        &[Event::Started(sample_started()), found_event(found), Event::Summary(sample_summary(1, &[]))],
    );
}

/// Returns a mutant, which this test kills.
fn mutant(test: Option<&str>) -> MutantOutcome {
    MutantOutcome {
        operator: "comparison".to_owned(),
        line: 7,
        end_line: 7,
        end_column: 13,
        column: 13,
        original: "x < best".to_owned(),
        replacement: "x <= best".to_owned(),
        is_rejected: false,
        killed_by: test.map(|test| Kill { test_case: test.to_owned(), verdict: Verdict::WrongAnswer }),
        survival: None,
    }
}

#[test]
fn strength_fits_on_one_page() {
    let program = |name: &str, tests: &[&str]| {
        let kill = |test: &&str| Kill { test_case: (*test).to_owned(), verdict: Verdict::WrongAnswer };
        ProgramKills { program: name.to_owned(), killed_by: tests.iter().map(kill).collect() }
    };
    let survivor = |survival: Survival| MutantOutcome { survival: Some(survival), ..mutant(None) };
    let (input, answer) = ("2\n-1 -2\n".to_owned(), "-1\n".to_owned());
    let killable = Survival::Killable { input, answer, verdict: Verdict::WrongAnswer };
    let names = ["sample/1", "secret/2_negative", "secret/3_large", "secret/4_larger"];
    let test = |(name, kills): (&str, usize)| TestKills { test_case: name.to_owned(), kills, kills_alone: 0 };
    let owned = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>();
    let strength = TestSetStrength {
        problem: "largest".to_owned(),
        folder: PathBuf::from("contest/largest"),
        submissions: vec![
            program("wrong_answer/survivor.cpp", &[]),
            program("wrong_answer/zero.cpp", &names[1..2]),
            program("wrong_answer/first.cpp", &names[1..]),
        ],
        trivial: vec![program("always printing `5`", &[]), program("printing the input", &names[..3])],
        tests: names.into_iter().zip([1, 3, 2, 0]).map(test).collect(),
        different_answers: 2,
        entropy_bits: 0.81,
        most_common: vec![AnswerCount { answer: "5".to_owned(), inputs: 3 }],
        goals: vec![GoalReached {
            kind: "bound".to_owned(),
            of: "n".to_owned(),
            what: "n = 100".to_owned(),
            inputs: 0,
        }],
        selection: TestSelection { depth: 5, tests: owned(&names[..3]), redundant: owned(&names[3..]), lower_bound: 2 },
        mutation: vec![SubmissionMutants {
            submission: "accepted/right.cpp".to_owned(),
            source: String::new(),
            found: 40,
            mutants: vec![
                mutant(Some("sample/1")),
                survivor(Survival::Alike { cases: 3000, smallest: 750 }),
                mutant(None),
                survivor(killable),
            ],
            in_one_program: 4,
            programs: 1,
            compile_time_ms: 900,
            one_compile_time_ms: 700,
            run_time_ms: 12,
            separate_because: None,
        }],
        score: StrengthScore {
            killed: 3,
            programs: 5,
            mutants_killed: 1,
            mutants: 4,
            mutants_alike: 1,
            min_percent: Some(95.0),
        },
        ..TestSetStrength::default()
    };
    check_screen("strength", &[Event::Strength(Box::new(strength))]);
}

#[test]
fn long_listings_and_diffs_are_shortened() {
    let lines = |modulus| (0..100_000).map(|i| if i % modulus == 41 { "NO\n" } else { "YES\n" }).collect::<String>();
    let answer = lines(50);
    let found = wrong_answer(answer.as_bytes(), lines(100).as_bytes(), "line 92, token 1: NO / YES");
    let input = (0..2000).map(|i| format!("{i} {}\n", i * i)).collect::<String>().into_bytes();
    check_screen(
        "many-lines",
        &[found_event(changed(found, |found| {
            found.run.input = input;
            found.minimization.is_complete = false;
        }))],
    );
}

#[test]
fn long_lines_are_shown_one_below_the_other() {
    let answer: String = (1..60).map(|i| format!("{} ", i * 37)).collect();
    let output = answer.replace("1517", "1571");
    let found = wrong_answer(answer.as_bytes(), output.as_bytes(), "token 41: 1517 / 1571");
    let hints = vec!["ends without a newline (accepted)".to_owned()];
    check_screen(
        "long-lines",
        &[found_event(changed(found, |found| {
            found.failure.hints = hints;
            found.minimization.steps = 0;
        }))],
    );
}

#[test]
fn missing_lines_and_other_styles() {
    let found = wrong_answer(b"1\n2\n3\n4\n5\n6\n", b"1\n2\n4\n5\n6\n7\n", "line 3: 3 / 4");
    check_screen("missing-lines", &[found_event(found.clone())]);
    let inline = ReportOptions { diff_style: DiffStyle::Inline, ..ReportOptions::default() };
    let beside = ReportOptions { diff_style: DiffStyle::SideBySide, all_rows: true, ..ReportOptions::default() };
    let (inline, _) = render_events(&[found_event(found)], &inline);
    let long = wrong_answer("x ".repeat(90).as_bytes(), "x ".repeat(91).as_bytes(), "one token too many");
    let (beside, _) = render_events(&[found_event(long)], &beside);
    check_golden("styles", &format!("{inline}\n{beside}"));
}

#[test]
fn crash_shows_stderr_and_sanitizer_note() {
    let stderr: String = (1..=40).map(|i| format!("frame {i}\n")).collect();
    let note = SanitizerFinding {
        kind: "heap-buffer-overflow".to_owned(),
        message: "READ of size 4 at 0x602000000014, 0 bytes after a region of 4 bytes".to_owned(),
        place: Some(("sub.cpp".to_owned(), 14)),
        function: Some("main".to_owned()),
        source_line: Some("\tcout << a[n] << endl;".to_owned()),
    };
    let message = "invalid memory access (SIGSEGV)".to_owned();
    let crash = sample_finding(Verdict::RuntimeError);
    let crash = changed(crash, |found| {
        found.run.stderr = stderr.into_bytes();
        found.failure.message = message;
        found.failure.sanitizer = Some(note);
        found.failure.flaky = Some((2, 3));
    });
    check_screen("crash", &[found_event(crash)]);
}

#[test]
fn limit_findings_show_time_and_memory() {
    let slow = sample_finding(Verdict::TimeLimit);
    let message = "stopped after the time limit of 2 s".to_owned();
    let slow = changed(slow, |found| {
        found.run.cpu_time_ms = 2_013;
        found.failure.message = message;
        found.minimization.tried = 0;
        found.minimization.steps = 0;
    });
    let large = sample_finding(Verdict::MemoryLimit);
    let message = "stopped at the memory limit of 256 MiB".to_owned();
    let large = changed(large, |found| {
        found.run.memory_peak_bytes = 256 << 20;
        found.failure.message = message;
        found.origin.case = None;
        found.origin.shape = None;
    });
    check_screen("limits", &[found_event(slow), found_event(large), Event::Summary(sample_summary(2, &["other.py"]))]);
}

#[test]
fn judge_errors_blame_no_submission() {
    let message = "the reference answers the same input differently from run to run".to_owned();
    let found = changed(wrong_answer(b"1\n", b"2\n", &message), |found| {
        found.failure.submission = "ref.rs".to_owned();
        found.failure.verdict = Verdict::JudgeError;
        found.failure.flaky = Some((1, 3));
    });
    let summary = CommandSummary { reason: EndReason::JudgeError, exit_status: 3, ..sample_summary(1, &["sub.cpp"]) };
    check_screen("judge-error", &[Event::Started(sample_started()), found_event(found), Event::Summary(summary)]);
}

#[test]
fn conversation_shows_its_beginning_and_end() {
    let line = |i: usize| match i % 2 {
        0 => format!("{:7.3} < {i}\n", i as f64 / 1000.0),
        _ => format!("{:7.3} > ? {i}\n", i as f64 / 1000.0),
    };
    let conversation = |lines: std::ops::Range<usize>| {
        changed(wrong_answer(b"", b"", "more than 20 questions"), |found| {
            found.run.output = lines.map(line).collect::<String>().into_bytes();
            found.run.judged_by = JudgeKind::Conversation;
        })
    };
    let silent = changed(conversation(0..0), |found| {
        found.failure.verdict = Verdict::TimeLimit;
    });
    check_screen(
        "conversation",
        &[found_event(conversation(0..25)), found_event(conversation(0..60)), found_event(silent)],
    );
}

#[test]
fn compile_error_shows_the_compiler_output() {
    let text = "sub.cpp:3:1: error: 'cot' was not declared in this scope\n    3 | cot << 1;\n      | ^~~\n";
    let bad = Finding::compile_error("sub.cpp", "g++ -O2 sub.cpp", &text.repeat(10));
    check_screen("compile-error", &[found_event(bad)]);
}

#[test]
fn search_without_findings_names_survivors() {
    check_screen("nothing-found", &[Event::Started(sample_started()), Event::Summary(sample_summary(0, &["sub.cpp"]))]);
    let mut alike = sample_summary(0, &["a.cpp", "b.cpp"]);
    alike.progress =
        Some(SearchProgress { answers: count_map(&[("NO", 9_000)]), skipped: 3, ..sample_progress(9_000, 9_000) });
    check_screen("nothing-found-of-one-answer", &[Event::Started(sample_started()), Event::Summary(alike)]);
}

#[test]
fn summaries_of_each_ending() {
    let endings = [
        CommandSummary { reason: EndReason::Interrupted, ..sample_summary(0, &["sub.cpp"]) },
        CommandSummary { progress: Some(SearchProgress::default()), ..sample_summary(0, &["sub.cpp"]) },
        CommandSummary { progress: None, ..sample_summary(0, &["sub.cpp"]) },
        CommandSummary { progress: None, ..sample_summary(1, &[]) },
        CommandSummary {
            reach: Some(ExhaustiveReach {
                kind: ProofKind::Packed,
                inputs: 9_366,
                run_alone: 1_200,
                run_in_processes: 400,
                unanswered: 0,
                complete: false,
                elements: 12,
                of_one_case: true,
            }),
            ..sample_summary(2, &["sub.cpp", "other.py"])
        },
        CommandSummary {
            reach: Some(ExhaustiveReach {
                inputs: 1,
                elements: 3,
                kind: ProofKind::Processes,
                ..ExhaustiveReach::default()
            }),
            ..sample_summary(0, &["sub.cpp"])
        },
        CommandSummary {
            ceiling: Some(SizeCeiling { elements: 2000, possible: 200_001, of_case: false, has_larger: true }),
            ..sample_summary(0, &["sub.cpp"])
        },
    ];
    let events: Vec<Event> = endings.into_iter().map(Event::Summary).collect();
    check_screen("endings", &events);
}

#[test]
fn a_log_has_one_line_in_ten_seconds() {
    let mut events = vec![Event::Started(sample_started())];
    events.extend((1..=450).map(|tenth| Event::Progress(sample_progress(tenth * 100, tenth * 73_104))));
    events.push(Event::Summary(sample_summary(0, &["sub.cpp"])));
    check_screen("log", &events);
    let quiet = ReportOptions { quiet: true, ..ReportOptions::default() };
    assert_eq!(render_events(&events, &quiet).1, "");
}

#[test]
fn compiling_and_starting_are_logged() {
    let compiled = |name: &str, command: &str, cached| {
        let (name, command, language) = (name.to_owned(), command.to_owned(), "C++".to_owned());
        Event::Compiled(ProgramCompiled {
            name,
            role: ProgramRole::Submission,
            language,
            command,
            wall_time_ms: 934,
            cached,
        })
    };
    let events = [
        compiled("sub.cpp", "g++ -O2 -o sub sub.cpp", false),
        compiled("ref.cpp", "g++ -O2 -o ref ref.cpp", true),
        compiled("gen", "", false),
        Event::Warning(WarningEvent {
            message: "the finding could not be saved: failed to create `findings`: permission denied".to_owned(),
            help: Some("choose another folder with `--findings DIR`".to_owned()),
        }),
        Event::Started(sample_started()),
    ];
    check_screen("before", &events);
    let verbose = ReportOptions { verbose: true, ..ReportOptions::default() };
    check_golden("before-verbose", &render_events(&events, &verbose).1);
}

#[test]
fn verbose_findings_show_shrinking_passes() {
    let pass = |name: &str, calls, tried, accepted, time_ms| ShrinkPassSummary {
        name: name.to_owned(),
        calls,
        tried,
        accepted,
        time_ms,
    };
    let shrink_passes = vec![
        pass("shorten pairs", 4, 0, 0, 0),
        pass("shorten axes", 4, 1_100, 30, 211),
        pass("minimize values", 3, 104, 11, 61),
        pass("reflect values", 3, 0, 0, 0),
    ];
    let finding = changed(wrong_answer(b"1\n", b"2\n", "token 1 differs"), |found| {
        found.minimization.passes = shrink_passes;
    });
    let verbose = ReportOptions { verbose: true, ..ReportOptions::default() };
    check_golden("shrinking-passes", &render_events(&[found_event(finding.clone())], &verbose).0);
    let brief = render_events(&[found_event(finding)], &ReportOptions::default()).0;
    assert!(!brief.contains("shorten axes"), "{brief}");
}

#[test]
fn validated_files() {
    let file = |valid, message: Option<&str>| {
        Event::Validated(FileValidated { file: "a.in".into(), valid, message: message.map(DiagnosticText::from) })
    };
    check_screen("validated", &[file(true, None), file(false, Some("error: `5` is too large\n1 | 5\n  | ^\n"))]);
}

#[test]
fn live_block_fits_the_width() {
    let mut state = sample_progress(17_072, 12_480_211);
    state.verdicts.insert("MLE", 2);
    let mut text = String::new();
    for (width, colour) in [(79, false), (119, false), (79, true)] {
        for line in super::progress::render_live(&state, &sample_started(), width) {
            assert!(line.width() <= width);
            text.push_str(&line.render_ansi(colour));
            text.push('\n');
        }
        text.push('\n');
    }
    check_golden("live", &text);
}

#[test]
fn colours_are_written_when_enabled() {
    let options = ReportOptions { colour: true, colour_stderr: true, ..ReportOptions::default() };
    let found = wrong_answer(b"YES\n1 2 3\n4\n", b"YES\n1 5 3\n", "line 2, token 2: 2 / 5");
    let events = [Event::Started(sample_started()), found_event(found), Event::Summary(sample_summary(1, &[]))];
    let (out, err) = render_events(&events, &options);
    check_golden("colours", &format!("{err}{out}"));
}

/// Asserts that a text contains no control characters other than the report's own colours.
fn assert_harmless(text: &str) {
    assert!(text.chars().all(|letter| letter == '\n' || !letter.is_control()), "{text:?}");
}

#[test]
fn control_bytes_are_escaped() {
    let hostile = b"\x1b[2J\x1b]0;owned\x07 \0 \xff\xfe \r\x08\x08 \xe2\x80\xae evil \x9b31m\n\tend";
    let text = String::from_utf8_lossy(hostile).into_owned();
    for verdict in Verdict::ALL {
        let mut found = changed(wrong_answer(b"ok\n", hostile, &text), |found| {
            found.failure.verdict = verdict;
        });
        found.run.input = hostile.to_vec();
        found.run.stderr = hostile.to_vec();
        (found.failure.submission, found.origin.shape) = (text.clone(), Some(text.clone()));
        found.failure.hints = vec![text.clone()];
        found.saved.folder = Some(PathBuf::from(&text));
        found.saved.replay = Some(text.clone());
        found.saved.shrink = Some(text.clone());
        found.failure.sanitizer = Some(SanitizerFinding {
            kind: text.clone(),
            message: text.clone(),
            place: Some((text.clone(), 1)),
            function: Some(text.clone()),
            source_line: Some(text.clone()),
        });
        for diff_style in [DiffStyle::Auto, DiffStyle::SideBySide, DiffStyle::Inline] {
            let (out, _) = render_events(
                &[found_event(found.clone())],
                &ReportOptions { diff_style, verbose: true, ..ReportOptions::default() },
            );
            assert_harmless(&out);
        }
        assert_harmless(&finding_readme(&found, Path::new("f")));
    }
    let found = changed(wrong_answer(b"ok\n", hostile, "token 1 differs"), |found| {
        found.run.input = hostile.to_vec();
    });
    check_screen("hostile", &[found_event(found)]);
}

#[test]
fn huge_outputs_make_small_screens() {
    let line = "7".repeat(1_000_000);
    let lines = "NO\n".repeat(100_000);
    for (answer, output) in [(line.as_str(), "8"), ("8", &line), (&lines, &line), ("", &lines), (&lines, "")] {
        for diff_style in [DiffStyle::Auto, DiffStyle::SideBySide, DiffStyle::Inline] {
            let mut found = wrong_answer(answer.as_bytes(), output.as_bytes(), "they differ");
            (found.run.input, found.run.stderr) = (line.clone().into_bytes(), lines.clone().into_bytes());
            let options = ReportOptions { diff_style, verbose: true, ..ReportOptions::default() };
            let (out, _) = render_events(&[found_event(found.clone())], &options);
            assert!(out.len() < 10_000, "{}", out.len());
            assert!(out.lines().all(|line| line.width() <= 80));
            assert!(finding_readme(&found, Path::new("f")).len() < 10_000);
        }
    }
}

#[test]
fn lines_never_exceed_the_width() {
    let found = wrong_answer("漢字 ".repeat(30).as_bytes(), "漢子 ".repeat(30).as_bytes(), "token 1: 漢字 / 漢子");
    for width in 40..130 {
        for diff_style in [DiffStyle::Auto, DiffStyle::SideBySide, DiffStyle::Inline] {
            let mut found = found.clone();
            found.saved.replay = None;
            let (out, _) =
                render_events(&[found_event(found)], &ReportOptions { width, diff_style, ..ReportOptions::default() });
            assert!(out.lines().all(|line| line.width() <= width), "{width}:\n{out}");
        }
    }
}

#[test]
fn write_errors_of_a_closed_pipe_are_kept() {
    struct Closed;
    impl std::io::Write for Closed {
        fn write(&mut self, _: &[u8]) -> std::io::Result<usize> {
            Err(std::io::ErrorKind::BrokenPipe.into())
        }
        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }
    let mut terminal = TerminalReport::new(Closed, Closed, ReportOptions::default());
    let mut json = JsonReport::new(Closed);
    for event in [
        Event::Started(sample_started()),
        found_event(sample_finding(Verdict::TimeLimit)),
        Event::Summary(sample_summary(1, &[])),
    ] {
        terminal.take_event(&event);
        json.take_event(&event);
    }
    assert_eq!(terminal.write_error().map(std::io::Error::kind), Some(std::io::ErrorKind::BrokenPipe));
    assert_eq!(json.write_error().map(std::io::Error::kind), Some(std::io::ErrorKind::BrokenPipe));
}

#[test]
fn json_lines_read_back() {
    let mut json = JsonReport::new(Vec::new());
    let hostile = changed(sample_finding(Verdict::WrongAnswer), |found| {
        found.run.output = b"\xff\x1b\n\"".to_vec();
    });
    json.take_event(&Event::Started(sample_started()));
    (0..50).for_each(|tenth| json.take_event(&Event::Progress(sample_progress(tenth * 100, tenth))));
    json.take_event(&found_event(hostile));
    json.take_event(&Event::Summary(sample_summary(1, &[])));
    assert!(json.write_error().is_none());
    let text = String::from_utf8(json.into_inner()).unwrap();
    let objects: Vec<serde_json::Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let names: Vec<&str> = objects.iter().map(|object| object["event"].as_str().unwrap()).collect();
    assert_eq!(names, ["started", "progress", "progress", "progress", "progress", "progress", "found", "summary"]);
    assert!(objects.iter().all(|object| object["version"] == EVENT_VERSION));
    assert!(text.lines().all(|line| line.matches("\"version\"").count() == 1));
    assert_eq!(objects[6]["output"], "\u{fffd}\u{1b}\n\"");
}

#[test]
fn finding_readmes_match_golden() {
    let wrong = wrong_answer(b"YES\n", b"N`O\n", "token 1: YES / N`O");
    let crash = changed(sample_finding(Verdict::RuntimeError), |found| {
        found.failure.message = "exit status 1".to_owned();
        found.failure.flaky = Some((1, 3));
    });
    let crash = changed(crash, |found| {
        found.run.stderr = b"```\nTraceback\n".to_vec();
        found.run.input = b"1 2\n".repeat(50);
    });
    let text =
        [wrong, crash].map(|found| finding_readme(&found, Path::new("findings/0001-sub-wrong-answer"))).join("\n\n");
    check_golden("readmes", &text);
}

#[test]
fn diagnostics_and_errors_match_golden() {
    let source = SourceText::new("a.format", "n\nwhere:\n    1 <= m\n");
    let problems = [
        Diagnostic::error("unknown-name", Span::new(18, 19), "no `m` in the layout")
            .with_caret("not in the layout")
            .with_label(Span::new(0, 1), "the layout has this only")
            .with_note(
                "a sentence that is long enough to be broken at the usual width, which is eighty columns and no more",
            )
            .with_help("did you mean `n`?"),
        Diagnostic::warning("unused", Span::new(0, 1), "`n` has no bounds"),
    ];
    let mut text = Vec::new();
    for colour_stderr in [false, true] {
        let options = ReportOptions { colour_stderr, ..ReportOptions::default() };
        print_diagnostics(&mut text, &problems, &source, &options).unwrap();
        text.push(b'\n');
    }
    let error = Error::operating_error("failed to compile `sub.cpp`: g++ ended with exit status 1")
        .with_note("sub.cpp:1:1: error: 'x' does not name a type\n".repeat(50) + "\x1b[0m\tend\n")
        .with_help("see the compiler's text above");
    print_error(&mut text, &error, &ReportOptions::default()).unwrap();
    check_golden("diagnostics", &String::from_utf8(text).unwrap());
}

#[test]
fn proved_minimum_is_not_reported_as_shrinkable() {
    for (steps, tried, shrink_complete, complete, inputs) in [
        (0, 0, false, true, 0),
        (0, 9, false, true, 1),
        (3, 9, false, true, 7),
        (3, 9, true, true, 7),
        (3, 9, false, false, 7),
    ] {
        let certificate = Some(Certificate { inputs, complete, ..Certificate::default() });
        let (shrink_steps, shrink_tried) = (steps, tried);
        let base = sample_finding(Verdict::WrongAnswer);
        let found = changed(base, |found| {
            found.minimization.steps = shrink_steps;
            found.minimization.tried = shrink_tried;
            found.minimization.is_complete = shrink_complete;
            found.proof.certificate = certificate;
        });
        let page = super::finding_readme(&found, Path::new("findings/0001"));
        let (out, err) = render_events(&[found_event(found)], &ReportOptions::default());
        for text in [page, out, err] {
            let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
            let both = [text.contains("smallest possible"), text.contains("a smaller input may exist")];
            assert_ne!(both, [true, true], "{text}");
        }
    }
}

#[test]
fn inconclusive_and_flaky_results_are_explained() {
    let flaky = changed(wrong_answer(b"1\n", b"2\n", "token 1: 1 / 2"), |found| {
        found.failure.flaky = Some((0, 3));
        found.minimization.is_complete = false;
    });
    let ended = |conclusion, why: Option<&str>, unconfirmed| CommandSummary {
        result: Some(conclusion),
        result_reason: why.map(str::to_owned),
        unconfirmed,
        ..sample_summary(0, &["sub.cpp"])
    };
    let little = "only 7 test cases were run: the reference runs out of time or memory on 40 of 47 inputs";
    let skipping = Some(SearchProgress { skipped: 40, ..sample_progress(60_000, 7) });
    let few = "only 7 test cases were run";
    check_screen(
        "too-little",
        &[
            Event::Started(sample_started()),
            found_event(flaky),
            Event::Summary(ended(SearchConclusion::Flaky, None, 1)),
            Event::Summary(CommandSummary {
                progress: skipping,
                ..ended(SearchConclusion::Inconclusive, Some(little), 0)
            }),
            Event::Summary(CommandSummary {
                progress: Some(sample_progress(60_000, 7)),
                ..ended(SearchConclusion::Inconclusive, Some(few), 0)
            }),
        ],
    );
}
