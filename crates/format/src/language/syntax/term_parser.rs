//! Parser for expressions.

use super::token_cursor::TokenCursor;
use super::{SyntaxTerm, SyntaxTermKind};
use crate::language::tokenizer::{FormatToken, FormatTokenKind};
use crate::language::vocabulary::is_reserved_word;
use rebut_diagnostics::{Diagnostic, Span};

/// Parses a sum of products of powers.
pub(super) fn parse_expression(cursor: &mut TokenCursor) -> Result<SyntaxTerm, Diagnostic> {
    cursor.parse_nested(|inner| {
        parse_binary(inner, &["+", "-"], |factor| parse_binary(factor, &["*", "/", "%"], parse_signed))
    })
}

/// Parses expressions separated by commas.
pub(super) fn parse_term_list(cursor: &mut TokenCursor) -> Result<Vec<SyntaxTerm>, Diagnostic> {
    let mut terms = vec![parse_expression(cursor)?];
    while cursor.accept_mark(",") {
        terms.push(parse_expression(cursor)?);
    }
    Ok(terms)
}

fn parse_binary(
    cursor: &mut TokenCursor,
    signs: &[&'static str],
    operand: impl Fn(&mut TokenCursor) -> Result<SyntaxTerm, Diagnostic>,
) -> Result<SyntaxTerm, Diagnostic> {
    let mut left = operand(cursor)?;
    let mut terms = 1;
    while let Some(sign) = signs.iter().find(|sign| cursor.peek_is_mark(sign)) {
        cursor.next_token();
        terms += 1;
        if terms > MAX_TERMS {
            return Err(Diagnostic::error("too-deep", left.span, "this expression is too long")
                .with_caret(format!("at most {MAX_TERMS} terms")));
        }
        let right = operand(cursor)?;
        let span = left.span.to(right.span);
        left = SyntaxTerm { kind: SyntaxTermKind::Binary(sign, Box::new(left), Box::new(right)), span };
    }
    Ok(left)
}

/// Parses a leading minus, which binds weaker than `^`: -10^9 is -(10^9).
fn parse_signed(cursor: &mut TokenCursor) -> Result<SyntaxTerm, Diagnostic> {
    if let Some(minus) = cursor.accept_mark_span("-") {
        let inner = cursor.parse_nested(parse_signed)?;
        let span = minus.to(inner.span);
        return Ok(SyntaxTerm { kind: SyntaxTermKind::Negate(Box::new(inner)), span });
    }
    parse_power(cursor)
}

fn parse_power(cursor: &mut TokenCursor) -> Result<SyntaxTerm, Diagnostic> {
    let base = parse_atom(cursor)?;
    if !cursor.accept_mark("^") {
        return Ok(base);
    }
    let exponent = cursor.parse_nested(parse_power)?;
    let span = base.span.to(exponent.span);
    Ok(SyntaxTerm { kind: SyntaxTermKind::Binary("^", Box::new(base), Box::new(exponent)), span })
}

fn parse_atom(cursor: &mut TokenCursor) -> Result<SyntaxTerm, Diagnostic> {
    let Some(token) = cursor.next_token() else {
        return Err(cursor.unexpected_end_error("a number or a name"));
    };
    let span = token.span;
    let kind = match &token.kind {
        FormatTokenKind::Number(number) => SyntaxTermKind::Number(*number),
        FormatTokenKind::Decimal(number, places) => SyntaxTermKind::Decimal(*number, *places),
        FormatTokenKind::Letter(letter) => SyntaxTermKind::Letter(*letter),
        FormatTokenKind::Text(text) => SyntaxTermKind::Text(text.unescaped.clone()),
        FormatTokenKind::Name(name) if is_reserved_word(name) => {
            return Err(Diagnostic::error("keyword", span, format!("`{name}` is a keyword"))
                .with_caret("expected a number or a name"));
        }
        FormatTokenKind::Name(name) if cursor.peek_is_mark("(") => return parse_call(cursor, name.clone(), span),
        FormatTokenKind::Name(name) if cursor.peek_is_mark("[") => return parse_element(cursor, name.clone(), span),
        FormatTokenKind::Name(name) => SyntaxTermKind::Name(name.clone()),
        FormatTokenKind::Symbol("(") => return parse_parenthesis(cursor, span),
        FormatTokenKind::Symbol(sign @ ("<" | ">")) if cursor.at > 1 && cursor.tokens[cursor.at - 2].is_mark("=") => {
            return Err(not_a_value_error(token).with_help(format!("write the equals sign last: `{sign}=`")));
        }
        _ => return Err(not_a_value_error(token)),
    };
    Ok(SyntaxTerm { kind, span })
}

fn not_a_value_error(token: &FormatToken) -> Diagnostic {
    Diagnostic::error("not-a-value", token.span, format!("{} is not a value", token.display_text()))
        .with_caret("expected a number or a name")
}

fn parse_call(cursor: &mut TokenCursor, name: String, span: Span) -> Result<SyntaxTerm, Diagnostic> {
    cursor.next_token();
    let arguments = if cursor.peek_is_mark(")") { Vec::new() } else { parse_term_list(cursor)? };
    let close = cursor.expect_mark(")", "the arguments end with `)`")?;
    Ok(SyntaxTerm { kind: SyntaxTermKind::Call(name, arguments), span: span.to(close) })
}

/// `a[i]`, `V[i][j]`, `a[1..i]`, `V[1..n][j]`
fn parse_element(cursor: &mut TokenCursor, name: String, span: Span) -> Result<SyntaxTerm, Diagnostic> {
    let (mut indices, mut range) = (Vec::new(), None);
    let mut end = span;
    while cursor.accept_mark("[") {
        let index = parse_expression(cursor)?;
        if range.is_none() && cursor.accept_mark("..") {
            let before = std::mem::take(&mut indices);
            range = Some((before, Box::new((index, parse_expression(cursor)?))));
        } else {
            indices.push(index);
        }
        end = cursor.expect_mark("]", "an index ends with `]`")?;
    }
    let kind = match range {
        Some((before, range)) => SyntaxTermKind::Slice(name, before, range, indices),
        None => SyntaxTermKind::Element(name, indices),
    };
    Ok(SyntaxTerm { kind, span: span.to(end) })
}

fn parse_parenthesis(cursor: &mut TokenCursor, open: Span) -> Result<SyntaxTerm, Diagnostic> {
    let mut inside = parse_term_list(cursor)?;
    let close = cursor.expect_mark(")", "expected `)`")?;
    let span = open.to(close);
    if inside.len() == 1 {
        let one = inside.remove(0);
        return Ok(SyntaxTerm { kind: one.kind, span });
    }
    Ok(SyntaxTerm { kind: SyntaxTermKind::Tuple(inside), span })
}

/// Maximum number of terms of a sum or a product: each nests the tree one level deeper.
const MAX_TERMS: usize = 200;
