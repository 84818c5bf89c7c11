//! What a format was understood to mean: its layout, how each constraint is met, which values are really in reach, how
//! many small inputs there are, and one of them.

mod layout;
mod measure;

use crate::diagnostic::{Span, counted};
use crate::enumerate;
use crate::format::{Class, Constraint, FieldId, Format, Rule, reach, shown_range};
use crate::generate::{Failure, Plan, Settings, generate};
use crate::print::print;
use rebut_generators::Choices;
use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::sync::atomic::{AtomicU64, Ordering};

/// How much is found out before it is told.
#[derive(Clone, Copy, Debug)]
pub struct Effort {
    /// Inputs by which it is measured how often a constraint holds by itself.
    pub samples: u64,
    /// Where there are more inputs of a size, none of a larger size are counted.
    pub most_counted: u128,
    /// The seed of the samples.
    pub seed: u64,
    /// Maximum number of steps, each about as long as a comparison, for all measurements together, for counting inputs, and
    /// for a sample: three times as many in all.
    pub steps: u64,
}

impl Default for Effort {
    fn default() -> Self {
        Effort { samples: 200, most_counted: 100_000, seed: 1, steps: 20_000_000 }
    }
}

/// The whole explanation, ready to be read. It takes no more steps than the effort allows, and says what it left out; where
/// the format's own token stops it, what it returns means nothing.
pub fn explain(format: &Format, effort: Effort) -> String {
    let mut text = String::new();
    // Writing to a text cannot fail.
    let _ = write!(text, "layout\n{}", layout::layout(format));
    section(&mut text, "constraints", &constraints(format, effort));
    section(&mut text, "values in reach", &ranges(format));
    section(&mut text, "inputs", &counts(format, effort));
    section(&mut text, &format!("a sample (seed {:x})", effort.seed), &sample(format, effort));
    text
}

/// Returns the format with a budget of so many steps.
fn with_steps(format: &Format, steps: u64) -> Format {
    Format { stop: format.stop.with_steps(steps), ..format.clone() }
}

fn section(text: &mut String, title: &str, lines: &[String]) {
    if !lines.is_empty() {
        let _ = write!(text, "\n{title}\n");
        lines.iter().for_each(|line| {
            let _ = writeln!(text, "    {line}");
        });
    }
}

/// The word for a class, and what it means.
fn class_words(class: Class) -> (&'static str, &'static str) {
    match class {
        Class::Domain => ("domain", "drawn within what the others leave"),
        Class::Budget => ("budget", "split among its parts"),
        Class::Structural => ("structural", "constructed"),
        Class::Residual => ("residual", "checked, and what breaks it is drawn again"),
    }
}

/// Each statement of the where part once for each class that its constraints have; residual ones with how often they
/// hold by themselves.
fn constraints(format: &Format, effort: Effort) -> Vec<String> {
    let measured = format.constraints.iter().filter(|c| c.class == Class::Residual);
    let measured: BTreeSet<Span> = measured.map(|c| statement(format, c.span)).collect();
    let effort = Effort { steps: effort.steps / measured.len().max(1) as u64, ..effort };
    let mut seen: Vec<(Span, Class)> = Vec::new();
    let mut rows: Vec<(&str, String, String)> = Vec::new();
    for constraint in &format.constraints {
        let place = statement(format, constraint.span);
        // A graph brings comparisons with it, which it implies.
        let implied = |c: &Constraint| c.span == constraint.span && !matches!(c.rule, Rule::Compare(_));
        let says_less = matches!(constraint.rule, Rule::Compare(_)) && format.constraints.iter().any(implied);
        if seen.contains(&(place, constraint.class)) || says_less {
            continue;
        }
        seen.push((place, constraint.class));
        let (word, meaning) = class_words(constraint.class);
        let how = match constraint.class {
            Class::Residual => format!("{meaning}; {}", measure::acceptance(format, place, effort)),
            _ => meaning.to_owned(),
        };
        rows.push((word, one_line(&format.text(place)), how));
    }
    for (name, programs) in [("validator", &format.validators), ("generator", &format.generators)] {
        rows.extend(programs.iter().map(|p| ("external", format!("{name} \"{}\"", p.command), "a program".to_owned())));
    }
    let widest = rows.iter().map(|row| row.1.chars().count()).max().unwrap_or(0).min(48);
    rows.into_iter().map(|(word, what, how)| format!("{word:<10}  {what:<widest$}  {how}")).collect()
}

