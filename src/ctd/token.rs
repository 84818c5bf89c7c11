//! Bytes of a script to tokens.
//!
//! Words of the language are upper case and need nothing between them; names are lower case. A string may span lines.

use super::parse::MOST_PROBLEMS;
use crate::diagnostic::{Diagnostic, Span, shorten};

/// What a token is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// A word of the language.
    Word(&'static str),
    /// The name of a variable.
    Name(String),
    /// A whole number as it is written.
    Integer(String),
    /// A number with a point or an exponent, as it is written.
    Float(String),
    /// A string, escapes resolved.
    Text(Vec<u8>),
    /// An operator or a bracket.
    Mark(&'static str),
}

/// A token and its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Token {
    pub(super) kind: Kind,
    pub(super) span: Span,
}

impl Token {
    pub(super) fn is(&self, text: &str) -> bool {
        matches!(&self.kind, Kind::Mark(m) | Kind::Word(m) if *m == text)
    }

    /// The token as messages name it.
    pub(super) fn describe(&self) -> String {
        match &self.kind {
            Kind::Word(word) => format!("`{word}`"),
            Kind::Name(name) => format!("`{name}`"),
            Kind::Integer(number) | Kind::Float(number) => format!("`{number}`"),
            Kind::Text(text) => format!("the string \"{}\"", shorten(text, 20)),
            Kind::Mark(mark) => format!("`{mark}`"),
        }
    }
}

/// All words, each before those that it starts with.
const WORDS: &[&str] = &[
    "SCIENTIFIC",
    "INARRAY",
    "NEWLINE",
    "ASSERT",
    "FLOATP",
    "STRING",
    "STRLEN",
    "UNIQUE",
    "WHILEI",
    "FIXED",
    "FLOAT",
    "ISEOF",
    "MATCH",
    "REGEX",
    "SPACE",
    "UNSET",
    "WHILE",
    "ELSE",
    "REPI",
    "END",
    "EOF",
    "INT",
    "REP",
    "SET",
    "IF",
];

/// All marks, each before those that it starts with.
const MARKS: &[&str] =
    &["&&", "||", "<=", ">=", "==", "!=", "<", ">", "!", "=", "+", "-", "*", "/", "%", "^", "(", ")", "[", "]", ","];

/// Splits a script into tokens. What is none is noted and left out.
pub(super) fn tokens(text: &[u8], problems: &mut Vec<Diagnostic>) -> Vec<Token> {
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(first) = text.get(at).filter(|_| problems.len() < MOST_PROBLEMS) {
        if first.is_ascii_whitespace() {
            at += 1;
        } else if *first == b'#' {
            at += length(&text[at..], |b| b != b'\n');
        } else {
            let (kind, size) = one(&text[at..], at, problems);
            let span = Span::new(at, at + size);
            found.extend(kind.map(|kind| Token { kind, span }));
            at = span.end;
        }
    }
    found
}

/// How many bytes at the start of a text are alike.
fn length(text: &[u8], alike: impl Fn(u8) -> bool) -> usize {
    text.iter().position(|b| !alike(*b)).unwrap_or(text.len())
}

/// The token at the start of `rest`, and its size, which is never 0.
fn one(rest: &[u8], offset: usize, problems: &mut Vec<Diagnostic>) -> (Option<Kind>, usize) {
    let first = rest.first().copied().unwrap_or(b' ');
    let text = |size: usize| String::from_utf8_lossy(&rest[..size]).into_owned();
    if first.is_ascii_lowercase() {
        let size = length(rest, |b| b.is_ascii_lowercase() || b.is_ascii_digit());
        return (Some(Kind::Name(text(size))), size);
    }
    if first.is_ascii_digit() {
        let (size, whole) = number(rest);
        return (Some(if whole { Kind::Integer(text(size)) } else { Kind::Float(text(size)) }), size);
    }
    if first == b'"' {
        return string(rest, offset, problems);
    }
    if let Some(word) = WORDS.iter().chain(MARKS).find(|word| rest.starts_with(word.as_bytes())) {
        return (Some(if first.is_ascii_uppercase() { Kind::Word(word) } else { Kind::Mark(word) }), word.len());
    }
    let size = stray(rest);
    let span = Span::new(offset, offset + size);
    let problem =
        Diagnostic::error("ctd-stray", span, format!("`{}` has no meaning in a script", shorten(&rest[..size], 20)));
    problems.push(match first {
        b'{' => problem.caret("remove the braces").help("put the value of the constant here"),
        b'A'..=b'Z' => problem.caret("no such command").note("commands are upper case, variables are lower case"),
        _ => problem.caret("remove this"),
    });
    (None, size)
}

