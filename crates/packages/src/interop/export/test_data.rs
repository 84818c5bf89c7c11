//! Test cases, settings of their groups, and probes of validators.

use super::problem_yaml::top_level_blocks;
use super::{Export, ExportFormat, ExportSource, scoring};
use crate::interop::imported_package::{ConvertedPackage, InteropError, file_name, quote_text, shorten_for_message};
use crate::package::{CASE_FILE_EXTENSIONS, GROUP_FILE_NAMES};
use crate::{TestCase, TestGroup};
use rebut_diagnostics::list_and;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

/// Extensions of the files beside input and answer that every target has, that only the legacy format has, and that only
/// version 2025-09 has.
const COMMON_CASE_EXTENSIONS: [&str; 5] = ["interaction", "png", "jpg", "jpeg", "svg"];

const LEGACY_CASE_EXTENSIONS: [&str; 2] = ["hint", "desc"];

const NEWER_CASE_EXTENSIONS: [&str; 6] =
    ["yaml", "in.statement", "ans.statement", "in.download", "ans.download", "out"];

/// Keys of groups that are not converted.
const LOST_GROUP_KEYS: [&str; 5] =
    ["args", "full_feedback", "input_visualizer_args", "output_visualizer_args", "static_validator_args"];

const PROBE_FOLDERS: [&str; 5] = ["invalid_input", "valid_input", "invalid_output", "valid_output", "invalid_answer"];

/// Writes everything below `data/`.
pub(super) fn write_test_data(export: &mut Export<'_>) -> Result<(), InteropError> {
    let (source, kind) = (export.source, export.kind);
    let mut written = BTreeSet::new();
    for case in &source.package.test_cases {
        write_case(export, case, &mut written)?;
    }
    if kind == ExportFormat::V2025 {
        copy_probes(export, &mut written)?;
    }
    note_left_out_files(source, &written, &mut export.out);
    if kind == ExportFormat::Domjudge {
        if source.package.groups.iter().any(|group| !group_arguments(group).is_empty()) {
            export.out.add_note("arguments of test groups are left out: DOMjudge does not support them");
        }
        if source.package.scoring.is_some() {
            export.out.add_note("points are left out: DOMjudge does not support them");
        }
        return Ok(());
    }
    let points = match kind.supports_dialect(source.package.dialect) {
        true => scoring::GroupYamlLines::new(),
        false => scoring::scoring_lines(source.package, kind, &mut export.out),
    };
    for group in &source.package.groups {
        let points = points.get(&group.name).map_or("", String::as_str);
        write_group(export, group, points)?;
    }
    Ok(())
}

fn write_case(export: &mut Export<'_>, case: &TestCase, written: &mut BTreeSet<String>) -> Result<(), InteropError> {
    let (source, kind) = (export.source, export.kind);
    let read = |path: &std::path::Path| source.relative_path(path).and_then(|path| source.files.get(&path));
    let case_path = format!("data/{}", case.name);
    let input = read(&case.input).ok_or_else(|| InteropError::at_location(&case_path, "has no input"))?;
    let answer = case.answer.as_deref().and_then(read).ok_or_else(|| {
        InteropError::at_location(&case_path, "has no answer")
            .with_help("run `rebut build` to generate the answers of a package with a recipe")
    })?;
    let name = match (kind, case.name.split_once('/')) {
        (ExportFormat::Domjudge, Some((folder, rest))) => format!("data/{folder}/{}", rest.replace('/', "-")),
        _ => case_path.clone(),
    };
    export.out.add_file(&format!("{name}.in"), input)?;
    export.out.add_file(&format!("{name}.ans"), answer)?;
    written.extend(["in", "ans"].map(|ending| format!("{case_path}.{ending}")));
    let others: &[&str] = match kind {
        ExportFormat::V2025 if kind.has_keys_of_dialect(source.package.dialect) => &NEWER_CASE_EXTENSIONS,
        ExportFormat::V2025 => &NEWER_CASE_EXTENSIONS[1..],
        ExportFormat::Legacy | ExportFormat::Domjudge => &LEGACY_CASE_EXTENSIONS,
    };
    for ending in COMMON_CASE_EXTENSIONS.iter().chain(others) {
        let path = format!("{case_path}.{ending}");
        if let Some(bytes) = source.files.get(&path) {
            export.out.add_file(&format!("{name}.{ending}"), bytes)?;
            written.insert(path);
        }
    }
    let files = format!("{case_path}.files");
    for (path, bytes) in source.files.files_below(&files).filter(|_| kind == ExportFormat::V2025) {
        export.out.add_file(&format!("{name}.files/{path}"), bytes)?;
        written.insert(format!("{files}/{path}"));
    }
    Ok(())
}

