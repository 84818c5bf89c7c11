//! A test set that several machines make: its pieces are in blocks of a journal.

use super::args::BuildArgs;
use super::exit_status::ExitStatus;
use super::missing_blocks::{MissingBlocks, warn_of_damages};
use super::problem_setup::ProblemContext;
use super::recorded_arguments::record_own_arguments;
use super::session::Session;
use super::source_digest::source_digest;
use super::stress_journal::{JournalUse, count_blocks_of_shard};
use super::stress_manifest::describe_limits;
use super::tool_parts::add_tool_parts;
use rebut_diagnostics::{Error, Result};
use rebut_engine::event::{Event, EventSink, ShardFinished};
use rebut_engine::{BlockPlan, BuildPlan, BuiltPiece, PieceBlock, Shard, TestJob, count_pieces, make_piece_blocks};
use rebut_packages::{JOURNAL_VERSION, JournalManifest, JournalSet, JournalWriter, digest_parts};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

/// Name of the number of pieces in a block in a manifest.
const PIECES_PART: &str = "tests in a block";

/// A plan, with what it was made from. It rebuilds everything, so that it does not depend on the test set on disk.
pub(super) struct DescribedBuild<'d, 'a> {
    pub(super) args: &'d BuildArgs,
    pub(super) problem: &'d ProblemContext,
    pub(super) plan: &'d BuildPlan<'a>,
    /// Path of the reference.
    pub(super) reference: &'d Path,
}

/// How the pieces were made.
pub(super) enum PiecesEnd {
    /// All pieces of the test set.
    Known(Vec<BuiltPiece>),
    /// Those of one of several shards.
    Shard(ExitStatus),
}

impl DescribedBuild<'_, '_> {
    /// Makes the pieces of a shard that its journal does not contain yet, or reads those of all shards.
    ///
    /// # Errors
    /// Returns an error if the journal is of another test set, if blocks are missing or differ, or if programs cannot be
    /// run.
    pub(super) fn make_pieces(&self, journal: &JournalUse<'_>, session: &mut Session) -> Result<PiecesEnd> {
        let cut = |stated: Option<u64>| BlockPlan::cut_tests(count_pieces(self.plan), stated);
        match journal {
            JournalUse::Merged(set) => {
                let stated = set.manifest().parts.get(PIECES_PART).and_then(|pieces| pieces.parse().ok());
                let manifest = self.describe_build(cut(stated), set.manifest().arguments.clone(), session)?;
                set.manifest().require_same("the journal", &manifest, "the command in this folder")?;
                self.read_pieces(cut(stated), set, session).map(PiecesEnd::Known)
            }
            JournalUse::Run { folder, shard } => {
                let blocks = cut(self.args.shards.block);
                let arguments = record_own_arguments(&[])?;
                let writer = JournalWriter::open(folder, &self.describe_build(blocks, arguments, session)?)?;
                let (counts, exit) = self.run_shard(blocks, folder, (*shard, &writer), session)?;
                if *shard == Shard::WHOLE && exit == ExitStatus::Success {
                    let set = JournalSet::open(std::slice::from_ref(folder))?;
                    return self.read_pieces(blocks, &set, session).map(PiecesEnd::Known);
                }
                session.take_event(&Event::Shard(counts));
                Ok(PiecesEnd::Shard(exit))
            }
        }
    }

    fn run_shard(
        &self,
        blocks: BlockPlan,
        folder: &Path,
        (shard, writer): (Shard, &JournalWriter),
        session: &mut Session,
    ) -> Result<(ShardFinished, ExitStatus)> {
        let set = JournalSet::open(&[folder.to_owned()])?;
        let of_shard: Vec<u64> = (0..blocks.count_blocks()).filter(|number| shard.has_block(*number)).collect();
        let is_missing = |number: &u64| {
            let reading = set.read_block::<Vec<BuiltPiece>, ()>(*number);
            warn_of_damages(&reading.damages, "it is made again", session);
            reading.runs.is_empty()
        };
        let missing: Vec<u64> = of_shard.iter().copied().filter(is_missing).collect();
        let block = |number: &u64| PieceBlock { number: *number, pieces: blocks.block_indices(*number) };
        let finished = AtomicU64::new(0);
        let keep = |number: u64, pieces: Vec<BuiltPiece>| {
            writer.write_block(number, pieces, ())?;
            finished.fetch_add(1, Ordering::Relaxed);
            Ok(())
        };
        let wanted: Vec<PieceBlock> = missing.iter().map(block).collect();
        let exit = ExitStatus::from_shard(make_piece_blocks(self.plan, &wanted, &keep, session))?;
        let (known, run) = ((of_shard.len() - missing.len()) as u64, finished.into_inner());
        let counts = count_blocks_of_shard(folder, shard, [known, run, missing.len() as u64 - run]);
        Ok((counts, exit))
    }

