//! Formats in which every input has exactly one reading.
//!
//! A value is an input if its bytes are read back as that value. Alternatives, repetitions without a count and glued
//! tokens can be ambiguous; then only reading can decide. Usually the layout alone rules ambiguities out.

use crate::model::{BlockId, FieldId, FieldKind, Format, InstanceCount, LayoutItem, LinePart, LineToken};

/// Returns true if every value that fits the layout is certainly read back as itself.
pub(crate) fn is_unambiguous(format: &Format) -> bool {
    (0..format.blocks.len()).map(BlockId).all(|block| {
        let items = &format.block(block).items;
        has_unambiguous_end(format, block)
            && items.iter().all(|item| match item {
                LayoutItem::Line(parts) => {
                    parts.windows(2).all(|pair| is_unambiguous_joint(format, &pair[0], &pair[1]))
                }
                LayoutItem::Rows(_) | LayoutItem::Block(_) => true,
                LayoutItem::Either(children) => {
                    let words: Vec<_> = children.iter().map(|child| first_literal(format, *child)).collect();
                    words.iter().enumerate().all(|(i, word)| word.is_some() && !words[..i].contains(word))
                }
            })
    })
}

/// Returns true if the numbers of a field also decide where a repetition ends: its instances must not look like the
/// terminating line.
pub(crate) fn affects_repetition_end(format: &Format, field: FieldId) -> bool {
    let mut at = Some(format.field(field).block);
    while let Some(id) = at {
        if matches!(format.block(id).count, InstanceCount::Until { sentinel: Some(_), .. }) {
            return true;
        }
        at = format.block(id).parent;
    }
    false
}

/// Returns true if a repetition until the end of the input is unambiguous, as nothing can follow it.
fn has_unambiguous_end(format: &Format, block: BlockId) -> bool {
    let info = format.block(block);
    if !matches!(info.count, InstanceCount::Until { sentinel: None, .. }) {
        return true;
    }
    info.parent == Some(BlockId(0)) && format.block(BlockId(0)).items.last() == Some(&LayoutItem::Block(block))
}

/// Returns true if reading always ends the first of two parts of a line in the right place.
fn is_unambiguous_joint(format: &Format, first: &LinePart, second: &LinePart) -> bool {
    let LineToken::Field(field) = &first.token else { return true };
    let info = format.field(*field);
    let letters = match &info.kind {
        FieldKind::Number => b"-0123456789".as_slice(),
        FieldKind::Real(_) => b"-.0123456789",
        FieldKind::Text(letters) => letters.as_slice(),
        // One word may be a prefix of another.
        FieldKind::Words(_) => return !second.is_glued,
    };
    match &second.token {
        _ if !second.is_glued => true,
        LineToken::Literal(text) => info.dimensions.len() < 2 && text.first().is_some_and(|b| !letters.contains(b)),
        LineToken::Field(_) => false,
    }
}

/// Returns the literal that a block always begins with.
fn first_literal(format: &Format, block: BlockId) -> Option<&[u8]> {
    let Some(LayoutItem::Line(parts)) = format.block(block).items.first() else { return None };
    match (&parts.first()?.token, parts.get(1)) {
        (LineToken::Literal(_), Some(second)) if second.is_glued => None,
        (LineToken::Literal(text), _) => Some(text),
        (LineToken::Field(_), _) => None,
    }
}
