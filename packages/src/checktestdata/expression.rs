//! Parser of expressions and conditions.
//!
//! Both are parsed by the same precedence climber, because a parenthesis can start either. checktestdata gives `&&`
//! and `||` the same precedence and reads them from left to right, and its `!` extends to the end of the parentheses.
//! Most readers expect `&&` to bind stronger than `||`, and `!` to bind strongest, so there is a warning where that
//! makes a difference.

use super::evaluate::{parse_decimal, parse_integer};
use super::term::{LocatedTerm, Term, Variable};
use super::token_cursor::{Parsed, ScriptCursor, unexpected_token};
use super::tokenizer::{Token, TokenKind};
use rebut_diagnostics::{Diagnostic, Span};
use rebut_format::language::ComparisonOperator;

/// Maximum number of terms in a chain, each of which nests the tree one level deeper.
const MAX_CHAIN_TERMS: usize = 200;

/// Comparison operators.
const COMPARISON_OPERATORS: [(&str, ComparisonOperator); 6] = [
    ("<=", ComparisonOperator::LessEqual),
    (">=", ComparisonOperator::GreaterEqual),
    ("==", ComparisonOperator::Equal),
    ("!=", ComparisonOperator::NotEqual),
    ("<", ComparisonOperator::Less),
    (">", ComparisonOperator::Greater),
];

