//! The diff: tables of expected rows, and properties for any two texts.

use std::fmt::Write;
use std::time::Instant;

use rebut_checkers::{
    Checker, Diff, DiffMode, DiffOptions, DiffRow, DiffRowKind, DiffSegment, Judgement, TestlibChecker, diff_outputs,
};

use crate::laws::{Noise, every_checker};

/// Returns the rows as text: number, sign, both sides, with emphasised parts in brackets.
fn render(diff: &Diff) -> String {
    let mut text = String::new();
    for row in &diff.rows {
        let sign = match row.kind {
            DiffRowKind::Same => '.',
            DiffRowKind::Changed => '!',
            DiffRowKind::Missing => '-',
            DiffRowKind::Extra => '+',
        };
        let line = format!("{} {sign} {} | {}", row.number, side(&row.expected), side(&row.found));
        writeln!(text, "{}", line.trim_end()).unwrap();
    }
    let mode = format!("{:?}", diff.mode).to_lowercase();
    let first = diff.first.unwrap_or(0);
    write!(text, "{} of {} differ, first {first}, {mode}", diff.differing, diff.total).unwrap();
    text
}

/// Returns one side of a row as text.
fn side(pieces: &Option<Vec<DiffSegment>>) -> String {
    let shown = |piece: &DiffSegment| if piece.emphasised { format!("[{}]", piece.text) } else { piece.text.clone() };
    pieces.iter().flatten().map(shown).collect()
}

/// Returns the rendered diff of two texts.
fn shown(checker: &str, answer: &str, output: &str, options: &DiffOptions) -> String {
    render(&diff_outputs(answer.as_bytes(), output.as_bytes(), &Checker::parse(checker).unwrap(), options))
}

/// Compares the rendered diff with the expected lines.
fn check(checker: &str, answer: &str, output: &str, expected: &[&str]) {
    let shown = shown(checker, answer, output, &DiffOptions::default());
    assert_eq!(shown.lines().collect::<Vec<_>>(), expected, "{checker}: {answer:?} {output:?}");
}

#[test]
fn lines_are_paired_with_lines() {
    check("tokens", "YES\n", "NO\n", &["1 ! [YES] | [NO]", "1 of 1 differ, first 1, positional"]);
    check(
        "tokens",
        "1 2 3\n4 5 6\n7 8 9\na\nb\n",
        "1 2 3\n4 0 6\n7 8 9\na\nb\n",
        &["1 . 1 2 3 | 1 2 3", "2 ! 4 [5] 6 | 4 [0] 6", "3 . 7 8 9 | 7 8 9", "1 of 5 differ, first 2, positional"],
    );
    check(
        "tokens",
        "1\n2\n3\n4\n5\n6\n7\n",
        "1\n0\n3\n4\n5\n0\n7\n",
        &[
            "1 . 1 | 1",
            "2 ! [2] | [0]",
            "3 . 3 | 3",
            "5 . 5 | 5",
            "6 ! [6] | [0]",
            "7 . 7 | 7",
            "2 of 7 differ, first 2, positional",
        ],
    );
}

#[test]
fn accepted_lines_are_shown_as_the_same() {
    check(
        "numbers:1e-6",
        "0.333333\n2\n",
        "0.33333333\n3\n",
        &["1 . 0.333333 | 0.33333333", "2 ! [2] | [3]", "1 of 2 differ, first 2, positional"],
    );
    check(
        "tokens:ignore-case",
        "YES\nNO\n",
        "yes\nyes\n",
        &["1 . YES | yes", "2 ! [NO] | [yes]", "1 of 2 differ, first 2, positional"],
    );
    check("lines", "1 2\n", " 1   2 \r\n\n", &["0 of 1 differ, first 0, positional"]);
    let lenient = DiffOptions { ignore_case: true, ..DiffOptions::default() };
    assert_eq!(shown("tokens", "YES\n", "Yes\n", &lenient), "0 of 1 differ, first 0, positional");
    assert_eq!(shown("tokens", "YES\n", "Yes\n", &DiffOptions::default()).lines().next(), Some("1 ! [YES] | [Yes]"));
}

