//! Runs work in parallel on scoped threads and returns the results in order.

use rebut_diagnostics::Result;
use std::cell::RefCell;
use std::convert::Infallible;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc;

/// A report while pieces are worked on.
pub(super) enum Progress<R> {
    /// A remark on a piece that is not finished.
    Remark(R),
    /// A piece is finished: the number of those that are.
    Finished(usize),
}

enum WorkerMessage<T, R> {
    Remark(R),
    Result(usize, Result<T>),
}

/// Like [`run_in_parallel_with_remarks`], for work without remarks.
///
/// # Errors
/// Returns the error of the first piece that failed.
pub(super) fn run_in_parallel<T: Send>(
    jobs: usize,
    pieces: usize,
    work: impl Fn(usize) -> Result<T> + Sync,
    on_progress: &mut dyn FnMut(usize),
) -> Result<Vec<T>> {
    run_in_parallel_with_remarks::<T, Infallible>(jobs, pieces, |piece, _| work(piece), &mut |progress| {
        let Progress::Finished(count) = progress;
        on_progress(count);
    })
}

/// Runs `work` on the numbers below `pieces` on up to `jobs` threads and returns the results in order. `on_progress` is
/// called on the calling thread after each piece, and with each remark that `work` passes to its second argument.
///
/// # Errors
/// Returns the error of the first piece that failed; later pieces may not have been started.
///
/// # Panics
/// Panics if `work` panics on any piece, since there is then no result for it.
pub(super) fn run_in_parallel_with_remarks<T: Send, R: Send>(
    jobs: usize,
    pieces: usize,
    work: impl Fn(usize, &dyn Fn(R)) -> Result<T> + Sync,
    on_progress: &mut dyn FnMut(Progress<R>),
) -> Result<Vec<T>> {
    if pieces <= 1 {
        let report = RefCell::new(on_progress);
        let remark = |remark| (report.borrow_mut())(Progress::Remark(remark));
        let finish = |piece| (report.borrow_mut())(Progress::Finished(piece + 1));
        return (0..pieces).map(|piece| work(piece, &remark).inspect(|_| finish(piece))).collect();
    }
    let next = AtomicUsize::new(0);
    let (sender, receiver) = mpsc::channel::<WorkerMessage<T, R>>();
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
                    // The receiver is gone only after a panic, which ends this loop below.
                    let remark = |remark| drop(sender.send(WorkerMessage::Remark(remark)));
                    let result = work(piece, &remark);
                    if result.is_err() {
                        next.fetch_max(pieces, Ordering::Relaxed);
                    }
                    if sender.send(WorkerMessage::Result(piece, result)).is_err() {
                        return;
                    }
                }
            });
        }
        drop(sender);
        let mut done = Vec::with_capacity(pieces);
        for message in receiver {
            match message {
                WorkerMessage::Remark(remark) => on_progress(Progress::Remark(remark)),
                WorkerMessage::Result(piece, result) => {
                    done.push((piece, result));
                    on_progress(Progress::Finished(done.len()));
                }
            }
        }
        done
    });
    done.sort_by_key(|(piece, _)| *piece);
    done.into_iter().map(|(_, result)| result).collect()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests")]

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
    fn remarks_come_before_the_end_of_their_piece() {
        for pieces in [1, 5] {
            let (mut remarked, mut finished) = (Vec::new(), 0);
            let work = |piece: usize, remark: &dyn Fn(usize)| {
                remark(piece);
                Ok(piece)
            };
            let on_progress = &mut |progress: Progress<usize>| match progress {
                Progress::Remark(piece) => remarked.push(piece),
                Progress::Finished(count) => {
                    finished = count;
                    assert!(remarked.len() >= count);
                }
            };
            run_in_parallel_with_remarks(2, pieces, work, on_progress).unwrap();
            remarked.sort_unstable();
            assert_eq!((remarked, finished), ((0..pieces).collect(), pieces));
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
