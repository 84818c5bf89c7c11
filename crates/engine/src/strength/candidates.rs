//! Chooses a test set from many candidates: the smallest that kills each wrong program several times.
//!
//! The wrong programs are wrong submissions and mutants. A program that most candidates kill tells nothing about any of
//! them, so it is run only until it has died often enough. The programs that demand a particular test are those that few
//! candidates kill, and these are run on each. The selection is made for them first; then the others are run on the
//! selected tests, and tests are added for those that still live.
//!
//! That is what the known programs demand, and few tests suffice: most of them are small, since small inputs kill nearly
//! everything. A mistake that no known program makes may show elsewhere. So the rest of the tests are those candidates
//! that differ the most from the selected ones, by the properties of inputs and the programs that they kill.
//!
//! Runs that exceed a time limit kill nothing here, since another machine could decide otherwise. What has to be large
//! is a test of its own.

use super::mutation::MutationPlan;
use super::target_runs::{Target, WrongSubmission, collect_targets, run_missing, run_until_killed};
use super::test_cover::{TestTraits, add_different_tests, cover_programs, order_by_kills};
use crate::build::InputProperty;
use crate::event::{CandidateNovelty, CandidateSelection, EventSink};
use crate::tuning::SURPLUS_KILLS;
use rebut_diagnostics::Result;
use rebut_format::language::{FieldId, Format, reachable_range};
use rebut_packages::{digest_parts, read_file};
use std::collections::{BTreeMap, BTreeSet};

/// The candidates, the programs that the selection has to kill, and how many tests it may have.
pub struct SelectionPlan<'a> {
    /// The candidates as the test cases of a package, and the accepted submissions to mutate.
    pub mutation: &'a MutationPlan<'a>,
    /// Wrong submissions.
    pub wrong: Vec<WrongSubmission>,
    /// The tests that are part of every selection: samples and those made by hand.
    pub kept: Vec<usize>,
    /// Number of tests that kill each program, if so many candidates do.
    pub depth: usize,
    /// Number of tests, if there are so many candidates. Where more would be needed, programs are killed fewer times.
    pub tests: usize,
    /// The properties of each candidate, by which the tests are selected that the programs do not demand.
    pub properties: Vec<BTreeSet<InputProperty>>,
}

/// The tests that were selected.
pub struct SelectedTests {
    /// Indices of the tests: the kept ones, those that the programs demand in the order in which they kill the most, and
    /// the others in the order in which they differ the most.
    pub chosen: Vec<usize>,
    /// The selection in figures.
    pub selection: CandidateSelection,
}

/// Selects tests.
///
/// # Errors
/// Returns an error if a file cannot be read, if a program cannot be started, or if the work was cancelled.
pub fn select_tests(plan: &SelectionPlan<'_>, sink: &mut dyn EventSink) -> Result<SelectedTests> {
    let mut targets = collect_targets(plan.mutation, &plan.wrong, sink)?;
    let enough = plan.depth + SURPLUS_KILLS;
    run_until_killed(plan.mutation, &mut targets, enough, sink)?;
    let programs = targets.len();
    targets.retain(|target| !target.is_given_up());
    let timed_out = programs - targets.len();
    let rare: Vec<Vec<usize>> =
        targets.iter().filter(|target| target.kill_count() < enough).map(Target::kills).collect();
    let tests = plan.mutation.package.cases.len();
    let (depth, first) = deepest_cover(&rare, tests, plan);
    run_missing(plan.mutation, &mut targets, &first.chosen)?;
    let kills: Vec<Vec<usize>> = targets.iter().map(Target::kills).collect();
    let needed = complete_selection(plan, &kills, first.chosen, depth);
    let traits = describe_tests(plan, &kills)?;
    let added = add_different_tests(&traits, &needed, plan.tests);
    let chosen = [needed.as_slice(), &added].concat();
    let is_killed = |tests: &&Vec<usize>| tests.iter().any(|test| chosen.contains(test));
    let selection = CandidateSelection {
        candidates: tests,
        tests: chosen.len(),
        needed: needed.len(),
        depth: reached_depth(&kills, &needed, plan.depth),
        lower_bound: first.lower_bound.max(largest_demand(&kills, depth)),
        programs,
        timed_out,
        killed: kills.iter().filter(is_killed).count(),
        killable: kills.iter().filter(|tests| !tests.is_empty()).count(),
        novelty: measure_novelty(&rare, &shuffle_drawn(plan)),
    };
    Ok(SelectedTests { chosen, selection })
}

