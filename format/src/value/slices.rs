//! Folds of slices: `sum(a[1..i])`, `count(op[1..i-1], "push")`.
//!
//! A formula such as `forall i in 1..n: sum(a[1..i]) >= 0` folds the same elements again and again. A [`SliceMemo`]
//! keeps the fold of each slice, so that a slice that begins at the same element and ends later only adds its last
//! elements.

use super::eval_error::{EvalError, EvalResult, both_values};
use super::evaluation::evaluate_number;
use super::scope::ValueScope;
use crate::model::{Expr, SliceFold, SliceReduction};
use std::cell::{Cell, RefCell};
use std::collections::HashMap;

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
    Sum(i128),
    /// The minimum or the maximum, if there was an element.
    Extreme(Option<i128>),
    /// How often each value occurs.
    Counts(HashMap<i128, i128>),
}

impl SliceState {
    fn new(fold: SliceReduction) -> Self {
        match fold {
            SliceReduction::Sum => SliceState::Sum(0),
            SliceReduction::Min | SliceReduction::Max => SliceState::Extreme(None),
            SliceReduction::Count => SliceState::Counts(HashMap::new()),
        }
    }

    fn add_value(&mut self, fold: SliceReduction, value: i128) -> EvalResult<()> {
        match self {
            SliceState::Sum(sum) => *sum = sum.checked_add(value).ok_or(EvalError::Undefined)?,
            SliceState::Extreme(extreme) => {
                let least = fold == SliceReduction::Min;
                *extreme = Some(extreme.map_or(value, |old| if least { old.min(value) } else { old.max(value) }));
            }
            SliceState::Counts(counts) => *counts.entry(value).or_default() += 1,
        }
        Ok(())
    }

    fn finish_fold(&self, wanted: Option<i128>) -> EvalResult<i128> {
        match self {
            SliceState::Sum(sum) => Ok(*sum),
            SliceState::Extreme(extreme) => extreme.ok_or(EvalError::Empty),
            SliceState::Counts(counts) => Ok(wanted.and_then(|wanted| counts.get(&wanted)).copied().unwrap_or(0)),
        }
    }
}

/// Evaluates the fold of a slice.
///
/// # Errors
/// See [`EvalError`]: `Missing` for a number that no element has, `Empty` for the minimum of nothing.
pub(super) fn fold_slice(slice: &SliceFold, scope: &ValueScope<'_>) -> EvalResult<i128> {
    let end = |expr| evaluate_number(expr, scope);
    let (first, last) = both_values(end(&slice.range.0), end(&slice.range.1))?;
    let wanted = slice.wanted.as_ref().map(end).transpose()?;
    // Of other variables, the memo knows nothing.
    match scope.memo.filter(|_| slice.each.innermost_variable() == Some(slice.variable) && is_lone(slice)) {
        Some(memo) => fold_with_memo(slice, (first, last), wanted, memo, scope),
        None => fold_range(slice, SliceState::new(slice.fold), first..=last, scope)?.finish_fold(wanted),
    }
}

/// Returns true if the element of a slice depends on no variable but its own.
fn is_lone(slice: &SliceFold) -> bool {
    slice.each.all_parts(&|part| match part {
        Expr::Variable(variable) => Some(*variable == slice.variable),
        _ => None,
    })
}

fn fold_with_memo(
    slice: &SliceFold,
    (first, last): (i128, i128),
    wanted: Option<i128>,
    memo: &SliceMemo,
    scope: &ValueScope<'_>,
) -> EvalResult<i128> {
    let mut entries = memo.entries.borrow_mut();
    let final_last = last.min(memo.final_until.get());
    let of_slice = |entry: &MemoEntry| std::ptr::eq(entry.slice, slice);
    let fits = |entry: &MemoEntry| entry.range.0 == first && entry.range.1 <= last;
    let at = match entries.iter().position(of_slice) {
        Some(at) => at,
        None => {
            let state = SliceState::new(slice.fold);
            entries.push(MemoEntry { slice, range: (first, first - 1), state });
            entries.len() - 1
        }
    };
    if !fits(&entries[at]) {
        entries[at].range = (first, first - 1);
        entries[at].state = SliceState::new(slice.fold);
    }
    let entry = &mut entries[at];
    for number in entry.range.1 + 1..=final_last {
        add_element(slice, &mut entry.state, number, scope)?;
        entry.range.1 = number;
    }
    if entry.range.1 >= last {
        return entry.state.finish_fold(wanted);
    }
    let (begin, state) = (entry.range.1 + 1, &entry.state);
    match state {
        // Copying the counts would take as long as counting.
        SliceState::Counts(_) => {
            let rest = fold_range(slice, SliceState::new(slice.fold), begin..=last, scope)?;
            Ok(state.finish_fold(wanted)? + rest.finish_fold(wanted)?)
        }
        _ => fold_range(slice, state.clone(), begin..=last, scope)?.finish_fold(wanted),
    }
}

