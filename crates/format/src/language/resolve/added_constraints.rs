//! Adds constraints to a format, with their home blocks.

use super::comparisons::{WrittenComparison, resolve_comparison};
use super::expression_blocks::{array_dimensions, check_blocks_nest, deepest_block, is_array_expr};
use super::layout_blocks::for_each_alternative;
use super::name_scope::NameScope;
use super::typed_expr::different_blocks_error;
use crate::language::syntax::SyntaxTerm;
use crate::model::{
    BlockId, Class, ComparisonOperator, Constraint, ConstraintRule, Expr, FieldDimension, FoldKind, FoldRange, Formula,
};
use rebut_diagnostics::{Diagnostic, Span};

/// Adds a comparison, once for each alternative that has all its fields.
pub(super) fn push_comparison(scope: &mut NameScope, written: WrittenComparison) -> Result<(), Diagnostic> {
    let WrittenComparison { left, right, span, .. } = written;
    for_each_alternative(scope, &[left, right], span, &mut |scope| {
        let comparison = resolve_comparison(scope, written)?;
        let is_formula = comparison.all_operands().any(needs_formula);
        if is_formula && !comparison.all_operands().any(|e| is_array_expr(scope, e)) {
            return push_constraint(scope, Formula::Compare(comparison), span);
        }
        push_constraint(scope, comparison, span)
    })
}

/// Adds the bounds of a term: it is between two others.
pub(super) fn push_bounds(
    scope: &mut NameScope,
    term: &SyntaxTerm,
    range: &(SyntaxTerm, SyntaxTerm),
    span: Span,
) -> Result<(), Diagnostic> {
    let sign = ComparisonOperator::LessEqual;
    push_comparison(scope, WrittenComparison { left: &range.0, sign, right: term, span })?;
    push_comparison(scope, WrittenComparison { left: term, sign, right: &range.1, span })
}

/// Adds a constraint after checking that its fields have a common block and that its arrays have equal sizes.
pub(super) fn push_constraint(
    scope: &mut NameScope,
    rule: impl Into<ConstraintRule>,
    span: Span,
) -> Result<(), Diagnostic> {
    let rule: ConstraintRule = rule.into();
    let mut home = BlockId(0);
    let mut dimensions: Option<&[FieldDimension]> = None;
    for expr in rule.expressions() {
        check_blocks_nest(scope, expr, span)?;
        let block = deepest_block(scope, expr).unwrap_or(BlockId(0));
        if !scope.format.is_within(block, home) && !scope.format.is_within(home, block) {
            return Err(different_blocks_error(span));
        }
        home = home.max(block);
        for array in array_dimensions(scope, expr) {
            if *dimensions.get_or_insert(array) != array {
                return Err(Diagnostic::error("sizes-differ", span, "these arrays have different sizes")
                    .with_caret("an elementwise comparison needs equal sizes"));
            }
        }
    }
    if let Some(over) = rule.kind().range() {
        home = scope.format.holder_block(over).unwrap_or(home);
    }
    push_constraint_at(scope, rule, home, span)
}

pub(super) fn push_constraint_at(
    scope: &mut NameScope,
    rule: impl Into<ConstraintRule>,
    home: BlockId,
    span: Span,
) -> Result<(), Diagnostic> {
    let rule = rule.into();
    scope.format.constraints.push(Constraint { rule, home_block: home, span, class: Class::Residual });
    Ok(())
}

/// Returns true if an expression contains an element or a sequence, for which the ranges of whole fields mean nothing,
/// or a fold of elements that only the repair of formulas can move.
fn needs_formula(expr: &Expr) -> bool {
    expr.any_part(&|part| match part {
        // The ranges of numbers do not apply to sequences.
        Expr::Element(..) | Expr::Sequence(_) | Expr::TextLiteral(_) => Some(true),
        Expr::Fold(FoldKind::Gcd | FoldKind::Xor, FoldRange::Elements, _) => Some(true),
        Expr::Fold(fold, ..) if fold.is_relational() => Some(true),
        _ => None,
    })
}
