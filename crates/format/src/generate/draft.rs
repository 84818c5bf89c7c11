//! Drafts: instances while they are drawn.
//!
//! There is one way of drawing an instance: sizes first, then the other single numbers, then arrays and texts, then
//! the rest, and at last the fields that break a constraint again. It is written once, in
//! [`InstanceGenerator::draw_into`]. Drafts differ in how they find the values that the constraints leave: a
//! [`ScopedDraft`](super::scoped_draft::ScopedDraft) evaluates any expression, and a draft in [`lanes`](super::lanes)
//! adds up numbers in machine words, of one instance or of sixteen side by side.

use super::GenerationError;
use super::instance::InstanceGenerator;
use crate::language::{BlockId, FieldId, Format};
use crate::validate::ViolationSides;

/// Maximum number of attempts at an instance before its constraint is given up.
pub(super) const MAX_TRIES: usize = 12;

/// The cost of a failed attempt, in draws, even if it ended before the first draw.
pub(super) const DRAWS_PER_ATTEMPT: u64 = 16;

/// One or more instances while they are drawn.
///
/// Fields are named by their index among the sizes, the other single numbers or the arrays of the block's plan.
pub(super) trait Draft<'a> {
    /// Forgets all values. Each later attempt is half as large, since most dead ends are caused by size.
    fn begin(&mut self, generator: &mut InstanceGenerator<'a, '_>, attempt: usize);

    /// Draws a number that sizes something.
    fn draw_size(&mut self, generator: &mut InstanceGenerator<'a, '_>, index: usize) -> Result<(), DrawFailure<'a>>;

    /// Draws another single number.
    fn draw_scalar(&mut self, generator: &mut InstanceGenerator<'a, '_>, index: usize) -> Result<(), DrawFailure<'a>>;

    /// Draws an array, a text or a board.
    fn draw_array(&mut self, generator: &mut InstanceGenerator<'a, '_>, index: usize) -> Result<(), DrawFailure<'a>>;
}

/// One instance while it is drawn.
pub(super) trait InstanceDraft<'a>: Draft<'a> {
    /// Draws what depends on all fields: the blocks inside, and repairs.
    fn draw_rest(&mut self, generator: &mut InstanceGenerator<'a, '_>) -> Result<(), DrawFailure<'a>>;

    /// Returns the first constraint in doubt that does not hold.
    fn find_violation(&self, generator: &InstanceGenerator<'a, '_>, doubt: RecheckScope) -> Option<DraftViolation<'a>>;

    /// Redraws one of the fields that a broken constraint depends on.
    fn redraw_field(&mut self, generator: &mut InstanceGenerator<'a, '_>, broken: &DraftViolation<'a>)
    -> RedrawOutcome;

    /// Returns true if a redraw for this constraint can change anything: not if all numbers that it may change have one
    /// possible value.
    fn can_change(&mut self, generator: &InstanceGenerator<'a, '_>, constraint: usize) -> bool;

    /// Returns the number of nodes of the instance, as [`Value::node_count`](crate::value::Value::node_count) counts
    /// them.
    fn count_nodes(&self) -> usize;
}

/// A constraint that a draft breaks.
#[derive(Debug)]
pub(super) struct DraftViolation<'a> {
    /// Index of the constraint in the format.
    pub(super) constraint: usize,
    /// Index of the violating element of an array.
    pub(super) element: Option<usize>,
    /// The values of the two sides.
    pub(super) sides: ViolationSides<'a>,
}

/// The constraints that may be broken after a redraw.
#[derive(Clone, Copy, Debug)]
pub(super) enum RecheckScope {
    /// All constraints.
    All,
    /// Those after the first broken one, which have not been checked yet, and those that depend on the number
    /// redrawn since.
    After { broken: usize, redrawn: FieldId },
}

/// The change made by a redraw.
#[derive(Clone, Copy, Debug)]
pub(super) enum RedrawOutcome {
    /// No field could be changed on its own.
    Nothing,
    /// A single number, drawn with its old value, in a block without arrays.
    Same,
    /// A single number.
    Number(FieldId),
    /// An array or a text, or some of its elements.
    Array,
}

pub(super) fn halve_budget(size_budget: usize, attempt: usize) -> usize {
    (size_budget >> attempt.min(usize::BITS as usize - 1)).max(1)
}

