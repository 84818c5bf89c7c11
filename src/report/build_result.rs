//! Renders the result of building a test set.

use super::ReportOptions;
use super::diagnostics::style_diagnostic_line;
use super::escape::escape_message;
use super::input_profile::render_goals;
use super::progress::filled_bar;
use super::style::TextStyle;
use super::styled_line::StyledLine;
use super::text_layout::{flow_pieces, wrap_uncut};
use super::units::{format_bytes, format_clock};
use rebut_diagnostics::{count_with_noun, group_thousands};
use rebut_engine::event::{
    BuildFlaw, BuildProgress, BuildStage, BuildSummary, BuiltTest, CandidateNovelty, CandidateSelection, FlawBlame,
};

/// Renders a flaw of one test.
pub(crate) fn render_flaw(flaw: &BuildFlaw, width: usize) -> Vec<StyledLine> {
    let (style, word) = match flaw.kind.blame() {
        FlawBlame::Recipe => (TextStyle::Failure, "wrong"),
        FlawBlame::Judge => (TextStyle::Warning, "judge error"),
        FlawBlame::Unclear => (TextStyle::Failure, "differ"),
    };
    let head = StyledLine::new()
        .add_styled(style, word)
        .add_plain("  ")
        .add_styled(TextStyle::Bold, &flaw.test)
        .add_plain(": ");
    let mut lines = wrap_uncut(head, &escape_message(&flaw.message), width);
    let note = flaw.note.as_deref().unwrap_or_default();
    lines.extend(note.lines().take(MAX_NOTE_LINES).flat_map(|line| style_diagnostic_line(line, width)));
    lines
}

/// Maximum number of lines shown of a flaw's note.
const MAX_NOTE_LINES: usize = 12;

/// Renders the progress of a build.
pub(crate) fn render_build_progress(building: &BuildProgress, width: usize) -> Vec<StyledLine> {
    const MAX_BAR_WIDTH: usize = 32;
    let (done, of) = (group_thousands(building.done as u128), count_with_noun(building.of, "input"));
    let what = match building.stage {
        BuildStage::Inputs => "generated",
        BuildStage::Answers => "answered and judged",
    };
    let clock = StyledLine::new().add_styled(TextStyle::Dim, format!("[{}]", format_clock(building.elapsed_ms)));
    let bar = filled_bar(building.done as f64 / building.of.max(1) as f64, MAX_BAR_WIDTH.min(width / 3));
    flow_pieces(StyledLine::new(), [clock, bar, StyledLine::from_plain(format!("{done} of {of} {what}"))], 1, width)
}

/// Renders the summary of a build: number of tests, coverage and changed files.
pub(crate) fn render_built(built: &BuildSummary, options: &ReportOptions) -> Vec<StyledLine> {
    let mut lines = Vec::new();
    if options.verbose {
        lines.extend(test_lines(&built.tests));
    }
    if !options.quiet && !built.goals.is_empty() {
        lines.extend(render_goals(&built.goals, options));
    }
    if built.flaws > 0 {
        let what = format!("  {} found: nothing was written", count_with_noun(built.flaws, "flaw"));
        lines.push(StyledLine::new().add_styled(TextStyle::Failure, "not built").add_plain(what));
        return lines;
    }
    if let Some(selection) = built.selection.as_ref().filter(|_| !options.quiet) {
        lines.extend(selection_lines(selection, options.width));
    }
    lines.extend(changed_file_lines(built, options));
    lines.push(build_outcome_line(built));
    lines
}

/// Renders the selection of tests among candidates.
fn selection_lines(selection: &CandidateSelection, width: usize) -> Vec<StyledLine> {
    let entry = |word: &str, text: &str| {
        wrap_uncut(StyledLine::new().add_styled(TextStyle::Bold, word).add_plain("  "), text, width)
    };
    let mut lines = entry("selected", &describe_selection(selection));
    if let Some(text) = describe_novelty(&selection.novelty) {
        lines.extend(entry("left    ", &text));
    }
    lines
}

