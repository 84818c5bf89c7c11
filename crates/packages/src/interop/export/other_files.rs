//! Folders that the target has in the same form, and notes on everything that is left out.

use super::{Export, ExportFormat, ExportSource};
use crate::interop::imported_package::{ConvertedPackage, InteropError, file_name, shorten_for_message};
use crate::package::STATEMENT_FOLDERS;
use rebut_diagnostics::list_and;
use rebut_format::describe::{Markup, describe_format};
use std::collections::BTreeSet;

/// Files and folders that are converted, or reported where they are.
const CONVERTED_ENTRIES: [&str; 9] = [
    "problem.yaml",
    "domjudge-problem.ini",
    ".timelimit",
    "input.format",
    "testlib.h",
    "data",
    "statement",
    "problem_statement",
    super::COPIES_FOLDER,
];

const PROGRAM_FOLDERS: [&str; 10] = [
    "submissions",
    "input_validators",
    "input_validator",
    "input_format_validators",
    "answer_validators",
    "answer_format_validators",
    "output_validators",
    "output_validator",
    "static_validator",
    "graders",
];

/// Returns true if a file in a folder of programs is part of a program, which is exported or reported, or was copied
/// with one, like a header.
fn is_exported(source: &ExportSource<'_>, path: &str, exported: &ConvertedPackage) -> bool {
    let package = source.package;
    let validators = package.input_validators.iter().chain(&package.answer_validators);
    let others = package.output_validator.program.iter().chain(&package.static_validator).chain(&package.grader);
    // The paths of copies differ from those of their originals.
    let mut names = validators.chain(others).filter_map(|program| program.file_name()?.to_str());
    let is_submission = package.submissions.iter().any(|submission| {
        let below = path.strip_prefix("submissions/").and_then(|path| path.strip_prefix(&submission.name));
        below.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    });
    let is_copied = || exported.files.iter().any(|(other, _)| file_name(other) == file_name(path));
    path == "submissions/submissions.yaml"
        || path.contains("__pycache__/")
        || is_submission
        || names.any(|name| path.split('/').any(|part| part == name))
        || is_copied()
}

fn copied_folders(kind: ExportFormat) -> &'static [&'static str] {
    match kind {
        ExportFormat::Legacy => &["attachments", "include"],
        ExportFormat::V2025 => {
            &["attachments", "generators", "include", "input_visualizer", "output_visualizer", "solution"]
        }
        ExportFormat::Domjudge => &["attachments"],
    }
}

/// Returns true if the target adds the files of `include/` to submissions.
pub(super) fn has_include(kind: ExportFormat) -> bool {
    copied_folders(kind).contains(&"include")
}

/// Copies the folders that the target has, and names what else there is.
pub(super) fn copy_other_files(export: &mut Export<'_>) -> Result<(), InteropError> {
    let (source, kind) = (export.source, export.kind);
    let mut left_out = BTreeSet::new();
    for (path, bytes) in source.files.iter() {
        let top = path.split('/').next().unwrap_or_default();
        if copied_folders(kind).contains(&top) {
            // Version 2025-09 has constants itself.
            let text = std::str::from_utf8(bytes).ok().filter(|_| top == "include" && kind.is_legacy());
            let text = text.map(|text| source.package.constants.substitute_constants(text));
            export.out.add_file(path, text.map_or_else(|| bytes.to_vec(), String::into_bytes))?;
        } else if PROGRAM_FOLDERS.contains(&top) {
            if !is_exported(source, path, &export.out) {
                left_out.insert(format!("`{}`", shorten_for_message(path)));
            }
        } else if !CONVERTED_ENTRIES.contains(&top) && !top.starts_with('.') {
            let folder = if top == path { "" } else { "/" };
            left_out.insert(format!("`{}{folder}`", shorten_for_message(top)));
        }
    }
    let left_out: Vec<String> = left_out.into_iter().collect();
    match &left_out[..] {
        [] => {}
        [one] => export.out.add_note(format!("{one} is left out: it is not part of the target's format")),
        all => export.out.add_note(format!("{} are left out: they are not part of the target's format", list_and(all))),
    }
    if source.files.files_below("include").next().is_some() && !has_include(kind) {
        export.out.add_note(
            "DOMjudge adds no files to submissions: those of the package contain the files of `include/`, but what \
             contestants submit will not compile if it needs them",
        );
    }
    Ok(())
}

// The statement: the package's own, or a description of the input generated from its format.

pub(super) fn write_statement(export: &mut Export<'_>) -> Result<(), InteropError> {
    let (source, kind) = (export.source, export.kind);
    let target = if kind.is_legacy() { STATEMENT_FOLDERS[0] } else { STATEMENT_FOLDERS[1] };
    let mut has_statement = false;
    for folder in STATEMENT_FOLDERS {
        for (path, bytes) in source.files.files_below(folder) {
            let path = format!("{target}/{}", if path == "problem.tex" { "problem.en.tex" } else { path });
            if export.out.files.get(&path).is_none() {
                has_statement |= path.ends_with(".tex") || path.ends_with(".md");
                export.out.add_file(&path, bytes)?;
                if kind == ExportFormat::Legacy && path.ends_with(".md") {
                    let path = shorten_for_message(&path);
                    export.out.add_note(format!("`{path}` is in Markdown: tools for the legacy format read TeX only"));
                }
            }
        }
    }
    if has_statement {
        return Ok(());
    }
    export.out.add_note(match source.format {
        Some(_) => "there is no statement; a description of the input, generated from the format, is used instead",
        None => "there is no statement; the exported one has only the title",
    });
    let title = source.package.titles.get("en").or(source.package.titles.values().next());
    let title = title.unwrap_or(&source.package.id);
    let body = source.format.map(|format| describe_format(format, Markup::Latex)).unwrap_or_default();
    // Remove characters that are special in TeX.
    let plain = title.replace(['\\', '{', '}', '$', '%', '#', '&', '_', '^', '~'], " ");
    export.out.add_file(&format!("{target}/problem.en.tex"), format!("\\problemname{{{plain}}}\n\n{body}"))
}
