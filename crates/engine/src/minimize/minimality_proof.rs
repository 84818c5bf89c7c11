//! Proves that a finding is the smallest possible, by running every smaller valid input.
//!
//! Inputs are enumerated in the total order that defines "smallest". The first that fails is therefore the smallest
//! failing input, and if none fails, the finding is. A [`Certificate`] counts an input only if it was itself run. There
//! are three levels of proof, each stronger and slower than the one before it:
//!
//! 1. packed: hundreds of inputs as the cases of one file, about a thousand times as fast as new processes. Misleading
//!    if a failure depends on the number or position of cases.
//! 2. forked: each input alone in a fork of a loaded process, about three times as fast as new processes. Misleading if
//!    a program depends on addresses or uninitialized memory.
//! 3. new processes: each input alone in a new process. Only this is a proof.
//!
//! The fast levels are tried first, because they find a smaller failure soonest. Such a failure replaces the finding
//! only after the input has failed alone in a new process. If the time does not suffice for the strongest level, the
//! certificate names the weaker level on which its statement rests. If an input passed at a weaker level but then
//! failed at a stronger one, nothing that rests on the weaker level is claimed.
//!
//! The enumeration begins with the fewest elements and can take long to reach the size of the finding. Inputs with *as
//! many* elements are therefore run first, if there are few of them; the certificate states this separately
//! ([`Certificate::same_size`]).
//!
//! In an interactive problem, inputs with as many elements are ordered by their conversations first (see
//! `conversation_search`). Only inputs with fewer elements are smaller in any case, so only these are run here.

use crate::event::JudgeKind;
use crate::inputs::{InputSource, can_pack_cases};
use crate::judge::FailureKind;
use crate::judging::{JudgeSetup, RunEngine};
use crate::parallel::run_in_parallel;
use crate::predicate::{
    FailurePredicate, FailureTarget, FailureTest, ObservedFailure, PackedResult, PackedSearch, PredicateOutcome,
    ProofLevel, ProofProgress, ProofSummary, proof_kinds, proof_time_divisor,
};
use crate::tuning::MAX_PACKED_INPUTS;
use crate::tuning::{MAX_SAME_SIZE_INPUTS, PROOF_INPUTS_PER_WORKER};
use rebut_diagnostics::{ErrorKind, Result, to_millis};
use rebut_format::enumerate::{Enumerator, element_count_range};
use rebut_format::generate::GenerationPlan;
use rebut_format::language::Format;
use rebut_format::print::print_value;
use rebut_format::read::read_input;
use rebut_format::value::{Measure, Value};
use rebut_packages::{Certificate, ProofKind, SameSizeProof};
use rebut_sandbox::{CancelToken, PhaseEnd, Program};
use std::time::{Duration, Instant};

/// Maximum number of cases beside the failing one in a file that shows whether cases are independent.
const MAX_NEIGHBORS: usize = 8;

/// The resources of a proof.
pub struct MinimalityProof<'a, 'i> {
    /// The reference and the judge, with the fastest permitted engine.
    pub judge_setup: &'a JudgeSetup,
    /// The format and the validators.
    pub inputs: &'a InputSource<'i>,
    /// Number of workers.
    pub jobs: usize,
    /// Maximum duration.
    pub budget: Duration,
}

/// The result of trying to prove that a failing input is the smallest.
pub struct CertifyResult {
    /// The statement about all inputs smaller than the finding, or than `smaller` if there is one.
    pub certificate: Certificate,
    /// A smaller failing input, confirmed in a new process.
    pub(crate) smaller: Option<SmallerFailure>,
}

/// A failing input smaller than the one to be certified.
pub(crate) struct SmallerFailure {
    pub(crate) value: Value,
    pub(crate) failure: Box<ObservedFailure>,
}

impl CertifyResult {
    /// Returns the smaller failing input, if one was found.
    pub fn smaller_input_bytes(&self) -> Option<&[u8]> {
        self.smaller.as_ref().map(|smaller| smaller.failure.input.as_slice())
    }
}

