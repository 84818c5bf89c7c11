//! Resolution of folds of slices: `sum(a[1..i])`, `count(op[1..i-1], "push")`.

use super::expression_blocks::is_array_expr;
use super::expressions::{as_letter, build_element, resolve_expr, resolve_integer};
use super::name_scope::NameScope;
use super::typed_expr::{TypedExpr, scale_to_decimals, words_as_numbers_error};
use crate::language::syntax::{SyntaxTerm, SyntaxTermKind};
use crate::model::{Expr, SliceFold, SliceReduction};
use rebut_diagnostics::{Diagnostic, Span};

/// Returns the reduction with this name in formats.
pub(super) fn slice_reduction(name: &str) -> Option<SliceReduction> {
    match name {
        "sum" => Some(SliceReduction::Sum),
        "min" => Some(SliceReduction::Min),
        "max" => Some(SliceReduction::Max),
        "count" => Some(SliceReduction::Count),
        _ => None,
    }
}

/// Resolves a fold with a slice as its first argument.
pub(super) fn resolve_slice(
    scope: &NameScope,
    fold: SliceReduction,
    arguments: &[SyntaxTerm],
    span: Span,
) -> Result<TypedExpr, Diagnostic> {
    let (slice, value) = match (arguments, fold) {
        ([slice, value], SliceReduction::Count) => (slice, Some(value)),
        ([slice], SliceReduction::Sum | SliceReduction::Min | SliceReduction::Max) => (slice, None),
        _ => {
            return Err(Diagnostic::error("arguments", span, "a slice is folded by itself")
                .with_caret(format!("{} arguments given", arguments.len()))
                .with_help("sum(a[1..i]), count(a[1..i], 7)"));
        }
    };
    let each = resolve_each(scope, slice)?;
    let ends = slice_ends(scope, slice)?;
    let has_letters = contains_letters(scope, &each.expr);
    let wanted = value.map(|value| resolve_wanted(scope, &each, has_letters, value)).transpose()?;
    let decimals = if wanted.is_some() { 0 } else { each.decimals };
    if wanted.is_none() && each.word_field.is_some() {
        return Err(words_as_numbers_error(slice.span));
    }
    if wanted.is_none() && has_letters {
        return Err(Diagnostic::error("text-as-number", slice.span, "a text has no numbers to combine")
            .with_caret("these are letters")
            .with_help("count(s[1..i], 'x') counts a character"));
    }
    let fold = SliceFold { fold, variable: scope.variables.len(), range: ends, each: each.expr, wanted };
    Ok(TypedExpr { expr: Expr::Slice(Box::new(fold)), decimals, word_field: None })
}

/// Resolves the element of a slice, with the variable of the slice as its last index.
fn resolve_each(scope: &NameScope, slice: &SyntaxTerm) -> Result<TypedExpr, Diagnostic> {
    let SyntaxTermKind::Slice(name, indices, _) = &slice.kind else { return resolve_expr(scope, slice, None) };
    let element = build_element(scope, name, indices, Some(Expr::Variable(scope.variables.len())), slice.span)?;
    if is_array_expr(scope, &element.expr) {
        return Err(Diagnostic::error("slice", slice.span, "a slice consists of single values")
            .with_caret("each of these is a row or a text")
            .with_help("the range is the last index: `V[i][1..j]`"));
    }
    Ok(element)
}

fn slice_ends(scope: &NameScope, slice: &SyntaxTerm) -> Result<(Expr, Expr), Diagnostic> {
    let SyntaxTermKind::Slice(_, _, range) = &slice.kind else {
        return Ok((Expr::Constant(1), Expr::Constant(0)));
    };
    let end = |term: &SyntaxTerm| {
        let expr = resolve_integer(scope, term)?;
        if is_array_expr(scope, &expr) {
            return Err(Diagnostic::error("indices", term.span, "an index must be a single number")
                .with_caret("this stands for several"));
        }
        Ok(expr)
    };
    Ok((end(&range.0)?, end(&range.1)?))
}

/// Returns true if the elements are letters of a text.
fn contains_letters(scope: &NameScope, each: &Expr) -> bool {
    each.any_part(&|part| match part {
        Expr::Element(field, _) => Some(scope.format.field(*field).alphabet().is_some()),
        _ => None,
    })
}

/// Resolves the value to count.
fn resolve_wanted(
    scope: &NameScope,
    each: &TypedExpr,
    has_letters: bool,
    value: &SyntaxTerm,
) -> Result<Expr, Diagnostic> {
    let letter = as_letter(value).filter(|_| has_letters);
    let value = letter.as_ref().unwrap_or(value);
    if matches!(value.kind, SyntaxTermKind::Letter(_)) && !has_letters {
        return Err(Diagnostic::error("count-what", value.span, "this field has no letters to count")
            .with_caret("a letter, but the field is not a text")
            .with_help("write numbers without quotes, and words in double quotes"));
    }
    let typed = resolve_expr(scope, value, each.word_field)?;
    if typed.word_field.is_some() != each.word_field.is_some() {
        return Err(Diagnostic::error("count-what", value.span, "this is never one of the elements")
            .with_caret("words and numbers cannot be equal"));
    }
    if is_array_expr(scope, &typed.expr) {
        return Err(Diagnostic::error("count-what", value.span, "the value to count must be a single one")
            .with_caret("this stands for several"));
    }
    scale_to_decimals(typed, each.decimals, value.span)
}
