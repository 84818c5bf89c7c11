//! Searches for the layouts that fit all samples, those with short descriptions first.

use crate::cost::{self, Observation};
use crate::layout::{Count, Node, Part, Size, TagForm, parts_of};
use crate::lines::{candidate_sizes, line_candidates};
use crate::sample::{Sample, parse_integer};
use crate::state::SearchState;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// Maximum number of steps that are taken after the first layout was found.
const MAX_STEPS: usize = 4_000;

/// Maximum number of steps until a layout is found.
const MAX_STEPS_TO_FIRST: usize = 12_000;

/// Maximum number of sizes that are tried in lines, in all steps together.
const MAX_TRIES: usize = 4_000_000;

/// Maximum number of tokens that are read, in all steps together. Long ones count several times.
const MAX_TOKENS_READ: usize = 4_000_000;

/// Maximum number of layouts that are returned.
const MAX_LAYOUTS: usize = 24;

/// How much longer than the shortest description those of the returned layouts are, in tenths of bits.
const COST_WINDOW: u32 = 100;

/// How much longer the descriptions must be up to which a search is complete, in tenths of bits.
const CLEAR_WINDOW: u32 = 30;

/// Maximum depth of blocks.
const MAX_DEPTH: usize = 3;

/// A layout that fits all samples.
#[derive(Clone, Debug)]
pub(crate) struct Candidate {
    pub(crate) nodes: Vec<Node>,
    pub(crate) fields: Vec<Observation>,
    /// Description length in tenths of bits.
    pub(crate) cost: u32,
    /// The same less what a statement supports.
    pub(crate) rank: i64,
    /// The names that a statement has for the fields.
    pub(crate) stated: Vec<Option<String>>,
}

/// An extension of a state.
#[derive(Clone, Debug)]
enum Step {
    /// A line with a new field for each part.
    Line(Vec<Part>),
    Open(Count),
    Close,
    /// Lines that begin with tags.
    Tagged(Size),
}

/// A step that was not taken yet. Most never are.
struct QueuedStep {
    from: Rc<SearchState>,
    step: Step,
    /// Description length of the layout after the step.
    layout_cost: u32,
}

/// Returns the shortest layouts in order, and whether shorter ones are possible. A statement has `listed` numbers of tokens of lines,
/// and may have test cases.
pub(crate) fn find_layouts(samples: &[Sample], listed: &[usize], has_cases: bool) -> (Vec<Candidate>, bool) {
    let search = |order| search_layouts(SearchState::new(samples), samples, listed, order);
    let (mut found, is_cut_short) = search(SearchOrder::Cost);
    // Of many different lines, the shortest layouts that were found are general ones: all numbers up to the end.
    if is_cut_short || found.first().is_none_or(|best| is_general(&best.nodes)) {
        found.extend(search(SearchOrder::Progress).0);
        // With the number of cases given, only the lines of the first case are to be found.
        let in_cases = if has_cases { begin_cases(samples) } else { None };
        found
            .extend(in_cases.into_iter().flat_map(|state| search_layouts(state, samples, listed, SearchOrder::Cost).0));
    }
    if found.is_empty() {
        // General layouts have the most expensive tokens, and are found first if these do not count before the end.
        return search(SearchOrder::Layout);
    }
    found.sort_by_key(|candidate| candidate.cost);
    let limit = found[0].cost + COST_WINDOW;
    let mut different: Vec<Candidate> = Vec::new();
    for candidate in found {
        if candidate.cost <= limit && different.iter().all(|other| other.nodes != candidate.nodes) {
            different.push(candidate);
        }
    }
    different.truncate(MAX_LAYOUTS);
    (different, is_cut_short)
}

/// Returns true for a layout with lines of any length.
fn is_general(nodes: &[Node]) -> bool {
    parts_of(nodes).iter().any(|part| matches!(part, Part::List(_)))
}

/// The order in which steps are taken.
#[derive(Clone, Copy, PartialEq, Eq)]
enum SearchOrder {
    /// By the description length so far, with what the tokens that were read add.
    Cost,
    /// The same without the tokens.
    Layout,
    /// By the description length and an estimate for the lines that are left: layouts are completed early, but not in order.
    Progress,
}

/// Returns the state in which the first case begins, if all samples begin with a line of one number.
fn begin_cases(samples: &[Sample]) -> Option<SearchState> {
    let (mut reads_left, size) = (MAX_TOKENS_READ, Size::from_field(0));
    let mut step = |from: SearchState, step, cost| {
        let layout_cost = from.cost + cost;
        take_step(QueuedStep { from: Rc::new(from), step, layout_cost }, samples, &mut reads_left)
    };
    let number = Part::Token(0);
    let cost = cost::LINE + cost::part_cost(&number);
    let state = step(SearchState::new(samples), Step::Line(vec![number]), cost)?;
    let count = Count::Times(size.clone());
    let cost = cost::size_cost(&size, &state.used, &state.in_scope) + cost::block_cost(&count);
    step(state, Step::Open(count), cost)
}

