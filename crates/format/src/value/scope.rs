//! Scopes: the context in which the names of an expression are looked up.

use super::slices::SliceMemo;
use super::{InstanceList, Value};
use crate::model::{BlockId, FieldId, Format};

/// The slots of an instance: complete, or partly unknown while an input is read or generated.
#[derive(Clone, Copy, Debug)]
pub enum InstanceSlots<'a> {
    /// An instance, or a prefix of its slots.
    Known(&'a [Value]),
    /// An instance under construction.
    Partial(&'a [Option<Value>]),
}

/// An instance of a block and, through `outer`, of all blocks around it.
#[derive(Clone, Copy, Debug)]
pub struct ValueScope<'a> {
    /// The format of the value.
    pub format: &'a Format,
    /// The block of the instance.
    pub block: BlockId,
    /// Slots of the instance.
    pub slots: InstanceSlots<'a>,
    /// The enclosing instance.
    pub outer: Option<&'a ValueScope<'a>>,
    /// Values of the variables of the enclosing quantifiers, outermost first.
    pub variables: &'a [i128],
    /// The folds of slices so far, if many are evaluated for the same values.
    pub memo: Option<&'a SliceMemo>,
    /// A list of instances that is being drawn, and its block: it takes the place of the one in its slot.
    pub open_list: Option<(BlockId, &'a InstanceList)>,
}

impl<'a> ValueScope<'a> {
    /// Creates the scope of an instance outside of all quantifiers.
    pub fn new(
        format: &'a Format,
        block: BlockId,
        slots: InstanceSlots<'a>,
        outer: Option<&'a ValueScope<'a>>,
    ) -> Self {
        ValueScope { format, block, slots, outer, variables: &[], memo: None, open_list: None }
    }

    /// Creates the scope of a whole input.
    pub fn for_input(format: &'a Format, value: &'a Value) -> Self {
        ValueScope::new(format, BlockId(0), InstanceSlots::Known(value.root_slots()), None)
    }

    /// Creates the scope of an instance directly inside this one.
    pub fn for_instance<'b>(&'b self, block: BlockId, instance: &'b [Value]) -> ValueScope<'b> {
        let slots = InstanceSlots::Known(instance);
        ValueScope {
            variables: self.variables,
            memo: self.memo,
            ..ValueScope::new(self.format, block, slots, Some(self))
        }
    }

    /// Returns the same scope with values for the variables of quantifiers.
    pub fn with_variables<'b>(&'b self, variables: &'b [i128]) -> ValueScope<'b> {
        ValueScope { variables, ..*self }
    }

    /// Returns the same scope with a list of instances of a block directly inside that is being drawn.
    pub fn with_open_list<'b>(&'b self, block: BlockId, list: &'b InstanceList) -> ValueScope<'b> {
        ValueScope { open_list: Some((block, list)), ..*self }
    }

    /// Returns the same scope with a memo for the folds of slices.
    pub fn with_memo<'b>(&'b self, memo: &'b SliceMemo) -> ValueScope<'b> {
        ValueScope { memo: Some(memo), ..*self }
    }

    /// Returns the value in a slot, if it is known yet.
    pub fn slot_value(&self, slot: usize) -> Option<&'a Value> {
        match self.slots {
            InstanceSlots::Known(values) => values.get(slot),
            InstanceSlots::Partial(values) => values.get(slot).and_then(Option::as_ref),
        }
    }

    /// Returns the scope of a block: this one or an outer one.
    pub fn scope_of_block(&self, block: BlockId) -> Option<&ValueScope<'a>> {
        let mut at = self;
        while at.block != block {
            at = at.outer?;
        }
        Some(at)
    }

    /// Returns the value of a field, if it is visible from here and known yet.
    pub fn field_value(&self, id: FieldId) -> Option<&'a Value> {
        let field = self.format.field(id);
        self.scope_of_block(field.block)?.slot_value(field.slot)
    }

    /// Returns the instances of a block directly inside this scope.
    pub fn child_instances(&self, block: BlockId) -> &'a InstanceList {
        self.slot_value(self.format.block(block).slot).map_or(InstanceList::empty_list(), Value::as_instances)
    }

    /// Returns the instances of a block directly inside this scope or an outer one.
    pub fn instances_of(&self, block: BlockId) -> Option<(&ValueScope<'a>, &'a InstanceList)> {
        let holder = self.format.block(block).parent?;
        let scope = self.scope_of_block(holder)?;
        if let Some((_, list)) = scope.open_list.filter(|(open, _)| *open == block) {
            return Some((scope, list));
        }
        Some((scope, scope.slot_value(self.format.block(block).slot)?.as_instances()))
    }
}
