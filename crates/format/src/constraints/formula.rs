//! Evaluation of formulas with `and`, `or`, `forall` and `exists`.

use super::comparison::check_comparison;
use super::{BreachNames, BrokenConstraint, ColumnRule, ConstraintKind, DistinctTuple, KnownPrefix, ViolationSides};
use crate::model::{
    ArithmeticOperator, BlockId, Class, Comparison, ComparisonOperator, ConstraintRule, Expr, FieldId, Format, Formula,
    QuantifiedFormula,
};
use crate::tuning::{FORMULA_STEPS_PER_STOP_CHECK, MAX_FORMULA_STEPS, MIN_COUNTED_STEPS};
use crate::value::{self, EvalError, SliceMemo, ValueScope, both_values};
use std::collections::HashSet;
use std::ops::RangeInclusive;

impl ConstraintKind for Formula {
    fn expressions(&self) -> Vec<&Expr> {
        let mut found = Vec::new();
        self.visit_exprs(&mut |e| found.push(e));
        found
    }

    fn class(&self, _: &Format) -> Class {
        Class::Residual
    }

    fn check<'f>(&'f self, scope: &ValueScope<'_>) -> Result<BrokenConstraint<'f>, EvalError> {
        Ok(find_fault(self, scope)?.map(|fault| (None, fault.sides)))
    }

    fn responsible_comparison(&self, scope: &ValueScope<'_>) -> Option<(&Comparison, Vec<i128>)> {
        let fault = find_fault(self, scope).ok()??;
        fault.comparison.map(|comparison| (comparison, fault.variables))
    }

    fn may_relate_elements(&self, field: FieldId) -> bool {
        self.expressions().iter().any(|e| e.mentions_field(field))
    }

    fn may_still_hold(&self, home: BlockId, prefix: &dyn KnownPrefix) -> bool {
        let Some(scope) = prefix.scope_of(home) else { return true };
        !uses_stable_numbers_only(self) || !matches!(find_fault(self, scope), Ok(Some(_)))
    }

    fn column_rule(&self, _: BlockId) -> Option<ColumnRule<'_>> {
        if let Formula::Compare(comparison) = self
            && comparison.all_operands().any(|e| matches!(e, Expr::Fold(fold, ..) if fold.is_relational()))
        {
            return Some(ColumnRule::Repaired);
        }
        disjoint_interval_fields(self).map(|(end, start)| ColumnRule::Disjoint(end, start))
    }

    /// Texts in a strict order are all different, and are drawn so.
    fn distinct_tuple(&self, format: &Format, block: BlockId) -> Option<DistinctTuple<'_>> {
        let field = self.strictly_ordered_texts(format)?;
        let is_tuple = format.is_repeated_text(field) && format.field(field).block == block;
        is_tuple.then_some(DistinctTuple { parts: &[], text: Some(field) })
    }

    fn breach_name(&self, names: &BreachNames<'_>) -> String {
        format!("not-{}", names.written_words())
    }

    fn negations(&self) -> Option<Vec<Vec<ConstraintRule>>> {
        Some(vec![vec![negate_formula(self).into()]])
    }
}

impl QuantifiedFormula {
    /// Returns the field whose elements, repetitions or texts are all in an order, and the relation of each to the next:
    /// `forall i in 1..n-1: a[i] <= a[i+1]`, `forall i in 2..n: a[i-1] <= a[i]`, where `n` is how many there are.
    pub(crate) fn ordered_list(&self, format: &Format) -> Option<(FieldId, ComparisonOperator)> {
        let Formula::Compare(comparison) = &self.body else { return None };
        let (left, right) = comparison.single_operands()?;
        let element = |side: &Expr| match side {
            Expr::Element(field, indices) => Some((*field, indices.clone())),
            Expr::Sequence(text) => match &**text {
                Expr::Element(field, indices) => Some((*field, indices.clone())),
                _ => None,
            },
            _ => None,
        };
        let ((field, one), (same, other)) = (element(left)?, element(right)?);
        let beside = |of: &Expr, operator| Expr::from_operands(of.clone(), operator, Expr::Constant(1));
        let (own, count) = (Expr::Variable(self.variable), format.list_length(field)?);
        let before_last = beside(&count, ArithmeticOperator::Subtract);
        let steps = [
            (own.clone(), beside(&own, ArithmeticOperator::Add), (Expr::Constant(1), before_last)),
            (beside(&own, ArithmeticOperator::Subtract), own, (Expr::Constant(2), count)),
        ];
        let sign = steps.into_iter().filter(|(.., range)| *range == self.range).find_map(|(earlier, later, _)| {
            let (earlier, later) = ([earlier], [later]);
            match (one[..] == earlier && other[..] == later, one[..] == later && other[..] == earlier) {
                (true, _) => Some(comparison.sign),
                (_, true) => Some(comparison.sign.with_sides_swapped()),
                _ => None,
            }
        })?;
        // Where some are absent, the indices of `a[i]` are not the numbers of those that are there.
        let is_order = !matches!(sign, ComparisonOperator::Equal | ComparisonOperator::NotEqual);
        (field == same && is_order && !format.may_be_absent(field)).then_some((field, sign))
    }
}

