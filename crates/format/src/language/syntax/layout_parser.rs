//! Parser for the lines of the layout.

use super::constraint_parser::{parse_comparison, parse_constraint_line};
use super::term_parser::parse_expression;
use super::token_cursor::TokenCursor;
use super::{COMPARISON_SIGNS, LayoutNode, SyntaxCount, SyntaxField, SyntaxPart, SyntaxPartKind, SyntaxRule};
use crate::language::logical_line::LogicalLine;
use crate::language::tokenizer::{FormatToken, FormatTokenKind};
use crate::language::vocabulary::is_reserved_word;
use crate::model::BlockKind;
use rebut_diagnostics::{Diagnostic, Span};

/// Parses the lines of a format; lines with errors are reported and left out.
pub(super) struct LayoutParser<'p> {
    /// The constraints found so far: below a `where:`, which may be anywhere.
    pub(super) rules: Vec<SyntaxRule>,
    pub(super) problems: &'p mut Vec<Diagnostic>,
}

impl LayoutParser<'_> {
    pub(super) fn parse_layout(&mut self, lines: Vec<LogicalLine>) -> Vec<LayoutNode> {
        let mut found = Vec::new();
        for line in lines {
            if line.tokens.first().is_some_and(|t| t.is_word("where")) {
                let rules = line.body.iter().filter_map(|rule| self.report_problem(parse_constraint_line(rule)));
                let rules: Vec<Vec<SyntaxRule>> = rules.collect();
                self.rules.extend(rules.into_iter().flatten());
                continue;
            }
            let read = self.parse_layout_line(line);
            found.extend(self.report_problem(read));
        }
        found
    }

    fn report_problem<T>(&mut self, result: Result<T, Diagnostic>) -> Option<T> {
        let is_missing_where = |problem: &Diagnostic| problem.code == "missing-where";
        match result {
            Ok(found) => return Some(found),
            // Report it once, since constraints usually follow each other.
            Err(problem) if is_missing_where(&problem) && self.problems.iter().any(is_missing_where) => {}
            Err(problem) => self.problems.push(problem),
        }
        None
    }

    fn parse_layout_line(&mut self, line: LogicalLine) -> Result<LayoutNode, Diagnostic> {
        let first_is = |word: &str| line.tokens.first().is_some_and(|t| t.is_word(word));
        if first_is("either") {
            return self.parse_either(line);
        }
        let kinds = [("cases", BlockKind::Cases), ("repeat", BlockKind::Repeat), ("if", BlockKind::Condition)];
        if let Some((word, kind)) = kinds.into_iter().find(|(word, _)| first_is(word)) {
            return self.parse_block(word, kind, line);
        }
        if let Some(sign) = line.tokens.iter().find(|t| COMPARISON_SIGNS.iter().any(|m| t.is_mark(m))) {
            return Err(Diagnostic::error("missing-where", sign.span, "this constraint is in the layout")
                .with_caret("the layout only lists the contents of the input's lines")
                .with_help("move the constraints below a line `where:`"));
        }
        if line.tokens.last().is_some_and(|t| t.is_mark(":")) {
            return Err(not_a_block_error(&line));
        }
        parse_parts(&mut TokenCursor::for_line(&line), None).map(LayoutNode::Parts)
    }

    /// Parses `cases T:`, `cases T separated by "":`, `repeat M:`, `repeat 1..9 until 0 0:` and `if x = 1:`.
    fn parse_block(&mut self, word: &str, kind: BlockKind, line: LogicalLine) -> Result<LayoutNode, Diagnostic> {
        let (span, mut cursor) = (line.token_span(), TokenCursor::for_line(&line));
        cursor.next_token();
        let (count, separator) = if kind == BlockKind::Condition {
            (SyntaxCount::When(parse_comparison(&mut cursor, "a comparison, as in `if x = 1:`")?), None)
        } else {
            (parse_count(&mut cursor)?, parse_separator(&mut cursor)?)
        };
        cursor.expect_mark(":", &format!("`{word} ...:` ends with a colon"))?;
        cursor.expect_end("after the colon")?;
        if line.body.is_empty() {
            return Err(Diagnostic::error("empty-block", span, format!("`{word}` has no lines"))
                .with_caret("expected indented lines below"));
        }
        let body = self.parse_layout(line.body);
        Ok(LayoutNode::Block { kind, count, separator, body, span })
    }

    /// Parses `either:`. Each line below it starts an alternative, and the lines indented below one that ends in a
    /// colon belong to it.
    fn parse_either(&mut self, line: LogicalLine) -> Result<LayoutNode, Diagnostic> {
        let (span, mut cursor) = (line.token_span(), TokenCursor::for_line(&line));
        cursor.next_token();
        cursor.expect_mark(":", "`either:` ends with a colon")?;
        cursor.expect_end("after the colon")?;
        let mut alternatives: Vec<Vec<LayoutNode>> = Vec::new();
        for mut inner in line.body {
            let opens_block = ["cases", "repeat", "either", "if", "where"]
                .iter()
                .any(|word| inner.tokens.first().is_some_and(|t| t.is_word(word)));
            let mut body = Vec::new();
            if !inner.body.is_empty() && !opens_block {
                body = std::mem::take(&mut inner.body);
                inner.tokens.pop();
            }
            let mut lines = self.parse_layout(vec![inner]);
            lines.extend(self.parse_layout(body));
            if !lines.is_empty() {
                alternatives.push(lines);
            }
        }
        if alternatives.len() < 2 {
            return Err(Diagnostic::error("empty-block", span, "`either` needs at least two alternatives")
                .with_caret("expected indented lines below, one for each alternative"));
        }
        Ok(LayoutNode::Either { alternatives, span })
    }
}

