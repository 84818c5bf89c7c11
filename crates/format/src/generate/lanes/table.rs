//! The numbers of instances that are drawn side by side, in lanes: for each place, an array with one number of each
//! instance.

use super::super::compiled::{
    CompiledArray, CompiledBlock, CompiledBound, CompiledConstraint, CompiledLinear, CompiledNumber,
};
use super::super::strategy_cache::RUN_LENGTH;
use crate::language::{BlockId, ComparisonOperator, Interval};
use crate::value::{MAX_INLINE_CHARACTERS, Value, ValueScope};
use rebut_generators::SizeRange;

/// Lanes for the instances of a run.
pub(super) type WideLanes<'p, 's> = Lanes<'p, 's, RUN_LENGTH>;

/// Maximum magnitude of numbers and sums in lanes, so that no difference of two of them overflows.
const MAX_LANE_MAGNITUDE: i128 = 1 << 61;

/// The range of each place in each lane, a single value once it is drawn.
#[derive(Debug)]
pub(in crate::generate) struct Lanes<'p, 's, const N: usize> {
    pub(super) compiled: &'p CompiledBlock,
    pub(super) block: BlockId,
    /// The enclosing instance.
    pub(super) holder: &'s ValueScope<'s>,
    lo: Vec<[i64; N]>,
    hi: Vec<[i64; N]>,
    /// The initial range of each place: the declared one.
    declared: Vec<(i64, i64)>,
    /// Bit mask of the single numbers that are drawn, in layout order.
    pub(super) known_mask: u64,
    /// Lanes in which some range became empty.
    pub(super) dead: [bool; N],
    /// Lanes that were redrawn on their own.
    pub(super) redrawn: [bool; N],
    /// The slots of numbers with shares of a budget, and the ranges that the shares leave.
    limits: Vec<(usize, (i64, i64))>,
    /// The most recent sizes of each single number: most instances draw from the same ones.
    pub(super) recent_sizes: Vec<Option<RecentSizes>>,
    /// Short texts by slot, and whether they stay in the lanes.
    texts: Vec<LaneTexts<N>>,
    keeps_texts: bool,
}

/// The possible sizes within a range, for one size budget.
#[derive(Clone, Copy, Debug)]
pub(super) struct RecentSizes {
    pub(super) range: Interval,
    pub(super) size_budget: usize,
    pub(super) sizes: SizeRange,
}

/// A short text of each lane.
#[derive(Clone, Debug)]
struct LaneTexts<const N: usize> {
    letters: [[u8; MAX_INLINE_CHARACTERS]; N],
    lengths: [i64; N],
    is_stored: bool,
}

fn lane_number(number: i128) -> Option<i64> {
    i64::try_from(number).ok().filter(|_| number.abs() <= MAX_LANE_MAGNITUDE)
}

impl<'p, 's, const N: usize> Lanes<'p, 's, N> {
    /// Returns empty lanes for instances inside `holder`, with shares of budgets in these slots. Returns `None` if some
    /// number or sum is too large for a lane, or a number outside is not known.
    pub(super) fn new(
        compiled: &'p CompiledBlock,
        block: BlockId,
        holder: &'s ValueScope<'s>,
        limited_slots: &[usize],
    ) -> Option<Lanes<'p, 's, N>> {
        let places = [compiled.declared.clone(), compiled.outer_ranges(holder)?].concat();
        let lane_range = |place: &Interval| lane_number(place.lo).zip(lane_number(place.hi));
        let declared = places.iter().map(lane_range).collect::<Option<Vec<_>>>()?;
        let fits = |sum: &CompiledLinear| lane_range(&sum.possible_range(&places)).is_some();
        if compiled.declared.is_empty() || !compiled.all_sums().all(fits) {
            return None;
        }
        let no_texts = LaneTexts { letters: [[0; MAX_INLINE_CHARACTERS]; N], lengths: [0; N], is_stored: false };
        Some(Lanes {
            compiled,
            block,
            holder,
            lo: vec![[0; N]; declared.len()],
            hi: vec![[0; N]; declared.len()],
            declared,
            known_mask: 0,
            dead: [false; N],
            redrawn: [false; N],
            limits: limited_slots.iter().map(|slot| (*slot, (i64::MIN, i64::MAX))).collect(),
            recent_sizes: vec![None; compiled.scalar_slots.len()],
            texts: vec![no_texts; compiled.declared.len()],
            keeps_texts: false,
        })
    }