impl Formula {
    /// Returns the field whose texts must all be in a strict order.
    pub(crate) fn strictly_ordered_texts(&self, format: &Format) -> Option<FieldId> {
        let Formula::ForAll(quantified) = self else { return None };
        let (field, sign) = quantified.ordered_list(format)?;
        let is_strict = matches!(sign, ComparisonOperator::Less | ComparisonOperator::Greater);
        (is_strict && format.field(field).alphabet().is_some()).then_some(field)
    }
}

/// The part of a formula that is false.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FormulaFault<'f> {
    /// A comparison that would have to hold, or `None` if any of several would suffice.
    pub comparison: Option<&'f Comparison>,
    /// Values of the variables of the enclosing quantifiers.
    pub variables: Vec<i128>,
    /// The reason why it is false.
    pub sides: ViolationSides<'f>,
}

/// Returns the first part of a formula that is false in a scope, or `None` if the formula holds or is void as a whole.
///
/// # Errors
/// See [`EvalError`]; `Undefined` also if the evaluation would take too long, or if the format's token stops it.
pub fn find_fault<'f>(formula: &'f Formula, scope: &ValueScope<'_>) -> Result<Option<FormulaFault<'f>>, EvalError> {
    let memo = SliceMemo::default();
    let with_memo = ValueScope { memo: scope.memo.or(Some(&memo)), ..*scope };
    let variables = scope.variables.to_vec();
    let mut evaluator = FormulaEvaluator { scope: with_memo, variables, steps: 0, lookups: Vec::new() };
    let truth = evaluator.evaluate_formula(formula);
    let uncounted = evaluator.steps % FORMULA_STEPS_PER_STOP_CHECK;
    if uncounted >= MIN_COUNTED_STEPS {
        scope.format.stop_token.spend_steps(uncounted);
    }
    match truth? {
        FormulaTruth::True | FormulaTruth::Void(_) => Ok(None),
        FormulaTruth::False(fault) => Ok(Some(fault)),
    }
}

/// The result of evaluating a formula.
enum FormulaTruth<'f> {
    True,
    False(FormulaFault<'f>),
    /// Neither true nor false because of an absent element. Holds the number of the innermost quantifier
    /// variable in its indices, if any.
    Void(Option<usize>),
}

/// The outermost reason why parts of a formula are void.
#[derive(Default)]
struct VoidReasons(Option<Option<usize>>);

impl VoidReasons {
    fn add_reason(&mut self, reason: Option<usize>) {
        self.0 = Some(self.0.map_or(reason, |known| known.min(reason)));
    }

    /// Returns `truth` unless a part was void.
    fn or_truth<'f>(self, truth: FormulaTruth<'f>) -> FormulaTruth<'f> {
        self.0.map_or(truth, FormulaTruth::Void)
    }
}

type EvaluatedTruth<'f> = Result<FormulaTruth<'f>, EvalError>;

struct FormulaEvaluator<'f, 's> {
    scope: ValueScope<'s>,
    /// Values of the variables of the enclosing quantifiers.
    variables: Vec<i128>,
    steps: u64,
    /// The elements among which a value is looked up, by their formula and the range of their numbers.
    lookups: Vec<LookupTable<'f>>,
}

/// The values of the elements of a formula `exists j in 1..m: b[i] = a[j]`.
struct LookupTable<'f> {
    formula: &'f QuantifiedFormula,
    range: RangeInclusive<i128>,
    values: HashSet<i128>,
}

