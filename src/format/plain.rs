//! Formats of which no two inputs look the same.
//!
//! A value is an input if its bytes are read as that value. Where alternatives, repetitions without a count or glued
//! tokens leave a doubt, only reading tells; mostly the layout alone shows that there is none.

use super::model::{BlockId, Count, FieldId, Format, Item, Kind, Part, Token};

/// Whether it is certain that every value that fits the layout is read back as itself.
pub(crate) fn is_plain(format: &Format) -> bool {
    (0..format.blocks.len()).map(BlockId).all(|block| {
        let items = &format.block(block).items;
        has_plain_end(format, block)
            && items.iter().all(|item| match item {
                Item::Line(parts) => parts.windows(2).all(|pair| is_plain_joint(format, &pair[0], &pair[1])),
                Item::Rows(_) | Item::Block(_) => true,
                Item::Either(children) => {
                    let words: Vec<_> = children.iter().map(|child| first_word(format, *child)).collect();
                    words.iter().enumerate().all(|(i, word)| word.is_some() && !words[..i].contains(word))
                }
            })
    })
}

/// Whether the numbers of a field decide, too, where a repetition ends: its instances must not look like its last line.
pub(crate) fn decides_about_the_end(format: &Format, field: FieldId) -> bool {
    let mut at = Some(format.field(field).block);
    while let Some(id) = at {
        if matches!(format.block(id).count, Count::Until { sentinel: Some(_), .. }) {
            return true;
        }
        at = format.block(id).parent;
    }
    false
}

/// A repetition to the end of the input is plain if nothing can follow it.
fn has_plain_end(format: &Format, block: BlockId) -> bool {
    let info = format.block(block);
    if !matches!(info.count, Count::Until { sentinel: None, .. }) {
        return true;
    }
    info.parent == Some(BlockId(0)) && format.block(BlockId(0)).items.last() == Some(&Item::Block(block))
}

/// Whether the first of two parts of a line ends where reading takes it to end.
fn is_plain_joint(format: &Format, first: &Part, second: &Part) -> bool {
    let Token::Field(field) = &first.token else { return true };
    let info = format.field(*field);
    let letters = match &info.kind {
        Kind::Number => b"-0123456789".as_slice(),
        Kind::Real(_) => b"-.0123456789",
        Kind::Text(letters) => letters.as_slice(),
        // A word may begin as another does.
        Kind::Words(_) => return !second.glued,
    };
    match &second.token {
        _ if !second.glued => true,
        Token::Literal(text) => info.dimensions.len() < 2 && text.first().is_some_and(|b| !letters.contains(b)),
        Token::Field(_) => false,
    }
}

/// The word that a block always begins with.
fn first_word(format: &Format, block: BlockId) -> Option<&[u8]> {
    let Some(Item::Line(parts)) = format.block(block).items.first() else { return None };
    match (&parts.first()?.token, parts.get(1)) {
        (Token::Literal(_), Some(second)) if second.glued => None,
        (Token::Literal(text), _) => Some(text),
        (Token::Field(_), _) => None,
    }
}
