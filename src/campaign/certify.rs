//! The proof that a finding is the smallest there is: every smaller valid input is run.
//!
//! Inputs come in the total order in which "smallest" is meant, so the first that fails is the smallest of all, and if
//! none does the finding is. A [`Certificate`] claims of an input only what was run as that input. There are three ways
//! to run the smaller inputs, each weaker and faster than the one before it:
//!
//! 1. each alone in a new process: this is the proof;
//! 2. each alone in a copy of a loaded process, about three times as fast. Wrong where a program depends on addresses or
//!    on memory that it never filled;
//! 3. hundreds of them as the cases of one file, about a thousand times as fast. Wrong where a failure depends on the
//!    number of cases or on the position of a case.
//!
//! The fast ways go first, for a smaller failure is found soonest there; it is run alone in a new process before it
//! replaces the finding. If the time does not suffice for the proof, the certificate names the weaker way on which its
//! statement rests. Where a faster way passed an input that then failed alone, nothing that rests on that way is claimed.
//!
//! The walk begins with the fewest elements and may be long before it comes near the finding. So the inputs that have *as
//! many* elements are run first where they are few: that is a statement of its own ([`Certificate::same_size`]).

use super::bench::{Bench, Engine};
use super::evidence::{Evidence, Level, Progress, kinds, time_divisor};
use super::inputs::Inputs;
use super::pack::{PACK, packs};
use super::packed_search::{PackedResult, PackedSearch};
use super::parallel::run_in_parallel;
use super::probe::{Failure, Question, Seen, Target};
use crate::corpus::{Certificate, ProofKind, SameSize};
use crate::diagnostic::{ErrorKind, Result};
use crate::enumerate::{Enumerator, sizes};
use crate::generate::Plan;
use crate::judge::FailureKind;
use crate::print::print;
use crate::read::read;
use crate::run::{Cancel, Program};
use crate::value::{Measure, Value};
use std::time::{Duration, Instant};

/// Number of inputs that each worker takes from the enumeration at a time: enough that copies can be made by one request.
const INPUTS_PER_WORKER: usize = 64;

/// Inputs of as many elements as the finding are run first if there are no more than this: a second or two of new processes.
const SAME_SIZE_MAX: usize = 512;

/// The resources of a proof.
pub struct Proof<'a, 'i> {
    /// The reference and the judge, with the fastest engine that may be used.
    pub bench: &'a Bench,
    /// The format, and the validators.
    pub inputs: &'a Inputs<'i>,
    /// Number of workers.
    pub jobs: usize,
    /// Maximum time it may take.
    pub budget: Duration,
}

/// The result of trying to prove that a failing input is the smallest.
pub struct Certified {
    /// What is known of all inputs smaller than the finding, or than `smaller` if there is one.
    pub certificate: Certificate,
    /// A smaller input that fails, confirmed in a new process.
    pub(super) smaller: Option<Smaller>,
}

/// A failing input that is smaller than the one to be certified.
pub(super) struct Smaller {
    pub(super) value: Value,
    pub(super) failure: Box<Failure>,
}

impl Certified {
    /// The smaller failing input that was found, if there was one.
    pub fn smaller_input(&self) -> Option<&[u8]> {
        self.smaller.as_ref().map(|smaller| smaller.failure.input.as_slice())
    }
}

impl Proof<'_, '_> {
    /// Tries to prove that nothing smaller than `input` makes a submission fail in this way. Returns None if there is no
    /// format that reads the input.
    ///
    /// # Errors
    /// Returns an error if a program cannot be started or a validator fails, or the work was cancelled.
    pub fn certify_submission(
        &self,
        submission: &Program,
        kind: FailureKind,
        input: &[u8],
    ) -> Result<Option<Certified>> {
        self.certify(&Target::Submission(submission.clone()), Some(kind), input)
    }

    /// Does the same for a submission or the reference.
    pub(super) fn certify(
        &self,
        target: &Target,
        kind: Option<FailureKind>,
        input: &[u8],
    ) -> Result<Option<Certified>> {
        let Some(plan) = self.inputs.plan() else { return Ok(None) };
        let Ok(value) = read(plan.format, input) else { return Ok(None) };
        let print = |value: &Value| print(plan.format, value);
        let exact = self.bench.with(Engine::Exec);
        let question =
            |bench| Question { bench, inputs: self.inputs, target: target.clone(), kind, print: &print, tries: 1 };
        let (quick, exact) = (question(self.bench), question(&exact));
        let certifier = Certifier {
            proof: self,
            plan,
            quick,
            exact,
            started: Instant::now(),
            best: value,
            smaller: None,
            accepted: Vec::new(),
        };
        certifier.certify().map(Some)
    }
}

