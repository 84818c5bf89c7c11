//! What one submission did on one test case, and where that is kept.

use super::super::bench::Trial;
use super::super::hunt::message;
use crate::run::Outcome;
use crate::score::Given;
use crate::verdict::Verdict;
use serde::{Deserialize, Serialize};

/// What one submission did on one test case.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Cell {
    /// What it got.
    pub verdict: Verdict,
    /// Processor time, in microseconds.
    pub cpu_time_us: u64,
    /// Time on the wall clock, in microseconds.
    pub wall_time_us: u64,
    /// The most memory it held.
    pub memory_peak_bytes: u64,
    /// In words, why it was not accepted; empty if it was.
    pub message: String,
    /// Whether it was stopped, so that it would have taken longer.
    pub was_stopped: bool,
    /// Whether it slept or waited until it was stopped.
    pub was_idle: bool,
    /// Whether it ended so close to its time limit that another machine may say otherwise.
    pub is_close: bool,
    /// What the jury's program said of the points.
    #[serde(default, skip_serializing_if = "Given::is_nothing")]
    pub given: Given,
}

impl Cell {
    /// A cell from a trial.
    pub(super) fn of(trial: &Trial) -> Cell {
        let Outcome { cpu_time_us, wall_time_us, memory_peak_bytes, .. } = trial.outcome;
        Cell {
            verdict: trial.verdict,
            cpu_time_us,
            wall_time_us,
            memory_peak_bytes,
            message: match trial.verdict {
                Verdict::Accepted => String::new(),
                verdict => shortened(&message(trial), verdict),
            },
            was_stopped: trial.outcome.limit.is_some() && !trial.outcome.is_close(),
            was_idle: trial.outcome.is_idle(),
            is_close: trial.outcome.is_close(),
            given: trial.given.clone(),
        }
    }
}

/// The beginning of the first line that says something: checkers write whole pages. Of a program of the jury that failed
/// all lines: its last one is likely to say why.
fn shortened(text: &str, verdict: Verdict) -> String {
    const LONGEST: usize = 300;
    let mut lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    let text = match verdict {
        Verdict::JudgeError => lines.collect::<Vec<_>>().join(" "),
        _ => lines.next().unwrap_or_default().to_owned(),
    };
    let length = text.chars().count();
    if length <= LONGEST {
        return text;
    }
    let (start, end) = (text.chars().take(LONGEST / 3), text.chars().skip(length - 2 * LONGEST / 3));
    format!("{} ... {}", start.collect::<String>(), end.collect::<String>())
}

/// What was learnt of cells before, by a key that names all that decides one.
pub trait Memory: Sync {
    /// What is known.
    fn recall(&self, key: &str) -> Option<Cell>;

    /// Keeps it. Failing to costs another run, nothing else.
    fn remember(&self, key: &str, cell: &Cell);

    /// The hash of some bytes, as keys are made of.
    fn digest(&self, parts: &[&[u8]]) -> String;
}

/// Knows nothing, and keeps nothing.
pub struct NoMemory;

impl Memory for NoMemory {
    fn recall(&self, _: &str) -> Option<Cell> {
        None
    }

    fn remember(&self, _: &str, _: &Cell) {}

    fn digest(&self, _: &[&[u8]]) -> String {
        String::new()
    }
}
