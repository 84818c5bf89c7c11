//! The manifests of journals: the conditions of the results of their blocks.

use super::record_own_arguments;
use crate::cli::args::StressArgs;
use crate::cli::compile_programs::{digest_command, display_file_name, source_digest};
use crate::cli::judges::{self, validation_limits};
use crate::cli::problem_setup::ProblemContext;
use crate::cli::session::Session;
use rebut_diagnostics::Result;
use rebut_engine::verify::{VerifiedCase, VerifyPlan};
use rebut_engine::{BuildPlan, JournalUse, Judge, ProofBlocks, StressPlan};
use rebut_format::generate::GenerationSettings;
use rebut_generators::STREAM_VERSION;
use rebut_packages::{
    FindingRecord, JOURNAL_VERSION, JournalManifest, Package, digest_folder, digest_parts, read_file,
};
use rebut_sandbox::RunLimits;
use std::collections::BTreeMap;
use std::env::consts::{ARCH, OS};
use std::path::{Path, PathBuf};

/// Name of the seed in a manifest.
pub(in crate::cli) const SEED_PART: &str = "seed";

/// Names of the length of a block in a manifest, by what it has.
pub(in crate::cli) const INPUTS_PART: &str = "inputs in a block";

pub(in crate::cli) const RUNS_PART: &str = "runs in a block";

pub(in crate::cli) const MUTANTS_PART: &str = "mutants in a block";

pub(in crate::cli) const PIECES_PART: &str = "tests in a block";

pub(in crate::cli) const SMALLER_INPUTS_PART: &str = "smaller inputs in a block";

/// Name of the mutated submissions in a manifest.
pub(in crate::cli) const MUTATED_PART: &str = "mutated submissions";

/// Start of the names of the submissions in a manifest.
pub(super) const SUBMISSION_PART: &str = "submission ";

/// The conditions of the results of a command, by names for people.
pub(in crate::cli) struct Conditions {
    parts: BTreeMap<String, String>,
    /// The sources of the programs, whose compilers are conditions, too.
    sources: Vec<PathBuf>,
}

impl Conditions {
    fn new() -> Conditions {
        let mut conditions = Conditions { parts: BTreeMap::new(), sources: Vec::new() };
        conditions.add_part("rebut", env!("CARGO_PKG_VERSION"));
        conditions
    }

    /// Adds a condition.
    pub(in crate::cli) fn add_part(&mut self, name: impl Into<String>, value: impl ToString) {
        self.parts.insert(name.into(), value.to_string());
    }

    /// Adds a program with its compiler.
    fn add_program(&mut self, name: String, source: &Path) -> Result<()> {
        self.add_part(name, source_digest(source)?);
        self.sources.push(source.to_owned());
        Ok(())
    }

    fn add_limits(&mut self, programs: &str, limits: &RunLimits) {
        let RunLimits { cpu_time_limit_ms, wall_time_limit_ms, memory_limit_bytes, output_limit_bytes, .. } = limits;
        let described = format!(
            "{cpu_time_limit_ms} ms, {wall_time_limit_ms} ms elapsed, {memory_limit_bytes} bytes, {output_limit_bytes} \
             bytes of output"
        );
        self.add_part(format!("limits{programs}"), described);
    }

    fn add_judge(&mut self, judge: &Judge) {
        self.add_part("checker", judge.cache_identity().unwrap_or_else(|| judge.checker_name()));
    }

    /// Adds the format of a problem, if it has one.
    pub(in crate::cli) fn add_format(&mut self, problem: &ProblemContext) {
        if let Some(format) = &problem.format {
            self.add_part("format", digest_parts(&[&format.source.text]));
        }
    }

    /// Adds the digests of things by their groups, in order.
    fn add_groups(&mut self, members: impl IntoIterator<Item = Result<(String, String)>>) -> Result<()> {
        let mut groups: BTreeMap<String, Vec<String>> = BTreeMap::new();
        for member in members {
            let (group, digest) = member?;
            groups.entry(group).or_default().push(digest);
        }
        groups.iter().for_each(|(group, digests)| self.add_part(format!("tests in {group}"), digest_parts(digests)));
        Ok(())
    }

    /// Returns the manifest: with the arguments of the journals to be merged, or those of this process and `added` options.
    ///
    /// # Errors
    /// Returns an error if an argument is not valid UTF-8, or if the work was cancelled.
    pub(in crate::cli) fn into_manifest(
        mut self,
        journal: &JournalUse,
        added: &[(&str, String)],
        session: &Session,
    ) -> Result<JournalManifest> {
        let arguments = match journal {
            JournalUse::Merge(set) => set.manifest().arguments.clone(),
            JournalUse::Run { .. } => record_own_arguments(added)?,
        };
        self.parts.append(&mut tool_parts(&self.sources, session)?);
        Ok(JournalManifest { version: JOURNAL_VERSION, arguments, parts: self.parts })
    }
}