    fn read_pieces(&self, blocks: BlockPlan, set: &JournalSet, session: &mut Session) -> Result<Vec<BuiltPiece>> {
        let (mut pieces, mut missing) = (Vec::new(), MissingBlocks::default());
        for number in 0..blocks.count_blocks() {
            session.check_interrupted()?;
            let mut reading = set.read_block::<Vec<BuiltPiece>, ()>(number);
            warn_of_damages(&reading.damages, "run its shard again", session);
            match &mut reading.runs[..] {
                [] => missing.add_block(number),
                [(of_block, ())] => pieces.append(of_block),
                _ => {
                    return Err(Error::judge_error(format!("two runs of block {} made different tests", number + 1))
                        .with_help("a generator, the reference, a validator or an accepted submission is flaky"));
                }
            }
        }
        match missing.describe_missing(Some(blocks.count_blocks())) {
            Some(missing) => Err(Error::operating_error(format!("the test set is not complete: {missing}"))),
            None if pieces.len() as u64 != blocks.inputs => {
                Err(Error::operating_error("a block of the journal has another number of tests"))
            }
            None => Ok(pieces),
        }
    }

    /// Returns the manifest of the test set.
    fn describe_build(&self, blocks: BlockPlan, arguments: Vec<String>, session: &Session) -> Result<JournalManifest> {
        let (plan, package) = (self.plan, self.problem.require_package()?);
        let mut parts: BTreeMap<String, String> = BTreeMap::new();
        let mut add = |name: String, value: String| parts.insert(name, value);
        add("rebut".to_owned(), env!("CARGO_PKG_VERSION").to_owned());
        add("problem".to_owned(), package.id.clone());
        add(PIECES_PART.to_owned(), blocks.block_inputs.to_string());
        add("limits".to_owned(), describe_limits(&plan.judge_setup.limits));
        let judge = &plan.judge_setup.judge;
        add("checker".to_owned(), judge.cache_identity().unwrap_or_else(|| judge.checker_name()));
        add("reference".to_owned(), plan.reference_key.clone());
        if let Some(format) = &self.problem.format {
            add("format".to_owned(), digest_parts(&[&format.source.text]));
        }
        for (folder, digest) in digest_jobs(&plan.test_jobs) {
            add(format!("tests in {folder}"), digest);
        }
        let accepted = package.reference_candidates();
        let validators = package.input_validators.iter().chain(&package.answer_validators).cloned();
        let judges = package.output_validator.program.iter().cloned();
        let sources: Vec<PathBuf> = accepted.into_iter().chain(validators).chain(judges).collect();
        for source in sources.iter().chain(&package.include) {
            let name = source.strip_prefix(&package.folder).unwrap_or(source).display().to_string();
            add(format!("program {name}"), source_digest(source)?);
        }
        let sources: Vec<PathBuf> = sources.into_iter().chain([self.reference.to_owned()]).collect();
        add_tool_parts(&mut parts, &sources, session)?;
        Ok(JournalManifest { version: JOURNAL_VERSION, arguments, parts })
    }
}

/// Returns the digest of the tests of each folder: how they are made, and how many.
fn digest_jobs(jobs: &[TestJob]) -> BTreeMap<String, String> {
    let mut folders: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for job in jobs {
        let stated = job.answer.as_ref().map_or(&[][..], |answer| &answer.bytes);
        let about = format!("{} {} {}", job.display_name(), job.count, job.is_candidate);
        let parts = [about.as_bytes(), job.key.as_bytes(), stated];
        folders.entry(job.folder.clone()).or_default().push(digest_parts(&parts));
    }
    folders.into_iter().map(|(folder, jobs)| (folder, digest_parts(&jobs))).collect()
}
