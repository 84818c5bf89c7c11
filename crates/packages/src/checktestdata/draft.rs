//! Intermediate representation of a conversion: the format as far as it has been derived from a script.

use super::term::{FieldId, LoopId, Term};
use rebut_diagnostics::Span;
use rebut_format::language::ArithmeticOperator::{self, Subtract};
use rebut_format::language::{ComparisonOperator, Interval, MAX_NUMBER, combine_intervals, narrow_by_operator};
use regex_syntax::hir::ClassBytes;
use std::collections::BTreeSet;
use std::ops::{Index, IndexMut};

/// A format under construction.
#[derive(Clone, Debug, Default)]
pub(super) struct Draft {
    pub(super) fields: Vec<DraftField>,
    pub(super) loops: Vec<DraftLoop>,
    pub(super) layout: Vec<DraftNode>,
    pub(super) rules: Vec<DraftRule>,
    pub(super) constants: Vec<(String, Term)>,
}

/// A field.
#[derive(Clone, Debug)]
pub(super) struct DraftField {
    pub(super) name: String,
    pub(super) kind: FieldContent,
    /// Enclosing loops, outermost first. The last ones can be its dimensions.
    pub(super) loops: Vec<LoopId>,
    /// Enclosing branches of conditions.
    pub(super) branches: Vec<usize>,
    /// Range of its value, independent of other fields.
    pub(super) value_range: Interval,
    pub(super) span: Span,
    /// Whether its line could not be expressed, so that it is not part of the layout.
    pub(super) dropped: bool,
    /// Whether it consists of several texts on one line.
    pub(super) is_row: bool,
}

/// The type of a field and its bounds.
#[derive(Clone, Debug)]
pub(super) enum FieldContent {
    /// A number, with a minimum and maximum number of decimals if it is real.
    Number { min: Term, max: Term, decimals: Option<(u32, u32)> },
    /// A text of these characters.
    Text { letters: ClassBytes, size: TextSize },
    /// One of these words.
    Words(Vec<Vec<u8>>),
    /// A match of a regular expression, with its length if the expression is unbounded.
    Pattern { text: String, lengths: Option<Interval> },
}

/// The number of characters of a text.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum TextSize {
    /// Exactly this many.
    Exactly(Term),
    /// A number in this range.
    Between(Interval),
}

/// A loop.
#[derive(Clone, Debug)]
pub(super) struct DraftLoop {
    /// Name of its counter.
    pub(super) counter: Option<String>,
    pub(super) count: LoopCount,
    pub(super) kind: LoopKind,
    /// True if there is an empty line between two repetitions.
    pub(super) is_separated: bool,
    /// Enclosing loops.
    pub(super) outer_loops: Vec<LoopId>,
    pub(super) span: Span,
}

/// The number of repetitions.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum LoopCount {
    /// Exactly this many.
    Times(Term),
    /// A number in this range, up to the end of the input or the line.
    Until(Interval),
}

/// The part of the format that a loop becomes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LoopKind {
    /// A dimension of a field, within a line.
    Inline,
    /// A block of lines.
    Block,
    /// Nothing, because it reads no input.
    Pure,
}

/// A part of the layout.
#[derive(Clone, Debug)]
pub(super) enum DraftNode {
    /// Fields and literals on one line.
    Line(Vec<LinePart>),
    /// `repeat`
    Block(LoopId, Vec<DraftNode>),
    /// `if`
    If(Term, Span, Vec<DraftNode>),
    /// `either`
    Either(Vec<Vec<DraftNode>>),
}

impl DraftNode {
    /// Returns the lists of nodes in this one.
    pub(super) fn children(&self) -> impl Iterator<Item = &[DraftNode]> {
        let lists = match self {
            DraftNode::Line(_) => &[],
            DraftNode::Block(_, inner) | DraftNode::If(_, _, inner) => std::slice::from_ref(inner),
            DraftNode::Either(alternatives) => alternatives.as_slice(),
        };
        lists.iter().map(Vec::as_slice)
    }
}

/// A part of a line.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct LinePart {
    pub(super) kind: PartKind,
    pub(super) glued: bool,
}

/// A field, a literal, or a repeated group of them.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum PartKind {
    Field(FieldId),
    Literal(Vec<u8>),
    /// A group repeated on the line: `(x y)[n]`.
    Group(LoopId, Vec<LinePart>),
}

impl PartKind {
    /// Calls `visit` with each field in it.
    pub(super) fn for_each_field(&self, visit: &mut dyn FnMut(FieldId)) {
        match self {
            PartKind::Field(id) => visit(*id),
            PartKind::Literal(_) => {}
            PartKind::Group(_, parts) => parts.iter().for_each(|part| part.kind.for_each_field(visit)),
        }
    }
}

/// A constraint.
#[derive(Clone, Debug)]
pub(super) struct DraftRule {
    pub(super) claim: Term,
    /// Enclosing loops.
    pub(super) loops: Vec<LoopId>,
    /// Conditions under which it holds, each with its branch.
    pub(super) conditions: Vec<(usize, Term)>,
    /// Location of the statement.
    pub(super) span: Span,
    /// First repetition that it holds for: 1 or 2.
    pub(super) first_repetition: i128,
}

impl Index<FieldId> for Draft {
    type Output = DraftField;

    fn index(&self, id: FieldId) -> &DraftField {
        &self.fields[id.0]
    }
}

impl IndexMut<FieldId> for Draft {
    fn index_mut(&mut self, id: FieldId) -> &mut DraftField {
        &mut self.fields[id.0]
    }
}

impl Index<LoopId> for Draft {
    type Output = DraftLoop;

