//! Convex polygons: vectors that sum to zero, in the order of their angles (Valtr, 1995).

use super::{PolygonRequirements, thin_out};
use crate::choices::Choices;
use std::cmp::Ordering;

/// Draws the corners of a convex polygon, counterclockwise. Returns `None` if it has too few.
pub(super) fn draw_convex(c: &mut Choices, wanted: &PolygonRequirements) -> Option<Vec<Corner>> {
    // Vectors of the same direction become one side, so there are more of them than sides.
    let count = wanted.count + wanted.count / 4 + c.draw_index(4);
    let (x_start, xs) = draw_components(c, count, wanted.x);
    let (y_start, mut ys) = draw_components(c, count, wanted.y);
    c.shuffle(&mut ys);
    let mut vectors: Vec<Corner> = xs.into_iter().zip(ys).filter(|vector| *vector != (0, 0)).collect();
    vectors.sort_unstable_by(compare_angles);
    let mut corners = lay_end_to_end(&vectors, wanted.properties.no_straight_angles);
    move_to_ranges(&mut corners, (x_start, y_start));
    thin_out(c, corners, wanted.count)
}

/// Draws numbers that sum to zero: the distances on two ways between the smallest and the largest of some numbers.
/// Returns the smallest one, too.
fn draw_components(c: &mut Choices, count: usize, (lo, hi): (i128, i128)) -> (i128, Vec<i128>) {
    let mut numbers: Vec<i128> = (0..count).map(|_| c.draw_range(lo, hi)).collect();
    numbers.sort_unstable();
    let (Some(&first), Some(&last)) = (numbers.first(), numbers.last()) else { return (lo, Vec::new()) };
    let (mut there, mut back) = (first, first);
    let mut components = Vec::with_capacity(count);
    for number in &numbers[1..count - 1] {
        if c.draw_chance(1, 2) {
            components.push(number - there);
            there = *number;
        } else {
            components.push(back - number);
            back = *number;
        }
    }
    components.extend([last - there, back - last]);
    (first, components)
}

/// Returns the corners of the polygon with these sides, from the origin on. Sides of one direction are joined if angles
/// may not be straight.
fn lay_end_to_end(vectors: &[Corner], joins: bool) -> Vec<Corner> {
    let mut corners: Vec<Corner> = Vec::with_capacity(vectors.len());
    let (mut at, mut before) = ((0, 0), None);
    for vector in vectors {
        let continues = before
            .is_some_and(|before| turn_between(before, *vector).is_eq() && compare_directions(before, *vector).is_gt());
        if !(joins && continues) {
            corners.push(at);
        }
        at = (at.0 + vector.0, at.1 + vector.1);
        before = Some(*vector);
    }
    corners
}

/// Moves corners so that the smallest coordinates are these.
fn move_to_ranges(corners: &mut [Corner], (x, y): (i128, i128)) {
    let least = |of: fn(&Corner) -> i128| corners.iter().map(of).min().unwrap_or(0);
    let by = (x - least(|corner| corner.0), y - least(|corner| corner.1));
    corners.iter_mut().for_each(|corner| *corner = (corner.0 + by.0, corner.1 + by.1));
}

// Corners, and on which side of a line they lie. Coordinates of up to 10^18 are exact.

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
