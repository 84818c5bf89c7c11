//! A row as it is printed: what differs emphasised, long lines cut, nothing left that a terminal obeys.

use std::ops::Range;

use super::marks::{Marks, marks};
use super::pairs::{Pair, SideLine};
use super::rule::Rule;
use super::{DiffOptions, Piece, Row, RowKind};
use crate::show::{boundary, visible};
use crate::text::trim_end;

/// The end of a line, where one side has it and the other has not.
const NEWLINE: &str = "␊";
/// What was cut off.
const ELLIPSIS: &str = "…";

/// The row that shows a pair.
pub(crate) fn row(pair: &Pair<'_>, same: bool, rule: Rule<'_>, options: &DiffOptions) -> Row {
    let shown = |line: &SideLine<'_>, marks: &Marks, start| {
        line_pieces(&line.text, marks, start..start.saturating_add(options.width.max(1)), rule.is_exact())
    };
    let (kind, expected, got) = match (&pair.expected, &pair.found) {
        (Some(a), Some(b)) if same => (RowKind::Same, Some(shown(a, &vec![], 0)), Some(shown(b, &vec![], 0))),
        (Some(a), Some(b)) => {
            let (left, right) = marks(&a.text, &b.text, rule, options.deadline);
            let start = window_start(&left, &right, options.width);
            let (left, right) = (shown(a, &left, start), shown(b, &right, start));
            (RowKind::Changed, Some(with_end(left, a, b.ended, rule)), Some(with_end(right, b, a.ended, rule)))
        }
        (Some(a), None) => (RowKind::Missing, Some(with_end(shown(a, &lone(a, rule), 0), a, false, rule)), None),
        (None, found) => {
            let pieces = found.as_ref().map(|b| with_end(shown(b, &lone(b, rule), 0), b, false, rule));
            (RowKind::Extra, None, pieces)
        }
    };
    Row { number: pair.number, kind, expected, got }
}

/// What to mark in a line that stands alone: the white space at its end, if that counts.
fn lone(line: &SideLine<'_>, rule: Rule<'_>) -> Marks {
    let end = trim_end(&line.text).len();
    let blanks = (rule.is_exact() && end < line.text.len()).then_some(end..line.text.len());
    blanks.into_iter().collect()
}

/// Adds the newline to a line that has one where its counterpart has none, if that counts.
fn with_end(mut pieces: Vec<Piece>, line: &SideLine<'_>, other_ended: bool, rule: Rule<'_>) -> Vec<Piece> {
    if rule.is_exact() && line.ended && !other_ended {
        pieces.push(Piece { text: NEWLINE.to_owned(), emphasised: true });
    }
    pieces
}

/// Where to begin to show two lines, the same for both: before the first difference, if that is far.
fn window_start(left: &Marks, right: &Marks, width: usize) -> usize {
    let first = left.iter().chain(right).map(|mark| mark.start).min().unwrap_or(0);
    let lead = width / 4;
    if first + lead < width { 0 } else { first - lead.min(first) }
}

/// The part of a line within the window, in pieces.
fn line_pieces(text: &[u8], marks: &Marks, window: Range<usize>, exact: bool) -> Vec<Piece> {
    let (start, end) = (boundary(text, window.start), boundary(text, window.end));
    let mut line = LinePieces { text, exact, pieces: Vec::new() };
    line.push_cut(start > 0);
    let mut at = start;
    for mark in marks {
        let mark = mark.start.clamp(at, end)..mark.end.clamp(at, end);
        line.push(at..mark.start, false);
        line.push(mark.clone(), true);
        at = mark.end;
    }
    line.push(at..end, false);
    line.push_cut(end < text.len());
    line.pieces
}

/// The pieces of a line, as they come together.
struct LinePieces<'a> {
    text: &'a [u8],
    exact: bool,
    pieces: Vec<Piece>,
}

impl LinePieces<'_> {
    /// Adds a stretch, to the last piece if that is of the same kind. Emphasis on a space cannot be seen, so
    /// where spaces count an emphasised one becomes a dot.
    fn push(&mut self, part: Range<usize>, emphasised: bool) {
        if part.is_empty() {
            return;
        }
        let text = visible(&self.text[part]);
        let text = if self.exact && emphasised { text.replace(' ', "·") } else { text };
        match self.pieces.last_mut() {
            Some(last) if last.emphasised == emphasised => last.text.push_str(&text),
            _ => self.pieces.push(Piece { text, emphasised }),
        }
    }

    /// Says that something was cut off here.
    fn push_cut(&mut self, cut: bool) {
        if cut {
            self.pieces.push(Piece { text: ELLIPSIS.to_owned(), emphasised: false });
        }
    }
}
