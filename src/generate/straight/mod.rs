//! Blocks whose instances are drawn straight into their places.
//!
//! Most cases are a few single numbers, bounded by sums of each other, and the texts and arrays that these size. What the
//! constraints leave of such a number is then a few additions, the same for each of a thousand cases, and nearly all
//! constraints hold because the numbers were drawn within what they leave. Both is found out once for a format; an
//! instance is then drawn into one row of ranges, with no tree built, no expression walked and nothing allocated but
//! its texts.
//!
//! *Invariant:* the choices, what they make, and what is said where nothing can be made are those of the general way,
//! [`Maker::instance`](super::instance::Maker). A block that says more than is understood here goes that way.

mod draw;
mod lines;
mod rows;
mod run;

pub(super) use lines::{Lines, Written};

use super::arrays::Alphabet;
use super::plan::{Plan, is_stated};
use crate::format::{
    BlockId, Comparison, Count, Dimension, Expr, FieldId, Format, Interval, Kind, Operator, Rule, Sign, Stand, cut,
};
use crate::value::{Scope, Value};
use std::cmp::Ordering;

/// Sums of more parts, tuples of more sums, and blocks of more single numbers are rare.
const MOST_PARTS: usize = 6;
const MOST_SUMS: usize = 4;
const MOST_NUMBERS: usize = 64;

/// Numbers beyond this may add up to what the general way cuts off.
const LIMIT: i128 = crate::format::LARGEST / 64;

/// How the instances of a block are drawn.
#[derive(Debug)]
pub(super) struct Straight {
    /// What each slot may hold.
    stated: Vec<Interval>,
    /// Numbers of the instances around, which have the places behind the slots.
    outer: Vec<Outer>,
    /// Single numbers that size something, in the order of the layout.
    sizes: Vec<Number>,
    /// The other single numbers.
    others: Vec<Number>,
    /// The slots of all single numbers, in the order of the layout.
    layout: Vec<usize>,
    /// Arrays and texts.
    arrays: Vec<Array>,
    /// The constraints that do not hold by themselves, in their order.
    musts: Vec<Must>,
    /// Whether a bound speaks of what may be absent, so that it is not always kept to.
    is_unsure: bool,
}

#[derive(Debug, PartialEq, Eq)]
struct Outer {
    block: BlockId,
    slot: usize,
}

/// A single number.
#[derive(Debug)]
struct Number {
    field: FieldId,
    slot: usize,
    /// Its position among the single numbers.
    at: usize,
    bounds: Vec<Bound>,
}

/// An array, a text or a board.
#[derive(Debug)]
struct Array {
    field: FieldId,
    slot: usize,
    sizes: Vec<Linear>,
    bounds: Vec<Bound>,
    /// The letters of a text, if it is one.
    letters: Option<Alphabet>,
}

/// A comparison of a number with a sum of others.
#[derive(Debug)]
struct Bound {
    constraint: usize,
    sign: Sign,
    other: Linear,
}

/// A comparison of sums, or of tuples of sums.
#[derive(Debug)]
struct Must {
    constraint: usize,
    sign: Sign,
    left: Vec<Linear>,
    right: Vec<Linear>,
}

/// Numbers in places, added and subtracted.
#[derive(Debug)]
struct Linear {
    constant: i128,
    /// The place of each, and whether it is subtracted.
    parts: Vec<(usize, bool)>,
}

impl Linear {
    /// What it can be.
    #[inline(always)]
    fn within(&self, places: &[Interval]) -> Interval {
        let mut sum = Interval::point(self.constant);
        for (place, is_negative) in &self.parts {
            let part = places[*place];
            if *is_negative {
                sum = Interval::new(sum.lo - part.hi, sum.hi - part.lo);
            } else {
                sum = Interval::new(sum.lo + part.lo, sum.hi + part.hi);
            }
        }
        sum
    }

    fn subtract(&mut self, other: Linear) {
        self.constant -= other.constant;
        self.parts.extend(other.parts.into_iter().map(|(place, is_negative)| (place, !is_negative)));
    }

