//! The tests that differ the most from those that are selected.

/// Number of halvings after which a property counts as little as it ever will.
const MAX_HALVINGS: usize = 40;

/// A test as the properties that it has, and its size.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct TestTraits {
    /// The properties, by number.
    pub(super) properties: Vec<usize>,
    /// Number of bytes of the input.
    pub(super) bytes: usize,
}

/// Selects further tests until there are `most`, always the one that differs the most from those before: each of its
/// properties counts half as much for each selected test that has it. Of equals, the largest is selected, and then the
/// first. Returns the tests that were added, in this order.
pub(super) fn add_different_tests(tests: &[TestTraits], selected: &[usize], most: usize) -> Vec<usize> {
    let count = tests.iter().flat_map(|test| &test.properties).max().map_or(0, |last| last + 1);
    let mut seen = vec![0; count];
    let see = |test: usize, seen: &mut Vec<usize>| tests[test].properties.iter().for_each(|which| seen[*which] += 1);
    selected.iter().for_each(|test| see(*test, &mut seen));
    let mut left: Vec<usize> = (0..tests.len()).filter(|test| !selected.contains(test)).collect();
    let mut added = Vec::new();
    while selected.len() + added.len() < most {
        let weight = |which: &usize| 1_u64 << (MAX_HALVINGS - seen[*which].min(MAX_HALVINGS));
        let gain = |test: usize| tests[test].properties.iter().map(weight).sum::<u64>();
        // Of equals, the maximum is the last.
        let best = (0..left.len()).rev().max_by_key(|at| (gain(left[*at]), tests[left[*at]].bytes));
        let Some(best) = best else { break };
        let test = left.remove(best);
        see(test, &mut seen);
        added.push(test);
    }
    added
}

#[cfg(test)]
mod tests {
    use super::*;

    fn test(bytes: usize, properties: &[usize]) -> TestTraits {
        TestTraits { properties: properties.to_vec(), bytes }
    }

    #[test]
    fn rare_properties_come_first() {
        let tests = [test(1, &[0]), test(1, &[0, 1]), test(1, &[0, 2, 3]), test(1, &[2, 3])];
        assert_eq!(add_different_tests(&tests, &[0], 3), [2, 1], "of the last nothing is new then");
        assert_eq!(add_different_tests(&tests, &[0], 9), [2, 1, 3], "there are no others");
        assert!(add_different_tests(&tests, &[0, 1], 2).is_empty());
    }

    #[test]
    fn of_equals_the_largest_and_then_the_first_is_selected() {
        let tests = [test(5, &[0]), test(7, &[0]), test(7, &[0]), test(1, &[])];
        assert_eq!(add_different_tests(&tests, &[], 4), [1, 2, 0, 3]);
    }
}
