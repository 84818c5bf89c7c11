//! Exhaustive search over the values of one structure, where they are few.
//!
//! The last pass tries every way to share a smaller distance among the leaves, simplest first. It finds values
//! that no single move leads to: `ababa` and `aabaa` differ in three letters. Only complete totals are tried,
//! as long as they have few ways.

use super::values::{movable_leaves, with_changes};
use crate::shrink::oracle::ShrinkStopped;
use crate::shrink::search::{ShrinkSearch, ValueLeaf};
use crate::tuning::{MAX_EXHAUSTIVE_CANDIDATES, MAX_NEAREST};
use crate::value::Value;

/// Tries all values with a smaller distance, or the same.
pub(super) fn try_all_values(search: &mut ShrinkSearch<'_, '_>) -> Result<(), ShrinkStopped> {
    let all = movable_leaves(search);
    let far = |a: &ValueLeaf| (a.value - a.simplest).abs() > MAX_NEAREST && search.is_at_bound(a, a.value);
    if all.len() > MAX_EXHAUSTIVE_CANDIDATES || all.iter().any(far) {
        return Ok(());
    }
    let distance: i128 = all.iter().map(|a| (a.value - a.simplest).abs()).sum();
    let mut all_shares = Vec::new();
    for total in 0..=distance {
        let mut found = Vec::new();
        let few = enumerate_shares(
            &all,
            total,
            &mut Vec::new(),
            &mut found,
            MAX_EXHAUSTIVE_CANDIDATES.saturating_sub(all_shares.len()),
        );
        if !few {
            break;
        }
        all_shares.extend(found);
    }
    search.attempt_each(all_shares, |search, shares| [with_distances(search, &all, &shares)])?;
    Ok(())
}

fn with_distances(search: &ShrinkSearch<'_, '_>, all: &[ValueLeaf], shares: &[i128]) -> Value {
    let changes = all.iter().zip(shares).map(|(a, distance)| (a, a.simplest + distance));
    with_changes(search, changes)
}

/// Collects all ways to share a total among the leaves after `so_far`. Returns false if there are more than
/// `most`.
fn enumerate_shares(
    all: &[ValueLeaf],
    total: i128,
    so_far: &mut Vec<i128>,
    found: &mut Vec<Vec<i128>>,
    most: usize,
) -> bool {
    if found.len() > most {
        return false;
    }
    let left = all.len() - so_far.len();
    if left == 0 {
        found.extend((total == 0).then(|| so_far.clone()));
        return found.len() <= most;
    }
    let least = if left == 1 { total } else { 0 };
    (least..=total).all(|part| {
        so_far.push(part);
        let few = enumerate_shares(all, total - part, so_far, found, most);
        so_far.pop();
        few
    })
}
