#![allow(clippy::unwrap_used, clippy::panic, reason = "tests")]
//! Formats on one line as people write them: their meaning, or the braces that are suggested.

use crate::language::{Format, format_source};
use rebut_diagnostics::SourceText;

/// Returns the formatted layout of a format.
#[track_caller]
fn parse_layout(text: &str) -> String {
    let written = format_source(&SourceText::new("f", text)).unwrap_or_else(|p| panic!("{text}\n{p:?}"));
    written.split("where:").next().unwrap().to_owned()
}

/// Returns the formatted constraints of a format.
#[track_caller]
fn parse_rules(text: &str) -> String {
    let written = format_source(&SourceText::new("f", text)).unwrap_or_else(|p| panic!("{text}\n{p:?}"));
    written.split("where:\n").nth(1).unwrap().to_owned()
}

/// Checks that the first unclear block of a line is reported with these braces, and that each of them makes it clear.
#[track_caller]
fn check_ambiguous(ambiguous: &str, before: &str, after: &str, repairs: &[&str]) {
    let text = format!("{before}{ambiguous}{after}");
    let message = |text: &str| {
        let problems = Format::parse(&SourceText::new("f", text)).err().unwrap_or_default();
        problems.into_iter().find(|p| p.code == "open-block")
    };
    let problem = message(&text).unwrap_or_else(|| panic!("not ambiguous: {text}"));
    let quoted: Vec<String> = repairs.iter().map(|repair| format!("`{repair}`")).collect();
    assert_eq!(problem.help, Some(format!("write {}", quoted.join("\nor    "))), "{text}");
    for repair in repairs {
        let remaining = message(&text.replace(ambiguous, repair));
        assert!(remaining.is_none_or(|remaining| remaining.message != problem.message), "{text}: {repair}");
    }
}

#[test]
fn blocks_side_by_side() {
    check_ambiguous(
        "repeat n-1: u v; repeat m: k x[k]",
        "n m; ",
        " where 2 <= n <= 9; 1 <= m, k, x <= 9; 1 <= u, v <= n",
        &["repeat n-1: { u v; repeat m: k x[k] }", "repeat n-1: { u v }; repeat m: k x[k]"],
    );
    let bounds = "where 2 <= n <= 9; 1 <= m, k, x <= 9; 1 <= u, v <= n";
    assert_eq!(
        parse_layout(&format!("n m; repeat n-1: {{ u v }}; repeat m: k x[k] {bounds}")),
        "n m\nrepeat n-1:\n    u v\nrepeat m:\n    k x[k]\n"
    );
    assert_eq!(
        parse_layout(&format!("n m; repeat n-1: {{u v}}; repeat m: {{k; x[k]}}; {bounds}")),
        "n m\nrepeat n-1:\n    u v\nrepeat m:\n    k\n    x[k]\n"
    );
    check_ambiguous(
        "repeat n: x; repeat m: y; z",
        "n m; ",
        " where 1 <= n, m, x, y, z <= 9",
        &["repeat n: { x; repeat m: y; z }", "repeat n: { x }; repeat m: y; z"],
    );
}

#[test]
fn braces_are_required_even_if_one_reading_is_valid() {
    check_ambiguous(
        "repeat n: k; a[k]",
        "n; ",
        " where 1 <= n, k <= 9; 0 <= a <= 9",
        &["repeat n: { k; a[k] }", "repeat n: { k }; a[k]"],
    );
    check_ambiguous(
        "repeat q: op; if op = 1: x",
        "q; ",
        " where 1 <= q, op, x <= 9",
        &["repeat q: { op; if op = 1: x }", "repeat q: { op }; if op = 1: x"],
    );
    // A length that is known already is no hint about the extent.
    check_ambiguous(
        "repeat m: u v; a[n]",
        "n m; ",
        " where 1 <= n, m, u, v, a <= 9",
        &["repeat m: { u v; a[n] }", "repeat m: { u v }; a[n]"],
    );
    // Nothing follows the last block.
    assert_eq!(parse_layout("n; repeat n: k a[k] where 1 <= n, k, a <= 9"), "n\nrepeat n:\n    k a[k]\n");
    assert_eq!(parse_layout("n; repeat n: u v; where 1 <= n, u, v <= 9"), "n\nrepeat n:\n    u v\n");
}