#[test]
fn a_missing_or_extra_line_is_alone() {
    check(
        "tokens",
        "10\n11\n12\n13\n",
        "10\n12\n13\n",
        &["1 . 10 | 10", "2 - 11 |", "3 . 12 | 12", "1 of 4 differ, first 2, aligned"],
    );
    check(
        "lines",
        "10\n11\n12\n13\n",
        "10\n11\n99\n12\n13\n",
        &["2 . 11 | 11", "3 +  | 99", "3 . 12 | 12", "1 of 5 differ, first 3, aligned"],
    );
    check("tokens", "1\n2\n3\n", "1\n", &["1 . 1 | 1", "2 - 2 |", "3 - 3 |", "2 of 3 differ, first 2, positional"]);
    check("tokens", "1\n", "", &["1 - 1 |", "1 of 1 differ, first 1, positional"]);
    check(
        "numbers:1e-6",
        "0.1\n0.2\n0.3\n0.4\n",
        "0.10000001\n0.30000001\n0.40000001\n",
        &["1 . 0.1 | 0.10000001", "2 - 0.2 |", "3 . 0.3 | 0.30000001", "1 of 4 differ, first 2, aligned"],
    );
}

#[test]
fn alignment_that_explains_little_is_discarded() {
    let mut noise = Noise(5);
    let mut coin = |lines: usize| -> String { (0..lines).map(|_| ["YES\n", "NO\n"][noise.below(2)]).collect() };
    let (answer, output) = (coin(1000), coin(999));
    let by_position = answer.lines().zip(output.lines()).filter(|(a, b)| a != b).count() + 1;
    let diff = diff_outputs(answer.as_bytes(), output.as_bytes(), &Checker::default(), &DiffOptions::default());
    assert_eq!((diff.mode, diff.differing, diff.total), (DiffMode::Positional, by_position, 1000));
}

#[test]
fn insignificant_line_breaks_are_reflowed() {
    check(
        "tokens",
        "1 2\n3\n4 5\n",
        "1\n2 3 9 5\n",
        &["2 . 3 | 3", "3 ! [4] 5 | [9] 5", "1 of 3 differ, first 3, reflowed"],
    );
    check("lines", "1 2\n3\n", "1\n2 3\n", &["1 ! 1 [2] | 1", "2 ! 3 | [2] 3", "2 of 2 differ, first 1, positional"]);
}

#[test]
fn lines_in_any_order_are_paired() {
    check(
        "unordered-lines",
        "1\n2\n3\n4\n",
        "4\n1\n9\n2\n",
        &["2 . 1 | 1", "3 ! [3] | [9]", "4 . 2 | 2", "1 of 4 differ, first 3, unordered"],
    );
    check("unordered-lines", "1\n2\n", "2\n", &["1 . 2 | 2", "1 - 1 |", "1 of 2 differ, first 1, unordered"]);
    check("unordered-lines", "1\n", "1\n1\n", &["1 . 1 | 1", "2 +  | 1", "1 of 2 differ, first 2, unordered"]);
}

#[test]
fn differences_within_a_line_are_emphasised() {
    let first = |checker, answer, output| {
        shown(checker, answer, output, &DiffOptions::default()).lines().next().unwrap_or_default().to_owned()
    };
    assert_eq!(first("tokens", "a b c d", "a c d"), "1 ! a [b] c d | a c d");
    assert_eq!(first("tokens", "a b c", "a b x c"), "1 ! a b c | a b [x] c");
    assert_eq!(first("tokens", "X.X......X", "X.XX.....X"), "1 ! X.X[.].....X | X.X[X].....X");
    assert_eq!(first("tokens", "1234567890", "134567890"), "1 ! 1[2]34567890 | 134567890");
    assert_eq!(first("tokens", "abcdefghij", "qrstuvwxyz"), "1 ! [abcdefghij] | [qrstuvwxyz]");
    assert_eq!(first("tokens", "żółwżółwżółw", "żółwżołwżółw"), "1 ! żółwż[ó]łwżółw | żółwż[o]łwżółw");
    assert_eq!(first("numbers:1e-6", "0.5 1 7", "0.50000001 2 7.0"), "1 ! 0.5 [1] 7 | 0.50000001 [2] 7.0");
}

