//! Value trees: what an input says, without how it is written.
//!
//! A [`Value`] mirrors the blocks of its format. Every derived product works on it: it is printed, generated,
//! enumerated, shrunk; an input's bytes become one by `read`.

mod eval;
mod instances;
mod occurrences;
mod order;
mod scope;
mod sum;

pub(crate) use eval::both;
pub use eval::{Unknown, each_element, elements, ends_of, every, is_array, number, size};
pub use instances::{Instances, instances_in};
pub use occurrences::{Occurrence, each_occurrence, each_occurrence_within, occurrence};
pub use order::{Measure, each_leaf};
pub use scope::{Scope, Slots};
pub use sum::Sum;

use crate::format::{Block, BlockId, BlockKind, Format};

/// The characters of a text. Most texts are short, and there may be thousands of them in an input: these stand in the
/// value itself.
pub type Characters = smallvec::SmallVec<[u8; SHORT]>;

/// The steps to a part of a value. An input of a million numbers has a million of these, and few are longer.
pub type Path = smallvec::SmallVec<[usize; 4]>;

/// As many characters as fit beside the length without making values larger.
pub const SHORT: usize = 16;

/// A part of an input.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Value {
    /// A number.
    Int(i128),
    /// Numbers in a row.
    Ints(Vec<i128>),
    /// Characters side by side.
    Text(Characters),
    /// The rows of a field of several dimensions.
    List(Vec<Value>),
    /// The instances of a block.
    Instances(Instances),
    /// The whole input: a value for each slot of its outermost block.
    Block(Vec<Value>),
}

impl Value {
    /// The number, if it is one.
    pub fn as_int(&self) -> Option<i128> {
        match self {
            Value::Int(value) => Some(*value),
            _ => None,
        }
    }

    /// The rows; none for anything else.
    pub fn as_list(&self) -> &[Value] {
        match self {
            Value::List(rows) => rows,
            _ => &[],
        }
    }

    /// The instances; none for anything else.
    pub fn as_instances(&self) -> &Instances {
        match self {
            Value::Instances(instances) => instances,
            _ => Instances::none(),
        }
    }

    /// The slots of a whole input; none for anything else.
    pub fn slots(&self) -> &[Value] {
        match self {
            Value::Block(slots) => slots,
            _ => &[],
        }
    }

    /// The values directly inside of it: rows, or the slots of all instances; none for a leaf.
    pub fn parts(&self) -> &[Value] {
        match self {
            Value::List(parts) | Value::Block(parts) => parts,
            Value::Instances(instances) => instances.slots(),
            Value::Int(_) | Value::Ints(_) | Value::Text(_) => &[],
        }
    }

    /// The number of numbers and characters in it.
    pub fn elements(&self) -> usize {
        match self {
            Value::Int(_) => 1,
            Value::Ints(numbers) => numbers.len(),
            Value::Text(letters) => letters.len(),
            nested => nested.parts().iter().map(Value::elements).sum(),
        }
    }

    /// The number of all parts that it is made of, itself included: what keeping it costs.
    pub fn nodes(&self) -> usize {
        match self {
            Value::Int(_) => 1,
            Value::Ints(numbers) => 1 + numbers.len(),
            Value::Text(letters) => 1 + letters.len(),
            nested => 1 + nested.parts().iter().map(Value::nodes).sum::<usize>(),
        }
    }

    /// The part at the end of a path of positions: slots, indices in lists, an instance and its slot in one step each.
    /// An instance is no part by itself: see [`instance_at`](Value::instance_at).
    pub fn at(&self, path: &[usize]) -> Option<&Value> {
        match (self, path) {
            (value, []) => Some(value),
            (Value::List(parts) | Value::Block(parts), [step, rest @ ..]) => parts.get(*step)?.at(rest),
            (Value::Instances(list), [index, slot, rest @ ..]) => list.get(*index)?.get(*slot)?.at(rest),
            _ => None,
        }
    }

