//! Intervals that keep to themselves: at a distance, end to end, or a step further each.

use super::Line;
use crate::choices::Choices;

pub(super) fn short(c: &mut Choices, line: &Line) -> Vec<(i128, i128)> {
    line.each(|| {
        let left = c.range(line.lo, line.hi);
        (left, left.saturating_add(c.log_range(0, line.hi.saturating_sub(left))))
    })
}

pub(super) fn points(c: &mut Choices, line: &Line) -> Vec<(i128, i128)> {
    line.each(|| {
        let point = c.range(line.lo, line.hi);
        (point, point)
    })
}

/// Ends are drawn on a shorter line, and each interval then moves one step further than the one before it.
pub(super) fn disjoint(c: &mut Choices, line: &Line) -> Vec<(i128, i128)> {
    let gaps = (line.count as i128 - 1).min(line.span());
    let shorter = Line { hi: line.hi.saturating_sub(gaps), ..*line };
    let ends = shorter.points(c, 2 * line.count);
    let pairs = ends.chunks_exact(2).zip(0..);
    pairs.map(|(pair, gap)| (pair[0].saturating_add(gap), pair[1].saturating_add(gap))).collect()
}

pub(super) fn touching(c: &mut Choices, line: &Line) -> Vec<(i128, i128)> {
    line.points(c, line.count + 1).windows(2).map(|pair| (pair[0], pair[1])).collect()
}

/// As many parts of the line as there are intervals, if it has so many points.
pub(super) fn side_by_side(c: &mut Choices, line: &Line) -> Vec<(i128, i128)> {
    let mut starts = c.distinct(line.count - 1, line.lo.saturating_add(1), line.hi);
    starts.push(line.lo);
    starts.sort_unstable();
    let ends = starts.iter().skip(1).map(|start| start.saturating_sub(1)).chain([line.hi]);
    starts.iter().copied().zip(ends).collect()
}

/// A staircase that is too long for the line starts again.
pub(super) fn staircase(c: &mut Choices, line: &Line) -> Vec<(i128, i128)> {
    let length = c.log_range(0, line.span());
    let last = line.hi.saturating_sub(length).max(line.lo);
    let step = c.log_range(1, (last.saturating_sub(line.lo) / line.count as i128).max(1));
    let mut here = line.lo;
    line.each(|| {
        let left = if here > last { line.lo } else { here };
        here = left.saturating_add(step);
        (left, left.saturating_add(length))
    })
}
