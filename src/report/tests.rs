//! Screens as their reader sees them: each is a text file beside the other test data. `REBUT_UPDATE_GOLDEN=1` writes
//! them anew, to be reviewed in the change.

use super::*;
use crate::campaign::*;
use crate::corpus::{Certificate, ProofKind};
use crate::diagnostic::{Diagnostic, Error, Source, Span};
use crate::format::Format;
use crate::verdict::Verdict;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use unicode_width::UnicodeWidthStr;

fn check(name: &str, actual: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("testdata/screens").join(format!("{name}.txt"));
    if std::env::var_os("REBUT_UPDATE_GOLDEN").is_some() {
        std::fs::write(&path, actual).unwrap();
    }
    let expected = std::fs::read_to_string(&path).unwrap_or_default();
    assert_eq!(actual, expected, "{} differs; REBUT_UPDATE_GOLDEN=1 writes it anew", path.display());
}

/// Both streams after these events.
fn shown(events: &[Event], options: &Options) -> (String, String) {
    let (mut out, mut err) = (Vec::new(), Vec::new());
    let mut terminal = Terminal::new(&mut out, &mut err, options.clone()).with_format(board_format());
    for event in events {
        terminal.take(event);
    }
    assert!(terminal.write_error().is_none());
    drop(terminal);
    (String::from_utf8(out).unwrap(), String::from_utf8(err).unwrap())
}

/// Checks the screen of events at 80 and 120 columns.
fn check_screen(name: &str, events: &[Event]) {
    for width in [80, 120] {
        let (out, err) = shown(events, &Options { width, ..Options::default() });
        for line in out.lines().chain(err.lines()) {
            assert!(line.width() <= width, "{} columns: {line}", line.width());
            assert_eq!(line.trim_end(), line);
        }
        check(&format!("{name}-{width}"), &format!("{err}{out}"));
    }
}

fn board_format() -> Format {
    let source = Source::new("board.format", "R C\nboard[R][C]\nwhere:\n    1 <= R, C <= 9\n    board over \".XO\"\n");
    Format::parse(&source).unwrap().0
}

fn started() -> Started {
    Started {
        submissions: vec!["sub.cpp".to_owned()],
        reference: "ref.rs".to_owned(),
        inputs: "input.format".to_owned(),
        checker: "tokens".to_owned(),
        jobs: 2,
        engine: "process".to_owned(),
        seed: 0x5eed_c0de,
        time_budget_ms: Some(60_000),
        case_budget: None,
    }
}

fn counts(pairs: &[(&str, u64)]) -> BTreeMap<String, u64> {
    pairs.iter().map(|(name, count)| ((*name).to_owned(), *count)).collect()
}

fn progress(elapsed_ms: u64, cases: u64) -> Progress {
    Progress {
        elapsed_ms,
        cases,
        test_cases: cases,
        programs_cpu_time_us: 0,
        verdicts: [("AC", cases)].into(),
        shapes: counts(&[("planted", cases / 3), ("small", cases / 3), ("uniform", cases / 6), ("multi", cases / 6)]),
        answers: counts(&[("YES", cases * 61 / 100), ("NO", cases * 39 / 100)]),
        skipped: 0,
        refused: 0,
        shares: Shares { generate: 3, submission: 61, reference: 34, check: 2 },
    }
}

fn found(verdict: Verdict) -> Found {
    Found {
        submission: "sub.cpp".to_owned(),
        verdict,
        message: String::new(),
        leaking_cases: None,
        certificate: None,
        hints: Vec::new(),
        case: Some(12_481),
        test_case: None,
        judged_by: crate::campaign::JudgedBy::Comparison,
        shape: Some("planted/gap".to_owned()),
        elapsed_ms: 849,
        seed: Some(0x5eed_c0de),
        input: b"3\n1 2 3\n".to_vec(),
        original: Vec::new(),
        answer: Vec::new(),
        output: Vec::new(),
        stderr: Vec::new(),
        line: None,
        checker: "tokens".to_owned(),
        size_before: 412,
        size_after: 9,
        size_unit: "elements",
        shrink_steps: 41,
        shrink_tried: 1_204,
        shrink_time_ms: 312,
        shrink_complete: true,
        flaky: None,
        sanitizer: None,
        cpu_time_ms: 3,
        memory_peak_bytes: 3 << 20,
        folder: Some(PathBuf::from("findings/0001-sub-wrong-answer")),
        replay: Some("rebut replay findings/0001-sub-wrong-answer".to_owned()),
    }
}

