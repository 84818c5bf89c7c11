//! Corners, and on which side of a line they lie. Coordinates of up to 10^18 are exact.

use std::cmp::Ordering;

/// A corner, as its two coordinates.
pub type Corner = (i128, i128);

pub(super) fn vector_between(from: Corner, to: Corner) -> Corner {
    (to.0 - from.0, to.1 - from.1)
}

/// Returns `Greater` if the second vector is on the left of the first one, and `Equal` if they are on one line.
pub(super) fn turn_between(one: Corner, other: Corner) -> Ordering {
    (one.0 * other.1).cmp(&(one.1 * other.0))
}

/// Returns `Greater` if a way over three corners turns left, and `Equal` if they are on one line.
pub(super) fn turn_at(before: Corner, corner: Corner, after: Corner) -> Ordering {
    turn_between(vector_between(before, corner), vector_between(corner, after))
}

/// Returns `Greater` if two vectors on one line have the same direction.
pub(super) fn compare_directions(one: Corner, other: Corner) -> Ordering {
    (one.0 * other.0 + one.1 * other.1).cmp(&0)
}

/// Compares vectors by their angles, counterclockwise from the right. None of them is zero.
pub(super) fn compare_angles(one: &Corner, other: &Corner) -> Ordering {
    let is_lower = |vector: &Corner| (vector.1, vector.0) < (0, 0);
    is_lower(one).cmp(&is_lower(other)).then_with(|| turn_between(*other, *one))
}

/// Returns true if two line segments have a common point.
pub(super) fn have_common_point((a, b): (Corner, Corner), (c, d): (Corner, Corner)) -> bool {
    let overlap = |(p, q): (i128, i128), (r, s): (i128, i128)| p.max(q) >= r.min(s) && r.max(s) >= p.min(q);
    let sides = |from, to, one, other| {
        let (one, other) = (turn_at(from, to, one), turn_at(from, to, other));
        one != other || one == Ordering::Equal
    };
    overlap((a.0, b.0), (c.0, d.0)) && overlap((a.1, b.1), (c.1, d.1)) && sides(a, b, c, d) && sides(c, d, a, b)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn segments_that_cross_or_touch_have_a_common_point() {
        let cases = [
            (((0, 0), (2, 2)), ((0, 2), (2, 0)), true),
            (((0, 0), (2, 2)), ((1, 1), (5, 0)), true),
            (((0, 0), (2, 2)), ((2, 2), (3, 0)), true),
            (((0, 0), (3, 0)), ((1, 0), (2, 0)), true),
            (((0, 0), (3, 0)), ((4, 0), (5, 0)), false),
            (((0, 0), (3, 0)), ((0, 1), (3, 1)), false),
            (((0, 0), (4, 4)), ((3, 2), (9, 0)), false),
        ];
        for (one, other, expected) in cases {
            assert_eq!(have_common_point(one, other), expected, "{one:?} {other:?}");
            assert_eq!(have_common_point((other.1, other.0), one), expected, "{other:?} {one:?}");
        }
    }

    #[test]
    fn angles_are_in_counterclockwise_order() {
        let around = [(5, 0), (3, 1), (0, 2), (-1, 1), (-7, 0), (-1, -1), (0, -3), (2, -1)];
        assert!(around.windows(2).all(|pair| compare_angles(&pair[0], &pair[1]) == Ordering::Less));
        assert_eq!(compare_angles(&(2, 4), &(1, 2)), Ordering::Equal);
    }
}
