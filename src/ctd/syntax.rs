//! A script as it is written: the whole language of checktestdata, before anything is known of its meaning.
//!
//! Source of the meaning: the language specification of DOMjudge's checktestdata and the behaviour of that program.

use crate::diagnostic::Span;

/// One command, with the commands inside it.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Command {
    pub(super) kind: CommandKind,
    /// The command itself, without its body.
    pub(super) span: Span,
}

/// What a command does.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum CommandKind {
    /// `SPACE`: exactly one blank.
    Space,
    /// `NEWLINE`: exactly one line feed.
    Newline,
    /// `EOF`: nothing more follows. Every script ends with one, written or not.
    Eof,
    /// `INT(least, most, name)`
    Integer { least: Expr, most: Expr, name: Option<Variable> },
    /// `FLOAT(least, most, name, notation)`, `FLOATP` with the least and the greatest number of decimals.
    Float { least: Expr, most: Expr, decimals: Option<(Expr, Expr)>, name: Option<Variable>, notation: Notation },
    /// `STRING(text)`: these very characters.
    Text(Expr),
    /// `REGEX(expression, name)`: the longest text at this place that the expression matches.
    Pattern(Expr, Option<Variable>),
    /// `ASSERT(test)`
    Assert(Test),
    /// `SET(name = value, ...)`
    Set(Vec<(Variable, Expr)>),
    /// `UNSET(name, ...)`: forgets all values, for all indices.
    Unset(Vec<String>),
    /// `REP(count, separator) ... END`; `REPI` has a counter.
    Repeat { counter: Option<Variable>, count: Expr, separator: Option<Box<Command>>, body: Vec<Command> },
    /// `WHILE(test, separator) ... END`; `WHILEI` has a counter.
    While { counter: Option<Variable>, test: Test, separator: Option<Box<Command>>, body: Vec<Command> },
    /// `IF(test) ... ELSE ... END`
    If { test: Test, then: Vec<Command>, otherwise: Vec<Command> },
}

/// How a float is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Notation {
    /// With or without an exponent.
    Any,
    /// Without.
    Fixed,
    /// With.
    Scientific,
}

/// A variable, or an element of it: `x`, `x[i]`, `x[i,j]`.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Variable {
    pub(super) name: String,
    pub(super) indices: Vec<Expr>,
    pub(super) span: Span,
}

/// An expression and its place.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Expr {
    pub(super) kind: ExprKind,
    pub(super) span: Span,
}

/// What an expression is made of.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum ExprKind {
    /// A whole number as it is written.
    Integer(String),
    /// A float as it is written.
    Float(String),
    /// A string.
    Text(Vec<u8>),
    /// The value of a variable.
    Variable(Variable),
    /// `STRLEN(text)`
    Length(Box<Expr>),
    /// The negative.
    Minus(Box<Expr>),
    /// One of `+ - * / % ^`; whole numbers are divided towards zero.
    Binary(char, Box<Expr>, Box<Expr>),
}

/// A test and its place.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Test {
    pub(super) kind: TestKind,
    pub(super) span: Span,
}

/// What a test asks.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum TestKind {
    /// `!test`
    Not(Box<Test>),
    /// `a && b`
    And(Box<Test>, Box<Test>),
    /// `a || b`
    Or(Box<Test>, Box<Test>),
    /// A comparison, with the sign as the script writes it.
    Compare(&'static str, Expr, Expr),
    /// `ISEOF`: nothing more follows.
    AtEnd,
    /// `MATCH(letters)`: the next character is one of these.
    Next(Expr),
    /// `UNIQUE(a, b, ...)`: the tuples of elements at equal indices differ.
    Unique(Vec<String>),
    /// `INARRAY(value, array)`: the value is one of the elements.
    Among(Expr, String),
}
