//! Proofs of minimality over scripted programs: each claim is compared with the runs that were made and with the truth,
//! while programs fail in between.

use rebut_diagnostics::{Error, Result, SourceText};
use rebut_engine::judge::FailureKind;
use rebut_engine::{
    CertifyResult, InputOrigin, InputSource, InputValidator, Judge, JudgeSetup, MinimalityProof, RunEngine,
    ValidatorConvention,
};
use rebut_format::enumerate::Enumerator;
use rebut_format::generate::{GenerationPlan, GenerationSettings};
use rebut_format::language::Format;
use rebut_format::print::print_value;
use rebut_format::read::read_input;
use rebut_format::value::Measure;
use rebut_packages::verdict::Verdict;
use rebut_packages::{Certificate, ProofKind};
use rebut_sandbox::{CancelToken, LimitHit, ProcessExit, Program, RunJob, RunLimits, RunOutcome, Runner};
use std::collections::HashSet;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

/// The numbers of each case of an input.
type Cases = Vec<Vec<i64>>;

/// The output of a program for the cases of an input, in a new process or not.
type Script = fn(cases: &[Vec<i64>], is_new_process: bool) -> Vec<i64>;

fn sums(cases: &[Vec<i64>], _: bool) -> Vec<i64> {
    cases.iter().map(|case| case.iter().sum()).collect()
}

/// Returns the sums, plus one where `is_wrong` holds for a case's position, the number of cases and the sum.
fn sums_but(cases: &[Vec<i64>], is_wrong: impl Fn(usize, usize, i64) -> bool) -> Vec<i64> {
    let sums = sums(cases, true);
    let count = sums.len();
    sums.iter().enumerate().map(|(at, sum)| sum + i64::from(is_wrong(at + 1, count, *sum))).collect()
}

/// Submissions that are wrong in places, some of them only on the fast path or only in new processes.
const SUBMISSIONS: [(&str, Script); 10] = [
    ("large sums", |cases, _| sums_but(cases, |_, _, sum| sum >= 3)),
    ("first case", |cases, _| sums_but(cases, |at, _, sum| at == 1 && sum >= 2)),
    ("last case", |cases, _| sums_but(cases, |at, count, sum| at == count && sum >= 2)),
    ("one case", |cases, _| sums_but(cases, |_, count, sum| count == 1 && sum >= 2)),
    ("few cases", |cases, _| sums_but(cases, |_, count, sum| count < 3 && sum >= 2)),
    ("many cases", |cases, _| sums_but(cases, |_, count, sum| count > 2 && sum >= 2)),
    ("second case", |cases, _| sums_but(cases, |at, _, sum| at == 2 && sum >= 1)),
    ("new processes", |cases, new| sums_but(cases, |_, _, sum| sum >= 4 || new && sum >= 2)),
    ("copies", |cases, new| sums_but(cases, |_, _, sum| sum >= 4 || !new && sum >= 2)),
    ("state", |cases, _| {
        let mut last = 0;
        let sums = sums(cases, true);
        sums.iter().map(|sum| sum + i64::from(std::mem::replace(&mut last, *sum) == 2) + i64::from(*sum > 3)).collect()
    }),
];

/// A failure of one run.
#[derive(Clone, Copy, Debug)]
enum Fault {
    Crash,
    TooSlow,
    CannotStart,
    Panic,
}

impl Fault {
    fn simulate(self) -> Result<RunOutcome> {
        match self {
            Fault::Panic => panic!("a fault that the test wants"),
            Fault::CannotStart => Err(Error::operating_error("no process can be started")),
            Fault::Crash => Ok(outcome(ProcessExit::Signal(11), None, Vec::new())),
            Fault::TooSlow => Ok(outcome(ProcessExit::Signal(9), Some(LimitHit::CpuTime), Vec::new())),
        }
    }
}

const FAULTS: [Fault; 4] = [Fault::Crash, Fault::TooSlow, Fault::CannotStart, Fault::Panic];

