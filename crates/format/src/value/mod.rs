//! Value trees: the contents of an input without its spelling.
//!
//! A [`Value`] mirrors the blocks of its format. Values are printed, generated, enumerated and shrunk; [`crate::read`]
//! parses the bytes of an input into one.
//!
//! ```
//! use rebut_diagnostics::SourceText;
//! use rebut_format::language::Format;
//! use rebut_format::read::read_input;
//! use rebut_format::value::{Measure, Value};
//!
//! let source = SourceText::new("example", "n; a[n] where 1 <= n <= 8; -9 <= a <= 9");
//! let (format, _) = Format::parse(&source).expect("a valid format");
//! let value = read_input(&format, b"2\n5 -3\n").expect("an input of the format");
//! assert_eq!(value.root_slots(), [Value::Int(2), Value::Ints(vec![5, -3])]);
//! assert_eq!(Measure::of_value(&format, &value).elements, 3);
//! ```

mod block_occurrences;
mod eval_error;
mod evaluation;
mod instances;
mod measure;
mod scope;
mod slices;

use crate::model::{Block, BlockId, BlockKind, Format, Interval};
pub use block_occurrences::{BlockOccurrence, find_occurrence, visit_occurrences, visit_occurrences_within};
pub use eval_error::EvalError;
pub(crate) use eval_error::both_values;
pub use evaluation::{
    CompiledSum, all_elements, dimension_size, evaluate_elements, evaluate_number, evaluate_slice_element,
    is_array_expr, min_and_max, visit_elements, visit_last_step,
};
pub use instances::{InstanceList, instances_in_holder};
pub use measure::{Measure, visit_leaves};
pub use scope::{InstanceSlots, ValueScope};
pub use slices::SliceMemo;

/// The characters of a text. Most texts are short, and an input may have thousands of them, so short ones are stored
/// inline.
pub type TextBytes = smallvec::SmallVec<[u8; MAX_INLINE_CHARACTERS]>;

/// The path to a part of a value. An input of a million numbers has a million paths, and few are longer than this.
pub type ValuePath = smallvec::SmallVec<[usize; 4]>;

/// A list that mostly has few elements.
pub(crate) type FewItems<T> = smallvec::SmallVec<[T; 8]>;

/// Number of characters that fit inline without making values larger.
pub const MAX_INLINE_CHARACTERS: usize = 16;

/// A part of an input.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Value {
    /// A number.
    Int(i128),
    /// Numbers in a row.
    Ints(Vec<i128>),
    /// A text.
    Text(TextBytes),
    /// The rows of a field with several dimensions.
    List(Vec<Value>),
    /// The instances of a block.
    Instances(InstanceList),
    /// The whole input: a value for each slot of its root block.
    Block(Vec<Value>),
}

impl Value {
    /// Returns the number, if the value is one.
    pub fn as_int(&self) -> Option<i128> {
        match self {
            Value::Int(value) => Some(*value),
            _ => None,
        }
    }

    /// Returns the rows; empty for other values.
    pub fn as_list(&self) -> &[Value] {
        match self {
            Value::List(rows) => rows,
            _ => &[],
        }
    }

    /// Returns the instances; empty for other values.
    pub fn as_instances(&self) -> &InstanceList {
        match self {
            Value::Instances(instances) => instances,
            _ => InstanceList::empty_list(),
        }
    }

    /// Returns the slots of a whole input; empty for other values.
    pub fn root_slots(&self) -> &[Value] {
        match self {
            Value::Block(slots) => slots,
            _ => &[],
        }
    }

    /// Returns the values directly inside: rows, or the slots of all instances; empty for a leaf.
    pub fn child_values(&self) -> &[Value] {
        match self {
            Value::List(parts) | Value::Block(parts) => parts,
            Value::Instances(instances) => instances.all_slots(),
            Value::Int(_) | Value::Ints(_) | Value::Text(_) => &[],
        }
    }