/// The whole statement that a constraint is part of: a chain gives several constraints.
fn statement(format: &Format, span: Span) -> Span {
    let text = &format.source.text;
    let before = &text[..span.start.min(text.len())];
    let separator = before.iter().rposition(|b| matches!(b, b'\n' | b';')).map_or(0, |i| i + 1);
    let word = b"where";
    let header = before[separator..].windows(word.len()).rposition(|w| w == word).map_or(0, |i| i + word.len());
    let start = separator + header;
    let colon = text[start..].iter().take_while(|b| b.is_ascii_whitespace() || **b == b':').count();
    let after = text.get(span.end..).unwrap_or_default();
    let length = after.iter().position(|b| matches!(b, b'\n' | b';' | b'#')).unwrap_or(after.len());
    let end = span.end + after[..length].trim_ascii_end().len();
    Span::new((start + colon).min(span.start), end)
}

/// What stands on several lines, on one.
fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The values that each field can take, as far as bounds tell.
fn ranges(format: &Format) -> Vec<String> {
    /// Maximum product of the numbers of fields and constraints for which each range is narrowed by trial; a trial weighs
    /// all constraints. Larger formats show the ranges that their constraints state.
    const MAX_TRIALS: usize = 1 << 16;
    let is_small = format.fields.len() * format.constraints.len() <= MAX_TRIALS;
    let widest = format.fields.iter().map(|f| f.name.chars().count()).max().unwrap_or(0);
    let line = |id: FieldId| {
        let field = format.field(id);
        let name = &field.name;
        let mut said = Vec::new();
        if field.letters().is_none() {
            // In several forms it is one field.
            let copies = (0..format.fields.len()).map(FieldId).filter(|copy| format.field(*copy).name == *name);
            let range = |copy| if is_small { reach(format, copy) } else { format.field(copy).range };
            let range = copies.map(range).reduce(|a, b| a.hull(b));
            said.push(shown_range(field, range.unwrap_or(field.range)));
        }
        if field.is_free() {
            said.push(format!("lengths {}..{}", field.length.lo, field.length.hi));
        }
        (!said.is_empty()).then(|| format!("{name:<widest$}  {}", said.join(", ")))
    };
    let is_first = |id: &FieldId| format.field_named(&format.field(*id).name) == Some(*id);
    (0..format.fields.len()).map(FieldId).filter(is_first).filter_map(line).collect()
}

/// How many inputs there are of few elements, until there are too many to count.
fn counts(format: &Format, effort: Effort) -> Vec<String> {
    /// So many sizes are shown.
    const SIZES: usize = 6;
    /// So often the search asks whether it should end, before it has to.
    const STEPS: u64 = 2_000_000;
    let bounded = with_steps(format, effort.steps);
    let plan = &Plan::new(&bounded);
    let least = usize::try_from(enumerate::sizes(plan).lo).unwrap_or(0);
    let steps = AtomicU64::new(0);
    let stop = || steps.fetch_add(1, Ordering::Relaxed) >= STEPS || bounded.stop.is_stopped();
    let mut lines = Vec::new();
    for most in least..least.saturating_add(SIZES) {
        let counted_all = enumerate::count(plan, most, &stop);
        // What a constraint comes to that was not looked at to its end is not known: nor is the number then.
        let Some(count) = counted_all.filter(|_| !bounded.stop.is_stopped()) else { break };
        lines.push(format!("{} of at most {most} {}", counted(count), if most == 1 { "element" } else { "elements" }));
        if count > effort.most_counted {
            break;
        }
    }
    if lines.is_empty() {
        lines.push("too many to count, even of the fewest elements".to_owned());
    }
    lines
}

fn sample(format: &Format, effort: Effort) -> Vec<String> {
    /// So many lines are shown.
    const LINES: usize = 12;
    let settings = Settings { growth: 20, most_elements: 40, ..Settings::default() };
    let bounded = with_steps(format, effort.steps);
    match generate(&Plan::new(&bounded), &mut Choices::fresh(effort.seed, 0), &settings) {
        Err(_) if bounded.stop.is_stopped() => {
            vec![format!(
                "none was found in {} steps: the constraints take too long to check",
                counted(effort.steps.into())
            )]
        }
        Err(Failure { message, .. }) => vec![format!("none was found: {message}")],
        Ok(made) => {
            let bytes = print(format, &made.value);
            let text = String::from_utf8_lossy(&bytes);
            let mut lines: Vec<String> = text.lines().take(LINES).map(str::to_owned).collect();
            let more = text.lines().count() - lines.len();
            lines.extend((more > 0).then(|| format!("... {more} more lines")));
            lines
        }
    }
}
