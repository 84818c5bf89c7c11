//! Validation of a whole value in a single traversal.
//!
//! Most constraints of a repeated line bound one of its numbers by an expression outside the line. These bounds are
//! computed once for the whole repetition, and each line is compared with them. The violated constraint is determined
//! only for a line that is out of bounds.

use super::{CompiledComparison, Violation, check_complete_constraint};
use crate::language::{BlockId, Comparison, ComparisonOperator, Constraint, Expr, Format, Interval};
use crate::value::{self, InstanceList, Value, ValueScope};

/// Returns the first violation in the order of constraints, and among those of one constraint the first in the input,
/// or `None` if the value is valid.
pub fn find_violation(format: &Format, value: &Value) -> Option<Violation> {
    find_violation_except(format, value, &|_| false)
}

/// Like [`find_violation`], skipping constraints that are known to hold.
pub fn find_violation_except(format: &Format, value: &Value, known: &dyn Fn(&Constraint) -> bool) -> Option<Violation> {
    find_violation_in(&ValueScope::for_input(format, value), known)
}

/// Returns true if the whole input in a scope is valid.
pub(crate) fn is_scope_valid(input: &ValueScope<'_>) -> bool {
    find_violation_in(input, &|_| false).is_none()
}

fn find_violation_in(input: &ValueScope<'_>, known: &dyn Fn(&Constraint) -> bool) -> Option<Violation> {
    let format = input.format;
    let unknown = || format.constraints.iter().enumerate().filter(|(_, constraint)| !known(constraint));
    let mut walk =
        ConstraintWalker { format, at_home: Vec::new(), children: Vec::new(), path: Vec::new(), found: None };
    let of_whole = unknown().filter(|(_, constraint)| constraint.home_block == BlockId(0));
    walk.check_constraints(input, of_whole.map(|(at, _)| at));
    if format.blocks.len() > 1 {
        walk.at_home = vec![Vec::new(); format.blocks.len()];
        unknown().for_each(|(at, constraint)| walk.at_home[constraint.home_block.0].push(at));
        walk.children = (0..format.blocks.len()).map(|block| format.child_blocks(BlockId(block)).collect()).collect();
        walk.check_child_blocks(input);
    }
    walk.found
}

struct ConstraintWalker<'f> {
    format: &'f Format,
    /// For each block, the constraints scoped to it.
    at_home: Vec<Vec<usize>>,
    children: Vec<Vec<BlockId>>,
    path: Vec<usize>,
    found: Option<Violation>,
}

impl ConstraintWalker<'_> {
    /// Checks constraints of an instance, as far as they come before the first known violation.
    fn check_constraints(&mut self, scope: &ValueScope<'_>, constraints: impl Iterator<Item = usize>) {
        for constraint in constraints {
            if self.found.as_ref().is_some_and(|found| found.constraint <= constraint) {
                return;
            }
            if let Some((element, sides)) = check_complete_constraint(&self.format.constraints[constraint], scope) {
                let (distance, sides) = (sides.side_distance(), sides.display_text(self.format));
                self.found = Some(Violation { constraint, path: self.path.clone(), element, sides, distance });
                return;
            }
        }
    }

    fn check_child_blocks(&mut self, scope: &ValueScope<'_>) {
        for at in 0..self.children[scope.block.0].len() {
            let child = self.children[scope.block.0][at];
            let slot = self.format.block(child).slot;
            let list = scope.child_instances(child);
            let has_constraints = !self.at_home[child.0].is_empty() || !self.children[child.0].is_empty();
            if !list.is_empty() && has_constraints {
                self.path.push(slot);
                self.check_instances(child, list, scope);
                self.path.pop();
            }
        }
    }

    fn check_instances(&mut self, child: BlockId, list: &InstanceList, holder: &ValueScope<'_>) {
        let own = self.at_home[child.0].clone();
        let bounds = InstanceBounds::for_block(child, &own, holder);
        let is_plain = bounds.others.is_empty() && self.children[child.0].is_empty();
        for (i, instance) in list.iter().enumerate() {
            let fits = bounds.are_satisfied_by(instance);
            if fits && is_plain {
                continue;
            }
            self.path.push(i);
            let scope = holder.for_instance(child, instance);
            if fits {
                self.check_constraints(&scope, bounds.constraints_to_check(&scope));
            } else {
                self.check_constraints(&scope, own.iter().copied());
            }
            self.check_child_blocks(&scope);
            self.path.pop();
        }
    }
}

/// The constraints scoped to a block, split into bounds on single numbers of each instance and others.
struct InstanceBounds {
    slots: Vec<(usize, Interval)>,
    /// The other constraints, with their compiled form.
    others: Vec<(usize, Option<CompiledComparison>)>,
}

impl InstanceBounds {
    fn for_block(child: BlockId, constraints: &[usize], holder: &ValueScope<'_>) -> InstanceBounds {
        let mut bounds = InstanceBounds { slots: Vec::new(), others: Vec::new() };
        for constraint in constraints {
            let rule = &holder.format.constraints[*constraint].rule;
            match rule.comparison().and_then(|comparison| instance_bound(child, comparison, holder)) {
                Some((slot, range)) => bounds.add_bound(slot, range),
                None => bounds.others.push((*constraint, CompiledComparison::from_rule(rule, holder.format))),
            }
        }
        bounds
    }

