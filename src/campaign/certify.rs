//! The proof that a finding is the smallest there is: every smaller valid input is run.
//!
//! They come in the total order in which "smallest" is meant, so the first that fails is the smallest of all, and if
//! none does the finding is. Where the format has cases, many of them are run in one file; a file in which something
//! fails is halved until it is known which. A search of this kind ends by itself only where few inputs are smaller, so
//! it has a budget, and tells how far it came.

use super::accepted::accepted;
use super::bench::Bench;
use super::inputs::Inputs;
use super::pack::{PACK, most_together, pack, packs};
use super::probe::{Question, Seen, Target};
use crate::corpus::Certificate;
use crate::diagnostic::Result;
use crate::enumerate::Enumerator;
use crate::format::Format;
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
        let certified = Certifier { question, format: plan.format, plan, jobs, budget }.certify(&value)?;
        let smaller = certified.smaller.map(|smaller| print(&smaller));
        Ok(Some((certified.certificate, smaller)))
    }
}

/// Runs everything smaller than a failing input.
pub(super) struct Certifier<'a, 'i> {
    pub(super) question: Question<'a, 'i, Value>,
    /// The format by which inputs are compared and packed.
    pub(super) format: &'a Format,
    /// What is enumerated: the inputs of that format, or some of them.
    pub(super) plan: &'a Plan<'a>,
    pub(super) jobs: usize,
    pub(super) budget: Duration,
}

/// What came of it.
pub(super) struct Certified {
    pub(super) certificate: Certificate,
    /// The smallest input of all that fails, if there was a smaller one.
    pub(super) smaller: Option<Value>,
}

impl Certifier<'_, '_> {
    /// Tries to prove that nothing smaller than `value` fails.
    ///
    /// # Errors
    /// If a program cannot be run, or the user wants no more.
    pub(super) fn certify(&self, value: &Value) -> Result<Certified> {
        let started = Instant::now();
        let over = || started.elapsed() >= self.budget || self.question.bench.cancel.cancelled();
        let measure = Measure::of(self.format, value);
        let mut enumerator = Enumerator::new(self.plan, measure.elements, &over);
        let mut tally = Certificate::default();
        let mut smaller = None;
        loop {
            let batch = self.batch(&mut enumerator, &measure);
            let is_whole = batch.is_last && !enumerator.is_cut_short() && !over();
            let tried = self.first_failing(&batch.values, &over, &mut tally)?;
            tally.complete = tried.fails || is_whole && tried.passed == batch.values.len();
            if tried.fails {
                smaller = batch.values.into_iter().nth(tried.passed);
                break;
            }
            if let Some(last) = batch.values.get(..tried.passed).and_then(<[Value]>::last) {
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
        let most = if packs(self.format) { packed } else { EACH * self.jobs.max(1) };
        let mut batch = Batch { values: Vec::new(), is_last: false };
        while batch.values.len() < most {
            match enumerator.next().filter(|value| Measure::of(self.format, value) < *measure) {
                Some(value) => batch.values.push(value),
                None => {
                    batch.is_last = true;
                    break;
                }
            }
        }
        batch
    }

    /// Runs inputs to the first that fails in the way that is sought.
    fn first_failing(&self, values: &[Value], over: &Over<'_>, tally: &mut Certificate) -> Result<Tried> {
        if values.len() < 2 || !packs(self.format) {
            return self.one_by_one(values, over, tally);
        }
        let file = |range: Range<usize>| Some(print(self.format, &pack(self.format, &values[range])?));
        let accepted = accepted(self.question.inputs, values.len(), self.jobs, &file)?;
        let those: Vec<Value> = accepted.iter().map(|at| values[*at].clone()).collect();
        let tried = self.together(&those, over, tally)?;
        Ok(Tried { passed: accepted.get(tried.passed).map_or(values.len(), |at| *at), ..tried })
    }

    /// The same for inputs that the validators accept: as many in a file as fit, and as many files at a time as there
    /// are workers.
    pub(super) fn together(&self, values: &[Value], over: &Over<'_>, tally: &mut Certificate) -> Result<Tried> {
        let files: Vec<&[Value]> = values.chunks(most_together(self.format)).collect();
        let mut passed = 0;
        for group in files.chunks(self.jobs.max(1)) {
            // A slow program takes long for as many as are enumerated at a time.
            if passed > 0 && over() {
                break;
            }
            for (file, passes) in group.iter().zip(self.side_by_side(group)) {
                if passes? {
                    tally.inputs += file.len() as u64;
                } else {
                    let tried = self.halved(file, tally)?;
                    if tried.fails {
                        return Ok(Tried { passed: passed + tried.passed, fails: true });
                    }
                }
                passed += file.len();
            }
        }
        Ok(Tried { passed, fails: false })
    }

    /// Whether all inputs of each group pass together.
    fn side_by_side(&self, groups: &[&[Value]]) -> Vec<Result<bool>> {
        if let [group] = groups {
            return vec![self.pass(group)];
        }
        std::thread::scope(|scope| {
            let asked: Vec<_> = groups.iter().map(|group| scope.spawn(|| self.pass(group))).collect();
            asked.into_iter().map(|answer| answer.join().unwrap_or(Ok(false))).collect()
        })
    }

    /// Whether inputs pass in one file; those that do not fit into one have to be asked about in parts.
    fn pass(&self, values: &[Value]) -> Result<bool> {
        let Some(pack) = pack(self.format, values) else { return Ok(false) };
        Ok(matches!(self.question.any_failure(&print(self.format, &pack))?, Seen::Passes))
    }

    /// Runs inputs that did not pass together to the first that fails; all of them, for nothing is known without that.
    fn halved(&self, values: &[Value], tally: &mut Certificate) -> Result<Tried> {
        if values.len() < 2 {
            return self.one_by_one(values, &|| false, tally);
        }
        let (left, right) = values.split_at(values.len() / 2);
        for (half, before) in [(left, 0), (right, left.len())] {
            if self.pass(half)? {
                tally.inputs += half.len() as u64;
                continue;
            }
            let tried = self.halved(half, tally)?;
            if tried.fails {
                return Ok(Tried { passed: before + tried.passed, fails: true });
            }
        }
        Ok(Tried { passed: values.len(), fails: false })
    }

    fn one_by_one(&self, values: &[Value], over: &Over<'_>, tally: &mut Certificate) -> Result<Tried> {
        let mut passed = 0;
        for group in values.chunks(self.jobs.max(1)) {
            if passed > 0 && over() {
                break;
            }
            for (i, seen) in self.question.group(group).into_iter().enumerate() {
                match seen? {
                    Seen::Refused => {}
                    Seen::Passes => tally.inputs += 1,
                    Seen::TooSlow => tally.unanswered += 1,
                    Seen::FailsOtherwise => {
                        tally.inputs += 1;
                        tally.failing_otherwise += 1;
                    }
                    Seen::Fails(_) => return Ok(Tried { passed: passed + i, fails: true }),
                }
            }
            passed += group.len();
        }
        Ok(Tried { passed, fails: false })
    }
}

/// Whether there is no time left.
pub(super) type Over<'o> = dyn Fn() -> bool + 'o;

/// How far some inputs were run, one after the other.
pub(super) struct Tried {
    /// So many at the beginning do not fail.
    pub(super) passed: usize,
    /// The next one does.
    pub(super) fails: bool,
}

struct Batch {
    values: Vec<Value>,
    /// Whether there is nothing smaller behind these.
    is_last: bool,
}
