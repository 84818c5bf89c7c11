//! Numbers and texts that some repetitions lack, moved until what is said of all of them together holds.
//!
//! How many there are is known only once every repetition is drawn, so they are drawn without regard to each other. Then one
//! after the other is drawn again, or moved by as much as is missing, as long as that brings a constraint nearer to
//! holding. What is left over counts as a failed try.

use super::instance::{Maker, Partial, complete};
use crate::format::{BlockId, Comparison, Constraint, Expr, FieldId, Fold, Format, Occurrences, Over, Rule, Sign};
use crate::validate::{broken, compares, holds_within};
use crate::value::{self, Scope, Slots, Value, each_occurrence};

/// Number of times that something is moved for one constraint, at least.
const MOVES: usize = 200;

/// Number of times that an occurrence is looked at for one constraint, at most.
const MOST_LOOKS: usize = 2_000_000;

/// An occurrence's place from the holder, the field that is moved there, and what it becomes.
type Move = (Vec<usize>, FieldId, Value);

/// Where an instance stands that holds occurrences.
struct Holder<'h> {
    format: &'h Format,
    block: BlockId,
    outer: Option<&'h Scope<'h>>,
}

impl Holder<'_> {
    fn scope<'s>(&'s self, slots: &'s [Value]) -> Scope<'s> {
        Scope { format: self.format, block: self.block, slots: Slots::Known(slots), outer: self.outer, variables: &[] }
    }
}

/// Returns what a constraint takes together, where some repetitions lack it.
pub(super) fn taken_together(constraint: &Constraint) -> Option<Over> {
    let of_rule = match &constraint.rule {
        Rule::Distinct(_, over) | Rule::Ordered(_, _, over) | Rule::DistinctTexts(_, over) => Some(*over),
        Rule::Compare(comparison) => comparison.left.iter().chain(&comparison.right).find_map(folded_occurrences),
        Rule::Formula(_) | Rule::Graph(_) | Rule::Matches(..) => None,
    };
    of_rule.filter(|over| matches!(over, Over::Occurrences(_)))
}

fn folded_occurrences(expr: &Expr) -> Option<Over> {
    match expr {
        Expr::Fold(_, over @ Over::Occurrences(_), _) => Some(*over),
        Expr::Fold(_, _, inner) | Expr::Minus(inner) | Expr::Whole(inner) => folded_occurrences(inner),
        Expr::Binary(_, left, right) => folded_occurrences(left).or_else(|| folded_occurrences(right)),
        Expr::Constant(_) | Expr::Field(_) | Expr::Length(_) | Expr::Variable(_) => None,
        Expr::Letters(_) | Expr::Element(..) => None,
    }
}

impl Maker<'_, '_> {
    /// Moves numbers and texts in the blocks inside an instance until the constraints at home in its block hold that take them
    /// together, if that succeeds.
    pub(super) fn settle_occurrences(&mut self, block: BlockId, slots: &mut Partial, outer: Option<&Scope<'_>>) {
        if !self.plan.parts(block).has_occurrences {
            return;
        }
        self.unprove();
        let format = self.plan.format;
        let mut root = Value::Block(complete(std::mem::take(slots)));
        for at in self.plan.at_home(block) {
            let constraint = &format.constraints[*at];
            if let Some(over) = taken_together(constraint) {
                self.settle(constraint, over, block, &mut root, outer);
            }
        }
        if let Value::Block(known) = root {
            *slots = known.into_iter().map(Some).collect();
        }
    }

    fn settle(
        &mut self,
        constraint: &Constraint,
        over: Over,
        block: BlockId,
        root: &mut Value,
        outer: Option<&Scope<'_>>,
    ) {
        let format = self.plan.format;
        let holder = Holder { format, block, outer };
        let movable = self.movable(constraint, over);
        let count = count_of(&holder.scope(root.slots()), over);
        if movable.is_empty() || count == 0 {
            return;
        }
        for _ in 0..(MOVES + 2 * count).min(MOST_LOOKS / count) {
            if let Rule::Ordered(Expr::Field(field), sign, _) = &constraint.rule {
                let (places, mut numbers) = numbers_of(&holder.scope(root.slots()), *field, over);
                numbers.sort_unstable();
                if matches!(sign, Sign::Greater | Sign::GreaterEqual) {
                    numbers.reverse();
                }
                let slot = format.field(*field).slot;
                for (path, number) in places.iter().zip(numbers) {
                    let place = root.instance_at_mut(path).and_then(|instance| instance.get_mut(slot));
                    place.into_iter().for_each(|place| *place = Value::Int(number));
                }
            }
            let scope = holder.scope(root.slots());
            let Some((element, _)) = broken(constraint, &scope) else { return };
            let target = element.unwrap_or_else(|| self.choices.index(count));
            let Some(field) = self.choices.pick(&movable).copied() else { return };
            let before = missing(&constraint.rule, &scope);
            let Some((path, field, new)) = self.moved(&constraint.rule, over, target, field, &scope) else { continue };
            let slot = format.field(field).slot;
            let Some(place) = root.instance_at_mut(&path).and_then(|instance| instance.get_mut(slot)) else { return };
            let old = std::mem::replace(place, new);
            if missing(&constraint.rule, &holder.scope(root.slots())) > before
                && let Some(place) = root.instance_at_mut(&path).and_then(|instance| instance.get_mut(slot))
            {
                *place = old;
            }
        }
    }

