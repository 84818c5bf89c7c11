//! The end of a campaign.

use super::Options;
use super::amounts::duration;
use super::heading::assumption;
use super::layout::{flow, wrap};
use super::line::Line;
use super::progress::{answers, named};
use super::tone::Tone;
use crate::campaign::{Ceiling, Conclusion, Progress, Reach, Reason, Started, Summary};
use crate::corpus::ProofKind;
use crate::diagnostic::{counted, numbered};

/// Below so many answers that are all the same, it may be chance.
const ALIKE_MIN: u64 = 100;
/// What can be done where too little was tried.
const MORE: &str = "give it more time with -t, smaller inputs with --where, or a faster reference";
/// Answers that stand for others: those that are long, and those that say several things.
const COLLECTIVE: [&str; 2] = ["other", "mixed"];

/// The last lines: what was found, in how many inputs and how long, and how to see the same again.
pub(crate) fn summary(summary: &Summary, started: Option<&Started>, options: &Options) -> Vec<Line> {
    let Some(progress) = &summary.progress else { return short(summary, options.width) };
    let (tone, word) = heading(summary, progress);
    let head = Line::new().tone(tone, word).add("  ");
    let indent = " ".repeat(head.width());
    let mut lines = wrap(head, &sentence(summary, progress), options.width);
    let label = |text: &str| Line::plain(&indent).tone(Tone::Dim, text).add("  ");
    let is_sound = summary.reason != Reason::JudgeError;
    let are_mixed = is_sound && !summary.survivors.is_empty() && (summary.findings > 0 || summary.survivors.len() > 1);
    if are_mixed {
        let names = summary.survivors.iter().map(|name| Line::new().tone(Tone::Bold, name));
        lines.extend(flow(label("nothing found for"), names, 2, options.width));
    }
    if let Some(reach) = summary.reach.filter(|reach| !summary.survivors.is_empty() && !is_proved(summary, *reach)) {
        lines.extend(wrap(label("passing"), &passing(reach), options.width));
    }
    if let Some(ceiling) = summary.ceiling.filter(|_| is_sound && summary.findings == 0) {
        lines.extend(wrap(label("sizes"), &sizes(ceiling), options.width));
    }
    if let Some(why) = summary.result_reason.as_ref().filter(|_| summary.result == Some(Conclusion::Inconclusive)) {
        lines.extend(wrap(label("reason"), &format!("{why}; {MORE}"), options.width));
    }
    if summary.findings == 0 {
        lines.extend(profile(progress, &indent, options.width));
    }
    if progress.skipped > 0 {
        let inputs = format!("{} skipped: the reference needs too long on them", numbered_inputs(progress.skipped));
        lines.extend(wrap(label("note"), &inputs, options.width));
    }
    if started.is_some() && summary.findings == 0 {
        lines.extend(again(summary).map(|again| label("repeat").tone(Tone::Copy, again)));
    }
    lines.extend(degenerate(summary, progress, options.width));
    lines
}

/// Where no search ran, the screens have said all but one thing: that nothing failed.
fn short(summary: &Summary, width: usize) -> Vec<Line> {
    if summary.findings > 0 || summary.survivors.is_empty() || summary.reason == Reason::Interrupted {
        return Vec::new();
    }
    let head = Line::new().tone(Tone::Good, "OK").add("  ");
    wrap(head, &format!("no failure of {}", summary.survivors.join(", ")), width)
}

fn heading(summary: &Summary, progress: &Progress) -> (Tone, &'static str) {
    match summary.reason {
        Reason::JudgeError => (Tone::Doubtful, "STOPPED"),
        Reason::Interrupted => (Tone::Doubtful, "INTERRUPTED"),
        _ if summary.findings > 0 => (Tone::Bad, "FAIL"),
        _ if summary.result == Some(Conclusion::Flaky) => (Tone::Doubtful, "FLAKY"),
        _ if summary.result == Some(Conclusion::Inconclusive) => (Tone::Doubtful, "INCONCLUSIVE"),
        _ if progress.cases == 0 => (Tone::Doubtful, "NOTHING TRIED"),
        _ => (Tone::Good, "OK"),
    }
}

/// `nothing found: 12,480 cases in 60.0 s, seed 5eedc0de`.
fn sentence(summary: &Summary, progress: &Progress) -> String {
    let seed = summary.seed.map(|seed| format!(", seed {seed:x}")).unwrap_or_default();
    let amount = format!("{} {}{seed}", cases_in(progress), duration(progress.elapsed_ms));
    match (summary.reason, summary.findings) {
        (Reason::JudgeError, _) => format!("the jury's side failed: {amount}"),
        (_, 0) if summary.unconfirmed > 0 => {
            let failures = numbered(summary.unconfirmed, "failure");
            format!("no finding, but {failures} that did not show again: {amount}")
        }
        (_, 0) if progress.cases == 0 => format!("no input in {}{seed}", duration(progress.elapsed_ms)),
        (Reason::Exhausted, 0) => {
            let all = counted(u128::from(summary.reach.map_or(progress.cases, |reach| reach.inputs)));
            let of_one_case = of_one_case(summary.reach);
            format!("all {all} inputs{of_one_case} agree, {}", duration(progress.elapsed_ms))
        }
        (_, 0) => format!("nothing found: {amount}"),
        (_, findings) => format!("{}: {amount}", numbered(findings, "finding")),
    }
}

