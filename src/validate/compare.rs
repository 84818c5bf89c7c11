//! Comparisons of numbers, of tuples, and element by element.

use super::Broken;
use crate::diagnostic::shorten;
use crate::format::{Comparison, Expr, FieldId, Format, Sign, shown};
use crate::value::{self, Scope, Unknown};

/// How a comparison fails; none if it holds.
pub(super) fn compare(comparison: &Comparison, scope: &Scope<'_>) -> Result<Broken, Unknown> {
    let text = |number: i128| side_text(comparison, number, scope.format);
    if let ([left], [right]) = (&*comparison.left, &*comparison.right) {
        if let (Expr::Whole(_) | Expr::Letters(_), Expr::Whole(_) | Expr::Letters(_)) = (left, right) {
            return wholes(comparison, left, right, scope);
        }
        if value::is_array(left, scope) || value::is_array(right, scope) {
            return arrays(comparison, left, right, scope);
        }
        let sides = (value::number(left, scope)?, value::number(right, scope)?);
        let fails = !comparison.sign.holds(&sides.0, &sides.1);
        return Ok(fails.then(|| (None, format!("{} and {}", text(sides.0), text(sides.1)))));
    }
    let numbers = |side: &[Expr]| side.iter().map(|e| value::number(e, scope)).collect::<Result<Vec<_>, _>>();
    let sides = (numbers(&comparison.left)?, numbers(&comparison.right)?);
    let tuple = |side: &[i128]| side.iter().map(|n| text(*n)).collect::<Vec<_>>().join(", ");
    let fails = !comparison.sign.holds(&sides.0, &sides.1);
    Ok(fails.then(|| (None, format!("({}) and ({})", tuple(&sides.0), tuple(&sides.1)))))
}

/// Texts, arrays or rows as wholes: in the order of dictionaries, by the numbers or the codes of the letters.
fn wholes(comparison: &Comparison, left: &Expr, right: &Expr, scope: &Scope<'_>) -> Result<Broken, Unknown> {
    let sides = (value::elements(left, scope)?, value::elements(right, scope)?);
    if comparison.sign.holds(&sides.0, &sides.1) {
        return Ok(None);
    }
    let text = is_text(left, scope.format) || is_text(right, scope.format);
    let shown = |side: &[i128]| match text {
        true => {
            let letters: Vec<u8> = side.iter().filter_map(|code| u8::try_from(*code).ok()).collect();
            format!("`{}`", shorten(&letters, 20))
        }
        false => {
            let numbers = side.iter().take(MOST_SHOWN).map(|n| side_text(comparison, *n, scope.format));
            let more = (side.len() > MOST_SHOWN).then(|| "...".to_owned());
            format!("({})", numbers.chain(more).collect::<Vec<_>>().join(", "))
        }
    };
    Ok(Some((None, format!("{} and {}", shown(&sides.0), shown(&sides.1)))))
}

/// So many numbers of a whole are shown in a message.
const MOST_SHOWN: usize = 10;

fn is_text(side: &Expr, format: &Format) -> bool {
    match side {
        Expr::Letters(_) => true,
        Expr::Whole(inner) => is_text(inner, format),
        Expr::Field(field) | Expr::Element(field, _) => format.field(*field).letters().is_some(),
        _ => false,
    }
}

fn arrays(comparison: &Comparison, left: &Expr, right: &Expr, scope: &Scope<'_>) -> Result<Broken, Unknown> {
    if all_within(comparison, left, right, scope)? {
        return Ok(None);
    }
    let numbers = |e: &Expr| {
        if value::is_array(e, scope) { value::elements(e, scope) } else { Ok(vec![value::number(e, scope)?]) }
    };
    let (left_array, right_array) = (value::is_array(left, scope), value::is_array(right, scope));
    let (left, right) = (numbers(left)?, numbers(right)?);
    let count = if left_array { left.len() } else { right.len() };
    for i in 0..count {
        let sides = (left.get(if left_array { i } else { 0 }), right.get(if right_array { i } else { 0 }));
        let (Some(a), Some(b)) = sides else { return Err(Unknown::Missing) };
        if !comparison.sign.holds(a, b) {
            let text = |number: i128| side_text(comparison, number, scope.format);
            return Ok(Some((Some(i), format!("{} and {}", text(*a), text(*b)))));
        }
    }
    Ok(None)
}

/// Whether a comparison of an array with a single number holds for all elements, found without a copy of the array. False
/// where that cannot be said.
fn all_within(comparison: &Comparison, left: &Expr, right: &Expr, scope: &Scope<'_>) -> Result<bool, Unknown> {
    let (array, sign, single) = match (left, right) {
        (Expr::Field(array), single) if !value::is_array(single, scope) => (*array, comparison.sign, single),
        (single, Expr::Field(array)) if !value::is_array(single, scope) => (*array, comparison.sign.mirrored(), single),
        _ => return Ok(false),
    };
    let single = value::number(single, scope)?;
    let array = scope.field(array).ok_or(Unknown::Missing)?;
    Ok(match sign {
        Sign::Less => value::every(array, |number| number < single),
        Sign::LessEqual => value::every(array, |number| number <= single),
        Sign::Greater => value::every(array, |number| number > single),
        Sign::GreaterEqual => value::every(array, |number| number >= single),
        Sign::Equal => value::every(array, |number| number == single),
        Sign::NotEqual => value::every(array, |number| number != single),
    })
}

/// A number of a comparison as people write it: with its point, or the word that it stands for.
fn side_text(comparison: &Comparison, number: i128, format: &Format) -> String {
    let unwrapped = |e: &Expr| if let Expr::Whole(inner) = e { (**inner).clone() } else { e.clone() };
    let field = |e: &Expr| match &unwrapped(e) {
        Expr::Field(f) | Expr::Element(f, _) => Some(*f).filter(|f: &FieldId| format.field(*f).words().is_some()),
        _ => None,
    };
    match comparison.left.iter().chain(&comparison.right).find_map(field) {
        Some(words) => format!("`{}`", format.field(words).number_text(number)),
        None => shown(number, comparison.decimals),
    }
}
