//! Merges rows, comments and empty lines into one text.

use super::INDENT_WIDTH;
use super::formatted_rows::FormattedRow;
use crate::language::tokenizer::tokenize_line;

/// Rows longer than this do not move the comments of other rows to the right.
const MAX_COMMENT_COLUMN: usize = 48;

/// A line of the formatted text.
enum FormattedEntry {
    Row {
        depth: usize,
        text: String,
        comment: Option<String>,
        /// Indentation of the original line.
        margin: usize,
    },
    Comment {
        margin: usize,
        text: String,
    },
    Empty,
}

/// Assembles the text from the source and its formatted rows.
pub(super) fn assemble_text(source: &str, rows: Vec<FormattedRow>) -> String {
    let entries = collect_entries(source, rows);
    let depths = entry_depths(&entries);
    let columns = comment_columns(&entries);
    let mut text = String::new();
    let mut pending = false;
    for (entry, (depth, column)) in entries.iter().zip(depths.into_iter().zip(columns)) {
        let (own, comment) = match entry {
            FormattedEntry::Empty => {
                pending = !text.is_empty();
                continue;
            }
            FormattedEntry::Row { text, comment, .. } => (text, comment.as_deref()),
            FormattedEntry::Comment { text, .. } => (text, None),
        };
        if std::mem::take(&mut pending) {
            text.push('\n');
        }
        let start = text.len();
        text.push_str(&" ".repeat(depth * INDENT_WIDTH));
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

/// Collects the entries of the source, line by line. The comment of a line that became several rows is placed above
/// them.
fn collect_entries(source: &str, rows: Vec<FormattedRow>) -> Vec<FormattedEntry> {
    let mut found = Vec::new();
    let mut rows = rows.into_iter().peekable();
    let mut start = 0;
    for line in source.split_inclusive('\n') {
        let (margin, comment) = (indent_width(line), trailing_comment(line));
        let end = start + line.len();
        let mut own: Vec<FormattedRow> = std::iter::from_fn(|| rows.next_if(|row| row.at < end)).collect();
        start = end;
        match (own.len(), comment) {
            (0, None) if line.trim().is_empty() => found.push(FormattedEntry::Empty),
            // A brace alone on its line.
            (0, None) => {}
            (0, Some(text)) => found.push(FormattedEntry::Comment { margin, text }),
            (1, comment) => found.extend(own.pop().map(|row| row_entry(row, margin, comment))),
            (_, comment) => {
                found.extend(comment.map(|text| FormattedEntry::Comment { margin, text }));
                found.extend(own.into_iter().map(|row| row_entry(row, margin, None)));
            }
        }
    }
    found
}

fn row_entry(row: FormattedRow, margin: usize, comment: Option<String>) -> FormattedEntry {
    FormattedEntry::Row { depth: row.depth, text: row.text, comment, margin }
}

/// Returns the indentation of a line.
fn indent_width(line: &str) -> usize {
    line.chars().take_while(|c| matches!(c, ' ' | '\t')).map(|c| if c == '\t' { 8 } else { 1 }).sum()
}

/// Returns the text after the last token of a line, unless it is white space.
fn trailing_comment(line: &str) -> Option<String> {
    let end = tokenize_line(line, 0, &mut Vec::new()).last().map_or(0, |t| t.span.end);
    Some(line[end..].trim()).filter(|rest| !rest.is_empty()).map(str::to_owned)
}

/// Returns the depth of each entry: a comment is as deep as what follows it, or, if it was indented further, as the
/// row above.
fn entry_depths(entries: &[FormattedEntry]) -> Vec<usize> {
    let row = |entry: &FormattedEntry| match entry {
        FormattedEntry::Row { depth, margin, .. } => Some((*depth, *margin)),
        _ => None,
    };
    let depth_at = |i: usize| match &entries[i] {
        FormattedEntry::Row { depth, .. } => *depth,
        FormattedEntry::Empty => 0,
        FormattedEntry::Comment { margin, .. } => {
            let (below, margin_below) = entries[i..].iter().find_map(row).unwrap_or((0, 0));
            let before = || entries[..i].iter().rev().filter_map(row).find(|(_, m)| m <= margin);
            let above = if *margin > margin_below { before() } else { None };
            above.map_or(below, |(depth, _)| depth.max(below))
        }
    };
    (0..entries.len()).map(depth_at).collect()
}

/// Returns the columns of trailing comments: one per group of rows without an empty line between them.
fn comment_columns(entries: &[FormattedEntry]) -> Vec<usize> {
    let mut found = Vec::new();
    for stretch in entries.split_inclusive(|entry| matches!(entry, FormattedEntry::Empty)) {
        let widths = stretch.iter().filter_map(|entry| match entry {
            FormattedEntry::Row { depth, text, comment: Some(_), .. } => {
                Some(depth * INDENT_WIDTH + text.chars().count())
            }
            _ => None,
        });
        let widest = widths.filter(|width| *width <= MAX_COMMENT_COLUMN).max().unwrap_or(0);
        found.extend(stretch.iter().map(|_| widest + 2));
    }
    found
}
