//! The instances of a block, stored contiguously.
//!
//! A repeated line is the most common part of an input, and there may be a million of them. An instance is therefore
//! not a value of its own but a range of slots in one vector, so that a list of any length is one allocation.

use super::Value;
use crate::model::{BlockId, Format};

/// The instances of a repeated block, a condition or an alternative: each has the same number of slots.
///
/// While an input is read or enumerated, the last instance may lack its last slots.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct InstanceList {
    // `u32` keeps a `Value` as small as its largest number; no input has more lines.
    width: u32,
    count: u32,
    slots: Vec<Value>,
}

/// A shared empty list, for slots without a list.
static EMPTY_INSTANCES: InstanceList = InstanceList { width: 0, count: 0, slots: Vec::new() };

impl InstanceList {
    /// Creates an empty list for a block with `width` slots.
    pub fn new(width: usize) -> Self {
        InstanceList::with_capacity(width, 0)
    }

    /// Creates an empty list with capacity for `count` instances.
    #[expect(clippy::expect_used, reason = "a block has as many slots as its format has fields and blocks")]
    pub fn with_capacity(width: usize, count: usize) -> Self {
        let slots = Vec::with_capacity(width.saturating_mul(count));
        InstanceList {
            width: u32::try_from(width).expect("a block has fewer slots than a format has bytes"),
            count: 0,
            slots,
        }
    }

    /// Creates a list from the slots of its instances.
    pub fn from_instances<S: IntoIterator<Item = Value>>(width: usize, instances: impl IntoIterator<Item = S>) -> Self {
        let instances = instances.into_iter();
        let mut list = InstanceList::with_capacity(width, instances.size_hint().0);
        list.extend(instances);
        list
    }

    /// Creates a list of `count` instances from all their slots in order.
    #[expect(
        clippy::expect_used,
        reason = "a slot takes bytes of memory: there cannot be 2^32 instances without it being full"
    )]
    pub fn from_slots(width: usize, count: usize, slots: Vec<Value>) -> Self {
        assert_eq!(slots.len(), width * count, "each instance has all of its slots");
        let half_word = |number: usize| u32::try_from(number).expect("fewer than 2^32 instances");
        InstanceList { width: half_word(width), count: half_word(count), slots }
    }

    /// Returns an empty list of a block without slots.
    pub fn empty_list() -> &'static Self {
        &EMPTY_INSTANCES
    }

    /// Returns the number of slots per instance.
    fn slot_width(&self) -> usize {
        self.width as usize
    }

    /// Returns the number of instances.
    pub fn len(&self) -> usize {
        self.count as usize
    }

    /// Returns true if there are no instances.
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    fn slot_range(&self, i: usize) -> Option<std::ops::Range<usize>> {
        let start = i * self.slot_width();
        (i < self.len()).then(|| start..(start + self.slot_width()).min(self.slots.len()))
    }

    /// Returns the slots of an instance.
    pub fn get(&self, i: usize) -> Option<&[Value]> {
        self.slots.get(self.slot_range(i)?)
    }

    /// Returns the slots of an instance mutably.
    pub fn get_mut(&mut self, i: usize) -> Option<&mut [Value]> {
        let range = self.slot_range(i)?;
        self.slots.get_mut(range)
    }

    /// Returns the slots of the last instance.
    pub fn last(&self) -> Option<&[Value]> {
        self.get(self.len().checked_sub(1)?)
    }

    /// Returns an iterator over the instances.
    pub fn iter(&self) -> InstanceIter<'_> {
        InstanceIter { rest: &self.slots, width: self.slot_width(), left: self.len() }
    }

    /// Appends an instance.
    pub fn push(&mut self, instance: impl IntoIterator<Item = Value>) {
        self.begin_instance().extend(instance);
    }

    /// Removes the last instance.
    pub fn remove_last(&mut self) {
        self.count = self.count.saturating_sub(1);
        self.slots.truncate(self.len() * self.slot_width());
    }

    /// Begins another instance and returns the slots of all instances, to which the caller appends the new ones.
    pub fn begin_instance(&mut self) -> &mut Vec<Value> {
        self.count += 1;
        &mut self.slots
    }

    /// Returns the slots of all instances in order.
    pub fn all_slots(&self) -> &[Value] {
        &self.slots
    }

    /// Returns the slots of all instances, consuming the list.
    pub fn into_slots(self) -> Vec<Value> {
        self.slots
    }

    /// Returns the slots of all instances mutably; the last instance is incomplete.
    pub fn all_slots_mut(&mut self) -> &mut Vec<Value> {
        &mut self.slots
    }

    /// Keeps only the instances at some positions.
    pub fn retain(&mut self, mut keep: impl FnMut(usize) -> bool) {
        let mut kept = InstanceList::with_capacity(self.slot_width(), self.len());
        let (width, mut slots) = (self.slot_width(), std::mem::take(&mut self.slots).into_iter());
        for i in 0..self.len() {
            let instance = slots.by_ref().take(width);
            if keep(i) { kept.push(instance) } else { instance.for_each(drop) }
        }
        *self = kept;
    }
}

