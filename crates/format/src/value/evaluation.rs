//! Evaluation of expressions over values.

use super::Value;
use super::block_occurrences::{BlockOccurrence, find_occurrence, visit_occurrences};
use super::eval_error::{EvalError, EvalResult, both_values};
use super::scope::ValueScope;
use super::slices::{FoldAccumulator, fold_slice};
use crate::model::{
    ArithmeticOperator, BlockId, Expr, FieldDimension, FieldId, FoldKind, FoldRange, Format, MAX_NUMBER, SliceFold,
    apply_operator,
};

/// Evaluates an expression that stands for one number.
///
/// # Errors
/// See [`EvalError`]; an array is `Missing`, as it has no single value.
pub fn evaluate_number(expr: &Expr, scope: &ValueScope<'_>) -> EvalResult<i128> {
    match expr {
        Expr::Constant(value) => Ok(*value),
        Expr::Variable(variable) => scope.variables.get(*variable).copied().ok_or(EvalError::Missing),
        Expr::Element(field, indices) => evaluate_element(*field, indices, scope),
        Expr::Field(field) => scope.field_value(*field).and_then(Value::as_int).ok_or(EvalError::Missing),
        // A sequence has no single value: see `evaluate_elements`.
        Expr::Sequence(_) | Expr::TextLiteral(_) => Err(EvalError::Missing),
        Expr::Length(field) => match scope.field_value(*field) {
            Some(Value::Text(letters)) => Ok(letters.len() as i128),
            Some(Value::Ints(numbers)) => Ok(numbers.len() as i128),
            _ => Err(EvalError::Missing),
        },
        Expr::Negate(inner) => Ok(-evaluate_number(inner, scope)?),
        Expr::Call(function, inner) => Ok(function.apply_to(evaluate_number(inner, scope)?)),
        Expr::Slice(slice) => evaluate_slice(slice, scope),
        Expr::Binary(ArithmeticOperator::OrElse, left, right) => match evaluate_number(left, scope) {
            Err(EvalError::Absent(_) | EvalError::Empty) => evaluate_number(right, scope),
            found => found,
        },
        Expr::Binary(operator, left, right) => {
            let (left, right) = both_values(evaluate_number(left, scope), evaluate_number(right, scope))?;
            apply_operator(*operator, left, right).ok_or(EvalError::Undefined)
        }
        Expr::Fold(fold, over, inner) => match over {
            FoldRange::Elements => fold_elements(*fold, inner, scope),
            FoldRange::Instances(block) => fold_instances(*fold, *block, inner, scope),
            FoldRange::Occurrences(_) => fold_occurrences(*fold, *over, inner, scope),
        },
    }
}

fn evaluate_slice(slice: &SliceFold, scope: &ValueScope<'_>) -> EvalResult<i128> {
    let end = |expr| evaluate_number(expr, scope);
    let range = both_values(end(&slice.range.0), end(&slice.range.1))?;
    let wanted = slice.wanted().map(end).transpose()?;
    // A memo knows nothing of the other variables.
    let memo = scope.memo.filter(|_| !has_other_variable(slice));
    fold_slice(slice, range, wanted, memo, &|number| evaluate_slice_element(slice, number, scope))
}

fn has_other_variable(slice: &SliceFold) -> bool {
    slice.each.any_part(&|part| match part {
        Expr::Variable(variable) => Some(*variable != slice.variable),
        _ => None,
    })
}

/// Returns the element of a slice for a number.
///
/// # Errors
/// See [`EvalError`].
pub fn evaluate_slice_element(slice: &SliceFold, number: i128, scope: &ValueScope<'_>) -> EvalResult<i128> {
    with_slice_number(slice, number, scope, |scope| evaluate_number(&slice.each, scope))?
}

/// Calls `visit` with the expressions on which the last step of a slice depends, the wanted value and the last element,
/// and their scopes.
pub fn visit_last_step(slice: &SliceFold, scope: &ValueScope<'_>, visit: &mut dyn FnMut(&Expr, &ValueScope<'_>)) {
    slice.wanted().into_iter().for_each(|wanted| visit(wanted, scope));
    if let Ok(last) = evaluate_number(&slice.range.1, scope) {
        // Outside of the quantifiers around it, the slice has no elements.
        let _ = with_slice_number(slice, last, scope, |scope| visit(&slice.each, scope));
    }
}

