//! Tables of checkers: an answer, an output, and the judgement.

use rebut_checkers::{Checker, Judgement, Mismatch};

/// Returns a judgement on one line: `ok`, `failed: ...`, or the message, with `PE` before it if only presentation
/// differs.
fn judgement_text(checker: &str, answer: &[u8], output: &[u8]) -> String {
    match Checker::parse(checker).unwrap().check(b"", answer, output) {
        Judgement::Accepted => "ok".to_owned(),
        Judgement::Wrong(Mismatch { message, presentation: true, .. }) => format!("PE {message}"),
        Judgement::Wrong(Mismatch { message, .. }) => message,
        Judgement::Failed(reason) => format!("failed: {reason}"),
    }
}

/// Checks a table of cases.
pub(crate) fn check(checker: &str, table: &[(&str, &str, &str)]) {
    for (answer, output, expected) in table {
        assert_eq!(
            judgement_text(checker, answer.as_bytes(), output.as_bytes()),
            *expected,
            "{checker}: {answer:?} {output:?}"
        );
    }
}

/// Returns the mismatch of a rejected output.
fn mismatch(checker: &str, answer: &[u8], output: &[u8]) -> Mismatch {
    match Checker::parse(checker).unwrap().check(b"", answer, output) {
        Judgement::Wrong(found) => found,
        other => panic!("{other:?}"),
    }
}

#[test]
fn tokens() {
    check(
        "tokens",
        &[
            ("1 2\n3\n", "1\n2 3", "ok"),
            ("1 2\n", "  1\t\x0b2\r\n\n\n", "ok"),
            ("", " \n", "ok"),
            ("YES\n", "NO\n", "token 1: expected YES, found NO"),
            ("YES\n", "Yes\n", "PE token 1: YES / Yes: differs only in case"),
            ("YES 5\n", "Yes 6\n", "token 1: YES / Yes: differs only in case"),
            ("1 2\n3 17\n", "1 2\n3 71\n", "line 2, token 2: expected 17, found 71"),
            ("1 23\n", "12 3\n", "PE token 1: 1 / 12: differs only in white space"),
            ("17\n", "17.0\n", "token 1: 17 / 17.0: differs only in number format"),
            ("17\n", "+17\n", "token 1: 17 / +17: differs only in number format"),
            ("17\n", "017\n", "token 1: 17 / 017: differs only in number format"),
            ("17\n", "17\0\n", "token 1: 17 / 17␀: differs only in control characters"),
            ("17\n", "\u{feff}17\n", "token 1: 17 / \\u{feff}17: starts with a byte order mark"),
            ("17\n", "\u{1b}[2J\n", "token 1: expected 17, found ␛[2J"),
            ("17\n", "", "output is empty"),
            ("17\n", " \n\n", "output is blank"),
            ("", "17 18\n", "expected no output, found 2 tokens, beginning with 17"),
            ("1 2\n3\n", "1 2\n", "1 token is missing: 3 (line 2 of the answer)"),
            ("1\n2 3 4\n", "1\n2\n", "2 tokens are missing, the first: 3 (line 2 of the answer)"),
            ("1\n", "1\n2\n", "1 token is too many: 2 (line 2)"),
            ("1\n", "1 2\n3\n", "2 tokens are too many, the first: 2 (line 1)"),
            ("ab\u{e9}\n", "ab\u{e8}\n", "token 1: expected ab\u{e9}, found ab\u{e8}"),
        ],
    );
    check(
        "tokens:ignore-case",
        &[
            ("YES no\n", "yes No\n", "ok"),
            ("YES\n", "YEP\n", "token 1: expected YES, found YEP"),
            ("\u{e9}\n", "\u{c9}\n", "token 1: expected \u{e9}, found \u{c9}"),
        ],
    );
}

