//! Formulas: `a[i] < a[i+1]`, `n > 1 => m >= 1`.
//!
//! The comparisons that a formula requires of a number narrow its range before it is drawn, if the known
//! numbers decide which alternative remains. Elements are drawn without regard to formulas. Then each formula
//! is walked from its first index to its last, and where a comparison fails, the last of its numbers is moved
//! to where it holds. So earlier repairs stay valid, and one walk is enough for relations between neighbours.

use super::counted_slice::counted_field;
use super::number_filter::{holds_for, nearest_number};
use super::partial_ranges::PartialRanges;
use super::plan::GenerationPlan;
use crate::constraints::leaves_gaps;
use crate::language::{
    ArithmeticOperator, BlockId, Comparison, ComparisonOperator, DeclaredRanges, Expr, FieldId, Formula, Interval,
    QuantifiedFormula, SliceFold, narrow_range,
};
use crate::validate::{find_fault, is_comparison_true};
use crate::value::{self, InstanceList, InstanceSlots, SliceMemo, Value, ValueScope};
use std::ops::ControlFlow;

/// Chooses a number for a field within a range, given its current number.
pub type ChooseNumber<'c> = dyn FnMut(FieldId, Interval, i128) -> i128 + 'c;

/// Collects the comparisons that must hold for a formula to be true, as far as the scope decides that.
pub(super) fn collect_required<'f>(formula: &'f Formula, scope: &ValueScope<'_>, found: &mut Vec<&'f Comparison>) {
    match formula {
        Formula::Compare(comparison) => found.push(comparison),
        Formula::All(parts) => parts.iter().for_each(|part| collect_required(part, scope, found)),
        Formula::Any(parts) => {
            // If all parts but one are false, the remaining one must hold.
            let mut open = None;
            for part in parts {
                match find_fault(part, scope) {
                    Ok(Some(_)) => {}
                    Ok(None) => return,
                    Err(_) if open.is_some() => return,
                    Err(_) => open = Some(part),
                }
            }
            if let Some(part) = open {
                collect_required(part, scope, found);
            }
        }
        Formula::ForAll(_) | Formula::Exists(_) => {}
    }
}

/// Moves numbers of an instance of a block, and of the blocks directly inside, until its formulas hold or the
/// limits are reached.
pub fn repair_formulas(
    plan: &GenerationPlan<'_>,
    block: BlockId,
    slots: &mut Vec<Value>,
    outer: Option<&ValueScope<'_>>,
    choose: &mut ChooseNumber<'_>,
) {
    let formulas = plan.home_constraints(block).iter().filter_map(|at| plan.format.constraints[*at].rule.formula());
    // How often each value occurs comes first; the other formulas keep that.
    let (counts, others): (Vec<&Formula>, Vec<&Formula>) =
        formulas.partition(|formula| counted_field(formula).is_some());
    let counted_fields: Vec<FieldId> = counts.iter().filter_map(|formula| counted_field(formula)).collect();
    for formula in counts.into_iter().chain(others) {
        let mut repairer = FormulaRepairer {
            plan,
            block,
            slots,
            outer,
            choose_number: choose,
            ranges: Vec::new(),
            changed: false,
            steps: 0,
            memo: SliceMemo::default(),
            counted_fields: &counted_fields,
        };
        for _ in 0..MAX_SWEEPS {
            repairer.changed = false;
            repairer.repair_formula(formula, &mut Vec::new());
            if !repairer.changed || repairer.is_exhausted() {
                break;
            }
        }
        repairer.count_last_steps();
    }
}

/// Maximum number of walks through a formula: a late repair can break an early comparison.
const MAX_SWEEPS: usize = 4;

/// Maximum number of quantifier steps: a formula with more could not be checked either.
const MAX_STEPS: u64 = 400_000_000;

/// Number of quantifier steps between two checks of the stop token.
const STEPS_PER_STOP_CHECK: u64 = 1024;

/// The cost of an attempt to repair a comparison, in steps: it collects the numbers that the comparison depends on.
const STEPS_PER_REPAIR: u64 = 100;

/// Maximum number of tries at a number, if not every one in the narrowed range fits.
const MAX_TRIES: usize = 12;

