//! The first lines about a finding: whose it is, what it is, how it was found, and how far it was shrunk.

use super::amounts::duration;
use super::layout::{flow, wrap};
use super::line::Line;
use super::tone::Tone;
use crate::campaign::Found;
use crate::corpus::{Certificate, ProofKind};
use crate::diagnostic::{counted, numbered};
use crate::verdict::Verdict;

/// How deep what belongs to a heading is indented.
pub(crate) const INDENT: &str = "      ";

/// The heading: one line of facts, and one each about shrinking and about chance.
pub(crate) fn heading(found: &Found, reference: Option<&str>, width: usize) -> Vec<Line> {
    let mut lines = flow(title(found), facts(found, reference), 3, width);
    if found.verdict == Verdict::JudgeError {
        lines.extend(wrap(Line::plain(INDENT), &blame(found, reference), width));
    }
    let notes = [shrinking(found), certificate(found), chance(found)].into_iter().flatten();
    lines.extend(notes.flat_map(|(tone, note)| toned(tone, &note, width)));
    lines
}

/// Whose failure a judge error is.
fn blame(found: &Found, reference: Option<&str>) -> String {
    if reference == Some(&found.submission) {
        let name = &found.submission;
        return format!(
            "the answers are taken from {name}, and it is {name} that fails on this input, so this says nothing about a \
             submission: repair {name}, or leave out such inputs with `--where`"
        );
    }
    "this is a failure of the jury's side: it says nothing about a submission".to_owned()
}

fn toned(tone: Tone, note: &str, width: usize) -> Vec<Line> {
    flow(Line::plain(INDENT), note.split(' ').map(|word| Line::new().tone(tone, word)), 1, width)
}

