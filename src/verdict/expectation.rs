//! What the jury expects of a submission.

use super::{Verdict, Verdicts};
use serde::Serialize;

/// What is expected of a submission: one pair of sets, onto which every dialect of problem packages is mapped.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Expectation {
    /// What it may get.
    pub permitted: Verdicts,
    /// Of these it must get at least one; none for no such demand.
    pub required: Verdicts,
    /// What both are about.
    pub subject: Subject,
}

/// What an expectation is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Subject {
    /// The verdict on each test case.
    EachCase,
    /// The one verdict on the whole test set: that of the first test case, in their order, that is not accepted.
    Whole,
}

/// Why an expectation is unmet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unmet {
    /// The test case of this number, from 0, got what is not permitted.
    NotPermitted(usize, Verdict),
    /// Nothing that is required was got.
    NoneRequired,
}

impl Expectation {
    /// It has to be right everywhere.
    pub const ACCEPTED: Expectation = Expectation {
        permitted: Verdicts::of(&[Verdict::Accepted]),
        required: Verdicts::NONE,
        subject: Subject::EachCase,
    };

    /// An expectation of the verdict on the whole: one of these.
    pub fn whole(verdicts: Verdicts) -> Expectation {
        Expectation { permitted: verdicts, required: verdicts, subject: Subject::Whole }
    }

    /// Whether a submission that meets it is right on every test case.
    pub fn is_accepted(&self) -> bool {
        self.permitted == Self::ACCEPTED.permitted
    }

    /// Whether some test case must show it wrong.
    pub fn is_rejected(&self) -> bool {
        !self.required.is_empty() && !self.required.contains(Verdict::Accepted)
    }

    /// What is wrong with these verdicts on the test cases, in their order; none if they are as expected. A judge error
    /// is never as expected.
    pub fn unmet(&self, verdicts: &[Verdict]) -> Option<Unmet> {
        let is_refused = |v: Verdict| v == Verdict::JudgeError || !self.permitted.contains(v);
        match self.subject {
            Subject::EachCase => {
                let refused = verdicts.iter().position(|v| is_refused(*v));
                if let Some(at) = refused {
                    return Some(Unmet::NotPermitted(at, verdicts[at]));
                }
                let is_shown = self.required.is_empty() || verdicts.iter().any(|v| self.required.contains(*v));
                (!is_shown).then_some(Unmet::NoneRequired)
            }
            Subject::Whole => {
                if let Some(at) = verdicts.iter().position(|v| *v == Verdict::JudgeError) {
                    return Some(Unmet::NotPermitted(at, Verdict::JudgeError));
                }
                match verdicts.iter().position(|v| *v != Verdict::Accepted) {
                    Some(at) if is_refused(verdicts[at]) => Some(Unmet::NotPermitted(at, verdicts[at])),
                    None if is_refused(Verdict::Accepted) => Some(Unmet::NoneRequired),
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
            permitted: Verdicts::of(&[AC, WA]),
            required: Verdicts::of(&[WA]),
            subject: Subject::EachCase,
        };
        assert_eq!(wrong.unmet(&[AC, WA, AC]), None);
        assert_eq!(wrong.unmet(&[AC, AC]), Some(Unmet::NoneRequired));
        assert_eq!(wrong.unmet(&[AC, WA, TLE]), Some(Unmet::NotPermitted(2, TLE)));
        assert_eq!(Expectation::ACCEPTED.unmet(&[AC, JE]), Some(Unmet::NotPermitted(1, JE)));
        assert_eq!(Expectation::ACCEPTED.unmet(&[]), None);
    }

    #[test]
    fn of_the_whole_the_first_rejection_counts() {
        let wrong = Expectation::whole(Verdicts::of(&[WA]));
        assert_eq!(wrong.unmet(&[AC, WA, TLE]), None);
        assert_eq!(wrong.unmet(&[AC, TLE, WA]), Some(Unmet::NotPermitted(1, TLE)));
        assert_eq!(wrong.unmet(&[AC, AC]), Some(Unmet::NoneRequired));
        assert_eq!(wrong.unmet(&[WA, JE]), Some(Unmet::NotPermitted(1, JE)));
        assert_eq!(Expectation::whole(Verdicts::of(&[RTE, AC])).unmet(&[AC]), None);
    }
}
