//! Validators and graders. Other judges do not have rebut, so the format is exported as a stand-alone validator.

use super::{ExportFormat, ExportSource};
use crate::interop::converted_package::ConvertedPackage;
use crate::interop::interop_error::{InteropError, shorten_for_message};
use crate::interop::names::{file_extension, file_name};
use crate::interop::python_validator::generate_python_validator;
use std::path::Path;

/// Writes the validators and the grader.
pub(super) fn write_validators(
    source: &ExportSource<'_>,
    kind: ExportFormat,
    exported: &mut ConvertedPackage,
) -> Result<(), InteropError> {
    if kind != ExportFormat::Domjudge {
        write_input_validators(source, kind, exported)?;
        for program in &source.package.answer_validators {
            write_program("answer_validators", program, source, exported)?;
        }
    }
    write_other_programs(source, kind, exported)?;
    let Some(program) = &source.package.output_validator.program else { return Ok(()) };
    let folder = if kind.is_legacy() { "output_validators/validator" } else { "output_validator" };
    let files = source.program_files(program);
    let is_folder = files.iter().any(|(path, _)| path.contains('/'));
    for (path, bytes) in files {
        let below = if is_folder { path.split_once('/').map_or(path.as_str(), |(_, below)| below) } else { &path };
        exported.add_file(&format!("{folder}/{below}"), bytes)?;
    }
    add_testlib_header(source, folder, exported)
}

/// Writes the static validator and the grader, if the target supports them.
fn write_other_programs(
    source: &ExportSource<'_>,
    kind: ExportFormat,
    exported: &mut ConvertedPackage,
) -> Result<(), InteropError> {
    let package = source.package;
    match &package.static_validator {
        Some(program) if kind == ExportFormat::V2025 => write_program("static_validator", program, source, exported)?,
        Some(_) => {
            exported.add_note("the static validator is left out: only the 2025-09 format supports it".to_owned())
        }
        None => {}
    }
    match &package.grader {
        Some(program) if kind == ExportFormat::Legacy => write_program("graders", program, source, exported)?,
        Some(_) => exported.add_note("the grader is left out: only the legacy format supports graders".to_owned()),
        None => {}
    }
    Ok(())
}

/// Copies a program into a folder, under its own name. If the program is that folder, copies its files.
fn write_program(
    folder: &str,
    program: &Path,
    source: &ExportSource<'_>,
    exported: &mut ConvertedPackage,
) -> Result<(), InteropError> {
    for (path, bytes) in source.program_files(program) {
        let path = path.strip_prefix(&format!("{folder}/")).map_or(path.as_str(), |below| below);
        exported.add_file(&format!("{folder}/{path}"), bytes)?;
    }
    add_testlib_header(source, folder, exported)
}

/// Returns the reason why the target does not support an input validator, or `None` if it does.
fn unsupported_reason(kind: ExportFormat, extension: &str, has_another: bool) -> Option<&'static str> {
    match extension {
        "rs" if kind == ExportFormat::V2025 => Some("the 2025-09 format supports validators in Python, C and C++"),
        "ctd" if has_another => Some("few tools support checktestdata"),
        _ => None,
    }
}

fn write_input_validators(
    source: &ExportSource<'_>,
    kind: ExportFormat,
    exported: &mut ConvertedPackage,
) -> Result<(), InteropError> {
    let python_validator = source.format.and_then(generate_python_validator);
    if source.format.is_some() && python_validator.is_none() {
        exported.add_note("no Python validator is generated: the format repeats groups on one line".to_owned());
    }
    if let Some(validator) = &python_validator {
        exported.add_file("input_validators/format.py", validator.text.as_str())?;
        for left in &validator.left_out {
            exported.add_note(format!("the Python validator does not check: {}", shorten_for_message(left)));
        }
    }
    for program in &source.package.input_validators {
        let files = source.program_files(program);
        let name = program.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        if let Some(reason) = files
            .iter()
            .find_map(|(path, _)| unsupported_reason(kind, file_extension(path), python_validator.is_some()))
        {
            let name = shorten_for_message(&name);
            exported.add_note(format!("the input validator `{name}` is left out: {reason}"));
            continue;
        }
        let is_folder = files.iter().any(|(path, _)| path.contains('/'));
        for (path, bytes) in &files {
            exported.add_file(&format!("input_validators/{path}"), *bytes)?;
        }
        if is_folder {
            add_testlib_header(source, &format!("input_validators/{name}"), exported)?;
        }
    }
    Ok(())
}

/// Copies `testlib.h` next to programs that include it, because other judges do not search the same folders.
fn add_testlib_header(
    source: &ExportSource<'_>,
    folder: &str,
    exported: &mut ConvertedPackage,
) -> Result<(), InteropError> {
    const TESTLIB_HEADER: &str = "testlib.h";
    let path = format!("{folder}/{TESTLIB_HEADER}");
    let includes = |bytes: &[u8]| bytes.windows(TESTLIB_HEADER.len()).any(|window| window == TESTLIB_HEADER.as_bytes());
    let is_needed =
        exported.files.files_below(folder).any(|(_, bytes)| includes(bytes)) && exported.files.get(&path).is_none();
    let found = source.files.iter().find(|(path, _)| file_name(path) == TESTLIB_HEADER);
    match found.filter(|_| is_needed) {
        Some((_, bytes)) => exported.add_file(&path, bytes),
        None => Ok(()),
    }
}