impl MinimalityProof<'_, '_> {
    /// Tries to prove that no input smaller than `input` makes a submission fail in this way. Returns `None` without a
    /// format that can read the input.
    ///
    /// # Errors
    /// Returns an error if a program cannot be started, a validator fails, or the work was cancelled.
    pub fn certify_submission(
        &self,
        submission: &Program,
        kind: FailureKind,
        input: &[u8],
    ) -> Result<Option<CertifyResult>> {
        self.certify_target(&FailureTarget::Submission(submission.clone()), Some(kind), input)
    }

    /// Tries the same proof for a submission or the reference.
    pub(crate) fn certify_target(
        &self,
        target: &FailureTarget,
        kind: Option<FailureKind>,
        input: &[u8],
    ) -> Result<Option<CertifyResult>> {
        let Some(plan) = self.inputs.generation_plan() else { return Ok(None) };
        let Ok(value) = read_input(plan.format, input) else { return Ok(None) };
        let print = |value: &Value| print_value(plan.format, value);
        let exact = self.judge_setup.with_engine(RunEngine::Exec);
        let predicate_with = |judge_setup| FailurePredicate {
            test: FailureTest::new(judge_setup, target.clone(), kind),
            inputs: self.inputs,
            print: &print,
        };
        let (quick, exact) = (predicate_with(self.judge_setup), predicate_with(&exact));
        let certifier = MinimalityCertifier {
            proof: self,
            plan,
            quick,
            exact,
            started: Instant::now(),
            end: self.judge_setup.cancel.work_end(self.budget),
            best: value,
            smaller: None,
            accepted: Vec::new(),
        };
        certifier.run_all_levels().map(Some)
    }
}

/// Returns `None` in place of the error of a run that was stopped at the deadline. An interrupt by the user stays an
/// error.
pub(crate) fn none_if_timed_out<T>(result: Result<T>, cancel: &CancelToken) -> Result<Option<T>> {
    match result {
        Err(error) if error.kind() == ErrorKind::Interrupted && !cancel.is_cancel_requested() => Ok(None),
        result => result.map(Some),
    }
}

/// The state of a proof.
struct MinimalityCertifier<'c, 'a, 'i> {
    proof: &'c MinimalityProof<'a, 'i>,
    plan: &'c GenerationPlan<'c>,
    /// Runs inputs with the fastest permitted engine.
    quick: FailurePredicate<'c, 'i, Value>,
    /// Runs inputs in new processes.
    exact: FailurePredicate<'c, 'i, Value>,
    started: Instant,
    end: PhaseEnd,
    /// The smallest input known to fail.
    best: Value,
    /// Its failure, unless it is the input to be certified.
    smaller: Option<Box<ObservedFailure>>,
    /// For each input of the enumeration, whether the validators accept it, as far as each was validated alone.
    accepted: Vec<bool>,
}