/// Adds the tests that the programs need that most candidates kill, and, if the selection kills each fewer times than the
/// plan demands, those that kill most of them once more. Orders the tests so that a judge that stops at the first failure
/// stops early.
fn complete_selection(plan: &SelectionPlan<'_>, kills: &[Vec<usize>], first: Vec<usize>, depth: usize) -> Vec<usize> {
    let tests = plan.mutation.package.cases.len();
    let most = plan.tests.max(plan.kept.len());
    let anew = cover_programs(kills, tests, depth, &plan.kept).chosen;
    let mut chosen = cover_programs(kills, tests, depth, &first).chosen;
    if anew.len() < chosen.len() {
        chosen = anew;
    }
    chosen.truncate(most);
    chosen = cover_programs(kills, tests, plan.depth, &chosen).chosen;
    chosen.truncate(most);
    let others: Vec<usize> = chosen.into_iter().filter(|test| !plan.kept.contains(test)).collect();
    order_by_kills(kills, &plan.kept, &others)
}

#[derive(PartialEq, Eq, PartialOrd, Ord)]
enum TestProperty<'a> {
    Input(&'a InputProperty),
    /// It kills the program with this index.
    Kill(usize),
}

/// Returns the properties of each test, and its size.
fn describe_tests(plan: &SelectionPlan<'_>, kills: &[Vec<usize>]) -> Result<Vec<TestTraits>> {
    let mut numbers: BTreeMap<TestProperty<'_>, usize> = BTreeMap::new();
    let mut traits = Vec::new();
    for (test, (case, of_input)) in plan.mutation.package.cases.iter().zip(&plan.properties).enumerate() {
        let killed = (0..kills.len()).filter(|program| kills[*program].contains(&test)).map(TestProperty::Kill);
        let all = of_input.iter().map(TestProperty::Input).chain(killed);
        let properties = all.map(|property| {
            let next = numbers.len();
            *numbers.entry(property).or_insert(next)
        });
        traits.push(TestTraits { properties: properties.collect(), bytes: read_file(&case.input)?.len() });
    }
    Ok(traits)
}

/// Returns the number of tests that a program needs which needs the most.
fn largest_demand(kills: &[Vec<usize>], depth: usize) -> usize {
    kills.iter().map(|tests| tests.len().min(depth)).max().unwrap_or(0)
}

/// Returns how many of the chosen tests kill each program, if so many tests do; at most `depth`.
fn reached_depth(kills: &[Vec<usize>], chosen: &[usize], depth: usize) -> usize {
    let chosen_of = |tests: &Vec<usize>| tests.iter().filter(|test| chosen.contains(test)).count();
    let short = kills.iter().filter(|tests| chosen_of(tests) < tests.len());
    short.map(chosen_of).min().unwrap_or(depth).min(depth)
}

/// A selection, and the number of tests that every selection has at least.
struct BoundedCover {
    chosen: Vec<usize>,
    lower_bound: usize,
}

/// Returns the selection that kills the most times within the maximum number of tests, at least once, and how many times.
fn deepest_cover(kills: &[Vec<usize>], tests: usize, plan: &SelectionPlan<'_>) -> (usize, BoundedCover) {
    let cover = |depth: usize| {
        let cover = cover_programs(kills, tests, depth, &plan.kept);
        (depth, BoundedCover { chosen: cover.chosen, lower_bound: cover.lower_bound })
    };
    let fits = |(_, cover): &(usize, BoundedCover)| cover.chosen.len() <= plan.tests;
    let mut best = cover(plan.depth);
    if fits(&best) {
        return best;
    }
    while best.0 > 1 && !fits(&best) {
        best = cover(best.0 - 1);
    }
    best
}

