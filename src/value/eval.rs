//! Expressions over values.

use super::Value;
use super::occurrences::{Occurrence, each_occurrence, occurrence};
use super::scope::Scope;
use crate::format::{BlockId, Dimension, Expr, FieldId, Fold, Operator, Over, operate};

/// Why an expression has no value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unknown {
    /// Something in it is not known yet, or cannot be seen from here.
    Missing,
    /// It is the smallest or largest of nothing; comparisons with it hold.
    Empty,
    /// It overflows, divides by zero, or has a negative exponent.
    Undefined,
    /// It is an element of a repetition in which another form stands, or a condition does not hold. Comparisons with it are
    /// void. With the number of the innermost quantifier that its indices count with, if there is one.
    Absent(Option<usize>),
}

impl Unknown {
    /// Returns why an expression of two parts has no value, if neither has. What is absent makes a comparison void whatever
    /// else is in it; of several absent parts the one counts that the outermost quantifier picks.
    pub fn and(self, other: Unknown) -> Unknown {
        match (self, other) {
            (Unknown::Absent(one), Unknown::Absent(two)) => Unknown::Absent(one.min(two)),
            (_, absent @ Unknown::Absent(_)) => absent,
            // What cannot be computed makes a comparison false even if something else in it is of nothing.
            (Unknown::Empty, other) => other,
            (first, _) => first,
        }
    }
}

/// Returns both values.
///
/// # Errors
/// Returns why there are not two, as [`Unknown::and`] does.
pub(crate) fn both<A, B>(one: Computed<A>, two: Computed<B>) -> Computed<(A, B)> {
    match (one, two) {
        (Ok(one), Ok(two)) => Ok((one, two)),
        (Err(one), Err(two)) => Err(one.and(two)),
        (Err(unknown), Ok(_)) | (Ok(_), Err(unknown)) => Err(unknown),
    }
}

pub(crate) type Computed<T> = Result<T, Unknown>;

/// The value of an expression that stands for one number.
///
/// # Errors
/// See [`Unknown`]; an array is `Missing`, for it has no single value.
pub fn number(expr: &Expr, scope: &Scope<'_>) -> Computed<i128> {
    match expr {
        Expr::Constant(value) => Ok(*value),
        Expr::Variable(variable) => scope.variables.get(*variable).copied().ok_or(Unknown::Missing),
        Expr::Element(field, indices) => element(*field, indices, scope),
        Expr::Field(field) => scope.field(*field).and_then(Value::as_int).ok_or(Unknown::Missing),
        // A whole has no single value: see `elements`.
        Expr::Whole(_) | Expr::Letters(_) => Err(Unknown::Missing),
        Expr::Length(field) => match scope.field(*field) {
            Some(Value::Text(letters)) => Ok(letters.len() as i128),
            Some(Value::Ints(numbers)) => Ok(numbers.len() as i128),
            _ => Err(Unknown::Missing),
        },
        Expr::Minus(inner) => Ok(-number(inner, scope)?),
        Expr::Binary(Operator::Else, left, right) => match number(left, scope) {
            Err(Unknown::Absent(_) | Unknown::Empty) => number(right, scope),
            found => found,
        },
        Expr::Binary(operator, left, right) => {
            let (left, right) = both(number(left, scope), number(right, scope))?;
            operate(*operator, left, right).ok_or(Unknown::Undefined)
        }
        Expr::Fold(fold, over, inner) => match over {
            Over::Elements => fold_elements(*fold, inner, scope),
            Over::Instances(block) => fold_instances(*fold, *block, inner, scope),
            Over::Occurrences(_) => fold_occurrences(*fold, *over, inner, scope),
        },
    }
}

/// What a field's indices pick: one element, or a row; they count from 1.
enum Picked<'v> {
    Number(i128),
    Row(&'v Value),
}

fn element(field: FieldId, indices: &[Expr], scope: &Scope<'_>) -> Computed<i128> {
    match picked(field, indices, scope)? {
        Picked::Number(number) => Ok(number),
        Picked::Row(value) => value.as_int().ok_or(Unknown::Missing),
    }
}

