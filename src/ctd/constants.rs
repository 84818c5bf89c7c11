//! Variables that are given one value, once: the constants of a script.

use super::syntax::{Command, CommandKind, Expr, ExprKind, Test, Variable};
use std::collections::{BTreeMap, BTreeSet};

/// A value that is known without reading any input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Constant {
    /// A whole number.
    Number(i128),
    /// A string.
    Text(Vec<u8>),
}

/// The constants of a script by name, each with the expression that it is set to.
#[derive(Clone, Debug, Default)]
pub(super) struct Constants {
    values: BTreeMap<String, (Constant, Expr)>,
    order: Vec<String>,
}

impl Constants {
    /// Those of these commands: set at the top, and nowhere else.
    pub(super) fn of(commands: &[Command]) -> Constants {
        let mut writes = BTreeMap::new();
        count_writes(commands, &mut writes);
        let once: BTreeSet<&String> = writes.iter().filter(|(_, n)| **n == 1).map(|(name, _)| name).collect();
        let mut found = Constants::default();
        for command in commands {
            let CommandKind::Set(values) = &command.kind else { continue };
            for (variable, expr) in values {
                if variable.indices.is_empty()
                    && once.contains(&variable.name)
                    && let Some(value) = found.value(expr)
                {
                    found.values.insert(variable.name.clone(), (value, expr.clone()));
                    found.order.push(variable.name.clone());
                }
            }
        }
        found
    }

    /// The constants in the order in which they are set.
    pub(super) fn all(&self) -> impl Iterator<Item = (&str, &Constant, &Expr)> {
        self.order.iter().filter_map(|name| self.values.get(name).map(|(value, expr)| (name.as_str(), value, expr)))
    }

    /// The value of a constant.
    pub(super) fn named(&self, name: &str) -> Option<&Constant> {
        self.values.get(name).map(|(value, _)| value)
    }

    /// The same, and from here on this, too.
    #[must_use]
    pub(super) fn with(&self, name: &str, value: Constant) -> Constants {
        let mut found = self.clone();
        let expr = Expr { kind: ExprKind::Integer(String::new()), span: crate::diagnostic::Span::default() };
        found.values.insert(name.to_owned(), (value, expr));
        found
    }

    /// The characters that an expression stands for.
    pub(super) fn text(&self, expr: &Expr) -> Option<Vec<u8>> {
        match self.value(expr)? {
            Constant::Text(text) => Some(text),
            Constant::Number(_) => None,
        }
    }

    /// The number that an expression stands for.
    pub(super) fn number(&self, expr: &Expr) -> Option<i128> {
        match self.value(expr)? {
            Constant::Number(number) => Some(number),
            Constant::Text(_) => None,
        }
    }

    /// The value of an expression.
    pub(super) fn value(&self, expr: &Expr) -> Option<Constant> {
        Some(match &expr.kind {
            ExprKind::Integer(text) => Constant::Number(integer(text)?),
            ExprKind::Text(text) => Constant::Text(text.clone()),
            ExprKind::Variable(Variable { name, indices, .. }) if indices.is_empty() => self.named(name)?.clone(),
            ExprKind::Length(inner) => Constant::Number(self.text(inner)?.len() as i128),
            ExprKind::Minus(inner) => Constant::Number(self.number(inner)?.checked_neg()?),
            ExprKind::Binary(sign, left, right) => {
                Constant::Number(arithmetic(*sign, self.number(left)?, self.number(right)?)?)
            }
            _ => return None,
        })
    }

    /// Whether a test holds, if that is known.
    pub(super) fn holds(&self, test: &Test) -> Option<bool> {
        use super::syntax::TestKind;
        match &test.kind {
            TestKind::Not(inner) => self.holds(inner).map(|holds| !holds),
            TestKind::And(left, right) => match (self.holds(left), self.holds(right)) {
                (Some(false), _) | (_, Some(false)) => Some(false),
                (Some(true), Some(true)) => Some(true),
                _ => None,
            },
            TestKind::Or(left, right) => match (self.holds(left), self.holds(right)) {
                (Some(true), _) | (_, Some(true)) => Some(true),
                (Some(false), Some(false)) => Some(false),
                _ => None,
            },
            TestKind::Compare(sign, left, right) => match (self.value(left)?, self.value(right)?) {
                (Constant::Number(left), Constant::Number(right)) => Some(compare(sign, &left, &right)),
                (Constant::Text(left), Constant::Text(right)) => Some(compare(sign, &left, &right)),
                _ => None,
            },
            _ => None,
        }
    }
}

/// How often each variable is given a value anywhere.
fn count_writes(commands: &[Command], writes: &mut BTreeMap<String, usize>) {
    for command in commands {
        let mut write = |name: &str| *writes.entry(name.to_owned()).or_insert(0) += 1;
        match &command.kind {
            CommandKind::Integer { name, .. } | CommandKind::Float { name, .. } | CommandKind::Pattern(_, name) => {
                name.iter().for_each(|variable| write(&variable.name));
            }
            CommandKind::Set(values) => values.iter().for_each(|(variable, _)| write(&variable.name)),
            // What loses its value is no constant, even if it is set only once.
            CommandKind::Unset(names) => names.iter().chain(names).for_each(|name| write(name)),
            CommandKind::Repeat { counter, body, .. } | CommandKind::While { counter, body, .. } => {
                counter.iter().for_each(|variable| write(&variable.name));
                count_writes(body, writes);
            }
            CommandKind::If { then, otherwise, .. } => {
                count_writes(then, writes);
                count_writes(otherwise, writes);
            }
            _ => {}
        }
    }
}

/// A whole number as a script writes it: a leading zero makes it octal.
pub(super) fn integer(text: &str) -> Option<i128> {
    match text.strip_prefix('0').filter(|rest| !rest.is_empty()) {
        Some(octal) => i128::from_str_radix(octal, 8).ok(),
        None => text.parse().ok(),
    }
}

/// Arithmetic as checktestdata does it: division is towards zero, powers have exponents from 0.
pub(super) fn arithmetic(sign: char, left: i128, right: i128) -> Option<i128> {
    match sign {
        '+' => left.checked_add(right),
        '-' => left.checked_sub(right),
        '*' => left.checked_mul(right),
        '/' => left.checked_div(right),
        '%' => left.checked_rem(right),
        _ => left.checked_pow(u32::try_from(right).ok()?),
    }
}

/// Whether two values stand in the relation that the sign of a script names.
pub(super) fn compare<T: Ord + ?Sized>(sign: &str, left: &T, right: &T) -> bool {
    match sign {
        "<" => left < right,
        "<=" => left <= right,
        ">" => left > right,
        ">=" => left >= right,
        "==" => left == right,
        _ => left != right,
    }
}
