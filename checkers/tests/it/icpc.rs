//! The default validator of ICPC packages: its flags, and tables of its judgements with each of them.

use rebut_checkers::{Checker, IcpcFlags};

use crate::cases::check;
use crate::laws::Noise;

#[test]
fn without_tolerances() {
    check(
        "icpc",
        &[
            ("YES 1.0\n", "yes\n1.0", "ok"),
            ("1.0\n", "1\n", "token 1: 1.0 / 1: differs only in number format"),
            ("nan\n", "NaN\n", "ok"),
        ],
    );
    check("icpc:case_sensitive", &[("YES\n", "Yes\n", "PE token 1: YES / Yes: differs only in case")]);
    check(
        "icpc:space_change_sensitive",
        &[
            ("YES 1\n", "yes 1\n", "ok"),
            ("YES 1\n", "yes  1\n", "PE line 1: white space differs before token 2"),
            ("YES 1\n", "yes 1", "PE ends without a newline"),
            ("YES 1\n", "yes 1\r\n", "PE line 1 ends with CRLF"),
            ("YES 1\n", "yes 2\n", "token 2: expected 1, found 2"),
        ],
    );
    check(
        "icpc:case_sensitive,space_change_sensitive",
        &[
            ("YES 1\n", "YES 1\n", "ok"),
            ("YES 1\n", "yes 1\n", "PE token 1: YES / yes: differs only in case"),
            ("YES 1\n", "YES\n1\n", "PE line 1: white space differs before token 2"),
        ],
    );
}

#[test]
fn with_tolerances() {
    check(
        "icpc:float_tolerance=1e-6",
        &[
            ("YES 0.5\n", "yes +.5000004\n", "ok"),
            ("1000000\n", "1000001\n", "ok"),
            (
                "1 2 0.333333\n",
                "1 2 0.33334\n",
                "token 3: 0.333333 / 0.33334, absolute error 7.0e-06 > 1e-06, relative error 2.1e-05 > 1e-06",
            ),
            ("17\n", "71\n", "token 1: 17 / 71, absolute error 54.00 > 1e-06, relative error 3.18 > 1e-06"),
            ("0\n", "0.00001\n", "token 1: 0 / 0.00001, absolute error 1.0e-05 > 1e-06"),
            ("1\n", "nan\n", "token 1: 1 / nan: not a number"),
            ("1\n", "1e999\n", "token 1: 1 / 1e999: beyond the range of 64-bit floats"),
            ("inf\n", "Inf\n", "ok"),
            ("nan\n", "1\n", "token 1: expected nan, found 1"),
            ("1e999\n", "1e998\n", "token 1: expected 1e999, found 1e998"),
            ("x\n", "1\n", "token 1: expected x, found 1"),
            ("1\n", "0x1\n", "token 1: 1 / 0x1: number format: hexadecimal"),
            ("1 2\n", "1\n", "1 token is missing: 2 (line 1 of the answer)"),
            ("1\n", "1 2\n", "1 token is too many: 2 (line 1)"),
        ],
    );
    check(
        "icpc:float_absolute_tolerance=0.5",
        &[("1000\n", "1000.5\n", "ok"), ("1000\n", "1000.6\n", "token 1: 1000 / 1000.6, absolute error 0.60 > 0.5")],
    );
    check(
        "icpc:float_relative_tolerance=0.01",
        &[
            ("1000\n", "1010\n", "ok"),
            ("1000\n", "1011\n", "token 1: 1000 / 1011, relative error 0.011 > 0.01"),
            ("0\n", "0.0\n", "ok"),
            ("0\n", "0.1\n", "token 1: 0 / 0.1, absolute error 0.10 > 0"),
        ],
    );
    check(
        "icpc:float_absolute_tolerance=0.5,float_relative_tolerance=0.01",
        &[
            ("1\n", "1.5\n", "ok"),
            ("1000\n", "1010\n", "ok"),
            ("1\n", "1.6\n", "token 1: 1 / 1.6, absolute error 0.60 > 0.5, relative error 0.60 > 0.01"),
        ],
    );
}