fn picked<'v>(field: FieldId, indices: &[Expr], scope: &Scope<'v>) -> Computed<Picked<'v>> {
    let info = scope.format.field(field);
    let index = |expr: &Expr| usize::try_from(number(expr, scope)? - 1).map_err(|_| Unknown::Missing);
    let (mut value, rest) = match indices.split_first().filter(|_| scope.format.counts_repetitions(field, indices)) {
        Some((repetition, rest)) => match index(repetition).and_then(|i| occurrence(scope, info.block, i)) {
            Ok(Occurrence::Present(instance)) => (instance.get(info.slot).ok_or(Unknown::Missing)?, rest),
            Ok(Occurrence::Absent) => {
                let also = absent_index(rest, scope);
                return Err(also.map_or(absent(indices), |also| also.and(absent(indices))));
            }
            Err(unknown) => return Err(absent_index(rest, scope).map_or(unknown, |absent| unknown.and(absent))),
        },
        None => (scope.field(field).ok_or(Unknown::Missing)?, indices),
    };
    for (i, expr) in rest.iter().enumerate() {
        let at = index(expr).map_err(|unknown| match absent_index(&rest[i + 1..], scope) {
            Some(absent) => unknown.and(absent),
            None => unknown,
        })?;
        match value {
            Value::List(rows) => value = rows.get(at).ok_or(Unknown::Missing)?,
            Value::Ints(numbers) => return numbers.get(at).copied().map(Picked::Number).ok_or(Unknown::Missing),
            Value::Text(letters) => {
                let letter = letters.get(at).ok_or(Unknown::Missing)?;
                return Ok(Picked::Number(i128::from(*letter)));
            }
            Value::Int(_) | Value::Instances(_) | Value::Block(_) => return Err(Unknown::Missing),
        }
    }
    Ok(Picked::Row(value))
}

/// An element that is absent, of these indices.
fn absent(indices: &[Expr]) -> Unknown {
    Unknown::Absent(indices.iter().filter_map(Expr::innermost_variable).max())
}

/// Why one of some indices is absent, if one is.
fn absent_index(indices: &[Expr], scope: &Scope<'_>) -> Option<Unknown> {
    let found = indices.iter().filter_map(|index| number(index, scope).err());
    found.filter(|unknown| matches!(unknown, Unknown::Absent(_))).reduce(Unknown::and)
}

fn fold_elements(fold: Fold, inner: &Expr, scope: &Scope<'_>) -> Computed<i128> {
    let mut running = Running::new(fold);
    match inner {
        Expr::Field(field) => each_element(scope.field(*field).ok_or(Unknown::Missing)?, &mut |n| running.add(n)),
        _ => match elements(inner, scope) {
            Err(Unknown::Absent(_)) => {}
            found => found?.into_iter().for_each(|n| running.add(n)),
        },
    }
    running.result()
}

fn fold_instances(fold: Fold, block: BlockId, inner: &Expr, scope: &Scope<'_>) -> Computed<i128> {
    let (holder, instances) = scope.instances(block).ok_or(Unknown::Missing)?;
    let mut running = Running::new(fold);
    for instance in instances {
        match number(inner, &holder.inner(block, instance)) {
            Ok(value) => running.add(value),
            Err(Unknown::Empty | Unknown::Absent(_)) => {}
            Err(unknown) => return Err(unknown),
        }
    }
    running.result()
}

fn fold_occurrences(fold: Fold, over: Over, inner: &Expr, scope: &Scope<'_>) -> Computed<i128> {
    let mut running = Running::new(fold);
    each_occurrence(scope, over, &mut |_, scope| {
        match number(inner, scope) {
            Ok(value) => running.add(value),
            Err(Unknown::Empty | Unknown::Absent(_)) => {}
            Err(unknown) => return Err(unknown),
        }
        Ok(())
    })?;
    running.result()
}

/// A fold under way.
struct Running {
    fold: Fold,
    so_far: Option<i128>,
    overflow: bool,
}

impl Running {
    fn new(fold: Fold) -> Self {
        let so_far = matches!(fold, Fold::Sum | Fold::Count(_) | Fold::Size).then_some(0);
        Running { fold, so_far, overflow: false }
    }

    fn add(&mut self, value: i128) {
        let before = self.so_far;
        self.so_far = match (self.fold, before) {
            (Fold::Sum, Some(sum)) => {
                let (sum, overflow) = sum.overflowing_add(value);
                self.overflow |= overflow;
                Some(sum)
            }
            (Fold::Count(wanted), Some(count)) => Some(count + i128::from(value == wanted)),
            (Fold::Size, Some(count)) => Some(count + 1),
            (Fold::Min, Some(least)) => Some(least.min(value)),
            (Fold::Max, Some(most)) => Some(most.max(value)),
            (_, None) => Some(value),
        };
    }

    fn result(self) -> Computed<i128> {
        if self.overflow {
            return Err(Unknown::Undefined);
        }
        self.so_far.ok_or(Unknown::Empty)
    }
}

/// Calls `visit` with every number of a value, or the code of every character.
pub fn each_element(value: &Value, visit: &mut impl FnMut(i128)) {
    match value {
        Value::Int(number) => visit(*number),
        Value::Ints(numbers) => numbers.iter().for_each(|n| visit(*n)),
        Value::Text(letters) => letters.iter().for_each(|l| visit(i128::from(*l))),
        nested => nested.parts().iter().for_each(|p| each_element(p, visit)),
    }
}

