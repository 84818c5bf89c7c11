//! What a submission got: on a test case, and for a group of them.

use crate::verdict::Verdict;
use serde::{Deserialize, Serialize};

/// What a program of the jury wrote about the points of a run, as it wrote it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Given {
    /// `score.txt`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub score: Option<String>,
    /// `score_multiplier.txt`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub multiplier: Option<String>,
}

/// What a submission got on a test case.
#[derive(Clone, Copy, Debug)]
pub struct Outcome<'a> {
    /// The name of the test case.
    pub name: &'a str,
    /// What it got.
    pub verdict: Verdict,
    /// What was said of its points.
    pub given: &'a Given,
}

/// What a submission got for a group of test cases.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Mark {
    /// The name of the group, a path below `data/`.
    pub group: String,
    /// What it got on the whole.
    pub verdict: Verdict,
    /// Its points; none where what is not accepted has none.
    pub score: Option<f64>,
    /// The best score that there is, if there is one.
    pub best: Option<f64>,
}

/// What a submission got, for everything and for each group.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Marks {
    /// For everything.
    pub total: Mark,
    /// For each group of secret test cases, in the order of the groups.
    pub groups: Vec<Mark>,
}

impl Given {
    /// Whether nothing was said.
    pub fn is_nothing(&self) -> bool {
        self.score.is_none() && self.multiplier.is_none()
    }

    /// The points in `score.txt`.
    ///
    /// # Errors
    /// If there is something else in it.
    pub(super) fn points(&self) -> Result<Option<f64>, String> {
        self.score.as_deref().map(|text| number(text, "score.txt")).transpose()
    }

    /// The factor in `score_multiplier.txt`.
    ///
    /// # Errors
    /// If there is something else in it.
    pub(super) fn factor(&self) -> Result<Option<f64>, String> {
        self.multiplier.as_deref().map(|text| number(text, "score_multiplier.txt")).transpose()
    }
}

/// The one number of a file.
fn number(text: &str, file: &str) -> Result<f64, String> {
    let found = text.trim().parse::<f64>().ok().filter(|number| number.is_finite());
    found.ok_or_else(|| {
        let shown: String = text.trim().chars().take(40).filter(|c| !c.is_control()).collect();
        format!("`{file}` should hold one number, and holds `{shown}`")
    })
}

/// The same to six decimals, as judges print scores: what adding up leaves behind is not told.
pub(super) fn rounded(score: f64) -> f64 {
    const PRECISION: f64 = 1e6;
    let rounded = (score * PRECISION).round() / PRECISION;
    if rounded.is_finite() { rounded } else { score }
}
