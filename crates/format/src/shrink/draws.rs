//! Shrinking of the draws of a generator program.
//!
//! A generator knows what a valid input is, and every list of draws makes one. So where there is no format, or where
//! an input only makes sense as a whole, its draws are shrunk instead of its text. Inputs are ordered by their size first,
//! since fewer draws can make a larger board; then lists by length, and by their numbers; a smaller list mostly makes a
//! smaller and simpler input, as in Hypothesis. A candidate is what the generator really drew from a list: numbers reduced
//! to what is possible, without those that it did not need. It is accepted if it is smaller and its input fails, so the
//! search terminates. A list from which something was deleted is filled up with zeros; a generator that needs more than
//! that fails, so that no candidate has more draws than the best.

use super::oracle::{Oracle, ShrinkStopped};
use super::pass_statistics::{AcceptedCounts, PassCounters};
use super::search::{ShrinkResult, text_fingerprint};
use super::speculation::MeasuredSearch;
use crate::tuning::{
    BATCH_REQUESTS, MAX_BATCH_BYTES, MAX_DRAW_DISTANCE, MAX_LEADING_DRAWS, MAX_SIBLINGS, SMALL_DRAW_LIMIT,
};
use rebut_generators::DrawRequest;
use std::collections::HashSet;
use std::time::Duration;

/// An input of a generator program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DrawnInput {
    /// The intended size, from 0 to 100.
    pub growth: u32,
    /// All draws. `None` if there were too many for a log.
    pub draws: Option<Vec<u64>>,
    /// The text of the input.
    pub text: Vec<u8>,
    /// Number of elements by the format, or of bytes without one.
    pub size: usize,
}

impl DrawnInput {
    /// Returns the request that makes this input again.
    pub fn to_request(&self) -> DrawRequest {
        DrawRequest { seed: None, growth: self.growth, draws: self.known_draws().to_vec() }
    }

    fn known_draws(&self) -> &[u64] {
        self.draws.as_deref().unwrap_or_default()
    }

    /// Returns true if this is smaller than another, or of the same size and before it in the order of draws. What is
    /// unknown is larger than anything known.
    fn is_smaller_than(&self, other: &DrawnInput) -> bool {
        // `None` would come first in the order of options.
        fn order_key(input: &DrawnInput) -> (usize, bool, usize, &[u64], u32) {
            let draws = input.known_draws();
            (input.size, input.draws.is_none(), draws.len(), draws, input.growth)
        }
        self.draws.is_some() && order_key(self) < order_key(other)
    }
}

/// Runs the generator on requests. The result is `None` for each that makes no valid input.
pub type RunGenerator<'g> = dyn FnMut(&[DrawRequest]) -> Vec<Option<DrawnInput>> + 'g;

/// Shrinks the draws of a failing input. `run_generator` makes the inputs of candidates, and the oracle decides which
/// of them fail.
pub fn shrink_draws(
    start: DrawnInput,
    run_generator: &mut RunGenerator<'_>,
    oracle: &mut dyn Oracle<Vec<u8>>,
) -> ShrinkResult<DrawnInput> {
    let mut search = DrawSearch {
        best: start,
        run_generator,
        oracle,
        seen: HashSet::new(),
        passing: HashSet::new(),
        counters: PassCounters::default(),
        accepted: AcceptedCounts::default(),
    };
    let siblings_done = search.run_measured("draw smaller inputs", DrawSearch::try_siblings);
    let done = siblings_done.and_then(|()| {
        search
            .repeat_rounds(|search| DRAW_PASSES.into_iter().try_for_each(|(name, run)| search.run_measured(name, run)))
    });
    ShrinkResult::from_counters(search.best, done.is_ok(), search.counters, &search.accepted)
}

/// A pass over draws, with its name.
type DrawPass = (&'static str, fn(&mut DrawSearch<'_>) -> Result<(), ShrinkStopped>);

/// The passes in their order.
const DRAW_PASSES: [DrawPass; 9] = [
    ("delete draws", |search| search.delete_draws()),
    ("zero draws", |search| search.zero_draws()),
    ("lower growth", |search| search.lower_growth()),
    ("lower draws", |search| search.lower_draws()),
    ("shorten lists", |search| search.shorten_lists()),
    ("lower equal draws", |search| search.lower_equal_draws()),
    ("swap draws", |search| search.swap_draws()),
    ("shift draws", |search| search.shift_draws()),
    ("lower draw pairs", |search| search.lower_draw_pairs()),
];

