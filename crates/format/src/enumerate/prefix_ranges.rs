//! Ranges over a prefix: exact for expressions over chosen values, an interval where part is still to be
//! chosen.

use super::prefix::{Prefix, PrefixFrame};
use crate::constraints::KnownPrefix;
use crate::language::{
    BlockId, Comparison, Expr, FieldId, FoldKind, FoldRange, Format, Interval, RangeSource, comparison_can_hold,
    element_count_range, evaluate_range, instance_count_range, is_always_evaluated, is_never_empty,
};
use crate::value::{self, Value, ValueScope};

/// The ranges as seen from an open instance.
#[derive(Clone, Copy, Debug)]
pub(super) struct PrefixRanges<'a, 's> {
    pub(super) scope: &'s ValueScope<'a>,
    pub(super) prefix: &'s Prefix,
}

impl RangeSource for PrefixRanges<'_, '_> {
    fn format(&self) -> &Format {
        self.scope.format
    }

    fn value_range(&self, field: FieldId) -> Interval {
        let declared = self.scope.format.field(field).range;
        match self.scope.field_value(field) {
            Some(Value::Int(number)) => Interval::from_value(*number),
            Some(known) if !self.is_filling(field) => known.number_hull().unwrap_or(declared),
            _ => declared,
        }
    }

    fn free_length_range(&self, field: FieldId) -> Interval {
        let declared = self.scope.format.field(field).length;
        match self.scope.field_value(field) {
            Some(Value::Text(_) | Value::Ints(_)) if self.is_filling(field) => {
                declared.intersect(Interval::new(self.chosen_length(field), declared.hi))
            }
            Some(Value::Text(_) | Value::Ints(_)) => Interval::from_value(self.chosen_length(field)),
            _ => declared,
        }
    }

    fn exact_value(&self, fold: &Expr) -> Option<i128> {
        if self.is_settled(fold) { value::evaluate_number(fold, self.scope).ok() } else { None }
    }

    fn fold_range(&self, fold: &Expr) -> Option<Interval> {
        match fold {
            _ if self.is_settled(fold) => self.exact_value(fold).map(Interval::from_value),
            Expr::Fold(kind, FoldRange::Elements, inner) => self.fold_elements_so_far(*kind, inner),
            Expr::Fold(kind, FoldRange::Instances(block), inner) => self.fold_instances_so_far(*kind, *block, inner),
            // Any later instance may lack the block.
            Expr::Fold(_, FoldRange::Occurrences(_), _) => None,
            _ => None,
        }
    }
}

impl KnownPrefix for PrefixRanges<'_, '_> {
    fn scope_of(&self, home: BlockId) -> Option<&ValueScope<'_>> {
        self.scope.scope_of_block(home)
    }

    fn is_filling(&self, field: FieldId) -> bool {
        let info = self.scope.format.field(field);
        self.open_frame(info.block).is_some_and(|frame| frame.open_slot == Some(info.slot))
    }

    fn is_repeating(&self, block: BlockId) -> bool {
        let info = self.scope.format.block(block);
        let frame = info.parent.and_then(|holder| self.open_frame(holder));
        frame.is_some_and(|frame| frame.open_slot == Some(info.slot))
    }

    fn is_settled(&self, expr: &Expr) -> bool {
        expr.all_parts(&|part| match part {
            Expr::Element(field, _) => self.is_growing_element(*field).then_some(false),
            Expr::Length(field) => Some(!self.is_filling(*field)),
            Expr::Fold(_, over @ (FoldRange::Instances(_) | FoldRange::Occurrences(_)), _) => {
                Some(!self.scope.format.blocks_between(*over).any(|block| self.is_repeating(block)))
            }
            Expr::Fold(_, FoldRange::Elements, inner) | Expr::Sequence(inner) => {
                let mut filling = false;
                inner.visit_fields(&mut |field| filling |= self.is_filling(field));
                filling.then_some(false)
            }
            _ => None,
        })
    }

    fn could_hold(&self, comparison: &Comparison, home: BlockId) -> bool {
        !self.always_applies(comparison, home) || comparison_can_hold(comparison, self)
    }

    fn instance_count(&self, block: BlockId) -> Interval {
        instance_count_range(block, self)
    }
}

impl PrefixRanges<'_, '_> {
    fn chosen_length(&self, field: FieldId) -> i128 {
        self.scope.field_value(field).map_or(0, Value::element_count) as i128
    }

    /// Returns the frame of a block, if it is open and in scope.
    fn open_frame(&self, block: BlockId) -> Option<&PrefixFrame> {
        self.scope.scope_of_block(block)?;
        self.prefix.spine.iter().find(|frame| frame.block == block)
    }

    /// Returns true if later choices can add elements of a field, so that an index may select another one.
    fn is_growing_element(&self, field: FieldId) -> bool {
        let block = self.scope.format.field(field).block;
        let mut optional = self.scope.format.optional_blocks_around(field);
        let repetition = self.scope.format.repetition_of(block);
        let is_repeated = repetition
            .is_some_and(|repetition| self.is_repeating(repetition) || optional.any(|block| self.is_repeating(block)));
        is_repeated || self.is_filling(field) || self.is_repeating(block)
    }

