//! Test cases, what holds for their groups, and what validators are to be tried on.

use super::{Exported, Kind, Source, points};
use crate::corpus::{Group, TestCase};
use crate::exchange::flaw::{Flaw, shown};
use crate::exchange::names::quoted;
use std::fmt::Write as _;

/// Files beside a test case that are shown to contestants, or hold arguments of its own.
const BESIDE: [&str; 8] = ["desc", "hint", "yaml", "png", "jpg", "svg", "statement.in", "statement.out"];

/// Folders of what validators are to be tried on.
const PROBES: [&str; 5] = ["invalid_input", "valid_input", "invalid_output", "valid_output", "invalid_answer"];

/// Writes everything below `data/`.
pub(super) fn write(source: &Source<'_>, kind: Kind, made: &mut Exported) -> Result<(), Flaw> {
    for case in &source.package.test_cases {
        write_case(source, case, kind, made)?;
    }
    if kind == Kind::Domjudge {
        if source.package.groups.iter().any(|group| !arguments(group).is_empty()) {
            made.note("arguments of single test groups are left out: DOMjudge has none");
        }
        if source.package.scale.is_some() {
            made.note("points are left out: DOMjudge has none");
        }
        return Ok(());
    }
    let points = match kind.reads(source.package.dialect) {
        true => points::Lines::new(),
        false => points::lines(source.package, kind, made),
    };
    for group in &source.package.groups {
        let points = points.get(&group.name).map_or("", String::as_str);
        write_group(source, group, kind, points, made)?;
    }
    if kind == Kind::V2025 {
        probes(source, made)?;
    }
    Ok(())
}

fn write_case(source: &Source<'_>, case: &TestCase, kind: Kind, made: &mut Exported) -> Result<(), Flaw> {
    let read = |path: &std::path::Path| source.inner(path).and_then(|path| source.files.get(&path));
    let place = format!("data/{}", case.name);
    let input = read(&case.input).ok_or_else(|| Flaw::at(&place, "has no input"))?;
    let answer = case.answer.as_deref().and_then(read).ok_or_else(|| {
        Flaw::at(&place, "has no answer").with_help("`rebut build` makes the answers of a package with a recipe")
    })?;
    let name = match (kind, case.name.split_once('/')) {
        (Kind::Domjudge, Some((folder, rest))) => format!("data/{folder}/{}", rest.replace('/', "-")),
        _ => place.clone(),
    };
    made.add(&format!("{name}.in"), input)?;
    made.add(&format!("{name}.ans"), answer)?;
    if case.files.is_some() || !case.arguments.is_empty() {
        made.note("files and arguments of single test cases are left out");
    }
    if kind.reads(source.package.dialect) {
        for ending in BESIDE {
            if let Some(bytes) = source.files.get(&format!("{place}.{ending}")) {
                made.add(&format!("{name}.{ending}"), bytes)?;
            }
        }
    }
    Ok(())
}

fn arguments(group: &Group) -> &[String] {
    if group.output_validator_arguments.is_empty() {
        &group.input_arguments.of_all
    } else {
        &group.output_validator_arguments
    }
}

fn write_group(source: &Source<'_>, group: &Group, kind: Kind, points: &str, made: &mut Exported) -> Result<(), Flaw> {
    let folder = if group.name.is_empty() { "data".to_owned() } else { format!("data/{}", group.name) };
    let own = if kind.is_legacy() { "testdata.yaml" } else { "test_group.yaml" };
    let path = format!("{folder}/{own}");
    if kind.reads(source.package.dialect) {
        return match source.files.get(&path) {
            Some(bytes) => made.add(&path, bytes),
            None => Ok(()),
        };
    }
    let arguments = &source.package.output_validator.arguments;
    let text = if kind.is_legacy() { legacy(group, arguments) } else { newer(group) } + points;
    if text.is_empty() { Ok(()) } else { made.add(&path, text) }
}

/// What a group says, in the legacy format.
fn legacy(group: &Group, whole: &[String]) -> String {
    let mut text = String::new();
    let flags = |arguments: &[String]| quoted(&arguments.join(" "));
    if !group.input_arguments.of_all.is_empty() {
        let _ = writeln!(text, "input_validator_flags: {}", flags(&group.input_arguments.of_all));
    }
    // Those of the whole problem stand in `problem.yaml`, and are put before these.
    let output = &group.output_validator_arguments;
    let output = output.strip_prefix(whole).unwrap_or(output);
    if !output.is_empty() {
        let _ = writeln!(text, "output_validator_flags: {}", flags(output));
    }
    text
}

/// The same in the version 2025-09, where the arguments for the whole problem are those of the outermost groups.
fn newer(group: &Group) -> String {
    let mut text = String::new();
    let list = |arguments: &[String]| {
        let arguments: Vec<String> = arguments.iter().map(|argument| quoted(argument)).collect();
        format!("[{}]", arguments.join(", "))
    };
    if !group.input_arguments.of_all.is_empty() {
        let _ = writeln!(text, "input_validator_args: {}", list(&group.input_arguments.of_all));
    }
    let output = &group.output_validator_arguments;
    // Only `sample` and `secret` may have such a file, and what is in them.
    if !output.is_empty() && !group.name.is_empty() {
        let _ = writeln!(text, "output_validator_args: {}", list(output));
    }
    text
}

/// Takes along what validators are to be tried on.
fn probes(source: &Source<'_>, made: &mut Exported) -> Result<(), Flaw> {
    for folder in PROBES {
        // Older packages write these names in the plural.
        for spelling in [folder.to_owned(), format!("{folder}s")] {
            for (path, bytes) in source.files.below(&format!("data/{spelling}")) {
                let target = format!("data/{folder}/{path}");
                if made.files.get(&target).is_some() {
                    made.note(format!("`{}` is there twice", shown(&target)));
                } else {
                    made.add(&target, bytes)?;
                }
            }
        }
    }
    Ok(())
}
