//! The instances that a fold or a predicate runs over, wherever its block is: below repetitions, conditions and forms.

use super::eval::Unknown;
use super::scope::Scope;
use super::{Instances, Value};
use crate::format::{BlockId, Over};

/// Takes the path and the scope of an instance.
type Visit<'v> = dyn FnMut(&[usize], &Scope<'_>) -> Result<(), Unknown> + 'v;

/// Calls `visit` with each instance that is there, in the order of the input: its path from the holder, a slot and an index
/// for each block, and its scope.
///
/// # Errors
/// Returns `Missing` if it is not known yet whether further ones are there, and the first error of `visit`.
pub fn each_occurrence(scope: &Scope<'_>, over: Over, visit: &mut Visit<'_>) -> Result<(), Unknown> {
    let outermost = over.outermost().ok_or(Unknown::Missing)?;
    let (holder, list) = scope.instances(outermost).ok_or(Unknown::Missing)?;
    in_list(holder, outermost, list, &mut inside(scope, over), &mut Vec::new(), visit)
}

/// The same within one instance of the outermost block, whose scope it is.
///
/// # Errors
/// As [`each_occurrence`].
pub fn each_occurrence_within(scope: &Scope<'_>, over: Over, visit: &mut Visit<'_>) -> Result<(), Unknown> {
    let mut inside = inside(scope, over);
    match inside.pop() {
        None => visit(&[], scope),
        Some(child) => {
            let list = scope.slot(scope.format.block(child).slot).map(Value::as_instances);
            in_list(scope, child, list.ok_or(Unknown::Missing)?, &mut inside, &mut Vec::new(), visit)
        }
    }
}

/// The blocks inside the outermost one, which is left out; the innermost is the first.
fn inside(scope: &Scope<'_>, over: Over) -> Vec<BlockId> {
    let mut inside: Vec<BlockId> = scope.format.blocks_of(over).collect();
    inside.pop();
    inside
}

/// Visits the instances of a list, or those of the innermost of the blocks `inside` each of them; the outermost is the last.
fn in_list(
    holder: &Scope<'_>,
    block: BlockId,
    list: &Instances,
    inside: &mut Vec<BlockId>,
    path: &mut Vec<usize>,
    visit: &mut Visit<'_>,
) -> Result<(), Unknown> {
    let slot = holder.format.block(block).slot;
    for (index, instance) in list.iter().enumerate() {
        path.extend([slot, index]);
        let scope = holder.inner(block, instance);
        match inside.pop() {
            None => visit(path, &scope)?,
            Some(child) => {
                let list = scope.slot(scope.format.block(child).slot).map(Value::as_instances);
                in_list(&scope, child, list.ok_or(Unknown::Missing)?, inside, path, visit)?;
                inside.push(child);
            }
        }
        path.truncate(path.len() - 2);
    }
    Ok(())
}

/// The instance of a block in one repetition.
pub enum Occurrence<'v> {
    /// Its slots.
    Present(&'v [Value]),
    /// Another form stands there, or the condition does not hold.
    Absent,
}

/// Returns the instance of a block in the repetition of that index, counted from 0, of the innermost repetition around it.
///
/// # Errors
/// Returns `Missing` if there is no such repetition, or if it is not known yet whether the block is there.
pub fn occurrence<'v>(scope: &Scope<'v>, block: BlockId, index: usize) -> Result<Occurrence<'v>, Unknown> {
    let repetition = scope.format.repetition_of(block).ok_or(Unknown::Missing)?;
    let (_, list) = scope.instances(repetition).ok_or(Unknown::Missing)?;
    let mut slots = list.get(index).ok_or(Unknown::Missing)?;
    if block == repetition {
        return Ok(Occurrence::Present(slots));
    }
    let inside: Vec<BlockId> = scope.format.blocks_around(block).take_while(|at| *at != repetition).collect();
    for child in inside.into_iter().rev() {
        let list = slots.get(scope.format.block(child).slot).ok_or(Unknown::Missing)?.as_instances();
        match list.get(0) {
            Some(instance) => slots = instance,
            None => return Ok(Occurrence::Absent),
        }
    }
    Ok(Occurrence::Present(slots))
}