struct DrawSearch<'s> {
    best: DrawnInput,
    run_generator: &'s mut RunGenerator<'s>,
    oracle: &'s mut dyn Oracle<Vec<u8>>,
    /// Requests for which the generator was run.
    seen: HashSet<DrawRequest>,
    /// Fingerprints of the texts that do not fail.
    passing: HashSet<u128>,
    counters: PassCounters,
    accepted: AcceptedCounts,
}

impl MeasuredSearch for DrawSearch<'_> {
    fn elapsed_time(&self) -> Duration {
        self.oracle.elapsed_time()
    }

    fn counters(&mut self) -> &mut PassCounters {
        &mut self.counters
    }

    fn step_count(&self) -> usize {
        self.accepted.total()
    }
}

impl DrawSearch<'_> {
    fn draws(&self) -> &[u64] {
        self.best.known_draws()
    }

    fn len(&self) -> usize {
        self.draws().len()
    }

    /// Returns the request for the best draws with some change.
    fn changed(&self, change: impl FnOnce(&mut Vec<u64>)) -> DrawRequest {
        let mut request = self.best.to_request();
        change(&mut request.draws);
        request.draws.resize(self.len(), 0);
        request
    }

    /// Tries a candidate. Returns true if it was accepted.
    fn attempt(&mut self, change: impl FnOnce(&mut Vec<u64>)) -> Result<bool, ShrinkStopped> {
        let request = self.changed(change);
        self.attempt_first([request])
    }

    /// Tries candidates in order of preference and accepts the first that fails. Returns true if one was accepted.
    fn attempt_first(&mut self, requests: impl IntoIterator<Item = DrawRequest>) -> Result<bool, ShrinkStopped> {
        let mut waiting = requests.into_iter();
        loop {
            let batch = self.next_batch(&mut waiting);
            if batch.is_empty() {
                return Ok(false);
            }
            if self.oracle.should_stop() {
                return Err(ShrinkStopped);
            }
            let made: Vec<DrawnInput> = (self.run_generator)(&batch).into_iter().flatten().collect();
            if self.accept_first(made)? {
                return Ok(true);
            }
        }
    }

    /// Takes the next requests that were not made before. Large inputs are made a few at a time.
    fn next_batch(&mut self, waiting: &mut dyn Iterator<Item = DrawRequest>) -> Vec<DrawRequest> {
        let width = (MAX_BATCH_BYTES / self.best.text.len().max(1)).clamp(1, BATCH_REQUESTS);
        waiting.filter(|request| self.seen.insert(request.clone())).take(width).collect()
    }

    /// Accepts the first of some inputs that is smaller and fails. One with the text of the best input fails as that
    /// does.
    fn accept_first(&mut self, mut made: Vec<DrawnInput>) -> Result<bool, ShrinkStopped> {
        made.retain(|input| {
            input.is_smaller_than(&self.best) && !self.passing.contains(&text_fingerprint(&input.text))
        });
        let known = made.iter().position(|input| input.text == self.best.text).unwrap_or(made.len());
        let mut texts: Vec<Vec<u8>> = made[..known].iter().map(|input| input.text.clone()).collect();
        let failing = if texts.is_empty() { None } else { self.oracle.first_failing(&texts)?.filter(|i| *i < known) };
        let pass = self.counters.current_pass();
        self.counters.count_tried(pass, failing.map_or(known, |at| at + 1));
        texts.truncate(failing.unwrap_or(known));
        self.passing.extend(texts.iter().map(|text| text_fingerprint(text)));
        let at = failing.unwrap_or(known);
        if at == made.len() {
            return Ok(false);
        }
        self.accepted.count_accepted(pass);
        self.best = made.swap_remove(at);
        Ok(true)
    }

    /// Tries other inputs of the generator, of increasing growth. They are often much smaller, and their draws are
    /// known even if those of the first input are too many.
    fn try_siblings(&mut self) -> Result<(), ShrinkStopped> {
        let largest = self.best.growth;
        let sibling = |number: u32| DrawRequest {
            seed: Some(u64::from(number)),
            growth: (u64::from(largest) * u64::from(number) / u64::from(MAX_SIBLINGS)) as u32,
            draws: Vec::new(),
        };
        self.attempt_first((0..MAX_SIBLINGS).map(sibling)).map(|_| ())
    }

    /// Deletes runs of draws: long ones first, from the end, since what is drawn last is needed least.
    fn delete_draws(&mut self) -> Result<(), ShrinkStopped> {
        let mut size = self.len().div_ceil(2);
        while size > 0 {
            let mut end = self.len();
            while end > 0 {
                let start = end.saturating_sub(size);
                // After a success, the same place is tried again.
                if !self.attempt(|draws| drop(draws.drain(start..end)))? {
                    end -= if size > 2 { size.min(end) } else { 1 };
                }
                end = end.min(self.len());
            }
            size = if size > 8 { size / 2 } else { size - 1 };
        }
        Ok(())
    }

    /// Sets runs of draws to zero, long ones first.
    fn zero_draws(&mut self) -> Result<(), ShrinkStopped> {
        let mut size = self.len();
        while size > 0 {
            let mut end = self.len();
            while end > 0 {
                let start = end.saturating_sub(size);
                if self.draws()[start..end].iter().any(|draw| *draw > 0) {
                    self.attempt(|draws| draws[start..end].fill(0))?;
                }
                end = start.min(self.len());
            }
            size /= 2;
        }
        Ok(())
    }

    fn lower_growth(&mut self) -> Result<(), ShrinkStopped> {
        self.bisect(u64::from(self.best.growth), &mut |search, growth| {
            let request = DrawRequest { growth: growth as u32, ..search.best.to_request() };
            search.attempt_first([request])
        })
    }

    /// Lowers a number from `highest`, which fails, to the lowest that does, as if failures were monotone.
    fn bisect(
        &mut self,
        highest: u64,
        attempt: &mut dyn FnMut(&mut Self, u64) -> Result<bool, ShrinkStopped>,
    ) -> Result<(), ShrinkStopped> {
        for small in 0..SMALL_DRAW_LIMIT.min(highest) {
            if attempt(self, small)? {
                return Ok(());
            }
        }
        let (mut passing, mut failing) = (SMALL_DRAW_LIMIT.saturating_sub(1), highest);
        while passing + 1 < failing {
            // Large numbers lose half of their digits at a time.
            let is_far = failing >> 16 > passing;
            let middle =
                if is_far { passing.max(failing >> (failing.ilog2() / 2)) + 1 } else { passing.midpoint(failing) };
            match attempt(self, middle)? {
                true => failing = middle,
                false => passing = middle,
            }
        }
        Ok(())
    }

    /// Lowers each draw.
    fn lower_draws(&mut self) -> Result<(), ShrinkStopped> {
        let mut at = 0;
        while at < self.len() {
            self.bisect(self.draws()[at], &mut |search, lower| {
                let is_lower = search.draws().get(at).is_some_and(|draw| lower < *draw);
                Ok(is_lower && search.attempt(|draws| draws[at] = lower)?)
            })?;
            at += 1;
        }
        Ok(())
    }

    /// Lowers the length of a list together with the deletion of some of its elements. A draw is a length if the
    /// generator draws less after it is lowered.
    fn shorten_lists(&mut self) -> Result<(), ShrinkStopped> {
        let mut at = 0;
        while at < self.len().min(MAX_LEADING_DRAWS) {
            let mut step = self.draws()[at];
            while step > 0 && at < self.len() {
                if !self.shorten_list(at, step)? {
                    step /= 2;
                }
                step = step.min(self.draws().get(at).copied().unwrap_or(0));
            }
            at += 1;
        }
        Ok(())
    }

    /// Lowers the draw at `at` by `step`, and deletes as many draws at some place as that saves.
    fn shorten_list(&mut self, at: usize, step: u64) -> Result<bool, ShrinkStopped> {
        let lowered = self.changed(|draws| draws[at] -= step);
        let made = (self.run_generator)(std::slice::from_ref(&lowered)).pop().flatten();
        let Some(length) = made.and_then(|input| input.draws).map(|draws| draws.len()) else { return Ok(false) };
        let Some(saved) = self.len().checked_sub(length).filter(|saved| *saved > 0) else { return Ok(false) };
        let places = (at + 1..=self.len().saturating_sub(saved)).rev();
        let without = |place: usize| {
            let mut request = lowered.clone();
            request.draws.drain(place..place + saved);
            request.draws.resize(lowered.draws.len(), 0);
            request
        };
        let requests: Vec<DrawRequest> = places.map(without).collect();
        self.attempt_first(requests)
    }

    /// Lowers all draws of the same value together.
    fn lower_equal_draws(&mut self) -> Result<(), ShrinkStopped> {
        let mut values = self.draws().to_vec();
        values.sort_unstable();
        let repeated: Vec<u64> =
            values.windows(2).filter(|pair| pair[0] == pair[1] && pair[0] > 0).map(|p| p[0]).collect();
        for value in repeated.into_iter().collect::<std::collections::BTreeSet<u64>>() {
            let places: Vec<usize> = (0..self.len()).filter(|at| self.draws()[*at] == value).collect();
            self.bisect(value, &mut |search, lower| {
                search.attempt(|draws| {
                    places.iter().for_each(|at| {
                        draws.get_mut(*at).into_iter().for_each(|draw| *draw = lower);
                    });
                })
            })?;
        }
        Ok(())
    }

    /// Swaps a draw with a smaller one after it.
    fn swap_draws(&mut self) -> Result<(), ShrinkStopped> {
        let mut at = 0;
        while at < self.len() {
            let others = at + 1..(at + 1 + MAX_DRAW_DISTANCE).min(self.len());
            let smaller: Vec<usize> = others.filter(|other| self.draws()[*other] < self.draws()[at]).collect();
            let requests: Vec<DrawRequest> =
                smaller.into_iter().map(|other| self.changed(|draws| draws.swap(at, other))).collect();
            if !self.attempt_first(requests)? {
                at += 1;
            }
        }
        Ok(())
    }

    /// Lowers a draw and raises a later one by as much, as numbers with a fixed sum need it.
    fn shift_draws(&mut self) -> Result<(), ShrinkStopped> {
        for (first, second) in self.near_pairs() {
            let Some(largest) = self.draws().get(first).copied().filter(|_| second < self.len()) else { continue };
            let base = self.draws()[second];
            self.bisect(largest, &mut |search, lower| {
                let is_lower = search.len() > second && search.draws()[first] > lower;
                Ok(is_lower
                    && search.attempt(|draws| {
                        (draws[first], draws[second]) = (lower, base.saturating_add(largest - lower));
                    })?)
            })?;
        }
        Ok(())
    }

    /// Lowers two draws together, by half or by one: the sides of a board that has to stay square.
    fn lower_draw_pairs(&mut self) -> Result<(), ShrinkStopped> {
        let reductions: [fn(u64) -> u64; 2] = [|draw| draw / 2, |draw| draw.saturating_sub(1)];
        for (first, second) in self.near_pairs() {
            for reduce in reductions {
                while second < self.len() && self.draws()[first] > 0 && self.draws()[second] > 0 {
                    if !self.attempt(|draws| [first, second].iter().for_each(|at| draws[*at] = reduce(draws[*at])))? {
                        break;
                    }
                }
            }
        }
        Ok(())
    }

    /// Returns pairs of draws above zero that are close to each other.
    fn near_pairs(&self) -> Vec<(usize, usize)> {
        let above_zero: Vec<usize> =
            (0..self.len()).filter(|at| self.draws()[*at] > 0).take(MAX_LEADING_DRAWS).collect();
        let pairs = above_zero.iter().enumerate().flat_map(|(number, first)| {
            above_zero[number + 1..].iter().take(MAX_DRAW_DISTANCE).map(move |second| (*first, *second))
        });
        pairs.collect()
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests")]
    use super::*;

    /// Replays draws as the helper files do.
    struct Replay<'r> {
        request: &'r DrawRequest,
        seed: Option<u64>,
        taken: Vec<u64>,
        is_out_of_draws: bool,
    }

    impl Replay<'_> {
        fn draw(&mut self, most: u64) -> u64 {
            if most == 0 {
                return 0;
            }
            let fresh = self.seed.as_mut().map(|seed| {
                *seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                (*seed >> 33) % (most + 1)
            });
            let drawn = self.request.draws.get(self.taken.len()).copied().or(fresh);
            self.is_out_of_draws |= drawn.is_none();
            let value = drawn.unwrap_or(0).min(most);
            self.taken.push(value);
            value
        }
    }

    type Generator = fn(&mut Replay<'_>) -> Vec<u64>;

    fn run(generator: Generator, request: &DrawRequest) -> Option<DrawnInput> {
        let mut replay = Replay { request, seed: request.seed, taken: Vec::new(), is_out_of_draws: false };
        let words: Vec<String> = generator(&mut replay).iter().map(u64::to_string).collect();
        let (draws, text) = (Some(replay.taken), words.join(" ").into_bytes());
        (!replay.is_out_of_draws).then_some(DrawnInput { growth: request.growth, draws, text, size: words.len() })
    }

    fn first_input(generator: Generator, seed: u64) -> DrawnInput {
        run(generator, &DrawRequest { seed: Some(seed * 7919), growth: 100, draws: Vec::new() }).unwrap()
    }

    fn run_all(generator: Generator, requests: &[DrawRequest]) -> Vec<Option<DrawnInput>> {
        requests.iter().map(|request| run(generator, request)).collect()
    }

    fn numbers(text: &[u8]) -> Vec<u64> {
        String::from_utf8_lossy(text).split_whitespace().filter_map(|word| word.parse().ok()).collect()
    }

    /// Shrinks failing inputs of several seeds, and returns the text of their minimum, which must be the same.
    fn minimum(generator: Generator, fails: fn(&[u64]) -> bool) -> String {
        let mut found = Vec::new();
        for seed in 1..2000 {
            let start = first_input(generator, seed);
            if !fails(&numbers(&start.text)) || found.len() == 12 {
                continue;
            }
            let mut oracle = |text: &Vec<u8>| fails(&numbers(text));
            let shrunk = shrink_draws(start, &mut |requests| run_all(generator, requests), &mut oracle);
            assert!(shrunk.is_complete && fails(&numbers(&shrunk.value.text)));
            assert_eq!(
                run(generator, &shrunk.value.to_request()),
                Some(shrunk.value.clone()),
                "the draws make it again"
            );
            found.push(String::from_utf8_lossy(&shrunk.value.text).into_owned());
        }
        assert!(found.len() > 3, "{} of the inputs fail", found.len());
        let first = found[0].clone();
        assert_eq!(found.iter().filter(|text| **text != first).collect::<Vec<_>>(), Vec::<&String>::new(), "{first}");
        first
    }

    fn draw_list(replay: &mut Replay<'_>) -> Vec<u64> {
        let length = replay.draw(20);
        let items: Vec<u64> = (0..length).map(|_| replay.draw(100)).collect();
        [vec![length], items].concat()
    }

    #[test]
    fn list_shrinks_to_the_elements_that_fail() {
        assert_eq!(minimum(draw_list, |list| list[1..].iter().any(|item| *item >= 37)), "1 37");
        assert_eq!(minimum(draw_list, |list| list[1..].iter().filter(|item| **item >= 5).count() >= 3), "3 5 5 5");
        assert_eq!(minimum(draw_list, |list| list[1..].windows(2).any(|pair| pair[0] > pair[1])), "2 1 0");
    }

    #[test]
    fn numbers_with_a_sum_become_unequal() {
        assert_eq!(minimum(draw_list, |list| list[1..].iter().sum::<u64>() >= 150), "2 50 100");
    }

    #[test]
    fn equal_numbers_are_lowered_together() {
        let has_twins =
            |list: &[u64]| list.len() > 2 && list[1..].windows(2).any(|pair| pair[0] == pair[1] && pair[0] >= 10);
        assert_eq!(minimum(draw_list, has_twins), "2 10 10");
    }

    #[test]
    fn elements_of_several_draws_go_together() {
        fn draw_edges(replay: &mut Replay<'_>) -> Vec<u64> {
            let count = 1 + replay.draw(15);
            let edges = (0..count).flat_map(|_| [replay.draw(9), replay.draw(9), replay.draw(1000)]);
            let edges: Vec<u64> = edges.collect();
            [vec![count], edges].concat()
        }
        let has_loop =
            |list: &[u64]| list[1..].chunks(3).any(|edge| edge[0] == edge[1] && edge[0] > 3 && edge[2] > 500);
        assert_eq!(minimum(draw_edges, has_loop), "1 4 4 501");
    }

    #[test]
    fn large_numbers_are_lowered_to_a_bound() {
        fn draw_number(replay: &mut Replay<'_>) -> Vec<u64> {
            vec![replay.draw(1_000_000_000_000_000_000), replay.draw(u64::MAX - 1)]
        }
        assert_eq!(minimum(draw_number, |list| list[0] >= 123_456_789), "123456789 0");
    }

    #[test]
    fn square_boards_stay_square() {
        fn draw_board(replay: &mut Replay<'_>) -> Vec<u64> {
            let (rows, columns) = (1 + replay.draw(7), 1 + replay.draw(7));
            let cells: Vec<u64> = (0..rows * columns).map(|_| replay.draw(1)).collect();
            [vec![rows, columns], cells].concat()
        }
        assert_eq!(minimum(draw_board, |list| list[0] == list[1] && list[0] >= 3), "3 3 0 0 0 0 0 0 0 0 0");
    }

    #[test]
    fn fewer_draws_that_make_a_larger_input_are_not_accepted() {
        fn draw_row_or_list(replay: &mut Replay<'_>) -> Vec<u64> {
            if replay.draw(1) == 0 { vec![7; 12] } else { draw_list(replay) }
        }
        let fails = |list: &[u64]| list.contains(&7) && list.len() > 3;
        for seed in 1..200 {
            let start = first_input(draw_row_or_list, seed);
            if fails(&numbers(&start.text)) {
                let run = &mut |requests: &[DrawRequest]| run_all(draw_row_or_list, requests);
                let shrunk = shrink_draws(start.clone(), run, &mut |text: &Vec<u8>| fails(&numbers(text)));
                assert!(shrunk.value.size <= start.size, "{shrunk:?} from {start:?}");
            }
        }
    }

    #[test]
    fn unknown_draws_are_replaced_by_a_smaller_input() {
        let mut fails = |text: &Vec<u8>| numbers(text)[1..].iter().any(|item| *item >= 37);
        let start = DrawnInput { growth: 100, draws: None, text: b"1 99".to_vec(), size: 2 };
        let shrunk = shrink_draws(start, &mut |requests| run_all(draw_list, requests), &mut fails);
        assert_eq!((shrunk.value.text, shrunk.value.draws), (b"1 37".to_vec(), Some(vec![1, 37])));
    }

    #[test]
    fn generator_that_fails_leaves_the_input_as_it_is() {
        let start = first_input(draw_list, 1);
        let mut fail_all = |requests: &[DrawRequest]| vec![None; requests.len()];
        let shrunk = shrink_draws(start.clone(), &mut fail_all, &mut |_: &Vec<u8>| true);
        assert_eq!((shrunk.value, shrunk.steps, shrunk.tried), (start, 0, 0));
    }

    /// An oracle that stops after a number of queries.
    struct StoppingOracle(usize);

    impl Oracle<Vec<u8>> for StoppingOracle {
        fn first_failing(&mut self, candidates: &[Vec<u8>]) -> Result<Option<usize>, ShrinkStopped> {
            self.0 = self.0.checked_sub(1).ok_or(ShrinkStopped)?;
            Ok(candidates.iter().position(|text| numbers(text)[1..].iter().any(|item| *item >= 37)))
        }
    }

    #[test]
    fn stop_keeps_the_best() {
        let start = first_input(draw_list, 1);
        for queries in 0..12 {
            let oracle = &mut StoppingOracle(queries);
            let shrunk = shrink_draws(start.clone(), &mut |requests| run_all(draw_list, requests), oracle);
            assert!(shrunk.value == start || shrunk.value.is_smaller_than(&start));
        }
    }
}
