//! Test sets that are built.

use super::candidate_selection::CandidateSelection;
use super::input_profile::GoalReached;
use rebut_packages::TestSetChanges;
use serde::Serialize;

/// A test set that was built. Paths are relative to `data/`.
#[derive(Clone, Debug, Default, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct BuildSummary {
    /// The tests in order.
    pub tests: Vec<BuiltTest>,
    /// Coverage goals, with the number of tests that reach each.
    pub goals: Vec<GoalReached>,
    /// How tests were selected among candidates; `None` if there are none, or if an earlier build selected them.
    pub selection: Option<CandidateSelection>,
    /// How the files differ from the existing ones.
    #[serde(flatten)]
    pub changes: TestSetChanges,
    /// Number of flaws. A test set with flaws is not written.
    pub flaws: usize,
    /// Whether the test set was written.
    pub written: bool,
}

/// Progress of building a test set.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct BuildProgress {
    /// The current stage.
    pub stage: BuildStage,
    /// Number of items done.
    pub done: usize,
    /// Total number of items.
    pub of: usize,
    /// Time since the build started, in milliseconds.
    pub elapsed_ms: u64,
}

/// A stage of building a test set.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum BuildStage {
    /// Generating inputs.
    Inputs,
    /// Computing answers, and checking inputs and answers with validators and accepted submissions.
    Answers,
}

/// A test of a test set.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct BuiltTest {
    /// Path relative to `data/`, without extension.
    pub name: String,
    /// Shape or source of the input.
    pub shape: String,
    /// Number of cases in the input.
    pub cases: usize,
    /// Size of the input in bytes.
    pub bytes: usize,
    /// Whether an earlier build made it.
    pub kept: bool,
}
