//! Translation of a script's tokens to fields.

use crate::draft::{Amount, DraftField, FieldContent, LoopKind};
use crate::environment::Evaluator as _;
use crate::letters::contains_letter;
use crate::patterns::Pattern;
use crate::steps::{Step, StepKind};
use crate::term::{FieldId, Term, UNKNOWN_BOUND, Variable};
use crate::translate::ScriptTranslator;
use rebut_diagnostics::{Diagnostic, Span};
use rebut_format::language::{ComparisonOperator, Interval, MAX_NUMBER};

/// Maximum number of words that are listed one by one.
const MAX_LISTED_WORDS: usize = 20;

/// Maximum number of letters that are listed as words: conditions of lines can compare these.
const MAX_LETTER_WORDS: usize = 4;

/// Maximum number of decimals of a real number that may have any number of them.
const MAX_DECIMALS: u32 = 12;

impl ScriptTranslator {
    /// Returns the field for a token, and its variable.
    pub(crate) fn field_for_token(&mut self, step: &Step) -> Option<(FieldContent, Option<Variable>)> {
        match &step.kind {
            StepKind::Number { min, max, real, name } => {
                let digits = oversized_digit_count(min).max(oversized_digit_count(max));
                if let Some(digits) = digits.filter(|_| real.is_none()) {
                    return Some((self.big_number_field(digits, min, step.span), name.clone()));
                }
                let (min, max) = (self.evaluate(min), self.evaluate(max));
                let places = |(decimals, is_fixed): &(Option<(Term, Term)>, bool)| {
                    self.decimal_places(decimals.as_ref(), *is_fixed, step.span)
                };
                let decimals = real.as_ref().map(places);
                Some((FieldContent::Number { min, max, decimals }, name.clone()))
            }
            StepKind::Token(pattern, name) => Some((self.text_field(pattern, step.span), name.clone())),
            _ => None,
        }
    }

    /// Returns the field for a number beyond the largest one of a format: a text of digits.
    fn big_number_field(&mut self, digits: u32, min: &Term, span: Span) -> FieldContent {
        self.warn_lossy(span, "numbers are limited to 10^36", "any number with this many digits is accepted");
        let positive = self.evaluate(min).constant_value().is_some_and(|n| n >= 0);
        let sign = if positive { "" } else { "\\-?" };
        FieldContent::Pattern { text: format!("0|{sign}[1-9][0-9]{{0,{digits}}}"), lengths: None }
    }

    fn decimal_places(&mut self, given: Option<&(Term, Term)>, is_fixed: bool, span: Span) -> (u32, u32) {
        let numbers = given.and_then(|(min, max)| {
            let number = |term: Term| term.constant_value().and_then(|n| u32::try_from(n).ok());
            Some((number(self.evaluate(min))?, number(self.evaluate(max))?))
        });
        if !is_fixed {
            let (message, caret) =
                ("this also accepts numbers with an exponent", "the format does not accept exponents");
            self.warn_narrowed_once(span, message, caret, "use `FIXED` as the last argument to exclude them");
        }
        if numbers.is_none_or(|(_, max)| max > MAX_DECIMALS) {
            let caret = format!("the format accepts up to {MAX_DECIMALS} decimals");
            let help = "use `FLOATP` to bound the number of decimals";
            self.warn_narrowed_once(span, "this accepts any number of decimals", &caret, help);
        }
        let (min, max) = numbers.unwrap_or((0, MAX_DECIMALS));
        (min.min(MAX_DECIMALS), max.min(MAX_DECIMALS))
    }

    /// Warns that the format accepts less. Once per script is enough.
    fn warn_narrowed_once(&mut self, span: Span, message: &'static str, caret: &str, help: &str) {
        if self.issued_warnings.insert(message) {
            let problem = Diagnostic::warning("ctd-narrowed", span, message);
            self.warnings.push(problem.with_caret(caret).with_help(help));
        }
    }

