//! A candidate that a deletion made invalid, made valid again if little is missing.
//!
//! A board that loses a row may have one `S` too few; a reference may point past the end; a sum may have become too
//! small. Each is moved to the nearest value that its constraints allow, without chance: the same candidate is always
//! mended in the same ways. A letter that is missing has to be put somewhere, and may come to lie on just what makes the
//! program fail; so in small inputs it is put elsewhere, too.

use crate::format::{BlockId, FieldId, Interval, Ranges, narrow};
use crate::generate::{Plan, settle_counts, settle_formulas};
use crate::validate::{compares, violation};
use crate::value::{Instances, Scope, Slots, Value};
use rebut_generators::Choices;

/// Letters are put elsewhere only in inputs of at most so many elements.
const ELSEWHERE_UP_TO: usize = 64;
/// In so many ways.
const WAYS: u64 = 3;

/// The mended candidates, as far as that made them valid.
pub(super) fn mend(plan: &Plan<'_>, candidate: &Value) -> Vec<Value> {
    let mut found: Vec<Value> = Vec::new();
    let ways = if has_letters(plan) && candidate.elements() <= ELSEWHERE_UP_TO { WAYS } else { 1 };
    for way in 0..ways {
        let mended = Value::Block(instance(plan, way, BlockId(0), candidate.slots(), None));
        if mended != *candidate && !found.contains(&mended) && violation(plan.format, &mended).is_none() {
            found.push(mended);
        }
    }
    found
}

fn has_letters(plan: &Plan<'_>) -> bool {
    plan.format.fields.iter().any(|f| f.letters().is_some())
}

/// Where letters are put: always to the front, or anywhere.
fn places(way: u64) -> Choices {
    if way == 0 { Choices::replay(Vec::new()) } else { Choices::fresh(way, 0) }
}

fn instance(plan: &Plan<'_>, way: u64, block: BlockId, slots: &[Value], outer: Option<&Scope<'_>>) -> Vec<Value> {
    let format = plan.format;
    let mut slots: Vec<Value> = slots.to_vec();
    for field in format.fields_of(block) {
        let slot = format.field(field).slot;
        let Some(mut mended) = slots.get(slot).cloned() else { continue };
        let scope = Scope { format, block, slots: Slots::Known(&slots), outer, variables: &[] };
        if format.field(field).letters().is_some() {
            settle_counts(plan, field, &mut mended, &scope, &mut places(way));
        } else if !plan.is_size(field) {
            let known = Known { scope: &scope };
            let stated = format.field(field).range;
            // What holds narrows nothing away from what is there; to find out that it holds is far cheaper.
            let holds = plan.comparisons(field).all(|(_, c)| compares(c, &scope));
            let narrowed = |range, c| narrow(field, range, c, &known);
            let range = plan.comparisons(field).filter(|_| !holds).fold(stated, |range, (_, c)| narrowed(range, c));
            clamp(&mut mended, if range.is_empty() { stated } else { range });
        }
        slots[slot] = mended;
    }
    for child in format.children(block) {
        let slot = format.block(child).slot;
        let list = {
            let scope = Scope { format, block, slots: Slots::Known(&slots), outer, variables: &[] };
            let mended = scope.list(child).iter().map(|i| instance(plan, way, child, i, Some(&scope)));
            Instances::of(format.block(child).slots, mended)
        };
        if let Some(place) = slots.get_mut(slot) {
            *place = Value::Instances(list);
        }
    }
    let mut near = |_: FieldId, range: Interval, before: i128| range.nearest(before);
    settle_formulas(plan, block, &mut slots, outer, &mut near);
    slots
}

fn clamp(value: &mut Value, range: Interval) {
    match value {
        Value::Int(number) => *number = range.nearest(*number),
        Value::Ints(numbers) => numbers.iter_mut().for_each(|n| *n = range.nearest(*n)),
        Value::List(rows) => rows.iter_mut().for_each(|r| clamp(r, range)),
        Value::Text(_) | Value::Instances(_) | Value::Block(_) => {}
    }
}

/// What single numbers are is known; the elements of arrays keep their stated range.
struct Known<'a, 's> {
    scope: &'s Scope<'a>,
}

impl Ranges for Known<'_, '_> {
    fn format(&self) -> &crate::format::Format {
        self.scope.format
    }

    fn value(&self, field: crate::format::FieldId) -> Interval {
        match self.scope.field(field) {
            Some(Value::Int(number)) => Interval::point(*number),
            _ => self.scope.format.field(field).range,
        }
    }

    fn free_length(&self, field: crate::format::FieldId) -> Interval {
        self.scope.format.field(field).length
    }

    fn exact(&self, expr: &crate::format::Expr) -> Option<i128> {
        crate::value::number(expr, self.scope).ok()
    }
}
