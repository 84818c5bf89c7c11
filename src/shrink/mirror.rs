//! All numbers on the other side of their simplest.
//!
//! A product of two negative numbers stays the same only if both change their sign; one at a time none can.

use super::search::{Search, Stopped};
use super::values::{Atom, atoms, with};
use crate::format::FieldId;

/// Mirrors the numbers of each field, and those of all fields together.
pub(super) fn mirror(search: &mut Search<'_, '_>) -> Result<(), Stopped> {
    let all = atoms(search);
    let mut fields: Vec<Option<FieldId>> = vec![None];
    for atom in all.iter().filter(|a| a.value < a.simplest) {
        if !fields.contains(&Some(atom.field)) {
            fields.push(Some(atom.field));
        }
    }
    if fields.len() == 1 {
        return Ok(());
    }
    for field in fields {
        let all = atoms(search);
        let chosen = all.iter().filter(|a| field.is_none_or(|f| a.field == f) && may_be_below(search, a));
        let changes: Vec<(&Atom, i128)> = chosen.map(|a| (a, 2 * a.simplest - a.value)).collect();
        let candidate = with(search, &changes);
        search.attempt(candidate)?;
    }
    Ok(())
}

fn may_be_below(search: &Search<'_, '_>, atom: &Atom) -> bool {
    let field = search.format().field(atom.field);
    field.letters().is_none() && field.range.lo < atom.simplest
}
