//! Intermediate representation of a conversion: the format as far as it has been derived from a script.

use crate::term::{FieldId, LoopId, Term};
use rebut_diagnostics::Span;
use rebut_format::language::ArithmeticOperator;
use rebut_format::language::{
    ComparisonOperator, Interval, MAX_NUMBER, combine_intervals, is_reserved_word, narrow_by_operator,
};
use regex_syntax::hir::ClassBytes;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::{Index, IndexMut};

/// A format under construction.
#[derive(Clone, Debug, Default)]
pub(crate) struct Draft {
    pub(crate) fields: Vec<DraftField>,
    pub(crate) loops: Vec<DraftLoop>,
    pub(crate) layout: Vec<DraftNode>,
    pub(crate) rules: Vec<DraftRule>,
    pub(crate) constants: Vec<(String, Term)>,
}

#[derive(Clone, Debug)]
pub(crate) struct DraftField {
    pub(crate) name: String,
    pub(crate) kind: FieldContent,
    /// Enclosing loops, outermost first. The last ones can be its dimensions.
    pub(crate) loops: Vec<LoopId>,
    /// Enclosing branches of conditions.
    pub(crate) branches: Vec<usize>,
    /// Range of its value, independent of other fields.
    pub(crate) value_range: Interval,
    pub(crate) span: Span,
    /// Whether its line could not be expressed, so that it is not part of the layout.
    pub(crate) dropped: bool,
    /// Whether it consists of several texts on one line.
    pub(crate) is_row: bool,
}

/// The type of a field and its bounds.
#[derive(Clone, Debug)]
pub(crate) enum FieldContent {
    /// A number, with a minimum and maximum number of decimals if it is real.
    Number { min: Term, max: Term, decimals: Option<(u32, u32)> },
    /// A text of these characters.
    Text { letters: ClassBytes, size: Amount },
    /// One of these words.
    Words(Vec<Vec<u8>>),
    /// A match of a regular expression, with its length if the expression is unbounded.
    Pattern { text: String, lengths: Option<Interval> },
}

/// A number of characters or repetitions.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Amount {
    /// Exactly this many.
    Exactly(Term),
    /// A number in this range. Repetitions go up to the end of the input or the line.
    Between(Interval),
}

#[derive(Clone, Debug)]
pub(crate) struct DraftLoop {
    pub(crate) counter: Option<String>,
    pub(crate) count: Amount,
    pub(crate) kind: LoopKind,
    /// The numbers of the line that ends it, if there is one.
    pub(crate) sentinel: Option<Vec<i128>>,
    /// True if there is an empty line between two repetitions.
    pub(crate) is_separated: bool,
    pub(crate) outer_loops: Vec<LoopId>,
    pub(crate) span: Span,
}

/// The part of the format that a loop becomes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LoopKind {
    /// A dimension of a field, within a line.
    Inline,
    /// A block of lines.
    Block,
    /// Nothing, because it reads no input.
    Pure,
}

#[derive(Clone, Debug)]
pub(crate) enum DraftNode {
    /// Fields and literals on one line.
    Line(Vec<LinePart>),
    /// `repeat`
    Block(LoopId, Vec<DraftNode>),
    /// `if`, with the loops around it.
    If { claim: Term, loops: Vec<LoopId>, span: Span, body: Vec<DraftNode> },
    /// `either`
    Either(Vec<Vec<DraftNode>>),
}

impl DraftField {
    /// Returns true for a text: its letters can be referred to.
    pub(crate) fn is_text(&self) -> bool {
        matches!(self.kind, FieldContent::Text { .. } | FieldContent::Pattern { .. })
    }
}

impl FieldContent {
    pub(crate) fn is_letter(&self) -> bool {
        matches!(self, FieldContent::Words(words) if words.iter().all(|word| word.len() == 1))
    }
}

/// A part of a line.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct LinePart {
    pub(crate) kind: PartKind,
    pub(crate) glued: bool,
}

