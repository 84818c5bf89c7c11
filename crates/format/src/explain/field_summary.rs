//! A summary of a field: its type, its values, its constraints.

use super::layout::field_meaning;
use super::{statement_span, to_single_line};
use crate::language::{FieldId, Format, Interval, format_range, reachable_range};
use crate::tuning::MAX_NARROWING_TRIALS;

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
    (0..format.fields.len()).map(FieldId).filter(|copy| format.field(*copy).name == name).collect()
}
