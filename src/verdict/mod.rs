//! What is said of a submission, and what was expected to be said: names and sets, and no process anywhere.

mod expectation;
mod set;

pub use expectation::{Expectation, Subject, Unmet};
pub use set::Verdicts;

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::fmt;

/// What is said of a submission on one input.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Verdict {
    /// It ended well and its output is right.
    Accepted,
    /// It ended well and its output is wrong.
    WrongAnswer,
    /// Its output is right but for white space and case, and the problem wants to tell this apart.
    PresentationError,
    /// It used too much processor time, or did not end.
    TimeLimit,
    /// It used too much memory.
    MemoryLimit,
    /// It wrote too much.
    OutputLimit,
    /// It crashed, or exited with a status other than 0.
    RuntimeError,
    /// It does not compile.
    CompileError,
    /// The jury's side failed: nothing is said of the submission.
    JudgeError,
}

impl Verdict {
    /// Every verdict, in the order in which tables show them.
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

    /// The usual abbreviation.
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

    /// The verdict in lowercase words.
    pub fn words(self) -> &'static str {
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

    /// The verdict that [`code`](Verdict::code) abbreviates so.
    pub fn from_code(code: &str) -> Option<Verdict> {
        Verdict::ALL.into_iter().find(|verdict| verdict.code() == code)
    }

    /// Whether it proves the submission wrong: everything but accepted and the jury's own failures.
    pub fn is_rejection(self) -> bool {
        !matches!(self, Verdict::Accepted | Verdict::JudgeError)
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.words())
    }
}

/// As its code.
impl Serialize for Verdict {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.code())
    }
}

impl<'de> Deserialize<'de> for Verdict {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let code = std::borrow::Cow::<str>::deserialize(deserializer)?;
        Verdict::from_code(&code).ok_or_else(|| serde::de::Error::custom(format!("no verdict is called `{code}`")))
    }
}

/// Its codes.
#[cfg(test)]
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
