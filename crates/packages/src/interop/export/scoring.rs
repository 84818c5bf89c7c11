//! Conversion of scoring between dialects. Settings that the target cannot express are noted, with the group.

use super::ExportFormat;
use crate::Package;
use crate::interop::imported_package::{ConvertedPackage, quote_text, shorten_for_message};
use crate::score::{
    AggregateGroup, AggregateScoring, GraderGroup, GraderItem, GraderScoring, GroupAggregation, ScoreAggregation,
    Scoring,
};
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// The scoring lines of groups' files, by the names of the groups.
pub(super) type GroupYamlLines = BTreeMap<String, String>;

/// Converts the scoring of a package to the target's dialect.
pub(super) fn scoring_lines(package: &Package, kind: ExportFormat, exported: &mut ConvertedPackage) -> GroupYamlLines {
    match (&package.scoring, kind) {
        (None, _) | (_, ExportFormat::Domjudge) => GroupYamlLines::new(),
        (Some(Scoring::Aggregates(aggregate_scoring)), ExportFormat::V2025) => aggregate_lines(aggregate_scoring),
        (Some(Scoring::Aggregates(aggregate_scoring)), ExportFormat::Legacy) => {
            aggregate_to_grader_lines(aggregate_scoring, exported)
        }
        (Some(Scoring::Graders(grader_scoring)), ExportFormat::V2025) => {
            grader_to_aggregate_lines(grader_scoring, exported)
        }
        (Some(Scoring::Graders(grader_scoring)), ExportFormat::Legacy) => grader_lines(grader_scoring),
    }
}

fn aggregate_lines(scoring: &AggregateScoring) -> GroupYamlLines {
    let groups = [&scoring.secret].into_iter().chain(&scoring.groups);
    groups
        .map(|group| (group.name.clone(), aggregation_yaml(group.aggregation, group.max_score, &group.requires)))
        .collect()
}

/// Formats a group for the 2025-09 format.
fn aggregation_yaml(aggregation: GroupAggregation, max_score: Option<f64>, requires: &[String]) -> String {
    let max_score = max_score.map_or("unbounded".to_owned(), |max| max.to_string());
    let mut text = format!("max_score: {max_score}\nscore_aggregation: {}\n", aggregation.spelling());
    if !requires.is_empty() {
        let names: Vec<String> = requires.iter().map(|name| quote_text(name)).collect();
        let _ = writeln!(text, "require_pass: [{}]", names.join(", "));
    }
    text
}

fn grader_lines(scoring: &GraderScoring) -> GroupYamlLines {
    let lines = scoring.groups.iter().map(|group| {
        let mut text = format!("on_reject: {}\n", if group.stops_on_reject { "break" } else { "continue" });
        let _ = writeln!(text, "grading: {}", if group.is_custom { "custom" } else { "default" });
        let _ = writeln!(text, "grader_flags: {}", quote_text(&group.flags.join(" ")));
        let _ = writeln!(text, "accept_score: {}\nreject_score: {}", group.accept_score, group.reject_score);
        let _ = write!(text, "{}", range_line(Some(group.range.1), group.range.0));
        (group.name.clone(), text)
    });
    lines.collect()
}

/// Formats the range of a group's score, as far as it is finite.
fn range_line(max: Option<f64>, min: f64) -> String {
    match max.filter(|max| max.is_finite()) {
        Some(max) if min.is_finite() => format!("range: \"{min} {max}\"\n"),
        Some(max) => format!("range: \"-inf {max}\"\n"),
        None => String::new(),
    }
}

