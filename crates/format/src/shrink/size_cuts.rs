//! Cuts the parts that a number sizes down to a smaller size.

use super::parts::{delete_parts, part_count};
use crate::language::{
    ArithmeticOperator, BlockId, Expr, Field, FieldDimension, FieldId, Format, InstanceCount, LayoutItem,
};
use crate::tuning::MAX_INSTANCE_PARTS;
use crate::validate::is_comparison_true;
use crate::value::{self, InstanceList, InstanceSlots, TextBytes, Value, ValueScope};

/// Lowers a size by the number of `deleted` positions, and deletes these from every part that it sizes.
pub(super) fn delete_from_sized(
    format: &Format,
    value: &Value,
    path: &[usize],
    field: FieldId,
    deleted: &[usize],
) -> Option<Value> {
    let size = value.instance_at(path)?.get(format.field(field).slot)?.as_int()?;
    let size = size.checked_sub(deleted.len() as i128).filter(|size| *size >= 0)?;
    set_size(format, value, path, field, size, deleted)
}

/// Sets a size, and deletes positions from every part that it sizes.
pub(super) fn set_size(
    format: &Format,
    value: &Value,
    path: &[usize],
    field: FieldId,
    size: i128,
    deleted: &[usize],
) -> Option<Value> {
    let mut left = value.clone();
    let home = format.field(field).block;
    *left.instance_at_mut(path)?.get_mut(format.field(field).slot)? = Value::Int(size);
    let cutter = AxisCutter { format, size: field, deleted };
    let mut cut =
        with_outer_scope(format, &left, path, &mut |outer, instance| cutter.cut_instance(home, instance, outer))?;
    left.instance_at_mut(path)?.swap_with_slice(&mut cut);
    Some(left)
}

/// Calls `f` with the scope around the instance at a path, and the instance.
pub(super) fn with_outer_scope<T>(
    format: &Format,
    root: &Value,
    path: &[usize],
    f: &mut dyn FnMut(Option<&ValueScope<'_>>, &[Value]) -> T,
) -> Option<T> {
    fn descend_scopes<T>(
        scope: &ValueScope<'_>,
        path: &[usize],
        f: &mut dyn FnMut(Option<&ValueScope<'_>>, &[Value]) -> T,
    ) -> Option<T> {
        let [slot, index, rest @ ..] = path else { return None };
        let instance = scope.slot_value(*slot)?.as_instances().get(*index)?;
        if rest.is_empty() {
            return Some(f(Some(scope), instance));
        }
        let child = scope.format.child_blocks(scope.block).find(|c| scope.format.block(*c).slot == *slot)?;
        descend_scopes(&scope.for_instance(child, instance), rest, f)
    }
    if path.is_empty() {
        Some(f(None, root.root_slots()))
    } else {
        descend_scopes(&ValueScope::for_input(format, root), path, f)
    }
}

/// Cuts every part that a size governs in an instance down to its new length.
struct AxisCutter<'a> {
    format: &'a Format,
    size: FieldId,
    deleted: &'a [usize],
}

impl AxisCutter<'_> {
    fn cut_instance(&self, block: BlockId, instance: &[Value], outer: Option<&ValueScope<'_>>) -> Vec<Value> {
        let format = self.format;
        let mut slots = instance.to_vec();
        for field in format.fields_in_block(block) {
            let slot = format.field(field).slot;
            let cut = {
                let scope = ValueScope::new(format, block, InstanceSlots::Known(&slots), outer);
                slots.get(slot).map(|value| self.cut_dimension(field, 0, value, &scope))
            };
            if let (Some(place), Some(cut)) = (slots.get_mut(slot), cut) {
                *place = cut;
            }
        }
        for child in format.child_blocks(block) {
            let slot = format.block(child).slot;
            let list = {
                let scope = ValueScope::new(format, block, InstanceSlots::Known(&slots), outer);
                self.cut_list(child, scope.child_instances(child), &scope)
            };
            if let Some(place) = slots.get_mut(slot) {
                *place = Value::Instances(list);
            }
        }
        slots
    }

    fn cut_list(&self, child: BlockId, list: &InstanceList, scope: &ValueScope<'_>) -> InstanceList {
        let mut gone = Vec::new();
        if let Some(count) = self.format.block(child).count.times_expr()
            && count.mentions_field(self.size)
            && let Ok(wanted) = value::evaluate_number(count, scope)
        {
            gone = fit_positions(self.deleted, count, list.len(), wanted);
        }
        let left = list.iter().enumerate().filter(|(i, _)| gone.binary_search(i).is_err());
        let cut = left.map(|(_, inner)| self.cut_instance(child, inner, Some(scope)));
        InstanceList::from_instances(self.format.block(child).slots, cut)
    }

    fn cut_dimension(&self, field: FieldId, dimension: usize, value: &Value, scope: &ValueScope<'_>) -> Value {
        let info = self.format.field(field);
        let size = match info.dimensions.get(dimension) {
            Some(FieldDimension::Size(size)) => Some(size),
            // The length of a row is in an array, so this is not its size.
            Some(FieldDimension::Free) if dimension == 0 => info.announced_length.as_ref(),
            _ => None,
        };
        let mut value = value.clone();
        if let Some(size) = size.filter(|size| size.mentions_field(self.size))
            && let Ok(wanted) = value::evaluate_number(size, scope)
        {
            let gone = fit_positions(self.deleted, size, part_count(&value), wanted);
            delete_parts(&mut value, &gone);
        }
        if let Value::List(rows) = &mut value {
            rows.iter_mut().for_each(|row| *row = self.cut_dimension(field, dimension + 1, row, scope));
        }
        value
    }
}

