//! The memory of an input while it is drawn, reserved before it is allocated.
//!
//! A format may announce any size: `b[n][m]` with `10^18` empty rows, or with no row and `10^18` columns. So
//! every size that comes from a format is first reserved here, as an estimate of the memory that the value, its
//! construction and its printed form take together. Sums and products saturate. An input that exceeds the
//! budget is a [`GenerationError`]; the process never runs out of memory.

use super::GenerationError;
use crate::language::{BlockId, Field, FieldId, Format};
use crate::value::Value;

/// Maximum memory of an input, in bytes. No judge has files with values that take more.
const MAX_BYTES: u128 = 768 << 20;

/// Bytes of a number in an array: its value, and the copy that a shape or the printer makes of it.
const NUMBER_BYTES: u128 = 32;

/// Bytes of a character: its value, its number in the alphabet, and its printed form.
const CHARACTER_BYTES: u128 = 3;

/// Bytes of a row: its value, and the overhead of an allocation.
const ROW_BYTES: u128 = size_of::<Value>() as u128 + 16;

/// Bytes of an instance in addition to its slots: its shares of the elements and of the budgets.
const INSTANCE_BYTES: u128 = 24;

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

    /// Reserves the memory of each instance of a block that is needed before the instances are drawn.
    ///
    /// # Errors
    /// Returns an error if the input would take too much memory.
    pub(super) fn reserve_instances(
        &mut self,
        format: &Format,
        block: BlockId,
        count: usize,
    ) -> Result<(), GenerationError> {
        self.reserve_repetitions(format, block, count, INSTANCE_BYTES)
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

    fn reserve_repetitions(
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