    /// The fields that can be moved without changing any size.
    fn movable(&self, constraint: &Constraint, over: Over) -> Vec<FieldId> {
        let Over::Occurrences(Occurrences { block, .. }) = over else { return Vec::new() };
        let is_movable = |field: &FieldId| constraint.rule.mentions(*field) && !self.plan.is_size(*field);
        self.plan.format.fields_of(block).filter(is_movable).collect()
    }

    /// Returns another value of a field in one occurrence with which the occurrence satisfies what is said of it alone.
    fn moved(&mut self, rule: &Rule, over: Over, target: usize, field: FieldId, scope: &Scope<'_>) -> Option<Move> {
        let off = if let Rule::Compare(comparison) = rule { distance(comparison, scope) } else { None };
        let (mut found, mut at) = (None, 0);
        let known = each_occurrence(scope, over, &mut |path, inner| {
            if at == target {
                found = self.another(rule, off, field, inner).map(|new| (path.to_vec(), field, new));
            }
            at += 1;
            Ok(())
        });
        known.ok().and(found)
    }

    fn another(&mut self, rule: &Rule, off: Option<i128>, field: FieldId, inner: &Scope<'_>) -> Option<Value> {
        let format = self.plan.format;
        let slot = format.field(field).slot;
        let mut slots: Partial = (0..format.block(inner.block).slots).map(|slot| inner.slot(slot).cloned()).collect();
        let old = slots.get_mut(slot)?.take()?;
        let known = Scope { slots: Slots::Partial(&slots), ..*inner };
        let new = match old.as_int() {
            Some(number) => {
                let aims = self.aims(rule, off, number);
                match self.choices.pick(&aims).copied().filter(|_| self.choices.chance(1, 2)) {
                    Some(aim) => Value::Int(self.range_left(field, &known, &[]).ok()?.nearest(aim)),
                    None => Value::Int(self.scalar(field, inner.block, &slots, inner.outer, &[], usize::MAX).ok()?),
                }
            }
            None => self.array(field, &known, &[], usize::MAX).ok()?,
        };
        slots[slot] = Some(new.clone());
        let instance = complete(slots);
        holds_within(format, inner.block, &instance, inner.outer?).then_some(new)
    }

    /// Numbers by which a comparison may come to hold: further on by as much as is missing, or what is counted.
    fn aims(&self, rule: &Rule, off: Option<i128>, number: i128) -> Vec<i128> {
        let mut aims: Vec<i128> =
            off.into_iter().flat_map(|off| [number.saturating_add(off), number.saturating_sub(off)]).collect();
        for expr in rule.exprs() {
            if let Expr::Fold(Fold::Count(wanted), ..) | Expr::Constant(wanted) = expr {
                aims.push(*wanted);
            }
        }
        aims
    }
}

fn count_of(scope: &Scope<'_>, over: Over) -> usize {
    let mut count = 0;
    let known = each_occurrence(scope, over, &mut |_, _| {
        count += 1;
        Ok(())
    });
    if known.is_ok() { count } else { 0 }
}

/// Returns where the numbers of a field stand, and the numbers themselves.
fn numbers_of(scope: &Scope<'_>, field: FieldId, over: Over) -> (Vec<Vec<usize>>, Vec<i128>) {
    let (mut places, mut numbers) = (Vec::new(), Vec::new());
    let known = each_occurrence(scope, over, &mut |path, inner| {
        if let Some(number) = inner.field(field).and_then(Value::as_int) {
            places.push(path.to_vec());
            numbers.push(number);
        }
        Ok(())
    });
    if known.is_ok() { (places, numbers) } else { (Vec::new(), Vec::new()) }
}

/// How far a rule is from holding: nothing if it holds.
fn missing(rule: &Rule, scope: &Scope<'_>) -> i128 {
    match rule {
        Rule::Compare(comparison) if compares(comparison, scope) => 0,
        Rule::Compare(comparison) => distance(comparison, scope).map_or(i128::MAX, |off| off.saturating_add(1)),
        _ => 0,
    }
}

fn distance(comparison: &Comparison, scope: &Scope<'_>) -> Option<i128> {
    let ([left], [right]) = (&*comparison.left, &*comparison.right) else { return None };
    let (left, right) = (value::number(left, scope).ok()?, value::number(right, scope).ok()?);
    i128::try_from(left.abs_diff(right)).ok()
}
