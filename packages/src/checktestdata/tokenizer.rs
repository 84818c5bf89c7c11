//! Tokenizer of scripts.
//!
//! Keywords are in upper case and need no separator; names are in lower case. Strings can span lines.

use rebut_diagnostics::{Diagnostic, Span, shorten_text};

/// Maximum number of problems reported.
pub(super) const MAX_PROBLEMS: usize = 20;

/// The kind of a token.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum TokenKind {
    /// A keyword.
    Keyword(&'static str),
    /// The name of a variable.
    Identifier(String),
    /// An integer as written.
    Integer(String),
    /// A number with a point or an exponent, as written.
    Float(String),
    /// A string with its escapes resolved.
    StringLiteral(Vec<u8>),
    /// An operator or a bracket.
    Symbol(&'static str),
}

/// A token with its location.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Token {
    pub(super) kind: TokenKind,
    pub(super) span: Span,
}

impl Token {
    pub(super) fn has_text(&self, text: &str) -> bool {
        matches!(&self.kind, TokenKind::Symbol(m) | TokenKind::Keyword(m) if *m == text)
    }

    /// Describes the token for a message.
    pub(super) fn describe_token(&self) -> String {
        match &self.kind {
            TokenKind::Keyword(word) => format!("`{word}`"),
            TokenKind::Identifier(name) => format!("`{name}`"),
            TokenKind::Integer(number) | TokenKind::Float(number) => format!("`{number}`"),
            TokenKind::StringLiteral(text) => format!("the string \"{}\"", shorten_text(text, 20)),
            TokenKind::Symbol(mark) => format!("`{mark}`"),
        }
    }
}

/// All keywords, each before its prefixes.
const KEYWORDS: &str = "SCIENTIFIC INARRAY NEWLINE ASSERT FLOATP STRING STRLEN UNIQUE WHILEI FIXED FLOAT ISEOF MATCH REGEX \
    SPACE UNSET WHILE ELSE REPI END EOF INT REP SET IF";

/// All symbols, each before its prefixes.
const SYMBOLS: &str = "&& || <= >= == != < > ! = + - * / % ^ ( ) [ ] ,";

/// Splits a script into tokens. Invalid text is reported and skipped.
pub(super) fn tokenize_script(text: &[u8], problems: &mut Vec<Diagnostic>) -> Vec<Token> {
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(first) = text.get(at).filter(|_| problems.len() < MAX_PROBLEMS) {
        if first.is_ascii_whitespace() {
            at += 1;
        } else if *first == b'#' {
            at += prefix_length(&text[at..], |b| b != b'\n');
        } else {
            let (kind, size) = scan_token(&text[at..], at, problems);
            let span = Span::new(at, at + size);
            found.extend(kind.map(|kind| Token { kind, span }));
            at = span.end;
        }
    }
    found
}

/// Returns the length of the longest prefix of bytes that satisfy the predicate.
fn prefix_length(text: &[u8], matches: impl Fn(u8) -> bool) -> usize {
    text.iter().position(|b| !matches(*b)).unwrap_or(text.len())
}

/// Scans the token at the start of `rest`. Returns its size, which is never 0.
fn scan_token(rest: &[u8], offset: usize, problems: &mut Vec<Diagnostic>) -> (Option<TokenKind>, usize) {
    let first = rest.first().copied().unwrap_or(b' ');
    let text = |size: usize| String::from_utf8_lossy(&rest[..size]).into_owned();
    if first.is_ascii_lowercase() {
        let size = prefix_length(rest, |b| b.is_ascii_lowercase() || b.is_ascii_digit());
        return (Some(TokenKind::Identifier(text(size))), size);
    }
    if first.is_ascii_digit() {
        let (size, is_integer) = scan_number(rest);
        return (Some(if is_integer { TokenKind::Integer(text(size)) } else { TokenKind::Float(text(size)) }), size);
    }
    if first == b'"' {
        return scan_string(rest, offset, problems);
    }
    if let Some(word) = KEYWORDS.split(' ').chain(SYMBOLS.split(' ')).find(|word| rest.starts_with(word.as_bytes())) {
        return (
            Some(if first.is_ascii_uppercase() { TokenKind::Keyword(word) } else { TokenKind::Symbol(word) }),
            word.len(),
        );
    }
    let size = stray_length(rest);
    let span = Span::new(offset, offset + size);
    let problem =
        Diagnostic::error("ctd-stray", span, format!("`{}` is not valid in a script", shorten_text(&rest[..size], 20)));
    problems.push(match first {
        b'{' => problem.with_caret("remove the braces").with_help("put the value of the constant here"),
        b'A'..=b'Z' => {
            problem.with_caret("no such command").with_note("commands are upper case, variables are lower case")
        }
        _ => problem.with_caret("remove this"),
    });
    (None, size)
}

