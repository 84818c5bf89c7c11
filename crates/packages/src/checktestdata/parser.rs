//! Parser of scripts: text to steps.

use super::patterns::Pattern;
use super::scanner::{Parsed, ScriptScanner};
use super::term::{LocatedTerm, Term, Variable};
use rebut_diagnostics::{Diagnostic, Severity, Span};

/// Maximum nesting of loops and conditions, which bounds the use of the stack.
const MAX_BLOCK_DEPTH: usize = 32;

/// Maximum number of problems reported.
const MAX_PROBLEMS: usize = 20;

/// Keywords that start a command without a body.
const SIMPLE_KEYWORDS: [&str; 11] =
    ["SPACE", "NEWLINE", "EOF", "INT", "FLOAT", "FLOATP", "STRING", "REGEX", "ASSERT", "SET", "UNSET"];

/// Keywords that start a command with a body.
const BLOCK_KEYWORDS: [&str; 5] = ["REP", "REPI", "WHILE", "WHILEI", "IF"];

/// Parses a script. Returns its commands and warnings.
///
/// # Errors
///
/// Returns all problems found, as far as the parser can recover.
pub(super) fn parse_script(text: &[u8]) -> Result<(Vec<Step>, Vec<Diagnostic>), Vec<Diagnostic>> {
    let mut parser = ScriptScanner::new(text);
    let commands = parser.parse_commands(0);
    parser.problems.sort_by_key(|p| p.span.start);
    if parser.problems.iter().any(|p| p.severity == Severity::Error) {
        return Err(parser.problems);
    }
    Ok((commands, parser.problems))
}

