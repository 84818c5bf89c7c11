//! Shapes of intervals.
//!
//! The ends of random intervals rarely coincide, and nearly all pairs overlap. So random intervals do not reveal a
//! sweep that orders equal ends wrongly, a stack that expects nesting, or a quadratic loop over the points of each
//! interval.

use crate::choices::Choices;
use crate::shape_family::Shape;

/// The range of the intervals, and their number.
#[derive(Debug, Clone, Copy)]
pub struct IntervalRequirements {
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
pub type IntervalShape = Shape<fn(&mut Choices, &IntervalRequirements) -> Vec<(i128, i128)>>;

impl IntervalShape {
    /// Draws `count` intervals within `lo..=hi`, each given by its two ends, the smaller one first. They are in the
    /// order of the shape, in reverse, or in random order.
    #[must_use]
    pub fn draw_intervals(&self, c: &mut Choices, count: usize, lo: i128, hi: i128) -> Vec<(i128, i128)> {
        if count == 0 || lo >= hi {
            return vec![(lo, lo); count];
        }
        let mut intervals = (self.draw)(c, &IntervalRequirements { count, lo, hi });
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
    Shape::new("uniform", "ends anywhere", uniform_intervals),
    Shape::new("short", "every order of magnitude of length equally likely", short_intervals),
    Shape::new("points", "each is a single point", point_intervals),
    Shape::new("disjoint", "no two share a point", disjoint_intervals),
    Shape::new("touching", "each starts where the one before ends", touching_intervals),
    Shape::new("side-by-side", "each starts right after the one before", adjacent_intervals),
    Shape::new("staircase", "equal lengths and equal steps", staircase_intervals),
    Shape::new("nested", "each within the one before", nested_intervals),
    Shape::new("crossing", "every two overlap, and neither contains the other", crossing_intervals),
    Shape::new("common-point", "one point that all share", intervals_with_common_point),
    Shape::new("common-end", "all start, or all end, at the same bound", intervals_with_common_end),
    Shape::new("one-covers-all", "the whole range, and short ones within it", intervals_with_one_cover),
    Shape::new("wide", "the whole range, or nearly", wide_intervals),
    Shape::new("identical", "all intervals equal", identical_intervals),
];

// Intervals that overlap.

fn uniform_intervals(c: &mut Choices, line: &IntervalRequirements) -> Vec<(i128, i128)> {
    line.repeat_interval(|| {
        let (one, other) = (c.draw_range(line.lo, line.hi), c.draw_range(line.lo, line.hi));
        (one.min(other), one.max(other))
    })
}

fn nested_intervals(c: &mut Choices, line: &IntervalRequirements) -> Vec<(i128, i128)> {
    let points = line.sorted_points(c, 2 * line.count);
    let (left, right) = points.split_at(line.count);
    left.iter().copied().zip(right.iter().rev().copied()).collect()
}

/// Draws starts on one side of a point and ends on the other, both in ascending order. If the range is large enough, no
/// two are equal.
fn crossing_intervals(c: &mut Choices, line: &IntervalRequirements) -> Vec<(i128, i128)> {
    let middle = line.lo.saturating_add(line.max_distance() / 2);
    let mut side = |lo: i128, hi: i128| {
        let mut ends = c.draw_distinct(line.count, lo, hi);
        ends.extend((ends.len()..line.count).map(|_| c.draw_range(lo, hi)));
        ends.sort_unstable();
        ends
    };
    let (left, right) = (side(line.lo, middle), side(middle, line.hi));
    left.into_iter().zip(right).collect()
}

fn intervals_with_common_point(c: &mut Choices, line: &IntervalRequirements) -> Vec<(i128, i128)> {
    let point = c.draw_range(line.lo, line.hi);
    line.repeat_interval(|| (c.draw_range(line.lo, point), c.draw_range(point, line.hi)))
}

fn intervals_with_common_end(c: &mut Choices, line: &IntervalRequirements) -> Vec<(i128, i128)> {
    let at_the_left = c.draw_chance(1, 2);
    line.repeat_interval(|| {
        let other = c.draw_range(line.lo, line.hi);
        if at_the_left { (line.lo, other) } else { (other, line.hi) }
    })
}

fn intervals_with_one_cover(c: &mut Choices, line: &IntervalRequirements) -> Vec<(i128, i128)> {
    let mut intervals = match c.draw_below(3) {
        0 => short_intervals(c, line),
        1 => disjoint_intervals(c, line),
        _ => point_intervals(c, line),
    };
    intervals[0] = (line.lo, line.hi);
    intervals
}

fn wide_intervals(c: &mut Choices, line: &IntervalRequirements) -> Vec<(i128, i128)> {
    let slack = c.draw_range(0, 2).min(line.max_distance() / 2);
    line.repeat_interval(|| {
        (line.lo.saturating_add(c.draw_range(0, slack)), line.hi.saturating_sub(c.draw_range(0, slack)))
    })
}

fn identical_intervals(c: &mut Choices, line: &IntervalRequirements) -> Vec<(i128, i128)> {
    let (one, other) = (c.draw_range(line.lo, line.hi), c.draw_range(line.lo, line.hi));
    vec![(one.min(other), one.max(other)); line.count]
}

// Intervals that are short, disjoint, adjacent or shifted by equal steps.

/// Draws intervals with lengths of every order of magnitude, so that most are short.
fn short_intervals(c: &mut Choices, line: &IntervalRequirements) -> Vec<(i128, i128)> {
    line.repeat_interval(|| {
        let left = c.draw_range(line.lo, line.hi);
        (left, left.saturating_add(c.draw_log_range(0, line.hi.saturating_sub(left))))
    })
}

/// Draws intervals of a single point.
fn point_intervals(c: &mut Choices, line: &IntervalRequirements) -> Vec<(i128, i128)> {
    line.repeat_interval(|| {
        let point = c.draw_range(line.lo, line.hi);
        (point, point)
    })
}

/// Draws intervals without common points: the ends are drawn from a shorter range, in which they may coincide, and each
/// interval is then shifted one step further than the previous one.
fn disjoint_intervals(c: &mut Choices, line: &IntervalRequirements) -> Vec<(i128, i128)> {
    let gaps = (line.count as i128 - 1).min(line.max_distance());
    let shorter = IntervalRequirements { hi: line.hi.saturating_sub(gaps), ..*line };
    let ends = shorter.sorted_points(c, 2 * line.count);
    let pairs = ends.chunks_exact(2).zip(0..);
    pairs.map(|(pair, gap)| (pair[0].saturating_add(gap), pair[1].saturating_add(gap))).collect()
}

/// Draws intervals of which each starts where the previous one ends.
fn touching_intervals(c: &mut Choices, line: &IntervalRequirements) -> Vec<(i128, i128)> {
    line.sorted_points(c, line.count + 1).windows(2).map(|pair| (pair[0], pair[1])).collect()
}

/// Splits the range into as many parts as there are intervals, if it has that many points.
fn adjacent_intervals(c: &mut Choices, line: &IntervalRequirements) -> Vec<(i128, i128)> {
    let mut starts = c.draw_distinct(line.count - 1, line.lo.saturating_add(1), line.hi);
    starts.push(line.lo);
    starts.sort_unstable();
    let ends = starts.iter().skip(1).map(|start| start.saturating_sub(1)).chain([line.hi]);
    starts.iter().copied().zip(ends).collect()
}

/// Draws intervals of equal length at equal steps. At the end of the range they start over at its beginning.
fn staircase_intervals(c: &mut Choices, line: &IntervalRequirements) -> Vec<(i128, i128)> {
    let length = c.draw_log_range(0, line.max_distance());
    let last = line.hi.saturating_sub(length).max(line.lo);
    let step = c.draw_log_range(1, (last.saturating_sub(line.lo) / line.count as i128).max(1));
    let mut next_left = line.lo;
    line.repeat_interval(|| {
        let left = if next_left > last { line.lo } else { next_left };
        next_left = left.saturating_add(step);
        (left, left.saturating_add(length))
    })
}
