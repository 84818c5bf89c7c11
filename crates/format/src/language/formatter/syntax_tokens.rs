//! Converts expressions, formulas and constraints of a syntax tree to tokens, with the parentheses and escapes that they
//! need.

use crate::language::syntax::{
    ComparisonChain, SyntaxFieldKind, SyntaxFormula, SyntaxRange, SyntaxTerm, SyntaxTermKind,
};
use crate::language::tokenizer::{FormatToken, FormatTokenKind};
use rebut_diagnostics::Span;

/// Precedence of expressions: what binds weaker than its place needs parentheses.
const SUM: u8 = 1;
const PRODUCT: u8 = 2;
const NEGATION: u8 = 3;
const POWER: u8 = 4;
const ATOM: u8 = 5;

/// Precedence of formulas.
const IMPLICATION: u8 = 0;
const ANY: u8 = 1;
const ALL: u8 = 2;
const SIMPLE: u8 = 3;

/// The tokens of a line, and the text that their locations refer to.
pub(super) struct TokenWriter<'t> {
    pub(super) text: &'t mut String,
    pub(super) tokens: Vec<FormatToken>,
}

impl<'t> TokenWriter<'t> {
    /// Starts a line, on a new line of the text if `apart`.
    pub(super) fn new(text: &'t mut String, apart: bool) -> Self {
        text.push(if apart { '\n' } else { ' ' });
        TokenWriter { text, tokens: Vec::new() }
    }

    /// Adds a token with its spelling, directly after the one before.
    fn push_token(&mut self, kind: FormatTokenKind, spelling: &str) {
        let start = self.text.len();
        self.text.push_str(spelling);
        self.tokens.push(FormatToken { kind, span: Span::new(start, self.text.len()) });
    }

    /// Separates the next part of the layout from the one before. On other lines, the tokens determine the spaces.
    pub(super) fn push_space(&mut self) {
        self.text.push(' ');
    }

    pub(super) fn push_mark(&mut self, mark: &'static str) {
        self.push_token(FormatTokenKind::Symbol(mark), mark);
    }

    /// Adds a name or a keyword.
    pub(super) fn push_word(&mut self, word: &str) {
        self.push_token(FormatTokenKind::Name(word.to_owned()), word);
    }

    pub(super) fn push_number(&mut self, number: i128) {
        self.push_token(FormatTokenKind::Number(number), &number.to_string());
    }

    /// Adds a text in quotes, with a backslash before those characters.
    pub(super) fn push_quoted(&mut self, text: &[u8], escaped: &[u8]) {
        let mut spelling = Vec::from(*b"\"");
        for byte in text {
            spelling.extend(escaped.contains(byte).then_some(b'\\'));
            spelling.push(*byte);
        }
        spelling.push(b'"');
        self.push_token(FormatTokenKind::Text(Default::default()), &String::from_utf8_lossy(&spelling));
    }

    /// Adds a text of which each character stands for itself.
    pub(super) fn push_text(&mut self, text: &[u8]) {
        self.push_quoted(text, b"\"\\");
    }

    pub(super) fn push_parentheses(&mut self, inside: impl FnOnce(&mut Self)) {
        self.push_mark("(");
        inside(self);
        self.push_mark(")");
    }

    pub(super) fn push_brackets(&mut self, inside: impl FnOnce(&mut Self)) {
        self.push_mark("[");
        inside(self);
        self.push_mark("]");
    }

    pub(super) fn push_list<T>(&mut self, items: &[T], mut item: impl FnMut(&mut Self, &T)) {
        for (i, inner) in items.iter().enumerate() {
            if i > 0 {
                self.push_mark(",");
            }
            item(self, inner);
        }
    }

    pub(super) fn push_term(&mut self, term: &SyntaxTerm) {
        self.push_term_at(term, SUM);
    }

    /// Adds an expression, in parentheses if it binds weaker than `place`.
    fn push_term_at(&mut self, term: &SyntaxTerm, place: u8) {
        if precedence(&term.kind) < place {
            return self.push_parentheses(|line| line.push_term_at(term, SUM));
        }
        match &term.kind {
            SyntaxTermKind::Number(number) => self.push_number(*number),
            SyntaxTermKind::Decimal(digits, places) => {
                let digits = format!("{digits:0width$}", width = *places as usize + 1);
                let (whole, after) = digits.split_at(digits.len() - *places as usize);
                self.push_token(FormatTokenKind::Decimal(0, 0), &format!("{whole}.{after}"));
            }
            SyntaxTermKind::Letter(letter) => {
                let escape = if matches!(letter, b'\'' | b'\\') { "\\" } else { "" };
                let spelling = format!("'{escape}{}'", char::from(*letter));
                self.push_token(FormatTokenKind::Letter(*letter), &spelling);
            }
            SyntaxTermKind::Text(text) => self.push_text(text),
            SyntaxTermKind::Name(name) => self.push_word(name),
            SyntaxTermKind::Element(name, indices) => {
                self.push_word(name);
                indices.iter().for_each(|index| self.push_brackets(|line| line.push_term(index)));
            }
            SyntaxTermKind::Slice(name, before, range, after) => {
                self.push_word(name);
                before.iter().for_each(|index| self.push_brackets(|line| line.push_term(index)));
                self.push_brackets(|line| line.push_range(range));
                after.iter().for_each(|index| self.push_brackets(|line| line.push_term(index)));
            }
            SyntaxTermKind::Negate(inner) => {
                self.push_mark("-");
                self.push_term_at(inner, POWER);
            }
            SyntaxTermKind::Binary(sign, left, right) => self.push_binary(sign, left, right),
            SyntaxTermKind::Call(name, arguments) => {
                self.push_word(name);
                self.push_parentheses(|line| line.push_list(arguments, Self::push_term));
            }
            SyntaxTermKind::Tuple(parts) => self.push_parentheses(|line| line.push_list(parts, Self::push_term)),
        }
    }

