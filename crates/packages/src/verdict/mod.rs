//! Verdicts on submissions, and the verdicts that packages expect of them.
//!
//! ```
//! use rebut_packages::verdict::{Expectation, Verdict};
//!
//! let verdict = Verdict::from_code("WA");
//! assert_eq!(verdict, Some(Verdict::WrongAnswer));
//! assert!(Expectation::ACCEPTED.find_unmet(&[Verdict::Accepted]).is_none());
//! ```

mod expectation;
mod verdict_set;

pub use expectation::{Expectation, ExpectationScope, UnmetExpectation};
pub use verdict_set::VerdictSet;

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::fmt;

/// The verdict on a submission, for one input.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Verdict {
    /// It exited normally and its output is correct.
    Accepted,
    /// It exited normally and its output is wrong.
    WrongAnswer,
    /// Its output is correct except for white space and case, in a problem that distinguishes this from a wrong answer.
    PresentationError,
    /// It used too much processor time, or did not exit.
    TimeLimit,
    /// It used too much memory.
    MemoryLimit,
    /// It wrote too much output.
    OutputLimit,
    /// It crashed, or exited with a nonzero status.
    RuntimeError,
    /// It does not compile.
    CompileError,
    /// A judge program failed, so the submission cannot be judged.
    JudgeError,
}

impl Verdict {
    /// All verdicts, in the order of tables.
    pub const ALL: [Verdict; 9] = [
        Verdict::Accepted,
        Verdict::WrongAnswer,
        Verdict::PresentationError,
        Verdict::TimeLimit,
        Verdict::MemoryLimit,
        Verdict::OutputLimit,
        Verdict::RuntimeError,
        Verdict::CompileError,
        Verdict::JudgeError,
    ];

    /// Returns the usual abbreviation: `WA`, `TLE`.
    pub fn code(self) -> &'static str {
        match self {
            Verdict::Accepted => "AC",
            Verdict::WrongAnswer => "WA",
            Verdict::PresentationError => "PE",
            Verdict::TimeLimit => "TLE",
            Verdict::MemoryLimit => "MLE",
            Verdict::OutputLimit => "OLE",
            Verdict::RuntimeError => "RTE",
            Verdict::CompileError => "CE",
            Verdict::JudgeError => "JE",
        }
    }

    /// Returns the verdict in lowercase words.
    pub fn description(self) -> &'static str {
        match self {
            Verdict::Accepted => "accepted",
            Verdict::WrongAnswer => "wrong answer",
            Verdict::PresentationError => "presentation error",
            Verdict::TimeLimit => "time limit exceeded",
            Verdict::MemoryLimit => "memory limit exceeded",
            Verdict::OutputLimit => "output limit exceeded",
            Verdict::RuntimeError => "runtime error",
            Verdict::CompileError => "compile error",
            Verdict::JudgeError => "judge error",
        }
    }

    /// Returns the verdict with this [`code`](Verdict::code).
    pub fn from_code(code: &str) -> Option<Verdict> {
        Verdict::ALL.into_iter().find(|verdict| verdict.code() == code)
    }

    /// Returns true for every verdict that proves the submission wrong: all but accepted and judge error.
    pub fn is_rejection(self) -> bool {
        !matches!(self, Verdict::Accepted | Verdict::JudgeError)
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.description())
    }
}

/// Serializes as the code.
impl Serialize for Verdict {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.code())
    }
}

impl<'de> Deserialize<'de> for Verdict {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let code = std::borrow::Cow::<str>::deserialize(deserializer)?;
        Verdict::from_code(&code).ok_or_else(|| serde::de::Error::custom(format!("unknown verdict `{code}`")))
    }
}

/// The codes.
#[cfg(feature = "schema")]
impl schemars::JsonSchema for Verdict {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Verdict".into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({ "type": "string", "enum": Verdict::ALL.map(Verdict::code) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_and_verdicts_are_one_to_one() {
        for verdict in Verdict::ALL {
            assert_eq!(Verdict::from_code(verdict.code()), Some(verdict));
        }
        assert_eq!(serde_json::to_string(&Verdict::TimeLimit).ok().as_deref(), Some("\"TLE\""));
    }
}
