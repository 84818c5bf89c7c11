//! Where names are looked up while an expression is computed.

use super::{Instances, Value};
use crate::format::{BlockId, FieldId, Format};

/// The slots of an instance: all there, or some still to come while an input is read or generated.
#[derive(Clone, Copy, Debug)]
pub enum Slots<'a> {
    /// A whole instance, or its first slots.
    Known(&'a [Value]),
    /// An instance in the making.
    Partial(&'a [Option<Value>]),
}

/// An instance of a block and, through `outer`, of all the blocks around it.
#[derive(Clone, Copy, Debug)]
pub struct Scope<'a> {
    /// The format of the whole value.
    pub format: &'a Format,
    /// The block of which this is an instance.
    pub block: BlockId,
    /// Its slots.
    pub slots: Slots<'a>,
    /// The instance around it.
    pub outer: Option<&'a Scope<'a>>,
    /// What the quantifiers around the expression count, outermost first.
    pub variables: &'a [i128],
}

impl<'a> Scope<'a> {
    /// The scope of a whole input.
    pub fn whole(format: &'a Format, value: &'a Value) -> Self {
        Scope { format, block: BlockId(0), slots: Slots::Known(value.slots()), outer: None, variables: &[] }
    }

    /// The scope of an instance directly within this one.
    pub fn inner<'b>(&'b self, block: BlockId, instance: &'b [Value]) -> Scope<'b> {
        let slots = Slots::Known(instance);
        Scope { format: self.format, block, slots, outer: Some(self), variables: self.variables }
    }

    /// The same place, with what quantifiers count.
    pub fn with<'b>(&'b self, variables: &'b [i128]) -> Scope<'b> {
        Scope { variables, ..*self }
    }

    /// The value in a slot, if it is known yet.
    pub fn slot(&self, slot: usize) -> Option<&'a Value> {
        match self.slots {
            Slots::Known(values) => values.get(slot),
            Slots::Partial(values) => values.get(slot).and_then(Option::as_ref),
        }
    }

    /// The scope, this one or an outer one, that is an instance of the block.
    pub fn of(&self, block: BlockId) -> Option<&Scope<'a>> {
        let mut at = self;
        while at.block != block {
            at = at.outer?;
        }
        Some(at)
    }

    /// The value of a field, if it is visible from here and known yet.
    pub fn field(&self, id: FieldId) -> Option<&'a Value> {
        let field = self.format.field(id);
        self.of(field.block)?.slot(field.slot)
    }

    /// The instances of a block that lies directly in this scope.
    pub fn list(&self, block: BlockId) -> &'a Instances {
        self.slot(self.format.block(block).slot).map_or(Instances::none(), Value::as_instances)
    }

    /// The instances of a block that lies directly in this scope or an outer one.
    pub fn instances(&self, block: BlockId) -> Option<(&Scope<'a>, &'a Instances)> {
        let holder = self.format.block(block).parent?;
        let scope = self.of(holder)?;
        Some((scope, scope.slot(self.format.block(block).slot)?.as_instances()))
    }
}
