//! Signs: values that cancel, one by one or in total.

use super::SequenceRequirements;
use crate::choices::Choices;

/// Returns the value that separates the signs: zero if the range allows both signs, else its middle.
fn sign_centre(s: &SequenceRequirements<'_>) -> i128 {
    if s.lo < 0 && s.hi > 0 { 0 } else { s.lo / 2 + s.hi / 2 }.clamp(s.lo, s.hi)
}

pub(super) fn alternating_sign_values(c: &mut Choices, s: &SequenceRequirements<'_>) -> Vec<i128> {
    let centre = sign_centre(s);
    let (below, above) = (centre.saturating_sub(1).max(s.lo), centre.saturating_add(1).min(s.hi));
    let mut up = c.draw_chance(1, 2);
    s.repeat_value(|| {
        up = !up;
        if up { c.draw_range(above, s.hi) } else { c.draw_range(s.lo, below) }
    })
}

pub(super) fn zero_sum_values(c: &mut Choices, s: &SequenceRequirements<'_>) -> Vec<i128> {
    let centre = sign_centre(s);
    let reach = s.hi.saturating_sub(centre).min(centre.saturating_sub(s.lo));
    let mut values = vec![centre; s.len];
    for pair in values.chunks_exact_mut(2) {
        let off = c.draw_range(0, reach);
        pair[0] = centre.saturating_add(off);
        pair[1] = centre.saturating_sub(off);
    }
    if c.draw_chance(1, 4) {
        let at = c.draw_index(s.len);
        values[at] = values[at].saturating_add(c.draw_range(-1, 1));
    }
    c.shuffle(&mut values);
    values
}
