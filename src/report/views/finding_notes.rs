//! Notes on a finding: how far it was shrunk, what is proved of it, and how it was found. Terminals show one line of
//! them below the input; documents and `--verbose` show all.

use crate::report::styled_line::TextStyle;
use crate::report::units::format_duration;
use rebut_diagnostics::{count_with_noun, group_thousands};
use rebut_engine::event::{
    Finding, FindingChoices, FindingConversation, FindingFailure, FindingMinimization, JudgeKind,
};
use rebut_packages::{Certificate, ProofKind};

/// Returns the notes on the proof of minimality and the length of a conversation.
pub(super) fn proof_notes(found: &Finding) -> impl Iterator<Item = (TextStyle, String)> {
    [certificate_note(found), conversation_note(found, false)].into_iter().flatten()
}

/// Returns all notes in one sentence: how far the input was shrunk, and whether a smaller one may fail. A proof that
/// assumes something is called `likely`; [`proof_notes`] say what it assumes.
pub(super) fn brief_note(found: &Finding) -> Option<(TextStyle, String)> {
    let claim = found.proof.certificate.as_ref().and_then(|proof| brief_claim(found, proof));
    let shrunk = &found.minimization;
    let note = match claim {
        Some((style, separator, claim)) if shrunk.size_before > shrunk.size_after => {
            Some((style, format!("shrunk {}{separator}{claim}", sizes_text(shrunk))))
        }
        Some((style, _, claim)) => Some((style, claim)),
        None if shrunk.steps == 0 => shrinking_note(found, false),
        None => {
            let verb = if shrunk.size_before == shrunk.size_after { "simplified, still" } else { "shrunk" };
            let note = format!("{verb} {}", sizes_text(shrunk));
            Some(match shrunk.is_complete {
                true => (TextStyle::Plain, note),
                false => (TextStyle::Warning, note + "; stopped early, so a smaller input may fail"),
            })
        }
    };
    match (note, conversation_note(found, true)) {
        (Some((style, note)), Some((_, conversation))) => Some((style, format!("{note}; {conversation}"))),
        (note, conversation) => note.or(conversation),
    }
}

/// Returns the claim of a proof, and what separates it from the sizes before it.
fn brief_claim(found: &Finding, proof: &Certificate) -> Option<(TextStyle, &'static str, String)> {
    if !proof.complete {
        let style = if found.minimization.is_complete { TextStyle::Plain } else { TextStyle::Warning };
        return Some((style, "; ", format!("a smaller input may fail; {}", smallest_inputs_text(proof)?)));
    }
    let (what, names) = match found.run.judged_by {
        JudgeKind::Conversation => ("fewest elements", FEWER_ELEMENTS),
        _ => ("smallest", SMALLER),
    };
    let format = if found.has_guessed_format() { " under the guessed format" } else { "" };
    let inputs = smaller_inputs_text(proof, names);
    Some(match proof.kind == ProofKind::Processes && !proof.shortest_spelling_only {
        true => (TextStyle::Success, ", the ", format!("{what} possible{format}: {inputs}")),
        false => (TextStyle::Plain, ", ", format!("likely the {what}{format}: {inputs}")),
    })
}

/// Describes how far the input was shrunk, or returns `None` if there was nothing to shrink. An input that is proved
/// minimal counts as completely shrunk even if shrinking stopped early.
/// Documents of a campaign have no times.
pub(super) fn shrinking_note(found: &Finding, has_time: bool) -> Option<(TextStyle, String)> {
    let tried = count_with_noun(found.minimization.tried, "smaller input");
    let early = "; shrinking stopped early: a smaller input may exist";
    let is_proved = found.proof.certificate.as_ref().is_some_and(|proof| proof.complete);
    Some(match (found.minimization.steps, found.minimization.tried, found.minimization.is_complete || is_proved) {
        (0, 0, true) => return None,
        (0, 0, false) if !found.is_confirmed() => return None,
        (0, 0, false) => (TextStyle::Dim, "not shrunk: a smaller input may exist".to_owned()),
        (0, _, true) if is_proved => (TextStyle::Plain, format!("already minimal: no failure on {tried}")),
        (0, _, true) => (TextStyle::Plain, format!("not shrunk: no failure on {tried}")),
        (0, _, false) => (TextStyle::Warning, format!("no failure on {tried}{early}")),
        (_, _, true) => (TextStyle::Plain, shrunk_text(&found.minimization, has_time)),
        (_, _, false) => (TextStyle::Warning, format!("{}{early}", shrunk_text(&found.minimization, has_time))),
    })
}

