//! Checks of comparisons: of numbers, of tuples, and element by element.

use super::{
    BreachNames, BrokenConstraint, ColumnRule, ConstraintKind, ElementFreedom, KnownPrefix, RuleBreach, ViolationSides,
};
use crate::model::{
    ArithmeticOperator, BlockId, Class, Comparison, ComparisonOperator, ConstraintRule, Expr, FieldId, FoldKind,
    FoldRange, Format,
};
use crate::value::{self, EvalError, ValueScope, both_values};
use std::borrow::Cow;

impl ConstraintKind for Comparison {
    fn expressions(&self) -> Vec<&Expr> {
        self.all_operands().collect()
    }

    fn class(&self, format: &Format) -> Class {
        comparison_class(format, self)
    }

    fn narrowing_comparison(&self, _: &Format) -> Option<Cow<'_, Comparison>> {
        Some(Cow::Borrowed(self))
    }

    fn check<'f>(&'f self, scope: &ValueScope<'_>) -> Result<BrokenConstraint<'f>, EvalError> {
        check_comparison(self, scope)
    }

    fn missing_reason(&self) -> &'static str {
        "it cannot be computed here"
    }

    fn is_countable(&self) -> bool {
        true
    }

    fn is_decided_by_expressions(&self) -> bool {
        true
    }

    fn may_relate_elements(&self, field: FieldId) -> bool {
        self.all_operands().any(|e| e.folds_field(field))
    }

    /// A comparison may be outside the innermost instance, and may be broken by ranges alone.
    fn may_still_hold(&self, home: BlockId, prefix: &dyn KnownPrefix) -> bool {
        let is_settled = self.all_operands().all(|e| prefix.is_settled(e));
        let is_broken = is_settled && prefix.scope_of(home).is_some_and(|scope| !super::holds_so_far(self, scope));
        !is_broken && prefix.could_hold(self, home)
    }

    fn column_rule(&self, _: BlockId) -> Option<ColumnRule<'_>> {
        Some(ColumnRule::Compared(self))
    }

    fn element_freedom(&self, field: FieldId) -> ElementFreedom {
        if leaves_elements_free(self, field) { ElementFreedom::Free } else { ElementFreedom::Unknown }
    }

    fn breach_name(&self, names: &BreachNames<'_>) -> String {
        names.comparison_name(self)
    }

    /// Numbers that have to be equal can be too small or too large.
    fn breaches(&self, names: &BreachNames<'_>) -> Option<Vec<RuleBreach>> {
        let breach = |comparison: Comparison| RuleBreach {
            name: names.comparison_name(&comparison),
            may_hold: minimal_violation(&comparison).map(ConstraintRule::from).into_iter().collect(),
            must_break: comparison.into(),
        };
        let is_condition = matches!(&*self.left, [Expr::Call(..)]);
        if self.sign == ComparisonOperator::Equal && self.left.len() == 1 && !is_condition {
            let half = |sign| breach(Comparison { sign, ..self.clone() });
            Some(vec![half(ComparisonOperator::LessEqual), half(ComparisonOperator::GreaterEqual)])
        } else {
            Some(vec![breach(self.clone())])
        }
    }

    fn negations(&self) -> Option<Vec<Vec<ConstraintRule>>> {
        Some(negate_comparison(self))
    }
}

impl Format {
    pub(crate) fn comparisons(&self) -> impl Iterator<Item = &Comparison> {
        self.constraints.iter().filter_map(|constraint| constraint.rule.comparison())
    }
}

/// Returns true if a comparison leaves each number of an array free within bounds, regardless of the others.
fn leaves_elements_free(comparison: &Comparison, id: FieldId) -> bool {
    let is_bound = |side: &[Expr]| match side {
        _ if !side.iter().any(|expr| expr.mentions_field(id)) => true,
        [Expr::Field(_) | Expr::Length(_)] => true,
        [Expr::Fold(..)] => comparison.sign != ComparisonOperator::Equal,
        _ => false,
    };
    comparison.sign != ComparisonOperator::NotEqual && is_bound(&comparison.left) && is_bound(&comparison.right)
}

/// Returns true if a comparison mentions the numbers of a field and nothing else, and may leave gaps in their range.
pub(crate) fn leaves_gaps(format: &Format, comparison: &Comparison, field: FieldId) -> bool {
    let info = format.field(field);
    let is_whole_number = info.decimal_places().max == 0 && info.alphabet().is_none();
    is_whole_number && is_about_one_number(comparison, field) && !is_bound(comparison)
}

/// Returns true if a comparison mentions the numbers of a field and nothing else.
fn is_about_one_number(comparison: &Comparison, field: FieldId) -> bool {
    let is_part = |expr: &Expr| {
        expr.all_parts(&|part| match part {
            Expr::Constant(_) => Some(true),
            Expr::Field(other) => Some(*other == field),
            Expr::Binary(ArithmeticOperator::OrElse, ..) => Some(false),
            Expr::Negate(_) | Expr::Call(..) | Expr::Binary(..) => None,
            _ => Some(false),
        })
    };
    comparison.decimals == 0
        && comparison.left.len() == 1
        && comparison.mentions_field(field)
        && comparison.all_operands().all(is_part)
}

