//! Detection of layouts that cannot be read back: their inputs would be read as something else, or not at all.
//!
//! The checks follow the reader: a number takes all digits, a text of free length all characters of its alphabet, a
//! repetition until the end of the input all remaining lines, and the first alternative that fits is chosen. They are
//! not a matter of style: a format that is rejected here cannot be read.

mod alternatives;

use crate::model::{Block, BlockId, Format, LayoutItem, LineToken};
use rebut_diagnostics::{Diagnostic, Span};

/// Reports parts of the layout that cannot be read back.
pub(super) fn report_ambiguities(format: &Format, problems: &mut Vec<Diagnostic>) {
    alternatives::report_glued_fields(format, problems);
    alternatives::report_items_after_eof(format, problems);
    alternatives::report_lineless_repetitions(format, problems);
    alternatives::report_overlapping_alternatives(format, problems);
}

/// Returns the location of the first field of a block, or else of the block.
fn block_first_span(format: &Format, id: BlockId) -> Span {
    let block = format.block(id);
    block.items.iter().find_map(|item| item_first_span(format, item)).unwrap_or(block.span)
}

/// Returns the location of the first field of an item, or `None` if it has only literals.
fn item_first_span(format: &Format, item: &LayoutItem) -> Option<Span> {
    match item {
        LayoutItem::Line(parts) => parts.iter().find_map(|part| match &part.token {
            LineToken::Field(field) => Some(format.field(*field).span),
            LineToken::Literal(_) => None,
        }),
        LayoutItem::Rows(field) => Some(format.field(*field).span),
        LayoutItem::Block(child) => Some(format.block(*child).span),
        LayoutItem::Either(children) => children.first().map(|child| format.block(*child).span),
    }
}

/// Returns true if a block belongs to an item.
fn item_holds_block(item: &LayoutItem, block: BlockId) -> bool {
    match item {
        LayoutItem::Block(child) => *child == block,
        LayoutItem::Either(children) => children.contains(&block),
        LayoutItem::Line(_) | LayoutItem::Rows(_) => false,
    }
}

/// Returns the items after the one that holds `block`.
fn items_after_block(holder: &Block, block: BlockId) -> &[LayoutItem] {
    let at = holder.items.iter().position(|item| item_holds_block(item, block));
    at.and_then(|at| holder.items.get(at + 1..)).unwrap_or_default()
}