fn parse_count(cursor: &mut TokenCursor) -> Result<SyntaxCount, Diagnostic> {
    let least = parse_expression(cursor)?;
    if !cursor.accept_mark("..") {
        if let Some(until) = cursor.peek_token().filter(|t| t.is_word("until")) {
            return Err(Diagnostic::error("no-bound", until.span, "the number of repetitions has no bounds")
                .with_caret("expected a range before this")
                .with_help("repeat 1..100 until 0 0:"));
        }
        return Ok(SyntaxCount::Times(least));
    }
    let most = parse_expression(cursor)?;
    cursor.expect_word("until", "`until` and the line that ends the repetition, or `until eof`")?;
    if cursor.accept_word("eof") {
        return Ok(SyntaxCount::Until { least, most, sentinel: None });
    }
    let sentinel = parse_fixed_line(cursor, &SENTINEL_WORDING)?;
    Ok(SyntaxCount::Until { least, most, sentinel: Some(sentinel) })
}

/// Parses `separated by` and a line, if it is there.
fn parse_separator(cursor: &mut TokenCursor) -> Result<Option<Vec<u8>>, Diagnostic> {
    if !cursor.accept_word("separated") {
        return Ok(None);
    }
    if !cursor.accept_word("by") {
        let found = cursor.peek_token().map_or(cursor.end_span(), |token| token.span);
        return Err(Diagnostic::error("separator", found, "`by` is missing after `separated`")
            .with_caret("expected `by`")
            .with_help("separated by \"\""));
    }
    parse_fixed_line(cursor, &SEPARATOR_WORDING).map(Some)
}

/// How diagnostics name a line that is the same in every input.
struct FixedLineWording {
    code: &'static str,
    message: &'static str,
    expected: &'static str,
    missing: &'static str,
}

const SENTINEL_WORDING: FixedLineWording = FixedLineWording {
    code: "sentinel",
    message: "the terminating line consists of numbers and texts",
    expected: "expected a number, a text in double quotes, or `eof`",
    missing: "the line that ends the repetition, or `eof`",
};

