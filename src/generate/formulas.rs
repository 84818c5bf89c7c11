//! Formulas: `a[i] < a[i+1]`, `n > 1 => m >= 1`.
//!
//! What a formula demands of a number that is about to be drawn narrows its range, as long as the rest decides which of
//! its alternatives is left. Elements are drawn without regard to formulas; then each formula is walked from its first
//! index to its last, and where a comparison fails, the last of the numbers in it is moved to where it holds. So what was
//! settled before stays settled, and one walk is enough for relations between neighbours.

use super::live::Live;
use super::plan::Plan;
use crate::format::{
    BlockId, Comparison, Expr, FieldId, Formula, Interval, Operator, Quantified, Rule, Stated, narrow,
};
use crate::validate::{compares, fault};
use crate::value::{self, Scope, Slots, Value};

/// Chooses a number for a field within a range, given the one that it has.
pub type Choose<'c> = dyn FnMut(FieldId, Interval, i128) -> i128 + 'c;

/// The comparisons that must hold for a formula to be true, as far as the scope decides that.
pub(super) fn demanded<'f>(formula: &'f Formula, scope: &Scope<'_>, found: &mut Vec<&'f Comparison>) {
    match formula {
        Formula::Compare(comparison) => found.push(comparison),
        Formula::All(parts) => parts.iter().for_each(|part| demanded(part, scope, found)),
        Formula::Any(parts) => {
            let mut open = None;
            for part in parts {
                match fault(part, scope) {
                    Ok(Some(_)) => {}
                    Ok(None) => return,
                    Err(_) if open.is_some() => return,
                    Err(_) => open = Some(part),
                }
            }
            if let Some(part) = open {
                demanded(part, scope, found);
            }
        }
        Formula::Each(_) | Formula::Some(_) => {}
    }
}

/// Moves numbers of a block's instance, and of the blocks directly inside, until its formulas hold, if that succeeds.
pub fn settle_formulas(
    plan: &Plan<'_>,
    block: BlockId,
    slots: &mut Vec<Value>,
    outer: Option<&Scope<'_>>,
    choose: &mut Choose<'_>,
) {
    for constraint in plan.at_home(block) {
        let Rule::Formula(formula) = &plan.format.constraints[*constraint].rule else { continue };
        let mut settler = Settler { plan, block, slots, outer, choose, ranges: Vec::new(), changed: false, steps: 0 };
        for _ in 0..SWEEPS {
            settler.changed = false;
            settler.walk(formula, &mut Vec::new());
            if !settler.changed || settler.is_over() {
                break;
            }
        }
    }
}

/// So often a formula is walked from its start: what is settled late can break what was settled early.
const SWEEPS: usize = 4;

/// Maximum number of turns of quantifiers: what has more could not be checked either.
const MOST_STEPS: u64 = 400_000_000;

/// Number of turns between two looks at the format's token.
const STEPS_PER_LOOK: u64 = 1024;

/// So many numbers are tried where the range that is left still holds some that do not fit.
const TRIES: usize = 12;

/// Moves the numbers of one instance.
pub(super) struct Settler<'s, 'p, 'c> {
    pub(super) plan: &'s Plan<'p>,
    pub(super) block: BlockId,
    pub(super) slots: &'s mut Vec<Value>,
    outer: Option<&'s Scope<'s>>,
    pub(super) choose: &'s mut Choose<'c>,
    /// What the other constraints leave of a field's range, worked out once.
    ranges: Vec<(FieldId, Interval)>,
    pub(super) changed: bool,
    /// How often quantifiers moved on, in all walks.
    steps: u64,
}

