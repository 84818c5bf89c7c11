//! The kinds of constraints, each in one file or folder with everything that follows from it.
//!
//! A `ConstraintKind` is a form of [`ConstraintRule`]. Its file has the check and the words for a violation, what
//! enumeration and generation need to save work, the ways to violate it, and the goals of
//! coverage. Everything else asks `ConstraintRule::kind`, and does not look at the variants.
//!
//! A [`TextProperty`] is a condition on a text or a board of characters, such as `balanced(s)`. Its file has the check
//! and the words for a violation, the repair that makes generated and shrunk texts satisfy it, violations for invalid
//! inputs, and the goals of coverage. Everything else finds it in [`TEXT_PROPERTIES`], so
//! a new kind is its file and a line of the table.
//!
//! ```
//! use rebut_format::constraints::{Board, find_text_property};
//!
//! let balanced = find_text_property("balanced").expect("a kind of constraint");
//! assert!(balanced.find_fault(&Board::new(&[b"(())"], b"")).is_none());
//! let fault = balanced.find_fault(&Board::new(&[b"())("], b"")).expect("a fault");
//! assert_eq!((fault.at, &*fault.message), (Some((0, 2)), "`)` closes nothing"));
//! ```

mod balanced;
mod comparison;
mod connected;
mod distinct;
mod formula;
mod graph;
mod matches;
mod names;
mod ordered;
mod polygon;
#[cfg(test)]
mod tests;
mod text;

use crate::model::{
    BlockId, Class, Comparison, ComparisonOperator, ConstraintRule, Expr, FieldId, FoldRange, Format, Interval,
    format_decimal,
};
pub use crate::model::{
    Board, LetterSpace, PropertyFault, PropertyGoal, PropertyMisuse, TextProperty, TextPropertyRef,
};
use crate::value::{EvalError, ValueScope};
pub(crate) use comparison::{check_comparison, leaves_gaps};
pub use formula::{FormulaFault, find_fault};
pub(crate) use graph::{collect_edges, graph_requirements};
pub(crate) use names::BreachNames;
use rebut_diagnostics::shorten_text;
use std::borrow::Cow;
use std::ops::ControlFlow;
pub(crate) use text::visit_boards;

/// A kind of constraint, and its consequences.
pub(crate) trait ConstraintKind {
    fn expressions(&self) -> Vec<&Expr> {
        Vec::new()
    }

    /// Returns the field of texts or of parents that the rule is about, if it is named without an expression.
    fn named_field(&self) -> Option<FieldId> {
        None
    }

    /// Returns the elements or instances that the rule is about together.
    fn range(&self) -> Option<FoldRange> {
        None
    }

    /// Returns true if bounds at the same location follow from the rule: the number of edges of a tree, the length of
    /// a bracket sequence.
    fn implies_bounds(&self) -> bool {
        false
    }

    /// Returns true if the rule relates numbers that its expressions do not mention, and bounds them: the ends of edges.
    fn bounds_ends(&self) -> bool {
        false
    }

    /// Returns how directly generation can satisfy the rule.
    fn class(&self, _format: &Format) -> Class {
        if matches!(self.range(), Some(FoldRange::Occurrences(_))) { Class::Residual } else { Class::Structural }
    }

