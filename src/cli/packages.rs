//! `rebut new`, `rebut import` and `rebut export`: make a package, from nothing, from that of another system, or for
//! other judge systems.

use super::args::{ExportArgs, ExportAsArg, ImportArgs, InputArgs, JudgeArgs, NewArgs, NewDialectArg, NewLanguageArg};
use super::compile_programs::{compile_quietly, is_checktestdata_script, to_judge_error};
use super::examples::EXAMPLES;
use super::exit_status::ExitStatus;
use super::format::generate_validator;
use super::groups::find_groups;
use super::judges::{PackageJudge, validation_limits};
use super::problem_setup::{ProblemContext, choose_limits};
use super::session::Session;
use super::stress::random_seed;
use rebut_checkers::{ExitCodeConvention, Judgement};
use rebut_codegen::{ReaderLanguage, generate_reader};
use rebut_diagnostics::{Error, Result, SourceText, count_with_noun};
use rebut_engine::event::EventSink;
use rebut_engine::{InputValidator, Judge, JudgeProgram, JudgeRequest, ValidatorConvention};
use rebut_format::language::{Format, Subtask};
use rebut_packages::interop::{
    self, COPIES_FOLDER, ExportFormat, ImportedPackage, Starter, StarterDialect, StarterExample, StarterLanguage,
};
use rebut_packages::{
    Bundle, Package, TestCase, read_description, read_file, read_run_files, write_atomically, write_file,
};
use rebut_sandbox::RunJob;
use rebut_toolchain::CompileError;
use std::ffi::OsString;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;

pub(super) fn run_export(args: &ExportArgs, session: &mut Session) -> Result<ExitStatus> {
    let problem = ProblemContext::from_folder(&args.problem, session)?;
    let mut package = problem.require_package()?.clone();
    let mut files = Bundle::read_folder(&package.folder)?;
    gather_outside_programs(&mut package, &mut files)?;
    let header = session.builder.find_header("testlib.h").filter(|_| args.dialect == ExportAsArg::Polygon);
    if let (Some(path), None) = (header, files.get("testlib.h")) {
        files.insert("testlib.h", read_file(&path)?).map_err(|flaw| Error::usage_error(flaw.to_string()))?;
    }
    let wrong = |flaw: interop::InteropError| flaw.into_error(&args.problem);
    session.begin_activity("Exporting", &package.id);
    let source = interop::ExportSource { package: &package, files: &files, format: problem.format.as_ref() };
    let exported = match args.dialect {
        ExportAsArg::Legacy => interop::export_package(&source, ExportFormat::Legacy),
        ExportAsArg::V2025 => interop::export_package(&source, ExportFormat::V2025),
        ExportAsArg::Domjudge => interop::export_package(&source, ExportFormat::Domjudge),
        ExportAsArg::Polygon => {
            let format =
                problem.format.as_ref().map(|format| name_subtasks_like_groups(format, &problem)).transpose()?;
            let validator = format.map(|format| generate_validator(&format, session)).transpose()?;
            interop::export_to_polygon(&source, validator.as_ref().map(|validator| &*validator.text))
        }
    };
    let exported = exported.map_err(wrong)?;
    session.check_interrupted()?;
    if args.out.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("zip")) {
        if args.out.exists() {
            return Err(Error::usage_error(format!("`{}` already exists", args.out.display())));
        }
        write_atomically(&args.out, &interop::pack_archive(&exported.files).map_err(wrong)?)?;
    } else {
        exported.files.write_folder(&args.out)?;
    }
    exported.notes.into_iter().for_each(|note| session.warn(note));
    let failures = match args.dialect {
        // What it calls are programs with testlib, as they are in the package.
        ExportAsArg::Polygon => Vec::new(),
        _ => try_exported_programs(&exported.files, session)?,
    };
    let status = if failures.is_empty() { ExitStatus::Success } else { ExitStatus::Judge };
    let help = "other judges call it by the convention of problem packages, and would fail as well";
    failures.into_iter().for_each(|failure| session.warn_with_help(failure, help));
    let files = count_with_noun(exported.files.len(), "file");
    session.write_stdout_text(&format!("exported {}: {files} in {}", package.id, args.out.display()))?;
    Ok(status)
}

