//! The inputs that were too slow for the reference, and those that would be too slow as well.
//!
//! A slow brute force is a good reference as long as the inputs are small, and each input that it does not answer costs
//! seconds. So once it was too slow on some case, cases that are at least as large in every respect are skipped without
//! running it.

use crate::inputs::split_into_cases;
use rebut_format::language::Format;
use rebut_format::value::{Value, instances_in_holder};
use std::sync::{PoisonError, RwLock};

/// Sizes of the cases that were too slow.
#[derive(Default)]
pub(super) struct SlowInputs {
    /// None of them is at least as large as another one in every respect.
    sizes: RwLock<Vec<CaseSizes>>,
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
