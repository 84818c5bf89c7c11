//! Comparisons of formulas, put together as people write them: $1 \le l \le r \le n$, $1 \le n, q \le 10^5$.

use crate::format::Sign;

/// `left sign right`, both sides in TeX.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Relation {
    pub(super) left: String,
    pub(super) sign: Sign,
    pub(super) right: String,
}

/// Formulas with signs between them.
#[derive(Clone, Debug)]
struct Chain {
    terms: Vec<String>,
    signs: Vec<Sign>,
    /// Which of the terms is a list by now.
    list: Option<usize>,
}

/// A sign in TeX.
pub(super) fn sign(sign: Sign) -> &'static str {
    match sign {
        Sign::Less => "<",
        Sign::LessEqual => "\\le",
        Sign::Greater => ">",
        Sign::GreaterEqual => "\\ge",
        Sign::Equal => "=",
        Sign::NotEqual => "\\ne",
    }
}

impl Relation {
    pub(super) fn text(&self) -> String {
        format!("{} {} {}", self.left, sign(self.sign), self.right)
    }

    /// The same with the smaller side first.
    fn ascending(self) -> Relation {
        match self.sign {
            Sign::Greater | Sign::GreaterEqual => {
                Relation { left: self.right, sign: self.sign.mirrored(), right: self.left }
            }
            _ => self,
        }
    }
}

/// Whether a formula is a number: chains do not go on beyond one.
pub(super) fn is_number(text: &str) -> bool {
    !text.replace("\\cdot", "").contains(|c: char| c.is_ascii_alphabetic() || c == '(')
}

/// The fewest formulas that say the same.
pub(super) fn chains(relations: impl IntoIterator<Item = Relation>) -> Vec<String> {
    let mut said: Vec<Relation> = Vec::new();
    let mut found: Vec<Chain> = Vec::new();
    for relation in relations {
        let alone = matches!(relation.sign, Sign::Greater | Sign::GreaterEqual) && is_number(&relation.right);
        let relation = if alone { relation } else { relation.ascending() };
        if said.contains(&relation) {
            continue;
        }
        said.push(relation.clone());
        add(&mut found, relation);
    }
    let mut merged: Vec<Chain> = Vec::new();
    for chain in found {
        if !merged.iter_mut().any(|earlier| earlier.take_in(&chain)) {
            merged.push(chain);
        }
    }
    merged.iter().map(Chain::text).collect()
}

/// Whether others lead from one side of `a <= b` to the other.
pub(super) fn follows(relation: &Relation, others: &[Relation]) -> bool {
    if relation.sign != Sign::LessEqual {
        return false;
    }
    let steps: Vec<Relation> =
        others.iter().filter(|o| o.sign != Sign::NotEqual).map(|o| o.clone().ascending()).collect();
    let mut reached = vec![relation.left.clone()];
    let mut at = 0;
    while let Some(from) = reached.get(at).cloned() {
        for step in steps.iter().filter(|step| step.left == from) {
            if step.right == relation.right {
                return true;
            }
            if !reached.contains(&step.right) {
                reached.push(step.right.clone());
            }
        }
        at += 1;
    }
    false
}

fn add(found: &mut Vec<Chain>, relation: Relation) {
    let Relation { left, sign, right } = relation;
    let open = |chain: &Chain| chain.signs.iter().all(|s| links(*s)) && links(sign);
    let after = found.iter().position(|c| open(c) && c.terms.last() == Some(&left) && !is_number(&left));
    let before = found.iter().position(|c| open(c) && c.terms.first() == Some(&right) && !is_number(&right));
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
        (None, None) => found.push(Chain { terms: vec![left, right], signs: vec![sign], list: None }),
    }
}

/// Whether a chain can go on after such a sign.
fn links(sign: Sign) -> bool {
    matches!(sign, Sign::Less | Sign::LessEqual | Sign::Equal)
}

impl Chain {
    /// Makes one chain of two that differ in one term.
    fn take_in(&mut self, other: &Chain) -> bool {
        if self.signs != other.signs || self.signs.contains(&Sign::NotEqual) {
            return false;
        }
        let mut different = (0..self.terms.len()).filter(|i| self.terms[*i] != other.terms[*i]);
        let (Some(at), None) = (different.next(), different.next()) else { return false };
        if self.list.is_some_and(|list| list != at) || is_number(&self.terms[at]) || is_number(&other.terms[at]) {
            return false;
        }
        self.list = Some(at);
        self.terms[at] = format!("{}, {}", self.terms[at], other.terms[at]);
        true
    }

    fn text(&self) -> String {
        let mut text = self.terms[0].clone();
        for (term, s) in self.terms[1..].iter().zip(&self.signs) {
            text.push_str(&format!(" {} {term}", sign(*s)));
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(relations: &[(&str, Sign, &str)], expected: &[&str]) {
        let made =
            |(l, s, r): &(&str, Sign, &str)| Relation { left: (*l).to_owned(), sign: *s, right: (*r).to_owned() };
        assert_eq!(chains(relations.iter().map(made)), expected);
    }

    #[test]
    fn what_follows_need_not_be_said() {
        let relation =
            |left: &str, right: &str| Relation { left: left.into(), sign: Sign::LessEqual, right: right.into() };
        let others = [relation("1", "a"), relation("a", "b"), relation("b", "n")];
        assert!(follows(&relation("1", "b"), &others) && follows(&relation("a", "n"), &others));
        assert!(!follows(&relation("b", "a"), &others));
    }

    #[test]
    fn relations_become_chains_and_lists() {
        use Sign::{GreaterEqual, LessEqual as Le, NotEqual};
        check(&[("1", Le, "l"), ("l", Le, "r"), ("r", Le, "n")], &["1 \\le l \\le r \\le n"]);
        check(&[("1", Le, "n"), ("1", Le, "q"), ("n", Le, "9"), ("q", Le, "9")], &["1 \\le n, q \\le 9"]);
        check(&[("1", Le, "n"), ("n", Le, "9"), ("9", Le, "m")], &["1 \\le n \\le 9", "9 \\le m"]);
        check(&[("a", NotEqual, "b"), ("1", Le, "a"), ("1", Le, "a")], &["a \\ne b", "1 \\le a"]);
        check(&[("n + m", GreaterEqual, "1")], &["n + m \\ge 1"]);
        check(&[("r", Le, "n"), ("1", Le, "l"), ("l", Le, "r")], &["1 \\le l \\le r \\le n"]);
    }
}
