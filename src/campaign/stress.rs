//! The search: inputs in their order, every submission on each, until each has failed or the budget is used up.
//!
//! Workers take the next number from a counter, so an input with a lower number is always begun earlier; and a worker
//! finishes what it began. The failure with the lowest number is therefore the same for any number of workers.

use super::ahead::{Ahead, Pace, Runs, run_ahead};
use super::bench::{Answer, Bench, Engine, Trial};
use super::event::{Event, Failed, Progress, Reason, Sink, Warning};
use super::hunt::REPLAYS;
use super::inputs::{Inputs, Made};
use super::passed::Passed;
use super::reading::explain_reading;
use super::tally::{Clock, Report, Tally, count_labels};
use crate::diagnostic::{Error, ErrorKind, Result};
use crate::generate::Scrap;
use crate::run::{Outcome, Processors, Program};
use crate::verdict::Verdict;
use std::collections::HashSet;
use std::ops::Range;
use std::path::PathBuf;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, Sender, TryRecvError, channel};
use std::time::{Duration, Instant};

/// A program under test.
#[derive(Clone)]
pub struct Submission {
    /// Its name as the user knows it.
    pub name: String,
    /// Its source or executable.
    pub source: PathBuf,
    /// The program.
    pub program: Program,
}

/// Everything a search needs.
pub struct StressPlan<'a> {
    /// The submissions.
    pub submissions: Vec<Submission>,
    /// Where inputs come from.
    pub inputs: Inputs<'a>,
    /// The jury's side.
    pub bench: Bench,
    /// The seed of all choices.
    pub seed: u64,
    /// Workers.
    pub jobs: usize,
    /// How long.
    pub time_budget: Option<Duration>,
    /// How many inputs.
    pub case_budget: Option<u64>,
    /// Whether a submission that has failed is tried on, for failures of other kinds.
    pub keep_going: bool,
}

/// An input on which something failed.
#[derive(Clone, Debug)]
pub struct Hit {
    /// Which submission; none for the reference itself.
    pub submission: Option<usize>,
    /// The number of the input, from 0.
    pub index: u64,
    /// The input.
    pub made: Made,
    /// The answer to it; empty where the reference failed.
    pub answer: Vec<u8>,
    /// What happened.
    pub trial: Trial,
    /// When, in milliseconds since the search began.
    pub elapsed_ms: u64,
}

/// What came of a search.
#[derive(Debug, Default)]
pub struct SearchResult {
    /// First failures, by submission and kind, in the order of the inputs.
    pub hits: Vec<Hit>,
    /// The last state of the search.
    pub progress: Progress,
    /// Why it ended.
    pub reason: Reason,
    /// The files that were run, where every input was to be.
    pub passed: Passed,
    /// Number of submissions of which a failure did not show again, for no reason that is known.
    pub flaky: usize,
}

/// Inputs that are so large together are not made ahead.
const LARGE_BYTES: usize = 1 << 20;

/// With `--keep-going`, so many kinds of failure are kept of each submission.
const MOST_KINDS: usize = 4;

/// So many failures in copies of warm processes that did not show again are run again more than once, for each submission.
const MOST_TRIED_AGAIN: u64 = 8;

/// If the reference is too slow on so many inputs and has answered none, the search is pointless.
const MOST_TOO_SLOW: u64 = 20;

/// Runs a search to its end.
///
/// # Errors
/// If inputs cannot be made or programs cannot be run. Being interrupted is no error: it is a [`Reason`].
pub fn search(plan: &StressPlan<'_>, sink: &mut dyn Sink) -> Result<SearchResult> {
    let state = State::new(plan);
    // What runs when the time is up is stopped soon after, and counts as not run.
    let phase = plan.time_budget.map(|budget| plan.bench.cancel.begin_phase(budget));
    let (sender, receiver) = channel();
    let processors = Processors::from_here();
    std::thread::scope(|scope| {
        for worker in 0..plan.jobs.max(1) {
            let (sender, state, processors) = (sender.clone(), &state, &processors);
            scope.spawn(move || {
                processors.stay_on(worker);
                state.work(sender);
            });
        }
        drop(sender);
        let (tally, timed_out) = state.watch(&receiver, sink);
        // Failures are drawn once more, for which there is time.
        drop(phase);
        state.result(tally, timed_out)
    })
}