    /// Returns a comparison that narrows the ranges of fields, because the rule implies it.
    fn narrowing_comparison(&self, _format: &Format) -> Option<Cow<'_, Comparison>> {
        None
    }

    /// Returns how the rule is violated in a scope, or `None` if it holds.
    ///
    /// # Errors
    /// Returns the reason if that cannot be decided and the known part does not violate the rule.
    fn check<'f>(&'f self, scope: &ValueScope<'_>) -> Result<BrokenConstraint<'f>, EvalError>;

    /// Returns the reason of a violation if a complete value lacks something that the rule refers to.
    fn missing_reason(&self) -> &'static str {
        "it refers to something that is absent"
    }

    /// Returns the comparison that is responsible for a violation, and the values of the variables around it.
    fn responsible_comparison(&self, _scope: &ValueScope<'_>) -> Option<(&Comparison, Vec<i128>)> {
        None
    }

    /// Returns true if the element of a violation is the number of a text, not of a character.
    fn counts_texts(&self) -> bool {
        false
    }

    /// Returns true if enumeration knows which fields the rule mentions and when it is decided. Other rules only make
    /// counting slower.
    fn is_countable(&self) -> bool {
        false
    }

    /// Returns true if the values of the expressions decide whether the rule holds.
    fn is_decided_by_expressions(&self) -> bool {
        false
    }

    /// Returns true if the rule may relate elements of an array to each other in ways that bound the others.
    fn may_relate_elements(&self, _field: FieldId) -> bool {
        false
    }

    /// Returns the comparisons that hold wherever the rule does.
    fn implied_comparisons(&self, _format: &Format) -> Vec<Comparison> {
        Vec::new()
    }

    /// Returns true if the rule can still hold: no choice has broken it, and the ranges of the others allow it. May err
    /// on that side.
    fn may_still_hold(&self, _home: BlockId, _prefix: &dyn KnownPrefix) -> bool {
        true
    }

    /// Returns true if the rule takes long to check, and holds for good once the numbers are final.
    fn is_costly(&self) -> bool {
        false
    }

    /// Returns true if instances are drawn to satisfy the rule, so that redrawing one of them would not repair it.
    fn is_constructed(&self) -> bool {
        false
    }

    /// Returns the numbers or the text that must be distinct in the instances of a block.
    fn distinct_tuple(&self, _format: &Format, _block: BlockId) -> Option<DistinctTuple<'_>> {
        None
    }

    /// Returns the rule as a condition on the columns of a block of lines, or `None` if it cannot be met column by
    /// column.
    fn column_rule(&self, _block: BlockId) -> Option<ColumnRule<'_>> {
        None
    }

    /// Returns the freedom that the rule leaves to the elements of an array or the characters of a text.
    fn element_freedom(&self, _field: FieldId) -> ElementFreedom {
        ElementFreedom::Unknown
    }

    /// Returns the structures that tests should contain, if the rule is about something with structures. Those that the
    /// format may rule out are left out. `max_sizes` are the maximum number of rows and the maximum length of a row of
    /// the text that the rule names.
    fn structure_goals(&self, _format: &Format, _max_sizes: (usize, usize)) -> Option<StructureGoals> {
        None
    }

    /// Adds the structures that occur in a scope in which the rule holds.
    fn collect_structures(&self, _scope: &ValueScope<'_>, _found: &mut StructureSet) {}

    /// Returns the name of an invalid input that violates the rule.
    fn breach_name(&self, _names: &BreachNames<'_>) -> String;

    /// Returns the number of dimensions of the texts or boards for which `near_violations` names violations, if it does
    /// for any.
    fn violated_dimensions(&self) -> Option<usize> {
        None
    }

    /// Returns texts or boards near to a valid one that violate the rule.
    fn near_violations(&self, _rows: &[&[u8]]) -> Vec<Vec<Vec<u8>>> {
        Vec::new()
    }

    /// Returns the separate ways to violate the rule, or `None` if it is violated as a whole.
    fn breaches(&self, _names: &BreachNames<'_>) -> Option<Vec<RuleBreach>> {
        None
    }

    /// Returns conditions that hold only if the rule does not, the nearest to a valid input first, or `None` if no
    /// rules express that.
    fn negations(&self) -> Option<Vec<Vec<ConstraintRule>>> {
        None
    }
}

/// A violation: the element, and the reason.
pub(crate) type BrokenConstraint<'f> = Option<(Option<usize>, ViolationSides<'f>)>;

/// The same with a finished text, for rarely violated rules.
type AggregateResult = Result<Option<(Option<usize>, String)>, EvalError>;

/// An input of which the first values are chosen, as enumeration knows it.
pub(crate) trait KnownPrefix {
    /// Returns the scope of the innermost instance of a block, if it is begun.
    fn scope_of(&self, home: BlockId) -> Option<&ValueScope<'_>>;

    /// Returns true if some elements of the array are chosen, and possibly not all.
    fn is_filling(&self, field: FieldId) -> bool;

    /// Returns true if some instances of the block are chosen, and possibly not all.
    fn is_repeating(&self, block: BlockId) -> bool;

    /// Returns true if later choices cannot change the current value of an expression, if it has one.
    fn is_settled(&self, expr: &Expr) -> bool;

    /// Returns true if a comparison with this home block can still hold, according to the ranges.
    fn could_hold(&self, comparison: &Comparison, home: BlockId) -> bool;

    /// Returns the range of the number of instances of a block.
    fn instance_count(&self, block: BlockId) -> Interval;
}

/// The numbers or the text that must be distinct in the instances of a block.
#[derive(Clone, Copy, Debug)]
pub(crate) struct DistinctTuple<'f> {
    pub(crate) parts: &'f [Expr],
    pub(crate) text: Option<FieldId>,
}