    /// Forgets all numbers.
    pub(super) fn reset_lanes(&mut self) {
        (self.dead, self.redrawn) = ([false; N], [false; N]);
        for ((lo, hi), declared) in self.lo.iter_mut().zip(&mut self.hi).zip(&self.declared) {
            (*lo, *hi) = ([declared.0; N], [declared.1; N]);
        }
        for at in 0..self.limits.len() {
            self.forget_range(self.limits[at].0);
        }
        self.known_mask = 0;
    }

    /// Gives a place the range of a number that is not drawn: the declared one within its shares of the budgets, unless these
    /// leave nothing.
    fn forget_range(&mut self, place: usize) {
        let declared = self.declared[place];
        let of_place = self.limits.iter().filter(|(slot, _)| *slot == place);
        let (lo, hi) = of_place.fold(declared, |range, (_, limit)| (range.0.max(limit.0), range.1.min(limit.1)));
        let (lo, hi) = if lo <= hi { (lo, hi) } else { declared };
        (self.lo[place], self.hi[place]) = ([lo; N], [hi; N]);
    }

    /// Sets whether short texts stay in the lanes.
    pub(super) fn keep_texts(&mut self, keeps_texts: bool) {
        self.keeps_texts = keeps_texts;
    }

    /// Sets the ranges that an instance's shares of the budgets leave of its numbers.
    pub(super) fn set_limits(&mut self, ranges: impl Iterator<Item = Interval>) {
        let saturated = |number: i128| number.clamp(i64::MIN.into(), i64::MAX.into()) as i64;
        for ((_, limit), range) in self.limits.iter_mut().zip(ranges) {
            *limit = (saturated(range.lo), saturated(range.hi));
        }
    }

    pub(super) fn remove_limits(&mut self) {
        self.limits.iter_mut().for_each(|(_, limit)| *limit = (i64::MIN, i64::MAX));
    }

    /// Returns true if the numbers of a lane are within its shares of the budgets.
    fn is_within_limits(&self, at: usize) -> bool {
        self.limits.iter().all(|(slot, (lo, hi))| (*lo..=*hi).contains(&self.number_at(*slot, at)))
    }

    /// Returns true if a lane is not dead, and the range of a place is not empty in it.
    #[inline(always)]
    pub(super) fn has_values_left(&self, place: usize, at: usize) -> bool {
        !self.dead[at] && self.lo[place][at] <= self.hi[place][at]
    }

    #[inline(always)]
    pub(super) fn range_at(&self, place: usize, at: usize) -> Interval {
        Interval::new(self.lo[place][at].into(), self.hi[place][at].into())
    }

    #[inline(always)]
    pub(super) fn fix_number(&mut self, place: usize, at: usize, number: i128) {
        debug_assert!(number.abs() <= MAX_LANE_MAGNITUDE, "{number} is beyond the declared range");
        let number = number as i64;
        (self.lo[place][at], self.hi[place][at]) = (number, number);
    }

    /// Gives up a lane with an empty range, which is replaced by a harmless one for the computations on all lanes.
    pub(super) fn kill_lane(&mut self, place: usize, at: usize) {
        self.dead[at] = true;
        (self.lo[place][at], self.hi[place][at]) = (self.declared[place].0, self.declared[place].0);
    }

    /// Marks a number as drawn in every lane that is not dead.
    #[inline(always)]
    pub(super) fn mark_known(&mut self, number: &CompiledNumber) {
        self.known_mask |= 1 << number.position;
    }

    /// Returns true if a number is drawn.
    pub(super) fn is_known(&self, number: &CompiledNumber) -> bool {
        self.known_mask >> number.position & 1 == 1
    }

    /// Marks all single numbers as drawn.
    pub(super) fn mark_all_known(&mut self) {
        let count = self.compiled.scalar_slots.len();
        self.known_mask = if count == 0 { 0 } else { u64::MAX >> (u64::BITS as usize - count) };
    }

    /// Marks a number as not drawn.
    pub(super) fn forget_number(&mut self, number: &CompiledNumber) {
        self.forget_range(number.slot);
        self.known_mask &= !(1 << number.position);
    }

    /// Loads the drawn numbers of another lane into the first one.
    pub(super) fn load_lane<const M: usize>(&mut self, other: &Lanes<'_, '_, M>, at: usize) {
        self.reset_lanes();
        let compiled = self.compiled;
        for number in compiled.sizes.iter().chain(&compiled.other_scalars).filter(|number| other.is_known(number)) {
            self.fix_number(number.slot, 0, other.number_at(number.slot, at).into());
            self.mark_known(number);
        }
    }

    /// Takes the numbers of a finished instance over into a lane.
    pub(super) fn take_numbers(&mut self, other: &Lanes<'_, '_, 1>, at: usize) {
        for slot in &self.compiled.scalar_slots {
            self.fix_number(*slot, at, other.number_at(*slot, 0).into());
        }
    }

