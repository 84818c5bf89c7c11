//! The profile of a sample of inputs: answers, shapes, and coverage goals that were never reached.

use crate::report::ReportOptions;
use crate::report::page::{Block, Medium, Page};
use crate::report::styled_line::{StyledLine, TextStyle};
use rebut_diagnostics::group_thousands;
use rebut_engine::event::{AnswerCount, GoalReached, InputProfile, ShapeProfile};

/// Returns the whole profile.
pub(crate) fn profile_page<'a>(profile: &InputProfile, options: &ReportOptions) -> Page<'a> {
    let mut page = Page::default();
    page.add_line(profile_title(profile));
    if profile.different > 0 {
        add_answers(&mut page, profile);
    }
    page.push(Block::Gap);
    page.add_line(StyledLine::from_styled(TextStyle::Bold, "shapes"));
    let widest = profile.shapes.iter().map(|shape| shape.name.chars().count()).max().unwrap_or(0);
    for shape in &profile.shapes {
        page.add_line(shape_line(shape, widest, profile.different > 0));
    }
    if !profile.goals.is_empty() {
        page.push(Block::Gap);
        page.append_page(goals_page(&profile.goals, options));
    }
    page
}

fn profile_title(profile: &InputProfile) -> StyledLine {
    let (inputs, unanswered) = (group_thousands(profile.inputs.into()), group_thousands(profile.unanswered.into()));
    let sample = format!(" of {inputs} inputs (seed {:x})", profile.seed);
    let missing = match profile.unanswered {
        0 => String::new(),
        _ => format!(", {unanswered} of them without an answer"),
    };
    StyledLine::from_label(0, TextStyle::Bold, "profile", &sample).add_styled(TextStyle::Warning, missing)
}

fn add_answers(page: &mut Page<'_>, profile: &InputProfile) {
    let answered = profile.inputs - profile.unanswered;
    let amount = format!("  {} different", group_thousands(profile.different.into()));
    page.push(Block::Gap);
    page.add_line(StyledLine::from_label(0, TextStyle::Bold, "answers", &amount));
    for common in &profile.most_common {
        let style = if common.inputs * 2 > answered { TextStyle::Warning } else { TextStyle::Plain };
        let share = format_percent(common.inputs, answered);
        let text = format!("always printing {} passes {share}", quote_answer(common));
        page.add_line(StyledLine::from_label(2, style, &text, ""));
    }
}

fn quote_answer(answer: &AnswerCount) -> String {
    format!("`{}`", answer.answer)
}

fn format_percent(part: u64, whole: u64) -> String {
    format!("{:.1} %", part as f64 * 100.0 / whole.max(1) as f64)
}

/// Minimum number of answers of a shape for which a constant answer is highlighted.
const MIN_SHAPE_ANSWERS: u64 = 5;

fn shape_line(shape: &ShapeProfile, widest: usize, answered: bool) -> StyledLine {
    let line = StyledLine::from_plain(format!("  {:widest$}", shape.name));
    let Some(common) = shape.most_common.as_ref().filter(|_| answered) else { return line };
    let noun = |count: u64, noun: &str| format!("{noun}{},", if count == 1 { "" } else { "s" });
    let line = line.add_plain(format!(
        "  {:>6} {:7} {:>5} {}",
        group_thousands(u128::from(shape.answers)),
        noun(shape.answers, "input"),
        group_thousands(u128::from(shape.different)),
        noun(shape.different, "answer").trim_end_matches(','),
    ));
    if shape.different == 1 && shape.answers >= MIN_SHAPE_ANSWERS {
        return line.add_styled(TextStyle::Warning, format!("  always {}", quote_answer(common)));
    }
    line.add_styled(
        TextStyle::Dim,
        format!("  {} {}", quote_answer(common), format_percent(common.inputs, shape.answers)),
    )
}

/// Returns the goals that were never reached, and counts the others; if verbose, lists these as well.
pub(crate) fn goals_page<'a>(all: &[GoalReached], options: &ReportOptions) -> Page<'a> {
    let mut page = Page::default();
    if all.is_empty() {
        return page;
    }
    let (never, hit): (Vec<&GoalReached>, Vec<&GoalReached>) = all.iter().partition(|goal| goal.inputs == 0);
    let kinds = match all.iter().any(|goal| goal.kind == "structure") {
        true => "bounds, near misses, forms and structures",
        false => "bounds, near misses and forms",
    };
    let text = format!("{} of {} {kinds}", hit.len(), all.len());
    page.add_note(StyledLine::from_label(0, TextStyle::Bold, "reached", "  "), text);
    let never = never.into_iter().map(describe_goal).collect();
    page.add_list("What no test reaches", StyledLine::from_label(2, TextStyle::Dim, "never", "  "), never, usize::MAX);
    if options.verbose {
        page.add_only(Medium::Terminal, |page| {
            for goal in hit {
                let what = format!("  {:>5}  {}", group_thousands(goal.inputs.into()), describe_goal(goal));
                page.add_line(StyledLine::from_plain(what));
            }
        });
    }
    page
}

fn describe_goal(goal: &GoalReached) -> String {
    if goal.kind == "near-miss" { format!("{}: {}", goal.of, goal.what) } else { goal.what.clone() }
}
