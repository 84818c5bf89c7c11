//! A search with a journal: runs the blocks that it does not contain yet, and merges them.

use super::args::StressArgs;
use super::exit_status::ExitStatus;
use super::missing_blocks::{MissingBlocks, warn_of_damages};
use super::session::Session;
use super::shard_variables::shard_from_variables;
use super::stress_manifest::{BLOCK_PART, DescribedPlan, SEED_PART};
use rebut_diagnostics::{Error, Result, group_thousands};
use rebut_engine::event::{
    CampaignSummary, EndReason, Event, EventSink, ExhaustiveReach, ShardFinished, SubmissionFailed, WarningEvent,
};
use rebut_engine::{
    BlockMerge, BlockPlan, BlockResult, BlockSearch, BlockSearchEnd, BlockTimes, SearchResult, Shard, StressPlan,
};
use rebut_packages::{BlockReading, JournalSet, JournalWriter};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// Number of inputs in a block of an exhaustive search, unless the user chooses another. Each is run in a new process, so
/// they take about a second.
const ENUMERATED_BLOCK_INPUTS: u64 = 256;

/// How a search uses a journal.
pub(super) enum JournalUse<'j> {
    /// Runs the blocks of a shard that the journal in a folder does not contain yet.
    Run { folder: PathBuf, shard: Shard },
    /// Merges journals, and runs nothing.
    Merged(&'j JournalSet),
}

/// How a search with a journal ended.
pub(super) enum JournalEnd {
    /// The blocks of all shards were merged.
    Merged(Box<MergedSearch>),
    /// The blocks of one of several shards were run.
    Shard(ExitStatus),
}

/// The result of a merge.
pub(super) struct MergedSearch {
    pub(super) result: SearchResult,
    /// How far an exhaustive search got.
    pub(super) reach: Option<ExhaustiveReach>,
    /// Which blocks are missing, if some are.
    pub(super) missing: Option<String>,
}

impl<'j> JournalUse<'j> {
    /// Returns the journals to be merged, or that of the command line, if it names one.
    ///
    /// # Errors
    /// Returns an error if the plan of the search would not be the same on each machine.
    pub(super) fn choose_use(args: &StressArgs, merged: Option<&'j JournalSet>) -> Result<Option<Self>> {
        if let Some(set) = merged {
            return Ok(Some(JournalUse::Merged(set)));
        }
        let Some(folder) = args.journal.clone() else { return Ok(None) };
        let shard = choose_shard(args.shard)?;
        if args.cases.is_none() && !args.exhaustive {
            return Err(Error::usage_error("`--journal` requires a number of inputs").with_help(
                "state it with `--cases`, or run all with `--exhaustive`: blocks of inputs make the shards",
            ));
        }
        if shard != Shard::WHOLE && args.seed.is_none() && !args.exhaustive {
            return Err(Error::usage_error("`--shard` requires a seed")
                .with_help("state the same one for all shards, such as `--seed 1`"));
        }
        Ok(Some(JournalUse::Run { folder, shard }))
    }

    /// Same, of a table.
    ///
    /// # Errors
    /// Returns an error if the variables of a batch system do not make a shard.
    pub(super) fn choose_table(
        folder: Option<&Path>,
        shard: Option<Shard>,
        merged: Option<&'j JournalSet>,
    ) -> Result<Option<Self>> {
        if let Some(set) = merged {
            return Ok(Some(JournalUse::Merged(set)));
        }
        let Some(folder) = folder.map(Path::to_owned) else { return Ok(None) };
        Ok(Some(JournalUse::Run { folder, shard: choose_shard(shard)? }))
    }

    /// Returns the seed of the journal, if there is one already. All shards of an exhaustive search have the same one: its
    /// inputs do not depend on it.
    pub(super) fn recorded_seed(&self, is_exhaustive: bool) -> Option<u64> {
        const ENUMERATION_SEED: u64 = 1;
        self.read_seed().or(is_exhaustive.then_some(ENUMERATION_SEED))
    }

    fn read_seed(&self) -> Option<u64> {
        let seed = match self {
            JournalUse::Run { folder, .. } => {
                let set = JournalSet::open(std::slice::from_ref(folder)).ok()?;
                set.manifest().parts.get(SEED_PART)?.clone()
            }
            JournalUse::Merged(set) => set.manifest().parts.get(SEED_PART)?.clone(),
        };
        u64::from_str_radix(&seed, 16).ok()
    }
}

/// Requires that a journal has the blocks of one problem. `done` is the participle of the command.
///
/// # Errors
/// Returns an error if there are several problems.
pub(super) fn require_single_problem(journal: Option<&Path>, problems: &[PathBuf], done: &str) -> Result<()> {
    if journal.is_none() || problems.len() <= 1 {
        return Ok(());
    }
    Err(Error::usage_error("`--journal` is for a single problem")
        .with_help(format!("give each problem a journal of its own: they can be {done} on different machines")))
}

