//! Explains why no input of a format can be generated.

use crate::tuning::MAX_BLAMED_CONSTRAINTS;
use rebut_diagnostics::{Error, Span};
use rebut_format::generate::{GenerationError, NearMiss, find_near_miss};
use rebut_format::language::Format;
use rebut_format::print::print_value;

/// Returns the error for a format without generatable inputs, with the constraint to blame and the input that comes
/// closest to satisfying it.
pub(super) fn unmet_constraint_error(format: &Format, failure: &GenerationError) -> Error {
    let text = failure.to_diagnostic().render_text(&format.source);
    let (headline, place) = text.split_once('\n').unwrap_or((&text, ""));
    // If the constraint to blame is unknown, try the last ones.
    let last = format.constraints.iter().rev().map(|constraint| constraint.span).take(MAX_BLAMED_CONSTRAINTS);
    let blamed: Vec<Span> = match (failure.too_large, failure.constraint) {
        (Some(_), _) => Vec::new(),
        (None, Some(constraint)) => vec![constraint],
        (None, None) => last.collect(),
    };
    let closest = find_near_miss(format, &blamed);
    let shown = closest.map(|closest| {
        let NearMiss { value, violation } = &closest;
        let broken = format.source_text(format.constraints[violation.constraint].span);
        let shown = shorten_input(&print_value(format, value));
        format!("\nthe closest input found violates only `{broken}` ({}):\n{shown}", violation.sides)
    });
    Error::usage_error(headline.trim_start_matches("error: ")).with_note(format!(
        "{}{}",
        place.trim_end(),
        shown.unwrap_or_default()
    ))
}

/// Returns the beginning of an input, indented as part of a message.
fn shorten_input(input: &[u8]) -> String {
    const MAX_LINES: usize = 8;
    const MAX_COLUMNS: usize = 60;
    let mut lines = input.strip_suffix(b"\n").unwrap_or(input).split(|byte| *byte == b'\n');
    let mut shown: Vec<String> = lines
        .by_ref()
        .take(MAX_LINES)
        .map(|line| format!("  {}", rebut_diagnostics::shorten_text(line, MAX_COLUMNS)))
        .collect();
    let more = lines.count();
    if more > 0 {
        shown.push(format!("  ... {more} more lines"));
    }
    shown.join("\n")
}
