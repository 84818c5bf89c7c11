//! The arguments of the default output validator as a checker.

use rebut_checkers::Checker;

/// The checker that these arguments ask for.
///
/// # Errors
/// In words, if nobody knows one of them.
pub(super) fn checker(arguments: &[String]) -> Result<Checker, String> {
    let mut words = arguments.iter();
    let (mut absolute, mut relative, mut ignore_case, mut exact) = (None, None, true, false);
    while let Some(word) = words.next() {
        let mut number = || match words.next().and_then(|w| w.parse::<f64>().ok()).filter(|t| *t >= 0.0) {
            Some(number) => Ok(Some(number)),
            None => Err(format!("the validator flag `{word}` needs a number")),
        };
        match word.as_str() {
            "case_sensitive" => ignore_case = false,
            "space_change_sensitive" => exact = true,
            "float_tolerance" => {
                absolute = number()?;
                relative = absolute;
            }
            "float_absolute_tolerance" => absolute = number()?,
            "float_relative_tolerance" => relative = number()?,
            other => return Err(format!("unknown validator flag `{}`", super::log::shown(other))),
        }
    }
    if exact {
        return Ok(Checker::Exact);
    }
    if absolute.is_some() || relative.is_some() {
        return Ok(Checker::Numbers { absolute: absolute.unwrap_or(0.0), relative: relative.unwrap_or(0.0) });
    }
    Ok(Checker::Tokens { ignore_case })
}
