//! From one leaf to the next: what stands between them is decided by what is chosen, or forks the way.

use super::early::{self, Early};
use super::known::Known;
use super::prefix::{More, Prefix};
use crate::format::is_plain;
use crate::format::{BlockId, Count, FieldId, Format, Interval, Item, Token, narrow_length};
use crate::generate::Plan;
use crate::print::{print, starts_like};
use crate::read::read;
use crate::validate::{self, violation};
use crate::value::{self, Characters, Instances, Value};
use std::cell::Cell;

/// A format, and all that its inputs are built by.
#[derive(Debug)]
pub(super) struct Walk<'a> {
    pub(super) plan: &'a Plan<'a>,
    pub(super) format: &'a Format,
    pub(super) early: Early<'a>,
    /// Whether a value may print as another one does: then only the one that reading finds is an input.
    is_ambiguous: bool,
    /// Whether everything that decides about an input is known in advance, so that parts of inputs can be counted
    /// together. Otherwise each whole input is asked about.
    pub(super) is_understood: bool,
    /// Whether a way was given up that has more parts without any number or character than can be kept.
    has_given_up: Cell<bool>,
}

/// Maximum number of rows of an array: a format may announce `10^18` of them with nothing in them.
const MAX_ROWS: usize = 1_000_000;

/// Maximum number of steps from one leaf to the next, and of parts of the ways that are followed besides: a thousand lines that
/// may each be empty take two million.
const MAX_STEPS: usize = 4_000_000;

/// What became of a prefix.
enum Step {
    /// It went on.
    On,
    /// A leaf is next, or the input is whole.
    Ready,
    /// No valid input begins like this.
    Dead,
    /// It goes on in several ways.
    Fork(Vec<Prefix>),
}

impl<'a> Walk<'a> {
    pub(super) fn new(plan: &'a Plan<'a>) -> Self {
        let format = plan.format;
        let is_ambiguous = !is_plain(format);
        let is_understood = !is_ambiguous && format.constraints.iter().all(|c| early::is_understood(&c.rule));
        Walk { plan, format, early: Early::new(format), is_ambiguous, is_understood, has_given_up: Cell::new(false) }
    }

    /// Returns true if what was found is not all, because some way has too many parts to be kept.
    pub(super) fn has_given_up(&self) -> bool {
        self.has_given_up.get()
    }

    fn give_up(&self) -> Step {
        self.has_given_up.set(true);
        Step::Dead
    }

    /// All ways to go on to the next leaf or to the end, in the order of what no number announces.
    pub(super) fn settle(&self, prefix: Prefix) -> Vec<Prefix> {
        let mut found = Vec::new();
        let mut open = vec![prefix];
        let mut steps = 0;
        while let Some(mut prefix) = open.pop() {
            loop {
                steps += 1;
                let step = if steps > MAX_STEPS { self.give_up() } else { self.step(&mut prefix) };
                match step {
                    Step::On => {}
                    Step::Ready => {
                        found.push(prefix);
                        break;
                    }
                    Step::Dead => break,
                    Step::Fork(ways) => {
                        // A way that is followed besides is a copy of all that is chosen.
                        steps += ways.iter().map(|way| way.tree.nodes()).sum::<usize>() / 2;
                        open.extend(ways.into_iter().rev());
                        break;
                    }
                }
            }
        }
        found
    }

    fn step(&self, prefix: &mut Prefix) -> Step {
        let Some(frame) = prefix.spine.last().copied().filter(|_| prefix.next.is_none()) else { return Step::Ready };
        match self.format.block(frame.block).items.get(frame.item) {
            None => self.close(prefix, frame.block, frame.more),
            Some(Item::Line(parts)) => match parts.get(frame.part).map(|part| &part.token) {
                Some(Token::Field(field)) => self.field(prefix, *field),
                Some(Token::Literal(_)) => advance(prefix, |frame| frame.part += 1),
                None => advance(prefix, |frame| (frame.item, frame.part) = (frame.item + 1, 0)),
            },
            Some(Item::Rows(field)) => self.field(prefix, *field),
            Some(Item::Block(child)) => self.begin(prefix, *child),
            Some(Item::Either(children)) => {
                Step::Fork((0..children.len()).map(|i| fork(self.format, prefix, children, i)).collect())
            }
        }
    }

