//! What the beginning of an input says of the whole: exact where all of it is chosen, a range where some is.

use super::prefix::Frame;
use crate::format::{
    BlockId, Comparison, Expr, FieldId, Fold, Format, Interval, Over, Ranges, Sign, bounds_of, elements, instances,
    is_never_empty, possible,
};
use crate::value::{self, Scope, Value};

/// Ranges within an open instance.
#[derive(Clone, Copy, Debug)]
pub(super) struct Known<'a, 's> {
    pub(super) scope: &'s Scope<'a>,
    pub(super) spine: &'s [Frame],
}

impl Ranges for Known<'_, '_> {
    fn format(&self) -> &Format {
        self.scope.format
    }

    fn value(&self, field: FieldId) -> Interval {
        let stated = self.scope.format.field(field).range;
        match self.scope.field(field) {
            Some(Value::Int(number)) => Interval::point(*number),
            Some(known) if !self.is_filling(field) => hull(known).unwrap_or(stated),
            _ => stated,
        }
    }

    fn free_length(&self, field: FieldId) -> Interval {
        let stated = self.scope.format.field(field).length;
        match self.scope.field(field) {
            Some(Value::Text(_) | Value::Ints(_)) if self.is_filling(field) => {
                stated.intersect(Interval::new(self.length(field), stated.hi))
            }
            Some(Value::Text(_) | Value::Ints(_)) => Interval::point(self.length(field)),
            _ => stated,
        }
    }

    fn exact(&self, fold: &Expr) -> Option<i128> {
        if self.is_settled(fold) { value::number(fold, self.scope).ok() } else { None }
    }

    fn fold_within(&self, fold: &Expr) -> Option<Interval> {
        match fold {
            _ if self.is_settled(fold) => self.exact(fold).map(Interval::point),
            Expr::Fold(kind, Over::Elements, inner) => self.elements_so_far(*kind, inner),
            Expr::Fold(kind, Over::Instances(block), inner) => self.instances_so_far(*kind, *block, inner),
            // Any of the instances that are to come may lack it.
            Expr::Fold(_, Over::Occurrences(_), _) => None,
            _ => None,
        }
    }
}

impl Known<'_, '_> {
    fn length(&self, field: FieldId) -> i128 {
        self.scope.field(field).map_or(0, Value::elements) as i128
    }

    /// The frame of the block, if it is open and can be seen from here.
    fn frame(&self, block: BlockId) -> Option<&Frame> {
        self.scope.of(block)?;
        self.spine.iter().find(|frame| frame.block == block)
    }

    /// Whether some elements of the array are chosen, and some not.
    pub(super) fn is_filling(&self, field: FieldId) -> bool {
        let info = self.scope.format.field(field);
        self.frame(info.block).is_some_and(|frame| frame.under_way == Some(info.slot))
    }

    /// Whether some instances of the block are chosen, and some not.
    pub(super) fn is_repeating(&self, block: BlockId) -> bool {
        let info = self.scope.format.block(block);
        let frame = info.parent.and_then(|holder| self.frame(holder));
        frame.is_some_and(|frame| frame.under_way == Some(info.slot))
    }

    /// Whether what is chosen later cannot change the value that the expression has now, if it has one.
    pub(super) fn is_settled(&self, expr: &Expr) -> bool {
        match expr {
            Expr::Constant(_) | Expr::Field(_) | Expr::Variable(_) | Expr::Letters(_) => true,
            Expr::Element(field, indices) => {
                let block = self.scope.format.field(*field).block;
                let mut optional = self.scope.format.optional_around(*field);
                if let Some(repetition) = self.scope.format.repetition_of(block)
                    && (self.is_repeating(repetition) || optional.any(|block| self.is_repeating(block)))
                {
                    return false;
                }
                !self.is_filling(*field) && !self.is_repeating(block) && indices.iter().all(|i| self.is_settled(i))
            }
            Expr::Length(field) => !self.is_filling(*field),
            Expr::Minus(inner) => self.is_settled(inner),
            Expr::Binary(_, left, right) => self.is_settled(left) && self.is_settled(right),
            Expr::Fold(_, over @ (Over::Instances(_) | Over::Occurrences(_)), _) => {
                !self.scope.format.blocks_of(*over).any(|block| self.is_repeating(block))
            }
            Expr::Fold(_, Over::Elements, inner) | Expr::Whole(inner) => {
                let mut filling = false;
                inner.each_field(&mut |field| filling |= self.is_filling(field));
                !filling && self.is_settled(inner)
            }
        }
    }

    /// Whether a comparison that is at home in this block can hold in the end, as far as ranges tell.
    pub(super) fn could_hold(&self, comparison: &Comparison, home: BlockId) -> bool {
        if !self.speaks(comparison, home) {
            return true;
        }
        let mut sides = comparison.left.iter().zip(&comparison.right);
        let mut holds =
            |(left, right): (&Expr, &Expr)| possible(bounds_of(left, self), comparison.sign, bounds_of(right, self));
        match comparison.sign {
            Sign::NotEqual => sides.any(holds),
            _ => sides.all(&mut holds),
        }
    }

