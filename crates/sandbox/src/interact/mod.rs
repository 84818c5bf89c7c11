//! Interactions: an interactor and a submission that write to each other.
//!
//! The output of each program is the input of the other, through a `relay` that records a `transcript`. Each is a run
//! like any other, with limits and a sandbox of its own. No program waits forever: the end of a program, or of a
//! stream, is visible at the other end as if a single pipe connected the two; and both have a wall time limit. The
//! submission's limit comes first, so if each waits for the other, the submission is stopped.
//!
//! While one program computes the other waits, so the wall time of each includes the other's.

#[cfg(unix)]
mod conversation;
mod decision;
#[cfg(unix)]
mod pipe_readers;
#[cfg(unix)]
mod relay;
#[cfg_attr(not(unix), allow(dead_code, reason = "interactions need Unix"))]
mod transcript;

#[cfg(unix)]
pub use conversation::run_interaction;
pub use decision::InteractionDecision;
pub use transcript::{ConversationLength, Transcript, TranscriptLine};

use super::{Program, RunFiles, RunLimits, RunOutcome};
use std::ffi::OsString;

/// One of the two programs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum InteractionParty {
    /// The program that judges.
    Interactor,
    /// The program under test.
    Submission,
}

impl InteractionParty {
    /// Returns its partner.
    #[must_use]
    pub fn other_party(self) -> InteractionParty {
        match self {
            InteractionParty::Interactor => InteractionParty::Submission,
            InteractionParty::Submission => InteractionParty::Interactor,
        }
    }
}

/// A program that takes part in an interaction, and its limits.
#[derive(Clone, Copy, Debug)]
pub struct InteractionSide<'a> {
    /// The program.
    pub program: &'a Program,
    /// Arguments that follow the program's own.
    pub args: &'a [OsString],
    /// Its limits; the output limit applies to what it writes to its partner. The wall time does not include waiting
    /// for the partner.
    pub limits: &'a RunLimits,
    /// Files that are attached to the run, and names of files to collect.
    pub files: Option<&'a RunFiles>,
}

/// A finished interaction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Interaction {
    /// How the interactor ended. Its output is in the transcript only.
    pub interactor: RunOutcome,
    /// How the submission ended. Its output is in the transcript only.
    pub submission: RunOutcome,
    /// The first party to end in the order of cause and effect. A submission that ended counts only if the interactor
    /// read the end of its output: an interactor that judges by messages alone is the first.
    pub first_to_leave: InteractionParty,
    /// True if the submission ended without a sign of the end of the interactor.
    pub ended_by_itself: bool,
    /// True if the interactor left first and rejected the submission, which was then dismissed.
    pub is_dismissed: bool,
    /// The data exchanged.
    pub transcript: Transcript,
}

impl Interaction {
    /// Returns which program's end decides about the submission.
    pub fn decision(&self) -> InteractionDecision {
        decision::decide_interaction(self.first_to_leave, self.is_dismissed, &self.interactor, &self.submission)
    }
}

/// Not supported on this system.
///
/// # Errors
///
/// Always returns an error: interactions need to wait for several pipes at once.
#[cfg(not(unix))]
pub fn run_interaction(
    _: &InteractionSide<'_>,
    _: &InteractionSide<'_>,
    _: &(dyn Fn(&RunOutcome) -> bool + Sync),
    _: &super::CancelToken,
) -> rebut_diagnostics::Result<Interaction> {
    Err(rebut_diagnostics::Error::operating_error("interactions are supported only on Linux and other Unix systems"))
}