    /// The part at the end of a path, to be changed.
    pub fn at_mut(&mut self, path: &[usize]) -> Option<&mut Value> {
        match (self, path) {
            (value, []) => Some(value),
            (Value::List(parts) | Value::Block(parts), [step, rest @ ..]) => parts.get_mut(*step)?.at_mut(rest),
            (Value::Instances(list), [index, slot, rest @ ..]) => list.get_mut(*index)?.get_mut(*slot)?.at_mut(rest),
            _ => None,
        }
    }

    /// The slots of the instance at the end of a path; of the whole input if the path is empty.
    pub fn instance_at(&self, path: &[usize]) -> Option<&[Value]> {
        match (self, path.split_last()) {
            (Value::Block(slots), None) => Some(slots),
            (value, Some((index, list))) => value.at(list)?.as_instances().get(*index),
            _ => None,
        }
    }

    /// The slots of the instance at the end of a path, to be changed.
    pub fn instance_at_mut(&mut self, path: &[usize]) -> Option<&mut [Value]> {
        match (self, path.split_last()) {
            (Value::Block(slots), None) => Some(slots),
            (value, Some((index, list))) => match value.at_mut(list)? {
                Value::Instances(instances) => instances.get_mut(*index),
                _ => None,
            },
            _ => None,
        }
    }
}

/// Calls `visit` with the path of each instance of a block and its slots, in order.
pub fn each_instance(format: &Format, root: &Value, block: BlockId, visit: &mut impl FnMut(&[usize], &[Value])) {
    let mut chain: Vec<&Block> = Vec::new();
    let mut at = block;
    while let Some(parent) = format.block(at).parent {
        chain.push(format.block(at));
        at = parent;
    }
    chain.reverse();
    descend(root.slots(), &chain, &mut Vec::new(), visit);
}

fn descend(slots: &[Value], chain: &[&Block], path: &mut Vec<usize>, visit: &mut impl FnMut(&[usize], &[Value])) {
    let Some((block, rest)) = chain.split_first() else { return visit(path, slots) };
    let Some(list) = slots.get(block.slot) else { return };
    path.push(block.slot);
    for (i, instance) in list.as_instances().iter().enumerate() {
        path.push(i);
        descend(instance, rest, path, visit);
        path.pop();
    }
    path.pop();
}

/// Calls `visit` with the scope of each instance of a block, in order.
pub fn each_scope(format: &Format, root: &Value, block: BlockId, visit: &mut dyn FnMut(&Scope<'_>)) {
    let mut chain = Vec::new();
    let mut at = block;
    while let Some(parent) = format.block(at).parent {
        chain.push(at);
        at = parent;
    }
    into_scopes(&Scope::whole(format, root), &mut chain, visit);
}

/// Goes down a chain of blocks, the last of which is the next.
fn into_scopes(scope: &Scope<'_>, chain: &mut Vec<BlockId>, visit: &mut dyn FnMut(&Scope<'_>)) {
    let Some(child) = chain.pop() else { return visit(scope) };
    for instance in scope.list(child) {
        into_scopes(&scope.inner(child, instance), chain, visit);
    }
    chain.push(child);
}

/// The place of a value in the words of the format: `case 3, a[2]`.
pub fn place(format: &Format, path: &[usize], index: Option<usize>) -> String {
    let mut words: Vec<String> = Vec::new();
    let mut block = BlockId(0);
    let mut steps = path.iter();
    while let Some(slot) = steps.next() {
        if let Some(child) = format.children(block).find(|c| format.block(*c).slot == *slot) {
            if let Some(i) = steps.next() {
                let noun = match format.block(child).kind {
                    BlockKind::Cases => Some("case"),
                    BlockKind::Repeat => Some("repetition"),
                    // There is only one of it.
                    BlockKind::Whole | BlockKind::Condition | BlockKind::Alternative => None,
                };
                words.extend(noun.map(|noun| format!("{noun} {}", i + 1)));
            }
            block = child;
            continue;
        }
        let Some(field) = format.fields_of(block).find(|f| format.field(*f).slot == *slot) else { break };
        let mut name = format.field(field).name.clone();
        for i in steps.by_ref().chain(index.as_ref()) {
            name.push_str(&format!("[{}]", i + 1));
        }
        words.push(name);
    }
    words.join(", ")
}
