//! Arranges text in lines and columns.

use super::styled_line::{StyledLine, prefix_of_width};
use unicode_width::UnicodeWidthStr;

/// Arranges pieces in lines, separated by `gap` spaces. The first line starts with `head`; further lines are indented
/// by its width.
pub(crate) fn flow_pieces(
    head: StyledLine,
    pieces: impl IntoIterator<Item = StyledLine>,
    gap: usize,
    width: usize,
) -> Vec<StyledLine> {
    let indent = head.width();
    let mut lines = Vec::new();
    let mut line = head;
    let mut is_first = true;
    for piece in pieces.into_iter().filter(|piece| !piece.is_empty()) {
        if !is_first && line.width() + gap + piece.width() > width {
            lines.push(std::mem::take(&mut line));
            line = StyledLine::from_plain(" ".repeat(indent));
            is_first = true;
        }
        let space = if is_first { 0 } else { gap };
        line = line.add_plain(" ".repeat(space)).append_line(piece);
        is_first = false;
    }
    lines.push(line);
    lines
}

pub(crate) fn wrap_words(head: StyledLine, text: &str, width: usize) -> Vec<StyledLine> {
    flow_pieces(head, text.split_whitespace().map(StyledLine::from_plain), 1, width)
}

/// Wraps a text between words, and never cuts a word that is wider than a line: it is a path or a command.
pub(crate) fn wrap_uncut(head: StyledLine, text: &str, width: usize) -> Vec<StyledLine> {
    wrap_words(head, text, width).into_iter().map(StyledLine::into_uncut).collect()
}

/// Wraps a text between words, without colours. The first line starts with `head`; further lines are indented by its
/// width. Each line ends with a newline.
pub(crate) fn wrap_plain_text(head: &str, text: &str, width: usize) -> String {
    let lines = wrap_uncut(StyledLine::from_plain(head), text, width);
    lines.iter().map(|line| line.render_ansi(false) + "\n").collect()
}

/// Joins two blocks of lines in two columns if both fit in `width`; else one below the other, separated by an empty
/// line.
pub(crate) fn join_columns(left: Vec<StyledLine>, right: Vec<StyledLine>, gap: usize, width: usize) -> Vec<StyledLine> {
    let column = left.iter().map(StyledLine::width).max().unwrap_or(0) + gap;
    let needed = column + right.iter().map(StyledLine::width).max().unwrap_or(0);
    if needed > width {
        return left.into_iter().chain([StyledLine::new()]).chain(right).collect();
    }
    let rows = left.len().max(right.len());
    let (mut left, mut right) = (left.into_iter(), right.into_iter());
    (0..rows)
        .map(|_| left.next().unwrap_or_default().pad_to_width(column).append_line(right.next().unwrap_or_default()))
        .collect()
}

/// Returns the longest prefix of a text that fits in `width` columns, and whether that is the whole text.
pub(crate) fn truncate_to_width(text: &[u8], width: usize) -> (String, bool) {
    // A visible character takes at most four bytes and at least one column.
    let prefix = &text[..text.len().min((width + 2) * 4)];
    let shown = super::escape::escape_invisible(&String::from_utf8_lossy(prefix)).into_owned();
    if prefix.len() == text.len() && shown.width() <= width {
        return (shown, true);
    }
    (format!("{}…", prefix_of_width(&shown, width.saturating_sub(1))), false)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rendered_text(lines: &[StyledLine]) -> String {
        lines.iter().map(|line| line.render_ansi(false)).collect::<Vec<_>>().join("\n")
    }

    #[test]
    fn pieces_flow_below_the_first() {
        let lines =
            flow_pieces(StyledLine::from_plain("FAIL  "), ["one", "two", "three"].map(StyledLine::from_plain), 3, 16);
        assert_eq!(rendered_text(&lines), "FAIL  one   two\n      three");
    }

    #[test]
    fn sentences_break_between_words() {
        assert_eq!(
            rendered_text(&wrap_words(StyledLine::from_plain("- "), "a bb ccc dddd-eeee-ffff g", 8)),
            "- a bb\n  ccc\n  dddd-eeee-ffff\n  g"
        );
    }

    #[test]
    fn columns_are_joined_only_if_they_fit() {
        let left = vec![StyledLine::from_plain("a"), StyledLine::from_plain("bbb")];
        let right = vec![StyledLine::from_plain("c")];
        assert_eq!(rendered_text(&join_columns(left.clone(), right.clone(), 2, 6)), "a    c\nbbb");
        assert_eq!(rendered_text(&join_columns(left, right, 2, 5)), "a\nbbb\n\nc");
    }

    #[test]
    fn truncated_text_fits_the_width() {
        assert_eq!(truncate_to_width("漢字".as_bytes(), 4), ("漢字".to_owned(), true));
        assert_eq!(truncate_to_width("漢字".as_bytes(), 3), ("漢…".to_owned(), false));
        assert_eq!(truncate_to_width(&[0xff; 100], 3), ("\u{fffd}\u{fffd}…".to_owned(), false));
    }
}
