//! Tests of the answers. In the texts, `|` is the place of the cursor.

#![allow(clippy::expect_used, reason = "tests")]

use super::*;
use crate::text::EditedText;
use rebut_format::language::Format;

/// Splits a text with a `|` into the text without it, and its place.
fn with_cursor(marked: &str) -> (FormatFile, usize) {
    let offset = marked.find('|').expect("a cursor");
    (FormatFile::new("test", EditedText::new(marked.replacen('|', "", 1))), offset)
}

fn labels(marked: &str) -> Vec<String> {
    let (file, offset) = with_cursor(marked);
    complete_format(&file, offset).suggestions.into_iter().map(|found| found.label).collect()
}

/// Checks what is completed, and what is not.
fn check(marked: &str, offered: &[&str], hidden: &[&str]) {
    let found = labels(marked);
    for label in offered {
        assert!(found.iter().any(|known| known == label), "{marked}: no {label} in {found:?}");
    }
    for label in hidden {
        assert!(!found.iter().any(|known| known == label), "{marked}: {label} in {found:?}");
    }
}

fn hover(marked: &str) -> String {
    let (file, offset) = with_cursor(marked);
    explain_word(&file, None, offset).map(|found| found.markdown).unwrap_or_default()
}

#[test]
fn layout_is_completed_by_its_words_and_sizes_by_names() {
    check("|", &["cases", "repeat", "either", "where"], &["sum", "n"]);
    check("n\n|", &["cases", "where"], &["n"]);
    check("n m\nre|", &["repeat"], &["n"]);
    check("n m\nrepeat |", &["n", "m"], &["repeat", "over"]);
    check("n\na[|", &["n"], &["a", "cases"]);
    check("n\na[|]\nk", &["n"], &["a", "k"]);
    check("repeat 0..5 |", &["until"], &["repeat"]);
    check("repeat 0..5 until |", &["eof"], &["repeat"]);
    check("T\ncases T |", &["separated by"], &["repeat"]);
    check("T\ncases T:\n    |", &["repeat", "if"], &["T"]);
    assert_eq!(labels("n # re|"), [""; 0]);
    assert_eq!(labels("\"re|\" n"), [""; 0]);
    assert_eq!(labels("n new|"), [""; 0]);
}

#[test]
fn word_before_the_cursor_is_replaced() {
    let (file, offset) = with_cursor("n\nwhere:\n    dis|tinct(n)");
    let found = complete_format(&file, offset);
    assert_eq!(file.text.text_of(found.replaced), "dis");
}

#[test]
fn constraints_are_completed_by_names_and_words() {
    let head = "n\na[n]\ns\nwhere:\n    ";
    check(&format!("{head}|"), &["n", "a", "distinct", "forall", "subtask", "sum"], &["cases", "tree"]);
    check(&format!("{head}di|"), &["distinct"], &["cases"]);
    check(&format!("{head}s |"), &["over", "one of", "real", "permutation of"], &["n", "sum"]);
    check(&format!("{head}s, a o|"), &["over"], &["n"]);
    check(&format!("{head}1 <= |"), &["n", "a", "sum", "len"], &["cases", "edges"]);
    check(&format!("{head}let M = 9\n    n <= |"), &["M", "n"], &[]);
    check(&format!("{head}edges (u, v) on 1..n: |"), &["tree", "connected", "n"], &["sum", "cases"]);
    check(&format!("{head}edges (u, v) on 1..n: simple, co|"), &["connected"], &["sum"]);
    check(&format!("{head}subtask small (20): |"), &["n", "distinct"], &[]);
    assert_eq!(labels(&format!("{head}let |")), [""; 0]);
    assert_eq!(labels(&format!("{head}s over \"a|\"")), [""; 0]);
    check("n; a[n] where 1<=n<=8; |", &["n", "a", "distinct"], &["cases"]);
    check("n; a[n] where |", &["n", "a", "distinct"], &["cases"]);
}

#[test]
fn variables_are_known_in_the_bodies_of_their_quantifiers() {
    let head = "n\na[n]\nwhere:\n    ";
    check(&format!("{head}forall i in 1..n: a[|"), &["i", "n"], &[]);
    check(&format!("{head}forall i in 1..n: forall j in i..n: |"), &["i", "j"], &[]);
    check(&format!("{head}forall i in 1..n:\n        |"), &["i"], &[]);
    check(&format!("{head}forall i in 1..n: a[i] > 0\n    1 <= |"), &["n"], &["i"]);
}