impl Settler<'_, '_, '_> {
    pub(super) fn scope<'v>(&'v self, variables: &'v [i128]) -> Scope<'v> {
        let slots = Slots::Known(self.slots);
        Scope { format: self.plan.format, block: self.block, slots, outer: self.outer, variables }
    }

    /// Returns true if settling is to end.
    fn is_over(&self) -> bool {
        self.steps >= MOST_STEPS
    }

    /// Counts a turn of a quantifier. Returns true if settling is to end.
    fn step(&mut self) -> bool {
        self.steps += 1;
        if self.steps.is_multiple_of(STEPS_PER_LOOK) && self.plan.format.stop.spend(STEPS_PER_LOOK) {
            self.steps = MOST_STEPS;
        }
        self.is_over()
    }

    fn holds(&self, formula: &Formula, variables: &[i128]) -> bool {
        matches!(fault(formula, &self.scope(variables)), Ok(None))
    }

    fn walk(&mut self, formula: &Formula, variables: &mut Vec<i128>) {
        match formula {
            Formula::Compare(comparison) => {
                if !compares(comparison, &self.scope(variables)) {
                    self.mend(comparison, variables);
                }
            }
            Formula::All(parts) => parts.iter().for_each(|part| self.walk(part, variables)),
            Formula::Any(parts) => {
                if self.holds(formula, variables) {
                    return;
                }
                // The last part of `A => B` is B; the others get their turn if it cannot be made true.
                for part in parts.iter().rev() {
                    self.walk(part, variables);
                    if self.holds(part, variables) {
                        return;
                    }
                }
            }
            Formula::Each(quantified) => {
                let Some((first, last)) = self.range(quantified, variables) else { return };
                for number in first..=last {
                    if self.step() {
                        return;
                    }
                    variables.push(number);
                    self.walk(&quantified.body, variables);
                    variables.pop();
                }
            }
            Formula::Some(quantified) => {
                if self.holds(formula, variables) {
                    return;
                }
                let Some((first, last)) = self.range(quantified, variables).filter(|(a, b)| a <= b) else { return };
                // Which one is as free as the value of a number is: any field's choice will do.
                let number = (self.choose)(FieldId(0), Interval::new(first, last), first).clamp(first, last);
                variables.push(number);
                self.walk(&quantified.body, variables);
                variables.pop();
            }
        }
    }

    fn range(&self, quantified: &Quantified, variables: &[i128]) -> Option<(i128, i128)> {
        let scope = self.scope(variables);
        let end = |expr| value::number(expr, &scope).ok();
        Some((end(&quantified.range.0)?, end(&quantified.range.1)?))
    }

    /// Moves one number of a failing comparison: the last that can be moved.
    fn mend(&mut self, comparison: &Comparison, variables: &[i128]) {
        if self.mend_many(comparison, variables) && compares(comparison, &self.scope(variables)) {
            return;
        }
        let ([left], [right]) = (&*comparison.left, &*comparison.right) else {
            return self.mend_tuple(comparison, variables);
        };
        let mut atoms = Vec::new();
        {
            let scope = self.scope(variables);
            for side in [left, right] {
                self.atoms(side, &scope, &mut atoms);
            }
        }
        atoms.sort();
        atoms.dedup();
        for atom in atoms.iter().rev() {
            if self.move_atom(atom, comparison, variables) {
                self.changed = true;
                self.follow(atom);
                return;
            }
        }
    }

    /// Tuples are equal if all parts are, and differ if one part does.
    fn mend_tuple(&mut self, comparison: &Comparison, variables: &[i128]) {
        for (left, right) in comparison.left.iter().zip(&comparison.right).rev() {
            let part = Comparison {
                decimals: comparison.decimals,
                ..Comparison::new(left.clone(), comparison.sign, right.clone())
            };
            if !compares(comparison, &self.scope(variables)) && !compares(&part, &self.scope(variables)) {
                self.mend(&part, variables);
            }
        }
    }

    /// The numbers in an expression that can be moved without changing any size.
    fn atoms(&self, expr: &Expr, scope: &Scope<'_>, found: &mut Vec<Atom>) {
        match expr {
            Expr::Field(field) => {
                let info = self.plan.format.field(*field);
                if info.block == self.block && info.is_scalar() && !self.plan.is_size(*field) {
                    found.push(Atom { path: vec![info.slot], field: *field, at: Vec::new() });
                }
            }
            Expr::Element(field, indices) => {
                if self.plan.is_size(*field) {
                    return;
                }
                let at: Option<Vec<i128>> = indices.iter().map(|i| value::number(i, scope).ok()).collect();
                let counts = self.plan.format.counts_repetitions(*field, indices);
                found.extend(at.and_then(|at| self.atom(*field, at, counts)));
            }
            Expr::Minus(inner) => self.atoms(inner, scope, found),
            Expr::Binary(_, left, right) => {
                self.atoms(left, scope, found);
                self.atoms(right, scope, found);
            }
            Expr::Constant(_) | Expr::Length(_) | Expr::Variable(_) | Expr::Fold(..) => {}
            Expr::Whole(_) | Expr::Letters(_) => {}
        }
    }

    /// The element at some indices, of which the first may count repetitions.
    fn atom(&self, field: FieldId, at: Vec<i128>, counts: bool) -> Option<Atom> {
        let index = |i: &i128| usize::try_from(i - 1).ok();
        let indices = at.iter().map(index).collect::<Option<Vec<usize>>>()?;
        let path = self.place(field, &indices, counts)?;
        Some(Atom { path, field, at })
    }

    /// Returns the path of the part of a field that indices pick, from 0, if it lies in this block or in a block directly
    /// inside. The first index may count repetitions.
    pub(super) fn place(&self, field: FieldId, indices: &[usize], counts: bool) -> Option<Vec<usize>> {
        let format = self.plan.format;
        let info = format.field(field);
        let Some((repetition, rest)) = indices.split_first().filter(|_| counts) else {
            return (info.block == self.block).then(|| [&[info.slot], indices].concat());
        };
        let block = format.block(format.repetition_of(info.block)?);
        let mut path = vec![block.slot, *repetition];
        // A condition or a form stands there once.
        let optional: Vec<BlockId> = format.optional_around(field).collect();
        path.extend(optional.iter().rev().flat_map(|block| [format.block(*block).slot, 0]));
        path.push(info.slot);
        path.extend(rest);
        Some(path).filter(|_| block.parent == Some(self.block))
    }

    fn move_atom(&mut self, atom: &Atom, comparison: &Comparison, variables: &[i128]) -> bool {
        let Some(before) = number_at(self.slots, &atom.path) else { return false };
        let stated = self.stated(atom.field);
        let range = {
            let scope = self.scope(variables);
            let side = |exprs: &[Expr]| exprs.iter().map(|e| alone(e, atom, &scope)).collect::<Option<Vec<_>>>();
            let (Some(left), Some(right)) = (side(&comparison.left), side(&comparison.right)) else { return false };
            let single = Comparison { left, right, ..comparison.clone() };
            narrow(atom.field, stated, &single, &Stated(self.plan.format))
        };
        if range.is_empty() {
            return false;
        }
        for _ in 0..TRIES {
            let number = range.nearest((self.choose)(atom.field, range, before));
            let number = self.allowed(atom.field, number);
            set_number(self.slots, &atom.path, number);
            if compares(comparison, &self.scope(variables)) {
                return true;
            }
        }
        set_number(self.slots, &atom.path, before);
        false
    }

    /// Where a number of a repetition was moved, the other numbers of that repetition follow: if `s` grew in `s <= e`, so
    /// does `e`.
    fn follow(&mut self, atom: &Atom) {
        let format = self.plan.format;
        let child = format.field(atom.field).block;
        let [list, index, _] = atom.path[..] else { return };
        if child == self.block {
            return;
        }
        for constraint in self.plan.at_home(child) {
            let Rule::Compare(comparison) = &format.constraints[*constraint].rule else { continue };
            let Some((field, number)) = self.follower(child, (list, index), comparison, atom.field) else { continue };
            set_number(self.slots, &[list, index, format.field(field).slot], number);
        }
    }

    /// Another number of the instance that makes its failing comparison hold, and what it has to be.
    fn follower(
        &self,
        child: BlockId,
        (list, index): (usize, usize),
        comparison: &Comparison,
        moved: FieldId,
    ) -> Option<(FieldId, i128)> {
        let format = self.plan.format;
        let scope = self.scope(&[]);
        let scope = scope.inner(child, self.slots.get(list)?.as_instances().get(index)?);
        if compares(comparison, &scope) {
            return None;
        }
        let movable = |f: &FieldId| {
            let info = format.field(*f);
            *f != moved && info.is_scalar() && !self.plan.is_size(*f) && comparison.mentions(*f)
        };
        let live = Live { scope: &scope };
        format.fields_of(child).filter(movable).find_map(|field| {
            let range = narrow(field, format.field(field).range, comparison, &live);
            let before = scope.field(field)?.as_int()?;
            (!range.is_empty()).then(|| (field, range.nearest(before)))
        })
    }

    /// The nearest number that the field can have: of a text, the code of one of its letters.
    fn allowed(&self, field: FieldId, number: i128) -> i128 {
        match self.plan.format.field(field).letters() {
            Some(letters) => {
                letters.iter().map(|l| i128::from(*l)).min_by_key(|l| l.abs_diff(number)).unwrap_or(number)
            }
            None => number,
        }
    }

    /// What all comparisons leave of a field's range.
    pub(super) fn stated(&mut self, field: FieldId) -> Interval {
        if let Some((_, range)) = self.ranges.iter().find(|(f, _)| *f == field) {
            return *range;
        }
        let stated = self.plan.format.field(field).range;
        let range = {
            let scope = self.scope(&[]);
            let live = Live { scope: &scope };
            self.plan.comparisons(field).fold(stated, |range, (_, c)| narrow(field, range, c, &live))
        };
        let range = if range.is_empty() { stated } else { range };
        self.ranges.push((field, range));
        range
    }
}