/// Describes how the generator prints the input again, if it takes its choices from rebut.
pub(super) fn choices_note(found: &Finding) -> Option<(TextStyle, String)> {
    let FindingChoices { generator, prints_input, .. } = found.origin.choices.as_ref()?;
    let what = if *prints_input { "this input" } else { "the input that this one was shrunk from" };
    Some((
        TextStyle::Plain,
        format!("`{generator}` prints {what} if its standard input is `choices.txt` of the finding"),
    ))
}

/// `shrunk 412 -> 9 elements in 41 steps, 0.3 s`.
fn shrunk_text(shrunk: &FindingMinimization, has_time: bool) -> String {
    let steps = count_with_noun(shrunk.steps, "step");
    let time = if has_time { format!(", {}", format_duration(shrunk.time_ms)) } else { String::new() };
    match shrunk.size_before == shrunk.size_after {
        true => format!("simplified in {steps}{time}; still {}", sizes_text(shrunk)),
        false => format!("shrunk {} in {steps}{time}", sizes_text(shrunk)),
    }
}

/// `412 -> 9 elements`, or `9 elements` if the size stayed.
fn sizes_text(shrunk: &FindingMinimization) -> String {
    let unit = match shrunk.size_after {
        1 => shrunk.size_unit.trim_end_matches('s'),
        _ => shrunk.size_unit,
    };
    let after = format!("{} {unit}", group_thousands(shrunk.size_after as u128));
    match shrunk.size_before == shrunk.size_after {
        true => after,
        false => format!("{} -> {after}", group_thousands(shrunk.size_before as u128)),
    }
}

/// Describes how far the input is proved minimal, and the assumptions of the proof.
fn certificate_note(found: &Finding) -> Option<(TextStyle, String)> {
    let proof = found.proof.certificate.as_ref()?;
    let (style, mut note) = match (proof.complete, found.run.judged_by) {
        (true, JudgeKind::Conversation) => proved_minimal_note(proof, "fewest elements possible", FEWER_ELEMENTS),
        (true, _) => proved_minimal_note(proof, "smallest possible", SMALLER),
        (false, _) => partial_proof_note(proof)?,
    };
    if found.has_guessed_format() {
        note = note.replacen(" possible", " possible under the guessed format", 1);
    }
    if proof.shortest_spelling_only {
        note.push_str("; only the shortest spelling of each number was tried");
    }
    Some((style, note))
}

/// Returns the assumption of a proof by runs of this kind, after a comma; empty if it assumes nothing.
pub(super) fn proof_assumption(kind: ProofKind) -> &'static str {
    match kind {
        ProofKind::Processes => "",
        ProofKind::Copies => ", assuming that reused processes behave like new ones",
        ProofKind::Packed => ", assuming that cases are independent",
    }
}

/// The names of one, of several and of no smaller input, in most problems.
const SMALLER: [&str; 3] = ["smaller input", "smaller inputs", "no input is smaller"];

/// The same in an interactive problem, where inputs with as many elements are compared by their conversations.
const FEWER_ELEMENTS: [&str; 3] = ["input with fewer", "inputs with fewer", "no input has fewer"];

/// `smallest possible: all 12 smaller inputs pass`.
fn proved_minimal_note(proof: &Certificate, claim: &str, names: [&str; 3]) -> (TextStyle, String) {
    let (style, how) = match proof.kind {
        ProofKind::Processes => (TextStyle::Success, String::new()),
        ProofKind::Copies => {
            (TextStyle::Plain, subset_text(proof.run_in_processes, proof, "also run in new processes"))
        }
        ProofKind::Packed => (
            TextStyle::Plain,
            format!(" as cases of larger files{}", subset_text(proof.run_alone, proof, "also run alone")),
        ),
    };
    let (condition, inputs) = (proof_assumption(proof.kind), smaller_inputs_text(proof, names));
    (style, format!("{claim}{condition}: {inputs}{how}"))
}

