//! The standard checkers of testlib: tables of judgements, and the forms of answers that they accept.

use rebut_checkers::{Checker, Judgement, TestlibChecker};

use crate::cases::check;
use crate::laws::Noise;

#[test]
fn one_value_acmp_rcmp_dcmp() {
    check(
        "acmp",
        &[
            ("0.5\n", "0.5000015\n", "ok"),
            ("1\n", "1.000002\n", "token 1: 1 / 1.000002, absolute error 2.0e-06 > 1.5e-06"),
            ("1 2\n", "1\n", "ok"),
            ("1\n", "1 2\n", "1 token is too many: 2 (line 1)"),
            ("1\n", "x\n", "token 1: 1 / x: not a number"),
            ("1\n", "", "output is empty"),
            ("x\n", "x\n", "failed: token 1 of the answer: expected a number, found x"),
            ("", "1\n", "failed: the answer ends where a number is expected"),
            ("1e999\n", "1e999\n", "ok"),
            ("1e999\n", "5\n", "token 1: 1e999 / 5: beyond the range of 64-bit floats"),
        ],
    );
    check(
        "rcmp",
        &[
            ("100\n", "100.0000014\n", "ok"),
            ("100\n", "100.000002\n", "token 1: 100 / 100.000002, absolute error 2.0e-06 > 1.5e-06"),
        ],
    );
    check(
        "dcmp",
        &[
            ("1000000\n", "1000001\n", "ok"),
            (
                "1000000\n",
                "1000002\n",
                "token 1: 1000000 / 1000002, absolute error 2.00 > 1e-06, relative error 2.0e-06 > 1e-06",
            ),
            ("0.5\n", "nan\n", "token 1: 0.5 / nan: not a number"),
            ("0\n", "0.000002\n", "token 1: 0 / 0.000002, absolute error 2.0e-06 > 1e-06"),
            ("1e301\n", "2e305\n", "ok"),
            ("1e301\n", "5\n", "token 1: 1e301 / 5: beyond 1e300, where only signs are compared"),
        ],
    );
}

#[test]
fn one_value_icmp_hcmp() {
    check(
        "icmp",
        &[
            ("17\n", " 17 \n", "ok"),
            ("17\n", "71\n", "token 1: expected 17, found 71"),
            ("17\n", "17.0\n", "token 1: 17 / 17.0: number format: not an integer"),
            ("17\n", "+17\n", "token 1: 17 / +17: number format: a plus sign"),
            ("17\n", "017\n", "token 1: 17 / 017: number format: a leading zero"),
            ("17\n", "2147483648\n", "token 1: expected an integer, found 2147483648: more than 32 bits"),
            (
                "2147483648\n",
                "2147483648\n",
                "failed: token 1 of the answer: expected an integer, found 2147483648: more than 32 bits",
            ),
            ("17\n", "17 18\n", "1 token is too many: 18 (line 1)"),
            ("17 18\n", "17\n", "ok"),
            ("17 18\n", "17 18\n", "1 token is too many: 18 (line 1)"),
            ("17\n", "", "output is empty"),
            ("", "17\n", "failed: the answer ends where an integer is expected"),
        ],
    );
    check(
        "hcmp",
        &[
            ("123456789012345678901234567890\n", "123456789012345678901234567890\n", "ok"),
            (
                "123456789012345678901234567890\n",
                "123456789012345678901234567891\n",
                "token 1: expected 123456789012345678901234567890, found 123456789012345678901234567891",
            ),
            ("5\n", "+5\n", "token 1: 5 / +5: number format: a plus sign"),
            ("5\n", "05\n", "token 1: 5 / 05: number format: a leading zero"),
            ("5\n", "5 5\n", "1 token is too many: 5 (line 1)"),
            ("5 5\n", "5\n", "failed: token 2 of the answer: expected nothing after the integer, found 5"),
            (
                "-0\n",
                "0\n",
                "failed: token 1 of the answer: expected an integer, found -0: number format: zero with a sign",
            ),
            ("0\n", "-0\n", "token 1: 0 / -0: number format: zero with a sign"),
            ("x\n", "\n", "output is blank"),
        ],
    );
}

#[test]
fn one_value_yesno() {
    check(
        "yesno",
        &[
            ("YES\n", "yEs\n", "ok"),
            ("YES\n", "NO\n", "token 1: expected YES, found NO"),
            ("YES\n", "Y\n", "token 1: YES / Y: neither YES nor NO"),
            ("YES\n", "YES NO\n", "1 token is too many: NO (line 1)"),
            ("YES\n", "", "output is empty"),
            ("Y\n", "YES\n", "failed: token 1 of the answer: expected YES or NO, found Y"),
            ("YES NO\n", "YES\n", "ok"),
        ],
    );
}

