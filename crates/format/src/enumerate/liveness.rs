//! Liveness: which chosen values the rest of an input depends on.
//!
//! A value is dead once nothing that is still to be chosen is sized by it or constrained together with it. Prefixes
//! that differ only in dead values have the same number of continuations, which is counted once for their common
//! canonical prefix.

use super::prefix::{Prefix, PrefixFrame};
use super::pruner::folds_instances;
use crate::language::{BlockId, Constraint, FieldDimension, FieldId, Format, InstanceCount};
use crate::value::Value;

/// For each field and block, the position in the layout at which it dies. Positions are field indices.
#[derive(Debug)]
pub(super) struct Liveness {
    /// The first position at which a field is dead: after the last field that is sized or constrained together
    /// with it.
    end_of_field: Vec<usize>,
    /// The same for a field of a closed instance, where only fields outside its block matter.
    end_of_closed: Vec<usize>,
    /// The same for whole closed instances of a block.
    end_of_block: Vec<usize>,
}

/// The position of fields that stay live to the end.
const LIVE_TO_END: usize = usize::MAX;

impl Liveness {
    pub(super) fn new(format: &Format) -> Self {
        let fields = || format.field_ids();
        let blocks = format.block_ids();
        Liveness {
            end_of_field: fields().map(|f| end_of_field(format, f)).collect(),
            end_of_closed: fields().map(|f| end_of_closed(format, f)).collect(),
            end_of_block: blocks.map(|b| end_of_block(format, b)).collect(),
        }
    }

    /// Returns the prefix with all dead values cleared. It only serves as a key.
    pub(super) fn canonical_prefix(&self, format: &Format, prefix: &Prefix) -> Prefix {
        let next = prefix.next.map_or(LIVE_TO_END, |field| field.0);
        let mut canonical = prefix.clone();
        if let Some(slots) = canonical.tree.instance_at_mut(&[]) {
            self.clear_dead(format, slots, BlockId(0), &prefix.spine, next);
        }
        canonical
    }

    fn clear_dead(&self, format: &Format, slots: &mut [Value], block: BlockId, spine: &[PrefixFrame], next: usize) {
        // In an open instance, a field stays live until the last field of its own block that depends on it.
        clear_fields(format, slots, block, |f| self.end_of_field[f.0] <= next);
        let open = spine.get(1).map(|frame| frame.block);
        for child in format.child_blocks(block) {
            let Some(Value::Instances(list)) = slots.get_mut(format.block(child).slot) else { continue };
            let last = list.len().wrapping_sub(1);
            for i in 0..list.len() {
                let Some(inner) = list.get_mut(i) else { continue };
                // Only the last instance of the block on the spine is open. Fields die earlier in all others.
                if open == Some(child) && i == last {
                    self.clear_dead(format, inner, child, &spine[1..], next);
                } else {
                    self.clear_dead_closed(format, inner, child, next);
                }
            }
        }
    }

    /// Clears the dead values of a closed instance.
    fn clear_dead_closed(&self, format: &Format, slots: &mut [Value], block: BlockId, next: usize) {
        // Nothing outside depends on the block any more, so clear all of the instance at once.
        if self.end_of_block[block.0] <= next {
            slots.fill(Value::Int(0));
            return;
        }
        clear_fields(format, slots, block, |f| self.end_of_closed[f.0] <= next);
        for child in format.child_blocks(block) {
            let Some(Value::Instances(list)) = slots.get_mut(format.block(child).slot) else { continue };
            for i in 0..list.len() {
                list.get_mut(i).into_iter().for_each(|inner| self.clear_dead_closed(format, inner, child, next));
            }
        }
    }
}

fn clear_fields(format: &Format, slots: &mut [Value], block: BlockId, is_dead: impl Fn(&FieldId) -> bool) {
    for field in format.fields_in_block(block).filter(is_dead) {
        if let Some(value) = slots.get_mut(format.field(field).slot) {
            *value = Value::Int(0);
        }
    }
}

