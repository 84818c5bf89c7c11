//! Rows of numbers that must all differ.

use super::Worded;
use crate::format::{Expr, Over};
use crate::value::{self, Scope, Unknown, Value, both, each_occurrence};
use rebut_generators::all_differ;
use std::borrow::Cow;
use std::collections::HashSet;

/// The first row of elements that is equal to an earlier one. A column of a single number goes with every row.
pub(super) fn elements(parts: &[Expr], scope: &Scope<'_>) -> Worded {
    let mut columns: Vec<Cow<'_, [i128]>> = Vec::with_capacity(parts.len());
    let mut known = Ok(());
    for part in parts {
        known = both(known, column(part, scope).map(|column| columns.push(column))).map(|_| ());
    }
    match known {
        Ok(()) => {}
        // A part that is absent is so in every row.
        Err(Unknown::Absent(_) | Unknown::Empty) => return Ok(None),
        Err(unknown) => return Err(unknown),
    }
    let arrays = parts.iter().zip(&columns).filter(|(part, _)| value::is_array(part, scope));
    let count = arrays.map(|(_, column)| column.len()).max().unwrap_or(1);
    for (part, column) in parts.iter().zip(&mut columns) {
        match column.first().copied() {
            Some(single) if !value::is_array(part, scope) => column.to_mut().resize(count, single),
            _ if column.len() == count => {}
            _ => return Err(Unknown::Missing),
        }
    }
    Ok(first_repeated(&columns, count))
}

fn column<'v>(part: &Expr, scope: &Scope<'v>) -> Result<Cow<'v, [i128]>, Unknown> {
    let known = if let Expr::Field(field) = part { scope.field(*field) } else { None };
    match known {
        Some(Value::Ints(numbers)) => Ok(Cow::Borrowed(numbers)),
        _ => value::elements(part, scope).map(Cow::Owned),
    }
}

/// The first instance whose row is equal to that of an earlier one, by its number among all that are there. Instances of
/// which a part is absent are left out.
pub(super) fn instances(parts: &[Expr], over: Over, scope: &Scope<'_>) -> Worded {
    let mut columns = vec![Vec::new(); parts.len()];
    // The number of the instance that each row is of.
    let mut instances = Vec::new();
    let mut instance = 0;
    let known = each_occurrence(scope, over, &mut |_, scope| {
        instance += 1;
        let mut row = Ok(());
        for (part, column) in parts.iter().zip(&mut columns) {
            row = both(row, value::number(part, scope).map(|number| column.push(number))).map(|_| ());
        }
        match row {
            Ok(()) => instances.push(instance - 1),
            Err(unknown) => {
                columns.iter_mut().for_each(|column| column.truncate(instances.len()));
                if !matches!(unknown, Unknown::Absent(_) | Unknown::Empty) {
                    return Err(unknown);
                }
            }
        }
        Ok(())
    });
    let columns: Vec<Cow<'_, [i128]>> = columns.into_iter().map(Cow::Owned).collect();
    match first_repeated(&columns, instances.len()) {
        Some((row, words)) => Ok(Some((row.map(|row| instances[row]), words))),
        None => known.map(|()| None),
    }
}

fn first_repeated(columns: &[Cow<'_, [i128]>], count: usize) -> Option<(Option<usize>, String)> {
    let row = |i: usize| columns.iter().map(|column| column[i]).collect::<Vec<i128>>();
    if packed(columns, count).is_some_and(|(keys, span)| all_differ(&keys, span)) {
        return None;
    }
    let mut seen = HashSet::with_capacity(count);
    let at = (0..count).find(|i| !seen.insert(row(*i)))?;
    let text = row(at).iter().map(ToString::to_string).collect::<Vec<_>>().join(", ");
    Some((Some(at), format!("{text} occurs twice")))
}

/// Each row as one number, and the largest there can be; none if they are too large for that.
fn packed(columns: &[Cow<'_, [i128]>], count: usize) -> Option<(Vec<u64>, u64)> {
    let (mut keys, mut top) = (vec![0; count], 0_u64);
    for column in columns {
        let (least, most) = value::ends_of(column)?;
        let width = u64::try_from(most.abs_diff(least)).ok()?.checked_add(1)?;
        top = top.checked_mul(width)?.checked_add(width - 1)?;
        for (key, number) in keys.iter_mut().zip(column.iter()) {
            *key = *key * width + number.abs_diff(least) as u64;
        }
    }
    Some((keys, top))
}

#[cfg(test)]
mod tests {
    use super::*;
    use rebut_generators::Choices;

    #[test]
    fn the_first_row_that_repeats_is_found() {
        for seed in 0..3000 {
            let mut c = Choices::fresh(seed, 0);
            let top = c.log_range(1, 1 << 100);
            let (width, count) = (c.range(1, 3) as usize, c.range(0, 40) as usize);
            let column = |c: &mut Choices| (0..count).map(|_| c.range(-top, top)).collect::<Vec<i128>>();
            let columns: Vec<Cow<'_, [i128]>> = (0..width).map(|_| Cow::Owned(column(&mut c))).collect();
            let row = |i: usize| columns.iter().map(|column| column[i]).collect::<Vec<i128>>();
            let expected = (0..count).find(|i| (0..*i).any(|j| row(j) == row(*i)));
            let found = first_repeated(&columns, count).and_then(|(at, _)| at);
            assert_eq!(found, expected, "{columns:?}");
        }
    }
}
