//! Generator of invalid inputs, each with exactly one defect: a minimal violation of each constraint and each rule of
//! the layout. They are used to test validators.
//!
//! A violation of a constraint is an input that conforms to the layout and every other constraint. It is searched
//! among mutations of small valid inputs, then among inputs of the same layout under the negated constraint, and is
//! shrunk at the end. A violation of the layout is a small valid input changed in one place. The reader checks both:
//! inputs that it accepts are discarded, and rules that could not be violated are reported with a reason.
//!
//! ```
//! use rebut_diagnostics::SourceText;
//! use rebut_format::language::Format;
//! use rebut_format::invalid::{find_refusal, generate_invalid_inputs};
//!
//! let source = SourceText::new("example", "n; a[n] where 1 <= n <= 8; 0 <= a <= 9");
//! let (format, _) = Format::parse(&source).expect("a valid format");
//! let invalid = generate_invalid_inputs(&format, 1, 100, &|| false).expect("a valid input to start from");
//! assert!(invalid.inputs.iter().any(|input| input.bytes == b"1\n10\n"));
//! for input in &invalid.inputs {
//!     assert!(find_refusal(&format, &input.bytes).is_some(), "{}", input.description);
//! }
//! ```

mod breach_search;
mod layout_mutations;
mod leniency;
mod negated_format;
mod token_mutations;
mod value_mutations;

use crate::language::Format;
use crate::{read, validate};
use layout_mutations::SeedPool;
pub use leniency::Leniency;
use negated_format::ConstraintChecker;
use rebut_diagnostics::Diagnostic;
use std::cell::Cell;
use std::collections::HashSet;

/// The rule that an invalid input violates.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BrokenRule {
    /// The constraint with this index, and those that cannot hold without it.
    Constraint {
        /// Index of the constraint.
        constraint: usize,
        /// Other constraints that are violated.
        also_broken: Vec<usize>,
    },
    /// The notation of the input.
    Layout,
    /// A constraint that cannot be violated without breaking the layout as well: with all announced elements, the input
    /// would be too large.
    AnnouncedSize(usize),
}

/// An input with one defect.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InvalidInput {
    /// Name that can be used as a file name.
    pub name: String,
    /// Description of the defect, in one sentence.
    pub description: String,
    /// The violated rule.
    pub broken_rule: BrokenRule,
    /// Reason why other rules are violated as well, if they are.
    pub note: Option<String>,
    /// Contents of the input.
    pub bytes: Vec<u8>,
}

/// A rule without an invalid input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnbrokenRule {
    /// Name that the input would have.
    pub name: String,
    /// Reason why there is none.
    pub reason: String,
}

/// The invalid inputs of a format.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct InvalidInputs {
    /// One input for each rule.
    pub inputs: Vec<InvalidInput>,
    /// Rules that could not be violated.
    pub unbroken: Vec<UnbrokenRule>,
    /// Number of ways to break a constraint that were not tried, because the search was stopped.
    pub untried: usize,
}

/// Generates an invalid input with at most `max_elements` elements for each constraint and each rule of the layout.
/// If `stop` returns true, the inputs found so far are returned.
///
/// # Errors
///
/// Returns an error if no valid input can be generated to start from.
pub fn generate_invalid_inputs(
    format: &Format,
    seed: u64,
    max_elements: usize,
    stop: &dyn Fn() -> bool,
) -> Result<InvalidInputs, crate::generate::GenerationError> {
    let pool = SeedPool::new(format, seed)?;
    let checker = ConstraintChecker::new(format);
    let mut found = InvalidInputs::default();
    let search = breach_search::BreachSearch {
        checker: &checker,
        seed_pool: &pool,
        seed,
        max_elements,
        stop,
        large_failed: Cell::new(false),
        draws_left: Cell::new(0),
    };
    let breaches = negated_format::list_breaches(format);
    if stop() {
        return Ok(InvalidInputs { untried: breaches.len(), ..found });
    }
    // Mutations of the text are cheap, so they come first in time; in the result they follow the constraints.
    let mut mutations = layout_mutations::break_layout(&checker, &pool);
    for (number, breach) in breaches.iter().enumerate() {
        let (inputs, unbroken) = (found.inputs.len(), found.unbroken.len());
        search.break_constraint(breach, &mut found);
        if stop() {
            // A search that was cut short proves nothing about its constraint.
            found.inputs.truncate(inputs);
            found.unbroken.truncate(unbroken);
            found.untried = breaches.len() - number;
            break;
        }
    }
    found.inputs.append(&mut mutations.inputs);
    found.unbroken.append(&mut mutations.unbroken);
    make_names_unique(&mut found);
    Ok(found)
}

/// Returns why the format's own reader rejects an input, or `None` if it accepts it.
pub fn find_refusal(format: &Format, bytes: &[u8]) -> Option<Diagnostic> {
    match read::read_input(format, bytes) {
        Err(problem) => Some(problem),
        Ok(value) => {
            validate::find_violation(format, &value).map(|broken| validate::explain_violation(format, &value, &broken))
        }
    }
}

/// Makes names unique, even on file systems that ignore case.
fn make_names_unique(found: &mut InvalidInputs) {
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
