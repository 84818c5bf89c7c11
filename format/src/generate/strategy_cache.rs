//! Drawing strategies that neighbouring instances of a long list share.
//!
//! Each number is drawn by one of several strategies (near a bound, of any magnitude, like an earlier one), and
//! each text by one of many shapes. If each of a thousand cases chose its own strategies, choosing would take
//! longer than drawing. So runs of [`RUN_LENGTH`] instances share theirs, and a long list still uses every
//! strategy many times. The values drawn remain independent.

use super::instance::{InstanceGenerator, choose_scalar_strategy};
use crate::language::{BlockId, FieldId};
use rebut_generators::{BoardShape, NumberShape, ScalarStrategy, SizeStrategy, TextShape};
use std::ops::Range;

/// Minimum length of a list with runs. In shorter lists, each instance chooses for itself.
const MIN_LONG_LIST: usize = 64;

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

/// The strategies of the current run.
#[derive(Debug, Default)]
pub(super) struct StrategyCache {
    /// By field.
    field_strategies: Vec<FieldStrategy>,
    shape_strategies: Vec<ShapeStrategy>,
    /// By block.
    block_strategies: Vec<BlockStrategy>,
    /// Whether the cache is disabled for a while.
    is_disabled: bool,
}

impl StrategyCache {
    /// Returns the cached strategies of a field.
    #[inline]
    pub(super) fn field_strategy(&self, field: FieldId) -> FieldStrategy {
        if self.is_disabled {
            FieldStrategy::default()
        } else {
            self.field_strategies.get(field.0).copied().unwrap_or_default()
        }
    }

    /// Returns the cached shapes of a field.
    #[inline]
    pub(super) fn shape_strategy(&self, field: FieldId) -> ShapeStrategy {
        if self.is_disabled {
            ShapeStrategy::default()
        } else {
            self.shape_strategies.get(field.0).copied().unwrap_or_default()
        }
    }

    /// Returns the cached strategies of a block.
    #[inline]
    pub(super) fn block_strategy(&self, block: BlockId) -> BlockStrategy {
        if self.is_disabled {
            BlockStrategy::default()
        } else {
            self.block_strategies.get(block.0).copied().unwrap_or_default()
        }
    }
}

/// Splits `count` instances into the runs that share their strategies.
pub(super) fn split_into_runs(count: usize) -> impl Iterator<Item = Range<usize>> {
    let run = if count >= MIN_LONG_LIST { RUN_LENGTH } else { count.max(1) };
    (0..count).step_by(run).map(move |start| start..count.min(start + run))
}

impl InstanceGenerator<'_, '_> {
    /// Called before each instance of a list of `count`: chooses new strategies if a run begins.
    #[inline]
    pub(super) fn refresh_strategies(&mut self, block: BlockId, at: usize, count: usize) {
        if at == 0 || count >= MIN_LONG_LIST && at.is_multiple_of(RUN_LENGTH) {
            self.renew_strategies(block, count >= MIN_LONG_LIST);
        }
    }

    /// Returns true if the instances of a list of `count` share their strategies.
    pub(super) fn uses_strategies(&self, count: usize) -> bool {
        count >= MIN_LONG_LIST && !self.strategies.is_disabled
    }

    fn renew_strategies(&mut self, block: BlockId, is_long: bool) {
        if !is_long && self.strategies.block_strategies.is_empty() {
            return;
        }
        let format = self.plan.format;
        self.strategies.field_strategies.resize(format.fields.len(), FieldStrategy::default());
        self.strategies.shape_strategies.resize(format.fields.len(), ShapeStrategy::default());
        self.strategies.block_strategies.resize(format.blocks.len(), BlockStrategy::default());
        // The choosers consult the cache: disabled, they choose anew.
        let before = std::mem::replace(&mut self.strategies.is_disabled, true);
        self.strategies.block_strategies[block.0] =
            if is_long { self.choose_block_strategy(block) } else { BlockStrategy::default() };
        for field in format.fields_in_block(block) {
            self.strategies.field_strategies[field.0] =
                if is_long { self.choose_field_strategy(field) } else { FieldStrategy::default() };
            self.strategies.shape_strategies[field.0] =
                if is_long { self.choose_shape_strategy(field) } else { ShapeStrategy::default() };
        }
        self.strategies.is_disabled = before;
    }

    fn choose_block_strategy(&mut self, block: BlockId) -> BlockStrategy {
        BlockStrategy { near_copy: Some(self.wants_near_copy(block)), reverse: Some(self.wants_reverse_order(block)) }
    }

    fn choose_field_strategy(&mut self, field: FieldId) -> FieldStrategy {
        let info = self.plan.format.field(field);
        if self.plan.is_size(field) {
            let size = SizeStrategy::choose_strategy(self.choices, self.settings.growth);
            return FieldStrategy { size: Some(size), ..FieldStrategy::default() };
        }
        let mut strategy = FieldStrategy::default();
        if info.alphabet().is_none() {
            strategy.full_range = Some(self.uses_full_range(field));
        }
        if info.is_scalar() {
            strategy.tie = Some(self.wants_tie(field));
            strategy.number = Some(choose_scalar_strategy(self.choices, self.settings.numbers, &self.settings.hints));
        }
        strategy
    }

    fn choose_shape_strategy(&mut self, field: FieldId) -> ShapeStrategy {
        let info = self.plan.format.field(field);
        let mut shapes = ShapeStrategy::default();
        match (info.alphabet().is_some(), info.dimensions.len()) {
            (_, 0) => {}
            (false, _) => shapes.numbers = Some(self.swarm.pick_number_shape(self.choices)),
            (true, 1) => shapes.text = Some(self.swarm.pick_text_shape(self.choices)),
            (true, _) => shapes.board = Some(self.swarm.pick_board_shape(self.choices)),
        }
        shapes
    }

    /// Draws with the cache at the first attempt, and without it at all others.
    #[inline]
    pub(super) fn with_cache_at_first<T>(&mut self, attempt: usize, draw: impl FnOnce(&mut Self) -> T) -> T {
        let before = self.strategies.is_disabled;
        self.strategies.is_disabled |= attempt > 0;
        let drawn = draw(self);
        self.strategies.is_disabled = before;
        drawn
    }

    /// Draws without the cache, after its strategies led to a broken constraint.
    pub(super) fn without_cache<T>(&mut self, draw: impl FnOnce(&mut Self) -> T) -> T {
        self.with_cache_at_first(1, draw)
    }
}
