//! Validators and checkers on trial: what is broken they have to refuse, what is harmless they have to accept, and nothing
//! may make them fail.

mod damage;
mod inputs;
mod merged;
mod outputs;

pub use damage::damaged;
pub use inputs::{InputProbe, opinions};
pub use merged::merged;
pub use outputs::{OutputProbe, THE_ANSWER, harmless, huge_number, junk, output_opinions};

use crate::diagnostic::{ErrorKind, Result};
use crate::run::{Cancel, Limits};
use serde::{Deserialize, Serialize};

/// What somebody says of something, as it can be remembered.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Opinion {
    /// It is fine.
    Accepted,
    /// It is not, and why.
    Refused(String),
    /// It failed itself, and how.
    Failed(String),
}

impl Opinion {
    /// What a question came to: that a jury's program fails is an opinion here, what the machine does is not.
    pub(super) fn of(answer: Result<Option<String>>) -> Result<Opinion> {
        match answer {
            Ok(None) => Ok(Opinion::Accepted),
            Ok(Some(why)) => Ok(Opinion::Refused(why)),
            Err(error) if error.kind() == ErrorKind::Judge => Ok(Opinion::Failed(error.message().to_owned())),
            Err(error) => Err(error),
        }
    }
}

/// What was learnt of opinions before, by a key of all that decides one.
pub trait Opinions: Sync {
    /// What is known.
    fn recall(&self, parts: &[&[u8]]) -> Option<Opinion>;

    /// Keeps it.
    fn remember(&self, parts: &[&[u8]], opinion: &Opinion);
}

/// Who is asked, and how.
pub struct Asking<'a, V> {
    /// The validators.
    pub validators: &'a [V],
    /// What they may use.
    pub limits: Limits,
    /// How many questions there are at a time.
    pub jobs: usize,
    /// What is known from earlier.
    pub memory: &'a dyn Opinions,
    /// Stops the work.
    pub cancel: Cancel,
}

/// What is known of a question, or else what comes of asking it, which is remembered. The parts are all that decides it;
/// none if nobody knows that.
pub(super) fn known_or(
    memory: &dyn Opinions,
    parts: Option<&[&[u8]]>,
    ask: impl FnOnce() -> Result<Opinion>,
) -> Result<Opinion> {
    let Some(parts) = parts else { return ask() };
    if let Some(known) = memory.recall(parts) {
        return Ok(known);
    }
    let opinion = ask()?;
    memory.remember(parts, &opinion);
    Ok(opinion)
}
