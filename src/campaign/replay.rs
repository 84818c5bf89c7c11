//! A finding, run again.

use super::bench::{Answer, Bench, Trial, judged};
use crate::corpus::Finding;
use crate::diagnostic::Result;
use crate::run::Program;
use crate::verdict::Verdict;

/// What came of running a finding again.
#[derive(Clone, Debug)]
pub struct Replayed {
    /// What happened in the run that counts: the first that failed, else the last.
    pub trial: Trial,
    /// The answer.
    pub answer: Vec<u8>,
    /// How many of the runs failed.
    pub failed: u32,
    /// How many runs there were.
    pub runs: u32,
}

impl Replayed {
    /// Whether the finding still stands.
    pub fn reproduces(&self) -> bool {
        self.failed > 0
    }
}

/// Number of runs of an input on which something may fail now and then. Of failures that show in three runs of ten, all but
/// one in thirty-five show in so many runs.
pub const CHANCES: u32 = 10;

/// Runs a finding again: once if it fails then; several times if it does not, or if it was flaky before. Where the reference
/// was to blame it is the reference that is run.
///
/// # Errors
/// If a program cannot be run.
pub fn replay(bench: &Bench, submission: Option<&Program>, finding: &Finding) -> Result<Replayed> {
    let (mut failed, mut runs) = (0, 0);
    let mut shown: Option<(Trial, Vec<u8>)> = None;
    // A failure that shows at once needs no second run, unless it is known to come and go.
    let is_flaky = finding.record.flaky.is_some();
    while runs < CHANCES && (runs == 0 || failed < runs || is_flaky) {
        runs += 1;
        let (trial, answer) = once(bench, submission, finding)?;
        let fails = trial.verdict != Verdict::Accepted;
        if fails && failed == 0 || shown.is_none() {
            shown = Some((trial, answer));
        }
        failed += u32::from(fails);
    }
    let Some((trial, answer)) = shown else { return Err(crate::diagnostic::Error::operating("nothing was run")) };
    Ok(Replayed { trial, answer, failed, runs })
}

fn once(bench: &Bench, submission: Option<&Program>, finding: &Finding) -> Result<(Trial, Vec<u8>)> {
    let input = &finding.input;
    let answer = match bench.answer(input)? {
        Answer::Known(answer) => answer,
        Answer::Failed(outcome) => return Ok((Bench::reference_failure(outcome), Vec::new())),
        // The answer was known once; it still is.
        Answer::TooSlow => finding.answer.clone(),
    };
    match submission {
        Some(program) => Ok((bench.trial(program, input, &answer)?, answer)),
        None => {
            // The reference was to blame: for a crash that is gone by now, or for another answer than it gave then.
            let outcome = bench.reference.run(input, &[], &bench.jury_limits, &bench.cancel)?;
            let judgement = bench.judgement(input, &finding.answer, &outcome.output)?;
            let mut trial = judged(outcome, |_| judgement);
            if trial.verdict == Verdict::WrongAnswer && finding.answer.is_empty() {
                trial.verdict = Verdict::Accepted;
            }
            Ok((trial, answer))
        }
    }
}
