//! Fills the table, by several workers, and tells of its cells in order.

use super::super::referee::{JuryProgram, Sitting};
use super::examine::{Sources, examined};
use super::queue::{Queue, Task};
use super::{Case, Cell, Contestant, Memory, VerifyPlan, judged};
use crate::campaign::Sink;
use crate::corpus::{Bound, read_file};
use crate::diagnostic::{Error, ErrorKind, Result};
use crate::run::Limits;
use crate::verdict::{Subject, Verdict};
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError, mpsc};
use std::time::Instant;

/// All cells that are known, a row for each submission.
pub(super) struct Table {
    rows: Vec<Vec<Option<Cell>>>,
    began: Instant,
}

/// Both files of a test case.
struct Files {
    input: Vec<u8>,
    answer: Vec<u8>,
    digest: String,
}

/// The files of the test cases that are worked on: read once, dropped when the last worker is done with them.
type Loaded = Mutex<BTreeMap<usize, Arc<Files>>>;

/// A finished cell on its way to the table: its position in the order, and whether it was known before.
type Finished = (usize, Result<Option<(Cell, bool)>>);

impl Table {
    pub(super) fn new(plan: &VerifyPlan<'_>, began: Instant) -> Table {
        Table { rows: plan.contestants.iter().map(|_| vec![None; plan.cases.len()]).collect(), began }
    }

    pub(super) fn into_rows(self) -> impl Iterator<Item = Vec<Option<Cell>>> {
        self.rows.into_iter()
    }

    /// The slowest cell of those that must be in time, in microseconds of processor time.
    pub(super) fn slowest_in_time(&self, plan: &VerifyPlan<'_>) -> u64 {
        let rows = plan.contestants.iter().zip(&self.rows);
        let bounding = rows.filter(|(c, _)| c.expected.times == Some(Bound::Lower));
        bounding.flat_map(|(_, row)| row.iter().flatten()).map(|cell| cell.cpu_time_us).max().unwrap_or(0)
    }

    /// Fills what is missing of the rows that `wanted` names, test case by test case.
    pub(super) fn sweep(
        &mut self,
        plan: &VerifyPlan<'_>,
        wanted: &(dyn Fn(&Contestant) -> bool + Sync),
        limits: &Limits,
        sink: &mut dyn Sink,
    ) -> Result<()> {
        let order = self.missing(plan, wanted);
        let is_done = |(row, cells): (usize, &Vec<Option<Cell>>)| {
            cells.iter().flatten().any(|cell| is_sealed(plan, &plan.contestants[row], cell))
        };
        let queue = Queue::new(order.len(), self.rows.iter().enumerate().map(is_done).collect());
        let shown: Vec<Shown> = plan.contestants.iter().map(|_| Shown::default()).collect();
        let loaded = Loaded::default();
        let (sender, receiver) = mpsc::channel::<Finished>();
        std::thread::scope(|scope| {
            for _ in 0..plan.jobs.clamp(1, order.len().max(1)) {
                let sender = sender.clone();
                let (order, queue, shown, loaded) = (&order, &queue, &shown, &loaded);
                scope.spawn(move || work(plan, limits, order, queue, shown, loaded, &sender));
            }
            drop(sender);
            let result = self.collect(plan, &order, &receiver, sink);
            queue.end();
            result
        })
    }

    /// The cells that are still to be filled, in the order in which they are told.
    fn missing(&self, plan: &VerifyPlan<'_>, wanted: &dyn Fn(&Contestant) -> bool) -> Vec<(usize, usize)> {
        let is_wanted = |row: usize| wanted(&plan.contestants[row]) && plan.contestants[row].program.is_ok();
        let rows: Vec<usize> = (0..self.rows.len()).filter(|row| is_wanted(*row)).collect();
        let cells = (0..plan.cases.len()).flat_map(|case| rows.iter().map(move |row| (case, *row)));
        cells.filter(|(case, row)| self.rows[*row][*case].is_none()).collect()
    }

