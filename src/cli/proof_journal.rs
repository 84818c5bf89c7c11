//! A proof that a finding is the smallest possible, which several machines share: blocks of smaller inputs in a journal.

use super::args::ReplayArgs;
use super::exit_status::ExitStatus;
use super::missing_blocks::{MissingBlocks, warn_of_damages};
use super::recorded_arguments::record_own_arguments;
use super::session::Session;
use super::source_digest::{digest_command, source_digest};
use super::stress_journal::{JournalUse, count_blocks_of_shard};
use super::stress_manifest::describe_limits;
use super::tool_parts::add_tool_parts;
use rebut_diagnostics::{Error, Result};
use rebut_engine::event::{Event, EventSink, ShardFinished, WarningEvent};
use rebut_engine::{CertifyResult, MinimalityProof, ProofBlock, ProvedFinding, Shard};
use rebut_packages::{FindingFiles, JOURNAL_VERSION, JournalManifest, JournalSet, JournalWriter, digest_parts};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

/// Name of the number of inputs in a block in a manifest.
const INPUTS_PART: &str = "smaller inputs in a block";

/// Number of inputs in a block, unless the user chooses another. Each is run in a new process, so they take about a second.
const BLOCK_INPUTS: u64 = 256;

/// A proof, with what it was made from.
pub(super) struct DescribedProof<'d> {
    pub(super) args: &'d ReplayArgs,
    pub(super) finding: &'d FindingFiles,
    /// Paths of the submission and the reference.
    pub(super) sources: [PathBuf; 2],
    pub(super) proof: &'d MinimalityProof<'d, 'd>,
    pub(super) proved: ProvedFinding<'d>,
}

/// How a proof with a journal ended.
pub(super) enum ProofEnd {
    /// The blocks of all shards were merged.
    Merged(Option<CertifyResult>),
    /// The blocks of one of several shards were run.
    Shard(ExitStatus),
}

impl DescribedProof<'_> {
    /// Runs the blocks of a shard that its journal does not contain yet, or draws up the certificate from those of all.
    ///
    /// # Errors
    /// Returns an error if the journal is of another proof, or if programs cannot be run.
    pub(super) fn prove_with_journal(&self, journal: &JournalUse<'_>, session: &mut Session) -> Result<ProofEnd> {
        match journal {
            JournalUse::Merged(set) => {
                let recorded = set.manifest();
                let stated = recorded.parts.get(INPUTS_PART).and_then(|inputs| inputs.parse().ok());
                let arguments = recorded.arguments.clone();
                let manifest = self.describe_proof(stated.unwrap_or(BLOCK_INPUTS), arguments, session)?;
                recorded.require_same("the journal", &manifest, "the command in this folder")?;
                self.merge_blocks(set, session).map(ProofEnd::Merged)
            }
            JournalUse::Run { folder, shard } => {
                let block_inputs = self.args.shards.block.unwrap_or(BLOCK_INPUTS);
                let arguments = record_own_arguments(&[])?;
                let writer = JournalWriter::open(folder, &self.describe_proof(block_inputs, arguments, session)?)?;
                let (counts, exit) = self.run_shard(block_inputs, folder, (*shard, &writer), session)?;
                if *shard == Shard::WHOLE && exit == ExitStatus::Success {
                    let set = JournalSet::open(std::slice::from_ref(folder))?;
                    return self.merge_blocks(&set, session).map(ProofEnd::Merged);
                }
                session.take_event(&Event::Shard(counts));
                Ok(ProofEnd::Shard(exit))
            }
        }
    }

    fn run_shard(
        &self,
        block_inputs: u64,
        folder: &Path,
        (shard, writer): (Shard, &JournalWriter),
        session: &mut Session,
    ) -> Result<(ShardFinished, ExitStatus)> {
        let set = JournalSet::open(&[folder.to_owned()])?;
        let (mut known, mut end) = (Vec::new(), u64::MAX);
        for number in set.block_numbers() {
            let reading = set.read_block::<ProofBlock, u64>(number);
            warn_of_damages(&reading.damages, "it is run again", session);
            if let Some((block, _)) = reading.runs.first() {
                known.push(number);
                if block.is_last || block.fails {
                    end = end.min(number);
                }
            }
        }
        let finished = AtomicU64::new(0);
        let keep = |number: u64, block: ProofBlock, time_ms: u64| {
            writer.write_block(number, block, time_ms)?;
            finished.fetch_add(1, Ordering::Relaxed);
            Ok(())
        };
        let is_wanted = |number: u64| number < end && shard.has_block(number) && known.binary_search(&number).is_err();
        let block_inputs = usize::try_from(block_inputs).unwrap_or(usize::MAX);
        let ended = self.proof.run_blocks(self.proved, block_inputs, &is_wanted, &keep, session);
        let exit = ExitStatus::from_shard(ended)?;
        let known = known.iter().filter(|number| shard.has_block(**number)).count() as u64;
        // The number of blocks is known at the end.
        let (run, left) = (finished.into_inner(), u64::from(exit == ExitStatus::Interrupted));
        Ok((count_blocks_of_shard(folder, shard, [known, run, left]), exit))
    }

    fn merge_blocks(&self, set: &JournalSet, session: &mut Session) -> Result<Option<CertifyResult>> {
        let (mut missing, last) = (MissingBlocks::default(), set.block_numbers().last());
        let certified = self.proof.merge_blocks(self.proved, &mut |number| {
            session.check_interrupted()?;
            let reading = set.read_block::<ProofBlock, u64>(number);
            warn_of_damages(&reading.damages, "run its shard again", session);
            match &reading.runs[..] {
                [] => {
                    missing.add_block(number);
                    Ok(None)
                }
                [run] => Ok(Some(run.clone())),
                _ => Err(Error::operating_error(format!("two runs of block {} have different results", number + 1))
                    .with_help("a program is flaky, so nothing is proved")),
            }
        })?;
        if let Some(missing) = missing.describe_missing(last.map(|last| last + 1)) {
            let message = format!("{missing}: the proof ends there");
            session.take_event(&Event::Warning(WarningEvent { message, help: None }));
        }
        Ok(certified)
    }

    /// Returns the manifest of the proof.
    fn describe_proof(&self, block_inputs: u64, arguments: Vec<String>, session: &Session) -> Result<JournalManifest> {
        let (record, setup) = (&self.finding.record, self.proof.judge_setup);
        let mut parts: BTreeMap<String, String> = BTreeMap::new();
        let mut add = |name: &str, value: String| parts.insert(name.to_owned(), value);
        add("rebut", env!("CARGO_PKG_VERSION").to_owned());
        add(INPUTS_PART, block_inputs.to_string());
        add("finding", digest_parts(&[&self.finding.input]));
        add("failure", format!("{:?}", self.proved.kind));
        add("format", digest_parts(&[record.format.as_deref().unwrap_or_default()]));
        add("limits of submissions", describe_limits(&setup.limits));
        add("limits of judge programs", describe_limits(&setup.judge_limits));
        add("checker", setup.judge.cache_identity().unwrap_or_else(|| setup.judge.checker_name()));
        for (name, source) in ["submission", "reference"].into_iter().zip(&self.sources) {
            add(name, source_digest(source)?);
        }
        for validator in &record.validators {
            add(&format!("program {validator}"), digest_command(validator, &record.folder)?);
        }
        add_tool_parts(&mut parts, &self.sources, session)?;
        Ok(JournalManifest { version: JOURNAL_VERSION, arguments, parts })
    }
}