/// Returns what decides how sources become programs: the compilers and interpreters of their languages, the flags that
/// only this machine gives them, and its kind of processor. Results of machines that differ in it are not shared.
///
/// # Errors
/// Returns an error if the work was cancelled.
pub(in crate::cli) fn tool_parts(sources: &[PathBuf], session: &Session) -> Result<BTreeMap<String, String>> {
    let mut parts = BTreeMap::from([("processor".to_owned(), format!("{ARCH}, {OS}"))]);
    for tool in session.builder.identify_tools(sources, &session.cancel)? {
        let name = format!("{} for {}", tool.name, tool.language);
        parts.insert(name.clone(), tool.version);
        parts.insert(format!("{name}, file"), tool.digest);
        parts.insert(format!("{name}, flags of this machine"), tool.flags);
    }
    Ok(parts)
}

/// Returns the conditions of a search but for the inputs in a block.
///
/// # Errors
/// Returns an error if a program cannot be read.
pub(in crate::cli) fn describe_search(
    args: &StressArgs,
    problem: &ProblemContext,
    plan: &StressPlan<'_>,
    reference: &Path,
    settings: &GenerationSettings,
) -> Result<Conditions> {
    let mut conditions = Conditions::new();
    conditions.add_part("stream of random numbers", STREAM_VERSION);
    conditions.add_part(SEED_PART, format!("{:x}", plan.seed));
    conditions.add_part("inputs", args.cases.map_or_else(|| "all".to_owned(), |cases| cases.to_string()));
    conditions.add_part("in order", args.exhaustive);
    conditions.add_limits(" of submissions", &plan.judge_setup.limits);
    conditions.add_limits(" of judge programs", &plan.judge_setup.judge_limits);
    conditions.add_part("engine", format!("{:?}", args.judging.engine).to_lowercase());
    conditions.add_part("initial growth", plan.inputs.initial_growth);
    conditions.add_part("keeps going", args.keep_going);
    conditions.add_part("checker", plan.judge_setup.judge.checker_name());
    conditions.add_part("generation", digest_parts(&[format!("{settings:?}")]));
    if let Some(expression) = &args.find {
        conditions.add_part("expression", expression);
        for (number, source) in args.submissions.iter().enumerate() {
            conditions.add_program(format!("program {} {}", number + 1, display_file_name(source)), source)?;
        }
    }
    for (number, submission) in plan.submissions.iter().enumerate() {
        conditions.add_program(format!("{SUBMISSION_PART}{} {}", number + 1, submission.name), &submission.source)?;
    }
    conditions.add_program(format!("reference {}", plan.judge_setup.reference.file_name()), reference)?;
    let of_package = || problem.package.as_ref().and_then(|package| package.output_validator.program.clone());
    if let Some(path) = judges::find_judge_source(&args.judging).or_else(of_package) {
        conditions.add_program(format!("judge program {}", path.display()), &path)?;
    }
    conditions.add_format(problem);
    let format = problem.format.iter();
    let of_format = format.flat_map(|format| format.validators.iter().chain(&format.generators));
    let stated = args.inputs.validator.iter().chain(&args.inputs.generator);
    for command in of_format.map(|program| &program.command).chain(stated) {
        conditions.add_part(format!("program {command}"), digest_command(command, &problem.folder)?);
        conditions.sources.extend(command.split_whitespace().map(PathBuf::from));
    }
    Ok(conditions)
}

/// Returns the conditions of a verdict table with so many runs in a block.
///
/// # Errors
/// Returns an error if a file of the package cannot be read.
pub(in crate::cli) fn describe_table(package: &Package, plan: &VerifyPlan<'_>, block_runs: u64) -> Result<Conditions> {
    let mut conditions = Conditions::new();
    conditions.add_part("problem", &package.id);
    conditions.add_part(RUNS_PART, block_runs);
    conditions.add_part("stops when decided", plan.stop_when_decided);
    conditions.add_limits(" of submissions", &plan.limits);
    conditions.add_limits(" of judge programs", &validation_limits(package));
    conditions.add_part("standards", format!("{:?}", package.standards));
    for (number, submission) in plan.submissions.iter().enumerate() {
        if let Some(known) = package.submissions.iter().find(|known| known.name == submission.name) {
            conditions.add_program(format!("{SUBMISSION_PART}{} {}", number + 1, submission.name), &known.path)?;
        }
    }
    for source in [&package.output_validator.program, &package.static_validator].into_iter().flatten() {
        conditions.add_program(format!("judge program {}", name_in_package(package, source)), source)?;
    }
    for folder in &package.include {
        conditions.add_part(format!("include folder {}", name_in_package(package, folder)), source_digest(folder)?);
    }
    conditions.add_groups(plan.cases.iter().map(|case| {
        let group = case.name.rsplit_once('/').map_or("data", |(group, _)| group);
        Ok((group.to_owned(), digest_case(case)?))
    }))?;
    Ok(conditions)
}