/// A condition on the columns of a block of lines.
#[derive(Clone, Debug)]
pub(crate) enum ColumnRule<'f> {
    /// A comparison of each line.
    Compared(&'f Comparison),
    /// The numbers of a column are distinct.
    Distinct(FieldId),
    /// The lines are distinct in these columns.
    DistinctLines(Vec<FieldId>),
    /// The numbers of a column are in order.
    Ordered(FieldId, ComparisonOperator),
    /// The first of two columns ends before the second one of the next line begins; the rest is repaired.
    Disjoint(FieldId, FieldId),
    /// The column is drawn without regard to the rule, and repaired as a whole.
    Repaired,
    /// Two columns are the ends of edges.
    Edges(FieldId, FieldId),
}

/// One way to violate a rule.
#[derive(Clone, Debug)]
pub(crate) struct RuleBreach {
    /// Name of the invalid input.
    pub(crate) name: String,
    /// The condition to violate.
    pub(crate) must_break: ConstraintRule,
    /// Conditions that distinguish this way from the others: the first of these that can hold should hold.
    pub(crate) may_hold: Vec<ConstraintRule>,
}

impl ConstraintRule {
    pub(crate) fn kind(&self) -> &dyn ConstraintKind {
        match self {
            ConstraintRule::Compare(kind) => kind,
            ConstraintRule::Distinct(kind) => kind,
            ConstraintRule::Ordered(kind) => kind,
            ConstraintRule::Graph(kind) => kind,
            ConstraintRule::Polygon(kind) => kind,
            ConstraintRule::Matches(kind) => kind,
            ConstraintRule::Text(kind) => kind,
            ConstraintRule::DistinctTexts(kind) => kind,
            ConstraintRule::Formula(kind) => kind,
        }
    }

    /// Returns all expressions of the rule.
    pub fn expressions(&self) -> Vec<&Expr> {
        self.kind().expressions()
    }

    /// Returns true if the field occurs in the rule by its name or in an expression.
    pub fn mentions_field(&self, field: FieldId) -> bool {
        let kind = self.kind();
        kind.named_field() == Some(field) || kind.expressions().iter().any(|e| e.mentions_field(field))
    }

    /// Returns true if the rule is about the field: it occurs in the rule, or is an end of its edges.
    pub(crate) fn involves_field(&self, field: FieldId) -> bool {
        let is_end = |(from, to): (FieldId, FieldId)| from == field || to == field;
        self.edge_ends().is_some_and(is_end) || self.mentions_field(field)
    }
}

/// Returns true if the known part of a value does not violate a rule.
fn holds_so_far(kind: &dyn ConstraintKind, scope: &ValueScope<'_>) -> bool {
    matches!(kind.check(scope), Ok(None) | Err(EvalError::Missing | EvalError::Empty | EvalError::Absent(_)))
}

/// Converts a reason that is a finished text.
fn in_words<'f>(result: AggregateResult) -> Result<BrokenConstraint<'f>, EvalError> {
    result.map(|broken| broken.map(|(element, words)| (element, ViolationSides::Words(words))))
}

/// Returns true if a rule about several values can be checked on the chosen ones. An incomplete text or fold may
/// still change, so such a rule has to wait.
fn is_stable<'e>(mut parts: impl Iterator<Item = &'e Expr>, format: &Format, prefix: &dyn KnownPrefix) -> bool {
    parts.all(|part| {
        let mut text = false;
        part.visit_fields(&mut |f| text |= format.field(f).alphabet().is_some() && prefix.is_filling(f));
        !text && prefix.is_settled(part)
    })
}

/// All kinds of properties of texts, in the order of the documentation.
pub const TEXT_PROPERTIES: &[TextPropertyRef] =
    &[TextPropertyRef::new(&balanced::Balanced), TextPropertyRef::new(&connected::Connected)];

/// Returns the property with this name in formats.
pub fn find_text_property(name: &str) -> Option<TextPropertyRef> {
    TEXT_PROPERTIES.iter().copied().find(|property| property.name() == name)
}

// Structures that tests should contain because of a rule, such as a path among trees.

/// Structures that tests should contain.
#[derive(Clone, Debug)]
pub(crate) struct StructureGoals {
    /// The subject of the structures, as reports name it.
    pub(crate) subject: String,
    /// The description of each structure: `a path`.
    pub(crate) descriptions: Vec<&'static str>,
}

/// The structures in an input, by their descriptions.
#[derive(Clone, Debug, Default)]
pub(crate) struct StructureSet(Vec<&'static str>);

impl StructureSet {
    /// Returns true if the structure occurs.
    pub(crate) fn contains(&self, description: &str) -> bool {
        self.0.contains(&description)
    }

    pub(crate) fn add_if(&mut self, description: &'static str, occurs: bool) {
        if occurs && !self.contains(description) {
            self.0.push(description);
        }
    }
}

/// The freedom that a rule leaves to the elements of an array, or to the characters of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ElementFreedom {
    /// Each of them is free within bounds, regardless of the others.
    Free,
    /// They are distinct.
    Distinct,
    /// They are in order, possibly with equal ones.
    Ordered,
    /// Anything may be ruled out.
    Unknown,
}

