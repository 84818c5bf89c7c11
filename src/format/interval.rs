//! Ranges of numbers, and what a comparison leaves of them.
//!
//! An expression over ranges has a range that certainly holds every value it can take. That one fact does three
//! jobs: it finds the bounds of each field before anything runs, it finds contradictions, and while an input is
//! generated it tells what is left for a number once its neighbours are chosen ([`narrow`]).

use super::LARGEST;
use super::classify::is_never_empty;
use super::expr::{Expr, Fold, Occurrences, Operator, Over, Sign};
use super::formula::Comparison;
use super::model::{BlockId, Count, Dimension, FieldId, Format};
use std::ops::Range;

/// A closed range of whole numbers; empty if `lo > hi`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Interval {
    /// The smallest.
    pub lo: i128,
    /// The largest.
    pub hi: i128,
}

impl Interval {
    /// Every number that can occur at all.
    pub const ALL: Interval = Interval { lo: -LARGEST, hi: LARGEST };
    /// Every number from 0.
    pub const NATURAL: Interval = Interval { lo: 0, hi: LARGEST };

    /// The range from `lo` to `hi`.
    pub fn new(lo: i128, hi: i128) -> Self {
        Interval { lo, hi }
    }

    /// Just this number.
    pub fn point(value: i128) -> Self {
        Interval { lo: value, hi: value }
    }

    /// Whether no number is in it.
    pub fn is_empty(self) -> bool {
        self.lo > self.hi
    }

    /// Whether the number is in it.
    pub fn contains(self, value: i128) -> bool {
        self.lo <= value && value <= self.hi
    }

    /// What is in both.
    #[must_use]
    pub fn intersect(self, other: Interval) -> Interval {
        Interval { lo: self.lo.max(other.lo), hi: self.hi.min(other.hi) }
    }

    /// The shortest range that holds both.
    #[must_use]
    pub fn hull(self, other: Interval) -> Interval {
        Interval { lo: self.lo.min(other.lo), hi: self.hi.max(other.hi) }
    }

    /// The number in it that is nearest to zero: the simplest.
    pub fn simplest(self) -> i128 {
        0.clamp(self.lo, self.hi.max(self.lo))
    }

    /// The number in it that is nearest to `value`.
    pub fn nearest(self, value: i128) -> i128 {
        value.clamp(self.lo, self.hi.max(self.lo))
    }

    fn negated(self) -> Interval {
        Interval::new(-self.hi, -self.lo)
    }

    fn of(values: impl IntoIterator<Item = Option<i128>>) -> Interval {
        let mut hull: Option<Interval> = None;
        for value in values {
            let Some(value) = value else { return Interval::ALL };
            let point = Interval::point(value.clamp(-LARGEST, LARGEST));
            hull = Some(hull.map_or(point, |h| h.hull(point)));
        }
        hull.unwrap_or(Interval::ALL)
    }
}

/// What is known of the fields while the range of an expression is sought.
pub trait Ranges {
    /// The format that the fields are of.
    fn format(&self) -> &Format;
    /// The range of a number, or of every element of an array or text.
    fn value(&self, field: FieldId) -> Interval;
    /// The range of a length that only the input tells.
    fn free_length(&self, field: FieldId) -> Interval;
    /// The exact value of a fold or of an element, where all that it depends on is already known.
    fn exact(&self, _expr: &Expr) -> Option<i128> {
        None
    }
    /// The range of a fold, where part of what it runs over is already known.
    fn fold_within(&self, fold: &Expr) -> Option<Interval> {
        self.exact(fold).map(Interval::point)
    }
}

/// The ranges that a format states, before any input is looked at.
pub(crate) struct Stated<'a>(pub(crate) &'a Format);

impl Ranges for Stated<'_> {
    fn format(&self) -> &Format {
        self.0
    }

    fn value(&self, field: FieldId) -> Interval {
        self.0.field(field).range
    }

    fn free_length(&self, field: FieldId) -> Interval {
        self.0.field(field).length
    }
}

