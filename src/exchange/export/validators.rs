//! Programs of the jury. Not every judge has rebut, so the format becomes a validator of its own.

use super::{Exported, Kind, Source};
use crate::exchange::flaw::{Flaw, shown};
use crate::exchange::names::{extension, file_name};
use crate::exchange::validator::python_validator;
use std::path::Path;

/// Writes input validators and the output validator.
pub(super) fn write(source: &Source<'_>, kind: Kind, made: &mut Exported) -> Result<(), Flaw> {
    if kind != Kind::Domjudge {
        input_validators(source, kind, made)?;
        for program in &source.package.answer_validators {
            program_into("answer_validators", program, source, made)?;
        }
    }
    other_programs(source, kind, made)?;
    let Some(program) = &source.package.output_validator.program else { return Ok(()) };
    let folder = if kind.is_legacy() { "output_validators/validator" } else { "output_validator" };
    let files = source.program(program);
    let is_folder = files.iter().any(|(path, _)| path.contains('/'));
    for (path, bytes) in files {
        let below = if is_folder { path.split_once('/').map_or(path.as_str(), |(_, below)| below) } else { &path };
        made.add(&format!("{folder}/{below}"), bytes)?;
    }
    headers(source, folder, made)
}

/// The static validator and the grader, where there are readers for them.
fn other_programs(source: &Source<'_>, kind: Kind, made: &mut Exported) -> Result<(), Flaw> {
    let package = source.package;
    match &package.static_validator {
        Some(program) if kind == Kind::V2025 => program_into("static_validator", program, source, made)?,
        Some(_) => made.note("the static validator is left out: the version 2025-09 alone has one".to_owned()),
        None => {}
    }
    match &package.grader {
        Some(program) if kind == Kind::Legacy => program_into("graders", program, source, made)?,
        Some(_) => made.note("the grader is left out: the legacy format alone has graders".to_owned()),
        None => {}
    }
    Ok(())
}

/// Puts a program into a folder, under its own name; where it is that folder, its files.
fn program_into(folder: &str, program: &Path, source: &Source<'_>, made: &mut Exported) -> Result<(), Flaw> {
    for (path, bytes) in source.program(program) {
        let path = path.strip_prefix(&format!("{folder}/")).map_or(path.as_str(), |below| below);
        made.add(&format!("{folder}/{path}"), bytes)?;
    }
    headers(source, folder, made)
}

/// Why the readers do not take an input validator; none if they do.
fn refused(kind: Kind, extension: &str, has_another: bool) -> Option<&'static str> {
    match extension {
        "rs" if kind == Kind::V2025 => Some("that version knows validators in Python, C and C++"),
        "ctd" if has_another => Some("few tools take one in its language"),
        _ => None,
    }
}

fn input_validators(source: &Source<'_>, kind: Kind, made: &mut Exported) -> Result<(), Flaw> {
    let written = source.format.and_then(python_validator);
    if source.format.is_some() && written.is_none() {
        made.note("no validator in Python is made: the format repeats groups on one line".to_owned());
    }
    if let Some(validator) = &written {
        made.add("input_validators/format.py", validator.text.as_str())?;
        for left in &validator.left_out {
            made.note(format!("the validator in Python cannot say: {}", shown(left)));
        }
    }
    for program in &source.package.input_validators {
        let files = source.program(program);
        let name = program.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        if let Some(why) = files.iter().find_map(|(path, _)| refused(kind, extension(path), written.is_some())) {
            let name = shown(&name);
            made.note(format!("the input validator `{name}` is left out: {why}"));
            continue;
        }
        let is_folder = files.iter().any(|(path, _)| path.contains('/'));
        for (path, bytes) in &files {
            made.add(&format!("input_validators/{path}"), *bytes)?;
        }
        if is_folder {
            headers(source, &format!("input_validators/{name}"), made)?;
        }
    }
    Ok(())
}

/// Puts `testlib.h` beside what includes it: not every judge looks for it where ours do.
fn headers(source: &Source<'_>, folder: &str, made: &mut Exported) -> Result<(), Flaw> {
    const HEADER: &str = "testlib.h";
    let path = format!("{folder}/{HEADER}");
    let includes = |bytes: &[u8]| bytes.windows(HEADER.len()).any(|window| window == HEADER.as_bytes());
    let is_wanted = made.files.below(folder).any(|(_, bytes)| includes(bytes)) && made.files.get(&path).is_none();
    let found = source.files.iter().find(|(path, _)| file_name(path) == HEADER);
    match found.filter(|_| is_wanted) {
        Some((_, bytes)) => made.add(&path, bytes),
        None => Ok(()),
    }
}