/// Returns the result of `work` in the scope of one element of a slice.
fn with_slice_number<T>(
    slice: &SliceFold,
    number: i128,
    scope: &ValueScope<'_>,
    work: impl FnOnce(&ValueScope<'_>) -> T,
) -> EvalResult<T> {
    /// Number of variables that need no allocation.
    const FEW_VARIABLES: usize = 4;
    let outer = scope.variables.get(..slice.variable).ok_or(EvalError::Missing)?;
    let mut few = [0; FEW_VARIABLES];
    Ok(match few.get_mut(..=outer.len()) {
        Some(variables) => {
            variables[..outer.len()].copy_from_slice(outer);
            variables[outer.len()] = number;
            work(&scope.with_variables(variables))
        }
        None => work(&scope.with_variables(&[outer, &[number]].concat())),
    })
}

/// The part of a field that its indices, counted from 1, select: an element or a row.
enum PickedElement<'v> {
    Number(i128),
    Row(&'v Value),
}

fn evaluate_element(field: FieldId, indices: &[Expr], scope: &ValueScope<'_>) -> EvalResult<i128> {
    match pick_element(field, indices, scope)? {
        PickedElement::Number(number) => Ok(number),
        PickedElement::Row(value) => value.as_int().ok_or(EvalError::Missing),
    }
}

fn pick_element<'v>(field: FieldId, indices: &[Expr], scope: &ValueScope<'v>) -> EvalResult<PickedElement<'v>> {
    let info = scope.format.field(field);
    let index = |expr: &Expr| usize::try_from(evaluate_number(expr, scope)? - 1).map_err(|_| EvalError::Missing);
    let (mut value, rest) = match indices.split_first().filter(|_| scope.format.indexes_repetitions(field, indices)) {
        Some((repetition, rest)) => match index(repetition).and_then(|i| find_occurrence(scope, info.block, i)) {
            Ok(BlockOccurrence::Present(instance)) => (instance.get(info.slot).ok_or(EvalError::Missing)?, rest),
            Ok(BlockOccurrence::Absent) => {
                let also = absent_index_error(rest, scope);
                return Err(
                    also.map_or(absent_element_error(indices), |also| also.combine(absent_element_error(indices)))
                );
            }
            Err(unknown) => {
                return Err(absent_index_error(rest, scope).map_or(unknown, |absent| unknown.combine(absent)));
            }
        },
        None => (scope.field_value(field).ok_or(EvalError::Missing)?, indices),
    };
    for (i, expr) in rest.iter().enumerate() {
        let at = index(expr).map_err(|unknown| match absent_index_error(&rest[i + 1..], scope) {
            Some(absent) => unknown.combine(absent),
            None => unknown,
        })?;
        match value {
            Value::List(rows) => value = rows.get(at).ok_or(EvalError::Missing)?,
            Value::Ints(_) | Value::Text(_) => {
                return value.element_at(at).map(PickedElement::Number).ok_or(EvalError::Missing);
            }
            Value::Int(_) | Value::Instances(_) | Value::Block(_) => return Err(EvalError::Missing),
        }
    }
    Ok(PickedElement::Row(value))
}

fn absent_element_error(indices: &[Expr]) -> EvalError {
    EvalError::Absent(indices.iter().filter_map(Expr::innermost_variable).max())
}

/// Returns the error of the first absent index, if there is one.
fn absent_index_error(indices: &[Expr], scope: &ValueScope<'_>) -> Option<EvalError> {
    let found = indices.iter().filter_map(|index| evaluate_number(index, scope).err());
    found.filter(|unknown| matches!(unknown, EvalError::Absent(_))).reduce(EvalError::combine)
}

fn fold_elements(fold: FoldKind, inner: &Expr, scope: &ValueScope<'_>) -> EvalResult<i128> {
    let mut running = FoldAccumulator::new(fold);
    match inner {
        Expr::Field(field) => {
            visit_elements(scope.field_value(*field).ok_or(EvalError::Missing)?, &mut |n| running.add_value(n))
        }
        _ => match evaluate_elements(inner, scope) {
            // A fold leaves out what is absent; what is absent has no length.
            Err(EvalError::Absent(_)) if fold != FoldKind::Size => {}
            found => found?.into_iter().for_each(|n| running.add_value(n)),
        },
    }
    running.finish_fold()
}

