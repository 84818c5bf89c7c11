//! The inputs that were too slow for the reference, and those that would be too slow as well.
//!
//! A slow brute force is a good reference as long as the inputs are small, and each input that it does not answer costs
//! seconds. So once it was too slow on some case, cases that are at least as large in every respect are skipped without
//! running it.

use crate::inputs::split_into_cases;
use rebut_format::generate::GenerationPlan;
use rebut_format::language::{FieldId, Format};
use rebut_format::value::{Value, instances_in_holder};
use std::sync::{PoisonError, RwLock};

/// Sizes of the cases that were too slow.
#[derive(Default)]
pub(super) struct SlowInputs {
    /// None of them is at least as large as another one in every respect.
    sizes: RwLock<Vec<CaseSizes>>,
    /// The least sizes of an input for which the reference took long, and how many of them are outside of its cases.
    least_slow: RwLock<Option<(usize, CaseSizes)>>,
}

/// The sizes of an input of one case, in a fixed order for each format: the distance of each single number from zero, and
/// the number of elements of every other part.
type CaseSizes = Vec<u128>;

impl SlowInputs {
    /// Returns true if no input was too slow so far.
    pub(super) fn is_empty(&self) -> bool {
        self.sizes.read().unwrap_or_else(PoisonError::into_inner).is_empty()
    }

    /// Records an input of one case that was too slow.
    pub(super) fn record_input(&self, format: &Format, value: &Value) {
        let slow = case_sizes(format, value);
        let mut known = self.sizes.write().unwrap_or_else(PoisonError::into_inner);
        known.retain(|other| !is_at_least(other, &slow));
        known.push(slow);
    }

    /// Returns true if a case of an input is at least as large in every respect as one that was too slow.
    pub(super) fn is_any_case_covered(&self, format: &Format, value: &Value) -> bool {
        let cases = split_into_cases(format, value);
        if cases.is_empty() {
            self.is_covered(format, value)
        } else {
            cases.iter().any(|case| self.is_covered(format, case))
        }
    }

    /// Returns true if an input of one case is at least as large in every respect as one that was too slow.
    pub(super) fn is_covered(&self, format: &Format, value: &Value) -> bool {
        let sizes = case_sizes(format, value);
        self.sizes.read().unwrap_or_else(PoisonError::into_inner).iter().any(|slow| is_at_least(&sizes, slow))
    }
}

impl SlowInputs {
    /// Records an input for which the reference took long.
    pub(super) fn record_slow_answer(&self, format: &Format, value: &Value) {
        let merge = |one: CaseSizes, other: CaseSizes, choose: fn(u128, u128) -> u128| -> CaseSizes {
            one.into_iter().zip(other).map(|(one, other)| choose(one, other)).collect()
        };
        let cases = split_into_cases(format, value).into_iter().map(|case| case_sizes(format, &case));
        let sizes =
            cases.reduce(|one, other| merge(one, other, u128::max)).unwrap_or_else(|| case_sizes(format, value));
        let mut least = self.least_slow.write().unwrap_or_else(PoisonError::into_inner);
        let sizes = match least.take() {
            Some((_, known)) => merge(known, sizes, u128::min),
            None => sizes,
        };
        *least = Some((value.root_slots().len(), sizes));
    }

    /// Returns a constraint on the inputs with which the reference is faster, if it took long for some: half of a size
    /// that is small, since the time may be exponential, and about a tenth of any other.
    pub(super) fn suggest_constraint(&self, plan: &GenerationPlan<'_>) -> Option<String> {
        let (root_slots, sizes) = self.least_slow.read().unwrap_or_else(PoisonError::into_inner).clone()?;
        let format = plan.format;
        let limits = (0..format.fields.len()).map(FieldId).filter_map(|id| {
            let field = format.field(id);
            let offset = if format.block(field.block).parent.is_none() { 0 } else { root_slots };
            let is_single = offset == 0 || format.cases_block() == Some(field.block);
            let has_free_length = field.has_free_length() && field.dimensions.len() == 1;
            let is_number = field.is_scalar() && field.word_choices().is_none() && format.case_count() != Some(id);
            if !is_single || !is_number && !has_free_length {
                return None;
            }
            let size = *sizes.get(offset + field.slot)?;
            let limit = if size <= 64 { size / 2 } else { 10_u128.pow((size / 10).ilog10()) };
            let (name, range) = match has_free_length {
                true => (format!("len({})", field.name), field.length),
                false => (field.name.clone(), field.range),
            };
            let is_useful = i128::try_from(limit).is_ok_and(|limit| limit > range.lo);
            is_useful.then_some((plan.is_size(id) || has_free_length, limit, name))
        });
        let (_, limit, name) = limits.max_by_key(|(is_size, limit, _)| (*is_size, *limit))?;
        let limit = if limit < 10_000 { limit.to_string() } else { format!("10^{}", limit.ilog10()) };
        Some(format!("{name} <= {limit}"))
    }
}

