//! The result of a submission on a test case, and the cache for such results.

use crate::judging::{JudgeProgram, RunResult, failure_message};
use rebut_diagnostics::Result;
use rebut_packages::score::FeedbackScore;
use rebut_packages::verdict::Verdict;
use rebut_sandbox::{CancelToken, RunOutcome};
use serde::{Deserialize, Serialize};

/// The result of a submission on a test case.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct VerdictCell {
    /// The verdict.
    pub verdict: Verdict,
    /// Processor time, in microseconds.
    pub cpu_time_us: u64,
    /// Elapsed time, in microseconds.
    pub wall_time_us: u64,
    /// Peak memory in bytes.
    pub memory_peak_bytes: u64,
    /// Why it was not accepted; empty if it was.
    pub message: String,
    /// Whether it was stopped, so that it would have taken longer.
    pub was_stopped: bool,
    /// Whether it was idle until it was stopped.
    pub was_idle: bool,
    /// Whether its time is so close to the limit that the verdict may differ on another machine.
    pub is_close: bool,
    /// The score that the judge program gave.
    #[serde(default, skip_serializing_if = "FeedbackScore::is_empty")]
    pub given: FeedbackScore,
}

impl VerdictCell {
    /// Converts a run result.
    pub(super) fn from_run_result(result: &RunResult) -> VerdictCell {
        let RunOutcome { cpu_time_us, wall_time_us, memory_peak_bytes, .. } = result.outcome;
        VerdictCell {
            verdict: result.verdict,
            cpu_time_us,
            wall_time_us,
            memory_peak_bytes,
            message: match result.verdict {
                Verdict::Accepted => String::new(),
                verdict => shorten_message(&failure_message(result), verdict),
            },
            was_stopped: result.outcome.limit.is_some() && !result.outcome.is_near_time_limit(),
            was_idle: result.outcome.is_idle(),
            is_close: result.outcome.is_near_time_limit(),
            given: result.feedback_score.clone(),
        }
    }
}

/// Returns the first non-empty line, since checkers can print whole pages. If the judge program failed, returns all
/// lines, since the last one probably has the cause. Long messages are shortened in the middle.
fn shorten_message(text: &str, verdict: Verdict) -> String {
    const MAX_MESSAGE_CHARS: usize = 300;
    let mut lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    let text = match verdict {
        Verdict::JudgeError => lines.collect::<Vec<_>>().join(" "),
        _ => lines.next().unwrap_or_default().to_owned(),
    };
    let length = text.chars().count();
    if length <= MAX_MESSAGE_CHARS {
        return text;
    }
    let (start, end) =
        (text.chars().take(MAX_MESSAGE_CHARS / 3), text.chars().skip(length - 2 * MAX_MESSAGE_CHARS / 3));
    format!("{} ... {}", start.collect::<String>(), end.collect::<String>())
}

/// A cache of cells. A key is a digest of the submission, the test case, the judge and the limits.
pub trait CellCache: Sync {
    /// Returns the cached cell.
    fn get_cell(&self, key: &str) -> Option<VerdictCell>;

    /// Stores a cell. Failures are ignored: they only cost another run.
    fn store_cell(&self, key: &str, cell: &VerdictCell);

    /// Returns the digest that keys are made of.
    fn digest_parts(&self, parts: &[&[u8]]) -> String;
}

/// A cache that stores nothing.
pub struct NoCellCache;

impl CellCache for NoCellCache {
    fn get_cell(&self, _: &str) -> Option<VerdictCell> {
        None
    }

    fn store_cell(&self, _: &str, _: &VerdictCell) {}

    fn digest_parts(&self, _: &[&[u8]]) -> String {
        String::new()
    }
}

// Static test cases, on which a static validator examines the sources of a submission.

/// The sources of a submission, as given to a static validator.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SubmissionSources {
    /// Names and contents of the files.
    pub files: Vec<(String, Vec<u8>)>,
    /// Code of the language.
    pub language: String,
    /// The main file or class; empty if the language has none.
    pub entry_point: String,
}

/// Runs the static validator on a submission.
pub(super) fn examine_submission(
    examiner: &JudgeProgram,
    sources: &SubmissionSources,
    cancel: &CancelToken,
) -> Result<RunResult> {
    examiner.examine_sources(&sources.files, [&sources.language, &sources.entry_point], cancel)
}
