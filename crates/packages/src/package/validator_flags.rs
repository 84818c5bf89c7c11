//! Converts the arguments of the default output validator, such as `float_tolerance 1e-6`, to a checker.

use rebut_checkers::Checker;

/// Returns the checker that behaves like the default output validator with these arguments.
///
/// # Errors
///
/// Returns an error message if an argument is unknown or its number is missing.
pub(super) fn checker_from_arguments(arguments: &[String]) -> Result<Checker, String> {
    Checker::from_validator_flags(&arguments.join(" "))
}
