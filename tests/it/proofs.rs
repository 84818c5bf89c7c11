//! Proofs that nothing smaller fails, over scripted programs: each claim is compared with what was run, and with the
//! truth, whatever fails in between.

use rebut::campaign::{Bench, Certified, Convention, Engine, Inputs, Origin, Proof, Referee, Validator};
use rebut::corpus::{Certificate, ProofKind};
use rebut::diagnostic::{Error, Result, Source};
use rebut::enumerate::Enumerator;
use rebut::format::Format;
use rebut::generate::{Plan, Settings};
use rebut::judge::FailureKind;
use rebut::print::print;
use rebut::read::read;
use rebut::run::{Cancel, Exit, Job, LimitHit, Limits, Outcome, Program, Runner};
use rebut::value::Measure;
use rebut::verdict::Verdict;
use std::collections::HashSet;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

/// The cases of an input: the numbers of each.
type Cases = Vec<Vec<i64>>;

/// What a program prints, given the cases of its input and whether it runs in a new process.
type Script = fn(cases: &[Vec<i64>], is_new_process: bool) -> Vec<i64>;

fn sums(cases: &[Vec<i64>], _: bool) -> Vec<i64> {
    cases.iter().map(|case| case.iter().sum()).collect()
}

/// The sums with one added wherever `is_wrong`, which is given a case's position and the number of cases.
fn sums_but(cases: &[Vec<i64>], is_wrong: impl Fn(usize, usize, i64) -> bool) -> Vec<i64> {
    let sums = sums(cases, true);
    let count = sums.len();
    sums.iter().enumerate().map(|(at, sum)| sum + i64::from(is_wrong(at + 1, count, *sum))).collect()
}

/// Submissions that are wrong somewhere, and whether only copies or only new processes show it.
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

/// What goes wrong at one run.
#[derive(Clone, Copy, Debug)]
enum Fault {
    Crash,
    TooSlow,
    CannotStart,
    Panic,
}

impl Fault {
    fn happen(self) -> Result<Outcome> {
        match self {
            Fault::Panic => panic!("a fault that the test wants"),
            Fault::CannotStart => Err(Error::operating("no process can be started")),
            Fault::Crash => Ok(outcome(Exit::Signal(11), None, Vec::new())),
            Fault::TooSlow => Ok(outcome(Exit::Signal(9), Some(LimitHit::CpuTime), Vec::new())),
        }
    }
}

const FAULTS: [Fault; 4] = [Fault::Crash, Fault::TooSlow, Fault::CannotStart, Fault::Panic];

/// The runs of a program that say something: its inputs, and whether each was in a new process.
type Log = Arc<Mutex<HashSet<(Vec<u8>, bool)>>>;

struct Scripted {
    has_cases: bool,
    /// A crash says something of a submission, and nothing of an input where it is the reference's.
    is_submission: bool,
    script: Script,
    /// The number of the run that goes wrong, from 0, and how.
    fault: Option<(u64, Fault)>,
    runs: AtomicU64,
    log: Log,
}

impl Scripted {
    fn run_in(&self, input: &[u8], is_new_process: bool) -> Result<Outcome> {
        let run = self.runs.fetch_add(1, Ordering::SeqCst);
        let fault = self.fault.filter(|(number, _)| *number == run).map(|(_, fault)| fault);
        let note = || self.log.lock().unwrap_or_else(PoisonError::into_inner).insert((input.to_vec(), is_new_process));
        if self.is_submission && matches!(fault, Some(Fault::Crash | Fault::TooSlow)) {
            note();
        }
        if let Some(fault) = fault {
            return fault.happen();
        }
        let results = (self.script)(&cases(input, self.has_cases), is_new_process);
        let output = results.iter().map(|result| format!("{result}\n")).collect::<String>().into_bytes();
        note();
        Ok(outcome(Exit::Code(0), None, output))
    }
}

impl Runner for Scripted {
    fn run(&self, job: &Job<'_>, _: &Cancel) -> Result<Outcome> {
        self.run_in(job.input, true)
    }

    fn run_quickly(&self, job: &Job<'_>, _: &Cancel) -> Result<Outcome> {
        self.run_in(job.input, false)
    }

    fn run_several(&self, inputs: &[&[u8]], _: &Limits, _: &Cancel) -> Result<Vec<Outcome>> {
        // Like a fork server, it may stop before the last.
        inputs.iter().take(5).map(|input| self.run_in(input, false)).collect()
    }

