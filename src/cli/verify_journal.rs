//! A verdict table that several machines fill: its cells are runs in blocks of a journal.

use super::missing_blocks::{MissingBlocks, warn_of_damages};
use super::session::Session;
use super::stress_journal::count_blocks_of_shard;
use rebut_diagnostics::Result;
use rebut_engine::event::ShardFinished;
use rebut_engine::verify::{CellJournal, CellPlace, CellSource, FilledCell, VerdictCell, VerifyPlan};
use rebut_engine::{BlockPlan, Shard};
use rebut_packages::score::FeedbackScore;
use rebut_packages::verdict::Verdict;
use rebut_packages::{JournalSet, JournalWriter};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The part of a cell that is the same in each run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct CellResult {
    verdict: Verdict,
    /// Why it was not accepted. That of a run that took too long is with the times: how it was stopped is up to the
    /// machine.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    message: String,
    #[serde(default, skip_serializing_if = "FeedbackScore::is_empty")]
    given: FeedbackScore,
}

/// The part of a cell that differs from run to run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct CellTimes {
    cpu_time_us: u64,
    wall_time_us: u64,
    memory_peak_bytes: u64,
    was_stopped: bool,
    was_idle: bool,
    is_close: bool,
    remembered: bool,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    message: String,
}

/// The cells of a block in order. `None` is one that is not needed, since its submission was decided before.
type BlockCells<T> = Vec<Option<T>>;

/// A block that is being run.
struct OpenBlock {
    cells: BlockCells<FilledCell>,
    /// Number of cells that are not finished.
    left: usize,
}

/// How the cells of a table are numbered: case by case, each with all submissions that can be run.
struct CellNumbers {
    /// Indices of the submissions that can be run, ascending.
    runnable: Vec<usize>,
    cases: usize,
}

/// The cells of a table in journals.
pub(super) struct TableJournal {
    numbers: CellNumbers,
    blocks: BlockPlan,
    /// The shard that is run here; `None` if journals are merged, and nothing is run.
    shard: Option<Shard>,
    writer: Option<JournalWriter>,
    known: Vec<Option<FilledCell>>,
    known_blocks: BTreeSet<u64>,
    conflicts: BTreeMap<usize, String>,
    open: Mutex<BTreeMap<u64, OpenBlock>>,
    finished: Mutex<u64>,
    missing: Mutex<BTreeSet<u64>>,
}

impl CellNumbers {
    fn of_plan(plan: &VerifyPlan<'_>) -> CellNumbers {
        let is_runnable = |index: &usize| plan.submissions[*index].program.is_ok();
        CellNumbers { runnable: (0..plan.submissions.len()).filter(is_runnable).collect(), cases: plan.cases.len() }
    }

    fn count(&self) -> u64 {
        (self.runnable.len() * self.cases) as u64
    }

    fn number(&self, place: CellPlace) -> Option<u64> {
        let column = self.runnable.binary_search(&place.submission).ok()?;
        Some((place.case * self.runnable.len() + column) as u64)
    }

    /// Returns the place of a cell with a number below their count.
    fn place(&self, number: u64) -> CellPlace {
        let (number, columns) = (number as usize, self.runnable.len());
        CellPlace { submission: self.runnable[number % columns], case: number / columns }
    }
}

/// Returns how the runs of a table are cut into blocks. `block_runs` is the number of runs in a block, if it is stated.
pub(super) fn plan_blocks(plan: &VerifyPlan<'_>, block_runs: Option<u64>) -> BlockPlan {
    BlockPlan::cut_tests(CellNumbers::of_plan(plan).count(), block_runs)
}

impl TableJournal {
    /// Opens the journals of a table. `writer` and `shard` are absent if they are merged.
    ///
    /// # Errors
    /// Returns an error if the work was cancelled.
    pub(super) fn open(
        plan: &VerifyPlan<'_>,
        blocks: BlockPlan,
        set: &JournalSet,
        run: Option<(Shard, JournalWriter)>,
        session: &mut Session,
    ) -> Result<TableJournal> {
        let numbers = CellNumbers::of_plan(plan);
        let (shard, writer) = run.unzip();
        let mut journal = TableJournal {
            known: vec![None; numbers.count() as usize],
            numbers,
            blocks,
            shard,
            writer,
            known_blocks: BTreeSet::new(),
            conflicts: BTreeMap::new(),
            open: Mutex::default(),
            finished: Mutex::default(),
            missing: Mutex::default(),
        };
        for number in set.block_numbers().take_while(|number| *number < blocks.count_blocks()) {
            session.check_interrupted()?;
            journal.read_block(plan, number, set, session);
        }
        Ok(journal)
    }

    /// Returns true if other machines fill some of the cells.
    pub(super) fn is_part(&self) -> bool {
        self.shard.is_some_and(|shard| shard != Shard::WHOLE)
    }

    /// Returns the number of cells that are filled here.
    pub(super) fn count_wanted(&self) -> u64 {
        let is_wanted = |block: &u64| self.has_block(*block) && !self.known_blocks.contains(block);
        let lengths = (0..self.blocks.count_blocks()).filter(is_wanted).map(|block| self.blocks.block_indices(block));
        lengths.map(|indices| indices.end - indices.start).sum()
    }

