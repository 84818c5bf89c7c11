//! Validators and graders. Other judges do not have rebut, so the format is exported as a stand-alone validator.

use super::{Export, ExportFormat, ExportSource, TESTLIB_HEADER};
use crate::interop::imported_package::{InteropError, file_extension, file_name, file_stem, shorten_for_message};
use crate::interop::python_validator::generate_python_validator;
use crate::package::{accepts_with_42, is_registered, is_testlib_validator};
use crate::score::Scoring;
use std::path::Path;

/// The source that calls a program written with testlib.
const TESTLIB_WRAPPER: &str = include_str!("testlib_wrapper.cpp");

/// The role of validators of inputs and answers in that source.
pub(super) const VALIDATOR_ROLE: &str = "VALIDATOR";

/// Words in the sources of output validators that give points.
const SCORE_WORDS: [&str; 4] = ["score.txt", "score_multiplier.txt", "quitp", "(_points"];

const CXX_EXTENSIONS: [&str; 5] = ["cc", "cpp", "cxx", "c++", "C"];

/// Writes the validators and the grader.
pub(super) fn write_validators(export: &mut Export<'_>) -> Result<(), InteropError> {
    let (source, kind) = (export.source, export.kind);
    if kind != ExportFormat::Domjudge {
        write_input_validators(export)?;
        for program in &source.package.answer_validators {
            let files = source.program_files(program);
            match program.file_stem() {
                Some(stem) if files.iter().any(|(_, bytes)| is_testlib_main(bytes, VALIDATOR_ROLE)) => {
                    let folder = format!("answer_validators/{}", stem.display());
                    write_program_files(export, files, &folder, VALIDATOR_ROLE)?;
                }
                _ => write_program(export, "answer_validators", program)?,
            }
        }
    } else if !source.package.input_validators.is_empty() || !source.package.answer_validators.is_empty() {
        export.out.add_note("validators of inputs and answers are left out: DOMjudge does not run them");
    }
    write_other_programs(export)?;
    let Some(program) = &source.package.output_validator.program else { return Ok(()) };
    let files = source.program_files(program);
    let gives_points = |(path, bytes): &(String, &[u8])| {
        let text = String::from_utf8_lossy(bytes);
        file_name(path) != TESTLIB_HEADER && SCORE_WORDS.iter().any(|word| text.contains(word))
    };
    let is_converted = kind == ExportFormat::Legacy && matches!(source.package.scoring, Some(Scoring::Aggregates(_)));
    if is_converted && files.iter().any(gives_points) {
        export.out.add_note(
            "the output validator gives points itself, which is left out: each accepted test case gives its full points",
        );
    }
    let folder = if kind.is_legacy() { "output_validators/validator" } else { "output_validator" };
    let role = if source.package.problem_type.interactive { "INTERACTOR" } else { "CHECKER" };
    write_program_files(export, files, folder, role)
}

/// Returns true for the main source of a program that is written with testlib. A validator need not register.
pub(super) fn is_testlib_main(text: &[u8], role: &str) -> bool {
    let text = String::from_utf8_lossy(text);
    is_registered(&text) || role == VALIDATOR_ROLE && is_testlib_validator(&text)
}

/// Writes the files of a program into a folder. A program written with testlib is wrapped, because other judges call it
/// by the convention of problem packages.
fn write_program_files(
    export: &mut Export<'_>,
    files: Vec<(String, &[u8])>,
    folder: &str,
    role: &str,
) -> Result<(), InteropError> {
    let source = export.source;
    let is_folder = files.iter().any(|(path, _)| path.contains('/'));
    let is_wrapped = files.iter().any(|(_, bytes)| accepts_with_42(&String::from_utf8_lossy(bytes)))
        || source.testlib_header().is_some_and(|bytes| accepts_with_42(&String::from_utf8_lossy(bytes)));
    for (path, bytes) in files {
        let below = if is_folder { path.split_once('/').map_or(path.as_str(), |(_, below)| below) } else { &path };
        let is_main = file_name(below) != TESTLIB_HEADER && is_testlib_main(bytes, role);
        if is_wrapped || !is_main || !CXX_EXTENSIONS.contains(&file_extension(below)) {
            export.out.add_file(&format!("{folder}/{below}"), bytes)?;
            continue;
        }
        let wrapped = format!("{below}.h");
        let points = source.package.problem_type.scoring.to_string();
        // The header comes before the names that the wrapper defines anew.
        let text = String::from_utf8_lossy(bytes);
        let includes = |line: &&str| line.trim_start().starts_with('#') && line.contains(TESTLIB_HEADER);
        let header = text.lines().find(includes).unwrap_or("#include \"testlib.h\"");
        let text = TESTLIB_WRAPPER.replace("@SOURCE@", file_name(&wrapped)).replace("@HEADER@", header);
        export.out.add_file(&format!("{folder}/{wrapped}"), bytes)?;
        let place = below.strip_suffix(file_name(below)).unwrap_or_default();
        let wrapper = format!("{folder}/{place}called_by_judges.cpp");
        export.out.add_file(&wrapper, text.replace("@ROLE@", role).replace("@POINTS@", &points))?;
        export.out.add_note(format!(
            "`{}` is written with testlib, so it is exported with a wrapper, `{}`",
            shorten_for_message(&path),
            shorten_for_message(&wrapper)
        ));
    }
    add_headers(export, folder)
}

