//! Explains a format: its layout, how generation satisfies each constraint, which values are reachable, how many small
//! inputs there are, and a sample input.
//!
//! ```
//! use rebut_diagnostics::SourceText;
//! use rebut_format::explain::{ExplainOptions, explain_format};
//! use rebut_format::language::Format;
//!
//! let source = SourceText::new("example", "n; a[n] where 1 <= n <= 8; 0 <= a <= 9");
//! let (format, _) = Format::parse(&source).expect("a valid format");
//! let text = explain_format(&format, ExplainOptions { samples: 10, max_counted: 1000, seed: 1, steps: 100_000 });
//! assert!(text.starts_with("layout\n"));
//! ```

mod layout;

use crate::enumerate;
use crate::generate::{GenerationError, GenerationPlan, GenerationSettings, generate_value};
use crate::language::{Class, Constraint, FieldId, Format, format_range};
use crate::print::print_value;
pub use layout::{FieldSummary, summarize_field};
use rebut_diagnostics::{Span, group_thousands};
use rebut_generators::Choices;
use std::collections::BTreeSet;
use std::fmt::Write as _;

/// Limits and settings of an explanation.
#[derive(Clone, Copy, Debug)]
pub struct ExplainOptions {
    /// Number of inputs generated to measure how often a constraint holds by itself.
    pub samples: u64,
    /// Counting stops at the first size with more inputs than this.
    pub max_counted: u128,
    /// Seed of the samples.
    pub seed: u64,
    /// Maximum number of steps, each about as expensive as a comparison: for all measurements together, for counting
    /// inputs, and for the sample: three times as many in total.
    pub steps: u64,
}

impl Default for ExplainOptions {
    fn default() -> Self {
        ExplainOptions { samples: 200, max_counted: 100_000, seed: 1, steps: 20_000_000 }
    }
}

/// Returns the whole explanation as text. It stays within the limits of `effort` and reports omissions; if the
/// format's own token stops the work, the result is meaningless.
pub fn explain_format(format: &Format, effort: ExplainOptions) -> String {
    let mut text = String::new();
    // Writing to a string cannot fail.
    let _ = write!(text, "layout\n{}", layout::describe_layout(format));
    write_section(&mut text, "constraints", &describe_constraints(format, effort));
    write_section(&mut text, "reachable values", &describe_ranges(format));
    write_section(&mut text, "inputs", &count_small_inputs(format, effort));
    write_section(&mut text, &format!("a sample (seed {:x})", effort.seed), &sample_lines(format, effort));
    text
}

/// Returns the format with a budget of `steps` steps.
fn with_step_budget(format: &Format, steps: u64) -> Format {
    Format { stop_token: format.stop_token.with_steps(steps), ..format.clone() }
}

fn write_section(text: &mut String, title: &str, lines: &[String]) {
    if !lines.is_empty() {
        let _ = write!(text, "\n{title}\n");
        lines.iter().for_each(|line| {
            let _ = writeln!(text, "    {line}");
        });
    }
}

/// Returns the keyword of a class, and its meaning.
fn class_description(class: Class) -> (&'static str, &'static str) {
    match class {
        Class::Domain => ("domain", "drawn within the range that the others allow"),
        Class::Budget => ("budget", "split among its parts"),
        Class::Structural => ("structural", "constructed"),
        Class::Residual => ("residual", "checked afterwards, violations are drawn again"),
    }
}

