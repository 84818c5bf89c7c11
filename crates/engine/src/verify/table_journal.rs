//! A verdict table that several machines fill: its cells are runs in blocks of a journal.
//!
//! The cells of a block are filled by different workers, in the order of the table's queue. A block is written when its
//! last cell is filled, or is known not to be needed.

use super::{VerdictCell, VerifyPlan};
use crate::event::{EndReason, EventSink};
use crate::sharding::{BlockPlan, RUN_SHARD_AGAIN, ShardEnd, SharedJournal, lock_mutex};
use rebut_diagnostics::Result;
use rebut_packages::score::FeedbackScore;
use rebut_packages::verdict::Verdict;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

/// The place of a cell in the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct CellPlace {
    pub(super) submission: usize,
    /// Index of the test case.
    pub(super) case: usize,
}

/// A cell, and whether it was in the cache of the machine that filled it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct FilledCell {
    pub(super) cell: VerdictCell,
    pub(super) remembered: bool,
}

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

/// A block that is being run: its cells, and the number of those that are not finished.
type OpenBlock = (BlockCells<FilledCell>, usize);

/// The cells of a table in journals. They are numbered case by case, each with all submissions that can be run.
pub struct TableJournal {
    journal: SharedJournal,
    blocks: BlockPlan,
    /// Indices of the submissions that can be run, ascending.
    runnable: Vec<usize>,
    known: Vec<Option<FilledCell>>,
    known_blocks: BTreeSet<u64>,
    /// For each submission, how two runs of it differ.
    conflicts: BTreeMap<usize, String>,
    open: Mutex<BTreeMap<u64, OpenBlock>>,
    finished: AtomicU64,
}

fn runnable_submissions(plan: &VerifyPlan<'_>) -> Vec<usize> {
    (0..plan.submissions.len()).filter(|index| plan.submissions[*index].program.is_ok()).collect()
}

impl TableJournal {
    /// Returns how the runs of a table are cut into blocks. `block_runs` is the number of runs in a block, if it is
    /// stated.
    pub fn plan_blocks(plan: &VerifyPlan<'_>, block_runs: Option<u64>) -> BlockPlan {
        BlockPlan::cut_tests((runnable_submissions(plan).len() * plan.cases.len()) as u64, block_runs)
    }

    /// Reads the cells that are known.
    ///
    /// # Errors
    /// Returns an error if the work was cancelled.
    pub fn read(
        plan: &VerifyPlan<'_>,
        blocks: BlockPlan,
        journal: SharedJournal,
        sink: &mut dyn EventSink,
    ) -> Result<TableJournal> {
        let mut table = TableJournal {
            journal,
            blocks,
            runnable: runnable_submissions(plan),
            known: vec![None; blocks.inputs as usize],
            known_blocks: BTreeSet::new(),
            conflicts: BTreeMap::new(),
            open: Mutex::default(),
            finished: AtomicU64::new(0),
        };
        let numbers = table.journal.block_numbers().take_while(|number| *number < blocks.count_blocks());
        for number in numbers.collect::<Vec<u64>>() {
            table.journal.check_cancelled()?;
            let help = if table.journal.has_block(number) { "it is run again" } else { RUN_SHARD_AGAIN };
            let runs: Vec<(BlockCells<CellResult>, BlockCells<CellTimes>)> =
                table.journal.read_runs(number, |_, _| Ok(()), help, sink);
            for (results, times) in runs {
                for ((at, result), times) in blocks.block_indices(number).zip(results).zip(times) {
                    if let (Some(result), Some(times)) = (result, times) {
                        table.add_cell(plan, at as usize, result, times);
                    }
                }
                table.known_blocks.insert(number);
            }
        }
        Ok(table)
    }

    /// Adds a cell of a journal. The first result of several counts, so that all merges agree.
    fn add_cell(&mut self, plan: &VerifyPlan<'_>, at: usize, result: CellResult, times: CellTimes) {
        let columns = self.runnable.len();
        match &self.known[at] {
            None => self.known[at] = Some(join_cell(result, times)),
            Some(known) if split_cell(known).0 != result => {
                let case = &plan.cases[at / columns].name;
                let (first, second) = (known.cell.verdict, result.verdict);
                let conflict = match first == second {
                    true => format!("is flaky: two runs on `{case}` have different messages"),
                    false => format!("is flaky: two runs on `{case}` are {first} and {second}"),
                };
                self.conflicts.entry(self.runnable[at % columns]).or_insert(conflict);
            }
            Some(_) => {}
        }
    }

