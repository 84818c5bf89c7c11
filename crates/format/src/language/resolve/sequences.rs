//! Resolution of texts, arrays and rows that are compared as a unit.

use super::expressions::{check_same_words, not_a_letter_error, resolve_expr};
use super::name_scope::{NameScope, lookup_field};
use super::typed_expr::TypedExpr;
use crate::language::syntax::{SyntaxTerm, SyntaxTermKind};
use crate::model::{ComparisonOperator, Expr, FieldDimension, FieldId, FieldKind};
use rebut_diagnostics::{Diagnostic, Span};

/// The element type of a sequence, and its number of dimensions.
enum SequenceKind {
    Letters(usize),
    Words(usize),
    /// Numbers, with the number of digits after the decimal point.
    Numbers(usize, u32),
}

/// Resolves the two sides of a comparison of sequences: texts, and arrays in `whole(...)`. Returns `None` for
/// other comparisons.
pub(super) fn resolve_sequences(
    scope: &NameScope,
    left: &SyntaxTerm,
    right: &SyntaxTerm,
    sign: ComparisonOperator,
    span: Span,
) -> Result<Option<(TypedExpr, TypedExpr)>, Diagnostic> {
    let sides = match (resolve_sequence(scope, left)?, resolve_sequence(scope, right)?) {
        (None, None) => return Ok(None),
        (Some(left), Some(right)) => (left, right),
        (Some(whole), None) => match text_literal_for(scope, &whole, right) {
            Some(letters) => (whole, letters),
            None => return sequence_mismatch_error(scope, left, right),
        },
        (None, Some(whole)) => match text_literal_for(scope, &whole, left) {
            Some(letters) => (letters, whole),
            None => return sequence_mismatch_error(scope, right, left),
        },
    };
    check_same_words(scope, &sides, sign, span)?;
    match (sequence_kind(scope, &sides.0), sequence_kind(scope, &sides.1)) {
        (Some(left), Some(right)) if !left.is_comparable_with(&right) => Err(Diagnostic::error(
            "whole-what",
            span,
            "these two cannot be compared",
        )
        .with_caret(format!("{} compared with {}", left.display_text(), right.display_text()))),
        _ => Ok(Some(sides)),
    }
}

/// Resolves a term as a sequence: `s`, `words[i]`, `whole(a)`, `whole(V[i])`.
fn resolve_sequence(scope: &NameScope, term: &SyntaxTerm) -> Result<Option<TypedExpr>, Diagnostic> {
    let inner = match &term.kind {
        SyntaxTermKind::Call(name, arguments) if name == "whole" => match &**arguments {
            [one] => one,
            _ => {
                return Err(Diagnostic::error("arguments", term.span, "`whole` takes one argument")
                    .with_caret(format!("{} given", arguments.len())));
            }
        },
        SyntaxTermKind::Name(_) | SyntaxTermKind::Element(..) => term,
        _ => return Ok(None),
    };
    let typed = resolve_expr(scope, inner, None)?;
    let asked = !std::ptr::eq(inner, term);
    let rank = field_part(scope, &typed.expr).map_or(0, |(_, dimensions)| dimensions.len());
    let text = field_part(scope, &typed.expr).is_some_and(|(f, _)| scope.format.field(f).alphabet().is_some());
    match (asked, rank) {
        (true, 0) => Err(Diagnostic::error("whole-what", inner.span, "`whole` needs a text, an array or a row")
            .with_caret("this is a single value")),
        (true, _) => Ok(Some(TypedExpr { expr: Expr::Sequence(Box::new(typed.expr)), ..typed })),
        (false, 1) if text => Ok(Some(TypedExpr { expr: Expr::Sequence(Box::new(typed.expr)), ..typed })),
        (false, _) => Ok(None),
    }
}

/// Returns the field of an expression and the dimensions that remain after indexing.
fn field_part<'e>(scope: &'e NameScope, expr: &Expr) -> Option<(FieldId, &'e [FieldDimension])> {
    let (field, skipped) = match expr {
        Expr::Field(field) => (*field, 0),
        Expr::Element(field, indices) => (*field, scope.format.indexed_dimensions(*field, indices)),
        _ => return None,
    };
    Some((field, scope.format.field(field).dimensions.get(skipped..).unwrap_or_default()))
}

/// Resolves a text literal that is compared with a text.
fn text_literal_for(scope: &NameScope, whole: &TypedExpr, term: &SyntaxTerm) -> Option<TypedExpr> {
    let SyntaxTermKind::Text(text) = &term.kind else { return None };
    matches!(sequence_kind(scope, whole)?, SequenceKind::Letters(1))
        .then(|| TypedExpr::from_integer(Expr::TextLiteral(text.clone())))
}

/// Reports that a sequence is compared with something else: an error for `whole(...)`, while texts are tried as
/// letters or words.
fn sequence_mismatch_error(
    scope: &NameScope,
    whole: &SyntaxTerm,
    other: &SyntaxTerm,
) -> Result<Option<(TypedExpr, TypedExpr)>, Diagnostic> {
    match &whole.kind {
        SyntaxTermKind::Call(..) => {
            Err(Diagnostic::error("whole-what", other.span, "`whole` can only be compared with another `whole`")
                .with_caret("this is something else")
                .with_help("whole(a) != whole(b)"))
        }
        SyntaxTermKind::Element(name, _) if matches!(other.kind, SyntaxTermKind::Letter(_)) => {
            match lookup_field(scope, name).filter(|field| scope.format.is_repeated_text(*field)) {
                Some(field) => Err(not_a_letter_error(scope, field, whole.span)),
                None => Ok(None),
            }
        }
        _ => Ok(None),
    }
}

fn sequence_kind(scope: &NameScope, typed: &TypedExpr) -> Option<SequenceKind> {
    let Expr::Sequence(inner) = &typed.expr else { return None };
    let (field, dimensions) = field_part(scope, inner)?;
    Some(match scope.format.field(field).kind {
        FieldKind::Text(_) => SequenceKind::Letters(dimensions.len()),
        FieldKind::Words(_) => SequenceKind::Words(dimensions.len()),
        FieldKind::Number | FieldKind::Real(_) => SequenceKind::Numbers(dimensions.len(), typed.decimals),
    })
}

impl SequenceKind {
    fn is_comparable_with(&self, other: &SequenceKind) -> bool {
        match (self, other) {
            (SequenceKind::Letters(a), SequenceKind::Letters(b)) | (SequenceKind::Words(a), SequenceKind::Words(b)) => {
                a == b
            }
            (SequenceKind::Numbers(a, left), SequenceKind::Numbers(b, right)) => a == b && left == right,
            _ => false,
        }
    }

    fn display_text(&self) -> String {
        match self {
            SequenceKind::Letters(rank) => format!("letters in {}", dimensions_text(*rank)),
            SequenceKind::Words(rank) => format!("words in {}", dimensions_text(*rank)),
            SequenceKind::Numbers(rank, 0) => format!("whole numbers in {}", dimensions_text(*rank)),
            SequenceKind::Numbers(rank, decimals) => {
                format!("numbers with {decimals} decimals in {}", dimensions_text(*rank))
            }
        }
    }
}

fn dimensions_text(rank: usize) -> String {
    if rank == 1 { "one dimension".to_owned() } else { format!("{rank} dimensions") }
}
