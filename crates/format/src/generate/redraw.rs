//! Checks the constraints of a drawn instance, and redraws the fields that break them.

use super::draft::{DraftViolation, InstanceDraft, RecheckScope, RedrawOutcome};
use super::failure::DrawFailure;
use super::instance::InstanceGenerator;
use crate::language::BlockId;

/// Maximum number of redraws before the instance is drawn afresh.
const MAX_REDRAWS: usize = 64;

/// Number of values that can be checked in the time of one draw.
const CHECKS_PER_DRAW: usize = 8;

impl<'a> InstanceGenerator<'a, '_> {
    /// Redraws fields of a draft until the constraints with this home block hold.
    pub(super) fn redraw_until_valid(
        &mut self,
        block: BlockId,
        draft: &mut impl InstanceDraft<'a>,
    ) -> Result<(), DrawFailure<'a>> {
        let Some(mut broken) = draft.find_violation(self, RecheckScope::All) else { return Ok(()) };
        let (mut checks, mut was_same) = (1, false);
        for _ in 0..MAX_REDRAWS {
            let redrawn = self.without_cache(|generator| draft.redraw_field(generator, &broken));
            let doubt = match redrawn {
                RedrawOutcome::Nothing => break,
                // An unchanged number leaves the same constraint broken. Where no number can change, as on a board of
                // one cell, no redraw helps.
                RedrawOutcome::Same if was_same || draft.can_change(self, broken.constraint) => {
                    was_same = true;
                    continue;
                }
                RedrawOutcome::Same => break,
                RedrawOutcome::Number(field) if self.plan.block_plan(block).arrays.is_empty() => {
                    // Without arrays only this number changed, so the constraints before the broken one still
                    // hold.
                    RecheckScope::After { broken: broken.constraint, redrawn: field }
                }
                RedrawOutcome::Number(_) | RedrawOutcome::Array => RecheckScope::All,
            };
            if self.plan.format.stop_token.spend_steps(CHECKS_PER_DRAW as u64) {
                break;
            }
            checks += 1;
            match draft.find_violation(self, doubt) {
                Some(violation) => (broken, was_same) = (violation, false),
                None => return Ok(()),
            }
        }
        // Every round checked everything again, which is cheaper than drawing it.
        self.wasted_draws += (checks * draft.count_nodes() / CHECKS_PER_DRAW) as u64;
        let DraftViolation { constraint, sides, .. } = broken;
        Err(DrawFailure::BrokenConstraint(constraint, sides))
    }
}
