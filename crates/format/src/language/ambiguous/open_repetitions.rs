//! Checks of repetitions without a count: items after one that extends to the end of the input, and repetitions
//! without lines.

use super::{item_first_span, items_after_block};
use crate::language::{DeclaredRanges, element_count_range, instance_count_range};
use crate::model::{BlockId, Format, InstanceCount, LayoutItem};
use rebut_diagnostics::Diagnostic;

/// Reports repetitions until the end of the input that are not the last item.
pub(super) fn report_items_after_eof(format: &Format, problems: &mut Vec<Diagnostic>) {
    for (i, block) in format.blocks.iter().enumerate() {
        if !matches!(block.count, InstanceCount::Until { sentinel: None, .. }) {
            continue;
        }
        let problem = Diagnostic::error(
            "after-eof",
            block.span,
            "nothing can follow a repetition that extends to the end of the input",
        )
        .with_caret("it takes all remaining lines")
        .with_help(
            "move it to the end; or end it with a terminating line, `until 0`, or give a count above it, `repeat n`",
        );
        let mut inner = BlockId(i);
        while let Some(outer) = format.block(inner).parent {
            if let Some(next) = items_after_block(format.block(outer), inner).first() {
                let problem = problem.clone();
                problems.push(match item_first_span(format, next) {
                    Some(span) => problem.with_label(span, "no lines remain for this"),
                    None => problem,
                });
                break;
            }
            if outer != BlockId(0) && instance_count_range(outer, &DeclaredRanges(format)).hi > 1 {
                problems.push(
                    problem.clone().with_label(format.block(outer).span, "no lines remain for the next one of these"),
                );
                break;
            }
            inner = outer;
        }
    }
}

/// Reports repetitions without a count that may have no lines, so that their presence cannot be detected.
pub(super) fn report_lineless_repetitions(format: &Format, problems: &mut Vec<Diagnostic>) {
    for (i, block) in format.blocks.iter().enumerate() {
        if matches!(block.count, InstanceCount::Until { .. }) && can_block_be_lineless(format, BlockId(i)) {
            problems.push(
                Diagnostic::error("no-line", block.span, "a repetition may have no lines")
                    .with_caret("its presence cannot be detected")
                    .with_help(
                        "give the number of repetitions on a line above; or begin each with a line that is always there",
                    ),
            );
        }
    }
}

/// Returns true if an instance of a block may have no lines.
fn can_block_be_lineless(format: &Format, block: BlockId) -> bool {
    let stated = DeclaredRanges(format);
    format.block(block).items.iter().all(|item| match item {
        LayoutItem::Line(_) => false,
        LayoutItem::Block(child) if format.block(*child).inline.is_some() => false,
        LayoutItem::Rows(field) => {
            let rows = format.field(*field).dimensions.len() - 1;
            element_count_range(*field, rows, &stated).lo < 1
        }
        LayoutItem::Block(child) => {
            let ended = matches!(format.block(*child).count, InstanceCount::Until { sentinel: Some(_), .. });
            !ended && (instance_count_range(*child, &stated).lo < 1 || can_block_be_lineless(format, *child))
        }
        LayoutItem::Either(children) => children.iter().any(|child| can_block_be_lineless(format, *child)),
    })
}
