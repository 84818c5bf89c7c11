//! What follows a repetition that only the end of the input ends.

use super::{behind, place};
use crate::diagnostic::Diagnostic;
use crate::format::classify::Stated;
use crate::format::instances;
use crate::format::model::{BlockId, Count, Format};

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
