//! A summary of the layout, with one row per line of the input.

use crate::language::{
    BlockId, BlockKind, Comparison, Field, FieldDimension, FieldId, FieldKind, Format, InstanceCount, LayoutItem,
    LinePart, LineToken,
};
use std::fmt::Write as _;

/// Describes the lines of all blocks, indented as in the format.
pub(super) fn describe_layout(format: &Format) -> String {
    let mut text = String::new();
    describe_block(format, BlockId(0), 1, &mut text);
    text
}

fn describe_block(format: &Format, id: BlockId, depth: usize, text: &mut String) {
    for item in &format.block(id).items {
        match item {
            LayoutItem::Line(parts) => describe_line(format, parts, depth, text),
            LayoutItem::Rows(field) => {
                let field = format.field(*field);
                write_row(text, depth, &format.source_text(field.span), &field_meaning(field));
            }
            LayoutItem::Block(child) if format.block(*child).inline.is_some() => {
                write_row(
                    text,
                    depth,
                    &format.source_text(format.block(*child).span),
                    &describe_inline_group(format, *child),
                );
            }
            LayoutItem::Block(child) => describe_nested_block(format, *child, depth, text),
            LayoutItem::Either(children) => {
                write_row(text, depth, "either", &format!("one of {} alternatives", children.len()));
                for (i, child) in children.iter().enumerate() {
                    write_row(text, depth + 1, &format!("form {}", i + 1), "");
                    describe_block(format, *child, depth + 2, text);
                }
            }
        }
    }
}

fn describe_nested_block(format: &Format, id: BlockId, depth: usize, text: &mut String) {
    let block_of = format.block(id);
    let head = format.source_text(block_of.span);
    let head = head.trim_end_matches(':');
    let meaning = match (block_of.kind, &block_of.count) {
        (BlockKind::Cases, _) => "independent test cases".to_owned(),
        (_, InstanceCount::Conditional(comparisons)) => format!("if {}", condition_text(comparisons)),
        (_, InstanceCount::Until { range, sentinel: None }) => {
            format!("{}..{} times, until the end of the input", range.lo, range.hi)
        }
        (_, InstanceCount::Until { range, sentinel: Some(end) }) => {
            format!("{}..{} times, until the line `{}`", range.lo, range.hi, String::from_utf8_lossy(end))
        }
        _ => "repeated".to_owned(),
    };
    let separated = match block_of.separator.as_deref() {
        None => String::new(),
        Some(b"") => ", separated by an empty line".to_owned(),
        Some(line) => format!(", separated by the line `{}`", String::from_utf8_lossy(line)),
    };
    write_row(text, depth, head, &format!("{meaning}{separated}"));
    describe_block(format, id, depth + 1, text);
}

/// Describes the placement of a group on its line, and its contents.
fn describe_inline_group(format: &Format, id: BlockId) -> String {
    let block = format.block(id);
    let place =
        if block.inline.is_some_and(|inline| inline.continues_line) { "on the same line" } else { "on one line" };
    let mut meanings: Vec<String> = Vec::new();
    for field in (0..format.fields.len()).map(FieldId).filter(|f| format.is_within(format.field(*f).block, id)) {
        let meaning = field_meaning(format.field(field));
        if !meanings.contains(&meaning) {
            meanings.push(meaning);
        }
    }
    let meanings = if meanings.is_empty() { String::new() } else { format!(": {}", meanings.join("; ")) };
    format!("repeated {place}{meanings}")
}

fn condition_text(comparisons: &[Comparison]) -> String {
    if comparisons.len() == 1 {
        "if this holds".to_owned()
    } else {
        format!("if all {} comparisons hold", comparisons.len())
    }
}

fn describe_line(format: &Format, parts: &[LinePart], depth: usize, text: &mut String) {
    let mut written = String::new();
    let mut meanings: Vec<String> = Vec::new();
    for part in parts {
        if !part.is_glued && !written.is_empty() {
            written.push(' ');
        }
        match &part.token {
            LineToken::Literal(fixed) => {
                let _ = write!(written, "\"{}\"", String::from_utf8_lossy(fixed));
            }
            LineToken::Field(field) => {
                let field = format.field(*field);
                written.push_str(&format.source_text(field.span));
                let meaning = field_meaning(field);
                if !meanings.contains(&meaning) {
                    meanings.push(meaning);
                }
            }
        }
    }
    write_row(text, depth, &written, &meanings.join("; "));
}

fn write_row(text: &mut String, depth: usize, left: &str, right: &str) {
    let left = format!("{:indent$}{left}", "", indent = 4 * depth);
    // Writing to a string cannot fail.
    let _ = if right.is_empty() { writeln!(text, "{left}") } else { writeln!(text, "{left:<36}  {right}") };
}

/// Describes the elements and the size of a field.
pub(super) fn field_meaning(field: &Field) -> String {
    let element = match &field.kind {
        FieldKind::Number => "whole number".to_owned(),
        FieldKind::Real(d) if d.min == d.max => format!("real with {} decimals", d.max),
        FieldKind::Real(d) => format!("real with {} to {} decimals", d.min, d.max),
        FieldKind::Words(words) => format!("one of {} words", words.len()),
        FieldKind::Text(letters) => format!("text over {} letters", letters.len()),
    };
    let dimensions = field.dimensions.len() - usize::from(field.alphabet().is_some() && !field.dimensions.is_empty());
    let length = match (field.alphabet().is_some(), field.dimensions.last()) {
        (true, Some(FieldDimension::Free)) => ", of any length",
        (true, _) => ", of a given length",
        (false, Some(FieldDimension::Free)) => ", to the end of the line",
        (false, _) => "",
    };
    match dimensions {
        0 => format!("{element}{length}"),
        1 if field.alphabet().is_none() => format!("array: {element}{length}"),
        1 => format!("rows: {element}{length}"),
        _ => format!("{dimensions} dimensions: {element}{length}"),
    }
}
