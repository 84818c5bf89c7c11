//! Symbolic terms and claims: the values of a script in terms of the input.

use rebut_format::language::ComparisonOperator;

/// Index of a field in the draft.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct FieldId(pub(super) usize);

/// Index of a loop in the draft.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct LoopId(pub(super) usize);

/// A symbolic value.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Term {
    /// An integer.
    Number(i128),
    /// A number with a decimal point, as written in the format.
    Decimal(String),
    /// A text.
    Text(Vec<u8>),
    /// A named constant and its value.
    Constant(String, i128),
    /// A field in the current repetition.
    Field(FieldId),
    /// An element of a field, with indices from 1.
    Element(FieldId, Vec<Term>),
    /// The length of a text or an array.
    Length(FieldId),
    /// The number of repetitions of a loop without a count.
    Repetitions(LoopId),
    /// The index of the current repetition, from 0.
    LoopIndex(LoopId),
    /// The variable of a quantifier.
    BoundVariable(String),
    /// The negation.
    Minus(Box<Term>),
    /// One of `+ - * / % ^`.
    Binary(&'static str, Box<Term>, Box<Term>),
    /// A fold over all repetitions of a loop: `sum`, `min` or `max`.
    Fold(&'static str, LoopId, Box<Term>),
    /// The number of repetitions of a loop in which a field has this value.
    Count(LoopId, FieldId, Box<Term>),
    /// The value of a variable before the current repetition.
    LoopCarried(LoopId, String),
    /// One of two values, decided by a claim.
    Conditional(Box<Claim>, Box<Term>, Box<Term>),
    /// A value that cannot be expressed, with the reason.
    Unknown(&'static str),
}

/// A statement about symbolic values.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Claim {
    /// A comparison.
    Compare(ComparisonOperator, Term, Term),
    /// All of these.
    All(Vec<Claim>),
    /// At least one of these.
    Any(Vec<Claim>),
    /// The negation.
    Not(Box<Claim>),
    /// The tuples are distinct over the repetitions of the loop.
    Distinct(LoopId, Vec<Term>),
    /// The repetitions of the loop are the edges of a simple graph.
    SimpleGraph(LoopId, FieldId, FieldId),
    /// Consecutive values over the repetitions of the loop are in this order.
    Ordered(&'static str, LoopId, Term),
    /// The array contains this value.
    Contains(FieldId, Term),
    /// A claim that cannot be expressed, with the reason.
    Unknown(&'static str),
}

impl Term {
    pub(super) fn new_binary(sign: &'static str, left: Term, right: Term) -> Term {
        Term::Binary(sign, Box::new(left), Box::new(right)).simplify_sum()
    }

    /// Adds a number.
    #[must_use]
    pub(super) fn add_constant(self, number: i128) -> Term {
        if number == 0 { self } else { Term::new_binary("+", self, Term::Number(number)) }
    }

    /// Returns the value, if it is constant.
    pub(super) fn constant_value(&self) -> Option<i128> {
        match self {
            Term::Number(number) | Term::Constant(_, number) => Some(*number),
            Term::Minus(inner) => inner.constant_value()?.checked_neg(),
            Term::Binary(sign, left, right) => apply_operator(sign, left.constant_value()?, right.constant_value()?),
            _ => None,
        }
    }

    /// Splits a sum into its base and a constant offset.
    fn split_offset(&self) -> (Option<Term>, i128) {
        match self {
            Term::Number(number) => (None, *number),
            Term::Binary("+", left, right) => match (&**left, &**right) {
                (base, Term::Number(number)) | (Term::Number(number), base) => {
                    let (base, offset) = base.split_offset();
                    (base, offset.saturating_add(*number))
                }
                _ => (Some(self.clone()), 0),
            },
            Term::Binary("-", left, right) => match &**right {
                Term::Number(number) => {
                    let (base, offset) = left.split_offset();
                    (base, offset.saturating_sub(*number))
                }
                _ => (Some(self.clone()), 0),
            },
            other => (Some(other.clone()), 0),
        }
    }

    /// Combines constants in sums: `(n - 1) + 1` becomes `n`. Powers and products keep their form.
    fn simplify_sum(self) -> Term {
        if matches!(self, Term::Binary("/" | "%", ..))
            && let Some(number) = self.constant_value()
        {
            return Term::Number(number);
        }
        if !matches!(self, Term::Binary("+" | "-", ..)) {
            return self;
        }
        match self.split_offset() {
            (None, number) => Term::Number(number),
            (Some(base), 0) => base,
            (Some(base), number) if number < 0 && number > i128::MIN => {
                Term::Binary("-", Box::new(base), Box::new(Term::Number(-number)))
            }
            (Some(base), number) => Term::Binary("+", Box::new(base), Box::new(Term::Number(number))),
        }
    }

    /// Returns the difference to another term, if it is constant.
    pub(super) fn constant_difference(&self, other: &Term) -> Option<i128> {
        let ((base, number), (other_base, other_number)) = (self.split_offset(), other.split_offset());
        if base == other_base { number.checked_sub(other_number) } else { None }
    }

    /// Replaces each subterm for which `with` returns a replacement.
    #[must_use]
    pub(super) fn replace_subterms(&self, with: &dyn Fn(&Term) -> Option<Term>) -> Term {
        if let Some(found) = with(self) {
            return found;
        }
        let inside = |term: &Term| Box::new(term.replace_subterms(with));
        match self {
            Term::Element(field, places) => {
                Term::Element(*field, places.iter().map(|p| p.replace_subterms(with)).collect())
            }
            Term::Minus(inner) => Term::Minus(inside(inner)),
            Term::Binary(sign, left, right) => {
                Term::new_binary(sign, left.replace_subterms(with), right.replace_subterms(with))
            }
            Term::Fold(name, over, inner) => Term::Fold(name, *over, inside(inner)),
            Term::Count(over, field, value) => Term::Count(*over, *field, inside(value)),
            Term::Conditional(claim, left, right) => {
                Term::Conditional(Box::new(claim.replace_subterms(with)), inside(left), inside(right))
            }
            other => other.clone(),
        }
    }

    /// Visits every subterm, parents first.
    pub(super) fn visit_subterms(&self, visit: &mut dyn FnMut(&Term)) {
        visit(self);
        match self {
            Term::Element(_, places) => places.iter().for_each(|p| p.visit_subterms(visit)),
            Term::Minus(inner) | Term::Fold(_, _, inner) | Term::Count(_, _, inner) => inner.visit_subterms(visit),
            Term::Binary(_, left, right) => {
                left.visit_subterms(visit);
                right.visit_subterms(visit);
            }
            Term::Conditional(claim, left, right) => {
                claim.visit_subterms(visit);
                left.visit_subterms(visit);
                right.visit_subterms(visit);
            }
            _ => {}
        }
    }

    /// Returns the first result of `pick` for a subterm, parents first.
    pub(super) fn find_subterm<T>(&self, pick: &dyn Fn(&Term) -> Option<T>) -> Option<T> {
        let mut found = None;
        self.visit_subterms(&mut |term| found = found.take().or_else(|| pick(term)));
        found
    }

    /// Returns true if any subterm satisfies the predicate.
    pub(super) fn any_subterm(&self, wanted: &dyn Fn(&Term) -> bool) -> bool {
        self.find_subterm(&|term| wanted(term).then_some(())).is_some()
    }

    /// Returns why the term cannot be used as a size, or `None` if it can.
    pub(super) fn size_error(&self) -> Option<&'static str> {
        self.find_subterm(&|term| match term {
            Term::Unknown(reason) => Some(*reason),
            Term::Conditional(..) => Some("the number of repetitions depends on a condition"),
            Term::LoopCarried(..) => Some("the number of repetitions changes during a loop"),
            Term::LoopIndex(_) => Some("the number of repetitions depends on the counter of another loop"),
            _ => None,
        })
    }

    /// Returns why the term cannot be expressed, or `None` if it can.
    pub(super) fn unknown_reason(&self) -> Option<&'static str> {
        self.find_subterm(&|term| if let Term::Unknown(reason) = term { Some(*reason) } else { None })
    }
}

impl Claim {
    /// Returns the negation.
    #[must_use]
    pub(super) fn into_negated(self) -> Claim {
        match self {
            Claim::Compare(sign, left, right) => Claim::Compare(sign.negate_operator(), left, right),
            Claim::All(parts) => Claim::Any(parts.into_iter().map(Claim::into_negated).collect()),
            Claim::Any(parts) => Claim::All(parts.into_iter().map(Claim::into_negated).collect()),
            Claim::Not(inner) => *inner,
            Claim::Unknown(reason) => Claim::Unknown(reason),
            other => Claim::Not(Box::new(other)),
        }
    }

    /// Returns true if the claim only excludes the first repetition of the loop.
    pub(super) fn skips_first_repetition(&self, over: LoopId) -> bool {
        let Claim::Compare(sign, Term::LoopIndex(id), number) = self else { return false };
        *id == over
            && matches!(
                (*sign, number.constant_value()),
                (ComparisonOperator::Greater | ComparisonOperator::NotEqual, Some(0))
                    | (ComparisonOperator::GreaterEqual, Some(1))
            )
    }

    /// Replaces each subterm for which `with` returns a replacement.
    #[must_use]
    pub(super) fn replace_subterms(&self, with: &dyn Fn(&Term) -> Option<Term>) -> Claim {
        let all = |claims: &[Claim]| claims.iter().map(|c| c.replace_subterms(with)).collect();
        match self {
            Claim::Compare(sign, left, right) => {
                Claim::Compare(*sign, left.replace_subterms(with), right.replace_subterms(with))
            }
            Claim::All(parts) => Claim::All(all(parts)),
            Claim::Any(parts) => Claim::Any(all(parts)),
            Claim::Not(inner) => Claim::Not(Box::new(inner.replace_subterms(with))),
            Claim::Distinct(over, terms) => {
                Claim::Distinct(*over, terms.iter().map(|t| t.replace_subterms(with)).collect())
            }
            Claim::Ordered(name, over, term) => Claim::Ordered(name, *over, term.replace_subterms(with)),
            Claim::Contains(field, term) => Claim::Contains(*field, term.replace_subterms(with)),
            other => other.clone(),
        }
    }

    /// Visits every subterm.
    pub(super) fn visit_subterms(&self, visit: &mut dyn FnMut(&Term)) {
        match self {
            Claim::Compare(_, left, right) => {
                left.visit_subterms(visit);
                right.visit_subterms(visit);
            }
            Claim::All(parts) | Claim::Any(parts) => parts.iter().for_each(|p| p.visit_subterms(visit)),
            Claim::Not(inner) => inner.visit_subterms(visit),
            Claim::Distinct(_, terms) => terms.iter().for_each(|t| t.visit_subterms(visit)),
            Claim::Ordered(_, _, term) | Claim::Contains(_, term) => term.visit_subterms(visit),
            Claim::SimpleGraph(..) | Claim::Unknown(_) => {}
        }
    }

    /// Returns the first result of `pick` for a subterm.
    pub(super) fn find_subterm<T>(&self, pick: &dyn Fn(&Term) -> Option<T>) -> Option<T> {
        let mut found = None;
        self.visit_subterms(&mut |term| found = found.take().or_else(|| pick(term)));
        found
    }

    /// Returns true if any subterm satisfies the predicate.
    pub(super) fn any_subterm(&self, wanted: &dyn Fn(&Term) -> bool) -> bool {
        self.find_subterm(&|term| wanted(term).then_some(())).is_some()
    }

    /// Returns why the claim cannot be expressed, or `None` if it can.
    pub(super) fn unknown_reason(&self) -> Option<&'static str> {
        match self {
            Claim::Unknown(reason) => Some(reason),
            Claim::All(parts) | Claim::Any(parts) => parts.iter().find_map(Claim::unknown_reason),
            Claim::Not(inner) => inner.unknown_reason(),
            Claim::Compare(_, left, right) => left.unknown_reason().or_else(|| right.unknown_reason()),
            Claim::Distinct(_, terms) => terms.iter().find_map(Term::unknown_reason),
            Claim::Ordered(_, _, term) | Claim::Contains(_, term) => term.unknown_reason(),
            Claim::SimpleGraph(..) => None,
        }
    }

    /// Returns whether the claim is true, if that is constant.
    pub(super) fn constant_truth(&self) -> Option<bool> {
        match self {
            Claim::Compare(sign, Term::Text(left), Term::Text(right)) => Some(sign.compare(left, right)),
            Claim::Compare(sign, left, right) => Some(sign.compare(&left.constant_value()?, &right.constant_value()?)),
            Claim::All(parts) if parts.iter().all(|p| p.constant_truth() == Some(true)) => Some(true),
            Claim::All(parts) if parts.iter().any(|p| p.constant_truth() == Some(false)) => Some(false),
            Claim::Any(parts) if parts.iter().any(|p| p.constant_truth() == Some(true)) => Some(true),
            Claim::Any(parts) if parts.iter().all(|p| p.constant_truth() == Some(false)) => Some(false),
            Claim::Not(inner) => inner.constant_truth().map(|holds| !holds),
            _ => None,
        }
    }
}

/// Applies an arithmetic operator as checktestdata does: division rounds towards zero, and exponents are not
/// negative.
pub(super) fn apply_operator(sign: &str, left: i128, right: i128) -> Option<i128> {
    match sign {
        "+" => left.checked_add(right),
        "-" => left.checked_sub(right),
        "*" => left.checked_mul(right),
        "/" => left.checked_div(right),
        "%" => left.checked_rem(right),
        _ => left.checked_pow(u32::try_from(right).ok()?),
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::panic, reason = "tests")]
    use super::*;

    #[test]
    fn sums_with_numbers_are_collected() {
        let n = || Term::Field(FieldId(0));
        assert_eq!(n().add_constant(3).add_constant(-3), n());
        assert_eq!(n().add_constant(1).add_constant(-3), Term::Binary("-", Box::new(n()), Box::new(Term::Number(2))));
        assert_eq!(n().add_constant(5).constant_difference(&n()), Some(5));
        assert_eq!(n().constant_difference(&Term::Number(1)), None);
    }
}