fn wrong(answer: &[u8], output: &[u8], message: &str) -> Found {
    let (answer, output, message) = (answer.to_vec(), output.to_vec(), message.to_owned());
    Found { answer, output, message, ..found(Verdict::WrongAnswer) }
}

fn screen(found: Found) -> Event {
    Event::Found(Box::new(found))
}

fn ended(findings: usize, survivors: &[&str]) -> Summary {
    Summary {
        reason: if findings > 0 { Reason::Done } else { Reason::Time },
        progress: Some(progress(60_000, 12_480)),
        result: None,
        result_reason: None,
        findings,
        unconfirmed: 0,
        survivors: survivors.iter().map(|name| (*name).to_owned()).collect(),
        reach: None,
        ceiling: None,
        exit_status: u8::from(findings > 0),
        seed: Some(0x5eed_c0de),
    }
}

#[test]
fn a_board_with_another_answer() {
    let found = wrong(b"YES\n", b"NO\n", "token 1: YES / NO");
    let found = Found { input: b"3 3\nX.X\nOO.\n...\n".to_vec(), ..found };
    check_screen("wrong-answer", &[Event::Started(started()), screen(found), Event::Summary(ended(1, &[]))]);
}

#[test]
fn many_lines() {
    let lines = |modulus| (0..100_000).map(|i| if i % modulus == 41 { "NO\n" } else { "YES\n" }).collect::<String>();
    let answer = lines(50);
    let found = wrong(answer.as_bytes(), lines(100).as_bytes(), "line 92, token 1: NO / YES");
    let input = (0..2000).map(|i| format!("{i} {}\n", i * i)).collect::<String>().into_bytes();
    check_screen("many-lines", &[screen(Found { input, shrink_complete: false, ..found })]);
}

#[test]
fn long_lines_stand_below_each_other() {
    let answer: String = (1..60).map(|i| format!("{} ", i * 37)).collect();
    let output = answer.replace("1517", "1571");
    let found = wrong(answer.as_bytes(), output.as_bytes(), "token 41: 1517 / 1571");
    let hints = vec!["ends without a newline (accepted)".to_owned()];
    check_screen("long-lines", &[screen(Found { hints, shrink_steps: 0, ..found })]);
}

#[test]
fn missing_lines_and_other_styles() {
    let found = wrong(b"1\n2\n3\n4\n5\n6\n", b"1\n2\n4\n5\n6\n7\n", "line 3: 3 / 4");
    check_screen("missing-lines", &[screen(found.clone())]);
    let inline = Options { diff_style: DiffStyle::Inline, ..Options::default() };
    let beside = Options { diff_style: DiffStyle::SideBySide, all_rows: true, ..Options::default() };
    let (inline, _) = shown(&[screen(found)], &inline);
    let long = wrong("x ".repeat(90).as_bytes(), "x ".repeat(91).as_bytes(), "one token too many");
    let (beside, _) = shown(&[screen(long)], &beside);
    check("styles", &format!("{inline}\n{beside}"));
}

#[test]
fn a_crash() {
    let stderr: String = (1..=40).map(|i| format!("frame {i}\n")).collect();
    let note = SanitizerNote {
        kind: "heap-buffer-overflow".to_owned(),
        message: "READ of size 4 at 0x602000000014, 0 bytes after a region of 4 bytes".to_owned(),
        place: Some(("sub.cpp".to_owned(), 14)),
        function: Some("main".to_owned()),
        source_line: Some("\tcout << a[n] << endl;".to_owned()),
    };
    let message = "invalid memory access (SIGSEGV)".to_owned();
    let crash = found(Verdict::RuntimeError);
    let crash = Found { stderr: stderr.into_bytes(), message, sanitizer: Some(note), flaky: Some((2, 3)), ..crash };
    check_screen("crash", &[screen(crash)]);
}

#[test]
fn limits() {
    let slow = found(Verdict::TimeLimit);
    let message = "stopped after the time limit of 2 s".to_owned();
    let slow = Found { cpu_time_ms: 2_013, message, shrink_tried: 0, shrink_steps: 0, ..slow };
    let large = found(Verdict::MemoryLimit);
    let message = "stopped at the memory limit of 256 MiB".to_owned();
    let large = Found { memory_peak_bytes: 256 << 20, message, case: None, shape: None, ..large };
    check_screen("limits", &[screen(slow), screen(large), Event::Summary(ended(2, &["other.py"]))]);
}