/// The range of an expression.
pub fn bounds_of(expr: &Expr, ranges: &impl Ranges) -> Interval {
    match expr {
        Expr::Constant(value) => Interval::point(*value),
        Expr::Variable(_) | Expr::Whole(_) | Expr::Letters(_) => Interval::ALL,
        Expr::Field(field) => ranges.value(*field),
        Expr::Element(field, _) => ranges.exact(expr).map_or_else(|| ranges.value(*field), Interval::point),
        Expr::Length(field) => match ranges.format().field(*field).dimensions.last() {
            Some(Dimension::Size(size)) => bounds_of(size, ranges),
            _ => ranges.free_length(*field),
        },
        Expr::Minus(inner) => bounds_of(inner, ranges).negated(),
        Expr::Binary(operator, left, right) => combine(*operator, bounds_of(left, ranges), bounds_of(right, ranges)),
        Expr::Fold(fold, over, inner) => match ranges.fold_within(expr) {
            Some(range) => range,
            None => {
                // What is known of a field in an open instance says nothing of the other occurrences.
                let each = match over {
                    Over::Elements | Over::Instances(_) => bounds_of(inner, ranges),
                    Over::Occurrences(_) => bounds_of(inner, &Stated(ranges.format())),
                };
                // The largest of nothing adds nothing to a sum.
                let instances = matches!(over, Over::Instances(_) | Over::Occurrences(_));
                let absent = instances && *fold == Fold::Sum && !is_never_empty(inner, ranges);
                let each = if absent { each.hull(Interval::point(0)) } else { each };
                folded(*fold, times_folded(*over, inner, ranges), each)
            }
        },
    }
}

/// How many numbers a fold runs over.
fn times_folded(over: Over, inner: &Expr, ranges: &impl Ranges) -> Interval {
    match over {
        Over::Instances(block) => instances(block, ranges),
        // Any of the repetitions may lack it.
        Over::Occurrences(Occurrences { outermost, .. }) => Interval::new(0, instances(outermost, ranges).hi),
        Over::Elements => {
            let count = |(field, dimensions)| elements_in(field, dimensions, ranges);
            first_array(inner, ranges.format()).map_or(Interval::NATURAL, count)
        }
    }
}

/// How many instances of a block there can be in one instance of the block around it.
pub fn instances(block: BlockId, ranges: &impl Ranges) -> Interval {
    match &ranges.format().block(block).count {
        Count::Times(count) => bounds_of(count, ranges),
        Count::When(_) | Count::Chosen => Interval::new(0, 1),
        Count::Until { range, .. } => *range,
    }
}

/// The first array in an expression and which of its dimensions the expression runs over.
fn first_array(expr: &Expr, format: &Format) -> Option<(FieldId, Range<usize>)> {
    let rank = |field: &FieldId| format.field(*field).dimensions.len();
    let (field, dimensions) = match expr {
        Expr::Field(field) => (*field, 0..rank(field)),
        Expr::Length(field) => (*field, 0..rank(field).saturating_sub(1)),
        Expr::Element(field, indices) => (*field, format.indexed_dimensions(*field, indices)..rank(field)),
        Expr::Minus(inner) => return first_array(inner, format),
        Expr::Binary(_, left, right) => return first_array(left, format).or_else(|| first_array(right, format)),
        Expr::Constant(_) | Expr::Fold(..) | Expr::Variable(_) | Expr::Whole(_) | Expr::Letters(_) => return None,
    };
    (!dimensions.is_empty()).then_some((field, dimensions))
}

/// The number of elements in the outer `rank` dimensions of a field.
pub fn elements(field: FieldId, rank: usize, ranges: &impl Ranges) -> Interval {
    elements_in(field, 0..rank, ranges)
}

