//! The manifest of a search: the conditions of the results of its blocks.

use super::args::StressArgs;
use super::judges;
use super::problem_setup::ProblemContext;
use super::recorded_arguments::record_own_arguments;
use super::session::Session;
use super::source_digest::{digest_command, source_digest};
use super::tool_parts::add_tool_parts;
use rebut_diagnostics::Result;
use rebut_engine::{BlockPlan, StressPlan};
use rebut_format::generate::GenerationSettings;
use rebut_generators::STREAM_VERSION;
use rebut_packages::{JOURNAL_VERSION, JournalManifest, digest_parts};
use rebut_sandbox::RunLimits;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Name of the number of inputs in a block in a manifest.
pub(super) const BLOCK_PART: &str = "inputs in a block";

/// Name of the seed in a manifest.
pub(super) const SEED_PART: &str = "seed";

/// A plan, with what it was made from.
pub(super) struct DescribedPlan<'d, 'a> {
    pub(super) args: &'d StressArgs,
    pub(super) problem: &'d ProblemContext,
    pub(super) plan: &'d StressPlan<'a>,
    /// Path of the reference.
    pub(super) reference: &'d Path,
    /// Whether only inputs with a single case are enumerated although the format allows several.
    pub(super) of_one_case: bool,
    /// The settings of generation.
    pub(super) settings: &'d GenerationSettings,
}

impl DescribedPlan<'_, '_> {
    /// Returns the manifest of the search. `recorded` are the arguments of a search that is merged; those of this command
    /// otherwise.
    ///
    /// # Errors
    /// Returns an error if a program or an argument cannot be read.
    pub(super) fn describe_plan(
        &self,
        blocks: BlockPlan,
        recorded: Option<&[String]>,
        session: &Session,
    ) -> Result<JournalManifest> {
        let arguments = match recorded {
            Some(arguments) => arguments.to_vec(),
            None => record_own_arguments(&[("seed", format!("{:x}", self.plan.seed))])?,
        };
        Ok(JournalManifest { version: JOURNAL_VERSION, arguments, parts: self.parts(blocks, session)? })
    }

    fn parts(&self, blocks: BlockPlan, session: &Session) -> Result<BTreeMap<String, String>> {
        let DescribedPlan { args, plan, .. } = self;
        let mut parts: BTreeMap<String, String> = BTreeMap::new();
        let mut add = |name: String, value: String| parts.insert(name, value);
        add("rebut".to_owned(), env!("CARGO_PKG_VERSION").to_owned());
        add("stream of random numbers".to_owned(), STREAM_VERSION.to_string());
        add(SEED_PART.to_owned(), format!("{:x}", plan.seed));
        let inputs = if blocks.inputs == u64::MAX { "all".to_owned() } else { blocks.inputs.to_string() };
        add("inputs".to_owned(), inputs);
        add("in order".to_owned(), args.exhaustive.to_string());
        add(BLOCK_PART.to_owned(), blocks.block_inputs.to_string());
        add("limits of submissions".to_owned(), describe_limits(&plan.judge_setup.limits));
        add("limits of judge programs".to_owned(), describe_limits(&plan.judge_setup.judge_limits));
        add("engine".to_owned(), format!("{:?}", args.judging.engine).to_lowercase());
        add("initial growth".to_owned(), plan.inputs.initial_growth.to_string());
        add("keeps going".to_owned(), args.keep_going.to_string());
        add("checker".to_owned(), plan.judge_setup.judge.checker_name());
        add("generation".to_owned(), digest_parts(&[format!("{:?}", self.settings)]));
        for (number, submission) in plan.submissions.iter().enumerate() {
            add(format!("submission {} {}", number + 1, submission.name), source_digest(&submission.source)?);
        }
        add(format!("reference {}", plan.judge_setup.reference.file_name()), source_digest(self.reference)?);
        for path in self.judge_sources() {
            add(format!("judge program {}", path.display()), source_digest(&path)?);
        }
        if let Some(format) = &self.problem.format {
            add("format".to_owned(), digest_parts(&[&format.source.text]));
        }
        for command in self.commands() {
            add(format!("program {command}"), digest_command(&command, &self.problem.folder)?);
        }
        add_tool_parts(&mut parts, &self.sources(), session)?;
        Ok(parts)
    }

    /// Returns the sources of all programs.
    fn sources(&self) -> Vec<PathBuf> {
        let submissions = self.plan.submissions.iter().map(|submission| submission.source.clone());
        let commands = self.commands();
        let words = commands.iter().flat_map(|command| command.split_whitespace()).map(PathBuf::from);
        submissions.chain([self.reference.to_owned()]).chain(self.judge_sources()).chain(words).collect()
    }

    /// Returns the sources of the checker or the interactor.
    fn judge_sources(&self) -> Vec<PathBuf> {
        let stated = judges::find_judge_source(&self.args.judging);
        let package = self.problem.package.as_ref().and_then(|package| package.output_validator.program.clone());
        stated.or(package).into_iter().collect()
    }

    /// Returns the commands of generators and validators.
    fn commands(&self) -> Vec<String> {
        let format = self.problem.format.as_ref();
        let validators = format.into_iter().flat_map(|format| format.validators.iter().map(|one| one.command.clone()));
        let generators = format.into_iter().flat_map(|format| format.generators.iter().map(|one| one.command.clone()));
        let inputs = &self.args.inputs;
        let stated = inputs.validator.iter().chain(&inputs.generator).cloned();
        validators.chain(generators).chain(stated).collect()
    }
}

/// Describes limits on a program.
pub(super) fn describe_limits(limits: &RunLimits) -> String {
    let RunLimits { cpu_time_limit_ms, wall_time_limit_ms, memory_limit_bytes, output_limit_bytes, .. } = limits;
    format!(
        "{cpu_time_limit_ms} ms, {wall_time_limit_ms} ms elapsed, {memory_limit_bytes} bytes, {output_limit_bytes} \
         bytes of output"
    )
}
