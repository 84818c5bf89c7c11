//! Test cases, settings of their groups, and probes of validators.

use super::{ExportFormat, ExportSource, scoring};
use crate::interop::converted_package::ConvertedPackage;
use crate::interop::interop_error::{InteropError, shorten_for_message};
use crate::interop::names::quote_text;
use crate::{TestCase, TestGroup};
use std::fmt::Write as _;

/// Extensions of extra files of a test case: shown to contestants, or with arguments.
const COPIED_CASE_EXTENSIONS: [&str; 8] =
    ["desc", "hint", "yaml", "png", "jpg", "svg", "statement.in", "statement.out"];

/// Folders of probes.
const PROBE_FOLDERS: [&str; 5] = ["invalid_input", "valid_input", "invalid_output", "valid_output", "invalid_answer"];

/// Writes everything below `data/`.
pub(super) fn write_test_data(
    source: &ExportSource<'_>,
    kind: ExportFormat,
    exported: &mut ConvertedPackage,
) -> Result<(), InteropError> {
    for case in &source.package.test_cases {
        write_case(source, case, kind, exported)?;
    }
    if kind == ExportFormat::Domjudge {
        if source.package.groups.iter().any(|group| !group_arguments(group).is_empty()) {
            exported.add_note("arguments of test groups are left out: DOMjudge does not support them");
        }
        if source.package.scoring.is_some() {
            exported.add_note("points are left out: DOMjudge does not support them");
        }
        return Ok(());
    }
    let points = match kind.supports_dialect(source.package.dialect) {
        true => scoring::GroupYamlLines::new(),
        false => scoring::scoring_lines(source.package, kind, exported),
    };
    for group in &source.package.groups {
        let points = points.get(&group.name).map_or("", String::as_str);
        write_group(source, group, kind, points, exported)?;
    }
    if kind == ExportFormat::V2025 {
        copy_probes(source, exported)?;
    }
    Ok(())
}

fn write_case(
    source: &ExportSource<'_>,
    case: &TestCase,
    kind: ExportFormat,
    exported: &mut ConvertedPackage,
) -> Result<(), InteropError> {
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
    exported.add_file(&format!("{name}.in"), input)?;
    exported.add_file(&format!("{name}.ans"), answer)?;
    if case.files.is_some() || !case.arguments.is_empty() {
        exported.add_note("files and arguments of single test cases are left out");
    }
    if kind.supports_dialect(source.package.dialect) {
        for ending in COPIED_CASE_EXTENSIONS {
            if let Some(bytes) = source.files.get(&format!("{case_path}.{ending}")) {
                exported.add_file(&format!("{name}.{ending}"), bytes)?;
            }
        }
    }
    Ok(())
}

fn group_arguments(group: &TestGroup) -> &[String] {
    if group.output_validator_arguments.is_empty() {
        &group.input_arguments.common
    } else {
        &group.output_validator_arguments
    }
}

fn write_group(
    source: &ExportSource<'_>,
    group: &TestGroup,
    kind: ExportFormat,
    points: &str,
    exported: &mut ConvertedPackage,
) -> Result<(), InteropError> {
    let folder = if group.name.is_empty() { "data".to_owned() } else { format!("data/{}", group.name) };
    let file_name = if kind.is_legacy() { "testdata.yaml" } else { "test_group.yaml" };
    let path = format!("{folder}/{file_name}");
    if kind.supports_dialect(source.package.dialect) {
        return match source.files.get(&path) {
            Some(bytes) => exported.add_file(&path, bytes),
            None => Ok(()),
        };
    }
    let arguments = &source.package.output_validator.arguments;
    let text = if kind.is_legacy() { legacy_group_yaml(group, arguments) } else { newer_group_yaml(group) } + points;
    if text.is_empty() { Ok(()) } else { exported.add_file(&path, text) }
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

/// Copies the probes.
fn copy_probes(source: &ExportSource<'_>, exported: &mut ConvertedPackage) -> Result<(), InteropError> {
    for folder in PROBE_FOLDERS {
        // Older packages use the plural of these names.
        for spelling in [folder.to_owned(), format!("{folder}s")] {
            for (path, bytes) in source.files.files_below(&format!("data/{spelling}")) {
                let target = format!("data/{folder}/{path}");
                if exported.files.get(&target).is_some() {
                    exported.add_note(format!("`{}` exists twice", shorten_for_message(&target)));
                } else {
                    exported.add_file(&target, bytes)?;
                }
            }
        }
    }
    Ok(())
}
