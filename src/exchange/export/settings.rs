//! `problem.yaml` and `domjudge-problem.ini`.

use super::Kind;
use crate::corpus::{Judging, Package};
use crate::exchange::names::{quoted, seconds, uuid};
use crate::score::Scale;
use std::fmt::Write as _;

/// The text of `problem.yaml`.
pub(super) fn text(package: &Package, kind: Kind) -> String {
    let mut text = String::new();
    if kind == Kind::V2025 {
        text.push_str("problem_format_version: 2025-09\n");
    }
    titles(package, kind, &mut text);
    if kind == Kind::V2025 {
        let _ = writeln!(text, "type: {}", types(package.judging));
    } else {
        if package.judging.scoring {
            text.push_str("type: scoring\n");
        }
        let _ = writeln!(text, "validation: {}", validation(package));
        if !package.output_validator.arguments.is_empty() {
            let _ = writeln!(text, "validator_flags: {}", quoted(&package.output_validator.arguments.join(" ")));
        }
    }
    let title = package.titles.values().next().map_or("", String::as_str);
    let _ = writeln!(text, "uuid: {}", uuid(&[&package.id, title]));
    about(package, kind, &mut text);
    limits(package, kind, &mut text);
    text
}

fn titles(package: &Package, kind: Kind, text: &mut String) {
    let english = package.titles.get("en").or(package.titles.values().next()).unwrap_or(&package.id);
    // One title is what every reader of the legacy format understands; other languages have theirs in the statement.
    if kind.is_legacy() || package.titles.is_empty() {
        let _ = writeln!(text, "name: {}", quoted(english));
        return;
    }
    text.push_str("name:\n");
    for (language, title) in &package.titles {
        let _ = writeln!(text, "    {language}: {}", quoted(title));
    }
}

fn types(judging: Judging) -> String {
    let named = [
        ("scoring", judging.scoring),
        ("interactive", judging.interactive),
        ("multi-pass", judging.multi_pass),
        ("submit-answer", judging.submit_answer),
    ];
    let named: Vec<&str> = named.iter().filter(|(_, holds)| *holds).map(|(name, _)| *name).collect();
    match named.as_slice() {
        [] => "pass-fail".to_owned(),
        [one] => (*one).to_owned(),
        several => format!("[{}]", several.join(", ")),
    }
}

/// Whether the output validator gives the points of test cases.
fn gives_scores(package: &Package) -> bool {
    match &package.scale {
        Some(Scale::Graded(graded)) => graded.has_custom_scores,
        // Where points have no bound, nobody else can give them.
        Some(Scale::Pointed(pointed)) => {
            pointed.secret.most.is_none() || pointed.groups.iter().any(|group| group.most.is_none())
        }
        None => false,
    }
}

fn validation(package: &Package) -> String {
    let judging = package.judging;
    let mut words = vec![if package.output_validator.program.is_some() { "custom" } else { "default" }];
    if package.output_validator.program.is_some() {
        words.extend(judging.interactive.then_some("interactive"));
        words.extend(judging.multi_pass.then_some("multi-pass"));
        words.extend(gives_scores(package).then_some("score"));
    }
    words.join(" ")
}

/// Where it is from, and what may be done with it.
fn about(package: &Package, kind: Kind, text: &mut String) {
    let said = |key: &str| package.about.get(key).map(|value| quoted(value));
    let license = package.about.get("license").map_or("unknown", String::as_str);
    if kind == Kind::V2025 {
        if let Some(author) = said("author") {
            let _ = writeln!(text, "credits: {author}");
        }
        match (said("source"), said("source_url")) {
            (Some(name), Some(url)) => drop(writeln!(text, "source:\n    name: {name}\n    url: {url}")),
            (Some(name), None) => drop(writeln!(text, "source: {name}")),
            (None, _) => {}
        }
    } else {
        for key in ["author", "source", "source_url"] {
            if let Some(value) = said(key) {
                let _ = writeln!(text, "{key}: {value}");
            }
        }
    }
    if let Some(owner) = said("rights_owner") {
        let _ = writeln!(text, "rights_owner: {owner}");
    }
    let _ = writeln!(text, "license: {}", quoted(license));
}

fn limits(package: &Package, kind: Kind, text: &mut String) {
    let limits = &package.limits;
    let mut lines = String::new();
    if let (Some(ms), Kind::V2025) = (limits.cpu_time_ms, kind) {
        let _ = writeln!(lines, "    time_limit: {}", seconds(ms));
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
    lines.push_str(&factors([limits.ac_to_time_limit, limits.time_limit_to_tle], kind));
    if let Some(ms) = limits.validation_time_ms {
        let _ = writeln!(lines, "    validation_time: {}", ms.div_ceil(1000));
    }
    if package.judging.multi_pass {
        let _ = writeln!(lines, "    validation_passes: {}", limits.validation_passes);
    }
    if !lines.is_empty() {
        let _ = write!(text, "limits:\n{lines}");
    }
}

/// The factors by which a time limit is judged, unless they are those of a version: then every reader has its own.
fn factors(own: [f64; 2], kind: Kind) -> String {
    const OF_VERSIONS: [[f64; 2]; 2] = [[5.0, 2.0], [2.0, 1.5]];
    let [to_limit, to_tle] = own;
    match kind {
        _ if OF_VERSIONS.contains(&own) => String::new(),
        Kind::V2025 => format!(
            "    time_multipliers:\n        ac_to_time_limit: {to_limit}\n        time_limit_to_tle: {to_tle}\n"
        ),
        Kind::Legacy | Kind::Domjudge => format!("    time_multiplier: {to_limit}\n    time_safety_margin: {to_tle}\n"),
    }
}

/// The text of `domjudge-problem.ini`: the title and the time limit as this judge reads them.
pub(super) fn ini(package: &Package) -> String {
    let title = package.titles.get("en").or(package.titles.values().next()).unwrap_or(&package.id);
    let mut text = format!("name = '{}'\n", title.replace('\'', ""));
    if let Some(ms) = package.limits.cpu_time_ms {
        let _ = writeln!(text, "timelimit = '{}'", seconds(ms));
    }
    text
}
