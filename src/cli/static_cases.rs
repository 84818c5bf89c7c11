//! The static validator of a package, and the sources of submissions passed to it.

use super::judges::{compile_judge_program, validation_limits};
use super::session::Session;
use rebut_checkers::{Checker, ExitCodeConvention};
use rebut_diagnostics::Result;
use rebut_engine::event::ProgramRole;
use rebut_engine::verify::{SubmissionSources, VerifiedCase};
use rebut_engine::{Judge, JudgeMode, JudgeProgram};
use rebut_packages::{Bundle, Package, PackageSubmission, StaticCase, language_code, read_file};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Returns the default entry point of a language, by its code. `None` means the file itself.
fn default_entry_point(code: &str) -> Option<&'static str> {
    match code {
        "java" => Some("Main"),
        "kotlin" => Some("MainKt"),
        "javascript" | "python3" => None,
        _ => Some(""),
    }
}

/// Returns the test cases that the static validator judges. They come after all others, which scoring relies on.
pub(super) fn static_cases(package: &Package, session: &mut Session) -> Result<Vec<VerifiedCase>> {
    let (Some(path), false) = (&package.static_validator, package.static_cases.is_empty()) else {
        return Ok(Vec::new());
    };
    let (program, identity) = compile_judge_program(Some(package), path, ProgramRole::Checker, session)?;
    let case = |asked: &StaticCase| VerifiedCase {
        name: asked.test_case_name(),
        input: PathBuf::new(),
        answer: PathBuf::new(),
        judge: Judge::Checker(Checker::default()),
        examiner: Some(Arc::new(JudgeProgram {
            program: program.clone(),
            convention: ExitCodeConvention::Kattis,
            arguments: asked.arguments.clone(),
            limits: validation_limits(package),
            mode: JudgeMode::Validator,
            max_passes: 1,
            gives_points: package.problem_type.scoring,
            identity: identity.clone(),
            name: path.display().to_string(),
        })),
        arguments: Vec::new(),
        files: None,
    };
    Ok(package.static_cases.iter().map(case).collect())
}

/// Returns the sources of a submission for the static validator, or `None` if the package has no static cases.
pub(super) fn submission_sources(
    package: &Package,
    submission: &PackageSubmission,
) -> Result<Option<SubmissionSources>> {
    if package.static_cases.is_empty() {
        return Ok(None);
    }
    let path = &submission.path;
    let own = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let mut files: Vec<(String, Vec<u8>)> = if path.is_dir() {
        Bundle::read_folder(path)?.iter().map(|(name, bytes)| (name.to_owned(), bytes.to_owned())).collect()
    } else {
        vec![(own.clone(), read_file(path)?)]
    };
    // A single file combined with included files is started as `__main__.py` or `main.js`; the validator sees the name
    // under which it was submitted.
    let is_file = Path::new(&own).extension().is_some_and(|ending| ending == "py" || ending == "py3" || ending == "js");
    let renamed = files.iter_mut().find(|(name, _)| is_file && (name == "__main__.py" || name == "main.js"));
    if let Some((name, _)) = renamed.filter(|_| path.is_dir()) {
        name.clone_from(&own);
    }
    let by_ending = files.iter().find_map(|(name, _)| Some((language_code(Path::new(name))?, name)));
    let code = by_ending.map_or("", |(code, _)| code);
    let has = |wanted: &str| files.iter().any(|(name, _)| name == wanted);
    let started = match by_ending.map(|(code, first)| (default_entry_point(code), first)) {
        Some((Some(started), _)) => started.to_owned(),
        Some(_) if has("__main__.py") => "__main__.py".to_owned(),
        Some(_) if has("main.js") => "main.js".to_owned(),
        Some(_) if has(&own) => own,
        Some((None, first)) => first.clone(),
        None => String::new(),
    };
    Ok(Some(SubmissionSources {
        language: submission.language.clone().unwrap_or_else(|| code.to_owned()),
        entry_point: submission.entry_point.clone().unwrap_or(started),
        files,
    }))
}
