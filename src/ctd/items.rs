//! Commands to items: the same script in the words in which lines are made of it.
//!
//! A string becomes the literals, blanks and line feeds it is made of; so does a regular expression that has blanks
//! in it. Loops of both kinds become one.

use super::constants::{Constant, Constants};
use super::pattern::{Pattern, Piece};
use super::syntax::{Command, CommandKind, Expr, Notation, Test, Variable};
use crate::diagnostic::Span;

/// One step of a script.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Item {
    pub(super) kind: ItemKind,
    pub(super) span: Span,
}

/// What a step does.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum ItemKind {
    /// A blank.
    Space,
    /// The end of a line.
    Newline,
    /// These very characters, all visible.
    Literal(Vec<u8>),
    /// A whole number.
    Integer { least: Expr, most: Expr, name: Option<Variable> },
    /// A real number.
    Float { least: Expr, most: Expr, decimals: Option<(Expr, Expr)>, name: Option<Variable>, notation: Notation },
    /// A text.
    Token(Pattern, Option<Variable>),
    /// What must hold.
    Assert(Test),
    /// New values of variables.
    Set(Vec<(Variable, Expr)>),
    /// Variables without a value.
    Unset(Vec<String>),
    /// Steps that are repeated.
    Loop(Box<Loop>),
    /// Steps that depend on a test.
    If { test: Test, then: Vec<Item>, otherwise: Vec<Item> },
    /// One of several sequences of steps; the input tells which.
    Either(Vec<Vec<Item>>),
    /// From here on the variable is known to have this value.
    Known(String, Constant),
    /// From here on nothing is known of the variable.
    Forget(Variable),
    /// Steps that no format can have, and why.
    Lost(String),
    /// The end of the input.
    Eof,
}

/// Steps that are repeated.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Loop {
    pub(super) counter: Option<Variable>,
    pub(super) header: Header,
    pub(super) separator: Vec<Item>,
    pub(super) body: Vec<Item>,
    /// Whether a line feed behind the loop was taken into it: without a repetition, it would be missed.
    pub(super) took_newline: bool,
}

/// How often.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Header {
    /// So many times.
    Times(Expr),
    /// As long as this holds.
    While(Test),
}

impl Item {
    /// Whether it takes anything of the input.
    pub(super) fn is_layout(&self) -> bool {
        match &self.kind {
            ItemKind::Space
            | ItemKind::Newline
            | ItemKind::Literal(_)
            | ItemKind::Integer { .. }
            | ItemKind::Float { .. }
            | ItemKind::Token(..)
            | ItemKind::Lost(_) => true,
            ItemKind::Loop(inner) => has_layout(&inner.body) || has_layout(&inner.separator),
            ItemKind::If { then, otherwise, .. } => has_layout(then) || has_layout(otherwise),
            ItemKind::Either(alternatives) => alternatives.iter().any(|a| has_layout(a)),
            _ => false,
        }
    }
}

/// Whether any of these takes anything of the input.
pub(super) fn has_layout(items: &[Item]) -> bool {
    items.iter().any(Item::is_layout)
}

/// The items of commands.
pub(super) fn items(commands: &[Command], constants: &Constants) -> Vec<Item> {
    commands.iter().flat_map(|c| item(c, constants)).collect()
}

fn item(command: &Command, constants: &Constants) -> Vec<Item> {
    let span = command.span;
    let body = |commands: &[Command]| items(commands, constants);
    let kind = match command.kind.clone() {
        CommandKind::Space => ItemKind::Space,
        CommandKind::Newline => ItemKind::Newline,
        CommandKind::Eof => ItemKind::Eof,
        CommandKind::Integer { least, most, name } => ItemKind::Integer { least, most, name },
        CommandKind::Float { least, most, decimals, name, notation } => {
            ItemKind::Float { least, most, decimals, name, notation }
        }
        CommandKind::Assert(test) => ItemKind::Assert(test),
        CommandKind::Set(values) => ItemKind::Set(values),
        CommandKind::Unset(names) => ItemKind::Unset(names),
        CommandKind::Text(expr) => {
            return match constants.text(&expr) {
                Some(text) => pieces(&Pattern::literal(&text), None, span),
                None => vec![lost("the characters of this string are known only when the script runs", span)],
            };
        }
        CommandKind::Pattern(expr, name) => return pattern(&expr, name, constants, span),
        CommandKind::Repeat { counter, count, separator, body: inside } => {
            let separator = separator.map_or_else(Vec::new, |s| item(&s, constants));
            ItemKind::Loop(Box::new(Loop {
                counter,
                header: Header::Times(count),
                separator,
                body: body(&inside),
                took_newline: false,
            }))
        }
        CommandKind::While { counter, test, separator, body: inside } => {
            let separator = separator.map_or_else(Vec::new, |s| item(&s, constants));
            ItemKind::Loop(Box::new(Loop {
                counter,
                header: Header::While(test),
                separator,
                body: body(&inside),
                took_newline: false,
            }))
        }
        CommandKind::If { test, then, otherwise } => {
            ItemKind::If { test, then: body(&then), otherwise: body(&otherwise) }
        }
    };
    vec![Item { kind, span }]
}

fn lost(why: impl Into<String>, span: Span) -> Item {
    Item { kind: ItemKind::Lost(why.into()), span }
}

fn pattern(expr: &Expr, name: Option<Variable>, constants: &Constants, span: Span) -> Vec<Item> {
    let Some(text) = constants.text(expr) else {
        return vec![lost("this regular expression is known only when the script runs", span)];
    };
    match Pattern::parse(&text) {
        Ok(pattern) => pieces(&pattern, name, span),
        Err(why) => vec![lost(format!("this is no regular expression: {why}"), span)],
    }
}

/// The tokens of a pattern, with the blanks and line feeds between them.
fn pieces(pattern: &Pattern, name: Option<Variable>, span: Span) -> Vec<Item> {
    let pieces = pattern.pieces();
    let whole = pieces.len() == 1;
    let mut found: Vec<Item> = Vec::new();
    for piece in pieces {
        let kind = match piece {
            Piece::Space => ItemKind::Space,
            Piece::Newline => ItemKind::Newline,
            Piece::Token(token) => match token.words(1).and_then(|mut words| words.pop()) {
                Some(text) if text.is_empty() => continue,
                Some(text) if text.iter().all(u8::is_ascii_graphic) && (name.is_none() || !whole) => {
                    ItemKind::Literal(text)
                }
                _ => ItemKind::Token(token, name.clone().filter(|_| whole)),
            },
        };
        found.push(Item { kind, span });
    }
    if let Some(name) = name.filter(|_| !whole) {
        found.push(Item { kind: ItemKind::Forget(name), span });
    }
    found
}