/// Repairs the formulas of one instance.
pub(super) struct FormulaRepairer<'s, 'p, 'c> {
    pub(super) plan: &'s GenerationPlan<'p>,
    pub(super) block: BlockId,
    pub(super) slots: &'s mut Vec<Value>,
    outer: Option<&'s ValueScope<'s>>,
    pub(super) choose_number: &'s mut ChooseNumber<'c>,
    /// Cache of the ranges that the other constraints leave.
    ranges: Vec<(FieldId, Interval)>,
    pub(super) changed: bool,
    /// Number of quantifier steps in all walks.
    steps: u64,
    /// The folds of slices so far.
    memo: SliceMemo,
    /// The arrays in which a formula limits how often each value occurs.
    counted_fields: &'s [FieldId],
}

impl FormulaRepairer<'_, '_, '_> {
    pub(super) fn scope_with<'v>(&'v self, variables: &'v [i128]) -> ValueScope<'v> {
        let slots = InstanceSlots::Known(self.slots);
        ValueScope {
            variables,
            memo: Some(&self.memo),
            ..ValueScope::new(self.plan.format, self.block, slots, self.outer)
        }
    }

    /// Returns true if the repair has to end.
    fn is_exhausted(&self) -> bool {
        self.steps >= MAX_STEPS
    }

    /// Counts a step of a quantifier. Returns true if the repair has to end.
    fn count_step(&mut self) -> bool {
        self.steps += 1;
        if self.steps.is_multiple_of(STEPS_PER_STOP_CHECK)
            && self.plan.format.stop_token.spend_steps(STEPS_PER_STOP_CHECK)
        {
            self.steps = MAX_STEPS;
        }
        self.is_exhausted()
    }

    /// Counts the steps since the last check of the stop token, unless they are too few to be worth it.
    fn count_last_steps(&self) {
        const MIN_COUNTED_STEPS: u64 = 64;
        let uncounted = self.steps % STEPS_PER_STOP_CHECK;
        if uncounted >= MIN_COUNTED_STEPS {
            self.plan.format.stop_token.spend_steps(uncounted);
        }
    }

    fn formula_holds(&self, formula: &Formula, variables: &[i128]) -> bool {
        matches!(find_fault(formula, &self.scope_with(variables)), Ok(None))
    }

    fn repair_formula(&mut self, formula: &Formula, variables: &mut Vec<i128>) {
        match formula {
            Formula::Compare(comparison) => {
                if !is_comparison_true(comparison, &self.scope_with(variables)) {
                    self.repair_comparison(comparison, variables);
                }
            }
            Formula::All(parts) => parts.iter().for_each(|part| self.repair_formula(part, variables)),
            Formula::Any(parts) => {
                if self.formula_holds(formula, variables) {
                    return;
                }
                // The last part of `A => B` is B; the others are tried if it cannot be made true.
                for part in parts.iter().rev() {
                    self.repair_formula(part, variables);
                    if self.formula_holds(part, variables) {
                        return;
                    }
                }
            }
            Formula::ForAll(quantified) => {
                if self.repair_value_counts(quantified, variables)
                    || self.repair_disjoint(quantified, variables)
                    || self.repair_membership(quantified, variables)
                {
                    return;
                }
                self.sort_texts(quantified);
                let Some((first, last)) = self.evaluate_ends(&quantified.range, variables) else { return };
                for number in first..=last {
                    if self.count_step() {
                        return;
                    }
                    if variables.is_empty() {
                        self.memo.set_final_until(number - 1);
                    }
                    variables.push(number);
                    self.repair_formula(&quantified.body, variables);
                    variables.pop();
                }
            }
            Formula::Exists(quantified) => {
                if self.formula_holds(formula, variables) {
                    return;
                }
                let Some((first, last)) = self.evaluate_ends(&quantified.range, variables).filter(|(a, b)| a <= b)
                else {
                    return;
                };
                // The witness is chosen as freely as a number, so it is chosen for an arbitrary
                // field.
                let number = (self.choose_number)(FieldId(0), Interval::new(first, last), first).clamp(first, last);
                variables.push(number);
                self.repair_formula(&quantified.body, variables);
                variables.pop();
            }
        }
    }

    /// Returns the first and the last number of the range of a quantifier or a slice.
    pub(super) fn evaluate_ends(&self, range: &(Expr, Expr), variables: &[i128]) -> Option<(i128, i128)> {
        let scope = self.scope_with(variables);
        let end = |expr| value::evaluate_number(expr, &scope).ok();
        Some((end(&range.0)?, end(&range.1)?))
    }

    /// Sorts texts, or the repetitions that they are in, if the formula states an order of all of them.
    fn sort_texts(&mut self, quantified: &QuantifiedFormula) {
        let format = self.plan.format;
        let Some((field, sign)) = quantified.ordered_list(format) else { return };
        let info = format.field(field);
        let is_descending = matches!(sign, ComparisonOperator::Greater | ComparisonOperator::GreaterEqual);
        let order = |one: &Value, other: &Value| {
            let order = letters_of(one).cmp(letters_of(other));
            if is_descending { order.reverse() } else { order }
        };
        let block = format.block(info.block);
        let is_repeated = format.is_repeated_text(field) && block.parent == Some(self.block);
        match self.slots.get_mut(if is_repeated { block.slot } else { info.slot }) {
            Some(Value::Instances(list)) if is_repeated => {
                let mut instances: Vec<Vec<Value>> = list.iter().map(<[Value]>::to_vec).collect();
                instances.sort_by(|one, other| order(&one[info.slot], &other[info.slot]));
                *list = InstanceList::from_instances(block.slots, instances);
            }
            Some(Value::List(texts)) if info.block == self.block && info.alphabet().is_some() => {
                texts.sort_by(order);
            }
            _ => return,
        }
        self.forget_slices();
    }

    /// Moves one number of a failing comparison: the last one that can be moved.
    fn repair_comparison(&mut self, comparison: &Comparison, variables: &[i128]) {
        // A copy costs no more than the step of the quantifier around it.
        if let ([left], ComparisonOperator::Equal, [right]) = (&*comparison.left, comparison.sign, &*comparison.right)
            && self.copy_element(left, right, variables)
        {
            return;
        }
        if self.plan.format.stop_token.spend_steps(STEPS_PER_REPAIR) {
            self.steps = MAX_STEPS;
            return;
        }
        if self.repair_aggregate(comparison, variables) && is_comparison_true(comparison, &self.scope_with(variables)) {
            return;
        }
        let Some((left, right)) = comparison.single_operands() else {
            return self.repair_tuple(comparison, variables);
        };
        let mut leaves = Vec::new();
        {
            let scope = self.scope_with(variables);
            for side in [left, right] {
                self.collect_leaves(side, &scope, &mut leaves);
            }
        }
        leaves.sort();
        leaves.dedup();
        for leaf in leaves.iter().rev() {
            let is_moved = match self.counted_fields.contains(&leaf.field) {
                true => self.swap_leaf(leaf, comparison, variables) || self.move_leaf(leaf, comparison, variables),
                false => self.move_leaf(leaf, comparison, variables),
            };
            if is_moved {
                self.changed = true;
                self.adjust_dependents(leaf);
                return;
            }
        }
    }

    /// Repairs a comparison of tuples: they are equal if all parts are, and differ if one part does.
    fn repair_tuple(&mut self, comparison: &Comparison, variables: &[i128]) {
        for (left, right) in comparison.left.iter().zip(&comparison.right).rev() {
            let part = Comparison {
                decimals: comparison.decimals,
                ..Comparison::new(left.clone(), comparison.sign, right.clone())
            };
            if !is_comparison_true(comparison, &self.scope_with(variables))
                && !is_comparison_true(&part, &self.scope_with(variables))
            {
                self.repair_comparison(&part, variables);
            }
        }
    }

    /// Collects the numbers in an expression that can be moved without changing any size.
    fn collect_leaves(&self, expr: &Expr, scope: &ValueScope<'_>, found: &mut Vec<FormulaLeaf>) {
        expr.visit_parts(&mut |part| {
            match part {
                Expr::Field(field) => {
                    let info = self.plan.format.field(*field);
                    if info.block == self.block && info.is_scalar() && !self.plan.is_size(*field) {
                        found.push(FormulaLeaf { path: vec![info.slot], field: *field, indices: Vec::new() });
                    }
                }
                Expr::Element(field, indices) if !self.plan.is_size(*field) => {
                    let at: Option<Vec<i128>> = indices.iter().map(|i| value::evaluate_number(i, scope).ok()).collect();
                    let counts = self.plan.format.indexes_repetitions(*field, indices);
                    found.extend(at.and_then(|at| self.element_leaf(*field, at, counts)));
                }
                Expr::Slice(slice) => {
                    value::visit_last_step(slice, scope, &mut |part, scope| self.collect_leaves(part, scope, found));
                }
                _ => {}
            }
            matches!(part, Expr::Negate(_) | Expr::Call(..) | Expr::Binary(..))
        });
    }

    /// Returns the element at some indices, of which the first may count repetitions.
    fn element_leaf(&self, field: FieldId, at: Vec<i128>, counts: bool) -> Option<FormulaLeaf> {
        let index = |i: &i128| usize::try_from(i - 1).ok();
        let indices = at.iter().map(index).collect::<Option<Vec<usize>>>()?;
        let path = self.element_path(field, &indices, counts)?;
        Some(FormulaLeaf { path, field, indices: at })
    }

    /// Returns the path of the part of a field that indices select, as [`FormulaRepairer::element_path`] does.
    pub(super) fn indexed_path(&self, field: FieldId, indices: &[Expr], variables: &[i128]) -> Option<Vec<usize>> {
        let scope = self.scope_with(variables);
        let index = |e: &Expr| usize::try_from(value::evaluate_number(e, &scope).ok()? - 1).ok();
        let positions = indices.iter().map(index).collect::<Option<Vec<usize>>>()?;
        self.element_path(field, &positions, self.plan.format.indexes_repetitions(field, indices))
    }

    /// Returns the path of the part of a field that 0-based indices select, if it lies in this block or in a
    /// block directly inside. The first index may count repetitions.
    fn element_path(&self, field: FieldId, indices: &[usize], counts: bool) -> Option<Vec<usize>> {
        let format = self.plan.format;
        let info = format.field(field);
        let Some((repetition, rest)) = indices.split_first().filter(|_| counts) else {
            return (info.block == self.block).then(|| [&[info.slot], indices].concat());
        };
        let block = format.block(format.repetition_of(info.block)?);
        let mut path = vec![block.slot, *repetition];
        // An optional block has at most one instance.
        let optional: Vec<BlockId> = format.optional_blocks_around(field).collect();
        path.extend(optional.iter().rev().flat_map(|block| [format.block(*block).slot, 0]));
        path.push(info.slot);
        path.extend(rest);
        Some(path).filter(|_| block.parent == Some(self.block))
    }

    /// Copies the first of two elements to the second one, if that can have its value. Nothing is chosen, so that a matrix of
    /// millions of numbers is made symmetric in little time.
    fn copy_element(&mut self, left: &Expr, right: &Expr, variables: &[i128]) -> bool {
        let element = |expr: &Expr| match expr {
            Expr::Element(field, indices) if !self.plan.is_size(*field) => {
                Some((self.indexed_path(*field, indices, variables)?, *field))
            }
            _ => None,
        };
        let (Some(one), Some(other)) = (element(left), element(right)) else { return false };
        let (from, (to, field)) = if one.0 < other.0 { (one.0, other) } else { (other.0, one) };
        // A number of a repetition may have to move others with it.
        let is_own = self.plan.format.field(field).block == self.block && !self.counted_fields.contains(&field);
        let Some(number) = number_at(self.slots, &from).filter(|_| is_own) else { return false };
        let is_letter = self.plan.format.field(field).alphabet().is_some();
        if is_letter || !self.allowed_range(field).contains_value(number) {
            return false;
        }
        set_number(self.slots, &to, number);
        self.memo.note_change(to.last().map_or(i128::MIN, |index| *index as i128 + 1));
        self.changed = true;
        true
    }

    /// Exchanges an element of an array with another one, so that each value occurs as often as before.
    fn swap_leaf(&mut self, leaf: &FormulaLeaf, comparison: &Comparison, variables: &[i128]) -> bool {
        let ([first, outer @ ..], Some(before)) = (&leaf.path[..], number_at(self.slots, &leaf.path)) else {
            return false;
        };
        let row = outer.split_last().and_then(|(_, row)| self.slots.get(*first)?.value_at(row));
        let Some(Value::Ints(numbers)) = row else { return false };
        let count = numbers.len();
        for _ in 0..MAX_TRIES {
            let mut path = leaf.path.clone();
            let Some(index) = path.last_mut() else { return false };
            *index = self.choose_index(leaf.field, count, 0);
            let Some(number) = number_at(self.slots, &path) else { return false };
            set_number(self.slots, &leaf.path, number);
            set_number(self.slots, &path, before);
            self.forget_slices();
            if is_comparison_true(comparison, &self.scope_with(variables)) {
                return true;
            }
            set_number(self.slots, &path, number);
            set_number(self.slots, &leaf.path, before);
        }
        self.forget_slices();
        false
    }

    fn move_leaf(&mut self, leaf: &FormulaLeaf, comparison: &Comparison, variables: &[i128]) -> bool {
        let Some(before) = number_at(self.slots, &leaf.path) else { return false };
        let declared = self.allowed_range(leaf.field);
        // Reduce the comparison to one about the leaf alone, and narrow the leaf's range by it.
        let (range, gap) = {
            let scope = self.scope_with(variables);
            let side = |exprs: &[Expr]| exprs.iter().map(|e| isolate_leaf(e, leaf, &scope)).collect::<Option<Vec<_>>>();
            let (Some(left), Some(right)) = (side(&comparison.left), side(&comparison.right)) else { return false };
            let single = Comparison { left, right, ..comparison.clone() };
            // The value of a slice says nothing about a number in it.
            match comparison.all_operands().any(|e| e.any_part(&|part| matches!(part, Expr::Slice(_)).then_some(true)))
            {
                true => (declared, None),
                false => {
                    let range = narrow_range(leaf.field, declared, &single, &DeclaredRanges(self.plan.format));
                    // What satisfies it may be rare in its range.
                    (range, Some(single).filter(|single| leaves_gaps(self.plan.format, single, leaf.field)))
                }
            }
        };
        if range.is_empty() {
            return false;
        }
        for attempt in 0..MAX_TRIES {
            let counted = if attempt % 2 == 0 { self.pick_counted_number(comparison, variables) } else { None };
            let number = counted.unwrap_or_else(|| (self.choose_number)(leaf.field, range, before));
            let number = range.clamp_value(number);
            let number = self.nearest_allowed(leaf.field, number);
            self.set_leaf(leaf, number);
            if is_comparison_true(comparison, &self.scope_with(variables)) {
                return true;
            }
        }
        let nearby =
            gap.and_then(|single| nearest_number(before, range, |number| holds_for(&single, leaf.field, number)));
        self.set_leaf(leaf, nearby.unwrap_or(before));
        nearby.is_some()
    }

    /// Forgets the folds of slices after an arbitrary change.
    pub(super) fn forget_slices(&mut self) {
        self.memo.note_change(i128::MIN);
    }

    /// Returns one of the numbers among which a comparison counts its wanted one.
    fn pick_counted_number(&mut self, comparison: &Comparison, variables: &[i128]) -> Option<i128> {
        let slices = comparison.all_operands().filter_map(|side| find_counting_slice(side));
        let slice = slices.into_iter().next()?;
        let (first, last) = self.evaluate_ends(&slice.range, variables).filter(|(first, last)| first <= last)?;
        let number = (self.choose_number)(FieldId(0), Interval::new(first, last), first).clamp(first, last);
        value::evaluate_slice_element(slice, number, &self.scope_with(variables)).ok()
    }

    fn set_leaf(&mut self, leaf: &FormulaLeaf, number: i128) {
        set_number(self.slots, &leaf.path, number);
        self.memo.note_change(leaf.indices.last().copied().unwrap_or(i128::MIN));
    }

    /// Moves the other numbers of a repetition after one of them moved: if `s` grew in `s <= e`, so does `e`.
    fn adjust_dependents(&mut self, leaf: &FormulaLeaf) {
        let format = self.plan.format;
        let child = format.field(leaf.field).block;
        let [list, index, _] = leaf.path[..] else { return };
        if child == self.block {
            return;
        }
        for constraint in self.plan.home_constraints(child) {
            let Some(comparison) = format.constraints[*constraint].rule.comparison() else { continue };
            let Some((field, number)) = self.find_dependent(child, (list, index), comparison, leaf.field) else {
                continue;
            };
            set_number(self.slots, &[list, index, format.field(field).slot], number);
            self.memo.note_change(index as i128 + 1);
        }
    }

    /// Returns another number of the instance that repairs its failing comparison, with the value it needs.
    fn find_dependent(
        &self,
        child: BlockId,
        (list, index): (usize, usize),
        comparison: &Comparison,
        moved: FieldId,
    ) -> Option<(FieldId, i128)> {
        let format = self.plan.format;
        let scope = self.scope_with(&[]);
        let scope = scope.for_instance(child, self.slots.get(list)?.as_instances().get(index)?);
        if is_comparison_true(comparison, &scope) {
            return None;
        }
        let movable = |f: &FieldId| {
            let info = format.field(*f);
            *f != moved && info.is_scalar() && !self.plan.is_size(*f) && comparison.mentions_field(*f)
        };
        let ranges = PartialRanges::new(&scope);
        format.fields_in_block(child).filter(movable).find_map(|field| {
            let range = narrow_range(field, format.field(field).range, comparison, &ranges);
            let before = scope.field_value(field)?.as_int()?;
            (!range.is_empty()).then(|| (field, range.clamp_value(before)))
        })
    }

    /// Returns the nearest value that the field can have: for a text, the code of one of its letters.
    fn nearest_allowed(&self, field: FieldId, number: i128) -> i128 {
        match self.plan.format.field(field).alphabet() {
            Some(letters) => {
                letters.iter().map(|l| i128::from(*l)).min_by_key(|l| l.abs_diff(number)).unwrap_or(number)
            }
            None => number,
        }
    }

    /// Returns the range that all comparisons leave of a field.
    pub(super) fn allowed_range(&mut self, field: FieldId) -> Interval {
        if let Some((_, range)) = self.ranges.iter().find(|(f, _)| *f == field) {
            return *range;
        }
        let declared = self.plan.format.field(field).range;
        let range = {
            let scope = self.scope_with(&[]);
            let ranges = PartialRanges::new(&scope);
            self.plan.field_comparisons(field).fold(declared, |range, (_, c)| narrow_range(field, range, c, &ranges))
        };
        let range = if range.is_empty() { declared } else { range };
        self.ranges.push((field, range));
        range
    }
}

