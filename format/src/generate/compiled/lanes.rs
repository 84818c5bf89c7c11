//! The numbers of a batch, in lanes: for each place, an array with one number of each instance.

use super::super::strategy_cache::RUN_LENGTH;
use super::draw::store_number;
use super::{CompiledBlock, CompiledBound, CompiledConstraint, CompiledLinear, CompiledNumber};
use crate::language::{ComparisonOperator, Interval};
use crate::value::{MAX_INLINE_CHARACTERS, Value};

/// One number of each lane.
pub(super) type LaneNumbers = [i64; RUN_LENGTH];

/// Maximum magnitude of numbers in lanes: even the difference of two sums of six terms and a constant fits into
/// an `i64`.
const MAX_LANE_MAGNITUDE: i128 = 1 << 56;

/// The range of each place in each lane, a single value once it is drawn.
#[derive(Debug)]
pub(super) struct LaneTable {
    lo: Vec<LaneNumbers>,
    hi: Vec<LaneNumbers>,
    /// The initial range of each place: the declared one.
    declared: Vec<(i64, i64)>,
    /// Bit mask of the single numbers that are drawn, in layout order.
    pub(super) known_mask: u64,
    /// Lanes in which some range became empty.
    pub(super) dead: [bool; RUN_LENGTH],
    /// Lanes that were redrawn on their own.
    pub(super) redrawn: [bool; RUN_LENGTH],
    /// Short texts by slot, and whether they stay in the lanes.
    texts: Vec<LaneTexts>,
    keeps_texts: bool,
}

/// A short text of each lane.
#[derive(Clone, Debug)]
struct LaneTexts {
    letters: [[u8; MAX_INLINE_CHARACTERS]; RUN_LENGTH],
    lengths: LaneNumbers,
    is_stored: bool,
}

impl LaneTable {
    /// Returns empty lanes, or `None` if some number or constant is too large for a lane.
    pub(super) fn new(places: &[Interval], compiled: &CompiledBlock) -> Option<LaneTable> {
        let word = |number: i128| i64::try_from(number).ok().filter(|_| number.abs() <= MAX_LANE_MAGNITUDE);
        let declared = places.iter().map(|place| word(place.lo).zip(word(place.hi))).collect::<Option<Vec<_>>>()?;
        let fits =
            !compiled.declared.is_empty() && compiled.all_sums().all(|sum| sum.constant.abs() <= MAX_LANE_MAGNITUDE);
        let empty = vec![[0; RUN_LENGTH]; declared.len()];
        let no_texts =
            LaneTexts { letters: [[0; MAX_INLINE_CHARACTERS]; RUN_LENGTH], lengths: [0; RUN_LENGTH], is_stored: false };
        fits.then(|| LaneTable {
            lo: empty.clone(),
            hi: empty,
            texts: vec![no_texts; compiled.declared.len()],
            declared,
            known_mask: 0,
            dead: [false; RUN_LENGTH],
            redrawn: [false; RUN_LENGTH],
            keeps_texts: false,
        })
    }

    /// Forgets all numbers. If `keeps_texts`, short texts stay in the lanes.
    pub(super) fn reset_lanes(&mut self, keeps_texts: bool) {
        self.keeps_texts = keeps_texts;
        (self.dead, self.redrawn) = ([false; RUN_LENGTH], [false; RUN_LENGTH]);
        for ((lo, hi), declared) in self.lo.iter_mut().zip(&mut self.hi).zip(&self.declared) {
            (*lo, *hi) = ([declared.0; RUN_LENGTH], [declared.1; RUN_LENGTH]);
        }
        self.known_mask = 0;
    }

    /// Returns the range of a place in a lane.
    pub(super) fn range_at(&self, place: usize, at: usize) -> (i64, i64) {
        (self.lo[place][at], self.hi[place][at])
    }

    /// Sets the number of a place in a lane.
    pub(super) fn fix_number(&mut self, place: usize, at: usize, number: i128) {
        debug_assert!(number.abs() <= MAX_LANE_MAGNITUDE, "{number}");
        let number = number as i64;
        (self.lo[place][at], self.hi[place][at]) = (number, number);
    }

    /// Returns the range of a place in a lane, or `None` if the lane is dead. An empty range makes the lane dead,
    /// and is replaced by a harmless one for the computations on all lanes.
    pub(super) fn remaining_range(&mut self, place: usize, at: usize) -> Option<(i64, i64)> {
        if self.dead[at] {
            return None;
        }
        let (lo, hi) = self.range_at(place, at);
        if lo > hi {
            self.dead[at] = true;
            (self.lo[place][at], self.hi[place][at]) = (self.declared[place].0, self.declared[place].0);
        }
        (lo <= hi).then_some((lo, hi))
    }

    /// Marks a number as drawn in every lane that is not dead.
    pub(super) fn mark_known(&mut self, number: &CompiledNumber) {
        self.known_mask |= 1 << number.position;
    }

    /// Returns true if a number is drawn.
    pub(super) fn is_known(&self, number: &CompiledNumber) -> bool {
        self.known_mask >> number.position & 1 == 1
    }

