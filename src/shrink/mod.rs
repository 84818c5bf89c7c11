//! A failing value to the smallest failing value.
//!
//! The search works on the value tree, so a count follows what it counts, references are renumbered, and every
//! candidate is valid before anything runs: the predicate ([`Oracle`]) is asked only about inputs that the format
//! allows. A candidate is taken if it fails in the same way and is smaller in one total order ([`Measure`](crate::value::Measure)); so the
//! search ends, and the order of its questions, not the number of workers that answer them, decides the result.
//!
//! The passes run in a fixed order, structure before values, until none of them finds anything more: a text that was
//! first made uniform could no longer lose one character where two letters must alternate.

mod ahead;
mod arrays;
mod axis;
mod cross;
mod draws;
mod exhaust;
mod follow;
mod forms;
mod gaps;
mod graph;
mod least;
mod lengths;
mod mend;
mod merge;
mod mirror;
mod onwards;
mod pairs;
mod reorder;
mod reshape;
mod rounds;
mod search;
mod stride;
mod swaps;
mod sweep;
mod symmetry;
mod text;
mod twins;
mod values;

pub use search::{Oracle, Shrunk, Stopped};
pub use text::shrink_text;

use crate::generate::{Plan, Recipe};
use crate::value::Value;
use search::{Pass, Search};

/// Shrinks a value that fails. The result fails too: it is the last one that the oracle confirmed, or the value given.
pub fn shrink(plan: &Plan<'_>, value: Value, oracle: &mut dyn Oracle<Value>) -> Shrunk<Value> {
    shrink_drawn(plan, value, &[], oracle)
}

/// The same for a value of which the recipes are known: by them first, where one of its cases fails alone.
pub fn shrink_drawn(
    plan: &Plan<'_>,
    value: Value,
    recipes: &[Recipe],
    oracle: &mut dyn Oracle<Value>,
) -> Shrunk<Value> {
    let mut search = Search::new(plan, value, oracle);
    // A stop (out of time, interrupted) keeps the best so far: there is nothing else to do with it.
    let complete = draws::draws(&mut search, recipes).and_then(|()| fixpoint(&mut search)).is_ok();
    search.finish(complete)
}

/// The passes in order. A pass that found something sends the search back to the first: what was needed may not be
/// any more.
const PASSES: &[Pass] = &[
    twins::long_twins,
    axis::axes,
    cross::crossings,
    forms::forms,
    twins::twins,
    merge::merges,
    mirror::mirror,
    arrays::arrays,
    arrays::ties,
    values::values,
    arrays::shifts,
    lengths::shift_together,
    reshape::reshape,
    symmetry::symmetries,
    gaps::gaps,
    pairs::pairs,
    swaps::swaps,
    reorder::reorder,
    rounds::rounds,
    exhaust::exhaust,
    axis::every_part,
    onwards::onwards,
];

fn fixpoint(search: &mut Search<'_, '_>) -> Result<(), Stopped> {
    loop {
        let before = search.steps();
        search.begin_round();
        search.run(PASSES)?;
        if search.steps() == before {
            return Ok(());
        }
    }
}

#[cfg(test)]
mod tests;
