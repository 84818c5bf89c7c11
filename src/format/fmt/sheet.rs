//! Rows, comments and empty lines as one text.

use super::INDENT;
use super::rows::Row;
use crate::format::token::tokens;

/// Rows longer than this do not push the comments of the others to the right.
const WIDEST: usize = 48;

/// What stands on a line of the new text.
enum Entry {
    Row {
        depth: usize,
        text: String,
        comment: Option<String>,
        /// How far the written line was indented.
        margin: usize,
    },
    Comment {
        margin: usize,
        text: String,
    },
    Empty,
}

/// The whole text, from what was written and the rows that it became.
pub(super) fn sheet(source: &str, rows: Vec<Row>) -> String {
    let entries = entries(source, rows);
    let depths = depths(&entries);
    let columns = columns(&entries);
    let mut text = String::new();
    let mut pending = false;
    for (entry, (depth, column)) in entries.iter().zip(depths.into_iter().zip(columns)) {
        let (own, comment) = match entry {
            Entry::Empty => {
                pending = !text.is_empty();
                continue;
            }
            Entry::Row { text, comment, .. } => (text, comment.as_deref()),
            Entry::Comment { text, .. } => (text, None),
        };
        if std::mem::take(&mut pending) {
            text.push('\n');
        }
        let start = text.len();
        text.push_str(&" ".repeat(depth * INDENT));
        text.push_str(own);
        if let Some(comment) = comment {
            let width = text[start..].chars().count();
            text.push_str(&" ".repeat(column.saturating_sub(width).max(2)));
            text.push_str(comment);
        }
        text.push('\n');
    }
    text
}

/// What was written, line by line. The comment of a line that became several rows stands above them.
fn entries(source: &str, rows: Vec<Row>) -> Vec<Entry> {
    let mut found = Vec::new();
    let mut rows = rows.into_iter().peekable();
    let mut start = 0;
    for line in source.split_inclusive('\n') {
        let (margin, comment) = (margin(line), comment(line));
        let end = start + line.len();
        let mut own: Vec<Row> = std::iter::from_fn(|| rows.next_if(|row| row.at < end)).collect();
        start = end;
        match (own.len(), comment) {
            (0, None) if line.trim().is_empty() => found.push(Entry::Empty),
            // A brace alone on its line.
            (0, None) => {}
            (0, Some(text)) => found.push(Entry::Comment { margin, text }),
            (1, comment) => found.extend(own.pop().map(|row| entry(row, margin, comment))),
            (_, comment) => {
                found.extend(comment.map(|text| Entry::Comment { margin, text }));
                found.extend(own.into_iter().map(|row| entry(row, margin, None)));
            }
        }
    }
    found
}

fn entry(row: Row, margin: usize, comment: Option<String>) -> Entry {
    Entry::Row { depth: row.depth, text: row.text, comment, margin }
}

/// How far a line is indented.
fn margin(line: &str) -> usize {
    line.chars().take_while(|c| matches!(c, ' ' | '\t')).map(|c| if c == '\t' { 8 } else { 1 }).sum()
}

/// What follows the last token of a line, if that is not white space.
fn comment(line: &str) -> Option<String> {
    let end = tokens(line, 0, &mut Vec::new()).last().map_or(0, |t| t.span.end);
    Some(line[end..].trim()).filter(|rest| !rest.is_empty()).map(str::to_owned)
}

/// How deep each entry stands: a comment as deep as what follows it, or, if it was indented further, as the line above
/// that it belongs to.
fn depths(entries: &[Entry]) -> Vec<usize> {
    let row = |entry: &Entry| match entry {
        Entry::Row { depth, margin, .. } => Some((*depth, *margin)),
        _ => None,
    };
    let depth_at = |i: usize| match &entries[i] {
        Entry::Row { depth, .. } => *depth,
        Entry::Empty => 0,
        Entry::Comment { margin, .. } => {
            let (below, margin_below) = entries[i..].iter().find_map(row).unwrap_or((0, 0));
            let before = || entries[..i].iter().rev().filter_map(row).find(|(_, m)| m <= margin);
            let above = if *margin > margin_below { before() } else { None };
            above.map_or(below, |(depth, _)| depth.max(below))
        }
    };
    (0..entries.len()).map(depth_at).collect()
}

/// Where the comments after rows begin: in one column for all rows without an empty line between them.
fn columns(entries: &[Entry]) -> Vec<usize> {
    let mut found = Vec::new();
    for stretch in entries.split_inclusive(|entry| matches!(entry, Entry::Empty)) {
        let widths = stretch.iter().filter_map(|entry| match entry {
            Entry::Row { depth, text, comment: Some(_), .. } => Some(depth * INDENT + text.chars().count()),
            _ => None,
        });
        let widest = widths.filter(|width| *width <= WIDEST).max().unwrap_or(0);
        found.extend(stretch.iter().map(|_| widest + 2));
    }
    found
}
