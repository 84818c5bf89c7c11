//! A test set that was built.

use super::Options;
use super::amounts::{bytes, clock};
use super::diagnostics::diagnostic_line;
use super::layout::{flow, wrap_whole};
use super::line::Line;
use super::profile::goals;
use super::progress::filled_bar;
use super::tone::Tone;
use super::visible::prose;
use crate::campaign::{Blame, Building, Built, BuiltTest, Flaw, Stage};
use crate::diagnostic::{counted, numbered};

/// What is wrong with a test.
pub(crate) fn flaw(flaw: &Flaw, width: usize) -> Vec<Line> {
    let (tone, word) = match flaw.kind.blame() {
        Blame::Recipe => (Tone::Bad, "wrong"),
        Blame::Jury => (Tone::Doubtful, "judge error"),
        Blame::Found => (Tone::Bad, "differ"),
    };
    let head = Line::new().tone(tone, word).add("  ").tone(Tone::Bold, &flaw.test).add(": ");
    let mut lines = wrap_whole(head, &prose(&flaw.message), width);
    let note = flaw.note.as_deref().unwrap_or_default();
    lines.extend(note.lines().take(NOTE_LINES).flat_map(|line| diagnostic_line(line, width)));
    lines
}

/// So many lines of what a program said are shown.
const NOTE_LINES: usize = 12;

/// What is known while it is built.
pub(crate) fn live(building: &Building, width: usize) -> Vec<Line> {
    const BAR_WIDTH: usize = 32;
    let (done, of) = (counted(building.done as u128), numbered(building.of, "input"));
    let what = match building.stage {
        Stage::Inputs => "made",
        Stage::Answers => "answered and judged",
    };
    let clock = Line::new().tone(Tone::Dim, format!("[{}]", clock(building.elapsed_ms)));
    let bar = filled_bar(building.done as f64 / building.of.max(1) as f64, BAR_WIDTH.min(width / 3));
    flow(Line::new(), [clock, bar, Line::plain(format!("{done} of {of} {what}"))], 1, width)
}

/// What was built: how many tests, what they reach, and what changed.
pub(crate) fn built(built: &Built, options: &Options) -> Vec<Line> {
    let mut lines = Vec::new();
    if options.verbose {
        lines.extend(tests(&built.tests));
    }
    if !options.quiet && !built.goals.is_empty() {
        lines.extend(goals(&built.goals, options));
    }
    if built.flaws > 0 {
        let what = format!("  {} found: nothing is written", numbered(built.flaws, "flaw"));
        lines.push(Line::new().tone(Tone::Bad, "not built").add(what));
        return lines;
    }
    lines.extend(names(built, options));
    lines.push(outcome(built));
    lines
}

fn tests(tests: &[BuiltTest]) -> Vec<Line> {
    let name = tests.iter().map(|test| test.name.chars().count()).max().unwrap_or(0);
    let line = |test: &BuiltTest| {
        let cases = numbered(test.cases, "case");
        let size = bytes(test.bytes as u64);
        let line = Line::plain(format!("  {:name$}  {cases:>12}  {size:>10}  ", test.name));
        let line = line.tone(Tone::Dim, if test.kept { "kept" } else { "new " }).add("  ").add(&test.shape);
        line.whole()
    };
    tests.iter().map(line).collect()
}

/// The files that are not as they should be, where that is what was asked or what stands in the way.
fn names(built: &Built, options: &Options) -> Vec<Line> {
    const SHOWN: usize = 20;
    let changes = &built.changes;
    let differing = [("missing", &changes.new), ("changed", &changes.changed), ("stale", &changes.stale)];
    let in_the_way = [("edited", &changes.edited), ("foreign", &changes.foreign)];
    let differing = differing.iter().filter(|_| !built.written);
    let all: Vec<(&str, &String)> = in_the_way
        .iter()
        .chain(differing)
        .flat_map(|(word, paths)| paths.iter().map(move |path| (*word, path)))
        .collect();
    let shown = if options.all_rows { all.len() } else { SHOWN };
    let line = |(word, path): &(&str, &String)| {
        Line::plain("  ").tone(Tone::Bad, format!("{word:7}")).add("  ").add(path.as_str()).whole()
    };
    let mut lines: Vec<Line> = all.iter().take(shown).map(line).collect();
    if all.len() > shown {
        let more = format!("  {} more (--all shows them)", counted((all.len() - shown) as u128));
        lines.push(Line::new().tone(Tone::Dim, more));
    }
    lines
}

/// The last line: what was done, or that there was nothing to do.
fn outcome(built: &Built) -> Line {
    let (tests, changes) = (numbered(built.tests.len(), "test"), &built.changes);
    let counts = [("new", changes.new.len()), ("changed", changes.changed.len()), ("removed", changes.stale.len())];
    let told: Vec<String> = counts.iter().filter(|(_, n)| *n > 0).map(|(word, n)| format!("{n} {word}")).collect();
    let files: usize = counts.iter().map(|(_, n)| n).sum();
    let rest = changes.edited.len() + changes.foreign.len();
    match (built.written, files + rest == 0) {
        (true, false) => {
            let noun = if files == 1 { "file" } else { "files" };
            Line::new().tone(Tone::Good, "built").add(format!("  {tests}: {} {noun}", told.join(", ")))
        }
        (_, true) if !changes.lock || built.written => {
            Line::new().tone(Tone::Good, "up to date").add(format!("  {tests}"))
        }
        (_, true) => {
            Line::new().tone(Tone::Bad, "differs").add(format!("  {tests}: only `tests.lock` is not as it should be"))
        }
        (false, false) => Line::new().tone(Tone::Bad, "differs").add(format!(
            "  {tests}: {} of the recipe or `data/` not as they should be",
            numbered(files + rest, "file")
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn how_far_it_is() {
        let shown = |stage, done, width| {
            let lines = live(&Building { stage, done, of: 1200, elapsed_ms: 17_000 }, width);
            lines.into_iter().map(|line| line.render(false)).collect::<Vec<_>>().join("\n")
        };
        let wanted = "[00:17] ========>----------------- 400 of 1,200 inputs made";
        assert_eq!(shown(Stage::Inputs, 400, 78), wanted);
        let wanted = "[00:17] =============\n1,200 of 1,200 inputs answered and judged";
        assert_eq!(shown(Stage::Answers, 1200, 40), wanted);
    }
}
