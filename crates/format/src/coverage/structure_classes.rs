//! Structures of arrays, texts and constraints: a path and a star among trees, sorted and reversed arrays, palindromes.
//!
//! Many bugs show up for one structure only: recursion as deep as a path, a pivot that a sorted array defeats. A
//! structure is a goal only if the format certainly allows it: a goal that a constraint may rule out would be reported
//! as missing forever. The structures of constraints are in the files of their kinds, those of arrays and texts here.

use crate::constraints::{ElementFreedom, StructureGoals, StructureSet};
use crate::language::{Class as HowMet, Expr, FieldDimension, FieldId, Format, Interval, reachable_range};
use crate::value::{Value, visit_scopes};

const SORTED: &str = "sorted";
const REVERSED: &str = "sorted in reverse";
const ALL_EQUAL: &str = "all equal";
const ALL_DIFFERENT: &str = "all different";
const PALINDROME: &str = "a palindrome";

/// A part of a format with a structure.
#[derive(Clone, Debug)]
pub(super) enum StructureSubject {
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
pub(super) fn find_subjects(format: &Format) -> Vec<(StructureSubject, StructureGoals)> {
    let mut found = Vec::new();
    for id in (0..format.fields.len()).map(FieldId) {
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

/// Returns the range of the size of a dimension.
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
    pub(super) fn classify_value(&self, format: &Format, value: &Value) -> StructureSet {
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
    use super::super::Coverage;
    use crate::coverage::CoverageGoalKind;
    use crate::language::Format;
    use crate::read::read_input;
    use rebut_diagnostics::SourceText;

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
