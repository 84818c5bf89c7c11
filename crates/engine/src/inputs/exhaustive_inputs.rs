//! All valid inputs of a format, smallest first, packed into files.
//!
//! An exhaustive search runs all of them. Other searches begin with some, since most bugs show on a tiny input and
//! there are few tiny inputs.

use super::case_packing::{can_pack_cases, pack_cases};
use super::generated_input::GeneratedInput;
use crate::tuning::MAX_CONSTRAINT_STEPS;
use crate::tuning::{
    MAX_EVERY_INPUT, MAX_EVERY_INPUT_STEPS, MAX_PACKED_INPUTS, MAX_SMALLEST_STEPS, MIN_CONCLUSIVE_CASES,
};
use rebut_format::enumerate::{Enumerator, StopPredicate, count_inputs};
use rebut_format::generate::GenerationPlan;
use rebut_format::language::Format;
use rebut_format::print::print_value;
use rebut_format::value::Value;
use std::collections::{BTreeMap, VecDeque};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

/// Shape of the smallest inputs in reports.
pub const SMALLEST_SHAPE: &str = "smallest";

/// All inputs of a format, by the index of their file. It can be shared by any number of workers, which take each index
/// once, in roughly increasing order.
pub struct ExhaustiveInputs<'a> {
    state: Mutex<ExhaustiveInputsState<'a>>,
}

struct ExhaustiveInputsState<'a> {
    format: &'a Format,
    enumerator: Enumerator<'a>,
    /// Maximum number of inputs in one file.
    inputs_per_file: usize,
    /// Inputs that did not fit into the previous file.
    pending_inputs: VecDeque<Vec<Value>>,
    /// Files that were created but not taken yet.
    ready: BTreeMap<u64, GeneratedInput>,
    /// If set, only files whose index satisfies this are taken; others are not kept.
    is_wanted: Option<Box<dyn Fn(u64) -> bool + Send>>,
    /// Number of elements of the last input in each file.
    elements: Vec<usize>,
    /// Index of the next file to be created.
    next: u64,
    /// Whether the last file was created.
    is_over: bool,
}

impl<'a> ExhaustiveInputs<'a> {
    /// Creates the enumeration of `plan`, with up to `inputs_per_file` inputs per file. The plan's format can be
    /// narrower than that of the files: inputs of one case each, of which a file holds many.
    pub fn new(
        format: &'a Format,
        plan: &'a GenerationPlan<'a>,
        stop: StopPredicate<'a>,
        inputs_per_file: usize,
    ) -> Self {
        let enumerator = Enumerator::new(plan, usize::MAX, stop);
        let state = ExhaustiveInputsState {
            format,
            enumerator,
            inputs_per_file,
            pending_inputs: VecDeque::new(),
            ready: BTreeMap::new(),
            is_wanted: None,
            elements: Vec::new(),
            next: 0,
            is_over: false,
        };
        ExhaustiveInputs { state: Mutex::new(state) }
    }

    /// Returns the format of the enumerated inputs if many are packed into one file: the same with a single case.
    /// Returns `None` if each file is one input, regardless of its cases.
    pub fn single_case_format(format: &Format) -> Option<Format> {
        format.with_single_case().filter(|_| can_pack_cases(format))
    }

    /// Returns the number of elements of the last input in a file.
    pub(crate) fn last_input_elements(&self, index: u64) -> Option<usize> {
        let state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        state.elements.get(usize::try_from(index).ok()?).copied()
    }

    /// Returns the file at an index, or `None` beyond the last.
    pub(crate) fn take_file(&self, index: u64) -> Option<GeneratedInput> {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        while state.next <= index && !state.is_over {
            state.create_next_file();
        }
        state.ready.remove(&index)
    }

    /// Makes the enumeration forget the files that are not taken: those with an index for which `is_wanted` is false.
    pub(crate) fn keep_only(&self, is_wanted: Box<dyn Fn(u64) -> bool + Send>) {
        self.state.lock().unwrap_or_else(PoisonError::into_inner).is_wanted = Some(is_wanted);
    }

