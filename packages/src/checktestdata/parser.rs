//! Parser of scripts: tokens to steps.

use super::script::{LoopHeader, ScriptLoop, Step, StepKind};
use super::term::{Term, Variable};
use super::token_cursor::{Parsed, ScriptCursor, unexpected_token};
use super::tokenizer::{MAX_PROBLEMS, Token, TokenKind, tokenize_script};
use rebut_diagnostics::{Diagnostic, Severity, Span};

/// Maximum nesting of loops and conditions, which bounds the use of the stack.
const MAX_BLOCK_DEPTH: usize = 32;

/// Keywords that start a command.
const COMMAND_KEYWORDS: &[&str] = &[
    "SPACE", "NEWLINE", "EOF", "INT", "FLOAT", "FLOATP", "STRING", "REGEX", "ASSERT", "SET", "UNSET", "REP", "REPI",
    "WHILE", "WHILEI", "IF", "ELSE", "END",
];

/// Parses a script. Returns its commands and warnings.
///
/// # Errors
///
/// Returns all problems found, as far as the parser can recover.
pub(super) fn parse_script(text: &[u8]) -> Result<(Vec<Step>, Vec<Diagnostic>), Vec<Diagnostic>> {
    let mut problems = Vec::new();
    let tokens = tokenize_script(text, &mut problems);
    let mut parser = ScriptCursor { tokens: &tokens, position: 0, depth: 0, end: text.len(), problems };
    let commands = parser.parse_commands(0);
    parser.problems.sort_by_key(|p| p.span.start);
    if parser.problems.iter().any(|p| p.severity == Severity::Error) {
        return Err(parser.problems);
    }
    Ok((commands, parser.problems))
}

