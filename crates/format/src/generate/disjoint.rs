//! Repair of fields without common elements: `disjoint(a, b)`, `forall i in 1..m: count(a[1..n], b[i]) = 0`.
//!
//! Element by element, one field would have to avoid all values of the other. Here both are considered together: each
//! value that they have in common stays in one of them, and in the other all its elements become a value that none of
//! them has. If there is no such value, they become another one of their own field, which may be right unless its
//! elements are different.

use super::aggregate_repair::UnusedValues;
use super::arrays::put_in_order;
use super::formulas::{FormulaRepairer, number_at};
use crate::language::{Expr, FieldId, Formula, QuantifiedFormula};
use std::collections::{BTreeSet, HashMap};

/// Some elements of a field.
struct Side {
    field: FieldId,
    paths: Vec<Vec<usize>>,
    numbers: Vec<i128>,
    values: BTreeSet<i128>,
}

impl Side {
    /// Returns true if all elements are different, so that a lost value needs a new one.
    fn is_distinct(&self) -> bool {
        self.values.len() == self.numbers.len()
    }
}

impl FormulaRepairer<'_, '_, '_> {
    /// Returns the elements that these indices have if a variable runs over a range.
    fn find_side(
        &self,
        (field, indices): (FieldId, &[Expr]),
        variable: usize,
        range: &(Expr, Expr),
        variables: &[i128],
    ) -> Option<Side> {
        let mut outer = variables.to_vec();
        outer.resize(variable, 0);
        let paths = self.element_paths(range, field, indices, &mut outer)?;
        let numbers: Vec<i128> = paths.iter().map(|path| number_at(self.slots, path)).collect::<Option<_>>()?;
        let values = numbers.iter().copied().collect();
        Some(Side { field, paths, numbers, values })
    }

    /// Moves elements until no element of one field is among those of another, if the formula requires that. Returns true if it
    /// holds now.
    pub(super) fn repair_disjoint(&mut self, quantified: &QuantifiedFormula, variables: &[i128]) -> bool {
        let Some((slice, wanted)) = quantified.disjoint_parts() else { return false };
        let (Expr::Element(kept, kept_indices), Expr::Element(moved, moved_indices)) = (&slice.each, wanted) else {
            return false;
        };
        if [kept, moved].iter().any(|field| self.plan.is_size(**field)) {
            return false;
        }
        let one = self.find_side((*moved, moved_indices), quantified.variable, &quantified.range, variables);
        let other = self.find_side((*kept, kept_indices), slice.variable, &slice.range, variables);
        let (Some(mut one), Some(mut other)) = (one, other) else { return false };
        let common: Vec<i128> = one.values.intersection(&other.values).copied().collect();
        // Different numbers of a side cannot become equal.
        let preferred = usize::from(one.is_distinct() && !other.is_distinct());
        let is_open = one.is_distinct() == other.is_distinct();
        let mut lost = [Vec::new(), Vec::new()];
        for value in common {
            let loser = if is_open { self.choose_index(*moved, 2, 0) } else { preferred };
            lost[loser].push(value);
        }
        for (loser, side) in [&one, &other].into_iter().enumerate() {
            // A side keeps one value at least.
            if lost[loser].len() == side.values.len()
                && let Some(value) = lost[loser].pop()
            {
                lost[1 - loser].push(value);
            }
        }
        lost.iter_mut().for_each(|values| values.sort_unstable());
        self.rename_values(&mut one, &lost[0], &other.values) && self.rename_values(&mut other, &lost[1], &one.values)
    }

    /// Moves the elements of one field to values of another, if the formula requires that each has one of them:
    /// `forall i in 1..n: exists j in 1..m: b[i] = a[j]`. Returns true if it holds now.
    pub(super) fn repair_membership(&mut self, quantified: &QuantifiedFormula, variables: &[i128]) -> bool {
        let Formula::Exists(inner) = &quantified.body else { return false };
        let Some((Expr::Element(field, indices), Expr::Element(of, listed))) = inner.lookup_parts() else {
            return false;
        };
        if field == of || self.plan.is_size(*field) {
            return false;
        }
        let moved = self.find_side((*field, indices), quantified.variable, &quantified.range, variables);
        let among = self.find_side((*of, listed), inner.variable, &inner.range, variables);
        let (Some(moved), Some(among)) = (moved, among) else { return false };
        let allowed = self.allowed_range(*field);
        let values: Vec<i128> = among.values.iter().copied().filter(|value| allowed.contains_value(*value)).collect();
        for (path, number) in moved.paths.iter().zip(&moved.numbers) {
            if !among.values.contains(number) {
                if values.is_empty() {
                    return false;
                }
                let at = self.choose_index(*field, values.len(), 0);
                self.set_member(path, values[at]);
            }
        }
        true
    }

    /// Gives the elements with these values other ones, which the other side does not have.
    fn rename_values(&mut self, side: &mut Side, lost: &[i128], others: &BTreeSet<i128>) -> bool {
        let mut renamed: HashMap<i128, i128> = HashMap::new();
        let mut unused = UnusedValues::default();
        let own: Vec<i128> = side.values.iter().copied().filter(|value| lost.binary_search(value).is_err()).collect();
        for value in lost {
            let is_used = |number| side.values.contains(&number) || others.contains(&number);
            let new = self.next_unused(&mut unused, side.field, &is_used).or_else(|| {
                let at = (!own.is_empty()).then(|| self.choose_index(side.field, own.len(), 0))?;
                own.get(at).copied()
            });
            let Some(new) = new else { return false };
            side.values.insert(new);
            renamed.insert(*value, new);
        }
        side.values.retain(|value| !renamed.contains_key(value));
        let mut numbers: Vec<i128> = side.numbers.iter().map(|old| *renamed.get(old).unwrap_or(old)).collect();
        put_in_order(&mut numbers, self.plan.format.element_order(side.field));
        self.set_changed_members(&side.paths, &side.numbers, &numbers);
        true
    }
}

#[cfg(test)]
mod tests {
    use crate::generate::value_counts::tests::generate_valid;
    use crate::generate::{Extreme, GenerationSettings};

    #[test]
    fn disjoint_fields_are_drawn_at_full_size() {
        let largest = GenerationSettings { extreme: Some(Extreme::Max), ..GenerationSettings::default() };
        for text in [
            "l[9]; r[9] where l, r over \"a-z\"; distinct(l); distinct(r); disjoint(l, r)",
            "l[13]; r[13] where l, r over \"a-z\"; distinct(l); distinct(r); forall i in 1..13: count(l[1..13], r[i]) = 0",
            "l; r where l, r over \"a-z\"; 1 <= len(l), len(r) <= 20000; disjoint(l, r)",
            "n m; a[n]; b[m] where 1<=n,m<=20000; 1<=a,b<=40000; distinct(a); distinct(b); disjoint(a, b)",
            "n m; a[n]; b[m]; c[m] where 1<=n,m<=20000; 1<=a,b,c<=3; disjoint(a, b, c)",
            "n m; a[n]; repeat m: x y where 1<=n,m<=900; 1<=a,x,y<=2000; increasing(a); disjoint(a, x)",
        ] {
            for seed in 0..2 {
                generate_valid(text, &largest, seed);
                generate_valid(text, &GenerationSettings::default(), seed);
            }
        }
    }
}
