//! All constraints of a value in one walk over it.
//!
//! Most constraints of a repeated line only bound one of its numbers by something outside of it. These bounds are worked
//! out once for the whole repetition, and each line is then compared with them; what a line breaks in particular is
//! looked for only where it breaks something.

use super::{Check, Violation, broken_whole};
use crate::format::{BlockId, Comparison, Constraint, Expr, Format, Interval, Rule, Sign};
use crate::value::{self, Instances, Scope, Value};

/// The first violation in the order of constraints, and of its places the first; none if the value is valid.
pub fn violation(format: &Format, value: &Value) -> Option<Violation> {
    violation_besides(format, value, &|_| false)
}

/// The same, but for constraints that are known to hold.
pub fn violation_besides(format: &Format, value: &Value, known: &dyn Fn(&Constraint) -> bool) -> Option<Violation> {
    let mut at_home = vec![Vec::new(); format.blocks.len()];
    for (at, constraint) in format.constraints.iter().enumerate().filter(|(_, c)| !known(c)) {
        at_home[constraint.home.0].push(at);
    }
    let children = (0..format.blocks.len()).map(|block| format.children(BlockId(block)).collect()).collect();
    let mut walk = Walk { format, at_home, children, path: Vec::new(), found: None };
    let scope = Scope::whole(format, value);
    let whole = walk.at_home[0].clone();
    walk.constraints(&scope, whole.into_iter());
    walk.inside(&scope);
    walk.found
}

struct Walk<'f> {
    format: &'f Format,
    /// For each block, the constraints that are at home there.
    at_home: Vec<Vec<usize>>,
    children: Vec<Vec<BlockId>>,
    path: Vec<usize>,
    found: Option<Violation>,
}

impl Walk<'_> {
    /// Checks constraints of an instance, as far as they come before the first that is known to be violated.
    fn constraints(&mut self, scope: &Scope<'_>, constraints: impl Iterator<Item = usize>) {
        for constraint in constraints {
            if self.found.as_ref().is_some_and(|found| found.constraint <= constraint) {
                return;
            }
            if let Some((element, sides)) = broken_whole(&self.format.constraints[constraint], scope) {
                let (distance, sides) = (sides.distance(), sides.words(self.format));
                self.found = Some(Violation { constraint, path: self.path.clone(), element, sides, distance });
                return;
            }
        }
    }

    fn inside(&mut self, scope: &Scope<'_>) {
        for at in 0..self.children[scope.block.0].len() {
            let child = self.children[scope.block.0][at];
            let slot = self.format.block(child).slot;
            let list = scope.list(child);
            let says_something = !self.at_home[child.0].is_empty() || !self.children[child.0].is_empty();
            if !list.is_empty() && says_something {
                self.path.push(slot);
                self.instances(child, list, scope);
                self.path.pop();
            }
        }
    }

    fn instances(&mut self, child: BlockId, list: &Instances, holder: &Scope<'_>) {
        let own = self.at_home[child.0].clone();
        let bounds = Bounds::of(child, &own, holder);
        let is_plain = bounds.others.is_empty() && self.children[child.0].is_empty();
        for (i, instance) in list.iter().enumerate() {
            let fits = bounds.hold(instance);
            if fits && is_plain {
                continue;
            }
            self.path.push(i);
            let scope = holder.inner(child, instance);
            if fits {
                self.constraints(&scope, bounds.doubtful(&scope));
            } else {
                self.constraints(&scope, own.iter().copied());
            }
            self.inside(&scope);
            self.path.pop();
        }
    }
}

/// What the constraints at home in a block say of single numbers in each of its instances.
struct Bounds {
    slots: Vec<(usize, Interval)>,
    /// The constraints that say something else, and how they are looked at quickly.
    others: Vec<(usize, Option<Check>)>,
}

impl Bounds {
    fn of(child: BlockId, constraints: &[usize], holder: &Scope<'_>) -> Bounds {
        let mut bounds = Bounds { slots: Vec::new(), others: Vec::new() };
        for constraint in constraints {
            let rule = &holder.format.constraints[*constraint].rule;
            let found = match rule {
                Rule::Compare(comparison) => bound(child, comparison, holder),
                _ => None,
            };
            match found {
                Some((slot, range)) => bounds.add(slot, range),
                None => bounds.others.push((*constraint, Check::of_rule(rule, holder.format))),
            }
        }
        bounds
    }

    fn add(&mut self, slot: usize, range: Interval) {
        match self.slots.iter_mut().find(|(at, _)| *at == slot) {
            Some((_, known)) => *known = known.intersect(range),
            None => self.slots.push((slot, range)),
        }
    }

