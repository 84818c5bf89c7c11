//! Why corners make no polygon, or none with certain properties.

use super::convex::{Corner, compare_directions, turn_at, turn_between, vector_between};
use super::sweep::find_common_point;
use super::{PolygonProperties, Turning};
use std::cmp::Ordering;

/// Why corners make no polygon with certain properties. Corners and sides are counted from 0; a side begins at the
/// corner with its number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PolygonFault {
    /// There are fewer than three corners.
    TooFewCorners,
    /// The side has the length 0.
    NoLength(usize),
    /// Two sides have a common point that is no corner between them.
    CommonPoint(usize, usize),
    /// The angle at the corner is straight.
    StraightAngle(usize),
    /// The angle inside is larger than a straight one.
    ReflexAngle(usize),
    /// The corners are in the other order.
    WrongTurning,
}

/// Returns why these corners make no polygon with these properties, or `None` if they do. Coordinates are at most 10^18
/// from zero.
///
/// ```
/// use rebut_generators::{PolygonFault, PolygonProperties, find_polygon_fault};
///
/// let convex = PolygonProperties { is_convex: true, ..PolygonProperties::default() };
/// let arrow = [(0, 0), (4, 0), (1, 1), (0, 4)];
/// assert_eq!(find_polygon_fault(&arrow, &PolygonProperties::default()), None);
/// assert_eq!(find_polygon_fault(&arrow, &convex), Some(PolygonFault::ReflexAngle(2)));
/// ```
#[must_use]
pub fn find_polygon_fault(corners: &[Corner], properties: &PolygonProperties) -> Option<PolygonFault> {
    if corners.len() < 3 {
        return Some(PolygonFault::TooFewCorners);
    }
    let is_point = |side: &usize| corners[*side] == corners[next_corner(corners, *side)];
    (0..corners.len())
        .find(is_point)
        .map(PolygonFault::NoLength)
        .or_else(|| find_reversal(corners))
        .or_else(|| find_common_point(corners).map(|(one, other)| PolygonFault::CommonPoint(one, other)))
        .or_else(|| find_unwanted_angle(corners, properties))
}

/// Returns all properties that the polygon with these corners has, or `None` if they make none. Coordinates are at most
/// 10^18 from zero.
///
/// ```
/// use rebut_generators::{Turning, polygon_properties};
///
/// let square = polygon_properties(&[(0, 0), (1, 0), (1, 1), (0, 1)]).expect("a polygon");
/// assert!(square.is_convex && square.no_straight_angles);
/// assert_eq!(square.turning, Some(Turning::Counterclockwise));
/// ```
#[must_use]
pub fn polygon_properties(corners: &[Corner]) -> Option<PolygonProperties> {
    if find_polygon_fault(corners, &PolygonProperties::default()).is_some() {
        return None;
    }
    let turning = turning_of(corners);
    let has = |wanted: Ordering| turns(corners).any(|turn| turn == wanted);
    Some(PolygonProperties {
        is_convex: !has(reflex_turn(turning)),
        no_straight_angles: !has(Ordering::Equal),
        turning: Some(turning),
    })
}

/// Returns the turn at the corners whose angle inside is larger than a straight one.
fn reflex_turn(turning: Turning) -> Ordering {
    match turning {
        Turning::Counterclockwise => Ordering::Less,
        Turning::Clockwise => Ordering::Greater,
    }
}

fn next_corner(corners: &[Corner], at: usize) -> usize {
    if at + 1 == corners.len() { 0 } else { at + 1 }
}

fn turns(corners: &[Corner]) -> impl Iterator<Item = Ordering> {
    let before = |at: usize| corners[at.checked_sub(1).unwrap_or(corners.len() - 1)];
    (0..corners.len()).map(move |at| turn_at(before(at), corners[at], corners[next_corner(corners, at)]))
}

/// Returns two neighbouring sides of which the second one goes back on the first.
fn find_reversal(corners: &[Corner]) -> Option<PolygonFault> {
    let side = |at: usize| vector_between(corners[at], corners[next_corner(corners, at)]);
    let goes_back = |at: &usize| {
        let (one, other) = (side(*at), side(next_corner(corners, *at)));
        turn_between(one, other) == Ordering::Equal && compare_directions(one, other) == Ordering::Less
    };
    (0..corners.len()).find(goes_back).map(|at| PolygonFault::CommonPoint(at, next_corner(corners, at)))
}