// Explanations of violations: the two sides of a comparison, or another reason.
//
// Most callers only need to know whether a constraint holds, and check that millions of times, so the text is built
// only on demand.

/// The reason of a violation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ViolationSides<'f> {
    /// A finished text.
    Words(String),
    /// Two numbers.
    Numbers(&'f Comparison, i128, i128),
    /// Two tuples.
    Tuples(&'f Comparison, Vec<i128>, Vec<i128>),
    /// Two texts, arrays or rows, by their numbers or the codes of their letters.
    Sequences(&'f Comparison, Vec<i128>, Vec<i128>),
    /// No value of a quantifier's variable in this range satisfies the formula.
    ForNone(&'f str, i128, i128),
    /// The reason for one value of a quantifier's variable.
    ForValue(&'f str, i128, Box<ViolationSides<'f>>),
}

/// Maximum number of elements of a sequence shown in a message.
const MAX_SHOWN_NUMBERS: usize = 10;

impl ViolationSides<'_> {
    /// Returns the difference of the sides, if they are numbers.
    pub fn side_distance(&self) -> Option<u128> {
        match self {
            ViolationSides::Numbers(_, left, right) => Some(left.abs_diff(*right)),
            ViolationSides::ForValue(_, _, inner) => inner.side_distance(),
            _ => None,
        }
    }

    /// Returns the explanation as text.
    pub fn display_text(&self, format: &Format) -> String {
        match self {
            ViolationSides::Words(words) => words.clone(),
            ViolationSides::Numbers(comparison, left, right) => {
                format!("{} and {}", number_text(comparison, *left, format), number_text(comparison, *right, format))
            }
            ViolationSides::Tuples(comparison, left, right) => {
                let tuple = |numbers: &[i128]| {
                    numbers.iter().map(|n| number_text(comparison, *n, format)).collect::<Vec<_>>().join(", ")
                };
                format!("({}) and ({})", tuple(left), tuple(right))
            }
            ViolationSides::Sequences(comparison, left, right) => {
                let are_texts = comparison.all_operands().any(|e| is_text_expr(e, format));
                let whole = |numbers: &[i128]| {
                    if are_texts { text_of_codes(numbers) } else { row_text(comparison, numbers, format) }
                };
                format!("{} and {}", whole(left), whole(right))
            }
            ViolationSides::ForNone(name, from, to) => format!("for no {name} in {from}..{to}"),
            ViolationSides::ForValue(name, number, inner) => {
                format!("{name} = {number}: {}", inner.display_text(format))
            }
        }
    }
}

fn text_of_codes(codes: &[i128]) -> String {
    let letters: Vec<u8> = codes.iter().filter_map(|code| u8::try_from(*code).ok()).collect();
    format!("`{}`", shorten_text(&letters, 20))
}

fn row_text(comparison: &Comparison, numbers: &[i128], format: &Format) -> String {
    let shown = numbers.iter().take(MAX_SHOWN_NUMBERS).map(|n| number_text(comparison, *n, format));
    let more = (numbers.len() > MAX_SHOWN_NUMBERS).then(|| "...".to_owned());
    format!("({})", shown.chain(more).collect::<Vec<_>>().join(", "))
}

fn is_text_expr(side: &Expr, format: &Format) -> bool {
    side.any_part(&|part| match part {
        Expr::TextLiteral(_) => Some(true),
        Expr::Sequence(_) => None,
        Expr::Field(field) | Expr::Element(field, _) => Some(format.field(*field).alphabet().is_some()),
        _ => Some(false),
    })
}

/// Formats a number of a comparison: with its decimal point, or as the word that it stands for.
fn number_text(comparison: &Comparison, number: i128, format: &Format) -> String {
    match comparison.all_operands().find_map(|side| word_field(side, format)) {
        Some(words) => format!("`{}`", format.field(words).format_number(number)),
        None => format_decimal(number, comparison.decimals),
    }
}

fn word_field(side: &Expr, format: &Format) -> Option<FieldId> {
    side.find_part(&mut |part| match part {
        Expr::Sequence(_) => ControlFlow::Continue(()),
        Expr::Field(f) | Expr::Element(f, _) => {
            ControlFlow::Break(Some(*f).filter(|f| format.field(*f).word_choices().is_some()))
        }
        _ => ControlFlow::Break(None),
    })
}