#[test]
fn exact() {
    check(
        "exact",
        &[
            ("a\n", "a\n", "ok"),
            ("a\n", "a", "PE ends without a newline"),
            ("a", "a\n", "PE ends with a newline, expected none"),
            ("a\n", "a\n\n\n", "PE ends with 3 newlines, expected 1 newline"),
            ("\n", "", "PE ends without a newline"),
            ("a\nb\n", "a\r\nb\r\n", "PE line 1 ends with CRLF"),
            ("a\nb c\n", "a\nb c \n", "PE line 2 ends with white space"),
            ("a \nb\n", "a\nb\n", "PE line 1 lacks the white space at its end"),
            ("a \nb\n", "a\t\nb\n", "PE line 1: the white space at its end differs"),
            ("a\nb c d\n", "a\nb c  d\n", "PE line 2: white space differs before token 3"),
            ("a\nb\n", "a\n\nb\n", "PE line 2 is blank"),
            ("a\nb\n", "a\nc\n", "line 2, token 1: expected b, found c"),
            ("a\nb\n", "", "output is empty"),
        ],
    );
}

#[test]
fn lines() {
    check(
        "lines",
        &[
            ("1 2\n3\n", " 1   2 \r\n3\n\n \n", "ok"),
            ("1\n\n2\n", "1\n\n2", "ok"),
            ("1 2\n3\n", "1\n2 3\n", "PE line 1: the tokens match, but the line breaks differ"),
            ("1\n2\n", "1\n\n2\n", "PE line 2: the tokens match, but the line breaks differ"),
            ("1\n3 17\n", "1\n3 71\n", "line 2, token 2: expected 17, found 71"),
            ("a\nYES\n", "a\nYes\n", "PE line 2, token 1: YES / Yes: differs only in case"),
            ("1 2 3\n4\n", "1 2\n4\n", "line 1: 1 token is missing: 3"),
            ("1 2\n4\n", "1 2 3 5\n4\n", "line 1: 2 tokens are too many, the first: 3"),
            ("1\n2\n3 3\n4\n5\n", "1\n2\n", "3 lines are missing, the first is line 3: 3 3"),
            ("1\n\n5\n", "1\n", "2 lines are missing, the first is line 2: (blank)"),
            ("1\n", "1\n2\n", "1 line is too many, line 2: 2"),
            ("1\n", "", "output is empty"),
        ],
    );
}

#[test]
fn numbers() {
    check(
        "numbers:1e-6",
        &[
            ("0.333333\n", "0.33333333\n", "ok"),
            (
                "1 2 0.333333\n",
                "1 2 0.33334\n",
                "token 3: 0.333333 / 0.33334, absolute error 7.0e-06 > 1e-06, relative error 2.1e-05 > 1e-06",
            ),
            ("17\n", "71\n", "token 1: 17 / 71, absolute error 54.00 > 1e-06, relative error 3.18 > 1e-06"),
            (
                "1\n",
                "1.00000104\n",
                "token 1: 1 / 1.00000104, absolute error 1.04e-06 > 1e-06, relative error 1.04e-06 > 1e-06",
            ),
            ("0\n", "0.00001\n", "token 1: 0 / 0.00001, absolute error 1.0e-05 > 1e-06"),
            ("0\n", "-0.0\n", "ok"),
            ("17\n", "17.0\n", "ok"),
            ("17\n", "1.7E+1\n", "ok"),
            ("1000000\n", "1000001\n", "ok"),
            ("5\n", "5.\n", "ok"),
            ("0.5\n", ".5\n", "ok"),
            ("5\n", "+5\n", "token 1: 5 / +5: number format: a plus sign"),
            ("1000\n", "1_000\n", "token 1: 1000 / 1_000: number format: thousands separators"),
            ("1000\n", "1,000,000\n", "token 1: 1000 / 1,000,000: number format: thousands separators"),
            ("0.5\n", "0,5\n", "token 1: 0.5 / 0,5: number format: a decimal comma"),
            ("8\n", "0x1p3\n", "token 1: 8 / 0x1p3: number format: hexadecimal"),
            ("1\n", "NaN\n", "token 1: 1 / NaN: not a number"),
            ("1\n", "-nan\n", "token 1: 1 / -nan: not a number"),
            ("1\n", "inf\n", "token 1: 1 / inf: not a number"),
            ("1\n", "Infinity\n", "token 1: 1 / Infinity: not a number"),
            ("1\n", "1/0\n", "token 1: 1 / 1/0: not a number"),
            ("1\n", "1\0\n", "token 1: 1 / 1␀: not a number"),
            ("1\n", "1e\n", "token 1: 1 / 1e: not a number"),
            ("1\n", ".\n", "token 1: 1 / .: not a number"),
            ("1\n", "--1\n", "token 1: 1 / --1: not a number"),
            ("1\n", "1e999\n", "token 1: 1 / 1e999: beyond the range of 64-bit floats"),
            (
                "1\n",
                "1e99999999999999999999\n",
                "token 1: 1 / 1e99999999999999999999: beyond the range of 64-bit floats",
            ),
            ("0\n", "1e-99999999999999999999\n", "ok"),
            ("1e308\n", "-1e308\n", "token 1: 1e308 / -1e308, absolute error inf > 1e-06, relative error inf > 1e-06"),
            ("YES 1\n", "YES 1.0\n", "ok"),
            ("YES 1\n", "NO 1.0\n", "token 1: expected YES, found NO"),
            ("YES 1\n", "Yes 1.0\n", "PE token 1: YES / Yes: differs only in case"),
            ("YES 1\n", "1 1\n", "token 1: expected YES, found 1"),
            ("inf\n", "inf\n", "ok"),
            ("inf 1\n", "-1 1\n", "token 1: expected inf, found -1"),
            ("nan 1\n", "nan 1.0\n", "ok"),
            ("nan\n", "1\n", "failed: the answer contains nan, to which no number is close"),
            ("-nan(ind)\n", "1\n", "failed: the answer contains -nan(ind), to which no number is close"),
            ("nano\n", "1\n", "token 1: expected nano, found 1"),
            ("1e999\n", "1e998\n", "failed: the answer contains 1e999, which is beyond the range of 64-bit floats"),
            ("1e999\n", "x\n", "token 1: 1e999 / x: not a number"),
            ("1.5\n", "", "output is empty"),
            ("1.5 2.5\n", "1.5\n", "1 token is missing: 2.5 (line 1 of the answer)"),
        ],
    );
}