const SEPARATOR_WORDING: FixedLineWording = FixedLineWording {
    code: "separator",
    message: "the line between two repetitions consists of numbers and texts",
    expected: "expected a number or a text in double quotes",
    missing: "the line between two repetitions; `\"\"` is an empty one",
};

/// Parses numbers and texts up to the colon or the separator of a block's header, and returns the line of the input
/// that they stand for.
fn parse_fixed_line(cursor: &mut TokenCursor, wording: &FixedLineWording) -> Result<Vec<u8>, Diagnostic> {
    let mut words: Vec<String> = Vec::new();
    while let Some(first) = cursor.peek_token().filter(|t| !t.is_mark(":") && !t.is_word("separated")) {
        let sign = if cursor.accept_mark("-") { "-" } else { "" };
        let token = cursor.next_token().unwrap_or(first);
        words.push(match &token.kind {
            FormatTokenKind::Number(number) => format!("{sign}{number}"),
            FormatTokenKind::Decimal(number, decimals) => format!("{sign}{}", format_decimal(*number, *decimals)),
            FormatTokenKind::Text(text) => format!("{sign}{}", String::from_utf8_lossy(&text.unescaped)),
            _ => {
                let problem = Diagnostic::error(wording.code, token.span, wording.message).with_caret(wording.expected);
                return Err(match &token.kind {
                    FormatTokenKind::Name(name) => problem.with_help(format!("write a word in quotes: \"{name}\"")),
                    _ => problem,
                });
            }
        });
    }
    if words.is_empty() {
        return Err(cursor.unexpected_end_error(wording.missing));
    }
    Ok(words.join(" ").into_bytes())
}

fn format_decimal(number: i128, decimals: u32) -> String {
    let digits = format!("{number:0width$}", width = decimals as usize + 1);
    let (whole, after) = digits.split_at(digits.len() - decimals as usize);
    format!("{whole}.{after}")
}

/// Parses the parts of a line, or of a group up to the parenthesis that closes the one at `open`.
fn parse_parts(cursor: &mut TokenCursor, open: Option<Span>) -> Result<Vec<SyntaxPart>, Diagnostic> {
    let mut found: Vec<SyntaxPart> = Vec::new();
    while !(open.is_some() && cursor.peek_is_mark(")")) {
        let Some(token) = cursor.next_token() else { break };
        let glued = found.last().is_some_and(|before| before.span.end == token.span.start);
        let (kind, span) = match &token.kind {
            FormatTokenKind::Name(name) => {
                let field = parse_field(name, token.span, cursor)?;
                let span = field.span;
                (SyntaxPartKind::Field(field), span)
            }
            FormatTokenKind::Symbol("(") => cursor.parse_nested(|inner| parse_bracket(inner, token.span))?,
            FormatTokenKind::Number(number) => (SyntaxPartKind::Literal(number.to_string().into_bytes()), token.span),
            FormatTokenKind::Text(text) => {
                (SyntaxPartKind::Literal(parse_literal(&text.unescaped, token.span)?), token.span)
            }
            FormatTokenKind::Letter(letter) => {
                (SyntaxPartKind::Literal(parse_literal(&[*letter], token.span)?), token.span)
            }
            FormatTokenKind::Symbol(_) | FormatTokenKind::Decimal(..) => return Err(not_a_field_error(token)),
        };
        found.push(SyntaxPart { kind, span, glued });
    }
    let is_empty = |part: &&SyntaxPart| matches!(&part.kind, SyntaxPartKind::Literal(text) if text.is_empty());
    match found.iter().find(is_empty).filter(|_| found.len() > 1 || open.is_some()) {
        Some(part) => Err(Diagnostic::error("bad-literal", part.span, "an empty text is a line of its own")
            .with_caret("it stands for an empty line of the input")),
        None => Ok(found),
    }
}

