//! Tokens to commands.

use super::expression::Node;
use super::syntax::{Command, CommandKind, Expr, ExprKind, Notation, Test, Variable};
use super::token::{Kind, Token, tokens};
use crate::diagnostic::{Diagnostic, Severity, Span};

/// How deep loops and conditions may nest: deeper ones would exhaust the stack, and no script has them.
const DEEPEST_BLOCK: usize = 32;

/// How deep expressions may nest.
const DEEPEST: usize = 64;

/// More problems than these help nobody.
pub(super) const MOST_PROBLEMS: usize = 20;

/// The words that start a command.
const COMMANDS: &[&str] = &[
    "SPACE", "NEWLINE", "EOF", "INT", "FLOAT", "FLOATP", "STRING", "REGEX", "ASSERT", "SET", "UNSET", "REP", "REPI",
    "WHILE", "WHILEI", "IF", "ELSE", "END",
];

/// Reads a script; the second result is what is to be warned about.
///
/// # Errors
/// All that is no checktestdata, as far as it could be told apart.
pub(super) fn parse(text: &[u8]) -> Result<(Vec<Command>, Vec<Diagnostic>), Vec<Diagnostic>> {
    let mut problems = Vec::new();
    let tokens = tokens(text, &mut problems);
    let mut parser = Parser { tokens: &tokens, at: 0, depth: 0, end: text.len(), problems };
    let commands = parser.commands(0);
    parser.problems.sort_by_key(|p| p.span.start);
    if parser.problems.iter().any(|p| p.severity == Severity::Error) {
        return Err(parser.problems);
    }
    Ok((commands, parser.problems))
}

/// A place in the tokens. Problems are collected; the commands that have them are left out.
pub(super) struct Parser<'t> {
    tokens: &'t [Token],
    at: usize,
    depth: usize,
    end: usize,
    pub(super) problems: Vec<Diagnostic>,
}

pub(super) type Parsed<T> = Result<T, Diagnostic>;

impl<'t> Parser<'t> {
    /// Commands up to the end of their block, or of the script.
    fn commands(&mut self, depth: usize) -> Vec<Command> {
        let mut found = Vec::new();
        while let Some(token) = self.peek() {
            if depth > 0 && (token.is("END") || token.is("ELSE")) || self.problems.len() >= MOST_PROBLEMS {
                break;
            }
            match self.command(depth) {
                Ok(command) => found.push(command),
                Err(problem) => {
                    self.problems.push(problem);
                    self.skip();
                }
            }
        }
        found
    }

    /// After a mistake: on to the next command.
    fn skip(&mut self) {
        while self.peek().is_some_and(|t| !COMMANDS.iter().any(|word| t.is(word))) {
            self.at += 1;
        }
    }

    fn command(&mut self, depth: usize) -> Parsed<Command> {
        let Some(token @ Token { kind, span }) = self.next() else {
            return Err(self.missing("a command"));
        };
        let Kind::Word(word) = kind else {
            return Err(no_command(token));
        };
        if matches!(*word, "REP" | "REPI" | "WHILE" | "WHILEI" | "IF") {
            return self.block(word, *span, depth);
        }
        let kind = match *word {
            "SPACE" => CommandKind::Space,
            "NEWLINE" => CommandKind::Newline,
            "EOF" => CommandKind::Eof,
            "INT" => self.arguments(Self::integer)?,
            "FLOAT" => self.arguments(|p| p.float(false))?,
            "FLOATP" => self.arguments(|p| p.float(true))?,
            "STRING" => self.arguments(|p| Ok(CommandKind::Text(p.expression()?)))?,
            "REGEX" => self.arguments(|p| Ok(CommandKind::Pattern(p.expression()?, p.optional_variable()?)))?,
            "ASSERT" => self.arguments(|p| Ok(CommandKind::Assert(p.test()?)))?,
            "SET" => self.arguments(Self::assignments)?,
            "UNSET" => self.arguments(|p| p.names().map(CommandKind::Unset))?,
            _ => return Err(no_command(token)),
        };
        Ok(Command { kind, span: self.since(*span) })
    }