impl<'f> FormulaEvaluator<'f, '_> {
    /// Counts a step. Returns an error if there are too many, or if the work should stop.
    fn count_step(&mut self) -> Result<(), EvalError> {
        self.steps += 1;
        let is_stopped = self.steps.is_multiple_of(FORMULA_STEPS_PER_STOP_CHECK)
            && self.scope.format.stop_token.spend_steps(FORMULA_STEPS_PER_STOP_CHECK);
        if is_stopped {
            // All enclosing evaluations end as well.
            self.steps = MAX_FORMULA_STEPS;
        }
        if self.steps > MAX_FORMULA_STEPS || is_stopped { Err(EvalError::Undefined) } else { Ok(()) }
    }

    fn evaluate_formula(&mut self, formula: &'f Formula) -> EvaluatedTruth<'f> {
        match formula {
            Formula::Compare(comparison) => self.evaluate_comparison(comparison),
            Formula::All(parts) => {
                let mut voids = VoidReasons::default();
                for part in parts {
                    match self.evaluate_formula(part)? {
                        FormulaTruth::True => {}
                        FormulaTruth::Void(reason) => voids.add_reason(reason),
                        found @ FormulaTruth::False(_) => return Ok(found),
                    }
                }
                Ok(voids.or_truth(FormulaTruth::True))
            }
            Formula::Any(parts) => self.evaluate_any(parts),
            Formula::ForAll(quantified) => self.evaluate_quantified(true, quantified),
            Formula::Exists(quantified) => self.evaluate_quantified(false, quantified),
        }
    }

    fn evaluate_comparison(&mut self, comparison: &'f Comparison) -> EvaluatedTruth<'f> {
        self.count_step()?;
        match check_comparison(comparison, &self.scope.with_variables(&self.variables)) {
            Ok(None) | Err(EvalError::Empty) => Ok(FormulaTruth::True),
            Ok(Some((_, sides))) => Ok(FormulaTruth::False(FormulaFault {
                comparison: Some(comparison),
                variables: self.variables.clone(),
                sides: match comparison.distinct_values() {
                    Some(_) => ViolationSides::Words("a value occurs twice".to_owned()),
                    None => sides,
                },
            })),
            Err(EvalError::Absent(reason)) => Ok(FormulaTruth::Void(reason)),
            Err(unknown) => Err(unknown),
        }
    }

    /// Evaluates a disjunction: it holds if one part does, even if others cannot be evaluated. The fault is that of
    /// the last part, which is B for `A => B`.
    fn evaluate_any(&mut self, parts: &'f [Formula]) -> EvaluatedTruth<'f> {
        let mut last = Ok(FormulaTruth::True);
        let mut voids = VoidReasons::default();
        for part in parts {
            match self.evaluate_formula(part) {
                Ok(FormulaTruth::True) => return Ok(FormulaTruth::True),
                Ok(FormulaTruth::Void(reason)) => voids.add_reason(reason),
                Err(unknown) => last = Err(unknown),
                found if last.is_ok() => last = found,
                Ok(FormulaTruth::False(_)) => {}
            }
        }
        // A part that cannot be evaluated is not true, and does not make a void formula false.
        match voids {
            VoidReasons(Some(reason)) => Ok(FormulaTruth::Void(reason)),
            VoidReasons(None) => last,
        }
    }

    /// Evaluates a formula with `forall`, or else `exists`.
    fn evaluate_quantified(&mut self, is_for_all: bool, quantified: &'f QuantifiedFormula) -> EvaluatedTruth<'f> {
        let here = self.scope.with_variables(&self.variables);
        let end = |expr| value::evaluate_number(expr, &here);
        match both_values(end(&quantified.range.0), end(&quantified.range.1)) {
            Ok((first, last)) if is_for_all => self.evaluate_for_all(quantified, first..=last),
            Ok((first, last)) => self.evaluate_exists(quantified, first..=last),
            Err(EvalError::Absent(reason)) => Ok(FormulaTruth::Void(reason)),
            // The bound is the minimum of nothing, so the range is empty.
            Err(EvalError::Empty) => Ok(FormulaTruth::Void(None)),
            Err(unknown) => Err(unknown),
        }
    }

    /// Evaluates the body of a quantifier for one number. The outer error ends the evaluation of the whole formula.
    fn evaluate_body(
        &mut self,
        quantified: &'f QuantifiedFormula,
        number: i128,
    ) -> Result<EvaluatedTruth<'f>, EvalError> {
        self.count_step()?;
        self.variables.push(number);
        let found = self.evaluate_formula(&quantified.body);
        self.variables.pop();
        Ok(found)
    }

    fn evaluate_for_all(
        &mut self,
        quantified: &'f QuantifiedFormula,
        range: RangeInclusive<i128>,
    ) -> EvaluatedTruth<'f> {
        let mut voids = VoidReasons::default();
        for number in range {
            match self.evaluate_body(quantified, number)?? {
                FormulaTruth::True => {}
                // The formula is void for this number only, which is skipped.
                FormulaTruth::Void(reason) if reason == Some(quantified.variable) => {}
                FormulaTruth::Void(reason) => voids.add_reason(reason),
                FormulaTruth::False(mut fault) => {
                    fault.sides = ViolationSides::ForValue(&quantified.name, number, Box::new(fault.sides));
                    return Ok(FormulaTruth::False(fault));
                }
            }
        }
        Ok(voids.or_truth(FormulaTruth::True))
    }

    fn evaluate_exists(
        &mut self,
        quantified: &'f QuantifiedFormula,
        range: RangeInclusive<i128>,
    ) -> EvaluatedTruth<'f> {
        if self.is_found(quantified, &range) {
            return Ok(FormulaTruth::True);
        }
        let mut unknown = None;
        let mut voids = VoidReasons::default();
        for number in range.clone() {
            match self.evaluate_body(quantified, number)? {
                Ok(FormulaTruth::True) => return Ok(FormulaTruth::True),
                Ok(FormulaTruth::False(_)) => {}
                // The formula is void for this number only, which is skipped.
                Ok(FormulaTruth::Void(reason)) if reason == Some(quantified.variable) => {}
                Ok(FormulaTruth::Void(reason)) => voids.add_reason(reason),
                Err(why) => unknown = Some(why),
            }
        }
        if let (VoidReasons(None), Some(why)) = (&voids, unknown) {
            return Err(why);
        }
        let sides = ViolationSides::ForNone(&quantified.name, *range.start(), *range.end());
        Ok(voids.or_truth(FormulaTruth::False(FormulaFault {
            comparison: None,
            variables: self.variables.clone(),
            sides,
        })))
    }

    /// Returns true if a value is among the elements that a formula looks it up in. Otherwise, the elements are compared one by
    /// one, since some may be absent.
    fn is_found(&mut self, quantified: &'f QuantifiedFormula, range: &RangeInclusive<i128>) -> bool {
        let has_variables = !self.variables.is_empty();
        let Some((wanted, element)) = quantified.lookup_parts().filter(|_| has_variables) else { return false };
        if [&quantified.range.0, &quantified.range.1].iter().any(|end| end.innermost_variable().is_some()) {
            return false;
        }
        let Ok(wanted) = value::evaluate_number(wanted, &self.scope.with_variables(&self.variables)) else {
            return false;
        };
        let is_same = |table: &LookupTable<'_>| std::ptr::eq(table.formula, quantified) && table.range == *range;
        if let Some(table) = self.lookups.iter().find(|table| is_same(table)) {
            return table.values.contains(&wanted);
        }
        let (mut inner, mut values) = (self.variables.clone(), HashSet::new());
        for number in range.clone() {
            if self.count_step().is_err() {
                return false;
            }
            inner.push(number);
            values.extend(value::evaluate_number(element, &self.scope.with_variables(&inner)).ok());
            inner.pop();
        }
        let is_found = values.contains(&wanted);
        // A range that depends on the number is not looked up again.
        self.lookups.truncate(MAX_LOOKUP_TABLES - 1);
        self.lookups.push(LookupTable { formula: quantified, range: range.clone(), values });
        is_found
    }
}

