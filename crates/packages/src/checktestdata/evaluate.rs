//! Evaluation of a script's values and conditions.

use super::term::{Term, Variable};
use rebut_format::language::MAX_NUMBER;

const TOO_LARGE: Term = Term::Unknown("numbers are limited to 10^36");

/// The values of variables and arrays, in which terms are evaluated.
pub(super) trait Evaluator {
    /// Returns the value of a variable or an element of it.
    fn variable_value(&self, variable: &Variable) -> Term;

    /// Returns what a condition about arrays claims of the input: `UNIQUE` or `INARRAY`.
    fn array_condition(&self, condition: &Term) -> Term;

    /// Evaluates a value or a condition.
    fn evaluate(&self, term: &Term) -> Term {
        match term {
            Term::HugeNumber(_) => TOO_LARGE,
            Term::Variable(variable) => self.variable_value(variable),
            Term::TextLength(inner) => match self.evaluate(inner) {
                Term::Field(field) => Term::Length(field),
                Term::Text(text) => Term::Number(text.len() as i128),
                Term::Unknown(reason) => Term::Unknown(reason),
                _ => Term::Unknown("it refers to the length of one of several texts"),
            },
            Term::Minus(inner) => match self.evaluate(inner) {
                Term::Number(number) => Term::Number(-number),
                Term::Decimal(text) => Term::Decimal(format!("-{text}")),
                inner => Term::Minus(Box::new(inner)),
            },
            Term::Binary(..) => {
                let found = term.map_children(&mut |side| self.evaluate(side));
                match found.unknown_reason() {
                    Some(reason) => Term::Unknown(reason),
                    None if is_too_large(&found) => TOO_LARGE,
                    None => found,
                }
            }
            Term::Not(inner) => self.evaluate(inner).into_negated(),
            Term::IsEof => Term::Unknown("it depends on whether the input ends here"),
            Term::NextIsOneOf(_) => Term::Unknown("it depends on the next character"),
            Term::Unique(_) | Term::InArray(..) => self.array_condition(term),
            other => other.map_children(&mut |part| self.evaluate(part)),
        }
    }
}

/// Parses an integer of a script. A leading zero makes it octal.
pub(super) fn parse_integer(text: &str) -> Term {
    let number = match text.strip_prefix('0').filter(|rest| !rest.is_empty()) {
        Some(octal) => i128::from_str_radix(octal, 8),
        None => text.parse(),
    };
    let digits = u32::try_from(text.len()).unwrap_or(u32::MAX);
    number.ok().filter(|n| *n <= MAX_NUMBER).map_or(Term::HugeNumber(digits), Term::Number)
}

/// Parses a float, and expands its exponent, which formats do not have. It stays a float without a fraction, because
/// arithmetic on it differs from that on integers.
pub(super) fn parse_decimal(text: &str) -> Term {
    let (digits, exponent) = text.split_once(['e', 'E']).unwrap_or((text, "0"));
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    let exponent = exponent.parse::<i32>().unwrap_or(i32::MAX);
    let size = exponent.unsigned_abs() as usize;
    if size > 36 || whole.len() + fraction.len() > 40 {
        return TOO_LARGE;
    }
    let (zeros, places) = if exponent > 0 { (size, fraction.len()) } else { (0, fraction.len() + size) };
    let digits = format!("{whole}{fraction}{}", "0".repeat(zeros));
    let digits = format!("{digits:0>width$}", width = places + 1);
    let (whole, fraction) = digits.split_at(digits.len() - places);
    match (fraction.trim_end_matches('0'), whole.parse::<i128>()) {
        ("", Ok(number)) if number <= MAX_NUMBER => Term::Decimal(number.to_string()),
        ("", _) | (_, Err(_)) => TOO_LARGE,
        (fraction, Ok(number)) => Term::Decimal(format!("{number}.{fraction}")),
    }
}

/// Returns true if a constant expression is beyond the largest number of a format.
fn is_too_large(term: &Term) -> bool {
    match term {
        Term::Binary(_, left, right) if left.constant_value().is_some() && right.constant_value().is_some() => {
            term.constant_value().is_none_or(|n| n.unsigned_abs() > MAX_NUMBER.unsigned_abs())
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::panic, reason = "tests")]
    use super::*;

    #[test]
    fn floats_are_written_without_exponents() {
        for (script, format) in [("1.50", "1.5"), ("1e-3", "0.001"), ("2.5e1", "25"), ("0.1e-1", "0.01"), ("3.", "3")] {
            let shown = match parse_decimal(script) {
                Term::Decimal(text) => text,
                other => panic!("{other:?}"),
            };
            assert_eq!(shown, format, "{script}");
        }
        assert!(matches!(parse_decimal("1E100000"), Term::Unknown(_)));
    }
}