/// Returns true if a comparison compares the number itself with a constant, so that it leaves a whole range.
fn is_bound(comparison: &Comparison) -> bool {
    let is_plain = |expr: &Expr| matches!(expr, Expr::Field(_) | Expr::Constant(_));
    comparison.all_operands().all(is_plain) && comparison.sign != ComparisonOperator::NotEqual
}

/// Returns how directly generation can satisfy a comparison.
fn comparison_class(format: &Format, comparison: &Comparison) -> Class {
    let Some((left, right)) = comparison.single_operands() else { return Class::Residual };
    if (0..format.fields.len()).any(|field| leaves_gaps(format, comparison, FieldId(field))) {
        return Class::Structural;
    }
    if comparison.sign == ComparisonOperator::NotEqual {
        return Class::Residual;
    }
    let counts = |e: &Expr| matches!(e, Expr::Fold(FoldKind::Count(_), FoldRange::Elements, _));
    let sums = |e: &Expr| match e {
        // Repeated values share a budget.
        Expr::Fold(FoldKind::Sum, over, _) => {
            over.innermost_block().is_none_or(|block| format.repetition_of(block).is_some())
        }
        _ => false,
    };
    let direct = |e: &Expr| matches!(e, Expr::Field(_) | Expr::Length(_));
    let is_array = |e: &Expr| matches!(e, Expr::Field(f) if !format.field(*f).is_scalar());
    if counts(left) || counts(right) {
        Class::Structural
    } else if sums(left) || sums(right) {
        Class::Budget
    } else if direct(left) && !is_array(right) || direct(right) && !is_array(left) {
        Class::Domain
    } else {
        Class::Residual
    }
}

/// Returns how a comparison is violated, or `None` if it holds.
pub(crate) fn check_comparison<'f>(
    comparison: &'f Comparison,
    scope: &ValueScope<'_>,
) -> Result<BrokenConstraint<'f>, EvalError> {
    if let Some((left, right)) = comparison.single_operands() {
        if let (Expr::Sequence(_) | Expr::TextLiteral(_), Expr::Sequence(_) | Expr::TextLiteral(_)) = (left, right) {
            // Texts, arrays and rows are compared lexicographically.
            let sides = both_values(value::evaluate_elements(left, scope), value::evaluate_elements(right, scope))?;
            let fails = !comparison.sign.compare(&sides.0, &sides.1);
            return Ok(fails.then_some((None, ViolationSides::Sequences(comparison, sides.0, sides.1))));
        }
        if value::is_array_expr(left, scope) || value::is_array_expr(right, scope) {
            return compare_arrays(comparison, left, right, scope);
        }
        let (left, right) = both_values(value::evaluate_number(left, scope), value::evaluate_number(right, scope))?;
        let fails = !comparison.sign.compare(&left, &right);
        return Ok(fails.then_some((None, ViolationSides::Numbers(comparison, left, right))));
    }
    compare_tuples(comparison, scope)
}

/// Number of tuple elements stored inline; longer tuples are rare.
const MAX_INLINE_TUPLE: usize = 8;

fn compare_tuples<'f>(comparison: &'f Comparison, scope: &ValueScope<'_>) -> Result<BrokenConstraint<'f>, EvalError> {
    let (mut left, mut right) = ([0; MAX_INLINE_TUPLE], [0; MAX_INLINE_TUPLE]);
    let (mut long_left, mut long_right) = (Vec::new(), Vec::new());
    let left = evaluate_tuple(&comparison.left, scope, &mut left, &mut long_left);
    let right = evaluate_tuple(&comparison.right, scope, &mut right, &mut long_right);
    let (left, right) = both_values(left, right)?;
    let fails = !comparison.sign.compare(&left, &right);
    Ok(fails.then(|| (None, ViolationSides::Tuples(comparison, left.to_vec(), right.to_vec()))))
}

/// Evaluates the elements of one side into inline or heap storage.
fn evaluate_tuple<'n>(
    side: &[Expr],
    scope: &ValueScope<'_>,
    short: &'n mut [i128; MAX_INLINE_TUPLE],
    long: &'n mut Vec<i128>,
) -> Result<&'n [i128], EvalError> {
    let numbers: &mut [i128] = match short.get_mut(..side.len()) {
        Some(numbers) => numbers,
        None => {
            long.resize(side.len(), 0);
            long
        }
    };
    let mut all = Ok(());
    for (number, expr) in numbers.iter_mut().zip(side) {
        let found = value::evaluate_number(expr, scope).map(|found| *number = found);
        all = both_values(all, found).map(|_| ());
    }
    all.map(|()| &*numbers)
}

