//! What a set of inputs reaches: the ends of every range, the nearest miss of every comparison, every alternative.
//!
//! A test set in which `N = 300` never occurs, or in which two cells are never neighbours where they must differ, lets
//! whole families of mistakes pass. So for everything that a format bounds this counts how often an input came up to it.

mod classes;

use crate::format::{BlockId, BlockKind, Comparison, Expr, FieldId, Format, Interval, Item, Rule, Sign, reach};
use crate::value::{self, Scope, Value, each_scope};
use classes::{Class, Classes, Subject};

/// Something that inputs can reach, and how often they did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Goal {
    /// What it is about, in the words of the format: `N`, `(Ax, Ay) != (Bx, By)`.
    pub of: String,
    /// What is to be reached: `N = 300`, `nearest miss`.
    pub what: String,
    /// The kind of goal.
    pub kind: GoalKind,
    /// In how many inputs it was reached.
    pub inputs: u64,
}

/// What kind of thing is reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GoalKind {
    /// An end of the range of a number or a length.
    Bound,
    /// A comparison that holds by as little as it can.
    NearMiss,
    /// One of several forms, or the presence or absence of lines.
    Form,
    /// A class of structure: a path among trees.
    Structure,
}

/// Counts over a set of inputs.
#[derive(Clone, Debug)]
pub struct Coverage<'a> {
    format: &'a Format,
    goals: Vec<(Goal, Target)>,
    /// What has a structure.
    subjects: Vec<Subject>,
    inputs: u64,
}

/// How it is told whether an input reaches a goal.
#[derive(Clone, Debug)]
enum Target {
    /// Some number of the field is this.
    Number(FieldId, i128),
    /// Some length of the field is this.
    Length(FieldId, i128),
    /// The comparison of that constraint is as tight as can be.
    Tight(usize),
    /// The block has this many instances somewhere: none, or at least one.
    Present(BlockId, bool),
    /// The subject of this number is of that class.
    Class(usize, Class),
}

impl<'a> Coverage<'a> {
    /// All goals of a format, none reached yet.
    pub fn new(format: &'a Format) -> Self {
        let mut coverage = Coverage { format, goals: Vec::new(), subjects: Vec::new(), inputs: 0 };
        coverage.bounds();
        coverage.near_misses();
        coverage.forms();
        coverage.structures();
        coverage
    }

    fn goal(&mut self, kind: GoalKind, of: String, what: String, target: Target) {
        self.goals.push((Goal { of, what, kind, inputs: 0 }, target));
    }

    fn bounds(&mut self) {
        let format = self.format;
        for id in (0..format.fields.len()).map(FieldId) {
            let field = format.field(id);
            if field.letters().is_none() && field.words().is_none() {
                for bound in ends(reach(format, id)) {
                    let what = format!("{} = {}", field.name, field.number_text(bound));
                    self.goal(GoalKind::Bound, field.name.clone(), what, Target::Number(id, bound));
                }
            }
            for (i, word) in field.words().unwrap_or_default().iter().enumerate() {
                let what = format!("{} = \"{}\"", field.name, String::from_utf8_lossy(word));
                self.goal(GoalKind::Form, field.name.clone(), what, Target::Number(id, i as i128));
            }
            if field.is_free() {
                for bound in ends(field.length) {
                    let what = format!("len({}) = {bound}", field.name);
                    self.goal(GoalKind::Bound, format!("len({})", field.name), what, Target::Length(id, bound));
                }
            }
        }
    }

    fn near_misses(&mut self) {
        for (i, constraint) in self.format.constraints.iter().enumerate() {
            let Rule::Compare(comparison) = &constraint.rule else { continue };
            // The ends of a range are bounds already; and what always holds to the point is no miss.
            let constant = |side: &[Expr]| matches!(side, [Expr::Constant(_)]);
            let plain = |side: &[Expr]| matches!(side, [Expr::Field(_) | Expr::Length(_)]);
            let bound = constant(&comparison.left) && plain(&comparison.right)
                || plain(&comparison.left) && constant(&comparison.right);
            if bound || comparison.sign == Sign::Equal {
                continue;
            }
            let of = self.format.text(constraint.span).split_whitespace().collect::<Vec<_>>().join(" ");
            let what = match comparison.sign {
                Sign::NotEqual => "sides next to each other",
                _ => "sides as near as allowed",
            };
            let what = format!("{what} ({})", sides(comparison.sign));
            if !self.goals.iter().any(|(goal, _)| goal.of == of && goal.kind == GoalKind::NearMiss) {
                self.goal(GoalKind::NearMiss, of, what, Target::Tight(i));
            }
        }
    }

    fn forms(&mut self) {
        let format = self.format;
        for id in (0..format.blocks.len()).map(BlockId) {
            let block = format.block(id);
            let first = format.fields_of(id).next().map_or_else(String::new, |f| format.field(f).name.clone());
            match block.kind {
                BlockKind::Alternative => {
                    let what = format!("form {} of `either`", self.number_of(id));
                    self.goal(GoalKind::Form, first, what, Target::Present(id, true));
                }
                BlockKind::Condition => {
                    let head = format.text(block.span);
                    let head = head.trim_end_matches(':').to_owned();
                    self.goal(GoalKind::Form, head.clone(), format!("{head}: there"), Target::Present(id, true));
                    self.goal(GoalKind::Form, head.clone(), format!("{head}: not there"), Target::Present(id, false));
                }
                BlockKind::Whole | BlockKind::Cases | BlockKind::Repeat => {}
            }
        }
    }

    fn structures(&mut self) {
        for (subject, name, classes) in classes::subjects(self.format) {
            let number = self.subjects.len();
            self.subjects.push(subject);
            for class in classes {
                let what = format!("{name}: {}", class.words());
                self.goal(GoalKind::Structure, name.clone(), what, Target::Class(number, class));
            }
        }
    }