    /// What it is, where every part is known.
    fn number(&self, places: &[Interval]) -> i128 {
        self.of(|place| places[place].lo)
    }

    /// What it is of these numbers.
    fn of(&self, number: impl Fn(usize) -> i128) -> i128 {
        let part = |(place, is_negative): &(usize, bool)| {
            let number = number(*place);
            if *is_negative { -number } else { number }
        };
        self.constant + self.parts.iter().map(part).sum::<i128>()
    }
}

impl Must {
    /// Whether it holds of these sums.
    fn holds(&self, sum: impl Fn(&Linear) -> i128) -> bool {
        // Tuples are compared number by number; the first that differ decide.
        let pairs = self.left.iter().zip(&self.right);
        let order = pairs.map(|(left, right)| sum(left).cmp(&sum(right))).find(|order| order.is_ne());
        self.sign.holds(&order.unwrap_or(Ordering::Equal), &Ordering::Equal)
    }
}

/// What is left of a range by some bounds.
#[inline(always)]
fn bounded(range: Interval, bounds: &[Bound], places: &[Interval]) -> Interval {
    bounds.iter().fold(range, |range, bound| cut(range, bound.sign, bound.other.within(places)))
}

impl Straight {
    /// Every sum that stands in it.
    fn linears(&self) -> impl Iterator<Item = &Linear> {
        let numbers = self.sizes.iter().chain(&self.others).flat_map(|number| &number.bounds);
        let bounds = numbers.chain(self.arrays.iter().flat_map(|array| &array.bounds)).map(|bound| &bound.other);
        let sizes = self.arrays.iter().flat_map(|array| &array.sizes);
        bounds.chain(sizes).chain(self.musts.iter().flat_map(|must| must.left.iter().chain(&must.right)))
    }

    /// How a block is drawn, if it says nothing but what is understood here.
    pub(super) fn of(plan: &Plan<'_>, block: BlockId) -> Option<Straight> {
        let (format, parts) = (plan.format, plan.parts(block));
        let counted = !matches!(format.block(block).count, Count::Until { sentinel: Some(_), .. });
        let alone = !parts.has_blocks && !parts.has_products && !parts.has_formulas;
        if block == BlockId(0) || !counted || !alone || plan.graph(block).is_some() {
            return None;
        }
        let width = format.block(block).slots;
        let mut straight = Straight {
            stated: vec![Interval::ALL; width],
            outer: Vec::new(),
            sizes: Vec::new(),
            others: Vec::new(),
            layout: parts.single_slots.clone(),
            arrays: Vec::new(),
            musts: Vec::new(),
            is_unsure: false,
        };
        for field in format.fields_of(block) {
            let info = format.field(field);
            let said = || format.constraints.iter().filter(|c| c.rule.mentions(field));
            let is_small = info.range.lo >= -LIMIT && info.range.hi <= LIMIT;
            if !is_small || !said().all(|c| matches!(c.rule, Rule::Compare(_))) {
                return None;
            }
            straight.stated[info.slot] = info.range;
        }
        let fits = straight.layout.len() <= MOST_NUMBERS && straight.layout.len() + parts.arrays.len() == width;
        (fits && straight.take_all(plan, block)).then_some(straight)
    }

    /// Notes everything that is said of the block; whether all of it is understood.
    fn take_all(&mut self, plan: &Plan<'_>, block: BlockId) -> bool {
        let parts = plan.parts(block);
        if parts.sizes.iter().any(|field| plan.is_start(*field)) {
            return false;
        }
        for field in &parts.sizes {
            let Some(mut number) = self.number(plan, *field) else { return false };
            let (stated, sizes) = (&self.stated, &self.sizes);
            let width = stated.len();
            let is_later = |(place, _): &(usize, bool)| *place < width && sizes.iter().all(|s| s.slot != *place);
            // What is drawn later is not known yet, and sizes are not drawn again: such a bound is always the same.
            number.bounds.retain(|bound| {
                let range = stated[number.slot];
                !bound.other.parts.iter().all(is_later) || cut(range, bound.sign, bound.other.within(stated)) != range
            });
            self.sizes.push(number);
        }
        for field in &parts.others {
            let Some(number) = self.number(plan, *field) else { return false };
            self.others.push(number);
        }
        for field in &parts.arrays {
            let Some(array) = self.array(plan, *field) else { return false };
            self.arrays.push(array);
        }
        self.arrays.is_sorted_by_key(|array| array.slot) && plan.at_home(block).iter().all(|c| self.take(plan, *c))
    }

