//! Merges comparisons into chains as people write them: $1 \le l \le r \le n$, $1 \le n, q \le 10^5$.

use crate::constraints::sign_tex;
use crate::language::ComparisonOperator;

/// `left operator right`, both sides in TeX.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct TexRelation {
    pub(super) left: String,
    pub(super) sign: ComparisonOperator,
    pub(super) right: String,
}

/// Formulas with comparison operators between them.
#[derive(Clone, Debug)]
struct RelationChain {
    terms: Vec<String>,
    signs: Vec<ComparisonOperator>,
    /// Index of the term that has become a list.
    list: Option<usize>,
}

impl TexRelation {
    pub(super) fn to_tex(&self) -> String {
        format!("{} {} {}", self.left, sign_tex(self.sign), self.right)
    }

    /// Returns the same relation with the smaller side first.
    fn into_ascending(self) -> TexRelation {
        match self.sign {
            ComparisonOperator::Greater | ComparisonOperator::GreaterEqual => {
                TexRelation { left: self.right, sign: self.sign.with_sides_swapped(), right: self.left }
            }
            _ => self,
        }
    }
}

/// Returns true if a formula is a number; chains end at numbers.
pub(super) fn is_number_text(text: &str) -> bool {
    !text.replace("\\cdot", "").contains(|c: char| c.is_ascii_alphabetic() || c == '(')
}

/// Returns the fewest chains that state all relations.
pub(super) fn chain_relations(relations: impl IntoIterator<Item = TexRelation>) -> Vec<String> {
    let mut merged: Vec<RelationChain> = Vec::new();
    for chain in build_chains(relations) {
        if !merged.iter_mut().any(|earlier| earlier.merge_chain(&chain)) {
            merged.push(chain);
        }
    }
    merged.iter().map(RelationChain::to_tex).collect()
}

/// Joins relations at equal terms. Those with the same terms but one are still apart.
fn build_chains(relations: impl IntoIterator<Item = TexRelation>) -> Vec<RelationChain> {
    let mut stated: Vec<TexRelation> = Vec::new();
    let mut found: Vec<RelationChain> = Vec::new();
    for relation in relations {
        let is_lower_bound = matches!(relation.sign, ComparisonOperator::Greater | ComparisonOperator::GreaterEqual)
            && is_number_text(&relation.right);
        let relation = if is_lower_bound { relation } else { relation.into_ascending() };
        if !stated.contains(&relation) {
            stated.push(relation.clone());
            extend_chains(&mut found, relation);
        }
    }
    found
}

/// Returns true if other relations lead from one side of `a <= b` to the other.
pub(super) fn is_implied_by(relation: &TexRelation, others: &[TexRelation]) -> bool {
    let is_in_order = |chain: &RelationChain| {
        let place = |side: &String| chain.terms.iter().position(|term| term == side);
        let places = (place(&relation.left), place(&relation.right));
        chain.signs.iter().all(|sign| is_chainable(*sign))
            && matches!(places, (Some(left), Some(right)) if left < right)
    };
    relation.sign == ComparisonOperator::LessEqual && build_chains(others.iter().cloned()).iter().any(is_in_order)
}

fn extend_chains(found: &mut Vec<RelationChain>, relation: TexRelation) {
    let TexRelation { left, sign, right } = relation;
    let open = |chain: &RelationChain| chain.signs.iter().all(|s| is_chainable(*s)) && is_chainable(sign);
    let after = found.iter().position(|c| open(c) && c.terms.last() == Some(&left) && !is_number_text(&left));
    let before = found.iter().position(|c| open(c) && c.terms.first() == Some(&right) && !is_number_text(&right));
    match (after, before) {
        (Some(after), Some(before)) if after != before => {
            let tail = found[before].clone();
            found[after].terms.extend(tail.terms);
            found[after].signs.push(sign);
            found[after].signs.extend(tail.signs);
            found.remove(before);
        }
        (Some(after), _) => {
            found[after].terms.push(right);
            found[after].signs.push(sign);
        }
        (None, Some(before)) => {
            found[before].terms.insert(0, left);
            found[before].signs.insert(0, sign);
        }
        (None, None) => found.push(RelationChain { terms: vec![left, right], signs: vec![sign], list: None }),
    }
}

/// Returns true if a chain can continue after this operator.
fn is_chainable(sign: ComparisonOperator) -> bool {
    matches!(sign, ComparisonOperator::Less | ComparisonOperator::LessEqual | ComparisonOperator::Equal)
}

impl RelationChain {
    /// Merges a chain that differs in one term into this one, and returns true if that is possible.
    fn merge_chain(&mut self, other: &RelationChain) -> bool {
        if self.signs != other.signs || self.signs.contains(&ComparisonOperator::NotEqual) {
            return false;
        }
        let mut different = (0..self.terms.len()).filter(|i| self.terms[*i] != other.terms[*i]);
        let (Some(at), None) = (different.next(), different.next()) else { return false };
        if self.list.is_some_and(|list| list != at)
            || is_number_text(&self.terms[at])
            || is_number_text(&other.terms[at])
        {
            return false;
        }
        self.list = Some(at);
        self.terms[at] = format!("{}, {}", self.terms[at], other.terms[at]);
        true
    }

    fn to_tex(&self) -> String {
        let mut text = self.terms[0].clone();
        for (term, s) in self.terms[1..].iter().zip(&self.signs) {
            text.push_str(&format!(" {} {term}", sign_tex(*s)));
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check_chains(relations: &[(&str, ComparisonOperator, &str)], expected: &[&str]) {
        let to_relation = |(l, s, r): &(&str, ComparisonOperator, &str)| TexRelation {
            left: (*l).to_owned(),
            sign: *s,
            right: (*r).to_owned(),
        };
        assert_eq!(chain_relations(relations.iter().map(to_relation)), expected);
    }

    #[test]
    fn implied_relations_are_recognized() {
        let relation = |left: &str, right: &str| TexRelation {
            left: left.into(),
            sign: ComparisonOperator::LessEqual,
            right: right.into(),
        };
        let others = [relation("1", "a"), relation("a", "b"), relation("b", "n")];
        assert!(is_implied_by(&relation("1", "b"), &others) && is_implied_by(&relation("a", "n"), &others));
        assert!(!is_implied_by(&relation("b", "a"), &others));
    }

    #[test]
    fn relations_become_chains_and_lists() {
        use ComparisonOperator::{GreaterEqual, LessEqual as Le, NotEqual};
        check_chains(&[("1", Le, "l"), ("l", Le, "r"), ("r", Le, "n")], &["1 \\le l \\le r \\le n"]);
        check_chains(&[("1", Le, "n"), ("1", Le, "q"), ("n", Le, "9"), ("q", Le, "9")], &["1 \\le n, q \\le 9"]);
        check_chains(&[("1", Le, "n"), ("n", Le, "9"), ("9", Le, "m")], &["1 \\le n \\le 9", "9 \\le m"]);
        check_chains(&[("a", NotEqual, "b"), ("1", Le, "a"), ("1", Le, "a")], &["a \\ne b", "1 \\le a"]);
        check_chains(&[("n + m", GreaterEqual, "1")], &["n + m \\ge 1"]);
        check_chains(&[("r", Le, "n"), ("1", Le, "l"), ("l", Le, "r")], &["1 \\le l \\le r \\le n"]);
    }
}
