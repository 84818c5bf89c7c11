//! Polygons that need not be convex: star-shaped ones, and ones that a vertical line crosses at most twice.

use super::convex::{Corner, compare_angles, turn_at, vector_between};
use super::{PolygonRequirements, thin_out};
use crate::choices::Choices;
use std::collections::HashSet;

/// Maximum number of draws for each of the different points.
const MAX_DRAWS_PER_POINT: usize = 4;

/// Draws the corners of a polygon that a vertical line crosses at most twice, counterclockwise.
pub(super) fn draw_monotone(c: &mut Choices, wanted: &PolygonRequirements) -> Option<Vec<Corner>> {
    order_around(draw_points(c, wanted, wanted.count))
}

/// The same with two or three values of the second coordinate, so that most angles are straight.
pub(super) fn draw_flat(c: &mut Choices, wanted: &PolygonRequirements) -> Option<Vec<Corner>> {
    let rows = c.draw_range(1, 2).min(wanted.y.1 - wanted.y.0);
    let lowest = c.draw_range(wanted.y.0, wanted.y.1 - rows);
    order_around(draw_points(c, &PolygonRequirements { y: (lowest, lowest + rows), ..*wanted }, wanted.count))
}

/// Returns points from left to right below the line from the leftmost to the rightmost one, and back above it.
fn order_around(mut points: Vec<Corner>) -> Option<Vec<Corner>> {
    points.sort_unstable();
    let (first, last) = (*points.first()?, *points.last()?);
    let (upper, mut corners): (Vec<Corner>, Vec<Corner>) =
        points.into_iter().partition(|point| turn_at(first, last, *point).is_gt());
    corners.extend(upper.into_iter().rev());
    Some(corners)
}

/// Draws the corners of teeth on a straight side, counterclockwise. The tips and the gaps are equal or random.
pub(super) fn draw_comb(c: &mut Choices, wanted: &PolygonRequirements) -> Option<Vec<Corner>> {
    let width = wanted.x.1.checked_sub(wanted.x.0)?;
    let (lowest, highest) = wanted.y;
    if width + 1 < wanted.count as i128 || lowest >= highest {
        return None;
    }
    let mut columns = c.draw_distinct(wanted.count, wanted.x.0, wanted.x.1);
    columns.sort_unstable_by(|one, other| other.cmp(one));
    let middle = lowest + (highest - lowest + 1) / 2;
    let is_even = c.draw_chance(1, 2);
    let corners = columns.into_iter().enumerate().map(|(at, x)| {
        let y = match at % 2 {
            _ if at == 0 || at + 1 == wanted.count => lowest,
            1 if is_even => highest,
            1 => c.draw_range(middle, highest),
            _ if is_even => lowest + 1,
            _ => c.draw_range(lowest + 1, middle),
        };
        (x, y)
    });
    // The straight side leads from the last corner, the leftmost one, to the first.
    Some(corners.collect())
}

/// Draws the corners of a polygon around a centre, from which all of them can be seen, counterclockwise.
pub(super) fn draw_star(c: &mut Choices, wanted: &PolygonRequirements) -> Option<Vec<Corner>> {
    let points = draw_points(c, wanted, wanted.count + wanted.count / 4 + 2);
    let centre = *c.pick_item(&points)?;
    let mut rays: Vec<Corner> =
        points.into_iter().filter(|point| *point != centre).map(|point| vector_between(centre, point)).collect();
    // Of several points in one direction, the nearest one remains.
    rays.sort_unstable_by(|one, other| compare_angles(one, other).then_with(|| length(one).cmp(&length(other))));
    rays.dedup_by(|one, other| compare_angles(one, other).is_eq());
    let corners = rays.into_iter().map(|ray| (centre.0 + ray.0, centre.1 + ray.1)).collect();
    thin_out(c, corners, wanted.count)
}

fn length(ray: &Corner) -> i128 {
    ray.0.abs().max(ray.1.abs())
}

/// Draws different points, fewer than asked for if the ranges are small.
fn draw_points(c: &mut Choices, wanted: &PolygonRequirements, count: usize) -> Vec<Corner> {
    let mut known = HashSet::with_capacity(count);
    let mut points = Vec::with_capacity(count);
    for _ in 0..count.saturating_mul(MAX_DRAWS_PER_POINT) {
        let point = (c.draw_range(wanted.x.0, wanted.x.1), c.draw_range(wanted.y.0, wanted.y.1));
        if known.insert(point) {
            points.push(point);
        }
        if points.len() == count {
            break;
        }
    }
    points
}
