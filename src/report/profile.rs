//! The profile of a sample of inputs: answers, shapes, and what was never reached.

use super::Options;
use super::layout::wrap_whole;
use super::line::Line;
use super::tone::Tone;
use crate::campaign::{AnswerCount, Profile, Reached, ShapeProfile};
use crate::diagnostic::counted;

/// The screen of a profile.
pub(crate) fn profile(profile: &Profile, options: &Options) -> Vec<Line> {
    let mut lines = vec![head(profile)];
    if profile.different > 0 {
        lines.extend(answers(profile));
    }
    lines.extend(shapes(profile));
    if !profile.goals.is_empty() {
        lines.push(Line::new());
        lines.extend(goals(&profile.goals, options));
    }
    lines
}

fn head(profile: &Profile) -> Line {
    let line = Line::new().tone(Tone::Bold, "profile").add(format!(
        " of {} inputs (seed {:x})",
        counted(u128::from(profile.inputs)),
        profile.seed
    ));
    match profile.unanswered {
        0 => line,
        n => line.tone(Tone::Doubtful, format!(", {} of them without an answer", counted(u128::from(n)))),
    }
}

fn answers(profile: &Profile) -> Vec<Line> {
    let answered = profile.inputs - profile.unanswered;
    let mut lines = vec![
        Line::new(),
        Line::new().tone(Tone::Bold, "answers").add(format!(
            "  {} different, entropy {:.2} bits",
            counted(u128::from(profile.different)),
            profile.entropy_bits
        )),
    ];
    for common in &profile.most_common {
        let tone = if common.inputs * 2 > answered { Tone::Doubtful } else { Tone::Plain };
        let share = percent(common.inputs, answered);
        lines.push(Line::plain("  ").tone(tone, format!("always printing {} passes {share}", quoted(common))));
    }
    lines
}

fn quoted(answer: &AnswerCount) -> String {
    format!("`{}`", answer.answer)
}

fn percent(part: u64, whole: u64) -> String {
    format!("{:.1} %", part as f64 * 100.0 / whole.max(1) as f64)
}

fn shapes(profile: &Profile) -> Vec<Line> {
    let widest = profile.shapes.iter().map(|s| s.name.chars().count()).max().unwrap_or(0);
    let mut lines = vec![Line::new(), Line::new().tone(Tone::Bold, "shapes")];
    lines.extend(profile.shapes.iter().map(|shape| of_shape(shape, widest, profile.different > 0)));
    lines
}

/// So few answers say nothing about a shape.
const FEW: u64 = 5;

fn of_shape(shape: &ShapeProfile, widest: usize, answered: bool) -> Line {
    let line = Line::plain(format!("  {:widest$}", shape.name));
    let Some(common) = shape.most_common.as_ref().filter(|_| answered) else { return line };
    let line = line.add(format!(
        "  {:>6} inputs, {:>5} answers, {:>5.2} bits",
        counted(u128::from(shape.answers)),
        counted(u128::from(shape.different)),
        shape.entropy_bits
    ));
    if shape.different == 1 && shape.answers >= FEW {
        return line.tone(Tone::Doubtful, format!("  always {}", quoted(common)));
    }
    line.tone(Tone::Dim, format!("  {} {}", quoted(common), percent(common.inputs, shape.answers)))
}

/// What was never reached, by name; of the rest the number.
pub(crate) fn goals(all: &[Reached], options: &Options) -> Vec<Line> {
    let never: Vec<&Reached> = all.iter().filter(|g| g.inputs == 0).collect();
    let reached = all.len() - never.len();
    let kinds = match all.iter().any(|goal| goal.kind == "structure") {
        true => "bounds, near misses, forms and structures",
        false => "bounds, near misses and forms",
    };
    let head = format!("  {reached} of {} {kinds}", all.len());
    let mut lines = vec![Line::new().tone(Tone::Bold, "reached").add(head)];
    for goal in never {
        let head = Line::plain("  ").tone(Tone::Bad, "never").add("  ");
        let what = if goal.kind == "near-miss" { format!("{}: {}", goal.of, goal.what) } else { goal.what.clone() };
        lines.extend(wrap_whole(head, &what, options.width));
    }
    if options.verbose {
        let hit = all.iter().filter(|g| g.inputs > 0);
        lines.extend(hit.map(|goal| {
            let what = if goal.kind == "near-miss" { format!("{}: {}", goal.of, goal.what) } else { goal.what.clone() };
            Line::plain(format!("  {:>5}  {what}", counted(u128::from(goal.inputs))))
        }));
    }
    lines
}
