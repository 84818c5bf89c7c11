//! Runs work in parallel on scoped threads and returns the results in order.

use rebut_diagnostics::Result;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc;

/// Runs `work` on the numbers below `pieces` on up to `jobs` threads and returns the results in order. `on_progress` is
/// called on the calling thread after each piece, with the number of finished pieces.
///
/// # Errors
/// Returns the error of the first piece that failed; later pieces may not have been started.
///
/// # Panics
/// Panics if `work` panics on any piece, since there is then no result for it.
pub(super) fn run_in_parallel<T: Send>(
    jobs: usize,
    pieces: usize,
    work: impl Fn(usize) -> Result<T> + Sync,
    on_progress: &mut dyn FnMut(usize),
) -> Result<Vec<T>> {
    if pieces <= 1 {
        return (0..pieces).map(|piece| work(piece).inspect(|_| on_progress(piece + 1))).collect();
    }
    let next = AtomicUsize::new(0);
    let (sender, receiver) = mpsc::channel::<(usize, Result<T>)>();
    // The scope panics at its end if one of its threads did.
    let mut done = std::thread::scope(|scope| {
        for _ in 0..jobs.clamp(1, pieces) {
            let (sender, next, work) = (sender.clone(), &next, &work);
            scope.spawn(move || {
                loop {
                    let piece = next.fetch_add(1, Ordering::Relaxed);
                    if piece >= pieces {
                        return;
                    }
                    let result = work(piece);
                    if result.is_err() {
                        next.fetch_max(pieces, Ordering::Relaxed);
                    }
                    if sender.send((piece, result)).is_err() {
                        return;
                    }
                }
            });
        }
        drop(sender);
        let mut done = Vec::with_capacity(pieces);
        for finished in receiver {
            done.push(finished);
            on_progress(done.len());
        }
        done
    });
    done.sort_by_key(|(piece, _)| *piece);
    done.into_iter().map(|(_, result)| result).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use rebut_diagnostics::Error;

    #[test]
    fn results_are_in_order_for_any_number_of_workers() {
        for jobs in 1..5 {
            let mut progress = Vec::new();
            assert_eq!(run_in_parallel(jobs, 100, Ok, &mut |done| progress.push(done)), Ok((0..100).collect()));
            assert_eq!(progress, (1..=100).collect::<Vec<_>>());
            assert_eq!(run_in_parallel(jobs, 0, Ok, &mut |_| ()), Ok(Vec::new()));
            let failing = |i: usize| if i == 7 { Err(Error::usage_error("seven")) } else { Ok(i) };
            assert_eq!(run_in_parallel(jobs, 100, failing, &mut |_| ()), Err(Error::usage_error("seven")));
        }
    }

    #[test]
    fn panic_of_a_worker_is_passed_on() {
        for jobs in 1..4 {
            for bad in [0, 3, 9] {
                let work = |i: usize| {
                    assert_ne!(i, bad, "this piece panics");
                    Ok(i)
                };
                let result = std::panic::catch_unwind(|| run_in_parallel(jobs, 10, work, &mut |_| ()));
                assert!(result.is_err(), "jobs {jobs}, bad {bad}");
            }
        }
    }
}
