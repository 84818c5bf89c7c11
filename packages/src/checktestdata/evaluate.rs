//! Translation of a script's expressions and conditions to symbolic terms, and of its tokens to fields.

use super::draft::{DraftField, DraftValueRange, FieldContent, TextSize};
use super::letters::contains_letter;
use super::patterns::Pattern;
use super::script::{Expr, ExprKind, Step, StepKind, Variable};
use super::symbolic::{Claim, FieldId, Term};
use super::translate::{MAX_DEFAULT_REPETITIONS, ScriptTranslator};
use rebut_diagnostics::{Diagnostic, Span};

/// Largest number in a format.
const MAX_NUMBER: i128 = 10_i128.pow(36);

/// Bound of numbers without known bounds.
pub(super) const UNKNOWN_BOUND: i128 = 10_i128.pow(18);

/// Maximum number of words that are listed one by one.
const MAX_LISTED_WORDS: usize = 20;

/// Maximum number of decimals of a real number that may have any number of them.
const MAX_DECIMALS: u32 = 12;

impl ScriptTranslator<'_> {
    /// Evaluates an expression.
    pub(super) fn evaluate_expression(&mut self, expr: &Expr) -> Term {
        match &expr.kind {
            ExprKind::Integer(text) => super::constants::parse_integer(text)
                .filter(|n| *n <= MAX_NUMBER)
                .map_or(Term::Unknown("numbers are limited to 10^36"), Term::Number),
            ExprKind::Float(text) => parse_decimal(text),
            ExprKind::Text(text) => Term::Text(text.clone()),
            ExprKind::Variable(variable) => self.evaluate_variable(variable),
            ExprKind::Length(inner) => match self.evaluate_expression(inner) {
                Term::Field(field) => Term::Length(field),
                Term::Text(text) => Term::Number(text.len() as i128),
                Term::Unknown(reason) => Term::Unknown(reason),
                _ => Term::Unknown("it refers to the length of one of several texts"),
            },
            ExprKind::Minus(inner) => match self.evaluate_expression(inner) {
                Term::Number(number) => Term::Number(-number),
                Term::Decimal(text) => Term::Decimal(format!("-{text}")),
                inner => Term::Minus(Box::new(inner)),
            },
            ExprKind::Binary(sign, left, right) => {
                let (left, right) = (self.evaluate_expression(left), self.evaluate_expression(right));
                if let Some(reason) = left.unknown_reason().or_else(|| right.unknown_reason()) {
                    return Term::Unknown(reason);
                }
                let term = Term::new_binary(*sign, left, right);
                if is_too_large(&term) { Term::Unknown("numbers are limited to 10^36") } else { term }
            }
            _ => Term::Unknown("a condition is not a value"),
        }
    }

    fn evaluate_variable(&mut self, variable: &Variable) -> Term {
        if variable.indices.is_empty()
            && let Some((name, value)) =
                self.draft.constants.iter().find(|(name, _)| *name == self.names.constant_name(&variable.name))
            && let Some(number) = value.constant_value()
        {
            return Term::Constant(name.clone(), number);
        }
        let indices: Vec<Term> = variable.indices.iter().map(|i| self.evaluate_expression(i)).collect();
        if let Some(reason) = indices.iter().find_map(Term::unknown_reason) {
            return Term::Unknown(reason);
        }
        self.environment.value_at(&variable.name, &indices, &self.open_loops, &self.draft)
    }

    /// Translates a condition.
    pub(super) fn evaluate_condition(&mut self, condition: &Expr) -> Claim {
        match &condition.kind {
            ExprKind::Not(inner) => match (&inner.kind, self.evaluate_condition(inner)) {
                (ExprKind::InArray(value, array), Claim::Unknown(_))
                    if self.environment.array_source(array).is_none() =>
                {
                    Claim::NewToArray(self.evaluate_expression(value), array.clone())
                }
                (_, claim) => claim.into_negated(),
            },
            ExprKind::And(left, right) => {
                Claim::All(vec![self.evaluate_condition(left), self.evaluate_condition(right)])
            }
            ExprKind::Or(left, right) => {
                Claim::Any(vec![self.evaluate_condition(left), self.evaluate_condition(right)])
            }
            ExprKind::Compare(sign, left, right) => {
                let sign = if *sign == "==" { "=" } else { *sign };
                Claim::Compare(sign, self.evaluate_expression(left), self.evaluate_expression(right))
            }
            ExprKind::IsEof => Claim::Unknown("it depends on whether the input ends here"),
            ExprKind::NextIsOneOf(_) => Claim::Unknown("it depends on the next character"),
            ExprKind::Unique(names) => self.evaluate_unique(names),
            ExprKind::InArray(value, array) => {
                let value = self.evaluate_expression(value);
                match self.environment.array_source(array) {
                    Some((field, over, _)) if !self.open_loops.contains(&over) => Claim::Contains(field, value),
                    _ => Claim::Unknown("it refers to an array that is filled during the loop"),
                }
            }
            _ => Claim::Unknown("a value is not a condition"),
        }
    }

    /// Translates `UNIQUE` of arrays that were filled by one loop.
    fn evaluate_unique(&mut self, names: &[String]) -> Claim {
        const NOT_COMPARABLE: &str = "only arrays filled by the same loop can be compared";
        if let [first, second] = names
            && let Some((over, from, to)) = self.environment.unordered_pair(first, second)
            && !self.open_loops.contains(&over)
        {
            return Claim::SimpleGraph(over, from, to);
        }
        let mut over = None;
        let mut terms = Vec::new();
        for name in names {
            match self.environment.array_source(name) {
                // Asserted in each repetition, it is equivalent to the assertion after the last one.
                Some((field, first, _))
                    if over.is_none_or(|o| o == first)
                        && (!self.open_loops.contains(&first) || self.open_loops.last() == Some(&first)) =>
                {
                    over = Some(first);
                    terms.push(Term::Field(field));
                }
                _ => return Claim::Unknown(NOT_COMPARABLE),
            }
        }
        let Some(over) = over else { return Claim::Unknown(NOT_COMPARABLE) };
        let outer = !self.draft.loop_by_id(over).outer_loops.is_empty();
        let varies = self.draft.loop_count(over).is_none_or(|count| count.constant_value().is_none());
        if outer && varies && !names.iter().any(|name| self.unset_arrays.contains(name)) {
            return Claim::Unknown("without `UNSET`, the array still has values of the previous repetition");
        }
        Claim::Distinct(over, terms)
    }

    /// Returns the field for a token, its variable, and the name prefix if it has no variable.
    pub(super) fn field_for_token(&mut self, step: &Step) -> Option<(FieldContent, Option<Variable>, &'static str)> {
        match &step.kind {
            StepKind::Integer { min, max, name } => {
                if let Some(digits) = oversized_digit_count(min).max(oversized_digit_count(max)) {
                    return Some((self.big_number_field(digits, min, step.span), name.clone(), "x"));
                }
                let (min, max) = (self.evaluate_expression(min), self.evaluate_expression(max));
                Some((FieldContent::Number { min, max }, name.clone(), "x"))
            }
            StepKind::Float { min, max, decimals, name, is_fixed } => {
                let (min, max) = (self.evaluate_expression(min), self.evaluate_expression(max));
                let decimals = self.decimal_places(decimals.as_ref(), *is_fixed, step.span);
                Some((FieldContent::Real { min, max, decimals }, name.clone(), "x"))
            }
            StepKind::Token(pattern, name) => Some((self.text_field(pattern, step.span), name.clone(), "s")),
            _ => None,
        }
    }

    /// Returns the field for a number beyond the largest one of a format: a text of digits.
    fn big_number_field(&mut self, digits: u32, min: &Expr, span: Span) -> FieldContent {
        self.warn_lossy(span, "numbers are limited to 10^36", "any number with this many digits is accepted");
        let positive = self.evaluate_expression(min).constant_value().is_some_and(|n| n >= 0);
        let sign = if positive { "" } else { "\\-?" };
        FieldContent::Pattern { text: format!("0|{sign}[1-9][0-9]{{0,{digits}}}"), lengths: None }
    }

    fn decimal_places(&mut self, given: Option<&(Expr, Expr)>, is_fixed: bool, span: Span) -> (u32, u32) {
        let numbers = given.and_then(|(min, max)| {
            let number = |term: Term| term.constant_value().and_then(|n| u32::try_from(n).ok());
            Some((number(self.evaluate_expression(min))?, number(self.evaluate_expression(max))?))
        });
        if !is_fixed && self.is_first_warning("exponent") {
            let problem = Diagnostic::warning("ctd-narrowed", span, "this also accepts numbers with an exponent");
            self.warnings.push(
                problem
                    .with_caret("the format does not accept exponents")
                    .with_help("use `FIXED` as the last argument to exclude them"),
            );
        }
        let many = numbers.is_none() || numbers.is_some_and(|(_, max)| max > MAX_DECIMALS);
        if many && self.is_first_warning("decimals") {
            let problem = Diagnostic::warning("ctd-narrowed", span, "this accepts any number of decimals");
            self.warnings.push(
                problem
                    .with_caret(format!("the format accepts up to {MAX_DECIMALS} decimals"))
                    .with_help("use `FLOATP` to bound the number of decimals"),
            );
        }
        let (min, max) = numbers.unwrap_or((0, MAX_DECIMALS));
        (min.min(MAX_DECIMALS), max.min(MAX_DECIMALS))
    }

    /// Returns true the first time that a kind of warning is issued. Once per script is enough.
    fn is_first_warning(&mut self, kind: &'static str) -> bool {
        self.issued_warnings.insert(kind)
    }

    /// Returns the field for a text: a choice of words, a text of certain characters, or a match of an expression.
    fn text_field(&mut self, pattern: &Pattern, span: Span) -> FieldContent {
        if pattern.is_narrowed {
            let problem =
                Diagnostic::warning("ctd-narrowed", span, "this matches characters that formats do not support");
            self.warnings.push(problem.with_caret("the format accepts visible ASCII characters and spaces"));
        }
        let (min, max) = pattern.length_range();
        if let Some(letters) = pattern.uniform_letters() {
            let size = match max {
                Some(max) if max == min => TextSize::Exactly(Term::Number(min as i128)),
                max => TextSize::Between(min as i128, max.map(|max| max as i128)),
            };
            return FieldContent::Text { letters, size };
        }
        match pattern.enumerate_words(MAX_LISTED_WORDS) {
            Some(words) if words.iter().all(|w| !w.is_empty() && w.iter().all(u8::is_ascii_graphic)) => {
                FieldContent::Words(words)
            }
            _ => {
                let lengths = max.is_none().then_some((min as i128, MAX_DEFAULT_REPETITIONS));
                FieldContent::Pattern { text: pattern.to_format_syntax(), lengths }
            }
        }
    }

    /// Declares a new field, and assigns it to the variable.
    pub(super) fn declare_field(
        &mut self,
        kind: FieldContent,
        name: Option<&Variable>,
        prefix: &str,
        span: Span,
    ) -> FieldId {
        let id = FieldId(self.draft.fields.len());
        let value_range = self.field_value_range(&kind);
        let prefix = if matches!(&kind, FieldContent::Text { letters, .. } if contains_letter(letters, b' ')) {
            "line"
        } else {
            prefix
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
        if let Some(variable) = name {
            let indices: Vec<Term> = variable.indices.iter().map(|i| self.evaluate_expression(i)).collect();
            self.environment.assign_value(&variable.name, indices, Term::Field(id), &self.open_loops);
        }
        id
    }

    /// Moves bounds that are not simple expressions of enclosing fields to rules.
    fn move_complex_bounds(&mut self, id: FieldId, span: Span) {
        let value_range = self.draft.field_by_id(id).value_range;
        let mut moved = Vec::new();
        if let FieldContent::Number { min, max } | FieldContent::Real { min, max, .. } =
            &mut self.draft.fields[id.0].kind
        {
            for (sign, bound, limit, default_limit) in
                [(">=", min, value_range.0, -UNKNOWN_BOUND), ("<=", max, value_range.1, UNKNOWN_BOUND)]
            {
                if !is_simple_bound(bound) {
                    let limit =
                        limit.filter(|n| n.unsigned_abs() <= MAX_NUMBER.unsigned_abs()).unwrap_or(default_limit);
                    let complex_bound = std::mem::replace(bound, Term::Number(limit));
                    moved.push(Claim::Compare(sign, Term::Field(id), complex_bound));
                }
            }
        }
        for claim in moved {
            self.add_rule(claim, span);
        }
    }

    fn field_value_range(&self, kind: &FieldContent) -> DraftValueRange {
        match kind {
            FieldContent::Number { min, max } | FieldContent::Real { min, max, .. } => {
                (self.bound_value_range(min).0, self.bound_value_range(max).1)
            }
            _ => (None, None),
        }
    }

    /// Returns the range of a bound. Of a loop-carried value, this is the range of its initial value.
    fn bound_value_range(&self, term: &Term) -> DraftValueRange {
        let with_initial_values = term.replace_subterms(&|part| match part {
            Term::LoopCarried(over, name) => Some(self.initial_value(*over, name)),
            _ => None,
        });
        self.draft.value_range(&with_initial_values)
    }
}

