//! Which of many inputs the validators accept.
//!
//! A validator is a program, and most of what is enumerated or left out of an input may be nothing that it accepts. So it
//! is asked about several inputs in one file as long as that goes well, about each alone where it does not, and about as
//! many files at a time as there are workers. The programs then run only what is accepted, and all of it together.

use super::inputs::Inputs;
use super::parallel::run_in_parallel;
use crate::diagnostic::Result;
use std::ops::Range;

/// So many are in one file at first, and at most.
const FIRST: usize = 4;
const MOST: usize = 64;

/// The positions of those of `count` inputs that all validators accept. `file` puts a range of them into one file, if
/// they can be in one.
///
/// # Errors
/// If a validator fails.
pub(super) fn accepted(
    inputs: &Inputs<'_>,
    count: usize,
    jobs: usize,
    file: &(dyn Fn(Range<usize>) -> Option<Vec<u8>> + Sync),
) -> Result<Vec<usize>> {
    if inputs.validators.is_empty() {
        return Ok((0..count).collect());
    }
    let (mut kept, mut at, mut size) = (Vec::new(), 0, FIRST);
    while at < count {
        let groups = next_groups(at, count, size, jobs);
        at = groups.last().map_or(count, |last| last.end);
        let mut all_went_well = true;
        for (group, fine) in groups.iter().zip(side_by_side(inputs, &groups, file)?) {
            if fine {
                kept.extend(group.clone());
            } else if group.len() > 1 {
                all_went_well = false;
                kept.extend(one_by_one(inputs, group, jobs, file)?);
            }
        }
        size = if all_went_well { (size * 2).min(MOST) } else { (size / 2).max(1) };
    }
    Ok(kept)
}

/// A range for each worker, from one position on.
fn next_groups(at: usize, count: usize, size: usize, jobs: usize) -> Vec<Range<usize>> {
    let starts = (at..count).step_by(size.max(1)).take(jobs.max(1));
    starts.map(|start| start..(start + size).min(count)).collect()
}

fn one_by_one(
    inputs: &Inputs<'_>,
    group: &Range<usize>,
    jobs: usize,
    file: &(dyn Fn(Range<usize>) -> Option<Vec<u8>> + Sync),
) -> Result<Vec<usize>> {
    let mut kept = Vec::new();
    let mut at = group.start;
    while at < group.end {
        let singles = next_groups(at, group.end, 1, jobs);
        at += singles.len();
        let fine = side_by_side(inputs, &singles, file)?;
        kept.extend(singles.iter().zip(fine).filter(|(_, fine)| *fine).map(|(single, _)| single.start));
    }
    Ok(kept)
}

/// Whether each of some files is accepted.
fn side_by_side(
    inputs: &Inputs<'_>,
    groups: &[Range<usize>],
    file: &(dyn Fn(Range<usize>) -> Option<Vec<u8>> + Sync),
) -> Result<Vec<bool>> {
    let one = |group: &Range<usize>| match file(group.clone()) {
        Some(input) => Ok(inputs.refusal(&input)?.is_none()),
        None => Ok(false),
    };
    run_in_parallel(groups.len(), groups.len(), |group| one(&groups[group]), &mut |_| ())
}
