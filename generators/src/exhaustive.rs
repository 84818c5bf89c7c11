//! Enumerates all sequences of choices, the simplest first.
//!
//! A property of all small values is tested better by trying them all than by sampling. [`ExhaustiveChoices`] needs no
//! knowledge of the code that it drives: it replays a prefix, records the draws beyond it, and later returns with each
//! alternative.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use crate::choices::Choices;

/// An iterator over all sequences of choices: shorter ones first, then in lexicographic order.
///
/// Zeros at the end do not count towards the length, since a replay ends in zeros anyway. A driver can draw without
/// bound: the sequences come in order, and the caller stops when it has seen enough.
///
/// ```
/// use rebut_generators::ExhaustiveChoices;
///
/// let mut all = ExhaustiveChoices::new();
/// let mut seen = Vec::new();
/// while let Some(mut choices) = all.next() {
///     seen.push((choices.draw_below(2), choices.draw_below(3)));
///     all.record_run(&choices);
/// }
/// assert_eq!(seen, [(0, 0), (1, 0), (0, 1), (0, 2), (1, 1), (1, 2)]);
/// ```
#[derive(Debug, Clone)]
pub struct ExhaustiveChoices {
    frontier: BinaryHeap<Reverse<ChoicePrefix>>,
    /// Length of the prefix that was returned last: its draws have been varied already.
    replayed_len: usize,
}

/// A sequence of draws to replay. The order of the fields determines the order of the sequences.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct ChoicePrefix {
    length: usize,
    draws: Vec<u64>,
    /// The largest value that the last draw can take.
    last_limit: u64,
}

impl ExhaustiveChoices {
    /// Creates an iterator that starts with the sequence of zeros.
    #[must_use]
    pub fn new() -> ExhaustiveChoices {
        let nothing = ChoicePrefix { length: 0, draws: Vec::new(), last_limit: 0 };
        ExhaustiveChoices { frontier: BinaryHeap::from([Reverse(nothing)]), replayed_len: 0 }
    }

    /// Records the draws of the run with the last choices. Longer sequences are found only through this.
    pub fn record_run(&mut self, choices: &Choices) {
        let (draws, tops) = (choices.recorded_draws(), choices.recorded_limits());
        for at in self.replayed_len..draws.len() {
            let mut longer = draws[..at].to_vec();
            longer.push(1);
            self.frontier.push(Reverse(ChoicePrefix { length: at + 1, draws: longer, last_limit: tops[at] }));
        }
    }

    /// Queues the sequence that differs from `prefix` by one more in its last draw.
    fn queue_sibling(&mut self, prefix: &ChoicePrefix) {
        if prefix.draws.last().is_some_and(|last| *last < prefix.last_limit) {
            let mut sibling = prefix.clone();
            sibling.draws[prefix.length - 1] += 1;
            self.frontier.push(Reverse(sibling));
        }
    }
}

impl Default for ExhaustiveChoices {
    fn default() -> ExhaustiveChoices {
        ExhaustiveChoices::new()
    }
}

impl Iterator for ExhaustiveChoices {
    type Item = Choices;

    /// Returns the choices of the next run. Pass them to [`record_run`](ExhaustiveChoices::record_run) afterwards.
    fn next(&mut self) -> Option<Choices> {
        let Reverse(prefix) = self.frontier.pop()?;
        self.queue_sibling(&prefix);
        self.replayed_len = prefix.length;
        Some(Choices::from_draws(prefix.draws).with_recording())
    }
}
