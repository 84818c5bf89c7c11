//! Tables of exit codes.

use rebut_checkers::{ExitCodeConvention, Judgement, Mismatch};

use ExitCodeConvention::{Kattis, Testlib};

/// Returns the kind of a judgement and its text.
fn judgement_text(convention: ExitCodeConvention, code: i32, message: &str) -> String {
    match convention.judge_exit_code("checker", code, message) {
        Judgement::Accepted => "accepted".to_owned(),
        Judgement::Wrong(Mismatch { message, presentation: true, .. }) => format!("presentation: {message}"),
        Judgement::Wrong(Mismatch { message, .. }) => format!("wrong: {message}"),
        Judgement::Failed(reason) => format!("failed: {reason}"),
    }
}

#[test]
fn codes() {
    let table = [
        (Kattis, 42, "", "accepted"),
        (Kattis, 43, "line 3 differs\n", "wrong: line 3 differs"),
        (Kattis, 43, "", "wrong: the checker rejects the output"),
        (
            Kattis,
            0,
            "",
            "failed: the checker exited with code 0; in the Kattis convention 42 accepts and 43 rejects (is this a testlib checker?)",
        ),
        (
            Kattis,
            1,
            "Traceback",
            "failed: the checker exited with code 1; in the Kattis convention 42 accepts and 43 rejects: Traceback",
        ),
        (Testlib, 0, "ok 3 numbers", "accepted"),
        (Testlib, 1, "wrong answer 1st words differ", "wrong: wrong answer 1st words differ"),
        (Testlib, 2, "", "presentation: the checker rejects the output's presentation"),
        (Testlib, 3, "FAIL no answer", "failed: the checker reports a judge failure: FAIL no answer"),
        (Testlib, 4, "extra tokens", "presentation: extra tokens"),
        (Testlib, 7, "", "failed: the checker gives points, but points are not expected here"),
        (Testlib, 8, "unexpected eof", "wrong: unexpected eof"),
        (
            Testlib,
            42,
            "",
            "failed: the checker exited with code 42, which testlib does not define (is this a Kattis output validator?)",
        ),
        (Testlib, -1, "", "failed: the checker exited with code -1, which testlib does not define"),
    ];
    for (convention, code, message, expected) in table {
        assert_eq!(judgement_text(convention, code, message), expected, "{convention:?} {code}");
    }
}

#[test]
fn messages_name_the_kind_of_program() {
    let Judgement::Wrong(mismatch) = Kattis.judge_exit_code("interactor", 43, "") else { panic!("not rejected") };
    assert_eq!(mismatch.message, "the interactor rejects the output");
    let Judgement::Failed(reason) = Kattis.judge_exit_code("interactor", 0, "") else { panic!("not failed") };
    assert!(reason.starts_with("the interactor exited with code 0; "), "{reason}");
    assert!(reason.ends_with("(is this a testlib interactor?)"), "{reason}");
}

#[test]
fn every_other_code_is_a_failure() {
    for code in -300..300 {
        if !matches!(code, 42 | 43) {
            assert!(matches!(Kattis.judge_exit_code("interactor", code, ""), Judgement::Failed(_)), "{code}");
        }
        if !matches!(code, 0 | 1 | 2 | 4 | 8) {
            assert!(matches!(Testlib.judge_exit_code("interactor", code, ""), Judgement::Failed(_)), "{code}");
        }
    }
}