    fn field(&self, prefix: &mut Prefix, field: FieldId) -> Step {
        let info = self.format.field(field);
        if info.is_scalar() {
            prefix.next = Some(field);
            return Step::Ready;
        }
        if prefix.spine.last().is_some_and(|frame| frame.under_way != Some(info.slot)) {
            prefix.add_slot(empty(info.dimensions.len(), info.letters().is_some()));
            prefix.goes_on = true;
            return advance(prefix, |frame| frame.under_way = Some(info.slot));
        }
        let sizes = prefix.with_innermost(self.format, |scope| {
            (0..info.dimensions.len()).map(|d| value::size(field, d, scope)).collect::<Result<Vec<_>, _>>()
        });
        let Ok(sizes) = sizes else { return Step::Dead };
        let mut goes_on = prefix.goes_on;
        let place = prefix.last_slot_mut().map(|array| place(array, &sizes, info.letters().is_some(), &mut goes_on));
        prefix.goes_on = goes_on;
        match place {
            Some(Place::Element) => {
                prefix.next = Some(field);
                Step::Ready
            }
            Some(Place::Either(length)) => self.end_or_go_on(prefix, field, length),
            Some(Place::Full) => self.complete(prefix, field),
            Some(Place::TooFar) => self.give_up(),
            None => Step::Dead,
        }
    }

    /// A row of free length ends here, or gets one more element.
    fn end_or_go_on(&self, prefix: &mut Prefix, field: FieldId, length: usize) -> Step {
        let range = prefix.with_innermost(self.format, |scope| {
            let known = Known { scope, spine: &prefix.spine };
            let stated = self.format.field(field).length;
            self.plan.comparisons(field).fold(stated, |range, (i, comparison)| {
                let speaks = known.speaks(comparison, self.plan.home(i));
                if speaks { narrow_length(field, range, comparison, &known) } else { range }
            })
        });
        let length = length as i128;
        let mut ways = Vec::new();
        if length >= range.lo {
            ways.push(Prefix { goes_on: false, ..prefix.clone() });
        }
        if length < range.hi {
            ways.push(Prefix { next: Some(field), ..prefix.clone() });
        }
        Step::Fork(ways)
    }

    fn complete(&self, prefix: &mut Prefix, field: FieldId) -> Step {
        if let Some(frame) = prefix.frame_mut() {
            frame.under_way = None;
            // Rows in brackets are a part of a line like any other.
            match self.format.block(frame.block).items.get(frame.item) {
                Some(Item::Rows(_)) => frame.item += 1,
                _ => frame.part += 1,
            }
        }
        if self.early.array_fits(prefix, field) { Step::On } else { Step::Dead }
    }

    /// The list of a block's instances begins.
    fn begin(&self, prefix: &mut Prefix, child: BlockId) -> Step {
        let info = self.format.block(child);
        let count = prefix.with_innermost(self.format, |scope| match &info.count {
            Count::Times(count) => value::number(count, scope).ok().and_then(|count| usize::try_from(count).ok()),
            Count::When(comparisons) => Some(usize::from(comparisons.iter().all(|c| validate::compares(c, scope)))),
            Count::Chosen | Count::Until { .. } => Some(0),
        });
        let Some(count) = count else { return Step::Dead };
        prefix.add_slot(no_instances(self.format, child));
        if let Some(frame) = prefix.frame_mut() {
            (frame.item, frame.part, frame.under_way) = (frame.item + 1, 0, Some(info.slot));
        }
        if let Count::Until { range, .. } = info.count {
            return self.end_or_repeat(prefix, child, range, 0);
        }
        self.repeat(prefix, child, count)
    }

    /// So many more instances.
    fn repeat(&self, prefix: &mut Prefix, child: BlockId, count: usize) -> Step {
        let Some(later) = count.checked_sub(1) else { return self.end_list(prefix, child) };
        prefix.open_instance(child, More::Exactly(later));
        Step::On
    }

    /// A repetition without a count ends here, or goes on.
    fn end_or_repeat(&self, prefix: &Prefix, child: BlockId, range: Interval, length: usize) -> Step {
        let length = length as i128;
        let mut ways = Vec::new();
        if length >= range.lo {
            let mut ended = prefix.clone();
            if matches!(self.end_list(&mut ended, child), Step::On) {
                ways.push(ended);
            }
        }
        if length < range.hi {
            let mut longer = prefix.clone();
            longer.open_instance(child, More::Open);
            ways.push(longer);
        }
        Step::Fork(ways)
    }

    fn end_list(&self, prefix: &mut Prefix, child: BlockId) -> Step {
        if let Some(frame) = prefix.frame_mut() {
            frame.under_way = None;
        }
        if self.early.list_fits(prefix, child) { Step::On } else { Step::Dead }
    }

