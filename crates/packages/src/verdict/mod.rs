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

pub use expectation::{Expectation, ExpectationScope, UnmetExpectation};
use rebut_diagnostics::list_or;
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

// Sets of verdicts.

/// A set of verdicts. Displays as their codes: `AC, TLE`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct VerdictSet(u16);

impl VerdictSet {
    /// The empty set.
    pub const NONE: VerdictSet = VerdictSet(0);
    /// All verdicts that a run of a submission can get: all but compile error and judge error.
    pub const ANY: VerdictSet = VerdictSet(!(verdict_bit(Verdict::JudgeError) | verdict_bit(Verdict::CompileError)));

    /// Returns the set of these verdicts.
    pub const fn from_verdicts(verdicts: &[Verdict]) -> VerdictSet {
        let mut bits = 0;
        let mut i = 0;
        while i < verdicts.len() {
            bits |= verdict_bit(verdicts[i]);
            i += 1;
        }
        VerdictSet(bits)
    }

    /// Returns true if the set contains `verdict`.
    pub fn contains(self, verdict: Verdict) -> bool {
        self.0 & verdict_bit(verdict) != 0
    }

    /// Returns the union of both sets.
    #[must_use]
    pub fn union(self, other: VerdictSet) -> VerdictSet {
        VerdictSet(self.0 | other.0)
    }

    /// Returns the intersection of both sets.
    #[must_use]
    pub fn intersection(self, other: VerdictSet) -> VerdictSet {
        VerdictSet(self.0 & other.0)
    }

    /// Returns true if the set is empty.
    pub fn is_empty(self) -> bool {
        self.iter().next().is_none()
    }

    /// Returns the codes as alternatives in a sentence: `WA, PE or OLE`.
    pub fn describe_any(self) -> String {
        let codes: Vec<&str> = self.iter().map(Verdict::code).collect();
        list_or(&codes)
    }

    /// Returns the verdicts in the order of [`Verdict::ALL`].
    pub fn iter(self) -> impl Iterator<Item = Verdict> {
        Verdict::ALL.into_iter().filter(move |verdict| self.contains(*verdict))
    }
}

const fn verdict_bit(verdict: Verdict) -> u16 {
    1 << verdict as u16
}

impl FromIterator<Verdict> for VerdictSet {
    fn from_iter<I: IntoIterator<Item = Verdict>>(verdicts: I) -> Self {
        verdicts.into_iter().fold(VerdictSet::NONE, |set, verdict| set.union(VerdictSet::from_verdicts(&[verdict])))
    }
}

impl fmt::Display for VerdictSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let codes: Vec<&str> = self.iter().map(Verdict::code).collect();
        f.write_str(&codes.join(", "))
    }
}

/// Serializes as a list of codes.
impl serde::Serialize for VerdictSet {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.iter())
    }
}

/// A list of codes.
#[cfg(feature = "schema")]
impl schemars::JsonSchema for VerdictSet {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Verdicts".into()
    }

    fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
        generator.subschema_for::<Vec<Verdict>>()
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

    #[test]
    fn sets_behave_like_sets() {
        let one = VerdictSet::from_verdicts(&[Verdict::WrongAnswer, Verdict::TimeLimit]);
        let other: VerdictSet = [Verdict::TimeLimit, Verdict::Accepted].into_iter().collect();
        assert_eq!(one.intersection(other), VerdictSet::from_verdicts(&[Verdict::TimeLimit]));
        assert_eq!(one.union(other).iter().count(), 3);
        assert!(one.contains(Verdict::WrongAnswer) && !one.contains(Verdict::Accepted));
        assert!(VerdictSet::NONE.is_empty() && !VerdictSet::ANY.is_empty());
        assert!(!VerdictSet::ANY.contains(Verdict::JudgeError) && !VerdictSet::ANY.contains(Verdict::CompileError));
    }

    #[test]
    fn sets_are_shown_in_the_order_of_verdicts() {
        let set = VerdictSet::from_verdicts(&[Verdict::TimeLimit, Verdict::Accepted]);
        assert_eq!((set.to_string().as_str(), set.describe_any().as_str()), ("AC, TLE", "AC or TLE"));
    }
}