fn fold_instances(fold: FoldKind, block: BlockId, inner: &Expr, scope: &ValueScope<'_>) -> EvalResult<i128> {
    let (holder, instances) = scope.instances_of(block).ok_or(EvalError::Missing)?;
    let mut running = FoldAccumulator::new(fold);
    for instance in instances {
        match evaluate_number(inner, &holder.for_instance(block, instance)) {
            Ok(value) => running.add_value(value),
            Err(EvalError::Empty | EvalError::Absent(_)) => {}
            Err(unknown) => return Err(unknown),
        }
    }
    running.finish_fold()
}

fn fold_occurrences(fold: FoldKind, over: FoldRange, inner: &Expr, scope: &ValueScope<'_>) -> EvalResult<i128> {
    let mut running = FoldAccumulator::new(fold);
    visit_occurrences(scope, over, &mut |_, scope| {
        match evaluate_number(inner, scope) {
            Ok(value) => running.add_value(value),
            Err(EvalError::Empty | EvalError::Absent(_)) => {}
            Err(unknown) => return Err(unknown),
        }
        Ok(())
    })?;
    running.finish_fold()
}

/// Calls `visit` with every number of a value, or the code of every character.
pub fn visit_elements(value: &Value, visit: &mut impl FnMut(i128)) {
    match value {
        Value::Int(number) => visit(*number),
        Value::Ints(numbers) => numbers.iter().for_each(|n| visit(*n)),
        Value::Text(letters) => letters.iter().for_each(|l| visit(i128::from(*l))),
        nested => nested.child_values().iter().for_each(|p| visit_elements(p, visit)),
    }
}

/// Returns true if `holds` is true for every number of a value, or the code of every character.
pub fn all_elements(value: &Value, holds: impl Fn(i128) -> bool + Copy) -> bool {
    match value {
        Value::Int(number) => holds(*number),
        Value::Ints(numbers) => numbers.iter().all(|n| holds(*n)),
        Value::Text(letters) => letters.iter().all(|l| holds(i128::from(*l))),
        nested => nested.child_values().iter().all(|p| all_elements(p, holds)),
    }
}

/// Returns the minimum and the maximum of some numbers.
pub fn min_and_max(numbers: &[i128]) -> Option<(i128, i128)> {
    let (mut least, mut most) = (*numbers.first()?, *numbers.first()?);
    for number in numbers {
        // New extrema are rare, so a predictable branch is cheaper than a conditional move.
        if *number < least {
            least = *number;
        }
        if *number > most {
            most = *number;
        }
    }
    Some((least, most))
}

/// Returns the values of an expression that stands for several numbers, in input order.
///
/// # Errors
/// See [`EvalError`].
pub fn evaluate_elements(expr: &Expr, scope: &ValueScope<'_>) -> EvalResult<Vec<i128>> {
    let mut found = Vec::new();
    match expr {
        Expr::Field(field) => {
            visit_elements(scope.field_value(*field).ok_or(EvalError::Missing)?, &mut |n| found.push(n));
        }
        Expr::Length(field) => collect_lengths(scope.field_value(*field).ok_or(EvalError::Missing)?, &mut found),
        Expr::Negate(inner) => found.extend(evaluate_elements(inner, scope)?.into_iter().map(|n| -n)),
        Expr::Call(function, inner) => {
            found.extend(evaluate_elements(inner, scope)?.into_iter().map(|n| function.apply_to(n)))
        }
        Expr::Binary(ArithmeticOperator::OrElse, ..) => found.push(evaluate_number(expr, scope)?),
        Expr::Binary(operator, left, right) => {
            let (left, right) = both_values(evaluate_operand(left, scope), evaluate_operand(right, scope))?;
            let count = if left.1 { right.0.len() } else { left.0.len() };
            for i in 0..count {
                found.push(
                    apply_operator(*operator, operand_value(&left, i)?, operand_value(&right, i)?)
                        .ok_or(EvalError::Undefined)?,
                );
            }
        }
        Expr::Element(field, indices) => match pick_element(*field, indices, scope)? {
            PickedElement::Number(number) => found.push(number),
            PickedElement::Row(value) => visit_elements(value, &mut |n| found.push(n)),
        },
        Expr::Sequence(inner) => return evaluate_elements(inner, scope),
        Expr::TextLiteral(letters) => found.extend(letters.iter().map(|letter| i128::from(*letter))),
        Expr::Constant(_) | Expr::Fold(..) | Expr::Slice(_) | Expr::Variable(_) => {
            found.push(evaluate_number(expr, scope)?)
        }
    }
    Ok(found)
}