/// Returns the path of a file in a package, which is the same on each machine.
fn name_in_package(package: &Package, path: &Path) -> String {
    path.strip_prefix(&package.folder).unwrap_or(path).display().to_string()
}

/// Returns the digest of a test case: of its name, files, judge and arguments.
fn digest_case(case: &VerifiedCase) -> Result<String> {
    let (described, files) = match &case.examiner {
        Some(examiner) => (format!("static {:?}", examiner.arguments), [Vec::new(), Vec::new()]),
        None => {
            let judge = match &case.judge {
                Judge::Program(program) => format!("{:?} {:?}", program.mode, program.arguments),
                Judge::Checker(_) | Judge::Finder(_) => case.judge.checker_name(),
            };
            (format!("{judge} {:?}", case.arguments), [read_file(&case.input)?, read_file(&case.answer)?])
        }
    };
    let [input, answer] = files.map(|bytes| digest_parts(&[bytes]));
    Ok(digest_parts(&[&case.name, &described, &input, &answer, &digest_folder(case.files.as_deref())?]))
}

/// Returns the conditions of a test set with so many pieces in a block.
///
/// # Errors
/// Returns an error if a file of the package cannot be read.
pub(in crate::cli) fn describe_build(
    problem: &ProblemContext,
    plan: &BuildPlan<'_>,
    reference: &Path,
    block_pieces: u64,
) -> Result<Conditions> {
    let (mut conditions, package) = (Conditions::new(), problem.require_package()?);
    conditions.add_part("problem", &package.id);
    conditions.add_part(PIECES_PART, block_pieces);
    conditions.add_limits("", &plan.judge_setup.limits);
    conditions.add_judge(&plan.judge_setup.judge);
    conditions.add_part("reference", &plan.reference_key);
    conditions.sources.push(reference.to_owned());
    conditions.add_format(problem);
    conditions.add_groups(plan.test_jobs.iter().map(|job| {
        let stated = job.answer.as_ref().map_or(&[][..], |answer| &answer.bytes);
        let about = format!("{} {} {}", job.display_name(), job.count, job.is_candidate);
        Ok((job.folder.clone(), digest_parts(&[about.as_bytes(), job.key.as_bytes(), stated])))
    }))?;
    let validators = package.input_validators.iter().chain(&package.answer_validators);
    let judges = validators.chain(&package.output_validator.program).cloned();
    for source in package.reference_candidates().into_iter().chain(judges) {
        conditions.add_program(format!("program {}", name_in_package(package, &source)), &source)?;
    }
    for folder in &package.include {
        conditions.add_part(format!("program {}", name_in_package(package, folder)), source_digest(folder)?);
    }
    Ok(conditions)
}

/// Returns the conditions of the proof that a finding is the smallest.
///
/// # Errors
/// Returns an error if a program cannot be read.
pub(in crate::cli) fn describe_proof(
    record: &FindingRecord,
    [submission, reference]: [&Path; 2],
    blocks: &ProofBlocks<'_, '_>,
) -> Result<Conditions> {
    let (mut conditions, setup) = (Conditions::new(), blocks.proof.judge_setup);
    conditions.add_part(SMALLER_INPUTS_PART, blocks.block_inputs);
    conditions.add_part("finding", digest_parts(&[blocks.input]));
    conditions.add_part("failure", format!("{:?}", blocks.kind));
    conditions.add_part("format", digest_parts(&[record.format.as_deref().unwrap_or_default()]));
    conditions.add_limits(" of submissions", &setup.limits);
    conditions.add_limits(" of judge programs", &setup.judge_limits);
    conditions.add_judge(&setup.judge);
    conditions.add_program("submission".to_owned(), submission)?;
    conditions.add_program("reference".to_owned(), reference)?;
    for validator in &record.validators {
        conditions.add_part(format!("program {validator}"), digest_command(validator, &record.folder)?);
    }
    Ok(conditions)
}