/// The runs of a program that count as evidence: their inputs, and whether each was in a new process.
type Log = Arc<Mutex<HashSet<(Vec<u8>, bool)>>>;

struct Scripted {
    has_cases: bool,
    /// Whether a crash counts as evidence: that of a submission does, that of the reference does not.
    is_submission: bool,
    script: Script,
    /// The number from 0 of the run that fails, and how it fails.
    fault: Option<(u64, Fault)>,
    runs: AtomicU64,
    log: Log,
}

impl Scripted {
    fn run_in(&self, input: &[u8], is_new_process: bool) -> Result<RunOutcome> {
        let run = self.runs.fetch_add(1, Ordering::SeqCst);
        let fault = self.fault.filter(|(number, _)| *number == run).map(|(_, fault)| fault);
        let note = || self.log.lock().unwrap_or_else(PoisonError::into_inner).insert((input.to_vec(), is_new_process));
        if self.is_submission && matches!(fault, Some(Fault::Crash | Fault::TooSlow)) {
            note();
        }
        if let Some(fault) = fault {
            return fault.simulate();
        }
        let results = (self.script)(&cases(input, self.has_cases), is_new_process);
        let output = results.iter().map(|result| format!("{result}\n")).collect::<String>().into_bytes();
        note();
        Ok(outcome(ProcessExit::Code(0), None, output))
    }
}

impl Runner for Scripted {
    fn run(&self, job: &RunJob<'_>, _: &CancelToken) -> Result<RunOutcome> {
        self.run_in(job.input, true)
    }

    fn run_fast(&self, job: &RunJob<'_>, _: &CancelToken) -> Result<RunOutcome> {
        self.run_in(job.input, false)
    }

    fn run_batch(&self, inputs: &[&[u8]], _: &RunLimits, _: &CancelToken) -> Result<Vec<RunOutcome>> {
        // It can stop before the last input, as a fork server does.
        inputs.iter().take(5).map(|input| self.run_in(input, false)).collect()
    }

    fn has_fast_path(&self) -> bool {
        true
    }
}

fn outcome(exit: ProcessExit, limit: Option<LimitHit>, output: Vec<u8>) -> RunOutcome {
    let (cpu_time_us, wall_time_us, memory_peak_bytes) = (1, 1, 1);
    RunOutcome {
        exit,
        limit,
        cpu_time_us,
        wall_time_us,
        memory_peak_bytes,
        output,
        stderr: Vec::new(),
        files: Default::default(),
    }
}

/// Returns the cases of an input; all of it is one case if the format has none.
fn cases(input: &[u8], has_cases: bool) -> Cases {
    let text = std::str::from_utf8(input).unwrap();
    let mut numbers = text.split_whitespace().map(|token| token.parse::<i64>().unwrap());
    let count = if has_cases { numbers.next().unwrap() } else { 1 };
    let case = |_| {
        let length = numbers.next().unwrap();
        (0..length).map(|_| numbers.next().unwrap()).collect()
    };
    (0..count).map(case).collect()
}

struct Problem {
    format: &'static str,
    has_cases: bool,
    /// Inputs with such a case are refused.
    refuses: fn(&[i64]) -> bool,
}

const PROBLEMS: [Problem; 3] = [
    Problem { format: "T; cases T: n; a[n] where 1<=T<=4; 1<=n<=2; 0<=a<=2", has_cases: true, refuses: |_| false },
    Problem { format: "T; cases T: n; a[n] where 1<=T<=9; 1<=n<=3; 0<=a<=2", has_cases: true, refuses: |c| c[0] == 1 },
    Problem { format: "n; a[n] where 1<=n<=4; 0<=a<=3", has_cases: false, refuses: |_| false },
];

/// The parameters of a proof.
#[derive(Clone, Copy)]
struct ProofTrial {
    problem: &'static Problem,
    submission: Script,
    jobs: usize,
    engine: RunEngine,
    /// The program that fails (reference, submission or validator), at which run, and how.
    fault: Option<(usize, u64, Fault)>,
}