#[test]
fn significant_white_space_is_visible() {
    let first = |answer, output| {
        let shown = shown("exact", answer, output, &DiffOptions { context: 0, ..DiffOptions::default() });
        shown.lines().next().unwrap_or_default().to_owned()
    };
    assert_eq!(first("a\n", "a"), "1 ! a[␊] | a");
    assert_eq!(first("a b\n", "a b \n"), "1 ! a b | a b[·]");
    assert_eq!(first("a b\n", "a  b\n"), "1 ! a[·]b | a[··]b");
    assert_eq!(first("a\n", "a\r\n"), "1 ! a | a[␍]");
    assert_eq!(first("a\n", "a\n\n"), "2 +  | [␊]");
    assert_eq!(first("a\n \n", "a\n"), "2 - [·][␊] |");
    assert_eq!(first("a\tb\n", "a b\n"), "1 ! a[␉]b | a[·]b");
}

#[test]
fn control_characters_are_escaped() {
    check(
        "tokens",
        "1\n",
        "\u{1b}[2J\0\u{202e}\n",
        &["1 ! [1] | [␛[2J␀\\u{202e}]", "1 of 1 differ, first 1, positional"],
    );
    let diff = diff_outputs(b"1\n", b"\xff\x80\n", &Checker::default(), &DiffOptions::default());
    assert_eq!(side(&diff.rows[0].found), "[\u{fffd}\u{fffd}]");
}

#[test]
fn long_lines_are_cut_around_the_difference() {
    let options = DiffOptions { width: 20, ..DiffOptions::default() };
    let answer = format!("{}x {}", "1 ".repeat(500), "2 ".repeat(500));
    let output = answer.replace('x', "y");
    let text = shown("tokens", &answer, &output, &options);
    assert_eq!(text.lines().next(), Some("1 ! … 1 1 [x] 2 2 2 2 2 2 2… | … 1 1 [y] 2 2 2 2 2 2 2…"));
    let digits = "7".repeat(300_000);
    let other = format!("{}8{}", &digits[..150_000], &digits[150_001..]);
    let text = shown("tokens", &digits, &other, &options);
    assert_eq!(text.lines().next(), Some("1 ! …77777[7]77777777777777… | …77777[8]77777777777777…"));
    let text = shown("exact", &"1 ".repeat(100_000), &"1  ".repeat(60_000), &options);
    assert!(text.starts_with("1 ! 1[·]1[·]"), "{text}");
}

#[test]
fn window_is_limited_to_max_rows() {
    let answer: String = (1..=100).map(|i| format!("{i}\n")).collect();
    let output = answer.replace("\n50\n", "\n0\n");
    let numbers = |max_rows, context| {
        let options = DiffOptions { max_rows, context, ..DiffOptions::default() };
        let diff = diff_outputs(answer.as_bytes(), output.as_bytes(), &Checker::default(), &options);
        assert_eq!((diff.differing, diff.total, diff.first), (1, 100, Some(50)));
        diff.rows.iter().map(|row| row.number).collect::<Vec<_>>()
    };
    assert_eq!(numbers(0, 3), [0; 0]);
    assert_eq!(numbers(1, 3), [50]);
    assert_eq!(numbers(2, 3), [50]);
    assert_eq!(numbers(3, 3), [49, 50, 51]);
    assert_eq!(numbers(12, 2), [48, 49, 50, 51, 52]);
    assert_eq!(numbers(usize::MAX, usize::MAX).len(), 100);
}

/// The counts have to be exact even if an alignment would show fewer differences.
#[test]
fn a_hundred_thousand_lines_are_counted_exactly() {
    let wrong = 50_260;
    let mut noise = Noise(6);
    let mut lines: Vec<bool> = (0..100_000).map(|i| i < wrong).collect();
    for i in (1..lines.len()).rev() {
        lines.swap(i, noise.below(i + 1));
    }
    let word = |yes: bool| if yes { "YES\n" } else { "NO\n" };
    let answers: Vec<bool> = lines.iter().map(|_| noise.below(2) == 0).collect();
    let answer: String = answers.iter().map(|&yes| word(yes)).collect();
    let output: String = answers.iter().zip(&lines).map(|(&yes, &wrong)| word(yes != wrong)).collect();
    for checker in every_checker() {
        let diff = diff_outputs(answer.as_bytes(), output.as_bytes(), &checker, &DiffOptions::default());
        if diff.mode != DiffMode::Unordered {
            assert_eq!((diff.differing, diff.total, diff.mode), (wrong, 100_000, DiffMode::Positional));
            assert_eq!(diff.first, lines.iter().position(|&wrong| wrong).map(|at| at + 1));
        }
    }
}

