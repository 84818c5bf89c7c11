//! Where the cells of a table come from that several machines fill, and where they go.

use super::VerdictCell;
use rebut_diagnostics::Result;

/// The place of a cell in the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct CellPlace {
    /// Index of the submission.
    pub submission: usize,
    /// Index of the test case.
    pub case: usize,
}

/// A cell, and whether it was in the cache of the machine that filled it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FilledCell {
    /// The cell.
    pub cell: VerdictCell,
    /// Whether it was in the cache.
    pub remembered: bool,
}

/// The next step for a cell.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CellSource {
    /// It was filled before.
    Known(FilledCell),
    /// It is to be filled here.
    Fill,
    /// It is not to be filled here.
    LeaveOut,
}

/// Keeps the cells of a table, so that several machines can fill it. Without one, all cells are filled here.
pub trait CellJournal: Sync {
    /// Returns what to do about a cell.
    fn find_cell(&self, place: CellPlace) -> CellSource;

    /// Keeps a cell that was filled here; `None` if it is not needed.
    ///
    /// # Errors
    /// Returns an error if it cannot be kept.
    fn keep_cell(&self, place: CellPlace, cell: Option<&FilledCell>) -> Result<()>;

    /// Describes the cells that were left out although the result depends on them, or returns `None` if there are none.
    fn describe_missing(&self) -> Option<String>;

    /// Describes two different cells of a submission in the same place, or returns `None` if there are none.
    fn describe_conflict(&self, submission: usize) -> Option<String>;
}