impl ScriptScanner<'_> {
    /// Parses commands up to the end of their block or of the script.
    fn parse_commands(&mut self, depth: usize) -> Vec<Step> {
        let mut found = Vec::new();
        while self.peek_byte().is_some() && self.problems.len() < MAX_PROBLEMS {
            if depth > 0 && matches!(self.peek_symbol(), Some("END" | "ELSE")) {
                break;
            }
            match self.parse_command(depth) {
                Ok(command) => found.push(command),
                Err(problem) => self.recover_from(problem),
            }
        }
        found
    }

    /// Reports a problem, and skips to the next command.
    fn recover_from(&mut self, problem: Diagnostic) {
        self.problems.push(problem);
        let is_start = |symbol: &str| {
            SIMPLE_KEYWORDS.contains(&symbol) || BLOCK_KEYWORDS.contains(&symbol) || ["ELSE", "END"].contains(&symbol)
        };
        while self.peek_byte().is_some() && !self.peek_symbol().is_some_and(is_start) {
            self.skip_token();
        }
    }

    fn parse_command(&mut self, depth: usize) -> Parsed<Step> {
        let start = self.position;
        if let Some(word) = self.peek_symbol().filter(|word| BLOCK_KEYWORDS.contains(word)) {
            return self.parse_block(word, depth);
        }
        let Some(word) = self.peek_symbol().filter(|word| SIMPLE_KEYWORDS.contains(word)) else {
            let problem = self.not_a_command();
            self.skip_token();
            return Err(problem);
        };
        self.skip_token();
        let kind = match word {
            "SPACE" => StepKind::Space,
            "NEWLINE" => StepKind::Newline,
            "EOF" => StepKind::Eof,
            word => self.parse_arguments(|p| p.parse_simple_command(word))?,
        };
        Ok(Step { kind, span: self.span_since(start) })
    }

    /// Parses the arguments of a command without a body.
    fn parse_simple_command(&mut self, word: &str) -> Parsed<StepKind> {
        Ok(match word {
            "INT" => {
                let (min, max) = self.parse_bounds()?;
                StepKind::Integer { min, max, name: self.parse_optional_variable()? }
            }
            "STRING" => StepKind::Text(self.parse_value()?),
            "REGEX" => StepKind::Regex(self.parse_value()?, self.parse_optional_variable()?),
            "ASSERT" => StepKind::Assert(self.parse_condition()?.term),
            "SET" => StepKind::Set(self.parse_list(Self::parse_assignment)?),
            "UNSET" => StepKind::Unset(self.parse_variable_names()?),
            word => self.parse_float_command(word == "FLOATP")?,
        })
    }

    /// Parses a loop or a condition with its body.
    fn parse_block(&mut self, word: &'static str, depth: usize) -> Parsed<Step> {
        let start = self.position;
        self.skip_token();
        if depth == MAX_BLOCK_DEPTH {
            let span = self.span_since(start);
            self.skip_all();
            return Err(Diagnostic::error("ctd-too-deep", span, "loops and conditions are nested too deeply")
                .with_caret(format!("at most {MAX_BLOCK_DEPTH} levels")));
        }
        let mut kind = self.parse_arguments(|p| p.parse_block_header(word)).unwrap_or_else(|problem| {
            // Parse the body nevertheless: its `END` would be unexpected otherwise.
            self.recover_from(problem);
            StepKind::Eof
        });
        let span = self.span_since(start);
        let inside = self.parse_commands(depth + 1);
        let alternative =
            if word == "IF" && self.accept_symbol("ELSE") { self.parse_commands(depth + 1) } else { Vec::new() };
        if self.peek_symbol() == Some("ELSE") {
            let problem = self.not_a_command();
            self.skip_token();
            return Err(problem);
        }
        if !self.accept_symbol("END") {
            return Err(Diagnostic::error("ctd-unclosed", span, format!("this `{word}` has no `END`"))
                .with_caret("its commands go on to the end of the script"));
        }
        match &mut kind {
            StepKind::Loop(inner) => inner.body = inside,
            StepKind::If { then, otherwise, .. } => (*then, *otherwise) = (inside, alternative),
            _ => {}
        }
        Ok(Step { kind, span })
    }

    /// Parses the arguments of a loop or a condition.
    fn parse_block_header(&mut self, word: &str) -> Parsed<StepKind> {
        if word == "IF" {
            let test = self.parse_condition()?;
            return Ok(StepKind::If { test, then: Vec::new(), otherwise: Vec::new() });
        }
        let mut counter = None;
        if word.ends_with('I') {
            counter = Some(self.parse_variable()?);
            self.expect_symbol(",", "the counter is followed by a comma")?;
        }
        let header = if word.starts_with("REP") {
            LoopHeader::Times(self.parse_value()?)
        } else {
            LoopHeader::While(self.parse_condition()?.term)
        };
        let (separator, body) = (self.parse_separator()?, Vec::new());
        Ok(StepKind::Loop(Box::new(ScriptLoop { counter, header, separator, body, absorbed_newline: false })))
    }

    fn parse_separator(&mut self) -> Parsed<Vec<Step>> {
        if !self.accept_symbol(",") {
            return Ok(Vec::new());
        }
        if self.peek_symbol().is_some_and(|word| BLOCK_KEYWORDS.contains(&word)) {
            let (_, span) = self.next_token();
            return Err(Diagnostic::error("ctd-separator", span, "a separator must be a single command")
                .with_caret("expected a command such as `SPACE` or `NEWLINE`"));
        }
        self.parse_command(0).map(|step| vec![step])
    }

    fn parse_float_command(&mut self, has_decimals: bool) -> Parsed<StepKind> {
        let (min, max) = self.parse_bounds()?;
        let mut decimals = None;
        if has_decimals {
            self.expect_symbol(",", "`FLOATP` has a minimum and maximum number of decimals")?;
            decimals = Some(self.parse_bounds()?);
        }
        let name = self.parse_optional_variable()?;
        let has_notation = name.is_some() && self.accept_symbol(",");
        let is_fixed = has_notation && self.accept_symbol("FIXED");
        if has_notation && !is_fixed && !self.accept_symbol("SCIENTIFIC") {
            return Err(self.unexpected_token("`FIXED` or `SCIENTIFIC`"));
        }
        Ok(StepKind::Float { min, max, decimals, name, is_fixed })
    }

    fn parse_bounds(&mut self) -> Parsed<(Term, Term)> {
        let min = self.parse_value()?;
        self.expect_symbol(",", "the bounds are separated by a comma")?;
        Ok((min, self.parse_value()?))
    }

    fn parse_assignment(&mut self) -> Parsed<(Variable, Term)> {
        let variable = self.parse_variable()?;
        self.expect_symbol("=", "a value is assigned with `=`")?;
        Ok((variable, self.parse_value()?))
    }

    fn parse_optional_variable(&mut self) -> Parsed<Option<Variable>> {
        if self.accept_symbol(",") { self.parse_variable().map(Some) } else { Ok(None) }
    }

    /// Creates an error about the next token, which starts no command, or about the end of the script.
    fn not_a_command(&self) -> Diagnostic {
        let expected = "`INT`, `SPACE`, `NEWLINE`, `REP` or another command";
        if self.peek_byte().is_none() {
            return self.unexpected_token(expected);
        }
        let (token, span) = self.next_token();
        let problem = Diagnostic::error("ctd-no-command", span, format!("`{token}` is not a command"));
        match self.peek_symbol() {
            Some("END") => problem.with_caret("there is no open loop or condition"),
            Some("ELSE") => problem.with_caret("there is no open condition"),
            _ => self.invalid_token().unwrap_or_else(|| problem.with_caret(format!("expected {expected}"))),
        }
    }
}

