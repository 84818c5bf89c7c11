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

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests")]
    use super::*;
    use rebut_diagnostics::SourceText;

    fn parse_format(text: &str) -> Format {
        Format::parse(&SourceText::new("test", text)).unwrap().0
    }

    #[test]
    fn only_folds_over_all_elements_against_something_else_are_found() {
        let text = "n; a[n]; b[n] where 1 <= n <= 9; 0 <= a, b <= 9; sum(a) <= 20; 3 <= max(a); sum(a) = sum(b); min(a) > a[1]";
        let format = parse_format(text);
        let found = find_fold_comparisons(&format, format.field_named("a").unwrap());
        let signs: Vec<(FoldKind, ComparisonOperator)> = found.iter().map(|fold| (fold.fold, fold.sign)).collect();
        let expected = [
            (FoldKind::Sum, ComparisonOperator::LessEqual),
            (FoldKind::Max, ComparisonOperator::GreaterEqual),
            (FoldKind::Sum, ComparisonOperator::Equal),
        ];
        assert_eq!(signs, expected);
    }
}