#[test]
fn cases_take_the_rest_of_the_line() {
    assert_eq!(parse_layout("T; cases T: n; a[n] where 1 <= T, n, a <= 9"), "T\ncases T:\n    n\n    a[n]\n");
    assert_eq!(
        parse_layout("T; cases T: n m; a[n]; repeat m: l r where 1 <= T, n, m, a, l, r <= 9"),
        "T\ncases T:\n    n m\n    a[n]\n    repeat m:\n        l r\n"
    );
    assert_eq!(
        parse_layout("T; cases T: { n; a[n] }; q where 1 <= T, n, a, q <= 9"),
        "T\ncases T:\n    n\n    a[n]\nq\n"
    );
    check_ambiguous(
        "repeat m: u v; s t",
        "T; cases T: n m; ",
        " where 1 <= T, n, m, u, v, s, t <= 9",
        &["repeat m: { u v; s t }", "repeat m: { u v }; s t"],
    );
}

#[test]
fn forms_of_an_either() {
    let bounds = "where 1 <= q, l, r, i, x, k <= 9";
    let two = "q\nrepeat q:\n    either:\n        1 l r\n        2 i x\n";
    assert_eq!(parse_layout(&format!("q; repeat q: either: 1 l r; 2 i x {}", bounds.replace(", k", ""))), two);
    assert_eq!(
        parse_layout(&format!("q; repeat q: {{ either: {{ 1 l r; 2 i x }} }} {}", bounds.replace(", k", ""))),
        two
    );
    assert_eq!(
        parse_layout(&format!(
            "q; repeat q: either: {{ 1 l r; 2 i x; \"swap\" k: {{ first second }} }} {bounds}; 1 <= first, second <= 9"
        )),
        "q\nrepeat q:\n    either:\n        1 l r\n        2 i x\n        \"swap\" k:\n            first second\n"
    );
    assert_eq!(
        parse_layout(&format!("q; repeat q: {{ either: {{ 1 l r; 2 i x; 3 k: y; }} }}; z {bounds}; 1 <= y, z <= 9")),
        "q\nrepeat q:\n    either:\n        1 l r\n        2 i x\n        3 k:\n            y\nz\n"
    );
    check_ambiguous(
        "either: 1 l r; 2 i x; 3 k",
        "q; repeat q: ",
        " where 1 <= q, l, r, i, x, k <= 9",
        &["either: { 1 l r; 2 i x; 3 k }", "either: { 1 l r; 2 i x }; 3 k"],
    );
    check_ambiguous(
        "1 k: y; 2 i x",
        "q; repeat q: either: { ",
        " } where 1 <= q, k, y, i, x <= 9",
        &["1 k: { y; 2 i x }", "1 k: { y }; 2 i x"],
    );
}

#[test]
fn conditions_in_the_layout() {
    check_ambiguous(
        "if t = 1: a; if t = 2: b",
        "t; ",
        " where 1 <= t <= 2; 1 <= a, b <= 9",
        &["if t = 1: { a; if t = 2: b }", "if t = 1: { a }; if t = 2: b"],
    );
    assert_eq!(
        parse_layout("t; if t = 1: { a }; if t = 2: b where 1 <= t <= 2; 1 <= a, b <= 9"),
        "t\nif t = 1:\n    a\nif t = 2:\n    b\n"
    );
}

