//! Constant bounds of terms, as comparison chains give them.

use rebut_format::syntax::{ComparisonChain, SyntaxTerm, SyntaxTermKind};

/// The constants that some chains have as bounds of one quantity.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct ConstantBounds {
    /// The lower bound, and true if it is excluded.
    pub(crate) lo: Option<(i128, bool)>,
    /// The upper bound, and true if it is excluded.
    pub(crate) hi: Option<(i128, bool)>,
}

/// Returns the constants that a chain has as bounds of the terms of one of its lists.
pub(crate) fn constant_bounds(chain: &ComparisonChain, list: usize) -> ConstantBounds {
    let signs: Vec<&str> = chain.signs.iter().map(|(sign, _)| *sign).collect();
    let constant = |list: &[SyntaxTerm]| list.iter().map(SyntaxTerm::constant_value).collect::<Option<Vec<i128>>>();
    // The nearest constant in a direction, over comparisons of the same kind.
    let reached = |lists: &mut dyn Iterator<Item = usize>, sign_of: &dyn Fn(usize) -> usize, kinds: [&str; 3]| {
        let mut is_strict = false;
        for at in lists {
            let sign = signs.get(sign_of(at)).copied().unwrap_or_default();
            if !kinds.contains(&sign) {
                return None;
            }
            is_strict |= matches!(sign, "<" | ">");
            if let Some([value]) = constant(&chain.lists[at]).as_deref() {
                return Some((*value, is_strict));
            }
        }
        None
    };
    let (ascending, descending) = (["<", "<=", "="], [">", ">=", "="]);
    let after = |kinds| reached(&mut (list + 1..chain.lists.len()), &|at| at - 1, kinds);
    let (hi_after, lo_after) = (after(ascending), after(descending));
    let before = |kinds| reached(&mut (0..list).rev(), &|at| at, kinds);
    let (lo_before, hi_before) = (before(ascending), before(descending));
    ConstantBounds { lo: lo_before.or(lo_after), hi: hi_after.or(hi_before) }
}

/// Returns the wider of two bounds on each side. If only one of them bounds a side, that bound stays.
pub(crate) fn widen_bounds(a: ConstantBounds, b: ConstantBounds) -> ConstantBounds {
    // Of equal bounds, the included one is the wider.
    let lo_key = |(number, is_strict): (i128, bool)| (number, is_strict);
    let hi_key = |(number, is_strict): (i128, bool)| (number, !is_strict);
    ConstantBounds {
        lo: a.lo.into_iter().chain(b.lo).min_by_key(|lo| lo_key(*lo)),
        hi: a.hi.into_iter().chain(b.hi).max_by_key(|hi| hi_key(*hi)),
    }
}

/// Returns the names in a sum or product, each of which is at most the whole if all are positive. A difference has none.
pub(crate) fn names_below(term: &SyntaxTerm) -> Vec<&String> {
    match &term.kind {
        SyntaxTermKind::Name(name) => vec![name],
        SyntaxTermKind::Binary("+" | "*", left, right) => [names_below(left), names_below(right)].concat(),
        SyntaxTermKind::Call(function, terms) if function == "sum" => terms.iter().flat_map(names_below).collect(),
        _ => Vec::new(),
    }
}

/// Two terms of a chain and the sign between them, each as a format spells it.
pub(crate) type ComparedPair = (String, &'static str, String);

/// Returns the pairs of terms that a chain compares, the smaller term first.
pub(crate) fn compared_pairs(chain: &ComparisonChain) -> Vec<ComparedPair> {
    let mut pairs = Vec::new();
    for (at, (sign, _)) in chain.signs.iter().enumerate() {
        for left in &chain.lists[at] {
            for right in &chain.lists[at + 1] {
                let (left, right) = (left.to_string(), right.to_string());
                pairs.push(match *sign {
                    ">" => (right, "<", left),
                    ">=" => (right, "<=", left),
                    sign => (left, sign, right),
                });
            }
        }
    }
    pairs
}

// The names in terms and chains of a format.

/// Returns the names in a chain, each once.
pub(crate) fn chain_names(chain: &ComparisonChain) -> Vec<String> {
    names_of(chain.lists.iter().flatten())
}

/// Returns the names in a term, each once.
pub(crate) fn term_names(term: &SyntaxTerm) -> Vec<String> {
    names_of(std::iter::once(term))
}

fn names_of<'t>(terms: impl Iterator<Item = &'t SyntaxTerm>) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for term in terms {
        term.visit_terms(&mut |term| match &term.kind {
            SyntaxTermKind::Name(name) if !names.contains(name) => names.push(name.clone()),
            _ => {}
        });
    }
    names
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::panic, reason = "tests")]
    use super::*;

    fn name(name: &str) -> SyntaxTerm {
        SyntaxTerm::from_name(name)
    }

    fn number(number: i128) -> SyntaxTerm {
        SyntaxTerm::from_number(number)
    }

    #[test]
    fn constants_bound_over_other_names() {
        // 1 <= k < n <= 10
        let chain = ComparisonChain::new(number(1))
            .followed_by("<=", vec![name("k")])
            .followed_by("<", vec![name("n")])
            .followed_by("<=", vec![number(10)]);
        assert_eq!(constant_bounds(&chain, 1), ConstantBounds { lo: Some((1, false)), hi: Some((10, true)) });
        let fixed = ComparisonChain::new(name("n")).followed_by("=", vec![number(7)]);
        assert_eq!(constant_bounds(&fixed, 0), ConstantBounds { lo: Some((7, false)), hi: Some((7, false)) });
        let falling = ComparisonChain::new(name("n")).followed_by(">=", vec![number(7)]);
        assert_eq!(constant_bounds(&falling, 0), ConstantBounds { lo: Some((7, false)), hi: None });
    }
}
