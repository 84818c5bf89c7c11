//! The name that a misspelt one was probably meant to be.

/// The candidate nearest to `name` by edit distance, if one is near enough to be worth proposing.
pub fn nearest<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let length = name.chars().count();
    let limit = length.div_ceil(3).max(1);
    // The difference of two lengths is the least distance. Without this, a name of some megabytes takes seconds.
    let may_be_near = |candidate: &&str| {
        let other = candidate.chars().count();
        length.abs_diff(other) <= limit && length.abs_diff(other) < other.max(1)
    };
    candidates
        .into_iter()
        .filter(may_be_near)
        .map(|candidate| (distance(name, candidate), candidate))
        .filter(|(distance, candidate)| *distance <= limit && *distance < candidate.chars().count().max(1))
        .min()
        .map(|(_, candidate)| candidate)
}

/// Edit distance in which a change of case counts nothing and a swap of neighbours counts one.
fn distance(a: &str, b: &str) -> usize {
    let a: Vec<char> = a.to_lowercase().chars().collect();
    let b: Vec<char> = b.to_lowercase().chars().collect();
    let mut before: Vec<usize> = Vec::new();
    let mut last: Vec<usize> = (0..=b.len()).collect();
    for i in 1..=a.len() {
        let mut row = vec![i];
        for j in 1..=b.len() {
            let substituted = last[j - 1] + usize::from(a[i - 1] != b[j - 1]);
            let mut best = substituted.min(last[j] + 1).min(row[j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                best = best.min(before[j - 2] + 1);
            }
            row.push(best);
        }
        before = std::mem::replace(&mut last, row);
    }
    last[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn proposes_only_what_is_near() {
        let names = ["distinct", "validator", "N", "board"];
        assert_eq!(nearest("distict", names), Some("distinct"));
        assert_eq!(nearest("valdiator", names), Some("validator"));
        assert_eq!(nearest("n", names), Some("N"));
        assert_eq!(nearest("zebra", names), None);
        assert_eq!(nearest("M", names), None);
    }

    #[test]
    fn a_long_name_is_compared_with_nothing() {
        // Each comparison would take as many steps as the product of both lengths.
        let (name, keys) = ("a".repeat(1 << 20), vec!["problem_format_version"; 10_000]);
        assert_eq!(nearest(&name, keys), None);
    }
}