/// Returns the counts of a shard without failures: its blocks that were known, run now, and left.
pub(super) fn count_blocks_of_shard(folder: &Path, shard: Shard, [known, run, left]: [u64; 3]) -> ShardFinished {
    ShardFinished {
        journal: folder.to_owned(),
        shard: shard.number,
        shards: shard.count,
        blocks: known + run + left,
        known,
        run,
        left,
        failures: Vec::new(),
    }
}

/// Returns the shard that was stated, or that the variables of a batch system name, or the whole.
///
/// # Errors
/// Returns an error if the variables of a system do not make a shard.
fn choose_shard(stated: Option<Shard>) -> Result<Shard> {
    match stated {
        Some(shard) => Ok(shard),
        None => Ok(shard_from_variables(&|name| std::env::var(name).ok())?.unwrap_or(Shard::WHOLE)),
    }
}

/// Runs what is missing, and merges the blocks unless this is one of several shards.
///
/// # Errors
/// Returns an error if the journal is of another search or cannot be written, or if programs cannot be run.
pub(super) fn run_with_journal(
    described: &DescribedPlan<'_, '_>,
    journal: &JournalUse<'_>,
    session: &mut Session,
) -> Result<JournalEnd> {
    // The number of inputs of an exhaustive search is known at its end.
    let inputs = described.args.cases.unwrap_or(u64::MAX);
    let stated = match journal {
        JournalUse::Run { .. } => described.args.block,
        JournalUse::Merged(set) => set.manifest().parts.get(BLOCK_PART).and_then(|inputs| inputs.parse().ok()),
    };
    let usual = match described.args.exhaustive {
        true => ENUMERATED_BLOCK_INPUTS,
        false => BlockPlan::default_block_inputs(inputs),
    };
    let block_inputs = stated.filter(|inputs| *inputs > 0).unwrap_or(usual);
    let blocks = BlockPlan { inputs, block_inputs };
    match journal {
        JournalUse::Merged(set) => {
            let manifest = described.describe_plan(blocks, Some(&set.manifest().arguments), session)?;
            set.manifest().require_same("the journal", &manifest, "the command in this folder")?;
            merge_journal(described, blocks, set, session).map(|merged| JournalEnd::Merged(Box::new(merged)))
        }
        JournalUse::Run { folder, shard } => {
            let manifest = described.describe_plan(blocks, None, session)?;
            let writer = JournalWriter::open(folder, &manifest)?;
            let run = ShardRun { plan: described.plan, blocks, shard: *shard, folder, writer };
            let (end, known) = run.run_missing_blocks(session)?;
            if *shard != Shard::WHOLE {
                return run.report_shard(end, known, session).map(JournalEnd::Shard);
            }
            let set = JournalSet::open(std::slice::from_ref(folder))?;
            let mut merged = merge_journal(described, blocks, &set, session)?;
            if merged.result.reason == EndReason::Incomplete {
                merged.result.reason = end.reason;
            }
            Ok(JournalEnd::Merged(Box::new(merged)))
        }
    }
}

/// A shard that is run here.
struct ShardRun<'r, 'a> {
    plan: &'r StressPlan<'a>,
    blocks: BlockPlan,
    shard: Shard,
    folder: &'r Path,
    writer: JournalWriter,
}

impl ShardRun<'_, '_> {
    /// Runs the blocks of the shard that the journal does not contain yet. Also returns the number of those that it
    /// contained.
    fn run_missing_blocks(&self, session: &mut Session) -> Result<(BlockSearchEnd, u64)> {
        let set = JournalSet::open(&[self.folder.to_owned()])?;
        let (mut known, mut known_failures, mut end) = (BTreeSet::new(), Vec::new(), self.blocks.count_blocks());
        for number in set.block_numbers() {
            let reading = read_search_block(&set, number, (self.plan, self.blocks));
            warn_of_damages(&reading.damages, "it is run again", session);
            if let Some((result, _)) = reading.runs.first() {
                known_failures.extend(result.failures.iter().map(|failure| (failure.submission, failure.index)));
                known.insert(number);
                if result.is_last {
                    end = number;
                }
            }
        }
        let known_here = known.iter().filter(|number| self.shard.has_block(**number)).count() as u64;
        let search = BlockSearch { plan: self.plan, blocks: self.blocks, known_failures };
        let (shard, block_inputs) = (self.shard, self.blocks.block_inputs);
        let is_wanted = move |number: &u64| shard.has_block(*number) && !known.contains(number);
        let mut numbers = (0..end).filter(is_wanted.clone());
        self.plan.inputs.keep_only(Box::new(move |index| is_wanted(&(index / block_inputs))));
        let keep = |number, result: &BlockResult, times: &BlockTimes| {
            self.writer.write_block(number, result.clone(), times.clone())
        };
        let end = search.run_blocks(&mut numbers, &keep, session)?;
        Ok((end, known_here))
    }