// The steps of a script, covering all of checktestdata.
//
// The semantics follow the language specification of DOMjudge's checktestdata and the behavior of that program. A
// script consists of steps. The parser makes most of them; `lower` and `line_structure` rewrite some to others that
// describe lines.

/// A step of a script.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Step {
    pub(super) kind: StepKind,
    /// Location of the command itself, without its body.
    pub(super) span: Span,
}

/// The kind of a step.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum StepKind {
    /// `SPACE`: exactly one space.
    Space,
    /// `NEWLINE`: exactly one line feed.
    Newline,
    /// `EOF`: the end of the input. It is implied at the end of every script.
    Eof,
    /// `INT(min, max, name)`
    Integer { min: Term, max: Term, name: Option<Variable> },
    /// `FLOAT(min, max, name, notation)`, and `FLOATP` with a minimum and maximum number of decimals.
    Float { min: Term, max: Term, decimals: Option<(Term, Term)>, name: Option<Variable>, is_fixed: bool },
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
    /// A loop.
    Loop(Box<ScriptLoop>),
    /// `IF(condition) ... ELSE ... END`
    If { test: LocatedTerm, then: Vec<Step>, otherwise: Vec<Step> },
    /// One of several sequences of steps, decided by the input.
    Alternatives(Vec<Vec<Step>>),
    /// From here on, the variable has this value.
    AssumeValue(String, Term),
    /// From here on, the value of the variable is unknown.
    ForgetVariable(Variable),
    /// Input that a format cannot express, with the reason.
    Inexpressible(String),
}

/// `REP(count, separator) ... END`, `WHILE(condition, separator) ... END`; `REPI` and `WHILEI` have a counter.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct ScriptLoop {
    pub(super) counter: Option<Variable>,
    pub(super) header: LoopHeader,
    pub(super) separator: Vec<Step>,
    pub(super) body: Vec<Step>,
    /// Whether the line feed after the loop was moved into it. It is lost if there are no repetitions.
    pub(super) absorbed_newline: bool,
}

/// The number of repetitions.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum LoopHeader {
    /// This many times.
    Times(Term),
    /// As long as the condition holds.
    While(Term),
}

impl Step {
    /// Returns true if the step reads input.
    pub(super) fn reads_input(&self) -> bool {
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
pub(super) fn all_steps(steps: &[Step]) -> Vec<&Step> {
    let with_inner = |step| [step].into_iter().chain(Step::children(step).into_iter().flat_map(all_steps));
    steps.iter().flat_map(with_inner).collect()
}

/// Returns true if any of the steps reads input.
pub(super) fn any_reads_input(steps: &[Step]) -> bool {
    use StepKind::{Float, Inexpressible, Integer, Literal, Newline, Space, Token};
    let reads = |step: &&Step| {
        matches!(step.kind, Space | Newline | Literal(_) | Integer { .. } | Float { .. } | Token(..) | Inexpressible(_))
    };
    all_steps(steps).iter().any(reads)
}

/// Returns the variables that steps assign, each as often as it is assigned.
pub(super) fn assigned_variables(steps: &[Step]) -> Vec<&str> {
    let mut found = Vec::new();
    for step in all_steps(steps) {
        match &step.kind {
            StepKind::Integer { name, .. }
            | StepKind::Float { name, .. }
            | StepKind::Regex(_, name)
            | StepKind::Token(_, name) => found.extend(name.iter().map(|v| v.name.as_str())),
            StepKind::Set(values) => found.extend(values.iter().map(|(v, _)| v.name.as_str())),
            StepKind::Unset(names) => found.extend(names.iter().map(String::as_str)),
            StepKind::AssumeValue(name, _) => found.push(name),
            StepKind::ForgetVariable(variable) => found.push(&variable.name),
            StepKind::Loop(inner) => found.extend(inner.counter.iter().map(|v| v.name.as_str())),
            _ => {}
        }
    }
    found
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::panic, reason = "tests")]
    use super::*;

    #[test]
    fn a_missing_separator_at_the_end_is_reported() {
        let problems = parse_script(b"REP(3, ").unwrap_err();
        assert!(problems.iter().any(|p| p.message == "the script ends too early"), "{problems:?}");
        assert!(problems.iter().all(|p| !p.message.contains("``")), "{problems:?}");
    }
}
