//! `rebut export`: converts a package for other judge systems.

use super::args::{ExportArgs, ExportAsArg, JudgeArgs};
use super::compile_programs::{compile_quietly, is_checktestdata_script, to_judge_error};
use super::exit_status::ExitStatus;
use super::judges::{PackageJudge, validation_limits};
use super::problem_setup::{ProblemContext, choose_limits};
use super::session::Session;
use rebut_checkers::{ExitCodeConvention, Judgement};
use rebut_diagnostics::{Error, Result, count_with_noun};
use rebut_engine::event::{Event, EventSink, JudgeKind, WarningEvent};
use rebut_engine::{InputValidator, Judge, JudgeProgram, JudgeRequest, RunEngine, ValidatorConvention};
use rebut_packages::interop::{self, COPIES_FOLDER, ExportFormat};
use rebut_packages::{Bundle, Package, TestCase, read_file, read_run_files, write_atomically};
use rebut_sandbox::RunJob;
use rebut_toolchain::CompileError;
use std::ffi::OsString;
use std::sync::Arc;

pub(super) fn run_export(args: &ExportArgs, session: &mut Session) -> Result<ExitStatus> {
    let problem = ProblemContext::from_folder(&args.problem, session)?;
    let mut package = problem.require_package()?.clone();
    let mut files = Bundle::read_folder(&package.folder)?;
    gather_outside_programs(&mut package, &mut files)?;
    let kind = match args.dialect {
        ExportAsArg::Legacy => ExportFormat::Legacy,
        ExportAsArg::V2025 => ExportFormat::V2025,
        ExportAsArg::Domjudge => ExportFormat::Domjudge,
    };
    let wrong = |flaw: interop::InteropError| flaw.into_error(&args.problem);
    session.begin_activity("Exporting", &package.id);
    let source = interop::ExportSource { package: &package, files: &files, format: problem.format.as_ref() };
    let exported = interop::export_package(&source, kind).map_err(wrong)?;
    session.check_interrupted()?;
    if args.out.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("zip")) {
        if args.out.exists() {
            return Err(Error::usage_error(format!("`{}` already exists", args.out.display())));
        }
        write_atomically(&args.out, &interop::pack_archive(&exported.files).map_err(wrong)?)?;
    } else {
        exported.files.write_folder(&args.out)?;
    }
    let warn = |message: String, help: Option<&str>, session: &mut Session| {
        session.take_event(&Event::Warning(WarningEvent { message, help: help.map(str::to_owned) }));
    };
    for note in exported.notes {
        warn(note, None, session);
    }
    let failures = try_exported_programs(&exported.files, session)?;
    let status = if failures.is_empty() { ExitStatus::Success } else { ExitStatus::Judge };
    for failure in failures {
        warn(
            failure,
            Some("other judges call it by the convention of problem packages, and would fail as well"),
            session,
        );
    }
    let files = count_with_noun(exported.files.len(), "file");
    session.write_stdout_text(&format!("exported {}: {files} in {}", package.id, args.out.display()))?;
    Ok(status)
}

/// Runs the validators of an export on its smallest test case, by the convention of problem packages, whatever they are
/// written with. Returns how they fail.
fn try_exported_programs(files: &Bundle, session: &mut Session) -> Result<Vec<String>> {
    let place = tempfile::tempdir().map_err(|cause| Error::io_error("create", &std::env::temp_dir(), &cause))?;
    let folder = place.path().join("package");
    files.write_folder(&folder)?;
    let package = session.load_package(&folder)?;
    let Some(case) = package.test_cases.iter().min_by_key(|case| case.input_bytes()) else { return Ok(Vec::new()) };
    let (input, limits) = (read_file(&case.input)?, validation_limits(&package));
    let run_files = read_run_files(case.files.as_deref())?;
    let mut failures = Vec::new();
    let programs = package.input_validators.iter().chain(&package.output_validator.program);
    for path in programs.filter(|path| !is_checktestdata_script(path)) {
        let name = path.strip_prefix(&folder).unwrap_or(path).display().to_string();
        let (program, identity) = match compile_quietly(Some(&package), path, session) {
            Ok(compiled) => compiled,
            Err(CompileError::Failed(error)) if error.is_unsupported() => continue,
            Err(error) => {
                failures.push(format!("`{name}` of the export does not compile: {}", to_judge_error(error, &name)));
                continue;
            }
        };
        let failure = if package.output_validator.program.as_ref() == Some(path) {
            let judge = JudgeProgram {
                arguments: case.output_validator_arguments.clone(),
                convention: ExitCodeConvention::Kattis,
                ..PackageJudge::judge_program(&package, program, identity)
            };
            try_judge(judge, case, &input, &package, session)?
        } else {
            let arguments: Vec<OsString> = case.input_arguments.arguments_for(path).iter().map(Into::into).collect();
            let validator = InputValidator { program, convention: ValidatorConvention::Icpc, identity };
            let job = RunJob { input: &input, args: &arguments, limits: &limits, files: run_files.as_ref() };
            validator.check_job(&job, &session.cancel).err().map(|error| error.message().to_owned())
        };
        session.check_interrupted()?;
        failures.extend(failure.map(|why| format!("`{name}` of the export fails on `{}`: {why}", case.name)));
    }
    Ok(failures)
}

/// Lets an output validator judge the answer of a test case, or an interactor talk to the reference. Returns how it fails.
fn try_judge(
    judge: JudgeProgram,
    case: &TestCase,
    input: &[u8],
    package: &Package,
    session: &mut Session,
) -> Result<Option<String>> {
    let answer = case.answer.as_deref().map(read_file).transpose()?.unwrap_or_default();
    let judge = Judge::Program(Arc::new(judge));
    if judge.judge_kind() != JudgeKind::Conversation {
        return Ok(match judge.judge_output(input, &answer, &answer, &session.cancel)? {
            Judgement::Failed(why) => Some(why),
            Judgement::Accepted | Judgement::Wrong(_) => None,
        });
    }
    let Some(reference) = package.reference_candidates().into_iter().next() else { return Ok(None) };
    let Ok((reference, _)) = compile_quietly(Some(package), &reference, session) else { return Ok(None) };
    let limits = choose_limits(&JudgeArgs::default(), Some(package)).0;
    let files = read_run_files(case.files.as_deref())?;
    let arguments: Vec<OsString> = case.arguments.iter().map(Into::into).collect();
    let request = JudgeRequest {
        input,
        answer: &answer,
        arguments: &arguments,
        files: files.as_ref(),
        limits: &limits,
        engine: RunEngine::Exec,
        cancel: &session.cancel,
    };
    Ok(judge.run_and_judge(&reference, &request)?.checker_failure)
}

/// Adds programs outside the package folder to its files, since only these are exported.
fn gather_outside_programs(package: &mut Package, files: &mut Bundle) -> Result<()> {
    let root = package.folder.clone();
    for path in package.programs_mut().filter(|path| !path.starts_with(&root)) {
        let (Some(folder), Some(name)) = (path.parent(), path.file_name()) else { continue };
        let place = format!("{COPIES_FOLDER}/{}", folder.file_name().unwrap_or_default().display());
        if files.files_below(&place).next().is_none() {
            for (below, bytes) in Bundle::read_folder(folder)?.iter() {
                let inserted = files.insert(&format!("{place}/{below}"), bytes.to_owned());
                inserted.map_err(|words| Error::usage_error(format!("`{}`: {words}", folder.display())))?;
            }
        }
        *path = root.join(&place).join(name);
    }
    Ok(())
}
