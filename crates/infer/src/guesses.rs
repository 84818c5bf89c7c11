//! Relations that hold in every sample: indices that are at most `n`, neighbours that differ, lists without repetitions.
//!
//! A guess that is too narrow costs coverage at worst; one that is too wide makes inputs that are invalid, and a failure on
//! such an input proves nothing. So relations are kept where enough numbers support them, and marked as guesses.

use crate::layout::{FieldIndex, fields_of, is_case_block, lists_in, repeated_fields, size_fields};
use crate::rules::{RuleMaker, range_chain};
use rebut_format::syntax::{ComparisonChain, SyntaxRule, SyntaxTerm, SyntaxTermKind};

fn predicate(name: &str, argument: SyntaxTerm) -> SyntaxRule {
    SyntaxRule::Predicate(SyntaxTerm::new_call(name, vec![argument]))
}

/// Minimum number of values that support a bound by another number.
const MIN_BOUNDED: usize = 3;

/// Minimum number of values that support that they differ, and that they are in order.
const MIN_DIFFERENT: usize = 4;
const MIN_ORDERED: usize = 6;

impl RuleMaker<'_> {
    /// Returns relations to try, of each group the first that holds; with a statement, only those that bound a number.
    pub(crate) fn guesses(&self) -> Vec<Vec<SyntaxRule>> {
        let mut groups = if self.is_narrow { self.guessed_values() } else { Vec::new() };
        groups.extend(self.guessed_bounds());
        if self.is_narrow {
            groups.extend(lists_in(self.nodes).into_iter().flat_map(|(_, fields)| match fields[..] {
                [list] => self.guessed_lists(list),
                [u, v] | [u, v, _] => self.guessed_pairs(u, v),
                _ => Vec::new(),
            }));
        }
        groups
    }

    fn is_number(&self, field: FieldIndex, observed: usize) -> bool {
        self.fields[field].is_integer() && self.fields[field].count >= observed
    }

    /// Returns the bounds of numbers by earlier single numbers, the smallest first. Two numbers side by side share theirs.
    fn guessed_bounds(&self) -> Vec<Vec<SyntaxRule>> {
        let (sizes, repeated) = (size_fields(self.nodes), repeated_fields(self.nodes));
        let mut groups: Vec<Vec<FieldIndex>> = self.line_pairs().into_iter().map(|[u, v]| vec![u, v]).collect();
        groups.extend((0..self.fields.len()).filter(|field| !sizes.contains(field)).map(|field| vec![field]));
        let bounds = groups.iter().map(|group| self.bounds_of_group(group, &sizes, &repeated));
        bounds.filter(|group| !group.is_empty()).collect()
    }

    fn bounds_of_group(&self, group: &[FieldIndex], sizes: &[FieldIndex], repeated: &[FieldIndex]) -> Vec<SyntaxRule> {
        let are_repeated = group.iter().all(|field| repeated.contains(field));
        let observed = if are_repeated { MIN_BOUNDED } else { 1 };
        let ranges: Option<Vec<(i128, i128)>> =
            group.iter().map(|field| self.fields[*field].range.filter(|_| self.is_number(*field, observed))).collect();
        let Some(ranges) = ranges else { return Vec::new() };
        let least = ranges.iter().map(|(least, _)| *least).min().unwrap_or(-1);
        let most = ranges.iter().map(|(_, most)| *most).max().unwrap_or(0);
        let cases = is_case_block(self.nodes).then(|| fields_of(self.nodes)[0]);
        let is_bound = |field: &FieldIndex| {
            let is_single = sizes.contains(field) || are_repeated && !repeated.contains(field);
            is_single && Some(*field) != cases && group.iter().all(|other| field < other) && self.is_number(*field, 1)
        };
        let largest = |field: &FieldIndex| self.fields[*field].range.map_or(0, |(_, largest)| largest);
        let mut bounds: Vec<FieldIndex> = (0..self.fields.len()).filter(is_bound).collect();
        bounds.retain(|field| least >= 0 && most <= largest(field));
        bounds.sort_by_key(largest);
        let guess = |bound: FieldIndex| {
            let sign = if least == 0 && are_repeated { "<" } else { "<=" };
            let terms = group.iter().map(|field| self.name_of(*field)).collect();
            let chain = ComparisonChain::from_list(terms).followed_by(sign, vec![self.name_of(bound)]);
            SyntaxRule::Chain(chain)
        };
        bounds.into_iter().map(guess).collect()
    }

    /// Returns the ranges of numbers of which the samples have all values several times, and that are even or odd.
    fn guessed_values(&self) -> Vec<Vec<SyntaxRule>> {
        /// Maximum number of values, and minimum number of times that each is there on average.
        const MAX_VALUES: i128 = 4;
        const MIN_TIMES: i128 = 4;
        let values = |field: FieldIndex| {
            let (least, most) = self.fields[field].range.filter(|_| self.is_number(field, MIN_ORDERED))?;
            let number = most - least + 1;
            let is_full = number <= MAX_VALUES && self.fields[field].count as i128 >= number * MIN_TIMES;
            let [lo, hi] = [least, most].map(|side| Some(SyntaxTerm::from_number(side)));
            is_full.then(|| vec![SyntaxRule::Chain(range_chain(lo, vec![self.name_of(field)], hi))])
        };
        (0..self.fields.len()).filter_map(values).collect()
    }

    /// Returns what the elements of a list have in common.
    fn guessed_lists(&self, list: FieldIndex) -> Vec<Vec<SyntaxRule>> {
        let names: &[&str] = match self.is_number(list, MIN_ORDERED) {
            true => &["increasing", "nondecreasing", "distinct"],
            false if self.is_number(list, MIN_DIFFERENT) => &["distinct"],
            false => &[],
        };
        vec![names.iter().map(|name| predicate(name, self.name_of(list))).collect()]
    }

    /// Returns how two numbers that stand side by side on several lines differ.
    fn guessed_pairs(&self, u: FieldIndex, v: FieldIndex) -> Vec<Vec<SyntaxRule>> {
        if !self.is_number(u, MIN_BOUNDED) || !self.is_number(v, MIN_BOUNDED) {
            return Vec::new();
        }
        let compared = |sign: &'static str| {
            SyntaxRule::Chain(ComparisonChain::new(self.name_of(u)).followed_by(sign, vec![self.name_of(v)]))
        };
        let pair = SyntaxTerm::new(SyntaxTermKind::Tuple(vec![self.name_of(u), self.name_of(v)]));
        let signs: &[&'static str] = if self.is_number(u, MIN_DIFFERENT) { &["<", "!=", "<="] } else { &["!="] };
        vec![signs.iter().map(|sign| compared(sign)).collect(), vec![predicate("distinct", pair)]]
    }
}
