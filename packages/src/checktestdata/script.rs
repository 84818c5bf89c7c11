//! Syntax tree of a script, covering all of checktestdata.
//!
//! The semantics follow the language specification of DOMjudge's checktestdata and the behavior of that program. A
//! script consists of steps. The parser makes most of them; `lower` and `line_structure` rewrite some to others that
//! describe lines.

use super::constants::ScriptConstant;
use super::patterns::Pattern;
use rebut_diagnostics::Span;

/// A step of a script.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct ScriptStep {
    pub(super) kind: ScriptStepKind,
    /// Location of the command itself, without its body.
    pub(super) span: Span,
}

/// The kind of a step.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum ScriptStepKind {
    /// `SPACE`: exactly one space.
    Space,
    /// `NEWLINE`: exactly one line feed.
    Newline,
    /// `EOF`: the end of the input. It is implied at the end of every script.
    Eof,
    /// `INT(min, max, name)`
    Integer { min: ScriptExpr, max: ScriptExpr, name: Option<ScriptVariable> },
    /// `FLOAT(min, max, name, notation)`, and `FLOATP` with a minimum and maximum number of decimals.
    Float {
        min: ScriptExpr,
        max: ScriptExpr,
        decimals: Option<(ScriptExpr, ScriptExpr)>,
        name: Option<ScriptVariable>,
        is_fixed: bool,
    },
    /// `STRING(text)`: exactly these characters.
    Text(ScriptExpr),
    /// `REGEX(expression, name)`: the longest match of the expression at this position.
    Regex(ScriptExpr, Option<ScriptVariable>),
    /// Exactly these characters, all of them visible.
    Literal(Vec<u8>),
    /// A text that matches an expression.
    Token(Pattern, Option<ScriptVariable>),
    /// `ASSERT(condition)`
    Assert(ScriptExpr),
    /// `SET(name = value, ...)`
    Set(Vec<(ScriptVariable, ScriptExpr)>),
    /// `UNSET(name, ...)`: removes the values at all indices.
    Unset(Vec<String>),
    /// A loop.
    Loop(Box<ScriptLoop>),
    /// `IF(condition) ... ELSE ... END`
    If { test: ScriptExpr, then: Vec<ScriptStep>, otherwise: Vec<ScriptStep> },
    /// One of several sequences of steps, decided by the input.
    Alternatives(Vec<Vec<ScriptStep>>),
    /// From here on, the variable has this value.
    AssumeValue(String, ScriptConstant),
    /// From here on, the value of the variable is unknown.
    ForgetVariable(ScriptVariable),
    /// Input that a format cannot express, with the reason.
    Inexpressible(String),
}

/// `REP(count, separator) ... END`, `WHILE(condition, separator) ... END`; `REPI` and `WHILEI` have a counter.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct ScriptLoop {
    pub(super) counter: Option<ScriptVariable>,
    pub(super) header: ScriptLoopHeader,
    pub(super) separator: Vec<ScriptStep>,
    pub(super) body: Vec<ScriptStep>,
    /// Whether the line feed after the loop was moved into it. It is lost if there are no repetitions.
    pub(super) absorbed_newline: bool,
}

/// The number of repetitions.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum ScriptLoopHeader {
    /// This many times.
    Times(ScriptExpr),
    /// As long as the condition holds.
    While(ScriptExpr),
}

/// A variable or an element of it: `x`, `x[i]`, `x[i,j]`.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct ScriptVariable {
    pub(super) name: String,
    pub(super) indices: Vec<ScriptExpr>,
    pub(super) span: Span,
}

/// A value or a condition, with its location.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct ScriptExpr {
    pub(super) kind: ScriptExprKind,
    pub(super) span: Span,
}

/// The kind of a value or a condition.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum ScriptExprKind {
    /// An integer as written.
    Integer(String),
    /// A float as written.
    Float(String),
    /// A string.
    Text(Vec<u8>),
    /// The value of a variable.
    Variable(ScriptVariable),
    /// `STRLEN(text)`
    Length(Box<ScriptExpr>),
    /// The negation of a number.
    Minus(Box<ScriptExpr>),
    /// One of `+ - * / % ^`. Integer division rounds towards zero.
    Binary(char, Box<ScriptExpr>, Box<ScriptExpr>),
    /// A comparison, with the operator as written.
    Compare(&'static str, Box<ScriptExpr>, Box<ScriptExpr>),
    /// `!condition`
    Not(Box<ScriptExpr>),
    /// `a && b`
    And(Box<ScriptExpr>, Box<ScriptExpr>),
    /// `a || b`
    Or(Box<ScriptExpr>, Box<ScriptExpr>),
    /// `ISEOF`: the end of the input.
    IsEof,
    /// `MATCH(letters)`: the next character is one of these.
    NextIsOneOf(Box<ScriptExpr>),
    /// `UNIQUE(a, b, ...)`: the tuples of elements at the same indices are distinct.
    Unique(Vec<String>),
    /// `INARRAY(value, array)`: the value is an element of the array.
    InArray(Box<ScriptExpr>, String),
}

