//! Determines which of many inputs the validators accept.
//!
//! Validators are programs, and they may refuse most of the enumerated or shrunk inputs. So inputs are validated in
//! batches as long as the batches are accepted, and individually otherwise, as many files at a time as there are
//! workers. Submissions are then run only on accepted inputs, all of them batched.

use super::input_source::InputSource;
use crate::parallel::run_in_parallel;
use crate::tuning::{INITIAL_VALIDATED_INPUTS, MAX_VALIDATED_INPUTS};
use rebut_diagnostics::Result;
use std::ops::Range;

/// Returns the positions of those of `count` inputs that all validators accept. `file` packs a range of them into one
/// file, if possible.
///
/// # Errors
/// Returns an error if a validator fails.
pub(crate) fn filter_accepted(
    inputs: &InputSource<'_>,
    count: usize,
    jobs: usize,
    file: &(dyn Fn(Range<usize>) -> Option<Vec<u8>> + Sync),
) -> Result<Vec<usize>> {
    if inputs.validators.is_empty() {
        return Ok((0..count).collect());
    }
    let (mut kept, mut at, mut size) = (Vec::new(), 0, INITIAL_VALIDATED_INPUTS);
    while at < count {
        let groups = split_into_batches(at, count, size, jobs);
        at = groups.last().map_or(count, |last| last.end);
        let mut all_accepted = true;
        for (group, is_accepted) in groups.iter().zip(validate_in_parallel(inputs, &groups, file)?) {
            if is_accepted {
                kept.extend(group.clone());
            } else if group.len() > 1 {
                all_accepted = false;
                kept.extend(filter_one_by_one(inputs, group, jobs, file)?);
            }
        }
        size = if all_accepted { (size * 2).min(MAX_VALIDATED_INPUTS) } else { (size / 2).max(1) };
    }
    Ok(kept)
}

/// Returns a range for each worker, starting at a position.
fn split_into_batches(at: usize, count: usize, size: usize, jobs: usize) -> Vec<Range<usize>> {
    let starts = (at..count).step_by(size.max(1)).take(jobs.max(1));
    starts.map(|start| start..(start + size).min(count)).collect()
}

/// Returns the positions of the inputs of a refused batch that all validators accept individually.
fn filter_one_by_one(
    inputs: &InputSource<'_>,
    group: &Range<usize>,
    jobs: usize,
    file: &(dyn Fn(Range<usize>) -> Option<Vec<u8>> + Sync),
) -> Result<Vec<usize>> {
    let mut kept = Vec::new();
    let mut at = group.start;
    while at < group.end {
        let singles = split_into_batches(at, group.end, 1, jobs);
        at += singles.len();
        let decisions = validate_in_parallel(inputs, &singles, file)?;
        let accepted = singles.iter().zip(decisions).filter(|(_, is_accepted)| *is_accepted);
        kept.extend(accepted.map(|(single, _)| single.start));
    }
    Ok(kept)
}

/// Validates files in parallel, and returns whether each is accepted.
fn validate_in_parallel(
    inputs: &InputSource<'_>,
    groups: &[Range<usize>],
    file: &(dyn Fn(Range<usize>) -> Option<Vec<u8>> + Sync),
) -> Result<Vec<bool>> {
    let validate = |group: &Range<usize>| match file(group.clone()) {
        Some(input) => Ok(inputs.validator_refusal(&input)?.is_none()),
        None => Ok(false),
    };
    run_in_parallel(groups.len(), groups.len(), |group| validate(&groups[group]), &mut |_| ())
}

#[cfg(test)]
mod tests {
    use super::*;
    #[test]
    fn batches_cover_the_inputs_in_order() {
        for (at, count, size, jobs) in [(0, 10, 3, 2), (6, 10, 3, 2), (9, 10, 1, 4), (0, 5, 100, 3), (0, 5, 0, 0)] {
            let batches = split_into_batches(at, count, size, jobs);
            assert!(batches.len() <= jobs.max(1));
            assert_eq!(batches[0].start, at);
            assert!(
                batches.windows(2).all(|pair| pair[0].end == pair[1].start && pair[0].len() == size),
                "{batches:?}"
            );
            assert!(batches.iter().all(|batch| batch.end <= count));
        }
        assert_eq!(split_into_batches(0, 10, 4, 3), [0..4, 4..8, 8..10]);
        assert!(split_into_batches(10, 10, 4, 3).is_empty());
    }
}