#[test]
fn sequences_ncmp_nyesno() {
    check(
        "ncmp",
        &[
            ("1 2\n3\n", "1\n2 3", "ok"),
            ("1 2 3\n", "1 2 4\n", "token 3: expected 3, found 4"),
            ("1 2 3\n", "1 2\n", "1 token is missing: 3 (line 1 of the answer)"),
            ("1 2\n", "1 2 3 4\n", "2 tokens are too many, the first: 3 (line 1)"),
            ("1 2\n", "1 2.0\n", "token 2: 2 / 2.0: number format: not an integer"),
            ("1 2\n", "1 9223372036854775808\n", "token 2: 2 / 9223372036854775808: more than 64 bits"),
            ("1 x\n", "1\n", "failed: token 2 of the answer: expected an integer, found x"),
            ("1 x\n", "1 x\n", "failed: token 2 of the answer: expected an integer, found x"),
            (
                "1 9223372036854775808\n",
                "1 5\n",
                "failed: token 2 of the answer: expected an integer, found 9223372036854775808: more than 64 bits",
            ),
            ("", "", "ok"),
            ("", "1\n", "expected no output, found 1 token, beginning with 1"),
            ("1\n", "", "output is empty"),
        ],
    );
    check(
        "nyesno",
        &[
            ("YES no\n", "yes NO\n", "ok"),
            ("YES no\n", "yes YES\n", "token 2: expected no, found YES"),
            ("YES\n", "Y\n", "token 1: YES / Y: neither YES nor NO"),
            ("YES\n", "YES NO\n", "1 token is too many: NO (line 1)"),
            ("YES NO\n", "YES\n", "1 token is missing: NO (line 1 of the answer)"),
            ("YES maybe\n", "YES\n", "1 token is missing: maybe (line 1 of the answer)"),
            ("maybe\n", "YES\n", "failed: token 1 of the answer: expected YES or NO, found maybe"),
            ("", "", "ok"),
        ],
    );
}

#[test]
fn sequences_wcmp_rcmp4_rcmp6_rcmp9() {
    check(
        "wcmp",
        &[
            ("1 2\n3\n", "1\n2 3", "ok"),
            ("1 2 3\n", "1 2 4\n", "token 3: expected 3, found 4"),
            ("YES\n", "Yes\n", "PE token 1: YES / Yes: differs only in case"),
            ("1 2 3\n", "1 2\n", "1 token is missing: 3 (line 1 of the answer)"),
            ("1 2\n", "1 2 3\n", "1 token is too many: 3 (line 1)"),
            ("1 2\n", "1\u{b}2\n", "PE token 1: 1 / 1␋2: differs only in white space"),
            ("17\n", "\u{feff}17\n", "ok"),
            ("\u{feff}17\n", "17\n", "token 1: expected \\u{feff}17, found 17"),
            ("12\n", "1 2\n", "PE token 1: 12 / 1: differs only in white space"),
            ("5\n", "5.0\n", "token 1: 5 / 5.0: differs only in number format"),
        ],
    );
    check(
        "rcmp4",
        &[
            ("0.5 10000\n", "0.5001 10001\n", "ok"),
            (
                "0.5\n",
                "0.5002\n",
                "token 1: 0.5 / 0.5002, absolute error 2.0e-04 > 1e-04, relative error 4.0e-04 > 1e-04",
            ),
            ("1 2\n", "1\n", "1 token is missing: 2 (line 1 of the answer)"),
            ("1\n", "1 2\n", "1 token is too many: 2 (line 1)"),
            ("1 x\n", "1\n", "failed: token 2 of the answer: expected a number, found x"),
            ("1 x\n", "1 x\n", "failed: token 2 of the answer: expected a number, found x"),
            ("1\n", "1e\n", "token 1: 1 / 1e: not a number"),
        ],
    );
    check(
        "rcmp6",
        &[
            (
                "1 2 0.333333\n",
                "1 2 0.33334\n",
                "token 3: 0.333333 / 0.33334, absolute error 7.0e-06 > 1e-06, relative error 2.1e-05 > 1e-06",
            ),
            ("1\n", "+1.\n", "ok"),
            ("1\n", "0x1\n", "token 1: 1 / 0x1: number format: hexadecimal"),
        ],
    );
    check(
        "rcmp9",
        &[
            ("1 2\n", "1.000000001 2\n", "ok"),
            (
                "1 2\n",
                "1 2.00000001\n",
                "token 2: 2 / 2.00000001, absolute error 1.0e-08 > 1e-09, relative error 5.0e-09 > 1e-09",
            ),
        ],
    );
}