/// Converts to legacy graders. Every group is accepted, so that it keeps its own score.
fn aggregate_to_grader_lines(scoring: &AggregateScoring, exported: &mut ConvertedPackage) -> GroupYamlLines {
    for group in [&scoring.secret].into_iter().chain(&scoring.groups) {
        let name = shorten_for_message(&group.name);
        if !group.requires.is_empty() {
            exported.add_note(format!(
                "`{name}` gives points only if {} is passed, which graders cannot express: the condition is left out",
                group
                    .requires
                    .iter()
                    .map(|other| format!("`{}`", shorten_for_message(other)))
                    .collect::<Vec<_>>()
                    .join(" and ")
            ));
        }
        if group.static_case.is_some() {
            exported.add_note(format!("static validation of `{name}` is left out"));
        }
    }
    let mut lines = GroupYamlLines::new();
    let secret = &scoring.secret;
    let pass_fail_yaml = |flags: &str| format!("on_reject: continue\ngrader_flags: {flags}\n");
    lines.insert(String::new(), pass_fail_yaml("ignore_sample always_accept") + &range_line(secret.max_score, 0.0));
    lines.insert("sample".to_owned(), pass_fail_yaml("first_error"));
    let is_all_or_nothing = secret.aggregation == GroupAggregation::PassFail;
    if scoring.groups.is_empty() {
        lines.insert(secret.name.clone(), grader_yaml(secret, secret.max_score));
        return lines;
    }
    let aggregation = if secret.aggregation == GroupAggregation::Sum { "sum" } else { "min" };
    let text = format!(
        "on_reject: continue\ngrader_flags: always_accept {aggregation}\n{}",
        range_line(secret.max_score, 0.0)
    );
    lines.insert(secret.name.clone(), text);
    for group in &scoring.groups {
        // If each group gets the full score or nothing, so does their minimum.
        let max_score = if is_all_or_nothing { secret.max_score } else { group.max_score };
        lines.insert(group.name.clone(), grader_yaml(group, max_score));
    }
    lines
}

/// Formats the grader of a group of test cases.
fn grader_yaml(group: &AggregateGroup, max_score: Option<f64>) -> String {
    let (on_reject, flag, score) = match group.aggregation {
        GroupAggregation::PassFail => ("break", "min", max_score),
        GroupAggregation::Min => ("continue", "min", max_score),
        GroupAggregation::Sum => {
            ("continue", "sum", max_score.map(|max| (max - group.static_score) / group.cases.len().max(1) as f64))
        }
    };
    // Rounding can make a sum slightly larger.
    let sum: f64 =
        score.filter(|_| flag == "sum").map_or(0.0, |score| std::iter::repeat_n(score, group.cases.len()).sum());
    let max_score = max_score.map(|max| if sum > max { max + 1e-6 } else { max });
    let score = score.map_or(String::new(), |score| format!("accept_score: {score}\n"));
    format!("on_reject: {on_reject}\ngrader_flags: always_accept {flag}\n{score}{}", range_line(max_score, 0.0))
}

/// Converts legacy graders to aggregated scores.
fn grader_to_aggregate_lines(scoring: &GraderScoring, exported: &mut ConvertedPackage) -> GroupYamlLines {
    let mut lines = GroupYamlLines::new();
    let find = |name: &str| scoring.groups.iter().find(|group| group.name == name);
    let Some(secret) = find("secret") else { return lines };
    let is_part = |g: &&GraderGroup| g.name.strip_prefix("secret/").is_some_and(|rest| !rest.contains('/'));
    let parts: Vec<&GraderGroup> = scoring.groups.iter().filter(is_part).collect();
    for group in scoring.groups.iter().filter(|group| group.name.matches('/').count() > 1) {
        exported.add_note(format!(
            "`{}` is not exported as a group: it is inside another one",
            shorten_for_message(&group.name)
        ));
    }
    let of_samples = find("sample").filter(|sample| !sample.items.is_empty() && sample.accept_score != 0.0);
    if let (Some(data), Some(_)) = (find(""), of_samples)
        && !data.ignores_sample()
        && data.score_aggregation() == ScoreAggregation::Sum
    {
        exported.add_note("scores of samples are left out".to_owned());
    }
    if parts.is_empty() {
        let (aggregation, max_score) = convert_to_aggregation(secret, scoring, exported);
        lines.insert(secret.name.clone(), aggregation_yaml(aggregation, max_score, &[]));
        return lines;
    }
    let converted: Vec<(GroupAggregation, Option<f64>)> =
        parts.iter().map(|group| convert_to_aggregation(group, scoring, exported)).collect();
    let is_pass_fail = converted.iter().all(|(aggregation, _)| *aggregation == GroupAggregation::PassFail);
    let aggregation = match secret.score_aggregation() {
        _ if !secret.accepts_partial_failure() && is_pass_fail => GroupAggregation::PassFail,
        ScoreAggregation::Min => GroupAggregation::Min,
        _ => GroupAggregation::Sum,
    };
    if let Some(reason) = secret_loss_reason(secret, is_pass_fail) {
        exported.add_note(format!("`secret` {reason}: it is exported as `{}`", aggregation.spelling()));
    }
    let max_scores = converted.iter().map(|(_, max)| *max);
    let max_score = match secret.score_aggregation() {
        ScoreAggregation::Min => max_scores.reduce(|a, b| a.zip(b).map(|(a, b)| a.min(b))).flatten(),
        _ => max_scores.sum(),
    };
    lines.insert(secret.name.clone(), aggregation_yaml(aggregation, max_score, &[]));
    for (at, (group, (aggregation, max_score))) in parts.iter().zip(&converted).enumerate() {
        // A grader that stops at a rejected group gives nothing for later groups.
        let stops = secret.stops_on_reject && secret.accepts_partial_failure() && is_pass_fail;
        let earlier: Vec<String> = parts[..if stops { at } else { 0 }].iter().map(|part| part.name.clone()).collect();
        lines.insert(group.name.clone(), aggregation_yaml(*aggregation, *max_score, &earlier));
    }
    lines
}

