//! Test sets that are built.

use super::verification::GoalReached;
use rebut_diagnostics::{DiagnosticText, Error};
use rebut_packages::TestSetChanges;
use serde::{Deserialize, Serialize};

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

// Flaws of a test set.

/// A flaw of a test set. A test set with flaws is not written.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct BuildFlaw {
    /// Index of the entry in the recipe.
    #[serde(skip)]
    pub order: usize,
    /// Name of the test.
    pub test: String,
    /// Kind of flaw.
    pub kind: BuildFlawKind,
    /// The message.
    pub message: String,
    /// Details: the position in the input, or the output of a program.
    #[cfg_attr(test, schemars(with = "Option<String>"))]
    pub note: Option<DiagnosticText>,
}

impl BuildFlaw {
    /// A flaw without details; the arguments are the fields.
    pub fn new(order: usize, test: &str, kind: BuildFlawKind, message: impl Into<String>) -> BuildFlaw {
        BuildFlaw { order, test: test.to_owned(), kind, message: message.into(), note: None }
    }

    pub(crate) fn from_error(order: usize, test: &str, kind: BuildFlawKind, error: &Error) -> BuildFlaw {
        BuildFlaw::new(order, test, kind, error.message()).with_note(error.note().unwrap_or_default())
    }

    /// Adds details, unless they are blank.
    #[must_use]
    pub fn with_note(mut self, note: impl Into<DiagnosticText>) -> BuildFlaw {
        self.note = note.into().trim_blank_end();
        self
    }
}

/// Kinds of flaws.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum BuildFlawKind {
    // The names in JSON are those of version 1 of the events.
    /// An input of the recipe cannot be generated.
    #[serde(rename = "unmade")]
    NotGenerated,
    /// An input given in the recipe is invalid, or violates the restrictions in the recipe.
    Invalid,
    /// A generator failed, printed an invalid input, or is not deterministic.
    Generator,
    /// The format and a validator disagree about an input.
    Disagreement,
    /// A validator failed.
    Validator,
    /// The reference failed or was too slow.
    NoAnswer,
    /// The stated answer differs from that of the reference, or an answer validator refuses the answer.
    Answer,
    /// An accepted submission fails.
    Contradiction,
    /// The judge program failed.
    #[serde(rename = "referee")]
    Judge,
}

impl BuildFlawKind {
    /// Returns the party to blame for flaws of this kind.
    pub fn blame(self) -> FlawBlame {
        match self {
            BuildFlawKind::NotGenerated | BuildFlawKind::Invalid => FlawBlame::Recipe,
            BuildFlawKind::Generator | BuildFlawKind::Validator | BuildFlawKind::NoAnswer | BuildFlawKind::Judge => {
                FlawBlame::Judge
            }
            BuildFlawKind::Disagreement | BuildFlawKind::Answer | BuildFlawKind::Contradiction => FlawBlame::Unclear,
        }
    }
}

/// The party to blame for a flaw, which determines the exit status.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum FlawBlame {
    /// Two programs, or a program and the format, disagree; either can be wrong.
    Unclear,
    /// The recipe.
    Recipe,
    /// A judge program.
    Judge,
}

// The selection of tests from candidates.

/// The selection of tests from candidates, in figures.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct CandidateSelection {
    /// Number of candidates, including the tests that are kept in any case.
    pub candidates: usize,
    /// Number of tests that were selected.
    pub tests: usize,
    /// Number of these that the programs demand. The others are those that differ the most from all before.
    pub needed: usize,
    /// Number of demanded tests that kill each program, if so many candidates do. 0 if a killable program survives.
    pub depth: usize,
    /// Number of tests that every selection of this depth has at least; for depth 0, that of depth 1.
    pub lower_bound: usize,
    /// Number of wrong submissions and mutants.
    pub programs: usize,
    /// Number of these that are left out, since they time out on candidates.
    pub timed_out: usize,
    /// Number of these that a selected test kills.
    pub killed: usize,
    /// Number of these that a candidate kills.
    pub killable: usize,
    /// How often candidates killed what none before them did.
    pub novelty: CandidateNovelty,
}

/// How often a candidate has a new signature: the set of the programs that it kills, of those that few candidates kill.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct CandidateNovelty {
    /// Number of candidates that were drawn.
    pub inputs: u64,
    /// Number of different signatures.
    pub signatures: u64,
    /// Number of signatures that one candidate has.
    pub seen_once: u64,
    /// Number of signatures that two candidates have.
    pub seen_twice: u64,
    /// Number of candidates after the last new signature.
    pub since_new: u64,
}

impl CandidateNovelty {
    /// Returns an upper bound on the probability that the next candidate has a new signature, at 95 % confidence: no one of
    /// the last ones had. `None` if the last one was new.
    pub fn bound_by_silence(&self) -> Option<f64> {
        (self.since_new > 0).then(|| (3.0 / self.since_new as f64).min(1.0))
    }

    /// Returns the estimate of Good and Turing of the same probability, and half of the width of its interval at 95 %
    /// (Esty 1983). `None` if nothing was drawn.
    pub fn estimate(&self) -> Option<(f64, f64)> {
        if self.inputs == 0 {
            return None;
        }
        let n = self.inputs as f64;
        let (once, twice) = (self.seen_once as f64 / n, self.seen_twice as f64 / n);
        let variance = (once * (1.0 - once) + 2.0 * twice) / n;
        Some((once, 1.96 * variance.max(0.0).sqrt()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn estimates_follow_from_the_counts() {
        let novelty = CandidateNovelty { inputs: 100, signatures: 9, seen_once: 4, seen_twice: 2, since_new: 30 };
        assert_eq!(novelty.bound_by_silence(), Some(0.1));
        let (estimate, half_width) = novelty.estimate().unwrap_or_default();
        assert!((estimate - 0.04).abs() < 1e-12 && (half_width - 1.96 * 0.0784_f64.sqrt() / 10.0).abs() < 1e-12);
        assert_eq!(CandidateNovelty::default().estimate(), None);
        assert_eq!(CandidateNovelty { inputs: 5, ..CandidateNovelty::default() }.bound_by_silence(), None);
    }
}