#[test]
fn with_everything() {
    check(
        "icpc:case_sensitive,space_change_sensitive,float_tolerance=1e-6",
        &[
            ("x 0.5\n", "x 0.50\n", "ok"),
            ("x 0.5\n", "X 0.5\n", "PE token 1: x / X: differs only in case"),
            ("x 0.5\n", "x  0.50\n", "PE line 1: white space differs before token 2"),
            ("x 0.5\n", "x 0.50", "PE ends without a newline"),
            ("x 0.5\n", "x 0.6\n", "token 2: 0.5 / 0.6, absolute error 0.10 > 1e-06, relative error 0.20 > 1e-06"),
        ],
    );
}

#[test]
fn flags_become_checkers() {
    let table = [
        ("", "tokens:ignore-case"),
        ("case_sensitive", "tokens"),
        ("space_change_sensitive", "icpc:space_change_sensitive"),
        ("space_change_sensitive case_sensitive", "exact"),
        ("float_tolerance 1e-6", "icpc:float_tolerance=1e-6"),
        ("  case_sensitive \n float_tolerance\t+.5 ", "icpc:case_sensitive,float_tolerance=0.5"),
        ("float_absolute_tolerance 1e-9", "icpc:float_absolute_tolerance=1e-9"),
        ("float_relative_tolerance 0", "icpc:float_relative_tolerance=0"),
        (
            "float_relative_tolerance 1e-6 float_absolute_tolerance 1e-9",
            "icpc:float_absolute_tolerance=1e-9,float_relative_tolerance=1e-6",
        ),
        (
            "float_tolerance 1e-6 float_absolute_tolerance 1e-9",
            "icpc:float_absolute_tolerance=1e-9,float_relative_tolerance=1e-6",
        ),
        ("float_tolerance 1 float_tolerance 2", "icpc:float_tolerance=2"),
    ];
    for (flags, name) in table {
        let checker = Checker::from_validator_flags(flags).unwrap();
        assert_eq!(checker.name(), name, "{flags}");
        assert_eq!(Checker::parse(name), Ok(checker));
    }
}

#[test]
fn errors_name_the_wrong_flag() {
    let all = "available flags: `case_sensitive`, `space_change_sensitive`, `float_tolerance`, `float_absolute_tolerance`, \
               `float_relative_tolerance`";
    let needs = |flag, found| {
        format!("the validator flag `{flag}` needs a number that is not negative, such as `1e-6`, not `{found}`")
    };
    let table = [
        (
            "case_insensitive",
            format!("unknown validator flag `case_insensitive`; did you mean `case_sensitive`? {all}"),
        ),
        ("case_sensitive 5", format!("unknown validator flag `5`; {all}")),
        ("float_tolerance", "the validator flag `float_tolerance` needs a number, such as `1e-6`".to_owned()),
        ("float_tolerance case_sensitive", needs("float_tolerance", "case_sensitive")),
        ("float_relative_tolerance -1", needs("float_relative_tolerance", "-1")),
        ("float_absolute_tolerance nan", needs("float_absolute_tolerance", "nan")),
        ("float_absolute_tolerance 1e999", needs("float_absolute_tolerance", "1e999")),
    ];
    for (flags, message) in table {
        assert_eq!(IcpcFlags::parse_flags(flags.split_whitespace()), Err(message), "{flags}");
    }
    assert_eq!(Checker::parse("icpc:"), Err(format!("unknown validator flag ``; {all}")));
}

/// Without tolerances, the flags are equivalent to other checkers.
#[test]
fn without_tolerances_it_is_a_checker_of_tokens_or_bytes() {
    let same = [
        ("icpc", "tokens:ignore-case"),
        ("icpc:case_sensitive", "tokens"),
        ("icpc:case_sensitive,space_change_sensitive", "exact"),
    ];
    let mut noise = Noise(7);
    for _ in 0..5_000 {
        let answer = noise.text();
        let output = noise.damaged(&answer);
        for (name, other) in same {
            let judged = [name, other].map(|name| Checker::parse(name).unwrap().check(b"", &answer, &output));
            assert_eq!(judged[0], judged[1], "{name}: {answer:?} {output:?}");
        }
    }
}
