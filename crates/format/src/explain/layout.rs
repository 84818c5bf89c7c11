//! A summary of the layout, with one row per line of the input.

use super::{ExplainOptions, statement_span, to_single_line, with_step_budget};
use crate::generate::{GenerationPlan, GenerationSettings, generate_value};
use crate::language::{
    BlockId, BlockKind, Class, Comparison, Field, FieldDimension, FieldId, FieldKind, Format, InstanceCount, Interval,
    LayoutItem, LinePart, LineToken, format_range, reachable_range,
};
use crate::tuning::MAX_NARROWING_TRIALS;
use crate::validate::find_violation;
use rebut_diagnostics::{Span, group_thousands};
use rebut_generators::Choices;
use std::fmt::Write as _;

/// Describes the lines of all blocks, indented as in the format.
pub(super) fn describe_layout(format: &Format) -> String {
    let mut text = String::new();
    describe_block(format, BlockId(0), 1, &mut text);
    text
}

fn describe_block(format: &Format, id: BlockId, depth: usize, text: &mut String) {
    for item in &format.block(id).items {
        match item {
            LayoutItem::Line(parts) => describe_line(format, parts, depth, text),
            LayoutItem::Rows(field) => {
                let field = format.field(*field);
                write_row(text, depth, &format.source_text(field.span), &field_meaning(field));
            }
            LayoutItem::Block(child) if format.block(*child).inline.is_some() => {
                write_row(
                    text,
                    depth,
                    &format.source_text(format.block(*child).span),
                    &describe_inline_group(format, *child),
                );
            }
            LayoutItem::Block(child) => describe_nested_block(format, *child, depth, text),
            LayoutItem::Either(children) => {
                write_row(text, depth, "either", &format!("one of {} alternatives", children.len()));
                for (i, child) in children.iter().enumerate() {
                    write_row(text, depth + 1, &format!("form {}", i + 1), "");
                    describe_block(format, *child, depth + 2, text);
                }
            }
        }
    }
}

fn describe_nested_block(format: &Format, id: BlockId, depth: usize, text: &mut String) {
    let block_of = format.block(id);
    let head = format.source_text(block_of.span);
    let head = head.trim_end_matches(':');
    let meaning = match (block_of.kind, &block_of.count) {
        (BlockKind::Cases, _) => "independent test cases".to_owned(),
        (_, InstanceCount::Conditional(comparisons)) => condition_text(comparisons),
        (_, InstanceCount::Until { range, sentinel: None }) => {
            format!("{}..{} times, until the end of the input", range.lo, range.hi)
        }
        (_, InstanceCount::Until { range, sentinel: Some(end) }) => {
            format!("{}..{} times, until the line `{}`", range.lo, range.hi, String::from_utf8_lossy(end))
        }
        _ => "repeated".to_owned(),
    };
    let separated = match block_of.separator.as_deref() {
        None => String::new(),
        Some(b"") => ", separated by an empty line".to_owned(),
        Some(line) => format!(", separated by the line `{}`", String::from_utf8_lossy(line)),
    };
    write_row(text, depth, head, &format!("{meaning}{separated}"));
    describe_block(format, id, depth + 1, text);
}

/// Describes the placement of a group on its line, and its contents.
fn describe_inline_group(format: &Format, id: BlockId) -> String {
    let block = format.block(id);
    let place =
        if block.inline.is_some_and(|inline| inline.continues_line) { "on the same line" } else { "on one line" };
    let mut meanings: Vec<String> = Vec::new();
    for field in format.field_ids().filter(|f| format.is_within(format.field(*f).block, id)) {
        let meaning = field_meaning(format.field(field));
        if !meanings.contains(&meaning) {
            meanings.push(meaning);
        }
    }
    let meanings = if meanings.is_empty() { String::new() } else { format!(": {}", meanings.join("; ")) };
    format!("repeated {place}{meanings}")
}

fn condition_text(comparisons: &[Comparison]) -> String {
    if comparisons.len() == 1 {
        "if this holds".to_owned()
    } else {
        format!("if all {} comparisons hold", comparisons.len())
    }
}

fn describe_line(format: &Format, parts: &[LinePart], depth: usize, text: &mut String) {
    let mut written = String::new();
    let mut meanings: Vec<String> = Vec::new();
    for part in parts {
        if !part.is_glued && !written.is_empty() {
            written.push(' ');
        }
        match &part.token {
            LineToken::Literal(fixed) => {
                let _ = write!(written, "\"{}\"", String::from_utf8_lossy(fixed));
            }
            LineToken::Field(field) => {
                let field = format.field(*field);
                written.push_str(&format.source_text(field.span));
                let meaning = field_meaning(field);
                if !meanings.contains(&meaning) {
                    meanings.push(meaning);
                }
            }
        }
    }
    write_row(text, depth, &written, &meanings.join("; "));
}

fn write_row(text: &mut String, depth: usize, left: &str, right: &str) {
    let left = format!("{:indent$}{left}", "", indent = 4 * depth);
    // Writing to a string cannot fail.
    let _ = if right.is_empty() { writeln!(text, "{left}") } else { writeln!(text, "{left:<36}  {right}") };
}

