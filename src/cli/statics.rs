//! The static validator of a package, and submissions as it is shown them.

use super::desk::Desk;
use super::jury::{compiled, validation_limits};
use crate::campaign::verify::{Case, Sources};
use crate::campaign::{JuryProgram, Manner, Referee, Role};
use crate::corpus::{Bundle, Package, StaticCase, Submission, language_code, read_file};
use crate::diagnostic::Result;
use rebut_checkers::{Checker, Convention};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// What is started in a language, by its code, where nobody says it: a name, or else the file.
fn started_in(code: &str) -> Option<&'static str> {
    match code {
        "java" => Some("Main"),
        "kotlin" => Some("MainKt"),
        "javascript" | "python3" => None,
        _ => Some(""),
    }
}

/// The test cases that are questions to the static validator. They come after all others, as scores count on.
pub(super) fn cases(package: &Package, desk: &mut Desk) -> Result<Vec<Case>> {
    let (Some(path), false) = (&package.static_validator, package.static_cases.is_empty()) else {
        return Ok(Vec::new());
    };
    let (program, identity) = compiled(Some(package), path, Role::Checker, desk)?;
    let case = |asked: &StaticCase| Case {
        name: asked.name(),
        input: PathBuf::new(),
        answer: PathBuf::new(),
        referee: Referee::Checker(Checker::default()),
        examiner: Some(Arc::new(JuryProgram {
            program: program.clone(),
            convention: Convention::Kattis,
            arguments: asked.arguments.clone(),
            limits: validation_limits(package),
            manner: Manner::Checks,
            most_passes: 1,
            gives_points: package.judging.scoring,
            identity: identity.clone(),
            name: path.display().to_string(),
        })),
        arguments: Vec::new(),
    };
    Ok(package.static_cases.iter().map(case).collect())
}

/// What the static validator is shown of a submission; nothing if it is asked nothing.
pub(super) fn sources(package: &Package, submission: &Submission) -> Result<Option<Sources>> {
    if package.static_cases.is_empty() {
        return Ok(None);
    }
    let path = &submission.path;
    let own = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let mut files: Vec<(String, Vec<u8>)> = if path.is_dir() {
        Bundle::read(path)?.iter().map(|(name, bytes)| (name.to_owned(), bytes.to_owned())).collect()
    } else {
        vec![(own.clone(), read_file(path)?)]
    };
    // A file that is started among files that were added to it: whoever looks at it is shown what was handed in.
    let is_file = Path::new(&own).extension().is_some_and(|ending| ending == "py" || ending == "py3" || ending == "js");
    let renamed = files.iter_mut().find(|(name, _)| is_file && (name == "__main__.py" || name == "main.js"));
    if let Some((name, _)) = renamed.filter(|_| path.is_dir()) {
        name.clone_from(&own);
    }
    let by_ending = files.iter().find_map(|(name, _)| Some((language_code(Path::new(name))?, name)));
    let code = by_ending.map_or("", |(code, _)| code);
    let has = |wanted: &str| files.iter().any(|(name, _)| name == wanted);
    let started = match by_ending.map(|(code, first)| (started_in(code), first)) {
        Some((Some(started), _)) => started.to_owned(),
        Some(_) if has("__main__.py") => "__main__.py".to_owned(),
        Some(_) if has("main.js") => "main.js".to_owned(),
        Some(_) if has(&own) => own,
        Some((None, first)) => first.clone(),
        None => String::new(),
    };
    Ok(Some(Sources {
        language: submission.language.clone().unwrap_or_else(|| code.to_owned()),
        entry_point: submission.entry_point.clone().unwrap_or(started),
        files,
    }))
}