fn is_at_least(one: &CaseSizes, other: &CaseSizes) -> bool {
    debug_assert_eq!(one.len(), other.len(), "the order of sizes is fixed for a format");
    one.iter().zip(other).all(|(one, other)| one >= other)
}

fn case_sizes(format: &Format, value: &Value) -> CaseSizes {
    let root = value.root_slots();
    let mut sizes: CaseSizes = root.iter().map(part_size).collect();
    if let Some(cases) = format.cases_block()
        && let Some(case) = instances_in_holder(format, cases, root).iter().next()
    {
        sizes.extend(case.iter().map(part_size));
    }
    sizes
}

fn part_size(part: &Value) -> u128 {
    match part {
        Value::Int(number) => number.unsigned_abs(),
        other => other.element_count() as u128,
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests")]
    use super::*;
    use rebut_diagnostics::SourceText;
    use rebut_format::read::read_input;

    #[test]
    fn smaller_inputs_are_suggested_by_size_before_number() {
        let suggested = |format: &str, inputs: &[&str]| {
            let (format, _) = Format::parse(&SourceText::new("format", format)).unwrap();
            let slow = SlowInputs::default();
            for input in inputs {
                slow.record_slow_answer(&format, &read_input(&format, input.as_bytes()).unwrap());
            }
            slow.suggest_constraint(&GenerationPlan::new(&format))
        };
        let array = "n k; a[n] where 1 <= n <= 40; 1 <= k, a <= 10^9";
        assert_eq!(suggested(array, &[]), None);
        assert_eq!(suggested(array, &["4 100000\n1 1 1 1\n"]).as_deref(), Some("n <= 2"));
        let numbers = "a b where 1 <= a <= b <= 10^18";
        assert_eq!(suggested(numbers, &["1 7000000000\n", "5 900000000\n"]).as_deref(), Some("b <= 10^7"));
        let cases = "T; cases T: n; s where 1 <= T, n <= 1000; s over \"a-z\"; 1 <= len(s) <= 100";
        assert_eq!(suggested(cases, &["2\n800\na\n900\nabcdefgh\n"]).as_deref(), Some("len(s) <= 4"));
        assert_eq!(suggested("n where 5 <= n <= 9", &["7\n"]), None, "nothing smaller");
    }

    #[test]
    fn only_inputs_as_large_in_every_respect_are_covered() {
        let source = SourceText::new("format", "T; cases T: n k; a[n] where 1 <= T <= 5; 1 <= n, k, a <= 100");
        let (format, _) = Format::parse(&source).unwrap();
        let read = |text: &str| read_input(&format, text.as_bytes()).unwrap();
        let slow = SlowInputs::default();
        assert!(slow.is_empty() && !slow.is_covered(&format, &read("1\n1 1\n1\n")));
        slow.record_input(&format, &read("1\n3 5\n1 1 1\n"));
        assert!(slow.is_covered(&format, &read("1\n3 5\n9 9 9\n")));
        assert!(slow.is_covered(&format, &read("1\n4 6\n1 1 1 1\n")));
        assert!(!slow.is_covered(&format, &read("1\n4 4\n1 1 1 1\n")));
        assert!(!slow.is_covered(&format, &read("1\n2 100\n1 1\n")));
        // A smaller one takes the place of what it covers.
        slow.record_input(&format, &read("1\n2 5\n1 1\n"));
        assert!(slow.is_covered(&format, &read("1\n2 100\n1 1\n")));
        assert_eq!(slow.sizes.read().unwrap().len(), 1);
    }
}