#[test]
fn judge_errors_blame_no_submission() {
    let message = "the reference answers the same input differently from run to run".to_owned();
    let found =
        Found { submission: "ref.rs".to_owned(), verdict: Verdict::JudgeError, ..wrong(b"1\n", b"2\n", &message) };
    let summary = Summary { reason: Reason::JudgeError, exit_status: 3, ..ended(1, &["sub.cpp"]) };
    check_screen("judge-error", &[Event::Started(started()), screen(found), Event::Summary(summary)]);
}

#[test]
fn of_a_conversation_the_beginning_and_the_end_are_shown() {
    let line = |i: usize| match i % 2 {
        0 => format!("{:7.3} < {i}\n", i as f64 / 1000.0),
        _ => format!("{:7.3} > ? {i}\n", i as f64 / 1000.0),
    };
    let talk = |lines: std::ops::Range<usize>| Found {
        output: lines.map(line).collect::<String>().into_bytes(),
        judged_by: JudgedBy::Conversation,
        ..wrong(b"", b"", "more than 20 questions")
    };
    let silent = Found { verdict: Verdict::TimeLimit, ..talk(0..0) };
    check_screen("conversation", &[screen(talk(0..25)), screen(talk(0..60)), screen(silent)]);
}

#[test]
fn nothing_compiles() {
    let text = "sub.cpp:3:1: error: 'cot' was not declared in this scope\n    3 | cot << 1;\n      | ^~~\n";
    let bad = Found::compile_error("sub.cpp", "g++ -O2 sub.cpp", &text.repeat(10));
    check_screen("compile-error", &[screen(bad)]);
}

#[test]
fn nothing_found() {
    check_screen("nothing-found", &[Event::Started(started()), Event::Summary(ended(0, &["sub.cpp"]))]);
    let mut alike = ended(0, &["a.cpp", "b.cpp"]);
    alike.progress = Some(Progress { answers: counts(&[("NO", 9_000)]), skipped: 3, ..progress(9_000, 9_000) });
    check_screen("nothing-found-of-one-answer", &[Event::Started(started()), Event::Summary(alike)]);
}

#[test]
fn other_endings() {
    let endings = [
        Summary { reason: Reason::Interrupted, ..ended(0, &["sub.cpp"]) },
        Summary { progress: Some(Progress::default()), ..ended(0, &["sub.cpp"]) },
        Summary { progress: None, ..ended(0, &["sub.cpp"]) },
        Summary { progress: None, ..ended(1, &[]) },
        Summary {
            reach: Some(Reach {
                kind: ProofKind::Packed,
                inputs: 9_366,
                run_alone: 1_200,
                run_in_processes: 400,
                complete: false,
                elements: 12,
                of_one_case: true,
            }),
            ..ended(2, &["sub.cpp", "other.py"])
        },
        Summary {
            reach: Some(Reach { inputs: 1, elements: 3, kind: ProofKind::Processes, ..Reach::default() }),
            ..ended(0, &["sub.cpp"])
        },
        Summary {
            ceiling: Some(Ceiling { elements: 2000, possible: 200_001, of_case: false }),
            ..ended(0, &["sub.cpp"])
        },
    ];
    let events: Vec<Event> = endings.into_iter().map(Event::Summary).collect();
    check_screen("endings", &events);
}

#[test]
fn a_log_has_one_line_in_ten_seconds() {
    let mut events = vec![Event::Started(started())];
    events.extend((1..=450).map(|tenth| Event::Progress(progress(tenth * 100, tenth * 73_104))));
    events.push(Event::Summary(ended(0, &["sub.cpp"])));
    check_screen("log", &events);
    let quiet = Options { quiet: true, ..Options::default() };
    assert_eq!(shown(&events, &quiet).1, "");
}

#[test]
fn before_the_search() {
    let compiled = |name: &str, command: &str, cached| {
        let (name, command, language) = (name.to_owned(), command.to_owned(), "C++".to_owned());
        Event::Compiled(Compiled { name, role: Role::Submission, language, command, wall_time_ms: 934, cached })
    };
    let events = [
        compiled("sub.cpp", "g++ -O2 -o sub sub.cpp", false),
        compiled("ref.cpp", "g++ -O2 -o ref ref.cpp", true),
        compiled("gen", "", false),
        Event::Warning(Warning {
            message: "the finding could not be saved: failed to create `findings`: permission denied".to_owned(),
            help: Some("choose another folder with `--findings DIR`".to_owned()),
        }),
        Event::Started(started()),
    ];
    check_screen("before", &events);
    let verbose = Options { verbose: true, ..Options::default() };
    check("before-verbose", &shown(&events, &verbose).1);
}

#[test]
fn validated_files() {
    let file = |valid, message: Option<&str>| {
        Event::Validated(Validated { file: "a.in".into(), valid, message: message.map(str::to_owned) })
    };
    check_screen("validated", &[file(true, None), file(false, Some("error: `5` is too large\n1 | 5\n  | ^\n"))]);
}

