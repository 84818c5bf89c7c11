//! Which of `n` things are needed: the one routine for everything that can be left out.
//!
//! All of them; then the longest end and the longest beginning that can go, by halving; then all between the first
//! and the last that are left, since two are what most failures need; then sweeps from the right whose step doubles
//! while it succeeds, until a sweep finds nothing; and, when few are left, pairs, for things that can only go
//! together. Needs about `k log(n/k)` questions to find `k` needed things among `n`.

use super::search::Stopped;

/// Pairs are tried when at most so many things are left.
const PAIRS_UP_TO: usize = 14;

/// Of more things than this, all between the first and the last are tried; of fewer, the sweeps soon come to that.
const BETWEEN_FROM: usize = 4;

/// So many questions in a row about single things are asked in vain before a hasty sweep gives up.
const HASTE: usize = 32;

/// Deletes what is not needed, but gives up where one thing after the other cannot go alone: something else may have to
/// go along, and to ask about thousands of them can wait.
pub(super) fn hasty_sweep(
    count: usize,
    attempt: &mut dyn FnMut(&[usize]) -> Result<bool, Stopped>,
) -> Result<usize, Stopped> {
    sweep_with(count, HASTE, attempt)
}

/// Deletes what is not needed. `attempt` is given the positions to delete, counted among those that are still there,
/// and tells whether they could go. Returns how many are left.
pub(super) fn sweep(
    count: usize,
    attempt: &mut dyn FnMut(&[usize]) -> Result<bool, Stopped>,
) -> Result<usize, Stopped> {
    sweep_with(count, usize::MAX, attempt)
}

fn sweep_with(
    mut count: usize,
    patience: usize,
    attempt: &mut dyn FnMut(&[usize]) -> Result<bool, Stopped>,
) -> Result<usize, Stopped> {
    if count == 0 || attempt(&positions(0, count))? {
        return Ok(0);
    }
    count -= end(count, &mut |n, size| attempt(&positions(n - size, n)))?;
    count -= end(count, &mut |_, size| attempt(&positions(0, size)))?;
    if count > BETWEEN_FROM && attempt(&positions(1, count - 1))? {
        count = 2;
    }
    while large_stretches(&mut count, attempt)? {}
    loop {
        let before = count;
        count = one_sweep(count, 1, patience, attempt)?;
        if count == before {
            count = one_sweep(count, 2, patience, attempt)?;
        }
        if count == before && !one_pair(&mut count, attempt)? && !one_stretch(&mut count, patience, attempt)? {
            return Ok(count);
        }
    }
}

fn positions(from: usize, to: usize) -> Vec<usize> {
    (from..to).collect()
}

/// How many can go at one end: halves, then quarters, and so on.
fn end(count: usize, attempt: &mut dyn FnMut(usize, usize) -> Result<bool, Stopped>) -> Result<usize, Stopped> {
    let mut left = count;
    let mut size = count / 2;
    while size > 0 {
        if size <= left && attempt(left, size)? {
            left -= size;
        }
        size /= 2;
    }
    Ok(count - left)
}

/// Of very many things, quarters, eighths, and so on: where what is left out may be anything but has to fit by chance, such
/// as a check digit, one in ten of these can go as well as one in ten of single things. Whether any could.
fn large_stretches(
    count: &mut usize,
    attempt: &mut dyn FnMut(&[usize]) -> Result<bool, Stopped>,
) -> Result<bool, Stopped> {
    /// So many are very many.
    const FROM: usize = 64;
    /// The shortest of these are such a part of all.
    const PARTS: usize = 16;
    let before = *count;
    let mut parts = 4;
    while *count > FROM && parts <= PARTS {
        let (size, mut at) = (*count / parts, *count);
        while at > 0 {
            let from = at.saturating_sub(size);
            if attempt(&positions(from, at))? {
                *count -= at - from;
            }
            at = from;
        }
        parts *= 2;
    }
    Ok(*count < before)
}

/// From the right, in steps of at least `least`: two neighbours can often only go together.
fn one_sweep(
    mut count: usize,
    least: usize,
    patience: usize,
    attempt: &mut dyn FnMut(&[usize]) -> Result<bool, Stopped>,
) -> Result<usize, Stopped> {
    let mut at = count;
    let mut step = least;
    let mut vain = 0;
    while at >= least && vain < patience {
        let size = step.min(at);
        if attempt(&positions(at - size, at))? {
            count -= size;
            at -= size;
            step = size * 2;
            vain = 0;
        } else if size > least {
            step = (size / 2).max(least);
        } else {
            at -= 1;
            step = least;
            vain += 1;
        }
    }
    Ok(count)
}

fn one_pair(count: &mut usize, attempt: &mut dyn FnMut(&[usize]) -> Result<bool, Stopped>) -> Result<bool, Stopped> {
    if *count > PAIRS_UP_TO {
        return Ok(false);
    }
    for second in (1..*count).rev() {
        for first in (0..second).rev() {
            if attempt(&[first, second])? {
                *count -= 2;
                return Ok(true);
            }
        }
    }
    Ok(false)
}

/// Where much is left that cannot go by ones and twos, its number may have to keep a remainder: so some stretches of
/// other lengths are tried, and if one can go, all of that length. Nothing for a hasty sweep: this asks dozens of
/// times.
fn one_stretch(
    count: &mut usize,
    patience: usize,
    attempt: &mut dyn FnMut(&[usize]) -> Result<bool, Stopped>,
) -> Result<bool, Stopped> {
    /// Longer ones are left alone.
    const LONGEST: usize = 13;
    if patience < usize::MAX || *count <= PAIRS_UP_TO {
        return Ok(false);
    }
    for length in (3..=LONGEST).filter(|length| length + 1 < *count) {
        let middle = (*count - length) / 2;
        for from in [*count - length, 0, middle, *count - length - 1, 1] {
            if attempt(&positions(from, from + length))? {
                *count = one_sweep(*count - length, length, patience, attempt)?;
                return Ok(true);
            }
        }
    }
    Ok(false)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests")]
    use super::*;

    fn minimum(n: usize, fails: impl Fn(&[usize]) -> bool) -> (Vec<usize>, usize) {
        let mut left: Vec<usize> = (0..n).collect();
        let mut asked = 0;
        sweep(n, &mut |deleted| {
            asked += 1;
            let kept: Vec<usize> =
                left.iter().enumerate().filter(|(i, _)| !deleted.contains(i)).map(|(_, v)| *v).collect();
            let taken = fails(&kept);
            if taken {
                left = kept;
            }
            Ok(taken)
        })
        .unwrap();
        (left, asked)
    }

    #[test]
    fn keeps_just_what_is_needed() {
        for needed in [vec![], vec![0], vec![999], vec![500], vec![3, 4, 700], vec![0, 1, 2, 998, 999]] {
            let (left, asked) = minimum(1000, |kept| needed.iter().all(|n| kept.contains(n)));
            assert_eq!(left, needed);
            assert!(asked < 200, "{asked} questions for {needed:?}");
        }
    }

    #[test]
    fn pairs_go_together() {
        let (left, _) = minimum(10, |kept| kept.len() % 2 == 0 && kept.contains(&4));
        assert_eq!(left.len(), 2);
    }
}
