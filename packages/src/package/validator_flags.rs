//! Conversion of the default output validator's arguments to a checker.

use rebut_checkers::Checker;

/// Returns the checker that the arguments select.
///
/// # Errors
///
/// Returns a message if an argument is unknown.
pub(super) fn checker_from_arguments(arguments: &[String]) -> Result<Checker, String> {
    Checker::from_validator_flags(&arguments.join(" "))
}
