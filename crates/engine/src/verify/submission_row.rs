//! The results of a submission on all test cases.

use super::VerdictCell;

/// The results of a submission on all test cases.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SubmissionRow {
    /// Results in the order of the test cases; `None` if the submission was not run.
    pub cells: Vec<Option<VerdictCell>>,
}

impl SubmissionRow {
    /// Returns the known cells with the indices of their test cases.
    pub fn known_cells(&self) -> impl Iterator<Item = (usize, &VerdictCell)> {
        self.cells.iter().enumerate().filter_map(|(case, cell)| Some((case, cell.as_ref()?)))
    }

    /// Returns the first cell with the maximum processor time.
    pub fn slowest_cell(&self) -> Option<(usize, &VerdictCell)> {
        self.known_cells().reduce(|best, next| if next.1.cpu_time_us > best.1.cpu_time_us { next } else { best })
    }
}
