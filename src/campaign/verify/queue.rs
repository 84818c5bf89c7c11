//! Which cell is worked on next.
//!
//! Cells are taken in the order of the report. But where one cell of a submission decides how the next is run, or whether
//! it is run at all, workers take those of other submissions meanwhile: what is run never depends on how many they are.

use std::collections::BTreeSet;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// The cells that nobody has taken yet.
pub(super) struct Queue {
    state: Mutex<State>,
    changed: Condvar,
}

struct State {
    /// Positions in the order.
    pending: BTreeSet<usize>,
    /// How many cells of each row are worked on.
    busy: Vec<usize>,
    /// The rows of which no more is wanted.
    done: Vec<bool>,
    is_over: bool,
}

/// What a worker is to do with a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Task {
    /// Run it, and say so.
    Run(usize),
    /// Nothing: no more is wanted of its row.
    Skip(usize),
}

impl Queue {
    /// So many cells, of rows of which some may be done already.
    pub(super) fn new(cells: usize, done: Vec<bool>) -> Queue {
        let state = State { pending: (0..cells).collect(), busy: vec![0; done.len()], done, is_over: false };
        Queue { state: Mutex::new(state), changed: Condvar::new() }
    }

    /// The next cell of a row that is done, or is not worked on, or does not mind. Waits for one if need be; none if all
    /// are taken, or the work is over.
    pub(super) fn take(&self, row_of: impl Fn(usize) -> usize, is_one_by_one: impl Fn(usize) -> bool) -> Option<Task> {
        let mut state = self.state();
        while !state.is_over && !state.pending.is_empty() {
            let is_free = |at: &usize| {
                let row = row_of(*at);
                state.done[row] || state.busy[row] == 0 || !is_one_by_one(row)
            };
            if let Some(at) = state.pending.iter().copied().find(is_free) {
                let row = row_of(at);
                state.pending.remove(&at);
                if state.done[row] {
                    return Some(Task::Skip(at));
                }
                state.busy[row] += 1;
                return Some(Task::Run(at));
            }
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        None
    }

    /// A cell of the row has been run; whether no more is wanted of that row.
    pub(super) fn ran(&self, row: usize, is_done: bool) {
        let mut state = self.state();
        state.busy[row] -= 1;
        state.done[row] |= is_done;
        self.changed.notify_all();
    }

    /// Nothing more is taken.
    pub(super) fn end(&self) {
        self.state().is_over = true;
        self.changed.notify_all();
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Three rows, and cells by columns.
    fn row(at: usize) -> usize {
        at % 3
    }

    #[test]
    fn who_goes_one_by_one_is_passed_over_while_worked_on() {
        let queue = Queue::new(9, vec![false; 3]);
        let take = || queue.take(row, |row| row == 0);
        assert_eq!([take(), take(), take()], [0, 1, 2].map(|at| Some(Task::Run(at))));
        assert_eq!([take(), take()], [4, 5].map(|at| Some(Task::Run(at))));
        queue.ran(0, false);
        assert_eq!([take(), take()], [3, 7].map(|at| Some(Task::Run(at))));
    }

    #[test]
    fn of_a_row_that_is_done_nothing_is_run() {
        let queue = Queue::new(6, vec![false, true, false]);
        let take = || queue.take(row, |_| true);
        assert_eq!([take(), take(), take()], [Some(Task::Run(0)), Some(Task::Skip(1)), Some(Task::Run(2))]);
        queue.ran(0, true);
        assert_eq!([take(), take()], [Some(Task::Skip(3)), Some(Task::Skip(4))]);
        queue.ran(2, false);
        assert_eq!([take(), take()], [Some(Task::Run(5)), None]);
    }

    #[test]
    fn who_waits_is_woken() {
        let queue = Queue::new(6, vec![false; 3]);
        let take = || queue.take(|_| 0, |_| true);
        assert_eq!(take(), Some(Task::Run(0)));
        let woken = std::thread::scope(|scope| {
            let other = scope.spawn(take);
            queue.ran(0, false);
            other.join().ok().flatten()
        });
        assert_eq!(woken, Some(Task::Run(1)));
        let ended = std::thread::scope(|scope| {
            let other = scope.spawn(take);
            queue.end();
            other.join().ok().flatten()
        });
        assert_eq!(ended, None);
    }
}