/// Returns the length of invalid text reported as a whole: a word, a constant in braces, or a character.
fn stray_length(rest: &[u8]) -> usize {
    let size = match rest.first() {
        Some(b'{') => {
            prefix_length(rest, |b| b == b'{' || b == b'}' || b.is_ascii_alphanumeric() || b"._-".contains(&b))
        }
        Some(b'A'..=b'Z') => prefix_length(rest, |b| b.is_ascii_uppercase()),
        Some(0x80..) => prefix_length(rest, |b| b >= 0x80),
        _ => 1,
    };
    size.max(1)
}

/// Returns the length of a number, and whether it is an integer. A point makes it a float, even without digits after
/// it.
fn scan_number(rest: &[u8]) -> (usize, bool) {
    let digits = |from: usize| from + prefix_length(&rest[from..], |b| b.is_ascii_digit());
    let mut end = digits(0);
    let mut is_integer = true;
    if rest.get(end) == Some(&b'.') {
        end = digits(end + 1);
        is_integer = false;
    }
    if matches!(rest.get(end), Some(b'e' | b'E')) {
        let sign = usize::from(matches!(rest.get(end + 1), Some(b'+' | b'-')));
        let exponent = digits((end + 1 + sign).min(rest.len()));
        if exponent > end + 1 + sign {
            return (exponent, false);
        }
    }
    (end, is_integer)
}

/// Scans a string with its escapes: letters such as `\n`, up to three octal digits, and an escaped line end, which is
/// removed. Other backslashes are kept.
fn scan_string(rest: &[u8], offset: usize, problems: &mut Vec<Diagnostic>) -> (Option<TokenKind>, usize) {
    let mut text = Vec::new();
    let mut at = 1;
    while let Some(byte) = rest.get(at) {
        match byte {
            b'"' => return (Some(TokenKind::StringLiteral(text)), at + 1),
            b'\\' => at += resolve_escape(&rest[at..], offset + at, &mut text, problems),
            _ => {
                text.push(*byte);
                at += 1;
            }
        }
    }
    let line = prefix_length(rest, |b| b != b'\n');
    problems.push(
        Diagnostic::error("ctd-open-string", Span::new(offset, offset + line), "this string is not closed")
            .with_caret("expected \" before the end of the script"),
    );
    (None, rest.len())
}

/// Resolves the escape at the start of `rest`. Returns its size.
fn resolve_escape(rest: &[u8], offset: usize, text: &mut Vec<u8>, problems: &mut Vec<Diagnostic>) -> usize {
    let octal = rest[1..].iter().take(3).take_while(|b| (b'0'..=b'7').contains(b)).count();
    if octal > 0 {
        let value = rest[1..=octal].iter().fold(0_u32, |value, b| value * 8 + u32::from(b - b'0'));
        match u8::try_from(value) {
            Ok(byte) => text.push(byte),
            Err(_) => problems.push(
                Diagnostic::error("ctd-escape", Span::new(offset, offset + 1 + octal), "this escape is not a byte")
                    .with_caret("at most \\377"),
            ),
        }
        return 1 + octal;
    }
    match rest.get(1) {
        Some(b'\n') => return 2,
        Some(b'n') => text.push(b'\n'),
        Some(b't') => text.push(b'\t'),
        Some(b'r') => text.push(b'\r'),
        Some(b'b') => text.push(8),
        Some(b'f') => text.push(12),
        Some(byte @ (b'"' | b'\\')) => text.push(*byte),
        _ => {
            text.push(b'\\');
            return 1;
        }
    }
    2
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::panic, reason = "tests")]
    use super::*;

    fn token_kinds(text: &str) -> Vec<TokenKind> {
        let mut problems = Vec::new();
        let found = tokenize_script(text.as_bytes(), &mut problems).into_iter().map(|t| t.kind).collect();
        assert!(problems.is_empty(), "{problems:?}");
        found
    }

    #[test]
    fn keywords_need_no_separator() {
        assert_eq!(token_kinds("NEWLINEEOF"), [TokenKind::Keyword("NEWLINE"), TokenKind::Keyword("EOF")]);
        assert_eq!(token_kinds("REPI(i,n1) # REP\n"), token_kinds("REPI ( i , n1 )"));
    }

    #[test]
    fn a_point_or_an_exponent_makes_a_float() {
        assert_eq!(token_kinds("10"), [TokenKind::Integer("10".into())]);
        for float in ["1.", "1.5", "1e5", "1.5E-3"] {
            assert_eq!(token_kinds(float), [TokenKind::Float(float.into())]);
        }
        assert_eq!(token_kinds("2e"), [TokenKind::Integer("2".into()), TokenKind::Identifier("e".into())]);
    }

    #[test]
    fn unknown_escapes_keep_their_backslash() {
        let text = |s: &str| token_kinds(s).remove(0);
        assert_eq!(text(r#""a\n\101\"\\\.""#), TokenKind::StringLiteral(b"a\nA\"\\\\.".to_vec()));
        assert_eq!(text("\"a\\\nb\nc\""), TokenKind::StringLiteral(b"ab\nc".to_vec()));
    }
}