/// Parses parentheses: the rows of one field, `(words[n][])`, or, followed by a number, a repeated group, `(x y)[n]`.
fn parse_bracket(cursor: &mut TokenCursor, open: Span) -> Result<(SyntaxPartKind, Span), Diagnostic> {
    let mut inside = parse_parts(cursor, Some(open))?;
    let close = cursor.expect_mark(")", "this bracket must be closed")?;
    if cursor.accept_mark("[") {
        let count = parse_expression(cursor)?;
        let end = cursor.expect_mark("]", "the number of repetitions ends with `]`")?;
        if inside.is_empty() {
            return Err(Diagnostic::error("empty-block", open.to(end), "nothing is repeated here")
                .with_caret("expected fields in the brackets"));
        }
        return Ok((SyntaxPartKind::Group { parts: inside, count: Box::new(count) }, open.to(end)));
    }
    match (inside.pop(), inside.is_empty()) {
        (Some(SyntaxPart { kind: SyntaxPartKind::Field(field), .. }), true) => {
            Ok((SyntaxPartKind::Field(SyntaxField { on_one_line: true, ..field }), open.to(close)))
        }
        _ => Err(Diagnostic::error("group", open.to(close), "the number of repetitions is missing")
            .with_caret("a field in brackets has its rows on one line: `(words[n][])`")
            .with_help("to repeat several fields, add a number after the brackets: `(x y)[n]`")),
    }
}

/// Reports a line with a colon that opens no block.
fn not_a_block_error(line: &LogicalLine) -> Diagnostic {
    let span = line.tokens.first().map_or(line.token_span(), |token| token.span);
    Diagnostic::error("not-a-block", span, "this line opens no block")
        .with_caret("expected `cases`, `repeat`, `if` or `either`")
        .with_help(
            "test cases: `cases T:`; lines repeated q times: `repeat q:`; write a colon of the input in quotes: \":\"",
        )
}

fn not_a_field_error(token: &FormatToken) -> Diagnostic {
    let problem = Diagnostic::error("not-a-field", token.span, format!("{} is not a field", token.display_text()))
        .with_caret("expected a name");
    match token.kind {
        FormatTokenKind::Symbol(",") => problem.with_help("separate fields by a space, as in the input"),
        FormatTokenKind::Symbol("{" | "}") => {
            problem.with_help("braces group lines after the colon of a block: `repeat m: { k; x[k] }`")
        }
        FormatTokenKind::Symbol(mark) => {
            problem.with_help(format!("if the input has it there, write it in quotes: \"{mark}\""))
        }
        _ => problem,
    }
}

/// Checks a literal of the layout. An empty one is an empty line.
fn parse_literal(text: &[u8], span: Span) -> Result<Vec<u8>, Diagnostic> {
    if text.iter().any(|b| !b.is_ascii_graphic()) {
        let problem = Diagnostic::error("bad-literal", span, "fixed words consist of visible ASCII characters");
        return Err(match text.is_ascii() {
            true => problem
                .with_caret("expected no spaces")
                .with_help("write several words as several texts: \"Case\" \"one\""),
            false => problem.with_caret("one of these is no ASCII character"),
        });
    }
    Ok(text.to_vec())
}

/// Parses the dimensions of a field after its name.
fn parse_field(name: &str, span: Span, cursor: &mut TokenCursor) -> Result<SyntaxField, Diagnostic> {
    if is_reserved_word(name) {
        return Err(Diagnostic::error("keyword", span, format!("`{name}` is a keyword"))
            .with_caret("choose another name for the field"));
    }
    let mut field = SyntaxField { name: name.to_owned(), span, dimensions: Vec::new(), on_one_line: false };
    while cursor.accept_mark("[") {
        field.dimensions.push(if cursor.peek_is_mark("]") { None } else { Some(parse_expression(cursor)?) });
        let close = cursor.expect_mark("]", "a dimension ends with `]`").map_err(|problem| {
            problem.with_help(format!("the brackets contain the number of elements, counted from 1: `{name}[n]`"))
        })?;
        field.span = field.span.to(close);
    }
    Ok(field)
}
