//! Texts taken apart: tokens and lines, on bytes of any kind.
//!
//! White space is what C's `isspace` says in the plain locale, vertical tab included, because that is what
//! the submissions' own input functions skip. A byte above 127 is never white space, so no encoding is
//! assumed.

/// Whether a byte separates tokens.
pub(crate) fn is_white(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t'..=b'\r')
}

/// Whether nothing but white space is there.
pub(crate) fn is_blank(text: &[u8]) -> bool {
    text.iter().all(|&byte| is_white(byte))
}

/// The text without the white space at its end.
pub(crate) fn trim_end(text: &[u8]) -> &[u8] {
    let end = text.iter().rposition(|&byte| !is_white(byte)).map_or(0, |last| last + 1);
    &text[..end]
}

/// A maximal run of bytes that are not white space, and where it starts.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Token<'a> {
    pub(crate) text: &'a [u8],
    pub(crate) start: usize,
}

/// The tokens of a text, in order, and which bytes separate them.
#[derive(Debug, Clone)]
pub(crate) struct Tokens<'a, W> {
    text: &'a [u8],
    at: usize,
    white: W,
}

/// Takes a text apart into tokens.
pub(crate) fn tokens(text: &[u8]) -> impl Iterator<Item = Token<'_>> + Clone {
    tokens_between(text, is_white)
}

/// Takes a text apart into tokens where other bytes separate them.
pub(crate) fn tokens_between<W: Fn(u8) -> bool>(text: &[u8], white: W) -> Tokens<'_, W> {
    Tokens { text, at: 0, white }
}

impl<'a, W: Fn(u8) -> bool> Iterator for Tokens<'a, W> {
    type Item = Token<'a>;

    #[inline]
    fn next(&mut self) -> Option<Token<'a>> {
        let rest = &self.text[self.at..];
        let Some(skipped) = rest.iter().position(|&byte| !(self.white)(byte)) else {
            self.at = self.text.len();
            return None;
        };
        let rest = &rest[skipped..];
        let length = rest.iter().position(|&byte| (self.white)(byte)).unwrap_or(rest.len());
        let start = self.at + skipped;
        self.at = start + length;
        Some(Token { text: &rest[..length], start })
    }
}

/// A line without its newline, where it starts, and whether a newline ended it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Line<'a> {
    pub(crate) text: &'a [u8],
    pub(crate) start: usize,
    pub(crate) ended: bool,
}

/// The lines of a text, in order. An empty text has none; a newline at the end starts no further line.
#[derive(Debug, Clone)]
pub(crate) struct Lines<'a> {
    text: &'a [u8],
    at: usize,
}

/// Takes a text apart into lines.
pub(crate) fn lines(text: &[u8]) -> Lines<'_> {
    Lines { text, at: 0 }
}

impl<'a> Iterator for Lines<'a> {
    type Item = Line<'a>;

    fn next(&mut self) -> Option<Line<'a>> {
        let start = self.at;
        let rest = &self.text[start..];
        if rest.is_empty() {
            return None;
        }
        let newline = rest.iter().position(|&byte| byte == b'\n');
        let length = newline.unwrap_or(rest.len());
        self.at = start + length + usize::from(newline.is_some());
        Some(Line { text: &rest[..length], start, ended: newline.is_some() })
    }
}
