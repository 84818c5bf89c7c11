//! Drawing strategies that neighbouring instances of a long list share.
//!
//! Each number is drawn by one of several strategies (near a bound, of any magnitude, like an earlier one), and
//! each text by one of many shapes. If each of a thousand cases chose its own strategies, choosing would take
//! longer than drawing. So runs of [`RUN_LENGTH`] instances share theirs, and a long list still uses every
//! strategy many times. The values drawn remain independent.

use crate::language::{BlockId, FieldId};
use rebut_generators::{BoardShape, NumberShape, ScalarStrategy, SizeStrategy, TextShape};
use std::ops::Range;

/// Minimum length of a list with runs. In shorter lists, each instance chooses for itself.
pub(super) const MIN_LONG_LIST: usize = 64;

/// Number of consecutive instances that share their strategies.
pub(super) const RUN_LENGTH: usize = 16;

/// The strategies of a field. Where one is `None`, it is chosen for each draw.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct FieldStrategy {
    /// Whether the number is near another one.
    pub(super) tie: Option<bool>,
    /// Whether it is drawn from its whole range, even early in a search.
    pub(super) full_range: Option<bool>,
    pub(super) number: Option<ScalarStrategy>,
    pub(super) size: Option<SizeStrategy>,
}

/// The shapes of a field. Where one is `None`, it is chosen for each draw.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct ShapeStrategy {
    pub(super) numbers: Option<&'static NumberShape>,
    pub(super) text: Option<&'static TextShape>,
    pub(super) board: Option<&'static BoardShape>,
}

/// The strategies of the instances of a block.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct BlockStrategy {
    /// Whether they are near copies of earlier ones.
    pub(super) near_copy: Option<bool>,
    /// Whether their numbers are drawn in reverse layout order.
    pub(super) reverse: Option<bool>,
}

/// The forms of the instances of a list.
#[derive(Clone, Debug, Default)]
pub(super) struct ListForms {
    /// By instance; empty if each draws its own.
    pub(super) sequence: Vec<usize>,
    /// That of the instance that is being drawn, until it is used.
    pub(super) next: Option<usize>,
}

/// The strategies of the current run.
#[derive(Debug, Default)]
pub(super) struct StrategyCache {
    pub(super) field_strategies: Vec<FieldStrategy>,
    pub(super) shape_strategies: Vec<ShapeStrategy>,
    pub(super) block_strategies: Vec<BlockStrategy>,
    /// By block, of its present list.
    pub(super) forms: Vec<ListForms>,
    /// Whether the cache is disabled for a while.
    pub(super) is_disabled: bool,
}

impl StrategyCache {
    #[inline]
    pub(super) fn field_strategy(&self, field: FieldId) -> FieldStrategy {
        self.cached_strategy(&self.field_strategies, field.0)
    }

    #[inline]
    pub(super) fn shape_strategy(&self, field: FieldId) -> ShapeStrategy {
        self.cached_strategy(&self.shape_strategies, field.0)
    }

    #[inline]
    pub(super) fn block_strategy(&self, block: BlockId) -> BlockStrategy {
        self.cached_strategy(&self.block_strategies, block.0)
    }

    #[inline]
    fn cached_strategy<S: Copy + Default>(&self, strategies: &[S], at: usize) -> S {
        if self.is_disabled { S::default() } else { strategies.get(at).copied().unwrap_or_default() }
    }
}

/// Splits `count` instances into the runs that share their strategies.
pub(super) fn split_into_runs(count: usize) -> impl Iterator<Item = Range<usize>> {
    let run = if count >= MIN_LONG_LIST { RUN_LENGTH } else { count.max(1) };
    (0..count).step_by(run).map(move |start| start..count.min(start + run))
}
