//! Converts the tree of lines to the rows of the formatted text, without comments.

use super::spacing::{space_block_header, space_layout, space_rule};
use crate::language::logical_line::LogicalLine;
use crate::language::tokenizer::FormatToken;

/// A row of the formatted text.
pub(super) struct FormattedRow {
    /// Nesting depth.
    pub(super) depth: usize,
    pub(super) text: String,
    /// Offset of its first token in the source.
    pub(super) at: usize,
}

/// Returns all rows, in order.
pub(super) fn format_rows(lines: Vec<LogicalLine>, source: &str) -> Vec<FormattedRow> {
    let mut walk = RowFormatter { source, rows: Vec::new() };
    walk.format_layout(&lines, 0);
    walk.rows
}

struct RowFormatter<'s> {
    source: &'s str,
    rows: Vec<FormattedRow>,
}

impl RowFormatter<'_> {
    fn push_row(&mut self, line: &LogicalLine, depth: usize, text: String) {
        self.rows.push(FormattedRow { depth, text, at: line.token_span().start });
    }

    fn format_layout(&mut self, lines: &[LogicalLine], depth: usize) {
        for line in lines {
            let starts = |word: &str| line.tokens.first().is_some_and(|t| t.is_word(word));
            if starts("where") {
                self.push_row(line, depth, "where:".to_owned());
                self.format_rules(&line.body, depth + 1);
                continue;
            }
            let text = if starts("cases") || starts("repeat") {
                space_block_header(&line.tokens, self.source)
            } else if starts("if") {
                space_rule(&line.tokens, self.source)
            } else {
                space_layout(&line.tokens, self.source)
            };
            self.push_row(line, depth, text);
            self.format_layout(&line.body, depth + 1);
        }
    }

    fn format_rules(&mut self, lines: &[LogicalLine], depth: usize) {
        for line in lines {
            if self.fits_one_row(line) {
                self.push_row(line, depth, self.join_block(line));
                continue;
            }
            self.push_row(line, depth, space_rule(&line.tokens, self.source));
            self.format_rules(&line.body, depth + 1);
        }
    }

    /// Returns true if a constraint and its block fit on one row: `subtask 1 (9): N <= 9; K <= 9`. Such a short list
    /// is easier to read than several rows. Braces always become rows.
    fn fits_one_row(&self, line: &LogicalLine) -> bool {
        let Some(first) = line.tokens.first() else { return false };
        let before = self.source[..first.span.start].rsplit('\n').next().unwrap_or_default();
        let alone = before.trim().is_empty() || is_single_constraint(line);
        alone && !has_braces(line) && !self.source[first.span.start..last_token(line).span.end].contains('\n')
    }

    fn join_block(&self, line: &LogicalLine) -> String {
        let own = space_rule(&line.tokens, self.source);
        let body: Vec<String> = line.body.iter().map(|inner| self.join_block(inner)).collect();
        if body.is_empty() { own } else { format!("{own} {}", body.join("; ")) }
    }
}

/// Returns true if a line is a single constraint below quantifiers and conditions.
fn is_single_constraint(line: &LogicalLine) -> bool {
    let starts = |word: &str| line.tokens.first().is_some_and(|t| t.is_word(word));
    match &line.body[..] {
        [] => true,
        [inner] => (starts("forall") || starts("exists") || starts("if")) && is_single_constraint(inner),
        _ => false,
    }
}

fn has_braces(line: &LogicalLine) -> bool {
    line.braced || line.body.iter().any(has_braces)
}

/// Returns the last token of a line and its block.
fn last_token(line: &LogicalLine) -> &FormatToken {
    line.body.last().map_or_else(|| &line.tokens[line.tokens.len() - 1], last_token)
}