/// `all 12 smaller inputs pass`.
fn smaller_inputs_text(proof: &Certificate, [one, several, none]: [&str; 3]) -> String {
    let passing = passing_text(proof);
    match proof.inputs {
        0 => none.to_owned(),
        1 => format!("the only {one} {passing}"),
        2 => format!("both {several} {passing}"),
        inputs => format!("all {} {several} {passing}", group_thousands(inputs.into())),
    }
}

/// `the 1,200 smallest inputs pass`. Returns `None` if nothing was run.
fn smallest_inputs_text(proof: &Certificate) -> Option<String> {
    let passing = passing_text(proof);
    let all = group_thousands((proof.inputs + proof.unanswered).into());
    Some(match proof.inputs {
        0 => return None,
        inputs if proof.unanswered > 0 => {
            format!("{} of the {all} smallest inputs {passing}", group_thousands(inputs.into()))
        }
        1 => format!("the smallest input {passing}"),
        _ => format!("the {all} smallest inputs {passing}"),
    })
}

/// `not proved minimal: the 1,200 smallest inputs pass`. Returns `None` if nothing was run.
fn partial_proof_note(proof: &Certificate) -> Option<(TextStyle, String)> {
    let inputs = smallest_inputs_text(proof);
    let how = match proof.kind {
        ProofKind::Processes => String::new(),
        ProofKind::Copies => {
            format!(" in reused processes{}", subset_text(proof.run_in_processes, proof, "also run in new ones"))
        }
        ProofKind::Packed => {
            format!(" as cases of larger files{}", subset_text(proof.run_alone, proof, "also run alone"))
        }
    };
    let unanswered = (proof.unanswered > 0)
        .then(|| format!("for {} there is no answer to compare with", group_thousands(proof.unanswered.into())));
    let same_size = proof.same_size.map(|same| match same.inputs {
        0 => "no input of this size is simpler".to_owned(),
        1 => "the only simpler input of this size passes".to_owned(),
        2 => "both simpler inputs of this size pass".to_owned(),
        inputs => format!("all {} simpler inputs of this size pass", group_thousands(inputs.into())),
    });
    let facts: Vec<String> =
        inputs.map(|inputs| inputs + &how).into_iter().chain(unanswered).chain(same_size).collect();
    (!facts.is_empty()).then(|| (TextStyle::Plain, format!("not proved minimal: {}", facts.join("; "))))
}

/// `, the smallest 48 of them also run alone`; empty for 0 inputs.
fn subset_text(inputs: u64, proof: &Certificate, how: &str) -> String {
    match inputs {
        0 => String::new(),
        all if all == proof.inputs => format!(", all of them {how}"),
        some => format!(", the smallest {} of them {how}", group_thousands(some.into())),
    }
}

/// `passes`, `pass`, or `pass, except 3 that fail in another way`.
fn passing_text(proof: &Certificate) -> String {
    let verb = if proof.inputs == 1 { "passes" } else { "pass" };
    match proof.failing_otherwise {
        0 => verb.to_owned(),
        others => format!("{verb}, except {} that fail in another way", group_thousands(others.into())),
    }
}

/// Describes the length of the conversation with an interactor, and how far it is known to be the shortest. Minimal is
/// only what is proved to have the fewest elements as well.
fn conversation_note(found: &Finding, is_brief: bool) -> Option<(TextStyle, String)> {
    let conversation = found.run.conversation.as_ref()?;
    let FindingConversation { inputs_of_this_size: inputs, shortest_of_this_size: is_shortest, .. } = *conversation;
    let length = conversation_length_text(conversation);
    let amount = group_thousands(inputs.into());
    if inputs == 0 || is_brief && !is_shortest {
        return Some((TextStyle::Plain, format!("interaction: {length}")));
    }
    if !is_shortest {
        let inputs = count_with_noun(inputs as usize, "input");
        let text = format!("interaction: {length}, the shortest in {inputs} of this size; a shorter one may exist");
        return Some((TextStyle::Plain, text));
    }
    let (style, claim) = match found.proof.certificate.as_ref() {
        Some(proof) if proof.complete && proof.kind == ProofKind::Processes => {
            (TextStyle::Success, "minimal interaction")
        }
        _ => (TextStyle::Plain, "shortest interaction at this size"),
    };
    let how = match inputs {
        _ if is_brief => String::new(),
        1 => "; it is the only valid input of this size".to_owned(),
        _ => format!("; all {amount} valid inputs of this size were run"),
    };
    Some((style, format!("{claim}: {length}{how}")))
}

