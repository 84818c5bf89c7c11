//! The layout as it was understood, a line for each line of the input.

use crate::format::{
    BlockId, BlockKind, Comparison, Count, Dimension, Field, FieldId, Format, Item, Kind, Part, Token,
};
use std::fmt::Write as _;

/// The lines of all blocks, indented as in the format.
pub(super) fn layout(format: &Format) -> String {
    let mut text = String::new();
    block(format, BlockId(0), 1, &mut text);
    text
}

fn block(format: &Format, id: BlockId, depth: usize, text: &mut String) {
    for item in &format.block(id).items {
        match item {
            Item::Line(parts) => line(format, parts, depth, text),
            Item::Rows(field) => {
                let field = format.field(*field);
                row(text, depth, &format.text(field.span), &about(field));
            }
            Item::Block(child) if format.block(*child).inline.is_some() => {
                row(text, depth, &format.text(format.block(*child).span), &group(format, *child));
            }
            Item::Block(child) => inner(format, *child, depth, text),
            Item::Either(children) => {
                row(text, depth, "either", &format!("one of {} forms", children.len()));
                for (i, child) in children.iter().enumerate() {
                    row(text, depth + 1, &format!("form {}", i + 1), "");
                    block(format, *child, depth + 2, text);
                }
            }
        }
    }
}

fn inner(format: &Format, id: BlockId, depth: usize, text: &mut String) {
    let block_of = format.block(id);
    let head = format.text(block_of.span);
    let head = head.trim_end_matches(':');
    let meaning = match (block_of.kind, &block_of.count) {
        (BlockKind::Cases, _) => "independent test cases".to_owned(),
        (_, Count::When(comparisons)) => format!("if {}", all_of(comparisons)),
        (_, Count::Until { range, sentinel: None }) => format!("{}..{} times, up to the end", range.lo, range.hi),
        (_, Count::Until { range, sentinel: Some(end) }) => {
            format!("{}..{} times, up to the line `{}`", range.lo, range.hi, String::from_utf8_lossy(end))
        }
        _ => "repeated".to_owned(),
    };
    row(text, depth, head, &meaning);
    block(format, id, depth + 1, text);
}

/// How a group stands on its line, and what is in it.
fn group(format: &Format, id: BlockId) -> String {
    let block = format.block(id);
    let place = if block.inline.is_some_and(|inline| inline.joined) { "on the same line" } else { "on one line" };
    let mut meanings: Vec<String> = Vec::new();
    for field in (0..format.fields.len()).map(FieldId).filter(|f| format.is_within(format.field(*f).block, id)) {
        let meaning = about(format.field(field));
        if !meanings.contains(&meaning) {
            meanings.push(meaning);
        }
    }
    let meanings = if meanings.is_empty() { String::new() } else { format!(": {}", meanings.join("; ")) };
    format!("repeated {place}{meanings}")
}

fn all_of(comparisons: &[Comparison]) -> String {
    if comparisons.len() == 1 { "this holds".to_owned() } else { format!("all {} comparisons hold", comparisons.len()) }
}

fn line(format: &Format, parts: &[Part], depth: usize, text: &mut String) {
    let mut written = String::new();
    let mut meanings: Vec<String> = Vec::new();
    for part in parts {
        if !part.glued && !written.is_empty() {
            written.push(' ');
        }
        match &part.token {
            Token::Literal(fixed) => {
                let _ = write!(written, "\"{}\"", String::from_utf8_lossy(fixed));
            }
            Token::Field(field) => {
                let field = format.field(*field);
                written.push_str(&format.text(field.span));
                let meaning = about(field);
                if !meanings.contains(&meaning) {
                    meanings.push(meaning);
                }
            }
        }
    }
    row(text, depth, &written, &meanings.join("; "));
}

fn row(text: &mut String, depth: usize, left: &str, right: &str) {
    let left = format!("{:indent$}{left}", "", indent = 4 * depth);
    // Writing to a text cannot fail.
    let _ = if right.is_empty() { writeln!(text, "{left}") } else { writeln!(text, "{left:<36}  {right}") };
}

/// What a field is made of and how much of it there is.
fn about(field: &Field) -> String {
    let element = match &field.kind {
        Kind::Number => "whole number".to_owned(),
        Kind::Real(d) if d.least == d.most => format!("real with {} decimals", d.most),
        Kind::Real(d) => format!("real with {} to {} decimals", d.least, d.most),
        Kind::Words(words) => format!("one of {} words", words.len()),
        Kind::Text(letters) => format!("text over {} letters", letters.len()),
    };
    let dimensions = field.dimensions.len() - usize::from(field.letters().is_some() && !field.dimensions.is_empty());
    let length = match (field.letters().is_some(), field.dimensions.last()) {
        (true, Some(Dimension::Free)) => ", of any length",
        (true, _) => ", of a given length",
        (false, Some(Dimension::Free)) => ", to the end of the line",
        (false, _) => "",
    };
    match dimensions {
        0 => format!("{element}{length}"),
        1 if field.letters().is_none() => format!("array: {element}{length}"),
        1 => format!("rows: {element}{length}"),
        _ => format!("{dimensions} dimensions: {element}{length}"),
    }
}
