//! The summary at the end of a command, or of one of its shards.

use super::finding_notes::proof_assumption;
use crate::report::page::{Block, Page};
use crate::report::progress::{rank_answers, rank_shapes};
use crate::report::styled_line::{StyledLine, TextStyle};
use crate::report::units::format_duration;
use rebut_diagnostics::{count_with_noun, group_thousands};
use rebut_engine::event::{
    CommandSummary, EndReason, ExhaustiveReach, LongestConversation, SearchConclusion, SearchProgress, ShardFinished,
    SizeCeiling, SubmissionFailed,
};
use rebut_packages::ProofKind;

/// Minimum number of equal answers from which they are reported; fewer may be equal by chance.
const MIN_ALIKE_ANSWERS: u64 = 100;
/// Advice after an inconclusive search.
const SEARCH_LONGER_ADVICE: &str = "search longer with --time, or make smaller inputs with --where";
/// Labels of answer counts that stand for several answers.
const COLLECTIVE_ANSWERS: [&str; 2] = ["other", "mixed"];

/// Returns the last lines: the findings, the number of inputs and the time, and how to repeat the search.
pub(crate) fn summary_page<'a>(summary: &CommandSummary, is_search: bool) -> Page<'a> {
    let Some(progress) = &summary.progress else { return short_summary(summary) };
    let mut page = Page::default();
    let (style, word) = summary_heading(summary, progress);
    let head = StyledLine::from_label(0, style, word, "  ");
    let indent = head.width();
    page.add_cut_note(head, summary_sentence(summary, progress));
    let label = |text: &str| StyledLine::from_label(indent, TextStyle::Dim, text, "  ");
    let is_sound = summary.reason != EndReason::JudgeError;
    let are_mixed = is_sound && !summary.survivors.is_empty() && (summary.findings > 0 || summary.survivors.len() > 1);
    if are_mixed {
        let names = summary.survivors.iter().map(|name| StyledLine::from_styled(TextStyle::Bold, name));
        page.push(Block::Flow(label(&format!("{} for", summary.nothing_found())), names.collect(), 2));
    }
    if let Some(reach) = summary.reach.filter(|reach| !summary.survivors.is_empty() && !is_proved(summary, *reach)) {
        page.add_cut_note(label("passing"), passing_text(reach));
    }
    // The advice to raise the sizes would contradict that of an inconclusive search.
    let is_inconclusive = summary.result == Some(SearchConclusion::Inconclusive);
    if let Some(ceiling) = summary.ceiling.filter(|_| is_sound && summary.findings == 0 && !is_inconclusive) {
        page.add_cut_note(label("sizes"), size_ceiling_text(ceiling));
    }
    if let Some(why) = summary.result_reason.as_ref().filter(|_| is_inconclusive) {
        let advice = match progress.is_reference_slow() {
            _ if summary.reason == EndReason::Incomplete => "run their shards, and merge again".to_owned(),
            _ if progress.unfinished_ms > 0 => "give it more time with --time, if it ends at all".to_owned(),
            true => slow_reference_advice(summary.smaller_inputs.as_deref()),
            false => SEARCH_LONGER_ADVICE.to_owned(),
        };
        page.add_cut_note(label("reason"), format!("{why}; {advice}"));
    }
    if summary.findings == 0 {
        add_tried(&mut page, progress, indent);
    }
    if let Some(longest) = &progress.longest_conversation {
        page.add_cut_note(label("longest"), longest_conversation_text(longest, summary.reason));
    }
    // The reason of an inconclusive search names the skipped inputs.
    if progress.skipped > 0 && !is_inconclusive {
        let inputs = count_with_noun(progress.skipped as usize, "input");
        let were = if progress.skipped == 1 { "was" } else { "were" };
        let note = format!("{inputs} {were} skipped: the reference runs out of time or memory on them");
        page.add_cut_note(label("note"), note);
    }
    if let Some(smaller) = summary.smaller_inputs.as_deref().filter(|_| summary.findings == 0 && !is_inconclusive) {
        let share = progress.shares.reference;
        let advice = slow_reference_advice(Some(smaller));
        page.add_cut_note(label("note"), format!("the reference took {share} % of the time; {advice}"));
    }
    if is_search && summary.findings == 0 {
        let options = repeat_option(summary).into_iter();
        options.for_each(|again| page.add_line(label("repeat").add_styled(TextStyle::Copyable, again)));
    }
    add_single_answer_warning(&mut page, summary, progress);
    page
}