    /// Returns the range from the smallest to the largest number in the value; `None` without numbers.
    pub(crate) fn number_hull(&self) -> Option<Interval> {
        match self {
            Value::Int(number) => Some(Interval::from_value(*number)),
            Value::Ints(numbers) => min_and_max(numbers).map(|(least, most)| Interval::new(least, most)),
            Value::Text(_) => None,
            nested => nested.child_values().iter().filter_map(Value::number_hull).reduce(|a, b| a.hull_with(b)),
        }
    }

    /// Returns the number of numbers and characters in the value.
    pub fn element_count(&self) -> usize {
        match self {
            Value::Int(_) => 1,
            Value::Ints(numbers) => numbers.len(),
            Value::Text(letters) => letters.len(),
            nested => nested.child_values().iter().map(Value::element_count).sum(),
        }
    }

    /// Returns a number of an array, or the code of a character of a text. A single number is its own only element.
    #[inline]
    pub fn element_at(&self, index: usize) -> Option<i128> {
        match self {
            Value::Int(number) => Some(*number),
            Value::Ints(numbers) => numbers.get(index).copied(),
            Value::Text(letters) => letters.get(index).map(|letter| i128::from(*letter)),
            Value::List(_) | Value::Instances(_) | Value::Block(_) => None,
        }
    }

    /// Replaces an element, or returns `None` if there is none, or the number is not the code of a character.
    pub fn set_element(&mut self, index: usize, number: i128) -> Option<()> {
        match self {
            Value::Int(place) => *place = number,
            Value::Ints(numbers) => *numbers.get_mut(index)? = number,
            Value::Text(letters) => *letters.get_mut(index)? = u8::try_from(number).ok()?,
            Value::List(_) | Value::Instances(_) | Value::Block(_) => return None,
        }
        Some(())
    }

    /// Returns all numbers of a value, or the codes of all characters.
    pub fn elements(&self) -> Vec<i128> {
        let mut found = Vec::new();
        visit_elements(self, &mut |element| found.push(element));
        found
    }

    /// Returns a text with these characters if this is a text, and an array of these numbers otherwise.
    #[must_use]
    pub fn with_elements(&self, elements: impl IntoIterator<Item = i128>) -> Value {
        let elements = elements.into_iter();
        match self {
            Value::Text(_) => Value::Text(elements.filter_map(|letter| u8::try_from(letter).ok()).collect()),
            _ => Value::Ints(elements.collect()),
        }
    }

    /// Returns the number of all parts of the value, including itself, as an estimate of its memory use.
    pub fn node_count(&self) -> usize {
        match self {
            Value::Int(_) => 1,
            Value::Ints(numbers) => 1 + numbers.len(),
            Value::Text(letters) => 1 + letters.len(),
            nested => 1 + nested.child_values().iter().map(Value::node_count).sum::<usize>(),
        }
    }

    /// Returns the part at a path of slots, list indices, and instance index with slot in one step each. An instance
    /// is not a part by itself: see [`instance_at`](Value::instance_at).
    pub fn value_at(&self, path: &[usize]) -> Option<&Value> {
        match (self, path) {
            (value, []) => Some(value),
            (Value::List(parts) | Value::Block(parts), [step, rest @ ..]) => parts.get(*step)?.value_at(rest),
            (Value::Instances(list), [index, slot, rest @ ..]) => list.get(*index)?.get(*slot)?.value_at(rest),
            _ => None,
        }
    }

    /// Returns the part at a path mutably.
    pub fn value_at_mut(&mut self, path: &[usize]) -> Option<&mut Value> {
        match (self, path) {
            (value, []) => Some(value),
            (Value::List(parts) | Value::Block(parts), [step, rest @ ..]) => parts.get_mut(*step)?.value_at_mut(rest),
            (Value::Instances(list), [index, slot, rest @ ..]) => {
                list.get_mut(*index)?.get_mut(*slot)?.value_at_mut(rest)
            }
            _ => None,
        }
    }

    /// Returns the slots of the instance at a path; of the whole input if the path is empty.
    pub fn instance_at(&self, path: &[usize]) -> Option<&[Value]> {
        match (self, path.split_last()) {
            (Value::Block(slots), None) => Some(slots),
            (value, Some((index, list))) => value.value_at(list)?.as_instances().get(*index),
            _ => None,
        }
    }

