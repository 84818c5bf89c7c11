//! Resolution of texts, arrays and rows that are compared as a unit.

use super::Resolver;
use super::typed_expr::TypedExpr;
use crate::language::syntax::{SyntaxTerm, SyntaxTermKind};
use crate::model::{ComparisonOperator, Expr, FieldDimension, FieldId, FieldKind};
use rebut_diagnostics::{Diagnostic, Span};

impl Resolver<'_> {
    /// Resolves the two sides of a comparison of sequences: texts, and arrays in `whole(...)`. Returns `None` for
    /// other comparisons.
    pub(super) fn resolve_sequences(
        &self,
        left: &SyntaxTerm,
        right: &SyntaxTerm,
        sign: ComparisonOperator,
        span: Span,
    ) -> Result<Option<(TypedExpr, TypedExpr)>, Diagnostic> {
        let sides = match (self.resolve_sequence(left)?, self.resolve_sequence(right)?) {
            (None, None) => return Ok(None),
            (Some(left), Some(right)) => (left, right),
            (Some(whole), None) => match self.text_literal_for(&whole, right) {
                Some(letters) => (whole, letters),
                None => return self.sequence_mismatch_error(left, right),
            },
            (None, Some(whole)) => match self.text_literal_for(&whole, left) {
                Some(letters) => (letters, whole),
                None => return self.sequence_mismatch_error(right, left),
            },
        };
        self.check_same_words(&sides, sign, span)?;
        match (self.sequence_kind(&sides.0), self.sequence_kind(&sides.1)) {
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
    fn resolve_sequence(&self, term: &SyntaxTerm) -> Result<Option<TypedExpr>, Diagnostic> {
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
        let typed = self.resolve_expr(inner, None)?;
        let asked = !std::ptr::eq(inner, term);
        let rank = self.field_part(&typed.expr).map_or(0, |(_, dimensions)| dimensions.len());
        let text = self.field_part(&typed.expr).is_some_and(|(f, _)| self.format.field(f).alphabet().is_some());
        match (asked, rank) {
            (true, 0) => Err(Diagnostic::error("whole-what", inner.span, "`whole` needs a text, an array or a row")
                .with_caret("this is a single value")),
            (true, _) => Ok(Some(TypedExpr { expr: Expr::Sequence(Box::new(typed.expr)), ..typed })),
            (false, 1) if text => Ok(Some(TypedExpr { expr: Expr::Sequence(Box::new(typed.expr)), ..typed })),
            (false, _) => Ok(None),
        }
    }

    /// Returns the field of an expression and the dimensions that remain after indexing.
    fn field_part<'e>(&'e self, expr: &Expr) -> Option<(FieldId, &'e [FieldDimension])> {
        let (field, skipped) = match expr {
            Expr::Field(field) => (*field, 0),
            Expr::Element(field, indices) => (*field, self.format.indexed_dimensions(*field, indices)),
            _ => return None,
        };
        Some((field, self.format.field(field).dimensions.get(skipped..).unwrap_or_default()))
    }

    /// Resolves a text literal that is compared with a text.
    fn text_literal_for(&self, whole: &TypedExpr, term: &SyntaxTerm) -> Option<TypedExpr> {
        let SyntaxTermKind::Text(text) = &term.kind else { return None };
        matches!(self.sequence_kind(whole)?, SequenceKind::Letters(1)).then(|| TypedExpr {
            expr: Expr::TextLiteral(text.clone()),
            decimals: 0,
            word_field: None,
        })
    }

    /// Reports that a sequence is compared with something else: an error for `whole(...)`, while texts are tried as
    /// letters or words.
    fn sequence_mismatch_error(
        &self,
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
                match self.lookup_field(name).filter(|field| self.format.is_repeated_text(*field)) {
                    Some(field) => Err(self.not_a_letter_error(field, whole.span)),
                    None => Ok(None),
                }
            }
            _ => Ok(None),
        }
    }

    fn sequence_kind(&self, typed: &TypedExpr) -> Option<SequenceKind> {
        let Expr::Sequence(inner) = &typed.expr else { return None };
        let (field, dimensions) = self.field_part(inner)?;
        Some(match self.format.field(field).kind {
            FieldKind::Text(_) => SequenceKind::Letters(dimensions.len()),
            FieldKind::Words(_) => SequenceKind::Words(dimensions.len()),
            FieldKind::Number | FieldKind::Real(_) => SequenceKind::Numbers(dimensions.len(), typed.decimals),
        })
    }
}

/// The element type of a sequence, and its number of dimensions.
enum SequenceKind {
    Letters(usize),
    Words(usize),
    /// Numbers, with the number of digits after the decimal point.
    Numbers(usize, u32),
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
