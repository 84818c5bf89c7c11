//! Reads the words, numbers, strings and symbols of a script one by one.
//!
//! Keywords are in upper case and need no separator; names are in lower case. Strings can span lines.

use rebut_diagnostics::{Diagnostic, Span, shorten_text};

/// All keywords and symbols, each before its prefixes.
const SYMBOLS: &str = "SCIENTIFIC INARRAY NEWLINE ASSERT FLOATP STRING STRLEN UNIQUE WHILEI FIXED FLOAT ISEOF MATCH \
    REGEX SPACE UNSET WHILE ELSE REPI END EOF INT REP SET IF && || <= >= == != < > ! = + - * / % ^ ( ) [ ] ,";

/// Escapes in strings, and their bytes.
const ESCAPES: [(u8, u8); 7] =
    [(b'n', b'\n'), (b't', b'\t'), (b'r', b'\r'), (b'b', 8), (b'f', 12), (b'"', b'"'), (b'\\', b'\\')];

/// The rest of a script. Problems are collected, and commands with problems are left out.
pub(super) struct ScriptScanner<'t> {
    text: &'t [u8],
    /// Where the next token begins.
    pub(super) position: usize,
    /// Where the last token ends.
    end: usize,
    /// Current nesting of expressions.
    pub(super) depth: usize,
    pub(super) problems: Vec<Diagnostic>,
}

pub(super) type Parsed<T> = Result<T, Diagnostic>;

impl<'t> ScriptScanner<'t> {
    pub(super) fn new(text: &'t [u8]) -> Self {
        ScriptScanner { text, position: blank_length(text), end: 0, depth: 0, problems: Vec::new() }
    }

