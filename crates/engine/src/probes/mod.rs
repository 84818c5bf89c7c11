//! Probes validators and checkers: they must refuse broken inputs and outputs, accept harmless variants, and never
//! fail.
//!
//! [`collect_input_opinions`] and [`collect_output_opinions`] run the programs; the probes themselves are plain bytes:
//!
//! ```
//! use rebut_engine::probes::{damage_input, junk_outputs};
//!
//! let damaged = damage_input(b"2\n5 3\n");
//! let (_, description, bytes) = damaged.iter().find(|(name, _, _)| *name == "extra-space").expect("a known name");
//! assert_eq!(*description, "there are two spaces where one belongs");
//! assert_eq!(bytes, b"2\n5  3\n");
//! assert!(junk_outputs(b"8\n").iter().any(|(name, _, _)| *name == "nan"));
//! ```

mod answer_probes;
mod damaged_inputs;
mod input_probes;
mod merged_exposures;
mod output_probes;

pub use answer_probes::{AnswerProbe, collect_answer_opinions};
pub use damaged_inputs::damage_input;
pub use input_probes::{InputProbe, collect_input_opinions};
pub use merged_exposures::merge_exposures;
pub use output_probes::{
    ANSWER_PROBE_NAME, OutputProbe, collect_output_opinions, harmless_variants, huge_number_output, junk_outputs,
};

use rebut_diagnostics::{ErrorKind, Result};
use rebut_sandbox::{CancelToken, RunLimits};
use serde::{Deserialize, Serialize};

/// The opinion of a validator or checker, as it is cached.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum JudgeOpinion {
    /// It accepts.
    Accepted,
    /// It refuses, with the reason.
    Refused(String),
    /// It failed, with a description of the failure.
    Failed(String),
}

impl JudgeOpinion {
    /// Converts the result of a validator. A failure of the program is an opinion; a failure of the system is an error.
    pub(super) fn from_answer(answer: Result<Option<String>>) -> Result<JudgeOpinion> {
        match answer {
            Ok(None) => Ok(JudgeOpinion::Accepted),
            Ok(Some(why)) => Ok(JudgeOpinion::Refused(why)),
            Err(error) if error.kind() == ErrorKind::Judge => Ok(JudgeOpinion::Failed(error.message().to_owned())),
            Err(error) => Err(error),
        }
    }
}

/// A cache of opinions. The parts of a key identify the program, its arguments and limits, and the files that it reads.
pub trait OpinionCache: Sync {
    /// Returns the cached opinion.
    fn get_opinion(&self, parts: &[&[u8]]) -> Option<JudgeOpinion>;

    /// Stores an opinion.
    fn store_opinion(&self, parts: &[&[u8]], opinion: &JudgeOpinion);
}

/// The validators to run, and how to run them.
pub struct ValidatorQuery<'a, V> {
    /// The validators.
    pub validators: &'a [V],
    /// Limits on the validators.
    pub limits: RunLimits,
    /// Number of parallel jobs.
    pub jobs: usize,
    /// Cache of opinions.
    pub cache: &'a dyn OpinionCache,
    /// Cancels the work.
    pub cancel: CancelToken,
}

/// Returns the cached opinion, or calls `query` and caches the result. `parts` is the key, or `None` to bypass the cache.
pub(super) fn get_or_query(
    cache: &dyn OpinionCache,
    parts: Option<&[&[u8]]>,
    query: impl FnOnce() -> Result<JudgeOpinion>,
) -> Result<JudgeOpinion> {
    let Some(parts) = parts else { return query() };
    if let Some(known) = cache.get_opinion(parts) {
        return Ok(known);
    }
    let opinion = query()?;
    cache.store_opinion(parts, &opinion);
    Ok(opinion)
}