/// Parses a float, and expands its exponent, which formats do not have.
fn parse_decimal(text: &str) -> Term {
    let (digits, exponent) = match text.split_once(['e', 'E']) {
        Some((digits, exponent)) => (digits, exponent.parse::<i32>().unwrap_or(i32::MAX)),
        None => (text, 0),
    };
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    if exponent.unsigned_abs() > 36 || whole.len() + fraction.len() > 40 {
        return Term::Unknown("numbers are limited to 10^36");
    }
    let shift = exponent + i32::try_from(whole.len()).unwrap_or(0);
    let mut digits = format!("{whole}{fraction}");
    let shift = if shift < 0 {
        digits = "0".repeat(shift.unsigned_abs() as usize) + &digits;
        0
    } else {
        usize::try_from(shift).unwrap_or(0)
    };
    while digits.len() < shift {
        digits.push('0');
    }
    let (whole, fraction) = digits.split_at(shift);
    let whole = whole.trim_start_matches('0');
    let whole = if whole.is_empty() { "0" } else { whole };
    match (fraction.trim_end_matches('0'), whole.parse::<i128>()) {
        (_, Err(_)) => Term::Unknown("numbers are limited to 10^36"),
        ("", Ok(number)) if number > MAX_NUMBER => Term::Unknown("numbers are limited to 10^36"),
        // It stays a float, because arithmetic on it differs from that on integers.
        ("", Ok(number)) => Term::Decimal(number.to_string()),
        (fraction, Ok(_)) => Term::Decimal(format!("{whole}.{fraction}")),
    }
}

