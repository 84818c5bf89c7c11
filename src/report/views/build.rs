//! A test set that is built: its flaws, its tests, and the files that changed.

use super::profile::goals_page;
use crate::report::ReportOptions;
use crate::report::page::{Block, Column, Medium, Page, Table};
use crate::report::styled_line::{StyledLine, TextStyle};
use crate::report::units::format_bytes;
use rebut_diagnostics::{count_with_noun, group_thousands};
use rebut_engine::event::{BuildFlaw, BuildSummary, BuiltTest, CandidateNovelty, CandidateSelection, FlawBlame};

/// Maximum number of lines shown of a flaw's note.
const MAX_NOTE_LINES: usize = 12;

/// Returns a flaw of one test.
pub(crate) fn flaw_page<'a>(flaw: &BuildFlaw) -> Page<'a> {
    let (style, word) = match flaw.kind.blame() {
        FlawBlame::Recipe => (TextStyle::Failure, "wrong"),
        FlawBlame::Judge => (TextStyle::Warning, "judge error"),
        FlawBlame::Unclear => (TextStyle::Failure, "differ"),
    };
    let head = StyledLine::from_label(0, style, word, "  ").add_styled(TextStyle::Bold, &flaw.test).add_plain(": ");
    let mut page = Page::default();
    page.add_note(head, &flaw.message);
    if let Some(mut note) = flaw.note.clone() {
        note.lines.truncate(MAX_NOTE_LINES);
        page.push(Block::Diagnostic(note));
    }
    page
}

/// Returns the summary of a build: number of tests, coverage and changed files.
pub(crate) fn built_page<'a>(built: &BuildSummary, options: &ReportOptions) -> Page<'a> {
    let mut page = Page::default();
    if options.verbose {
        page.add_only(Medium::Terminal, |page| page.push(Block::Table(tests_table(&built.tests))));
    }
    if !options.quiet {
        page.append_page(goals_page(&built.goals, options));
    }
    if built.flaws > 0 {
        let what = format!("  {} found: nothing was written", count_with_noun(built.flaws, "flaw"));
        page.add_line(StyledLine::from_label(0, TextStyle::Failure, "not built", &what));
    } else {
        if let Some(selection) = built.selection.as_ref().filter(|_| !options.quiet) {
            let entry = |word: &str| StyledLine::from_label(0, TextStyle::Bold, word, "  ");
            page.add_note(entry("selected"), describe_selection(selection));
            describe_novelty(&selection.novelty).into_iter().for_each(|text| page.add_note(entry("left    "), text));
        }
        page.add_only(Medium::Terminal, |page| add_differing_files(page, built, options));
        page.add_line(build_outcome(built));
    }
    page.add_only(Medium::Html, |page| {
        let changes = built.changes.change_lines();
        page.add_list("Changes of files", StyledLine::new(), changes, usize::MAX);
        let mut table = tests_table(&built.tests);
        ["Test", "Cases", "Size", "State", "Input from"].iter().zip(&mut table.columns).for_each(|(title, column)| {
            column.title = (*title).into();
        });
        page.add_fold("The tests".into(), false, Page::from_block(Block::Table(table)));
    });
    page
}

/// Returns a table of the tests, which needs no titles on a terminal.
fn tests_table(tests: &[BuiltTest]) -> Table {
    let number = |min_width| Column { min_width, ..Column::of_numbers("") };
    let row = |test: &BuiltTest| {
        let kept = StyledLine::from_styled(TextStyle::Dim, if test.kept { "kept" } else { "new" });
        let (cases, size) = (count_with_noun(test.cases, "case"), format_bytes(test.bytes as u64));
        let shape = StyledLine::from_plain(&test.shape).into_uncut();
        vec![StyledLine::from(test.name.as_str()), cases.into(), size.into(), kept, shape]
    };
    let text = |min_width| Column { min_width, ..Column::of_texts("") };
    let columns = [text(0), number(12), number(10), text(4), text(0)];
    Table::new("The tests", columns, tests.iter().map(row)).with_indent(2)
}

/// Describes the selected tests and what they kill.
fn describe_selection(selection: &CandidateSelection) -> String {
    let CandidateSelection { tests, needed, depth, lower_bound, programs, killed, .. } = selection;
    let drawn = usize::try_from(selection.novelty.inputs).unwrap_or(usize::MAX);
    let mut candidates = count_with_noun(drawn, "candidate");
    if selection.candidates > drawn {
        candidates += &format!(" and {}", count_with_noun(selection.candidates - drawn, "other test"));
    }
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

/// Adds the files that differ: always those that block writing, and the outdated ones if nothing was written.
fn add_differing_files(page: &mut Page<'_>, built: &BuildSummary, options: &ReportOptions) {
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
    for (word, path) in all.iter().take(shown) {
        let word = StyledLine::from_label(2, TextStyle::Failure, &format!("{word:7}"), "  ");
        page.add_line(word.add_plain(path.as_str()).into_uncut());
    }
    if let rest @ 1.. = all.len().saturating_sub(shown) {
        let more = format!("{} more (--all shows them)", group_thousands(rest as u128));
        page.add_line(StyledLine::from_label(2, TextStyle::Dim, &more, ""));
    }
}

/// Returns the last line: what was done, or that everything was up to date.
fn build_outcome(built: &BuildSummary) -> StyledLine {
    let (tests, changes) = (count_with_noun(built.tests.len(), "test"), &built.changes);
    let counts = [("new", changes.new.len()), ("changed", changes.changed.len()), ("removed", changes.stale.len())];
    let parts: Vec<String> = counts.iter().filter(|(_, n)| *n > 0).map(|(word, n)| format!("{n} {word}")).collect();
    let files: usize = counts.iter().map(|(_, n)| n).sum();
    let rest = changes.edited.len() + changes.foreign.len();
    let differing = count_with_noun(files + rest, "file");
    let (style, word, text) = match (built.written, files + rest == 0) {
        (true, false) => {
            let noun = if files == 1 { "file" } else { "files" };
            (TextStyle::Success, "built", format!("{tests}: {} {noun}", parts.join(", ")))
        }
        (_, true) if !changes.lock || built.written => (TextStyle::Success, "up to date", tests),
        (_, true) => (TextStyle::Failure, "differs", format!("{tests}: only `tests.lock` is out of date")),
        (false, false) => (TextStyle::Failure, "differs", format!("{tests}: {differing} not matching the recipe")),
    };
    StyledLine::from_label(0, style, word, "  ").add_plain(text)
}

#[cfg(test)]
mod tests {
    use super::*;

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
            novelty: CandidateNovelty { inputs: 1001, ..CandidateNovelty::default() },
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
        let with_sample = CandidateSelection { candidates: 1002, ..selection.clone() };
        let text = describe_selection(&with_sample);
        assert!(text.starts_with("24 of 1,001 candidates and 1 other test kill 245 of 264 wrong programs"), "{text}");
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
