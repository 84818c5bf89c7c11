//! Comparison of real numbers.

use crate::token_comparison::name_word_difference;
use crate::{number_parser, numbers, printable};

/// Numbers beyond this are infinite if relative errors are allowed.
const INFINITY_THRESHOLD: f64 = 1e300;
/// Added to every tolerance, for rounding errors.
const ROUNDING_SLACK: f64 = 1e-15;

/// A comparison of real numbers.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum RealComparison {
    /// By absolute error.
    Absolute(f64),
    /// By absolute or relative error, whichever is smaller.
    AbsoluteOrRelative(f64),
    /// By value.
    Equal,
}

impl RealComparison {
    /// Returns true if two words are numbers that are close to each other.
    pub(crate) fn is_same_token(self, expected: &[u8], found: &[u8]) -> bool {
        let values = number_parser::parse_signed_decimal(expected).zip(number_parser::parse_signed_decimal(found));
        values.is_some_and(|(expected, found)| self.is_near(expected, found))
    }

    /// Returns true if two numbers are close to each other. Infinities of the same sign are.
    pub(crate) fn is_near(self, expected: f64, found: f64) -> bool {
        let is_equal = expected.total_cmp(&found).is_eq();
        match self {
            Self::Absolute(tolerance) => is_equal || (expected - found).abs() <= tolerance + ROUNDING_SLACK,
            Self::AbsoluteOrRelative(tolerance) => is_within_tolerance(expected, found, tolerance + ROUNDING_SLACK),
            Self::Equal => is_equal || (expected - found).abs() <= 0.0,
        }
    }

    /// Returns the name of the difference between two numbers, or why the second is not a number.
    pub(crate) fn name_difference(self, expected: &[u8], found: &[u8]) -> Option<String> {
        let Some(value) = number_parser::parse_signed_decimal(expected) else {
            return name_word_difference(expected, found);
        };
        let Some(other) = number_parser::parse_signed_decimal(found) else {
            return Some(format!(": {}", numbers::describe_malformed_number(found)));
        };
        let error = (value - other).abs();
        match self {
            _ if value.is_infinite() || other.is_infinite() => Some(": beyond the range of 64-bit floats".to_owned()),
            Self::AbsoluteOrRelative(_) if value.abs().max(other.abs()) > INFINITY_THRESHOLD => {
                Some(": beyond 1e300, where only signs are compared".to_owned())
            }
            Self::Absolute(tolerance) => Some(numbers::error_phrase(error, value.abs(), tolerance, 0.0)),
            Self::AbsoluteOrRelative(tolerance) => {
                Some(numbers::error_phrase(error, value.abs(), tolerance, tolerance))
            }
            Self::Equal => Some(format!(", difference {}", printable::format_error(error))),
        }
    }
}

/// Returns true if a number is within the absolute or the relative error of another.
fn is_within_tolerance(expected: f64, found: f64, tolerance: f64) -> bool {
    if expected.abs() > INFINITY_THRESHOLD || found.abs() > INFINITY_THRESHOLD {
        return expected.abs() > INFINITY_THRESHOLD
            && found.abs() > INFINITY_THRESHOLD
            && (expected > 0.0) == (found > 0.0);
    }
    let (one, other) = (expected * (1.0 - tolerance), expected * (1.0 + tolerance));
    (found - expected).abs() <= tolerance || (one.min(other) <= found && found <= one.max(other))
}
