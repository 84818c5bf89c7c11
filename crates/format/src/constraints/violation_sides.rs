//! Explanations of violations: the two sides of a comparison, or another reason.
//!
//! Most callers only need to know whether a constraint holds, and check that millions of times, so the text is built
//! only on demand.

use crate::model::{Comparison, Expr, FieldId, Format, format_decimal};
use rebut_diagnostics::shorten_text;
use std::ops::ControlFlow;

/// The reason of a violation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ViolationSides<'f> {
    /// A finished text.
    Words(String),
    /// Two numbers.
    Numbers(&'f Comparison, i128, i128),
    /// Two tuples.
    Tuples(&'f Comparison, Vec<i128>, Vec<i128>),
    /// Two texts, arrays or rows, by their numbers or the codes of their letters.
    Sequences(&'f Comparison, Vec<i128>, Vec<i128>),
    /// No value of a quantifier's variable in this range satisfies the formula.
    ForNone(&'f str, i128, i128),
    /// The reason for one value of a quantifier's variable.
    ForValue(&'f str, i128, Box<ViolationSides<'f>>),
}

/// Maximum number of elements of a sequence shown in a message.
const MAX_SHOWN_NUMBERS: usize = 10;

impl ViolationSides<'_> {
    /// Returns the difference of the sides, if they are numbers.
    pub fn side_distance(&self) -> Option<u128> {
        match self {
            ViolationSides::Numbers(_, left, right) => Some(left.abs_diff(*right)),
            ViolationSides::ForValue(_, _, inner) => inner.side_distance(),
            _ => None,
        }
    }

    /// Returns the explanation as text.
    pub fn display_text(&self, format: &Format) -> String {
        match self {
            ViolationSides::Words(words) => words.clone(),
            ViolationSides::Numbers(comparison, left, right) => {
                format!("{} and {}", number_text(comparison, *left, format), number_text(comparison, *right, format))
            }
            ViolationSides::Tuples(comparison, left, right) => {
                let tuple = |numbers: &[i128]| {
                    numbers.iter().map(|n| number_text(comparison, *n, format)).collect::<Vec<_>>().join(", ")
                };
                format!("({}) and ({})", tuple(left), tuple(right))
            }
            ViolationSides::Sequences(comparison, left, right) => {
                let are_texts = comparison.left.iter().chain(&comparison.right).any(|e| is_text_expr(e, format));
                let whole = |numbers: &[i128]| {
                    if are_texts { text_of_codes(numbers) } else { row_text(comparison, numbers, format) }
                };
                format!("{} and {}", whole(left), whole(right))
            }
            ViolationSides::ForNone(name, from, to) => format!("for no {name} in {from}..{to}"),
            ViolationSides::ForValue(name, number, inner) => {
                format!("{name} = {number}: {}", inner.display_text(format))
            }
        }
    }
}

fn text_of_codes(codes: &[i128]) -> String {
    let letters: Vec<u8> = codes.iter().filter_map(|code| u8::try_from(*code).ok()).collect();
    format!("`{}`", shorten_text(&letters, 20))
}

fn row_text(comparison: &Comparison, numbers: &[i128], format: &Format) -> String {
    let shown = numbers.iter().take(MAX_SHOWN_NUMBERS).map(|n| number_text(comparison, *n, format));
    let more = (numbers.len() > MAX_SHOWN_NUMBERS).then(|| "...".to_owned());
    format!("({})", shown.chain(more).collect::<Vec<_>>().join(", "))
}

fn is_text_expr(side: &Expr, format: &Format) -> bool {
    side.any_part(&|part| match part {
        Expr::TextLiteral(_) => Some(true),
        Expr::Sequence(_) => None,
        Expr::Field(field) | Expr::Element(field, _) => Some(format.field(*field).alphabet().is_some()),
        _ => Some(false),
    })
}

/// Formats a number of a comparison: with its decimal point, or as the word that it stands for.
fn number_text(comparison: &Comparison, number: i128, format: &Format) -> String {
    match comparison.left.iter().chain(&comparison.right).find_map(|side| word_field(side, format)) {
        Some(words) => format!("`{}`", format.field(words).format_number(number)),
        None => format_decimal(number, comparison.decimals),
    }
}

/// Returns the field of words on a side.
fn word_field(side: &Expr, format: &Format) -> Option<FieldId> {
    side.find_part(&mut |part| match part {
        Expr::Sequence(_) => ControlFlow::Continue(()),
        Expr::Field(f) | Expr::Element(f, _) => {
            ControlFlow::Break(Some(*f).filter(|f| format.field(*f).word_choices().is_some()))
        }
        _ => ControlFlow::Break(None),
    })
}
