//! Signs: values that cancel, one by one or all together.

use super::Sequence;
use crate::choices::Choices;

/// The value around which signs are understood: zero where the range allows both signs, else its middle.
fn centre(s: &Sequence<'_>) -> i128 {
    if s.lo < 0 && s.hi > 0 { 0 } else { s.lo / 2 + s.hi / 2 }.clamp(s.lo, s.hi)
}

pub(super) fn alternating(c: &mut Choices, s: &Sequence<'_>) -> Vec<i128> {
    let centre = centre(s);
    let (below, above) = (centre.saturating_sub(1).max(s.lo), centre.saturating_add(1).min(s.hi));
    let mut up = c.chance(1, 2);
    s.each(|| {
        up = !up;
        if up { c.range(above, s.hi) } else { c.range(s.lo, below) }
    })
}

pub(super) fn zero_sum(c: &mut Choices, s: &Sequence<'_>) -> Vec<i128> {
    let centre = centre(s);
    let reach = s.hi.saturating_sub(centre).min(centre.saturating_sub(s.lo));
    let mut values = vec![centre; s.len];
    for pair in values.chunks_exact_mut(2) {
        let off = c.range(0, reach);
        pair[0] = centre.saturating_add(off);
        pair[1] = centre.saturating_sub(off);
    }
    if c.chance(1, 4) {
        let at = c.index(s.len);
        values[at] = values[at].saturating_add(c.range(-1, 1));
    }
    c.shuffle(&mut values);
    values
}
