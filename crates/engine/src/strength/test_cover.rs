//! The smallest selection of tests that kills each program several times.
//!
//! This is a set cover in which each program demands a number of tests. [`cover_programs`] takes the test that kills
//! the most of the programs in demand, again and again, removes what turned out to be unnecessary, and then searches
//! for a smaller selection by branch and bound. Where the search ends, the selection is the smallest; elsewhere a lower
//! bound says how far from it the selection can be. The bound is the largest of three:
//!
//! - the largest demand of a program;
//! - the sum of the demands of programs that no two share a test;
//! - each program spreads its demand over its tests: a test that serves `n` programs pays at most `1/n` to each, which
//!   is a solution of the dual linear program.

use crate::tuning::{MAX_COVER_NODES, MAX_COVER_PAIRS};

/// A selection of tests.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct TestCover {
    /// The tests: those that are kept in any case, then the others in the order in which they kill the most.
    pub(super) chosen: Vec<usize>,
    /// Number of tests that every selection has at least.
    pub(super) lower_bound: usize,
}

/// The demand of a program: at least so many of these tests.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Need {
    tests: Vec<usize>,
    demand: usize,
}

/// Selects tests so that each program is killed by `depth` of them, or by each that kills it if these are fewer. `kills`
/// has the tests that kill each program, ascending and below `test_count`. The tests in `kept` are selected in any
/// case.
pub(super) fn cover_programs(kills: &[Vec<usize>], test_count: usize, depth: usize, kept: &[usize]) -> TestCover {
    assert!(
        kills.iter().all(|tests| tests.is_sorted_by(|one, next| one < next) && tests.iter().all(|t| *t < test_count)),
        "the tests that kill a program are in order, each once"
    );
    let needs = reduce_needs(kills, depth, kept);
    let mut search = CoverSearch::new(needs, test_count);
    search.best = search.cover_greedily();
    let bound = search.lower_bound();
    search.branch();
    let lower_bound = if search.is_cut_off() { bound } else { search.best.len() };
    let chosen = order_by_kills(kills, kept, &search.best);
    TestCover { chosen, lower_bound: kept.len() + lower_bound }
}

/// Returns what the kept tests leave to demand, without the programs that others imply.
fn reduce_needs(kills: &[Vec<usize>], depth: usize, kept: &[usize]) -> Vec<Need> {
    let to_need = |tests: &Vec<usize>| {
        let left: Vec<usize> = tests.iter().copied().filter(|test| !kept.contains(test)).collect();
        let demand = tests.len().min(depth).saturating_sub(tests.len() - left.len());
        (demand > 0).then_some(Need { tests: left, demand })
    };
    let mut needs: Vec<Need> = kills.iter().filter_map(to_need).collect();
    needs.sort_by(|a, b| a.tests.len().cmp(&b.tests.len()).then(b.demand.cmp(&a.demand)));
    let mut reduced: Vec<Need> = Vec::new();
    for need in needs {
        let is_implied = |by: &Need| by.demand >= need.demand && by.tests.iter().all(|test| need.tests.contains(test));
        if !reduced.iter().any(is_implied) {
            reduced.push(need);
        }
    }
    reduced
}

/// Returns the tests in the order in which a judge that stops at the first failure stops earliest: the kept ones, then
/// always the test that kills the most programs that are alive.
pub(super) fn order_by_kills(kills: &[Vec<usize>], kept: &[usize], chosen: &[usize]) -> Vec<usize> {
    let mut order = kept.to_vec();
    let mut left = chosen.to_vec();
    left.sort_unstable();
    let mut is_alive: Vec<bool> = kills.iter().map(|tests| !tests.iter().any(|test| kept.contains(test))).collect();
    loop {
        let gain = |test: usize| {
            let killed: Vec<bool> = kills.iter().map(|tests| tests.contains(&test)).collect();
            let alive = killed.iter().zip(&is_alive).filter(|(killed, alive)| **killed && **alive).count();
            (alive, killed.iter().filter(|killed| **killed).count())
        };
        // Of equals, the first.
        let Some(at) = (0..left.len()).rev().max_by_key(|at| gain(left[*at])) else { return order };
        let test = left.remove(at);
        for (alive, tests) in is_alive.iter_mut().zip(kills) {
            *alive &= !tests.contains(&test);
        }
        order.push(test);
    }
}

