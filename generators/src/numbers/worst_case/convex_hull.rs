//! Points of which as many as possible are corners of their convex hull, as two columns.

use crate::choices::Choices;
use crate::numbers::SequenceRequirements;

/// The points of a parabola: one column rises in single steps, the other one has the squares. The draws of the two columns
/// must differ. If the range is too small for that many squares, the other points are inside.
pub(super) fn parabola_values(c: &mut Choices, s: &SequenceRequirements<'_>) -> Vec<i128> {
    let is_square = c.draw_chance(1, 2);
    let width = s.hi.saturating_sub(s.lo).max(0);
    let half = width.isqrt().min(s.len as i128 / 2 + 1);
    let corners = 2 * half + 1;
    (0..s.len as i128)
        .map(|place| {
            let (rank, above) = if place < corners {
                (place, 0)
            } else {
                // Above the lower half of the parabola, each row of points higher than the one before.
                let inside = place - corners;
                (half / 2 + inside % (half + 1), 1 + inside / (half + 1))
            };
            let offset = if is_square { (rank - half) * (rank - half) + above } else { rank };
            s.lo + offset.min(width)
        })
        .collect()
}
