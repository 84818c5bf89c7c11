//! Statistics of a sample of inputs.

use rebut_format::coverage::{CoverageGoal, CoverageGoalKind};
use serde::Serialize;

/// Statistics of a sample of inputs: the distribution of answers, and the coverage goals reached.
#[derive(Clone, Debug, Default, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct InputProfile {
    /// Seed of the inputs.
    pub seed: u64,
    /// Number of generated inputs.
    pub inputs: u64,
    /// Number of inputs on which the reference was too slow or failed.
    pub unanswered: u64,
    /// Number of different answers; 0 without a reference.
    pub different: u64,
    /// Entropy of the answers in bits; 0 if all are equal.
    pub entropy_bits: f64,
    /// The most frequent answers. A submission that always prints one of them passes that number of inputs.
    pub most_common: Vec<AnswerCount>,
    /// Statistics for each shape.
    pub shapes: Vec<ShapeProfile>,
    /// Coverage goals, with the number of inputs that reach each.
    pub goals: Vec<GoalReached>,
}

/// An answer and its frequency.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct AnswerCount {
    /// The answer, shortened.
    pub answer: String,
    /// Number of inputs with this answer.
    pub inputs: u64,
}

/// Statistics of the answers to inputs of one shape.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct ShapeProfile {
    /// Name of the shape.
    pub name: String,
    /// Number of answers.
    pub answers: u64,
    /// Number of different answers.
    pub different: u64,
    /// Entropy of the answers in bits.
    pub entropy_bits: f64,
    /// The most frequent answer.
    pub most_common: Option<AnswerCount>,
}

/// A coverage goal of inputs.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct GoalReached {
    /// `bound`, `near-miss`, `form` or `structure`.
    pub kind: String,
    /// The field or constraint that it is about.
    pub of: String,
    /// Description of the goal.
    pub what: String,
    /// Number of inputs that reach it.
    pub inputs: u64,
}

impl GoalReached {
    /// Converts a coverage goal to its form in events.
    pub fn from_goal(goal: &CoverageGoal) -> GoalReached {
        let kind = match goal.kind {
            CoverageGoalKind::Bound => "bound",
            CoverageGoalKind::NearMiss => "near-miss",
            CoverageGoalKind::Form => "form",
            CoverageGoalKind::Structure => "structure",
        };
        let (of, what) = (goal.subject.clone(), goal.description.clone());
        GoalReached { kind: kind.to_owned(), of, what, inputs: goal.inputs }
    }
}
