//! Suggestions of another checker for rejections that can be due to the checker.

use rebut_checkers::{Checker, CheckerSuggestion};

fn suggested(checker: &str, answer: &str, output: &str) -> Option<CheckerSuggestion> {
    Checker::parse(checker).unwrap().suggest_checker(answer.as_bytes(), output.as_bytes())
}

fn words(checker: &str, answer: &str, output: &str) -> String {
    suggested(checker, answer, output).map_or_else(String::new, |suggestion| suggestion.to_string())
}

#[test]
fn near_numbers_name_the_strictest_tolerance_that_accepts_them() {
    for (answer, output, tolerance) in [
        ("0.333333333\n", "0.333333\n", "numbers:1e-6"),
        ("3.141592653589793\n", "3.1415926536\n", "numbers:1e-9"),
        ("1e9\n", "1000000000.5\n", "numbers:1e-9"),
        ("2\n0.5\n", "2\n0.50003\n", "numbers:1e-4"),
        ("case 1: 5\n", "case 1: 5.0000000001\n", "numbers:1e-9"),
    ] {
        assert!(words("tokens", answer, output).contains(&format!("`--checker {tolerance}`")), "{answer} {output}");
        let named = Checker::parse(tolerance).unwrap();
        assert_eq!(named.check(b"", answer.as_bytes(), output.as_bytes()), rebut_checkers::Judgement::Accepted);
    }
}

#[test]
fn other_notations_of_numbers_are_recognised() {
    assert!(words("tokens", "0.0\n", "0.00000\n").starts_with("only the format of numbers differs"));
    assert!(words("tokens", "1\n", "1.0\n").contains("numbers:1e-9"));
}

#[test]
fn distant_values_and_integers_suggest_no_tolerance() {
    for (answer, output) in
        [("0.5\n", "0.6\n"), ("100000\n", "100001\n"), ("0.5 a\n", "0.5 b\n"), ("0.5\n", "0.5 0.5\n")]
    {
        assert_eq!(suggested("tokens", answer, output), None, "{answer} {output}");
    }
    assert_eq!(suggested("numbers:1e-9", "0.5\n", "0.50003\n"), None);
    assert_eq!(suggested("icpc:float_tolerance=1e-9", "0.5\n", "0.50003\n"), None);
}

#[test]
fn another_case_is_recognised() {
    assert_eq!(suggested("tokens", "YES\nno\n", "Yes\nNO\n"), Some(CheckerSuggestion::Case));
    assert!(words("lines", "YES\n", "yes\n").contains("tokens:ignore-case"));
    assert_eq!(suggested("tokens", "YES\n", "Yes no\n"), None);
}

#[test]
fn another_order_is_recognised() {
    assert_eq!(suggested("tokens", "1 2\n3 4\n", "3 4\n1 2\n"), Some(CheckerSuggestion::Lines));
    assert_eq!(suggested("tokens", "YES\n1 2\n", "YES\n2 1\n"), Some(CheckerSuggestion::Tokens));
    assert_eq!(suggested("icpc", "3 1 2\n", "1 2 3\n"), Some(CheckerSuggestion::Tokens));
    assert_eq!(suggested("tokens", "1 2\n", "1 2 2\n"), None);
    assert_eq!(suggested("unordered-lines", "1 2\n", "2 1\n"), None);
}

#[test]
fn same_heading_suggests_several_right_answers() {
    for (answer, output) in [
        ("YES\n1 3\n", "YES\n2 3\n"),
        ("2\n1 4\n", "2\n1 5\n"),
        ("2\n1 2\n3 4\n", "2\n1 3\n2 5\n"),
        ("Possible\nab\n", "Possible\nba\n"),
    ] {
        assert_eq!(suggested("tokens", answer, output), Some(CheckerSuggestion::MultipleAnswers), "{answer} {output}");
    }
    for (answer, output) in [("YES\n", "NO\n"), ("1\n2\n3\n", "1\n5\n3\n"), ("5\n", "6\n"), ("YES\nNO\n", "NO\nNO\n")] {
        assert_eq!(suggested("tokens", answer, output), None, "{answer} {output}");
    }
}

#[test]
fn accepted_output_suggests_no_checker() {
    assert_eq!(suggested("tokens", "1 2\n", "1  2\n"), None);
    assert_eq!(suggested("tokens:ignore-case", "Yes\n1\n", "YES\n1\n"), None);
}

#[test]
fn arbitrary_bytes_do_not_panic() {
    for (answer, output) in
        [(&b"\xff\xfe 1e999\n"[..], &b"1e-999 \xff\n"[..]), (b"", b"\n"), (b"0\n", b"0 0\n"), (b"nan\n", b"inf.\n")]
    {
        let _ = Checker::parse("tokens").unwrap().suggest_checker(answer, output);
    }
}