/// `conversation so far: 22 messages, 11 by the submission, on input 32, `100 7``.
fn longest_conversation_text(longest: &LongestConversation, reason: EndReason) -> String {
    let LongestConversation { messages, questions, index, input } = longest;
    let so_far = if reason == EndReason::Exhausted { "" } else { " so far" };
    let (messages, number) = (count_with_noun(*messages as usize, "message"), group_thousands(u128::from(index.0) + 1));
    let input = if input.is_empty() { String::new() } else { format!(", `{input}`") };
    format!("conversation{so_far}: {messages}, {questions} by the submission, on input {number}{input}")
}

/// Returns the advice after a search in which the reference was slow. `smaller` is a constraint on the inputs.
fn slow_reference_advice(smaller: Option<&str>) -> String {
    let smaller = smaller.map(|smaller| format!(" '{smaller}'")).unwrap_or_default();
    format!(
        "make smaller inputs with --where{smaller}, name a faster reference, or give it more time with --reference-time"
    )
}

/// Without a search, everything but the absence of failures has already been shown.
fn short_summary<'a>(summary: &CommandSummary) -> Page<'a> {
    let mut page = Page::default();
    if summary.findings == 0 && !summary.survivors.is_empty() && summary.reason != EndReason::Interrupted {
        let head = StyledLine::from_label(0, TextStyle::Success, "OK", "  ");
        let expression = summary.expression.as_ref();
        let failures = || format!("no failure in {}", summary.survivors.join(", "));
        page.add_cut_note(head, expression.map_or_else(failures, |text| format!("`{text}` does not hold any more")));
    }
    page
}

fn summary_heading(summary: &CommandSummary, progress: &SearchProgress) -> (TextStyle, &'static str) {
    match summary.reason {
        EndReason::JudgeError => (TextStyle::Warning, "STOPPED"),
        EndReason::Interrupted => (TextStyle::Warning, "INTERRUPTED"),
        _ if summary.findings > 0 && summary.expression.is_some() => (TextStyle::Success, "FOUND"),
        _ if summary.findings > 0 => (TextStyle::Failure, "FAIL"),
        _ if summary.result == Some(SearchConclusion::Flaky) => (TextStyle::Warning, "FLAKY"),
        _ if summary.result == Some(SearchConclusion::Inconclusive) => (TextStyle::Warning, "INCONCLUSIVE"),
        _ if progress.cases == 0 => (TextStyle::Warning, "NOTHING TRIED"),
        _ => (TextStyle::Success, "OK"),
    }
}

/// `nothing found: 12,480 cases in 60.0 s, seed 5eedc0de`.
fn summary_sentence(summary: &CommandSummary, progress: &SearchProgress) -> String {
    let seed = summary.seed.map(|seed| format!(", seed {seed:x}")).unwrap_or_default();
    let amount = format!("{} {}{seed}", cases_text(progress), format_duration(progress.elapsed_ms));
    match (summary.reason, summary.findings) {
        (EndReason::JudgeError, _) => format!("a judge program failed: {amount}"),
        (_, 0) if summary.unconfirmed > 0 => {
            let failures = count_with_noun(summary.unconfirmed, "failure");
            format!("no finding, but {failures} that could not be reproduced: {amount}")
        }
        (_, 0) if progress.cases == 0 => format!("no input in {}{seed}", format_duration(progress.elapsed_ms)),
        (EndReason::Exhausted, 0) => {
            let all = summary.reach.map_or(progress.cases, |reach| reach.inputs);
            let under = if summary.guessed_format { " of the guessed format" } else { "" };
            let rest = format!("{under}{}", one_case_text(summary.reach));
            let time = format_duration(progress.elapsed_ms);
            let number = group_thousands(u128::from(all));
            match (&summary.expression, all) {
                (Some(expression), 1) => format!("`{expression}` does not hold on the only input{rest}, {time}"),
                (Some(expression), _) => format!("`{expression}` holds on none of the {number} inputs{rest}, {time}"),
                (None, 1) => format!("the only input{rest} agrees, {time}"),
                (None, _) => format!("all {number} inputs{rest} agree, {time}"),
            }
        }
        (_, 0) => format!("{}: {amount}", summary.nothing_found()),
        (_, findings) => match &summary.expression {
            Some(expression) => format!("`{expression}` holds on an input: {amount}"),
            None => format!("{}: {amount}", count_with_noun(findings, "finding")),
        },
    }
}

