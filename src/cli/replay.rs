//! `rebut replay`: runs a finding again.

use super::args::{InputArgs, NarrowingArgs, ReplayArgs};
use super::compile_programs;
use super::exit_status::ExitStatus;
use super::problem_setup::{self, ProblemContext};
use super::session::Session;
use super::shards::choose_journal;
use super::shards::manifest::{SMALLER_INPUTS_PART, describe_proof};
use super::stress::find::FinderSearch;
use super::stress::save_test;
use super::stress::summary::{SearchClosing, emit_shard_end, emit_summary};
use rebut_diagnostics::{Error, Result, SourceText};
use rebut_engine::event::{Event, EventSink, Finding, FindingChoices, FindingOrigin, ProgramRole};
use rebut_engine::{
    CertifyResult, CompiledSubmission, JournalUse, JudgeSetup, MinimalityProof, ProofBlocks, ReplayResult, RunEngine,
    SearchResult, SharedEnd, collect_failure_hints, finding_of_run, replay_finding,
};
use rebut_format::generate::GenerationSettings;
use rebut_packages::verdict::Verdict;
use rebut_packages::{FindingFiles, FindingRecord};
use rebut_sandbox::{Program, RunLimits};
use rebut_toolchain::{CompileError, LanguageStandard, SourceOptions};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Runs a finding again, and proves that it is the smallest, from runs that are made here or from journals.
///
/// # Errors
/// Returns an error if programs cannot be run, or if journals are not those of this command.
pub(super) fn run_replay(args: &ReplayArgs, session: &mut Session) -> Result<ExitStatus> {
    let journal = choose_journal(&args.shards, session)?;
    let finding = rebut_packages::load_finding(&args.finding)?;
    let record = &finding.record;
    session.file_names.clone_from(&record.files);
    if let Some(folder) = &args.save {
        save_test::save_recorded_finding(&finding, folder, session)?;
    }
    let source = args.submission.clone().unwrap_or_else(|| record.submission.clone());
    let reference = args.reference.clone().or_else(|| record.reference.clone());
    let Some(reference) = reference else { return Err(Error::usage_error("the finding has no reference")) };
    let options = recorded_source_options(record)?;
    let setup = recorded_judge_setup(
        &finding,
        compile_program(&reference, &options, ProgramRole::Reference, session)?,
        &options,
        session,
    )?;
    let (setup, finder) = restore_finder(record, setup, &options, session)?;
    let expression = finder.as_ref().map(|finder| finder.name.clone());
    let submission = match record.culprit.as_str() {
        "reference" => None,
        _ if finder.is_some() => finder.as_ref().map(|finder| finder.program.clone()),
        _ => match compile_programs::compile_with_identity(&options, &source, ProgramRole::Submission, session) {
            Ok((program, _)) => Some(program),
            Err(CompileError::Rejected { command, text }) => {
                let name = compile_programs::display_file_name(&source);
                let found = Finding::compile_error(&name, &command, &text);
                return Ok(conclude_replay(vec![found], SearchClosing::default(), session));
            }
            Err(CompileError::Failed(error)) => return Err(with_moved_hint(error)),
        },
    };
    let replayed = replay_finding(&setup, submission.as_ref(), &finding)?;
    let name = if let Some(finder) = finder {
        finder.name
    } else if submission.is_some() {
        compile_programs::display_file_name(&source)
    } else {
        compile_programs::display_file_name(&reference)
    };
    let (mut findings, mut survivors) = (Vec::new(), Vec::new());
    if replayed.is_reproduced() {
        let request = ProofRequest { args, journal: journal.as_ref(), sources: [source, reference] };
        let proof = match request.certify_again(&finding, &setup, submission.as_ref(), &replayed, session)? {
            SharedEnd::Whole(proof) => proof,
            SharedEnd::Shard(reason) => return Ok(emit_shard_end(None, reason, session)),
        };
        let hints = collect_failure_hints(&setup.judge, &replayed.run_result, &replayed.answer);
        let mut found = describe_replay(&name, &args.finding, finding, replayed, submission.is_none());
        found.failure.hints = hints;
        found.run.judged_by = setup.judge.judge_kind();
        if let Some(certified) = proof {
            add_proof(&mut found, certified, session);
        }
        findings.push(found);
    } else {
        survivors.push(name);
    }
    Ok(conclude_replay(findings, SearchClosing { survivors, expression, ..SearchClosing::default() }, session))
}

