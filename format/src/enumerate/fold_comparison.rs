//! Comparisons of a fold over an array with an expression that does not depend on the array.

use crate::language::{BlockId, Comparison, ComparisonOperator, Expr, FieldId, FoldKind, FoldRange, Format};

/// A fold over all elements of an array, compared with an expression.
#[derive(Clone, Debug)]
pub(super) struct FoldComparison<'a> {
    pub(super) fold: FoldKind,
    pub(super) sign: ComparisonOperator,
    pub(super) other: &'a Expr,
    pub(super) comparison: &'a Comparison,
    pub(super) home: BlockId,
}

/// Returns the comparisons of folds over a field with something else.
pub(super) fn find_fold_comparisons(format: &Format, field: FieldId) -> Vec<FoldComparison<'_>> {
    let fold_of = |expr: &Expr| match expr {
        Expr::Fold(fold, FoldRange::Elements, inner) if **inner == Expr::Field(field) => Some(*fold),
        _ => None,
    };
    let bound = |comparison: &'_ Comparison| {
        let ([left], [right]) = (&*comparison.left, &*comparison.right) else { return None };
        let (fold, sign, is_left) = match (fold_of(left), fold_of(right)) {
            (Some(fold), None) => (fold, comparison.sign, true),
            (None, Some(fold)) => (fold, comparison.sign.with_sides_swapped(), false),
            _ => return None,
        };
        let other = if is_left { right } else { left };
        (!format.depends_on(other, field)).then_some((fold, sign, is_left))
    };
    let bounds = format.constraints.iter().filter_map(|constraint| {
        let comparison = constraint.rule.comparison()?;
        let (fold, sign, is_left) = bound(comparison)?;
        let other = if is_left { comparison.right.first()? } else { comparison.left.first()? };
        Some(FoldComparison { fold, sign, other, comparison, home: constraint.home_block })
    });
    bounds.collect()
}