struct State<'p, 'a> {
    plan: &'p StressPlan<'a>,
    /// The plan's bench with the engine of record.
    exact: Bench,
    start: Instant,
    next: AtomicU64,
    stop: AtomicBool,
    /// The lowest number at which the reference failed: nothing beyond it is tried.
    reference_failed: AtomicU64,
    /// For each submission the lowest number at which it failed.
    failed: Vec<AtomicU64>,
    /// For each submission how many failures in copies of warm processes did not show in processes of their own.
    unconfirmed: Vec<AtomicU64>,
    hits: Mutex<Vec<Hit>>,
    passed: Mutex<Passed>,
    error: Mutex<Option<(u64, Error)>>,
}

impl<'p, 'a> State<'p, 'a> {
    fn new(plan: &'p StressPlan<'a>) -> Self {
        State {
            plan,
            exact: plan.bench.with(Engine::Exec),
            start: Instant::now(),
            next: AtomicU64::new(0),
            stop: AtomicBool::new(false),
            reference_failed: AtomicU64::new(u64::MAX),
            failed: plan.submissions.iter().map(|_| AtomicU64::new(u64::MAX)).collect(),
            unconfirmed: plan.submissions.iter().map(|_| AtomicU64::new(0)).collect(),
            hits: Mutex::new(Vec::new()),
            passed: Mutex::default(),
            error: Mutex::new(None),
        }
    }

    fn elapsed_ms(&self) -> u64 {
        u64::try_from(self.start.elapsed().as_millis()).unwrap_or(u64::MAX)
    }

    fn work(&self, sender: Sender<Report>) {
        let mut pace = Pace::new();
        loop {
            let since = Instant::now();
            let first = self.next.fetch_add(pace.width, Ordering::SeqCst);
            let mut indices = first..first + pace.width;
            while !indices.is_empty() {
                let first = indices.start;
                let few = self.make(&mut indices);
                for (index, ahead) in (first..).zip(few) {
                    if !self.take(index, ahead, &sender) {
                        return;
                    }
                }
                if self.is_over(indices.start) {
                    return;
                }
            }
            pace.note(since.elapsed());
        }
    }

    /// Tries one input in its turn; whether there is anything to do after it.
    fn take(&self, index: u64, ahead: Ahead, sender: &Sender<Report>) -> bool {
        if self.is_over(index) {
            return false;
        }
        match self.one(index, ahead) {
            Ok(Some(report)) => {
                self.note(index, report.cases as u64);
                sender.send(report).is_ok()
            }
            Ok(None) => {
                self.note(index, 0);
                true
            }
            Err(error) => {
                self.give_up(index, error);
                false
            }
        }
    }

    /// Makes the next inputs, up to the first beyond which there is nothing left to do, or until they are large together; and
    /// runs ahead what can be.
    fn make(&self, indices: &mut Range<u64>) -> Vec<Ahead> {
        let first = indices.start;
        let (mut all, mut bytes, mut scrap): (Vec<Ahead>, usize, Scrap) = (Vec::new(), 0, Scrap::default());
        while bytes < LARGE_BYTES
            && let Some(index) = indices.clone().next().filter(|index| !self.is_over(*index))
        {
            indices.start = index + 1;
            let mut clock = Clock::start();
            let made = self.plan.inputs.make_to_run(self.plan.seed, index, &mut scrap);
            clock.lap(0);
            bytes += made.iter().flatten().map(|made| made.bytes.len()).sum::<usize>();
            all.push(Ahead::new(made, &clock));
        }
        let quick = |(index, _): &(u64, &mut Ahead)| self.bench(*index).engine == self.plan.bench.engine;
        let some: Vec<&mut Ahead> = (first..).zip(&mut all).filter(quick).map(|(_, ahead)| ahead).collect();
        let submissions = self.plan.submissions.iter().zip(&self.failed);
        let submissions: Vec<Option<&Program>> = submissions
            .map(|(submission, failed)| {
                let is_wanted = self.plan.keep_going || failed.load(Ordering::SeqCst) >= first;
                is_wanted.then_some(&submission.program)
            })
            .collect();
        run_ahead(&self.plan.bench, some, &submissions, &|| self.is_over(first));
        all
    }

