//! How strong a test set is: what it kills, how often, and what it leaves alive.

use super::counterexample::{draw_few, render_text};
use super::page::result_mark;
use super::picture::{render_figure, render_image};
use crate::report::units::format_share;
use maud::{Markup, html};
use rebut_diagnostics::{count_with_noun, shorten_text};
use rebut_engine::event::{
    Kill, KillingInput, MutantOutcome, ProgramKills, SubmissionMutants, Survival, TestSetStrength,
};
use rebut_format::language::Format;
use rebut_format::picture::Figure;
use std::collections::BTreeMap;

/// Maximum number of tests that are named for each program.
const MAX_NAMES: usize = 4;
/// Number of lines shown around a survivor.
const CONTEXT_LINES: usize = 1;
/// Maximum number of bytes shown of an input that kills a mutant.
const MAX_INPUT_BYTES: usize = 60;

/// The strength of a test set, and pictures of the inputs that kill survivors.
#[derive(Debug)]
pub(super) struct ReportedStrength {
    pub(super) strength: TestSetStrength,
    /// The pictures of each input that has any.
    figures: BTreeMap<String, Vec<Figure>>,
}

impl ReportedStrength {
    /// Returns a strength as it is reported, with pictures if the format is known.
    pub(super) fn new(strength: &TestSetStrength, format: Option<&Format>) -> ReportedStrength {
        let mut figures = BTreeMap::new();
        if let Some(format) = format {
            for one in strength.killing_inputs().into_iter().take(KillingInput::MAX_SHOWN) {
                figures.insert(one.input.to_owned(), draw_few(format, one.input.as_bytes()));
            }
        }
        ReportedStrength { strength: strength.clone(), figures }
    }
}

/// Renders the strength of a test set.
pub(super) fn render_strength(reported: &ReportedStrength) -> Markup {
    let strength = &reported.strength;
    let score = &strength.score;
    let share = format_share(score.killed as u64, score.programs as u64);
    html! {
        h3 { "Strength" }
        p {
            (result_mark(score.is_sufficient(), &share)) " of " (count_with_noun(score.programs, "wrong program"))
            " killed: " (count_with_noun(strength.submissions.len(), "submission")) " and "
            (count_with_noun(strength.trivial.len(), "trivial program")) "."
        }
        (render_depths(strength))
        (render_mutation(reported))
        (render_answers(strength))
        (render_goals(strength))
        (render_selection(strength))
    }
}

/// Renders the strength of a test set that was verified, with the coverage of the format unless that is shown elsewhere.
/// Mutants are shown if they were run before.
pub(super) fn render_appraisal(reported: &ReportedStrength, shows_coverage: bool) -> Markup {
    let strength = &reported.strength;
    let score = &strength.score;
    let programs = || strength.submissions.iter().chain(&strength.trivial);
    let (survivors, thin) =
        (programs().filter(|one| one.is_survivor()).count(), programs().filter(|one| one.is_thin()).count());
    html! {
        h3 { "Strength of the test set" }
        @if score.programs > 0 {
            p {
                (score.killed) " of " (count_with_noun(score.programs, "wrong program")) " killed: "
                (count_with_noun(strength.submissions.len(), "submission")) " and "
                (count_with_noun(strength.trivial.len(), "trivial program")) "."
                @if thin > 0 { " Fewer than " (ProgramKills::THIN) " tests kill " (thin) " of them." }
            }
            details open[survivors > 0] {
                summary { "Kill depth: how many tests kill each" }
                (render_depth_table(strength))
            }
        }
        @if strength.mutation.is_empty() {
            p.note {
                "Mutants of accepted submissions are shown here once "
                code { (format!("rebut strength {}", strength.folder.display())) } " has run them on these tests."
            }
        }
        (render_mutation(reported))
        (render_answers(strength))
        @if shows_coverage { (render_goals(strength)) }
        (render_selection(strength))
    }
}

/// Renders how many tests kill each wrong program.
fn render_depths(strength: &TestSetStrength) -> Markup {
    html! {
        h4 { "Kill depth" }
        (render_depth_table(strength))
    }
}

fn render_depth_table(strength: &TestSetStrength) -> Markup {
    let programs = || strength.submissions.iter().chain(&strength.trivial);
    let most = programs().map(|program| program.killed_by.len()).max().unwrap_or(0);
    html! {
        div.scroll tabindex="0" role="group" aria-label="Kill depth" {
            table {
                thead { tr { th scope="col" { "Program" } th scope="col" { "Killed by" } th scope="col" { "Tests" } } }
                tbody { @for program in programs() { (render_depth(program, most)) } }
            }
        }
    }
}

