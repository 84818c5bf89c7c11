//! Sets of verdicts.

use super::Verdict;
use rebut_diagnostics::list_or;
use std::fmt;

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
