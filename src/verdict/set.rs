//! A set of verdicts.

use super::Verdict;
use std::fmt;

/// A set of verdicts. Displayed as their codes: `AC, TLE`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Verdicts(u16);

impl Verdicts {
    /// No verdict.
    pub const NONE: Verdicts = Verdicts(0);
    /// Every verdict that can be held against a submission, and accepted.
    pub const ANY: Verdicts = Verdicts(!(bit(Verdict::JudgeError) | bit(Verdict::CompileError)));

    /// Just these.
    pub const fn of(verdicts: &[Verdict]) -> Verdicts {
        let mut bits = 0;
        let mut i = 0;
        while i < verdicts.len() {
            bits |= bit(verdicts[i]);
            i += 1;
        }
        Verdicts(bits)
    }

    /// Whether it has that one.
    pub fn contains(self, verdict: Verdict) -> bool {
        self.0 & bit(verdict) != 0
    }

    /// What is in either.
    #[must_use]
    pub fn or(self, other: Verdicts) -> Verdicts {
        Verdicts(self.0 | other.0)
    }

    /// What is in both.
    #[must_use]
    pub fn and(self, other: Verdicts) -> Verdicts {
        Verdicts(self.0 & other.0)
    }

    /// Whether there is none in it.
    pub fn is_empty(self) -> bool {
        self.iter().next().is_none()
    }

    /// Its verdicts, in the order of [`Verdict::ALL`].
    pub fn iter(self) -> impl Iterator<Item = Verdict> {
        Verdict::ALL.into_iter().filter(move |verdict| self.contains(*verdict))
    }
}

const fn bit(verdict: Verdict) -> u16 {
    1 << verdict as u16
}

impl FromIterator<Verdict> for Verdicts {
    fn from_iter<I: IntoIterator<Item = Verdict>>(verdicts: I) -> Self {
        verdicts.into_iter().fold(Verdicts::NONE, |set, verdict| set.or(Verdicts::of(&[verdict])))
    }
}

impl fmt::Display for Verdicts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let codes: Vec<&str> = self.iter().map(Verdict::code).collect();
        f.write_str(&codes.join(", "))
    }
}

/// As a list of codes.
impl serde::Serialize for Verdicts {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.iter())
    }
}

/// A list of codes.
#[cfg(test)]
impl schemars::JsonSchema for Verdicts {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Verdicts".into()
    }

    fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
        generator.subschema_for::<Vec<Verdict>>()
    }
}