    /// Notes that a file was run, where that proves something.
    fn note(&self, index: u64, inputs: u64) {
        // Beyond the last file there is nothing to note.
        if self.plan.inputs.elements(index).is_some()
            && !self.stop.load(Ordering::SeqCst)
            && let Ok(mut passed) = self.passed.lock()
        {
            passed.note(index, inputs);
        }
    }

    /// Whether there is nothing left to do at this number or beyond it.
    fn is_over(&self, index: u64) -> bool {
        let beyond = |limit: &AtomicU64| limit.load(Ordering::SeqCst) < index;
        self.stop.load(Ordering::SeqCst)
            || self.plan.bench.cancel.cancelled()
            || self.plan.inputs.is_over(index)
            || self.plan.case_budget.is_some_and(|budget| index >= budget)
            || beyond(&self.reference_failed)
            || !self.plan.keep_going && self.failed.iter().all(beyond)
    }

    fn give_up(&self, index: u64, error: Error) {
        self.stop.store(true, Ordering::SeqCst);
        if let Ok(mut first) = self.error.lock()
            && first.as_ref().is_none_or(|(at, _)| index < *at)
            && error.kind() != ErrorKind::Interrupted
        {
            *first = Some((index, error));
        }
    }

    /// Tries one input; none if the validators refuse it.
    fn one(&self, index: u64, ahead: Ahead) -> Result<Option<Report>> {
        let mut clock = Clock::start();
        clock.spent = ahead.spent;
        let Some(made) = ahead.made? else { return Ok(None) };
        let mut report = Report { shape: made.shape.clone(), ..Report::default() };
        self.on(index, made, ahead.runs, &mut report, &mut clock)?;
        report.spent = clock.spent;
        Ok(Some(report))
    }

    /// The engine for an input. Warm processes all look alike, so what depends on addresses or on memory that was never
    /// filled may not show in any of them: every so often a true run has a look. It costs as much as four copies, and what
    /// it has not seen in the first thousand inputs is rare.
    fn bench(&self, index: u64) -> &Bench {
        const EARLY: u64 = 1024;
        let every = if index < EARLY { 32 } else { 128 };
        if index.is_multiple_of(every) { &self.exact } else { &self.plan.bench }
    }

    /// Asks the reference about an input, and then the submissions. Cases that are too many for it together are halved
    /// until they are not.
    fn on(&self, index: u64, made: Made, runs: Runs, report: &mut Report, clock: &mut Clock) -> Result<()> {
        clock.lap(0);
        let bench = self.bench(index);
        let (mut answer, cpu_time_us) = runs.answer.map_or_else(|| bench.answer_timed(&made.bytes), Ok)?;
        if bench.engine != Engine::Exec && matches!(answer, Answer::Failed(_)) {
            answer = self.exact.answer(&made.bytes)?;
        }
        report.cpu_time_us += cpu_time_us;
        clock.lap(1);
        match answer {
            Answer::TooSlow => match self.plan.inputs.halves(&self.plan.inputs.with_value(made, self.plan.seed, index))
            {
                Some(halves) => {
                    for half in halves.into_iter().filter(|_| !self.stop.load(Ordering::SeqCst)) {
                        self.on(index, half, Runs::default(), report, clock)?;
                    }
                }
                None => report.too_slow += 1,
            },
            Answer::Failed(outcome) => self.reference_hit(index, made, outcome, report),
            Answer::Known(answer) => {
                report.cases += made.cases;
                if !bench.referee.knows_what_is_right() {
                    count_labels(&answer, made.cases, &mut report.answers);
                }
                self.submissions(index, (&made, &answer), runs.outcomes, report, clock)?;
            }
        }
        Ok(())
    }

