//! Constant bounds of terms, as comparison chains give them.

use rebut_format::syntax::{ComparisonChain, SyntaxTerm, SyntaxTermKind};

/// The smallest and the largest value that constants leave to a quantity.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct ConstantBounds {
    pub(crate) lo: Option<i128>,
    pub(crate) hi: Option<i128>,
}

/// Returns the values that the constants of a chain leave to the terms of one of its lists.
pub(crate) fn constant_bounds(chain: &ComparisonChain, list: usize) -> ConstantBounds {
    const ASCENDING: [&str; 3] = ["<", "<=", "="];
    const DESCENDING: [&str; 3] = [">", ">=", "="];
    // The nearest constant in a direction, over comparisons of the same kind, and 1 if it is excluded.
    let nearest = |is_forward: bool, kinds: [&str; 3]| -> Option<(i128, i128)> {
        let (mut at, mut excluded) = (list, 0);
        loop {
            let (sign, _) = chain.signs.get(if is_forward { at } else { at.checked_sub(1)? })?;
            if !kinds.contains(sign) {
                return None;
            }
            excluded |= i128::from(matches!(*sign, "<" | ">"));
            at = if is_forward { at + 1 } else { at - 1 };
            if let [term] = &chain.lists[at][..]
                && let Some(value) = term.constant_value()
            {
                return Some((value, excluded));
            }
        }
    };
    let lo = nearest(false, ASCENDING).or_else(|| nearest(true, DESCENDING));
    let hi = nearest(true, ASCENDING).or_else(|| nearest(false, DESCENDING));
    ConstantBounds {
        lo: lo.map(|(value, excluded)| value.saturating_add(excluded)),
        hi: hi.map(|(value, excluded)| value.saturating_sub(excluded)),
    }
}

/// Returns the widest bounds that some chains have for a term. If only one of them bounds a side, that bound stays.
pub(crate) fn widest_bounds(term: &SyntaxTerm, chains: &[ComparisonChain]) -> ConstantBounds {
    let places = chains.iter().flat_map(|chain| {
        let places = (0..chain.lists.len()).filter(|place| chain.lists[*place].contains(term));
        places.map(|place| constant_bounds(chain, place))
    });
    places.fold(ConstantBounds::default(), |a, b| ConstantBounds {
        lo: a.lo.into_iter().chain(b.lo).min(),
        hi: a.hi.into_iter().chain(b.hi).max(),
    })
}

/// Two terms of a chain and the sign between them.
pub(crate) type ComparedPair = (SyntaxTerm, &'static str, SyntaxTerm);

/// Returns the pairs of terms that a chain compares, the smaller term first.
pub(crate) fn compared_pairs(chain: &ComparisonChain) -> Vec<ComparedPair> {
    let mut pairs = Vec::new();
    for (at, (sign, _)) in chain.signs.iter().enumerate() {
        for left in &chain.lists[at] {
            for right in &chain.lists[at + 1] {
                let (left, right) = (left.clone(), right.clone());
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

/// Returns the names in a term, each once.
pub(crate) fn term_names(term: &SyntaxTerm) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    term.visit_terms(&mut |term| match &term.kind {
        SyntaxTermKind::Name(name) if !names.contains(name) => names.push(name.clone()),
        _ => {}
    });
    names
}

/// Returns the elements in a term, `a[i+1]`: each with its name and its place.
pub(crate) fn term_elements(term: &SyntaxTerm) -> Vec<(String, SyntaxTerm)> {
    let mut elements = Vec::new();
    term.visit_terms(&mut |term| {
        if let SyntaxTermKind::Element(name, places) = &term.kind {
            elements.extend(places.first().map(|place| (name.clone(), place.clone())));
        }
    });
    elements
}

/// Returns true if a term has an element at a place, `a[i+1]`.
pub(crate) fn has_element(term: &SyntaxTerm) -> bool {
    !term_elements(term).is_empty()
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
        assert_eq!(constant_bounds(&chain, 1), ConstantBounds { lo: Some(1), hi: Some(9) });
        let fixed = ComparisonChain::new(name("n")).followed_by("=", vec![number(7)]);
        assert_eq!(constant_bounds(&fixed, 0), ConstantBounds { lo: Some(7), hi: Some(7) });
        let falling = ComparisonChain::new(name("n")).followed_by(">=", vec![number(7)]);
        assert_eq!(constant_bounds(&falling, 0), ConstantBounds { lo: Some(7), hi: None });
    }
}
