//! Scores of a submission on test cases and groups.

use crate::verdict::Verdict;
use serde::{Deserialize, Serialize};

/// The raw contents of a validator's score files.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct FeedbackScore {
    /// `score.txt`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub score: Option<String>,
    /// `score_multiplier.txt`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub multiplier: Option<String>,
}

/// The result of a submission on a test case.
#[derive(Clone, Copy, Debug)]
pub struct CaseOutcome<'a> {
    /// Name of the test case.
    pub name: &'a str,
    /// Verdict on the test case.
    pub verdict: Verdict,
    /// Score files of the output validator.
    pub feedback: &'a FeedbackScore,
}

/// The result of a submission on a group of test cases.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct GroupScore {
    /// Name of the group: a path below `data/`.
    pub group: String,
    /// Verdict on the group.
    pub verdict: Verdict,
    /// Score; `None` if the group is rejected and has no score.
    pub score: Option<f64>,
    /// Best possible score, if there is one.
    pub best: Option<f64>,
}

/// The results of a submission, in total and on each group.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SubmissionScore {
    /// Result in total.
    pub total: GroupScore,
    /// Results on each group of secret test cases, in order.
    pub groups: Vec<GroupScore>,
}

impl FeedbackScore {
    /// Returns true if no score file was written.
    pub fn is_empty(&self) -> bool {
        self.score.is_none() && self.multiplier.is_none()
    }

    /// Parses `score.txt`.
    ///
    /// # Errors
    ///
    /// Returns an error if it does not contain a single number.
    pub(super) fn parse_points(&self) -> Result<Option<f64>, String> {
        self.score.as_deref().map(|text| parse_single_number(text, "score.txt")).transpose()
    }

    /// Parses `score_multiplier.txt`.
    ///
    /// # Errors
    ///
    /// Returns an error if it does not contain a single number.
    pub(super) fn parse_multiplier(&self) -> Result<Option<f64>, String> {
        self.multiplier.as_deref().map(|text| parse_single_number(text, "score_multiplier.txt")).transpose()
    }
}

/// Parses a file that consists of a single number.
fn parse_single_number(text: &str, file: &str) -> Result<f64, String> {
    let found = text.trim().parse::<f64>().ok().filter(|number| number.is_finite());
    found.ok_or_else(|| {
        let shown: String = text.trim().chars().take(40).filter(|c| !c.is_control()).collect();
        format!("`{file}` should contain a single number, not `{shown}`")
    })
}

/// Rounds to six decimals, as judges do, which removes rounding errors of sums.
pub(super) fn round_score(score: f64) -> f64 {
    const PRECISION: f64 = 1e6;
    let rounded = (score * PRECISION).round() / PRECISION;
    if rounded.is_finite() { rounded } else { score }
}