    /// A loop or a condition, with its body.
    fn block(&mut self, word: &'static str, start: Span, depth: usize) -> Parsed<Command> {
        if depth == DEEPEST_BLOCK {
            self.at = self.tokens.len();
            let problem = Diagnostic::error("ctd-too-deep", start, "loops and conditions are nested too deeply");
            return Err(problem.caret(format!("at most {DEEPEST_BLOCK} levels")));
        }
        let kind = self.arguments(|p| p.header(word)).unwrap_or_else(|problem| {
            // The body is read all the same: its `END` would be one too many.
            self.problems.push(problem);
            self.skip();
            CommandKind::Eof
        });
        let span = self.since(start);
        let inside = self.commands(depth + 1);
        let otherwise = if word == "IF" && self.take("ELSE") { self.commands(depth + 1) } else { Vec::new() };
        if let Some(token) = self.peek().filter(|t| t.is("ELSE")) {
            self.at += 1;
            return Err(no_command(token));
        }
        if !self.take("END") {
            let problem = Diagnostic::error("ctd-unclosed", span, format!("this `{word}` has no `END`"));
            return Err(problem.caret("its commands go on to the end of the script"));
        }
        let kind = match kind {
            CommandKind::Repeat { counter, count, separator, .. } => {
                CommandKind::Repeat { counter, count, separator, body: inside }
            }
            CommandKind::While { counter, test, separator, .. } => {
                CommandKind::While { counter, test, separator, body: inside }
            }
            CommandKind::If { test, .. } => CommandKind::If { test, then: inside, otherwise },
            other => other,
        };
        Ok(Command { kind, span })
    }

    /// What stands in the brackets of a loop or a condition.
    fn header(&mut self, word: &str) -> Parsed<CommandKind> {
        let counter = if word.ends_with('I') {
            let counter = self.variable()?;
            self.expect(",", "the counter is followed by a comma")?;
            Some(counter)
        } else {
            None
        };
        if word == "IF" {
            return Ok(CommandKind::If { test: self.test()?, then: Vec::new(), otherwise: Vec::new() });
        }
        if word.starts_with("REP") {
            let count = self.expression()?;
            return Ok(CommandKind::Repeat { counter, count, separator: self.separator()?, body: Vec::new() });
        }
        let test = self.test()?;
        Ok(CommandKind::While { counter, test, separator: self.separator()?, body: Vec::new() })
    }

    fn separator(&mut self) -> Parsed<Option<Box<Command>>> {
        if !self.take(",") {
            return Ok(None);
        }
        if let Some(token) = self.peek().filter(|t| ["REP", "REPI", "WHILE", "WHILEI", "IF"].iter().any(|w| t.is(w))) {
            return Err(Diagnostic::error("ctd-separator", token.span, "a separator is a single command")
                .caret("expected `SPACE`, `NEWLINE` or the like"));
        }
        self.command(0).map(|command| Some(Box::new(command)))
    }

    /// `( ... )` around what `inside` reads.
    fn arguments<T>(&mut self, inside: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        self.expect("(", "the command has arguments")?;
        let found = inside(self)?;
        self.expect(")", "the arguments end with `)`")?;
        Ok(found)
    }

    fn integer(&mut self) -> Parsed<CommandKind> {
        let (least, most) = self.bounds()?;
        Ok(CommandKind::Integer { least, most, name: self.optional_variable()? })
    }

    fn float(&mut self, with_decimals: bool) -> Parsed<CommandKind> {
        let (least, most) = self.bounds()?;
        let decimals = if with_decimals {
            self.expect(",", "`FLOATP` has a least and a greatest number of decimals")?;
            Some(self.bounds()?)
        } else {
            None
        };
        let name = self.optional_variable()?;
        let mut notation = Notation::Any;
        if name.is_some() && self.take(",") {
            notation = match self.next() {
                Some(token) if token.is("FIXED") => Notation::Fixed,
                Some(token) if token.is("SCIENTIFIC") => Notation::Scientific,
                Some(token) => return Err(unexpected(token, "expected `FIXED` or `SCIENTIFIC`")),
                None => return Err(self.missing("`FIXED` or `SCIENTIFIC`")),
            };
        }
        Ok(CommandKind::Float { least, most, decimals, name, notation })
    }

    fn bounds(&mut self) -> Parsed<(Expr, Expr)> {
        let least = self.expression()?;
        self.expect(",", "two bounds stand with a comma between them")?;
        Ok((least, self.expression()?))
    }

    fn assignments(&mut self) -> Parsed<CommandKind> {
        let mut found = Vec::new();
        loop {
            let variable = self.variable()?;
            self.expect("=", "a value is given with `=`")?;
            found.push((variable, self.expression()?));
            if !self.take(",") {
                return Ok(CommandKind::Set(found));
            }
        }
    }

    /// Names of variables, with commas between them.
    pub(super) fn names(&mut self) -> Parsed<Vec<String>> {
        let mut found = vec![self.name()?];
        while self.take(",") {
            found.push(self.name()?);
        }
        Ok(found)
    }

