//! Renders the progress of a search, and of a build.

use super::styled_line::{StyledLine, TextStyle, flow_pieces};
use super::units::{format_clock, format_rate, format_share};
use rebut_diagnostics::{count_with_noun, group_thousands, shorten_text};
use rebut_engine::event::{BuildProgress, BuildStage, SearchProgress, SearchStarted, TimeShares};
use rebut_packages::verdict::Verdict;
use std::collections::BTreeMap;

/// Verdicts that are shown even if their count is 0.
const ALWAYS_SHOWN: [Verdict; 4] = [Verdict::Accepted, Verdict::WrongAnswer, Verdict::RuntimeError, Verdict::TimeLimit];

/// Maximum number of shapes and answers that are named; the others are counted.
const MAX_NAMED: usize = 5;

/// Maximum number of characters shown of an answer.
const MAX_ANSWER_CHARS: usize = 16;

/// Maximum width of the bar.
const MAX_BAR_WIDTH: usize = 32;

/// Minimum width of the bar.
const MIN_BAR_WIDTH: usize = 8;

/// Renders the live block: a bar, counts of verdicts, shares of time, shapes and answers.
pub(crate) fn render_live(progress: &SearchProgress, started: &SearchStarted, width: usize) -> Vec<StyledLine> {
    let (clocks, pace) = (StyledLine::from_styled(TextStyle::Dim, clock_text(progress, started)), pace_line(progress));
    let available = width.saturating_sub(clocks.width() + pace.width() + 2);
    let bar = budget_bar(progress, started, available.clamp(MIN_BAR_WIDTH, MAX_BAR_WIDTH));
    let mut lines = flow_pieces(StyledLine::new(), [clocks, bar, pace], 1, width);
    lines.extend(join_halves(verdict_counts(&progress.verdicts), time_shares(progress.shares), width));
    lines.extend(join_halves(rank_shapes(&progress.shapes), rank_answers(&progress.answers), width));
    lines
}

/// Renders one line for a log.
pub(crate) fn log_line(progress: &SearchProgress) -> StyledLine {
    let seconds = format!("{}s", progress.elapsed_ms / 1000);
    let verdicts =
        verdict_counts(&progress.verdicts).into_iter().map(|verdict| StyledLine::from_plain("  ").append_line(verdict));
    let start = StyledLine::from_plain(format!("{seconds:>5}  ")).append_line(pace_line(progress));
    verdicts.fold(start, StyledLine::append_line)
}

/// Renders the progress of a build.
pub(crate) fn render_build_progress(building: &BuildProgress, width: usize) -> Vec<StyledLine> {
    let (done, of) = (group_thousands(building.done as u128), count_with_noun(building.of, "input"));
    let what = match building.stage {
        BuildStage::Inputs => "generated",
        BuildStage::Answers => "answered and judged",
    };
    let clock = StyledLine::from_styled(TextStyle::Dim, format!("[{}]", format_clock(building.elapsed_ms)));
    let bar = filled_bar(building.done as f64 / building.of.max(1) as f64, MAX_BAR_WIDTH.min(width / 3));
    flow_pieces(StyledLine::new(), [clock, bar, StyledLine::from_plain(format!("{done} of {of} {what}"))], 1, width)
}

/// Lists the answers by falling frequency; empty if answers are not counted.
pub(crate) fn rank_answers(answers: &BTreeMap<String, u64>) -> Vec<StyledLine> {
    if answers.is_empty() {
        return Vec::new();
    }
    let shown =
        answers.iter().map(|(text, count)| (shorten_text(text.trim_end().as_bytes(), MAX_ANSWER_CHARS), *count));
    [StyledLine::from_styled(TextStyle::Dim, "answers")].into_iter().chain(rank_by_count(shown.collect())).collect()
}

/// Lists the shapes by falling frequency.
pub(crate) fn rank_shapes(counts: &BTreeMap<String, u64>) -> Vec<StyledLine> {
    rank_by_count(counts.iter().map(|(name, count)| (name.clone(), *count)).collect())
}

fn rank_by_count(mut counts: Vec<(String, u64)>) -> Vec<StyledLine> {
    let total = counts.iter().map(|(_, count)| *count).sum();
    // The sort is stable: equal counts keep their order, so that nothing jumps between two redraws.
    counts.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    let unnamed = counts.len().saturating_sub(MAX_NAMED);
    let named = counts
        .iter()
        .take(MAX_NAMED)
        .map(|(name, count)| StyledLine::from_plain(format!("{name} {}", format_share(*count, total))));
    let more = (unnamed > 0).then(|| StyledLine::from_styled(TextStyle::Dim, format!("{unnamed} more")));
    named.chain(more).collect()
}

/// `[00:17/01:00]`, or `[00:17]` without a time budget.
fn clock_text(progress: &SearchProgress, started: &SearchStarted) -> String {
    match started.time_budget_ms {
        Some(budget) => format!("[{}/{}]", format_clock(progress.elapsed_ms), format_clock(budget)),
        None => format!("[{}]", format_clock(progress.elapsed_ms)),
    }
}

/// Renders how much of the budget is used, by the limit that will be reached first; empty without a budget.
fn budget_bar(progress: &SearchProgress, started: &SearchStarted, width: usize) -> StyledLine {
    let fraction = |used: u64, budget: Option<u64>| budget.map(|budget| used as f64 / budget.max(1) as f64);
    let used = [fraction(progress.elapsed_ms, started.time_budget_ms), fraction(progress.cases, started.case_budget)];
    let Some(used) = used.into_iter().flatten().reduce(f64::max) else { return StyledLine::new() };
    filled_bar(used, width)
}