/// The certificate, and the logs of the reference and the submission.
struct ProvedRuns {
    certified: Option<CertifyResult>,
    logs: [Log; 2],
}

impl ProofTrial {
    fn program(&self, number: usize, script: Script) -> (Program, Log) {
        let fault = self.fault.filter(|(program, ..)| *program == number).map(|(_, run, fault)| (run, fault));
        let log = Log::default();
        let runner = Scripted {
            has_cases: self.problem.has_cases,
            is_submission: number == 1,
            script,
            fault,
            runs: AtomicU64::new(0),
            log: log.clone(),
        };
        (Program::new(["reference", "submission", "validator"][number], runner), log)
    }

    fn validator(&self) -> InputValidator {
        let (fault, runs, refuses, has_cases) = (
            self.fault.filter(|(program, ..)| *program == 2),
            AtomicU64::new(0),
            self.problem.refuses,
            self.problem.has_cases,
        );
        let judge = move |job: &RunJob<'_>, _: &CancelToken| -> Result<RunOutcome> {
            let run = runs.fetch_add(1, Ordering::SeqCst);
            if let Some((_, _, fault)) = fault.filter(|(_, number, _)| *number == run) {
                return fault.simulate();
            }
            let refused = cases(job.input, has_cases).iter().any(|case| refuses(case));
            Ok(outcome(ProcessExit::Code(if refused { 43 } else { 42 }), None, Vec::new()))
        };
        InputValidator {
            program: Program::new("validator", judge),
            convention: ValidatorConvention::Icpc,
            identity: None,
        }
    }

    fn format(&self) -> Format {
        Format::parse(&SourceText::new("format", self.problem.format)).unwrap().0
    }

    /// Proves minimality from a failing input on.
    fn certify(&self, format: &Format, input: &[u8]) -> Result<ProvedRuns> {
        let ((reference, reference_log), (submission, submission_log)) =
            (self.program(0, sums), self.program(1, self.submission));
        let judge_setup = JudgeSetup {
            engine: self.engine,
            reference,
            judge: Judge::Checker(rebut_checkers::Checker::default()),
            limits: RunLimits::default(),
            judge_limits: RunLimits::default(),
            cancel: CancelToken::default(),
        };
        let origin = InputOrigin::Format { plan: GenerationPlan::new(format), settings: GenerationSettings::default() };
        let inputs = InputSource::new(origin, vec![self.validator()], RunLimits::default(), CancelToken::default());
        let proof = MinimalityProof {
            judge_setup: &judge_setup,
            inputs: &inputs,
            jobs: self.jobs,
            budget: Duration::from_secs(600),
        };
        let kind = FailureKind::from_verdict(Verdict::WrongAnswer);
        let certified = proof.certify_submission(&submission, kind, input)?;
        Ok(ProvedRuns { certified, logs: [reference_log, submission_log] })
    }

    fn satisfies_validator(&self, input: &[u8]) -> bool {
        !cases(input, self.problem.has_cases).iter().any(|case| (self.problem.refuses)(case))
    }

    /// Returns true if the submission is wrong on an input in a new process.
    fn fails(&self, input: &[u8]) -> bool {
        let cases = cases(input, self.problem.has_cases);
        (self.submission)(&cases, true) != sums(&cases, true)
    }

    /// Returns the inputs that the validator accepts up to the largest failing one with at most some elements, so that
    /// the proof has work to do. Returns `None` if no such input fails.
    fn inputs_to_failure(&self, format: &Format, elements: usize) -> Option<Vec<(Measure, Vec<u8>)>> {
        let plan = GenerationPlan::new(format);
        let values = Enumerator::new(&plan, elements, &|| false);
        let all = values.map(|value| (Measure::of_value(format, &value), print_value(format, &value)));
        let mut inputs: Vec<(Measure, Vec<u8>)> = all.filter(|(_, input)| self.satisfies_validator(input)).collect();
        let last = inputs.iter().rposition(|(_, input)| self.fails(input))?;
        inputs.truncate(last + 1);
        Some(inputs)
    }

    /// Checks the claims about the last of some inputs against the logs and, unless a run failed, against the truth.
    fn check(&self, format: &Format, inputs: &[(Measure, Vec<u8>)], ran: &ProvedRuns, context: &str) {
        let Some(certified) = &ran.certified else { panic!("{context}: no certificate") };
        let certificate = &certified.certificate;
        let best = certified.smaller_input_bytes().unwrap_or_else(|| last_input(inputs));
        assert!(self.fails(best), "{context}: a smaller input that does not fail");
        let below = Measure::of_value(format, &read_input(format, best).unwrap());
        let smaller = inputs.iter().take_while(|(measure, _)| *measure < below).map(|(_, input)| input);
        let smaller: Vec<&Vec<u8>> = smaller.collect();
        let was_run = |input: &Vec<u8>, new_process_only: bool| {
            ran.logs.iter().all(|log| {
                let log = log.lock().unwrap_or_else(PoisonError::into_inner);
                log.contains(&(input.clone(), true)) || !new_process_only && log.contains(&(input.clone(), false))
            })
        };
        self.check_counts(certificate, smaller.len() as u64, context);
        let first = |count: u64| smaller.iter().take(usize::try_from(count).unwrap());
        for input in first(certificate.run_in_processes) {
            assert!(was_run(input, true), "{context}: {input:?} was not run in a new process: {certificate:?}");
        }
        for input in first(certificate.run_alone) {
            assert!(was_run(input, false), "{context}: {input:?} was not run alone: {certificate:?}");
        }
        if certificate.complete && certificate.kind == ProofKind::Processes {
            let failing = smaller.iter().find(|input| self.fails(input));
            assert_eq!(failing, None, "{context}: a false proof");
        }
    }

    fn check_counts(&self, certificate: &Certificate, smaller: u64, context: &str) {
        let Certificate { inputs, run_alone, run_in_processes, .. } = *certificate;
        assert!(run_in_processes <= run_alone && run_alone <= inputs, "{context}: {certificate:?}");
        assert!(inputs <= smaller, "{context}: {certificate:?} of {smaller}");
        if certificate.complete {
            assert_eq!((inputs, certificate.unanswered), (smaller, 0), "{context}: {certificate:?}");
        }
        match (certificate.complete, certificate.kind) {
            (true, ProofKind::Processes) => assert_eq!(run_in_processes, inputs, "{context}"),
            (true, ProofKind::Copies) => assert_eq!(run_alone, inputs, "{context}"),
            _ => {}
        }
    }
}

