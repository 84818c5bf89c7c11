//! Coverage of a set of inputs: the ends of every range, the nearest miss of every comparison, every alternative.
//!
//! A test set in which `N = 300` never occurs, or in which two cells are never adjacent where they must differ, lets
//! whole families of bugs pass. So [`Coverage`] derives a list of goals from a format, and counts how many inputs reach
//! each of them.
//!
//! ```
//! use rebut_format::coverage::Coverage;
//! use rebut_diagnostics::SourceText;
//! use rebut_format::language::Format;
//! use rebut_format::read::read_input;
//!
//! let source = SourceText::new("example", "n; a[n] where 1 <= n <= 8; 0 <= a <= 9");
//! let (format, _) = Format::parse(&source).expect("a valid format");
//! let mut coverage = Coverage::new(&format);
//! coverage.count_input(&read_input(&format, b"1\n9\n").expect("an input of the format"));
//! let reached: Vec<_> = coverage.goals().filter(|goal| goal.inputs > 0).map(|goal| &goal.description).collect();
//! assert_eq!(reached, ["n = 1", "a = 9"]);
//! ```

mod structure_classes;

use crate::constraints::StructureSet;
use crate::language::{
    BlockId, BlockKind, Comparison, ComparisonOperator, Expr, FieldId, Format, Interval, LayoutItem, reachable_range,
};
use crate::value::{self, Value, ValueScope, visit_scopes};
use structure_classes::StructureSubject;

/// A goal, and the number of inputs that reached it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CoverageGoal {
    /// The part of the format that the goal is about: `N`, `(Ax, Ay) != (Bx, By)`.
    pub subject: String,
    /// The goal to reach: `N = 300`, `nearest miss`.
    pub description: String,
    /// The kind of goal.
    pub kind: CoverageGoalKind,
    /// Number of inputs that reached it.
    pub inputs: u64,
}

/// The kind of a goal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CoverageGoalKind {
    /// An end of the range of a number or a length.
    Bound,
    /// A comparison that holds with the smallest possible margin.
    NearMiss,
    /// One of several alternatives, or the presence or absence of lines.
    Form,
    /// A structure class: a path among trees.
    Structure,
}

/// Collects coverage over a set of inputs.
#[derive(Clone, Debug)]
pub struct Coverage<'a> {
    format: &'a Format,
    goals: Vec<(CoverageGoal, CoverageTarget)>,
    /// The fields and constraints with a structure.
    subjects: Vec<StructureSubject>,
    inputs: u64,
}

/// The condition for reaching a goal.
#[derive(Clone, Debug)]
enum CoverageTarget {
    /// Some number of the field has this value.
    Number(FieldId, i128),
    /// Some length of the field has this value.
    Length(FieldId, i128),
    /// The constraint with this index is a comparison that holds with the smallest possible margin.
    Tight(usize),
    /// The block has an instance somewhere, or none, depending on the flag.
    Present(BlockId, bool),
    /// The subject with this index has the structure.
    Structure(usize, &'static str),
}

impl<'a> Coverage<'a> {
    /// Creates all goals of a format, none of them reached.
    pub fn new(format: &'a Format) -> Self {
        let mut coverage = Coverage { format, goals: Vec::new(), subjects: Vec::new(), inputs: 0 };
        coverage.add_bound_goals();
        coverage.add_near_miss_goals();
        coverage.add_form_goals();
        coverage.add_structure_goals();
        coverage
    }

    fn add_goal(&mut self, kind: CoverageGoalKind, of: String, what: String, target: CoverageTarget) {
        self.goals.push((CoverageGoal { subject: of, description: what, kind, inputs: 0 }, target));
    }

    fn add_bound_goals(&mut self) {
        let format = self.format;
        for id in (0..format.fields.len()).map(FieldId) {
            let field = format.field(id);
            if field.alphabet().is_none() && field.word_choices().is_none() {
                for bound in range_ends(reachable_range(format, id)) {
                    let what = format!("{} = {}", field.name, field.format_number(bound));
                    self.add_goal(CoverageGoalKind::Bound, field.name.clone(), what, CoverageTarget::Number(id, bound));
                }
            }
            for (i, word) in field.word_choices().unwrap_or_default().iter().enumerate() {
                let what = format!("{} = \"{}\"", field.name, String::from_utf8_lossy(word));
                self.add_goal(CoverageGoalKind::Form, field.name.clone(), what, CoverageTarget::Number(id, i as i128));
            }
            if field.has_free_length() {
                for bound in range_ends(field.length) {
                    let what = format!("len({}) = {bound}", field.name);
                    self.add_goal(
                        CoverageGoalKind::Bound,
                        format!("len({})", field.name),
                        what,
                        CoverageTarget::Length(id, bound),
                    );
                }
            }
        }
    }