/// Returns None in place of the error of a run that was stopped because its time was up, and not because the user wants no
/// more.
fn unless_out_of_time<T>(ran: Result<T>, cancel: &Cancel) -> Result<Option<T>> {
    match ran {
        Err(error) if error.kind() == ErrorKind::Interrupted && !cancel.is_thrown() => Ok(None),
        ran => ran.map(Some),
    }
}

struct Certifier<'c, 'a, 'i> {
    proof: &'c Proof<'a, 'i>,
    plan: &'c Plan<'c>,
    /// Runs inputs by the fastest engine that may be used.
    quick: Question<'c, 'i, Value>,
    /// Runs inputs in new processes.
    exact: Question<'c, 'i, Value>,
    started: Instant,
    /// The smallest input known to fail.
    best: Value,
    /// Its failure, unless it is the input from which the proof began.
    smaller: Option<Box<Failure>>,
    /// Whether the validators accept the first, second, ... input of the enumeration, as far as each was asked alone.
    accepted: Vec<bool>,
}

impl Certifier<'_, '_, '_> {
    fn certify(mut self) -> Result<Certified> {
        let _phase = self.proof.bench.cancel.begin_phase(self.proof.budget);
        let mut same_size = self.run_same_size()?;
        let mut levels: Vec<Level> = Vec::new();
        for kind in kinds(packs(self.plan.format), self.proof.bench.engine) {
            let (level, found) = self.run_level(kind)?;
            if found {
                same_size = None;
                // What passed in a weaker way, and fails in this one, refutes that way.
                let taken = level.map_or(0, |level| level.progress.taken);
                levels.retain(|weaker| weaker.progress.taken <= taken);
            }
            levels.extend(level);
        }
        let is_proved = levels.iter().any(|level| level.complete && level.kind == ProofKind::Processes);
        if same_size.is_none() && !is_proved {
            same_size = self.run_same_size()?;
        }
        let certificate = self.summarize(&levels, same_size);
        let smaller = self.smaller.map(|failure| Smaller { value: self.best, failure });
        Ok(Certified { certificate, smaller })
    }

    /// The instant at which a part of the proof has to end: a share of the time that is left.
    fn deadline(&self, share: u32) -> Instant {
        Instant::now() + self.proof.budget.saturating_sub(self.started.elapsed()) / share
    }

    /// Runs all inputs that have as many elements as the finding and are simpler, if they are few. A failing one replaces
    /// the finding. Returns None if they are not few, or the time did not suffice.
    fn run_same_size(&mut self) -> Result<Option<SameSize>> {
        let deadline = self.deadline(4);
        let cancel = &self.proof.bench.cancel;
        let _phase = cancel.begin_phase(deadline.saturating_duration_since(Instant::now()));
        let is_over = || Instant::now() >= deadline || cancel.cancelled();
        let measure = Measure::of(self.plan.format, &self.best);
        if sizes(self.plan).lo >= measure.elements as i128 {
            // All smaller inputs are of this size: there is nothing to say beside the certificate.
            return Ok(None);
        }
        let simpler = |value: &Value| Measure::of(self.plan.format, value) < measure;
        let mut enumerator = Enumerator::of_size(self.plan, measure.elements, &is_over);
        let values: Vec<Value> = enumerator.by_ref().take_while(simpler).take(SAME_SIZE_MAX + 1).collect();
        if values.len() > SAME_SIZE_MAX || enumerator.is_cut_short() || is_over() {
            return Ok(None);
        }
        let mut taken = 0;
        let mut inputs = 0;
        while taken < values.len() {
            let alone = self.run_alone(&values[taken..], ProofKind::Processes, None, &is_over);
            let Some(alone) = unless_out_of_time(alone, cancel)? else { return Ok(None) };
            inputs += alone.progress.inputs;
            let at = taken + alone.progress.taken;
            if let Some(failure) = alone.failure {
                self.replace_best(values[at].clone(), failure);
                return Ok((alone.progress.unanswered == 0).then_some(SameSize { inputs }));
            }
            if at == taken || alone.progress.unanswered > 0 {
                return Ok(None);
            }
            taken = at;
        }
        Ok(Some(SameSize { inputs }))
    }

    /// Runs the smaller inputs in one way, in their order, and whether one of them fails: it replaces the finding. Returns no
    /// level if it turned out that this way says nothing.
    fn run_level(&mut self, kind: ProofKind) -> Result<(Option<Level>, bool)> {
        let deadline = self.deadline(time_divisor(kind));
        let cancel = &self.proof.bench.cancel;
        let _phase = cancel.begin_phase(deadline.saturating_duration_since(Instant::now()));
        let is_over = || Instant::now() >= deadline || cancel.cancelled();
        let plan = self.plan;
        let measure = Measure::of(plan.format, &self.best);
        let mut enumerator = Enumerator::new(plan, measure.elements, &is_over);
        let mut level = Level { kind, progress: Progress::default(), elements: 0, complete: false };
        loop {
            let (values, is_last) = self.next_values(kind, &mut enumerator, &measure);
            // An enumeration that was cut short looks like one that has ended.
            let is_whole = is_last && !enumerator.is_cut_short() && !is_over();
            let ran = match kind {
                ProofKind::Packed => self.run_packed(&values, &is_over),
                _ => self.run_alone(&values, kind, Some(level.progress.taken), &is_over).map(Some),
            };
            // What was passed before the time was up stays true.
            let Some(ran) = unless_out_of_time(ran, cancel)? else { return Ok((Some(level), false)) };
            let Some(ran) = ran else { return Ok((None, false)) };
            level.progress.add(ran.progress);
            let last = ran.progress.taken.checked_sub(1).and_then(|last| values.get(last));
            level.elements = last.map_or(level.elements, Value::elements);
            if let Some(failure) = ran.failure {
                level.complete = level.progress.unanswered == 0;
                self.replace_best(values[ran.progress.taken].clone(), failure);
                return Ok((Some(level), true));
            }
            level.complete = is_whole && ran.progress.taken == values.len() && level.progress.unanswered == 0;
            if is_last || is_over() {
                return Ok((Some(level), false));
            }
        }
    }

    /// Takes the next inputs from the enumeration that are smaller than `measure`, and whether these are the last.
    fn next_values(&self, kind: ProofKind, enumerator: &mut Enumerator<'_>, measure: &Measure) -> (Vec<Value>, bool) {
        let has_validators = !self.exact.inputs.validators.is_empty();
        let most = match kind {
            ProofKind::Packed if has_validators => PACK / 4,
            ProofKind::Packed => PACK * self.proof.jobs.max(1),
            ProofKind::Copies | ProofKind::Processes => INPUTS_PER_WORKER * self.proof.jobs.max(1),
        };
        let mut values = Vec::new();
        while values.len() < most {
            match enumerator.next().filter(|value| Measure::of(self.plan.format, value) < *measure) {
                Some(value) => values.push(value),
                None => return (values, true),
            }
        }
        (values, false)
    }

    /// Runs inputs in files of many. Returns None if their cases are not independent.
    fn run_packed(&self, values: &[Value], is_over: &(dyn Fn() -> bool + Sync)) -> Result<Option<Ran>> {
        let (question, exact) = (self.quick.clone(), self.exact.clone());
        let search = PackedSearch { question, exact, format: self.plan.format, jobs: self.proof.jobs };
        Ok(match search.find_first_failing(values, is_over)? {
            PackedResult::Passed(progress) => Some(Ran { progress, failure: None }),
            PackedResult::Fails { before, failure } => Some(Ran { progress: before, failure: Some(failure) }),
            PackedResult::Dependent => None,
        })
    }

    /// Runs each input alone, up to the first that fails in a new process, or until the time is over. `rank` is the
    /// position of the first of them in the enumeration of all smaller inputs, if that is where they come from.
    fn run_alone(
        &mut self,
        values: &[Value],
        kind: ProofKind,
        rank: Option<usize>,
        is_over: &(dyn Fn() -> bool + Sync),
    ) -> Result<Ran> {
        let known = rank.and_then(|rank| self.accepted.get(rank..)).unwrap_or(&[]);
        let worker = Worker { known, quick: &self.quick, exact: &self.exact, kind, is_over };
        let parts: Vec<(usize, &[Value])> =
            values.chunks(INPUTS_PER_WORKER).enumerate().map(|(i, part)| (i * INPUTS_PER_WORKER, part)).collect();
        let run = |part: usize| worker.run_each(parts[part].0, parts[part].1);
        let seen = run_in_parallel(self.proof.jobs, parts.len(), run, &mut |_| ())?;
        let mut ran = Ran { progress: Progress::default(), failure: None };
        let mut accepted = Vec::new();
        // A part that was left early ends what was run in a row.
        for (part, seen) in parts.iter().zip(seen) {
            let is_whole = seen.len() == part.1.len();
            for seen in seen {
                accepted.push(!matches!(seen, Seen::Refused));
                match seen {
                    Seen::Refused => {}
                    Seen::Passes => ran.progress.count_inputs(1),
                    Seen::Unanswered => ran.progress.unanswered += 1,
                    Seen::FailsOtherwise => {
                        ran.progress.count_inputs(1);
                        ran.progress.failing_otherwise += 1;
                    }
                    Seen::Fails(failure) => {
                        self.note_accepted(rank, &accepted);
                        return Ok(Ran { failure: Some(failure), ..ran });
                    }
                }
                ran.progress.taken += 1;
            }
            if !is_whole {
                break;
            }
        }
        self.note_accepted(rank, &accepted);
        Ok(ran)
    }

    /// Keeps what validators said, for the next way in which the same inputs are run.
    fn note_accepted(&mut self, rank: Option<usize>, accepted: &[bool]) {
        if rank == Some(self.accepted.len()) {
            self.accepted.extend_from_slice(accepted);
        }
    }

    fn replace_best(&mut self, value: Value, failure: Box<Failure>) {
        self.best = value;
        self.smaller = Some(failure);
    }

    /// Puts together what was run in all ways.
    #[expect(clippy::expect_used, reason = "a level of new processes is never dropped")]
    fn summarize(&self, levels: &[Level], same_size: Option<SameSize>) -> Certificate {
        let Evidence { shown, run_alone, run_in_processes } =
            Evidence::of(levels).expect("new processes are always tried");
        Certificate {
            kind: shown.kind,
            inputs: shown.progress.inputs,
            run_alone,
            run_in_processes,
            complete: shown.complete,
            elements: shown.elements,
            unanswered: shown.progress.unanswered,
            failing_otherwise: shown.progress.failing_otherwise,
            same_size: same_size.filter(|_| !shown.complete || shown.kind != ProofKind::Processes),
            shortest_spelling_only: self.plan.format.has_several_spellings(),
            time_ms: self.elapsed_ms(),
        }
    }

    fn elapsed_ms(&self) -> u64 {
        u64::try_from(self.started.elapsed().as_millis()).unwrap_or(u64::MAX)
    }
}

