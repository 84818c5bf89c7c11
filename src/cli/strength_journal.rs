//! A measurement of a test set that several machines share: first the blocks of the verdict table, then those of mutants.
//!
//! Which submissions are mutated depends on their verdicts, so each machine runs the accepted submissions on all tests,
//! unless its cache or the shared store has these runs. Survivors are examined by the machine that merges.

use super::exit_status::ExitStatus;
use super::mutant_journal::MutantPart;
use super::recorded_arguments::record_own_arguments;
use super::session::Session;
use super::strength::{KnownMutants, Measurement, MeasurementEnd, right_submissions};
use super::stress_journal::JournalUse;
use super::verify::{ProgressOnlySink, fill_table_part, require_stated_limit};
use super::verify_journal::{TableJournal, plan_blocks};
use super::verify_manifest::describe_table;
use rebut_diagnostics::Result;
use rebut_engine::event::{Event, EventSink, ShardFinished};
use rebut_engine::verify::{VerifyPlan, verify_submissions};
use rebut_engine::{BlockPlan, Shard};
use rebut_packages::{JournalManifest, JournalSet, JournalWriter, digest_parts};
use std::path::Path;

/// Name of the number of mutants in a block in a manifest.
const MUTANTS_PART: &str = "mutants in a block";

/// Name of the mutated submissions in a manifest.
const MUTATED_PART: &str = "mutated submissions";

impl Measurement<'_> {
    /// Runs the blocks of a shard, or merges journals.
    ///
    /// # Errors
    /// Returns an error if journals are not those of this command, if blocks are missing, or if programs cannot be run.
    pub(super) fn run_with_journal(
        self,
        plan: VerifyPlan<'_>,
        journal: &JournalUse<'_>,
        session: &mut Session,
    ) -> Result<MeasurementEnd> {
        require_stated_limit(&plan)?;
        match journal {
            JournalUse::Merged(set) => self.merge_journals(plan, set, session),
            JournalUse::Run { folder, shard } => {
                let mutated = find_mutated(&plan, session)?;
                let arguments = record_own_arguments(&[])?;
                let block_mutants = self.args.shards.block;
                let (_, manifest) =
                    self.describe_measurement(&plan, block_mutants, &mutated.join(", "), arguments, session)?;
                let writer = JournalWriter::open(folder, &manifest)?;
                let (counts, exit) = self.run_shard(&plan, folder, (*shard, writer), &mutated, session)?;
                if *shard == Shard::WHOLE && exit == ExitStatus::Success {
                    let set = JournalSet::open(std::slice::from_ref(folder))?;
                    return self.merge_journals(plan, &set, session);
                }
                session.take_event(&Event::Shard(counts));
                Ok(MeasurementEnd { findings: 0, exit })
            }
        }
    }

    /// Returns the manifest, and how the table is cut into blocks.
    fn describe_measurement(
        self,
        plan: &VerifyPlan<'_>,
        block_mutants: u64,
        mutated: &str,
        arguments: Vec<String>,
        session: &Session,
    ) -> Result<(BlockPlan, JournalManifest)> {
        let blocks = plan_blocks(plan, None);
        let mut manifest = describe_table(self.problem.require_package()?, plan, blocks, arguments, session)?;
        let mut add = |name: &str, value: String| manifest.parts.insert(name.to_owned(), value);
        add(MUTANTS_PART, block_mutants.to_string());
        add(MUTATED_PART, mutated.to_owned());
        if let Some(format) = &self.problem.format {
            add("format", digest_parts(&[&format.source.text]));
        }
        Ok((blocks, manifest))
    }

    /// Runs the blocks of a shard that the journal does not contain yet.
    fn run_shard(
        self,
        plan: &VerifyPlan<'_>,
        folder: &Path,
        (shard, writer): (Shard, JournalWriter),
        mutated: &[String],
        session: &mut Session,
    ) -> Result<(ShardFinished, ExitStatus)> {
        let (blocks, set) = (plan_blocks(plan, None), JournalSet::open(&[folder.to_owned()])?);
        let table = TableJournal::open(plan, blocks, &set, Some((shard, writer.clone())), session)?;
        let plan = VerifyPlan { cell_journal: Some(&table), ..plan.clone() };
        let filled = fill_table_part(&plan, &table, session);
        let mut counts = table.describe_shard(folder);
        let part = MutantPart { first: blocks.count_blocks(), block_mutants: self.args.shards.block };
        let right: Vec<&str> = mutated.iter().map(String::as_str).collect();
        let ended = filled.and_then(|()| {
            self.with_mutation(&plan, &right, session, |mutation, _, _, session| {
                part.run_missing(mutation, (shard, &writer), &set, &mut counts, session)
            })
        });
        Ok((counts, ExitStatus::from_shard(ended)?))
    }

    /// Draws the conclusion from journals.
    fn merge_journals(self, plan: VerifyPlan<'_>, set: &JournalSet, session: &mut Session) -> Result<MeasurementEnd> {
        let recorded = set.manifest();
        let part = |name: &str| recorded.parts.get(name).map_or("", String::as_str);
        let (mutated, block_mutants) = (part(MUTATED_PART), part(MUTANTS_PART).parse().unwrap_or(1));
        let arguments = recorded.arguments.clone();
        let (blocks, manifest) = self.describe_measurement(&plan, block_mutants, mutated, arguments, session)?;
        recorded.require_same("the journal", &manifest, "the command in this folder")?;
        let table = TableJournal::open(&plan, blocks, set, None, session)?;
        let plan = VerifyPlan { cell_journal: Some(&table), ..plan };
        let part = MutantPart { first: blocks.count_blocks(), block_mutants };
        self.report_conclusion(&plan, Some(KnownMutants { part, set, mutated }), session)
    }
}

/// Returns the names of the submissions that have to be accepted and are. They are run on all tests.
fn find_mutated(plan: &VerifyPlan<'_>, session: &Session) -> Result<Vec<String>> {
    let accepted = plan.submissions.iter().filter(|submission| submission.expected.expectation.is_accepted());
    let plan = VerifyPlan { submissions: accepted.cloned().collect(), ..plan.clone() };
    let verified = verify_submissions(&plan, &mut ProgressOnlySink::new(session, None))?;
    Ok(right_submissions(&plan, &verified).into_iter().map(str::to_owned).collect())
}
