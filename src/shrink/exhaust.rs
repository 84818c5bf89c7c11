//! All values on one structure, where they are few.
//!
//! The last word where little is left: every way to share out a smaller distance among the atoms, the simplest first.
//! It finds what no single move leads to: `ababa` and `aabaa` differ in three letters. Only whole totals are tried, and
//! only while there are few of them.

use super::search::{Search, Stopped};
use super::values::{Atom, NEAREST, atoms, with};
use crate::value::Value;

/// So many inputs are tried at most.
const MOST: usize = 32;

/// Tries everything of a smaller distance, or of the same.
pub(super) fn exhaust(search: &mut Search<'_, '_>) -> Result<(), Stopped> {
    let all = atoms(search);
    let far = |a: &Atom| (a.value - a.simplest).abs() > NEAREST && search.is_bounded(a, a.value);
    if all.len() > MOST || all.iter().any(far) {
        return Ok(());
    }
    let distance: i128 = all.iter().map(|a| (a.value - a.simplest).abs()).sum();
    let mut all_ways = Vec::new();
    for total in 0..=distance {
        let mut ways = Vec::new();
        let few = share(&all, total, &mut Vec::new(), &mut ways, MOST.saturating_sub(all_ways.len()));
        if !few {
            break;
        }
        all_ways.extend(ways);
    }
    search.attempt_each(all_ways, |search, way| [changed(search, &all, &way)])?;
    Ok(())
}

fn changed(search: &Search<'_, '_>, all: &[Atom], way: &[i128]) -> Value {
    let changes: Vec<(&Atom, i128)> = all.iter().zip(way).map(|(a, distance)| (a, a.simplest + distance)).collect();
    with(search, &changes)
}

/// All ways to share a total among the atoms behind those that have their part; false if there are more than `most`.
fn share(all: &[Atom], total: i128, so_far: &mut Vec<i128>, found: &mut Vec<Vec<i128>>, most: usize) -> bool {
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
        let few = share(all, total - part, so_far, found, most);
        so_far.pop();
        few
    })
}
