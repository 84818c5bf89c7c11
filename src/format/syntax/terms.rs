//! Expressions.

use super::cursor::Cursor;
use super::{KEYWORDS, Term, TermKind};
use crate::diagnostic::{Diagnostic, Span};
use crate::format::token::{Kind, Token};

/// A sum of products of powers, as a statement writes it.
pub(super) fn expression(cursor: &mut Cursor) -> Result<Term, Diagnostic> {
    cursor.enter()?;
    let result = binary(cursor, &["+", "-"], |c| binary(c, &["*", "/", "%"], signed));
    cursor.leave();
    result
}

fn binary(
    cursor: &mut Cursor,
    signs: &[&'static str],
    operand: impl Fn(&mut Cursor) -> Result<Term, Diagnostic>,
) -> Result<Term, Diagnostic> {
    let mut left = operand(cursor)?;
    let mut terms = 1;
    while let Some(sign) = signs.iter().find(|sign| cursor.peek_is(sign)) {
        cursor.next();
        terms += 1;
        if terms > MOST_TERMS {
            return Err(Diagnostic::error("too-deep", left.span, "this expression is too long")
                .caret(format!("at most {MOST_TERMS} terms")));
        }
        let right = operand(cursor)?;
        let span = left.span.to(right.span);
        left = Term { kind: TermKind::Binary(sign, Box::new(left), Box::new(right)), span };
    }
    Ok(left)
}

/// A leading minus binds weaker than `^`: -10^9 is -(10^9).
fn signed(cursor: &mut Cursor) -> Result<Term, Diagnostic> {
    if let Some(minus) = cursor.take_span("-") {
        cursor.enter()?;
        let inner = signed(cursor)?;
        cursor.leave();
        let span = minus.to(inner.span);
        return Ok(Term { kind: TermKind::Minus(Box::new(inner)), span });
    }
    power(cursor)
}

fn power(cursor: &mut Cursor) -> Result<Term, Diagnostic> {
    let base = atom(cursor)?;
    if !cursor.take("^") {
        return Ok(base);
    }
    cursor.enter()?;
    let exponent = power(cursor)?;
    cursor.leave();
    let span = base.span.to(exponent.span);
    Ok(Term { kind: TermKind::Binary("^", Box::new(base), Box::new(exponent)), span })
}

fn atom(cursor: &mut Cursor) -> Result<Term, Diagnostic> {
    let Some(token) = cursor.next() else {
        return Err(cursor.missing("a number or a name"));
    };
    let span = token.span;
    match &token.kind {
        Kind::Number(number) => Ok(Term { kind: TermKind::Number(*number), span }),
        Kind::Decimal(number, places) => Ok(Term { kind: TermKind::Decimal(*number, *places), span }),
        Kind::Letter(letter) => Ok(Term { kind: TermKind::Letter(*letter), span }),
        Kind::Text(text) => Ok(Term { kind: TermKind::Text(text.plain.clone()), span }),
        Kind::Name(name) if KEYWORDS.contains(&name.as_str()) => {
            Err(Diagnostic::error("keyword", span, format!("`{name}` is a word of the language"))
                .caret("expected a number or a name"))
        }
        Kind::Name(name) if cursor.peek_is("(") => call(cursor, name.clone(), span),
        Kind::Name(name) if cursor.peek_is("[") => element(cursor, name.clone(), span),
        Kind::Name(name) => Ok(Term { kind: TermKind::Name(name.clone()), span }),
        Kind::Mark("(") => parenthesis(cursor, span),
        Kind::Mark(sign @ ("<" | ">")) if cursor.at > 1 && cursor.tokens[cursor.at - 2].is("=") => {
            Err(not_a_value(token).help(format!("the equals sign comes last: `{sign}=`")))
        }
        _ => Err(not_a_value(token)),
    }
}

fn not_a_value(token: &Token) -> Diagnostic {
    Diagnostic::error("not-a-value", token.span, format!("{} is not a value", token.describe()))
        .caret("expected a number or a name")
}

fn call(cursor: &mut Cursor, name: String, span: Span) -> Result<Term, Diagnostic> {
    cursor.next();
    let arguments = if cursor.peek_is(")") { Vec::new() } else { super::rules::list(cursor)? };
    let close = cursor.expect(")", "the arguments end with `)`")?;
    Ok(Term { kind: TermKind::Call(name, arguments), span: span.to(close) })
}

/// `a[i]`, `V[i][j]`
fn element(cursor: &mut Cursor, name: String, span: Span) -> Result<Term, Diagnostic> {
    let mut indices = Vec::new();
    let mut end = span;
    while cursor.take("[") {
        indices.push(expression(cursor)?);
        end = cursor.expect("]", "an index ends with `]`")?;
    }
    Ok(Term { kind: TermKind::Element(name, indices), span: span.to(end) })
}

fn parenthesis(cursor: &mut Cursor, open: Span) -> Result<Term, Diagnostic> {
    let mut inside = super::rules::list(cursor)?;
    let close = cursor.expect(")", "expected `)`")?;
    let span = open.to(close);
    if inside.len() == 1 {
        let one = inside.remove(0);
        return Ok(Term { kind: one.kind, span });
    }
    Ok(Term { kind: TermKind::Tuple(inside), span })
}

/// How many terms a sum or a product may have: each nests the tree one level deeper.
const MOST_TERMS: usize = 200;
