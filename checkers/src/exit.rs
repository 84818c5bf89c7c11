//! What the exit code of an external checker means.
//!
//! Two conventions are in use and they contradict each other: exit code 0 is the testlib way to accept and,
//! for a Kattis output validator, a sign that it broke. So a convention is always stated, never guessed.

use crate::judgement::{Judgement, Mismatch};

/// Whose exit codes an external checker speaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Convention {
    /// Output validators of the problem package format: 42 accepts, 43 rejects.
    Kattis,
    /// Checkers written with testlib: 0 accepts, 1 and others reject, 3 says that the jury erred.
    Testlib,
}

/// What one code means, before the checker's own words are added.
enum Meaning {
    Accepted,
    Wrong,
    Presentation,
    Failed(&'static str),
}

impl Convention {
    /// The judgement that an exit code stands for; `message` is what the checker wrote about it.
    pub fn judgement(self, code: i32, message: String) -> Judgement {
        match self.meaning(code) {
            Some(Meaning::Accepted) => Judgement::Accepted,
            Some(Meaning::Wrong) => wrong(&message, "the checker rejects the output", false),
            Some(Meaning::Presentation) => wrong(&message, "the checker rejects the output's presentation", true),
            Some(Meaning::Failed(reason)) => Judgement::Failed(join(reason, &message)),
            None => Judgement::Failed(join(&self.unknown(code), &message)),
        }
    }

    /// Whether a code says that the message begins with points.
    pub fn gives_points(self, code: i32) -> bool {
        (self, code) == (Self::Testlib, 7)
    }

    /// The table.
    fn meaning(self, code: i32) -> Option<Meaning> {
        Some(match (self, code) {
            (Self::Kattis, 42) => Meaning::Accepted,
            (Self::Kattis, 43) => Meaning::Wrong,
            (Self::Testlib, 0) => Meaning::Accepted,
            (Self::Testlib, 1) => Meaning::Wrong,
            (Self::Testlib, 2) => Meaning::Presentation,
            (Self::Testlib, 3) => Meaning::Failed("the checker reports a failure of the jury's side"),
            // Dirt: something is left after a right output.
            (Self::Testlib, 4) => Meaning::Presentation,
            (Self::Testlib, 7) => Meaning::Failed("the checker gives points, and nobody asked for any"),
            // The output ended too early.
            (Self::Testlib, 8) => Meaning::Wrong,
            _ => return None,
        })
    }

    /// The refusal of a code that the convention does not have, with a word on the likeliest mistake.
    fn unknown(self, code: i32) -> String {
        match (self, code) {
            (Self::Kattis, 0) => "the checker ended with exit code 0; by the Kattis convention \
                                  42 accepts and 43 rejects (a testlib checker?)"
                .to_owned(),
            (Self::Kattis, _) => {
                format!("the checker ended with exit code {code}; by the Kattis convention 42 accepts and 43 rejects")
            }
            (Self::Testlib, 42 | 43) => format!(
                "the checker ended with exit code {code}, which testlib does not have (a Kattis output validator?)"
            ),
            (Self::Testlib, _) => format!("the checker ended with exit code {code}, which testlib does not have"),
        }
    }
}

/// A rejection in the checker's own words, if it had any.
fn wrong(message: &str, otherwise: &str, presentation: bool) -> Judgement {
    let message = if message.trim().is_empty() { otherwise } else { message.trim() };
    Judgement::Wrong(Mismatch { message: message.to_owned(), presentation, ..Mismatch::default() })
}

/// A reason, and the checker's own words if it had any.
fn join(reason: &str, message: &str) -> String {
    match message.trim() {
        "" => reason.to_owned(),
        message => format!("{reason}: {message}"),
    }
}