/// Describes the selected tests and what they kill.
fn describe_selection(selection: &CandidateSelection) -> String {
    let CandidateSelection { candidates, tests, needed, depth, lower_bound, programs, killed, .. } = selection;
    let candidates = count_with_noun(*candidates, "candidate");
    let bound = count_with_noun(*lower_bound, "test");
    let mut text = format!("{tests} of {candidates} kill {killed} of {}", count_with_noun(*programs, "wrong program"));
    text += &match depth {
        0 => format!("; to kill the {} that candidates kill takes at least {bound}", selection.killable),
        _ => {
            let times = if *depth == 1 { "once".to_owned() } else { format!("{depth} times if so many candidates do") };
            let bound = match lower_bound == needed {
                true => "no smaller selection does".to_owned(),
                false => format!("every such selection has at least {bound}"),
            };
            match tests - needed {
                0 => format!(", each {times}; {bound}"),
                others => {
                    format!(", {needed} of them each {times}; {bound}; the other {others} differ the most from these")
                }
            }
        }
    };
    if selection.timed_out > 0 {
        text += &format!("; {} that time out are left out", selection.timed_out);
    }
    text
}

/// Describes how likely another candidate kills a set of programs that none did before.
fn describe_novelty(novelty: &CandidateNovelty) -> Option<String> {
    let percent = |share: f64| format!("{:.1}%", share * 100.0);
    let (estimate, half_width) = novelty.estimate()?;
    let silence = novelty.bound_by_silence().map(|bound| {
        let since = group_thousands(u128::from(novelty.since_new));
        format!("at most {} at 95% confidence, since none of the last {since} did", percent(bound))
    });
    // Without a set that occurred once, the estimate and its interval are 0, which nothing justifies.
    let estimate = (novelty.seen_once > 0).then(|| format!("{} ± {}", percent(estimate), percent(half_width)));
    let parts: Vec<String> = estimate.into_iter().chain(silence).collect();
    Some(format!("another candidate would kill a new set of programs with probability {}", parts.join("; ")))
}

fn test_lines(tests: &[BuiltTest]) -> Vec<StyledLine> {
    let name = tests.iter().map(|test| test.name.chars().count()).max().unwrap_or(0);
    let line = |test: &BuiltTest| {
        let cases = count_with_noun(test.cases, "case");
        let size = format_bytes(test.bytes as u64);
        let line = StyledLine::from_plain(format!("  {:name$}  {cases:>12}  {size:>10}  ", test.name));
        let line = line
            .add_styled(TextStyle::Dim, if test.kept { "kept" } else { "new " })
            .add_plain("  ")
            .add_plain(&test.shape);
        line.into_uncut()
    };
    tests.iter().map(line).collect()
}

/// Lists the files that differ: always those that block writing, and the outdated ones if nothing was written.
fn changed_file_lines(built: &BuildSummary, options: &ReportOptions) -> Vec<StyledLine> {
    const MAX_SHOWN: usize = 20;
    let changes = &built.changes;
    let differing = [("missing", &changes.new), ("changed", &changes.changed), ("stale", &changes.stale)];
    let in_the_way = [("edited", &changes.edited), ("foreign", &changes.foreign)];
    let differing = differing.iter().filter(|_| !built.written);
    let all: Vec<(&str, &String)> = in_the_way
        .iter()
        .chain(differing)
        .flat_map(|(word, paths)| paths.iter().map(move |path| (*word, path)))
        .collect();
    let shown = if options.all_rows { all.len() } else { MAX_SHOWN };
    let line = |(word, path): &(&str, &String)| {
        StyledLine::from_plain("  ")
            .add_styled(TextStyle::Failure, format!("{word:7}"))
            .add_plain("  ")
            .add_plain(path.as_str())
            .into_uncut()
    };
    let mut lines: Vec<StyledLine> = all.iter().take(shown).map(line).collect();
    if all.len() > shown {
        let more = format!("  {} more (--all shows them)", group_thousands((all.len() - shown) as u128));
        lines.push(StyledLine::new().add_styled(TextStyle::Dim, more));
    }
    lines
}

