//! Builds printable rows: differences emphasised, long lines cut, control characters escaped.

use super::diff_rule::{DiffLine, DiffRule, LinePair};
use super::marked_ranges::{MarkedRanges, mark_differences};
use super::{DiffOptions, DiffRow, DiffRowKind, DiffSegment};
use crate::printable::{char_boundary, escape_text};
use crate::tokenizer::trim_end;
use std::ops::Range;

/// Shows the newline of a line, if only one side has it.
const NEWLINE: &str = "␊";

/// Marks a cut.
const ELLIPSIS: &str = "…";

pub(crate) fn build_row(pair: &LinePair<'_>, same: bool, rule: DiffRule<'_>, options: &DiffOptions) -> DiffRow {
    let shown = |line: &DiffLine<'_>, marks: &MarkedRanges, start| {
        line_segments(&line.text, marks, start..start.saturating_add(options.width.max(1)), rule.is_exact())
    };
    let (kind, expected, got) = match (&pair.expected, &pair.found) {
        (Some(a), Some(b)) if same => (DiffRowKind::Same, Some(shown(a, &vec![], 0)), Some(shown(b, &vec![], 0))),
        (Some(a), Some(b)) => {
            let (left, right) = mark_differences(&a.text, &b.text, rule, options.deadline);
            let start = window_start(&left, &right, options.width);
            let (left, right) = (shown(a, &left, start), shown(b, &right, start));
            (
                DiffRowKind::Changed,
                Some(append_newline_mark(left, a, b.has_newline, rule)),
                Some(append_newline_mark(right, b, a.has_newline, rule)),
            )
        }
        (Some(a), None) => (
            DiffRowKind::Missing,
            Some(append_newline_mark(shown(a, &mark_trailing_blanks(a, rule), 0), a, false, rule)),
            None,
        ),
        (None, found) => {
            let pieces = found
                .as_ref()
                .map(|b| append_newline_mark(shown(b, &mark_trailing_blanks(b, rule), 0), b, false, rule));
            (DiffRowKind::Extra, None, pieces)
        }
    };
    DiffRow { number: pair.number, kind, expected, found: got }
}

/// Marks the white space at the end of a line without a counterpart, if the rules compare it.
fn mark_trailing_blanks(line: &DiffLine<'_>, rule: DiffRule<'_>) -> MarkedRanges {
    let end = trim_end(&line.text).len();
    let blanks = (rule.is_exact() && end < line.text.len()).then_some(end..line.text.len());
    blanks.into_iter().collect()
}

/// Appends a marked newline if the counterpart has none, and the rules compare it.
fn append_newline_mark(
    mut pieces: Vec<DiffSegment>,
    line: &DiffLine<'_>,
    other_ended: bool,
    rule: DiffRule<'_>,
) -> Vec<DiffSegment> {
    if rule.is_exact() && line.has_newline && !other_ended {
        pieces.push(DiffSegment { text: NEWLINE.to_owned(), emphasised: true });
    }
    pieces
}

/// Returns where to start showing two lines, the same for both: shortly before the first difference, if it is far from
/// the start.
fn window_start(left: &MarkedRanges, right: &MarkedRanges, width: usize) -> usize {
    let first = left.iter().chain(right).map(|mark| mark.start).min().unwrap_or(0);
    let lead = width / 4;
    if first + lead < width { 0 } else { first - lead.min(first) }
}

/// Splits the part of a line within the window into segments.
fn line_segments(text: &[u8], marks: &MarkedRanges, window: Range<usize>, exact: bool) -> Vec<DiffSegment> {
    let (start, end) = (char_boundary(text, window.start), char_boundary(text, window.end));
    let mut line = SegmentBuilder { text, exact, segments: Vec::new() };
    line.push_ellipsis(start > 0);
    let mut at = start;
    for mark in marks {
        let mark = mark.start.clamp(at, end)..mark.end.clamp(at, end);
        line.push_range(at..mark.start, false);
        line.push_range(mark.clone(), true);
        at = mark.end;
    }
    line.push_range(at..end, false);
    line.push_ellipsis(end < text.len());
    line.segments
}

/// Collects the segments of a line.
struct SegmentBuilder<'a> {
    text: &'a [u8],
    exact: bool,
    segments: Vec<DiffSegment>,
}

impl SegmentBuilder<'_> {
    /// Appends a range, merging it with the last segment if both are emphasised or neither is. Emphasis is invisible on
    /// spaces, so an emphasised one becomes a dot if spaces are compared.
    fn push_range(&mut self, part: Range<usize>, emphasised: bool) {
        if part.is_empty() {
            return;
        }
        let text = escape_text(&self.text[part]);
        let text = if self.exact && emphasised { text.replace(' ', "·") } else { text };
        match self.segments.last_mut() {
            Some(last) if last.emphasised == emphasised => last.text.push_str(&text),
            _ => self.segments.push(DiffSegment { text, emphasised }),
        }
    }

    /// Appends an ellipsis where the line is cut.
    fn push_ellipsis(&mut self, cut: bool) {
        if cut {
            self.segments.push(DiffSegment { text: ELLIPSIS.to_owned(), emphasised: false });
        }
    }
}
