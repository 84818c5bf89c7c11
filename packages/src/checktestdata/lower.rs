//! Lowering of commands to steps, the representation for restructuring lines.
//!
//! Strings become literals, spaces and line feeds, and so do regular expressions that contain spaces. Both kinds of
//! loops become the same step.

use super::ast::{FloatNotation, ScriptCommand, ScriptCommandKind, ScriptCondition, ScriptExpr, ScriptVariable};
use super::constants::{ScriptConstant, ScriptConstants};
use super::posix_regex::{PosixRegex, RegexPiece};
use rebut_diagnostics::Span;

/// A step of a script.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct ScriptStep {
    pub(super) kind: ScriptStepKind,
    pub(super) span: Span,
}

/// The kind of a step.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum ScriptStepKind {
    /// A space.
    Space,
    /// The end of a line.
    Newline,
    /// Exactly these characters, all of them visible.
    Literal(Vec<u8>),
    /// An integer.
    Integer { min: ScriptExpr, max: ScriptExpr, name: Option<ScriptVariable> },
    /// A real number.
    Float {
        min: ScriptExpr,
        max: ScriptExpr,
        decimals: Option<(ScriptExpr, ScriptExpr)>,
        name: Option<ScriptVariable>,
        notation: FloatNotation,
    },
    /// A text.
    Token(PosixRegex, Option<ScriptVariable>),
    /// An assertion.
    Assert(ScriptCondition),
    /// Assignments of variables.
    Set(Vec<(ScriptVariable, ScriptExpr)>),
    /// Variables that lose their values.
    Unset(Vec<String>),
    /// A loop.
    Loop(Box<ScriptLoop>),
    /// Steps that depend on a condition.
    If { test: ScriptCondition, then: Vec<ScriptStep>, otherwise: Vec<ScriptStep> },
    /// One of several sequences of steps, decided by the input.
    Alternatives(Vec<Vec<ScriptStep>>),
    /// From here on, the variable has this value.
    AssumeValue(String, ScriptConstant),
    /// From here on, the value of the variable is unknown.
    ForgetVariable(ScriptVariable),
    /// Input that a format cannot express, with the reason.
    Inexpressible(String),
    /// The end of the input.
    Eof,
}

/// A loop.
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
    While(ScriptCondition),
}

impl ScriptStep {
    /// Returns true if the step reads input.
    pub(super) fn reads_input(&self) -> bool {
        match &self.kind {
            ScriptStepKind::Space
            | ScriptStepKind::Newline
            | ScriptStepKind::Literal(_)
            | ScriptStepKind::Integer { .. }
            | ScriptStepKind::Float { .. }
            | ScriptStepKind::Token(..)
            | ScriptStepKind::Inexpressible(_) => true,
            ScriptStepKind::Loop(inner) => any_reads_input(&inner.body) || any_reads_input(&inner.separator),
            ScriptStepKind::If { then, otherwise, .. } => any_reads_input(then) || any_reads_input(otherwise),
            ScriptStepKind::Alternatives(alternatives) => alternatives.iter().any(|a| any_reads_input(a)),
            _ => false,
        }
    }
}

/// Returns true if any of the steps reads input.
pub(super) fn any_reads_input(items: &[ScriptStep]) -> bool {
    items.iter().any(ScriptStep::reads_input)
}

/// Lowers commands to steps.
pub(super) fn lower_commands(commands: &[ScriptCommand], constants: &ScriptConstants) -> Vec<ScriptStep> {
    commands.iter().flat_map(|c| lower_command(c, constants)).collect()
}

