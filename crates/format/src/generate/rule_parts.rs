//! The parts of constraints that bound sums, counts and products, found once for each format.

use crate::language::{
    ArithmeticOperator, BlockId, Comparison, ComparisonOperator, Constraint, Expr, FieldId, FoldKind, FoldRange,
};
use std::ops::ControlFlow;

/// Returns the bound that a comparison puts on the sum of a field's elements.
pub(super) fn sum_bound(field: FieldId, comparison: &Comparison) -> Option<(ComparisonOperator, &Expr)> {
    let ([left], [right]) = (&*comparison.left, &*comparison.right) else { return None };
    let is_sum =
        |e: &Expr| matches!(e, Expr::Fold(FoldKind::Sum, FoldRange::Elements, inner) if **inner == Expr::Field(field));
    if is_sum(left) && !right.mentions_field(field) {
        return Some((comparison.sign, right));
    }
    (is_sum(right) && !left.mentions_field(field)).then_some((comparison.sign.with_sides_swapped(), left))
}

/// Returns true if an expression counts letters of a field.
pub(super) fn counts_letters(expr: &Expr, field: FieldId) -> bool {
    expr.any_part(&|part| match part {
        Expr::Fold(FoldKind::Count(_), FoldRange::Elements, inner) => Some(**inner == Expr::Field(field)),
        Expr::Negate(_) | Expr::Call(..) | Expr::Binary(..) => None,
        _ => Some(false),
    })
}

/// Returns the optional block that a constraint aggregates over, if there is one.
pub(super) fn aggregated_occurrences(constraint: &Constraint) -> Option<FoldRange> {
    let of_comparison = || {
        let comparison = constraint.rule.comparison()?;
        comparison.left.iter().chain(&comparison.right).find_map(folded_occurrences)
    };
    let of_rule = constraint.rule.kind().range().or_else(of_comparison);
    of_rule.filter(|over| matches!(over, FoldRange::Occurrences(_)))
}

fn folded_occurrences(expr: &Expr) -> Option<FoldRange> {
    expr.find_part(&mut |part| match part {
        Expr::Fold(_, over @ FoldRange::Occurrences(_), _) => ControlFlow::Break(Some(*over)),
        Expr::Element(..) => ControlFlow::Break(None),
        _ => ControlFlow::Continue(()),
    })
}

/// Returns true if one side of a comparison is a product of two fields.
pub(super) fn mentions_product(comparison: &Comparison) -> bool {
    comparison.left.iter().chain(&comparison.right).any(|side| product_fields(side).is_some())
}

/// Returns the two fields that an expression multiplies.
pub(super) fn product_fields(expr: &Expr) -> Option<(FieldId, FieldId)> {
    let Expr::Binary(ArithmeticOperator::Multiply, left, right) = expr else { return None };
    match (&**left, &**right) {
        (Expr::Field(a), Expr::Field(b)) => Some((*a, *b)),
        _ => None,
    }
}

/// A bound on a sum over the instances of a block.
pub(super) struct InstanceSumBound<'e> {
    /// The contribution of each instance.
    pub(super) contribution: &'e Expr,
    /// The range of the sum.
    pub(super) over: FoldRange,
    /// The operator, with the sum on the left.
    pub(super) sign: ComparisonOperator,
    /// The bound.
    pub(super) other: &'e Expr,
}

/// Returns the bound that a comparison puts on a sum over a block.
pub(super) fn instance_sum_bound(child: BlockId, comparison: &Comparison) -> Option<InstanceSumBound<'_>> {
    let ([left], [right]) = (&*comparison.left, &*comparison.right) else { return None };
    let summed = |side: &'_ Expr| match side {
        Expr::Fold(FoldKind::Sum, over, _) => over.outermost_block() == Some(child),
        _ => false,
    };
    let (sum, sign, other) = if summed(left) {
        (left, comparison.sign, right)
    } else if summed(right) {
        (right, comparison.sign.with_sides_swapped(), left)
    } else {
        return None;
    };
    match sum {
        Expr::Fold(_, over, each) => Some(InstanceSumBound { contribution: each, over: *over, sign, other }),
        _ => None,
    }
}