    fn number(&mut self, plan: &Plan<'_>, field: FieldId) -> Option<Number> {
        let slot = plan.format.field(field).slot;
        let at = self.layout.iter().position(|other| *other == slot)?;
        Some(Number { field, slot, at, bounds: self.bounds(plan, field)? })
    }

    fn array(&mut self, plan: &Plan<'_>, field: FieldId) -> Option<Array> {
        let info = plan.format.field(field);
        let size = |dimension: &Dimension| match dimension {
            Dimension::Size(size) => self.linear(plan, info.block, size, false),
            Dimension::Free => None,
        };
        let sizes = info.dimensions.iter().map(size).collect::<Option<Vec<Linear>>>()?;
        let bounds = self.bounds(plan, field)?;
        let letters = info.letters().filter(|_| sizes.len() == 1).map(Alphabet::new);
        (sizes.len() <= 2).then_some(Array { field, slot: info.slot, sizes, bounds, letters })
    }

    /// The comparisons that say more of a field than what is stated of it.
    fn bounds(&mut self, plan: &Plan<'_>, field: FieldId) -> Option<Vec<Bound>> {
        let block = plan.format.field(field).block;
        let mut bounds = Vec::new();
        for narrowing in plan.narrowings(field) {
            let arrays = plan.is_size(field);
            let (sign, other) = match narrowing.stand.other(narrowing.comparison) {
                Some((sign, other)) => (sign, self.linear(plan, block, other, arrays)?),
                None => self.solved(plan, field, narrowing.comparison)?,
            };
            self.is_unsure |= !narrowing.speaks_surely;
            bounds.push(Bound { constraint: narrowing.constraint, sign, other });
        }
        Some(bounds)
    }

    /// A comparison of sums as what it says of a single number that stands in one of them, once.
    fn solved(&mut self, plan: &Plan<'_>, field: FieldId, comparison: &Comparison) -> Option<(Sign, Linear)> {
        let info = plan.format.field(field);
        let ([left], [right]) = (&*comparison.left, &*comparison.right) else { return None };
        if !info.is_scalar() || comparison.sign == Sign::NotEqual {
            return None;
        }
        // All of it on the left, and nothing on the right.
        let mut rest = self.linear(plan, info.block, left, plan.is_size(field))?;
        rest.subtract(self.linear(plan, info.block, right, plan.is_size(field))?);
        let at = rest.parts.iter().position(|(place, _)| *place == info.slot)?;
        let (_, is_negative) = rest.parts.remove(at);
        let is_once = rest.parts.iter().all(|(place, _)| *place != info.slot);
        let mut other = Linear { constant: 0, parts: Vec::new() };
        let sign = if is_negative {
            std::mem::swap(&mut other, &mut rest);
            comparison.sign.mirrored()
        } else {
            other.subtract(rest);
            comparison.sign
        };
        is_once.then_some((sign, other))
    }

    /// Notes a constraint; whether it is understood.
    fn take(&mut self, plan: &Plan<'_>, constraint: usize) -> bool {
        let Rule::Compare(comparison) = &plan.format.constraints[constraint].rule else { return false };
        let block = plan.home(constraint);
        if holds_by_itself(plan, constraint, comparison) {
            return true;
        }
        let mut sums = |side: &[Expr]| {
            side.iter().map(|expr| self.linear(plan, block, expr, false)).collect::<Option<Vec<Linear>>>()
        };
        let Some((left, right)) = sums(&comparison.left).zip(sums(&comparison.right)) else { return false };
        let fits = left.len() == right.len() && left.len() <= MOST_SUMS;
        self.musts.push(Must { constraint, sign: comparison.sign, left, right });
        fits
    }

