//! Where a search stands, as lines.

use super::amounts::{clock, rate, share};
use super::layout::flow;
use super::line::Line;
use super::tone::Tone;
use crate::campaign::{Progress, Shares, Started};
use crate::diagnostic::{counted, shorten};
use crate::verdict::Verdict;
use std::collections::BTreeMap;

/// Verdicts that are shown even if there are none.
const ALWAYS_SHOWN: [Verdict; 4] = [Verdict::Accepted, Verdict::WrongAnswer, Verdict::RuntimeError, Verdict::TimeLimit];
/// How many shapes and answers are named; the others are counted.
const NAMED_MAX: usize = 5;
/// How many characters of an answer are shown.
const ANSWER_CHARS_MAX: usize = 16;
/// How wide the bar is.
const BAR_WIDTH: usize = 32;
/// How narrow it may become.
const BAR_WIDTH_MIN: usize = 8;

/// The block that is redrawn all the time: a bar, verdicts and shares, shapes and answers.
pub(crate) fn live(progress: &Progress, started: &Started, width: usize) -> Vec<Line> {
    let (clocks, pace) = (Line::new().tone(Tone::Dim, clocks(progress, started)), pace(progress));
    let room = width.saturating_sub(clocks.width() + pace.width() + 2);
    let bar = bar(progress, started, room.clamp(BAR_WIDTH_MIN, BAR_WIDTH));
    let mut lines = flow(Line::new(), [clocks, bar, pace], 1, width);
    lines.extend(halves(verdicts(&progress.verdicts), shares(progress.shares), width));
    lines.extend(halves(named(&progress.shapes), answers(&progress.answers), width));
    lines
}

/// One line for a log.
pub(crate) fn log_line(progress: &Progress) -> Line {
    let seconds = format!("{}s", progress.elapsed_ms / 1000);
    let verdicts = verdicts(&progress.verdicts).into_iter().map(|verdict| Line::plain("  ").join(verdict));
    let start = Line::plain(format!("{seconds:>5}  ")).join(pace(progress));
    verdicts.fold(start, Line::join)
}

/// The answers and how often each was given, most frequent first; nothing if they are not counted.
pub(crate) fn answers(answers: &BTreeMap<String, u64>) -> Vec<Line> {
    if answers.is_empty() {
        return Vec::new();
    }
    let shown = answers.iter().map(|(text, count)| (shorten(text.trim_end().as_bytes(), ANSWER_CHARS_MAX), *count));
    [Line::new().tone(Tone::Dim, "answers")].into_iter().chain(ranked(shown.collect())).collect()
}

/// Shapes and how often each was made, most frequent first.
pub(crate) fn named(counts: &BTreeMap<String, u64>) -> Vec<Line> {
    ranked(counts.iter().map(|(name, count)| (name.clone(), *count)).collect())
}

fn ranked(mut counts: Vec<(String, u64)>) -> Vec<Line> {
    let total = counts.iter().map(|(_, count)| *count).sum();
    // The sort is stable: names of equal counts stay in their order, and nothing jumps between two redraws.
    counts.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    let unnamed = counts.len().saturating_sub(NAMED_MAX);
    let named =
        counts.iter().take(NAMED_MAX).map(|(name, count)| Line::plain(format!("{name} {}", share(*count, total))));
    let more = (unnamed > 0).then(|| Line::new().tone(Tone::Dim, format!("{unnamed} more")));
    named.chain(more).collect()
}

/// `[00:17/01:00]`, or without the second where no time is set.
fn clocks(progress: &Progress, started: &Started) -> String {
    match started.time_budget_ms {
        Some(budget) => format!("[{}/{}]", clock(progress.elapsed_ms), clock(budget)),
        None => format!("[{}]", clock(progress.elapsed_ms)),
    }
}

/// How much of the budget is used, of the one that ends first; an empty line if there is none.
fn bar(progress: &Progress, started: &Started, width: usize) -> Line {
    let of = |used: u64, budget: Option<u64>| budget.map(|budget| used as f64 / budget.max(1) as f64);
    let used = [of(progress.elapsed_ms, started.time_budget_ms), of(progress.cases, started.case_budget)];
    let Some(used) = used.into_iter().flatten().reduce(f64::max) else { return Line::new() };
    filled_bar(used, width)
}

/// A bar of which such a part is done.
pub(crate) fn filled_bar(used: f64, width: usize) -> Line {
    let filled = ((used * width as f64) as usize).min(width);
    let tip = usize::from(filled < width);
    let done = format!("{}{}", "=".repeat(filled), ">".repeat(tip));
    Line::new().tone(Tone::Wanted, done).tone(Tone::Dim, "-".repeat(width - filled - tip))
}

/// `12,480,211 cases  731 k/s`.
fn pace(progress: &Progress) -> Line {
    let count = progress.test_cases.max(progress.cases);
    let cases = format!("{} cases", counted(u128::from(count)));
    Line::new().tone(Tone::Bold, cases).add(format!("  {}", rate(count, progress.elapsed_ms)))
}

/// `AC 12,480,211`, `WA 0`: the usual ones always, the others where there are any.
fn verdicts(counts: &BTreeMap<&'static str, u64>) -> Vec<Line> {
    let count = |verdict: Verdict| counts.get(verdict.code()).copied().unwrap_or(0);
    let is_shown = |verdict: &Verdict| ALWAYS_SHOWN.contains(verdict) || count(*verdict) > 0;
    let shown = Verdict::ALL.into_iter().filter(is_shown);
    shown.map(|verdict| verdict_count(verdict, count(verdict))).collect()
}

fn verdict_count(verdict: Verdict, count: u64) -> Line {
    let tone = match verdict {
        _ if count == 0 => Tone::Dim,
        Verdict::Accepted => Tone::Good,
        Verdict::JudgeError => Tone::Doubtful,
        _ => Tone::Bad,
    };
    Line::new().tone(tone, format!("{} {}", verdict.code(), counted(u128::from(count))))
}

fn shares(shares: Shares) -> Vec<Line> {
    let parts = [
        ("generate", shares.generate),
        ("submission", shares.submission),
        ("reference", shares.reference),
        ("check", shares.check),
    ];
    parts.map(|(name, percent)| Line::new().tone(Tone::Dim, format!("{name} {percent}%"))).into()
}

/// Two groups on one line if they fit, else on lines of their own.
fn halves(left: Vec<Line>, right: Vec<Line>, width: usize) -> Vec<Line> {
    const INDENT: &str = "   ";
    let row = |pieces: Vec<Line>| flow(Line::plain(INDENT), pieces, 3, width);
    let (left, right) = (row(left), row(right));
    match (left.as_slice(), right.as_slice()) {
        ([a], [b]) if a.width() + 2 + b.width() <= width => vec![a.clone().add("  ").join(b.clone())],
        _ => left.into_iter().chain(right).filter(|line| line.width() > INDENT.len()).collect(),
    }
}