fn render_depth(program: &ProgramKills, most: usize) -> Markup {
    let rest = program.killed_by.len().saturating_sub(MAX_NAMES);
    let named = |kill: &Kill| format!("{} ({})", kill.test_case, kill.verdict.code());
    let names: Vec<String> = program.killed_by.iter().take(MAX_NAMES).map(named).collect();
    html! {
        tr {
            th scope="row" { code { (program.program) } }
            td {
                (render_bar(program.killed_by.len(), most)) " "
                @if program.is_survivor() { (result_mark(false, "survives")) }
                @else { (program.killed_by.len()) @if program.is_thin() { " (thin)" } }
            }
            td { (names.join(", ")) @if rest > 0 { " and " (rest) " more" } }
        }
    }
}

/// Renders a part of a total as a bar.
fn render_bar(part: usize, total: usize) -> Markup {
    let width = part * 100 / total.max(1);
    html! {
        svg.bar width="100" height="10" aria-hidden="true" {
            rect.total width="100" height="10" {}
            rect.part width=(width) height="10" {}
        }
    }
}

/// Renders the score of the mutants by the kind of mistake, and the survivors in their source.
fn render_mutation(reported: &ReportedStrength) -> Markup {
    let strength = &reported.strength;
    let mut operators: BTreeMap<&str, (usize, usize)> = BTreeMap::new();
    for mutant in strength.mutation.iter().flat_map(|one| &one.mutants).filter(|mutant| !mutant.is_rejected) {
        let (killed, valid) = operators.entry(&mutant.operator).or_default();
        *killed += usize::from(mutant.killed_by.is_some());
        *valid += 1;
    }
    if operators.is_empty() {
        return html! {};
    }
    let score = &strength.score;
    html! {
        h4 { "Mutants" }
        p {
            (score.mutants_killed) " of " (count_with_noun(score.mutants, "mutant")) " killed"
            @if score.mutants_alike > 0 { "; nothing tells " (score.mutants_alike) " of the others from the original" } "."
        }
        div.scroll tabindex="0" role="group" aria-label="Mutation score by operator" {
            table {
                thead { tr { th scope="col" { "Operator" } th scope="col" { "Killed" } } }
                tbody {
                    @for (operator, (killed, valid)) in &operators {
                        tr { th scope="row" { (operator) } td { (render_bar(*killed, *valid)) " " (killed) " of " (valid) } }
                    }
                }
            }
        }
        @for one in &strength.mutation { (render_survivors(one)) }
        (render_killing_inputs(reported))
    }
}

/// Renders the inputs that kill survivors, though no test does.
fn render_killing_inputs(reported: &ReportedStrength) -> Markup {
    let strength = &reported.strength;
    let inputs = strength.killing_inputs();
    let rest = inputs.len().saturating_sub(KillingInput::MAX_SHOWN);
    html! {
        @if !inputs.is_empty() {
            details {
                summary { (count_with_noun(inputs.len(), "input")) " that kill survivors, and are no tests yet" }
                p.note { code { (format!("rebut strength {} --save", strength.folder.display())) } " adds them to the package." }
                @for one in inputs.iter().take(KillingInput::MAX_SHOWN) {
                    article.finding {
                        div.pair {
                            div { (render_text("Input", one.input.as_bytes())) (render_text("Answer", one.answer.as_bytes())) }
                            div {
                                @if let Some(image) = strength.pictures.get(one.input) { (render_image(image)) }
                                @else { @for figure in reported.figures.get(one.input).into_iter().flatten() { (render_figure(figure)) } }
                            }
                        }
                        p { "Kills " (list_kills(&one.kills)) "." }
                    }
                }
                @if rest > 0 { p.note { "and " (rest) " more" } }
            }
        }
    }
}

/// `the mutants of a.cpp in lines 3, 9`, by submission.
fn list_kills(kills: &[(&str, usize)]) -> Markup {
    let by_submission: Vec<&[(&str, usize)]> = kills.chunk_by(|a, b| a.0 == b.0).collect();
    html! {
        @for (i, group) in by_submission.iter().enumerate() {
            @let lines: Vec<usize> = group.iter().map(|kill| kill.1).collect();
            @if i > 0 { "; " }
            "the mutant" @if lines.len() > 1 { "s" } " of " code { (group[0].0) } " in line" @if lines.len() > 1 { "s" } " "
            (lines.iter().map(usize::to_string).collect::<Vec<_>>().join(", "))
        }
    }
}

/// Renders the mutants of a submission that no test kills, in its source.
fn render_survivors(mutants: &SubmissionMutants) -> Markup {
    let alive: Vec<&MutantOutcome> = mutants.survivors().collect();
    let lines: Vec<&str> = mutants.source.lines().collect();
    html! {
        @if !alive.is_empty() {
            details {
                summary { (count_with_noun(alive.len(), "survivor")) " of " code { (mutants.submission) } }
                @for mutant in alive {
                    figure {
                        figcaption { "Line " (mutant.line) ", " (mutant.operator) ": " (describe_survival(mutant)) }
                        (render_source(mutant, &lines))
                    }
                }
            }
        }
    }
}