/// `12,480 cases in`; `1,200,000 cases in 1,200 inputs,` if inputs have several cases. The caller appends the time.
fn cases_text(progress: &SearchProgress) -> String {
    let [cases, inputs] = [(progress.test_cases.max(progress.cases), "case"), (progress.cases, "input")]
        .map(|(count, noun)| count_with_noun(count as usize, noun));
    if progress.test_cases > progress.cases { format!("{cases} in {inputs},") } else { format!("{cases} in") }
}

/// Returns true if the heading needs no qualification: every input was run, each in a new process.
fn is_proved(summary: &CommandSummary, reach: ExhaustiveReach) -> bool {
    summary.reason == EndReason::Exhausted && reach.complete && reach.kind == ProofKind::Processes
}

/// `the 12,345 smallest inputs, of at most 13 elements`, and the assumptions of that claim.
fn passing_text(reach: ExhaustiveReach) -> String {
    let elements = count_with_noun(reach.elements, "element");
    let of_one_case = one_case_text(Some(reach));
    let all = group_thousands(reach.inputs.into());
    let known = group_thousands((reach.inputs + reach.unanswered).into());
    let inputs = match (reach.complete, reach.inputs) {
        (true, 1) => format!("the only input{of_one_case}"),
        (true, _) => format!("all {all} inputs{of_one_case}"),
        _ if reach.unanswered > 0 => {
            let unanswered = group_thousands(reach.unanswered.into());
            format!(
                "{all} of the {known} smallest inputs{of_one_case} (for {unanswered} there is no answer), of at most {elements}"
            )
        }
        (false, 1) => format!("the smallest input{of_one_case}, of {elements}"),
        (false, _) => format!("the {all} smallest inputs{of_one_case}, of at most {elements}"),
    };
    let also = |count: u64, how: &str| match count {
        0 => String::new(),
        some if some == reach.inputs => format!("; each also {how}"),
        some => format!("; the {} smallest also {how}", group_thousands(some.into())),
    };
    let further = match reach.kind {
        ProofKind::Processes => String::new(),
        ProofKind::Copies => also(reach.run_in_processes, "in new processes"),
        ProofKind::Packed => also(reach.run_alone, "alone"),
    };
    format!("{inputs}{}{further}", proof_assumption(reach.kind))
}

/// `mostly at most about 2,000 of 200,001 elements; raise it with --max-elements`.
fn size_ceiling_text(ceiling: SizeCeiling) -> String {
    let possible = group_thousands(ceiling.possible.unsigned_abs());
    let of_case = if ceiling.of_case { " a case" } else { "" };
    let mostly = if ceiling.has_larger { "mostly " } else { "" };
    let elements = group_thousands(ceiling.elements as u128);
    format!("{mostly}at most about {elements} of {possible} elements{of_case}; raise it with --max-elements")
}

/// Returns the qualification of a number of inputs: ` of one case` if inputs of several cases were not tried.
fn one_case_text(reach: Option<ExhaustiveReach>) -> &'static str {
    if reach.is_some_and(|reach| reach.of_one_case) { " of one case" } else { "" }
}

/// Adds the answers and the shapes that were tried.
fn add_tried(page: &mut Page<'_>, progress: &SearchProgress, indent: usize) {
    let mut shapes = rank_shapes(&progress.shapes);
    if !shapes.is_empty() {
        shapes.insert(0, StyledLine::from_styled(TextStyle::Dim, "shapes"));
    }
    for facts in [rank_answers(&progress.answers), shapes].into_iter().filter(|facts| !facts.is_empty()) {
        page.push(Block::Flow(StyledLine::from_plain(" ".repeat(indent)), facts, 2));
    }
}

/// Returns the options that repeat the same inputs.
fn repeat_option(summary: &CommandSummary) -> Option<String> {
    let growth = summary.initial_growth.map(|growth| format!(" --initial-growth {growth}")).unwrap_or_default();
    summary.seed.map(|seed| format!("--seed {seed:x}{growth}"))
}

/// Adds a warning if every answer was the same: a submission that always prints that answer would pass.
fn add_single_answer_warning(page: &mut Page<'_>, summary: &CommandSummary, progress: &SearchProgress) {
    let mut answers = progress.answers.iter();
    let (Some((answer, count)), None) = (answers.next(), answers.next()) else { return };
    if summary.survivors.is_empty() || *count < MIN_ALIKE_ANSWERS || COLLECTIVE_ANSWERS.contains(&answer.as_str()) {
        return;
    }
    let text = format!(
        "every answer was `{answer}`, so a submission that always prints it passes; \
         make inputs with other answers more likely, or add some by hand"
    );
    page.add_cut_note(StyledLine::from_label(0, TextStyle::Warning, "warning", ": "), text);
}