/// How far some inputs were run, and how the next one fails if it does.
struct Ran {
    progress: Progress,
    failure: Option<Box<Failure>>,
}

/// Runs inputs alone, one after the other.
struct Worker<'w, 'a, 'i> {
    /// Whether the validators accept each of the inputs, as far as that is known.
    known: &'w [bool],
    quick: &'w Question<'a, 'i, Value>,
    exact: &'w Question<'a, 'i, Value>,
    kind: ProofKind,
    is_over: &'w (dyn Fn() -> bool + Sync),
}

impl Worker<'_, '_, '_> {
    /// Runs each of some inputs, the first of which is number `start`, up to the first that fails. The very first one is
    /// always run; after that it stops when the time is over.
    fn run_each(&self, start: usize, values: &[Value]) -> Result<Vec<Seen>> {
        let mut seen = Vec::new();
        // Copies of a process are made by one request for many; new processes are asked for one by one.
        let width = if self.kind == ProofKind::Copies { values.len() } else { 1 };
        for values in values.chunks(width.max(1)) {
            if start + seen.len() > 0 && (self.is_over)() {
                break;
            }
            for one in self.run_some(start + seen.len(), values)? {
                let fails = matches!(one, Seen::Fails(_));
                seen.push(one);
                if fails {
                    return Ok(seen);
                }
            }
        }
        Ok(seen)
    }

    /// Runs some inputs. In copies it may return fewer results than there are inputs; at least one, if there is one.
    fn run_some(&self, start: usize, values: &[Value]) -> Result<Vec<Seen>> {
        let accepts = |at: usize| self.known.get(start + at).copied();
        if self.kind == ProofKind::Processes {
            return (0..).zip(values).map(|(at, value)| self.exact.look_knowing(value, accepts(at))).collect();
        }
        let mut seen = Vec::new();
        for (value, one) in values.iter().zip(self.quick.look_at_batch(values, &accepts, self.is_over)?) {
            // A failure in a copy counts once a new process confirms it.
            seen.push(match one {
                Seen::Fails(_) | Seen::FailsOtherwise => self.exact.look(value)?,
                seen => seen,
            });
            if matches!(seen.last(), Some(Seen::Fails(_))) {
                break;
            }
        }
        Ok(seen)
    }
}