    fn index(&self, id: LoopId) -> &DraftLoop {
        &self.loops[id.0]
    }
}

impl IndexMut<LoopId> for Draft {
    fn index_mut(&mut self, id: LoopId) -> &mut DraftLoop {
        &mut self.loops[id.0]
    }
}

impl Draft {
    /// Returns the loops that are dimensions of a field, outermost first.
    pub(super) fn field_dimensions(&self, id: FieldId) -> Vec<LoopId> {
        let inline = |id: &LoopId| self[*id].kind == LoopKind::Inline;
        self[id].loops.iter().copied().filter(inline).collect()
    }

    /// Returns the count of a loop, if it has one.
    pub(super) fn loop_count(&self, id: LoopId) -> Option<&Term> {
        match &self[id].count {
            LoopCount::Times(term) => Some(term),
            LoopCount::Until(..) => None,
        }
    }

    /// Returns the range of a term over all inputs.
    pub(super) fn value_range(&self, term: &Term) -> Interval {
        match term {
            Term::Field(id) | Term::Element(id, _) => self[*id].value_range,
            Term::Length(_) => Interval::NATURAL,
            Term::LoopIndex(id) => {
                let max = self.loop_count(*id).map_or(MAX_NUMBER, |count| self.value_range(count).hi - 1);
                Interval::new(0, max.max(0))
            }
            Term::Repetitions(id) => match self[*id].count {
                LoopCount::Until(range) => range,
                LoopCount::Times(_) => Interval::NATURAL,
            },
            Term::Minus(inner) => combine_intervals(Subtract, Interval::from_value(0), self.value_range(inner)),
            Term::Binary(sign, left, right) => {
                let (left, right) = (self.value_range(left), self.value_range(right));
                // Of negative numbers, division rounds differently.
                let operator = ArithmeticOperator::from_sign(sign).filter(|o| left.lo >= 0 || !is_division(*o));
                operator.map_or(Interval::ALL, |operator| combine_intervals(operator, left, right))
            }
            Term::Conditional(_, left, right) => self.value_range(left).hull_with(self.value_range(right)),
            Term::Fold("min" | "max", _, inner) => self.value_range(inner),
            other => other.constant_value().map_or(Interval::ALL, Interval::from_value),
        }
    }
}

fn is_division(operator: ArithmeticOperator) -> bool {
    matches!(operator, ArithmeticOperator::Divide | ArithmeticOperator::Modulo)
}

/// Narrows the range of a number that is compared with a constant. Returns false if the comparison is of another form.
pub(super) fn narrow_range(range: &mut Interval, sign: ComparisonOperator, number: i128) -> bool {
    let narrows = sign != ComparisonOperator::NotEqual;
    if narrows {
        *range = narrow_by_operator(*range, sign, Interval::from_value(number));
    }
    narrows
}

// Names of a format's fields, based on the names of variables.

/// Reserved words of the format language.
const RESERVED_WORDS: &str = "\
    abs and cases count decimals decreasing distinct edges either eof exists forall generator if in \
    increasing len let matches max min nonincreasing not of on one or over parents permutation real repeat \
    sorted subtask sum symmetric until validator where";

fn is_reserved(name: &str) -> bool {
    RESERVED_WORDS.split_whitespace().any(|word| word == name)
}

/// The names in use.
#[derive(Default)]
pub(super) struct FieldNames {
    used: BTreeSet<String>,
    /// Names of the script's variables, which fields without a variable avoid.
    variables: BTreeSet<String>,
}

impl FieldNames {
    pub(super) fn new(variables: BTreeSet<String>) -> Self {
        FieldNames { used: BTreeSet::new(), variables }
    }

    /// Returns the name of a constant: that of the script, unless it is reserved.
    pub(super) fn constant_name(&self, name: &str) -> String {
        if is_reserved(name) { format!("{name}_") } else { name.to_owned() }
    }

    /// Reserves the name of a constant, and returns it.
    pub(super) fn reserve_constant(&mut self, name: &str) -> String {
        let name = self.constant_name(name);
        self.used.insert(name.clone());
        name
    }

    /// Returns an unused name for a field, based on its variable or on `prefix`.
    pub(super) fn unique_field_name(&mut self, variable: Option<&str>, prefix: &str) -> String {
        let base = variable.map_or_else(|| prefix.to_owned(), |name| self.constant_name(name));
        let mut name = base.clone();
        let mut number = 1;
        while self.used.contains(&name) || variable.is_none() && self.variables.contains(&name) {
            // Prefer neighbors in the alphabet to numbers.
            name = match (variable, base.as_str(), number) {
                (None, "x", 1) => "y".to_owned(),
                (None, "x", 2) => "z".to_owned(),
                (None, "s", 1) => "t".to_owned(),
                (None, "a", 1) => "b".to_owned(),
                (None, "a", 2) => "c".to_owned(),
                _ if base.ends_with(|c: char| c.is_ascii_digit()) => format!("{base}_{}", number + 1),
                _ => format!("{base}{}", number + 1),
            };
            number += 1;
        }
        self.used.insert(name.clone());
        name
    }

    /// Returns a name for a quantifier's variable that is not in use.
    pub(super) fn quantifier_name(&self, wanted: Option<&str>, others: &[String]) -> String {
        let free = |name: &&str| !self.used.contains(*name) && !others.iter().any(|o| o == name) && !is_reserved(name);
        let found = wanted.into_iter().chain(["i", "j", "k", "l"]).find(free);
        found.map_or_else(|| format!("i_{}", others.len()), str::to_owned)
    }
}