    /// Adds an operation. A negation on its right side is in parentheses: `a - (-b)`.
    fn push_binary(&mut self, sign: &'static str, left: &SyntaxTerm, right: &SyntaxTerm) {
        let is_negation = precedence(&right.kind) == NEGATION;
        let (left_place, right_place) = match sign {
            "+" | "-" => (SUM, PRODUCT),
            "^" => (ATOM, POWER),
            _ => (PRODUCT, NEGATION),
        };
        self.push_term_at(left, left_place);
        self.push_mark(sign);
        self.push_term_at(right, if is_negation { ATOM } else { right_place });
    }

    pub(super) fn push_range(&mut self, range: &SyntaxRange) {
        self.push_term(&range.0);
        self.push_mark("..");
        self.push_term(&range.1);
    }

    pub(super) fn push_chain(&mut self, chain: &ComparisonChain) {
        for (i, terms) in chain.lists.iter().enumerate() {
            if let Some((sign, _)) = i.checked_sub(1).and_then(|i| chain.signs.get(i)) {
                self.push_mark(sign);
            }
            self.push_list(terms, Self::push_term);
        }
    }

    pub(super) fn push_formula(&mut self, formula: &SyntaxFormula) {
        self.push_formula_at(formula, IMPLICATION);
    }

    /// Adds a formula, in parentheses if it binds weaker than `place`.
    fn push_formula_at(&mut self, formula: &SyntaxFormula, place: u8) {
        let own = match formula {
            SyntaxFormula::Implies(_) | SyntaxFormula::Quantified { .. } => IMPLICATION,
            SyntaxFormula::Any(_) => ANY,
            SyntaxFormula::All(_) => ALL,
            SyntaxFormula::Not(_) | SyntaxFormula::Chain(_) => SIMPLE,
        };
        if own < place {
            return self.push_parentheses(|line| line.push_formula(formula));
        }
        match formula {
            SyntaxFormula::Chain(chain) => self.push_chain(chain),
            SyntaxFormula::All(parts) => self.push_joined(parts, "and", SIMPLE),
            SyntaxFormula::Any(parts) => self.push_joined(parts, "or", ALL),
            SyntaxFormula::Not(inner) => {
                self.push_word("not");
                match &**inner {
                    SyntaxFormula::Chain(chain) if chain.signs.is_empty() => self.push_chain(chain),
                    inner => self.push_parentheses(|line| line.push_formula(inner)),
                }
            }
            SyntaxFormula::Implies(sides) => {
                // Not needed for `or`, but which of both binds stronger is not obvious.
                self.push_formula_at(&sides.0, ALL);
                self.push_mark("=>");
                self.push_formula(&sides.1);
            }
            SyntaxFormula::Quantified { every, name, range, body, .. } => {
                self.push_word(if *every { "forall" } else { "exists" });
                self.push_word(name);
                self.push_word("in");
                self.push_range(range);
                self.push_mark(":");
                self.push_formula(body);
            }
        }
    }

    fn push_joined(&mut self, parts: &[SyntaxFormula], word: &str, place: u8) {
        for (i, part) in parts.iter().enumerate() {
            if i > 0 {
                self.push_word(word);
            }
            self.push_formula_at(part, place);
        }
    }

    /// Adds the type of a field after its name; `bounds` are part of a real type.
    pub(super) fn push_field_kind(&mut self, of: &SyntaxFieldKind, bounds: Option<&ComparisonChain>) {
        match of {
            SyntaxFieldKind::Letters(letters, _) => {
                self.push_word("over");
                self.push_quoted(letters, b"\"");
            }
            SyntaxFieldKind::Words(words) => {
                self.push_word("one");
                self.push_word("of");
                self.push_list(words, |line, (word, _)| line.push_text(word));
            }
            SyntaxFieldKind::Pattern(text, _) => {
                self.push_word("matches");
                self.push_quoted(text.as_bytes(), b"\"");
            }
            SyntaxFieldKind::Real(decimals) => {
                self.push_word("real");
                self.push_mark(",");
                if let Some(bounds) = bounds {
                    self.push_chain(bounds);
                    self.push_mark(",");
                }
                if decimals.0.kind == decimals.1.kind {
                    self.push_term(&decimals.0)
                } else {
                    self.push_range(decimals)
                }
                self.push_word("decimals");
            }
        }
    }
}

/// Returns how strongly an expression binds.
fn precedence(kind: &SyntaxTermKind) -> u8 {
    match kind {
        SyntaxTermKind::Binary("+" | "-", ..) => SUM,
        SyntaxTermKind::Binary("^", ..) => POWER,
        SyntaxTermKind::Binary(..) => PRODUCT,
        SyntaxTermKind::Negate(_) => NEGATION,
        SyntaxTermKind::Number(number) if *number < 0 => NEGATION,
        _ => ATOM,
    }
}