#[test]
fn sequences_rncmp_uncmp() {
    check(
        "rncmp",
        &[
            ("1000000\n", "1000000.00001\n", "ok"),
            ("1000000\n", "1000000.1\n", "token 1: 1000000 / 1000000.1, absolute error 0.10 > 1.5e-05"),
        ],
    );
    check(
        "uncmp",
        &[
            ("1 2 2\n", "2\n1\n2\n", "ok"),
            ("1 2 2\n", "2 1 1\n", "token 3: 1 is not expected (1 number missing, 1 too many)"),
            ("1 2 3\n", "3 1\n", "2 is missing (1 number missing, 0 too many)"),
            ("1 2\n", "2 1 4\n", "token 3: 4 is not expected (0 numbers missing, 1 too many)"),
            ("1\n", "", "output is empty"),
            ("1\n", "x\n", "token 1: expected an integer, found x"),
            ("x\n", "1\n", "failed: token 1 of the answer: expected an integer, found x"),
            ("", "", "ok"),
        ],
    );
}

#[test]
fn lines() {
    check(
        "fcmp",
        &[
            ("a b\nc\n", "a b\r\nc", "ok"),
            ("a b\nc\n", "a b\nc\n\n \n", "ok"),
            ("a b\n", "a  b\n", "PE line 1: white space differs"),
            ("a b\n", "a b \n", "PE line 1: white space differs"),
            ("a b\nc\n", "a b\nd\n", "line 2, token 1: expected c, found d"),
            ("a\nb\n", "a\n", "1 line is missing, line 2: b"),
            ("a\n\nb\n", "a\nb\n", "PE line 2: the tokens match, but the line breaks differ"),
            ("a\n", "a\nb\n", "1 line is too many, line 2: b"),
            ("a\n", "A\n", "PE token 1: a / A: differs only in case"),
            ("a\n", "", "output is empty"),
            ("a\n\n\n", "a", "ok"),
            ("YES\n", "\u{feff}YES\n", "ok"),
        ],
    );
    check(
        "lcmp",
        &[
            ("1 2\n3\n", " 1  2\r\n3\n\n", "ok"),
            ("1 2\n3\n", "1 2 3\n", "PE line 1: the tokens match, but the line breaks differ"),
            ("1 2\n3\n", "1 2\n4\n", "line 2, token 1: expected 3, found 4"),
            ("1 2\n3\n", "1 2\n", "1 line is missing, line 2: 3"),
            ("1\n", "1\n2\n", "1 line is too many, line 2: 2"),
            ("1\n", "1 2\n", "line 1: 1 token is too many: 2"),
            ("1\n", "\n1\n", "PE line 1: the tokens match, but the line breaks differ"),
            ("a\n", "A\n", "PE token 1: a / A: differs only in case"),
        ],
    );
}

#[test]
fn numbered_cases() {
    check(
        "caseicmp",
        &[
            ("Case 1: 5\nCase 2: 7\n", "Case 1: 5 Case\n2: 7", "ok"),
            ("Case 1: 5\nCase 2: 7\n", "Case 1: 5\nCase 2: 8\n", "line 2, token 3: expected 7, found 8"),
            ("Case 1: 5\nCase 2: 7\n", "Case 1: 5\n", "expected 2 cases, found 1"),
            ("Case 1: 5\n", "Case 1: 5\nCase 2: 7\n", "expected 1 case, found 2"),
            ("Case 1: 5\n", "case 1: 5\n", "PE token 1: expected Case, found case"),
            ("Case 1: 5\n", "Case 2: 5\n", "token 2: expected 1:, found 2:"),
            ("Case 1: 5\n", "Case #1: 5\n", "token 2: expected 1:, found #1:"),
            ("Case 1: 5\n", "Case 1: 5.0\n", "token 3: expected an integer, found 5.0: number format: not an integer"),
            ("Case 1: 5\n", "Case 1:\n", "the output ends where the integer of case 1 is expected"),
            ("Case 1: 5\n", "", "expected 1 case, found 0"),
            ("Case 1: x\n", "Case 1: 5\n", "failed: token 3 of the answer: expected an integer, found x"),
            ("Case 1:\n", "Case 1: 5\n", "failed: the answer ends where the integer of case 1 is expected"),
            ("5\n", "5\n", "failed: token 1 of the answer: expected Case, found 5"),
            ("", "", "ok"),
        ],
    );
    check(
        "casencmp",
        &[
            ("Case 1: 5 6\nCase 2:\n", "Case 1: 5 6 Case 2:", "ok"),
            ("Case 1: 5 6\n", "Case 1: 5 7\n", "token 4: expected 6, found 7"),
            ("Case 1: 5 6\n", "Case 1: 5\n", "case 1: expected 2 tokens, found 1"),
            ("Case 1: 5\n", "Case 1: 5 6\n", "case 1: expected 1 token, found 2"),
            ("Case 1: 5\n", "Case 1: 05\n", "token 3: expected an integer, found 05: number format: a leading zero"),
            ("Case 1: 5\n", "Case 1: 5\nCase 2: 6\n", "2 tokens are too many, the first: 2: (line 2)"),
            ("Case 1: 5\nCase 2: 6\n", "Case 1: 5\n", "the output ends where case 2 is expected"),
            (
                "Case 1: 5\nCase 3: 6\n",
                "Case 1: 5\nCase 2: 6\n",
                "failed: line 2, token 2 of the answer: expected 2:, found 3:",
            ),
            ("Case 1: 5\nCase 3: 6\n", "Case 1: 4\n", "token 3: expected 5, found 4"),
        ],
    );
    check(
        "casewcmp",
        &[
            ("Case 1: a b\nCase 2: c\n", "Case 1: a b\nCase 2: c\n", "ok"),
            ("Case 1: a\n", "Case 1: A\n", "PE token 3: a / A: differs only in case"),
            ("Case 1: a b\n", "Case 1:\n", "case 1: expected 2 tokens, found 0"),
            ("Case 1: a\n", "Case 1\n", "token 2: expected 1:, found 1"),
        ],
    );
}