fn search_layouts(
    root: SearchState,
    samples: &[Sample],
    listed: &[usize],
    order: SearchOrder,
) -> (Vec<Candidate>, bool) {
    let estimates = samples.iter().filter(|_| order == SearchOrder::Progress).map(estimate_lines).collect();
    let mut queue = StepQueue { steps: BTreeMap::new(), number: 0, tries_left: MAX_TRIES, estimates, listed };
    queue.push_steps(Rc::new(root), samples);
    let mut found: Vec<Candidate> = Vec::new();
    let (mut limit, mut steps, mut reads_left) = (u32::MAX, 0, MAX_TOKENS_READ);
    let is_cut_short = loop {
        let Some(((cost, _), queued)) = queue.steps.pop_first() else { break false };
        match order {
            SearchOrder::Progress if queued.layout_cost > limit => continue,
            SearchOrder::Cost | SearchOrder::Layout if cost > limit => break false,
            _ => {}
        }
        steps += 1;
        let max_steps = if found.is_empty() { MAX_STEPS_TO_FIRST } else { MAX_STEPS };
        if steps > max_steps || queue.tries_left == 0 || reads_left == 0 {
            break true;
        }
        let Some(mut state) = take_step(queued, samples, &mut reads_left) else { continue };
        if order != SearchOrder::Layout {
            state.observed_cost = state.least_observed_cost();
        }
        if state.is_complete(samples) {
            let candidate = complete_candidate(state);
            limit = limit.min(candidate.cost + COST_WINDOW);
            found.push(candidate);
        } else {
            queue.push_steps(Rc::new(state), samples);
        }
    };
    found.retain(|candidate| candidate.cost <= limit);
    found.sort_by_key(|candidate| candidate.cost);
    found.truncate(MAX_LAYOUTS);
    let reached = queue.steps.first_key_value().map_or(u32::MAX, |((cost, _), _)| *cost);
    let is_open = found.first().is_none_or(|best| reached < best.cost + CLEAR_WINDOW);
    (found, is_cut_short && is_open)
}

/// Returns an estimate of the description length of the lines from each one on: those side by side with as many tokens are a block.
fn estimate_lines(sample: &Sample) -> Vec<u32> {
    /// Description length of a block, and most of that of a line.
    const BLOCK: u32 = 50;
    const LINE: u32 = 50;
    let mut estimates = vec![0; sample.lines.len() + 1];
    let are_alike = |at: usize| match sample.lines.get(at..at + 2) {
        Some([line, next]) => line.len() == next.len(),
        _ => false,
    };
    for (at, line) in sample.lines.iter().enumerate().rev() {
        let own = (30 * u32::try_from(line.len()).unwrap_or(LINE)).min(LINE);
        let is_last_of_block = !are_alike(at) && at > 0 && are_alike(at - 1);
        let added = if are_alike(at) { 0 } else { own + if is_last_of_block { BLOCK } else { 0 } };
        estimates[at] = estimates[at + 1] + added;
    }
    estimates
}

/// Returns the layout that a complete state has.
pub(crate) fn complete_candidate(mut state: SearchState) -> Candidate {
    let cost = state.cost + cost::observation_cost(&state.nodes, &state.fields, true);
    for part in parts_of(&state.nodes) {
        state.fields[part.field()].is_word |= matches!(part, Part::Text(..) | Part::Phrase(_));
    }
    let stated = vec![None; state.fields.len()];
    Candidate { nodes: state.nodes, fields: state.fields, cost, rank: i64::from(cost), stated }
}

/// Returns the state after a step, or `None` if the samples do not allow it. Counts what is read.
fn take_step(queued: QueuedStep, samples: &[Sample], reads_left: &mut usize) -> Option<SearchState> {
    let mut next = (*queued.from).clone();
    next.cost = queued.layout_cost;
    let is_possible = match queued.step {
        Step::Line(parts) => {
            next.add_fields(parts.len());
            next.push_node(Node::Line(parts), samples)
        }
        Step::Open(count) => next.open_block(count, samples),
        Step::Close => next.close_block(samples),
        Step::Tagged(count) => {
            let body = vec![Node::Either(Vec::new())];
            let node = Node::Block { count: Count::Times(count), body };
            next.push_node(node, samples) && has_different_forms(&next)
        }
    };
    for ((sample, after), before) in samples.iter().zip(&next.readers).zip(&queued.from.readers) {
        *reads_left = reads_left.saturating_sub(sample.size_of_lines(before.line, after.line));
    }
    is_possible.then_some(next)
}

