//! Parser of expressions and conditions.
//!
//! Both are parsed by the same precedence climber, because a parenthesis can start either. checktestdata gives `&&`
//! and `||` the same precedence and reads them from left to right, and its `!` extends to the end of the parentheses.
//! Most readers expect `&&` to bind stronger than `||`, and `!` to bind strongest, so there is a warning where that
//! makes a difference.

use super::ast::{ScriptCondition, ScriptConditionKind, ScriptExpr, ScriptExprKind};
use super::parser::{ScriptParseResult, ScriptParser, unexpected_token};
use super::tokenizer::ScriptTokenKind;
use rebut_diagnostics::{Diagnostic, Span};

/// The result of parsing: a value or a condition.
pub(super) enum ValueOrCondition {
    Value(ScriptExpr),
    Condition(ScriptCondition),
}

/// Maximum number of terms in a chain, each of which nests the tree one level deeper.
const MAX_CHAIN_TERMS: usize = 200;

/// Comparison operators.
const COMPARISON_OPERATORS: [&str; 6] = ["<=", ">=", "==", "!=", "<", ">"];

impl ScriptParser<'_> {
    /// Parses a value or a condition.
    pub(super) fn parse_value_or_condition(&mut self) -> ScriptParseResult<ValueOrCondition> {
        self.with_deeper_nesting(Self::parse_logical).map(|(node, _)| node)
    }

    /// Parses conditions joined by `&&` and `||`, and returns the number of these operators.
    fn parse_logical(&mut self) -> ScriptParseResult<(ValueOrCondition, usize)> {
        let start = self.peek_token().map(|t| t.span);
        let mut left = self.parse_comparison()?;
        let mut joints: Vec<&'static str> = Vec::new();
        while let Some(joint) = ["&&", "||"].into_iter().find(|joint| self.accept_token(joint)) {
            joints.push(joint);
            self.check_chain_length(joints.len())?;
            let first = require_condition(left)?;
            let second = require_condition(self.parse_comparison()?)?;
            let span = first.span.to(second.span);
            let (first, second) = (Box::new(first), Box::new(second));
            let kind = if joint == "&&" {
                ScriptConditionKind::And(first, second)
            } else {
                ScriptConditionKind::Or(first, second)
            };
            left = ValueOrCondition::Condition(ScriptCondition { kind, span });
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

    fn parse_comparison(&mut self) -> ScriptParseResult<ValueOrCondition> {
        let left = self.parse_sum()?;
        let Some(sign) = COMPARISON_OPERATORS.into_iter().find(|sign| self.accept_token(sign)) else {
            return Ok(left);
        };
        let left = require_value(left)?;
        let right = require_value(self.parse_sum()?)?;
        let span = left.span.to(right.span);
        Ok(ValueOrCondition::Condition(ScriptCondition { kind: ScriptConditionKind::Compare(sign, left, right), span }))
    }

    fn parse_sum(&mut self) -> ScriptParseResult<ValueOrCondition> {
        self.parse_operator_chain(&["+", "-"], Self::parse_product)
    }

    fn parse_product(&mut self) -> ScriptParseResult<ValueOrCondition> {
        self.parse_operator_chain(&["*", "/", "%"], |p| p.parse_signed())
    }

    /// A leading minus binds weaker than `^`: `-2^2` is -4.
    fn parse_signed(&mut self) -> ScriptParseResult<ValueOrCondition> {
        let Some(start) = self.peek_token().filter(|t| t.has_text("-")).map(|t| t.span) else {
            return self.parse_operator_chain(&["^"], Self::parse_factor);
        };
        self.accept_token("-");
        let inner = require_value(self.with_deeper_nesting(Self::parse_signed)?)?;
        let span = start.to(inner.span);
        Ok(ValueOrCondition::Value(ScriptExpr { kind: ScriptExprKind::Minus(Box::new(inner)), span }))
    }

    /// Parses operands with operators of one precedence, all of them left-associative, even powers.
    fn parse_operator_chain(
        &mut self,
        signs: &[&str],
        operand: impl Fn(&mut Self) -> ScriptParseResult<ValueOrCondition>,
    ) -> ScriptParseResult<ValueOrCondition> {
        let mut left = operand(self)?;
        let mut terms = 1;
        while let Some(sign) = signs.iter().find(|sign| self.accept_token(sign)) {
            terms += 1;
            self.check_chain_length(terms)?;
            let (first, second) = (require_value(left)?, require_value(self.parse_right_operand(sign, &operand)?)?);
            let span = first.span.to(second.span);
            let sign = sign.chars().next().unwrap_or('+');
            left = ValueOrCondition::Value(ScriptExpr {
                kind: ScriptExprKind::Binary(sign, Box::new(first), Box::new(second)),
                span,
            });
        }
        Ok(left)
    }

    /// Parses a right operand, which can be negative after `^`.
    fn parse_right_operand(
        &mut self,
        sign: &str,
        operand: impl Fn(&mut Self) -> ScriptParseResult<ValueOrCondition>,
    ) -> ScriptParseResult<ValueOrCondition> {
        if sign == "^" && self.peek_token().is_some_and(|t| t.has_text("-")) {
            return self.with_deeper_nesting(Self::parse_signed);
        }
        operand(self)
    }

    fn parse_factor(&mut self) -> ScriptParseResult<ValueOrCondition> {
        let Some(token) = self.peek_token() else {
            return Err(self.unexpected_end("a value"));
        };
        let span = token.span;
        let value = |kind| Ok(ValueOrCondition::Value(ScriptExpr { kind, span }));
        match &token.kind {
            ScriptTokenKind::Identifier(_) => {
                let variable = self.with_deeper_nesting(Self::parse_variable)?;
                let span = variable.span;
                return Ok(ValueOrCondition::Value(ScriptExpr { kind: ScriptExprKind::Variable(variable), span }));
            }
            ScriptTokenKind::Symbol("!") => return self.parse_negation(span),
            ScriptTokenKind::Symbol("(") => {
                self.next_token();
                let inside = self.parse_value_or_condition()?;
                self.expect_token(")", "the parenthesis is closed")?;
                return Ok(with_outer_span(inside, self.span_since(span)));
            }
            ScriptTokenKind::Keyword(word) => {
                self.next_token();
                return self.parse_function_call(word, span);
            }
            _ => {}
        }
        self.next_token();
        match &token.kind {
            ScriptTokenKind::Integer(number) => value(ScriptExprKind::Integer(number.clone())),
            ScriptTokenKind::Float(number) => value(ScriptExprKind::Float(number.clone())),
            ScriptTokenKind::StringLiteral(text) => value(ScriptExprKind::Text(text.clone())),
            _ => Err(unexpected_token(token, "expected a number, a string, a variable or a condition")),
        }
    }

    /// Parses `!` and its operand.
    fn parse_negation(&mut self, start: Span) -> ScriptParseResult<ValueOrCondition> {
        self.next_token();
        let (inner, joints) = self.with_deeper_nesting(Self::parse_logical)?;
        let span = self.span_since(start);
        if joints > 0 {
            let taken = "as the negation of everything that follows";
            self.problems.push(ambiguity_warning(
                span,
                "`!` comes before `&&` or `||`",
                taken,
                "as the negation of the first condition only",
            ));
        }
        Ok(ValueOrCondition::Condition(ScriptCondition {
            kind: ScriptConditionKind::Not(Box::new(require_condition(inner)?)),
            span,
        }))
    }

    fn parse_function_call(&mut self, word: &str, start: Span) -> ScriptParseResult<ValueOrCondition> {
        if word == "ISEOF" {
            return Ok(ValueOrCondition::Condition(ScriptCondition { kind: ScriptConditionKind::IsEof, span: start }));
        }
        if !["STRLEN", "MATCH", "UNIQUE", "INARRAY"].contains(&word) {
            let found = Diagnostic::error("ctd-unexpected", start, format!("`{word}` is not expected here"));
            return Err(found.with_caret("expected a value or a condition"));
        }
        self.expect_token("(", "it has arguments")?;
        let found = match word {
            "UNIQUE" => ScriptConditionKind::Unique(self.parse_variable_names()?),
            "MATCH" => ScriptConditionKind::NextIsOneOf(require_value(self.parse_value_or_condition()?)?),
            "INARRAY" => {
                let value = require_value(self.parse_value_or_condition()?)?;
                self.expect_token(",", "the value is followed by the array")?;
                ScriptConditionKind::InArray(value, self.parse_variable()?.name)
            }
            _ => {
                let text = Box::new(require_value(self.parse_value_or_condition()?)?);
                self.expect_token(")", "the arguments end with `)`")?;
                return Ok(ValueOrCondition::Value(ScriptExpr {
                    kind: ScriptExprKind::Length(text),
                    span: self.span_since(start),
                }));
            }
        };
        self.expect_token(")", "the arguments end with `)`")?;
        Ok(ValueOrCondition::Condition(ScriptCondition { kind: found, span: self.span_since(start) }))
    }

    fn check_chain_length(&self, terms: usize) -> ScriptParseResult<()> {
        if terms <= MAX_CHAIN_TERMS {
            return Ok(());
        }
        let span = self.peek_token().map_or(Span::default(), |t| t.span);
        Err(Diagnostic::error("ctd-too-deep", span, "this expression is too long")
            .with_caret(format!("at most {MAX_CHAIN_TERMS} terms")))
    }
}

fn require_value(node: ValueOrCondition) -> ScriptParseResult<ScriptExpr> {
    match node {
        ValueOrCondition::Value(expr) => Ok(expr),
        ValueOrCondition::Condition(condition) => {
            Err(Diagnostic::error("ctd-kind", condition.span, "a condition is not a value")
                .with_caret("expected a number or a string"))
        }
    }
}

fn require_condition(node: ValueOrCondition) -> ScriptParseResult<ScriptCondition> {
    match node {
        ValueOrCondition::Condition(condition) => Ok(condition),
        ValueOrCondition::Value(expr) => {
            Err(Diagnostic::error("ctd-kind", expr.span, "a value is not a condition")
                .with_caret("expected a comparison"))
        }
    }
}

/// Extends the span to the parentheses.
fn with_outer_span(node: ValueOrCondition, span: Span) -> ValueOrCondition {
    match node {
        ValueOrCondition::Value(expr) => ValueOrCondition::Value(ScriptExpr { span, ..expr }),
        ValueOrCondition::Condition(condition) => ValueOrCondition::Condition(ScriptCondition { span, ..condition }),
    }
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
    use crate::checktestdata::ast::{ScriptCommandKind, ScriptCondition, ScriptConditionKind};
    use crate::checktestdata::parser::parse_script;

    /// Parses the condition of an `ASSERT`. Returns it with all parentheses, and the number of warnings.
    fn parse_assert(test: &str) -> (String, usize) {
        let (commands, warnings) = parse_script(format!("ASSERT({test})").as_bytes()).unwrap();
        match &commands[0].kind {
            ScriptCommandKind::Assert(test) => (show_condition(test), warnings.len()),
            other => panic!("{other:?}"),
        }
    }

    fn show_condition(test: &ScriptCondition) -> String {
        match &test.kind {
            ScriptConditionKind::Not(a) => format!("!{}", show_condition(a)),
            ScriptConditionKind::And(a, b) => format!("({} && {})", show_condition(a), show_condition(b)),
            ScriptConditionKind::Or(a, b) => format!("({} || {})", show_condition(a), show_condition(b)),
            ScriptConditionKind::IsEof => "E".to_owned(),
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