/// Names what is left out of `data`, by what it is.
fn note_left_out_files(source: &ExportSource<'_>, written: &BTreeSet<String>, exported: &mut ConvertedPackage) {
    let mut left_out: BTreeMap<String, Vec<&str>> = BTreeMap::new();
    for (path, _) in source.files.files_below("data") {
        let name = file_name(path);
        let folder = path.split('/').next().unwrap_or_default();
        if written.contains(&format!("data/{path}")) || GROUP_FILE_NAMES.contains(&name) || name.starts_with('.') {
            continue;
        }
        if !matches!(folder, "sample" | "secret") || folder == path {
            left_out.entry(format!("`data/{}`", shorten_for_message(folder))).or_default();
            continue;
        }
        let case_file = path.split_once(".files/").map(|(case, _)| (case, "files")).or_else(|| {
            let mut endings = CASE_FILE_EXTENSIONS.iter();
            endings.find_map(|ending| Some((path.strip_suffix(ending)?.strip_suffix('.')?, *ending)))
        });
        match case_file {
            Some((case, ending)) => left_out.entry(format!("`.{ending}`")).or_default().push(case),
            None => drop(left_out.entry(format!("`data/{}`", shorten_for_message(path))).or_default()),
        }
    }
    let describe = |(what, mut cases): (String, Vec<&str>)| {
        cases.dedup();
        match &cases[..] {
            [] => what,
            [one] => format!("{what} of `{}`", shorten_for_message(one)),
            [first, others @ ..] => format!("{what} of `{}` and {} more", shorten_for_message(first), others.len()),
        }
    };
    let left_out: Vec<String> = left_out.into_iter().map(describe).collect();
    if !left_out.is_empty() {
        exported.add_note(format!("left out, because the target has no such files: {}", list_and(&left_out)));
    }
}

fn group_arguments(group: &TestGroup) -> &[String] {
    if group.output_validator_arguments.is_empty() {
        &group.input_arguments.common
    } else {
        &group.output_validator_arguments
    }
}

fn write_group(export: &mut Export<'_>, group: &TestGroup, points: &str) -> Result<(), InteropError> {
    let (source, kind) = (export.source, export.kind);
    let folder = if group.name.is_empty() { "data".to_owned() } else { format!("data/{}", group.name) };
    let file_name = if kind.is_legacy() { "testdata.yaml" } else { "test_group.yaml" };
    let path = format!("{folder}/{file_name}");
    let own = GROUP_FILE_NAMES.map(|name| format!("{folder}/{name}"));
    let own = own.into_iter().find(|path| source.files.get(path).is_some());
    if kind.supports_dialect(source.package.dialect) {
        let bytes = own.and_then(|own| source.files.get(&own));
        return bytes.map_or(Ok(()), |bytes| export.out.add_file(&path, bytes));
    }
    if let Some(own) = own {
        let text = source.text(&own);
        let is_lost = |key: &&str| LOST_GROUP_KEYS.contains(key);
        let lost: Vec<String> =
            top_level_blocks(&text).into_keys().filter(is_lost).map(|key| format!("`{key}`")).collect();
        if !lost.is_empty() {
            export.out.add_note(format!("{} of `{}` is left out", list_and(&lost), shorten_for_message(&own)));
        }
    }
    let arguments = &source.package.output_validator.arguments;
    let text = if kind.is_legacy() { legacy_group_yaml(group, arguments) } else { newer_group_yaml(group) } + points;
    if text.is_empty() { Ok(()) } else { export.out.add_file(&path, text) }
}

/// Formats the file of a group for the legacy format.
fn legacy_group_yaml(group: &TestGroup, common: &[String]) -> String {
    let mut text = String::new();
    let flags = |arguments: &[String]| quote_text(&arguments.join(" "));
    if !group.input_arguments.common.is_empty() {
        let _ = writeln!(text, "input_validator_flags: {}", flags(&group.input_arguments.common));
    }
    // Those of the whole problem are in `problem.yaml`, and precede these.
    let output = &group.output_validator_arguments;
    let output = output.strip_prefix(common).unwrap_or(output);
    if !output.is_empty() {
        let _ = writeln!(text, "output_validator_flags: {}", flags(output));
    }
    text
}

/// Formats the file of a group for the 2025-09 format, in which the outermost groups carry the arguments of the whole
/// problem.
fn newer_group_yaml(group: &TestGroup) -> String {
    let mut text = String::new();
    let list = |arguments: &[String]| {
        let arguments: Vec<String> = arguments.iter().map(|argument| quote_text(argument)).collect();
        format!("[{}]", arguments.join(", "))
    };
    if !group.input_arguments.common.is_empty() {
        let _ = writeln!(text, "input_validator_args: {}", list(&group.input_arguments.common));
    }
    let output = &group.output_validator_arguments;
    // Such a file is allowed in `sample` and `secret` and below them only.
    if !output.is_empty() && !group.name.is_empty() {
        let _ = writeln!(text, "output_validator_args: {}", list(output));
    }
    text
}

fn copy_probes(export: &mut Export<'_>, written: &mut BTreeSet<String>) -> Result<(), InteropError> {
    let source = export.source;
    for folder in PROBE_FOLDERS {
        // Older packages use the plural of these names.
        for spelling in [folder.to_owned(), format!("{folder}s")] {
            for (path, bytes) in source.files.files_below(&format!("data/{spelling}")) {
                written.insert(format!("data/{spelling}/{path}"));
                let target = format!("data/{folder}/{path}");
                if export.out.files.get(&target).is_some() {
                    export.out.add_note(format!("`{}` exists twice", shorten_for_message(&target)));
                } else {
                    export.out.add_file(&target, bytes)?;
                }
            }
        }
    }
    Ok(())
}
