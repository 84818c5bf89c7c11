//! The arguments of the default output validator as a checker.

use rebut_checkers::Checker;

/// The checker that these arguments ask for.
///
/// # Errors
/// In words, if nobody knows one of them.
pub(super) fn checker(arguments: &[String]) -> Result<Checker, String> {
    Checker::from_validator_flags(&arguments.join(" "))
}
