//! Numbers that determine a length together move together so that the length stays: of `c[r-l+1]`, `l` and `r` both
//! down; of `n + m`, one down and the other up.

use super::axes::{Axis, visit_axes};
use super::shared_sizes::{home_path, is_consistent, number_at};
use crate::language::{FieldId, LinearSum};
use crate::shrink::adaptive_step::step_adaptively;
use crate::shrink::oracle::ShrinkStopped;
use crate::shrink::search::ShrinkSearch;
use crate::value::Value;

/// Moves two numbers of a size so that the size stays, and the first one comes nearer to its simplest.
pub(super) fn shift_shared_sizes(search: &mut ShrinkSearch<'_, '_>) -> Result<(), ShrinkStopped> {
    visit_axes(search, &mut |search, axis| {
        let Axis::Shared { path, size } = axis else { return Ok(()) };
        let Some(sum) = LinearSum::from_expr(&size) else { return Ok(()) };
        for first in &sum.factors {
            for second in sum.factors.iter().filter(|second| second.0 != first.0 && second.1.abs() == 1) {
                shift_pair(search, &path, first, second)?;
            }
        }
        Ok(())
    })
}

fn shift_pair(
    search: &mut ShrinkSearch<'_, '_>,
    path: &[usize],
    (&first, factor): (&FieldId, &i128),
    (&second, other): (&FieldId, &i128),
) -> Result<bool, ShrinkStopped> {
    let format = search.format();
    let homes = [first, second].map(|field| home_path(format, path, field).to_vec());
    let now = |search: &ShrinkSearch<'_, '_>| {
        let number = |at: usize, field| number_at(format, search.best_value(), &homes[at], field);
        Some((number(0, first)?, number(1, second)?))
    };
    let simplest = format.field(first).range.simplest_value();
    let farthest = |search: &ShrinkSearch<'_, '_>| now(search).map_or(0, |(number, _)| (simplest - number).abs());
    let moved = |search: &ShrinkSearch<'_, '_>, step: i128| {
        let Some((number, partner)) = now(search) else { return Vec::new() };
        let by = step * (simplest - number).signum();
        // `other` is 1 or -1, so multiplying by it divides by it.
        let partner = partner - by * factor * other;
        let mut value = search.best_value().clone();
        for (home, field, number) in [(&homes[0], first, number + by), (&homes[1], second, partner)] {
            if let Some(place) = value.instance_at_mut(home).and_then(|slots| slots.get_mut(format.field(field).slot)) {
                *place = Value::Int(number);
            }
        }
        if is_consistent(format, &value) { vec![value] } else { Vec::new() }
    };
    step_adaptively(search, &farthest, &moved)
}
