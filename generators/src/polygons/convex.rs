//! Convex polygons: vectors that sum to zero, in the order of their angles (Valtr, 1995).

use super::geometry::{Corner, compare_angles, compare_directions, turn_between};
use super::{PolygonRequirements, thin_out};
use crate::choices::Choices;

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