    /// Returns true if there is no file at an index or later. Enumerates as far as that.
    pub(crate) fn ends_before(&self, index: u64) -> bool {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        while state.next <= index && !state.is_over {
            state.create_next_file();
        }
        state.next <= index
    }

    /// Returns true if an index lies beyond the last file.
    pub(crate) fn is_past_end(&self, index: u64) -> bool {
        let state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        state.is_over && state.next <= index
    }

    /// Returns true if all inputs have been put into files.
    pub(crate) fn is_complete(&self) -> bool {
        let state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        state.is_over && !state.enumerator.is_cut_short()
    }
}

impl ExhaustiveInputsState<'_> {
    /// Creates the next file, unless the enumeration has ended.
    fn create_next_file(&mut self) {
        let next = || self.enumerator.by_ref().take(self.inputs_per_file).collect();
        let values = self.pending_inputs.pop_front().unwrap_or_else(next);
        if values.is_empty() {
            self.is_over = true;
            return;
        }
        match pack_cases(self.format, &values) {
            Some(value) => {
                let generated = to_generated_input(self.format, value, values.len());
                if self.is_wanted.as_ref().is_none_or(|is_wanted| is_wanted(self.next)) {
                    self.ready.insert(self.next, generated);
                }
                self.elements.push(values.last().map_or(0, Value::element_count));
                self.next += 1;
            }
            // The format limits a sum over all cases: pack fewer of them.
            None => {
                let (left, right) = values.split_at(values.len() / 2);
                self.pending_inputs.push_front(right.to_vec());
                self.pending_inputs.push_front(left.to_vec());
            }
        }
    }
}

/// Returns the smallest inputs with small numbers, in up to `files` files. `steps` is the maximum number of steps of
/// the enumeration.
pub(crate) fn smallest_inputs(format: &Format, files: usize, steps: u64) -> Vec<GeneratedInput> {
    let mut small = format.with_small_numbers();
    small.stop_token = format.stop_token.with_steps(MAX_CONSTRAINT_STEPS);
    let single = small.with_single_case();
    let plan = GenerationPlan::new(single.as_ref().unwrap_or(&small));
    let taken = AtomicU64::new(0);
    let stop = || taken.fetch_add(1, Ordering::Relaxed) >= steps || small.stop_token.is_stopped();
    let inputs =
        ExhaustiveInputs::new(format, &plan, &stop, if can_pack_cases(format) { MAX_PACKED_INPUTS } else { 1 });
    (0..files as u64).map_while(|index| inputs.take_file(index)).collect()
}

/// Returns all inputs of a format without test cases, smallest first, or `None` if there are many.
pub(super) fn every_input(plan: &GenerationPlan<'_>) -> Option<Vec<GeneratedInput>> {
    let format = plan.format;
    // More elements than that mean too many inputs, unless all sizes are fixed; counting takes up to half a second.
    if format.cases_block().is_some() || plan.max_elements() > MAX_EVERY_INPUT as i128 {
        return None;
    }
    // A constraint can take long to check on a single input.
    let limited = Format { stop_token: format.stop_token.with_steps(MAX_CONSTRAINT_STEPS), ..format.clone() };
    let plan = &GenerationPlan::new(&limited);
    let steps = AtomicU64::new(0);
    let is_over = |most| steps.fetch_add(1, Ordering::Relaxed) >= most || limited.stop_token.is_stopped();
    let count = count_inputs(plan, usize::MAX, &|| is_over(MAX_SMALLEST_STEPS))?;
    // Fewer inputs prove nothing if the reference is too slow on some of them.
    let is_few = (u128::from(MIN_CONCLUSIVE_CASES)..=MAX_EVERY_INPUT).contains(&count);
    if !is_few {
        return None;
    }
    let stop = || is_over(MAX_EVERY_INPUT_STEPS);
    let inputs = ExhaustiveInputs::new(format, plan, &stop, 1);
    let every: Vec<GeneratedInput> = (0..).map_while(|index| inputs.take_file(index)).collect();
    (every.len() as u128 == count).then_some(every)
}

fn to_generated_input(format: &Format, value: Value, cases: usize) -> GeneratedInput {
    GeneratedInput { bytes: print_value(format, &value), value: Some(value), cases, shape: SMALLEST_SHAPE.to_owned() }
}
