//! Merges wrong opinions with the same cause.

use crate::event::ValidatorExposure;

/// Merges exposures with the same cause into the first of them, with the names of the others. Each pair is the cause
/// and the exposure.
pub fn merge_exposures(opinions: Vec<(String, ValidatorExposure)>) -> Vec<ValidatorExposure> {
    let mut found: Vec<(String, ValidatorExposure)> = Vec::new();
    for (cause, exposed) in opinions {
        let cause = match &exposed.failure {
            Some(failure) => strip_digits(failure),
            None if exposed.is_refused => strip_digits(&cause),
            None => cause,
        };
        let is_same = |(known, first): &&mut (String, ValidatorExposure)| {
            *known == cause
                && first.validator == exposed.validator
                && (first.is_refused, first.is_lenient) == (exposed.is_refused, exposed.is_lenient)
                && first.failure.is_some() == exposed.failure.is_some()
        };
        match found.iter_mut().find(is_same) {
            Some((_, first)) => first.others.push(exposed.name),
            None => found.push((cause, exposed)),
        }
    }
    found.into_iter().map(|(_, exposed)| exposed).collect()
}

/// Removes digits from a message, so that errors in line 3 and in line 17 have the same cause.
fn strip_digits(text: &str) -> String {
    text.chars().filter(|c| !c.is_ascii_digit()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn exposure_with(validator: &str, name: &str, is_lenient: bool, failure: Option<&str>) -> ValidatorExposure {
        let failure = failure.map(str::to_owned);
        ValidatorExposure { failure, is_lenient, ..ValidatorExposure::new(validator, name, "") }
    }

    #[test]
    fn one_cause_is_reported_once() {
        let all = [
            ("white space", exposure_with("v", "crlf", true, None)),
            ("n <= 8", exposure_with("v", "n-above", false, None)),
            ("white space", exposure_with("v", "tab", true, None)),
            ("white space", exposure_with("w", "tab", true, None)),
            ("nan", exposure_with("v", "a", false, Some("exited with status 1 in line 3"))),
            ("nul", exposure_with("v", "b", false, Some("exited with status 1 in line 17"))),
        ];
        let found = merge_exposures(all.into_iter().map(|(cause, exposed)| (cause.to_owned(), exposed)).collect());
        let names: Vec<String> = found.iter().map(ValidatorExposure::listed_names).collect();
        assert_eq!(names, ["`crlf` and 1 more (`tab`)", "`n-above`", "`tab`", "`a` and 1 more (`b`)"]);
    }
}
