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

use crate::constraints::{ElementFreedom, StructureGoals, StructureSet};
use crate::language::{
    BlockId, BlockKind, Class as HowMet, Comparison, ComparisonOperator, Expr, FieldDimension, FieldId, Format,
    Interval, LayoutItem, reachable_range,
};
use crate::value::{self, Value, ValueScope, visit_scopes};

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
        for id in format.field_ids() {
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
                    let of = format!("len({})", field.name);
                    self.add_goal(CoverageGoalKind::Bound, of, what, CoverageTarget::Length(id, bound));
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
            let gap = if tight_gap(comparison.sign) == 1 { "one apart" } else { "equal" };
            let what = format!("{what} ({gap})");
            if !self.goals.iter().any(|(goal, _)| goal.subject == of && goal.kind == CoverageGoalKind::NearMiss) {
                self.add_goal(CoverageGoalKind::NearMiss, of, what, CoverageTarget::Tight(i));
            }
        }
    }

    fn add_form_goals(&mut self) {
        let format = self.format;
        for id in format.block_ids() {
            let block = format.block(id);
            let first = format.fields_in_block(id).next().map_or_else(String::new, |f| format.field(f).name.clone());
            match block.kind {
                BlockKind::Alternative => {
                    let what = format!("alternative {} of `either`", self.alternative_number(id));
                    self.add_goal(CoverageGoalKind::Form, first, what, CoverageTarget::Present(id, true));
                }
                BlockKind::Condition => {
                    let head = format.source_text(block.span);
                    let head = head.trim_end_matches(':');
                    for (is_present, state) in [(true, "present"), (false, "absent")] {
                        let target = CoverageTarget::Present(id, is_present);
                        self.add_goal(CoverageGoalKind::Form, head.to_owned(), format!("{head}: {state}"), target);
                    }
                }
                BlockKind::Root | BlockKind::Cases | BlockKind::Repeat => {}
            }
        }
    }

    fn add_structure_goals(&mut self) {
        for (subject, goals) in find_subjects(self.format) {
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

    /// Returns all goals with their counts, in the order of the format.
    pub fn goals(&self) -> impl Iterator<Item = &CoverageGoal> {
        self.goals.iter().map(|(goal, _)| goal)
    }
}

fn range_ends(range: Interval) -> Vec<i128> {
    if range.lo == range.hi { vec![range.lo] } else { vec![range.lo, range.hi] }
}

/// Returns the smallest possible difference between the sides of a comparison that holds.
fn tight_gap(sign: ComparisonOperator) -> u128 {
    match sign {
        ComparisonOperator::Less | ComparisonOperator::Greater | ComparisonOperator::NotEqual => 1,
        _ => 0,
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
    let wanted = tight_gap(comparison.sign);
    if let Some((left, right)) = comparison.single_operands() {
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

// Structures of arrays, texts and constraints: a path and a star among trees, sorted and reversed arrays, palindromes.
//
// Many bugs show up for one structure only: recursion as deep as a path, a pivot that a sorted array defeats. A
// structure is a goal only if the format certainly allows it: a goal that a constraint may rule out would be reported
// as missing forever. The structures of constraints are in the files of their kinds, those of arrays and texts here.

const SORTED: &str = "sorted";

const REVERSED: &str = "sorted in reverse";

const ALL_EQUAL: &str = "all equal";

const ALL_DIFFERENT: &str = "all different";

const PALINDROME: &str = "a palindrome";

/// A part of a format with a structure.
#[derive(Clone, Debug)]
enum StructureSubject {
    /// The numbers of an array.
    Numbers(FieldId),
    /// The characters of a text.
    Text(FieldId),
    /// The subject of the constraint with this index.
    Constraint(usize),
}

/// Minimum length of arrays and texts with a structure.
const MIN_LENGTH: usize = 3;

/// Returns all subjects of a format with their names, and the structures that the format allows.
fn find_subjects(format: &Format) -> Vec<(StructureSubject, StructureGoals)> {
    let mut found = Vec::new();
    for id in format.field_ids() {
        let field = format.field(id);
        if field.dimensions.len() != 1
            || field.word_choices().is_some()
            || length_range(format, id).hi < MIN_LENGTH as i128
        {
            continue;
        }
        let (subject, descriptions) = match field.alphabet() {
            Some(letters) if letters.len() > 1 => (StructureSubject::Text(id), possible_text_classes(format, id)),
            Some(_) => continue,
            None => (StructureSubject::Numbers(id), possible_array_classes(format, id)),
        };
        found.push((subject, StructureGoals { subject: field.name.clone(), descriptions }));
    }
    for (i, constraint) in format.constraints.iter().enumerate() {
        let max_sizes = constraint.rule.kind().named_field().map_or((1, 0), |field| max_sizes(format, field));
        let goals = constraint.rule.kind().structure_goals(format, max_sizes);
        found.extend(goals.map(|goals| (StructureSubject::Constraint(i), goals)));
    }
    found.retain(|(_, goals)| !goals.descriptions.is_empty());
    found
}

/// Returns the maximum number of rows and the maximum length of a row of a text or a board.
fn max_sizes(format: &Format, field: FieldId) -> (usize, usize) {
    let max_size = |from_last: usize| {
        let dimension = format.field(field).dimensions.len().checked_sub(from_last)?;
        Some(usize::try_from(dimension_range(format, field, dimension).hi).unwrap_or(usize::MAX))
    };
    (max_size(2).unwrap_or(1), max_size(1).unwrap_or(0))
}

/// Returns the range of the length of an array or a text of one dimension.
fn length_range(format: &Format, id: FieldId) -> Interval {
    dimension_range(format, id, format.field(id).dimensions.len().saturating_sub(1))
}

fn dimension_range(format: &Format, id: FieldId, dimension: usize) -> Interval {
    let field = format.field(id);
    match field.dimensions.get(dimension) {
        Some(FieldDimension::Free) => field.length,
        Some(FieldDimension::Size(Expr::Field(size))) => reachable_range(format, *size),
        Some(FieldDimension::Size(Expr::Constant(size))) => Interval::new(*size, *size),
        _ => Interval::new(0, i128::from(u32::MAX)),
    }
}

fn possible_array_classes(format: &Format, id: FieldId) -> Vec<&'static str> {
    let mut classes = vec![SORTED, REVERSED, ALL_EQUAL, ALL_DIFFERENT];
    let range = format.field(id).range;
    let (values, shortest) = (range.hi.saturating_sub(range.lo).saturating_add(1), length_range(format, id).lo);
    for constraint in format.constraints.iter().filter(|c| c.rule.mentions_field(id)) {
        match constraint.rule.kind().element_freedom(id) {
            // The sum of all elements may be too small for large ones, and too large for equal ones.
            ElementFreedom::Free if constraint.class == HowMet::Budget => {
                classes.retain(|class| !matches!(*class, ALL_EQUAL | ALL_DIFFERENT));
            }
            ElementFreedom::Free => {}
            ElementFreedom::Distinct => classes.retain(|class| matches!(*class, SORTED | REVERSED)),
            ElementFreedom::Ordered => classes.retain(|class| matches!(*class, ALL_EQUAL | ALL_DIFFERENT)),
            ElementFreedom::Unknown => return Vec::new(),
        }
    }
    classes.retain(|class| match *class {
        ALL_DIFFERENT => values >= shortest.max(MIN_LENGTH as i128),
        SORTED | REVERSED => values >= 2,
        _ => true,
    });
    classes
}

fn possible_text_classes(format: &Format, id: FieldId) -> Vec<&'static str> {
    let mut rules = format.constraints.iter().map(|c| &c.rule).filter(|rule| rule.mentions_field(id));
    let all_are_free = rules.all(|rule| rule.kind().element_freedom(id) == ElementFreedom::Free);
    if all_are_free { vec![ALL_EQUAL, PALINDROME] } else { Vec::new() }
}

impl StructureSubject {
    /// Returns the structures of this subject in an input; with several arrays or graphs, the structures of all of them.
    fn classify_value(&self, format: &Format, value: &Value) -> StructureSet {
        let mut found = StructureSet::default();
        let block = match self {
            StructureSubject::Numbers(id) | StructureSubject::Text(id) => format.field(*id).block,
            StructureSubject::Constraint(i) => format.constraints[*i].home_block,
        };
        visit_scopes(format, value, block, &mut |scope| match self {
            StructureSubject::Numbers(id) => {
                if let Some(Value::Ints(numbers)) = scope.field_value(*id) {
                    classify_array(numbers, &mut found);
                }
            }
            StructureSubject::Text(id) => {
                if let Some(Value::Text(letters)) = scope.field_value(*id) {
                    classify_text(letters, &mut found);
                }
            }
            StructureSubject::Constraint(i) => format.constraints[*i].rule.kind().collect_structures(scope, &mut found),
        });
        found
    }
}

fn classify_array(numbers: &[i128], found: &mut StructureSet) {
    if numbers.len() < MIN_LENGTH {
        return;
    }
    let is_flat = numbers.windows(2).all(|w| w[0] == w[1]);
    found.add_if(ALL_EQUAL, is_flat);
    found.add_if(SORTED, !is_flat && numbers.is_sorted());
    found.add_if(REVERSED, !is_flat && numbers.windows(2).all(|w| w[0] >= w[1]));
    if !found.contains(ALL_DIFFERENT) {
        let mut sorted = numbers.to_vec();
        sorted.sort_unstable();
        found.add_if(ALL_DIFFERENT, sorted.windows(2).all(|w| w[0] != w[1]));
    }
}

fn classify_text(letters: &[u8], found: &mut StructureSet) {
    if letters.len() < MIN_LENGTH {
        return;
    }
    let is_flat = letters.windows(2).all(|w| w[0] == w[1]);
    found.add_if(ALL_EQUAL, is_flat);
    found.add_if(PALINDROME, !is_flat && letters.iter().eq(letters.iter().rev()));
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests")]

    use super::*;
    use crate::coverage::CoverageGoalKind;
    use crate::language::Format;
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

    /// Returns the classes with the number of inputs that reach each: `sorted 1, all equal 0`.
    fn reached_classes(format: &str, inputs: &[&str]) -> String {
        let (format, _) = Format::parse(&SourceText::new("test", format)).unwrap();
        let mut coverage = Coverage::new(&format);
        inputs.iter().for_each(|input| coverage.count_input(&read_input(&format, input.as_bytes()).unwrap()));
        let goals = coverage.goals().filter(|goal| goal.kind == CoverageGoalKind::Structure);
        let goals = goals.map(|goal| format!("{} {}", goal.description, goal.inputs));
        goals.collect::<Vec<_>>().join(", ")
    }

    #[test]
    fn arrays_and_texts() {
        let array = "n; a[n] where 1<=n<=9; 1<=a<=9";
        for (inputs, wanted) in [
            (vec![], "a: sorted 0, a: sorted in reverse 0, a: all equal 0, a: all different 0"),
            (
                vec!["3\n1 2 3\n", "3\n3 3 1\n", "4\n2 2 2 2\n", "2\n1 2\n", "3\n1 3 2\n"],
                "a: sorted 1, a: sorted in reverse 1, a: all equal 1, a: all different 2",
            ),
        ] {
            assert_eq!(reached_classes(array, &inputs), wanted);
        }
        let text = "s where s over \"ab\"; 1<=len(s)<=9";
        assert_eq!(reached_classes(text, &["abba\n", "aaa\n", "ab\n", "a\n"]), "s: all equal 1, s: a palindrome 1");
    }

    #[test]
    fn classes_that_constraints_may_rule_out_are_no_goals() {
        for (format, wanted) in [
            ("n; a[n] where 1<=n<=2; 1<=a<=9", ""),
            ("n; a[n] where 1<=n<=9; 1<=a<=9; sorted(a)", "a: all equal 0, a: all different 0"),
            ("n; a[n] where 1<=n<=9; 1<=a<=9; increasing(a)", ""),
            ("n; a[n] where 1<=n<=9; a permutation of 1..n", "a: sorted 0, a: sorted in reverse 0"),
            ("n; a[n] where 5<=n<=9; 1<=a<=4", "a: sorted 0, a: sorted in reverse 0, a: all equal 0"),
            ("n; a[n] where 1<=n<=9; 1<=a<=9; forall i in 1..n-1: a[i] != a[i+1]", ""),
            ("s where 1<=len(s)<=9; s matches \"(ab)+\"", ""),
            ("s where s over \"a\"; 1<=len(s)<=9", ""),
        ] {
            assert_eq!(reached_classes(format, &[]), wanted, "{format}");
        }
    }

    #[test]
    fn trees_and_graphs() {
        let tree = "N\nrepeat N-1:\n    u v\nwhere:\n    1<=N<=9\n    edges (u, v) on 1..N: tree\n";
        let inputs = [
            "4\n1 2\n2 3\n3 4\n",
            "4\n1 2\n1 3\n1 4\n",
            "5\n1 2\n2 3\n3 4\n2 5\n",
            "7\n1 2\n2 3\n1 4\n4 5\n1 6\n6 7\n",
            "3\n1 2\n2 3\n",
        ];
        let of = |class: &str| format!("edges (u, v): {class}");
        let wanted = ["a path", "a star", "a caterpillar", "a tree that is not a caterpillar"].map(|c| of(c) + " 1");
        assert_eq!(reached_classes(tree, &inputs), wanted.join(", "));
        let graph = "N M\nrepeat M:\n    u v\nwhere:\n    1<=N<=9; 0<=M<=20\n    edges (u, v) on 1..N: simple\n";
        let inputs = ["3 3\n1 2\n2 3\n1 3\n", "4 2\n1 2\n3 4\n", "4 0\n"];
        let wanted = ["connected 1", "not connected 2", "bipartite 1", "not bipartite 1", "complete 1"];
        assert_eq!(reached_classes(graph, &inputs), wanted.map(of).join(", "));
        let connected = graph.replace("simple", "simple, connected").replace("0<=M", "N-1<=M");
        let wanted = ["bipartite 0", "not bipartite 0", "complete 0"];
        assert_eq!(reached_classes(&connected, &[]), wanted.map(of).join(", "));
        let directed = graph.replace("simple", "directed, loopless");
        let wanted = ["not connected 1", "with a cycle 1"];
        assert_eq!(reached_classes(&directed, &["3 3\n1 2\n2 3\n3 1\n", "3 1\n1 2\n"]), wanted.map(of).join(", "));
    }
}