/// Reports the failure of a replay, or the program that does not fail any more.
fn conclude_replay(findings: Vec<Finding>, closing: SearchClosing, session: &mut Session) -> ExitStatus {
    let verdicts: Vec<Verdict> = findings.iter().map(|found| found.failure.verdict).collect();
    for found in findings {
        session.take_event(&Event::Found(Box::new(found)));
    }
    emit_summary(session, None, &SearchResult::default(), &verdicts, closing)
}

/// Compiles the programs of an expression, and returns the judge setup and the submission that stand for it.
fn restore_finder(
    record: &FindingRecord,
    setup: JudgeSetup,
    options: &SourceOptions,
    session: &mut Session,
) -> Result<(JudgeSetup, Option<CompiledSubmission>)> {
    let Some(finder) = record.finder.as_ref().filter(|_| record.culprit != "reference") else {
        return Ok((setup, None));
    };
    let finder = FinderSearch::from_record(finder)?;
    let compile = |source: &Path| compile_program(source, options, ProgramRole::Submission, session);
    let (submission, setup) = finder.compile_search(setup, compile)?;
    Ok((setup, Some(submission)))
}

/// Adds the result of a proof to a finding.
fn add_proof(found: &mut Finding, certified: CertifyResult, session: &mut Session) {
    match certified.smaller_input_bytes() {
        // The certificate is about the smaller input, not about the finding.
        Some(smaller) => {
            found.proof.smaller_input = Some(String::from_utf8_lossy(smaller).into_owned());
            session.warn("a smaller input also fails, so this one is not the smallest".to_owned());
        }
        None => found.proof.certificate = Some(certified.certificate),
    }
}

/// How the minimality proof of a finding is repeated.
struct ProofRequest<'r> {
    args: &'r ReplayArgs,
    journal: Option<&'r JournalUse>,
    /// Paths of the submission and the reference.
    sources: [PathBuf; 2],
}

impl ProofRequest<'_> {
    /// Repeats the minimality proof of the finding, if requested.
    fn certify_again(
        self,
        finding: &FindingFiles,
        setup: &JudgeSetup,
        submission: Option<&Program>,
        replayed: &ReplayResult,
        session: &mut Session,
    ) -> Result<SharedEnd<Option<CertifyResult>>> {
        let budget = self.args.certify.or(self.journal.map(|_| Duration::MAX));
        let (Some(budget), Some(submission)) = (budget, submission) else { return Ok(SharedEnd::Whole(None)) };
        let Some((problem, given)) = recorded_format(finding, session)? else { return Ok(SharedEnd::Whole(None)) };
        let (settings, limits) = (GenerationSettings::default(), &setup.judge_limits);
        let inputs = &problem.build_input_source(&given, settings, limits, session)?;
        session.begin_activity("Proving", compile_programs::display_file_name(&finding.record.submission));
        let quick = setup.with_engine(RunEngine::Quick);
        let proof = MinimalityProof { judge_setup: &quick, inputs, jobs: session.jobs, budget };
        let kind = replayed.run_result.kind;
        let Some(journal) = self.journal else {
            return proof.certify_submission(submission, kind, &finding.input).map(SharedEnd::Whole);
        };
        let block_inputs = journal.block_length(SMALLER_INPUTS_PART, self.args.shards.block);
        let (input, block_inputs) = (&finding.input, block_inputs.unwrap_or(BLOCK_INPUTS));
        let blocks = ProofBlocks { proof: &proof, submission, kind, input, block_inputs };
        let conditions = describe_proof(&finding.record, self.sources.each_ref().map(PathBuf::as_path), &blocks)?;
        let mut journal = journal.open(&conditions.into_manifest(journal, &[], session)?, &session.cancel)?;
        blocks.share_proof(&mut journal, session)
    }
}

