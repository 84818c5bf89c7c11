//! Inputs with a wanted answer, or on which a condition on submissions holds: the others are drawn anew.

use super::BuildPlan;
use super::test_job::{DrawSettings, InputFailure, InputFinder, MakeError, TestJob};
use crate::event::{BuildFlawKind, WarningEvent};
use crate::judge::describe_outcome;
use crate::judging::{JudgeSetup, ReferenceAnswer, failure_message};
use crate::tuning::MAX_ANSWER_ATTEMPTS;
use rebut_diagnostics::{count_with_noun, list_and, shorten_text};
use rebut_packages::verdict::Verdict;
use std::collections::{BTreeMap, HashSet};
use std::hash::{DefaultHasher, Hash, Hasher};

/// Number of different answers that are counted, and maximum number that a message shows.
const MAX_COUNTED_ANSWERS: usize = 1_000;

const MAX_SHOWN_ANSWERS: usize = 3;

/// Maximum number of characters of an answer in a message.
const MAX_ANSWER_CHARACTERS: usize = 30;

/// Accepts inputs that the reference answers as the recipe wants, and on which its condition on submissions holds.
pub(super) struct AnswerFilter<'a> {
    wanted: Option<&'a [String]>,
    finder: Option<&'a InputFinder>,
    judge_setup: &'a JudgeSetup,
}

/// A wanted answer that has not come yet.
pub(super) struct RareAnswer {
    message: String,
    help: String,
}

impl RareAnswer {
    pub(super) fn warning(self, job: &str) -> WarningEvent {
        let most = count_with_noun(usize::try_from(MAX_ANSWER_ATTEMPTS).unwrap_or(usize::MAX), "draw");
        let message = format!("{job}: {}; the search ends after {most}", self.message);
        WarningEvent { message, help: Some(self.help) }
    }
}

/// How often each answer occurred.
#[derive(Debug, Default)]
pub(super) struct AnswerTally {
    counts: BTreeMap<Vec<String>, u64>,
    total: u64,
    /// Hashes of the inputs, since small formats give the same ones again and again.
    known: HashSet<u64>,
}

