//! What the rest of an input does not depend on.
//!
//! Two prefixes that differ only in that have the same number of continuations: it is counted once.

use super::early::folds_instances;
use super::prefix::{Frame, Prefix};
use crate::format::{BlockId, Constraint, Count, Dimension, FieldId, Format, Rule};
use crate::value::Value;

/// For each field and each block, how long it matters.
#[derive(Debug)]
pub(super) struct Spent {
    /// The field of the layout from which on a field does not matter: the one after the last that it has to do with.
    end_of_field: Vec<usize>,
    /// The same for a field of an instance that is complete: it may have to do with fields outside of its block.
    end_of_closed: Vec<usize>,
    /// The same for whole instances of a block.
    end_of_block: Vec<usize>,
}

/// It matters to the end.
const FOR_EVER: usize = usize::MAX;

impl Spent {
    pub(super) fn new(format: &Format) -> Self {
        let fields = || (0..format.fields.len()).map(FieldId);
        let blocks = (0..format.blocks.len()).map(BlockId);
        Spent {
            end_of_field: fields().map(|f| end_of_field(format, f)).collect(),
            end_of_closed: fields().map(|f| end_of_closed(format, f)).collect(),
            end_of_block: blocks.map(|b| end_of_block(format, b)).collect(),
        }
    }

    /// The prefix without what does not matter any more; only to be compared with others of its kind.
    pub(super) fn essence(&self, format: &Format, prefix: &Prefix) -> Prefix {
        let next = prefix.next.map_or(FOR_EVER, |field| field.0);
        let mut essence = prefix.clone();
        if let Some(slots) = essence.tree.instance_at_mut(&[]) {
            self.forget(format, slots, BlockId(0), &prefix.spine, next);
        }
        essence
    }

    fn forget(&self, format: &Format, slots: &mut [Value], block: BlockId, spine: &[Frame], next: usize) {
        forget_fields(format, slots, block, |f| self.end_of_field[f.0] <= next);
        let open = spine.get(1).map(|frame| frame.block);
        for child in format.children(block) {
            let Some(Value::Instances(list)) = slots.get_mut(format.block(child).slot) else { continue };
            let last = list.len().wrapping_sub(1);
            for i in 0..list.len() {
                let Some(inner) = list.get_mut(i) else { continue };
                if open == Some(child) && i == last {
                    self.forget(format, inner, child, &spine[1..], next);
                } else {
                    self.forget_closed(format, inner, child, next);
                }
            }
        }
    }

    /// The same for an instance that is complete.
    fn forget_closed(&self, format: &Format, slots: &mut [Value], block: BlockId, next: usize) {
        if self.end_of_block[block.0] <= next {
            slots.fill(Value::Int(0));
            return;
        }
        forget_fields(format, slots, block, |f| self.end_of_closed[f.0] <= next);
        for child in format.children(block) {
            let Some(Value::Instances(list)) = slots.get_mut(format.block(child).slot) else { continue };
            for i in 0..list.len() {
                list.get_mut(i).into_iter().for_each(|inner| self.forget_closed(format, inner, child, next));
            }
        }
    }
}

fn forget_fields(format: &Format, slots: &mut [Value], block: BlockId, is_spent: impl Fn(&FieldId) -> bool) {
    for field in format.fields_of(block).filter(is_spent) {
        if let Some(value) = slots.get_mut(format.field(field).slot) {
            *value = Value::Int(0);
        }
    }
}

/// What comes after the last field outside of its block that is constrained together with a field.
fn end_of_closed(format: &Format, field: FieldId) -> usize {
    let own = format.field(field).block;
    let rules = format.constraints.iter().filter(|c| speaks_of(c, format, &|f| f == field)).map(|constraint| {
        let outside = |f: FieldId| !format.is_within(format.field(f).block, own);
        if is_local(format, constraint, own) { end(format, constraint, &outside) } else { FOR_EVER }
    });
    rules.max().unwrap_or(0)
}

/// What comes after the last field that is sized or constrained together with this one.
fn end_of_field(format: &Format, field: FieldId) -> usize {
    let own = format.field(field).block;
    let rules = format.constraints.iter().filter(|c| speaks_of(c, format, &|f| f == field)).map(|constraint| {
        if is_local(format, constraint, own) { end(format, constraint, &|_| true) } else { FOR_EVER }
    });
    rules.chain(sized(format, field)).max().unwrap_or(0).max(field.0 + 1)
}

/// What comes after the last field outside of a block that is constrained together with one in it.
fn end_of_block(format: &Format, block: BlockId) -> usize {
    let inside = |f: FieldId| format.is_within(format.field(f).block, block);
    let rules = format.constraints.iter().filter(|c| speaks_of(c, format, &inside)).map(|constraint| {
        if is_local(format, constraint, block) { end(format, constraint, &|f| !inside(f)) } else { FOR_EVER }
    });
    rules.max().unwrap_or(0)
}

/// Whether a constraint speaks of one instance of a block at a time.
fn is_local(format: &Format, constraint: &Constraint, block: BlockId) -> bool {
    let mut around = Some(block);
    while let Some(id) = around {
        if constraint.rule.exprs().iter().any(|e| folds_instances(format, e, id)) {
            return false;
        }
        around = format.block(id).parent;
    }
    format.is_within(constraint.home, block)
}

fn speaks_of(constraint: &Constraint, format: &Format, of: &dyn Fn(FieldId) -> bool) -> bool {
    let mut found = false;
    each_field(constraint, format, &mut |f| found |= of(f));
    found
}

/// What comes after the last of those fields that a constraint speaks of.
fn end(format: &Format, constraint: &Constraint, of: &dyn Fn(FieldId) -> bool) -> usize {
    let mut end = 0;
    each_field(constraint, format, &mut |f| end = if of(f) { end.max(f.0 + 1) } else { end });
    end
}

/// Calls `visit` with each field that can make a difference to a constraint.
fn each_field(constraint: &Constraint, format: &Format, visit: &mut dyn FnMut(FieldId)) {
    if let Rule::Graph(graph) = &constraint.rule
        && let Some((_, ends)) = graph.lines()
    {
        visit(ends.0);
        visit(ends.1);
    }
    for field in (0..format.fields.len()).map(FieldId) {
        let depends = || constraint.rule.exprs().iter().any(|e| format.depends(e, field));
        if constraint.rule.mentions(field) || depends() {
            visit(field);
        }
    }
}

/// What comes after each array that a field sizes, and each block that it decides about.
fn sized(format: &Format, field: FieldId) -> impl Iterator<Item = usize> + '_ {
    let arrays =
        format.fields.iter().enumerate().filter(move |(_, f)| {
            f.dimensions.iter().any(|d| matches!(d, Dimension::Size(size) if size.mentions(field)))
        });
    let blocks = (0..format.blocks.len()).map(BlockId).filter(move |block| match &format.block(*block).count {
        Count::Chosen | Count::Until { .. } => false,
        count => count.mentions(field),
    });
    let end_of_inside = move |block: BlockId| {
        let inside = format.fields.iter().enumerate().filter(|(_, f)| format.is_within(f.block, block));
        inside.map(|(i, _)| i + 1).max().unwrap_or(FOR_EVER)
    };
    arrays.map(|(i, _)| i + 1).chain(blocks.map(end_of_inside))
}