fn fold_range(
    slice: &SliceFold,
    mut state: SliceState,
    range: std::ops::RangeInclusive<i128>,
    scope: &ValueScope<'_>,
) -> EvalResult<SliceState> {
    for number in range {
        add_element(slice, &mut state, number, scope)?;
    }
    Ok(state)
}

fn add_element(slice: &SliceFold, state: &mut SliceState, number: i128, scope: &ValueScope<'_>) -> EvalResult<()> {
    match evaluate_slice_element(slice, number, scope) {
        Ok(value) => state.add_value(slice.fold, value),
        Err(EvalError::Absent(_)) => Ok(()),
        Err(unknown) => Err(unknown),
    }
}

/// Returns the element of a slice for a number.
///
/// # Errors
/// See [`EvalError`].
pub fn evaluate_slice_element(slice: &SliceFold, number: i128, scope: &ValueScope<'_>) -> EvalResult<i128> {
    /// Number of variables that are kept without an allocation.
    const FEW_VARIABLES: usize = 4;
    let outer = scope.variables.get(..slice.variable).ok_or(EvalError::Missing)?;
    let mut few = [0; FEW_VARIABLES];
    if let Some(variables) = few.get_mut(..=outer.len()) {
        variables[..outer.len()].copy_from_slice(outer);
        variables[outer.len()] = number;
        return evaluate_number(&slice.each, &scope.with_variables(variables));
    }
    evaluate_number(&slice.each, &scope.with_variables(&[outer, &[number]].concat()))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests")]
    use super::*;
    use crate::model::Format;
    use crate::read::read_input;
    use crate::validate::find_violation;
    use rebut_diagnostics::SourceText;

    /// Evaluates the sides of the last comparison for each pair of ends, with a memo and without.
    fn check_slices(expr: &str, expected: &[i128]) {
        let text = format!("n i; a[n] where 1 <= n <= 9; 1 <= i <= n; -9 <= a <= 9; {expr} >= -99");
        let (format, _) = Format::parse(&SourceText::new("test", text.as_str())).unwrap();
        let left = format.constraints.last().unwrap().rule.expressions()[0];
        for (i, expected) in expected.iter().enumerate() {
            let input = format!("4 {}\n3 -1 3 2\n", i + 1);
            let value = read_input(&format, input.as_bytes()).unwrap();
            let scope = ValueScope::for_input(&format, &value);
            assert_eq!(evaluate_number(left, &scope), Ok(*expected), "{expr}, i = {}", i + 1);
        }
    }

    #[test]
    fn slices_fold_their_elements() {
        check_slices("sum(a[1..i])", &[3, 2, 5, 7]);
        check_slices("sum(a[i..n])", &[7, 4, 5, 2]);
        check_slices("sum(a[2..i-1])", &[0, 0, -1, 2]);
        check_slices("max(a[1..i])", &[3, 3, 3, 3]);
        check_slices("min(a[i..4])", &[-1, -1, 2, 2]);
        check_slices("count(a[1..i], 3)", &[1, 1, 2, 2]);
        check_slices("count(a[1..n], i)", &[0, 1, 2, 0]);
    }

    #[test]
    fn memo_changes_no_result() {
        let text =
            "n; a[n] where 1 <= n <= 9; -9 <= a <= 9; sum(a[1..n]) >= 0; max(a[2..n]) >= 0; count(a[1..n], 3) >= 0";
        let (format, _) = Format::parse(&SourceText::new("test", text)).unwrap();
        let value = read_input(&format, b"5\n3 -1 3 2 3\n").unwrap();
        let plain = ValueScope::for_input(&format, &value);
        for final_until in [0, 2, i128::MAX] {
            let memo = SliceMemo::default();
            memo.set_final_until(final_until);
            let with_memo = plain.with_memo(&memo);
            // The memo recognises slices by their place in memory.
            let mut kept = Vec::new();
            for constraint in &format.constraints {
                let Expr::Slice(slice) = constraint.rule.expressions()[0] else { continue };
                // Longer ones, shorter ones, and others that begin elsewhere.
                let mut moved = slice.clone();
                for range in [(1, 2), (1, 4), (1, 5), (1, 3), (3, 5), (1, 5), (4, 3)] {
                    moved.range = (Expr::Constant(range.0), Expr::Constant(range.1));
                    assert_eq!(fold_slice(&moved, &with_memo), fold_slice(&moved, &plain), "{moved:?}");
                }
                kept.push(moved);
            }
        }
    }

    #[test]
    fn elements_out_of_range_are_missing() {
        let text = "n; a[n] where 1 <= n <= 9; -9 <= a <= 9; sum(a[0..n]) >= 0 or sum(a[1..n+1]) >= 0";
        let (format, _) = Format::parse(&SourceText::new("test", text)).unwrap();
        let value = read_input(&format, b"1\n1\n").unwrap();
        assert!(find_violation(&format, &value).is_some());
    }
}
