//! The front end of checktestdata, the language in which DOMjudge, and the contests that use it, check their inputs.
//!
//! Its semantics follow the language specification of DOMjudge's checktestdata and the behavior of that program.

mod expression;
mod scanner;

use crate::Conversion;
use crate::steps::{LoopHeader, ScriptLoop, Step, StepKind};
use crate::term::{Term, Variable};
use rebut_diagnostics::{Diagnostic, Severity, SourceText};
use scanner::{Parsed, ScriptScanner};
use std::collections::BTreeMap;

/// Maximum nesting of loops and conditions, which bounds the use of the stack.
const MAX_BLOCK_DEPTH: usize = 32;

/// Maximum number of problems reported.
const MAX_PROBLEMS: usize = 20;

/// Keywords that start a command without a body.
const SIMPLE_KEYWORDS: [&str; 11] =
    ["SPACE", "NEWLINE", "EOF", "INT", "FLOAT", "FLOATP", "STRING", "REGEX", "ASSERT", "SET", "UNSET"];

/// Keywords that start a command with a body.
const BLOCK_KEYWORDS: [&str; 5] = ["REP", "REPI", "WHILE", "WHILEI", "IF"];

/// Converts a checktestdata script.
///
/// # Errors
///
/// Returns the errors of a script that is not valid checktestdata.
pub fn convert_script(source: &SourceText) -> Result<Conversion, Vec<Diagnostic>> {
    let (steps, warnings) = parse_script(&source.text)?;
    Ok(crate::convert_steps(steps, warnings, BTreeMap::new(), source))
}

/// Parses a script. Returns its commands and warnings.
///
/// # Errors
///
/// Returns all problems found, as far as the parser can recover.
fn parse_script(text: &[u8]) -> Result<(Vec<Step>, Vec<Diagnostic>), Vec<Diagnostic>> {
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
            return Err(self.not_a_command());
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

    fn parse_simple_command(&mut self, word: &str) -> Parsed<StepKind> {
        Ok(match word {
            "STRING" => StepKind::Text(self.parse_value()?),
            "REGEX" => StepKind::Regex(self.parse_value()?, self.parse_optional_variable()?),
            "ASSERT" => StepKind::Assert(self.parse_condition()?.term),
            "SET" => StepKind::Set(self.parse_list(Self::parse_assignment)?),
            "UNSET" => StepKind::Unset(self.parse_variable_names()?),
            word => self.parse_number_command(word)?,
        })
    }

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
            return Err(self.not_a_command());
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

    fn parse_number_command(&mut self, word: &str) -> Parsed<StepKind> {
        let (min, max) = self.parse_bounds()?;
        let mut decimals = None;
        if word == "FLOATP" {
            self.expect_symbol(",", "`FLOATP` has a minimum and maximum number of decimals")?;
            decimals = Some(self.parse_bounds()?);
        }
        let name = self.parse_optional_variable()?;
        if word == "INT" {
            return Ok(StepKind::Number { min, max, real: None, name });
        }
        let has_notation = name.is_some() && self.accept_symbol(",");
        let is_fixed = has_notation && self.accept_symbol("FIXED");
        if has_notation && !is_fixed && !self.accept_symbol("SCIENTIFIC") {
            return Err(self.unexpected_token("`FIXED` or `SCIENTIFIC`"));
        }
        Ok(StepKind::Number { min, max, real: Some((decimals, is_fixed)), name })
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

    /// Skips the next token, which starts no command. Returns an error about it, or about the end of the script.
    fn not_a_command(&mut self) -> Diagnostic {
        let expected = "`INT`, `SPACE`, `NEWLINE`, `REP` or another command";
        let (token, span) = self.next_token();
        let problem = Diagnostic::error("ctd-no-command", span, format!("`{token}` is not a command"));
        let problem = match self.peek_symbol() {
            Some("END") => problem.with_caret("there is no open loop or condition"),
            Some("ELSE") => problem.with_caret("there is no open condition"),
            _ if token.is_empty() => self.unexpected_token(expected),
            _ => self.invalid_token().unwrap_or_else(|| problem.with_caret(format!("expected {expected}"))),
        };
        self.skip_token();
        problem
    }
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