    fn add_near_miss_goals(&mut self) {
        for (i, constraint) in self.format.constraints.iter().enumerate() {
            let Some(comparison) = constraint.rule.comparison() else { continue };
            // The ends of a range are bounds already, and a comparison that always holds exactly has no margin.
            let constant = |side: &[Expr]| matches!(side, [Expr::Constant(_)]);
            let plain = |side: &[Expr]| matches!(side, [Expr::Field(_) | Expr::Length(_)]);
            let bound = constant(&comparison.left) && plain(&comparison.right)
                || plain(&comparison.left) && constant(&comparison.right);
            if bound || comparison.sign == ComparisonOperator::Equal {
                continue;
            }
            let of = self.format.source_text(constraint.span).split_whitespace().collect::<Vec<_>>().join(" ");
            let what = match comparison.sign {
                ComparisonOperator::NotEqual => "sides as close as possible",
                _ => "sides as close as allowed",
            };
            let what = format!("{what} ({})", tight_sides_text(comparison.sign));
            if !self.goals.iter().any(|(goal, _)| goal.subject == of && goal.kind == CoverageGoalKind::NearMiss) {
                self.add_goal(CoverageGoalKind::NearMiss, of, what, CoverageTarget::Tight(i));
            }
        }
    }

    fn add_form_goals(&mut self) {
        let format = self.format;
        for id in (0..format.blocks.len()).map(BlockId) {
            let block = format.block(id);
            let first = format.fields_in_block(id).next().map_or_else(String::new, |f| format.field(f).name.clone());
            match block.kind {
                BlockKind::Alternative => {
                    let what = format!("alternative {} of `either`", self.alternative_number(id));
                    self.add_goal(CoverageGoalKind::Form, first, what, CoverageTarget::Present(id, true));
                }
                BlockKind::Condition => {
                    let head = format.source_text(block.span);
                    let head = head.trim_end_matches(':').to_owned();
                    self.add_goal(
                        CoverageGoalKind::Form,
                        head.clone(),
                        format!("{head}: present"),
                        CoverageTarget::Present(id, true),
                    );
                    self.add_goal(
                        CoverageGoalKind::Form,
                        head.clone(),
                        format!("{head}: absent"),
                        CoverageTarget::Present(id, false),
                    );
                }
                BlockKind::Root | BlockKind::Cases | BlockKind::Repeat => {}
            }
        }
    }

    fn add_structure_goals(&mut self) {
        for (subject, goals) in structure_classes::find_subjects(self.format) {
            let number = self.subjects.len();
            self.subjects.push(subject);
            for description in goals.descriptions {
                let what = format!("{}: {description}", goals.subject);
                let target = CoverageTarget::Structure(number, description);
                self.add_goal(CoverageGoalKind::Structure, goals.subject.clone(), what, target);
            }
        }
    }

    /// Returns the number of an alternative among its siblings, from 1.
    fn alternative_number(&self, id: BlockId) -> usize {
        let parent = self.format.block(id).parent.unwrap_or(BlockId(0));
        let siblings = self.format.block(parent).items.iter().find_map(|item| match item {
            LayoutItem::Either(children) => children.iter().position(|child| *child == id),
            _ => None,
        });
        siblings.map_or(1, |i| i + 1)
    }

    /// Counts the goals that an input reaches.
    pub fn count_input(&mut self, value: &Value) {
        self.inputs += 1;
        let structures: Vec<StructureSet> =
            self.subjects.iter().map(|subject| subject.classify_value(self.format, value)).collect();
        for (goal, target) in &mut self.goals {
            let is_reached = match target {
                CoverageTarget::Structure(subject, description) => structures[*subject].contains(description),
                target => reaches_target(self.format, value, target),
            };
            goal.inputs += u64::from(is_reached);
        }
    }

    /// Returns the format.
    pub fn format(&self) -> &'a Format {
        self.format
    }

    /// Returns the number of inputs counted.
    pub fn input_count(&self) -> u64 {
        self.inputs
    }

    /// Returns all goals with their counts, in the order of the format.
    pub fn goals(&self) -> impl Iterator<Item = &CoverageGoal> {
        self.goals.iter().map(|(goal, _)| goal)
    }
}

fn range_ends(range: Interval) -> Vec<i128> {
    if range.lo == range.hi { vec![range.lo] } else { vec![range.lo, range.hi] }
}

fn tight_sides_text(sign: ComparisonOperator) -> &'static str {
    match sign {
        ComparisonOperator::Less | ComparisonOperator::Greater | ComparisonOperator::NotEqual => "one apart",
        _ => "equal",
    }
}