#[test]
fn points_are_a_difference_of_zero() {
    check(
        "pointscmp",
        &[
            ("5\n", "5.0\n", "ok"),
            ("5\n", "7\n", "token 1: 5 / 7, difference 2.00"),
            ("5\n", "x\n", "token 1: 5 / x: not a number"),
            ("0\n", "1000001\n", "failed: the difference is 1000001, but points must be between 0 and 1000000"),
            ("1e999\n", "1e999\n", "failed: the difference is NaN, but points must be between 0 and 1000000"),
            ("5\n", "5 5\n", "1 token is too many: 5 (line 1)"),
            ("x\n", "5\n", "failed: token 1 of the answer: expected a number, found x"),
        ],
    );
    check(
        "pointsinfo",
        &[
            ("5\n", "5.0\n", "ok"),
            ("5\n", "7.5\n", "token 1: 5 / 7.5, difference 2.50"),
            ("5\n", "x\n", "token 1: expected a number, found x"),
            ("x\n", "x\n", "token 1: expected a number, found x"),
            ("x\n", "5\n", "failed: token 1 of the answer: expected a number, found x"),
            ("5\n", "", "output is empty"),
            ("1e999\n", "1e999\n", "ok"),
        ],
    );
}

#[test]
fn malformed_answer_is_a_failure_of_the_checker() {
    let same = Checker::Testlib(TestlibChecker::Icmp).check(b"", b"17 18\n", b"17 18\n");
    let Judgement::Wrong(mismatch) = same else { panic!("{same:?}") };
    assert!(!mismatch.presentation);
    assert_eq!(mismatch.hints, ["the answer is identical: it does not have the form that this checker expects"]);
    assert_eq!((mismatch.line, mismatch.token), (Some(1), Some(2)));
}

#[test]
fn positions_are_counted_in_testlib_tokens() {
    let judged = Checker::Testlib(TestlibChecker::Wcmp).check(b"", b"a\x0bb\n1 2\n", b"a\x0bb\n1 3\n");
    let Judgement::Wrong(mismatch) = judged else { panic!("{judged:?}") };
    assert_eq!(
        (mismatch.message.as_str(), mismatch.line, mismatch.token),
        ("line 2, token 2: expected 2, found 3", Some(2), Some(3))
    );
}

#[test]
fn lone_carriage_returns_are_read_as_testlib_does() {
    check(
        "fcmp",
        &[
            ("a\rb\n", "ab\n", "ok"),
            ("a\r\r\n", "a\n", "PE line 1: white space differs"),
            ("a\r", "a", "PE line 1: white space differs"),
        ],
    );
    check("lcmp", &[("1\r2\n", "12\n", "ok"), ("1\r\r\n", "1\n", "ok")]);
}

/// Returns the words of a text, if it is UTF-8.
fn words(text: &[u8]) -> Vec<&[u8]> {
    text.split(|byte| b" \t\r\n".contains(byte)).filter(|word| !word.is_empty()).collect()
}