#[test]
fn hover_shows_what_all_constraints_leave() {
    let text = "n m\na[n]\nwhere:\n    1 <= n| <= 9\n    3 <= m <= 9\n    n * m <= 12\n    0 <= a <= 7\n";
    let shown = hover(text);
    assert!(shown.contains("values that all constraints leave: `1..4`"), "{shown}");
    assert!(shown.contains("1 <= n <= 9\nn * m <= 12\n"), "{shown}");
    let shown = hover("n\ns|\nwhere: 1 <= n <= 2; s over \"`a\"; 1 <= len(s) <= 5");
    assert!(shown.contains("characters: `` `a ``") && shown.contains("lengths: `1..5`"), "{shown}");
    let shown = hover("n where let MAX = 2*10^5; 1 <= n <= MA|X");
    assert!(shown.contains("value: `200000`"), "{shown}");
}

#[test]
fn hover_explains_words_by_their_context() {
    let head = "n m\nrepeat m:\n    u v\nb[n][n]\nwhere:\n    ";
    assert!(hover(&format!("{head}edges (u, v) on 1..n: conn|ected")).contains("Each vertex can be reached"));
    assert!(hover(&format!("{head}edges (u, v) on 1..n: strongly conn|ected")).contains("Directed, and each"));
    assert!(hover(&format!("{head}conn|ected(b, \"#\")")).contains("steps to the left"));
    assert!(hover(&format!("{head}b permutation o|f 1..n")).contains("All numbers are in the range"));
    assert!(hover("n m\nrep|eat m:\n    u").contains("repeated `m` times"));
    assert_eq!(hover("n m |  # repeat"), "");
}

#[test]
fn values_of_the_last_format_without_errors_are_shown_while_there_are_some() {
    let last = Format::from_text("n where 1 <= n <= 9").expect("a format");
    let (file, offset) = with_cursor("n|\nwhere:\n    1 <= ");
    assert!(file.format.is_none() && !file.problems.is_empty());
    let found = explain_word(&file, Some(&last), offset).expect("an explanation");
    assert!(found.markdown.contains("`1..9`") && found.markdown.contains("the format has errors now"));
    assert_eq!(explain_word(&file, None, offset), None);
}

#[test]
fn declarations_are_found() {
    let found = |marked: &str| {
        let (file, offset) = with_cursor(marked);
        find_declaration(&file, offset).map(|span| file.text.text_of(span).to_owned())
    };
    assert_eq!(found("n\na[n]\nwhere:\n    1 <= n <= 9\n    0 <= a| <= 5").as_deref(), Some("a"));
    assert_eq!(found("n\nwhere:\n    let M = 9\n    1 <= n <= M|").as_deref(), Some("let M = 9"));
    assert_eq!(found("n\nwhere:\n    1 <= n <= su|m(n)"), None);
}

#[test]
fn samples_are_inputs_of_the_format() {
    let format = Format::from_text("n; a[n] where 2 <= n <= 8; 0 <= a <= 9; sorted(a)").expect("a format");
    let sample = generate_sample(&format, 1).expect("a sample");
    assert_eq!(generate_sample(&format, 1), Ok(sample.clone()));
    assert!((2..4).any(|seed| generate_sample(&format, seed) != Ok(sample.clone())));
    assert!(rebut_format::read::read_input(&format, sample.as_bytes()).is_ok());
    assert_eq!(sample_on_one_line("2\n0 1\n"), "2 ↵ 0 1");
    assert_eq!(sample_on_one_line(&"≤".repeat(99)), "≤".repeat(60) + "…");
    let never = Format::from_text("n; a[n] where 3 <= n <= 9; 1 <= a <= 2; forall i in 1..n: sum(a) = 1");
    let message = never.ok().map(|format| generate_sample(&format, 1));
    assert!(message.is_none_or(|found| found.is_err()));
}

#[test]
fn no_place_of_any_prefix_panics() {
    let text =
        "T é\ncases T:\n    n # ü\n    either:\n        1 l\n        \"x\"\nwhere:\n    forall i in 1..n: a[i] ≤ '";
    for end in (0..=text.len()).filter(|at| text.is_char_boundary(*at)) {
        let file = FormatFile::new("test", EditedText::new(&text[..end]));
        for offset in (0..=end).filter(|at| text.is_char_boundary(*at)) {
            complete_format(&file, offset);
            explain_word(&file, None, offset);
            find_declaration(&file, offset);
        }
    }
}