impl<S: IntoIterator<Item = Value>> Extend<S> for InstanceList {
    fn extend<T: IntoIterator<Item = S>>(&mut self, instances: T) {
        instances.into_iter().for_each(|instance| self.push(instance));
    }
}

impl<'a> IntoIterator for &'a InstanceList {
    type Item = &'a [Value];
    type IntoIter = InstanceIter<'a>;

    fn into_iter(self) -> InstanceIter<'a> {
        self.iter()
    }
}

/// An iterator over instances.
#[derive(Clone, Debug)]
pub struct InstanceIter<'a> {
    rest: &'a [Value],
    width: usize,
    left: usize,
}

impl<'a> Iterator for InstanceIter<'a> {
    type Item = &'a [Value];

    fn next(&mut self) -> Option<&'a [Value]> {
        self.left = self.left.checked_sub(1)?;
        let (instance, rest) = self.rest.split_at(self.width.min(self.rest.len()));
        self.rest = rest;
        Some(instance)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.left, Some(self.left))
    }
}

impl DoubleEndedIterator for InstanceIter<'_> {
    fn next_back(&mut self) -> Option<Self::Item> {
        self.left = self.left.checked_sub(1)?;
        let (rest, instance) = self.rest.split_at((self.left * self.width).min(self.rest.len()));
        self.rest = rest;
        Some(instance)
    }
}

impl ExactSizeIterator for InstanceIter<'_> {}

/// Returns the instances of a block directly inside the instance with the slots `holder`.
pub fn instances_in_holder<'v>(format: &Format, block: BlockId, holder: &'v [Value]) -> &'v InstanceList {
    holder.get(format.block(block).slot).map_or(InstanceList::empty_list(), Value::as_instances)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn test_lines(width: usize, count: i128) -> InstanceList {
        let line = |i: i128| (0..width as i128).map(move |slot| Value::Int(10 * i + slot)).collect::<Vec<Value>>();
        InstanceList::from_instances(width, (0..count).map(line))
    }

    #[test]
    fn value_size_is_two_words_of_i128() {
        assert_eq!(size_of::<Value>(), 2 * size_of::<i128>());
    }

    #[test]
    fn instances_of_any_width_are_counted() {
        for width in 0..3 {
            let mut list = test_lines(width, 4);
            assert_eq!((list.len(), list.iter().len(), list.iter().rev().count()), (4, 4, 4));
            assert!(list.iter().eq((0..4).filter_map(|i| list.get(i))));
            assert_eq!(list.get(4), None);
            list.retain(|i| i % 2 == 1);
            assert_eq!(list.len(), 2);
            assert_eq!(list.last().and_then(<[Value]>::first), (width > 0).then_some(&Value::Int(30)));
        }
    }

    #[test]
    fn the_last_instance_may_lack_slots() {
        let mut list = test_lines(2, 1);
        list.begin_instance();
        assert_eq!(list.last(), Some(&[][..]));
        list.all_slots_mut().push(Value::Int(7));
        assert_eq!(list.iter().next_back(), Some(&[Value::Int(7)][..]));
    }
}
