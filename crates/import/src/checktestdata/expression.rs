//! Parser of expressions and conditions.
//!
//! Both are parsed by the same precedence climber, because a parenthesis can start either. checktestdata gives `&&`
//! and `||` the same precedence and reads them from left to right, and its `!` extends to the end of the parentheses.
//! Most readers expect `&&` to bind stronger than `||`, and `!` to bind strongest, so there is a warning where that
//! makes a difference.

use super::scanner::{Parsed, ScriptScanner};
use crate::environment::{parse_decimal, parse_integer};
use crate::term::{LocatedTerm, Term, Variable, comparison_operator};
use rebut_diagnostics::{Diagnostic, Span};
use rebut_format::language::ComparisonOperator;

/// Maximum nesting of expressions.
const MAX_EXPRESSION_DEPTH: usize = 64;

/// Maximum number of terms in a chain, each of which nests the tree one level deeper.
const MAX_CHAIN_TERMS: usize = 200;

/// The binary operators by their precedence, the weakest first. All of them are left-associative, even powers.
const OPERATORS: [&[&str]; 5] =
    [&["&&", "||"], &["<=", ">=", "==", "!=", "<", ">"], &["+", "-"], &["*", "/", "%"], &["^"]];

/// Precedence of `^`, which binds stronger than a leading minus: `-2^2` is -4.
const POWER: usize = 4;