    fn is_quick(&self) -> bool {
        true
    }
}

fn outcome(exit: Exit, limit: Option<LimitHit>, output: Vec<u8>) -> Outcome {
    let (cpu_time_us, wall_time_us, memory_peak_bytes) = (1, 1, 1);
    Outcome {
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

/// The cases of an input: all of it is one if the format has none.
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

/// A proof, and all that is needed to check it.
struct Trial {
    problem: &'static Problem,
    submission: Script,
    jobs: usize,
    engine: Engine,
    /// Which of reference, submission and validator goes wrong, at which run, and how.
    fault: Option<(usize, u64, Fault)>,
}

/// The logs of the reference and the submission.
struct Ran {
    certified: Option<Certified>,
    logs: [Log; 2],
}

impl Trial {
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

    fn validator(&self) -> Validator {
        let (fault, runs, refuses, has_cases) = (
            self.fault.filter(|(program, ..)| *program == 2),
            AtomicU64::new(0),
            self.problem.refuses,
            self.problem.has_cases,
        );
        let judge = move |job: &Job<'_>, _: &Cancel| -> Result<Outcome> {
            let run = runs.fetch_add(1, Ordering::SeqCst);
            if let Some((_, _, fault)) = fault.filter(|(_, number, _)| *number == run) {
                return fault.happen();
            }
            let refused = cases(job.input, has_cases).iter().any(|case| refuses(case));
            Ok(outcome(Exit::Code(if refused { 43 } else { 42 }), None, Vec::new()))
        };
        Validator { program: Program::new("validator", judge), convention: Convention::Icpc, identity: None }
    }

    fn format(&self) -> Format {
        Format::parse(&Source::new("format", self.problem.format)).unwrap().0
    }

    /// Proves from a failing input on.
    fn certify(&self, format: &Format, input: &[u8]) -> Result<Ran> {
        let ((reference, reference_log), (submission, submission_log)) =
            (self.program(0, sums), self.program(1, self.submission));
        let bench = Bench {
            engine: self.engine,
            reference,
            referee: Referee::Checker(rebut_checkers::Checker::default()),
            limits: Limits::default(),
            jury_limits: Limits::default(),
            cancel: Cancel::default(),
        };
        let origin = Origin::Format { plan: Plan::new(format), settings: Settings::default() };
        let inputs = Inputs::new(origin, vec![self.validator()], Limits::default(), Cancel::default());
        let proof = Proof { bench: &bench, inputs: &inputs, jobs: self.jobs, budget: Duration::from_secs(600) };
        let kind = FailureKind::of_verdict(Verdict::WrongAnswer);
        let certified = proof.certify_submission(&submission, kind, input)?;
        Ok(Ran { certified, logs: [reference_log, submission_log] })
    }

    fn is_accepted(&self, input: &[u8]) -> bool {
        !cases(input, self.problem.has_cases).iter().any(|case| (self.problem.refuses)(case))
    }

    /// Whether the submission is wrong on an input that is run in a new process.
    fn fails(&self, input: &[u8]) -> bool {
        let cases = cases(input, self.problem.has_cases);
        (self.submission)(&cases, true) != sums(&cases, true)
    }

    /// The largest of the inputs that can be enumerated and fail: a proof has something to do below it.
    fn large_failure(&self, format: &Format, elements: usize) -> Option<Vec<u8>> {
        let plan = Plan::new(format);
        let inputs = Enumerator::new(&plan, elements, &|| false).map(|value| print(format, &value));
        inputs.filter(|input| self.is_accepted(input) && self.fails(input)).last()
    }

    /// Checks what is claimed against the logs and, unless something went wrong, against the truth.
    fn check(&self, format: &Format, input: &[u8], ran: &Ran, context: &str) {
        let Some(certified) = &ran.certified else { panic!("{context}: no certificate") };
        let certificate = &certified.certificate;
        let best = certified.smaller_input().unwrap_or(input);
        assert!(self.fails(best), "{context}: a smaller input that does not fail");
        let below = Measure::of(format, &read(format, best).unwrap());
        let plan = Plan::new(format);
        let all = Enumerator::new(&plan, usize::MAX, &|| false).take_while(|v| Measure::of(format, v) < below);
        let smaller: Vec<Vec<u8>> = all.map(|v| print(format, &v)).filter(|input| self.is_accepted(input)).collect();
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
fn proofs_claim_what_was_run_and_is_true() {
    for problem in &PROBLEMS {
        for (name, submission) in SUBMISSIONS {
            for (jobs, engine) in [(1, Engine::Quick), (3, Engine::Quick), (2, Engine::Exec)] {
                let trial = Trial { problem, submission, jobs, engine, fault: None };
                let format = trial.format();
                let Some(input) = trial.large_failure(&format, 7) else { continue };
                let ran = trial.certify(&format, &input).unwrap();
                let context = format!("{} / {name} / {jobs} jobs / {engine:?}", problem.format);
                trial.check(&format, &input, &ran, &context);
                let certificate = &ran.certified.as_ref().unwrap().certificate;
                // There is time for all of it.
                assert!(certificate.complete && certificate.kind == ProofKind::Processes, "{context}: {certificate:?}");
            }
        }
    }
}

#[test]
fn faults_never_make_a_proof_claim_more() {
    for problem in &PROBLEMS {
        for (name, submission) in [SUBMISSIONS[0], SUBMISSIONS[2], SUBMISSIONS[7]] {
            for program in 0..3 {
                for fault in FAULTS {
                    for run in [0, 1, 2, 3, 5, 8, 13, 21, 40, 80, 160] {
                        let trial = Trial {
                            problem,
                            submission,
                            jobs: 2,
                            engine: Engine::Quick,
                            fault: Some((program, run, fault)),
                        };
                        let format = trial.format();
                        let Some(input) = trial.large_failure(&format, 5) else { continue };
                        let context = format!("{} / {name} / {fault:?} of {program} at {run}", problem.format);
                        check_with_fault(&trial, &format, &input, &context);
                    }
                }
            }
        }
    }
}

/// A fault may end the proof, with an error or a panic; a certificate that comes of it has to hold.
fn check_with_fault(trial: &Trial, format: &Format, input: &[u8], context: &str) {
    let Ok(Ok(ran)) = catch_unwind(AssertUnwindSafe(|| trial.certify(format, input))) else { return };
    trial.check(format, input, &ran, context);
}

/// Whether a submission fails on an input, by all of its bytes: what one file does says nothing of another.
fn fails_by_chance(input: &[u8]) -> bool {
    let hash = input
        .iter()
        .fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3));
    (hash >> 32).is_multiple_of(23)
}

/// A program that prints `1` where it `fails`, else `0`.
fn by_bytes(name: &str, fails: fn(&[u8]) -> bool) -> Program {
    let run = move |job: &Job<'_>, _: &Cancel| {
        Ok(outcome(Exit::Code(0), None, if fails(job.input) { b"1\n".to_vec() } else { b"0\n".to_vec() }))
    };
    Program::new(name.to_owned(), run)
}