#[test]
fn constraints_below_quantifiers_and_conditions() {
    let head = "n; a[n] where 1 <= n <= 9; 0 <= a <= 9; ";
    // The next constraint does not mention `i`, or binds its own.
    assert_eq!(
        parse_rules(&format!("{head}forall i in 1..n-1: a[i] <= a[i+1]; n % 2 = 1")),
        "    1 <= n <= 9\n    0 <= a <= 9\n    forall i in 1..n-1: a[i] <= a[i+1]\n    n % 2 = 1\n"
    );
    assert_eq!(
        parse_rules(&format!("{head}forall i in 1..n: a[i] != 5; exists i in 1..n: a[i] = 1")),
        "    1 <= n <= 9\n    0 <= a <= 9\n    forall i in 1..n: a[i] != 5\n    exists i in 1..n: a[i] = 1\n"
    );
    check_ambiguous(
        "forall i in 1..n-1: a[i] < 9; a[i+1] != a[i]",
        head,
        "",
        &["forall i in 1..n-1: { a[i] < 9; a[i+1] != a[i] }"],
    );
    check_ambiguous(
        "if n > 3: a[1] = 0; a[2] = 5",
        head,
        "",
        &["if n > 3: { a[1] = 0; a[2] = 5 }", "if n > 3: { a[1] = 0 }; a[2] = 5"],
    );
    check_ambiguous(
        "if a[i] = 7: n > 3; n < 6",
        &format!("{head}forall i in 1..n: "),
        "",
        &["if a[i] = 7: { n > 3; n < 6 }", "if a[i] = 7: { n > 3 }; n < 6"],
    );
    assert_eq!(
        parse_rules(&format!("{head}forall i in 1..n: {{ a[i] != 5; if n > 2: {{ a[i] > 0; n < 8 }} }}; n > 1")),
        "    1 <= n <= 9\n    0 <= a <= 9\n    forall i in 1..n:\n        a[i] != 5\n        if n > 2:\n            a[i] > 0\n            \
         n < 8\n    n > 1\n"
    );
    assert_eq!(
        parse_rules(&format!("{head}subtask small (30): n < 5; a < 3; subtask full (70)")),
        "    1 <= n <= 9\n    0 <= a <= 9\n    subtask small (30):\n        n < 5\n        a < 3\n    subtask full (70)\n"
    );
    assert_eq!(
        parse_rules(&format!("{head}subtask x (20): n < 5; a < 3; subtask y: {{ n < 3; a < 2 }}; n > 1")),
        "    1 <= n <= 9\n    0 <= a <= 9\n    subtask x (20):\n        n < 5\n        a < 3\n    subtask y:\n        n < 3\n        \
         a < 2\n    n > 1\n"
    );
}

#[test]
fn braces_in_files() {
    let file = "n m\nrepeat n: { k; x[k] }\nrepeat m: {\n    either: {\n        1 l   # the left one\n        2 r\n    }\n}\nz\n\
                where:\n    1 <= n, m, k, x, l, r, z <= 9\n    forall i in 1..n: { k[i] < 9; k[i] != 3 }\n";
    let written = format_source(&SourceText::new("f", file)).unwrap();
    assert_eq!(
        written,
        "n m\nrepeat n:\n    k\n    x[k]\nrepeat m:\n    either:\n        1 l  # the left one\n        2 r\nz\nwhere:\n    \
         1 <= n, m, k, x, l, r, z <= 9\n    forall i in 1..n:\n        k[i] < 9\n        k[i] != 3\n"
    );
    check_ambiguous(
        "repeat m: u; v",
        "n m\nrepeat n:\n    x\n",
        "\nwhere:\n    1 <= n, m, x, u, v <= 9\n",
        &["repeat m: { u; v }", "repeat m: { u }; v"],
    );
}

#[test]
fn wrong_braces_are_located() {
    let cases = [
        ("n; repeat n: { x", "open-brace"),
        ("n; repeat n: { x } y", "after-brace"),
        ("n; repeat n: { }", "empty-block"),
        ("n { x }", "not-a-field"),
        ("n; repeat n: x }", "not-a-field"),
        ("n; repeat n { x }", "expected"),
    ];
    for (text, code) in cases {
        let problems = Format::parse(&SourceText::new("f", text)).unwrap_err();
        assert!(problems.iter().any(|p| p.code == code), "{text}\n{problems:?}");
    }
}

#[test]
fn many_blocks_on_one_line_end_in_a_message() {
    let many = (0..40).fold("n".to_owned(), |text, i| format!("{text}; repeat n: x{i}"));
    let problems = Format::parse(&SourceText::new("f", many)).unwrap_err();
    assert_eq!(problems[0].code, "open-block");
}