    /// Returns the journal.
    pub fn journal(&self) -> &SharedJournal {
        &self.journal
    }

    /// Returns the number of cells that are filled here.
    pub fn count_wanted(&self) -> u64 {
        let wanted = (0..self.blocks.count_blocks()).filter(|block| self.is_wanted(*block));
        wanted.map(|block| self.blocks.block_indices(block)).map(|indices| indices.end - indices.start).sum()
    }

    /// Returns how many blocks of the shard were filled.
    pub fn shard_end(&self, reason: EndReason) -> ShardEnd {
        let of_shard = (0..self.blocks.count_blocks()).filter(|block| self.journal.has_block(*block));
        let (known, missing): (Vec<u64>, Vec<u64>) = of_shard.partition(|block| self.known_blocks.contains(block));
        let (known, missing, run) = (known.len() as u64, missing.len() as u64, self.finished.load(Ordering::SeqCst));
        ShardEnd { blocks: known + missing, known, run, left: missing - run, reason }
    }

    /// Returns true if a block is to be filled here.
    fn is_wanted(&self, block: u64) -> bool {
        self.journal.has_block(block) && !self.known_blocks.contains(&block)
    }

    /// Returns the number of a cell, and of its block.
    fn number(&self, place: CellPlace) -> Option<(u64, u64)> {
        let column = self.runnable.binary_search(&place.submission).ok()?;
        let at = (place.case * self.runnable.len() + column) as u64;
        Some((at, at / self.blocks.block_inputs))
    }

    /// Returns a cell: from the journal, or judged here and kept in the journal. Returns `None` if another machine fills it.
    ///
    /// # Errors
    /// Returns the error of `judge`, or an error if the cell cannot be kept.
    pub(super) fn fill_cell(
        &self,
        place: CellPlace,
        judge: impl FnOnce() -> Result<FilledCell>,
    ) -> Result<Option<FilledCell>> {
        let Some((at, block)) = self.number(place) else { return Ok(None) };
        if let Some(known) = &self.known[at as usize] {
            return Ok(Some(known.clone()));
        }
        if !self.is_wanted(block) {
            self.journal.note_missing(block);
            return Ok(None);
        }
        let filled = judge()?;
        self.keep_cell(place, Some(&filled))?;
        Ok(Some(filled))
    }

    /// Keeps a cell that was filled here; `None` if it is not needed.
    ///
    /// # Errors
    /// Returns an error if it cannot be kept.
    pub(super) fn keep_cell(&self, place: CellPlace, cell: Option<&FilledCell>) -> Result<()> {
        let Some((at, block)) = self.number(place).filter(|(_, block)| self.is_wanted(*block)) else { return Ok(()) };
        let indices = self.blocks.block_indices(block);
        let count = (indices.end - indices.start) as usize;
        let mut open = lock_mutex(&self.open);
        let (cells, left) = open.entry(block).or_insert_with(|| (vec![None; count], count));
        cells[(at - indices.start) as usize] = cell.cloned();
        *left -= 1;
        if *left > 0 {
            return Ok(());
        }
        let (cells, _) = open.remove(&block).unwrap_or_default();
        drop(open);
        let split = |cell: &Option<FilledCell>| cell.as_ref().map(split_cell).unzip();
        let (results, times): (BlockCells<CellResult>, BlockCells<CellTimes>) = cells.iter().map(split).unzip();
        self.journal.write_block(block, results, times)?;
        self.finished.fetch_add(1, Ordering::SeqCst);
        Ok(())
    }

    /// Describes the blocks that were left out although the result depends on them, or returns `None` if there are none.
    pub(super) fn describe_missing(&self) -> Option<String> {
        self.journal.describe_missing(Some(self.blocks.count_blocks()))
    }

    /// Describes two different cells of a submission in the same place, or returns `None` if there are none.
    pub(super) fn describe_conflict(&self, submission: usize) -> Option<String> {
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
