//! Budgets: sums over the instances of a block, of which each instance gets a share.

use super::GenerationError;
use crate::language::{
    BlockId, Comparison, ComparisonOperator, Expr, Field, FieldId, FoldRange, Format, Interval, MAX_NUMBER,
};
use crate::value::{self, EvalError, Value, ValueScope, visit_occurrences_within};
use std::ops::Range;

/// A list of instances that share budgets.
pub(super) struct SharedList<'s> {
    pub(super) block: BlockId,
    pub(super) count: usize,
    pub(super) holder: &'s ValueScope<'s>,
    /// Maximum number of elements of all instances together.
    pub(super) size_budget: usize,
}

/// A sum over the instances of a block, and how much of it is left.
pub(super) struct Budget<'e> {
    /// The contribution of each instance.
    pub(super) contribution: &'e Expr,
    /// The range of the sum: the instances, or a block that some of them lack.
    pub(super) over: FoldRange,
    pub(super) range: Interval,
    /// The required range of every contribution, beyond the ranges of its fields.
    pub(super) required_of_all: Interval,
    /// The range of the sum of all contributions.
    pub(super) total: Interval,
    /// The maximum share of each instance, if the total was split.
    pub(super) shares: Vec<i128>,
    /// Ranges that one instance each has to meet, and the instances chosen for them.
    pub(super) required_of_one: Vec<Interval>,
    pub(super) required_of_chosen: Vec<(usize, Interval)>,
    /// Whether the unused part of a share passes on to the next instance, and how much that is.
    pub(super) carries_over: bool,
    carried_over: i128,
    /// Number of instances that have contributed.
    spent_count: usize,
}

/// Returns the limits that mention an optional block inside the instance.
pub(super) fn limits_on_optional_block(format: &Format, child: BlockId, limits: &[Comparison]) -> Vec<Comparison> {
    let is_mentioned = |limit: &&Comparison| {
        let fields = format.affecting_fields(limit.all_operands());
        format.is_optional(child) && fields.iter().any(|field| format.is_within(format.field(*field).block, child))
    };
    limits.iter().filter(is_mentioned).cloned().collect()
}

impl<'e> Budget<'e> {
    pub(super) fn new(each: &'e Expr, over: FoldRange, range: Interval) -> Self {
        Budget {
            contribution: each,
            over,
            range,
            required_of_all: Interval::ALL,
            total: Interval::ALL,
            shares: Vec::new(),
            required_of_one: Vec::new(),
            required_of_chosen: Vec::new(),
            carries_over: false,
            carried_over: 0,
            spent_count: 0,
        }
    }
}

