//! Text arranged on lines.

use super::line::{Line, prefix};
use unicode_width::UnicodeWidthStr;

/// Pieces one after the other, `gap` spaces between them, on as many lines as they need. `head` stands before the
/// first; further lines are indented as deep as `head` is wide.
pub(crate) fn flow(head: Line, pieces: impl IntoIterator<Item = Line>, gap: usize, width: usize) -> Vec<Line> {
    let indent = head.width();
    let mut lines = Vec::new();
    let mut line = head;
    let mut is_first = true;
    for piece in pieces.into_iter().filter(|piece| !piece.is_empty()) {
        if !is_first && line.width() + gap + piece.width() > width {
            lines.push(std::mem::take(&mut line));
            line = Line::plain(" ".repeat(indent));
            is_first = true;
        }
        let space = if is_first { 0 } else { gap };
        line = line.add(" ".repeat(space)).join(piece);
        is_first = false;
    }
    lines.push(line);
    lines
}

/// A sentence, broken between words.
pub(crate) fn wrap(head: Line, text: &str, width: usize) -> Vec<Line> {
    flow(head, text.split_whitespace().map(Line::plain), 1, width)
}

/// A sentence in which words that are wider than a line stay whole: they are paths and commands.
pub(crate) fn wrap_whole(head: Line, text: &str, width: usize) -> Vec<Line> {
    wrap(head, text, width).into_iter().map(Line::whole).collect()
}

/// Two blocks of lines in two columns, if both fit in `width`; else below each other, an empty line between them.
pub(crate) fn beside(left: Vec<Line>, right: Vec<Line>, gap: usize, width: usize) -> Vec<Line> {
    let column = left.iter().map(Line::width).max().unwrap_or(0) + gap;
    let needed = column + right.iter().map(Line::width).max().unwrap_or(0);
    if needed > width {
        return left.into_iter().chain([Line::new()]).chain(right).collect();
    }
    let rows = left.len().max(right.len());
    let (mut left, mut right) = (left.into_iter(), right.into_iter());
    (0..rows).map(|_| left.next().unwrap_or_default().pad(column).join(right.next().unwrap_or_default())).collect()
}

/// The start of a text of any bytes and any length that fits in `width` columns, and whether that is all of it.
pub(crate) fn start_of(text: &[u8], width: usize) -> (String, bool) {
    // No visible character takes more than four bytes or less than one column.
    let near = &text[..text.len().min((width + 2) * 4)];
    let shown = super::visible::visible(&String::from_utf8_lossy(near)).into_owned();
    if near.len() == text.len() && shown.width() <= width {
        return (shown, true);
    }
    (format!("{}…", prefix(&shown, width.saturating_sub(1))), false)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(lines: &[Line]) -> String {
        lines.iter().map(|line| line.render(false)).collect::<Vec<_>>().join("\n")
    }

    #[test]
    fn pieces_flow_below_the_first() {
        let lines = flow(Line::plain("FAIL  "), ["one", "two", "three"].map(Line::plain), 3, 16);
        assert_eq!(text(&lines), "FAIL  one   two\n      three");
    }

    #[test]
    fn sentences_break_between_words() {
        assert_eq!(
            text(&wrap(Line::plain("- "), "a bb ccc dddd-eeee-ffff g", 8)),
            "- a bb\n  ccc\n  dddd-eeee-ffff\n  g"
        );
    }

    #[test]
    fn columns_fit_or_stand_below() {
        let left = vec![Line::plain("a"), Line::plain("bbb")];
        let right = vec![Line::plain("c")];
        assert_eq!(text(&beside(left.clone(), right.clone(), 2, 6)), "a    c\nbbb");
        assert_eq!(text(&beside(left, right, 2, 5)), "a\nbbb\n\nc");
    }

    #[test]
    fn starts_fit() {
        assert_eq!(start_of("漢字".as_bytes(), 4), ("漢字".to_owned(), true));
        assert_eq!(start_of("漢字".as_bytes(), 3), ("漢…".to_owned(), false));
        assert_eq!(start_of(&[0xff; 100], 3), ("\u{fffd}\u{fffd}…".to_owned(), false));
    }
}