    /// The name of a variable.
    pub(super) fn name(&mut self) -> Parsed<String> {
        match self.next() {
            Some(Token { kind: Kind::Name(name), .. }) => Ok(name.clone()),
            Some(token) => Err(unexpected(token, "expected the name of a variable")),
            None => Err(self.missing("the name of a variable")),
        }
    }

    fn optional_variable(&mut self) -> Parsed<Option<Variable>> {
        if self.take(",") { self.variable().map(Some) } else { Ok(None) }
    }

    /// `x`, `x[i]`, `x[i,j]`
    pub(super) fn variable(&mut self) -> Parsed<Variable> {
        let start = self.peek().map_or(Span::new(self.end, self.end), |t| t.span);
        let name = self.name()?;
        let mut indices = Vec::new();
        if self.take("[") {
            indices.push(self.expression()?);
            while self.take(",") {
                indices.push(self.expression()?);
            }
            self.expect("]", "the indices end with `]`")?;
        }
        Ok(Variable { name, indices, span: self.since(start) })
    }

    fn expression(&mut self) -> Parsed<Expr> {
        match self.node()? {
            Node::Expr(expr) => Ok(expr),
            Node::Test(test) => Err(Diagnostic::error("ctd-kind", test.span, "a test is no value")
                .caret("expected a number, a string or a variable")),
        }
    }

    fn test(&mut self) -> Parsed<Test> {
        match self.node()? {
            Node::Test(test) => Ok(test),
            Node::Expr(expr) => {
                let problem =
                    Diagnostic::error("ctd-kind", expr.span, "a value is no test").caret("expected a comparison");
                Err(match expr.kind {
                    ExprKind::Variable(_) if self.peek().is_some_and(|t| t.is("=")) => {
                        problem.help("two values are compared with `==`")
                    }
                    _ => problem,
                })
            }
        }
    }

    pub(super) fn peek(&self) -> Option<&'t Token> {
        self.tokens.get(self.at)
    }

    pub(super) fn next(&mut self) -> Option<&'t Token> {
        let token = self.peek()?;
        self.at += 1;
        Some(token)
    }

    pub(super) fn take(&mut self, text: &str) -> bool {
        let found = self.peek().is_some_and(|t| t.is(text));
        self.at += usize::from(found);
        found
    }

    pub(super) fn expect(&mut self, mark: &str, why: &str) -> Parsed<()> {
        if self.take(mark) {
            return Ok(());
        }
        match self.peek() {
            Some(token) => Err(unexpected(token, format!("expected `{mark}`, found {}", token.describe())).note(why)),
            None => Err(self.missing(&format!("`{mark}`"))),
        }
    }

    pub(super) fn missing(&self, what: &str) -> Diagnostic {
        let last = self.tokens.last().map_or(self.end, |t| t.span.end);
        Diagnostic::error("ctd-unfinished", Span::new(last, last), "the script ends too early")
            .caret(format!("expected {what}"))
    }

    /// From the start of something to the last token that was read.
    pub(super) fn since(&self, start: Span) -> Span {
        self.at.checked_sub(1).and_then(|i| self.tokens.get(i)).map_or(start, |t| start.to(t.span))
    }

    /// Runs `inside` one level deeper, if there is room for it.
    pub(super) fn deeper<T>(&mut self, inside: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        if self.depth == DEEPEST {
            let span = self.peek().map_or(Span::new(self.end, self.end), |t| t.span);
            return Err(Diagnostic::error("ctd-too-deep", span, "this expression is nested too deeply")
                .caret(format!("at most {DEEPEST} levels")));
        }
        self.depth += 1;
        let found = inside(self);
        self.depth -= 1;
        found
    }
}

fn no_command(token: &Token) -> Diagnostic {
    let problem = Diagnostic::error("ctd-no-command", token.span, format!("{} is no command", token.describe()));
    match token.kind {
        Kind::Word("END") => problem.caret("there is no loop or condition that it could end"),
        Kind::Word("ELSE") => problem.caret("there is no condition that it could belong to"),
        _ => problem.caret("expected `INT`, `SPACE`, `NEWLINE`, `REP` or another command"),
    }
}

/// A token that cannot stand where it does.
pub(super) fn unexpected(token: &Token, caret: impl Into<String>) -> Diagnostic {
    Diagnostic::error("ctd-unexpected", token.span, format!("{} is not expected here", token.describe())).caret(caret)
}
