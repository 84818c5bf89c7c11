//! Fills the table, by several workers, and tells of its cells in order.

use super::super::referee::Sitting;
use super::{Case, Cell, Contestant, Memory, VerifyPlan, judged};
use crate::campaign::Sink;
use crate::corpus::{Bound, read_file};
use crate::diagnostic::{Error, Result};
use crate::run::Limits;
use crate::verdict::{Subject, Verdict};
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
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
        let flags = || plan.contestants.iter().map(|_| AtomicBool::new(false)).collect::<Vec<_>>();
        let (done, shown) = (flags(), plan.contestants.iter().map(|_| Shown::default()).collect::<Vec<_>>());
        let (next, is_over) = (AtomicUsize::new(0), AtomicBool::new(false));
        let loaded = Loaded::default();
        let (sender, receiver) = mpsc::channel::<Finished>();
        std::thread::scope(|scope| {
            for _ in 0..plan.jobs.clamp(1, order.len().max(1)) {
                let (sender, order, next, is_over) = (sender.clone(), &order, &next, &is_over);
                let (done, shown, loaded) = (&done, &shown, &loaded);
                scope.spawn(move || {
                    while !is_over.load(Ordering::Relaxed) {
                        let position = next.fetch_add(1, Ordering::Relaxed);
                        let Some(&(case, row)) = order.get(position) else { break };
                        let made = (!done[row].load(Ordering::Relaxed))
                            .then(|| one(plan, (row, case), limits, loaded, &shown[row]))
                            .transpose();
                        is_over.fetch_or(made.is_err(), Ordering::Relaxed);
                        if sender.send((position, made)).is_err() {
                            break;
                        }
                    }
                });
            }
            drop(sender);
            let result = self.collect(plan, &order, &done, &receiver, sink);
            is_over.store(true, Ordering::Relaxed);
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

    /// Takes finished cells, puts them in order, tells of them, and notes whose fate is sealed.
    fn collect(
        &mut self,
        plan: &VerifyPlan<'_>,
        order: &[(usize, usize)],
        done: &[AtomicBool],
        receiver: &mpsc::Receiver<Finished>,
        sink: &mut dyn Sink,
    ) -> Result<()> {
        let mut waiting = BTreeMap::new();
        let mut told = 0;
        while told < order.len() {
            let Ok((position, made)) = receiver.recv() else { break };
            waiting.insert(position, made);
            while let Some(made) = waiting.remove(&told) {
                let (case, row) = order[told];
                told += 1;
                let Some((cell, remembered)) = made? else { continue };
                // A worker that was quicker than the news of a sealed fate did more than was asked.
                if done[row].load(Ordering::Relaxed) {
                    continue;
                }
                let contestant = &plan.contestants[row];
                sink.take(&judged(contestant, &plan.cases[case], &cell, remembered, self.began));
                // Points come from all test cases.
                let is_sealed = plan.lazy && plan.scale.is_none() && is_sealed(contestant, &cell);
                self.rows[row][case] = Some(cell);
                done[row].store(is_sealed, Ordering::Relaxed);
            }
        }
        // The workers are gone: the first thing that stopped one of them is what there is to say.
        waiting.into_values().find_map(Result::err).map_or(Ok(()), Err)
    }
}

/// Whether nothing that is still to come can change what becomes of an expectation.
fn is_sealed(contestant: &Contestant, cell: &Cell) -> bool {
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
    let files = files(&plan.cases[case], case, plan.memory, loaded)?;
    let beyond = stretched(contestant, limits, plan.timing.time_limit_to_tle);
    let key = |limits| key(plan.memory, contestant, which, &files, limits);
    let recalled = |limits| plan.memory.recall(&key(limits)?);
    let known = recalled(&beyond).or_else(|| if beyond == *limits { None } else { recalled(limits) });
    if let Some(cell) = known {
        shown.is_slow.fetch_or(is_beyond(&cell, &beyond), Ordering::Relaxed);
        return Ok((in_time(cell, limits), true));
    }
    // How far beyond the limit it goes, one test case shows.
    let limits_of_run = if shown.is_slow.load(Ordering::Relaxed) { limits } else { &beyond };
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

/// What must be too slow is let run on beyond the time limit, to see how far.
fn stretched(contestant: &Contestant, limits: &Limits, factor: f64) -> Limits {
    if contestant.expected.times != Some(Bound::Upper) || factor.is_nan() || factor <= 1.0 {
        return limits.clone();
    }
    let cpu_time_limit_ms = (limits.cpu_time_limit_ms as f64 * factor).ceil() as u64;
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
}
