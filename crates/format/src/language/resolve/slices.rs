//! Folds of slices in formats: `sum(a[1..i])`, `count(op[1..i-1], "push")`.

use super::expression_blocks::is_array_expr;
use super::name_scope::NameScope;
use super::predicates::fold_named;
use super::typed_expr::{TypedExpr, scale_to_decimals, words_as_numbers_error};
use crate::language::syntax::{SyntaxRange, SyntaxTerm, SyntaxTermKind};
use crate::model::{Expr, FoldKind, SliceFold, SliceReduction};
use rebut_diagnostics::{Diagnostic, Span};

/// The parts of a fold of a slice in the text.
pub(super) struct SliceCall<'t> {
    pub(super) reduction: CalledReduction<'t>,
    pub(super) name: &'t str,
    /// The indices before and after the range.
    pub(super) indices: (&'t [SyntaxTerm], &'t [SyntaxTerm]),
    pub(super) range: &'t SyntaxRange,
    /// Location of the slice.
    pub(super) span: Span,
}

/// A reduction in the text.
#[derive(Clone, Copy)]
pub(super) enum CalledReduction<'t> {
    Fold(FoldKind),
    /// Counts a value.
    Count(&'t SyntaxTerm),
}

/// Returns the parts of a call of a function, if its first argument is a slice that it folds.
///
/// # Errors
/// Returns an error if the number of arguments is wrong.
pub(super) fn match_slice_call<'t>(
    function: &str,
    arguments: &'t [SyntaxTerm],
    span: Span,
) -> Result<Option<SliceCall<'t>>, Diagnostic> {
    let Some(SyntaxTermKind::Slice(name, before, range, after)) = arguments.first().map(|term| &term.kind) else {
        return Ok(None);
    };
    let folds_slices =
        |fold: &FoldKind| matches!(fold, FoldKind::Sum | FoldKind::Min | FoldKind::Max | FoldKind::Distinct);
    let fold = fold_named(function).filter(folds_slices);
    if fold.is_none() && function != "count" {
        return Ok(None);
    }
    let (slice, reduction) = match (fold, arguments) {
        (Some(fold), [slice]) => (slice, CalledReduction::Fold(fold)),
        (None, [slice, wanted]) => (slice, CalledReduction::Count(wanted)),
        _ => {
            return Err(Diagnostic::error("arguments", span, "a slice is folded by itself")
                .with_caret(format!("{} given", arguments.len()))
                .with_help("sum(a[1..i]), count(a[1..i], 7)"));
        }
    };
    Ok(Some(SliceCall { reduction, name, indices: (before, after), range, span: slice.span }))
}

/// Reports a slice that is not folded.
pub(super) fn unfolded_slice_error(name: &str, span: Span) -> Diagnostic {
    Diagnostic::error("slice", span, "several elements are not a number")
        .with_caret("expected one index, or `sum`, `min`, `max` or `count` around it")
        .with_help(format!("sum({name}[1..3])"))
}

/// Checks the element of a slice, and returns true if it is a letter.
pub(super) fn check_slice_element(
    scope: &NameScope,
    call: &SliceCall<'_>,
    each: &TypedExpr,
) -> Result<bool, Diagnostic> {
    if is_array_expr(scope, &each.expr) {
        return Err(Diagnostic::error("slice", call.span, "a slice consists of single values")
            .with_caret("each of these is a row or a text")
            .with_help("give all other indices: `V[i][1..j]`, `V[1..i][j]`"));
    }
    let is_letter = each.expr.any_part(&|part| match part {
        Expr::Element(field, _) => Some(scope.format.field(*field).alphabet().is_some()),
        _ => None,
    });
    match call.reduction {
        CalledReduction::Fold(FoldKind::Distinct) => Ok(is_letter),
        CalledReduction::Fold(_) if each.word_field.is_some() => Err(words_as_numbers_error(call.span)),
        CalledReduction::Fold(_) if is_letter => {
            Err(Diagnostic::error("text-as-number", call.span, "a text has no numbers to combine")
                .with_caret("these are letters")
                .with_help("count(s[1..i], 'x') counts a character"))
        }
        CalledReduction::Count(wanted) if matches!(wanted.kind, SyntaxTermKind::Letter(_)) && !is_letter => {
            Err(Diagnostic::error("count-what", wanted.span, "this field has no letters to count")
                .with_caret("a letter, but the field is not a text")
                .with_help("write numbers without quotes, and words in double quotes"))
        }
        _ => Ok(is_letter),
    }
}

/// Returns the value to count as a number of the same decimals as the elements.
pub(super) fn check_wanted_value(
    scope: &NameScope,
    each: &TypedExpr,
    wanted: TypedExpr,
    span: Span,
) -> Result<Expr, Diagnostic> {
    if wanted.word_field.is_some() != each.word_field.is_some() {
        return Err(Diagnostic::error("count-what", span, "this is never one of the elements")
            .with_caret("words and numbers cannot be equal"));
    }
    check_single(scope, &wanted.expr, span)?;
    scale_to_decimals(wanted, each.decimals, span)
}

/// Returns an error if an expression stands for several numbers.
pub(super) fn check_single(scope: &NameScope, expr: &Expr, span: Span) -> Result<(), Diagnostic> {
    match is_array_expr(scope, expr) {
        true => Err(Diagnostic::error("indices", span, "a single number is required here")
            .with_caret("this stands for several")),
        false => Ok(()),
    }
}

pub(super) fn build_slice(
    scope: &NameScope,
    reduction: SliceReduction,
    range: (Expr, Expr),
    each: TypedExpr,
) -> TypedExpr {
    let is_count = matches!(reduction, SliceReduction::Count(_) | SliceReduction::Fold(FoldKind::Distinct));
    let decimals = if is_count { 0 } else { each.decimals };
    let slice = SliceFold { reduction, variable: scope.variables.len(), range, each: each.expr };
    TypedExpr::from_number(Expr::Slice(Box::new(slice)), decimals)
}
