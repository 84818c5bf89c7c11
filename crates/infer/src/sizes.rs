//! The sizes that earlier numbers allow.

use crate::layout::{FieldIndex, Size};
use crate::state::SearchState;

/// Maximum value of a size.
const MAX_SIZE: i128 = 10_000_000;
/// Maximum number of fields that are combined in pairs.
const MAX_PAIRED: usize = 5;

/// Returns the sizes over some fields that are numbers in all active samples.
pub(crate) fn candidate_sizes(state: &SearchState, fields: &[FieldIndex]) -> Vec<Size> {
    let is_size = |field: &&FieldIndex| {
        let size = Size::Linear { factor: 1, field: **field, offset: 0 };
        state.values_of(&size).is_some_and(|values| values.iter().all(|value| *value <= MAX_SIZE))
    };
    let numbers: Vec<FieldIndex> = fields.iter().filter(is_size).copied().collect();
    let mut sizes = Vec::new();
    // Sums and products with a number that is always zero are other sizes in disguise.
    let is_zero = |field: &FieldIndex| {
        let size = Size::Linear { factor: 1, field: *field, offset: 0 };
        state.values_of(&size).is_some_and(|values| values.iter().all(|value| *value == 0))
    };
    for field in &numbers {
        let changes = [(1, 0), (1, -1), (1, 1), (1, 2), (2, 0)];
        let changes = changes.into_iter().filter(|change| *change == (1, 0) || !is_zero(field));
        sizes.extend(changes.map(|(factor, offset)| Size::Linear { factor, field: *field, offset }));
    }
    let numbers: Vec<FieldIndex> = numbers.into_iter().filter(|field| !is_zero(field)).collect();
    let paired = &numbers[numbers.len().saturating_sub(MAX_PAIRED)..];
    for (i, a) in paired.iter().enumerate() {
        for b in &paired[i + 1..] {
            sizes.extend([Size::Product(*a, *b), Size::Sum(*a, *b)]);
        }
    }
    sizes
}