/// One number that can be moved; atoms compare by their place in the instance.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Atom {
    path: Vec<usize>,
    field: FieldId,
    /// Its indices, from 1; none for a single number of this instance.
    at: Vec<i128>,
}

/// An expression in which the atom stands as if its field were a single number, and all else is known.
fn alone(expr: &Expr, atom: &Atom, scope: &Scope<'_>) -> Option<Expr> {
    let is_atom = match expr {
        Expr::Field(field) => *field == atom.field && atom.at.is_empty(),
        Expr::Element(field, indices) => {
            let at = indices.iter().map(|i| value::number(i, scope).ok()).collect::<Option<Vec<i128>>>()?;
            *field == atom.field && at == atom.at
        }
        _ => false,
    };
    if is_atom {
        return Some(Expr::Field(atom.field));
    }
    match expr {
        Expr::Minus(inner) => Some(Expr::Minus(Box::new(alone(inner, atom, scope)?))),
        Expr::Binary(Operator::Else, left, right) => match value::number(left, scope) {
            Ok(_) => alone(left, atom, scope),
            Err(_) => alone(right, atom, scope),
        },
        Expr::Binary(operator, left, right) => {
            let sides = (alone(left, atom, scope)?, alone(right, atom, scope)?);
            Some(Expr::Binary(*operator, Box::new(sides.0), Box::new(sides.1)))
        }
        _ => value::number(expr, scope).ok().map(Expr::Constant),
    }
}

