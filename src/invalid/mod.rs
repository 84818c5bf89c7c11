//! Invalid inputs, each with one thing wrong: for each constraint and each rule of the layout a minimal violation.
//!
//! They are what a validator is tested with. A violation of a constraint (`breach`) is an input that keeps the
//! layout and every other constraint; it is searched among mutations of small valid inputs, then among the inputs of
//! the same layout under the opposite constraint, and at last made as small as it can be by the shrinker. A violation
//! of the layout (`layout`, `spelling`) is a small valid input with one place of its bytes changed. The judge of
//! both is the reader: what it does not refuse is not offered, and what could not be broken is said with its reason.

mod breach;
mod cells;
mod judge;
mod layout;
mod leniency;
mod names;
mod opposite;
mod pool;
mod search;
mod spelling;
mod steps;

pub use leniency::Leniency;

use crate::diagnostic::Diagnostic;
use crate::format::Format;
use crate::{read, validate};
use judge::Judge;
use pool::Pool;
use std::cell::Cell;
use std::collections::HashSet;

/// What an invalid input breaks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Breaks {
    /// The constraint of that number in the format, and the others that cannot hold without it.
    Constraint {
        /// The constraint.
        constraint: usize,
        /// What else is broken.
        also: Vec<usize>,
    },
    /// How an input is written.
    Layout,
    /// A constraint, in an input whose form breaks with it: with all that a number announces it would be too large.
    Announced(usize),
}

/// An input with one thing wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Invalid {
    /// What it is called, fit for a file's name.
    pub name: String,
    /// What is wrong, in one sentence.
    pub what: String,
    /// What it breaks.
    pub breaks: Breaks,
    /// Why nothing breaks alone, where that is so.
    pub note: Option<String>,
    /// The input.
    pub bytes: Vec<u8>,
}

/// Something for which no invalid input was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unbroken {
    /// What the input would be called.
    pub name: String,
    /// Why there is none.
    pub reason: String,
}

/// All invalid inputs of a format.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Invalids {
    /// One for each thing that can be wrong.
    pub inputs: Vec<Invalid>,
    /// What could not be broken, and why.
    pub unbroken: Vec<Unbroken>,
}

/// Makes an input for each constraint and each rule of the layout that breaks it, of at most so many elements. What was
/// made until `stop` says so is all there is then.
///
/// # Errors
/// If no valid input can be made to start from.
pub fn invalids(
    format: &Format,
    seed: u64,
    most_elements: usize,
    stop: &dyn Fn() -> bool,
) -> Result<Invalids, crate::generate::Failure> {
    let pool = Pool::new(format, seed)?;
    let judge = Judge::new(format);
    let mut found = Invalids::default();
    let work = search::Work {
        judge: &judge,
        pool: &pool,
        seed,
        most_elements,
        stop,
        large_failed: Cell::new(false),
        patience: Cell::new(0),
    };
    for breach in breach::breaches(format) {
        if stop() {
            return Ok(found);
        }
        work.break_constraint(&breach, &mut found);
    }
    layout::break_layout(&judge, &pool, &mut found);
    spelling::break_spelling(&judge, &pool, &mut found);
    name_apart(&mut found);
    Ok(found)
}

/// Why the format's own reader refuses an input; none if it accepts it.
pub fn refusal(format: &Format, bytes: &[u8]) -> Option<Diagnostic> {
    match read::read(format, bytes) {
        Err(problem) => Some(problem),
        Ok(value) => validate::violation(format, &value).map(|broken| validate::explain(format, &value, &broken)),
    }
}

/// Names differ even where a file system does not tell capitals from small letters.
fn name_apart(found: &mut Invalids) {
    let mut taken: HashSet<String> = HashSet::new();
    for input in &mut found.inputs {
        let base = input.name.clone();
        let mut count = 1;
        while !taken.insert(input.name.to_lowercase()) {
            count += 1;
            input.name = format!("{base}-{count}");
        }
    }
}