/// Returns the format with its subtasks named like the groups of Polygon: there, a validator only knows the group.
fn name_subtasks_like_groups(format: &Format, problem: &ProblemContext) -> Result<Format> {
    let mut subtasks = Vec::new();
    for group in find_groups(problem)? {
        let subtask = format.subtasks.iter().find(|subtask| Some(&subtask.name) == group.subtask.as_ref());
        let name = interop::polygon_group_name(problem.require_package()?, &group.folder);
        subtasks.extend(subtask.zip(name).map(|(subtask, name)| Subtask { name, ..subtask.clone() }));
    }
    let is_left = |left: &&Subtask| !subtasks.iter().any(|known| known.span == left.span || known.name == left.name);
    let left: Vec<Subtask> = format.subtasks.iter().filter(is_left).cloned().collect();
    subtasks.extend(left);
    Ok(Format { subtasks, ..format.clone() })
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
            match validator.check_job(&job, &session.cancel) {
                Ok((refusal, _)) => refusal.map(|why| format!("it refuses the input: {why}")),
                Err(error) => Some(error.message().to_owned()),
            }
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
    if !judge.holds_conversation() {
        return Ok(match judge.judge_output(input, &answer, &answer, &session.cancel)? {
            Judgement::Failed(why) => Some(why),
            Judgement::Wrong(why) => Some(format!("it rejects the answer of the jury: {}", why.message)),
            Judgement::Accepted => None,
        });
    }
    let Some(reference) = package.reference_candidates().into_iter().next() else { return Ok(None) };
    let Ok((reference, _)) = compile_quietly(Some(package), &reference, session) else { return Ok(None) };
    let limits = choose_limits(&JudgeArgs::default(), Some(package)).0;
    let files = read_run_files(case.files.as_deref())?;
    let arguments: Vec<OsString> = case.arguments.iter().map(Into::into).collect();
    let request = JudgeRequest::new(input, &answer, &limits, &session.cancel);
    let request = JudgeRequest { arguments: &arguments, files: files.as_ref(), ..request };
    let result = judge.run_and_judge(&reference, &request)?;
    let rejected = result.mismatch.map(|why| format!("it rejects an accepted submission: {}", why.message));
    Ok(result.checker_failure.or(rejected))
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

// `rebut new`: makes packages that are complete from the start, to be changed step by step.

/// Letters of the problems of a contest.
const LABELS: &str = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";

pub(super) fn run_new(args: &NewArgs, session: &mut Session) -> Result<ExitStatus> {
    let folders: Vec<PathBuf> = match &args.contest {
        Some(contest) => args.names.iter().map(|name| contest.join(name)).collect(),
        None => args.names.clone(),
    };
    for folder in &folders {
        if folder.exists() {
            return Err(Error::usage_error(format!("`{}` exists already", folder.display())));
        }
        require_plain_name(folder)?;
    }
    let given = args.format.as_ref().map(|path| read_beginning(path, args.language, session)).transpose()?;
    if let Some(contest) = &args.contest {
        write_contest(contest, &args.names)?;
    }
    let from_format = given.as_ref().map(|(format, reader)| StarterExample {
        kind: "format",
        format,
        right: reader,
        wrong: None,
        extension: if args.language == NewLanguageArg::Python { "py" } else { "cpp" },
        finding: None,
        judge: None,
        is_interactive: false,
    });
    let of_kind = || EXAMPLES.into_iter().find(|example| args.kind.as_deref() == Some(example.kind));
    let example = from_format.or_else(of_kind);
    let mut text = String::new();
    for folder in &folders {
        let starter = Starter {
            title: title_from_name(&folder_name(folder)),
            language: match args.language {
                NewLanguageArg::Cpp => StarterLanguage::Cpp,
                NewLanguageArg::Python => StarterLanguage::Python,
            },
            dialect: match args.dialect {
                NewDialectArg::Legacy => StarterDialect::Legacy,
                NewDialectArg::V2025 => StarterDialect::V2025,
            },
            salt: format!("{:x}", random_seed()),
            example,
        };
        starter.make_files().write_folder(folder)?;
        // Writing to a string cannot fail.
        let _ = writeln!(text, "made {}", folder.display());
    }
    let all: Vec<String> = folders.iter().map(|folder| folder.display().to_string()).collect();
    let next = if example.is_some() { "build" } else { "verify" };
    let first = if given.is_some() { "solve the problem in submissions/accepted, then " } else { "" };
    let _ = writeln!(text, "next: {first}rebut {next} {}", all.join(" "));
    session.write_stdout_text(&text)?;
    Ok(ExitStatus::Success)
}

/// Reads the format that a new package begins with, and returns its text and the code that reads its input.
fn read_beginning(path: &Path, language: NewLanguageArg, session: &mut Session) -> Result<(String, String)> {
    let source = SourceText::new(path.display().to_string(), read_description(path)?);
    let (format, warnings) =
        Format::parse(&source).map_err(|problems| Error::from_diagnostics(source.clone(), problems))?;
    if let Some(program) = format.validators.iter().chain(&format.generators).next() {
        let message = format!("the format names `{}`, which is not copied to the package", program.command);
        let help = "leave that line out, and add the program to `input_validators/` or `generators/` later";
        return Err(Error::usage_error(message).with_help(help));
    }
    session.show_diagnostics(&warnings, &source);
    let language = match language {
        NewLanguageArg::Cpp => ReaderLanguage::Cpp,
        NewLanguageArg::Python => ReaderLanguage::Python,
    };
    let reader = generate_reader(&format, language, false)
        .map_err(|problem| Error::from_diagnostics(source.clone(), vec![problem]))?;
    Ok((String::from_utf8_lossy(&source.text).into_owned(), reader))
}

/// Writes the list of problems that tools for contests read: BAPCtools and DOMjudge.
fn write_contest(contest: &Path, names: &[PathBuf]) -> Result<()> {
    let list = contest.join("problems.yaml");
    if list.exists() {
        return Err(Error::usage_error(format!("`{}` exists already", list.display()))
            .with_help("without `--contest`, new packages are made in an existing contest"));
    }
    if names.len() > LABELS.len() {
        return Err(Error::usage_error(format!("a contest has at most {} problems", LABELS.len())));
    }
    let entries = names.iter().zip(LABELS.chars());
    let text: String =
        entries.map(|(name, label)| format!("- id: {}\n  label: {label}\n", folder_name(name))).collect();
    write_file(&list, text.as_bytes())
}

/// Returns an error if the name of a package has characters that judges refuse.
fn require_plain_name(folder: &Path) -> Result<()> {
    let name = folder_name(folder);
    let is_plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_');
    if !name.is_empty() && name.chars().all(is_plain) {
        return Ok(());
    }
    Err(Error::usage_error(format!("`{name}` is no name of a package"))
        .with_help("letters, digits, `-` and `_` are understood by every judge; the title is in `problem.yaml`"))
}

fn folder_name(folder: &Path) -> String {
    folder.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

/// Returns the title for a name: `two-sum` becomes `Two sum`.
fn title_from_name(name: &str) -> String {
    let words = name.replace(['-', '_'], " ");
    let mut characters = words.chars();
    characters.next().map_or_else(String::new, |first| first.to_uppercase().chain(characters).collect())
}

// `rebut import`: converts a package of another system.

/// Number of parent folders searched for headers shared by all problems of a repository.
const MAX_PARENT_FOLDERS: usize = 4;

pub(super) fn run_import(args: &ImportArgs, session: &mut Session) -> Result<ExitStatus> {
    session.begin_activity("Importing", args.source.display().to_string());
    let wrong = |flaw: interop::InteropError| flaw.into_error(&args.source);
    let source = if args.source.is_dir() {
        Bundle::read_folder(&args.source)?
    } else {
        interop::unpack_archive(&read_file(&args.source)?).map_err(wrong)?
    };
    let common = match find_common_folder(&args.source).filter(|_| interop::needs_common_headers(&source)) {
        Some(folder) => Bundle::read_folder(&folder)?,
        None => Bundle::default(),
    };
    let id = args.folder.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let imported = match has_loose_files(&args.source) {
        true => import_loose_folder(&args.source, &source, session)?,
        false => interop::import_package(&source, &common, &id).map_err(wrong)?,
    };
    session.check_interrupted()?;
    imported.contents.files.write_folder(&args.folder)?;
    imported.contents.notes.iter().for_each(|note| session.warn(note.clone()));
    session.write_stdout_text(&import_summary(&imported, &args.folder))?;
    Ok(ExitStatus::Success)
}

/// Returns true for a folder with a validator and without a description.
fn has_loose_files(folder: &Path) -> bool {
    let has = |name: &str| folder.join(name).is_file();
    has("validator.cpp") && !has("problem.xml") && !has("info.toml")
}

/// Imports a folder with a validator, solutions and samples.
fn import_loose_folder(folder: &Path, files: &Bundle, session: &mut Session) -> Result<ImportedPackage> {
    let inputs = InputArgs { problem: Some(folder.to_owned()), ..InputArgs::default() };
    let problem = ProblemContext::load_problem(&inputs, None, session)?;
    let package = problem.require_package()?;
    let text = problem.format.as_ref().map(|format| String::from_utf8_lossy(&format.source.text));
    // The validator that filters its inputs has another place in the package.
    let format = text.map(|text| text.replace("\"validator.cpp\"", "\"input_validators/validator/validator.cpp\""));
    let testlib = package.include.iter().map(|folder| folder.join("testlib.h")).find(|path| path.is_file());
    let testlib =
        testlib.or_else(|| session.builder.find_header("testlib.h")).map(|path| read_file(&path)).transpose()?;
    interop::import_loose_folder(package, files, format.as_deref(), testlib.as_deref())
        .map_err(|flaw| flaw.into_error(folder))
}

/// Returns the shared header folder of the repository that contains a problem.
fn find_common_folder(problem: &Path) -> Option<PathBuf> {
    let problem = std::path::absolute(problem).ok()?;
    let above = problem.ancestors().skip(1).take(MAX_PARENT_FOLDERS);
    above.map(|folder| folder.join("common")).find(|folder| folder.join("testlib.h").is_file())
}

fn import_summary(imported: &ImportedPackage, folder: &Path) -> String {
    let (tests, submissions) =
        (count_with_noun(imported.tests, "test case"), count_with_noun(imported.submissions, "submission"));
    let next = if imported.needs_build { "build" } else { "verify" };
    let folder = folder.display();
    format!("imported {}: {tests}, {submissions}\nnext: rebut {next} {folder}\n", imported.title)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn title_is_the_name_in_words() {
        assert_eq!(title_from_name("two-sum"), "Two sum");
        assert!(require_plain_name(Path::new("a/b-1")).is_ok());
        assert!(require_plain_name(Path::new("a b")).is_err() && require_plain_name(Path::new("/")).is_err());
    }
}