fn is_integer(word: &[u8]) -> bool {
    std::str::from_utf8(word).is_ok_and(|word| word.parse::<i64>().is_ok_and(|value| value.to_string() == word))
}

/// Returns true for an integer of any length: only digits, the first ten characters of which are a well-formed integer.
fn is_huge(word: &[u8]) -> bool {
    let digits = word.strip_prefix(b"-").unwrap_or(word);
    digits.iter().all(u8::is_ascii_digit) && is_integer(&word[..word.len().min(10)])
}

fn real(word: &[u8]) -> Option<f64> {
    let word = std::str::from_utf8(word).ok()?;
    word.bytes().all(|byte| b"0123456789+-.eE".contains(&byte)).then(|| word.parse().ok())?
}

fn is_yes_or_no(word: &[u8]) -> bool {
    matches!(word.to_ascii_lowercase().as_slice(), b"yes" | b"no")
}

/// Returns true if each case has its number and valid words.
fn is_numbered(words: &[&[u8]], is_case: impl Fn(&[&[u8]]) -> bool) -> bool {
    let cases: Vec<&[&[u8]]> = words.split(|word| *word == b"Case").collect();
    let is_last = |number: usize| number > 1 && number + 1 == cases.len();
    let is_right = |(number, case): (usize, &&[&[u8]])| match case {
        [] => number == 0 || is_last(number),
        [label, rest @ ..] => number > 0 && *label == format!("{number}:").as_bytes() && is_case(rest),
    };
    cases.iter().enumerate().all(is_right)
}

/// Returns true if a text has the form that the checker reads, according to the checker's description rather than its
/// code.
fn is_well_formed(checker: TestlibChecker, text: &[u8]) -> bool {
    use TestlibChecker::*;
    let words = words(text);
    let one = |is_right: fn(&[u8]) -> bool| words.len() == 1 && is_right(words[0]);
    let all = |is_right: fn(&[u8]) -> bool| words.iter().all(|word| is_right(word));
    !text.starts_with(b"\xef\xbb\xbf")
        && match checker {
            Fcmp | Lcmp | Wcmp => true,
            Icmp => one(|word| is_integer(word) && String::from_utf8_lossy(word).parse::<i32>().is_ok()),
            Hcmp => one(is_huge),
            Ncmp | Uncmp => all(is_integer),
            Yesno => one(is_yes_or_no),
            Nyesno => all(is_yes_or_no),
            Acmp | Dcmp | Rcmp | Pointsinfo => one(|word| real(word).is_some()),
            Pointscmp => one(|word| real(word).is_some_and(f64::is_finite)),
            Rcmp4 | Rcmp6 | Rcmp9 | Rncmp => all(|word| real(word).is_some()),
            Casewcmp => is_numbered(&words, |_| true),
            Casencmp => is_numbered(&words, |case| case.iter().all(|word| is_integer(word))),
            // Here a `Case` at the end is an extra word.
            Caseicmp => {
                is_numbered(&words, |case| case.len() == 1 && is_integer(case[0]))
                    && words.last() != Some(&&b"Case"[..])
            }
        }
}

/// An answer is accepted as an output exactly if it has the form that the checker reads.
#[test]
fn well_formed_answer_is_accepted() {
    let mut noise = Noise(5);
    let mut of_the_form = 0;
    for _ in 0..6_000 {
        let text = noise.text();
        let numbered = format!("Case 1: {}", String::from_utf8_lossy(&text)).into_bytes();
        for checker in TestlibChecker::ALL {
            for text in [&text, &numbered] {
                let judged = Checker::Testlib(checker).check(b"", text, text);
                assert_eq!(
                    judged.is_accepted(),
                    is_well_formed(checker, text),
                    "{} on {text:?}: {judged:?}",
                    checker.name()
                );
                of_the_form += usize::from(judged.is_accepted());
            }
        }
    }
    assert!(of_the_form > 40_000, "{of_the_form}");
}

/// The output does not influence whether the answer is malformed, except where reading stops earlier.
#[test]
fn well_formed_answer_is_never_a_checker_failure() {
    let mut noise = Noise(6);
    for _ in 0..10_000 {
        let answer = noise.text();
        let output = noise.damaged(&answer);
        for checker in TestlibChecker::ALL.into_iter().filter(|checker| *checker != TestlibChecker::Pointscmp) {
            let judged = Checker::Testlib(checker).check(b"", &answer, &output);
            let failed = matches!(judged, Judgement::Failed(_));
            assert!(!failed || !is_well_formed(checker, &answer), "{}: {answer:?} {output:?}", checker.name());
        }
    }
}