    fn add_bound(&mut self, slot: usize, range: Interval) {
        match self.slots.iter_mut().find(|(at, _)| *at == slot) {
            Some((_, known)) => *known = known.intersect(range),
            None => self.slots.push((slot, range)),
        }
    }

    /// Returns the others that do not certainly hold.
    fn constraints_to_check<'b>(&'b self, scope: &'b ValueScope<'_>) -> impl Iterator<Item = usize> + 'b {
        let holds =
            |check: &Option<CompiledComparison>| check.as_ref().is_some_and(|check| check.certainly_holds(scope));
        self.others.iter().filter(move |(_, check)| !holds(check)).map(|(constraint, _)| *constraint)
    }

    fn are_satisfied_by(&self, slots: &[Value]) -> bool {
        let holds = |(slot, range): &(usize, Interval)| match slots.get(*slot) {
            Some(Value::Int(number)) => range.contains_value(*number),
            _ => false,
        };
        self.slots.iter().all(holds)
    }
}

/// Converts a comparison to a bound on one number of an instance, if its other side is the same for all instances.
fn instance_bound(child: BlockId, comparison: &Comparison, holder: &ValueScope<'_>) -> Option<(usize, Interval)> {
    let (slot, sign, other) = comparison.find_operand(|side| {
        let Expr::Field(field) = side else { return None };
        let field = holder.format.field(*field);
        (field.block == child && field.is_scalar()).then_some(field.slot)
    })?;
    // A field inside the instance has no value outside of it.
    let other = value::evaluate_number(other, holder).ok()?;
    let all = Interval::new(i128::MIN, i128::MAX);
    let range = match sign {
        ComparisonOperator::Less => Interval::new(all.lo, other.checked_sub(1)?),
        ComparisonOperator::LessEqual => Interval::new(all.lo, other),
        ComparisonOperator::Greater => Interval::new(other.checked_add(1)?, all.hi),
        ComparisonOperator::GreaterEqual => Interval::new(other, all.hi),
        ComparisonOperator::Equal => Interval::from_value(other),
        ComparisonOperator::NotEqual => return None,
    };
    Some((slot, range))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests")]
    use super::*;
    use rebut_diagnostics::SourceText;
    use rebut_generators::Choices;

    const FORMAT: &str = "T; cases T: n m; repeat m: { u v; a[n] }; where 1<=T<=3; 1<=n,m<=4; 2<=u<=5; 1<=v<=n; u!=v; \
                          u+v<=8; 0<=a<=4; sum(u)<=12; v<4; distinct(a); distinct((u,v)); sum(n)<=7";

    fn random_value(c: &mut Choices) -> Value {
        let int = |c: &mut Choices| Value::Int(c.draw_range(1, 5));
        let list = |c: &mut Choices, each: &dyn Fn(&mut Choices) -> Vec<Value>| {
            let instances: Vec<Vec<Value>> = (0..c.draw_range(0, 3)).map(|_| each(c)).collect();
            Value::Instances(InstanceList::from_instances(instances.first().map_or(0, Vec::len), instances))
        };
        let line = move |c: &mut Choices| vec![int(c), int(c)];
        let case = move |c: &mut Choices| {
            let numbers = Value::Ints((0..c.draw_range(0, 4)).map(|_| c.draw_range(0, 5)).collect());
            vec![int(c), int(c), list(c, &line), numbers]
        };
        Value::Block(vec![int(c), list(c, &case)])
    }

    /// Finds all violations by checking every constraint everywhere.
    fn all_broken(scope: &ValueScope<'_>, path: &mut Vec<usize>, all: &mut Vec<(usize, Vec<usize>)>) {
        let format = scope.format;
        let own = format.constraints.iter().enumerate().filter(|(_, c)| c.home_block == scope.block);
        all.extend(
            own.filter(|(_, c)| check_complete_constraint(c, scope).is_some()).map(|(at, _)| (at, path.clone())),
        );
        for child in format.child_blocks(scope.block) {
            let slot = format.block(child).slot;
            for (i, instance) in scope.child_instances(child).iter().enumerate() {
                path.extend([slot, i]);
                all_broken(&scope.for_instance(child, instance), path, all);
                path.truncate(path.len() - 2);
            }
        }
    }

    #[test]
    fn single_walk_finds_the_first_violation() {
        let (format, _) = Format::parse(&SourceText::new("test", FORMAT)).unwrap();
        for seed in 0..2000 {
            let value = random_value(&mut Choices::from_seed(seed, 0));
            let mut all = Vec::new();
            all_broken(&ValueScope::for_input(&format, &value), &mut Vec::new(), &mut all);
            let found = find_violation(&format, &value).map(|found| (found.constraint, found.path));
            assert_eq!(found, all.into_iter().min(), "{value:?}");
        }
    }
}