/// The number of elements in the part of a field that so many indices pick.
pub(super) fn row(field: FieldId, indices: usize, ranges: &impl Ranges) -> Interval {
    elements_in(field, indices..usize::MAX, ranges)
}

fn elements_in(field: FieldId, which: Range<usize>, ranges: &impl Ranges) -> Interval {
    let dimensions = &ranges.format().field(field).dimensions;
    let which = dimensions.iter().take(which.end).skip(which.start);
    which.fold(Interval::point(1), |product, dimension| {
        let size = match dimension {
            Dimension::Size(size) => bounds_of(size, ranges),
            Dimension::Free => ranges.free_length(field),
        };
        combine(Operator::Times, product, size.intersect(Interval::NATURAL))
    })
}

fn folded(fold: Fold, count: Interval, each: Interval) -> Interval {
    let count = count.intersect(Interval::NATURAL);
    match fold {
        Fold::Sum => combine(Operator::Times, count, each),
        Fold::Min | Fold::Max => each,
        Fold::Count(value) if each.contains(value) => Interval::new(0, count.hi),
        Fold::Count(_) => Interval::point(0),
        Fold::Size => count,
    }
}

fn combine(operator: Operator, a: Interval, b: Interval) -> Interval {
    if a.is_empty() || b.is_empty() {
        return Interval::ALL;
    }
    // Of two numbers there is one result: whoever counts on it must not be given a range.
    if a.lo == a.hi
        && b.lo == b.hi
        && let Some(value) = operate(operator, a.lo, b.lo).filter(|v| v.abs() <= LARGEST)
    {
        return Interval::point(value);
    }
    let corners =
        |f: fn(i128, i128) -> Option<i128>| Interval::of([f(a.lo, b.lo), f(a.lo, b.hi), f(a.hi, b.lo), f(a.hi, b.hi)]);
    match operator {
        Operator::Plus => Interval::of([a.lo.checked_add(b.lo), a.hi.checked_add(b.hi)]),
        Operator::Minus => Interval::of([a.lo.checked_sub(b.hi), a.hi.checked_sub(b.lo)]),
        Operator::Times => corners(times_capped),
        Operator::Divide if !b.contains(0) => corners(|a, b| operate(Operator::Divide, a, b)),
        Operator::Modulo if b.lo > 0 => {
            if a.lo >= 0 && a.hi < b.lo {
                a
            } else {
                Interval::new(0, b.hi - 1)
            }
        }
        Operator::Power if a.lo >= 1 && b.lo >= 0 => Interval::of([power(a.lo, b.lo), power(a.hi, b.hi)]),
        Operator::Least => Interval::new(a.lo.min(b.lo), a.hi.min(b.hi)),
        Operator::Greatest => Interval::new(a.lo.max(b.lo), a.hi.max(b.hi)),
        Operator::Else => a.hull(b),
        Operator::Power if a.lo >= 0 && b.lo >= 0 => Interval::of([Some(0), Some(1), power(a.hi, b.hi)]),
        _ => Interval::ALL,
    }
}

fn times_capped(a: i128, b: i128) -> Option<i128> {
    Some(a.saturating_mul(b))
}

fn power(base: i128, exponent: i128) -> Option<i128> {
    operate(Operator::Power, base, exponent).or(Some(LARGEST))
}

/// The exact result of an operation; none on overflow, division by zero or a negative exponent.
pub(crate) fn operate(operator: Operator, a: i128, b: i128) -> Option<i128> {
    match operator {
        Operator::Plus => a.checked_add(b),
        Operator::Minus => a.checked_sub(b),
        Operator::Times => a.checked_mul(b),
        Operator::Divide => {
            let quotient = a.checked_div(b)?;
            Some(if a % b != 0 && (a < 0) != (b < 0) { quotient - 1 } else { quotient })
        }
        Operator::Modulo => {
            let remainder = a.checked_rem(b)?;
            Some(if remainder != 0 && (remainder < 0) != (b < 0) { remainder + b } else { remainder })
        }
        Operator::Power => a.checked_pow(u32::try_from(b).ok()?),
        Operator::Least => Some(a.min(b)),
        Operator::Greatest => Some(a.max(b)),
        // Which of them stands is no matter of numbers.
        Operator::Else => (a == b).then_some(a),
    }
}

