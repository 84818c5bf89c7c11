//! How points come about, as the readers of another dialect understand it. What they cannot be told is noted, with the group.

use super::{Exported, Kind};
use crate::corpus::Package;
use crate::exchange::flaw::shown;
use crate::exchange::names::quoted;
use crate::score::{Aggregation, Graded, GradedGroup, Item, OfScores, Pointed, PointedGroup, Scale};
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// What is said of points in the files of groups, by the groups' names.
pub(super) type Lines = BTreeMap<String, String>;

/// What these readers are told of the points of a package that is written in another dialect.
pub(super) fn lines(package: &Package, kind: Kind, made: &mut Exported) -> Lines {
    match (&package.scale, kind) {
        (None, _) | (_, Kind::Domjudge) => Lines::new(),
        (Some(Scale::Pointed(pointed)), Kind::V2025) => pointed_lines(pointed),
        (Some(Scale::Pointed(pointed)), Kind::Legacy) => graders_of(pointed, made),
        (Some(Scale::Graded(graded)), Kind::V2025) => points_of(graded, made),
        (Some(Scale::Graded(graded)), Kind::Legacy) => graded_lines(graded),
    }
}

fn pointed_lines(pointed: &Pointed) -> Lines {
    let groups = [&pointed.secret].into_iter().chain(&pointed.groups);
    groups.map(|group| (group.name.clone(), newer(group.aggregation, group.most, &group.requires))).collect()
}

/// A group in the version 2025-09.
fn newer(aggregation: Aggregation, most: Option<f64>, requires: &[String]) -> String {
    let most = most.map_or("unbounded".to_owned(), |most| most.to_string());
    let mut text = format!("max_score: {most}\nscore_aggregation: {}\n", aggregation.word());
    if !requires.is_empty() {
        let names: Vec<String> = requires.iter().map(|name| quoted(name)).collect();
        let _ = writeln!(text, "require_pass: [{}]", names.join(", "));
    }
    text
}

fn graded_lines(graded: &Graded) -> Lines {
    let lines = graded.groups.iter().map(|group| {
        let mut text = format!("on_reject: {}\n", if group.stops { "break" } else { "continue" });
        let _ = writeln!(text, "grading: {}", if group.is_custom { "custom" } else { "default" });
        let _ = writeln!(text, "grader_flags: {}", quoted(&group.flags.join(" ")));
        let _ = writeln!(text, "accept_score: {}\nreject_score: {}", group.accept_score, group.reject_score);
        let _ = write!(text, "{}", range(Some(group.range.1), group.range.0));
        (group.name.clone(), text)
    });
    lines.collect()
}

/// Between which scores that of a folder lies, where that is finite.
fn range(most: Option<f64>, least: f64) -> String {
    match most.filter(|most| most.is_finite()) {
        Some(most) if least.is_finite() => format!("range: \"{least} {most}\"\n"),
        Some(most) => format!("range: \"-inf {most}\"\n"),
        None => String::new(),
    }
}

/// Points as graders make them: every folder is accepted, so that each has the points that it has.
fn graders_of(pointed: &Pointed, made: &mut Exported) -> Lines {
    for group in [&pointed.secret].into_iter().chain(&pointed.groups) {
        let name = shown(&group.name);
        if !group.requires.is_empty() {
            made.note(format!(
                "`{name}` gives points only if {} is passed: that is left out, for graders do not know of it",
                group.requires.iter().map(|other| format!("`{}`", shown(other))).collect::<Vec<_>>().join(" and ")
            ));
        }
        if group.static_case.is_some() {
            made.note(format!("what `{name}` asks the static validator is left out"));
        }
    }
    let mut lines = Lines::new();
    let secret = &pointed.secret;
    let whole = |words: &str| format!("on_reject: continue\ngrader_flags: {words}\n");
    lines.insert(String::new(), whole("ignore_sample always_accept") + &range(secret.most, 0.0));
    lines.insert("sample".to_owned(), whole("first_error"));
    let is_all_or_nothing = secret.aggregation == Aggregation::PassFail;
    if pointed.groups.is_empty() {
        lines.insert(secret.name.clone(), grader(secret, secret.most));
        return lines;
    }
    let word = if secret.aggregation == Aggregation::Sum { "sum" } else { "min" };
    let text = format!("on_reject: continue\ngrader_flags: always_accept {word}\n{}", range(secret.most, 0.0));
    lines.insert(secret.name.clone(), text);
    for group in &pointed.groups {
        // All or nothing of all groups is the least of them, if each has all of it.
        let most = if is_all_or_nothing { secret.most } else { group.most };
        lines.insert(group.name.clone(), grader(group, most));
    }
    lines
}

/// The grader of a group of test cases.
fn grader(group: &PointedGroup, most: Option<f64>) -> String {
    let (on_reject, word, score) = match group.aggregation {
        Aggregation::PassFail => ("break", "min", most),
        Aggregation::Min => ("continue", "min", most),
        Aggregation::Sum => {
            ("continue", "sum", most.map(|most| (most - group.of_static) / group.cases.len().max(1) as f64))
        }
    };
    let score = score.map_or(String::new(), |score| format!("accept_score: {score}\n"));
    // What is added up may be more by a rounding.
    let most = most.map(|most| if word == "sum" { most + 1e-6 } else { most });
    format!("on_reject: {on_reject}\ngrader_flags: always_accept {word}\n{score}{}", range(most, 0.0))
}

