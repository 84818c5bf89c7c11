//! Iteration over the instances that a fold or a predicate runs over, at any nesting of repetitions, conditions and
//! alternatives.

use super::eval_error::EvalError;
use super::scope::ValueScope;
use super::{InstanceList, Value};
use crate::model::{BlockId, FoldRange};

/// Receives the path and the scope of an instance.
type OccurrenceVisitor<'v> = dyn FnMut(&[usize], &ValueScope<'_>) -> Result<(), EvalError> + 'v;

/// Calls `visit` with each existing instance in input order: its path from the holder, a slot and an index per block,
/// and its scope.
///
/// # Errors
/// Returns `Missing` if it is not known yet whether there are further instances, and the first error of `visit`.
pub fn visit_occurrences(
    scope: &ValueScope<'_>,
    over: FoldRange,
    visit: &mut OccurrenceVisitor<'_>,
) -> Result<(), EvalError> {
    let outermost = over.outermost_block().ok_or(EvalError::Missing)?;
    let (holder, list) = scope.instances_of(outermost).ok_or(EvalError::Missing)?;
    visit_list(holder, outermost, list, &mut inner_blocks(scope, over), &mut Vec::new(), visit)
}

/// Like [`visit_occurrences`], within one instance of the outermost block; `scope` is that instance.
///
/// # Errors
/// See [`visit_occurrences`].
pub fn visit_occurrences_within(
    scope: &ValueScope<'_>,
    over: FoldRange,
    visit: &mut OccurrenceVisitor<'_>,
) -> Result<(), EvalError> {
    let mut inside = inner_blocks(scope, over);
    match inside.pop() {
        None => visit(&[], scope),
        Some(child) => {
            let list = scope.slot_value(scope.format.block(child).slot).map(Value::as_instances);
            visit_list(scope, child, list.ok_or(EvalError::Missing)?, &mut inside, &mut Vec::new(), visit)
        }
    }
}

/// Returns the blocks inside the outermost one, excluding it, innermost first.
fn inner_blocks(scope: &ValueScope<'_>, over: FoldRange) -> Vec<BlockId> {
    let mut inside: Vec<BlockId> = scope.format.blocks_between(over).collect();
    inside.pop();
    inside
}

/// Visits the instances of a list, or within each of them those of the innermost of the blocks `inside`, which is
/// ordered innermost first.
fn visit_list(
    holder: &ValueScope<'_>,
    block: BlockId,
    list: &InstanceList,
    inside: &mut Vec<BlockId>,
    path: &mut Vec<usize>,
    visit: &mut OccurrenceVisitor<'_>,
) -> Result<(), EvalError> {
    let slot = holder.format.block(block).slot;
    for (index, instance) in list.iter().enumerate() {
        path.extend([slot, index]);
        let scope = holder.for_instance(block, instance);
        match inside.pop() {
            None => visit(path, &scope)?,
            Some(child) => {
                let list = scope.slot_value(scope.format.block(child).slot).map(Value::as_instances);
                visit_list(&scope, child, list.ok_or(EvalError::Missing)?, inside, path, visit)?;
                inside.push(child);
            }
        }
        path.truncate(path.len() - 2);
    }
    Ok(())
}

/// The instance of an optional block in one repetition.
pub enum BlockOccurrence<'v> {
    /// Slots of the instance.
    Present(&'v [Value]),
    /// Another alternative is present, or the condition does not hold.
    Absent,
}

/// Returns the instance of a block in one iteration, counted from 0, of the innermost repetition around it.
///
/// # Errors
/// Returns `Missing` if the iteration does not exist, or if it is not known yet whether the block is present.
pub fn find_occurrence<'v>(
    scope: &ValueScope<'v>,
    block: BlockId,
    index: usize,
) -> Result<BlockOccurrence<'v>, EvalError> {
    let repetition = scope.format.repetition_of(block).ok_or(EvalError::Missing)?;
    let (_, list) = scope.instances_of(repetition).ok_or(EvalError::Missing)?;
    let mut slots = list.get(index).ok_or(EvalError::Missing)?;
    if block == repetition {
        return Ok(BlockOccurrence::Present(slots));
    }
    let inside: Vec<BlockId> = scope.format.blocks_around(block).take_while(|at| *at != repetition).collect();
    for child in inside.into_iter().rev() {
        let list = slots.get(scope.format.block(child).slot).ok_or(EvalError::Missing)?.as_instances();
        match list.get(0) {
            Some(instance) => slots = instance,
            None => return Ok(BlockOccurrence::Absent),
        }
    }
    Ok(BlockOccurrence::Present(slots))
}