impl ScriptScanner<'_> {
    fn parse_any(&mut self) -> Parsed<LocatedTerm> {
        self.parse_logical().map(|(found, _)| found)
    }

    /// Parses conditions joined by `&&` and `||`, and returns the number of these operators.
    fn parse_logical(&mut self) -> Parsed<(LocatedTerm, usize)> {
        let (found, joints) = self.parse_chain(0)?;
        let or = joints.iter().position(|joint| *joint == "||").unwrap_or(joints.len());
        if joints[or..].contains(&"&&") {
            let warning = ambiguity_warning(found.span, "`||` comes before `&&`", "from left to right", "`&&` first");
            self.problems.push(warning);
        }
        Ok((found, joints.len()))
    }

    /// Parses operands joined by operators of a precedence. Returns these operators, too.
    fn parse_chain(&mut self, precedence: usize) -> Parsed<(LocatedTerm, Vec<&'static str>)> {
        let mut found = self.parse_operand(precedence + 1)?;
        let mut signs = Vec::new();
        while let Some(sign) = OPERATORS[precedence].iter().find(|sign| self.accept_symbol(sign)) {
            signs.push(*sign);
            if signs.len() >= MAX_CHAIN_TERMS {
                return Err(Diagnostic::error("ctd-too-deep", found.span, "this expression is too long")
                    .with_caret(format!("at most {MAX_CHAIN_TERMS} terms")));
            }
            found = join_operands(sign, found, self.parse_operand(precedence + 1)?)?;
        }
        Ok((found, signs))
    }

    /// Parses an operand of weaker operators.
    fn parse_operand(&mut self, precedence: usize) -> Parsed<LocatedTerm> {
        if precedence < OPERATORS.len() {
            return self.parse_chain(precedence).map(|(found, _)| found);
        }
        let start = self.position;
        if self.depth == MAX_EXPRESSION_DEPTH {
            let (_, span) = self.next_token();
            return Err(Diagnostic::error("ctd-too-deep", span, "this expression is nested too deeply")
                .with_caret(format!("at most {MAX_EXPRESSION_DEPTH} levels")));
        }
        self.depth += 1;
        let term = self.parse_factor();
        self.depth -= 1;
        Ok(LocatedTerm { term: term?, span: self.span_since(start) })
    }

    fn parse_factor(&mut self) -> Parsed<Term> {
        match self.peek_byte() {
            Some(b'a'..=b'z') => return self.parse_variable().map(Term::Variable),
            Some(b'"') => return self.take_string().map(Term::Text),
            Some(b'0'..=b'9') => {
                let number = self.take_token();
                let is_integer = number.bytes().all(|b| b.is_ascii_digit());
                return Ok(if is_integer { parse_integer(&number) } else { parse_decimal(&number) });
            }
            _ => {}
        }
        match self.peek_symbol() {
            Some("!") => self.parse_negation(),
            Some("-") => {
                self.skip_token();
                Ok(Term::Minus(Box::new(require_value(self.parse_operand(POWER)?)?)))
            }
            Some("(") => self.parse_arguments(|p| Ok(p.parse_any()?.term)),
            Some("ISEOF") => {
                self.skip_token();
                Ok(Term::IsEof)
            }
            Some("STRLEN") => self.parse_function(|p| Ok(Term::TextLength(p.parse_boxed_value()?))),
            Some("MATCH") => self.parse_function(|p| Ok(Term::NextIsOneOf(p.parse_boxed_value()?))),
            Some("UNIQUE") => self.parse_function(|p| p.parse_variable_names().map(Term::Unique)),
            Some("INARRAY") => self.parse_function(|p| {
                let value = p.parse_boxed_value()?;
                p.expect_symbol(",", "the value is followed by the array")?;
                let occurrences = Term::Occurrences(value, p.parse_variable()?.name);
                Ok(Term::new_comparison(occurrences, ComparisonOperator::GreaterEqual, Term::Number(1)))
            }),
            _ => Err(self.unexpected_token("a number, a string, a variable or a condition")),
        }
    }

    fn parse_negation(&mut self) -> Parsed<Term> {
        let start = self.position;
        self.skip_token();
        let (inner, joints) = self.parse_logical()?;
        if joints > 0 {
            let (taken, usual) =
                ("as the negation of everything that follows", "as the negation of the first condition only");
            let span = self.span_since(start);
            self.problems.push(ambiguity_warning(span, "`!` comes before `&&` or `||`", taken, usual));
        }
        Ok(Term::Not(Box::new(require_condition(inner)?)))
    }

    fn parse_function(&mut self, inside: impl FnOnce(&mut Self) -> Parsed<Term>) -> Parsed<Term> {
        self.skip_token();
        self.parse_arguments(inside)
    }

    /// Parses `(`, the arguments by `inside`, and `)`.
    pub(super) fn parse_arguments<T>(&mut self, inside: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        self.expect_symbol("(", "this has arguments")?;
        let found = inside(self)?;
        self.expect_symbol(")", "the parenthesis is closed")?;
        Ok(found)
    }

    /// Parses items separated by commas.
    pub(super) fn parse_list<T>(&mut self, item: impl Fn(&mut Self) -> Parsed<T>) -> Parsed<Vec<T>> {
        let mut found = vec![item(self)?];
        while self.accept_symbol(",") {
            found.push(item(self)?);
        }
        Ok(found)
    }

    pub(super) fn parse_variable_names(&mut self) -> Parsed<Vec<String>> {
        self.parse_list(Self::parse_variable_name)
    }

    fn parse_variable_name(&mut self) -> Parsed<String> {
        match self.peek_byte() {
            Some(b'a'..=b'z') => Ok(self.take_token()),
            _ => Err(self.unexpected_token("the name of a variable")),
        }
    }

    /// Parses `x`, `x[i]` or `x[i,j]`.
    pub(super) fn parse_variable(&mut self) -> Parsed<Variable> {
        let name = self.parse_variable_name()?;
        let mut indices = Vec::new();
        if self.accept_symbol("[") {
            indices = self.parse_list(Self::parse_value)?;
            self.expect_symbol("]", "the indices end with `]`")?;
        }
        Ok(Variable { name, indices })
    }

    pub(super) fn parse_value(&mut self) -> Parsed<Term> {
        require_value(self.parse_any()?)
    }

    fn parse_boxed_value(&mut self) -> Parsed<Box<Term>> {
        self.parse_value().map(Box::new)
    }

    pub(super) fn parse_condition(&mut self) -> Parsed<LocatedTerm> {
        let found = self.parse_any()?;
        let (span, is_variable) = (found.span, matches!(found.term, Term::Variable(_)));
        let term = require_condition(found).map_err(|problem| match self.peek_symbol() {
            Some("=") if is_variable => problem.with_help("use `==` to compare two values"),
            _ => problem,
        })?;
        Ok(LocatedTerm { term, span })
    }
}

fn join_operands(sign: &'static str, left: LocatedTerm, right: LocatedTerm) -> Parsed<LocatedTerm> {
    let span = left.span.to(right.span);
    let term = match sign {
        "&&" => Term::All(vec![require_condition(left)?, require_condition(right)?]),
        "||" => Term::Any(vec![require_condition(left)?, require_condition(right)?]),
        _ => {
            let (left, right) = (Box::new(require_value(left)?), Box::new(require_value(right)?));
            match comparison_operator(sign) {
                Some(comparison) => Term::Compare(comparison, left, right),
                None => Term::Binary(sign, left, right),
            }
        }
    };
    Ok(LocatedTerm { term, span })
}