impl ScriptCursor<'_> {
    /// Parses a value or a condition.
    pub(super) fn parse_any(&mut self) -> Parsed<LocatedTerm> {
        self.with_deeper_nesting(Self::parse_logical).map(|(node, _)| node)
    }

    /// Parses conditions joined by `&&` and `||`, and returns the number of these operators.
    fn parse_logical(&mut self) -> Parsed<(LocatedTerm, usize)> {
        let start = self.peek_token().map(|t| t.span);
        let mut left = self.parse_comparison()?;
        let mut joints: Vec<&'static str> = Vec::new();
        while let Some(joint) = ["&&", "||"].into_iter().find(|joint| self.accept_token(joint)) {
            joints.push(joint);
            self.check_chain_length(joints.len())?;
            let first = require_condition(left)?;
            let second = require_condition(self.parse_comparison()?)?;
            let kind = if joint == "&&" { Term::All } else { Term::Any };
            left = join(|left, right| kind(vec![*left, *right]), first, second);
        }
        let or = joints.iter().position(|j| *j == "||");
        if let (Some(start), Some(or)) = (start, or)
            && joints[or..].contains(&"&&")
        {
            let span = self.span_since(start);
            self.problems.push(ambiguity_warning(span, "`||` comes before `&&`", "from left to right", "`&&` first"));
        }
        Ok((left, joints.len()))
    }

    fn parse_comparison(&mut self) -> Parsed<LocatedTerm> {
        let left = self.parse_sum()?;
        let Some((_, sign)) = COMPARISON_OPERATORS.into_iter().find(|(text, _)| self.accept_token(text)) else {
            return Ok(left);
        };
        let left = require_value(left, OPERAND)?;
        let right = require_value(self.parse_sum()?, OPERAND)?;
        Ok(join(|left, right| Term::Compare(sign, left, right), left, right))
    }

    fn parse_sum(&mut self) -> Parsed<LocatedTerm> {
        self.parse_operator_chain(&["+", "-"], Self::parse_product)
    }

    fn parse_product(&mut self) -> Parsed<LocatedTerm> {
        self.parse_operator_chain(&["*", "/", "%"], |p| p.parse_signed())
    }

    /// A leading minus binds weaker than `^`: `-2^2` is -4.
    fn parse_signed(&mut self) -> Parsed<LocatedTerm> {
        let Some(start) = self.peek_token().filter(|t| t.has_text("-")).map(|t| t.span) else {
            return self.parse_operator_chain(&["^"], Self::parse_factor);
        };
        self.accept_token("-");
        let inner = require_value(self.with_deeper_nesting(Self::parse_signed)?, OPERAND)?;
        let span = start.to(inner.span);
        Ok(LocatedTerm { term: Term::Minus(Box::new(inner.term)), span })
    }

    /// Parses operands with operators of one precedence, all of them left-associative, even powers.
    fn parse_operator_chain(
        &mut self,
        signs: &[&'static str],
        operand: impl Fn(&mut Self) -> Parsed<LocatedTerm>,
    ) -> Parsed<LocatedTerm> {
        let mut left = operand(self)?;
        let mut terms = 1;
        while let Some(sign) = signs.iter().copied().find(|sign| self.accept_token(sign)) {
            terms += 1;
            self.check_chain_length(terms)?;
            let first = require_value(left, OPERAND)?;
            let second = require_value(self.parse_right_operand(sign, &operand)?, OPERAND)?;
            left = join(|left, right| Term::Binary(sign, left, right), first, second);
        }
        Ok(left)
    }

    /// Parses a right operand, which can be negative after `^`.
    fn parse_right_operand(
        &mut self,
        sign: &str,
        operand: impl Fn(&mut Self) -> Parsed<LocatedTerm>,
    ) -> Parsed<LocatedTerm> {
        if sign == "^" && self.peek_token().is_some_and(|t| t.has_text("-")) {
            return self.with_deeper_nesting(Self::parse_signed);
        }
        operand(self)
    }

    fn parse_factor(&mut self) -> Parsed<LocatedTerm> {
        let Some(token) = self.peek_token() else {
            return Err(self.unexpected_end("a value"));
        };
        let span = token.span;
        match &token.kind {
            TokenKind::Identifier(_) => {
                let term = Term::Variable(self.with_deeper_nesting(Self::parse_variable)?);
                return Ok(LocatedTerm { term, span: self.span_since(span) });
            }
            TokenKind::Symbol("!") => return self.parse_negation(span),
            TokenKind::Symbol("(") => {
                self.next_token();
                let inside = self.parse_any()?;
                self.expect_token(")", "the parenthesis is closed")?;
                return Ok(LocatedTerm { span: self.span_since(span), ..inside });
            }
            TokenKind::Keyword(word) => {
                self.next_token();
                let term = self.parse_function_call(word, span)?;
                return Ok(LocatedTerm { term, span: self.span_since(span) });
            }
            _ => {}
        }
        self.next_token();
        let term = match &token.kind {
            TokenKind::Integer(number) => parse_integer(number),
            TokenKind::Float(number) => parse_decimal(number),
            TokenKind::StringLiteral(text) => Term::Text(text.clone()),
            _ => return Err(unexpected_token(token, "expected a number, a string, a variable or a condition")),
        };
        Ok(LocatedTerm { term, span })
    }

    /// Parses `!` and its operand.
    fn parse_negation(&mut self, start: Span) -> Parsed<LocatedTerm> {
        self.next_token();
        let (inner, joints) = self.with_deeper_nesting(Self::parse_logical)?;
        let span = self.span_since(start);
        if joints > 0 {
            let (taken, usual) =
                ("as the negation of everything that follows", "as the negation of the first condition only");
            self.problems.push(ambiguity_warning(span, "`!` comes before `&&` or `||`", taken, usual));
        }
        Ok(LocatedTerm { term: Term::Not(Box::new(require_condition(inner)?.term)), span })
    }

    fn parse_function_call(&mut self, word: &str, start: Span) -> Parsed<Term> {
        if word == "ISEOF" {
            return Ok(Term::IsEof);
        }
        if !["STRLEN", "MATCH", "UNIQUE", "INARRAY"].contains(&word) {
            let found = Diagnostic::error("ctd-unexpected", start, format!("`{word}` is not expected here"));
            return Err(found.with_caret("expected a value or a condition"));
        }
        self.expect_token("(", "it has arguments")?;
        let found = if word == "UNIQUE" {
            Term::Unique(self.parse_variable_names()?)
        } else {
            let value = Box::new(require_value(self.parse_any()?, OPERAND)?.term);
            match word {
                "MATCH" => Term::NextIsOneOf(value),
                "STRLEN" => Term::TextLength(value),
                _ => {
                    self.expect_token(",", "the value is followed by the array")?;
                    Term::InArray(value, self.parse_variable()?.name)
                }
            }
        };
        self.expect_token(")", "the arguments end with `)`")?;
        Ok(found)
    }

    /// Parses names of variables, separated by commas.
    pub(super) fn parse_variable_names(&mut self) -> Parsed<Vec<String>> {
        self.parse_list(Self::parse_variable_name)
    }

    /// Parses the name of a variable.
    fn parse_variable_name(&mut self) -> Parsed<String> {
        match self.next_token() {
            Some(Token { kind: TokenKind::Identifier(name), .. }) => Ok(name.clone()),
            Some(token) => Err(unexpected_token(token, "expected the name of a variable")),
            None => Err(self.unexpected_end("the name of a variable")),
        }
    }

    /// Parses `x`, `x[i]` or `x[i,j]`.
    pub(super) fn parse_variable(&mut self) -> Parsed<Variable> {
        let name = self.parse_variable_name()?;
        let mut indices = Vec::new();
        if self.accept_token("[") {
            indices = self.parse_list(Self::parse_expression)?;
            self.expect_token("]", "the indices end with `]`")?;
        }
        Ok(Variable { name, indices })
    }

    /// Parses a value.
    pub(super) fn parse_expression(&mut self) -> Parsed<Term> {
        let found = self.parse_any()?;
        require_value(found, "expected a number, a string or a variable").map(|found| found.term)
    }

    /// Parses a condition.
    pub(super) fn parse_condition(&mut self) -> Parsed<LocatedTerm> {
        let found = self.parse_any()?;
        let is_assignment = matches!(found.term, Term::Variable(_));
        require_condition(found).map_err(|problem| match self.peek_token() {
            Some(token) if is_assignment && token.has_text("=") => problem.with_help("use `==` to compare two values"),
            _ => problem,
        })
    }

    fn check_chain_length(&self, terms: usize) -> Parsed<()> {
        if terms <= MAX_CHAIN_TERMS {
            return Ok(());
        }
        let span = self.peek_token().map_or(Span::default(), |t| t.span);
        Err(Diagnostic::error("ctd-too-deep", span, "this expression is too long")
            .with_caret(format!("at most {MAX_CHAIN_TERMS} terms")))
    }
}

/// Description of an operand in messages.
const OPERAND: &str = "expected a number or a string";

/// Joins two operands.
fn join(kind: impl FnOnce(Box<Term>, Box<Term>) -> Term, left: LocatedTerm, right: LocatedTerm) -> LocatedTerm {
    LocatedTerm { span: left.span.to(right.span), term: kind(Box::new(left.term), Box::new(right.term)) }
}

/// Returns a term if it is a value.
fn require_value(found: LocatedTerm, expected: &str) -> Parsed<LocatedTerm> {
    if found.term.is_condition() {
        return Err(Diagnostic::error("ctd-kind", found.span, "a condition is not a value").with_caret(expected));
    }
    Ok(found)
}

/// Returns a term if it is a condition.
fn require_condition(found: LocatedTerm) -> Parsed<LocatedTerm> {
    if found.term.is_condition() {
        return Ok(found);
    }
    Err(Diagnostic::error("ctd-kind", found.span, "a value is not a condition").with_caret("expected a comparison"))
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
    use crate::checktestdata::parser::parse_script;
    use crate::checktestdata::script::StepKind;
    use crate::checktestdata::term::Term;

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