/// A field, a literal, or a repeated group of them.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum PartKind {
    Field(FieldId),
    Literal(Vec<u8>),
    /// A group repeated on the line: `(x y)[n]`.
    Group(LoopId, Vec<LinePart>),
}

#[derive(Clone, Debug)]
pub(crate) struct DraftRule {
    pub(crate) claim: Term,
    pub(crate) loops: Vec<LoopId>,
    /// Conditions under which it holds, each with its branch.
    pub(crate) conditions: Vec<(usize, Term)>,
    /// Location of the statement.
    pub(crate) span: Span,
}

macro_rules! index_draft {
    ($id:ty, $list:ident, $item:ty) => {
        impl Index<$id> for Draft {
            type Output = $item;

            fn index(&self, id: $id) -> &$item {
                &self.$list[id.0]
            }
        }

        impl IndexMut<$id> for Draft {
            fn index_mut(&mut self, id: $id) -> &mut $item {
                &mut self.$list[id.0]
            }
        }
    };
}

index_draft!(FieldId, fields, DraftField);
index_draft!(LoopId, loops, DraftLoop);

impl Draft {
    /// Returns the loops that are dimensions of a field, outermost first.
    pub(crate) fn field_dimensions(&self, id: FieldId) -> Vec<LoopId> {
        let inline = |id: &LoopId| self[*id].kind == LoopKind::Inline;
        self[id].loops.iter().copied().filter(inline).collect()
    }

    /// Returns true if a text has this many letters, by its size or by a rule.
    pub(crate) fn is_text_length(&self, id: FieldId, count: &Term) -> bool {
        let is_own = |term: &Term| *term == Term::Length(id);
        let says_so = |rule: &DraftRule| {
            let equal = rule.claim.comparison_of(is_own).filter(|(sign, ..)| *sign == ComparisonOperator::Equal);
            equal.is_some_and(|(_, _, length)| length == count)
        };
        let is_size = matches!(&self[id].kind, FieldContent::Text { size: Amount::Exactly(size), .. } if size == count);
        is_size || is_own(count) || self.rules.iter().any(says_so)
    }

    /// Returns the count of a loop, if it has one.
    pub(crate) fn loop_count(&self, id: LoopId) -> Option<&Term> {
        match &self[id].count {
            Amount::Exactly(term) => Some(term),
            Amount::Between(..) => None,
        }
    }

    /// Returns the range of a term over all inputs.
    pub(crate) fn value_range(&self, term: &Term) -> Interval {
        match term {
            Term::Field(id) | Term::Element(id, _) => self[*id].value_range,
            Term::Length(_) => Interval::NATURAL,
            Term::LoopIndex(id) => {
                let max = self.loop_count(*id).map_or(MAX_NUMBER, |count| self.value_range(count).hi - 1);
                Interval::new(0, max.max(0))
            }
            Term::Minus(inner) => Interval::from_value(0).difference_with(self.value_range(inner)),
            Term::Binary(sign, left, right) => {
                let (left, right) = (self.value_range(left), self.value_range(right));
                // Of negative numbers, division rounds differently.
                let is_division = matches!(*sign, "/" | "%");
                let operator = ArithmeticOperator::from_sign(sign).filter(|_| left.lo >= 0 || !is_division);
                operator.map_or(Interval::ALL, |operator| combine_intervals(operator, left, right))
            }
            Term::Conditional(_, left, right) => self.value_range(left).hull_with(self.value_range(right)),
            Term::Fold("min" | "max", _, inner) => self.value_range(inner),
            Term::Call(name, parts) => {
                let ranges = parts.iter().map(|part| self.value_range(part));
                let joined = ranges.reduce(|a, b| match *name {
                    "min" => Interval::new(a.lo.min(b.lo), a.hi.min(b.hi)),
                    "max" => Interval::new(a.lo.max(b.lo), a.hi.max(b.hi)),
                    _ => a.hull_with(b),
                });
                match (*name, joined) {
                    ("min" | "max", Some(range)) => range,
                    ("abs" | "gcd", Some(range)) => Interval::new(0, range.hi.max(range.lo.saturating_neg())),
                    _ => Interval::ALL,
                }
            }
            other => other.constant_value().map_or(Interval::ALL, Interval::from_value),
        }
    }