/// The steps that are left.
struct StepQueue<'l> {
    /// By the description length of the layout with what the tokens that were read before the step add, and by number.
    steps: BTreeMap<(u32, usize), QueuedStep>,
    number: usize,
    /// Number of sizes that can still be tried in lines.
    tries_left: usize,
    /// For each sample, what the lines from each one on add to the cost; none if the order needs no estimate.
    estimates: Vec<Vec<u32>>,
    listed: &'l [usize],
}

impl StepQueue<'_> {
    fn push(&mut self, from: &Rc<SearchState>, step: Step, cost: u32) {
        self.number += 1;
        let layout_cost = from.cost + cost;
        let left = self.estimates.iter().zip(&from.readers).map(|(lines, reader)| lines[reader.line]).max();
        let key = (layout_cost + from.observed_cost + left.unwrap_or(0), self.number);
        self.steps.insert(key, QueuedStep { from: from.clone(), step, layout_cost });
    }

    /// Adds the steps from a state: one more line, one more open block or one fewer.
    fn push_steps(&mut self, state: Rc<SearchState>, samples: &[Sample]) {
        if state.open.last().is_some_and(|block| !block.body.is_empty()) {
            self.push(&state, Step::Close, 0);
        }
        let has_line = |i: usize| state.readers[i].line < samples[i].lines.len();
        if !state.active().any(has_line) {
            return;
        }
        // A sample that is at its end may still have a block of no lines.
        let have_lines = state.active().all(has_line);
        if have_lines {
            for (parts, cost) in line_candidates(&state, samples, self.listed, &mut self.tries_left) {
                self.push(&state, Step::Line(parts), cost::LINE + cost);
            }
        }
        for (size, cost) in block_sizes(&state) {
            self.push(&state, Step::Tagged(size.clone()), cost + cost::TAGGED);
            self.push_open(&state, Count::Times(size), cost);
        }
        if state.open.is_empty() && have_lines {
            if let Some(line) = common_last_line(samples) {
                self.push_open(&state, Count::UntilLine(line), 0);
            }
            self.push_open(&state, Count::UntilEof, 0);
        }
    }

    fn push_open(&mut self, state: &Rc<SearchState>, count: Count, cost: u32) {
        if state.open.len() < MAX_DEPTH {
            let cost = cost + cost::block_cost(&count);
            self.push(state, Step::Open(count), cost);
        }
    }
}

/// Returns the sizes that can be numbers of lines, with their costs. One line at most in each sample is allowed as well.
fn block_sizes(state: &SearchState) -> Vec<(Size, u32)> {
    let mut sizes = candidate_sizes(state);
    sizes.retain(|size| state.values_of(size).is_some_and(|values| values.iter().any(|value| *value >= 1)));
    if state.in_scope.is_empty() {
        sizes.extend([2, 3, 4, 5].map(Size::Constant));
    }
    let cost = |size: &Size| cost::size_cost(size, &state.used, &state.in_scope);
    sizes.into_iter().map(|size| (size.clone(), cost(&size))).collect()
}

/// Returns true if the last node has lines of several lengths, with tags that are words or numbers and come again.
fn has_different_forms(state: &SearchState) -> bool {
    /// Number of lines of which not all have tags of their own.
    const MANY: usize = 4;
    let nodes = state.open.last().map_or(&state.nodes, |block| &block.body);
    let Some(Node::Block { body, .. }) = nodes.last() else { return false };
    let [Node::Either(forms)] = &body[..] else { return false };
    let lengths = forms.iter().map(|form| form.parts.len());
    let numbers: BTreeSet<i128> = forms.iter().filter_map(|form| parse_integer(&form.tag)).collect();
    // Kinds are numbered without gaps, of which samples may lack one.
    let gap = if forms.len() < MANY { 1 } else { 0 };
    let are_kinds = numbers.first().zip(numbers.last()).is_none_or(|(first, last)| {
        (0..2).contains(first) && last - first < numbers.len() as i128 + gap && numbers.len() == forms.len()
    });
    let is_repeated = |form: &TagForm| form.parts.iter().any(|part| state.fields[part.field()].count > 1);
    let have_repetition = forms.iter().any(|form| form.parts.is_empty() || is_repeated(form));
    lengths.clone().min() != lengths.max() && are_kinds && (forms.len() < MANY || have_repetition)
}

/// Returns the last line of the samples if it is the same in all of them and can end the input.
fn common_last_line(samples: &[Sample]) -> Option<Vec<String>> {
    let last = samples.first()?.lines.last()?;
    let is_end = |token: &String| {
        let is_word = token.chars().all(|c| c.is_ascii_alphabetic());
        matches!(token.as_str(), "0" | "-1" | "." | "#" | "*")
            || is_word && (samples.len() > 1 || token.eq_ignore_ascii_case("end"))
    };
    let is_shared = samples.iter().all(|sample| sample.lines.last() == Some(last) && sample.lines.len() > 1);
    (is_shared && !last.is_empty() && last.len() <= 4 && last.iter().all(is_end)).then(|| last.clone())
}