fn lower_command(command: &ScriptCommand, constants: &ScriptConstants) -> Vec<ScriptStep> {
    let span = command.span;
    let body = |commands: &[ScriptCommand]| lower_commands(commands, constants);
    let kind = match command.kind.clone() {
        ScriptCommandKind::Space => ScriptStepKind::Space,
        ScriptCommandKind::Newline => ScriptStepKind::Newline,
        ScriptCommandKind::Eof => ScriptStepKind::Eof,
        ScriptCommandKind::Integer { min, max, name } => ScriptStepKind::Integer { min, max, name },
        ScriptCommandKind::Float { min, max, decimals, name, notation } => {
            ScriptStepKind::Float { min, max, decimals, name, notation }
        }
        ScriptCommandKind::Assert(test) => ScriptStepKind::Assert(test),
        ScriptCommandKind::Set(values) => ScriptStepKind::Set(values),
        ScriptCommandKind::Unset(names) => ScriptStepKind::Unset(names),
        ScriptCommandKind::Text(expr) => {
            return match constants.evaluate_text(&expr) {
                Some(text) => lower_pieces(&PosixRegex::from_literal(&text), None, span),
                None => {
                    vec![inexpressible_step("it contains a string that is not constant", span)]
                }
            };
        }
        ScriptCommandKind::Regex(expr, name) => return lower_regex(&expr, name, constants, span),
        ScriptCommandKind::Repeat { counter, count, separator, body: inside } => {
            let separator = separator.map_or_else(Vec::new, |s| lower_command(&s, constants));
            ScriptStepKind::Loop(Box::new(ScriptLoop {
                counter,
                header: ScriptLoopHeader::Times(count),
                separator,
                body: body(&inside),
                absorbed_newline: false,
            }))
        }
        ScriptCommandKind::While { counter, test, separator, body: inside } => {
            let separator = separator.map_or_else(Vec::new, |s| lower_command(&s, constants));
            ScriptStepKind::Loop(Box::new(ScriptLoop {
                counter,
                header: ScriptLoopHeader::While(test),
                separator,
                body: body(&inside),
                absorbed_newline: false,
            }))
        }
        ScriptCommandKind::If { test, then, otherwise } => {
            ScriptStepKind::If { test, then: body(&then), otherwise: body(&otherwise) }
        }
    };
    vec![ScriptStep { kind, span }]
}

fn inexpressible_step(why: impl Into<String>, span: Span) -> ScriptStep {
    ScriptStep { kind: ScriptStepKind::Inexpressible(why.into()), span }
}

fn lower_regex(
    expr: &ScriptExpr,
    name: Option<ScriptVariable>,
    constants: &ScriptConstants,
    span: Span,
) -> Vec<ScriptStep> {
    let Some(text) = constants.evaluate_text(expr) else {
        return vec![inexpressible_step("it contains a regular expression that is not constant", span)];
    };
    match PosixRegex::parse_regex(&text) {
        Ok(pattern) => lower_pieces(&pattern, name, span),
        Err(why) => vec![inexpressible_step(format!("it contains an invalid regular expression: {why}"), span)],
    }
}

/// Splits a pattern into tokens, and the spaces and line feeds between them.
fn lower_pieces(pattern: &PosixRegex, name: Option<ScriptVariable>, span: Span) -> Vec<ScriptStep> {
    let pieces = pattern.split_at_blanks();
    let is_single = pieces.len() == 1;
    let mut found: Vec<ScriptStep> = Vec::new();
    for piece in pieces {
        let kind = match piece {
            RegexPiece::Space => ScriptStepKind::Space,
            RegexPiece::Newline => ScriptStepKind::Newline,
            RegexPiece::Token(token) => match token.enumerate_words(1).and_then(|mut words| words.pop()) {
                Some(text) if text.is_empty() => continue,
                Some(text) if text.iter().all(u8::is_ascii_graphic) && (name.is_none() || !is_single) => {
                    ScriptStepKind::Literal(text)
                }
                _ => ScriptStepKind::Token(token, name.clone().filter(|_| is_single)),
            },
        };
        found.push(ScriptStep { kind, span });
    }
    if let Some(name) = name.filter(|_| !is_single) {
        found.push(ScriptStep { kind: ScriptStepKind::ForgetVariable(name), span });
    }
    found
}
