//! How near two real numbers must be.

use crate::compare::name_words;
use crate::{number, numbers, show};

/// Beyond this a number counts as infinite where relative errors are allowed.
const INFINITE: f64 = 1e300;
/// What every tolerance is widened by, for the rounding of what is compared.
const ROUNDING: f64 = 1e-15;

/// A comparison of real numbers.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Real {
    /// By absolute error.
    Absolute(f64),
    /// By absolute or relative error, whichever is smaller.
    Either(f64),
    /// By value.
    Equal,
}

impl Real {
    /// Whether two words are numbers near each other.
    pub(crate) fn same(self, expected: &[u8], found: &[u8]) -> bool {
        let values = number::read_signed(expected).zip(number::read_signed(found));
        values.is_some_and(|(expected, found)| self.is_near(expected, found))
    }

    /// Whether two numbers are near each other. Infinite ones of one sign are.
    pub(crate) fn is_near(self, expected: f64, found: f64) -> bool {
        let is_equal = expected.total_cmp(&found).is_eq();
        match self {
            Self::Absolute(tolerance) => is_equal || (expected - found).abs() <= tolerance + ROUNDING,
            Self::Either(tolerance) => is_near(expected, found, tolerance + ROUNDING),
            Self::Equal => is_equal || (expected - found).abs() <= 0.0,
        }
    }

    /// The name of the difference of two numbers, or why the second is none.
    pub(crate) fn name_difference(self, expected: &[u8], found: &[u8]) -> Option<String> {
        let Some(value) = number::read_signed(expected) else { return name_words(expected, found) };
        let Some(other) = number::read_signed(found) else {
            return Some(format!(": {}", numbers::not_a_number(found)));
        };
        let error = (value - other).abs();
        match self {
            _ if value.is_infinite() || other.is_infinite() => Some(": beyond the range of 64-bit floats".to_owned()),
            Self::Either(_) if value.abs().max(other.abs()) > INFINITE => {
                Some(": beyond 1e300, where only signs are compared".to_owned())
            }
            Self::Absolute(tolerance) => Some(numbers::excess(error, value.abs(), tolerance, 0.0)),
            Self::Either(tolerance) => Some(numbers::excess(error, value.abs(), tolerance, tolerance)),
            Self::Equal => Some(format!(", difference {}", show::error(error))),
        }
    }
}

/// Whether a number lies within the absolute or the relative error of another.
fn is_near(expected: f64, found: f64, tolerance: f64) -> bool {
    if expected.abs() > INFINITE || found.abs() > INFINITE {
        return expected.abs() > INFINITE && found.abs() > INFINITE && (expected > 0.0) == (found > 0.0);
    }
    let (one, other) = (expected * (1.0 - tolerance), expected * (1.0 + tolerance));
    (found - expected).abs() <= tolerance || (one.min(other) <= found && found <= one.max(other))
}