#[test]
fn claims_of_proofs_are_backed_by_runs_and_true() {
    for problem in &PROBLEMS {
        for (name, submission) in SUBMISSIONS {
            for (jobs, engine) in [(1, RunEngine::Quick), (3, RunEngine::Quick), (2, RunEngine::Exec)] {
                let trial = ProofTrial { problem, submission, jobs, engine, fault: None };
                let format = trial.format();
                let Some(inputs) = trial.inputs_to_failure(&format, 7) else { continue };
                let ran = trial.certify(&format, last_input(&inputs)).unwrap();
                let context = format!("{} / {name} / {jobs} jobs / {engine:?}", problem.format);
                trial.check(&format, &inputs, &ran, &context);
                let certificate = &ran.certified.as_ref().unwrap().certificate;
                // There is time for all of it.
                assert!(certificate.complete && certificate.kind == ProofKind::Processes, "{context}: {certificate:?}");
            }
        }
    }
}

#[test]
fn faults_do_not_make_a_proof_claim_more() {
    for problem in &PROBLEMS {
        for (name, submission) in [SUBMISSIONS[0], SUBMISSIONS[2], SUBMISSIONS[7]] {
            let sound = ProofTrial { problem, submission, jobs: 2, engine: RunEngine::Quick, fault: None };
            let format = sound.format();
            let Some(inputs) = sound.inputs_to_failure(&format, 5) else { continue };
            for program in 0..3 {
                for fault in FAULTS {
                    for run in [0, 1, 2, 3, 5, 8, 13, 21, 40, 80, 160] {
                        let trial = ProofTrial { fault: Some((program, run, fault)), ..sound };
                        let context = format!("{} / {name} / {fault:?} of {program} at {run}", problem.format);
                        check_with_fault(&trial, &format, &inputs, &context);
                    }
                }
            }
        }
    }
}