/// `5 messages of 14 bytes`, or `3 to 5 messages from run to run`.
fn conversation_length_text(conversation: &FindingConversation) -> String {
    let FindingConversation { messages, bytes, fewest_messages, .. } = *conversation;
    let messages_text = count_with_noun(messages as usize, "message");
    if fewest_messages < messages {
        return format!("{} to {messages_text} from run to run", group_thousands(fewest_messages.into()));
    }
    format!("{messages_text} of {}", count_with_noun(bytes as usize, "byte"))
}

/// Describes how often the failure occurs, if it is flaky.
pub(super) fn flakiness_note(failure: &FindingFailure) -> Option<(TextStyle, String)> {
    let (failed, runs) = failure.flaky?;
    if failed == 0 {
        let text = format!(
            "flaky, not a finding: it failed in the search, and in none of {}",
            count_with_noun(runs as usize, "further run")
        );
        return Some((TextStyle::Warning, text));
    }
    Some((TextStyle::Warning, format!("flaky: it fails in {failed} of {runs} runs on this input")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use rebut_packages::SameSizeProof;
    use rebut_packages::verdict::Verdict;

    fn wrong_answer() -> Finding {
        Finding::from_failure(FindingFailure::new("sol.cpp", Verdict::WrongAnswer))
    }

    #[test]
    fn interaction_is_called_minimal_only_if_that_is_proved() {
        let conversation =
            FindingConversation { messages: 5, bytes: 1_400, fewest_messages: 5, ..FindingConversation::default() };
        let tried = FindingConversation { inputs_of_this_size: 512, ..conversation };
        let all = FindingConversation { shortest_of_this_size: true, ..tried };
        let only = FindingConversation { inputs_of_this_size: 1, ..all };
        let proof = |complete| Certificate { complete, kind: ProofKind::Processes, ..Certificate::default() };
        let note = |conversation, certificate| {
            let mut found = wrong_answer();
            found.run.conversation = Some(conversation);
            found.run.judged_by = JudgeKind::Conversation;
            found.proof.certificate = certificate;
            let notes = [certificate_note(&found), conversation_note(&found, false)].into_iter().flatten();
            notes.map(|(_, note)| note).collect::<Vec<_>>().join(" / ")
        };
        assert_eq!(note(conversation, None), "interaction: 5 messages of 1,400 bytes");
        assert_eq!(
            note(tried, Some(proof(true))),
            "fewest elements possible: no input has fewer / \
             interaction: 5 messages of 1,400 bytes, the shortest in 512 inputs of this size; a shorter one may exist"
        );
        assert_eq!(
            note(all, Some(proof(false))),
            "shortest interaction at this size: 5 messages of 1,400 bytes; all 512 valid inputs of this size were run"
        );
        assert_eq!(
            note(all, Some(Certificate { inputs: 12, ..proof(true) })),
            "fewest elements possible: all 12 inputs with fewer pass / \
             minimal interaction: 5 messages of 1,400 bytes; all 512 valid inputs of this size were run"
        );
        assert_eq!(
            note(only, None),
            "shortest interaction at this size: 5 messages of 1,400 bytes; it is the only valid input of this size"
        );
        let varying = FindingConversation { fewest_messages: 3, ..conversation };
        assert_eq!(note(varying, None), "interaction: 3 to 5 messages from run to run");
    }

    #[test]
    fn certificate_notes_state_their_assumptions() {
        let proof = |kind, complete, inputs, run_alone, run_in_processes| Certificate {
            kind,
            complete,
            inputs,
            run_alone,
            run_in_processes,
            ..Certificate::default()
        };
        let (packed, copies, processes) = (ProofKind::Packed, ProofKind::Copies, ProofKind::Processes);
        let same_size = Some(SameSizeProof { inputs: 48 });
        let cases = [
            (proof(processes, true, 0, 0, 0), "smallest possible: no input is smaller"),
            (proof(processes, true, 1, 1, 1), "smallest possible: the only smaller input passes"),
            (proof(processes, true, 1777, 1777, 1777), "smallest possible: all 1,777 smaller inputs pass"),
            (
                Certificate { failing_otherwise: 3, ..proof(processes, true, 1777, 1777, 1777) },
                "smallest possible: all 1,777 smaller inputs pass, except 3 that fail in another way",
            ),
            (
                proof(copies, true, 40_000, 40_000, 5_000),
                "smallest possible, assuming that reused processes behave like new ones: all 40,000 smaller \
                 inputs pass, the smallest 5,000 of them also run in new processes",
            ),
            (
                proof(packed, true, 1_000_000, 40_000, 5_000),
                "smallest possible, assuming that cases are independent: all 1,000,000 smaller inputs pass as cases \
                 of larger files, the smallest 40,000 of them also run alone",
            ),
            (proof(processes, false, 30, 30, 30), "not proved minimal: the 30 smallest inputs pass"),
            (
                proof(packed, false, 9_000, 0, 0),
                "not proved minimal: the 9,000 smallest inputs pass as cases of larger files",
            ),
            (
                Certificate { unanswered: 2, ..proof(processes, false, 30, 30, 30) },
                "not proved minimal: 30 of the 32 smallest inputs pass; for 2 there is no answer to compare with",
            ),
            (
                Certificate { same_size, ..proof(processes, false, 30, 30, 30) },
                "not proved minimal: the 30 smallest inputs pass; all 48 simpler inputs of this size pass",
            ),
            (
                Certificate { shortest_spelling_only: true, ..proof(processes, true, 30, 30, 30) },
                "smallest possible: all 30 smaller inputs pass; only the shortest spelling of each number was tried",
            ),
        ];
        for (certificate, expected) in cases {
            let mut found = wrong_answer();
            found.proof.certificate = Some(certificate);
            assert_eq!(certificate_note(&found).map(|(_, note)| note).as_deref(), Some(expected));
        }
    }

    #[test]
    fn brief_note_says_what_is_certain_and_what_is_likely() {
        let (packed, processes) = (ProofKind::Packed, ProofKind::Processes);
        let proof = |kind, complete, inputs| Certificate { kind, complete, inputs, ..Certificate::default() };
        let only_shortest = Certificate { shortest_spelling_only: true, ..proof(processes, true, 30) };
        let cases = [
            (
                412,
                Some(proof(processes, true, 12)),
                "shrunk 412 -> 9 elements, the smallest possible: all 12 smaller inputs pass",
            ),
            (9, Some(proof(processes, true, 12)), "smallest possible: all 12 smaller inputs pass"),
            (
                412,
                Some(proof(packed, true, 30)),
                "shrunk 412 -> 9 elements, likely the smallest: all 30 smaller inputs pass",
            ),
            (9, Some(only_shortest), "likely the smallest: all 30 smaller inputs pass"),
            (
                412,
                Some(proof(packed, false, 30)),
                "shrunk 412 -> 9 elements; a smaller input may fail; the 30 smallest inputs pass",
            ),
            (412, Some(proof(packed, false, 0)), "shrunk 412 -> 9 elements"),
            (412, None, "shrunk 412 -> 9 elements"),
            (9, None, "simplified, still 9 elements"),
        ];
        for (size_before, certificate, expected) in cases {
            let mut found = wrong_answer();
            let sizes = FindingMinimization::of_size(9, "elements");
            found.minimization = FindingMinimization { size_before, steps: 41, is_complete: true, ..sizes };
            found.proof.certificate = certificate;
            assert_eq!(brief_note(&found).map(|(_, note)| note).as_deref(), Some(expected));
        }
    }

    #[test]
    fn shrinking_is_described_if_anything_was_tried() {
        let shrunk = |before, after, steps, is_complete| {
            let mut found = wrong_answer();
            let sizes = FindingMinimization::of_size(after, "elements");
            found.minimization = FindingMinimization { size_before: before, steps, is_complete, ..sizes };
            shrinking_note(&found, false).map(|(_, note)| note)
        };
        assert_eq!(shrunk(9, 9, 0, true), None);
        assert_eq!(shrunk(1_412, 9, 41, true).as_deref(), Some("shrunk 1,412 -> 9 elements in 41 steps"));
        assert_eq!(shrunk(9, 9, 1, true).as_deref(), Some("simplified in 1 step; still 9 elements"));
        let early = shrunk(10, 9, 1, false);
        assert!(early.is_some_and(|text| text.ends_with("shrinking stopped early: a smaller input may exist")));
    }
}