/// Returns the positions to delete from `length` parts so that `wanted` remain: the given ones where they fit;
/// for a size such as `2 * n` the given groups; otherwise the last ones.
fn fit_positions(given: &[usize], size: &Expr, length: usize, wanted: i128) -> Vec<usize> {
    let Some(excess) = usize::try_from(wanted).ok().and_then(|w| length.checked_sub(w)) else { return Vec::new() };
    let factor = match size {
        Expr::Binary(ArithmeticOperator::Multiply, a, b) => match (&**a, &**b) {
            (Expr::Constant(c), _) | (_, Expr::Constant(c)) => usize::try_from(*c).unwrap_or(1).max(1),
            _ => 1,
        },
        _ => 1,
    };
    let mut gone: Vec<usize> =
        given.iter().flat_map(|i| i * factor..(i + 1) * factor).filter(|i| *i < length).take(excess).collect();
    let named = gone.len();
    let mut last = length;
    while gone.len() < excess && last > 0 {
        last -= 1;
        if gone[..named].binary_search(&last).is_err() {
            gone.push(last);
        }
    }
    gone.sort_unstable();
    debug_assert_eq!(gone.len(), excess, "exactly the wanted number of parts is left");
    gone
}

// The minimal instance of a block, which replaces another alternative or a missing optional block.
//
// Every number is the simplest of its range, every length minimal, every repetition as short as possible. The
// search decides whether that is valid, after repairing the constraints between fields.

/// Returns the minimal instance of a block within a scope, or `None` if a size is unknown or too large.
pub(super) fn minimal_instance(format: &Format, block: BlockId, outer: Option<&ValueScope<'_>>) -> Option<Vec<Value>> {
    let mut slots: Vec<Option<Value>> = vec![None; format.block(block).slots];
    for field in format.fields_in_block(block) {
        let field = format.field(field);
        let minimal = {
            let scope = ValueScope::new(format, block, InstanceSlots::Partial(&slots), outer);
            minimal_value(field, &field.dimensions, &scope)?
        };
        *slots.get_mut(field.slot)? = Some(minimal);
    }
    for child in format.child_blocks(block) {
        let minimal = {
            let scope = ValueScope::new(format, block, InstanceSlots::Partial(&slots), outer);
            let one = || minimal_instance(format, child, Some(&scope));
            let instances: Option<Vec<Vec<Value>>> =
                (0..min_instance_count(format, child, &scope)?).map(|_| one()).collect();
            InstanceList::from_instances(format.block(child).slots, instances?)
        };
        *slots.get_mut(format.block(child).slot)? = Some(Value::Instances(minimal));
    }
    slots.into_iter().collect()
}

fn minimal_value(field: &Field, dimensions: &[FieldDimension], scope: &ValueScope<'_>) -> Option<Value> {
    let [dimension, inner @ ..] = dimensions else { return Some(Value::Int(field.range.simplest_value())) };
    let length = match dimension {
        FieldDimension::Size(size) => value::evaluate_number(size, scope).ok()?,
        FieldDimension::Free => field.length.lo,
    };
    let length = usize::try_from(length).ok().filter(|length| *length <= MAX_INSTANCE_PARTS)?;
    if !inner.is_empty() {
        let rows: Option<Vec<Value>> = (0..length).map(|_| minimal_value(field, inner, scope)).collect();
        return rows.map(Value::List);
    }
    Some(match field.alphabet() {
        Some(letters) => Value::Text(TextBytes::from_elem(*letters.first()?, length)),
        None => Value::Ints(vec![field.range.simplest_value(); length]),
    })
}