    fn submissions(
        &self,
        index: u64,
        (made, answer): (&Made, &[u8]),
        outcomes: Vec<Option<Outcome>>,
        report: &mut Report,
        clock: &mut Clock,
    ) -> Result<()> {
        let bench = self.bench(index);
        let mut outcomes = outcomes.into_iter();
        for (i, submission) in self.plan.submissions.iter().enumerate() {
            let ran = outcomes.next().flatten();
            if !self.plan.keep_going && self.failed[i].load(Ordering::SeqCst) < index {
                continue;
            }
            clock.skip();
            let case = (made.bytes.as_slice(), answer);
            let trial = bench.trial_noting(&submission.program, ran, case, &mut || clock.lap(2))?;
            clock.lap(3);
            report.cpu_time_us += trial.outcome.cpu_time_us;
            // Where a submission has failed before, one more failure of a process of its own needs no other.
            let is_known = bench.engine == Engine::Exec && self.failed[i].load(Ordering::SeqCst) != u64::MAX;
            if trial.verdict != Verdict::Accepted && !is_known {
                self.confirm(i, index, made, report)?;
                continue;
            }
            report.verdicts.push(trial.verdict);
            if trial.verdict != Verdict::Accepted {
                self.submission_hit(i, index, made, answer, trial, report);
            }
        }
        Ok(())
    }

    /// Runs again, in a process of its own, what has failed; what does not fail again is no finding, and the search goes on.
    /// A failure may depend on chance, so it is given several, as long as that is not the rule: a program can fail in each of
    /// its warm copies, and in no process of its own.
    fn confirm(&self, i: usize, index: u64, made: &Made, report: &mut Report) -> Result<()> {
        let Answer::Known(answer) = self.exact.answer(&made.bytes)? else { return Ok(()) };
        let chances = if self.unconfirmed[i].load(Ordering::Relaxed) < MOST_TRIED_AGAIN { REPLAYS } else { 1 };
        let run = || self.exact.trial(&self.plan.submissions[i].program, &made.bytes, &answer);
        let mut trial = run()?;
        for _ in 1..chances {
            if trial.verdict != Verdict::Accepted {
                break;
            }
            trial = run()?;
        }
        report.verdicts.push(trial.verdict);
        if trial.verdict == Verdict::Accepted {
            self.unconfirmed[i].fetch_add(1, Ordering::Relaxed);
            report.unconfirmed.push((i, index));
        } else {
            self.submission_hit(i, index, made, &answer, trial, report);
        }
        Ok(())
    }

    fn submission_hit(&self, i: usize, index: u64, made: &Made, answer: &[u8], trial: Trial, report: &mut Report) {
        let first = self.failed[i].fetch_min(index, Ordering::SeqCst) == u64::MAX;
        let name = self.plan.submissions[i].name.clone();
        if first {
            report.failed.push(self.failure(name, trial.verdict, index, &made.shape));
        }
        let hit = Hit {
            submission: Some(i),
            index,
            made: made.clone(),
            answer: answer.to_vec(),
            trial,
            elapsed_ms: self.elapsed_ms(),
        };
        self.keep(hit);
    }

    fn reference_hit(&self, index: u64, made: Made, outcome: Outcome, report: &mut Report) {
        self.reference_failed.fetch_min(index, Ordering::SeqCst);
        let name = self.plan.bench.reference.display_name().to_owned();
        report.failed.push(self.failure(name, Verdict::JudgeError, index, &made.shape));
        let trial = Bench::reference_failure(outcome);
        let elapsed_ms = self.elapsed_ms();
        self.keep(Hit { submission: None, index, made, answer: Vec::new(), trial, elapsed_ms });
    }

    fn failure(&self, submission: String, verdict: Verdict, index: u64, shape: &str) -> Failed {
        Failed { submission, verdict, case: index + 1, shape: shape.to_owned(), elapsed_ms: self.elapsed_ms() }
    }