/// Returns the drawn candidates in a random order that depends on their names only. The recipe has one entry after the
/// other, so that the last candidates in its order would be those of one entry.
fn shuffle_drawn(plan: &SelectionPlan<'_>) -> Vec<usize> {
    let cases = &plan.mutation.package.cases;
    let mut drawn: Vec<usize> = (0..cases.len()).filter(|test| !plan.kept.contains(test)).collect();
    drawn.sort_by_cached_key(|test| digest_parts(&[&cases[*test].name]));
    drawn
}

/// Counts the sets of programs that the drawn candidates kill, in this order.
fn measure_novelty(rare: &[Vec<usize>], drawn: &[usize]) -> CandidateNovelty {
    let mut signatures: BTreeMap<Vec<usize>, u64> = BTreeMap::new();
    let mut last_new = 0;
    for (number, test) in drawn.iter().enumerate() {
        let signature: Vec<usize> = (0..rare.len()).filter(|program| rare[*program].contains(test)).collect();
        let count = signatures.entry(signature).or_default();
        *count += 1;
        if *count == 1 {
            last_new = number + 1;
        }
    }
    let with_count = |wanted: u64| signatures.values().filter(|count| **count == wanted).count() as u64;
    CandidateNovelty {
        inputs: drawn.len() as u64,
        signatures: signatures.len() as u64,
        seen_once: with_count(1),
        seen_twice: with_count(2),
        since_new: (drawn.len() - last_new) as u64,
    }
}

/// Returns the ends of the ranges of all numbers and lengths, ascending.
pub fn input_bounds(format: &Format) -> Vec<i128> {
    let of_field = |id: FieldId| {
        let field = format.field(id);
        let range = field.alphabet().is_none().then(|| reachable_range(format, id));
        let length = field.has_free_length().then_some(field.length);
        range.into_iter().chain(length).flat_map(|range| [range.lo, range.hi])
    };
    let bounds: BTreeSet<i128> = (0..format.fields.len()).map(FieldId).flat_map(of_field).collect();
    bounds.into_iter().collect()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests")]

    use super::*;
    use rebut_diagnostics::SourceText;

    #[test]
    fn new_signatures_become_rare() {
        // Of six drawn inputs, the first and the fourth kill program 0, the third kills both.
        let rare = [vec![1, 3, 4], vec![3]];
        let novelty = measure_novelty(&rare, &[1, 2, 3, 4, 5, 6]);
        let expected = CandidateNovelty { inputs: 6, signatures: 3, seen_once: 1, seen_twice: 1, since_new: 3 };
        assert_eq!(novelty, expected);
    }
    #[test]
    fn depth_is_that_of_the_program_that_is_killed_the_fewest_times() {
        let kills = [vec![0, 1, 2], vec![2, 3], vec![1], vec![]];
        assert_eq!(reached_depth(&kills, &[1, 2, 3], 5), 2, "one test of the first is missing");
        assert_eq!(reached_depth(&kills, &[0, 1, 2, 3], 5), 5, "nothing kills them more often");
        assert_eq!(reached_depth(&kills, &[0, 2], 5), 0, "the third lives");
    }

    #[test]
    fn bounds_of_numbers_and_lengths_are_found() {
        let text = "n; a[n]; s where 1 <= n <= 1000; -5 <= a <= 10^9; 1 <= len(s) <= 70; s over \"a-z\"";
        let (format, _) = Format::parse(&SourceText::new("test", text)).unwrap();
        assert_eq!(input_bounds(&format), [-5, 1, 70, 1000, 1_000_000_000]);
    }
}