#[test]
fn tolerances_are_inclusive() {
    check(
        "numbers:abs=0.1,rel=0",
        &[
            ("0.3\n", "0.4\n", "ok"),
            ("0.3\n", "0.2\n", "ok"),
            ("0.3\n", "0.41\n", "token 1: 0.3 / 0.41, absolute error 0.11 > 0.1"),
            ("1000\n", "1001\n", "token 1: 1000 / 1001, absolute error 1.00 > 0.1"),
            (
                "9007199254740993\n",
                "9007199254740992\n",
                "token 1: 9007199254740993 / 9007199254740992, absolute error 1.00 > 0.1",
            ),
        ],
    );
    check(
        "numbers:abs=0.5,rel=0.01",
        &[
            ("1000\n", "1010\n", "ok"),
            ("1000\n", "1011\n", "token 1: 1000 / 1011, absolute error 11.00 > 0.5, relative error 0.011 > 0.01"),
            ("1\n", "1.5\n", "ok"),
            ("1\n", "1.6\n", "token 1: 1 / 1.6, absolute error 0.60 > 0.5, relative error 0.60 > 0.01"),
        ],
    );
    check("numbers:0", &[("0.5\n", "0.50\n", "ok"), ("5\n", "6\n", "token 1: 5 / 6, relative error 0.20 > 0")]);
}

#[test]
fn integers_of_any_length() {
    let long = "9".repeat(400);
    let almost = format!("{}8", &long[1..]);
    assert_eq!(
        judgement_text("numbers:1e-6", format!("{long} 1\n").as_bytes(), format!("{long} 1.0\n").as_bytes()),
        "ok"
    );
    let failed = judgement_text("numbers:1e-6", long.as_bytes(), almost.as_bytes());
    assert!(failed.starts_with("failed: the answer contains 9999"), "{failed}");
    let shown = judgement_text("tokens", long.as_bytes(), almost.as_bytes());
    assert_eq!(shown, "token 1: expected …9999999999999, found …9999999999998");
}