    /// Describes the end of one of several shards.
    pub(super) fn describe_shard(&self, folder: &Path) -> ShardFinished {
        let shard = self.shard.unwrap_or(Shard::WHOLE);
        let of_shard = (0..self.blocks.count_blocks()).filter(|block| self.has_block(*block));
        let (known, missing): (Vec<u64>, Vec<u64>) = of_shard.partition(|block| self.known_blocks.contains(block));
        let run = *lock(&self.finished);
        count_blocks_of_shard(folder, shard, [known.len() as u64, run, missing.len() as u64 - run])
    }

    fn has_block(&self, block: u64) -> bool {
        self.shard.is_some_and(|shard| shard.has_block(block))
    }

    fn read_block(&mut self, plan: &VerifyPlan<'_>, number: u64, set: &JournalSet, session: &mut Session) {
        let reading = set.read_block::<BlockCells<CellResult>, BlockCells<CellTimes>>(number);
        let help = if self.has_block(number) { "it is run again" } else { "run its shard again" };
        warn_of_damages(&reading.damages, help, session);
        for (results, times) in reading.runs {
            for ((at, result), times) in self.blocks.block_indices(number).zip(results).zip(times) {
                if let (Some(result), Some(times)) = (result, times) {
                    self.add_cell(plan, at, result, times);
                }
            }
            self.known_blocks.insert(number);
        }
    }

    /// Adds a cell of a journal. The first result of several counts, so that all merges agree.
    fn add_cell(&mut self, plan: &VerifyPlan<'_>, at: u64, result: CellResult, times: CellTimes) {
        let place = self.numbers.place(at);
        match &self.known[at as usize] {
            None => self.known[at as usize] = Some(join_cell(result, times)),
            Some(known) if split_cell(known).0 != result => {
                let case = &plan.cases[place.case].name;
                let (first, second) = (known.cell.verdict, result.verdict);
                let conflict = match first == second {
                    true => format!("is flaky: two runs on `{case}` have different messages"),
                    false => format!("is flaky: two runs on `{case}` are {first} and {second}"),
                };
                self.conflicts.entry(place.submission).or_insert(conflict);
            }
            Some(_) => {}
        }
    }

    fn write_block(&self, number: u64, block: OpenBlock) -> Result<()> {
        let split = |cell: &Option<FilledCell>| cell.as_ref().map(split_cell).unzip();
        let (results, times): (BlockCells<CellResult>, BlockCells<CellTimes>) = block.cells.iter().map(split).unzip();
        if let Some(writer) = &self.writer {
            writer.write_block(number, results, times)?;
        }
        *lock(&self.finished) += 1;
        Ok(())
    }
}

impl CellJournal for TableJournal {
    fn find_cell(&self, place: CellPlace) -> CellSource {
        let Some(at) = self.numbers.number(place) else { return CellSource::LeaveOut };
        if let Some(cell) = &self.known[at as usize] {
            return CellSource::Known(cell.clone());
        }
        let block = at / self.blocks.block_inputs;
        if self.has_block(block) && !self.known_blocks.contains(&block) {
            return CellSource::Fill;
        }
        lock(&self.missing).insert(block);
        CellSource::LeaveOut
    }

    fn keep_cell(&self, place: CellPlace, cell: Option<&FilledCell>) -> Result<()> {
        let Some(at) = self.numbers.number(place) else { return Ok(()) };
        let block = at / self.blocks.block_inputs;
        if !self.has_block(block) || self.known_blocks.contains(&block) {
            return Ok(());
        }
        let indices = self.blocks.block_indices(block);
        let (start, count) = (indices.start, (indices.end - indices.start) as usize);
        let mut open = lock(&self.open);
        let opened = open.entry(block).or_insert_with(|| OpenBlock { cells: vec![None; count], left: count });
        opened.cells[(at - start) as usize] = cell.cloned();
        opened.left -= 1;
        if opened.left > 0 {
            return Ok(());
        }
        let finished = open.remove(&block);
        drop(open);
        finished.map_or(Ok(()), |finished| self.write_block(block, finished))
    }

    fn describe_missing(&self) -> Option<String> {
        let mut missing = MissingBlocks::default();
        lock(&self.missing).iter().for_each(|block| missing.add_block(*block));
        missing.describe_missing(Some(self.blocks.count_blocks()))
    }

    fn describe_conflict(&self, submission: usize) -> Option<String> {
        self.conflicts.get(&submission).cloned()
    }
}

fn split_cell(filled: &FilledCell) -> (CellResult, CellTimes) {
    let FilledCell { cell, remembered } = filled.clone();
    let (message, time_message) = match cell.verdict {
        Verdict::TimeLimit => (String::new(), cell.message),
        _ => (cell.message, String::new()),
    };
    let times = CellTimes {
        cpu_time_us: cell.cpu_time_us,
        wall_time_us: cell.wall_time_us,
        memory_peak_bytes: cell.memory_peak_bytes,
        was_stopped: cell.was_stopped,
        was_idle: cell.was_idle,
        is_close: cell.is_close,
        remembered,
        message: time_message,
    };
    (CellResult { verdict: cell.verdict, message, given: cell.given }, times)
}

fn join_cell(result: CellResult, times: CellTimes) -> FilledCell {
    let cell = VerdictCell {
        verdict: result.verdict,
        cpu_time_us: times.cpu_time_us,
        wall_time_us: times.wall_time_us,
        memory_peak_bytes: times.memory_peak_bytes,
        message: result.message + &times.message,
        was_stopped: times.was_stopped,
        was_idle: times.was_idle,
        is_close: times.is_close,
        given: result.given,
    };
    FilledCell { cell, remembered: times.remembered }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