fn describe_survival(mutant: &MutantOutcome) -> String {
    match &mutant.survival {
        None => "survives".to_owned(),
        Some(Survival::Identical) => "the same program as the original".to_owned(),
        Some(Survival::Undefined { test_case, message }) => {
            format!("like the original, but undefined on `{test_case}`: {message}")
        }
        Some(Survival::Alike { cases, .. }) => {
            // The exact number depends on how fast the machine is, and pages have no measured times.
            let bound = if *cases < Survival::MIN_CASES { "fewer than" } else { "at least" };
            format!("like the original on {bound} {} cases", Survival::MIN_CASES)
        }
        Some(Survival::Killable { input, verdict, .. }) => {
            let input = shorten_text(input.trim_end().as_bytes(), MAX_INPUT_BYTES);
            format!("{} on `{input}`", verdict.code())
        }
    }
}

/// Renders the line of a mutant with the change, and the lines around it.
fn render_source(mutant: &MutantOutcome, lines: &[&str]) -> Markup {
    let at = mutant.line.saturating_sub(1);
    let (first, last) = (at.saturating_sub(CONTEXT_LINES), (at + CONTEXT_LINES + 1).min(lines.len()));
    let line = lines.get(at).copied().unwrap_or_default();
    let column = mutant.column.saturating_sub(1);
    // The replaced text can be longer than its line, or be shortened.
    let parts = line.get(..column).zip(line.get(column..).and_then(|rest| rest.strip_prefix(mutant.original.as_str())));
    html! {
        pre.listing tabindex="0" {
            @for number in first..last {
                @if number == at {
                    @if let Some((before, after)) = parts {
                        (before) del { (mutant.original) } ins { (mutant.replacement) } (after) "\n"
                    } @else { del { (line) } "\n" ins { (mutant.replacement) } "\n" }
                } @else { (lines[number]) "\n" }
            }
            @if lines.is_empty() { del { (mutant.original) } " " ins { (mutant.replacement) } "\n" }
        }
    }
}

fn render_answers(strength: &TestSetStrength) -> Markup {
    let frequent: Vec<_> = strength.most_common.iter().filter(|answer| answer.inputs > 1).collect();
    html! {
        @if !strength.most_common.is_empty() {
            h4 { "Answers" }
            p {
                (strength.different_answers) " different, entropy " (format!("{:.2}", strength.entropy_bits)) " bits."
                @if frequent.is_empty() { " None occurs twice." }
            }
            @if !frequent.is_empty() {
                ul.plain {
                    @for answer in &frequent {
                        li { (answer.inputs) " of " (count_with_noun(strength.tests.len(), "test")) ": " code { (answer.answer) } }
                    }
                }
            }
        }
    }
}

fn render_goals(strength: &TestSetStrength) -> Markup {
    let missed: Vec<_> = strength.goals.iter().filter(|goal| goal.inputs == 0).collect();
    html! {
        @if !strength.goals.is_empty() {
            h4 { "Coverage" }
            p {
                "Tests reach " (strength.goals.len() - missed.len()) " of "
                (count_with_noun(strength.goals.len(), "coverage goal"))
                " of the format: bounds, alternatives and structures."
            }
            @if !missed.is_empty() {
                details {
                    summary { (count_with_noun(missed.len(), "goal")) " that no test reaches" }
                    ul.plain { @for goal in missed { li { (goal.what) } } }
                }
            }
        }
    }
}

fn render_selection(strength: &TestSetStrength) -> Markup {
    let selection = &strength.selection;
    let idle = strength.tests.iter().filter(|test| test.kills == 0).map(|test| test.test_case.as_str());
    let lists = [
        ("Tests that kill nothing", idle.collect::<Vec<&str>>()),
        ("Tests that could be left out", selection.redundant.iter().map(String::as_str).collect()),
    ];
    html! {
        @if strength.score.killed > 0 {
            h4 { "Tests" }
            p {
                (selection.tests.len()) " of " (count_with_noun(strength.tests.len(), "test")) " are enough to kill each program "
                (count_with_noun(selection.depth, "time")) ", or as often as all tests do; fewer than "
                (selection.lower_bound) " are not."
            }
            @for (title, names) in lists.iter().filter(|(_, names)| !names.is_empty()) {
                details {
                    summary { (title) ": " (names.len()) }
                    p { (names.join(", ")) }
                }
            }
        }
    }
}