    /// An expression as a sum of places; an array of the block stands for what is stated of its numbers.
    fn linear(&mut self, plan: &Plan<'_>, block: BlockId, expr: &Expr, arrays: bool) -> Option<Linear> {
        let mut linear = Linear { constant: 0, parts: Vec::new() };
        self.gather(plan.format, (block, arrays), expr, false, &mut linear)?;
        let is_small = linear.constant.abs() <= LIMIT && linear.parts.len() <= MOST_PARTS;
        is_small.then_some(linear)
    }

    fn gather(
        &mut self,
        format: &Format,
        within: (BlockId, bool),
        expr: &Expr,
        is_negative: bool,
        sum: &mut Linear,
    ) -> Option<()> {
        match expr {
            Expr::Constant(number) => {
                let number = if is_negative { -*number } else { *number };
                sum.constant = Some(number).filter(|n| n.abs() <= LIMIT).map(|n| sum.constant + n)?;
                Some(())
            }
            Expr::Field(field) => {
                sum.parts.push((self.place(format, within, *field)?, is_negative));
                Some(())
            }
            Expr::Minus(inner) => self.gather(format, within, inner, !is_negative, sum),
            Expr::Binary(Operator::Plus, left, right) => {
                self.gather(format, within, left, is_negative, sum)?;
                self.gather(format, within, right, is_negative, sum)
            }
            Expr::Binary(Operator::Minus, left, right) => {
                self.gather(format, within, left, is_negative, sum)?;
                self.gather(format, within, right, !is_negative, sum)
            }
            _ => None,
        }
    }

    fn place(&mut self, format: &Format, (block, arrays): (BlockId, bool), field: FieldId) -> Option<usize> {
        let info = format.field(field);
        if info.block == block {
            let is_number = info.is_scalar() || arrays && !matches!(info.kind, Kind::Text(_));
            return is_number.then_some(info.slot);
        }
        if !info.is_scalar() || !format.is_within(block, info.block) {
            return None;
        }
        let outer = Outer { block: info.block, slot: info.slot };
        let at = self.outer.iter().position(|known| *known == outer);
        let at = at.unwrap_or_else(|| {
            self.outer.push(outer);
            self.outer.len() - 1
        });
        Some(self.stated.len() + at)
    }

    /// The places behind the slots: the numbers around, if all are known and none is huge.
    fn surroundings(&self, holder: &Scope<'_>) -> Option<Vec<Interval>> {
        let number = |outer: &Outer| {
            let number = holder.of(outer.block)?.slot(outer.slot).and_then(Value::as_int)?;
            (number.abs() <= LIMIT).then_some(Interval::point(number))
        };
        self.outer.iter().map(number).collect()
    }
}

/// Whether a comparison holds once all of its numbers are drawn: whichever comes last is drawn within what it leaves.
/// Sizes come first, in their order and never again; then the other single numbers, any of which may be drawn again; arrays
/// come last.
fn holds_by_itself(plan: &Plan<'_>, constraint: usize, comparison: &Comparison) -> bool {
    let (format, parts) = (plan.format, plan.parts(plan.home(constraint)));
    let kept = |field: FieldId| {
        let stand = Stand::of(field, comparison, format);
        let narrows = plan.narrowings(field).iter().any(|n| n.constraint == constraint);
        stand.is_some_and(|stand| narrows || is_stated(stand, comparison, format.field(field).range))
    };
    let among =
        |fields: &[FieldId]| fields.iter().copied().filter(|f| comparison.mentions(*f)).collect::<Vec<FieldId>>();
    let (sizes, others, arrays) = (among(&parts.sizes), among(&parts.others), among(&parts.arrays));
    let is_number = |field: FieldId| format.field(field).letters().is_none();
    let single = comparison.left.len() == 1 && comparison.right.len() == 1;
    single
        && comparison.sign != Sign::NotEqual
        && match (&*arrays, &*others, sizes.last()) {
            ([array], [], _) => is_number(*array) && kept(*array),
            ([], [], size) => size.is_some_and(|size| kept(*size)),
            ([], others, _) => others.iter().all(|other| kept(*other)),
            _ => false,
        }
}
