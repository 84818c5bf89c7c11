//! Splits texts of any bytes into tokens and lines.
//!
//! White space is what C's `isspace` accepts in the default locale, including the vertical tab, because submissions'
//! own input functions skip the same bytes. Bytes above 127 are never white space, so no encoding is assumed.

/// Returns true if a byte separates tokens.
pub(crate) fn is_white_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t'..=b'\r')
}

/// Returns true if the text has only white space.
pub(crate) fn is_blank(text: &[u8]) -> bool {
    text.iter().all(|&byte| is_white_space(byte))
}

/// Returns the text without trailing white space.
pub(crate) fn trim_end(text: &[u8]) -> &[u8] {
    let end = text.iter().rposition(|&byte| !is_white_space(byte)).map_or(0, |last| last + 1);
    &text[..end]
}

/// A maximal run of bytes that are not white space, and its offset.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Token<'a> {
    pub(crate) text: &'a [u8],
    pub(crate) start: usize,
}

/// An iterator over the tokens of a text.
#[derive(Debug, Clone)]
pub(crate) struct TokenIter<'a, W> {
    text: &'a [u8],
    offset: usize,
    is_separator: W,
}

pub(crate) fn split_tokens(text: &[u8]) -> impl Iterator<Item = Token<'_>> + Clone {
    split_tokens_by(text, is_white_space)
}

/// Returns the tokens of a text, with tokens separated by `white` bytes.
pub(crate) fn split_tokens_by<W: Fn(u8) -> bool>(text: &[u8], white: W) -> TokenIter<'_, W> {
    TokenIter { text, offset: 0, is_separator: white }
}

impl<'a, W: Fn(u8) -> bool> Iterator for TokenIter<'a, W> {
    type Item = Token<'a>;

    #[inline]
    fn next(&mut self) -> Option<Token<'a>> {
        let rest = &self.text[self.offset..];
        let Some(skipped) = rest.iter().position(|&byte| !(self.is_separator)(byte)) else {
            self.offset = self.text.len();
            return None;
        };
        let rest = &rest[skipped..];
        let length = rest.iter().position(|&byte| (self.is_separator)(byte)).unwrap_or(rest.len());
        let start = self.offset + skipped;
        self.offset = start + length;
        Some(Token { text: &rest[..length], start })
    }
}

/// A line without its newline, its offset, and whether a newline ends it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct TextLine<'a> {
    pub(crate) text: &'a [u8],
    pub(crate) start: usize,
    pub(crate) has_newline: bool,
}

/// An iterator over the lines of a text. An empty text has no lines; a newline at the end does not start another line.
#[derive(Debug, Clone)]
pub(crate) struct LineIter<'a> {
    text: &'a [u8],
    offset: usize,
}

pub(crate) fn split_lines(text: &[u8]) -> LineIter<'_> {
    LineIter { text, offset: 0 }
}

impl<'a> Iterator for LineIter<'a> {
    type Item = TextLine<'a>;

    fn next(&mut self) -> Option<TextLine<'a>> {
        let start = self.offset;
        let rest = &self.text[start..];
        if rest.is_empty() {
            return None;
        }
        let newline = rest.iter().position(|&byte| byte == b'\n');
        let length = newline.unwrap_or(rest.len());
        self.offset = start + length + usize::from(newline.is_some());
        Some(TextLine { text: &rest[..length], start, has_newline: newline.is_some() })
    }
}
