//! A text that is edited: its lines, and places in it as the protocol counts them.

use rebut_diagnostics::Span;

/// A place in a text as the protocol counts it: from 0, columns in units of UTF-16.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct TextPosition {
    /// The line.
    pub line: u32,
    /// Number of UTF-16 units before the place in its line.
    pub column: u32,
}

/// A text that is edited.
#[derive(Clone, Debug)]
pub struct EditedText {
    text: String,
    /// The first byte of each line.
    line_starts: Vec<usize>,
}

impl EditedText {
    /// Creates a text.
    pub fn new(text: impl Into<String>) -> EditedText {
        let text = text.into();
        let line_starts = find_line_starts(&text);
        EditedText { text, line_starts }
    }

    /// Returns the whole text.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// Returns the byte of a place. A place behind the end of its line, or of the text, is that end; one within a
    /// character is its start.
    pub fn offset_of(&self, place: TextPosition) -> usize {
        let line = usize::try_from(place.line).unwrap_or(usize::MAX);
        let Some(start) = self.line_starts.get(line) else { return self.text.len() };
        let end = self.line_starts.get(line.saturating_add(1)).map_or(self.text.len(), |next| *next);
        let line = self.text[*start..end].trim_end_matches(['\n', '\r']);
        let wanted = usize::try_from(place.column).unwrap_or(usize::MAX);
        let mut units = 0;
        for (at, letter) in line.char_indices() {
            units += letter.len_utf16();
            if units > wanted {
                return start + at;
            }
        }
        start + line.len()
    }

    /// Returns the place of a byte. A byte behind the end is the end; one within a character is its start.
    pub fn position_of(&self, offset: usize) -> TextPosition {
        let mut offset = offset.min(self.text.len());
        while !self.text.is_char_boundary(offset) {
            offset -= 1;
        }
        let line = self.line_starts.partition_point(|start| *start <= offset).saturating_sub(1);
        let start = self.line_starts.get(line).copied().unwrap_or(0);
        let column = self.text[start..offset].chars().map(char::len_utf16).sum::<usize>();
        TextPosition { line: saturating_u32(line), column: saturating_u32(column) }
    }

    /// Replaces what stands between two places.
    pub fn replace_range(&mut self, from: TextPosition, to: TextPosition, by: &str) {
        let start = self.offset_of(from);
        let end = self.offset_of(to).max(start);
        self.text.replace_range(start..end, by);
        self.line_starts = find_line_starts(&self.text);
    }

    /// Returns the text of a span.
    pub fn text_of(&self, span: Span) -> &str {
        self.text.get(span.start..span.end).unwrap_or("")
    }
}

fn saturating_u32(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

/// Returns the first byte of each line. A line ends with `\n`, `\r\n` or `\r`, as in the protocol.
fn find_line_starts(text: &str) -> Vec<usize> {
    let bytes = text.as_bytes();
    let is_end = |at: &usize| match bytes[*at] {
        b'\n' => true,
        b'\r' => bytes.get(at + 1) != Some(&b'\n'),
        _ => false,
    };
    std::iter::once(0).chain((0..bytes.len()).filter(is_end).map(|at| at + 1)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn place(line: u32, column: u32) -> TextPosition {
        TextPosition { line, column }
    }

    #[test]
    fn columns_are_counted_in_utf16() {
        let text = EditedText::new("a😀≤b\nx");
        for (offset, column) in [(0, 0), (1, 1), (5, 3), (8, 4), (9, 5)] {
            assert_eq!(text.position_of(offset), place(0, column));
            assert_eq!(text.offset_of(place(0, column)), offset);
        }
        // In the middle of a character.
        assert_eq!(text.position_of(3), place(0, 1));
        assert_eq!(text.offset_of(place(0, 2)), 1);
    }

    #[test]
    fn places_outside_of_the_text_are_moved_into_it() {
        let text = EditedText::new("ab\r\nc\rd");
        assert_eq!(text.offset_of(place(0, 99)), 2);
        assert_eq!(text.offset_of(place(1, 0)), 4);
        assert_eq!(text.offset_of(place(2, 0)), 6);
        assert_eq!(text.offset_of(place(9, 9)), 7);
        assert_eq!(text.position_of(99), place(2, 1));
        assert_eq!(EditedText::new("").position_of(0), place(0, 0));
    }

    #[test]
    fn edits_replace_ranges() {
        let mut text = EditedText::new("n\na[n]\n");
        text.replace_range(place(1, 0), place(1, 1), "bb");
        assert_eq!(text.as_str(), "n\nbb[n]\n");
        text.replace_range(place(2, 0), place(0, 0), "where:\n");
        assert_eq!(text.as_str(), "n\nbb[n]\nwhere:\n");
        assert_eq!(text.position_of(text.as_str().len()), place(3, 0));
        text.replace_range(place(0, 0), place(9, 0), "");
        assert_eq!(text.as_str(), "");
    }
}