/// Returns the end of one of several parts of a search: how many blocks were run, what failed in them, and what to do
/// next.
pub(crate) fn shard_page<'a>(shard: &ShardFinished) -> Page<'a> {
    let mut page = Page::default();
    let is_done = shard.left == 0;
    let (style, word) = if is_done { (TextStyle::Success, "DONE") } else { (TextStyle::Warning, "LEFT") };
    let head = StyledLine::from_label(0, style, word, "  ");
    let indent = head.width();
    let label = |text: &str| StyledLine::from_label(indent, TextStyle::Dim, text, "  ");
    page.add_cut_note(head, blocks_text(shard));
    for failed in &shard.failures {
        page.add_cut_note(label(if failed.is_expression { "found" } else { "failing" }), failed_text(failed));
    }
    let next = if is_done { format!("rebut merge {}", shard.journal.display()) } else { "run it again".to_owned() };
    page.add_line(label("next").add_styled(TextStyle::Copyable, next).into_uncut());
    page
}

/// `wrong.c: wrong answer on input 7`
pub(crate) fn failed_text(failed: &SubmissionFailed) -> String {
    let SubmissionFailed { submission, verdict, case, is_expression, .. } = failed;
    let input = group_thousands(u128::from(*case));
    if *is_expression {
        return format!("`{submission}` holds on input {input}");
    }
    format!("{submission}: {} on input {input}", verdict.description())
}

/// `shard 2/8: 8 blocks, 6 run now and 2 before`.
fn blocks_text(shard: &ShardFinished) -> String {
    let number = |count: u64| group_thousands(u128::from(count));
    let blocks = count_with_noun(shard.blocks as usize, "block");
    let some = |count: u64, what: &str| {
        if count > 0 { format!(", {} {what}", number(count)) } else { String::new() }
    };
    let left = some(shard.left, "left");
    let not_needed = some(shard.blocks - shard.run - shard.known - shard.left, "not needed after a failure");
    let [run, known] = [shard.run, shard.known].map(number);
    format!("shard {}/{}: {blocks}, {run} run now and {known} before{not_needed}{left}", shard.shard, shard.shards)
}

#[cfg(test)]
mod tests {
    use super::*;
    fn progress(cases: u64, test_cases: u64) -> SearchProgress {
        SearchProgress { cases, test_cases, elapsed_ms: 2_000, ..SearchProgress::default() }
    }

    fn reach(kind: ProofKind, inputs: u64) -> ExhaustiveReach {
        ExhaustiveReach { kind, inputs, elements: 3, ..ExhaustiveReach::default() }
    }

    fn heading(change: impl FnOnce(&mut CommandSummary), cases: u64) -> (&'static str, String) {
        let mut summary = CommandSummary { reason: EndReason::Time, ..CommandSummary::default() };
        change(&mut summary);
        let progress = progress(cases, cases);
        (summary_heading(&summary, &progress).1, summary_sentence(&summary, &progress))
    }

    #[test]
    fn cases_are_counted_within_their_inputs() {
        assert_eq!(cases_text(&progress(1, 1)), "1 case in");
        assert_eq!(cases_text(&progress(12_480, 12_480)), "12,480 cases in");
        assert_eq!(cases_text(&progress(1, 1_000)), "1,000 cases in 1 input,");
    }