/// Returns the minimum number of instances of a block. Of alternatives, the first one exists.
fn min_instance_count(format: &Format, child: BlockId, scope: &ValueScope<'_>) -> Option<usize> {
    match &format.block(child).count {
        InstanceCount::Times(count) => usize::try_from(value::evaluate_number(count, scope).ok()?)
            .ok()
            .filter(|count| *count <= MAX_INSTANCE_PARTS),
        InstanceCount::Conditional(comparisons) => {
            Some(usize::from(comparisons.iter().all(|c| is_comparison_true(c, scope))))
        }
        InstanceCount::Alternative => {
            let first =
                |item: &LayoutItem| matches!(item, LayoutItem::Either(children) if children.first() == Some(&child));
            Some(usize::from(format.block(scope.block).items.iter().any(first)))
        }
        InstanceCount::Until { range, .. } => {
            usize::try_from(range.lo.max(0)).ok().filter(|count| *count <= MAX_INSTANCE_PARTS)
        }
    }
}

/// Returns the value with its conditional blocks adjusted to their conditions, and blocks with a number that depends on a text or an
/// array to that: the last or the first instances are removed, or minimal ones are added.
pub(super) fn apply_conditions(format: &Format, value: &Value, keeps_last: bool) -> Option<Value> {
    apply_conditions_within(format, BlockId(0), value.root_slots(), None, keeps_last).map(Value::Block)
}

fn apply_conditions_within(
    format: &Format,
    block: BlockId,
    instance: &[Value],
    outer: Option<&ValueScope<'_>>,
    keeps_last: bool,
) -> Option<Vec<Value>> {
    let mut slots = instance.to_vec();
    for child in format.child_blocks(block) {
        let met = {
            let scope = ValueScope::new(format, block, InstanceSlots::Known(&slots), outer);
            let mut list: Vec<Vec<Value>> = Vec::new();
            for inner in scope.child_instances(child).iter() {
                list.push(apply_conditions_within(format, child, inner, Some(&scope), keeps_last)?);
            }
            if format.is_counted_by_contents(child)
                || matches!(format.block(child).count, InstanceCount::Conditional(_))
            {
                let wanted = min_instance_count(format, child, &scope)?;
                if keeps_last {
                    list.drain(..list.len().saturating_sub(wanted));
                }
                list.truncate(wanted);
                while list.len() < wanted {
                    list.push(minimal_instance(format, child, Some(&scope))?);
                }
            }
            InstanceList::from_instances(format.block(child).slots, list)
        };
        *slots.get_mut(format.block(child).slot)? = Value::Instances(met);
    }
    Some(slots)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests")]
    use super::*;
    use crate::print::print_value;
    use crate::read::read_input;
    use rebut_diagnostics::SourceText;

    fn parse_format(text: &str) -> Format {
        Format::parse(&SourceText::new("test", text)).unwrap().0
    }

    #[test]
    fn everything_that_a_number_sizes_is_cut() {
        let text = "n m\na[n]\nb[n][n]\nrepeat n:\n  x\nwhere:\n  0 <= n, m <= 9\n  0 <= a, x <= 9\n  b over \".#\"";
        let format = parse_format(text);
        let value = read_input(&format, b"3 0\n1 2 3\n.#.\n###\n#..\n7\n8\n9\n").unwrap();
        let cut = delete_from_sized(&format, &value, &[], FieldId(0), &[1]).unwrap();
        assert_eq!(print_value(&format, &cut), b"2 0\n1 3\n..\n#.\n7\n9\n");
        assert_eq!(delete_from_sized(&format, &value, &[], FieldId(0), &[0, 1, 2, 3]), None);
    }

    #[test]
    fn positions_are_completed_from_the_end() {
        let size = |factor| {
            let parts = (Box::new(Expr::Constant(factor)), Box::new(Expr::Field(FieldId(0))));
            Expr::Binary(ArithmeticOperator::Multiply, parts.0, parts.1)
        };
        let plain = Expr::Field(FieldId(0));
        assert_eq!(fit_positions(&[1], &plain, 4, 3), [1]);
        assert_eq!(fit_positions(&[1], &plain, 4, 2), [1, 3]);
        assert_eq!(fit_positions(&[1], &size(2), 6, 4), [2, 3]);
        assert_eq!(fit_positions(&[], &plain, 2, 3), [0; 0]);
    }
}
