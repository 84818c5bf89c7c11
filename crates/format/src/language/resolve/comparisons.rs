//! Resolution of comparisons of numbers, words, tuples and sequences.

use super::expression_blocks::is_array_expr;
use super::expressions::{as_letter, check_same_words, resolve_expr};
use super::name_scope::{NameScope, lookup_field};
use super::sequences::resolve_sequences;
use super::typed_expr::{TypedExpr, scale_to_decimals};
use crate::language::syntax::{ComparisonChain, SyntaxTerm, SyntaxTermKind};
use crate::model::{Comparison, ComparisonOperator, Expr, FieldId};
use rebut_diagnostics::{Diagnostic, Span};

/// Resolves a comparison of numbers or of tuples.
pub(super) fn resolve_comparison(
    scope: &NameScope,
    left: &SyntaxTerm,
    sign: &str,
    right: &SyntaxTerm,
    span: Span,
) -> Result<Comparison, Diagnostic> {
    let sign = parse_operator(sign);
    let (left, right) = (tuple_parts(left), tuple_parts(right));
    if left.len() != right.len() {
        return Err(Diagnostic::error("tuple-length", span, "the two sides have different numbers of parts")
            .with_caret(format!("{} compared with {}", left.len(), right.len())));
    }
    let mut sides: Vec<(TypedExpr, TypedExpr)> = Vec::new();
    for (l, r) in left.iter().zip(right) {
        let (left_letter, right_letter) = (as_compared_letter(scope, r, l), as_compared_letter(scope, l, r));
        let (l, r) = (left_letter.as_ref().unwrap_or(l), right_letter.as_ref().unwrap_or(r));
        let vocabulary = word_field_of(scope, l).or_else(|| word_field_of(scope, r));
        let pair = match resolve_sequences(scope, l, r, sign, span)? {
            Some(_) if left.len() > 1 => return Err(sequence_in_tuple_error(span)),
            Some(pair) => pair,
            None => (resolve_side(scope, l, vocabulary)?, resolve_side(scope, r, vocabulary)?),
        };
        check_same_words(scope, &pair, sign, span)?;
        sides.push(pair);
    }
    if sides.len() > 1 && sides.iter().any(|(l, r)| is_array_expr(scope, &l.expr) || is_array_expr(scope, &r.expr)) {
        return Err(Diagnostic::error("tuple", span, "a tuple consists of single numbers")
            .with_caret("this array stands for several numbers")
            .with_help("to require distinct pairs: distinct((x, y))"));
    }
    if sides.len() > 1 && !matches!(sign, ComparisonOperator::Equal | ComparisonOperator::NotEqual) {
        return Err(Diagnostic::error("tuple", span, "tuples can only be compared with `=` and `!=`")
            .with_caret("this operator compares numbers"));
    }
    let decimals = sides.iter().map(|(l, r)| l.decimals.max(r.decimals)).max().unwrap_or(0);
    let mut comparison = Comparison { left: Vec::new(), sign, right: Vec::new(), decimals };
    for (l, r) in sides {
        comparison.left.push(scale_to_decimals(l, decimals, span)?);
        comparison.right.push(scale_to_decimals(r, decimals, span)?);
    }
    Ok(comparison)
}

/// Returns a one-character text as a letter if it is compared with a letter: `s[i] = "x"` means `s[i] = 'x'`.
fn as_compared_letter(scope: &NameScope, element: &SyntaxTerm, text: &SyntaxTerm) -> Option<SyntaxTerm> {
    let SyntaxTermKind::Element(name, indices) = &element.kind else { return None };
    let field = lookup_field(scope, name)?;
    let info = scope.format.field(field);
    let picked = indices.len() - usize::from(scope.format.is_repeated_text(field)).min(indices.len());
    info.alphabet().filter(|_| picked >= info.dimensions.len())?;
    as_letter(text)
}

/// Returns the field that gives the meaning of a term's words.
fn word_field_of(scope: &NameScope, term: &SyntaxTerm) -> Option<FieldId> {
    let (SyntaxTermKind::Name(name) | SyntaxTermKind::Element(name, _)) = &term.kind else { return None };
    lookup_field(scope, name).filter(|f| scope.format.field(*f).word_choices().is_some())
}

fn resolve_side(scope: &NameScope, part: &SyntaxTerm, vocabulary: Option<FieldId>) -> Result<TypedExpr, Diagnostic> {
    let typed = resolve_expr(scope, part, vocabulary)?;
    match &typed.expr {
        Expr::Field(f) if scope.format.field(*f).alphabet().is_some() => {
            Err(Diagnostic::error("text-as-number", part.span, "a text is not a number")
                .with_caret("this is a text")
                .with_help(
                    "compare it with a text, or use its length, `len(s)`, or the count of a letter, `count(s, 'x')`",
                ))
        }
        _ => Ok(typed),
    }
}

/// Returns one comparison per pair of terms for each neighbouring pair of lists, with the span for errors.
pub(super) fn comparison_pairs(chain: &ComparisonChain) -> Vec<(&SyntaxTerm, &'static str, &SyntaxTerm, Span)> {
    let mut found = Vec::new();
    for (pair, (sign, _)) in chain.lists.windows(2).zip(&chain.signs) {
        for left in &pair[0] {
            for right in &pair[1] {
                let span = if chain.lists.len() == 2 { chain.span } else { left.span.to(right.span) };
                found.push((left, *sign, right, span));
            }
        }
    }
    found
}

fn sequence_in_tuple_error(span: Span) -> Diagnostic {
    Diagnostic::error("tuple", span, "a tuple consists of single numbers")
        .with_caret("compare a whole text or array by itself")
}

/// Returns the parts of a tuple, or the term itself if it is not a tuple.
pub(super) fn tuple_parts(term: &SyntaxTerm) -> &[SyntaxTerm] {
    match &term.kind {
        SyntaxTermKind::Tuple(parts) => parts,
        _ => std::slice::from_ref(term),
    }
}

fn parse_operator(sign: &str) -> ComparisonOperator {
    match sign {
        "<" => ComparisonOperator::Less,
        "<=" => ComparisonOperator::LessEqual,
        ">" => ComparisonOperator::Greater,
        ">=" => ComparisonOperator::GreaterEqual,
        "=" => ComparisonOperator::Equal,
        _ => ComparisonOperator::NotEqual,
    }
}