impl MinimalityCertifier<'_, '_, '_> {
    /// Runs the inputs of the same size, then those of each level, and draws up the certificate.
    fn run_all_levels(mut self) -> Result<CertifyResult> {
        let _phase = self.proof.judge_setup.cancel.begin_phase_until(self.end);
        let mut same_size = self.run_inputs_of_same_size()?;
        let mut levels: Vec<ProofLevel> = Vec::new();
        for kind in proof_kinds(can_pack_cases(self.plan.format), self.proof.judge_setup) {
            let (level, found) = self.run_proof_level(kind)?;
            if found {
                same_size = None;
                // A failure at this level refutes weaker levels at which the same input passed.
                let taken = level.map_or(0, |level| level.progress.taken);
                levels.retain(|weaker| weaker.progress.taken <= taken);
            }
            levels.extend(level);
        }
        let is_proved = levels.iter().any(|level| level.complete && level.kind == ProofKind::Processes);
        if same_size.is_none() && !is_proved {
            same_size = self.run_inputs_of_same_size()?;
        }
        let certificate = self.build_certificate(&levels, same_size);
        let smaller = self.smaller.map(|failure| SmallerFailure { value: self.best, failure });
        Ok(CertifyResult { certificate, smaller })
    }

    /// Returns true if only an input with fewer elements is smaller.
    fn needs_fewer_elements(&self) -> bool {
        needs_fewer_elements(self.proof.judge_setup)
    }

    fn is_smaller(&self, value: &Value, measure: &Measure) -> bool {
        is_smaller_input(self.proof.judge_setup, self.plan.format, value, measure)
    }

    /// Runs all smaller inputs with as many elements as the finding, if there are few. A failing one replaces the
    /// finding. Returns `None` if there are too many or the time did not suffice.
    fn run_inputs_of_same_size(&mut self) -> Result<Option<SameSizeProof>> {
        let cancel = &self.proof.judge_setup.cancel;
        let _phase = cancel.begin_phase_until(cancel.part_until(self.end, 4));
        let is_over = || cancel.should_stop();
        let measure = Measure::of_value(self.plan.format, &self.best);
        if element_count_range(self.plan).lo >= measure.elements as i128 || self.needs_fewer_elements() {
            // All smaller inputs are of this size, so the certificate covers them anyway; or none is smaller.
            return Ok(None);
        }
        let is_smaller = |value: &Value| Measure::of_value(self.plan.format, value) < measure;
        let mut enumerator = Enumerator::with_elements(self.plan, measure.elements, &is_over);
        let values: Vec<Value> = enumerator.by_ref().take_while(is_smaller).take(MAX_SAME_SIZE_INPUTS + 1).collect();
        if values.len() > MAX_SAME_SIZE_INPUTS || enumerator.is_cut_short() || is_over() {
            return Ok(None);
        }
        let mut taken = 0;
        let mut inputs = 0;
        while taken < values.len() {
            let run = self.run_each_alone(&values[taken..], ProofKind::Processes, None, &is_over);
            let Some(run) = none_if_timed_out(run, cancel)? else { return Ok(None) };
            inputs += run.progress.inputs;
            let at = taken + run.progress.taken;
            if let Some(failure) = run.failure {
                self.replace_best(values[at].clone(), failure);
                return Ok((run.progress.unanswered == 0).then_some(SameSizeProof { inputs }));
            }
            if at == taken || run.progress.unanswered > 0 {
                return Ok(None);
            }
            taken = at;
        }
        Ok(Some(SameSizeProof { inputs }))
    }

    /// Runs the smaller inputs at one level, in order. Returns the level reached and whether an input failed, which
    /// then replaces the finding. The level is `None` if it proved inapplicable.
    fn run_proof_level(&mut self, kind: ProofKind) -> Result<(Option<ProofLevel>, bool)> {
        let cancel = &self.proof.judge_setup.cancel;
        let _phase = cancel.begin_phase_until(cancel.part_until(self.end, proof_time_divisor(kind)));
        let is_over = || cancel.should_stop();
        let plan = self.plan;
        let measure = Measure::of_value(plan.format, &self.best);
        let mut enumerator = Enumerator::new(plan, measure.elements, &is_over);
        let mut level = ProofLevel { kind, progress: ProofProgress::default(), elements: 0, complete: false };
        loop {
            let (values, is_last) = self.next_values(kind, &mut enumerator, &measure);
            // An interrupted enumeration looks like one that has ended.
            let is_whole = is_last && !enumerator.is_cut_short() && !is_over();
            let run = match kind {
                ProofKind::Packed => self.run_in_packed_files(&values, level.progress.taken == 0, &is_over),
                _ => self.run_each_alone(&values, kind, Some(level.progress.taken), &is_over).map(Some),
            };
            // Inputs that passed before the deadline still count.
            let Some(run) = none_if_timed_out(run, cancel)? else { return Ok((Some(level), false)) };
            let Some(run) = run else { return Ok((None, false)) };
            level.progress.append_progress(run.progress);
            let last = run.progress.taken.checked_sub(1).and_then(|last| values.get(last));
            level.elements = last.map_or(level.elements, Value::element_count);
            if let Some(failure) = run.failure {
                level.complete = level.progress.unanswered == 0;
                self.replace_best(values[run.progress.taken].clone(), failure);
                return Ok((Some(level), true));
            }
            level.complete = is_whole && run.progress.taken == values.len() && level.progress.unanswered == 0;
            if is_last || is_over() {
                return Ok((Some(level), false));
            }
        }
    }

    /// Takes the next inputs smaller than `measure` from the enumeration, and returns them with whether they are the
    /// last.
    fn next_values(&self, kind: ProofKind, enumerator: &mut Enumerator<'_>, measure: &Measure) -> (Vec<Value>, bool) {
        let has_validators = !self.exact.inputs.validators.is_empty();
        let max_inputs = match kind {
            ProofKind::Packed if has_validators => MAX_PACKED_INPUTS / 4,
            ProofKind::Packed => MAX_PACKED_INPUTS * self.proof.jobs.max(1),
            ProofKind::Copies | ProofKind::Processes => PROOF_INPUTS_PER_WORKER * self.proof.jobs.max(1),
        };
        let mut values = Vec::new();
        while values.len() < max_inputs {
            match enumerator.next().filter(|value| self.is_smaller(value, measure)) {
                Some(value) => values.push(value),
                None => return (values, true),
            }
        }
        (values, false)
    }

    /// Runs inputs packed into files. Returns `None` if their cases are not independent.
    fn run_in_packed_files(
        &self,
        values: &[Value],
        is_first: bool,
        is_over: &(dyn Fn() -> bool + Sync),
    ) -> Result<Option<ProofRun>> {
        let (quick, exact) = (self.quick.clone(), self.exact.clone());
        let search = PackedSearch { quick, exact, format: self.plan.format, jobs: self.proof.jobs };
        // A failure that needs several cases, or a certain place among them, is not found in these files.
        if is_first && !search.fails_at_each_place(&self.best, values.get(..MAX_NEIGHBORS).unwrap_or(values))? {
            return Ok(None);
        }
        Ok(match search.find_first_failing(values, is_over)? {
            PackedResult::Passed(progress) => Some(ProofRun { progress, failure: None }),
            PackedResult::Fails { before, failure } => Some(ProofRun { progress: before, failure: Some(failure) }),
            PackedResult::CasesInteract => None,
        })
    }

    /// Runs each input alone, up to the first that fails in a new process or until the deadline. `rank` is the position
    /// of the first one in the enumeration of all smaller inputs, if they come from it.
    fn run_each_alone(
        &mut self,
        values: &[Value],
        kind: ProofKind,
        rank: Option<usize>,
        is_over: &(dyn Fn() -> bool + Sync),
    ) -> Result<ProofRun> {
        let known = rank.and_then(|rank| self.accepted.get(rank..)).unwrap_or(&[]);
        let worker = ProofWorker { known, quick: &self.quick, exact: &self.exact, kind, is_over };
        let parts: Vec<(usize, &[Value])> = values
            .chunks(PROOF_INPUTS_PER_WORKER)
            .enumerate()
            .map(|(i, part)| (i * PROOF_INPUTS_PER_WORKER, part))
            .collect();
        let run_part = |part: usize| worker.run_until_first_failure(parts[part].0, parts[part].1);
        let outcomes = run_in_parallel(self.proof.jobs, parts.len(), run_part, &mut |_| ())?;
        let mut run = ProofRun { progress: ProofProgress::default(), failure: None };
        let mut accepted = Vec::new();
        // If a part ended early, there is a gap before the parts after it.
        for (part, outcomes) in parts.iter().zip(outcomes) {
            let is_whole = outcomes.len() == part.1.len();
            for outcome in outcomes {
                accepted.push(!matches!(outcome, PredicateOutcome::Refused));
                let failure = run.progress.count_outcome(outcome);
                if failure.is_some() {
                    self.record_accepted(rank, &accepted);
                    return Ok(ProofRun { failure, ..run });
                }
            }
            if !is_whole {
                break;
            }
        }
        self.record_accepted(rank, &accepted);
        Ok(run)
    }

    /// Records the validators' decisions for the next level, which runs the same inputs.
    fn record_accepted(&mut self, rank: Option<usize>, accepted: &[bool]) {
        if rank == Some(self.accepted.len()) {
            self.accepted.extend_from_slice(accepted);
        }
    }

    fn replace_best(&mut self, value: Value, failure: Box<ObservedFailure>) {
        self.best = value;
        self.smaller = Some(failure);
    }

    #[expect(clippy::expect_used, reason = "a level of new processes is never dropped")]
    fn build_certificate(&self, levels: &[ProofLevel], same_size: Option<SameSizeProof>) -> Certificate {
        let ProofSummary { strongest, run_alone, run_in_processes } =
            ProofSummary::from_levels(levels).expect("new processes are always tried");
        Certificate {
            kind: strongest.kind,
            inputs: strongest.progress.inputs,
            run_alone,
            run_in_processes,
            complete: strongest.complete,
            elements: strongest.elements,
            unanswered: strongest.progress.unanswered,
            failing_otherwise: strongest.progress.failing_otherwise,
            same_size: same_size.filter(|_| !strongest.complete || strongest.kind != ProofKind::Processes),
            shortest_spelling_only: self.plan.format.has_several_spellings(),
            time_ms: to_millis(self.started.elapsed()),
        }
    }
}