    /// Returns the field for a text: a choice of words, a text of certain characters, or a match of an expression.
    fn text_field(&mut self, pattern: &Pattern, span: Span) -> FieldContent {
        if pattern.is_narrowed {
            let problem =
                Diagnostic::warning("ctd-narrowed", span, "this matches characters that formats do not support");
            self.warnings.push(problem.with_caret("the format accepts visible ASCII characters and spaces"));
        }
        let lengths = pattern.length_range();
        let few_letters = pattern.enumerate_words(MAX_LETTER_WORDS).filter(|_| (lengths.lo, lengths.hi) == (1, 1));
        if let Some(letters) = pattern.uniform_letters().filter(|_| few_letters.is_none()) {
            let is_exact = lengths.lo == lengths.hi;
            let size = if is_exact { Amount::Exactly(Term::Number(lengths.lo)) } else { Amount::Between(lengths) };
            return FieldContent::Text { letters, size };
        }
        match pattern.enumerate_words(MAX_LISTED_WORDS) {
            Some(words) if words.iter().all(|w| !w.is_empty() && w.iter().all(u8::is_ascii_graphic)) => {
                FieldContent::Words(words)
            }
            _ => {
                let lengths = (lengths.hi == MAX_NUMBER).then_some(lengths);
                FieldContent::Pattern { text: pattern.to_format_syntax(), lengths }
            }
        }
    }

    /// Declares a new field, and assigns it to the variable.
    pub(crate) fn declare_field(&mut self, kind: FieldContent, name: Option<&Variable>, span: Span) -> FieldId {
        let id = FieldId(self.draft.fields.len());
        let value_range = self.field_value_range(&kind);
        let is_list = self.open_loops.last().is_some_and(|over| self.draft[*over].kind == LoopKind::Inline);
        let prefix = match &kind {
            FieldContent::Text { letters, .. } if contains_letter(letters, b' ') => "line",
            FieldContent::Text { size: Amount::Exactly(Term::Number(0)), .. } => "blank",
            _ if is_list => "a",
            FieldContent::Number { .. } => "x",
            _ => "s",
        };
        let field = DraftField {
            name: self.names.unique_field_name(name.map(|v| v.name.as_str()), prefix),
            value_range,
            loops: self.open_loops.clone(),
            branches: self.open_conditions.iter().map(|(branch, _)| *branch).collect(),
            span,
            dropped: false,
            is_row: false,
            kind,
        };
        self.draft.fields.push(field);
        self.move_complex_bounds(id, span);
        name.into_iter().for_each(|variable| self.assign_variable(variable, &Term::Field(id)));
        id
    }

    /// Moves bounds that are not simple expressions of enclosing fields to rules.
    fn move_complex_bounds(&mut self, id: FieldId, span: Span) {
        let value_range = self.draft[id].value_range;
        let mut moved = Vec::new();
        if let FieldContent::Number { min, max, .. } = &mut self.draft[id].kind {
            for (sign, bound, limit) in [
                (ComparisonOperator::GreaterEqual, min, known_bounds(value_range).lo),
                (ComparisonOperator::LessEqual, max, known_bounds(value_range).hi),
            ] {
                // One that only uses enclosing fields can be part of a chain of comparisons.
                if !bound.is_plain(|part| matches!(part, Term::Decimal(_))) {
                    let complex_bound = std::mem::replace(bound, Term::Number(limit));
                    moved.push(Term::new_comparison(Term::Field(id), sign, complex_bound));
                }
            }
        }
        for claim in moved {
            self.add_rule(claim, span);
        }
    }

    /// Returns the range of a field by its bounds. The range of a loop-carried value is that of its initial value.
    fn field_value_range(&self, kind: &FieldContent) -> Interval {
        let FieldContent::Number { min, max, .. } = kind else { return Interval::ALL };
        let initial = |part: &Term| match part {
            Term::LoopCarried(over, name) => self.initial_values.get(&(*over, name.clone())).cloned(),
            _ => None,
        };
        let [min, max] = [min, max].map(|bound| self.draft.value_range(&bound.replace_subterms(&initial)));
        Interval::new(min.lo, max.hi)
    }
}

/// Returns a range with bounds: those that are not known are replaced.
pub(crate) fn known_bounds(range: Interval) -> Interval {
    let bound = |bound: i128| if bound.abs() < MAX_NUMBER { bound } else { bound.signum() * UNKNOWN_BOUND };
    Interval::new(bound(range.lo), bound(range.hi))
}

/// Returns the number of digits of a bound beyond the largest number of a format: `10^100`, or literal digits.
fn oversized_digit_count(term: &Term) -> Option<u32> {
    let digits = match term {
        Term::Minus(inner) => return oversized_digit_count(inner),
        Term::Number(number) => number.checked_ilog10()? + 1,
        Term::HugeNumber(digits) => *digits,
        Term::Binary("^", base, exponent) if **base == Term::Number(10) => {
            u32::try_from(exponent.constant_value()?).ok()?
        }
        _ => return None,
    };
    (digits > 36).then_some(digits.min(10_000))
}
