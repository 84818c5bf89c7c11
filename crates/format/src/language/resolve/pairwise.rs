//! Formulas equivalent to `distinct`, which are satisfied by construction too.

use super::name_scope::NameScope;
use crate::model::{
    ArithmeticOperator, ComparisonOperator, Expr, FieldDimension, FieldId, FoldRange, Formula, InstanceCount,
    QuantifiedFormula,
};

/// Returns the range over which texts are compared as a unit: several rows, or several repetitions.
pub(super) fn distinct_texts_range(scope: &NameScope, field: FieldId) -> Option<FoldRange> {
    let info = scope.format.field(field);
    info.alphabet()?;
    match (info.dimensions.len(), info.block) {
        (2.., _) => Some(FoldRange::Elements),
        // A text that occurs only once has no other to differ from, so `distinct` is about its letters.
        (_, block) => scope.format.fold_range(block).filter(|_| scope.format.repetition_of(block).is_some()),
    }
}

/// Recognizes `forall i in 1..n: forall j in i+1..n: w[i] != w[j]`, where `n` is the number of texts, and returns
/// the field and the range over which its texts must be distinct.
pub(super) fn match_pairwise_distinct(scope: &NameScope, formula: &Formula) -> Option<(FieldId, FoldRange)> {
    let Formula::ForAll(outer) = formula else { return None };
    let Formula::ForAll(inner) = &outer.body else { return None };
    let Formula::Compare(comparison) = &inner.body else { return None };
    let ([Expr::Sequence(left)], [Expr::Sequence(right)]) = (&*comparison.left, &*comparison.right) else {
        return None;
    };
    let (Expr::Element(field, one), Expr::Element(same, other)) = (&**left, &**right) else { return None };
    let ([Expr::Variable(one)], [Expr::Variable(other)]) = (&one[..], &other[..]) else { return None };
    let both = (*one, *other) == (outer.variable, inner.variable) || (*other, *one) == (outer.variable, inner.variable);
    if comparison.sign != ComparisonOperator::NotEqual
        || field != same
        || !both
        || !covers_all_pairs(outer, inner, text_count_expr(scope, *field)?)
    {
        return None;
    }
    let over = distinct_texts_range(scope, *field)?;
    // If some are absent, the indices of `x[i]` and `distinct` differ.
    (!scope.format.may_be_absent(*field)).then_some((*field, over))
}

/// Returns the number of texts of a field: its first dimension, or the count of the repetition around it.
fn text_count_expr(scope: &NameScope, field: FieldId) -> Option<&Expr> {
    let info = scope.format.field(field);
    match &info.dimensions[..] {
        [FieldDimension::Size(rows), _] => Some(rows),
        [_] if scope.format.is_repeated_text(field) => match &scope.format.block(info.block).count {
            InstanceCount::Times(count) => Some(count),
            InstanceCount::Conditional(_) | InstanceCount::Alternative | InstanceCount::Until { .. } => None,
        },
        _ => None,
    }
}

/// Returns true if two quantifiers run through all pairs of numbers from 1 to `last`.
fn covers_all_pairs(outer: &QuantifiedFormula, inner: &QuantifiedFormula, last: &Expr) -> bool {
    let one = Expr::Constant(1);
    let beside = |operator, of: &Expr| Expr::Binary(operator, Box::new(of.clone()), Box::new(one.clone()));
    let variable = Expr::Variable(outer.variable);
    let is_last = |expr: &Expr| expr == last || *expr == beside(ArithmeticOperator::Subtract, last);
    let above = inner.range.0 == beside(ArithmeticOperator::Add, &variable)
        && inner.range.1 == *last
        && is_last(&outer.range.1);
    let below = inner.range.0 == one
        && inner.range.1 == beside(ArithmeticOperator::Subtract, &variable)
        && outer.range.1 == *last;
    let first = outer.range.0 == one || below && outer.range.0 == Expr::Constant(2);
    first && (above || below)
}
