//! Inputs that break one rule of a format each.

use crate::limits::shown_input;
use rebut_format::invalid::{BrokenRule, find_refusal, generate_invalid_inputs};
use rebut_format::language::Format;
use serde::Serialize;

/// Maximum number of elements of an invalid input.
const MAX_ELEMENTS: usize = 40;

/// Inputs that break one rule each.
#[derive(Serialize)]
pub(crate) struct InvalidInputList {
    inputs: Vec<RefusedInput>,
    /// Rules that could not be broken, each with the reason.
    unbroken: Vec<String>,
    /// Number of ways to break a constraint for which there were no steps left.
    untried: usize,
}

/// An invalid input, and why it is refused.
#[derive(Serialize)]
struct RefusedInput {
    name: String,
    description: String,
    refusal: String,
    /// Whether the notation is wrong: such inputs are much the same for all formats.
    breaks_layout: bool,
    text: String,
}

/// Lists an input for each constraint and for each rule of the layout.
///
/// # Errors
/// Returns an error if no valid input was found to start from.
pub(crate) fn list_invalid_inputs(format: &Format) -> Result<InvalidInputList, String> {
    let stop = || format.stop_token.is_stopped();
    let found = generate_invalid_inputs(format, 1, MAX_ELEMENTS, &stop).map_err(|failure| failure.message)?;
    let unbounded = Format { stop_token: Default::default(), ..format.clone() };
    let refused = found.inputs.into_iter().filter_map(|input| {
        let refusal = find_refusal(&unbounded, &input.bytes)?;
        Some(RefusedInput {
            name: input.name,
            description: input.description,
            refusal: refusal.message,
            breaks_layout: input.broken_rule == BrokenRule::Layout,
            text: shown_input(&input.bytes),
        })
    });
    let unbroken = found.unbroken.into_iter().map(|rule| format!("{}: {}", rule.name, rule.reason));
    Ok(InvalidInputList { inputs: refused.collect(), unbroken: unbroken.collect(), untried: found.untried })
}