impl Budget<'_> {
    /// Returns true if the total has an upper bound.
    pub(super) fn is_bounded(&self) -> bool {
        self.total.hi < MAX_NUMBER
    }

    /// Returns the range required of the `i`-th contribution alone.
    pub(super) fn required_range(&self, i: usize) -> Interval {
        let chosen = self.required_of_chosen.iter().filter(|(at, _)| *at == i);
        chosen.fold(self.required_of_all, |range, (_, wanted)| range.intersect(*wanted))
    }

    /// Returns how much more than their minimum the instances from `i` have to contribute, and how far below
    /// their maximum they have to stay.
    fn reserved_from_instance(&self, i: usize) -> (i128, i128) {
        let later = self.required_of_chosen.iter().filter(|(at, _)| *at >= i).map(|(_, wanted)| wanted);
        later.fold((0, 0), |(more, less), wanted| {
            let above = (wanted.lo - self.range.lo).clamp(0, MAX_NUMBER);
            let below = (self.range.hi - wanted.hi).clamp(0, MAX_NUMBER);
            (more.saturating_add(above), less.saturating_add(below))
        })
    }

    /// Returns the possible numbers of instances.
    pub(super) fn count_range(&self) -> Interval {
        // Bounds on extremes hold for an empty list as well.
        let mut range = Interval::NATURAL;
        let above = self.required_of_one.iter().map(|wanted| wanted.lo - self.range.lo).fold(0, i128::max);
        if self.is_bounded() && self.range.lo > 0 {
            range.hi = (self.total.hi - above).div_euclid(self.range.lo);
        }
        if self.total.lo > -MAX_NUMBER && self.range.hi > 0 {
            range.lo = range.lo.max(-(-self.total.lo).div_euclid(self.range.hi));
        }
        range
    }

    /// Returns the limits on the `i`-th of `count` instances, so that the later ones can still contribute their
    /// minimum and, if the sum has a lower bound, can still reach it with their maximum.
    pub(super) fn limit_comparisons(&self, i: usize, count: usize) -> Vec<Comparison> {
        let limit = self.limit_range(i, count);
        let most = (limit.hi < MAX_NUMBER)
            .then(|| compare_with_constant(self.contribution, ComparisonOperator::LessEqual, limit.hi));
        let least = (limit.lo > -MAX_NUMBER)
            .then(|| compare_with_constant(self.contribution, ComparisonOperator::GreaterEqual, limit.lo));
        most.into_iter().chain(least).collect()
    }

    pub(super) fn limit_range(&self, i: usize, count: usize) -> Interval {
        let after = (count - i - 1) as i128;
        let (more, less) = if self.required_of_chosen.is_empty() { (0, 0) } else { self.reserved_from_instance(i + 1) };
        let mut limit = Interval::ALL;
        if self.total.hi < MAX_NUMBER {
            // Reserve the minimum that the later instances need.
            let most = self.total.hi - after.saturating_mul(self.range.lo).saturating_add(more);
            let share = self.shares.get(i).map_or(most, |share| share.saturating_add(self.carried_over));
            let needed = self.total.lo.saturating_sub(after.saturating_mul(self.range.hi).saturating_sub(less));
            limit.hi = most.min(share.max(needed).max(self.range.lo));
        }
        if self.total.lo > -MAX_NUMBER {
            limit.lo = self.total.lo.saturating_sub(after.saturating_mul(self.range.hi).saturating_sub(less));
        }
        if self.required_of_all == Interval::ALL && self.required_of_chosen.is_empty() {
            return limit;
        }
        let wanted = self.required_range(i);
        // The budget that the chosen instance needs has been reserved for it.
        Interval::new(limit.lo.max(wanted.lo), limit.hi.max(wanted.lo.min(self.range.hi)).min(wanted.hi))
    }

    /// Returns true if the instances `some` may contribute anything in their range, independently of each
    /// other.
    fn is_ample_for(&self, some: &Range<usize>, count: usize) -> bool {
        let spread = self.range.hi.saturating_sub(self.range.lo);
        let least =
            self.limit_range(some.start, count).hi.saturating_sub(spread.saturating_mul(some.len() as i128 - 1));
        let is_free =
            self.required_of_all == Interval::ALL && !self.required_of_chosen.iter().any(|(at, _)| some.contains(at));
        is_free && self.shares.is_empty() && self.total.lo == -MAX_NUMBER && least >= self.range.hi
    }

    pub(super) fn spend_instance(&mut self, child: BlockId, holder: &ValueScope<'_>, instance: &[Value]) {
        let mut parts = 0_i128;
        let known = visit_occurrences_within(&holder.for_instance(child, instance), self.over, &mut |_, scope| {
            match value::evaluate_number(self.contribution, scope) {
                Ok(part) => parts = parts.saturating_add(part),
                Err(EvalError::Empty | EvalError::Absent(_)) => {}
                Err(unknown) => return Err(unknown),
            }
            Ok(())
        });
        if known.is_ok() {
            self.spend_amount(parts);
        }
    }

    /// Subtracts the contribution of an instance from the total.
    pub(super) fn spend_amount(&mut self, part: i128) {
        if self.carries_over {
            let share = self.shares.get(self.spent_count).copied().unwrap_or(part);
            self.carried_over = self.carried_over.saturating_add(share).saturating_sub(part).max(0);
            self.spent_count += 1;
        }
        self.total.lo = (self.total.lo - part).max(-MAX_NUMBER);
        self.total.hi -= part;
    }
}

/// Returns true if every budget is ample for the instances `some`.
pub(super) fn are_budgets_ample(budgets: &[Budget<'_>], some: &Range<usize>, count: usize) -> bool {
    budgets.iter().all(|budget| budget.is_ample_for(some, count))
}

pub(super) fn compare_with_constant(left: &Expr, sign: ComparisonOperator, right: i128) -> Comparison {
    Comparison::new(left.clone(), sign, Expr::Constant(right))
}

// The memory of an input while it is drawn, reserved before it is allocated.
//
// A format may announce any size: `b[n][m]` with `10^18` empty rows, or with no row and `10^18` columns. So
// every size that comes from a format is first reserved here, as an estimate of the memory that the value, its
// construction and its printed form take together. Sums and products saturate. An input that exceeds the
// budget is a [`GenerationError`]; the process never runs out of memory.

/// Maximum memory of an input, in bytes. No judge has files with values that take more.
const MAX_BYTES: u128 = 768 << 20;

/// Bytes of a number in an array: its value, and the copy that a shape or the printer makes of it.
const NUMBER_BYTES: u128 = 32;

/// Bytes of a character: its value, its number in the alphabet, and its printed form.
const CHARACTER_BYTES: u128 = 3;

/// Bytes of a row: its value, and the overhead of an allocation.
const ROW_BYTES: u128 = size_of::<Value>() as u128 + 16;

/// Bytes of an instance in addition to its slots: its shares of the elements and of the budgets.
pub(super) const INSTANCE_BYTES: u128 = 24;

/// Returns a number as a size, or `None` if it is negative. One beyond `usize` counts as `usize::MAX`, which no budget
/// allows.
pub(super) fn number_to_size(number: i128) -> Option<usize> {
    u128::try_from(number).ok().map(|number| usize::try_from(number).unwrap_or(usize::MAX))
}

/// The bytes reserved for the current input.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct MemoryBudget {
    reserved_bytes: u128,
}

impl MemoryBudget {
    /// Returns the number of parts of this size that still fit.
    fn remaining_parts(self, bytes_each: u128) -> u128 {
        (MAX_BYTES - self.reserved_bytes.min(MAX_BYTES)) / bytes_each
    }