fn require_value(found: LocatedTerm) -> Parsed<Term> {
    let problem = Diagnostic::error("ctd-kind", found.span, "a condition is not a value");
    let problem = problem.with_caret("expected a number, a string or a variable");
    if found.term.is_condition() { Err(problem) } else { Ok(found.term) }
}

fn require_condition(found: LocatedTerm) -> Parsed<Term> {
    let problem = Diagnostic::error("ctd-kind", found.span, "a value is not a condition");
    if found.term.is_condition() { Ok(found.term) } else { Err(problem.with_caret("expected a comparison")) }
}

/// Warns that readers may expect another precedence than that of checktestdata.
fn ambiguity_warning(span: Span, subject: &str, taken: &str, usual: &str) -> Diagnostic {
    Diagnostic::warning("ctd-precedence", span, format!("{subject}: this can be read in two ways"))
        .with_caret(format!("read {taken}"))
        .with_note(format!("checktestdata reads it {taken}, but most people read it {usual}"))
        .with_help("add parentheses to make it unambiguous")
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::panic, reason = "tests")]
    use crate::checktestdata::parse_script;
    use crate::steps::StepKind;
    use crate::term::Term;

    /// Parses the condition of an `ASSERT`. Returns it with all parentheses, and the number of warnings.
    fn parse_assert(test: &str) -> (String, usize) {
        let (commands, warnings) = parse_script(format!("ASSERT({test})").as_bytes()).unwrap();
        match &commands[0].kind {
            StepKind::Assert(test) => (show_condition(test), warnings.len()),
            other => panic!("{other:?}"),
        }
    }

    fn show_condition(test: &Term) -> String {
        let joined = |parts: &[Term], sign: &str| parts.iter().map(show_condition).collect::<Vec<_>>().join(sign);
        match test {
            Term::Not(a) => format!("!{}", show_condition(a)),
            Term::All(parts) => format!("({})", joined(parts, " && ")),
            Term::Any(parts) => format!("({})", joined(parts, " || ")),
            Term::IsEof => "E".to_owned(),
            _ => "c".to_owned(),
        }
    }

    #[test]
    fn and_and_or_are_read_from_the_left() {
        assert_eq!(parse_assert("1==1 && ISEOF || 2<3"), ("((c && E) || c)".to_owned(), 0));
        assert_eq!(parse_assert("1==1 || ISEOF && 2<3"), ("((c || E) && c)".to_owned(), 1));
        assert_eq!(parse_assert("1==1 || (ISEOF && 2<3)"), ("(c || (E && c))".to_owned(), 0));
    }

    #[test]
    fn negation_applies_to_everything_after_it() {
        assert_eq!(parse_assert("!ISEOF && 1==1"), ("!(E && c)".to_owned(), 1));
        assert_eq!(parse_assert("(!ISEOF) && 1==1"), ("(!E && c)".to_owned(), 0));
        assert_eq!(parse_assert("!(ISEOF)"), ("!E".to_owned(), 0));
    }

    #[test]
    fn brackets_contain_values_or_conditions() {
        assert_eq!(parse_assert("((1+2)*3 < ((4))) && (2 < 3)").0, "(c && c)");
        assert!(parse_script(b"ASSERT((1 < 2) + 3 == 4)").is_err());
        assert!(parse_script(b"ASSERT(1)").is_err());
        assert!(parse_script(b"INT(1<2, 3)").is_err());
    }

    #[test]
    fn depth_is_limited() {
        let deep = |n: usize| format!("ASSERT({}1{} == 1)", "(".repeat(n), ")".repeat(n));
        assert!(parse_script(deep(20).as_bytes()).is_ok());
        assert!(parse_script(deep(100_000).as_bytes()).is_err());
        assert!(parse_script("REP(1)".repeat(100_000).as_bytes()).is_err());
        assert!(parse_script(format!("ASSERT(1 == {}1)", "-".repeat(100_000)).as_bytes()).is_err());
        assert!(parse_script(format!("ASSERT({}ISEOF)", "!".repeat(100_000)).as_bytes()).is_err());
        assert!(parse_script(format!("ASSERT(1 {} == 1)", "+ 1".repeat(100_000)).as_bytes()).is_err());
    }
}
