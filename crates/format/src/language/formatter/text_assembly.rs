//! Merges rows, comments and empty lines into one text.

use super::INDENT_WIDTH;
use crate::language::logical_line::LogicalLine;
use crate::language::tokenizer::{FormatToken, FormatTokenKind, tokenize_line};

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

// Converts the tree of lines to the rows of the formatted text, without comments.

/// A row of the formatted text.
pub(super) struct FormattedRow {
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

fn last_token(line: &LogicalLine) -> &FormatToken {
    line.body.last().map_or_else(|| &line.tokens[line.tokens.len() - 1], last_token)
}

// Spaces between the tokens of a line.

/// Keywords before a parenthesis that are not function names.
const NON_FUNCTION_WORDS: &[&str] =
    &["edges", "polygon", "on", "of", "in", "and", "or", "not", "if", "let", "real", "forall", "exists", "permutation"];

/// Formats a line of the layout: separate parts stay separate and glued parts stay glued, as in the input.
pub(super) fn space_layout(tokens: &[FormatToken], source: &str) -> String {
    let mut depth = 0;
    join_tokens(tokens, source, |i| {
        let (a, b) = (&tokens[i], &tokens[i + 1]);
        depth += i32::from(a.is_mark("[")) - i32::from(a.is_mark("]"));
        if depth > 0 {
            return a.is_mark(",");
        }
        let joins = a.is_mark("(") || [")", "[", ":"].iter().any(|mark| b.is_mark(mark));
        !joins && a.span.end < b.span.start
    })
}

/// Formats `cases T:`, `repeat n-1:` or `repeat 1..9 until 0 0:`. A size has no spaces; a line that ends or separates
/// repetitions is formatted as a line of the layout.
pub(super) fn space_block_header(tokens: &[FormatToken], source: &str) -> String {
    let starts_line = |at: &usize| *at > 1 && ["until", "separated"].iter().any(|word| tokens[*at].is_word(word));
    let until = (0..tokens.len()).find(starts_line).unwrap_or(tokens.len());
    join_tokens(tokens, source, |i| {
        let (a, b) = (&tokens[i], &tokens[i + 1]);
        if b.is_mark(":") {
            return false;
        }
        let ending = i + 1 >= until && !a.is_mark("-");
        i == 0 || ending || a.is_mark(",")
    })
}

/// Formats a line of the where part, or a condition.
pub(super) fn space_rule(tokens: &[FormatToken], source: &str) -> String {
    let tight = find_tight_operators(tokens);
    join_tokens(tokens, source, |i| {
        let (a, b) = (&tokens[i], &tokens[i + 1]);
        let closes = [")", "]", "[", ",", ":"].iter().any(|mark| b.is_mark(mark));
        let opens = ["(", "["].iter().any(|mark| a.is_mark(mark));
        let joins = ["..", "^"].iter().any(|mark| a.is_mark(mark) || b.is_mark(mark));
        let sign = a.is_mark("-") && is_unary_minus(tokens, i);
        !(closes || opens || joins || sign || tight[i] || tight[i + 1] || is_call(tokens, i))
    })
}

/// Returns true if the name at `at` and the parenthesis after it are a call.
fn is_call(tokens: &[FormatToken], at: usize) -> bool {
    let FormatTokenKind::Name(name) = &tokens[at].kind else { return false };
    let names_subtask = at == 1 && tokens[0].is_word("subtask");
    tokens[at + 1].is_mark("(") && !names_subtask && !NON_FUNCTION_WORDS.contains(&name.as_str())
}

/// Returns true if a minus has no left operand.
fn is_unary_minus(tokens: &[FormatToken], at: usize) -> bool {
    match at.checked_sub(1).map(|before| &tokens[before].kind) {
        None => true,
        Some(FormatTokenKind::Symbol(mark)) => !matches!(*mark, ")" | "]"),
        Some(FormatTokenKind::Name(name)) => NON_FUNCTION_WORDS.contains(&name.as_str()),
        Some(_) => false,
    }
}

/// Returns the operators that are formatted without spaces: in indices, in the ends of ranges, and between numbers as
/// in `2*10^5`.
fn find_tight_operators(tokens: &[FormatToken]) -> Vec<bool> {
    let mut found = vec![false; tokens.len()];
    let mut depth = 0;
    for (i, token) in tokens.iter().enumerate() {
        depth += i32::from(token.is_mark("[")) - i32::from(token.is_mark("]"));
        let number = |at: usize| matches!(tokens.get(at), Some(FormatToken { kind: FormatTokenKind::Number(_), .. }));
        let factor = token.is_mark("*") && i > 0 && number(i - 1) && number(i + 1);
        found[i] |= is_binary_operator(tokens, i) && (depth > 0 || factor);
        if token.is_mark("..") {
            mark_range_end(tokens, (0..i).rev(), &mut found);
            mark_range_end(tokens, i + 1..tokens.len(), &mut found);
        }
    }
    found
}

/// Marks the operators in one end of a range, starting from its dots.
fn mark_range_end(tokens: &[FormatToken], walk: impl Iterator<Item = usize>, found: &mut [bool]) {
    let mut depth = 0;
    for i in walk {
        let token = &tokens[i];
        let ends = [",", ":", "<", "<=", ">", ">=", "=", "!=", "=>", ".."].iter().any(|mark| token.is_mark(mark));
        let word = matches!(&token.kind, FormatTokenKind::Name(name) if NON_FUNCTION_WORDS.contains(&name.as_str()));
        depth += bracket_depth_change(token).abs() * if token.is_mark("(") || token.is_mark("[") { 1 } else { -1 };
        if depth == 0 && (ends || word) {
            return;
        }
        found[i] |= is_binary_operator(tokens, i);
    }
}

fn is_binary_operator(tokens: &[FormatToken], at: usize) -> bool {
    ["+", "-", "*", "/", "%"].iter().any(|mark| tokens[at].is_mark(mark)) && !is_unary_minus(tokens, at)
}

fn bracket_depth_change(token: &FormatToken) -> i32 {
    match token.kind {
        FormatTokenKind::Symbol("(" | "[") => 1,
        FormatTokenKind::Symbol(")" | "]") => -1,
        _ => 0,
    }
}

/// Joins the tokens in their canonical spelling, with a space after each for which `space` returns true.
fn join_tokens(tokens: &[FormatToken], source: &str, mut space: impl FnMut(usize) -> bool) -> String {
    let mut text = String::new();
    for (i, token) in tokens.iter().enumerate() {
        text.push_str(match &token.kind {
            FormatTokenKind::Symbol(mark) => mark,
            _ => &source[token.span.start..token.span.end],
        });
        if i + 1 < tokens.len() && space(i) {
            text.push(' ');
        }
    }
    text
}