/// One movable number. Leaves are ordered by their position in the instance.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct FormulaLeaf {
    path: Vec<usize>,
    field: FieldId,
    /// Its 1-based indices; empty for a single number of this instance.
    indices: Vec<i128>,
}

/// Returns a slice in which a number of the format is counted.
fn find_counting_slice(expr: &Expr) -> Option<&SliceFold> {
    expr.find_part(&mut |part| match part {
        Expr::Slice(slice) if slice.wanted().is_some_and(|wanted| !matches!(wanted, Expr::Constant(_))) => {
            ControlFlow::Break(Some(&**slice))
        }
        _ => ControlFlow::Continue(()),
    })
}

/// Returns the expression with the leaf as its only unknown, written as a single number of its field.
fn isolate_leaf(expr: &Expr, leaf: &FormulaLeaf, scope: &ValueScope<'_>) -> Option<Expr> {
    let is_leaf = match expr {
        Expr::Field(field) => *field == leaf.field && leaf.indices.is_empty(),
        Expr::Element(field, indices) => {
            let at = indices.iter().map(|i| value::evaluate_number(i, scope).ok()).collect::<Option<Vec<i128>>>()?;
            *field == leaf.field && at == leaf.indices
        }
        _ => false,
    };
    if is_leaf {
        return Some(Expr::Field(leaf.field));
    }
    match expr {
        Expr::Binary(ArithmeticOperator::OrElse, left, right) => match value::evaluate_number(left, scope) {
            Ok(_) => isolate_leaf(left, leaf, scope),
            Err(_) => isolate_leaf(right, leaf, scope),
        },
        Expr::Negate(_) | Expr::Call(..) | Expr::Binary(..) => {
            expr.map_children(|part| isolate_leaf(part, leaf, scope))
        }
        _ => value::evaluate_number(expr, scope).ok().map(Expr::Constant),
    }
}

fn letters_of(value: &Value) -> &[u8] {
    if let Value::Text(letters) = value { letters } else { &[] }
}

pub(super) fn number_at(slots: &[Value], path: &[usize]) -> Option<i128> {
    let (first, rest) = path.split_first()?;
    let slot = slots.get(*first)?;
    if let Some(number) = slot.value_at(rest).and_then(Value::as_int) {
        return Some(number);
    }
    let (last, rest) = rest.split_last()?;
    slot.value_at(rest)?.element_at(*last)
}

pub(super) fn set_number(slots: &mut [Value], path: &[usize], number: i128) {
    let Some((first, rest)) = path.split_first() else { return };
    let Some(slot) = slots.get_mut(*first) else { return };
    if let Some(Value::Int(place)) = slot.value_at_mut(rest) {
        *place = number;
        return;
    }
    let Some((last, rest)) = rest.split_last() else { return };
    slot.value_at_mut(rest).and_then(|row| row.set_element(*last, number));
}
