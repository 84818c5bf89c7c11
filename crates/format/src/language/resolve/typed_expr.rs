//! Resolved expressions with the interpretation of their numbers, and the errors that several resolutions share.

use crate::language::MAX_NUMBER;
use crate::model::{ArithmeticOperator, Expr, FieldId};
use rebut_diagnostics::{Diagnostic, Span};

/// A resolved expression, and the interpretation of its numbers.
pub(super) struct TypedExpr {
    pub(super) expr: Expr,
    /// The numbers are multiplied by this power of ten.
    pub(super) decimals: u32,
    /// The field with the words that the numbers stand for.
    pub(super) word_field: Option<FieldId>,
}

impl TypedExpr {
    pub(super) fn from_integer(expr: Expr) -> TypedExpr {
        TypedExpr::from_number(expr, 0)
    }

    pub(super) fn from_number(expr: Expr, decimals: u32) -> TypedExpr {
        TypedExpr { expr, decimals, word_field: None }
    }
}

/// Scales the numbers of an expression to a larger power of ten.
pub(super) fn scale_to_decimals(typed: TypedExpr, decimals: u32, span: Span) -> Result<Expr, Diagnostic> {
    let Some(factor) = decimals.checked_sub(typed.decimals).and_then(|more| 10_i128.checked_pow(more)) else {
        return Err(Diagnostic::error(
            "bad-number",
            span,
            "this has more digits after the point than the value it is compared with",
        )
        .with_caret(format!("at most {decimals}")));
    };
    if factor == 1 {
        return Ok(typed.expr);
    }
    debug_assert!(typed.decimals < decimals, "a factor above 1 adds digits");
    match typed.expr {
        Expr::Constant(value) => match value.checked_mul(factor).filter(|v| v.abs() <= MAX_NUMBER) {
            Some(value) => Ok(Expr::Constant(value)),
            None => Err(Diagnostic::error("bad-number", span, "this number is too large")
                .with_caret("with the digits after the point, at most 36 digits")),
        },
        expr => Ok(Expr::from_operands(expr, ArithmeticOperator::Multiply, Expr::Constant(factor))),
    }
}

pub(super) fn different_blocks_error(span: Span) -> Diagnostic {
    Diagnostic::error("two-blocks", span, "these fields are in different blocks")
        .with_caret("no block has both")
        .with_help("combine the values of one side with `sum`, `min` or `max`")
}

pub(super) fn words_as_numbers_error(span: Span) -> Diagnostic {
    Diagnostic::error("words-as-numbers", span, "words cannot be used in arithmetic")
        .with_caret("this is a choice of words")
        .with_help("compare it with a word: `op = \"push\"`")
}

/// Reports that no alternative has all fields of a constraint.
pub(super) fn different_alternatives_error(span: Span) -> Diagnostic {
    Diagnostic::error("two-blocks", span, "these fields are in different alternatives")
        .with_caret("no alternative has all of them")
        .with_help("combine the values of one side with `sum`, `min` or `max`")
}
