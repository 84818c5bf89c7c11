//! The tree of lines as rows of the new text, without comments.

use super::spacing::{header, parts, rule};
use crate::format::lines::Line;
use crate::format::token::Token;

/// One row of the new text.
pub(super) struct Row {
    /// How many blocks it is in.
    pub(super) depth: usize,
    pub(super) text: String,
    /// Where its first token stood.
    pub(super) at: usize,
}

/// All rows, in order.
pub(super) fn rows(lines: Vec<Line>, source: &str) -> Vec<Row> {
    let mut walk = Walk { source, rows: Vec::new() };
    walk.layout(&lines, 0);
    walk.rows
}

struct Walk<'s> {
    source: &'s str,
    rows: Vec<Row>,
}

impl Walk<'_> {
    fn push(&mut self, line: &Line, depth: usize, text: String) {
        self.rows.push(Row { depth, text, at: line.span().start });
    }

    fn layout(&mut self, lines: &[Line], depth: usize) {
        for line in lines {
            let starts = |word: &str| line.tokens.first().is_some_and(|t| t.is_word(word));
            if starts("where") {
                self.push(line, depth, "where:".to_owned());
                self.rules(&line.body, depth + 1);
                continue;
            }
            let text = if starts("cases") || starts("repeat") {
                header(&line.tokens, self.source)
            } else if starts("if") {
                rule(&line.tokens, self.source)
            } else {
                parts(&line.tokens, self.source)
            };
            self.push(line, depth, text);
            self.layout(&line.body, depth + 1);
        }
    }

    fn rules(&mut self, lines: &[Line], depth: usize) {
        for line in lines {
            if self.stays_together(line) {
                self.push(line, depth, self.together(line));
                continue;
            }
            self.push(line, depth, rule(&line.tokens, self.source));
            self.rules(&line.body, depth + 1);
        }
    }

    /// Whether a constraint with a block has a row of its own, with all of its block: `subtask 1 (9): N <= 9; K <= 9`.
    /// So short a list is easier to read than rows. What stands in braces becomes rows.
    fn stays_together(&self, line: &Line) -> bool {
        let Some(first) = line.tokens.first() else { return false };
        let before = self.source[..first.span.start].rsplit('\n').next().unwrap_or_default();
        let alone = before.trim().is_empty() || is_guarded(line);
        alone && !has_braces(line) && !self.source[first.span.start..last(line).span.end].contains('\n')
    }

    fn together(&self, line: &Line) -> String {
        let own = rule(&line.tokens, self.source);
        let body: Vec<String> = line.body.iter().map(|inner| self.together(inner)).collect();
        if body.is_empty() { own } else { format!("{own} {}", body.join("; ")) }
    }
}

/// Whether a line is a single constraint below quantifiers and conditions.
fn is_guarded(line: &Line) -> bool {
    let starts = |word: &str| line.tokens.first().is_some_and(|t| t.is_word(word));
    match &line.body[..] {
        [] => true,
        [inner] => (starts("forall") || starts("exists") || starts("if")) && is_guarded(inner),
        _ => false,
    }
}

fn has_braces(line: &Line) -> bool {
    line.braced || line.body.iter().any(has_braces)
}

/// The last token of a line and its block.
fn last(line: &Line) -> &Token {
    line.body.last().map_or_else(|| &line.tokens[line.tokens.len() - 1], last)
}