    /// Takes finished cells, puts them in order, and tells of them.
    fn collect(
        &mut self,
        plan: &VerifyPlan<'_>,
        order: &[(usize, usize)],
        receiver: &mpsc::Receiver<Finished>,
        sink: &mut dyn Sink,
    ) -> Result<()> {
        let mut waiting = BTreeMap::new();
        let mut told = 0;
        while told < order.len() {
            let Ok((position, made)) = receiver.recv() else { break };
            waiting.insert(position, made);
            while let Some(made) = waiting.remove(&told) {
                if made.as_ref().is_err_and(|error| error.kind() == ErrorKind::Interrupted) {
                    waiting.insert(told, made);
                    break;
                }
                self.fill(plan, order[told], made?, sink);
                told += 1;
            }
        }
        // The workers are gone: the first thing that stopped one of them is what there is to say. What others have finished
        // by then is not lost.
        let mut stopped = Ok(());
        for (position, made) in waiting {
            match made {
                Ok(made) => self.fill(plan, order[position], made, sink),
                Err(error) => stopped = stopped.and(Err(error)),
            }
        }
        stopped
    }

    /// Puts a cell into the table, if it was run, and tells of it.
    fn fill(
        &mut self,
        plan: &VerifyPlan<'_>,
        (case, row): (usize, usize),
        made: Option<(Cell, bool)>,
        sink: &mut dyn Sink,
    ) {
        let Some((cell, remembered)) = made else { return };
        sink.take(&judged(&plan.contestants[row], &plan.cases[case], &cell, remembered, self.began));
        self.rows[row][case] = Some(cell);
    }

    /// How many cells are known.
    pub(super) fn known(&self) -> usize {
        self.rows.iter().flatten().flatten().count()
    }
}

/// What a worker does: one cell after the other.
fn work(
    plan: &VerifyPlan<'_>,
    limits: &Limits,
    order: &[(usize, usize)],
    queue: &Queue,
    shown: &[Shown],
    loaded: &Loaded,
    sender: &mpsc::Sender<Finished>,
) {
    // One cell may make it needless to run the next, or to let it run on beyond the limit.
    let is_one_by_one = |row: usize| {
        let bounds = plan.contestants[row].expected.times == Some(Bound::Upper);
        plan.lazy || bounds && !shown[row].is_slow.load(Ordering::Relaxed)
    };
    while let Some(task) = queue.take(|at| order[at].1, is_one_by_one) {
        let finished = match task {
            Task::Skip(at) => (at, Ok(None)),
            Task::Run(at) => {
                let (case, row) = order[at];
                let made = one(plan, (row, case), limits, loaded, &shown[row]);
                let contestant = &plan.contestants[row];
                queue.ran(row, made.as_ref().is_ok_and(|(cell, _)| is_sealed(plan, contestant, cell)));
                (at, made.map(Some))
            }
        };
        if finished.1.is_err() {
            queue.end();
        }
        if sender.send(finished).is_err() {
            break;
        }
    }
}

/// Whether nothing that is still to come can change what becomes of an expectation, and that is all that is asked for.
fn is_sealed(plan: &VerifyPlan<'_>, contestant: &Contestant, cell: &Cell) -> bool {
    // Points come from all test cases.
    if !plan.lazy || plan.scale.is_some() {
        return false;
    }
    let expectation = &contestant.expected.expectation;
    if cell.verdict == Verdict::Accepted || !contestant.expected.rules.is_empty() {
        return false;
    }
    let is_refused = !expectation.permitted.contains(cell.verdict);
    expectation.subject == Subject::Whole || is_refused
}

