//! Steps of a command, and warnings.

use serde::Serialize;

/// A step of a command, with its progress.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct ActivityEvent {
    /// A verb, such as `Shrinking`.
    pub verb: &'static str,
    /// The program, package or file that it is about.
    pub subject: String,
    /// Number of items done.
    pub done: u64,
    /// Total number of items, if known.
    pub of: Option<u64>,
    /// Plural noun for the items; empty if nothing is counted.
    pub noun: &'static str,
}

impl ActivityEvent {
    /// Returns an activity without a count.
    pub fn new(verb: &'static str, subject: impl Into<String>) -> ActivityEvent {
        ActivityEvent { verb, subject: subject.into(), ..ActivityEvent::default() }
    }
}

/// A warning about something that can change a verdict or lose a finding.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct WarningEvent {
    /// The message.
    pub message: String,
    /// How to resolve it.
    pub help: Option<String>,
}
