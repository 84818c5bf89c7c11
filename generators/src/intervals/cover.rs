//! Intervals that lie over each other.

use super::{Line, apart};
use crate::choices::Choices;

pub(super) fn uniform(c: &mut Choices, line: &Line) -> Vec<(i128, i128)> {
    line.each(|| {
        let (one, other) = (c.range(line.lo, line.hi), c.range(line.lo, line.hi));
        (one.min(other), one.max(other))
    })
}

pub(super) fn nested(c: &mut Choices, line: &Line) -> Vec<(i128, i128)> {
    let points = line.points(c, 2 * line.count);
    let (left, right) = points.split_at(line.count);
    left.iter().copied().zip(right.iter().rev().copied()).collect()
}

/// As many starts as ends on either side of a point, both in ascending order. Where there is room, no two are equal.
pub(super) fn crossing(c: &mut Choices, line: &Line) -> Vec<(i128, i128)> {
    let middle = line.lo.saturating_add(line.span() / 2);
    let mut side = |lo: i128, hi: i128| {
        let mut ends = c.distinct(line.count, lo, hi);
        ends.extend((ends.len()..line.count).map(|_| c.range(lo, hi)));
        ends.sort_unstable();
        ends
    };
    let (left, right) = (side(line.lo, middle), side(middle, line.hi));
    left.into_iter().zip(right).collect()
}

pub(super) fn common_point(c: &mut Choices, line: &Line) -> Vec<(i128, i128)> {
    let point = c.range(line.lo, line.hi);
    line.each(|| (c.range(line.lo, point), c.range(point, line.hi)))
}

pub(super) fn common_end(c: &mut Choices, line: &Line) -> Vec<(i128, i128)> {
    let at_the_left = c.chance(1, 2);
    line.each(|| {
        let other = c.range(line.lo, line.hi);
        if at_the_left { (line.lo, other) } else { (other, line.hi) }
    })
}

pub(super) fn one_covers_all(c: &mut Choices, line: &Line) -> Vec<(i128, i128)> {
    let mut intervals = match c.below(3) {
        0 => apart::short(c, line),
        1 => apart::disjoint(c, line),
        _ => apart::points(c, line),
    };
    intervals[0] = (line.lo, line.hi);
    intervals
}

pub(super) fn wide(c: &mut Choices, line: &Line) -> Vec<(i128, i128)> {
    let slack = c.range(0, 2).min(line.span() / 2);
    line.each(|| (line.lo.saturating_add(c.range(0, slack)), line.hi.saturating_sub(c.range(0, slack))))
}

pub(super) fn identical(c: &mut Choices, line: &Line) -> Vec<(i128, i128)> {
    let (one, other) = (c.range(line.lo, line.hi), c.range(line.lo, line.hi));
    vec![(one.min(other), one.max(other)); line.count]
}
