//! Two programs that speak with each other: an interactor and a submission.
//!
//! What one writes the other reads, through a [relay] that keeps a [transcript] of it. Each is a run like any other, with
//! limits and walls of its own. Whatever either does, nobody waits for ever: a program that ends, or closes a stream, is
//! noticed at the other end of it as if there were but one pipe between the two; and both have an end on the wall clock.
//! That of the submission comes first, so if each waits for the other it is the submission that is ended.
//!
//! While one computes the other waits, so on the wall clock each is given the time of the other as well.

mod decision;
#[cfg(unix)]
mod relay;
#[cfg(unix)]
mod talk;
#[cfg_attr(not(unix), allow(dead_code, reason = "nobody speaks there"))]
mod transcript;

pub use decision::Decision;
#[cfg(unix)]
pub use talk::interact;
pub use transcript::{Line, Transcript};

use super::{Limits, Luggage, Outcome, Program};
use std::ffi::OsString;

/// One of the two.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Party {
    /// The jury's program.
    Interactor,
    /// The program under test.
    Submission,
}

impl Party {
    /// The one that it speaks with.
    #[must_use]
    pub fn other(self) -> Party {
        match self {
            Party::Interactor => Party::Submission,
            Party::Submission => Party::Interactor,
        }
    }
}

/// A program that is to speak with another, and what it may use.
#[derive(Clone, Copy, Debug)]
pub struct Side<'a> {
    /// The program.
    pub program: &'a Program,
    /// Arguments that follow the program's own.
    pub args: &'a [OsString],
    /// What it may use; the output limit is for what it says. The wall time is that without waiting for the other.
    pub limits: &'a Limits,
    /// Files that it takes along, and what it brings back.
    pub luggage: Option<&'a Luggage>,
}

/// A conversation that is over.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Interaction {
    /// How the interactor ended. What it wrote is in the transcript, and not here.
    pub interactor: Outcome,
    /// How the submission ended. What it wrote is in the transcript, and not here.
    pub submission: Outcome,
    /// Who was the first to end, or to close a stream while the other held its end.
    pub first: Party,
    /// Whether the interactor left first and found against the submission, which was then dismissed.
    pub is_dismissed: bool,
    /// What they said.
    pub transcript: Transcript,
}

impl Interaction {
    /// Whose end decides about the submission.
    pub fn decision(&self) -> Decision {
        decision::decide(self.first, self.is_dismissed, &self.interactor, &self.submission)
    }
}

/// Lets two programs speak with each other until both have ended: not here.
///
/// # Errors
///
/// Always: it takes pipes on which one can wait for several things at once.
#[cfg(not(unix))]
pub fn interact(
    _: &Side<'_>,
    _: &Side<'_>,
    _: &(dyn Fn(&Outcome) -> bool + Sync),
    _: &super::Cancel,
) -> crate::diagnostic::Result<Interaction> {
    Err(crate::diagnostic::Error::operating("programs can speak with each other only on Linux and other Unix systems"))
}
