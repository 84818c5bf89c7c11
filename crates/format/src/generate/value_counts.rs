//! Repair of how often each value occurs: `forall v in 1..k: count(a[1..n], v) >= 1`.
//!
//! Value by value, such a formula would take elements that other values need. Here all elements of the slice are
//! considered together: those in excess of what their value allows are moved to values that lack some, and only if
//! these are too few, elements that their value can spare. All others stay, so that the array keeps its shape.

use super::aggregate_repair::UnusedValues;
use super::arrays::put_in_order;
use super::counted_slice::CountedSlice;
use super::formulas::{FormulaRepairer, number_at};
use crate::language::{Expr, FieldId, Interval, QuantifiedFormula, narrow_by_operator};
use crate::value;
use std::collections::HashMap;

/// Maximum number of values and of elements that are considered together.
const MAX_VALUES: i128 = 1 << 22;

/// The elements of a slice, and how often each value may occur among them.
struct Occurrences {
    paths: Vec<Vec<usize>>,
    numbers: Vec<i128>,
    /// The first of the values with limited occurrences.
    first: i128,
    /// How often each value from the first one on may occur.
    limits: Vec<Interval>,
    /// How often each value occurs.
    counts: HashMap<i128, i128>,
}

impl Occurrences {
    fn limit(&self, number: i128) -> Interval {
        let at = usize::try_from(number - self.first).ok();
        at.and_then(|at| self.limits.get(at)).copied().unwrap_or(Interval::NATURAL)
    }

    fn count(&self, number: i128) -> i128 {
        self.counts.get(&number).copied().unwrap_or(0)
    }

    fn limited_values(&self) -> impl Iterator<Item = (i128, Interval)> + '_ {
        (self.first..).zip(self.limits.iter().copied())
    }

    fn is_satisfied(&self) -> bool {
        self.limited_values().all(|(number, limit)| limit.contains_value(self.count(number)))
    }

    /// Returns true if values of this range can occur as often as they must, and all elements have a value.
    fn is_possible(&self, allowed: Interval) -> bool {
        let all = self.numbers.len() as i128;
        let can_be_met = |(number, limit): (i128, Interval)| {
            limit.contains_value(0) || !limit.is_empty() && limit.hi > 0 && allowed.contains_value(number)
        };
        let needed = self.limited_values().map(|(_, limit)| limit.lo.max(0)).fold(0, i128::saturating_add);
        let capacity = self.limited_values().filter(|(number, _)| allowed.contains_value(*number));
        let capacity = capacity.map(|(_, limit)| limit.hi).fold(0, i128::saturating_add);
        let has_others = self.unlimited_ranges(allowed).next().is_some();
        self.limited_values().all(can_be_met) && needed <= all && (has_others || all <= capacity)
    }

    /// Takes away the elements of which their value has too many, and then those that a value can spare, until there
    /// are as many as others lack. Returns their positions.
    fn release_elements(&mut self, order: &[usize]) -> Vec<usize> {
        let missing: i128 = self.limited_values().map(|(number, limit)| (limit.lo - self.count(number)).max(0)).sum();
        let mut released = Vec::new();
        let mut is_released = vec![false; self.numbers.len()];
        for is_excess in [true, false] {
            for at in order {
                let number = self.numbers[*at];
                let limit = self.limit(number);
                let kept = if is_excess { limit.hi } else { limit.lo };
                let is_wanted = is_excess || (released.len() as i128) < missing;
                if is_wanted && !is_released[*at] && self.count(number) > kept {
                    is_released[*at] = true;
                    released.push(*at);
                    self.change_count(number, -1);
                }
            }
        }
        released
    }

    fn change_count(&mut self, number: i128, by: i128) {
        *self.counts.entry(number).or_default() += by;
    }

    /// Returns true if a value may occur once more.
    fn is_available(&self, number: i128) -> bool {
        self.count(number) < self.limit(number).hi
    }

    /// Returns the ranges of the values without limits on their occurrences.
    fn unlimited_ranges(&self, allowed: Interval) -> impl Iterator<Item = Interval> + use<> {
        let last = self.first + self.limits.len() as i128 - 1;
        let around = [Interval::new(allowed.lo, self.first - 1), Interval::new(last + 1, allowed.hi)];
        around.into_iter().map(move |range| range.intersect(allowed)).filter(|range| !range.is_empty())
    }
}