    /// Reserves memory. Returns false, and reserves nothing, if that exceeds the budget.
    fn try_reserve(&mut self, bytes: u128) -> bool {
        let sum = self.reserved_bytes.saturating_add(bytes);
        let fits = sum <= MAX_BYTES;
        if fits {
            self.reserved_bytes = sum;
        }
        fits
    }

    /// Reserves memory for a field of these sizes, and returns the number of its elements.
    ///
    /// # Errors
    /// Returns an error if the input would take too much memory.
    pub(super) fn reserve_elements(
        &mut self,
        format: &Format,
        field: FieldId,
        sizes: &[usize],
    ) -> Result<usize, GenerationError> {
        let [rows @ .., last] = sizes else { return Ok(1) };
        // The rows of all dimensions but the last; after a size of zero, only those of the outer dimensions.
        let (mut lists, mut bytes) = (1_u128, 0_u128);
        for size in rows {
            lists = lists.saturating_mul(*size as u128);
            bytes = bytes.saturating_add(lists.saturating_mul(ROW_BYTES));
        }
        let count = sizes.iter().fold(1_u128, |product, size| product.saturating_mul(*size as u128));
        let bytes = bytes.saturating_add(count.saturating_mul(bytes_per_element(format, field)));
        if !self.try_reserve(bytes) {
            let is_alone_too_large = (*last as u128).saturating_mul(bytes_per_element(format, field)) > MAX_BYTES
                || rows.iter().any(|size| (*size as u128).saturating_mul(ROW_BYTES) > MAX_BYTES);
            return Err(too_large_error(format, field, count, is_alone_too_large));
        }
        Ok(count as usize)
    }

    /// Returns the maximum number of elements of all rows of a field together, limited by the remaining memory
    /// and by the size of any real file.
    pub(super) fn max_remaining_elements(self, format: &Format, field: FieldId) -> i128 {
        const MAX_ELEMENTS: u128 = 100_000_000;
        self.remaining_parts(bytes_per_element(format, field)).min(MAX_ELEMENTS) as i128
    }

    /// Reserves memory for the slots of all instances of a block.
    ///
    /// # Errors
    /// Returns an error if the input would take too much memory.
    pub(super) fn reserve_slots(
        &mut self,
        format: &Format,
        block: BlockId,
        count: usize,
    ) -> Result<(), GenerationError> {
        let width = format.block(block).slots as u128;
        self.reserve_repetitions(format, block, count, width.saturating_mul(size_of::<Value>() as u128))
    }

    /// Reserves memory for instances of a block, or parts of them.
    ///
    /// # Errors
    /// Returns an error if the input would take too much memory.
    pub(super) fn reserve_repetitions(
        &mut self,
        format: &Format,
        block: BlockId,
        count: usize,
        bytes_each: u128,
    ) -> Result<(), GenerationError> {
        let bytes = (count as u128).saturating_mul(bytes_each);
        if self.try_reserve(bytes) {
            return Ok(());
        }
        let subject = match count {
            usize::MAX => "so many repetitions".to_owned(),
            _ => format!("an input of {count} repetitions"),
        };
        let message = format!("{subject} would take more than {}", budget_text());
        let too_large = (bytes > MAX_BYTES).then_some(format.block(block).span);
        Err(GenerationError { constraint: None, too_large, message })
    }
}

/// Returns the bytes of an element. A match is drawn with a table that has a row for each character, and
/// may be twice as long as requested.
fn bytes_per_element(format: &Format, field: FieldId) -> u128 {
    match format.text_pattern(field) {
        Some(pattern) => 2 * (CHARACTER_BYTES + ROW_BYTES + pattern.state_count() as u128),
        None if format.field(field).alphabet().is_some() => CHARACTER_BYTES,
        None => NUMBER_BYTES,
    }
}

fn too_large_error(format: &Format, field: FieldId, count: u128, is_alone_too_large: bool) -> GenerationError {
    let Field { name, span, .. } = format.field(field);
    let message = match count {
        0 => format!("the rows of `{name}` alone would take more than {}", budget_text()),
        // A size beyond `usize` is not known exactly.
        count if count >= usize::MAX as u128 => format!("`{name}` would take more than {}", budget_text()),
        _ => format!("an input with {count} elements of `{name}` would take more than {}", budget_text()),
    };
    GenerationError { constraint: None, too_large: is_alone_too_large.then_some(*span), message }
}

/// Returns the budget as messages state it.
fn budget_text() -> String {
    format!("{} MiB of memory; no larger input is generated", MAX_BYTES >> 20)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reservation_beyond_the_budget_is_refused() {
        let mut allocation = MemoryBudget::default();
        assert!(allocation.try_reserve(MAX_BYTES - 10));
        assert!(!allocation.try_reserve(u128::MAX) && !allocation.try_reserve(11));
        assert_eq!(allocation.remaining_parts(3), 3);
        assert!(allocation.try_reserve(10));
        assert_eq!(allocation.remaining_parts(1), 0);
    }
}
