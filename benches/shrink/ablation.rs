//! What each pass contributes: the same searches with one pass left out at a time.
//!
//! A pass without which as many starts reach their minimum, with fewer queries, is a candidate for removal. All passes
//! together are measured first, to compare with.

use crate::{BLIND_AND_LATER, Task, Wanted, parsed, starts, tasks};
use rebut_format::generate::GenerationPlan;
use rebut_format::print::print_value;
use rebut_format::shrink::{pass_names, shrink_without_passes};

/// The sums over all starts of all tasks.
#[derive(Default)]
struct Totals {
    starts: usize,
    reached: usize,
    elements: usize,
    queries: usize,
}

/// Prints a line for all passes together, and one for each pass that is left out.
pub(crate) fn measure_passes(wanted: &Wanted) {
    println!("{:28} {:>7} {:>8} {:>9} {:>9}", "left out", "starts", "reached", "elements", "queries");
    for name in [None].into_iter().chain(pass_names().map(Some)) {
        let left_out: Vec<&str> = name.into_iter().collect();
        let mut totals = Totals::default();
        for task in tasks::TASKS.iter().chain(BLIND_AND_LATER.into_iter().flatten()) {
            if task.name.contains(&wanted.only) {
                totals.add_task(task, &left_out, wanted);
            }
        }
        let Totals { starts, reached, elements, queries } = totals;
        println!("{:28} {starts:>7} {reached:>8} {elements:>9} {queries:>9}", name.unwrap_or("none"));
    }
}

impl Totals {
    fn add_task(&mut self, task: &Task, left_out: &[&str], wanted: &Wanted) {
        let Some(format) = parsed(task.format) else { return };
        let plan = GenerationPlan::new(&format);
        for start in starts(task, &format, wanted) {
            let mut predicate = task.predicate(&format, 1);
            let shrunk = shrink_without_passes(&plan, start, left_out, &mut predicate);
            self.starts += 1;
            self.reached += usize::from(print_value(&format, &shrunk.value) == task.minimum.as_bytes());
            self.elements += shrunk.value.element_count();
            self.queries += predicate.asked;
        }
    }
}
