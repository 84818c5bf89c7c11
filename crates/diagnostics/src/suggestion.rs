//! Suggestions for misspelt names.

/// Returns the candidate with the smallest edit distance to `name`, if it is close enough to be worth suggesting.
pub fn suggest_name<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let length = name.chars().count();
    let limit = length.div_ceil(3).max(1);
    // The difference in length is a lower bound of the distance. Without this check, a name of several megabytes takes
    // seconds.
    let may_be_near = |candidate: &&str| {
        let other = candidate.chars().count();
        length.abs_diff(other) <= limit && length.abs_diff(other) < other.max(1)
    };
    candidates
        .into_iter()
        .filter(may_be_near)
        .map(|candidate| (edit_distance(name, candidate), candidate))
        .filter(|(distance, candidate)| *distance <= limit && *distance < candidate.chars().count().max(1))
        .min()
        .map(|(_, candidate)| candidate)
}

/// Returns the help for an unknown name: the candidate that was probably meant, if there is one.
pub fn suggestion_for<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<String> {
    suggest_name(name, candidates).map(suggestion_text)
}

/// Returns the help for an unknown name: the candidate that was probably meant, or `otherwise`.
pub fn suggestion_or<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>, otherwise: &str) -> String {
    suggestion_for(name, candidates).unwrap_or_else(|| otherwise.to_owned())
}

/// Returns the help that suggests a name.
pub fn suggestion_text(near: &str) -> String {
    format!("did you mean `{near}`?")
}

/// Returns the edit distance, where a change of case is free and a swap of neighbours counts as one edit.
fn edit_distance(a: &str, b: &str) -> usize {
    strsim::osa_distance(&a.to_lowercase(), &b.to_lowercase())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn proposes_only_what_is_near() {
        let names = ["distinct", "validator", "N", "board"];
        assert_eq!(suggest_name("distict", names), Some("distinct"));
        assert_eq!(suggest_name("valdiator", names), Some("validator"));
        assert_eq!(suggest_name("n", names), Some("N"));
        assert_eq!(suggest_name("zebra", names), None);
        assert_eq!(suggest_name("M", names), None);
    }

    #[test]
    fn long_name_is_not_compared() {
        // A full comparison would take as many steps as the product of both lengths.
        let (name, keys) = ("a".repeat(1 << 20), vec!["problem_format_version"; 10_000]);
        assert_eq!(suggest_name(&name, keys), None);
    }
}
