//! Renders the profile of a sample of inputs: answers, shapes, and coverage goals that were never reached.

use super::ReportOptions;
use super::style::TextStyle;
use super::styled_line::StyledLine;
use super::text_layout::wrap_uncut;
use rebut_diagnostics::group_thousands;
use rebut_engine::event::{AnswerCount, GoalReached, InputProfile, ShapeProfile};

/// Renders the whole profile.
pub(crate) fn render_profile(profile: &InputProfile, options: &ReportOptions) -> Vec<StyledLine> {
    let mut lines = vec![profile_title(profile)];
    if profile.different > 0 {
        lines.extend(render_answers(profile));
    }
    lines.extend(render_shapes(profile));
    if !profile.goals.is_empty() {
        lines.push(StyledLine::new());
        lines.extend(render_goals(&profile.goals, options));
    }
    lines
}

fn profile_title(profile: &InputProfile) -> StyledLine {
    let line = StyledLine::new().add_styled(TextStyle::Bold, "profile").add_plain(format!(
        " of {} inputs (seed {:x})",
        group_thousands(u128::from(profile.inputs)),
        profile.seed
    ));
    match profile.unanswered {
        0 => line,
        n => line
            .add_styled(TextStyle::Warning, format!(", {} of them without an answer", group_thousands(u128::from(n)))),
    }
}

fn render_answers(profile: &InputProfile) -> Vec<StyledLine> {
    let answered = profile.inputs - profile.unanswered;
    let mut lines = vec![
        StyledLine::new(),
        StyledLine::new().add_styled(TextStyle::Bold, "answers").add_plain(format!(
            "  {} different, entropy {:.2} bits",
            group_thousands(u128::from(profile.different)),
            profile.entropy_bits
        )),
    ];
    for common in &profile.most_common {
        let style = if common.inputs * 2 > answered { TextStyle::Warning } else { TextStyle::Plain };
        let share = format_percent(common.inputs, answered);
        lines.push(
            StyledLine::from_plain("  ")
                .add_styled(style, format!("always printing {} passes {share}", quote_answer(common))),
        );
    }
    lines
}

fn quote_answer(answer: &AnswerCount) -> String {
    format!("`{}`", answer.answer)
}

fn format_percent(part: u64, whole: u64) -> String {
    format!("{:.1} %", part as f64 * 100.0 / whole.max(1) as f64)
}

fn render_shapes(profile: &InputProfile) -> Vec<StyledLine> {
    let widest = profile.shapes.iter().map(|s| s.name.chars().count()).max().unwrap_or(0);
    let mut lines = vec![StyledLine::new(), StyledLine::new().add_styled(TextStyle::Bold, "shapes")];
    lines.extend(profile.shapes.iter().map(|shape| shape_line(shape, widest, profile.different > 0)));
    lines
}

/// Minimum number of answers of a shape for which a constant answer is highlighted.
const MIN_SHAPE_ANSWERS: u64 = 5;

fn shape_line(shape: &ShapeProfile, widest: usize, answered: bool) -> StyledLine {
    let line = StyledLine::from_plain(format!("  {:widest$}", shape.name));
    let Some(common) = shape.most_common.as_ref().filter(|_| answered) else { return line };
    let noun = |count: u64, noun: &str| format!("{noun}{},", if count == 1 { "" } else { "s" });
    let line = line.add_plain(format!(
        "  {:>6} {:7} {:>5} {:8} {:>5.2} bits",
        group_thousands(u128::from(shape.answers)),
        noun(shape.answers, "input"),
        group_thousands(u128::from(shape.different)),
        noun(shape.different, "answer"),
        shape.entropy_bits
    ));
    if shape.different == 1 && shape.answers >= MIN_SHAPE_ANSWERS {
        return line.add_styled(TextStyle::Warning, format!("  always {}", quote_answer(common)));
    }
    line.add_styled(
        TextStyle::Dim,
        format!("  {} {}", quote_answer(common), format_percent(common.inputs, shape.answers)),
    )
}

/// Lists the goals that were never reached, and counts the others; if verbose, lists these as well.
pub(crate) fn render_goals(all: &[GoalReached], options: &ReportOptions) -> Vec<StyledLine> {
    let never: Vec<&GoalReached> = all.iter().filter(|g| g.inputs == 0).collect();
    let reached = all.len() - never.len();
    let kinds = match all.iter().any(|goal| goal.kind == "structure") {
        true => "bounds, near misses, forms and structures",
        false => "bounds, near misses and forms",
    };
    let head = format!("  {reached} of {} {kinds}", all.len());
    let mut lines = vec![StyledLine::new().add_styled(TextStyle::Bold, "reached").add_plain(head)];
    for goal in never {
        let head = StyledLine::from_plain("  ").add_styled(TextStyle::Failure, "never").add_plain("  ");
        let what = if goal.kind == "near-miss" { format!("{}: {}", goal.of, goal.what) } else { goal.what.clone() };
        lines.extend(wrap_uncut(head, &what, options.width));
    }
    if options.verbose {
        let hit = all.iter().filter(|g| g.inputs > 0);
        lines.extend(hit.map(|goal| {
            let what = if goal.kind == "near-miss" { format!("{}: {}", goal.of, goal.what) } else { goal.what.clone() };
            StyledLine::from_plain(format!("  {:>5}  {what}", group_thousands(u128::from(goal.inputs))))
        }));
    }
    lines
}
