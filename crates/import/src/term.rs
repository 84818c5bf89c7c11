//! Terms: the values and conditions of a script, as written, and in terms of the input.
//!
//! The parser builds terms of variables. The evaluation replaces variables by their values: fields of the input,
//! and what loops make of them.

use rebut_diagnostics::Span;
use rebut_format::language::ComparisonOperator;

/// Index of a field in the draft.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct FieldId(pub(crate) usize);

/// Index of a loop in the draft.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct LoopId(pub(crate) usize);

/// Bound of numbers without known bounds.
pub(crate) const UNKNOWN_BOUND: i128 = 10_i128.pow(18);

/// A value or a condition.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Term {
    /// An integer.
    Number(i128),
    /// An integer beyond the largest of a format, by its number of digits.
    HugeNumber(u32),
    /// A number with a decimal point, as written in the format.
    Decimal(String),
    /// A text.
    Text(Vec<u8>),
    /// A named constant and its value.
    Constant(String, i128),
    /// The value of a variable, which the evaluation replaces.
    Variable(Variable),
    /// `STRLEN(text)`, which the evaluation replaces.
    TextLength(Box<Term>),
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
    /// The negation of a number.
    Minus(Box<Term>),
    /// One of `+ - * / % ^`. Integer division rounds towards zero.
    Binary(&'static str, Box<Term>, Box<Term>),
    /// A fold over all repetitions of a loop: `sum`, `min` or `max`.
    Fold(&'static str, LoopId, Box<Term>),
    /// The number of repetitions of a loop in which a field has this value.
    Count(LoopId, FieldId, Box<Term>),
    /// The value of a variable before the current repetition.
    LoopCarried(LoopId, String),
    /// One of two values, decided by a condition.
    Conditional(Box<Term>, Box<Term>, Box<Term>),
    Compare(ComparisonOperator, Box<Term>, Box<Term>),
    /// All of these conditions.
    All(Vec<Term>),
    /// At least one of these conditions.
    Any(Vec<Term>),
    /// The negation of a condition.
    Not(Box<Term>),
    /// `ISEOF`: the end of the input.
    IsEof,
    /// `MATCH(letters)`: the next character is one of these.
    NextIsOneOf(Box<Term>),
    /// `UNIQUE(a, b, ...)`: the tuples of elements at the same indices are distinct.
    Unique(Vec<String>),
    /// The number of different tuples of elements of these arrays.
    DifferentValues(Vec<String>),
    /// How often a value is an element of the array.
    Occurrences(Box<Term>, String),
    /// How often a pair is among those of a collection.
    PairOccurrences(String, Vec<Term>),
    /// A fold over all elements of an array.
    ArrayFold(&'static str, String),
    /// The elements of an array are in this order.
    ArrayOrder(&'static str, String),
    /// The elements of two arrays at the same indices are the edges of a graph with this property.
    Graph([String; 2], &'static str),
    /// How often a letter is in a text.
    LetterCount(Box<Term>, Box<Term>),
    /// A letter of a text, with its number from 1.
    Letter(Box<Term>, Box<Term>),
    /// A function of formats: `min`, `max`, `abs`, `gcd`, `xor`, `prime`.
    Call(&'static str, Vec<Term>),
    /// The number of repetitions of the loop in which the condition holds.
    Matches(LoopId, Box<Term>),
    /// The number is a power of two.
    IsPowerOfTwo(Box<Term>),
    /// The condition holds in every repetition of the loop, or in one.
    Quantified(bool, LoopId, Box<Term>),
    /// The tuples are distinct over the repetitions of the loop.
    Distinct(LoopId, Vec<Term>),
    /// The repetitions of the loop are the edges of a graph with this property.
    EdgeGraph(LoopId, FieldId, FieldId, &'static str),
    /// Consecutive values over the repetitions of the loop are in this order.
    Ordered(&'static str, LoopId, Box<Term>),
    /// A value or a condition that cannot be expressed, with the reason.
    Unknown(&'static str),
}

/// A value or a condition with its location.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct LocatedTerm {
    pub(crate) term: Term,
    pub(crate) span: Span,
}

/// A variable or an element of it: `x`, `x[i]`, `x[i,j]`.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Variable {
    pub(crate) name: String,
    pub(crate) indices: Vec<Term>,
}

impl Variable {
    /// Returns a variable without indices.
    pub(crate) fn new(name: &str) -> Variable {
        Variable { name: name.to_owned(), indices: Vec::new() }
    }

    /// Returns a part of a pair or of a class: `p.first`.
    pub(crate) fn select_part(&self, part: &str) -> Variable {
        Variable { name: format!("{}.{part}", self.name), indices: self.indices.clone() }
    }
}

/// Lists the terms in one, of which the references are shared or not.
macro_rules! list_children {
    ($term:expr, $iter:ident) => {
        match $term {
            Term::Variable(Variable { indices: parts, .. })
            | Term::Element(_, parts)
            | Term::All(parts)
            | Term::Any(parts)
            | Term::Call(_, parts)
            | Term::Distinct(_, parts) => parts.$iter().collect(),
            Term::Minus(inner)
            | Term::Not(inner)
            | Term::TextLength(inner)
            | Term::NextIsOneOf(inner)
            | Term::Ordered(_, _, inner)
            | Term::Occurrences(inner, _)
            | Term::IsPowerOfTwo(inner)
            | Term::Matches(_, inner)
            | Term::Quantified(_, _, inner)
            | Term::Fold(_, _, inner)
            | Term::Count(_, _, inner) => vec![inner],
            Term::Binary(_, left, right)
            | Term::Compare(_, left, right)
            | Term::LetterCount(left, right)
            | Term::Letter(left, right) => vec![left, right],
            Term::Conditional(condition, left, right) => vec![condition, left, right],
            _ => Vec::new(),
        }
    };
}

impl Term {
    pub(crate) fn new_comparison(left: Term, sign: ComparisonOperator, right: Term) -> Term {
        Term::Compare(sign, Box::new(left), Box::new(right))
    }

    /// Returns a condition that always or never holds.
    pub(crate) fn new_truth(holds: bool) -> Term {
        if holds { Term::All(Vec::new()) } else { Term::Any(Vec::new()) }
    }

    /// Returns the condition that both of two hold, or one of them. A side that is known decides, or leaves it to the
    /// other.
    pub(crate) fn join_conditions(is_all: bool, [left, right]: [Term; 2]) -> Term {
        match [left.constant_truth(), right.constant_truth()] {
            [Some(holds), _] | [_, Some(holds)] if holds != is_all => Term::new_truth(holds),
            [Some(_), _] => right,
            [_, Some(_)] => left,
            _ if is_all => Term::All(vec![left, right]),
            _ => Term::Any(vec![left, right]),
        }
    }

    /// Returns the condition that all of some hold, or one of them.
    pub(crate) fn join_all(is_all: bool, parts: Vec<Term>) -> Term {
        let joined = parts.into_iter().reduce(|left, right| Term::join_conditions(is_all, [left, right]));
        joined.unwrap_or(Term::new_truth(is_all))
    }

    /// Returns an operation on two numbers, simplified.
    pub(crate) fn new_binary(sign: &'static str, left: Term, right: Term) -> Term {
        Term::Binary(sign, Box::new(left), Box::new(right)).simplify_sum()
    }

    /// Returns one of two values, decided by a condition. One of the two that are compared is the minimum or the maximum.
    pub(crate) fn new_conditional(test: Term, left: Term, right: Term) -> Term {
        use ComparisonOperator::{Equal, Less, LessEqual, NotEqual};
        if let Some((sign, a, b)) = test.as_comparison()
            && !matches!(sign, Equal | NotEqual)
            && ((a, b) == (&left, &right) || (a, b) == (&right, &left))
        {
            let is_least = matches!(sign, Less | LessEqual) == (*a == left);
            return Term::Call(if is_least { "min" } else { "max" }, vec![a.clone(), b.clone()]);
        }
        Term::Conditional(Box::new(test), Box::new(left), Box::new(right))
    }

    #[must_use]
    pub(crate) fn add_constant(self, number: i128) -> Term {
        if number == 0 { self } else { Term::new_binary("+", self, Term::Number(number)) }
    }

    /// Returns the value, if it is constant.
    pub(crate) fn constant_value(&self) -> Option<i128> {
        match self {
            Term::Number(number) | Term::Constant(_, number) => Some(*number),
            Term::Minus(inner) => inner.constant_value()?.checked_neg(),
            Term::Binary(sign, left, right) => apply_operator(sign, left.constant_value()?, right.constant_value()?),
            _ => None,
        }
    }

    /// Splits a sum into its base and a constant offset.
    pub(crate) fn split_offset(&self) -> (Option<Term>, i128) {
        let (base, number) = match self {
            Term::Number(number) => return (None, *number),
            Term::Binary(sign @ ("+" | "-"), left, right) => match (&**left, &**right) {
                (base, Term::Number(number)) => (base, if *sign == "-" { number.saturating_neg() } else { *number }),
                (Term::Number(number), base) if *sign == "+" => (base, *number),
                _ => return (Some(self.clone()), 0),
            },
            other => return (Some(other.clone()), 0),
        };
        let (base, offset) = base.split_offset();
        (base, offset.saturating_add(number))
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
    pub(crate) fn constant_difference(&self, other: &Term) -> Option<i128> {
        let ((base, number), (other_base, other_number)) = (self.split_offset(), other.split_offset());
        if base == other_base { number.checked_sub(other_number) } else { None }
    }

    /// Returns the terms that it is made of.
    pub(crate) fn children(&self) -> Vec<&Term> {
        list_children!(self, iter)
    }

    /// Returns the term with each of the terms in it replaced.
    pub(crate) fn map_children(&self, with: &mut dyn FnMut(&Term) -> Term) -> Term {
        let mut found = self.clone();
        let children: Vec<&mut Term> = list_children!(&mut found, iter_mut);
        children.into_iter().for_each(|part| *part = with(part));
        match found {
            Term::Conditional(test, left, right) => Term::new_conditional(*test, *left, *right),
            found => found.simplify_sum(),
        }
    }

    /// Replaces each subterm for which `with` returns a replacement.
    #[must_use]
    pub(crate) fn replace_subterms(&self, with: &dyn Fn(&Term) -> Option<Term>) -> Term {
        with(self).unwrap_or_else(|| self.map_children(&mut |part| part.replace_subterms(with)))
    }

    /// Returns the term and all terms in it, outer ones first.
    pub(crate) fn subterms(&self) -> impl Iterator<Item = &Term> {
        let mut pending = vec![self];
        std::iter::from_fn(move || {
            let term = pending.pop()?;
            pending.extend(term.children().into_iter().rev());
            Some(term)
        })
    }

    /// Returns true if the term is made of numbers, values of single fields, and what `also` allows.
    pub(crate) fn is_plain(&self, also: impl Fn(&Term) -> bool) -> bool {
        use Term::{Binary, Call, Constant, Field, Length, Minus, Number};
        let plain = |part: &Term| {
            matches!(part, Number(_) | Constant(..) | Field(_) | Length(_) | Minus(_) | Binary(..) | Call(..))
                || also(part)
        };
        self.subterms().all(plain)
    }

    /// Returns why the term cannot be used as a size, or `None` if it can.
    pub(crate) fn size_error(&self) -> Option<&'static str> {
        self.subterms().find_map(|term| match term {
            Term::Unknown(reason) => Some(*reason),
            Term::Conditional(..) => Some("the number of repetitions depends on a condition"),
            Term::LoopCarried(..) => Some("the number of repetitions changes during a loop"),
            Term::LoopIndex(_) => Some("the number of repetitions depends on the counter of another loop"),
            _ => None,
        })
    }

    /// Returns why the term cannot be expressed, or `None` if it can.
    pub(crate) fn unknown_reason(&self) -> Option<&'static str> {
        self.subterms().find_map(|term| if let Term::Unknown(reason) = term { Some(*reason) } else { None })
    }

    /// Returns the field and the places of a field or an element of one.
    pub(crate) fn as_element(&self) -> Option<(FieldId, &[Term])> {
        match self {
            Term::Field(id) => Some((*id, &[])),
            Term::Element(id, places) => Some((*id, places)),
            _ => None,
        }
    }

    /// Returns the loop of an index of its repetitions, and the number that is added to it.
    pub(crate) fn as_loop_index(&self) -> Option<(LoopId, i128)> {
        if let (Some(Term::LoopIndex(id)), more) = self.split_offset() { Some((id, more)) } else { None }
    }

    /// Returns the loop of a claim about all of its repetitions together.
    pub(crate) fn repeated_loop(&self) -> Option<LoopId> {
        match self {
            Term::Distinct(over, _) | Term::EdgeGraph(over, ..) | Term::Ordered(_, over, _) => Some(*over),
            _ => None,
        }
    }

    pub(crate) fn as_comparison(&self) -> Option<(ComparisonOperator, &Term, &Term)> {
        if let Term::Compare(sign, left, right) = self { Some((*sign, left, right)) } else { None }
    }

    /// Returns a comparison with the side on the left for which the predicate holds, if it holds for one.
    pub(crate) fn comparison_of(&self, is_first: impl Fn(&Term) -> bool) -> Option<(ComparisonOperator, &Term, &Term)> {
        let (sign, left, right) = self.as_comparison()?;
        if is_first(left) {
            return Some((sign, left, right));
        }
        is_first(right).then(|| (sign.with_sides_swapped(), right, left))
    }

    #[must_use]
    pub(crate) fn into_negated(self) -> Term {
        match self {
            Term::Compare(sign, left, right) => Term::Compare(sign.negate_operator(), left, right),
            Term::All(parts) => Term::Any(parts.into_iter().map(Term::into_negated).collect()),
            Term::Any(parts) => Term::All(parts.into_iter().map(Term::into_negated).collect()),
            Term::Not(inner) => *inner,
            Term::Unknown(reason) => Term::Unknown(reason),
            Term::Quantified(every, over, claim) => Term::Quantified(!every, over, Box::new(claim.into_negated())),
            other => Term::Not(Box::new(other)),
        }
    }

    /// Returns true if the condition only excludes the first repetition of the loop.
    pub(crate) fn skips_first_repetition(&self, over: LoopId) -> bool {
        self.as_positivity() == Some((&Term::LoopIndex(over), true))
    }

    /// Returns what is compared with 0 as a number that is not negative, and whether it is greater.
    pub(crate) fn as_positivity(&self) -> Option<(&Term, bool)> {
        let (sign, left, right) = self.as_comparison()?;
        Some((left, says_positive(sign, right.constant_value()?)?))
    }

    /// Returns whether the condition is true, if that is constant.
    pub(crate) fn constant_truth(&self) -> Option<bool> {
        match self {
            Term::Compare(sign, left, right) => match (&**left, &**right) {
                (Term::Text(left), Term::Text(right)) => Some(sign.compare(left, right)),
                (left, right) => Some(sign.compare(&left.constant_value()?, &right.constant_value()?)),
            },
            Term::All(parts) | Term::Any(parts) => {
                // Each part is tested once: chains of conditions are nested.
                let (deciding, mut is_known) = (matches!(self, Term::Any(_)), true);
                for part in parts {
                    match part.constant_truth() {
                        Some(holds) if holds == deciding => return Some(deciding),
                        found => is_known &= found.is_some(),
                    }
                }
                is_known.then_some(!deciding)
            }
            Term::Not(inner) => inner.constant_truth().map(|holds| !holds),
            _ => None,
        }
    }

    pub(crate) fn is_condition(&self) -> bool {
        use Term::{All, Any, Compare, IsEof, NextIsOneOf, Not, Unique};
        matches!(
            self,
            Compare(..)
                | Not(_)
                | All(_)
                | Any(_)
                | IsEof
                | NextIsOneOf(_)
                | Unique(_)
                | Term::ArrayOrder(..)
                | Term::Graph(..)
                | Term::IsPowerOfTwo(_)
                | Term::Call("prime", _)
        )
    }

    pub(crate) fn variables(&self) -> Vec<&str> {
        let names = self.subterms().map(|term| match term {
            Term::Variable(Variable { name, .. }) | Term::Occurrences(_, name) => std::slice::from_ref(name),
            Term::Unique(names) => names,
            _ => &[],
        });
        names.flatten().map(String::as_str).collect()
    }

    /// Returns the condition that the input goes on.
    pub(crate) fn not_eof() -> Term {
        Term::Not(Box::new(Term::IsEof))
    }
}

/// Returns an operator of C++ as one of terms.
pub(crate) fn arithmetic_sign(sign: &str) -> Option<&'static str> {
    ["+", "-", "*", "/", "%"].into_iter().find(|known| *known == sign)
}

/// Returns an operator of checktestdata and C++ as one of formats.
pub(crate) fn comparison_operator(sign: &str) -> Option<ComparisonOperator> {
    use ComparisonOperator::{Equal, Greater, GreaterEqual, Less, LessEqual, NotEqual};
    let sign = if sign == "==" { "=" } else { sign };
    [Less, LessEqual, Greater, GreaterEqual, Equal, NotEqual].into_iter().find(|known| known.as_str() == sign)
}

/// Returns whether a comparison with a number makes another one, which is not negative, greater than 0 or equal to it.
pub(crate) fn says_positive(sign: ComparisonOperator, number: i128) -> Option<bool> {
    use ComparisonOperator::{Equal, Greater, GreaterEqual, Less, LessEqual, NotEqual};
    match (sign, number) {
        (Greater | NotEqual, 0) | (GreaterEqual, 1) => Some(true),
        (Equal | LessEqual, 0) | (Less, 1) => Some(false),
        _ => None,
    }
}

/// Applies an arithmetic operator as checktestdata does: division rounds towards zero, and exponents are not
/// negative.
pub(crate) fn apply_operator(sign: &str, left: i128, right: i128) -> Option<i128> {
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