/// Returns the numbers of one side, and true if it is a single number to compare with each of the other side.
fn evaluate_operand(expr: &Expr, scope: &ValueScope<'_>) -> EvalResult<(Vec<i128>, bool)> {
    if is_array_expr(expr, scope) {
        Ok((evaluate_elements(expr, scope)?, false))
    } else {
        Ok((vec![evaluate_number(expr, scope)?], true))
    }
}

fn operand_value(side: &(Vec<i128>, bool), i: usize) -> EvalResult<i128> {
    side.0.get(if side.1 { 0 } else { i }).copied().ok_or(EvalError::Missing)
}

fn collect_lengths(value: &Value, found: &mut Vec<i128>) {
    match value {
        Value::Text(letters) => found.push(letters.len() as i128),
        Value::Ints(numbers) => found.push(numbers.len() as i128),
        Value::List(parts) => parts.iter().for_each(|p| collect_lengths(p, found)),
        _ => {}
    }
}

/// Returns true if the expression stands for several numbers.
pub fn is_array_expr(expr: &Expr, scope: &ValueScope<'_>) -> bool {
    expr.any_part(&|part| match part {
        Expr::Element(field, indices) => Some(scope.format.picks_row(*field, indices)),
        Expr::Field(field) => Some(!scope.format.field(*field).is_scalar()),
        Expr::Length(field) => Some(scope.format.field(*field).dimensions.len() > 1),
        Expr::Fold(..) | Expr::Slice(_) | Expr::Sequence(_) => Some(false),
        _ => None,
    })
}

/// Returns the size of a dimension in this scope, or `None` if only the input determines it.
///
/// # Errors
/// See [`EvalError`]; a negative size is `Undefined`.
pub fn dimension_size(field: FieldId, dimension: usize, scope: &ValueScope<'_>) -> EvalResult<Option<usize>> {
    match scope.format.field(field).dimensions.get(dimension) {
        Some(FieldDimension::Size(size)) => {
            evaluate_number(size, scope).and_then(|n| usize::try_from(n).map(Some).map_err(|_| EvalError::Undefined))
        }
        _ => Ok(None),
    }
}

// Sums of single numbers, compiled for frequent evaluation.

/// A sum of constants and of single numbers from the enclosing instances: `r + 1`, `n - m`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CompiledSum {
    constant: i128,
    parts: Box<[SumTerm]>,
}

/// A single number with its sign.
#[derive(Clone, Debug, PartialEq, Eq)]
struct SumTerm {
    block: BlockId,
    slot: usize,
    is_negative: bool,
}

/// Maximum number of terms; longer sums are rare.
const MAX_TERMS: usize = 4;

/// Limit of each term, small enough that a sum of the maximum length cannot overflow.
const MAX_TERM_VALUE: i128 = MAX_NUMBER / 16;

impl CompiledSum {
    /// Compiles an expression, or returns `None` if it is not such a sum or too long.
    pub fn from_expr(expr: &Expr, format: &Format) -> Option<CompiledSum> {
        let (mut constant, mut parts) = (0, Vec::new());
        collect_sum_terms(expr, format, &mut constant, &mut parts)?;
        (parts.len() <= MAX_TERMS).then(|| CompiledSum { constant, parts: parts.into() })
    }

    /// Returns the value, or `None` if a number is unknown in this scope or so large that the general evaluation is
    /// needed.
    pub fn evaluate_sum(&self, scope: &ValueScope<'_>) -> Option<i128> {
        let mut sum = self.constant;
        for part in &self.parts {
            let number = scope.scope_of_block(part.block)?.slot_value(part.slot).and_then(Value::as_int)?;
            if number.unsigned_abs() > MAX_TERM_VALUE.unsigned_abs() {
                return None;
            }
            sum += if part.is_negative { -number } else { number };
        }
        Some(sum)
    }
}

