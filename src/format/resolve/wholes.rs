//! Texts, arrays and rows that are compared as one thing.

use super::Resolver;
use super::exprs::Typed;
use crate::diagnostic::{Diagnostic, Span};
use crate::format::expr::{Expr, Sign};
use crate::format::model::{Dimension, FieldId, Kind};
use crate::format::syntax::{Term, TermKind};

impl Resolver<'_> {
    /// The two sides of a comparison, if it is one of wholes: a text always is one, an array where that is said.
    pub(super) fn wholes(
        &self,
        left: &Term,
        right: &Term,
        sign: Sign,
        span: Span,
    ) -> Result<Option<(Typed, Typed)>, Diagnostic> {
        let sides = match (self.whole_side(left)?, self.whole_side(right)?) {
            (None, None) => return Ok(None),
            (Some(left), Some(right)) => (left, right),
            (Some(whole), None) => match self.letters_for(&whole, right) {
                Some(letters) => (whole, letters),
                None => return self.not_whole(left, right),
            },
            (None, Some(whole)) => match self.letters_for(&whole, left) {
                Some(letters) => (letters, whole),
                None => return self.not_whole(right, left),
            },
        };
        self.same_words(&sides, sign, span)?;
        match (self.made_of(&sides.0), self.made_of(&sides.1)) {
            (Some(left), Some(right)) if !left.goes_with(&right) => Err(Diagnostic::error(
                "whole-what",
                span,
                "these two cannot be compared as wholes",
            )
            .caret(format!("{} compared with {}", left.text(), right.text()))),
            _ => Ok(Some(sides)),
        }
    }

    /// A term as a whole: `s`, `words[i]`, `whole(a)`, `whole(V[i])`.
    fn whole_side(&self, term: &Term) -> Result<Option<Typed>, Diagnostic> {
        let inner = match &term.kind {
            TermKind::Call(name, arguments) if name == "whole" => match &**arguments {
                [one] => one,
                _ => {
                    return Err(Diagnostic::error("arguments", term.span, "`whole` takes one argument")
                        .caret(format!("{} given", arguments.len())));
                }
            },
            TermKind::Name(_) | TermKind::Element(..) => term,
            _ => return Ok(None),
        };
        let typed = self.typed(inner, None)?;
        let asked = !std::ptr::eq(inner, term);
        let rank = self.part_of(&typed.expr).map_or(0, |(_, dimensions)| dimensions.len());
        let text = self.part_of(&typed.expr).is_some_and(|(f, _)| self.format.field(f).letters().is_some());
        match (asked, rank) {
            (true, 0) => Err(Diagnostic::error("whole-what", inner.span, "only what is made of many is a whole")
                .caret("expected a text, an array or one row")),
            (true, _) => Ok(Some(Typed { expr: Expr::Whole(Box::new(typed.expr)), ..typed })),
            (false, 1) if text => Ok(Some(Typed { expr: Expr::Whole(Box::new(typed.expr)), ..typed })),
            (false, _) => Ok(None),
        }
    }

    /// The field that an expression is part of, and the dimensions that the part has.
    fn part_of<'e>(&'e self, expr: &Expr) -> Option<(FieldId, &'e [Dimension])> {
        let (field, skipped) = match expr {
            Expr::Field(field) => (*field, 0),
            Expr::Element(field, indices) => (*field, self.format.indexed_dimensions(*field, indices)),
            _ => return None,
        };
        Some((field, self.format.field(field).dimensions.get(skipped..).unwrap_or_default()))
    }

    /// A text in the format that a whole text is compared with.
    fn letters_for(&self, whole: &Typed, term: &Term) -> Option<Typed> {
        let TermKind::Text(text) = &term.kind else { return None };
        matches!(self.made_of(whole)?, Made::Letters(1)).then(|| Typed {
            expr: Expr::Letters(text.clone()),
            decimals: 0,
            words: None,
        })
    }

    /// Why a whole is not compared with something else: a text as before, an array because it was asked for.
    fn not_whole(&self, whole: &Term, other: &Term) -> Result<Option<(Typed, Typed)>, Diagnostic> {
        match &whole.kind {
            TermKind::Call(..) => Err(Diagnostic::error("whole-what", other.span, "a whole is compared with a whole")
                .caret("this is none")
                .help("whole(a) != whole(b)")),
            TermKind::Element(name, _) if matches!(other.kind, TermKind::Letter(_)) => {
                match self.lookup(name).filter(|field| self.format.is_repeated_text(*field)) {
                    Some(field) => Err(self.not_a_letter(field, whole.span)),
                    None => Ok(None),
                }
            }
            _ => Ok(None),
        }
    }

    fn made_of(&self, typed: &Typed) -> Option<Made> {
        let Expr::Whole(inner) = &typed.expr else { return None };
        let (field, dimensions) = self.part_of(inner)?;
        Some(match self.format.field(field).kind {
            Kind::Text(_) => Made::Letters(dimensions.len()),
            Kind::Words(_) => Made::Words(dimensions.len()),
            Kind::Number | Kind::Real(_) => Made::Numbers(dimensions.len(), typed.decimals),
        })
    }
}

/// What a whole is made of, and in how many dimensions.
enum Made {
    Letters(usize),
    Words(usize),
    /// Numbers with so many digits after the point.
    Numbers(usize, u32),
}

impl Made {
    fn goes_with(&self, other: &Made) -> bool {
        match (self, other) {
            (Made::Letters(a), Made::Letters(b)) | (Made::Words(a), Made::Words(b)) => a == b,
            (Made::Numbers(a, left), Made::Numbers(b, right)) => a == b && left == right,
            _ => false,
        }
    }

    fn text(&self) -> String {
        match self {
            Made::Letters(rank) => format!("letters in {}", dimensions(*rank)),
            Made::Words(rank) => format!("words in {}", dimensions(*rank)),
            Made::Numbers(rank, 0) => format!("whole numbers in {}", dimensions(*rank)),
            Made::Numbers(rank, decimals) => format!("numbers with {decimals} decimals in {}", dimensions(*rank)),
        }
    }
}

fn dimensions(rank: usize) -> String {
    if rank == 1 { "one dimension".to_owned() } else { format!("{rank} dimensions") }
}
