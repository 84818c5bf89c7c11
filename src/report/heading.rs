//! The first lines about a finding: whose it is, what it is, how it was found, and how far it was shrunk.

use super::amounts::duration;
use super::layout::{flow, wrap};
use super::line::Line;
use super::tone::Tone;
use crate::campaign::Found;
use crate::diagnostic::{counted, numbered};
use crate::verdict::Verdict;

/// How deep what belongs to a heading is indented.
pub(crate) const INDENT: &str = "      ";

/// The heading: one line of facts, and one each about shrinking and about chance.
pub(crate) fn heading(found: &Found, reference: Option<&str>, width: usize) -> Vec<Line> {
    let mut lines = flow(title(found), facts(found, reference), 3, width);
    if found.verdict == Verdict::JudgeError {
        let blame = "this is a failure of the jury's side: it says nothing about a submission";
        lines.extend(wrap(Line::plain(INDENT), blame, width));
    }
    let notes = [shrinking(found), certificate(found), chance(found)].into_iter().flatten();
    lines.extend(notes.flat_map(|(tone, note)| toned(tone, &note, width)));
    lines
}

fn toned(tone: Tone, note: &str, width: usize) -> Vec<Line> {
    flow(Line::plain(INDENT), note.split(' ').map(|word| Line::new().tone(tone, word)), 1, width)
}

fn title(found: &Found) -> Line {
    match found.verdict {
        Verdict::JudgeError => Line::new().tone(Tone::Doubtful, "JUDGE ERROR").add("  "),
        _ => Line::new().tone(Tone::Bad, "FAIL").add("  "),
    }
}

fn facts(found: &Found, reference: Option<&str>) -> Vec<Line> {
    let role = if reference == Some(&found.submission) { "the reference " } else { "" };
    let who = match found.verdict {
        Verdict::JudgeError => Line::plain(role).tone(Tone::Bold, &found.submission),
        verdict => Line::new().tone(Tone::Bold, &found.submission).add(": ").tone(Tone::Bad, verdict.words()),
    };
    let case = found.case.map(|case| format!("case {}", counted(u128::from(case))));
    let shape = found.shape.as_ref().filter(|shape| !shape.is_empty()).map(|shape| format!("shape {shape}"));
    let after = found.case.map(|_| format!("after {}", duration(found.elapsed_ms)));
    let test_case = found.test_case.as_ref().map(|name| format!("test case {name}"));
    let rest = [case, test_case, shape, after].into_iter().flatten().map(Line::plain);
    [who].into_iter().chain(rest).collect()
}

/// How far the input was shrunk. Nothing where there was nothing to do.
pub(crate) fn shrinking(found: &Found) -> Option<(Tone, String)> {
    let tried = numbered(found.shrink_tried, "smaller input");
    let early = "; shrinking stopped early: a smaller input may exist";
    Some(match (found.shrink_steps, found.shrink_tried, found.shrink_complete) {
        (0, 0, true) => return None,
        (0, 0, false) => (Tone::Dim, "not shrunk: a smaller input may exist".to_owned()),
        (0, _, true) => (Tone::Plain, format!("already minimal: no failure on {tried}")),
        (0, _, false) => (Tone::Doubtful, format!("no failure on {tried}{early}")),
        (_, _, true) => (Tone::Plain, shrunk(found)),
        (_, _, false) => (Tone::Doubtful, format!("{}{early}", shrunk(found))),
    })
}

/// `shrunk 412 -> 9 elements in 41 steps, 0.3 s`.
fn shrunk(found: &Found) -> String {
    let steps = numbered(found.shrink_steps, "step");
    let time = duration(found.shrink_time_ms);
    let unit = match found.size_after {
        1 => found.size_unit.trim_end_matches('s'),
        _ => found.size_unit,
    };
    let (before, after) = (counted(found.size_before as u128), counted(found.size_after as u128));
    if found.size_before == found.size_after {
        return format!("simplified in {steps}, {time}; still {after} {unit}");
    }
    format!("shrunk {before} -> {after} {unit} in {steps}, {time}")
}

/// How far it is proved that there is nothing smaller.
pub(crate) fn certificate(found: &Found) -> Option<(Tone, String)> {
    let proof = found.certificate.as_ref()?;
    let inputs = counted(proof.inputs.into());
    let verb = if proof.inputs == 1 { "passes" } else { "pass" };
    let noun = if proof.inputs == 1 { "input" } else { "inputs" };
    let passing = match proof.failing_otherwise {
        0 => verb.to_owned(),
        others => format!("{verb}, but for {} that fail in another way", counted(others.into())),
    };
    Some(match (proof.complete, proof.inputs) {
        (true, 0) => (Tone::Good, "smallest possible: no valid input is smaller".to_owned()),
        (true, 1) => (Tone::Good, format!("smallest possible: the only smaller valid input {passing}")),
        (true, _) => (Tone::Good, format!("smallest possible: all {inputs} smaller valid inputs {passing}")),
        (false, 0) => return None,
        (false, _) if proof.unanswered > 0 => {
            let unknown = counted(proof.unanswered.into());
            (Tone::Plain, format!("{inputs} smaller valid {noun} {passing}; on {unknown} the reference is too slow"))
        }
        (false, _) => {
            (Tone::Plain, format!("the {inputs} smallest valid {noun} {passing}; there are more below this one"))
        }
    })
}

/// That the failure comes and goes.
pub(crate) fn chance(found: &Found) -> Option<(Tone, String)> {
    let (failed, runs) = found.flaky?;
    Some((Tone::Doubtful, format!("flaky: it fails in {failed} of {runs} runs on this input")))
}