/// One cell: recalled, or run; and whether it was recalled.
fn one(
    plan: &VerifyPlan<'_>,
    (row, case): (usize, usize),
    limits: &Limits,
    loaded: &Loaded,
    shown: &Shown,
) -> Result<(Cell, bool)> {
    let (contestant, which) = (&plan.contestants[row], &plan.cases[case]);
    let Ok(program) = &contestant.program else {
        return Err(Error::judge(format!("`{}` did not compile", contestant.name)));
    };
    if let (Some(examiner), Some(sources)) = (&which.examiner, &contestant.sources) {
        return looked_at(plan, contestant, examiner, sources);
    }
    let files = files(&plan.cases[case], case, plan.memory, loaded)?;
    let beyond = stretched(contestant, limits, plan.timing.time_limit_to_tle);
    let exact = exact(contestant, limits);
    let key = |limits| key(plan.memory, contestant, which, &files, limits);
    let recalled = |limits| plan.memory.recall(&key(limits)?);
    let known = recalled(&beyond).or_else(|| if exact == beyond { None } else { recalled(&exact) });
    if let Some(cell) = known {
        shown.is_slow.fetch_or(is_beyond(&cell, &beyond), Ordering::Relaxed);
        return Ok((in_time(cell, limits), true));
    }
    // How far beyond the limit it goes, one test case shows.
    let limits_of_run = if shown.is_slow.load(Ordering::Relaxed) { &exact } else { &beyond };
    let sitting = Sitting {
        input: &files.input,
        answer: &files.answer,
        arguments: &which.arguments,
        limits: limits_of_run,
        cancel: &plan.cancel,
    };
    let mut cell = Cell::of(&which.referee.trial(program, &sitting)?);
    // A machine that is busy elsewhere can keep a program waiting: only who does so twice is believed to be idle.
    if cell.was_idle && !shown.is_idle.load(Ordering::Relaxed) {
        cell = Cell::of(&which.referee.trial(program, &sitting)?);
        shown.is_idle.fetch_or(cell.was_idle, Ordering::Relaxed);
    }
    shown.is_slow.fetch_or(is_beyond(&cell, &beyond), Ordering::Relaxed);
    if let Some(key) = key(limits_of_run) {
        plan.memory.remember(&key, &cell);
    }
    Ok((in_time(cell, limits), false))
}

/// A cell of which the sources decide.
fn looked_at(
    plan: &VerifyPlan<'_>,
    contestant: &Contestant,
    examiner: &JuryProgram,
    sources: &Sources,
) -> Result<(Cell, bool)> {
    let about = format!("{} {}", sources.language, sources.entry_point);
    let identities = contestant.identity.as_ref().zip(examiner.identity());
    let key = identities.map(|(submission, examiner)| {
        plan.memory.digest(&[b"static", submission.as_bytes(), about.as_bytes(), examiner.as_bytes()])
    });
    if let Some(cell) = key.as_ref().and_then(|key| plan.memory.recall(key)) {
        return Ok((cell, true));
    }
    let cell = Cell::of(&examined(examiner, sources, &plan.cancel)?);
    if let Some(key) = key {
        plan.memory.remember(&key, &cell);
    }
    Ok((cell, false))
}

/// What some test case has shown of a submission, so that the others need not.
#[derive(Default)]
struct Shown {
    /// It sleeps or waits until it is stopped.
    is_idle: AtomicBool,
    /// It is too slow by as much as is asked for.
    is_slow: AtomicBool,
}

/// Whether a run was stopped only by those limits.
fn is_beyond(cell: &Cell, limits: &Limits) -> bool {
    cell.was_stopped && cell.cpu_time_us >= limits.cpu_time_limit_ms.saturating_mul(1000)
}

/// What must be too slow, and was on some test case, is stopped at the time limit itself on the others: nobody asks any
/// more how far beyond it goes.
fn exact(contestant: &Contestant, limits: &Limits) -> Limits {
    let is_bounding = contestant.expected.times == Some(Bound::Upper);
    Limits { cpu_time_slack_ms: if is_bounding { 0 } else { limits.cpu_time_slack_ms }, ..limits.clone() }
}

/// What must be too slow is let run on beyond the time limit, to see how far.
fn stretched(contestant: &Contestant, limits: &Limits, factor: f64) -> Limits {
    if contestant.expected.times != Some(Bound::Upper) || factor.is_nan() || factor <= 1.0 {
        return limits.clone();
    }
    let beyond_ms = (limits.cpu_time_limit_ms as f64 * factor).ceil() as u64;
    // Where it is stopped counts: what a run has of slack is a part of that.
    let cpu_time_limit_ms = Limits::stopped_at_ms(beyond_ms).max(limits.cpu_time_limit_ms);
    Limits {
        // Who computes all the time needs little more; who sleeps is not to be let sleep longer.
        wall_time_limit_ms: limits.wall_time_limit_ms.max(cpu_time_limit_ms.saturating_add(1000)),
        memory_limit_bytes: limits.memory_limit_bytes,
        output_limit_bytes: limits.output_limit_bytes,
        ..Limits::with_cpu_time_ms(cpu_time_limit_ms)
    }
}

