//! Syntax tree of a script, covering all of checktestdata.
//!
//! The semantics follow the language specification of DOMjudge's checktestdata and the behavior of that program.

use rebut_diagnostics::Span;

/// A command with its body.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct ScriptCommand {
    pub(super) kind: ScriptCommandKind,
    /// Location of the command itself, without its body.
    pub(super) span: Span,
}

/// The kind of a command.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum ScriptCommandKind {
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
        notation: FloatNotation,
    },
    /// `STRING(text)`: exactly these characters.
    Text(ScriptExpr),
    /// `REGEX(expression, name)`: the longest match of the expression at this position.
    Regex(ScriptExpr, Option<ScriptVariable>),
    /// `ASSERT(condition)`
    Assert(ScriptCondition),
    /// `SET(name = value, ...)`
    Set(Vec<(ScriptVariable, ScriptExpr)>),
    /// `UNSET(name, ...)`: removes the values at all indices.
    Unset(Vec<String>),
    /// `REP(count, separator) ... END`; `REPI` has a counter.
    Repeat {
        counter: Option<ScriptVariable>,
        count: ScriptExpr,
        separator: Option<Box<ScriptCommand>>,
        body: Vec<ScriptCommand>,
    },
    /// `WHILE(condition, separator) ... END`; `WHILEI` has a counter.
    While {
        counter: Option<ScriptVariable>,
        test: ScriptCondition,
        separator: Option<Box<ScriptCommand>>,
        body: Vec<ScriptCommand>,
    },
    /// `IF(condition) ... ELSE ... END`
    If { test: ScriptCondition, then: Vec<ScriptCommand>, otherwise: Vec<ScriptCommand> },
}

/// Notation of a float.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FloatNotation {
    /// With or without an exponent.
    Any,
    /// Without an exponent.
    Fixed,
    /// With an exponent.
    Scientific,
}

/// A variable or an element of it: `x`, `x[i]`, `x[i,j]`.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct ScriptVariable {
    pub(super) name: String,
    pub(super) indices: Vec<ScriptExpr>,
    pub(super) span: Span,
}

/// An expression with its location.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct ScriptExpr {
    pub(super) kind: ScriptExprKind,
    pub(super) span: Span,
}

/// The kind of an expression.
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
    /// The negation.
    Minus(Box<ScriptExpr>),
    /// One of `+ - * / % ^`. Integer division rounds towards zero.
    Binary(char, Box<ScriptExpr>, Box<ScriptExpr>),
}

/// A condition with its location.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct ScriptCondition {
    pub(super) kind: ScriptConditionKind,
    pub(super) span: Span,
}

/// The kind of a condition.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum ScriptConditionKind {
    /// `!condition`
    Not(Box<ScriptCondition>),
    /// `a && b`
    And(Box<ScriptCondition>, Box<ScriptCondition>),
    /// `a || b`
    Or(Box<ScriptCondition>, Box<ScriptCondition>),
    /// A comparison, with the operator as written.
    Compare(&'static str, ScriptExpr, ScriptExpr),
    /// `ISEOF`: the end of the input.
    IsEof,
    /// `MATCH(letters)`: the next character is one of these.
    NextIsOneOf(ScriptExpr),
    /// `UNIQUE(a, b, ...)`: the tuples of elements at the same indices are distinct.
    Unique(Vec<String>),
    /// `INARRAY(value, array)`: the value is an element of the array.
    InArray(ScriptExpr, String),
}