/// Whether numbers of these ranges can satisfy the sign.
pub(crate) fn possible(left: Interval, sign: Sign, right: Interval) -> bool {
    match sign {
        Sign::Less => left.lo < right.hi,
        Sign::LessEqual => left.lo <= right.hi,
        Sign::Greater => left.hi > right.lo,
        Sign::GreaterEqual => left.hi >= right.lo,
        Sign::Equal => !left.intersect(right).is_empty(),
        Sign::NotEqual => !(left.lo == left.hi && left == right),
    }
}

/// A view of the ranges in which one field has another range.
pub(crate) struct With<'a, R> {
    pub(crate) field: FieldId,
    pub(crate) range: Interval,
    pub(crate) rest: &'a R,
}

impl<R: Ranges> Ranges for With<'_, R> {
    fn value(&self, field: FieldId) -> Interval {
        if field == self.field { self.range } else { self.rest.value(field) }
    }

    fn format(&self) -> &Format {
        self.rest.format()
    }

    fn free_length(&self, field: FieldId) -> Interval {
        self.rest.free_length(field)
    }

    fn exact(&self, expr: &Expr) -> Option<i128> {
        if self.format().depends(expr, self.field) { None } else { self.rest.exact(expr) }
    }

    fn fold_within(&self, fold: &Expr) -> Option<Interval> {
        if self.format().depends(fold, self.field) { None } else { self.rest.fold_within(fold) }
    }
}

/// What the comparison leaves of a field's range, the others being as `ranges` says.
///
/// A field that is itself folded (`N` in `sum(N)`) is left alone: its neighbours share the sum, and no range of one
/// of them alone follows.
///
/// Sound, not tight: no number is lost that could still satisfy the comparison. Where the field stands alone on one
/// side the ends are read off; anywhere else they are found by bisection, which is exact for expressions that grow
/// or fall with the field.
pub fn narrow(field: FieldId, range: Interval, comparison: &Comparison, ranges: &impl Ranges) -> Interval {
    // Budgets say it so, for every field of every instance.
    if let ([Expr::Field(of)], [Expr::Constant(bound)]) = (&*comparison.left, &*comparison.right) {
        return if *of == field { cut(range, comparison.sign, Interval::point(*bound)) } else { range };
    }
    match Stand::of(field, comparison, ranges.format()) {
        Some(stand) => narrow_by(stand, field, range, comparison, ranges),
        None => range,
    }
}

/// How a field stands in a comparison of two numbers that says something of its range.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stand {
    /// Alone on the left, and not on the right.
    Left,
    /// Alone on the right, and not on the left.
    Right,
    /// Anywhere else.
    Inside,
}

impl Stand {
    /// How it stands; none if the comparison leaves the range of the field as it is, whatever else is known.
    pub fn of(field: FieldId, comparison: &Comparison, format: &Format) -> Option<Stand> {
        let ([left], [right]) = (&*comparison.left, &*comparison.right) else { return None };
        let (in_left, in_right) = (format.depends(left, field), format.depends(right, field));
        if !in_left && !in_right || format.folds(left, field) || format.folds(right, field) {
            return None;
        }
        Some(if *left == Expr::Field(field) && !in_right {
            Stand::Left
        } else if *right == Expr::Field(field) && !in_left {
            Stand::Right
        } else {
            Stand::Inside
        })
    }
}

