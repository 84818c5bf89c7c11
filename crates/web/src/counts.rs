//! The smallest inputs of a format.

use crate::limits::{MAX_NODES, bound_steps, shown_input};
use rebut_diagnostics::group_thousands;
use rebut_format::enumerate::{Enumerator, element_count_range, try_count_inputs};
use rebut_format::generate::GenerationPlan;
use rebut_format::language::Format;
use rebut_format::print::print_value;
use serde::Serialize;
use std::sync::atomic::{AtomicU64, Ordering};

/// Maximum number of sizes that are counted.
const MAX_SIZES: i128 = 12;
/// Maximum number of inputs that are listed.
const MAX_LISTED: usize = 12;

/// The number of inputs of each of the smallest sizes.
#[derive(Serialize)]
pub(crate) struct SmallestInputs {
    sizes: Vec<SizeCount>,
    /// Whether larger inputs were not counted.
    has_more: bool,
    /// The first inputs in the order of the search.
    first: Vec<FirstInput>,
}

/// Number of inputs of a size.
#[derive(Serialize)]
struct SizeCount {
    /// Number of numbers and characters.
    elements: i128,
    /// Number of inputs with so many elements, in groups of three digits.
    inputs: String,
}

/// An input and its size.
#[derive(Serialize)]
struct FirstInput {
    elements: usize,
    text: String,
}

/// Counts the smallest inputs, as far as the steps suffice, and lists the first of them.
pub(crate) fn count_smallest_inputs(format: &Format) -> SmallestInputs {
    let (sizes, has_more) = count_by_size(&bound_steps(format));
    SmallestInputs { sizes, has_more, first: list_first_inputs(&bound_steps(format)) }
}

fn count_by_size(format: &Format) -> (Vec<SizeCount>, bool) {
    let plan = GenerationPlan::new(format);
    let range = element_count_range(&plan);
    let nodes = AtomicU64::new(0);
    let stop = || is_spent(&nodes, format);
    let (mut sizes, mut total) = (Vec::new(), 0);
    for elements in range.lo.max(0)..=range.hi {
        let most = usize::try_from(elements).unwrap_or(usize::MAX);
        let counted = try_count_inputs(&plan, most, &stop).ok().flatten();
        let Some(counted) = counted.filter(|_| !stop() && (sizes.len() as i128) < MAX_SIZES) else {
            return (sizes, true);
        };
        if counted > total {
            sizes.push(SizeCount { elements, inputs: group_thousands(counted - total) });
            total = counted;
        }
    }
    (sizes, false)
}

/// Counts a visited node. Returns true if all nodes or steps are spent.
fn is_spent(nodes: &AtomicU64, format: &Format) -> bool {
    nodes.fetch_add(1, Ordering::Relaxed) > MAX_NODES || format.stop_token.is_stopped()
}

fn list_first_inputs(format: &Format) -> Vec<FirstInput> {
    let plan = GenerationPlan::new(format);
    let nodes = AtomicU64::new(0);
    let stop = || is_spent(&nodes, format);
    let first = Enumerator::new(&plan, usize::MAX, &stop)
        .take(MAX_LISTED)
        .map(|value| FirstInput { elements: value.element_count(), text: shown_input(&print_value(format, &value)) });
    first.collect()
}
