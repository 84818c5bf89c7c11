//! Rows of numbers that must all differ.

use super::Worded;
use crate::format::{BlockId, Expr};
use crate::value::{self, Scope, Value};
use rebut_generators::all_differ;
use std::borrow::Cow;
use std::collections::HashSet;

/// The first row of elements that is equal to an earlier one. A column of a single number goes with every row.
pub(super) fn elements(parts: &[Expr], scope: &Scope<'_>) -> Worded {
    let mut columns: Vec<Cow<'_, [i128]>> = parts.iter().map(|part| column(part, scope)).collect::<Option<_>>()?;
    let count = columns.iter().map(|column| column.len()).max().unwrap_or(0);
    for column in columns.iter_mut().filter(|column| column.len() < count) {
        let single = column.first().copied()?;
        column.to_mut().resize(count, single);
    }
    first_repeated(&columns, count)
}

fn column<'v>(part: &Expr, scope: &Scope<'v>) -> Option<Cow<'v, [i128]>> {
    let known = if let Expr::Field(field) = part { scope.field(*field) } else { None };
    match known {
        Some(Value::Ints(numbers)) => Some(Cow::Borrowed(numbers)),
        _ => value::elements(part, scope).ok().map(Cow::Owned),
    }
}

/// The first instance of a block whose row is equal to that of an earlier one.
pub(super) fn instances(parts: &[Expr], block: BlockId, scope: &Scope<'_>) -> Worded {
    let (holder, instances) = scope.instances(block)?;
    let mut columns = vec![Vec::with_capacity(instances.len()); parts.len()];
    let mut count = 0;
    'rows: for instance in instances {
        let scope = holder.inner(block, instance);
        for (part, column) in parts.iter().zip(&mut columns) {
            let Ok(number) = value::number(part, &scope) else { break 'rows };
            column.push(number);
        }
        count += 1;
    }
    let columns: Vec<Cow<'_, [i128]>> = columns.into_iter().map(Cow::Owned).collect();
    first_repeated(&columns, count)
}

fn first_repeated(columns: &[Cow<'_, [i128]>], count: usize) -> Worded {
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
