//! The exit codes of checkers and interactors.
//!
//! Two conventions are in use, and they contradict each other: exit code 0 means accepted for testlib and a crash for a
//! Kattis output validator. So the convention is always stated, never guessed.

use crate::judgement::{Judgement, Mismatch};

/// A convention for the exit codes of checkers and interactors.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ExitCodeConvention {
    /// Output validators of the problem package format: 42 accepts, 43 rejects.
    Kattis,
    /// Checkers written with testlib: 0 accepts, 1 and others reject, 3 reports a judge error.
    Testlib,
}

/// The meaning of an exit code, without the program's message.
enum ExitCodeMeaning {
    Accepted,
    Wrong,
    Presentation,
    Failed(&'static str),
}

impl ExitCodeConvention {
    /// Returns the judgement for an exit code of a judge program; `message` is its own output. `judge` is what it is in
    /// messages, such as `checker` or `interactor`.
    pub fn judge_exit_code(self, judge: &str, code: i32, message: &str) -> Judgement {
        match self.exit_code_meaning(code) {
            Some(ExitCodeMeaning::Accepted) => Judgement::Accepted,
            Some(ExitCodeMeaning::Wrong) => {
                rejected_judgement(message, &format!("the {judge} rejects the output"), false)
            }
            Some(ExitCodeMeaning::Presentation) => {
                rejected_judgement(message, &format!("the {judge} rejects the output's presentation"), true)
            }
            Some(ExitCodeMeaning::Failed(reason)) => {
                Judgement::Failed(join_reason(&format!("the {judge} {reason}"), message))
            }
            None => {
                let reason = self.describe_unknown_code(judge, code);
                Judgement::Failed(join_reason(&format!("the {judge} exited with code {code}{reason}"), message))
            }
        }
    }

    /// Returns true if the message of a program with this exit code starts with points.
    pub fn gives_points(self, code: i32) -> bool {
        (self, code) == (Self::Testlib, 7)
    }

    /// Returns the meaning of an exit code, or `None` if the convention does not define it.
    fn exit_code_meaning(self, code: i32) -> Option<ExitCodeMeaning> {
        Some(match (self, code) {
            (Self::Kattis, 42) => ExitCodeMeaning::Accepted,
            (Self::Kattis, 43) => ExitCodeMeaning::Wrong,
            (Self::Testlib, 0) => ExitCodeMeaning::Accepted,
            (Self::Testlib, 1) => ExitCodeMeaning::Wrong,
            (Self::Testlib, 2) => ExitCodeMeaning::Presentation,
            (Self::Testlib, 3) => ExitCodeMeaning::Failed("reports a judge failure"),
            // `_dirt` in testlib: extra text after a correct output.
            (Self::Testlib, 4) => ExitCodeMeaning::Presentation,
            (Self::Testlib, 7) => ExitCodeMeaning::Failed("gives points, but points are not expected here"),
            // `_unexpected_eof` in testlib: the output ended too early.
            (Self::Testlib, 8) => ExitCodeMeaning::Wrong,
            _ => return None,
        })
    }

    /// Describes an undefined exit code, with a hint at the likeliest mistake.
    fn describe_unknown_code(self, judge: &str, code: i32) -> String {
        const KATTIS: &str = "; in the Kattis convention 42 accepts and 43 rejects";
        match (self, code) {
            (Self::Kattis, 0) => format!("{KATTIS} (is this a testlib {judge}?)"),
            (Self::Kattis, _) => KATTIS.to_owned(),
            (Self::Testlib, 42 | 43) => {
                ", which testlib does not define (is this a Kattis output validator?)".to_owned()
            }
            (Self::Testlib, _) => ", which testlib does not define".to_owned(),
        }
    }
}

/// Returns a rejection with the program's message, or else the default one.
fn rejected_judgement(message: &str, default_message: &str, presentation: bool) -> Judgement {
    let message = if message.trim().is_empty() { default_message } else { message.trim() };
    Judgement::Wrong(Mismatch { message: message.to_owned(), presentation, ..Mismatch::default() })
}

/// Joins a reason and the program's message, if there is one.
fn join_reason(reason: &str, message: &str) -> String {
    match message.trim() {
        "" => reason.to_owned(),
        message => format!("{reason}: {message}"),
    }
}
