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
    pub(super) fn space(&mut self) {
        self.text.push(' ');
    }

    pub(super) fn mark(&mut self, mark: &'static str) {
        self.push_token(FormatTokenKind::Symbol(mark), mark);
    }

    /// Adds a name or a keyword.
    pub(super) fn word(&mut self, word: &str) {
        self.push_token(FormatTokenKind::Name(word.to_owned()), word);
    }

    pub(super) fn number(&mut self, number: i128) {
        self.push_token(FormatTokenKind::Number(number), &number.to_string());
    }

    /// Adds a text in quotes, with a backslash before those characters.
    pub(super) fn quoted(&mut self, text: &[u8], escaped: &[u8]) {
        let mut spelling = Vec::from(*b"\"");
        for byte in text {
            spelling.extend(escaped.contains(byte).then_some(b'\\'));
            spelling.push(*byte);
        }
        spelling.push(b'"');
        self.push_token(FormatTokenKind::Text(Default::default()), &String::from_utf8_lossy(&spelling));
    }

    /// Adds a text of which each character stands for itself.
    pub(super) fn text(&mut self, text: &[u8]) {
        self.quoted(text, b"\"\\");
    }

    fn in_parentheses(&mut self, inside: impl FnOnce(&mut Self)) {
        self.mark("(");
        inside(self);
        self.mark(")");
    }

    pub(super) fn list<T>(&mut self, items: &[T], mut item: impl FnMut(&mut Self, &T)) {
        for (i, inner) in items.iter().enumerate() {
            if i > 0 {
                self.mark(",");
            }
            item(self, inner);
        }
    }

    pub(super) fn term(&mut self, term: &SyntaxTerm) {
        self.term_at(term, SUM);
    }

    /// Adds an expression, in parentheses if it binds weaker than `place`.
    fn term_at(&mut self, term: &SyntaxTerm, place: u8) {
        if precedence(&term.kind) < place {
            return self.in_parentheses(|line| line.term_at(term, SUM));
        }
        match &term.kind {
            SyntaxTermKind::Number(number) => self.number(*number),
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
            SyntaxTermKind::Text(text) => self.text(text),
            SyntaxTermKind::Name(name) => self.word(name),
            SyntaxTermKind::Element(name, indices) => {
                self.word(name);
                for index in indices {
                    self.mark("[");
                    self.term(index);
                    self.mark("]");
                }
            }
            SyntaxTermKind::Negate(inner) => {
                self.mark("-");
                self.term_at(inner, POWER);
            }
            SyntaxTermKind::Binary(sign, left, right) => self.binary(sign, left, right),
            SyntaxTermKind::Call(name, arguments) => {
                self.word(name);
                self.in_parentheses(|line| line.list(arguments, Self::term));
            }
            SyntaxTermKind::Tuple(parts) => self.in_parentheses(|line| line.list(parts, Self::term)),
        }
    }

    /// Adds an operation. A negation on its right side is in parentheses: `a - (-b)`.
    fn binary(&mut self, sign: &'static str, left: &SyntaxTerm, right: &SyntaxTerm) {
        let is_negation = precedence(&right.kind) == NEGATION;
        let (left_place, right_place) = match sign {
            "+" | "-" => (SUM, PRODUCT),
            "^" => (ATOM, POWER),
            _ => (PRODUCT, NEGATION),
        };
        self.term_at(left, left_place);
        self.mark(sign);
        self.term_at(right, if is_negation { ATOM } else { right_place });
    }

    pub(super) fn range(&mut self, range: &SyntaxRange) {
        self.term(&range.0);
        self.mark("..");
        self.term(&range.1);
    }

    pub(super) fn chain(&mut self, chain: &ComparisonChain) {
        for (i, terms) in chain.lists.iter().enumerate() {
            if let Some((sign, _)) = i.checked_sub(1).and_then(|i| chain.signs.get(i)) {
                self.mark(sign);
            }
            self.list(terms, Self::term);
        }
    }

    pub(super) fn formula(&mut self, formula: &SyntaxFormula) {
        self.formula_at(formula, IMPLICATION);
    }

    /// Adds a formula, in parentheses if it binds weaker than `place`.
    fn formula_at(&mut self, formula: &SyntaxFormula, place: u8) {
        let own = match formula {
            SyntaxFormula::Implies(_) | SyntaxFormula::Quantified { .. } => IMPLICATION,
            SyntaxFormula::Any(_) => ANY,
            SyntaxFormula::All(_) => ALL,
            SyntaxFormula::Not(_) | SyntaxFormula::Chain(_) => SIMPLE,
        };
        if own < place {
            return self.in_parentheses(|line| line.formula(formula));
        }
        match formula {
            SyntaxFormula::Chain(chain) => self.chain(chain),
            SyntaxFormula::All(parts) => self.joined(parts, "and", SIMPLE),
            SyntaxFormula::Any(parts) => self.joined(parts, "or", ALL),
            SyntaxFormula::Not(inner) => {
                self.word("not");
                match &**inner {
                    SyntaxFormula::Chain(chain) if chain.signs.is_empty() => self.chain(chain),
                    inner => self.in_parentheses(|line| line.formula(inner)),
                }
            }
            SyntaxFormula::Implies(sides) => {
                self.formula_at(&sides.0, ANY);
                self.mark("=>");
                self.formula(&sides.1);
            }
            SyntaxFormula::Quantified { every, name, range, body, .. } => {
                self.word(if *every { "forall" } else { "exists" });
                self.word(name);
                self.word("in");
                self.range(range);
                self.mark(":");
                self.formula(body);
            }
        }
    }

    fn joined(&mut self, parts: &[SyntaxFormula], word: &str, place: u8) {
        for (i, part) in parts.iter().enumerate() {
            if i > 0 {
                self.word(word);
            }
            self.formula_at(part, place);
        }
    }

    /// Adds the type of a field after its name; `bounds` are part of a real type.
    pub(super) fn field_kind(&mut self, of: &SyntaxFieldKind, bounds: Option<&ComparisonChain>) {
        match of {
            SyntaxFieldKind::Letters(letters, _) => {
                self.word("over");
                self.quoted(letters, b"\"");
            }
            SyntaxFieldKind::Words(words) => {
                self.word("one");
                self.word("of");
                self.list(words, |line, (word, _)| line.text(word));
            }
            SyntaxFieldKind::Pattern(text, _) => {
                self.word("matches");
                self.quoted(text.as_bytes(), b"\"");
            }
            SyntaxFieldKind::Real(decimals) => {
                self.word("real");
                self.mark(",");
                if let Some(bounds) = bounds {
                    self.chain(bounds);
                    self.mark(",");
                }
                if decimals.0.kind == decimals.1.kind {
                    self.term(&decimals.0)
                } else {
                    self.range(decimals)
                }
                self.word("decimals");
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
