//! What no construction met is checked, and what breaks it is drawn again.

use super::Failure;
use super::instance::{Maker, Partial};
use crate::format::{BlockId, Comparison, Expr, FieldId, Interval, Rule, cut};
use crate::validate::{Sides, broken};
use crate::value::{self, Scope, Value};
use rebut_generators::scalar;

/// So many repairs an instance gets before it is drawn afresh.
pub(super) const MOST_REPAIRS: usize = 64;

/// So many numbers are looked at in the time of a draw.
pub(super) const LOOKS: usize = 8;

/// Which constraints may be broken.
#[derive(Clone, Copy)]
enum Doubt {
    /// Any.
    All,
    /// Those that were not looked at after one was found broken, and those that speak of the number redrawn since.
    After { broken: usize, redrawn: FieldId },
}

/// What was drawn again.
enum Redrawn {
    /// There is nothing that can be changed alone.
    Nothing,
    /// A single number, which came out as it was, and there are no arrays.
    Same,
    /// A single number.
    Number(FieldId),
    /// An array or a text, or some of its elements.
    Array,
}

impl<'a> Maker<'a, '_> {
    /// Redraws fields of the instance until the constraints at home in its block hold.
    pub(super) fn repair(
        &mut self,
        block: BlockId,
        slots: &mut Partial,
        outer: Option<&Scope<'_>>,
        extra: &[Comparison],
    ) -> Result<(), Failure> {
        let (mut last, mut repairs) = (None, 0);
        let (mut doubt, mut is_same) = (Doubt::All, false);
        for _ in 0..MOST_REPAIRS {
            repairs += 1;
            if !is_same {
                last = self.first_broken(doubt, block, slots, outer);
            }
            let Some((constraint, element, _)) = last else { return Ok(()) };
            let redrawn = self.without_habits(|maker| maker.redraw(constraint, element, block, slots, outer, extra));
            is_same = matches!(redrawn, Redrawn::Same);
            match redrawn {
                Redrawn::Nothing => break,
                Redrawn::Same => continue,
                Redrawn::Number(field) if self.plan.parts(block).arrays.is_empty() => {
                    doubt = Doubt::After { broken: constraint, redrawn: field };
                }
                Redrawn::Number(_) | Redrawn::Array => doubt = Doubt::All,
            }
            self.settle_letters(block, slots, outer);
            if self.plan.format.stop.spend(LOOKS as u64) {
                break;
            }
        }
        match last {
            Some((constraint, _, sides)) => {
                // Each repair looked at everything again, which costs less than drawing it.
                let nodes: usize = slots.iter().flatten().map(Value::nodes).sum();
                self.wasted += (repairs * nodes / LOOKS) as u64;
                Err(Failure::broken(self.plan.format, constraint, sides.words(self.plan.format)))
            }
            None => Ok(()),
        }
    }

    fn first_broken(
        &self,
        doubt: Doubt,
        block: BlockId,
        slots: &Partial,
        outer: Option<&Scope<'_>>,
    ) -> Option<(usize, Option<usize>, Sides<'a>)> {
        let scope = self.scope(block, slots, outer);
        // Edges are made as their graph is to be, and one of them drawn again would not mend it. The whole input is judged
        // once more, but for what is said of it as a whole: that is looked at only here.
        let constructed = |c: &&usize| {
            let constraint = &self.plan.format.constraints[**c];
            let lines = matches!(&constraint.rule, Rule::Graph(rule) if rule.lines().is_some());
            lines && constraint.home != BlockId(0)
        };
        let in_doubt = |constraint: &&usize| match doubt {
            Doubt::All => true,
            Doubt::After { broken, redrawn } => **constraint >= broken || self.plan.touches(redrawn, **constraint),
        };
        let doubtful =
            self.plan.at_home(block).iter().filter(in_doubt).filter(|c| !self.plan.surely_holds(**c, &scope));
        doubtful.filter(|c| !constructed(c)).find_map(|constraint| {
            broken(&self.plan.format.constraints[*constraint], &scope)
                .map(|(element, sides)| (*constraint, element, sides))
        })
    }

    /// Draws one of the fields to blame again.
    fn redraw(
        &mut self,
        constraint: usize,
        element: Option<usize>,
        block: BlockId,
        slots: &mut Partial,
        outer: Option<&Scope<'_>>,
        extra: &[Comparison],
    ) -> Redrawn {
        let format = self.plan.format;
        let rule = &format.constraints[constraint].rule;
        self.unprove();
        if let (Some(element), Rule::Compare(comparison)) = (element, rule)
            && self.redraw_element(comparison, element, block, slots, outer)
        {
            return Redrawn::Array;
        }
        let Some(field) = self.choices.pick(self.plan.blamed(constraint)).copied() else {
            return Redrawn::Nothing;
        };
        let slot = format.field(field).slot;
        let before = slots[slot].take();
        let drawn = if format.field(field).is_scalar() {
            self.scalar(field, block, slots, outer, extra, usize::MAX).map(Value::Int)
        } else {
            self.array(field, &self.scope(block, slots, outer), extra, usize::MAX)
        };
        let Ok(value) = drawn else { return Redrawn::Nothing };
        let is_same = before.as_ref() == Some(&value);
        slots[slot] = Some(value);
        if format.field(field).is_scalar() {
            let is_same = is_same && self.plan.parts(block).arrays.is_empty();
            return if is_same { Redrawn::Same } else { Redrawn::Number(field) };
        }
        self.settle_sums(block, slots, outer, extra);
        Redrawn::Array
    }

    /// Where elements are compared one by one, only the element that breaks the comparison is drawn again.
    fn redraw_element(
        &mut self,
        comparison: &Comparison,
        element: usize,
        block: BlockId,
        slots: &mut Partial,
        outer: Option<&Scope<'_>>,
    ) -> bool {
        let format = self.plan.format;
        let ([left], [right]) = (&*comparison.left, &*comparison.right) else { return false };
        let (field, sign, other) = match (left, right) {
            (Expr::Field(f), other) if format.field(*f).block == block && !format.field(*f).is_scalar() => {
                (*f, comparison.sign, other)
            }
            (other, Expr::Field(f)) if format.field(*f).block == block && !format.field(*f).is_scalar() => {
                (*f, comparison.sign.mirrored(), other)
            }
            _ => return false,
        };
        let scope = self.scope(block, slots, outer);
        let others = if value::is_array(other, &scope) {
            value::elements(other, &scope)
        } else {
            value::number(other, &scope).map(|n| vec![n; element + 1])
        };
        let Some(bound) = others.ok().and_then(|o| o.get(element).copied()) else { return false };
        let range = cut(format.field(field).range, sign, Interval::point(bound));
        if range.is_empty() {
            return false;
        }
        let number = scalar(self.choices, range.lo, range.hi, &self.settings.hints);
        let Some(value) = &mut slots[format.field(field).slot] else { return false };
        set_element(value, &mut { element }, number)
    }
}

/// Sets the element of that number, counted through all rows.
fn set_element(value: &mut Value, element: &mut usize, number: i128) -> bool {
    match value {
        Value::Ints(row) if *element < row.len() => {
            row[*element] = number;
            true
        }
        Value::Ints(row) => {
            *element -= row.len();
            false
        }
        Value::List(rows) => rows.iter_mut().any(|row| set_element(row, element, number)),
        _ => false,
    }
}
