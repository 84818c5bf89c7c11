//! Two reports of the same package, compared.

use serde::Serialize;

/// The changes between two reports.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct ReportComparison {
    /// Short name of the problem.
    pub problem: String,
    /// Name of the earlier report.
    pub before: String,
    /// Name of the later report.
    pub after: String,
    /// Submissions that only the later report has.
    pub submissions_added: Vec<String>,
    /// Submissions that only the earlier report has.
    pub submissions_gone: Vec<String>,
    /// Test cases that only the later report has.
    pub test_cases_added: Vec<String>,
    /// Test cases that only the earlier report has.
    pub test_cases_gone: Vec<String>,
    /// Overall verdicts and met expectations that changed, by submission.
    pub results: Vec<ResultChange>,
    /// Verdicts on single test cases that changed.
    pub verdicts: Vec<VerdictChange>,
    /// Times that changed by more than runs usually differ.
    pub times: Vec<TimeChange>,
}

/// The change of a submission's result.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct ResultChange {
    /// Name of the submission.
    pub submission: String,
    /// Verdict code before, and whether the expectation was met.
    pub before: (String, bool),
    /// Verdict code after, and whether the expectation is met.
    pub after: (String, bool),
}

/// The change of a verdict on a test case.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct VerdictChange {
    /// Name of the submission.
    pub submission: String,
    /// Name of the test case.
    pub test_case: String,
    /// Verdict code before.
    pub before: String,
    /// Verdict code after.
    pub after: String,
}

/// The change of the time of a submission on a test case.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct TimeChange {
    /// Name of the submission.
    pub submission: String,
    /// Name of the test case on which it changed the most.
    pub test_case: String,
    /// Processor time before, in milliseconds.
    pub before_ms: u64,
    /// Processor time after, in milliseconds.
    pub after_ms: u64,
}

impl ReportComparison {
    /// Returns true if nothing changed; times do not count, since other machines and other days have other ones.
    pub fn is_unchanged(&self) -> bool {
        let names = [&self.submissions_added, &self.submissions_gone, &self.test_cases_added, &self.test_cases_gone];
        names.iter().all(|names| names.is_empty()) && self.results.is_empty() && self.verdicts.is_empty()
    }
}