/// Returns the position after the last field outside its block that is constrained together with a field.
fn end_of_closed(format: &Format, field: FieldId) -> usize {
    let own = format.field(field).block;
    let rules = format.constraints.iter().filter(|c| involves_field(c, format, &|f| f == field)).map(|constraint| {
        let outside = |f: FieldId| !format.is_within(format.field(f).block, own);
        if is_instance_local(format, constraint, own) {
            last_field_end(format, constraint, &outside)
        } else {
            // The constraint involves other instances as well, and more of them may follow.
            LIVE_TO_END
        }
    });
    rules.max().unwrap_or(0)
}

/// Returns the position after the last field that is sized or constrained together with this one.
fn end_of_field(format: &Format, field: FieldId) -> usize {
    let own = format.field(field).block;
    let rules = format.constraints.iter().filter(|c| involves_field(c, format, &|f| f == field)).map(|constraint| {
        if is_instance_local(format, constraint, own) {
            last_field_end(format, constraint, &|_| true)
        } else {
            LIVE_TO_END
        }
    });
    rules.chain(sized_ends(format, field)).max().unwrap_or(0).max(field.0 + 1)
}

/// Returns the position after the last field outside a block that is constrained together with a field inside.
fn end_of_block(format: &Format, block: BlockId) -> usize {
    let inside = |f: FieldId| format.is_within(format.field(f).block, block);
    let rules = format.constraints.iter().filter(|c| involves_field(c, format, &inside)).map(|constraint| {
        if is_instance_local(format, constraint, block) {
            last_field_end(format, constraint, &|f| !inside(f))
        } else {
            LIVE_TO_END
        }
    });
    rules.max().unwrap_or(0)
}

/// Returns true if a constraint involves a single instance of a block at a time.
fn is_instance_local(format: &Format, constraint: &Constraint, block: BlockId) -> bool {
    let mut around = Some(block);
    while let Some(id) = around {
        if constraint.rule.expressions().iter().any(|e| folds_instances(format, e, id)) {
            return false;
        }
        around = format.block(id).parent;
    }
    format.is_within(constraint.home_block, block)
}

fn involves_field(constraint: &Constraint, format: &Format, of: &dyn Fn(FieldId) -> bool) -> bool {
    let mut found = false;
    visit_fields(constraint, format, &mut |f| found |= of(f));
    found
}

/// Returns the position after the last of the fields `of` that a constraint involves.
fn last_field_end(format: &Format, constraint: &Constraint, of: &dyn Fn(FieldId) -> bool) -> usize {
    let mut end = 0;
    visit_fields(constraint, format, &mut |f| end = if of(f) { end.max(f.0 + 1) } else { end });
    end
}

/// Calls `visit` with each field that can affect a constraint.
fn visit_fields(constraint: &Constraint, format: &Format, visit: &mut dyn FnMut(FieldId)) {
    if let Some((from, to)) = constraint.rule.edge_ends() {
        visit(from);
        visit(to);
    }
    for field in format.field_ids() {
        let depends = || constraint.rule.expressions().iter().any(|e| format.depends_on(e, field));
        if constraint.rule.mentions_field(field) || depends() {
            visit(field);
        }
    }
}

/// Returns the positions after each array that a field sizes, and after each block with a count that depends on it.
fn sized_ends(format: &Format, field: FieldId) -> impl Iterator<Item = usize> + '_ {
    let arrays = format.fields.iter().enumerate().filter(move |(_, f)| {
        f.dimensions.iter().any(|d| matches!(d, FieldDimension::Size(size) if size.mentions_field(field)))
    });
    let blocks = format.block_ids().filter(move |block| match &format.block(*block).count {
        InstanceCount::Alternative | InstanceCount::Until { .. } => false,
        count => count.mentions_field(field),
    });
    let end_of_inside = move |block: BlockId| {
        let inside = format.fields.iter().enumerate().filter(|(_, f)| format.is_within(f.block, block));
        inside.map(|(i, _)| i + 1).max().unwrap_or(LIVE_TO_END)
    };
    arrays.map(|(i, _)| i + 1).chain(blocks.map(end_of_inside))
}
