//! Writers of `problem.yaml` and `domjudge-problem.ini`.

use super::{Export, ExportFormat};
use crate::interop::imported_package::{InteropError, derive_uuid, ms_to_seconds, quote_text};
use crate::score::Scoring;
use crate::{Package, ProblemType};
use rebut_diagnostics::list_and;
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// Keys that are copied as they are between packages with the same keys.
const KEPT_NEWER_KEYS: [&str; 8] =
    ["version", "credits", "source", "keywords", "languages", "allow_file_writing", "embargo_until", "constants"];

const KEPT_LEGACY_KEYS: [&str; 5] = ["keywords", "languages", "grading", "objective", "libraries"];

/// Keys that are written anew, or have their contents elsewhere in the target.
const CONVERTED_KEYS: [&str; 14] = [
    "problem_format_version",
    "name",
    "title",
    "type",
    "validation",
    "validator_flags",
    "uuid",
    "author",
    "source",
    "source_url",
    "limits",
    "timelimit",
    "grading",
    "constants",
];

/// Keys below `credits` and `limits` without a counterpart in the legacy format, or that are not read.
const CREDIT_KEYS: [&str; 5] = ["contributors", "testers", "translators", "packagers", "acknowledgements"];

const UNREAD_LIMIT_KEYS: [&str; 3] = ["compilation_time", "compilation_memory", "time_resolution"];

/// Writes `problem.yaml`, and names the keys that are left out.
pub(super) fn write_problem_yaml(export: &mut Export<'_>) -> Result<(), InteropError> {
    let (source, kind) = (export.source, export.kind);
    let own = source.text("problem.yaml");
    let own = top_level_blocks(&own);
    let text = problem_yaml_text(source.package, &own, kind);
    let limits = own.get("limits").copied().unwrap_or_default();
    let written = top_level_blocks(&text);
    let is_lost = |key: &&str| !written.contains_key(key) && !CONVERTED_KEYS.contains(key) && **key != *"credits";
    let mut lost: Vec<String> = own.keys().copied().filter(is_lost).map(|key| format!("`{key}`")).collect();
    let credits = own.get("credits").filter(|_| !written.contains_key("credits")).copied().unwrap_or_default();
    lost.extend(CREDIT_KEYS.iter().filter(|key| credits.contains(**key)).map(|key| format!("`credits.{key}`")));
    let is_lost_limit = |key: &&&str| limits.contains(**key) && !text.contains(**key);
    lost.extend(UNREAD_LIMIT_KEYS.iter().filter(is_lost_limit).map(|key| format!("`limits.{key}`")));
    if !lost.is_empty() {
        export
            .out
            .add_note(format!("left out of `problem.yaml`, because the target has no such keys: {}", list_and(&lost)));
    }
    export.out.add_file("problem.yaml", text)
}

/// Returns the text of each top-level key of a YAML file.
pub(super) fn top_level_blocks(text: &str) -> BTreeMap<&str, &str> {
    let mut blocks = BTreeMap::new();
    let mut open: Option<(&str, usize)> = None;
    let mut at = 0;
    for line in text.split_inclusive('\n').chain([""]) {
        let key = line.split_once(':').map(|(key, _)| key).filter(|key| key.starts_with(|c: char| c.is_alphabetic()));
        if key.is_some() || line.is_empty() {
            blocks.extend(open.map(|(key, start)| (key, &text[start..at])));
            open = key.map(|key| (key.trim_end(), at));
        }
        at += line.len();
    }
    blocks
}

/// Formats `problem.yaml`. `own` has the keys of the package's file.
fn problem_yaml_text(package: &Package, own: &BTreeMap<&str, &str>, kind: ExportFormat) -> String {
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
    let uuid = package.metadata.get("uuid").cloned().unwrap_or_else(|| derive_uuid(&[&package.id, title]));
    let _ = writeln!(text, "uuid: {uuid}");
    let kept: &[&str] = if kind.is_legacy() { &KEPT_LEGACY_KEYS } else { &KEPT_NEWER_KEYS };
    let is_same = kind.has_keys_of_dialect(package.dialect);
    for block in kept.iter().filter(|_| is_same).filter_map(|key| own.get(key)) {
        let _ = writeln!(text, "{}", block.trim_end());
    }
    if !is_same {
        write_word_lists(package, kind, &mut text);
    }
    write_metadata(package, kind, &mut text);
    write_limits(package, kind, &mut text);
    let limits = own.get("limits").copied().unwrap_or_default();
    let unread = limits.lines().map(str::trim).filter(|line| {
        UNREAD_LIMIT_KEYS.iter().any(|key| line.starts_with(*key) && (*key != "time_resolution" || !kind.is_legacy()))
    });
    let unread: String = unread.map(|line| format!("    {line}\n")).collect();
    let head = if unread.is_empty() || text.contains("\nlimits:\n") { "" } else { "limits:\n" };
    text + head + &unread
}

/// Writes keywords and languages: lists in version 2025-09, words in the legacy format.
fn write_word_lists(package: &Package, kind: ExportFormat, text: &mut String) {
    for key in ["keywords", "languages"] {
        let Some(words) = package.metadata.get(key) else { continue };
        let _ = match kind {
            ExportFormat::V2025 if words == "all" => writeln!(text, "{key}: all"),
            ExportFormat::V2025 => {
                let words: Vec<String> = words.lines().map(quote_text).collect();
                writeln!(text, "{key}: [{}]", words.join(", "))
            }
            _ => {
                let words: Vec<String> = words.lines().map(|word| word.replace(' ', "-")).collect();
                writeln!(text, "{key}: {}", quote_text(&words.join(" ")))
            }
        };
    }
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
    let has = |text: &str, key: &str| top_level_blocks(text).contains_key(key);
    if kind == ExportFormat::V2025 {
        if let Some(author) = quoted("author").filter(|_| !has(text, "credits")) {
            let _ = writeln!(text, "credits: {author}");
        }
        match (quoted("source").filter(|_| !has(text, "source")), quoted("source_url")) {
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