/// What graders make of results, as points.
fn points_of(graded: &Graded, made: &mut Exported) -> Lines {
    let mut lines = Lines::new();
    let find = |name: &str| graded.groups.iter().find(|group| group.name == name);
    let Some(secret) = find("secret") else { return lines };
    let parts: Vec<&GradedGroup> = graded.groups.iter().filter(|g| is_part(&g.name)).collect();
    for group in graded.groups.iter().filter(|group| group.name.matches('/').count() > 1) {
        made.note(format!("`{}` is no group any more: it lies in another", shown(&group.name)));
    }
    let of_samples = find("sample").filter(|sample| !sample.items.is_empty() && sample.accept_score != 0.0);
    if let (Some(data), Some(_)) = (find(""), of_samples)
        && !data.ignores_sample()
        && data.of_scores() == OfScores::Sum
    {
        made.note("the points of samples are left out".to_owned());
    }
    if parts.is_empty() {
        let (aggregation, most) = told(secret, graded, made);
        lines.insert(secret.name.clone(), newer(aggregation, most, &[]));
        return lines;
    }
    let told: Vec<(Aggregation, Option<f64>)> = parts.iter().map(|group| told(group, graded, made)).collect();
    let is_pass_fail = told.iter().all(|(aggregation, _)| *aggregation == Aggregation::PassFail);
    let aggregation = match secret.of_scores() {
        _ if !secret.forgives() && is_pass_fail => Aggregation::PassFail,
        OfScores::Least => Aggregation::Min,
        _ => Aggregation::Sum,
    };
    if let Some(why) = lost_of_secret(secret, is_pass_fail) {
        made.note(format!("`secret` {why}: it is exported as `{}`", aggregation.word()));
    }
    let mosts = told.iter().map(|(_, most)| *most);
    let most = match secret.of_scores() {
        OfScores::Least => mosts.reduce(|least, most| least.zip(most).map(|(a, b)| a.min(b))).flatten(),
        _ => mosts.sum(),
    };
    lines.insert(secret.name.clone(), newer(aggregation, most, &[]));
    for (at, (group, (aggregation, most))) in parts.iter().zip(&told).enumerate() {
        // A grader that stops at a group has nothing of those after it.
        let stops = secret.stops && secret.forgives() && is_pass_fail;
        let earlier: Vec<String> = parts[..if stops { at } else { 0 }].iter().map(|part| part.name.clone()).collect();
        lines.insert(group.name.clone(), newer(*aggregation, *most, &earlier));
    }
    lines
}

/// Whether it is a folder in `secret`.
fn is_part(name: &str) -> bool {
    name.strip_prefix("secret/").is_some_and(|rest| !rest.contains('/'))
}

/// What the grader of `secret` does that points cannot.
fn lost_of_secret(secret: &GradedGroup, is_pass_fail: bool) -> Option<&'static str> {
    match secret.of_scores() {
        _ if secret.is_custom => Some("has a grader of the jury"),
        OfScores::Average => Some("gives the average of its groups"),
        OfScores::Greatest => Some("gives the points of its best group alone"),
        _ if !secret.forgives() && !is_pass_fail => Some("gives nothing where a group is not accepted"),
        _ if secret.stops && secret.forgives() && !is_pass_fail => {
            Some("gives nothing for what comes after a group that is not accepted")
        }
        _ => None,
    }
}

/// The points of a group as those that its grader gives, or as like them as can be.
fn told(group: &GradedGroup, graded: &Graded, made: &mut Exported) -> (Aggregation, Option<f64>) {
    let count = group.items.iter().filter(|item| matches!(item, Item::Case(_))).count();
    let stated = Some(group.range.1).filter(|most| most.is_finite());
    let (accept, own) = (group.accept_score, graded.has_custom_scores);
    let found = match (own, group.of_scores(), group.stops && count > 1) {
        _ if group.is_custom => Err("has a grader of the jury"),
        _ if group.reject_score != 0.0 => Err("gives points for what is not accepted"),
        (false, OfScores::Least, _) => Ok((Aggregation::PassFail, Some(accept))),
        (false, OfScores::Sum, false) => Ok((Aggregation::Sum, Some(accept * count as f64))),
        (false, OfScores::Average, false) => Ok((Aggregation::Sum, Some(accept))),
        (true, OfScores::Least, _) => Ok((Aggregation::Min, stated)),
        (true, OfScores::Sum, false) => Ok((Aggregation::Sum, stated)),
        (_, OfScores::Greatest, _) => Err("gives the points of its best test case alone"),
        (true, OfScores::Average, _) => Err("gives the average of what the output validator gives"),
        (_, _, true) => Err("adds up points until the first test case that is not accepted"),
    };
    found.unwrap_or_else(|why| {
        let most = stated.unwrap_or(accept);
        let aggregation = if own { Aggregation::Min } else { Aggregation::PassFail };
        made.note(format!("`{}` {why}: it is exported as `{}`", shown(&group.name), aggregation.word()));
        (aggregation, Some(most))
    })
}
