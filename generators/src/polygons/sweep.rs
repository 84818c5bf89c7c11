//! A sweep over the sides of a polygon, which finds two of them with a common point.
//!
//! A vertical line moves from left to right and knows the sides that it crosses in their order (Shamos and Hoey, 1976).
//! Before it reaches the leftmost common point, its two sides are neighbours in that order; and two sides become
//! neighbours only where one of them begins or one between them ends. There they are compared.

use super::convex::{Corner, have_common_point, turn_at};
use std::cmp::Ordering;

/// Maximum number of sides in a part of the order, so that adding one moves few others.
const MAX_PART: usize = 512;

/// Returns the numbers of two sides that have a common point and are not neighbours, or `None` if there are none. Sides
/// are counted from 0 and begin at the corner with their number. No side has the length 0.
pub(super) fn find_common_point(corners: &[Corner]) -> Option<(usize, usize)> {
    // Sides that end at a corner never meet those that begin there, so a corner that is passed twice is found first.
    if let Some(sides) = find_repeated_corner(corners) {
        return Some(sides);
    }
    let sides = Sides { corners };
    let mut events: Vec<(Corner, bool, usize)> = (0..corners.len())
        .flat_map(|side| {
            let (left, right) = sides.ends(side);
            [(left, true, side), (right, false, side)]
        })
        .collect();
    // At one point, sides end before others begin: neighbours in the polygon do not meet in the order.
    events.sort_unstable();
    let mut order = SideOrder::default();
    events.into_iter().find_map(|(_, begins, side)| {
        let place = order.find_place(|other| sides.is_below(other, side));
        let (below, at_place) = order.around(place);
        if begins {
            order.insert(place, side);
            return sides.common_point(below, Some(side)).or_else(|| sides.common_point(Some(side), at_place));
        }
        let above = order.remove(place, side);
        sides.common_point(below, above)
    })
}

/// Returns the sides that begin at two equal corners.
fn find_repeated_corner(corners: &[Corner]) -> Option<(usize, usize)> {
    let mut sorted: Vec<(Corner, usize)> = corners.iter().enumerate().map(|(side, corner)| (*corner, side)).collect();
    sorted.sort_unstable();
    sorted.windows(2).find(|pair| pair[0].0 == pair[1].0).map(|pair| (pair[0].1, pair[1].1))
}

/// The sides of a polygon.
struct Sides<'c> {
    corners: &'c [Corner],
}

impl Sides<'_> {
    /// Returns the ends of a side in the order in which the sweep reaches them.
    fn ends(&self, side: usize) -> (Corner, Corner) {
        let (from, to) = (self.corners[side], self.corners[(side + 1) % self.corners.len()]);
        (from.min(to), from.max(to))
    }

    /// Returns true if a side is below another one, where both are crossed by the sweep at an end of the second one.
    fn is_below(&self, one: usize, other: usize) -> bool {
        let ((left, right), (begin, end)) = (self.ends(one), self.ends(other));
        // Two that begin at one point, or end there, are compared by their other ends.
        let turns = [turn_at(left, right, begin), turn_at(left, right, end)];
        let first = if begin >= left { turns } else { [turns[1], turns[0]] };
        one != other && first.into_iter().find(|turn| *turn != Ordering::Equal) == Some(Ordering::Greater)
    }

    /// Returns two sides if they have a common point and are not neighbours.
    fn common_point(&self, one: Option<usize>, other: Option<usize>) -> Option<(usize, usize)> {
        let (one, other) = one.zip(other)?;
        let distance = one.abs_diff(other);
        let are_neighbours = distance == 1 || distance + 1 == self.corners.len();
        let meet = !are_neighbours && have_common_point(self.ends(one), self.ends(other));
        meet.then_some((one.min(other), one.max(other)))
    }
}

/// The sides that the sweep crosses, from the lowest to the highest, in parts of limited length, none of them empty.
#[derive(Default)]
struct SideOrder {
    parts: Vec<Vec<usize>>,
}

/// A place in the order: a part, and a place in it. At the end of the order, it is behind the last side.
type Place = (usize, usize);

impl SideOrder {
    /// Returns the place behind all sides that are below another one.
    fn find_place(&self, is_below: impl Fn(usize) -> bool) -> Place {
        let part = self.parts.partition_point(|part| part.last().is_some_and(|last| is_below(*last)));
        match self.parts.get(part) {
            Some(sides) => (part, sides.partition_point(|side| is_below(*side))),
            None => self.parts.last().map_or((0, 0), |last| (self.parts.len() - 1, last.len())),
        }
    }