/// A fault can end the proof with an error or a panic, but a certificate in spite of it has to be true.
fn check_with_fault(trial: &ProofTrial, format: &Format, inputs: &[(Measure, Vec<u8>)], context: &str) {
    let certify = || trial.certify(format, last_input(inputs));
    let Ok(Ok(ran)) = catch_unwind(AssertUnwindSafe(certify)) else { return };
    trial.check(format, inputs, &ran, context);
}

/// Returns the last of some inputs, from which proofs start.
fn last_input(inputs: &[(Measure, Vec<u8>)]) -> &[u8] {
    inputs.last().map_or(&[], |(_, input)| input)
}

/// Fails on inputs by a hash of all bytes, so that files fail independently of each other.
fn fails_by_chance(input: &[u8]) -> bool {
    let hash = input
        .iter()
        .fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3));
    (hash >> 32).is_multiple_of(23)
}

/// Returns a program that prints `1` if `fails` holds for its input, else `0`.
fn scripted_by_bytes(name: &str, fails: fn(&[u8]) -> bool) -> Program {
    let run = move |job: &RunJob<'_>, _: &CancelToken| {
        Ok(outcome(ProcessExit::Code(0), None, if fails(job.input) { b"1\n".to_vec() } else { b"0\n".to_vec() }))
    };
    Program::new(name.to_owned(), run)
}

/// For every format of the tests, the proof finds the very first failing input, or that every input passes.
#[test]
fn certificates_agree_with_brute_force_over_formats() {
    let mut proofs = 0;
    for (name, format) in crate::formats::published() {
        let plan = GenerationPlan::new(&format);
        let steps = AtomicU64::new(0);
        let stop = || steps.fetch_add(1, Ordering::Relaxed) > 8_000;
        let smallest: Vec<Vec<u8>> =
            Enumerator::new(&plan, usize::MAX, &stop).map(|v| print_value(&format, &v)).take(150).collect();
        let Some(start) = smallest.iter().rposition(|input| fails_by_chance(input)) else { continue };
        let first = smallest.iter().position(|input| fails_by_chance(input)).unwrap();
        let judge_setup = JudgeSetup {
            engine: RunEngine::Quick,
            reference: scripted_by_bytes("reference", |_| false),
            judge: Judge::Checker(rebut_checkers::Checker::default()),
            limits: RunLimits::default(),
            judge_limits: RunLimits::default(),
            cancel: CancelToken::default(),
        };
        let origin =
            InputOrigin::Format { plan: GenerationPlan::new(&format), settings: GenerationSettings::default() };
        let inputs = InputSource::new(origin, Vec::new(), RunLimits::default(), CancelToken::default());
        let proof =
            MinimalityProof { judge_setup: &judge_setup, inputs: &inputs, jobs: 2, budget: Duration::from_secs(600) };
        let submission = scripted_by_bytes("submission", fails_by_chance);
        let kind = FailureKind::from_verdict(Verdict::WrongAnswer);
        let certified = proof.certify_submission(&submission, kind, &smallest[start]).unwrap().unwrap();
        assert_eq!(certified.smaller_input_bytes().unwrap_or(&smallest[start]), smallest[first], "{name}");
        let certificate = &certified.certificate;
        assert_eq!(
            (certificate.complete, certificate.kind, certificate.inputs),
            (true, ProofKind::Processes, first as u64),
            "{name}"
        );
        proofs += 1;
    }
    assert!(proofs > 10, "{proofs} proofs only");
}
