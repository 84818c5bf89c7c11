//! Repetitions without a number: what follows one that only the end of the input ends, and one that takes no line.

use super::{behind, place};
use crate::diagnostic::Diagnostic;
use crate::format::model::{BlockId, Count, Format, Item};
use crate::format::{Stated, elements, instances};

/// Notes repetitions up to the end of the input that are not the last thing in it.
pub(super) fn follows_the_end(format: &Format, problems: &mut Vec<Diagnostic>) {
    for (i, block) in format.blocks.iter().enumerate() {
        if !matches!(block.count, Count::Until { sentinel: None, .. }) {
            continue;
        }
        let problem = Diagnostic::error(
            "after-eof",
            block.span,
            "nothing can follow what goes on to the end of the input",
        )
        .caret("it takes every line that is left")
        .help("put it last; or end it by a line that is none of it, `until 0`, or by a number above it, `repeat n`");
        let mut inner = BlockId(i);
        while let Some(outer) = format.block(inner).parent {
            if let Some(next) = behind(format.block(outer), inner).first() {
                let problem = problem.clone();
                problems.push(match place(format, next) {
                    Some(span) => problem.label(span, "nothing is left for this"),
                    None => problem,
                });
                break;
            }
            if outer != BlockId(0) && instances(outer, &Stated(format)).hi > 1 {
                problems
                    .push(problem.clone().label(format.block(outer).span, "nothing is left for the next one of these"));
                break;
            }
            inner = outer;
        }
    }
}

/// Notes repetitions without a number of which one may be without a line: nothing tells whether it is there.
pub(super) fn without_a_line(format: &Format, problems: &mut Vec<Diagnostic>) {
    for (i, block) in format.blocks.iter().enumerate() {
        if matches!(block.count, Count::Until { .. }) && can_be_empty(format, BlockId(i)) {
            problems.push(
                Diagnostic::error("no-line", block.span, "a repetition may be without a single line")
                    .caret("nothing tells whether it is there")
                    .help("give the number of repetitions on a line above; or let each begin with a line of its own"),
            );
        }
    }
}

/// Whether an instance of a block may have no line at all.
fn can_be_empty(format: &Format, block: BlockId) -> bool {
    let stated = Stated(format);
    format.block(block).items.iter().all(|item| match item {
        Item::Line(_) => false,
        Item::Block(child) if format.block(*child).inline.is_some() => false,
        Item::Rows(field) => {
            let rows = format.field(*field).dimensions.len() - 1;
            elements(*field, rows, &stated).lo < 1
        }
        Item::Block(child) => {
            let ended = matches!(format.block(*child).count, Count::Until { sentinel: Some(_), .. });
            !ended && (instances(*child, &stated).lo < 1 || can_be_empty(format, *child))
        }
        Item::Either(children) => children.iter().any(|child| can_be_empty(format, *child)),
    })
}
