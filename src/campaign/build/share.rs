//! Work shared among workers, its results in order.

use crate::diagnostic::Result;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc;

/// The results of so many pieces of work, done by so many workers, in the order of the pieces. `told` hears after each
/// how many are done.
///
/// # Errors
/// That of the first piece that failed; later ones are not begun then.
pub(super) fn share<T: Send>(
    jobs: usize,
    pieces: usize,
    work: impl Fn(usize) -> Result<T> + Sync,
    told: &mut dyn FnMut(usize),
) -> Result<Vec<T>> {
    let next = AtomicUsize::new(0);
    let (sender, receiver) = mpsc::channel::<(usize, Result<T>)>();
    let mut done = std::thread::scope(|scope| {
        for _ in 0..jobs.clamp(1, pieces.max(1)) {
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
            told(done.len());
        }
        done
    });
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
            let mut heard = Vec::new();
            assert_eq!(share(jobs, 100, Ok, &mut |done| heard.push(done)), Ok((0..100).collect()));
            assert_eq!(heard, (1..=100).collect::<Vec<_>>());
            assert_eq!(share(jobs, 0, Ok, &mut |_| ()), Ok(Vec::new()));
            let failing = |i: usize| if i == 7 { Err(Error::usage("seven")) } else { Ok(i) };
            assert_eq!(share(jobs, 100, failing, &mut |_| ()), Err(Error::usage("seven")));
        }
    }
}
