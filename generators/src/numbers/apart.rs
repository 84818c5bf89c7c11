//! Makes values distinct while keeping them close to where a shape put them.
//!
//! Redrawing duplicates would wash the shape out. Moving each value up past its predecessor in sorted order keeps the
//! order of the values, so a sorted sequence stays sorted and a constant one becomes a block of neighbours.

/// Distinct values near `values`, in the same relative order; `values` themselves if the range is too small.
pub(super) fn move_apart(mut values: Vec<i128>, lo: i128, hi: i128) -> Vec<i128> {
    let needed = values.len().saturating_sub(1) as u128;
    if hi.abs_diff(lo) < needed {
        return values;
    }
    let order = ascending(&values, lo, hi);
    push_up(&mut values, &order);
    push_down(&mut values, &order, hi);
    values
}

/// The places of the values in ascending order, equal ones from left to right. Most ranges fit 64 bits, and sorting
/// keys of that size is twice as fast.
fn ascending(values: &[i128], lo: i128, hi: i128) -> Vec<usize> {
    let offsets = values.iter().map(|value| value.abs_diff(lo));
    if u64::try_from(hi.abs_diff(lo)).is_ok() { sort(offsets.map(|offset| offset as u64)) } else { sort(offsets) }
}

fn sort<K: Ord>(keys: impl Iterator<Item = K>) -> Vec<usize> {
    let mut places: Vec<(K, usize)> = keys.zip(0..).collect();
    places.sort_unstable();
    places.into_iter().map(|(_, place)| place).collect()
}

/// Lifts each value above the one before it in `order`.
fn push_up(values: &mut [i128], order: &[usize]) {
    for pair in order.windows(2) {
        let above = values[pair[0]].saturating_add(1);
        values[pair[1]] = values[pair[1]].max(above);
    }
}

/// Lowers the values that were lifted out of the range, and makes room below them, from the top.
fn push_down(values: &mut [i128], order: &[usize], hi: i128) {
    let mut ceiling = hi;
    for index in order.iter().rev() {
        values[*index] = values[*index].min(ceiling);
        ceiling = values[*index].saturating_sub(1);
    }
}
