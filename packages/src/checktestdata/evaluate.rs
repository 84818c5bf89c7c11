//! Evaluation of a script's expressions and conditions to symbolic terms and claims.

use super::script::{Expr, ExprKind, Variable};
use super::symbolic::{Claim, Term};

/// Largest number in a format.
pub(super) const MAX_NUMBER: i128 = 10_i128.pow(36);

/// The values of variables and arrays, in which expressions and conditions are evaluated.
pub(super) trait Evaluator {
    /// Returns the value of a variable or an element of it.
    fn variable_value(&mut self, variable: &Variable) -> Term;

    /// Returns the claim of a condition about arrays: `UNIQUE` or `INARRAY`.
    fn array_claim(&mut self, condition: &ExprKind) -> Claim;

    /// Evaluates an expression.
    fn evaluate_expression(&mut self, expr: &Expr) -> Term {
        match &expr.kind {
            ExprKind::Integer(text) => parse_integer(text)
                .filter(|n| *n <= MAX_NUMBER)
                .map_or(Term::Unknown("numbers are limited to 10^36"), Term::Number),
            ExprKind::Float(text) => parse_decimal(text),
            ExprKind::Text(text) => Term::Text(text.clone()),
            ExprKind::Variable(variable) => self.variable_value(variable),
            ExprKind::Length(inner) => match self.evaluate_expression(inner) {
                Term::Field(field) => Term::Length(field),
                Term::Text(text) => Term::Number(text.len() as i128),
                Term::Unknown(reason) => Term::Unknown(reason),
                _ => Term::Unknown("it refers to the length of one of several texts"),
            },
            ExprKind::Minus(inner) => match self.evaluate_expression(inner) {
                Term::Number(number) => Term::Number(-number),
                Term::Decimal(text) => Term::Decimal(format!("-{text}")),
                inner => Term::Minus(Box::new(inner)),
            },
            ExprKind::Binary(sign, left, right) => {
                let (left, right) = (self.evaluate_expression(left), self.evaluate_expression(right));
                if let Some(reason) = left.unknown_reason().or_else(|| right.unknown_reason()) {
                    return Term::Unknown(reason);
                }
                let term = Term::new_binary(sign, left, right);
                if is_too_large(&term) { Term::Unknown("numbers are limited to 10^36") } else { term }
            }
            _ => Term::Unknown("a condition is not a value"),
        }
    }

    /// Evaluates a condition.
    fn evaluate_condition(&mut self, condition: &Expr) -> Claim {
        match &condition.kind {
            ExprKind::Not(inner) => self.evaluate_condition(inner).into_negated(),
            ExprKind::And(left, right) => {
                Claim::All(vec![self.evaluate_condition(left), self.evaluate_condition(right)])
            }
            ExprKind::Or(left, right) => {
                Claim::Any(vec![self.evaluate_condition(left), self.evaluate_condition(right)])
            }
            ExprKind::Compare(sign, left, right) => {
                Claim::Compare(*sign, self.evaluate_expression(left), self.evaluate_expression(right))
            }
            ExprKind::IsEof => Claim::Unknown("it depends on whether the input ends here"),
            ExprKind::NextIsOneOf(_) => Claim::Unknown("it depends on the next character"),
            other => self.array_claim(other),
        }
    }
}

/// Parses an integer of a script. A leading zero makes it octal.
fn parse_integer(text: &str) -> Option<i128> {
    match text.strip_prefix('0').filter(|rest| !rest.is_empty()) {
        Some(octal) => i128::from_str_radix(octal, 8).ok(),
        None => text.parse().ok(),
    }
}

/// Parses a float, and expands its exponent, which formats do not have.
fn parse_decimal(text: &str) -> Term {
    let (digits, exponent) = match text.split_once(['e', 'E']) {
        Some((digits, exponent)) => (digits, exponent.parse::<i32>().unwrap_or(i32::MAX)),
        None => (text, 0),
    };
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    if exponent.unsigned_abs() > 36 || whole.len() + fraction.len() > 40 {
        return Term::Unknown("numbers are limited to 10^36");
    }
    let shift = exponent + i32::try_from(whole.len()).unwrap_or(0);
    let mut digits = format!("{whole}{fraction}");
    let shift = if shift < 0 {
        digits = "0".repeat(shift.unsigned_abs() as usize) + &digits;
        0
    } else {
        usize::try_from(shift).unwrap_or(0)
    };
    while digits.len() < shift {
        digits.push('0');
    }
    let (whole, fraction) = digits.split_at(shift);
    let whole = whole.trim_start_matches('0');
    let whole = if whole.is_empty() { "0" } else { whole };
    match (fraction.trim_end_matches('0'), whole.parse::<i128>()) {
        (_, Err(_)) => Term::Unknown("numbers are limited to 10^36"),
        ("", Ok(number)) if number > MAX_NUMBER => Term::Unknown("numbers are limited to 10^36"),
        // It stays a float, because arithmetic on it differs from that on integers.
        ("", Ok(number)) => Term::Decimal(number.to_string()),
        (fraction, Ok(_)) => Term::Decimal(format!("{whole}.{fraction}")),
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