impl<'a> AnswerFilter<'a> {
    /// Creates a filter, if the recipe wants an answer or has a condition on submissions.
    ///
    /// # Errors
    /// Returns a flaw if the problem has no answers that a reference prints.
    pub(super) fn new(
        plan: &'a BuildPlan<'_>,
        job: &'a TestJob,
        drawn: &'a DrawSettings,
    ) -> Result<Option<AnswerFilter<'a>>, InputFailure> {
        let (wanted, finder) = (drawn.answer.as_deref(), job.finder.as_ref());
        if wanted.is_none() && finder.is_none() {
            return Ok(None);
        }
        if wanted.is_some() && plan.judge_setup.judge.needs_no_answer() {
            return Err(InputFailure::not_generated(
                "`answer` selects inputs by what the reference prints, and here a judge program decides",
            ));
        }
        Ok(Some(AnswerFilter { wanted, finder, judge_setup: &plan.judge_setup }))
    }

    /// Runs the reference on an input, counts its answer, and returns true if the input is wanted.
    ///
    /// # Errors
    /// Returns an error if a program cannot be started, and a flaw if the reference or a judge program fails.
    pub(super) fn count_answer(&self, input: &[u8], tally: &mut AnswerTally) -> Result<bool, MakeError> {
        if !tally.is_new(input) {
            return Ok(false);
        }
        let name = self.judge_setup.reference.display_name();
        let answer = match self.judge_setup.run_reference(input)? {
            ReferenceAnswer::Known(answer) => answer,
            // Another input may be faster.
            ReferenceAnswer::TooSlow => return Ok(false),
            ReferenceAnswer::Failed(outcome) => {
                let message = format!("the reference `{name}` {} on a generated input", describe_outcome(&outcome));
                let note = String::from_utf8_lossy(&outcome.stderr).into_owned();
                return Err(InputFailure::new(BuildFlawKind::NoAnswer, message, note).into());
            }
        };
        let tokens: Vec<String> = String::from_utf8_lossy(&answer).split_whitespace().map(str::to_owned).collect();
        let is_wanted = self.wanted.is_none_or(|wanted| match wanted.split_first() {
            Some((not, unwanted)) if not == "!=" => tokens != unwanted,
            _ => tokens == wanted,
        });
        tally.count(tokens);
        let Some(InputFinder { program, judge_setup }) = self.finder.filter(|_| is_wanted) else {
            return Ok(is_wanted);
        };
        let run = judge_setup.run_and_judge(program, input, &answer)?;
        if run.verdict == Verdict::JudgeError {
            let message = format!("a judge program failed where `{}` was tested", program.display_name());
            return Err(InputFailure::new(BuildFlawKind::Judge, message, failure_message(&run)).into());
        }
        Ok(run.verdict.is_rejection())
    }

    /// Returns the flaw if no input had the wanted answer.
    pub(super) fn describe_failure(&self, tally: &AnswerTally) -> InputFailure {
        let RareAnswer { message, help } = self.describe_rarity(tally);
        InputFailure::new(BuildFlawKind::NotGenerated, message, help)
    }

    /// Describes that no input has had the wanted answer so far.
    pub(super) fn describe_rarity(&self, tally: &AnswerTally) -> RareAnswer {
        let inputs = count_with_noun(usize::try_from(tally.total).unwrap_or(usize::MAX), "different input");
        let answer = self.wanted.map(|wanted| {
            format!("has the answer `{}`", shorten_text(wanted.join(" ").as_bytes(), MAX_ANSWER_CHARACTERS))
        });
        let condition = self.finder.map(|finder| format!("meets `{}`", finder.program.display_name()));
        let demands: Vec<String> = answer.into_iter().chain(condition).collect();
        let message = format!("of {inputs}, none {}", demands.join(" and "));
        let advice = "add constraints with `where`, a `shape` or a smaller `growth`";
        let help = match self.wanted {
            Some(_) => format!("the most frequent answers are {}; {advice}", list_and(&tally.most_frequent())),
            None => advice.to_owned(),
        };
        RareAnswer { message, help }
    }
}

impl AnswerTally {
    /// Returns true if the input did not occur before.
    fn is_new(&mut self, input: &[u8]) -> bool {
        let mut hasher = DefaultHasher::new();
        input.hash(&mut hasher);
        self.known.insert(hasher.finish())
    }

    fn count(&mut self, answer: Vec<String>) {
        self.total += 1;
        if self.counts.len() < MAX_COUNTED_ANSWERS || self.counts.contains_key(&answer) {
            *self.counts.entry(answer).or_default() += 1;
        }
    }

    /// Returns true if no input was answered.
    pub(super) fn is_empty(&self) -> bool {
        self.total == 0
    }

    /// Returns the most frequent answers with their percentages.
    fn most_frequent(&self) -> Vec<String> {
        let mut all: Vec<(&Vec<String>, &u64)> = self.counts.iter().collect();
        all.sort_by_key(|(answer, count)| (std::cmp::Reverse(**count), *answer));
        let shown = all.into_iter().take(MAX_SHOWN_ANSWERS);
        let describe = |(answer, count): (&Vec<String>, &u64)| {
            let answer = shorten_text(answer.join(" ").as_bytes(), MAX_ANSWER_CHARACTERS);
            format!("`{answer}` ({} %)", count * 100 / self.total)
        };
        shown.map(describe).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn most_frequent_answers_come_first() {
        let mut tally = AnswerTally::default();
        assert!(tally.is_empty());
        for answer in ["NO", "YES", "YES", "1 2", "YES", "NO", "3", "4"] {
            tally.count(answer.split(' ').map(str::to_owned).collect());
        }
        assert_eq!(tally.most_frequent(), ["`YES` (37 %)", "`NO` (25 %)", "`1 2` (12 %)"]);
    }
}