/// The state of a test in the search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum TestState {
    Free,
    Chosen,
    Excluded,
}

/// A branch-and-bound search.
struct CoverSearch {
    needs: Vec<Need>,
    /// The needs that each test serves.
    served: Vec<Vec<usize>>,
    states: Vec<TestState>,
    /// The unmet part of each demand.
    left: Vec<usize>,
    chosen: Vec<usize>,
    best: Vec<usize>,
    nodes: usize,
    max_nodes: usize,
}

impl CoverSearch {
    fn new(needs: Vec<Need>, test_count: usize) -> CoverSearch {
        let mut served = vec![Vec::new(); test_count];
        for (number, need) in needs.iter().enumerate() {
            need.tests.iter().for_each(|test| served[*test].push(number));
        }
        let left = needs.iter().map(|need| need.demand).collect();
        let states = vec![TestState::Free; test_count];
        let pairs = served.iter().map(Vec::len).sum::<usize>().max(1);
        let max_nodes = MAX_COVER_NODES.min(MAX_COVER_PAIRS / pairs).max(1);
        CoverSearch { needs, served, states, left, chosen: Vec::new(), best: Vec::new(), nodes: 0, max_nodes }
    }

    fn is_cut_off(&self) -> bool {
        self.nodes >= self.max_nodes
    }

    /// Returns the number of unmet demands that a test serves.
    fn gain(&self, test: usize) -> usize {
        self.served[test].iter().filter(|need| self.left[**need] > 0).count()
    }

    /// Returns the gain of each test. Each step of the search needs those of all tests, so unmet needs are counted once
    /// for all of their tests.
    fn gains(&self) -> Vec<usize> {
        let mut gains = vec![0; self.served.len()];
        for need in self.unmet_needs() {
            self.needs[need].tests.iter().for_each(|test| gains[*test] += 1);
        }
        gains
    }

    fn free_tests(&self, need: usize) -> impl Iterator<Item = usize> {
        self.needs[need].tests.iter().copied().filter(|test| self.states[*test] == TestState::Free)
    }

    fn unmet_needs(&self) -> impl Iterator<Item = usize> {
        (0..self.needs.len()).filter(|need| self.left[*need] > 0)
    }

    /// Returns a selection: the test with the largest gain again and again, then without those that are not needed.
    fn cover_greedily(&self) -> Vec<usize> {
        let mut search = CoverSearch::new(self.needs.clone(), self.served.len());
        while search.unmet_needs().next().is_some() {
            let free = (0..search.states.len()).rev().filter(|test| search.states[*test] == TestState::Free);
            let gains = search.gains();
            // A demand is at most the number of its tests.
            let Some(test) = free.max_by_key(|test| gains[*test]) else { break };
            search.choose(test);
        }
        let mut chosen = search.chosen;
        for test in chosen.clone().into_iter().rev() {
            let is_enough = |need: &Need| {
                need.tests.iter().filter(|other| **other != test && chosen.contains(other)).count() >= need.demand
            };
            if self.needs.iter().all(is_enough) {
                chosen.retain(|other| *other != test);
            }
        }
        chosen
    }

    fn choose(&mut self, test: usize) {
        self.states[test] = TestState::Chosen;
        self.chosen.push(test);
        for need in &self.served[test] {
            self.left[*need] = self.left[*need].saturating_sub(1);
        }
    }

    /// Undoes the last choice, given the unmet demands before it.
    fn undo_choice(&mut self, test: usize, left: &[usize]) {
        self.states[test] = TestState::Free;
        self.chosen.pop();
        self.left.copy_from_slice(left);
    }

    /// Returns a lower bound for the number of tests that have to be added.
    fn lower_bound(&self) -> usize {
        let largest = self.unmet_needs().map(|need| self.left[need]).max().unwrap_or(0);
        largest.max(self.disjoint_demand()).max(self.dual_bound())
    }

    /// Returns the sum of the demands of programs that no two share a test.
    fn disjoint_demand(&self) -> usize {
        let mut order: Vec<usize> = self.unmet_needs().collect();
        order.sort_by_cached_key(|need| (self.free_tests(*need).count(), *need));
        let mut is_taken = vec![false; self.served.len()];
        let mut sum = 0;
        for need in order {
            if self.free_tests(need).all(|test| !is_taken[test]) {
                self.free_tests(need).for_each(|test| is_taken[test] = true);
                sum += self.left[need];
            }
        }
        sum
    }