    /// Returns the field that an element of each repetition is, and the loop over it: for `a[i]` in a loop over all of
    /// `a` as well as for the field itself. The number is added to it.
    pub(crate) fn whole_field(&self, value: &Term) -> Option<(FieldId, i128)> {
        let (base, more) = value.split_offset();
        match base? {
            Term::Field(field) => Some((field, more)),
            Term::Element(field, places) => {
                let loops = &self[field].loops;
                let own = &loops[loops.len().checked_sub(places.len())?..];
                let is_each = |(place, own): (&Term, &LoopId)| {
                    let of_first = place.as_loop_index().filter(|(_, more)| *more == 1);
                    of_first.is_some_and(|(id, _)| id == *own || self.is_same_count(id, *own))
                };
                places.iter().zip(own).all(is_each).then_some((field, more))
            }
            _ => None,
        }
    }

    /// Returns true if two loops have the same known number of repetitions.
    pub(crate) fn is_same_count(&self, left: LoopId, right: LoopId) -> bool {
        matches!((self.loop_count(left), self.loop_count(right)), (Some(left), Some(right)) if left == right)
    }
}

/// Narrows the range of a number that is compared with a constant. Returns false if the comparison is of another form.
pub(crate) fn narrow_range(range: &mut Interval, sign: ComparisonOperator, number: i128) -> bool {
    let narrows = sign != ComparisonOperator::NotEqual;
    if narrows {
        *range = narrow_by_operator(*range, sign, Interval::from_value(number));
    }
    narrows
}

// Names of a format's fields, based on the names of variables.

/// Returns the name of a constant: that of the script, unless it is reserved.
pub(crate) fn constant_name(name: &str) -> String {
    if is_reserved_word(name) { format!("{name}_") } else { name.replace(['\'', '.'], "_") }
}

/// The names in use.
#[derive(Default)]
pub(crate) struct FieldNames {
    pub(crate) used: BTreeSet<String>,
    /// Names of the script's variables, which fields without a variable avoid.
    pub(crate) variables: BTreeSet<String>,
    /// Names that the fields of some variables should have.
    pub(crate) labels: BTreeMap<String, String>,
}

impl FieldNames {
    /// Reserves the name of a constant, and returns it.
    pub(crate) fn reserve_constant(&mut self, name: &str) -> String {
        self.used.insert(constant_name(name));
        constant_name(name)
    }

    /// Returns an unused name for a field, based on its variable or on `prefix`.
    pub(crate) fn unique_field_name(&mut self, variable: Option<&str>, prefix: &str) -> String {
        let label = |name| constant_name(self.labels.get(name).map_or(name, String::as_str));
        let base = variable.map_or_else(|| prefix.to_owned(), label);
        let mut name = base.clone();
        let mut number = 1;
        while self.used.contains(&name) || variable.is_none() && self.variables.contains(&name) {
            // Prefer neighbors in the alphabet to numbers.
            name = match (variable, base.as_bytes(), number) {
                (None, [letter], 1) => char::from(letter + 1).to_string(),
                (None, [letter], 2) => char::from(letter + 2).to_string(),
                _ if base.ends_with(|c: char| c.is_ascii_digit()) => format!("{base}_{}", number + 1),
                _ => format!("{base}{}", number + 1),
            };
            number += 1;
        }
        self.used.insert(name.clone());
        name
    }

    /// Returns a name for a quantifier's variable that is not in use.
    pub(crate) fn quantifier_name(&self, wanted: Option<&str>, others: &[(LoopId, String)]) -> String {
        let is_free = |name: &&str| {
            !self.used.contains(*name) && !others.iter().any(|(_, other)| other == name) && !is_reserved_word(name)
        };
        let found = wanted.into_iter().chain(["i", "j", "k", "l"]).find(is_free);
        found.map_or_else(|| format!("i_{}", others.len()), str::to_owned)
    }
}