fn compare_arrays<'f>(
    comparison: &'f Comparison,
    left: &Expr,
    right: &Expr,
    scope: &ValueScope<'_>,
) -> Result<BrokenConstraint<'f>, EvalError> {
    if holds_for_all_elements(comparison, left, right, scope)? {
        return Ok(None);
    }
    let numbers = |e: &Expr| {
        if value::is_array_expr(e, scope) {
            value::evaluate_elements(e, scope)
        } else {
            Ok(vec![value::evaluate_number(e, scope)?])
        }
    };
    let (left_array, right_array) = (value::is_array_expr(left, scope), value::is_array_expr(right, scope));
    let (left, right) = both_values(numbers(left), numbers(right))?;
    let count = if left_array { left.len() } else { right.len() };
    for i in 0..count {
        let sides = (left.get(if left_array { i } else { 0 }), right.get(if right_array { i } else { 0 }));
        let (Some(a), Some(b)) = sides else { return Err(EvalError::Missing) };
        if !comparison.sign.compare(a, b) {
            return Ok(Some((Some(i), ViolationSides::Numbers(comparison, *a, *b))));
        }
    }
    Ok(None)
}

/// Returns true if a comparison of an array with a single number holds for all elements, without copying the array.
/// Returns false if that is not certain.
fn holds_for_all_elements(
    comparison: &Comparison,
    left: &Expr,
    right: &Expr,
    scope: &ValueScope<'_>,
) -> Result<bool, EvalError> {
    let (array, sign, single) = match (left, right) {
        (Expr::Field(array), single) if !value::is_array_expr(single, scope) => (*array, comparison.sign, single),
        (single, Expr::Field(array)) if !value::is_array_expr(single, scope) => {
            (*array, comparison.sign.with_sides_swapped(), single)
        }
        _ => return Ok(false),
    };
    let single = value::evaluate_number(single, scope)?;
    let array = scope.field_value(array).ok_or(EvalError::Missing)?;
    Ok(match sign {
        ComparisonOperator::Less => value::all_elements(array, |number| number < single),
        ComparisonOperator::LessEqual => value::all_elements(array, |number| number <= single),
        ComparisonOperator::Greater => value::all_elements(array, |number| number > single),
        ComparisonOperator::GreaterEqual => value::all_elements(array, |number| number >= single),
        ComparisonOperator::Equal => value::all_elements(array, |number| number == single),
        ComparisonOperator::NotEqual => value::all_elements(array, |number| number != single),
    })
}

/// Returns the condition that the sides differ by no more than a violation needs.
fn minimal_violation(comparison: &Comparison) -> Option<Comparison> {
    let (left, right) = comparison.single_operands()?;
    let sign = match comparison.sign {
        ComparisonOperator::Less | ComparisonOperator::LessEqual => ComparisonOperator::LessEqual,
        _ => ComparisonOperator::GreaterEqual,
    };
    let right = nearest_violation(comparison.sign, right)?;
    Some(Comparison { decimals: comparison.decimals, ..Comparison::new(left.clone(), sign, right) })
}

/// Returns the left side nearest to the right one with which a comparison does not hold.
fn nearest_violation(sign: ComparisonOperator, right: &Expr) -> Option<Expr> {
    let offset_by_one = |operator| Expr::from_operands(right.clone(), operator, Expr::Constant(1));
    match sign {
        ComparisonOperator::LessEqual => Some(offset_by_one(ArithmeticOperator::Add)),
        ComparisonOperator::GreaterEqual => Some(offset_by_one(ArithmeticOperator::Subtract)),
        ComparisonOperator::Less | ComparisonOperator::Greater => Some(right.clone()),
        ComparisonOperator::Equal | ComparisonOperator::NotEqual => None,
    }
}

/// Returns conditions that hold only if a comparison does not, the nearest violation first.
fn negate_comparison(comparison: &Comparison) -> Vec<Vec<ConstraintRule>> {
    let rule = |left: &Expr, sign, right: Expr| {
        let decimals = comparison.decimals;
        vec![Comparison { decimals, ..Comparison::new(left.clone(), sign, right) }.into()]
    };
    let Some((left, right)) = comparison.single_operands() else {
        let equal = |(left, right): (&Expr, &Expr)| rule(left, ComparisonOperator::Equal, right.clone());
        let is_unequal = comparison.sign == ComparisonOperator::NotEqual;
        return if is_unequal {
            vec![comparison.left.iter().zip(&comparison.right).flat_map(equal).collect()]
        } else {
            Vec::new()
        };
    };
    let nearest = nearest_violation(comparison.sign, right).map(|right| rule(left, ComparisonOperator::Equal, right));
    nearest.into_iter().chain([rule(left, comparison.sign.negate_operator(), right.clone())]).collect()
}