    /// Marks all single numbers as drawn.
    pub(super) fn mark_all_known(&mut self, count: usize) {
        self.known_mask = if count == 0 { 0 } else { u64::MAX >> (u64::BITS as usize - count) };
    }

    /// Marks a number as not drawn.
    pub(super) fn forget_number(&mut self, number: &CompiledNumber) {
        let (lo, hi) = self.declared[number.slot];
        (self.lo[number.slot], self.hi[number.slot]) = ([lo; RUN_LENGTH], [hi; RUN_LENGTH]);
        self.known_mask &= !(1 << number.position);
    }

    /// Writes single numbers into their slots.
    pub(super) fn write_numbers(&self, layout: &[usize], slots: &mut [Value]) {
        for slot in layout {
            let instances = slots.chunks_exact_mut(self.texts.len());
            for (instance, number) in instances.zip(&self.lo[*slot]) {
                store_number(&mut instance[*slot], (*number).into());
            }
        }
    }

    /// Returns true if the short texts of a slot are in the lanes.
    pub(super) fn has_text(&self, slot: usize) -> bool {
        self.texts[slot].is_stored
    }

    /// Returns the text of a lane and its length.
    pub(super) fn text_at(&self, slot: usize, at: usize) -> (&[u8; MAX_INLINE_CHARACTERS], usize) {
        (&self.texts[slot].letters[at], self.texts[slot].lengths[at] as usize)
    }

    /// Returns the buffers for the texts of a slot, if they stay in the lanes.
    pub(super) fn text_buffers(
        &mut self,
        slot: usize,
        lengths: &LaneNumbers,
        count: usize,
    ) -> Option<&mut [[u8; MAX_INLINE_CHARACTERS]]> {
        let are_short = lengths.iter().take(count).all(|length| (0..=MAX_INLINE_CHARACTERS as i64).contains(length));
        let texts = &mut self.texts[slot];
        texts.is_stored = self.keeps_texts && are_short;
        texts.lengths = *lengths;
        texts.is_stored.then_some(&mut texts.letters[..count])
    }

    /// Returns the number of a place in a lane.
    pub(super) fn number_at(&self, place: usize, at: usize) -> i64 {
        self.lo[place][at]
    }

    /// Returns a sum of drawn numbers in each lane.
    pub(super) fn sum_lanes(&self, sum: &CompiledLinear) -> LaneNumbers {
        let mut sums = [sum.constant as i64; RUN_LENGTH];
        for (place, is_negative) in &sum.terms {
            let parts = sums.iter_mut().zip(&self.lo[*place]);
            parts.for_each(|(sum, part)| *sum += if *is_negative { -part } else { *part });
        }
        sums
    }

    /// Narrows a place by bounds in each lane.
    pub(super) fn narrow_lanes(&mut self, place: usize, bounds: &[CompiledBound]) {
        for bound in bounds {
            let (least, most) = self.sum_ranges(&bound.other);
            let (lo, hi) = (&mut self.lo[place], &mut self.hi[place]);
            for at in 0..RUN_LENGTH {
                match bound.sign {
                    ComparisonOperator::Less => hi[at] = hi[at].min(most[at] - 1),
                    ComparisonOperator::LessEqual => hi[at] = hi[at].min(most[at]),
                    ComparisonOperator::Greater => lo[at] = lo[at].max(least[at] + 1),
                    ComparisonOperator::GreaterEqual => lo[at] = lo[at].max(least[at]),
                    ComparisonOperator::Equal => (lo[at], hi[at]) = (lo[at].max(least[at]), hi[at].min(most[at])),
                    ComparisonOperator::NotEqual if least[at] != most[at] => {}
                    // A single excluded number narrows the range only at one of its ends.
                    ComparisonOperator::NotEqual => {
                        let (from, to) = (lo[at], hi[at]);
                        lo[at] += i64::from(from == least[at]);
                        hi[at] -= i64::from(to == least[at]);
                    }
                }
            }
        }
    }

    /// Returns the range of a sum in each lane.
    fn sum_ranges(&self, sum: &CompiledLinear) -> (LaneNumbers, LaneNumbers) {
        let (mut lo, mut hi) = ([sum.constant as i64; RUN_LENGTH], [sum.constant as i64; RUN_LENGTH]);
        for (place, is_negative) in &sum.terms {
            let (least, most) = (&self.lo[*place], &self.hi[*place]);
            for at in 0..RUN_LENGTH {
                let part = if *is_negative { (-most[at], -least[at]) } else { (least[at], most[at]) };
                (lo[at], hi[at]) = (lo[at] + part.0, hi[at] + part.1);
            }
        }
        (lo, hi)
    }

    /// Returns true if a constraint holds in a lane. All of its numbers must be drawn.
    pub(super) fn constraint_holds(&self, check: &CompiledConstraint, at: usize) -> bool {
        check.holds_for_sums(|sum| sum.evaluate_with(|place| self.number_at(place, at).into()))
    }
}
