//! Constants of a script: variables that are assigned once, a value that does not depend on the input.

use super::script::{Expr, ExprKind, ScriptConstant, Step, StepKind, Variable, assigned_variables};
use std::collections::BTreeMap;

/// The constants of a script by name, each with its defining expression.
#[derive(Clone, Debug, Default)]
pub(super) struct ScriptConstants {
    values: BTreeMap<String, (ScriptConstant, Expr)>,
    order: Vec<String>,
}

impl ScriptConstants {
    /// Collects the constants of a script: variables assigned at the top level and nowhere else.
    pub(super) fn from_steps(steps: &[Step]) -> ScriptConstants {
        let mut assignments = BTreeMap::new();
        assigned_variables(steps).into_iter().for_each(|name| *assignments.entry(name).or_insert(0) += 1);
        let mut constants = ScriptConstants::default();
        let values = steps.iter().filter_map(|step| match &step.kind {
            StepKind::Set(values) => Some(values),
            _ => None,
        });
        for (variable, expr) in values.flatten() {
            if variable.indices.is_empty()
                && assignments.get(variable.name.as_str()) == Some(&1)
                && let Some(value) = constants.evaluate_value(expr)
            {
                constants.values.insert(variable.name.clone(), (value, expr.clone()));
                constants.order.push(variable.name.clone());
            }
        }
        constants
    }

    /// Iterates over the constants in the order of their assignment.
    pub(super) fn iter_in_order(&self) -> impl Iterator<Item = (&str, &ScriptConstant, &Expr)> {
        self.order.iter().filter_map(|name| self.values.get(name).map(|(value, expr)| (name.as_str(), value, expr)))
    }

    /// Returns the value of a constant.
    pub(super) fn constant_named(&self, name: &str) -> Option<&ScriptConstant> {
        self.values.get(name).map(|(value, _)| value)
    }

    /// Returns a copy with an additional constant.
    #[must_use]
    pub(super) fn with_constant(&self, name: &str, value: ScriptConstant) -> ScriptConstants {
        let mut found = self.clone();
        let expr = Expr { kind: ExprKind::Integer(String::new()), span: rebut_diagnostics::Span::default() };
        found.values.insert(name.to_owned(), (value, expr));
        found
    }

    /// Evaluates an expression to a string.
    pub(super) fn evaluate_text(&self, expr: &Expr) -> Option<Vec<u8>> {
        match self.evaluate_value(expr)? {
            ScriptConstant::Text(text) => Some(text),
            ScriptConstant::Number(_) => None,
        }
    }

    /// Evaluates an expression to a number.
    pub(super) fn evaluate_number(&self, expr: &Expr) -> Option<i128> {
        match self.evaluate_value(expr)? {
            ScriptConstant::Number(number) => Some(number),
            ScriptConstant::Text(_) => None,
        }
    }

    /// Evaluates an expression.
    pub(super) fn evaluate_value(&self, expr: &Expr) -> Option<ScriptConstant> {
        Some(match &expr.kind {
            ExprKind::Integer(text) => ScriptConstant::Number(parse_integer(text)?),
            ExprKind::Text(text) => ScriptConstant::Text(text.clone()),
            ExprKind::Variable(Variable { name, indices, .. }) if indices.is_empty() => {
                self.constant_named(name)?.clone()
            }
            ExprKind::Length(inner) => ScriptConstant::Number(self.evaluate_text(inner)?.len() as i128),
            ExprKind::Minus(inner) => ScriptConstant::Number(self.evaluate_number(inner)?.checked_neg()?),
            ExprKind::Binary(sign, left, right) => ScriptConstant::Number(apply_operator(
                *sign,
                self.evaluate_number(left)?,
                self.evaluate_number(right)?,
            )?),
            _ => return None,
        })
    }

    /// Evaluates a condition, if it is constant.
    pub(super) fn evaluate_condition(&self, condition: &Expr) -> Option<bool> {
        match &condition.kind {
            ExprKind::Not(inner) => self.evaluate_condition(inner).map(|holds| !holds),
            ExprKind::And(left, right) => match (self.evaluate_condition(left), self.evaluate_condition(right)) {
                (Some(false), _) | (_, Some(false)) => Some(false),
                (Some(true), Some(true)) => Some(true),
                _ => None,
            },
            ExprKind::Or(left, right) => match (self.evaluate_condition(left), self.evaluate_condition(right)) {
                (Some(true), _) | (_, Some(true)) => Some(true),
                (Some(false), Some(false)) => Some(false),
                _ => None,
            },
            ExprKind::Compare(sign, left, right) => match (self.evaluate_value(left)?, self.evaluate_value(right)?) {
                (ScriptConstant::Number(left), ScriptConstant::Number(right)) => {
                    Some(compare_values(sign, &left, &right))
                }
                (ScriptConstant::Text(left), ScriptConstant::Text(right)) => Some(compare_values(sign, &left, &right)),
                _ => None,
            },
            _ => None,
        }
    }
}

/// Parses an integer of a script. A leading zero makes it octal.
pub(super) fn parse_integer(text: &str) -> Option<i128> {
    match text.strip_prefix('0').filter(|rest| !rest.is_empty()) {
        Some(octal) => i128::from_str_radix(octal, 8).ok(),
        None => text.parse().ok(),
    }
}

/// Applies an arithmetic operator as checktestdata does: division rounds towards zero, and exponents are not
/// negative.
pub(super) fn apply_operator(sign: char, left: i128, right: i128) -> Option<i128> {
    match sign {
        '+' => left.checked_add(right),
        '-' => left.checked_sub(right),
        '*' => left.checked_mul(right),
        '/' => left.checked_div(right),
        '%' => left.checked_rem(right),
        _ => left.checked_pow(u32::try_from(right).ok()?),
    }
}

/// Compares two values with an operator of a script.
pub(super) fn compare_values<T: Ord + ?Sized>(sign: &str, left: &T, right: &T) -> bool {
    match sign {
        "<" => left < right,
        "<=" => left <= right,
        ">" => left > right,
        ">=" => left >= right,
        "==" => left == right,
        _ => left != right,
    }
}