/// Returns the last line: what was done, or that everything was up to date.
fn build_outcome_line(built: &BuildSummary) -> StyledLine {
    let (tests, changes) = (count_with_noun(built.tests.len(), "test"), &built.changes);
    let counts = [("new", changes.new.len()), ("changed", changes.changed.len()), ("removed", changes.stale.len())];
    let parts: Vec<String> = counts.iter().filter(|(_, n)| *n > 0).map(|(word, n)| format!("{n} {word}")).collect();
    let files: usize = counts.iter().map(|(_, n)| n).sum();
    let rest = changes.edited.len() + changes.foreign.len();
    match (built.written, files + rest == 0) {
        (true, false) => {
            let noun = if files == 1 { "file" } else { "files" };
            StyledLine::new()
                .add_styled(TextStyle::Success, "built")
                .add_plain(format!("  {tests}: {} {noun}", parts.join(", ")))
        }
        (_, true) if !changes.lock || built.written => {
            StyledLine::new().add_styled(TextStyle::Success, "up to date").add_plain(format!("  {tests}"))
        }
        (_, true) => StyledLine::new()
            .add_styled(TextStyle::Failure, "differs")
            .add_plain(format!("  {tests}: only `tests.lock` is out of date")),
        (false, false) => StyledLine::new()
            .add_styled(TextStyle::Failure, "differs")
            .add_plain(format!("  {tests}: {} not matching the recipe", count_with_noun(files + rest, "file"))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
    fn selection_is_described_with_its_bound() {
        let selection = CandidateSelection {
            candidates: 1001,
            tests: 24,
            needed: 24,
            depth: 5,
            lower_bound: 22,
            programs: 264,
            timed_out: 0,
            killed: 245,
            killable: 245,
            novelty: CandidateNovelty::default(),
        };
        let expected = "24 of 1,001 candidates kill 245 of 264 wrong programs, each 5 times if so many candidates do; every \
                        such selection has at least 22 tests";
        assert_eq!(describe_selection(&selection), expected);
        let one = CandidateSelection { depth: 1, lower_bound: 24, timed_out: 3, ..selection.clone() };
        let expected = "24 of 1,001 candidates kill 245 of 264 wrong programs, each once; no smaller selection does; 3 \
                        that time out are left out";
        assert_eq!(describe_selection(&one), expected);
        let filled = CandidateSelection { tests: 30, ..selection.clone() };
        let expected = "30 of 1,001 candidates kill 245 of 264 wrong programs, 24 of them each 5 times if so many candidates \
                        do; every such selection has at least 22 tests; the other 6 differ the most from these";
        assert_eq!(describe_selection(&filled), expected);
        let few = CandidateSelection { tests: 20, depth: 0, killed: 240, ..selection };
        let expected = "20 of 1,001 candidates kill 240 of 264 wrong programs; to kill the 245 that candidates kill takes \
                        at least 22 tests";
        assert_eq!(describe_selection(&few), expected);
    }

    #[test]
    fn novelty_is_described_with_its_interval() {
        let novelty = CandidateNovelty { inputs: 100, signatures: 9, seen_once: 4, seen_twice: 2, since_new: 30 };
        let expected = "another candidate would kill a new set of programs with probability 4.0% ± 5.5%; at most 10.0% \
                        at 95% confidence, since none of the last 30 did";
        assert_eq!(describe_novelty(&novelty).as_deref(), Some(expected));
        let none = CandidateNovelty { seen_once: 0, ..novelty };
        assert!(describe_novelty(&none).is_some_and(|text| text.contains("probability at most 10.0%")));
        assert_eq!(describe_novelty(&CandidateNovelty::default()), None);
    }
}
