//! Shrinking: from a failing value to the smallest failing value.
//!
//! [`shrink_value`] searches on the value tree, so a count follows the list it counts, references are
//! renumbered, and every candidate is valid before anything runs: the predicate ([`Oracle`]) only sees inputs
//! that the format allows. A candidate is accepted if it fails in the same way and is smaller in one total
//! order ([`Measure`](crate::value::Measure)). So the search terminates, and the result depends on the order of
//! its queries, not on the number of workers that answer them.
//!
//! The passes run in a fixed order, structure before values, until none of them finds anything more: a text
//! that was made uniform first could no longer lose a single character where two letters must alternate.
//!
//! ```
//! use rebut_diagnostics::SourceText;
//! use rebut_format::language::Format;
//! use rebut_format::generate::GenerationPlan;
//! use rebut_format::print::print_value;
//! use rebut_format::read::read_input;
//! use rebut_format::shrink::shrink_value;
//! use rebut_format::value::{Value, all_elements};
//!
//! let source = SourceText::new("example", "n; a[n] where 1 <= n <= 8; 0 <= a <= 1000");
//! let (format, _) = Format::parse(&source).expect("a valid format");
//! let start = read_input(&format, b"3\n5 900 41\n").expect("an input of the format");
//! let mut has_large_number = |value: &Value| !all_elements(value, |number| number < 37);
//! let shrunk = shrink_value(&GenerationPlan::new(&format), start, &mut has_large_number);
//! assert_eq!(print_value(&format, &shrunk.value), b"1\n37\n");
//! ```

mod adaptive_step;
mod ddmin;
mod draws;
mod graph;
mod oracle;
mod parts;
mod pass_statistics;
mod passes;
mod references;
mod sampling;
mod search;
mod size_cuts;
mod speculation;
#[cfg(test)]
mod tests;
mod text;

use crate::generate::GenerationPlan;
use crate::value::Value;
pub use draws::{DrawnInput, RunGenerator, shrink_draws};
pub use oracle::{Oracle, ShrinkStopped};
pub use pass_statistics::{PassStatistics, add_statistics};
use passes::PASSES;
pub use sampling::{DrawOthers, search_below};
pub use search::ShrinkResult;
use search::{ShrinkPass, ShrinkSearch};
use speculation::MeasuredSearch;
pub use text::shrink_text;

/// Shrinks a failing value. The result fails as well: it is the last candidate that the oracle confirmed, or
/// the given value.
pub fn shrink_value(plan: &GenerationPlan<'_>, value: Value, oracle: &mut dyn Oracle<Value>) -> ShrinkResult<Value> {
    run_search(ShrinkSearch::new(plan, value, oracle), PASSES)
}

/// Returns the names of the passes, in their order.
pub fn pass_names() -> impl Iterator<Item = &'static str> {
    PASSES.iter().map(|pass| pass.name)
}

/// Like [`shrink_value`] without some of the [passes](pass_names), to measure what they contribute.
pub fn shrink_without_passes(
    plan: &GenerationPlan<'_>,
    value: Value,
    left_out: &[&str],
    oracle: &mut dyn Oracle<Value>,
) -> ShrinkResult<Value> {
    let passes: Vec<ShrinkPass> = PASSES.iter().filter(|pass| !left_out.contains(&pass.name)).copied().collect();
    run_search(ShrinkSearch::new(plan, value, oracle), &passes)
}

fn run_search(mut search: ShrinkSearch<'_, '_>, passes: &[ShrinkPass]) -> ShrinkResult<Value> {
    // A stop (timeout, interruption) is no error here: the best value found is the result.
    let complete = run_to_fixpoint(&mut search, passes).is_ok();
    search.into_result(complete)
}

/// Runs all passes until none of them improves anything.
fn run_to_fixpoint(search: &mut ShrinkSearch<'_, '_>, passes: &[ShrinkPass]) -> Result<(), ShrinkStopped> {
    search.repeat_rounds(|search| {
        search.begin_round();
        search.run_passes(passes)
    })
}
