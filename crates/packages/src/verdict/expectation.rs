//! The verdicts expected of a submission.

use super::{Verdict, VerdictSet};
use serde::Serialize;

/// The expected verdicts of a submission. Every dialect of problem packages maps to these two sets.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Expectation {
    /// The permitted verdicts.
    pub permitted: VerdictSet,
    /// At least one of these is required; empty if none is.
    pub required: VerdictSet,
    /// The scope that both sets apply to.
    pub subject: ExpectationScope,
}

/// The scope of an expectation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum ExpectationScope {
    /// The verdict on each test case.
    EachCase,
    /// The verdict on the whole test set: that of the first test case that is not accepted.
    Whole,
}

/// The reason that an expectation is not met.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UnmetExpectation {
    /// The verdict on the test case with this index is not permitted.
    NotPermitted(usize, Verdict),
    /// No test case has a required verdict.
    RequiredMissing,
}

impl Expectation {
    /// The submission has to be accepted on every test case.
    pub const ACCEPTED: Expectation = Expectation {
        permitted: VerdictSet::from_verdicts(&[Verdict::Accepted]),
        required: VerdictSet::NONE,
        subject: ExpectationScope::EachCase,
    };

    /// Expects one of these verdicts on the whole test set.
    pub fn for_whole_set(verdicts: VerdictSet) -> Expectation {
        Expectation { permitted: verdicts, required: verdicts, subject: ExpectationScope::Whole }
    }

    /// Returns true if a submission that meets this is accepted on every test case.
    pub fn is_accepted(&self) -> bool {
        self.permitted == Self::ACCEPTED.permitted
    }

    /// Returns true if at least one test case has to be rejected.
    pub fn is_rejected(&self) -> bool {
        !self.required.is_empty() && !self.required.contains(Verdict::Accepted)
    }

    /// Returns true if every verdict meets this, so that nothing is expected.
    pub fn is_open(&self) -> bool {
        self.permitted == VerdictSet::ANY && self.required.is_empty()
    }

    /// Checks the verdicts on the test cases, in their order, and returns why they do not meet the expectation, or
    /// `None` if they do. A judge error never meets it.
    pub fn find_unmet(&self, verdicts: &[Verdict]) -> Option<UnmetExpectation> {
        let is_refused = |v: Verdict| v == Verdict::JudgeError || !self.permitted.contains(v);
        match self.subject {
            ExpectationScope::EachCase => {
                let refused = verdicts.iter().position(|v| is_refused(*v));
                if let Some(at) = refused {
                    return Some(UnmetExpectation::NotPermitted(at, verdicts[at]));
                }
                let is_shown = self.required.is_empty() || verdicts.iter().any(|v| self.required.contains(*v));
                (!is_shown).then_some(UnmetExpectation::RequiredMissing)
            }
            ExpectationScope::Whole => {
                if let Some(at) = verdicts.iter().position(|v| *v == Verdict::JudgeError) {
                    return Some(UnmetExpectation::NotPermitted(at, Verdict::JudgeError));
                }
                match verdicts.iter().position(|v| *v != Verdict::Accepted) {
                    Some(at) if is_refused(verdicts[at]) => Some(UnmetExpectation::NotPermitted(at, verdicts[at])),
                    None if is_refused(Verdict::Accepted) => Some(UnmetExpectation::RequiredMissing),
                    _ => None,
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use Verdict::{Accepted as AC, JudgeError as JE, RuntimeError as RTE, TimeLimit as TLE, WrongAnswer as WA};

    #[test]
    fn every_case_has_to_be_permitted_and_one_required() {
        let wrong = Expectation {
            permitted: VerdictSet::from_verdicts(&[AC, WA]),
            required: VerdictSet::from_verdicts(&[WA]),
            subject: ExpectationScope::EachCase,
        };
        assert_eq!(wrong.find_unmet(&[AC, WA, AC]), None);
        assert_eq!(wrong.find_unmet(&[AC, AC]), Some(UnmetExpectation::RequiredMissing));
        assert_eq!(wrong.find_unmet(&[AC, WA, TLE]), Some(UnmetExpectation::NotPermitted(2, TLE)));
        assert_eq!(Expectation::ACCEPTED.find_unmet(&[AC, JE]), Some(UnmetExpectation::NotPermitted(1, JE)));
        assert_eq!(Expectation::ACCEPTED.find_unmet(&[]), None);
    }

    #[test]
    fn first_rejection_decides_the_whole_set() {
        let wrong = Expectation::for_whole_set(VerdictSet::from_verdicts(&[WA]));
        assert_eq!(wrong.find_unmet(&[AC, WA, TLE]), None);
        assert_eq!(wrong.find_unmet(&[AC, TLE, WA]), Some(UnmetExpectation::NotPermitted(1, TLE)));
        assert_eq!(wrong.find_unmet(&[AC, AC]), Some(UnmetExpectation::RequiredMissing));
        assert_eq!(wrong.find_unmet(&[WA, JE]), Some(UnmetExpectation::NotPermitted(1, JE)));
        assert_eq!(Expectation::for_whole_set(VerdictSet::from_verdicts(&[RTE, AC])).find_unmet(&[AC]), None);
    }
}