#[test]
fn the_live_block() {
    let mut state = progress(17_072, 12_480_211);
    state.verdicts.insert("MLE", 2);
    let mut text = String::new();
    for (width, colour) in [(79, false), (119, false), (79, true)] {
        for line in super::progress::live(&state, &started(), width) {
            assert!(line.width() <= width);
            text.push_str(&line.render(colour));
            text.push('\n');
        }
        text.push('\n');
    }
    check("live", &text);
}

#[test]
fn colours() {
    let options = Options { colour: true, colour_stderr: true, ..Options::default() };
    let found = wrong(b"YES\n1 2 3\n4\n", b"YES\n1 5 3\n", "line 2, token 2: 2 / 5");
    let events = [Event::Started(started()), screen(found), Event::Summary(ended(1, &[]))];
    let (out, err) = shown(&events, &options);
    check("colours", &format!("{err}{out}"));
}

/// What a report may never contain but for its own colours.
fn assert_harmless(text: &str) {
    assert!(text.chars().all(|letter| letter == '\n' || !letter.is_control()), "{text:?}");
}

#[test]
fn hostile_bytes_are_shown_and_not_obeyed() {
    let nasty = b"\x1b[2J\x1b]0;owned\x07 \0 \xff\xfe \r\x08\x08 \xe2\x80\xae evil \x9b31m\n\tend";
    let text = String::from_utf8_lossy(nasty).into_owned();
    for verdict in Verdict::ALL {
        let mut found = Found { verdict, ..wrong(b"ok\n", nasty, &text) };
        found.input = nasty.to_vec();
        found.stderr = nasty.to_vec();
        (found.submission, found.shape) = (text.clone(), Some(text.clone()));
        found.hints = vec![text.clone()];
        found.folder = Some(PathBuf::from(&text));
        found.replay = Some(text.clone());
        found.sanitizer = Some(SanitizerNote {
            kind: text.clone(),
            message: text.clone(),
            place: Some((text.clone(), 1)),
            function: Some(text.clone()),
            source_line: Some(text.clone()),
        });
        for diff_style in [DiffStyle::Auto, DiffStyle::SideBySide, DiffStyle::Inline] {
            let (out, _) =
                shown(&[screen(found.clone())], &Options { diff_style, verbose: true, ..Options::default() });
            assert_harmless(&out);
        }
        assert_harmless(&finding_readme(&found, Path::new("f")));
    }
    let found = Found { input: nasty.to_vec(), ..wrong(b"ok\n", nasty, "token 1 differs") };
    check_screen("hostile", &[screen(found)]);
}

#[test]
fn huge_outputs_make_small_screens() {
    let line = "7".repeat(1_000_000);
    let lines = "NO\n".repeat(100_000);
    for (answer, output) in [(line.as_str(), "8"), ("8", &line), (&lines, &line), ("", &lines), (&lines, "")] {
        for diff_style in [DiffStyle::Auto, DiffStyle::SideBySide, DiffStyle::Inline] {
            let mut found = wrong(answer.as_bytes(), output.as_bytes(), "they differ");
            (found.input, found.stderr) = (line.clone().into_bytes(), lines.clone().into_bytes());
            let options = Options { diff_style, verbose: true, ..Options::default() };
            let (out, _) = shown(&[screen(found.clone())], &options);
            assert!(out.len() < 10_000, "{}", out.len());
            assert!(out.lines().all(|line| line.width() <= 80));
            assert!(finding_readme(&found, Path::new("f")).len() < 10_000);
        }
    }
}

#[test]
fn every_width_is_kept() {
    let found = wrong("漢字 ".repeat(30).as_bytes(), "漢子 ".repeat(30).as_bytes(), "token 1: 漢字 / 漢子");
    for width in 40..130 {
        for diff_style in [DiffStyle::Auto, DiffStyle::SideBySide, DiffStyle::Inline] {
            let mut found = found.clone();
            found.replay = None;
            let (out, _) = shown(&[screen(found)], &Options { width, diff_style, ..Options::default() });
            assert!(out.lines().all(|line| line.width() <= width), "{width}:\n{out}");
        }
    }
}