/// Number of smaller inputs in a block, unless the user chooses another. Each is run in a new process, so they take about a
/// second.
const BLOCK_INPUTS: u64 = 256;

/// Returns the format that a finding recorded, if it has one, with the validators.
fn recorded_format(finding: &FindingFiles, session: &mut Session) -> Result<Option<(ProblemContext, InputArgs)>> {
    let record = &finding.record;
    let Some(text) = &record.format else { return Ok(None) };
    let format = problem_setup::read_format(
        SourceText::new("the finding's format", text.as_bytes()),
        &NarrowingArgs::default(),
        session,
    )?;
    let own = |validator: &&String| !format.validators.iter().any(|v| v.command == **validator);
    let validator = record.validators.iter().filter(own).cloned().collect();
    let problem = ProblemContext { package: None, format: Some(format), folder: record.folder.clone(), beside: None };
    Ok(Some((problem, InputArgs { validator, ..InputArgs::default() })))
}

/// Returns the options with which the sources of the finding were compiled.
fn recorded_source_options(record: &FindingRecord) -> Result<SourceOptions> {
    let standards =
        record.standards.iter().map(|name| LanguageStandard::parse(name)).collect::<std::result::Result<_, _>>();
    let standards = standards.map_err(Error::usage_error)?;
    Ok(SourceOptions { includes: record.includes.clone(), standards, ..SourceOptions::default() })
}

fn compile_program(path: &Path, options: &SourceOptions, role: ProgramRole, session: &mut Session) -> Result<Program> {
    compile_programs::compile_with_identity(options, path, role, session).map(|(program, _)| program).map_err(|error| {
        match error {
            CompileError::Failed(error) => with_moved_hint(error),
            CompileError::Rejected { command, text } => {
                Error::judge_error(format!("`{}` does not compile", path.display()))
                    .with_note(format!("{command}\n{text}"))
            }
        }
    })
}

/// Adds help for a source that is no longer where the finding recorded it.
fn with_moved_hint(error: Error) -> Error {
    if error.help().is_some() {
        error
    } else {
        error.with_help("if it has moved, give its path with `--submission` or `--reference`")
    }
}

fn recorded_judge_setup(
    finding: &FindingFiles,
    reference: Program,
    options: &SourceOptions,
    session: &mut Session,
) -> Result<JudgeSetup> {
    let record = &finding.record;
    let limits = RunLimits {
        memory_limit_bytes: record.memory_limit_bytes.max(1 << 20),
        ..RunLimits::with_cpu_time_ms(record.cpu_time_limit_ms.max(1))
    };
    let judge_limits = RunLimits {
        memory_limit_bytes: limits.memory_limit_bytes.max(2 << 30),
        ..RunLimits::with_cpu_time_ms(10_000.max(limits.cpu_time_limit_ms * 5))
    };
    let judge = super::judges::judge_by_name(&record.checker, options, session)?;
    Ok(JudgeSetup { engine: RunEngine::Exec, reference, judge, limits, judge_limits, cancel: session.cancel.clone() })
}

fn describe_replay(
    name: &str,
    folder: &Path,
    finding: FindingFiles,
    replayed: ReplayResult,
    reference: bool,
) -> Finding {
    let choices = FindingChoices::from_files(&finding);
    let (result, record) = (replayed.run_result, finding.record);
    let answer = if reference { finding.answer } else { replayed.answer };
    let verdict = if reference { Verdict::JudgeError } else { result.verdict };
    // What fails may be the checker: `icpc:check.cpp`.
    let checker = record.checker.rsplit([':', '/']).next().unwrap_or_default().to_owned();
    let name = if result.checker_failure.is_some() { &checker } else { name };
    let mut found = finding_of_run(name, finding.input, answer, result, record.checker);
    found.failure.verdict = verdict;
    found.failure.flaky = (replayed.failed < replayed.runs).then_some((replayed.failed, replayed.runs));
    let FindingRecord { case, shape, seed, shrink_complete, .. } = record;
    found.origin = FindingOrigin { case, shape, seed, original: finding.original, choices, ..FindingOrigin::default() };
    found.minimization.is_complete = shrink_complete;
    found.saved.folder = Some(folder.to_owned());
    found
}