    #[test]
    fn heading_is_the_gravest_of_the_results() {
        assert_eq!(heading(|_| (), 5), ("OK", "nothing found: 5 cases in 2.0 s".to_owned()));
        assert_eq!(heading(|_| (), 0), ("NOTHING TRIED", "no input in 2.0 s".to_owned()));
        assert_eq!(heading(|s| s.findings = 2, 5), ("FAIL", "2 findings: 5 cases in 2.0 s".to_owned()));
        let flaky = |s: &mut CommandSummary| (s.result, s.unconfirmed) = (Some(SearchConclusion::Flaky), 1);
        let why = "no finding, but 1 failure that could not be reproduced: 5 cases in 2.0 s";
        assert_eq!(heading(flaky, 5), ("FLAKY", why.to_owned()));
        let judge = |s: &mut CommandSummary| (s.reason, s.findings) = (EndReason::JudgeError, 1);
        assert_eq!(heading(judge, 5), ("STOPPED", "a judge program failed: 5 cases in 2.0 s".to_owned()));
        let all =
            |s: &mut CommandSummary| (s.reason, s.reach) = (EndReason::Exhausted, Some(reach(ProofKind::Packed, 9)));
        assert_eq!(heading(all, 5), ("OK", "all 9 inputs agree, 2.0 s".to_owned()));
        let only = |s: &mut CommandSummary| s.reason = EndReason::Exhausted;
        assert_eq!(heading(only, 1), ("OK", "the only input agrees, 2.0 s".to_owned()));
        let find = |s: &mut CommandSummary| {
            (s.reason, s.expression) = (EndReason::Exhausted, Some("a fails".to_owned()));
        };
        assert_eq!(heading(find, 5), ("OK", "`a fails` holds on none of the 5 inputs, 2.0 s".to_owned()));
    }

    #[test]
    fn claim_about_passing_inputs_names_its_assumptions() {
        let mut partial = reach(ProofKind::Processes, 1);
        assert_eq!(passing_text(partial), "the smallest input, of 3 elements");
        partial.inputs = 12_345;
        assert_eq!(passing_text(partial), "the 12,345 smallest inputs, of at most 3 elements");
        partial.unanswered = 2;
        let unanswered = "12,345 of the 12,347 smallest inputs (for 2 there is no answer), of at most 3 elements";
        assert_eq!(passing_text(partial), unanswered);
        let copies = ExhaustiveReach { run_in_processes: 100, complete: true, ..reach(ProofKind::Copies, 1_000) };
        let assumed = "assuming that reused processes behave like new ones";
        assert_eq!(
            passing_text(copies),
            format!("all 1,000 inputs, {assumed}; the 100 smallest also in new processes")
        );
        let alone = ExhaustiveReach { run_alone: 7, of_one_case: true, ..reach(ProofKind::Packed, 7) };
        let text = "the 7 smallest inputs of one case, of at most 3 elements, assuming that cases are independent";
        assert_eq!(passing_text(alone), format!("{text}; each also alone"));
    }

    #[test]
    fn search_is_a_proof_only_if_all_inputs_ran_in_processes() {
        let exhausted = CommandSummary { reason: EndReason::Exhausted, ..CommandSummary::default() };
        let complete = |kind| ExhaustiveReach { complete: true, ..reach(kind, 5) };
        assert!(is_proved(&exhausted, complete(ProofKind::Processes)));
        assert!(!is_proved(&exhausted, complete(ProofKind::Copies)));
        assert!(!is_proved(&exhausted, reach(ProofKind::Processes, 5)));
        assert!(!is_proved(&CommandSummary::default(), complete(ProofKind::Processes)));
    }

    #[test]
    fn ceiling_tells_whether_it_is_exceeded_and_what_it_is_about() {
        let ceiling = SizeCeiling { elements: 2_000, possible: 200_001, of_case: false, has_larger: true };
        let text = "mostly at most about 2,000 of 200,001 elements; raise it with --max-elements";
        assert_eq!(size_ceiling_text(ceiling), text);
        let of_case = SizeCeiling { of_case: true, has_larger: false, ..ceiling };
        assert!(size_ceiling_text(of_case).starts_with("at most about 2,000 of 200,001 elements a case;"));
    }

    #[test]
    fn one_answer_is_only_suspicious_if_it_is_frequent_and_passes() {
        let warned = |answer: &str, count: u64, survivors: &[&str]| {
            let survivors = survivors.iter().map(|name| (*name).to_owned()).collect();
            let summary = CommandSummary { survivors, ..CommandSummary::default() };
            let progress = SearchProgress { answers: [(answer.to_owned(), count)].into(), ..progress(count, count) };
            let mut page = Page::default();
            add_single_answer_warning(&mut page, &summary, &progress);
            !page.is_empty()
        };
        assert!(warned("YES", MIN_ALIKE_ANSWERS, &["a.cpp"]));
        assert!(!warned("YES", MIN_ALIKE_ANSWERS - 1, &["a.cpp"]));
        assert!(!warned("YES", MIN_ALIKE_ANSWERS, &[]));
        assert!(!warned("mixed", MIN_ALIKE_ANSWERS, &["a.cpp"]));
    }
}
