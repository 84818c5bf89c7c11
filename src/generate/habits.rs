//! What neighbours in a long list have in common: the ways in which they are drawn.
//!
//! Each number is drawn in one of several ways (near a bound, of any magnitude, like one before it), and each text by one of
//! many shapes. Where every one of a thousand cases chose anew, choosing would take longer than drawing. So a few in a
//! row keep to what is chosen for them together, and a list still sees every way many times. What they draw is their own.

use super::instance::Maker;
use crate::format::{BlockId, FieldId};
use rebut_generators::{BoardShape, NumberShape, NumberWay, SizeWay, TextShape};
use std::ops::Range;

/// In shorter lists, each instance chooses for itself.
const LONG: usize = 64;

/// So many in a row keep to the same ways.
pub(super) const RUN: usize = 16;

/// The ways in which a field is drawn; where there is none, one is chosen each time.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Ways {
    /// Whether it is near another number.
    pub(super) tie: Option<bool>,
    /// Whether it is drawn from all of its range, however early in a run.
    pub(super) whole: Option<bool>,
    pub(super) number: Option<NumberWay>,
    pub(super) size: Option<SizeWay>,
}

/// The same for shapes.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Shapes {
    pub(super) numbers: Option<&'static NumberShape>,
    pub(super) text: Option<&'static TextShape>,
    pub(super) board: Option<&'static BoardShape>,
}

/// The ways of the instances of a block.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Customs {
    /// Whether they are like earlier ones.
    pub(super) copying: Option<bool>,
    /// Whether their numbers are drawn in the order opposite to that of the layout.
    pub(super) reverse: Option<bool>,
}

/// The ways that are kept to.
#[derive(Debug, Default)]
pub(super) struct Habits {
    /// By field.
    ways: Vec<Ways>,
    shapes: Vec<Shapes>,
    /// By block.
    customs: Vec<Customs>,
    /// Whether nothing is kept to for a while.
    are_off: bool,
}

impl Habits {
    /// What a field keeps to.
    #[inline]
    pub(super) fn ways(&self, field: FieldId) -> Ways {
        if self.are_off { Ways::default() } else { self.ways.get(field.0).copied().unwrap_or_default() }
    }

    /// The shapes that a field keeps to.
    #[inline]
    pub(super) fn shapes(&self, field: FieldId) -> Shapes {
        if self.are_off { Shapes::default() } else { self.shapes.get(field.0).copied().unwrap_or_default() }
    }

    /// What the instances of a block keep to.
    #[inline]
    pub(super) fn customs(&self, block: BlockId) -> Customs {
        if self.are_off { Customs::default() } else { self.customs.get(block.0).copied().unwrap_or_default() }
    }
}

/// The instances of a list of so many, in those stretches that keep to the same ways.
pub(super) fn runs(count: usize) -> impl Iterator<Item = Range<usize>> {
    let run = if count >= LONG { RUN } else { count.max(1) };
    (0..count).step_by(run).map(move |start| start..count.min(start + run))
}

impl Maker<'_, '_> {
    /// Before an instance of a list of so many: chooses what it and those after it keep to, if it is time to.
    #[inline]
    pub(super) fn choose_habits(&mut self, block: BlockId, at: usize, count: usize) {
        if at == 0 || count >= LONG && at.is_multiple_of(RUN) {
            self.renew_habits(block, count >= LONG);
        }
    }

    /// Whether neighbours in a list of so many keep to the same ways.
    pub(super) fn has_habits(&self, count: usize) -> bool {
        count >= LONG && !self.habits.are_off
    }

    fn renew_habits(&mut self, block: BlockId, is_long: bool) {
        if !is_long && self.habits.customs.is_empty() {
            return;
        }
        let format = self.plan.format;
        self.habits.ways.resize(format.fields.len(), Ways::default());
        self.habits.shapes.resize(format.fields.len(), Shapes::default());
        self.habits.customs.resize(format.blocks.len(), Customs::default());
        let before = std::mem::replace(&mut self.habits.are_off, true);
        self.habits.customs[block.0] = if is_long { self.any_customs(block) } else { Customs::default() };
        for field in format.fields_of(block) {
            self.habits.ways[field.0] = if is_long { self.any_ways(field) } else { Ways::default() };
            self.habits.shapes[field.0] = if is_long { self.any_shapes(field) } else { Shapes::default() };
        }
        self.habits.are_off = before;
    }

    fn any_customs(&mut self, block: BlockId) -> Customs {
        Customs { copying: Some(self.copies(block)), reverse: Some(self.in_reverse(block)) }
    }

    fn any_ways(&mut self, field: FieldId) -> Ways {
        let info = self.plan.format.field(field);
        if self.plan.is_size(field) {
            let size = SizeWay::choose(self.choices, self.settings.growth);
            return Ways { size: Some(size), ..Ways::default() };
        }
        let mut ways = Ways::default();
        if info.letters().is_none() {
            ways.whole = Some(self.takes_whole(field));
        }
        if info.is_scalar() {
            ways.tie = Some(self.wants_tie(field));
            ways.number = Some(NumberWay::choose(self.choices, &self.settings.hints));
        }
        ways
    }

    fn any_shapes(&mut self, field: FieldId) -> Shapes {
        let info = self.plan.format.field(field);
        let mut shapes = Shapes::default();
        match (info.letters().is_some(), info.dimensions.len()) {
            (_, 0) => {}
            (false, _) => shapes.numbers = Some(self.swarm.numbers(self.choices)),
            (true, 1) => shapes.text = Some(self.swarm.texts(self.choices)),
            (true, _) => shapes.board = Some(self.swarm.boards(self.choices)),
        }
        shapes
    }

    /// Draws by habit at the first attempt, and without at all others.
    #[inline]
    pub(super) fn by_habit_at_first<T>(&mut self, attempt: usize, draw: impl FnOnce(&mut Self) -> T) -> T {
        let before = self.habits.are_off;
        self.habits.are_off |= attempt > 0;
        let drawn = draw(self);
        self.habits.are_off = before;
        drawn
    }

    /// Draws without habits: what they led to did not hold.
    pub(super) fn without_habits<T>(&mut self, draw: impl FnOnce(&mut Self) -> T) -> T {
        self.by_habit_at_first(1, draw)
    }
}
