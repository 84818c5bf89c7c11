//! Several inputs of a search run ahead of their turns.
//!
//! To ask for a run costs about as much as a small run itself, and for several at once little more than for one. So a
//! worker takes a few inputs, has the reference answer all of them, and each submission run on all. What comes of an input is
//! looked at when its turn has come, as if it had been run then; what nobody comes to look at is forgotten.

use super::bench::{Answer, Bench, Engine};
use super::inputs::Made;
use super::referee::Referee;
use super::tally::Clock;
use crate::diagnostic::Result;
use crate::run::{Outcome, Program};
use std::time::Duration;

/// So many inputs are run ahead at most.
const MOST: u64 = 64;

/// Inputs that took longer than this together are too slow to be run ahead.
const QUICK: Duration = Duration::from_millis(40);

/// How many inputs a worker takes at a time: ever more, as long as they are quick.
pub(super) struct Pace {
    /// How many come next.
    pub(super) width: u64,
}

impl Pace {
    pub(super) fn new() -> Pace {
        Pace { width: 1 }
    }

    /// The last ones took so long.
    pub(super) fn note(&mut self, took: Duration) {
        self.width = match () {
            () if took < QUICK => (self.width * 2).min(MOST),
            () if took < QUICK * 8 => (self.width / 2).max(1),
            () => 1,
        };
    }
}

/// An input, and what is known of it ahead.
pub(super) struct Ahead {
    /// The input; none if the validators refuse it.
    pub(super) made: Result<Option<Made>>,
    pub(super) runs: Runs,
    /// Nanoseconds for generating, the reference, the submissions, checking.
    pub(super) spent: [u64; 4],
}

/// What came of runs on an input.
#[derive(Default)]
pub(super) struct Runs {
    /// What the reference says, and the processor time that took.
    pub(super) answer: Option<(Answer, u64)>,
    /// What each submission did.
    pub(super) outcomes: Vec<Option<Outcome>>,
}

impl Ahead {
    /// An input of which nothing is known.
    pub(super) fn new(made: Result<Option<Made>>, clock: &Clock) -> Ahead {
        Ahead { made, runs: Runs::default(), spent: clock.spent }
    }

    fn input(&self) -> &[u8] {
        if let Ok(Some(made)) = &self.made { &made.bytes } else { &[] }
    }
}

/// Runs ahead what can be: the reference on all inputs, then each of some submissions where there is an answer, unless all is
/// over by then. What fails here, or is not done, is left for its turn.
pub(super) fn run_ahead(
    bench: &Bench,
    mut some: Vec<&mut Ahead>,
    submissions: &[Option<&Program>],
    is_over: &dyn Fn() -> bool,
) {
    some.retain(|one| matches!(one.made, Ok(Some(_))));
    if bench.engine != Engine::Quick || !matches!(bench.referee, Referee::Checker(_)) {
        return;
    }
    let mut clock = Clock::start();
    let answers = bench.answers(&inputs(&some)).unwrap_or_default();
    some.truncate(answers.len());
    some.iter_mut().zip(answers).for_each(|(one, answer)| one.runs.answer = Some(answer));
    clock.lap(1);
    note(&mut some, 1, &clock);
    some.retain(|one| matches!(one.runs.answer, Some((Answer::Known(_), _))));
    for submission in submissions {
        let outcomes = submission
            .filter(|_| !is_over())
            .map(|program| bench.outcomes(program, &inputs(&some)).unwrap_or_default());
        let mut outcomes = outcomes.unwrap_or_default().into_iter();
        some.iter_mut().for_each(|one| one.runs.outcomes.push(outcomes.next()));
    }
    clock.lap(2);
    note(&mut some, 2, &clock);
}

fn inputs<'a>(some: &'a [&mut Ahead]) -> Vec<&'a [u8]> {
    some.iter().map(|one| one.input()).collect()
}

/// Notes on whose account the time went, with the first of them for all.
fn note(some: &mut [&mut Ahead], activity: usize, clock: &Clock) {
    if let Some(first) = some.first_mut() {
        first.spent[activity] = clock.spent[activity];
    }
}