/// `12,480 cases in`; `1,200,000 cases in 1,200 inputs,` where several stand in one: a time is to follow.
fn cases_in(progress: &Progress) -> String {
    let numbered =
        |count: u64, noun: &str| format!("{} {noun}{}", counted(u128::from(count)), if count == 1 { "" } else { "s" });
    if progress.test_cases > progress.cases {
        format!("{} in {},", numbered(progress.test_cases, "case"), numbered(progress.cases, "input"))
    } else {
        format!("{} in", numbered(progress.cases, "case"))
    }
}

/// Whether the heading says all there is to say: that every input was run, each in a new process.
fn is_proved(summary: &Summary, reach: Reach) -> bool {
    summary.reason == Reason::Exhausted && reach.complete && reach.kind == ProofKind::Processes
}

/// `the 12,345 smallest inputs, of at most 13 elements`, and on what that rests.
fn passing(reach: Reach) -> String {
    let elements = numbered(reach.elements, "element");
    let of_one_case = of_one_case(Some(reach));
    let all = counted(reach.inputs.into());
    let inputs = match (reach.complete, reach.inputs) {
        (true, _) => format!("all {all} inputs{of_one_case}"),
        (false, 1) => format!("the smallest input{of_one_case}, of {elements}"),
        (false, _) => format!("the {all} smallest inputs{of_one_case}, of at most {elements}"),
    };
    let also = |count: u64, how: &str| match count {
        0 => String::new(),
        some if some == reach.inputs => format!("; each {how}, too"),
        some => format!("; the {} smallest {how}, too", counted(some.into())),
    };
    let further = match reach.kind {
        ProofKind::Processes => String::new(),
        ProofKind::Copies => also(reach.run_in_processes, "in new processes"),
        ProofKind::Packed => also(reach.run_alone, "alone"),
    };
    format!("{inputs}{}{further}", assumption(reach.kind))
}

/// `at most about 2,000 of 200,001 elements; --most-elements raises that`.
fn sizes(ceiling: Ceiling) -> String {
    let possible = counted(ceiling.possible.unsigned_abs());
    let of_case = if ceiling.of_case { " a case" } else { "" };
    format!(
        "at most about {} of {possible} elements{of_case}; --most-elements raises that",
        counted(ceiling.elements as u128)
    )
}

/// What is said of inputs where those of several cases were not tried one by one.
fn of_one_case(reach: Option<Reach>) -> &'static str {
    if reach.is_some_and(|reach| reach.of_one_case) { " of one case" } else { "" }
}

/// What was tried: the answers and the shapes.
fn profile(progress: &Progress, indent: &str, width: usize) -> Vec<Line> {
    let shapes = named(&progress.shapes);
    let shapes =
        if shapes.is_empty() { shapes } else { [vec![Line::new().tone(Tone::Dim, "shapes")], shapes].concat() };
    let rows = [answers(&progress.answers), shapes];
    rows.into_iter().filter(|row| !row.is_empty()).flat_map(|row| flow(Line::plain(indent), row, 2, width)).collect()
}

fn numbered_inputs(count: u64) -> String {
    let (noun, verb) = if count == 1 { ("input", "was") } else { ("inputs", "were") };
    format!("{} {noun} {verb}", counted(u128::from(count)))
}

/// The option that makes the same inputs again.
fn again(summary: &Summary) -> Option<String> {
    summary.seed.map(|seed| format!("--seed {seed:x}"))
}

/// A warning if every answer was the same: then a submission that prints just that passes, too.
fn degenerate(summary: &Summary, progress: &Progress, width: usize) -> Vec<Line> {
    let mut answers = progress.answers.iter();
    let (Some((answer, count)), None) = (answers.next(), answers.next()) else { return Vec::new() };
    if summary.survivors.is_empty() || *count < ALIKE_MIN || COLLECTIVE.contains(&answer.as_str()) {
        return Vec::new();
    }
    let text = format!(
        "every answer was `{answer}`: a submission that always prints it passes, too; \
         make inputs with other answers likelier, or add a few by hand"
    );
    wrap(Line::new().tone(Tone::Doubtful, "warning").add(": "), &text, width)
}