/// So much is reported as one thing that has no meaning: a word, a constant in braces, or a character.
fn stray(rest: &[u8]) -> usize {
    let size = match rest.first() {
        Some(b'{') => length(rest, |b| b == b'{' || b == b'}' || b.is_ascii_alphanumeric() || b"._-".contains(&b)),
        Some(b'A'..=b'Z') => length(rest, |b| b.is_ascii_uppercase()),
        Some(0x80..) => length(rest, |b| b >= 0x80),
        _ => 1,
    };
    size.max(1)
}

/// How long the number is, and whether it is whole. A point makes it a float even with no digit after it.
fn number(rest: &[u8]) -> (usize, bool) {
    let digits = |from: usize| from + length(&rest[from..], |b| b.is_ascii_digit());
    let mut end = digits(0);
    let mut whole = true;
    if rest.get(end) == Some(&b'.') {
        end = digits(end + 1);
        whole = false;
    }
    if matches!(rest.get(end), Some(b'e' | b'E')) {
        let sign = usize::from(matches!(rest.get(end + 1), Some(b'+' | b'-')));
        let exponent = digits((end + 1 + sign).min(rest.len()));
        if exponent > end + 1 + sign {
            return (exponent, false);
        }
    }
    (end, whole)
}

/// A string and its escapes: `\n` and its like, up to three octal digits, an escaped end of a line that is left out.
/// Every other backslash stays.
fn string(rest: &[u8], offset: usize, problems: &mut Vec<Diagnostic>) -> (Option<Kind>, usize) {
    let mut text = Vec::new();
    let mut at = 1;
    while let Some(byte) = rest.get(at) {
        match byte {
            b'"' => return (Some(Kind::Text(text)), at + 1),
            b'\\' => at += escape(&rest[at..], offset + at, &mut text, problems),
            _ => {
                text.push(*byte);
                at += 1;
            }
        }
    }
    let line = length(rest, |b| b != b'\n');
    problems.push(
        Diagnostic::error("ctd-open-string", Span::new(offset, offset + line), "this string is never closed")
            .caret("expected \" before the end of the script"),
    );
    (None, rest.len())
}

/// Resolves the escape at the start of `rest`; its size.
fn escape(rest: &[u8], offset: usize, text: &mut Vec<u8>, problems: &mut Vec<Diagnostic>) -> usize {
    let octal = rest[1..].iter().take(3).take_while(|b| (b'0'..=b'7').contains(b)).count();
    if octal > 0 {
        let value = rest[1..=octal].iter().fold(0_u32, |value, b| value * 8 + u32::from(b - b'0'));
        match u8::try_from(value) {
            Ok(byte) => text.push(byte),
            Err(_) => problems.push(
                Diagnostic::error("ctd-escape", Span::new(offset, offset + 1 + octal), "no byte has this number")
                    .caret("at most \\377"),
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

    fn kinds(text: &str) -> Vec<Kind> {
        let mut problems = Vec::new();
        let found = tokens(text.as_bytes(), &mut problems).into_iter().map(|t| t.kind).collect();
        assert!(problems.is_empty(), "{problems:?}");
        found
    }

    #[test]
    fn words_need_nothing_between_them() {
        assert_eq!(kinds("NEWLINEEOF"), [Kind::Word("NEWLINE"), Kind::Word("EOF")]);
        assert_eq!(kinds("REPI(i,n1) # REP\n"), kinds("REPI ( i , n1 )"));
    }

    #[test]
    fn a_point_or_an_exponent_makes_a_float() {
        assert_eq!(kinds("10"), [Kind::Integer("10".into())]);
        for float in ["1.", "1.5", "1e5", "1.5E-3"] {
            assert_eq!(kinds(float), [Kind::Float(float.into())]);
        }
        assert_eq!(kinds("2e"), [Kind::Integer("2".into()), Kind::Name("e".into())]);
    }

    #[test]
    fn strings_keep_the_backslashes_that_escape_nothing() {
        let text = |s: &str| kinds(s).remove(0);
        assert_eq!(text(r#""a\n\101\"\\\.""#), Kind::Text(b"a\nA\"\\\\.".to_vec()));
        assert_eq!(text("\"a\\\nb\nc\""), Kind::Text(b"ab\nc".to_vec()));
    }
}