    fn rest(&self) -> &'t [u8] {
        &self.text[self.position..]
    }

    pub(super) fn peek_byte(&self) -> Option<u8> {
        self.rest().first().copied()
    }

    /// Returns the next token if it is a keyword or a symbol.
    pub(super) fn peek_symbol(&self) -> Option<&'static str> {
        symbol_at(self.rest())
    }

    /// Consumes a token, and the blanks and comments after it.
    fn take_bytes(&mut self, size: usize) -> &'t [u8] {
        let token = &self.rest()[..size];
        self.end = self.position + size;
        self.position = self.end + blank_length(&self.text[self.end..]);
        token
    }

    /// Consumes a token, and returns it as written.
    pub(super) fn take_token(&mut self) -> String {
        String::from_utf8_lossy(self.take_bytes(token_length(self.rest()))).into_owned()
    }

    /// Consumes a keyword or a symbol if it is the next token. Returns true if so.
    pub(super) fn accept_symbol(&mut self, symbol: &str) -> bool {
        let found = self.peek_symbol() == Some(symbol);
        if found {
            self.take_bytes(symbol.len());
        }
        found
    }

    pub(super) fn expect_symbol(&mut self, symbol: &str, reason: &str) -> Parsed<()> {
        let found = self.accept_symbol(symbol);
        if found { Ok(()) } else { Err(self.unexpected_token(&format!("`{symbol}`")).with_note(reason)) }
    }

    /// Returns the span from `start` to the last token that was read.
    pub(super) fn span_since(&self, start: usize) -> Span {
        Span::new(start, self.end)
    }

    /// Skips a token. A string that is not closed is the rest of the script.
    pub(super) fn skip_token(&mut self) {
        let rest = self.rest();
        let is_open = rest.starts_with(b"\"") && string_length(rest).is_none();
        self.take_bytes(if is_open { rest.len() } else { token_length(rest) });
    }

    pub(super) fn skip_all(&mut self) {
        self.take_bytes(self.rest().len());
    }

    /// Creates an error about the next token.
    pub(super) fn unexpected_token(&self, expected: &str) -> Diagnostic {
        let caret = format!("expected {expected}");
        let (token, span) = self.next_token();
        match self.invalid_token() {
            Some(problem) => problem,
            None if token.is_empty() => {
                Diagnostic::error("ctd-unfinished", Span::new(self.end, self.end), "the script ends too early")
                    .with_caret(caret)
            }
            None => {
                Diagnostic::error("ctd-unexpected", span, format!("`{token}` is not expected here")).with_caret(caret)
            }
        }
    }

    /// Returns the next token, shortened for a message, and its location.
    pub(super) fn next_token(&self) -> (String, Span) {
        let size = token_length(self.rest());
        (shorten_text(&self.rest()[..size], 20), Span::new(self.position, self.position + size))
    }

    /// Creates an error about the next token if it is not valid anywhere in a script.
    pub(super) fn invalid_token(&self) -> Option<Diagnostic> {
        let first = self.peek_byte()?;
        if self.peek_symbol().is_some() || first.is_ascii_lowercase() || first.is_ascii_digit() || first == b'"' {
            return None;
        }
        let (token, span) = self.next_token();
        let problem = Diagnostic::error("ctd-stray", span, format!("`{token}` is not valid in a script"));
        Some(match first {
            b'{' => problem.with_caret("remove the braces").with_help("put the value of the constant here"),
            b'A'..=b'Z' => {
                problem.with_caret("no such command").with_note("commands are upper case, variables are lower case")
            }
            _ => problem.with_caret("remove this"),
        })
    }

    /// Reads a string with its escapes: letters such as `\n`, up to three octal digits, and an escaped line end, which
    /// is removed. Other backslashes are kept.
    pub(super) fn take_string(&mut self) -> Parsed<Vec<u8>> {
        let start = self.position;
        let Some(size) = string_length(self.rest()) else {
            let line = Span::new(start, start + token_length(self.rest()));
            self.skip_all();
            return Err(Diagnostic::error("ctd-open-string", line, "this string is not closed")
                .with_caret("expected \" before the end of the script"));
        };
        let mut rest = &self.take_bytes(size)[1..size - 1];
        let mut text = Vec::new();
        while let [first, after @ ..] = rest {
            let octal = prefix_length(&after[..after.len().min(3)], |b| matches!(b, b'0'..=b'7'));
            rest = match (first, after) {
                (b'\\', digits) if octal > 0 => {
                    let value = digits[..octal].iter().fold(0_u32, |value, b| value * 8 + u32::from(b - b'0'));
                    let place = start + size - 1 - rest.len();
                    let span = Span::new(place, place + 1 + octal);
                    text.push(u8::try_from(value).map_err(|_| {
                        Diagnostic::error("ctd-escape", span, "this escape is not a byte").with_caret("at most \\377")
                    })?);
                    &after[octal..]
                }
                (b'\\', [b'\n', after @ ..]) => after,
                (b'\\', [letter, after_letter @ ..]) => {
                    let byte = ESCAPES.iter().find(|(escape, _)| escape == letter).map(|(_, byte)| *byte);
                    text.push(byte.unwrap_or(b'\\'));
                    if byte.is_some() { after_letter } else { after }
                }
                _ => {
                    text.push(*first);
                    after
                }
            };
        }
        Ok(text)
    }
}

/// Returns the keyword or symbol at the start of a text.
fn symbol_at(text: &[u8]) -> Option<&'static str> {
    SYMBOLS.split_whitespace().find(|symbol| text.starts_with(symbol.as_bytes()))
}

/// Returns the length of the longest prefix of bytes that satisfy the predicate.
fn prefix_length(text: &[u8], matches: impl Fn(u8) -> bool) -> usize {
    text.iter().position(|b| !matches(*b)).unwrap_or(text.len())
}

/// Returns the length of the blanks and comments at the start of a text.
fn blank_length(text: &[u8]) -> usize {
    let mut is_comment = false;
    let is_token = |b: &u8| {
        is_comment = *b == b'#' || is_comment && *b != b'\n';
        !is_comment && !b.is_ascii_whitespace()
    };
    text.iter().position(is_token).unwrap_or(text.len())
}

