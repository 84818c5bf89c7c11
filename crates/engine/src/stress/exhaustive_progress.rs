//! The progress of an exhaustive search, by file.
//!
//! Workers finish files out of order, and an interrupted worker leaves a gap. All files are known to pass only up to
//! the first gap.

use std::collections::BTreeMap;

/// The files that were run, by index.
#[derive(Clone, Debug, Default)]
pub struct ExhaustiveProgress {
    /// For each file, the numbers of inputs that the reference answered and did not answer. All submissions that had not failed
    /// before were run on the former.
    files: BTreeMap<u64, [u64; 2]>,
}

impl ExhaustiveProgress {
    pub(crate) fn record_file(&mut self, index: u64, answered: u64, unanswered: u64) {
        let known = self.files.insert(index, [answered, unanswered]);
        assert!(known.is_none(), "each file is taken by one worker");
    }

    /// Returns the number of files before the first that was not run.
    pub fn contiguous_files(&self) -> u64 {
        (0..).zip(self.files.keys()).take_while(|(expected, index)| expected == *index).count() as u64
    }

    /// Returns the numbers of inputs that the reference answered, and did not answer, in all files before an index.
    pub fn inputs_before_file(&self, index: u64) -> [u64; 2] {
        let files = self.files.range(..index);
        files.fold([0; 2], |[answered, unanswered], (_, file)| [answered + file[0], unanswered + file[1]])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_count_up_to_the_first_gap() {
        let mut progress = ExhaustiveProgress::default();
        assert_eq!(progress.contiguous_files(), 0);
        for (index, answered, unanswered) in [(1, 10, 2), (0, 7, 0), (3, 5, 4)] {
            progress.record_file(index, answered, unanswered);
        }
        assert_eq!((progress.contiguous_files(), progress.inputs_before_file(2)), (2, [17, 2]));
    }
}