/// Returns what the grader of `secret` does that the 2025-09 format cannot express.
fn secret_loss_reason(secret: &GraderGroup, is_pass_fail: bool) -> Option<&'static str> {
    match secret.score_aggregation() {
        _ if secret.is_custom => Some("has a custom grader"),
        ScoreAggregation::Average => Some("gives the average of its groups"),
        ScoreAggregation::Max => Some("gives only the points of its best group"),
        _ if !secret.accepts_partial_failure() && !is_pass_fail => Some("gives nothing if a group is not accepted"),
        _ if secret.stops_on_reject && secret.accepts_partial_failure() && !is_pass_fail => {
            Some("gives nothing for groups after one that is not accepted")
        }
        _ => None,
    }
}

/// Converts the grader of a group, exactly or as closely as possible.
fn convert_to_aggregation(
    group: &GraderGroup,
    scoring: &GraderScoring,
    exported: &mut ConvertedPackage,
) -> (GroupAggregation, Option<f64>) {
    let count = group.items.iter().filter(|item| matches!(item, GraderItem::Case(_))).count();
    let stated = Some(group.range.1).filter(|max| max.is_finite());
    let (accept, has_custom_scores) = (group.accept_score, scoring.has_custom_scores);
    let found = match (has_custom_scores, group.score_aggregation(), group.stops_on_reject && count > 1) {
        _ if group.is_custom => Err("has a custom grader"),
        _ if group.reject_score != 0.0 => Err("gives points for rejected test cases"),
        (false, ScoreAggregation::Min, _) => Ok((GroupAggregation::PassFail, Some(accept))),
        (false, ScoreAggregation::Sum, false) => Ok((GroupAggregation::Sum, Some(accept * count as f64))),
        (false, ScoreAggregation::Average, false) => Ok((GroupAggregation::Sum, Some(accept))),
        (true, ScoreAggregation::Min, _) => Ok((GroupAggregation::Min, stated)),
        (true, ScoreAggregation::Sum, false) => Ok((GroupAggregation::Sum, stated)),
        (_, ScoreAggregation::Max, _) => Err("gives only the points of its best test case"),
        (true, ScoreAggregation::Average, _) => Err("averages the scores of the output validator"),
        (_, _, true) => Err("adds up points until the first rejected test case"),
    };
    found.unwrap_or_else(|reason| {
        let max_score = stated.unwrap_or(accept);
        let aggregation = if has_custom_scores { GroupAggregation::Min } else { GroupAggregation::PassFail };
        exported.add_note(format!(
            "`{}` {reason}: it is exported as `{}`",
            shorten_for_message(&group.name),
            aggregation.spelling()
        ));
        (aggregation, Some(max_score))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn range_of_a_sum_has_room_only_for_what_rounding_adds() {
        for (max, cases, expected) in [(20.0, 2, "0 20"), (100.0, 7, "0 100.000001")] {
            let group = AggregateGroup {
                name: "secret/g1".to_owned(),
                cases: (0..cases).collect(),
                aggregation: GroupAggregation::Sum,
                max_score: Some(max),
                static_case: None,
                static_score: 0.0,
                requires: Vec::new(),
            };
            let text = grader_yaml(&group, Some(max));
            assert!(text.ends_with(&format!("range: \"{expected}\"\n")), "{text}");
        }
    }
}
