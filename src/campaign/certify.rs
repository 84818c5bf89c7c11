//! The proof that a finding is the smallest there is: every smaller valid input is run.
//!
//! They come in the total order in which "smallest" is meant, so the first that fails is the smallest of all, and if
//! none does the finding is. Where the format has cases, many of them are run in one file; a file in which something
//! fails is halved until it is known which. A search of this kind ends by itself only where few inputs are smaller, so
//! it has a budget, and tells how far it came.

use super::pack::{PACK, pack, packs};
use super::probe::{Failure, Question, Seen};
use crate::corpus::Certificate;
use crate::diagnostic::Result;
use crate::enumerate::Enumerator;
use crate::generate::Plan;
use crate::print::print;
use crate::value::{Measure, Value};
use std::time::{Duration, Instant};

/// So many are taken from the enumeration at a time where they cannot be packed, for each worker.
const EACH: usize = 16;

/// Runs everything smaller than a failing input.
pub(super) struct Certifier<'a, 'i> {
    pub(super) question: Question<'a, 'i, Value>,
    pub(super) plan: &'a Plan<'a>,
    pub(super) jobs: usize,
    pub(super) budget: Duration,
}

/// What came of it.
pub(super) struct Certified {
    pub(super) certificate: Certificate,
    /// The smallest failure of all, if there was a smaller one.
    pub(super) smaller: Option<(Value, Failure)>,
}

impl Certifier<'_, '_> {
    /// Tries to prove that nothing smaller than `value` fails.
    ///
    /// # Errors
    /// If a program cannot be run, or the user wants no more.
    pub(super) fn certify(&self, value: &Value) -> Result<Certified> {
        let started = Instant::now();
        let over = || started.elapsed() >= self.budget || self.question.bench.cancel.cancelled();
        let measure = Measure::of(self.plan.format, value);
        let mut enumerator = Enumerator::new(self.plan, measure.elements, &over);
        let mut tally = Certificate::default();
        let mut smaller = None;
        loop {
            let batch = self.batch(&mut enumerator, &measure);
            tally.complete = batch.is_last && !enumerator.is_cut_short() && !over();
            if let Some((at, failure)) = self.first_failing(&batch.values, &mut tally)? {
                smaller = batch.values.into_iter().nth(at).map(|value| (value, failure));
                tally.complete = true;
                break;
            }
            if let Some(last) = batch.values.last() {
                tally.elements = last.elements();
            }
            if batch.is_last || over() {
                break;
            }
        }
        tally.complete &= tally.unanswered == 0;
        tally.time_ms = u64::try_from(started.elapsed().as_millis()).unwrap_or(u64::MAX);
        Ok(Certified { certificate: tally, smaller })
    }

    fn batch(&self, enumerator: &mut Enumerator<'_>, measure: &Measure) -> Batch {
        let most = if packs(self.plan.format) { PACK } else { EACH * self.jobs.max(1) };
        let mut batch = Batch { values: Vec::new(), is_last: false };
        while batch.values.len() < most {
            match enumerator.next().filter(|value| Measure::of(self.plan.format, value) < *measure) {
                Some(value) => batch.values.push(value),
                None => {
                    batch.is_last = true;
                    break;
                }
            }
        }
        batch
    }

    /// The first of some inputs that fails in the way that is sought; all before it are known to pass.
    fn first_failing(&self, values: &[Value], tally: &mut Certificate) -> Result<Option<(usize, Failure)>> {
        if values.len() < 2 || !packs(self.plan.format) {
            return self.one_by_one(values, tally);
        }
        if let Some(pack) = pack(self.plan.format, values) {
            let input = print(self.plan.format, &pack);
            let refused = self.question.inputs.refusal(&input)?.is_some();
            if !refused && matches!(self.question.any_failure(&input)?, Seen::Passes) {
                tally.inputs += values.len() as u64;
                return Ok(None);
            }
        }
        let (left, right) = values.split_at(values.len() / 2);
        if let Some(found) = self.first_failing(left, tally)? {
            return Ok(Some(found));
        }
        Ok(self.first_failing(right, tally)?.map(|(at, failure)| (at + left.len(), failure)))
    }

    fn one_by_one(&self, values: &[Value], tally: &mut Certificate) -> Result<Option<(usize, Failure)>> {
        let mut start = 0;
        for group in values.chunks(self.jobs.max(1)) {
            for (i, seen) in self.question.group(group).into_iter().enumerate() {
                match seen? {
                    Seen::Refused => {}
                    Seen::Passes => tally.inputs += 1,
                    Seen::TooSlow => tally.unanswered += 1,
                    Seen::FailsOtherwise => {
                        tally.inputs += 1;
                        tally.failing_otherwise += 1;
                    }
                    Seen::Fails(failure) => return Ok(Some((start + i, *failure))),
                }
            }
            start += group.len();
        }
        Ok(None)
    }
}

struct Batch {
    values: Vec<Value>,
    /// Whether there is nothing smaller behind these.
    is_last: bool,
}
