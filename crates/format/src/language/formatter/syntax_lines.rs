//! Converts a syntax tree to lines of tokens: the printer. The spaces and the rows follow as for any other text.

use super::INDENT_WIDTH;
use super::syntax_tokens::TokenWriter;
use super::text_assembly::{format_rows, space_rule};
use crate::language::logical_line::LogicalLine;
use crate::language::syntax::{
    ComparisonChain, LayoutNode, SyntaxCount, SyntaxField, SyntaxFieldKind, SyntaxFormula, SyntaxPart, SyntaxPartKind,
    SyntaxProperty, SyntaxRule, SyntaxTerm, SyntaxTree,
};
use crate::model::BlockKind;
use std::fmt;

/// Maximum number of digits of a literal without quotes.
const MAX_PLAIN_DIGITS: usize = 30;

impl fmt::Display for SyntaxTree {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut printer = SyntaxPrinter::default();
        let mut lines = printer.layout_lines(&self.layout);
        if !self.rules.is_empty() {
            let tokens = printer.line(true, |line| {
                line.push_word("where");
                line.push_mark(":");
            });
            lines.push(LogicalLine { body: printer.rule_lines(&self.rules, true), ..tokens });
        }
        let mut rows = format_rows(lines, &printer.text).into_iter();
        rows.try_for_each(|row| writeln!(f, "{:width$}{}", "", row.text, width = row.depth * INDENT_WIDTH))
    }
}

impl fmt::Display for SyntaxTerm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_line(f, |line| line.push_term(self))
    }
}

impl fmt::Display for SyntaxFormula {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_line(f, |line| line.push_formula(self))
    }
}

/// Writes a part of a constraint on a line.
fn write_line(f: &mut fmt::Formatter<'_>, write: impl FnOnce(&mut TokenWriter<'_>)) -> fmt::Result {
    let mut printer = SyntaxPrinter::default();
    let tokens = printer.line(true, write).tokens;
    f.write_str(&space_rule(&tokens, &printer.text))
}

#[derive(Default)]
struct SyntaxPrinter {
    /// The spelling of all tokens.
    text: String,
}