    /// The innermost instance is complete.
    fn close(&self, prefix: &mut Prefix, block: BlockId, more: More) -> Step {
        if !self.early.instance_fits(prefix, block) || self.looks_like_the_end(prefix, block) {
            return Step::Dead;
        }
        prefix.spine.pop();
        if prefix.is_whole() {
            return Step::Ready;
        }
        match more {
            More::Exactly(count) => self.repeat(prefix, block, count),
            More::Chosen => self.end_alternatives(prefix, block),
            More::Open => {
                let length = prefix.last_slot_mut().map_or(0, |list| list.as_instances().len());
                match self.format.block(block).count {
                    Count::Until { range, .. } => self.end_or_repeat(prefix, block, range, length),
                    _ => self.end_list(prefix, block),
                }
            }
        }
    }

    /// Whether the innermost instance begins with the line that would end its repetition.
    fn looks_like_the_end(&self, prefix: &Prefix, block: BlockId) -> bool {
        let Count::Until { sentinel: Some(sentinel), .. } = &self.format.block(block).count else { return false };
        prefix.with_innermost(self.format, |scope| match scope.slots {
            value::Slots::Known(slots) => starts_like(self.format, block, slots, sentinel),
            value::Slots::Partial(_) => false,
        })
    }

    /// The alternatives below the chosen one are not there.
    fn end_alternatives(&self, prefix: &mut Prefix, chosen: BlockId) -> Step {
        if matches!(self.end_list(prefix, chosen), Step::Dead) {
            return Step::Dead;
        }
        let Some(frame) = prefix.spine.last().copied() else { return Step::Dead };
        if let Some(Item::Either(children)) = self.format.block(frame.block).items.get(frame.item.wrapping_sub(1)) {
            let below = children.iter().skip_while(|child| **child != chosen).skip(1);
            below.for_each(|child| prefix.add_slot(no_instances(self.format, *child)));
        }
        Step::On
    }

    /// Whether a whole input is valid, and is what its bytes are read as.
    pub(super) fn is_input(&self, value: &Value) -> bool {
        violation(self.format, value).is_none()
            && (!self.is_ambiguous || read(self.format, &print(self.format, value)).as_ref() == Ok(value))
    }
}

fn advance(prefix: &mut Prefix, change: impl FnOnce(&mut super::prefix::Frame)) -> Step {
    if let Some(frame) = prefix.frame_mut() {
        change(frame);
    }
    Step::On
}

/// The prefix with one of several alternatives begun.
fn fork(format: &Format, prefix: &Prefix, children: &[BlockId], chosen: usize) -> Prefix {
    let mut way = prefix.clone();
    children[..=chosen].iter().for_each(|child| way.add_slot(no_instances(format, *child)));
    if let Some(frame) = way.frame_mut() {
        let slot = format.block(children[chosen]).slot;
        (frame.item, frame.part, frame.under_way) = (frame.item + 1, 0, Some(slot));
    }
    way.open_instance(children[chosen], More::Chosen);
    way
}

/// The list of a block before its first instance.
fn no_instances(format: &Format, block: BlockId) -> Value {
    Value::Instances(Instances::new(format.block(block).slots))
}

/// An array without elements.
fn empty(dimensions: usize, text: bool) -> Value {
    match (dimensions, text) {
        (0 | 1, true) => Value::Text(Characters::new()),
        (0 | 1, false) => Value::Ints(Vec::new()),
        _ => Value::List(Vec::new()),
    }
}

/// Where in an array the next element goes.
enum Place {
    /// It goes to the last row.
    Element,
    /// Nowhere: all are there.
    Full,
    /// To a row behind more than can be kept.
    TooFar,
    /// To the last row, which has so many, or nowhere.
    Either(usize),
}

/// Finds where the next element goes; rows are begun as they are needed.
fn place(array: &mut Value, sizes: &[Option<usize>], text: bool, goes_on: &mut bool) -> Place {
    match (sizes, array) {
        ([Some(size)], row) if row.elements() < *size => Place::Element,
        ([None], row) if *goes_on => Place::Either(row.elements()),
        ([Some(size), inner @ ..], Value::List(rows)) if !inner.is_empty() => loop {
            if let Some(row) = rows.last_mut() {
                match place(row, inner, text, goes_on) {
                    Place::Full => {}
                    found => return found,
                }
            }
            if rows.len() >= *size {
                return Place::Full;
            }
            if rows.len() >= MAX_ROWS {
                return Place::TooFar;
            }
            rows.push(empty(inner.len(), text));
            *goes_on = true;
        },
        _ => Place::Full,
    }
}
