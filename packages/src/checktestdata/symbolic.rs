//! Symbolic terms and claims: the values of a script in terms of the input.

use super::constants::apply_operator;

/// Index of a field in the draft.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct DraftFieldId(pub(super) usize);

/// Index of a loop in the draft.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct DraftLoopId(pub(super) usize);

/// A symbolic value.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum SymbolicTerm {
    /// An integer.
    Number(i128),
    /// A number with a decimal point, as written in the format.
    Decimal(String),
    /// A text.
    Text(Vec<u8>),
    /// A named constant and its value.
    Constant(String, i128),
    /// A field in the current repetition.
    Field(DraftFieldId),
    /// An element of a field, with indices from 1.
    Element(DraftFieldId, Vec<SymbolicTerm>),
    /// The length of a text or an array.
    Length(DraftFieldId),
    /// The number of repetitions of a loop without a count.
    Repetitions(DraftLoopId),
    /// The index of the current repetition, from 0.
    LoopIndex(DraftLoopId),
    /// The variable of a quantifier.
    BoundVariable(String),
    /// The negation.
    Minus(Box<SymbolicTerm>),
    /// One of `+ - * / % ^`.
    Binary(char, Box<SymbolicTerm>, Box<SymbolicTerm>),
    /// A fold over all repetitions of a loop: `sum`, `min` or `max`.
    Fold(&'static str, DraftLoopId, Box<SymbolicTerm>),
    /// The number of repetitions of a loop in which a field has this value.
    Count(DraftLoopId, DraftFieldId, Box<SymbolicTerm>),
    /// The value of a variable before the current repetition.
    LoopCarried(DraftLoopId, String),
    /// One of two values, decided by a claim.
    Conditional(Box<SymbolicClaim>, Box<SymbolicTerm>, Box<SymbolicTerm>),
    /// A value that cannot be expressed, with the reason.
    Unknown(&'static str),
}

/// A statement about symbolic values.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum SymbolicClaim {
    /// A comparison, with the operator of the format language.
    Compare(&'static str, SymbolicTerm, SymbolicTerm),
    /// All of these.
    All(Vec<SymbolicClaim>),
    /// At least one of these.
    Any(Vec<SymbolicClaim>),
    /// The negation.
    Not(Box<SymbolicClaim>),
    /// The tuples are distinct over the repetitions of the loop.
    Distinct(DraftLoopId, Vec<SymbolicTerm>),
    /// The repetitions of the loop are the edges of a simple graph.
    SimpleGraph(DraftLoopId, DraftFieldId, DraftFieldId),
    /// Consecutive values over the repetitions of the loop are in this order.
    Ordered(&'static str, DraftLoopId, SymbolicTerm),
    /// The array contains this value.
    Contains(DraftFieldId, SymbolicTerm),
    /// The value has not been added to the array before in this loop.
    NewToArray(SymbolicTerm, String),
    /// A claim that cannot be expressed, with the reason.
    Unknown(&'static str),
}

impl SymbolicTerm {
    pub(super) fn new_binary(sign: char, left: SymbolicTerm, right: SymbolicTerm) -> SymbolicTerm {
        SymbolicTerm::Binary(sign, Box::new(left), Box::new(right)).simplify_sum()
    }

    /// Adds a number.
    #[must_use]
    pub(super) fn add_constant(self, number: i128) -> SymbolicTerm {
        if number == 0 { self } else { SymbolicTerm::new_binary('+', self, SymbolicTerm::Number(number)) }
    }

    /// Returns the value, if it is constant.
    pub(super) fn constant_value(&self) -> Option<i128> {
        match self {
            SymbolicTerm::Number(number) | SymbolicTerm::Constant(_, number) => Some(*number),
            SymbolicTerm::Minus(inner) => inner.constant_value()?.checked_neg(),
            SymbolicTerm::Binary(sign, left, right) => {
                apply_operator(*sign, left.constant_value()?, right.constant_value()?)
            }
            _ => None,
        }
    }

    /// Splits a sum into its base and a constant offset.
    fn split_offset(&self) -> (Option<SymbolicTerm>, i128) {
        match self {
            SymbolicTerm::Number(number) => (None, *number),
            SymbolicTerm::Binary('+', left, right) => match (&**left, &**right) {
                (base, SymbolicTerm::Number(number)) | (SymbolicTerm::Number(number), base) => {
                    let (base, offset) = base.split_offset();
                    (base, offset.saturating_add(*number))
                }
                _ => (Some(self.clone()), 0),
            },
            SymbolicTerm::Binary('-', left, right) => match &**right {
                SymbolicTerm::Number(number) => {
                    let (base, offset) = left.split_offset();
                    (base, offset.saturating_sub(*number))
                }
                _ => (Some(self.clone()), 0),
            },
            other => (Some(other.clone()), 0),
        }
    }

    /// Combines constants in sums: `(n - 1) + 1` becomes `n`. Powers and products keep their form.
    fn simplify_sum(self) -> SymbolicTerm {
        if matches!(self, SymbolicTerm::Binary('/' | '%', ..))
            && let Some(number) = self.constant_value()
        {
            return SymbolicTerm::Number(number);
        }
        if !matches!(self, SymbolicTerm::Binary('+' | '-', ..)) {
            return self;
        }
        match self.split_offset() {
            (None, number) => SymbolicTerm::Number(number),
            (Some(base), 0) => base,
            (Some(base), number) if number < 0 && number > i128::MIN => {
                SymbolicTerm::Binary('-', Box::new(base), Box::new(SymbolicTerm::Number(-number)))
            }
            (Some(base), number) => SymbolicTerm::Binary('+', Box::new(base), Box::new(SymbolicTerm::Number(number))),
        }
    }

    /// Returns the difference to another term, if it is constant.
    pub(super) fn constant_difference(&self, other: &SymbolicTerm) -> Option<i128> {
        let ((base, number), (other_base, other_number)) = (self.split_offset(), other.split_offset());
        if base == other_base { number.checked_sub(other_number) } else { None }
    }

    /// Replaces each subterm for which `with` returns a replacement.
    #[must_use]
    pub(super) fn replace_subterms(&self, with: &dyn Fn(&SymbolicTerm) -> Option<SymbolicTerm>) -> SymbolicTerm {
        if let Some(found) = with(self) {
            return found;
        }
        let inside = |term: &SymbolicTerm| Box::new(term.replace_subterms(with));
        match self {
            SymbolicTerm::Element(field, places) => {
                SymbolicTerm::Element(*field, places.iter().map(|p| p.replace_subterms(with)).collect())
            }
            SymbolicTerm::Minus(inner) => SymbolicTerm::Minus(inside(inner)),
            SymbolicTerm::Binary(sign, left, right) => {
                SymbolicTerm::new_binary(*sign, left.replace_subterms(with), right.replace_subterms(with))
            }
            SymbolicTerm::Fold(name, over, inner) => SymbolicTerm::Fold(name, *over, inside(inner)),
            SymbolicTerm::Count(over, field, value) => SymbolicTerm::Count(*over, *field, inside(value)),
            SymbolicTerm::Conditional(claim, left, right) => {
                SymbolicTerm::Conditional(Box::new(claim.replace_subterms(with)), inside(left), inside(right))
            }
            other => other.clone(),
        }
    }

    /// Visits every subterm, parents first.
    pub(super) fn visit_subterms(&self, visit: &mut dyn FnMut(&SymbolicTerm)) {
        visit(self);
        match self {
            SymbolicTerm::Element(_, places) => places.iter().for_each(|p| p.visit_subterms(visit)),
            SymbolicTerm::Minus(inner) | SymbolicTerm::Fold(_, _, inner) | SymbolicTerm::Count(_, _, inner) => {
                inner.visit_subterms(visit)
            }
            SymbolicTerm::Binary(_, left, right) => {
                left.visit_subterms(visit);
                right.visit_subterms(visit);
            }
            SymbolicTerm::Conditional(claim, left, right) => {
                claim.visit_subterms(visit);
                left.visit_subterms(visit);
                right.visit_subterms(visit);
            }
            _ => {}
        }
    }

    /// Returns true if any subterm satisfies the predicate.
    pub(super) fn any_subterm(&self, wanted: &dyn Fn(&SymbolicTerm) -> bool) -> bool {
        let mut found = false;
        self.visit_subterms(&mut |term| found |= wanted(term));
        found
    }

    /// Returns why the term cannot be used as a size, or `None` if it can.
    pub(super) fn size_error(&self) -> Option<&'static str> {
        let mut found = None;
        self.visit_subterms(&mut |term| {
            let reason = match term {
                SymbolicTerm::Unknown(reason) => *reason,
                SymbolicTerm::Conditional(..) => "the number of repetitions depends on a condition",
                SymbolicTerm::LoopCarried(..) => "the number of repetitions changes during a loop",
                SymbolicTerm::LoopIndex(_) => "the number of repetitions depends on the counter of another loop",
                _ => return,
            };
            found.get_or_insert(reason);
        });
        found
    }

    /// Returns why the term cannot be expressed, or `None` if it can.
    pub(super) fn unknown_reason(&self) -> Option<&'static str> {
        let mut found = None;
        self.visit_subterms(&mut |term| {
            if let SymbolicTerm::Unknown(reason) = term {
                found.get_or_insert(*reason);
            }
        });
        found
    }
}

impl SymbolicClaim {
    /// Returns the negation.
    #[must_use]
    pub(super) fn into_negated(self) -> SymbolicClaim {
        match self {
            SymbolicClaim::Compare(sign, left, right) => SymbolicClaim::Compare(negated_operator(sign), left, right),
            SymbolicClaim::All(parts) => {
                SymbolicClaim::Any(parts.into_iter().map(SymbolicClaim::into_negated).collect())
            }
            SymbolicClaim::Any(parts) => {
                SymbolicClaim::All(parts.into_iter().map(SymbolicClaim::into_negated).collect())
            }
            SymbolicClaim::Not(inner) => *inner,
            SymbolicClaim::Unknown(reason) => SymbolicClaim::Unknown(reason),
            other => SymbolicClaim::Not(Box::new(other)),
        }
    }

    /// Returns true if the claim only excludes the first repetition of the loop.
    pub(super) fn skips_first_repetition(&self, over: DraftLoopId) -> bool {
        let SymbolicClaim::Compare(sign, SymbolicTerm::LoopIndex(id), number) = self else { return false };
        *id == over && matches!((*sign, number.constant_value()), (">" | "!=", Some(0)) | (">=", Some(1)))
    }

    /// Replaces each subterm for which `with` returns a replacement.
    #[must_use]
    pub(super) fn replace_subterms(&self, with: &dyn Fn(&SymbolicTerm) -> Option<SymbolicTerm>) -> SymbolicClaim {
        let all = |claims: &[SymbolicClaim]| claims.iter().map(|c| c.replace_subterms(with)).collect();
        match self {
            SymbolicClaim::Compare(sign, left, right) => {
                SymbolicClaim::Compare(sign, left.replace_subterms(with), right.replace_subterms(with))
            }
            SymbolicClaim::All(parts) => SymbolicClaim::All(all(parts)),
            SymbolicClaim::Any(parts) => SymbolicClaim::Any(all(parts)),
            SymbolicClaim::Not(inner) => SymbolicClaim::Not(Box::new(inner.replace_subterms(with))),
            SymbolicClaim::Distinct(over, terms) => {
                SymbolicClaim::Distinct(*over, terms.iter().map(|t| t.replace_subterms(with)).collect())
            }
            SymbolicClaim::Ordered(name, over, term) => {
                SymbolicClaim::Ordered(name, *over, term.replace_subterms(with))
            }
            SymbolicClaim::Contains(field, term) => SymbolicClaim::Contains(*field, term.replace_subterms(with)),
            SymbolicClaim::NewToArray(term, array) => {
                SymbolicClaim::NewToArray(term.replace_subterms(with), array.clone())
            }
            other => other.clone(),
        }
    }

    /// Visits every subterm.
    pub(super) fn visit_subterms(&self, visit: &mut dyn FnMut(&SymbolicTerm)) {
        match self {
            SymbolicClaim::Compare(_, left, right) => {
                left.visit_subterms(visit);
                right.visit_subterms(visit);
            }
            SymbolicClaim::All(parts) | SymbolicClaim::Any(parts) => parts.iter().for_each(|p| p.visit_subterms(visit)),
            SymbolicClaim::Not(inner) => inner.visit_subterms(visit),
            SymbolicClaim::Distinct(_, terms) => terms.iter().for_each(|t| t.visit_subterms(visit)),
            SymbolicClaim::Ordered(_, _, term)
            | SymbolicClaim::Contains(_, term)
            | SymbolicClaim::NewToArray(term, _) => term.visit_subterms(visit),
            SymbolicClaim::SimpleGraph(..) | SymbolicClaim::Unknown(_) => {}
        }
    }

    /// Returns true if any subterm satisfies the predicate.
    pub(super) fn any_subterm(&self, wanted: &dyn Fn(&SymbolicTerm) -> bool) -> bool {
        let mut found = false;
        self.visit_subterms(&mut |term| found |= wanted(term));
        found
    }

    /// Returns why the claim cannot be expressed, or `None` if it can.
    pub(super) fn unknown_reason(&self) -> Option<&'static str> {
        match self {
            SymbolicClaim::Unknown(reason) => Some(reason),
            SymbolicClaim::All(parts) | SymbolicClaim::Any(parts) => {
                parts.iter().find_map(SymbolicClaim::unknown_reason)
            }
            SymbolicClaim::Not(inner) => inner.unknown_reason(),
            SymbolicClaim::Compare(_, left, right) => left.unknown_reason().or_else(|| right.unknown_reason()),
            SymbolicClaim::Distinct(_, terms) => terms.iter().find_map(SymbolicTerm::unknown_reason),
            SymbolicClaim::Ordered(_, _, term) | SymbolicClaim::Contains(_, term) => term.unknown_reason(),
            SymbolicClaim::SimpleGraph(..) => None,
            SymbolicClaim::NewToArray(..) => Some("it refers to an array that is filled during the loop"),
        }
    }

    /// Returns whether the claim is true, if that is constant.
    pub(super) fn constant_truth(&self) -> Option<bool> {
        match self {
            SymbolicClaim::Compare(sign, SymbolicTerm::Text(left), SymbolicTerm::Text(right)) => {
                Some(super::constants::compare_values(if *sign == "=" { "==" } else { sign }, left, right))
            }
            SymbolicClaim::Compare(sign, left, right) => {
                let (left, right) = (left.constant_value()?, right.constant_value()?);
                Some(super::constants::compare_values(if *sign == "=" { "==" } else { sign }, &left, &right))
            }
            SymbolicClaim::All(parts) if parts.iter().all(|p| p.constant_truth() == Some(true)) => Some(true),
            SymbolicClaim::All(parts) if parts.iter().any(|p| p.constant_truth() == Some(false)) => Some(false),
            SymbolicClaim::Any(parts) if parts.iter().any(|p| p.constant_truth() == Some(true)) => Some(true),
            SymbolicClaim::Any(parts) if parts.iter().all(|p| p.constant_truth() == Some(false)) => Some(false),
            SymbolicClaim::Not(inner) => inner.constant_truth().map(|holds| !holds),
            _ => None,
        }
    }
}

/// Returns the negated operator.
pub(super) fn negated_operator(sign: &str) -> &'static str {
    match sign {
        "<" => ">=",
        "<=" => ">",
        ">" => "<=",
        ">=" => "<",
        "=" => "!=",
        _ => "=",
    }
}

/// Returns the operator for swapped sides.
pub(super) fn mirrored_operator(sign: &str) -> &'static str {
    match sign {
        "<" => ">",
        "<=" => ">=",
        ">" => "<",
        ">=" => "<=",
        "=" => "=",
        _ => "!=",
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::panic, reason = "tests")]
    use super::*;

    #[test]
    fn sums_with_numbers_are_collected() {
        let n = || SymbolicTerm::Field(DraftFieldId(0));
        assert_eq!(n().add_constant(3).add_constant(-3), n());
        assert_eq!(
            n().add_constant(1).add_constant(-3),
            SymbolicTerm::Binary('-', Box::new(n()), Box::new(SymbolicTerm::Number(2)))
        );
        assert_eq!(n().add_constant(5).constant_difference(&n()), Some(5));
        assert_eq!(n().constant_difference(&SymbolicTerm::Number(1)), None);
    }
}
