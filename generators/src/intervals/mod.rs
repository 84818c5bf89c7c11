//! Intervals with a habit.
//!
//! The ends of random intervals hardly ever meet, and nearly every two of them overlap, so a sweep that orders ends
//! wrongly where they are equal, a stack that expects nesting, or a walk over each interval survives them.

mod apart;
mod cover;

use crate::choices::Choices;

/// Where intervals lie, and how many there are.
#[derive(Debug, Clone, Copy)]
struct Line {
    count: usize,
    lo: i128,
    hi: i128,
}

impl Line {
    fn each(&self, mut interval: impl FnMut() -> (i128, i128)) -> Vec<(i128, i128)> {
        (0..self.count).map(|_| interval()).collect()
    }

    /// So many points of the line in ascending order.
    fn points(&self, c: &mut Choices, count: usize) -> Vec<i128> {
        let mut points: Vec<i128> = (0..count).map(|_| c.range(self.lo, self.hi)).collect();
        points.sort_unstable();
        points
    }

    /// The largest distance between two points.
    fn span(&self) -> i128 {
        self.hi.saturating_sub(self.lo)
    }
}

/// A named habit of a list of intervals.
#[derive(Debug)]
pub struct IntervalShape {
    /// What recipes call it.
    pub name: &'static str,
    /// What it makes, in one line.
    pub doc: &'static str,
    make: fn(&mut Choices, &Line) -> Vec<(i128, i128)>,
}

impl IntervalShape {
    /// So many intervals with this habit, each given by its two ends, the smaller one first, within `lo..=hi`. They are
    /// in the order of the habit, in reverse, or in any.
    #[must_use]
    pub fn make(&self, c: &mut Choices, count: usize, lo: i128, hi: i128) -> Vec<(i128, i128)> {
        if count == 0 || lo >= hi {
            return vec![(lo, lo); count];
        }
        let mut intervals = (self.make)(c, &Line { count, lo, hi });
        intervals.resize(count, (lo, lo));
        for (left, right) in &mut intervals {
            (*left, *right) = ((*left).clamp(lo, hi), (*right).clamp(lo, hi));
            *right = (*right).max(*left);
        }
        match c.weighted(&[2, 1, 3]) {
            0 => {}
            1 => intervals.reverse(),
            _ => c.shuffle(&mut intervals),
        }
        intervals
    }
}

/// Every habit of intervals. The first is the plain one. Each draws for at least one interval and two points.
pub const INTERVAL_SHAPES: &[IntervalShape] = &[
    IntervalShape { name: "uniform", doc: "ends anywhere", make: cover::uniform },
    IntervalShape { name: "short", doc: "every order of magnitude of length equally likely", make: apart::short },
    IntervalShape { name: "points", doc: "each starts where it ends", make: apart::points },
    IntervalShape { name: "disjoint", doc: "no two share a point", make: apart::disjoint },
    IntervalShape { name: "touching", doc: "each starts where the one before ends", make: apart::touching },
    IntervalShape { name: "side-by-side", doc: "each starts right after the one before", make: apart::side_by_side },
    IntervalShape { name: "staircase", doc: "equal lengths and equal steps", make: apart::staircase },
    IntervalShape { name: "nested", doc: "each within the one before", make: cover::nested },
    IntervalShape { name: "crossing", doc: "every two overlap, and neither holds the other", make: cover::crossing },
    IntervalShape { name: "common-point", doc: "one point that all share", make: cover::common_point },
    IntervalShape { name: "common-end", doc: "all start, or all end, at the same bound", make: cover::common_end },
    IntervalShape { name: "one-covers-all", doc: "the whole line, and short ones on it", make: cover::one_covers_all },
    IntervalShape { name: "wide", doc: "the whole line, or nearly", make: cover::wide },
    IntervalShape { name: "identical", doc: "one interval again and again", make: cover::identical },
];