    /// Reports the end of one of several shards.
    fn report_shard(&self, end: BlockSearchEnd, known: u64, session: &mut Session) -> Result<ExitStatus> {
        let is_done = end.reason == EndReason::Done;
        let blocks = if self.plan.inputs.is_exhaustive() {
            // The number of blocks is known at the end.
            known + end.finished + u64::from(!is_done)
        } else {
            (0..self.blocks.count_blocks()).filter(|number| self.shard.has_block(*number)).count() as u64
        };
        let left = if is_done { 0 } else { blocks - known - end.finished };
        session.take_event(&Event::Shard(ShardFinished {
            // Blocks that cannot change the result are not run.
            blocks,
            failures: self.failures_so_far()?,
            ..count_blocks_of_shard(self.folder, self.shard, [known, end.finished, left])
        }));
        let interrupted = end.reason == EndReason::Interrupted;
        let status = if interrupted { ExitStatus::Interrupted } else { ExitStatus::Success };
        session.take_event(&Event::Summary(CampaignSummary {
            reason: end.reason,
            exit_status: status.exit_code(),
            seed: Some(self.plan.seed),
            ..CampaignSummary::default()
        }));
        Ok(status)
    }

    /// Returns the first failure of each program in the blocks of the journal.
    fn failures_so_far(&self) -> Result<Vec<SubmissionFailed>> {
        let set = JournalSet::open(&[self.folder.to_owned()])?;
        let mut merge = BlockMerge::new(self.plan);
        let mut failures = FailureList(Vec::new());
        for number in set.block_numbers() {
            let reading = read_search_block(&set, number, (self.plan, self.blocks));
            merge.add_block(number, &reading.runs, &mut failures);
        }
        Ok(failures.0)
    }
}

/// Reads the runs of a block of a search. Those that cannot be results of it count as damaged.
fn read_search_block(
    set: &JournalSet,
    number: u64,
    (plan, blocks): (&StressPlan<'_>, BlockPlan),
) -> BlockReading<BlockResult, BlockTimes> {
    let mut reading = set.read_block::<BlockResult, BlockTimes>(number);
    let BlockReading { runs, damages } = &mut reading;
    runs.retain(|(result, times)| {
        let checked = result.check_possible(times, plan.submissions.len(), blocks.block_indices(number));
        damages.extend(checked.as_ref().err().map(|problem| format!("block {}: {problem}", number + 1)));
        checked.is_ok()
    });
    reading
}

/// Keeps the failures.
struct FailureList(Vec<SubmissionFailed>);

impl EventSink for FailureList {
    fn take_event(&mut self, event: &Event) {
        if let Event::Failed(failed) = event {
            self.0.push(failed.clone());
        }
    }
}

/// Merges the blocks of journals.
fn merge_journal(
    described: &DescribedPlan<'_, '_>,
    blocks: BlockPlan,
    set: &JournalSet,
    session: &mut Session,
) -> Result<MergedSearch> {
    let plan = described.plan;
    let known = set.block_numbers().last().map_or(0, |last| last + 1);
    // Of an exhaustive search, the last block is not known before it is there.
    let count = if plan.inputs.is_exhaustive() { known + 1 } else { blocks.count_blocks() };
    session.begin_activity("Merging", format!("{} blocks", group_thousands(u128::from(count))));
    let (mut merge, mut missing) = (BlockMerge::new(plan), MissingBlocks::default());
    for number in 0..count {
        if merge.is_settled() {
            break;
        }
        session.check_interrupted()?;
        let reading = read_search_block(set, number, (plan, blocks));
        warn_of_damages(&reading.damages, "run its shard again", session);
        if reading.runs.is_empty() {
            missing.add_block(number);
            merge.skip_block();
        } else {
            merge.add_block(number, &reading.runs, session);
        }
    }
    let missing = missing.describe_missing((!plan.inputs.is_exhaustive()).then_some(count));
    let reach = merge.exhaustive_reach(described.of_one_case);
    let result = merge.finish_search(missing.is_some(), session)?;
    if let (Some(missing), false) = (&missing, result.hits.is_empty()) {
        let message = format!("{missing}: an input before the failing one may fail as well");
        session.take_event(&Event::Warning(WarningEvent { message, help: None }));
    }
    Ok(MergedSearch { result, reach, missing })
}