/// Writes the static validator and the grader, if the target supports them.
fn write_other_programs(export: &mut Export<'_>) -> Result<(), InteropError> {
    let (source, kind) = (export.source, export.kind);
    let package = source.package;
    match &package.static_validator {
        Some(program) if kind == ExportFormat::V2025 => write_program(export, "static_validator", program)?,
        Some(_) => {
            export.out.add_note("the static validator is left out: only the 2025-09 format supports it".to_owned())
        }
        None => {}
    }
    match &package.grader {
        Some(program) if kind == ExportFormat::Legacy => write_program(export, "graders", program)?,
        Some(_) => export.out.add_note("the grader is left out: only the legacy format supports graders".to_owned()),
        None => {}
    }
    Ok(())
}

/// Copies a program into a folder, under its own name. If the program is that folder, copies its files.
fn write_program(export: &mut Export<'_>, folder: &str, program: &Path) -> Result<(), InteropError> {
    let source = export.source;
    for (path, bytes) in source.program_files(program) {
        let path = path.strip_prefix(&format!("{folder}/")).map_or(path.as_str(), |below| below);
        export.out.add_file(&format!("{folder}/{path}"), bytes)?;
    }
    add_headers(export, folder)
}

/// Returns the reason why the target does not support an input validator, or `None` if it does.
fn unsupported_reason(kind: ExportFormat, extension: &str, has_another: bool) -> Option<&'static str> {
    match extension {
        "rs" if kind == ExportFormat::V2025 => Some("the 2025-09 format supports validators in Python, C and C++"),
        "ctd" if has_another => Some("few tools support checktestdata"),
        _ => None,
    }
}

fn write_input_validators(export: &mut Export<'_>) -> Result<(), InteropError> {
    let (source, kind) = (export.source, export.kind);
    let python_validator = source.format.map(generate_python_validator);
    if let Some(validator) = &python_validator {
        export.out.add_file("input_validators/format.py", validator.text.as_str())?;
        for left in &validator.left_out {
            export.out.add_note(format!("the Python validator does not check: {}", shorten_for_message(left)));
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
            export.out.add_note(format!("the input validator `{name}` is left out: {reason}"));
            continue;
        }
        let is_folder = files.iter().any(|(path, _)| path.contains('/'));
        if is_folder || files.iter().any(|(_, bytes)| !find_headers(source, bytes).is_empty()) {
            let folder = if is_folder { &name } else { file_stem(&name) };
            write_program_files(export, files, &format!("input_validators/{folder}"), VALIDATOR_ROLE)?;
            continue;
        }
        for (path, bytes) in &files {
            export.out.add_file(&format!("input_validators/{path}"), *bytes)?;
        }
    }
    Ok(())
}

/// Copies headers of the package next to the programs that include them, because other judges do not search the same
/// folders.
fn add_headers(export: &mut Export<'_>, folder: &str) -> Result<(), InteropError> {
    let source = export.source;
    loop {
        let files = export.out.files.files_below(folder);
        let missing = files.flat_map(|(_, bytes)| find_headers(source, bytes));
        let Some((name, bytes)) =
            missing.into_iter().find(|(name, _)| export.out.files.get(&format!("{folder}/{name}")).is_none())
        else {
            return Ok(());
        };
        export.out.add_file(&format!("{folder}/{name}"), bytes)?;
    }
}

/// Returns the files of the package that a source includes by name.
fn find_headers<'a>(source: &ExportSource<'a>, text: &[u8]) -> Vec<(String, &'a [u8])> {
    let text = String::from_utf8_lossy(text);
    let included = text.lines().filter_map(|line| {
        let rest = line.trim_start().strip_prefix('#')?.trim_start().strip_prefix("include")?.trim_start();
        rest.strip_prefix(['"', '<'])?.split(['"', '>']).next().filter(|name| !name.is_empty() && !name.contains(".."))
    });
    let find = |name: &str| {
        let below = format!("/{name}");
        source.files.iter().find(|(path, _)| *path == name || path.ends_with(&below)).map(|(_, bytes)| bytes)
    };
    included.filter_map(|name| Some((name.to_owned(), find(name)?))).collect()
}