impl<'a> InstanceGenerator<'a, '_> {
    /// Draws an instance that satisfies the constraints of its block and the limits of its draft.
    pub(super) fn draw_into(
        &mut self,
        block: BlockId,
        draft: &mut impl InstanceDraft<'a>,
    ) -> Result<(), GenerationError> {
        let mut last_failure = None;
        for attempt in 0..MAX_TRIES {
            let (wasted, drawn, allocation) = (self.wasted_draws, self.choices.draw_count(), self.memory);
            let before = std::mem::replace(&mut self.failed_attempts, attempt);
            let result = self.with_cache_at_first(attempt, |generator| {
                generator.fill_at_first(attempt, |generator| {
                    generator.draw_fields(block, draft, attempt)?;
                    draft.draw_rest(generator)?;
                    generator.redraw_until_valid(block, draft)
                })
            });
            self.failed_attempts = before;
            match result {
                Ok(()) => return Ok(()),
                Err(failure) => last_failure = Some(failure),
            }
            self.memory = allocation;
            // The draws since then include those wasted by inner instances, unless checking these cost more
            // than drawing.
            self.wasted_draws = self.wasted_draws.max(wasted + self.choices.draw_count() - drawn) + DRAWS_PER_ATTEMPT;
            if self.record_failed_attempt() {
                break;
            }
        }
        let unknown = GenerationError::with_message("");
        Err(last_failure.map_or(unknown, |failure| failure.into_error(self.plan.format)))
    }

    /// Draws all fields of a draft. Sizes come first, in layout order. The other single numbers follow in that order
    /// or in reverse, so that neither of `l` and `r` in `l <= r` is always drawn from the whole range. Numbers that
    /// act as sizes precede the numbers they bound. Arrays and texts are drawn once their sizes are known.
    pub(super) fn draw_fields(
        &mut self,
        block: BlockId,
        draft: &mut impl Draft<'a>,
        attempt: usize,
    ) -> Result<(), DrawFailure<'a>> {
        draft.begin(self, attempt);
        let parts = self.plan.block_plan(block);
        let leads = || parts.other_scalars.iter().any(|field| self.plan.acts_as_size(*field));
        let keeps_order = self.settings.extreme.is_some() && leads();
        let reverse = self.wants_reverse_order(block) && !keeps_order;
        for index in 0..parts.sizes.len() {
            draft.draw_size(self, index)?;
        }
        let last = parts.other_scalars.len().saturating_sub(1);
        for index in 0..parts.other_scalars.len() {
            draft.draw_scalar(self, if reverse { last - index } else { index })?;
        }
        for index in 0..parts.arrays.len() {
            draft.draw_array(self, index)?;
        }
        Ok(())
    }

    /// Returns true if the numbers of an instance should be drawn in reverse layout order.
    #[inline]
    pub(super) fn wants_reverse_order(&mut self, block: BlockId) -> bool {
        self.strategies.block_strategy(block).reverse.unwrap_or_else(|| self.choices.draw_chance(1, 2))
    }

    /// Fills the budgets in the first attempts, and uses any part of them in later ones.
    #[inline]
    fn fill_at_first<T>(&mut self, attempt: usize, draw: impl FnOnce(&mut Self) -> T) -> T {
        const FILLING_ATTEMPTS: usize = 2;
        if self.filled_fields.is_empty() || attempt < FILLING_ATTEMPTS {
            return draw(self);
        }
        let filled = std::mem::take(&mut self.filled_fields);
        let drawn = draw(self);
        self.filled_fields = filled;
        drawn
    }
}

// The reason why an attempt at an instance failed.

/// The reason why an attempt at an instance failed. Most failures are followed by another attempt, so the message
/// is built only at the end.
#[derive(Debug)]
pub(super) enum DrawFailure<'a> {
    /// The range of a field is empty, because of this constraint.
    EmptyRange(FieldId, Option<usize>),
    /// A constraint does not hold, with the values of its sides.
    BrokenConstraint(usize, ViolationSides<'a>),
    /// Any other error.
    Other(Box<GenerationError>),
}

impl From<GenerationError> for DrawFailure<'_> {
    fn from(error: GenerationError) -> Self {
        DrawFailure::Other(Box::new(error))
    }
}

impl DrawFailure<'_> {
    /// Returns the failure as an error with its message.
    pub(super) fn into_error(self, format: &Format) -> GenerationError {
        match self {
            DrawFailure::EmptyRange(field, blame) => GenerationError::for_empty_range(format, field, blame),
            DrawFailure::BrokenConstraint(constraint, sides) => {
                GenerationError::for_broken_constraint(format, constraint, sides.display_text(format))
            }
            DrawFailure::Other(error) => *error,
        }
    }
}
