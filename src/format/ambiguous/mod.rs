//! Layouts that no reader can take apart: what is printed by them would be read as something else, or not at all.
//!
//! What is looked at is what reading does: a number takes every digit that stands there, a text of any length every
//! character that is one of its letters, a repetition up to the end of the input every line that is left, and of several
//! alternatives the first that fits. So these are no opinions about a format: what is refused here cannot be read.

mod alike;
mod glued;
mod tail;

use super::FieldId;
use super::model::{Block, BlockId, Format, Item, Token};
use super::pattern::Pattern;
use super::rule::Rule;
use crate::diagnostic::{Diagnostic, Span};

/// Notes what cannot be read as it was meant.
pub(super) fn ambiguous(format: &Format, problems: &mut Vec<Diagnostic>) {
    glued::runs_on(format, problems);
    tail::follows_the_end(format, problems);
    tail::without_a_line(format, problems);
    alike::look_alike(format, problems);
}

/// The pattern that each text of a field matches, if one is asked for.
fn pattern(format: &Format, field: FieldId) -> Option<&Pattern> {
    format.constraints.iter().find_map(|c| match &c.rule {
        Rule::Matches(f, pattern) if *f == field => Some(pattern),
        _ => None,
    })
}

/// The place of the first field of a block, or else of the block.
fn place_of(format: &Format, id: BlockId) -> Span {
    let block = format.block(id);
    block.items.iter().find_map(|item| place(format, item)).unwrap_or(block.span)
}

/// The place of the first field of some lines; none if they are fixed words.
fn place(format: &Format, item: &Item) -> Option<Span> {
    match item {
        Item::Line(parts) => parts.iter().find_map(|part| match &part.token {
            Token::Field(field) => Some(format.field(*field).span),
            Token::Literal(_) => None,
        }),
        Item::Rows(field) => Some(format.field(*field).span),
        Item::Block(child) => Some(format.block(*child).span),
        Item::Either(children) => children.first().map(|child| format.block(*child).span),
    }
}

/// Whether a block is one of those that an item stands for.
fn holds(item: &Item, block: BlockId) -> bool {
    match item {
        Item::Block(child) => *child == block,
        Item::Either(children) => children.contains(&block),
        Item::Line(_) | Item::Rows(_) => false,
    }
}

/// What stands in a block behind the item that holds another block.
fn behind(holder: &Block, block: BlockId) -> &[Item] {
    let at = holder.items.iter().position(|item| holds(item, block));
    at.and_then(|at| holder.items.get(at + 1..)).unwrap_or_default()
}
