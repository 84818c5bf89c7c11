//! Folds of slices: `sum(a[1..i])`, `count(op[1..i-1], "push")`.
//!
//! A formula such as `forall i in 1..n: sum(a[1..i]) >= 0` folds the same elements again and again. A [`SliceMemo`]
//! keeps the fold of each slice, so that a slice that begins at the same element and ends later only adds its last
//! elements.

use super::eval_error::{EvalError, EvalResult};
use crate::model::{ArithmeticOperator, FoldKind, SliceFold, SliceReduction, apply_operator};
use rebut_generators::{count_inversions, find_cycles};
use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::ops::RangeInclusive;

/// The folds of slices, as far as the elements are final. It belongs to one set of values.
#[derive(Debug)]
pub struct SliceMemo {
    /// The last number for which elements are final.
    final_until: Cell<i128>,
    entries: RefCell<Vec<MemoEntry>>,
}

/// The fold of a slice up to some element.
#[derive(Debug)]
struct MemoEntry {
    /// The slice, by its place in memory: formats do not move while they are evaluated.
    slice: *const SliceFold,
    /// The first number, which is fixed, and the last one so far.
    range: (i128, i128),
    state: SliceState,
}

impl MemoEntry {
    /// Creates the entry of a slice without elements.
    fn new(slice: &SliceFold, first: i128) -> Self {
        MemoEntry { slice, range: (first, first - 1), state: SliceState::new(slice) }
    }
}

impl Default for SliceMemo {
    fn default() -> Self {
        SliceMemo { final_until: Cell::new(i128::MAX), entries: RefCell::default() }
    }
}

impl SliceMemo {
    /// Keeps only what follows from elements up to this number from now on; later ones may change.
    pub fn set_final_until(&self, last: i128) {
        if last < self.final_until.replace(last) {
            self.entries.borrow_mut().clear();
        }
    }

    /// Forgets everything if the element of this number was final, since it has changed.
    pub fn note_change(&self, number: i128) {
        if number <= self.final_until.get() {
            self.entries.borrow_mut().clear();
        }
    }
}

/// The state of a fold.
#[derive(Clone, Debug)]
enum SliceState {
    Fold(FoldAccumulator),
    /// How often each value occurs.
    Counts(HashMap<i128, i128>),
}

impl SliceState {
    fn new(slice: &SliceFold) -> Self {
        match slice.reduction {
            SliceReduction::Fold(fold) => SliceState::Fold(FoldAccumulator::new(fold)),
            SliceReduction::Count(_) => SliceState::Counts(HashMap::new()),
        }
    }

    /// Adds the elements of these numbers; absent ones are skipped.
    fn add_elements(
        &mut self,
        range: RangeInclusive<i128>,
        element: &dyn Fn(i128) -> EvalResult<i128>,
    ) -> EvalResult<()> {
        for number in range {
            match element(number) {
                Ok(value) => self.add_value(value),
                Err(EvalError::Absent(_)) => {}
                Err(unknown) => return Err(unknown),
            }
        }
        Ok(())
    }

    fn add_value(&mut self, value: i128) {
        match self {
            SliceState::Fold(fold) => fold.add_value(value),
            SliceState::Counts(counts) => *counts.entry(value).or_default() += 1,
        }
    }

    fn finish_fold(self, wanted: Option<i128>) -> EvalResult<i128> {
        match self {
            SliceState::Fold(fold) => fold.finish_fold(),
            SliceState::Counts(counts) => Ok(count_of(&counts, wanted)),
        }
    }
}

fn count_of(counts: &HashMap<i128, i128>, wanted: Option<i128>) -> i128 {
    wanted.and_then(|wanted| counts.get(&wanted)).copied().unwrap_or(0)
}

/// Returns the fold of a slice over a range of numbers; `element` returns the element of a number. `wanted` is the value
/// to count. With a memo, elements that are part of it are not asked for again.
///
/// # Errors
/// Returns the first error of `element` other than that the element is absent, and `Empty` for the minimum of nothing.
pub(super) fn fold_slice(
    slice: &SliceFold,
    (first, last): (i128, i128),
    wanted: Option<i128>,
    memo: Option<&SliceMemo>,
    element: &dyn Fn(i128) -> EvalResult<i128>,
) -> EvalResult<i128> {
    let fold_rest = |mut state: SliceState, rest: RangeInclusive<i128>| {
        state.add_elements(rest, element)?;
        state.finish_fold(wanted)
    };
    let Some(memo) = memo else { return fold_rest(SliceState::new(slice), first..=last) };
    let mut entries = memo.entries.borrow_mut();
    let at = entries.iter().position(|entry| std::ptr::eq(entry.slice, slice));
    let at = at.unwrap_or_else(|| {
        entries.push(MemoEntry::new(slice, first));
        entries.len() - 1
    });
    let fits = entries[at].range.0 == first && entries[at].range.1 <= last;
    if !fits {
        entries[at] = MemoEntry::new(slice, first);
    }
    let entry = &mut entries[at];
    for number in entry.range.1 + 1..=last.min(memo.final_until.get()) {
        entry.state.add_elements(number..=number, element)?;
        entry.range.1 = number;
    }
    let rest = entry.range.1 + 1..=last;
    match &entry.state {
        // Copying the counts would take as long as counting.
        SliceState::Counts(counts) => Ok(count_of(counts, wanted) + fold_rest(SliceState::new(slice), rest)?),
        state @ SliceState::Fold(_) => fold_rest(state.clone(), rest),
    }
}