/// Adds the terms of an expression.
fn collect_sum_terms(expr: &Expr, format: &Format, constant: &mut i128, parts: &mut Vec<SumTerm>) -> Option<()> {
    expr.visit_terms(&mut |term, is_negative| match term {
        Expr::Constant(number) => {
            *constant += if is_negative { -number } else { *number };
            (number.unsigned_abs() <= MAX_TERM_VALUE.unsigned_abs()
                && constant.unsigned_abs() <= MAX_TERM_VALUE.unsigned_abs())
            .then_some(())
        }
        Expr::Field(field) => {
            let field = format.field(*field);
            parts.push(SumTerm { block: field.block, slot: field.slot, is_negative });
            field.is_scalar().then_some(())
        }
        _ => None,
    })
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests")]
    use super::*;
    use crate::model::Format;
    use crate::read::read_input;
    use rebut_diagnostics::SourceText;

    fn parse_format(text: &str) -> Format {
        Format::parse(&SourceText::new("test", text)).unwrap().0
    }

    /// Evaluates the left side of the last constraint of a format for an input.
    fn evaluate_left(text: &str, input: &str) -> EvalResult<i128> {
        let format = parse_format(text);
        let value = read_input(&format, input.as_bytes()).unwrap();
        let comparison = format.constraints.last().unwrap().rule.comparison().unwrap();
        evaluate_number(&comparison.left[0], &ValueScope::for_input(&format, &value))
    }

    #[test]
    fn folds_run_over_arrays_rows_and_blocks() {
        let array = |expr: &str| format!("n; a[n] where 1 <= n <= 9; 0 <= a <= 9; {expr} <= 99");
        let cases =
            [("sum(a)", 10), ("max(a)", 7), ("min(a)", 1), ("count(a, 1)", 3), ("sum(a * a)", 52), ("n - 1", 3)];
        for (expr, expected) in cases {
            assert_eq!(evaluate_left(&array(expr), "4\n1 7 1 1\n").unwrap(), expected, "{expr}");
        }
        let blocks = "m; repeat m: x y where 1 <= m <= 9; 0 <= x, y <= 9; sum(x * y) <= 99";
        assert_eq!(evaluate_left(blocks, "2\n2 3\n4 5\n"), Ok(26));
    }

    #[test]
    fn slices_fold_their_elements() {
        let cases: [(&str, [i128; 4]); 7] = [
            ("sum(a[1..i])", [3, 2, 5, 7]),
            ("sum(a[i..n])", [7, 4, 5, 2]),
            ("sum(a[2..i-1])", [0, 0, -1, 2]),
            ("max(a[1..i])", [3, 3, 3, 3]),
            ("min(a[i..4])", [-1, -1, 2, 2]),
            ("count(a[1..i], 3)", [1, 1, 2, 2]),
            ("count(a[1..n], i)", [0, 1, 2, 0]),
        ];
        for (expr, expected) in cases {
            let format =
                parse_format(&format!("n i; a[n] where 1 <= n <= 9; 1 <= i <= n; -9 <= a <= 9; {expr} >= -99"));
            let left = format.constraints.last().unwrap().rule.expressions()[0];
            for (i, expected) in expected.into_iter().enumerate() {
                let value = read_input(&format, format!("4 {}\n3 -1 3 2\n", i + 1).as_bytes()).unwrap();
                let scope = ValueScope::for_input(&format, &value);
                assert_eq!(evaluate_number(left, &scope), Ok(expected), "{expr}, i = {}", i + 1);
            }
        }
    }

    #[test]
    fn elements_of_slices_out_of_range_are_missing() {
        for expr in ["sum(a[0..n])", "sum(a[1..n+1])"] {
            let format = parse_format(&format!("n; a[n] where 1 <= n <= 9; -9 <= a <= 9; {expr} >= -99"));
            let left = format.constraints.last().unwrap().rule.expressions()[0];
            let value = read_input(&format, b"1\n1\n").unwrap();
            assert_eq!(evaluate_number(left, &ValueScope::for_input(&format, &value)), Err(EvalError::Missing));
        }
    }

    #[test]
    fn what_has_no_value_says_why() {
        let extreme = "n; a[n] where 0 <= n <= 9; 0 <= a <= 9; max(a) <= 9";
        assert_eq!(evaluate_left(extreme, "0\n\n"), Err(EvalError::Empty));
        let quotient = "n m where 0 <= n, m <= 9; n / m <= 9";
        assert_eq!(evaluate_left(quotient, "7 2\n"), Ok(3));
        assert_eq!(evaluate_left(quotient, "7 0\n"), Err(EvalError::Undefined));
    }
}