    /// Returns true if all numbers of a lane were drawn, and satisfy the limits and the constraints.
    pub(super) fn is_valid(&self, at: usize) -> bool {
        !self.dead[at]
            && self.is_within_limits(at)
            && self.compiled.constraints.iter().all(|check| self.constraint_holds(check, at))
    }

    /// Writes single numbers into the slots of their instances.
    pub(super) fn write_numbers(&self, slots: &mut [Value]) {
        for slot in &self.compiled.scalar_slots {
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
        lengths: &[i64; N],
        count: usize,
    ) -> Option<&mut [[u8; MAX_INLINE_CHARACTERS]]> {
        let are_short = lengths.iter().take(count).all(|length| (0..=MAX_INLINE_CHARACTERS as i64).contains(length));
        let texts = &mut self.texts[slot];
        texts.is_stored = self.keeps_texts && are_short;
        texts.lengths = *lengths;
        texts.is_stored.then_some(&mut texts.letters[..count])
    }

    #[inline(always)]
    pub(super) fn number_at(&self, place: usize, at: usize) -> i64 {
        self.lo[place][at]
    }

    /// Returns a sum of drawn numbers in each lane.
    pub(super) fn sum_lanes(&self, sum: &CompiledLinear) -> [i64; N] {
        let mut sums = [sum.constant as i64; N];
        for (place, is_negative) in &sum.terms {
            let parts = sums.iter_mut().zip(&self.lo[*place]);
            parts.for_each(|(sum, part)| *sum += if *is_negative { -part } else { *part });
        }
        sums
    }

    /// Narrows a place by bounds, and by the shares of budgets, in each lane.
    #[inline]
    pub(super) fn narrow_lanes(&mut self, place: usize, bounds: &[CompiledBound]) {
        for bound in bounds {
            let (least, most) = self.sum_ranges(&bound.other);
            let (lo, hi) = (&mut self.lo[place], &mut self.hi[place]);
            for at in 0..N {
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
        for (_, (least, most)) in self.limits.iter().filter(|(slot, _)| *slot == place) {
            for at in 0..N {
                self.lo[place][at] = self.lo[place][at].max(*least);
                self.hi[place][at] = self.hi[place][at].min(*most);
            }
        }
    }

    fn sum_ranges(&self, sum: &CompiledLinear) -> ([i64; N], [i64; N]) {
        let (mut lo, mut hi) = ([sum.constant as i64; N], [sum.constant as i64; N]);
        for (place, is_negative) in &sum.terms {
            let (least, most) = (&self.lo[*place], &self.hi[*place]);
            for at in 0..N {
                let part = if *is_negative { (-most[at], -least[at]) } else { (least[at], most[at]) };
                (lo[at], hi[at]) = (lo[at] + part.0, hi[at] + part.1);
            }
        }
        (lo, hi)
    }

    /// Returns the first constraint whose bound leaves nothing of a place in a lane.
    #[cold]
    pub(super) fn emptying_constraint(&self, slot: usize, bounds: &[CompiledBound], at: usize) -> Option<usize> {
        let mut range = self.compiled.declared[slot];
        let mut emptying = bounds.iter().filter(|bound| {
            let other = bound.other.range_with(|place| self.range_at(place, at));
            range = crate::language::narrow_by_operator(range, bound.sign, other);
            range.is_empty()
        });
        emptying.next().map(|bound| bound.constraint)
    }

    /// Returns true if a constraint holds in a lane. All of its numbers must be drawn.
    pub(super) fn constraint_holds(&self, check: &CompiledConstraint, at: usize) -> bool {
        check.holds_for_sums(|sum| self.sum_at(sum, at))
    }

    /// Returns a sum of drawn numbers in a lane.
    pub(super) fn sum_at(&self, sum: &CompiledLinear, at: usize) -> i128 {
        sum.evaluate_with(|place| self.number_at(place, at).into())
    }

    /// Returns the number of nodes of the instance in a lane, as [`Value::node_count`] counts them.
    pub(super) fn count_nodes(&self, at: usize) -> usize {
        let nodes = |array: &CompiledArray| {
            let sizes = array.sizes.iter().rev().map(|size| usize::try_from(self.sum_at(size, at)).unwrap_or(0));
            sizes.fold(1, |each, size| 1 + size * each)
        };
        self.known_mask.count_ones() as usize + self.compiled.arrays.iter().map(nodes).sum::<usize>()
    }
}

fn store_number(slot: &mut Value, number: i128) {
    match slot {
        Value::Int(before) => *before = number,
        other => *other = Value::Int(number),
    }
}