    /// Returns the slots of the instance at a path mutably.
    pub fn instance_at_mut(&mut self, path: &[usize]) -> Option<&mut [Value]> {
        match (self, path.split_last()) {
            (Value::Block(slots), None) => Some(slots),
            (value, Some((index, list))) => match value.value_at_mut(list)? {
                Value::Instances(instances) => instances.get_mut(*index),
                _ => None,
            },
            _ => None,
        }
    }
}

/// Calls `visit` with the path of each instance of a block and its slots, in order.
pub fn visit_instances(format: &Format, root: &Value, block: BlockId, visit: &mut impl FnMut(&[usize], &[Value])) {
    let mut chain: Vec<&Block> = Vec::new();
    let mut at = block;
    while let Some(parent) = format.block(at).parent {
        chain.push(format.block(at));
        at = parent;
    }
    chain.reverse();
    visit_chain(root.root_slots(), &chain, &mut Vec::new(), visit);
}

/// Returns the paths of all instances of a block, in order.
pub fn instance_paths(format: &Format, root: &Value, block: BlockId) -> Vec<Vec<usize>> {
    let mut found = Vec::new();
    visit_instances(format, root, block, &mut |path, _| found.push(path.to_vec()));
    found
}

fn visit_chain(slots: &[Value], chain: &[&Block], path: &mut Vec<usize>, visit: &mut impl FnMut(&[usize], &[Value])) {
    let Some((block, rest)) = chain.split_first() else { return visit(path, slots) };
    let Some(list) = slots.get(block.slot) else { return };
    path.push(block.slot);
    for (i, instance) in list.as_instances().iter().enumerate() {
        path.push(i);
        visit_chain(instance, rest, path, visit);
        path.pop();
    }
    path.pop();
}

/// Calls `visit` with the scope of each instance of a block, in order.
pub fn visit_scopes(format: &Format, root: &Value, block: BlockId, visit: &mut dyn FnMut(&ValueScope<'_>)) {
    let mut chain = Vec::new();
    let mut at = block;
    while let Some(parent) = format.block(at).parent {
        chain.push(at);
        at = parent;
    }
    visit_scope_chain(&ValueScope::for_input(format, root), &mut chain, visit);
}

/// Descends a chain of blocks; the next one is its last element.
fn visit_scope_chain(scope: &ValueScope<'_>, chain: &mut Vec<BlockId>, visit: &mut dyn FnMut(&ValueScope<'_>)) {
    let Some(child) = chain.pop() else { return visit(scope) };
    for instance in scope.child_instances(child) {
        visit_scope_chain(&scope.for_instance(child, instance), chain, visit);
    }
    chain.push(child);
}

/// Describes the place of a value in terms of the format: `case 3, a[2]`.
pub fn describe_place(format: &Format, path: &[usize], index: Option<usize>) -> String {
    let mut words: Vec<String> = Vec::new();
    let mut block = BlockId(0);
    let mut steps = path.iter();
    while let Some(slot) = steps.next() {
        if let Some(child) = format.child_blocks(block).find(|c| format.block(*c).slot == *slot) {
            if let Some(i) = steps.next() {
                let noun = match format.block(child).kind {
                    BlockKind::Cases => Some("case"),
                    BlockKind::Repeat => Some("repetition"),
                    // There is only one instance.
                    BlockKind::Root | BlockKind::Condition | BlockKind::Alternative => None,
                };
                words.extend(noun.map(|noun| format!("{noun} {}", i + 1)));
            }
            block = child;
            continue;
        }
        let Some(field) = format.fields_in_block(block).find(|f| format.field(*f).slot == *slot) else { break };
        let mut name = format.field(field).name.clone();
        for i in steps.by_ref().chain(index.as_ref()) {
            name.push_str(&format!("[{}]", i + 1));
        }
        words.push(name);
    }
    words.join(", ")
}