/// Returns true if a bound only uses enclosing fields, so that it can be part of a chain of comparisons.
fn is_simple_bound(term: &Term) -> bool {
    !term.any_subterm(&|part| {
        !matches!(
            part,
            Term::Number(_)
                | Term::Decimal(_)
                | Term::Constant(..)
                | Term::Field(_)
                | Term::Length(_)
                | Term::Minus(_)
                | Term::Binary(..)
        )
    })
}

/// Returns the number of digits of a bound beyond the largest number of a format: `10^100`, or literal digits.
fn oversized_digit_count(expr: &Expr) -> Option<u32> {
    let digits = match &expr.kind {
        ExprKind::Minus(inner) => return oversized_digit_count(inner),
        ExprKind::Integer(text) => u32::try_from(text.len()).ok()?,
        ExprKind::Binary('^', base, exponent) => match (&base.kind, &exponent.kind) {
            (ExprKind::Integer(base), ExprKind::Integer(exponent)) if base == "10" => exponent.parse().ok()?,
            _ => return None,
        },
        _ => return None,
    };
    (digits > 36).then_some(digits.min(10_000))
}

/// Returns true if a constant expression is beyond the largest number of a format.
fn is_too_large(term: &Term) -> bool {
    match term {
        Term::Binary(_, left, right) if left.constant_value().is_some() && right.constant_value().is_some() => {
            term.constant_value().is_none_or(|n| n.unsigned_abs() > MAX_NUMBER.unsigned_abs())
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::panic, reason = "tests")]
    use super::*;

    #[test]
    fn floats_are_written_without_exponents() {
        for (script, format) in [("1.50", "1.5"), ("1e-3", "0.001"), ("2.5e1", "25"), ("0.1e-1", "0.01"), ("3.", "3")] {
            let shown = match parse_decimal(script) {
                Term::Decimal(text) => text,
                other => panic!("{other:?}"),
            };
            assert_eq!(shown, format, "{script}");
        }
        assert!(matches!(parse_decimal("1E100000"), Term::Unknown(_)));
    }
}
