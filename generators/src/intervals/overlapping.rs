//! Intervals that overlap.

use super::{IntervalRequirements, separated};
use crate::choices::Choices;

pub(super) fn uniform_intervals(c: &mut Choices, line: &IntervalRequirements) -> Vec<(i128, i128)> {
    line.repeat_interval(|| {
        let (one, other) = (c.draw_range(line.lo, line.hi), c.draw_range(line.lo, line.hi));
        (one.min(other), one.max(other))
    })
}

pub(super) fn nested_intervals(c: &mut Choices, line: &IntervalRequirements) -> Vec<(i128, i128)> {
    let points = line.sorted_points(c, 2 * line.count);
    let (left, right) = points.split_at(line.count);
    left.iter().copied().zip(right.iter().rev().copied()).collect()
}

/// Draws starts on one side of a point and ends on the other, both in ascending order. If the range is large enough, no
/// two are equal.
pub(super) fn crossing_intervals(c: &mut Choices, line: &IntervalRequirements) -> Vec<(i128, i128)> {
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

pub(super) fn intervals_with_common_point(c: &mut Choices, line: &IntervalRequirements) -> Vec<(i128, i128)> {
    let point = c.draw_range(line.lo, line.hi);
    line.repeat_interval(|| (c.draw_range(line.lo, point), c.draw_range(point, line.hi)))
}

pub(super) fn intervals_with_common_end(c: &mut Choices, line: &IntervalRequirements) -> Vec<(i128, i128)> {
    let at_the_left = c.draw_chance(1, 2);
    line.repeat_interval(|| {
        let other = c.draw_range(line.lo, line.hi);
        if at_the_left { (line.lo, other) } else { (other, line.hi) }
    })
}

pub(super) fn intervals_with_one_cover(c: &mut Choices, line: &IntervalRequirements) -> Vec<(i128, i128)> {
    let mut intervals = match c.draw_below(3) {
        0 => separated::short_intervals(c, line),
        1 => separated::disjoint_intervals(c, line),
        _ => separated::point_intervals(c, line),
    };
    intervals[0] = (line.lo, line.hi);
    intervals
}

pub(super) fn wide_intervals(c: &mut Choices, line: &IntervalRequirements) -> Vec<(i128, i128)> {
    let slack = c.draw_range(0, 2).min(line.max_distance() / 2);
    line.repeat_interval(|| {
        (line.lo.saturating_add(c.draw_range(0, slack)), line.hi.saturating_sub(c.draw_range(0, slack)))
    })
}

pub(super) fn identical_intervals(c: &mut Choices, line: &IntervalRequirements) -> Vec<(i128, i128)> {
    let (one, other) = (c.draw_range(line.lo, line.hi), c.draw_range(line.lo, line.hi));
    vec![(one.min(other), one.max(other)); line.count]
}