/// Whether something holds for every number of a value, or the code of every character.
pub fn every(value: &Value, holds: impl Fn(i128) -> bool + Copy) -> bool {
    match value {
        Value::Int(number) => holds(*number),
        Value::Ints(numbers) => numbers.iter().all(|n| holds(*n)),
        Value::Text(letters) => letters.iter().all(|l| holds(i128::from(*l))),
        nested => nested.parts().iter().all(|p| every(p, holds)),
    }
}

/// The smallest and the largest of some numbers.
pub fn ends_of(numbers: &[i128]) -> Option<(i128, i128)> {
    let (mut least, mut most) = (*numbers.first()?, *numbers.first()?);
    for number in numbers {
        // New ends are rare, and a guess that there is none costs less than to choose.
        if *number < least {
            least = *number;
        }
        if *number > most {
            most = *number;
        }
    }
    Some((least, most))
}

/// The values of an expression that stands for several numbers, in the order of the input.
///
/// # Errors
/// See [`Unknown`].
pub fn elements(expr: &Expr, scope: &Scope<'_>) -> Computed<Vec<i128>> {
    let mut found = Vec::new();
    match expr {
        Expr::Field(field) => {
            each_element(scope.field(*field).ok_or(Unknown::Missing)?, &mut |n| found.push(n));
        }
        Expr::Length(field) => lengths(scope.field(*field).ok_or(Unknown::Missing)?, &mut found),
        Expr::Minus(inner) => found.extend(elements(inner, scope)?.into_iter().map(|n| -n)),
        Expr::Binary(Operator::Else, ..) => found.push(number(expr, scope)?),
        Expr::Binary(operator, left, right) => {
            let (left, right) = both(side(left, scope), side(right, scope))?;
            let count = if left.1 { right.0.len() } else { left.0.len() };
            for i in 0..count {
                found.push(operate(*operator, pick(&left, i)?, pick(&right, i)?).ok_or(Unknown::Undefined)?);
            }
        }
        Expr::Element(field, indices) => match picked(*field, indices, scope)? {
            Picked::Number(number) => found.push(number),
            Picked::Row(value) => each_element(value, &mut |n| found.push(n)),
        },
        Expr::Whole(inner) => return elements(inner, scope),
        Expr::Letters(letters) => found.extend(letters.iter().map(|letter| i128::from(*letter))),
        Expr::Constant(_) | Expr::Fold(..) | Expr::Variable(_) => found.push(number(expr, scope)?),
    }
    Ok(found)
}

/// The numbers of one side and whether it is a single number that goes with each of the other side.
fn side(expr: &Expr, scope: &Scope<'_>) -> Computed<(Vec<i128>, bool)> {
    if is_array(expr, scope) { Ok((elements(expr, scope)?, false)) } else { Ok((vec![number(expr, scope)?], true)) }
}

fn pick(side: &(Vec<i128>, bool), i: usize) -> Computed<i128> {
    side.0.get(if side.1 { 0 } else { i }).copied().ok_or(Unknown::Missing)
}

fn lengths(value: &Value, found: &mut Vec<i128>) {
    match value {
        Value::Text(letters) => found.push(letters.len() as i128),
        Value::Ints(numbers) => found.push(numbers.len() as i128),
        Value::List(parts) => parts.iter().for_each(|p| lengths(p, found)),
        _ => {}
    }
}

/// Whether the expression stands for several numbers.
pub fn is_array(expr: &Expr, scope: &Scope<'_>) -> bool {
    match expr {
        Expr::Constant(_) | Expr::Fold(..) | Expr::Variable(_) | Expr::Whole(_) | Expr::Letters(_) => false,
        Expr::Element(field, indices) => scope.format.picks_row(*field, indices),
        Expr::Field(field) => !scope.format.field(*field).is_scalar(),
        Expr::Length(field) => scope.format.field(*field).dimensions.len() > 1,
        Expr::Minus(inner) => is_array(inner, scope),
        Expr::Binary(_, left, right) => is_array(left, scope) || is_array(right, scope),
    }
}

/// The size that a dimension has in this scope; none if only the input tells.
///
/// # Errors
/// See [`Unknown`]; a negative size is `Undefined`.
pub fn size(field: FieldId, dimension: usize, scope: &Scope<'_>) -> Computed<Option<usize>> {
    match scope.format.field(field).dimensions.get(dimension) {
        Some(Dimension::Size(size)) => {
            number(size, scope).and_then(|n| usize::try_from(n).map(Some).map_err(|_| Unknown::Undefined))
        }
        _ => Ok(None),
    }
}