/// The same by the limit that counts: what ran on beyond it was too slow, whatever it printed.
fn in_time(cell: Cell, limits: &Limits) -> Cell {
    let is_over = cell.cpu_time_us > limits.cpu_time_limit_ms.saturating_mul(1000);
    if !is_over || matches!(cell.verdict, Verdict::TimeLimit | Verdict::JudgeError) {
        return cell;
    }
    Cell { verdict: Verdict::TimeLimit, message: "used more processor time than its limit".to_owned(), ..cell }
}

/// Everything that decides a cell, if all of it is known.
fn key(memory: &dyn Memory, contestant: &Contestant, case: &Case, files: &Files, limits: &Limits) -> Option<String> {
    let limits = format!("{limits:?}");
    let referee = case.referee.identity()?;
    let arguments = format!("{:?}", case.arguments);
    let parts = [contestant.identity.as_ref()?, &files.digest, &referee, &arguments, &limits];
    Some(memory.digest(&parts.map(|part| part.as_bytes())))
}

/// The files of a test case. Those of earlier ones are let go: nobody comes to them again.
fn files(case: &Case, number: usize, memory: &dyn Memory, loaded: &Loaded) -> Result<Arc<Files>> {
    let mut loaded = loaded.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(files) = loaded.get(&number) {
        return Ok(Arc::clone(files));
    }
    let (input, answer) = (read_file(&case.input)?, read_file(&case.answer)?);
    let digest = memory.digest(&[&input, &answer]);
    let files = Arc::new(Files { input, answer, digest });
    loaded.retain(|other, _| *other > number);
    loaded.insert(number, Arc::clone(&files));
    Ok(files)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_stopped_by_its_own_limit_is_not_too_slow_by_more() {
        let limits = Limits::with_cpu_time_ms(2000);
        let cell = |cpu_time_us, was_stopped| Cell {
            verdict: Verdict::TimeLimit,
            cpu_time_us,
            wall_time_us: 0,
            memory_peak_bytes: 0,
            message: String::new(),
            was_stopped,
            was_idle: false,
            is_close: false,
            given: crate::score::Given::default(),
        };
        assert!(is_beyond(&cell(2_000_000, true), &limits));
        assert!(!is_beyond(&cell(2_000_000, false), &limits), "it ended by itself");
        assert!(!is_beyond(&cell(1_999_999, true), &limits), "the ordinary limit stopped it");
    }

    #[test]
    fn what_must_be_too_slow_is_let_run_on_until_it_is_too_slow_enough() {
        let contestant = |times| {
            let rejected = crate::campaign::verify::Rejected { command: String::new(), text: String::new() };
            let expectation = crate::verdict::Expectation::ACCEPTED;
            let expected = crate::campaign::verify::Expected { expectation, rules: Vec::new(), times, score: None };
            let (name, identity, sources) = (String::new(), None, None);
            Contestant { name, expected, program: Err(rejected), identity, sources }
        };
        let limits = Limits::with_cpu_time_ms(1000);
        let ends = |limits: Limits| (limits.cpu_time_limit_ms, limits.cpu_time_limit_ms + limits.cpu_time_slack_ms);
        for (times, factor, first, then) in [
            (Some(Bound::Upper), 1.5, (1200, 1500), (1000, 1000)),
            (Some(Bound::Upper), 2.0, (1600, 2000), (1000, 1000)),
            // The ordinary slack is more than that.
            (Some(Bound::Upper), 1.1, (1000, 1250), (1000, 1000)),
            (Some(Bound::Lower), 1.5, (1000, 1250), (1000, 1250)),
            (None, 1.5, (1000, 1250), (1000, 1250)),
        ] {
            let contestant = contestant(times);
            assert_eq!(ends(stretched(&contestant, &limits, factor)), first, "{times:?} {factor}");
            assert_eq!(ends(exact(&contestant, &limits)), then, "{times:?} {factor}");
        }
    }
}