impl FormulaRepairer<'_, '_, '_> {
    /// Moves elements until each value occurs as often as the formula says, if it is about that and can be met.
    /// Returns true if it holds now.
    pub(super) fn repair_value_counts(&mut self, quantified: &QuantifiedFormula, variables: &mut Vec<i128>) -> bool {
        let Some(counted) = CountedSlice::match_formula(quantified) else { return false };
        let Some(mut occurrences) = self.count_occurrences(&counted, quantified, variables) else { return false };
        if occurrences.is_satisfied() {
            return true;
        }
        let allowed = self.allowed_range(counted.field);
        if !occurrences.is_possible(allowed) {
            return false;
        }
        let before = occurrences.numbers.clone();
        let order = self.shuffle_positions(counted.field, before.len());
        let released = occurrences.release_elements(&order);
        if !self.assign_values(&mut occurrences, &released, counted.field) {
            return false;
        }
        put_in_order(&mut occurrences.numbers, self.plan.format.element_order(counted.field));
        self.set_changed_members(&occurrences.paths, &before, &occurrences.numbers);
        true
    }

    /// Returns the elements of the slice and the limits of its values, or `None` if one of them is unknown or cannot
    /// be moved, or there are too many.
    fn count_occurrences(
        &self,
        counted: &CountedSlice<'_>,
        quantified: &QuantifiedFormula,
        variables: &mut Vec<i128>,
    ) -> Option<Occurrences> {
        let format = self.plan.format;
        if self.plan.is_size(counted.field) || format.field(counted.field).alphabet().is_some() {
            return None;
        }
        let (first, last) = self.evaluate_ends(&quantified.range, variables)?;
        if first > last || last - first >= MAX_VALUES {
            return None;
        }
        variables.push(first);
        let paths = self.element_paths(&counted.slice.range, counted.field, counted.indices, variables);
        variables.pop();
        let paths = paths?;
        let numbers: Vec<i128> = paths.iter().map(|path| number_at(self.slots, path)).collect::<Option<_>>()?;
        let mut limits = Vec::with_capacity((last - first + 1) as usize);
        for number in first..=last {
            variables.push(number);
            let limit = self.occurrence_limit(counted, variables);
            variables.pop();
            limits.push(limit?);
        }
        let mut occurrences = Occurrences { paths, numbers, first, limits, counts: HashMap::new() };
        for at in 0..occurrences.numbers.len() {
            occurrences.change_count(occurrences.numbers[at], 1);
        }
        Some(occurrences)
    }

    /// Returns the paths of the elements that these indices have if the next variable runs over a range.
    pub(super) fn element_paths(
        &self,
        range: &(Expr, Expr),
        field: FieldId,
        indices: &[Expr],
        variables: &mut Vec<i128>,
    ) -> Option<Vec<Vec<usize>>> {
        let (first, last) = self.evaluate_ends(range, variables)?;
        if last - first >= MAX_VALUES {
            return None;
        }
        let mut path_of = |number: i128| {
            variables.push(number);
            let path = self.indexed_path(field, indices, variables);
            variables.pop();
            path
        };
        (first..=last).map(&mut path_of).collect()
    }

    /// Returns how often the value of the last variable may occur.
    fn occurrence_limit(&self, counted: &CountedSlice<'_>, variables: &[i128]) -> Option<Interval> {
        let scope = self.scope_with(variables);
        counted.limits.iter().try_fold(Interval::NATURAL, |limit, (sign, other)| {
            let other = value::evaluate_number(other, &scope).ok()?;
            Some(narrow_by_operator(limit, *sign, Interval::from_value(other)))
        })
    }

    pub(super) fn shuffle_positions(&mut self, field: FieldId, count: usize) -> Vec<usize> {
        let mut order: Vec<usize> = (0..count).collect();
        for at in 0..count {
            let other = at + self.choose_index(field, count - at, 0);
            order.swap(at, other);
        }
        order
    }

    /// Gives the released elements the values that are lacking, and any available ones afterwards. Returns false if there
    /// is none.
    fn assign_values(&mut self, occurrences: &mut Occurrences, released: &[usize], field: FieldId) -> bool {
        let lacking: Vec<i128> = occurrences
            .limited_values()
            .flat_map(|(number, limit)| {
                let missing = usize::try_from(limit.lo - occurrences.count(number)).unwrap_or(0);
                std::iter::repeat_n(number, missing)
            })
            .collect();
        let (mut lacking, mut unused) = (lacking.into_iter(), UnusedValues::default());
        for at in released {
            let new = lacking.next();
            let new = new.or_else(|| self.next_unused(&mut unused, field, &|number| !occurrences.is_available(number)));
            let Some(number) = new else { return false };
            occurrences.numbers[*at] = number;
            occurrences.change_count(number, 1);
        }
        true
    }
}

#[cfg(test)]
pub(in crate::generate) mod tests {
    #![allow(clippy::unwrap_used, reason = "tests")]
    use crate::generate::tests::parse_format;
    use crate::generate::{Extreme, GenerationPlan, GenerationSettings, generate_value};
    use crate::validate::find_violation;
    use crate::value::Value;
    use rebut_generators::Choices;

    /// Generates an input and checks that it is valid.
    pub(in crate::generate) fn generate_valid(text: &str, settings: &GenerationSettings, seed: u64) -> Value {
        let format = parse_format(text);
        let plan = GenerationPlan::new(&format);
        let value = generate_value(&plan, &mut Choices::from_seed(seed, 0), settings).unwrap().value;
        assert_eq!(find_violation(&format, &value), None, "{text}");
        value
    }

    /// Generates a valid input, whose first field is its size, and returns the size and the elements of its last field.
    fn generate_elements(text: &str, settings: &GenerationSettings, seed: u64) -> (usize, Vec<i128>) {
        let value = generate_valid(text, settings, seed);
        let slots = value.root_slots();
        let Some(Value::Ints(numbers)) = slots.last() else { return (0, Vec::new()) };
        (slots[0].as_int().unwrap() as usize, numbers.clone())
    }

