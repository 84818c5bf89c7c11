//! Sizes that several numbers determine together: `c[r-l+1]` with `l <= r`, `len(c) = r - l + 1`, rows with
//! their lengths in an array.
//!
//! When part of such an array is deleted, one of the numbers moves by the same amount: `r` down, or `l` up.

use crate::language::{ComparisonOperator, Expr, FieldId, Format, LinearSum};
use crate::print::print_value;
use crate::read::read_input;
use crate::shrink::parts::delete_parts;
use crate::shrink::size_cuts::set_size;
use crate::value::Value;

/// Returns true if a size is a sum of several numbers, or decreases with its number.
pub(super) fn is_shared_size(size: &Expr) -> bool {
    LinearSum::from_expr(size)
        .is_some_and(|sum| sum.factors.len() > 1 || sum.factors.values().any(|factor| *factor < 0))
}

/// Returns the array that holds the lengths of a field's rows, if one does.
pub(super) fn row_length_field(format: &Format, field: FieldId) -> Option<FieldId> {
    let info = format.field(field);
    let is_array =
        |other: FieldId| format.field(other).dimensions.len() == 1 && format.field(other).block == info.block;
    let equalities = format.comparisons().filter(|comparison| comparison.sign == ComparisonOperator::Equal);
    let mut declared = equalities.filter_map(|comparison| match (&*comparison.left, &*comparison.right) {
        ([Expr::Length(of)], [Expr::Field(other)]) | ([Expr::Field(other)], [Expr::Length(of)]) if *of == field => {
            Some(*other)
        }
        _ => None,
    });
    declared.find(|other| info.dimensions.len() == 2 && info.has_free_length() && is_array(*other))
}

/// Returns the candidates after a deletion: one for each number that can compensate for it.
pub(super) fn delete_shared(
    format: &Format,
    value: &Value,
    path: &[usize],
    size: &Expr,
    deleted: &[usize],
) -> Vec<Value> {
    let Some(sum) = LinearSum::from_expr(size) else { return Vec::new() };
    let count = deleted.len() as i128;
    let mut left = Vec::new();
    // Numbers that grow with the size come first: they become smaller.
    let mut numbers: Vec<(FieldId, i128)> = sum.factors.into_iter().filter(|(_, factor)| factor.abs() == 1).collect();
    numbers.sort_by_key(|(_, factor)| -factor);
    for (field, factor) in numbers {
        if !format.field(field).is_scalar() {
            left.extend(delete_in_row(value, path, format.field(field).slot, deleted));
            continue;
        }
        let home = home_path(format, path, field);
        let Some(number) = number_at(format, value, home, field) else { continue };
        left.extend(set_size(format, value, home, field, number - factor * count, deleted));
    }
    left.retain(|candidate| is_consistent(format, candidate));
    left
}

/// Shortens a row, and its length in the array in the slot `lengths`.
fn delete_in_row(value: &Value, path: &[usize], lengths: usize, deleted: &[usize]) -> Option<Value> {
    let [instance @ .., _, row] = path else { return None };
    let mut left = value.clone();
    delete_parts(left.value_at_mut(path)?, deleted);
    let Value::Ints(lengths) = left.instance_at_mut(instance)?.get_mut(lengths)? else { return None };
    *lengths.get_mut(*row)? -= deleted.len() as i128;
    Some(left)
}

/// Returns the path of the instance with a number, given the path of what it sizes.
pub(super) fn home_path<'p>(format: &Format, path: &'p [usize], field: FieldId) -> &'p [usize] {
    path.get(..2 * format.blocks_around(format.field(field).block).count()).unwrap_or_default()
}

pub(super) fn number_at(format: &Format, value: &Value, home: &[usize], field: FieldId) -> Option<i128> {
    value.instance_at(home)?.get(format.field(field).slot)?.as_int()
}

/// Returns true if the sizes in a value match its numbers, which may size more than was cut.
pub(super) fn is_consistent(format: &Format, value: &Value) -> bool {
    read_input(format, &print_value(format, value)).as_ref() == Ok(value)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests")]
    use super::*;
    use crate::language::FieldDimension;
    use rebut_diagnostics::SourceText;

    fn parse_format(text: &str) -> Format {
        Format::parse(&SourceText::new("test", text)).unwrap().0
    }

    #[test]
    fn sizes_of_several_numbers_are_shared() {
        let format =
            parse_format("l r n; a[r - l + 1]; b[n + 1]; c[n] where 1 <= l <= r <= 9; 1 <= n <= 9; 0 <= a, b, c <= 9");
        let is_shared = |name: &str| match &format.field(format.field_named(name).unwrap()).dimensions[0] {
            FieldDimension::Size(size) => is_shared_size(size),
            FieldDimension::Free => false,
        };
        assert_eq!([is_shared("a"), is_shared("b"), is_shared("c")], [true, false, false]);
    }

    #[test]
    fn one_number_moves_with_a_deletion() {
        let format = parse_format("l r; a[r - l + 1] where 1 <= l <= r <= 9; 0 <= a <= 9");
        let value = read_input(&format, b"2 4\n5 6 7\n").unwrap();
        let FieldDimension::Size(size) = &format.field(FieldId(2)).dimensions[0] else {
            unreachable!("the size is announced")
        };
        let left = delete_shared(&format, &value, &[2], size, &[1]);
        let texts: Vec<Vec<u8>> = left.iter().map(|value| print_value(&format, value)).collect();
        assert_eq!(texts, [b"2 3\n5 7\n".to_vec(), b"3 4\n5 7\n".to_vec()]);
    }
}
