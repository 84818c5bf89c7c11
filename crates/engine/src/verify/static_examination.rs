//! Static test cases, on which a static validator examines the sources of a submission.

use crate::judging::{JudgeProgram, RunResult};
use rebut_diagnostics::Result;
use rebut_sandbox::CancelToken;

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