    #[test]
    fn counts_of_all_values_are_met_at_full_size() {
        let settings = GenerationSettings { extreme: Some(Extreme::Max), ..GenerationSettings::default() };
        for text in [
            "n k; a[n] where 1 <= k <= n <= 20000; 1 <= a <= k; forall v in 1..k: count(a[1..n], v) >= 1",
            "n; a[2*n] where 1 <= n <= 20000; 1 <= a <= n; forall v in 1..n: count(a[1..2*n], v) = 2",
            "n; a[n] where 1 <= n <= 20000; 1 <= a <= n; forall v in 1..n: count(a[1..n], v) <= 1",
            "n; a[n] where 1 <= n <= 20000; 1 <= a <= 10^9; forall v in 1..5000: 1 <= count(a[1..n], v) <= 3; n >= 5000",
            "n k; c[k]; a[n] where 1 <= k <= 500; n = 3 * k; 1 <= a <= k; 3 <= c <= 9; sorted(a); \
             forall v in 1..k: count(a[1..n], v) <= c[v]",
        ] {
            let (size, elements) = generate_elements(text, &settings, 1);
            assert!(size >= 1500 && elements.len() >= size, "{text}: {size}");
        }
    }

    #[test]
    fn relations_of_values_are_met_at_full_size() {
        let largest = GenerationSettings { extreme: Some(Extreme::Max), ..GenerationSettings::default() };
        for (text, expected) in [
            (
                "n; V[n][n] where 1<=n<=100; 1<=V<=n; forall i in 1..n: distinct(V[i]); forall j in 1..n: distinct(V[1..n][j])",
                100,
            ),
            (
                "n; a[n] where 2<=n<=20000; 1<=a<=n; forall i in 1..n: a[i] != i; forall v in 1..n: count(a[1..n], v) = 1",
                20_000,
            ),
            ("n; V[n][n] where 1<=n<=400; 0<=V<=10^9; symmetric(V); forall i in 1..n: V[i][i] = 0", 400),
            ("n; a[n]; b[n] where 1<=n<=20000; 1<=a,b<=10^9; forall i in 1..n: exists j in 1..n: b[i] = a[j]", 20_000),
            ("n k; p[n] where 1<=n<=20000; 0<=k<=10^8; p permutation of 1..n; inversions(p) = k", 20_000),
            ("n; p[n] where 1<=n<=20000; p permutation of 0..n-1; cycles(p) = 1; n >= 2; p[1] != 1", 20_000),
            ("n; repeat n: p where 2<=n<=20000; 1<=p<=n; distinct(p); 2 <= cycles(p) <= 3", 20_000),
            ("n k; a[n] where 1<=k<=n<=20000; 1<=a<=10^9; distinct(a) = k", 20_000),
            ("n; repeat n-1: u v where 9<=n<=20000; edges (u, v) on 1..n: tree, depth 3..5", 20_000),
            ("n; p[n-1] where 101<=n<=20000; parents p of 2..n on 1..n: tree, depth 100..200", 20_000),
            ("n; s[n]; repeat count(s, '?'): x where 1<=n<=20000; s over \"a-z?\"; 1<=x<=9", 20_000),
        ] {
            for seed in 0..3 {
                let value = generate_valid(text, &largest, seed);
                assert_eq!(value.root_slots()[0].as_int(), Some(expected), "{text}");
                generate_valid(text, &GenerationSettings::default(), seed);
            }
        }
    }

    #[test]
    fn elements_that_fit_keep_their_shape() {
        let text = "n; a[n] where 300 <= n <= 400; 1 <= a <= 10; forall v in 1..10: count(a[1..n], v) >= 1";
        let settings = GenerationSettings { shape: Some("constant".to_owned()), ..GenerationSettings::default() };
        for seed in 0..8 {
            let (size, elements) = generate_elements(text, &settings, seed);
            let most = (1..=10).map(|v| elements.iter().filter(|a| **a == v).count()).max().unwrap();
            assert_eq!(most, size - 9, "{elements:?}");
        }
    }

    #[test]
    fn rows_and_repetitions_are_counted_as_well() {
        for text in [
            "n; b[n][n] where 1 <= n <= 6; 1 <= b <= n; forall i in 1..n: forall v in 1..n: count(b[i][1..n], v) = 1",
            "m; repeat 2*m: x y where 1 <= m <= 9; 1 <= x <= m; 0 <= y <= 9; forall v in 1..m: count(x[1..2*m], v) = 2",
            "n; a[n] where n = 30; 1 <= a <= 100; a % 7 = 1; forall v in 1..100: count(a[1..n], v) <= 2",
            "m; a[5] where 2 <= m <= 4; 1 <= a <= 9; forall v in 1..m: count(a[2..5], v) > 0 and count(a[2..5], v) < 3",
        ] {
            (0..20).for_each(|seed| drop(generate_valid(text, &GenerationSettings::default(), seed)));
        }
    }
}
