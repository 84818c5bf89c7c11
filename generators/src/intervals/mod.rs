//! Shapes of intervals.
//!
//! The ends of random intervals rarely coincide, and nearly all pairs overlap. So random intervals do not reveal a
//! sweep that orders equal ends wrongly, a stack that expects nesting, or a quadratic loop over the points of each
//! interval.

mod overlapping;
mod separated;

use crate::choices::Choices;

/// The range of the intervals, and their number.
#[derive(Debug, Clone, Copy)]
struct IntervalRequirements {
    count: usize,
    lo: i128,
    hi: i128,
}

impl IntervalRequirements {
    fn repeat_interval(&self, mut interval: impl FnMut() -> (i128, i128)) -> Vec<(i128, i128)> {
        (0..self.count).map(|_| interval()).collect()
    }

    /// Draws `count` points in ascending order.
    fn sorted_points(&self, c: &mut Choices, count: usize) -> Vec<i128> {
        let mut points: Vec<i128> = (0..count).map(|_| c.draw_range(self.lo, self.hi)).collect();
        points.sort_unstable();
        points
    }

    /// Returns the largest distance between two points.
    fn max_distance(&self) -> i128 {
        self.hi.saturating_sub(self.lo)
    }
}

/// A named way to generate a list of intervals.
#[derive(Debug)]
pub struct IntervalShape {
    /// The name used in recipes.
    pub name: &'static str,
    /// A description of the intervals in one line.
    pub doc: &'static str,
    make: fn(&mut Choices, &IntervalRequirements) -> Vec<(i128, i128)>,
}

impl IntervalShape {
    /// Draws `count` intervals within `lo..=hi`, each given by its two ends, the smaller one first. They are in the
    /// order of the shape, in reverse, or in random order.
    #[must_use]
    pub fn draw_intervals(&self, c: &mut Choices, count: usize, lo: i128, hi: i128) -> Vec<(i128, i128)> {
        if count == 0 || lo >= hi {
            return vec![(lo, lo); count];
        }
        let mut intervals = (self.make)(c, &IntervalRequirements { count, lo, hi });
        intervals.resize(count, (lo, lo));
        for (left, right) in &mut intervals {
            (*left, *right) = ((*left).clamp(lo, hi), (*right).clamp(lo, hi));
            *right = (*right).max(*left);
        }
        match c.draw_weighted(&[2, 1, 3]) {
            0 => {}
            1 => intervals.reverse(),
            _ => c.shuffle(&mut intervals),
        }
        intervals
    }
}

/// All interval shapes. The first is the default. Each requires at least one interval and two points.
pub const INTERVAL_SHAPES: &[IntervalShape] = &[
    IntervalShape { name: "uniform", doc: "ends anywhere", make: overlapping::uniform_intervals },
    IntervalShape {
        name: "short",
        doc: "every order of magnitude of length equally likely",
        make: separated::short_intervals,
    },
    IntervalShape { name: "points", doc: "each is a single point", make: separated::point_intervals },
    IntervalShape { name: "disjoint", doc: "no two share a point", make: separated::disjoint_intervals },
    IntervalShape {
        name: "touching",
        doc: "each starts where the one before ends",
        make: separated::touching_intervals,
    },
    IntervalShape {
        name: "side-by-side",
        doc: "each starts right after the one before",
        make: separated::adjacent_intervals,
    },
    IntervalShape { name: "staircase", doc: "equal lengths and equal steps", make: separated::staircase_intervals },
    IntervalShape { name: "nested", doc: "each within the one before", make: overlapping::nested_intervals },
    IntervalShape {
        name: "crossing",
        doc: "every two overlap, and neither contains the other",
        make: overlapping::crossing_intervals,
    },
    IntervalShape {
        name: "common-point",
        doc: "one point that all share",
        make: overlapping::intervals_with_common_point,
    },
    IntervalShape {
        name: "common-end",
        doc: "all start, or all end, at the same bound",
        make: overlapping::intervals_with_common_end,
    },
    IntervalShape {
        name: "one-covers-all",
        doc: "the whole range, and short ones within it",
        make: overlapping::intervals_with_one_cover,
    },
    IntervalShape { name: "wide", doc: "the whole range, or nearly", make: overlapping::wide_intervals },
    IntervalShape { name: "identical", doc: "all intervals equal", make: overlapping::identical_intervals },
];
