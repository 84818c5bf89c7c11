//! Wrong opinions with the same cause, reported once.

use crate::campaign::Exposed;

/// Merges the wrong opinions that have the same cause into the first of them, with the names of the others. Each comes with
/// the name of its cause.
pub fn merged(opinions: Vec<(String, Exposed)>) -> Vec<Exposed> {
    let mut found: Vec<(String, Exposed)> = Vec::new();
    for (cause, exposed) in opinions {
        let cause = match &exposed.failure {
            Some(failure) => without_numbers(failure),
            None if exposed.is_refused => without_numbers(&cause),
            None => cause,
        };
        let is_same = |(known, first): &&mut (String, Exposed)| {
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

/// A message without its numbers: of an error in line 3 and one in line 17 the cause is the same.
fn without_numbers(text: &str) -> String {
    text.chars().filter(|c| !c.is_ascii_digit()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn exposed(validator: &str, name: &str, is_lenient: bool, failure: Option<&str>) -> Exposed {
        Exposed {
            validator: validator.to_owned(),
            name: name.to_owned(),
            what: String::new(),
            failure: failure.map(str::to_owned),
            is_refused: false,
            is_lenient,
            others: Vec::new(),
        }
    }

    #[test]
    fn one_cause_is_reported_once() {
        let all = [
            ("white space", exposed("v", "crlf", true, None)),
            ("n <= 8", exposed("v", "n-above", false, None)),
            ("white space", exposed("v", "tab", true, None)),
            ("white space", exposed("w", "tab", true, None)),
            ("nan", exposed("v", "a", false, Some("exited with status 1 in line 3"))),
            ("nul", exposed("v", "b", false, Some("exited with status 1 in line 17"))),
        ];
        let found = merged(all.into_iter().map(|(cause, exposed)| (cause.to_owned(), exposed)).collect());
        let names: Vec<String> = found.iter().map(Exposed::names).collect();
        assert_eq!(names, ["`crlf` and 1 more (`tab`)", "`n-above`", "`tab`", "`a` and 1 more (`b`)"]);
    }
}
