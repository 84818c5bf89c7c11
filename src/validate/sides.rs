//! What stands on the two sides of a comparison that does not hold, and what else says why something does not.
//!
//! Most who ask whether a constraint holds only want to know that, and ask millions of times; so it is put into words only
//! for somebody who reads them.

use crate::diagnostic::shorten;
use crate::format::{Comparison, Expr, FieldId, Format, shown};

/// Why something does not hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Sides<'f> {
    /// In words already.
    Words(String),
    /// Two numbers.
    Numbers(&'f Comparison, i128, i128),
    /// Two tuples.
    Tuples(&'f Comparison, Vec<i128>, Vec<i128>),
    /// Two texts, arrays or rows, by their numbers or the codes of their letters.
    Wholes(&'f Comparison, Vec<i128>, Vec<i128>),
    /// It holds for no value of a quantifier's variable in a range.
    Nowhere(&'f str, i128, i128),
    /// For one value of a quantifier's variable.
    At(&'f str, i128, Box<Sides<'f>>),
}

/// So many numbers of a whole are shown in a message.
const MOST_SHOWN: usize = 10;

impl Sides<'_> {
    /// How far apart the sides are, if they are numbers.
    pub fn distance(&self) -> Option<u128> {
        match self {
            Sides::Numbers(_, left, right) => Some(left.abs_diff(*right)),
            Sides::At(_, _, inner) => inner.distance(),
            _ => None,
        }
    }

    /// In words.
    pub fn words(&self, format: &Format) -> String {
        match self {
            Sides::Words(words) => words.clone(),
            Sides::Numbers(comparison, left, right) => {
                format!("{} and {}", side(comparison, *left, format), side(comparison, *right, format))
            }
            Sides::Tuples(comparison, left, right) => {
                let tuple = |numbers: &[i128]| {
                    numbers.iter().map(|n| side(comparison, *n, format)).collect::<Vec<_>>().join(", ")
                };
                format!("({}) and ({})", tuple(left), tuple(right))
            }
            Sides::Wholes(comparison, left, right) => {
                let are_texts = comparison.left.iter().chain(&comparison.right).any(|e| is_text(e, format));
                let whole = |numbers: &[i128]| {
                    if are_texts { text(numbers) } else { row(comparison, numbers, format) }
                };
                format!("{} and {}", whole(left), whole(right))
            }
            Sides::Nowhere(name, from, to) => format!("for no {name} in {from}..{to}"),
            Sides::At(name, number, inner) => format!("{name} = {number}: {}", inner.words(format)),
        }
    }
}

fn text(codes: &[i128]) -> String {
    let letters: Vec<u8> = codes.iter().filter_map(|code| u8::try_from(*code).ok()).collect();
    format!("`{}`", shorten(&letters, 20))
}

fn row(comparison: &Comparison, numbers: &[i128], format: &Format) -> String {
    let shown = numbers.iter().take(MOST_SHOWN).map(|n| side(comparison, *n, format));
    let more = (numbers.len() > MOST_SHOWN).then(|| "...".to_owned());
    format!("({})", shown.chain(more).collect::<Vec<_>>().join(", "))
}

fn is_text(side: &Expr, format: &Format) -> bool {
    match side {
        Expr::Letters(_) => true,
        Expr::Whole(inner) => is_text(inner, format),
        Expr::Field(field) | Expr::Element(field, _) => format.field(*field).letters().is_some(),
        _ => false,
    }
}

/// A number of a comparison as people write it: with its point, or the word that it stands for.
fn side(comparison: &Comparison, number: i128, format: &Format) -> String {
    match comparison.left.iter().chain(&comparison.right).find_map(|side| words_of(side, format)) {
        Some(words) => format!("`{}`", format.field(words).number_text(number)),
        None => shown(number, comparison.decimals),
    }
}

/// The field of words that stands on a side.
fn words_of(side: &Expr, format: &Format) -> Option<FieldId> {
    match side {
        Expr::Whole(inner) => words_of(inner, format),
        Expr::Field(f) | Expr::Element(f, _) => Some(*f).filter(|f| format.field(*f).words().is_some()),
        _ => None,
    }
}
