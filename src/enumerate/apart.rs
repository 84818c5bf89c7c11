//! Elements that must all differ use up the distances around the simplest, so that those still to come cannot all be
//! near: without this, every order of the first numbers of a permutation is begun at every sum of distances below the
//! only possible one.

use super::leaf::Leaf;
use super::prefix::Prefix;
use super::walk::Walk;
use crate::value::{Value, number};

/// Wider ranges leave so much room that a bound helps little.
const WIDEST: i128 = 64;

/// What elements that must differ add to the sum of distances.
#[derive(Clone, Copy, Debug)]
pub(super) struct Apart {
    /// All that are to come, the next included: at least this.
    pub(super) nearest: u128,
    /// At most this.
    pub(super) farthest: u128,
}

impl Apart {
    /// The bounds for the array of the next leaf, if its elements must differ; none if there is nothing to say.
    pub(super) fn of(walk: &Walk<'_>, prefix: &Prefix, leaf: &Leaf) -> Option<Apart> {
        let info = walk.format.field(leaf.field);
        let [size] = &*info.dimensions else { return None };
        if !walk.plan.is_distinct(leaf.field) || leaf.range.hi - leaf.range.lo >= WIDEST {
            return None;
        }
        let (chosen, count) = prefix.with_innermost(walk.format, |scope| {
            let crate::format::Dimension::Size(size) = size else { return None };
            match (scope.slot(info.slot), number(size, scope)) {
                (Some(Value::Ints(chosen)), Ok(count)) => Some((chosen.clone(), count)),
                _ => None,
            }
        })?;
        let left = usize::try_from(count).ok()?.checked_sub(chosen.len())?;
        let mut distances: Vec<u128> = (leaf.range.lo..=leaf.range.hi)
            .filter(|number| !chosen.contains(number))
            .map(|number| number.abs_diff(info.range.simplest()))
            .collect();
        distances.sort_unstable();
        let nearest = if distances.len() < left { u128::MAX } else { distances.iter().take(left).sum() };
        let farthest: u128 = distances.iter().rev().take(left).sum();
        Some(Apart { nearest, farthest })
    }
}
