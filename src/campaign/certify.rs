//! The proof that a finding is the smallest there is: every smaller valid input is run.
//!
//! They come in the total order in which "smallest" is meant, so the first that fails is the smallest of all, and if
//! none does the finding is. Where the format has cases, many of them are run in one file; a file in which something
//! fails is halved until it is known which. A search of this kind ends by itself only where few inputs are smaller, so
//! it has a budget, and tells how far it came.

use super::accepted::accepted;
use super::bench::Bench;
use super::inputs::Inputs;
use super::pack::{PACK, pack, packs};
use super::probe::{Question, Seen, Target};
use crate::corpus::Certificate;
use crate::diagnostic::Result;
use crate::enumerate::Enumerator;
use crate::generate::Plan;
use crate::judge::FailureKind;
use crate::print::print;
use crate::read::read;
use crate::run::Program;
use crate::value::{Measure, Value};
use std::ops::Range;
use std::time::{Duration, Instant};

/// So many are taken from the enumeration at a time where they cannot be packed, for each worker.
const EACH: usize = 16;

/// What a proof needs.
pub struct Proof<'a, 'i> {
    /// The jury's side, with the engine to use.
    pub bench: &'a Bench,
    /// The format, and the validators.
    pub inputs: &'a Inputs<'i>,
    /// Workers.
    pub jobs: usize,
    /// How long it may take.
    pub budget: Duration,
}

impl Proof<'_, '_> {
    /// Tries to prove that nothing smaller than an input makes a submission fail in this way; none if there is no format
    /// that reads it. Should something smaller fail after all, the smallest of it comes with the certificate.
    ///
    /// # Errors
    /// If a program cannot be run, or the user wants no more.
    pub fn of_submission(
        &self,
        submission: &Program,
        kind: FailureKind,
        input: &[u8],
    ) -> Result<Option<(Certificate, Option<Vec<u8>>)>> {
        self.of(&Target::Submission(submission.clone()), Some(kind), input)
    }

    /// The same for whoever is to blame.
    pub(super) fn of(
        &self,
        target: &Target,
        kind: Option<FailureKind>,
        input: &[u8],
    ) -> Result<Option<(Certificate, Option<Vec<u8>>)>> {
        let Some(plan) = self.inputs.plan() else { return Ok(None) };
        let Ok(value) = read(plan.format, input) else { return Ok(None) };
        let print = |v: &Value| print(plan.format, v);
        let Proof { bench, inputs, jobs, budget } = *self;
        let question = Question { bench, inputs, target: target.clone(), kind, print: &print, tries: 1 };
        let certified = Certifier { question, plan, jobs, budget }.certify(&value)?;
        let smaller = certified.smaller.map(|smaller| print(&smaller));
        Ok(Some((certified.certificate, smaller)))
    }
}

/// Runs everything smaller than a failing input.
struct Certifier<'a, 'i> {
    question: Question<'a, 'i, Value>,
    plan: &'a Plan<'i>,
    jobs: usize,
    budget: Duration,
}

/// What came of it.
struct Certified {
    certificate: Certificate,
    /// The smallest input of all that fails, if there was a smaller one.
    smaller: Option<Value>,
}

impl Certifier<'_, '_> {
    /// Tries to prove that nothing smaller than `value` fails.
    ///
    /// # Errors
    /// If a program cannot be run, or the user wants no more.
    fn certify(&self, value: &Value) -> Result<Certified> {
        let started = Instant::now();
        let over = || started.elapsed() >= self.budget || self.question.bench.cancel.cancelled();
        let measure = Measure::of(self.plan.format, value);
        let mut enumerator = Enumerator::new(self.plan, measure.elements, &over);
        let mut tally = Certificate::default();
        let mut smaller = None;
        loop {
            let batch = self.batch(&mut enumerator, &measure);
            tally.complete = batch.is_last && !enumerator.is_cut_short() && !over();
            if let Some(at) = self.first_failing(&batch.values, &mut tally)? {
                smaller = batch.values.into_iter().nth(at);
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
        let asking = !self.question.inputs.validators.is_empty();
        let packed = if asking { PACK / 4 } else { PACK };
        let most = if packs(self.plan.format) { packed } else { EACH * self.jobs.max(1) };
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
    fn first_failing(&self, values: &[Value], tally: &mut Certificate) -> Result<Option<usize>> {
        if values.len() < 2 || !packs(self.plan.format) {
            return self.one_by_one(values, tally);
        }
        let file = |range: Range<usize>| Some(print(self.plan.format, &pack(self.plan.format, &values[range])?));
        let accepted = accepted(self.question.inputs, values.len(), self.jobs, &file)?;
        let those: Vec<Value> = accepted.iter().map(|at| values[*at].clone()).collect();
        Ok(self.together(&those, tally)?.map(|at| accepted[at]))
    }

    /// The same for inputs that the validators accept.
    fn together(&self, values: &[Value], tally: &mut Certificate) -> Result<Option<usize>> {
        if values.len() < 2 {
            return self.one_by_one(values, tally);
        }
        if let Some(pack) = pack(self.plan.format, values) {
            let input = print(self.plan.format, &pack);
            if matches!(self.question.any_failure(&input)?, Seen::Passes) {
                tally.inputs += values.len() as u64;
                return Ok(None);
            }
        }
        let (left, right) = values.split_at(values.len() / 2);
        if let Some(found) = self.together(left, tally)? {
            return Ok(Some(found));
        }
        Ok(self.together(right, tally)?.map(|at| at + left.len()))
    }

    fn one_by_one(&self, values: &[Value], tally: &mut Certificate) -> Result<Option<usize>> {
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
                    Seen::Fails(_) => return Ok(Some(start + i)),
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
