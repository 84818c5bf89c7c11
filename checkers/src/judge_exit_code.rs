//! The exit codes of checker programs, which judge outputs.
//!
//! Two conventions are in use, and they contradict each other: exit code 0 means accepted for testlib and a crash for a
//! Kattis output validator. So the convention is always stated, never guessed.

use crate::judgement::{Judgement, Mismatch};

/// A convention for the exit codes of checker programs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ExitCodeConvention {
    /// Output validators of the problem package format: 42 accepts, 43 rejects.
    Kattis,
    /// Checkers written with testlib: 0 accepts, 1 and others reject, 3 reports a judge error.
    Testlib,
}

/// The meaning of an exit code, without the checker's message.
enum ExitCodeMeaning {
    Accepted,
    Wrong,
    Presentation,
    Failed(&'static str),
}

impl ExitCodeConvention {
    /// Returns the judgement for an exit code; `message` is the checker's own output.
    pub fn judge_exit_code(self, code: i32, message: String) -> Judgement {
        match self.exit_code_meaning(code) {
            Some(ExitCodeMeaning::Accepted) => Judgement::Accepted,
            Some(ExitCodeMeaning::Wrong) => rejected_judgement(&message, "the checker rejects the output", false),
            Some(ExitCodeMeaning::Presentation) => {
                rejected_judgement(&message, "the checker rejects the output's presentation", true)
            }
            Some(ExitCodeMeaning::Failed(reason)) => Judgement::Failed(join_reason(reason, &message)),
            None => Judgement::Failed(join_reason(&self.unknown_code_message(code), &message)),
        }
    }

    /// Returns true if the message of a checker with this exit code starts with points.
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
            (Self::Testlib, 3) => ExitCodeMeaning::Failed("the checker reports a judge failure"),
            // `_dirt` in testlib: extra text after a correct output.
            (Self::Testlib, 4) => ExitCodeMeaning::Presentation,
            (Self::Testlib, 7) => ExitCodeMeaning::Failed("the checker gives points, but points are not expected here"),
            // `_unexpected_eof` in testlib: the output ended too early.
            (Self::Testlib, 8) => ExitCodeMeaning::Wrong,
            _ => return None,
        })
    }

    /// Returns the error message for an undefined exit code, with a hint at the likeliest mistake.
    fn unknown_code_message(self, code: i32) -> String {
        match (self, code) {
            (Self::Kattis, 0) => "the checker exited with code 0; in the Kattis convention \
                                  42 accepts and 43 rejects (is this a testlib checker?)"
                .to_owned(),
            (Self::Kattis, _) => {
                format!("the checker exited with code {code}; in the Kattis convention 42 accepts and 43 rejects")
            }
            (Self::Testlib, 42 | 43) => format!(
                "the checker exited with code {code}, which testlib does not define (is this a Kattis output validator?)"
            ),
            (Self::Testlib, _) => format!("the checker exited with code {code}, which testlib does not define"),
        }
    }
}

/// Returns a rejection with the checker's message, or else the default one.
fn rejected_judgement(message: &str, default_message: &str, presentation: bool) -> Judgement {
    let message = if message.trim().is_empty() { default_message } else { message.trim() };
    Judgement::Wrong(Mismatch { message: message.to_owned(), presentation, ..Mismatch::default() })
}

/// Joins a reason and the checker's message, if there is one.
fn join_reason(reason: &str, message: &str) -> String {
    match message.trim() {
        "" => reason.to_owned(),
        message => format!("{reason}: {message}"),
    }
}
