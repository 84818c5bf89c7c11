//! The memory of an input while it is drawn, reserved before it is allocated.
//!
//! A format may announce any size: `b[n][m]` of `10^18` rows without a character in them, or of no row and `10^18` columns. So
//! every size that comes from a format is reserved here, as an estimate of what the value, its making and its printed form
//! take together, before anything is allocated by it; sums and products saturate. What exceeds the budget is a [`Failure`] of
//! the input, never of the process.

use super::Failure;
use super::instance::Maker;
use crate::format::{BlockId, FieldId};
use crate::value::Value;

/// Maximum memory of an input, in bytes. No judge has files whose values take more.
const MAX_BYTES: u128 = 768 << 20;

/// Bytes of a number in an array: its value, and the copy that a shape or the printer makes of it.
const NUMBER: u128 = 32;

/// Bytes of a character: its value, its number in the alphabet, and its printed form.
const CHARACTER: u128 = 3;

/// Bytes of a row: its value, and what an allocation costs besides.
const ROW: u128 = size_of::<Value>() as u128 + 16;

/// Bytes of an instance besides its slots: its shares of the elements and of the budgets.
const INSTANCE: u128 = 24;

/// The bytes that were reserved for an input so far.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Allocation {
    bytes: u128,
}

impl Allocation {
    /// Returns the number of parts of so many bytes each for which there is memory left.
    fn left(self, bytes_each: u128) -> u128 {
        (MAX_BYTES - self.bytes.min(MAX_BYTES)) / bytes_each
    }

    /// Reserves memory. Returns false, and reserves nothing, if it exceeds the budget.
    fn reserve(&mut self, bytes: u128) -> bool {
        let sum = self.bytes.saturating_add(bytes);
        let fits = sum <= MAX_BYTES;
        if fits {
            self.bytes = sum;
        }
        fits
    }
}

impl Maker<'_, '_> {
    /// Reserves memory for a field of these sizes. Returns the number of its elements.
    ///
    /// # Errors
    /// Returns an error if the input would take too much memory.
    pub(super) fn reserve_elements(&mut self, field: FieldId, sizes: &[usize]) -> Result<usize, Failure> {
        let [rows @ .., _] = sizes else { return Ok(1) };
        // The rows of each dimension but the last; a size of zero leaves those around it.
        let (mut lists, mut bytes) = (1_u128, 0_u128);
        for size in rows {
            lists = lists.saturating_mul(*size as u128);
            bytes = bytes.saturating_add(lists.saturating_mul(ROW));
        }
        let count = sizes.iter().fold(1_u128, |product, size| product.saturating_mul(*size as u128));
        let bytes = bytes.saturating_add(count.saturating_mul(self.bytes_each(field)));
        if !self.allocation.reserve(bytes) {
            return Err(self.too_large(field, count));
        }
        Ok(count as usize)
    }

    /// Returns the number of elements that all rows of a field may have together: as there is memory left, and no more than any
    /// file has.
    pub(super) fn elements_left(&self, field: FieldId) -> i128 {
        const MAX_ELEMENTS: u128 = 100_000_000;
        self.allocation.left(self.bytes_each(field)).min(MAX_ELEMENTS) as i128
    }

    /// Reserves memory for what is known of each of the instances of a block before they are drawn.
    ///
    /// # Errors
    /// Returns an error if the input would take too much memory.
    pub(super) fn reserve_instances(&mut self, count: usize) -> Result<(), Failure> {
        self.reserve_repetitions(count, INSTANCE)
    }

    /// Reserves memory for the slots of all instances of a block.
    ///
    /// # Errors
    /// Returns an error if the input would take too much memory.
    pub(super) fn reserve_slots(&mut self, block: BlockId, count: usize) -> Result<(), Failure> {
        let width = self.plan.format.block(block).slots as u128;
        self.reserve_repetitions(count, width.saturating_mul(size_of::<Value>() as u128))
    }

    fn reserve_repetitions(&mut self, count: usize, bytes_each: u128) -> Result<(), Failure> {
        if self.allocation.reserve((count as u128).saturating_mul(bytes_each)) {
            return Ok(());
        }
        let message = format!("an input of {count} repetitions would take more than {}", limit());
        Err(Failure { constraint: None, message })
    }

    /// Returns the bytes of an element. A match is drawn by a table with a row for each character, and may be twice as long as what
    /// was asked for.
    fn bytes_each(&self, field: FieldId) -> u128 {
        match self.plan.pattern(field) {
            Some(pattern) => 2 * (CHARACTER + ROW + pattern.state_count() as u128),
            None if self.plan.format.field(field).letters().is_some() => CHARACTER,
            None => NUMBER,
        }
    }

    fn too_large(&self, field: FieldId, count: u128) -> Failure {
        let name = &self.plan.format.field(field).name;
        let message = match count {
            0 => format!("the rows of `{name}` alone would take more than {}", limit()),
            u128::MAX => format!("`{name}` would take more than {}", limit()),
            _ => format!("an input with {count} elements of `{name}` would take more than {}", limit()),
        };
        Failure { constraint: None, message }
    }
}

/// The budget as messages name it.
fn limit() -> String {
    format!("{} MiB of memory; no larger input is generated", MAX_BYTES >> 20)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_exceeds_the_budget_is_refused_and_not_reserved() {
        let mut allocation = Allocation::default();
        assert!(allocation.reserve(MAX_BYTES - 10));
        assert!(!allocation.reserve(u128::MAX) && !allocation.reserve(11));
        assert_eq!(allocation.left(3), 3);
        assert!(allocation.reserve(10));
        assert_eq!(allocation.left(1), 0);
    }
}
