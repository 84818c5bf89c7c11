//! Exchanges of two numbers wherever they occur, such as the names of two vertices.
//!
//! Numbers that only name something keep their meaning if two of them are exchanged everywhere, in all fields of
//! the same range.

use super::arrays::fields_bounded_by;
use super::values::{movable_numbers, with_changes};
use crate::language::Interval;
use crate::shrink::oracle::ShrinkStopped;
use crate::shrink::search::ShrinkSearch;
use crate::shrink::value_leaf::ValueLeaf;
use crate::tuning::{MAX_EXCHANGED_VALUES, MAX_TIED_LEAVES};
use crate::value::Value;
use std::collections::BTreeSet;

/// Exchanges each two numbers of a range, as long as that makes the input smaller.
pub(super) fn exchange_values(search: &mut ShrinkSearch<'_, '_>) -> Result<(), ShrinkStopped> {
    let all = movable_numbers(search);
    if all.len() > MAX_TIED_LEAVES {
        return Ok(());
    }
    let mut ranges: Vec<Interval> = Vec::new();
    for range in all.iter().map(|leaf| search.format().field(leaf.field).range) {
        if !ranges.contains(&range) {
            ranges.push(range);
        }
    }
    for range in ranges {
        let values: BTreeSet<i128> = numbers_of_range(search, range).iter().map(|leaf| leaf.value).collect();
        if values.len() > MAX_EXCHANGED_VALUES {
            continue;
        }
        let pairs = values.iter().flat_map(|one| values.range(one + 1..).map(move |other| (*one, *other)));
        let pairs: Vec<(i128, i128)> = pairs.collect();
        while search.attempt_each(&pairs, |search, pair| [with_exchange(search, range, *pair)])? {}
    }
    Ok(())
}

fn numbers_of_range(search: &ShrinkSearch<'_, '_>, range: Interval) -> Vec<ValueLeaf> {
    // Numbers that limit others, such as the number of vertices, name nothing.
    let is_name = |leaf: &ValueLeaf| {
        search.format().field(leaf.field).range == range && fields_bounded_by(search.format(), leaf.field).is_empty()
    };
    movable_numbers(search).into_iter().filter(is_name).collect()
}

fn with_exchange(search: &ShrinkSearch<'_, '_>, range: Interval, (one, other): (i128, i128)) -> Value {
    let all = numbers_of_range(search, range);
    let exchanged = |leaf: &ValueLeaf| match leaf.value {
        value if value == one => Some(other),
        value if value == other => Some(one),
        _ => None,
    };
    let changes: Vec<(&ValueLeaf, i128)> = all.iter().filter_map(|leaf| Some((leaf, exchanged(leaf)?))).collect();
    with_changes(search, &changes)
}
