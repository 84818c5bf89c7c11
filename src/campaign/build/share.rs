//! Work shared among workers, its results in order.

use crate::diagnostic::Result;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

/// The results of so many pieces of work, done by so many workers, in the order of the pieces.
///
/// # Errors
/// That of the first piece that failed; later ones are not begun then.
pub(super) fn share<T: Send>(jobs: usize, pieces: usize, work: impl Fn(usize) -> Result<T> + Sync) -> Result<Vec<T>> {
    let next = AtomicUsize::new(0);
    let done: Mutex<Vec<(usize, Result<T>)>> = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for _ in 0..jobs.clamp(1, pieces.max(1)) {
            scope.spawn(|| {
                loop {
                    let piece = next.fetch_add(1, Ordering::Relaxed);
                    if piece >= pieces {
                        return;
                    }
                    let result = work(piece);
                    if result.is_err() {
                        next.fetch_max(pieces, Ordering::Relaxed);
                    }
                    done.lock().unwrap_or_else(PoisonError::into_inner).push((piece, result));
                }
            });
        }
    });
    let mut done = done.into_inner().unwrap_or_else(PoisonError::into_inner);
    done.sort_by_key(|(piece, _)| *piece);
    done.into_iter().map(|(_, result)| result).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnostic::Error;

    #[test]
    fn results_are_in_order_for_any_number_of_workers() {
        for jobs in 1..5 {
            assert_eq!(share(jobs, 100, Ok), Ok((0..100).collect()));
            assert_eq!(share(jobs, 0, Ok), Ok(Vec::new()));
            let failing = |i: usize| if i == 7 { Err(Error::usage("seven")) } else { Ok(i) };
            assert_eq!(share(jobs, 100, failing), Err(Error::usage("seven")));
        }
    }
}