/// Returns a row for each statement of the where part and each class of its constraints; residual ones with how often
/// they hold by themselves.
fn describe_constraints(format: &Format, effort: ExplainOptions) -> Vec<String> {
    let measured = format.constraints.iter().filter(|c| c.class == Class::Residual);
    let measured: BTreeSet<Span> = measured.map(|c| statement_span(format, c.span)).collect();
    let effort = ExplainOptions { steps: effort.steps / measured.len().max(1) as u64, ..effort };
    let mut seen: Vec<(Span, Class)> = Vec::new();
    let mut rows: Vec<(&str, String, String)> = Vec::new();
    for constraint in &format.constraints {
        let place = statement_span(format, constraint.span);
        // A graph constraint implies comparisons, which are not listed separately.
        let implied = |c: &Constraint| c.span == constraint.span && c.rule.comparison().is_none();
        let is_implied = constraint.rule.comparison().is_some() && format.constraints.iter().any(implied);
        if seen.contains(&(place, constraint.class)) || is_implied {
            continue;
        }
        seen.push((place, constraint.class));
        let (word, meaning) = class_description(constraint.class);
        let how = match constraint.class {
            Class::Residual => format!("{meaning}; {}", layout::measure_acceptance(format, place, effort)),
            _ => meaning.to_owned(),
        };
        rows.push((word, to_single_line(&format.source_text(place)), how));
    }
    for (name, programs) in [("validator", &format.validators), ("generator", &format.generators)] {
        rows.extend(programs.iter().map(|p| ("external", format!("{name} \"{}\"", p.command), "a program".to_owned())));
    }
    let widest = rows.iter().map(|row| row.1.chars().count()).max().unwrap_or(0).min(48);
    rows.into_iter().map(|(word, what, how)| format!("{word:<10}  {what:<widest$}  {how}")).collect()
}

/// Returns the span of the whole statement that a constraint is part of: a chain becomes several constraints.
fn statement_span(format: &Format, span: Span) -> Span {
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

/// Joins several lines into one.
fn to_single_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Returns a row for each field with the values that it can take, as far as bounds show.
fn describe_ranges(format: &Format) -> Vec<String> {
    let widest = format.fields.iter().map(|f| f.name.chars().count()).max().unwrap_or(0);
    let line = |id: FieldId| {
        let field = format.field(id);
        let name = &field.name;
        let mut parts = Vec::new();
        if field.alphabet().is_none() {
            parts.push(format_range(field, layout::value_range(format, id)));
        }
        if field.has_free_length() {
            parts.push(format!("lengths {}..{}", field.length.lo, field.length.hi));
        }
        (!parts.is_empty()).then(|| format!("{name:<widest$}  {}", parts.join(", ")))
    };
    let is_first = |id: &FieldId| format.field_named(&format.field(*id).name) == Some(*id);
    format.field_ids().filter(is_first).filter_map(line).collect()
}

/// Counts the inputs of few elements, until there are too many.
fn count_small_inputs(format: &Format, effort: ExplainOptions) -> Vec<String> {
    /// Maximum number of sizes shown.
    const MAX_SIZES: usize = 6;
    let bounded = with_step_budget(format, effort.steps);
    let plan = &GenerationPlan::new(&bounded);
    let least = usize::try_from(enumerate::element_count_range(plan).lo).unwrap_or(0);
    let mut lines = Vec::new();
    for most in least..least.saturating_add(MAX_SIZES) {
        let counted_all = enumerate::count_inputs(plan, most, &|| false);
        // If the search was stopped early, the number is not known.
        let Some(count) = counted_all.filter(|_| !bounded.stop_token.is_stopped()) else { break };
        lines.push(format!(
            "{} of at most {most} {}",
            group_thousands(count),
            if most == 1 { "element" } else { "elements" }
        ));
        if count > effort.max_counted {
            break;
        }
    }
    if lines.is_empty() {
        lines.push("too many to count, even for the smallest size".to_owned());
    }
    lines
}

fn sample_lines(format: &Format, effort: ExplainOptions) -> Vec<String> {
    /// Maximum number of lines shown.
    const MAX_SAMPLE_LINES: usize = 12;
    let settings = GenerationSettings { growth: 20, max_elements: 40, ..GenerationSettings::default() };
    let bounded = with_step_budget(format, effort.steps);
    match generate_value(&GenerationPlan::new(&bounded), &mut Choices::from_seed(effort.seed, 0), &settings) {
        Err(_) if bounded.stop_token.is_stopped() => {
            vec![format!(
                "none was found in {} steps: the constraints take too long to check",
                group_thousands(effort.steps.into())
            )]
        }
        Err(GenerationError { message, .. }) => vec![format!("none was found: {message}")],
        Ok(generated) => {
            let bytes = print_value(format, &generated.value);
            let text = String::from_utf8_lossy(&bytes);
            let mut lines: Vec<String> = text.lines().take(MAX_SAMPLE_LINES).map(str::to_owned).collect();
            let more = text.lines().count() - lines.len();
            lines.extend((more > 0).then(|| format!("... {more} more lines")));
            lines
        }
    }
}
