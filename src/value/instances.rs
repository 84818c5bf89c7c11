//! The instances of a block, kept side by side.
//!
//! A repeated line is the most common part of an input, and there may be a million of it: an instance is no value of
//! its own but a stretch of slots in one sequence, so a list of any length is one allocation.

use super::Value;
use crate::format::{BlockId, Format};

/// The instances of a repeated block, of a condition or of an alternative: each has the same number of slots.
///
/// While an input is read or enumerated, the last instance may still lack its last slots.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Instances {
    // Half words, so that a `Value` is no larger than its largest number: no input has more lines.
    width: u32,
    count: u32,
    slots: Vec<Value>,
}

/// What stands where there is no list.
static NONE: Instances = Instances { width: 0, count: 0, slots: Vec::new() };

impl Instances {
    /// No instance yet, of a block of so many slots.
    pub fn new(width: usize) -> Self {
        Instances::with_room(width, 0)
    }

    /// No instance yet, but room for some.
    #[expect(clippy::expect_used, reason = "a block has as many slots as its format has fields and blocks")]
    pub fn with_room(width: usize, count: usize) -> Self {
        let slots = Vec::with_capacity(width.saturating_mul(count));
        Instances {
            width: u32::try_from(width).expect("a block has fewer slots than a format has bytes"),
            count: 0,
            slots,
        }
    }

    /// The instances with these slots.
    pub fn of<S: IntoIterator<Item = Value>>(width: usize, instances: impl IntoIterator<Item = S>) -> Self {
        let instances = instances.into_iter();
        let mut list = Instances::with_room(width, instances.size_hint().0);
        list.extend(instances);
        list
    }

    /// So many instances, of which these are all slots, one instance after the other.
    #[expect(
        clippy::expect_used,
        reason = "a slot takes bytes of memory: there cannot be 2^32 instances without it being full"
    )]
    pub fn of_slots(width: usize, count: usize, slots: Vec<Value>) -> Self {
        let half_word = |number: usize| u32::try_from(number).expect("fewer than 2^32 instances");
        Instances { width: half_word(width), count: half_word(count), slots }
    }

    /// No instances of nothing.
    pub fn none() -> &'static Self {
        &NONE
    }

    /// How many slots each instance has.
    fn width(&self) -> usize {
        self.width as usize
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.count as usize
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    fn range(&self, i: usize) -> Option<std::ops::Range<usize>> {
        let start = i * self.width();
        (i < self.len()).then(|| start..(start + self.width()).min(self.slots.len()))
    }

    /// The slots of an instance.
    pub fn get(&self, i: usize) -> Option<&[Value]> {
        self.slots.get(self.range(i)?)
    }

    /// The slots of an instance, to be changed.
    pub fn get_mut(&mut self, i: usize) -> Option<&mut [Value]> {
        let range = self.range(i)?;
        self.slots.get_mut(range)
    }

    /// The slots of the last instance.
    pub fn last(&self) -> Option<&[Value]> {
        self.get(self.len().checked_sub(1)?)
    }

    /// The instances in order.
    pub fn iter(&self) -> Iter<'_> {
        Iter { rest: &self.slots, width: self.width(), left: self.len() }
    }

    /// Adds an instance.
    pub fn push(&mut self, instance: impl IntoIterator<Item = Value>) {
        self.open().extend(instance);
    }

    /// Begins one more instance: its slots are to be put behind all others.
    pub fn open(&mut self) -> &mut Vec<Value> {
        self.count += 1;
        &mut self.slots
    }

    /// The slots of all instances, one after the other.
    pub fn slots(&self) -> &[Value] {
        &self.slots
    }

    /// The same, for other instances to be made of.
    pub fn into_slots(self) -> Vec<Value> {
        self.slots
    }

    /// The slots of all instances, the last of which is not complete yet.
    pub fn open_slots(&mut self) -> &mut Vec<Value> {
        &mut self.slots
    }

    /// Keeps the instances at some positions.
    pub fn retain(&mut self, mut keep: impl FnMut(usize) -> bool) {
        let mut kept = Instances::with_room(self.width(), self.len());
        let (width, mut slots) = (self.width(), std::mem::take(&mut self.slots).into_iter());
        for i in 0..self.len() {
            let instance = slots.by_ref().take(width);
            if keep(i) { kept.push(instance) } else { instance.for_each(drop) }
        }
        *self = kept;
    }
}

impl<S: IntoIterator<Item = Value>> Extend<S> for Instances {
    fn extend<T: IntoIterator<Item = S>>(&mut self, instances: T) {
        instances.into_iter().for_each(|instance| self.push(instance));
    }
}

impl<'a> IntoIterator for &'a Instances {
    type Item = &'a [Value];
    type IntoIter = Iter<'a>;

    fn into_iter(self) -> Iter<'a> {
        self.iter()
    }
}

/// Instances in order.
#[derive(Clone, Debug)]
pub struct Iter<'a> {
    rest: &'a [Value],
    width: usize,
    left: usize,
}

impl<'a> Iterator for Iter<'a> {
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

impl DoubleEndedIterator for Iter<'_> {
    fn next_back(&mut self) -> Option<Self::Item> {
        self.left = self.left.checked_sub(1)?;
        let (rest, instance) = self.rest.split_at((self.left * self.width).min(self.rest.len()));
        self.rest = rest;
        Some(instance)
    }
}

impl ExactSizeIterator for Iter<'_> {}

/// The instances of a block that lies directly in an instance with the slots of `holder`.
pub fn instances_in<'v>(format: &Format, block: BlockId, holder: &'v [Value]) -> &'v Instances {
    holder.get(format.block(block).slot).map_or(Instances::none(), Value::as_instances)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(width: usize, count: i128) -> Instances {
        let line = |i: i128| (0..width as i128).map(move |slot| Value::Int(10 * i + slot)).collect::<Vec<Value>>();
        Instances::of(width, (0..count).map(line))
    }

    #[test]
    fn a_value_is_no_larger_than_a_number_and_its_tag() {
        assert_eq!(size_of::<Value>(), 2 * size_of::<i128>());
    }

    #[test]
    fn instances_of_any_width_are_counted() {
        for width in 0..3 {
            let mut list = lines(width, 4);
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
        let mut list = lines(2, 1);
        list.open();
        assert_eq!(list.last(), Some(&[][..]));
        list.open_slots().push(Value::Int(7));
        assert_eq!(list.iter().next_back(), Some(&[Value::Int(7)][..]));
    }
}