/// Returns true if only an input with fewer elements is smaller.
fn needs_fewer_elements(setup: &JudgeSetup) -> bool {
    setup.judge.judge_kind() == JudgeKind::Conversation
}

pub(super) fn is_smaller_input(setup: &JudgeSetup, format: &Format, value: &Value, measure: &Measure) -> bool {
    if needs_fewer_elements(setup) {
        value.element_count() < measure.elements
    } else {
        Measure::of_value(format, value) < *measure
    }
}

/// The progress of a run over inputs, and the failure of the next input if there is one.
struct ProofRun {
    progress: ProofProgress,
    failure: Option<Box<ObservedFailure>>,
}

/// Runs inputs alone, one after another.
struct ProofWorker<'w, 'a, 'i> {
    /// Known decisions of the validators for the first inputs.
    known: &'w [bool],
    quick: &'w FailurePredicate<'a, 'i, Value>,
    exact: &'w FailurePredicate<'a, 'i, Value>,
    kind: ProofKind,
    is_over: &'w (dyn Fn() -> bool + Sync),
}

impl ProofWorker<'_, '_, '_> {
    /// Runs inputs in order up to the first that fails, where `start` is the position of the first one. The input at
    /// position 0 is always run; after it, the deadline applies.
    fn run_until_first_failure(&self, start: usize, values: &[Value]) -> Result<Vec<PredicateOutcome>> {
        let mut outcomes = Vec::new();
        // Forks are requested in one batch, new processes individually.
        let width = if self.kind == ProofKind::Copies { values.len() } else { 1 };
        for values in values.chunks(width.max(1)) {
            if start + outcomes.len() > 0 && (self.is_over)() {
                break;
            }
            for outcome in self.run_chunk(start + outcomes.len(), values)? {
                let fails = matches!(outcome, PredicateOutcome::Fails(_));
                outcomes.push(outcome);
                if fails {
                    return Ok(outcomes);
                }
            }
        }
        Ok(outcomes)
    }

    /// Runs inputs. In forks it can return fewer outcomes than there are inputs, but at least one.
    fn run_chunk(&self, start: usize, values: &[Value]) -> Result<Vec<PredicateOutcome>> {
        let is_accepted = |at: usize| self.known.get(start + at).copied();
        if self.kind == ProofKind::Processes {
            return (0..).zip(values).map(|(at, value)| self.exact.test_candidate(value, is_accepted(at))).collect();
        }
        let mut outcomes = Vec::new();
        for (value, outcome) in values.iter().zip(self.quick.test_batch(values, &is_accepted, self.is_over)?) {
            // A failure in a fork counts only if a new process confirms it.
            outcomes.push(match outcome {
                PredicateOutcome::Fails(_) | PredicateOutcome::FailsOtherwise => {
                    self.exact.test_valid_candidate(value)?
                }
                outcome => outcome,
            });
            if matches!(outcomes.last(), Some(PredicateOutcome::Fails(_))) {
                break;
            }
        }
        assert!(!outcomes.is_empty() || values.is_empty(), "the first input of a batch is always run");
        Ok(outcomes)
    }
}
