//! What a script computes, in terms of the input: symbolic values and claims about them.

use super::constants::arithmetic;

/// The number of a field of the draft.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct FieldId(pub(super) usize);

/// The number of a loop of the draft.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct LoopId(pub(super) usize);

/// A value.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Term {
    /// A whole number.
    Number(i128),
    /// A number with a point, as the format writes it.
    Decimal(String),
    /// A text.
    Text(Vec<u8>),
    /// A named constant and its value.
    Constant(String, i128),
    /// A field of the repetition at hand.
    Field(FieldId),
    /// An element of a field, counted from 1.
    Element(FieldId, Vec<Term>),
    /// How long the text or the array is.
    Length(FieldId),
    /// How many repetitions there are of a loop without a count.
    Repetitions(LoopId),
    /// The number of the repetition at hand, from 0.
    Index(LoopId),
    /// The variable of a quantifier.
    Bound(String),
    /// The negative.
    Minus(Box<Term>),
    /// One of `+ - * / % ^`.
    Binary(char, Box<Term>, Box<Term>),
    /// All repetitions of a loop folded: `sum`, `min`, `max`.
    Fold(&'static str, LoopId, Box<Term>),
    /// How often a field has a value in the repetitions of a loop.
    Count(LoopId, FieldId, Box<Term>),
    /// What the variable was before this repetition.
    Carry(LoopId, String),
    /// One of two, by a claim.
    Choice(Box<Claim>, Box<Term>, Box<Term>),
    /// What no format can say, and why.
    Unknown(&'static str),
}

/// A statement about values.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Claim {
    /// A comparison, with the sign as the format writes it.
    Compare(&'static str, Term, Term),
    /// All of these.
    All(Vec<Claim>),
    /// One of these at least.
    Any(Vec<Claim>),
    /// Not this.
    Not(Box<Claim>),
    /// The tuples differ, over the repetitions of the loop.
    Distinct(LoopId, Vec<Term>),
    /// The repetitions of the loop are the edges of a graph without loops and without repeated edges.
    Simple(LoopId, FieldId, FieldId),
    /// Each is in this relation to the next, over the repetitions of the loop.
    Ordered(&'static str, LoopId, Term),
    /// Some element of the array is this value.
    Among(FieldId, Term),
    /// The value has not been given to the array before, in this loop.
    Fresh(Term, String),
    /// What no format can say, and why.
    Unknown(&'static str),
}

impl Term {
    pub(super) fn binary(sign: char, left: Term, right: Term) -> Term {
        Term::Binary(sign, Box::new(left), Box::new(right)).simplified()
    }

    /// The same plus a number.
    #[must_use]
    pub(super) fn plus(self, number: i128) -> Term {
        if number == 0 { self } else { Term::binary('+', self, Term::Number(number)) }
    }

    /// The value, if it depends on nothing.
    pub(super) fn number(&self) -> Option<i128> {
        match self {
            Term::Number(number) | Term::Constant(_, number) => Some(*number),
            Term::Minus(inner) => inner.number()?.checked_neg(),
            Term::Binary(sign, left, right) => arithmetic(*sign, left.number()?, right.number()?),
            _ => None,
        }
    }

    /// A sum as its base and the number that is added.
    fn split(&self) -> (Option<Term>, i128) {
        match self {
            Term::Number(number) => (None, *number),
            Term::Binary('+', left, right) => match (&**left, &**right) {
                (base, Term::Number(number)) | (Term::Number(number), base) => {
                    let (base, more) = base.split();
                    (base, more.saturating_add(*number))
                }
                _ => (Some(self.clone()), 0),
            },
            Term::Binary('-', left, right) => match &**right {
                Term::Number(number) => {
                    let (base, more) = left.split();
                    (base, more.saturating_sub(*number))
                }
                _ => (Some(self.clone()), 0),
            },
            other => (Some(other.clone()), 0),
        }
    }

    /// Sums with numbers are collected: `(n - 1) + 1` is `n`. What is written as a power or a product stays so.
    fn simplified(self) -> Term {
        if matches!(self, Term::Binary('/' | '%', ..))
            && let Some(number) = self.number()
        {
            return Term::Number(number);
        }
        if !matches!(self, Term::Binary('+' | '-', ..)) {
            return self;
        }
        match self.split() {
            (None, number) => Term::Number(number),
            (Some(base), 0) => base,
            (Some(base), number) if number < 0 && number > i128::MIN => {
                Term::Binary('-', Box::new(base), Box::new(Term::Number(-number)))
            }
            (Some(base), number) => Term::Binary('+', Box::new(base), Box::new(Term::Number(number))),
        }
    }

    /// How much more this is than another, if they differ by a number.
    pub(super) fn minus(&self, other: &Term) -> Option<i128> {
        let ((base, number), (other_base, other_number)) = (self.split(), other.split());
        if base == other_base { number.checked_sub(other_number) } else { None }
    }

    /// The same with every part replaced for which there is a replacement.
    #[must_use]
    pub(super) fn replaced(&self, with: &dyn Fn(&Term) -> Option<Term>) -> Term {
        if let Some(found) = with(self) {
            return found;
        }
        let inside = |term: &Term| Box::new(term.replaced(with));
        match self {
            Term::Element(field, places) => Term::Element(*field, places.iter().map(|p| p.replaced(with)).collect()),
            Term::Minus(inner) => Term::Minus(inside(inner)),
            Term::Binary(sign, left, right) => Term::binary(*sign, left.replaced(with), right.replaced(with)),
            Term::Fold(name, over, inner) => Term::Fold(name, *over, inside(inner)),
            Term::Count(over, field, value) => Term::Count(*over, *field, inside(value)),
            Term::Choice(claim, left, right) => {
                Term::Choice(Box::new(claim.replaced(with)), inside(left), inside(right))
            }
            other => other.clone(),
        }
    }

    /// Shows every part, the whole first.
    pub(super) fn visit(&self, see: &mut dyn FnMut(&Term)) {
        see(self);
        match self {
            Term::Element(_, places) => places.iter().for_each(|p| p.visit(see)),
            Term::Minus(inner) | Term::Fold(_, _, inner) | Term::Count(_, _, inner) => inner.visit(see),
            Term::Binary(_, left, right) => {
                left.visit(see);
                right.visit(see);
            }
            Term::Choice(claim, left, right) => {
                claim.visit(see);
                left.visit(see);
                right.visit(see);
            }
            _ => {}
        }
    }

    /// Whether any part is one of those asked for.
    pub(super) fn any(&self, wanted: &dyn Fn(&Term) -> bool) -> bool {
        let mut found = false;
        self.visit(&mut |term| found |= wanted(term));
        found
    }

    /// Why it cannot be the size of anything, if it cannot.
    pub(super) fn no_size(&self) -> Option<&'static str> {
        let mut found = None;
        self.visit(&mut |term| {
            let why = match term {
                Term::Unknown(why) => *why,
                Term::Choice(..) => "how often this is repeated depends on a condition",
                Term::Carry(..) => "how often this is repeated changes on the way",
                Term::Index(_) => "how often this is repeated depends on the number of another repetition",
                _ => return,
            };
            found.get_or_insert(why);
        });
        found
    }

    /// Why it cannot be said, if it cannot.
    pub(super) fn unknown(&self) -> Option<&'static str> {
        let mut found = None;
        self.visit(&mut |term| {
            if let Term::Unknown(why) = term {
                found.get_or_insert(*why);
            }
        });
        found
    }
}

impl Claim {
    /// The opposite.
    #[must_use]
    pub(super) fn negated(self) -> Claim {
        match self {
            Claim::Compare(sign, left, right) => Claim::Compare(opposite(sign), left, right),
            Claim::All(parts) => Claim::Any(parts.into_iter().map(Claim::negated).collect()),
            Claim::Any(parts) => Claim::All(parts.into_iter().map(Claim::negated).collect()),
            Claim::Not(inner) => *inner,
            Claim::Unknown(why) => Claim::Unknown(why),
            other => Claim::Not(Box::new(other)),
        }
    }

    /// Whether it only says that this is not the first repetition of the loop.
    pub(super) fn skips_first(&self, over: LoopId) -> bool {
        let Claim::Compare(sign, Term::Index(id), number) = self else { return false };
        *id == over && matches!((*sign, number.number()), (">" | "!=", Some(0)) | (">=", Some(1)))
    }

    /// The same with every part of its terms replaced for which there is a replacement.
    #[must_use]
    pub(super) fn replaced(&self, with: &dyn Fn(&Term) -> Option<Term>) -> Claim {
        let all = |claims: &[Claim]| claims.iter().map(|c| c.replaced(with)).collect();
        match self {
            Claim::Compare(sign, left, right) => Claim::Compare(sign, left.replaced(with), right.replaced(with)),
            Claim::All(parts) => Claim::All(all(parts)),
            Claim::Any(parts) => Claim::Any(all(parts)),
            Claim::Not(inner) => Claim::Not(Box::new(inner.replaced(with))),
            Claim::Distinct(over, terms) => Claim::Distinct(*over, terms.iter().map(|t| t.replaced(with)).collect()),
            Claim::Ordered(name, over, term) => Claim::Ordered(name, *over, term.replaced(with)),
            Claim::Among(field, term) => Claim::Among(*field, term.replaced(with)),
            Claim::Fresh(term, array) => Claim::Fresh(term.replaced(with), array.clone()),
            other => other.clone(),
        }
    }

    /// Shows every part of its terms.
    pub(super) fn visit(&self, see: &mut dyn FnMut(&Term)) {
        match self {
            Claim::Compare(_, left, right) => {
                left.visit(see);
                right.visit(see);
            }
            Claim::All(parts) | Claim::Any(parts) => parts.iter().for_each(|p| p.visit(see)),
            Claim::Not(inner) => inner.visit(see),
            Claim::Distinct(_, terms) => terms.iter().for_each(|t| t.visit(see)),
            Claim::Ordered(_, _, term) | Claim::Among(_, term) | Claim::Fresh(term, _) => term.visit(see),
            Claim::Simple(..) | Claim::Unknown(_) => {}
        }
    }

    /// Whether any part of its terms is one of those asked for.
    pub(super) fn any(&self, wanted: &dyn Fn(&Term) -> bool) -> bool {
        let mut found = false;
        self.visit(&mut |term| found |= wanted(term));
        found
    }

    /// Why it cannot be said, if it cannot.
    pub(super) fn unknown(&self) -> Option<&'static str> {
        match self {
            Claim::Unknown(why) => Some(why),
            Claim::All(parts) | Claim::Any(parts) => parts.iter().find_map(Claim::unknown),
            Claim::Not(inner) => inner.unknown(),
            Claim::Compare(_, left, right) => left.unknown().or_else(|| right.unknown()),
            Claim::Distinct(_, terms) => terms.iter().find_map(Term::unknown),
            Claim::Ordered(_, _, term) | Claim::Among(_, term) => term.unknown(),
            Claim::Simple(..) => None,
            Claim::Fresh(..) => Some("an array that is filled on the way has no counterpart"),
        }
    }

    /// Whether it is the case, if that depends on nothing.
    pub(super) fn holds(&self) -> Option<bool> {
        match self {
            Claim::Compare(sign, Term::Text(left), Term::Text(right)) => {
                Some(super::constants::compare(if *sign == "=" { "==" } else { sign }, left, right))
            }
            Claim::Compare(sign, left, right) => {
                let (left, right) = (left.number()?, right.number()?);
                Some(super::constants::compare(if *sign == "=" { "==" } else { sign }, &left, &right))
            }
            Claim::All(parts) if parts.iter().all(|p| p.holds() == Some(true)) => Some(true),
            Claim::All(parts) if parts.iter().any(|p| p.holds() == Some(false)) => Some(false),
            Claim::Any(parts) if parts.iter().any(|p| p.holds() == Some(true)) => Some(true),
            Claim::Any(parts) if parts.iter().all(|p| p.holds() == Some(false)) => Some(false),
            Claim::Not(inner) => inner.holds().map(|holds| !holds),
            _ => None,
        }
    }
}

/// The sign that says the opposite.
pub(super) fn opposite(sign: &str) -> &'static str {
    match sign {
        "<" => ">=",
        "<=" => ">",
        ">" => "<=",
        ">=" => "<",
        "=" => "!=",
        _ => "=",
    }
}

/// The sign that says the same with the sides exchanged.
pub(super) fn mirrored(sign: &str) -> &'static str {
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
        let n = || Term::Field(FieldId(0));
        assert_eq!(n().plus(3).plus(-3), n());
        assert_eq!(n().plus(1).plus(-3), Term::Binary('-', Box::new(n()), Box::new(Term::Number(2))));
        assert_eq!(n().plus(5).minus(&n()), Some(5));
        assert_eq!(n().minus(&Term::Number(1)), None);
    }
}