/// Maximum number of tables of values that are kept.
const MAX_LOOKUP_TABLES: usize = 4;

/// Returns true if a violation of the formula is final, because it uses no lengths and no folds.
fn uses_stable_numbers_only(formula: &Formula) -> bool {
    let mut only = true;
    formula.visit_exprs(&mut |expr| only &= is_stable_number(expr));
    only
}

fn is_stable_number(expr: &Expr) -> bool {
    expr.all_parts(&|part| match part {
        Expr::Length(_) | Expr::Fold(..) | Expr::Sequence(_) | Expr::TextLiteral(_) => Some(false),
        _ => None,
    })
}

/// Returns the fields `e` and `s` of a formula `forall i in ...: e[i] < s[i+1]`.
fn disjoint_interval_fields(formula: &Formula) -> Option<(FieldId, FieldId)> {
    let Formula::ForAll(quantified) = formula else { return None };
    let Formula::Compare(comparison) = &quantified.body else { return None };
    let (early, _, late) = comparison.upper_bound()?;
    let here = Expr::Variable(quantified.variable);
    let next = Expr::from_operands(here.clone(), ArithmeticOperator::Add, Expr::Constant(1));
    match (early, late) {
        (Expr::Element(e, at), Expr::Element(s, after)) if at[..] == [here] && after[..] == [next] => Some((*e, *s)),
        _ => None,
    }
}

/// Returns the formula that holds exactly if this one does not.
pub(crate) fn negate_formula(formula: &Formula) -> Formula {
    let all = |parts: &[Formula]| parts.iter().map(negate_formula).collect();
    let body = |q: &QuantifiedFormula| Box::new(QuantifiedFormula { body: negate_formula(&q.body), ..q.clone() });
    match formula {
        Formula::Compare(comparison) => {
            Formula::Compare(Comparison { sign: comparison.sign.negate_operator(), ..comparison.clone() })
        }
        Formula::All(parts) => Formula::Any(all(parts)),
        Formula::Any(parts) => Formula::All(all(parts)),
        Formula::ForAll(quantified) => Formula::Exists(body(quantified)),
        Formula::Exists(quantified) => Formula::ForAll(body(quantified)),
    }
}