    /// The others that do not surely hold.
    fn doubtful<'b>(&'b self, scope: &'b Scope<'_>) -> impl Iterator<Item = usize> + 'b {
        let holds = |check: &Option<Check>| check.as_ref().is_some_and(|check| check.holds(scope));
        self.others.iter().filter(move |(_, check)| !holds(check)).map(|(constraint, _)| *constraint)
    }

    fn hold(&self, slots: &[Value]) -> bool {
        let holds = |(slot, range): &(usize, Interval)| match slots.get(*slot) {
            Some(Value::Int(number)) => range.contains(*number),
            _ => false,
        };
        self.slots.iter().all(holds)
    }
}

/// A comparison as a bound on one number of an instance, if its other side is the same for all instances.
fn bound(child: BlockId, comparison: &Comparison, holder: &Scope<'_>) -> Option<(usize, Interval)> {
    let ([left], [right]) = (&*comparison.left, &*comparison.right) else { return None };
    let own = |expr: &Expr| match expr {
        Expr::Field(field) => {
            let field = holder.format.field(*field);
            (field.block == child && field.is_scalar()).then_some(field.slot)
        }
        _ => None,
    };
    let (slot, sign, other) = match (own(left), own(right)) {
        (Some(slot), None) => (slot, comparison.sign, right),
        (None, Some(slot)) => (slot, comparison.sign.mirrored(), left),
        _ => return None,
    };
    // What is within the instance has no value outside of it.
    let other = value::number(other, holder).ok()?;
    let all = Interval::new(i128::MIN, i128::MAX);
    let range = match sign {
        Sign::Less => Interval::new(all.lo, other.checked_sub(1)?),
        Sign::LessEqual => Interval::new(all.lo, other),
        Sign::Greater => Interval::new(other.checked_add(1)?, all.hi),
        Sign::GreaterEqual => Interval::new(other, all.hi),
        Sign::Equal => Interval::point(other),
        Sign::NotEqual => return None,
    };
    Some((slot, range))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests")]
    use super::*;
    use crate::diagnostic::Source;
    use rebut_generators::Choices;

    const FORMAT: &str = "T; cases T: n m; repeat m: { u v; a[n] }; where 1<=T<=3; 1<=n,m<=4; 2<=u<=5; 1<=v<=n; u!=v; \
                          u+v<=8; 0<=a<=4; sum(u)<=12; v<4; distinct(a); distinct((u,v)); sum(n)<=7";

    fn small(c: &mut Choices) -> Value {
        let int = |c: &mut Choices| Value::Int(c.range(1, 5));
        let list = |c: &mut Choices, each: &dyn Fn(&mut Choices) -> Vec<Value>| {
            let instances: Vec<Vec<Value>> = (0..c.range(0, 3)).map(|_| each(c)).collect();
            Value::Instances(Instances::of(instances.first().map_or(0, Vec::len), instances))
        };
        let line = move |c: &mut Choices| vec![int(c), int(c)];
        let case = move |c: &mut Choices| {
            let numbers = Value::Ints((0..c.range(0, 4)).map(|_| c.range(0, 5)).collect());
            vec![int(c), int(c), list(c, &line), numbers]
        };
        Value::Block(vec![int(c), list(c, &case)])
    }

    /// Everything that is broken anywhere, by looking everywhere.
    fn all_broken(scope: &Scope<'_>, path: &mut Vec<usize>, all: &mut Vec<(usize, Vec<usize>)>) {
        let format = scope.format;
        let own = format.constraints.iter().enumerate().filter(|(_, c)| c.home == scope.block);
        all.extend(own.filter(|(_, c)| broken_whole(c, scope).is_some()).map(|(at, _)| (at, path.clone())));
        for child in format.children(scope.block) {
            let slot = format.block(child).slot;
            for (i, instance) in scope.list(child).iter().enumerate() {
                path.extend([slot, i]);
                all_broken(&scope.inner(child, instance), path, all);
                path.truncate(path.len() - 2);
            }
        }
    }

    #[test]
    fn one_walk_finds_what_looking_everywhere_finds_first() {
        let (format, _) = Format::parse(&Source::new("test", FORMAT)).unwrap();
        for seed in 0..2000 {
            let value = small(&mut Choices::fresh(seed, 0));
            let mut all = Vec::new();
            all_broken(&Scope::whole(&format, &value), &mut Vec::new(), &mut all);
            let found = violation(&format, &value).map(|found| (found.constraint, found.path));
            assert_eq!(found, all.into_iter().min(), "{value:?}");
        }
    }
}
