//! Compiled blocks: blocks whose instances are drawn by sums in machine words.
//!
//! Most cases consist of a few single numbers, bounded by sums of each other, and of texts and arrays sized by
//! these numbers. Computing the range that the constraints leave of such a number takes a few additions, the
//! same in each of a thousand cases, and nearly all constraints hold because every number was drawn within its
//! range. Both facts are established once for each format. [`lanes`](super::lanes) draws such instances: no
//! expression is walked, and nothing but arrays and long texts is allocated.
//!
//! *Invariant:* lanes make the choices, the values and the errors of a
//! [`ScopedDraft`](super::scoped_draft::ScopedDraft), which draws blocks with any other constraint.

mod compile;
mod line_program;

use super::alphabet::Alphabet;
use crate::language::{BlockId, ComparisonOperator, FieldId, Interval};
use crate::print::PrintStep;
use crate::value::{Value, ValueScope};
use std::cmp::Ordering;

/// Larger sums, tuples and blocks are rare, and take the general path.
const MAX_PARTS: usize = 6;
const MAX_SUMS: usize = 4;
const MAX_NUMBERS: usize = 64;

/// Sums of larger numbers could exceed the limit at which the general path saturates.
const MAX_MAGNITUDE: i128 = crate::language::MAX_NUMBER / 64;

/// The compiled form of a block: how its instances are drawn.
#[derive(Debug)]
pub(super) struct CompiledBlock {
    /// The declared range of each slot.
    pub(super) declared: Vec<Interval>,
    /// Numbers of outer instances. Their places follow the slots.
    pub(super) outer: Vec<OuterNumber>,
    /// Single numbers that size something, in layout order.
    pub(super) sizes: Vec<CompiledNumber>,
    /// The other single numbers.
    pub(super) other_scalars: Vec<CompiledNumber>,
    /// The slots of all single numbers, in layout order.
    pub(super) scalar_slots: Vec<usize>,
    pub(super) arrays: Vec<CompiledArray>,
    /// The constraints that do not hold by construction, in their order.
    pub(super) constraints: Vec<CompiledConstraint>,
    /// Whether a bound depends on an optional part, so that it is sometimes ignored.
    pub(super) has_optional_bounds: bool,
}

#[derive(Debug, PartialEq, Eq)]
pub(super) struct OuterNumber {
    pub(super) block: BlockId,
    pub(super) slot: usize,
}

/// A single number.
#[derive(Debug)]
pub(super) struct CompiledNumber {
    pub(super) field: FieldId,
    pub(super) slot: usize,
    /// Its index among the single numbers.
    pub(super) position: usize,
    pub(super) bounds: Vec<CompiledBound>,
}

/// An array, a text or a board.
#[derive(Debug)]
pub(super) struct CompiledArray {
    pub(super) field: FieldId,
    pub(super) slot: usize,
    pub(super) sizes: Vec<CompiledLinear>,
    pub(super) bounds: Vec<CompiledBound>,
    /// The letters of a text or a board, if the field is one.
    pub(super) letters: Option<Alphabet>,
}

/// The comparison of a number with a sum of others.
#[derive(Debug)]
pub(super) struct CompiledBound {
    pub(super) constraint: usize,
    pub(super) sign: ComparisonOperator,
    pub(super) other: CompiledLinear,
}

/// A comparison of two sums, or of two tuples of sums.
#[derive(Debug)]
pub(super) struct CompiledConstraint {
    pub(super) constraint: usize,
    pub(super) sign: ComparisonOperator,
    pub(super) left: Vec<CompiledLinear>,
    pub(super) right: Vec<CompiledLinear>,
}

/// A sum of places, each added or subtracted.
#[derive(Debug)]
pub(super) struct CompiledLinear {
    pub(super) constant: i128,
    /// Each place, and whether it is subtracted.
    pub(super) terms: Vec<(usize, bool)>,
}

impl CompiledLinear {
    /// Returns the range of the sum, given the range of each place.
    pub(super) fn possible_range(&self, places: &[Interval]) -> Interval {
        self.range_with(|place| places[place])
    }

    /// Returns the range of the sum of numbers in these ranges.
    pub(super) fn range_with(&self, range: impl Fn(usize) -> Interval) -> Interval {
        let mut sum = Interval::from_value(self.constant);
        for (place, is_negative) in &self.terms {
            let part = range(*place);
            if *is_negative {
                sum = Interval::new(sum.lo - part.hi, sum.hi - part.lo);
            } else {
                sum = Interval::new(sum.lo + part.lo, sum.hi + part.hi);
            }
        }
        sum
    }

    pub(super) fn subtract_sum(&mut self, other: CompiledLinear) {
        self.constant -= other.constant;
        self.terms.extend(other.terms.into_iter().map(|(place, is_negative)| (place, !is_negative)));
    }

    /// Returns the sum of these numbers.
    pub(super) fn evaluate_with(&self, number: impl Fn(usize) -> i128) -> i128 {
        let part = |(place, is_negative): &(usize, bool)| {
            let number = number(*place);
            if *is_negative { -number } else { number }
        };
        self.constant + self.terms.iter().map(part).sum::<i128>()
    }
}

impl CompiledConstraint {
    pub(super) fn holds_for_sums(&self, sum: impl Fn(&CompiledLinear) -> i128) -> bool {
        // Tuples are compared lexicographically: the first difference decides.
        let pairs = self.left.iter().zip(&self.right);
        let order = pairs.map(|(left, right)| sum(left).cmp(&sum(right))).find(|order| order.is_ne());
        self.sign.compare(&order.unwrap_or(Ordering::Equal), &Ordering::Equal)
    }
}

impl CompiledBlock {
    /// Returns every sum of the block.
    pub(super) fn all_sums(&self) -> impl Iterator<Item = &CompiledLinear> {
        let numbers = self.sizes.iter().chain(&self.other_scalars).flat_map(|number| &number.bounds);
        let bounds = numbers.chain(self.arrays.iter().flat_map(|array| &array.bounds)).map(|bound| &bound.other);
        let sizes = self.arrays.iter().flat_map(|array| &array.sizes);
        bounds.chain(sizes).chain(self.constraints.iter().flat_map(|check| check.left.iter().chain(&check.right)))
    }

    /// Returns the ranges of the outer places, if all of these numbers are known and small enough.
    pub(super) fn outer_ranges(&self, holder: &ValueScope<'_>) -> Option<Vec<Interval>> {
        let number = |outer: &OuterNumber| {
            let number = holder.scope_of_block(outer.block)?.slot_value(outer.slot).and_then(Value::as_int)?;
            (number.abs() <= MAX_MAGNITUDE).then_some(Interval::from_value(number))
        };
        self.outer.iter().map(number).collect()
    }
}

/// The program that writes the instances of a block as they are drawn.
#[derive(Debug)]
pub(super) struct LineProgram {
    pub(super) block: BlockId,
    /// The parts of each instance in the order of its lines. Numbers and short texts come from the lanes.
    pub(super) ops: Vec<LineOp>,
}

#[derive(Debug)]
pub(super) enum LineOp {
    /// The single number of a slot, and the character after it.
    Number(usize, u8),
    /// The text of a slot, and the character after it.
    Text(usize, u8),
    /// Any other step.
    Other(PrintStep),
}
