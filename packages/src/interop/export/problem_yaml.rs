//! Writers of `problem.yaml` and `domjudge-problem.ini`.

use super::ExportFormat;
use crate::interop::names::{derive_uuid, ms_to_seconds, quote_text};
use crate::score::Scoring;
use crate::{Package, ProblemType};
use std::fmt::Write as _;

/// Formats `problem.yaml`.
pub(super) fn problem_yaml_text(package: &Package, kind: ExportFormat) -> String {
    let mut text = String::new();
    if kind == ExportFormat::V2025 {
        text.push_str("problem_format_version: 2025-09\n");
    }
    write_titles(package, kind, &mut text);
    if kind == ExportFormat::V2025 {
        let _ = writeln!(text, "type: {}", problem_type_value(package.problem_type));
    } else {
        if package.problem_type.scoring {
            text.push_str("type: scoring\n");
        }
        let _ = writeln!(text, "validation: {}", validation_value(package));
        if !package.output_validator.arguments.is_empty() {
            let _ = writeln!(text, "validator_flags: {}", quote_text(&package.output_validator.arguments.join(" ")));
        }
    }
    let title = package.titles.values().next().map_or("", String::as_str);
    let _ = writeln!(text, "uuid: {}", derive_uuid(&[&package.id, title]));
    write_metadata(package, kind, &mut text);
    write_limits(package, kind, &mut text);
    text
}

fn write_titles(package: &Package, kind: ExportFormat, text: &mut String) {
    let english = package.titles.get("en").or(package.titles.values().next()).unwrap_or(&package.id);
    // Readers of the legacy format understand a single title. Titles in other languages are in the statement.
    if kind.is_legacy() || package.titles.is_empty() {
        let _ = writeln!(text, "name: {}", quote_text(english));
        return;
    }
    text.push_str("name:\n");
    for (language, title) in &package.titles {
        let _ = writeln!(text, "    {language}: {}", quote_text(title));
    }
}

fn problem_type_value(problem_type: ProblemType) -> String {
    let named = [
        ("scoring", problem_type.scoring),
        ("interactive", problem_type.interactive),
        ("multi-pass", problem_type.multi_pass),
        ("submit-answer", problem_type.submit_answer),
    ];
    let named: Vec<&str> = named.iter().filter(|(_, holds)| *holds).map(|(name, _)| *name).collect();
    match named.as_slice() {
        [] => "pass-fail".to_owned(),
        [one] => (*one).to_owned(),
        several => format!("[{}]", several.join(", ")),
    }
}

/// Returns true if the output validator gives the scores of test cases.
fn gives_scores(package: &Package) -> bool {
    match &package.scoring {
        Some(Scoring::Graders(grader_scoring)) => grader_scoring.has_custom_scores,
        // Without a maximum score, only the output validator can give scores.
        Some(Scoring::Aggregates(aggregate_scoring)) => {
            aggregate_scoring.secret.max_score.is_none()
                || aggregate_scoring.groups.iter().any(|group| group.max_score.is_none())
        }
        None => false,
    }
}

fn validation_value(package: &Package) -> String {
    let problem_type = package.problem_type;
    let mut words = vec![if package.output_validator.program.is_some() { "custom" } else { "default" }];
    if package.output_validator.program.is_some() {
        words.extend(problem_type.interactive.then_some("interactive"));
        words.extend(problem_type.multi_pass.then_some("multi-pass"));
        words.extend(gives_scores(package).then_some("score"));
    }
    words.join(" ")
}

/// Writes the origin and license.
fn write_metadata(package: &Package, kind: ExportFormat, text: &mut String) {
    let quoted = |key: &str| package.metadata.get(key).map(|value| quote_text(value));
    let license = package.metadata.get("license").map_or("unknown", String::as_str);
    if kind == ExportFormat::V2025 {
        if let Some(author) = quoted("author") {
            let _ = writeln!(text, "credits: {author}");
        }
        match (quoted("source"), quoted("source_url")) {
            (Some(name), Some(url)) => drop(writeln!(text, "source:\n    name: {name}\n    url: {url}")),
            (Some(name), None) => drop(writeln!(text, "source: {name}")),
            (None, _) => {}
        }
    } else {
        for key in ["author", "source", "source_url"] {
            if let Some(value) = quoted(key) {
                let _ = writeln!(text, "{key}: {value}");
            }
        }
    }
    if let Some(owner) = quoted("rights_owner") {
        let _ = writeln!(text, "rights_owner: {owner}");
    }
    let _ = writeln!(text, "license: {}", quote_text(license));
}

fn write_limits(package: &Package, kind: ExportFormat, text: &mut String) {
    let limits = &package.limits;
    let mut lines = String::new();
    if let (Some(ms), ExportFormat::V2025) = (limits.cpu_time_ms, kind) {
        let _ = writeln!(lines, "    time_limit: {}", ms_to_seconds(ms));
    }
    for (name, bytes, unit) in [
        ("memory", limits.memory_bytes, 20),
        ("output", limits.output_bytes, 20),
        ("code", limits.code_bytes, 10),
        ("validation_memory", limits.validation_memory_bytes, 20),
        ("validation_output", limits.validation_output_bytes, 20),
    ] {
        if let Some(bytes) = bytes {
            let _ = writeln!(lines, "    {name}: {}", (bytes >> unit).max(1));
        }
    }
    lines.push_str(&time_factor_lines([limits.ac_to_time_limit, limits.time_limit_to_tle], kind));
    if let Some(ms) = limits.validation_time_ms {
        let _ = writeln!(lines, "    validation_time: {}", ms.div_ceil(1000));
    }
    if package.problem_type.multi_pass {
        let _ = writeln!(lines, "    validation_passes: {}", limits.validation_passes);
    }
    if !lines.is_empty() {
        let _ = write!(text, "limits:\n{lines}");
    }
}

/// Formats the factors of the time limit, unless they are the defaults of a version: then each reader uses its own.
fn time_factor_lines(factors: [f64; 2], kind: ExportFormat) -> String {
    const DEFAULT_FACTORS: [[f64; 2]; 2] = [[5.0, 2.0], [2.0, 1.5]];
    let [to_limit, to_tle] = factors;
    match kind {
        _ if DEFAULT_FACTORS.contains(&factors) => String::new(),
        ExportFormat::V2025 => format!(
            "    time_multipliers:\n        ac_to_time_limit: {to_limit}\n        time_limit_to_tle: {to_tle}\n"
        ),
        ExportFormat::Legacy | ExportFormat::Domjudge => {
            format!("    time_multiplier: {to_limit}\n    time_safety_margin: {to_tle}\n")
        }
    }
}

/// Formats `domjudge-problem.ini`: the title and the time limit.
pub(super) fn domjudge_ini_text(package: &Package) -> String {
    let title = package.titles.get("en").or(package.titles.values().next()).unwrap_or(&package.id);
    let mut text = format!("name = '{}'\n", title.replace('\'', ""));
    if let Some(ms) = package.limits.cpu_time_ms {
        let _ = writeln!(text, "timelimit = '{}'", ms_to_seconds(ms));
    }
    text
}
