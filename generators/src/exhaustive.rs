//! Every sequence of choices, the simplest first.
//!
//! A law that holds for all small values is tested better by trying them all than by drawing some. [`Exhaustive`]
//! needs no knowledge of what it drives: it replays a prefix, looks at what was asked for beyond it, and comes back
//! later with each other answer.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use crate::choices::Choices;

/// An odometer over all sequences of choices: shorter ones first, then in lexicographic order.
///
/// Zeros at the end do not count towards the length, since a replay ends in zeros anyway. A driver that can ask for
/// ever more draws is fine: its runs come in order, and the caller stops when it has seen enough.
///
/// ```
/// use rebut_generators::Exhaustive;
///
/// let mut all = Exhaustive::new();
/// let mut seen = Vec::new();
/// while let Some(mut choices) = all.next() {
///     seen.push((choices.below(2), choices.below(3)));
///     all.finished(&choices);
/// }
/// assert_eq!(seen, [(0, 0), (1, 0), (0, 1), (0, 2), (1, 1), (1, 2)]);
/// ```
#[derive(Debug, Clone)]
pub struct Exhaustive {
    frontier: BinaryHeap<Reverse<Prefix>>,
    /// Length of the prefix handed out last: what was drawn within it has been varied already.
    settled: usize,
}

/// Draws still to be replayed. The order of the fields is the order of the visits.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Prefix {
    length: usize,
    draws: Vec<u64>,
    /// The largest value that the last draw can take.
    top: u64,
}

impl Exhaustive {
    /// Before the first sequence.
    #[must_use]
    pub fn new() -> Exhaustive {
        let nothing = Prefix { length: 0, draws: Vec::new(), top: 0 };
        Exhaustive { frontier: BinaryHeap::from([Reverse(nothing)]), settled: 0 }
    }

    /// Tells what the run with the last choices asked for. Sequences that start like it are only found through this.
    pub fn finished(&mut self, choices: &Choices) {
        let (draws, tops) = (choices.recorded(), choices.recorded_tops());
        for at in self.settled..draws.len() {
            let mut longer = draws[..at].to_vec();
            longer.push(1);
            self.frontier.push(Reverse(Prefix { length: at + 1, draws: longer, top: tops[at] }));
        }
    }

    /// Queues the sequence that differs from `prefix` by one more in its last draw.
    fn queue_sibling(&mut self, prefix: &Prefix) {
        if prefix.draws.last().is_some_and(|last| *last < prefix.top) {
            let mut sibling = prefix.clone();
            sibling.draws[prefix.length - 1] += 1;
            self.frontier.push(Reverse(sibling));
        }
    }
}

impl Default for Exhaustive {
    fn default() -> Exhaustive {
        Exhaustive::new()
    }
}

impl Iterator for Exhaustive {
    type Item = Choices;

    /// The choices of the next run. Hand them to [`finished`](Exhaustive::finished) afterwards.
    fn next(&mut self) -> Option<Choices> {
        let Reverse(prefix) = self.frontier.pop()?;
        self.queue_sibling(&prefix);
        self.settled = prefix.length;
        Some(Choices::replay(prefix.draws).recording())
    }
}
