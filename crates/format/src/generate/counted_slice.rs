//! Formulas about how often each value occurs: `forall v in 1..k: count(a[1..n], v) >= 1`.

use crate::language::{ComparisonOperator, Expr, FieldId, Formula, QuantifiedFormula, SliceFold};

/// What a formula counts: the occurrences of each value of a range in the elements of one slice.
pub(super) struct CountedSlice<'f> {
    pub(super) slice: &'f SliceFold,
    pub(super) field: FieldId,
    pub(super) indices: &'f [Expr],
    /// How each number of occurrences compares with an expression.
    pub(super) limits: Vec<(ComparisonOperator, &'f Expr)>,
}

impl<'f> CountedSlice<'f> {
    /// Recognizes a formula that compares nothing but counts of its own variable in one slice.
    pub(super) fn match_formula(quantified: &'f QuantifiedFormula) -> Option<Self> {
        let parts = match &quantified.body {
            Formula::All(parts) => parts,
            single => std::slice::from_ref(single),
        };
        // Most formulas are of another kind, and their first part shows it: this runs at each step of a loop around them.
        let limits = parts.iter().map(|part| split_count(part, quantified.variable)).collect::<Option<Vec<_>>>()?;
        let slice = limits.first()?.0;
        let Expr::Element(field, indices) = &slice.each else { return None };
        let is_same = limits.iter().all(|(other, ..)| other.range == slice.range && other.each == slice.each);
        let is_fixed =
            ![&slice.range.0, &slice.range.1, &slice.each].iter().any(|e| has_variable(e, quantified.variable));
        let is_bounded = limits.iter().all(|(.., limit)| !limit.mentions_field(*field));
        let limits = limits.into_iter().map(|(_, sign, limit)| (sign, limit)).collect();
        (is_same && is_fixed && is_bounded).then_some(CountedSlice { slice, field: *field, indices, limits })
    }
}

/// Returns the array in which a formula limits how often each value occurs.
pub(super) fn counted_field(formula: &Formula) -> Option<FieldId> {
    match formula {
        Formula::ForAll(quantified) => CountedSlice::match_formula(quantified).map(|counted| counted.field),
        _ => None,
    }
}

/// Splits a comparison into a slice in which the variable is counted, and what the count is compared with.
fn split_count(formula: &Formula, variable: usize) -> Option<(&SliceFold, ComparisonOperator, &Expr)> {
    let Formula::Compare(comparison) = formula else { return None };
    let sliced = comparison.find_operand(|side| if let Expr::Slice(slice) = side { Some(&**slice) } else { None });
    sliced.filter(|(slice, sign, _)| {
        slice.wanted() == Some(&Expr::Variable(variable)) && *sign != ComparisonOperator::NotEqual
    })
}

fn has_variable(expr: &Expr, variable: usize) -> bool {
    expr.any_part(&|part| (*part == Expr::Variable(variable)).then_some(true))
}
