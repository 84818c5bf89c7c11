//! The steps of a script or a validator: what it reads, computes and asserts, in its order.
//!
//! The front ends make most of them; `lower_steps` and `line_structure` rewrite some to others that describe lines.

use crate::patterns::Pattern;
use crate::term::{LocatedTerm, Term, Variable};
use rebut_diagnostics::Span;

/// A step of a script.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Step {
    pub(crate) kind: StepKind,
    /// Location of the command itself, without its body.
    pub(crate) span: Span,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum StepKind {
    /// `SPACE`: exactly one space.
    Space,
    /// `NEWLINE`: exactly one line feed.
    Newline,
    /// `EOF`: the end of the input. It is implied at the end of every script.
    Eof,
    /// `INT(min, max, name)` and `FLOAT(min, max, name, notation)`
    Number {
        min: Term,
        max: Term,
        /// For a real number, its minimum and maximum number of decimals if they are bounded, and whether it has no exponent.
        real: Option<(Option<(Term, Term)>, bool)>,
        name: Option<Variable>,
    },
    /// `STRING(text)`: exactly these characters.
    Text(Term),
    /// `REGEX(expression, name)`: the longest match of the expression at this position.
    Regex(Term, Option<Variable>),
    /// Exactly these characters, all of them visible.
    Literal(Vec<u8>),
    /// A text that matches an expression.
    Token(Pattern, Option<Variable>),
    /// `ASSERT(condition)`
    Assert(Term),
    /// `SET(name = value, ...)`
    Set(Vec<(Variable, Term)>),
    /// `UNSET(name, ...)`: removes the values at all indices.
    Unset(Vec<String>),
    /// Gives a variable the elements of an array or of a row of one.
    CopyArray {
        to: String,
        from: Variable,
    },
    /// Sorts the elements of an array, in the usual order or in another one.
    SortArray {
        name: String,
        is_usual: bool,
    },
    Loop(Box<ScriptLoop>),
    /// `IF(condition) ... ELSE ... END`
    If {
        test: LocatedTerm,
        then: Vec<Step>,
        otherwise: Vec<Step>,
    },
    /// One of several sequences of steps, decided by the input.
    Alternatives(Vec<Vec<Step>>),
    /// Input that a format cannot express, with the reason.
    Inexpressible(String),
}

/// `REP(count, separator) ... END`, `WHILE(condition, separator) ... END`; `REPI` and `WHILEI` have a counter.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct ScriptLoop {
    pub(crate) counter: Option<Variable>,
    pub(crate) header: LoopHeader,
    pub(crate) separator: Vec<Step>,
    pub(crate) body: Vec<Step>,
    /// Whether the line feed after the loop was moved into it. It is lost if there are no repetitions.
    pub(crate) absorbed_newline: bool,
}

/// The number of repetitions.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum LoopHeader {
    /// This many times.
    Times(Term),
    /// As long as the condition holds.
    While(Term),
    /// Up to a line of these numbers.
    Until(Vec<i128>),
}

/// The value of a variable of which nothing is known.
pub(crate) const UNKNOWN_VALUE: Term = Term::Unknown("it refers to a variable with an unknown value");

impl StepKind {
    /// Creates the step after which nothing is known about a variable.
    pub(crate) fn forget_variable(name: &str) -> StepKind {
        StepKind::Set(vec![(Variable::new(name), UNKNOWN_VALUE)])
    }
}

impl Step {
    /// Returns true if the step reads input.
    pub(crate) fn reads_input(&self) -> bool {
        any_reads_input(std::slice::from_ref(self))
    }

    /// Returns the lists of steps in this one.
    fn children(&self) -> Vec<&[Step]> {
        match &self.kind {
            StepKind::Loop(inner) => vec![&inner.separator, &inner.body],
            StepKind::If { then, otherwise, .. } => vec![then, otherwise],
            StepKind::Alternatives(alternatives) => alternatives.iter().map(Vec::as_slice).collect(),
            _ => Vec::new(),
        }
    }
}

/// Returns steps and the steps in them, outer ones first.
pub(crate) fn all_steps(steps: &[Step]) -> Vec<&Step> {
    let with_inner = |step| [step].into_iter().chain(Step::children(step).into_iter().flat_map(all_steps));
    steps.iter().flat_map(with_inner).collect()
}

/// Returns true if any of the steps reads input.
pub(crate) fn any_reads_input(steps: &[Step]) -> bool {
    use StepKind::{Inexpressible, Literal, Newline, Number, Space, Token};
    let reads =
        |step: &&Step| matches!(step.kind, Space | Newline | Literal(_) | Number { .. } | Token(..) | Inexpressible(_));
    all_steps(steps).iter().any(reads)
}

/// Returns the variables that steps assign, each as often as it is assigned.
pub(crate) fn assigned_variables(steps: &[Step]) -> Vec<&str> {
    let mut found = Vec::new();
    for step in all_steps(steps) {
        match &step.kind {
            StepKind::Number { name, .. } | StepKind::Regex(_, name) | StepKind::Token(_, name) => {
                found.extend(name.iter().map(|v| v.name.as_str()));
            }
            StepKind::Set(values) => found.extend(values.iter().map(|(v, _)| v.name.as_str())),
            StepKind::Unset(names) => found.extend(names.iter().map(String::as_str)),
            StepKind::CopyArray { to: name, .. } | StepKind::SortArray { name, .. } => found.push(name),
            StepKind::Loop(inner) => found.extend(inner.counter.iter().map(|v| v.name.as_str())),
            _ => {}
        }
    }
    found
}

/// Returns the variable that keeps the elements of an array as they were read when it is sorted.
pub(crate) fn sorted_key(name: &str) -> String {
    format!("{name}#sorted")
}