/// Returns the length of the string at the start of a text with its quotation marks, if it is closed.
fn string_length(text: &[u8]) -> Option<usize> {
    let mut is_escaped = true;
    let is_end = |b: &u8| {
        let ends = *b == b'"' && !is_escaped;
        is_escaped = *b == b'\\' && !is_escaped;
        ends
    };
    text.iter().position(is_end).map(|end| end + 1)
}

/// Returns the length of the number at the start of a text. A point or an exponent makes it a float, even without digits
/// after the point.
fn number_length(text: &[u8]) -> usize {
    let digits = |from: usize| from + prefix_length(&text[from..], |b| b.is_ascii_digit());
    let whole = digits(0);
    let end = if text.get(whole) == Some(&b'.') { digits(whole + 1) } else { whole };
    let [b'e' | b'E', after @ ..] = &text[end..] else { return end };
    let sign = usize::from(matches!(after.first(), Some(b'+' | b'-')));
    let exponent = digits(end + 1 + sign);
    if exponent > end + 1 + sign { exponent } else { end }
}

/// Returns the length of the token at the start of a text. Invalid text is a word, a constant in braces, or a character.
fn token_length(rest: &[u8]) -> usize {
    match (rest.first(), symbol_at(rest)) {
        (None, _) => 0,
        (_, Some(symbol)) => symbol.len(),
        (Some(b'"'), _) => string_length(rest).unwrap_or_else(|| prefix_length(rest, |b| b != b'\n')),
        (Some(b'0'..=b'9'), _) => number_length(rest),
        (Some(b'a'..=b'z'), _) => prefix_length(rest, |b| b.is_ascii_lowercase() || b.is_ascii_digit()),
        (Some(b'A'..=b'Z'), _) => prefix_length(rest, |b| b.is_ascii_uppercase()),
        (Some(b'{'), _) => prefix_length(rest, |b| b"{}._-".contains(&b) || b.is_ascii_alphanumeric()),
        _ => prefix_length(rest, |b| b >= 0x80).max(1),
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::panic, reason = "tests")]
    use super::*;

    #[test]
    fn keywords_need_no_separator() {
        let mut scanner = ScriptScanner::new(b" # a comment\nNEWLINEEOF#REP\nREPI(");
        for word in ["NEWLINE", "EOF", "REPI", "("] {
            assert!(!scanner.accept_symbol("REP"));
            assert!(scanner.accept_symbol(word), "{word}");
        }
        assert_eq!(scanner.peek_byte(), None);
    }

    #[test]
    fn an_open_string_is_skipped_with_the_rest() {
        for (script, next) in [("\"a\n\\\"\n\\\"", None), ("\"a\n\" b", Some(b'b'))] {
            let mut scanner = ScriptScanner::new(script.as_bytes());
            scanner.skip_token();
            assert_eq!(scanner.peek_byte(), next, "{script}");
        }
    }

    #[test]
    fn a_number_ends_with_its_exponent() {
        for number in ["10", "1.", "1.5", "1e5", "1.5E-3", "2"] {
            let text = format!("{number}e");
            let mut scanner = ScriptScanner::new(text.as_bytes());
            assert_eq!((scanner.take_token().as_str(), scanner.peek_byte()), (number, Some(b'e')));
        }
    }

    #[test]
    fn unknown_escapes_keep_their_backslash() {
        let text = |script: &str| ScriptScanner::new(script.as_bytes()).take_string();
        assert_eq!(text(r#""a\n\101\"\\\.""#).unwrap(), b"a\nA\"\\\\.");
        assert_eq!(text("\"a\\\nb\nc\"").unwrap(), b"ab\nc");
        for broken in [r#"""#, r#""a\""#, r#""\400""#] {
            assert!(text(broken).is_err(), "{broken}");
        }
    }
}
