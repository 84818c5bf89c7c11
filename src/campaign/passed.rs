//! What a search through every input has behind it, file by file.
//!
//! Workers end out of order, and one that was stopped leaves a gap; so what passes is known up to the first gap.

use std::collections::BTreeMap;

/// The files that were run, by number.
#[derive(Clone, Debug, Default)]
pub struct Passed {
    /// How many inputs of each the reference answered; every submission that had not failed by then was run on them.
    files: BTreeMap<u64, u64>,
}

impl Passed {
    /// Notes that a file was run.
    pub(super) fn note(&mut self, index: u64, inputs: u64) {
        self.files.insert(index, inputs);
    }

    /// Returns the number of files before the first that was not run.
    pub fn count_in_a_row(&self) -> u64 {
        (0..).zip(self.files.keys()).take_while(|(expected, index)| expected == *index).count() as u64
    }

    /// Returns the number of inputs that the reference answered in all files before that number.
    pub fn count_inputs_before(&self, index: u64) -> u64 {
        self.files.range(..index).map(|(_, inputs)| inputs).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_count_up_to_the_first_gap() {
        let mut passed = Passed::default();
        assert_eq!(passed.count_in_a_row(), 0);
        for (index, inputs) in [(1, 10), (0, 7), (3, 5)] {
            passed.note(index, inputs);
        }
        assert_eq!((passed.count_in_a_row(), passed.count_inputs_before(2)), (2, 17));
    }
}
