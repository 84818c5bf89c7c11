//! What a search through every input has behind it, file by file.
//!
//! Workers end out of order, and one that was stopped leaves a gap; so what passes is known up to the first gap.

use crate::corpus::Certificate;
use std::collections::BTreeMap;

/// The files that were run, by number.
#[derive(Clone, Debug, Default)]
pub struct Passed {
    files: BTreeMap<u64, File>,
}

#[derive(Clone, Copy, Debug)]
struct File {
    /// How many inputs the reference answered; every submission that had not failed by then was run on them.
    inputs: u64,
    /// On how many it gave no answer in time.
    unanswered: u64,
}

impl Passed {
    /// Notes that a file was run.
    pub(super) fn note(&mut self, index: u64, inputs: u64, unanswered: u64) {
        self.files.insert(index, File { inputs, unanswered });
    }

    /// How many files there are before the first that was not run.
    pub fn in_a_row(&self) -> u64 {
        (0..).zip(self.files.keys()).take_while(|(expected, index)| expected == *index).count() as u64
    }

    /// What is known of the inputs in all files before that number, of whoever has not failed on one of them.
    pub fn before(&self, index: u64) -> Certificate {
        let files = || self.files.range(..index).map(|(_, file)| file);
        let unanswered = files().map(|file| file.unanswered).sum();
        Certificate {
            inputs: files().map(|file| file.inputs).sum(),
            unanswered,
            complete: unanswered == 0 && self.in_a_row() >= index,
            ..Certificate::default()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_behind_a_gap_proves_nothing() {
        let mut passed = Passed::default();
        assert_eq!((passed.in_a_row(), passed.before(0).complete), (0, true));
        for (index, inputs) in [(1, 10), (0, 7), (3, 5)] {
            passed.note(index, inputs, 0);
        }
        let told = |index| (passed.before(index).inputs, passed.before(index).complete);
        assert_eq!((passed.in_a_row(), told(1), told(2), told(3)), (2, (7, true), (17, true), (17, false)));
        assert_eq!(told(4), (22, false));
    }

    #[test]
    fn nothing_is_proved_without_answers() {
        let mut passed = Passed::default();
        passed.note(0, 7, 2);
        assert_eq!(
            passed.before(1),
            Certificate { inputs: 7, unanswered: 2, complete: false, ..Certificate::default() }
        );
    }
}