impl Stand {
    /// What a field that stands alone is compared with, and the sign as if it stood on the left.
    pub fn other<'c>(&self, comparison: &'c Comparison) -> Option<(Sign, &'c Expr)> {
        match (self, &*comparison.left, &*comparison.right) {
            (Stand::Left, _, [other]) => Some((comparison.sign, other)),
            (Stand::Right, [other], _) => Some((comparison.sign.mirrored(), other)),
            _ => None,
        }
    }
}

/// As [`narrow`], where it is known how the field stands.
pub fn narrow_by(
    stand: Stand,
    field: FieldId,
    range: Interval,
    comparison: &Comparison,
    ranges: &impl Ranges,
) -> Interval {
    if let Some((sign, other)) = stand.other(comparison) {
        return cut(range, sign, bounds_of(other, ranges));
    }
    let ([left], [right]) = (&*comparison.left, &*comparison.right) else { return range };
    let (left, right) = (Side::of(left, field, ranges), Side::of(right, field, ranges));
    let can_hold = |part: Interval| {
        let view = With { field, range: part, rest: ranges };
        possible(left.bounds(&view), comparison.sign, right.bounds(&view))
    };
    ends(range, &can_hold)
}

/// An expression of whose fields only one has a range still to be tried: what does not depend on it is known once and for
/// all tries.
enum Side<'e> {
    Known(Interval),
    Itself,
    Minus(Box<Side<'e>>),
    Binary(Operator, Box<[Side<'e>; 2]>),
    /// What is worked out anew for each try.
    Other(&'e Expr),
}

impl<'e> Side<'e> {
    fn of(expr: &'e Expr, field: FieldId, ranges: &impl Ranges) -> Side<'e> {
        match expr {
            Expr::Field(other) if *other == field => Side::Itself,
            _ if !ranges.format().depends(expr, field) => Side::Known(bounds_of(expr, ranges)),
            Expr::Minus(inner) => Side::Minus(Box::new(Side::of(inner, field, ranges))),
            Expr::Binary(operator, left, right) => {
                Side::Binary(*operator, Box::new([Side::of(left, field, ranges), Side::of(right, field, ranges)]))
            }
            _ => Side::Other(expr),
        }
    }

    fn bounds<R: Ranges>(&self, view: &With<'_, R>) -> Interval {
        match self {
            Side::Known(range) => *range,
            Side::Itself => view.range,
            Side::Minus(inner) => inner.bounds(view).negated(),
            Side::Binary(operator, sides) => combine(*operator, sides[0].bounds(view), sides[1].bounds(view)),
            Side::Other(expr) => bounds_of(expr, view),
        }
    }
}

/// The range without what cannot hold at its two ends. `can_hold` tells of a part whether some number of it may.
pub(crate) fn ends(range: Interval, can_hold: &impl Fn(Interval) -> bool) -> Interval {
    match first_possible(range, can_hold, false, &mut 0) {
        None => Interval::new(1, 0),
        Some(lo) => {
            let rest = Interval::new(lo, range.hi);
            let hi = first_possible(rest, can_hold, true, &mut 0).unwrap_or(rest.hi);
            Interval::new(lo, hi)
        }
    }
}

pub(crate) fn cut(range: Interval, sign: Sign, other: Interval) -> Interval {
    match sign {
        Sign::Less => range.intersect(Interval::new(-LARGEST, other.hi - 1)),
        Sign::LessEqual => range.intersect(Interval::new(-LARGEST, other.hi)),
        Sign::Greater => range.intersect(Interval::new(other.lo + 1, LARGEST)),
        Sign::GreaterEqual => range.intersect(Interval::new(other.lo, LARGEST)),
        Sign::Equal => range.intersect(other),
        Sign::NotEqual if other.lo != other.hi => range,
        Sign::NotEqual => {
            Interval::new(range.lo + i128::from(range.lo == other.lo), range.hi - i128::from(range.hi == other.lo))
        }
    }
}

/// Bisection stops after so many questions, and answers on the safe side.
const MOST_STEPS: u32 = 600;

/// The end of the range (the upper one if `from_above`) after the parts that cannot hold are cut off.
fn first_possible(
    range: Interval,
    can_hold: &impl Fn(Interval) -> bool,
    from_above: bool,
    steps: &mut u32,
) -> Option<i128> {
    *steps += 1;
    if range.is_empty() || !can_hold(range) {
        return None;
    }
    if range.lo == range.hi || *steps > MOST_STEPS {
        return Some(if from_above { range.hi } else { range.lo });
    }
    let middle = range.lo + (range.hi - range.lo) / 2;
    let low = Interval::new(range.lo, middle);
    let high = Interval::new(middle + 1, range.hi);
    let (near, far) = if from_above { (high, low) } else { (low, high) };
    first_possible(near, can_hold, from_above, steps).or_else(|| first_possible(far, can_hold, from_above, steps))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests")]
    use super::*;

    struct Fixed(Format, Vec<Interval>);

    impl Ranges for Fixed {
        fn format(&self) -> &Format {
            &self.0
        }
        fn value(&self, field: FieldId) -> Interval {
            self.1[field.0]
        }
        fn free_length(&self, _: FieldId) -> Interval {
            Interval::NATURAL
        }
    }

    fn fixed(ranges: Vec<Interval>) -> Fixed {
        let text = "n m where 1 <= n <= 10; 0 <= m <= 1000";
        let (format, _) = Format::parse(&crate::diagnostic::Source::new("test", text)).unwrap();
        Fixed(format, ranges)
    }

    fn field(i: usize) -> Expr {
        Expr::Field(FieldId(i))
    }

    fn binary(operator: Operator, a: Expr, b: Expr) -> Expr {
        Expr::Binary(operator, Box::new(a), Box::new(b))
    }

    #[test]
    fn rounds_down() {
        assert_eq!(operate(Operator::Divide, -7, 2), Some(-4));
        assert_eq!(operate(Operator::Modulo, -7, 2), Some(1));
        assert_eq!(operate(Operator::Divide, 7, 0), None);
        assert_eq!(operate(Operator::Power, 10, 100), None);
    }

    #[test]
    fn narrows_through_products() {
        // 2 * m <= n * (n - 1), n in 1..10, m = 15
        let n = || field(0);
        let right = binary(Operator::Times, n(), binary(Operator::Minus, n(), Expr::Constant(1)));
        let left = binary(Operator::Times, Expr::Constant(2), field(1));
        let comparison = Comparison::new(left, Sign::LessEqual, right);
        let ranges = fixed(vec![Interval::new(1, 10), Interval::point(15)]);
        assert_eq!(narrow(FieldId(0), Interval::new(1, 10), &comparison, &ranges), Interval::new(6, 10));
        let ranges = fixed(vec![Interval::point(4), Interval::new(0, 1000)]);
        assert_eq!(narrow(FieldId(1), Interval::new(0, 1000), &comparison, &ranges), Interval::new(0, 6));
    }

    #[test]
    fn operations_on_ranges_hold_every_result() {
        let small: Vec<Interval> = (-3..=3).flat_map(|lo| (lo..=3).map(move |hi| Interval::new(lo, hi))).collect();
        let operators = [
            Operator::Plus,
            Operator::Minus,
            Operator::Times,
            Operator::Divide,
            Operator::Modulo,
            Operator::Power,
            Operator::Least,
            Operator::Greatest,
        ];
        for operator in operators {
            for (a, b) in small.iter().flat_map(|a| small.iter().map(move |b| (*a, *b))) {
                let range = combine(operator, a, b);
                for (x, y) in (a.lo..=a.hi).flat_map(|x| (b.lo..=b.hi).map(move |y| (x, y))) {
                    if let Some(value) = operate(operator, x, y) {
                        assert!(range.contains(value), "{x} {operator:?} {y} = {value} not in {range:?}");
                    }
                }
            }
        }
    }
}