    /// Keeps a hit if it is the first of its kind, or earlier than the one kept.
    fn keep(&self, hit: Hit) {
        let Ok(mut hits) = self.hits.lock() else { return };
        let same =
            |h: &Hit| h.submission == hit.submission && (!self.plan.keep_going || h.trial.kind == hit.trial.kind);
        match hits.iter().position(same) {
            Some(at) if hits[at].index > hit.index => hits[at] = hit,
            Some(_) => {}
            None => hits.push(hit),
        }
    }

    /// Folds the workers' reports into progress until they are all done. Returns also whether the time was up by then.
    fn watch(&self, receiver: &Receiver<Report>, sink: &mut dyn Sink) -> (Tally, bool) {
        const TICK: Duration = Duration::from_millis(100);
        const PAUSES: [Duration; 2] = [Duration::from_millis(1), Duration::from_millis(25)];
        let mut tally = Tally::default();
        let mut shown = Instant::now();
        let mut timed_out = false;
        let mut warned = HashSet::new();
        loop {
            match receiver.try_recv() {
                Ok(report) => {
                    for failed in &report.failed {
                        sink.take(&Event::Failed(failed.clone()));
                    }
                    for (i, index) in &report.unconfirmed {
                        if tally.unconfirmed.insert(*i) {
                            sink.take(&Event::Warning(self.unconfirmed_warning(*i, *index)));
                        }
                    }
                    tally.add(report);
                }
                // Whoever waits is woken by each report, which costs the workers more than the report is worth; and
                // who has searched for long can wait a little for its end.
                Err(TryRecvError::Empty) => {
                    std::thread::sleep((self.start.elapsed() / 32).clamp(PAUSES[0], PAUSES[1]));
                }
                Err(TryRecvError::Disconnected) => break,
            }
            if self.is_out_of_time() {
                timed_out = true;
                self.stop.store(true, Ordering::SeqCst);
            }
            if tally.progress.skipped >= MOST_TOO_SLOW && tally.progress.cases == 0 {
                self.give_up(0, self.too_slow());
            }
            if shown.elapsed() >= TICK {
                shown = Instant::now();
                sink.take(&Event::Progress(self.progress(&tally)));
                self.warn_of_refused_copies(&mut warned, sink);
            }
        }
        self.warn_of_refused_copies(&mut warned, sink);
        // A worker whose run was stopped can be done before that is seen here.
        (tally, timed_out || self.is_out_of_time() && self.stop.load(Ordering::SeqCst))
    }

    /// That the reference is too slow, and why, if what it does with its input tells.
    fn too_slow(&self) -> Error {
        let error = too_slow(self.plan.bench.reference.display_name());
        match explain_slow_reference(self.plan) {
            Some(why) => error.with_note(why),
            None => error,
        }
    }

    fn is_out_of_time(&self) -> bool {
        self.plan.time_budget.is_some_and(|budget| self.start.elapsed() >= budget)
    }

    /// Emits a warning for each program that is not copied any more, once.
    fn warn_of_refused_copies(&self, warned: &mut HashSet<String>, sink: &mut dyn Sink) {
        let submissions = self.plan.submissions.iter().map(|submission| &submission.program);
        for program in submissions.chain([&self.plan.bench.reference]) {
            if let Some(reason) = program.refused_copies()
                && warned.insert(program.display_name().to_owned())
            {
                sink.take(&Event::Warning(not_copied(program.display_name(), &reason)));
            }
        }
    }

    /// How far it is, with what the makers of inputs took.
    fn progress(&self, tally: &Tally) -> Progress {
        let mut progress = tally.progress(self.elapsed_ms());
        progress.refused = self.plan.inputs.refused();
        progress.programs_cpu_time_us += self.plan.inputs.programs_cpu_time_us();
        progress
    }

    /// Whether a submission is run in copies of a warm process.
    fn is_warm(&self, i: usize) -> bool {
        self.plan.bench.engine == Engine::Quick && self.plan.submissions[i].program.is_quick()
    }