    /// Returns the value of a solution of the dual linear program, rounded up.
    fn dual_bound(&self) -> usize {
        let gains = self.gains();
        let price = |need: usize| {
            let most_shared = self.free_tests(need).map(|test| gains[test]).max().unwrap_or(1);
            self.left[need] as f64 / most_shared.max(1) as f64
        };
        // Rounding errors must not raise the bound.
        (self.unmet_needs().map(price).sum::<f64>() - 1e-6).ceil().max(0.0) as usize
    }

    /// Looks for a smaller selection among those that contain the chosen tests and none of the excluded ones.
    fn branch(&mut self) {
        self.nodes += 1;
        if self.is_cut_off() || self.chosen.len() + self.lower_bound() >= self.best.len() {
            return;
        }
        // The need with the least choice.
        let slack = |need: &usize| self.free_tests(*need).count() as isize - self.left[*need] as isize;
        let Some(need) = self.unmet_needs().min_by_key(slack) else {
            self.best.clone_from(&self.chosen);
            return;
        };
        let mut tests: Vec<usize> = self.free_tests(need).collect();
        tests.sort_by_cached_key(|test| std::cmp::Reverse(self.gain(*test)));
        let left = self.left.clone();
        for (tried, test) in tests.iter().enumerate() {
            if tests.len() - tried < left[need] {
                break;
            }
            self.choose(*test);
            self.branch();
            self.undo_choice(*test, &left);
            self.states[*test] = TestState::Excluded;
        }
        for test in tests {
            self.states[test] = TestState::Free;
        }
    }
}

// The tests that differ the most from those that are selected.

/// Number of halvings after which a property counts as little as it ever will.
const MAX_HALVINGS: usize = 40;

/// A test as the properties that it has, and its size.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct TestTraits {
    /// The properties, by number.
    pub(super) properties: Vec<usize>,
    /// Number of bytes of the input.
    pub(super) bytes: usize,
}