#[test]
fn unordered_lines() {
    check(
        "unordered-lines",
        &[
            ("1 2\n3\n", "3\n\n1  2\r\n", "ok"),
            ("1\n1\n2\n", "1\n2\n2\n", "line 3 is not expected: 2 (1 line missing, 1 too many)"),
            ("1\n2\n3\n", "3\n1\n", "line 2 of the answer is missing: 2 (1 line missing, 0 too many)"),
            ("1\n2\n", "2\n3\n1\n", "line 2 is not expected: 3 (0 lines missing, 1 too many)"),
            ("A\nb\n", "B\na\n", "PE line 1 is not expected: B (2 lines missing, 2 too many)"),
            ("1\n", "", "output is empty"),
            ("1 2\n", "2 1\n", "line 1 is not expected: 2 1 (1 line missing, 1 too many)"),
            ("12\n", "1 2\n", "line 1 is not expected: 1 2 (1 line missing, 1 too many)"),
        ],
    );
    check("unordered-lines:ignore-case", &[("A\nb\n", "B\na\n", "ok")]);
}

#[test]
fn positions_are_counted_from_one() {
    let places = |answer: &str, output: &str, checker| {
        let difference = mismatch(checker, answer.as_bytes(), output.as_bytes());
        (difference.line, difference.token)
    };
    assert_eq!(places("1 2\n3 17\n", "1 2\n3 71\n", "tokens"), (Some(2), Some(4)));
    assert_eq!(places("1 2\n3 17\n", "1 2\n3\n", "tokens"), (Some(2), Some(4)));
    assert_eq!(places("1\n", "1\n\n2\n", "tokens"), (Some(3), Some(2)));
    assert_eq!(places("1\n2\n3\n", "1\n2\n", "lines"), (Some(3), Some(3)));
    assert_eq!(places("1\n2 3\n4\n", "1\n2\n4\n", "lines"), (Some(2), Some(3)));
    assert_eq!(places("a\nb\n", "a\nb \n", "exact"), (Some(2), None));
    assert_eq!(places("a\nb\n", "b\nc\n", "unordered-lines"), (Some(2), None));
}

#[test]
fn hints_list_accepted_differences() {
    let hints = |checker, answer: &str, output: &str| mismatch(checker, answer.as_bytes(), output.as_bytes()).hints;
    assert_eq!(hints("tokens", "1\n", "2"), ["ends without a newline (accepted)"]);
    let follows = ["the expected answer follows after other text: are prompts or debug messages printed?"];
    assert_eq!(hints("tokens", "8\n", "n? sum: 8\n"), follows);
    assert_eq!(hints("numbers:1e-6", "1.5 2\n", "debug\n1.5 2.0\n"), follows);
    assert!(hints("tokens", "8\n", "8 is the sum\n").is_empty() && hints("tokens", "\n", "8\n").is_empty());
    assert_eq!(hints("tokens", "1\n2\n", "1\r\n3\r\n"), ["2 lines end with CRLF (accepted)"]);
    assert_eq!(hints("lines", "1\n", "2 \n"), ["1 line ends with white space (accepted)"]);
    assert_eq!(
        hints("tokens", "0.333333\n", "0.333334\n"),
        ["close in value (relative error 3.0e-06): `numbers:1e-6` would compare numbers"]
    );
    assert_eq!(hints("tokens", "17\n", "71\n"), [""; 0]);
    assert_eq!(hints("exact", "1\n", "2"), [""; 0]);
}

#[test]
fn a_million_tokens() {
    let answer = b"123 ".repeat(1_000_000);
    let mut output = b"123\n".repeat(1_000_000);
    assert_eq!(judgement_text("tokens", &answer, &output), "ok");
    assert_eq!(judgement_text("numbers:1e-6", &answer, &output), "ok");
    assert_eq!(
        judgement_text("unordered-lines", &output, &output[4..]),
        "line 1000000 of the answer is missing: 123 (1 line missing, 0 too many)"
    );
    output[3_999_996] = b'9';
    assert_eq!(judgement_text("tokens", &answer, &output), "line 1000000, token 1: expected 123, found 923");
}

#[test]
fn outputs_need_not_be_utf8() {
    assert_eq!(judgement_text("tokens", b"\xff \xfe", b"\xff\n\xfe"), "ok");
    assert_eq!(judgement_text("tokens", b"ok", b"\xff\xfe"), "token 1: expected ok, found \u{fffd}\u{fffd}");
    assert_eq!(judgement_text("numbers:1e-6", b"1", b"\xb2"), "token 1: 1 / \u{fffd}: not a number");
    assert_eq!(judgement_text("lines", b"\0\n", b"\0 \n"), "ok");
}
