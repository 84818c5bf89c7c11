//! Intervals that are short, disjoint, adjacent or shifted by equal steps.

use super::IntervalRequirements;
use crate::choices::Choices;

/// Draws intervals with lengths of every order of magnitude, so that most are short.
pub(super) fn short_intervals(c: &mut Choices, line: &IntervalRequirements) -> Vec<(i128, i128)> {
    line.repeat_interval(|| {
        let left = c.draw_range(line.lo, line.hi);
        (left, left.saturating_add(c.draw_log_range(0, line.hi.saturating_sub(left))))
    })
}

/// Draws intervals of a single point.
pub(super) fn point_intervals(c: &mut Choices, line: &IntervalRequirements) -> Vec<(i128, i128)> {
    line.repeat_interval(|| {
        let point = c.draw_range(line.lo, line.hi);
        (point, point)
    })
}

/// Draws intervals without common points: the ends are drawn from a shorter range, in which they may coincide, and each
/// interval is then shifted one step further than the previous one.
pub(super) fn disjoint_intervals(c: &mut Choices, line: &IntervalRequirements) -> Vec<(i128, i128)> {
    let gaps = (line.count as i128 - 1).min(line.max_distance());
    let shorter = IntervalRequirements { hi: line.hi.saturating_sub(gaps), ..*line };
    let ends = shorter.sorted_points(c, 2 * line.count);
    let pairs = ends.chunks_exact(2).zip(0..);
    pairs.map(|(pair, gap)| (pair[0].saturating_add(gap), pair[1].saturating_add(gap))).collect()
}

/// Draws intervals of which each starts where the previous one ends.
pub(super) fn touching_intervals(c: &mut Choices, line: &IntervalRequirements) -> Vec<(i128, i128)> {
    line.sorted_points(c, line.count + 1).windows(2).map(|pair| (pair[0], pair[1])).collect()
}

/// Splits the range into as many parts as there are intervals, if it has that many points.
pub(super) fn adjacent_intervals(c: &mut Choices, line: &IntervalRequirements) -> Vec<(i128, i128)> {
    let mut starts = c.draw_distinct(line.count - 1, line.lo.saturating_add(1), line.hi);
    starts.push(line.lo);
    starts.sort_unstable();
    let ends = starts.iter().skip(1).map(|start| start.saturating_sub(1)).chain([line.hi]);
    starts.iter().copied().zip(ends).collect()
}

/// Draws intervals of equal length at equal steps. At the end of the range they start over at its beginning.
pub(super) fn staircase_intervals(c: &mut Choices, line: &IntervalRequirements) -> Vec<(i128, i128)> {
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