#[test]
fn a_closed_pipe_is_remembered() {
    struct Closed;
    impl std::io::Write for Closed {
        fn write(&mut self, _: &[u8]) -> std::io::Result<usize> {
            Err(std::io::ErrorKind::BrokenPipe.into())
        }
        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }
    let mut terminal = Terminal::new(Closed, Closed, Options::default());
    let mut json = Json::new(Closed);
    let mut tee = Tee::new().with(&mut terminal).with(&mut json);
    for event in [Event::Started(started()), screen(found(Verdict::TimeLimit)), Event::Summary(ended(1, &[]))] {
        tee.take(&event);
    }
    assert_eq!(terminal.write_error().map(std::io::Error::kind), Some(std::io::ErrorKind::BrokenPipe));
    assert_eq!(json.write_error().map(std::io::Error::kind), Some(std::io::ErrorKind::BrokenPipe));
}

#[test]
fn json_lines_read_back() {
    let mut json = Json::new(Vec::new());
    let nasty = Found { output: b"\xff\x1b\n\"".to_vec(), ..found(Verdict::WrongAnswer) };
    json.take(&Event::Started(started()));
    (0..50).for_each(|tenth| json.take(&Event::Progress(progress(tenth * 100, tenth))));
    json.take(&screen(nasty));
    json.take(&Event::Summary(ended(1, &[])));
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
fn readmes() {
    let wrong = wrong(b"YES\n", b"N`O\n", "token 1: YES / N`O");
    let crash = Found { message: "exit status 1".to_owned(), flaky: Some((1, 3)), ..found(Verdict::RuntimeError) };
    let crash = Found { stderr: b"```\nTraceback\n".to_vec(), input: b"1 2\n".repeat(50), ..crash };
    let text =
        [wrong, crash].map(|found| finding_readme(&found, Path::new("findings/0001-sub-wrong-answer"))).join("\n\n");
    check("readmes", &text);
}

#[test]
fn problems_with_text() {
    let source = Source::new("a.format", "n\nwhere:\n    1 <= m\n");
    let problems = [
        Diagnostic::error("unknown-name", Span::new(18, 19), "no `m` in the layout")
            .caret("not in the layout")
            .label(Span::new(0, 1), "the layout has this only")
            .note("a sentence that is long enough to be broken at the usual width, which is eighty columns and no more")
            .help("did you mean `n`?"),
        Diagnostic::warning("unused", Span::new(0, 1), "`n` has no bounds"),
    ];
    let mut text = Vec::new();
    for colour_stderr in [false, true] {
        let options = Options { colour_stderr, ..Options::default() };
        print_diagnostics(&mut text, &problems, &source, &options).unwrap();
        text.push(b'\n');
    }
    let error = Error::operating("failed to compile `sub.cpp`: g++ ended with exit status 1")
        .with_note("sub.cpp:1:1: error: 'x' does not name a type\n".repeat(50) + "\x1b[0m\tend\n")
        .with_help("see the compiler's text above");
    print_error(&mut text, &error, &Options::default()).unwrap();
    check("diagnostics", &String::from_utf8(text).unwrap());
}

#[test]
fn what_is_the_smallest_possible_may_not_have_a_smaller_one() {
    for (steps, tried, shrink_complete, complete, inputs) in [
        (0, 0, false, true, 0),
        (0, 9, false, true, 1),
        (3, 9, false, true, 7),
        (3, 9, true, true, 7),
        (3, 9, false, false, 7),
    ] {
        let certificate = Some(Certificate { inputs, complete, ..Certificate::default() });
        let (shrink_steps, shrink_tried) = (steps, tried);
        let base = found(Verdict::WrongAnswer);
        let found = Found { shrink_steps, shrink_tried, shrink_complete, certificate, ..base };
        let page = super::finding_readme(&found, Path::new("findings/0001"));
        let (out, err) = shown(&[screen(found)], &Options::default());
        for text in [page, out, err] {
            let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
            let both = [text.contains("smallest possible"), text.contains("a smaller input may exist")];
            assert_ne!(both, [true, true], "{text}");
        }
    }
}

#[test]
fn too_little_and_failures_that_do_not_show_again() {
    let flaky = Found { flaky: Some((0, 3)), shrink_complete: false, ..wrong(b"1\n", b"2\n", "token 1: 1 / 2") };
    let ended = |conclusion, why: Option<&str>, unconfirmed| Summary {
        result: Some(conclusion),
        result_reason: why.map(str::to_owned),
        unconfirmed,
        ..ended(0, &["sub.cpp"])
    };
    let little = "only 7 test cases were tried: the reference needs too long on 40 of 47 inputs";
    check_screen(
        "too-little",
        &[
            Event::Started(started()),
            screen(flaky),
            Event::Summary(ended(Conclusion::Flaky, None, 1)),
            Event::Summary(ended(Conclusion::Inconclusive, Some(little), 0)),
        ],
    );
}