/// Renders a bar of which the fraction `used` is filled.
pub(crate) fn filled_bar(used: f64, width: usize) -> StyledLine {
    let filled = ((used * width as f64) as usize).min(width);
    let tip = usize::from(filled < width);
    let done = format!("{}{}", "=".repeat(filled), ">".repeat(tip));
    StyledLine::from_styled(TextStyle::Expected, done).add_styled(TextStyle::Dim, "-".repeat(width - filled - tip))
}

/// `12,480,211 cases  731 k/s`.
fn pace_line(progress: &SearchProgress) -> StyledLine {
    let count = progress.test_cases.max(progress.cases);
    let cases = format!("{} cases", group_thousands(u128::from(count)));
    StyledLine::new()
        .add_styled(TextStyle::Bold, cases)
        .add_plain(format!("  {}", format_rate(count, progress.elapsed_ms)))
}

/// `AC 12,480,211`, `WA 0`: the common verdicts always, the others if they occurred.
fn verdict_counts(counts: &BTreeMap<&'static str, u64>) -> Vec<StyledLine> {
    let count = |verdict: Verdict| counts.get(verdict.code()).copied().unwrap_or(0);
    let is_shown = |verdict: &Verdict| ALWAYS_SHOWN.contains(verdict) || count(*verdict) > 0;
    let shown = Verdict::ALL.into_iter().filter(is_shown);
    shown.map(|verdict| verdict_count(verdict, count(verdict))).collect()
}

fn verdict_count(verdict: Verdict, count: u64) -> StyledLine {
    let style = match verdict {
        _ if count == 0 => TextStyle::Dim,
        Verdict::Accepted => TextStyle::Success,
        Verdict::JudgeError => TextStyle::Warning,
        _ => TextStyle::Failure,
    };
    StyledLine::from_styled(style, format!("{} {}", verdict.code(), group_thousands(u128::from(count))))
}

fn time_shares(shares: TimeShares) -> Vec<StyledLine> {
    let parts = [
        ("generate", shares.generate),
        ("submission", shares.submission),
        ("reference", shares.reference),
        ("check", shares.check),
    ];
    parts.map(|(name, percent)| StyledLine::from_styled(TextStyle::Dim, format!("{name} {percent}%"))).into()
}

/// Joins two groups on one line if they fit, else puts them on lines of their own.
fn join_halves(left: Vec<StyledLine>, right: Vec<StyledLine>, width: usize) -> Vec<StyledLine> {
    const INDENT: &str = "   ";
    let row = |pieces: Vec<StyledLine>| flow_pieces(StyledLine::from_plain(INDENT), pieces, 3, width);
    let (left, right) = (row(left), row(right));
    match (left.as_slice(), right.as_slice()) {
        ([a], [b]) if a.width() + 2 + b.width() <= width => vec![a.clone().add_plain("  ").append_line(b.clone())],
        _ => left.into_iter().chain(right).filter(|line| line.width() > INDENT.len()).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    fn texts(lines: &[StyledLine]) -> Vec<String> {
        lines.iter().map(|line| line.render_ansi(false)).collect()
    }

    #[test]
    fn names_are_ranked_by_count_and_the_rest_is_counted() {
        let counts: BTreeMap<String, u64> = [("a", 1), ("b", 5), ("c", 5), ("d", 2), ("e", 3), ("f", 4), ("g", 0)]
            .map(|(name, count)| (name.to_owned(), count))
            .into();
        assert_eq!(texts(&rank_shapes(&counts)), ["b 25%", "c 25%", "f 20%", "e 15%", "d 10%", "2 more"]);
        assert!(rank_answers(&BTreeMap::new()).is_empty());
        assert_eq!(texts(&rank_answers(&[("YES\n".to_owned(), 3)].into())), ["answers", "YES 100%"]);
    }

    #[test]
    fn bar_never_leaves_its_width() {
        for (used, shown) in [(0.0, ">---"), (0.5, "==>-"), (0.99, "===>"), (1.0, "===="), (7.0, "====")] {
            assert_eq!(filled_bar(used, 4).render_ansi(false), shown, "{used}");
        }
    }

    #[test]
    fn rare_verdicts_are_only_shown_if_they_occur() {
        let shown = |counts: &[(&'static str, u64)]| texts(&verdict_counts(&counts.iter().copied().collect()));
        assert_eq!(shown(&[("AC", 12_480)]), ["AC 12,480", "WA 0", "TLE 0", "RTE 0"]);
        assert!(shown(&[("MLE", 1)]).contains(&"MLE 1".to_owned()));
    }

    #[test]
    fn build_progress_shows_stage_and_counts() {
        let shown = |stage, done, width| {
            let lines = render_build_progress(&BuildProgress { stage, done, of: 1200, elapsed_ms: 17_000 }, width);
            lines.into_iter().map(|line| line.render_ansi(false)).collect::<Vec<_>>().join("\n")
        };
        let expected = "[00:17] ========>----------------- 400 of 1,200 inputs generated";
        assert_eq!(shown(BuildStage::Inputs, 400, 78), expected);
        let expected = "[00:17] =============\n1,200 of 1,200 inputs answered and judged";
        assert_eq!(shown(BuildStage::Answers, 1200, 40), expected);
    }

    #[test]
    fn halves_share_a_line_if_they_fit() {
        let half = |text: &str| vec![StyledLine::from_plain(text)];
        assert_eq!(texts(&join_halves(half("left"), half("right"), 80)), ["   left     right"]);
        assert_eq!(texts(&join_halves(half("left"), half("right"), 14)), ["   left", "   right"]);
        assert_eq!(texts(&join_halves(half("left"), Vec::new(), 14)), ["   left"]);
    }
}