// Folds of numbers, one by one.

#[derive(Clone, Debug)]
pub(super) struct FoldAccumulator {
    fold: FoldKind,
    so_far: Option<i128>,
    overflow: bool,
    /// All values, if the fold depends on how they relate to each other.
    values: Vec<i128>,
}

impl FoldAccumulator {
    pub(super) fn new(fold: FoldKind) -> Self {
        let so_far = (!matches!(fold, FoldKind::Min | FoldKind::Max)).then_some(0);
        FoldAccumulator { fold, so_far, overflow: false, values: Vec::new() }
    }

    pub(super) fn add_value(&mut self, value: i128) {
        let before = self.so_far;
        self.so_far = match (self.fold, before) {
            (FoldKind::Sum, Some(sum)) => {
                let (sum, overflow) = sum.overflowing_add(value);
                self.overflow |= overflow;
                Some(sum)
            }
            (FoldKind::Count(wanted), Some(count)) => Some(count + i128::from(value == wanted)),
            (FoldKind::Size, Some(count)) => Some(count + 1),
            (FoldKind::Gcd, Some(divisor)) => apply_operator(ArithmeticOperator::Gcd, divisor, value),
            (FoldKind::Xor, Some(bits)) => Some(bits ^ value),
            (FoldKind::Min, Some(least)) => Some(least.min(value)),
            (FoldKind::Max, Some(most)) => Some(most.max(value)),
            (FoldKind::Distinct | FoldKind::Inversions | FoldKind::Cycles, _) => {
                self.values.push(value);
                before
            }
            (_, None) => Some(value),
        };
    }

    pub(super) fn finish_fold(self) -> EvalResult<i128> {
        if self.overflow {
            return Err(EvalError::Undefined);
        }
        match self.fold {
            FoldKind::Distinct => return Ok(count_different(self.values)),
            FoldKind::Inversions => return Ok(count_inversions(&self.values)),
            FoldKind::Cycles => {
                let cycles = find_cycles(&self.values).ok_or(EvalError::Undefined)?;
                return Ok(cycles.len() as i128);
            }
            _ => {}
        }
        self.so_far.ok_or(EvalError::Empty)
    }
}

fn count_different(mut values: Vec<i128>) -> i128 {
    values.sort_unstable();
    values.dedup();
    values.len() as i128
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests")]
    use super::*;
    use crate::model::{Expr, FoldKind};

    const ELEMENTS: [i128; 5] = [3, -1, 3, 2, 3];

    fn element(number: i128) -> EvalResult<i128> {
        let index = usize::try_from(number - 1).map_err(|_| EvalError::Missing)?;
        ELEMENTS.get(index).copied().ok_or(EvalError::Missing)
    }

    fn slice(reduction: SliceReduction) -> SliceFold {
        let range = (Expr::Constant(1), Expr::Constant(1));
        SliceFold { reduction, variable: 0, range, each: Expr::Variable(0) }
    }

    fn count() -> SliceReduction {
        SliceReduction::Count(Expr::Constant(3))
    }

    #[test]
    fn memo_changes_no_result() {
        let folds = [FoldKind::Sum, FoldKind::Min, FoldKind::Max].map(SliceReduction::Fold);
        let slices: Vec<SliceFold> = folds.into_iter().chain([count()]).map(slice).collect();
        for final_until in [0, 2, i128::MAX] {
            let memo = SliceMemo::default();
            memo.set_final_until(final_until);
            for slice in &slices {
                // Longer ones, shorter ones, others that begin elsewhere, none, and one with a missing element.
                for range in [(1, 2), (1, 4), (1, 5), (1, 3), (3, 5), (1, 5), (4, 3), (2, 6)] {
                    let plain = fold_slice(slice, range, Some(3), None, &element);
                    assert_eq!(fold_slice(slice, range, Some(3), Some(&memo), &element), plain, "{slice:?} {range:?}");
                }
            }
        }
    }

    #[test]
    fn changed_elements_are_folded_again() {
        let memo = SliceMemo::default();
        let sum = slice(SliceReduction::Fold(FoldKind::Sum));
        memo.set_final_until(2);
        assert_eq!(fold_slice(&sum, (1, 3), None, Some(&memo), &|_| Ok(1)), Ok(3));
        // The third element was not final, the first two were.
        memo.note_change(3);
        assert_eq!(fold_slice(&sum, (1, 3), None, Some(&memo), &|_| Ok(5)), Ok(7));
        memo.note_change(2);
        assert_eq!(fold_slice(&sum, (1, 3), None, Some(&memo), &|_| Ok(5)), Ok(15));
    }

    #[test]
    fn folds_of_nothing_and_too_much_have_no_value() {
        let fold = |of, range| fold_slice(&slice(of), range, Some(3), None, &|_| Ok(i128::MAX));
        assert_eq!(fold(SliceReduction::Fold(FoldKind::Min), (2, 1)), Err(EvalError::Empty));
        assert_eq!(fold(count(), (2, 1)), Ok(0));
        assert_eq!(fold(SliceReduction::Fold(FoldKind::Sum), (1, 2)), Err(EvalError::Undefined));
    }
}