/// Selects further tests until there are `most`, always the one that differs the most from those before: each of its
/// properties counts half as much for each selected test that has it. Of equals, the largest is selected, and then the
/// first. Returns the tests that were added, in this order.
pub(super) fn add_different_tests(tests: &[TestTraits], selected: &[usize], most: usize) -> Vec<usize> {
    let count = tests.iter().flat_map(|test| &test.properties).max().map_or(0, |last| last + 1);
    let mut seen = vec![0; count];
    let see = |test: usize, seen: &mut Vec<usize>| tests[test].properties.iter().for_each(|which| seen[*which] += 1);
    selected.iter().for_each(|test| see(*test, &mut seen));
    let mut left: Vec<usize> = (0..tests.len()).filter(|test| !selected.contains(test)).collect();
    let mut added = Vec::new();
    while selected.len() + added.len() < most {
        let weight = |which: &usize| 1_u64 << (MAX_HALVINGS - seen[*which].min(MAX_HALVINGS));
        let gain = |test: usize| tests[test].properties.iter().map(weight).sum::<u64>();
        // Of equals, the maximum is the last.
        let best = (0..left.len()).rev().max_by_key(|at| (gain(left[*at]), tests[left[*at]].bytes));
        let Some(best) = best else { break };
        let test = left.remove(best);
        see(test, &mut seen);
        added.push(test);
    }
    added
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    /// Returns true if the selection meets every demand.
    fn is_cover(kills: &[Vec<usize>], depth: usize, chosen: &[usize]) -> bool {
        kills.iter().all(|tests| tests.iter().filter(|t| chosen.contains(t)).count() >= tests.len().min(depth))
    }

    /// Returns the size of the smallest selection, by trying all.
    fn smallest_size(kills: &[Vec<usize>], tests: usize, depth: usize, kept: &[usize]) -> Option<usize> {
        let chosen = |set: u32| (0..tests).filter(|t| set >> t & 1 == 1).collect::<Vec<_>>();
        let covers = (0..1u32 << tests).map(chosen).filter(|set| kept.iter().all(|test| set.contains(test)));
        covers.filter(|set| is_cover(kills, depth, set)).map(|set| set.len()).min()
    }

    #[test]
    fn selection_is_the_smallest() {
        let mut state = 1u64;
        let mut draw = |below: u64| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) % below
        };
        for round in 0..300 {
            let (tests, programs, depth) = (1 + draw(8) as usize, draw(9) as usize, 1 + draw(4) as usize);
            let density = 1 + draw(7);
            let row = |draw: &mut dyn FnMut(u64) -> u64| (0..tests).filter(|_| draw(8) < density).collect::<Vec<_>>();
            let kills: Vec<Vec<usize>> = (0..programs).map(|_| row(&mut draw)).collect();
            let kept: Vec<usize> = (0..tests).filter(|_| draw(5) == 0).collect();
            let cover = cover_programs(&kills, tests, depth, &kept);
            let context = format!("round {round}: {kills:?}, depth {depth}, kept {kept:?}: {cover:?}");
            assert!(is_cover(&kills, depth, &cover.chosen), "{context}");
            assert!(cover.chosen.starts_with(&kept), "{context}");
            assert_eq!(Some(cover.chosen.len()), smallest_size(&kills, tests, depth, &kept), "{context}");
            assert_eq!(cover.lower_bound, cover.chosen.len(), "{context}");
        }
    }

    #[test]
    fn bound_holds_where_the_search_is_cut_off() {
        // Each of 120 programs is killed by five of 120 tests: far too many selections to try.
        let mut state = 7u64;
        let mut draw = |below: u64| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) % below
        };
        let row = |draw: &mut dyn FnMut(u64) -> u64| (0..5).map(|_| draw(120) as usize).collect::<BTreeSet<_>>();
        let kills: Vec<Vec<usize>> = (0..120).map(|_| row(&mut draw).into_iter().collect()).collect();
        let cover = cover_programs(&kills, 120, 1, &[]);
        assert!(is_cover(&kills, 1, &cover.chosen));
        let most_killed = (0..120).map(|test| kills.iter().filter(|by| by.contains(&test)).count()).max().unwrap_or(1);
        assert!(cover.lower_bound >= 120usize.div_ceil(most_killed), "{cover:?}");
        assert!(cover.lower_bound < cover.chosen.len(), "{cover:?}");
    }

    #[test]
    fn large_searches_have_fewer_nodes() {
        let need = |tests: usize| Need { tests: (0..tests).collect(), demand: 1 };
        assert_eq!(CoverSearch::new(vec![need(5)], 5).max_nodes, MAX_COVER_NODES);
        let large = CoverSearch::new(vec![need(1000); 300], 1000);
        assert_eq!(large.max_nodes, MAX_COVER_PAIRS / 300_000);
    }

    #[test]
    fn tests_that_kill_the_most_come_first() {
        let kills = [vec![0, 3], vec![1, 3], vec![1], vec![2], vec![2], vec![2]];
        let cover = cover_programs(&kills, 4, 1, &[0]);
        assert_eq!(cover, TestCover { chosen: vec![0, 2, 1], lower_bound: 3 });
    }

    #[test]
    fn programs_that_nothing_kills_demand_nothing() {
        assert_eq!(cover_programs(&[vec![], vec![1]], 3, 5, &[]).chosen, [1]);
        assert_eq!(cover_programs(&[], 3, 5, &[2]), TestCover { chosen: vec![2], lower_bound: 1 });
    }

    fn test(bytes: usize, properties: &[usize]) -> TestTraits {
        TestTraits { properties: properties.to_vec(), bytes }
    }

    #[test]
    fn rare_properties_come_first() {
        let tests = [test(1, &[0]), test(1, &[0, 1]), test(1, &[0, 2, 3]), test(1, &[2, 3])];
        assert_eq!(add_different_tests(&tests, &[0], 3), [2, 1], "of the last nothing is new then");
        assert_eq!(add_different_tests(&tests, &[0], 9), [2, 1, 3], "there are no others");
        assert!(add_different_tests(&tests, &[0, 1], 2).is_empty());
    }

    #[test]
    fn of_equals_the_largest_and_then_the_first_is_selected() {
        let tests = [test(5, &[0]), test(7, &[0]), test(7, &[0]), test(1, &[])];
        assert_eq!(add_different_tests(&tests, &[], 4), [1, 2, 0, 3]);
    }
}