/// Returns the first angle that the properties exclude, or that the corners are in the wrong order, of a polygon.
fn find_unwanted_angle(corners: &[Corner], properties: &PolygonProperties) -> Option<PolygonFault> {
    let own = turning_of(corners);
    let reflex = reflex_turn(own);
    let unwanted = |(at, turn): (usize, Ordering)| match turn {
        Ordering::Equal if properties.no_straight_angles => Some(PolygonFault::StraightAngle(at)),
        turn if properties.is_convex && turn == reflex => Some(PolygonFault::ReflexAngle(at)),
        _ => None,
    };
    let is_wrong = properties.turning.is_some_and(|turning| turning != own);
    turns(corners).enumerate().find_map(unwanted).or_else(|| is_wrong.then_some(PolygonFault::WrongTurning))
}

/// Returns the order of the corners of a polygon. At the leftmost corner, of these the lowest, the angle inside is smaller
/// than a straight one.
fn turning_of(corners: &[Corner]) -> Turning {
    let outermost = (0..corners.len()).min_by_key(|at| corners[*at]).unwrap_or(0);
    match turns(corners).nth(outermost) {
        Some(Ordering::Greater) => Turning::Counterclockwise,
        _ => Turning::Clockwise,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ANY: PolygonProperties = PolygonProperties { is_convex: false, no_straight_angles: false, turning: None };

    #[test]
    fn faults_are_found() {
        let cases: [(&[Corner], PolygonFault); 9] = [
            (&[(0, 0), (1, 0)], PolygonFault::TooFewCorners),
            (&[(0, 0), (1, 0), (1, 0), (0, 1)], PolygonFault::NoLength(1)),
            (&[(0, 0), (1, 0), (0, 1), (0, 0)], PolygonFault::NoLength(3)),
            (&[(0, 0), (2, 0), (4, 0)], PolygonFault::CommonPoint(1, 2)),
            (&[(0, 0), (2, 2), (2, 0), (0, 2)], PolygonFault::CommonPoint(0, 2)),
            // A corner on another side, and a corner that is passed twice.
            (&[(0, 0), (4, 0), (4, 4), (2, 0), (0, 4)], PolygonFault::CommonPoint(0, 2)),
            (&[(0, 0), (2, 2), (4, 0), (4, 4), (2, 2), (0, 4)], PolygonFault::CommonPoint(0, 3)),
            (&[(0, 0), (4, 0), (2, 0), (0, 4)], PolygonFault::CommonPoint(0, 1)),
            (&[(0, 0), (0, 4), (0, 2), (3, 1)], PolygonFault::CommonPoint(0, 1)),
        ];
        for (corners, fault) in cases {
            let found = find_polygon_fault(corners, &ANY);
            match fault {
                // Which pair of sides is found first depends on the order of the sweep.
                PolygonFault::CommonPoint(..) => {
                    assert!(matches!(found, Some(PolygonFault::CommonPoint(..))), "{corners:?}: {found:?}");
                }
                fault => assert_eq!(found, Some(fault), "{corners:?}"),
            }
        }
    }

    #[test]
    fn angles_and_order_matter_if_asked_for() {
        let pentagon = [(0, 0), (2, 0), (4, 0), (4, 3), (0, 3)];
        let convex = PolygonProperties { is_convex: true, ..ANY };
        let strict = PolygonProperties { no_straight_angles: true, ..convex };
        assert_eq!(find_polygon_fault(&pentagon, &convex), None);
        assert_eq!(find_polygon_fault(&pentagon, &strict), Some(PolygonFault::StraightAngle(1)));
        for (turning, is_right) in [(Turning::Clockwise, false), (Turning::Counterclockwise, true)] {
            let ordered = PolygonProperties { turning: Some(turning), ..convex };
            assert_eq!(find_polygon_fault(&pentagon, &ordered).is_none(), is_right);
            let reversed: Vec<Corner> = pentagon.iter().rev().copied().collect();
            assert_eq!(find_polygon_fault(&reversed, &ordered).is_none(), !is_right);
        }
    }

    #[test]
    fn the_largest_coordinates_are_exact() {
        let most = 1_000_000_000_000_000_000;
        let thin = [(-most, -most), (most, most - 1), (most, most), (0, 0)];
        assert_eq!(find_polygon_fault(&thin, &ANY), None);
        let strict = PolygonProperties { no_straight_angles: true, ..ANY };
        assert_eq!(find_polygon_fault(&thin, &strict), Some(PolygonFault::StraightAngle(3)));
    }
}