pub(super) fn number_at(slots: &[Value], path: &[usize]) -> Option<i128> {
    let (first, rest) = path.split_first()?;
    let slot = slots.get(*first)?;
    if let Some(number) = slot.at(rest).and_then(Value::as_int) {
        return Some(number);
    }
    let (last, rest) = rest.split_last()?;
    match slot.at(rest)? {
        Value::Ints(numbers) => numbers.get(*last).copied(),
        Value::Text(letters) => letters.get(*last).map(|l| i128::from(*l)),
        _ => None,
    }
}

#[expect(clippy::expect_used, reason = "a text is moved to letters of its field only")]
pub(super) fn set_number(slots: &mut [Value], path: &[usize], number: i128) {
    let Some((first, rest)) = path.split_first() else { return };
    let Some(slot) = slots.get_mut(*first) else { return };
    if let Some(Value::Int(place)) = slot.at_mut(rest) {
        *place = number;
        return;
    }
    let Some((last, rest)) = rest.split_last() else { return };
    match slot.at_mut(rest) {
        Some(Value::Ints(numbers)) if *last < numbers.len() => numbers[*last] = number,
        Some(Value::Text(letters)) if *last < letters.len() => {
            letters[*last] = u8::try_from(number).expect("it is moved to the code of a letter");
        }
        _ => {}
    }
}