impl ScriptStep {
    /// Returns true if the step reads input.
    pub(super) fn reads_input(&self) -> bool {
        any_reads_input(std::slice::from_ref(self))
    }
}

/// Visits steps and the steps in them.
pub(super) fn visit_steps<'s>(steps: &'s [ScriptStep], visit: &mut dyn FnMut(&'s ScriptStep)) {
    for step in steps {
        visit(step);
        match &step.kind {
            ScriptStepKind::Loop(inner) => {
                visit_steps(&inner.separator, visit);
                visit_steps(&inner.body, visit);
            }
            ScriptStepKind::If { then, otherwise, .. } => {
                visit_steps(then, visit);
                visit_steps(otherwise, visit);
            }
            ScriptStepKind::Alternatives(alternatives) => alternatives.iter().for_each(|a| visit_steps(a, visit)),
            _ => {}
        }
    }
}

/// Returns true if any of the steps reads input.
pub(super) fn any_reads_input(steps: &[ScriptStep]) -> bool {
    let mut found = false;
    visit_steps(steps, &mut |step| {
        found |= matches!(
            step.kind,
            ScriptStepKind::Space
                | ScriptStepKind::Newline
                | ScriptStepKind::Literal(_)
                | ScriptStepKind::Integer { .. }
                | ScriptStepKind::Float { .. }
                | ScriptStepKind::Token(..)
                | ScriptStepKind::Inexpressible(_)
        );
    });
    found
}

/// Returns the variables that steps assign, each as often as it is assigned.
pub(super) fn assigned_variables(steps: &[ScriptStep]) -> Vec<&str> {
    let mut found = Vec::new();
    visit_steps(steps, &mut |step| match &step.kind {
        ScriptStepKind::Integer { name, .. }
        | ScriptStepKind::Float { name, .. }
        | ScriptStepKind::Regex(_, name)
        | ScriptStepKind::Token(_, name) => found.extend(name.iter().map(|v| v.name.as_str())),
        ScriptStepKind::Set(values) => found.extend(values.iter().map(|(v, _)| v.name.as_str())),
        ScriptStepKind::Unset(names) => found.extend(names.iter().map(String::as_str)),
        ScriptStepKind::AssumeValue(name, _) => found.push(name),
        ScriptStepKind::ForgetVariable(variable) => found.push(&variable.name),
        ScriptStepKind::Loop(inner) => found.extend(inner.counter.iter().map(|v| v.name.as_str())),
        _ => {}
    });
    found
}

impl ScriptExpr {
    /// Returns true for a condition.
    pub(super) fn is_condition(&self) -> bool {
        use ScriptExprKind::{And, Compare, InArray, IsEof, NextIsOneOf, Not, Or, Unique};
        matches!(self.kind, Compare(..) | Not(_) | And(..) | Or(..) | IsEof | NextIsOneOf(_) | Unique(_) | InArray(..))
    }

    /// Returns the variables that the expression reads from what was read before.
    pub(super) fn variables(&self) -> Vec<&str> {
        match &self.kind {
            ScriptExprKind::Variable(ScriptVariable { name, indices, .. }) => {
                [name.as_str()].into_iter().chain(indices.iter().flat_map(ScriptExpr::variables)).collect()
            }
            ScriptExprKind::Length(inner) | ScriptExprKind::Minus(inner) | ScriptExprKind::Not(inner) => {
                inner.variables()
            }
            ScriptExprKind::Binary(_, left, right)
            | ScriptExprKind::Compare(_, left, right)
            | ScriptExprKind::And(left, right)
            | ScriptExprKind::Or(left, right) => [left.variables(), right.variables()].concat(),
            ScriptExprKind::Unique(names) => names.iter().map(String::as_str).collect(),
            ScriptExprKind::InArray(value, array) => [value.variables(), vec![array.as_str()]].concat(),
            _ => Vec::new(),
        }
    }

    /// Returns true for `!ISEOF`.
    pub(super) fn is_not_eof(&self) -> bool {
        matches!(&self.kind, ScriptExprKind::Not(inner) if inner.kind == ScriptExprKind::IsEof)
    }
}
