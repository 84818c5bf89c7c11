//! Every valid input, the smallest first, in files: for searches that leave nothing out, and for the beginning of all
//! others. Most mistakes show on some tiny input, and there are few of those.

use super::inputs::Made;
use super::pack::{PACK, pack, packs};
use crate::enumerate::{Enumerator, Stop};
use crate::format::Format;
use crate::generate::Plan;
use crate::print::print;
use crate::value::Value;
use std::collections::{BTreeMap, VecDeque};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

/// The shape that reports name for them.
const SHAPE: &str = "smallest";

/// All inputs of a format by the number of the file in which they stand. Any number of workers may ask, each number
/// once, in about the order of the numbers.
pub struct Every<'a> {
    state: Mutex<State<'a>>,
}

struct State<'a> {
    format: &'a Format,
    enumerator: Enumerator<'a>,
    /// So many inputs are put into one file, if they fit.
    together: usize,
    /// Inputs that did not fit into the file before.
    left: VecDeque<Vec<Value>>,
    /// Files that were made and not asked for yet.
    ready: BTreeMap<u64, Made>,
    /// How many elements the last input of each file has.
    elements: Vec<usize>,
    /// The number of the next file to be made.
    next: u64,
    /// Whether the last file was made.
    is_over: bool,
}

impl<'a> Every<'a> {
    /// The inputs of `plan`, which may be a narrower format than that of the files: of one case each, where these hold
    /// up to `together`.
    pub fn new(format: &'a Format, plan: &'a Plan<'a>, stop: Stop<'a>, together: usize) -> Self {
        let (left, ready, elements) = Default::default();
        let enumerator = Enumerator::new(plan, usize::MAX, stop);
        let state = State { format, enumerator, together, left, ready, elements, next: 0, is_over: false };
        Every { state: Mutex::new(state) }
    }

    /// The format of the inputs that are tried where many are put into one file: of one case each. None if each file is one
    /// input, whatever its cases.
    pub fn of_one_case(format: &Format) -> Option<Format> {
        format.with_single_case().filter(|_| packs(format))
    }

    /// How many elements the last input of a file has that was made.
    pub(super) fn elements(&self, index: u64) -> Option<usize> {
        let state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        state.elements.get(usize::try_from(index).ok()?).copied()
    }

    /// The file of that number; none beyond the last.
    pub(super) fn take(&self, index: u64) -> Option<Made> {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        while state.next <= index && !state.is_over {
            state.make();
        }
        state.ready.remove(&index)
    }

    /// Whether there is no file of that number or a later one.
    pub(super) fn is_over(&self, index: u64) -> bool {
        let state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        state.is_over && state.next <= index
    }

    /// Whether every input was in a file.
    pub(super) fn is_complete(&self) -> bool {
        let state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        state.is_over && !state.enumerator.is_cut_short()
    }
}

impl State<'_> {
    /// Makes the next file, if there is one.
    fn make(&mut self) {
        let values = self.left.pop_front().unwrap_or_else(|| self.more());
        if values.is_empty() {
            self.is_over = true;
            return;
        }
        match pack(self.format, &values) {
            Some(value) => {
                let made = made(self.format, value, values.len());
                self.ready.insert(self.next, made);
                self.elements.push(values.last().map_or(0, Value::elements));
                self.next += 1;
            }
            // A budget over all cases: fewer of them fit.
            None => {
                let (one, other) = values.split_at(values.len() / 2);
                self.left.push_front(other.to_vec());
                self.left.push_front(one.to_vec());
            }
        }
    }

    fn more(&mut self) -> Vec<Value> {
        self.enumerator.by_ref().take(self.together).collect()
    }
}

/// The smallest inputs of small numbers, in so many files at most. `steps` bounds how long they are looked for.
pub(super) fn smallest(format: &Format, files: usize, steps: u64) -> Vec<Made> {
    /// Number of steps that checking constraints may take in all: the search is to begin soon.
    const STEPS: u64 = 10_000_000;
    let mut small = format.with_small_numbers();
    small.stop = format.stop.with_steps(STEPS);
    let single = small.with_single_case();
    let plan = Plan::new(single.as_ref().unwrap_or(&small));
    let taken = AtomicU64::new(0);
    let stop = || taken.fetch_add(1, Ordering::Relaxed) >= steps || small.stop.is_stopped();
    let every = Every::new(format, &plan, &stop, if packs(format) { PACK } else { 1 });
    (0..files as u64).map_while(|index| every.take(index)).collect()
}

fn made(format: &Format, value: Value, cases: usize) -> Made {
    Made { bytes: print(format, &value), value: Some(value), cases, shape: SHAPE.to_owned() }
}