    /// Which of its siblings an alternative is, from 1.
    fn number_of(&self, id: BlockId) -> usize {
        let parent = self.format.block(id).parent.unwrap_or(BlockId(0));
        let siblings = self.format.block(parent).items.iter().find_map(|item| match item {
            Item::Either(children) => children.iter().position(|child| *child == id),
            _ => None,
        });
        siblings.map_or(1, |i| i + 1)
    }

    /// Counts what an input reaches.
    pub fn take(&mut self, value: &Value) {
        self.inputs += 1;
        let classes: Vec<Classes> = self.subjects.iter().map(|subject| subject.classes(self.format, value)).collect();
        for (goal, target) in &mut self.goals {
            let is_reached = match target {
                Target::Class(subject, class) => classes[*subject].has(*class),
                target => reached(self.format, value, target),
            };
            goal.inputs += u64::from(is_reached);
        }
    }

    /// How many inputs were counted.
    pub fn inputs(&self) -> u64 {
        self.inputs
    }

    /// All goals with their counts, in the order of the format.
    pub fn goals(&self) -> impl Iterator<Item = &Goal> {
        self.goals.iter().map(|(goal, _)| goal)
    }
}

fn ends(range: Interval) -> Vec<i128> {
    if range.lo == range.hi { vec![range.lo] } else { vec![range.lo, range.hi] }
}

fn sides(sign: Sign) -> &'static str {
    match sign {
        Sign::Less | Sign::Greater | Sign::NotEqual => "one apart",
        _ => "equal",
    }
}

fn reached(format: &Format, value: &Value, target: &Target) -> bool {
    let block = match target {
        Target::Number(field, _) | Target::Length(field, _) => format.field(*field).block,
        Target::Tight(constraint) => format.constraints[*constraint].home,
        Target::Present(block, _) => format.block(*block).parent.unwrap_or(BlockId(0)),
        // These are told all at once.
        Target::Class(..) => return false,
    };
    let mut found = false;
    each_scope(format, value, block, &mut |scope| {
        found = found
            || match target {
                Target::Number(field, number) => scope.field(*field).is_some_and(|v| has_number(v, *number)),
                Target::Length(field, length) => scope.field(*field).is_some_and(|v| has_length(v, *length)),
                Target::Tight(constraint) => match &format.constraints[*constraint].rule {
                    Rule::Compare(comparison) => is_tight(comparison, scope),
                    _ => false,
                },
                Target::Present(child, wanted) => {
                    scope.instances(*child).is_some_and(|(_, list)| list.is_empty() != *wanted)
                }
                Target::Class(..) => false,
            };
    });
    found
}

fn has_number(value: &Value, wanted: i128) -> bool {
    match value {
        Value::Int(number) => *number == wanted,
        Value::Ints(numbers) => numbers.contains(&wanted),
        Value::Text(_) => false,
        nested => nested.parts().iter().any(|p| has_number(p, wanted)),
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

/// Whether a comparison that holds does so by as little as its sign allows, for some element.
fn is_tight(comparison: &Comparison, scope: &Scope<'_>) -> bool {
    let wanted: u128 = match comparison.sign {
        Sign::Less | Sign::Greater | Sign::NotEqual => 1,
        _ => 0,
    };
    if let ([left], [right]) = (&*comparison.left, &*comparison.right) {
        let numbers = |e: &Expr| {
            let several = value::is_array(e, scope);
            let found = if several { value::elements(e, scope) } else { value::number(e, scope).map(|n| vec![n]) };
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
    let number = |e: &Expr| value::number(e, scope).ok();
    let apart = comparison.left.iter().zip(&comparison.right).map(|(l, r)| Some(number(l)?.abs_diff(number(r)?)));
    apart.sum::<Option<u128>>() == Some(wanted)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests")]
    use super::*;
    use crate::diagnostic::Source;
    use crate::read::read;

    fn counts(format: &str, inputs: &[&str]) -> Vec<(String, u64)> {
        let (format, _) = Format::parse(&Source::new("test", format)).unwrap();
        let mut coverage = Coverage::new(&format);
        inputs.iter().for_each(|input| coverage.take(&read(&format, input.as_bytes()).unwrap()));
        coverage.goals().map(|goal| (goal.what.clone(), goal.inputs)).collect()
    }

    #[test]
    fn bounds_and_near_misses() {
        let format = "n x y; a[n] where 1<=n<=3; 0<=x,y<=5; x != y; 1<=a<=n";
        let found = counts(format, &["1 0 1\n1\n", "3 5 0\n1 2 3\n"]);
        let of = |what: &str| found.iter().find(|(w, _)| w == what).unwrap().1;
        assert_eq!((of("n = 1"), of("n = 3"), of("x = 0"), of("x = 5"), of("a = 3")), (1, 1, 1, 1, 1));
        assert_eq!(of("sides next to each other (one apart)"), 1);
        assert_eq!(of("sides as near as allowed (equal)"), 2);
    }

    #[test]
    fn alternatives_and_conditions() {
        let format = "t\nif t = 1:\n    x\neither:\n    1 l\n    2\nwhere:\n    0<=t<=1; 0<=x,l<=1";
        let found = counts(format, &["0\n1 0\n", "1\n0\n1 1\n"]);
        let of = |what: &str| found.iter().find(|(w, _)| w == what).unwrap().1;
        assert_eq!((of("form 1 of `either`"), of("form 2 of `either`")), (2, 0));
        assert_eq!((of("if t = 1: there"), of("if t = 1: not there")), (1, 1));
    }
}
