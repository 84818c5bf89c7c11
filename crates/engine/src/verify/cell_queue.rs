//! The queue of cells of the verdict table that workers take from.
//!
//! Cells are taken in the order of the report. If one cell of a submission determines how the next one is run, or
//! whether it is run at all, its row is sequential: meanwhile workers take cells of other rows. So the runs do not
//! depend on the number of workers.

use std::collections::BTreeSet;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// The cells that no worker has taken yet.
pub(super) struct CellQueue {
    state: Mutex<CellQueueState>,
    changed: Condvar,
}

struct CellQueueState {
    /// Positions of cells in the order.
    pending: BTreeSet<usize>,
    /// Number of cells of each row that are being run.
    busy: Vec<usize>,
    /// Whether each row is finished, so that its other cells are skipped.
    done: Vec<bool>,
    is_stopped: bool,
}

/// A task for a worker.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum CellTask {
    /// Run the cell at this position, then call [`CellQueue::finish_cell`].
    Run(usize),
    /// Skip the cell at this position, since its row is finished.
    Skip(usize),
}

impl CellQueue {
    /// Creates a queue of `cells` cells. `done` has an element for each row.
    pub(super) fn new(cells: usize, done: Vec<bool>) -> CellQueue {
        let state =
            CellQueueState { pending: (0..cells).collect(), busy: vec![0; done.len()], done, is_stopped: false };
        CellQueue { state: Mutex::new(state), changed: Condvar::new() }
    }

    /// Returns the next task: the first cell with a row that is finished, idle, or not sequential. Waits for one if
    /// necessary. Returns `None` if all cells are taken or the queue is stopped.
    pub(super) fn take_task(
        &self,
        row_of: impl Fn(usize) -> usize,
        is_sequential: impl Fn(usize) -> bool,
    ) -> Option<CellTask> {
        let mut state = self.lock_state();
        while !state.is_stopped && !state.pending.is_empty() {
            let is_free = |at: &usize| {
                let row = row_of(*at);
                state.done[row] || state.busy[row] == 0 || !is_sequential(row)
            };
            if let Some(at) = state.pending.iter().copied().find(is_free) {
                let row = row_of(at);
                state.pending.remove(&at);
                if state.done[row] {
                    return Some(CellTask::Skip(at));
                }
                state.busy[row] += 1;
                return Some(CellTask::Run(at));
            }
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        None
    }

    /// Records that a cell of a row has been run. If `is_done`, the other cells of the row are skipped.
    pub(super) fn finish_cell(&self, row: usize, is_done: bool) {
        let mut state = self.lock_state();
        state.busy[row] -= 1;
        state.done[row] |= is_done;
        self.changed.notify_all();
    }

    /// Stops the queue: no more tasks are handed out.
    pub(super) fn stop_queue(&self) {
        self.lock_state().is_stopped = true;
        self.changed.notify_all();
    }

    fn lock_state(&self) -> MutexGuard<'_, CellQueueState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the row of a cell in a table of three rows, ordered by columns.
    fn row_of_cell(at: usize) -> usize {
        at % 3
    }

    #[test]
    fn busy_sequential_row_is_passed_over() {
        let queue = CellQueue::new(9, vec![false; 3]);
        let take = || queue.take_task(row_of_cell, |row| row == 0);
        assert_eq!([take(), take(), take()], [0, 1, 2].map(|at| Some(CellTask::Run(at))));
        assert_eq!([take(), take()], [4, 5].map(|at| Some(CellTask::Run(at))));
        queue.finish_cell(0, false);
        assert_eq!([take(), take()], [3, 7].map(|at| Some(CellTask::Run(at))));
    }

    #[test]
    fn cells_of_a_finished_row_are_skipped() {
        let queue = CellQueue::new(6, vec![false, true, false]);
        let take = || queue.take_task(row_of_cell, |_| true);
        assert_eq!([take(), take(), take()], [Some(CellTask::Run(0)), Some(CellTask::Skip(1)), Some(CellTask::Run(2))]);
        queue.finish_cell(0, true);
        assert_eq!([take(), take()], [Some(CellTask::Skip(3)), Some(CellTask::Skip(4))]);
        queue.finish_cell(2, false);
        assert_eq!([take(), take()], [Some(CellTask::Run(5)), None]);
    }

    #[test]
    fn waiting_worker_is_woken() {
        let queue = CellQueue::new(6, vec![false; 3]);
        let take = || queue.take_task(|_| 0, |_| true);
        assert_eq!(take(), Some(CellTask::Run(0)));
        let woken = std::thread::scope(|scope| {
            let other = scope.spawn(take);
            queue.finish_cell(0, false);
            other.join().ok().flatten()
        });
        assert_eq!(woken, Some(CellTask::Run(1)));
        let ended = std::thread::scope(|scope| {
            let other = scope.spawn(take);
            queue.stop_queue();
            other.join().ok().flatten()
        });
        assert_eq!(ended, None);
    }
}
