//! The prefix of an input: all leaves up to some number or character are chosen, and none after it.
//!
//! Leaves are chosen in layout order, so a prefix is a value tree with last parts that may be incomplete: open
//! instances lack their last slots, an open list its last instances, an open array its last elements.

use crate::language::{BlockId, FieldId, Format};
use crate::value::{InstanceSlots, Value, ValueScope};

/// The prefix of an input.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Prefix {
    /// The chosen part.
    pub(super) tree: Value,
    /// The open instances, from the whole input to the innermost one. Empty once the input is complete.
    pub(super) spine: Vec<PrefixFrame>,
    /// The field of the next number or character.
    pub(super) next: Option<FieldId>,
    /// Whether the last row of the open array may get more elements, if its length is free.
    pub(super) is_row_open: bool,
}

/// An open instance, and the current position in its block's layout.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct PrefixFrame {
    pub(super) block: BlockId,
    pub(super) item: usize,
    pub(super) part: usize,
    /// The slot of the array or list that is not complete yet.
    pub(super) open_slot: Option<usize>,
    /// The instances that follow in the same list.
    pub(super) following: FollowingInstances,
}

/// The instances that follow an open one in its list.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum FollowingInstances {
    /// This many instances.
    Exactly(usize),
    /// Any number of instances: nothing announces it.
    Open,
    /// No instance: it is an alternative, and the empty lists of the later alternatives follow.
    Chosen,
}

impl Prefix {
    pub(super) fn new_empty() -> Prefix {
        let mut prefix = Prefix { tree: Value::Block(Vec::new()), spine: Vec::new(), next: None, is_row_open: false };
        prefix.push_frame(BlockId(0), FollowingInstances::Exactly(0));
        prefix
    }

    /// Returns true if the input is complete.
    pub(super) fn is_complete(&self) -> bool {
        self.spine.is_empty()
    }

    fn push_frame(&mut self, block: BlockId, more: FollowingInstances) {
        self.spine.push(PrefixFrame { block, item: 0, part: 0, open_slot: None, following: more });
    }

    /// Opens another instance of a block. Its list must be the last slot of the innermost instance.
    pub(super) fn open_instance(&mut self, block: BlockId, more: FollowingInstances) {
        match self.last_slot_mut() {
            Some(Value::Instances(list)) => list.begin_instance(),
            _ => unreachable!("the list of the instance is the last slot"),
        };
        self.push_frame(block, more);
    }

    /// Adds a slot to the innermost instance.
    pub(super) fn add_slot(&mut self, value: Value) {
        if let Some(slots) = self.slots_mut() {
            slots.push(value);
        }
    }

    /// Returns the slots of the innermost open instance.
    fn slots_mut(&mut self) -> Option<&mut Vec<Value>> {
        open_slots(&mut self.tree, self.spine.len().checked_sub(1)?)
    }

    /// Returns the last slot of the innermost open instance.
    pub(super) fn last_slot_mut(&mut self) -> Option<&mut Value> {
        self.slots_mut()?.last_mut()
    }

    pub(super) fn frame_mut(&mut self) -> Option<&mut PrefixFrame> {
        self.spine.last_mut()
    }

    /// Chooses the next leaf: a number, or the code of a character. [`undo_leaf`](Prefix::undo_leaf) reverts
    /// it.
    #[expect(clippy::expect_used, reason = "a letter of a field is one byte")]
    pub(super) fn choose_leaf(&mut self, format: &Format, field: FieldId, leaf: i128) {
        self.next = None;
        if format.field(field).is_scalar() {
            self.add_slot(Value::Int(leaf));
            if let Some(frame) = self.frame_mut() {
                frame.part += 1;
            }
        } else if let Some(row) = self.last_slot_mut().and_then(last_row) {
            match row {
                Value::Ints(numbers) => numbers.push(leaf),
                Value::Text(letters) => letters.push(u8::try_from(leaf).expect("the code of a letter is a byte")),
                Value::Int(_) | Value::List(_) | Value::Instances(_) | Value::Block(_) => {}
            }
        }
    }

    /// Reverts the last choice of a leaf.
    pub(super) fn undo_leaf(&mut self, format: &Format, field: FieldId) {
        self.next = Some(field);
        if format.field(field).is_scalar() {
            if let Some(slots) = self.slots_mut() {
                slots.pop();
            }
            if let Some(frame) = self.frame_mut() {
                frame.part -= 1;
            }
        } else if let Some(row) = self.last_slot_mut().and_then(last_row) {
            match row {
                Value::Ints(numbers) => drop(numbers.pop()),
                Value::Text(letters) => drop(letters.pop()),
                Value::Int(_) | Value::List(_) | Value::Instances(_) | Value::Block(_) => {}
            }
        }
    }

    /// Calls `f` with the scope of the open instance at a depth of the spine.
    pub(super) fn with_scope<T>(&self, format: &Format, depth: usize, f: impl FnOnce(&ValueScope<'_>) -> T) -> T {
        let whole = ValueScope::for_input(format, &self.tree);
        descend_frames(&whole, self.spine.get(1..=depth).unwrap_or_default(), f)
    }

    /// Calls `f` with the scope of the innermost open instance.
    pub(super) fn with_innermost<T>(&self, format: &Format, f: impl FnOnce(&ValueScope<'_>) -> T) -> T {
        self.with_scope(format, self.spine.len().saturating_sub(1), f)
    }
}

#[expect(clippy::expect_used, reason = "the spine holds open instances only")]
fn descend_frames<T>(scope: &ValueScope<'_>, frames: &[PrefixFrame], f: impl FnOnce(&ValueScope<'_>) -> T) -> T {
    let Some((frame, inner)) = frames.split_first() else { return f(scope) };
    let slots = InstanceSlots::Known(
        scope.child_instances(frame.block).last().expect("an open instance is the last of its list"),
    );
    descend_frames(&ValueScope::new(scope.format, frame.block, slots, Some(scope)), inner, f)
}

fn open_slots(value: &mut Value, depth: usize) -> Option<&mut Vec<Value>> {
    let slots = match value {
        Value::Block(slots) => slots,
        Value::Instances(list) => list.all_slots_mut(),
        _ => return None,
    };
    match depth.checked_sub(1) {
        Some(inner) => open_slots(slots.last_mut()?, inner),
        None => Some(slots),
    }
}

/// Returns the innermost row that elements are appended to.
fn last_row(value: &mut Value) -> Option<&mut Value> {
    match value {
        Value::List(rows) => last_row(rows.last_mut()?),
        row => Some(row),
    }
}