impl SyntaxPrinter {
    fn line(&mut self, apart: bool, write: impl FnOnce(&mut TokenWriter<'_>)) -> LogicalLine {
        let mut line = TokenWriter::new(&mut self.text, apart);
        write(&mut line);
        LogicalLine { tokens: line.tokens, body: Vec::new(), braced: false }
    }

    // The layout.

    fn layout_lines(&mut self, nodes: &[LayoutNode]) -> Vec<LogicalLine> {
        nodes.iter().map(|node| self.layout_line(node)).collect()
    }

    fn layout_line(&mut self, node: &LayoutNode) -> LogicalLine {
        match node {
            LayoutNode::Parts(parts) => self.line(true, |line| write_parts(line, parts)),
            LayoutNode::Block { kind, count, separator, body, .. } => {
                let header = self.line(true, |line| write_block_header(line, *kind, count, separator.as_deref()));
                LogicalLine { body: self.layout_lines(body), ..header }
            }
            LayoutNode::Either { alternatives, .. } => {
                let header = self.line(true, |line| {
                    line.push_word("either");
                    line.push_mark(":");
                });
                let body = alternatives.iter().flat_map(|lines| self.alternative_lines(lines)).collect();
                LogicalLine { body, ..header }
            }
        }
    }

    /// Returns the lines of an alternative: the first one, with the others below it.
    fn alternative_lines(&mut self, nodes: &[LayoutNode]) -> Vec<LogicalLine> {
        let [LayoutNode::Parts(first), rest @ ..] = nodes else { return self.layout_lines(nodes) };
        let header = self.line(true, |line| {
            write_parts(line, first);
            if !rest.is_empty() {
                line.push_mark(":");
            }
        });
        vec![LogicalLine { body: self.layout_lines(rest), ..header }]
    }

    // The constraints.

    /// Returns the lines of constraints. The bounds of a real number are part of its type.
    fn rule_lines(&mut self, rules: &[SyntaxRule], apart: bool) -> Vec<LogicalLine> {
        let mut lines = Vec::new();
        let mut rest = rules;
        while let [first, after @ ..] = rest {
            rest = after;
            let bounds = match (first, after) {
                (SyntaxRule::FieldKind { names, of: SyntaxFieldKind::Real(_) }, [SyntaxRule::Chain(chain), ..]) => {
                    Some(chain).filter(|chain| are_bounds_of(chain, names))
                }
                _ => None,
            };
            if bounds.is_some() {
                rest = &after[1..];
            }
            lines.push(self.rule_line(first, bounds, apart));
        }
        lines
    }

    fn rule_line(&mut self, rule: &SyntaxRule, bounds: Option<&ComparisonChain>, apart: bool) -> LogicalLine {
        let SyntaxRule::Subtask { name, points, rules, .. } = rule else {
            return self.line(apart, |line| write_rule(line, rule, bounds));
        };
        let rules = rules.as_deref().unwrap_or_default();
        let header = self.line(apart, |line| {
            line.push_word("subtask");
            line.push_word(name);
            if let Some(points) = points {
                line.push_parentheses(|line| line.push_term(points));
            }
            if !rules.is_empty() {
                line.push_mark(":");
            }
        });
        LogicalLine { body: self.rule_lines(rules, rules.len() > 1), ..header }
    }
}

/// Returns true if a chain has the fields in its middle: `0 <= x <= 1`.
fn are_bounds_of(chain: &ComparisonChain, names: &[SyntaxTerm]) -> bool {
    let same = |(a, b): (&SyntaxTerm, &SyntaxTerm)| a.kind == b.kind;
    matches!(&chain.lists[..], [_, middle, _] if middle.len() == names.len() && middle.iter().zip(names).all(same))
}

fn write_block_header(line: &mut TokenWriter<'_>, kind: BlockKind, count: &SyntaxCount, separator: Option<&[u8]>) {
    line.push_word(match (kind, count) {
        (_, SyntaxCount::When(_)) => "if",
        (BlockKind::Cases, _) => "cases",
        _ => "repeat",
    });
    match count {
        SyntaxCount::Times(term) => line.push_term(term),
        SyntaxCount::When(chain) => line.push_chain(chain),
        SyntaxCount::Until { least, most, sentinel } => {
            line.push_term(least);
            line.push_mark("..");
            line.push_term(most);
            line.push_word("until");
            match sentinel {
                None => line.push_word("eof"),
                Some(words) => write_fixed_line(line, words),
            }
        }
    }
    if let Some(words) = separator {
        line.push_word("separated");
        line.push_word("by");
        write_fixed_line(line, words);
    }
    line.push_mark(":");
}

/// Writes a line that is the same in every input.
fn write_fixed_line(line: &mut TokenWriter<'_>, words: &[u8]) {
    words.split(|byte| *byte == b' ').for_each(|word| write_fixed_word(line, word));
}

fn write_fixed_word(line: &mut TokenWriter<'_>, word: &[u8]) {
    match word.strip_prefix(b"-") {
        Some(digits) if is_plain_number(digits) => {
            line.push_mark("-");
            write_literal(line, digits, false);
        }
        _ => write_literal(line, word, false),
    }
}

fn write_parts(line: &mut TokenWriter<'_>, parts: &[SyntaxPart]) {
    for (i, part) in parts.iter().enumerate() {
        let has_glued_neighbor = part.glued || parts.get(i + 1).is_some_and(|next| next.glued);
        if !part.glued && i > 0 {
            line.push_space();
        }
        match &part.kind {
            SyntaxPartKind::Literal(text) => write_literal(line, text, has_glued_neighbor),
            SyntaxPartKind::Field(field) if field.on_one_line => line.push_parentheses(|line| write_field(line, field)),
            SyntaxPartKind::Field(field) => write_field(line, field),
            SyntaxPartKind::Group { parts, count } => {
                line.push_parentheses(|line| write_parts(line, parts));
                line.push_brackets(|line| line.push_term(count));
            }
        }
    }
}

fn write_field(line: &mut TokenWriter<'_>, field: &SyntaxField) {
    line.push_word(&field.name);
    for dimension in &field.dimensions {
        line.push_brackets(|line| dimension.iter().for_each(|size| line.push_term(size)));
    }
}

/// Writes a literal; a number of its own needs no quotes.
fn write_literal(line: &mut TokenWriter<'_>, text: &[u8], is_glued: bool) {
    let number = std::str::from_utf8(text).ok().and_then(|text| text.parse().ok());
    match number.filter(|_| !is_glued && is_plain_number(text)) {
        Some(number) => line.push_number(number),
        None => line.push_text(text),
    }
}

fn is_plain_number(text: &[u8]) -> bool {
    let has_leading_zero = text.len() > 1 && text[0] == b'0';
    (1..=MAX_PLAIN_DIGITS).contains(&text.len()) && text.iter().all(u8::is_ascii_digit) && !has_leading_zero
}

fn write_rule(line: &mut TokenWriter<'_>, rule: &SyntaxRule, bounds: Option<&ComparisonChain>) {
    match rule {
        SyntaxRule::Chain(chain) => line.push_chain(chain),
        SyntaxRule::Formula(formula, _) => line.push_formula(formula),
        SyntaxRule::Predicate(term) => line.push_term(term),
        SyntaxRule::FieldKind { names, of } => {
            line.push_list(names, TokenWriter::push_term);
            line.push_field_kind(of, bounds);
        }
        SyntaxRule::Let { name, value, .. } => {
            line.push_word("let");
            line.push_word(name);
            line.push_mark("=");
            line.push_term(value);
        }
        SyntaxRule::Edges { ends, vertices, condition, properties, .. } => {
            line.push_word("edges");
            write_pair(line, ends);
            line.push_word("on");
            line.push_range(vertices);
            if let Some(chain) = condition {
                line.push_word("if");
                line.push_chain(chain);
            }
            write_properties(line, properties);
        }
        SyntaxRule::Parents { name, children, vertices, properties, .. } => {
            line.push_word("parents");
            line.push_term(name);
            line.push_word("of");
            line.push_range(children);
            line.push_word("on");
            line.push_range(vertices);
            write_properties(line, properties);
        }
        SyntaxRule::Polygon { corner, properties, .. } => {
            line.push_word("polygon");
            write_pair(line, corner);
            write_properties(line, properties);
        }
        SyntaxRule::Permutation { names, values, .. } => {
            line.push_list(names, TokenWriter::push_term);
            line.push_word("permutation");
            line.push_word("of");
            line.push_range(values);
        }
        SyntaxRule::Validator { command, .. } => write_external(line, "validator", command),
        SyntaxRule::Generator { command, .. } => write_external(line, "generator", command),
        SyntaxRule::Subtask { .. } => {}
    }
}

fn write_pair(line: &mut TokenWriter<'_>, pair: &(SyntaxTerm, SyntaxTerm)) {
    line.push_parentheses(|line| {
        line.push_term(&pair.0);
        line.push_mark(",");
        line.push_term(&pair.1);
    });
}

fn write_external(line: &mut TokenWriter<'_>, word: &str, text: &str) {
    line.push_word(word);
    line.push_text(text.as_bytes());
}

fn write_properties(line: &mut TokenWriter<'_>, properties: &[SyntaxProperty]) {
    if !properties.is_empty() {
        line.push_mark(":");
        line.push_list(properties, |line, property| {
            line.push_word(&property.word);
            match (&property.least, &property.bound) {
                (Some(least), Some(most)) => line.push_range(&Box::new((least.clone(), most.clone()))),
                (None, Some(most)) => {
                    if property.word != "regular" {
                        line.push_mark("<=");
                    }
                    line.push_term(most);
                }
                (_, None) => {}
            }
        });
    }
}