fn reaches_target(format: &Format, value: &Value, target: &CoverageTarget) -> bool {
    let block = match target {
        CoverageTarget::Number(field, _) | CoverageTarget::Length(field, _) => format.field(*field).block,
        CoverageTarget::Tight(constraint) => format.constraints[*constraint].home_block,
        CoverageTarget::Present(block, _) => format.block(*block).parent.unwrap_or(BlockId(0)),
        // Structures are counted per subject instead.
        CoverageTarget::Structure(..) => return false,
    };
    let mut found = false;
    visit_scopes(format, value, block, &mut |scope| {
        found = found
            || match target {
                CoverageTarget::Number(field, number) => {
                    scope.field_value(*field).is_some_and(|v| has_number(v, *number))
                }
                CoverageTarget::Length(field, length) => {
                    scope.field_value(*field).is_some_and(|v| has_length(v, *length))
                }
                CoverageTarget::Tight(constraint) => format.constraints[*constraint]
                    .rule
                    .comparison()
                    .is_some_and(|comparison| is_tight(comparison, scope)),
                CoverageTarget::Present(child, wanted) => {
                    scope.instances_of(*child).is_some_and(|(_, list)| list.is_empty() != *wanted)
                }
                CoverageTarget::Structure(..) => false,
            };
    });
    found
}

fn has_number(value: &Value, wanted: i128) -> bool {
    match value {
        Value::Int(number) => *number == wanted,
        Value::Ints(numbers) => numbers.contains(&wanted),
        Value::Text(_) => false,
        nested => nested.child_values().iter().any(|p| has_number(p, wanted)),
    }
}

fn has_length(value: &Value, wanted: i128) -> bool {
    match value {
        Value::Text(letters) => letters.len() as i128 == wanted,
        Value::Ints(numbers) => numbers.len() as i128 == wanted,
        Value::List(rows) => rows.iter().any(|row| has_length(row, wanted)),
        Value::Int(_) | Value::Instances(_) | Value::Block(_) => false,
    }
}

/// Returns true if a comparison that holds does so with the smallest possible margin, for some element.
fn is_tight(comparison: &Comparison, scope: &ValueScope<'_>) -> bool {
    let wanted: u128 = match comparison.sign {
        ComparisonOperator::Less | ComparisonOperator::Greater | ComparisonOperator::NotEqual => 1,
        _ => 0,
    };
    if let ([left], [right]) = (&*comparison.left, &*comparison.right) {
        let numbers = |e: &Expr| {
            let several = value::is_array_expr(e, scope);
            let found = if several {
                value::evaluate_elements(e, scope)
            } else {
                value::evaluate_number(e, scope).map(|n| vec![n])
            };
            found.ok().map(|numbers| (numbers, several))
        };
        let (Some(left), Some(right)) = (numbers(left), numbers(right)) else { return false };
        let count = if left.1 { left.0.len() } else { right.0.len() };
        let pick = |side: &(Vec<i128>, bool), i: usize| side.0.get(if side.1 { i } else { 0 }).copied();
        return (0..count).any(|i| match (pick(&left, i), pick(&right, i)) {
            (Some(a), Some(b)) => a.abs_diff(b) == wanted,
            _ => false,
        });
    }
    let number = |e: &Expr| value::evaluate_number(e, scope).ok();
    let distances = comparison.left.iter().zip(&comparison.right).map(|(l, r)| Some(number(l)?.abs_diff(number(r)?)));
    distances.sum::<Option<u128>>() == Some(wanted)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests")]
    use super::*;
    use crate::read::read_input;
    use rebut_diagnostics::SourceText;

    fn goal_counts(format: &str, inputs: &[&str]) -> Vec<(String, u64)> {
        let (format, _) = Format::parse(&SourceText::new("test", format)).unwrap();
        let mut coverage = Coverage::new(&format);
        inputs.iter().for_each(|input| coverage.count_input(&read_input(&format, input.as_bytes()).unwrap()));
        coverage.goals().map(|goal| (goal.description.clone(), goal.inputs)).collect()
    }

    #[test]
    fn bounds_and_near_misses() {
        let format = "n x y; a[n] where 1<=n<=3; 0<=x,y<=5; x != y; 1<=a<=n";
        let found = goal_counts(format, &["1 0 1\n1\n", "3 5 0\n1 2 3\n"]);
        let of = |what: &str| found.iter().find(|(w, _)| w == what).unwrap().1;
        assert_eq!((of("n = 1"), of("n = 3"), of("x = 0"), of("x = 5"), of("a = 3")), (1, 1, 1, 1, 1));
        assert_eq!(of("sides as close as possible (one apart)"), 1);
        assert_eq!(of("sides as close as allowed (equal)"), 2);
    }

    #[test]
    fn alternatives_and_conditions() {
        let format = "t\nif t = 1:\n    x\neither:\n    1 l\n    2\nwhere:\n    0<=t<=1; 0<=x,l<=1";
        let found = goal_counts(format, &["0\n1 0\n", "1\n0\n1 1\n"]);
        let of = |what: &str| found.iter().find(|(w, _)| w == what).unwrap().1;
        assert_eq!((of("alternative 1 of `either`"), of("alternative 2 of `either`")), (2, 0));
        assert_eq!((of("if t = 1: present"), of("if t = 1: absent")), (1, 1));
    }
}