impl ScriptCursor<'_> {
    /// Parses commands up to the end of their block or of the script.
    fn parse_commands(&mut self, depth: usize) -> Vec<Step> {
        let mut found = Vec::new();
        while let Some(token) = self.peek_token() {
            if depth > 0 && (token.has_text("END") || token.has_text("ELSE")) || self.problems.len() >= MAX_PROBLEMS {
                break;
            }
            match self.parse_command(depth) {
                Ok(command) => found.push(command),
                Err(problem) => {
                    self.problems.push(problem);
                    self.skip_to_next_command();
                }
            }
        }
        found
    }

    /// Recovers from an error by skipping to the next command.
    fn skip_to_next_command(&mut self) {
        while self.peek_token().is_some_and(|t| !COMMAND_KEYWORDS.iter().any(|word| t.has_text(word))) {
            self.position += 1;
        }
    }

    fn parse_command(&mut self, depth: usize) -> Parsed<Step> {
        let Some(token @ Token { kind, span }) = self.next_token() else {
            return Err(self.unexpected_end("a command"));
        };
        let TokenKind::Keyword(word) = kind else {
            return Err(not_a_command(token));
        };
        if matches!(*word, "REP" | "REPI" | "WHILE" | "WHILEI" | "IF") {
            return self.parse_block(word, *span, depth);
        }
        let kind = match *word {
            "SPACE" => StepKind::Space,
            "NEWLINE" => StepKind::Newline,
            "EOF" => StepKind::Eof,
            "INT" => self.parse_arguments(Self::parse_integer_command)?,
            "FLOAT" => self.parse_arguments(|p| p.parse_float_command(false))?,
            "FLOATP" => self.parse_arguments(|p| p.parse_float_command(true))?,
            "STRING" => self.parse_arguments(|p| Ok(StepKind::Text(p.parse_expression()?)))?,
            "REGEX" => {
                self.parse_arguments(|p| Ok(StepKind::Regex(p.parse_expression()?, p.parse_optional_variable()?)))?
            }
            "ASSERT" => self.parse_arguments(|p| Ok(StepKind::Assert(p.parse_condition()?.term)))?,
            "SET" => self.parse_arguments(Self::parse_assignments)?,
            "UNSET" => self.parse_arguments(|p| p.parse_variable_names().map(StepKind::Unset))?,
            _ => return Err(not_a_command(token)),
        };
        Ok(Step { kind, span: self.span_since(*span) })
    }

    /// Parses a loop or a condition with its body.
    fn parse_block(&mut self, word: &'static str, start: Span, depth: usize) -> Parsed<Step> {
        if depth == MAX_BLOCK_DEPTH {
            self.position = self.tokens.len();
            let problem = Diagnostic::error("ctd-too-deep", start, "loops and conditions are nested too deeply");
            return Err(problem.with_caret(format!("at most {MAX_BLOCK_DEPTH} levels")));
        }
        let mut kind = self.parse_arguments(|p| p.parse_block_header(word)).unwrap_or_else(|problem| {
            // Parse the body nevertheless: its `END` would be unexpected otherwise.
            self.problems.push(problem);
            self.skip_to_next_command();
            StepKind::Eof
        });
        let span = self.span_since(start);
        let inside = self.parse_commands(depth + 1);
        let alternative =
            if word == "IF" && self.accept_token("ELSE") { self.parse_commands(depth + 1) } else { Vec::new() };
        if let Some(token) = self.peek_token().filter(|t| t.has_text("ELSE")) {
            self.position += 1;
            return Err(not_a_command(token));
        }
        if !self.accept_token("END") {
            let problem = Diagnostic::error("ctd-unclosed", span, format!("this `{word}` has no `END`"));
            return Err(problem.with_caret("its commands go on to the end of the script"));
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
            self.expect_token(",", "the counter is followed by a comma")?;
        }
        let header = if word.starts_with("REP") {
            LoopHeader::Times(self.parse_expression()?)
        } else {
            LoopHeader::While(self.parse_condition()?.term)
        };
        let (separator, body) = (self.parse_separator()?, Vec::new());
        Ok(StepKind::Loop(Box::new(ScriptLoop { counter, header, separator, body, absorbed_newline: false })))
    }

    fn parse_separator(&mut self) -> Parsed<Vec<Step>> {
        if !self.accept_token(",") {
            return Ok(Vec::new());
        }
        if let Some(token) =
            self.peek_token().filter(|t| ["REP", "REPI", "WHILE", "WHILEI", "IF"].iter().any(|w| t.has_text(w)))
        {
            return Err(Diagnostic::error("ctd-separator", token.span, "a separator must be a single command")
                .with_caret("expected a command such as `SPACE` or `NEWLINE`"));
        }
        self.parse_command(0).map(|step| vec![step])
    }

    /// Parses `(`, the arguments by `inside`, and `)`.
    fn parse_arguments<T>(&mut self, inside: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        self.expect_token("(", "the command has arguments")?;
        let found = inside(self)?;
        self.expect_token(")", "the arguments end with `)`")?;
        Ok(found)
    }

    fn parse_integer_command(&mut self) -> Parsed<StepKind> {
        let (min, max) = self.parse_bounds()?;
        Ok(StepKind::Integer { min, max, name: self.parse_optional_variable()? })
    }

    fn parse_float_command(&mut self, with_decimals: bool) -> Parsed<StepKind> {
        let (min, max) = self.parse_bounds()?;
        let decimals = if with_decimals {
            self.expect_token(",", "`FLOATP` has a minimum and maximum number of decimals")?;
            Some(self.parse_bounds()?)
        } else {
            None
        };
        let name = self.parse_optional_variable()?;
        let mut is_fixed = false;
        if name.is_some() && self.accept_token(",") {
            is_fixed = self.accept_token("FIXED");
            match self.peek_token() {
                _ if is_fixed || self.accept_token("SCIENTIFIC") => {}
                Some(token) => return Err(unexpected_token(token, "expected `FIXED` or `SCIENTIFIC`")),
                None => return Err(self.unexpected_end("`FIXED` or `SCIENTIFIC`")),
            }
        }
        Ok(StepKind::Float { min, max, decimals, name, is_fixed })
    }

    fn parse_bounds(&mut self) -> Parsed<(Term, Term)> {
        let min = self.parse_expression()?;
        self.expect_token(",", "the bounds are separated by a comma")?;
        Ok((min, self.parse_expression()?))
    }

    fn parse_assignments(&mut self) -> Parsed<StepKind> {
        let assignments = self.parse_list(|p| {
            let variable = p.parse_variable()?;
            p.expect_token("=", "a value is assigned with `=`")?;
            Ok((variable, p.parse_expression()?))
        });
        assignments.map(StepKind::Set)
    }

    fn parse_optional_variable(&mut self) -> Parsed<Option<Variable>> {
        if self.accept_token(",") { self.parse_variable().map(Some) } else { Ok(None) }
    }
}

fn not_a_command(token: &Token) -> Diagnostic {
    let problem =
        Diagnostic::error("ctd-no-command", token.span, format!("{} is not a command", token.describe_token()));
    match token.kind {
        TokenKind::Keyword("END") => problem.with_caret("there is no open loop or condition"),
        TokenKind::Keyword("ELSE") => problem.with_caret("there is no open condition"),
        _ => problem.with_caret("expected `INT`, `SPACE`, `NEWLINE`, `REP` or another command"),
    }
}