    /// Returns the sides before and at a place.
    fn around(&self, (part, at): Place) -> (Option<usize>, Option<usize>) {
        let sides = self.parts.get(part);
        let before = match at.checked_sub(1) {
            Some(before) => sides.and_then(|sides| sides.get(before)),
            None => part.checked_sub(1).and_then(|before| self.parts[before].last()),
        };
        (before.copied(), sides.and_then(|sides| sides.get(at)).copied())
    }

    fn insert(&mut self, (part, at): Place, side: usize) {
        if self.parts.is_empty() {
            self.parts.push(Vec::new());
        }
        self.parts[part].insert(at, side);
        if self.parts[part].len() > MAX_PART {
            let half = self.parts[part].split_off(MAX_PART / 2);
            self.parts.insert(part + 1, half);
        }
    }

    /// Removes a side, and returns the one above it. It is at this place, or near it if sides meet there.
    fn remove(&mut self, (part, at): Place, side: usize) -> Option<usize> {
        let is_here = self.around((part, at)).1 == Some(side);
        let place = if is_here { Some((part, at)) } else { self.search(side) };
        let (part, at) = place?;
        self.parts[part].remove(at);
        if self.parts[part].is_empty() {
            self.parts.remove(part);
            return self.parts.get(part).and_then(|sides| sides.first()).copied();
        }
        let above = self.parts[part].get(at).or_else(|| self.parts.get(part + 1).and_then(|sides| sides.first()));
        above.copied()
    }

    fn search(&self, side: usize) -> Option<Place> {
        let in_part = |(part, sides): (usize, &Vec<usize>)| Some((part, sides.iter().position(|one| *one == side)?));
        self.parts.iter().enumerate().find_map(in_part)
    }
}

#[cfg(test)]
mod tests {
    use super::super::convex::{compare_directions, turn_between, vector_between};
    use super::*;
    use crate::choices::Choices;

    /// Compares all pairs of sides.
    fn has_common_point(corners: &[Corner]) -> bool {
        let sides = Sides { corners };
        let pairs = (0..corners.len()).flat_map(|one| (0..one).map(move |other| (one, other)));
        pairs.into_iter().any(|(one, other)| sides.common_point(Some(one), Some(other)).is_some())
    }

    /// Returns true if a side has no length or goes back on the one before it: that is checked before the sweep.
    fn has_degenerate_corner(corners: &[Corner]) -> bool {
        (0..corners.len()).any(|at| {
            let [a, b, c] = [0, 1, 2].map(|ahead| corners[(at + ahead) % corners.len()]);
            let (one, other) = (vector_between(a, b), vector_between(b, c));
            a == b || turn_between(one, other).is_eq() && compare_directions(one, other).is_lt()
        })
    }

    #[test]
    fn the_sweep_agrees_with_all_pairs() {
        let mut c = Choices::from_seed(7, 0);
        let (mut crossing, mut simple) = (0, 0);
        for round in 0..30_000 {
            let (count, width) = (c.draw_range(3, 9) as usize, [2, 3, 5, 100][round % 4]);
            let corners: Vec<Corner> = (0..count).map(|_| (c.draw_range(0, width), c.draw_range(0, width))).collect();
            if has_degenerate_corner(&corners) {
                continue;
            }
            let expected = has_common_point(&corners);
            assert_eq!(find_common_point(&corners).is_some(), expected, "{corners:?}");
            if expected { crossing += 1 } else { simple += 1 }
        }
        assert!(crossing > 1_000 && simple > 1_000, "{crossing} {simple}");
    }

    #[test]
    fn long_orders_are_split() {
        // A comb: all teeth are crossed by the same vertical lines.
        let teeth = 3 * MAX_PART as i128;
        let tip = |tooth: i128| [(0, 2 * tooth), (1_000, 2 * tooth + 1)];
        let mut corners: Vec<Corner> = (0..teeth).flat_map(tip).collect();
        corners.push((-5, 2 * teeth));
        assert_eq!(find_common_point(&corners), None);
        corners.push((500, 2 * teeth - 40));
        assert!(find_common_point(&corners).is_some());
    }
}
