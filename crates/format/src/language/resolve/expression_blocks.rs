//! The blocks and the dimensions of the fields of an expression.

use super::name_scope::NameScope;
use super::typed_expr::different_blocks_error;
use crate::model::{BlockId, Expr, FieldDimension, FieldId, FoldRange};
use rebut_diagnostics::{Diagnostic, Span};

/// Returns true if the expression stands for several numbers.
pub(super) fn is_array_expr(scope: &NameScope, expr: &Expr) -> bool {
    !array_dimensions(scope, expr).is_empty()
}

/// Returns the dimensions of each array in the expression that is not folded.
pub(super) fn array_dimensions<'s>(scope: &'s NameScope, expr: &Expr) -> Vec<&'s [FieldDimension]> {
    let mut found = Vec::new();
    expr.visit_parts(&mut |part| {
        let dimensions = match part {
            Expr::Field(f) => &scope.format.field(*f).dimensions[..],
            Expr::Length(f) => scope.format.field(*f).dimensions.split_last().map_or(&[][..], |(_, outer)| outer),
            Expr::Element(f, indices) => {
                let picked = scope.format.indexed_dimensions(*f, indices);
                scope.format.field(*f).dimensions.get(picked..).unwrap_or_default()
            }
            _ => &[],
        };
        found.extend(Some(dimensions).filter(|d| !d.is_empty()));
        matches!(part, Expr::Negate(_) | Expr::Call(..) | Expr::Binary(..))
    });
    found
}

/// Checks that the fields of an expression have a common block: their blocks are nested in each other.
pub(super) fn check_blocks_nest(scope: &NameScope, expr: &Expr, span: Span) -> Result<(), Diagnostic> {
    let is_unrelated = |part: &Expr| {
        let Some(deepest) = deepest_block(scope, part) else { return false };
        let mut unrelated = false;
        part.visit_fields(&mut |f| {
            let block = scope.format.field(f).block;
            unrelated |= !scope.format.is_within(deepest, block) && !scope.format.is_within(block, deepest);
        });
        unrelated
    };
    let unrelated = expr.any_part(&|part| match part {
        _ if is_unrelated(part) => Some(true),
        Expr::Binary(..) => None,
        _ => Some(false),
    });
    if unrelated { Err(different_blocks_error(span)) } else { Ok(()) }
}

/// Returns the innermost block of the expression's fields, without folded ones.
pub(super) fn deepest_block(scope: &NameScope, expr: &Expr) -> Option<BlockId> {
    let mut deepest = None;
    expr.visit_parts(&mut |part| {
        let block = match part {
            Expr::Field(f) | Expr::Length(f) => Some(scope.format.field(*f).block),
            Expr::Element(f, indices) => {
                let block = scope.format.field(*f).block;
                match scope.format.indexes_repetitions(*f, indices) {
                    true => scope.format.repetition_of(block).and_then(|block| scope.format.block(block).parent),
                    false => Some(block),
                }
            }
            Expr::Fold(_, over, _) => scope.format.holder_block(*over),
            _ => None,
        };
        deepest = deepest.max(block);
        !matches!(part, Expr::Fold(_, FoldRange::Instances(_) | FoldRange::Occurrences(_), _))
    });
    deepest
}

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