#[test]
#[allow(clippy::disallowed_methods, reason = "an expired deadline needs a clock")]
fn a_deadline_that_has_passed_still_gives_a_diff() {
    let answer: String = (0..4000).map(|i| format!("{}\n", i * 7919 % 4001)).collect();
    let output: String = (0..3999).map(|i| format!("{}\n", i * 6007 % 4001)).collect();
    let options = DiffOptions { deadline: Some(Instant::now()), ..DiffOptions::default() };
    let diff = diff_outputs(answer.as_bytes(), output.as_bytes(), &Checker::Lines, &options);
    assert!(diff.differing > 0 && !diff.rows.is_empty());
}

/// Returns true if a row has the sides of its kind.
fn is_sound(row: &DiffRow) -> bool {
    let sides = match row.kind {
        DiffRowKind::Same | DiffRowKind::Changed => (true, true),
        DiffRowKind::Missing => (true, false),
        DiffRowKind::Extra => (false, true),
    };
    let pieces = || row.expected.iter().chain(&row.found).flatten();
    sides == (row.expected.is_some(), row.found.is_some())
        && row.number > 0
        && !pieces().any(|piece| piece.text.is_empty() || piece.text.chars().any(char::is_control))
}

/// Diffs of random bytes: no panic, consistent counts, and a difference exactly if the output is rejected.
#[test]
fn laws() {
    let mut noise = Noise(7);
    for round in 0..4_000 {
        let answer = noise.text();
        let output = if noise.below(2) == 0 { noise.text() } else { noise.damaged(&answer) };
        let options = DiffOptions {
            max_rows: noise.below(8),
            context: noise.below(4),
            width: noise.below(30),
            ..DiffOptions::default()
        };
        for checker in every_checker() {
            let diff = diff_outputs(&answer, &output, &checker, &options);
            let context = format!("round {round}, {}: {answer:?} {output:?} {diff:?}", checker.name());
            assert!(diff.rows.len() <= options.max_rows && diff.rows.iter().all(is_sound), "{context}");
            assert!(diff.differing <= diff.total && diff.first.is_some() == (diff.differing > 0), "{context}");
            let shows_one = diff.rows.iter().any(|row| row.kind != DiffRowKind::Same);
            assert_eq!(shows_one, diff.differing > 0 && options.max_rows > 0, "{context}");
            if is_split_alike(&checker, &answer, &output) {
                let accepted = checker.check(b"", &answer, &output).is_accepted();
                assert_eq!(accepted, diff.differing == 0, "{context}");
            }
        }
    }
}

/// Returns true if the diff splits both texts as the checker does. Of the testlib checkers, these are the ones that
/// compare all of both texts in order, unless the texts contain white space that testlib treats differently.
fn is_split_alike(checker: &Checker, answer: &[u8], output: &[u8]) -> bool {
    use TestlibChecker::*;
    let Checker::Testlib(testlib) = checker else { return true };
    // A blank line in the middle of an output is a line, but not at its end.
    let is_blank = |line: &[u8]| !line.is_empty() && line.iter().all(u8::is_ascii_whitespace);
    let has_blank = |text: &[u8]| *testlib == Fcmp && text.split(|byte| *byte == b'\n').any(is_blank);
    let is_odd = |text: &[u8]| text.iter().any(|byte| matches!(byte, b'\r' | 0x0b | 0x0c)) || has_blank(text);
    let failed = matches!(checker.check(b"", answer, output), Judgement::Failed(_));
    matches!(testlib, Wcmp | Fcmp | Lcmp | Ncmp | Nyesno | Rcmp4 | Rcmp6 | Rcmp9 | Rncmp)
        && !is_odd(answer)
        && !is_odd(output)
        && !failed
}

/// A changed row without emphasis would not show the difference.
#[test]
fn each_change_is_emphasised() {
    let mut noise = Noise(8);
    for _ in 0..4_000 {
        let answer = noise.text();
        let output = noise.damaged(&answer);
        for checker in every_checker() {
            let diff = diff_outputs(&answer, &output, &checker, &DiffOptions::default());
            for row in diff.rows.iter().filter(|row| row.kind == DiffRowKind::Changed) {
                let mut pieces = row.expected.iter().chain(&row.found).flatten();
                assert!(pieces.any(|piece| piece.emphasised), "{}: {answer:?} {output:?} {row:?}", checker.name());
            }
        }
    }
}