/// For every format of the tests: the proof finds the very first input that fails, or there is none.
#[test]
fn certificates_agree_with_brute_force_over_formats() {
    let mut proofs = 0;
    for (name, format) in crate::formats::published() {
        let plan = Plan::new(&format);
        let steps = AtomicU64::new(0);
        let stop = || steps.fetch_add(1, Ordering::Relaxed) > 8_000;
        let smallest: Vec<Vec<u8>> =
            Enumerator::new(&plan, usize::MAX, &stop).map(|v| print(&format, &v)).take(150).collect();
        let Some(start) = smallest.iter().rposition(|input| fails_by_chance(input)) else { continue };
        let first = smallest.iter().position(|input| fails_by_chance(input)).unwrap();
        let bench = Bench {
            engine: Engine::Quick,
            reference: by_bytes("reference", |_| false),
            referee: Referee::Checker(rebut_checkers::Checker::default()),
            limits: Limits::default(),
            jury_limits: Limits::default(),
            cancel: Cancel::default(),
        };
        let origin = Origin::Format { plan: Plan::new(&format), settings: Settings::default() };
        let inputs = Inputs::new(origin, Vec::new(), Limits::default(), Cancel::default());
        let proof = Proof { bench: &bench, inputs: &inputs, jobs: 2, budget: Duration::from_secs(600) };
        let submission = by_bytes("submission", fails_by_chance);
        let kind = FailureKind::of_verdict(Verdict::WrongAnswer);
        let certified = proof.certify_submission(&submission, kind, &smallest[start]).unwrap().unwrap();
        assert_eq!(certified.smaller_input().unwrap_or(&smallest[start]), smallest[first], "{name}");
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