    fn unconfirmed_warning(&self, i: usize, index: u64) -> Warning {
        let name = &self.plan.submissions[i].name;
        if self.is_warm(i) { unconfirmed(name, index) } else { by_chance(name, index) }
    }

    fn result(&self, tally: Tally, timed_out: bool) -> Result<SearchResult> {
        let error = self.error.lock().ok().and_then(|mut e| e.take());
        let mut hits = self.hits.lock().map(|mut h| std::mem::take(&mut *h)).unwrap_or_default();
        hits.sort_by_key(|h| (h.index, h.submission));
        let beyond = self.reference_failed.load(Ordering::SeqCst);
        hits.retain(|h| h.index <= beyond);
        let mut seen = vec![0; self.plan.submissions.len()];
        hits.retain(|h| {
            let Some(i) = h.submission else { return true };
            seen[i] += 1;
            seen[i] <= MOST_KINDS
        });
        let with_value = |made, index| self.plan.inputs.with_value(made, self.plan.seed, index);
        let hits: Vec<Hit> = hits.into_iter().map(|hit| Hit { made: with_value(hit.made, hit.index), ..hit }).collect();
        // A failure that was found is worth more than the error that ended the search; with none, the error is all.
        if let (Some((_, error)), true) = (error, hits.is_empty()) {
            return Err(error);
        }
        let reason = if beyond != u64::MAX {
            Reason::JudgeError
        } else if self.plan.bench.cancel.is_thrown() {
            Reason::Interrupted
        } else if timed_out {
            Reason::Time
        } else if hits.is_empty() && tally.progress.skipped == 0 && self.plan.inputs.is_complete() {
            Reason::Exhausted
        } else if self.failed.iter().all(|f| f.load(Ordering::SeqCst) != u64::MAX) && !self.plan.keep_going {
            Reason::Done
        } else {
            Reason::Cases
        };
        let passed = self.passed.lock().map(|mut passed| std::mem::take(&mut *passed)).unwrap_or_default();
        let flaky = tally.unconfirmed.iter().filter(|i| !self.is_warm(**i)).count();
        Ok(SearchResult { hits, progress: self.progress(&tally), reason, passed, flaky })
    }
}

/// That a failure depends on chance.
fn by_chance(submission: &str, index: u64) -> Warning {
    Warning {
        message: format!(
            "{submission} fails on input {}, and in none of {REPLAYS} runs after that: it depends on chance, on time, or on \
             what its runs leave behind",
            index + 1
        ),
        help: Some("such a failure is no finding; with `--flaky=fail` it is a failure of the command".to_owned()),
    }
}

/// That a failure depends on how the process came about.
fn unconfirmed(submission: &str, index: u64) -> Warning {
    Warning {
        message: format!(
            "{submission} fails on input {} in a copy of a warm process, but not in a process of its own: it depends on \
             addresses, on memory that it never filled, or on chance",
            index + 1
        ),
        help: Some(
            "such failures are not reported; `--engine exec` runs every input in a process of its own".to_owned(),
        ),
    }
}

/// That a program is slower to run than others, and why.
fn not_copied(program: &str, reason: &str) -> Warning {
    Warning {
        message: format!("{program} is not copied but started again for each run, which is slower: {reason}"),
        help: Some("constructors of global objects run before `main`; verdicts are the same either way".to_owned()),
    }
}

/// Returns why the reference is too slow on the first inputs, if what it does with them tells. What stands in the way of that
/// costs only the explanation.
pub fn explain_slow_reference(plan: &StressPlan<'_>) -> Option<String> {
    let made = plan.inputs.make(plan.seed, 0).ok().flatten()?;
    let Bench { reference, jury_limits, cancel, .. } = &plan.bench;
    explain_reading(reference, &made.bytes, jury_limits, cancel).ok().flatten()
}

fn too_slow(reference: &str) -> Error {
    Error::judge(format!(
        "the reference `{reference}` is too slow: it answered none of the first {MOST_TOO_SLOW} inputs"
    ))
    .with_help("keep inputs small with `--where 'n <= 8'`, or give it more time with `--reference-time`")
}
