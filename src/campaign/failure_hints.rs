//! What else is to be known of a failure: it may be harmless, or another judgement may be meant.

use super::bench::Trial;
use super::event::JudgedBy;
use super::referee::Referee;
use crate::verdict::Verdict;

/// Returns the hints of the checker, and what a failure of this kind often comes from.
pub fn failure_hints(referee: &Referee, trial: &Trial, answer: &[u8]) -> Vec<String> {
    let mut hints = trial.mismatch.as_ref().map_or(Vec::new(), |mismatch| mismatch.hints.clone());
    match referee {
        Referee::Checker(checker) if trial.verdict == Verdict::WrongAnswer => {
            hints.extend(checker.suggestion(answer, &trial.outcome.output).map(|other| other.to_string()));
        }
        referee if referee.kind() == JudgedBy::Conversation && trial.outcome.is_idle() => hints.push(
            "it waits for an answer, and the interactor may wait as well: is what it prints flushed, as by `endl` or \
             `flush=True`, and does it read all that it is sent?"
                .to_owned(),
        ),
        _ => {}
    }
    hints
}