fn title(found: &Found) -> Line {
    match found.verdict {
        Verdict::JudgeError => Line::new().tone(Tone::Doubtful, "JUDGE ERROR").add("  "),
        _ if !found.is_confirmed() => Line::new().tone(Tone::Doubtful, "FLAKY").add("  "),
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

/// How far the input was shrunk. Nothing where there was nothing to do. What is proved to be the smallest there is, is so
/// however shrinking ended.
pub(crate) fn shrinking(found: &Found) -> Option<(Tone, String)> {
    let tried = numbered(found.shrink_tried, "smaller input");
    let early = "; shrinking stopped early: a smaller input may exist";
    let is_proved = found.certificate.as_ref().is_some_and(|proof| proof.complete);
    Some(match (found.shrink_steps, found.shrink_tried, found.shrink_complete || is_proved) {
        (0, 0, true) => return None,
        (0, 0, false) if !found.is_confirmed() => return None,
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

/// How far it is proved that there is nothing smaller, and what the proof rests on.
pub(crate) fn certificate(found: &Found) -> Option<(Tone, String)> {
    let proof = found.certificate.as_ref()?;
    let (tone, mut note) = if proof.complete { smallest(proof) } else { smallest_so_far(proof)? };
    if proof.shortest_spelling_only {
        note.push_str("; of each number only the shortest spelling was tried");
    }
    Some((tone, note))
}

/// What a statement about inputs assumes that were run in this way, behind a comma; nothing if that is nothing.
pub(crate) fn assumption(kind: ProofKind) -> &'static str {
    match kind {
        ProofKind::Processes => "",
        ProofKind::Copies => ", assuming that copies of a loaded process behave like new ones",
        ProofKind::Packed => ", assuming that cases are independent",
    }
}

/// `smallest possible: all 12 smaller valid inputs pass`.
fn smallest(proof: &Certificate) -> (Tone, String) {
    let (tone, how) = match proof.kind {
        ProofKind::Processes => (Tone::Good, String::new()),
        ProofKind::Copies => (Tone::Plain, part(proof.run_in_processes, proof, "run in new processes, too")),
        ProofKind::Packed => {
            (Tone::Plain, format!(" as cases of larger files{}", part(proof.run_alone, proof, "run alone, too")))
        }
    };
    let condition = assumption(proof.kind);
    let passing = passing(proof);
    let inputs = match proof.inputs {
        0 => "no valid input is smaller".to_owned(),
        1 => format!("the only smaller valid input {passing}"),
        inputs => format!("all {} smaller valid inputs {passing}", counted(inputs.into())),
    };
    (tone, format!("smallest possible{condition}: {inputs}{how}"))
}

/// `not proved minimal: the 1,200 smallest valid inputs pass`. None if nothing was run.
fn smallest_so_far(proof: &Certificate) -> Option<(Tone, String)> {
    let passing = passing(proof);
    let inputs = match proof.inputs {
        0 => None,
        inputs if proof.unanswered > 0 => {
            let all = counted((inputs + proof.unanswered).into());
            Some(format!("of the {all} smallest valid inputs {} {passing}", counted(inputs.into())))
        }
        1 => Some(format!("the smallest valid input {passing}")),
        inputs => Some(format!("the {} smallest valid inputs {passing}", counted(inputs.into()))),
    };
    let how = match proof.kind {
        ProofKind::Processes => String::new(),
        ProofKind::Copies => {
            format!(" in copies of a loaded process{}", part(proof.run_in_processes, proof, "run in new ones, too"))
        }
        ProofKind::Packed => {
            format!(" as cases of larger files{}", part(proof.run_alone, proof, "run alone, too"))
        }
    };
    let unanswered = (proof.unanswered > 0)
        .then(|| format!("on {} there is no answer to compare with", counted(proof.unanswered.into())));
    let same_size = proof.same_size.map(|same| match same.inputs {
        0 => "no input of this size is simpler".to_owned(),
        1 => "the only simpler input of this size passes".to_owned(),
        inputs => format!("all {} simpler inputs of this size pass", counted(inputs.into())),
    });
    let facts: Vec<String> =
        inputs.map(|inputs| inputs + &how).into_iter().chain(unanswered).chain(same_size).collect();
    (!facts.is_empty()).then(|| (Tone::Plain, format!("not proved minimal: {}", facts.join("; "))))
}

/// `, 48 of them run alone, too`; nothing if that is none of them.
fn part(inputs: u64, proof: &Certificate, how: &str) -> String {
    match inputs {
        0 => String::new(),
        all if all == proof.inputs => format!(", all of them {how}"),
        some => format!(", the smallest {} of them {how}", counted(some.into())),
    }
}

/// `passes`, or `pass, but for 3 that fail in another way`.
fn passing(proof: &Certificate) -> String {
    let verb = if proof.inputs == 1 { "passes" } else { "pass" };
    match proof.failing_otherwise {
        0 => verb.to_owned(),
        others => format!("{verb}, but for {} that fail in another way", counted(others.into())),
    }
}

/// That the failure comes and goes.
pub(crate) fn chance(found: &Found) -> Option<(Tone, String)> {
    let (failed, runs) = found.flaky?;
    if failed == 0 {
        let text =
            format!("flaky, no finding: it failed once, and in none of {} after that", numbered(runs as usize, "run"));
        return Some((Tone::Doubtful, text));
    }
    Some((Tone::Doubtful, format!("flaky: it fails in {failed} of {runs} runs on this input")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::corpus::SameSize;

    /// Proofs by what was run of 1,777 or more inputs, and what is said of each.
    #[test]
    fn notes_on_proofs_name_what_they_rest_on() {
        let proof = |kind, complete, inputs, run_alone, run_in_processes| Certificate {
            kind,
            complete,
            inputs,
            run_alone,
            run_in_processes,
            ..Certificate::default()
        };
        let (packed, copies, processes) = (ProofKind::Packed, ProofKind::Copies, ProofKind::Processes);
        let same_size = Some(SameSize { inputs: 48 });
        let cases = [
            (proof(processes, true, 0, 0, 0), "smallest possible: no valid input is smaller"),
            (proof(processes, true, 1, 1, 1), "smallest possible: the only smaller valid input passes"),
            (proof(processes, true, 1777, 1777, 1777), "smallest possible: all 1,777 smaller valid inputs pass"),
            (
                Certificate { failing_otherwise: 3, ..proof(processes, true, 1777, 1777, 1777) },
                "smallest possible: all 1,777 smaller valid inputs pass, but for 3 that fail in another way",
            ),
            (
                proof(copies, true, 40_000, 40_000, 5_000),
                "smallest possible, assuming that copies of a loaded process behave like new ones: all 40,000 smaller \
                 valid inputs pass, the smallest 5,000 of them run in new processes, too",
            ),
            (
                proof(packed, true, 1_000_000, 40_000, 5_000),
                "smallest possible, assuming that cases are independent: all 1,000,000 smaller valid inputs pass as cases \
                 of larger files, the smallest 40,000 of them run alone, too",
            ),
            (proof(processes, false, 30, 30, 30), "not proved minimal: the 30 smallest valid inputs pass"),
            (
                proof(packed, false, 9_000, 0, 0),
                "not proved minimal: the 9,000 smallest valid inputs pass as cases of larger files",
            ),
            (
                Certificate { unanswered: 2, ..proof(processes, false, 30, 30, 30) },
                "not proved minimal: of the 32 smallest valid inputs 30 pass; on 2 there is no answer to compare with",
            ),
            (
                Certificate { same_size, ..proof(processes, false, 30, 30, 30) },
                "not proved minimal: the 30 smallest valid inputs pass; all 48 simpler inputs of this size pass",
            ),
            (
                Certificate { shortest_spelling_only: true, ..proof(processes, true, 30, 30, 30) },
                "smallest possible: all 30 smaller valid inputs pass; of each number only the shortest spelling was tried",
            ),
        ];
        for (certificate, expected) in cases {
            let found = Found { certificate: Some(certificate), ..Found::blank("sol.cpp", Verdict::WrongAnswer) };
            assert_eq!(super::certificate(&found).map(|(_, note)| note).as_deref(), Some(expected));
        }
    }
}
