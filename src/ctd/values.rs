//! Expressions and tests of the script in terms of the input, and the fields that tokens are.

use super::draft::{Field, FieldKind, Hull, Size};
use super::items::{Item, ItemKind};
use super::letters::Letters;
use super::pattern::Pattern;
use super::syntax::{Expr, ExprKind, Notation, Test, TestKind, Variable};
use super::term::{Claim, FieldId, Term};
use super::translate::{MOST_REPETITIONS, Translator};
use crate::diagnostic::{Diagnostic, Span};

/// No number of a format is larger.
const LARGEST: i128 = 10_i128.pow(36);

/// Numbers whose bounds are not known are within these.
const FAR: i128 = 10_i128.pow(18);

/// So many words are listed one by one.
const MOST_WORDS: usize = 20;

/// So many decimals a real number has that may have any number of them.
const MOST_DECIMALS: u32 = 12;

impl Translator<'_> {
    /// The value of an expression.
    pub(super) fn term(&mut self, expr: &Expr) -> Term {
        match &expr.kind {
            ExprKind::Integer(text) => super::constants::integer(text)
                .filter(|n| *n <= LARGEST)
                .map_or(Term::Unknown("numbers go up to 10^36"), Term::Number),
            ExprKind::Float(text) => decimal(text),
            ExprKind::Text(text) => Term::Text(text.clone()),
            ExprKind::Variable(variable) => self.variable(variable),
            ExprKind::Length(inner) => match self.term(inner) {
                Term::Field(field) => Term::Length(field),
                Term::Text(text) => Term::Number(text.len() as i128),
                Term::Unknown(why) => Term::Unknown(why),
                _ => Term::Unknown("the length of one of several texts"),
            },
            ExprKind::Minus(inner) => match self.term(inner) {
                Term::Number(number) => Term::Number(-number),
                Term::Decimal(text) => Term::Decimal(format!("-{text}")),
                inner => Term::Minus(Box::new(inner)),
            },
            ExprKind::Binary(sign, left, right) => {
                let (left, right) = (self.term(left), self.term(right));
                if let Some(why) = left.unknown().or_else(|| right.unknown()) {
                    return Term::Unknown(why);
                }
                let term = Term::binary(*sign, left, right);
                if too_large(&term) { Term::Unknown("numbers go up to 10^36") } else { term }
            }
        }
    }

    fn variable(&mut self, variable: &Variable) -> Term {
        if variable.indices.is_empty()
            && let Some((name, value)) =
                self.draft.lets.iter().find(|(name, _)| *name == self.names.constant(&variable.name))
            && let Some(number) = value.number()
        {
            return Term::Constant(name.clone(), number);
        }
        let indices: Vec<Term> = variable.indices.iter().map(|i| self.term(i)).collect();
        if let Some(why) = indices.iter().find_map(Term::unknown) {
            return Term::Unknown(why);
        }
        self.environment.get(&variable.name, &indices, &self.open, &self.draft)
    }

    /// What a test claims.
    pub(super) fn claim(&mut self, test: &Test) -> Claim {
        match &test.kind {
            TestKind::Not(inner) => match (&inner.kind, self.claim(inner)) {
                (TestKind::Among(value, array), Claim::Unknown(_)) if self.environment.array(array).is_none() => {
                    Claim::Fresh(self.term(value), array.clone())
                }
                (_, claim) => claim.negated(),
            },
            TestKind::And(left, right) => Claim::All(vec![self.claim(left), self.claim(right)]),
            TestKind::Or(left, right) => Claim::Any(vec![self.claim(left), self.claim(right)]),
            TestKind::Compare(sign, left, right) => {
                let sign = if *sign == "==" { "=" } else { *sign };
                Claim::Compare(sign, self.term(left), self.term(right))
            }
            TestKind::AtEnd => Claim::Unknown("whether the input ends here"),
            TestKind::Next(_) => Claim::Unknown("what the next character is"),
            TestKind::Unique(names) => self.distinct(names),
            TestKind::Among(value, array) => {
                let value = self.term(value);
                match self.environment.array(array) {
                    Some((field, over, _)) if !self.open.contains(&over) => Claim::Among(field, value),
                    _ => Claim::Unknown("an array that is filled on the way has no counterpart"),
                }
            }
        }
    }

    /// `UNIQUE`: arrays that were filled by one loop.
    fn distinct(&mut self, names: &[String]) -> Claim {
        const WHY: &str = "only arrays that one loop fills can be compared";
        if let [first, second] = names
            && let Some((over, from, to)) = self.environment.unordered(first, second)
            && !self.open.contains(&over)
        {
            return Claim::Simple(over, from, to);
        }
        let mut over = None;
        let mut terms = Vec::new();
        for name in names {
            match self.environment.array(name) {
                // Asserted after each repetition, it says no more than after the last.
                Some((field, first, _))
                    if over.is_none_or(|o| o == first)
                        && (!self.open.contains(&first) || self.open.last() == Some(&first)) =>
                {
                    over = Some(first);
                    terms.push(Term::Field(field));
                }
                _ => return Claim::Unknown(WHY),
            }
        }
        let Some(over) = over else { return Claim::Unknown(WHY) };
        let outer = !self.draft.the_loop(over).outer.is_empty();
        let varies = self.draft.times(over).is_none_or(|count| count.number().is_none());
        if outer && varies && !names.iter().any(|name| self.emptied.contains(name)) {
            return Claim::Unknown("without `UNSET`, values of the repetition before are still in the array");
        }
        Claim::Distinct(over, terms)
    }

    /// What kind of field a token is, the variable it goes to, and how it is called if it has none.
    pub(super) fn token(&mut self, item: &Item) -> Option<(FieldKind, Option<Variable>, &'static str)> {
        match &item.kind {
            ItemKind::Integer { least, most, name } => {
                if let Some(digits) = digits(least).max(digits(most)) {
                    return Some((self.digits(digits, least, item.span), name.clone(), "x"));
                }
                let (least, most) = (self.term(least), self.term(most));
                Some((FieldKind::Number { least, most }, name.clone(), "x"))
            }
            ItemKind::Float { least, most, decimals, name, notation } => {
                let (least, most) = (self.term(least), self.term(most));
                let decimals = self.decimals(decimals.as_ref(), *notation, item.span);
                Some((FieldKind::Real { least, most, decimals }, name.clone(), "x"))
            }
            ItemKind::Token(pattern, name) => Some((self.text(pattern, item.span), name.clone(), "s")),
            _ => None,
        }
    }

    /// A number with more digits than a format can count with: a text of digits.
    fn digits(&mut self, digits: u32, least: &Expr, span: Span) -> FieldKind {
        self.lose(span, "numbers go up to 10^36", "any number of so many digits is accepted");
        let positive = self.term(least).number().is_some_and(|n| n >= 0);
        let sign = if positive { "" } else { "\\-?" };
        FieldKind::Pattern { text: format!("0|{sign}[1-9][0-9]{{0,{digits}}}"), lengths: None }
    }

    fn decimals(&mut self, given: Option<&(Expr, Expr)>, notation: Notation, span: Span) -> (u32, u32) {
        let numbers = given.and_then(|(least, most)| {
            let number = |term: Term| term.number().and_then(|n| u32::try_from(n).ok());
            Some((number(self.term(least))?, number(self.term(most))?))
        });
        if notation != Notation::Fixed && self.says_first("exponent") {
            let problem = Diagnostic::warning("ctd-narrowed", span, "this accepts numbers with an exponent, too");
            self.warnings.push(
                problem
                    .caret("the format accepts none that has one")
                    .help("`FIXED` as the last argument says that there is none"),
            );
        }
        let many = numbers.is_none() || numbers.is_some_and(|(_, most)| most > MOST_DECIMALS);
        if many && self.says_first("decimals") {
            let problem = Diagnostic::warning("ctd-narrowed", span, "this accepts any number of decimals");
            self.warnings.push(
                problem
                    .caret(format!("the format accepts up to {MOST_DECIMALS} decimals"))
                    .help("`FLOATP` says how many there may be"),
            );
        }
        let (least, most) = numbers.unwrap_or((0, MOST_DECIMALS));
        (least.min(MOST_DECIMALS), most.min(MOST_DECIMALS))
    }

    /// Whether this is the first time that something is said: once is enough for a whole script.
    fn says_first(&mut self, what: &'static str) -> bool {
        self.said.insert(what)
    }

    /// A text: a choice of words, any text of some characters, or what an expression matches.
    fn text(&mut self, pattern: &Pattern, span: Span) -> FieldKind {
        let wanted = pattern.letters();
        let printable = Letters::range(b' ', b'~');
        if wanted.within(&printable) != wanted {
            let problem = Diagnostic::warning("ctd-narrowed", span, "this matches characters that no format has");
            self.warnings.push(problem.caret("the format accepts visible ASCII characters and blanks"));
        }
        let pattern = pattern.limited(&printable);
        let (least, most) = pattern.lengths();
        if let Some(letters) = pattern.run().filter(|l| !l.is_empty()) {
            let size = match most {
                Some(most) if most == least => Size::Exactly(Term::Number(i128::from(least))),
                most => Size::Between(i128::from(least), most.map(i128::from)),
            };
            return FieldKind::Text { letters, size };
        }
        match pattern.words(MOST_WORDS) {
            Some(words) if words.iter().all(|w| !w.is_empty() && w.iter().all(u8::is_ascii_graphic)) => {
                FieldKind::Words(words)
            }
            _ => {
                let lengths = most.is_none().then(|| (least, u32::try_from(MOST_REPETITIONS).unwrap_or(u32::MAX)));
                FieldKind::Pattern { text: pattern.text(), lengths }
            }
        }
    }

    /// A new field at this place, and the variable that has its value.
    pub(super) fn field(&mut self, kind: FieldKind, name: Option<&Variable>, prefix: &str, span: Span) -> FieldId {
        let id = FieldId(self.draft.fields.len());
        let hull = self.hull_of(&kind);
        let prefix =
            if matches!(&kind, FieldKind::Text { letters, .. } if letters.has(b' ')) { "line" } else { prefix };
        let field = Field {
            name: self.names.field(name.map(|v| v.name.as_str()), prefix),
            hull,
            loops: self.open.clone(),
            branches: self.conditions.iter().map(|(branch, _)| *branch).collect(),
            span,
            dropped: false,
            is_row: false,
            kind,
        };
        self.draft.fields.push(field);
        self.move_bounds(id, span);
        if let Some(variable) = name {
            let indices: Vec<Term> = variable.indices.iter().map(|i| self.term(i)).collect();
            self.environment.set(&variable.name, indices, Term::Field(id), &self.open);
        }
        id
    }

    /// A bound that is more than an expression over the fields around is a rule of its own.
    fn move_bounds(&mut self, id: FieldId, span: Span) {
        let hull = self.draft.field(id).hull;
        let mut moved = Vec::new();
        if let FieldKind::Number { least, most } | FieldKind::Real { least, most, .. } =
            &mut self.draft.fields[id.0].kind
        {
            for (sign, bound, limit, far) in [(">=", least, hull.0, -FAR), ("<=", most, hull.1, FAR)] {
                if !is_plain(bound) {
                    let limit = limit.filter(|n| n.unsigned_abs() <= LARGEST.unsigned_abs()).unwrap_or(far);
                    let whole = std::mem::replace(bound, Term::Number(limit));
                    moved.push(Claim::Compare(sign, Term::Field(id), whole));
                }
            }
        }
        for claim in moved {
            self.rule(claim, span);
        }
    }

    fn hull_of(&self, kind: &FieldKind) -> Hull {
        match kind {
            FieldKind::Number { least, most } | FieldKind::Real { least, most, .. } => {
                (self.reach(least).0, self.reach(most).1)
            }
            _ => (None, None),
        }
    }

    /// The bounds of a bound; of a value that is carried on, the ones it starts with.
    fn reach(&self, term: &Term) -> Hull {
        let started = term.replaced(&|part| match part {
            Term::Carry(over, name) => Some(self.start_of(*over, name)),
            _ => None,
        });
        self.draft.hull(&started)
    }
}

