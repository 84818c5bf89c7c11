//! The beginning of an input: everything up to some number or character is chosen, nothing behind it is.
//!
//! Leaves are chosen in the order of the layout, so what is chosen is always a value tree whose last parts may be
//! short: the open instances lack their last slots, the open list its last instances, the open array its last elements.

use crate::format::{BlockId, FieldId, Format};
use crate::value::{Scope, Slots, Value};

/// The beginning of an input.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Prefix {
    /// What is chosen.
    pub(super) tree: Value,
    /// The open instances, from the whole input to the innermost; none once the input is whole.
    pub(super) spine: Vec<Frame>,
    /// The field whose next number or character is to be chosen.
    pub(super) next: Option<FieldId>,
    /// Whether the last row of the open array may get more elements, where only the input tells its length.
    pub(super) goes_on: bool,
}

/// An open instance, and the place in its block's layout that was reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Frame {
    pub(super) block: BlockId,
    pub(super) item: usize,
    pub(super) part: usize,
    /// The slot of the array or the list that is not complete yet.
    pub(super) under_way: Option<usize>,
    /// What follows in the list that the instance is in.
    pub(super) more: More,
}

/// What follows an instance.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum More {
    /// So many instances.
    Exactly(usize),
    /// As many instances as the input has before its end.
    Open,
    /// The empty lists of the alternatives below it.
    Chosen,
}

impl Prefix {
    /// Nothing is chosen.
    pub(super) fn empty() -> Prefix {
        let mut prefix = Prefix { tree: Value::Block(Vec::new()), spine: Vec::new(), next: None, goes_on: false };
        prefix.enter(BlockId(0), More::Exactly(0));
        prefix
    }

    /// Whether nothing is left to choose.
    pub(super) fn is_whole(&self) -> bool {
        self.spine.is_empty()
    }

    fn enter(&mut self, block: BlockId, more: More) {
        self.spine.push(Frame { block, item: 0, part: 0, under_way: None, more });
    }

    /// Opens one more instance of the block whose list is the last slot of the innermost instance.
    pub(super) fn open_instance(&mut self, block: BlockId, more: More) {
        if let Some(Value::Instances(list)) = self.last_slot_mut() {
            list.open();
        }
        self.enter(block, more);
    }

    /// Adds a slot to the innermost instance.
    pub(super) fn add_slot(&mut self, value: Value) {
        if let Some(slots) = self.slots_mut() {
            slots.push(value);
        }
    }

    /// The slots of the innermost open instance.
    fn slots_mut(&mut self) -> Option<&mut Vec<Value>> {
        open_slots(&mut self.tree, self.spine.len().checked_sub(1)?)
    }

    /// The last slot of the innermost open instance.
    pub(super) fn last_slot_mut(&mut self) -> Option<&mut Value> {
        self.slots_mut()?.last_mut()
    }

    /// The innermost frame.
    pub(super) fn frame_mut(&mut self) -> Option<&mut Frame> {
        self.spine.last_mut()
    }

    /// Chooses the next leaf: a number, or a character's code. [`undo`](Prefix::undo) takes it back.
    #[expect(clippy::expect_used, reason = "a letter of a field is one byte")]
    pub(super) fn choose(&mut self, format: &Format, field: FieldId, leaf: i128) {
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

    /// Takes back the leaf that was chosen last.
    pub(super) fn undo(&mut self, format: &Format, field: FieldId) {
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
    pub(super) fn with_scope<T>(&self, format: &Format, depth: usize, f: impl FnOnce(&Scope<'_>) -> T) -> T {
        let whole = Scope::whole(format, &self.tree);
        descend(&whole, self.spine.get(1..=depth).unwrap_or_default(), f)
    }

    /// Calls `f` with the scope of the innermost open instance.
    pub(super) fn with_innermost<T>(&self, format: &Format, f: impl FnOnce(&Scope<'_>) -> T) -> T {
        self.with_scope(format, self.spine.len().saturating_sub(1), f)
    }
}

#[expect(clippy::expect_used, reason = "the spine holds open instances only")]
fn descend<T>(scope: &Scope<'_>, frames: &[Frame], f: impl FnOnce(&Scope<'_>) -> T) -> T {
    let Some((frame, inner)) = frames.split_first() else { return f(scope) };
    let slots = Slots::Known(scope.list(frame.block).last().expect("an open instance is the last of its list"));
    descend(&Scope { format: scope.format, block: frame.block, slots, outer: Some(scope), variables: &[] }, inner, f)
}

/// The slots that the open instance at a depth adds its own to.
fn open_slots(value: &mut Value, depth: usize) -> Option<&mut Vec<Value>> {
    let slots = match value {
        Value::Block(slots) => slots,
        Value::Instances(list) => list.open_slots(),
        _ => return None,
    };
    match depth.checked_sub(1) {
        Some(inner) => open_slots(slots.last_mut()?, inner),
        None => Some(slots),
    }
}

/// The innermost row that elements are added to.
fn last_row(value: &mut Value) -> Option<&mut Value> {
    match value {
        Value::List(rows) => last_row(rows.last_mut()?),
        row => Some(row),
    }
}
