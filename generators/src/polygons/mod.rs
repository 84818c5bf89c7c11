//! Polygons: random ones with given properties, and the check whether corners make one.
//!
//! Corners that are drawn independently of each other hardly ever make a polygon: two of its sides cross. So polygons
//! are constructed: convex ones from vectors in the order of their angles, star-shaped ones around a centre, and
//! others from points that are ordered from left to right.

mod convex;
mod faults;
mod simple;
mod sweep;

use crate::choices::Choices;
use crate::shape_family::Shape;
pub use convex::Corner;
use convex::draw_convex;
pub use faults::{PolygonFault, find_polygon_fault, polygon_properties};
use simple::{draw_comb, draw_flat, draw_monotone, draw_star};

/// Maximum number of polygons that are drawn until one has all properties: on small grids, most have not.
const MAX_ATTEMPTS: usize = 12;

/// Properties of a polygon. The sides of each polygon have no common point but the corner between two neighbours, and none
/// has the length 0.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct PolygonProperties {
    /// No angle inside is larger than a straight one.
    pub is_convex: bool,
    /// No angle is straight: three corners in a row are never on a line.
    pub no_straight_angles: bool,
    /// The order of the corners, if it is not free.
    pub turning: Option<Turning>,
}

/// The order of the corners of a polygon, with the first axis to the right and the second one upward.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Turning {
    /// The inside is on the right of each side.
    Clockwise,
    /// The inside is on the left of each side.
    Counterclockwise,
}

/// The size of a polygon and its properties.
#[derive(Debug, Clone, Copy)]
pub struct PolygonRequirements {
    /// Number of corners.
    pub count: usize,
    /// The smallest and the largest first coordinate; at most 10^18 from zero.
    pub x: (i128, i128),
    /// The smallest and the largest second coordinate; at most 10^18 from zero.
    pub y: (i128, i128),
    /// Its properties.
    pub properties: PolygonProperties,
}

/// A named way to generate a polygon.
pub type PolygonShape = Shape<fn(&mut Choices, &PolygonRequirements) -> Option<Vec<Corner>>>;

/// All shapes of polygons. The first is the default. A polygon that must be convex has the last one.
pub const POLYGON_SHAPES: &[PolygonShape] = &[
    Shape::new("uniform", "corners anywhere, crossed at most twice by vertical lines", draw_monotone),
    Shape::new("star", "all corners can be seen from one point", draw_star),
    Shape::new("comb", "teeth on a straight side", draw_comb),
    Shape::new("flat", "two or three values of the second coordinate", draw_flat),
    Shape::new("convex", "no angle larger than a straight one", draw_convex),
];

impl PolygonShape {
    /// Draws the corners of a polygon in their order, beginning at any of them. Returns `None` if none is found, as where
    /// the ranges are too small for so many corners. A polygon that must be convex is, whatever the shape.
    #[must_use]
    pub fn draw_corners(&self, c: &mut Choices, wanted: &PolygonRequirements) -> Option<Vec<Corner>> {
        let make = if wanted.properties.is_convex { draw_convex } else { self.draw };
        (0..MAX_ATTEMPTS).find_map(|_| {
            let mut corners = make(c, wanted).filter(|corners| corners.len() == wanted.count)?;
            turn_around(c, &mut corners, wanted.properties.turning);
            find_polygon_fault(&corners, &wanted.properties).is_none().then_some(corners)
        })
    }
}

/// Brings corners into the wanted order, or into any, beginning at any of them.
fn turn_around(c: &mut Choices, corners: &mut [Corner], turning: Option<Turning>) {
    let is_reversed = match turning {
        Some(turning) => turning == Turning::Clockwise,
        None => c.draw_chance(1, 2),
    };
    if is_reversed {
        corners.reverse();
    }
    let first = c.draw_index(corners.len());
    corners.rotate_left(first);
}

/// Removes random elements until `count` are left. Returns `None` if there are fewer.
fn thin_out<T>(c: &mut Choices, mut items: Vec<T>, count: usize) -> Option<Vec<T>> {
    let mut surplus = items.len().checked_sub(count)?;
    let mut left = items.len();
    items.retain(|_| {
        // Each of the remaining ones is as likely to be removed as any other.
        let is_removed = c.draw_below(left as u64) < surplus as u64;
        surplus -= usize::from(is_removed);
        left -= 1;
        !is_removed
    });
    Some(items)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn requirements(count: usize, width: i128, properties: PolygonProperties) -> PolygonRequirements {
        PolygonRequirements { count, x: (-width, width), y: (0, width), properties }
    }

    #[test]
    fn polygons_have_the_required_properties() {
        let turnings = [None, Some(Turning::Clockwise), Some(Turning::Counterclockwise)];
        for case in 0..60 {
            let properties = PolygonProperties {
                is_convex: case % 2 == 1,
                no_straight_angles: case / 2 % 2 == 1,
                turning: turnings[case / 4 % 3],
            };
            let shape = &POLYGON_SHAPES[case % POLYGON_SHAPES.len()];
            for (count, width) in [(3, 4), (4, 2), (6, 20), (40, 1_000), (300, 1_000_000_000_000_000_000)] {
                let wanted = requirements(count, width, properties);
                let Some(corners) = shape.draw_corners(&mut Choices::from_seed(case as u64, count as u64), &wanted)
                else {
                    // A flat polygon has straight angles.
                    assert!(shape.name == "flat" && properties.no_straight_angles, "{count} {shape:?} {properties:?}");
                    continue;
                };
                assert_eq!(corners.len(), count);
                assert_eq!(find_polygon_fault(&corners, &properties), None, "{corners:?}");
                let fits = |value: i128, (lo, hi): (i128, i128)| (lo..=hi).contains(&value);
                assert!(corners.iter().all(|(x, y)| fits(*x, wanted.x) && fits(*y, wanted.y)), "{corners:?}");
            }
        }
    }

    #[test]
    fn small_grids_are_filled_as_far_as_possible() {
        let square = requirements(4, 1, PolygonProperties { is_convex: true, ..PolygonProperties::default() });
        let narrow = PolygonRequirements { x: (0, 1), y: (0, 1), ..square };
        assert!(
            (0..20).all(|seed| POLYGON_SHAPES[0].draw_corners(&mut Choices::from_seed(seed, 0), &narrow).is_some())
        );
        let draw = |wanted| POLYGON_SHAPES[0].draw_corners(&mut Choices::from_seed(1, 0), &wanted);
        assert_eq!(draw(PolygonRequirements { count: 5, ..narrow }), None);
        assert_eq!(draw(PolygonRequirements { count: 2, ..narrow }), None);
        assert_eq!(draw(PolygonRequirements { y: (3, 3), ..narrow }), None);
    }

    #[test]
    fn many_corners_take_moments() {
        for shape in POLYGON_SHAPES {
            let wanted = requirements(100_000, 1_000_000_000, PolygonProperties::default());
            assert!(shape.draw_corners(&mut Choices::from_seed(5, 5), &wanted).is_some(), "{}", shape.name);
        }
    }
}