/// A float as a format writes it: no exponent of the script is kept where digits say the same.
fn decimal(text: &str) -> Term {
    let (digits, exponent) = match text.split_once(['e', 'E']) {
        Some((digits, exponent)) => (digits, exponent.parse::<i32>().unwrap_or(i32::MAX)),
        None => (text, 0),
    };
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    if exponent.unsigned_abs() > 36 || whole.len() + fraction.len() > 40 {
        return Term::Unknown("numbers go up to 10^36");
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
        (_, Err(_)) => Term::Unknown("numbers go up to 10^36"),
        ("", Ok(number)) if number > LARGEST => Term::Unknown("numbers go up to 10^36"),
        // It stays a float: arithmetic on it is not that of whole numbers.
        ("", Ok(number)) => Term::Decimal(number.to_string()),
        (fraction, Ok(_)) => Term::Decimal(format!("{whole}.{fraction}")),
    }
}

/// Whether a bound can stand in a chain: it speaks of fields at hand only.
fn is_plain(term: &Term) -> bool {
    !term.any(&|part| {
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

/// How many digits a bound has that is beyond what a format can write: `10^100`, or the digits themselves.
fn digits(expr: &Expr) -> Option<u32> {
    let digits = match &expr.kind {
        ExprKind::Minus(inner) => return digits(inner),
        ExprKind::Integer(text) => u32::try_from(text.len()).ok()?,
        ExprKind::Binary('^', base, exponent) => match (&base.kind, &exponent.kind) {
            (ExprKind::Integer(base), ExprKind::Integer(exponent)) if base == "10" => exponent.parse().ok()?,
            _ => return None,
        },
        _ => return None,
    };
    (digits > 36).then_some(digits.min(10_000))
}

/// Whether a constant expression is beyond what a format can write.
fn too_large(term: &Term) -> bool {
    match term {
        Term::Binary(_, left, right) if left.number().is_some() && right.number().is_some() => {
            term.number().is_none_or(|n| n.unsigned_abs() > LARGEST.unsigned_abs())
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
            let shown = match decimal(script) {
                Term::Decimal(text) => text,
                other => panic!("{other:?}"),
            };
            assert_eq!(shown, format, "{script}");
        }
        assert!(matches!(decimal("1E100000"), Term::Unknown(_)));
    }
}