    /// Returns true if a comparison is certain to apply: its block exists, and nothing in it is empty.
    pub(super) fn always_applies(&self, comparison: &Comparison, home: BlockId) -> bool {
        is_always_evaluated(comparison, home, self, |block| self.scope.scope_of_block(block).is_some())
    }

    /// Returns the range of a fold over a partly chosen array.
    fn fold_elements_so_far(&self, fold: FoldKind, inner: &Expr) -> Option<Interval> {
        let Expr::Field(field) = inner else { return None };
        let known = value::evaluate_elements(inner, self.scope).ok()?;
        let total = element_count_range(*field, self.scope.format.field(*field).dimensions.len(), self);
        let so_far = known.len() as i128;
        let later = total.left_after(so_far);
        let parts = known.into_iter().map(Interval::from_value).collect();
        Some(PartialFold { parts, later, each: self.value_range(*field) }.fold_range(fold))
    }

    /// Returns the range of a fold over a partly chosen list; the last instance may be incomplete.
    fn fold_instances_so_far(&self, fold: FoldKind, block: BlockId, inner: &Expr) -> Option<Interval> {
        let (holder, list) = self.scope.instances_of(block)?;
        let outside = PrefixRanges { scope: holder, prefix: self.prefix };
        let total = instance_count_range(block, &outside);
        let so_far = list.len() as i128;
        let open = self.scope.scope_of_block(block).map(|scope| PrefixRanges { scope, prefix: self.prefix });
        let mut closed = list.iter();
        let last = open.as_ref().and_then(|_| closed.next_back());
        let mut parts = Vec::with_capacity(list.len());
        for instance in closed {
            match value::evaluate_number(inner, &holder.for_instance(block, instance)) {
                Ok(number) => parts.push(Interval::from_value(number)),
                Err(value::EvalError::Empty | value::EvalError::Absent(_)) => {}
                Err(_) => return Some(Interval::ALL),
            }
        }
        // Of the open instance, only ranges are known.
        let sure = is_never_empty(inner, &outside);
        for open in open.iter().filter(|_| last.is_some()) {
            parts.push(evaluate_range(inner, open));
        }
        if !sure {
            // An instance in which nothing is folded contributes nothing.
            return Some(Interval::ALL);
        }
        let later = total.left_after(so_far);
        Some(PartialFold { parts, later, each: evaluate_range(inner, &outside) }.fold_range(fold))
    }
}

/// The operands of a fold: the ranges of the chosen ones, and the number of later ones, each within a range.
struct PartialFold {
    parts: Vec<Interval>,
    later: Interval,
    each: Interval,
}

impl PartialFold {
    fn fold_range(&self, fold: FoldKind) -> Interval {
        let (later, each) = (self.later, self.each);
        match fold {
            FoldKind::Sum => {
                let lo = later.lo.saturating_mul(each.lo).min(later.hi.saturating_mul(each.lo));
                let hi = later.lo.saturating_mul(each.hi).max(later.hi.saturating_mul(each.hi));
                self.parts.iter().copied().fold(Interval::new(lo, hi), Interval::sum_with)
            }
            FoldKind::Count(wanted) => {
                let is = |range: &Interval| range.contains_value(wanted);
                let is_only = |range: &Interval| *range == Interval::from_value(wanted);
                let sure = self.parts.iter().filter(|p| is_only(p)).count() as i128;
                let likely = self.parts.iter().filter(|p| is(p)).count() as i128;
                let least = if is_only(&each) { later.lo } else { 0 };
                let most = if is(&each) { later.hi } else { 0 };
                Interval::new(sure + least, likely + most)
            }
            // Anything can still come of it, unless it is settled.
            FoldKind::Gcd | FoldKind::Xor | FoldKind::Distinct | FoldKind::Inversions | FoldKind::Cycles => {
                Interval::ALL
            }
            FoldKind::Size => {
                let sure = self.parts.len() as i128;
                Interval::new(sure + later.lo, sure + later.hi)
            }
            FoldKind::Min => {
                let all = self.parts.iter().chain((later.hi > 0).then_some(&each));
                let sure = self.parts.iter().chain((later.lo > 0).then_some(&each));
                let lo = all.map(|p| p.lo).min().unwrap_or(each.lo);
                Interval::new(lo, sure.map(|p| p.hi).min().unwrap_or(each.hi))
            }
            FoldKind::Max => {
                let all = self.parts.iter().chain((later.hi > 0).then_some(&each));
                let sure = self.parts.iter().chain((later.lo > 0).then_some(&each));
                let hi = all.map(|p| p.hi).max().unwrap_or(each.hi);
                Interval::new(sure.map(|p| p.lo).max().unwrap_or(each.lo), hi)
            }
        }
    }
}