    /// Whether a comparison is sure to be made: nothing in it is empty, and its block is there.
    pub(super) fn speaks(&self, comparison: &Comparison, home: BlockId) -> bool {
        let mut at = home;
        while self.scope.of(at).is_none() {
            if instances(at, self).lo < 1 {
                return false;
            }
            let Some(parent) = self.scope.format.block(at).parent else { return false };
            at = parent;
        }
        comparison.left.iter().chain(&comparison.right).all(|e| is_never_empty(e, self))
    }

    /// A fold over an array of which some elements are chosen.
    fn elements_so_far(&self, fold: Fold, inner: &Expr) -> Option<Interval> {
        let Expr::Field(field) = inner else { return None };
        let known = value::elements(inner, self.scope).ok()?;
        let total = elements(*field, self.scope.format.field(*field).dimensions.len(), self);
        let so_far = known.len() as i128;
        let later = Interval::new((total.lo - so_far).max(0), (total.hi - so_far).max(0));
        let parts = known.into_iter().map(Interval::point).collect();
        Some(Parts { parts, later, each: self.value(*field) }.fold(fold))
    }

    /// A fold over a list of which some instances are chosen; the last of them perhaps in part.
    fn instances_so_far(&self, fold: Fold, block: BlockId, inner: &Expr) -> Option<Interval> {
        let (holder, list) = self.scope.instances(block)?;
        let outside = Known { scope: holder, spine: self.spine };
        let total = instances(block, &outside);
        let so_far = list.len() as i128;
        let open = self.scope.of(block).map(|scope| Known { scope, spine: self.spine });
        let mut closed = list.iter();
        let last = open.as_ref().and_then(|_| closed.next_back());
        let mut parts = Vec::with_capacity(list.len());
        for instance in closed {
            match value::number(inner, &holder.inner(block, instance)) {
                Ok(number) => parts.push(Interval::point(number)),
                Err(value::Unknown::Empty | value::Unknown::Absent(_)) => {}
                Err(_) => return Some(Interval::ALL),
            }
        }
        let sure = is_never_empty(inner, &outside);
        for open in open.iter().filter(|_| last.is_some()) {
            parts.push(bounds_of(inner, open));
        }
        if !sure {
            // An instance that has nothing to fold adds nothing.
            return Some(Interval::ALL);
        }
        let later = Interval::new((total.lo - so_far).max(0), (total.hi - so_far).max(0));
        Some(Parts { parts, later, each: bounds_of(inner, &outside) }.fold(fold))
    }
}

/// What a fold runs over: what is chosen, and how many more there will be, each within a range.
struct Parts {
    parts: Vec<Interval>,
    later: Interval,
    each: Interval,
}

impl Parts {
    fn fold(&self, fold: Fold) -> Interval {
        let (later, each) = (self.later, self.each);
        match fold {
            Fold::Sum => {
                let lo = later.lo.saturating_mul(each.lo).min(later.hi.saturating_mul(each.lo));
                let hi = later.lo.saturating_mul(each.hi).max(later.hi.saturating_mul(each.hi));
                self.parts.iter().fold(Interval::new(lo, hi), |sum, part| {
                    Interval::new(sum.lo.saturating_add(part.lo), sum.hi.saturating_add(part.hi))
                })
            }
            Fold::Count(wanted) => {
                let is = |range: &Interval| range.contains(wanted);
                let is_only = |range: &Interval| *range == Interval::point(wanted);
                let sure = self.parts.iter().filter(|p| is_only(p)).count() as i128;
                let likely = self.parts.iter().filter(|p| is(p)).count() as i128;
                let least = if is_only(&each) { later.lo } else { 0 };
                let most = if is(&each) { later.hi } else { 0 };
                Interval::new(sure + least, likely + most)
            }
            Fold::Size => {
                let sure = self.parts.len() as i128;
                Interval::new(sure + later.lo, sure + later.hi)
            }
            Fold::Min => {
                let all = self.parts.iter().chain((later.hi > 0).then_some(&each));
                let sure = self.parts.iter().chain((later.lo > 0).then_some(&each));
                let lo = all.map(|p| p.lo).min().unwrap_or(each.lo);
                Interval::new(lo, sure.map(|p| p.hi).min().unwrap_or(each.hi))
            }
            Fold::Max => {
                let all = self.parts.iter().chain((later.hi > 0).then_some(&each));
                let sure = self.parts.iter().chain((later.lo > 0).then_some(&each));
                let hi = all.map(|p| p.hi).max().unwrap_or(each.hi);
                Interval::new(sure.map(|p| p.lo).max().unwrap_or(each.lo), hi)
            }
        }
    }
}

/// The range from the smallest to the largest number of a value.
fn hull(value: &Value) -> Option<Interval> {
    match value {
        Value::Int(number) => Some(Interval::point(*number)),
        Value::Ints(numbers) => Some(Interval::new(numbers.iter().copied().min()?, numbers.iter().copied().max()?)),
        Value::Text(_) => None,
        nested => nested.parts().iter().filter_map(hull).reduce(|a, b| a.hull(b)),
    }
}