/// Describes the elements and the size of a field.
pub(super) fn field_meaning(field: &Field) -> String {
    let element = match &field.kind {
        FieldKind::Number => "whole number".to_owned(),
        FieldKind::Real(d) if d.min == d.max => format!("real with {} decimals", d.max),
        FieldKind::Real(d) => format!("real with {} to {} decimals", d.min, d.max),
        FieldKind::Words(words) => format!("one of {} words", words.len()),
        FieldKind::Text(letters) => format!("text over {} letters", letters.len()),
    };
    let dimensions = field.dimensions.len() - usize::from(field.alphabet().is_some() && !field.dimensions.is_empty());
    let length = match (field.alphabet().is_some(), field.dimensions.last()) {
        (true, Some(FieldDimension::Free)) => ", of any length",
        (true, _) => ", of a given length",
        (false, Some(FieldDimension::Free)) => ", to the end of the line",
        (false, _) => "",
    };
    match dimensions {
        0 => format!("{element}{length}"),
        1 if field.alphabet().is_none() => format!("array: {element}{length}"),
        1 => format!("rows: {element}{length}"),
        _ => format!("{dimensions} dimensions: {element}{length}"),
    }
}

// Acceptance rates: inputs are generated without a constraint and checked with it.

/// Number of steps counted for drawing one number.
const STEPS_PER_NUMBER: u64 = 8;

/// Returns `holds by itself in 197 of 200 inputs`; with fewer inputs and the reason if the steps run out.
pub(super) fn measure_acceptance(format: &Format, statement: Span, effort: ExplainOptions) -> String {
    let checked_format = with_step_budget(format, effort.steps);
    let mut without = checked_format.clone();
    without.constraints.retain(|c| {
        let inside = statement.start <= c.span.start && c.span.end <= statement.end;
        !inside || c.class != Class::Residual
    });
    let plan = GenerationPlan::new(&without);
    let (mut generated, mut held) = (0, 0);
    for stream in 0..effort.samples {
        let growth = u32::try_from(stream * 100 / effort.samples.max(1)).unwrap_or(100);
        let settings = GenerationSettings { growth, max_elements: 300, max_cases: 10, ..GenerationSettings::default() };
        let mut choices = Choices::from_seed(effort.seed, stream);
        let input = generate_value(&plan, &mut choices, &settings);
        let holds = input.as_ref().is_ok_and(|input| find_violation(&checked_format, &input.value).is_none());
        // The last input was not checked completely, so it does not count.
        if checked_format.stop_token.is_stopped() {
            return interrupted_acceptance(generated, held, effort);
        }
        let drawn = choices.draw_count().max(input.as_ref().map_or(0, |input| input.value.node_count() as u64));
        checked_format.stop_token.spend_steps(STEPS_PER_NUMBER.saturating_mul(drawn));
        if input.is_ok() {
            generated += 1;
            held += u64::from(holds);
        }
    }
    format!("holds by itself in {held} of {generated} inputs")
}

/// Returns the result of a measurement that used up its steps.
fn interrupted_acceptance(generated: u64, held: u64, effort: ExplainOptions) -> String {
    let (steps, samples) = (group_thousands(effort.steps.into()), effort.samples);
    match generated {
        0 => format!("not measured: {steps} steps were not enough to generate and check one input"),
        _ => {
            format!(
                "holds by itself in {held} of {generated} inputs ({samples} were planned, but each takes long to check)"
            )
        }
    }
}

// A summary of a field: its type, its values, its constraints.

/// The type, the values and the constraints of a field.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FieldSummary {
    /// Its type: `array: whole number`.
    pub meaning: String,
    /// The range of values that all constraints leave, as far as bounds show, or its words: `1..20`. `None` for a text.
    pub values: Option<String>,
    /// The range of its length, if no number announces that: `1..8`.
    pub lengths: Option<String>,
    /// The characters of a text, the simplest first.
    pub letters: Option<String>,
    /// The statements of the where part that mention it, in their order, each on one line.
    pub statements: Vec<String>,
}

/// Returns what a format says about a field. A name shared by several alternatives is one field.
///
/// ```
/// use rebut_format::Format;
/// use rebut_format::explain::summarize_field;
///
/// let format = Format::from_text("n m where 1 <= n <= 9; 3 <= m <= 9; n * m <= 12")?;
/// let n = format.field_named("n").expect("a field");
/// let summary = summarize_field(&format, n);
/// assert_eq!(summary.values.as_deref(), Some("1..4"));
/// assert_eq!(summary.statements, ["1 <= n <= 9", "n * m <= 12"]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn summarize_field(format: &Format, id: FieldId) -> FieldSummary {
    let field = format.field(id);
    let letters = field.alphabet().map(|letters| String::from_utf8_lossy(letters).into_owned());
    let copies = fields_of_name(format, &field.name);
    let mut spans = Vec::new();
    for constraint in &format.constraints {
        let is_mentioned = copies.iter().any(|copy| constraint.rule.mentions_field(*copy));
        let span = statement_span(format, constraint.span);
        if is_mentioned && !spans.contains(&span) {
            spans.push(span);
        }
    }
    spans.sort_unstable();
    FieldSummary {
        meaning: field_meaning(field),
        values: letters.is_none().then(|| format_range(field, value_range(format, id))),
        lengths: field.has_free_length().then(|| format!("{}..{}", field.length.lo, field.length.hi)),
        letters,
        statements: spans.into_iter().map(|span| to_single_line(&format.source_text(span))).collect(),
    }
}

/// Returns the range of values of all fields with the name of this one.
pub(super) fn value_range(format: &Format, id: FieldId) -> Interval {
    let is_small = format.fields.len() * format.constraints.len() <= MAX_NARROWING_TRIALS;
    let range = |copy| if is_small { reachable_range(format, copy) } else { format.field(copy).range };
    let copies = fields_of_name(format, &format.field(id).name);
    copies.into_iter().map(range).reduce(|a, b| a.hull_with(b)).unwrap_or(format.field(id).range)
}

/// Returns the fields with a name; there are several if alternatives share it.
fn fields_of_name(format: &Format, name: &str) -> Vec<FieldId> {
    format.field_ids().filter(|copy| format.field(*copy).name == name).collect()
}
