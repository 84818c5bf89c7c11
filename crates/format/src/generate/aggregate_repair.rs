//! Repair of formulas about many numbers at once: `sum(V[i]) = 100`, `count(board[i], '#') <= 1`, `words[i] <
//! words[i+1]`.
//!
//! Moving a single number is usually not enough to make such a comparison hold, so several are moved. The missing
//! amount of a sum is shared among its terms in proportion to their slack. For a count, as many elements are
//! changed as are missing or in excess. Two arrays (or texts) in the wrong order swap their contents, or the
//! first element that can decide the order is moved.

use super::arrays::put_in_order;
use super::budget::number_to_size;
use super::draft::{DraftViolation, DrawFailure, InstanceDraft, RecheckScope, RedrawOutcome};
use super::formulas::{FormulaRepairer, number_at, set_number};
use super::instance::InstanceGenerator;
use crate::language::{
    ArithmeticOperator, BlockId, Comparison, ComparisonOperator, Expr, FieldId, FoldKind, FoldRange, Interval,
    MAX_NUMBER, SliceReduction, apply_operator, fold_interval, narrow_by_operator,
};
use crate::value::{self, Value};
use rebut_generators::{change_cycles, count_inversions, find_cycles, reorder_to_inversions};
use std::collections::HashMap;

/// Maximum number of draws of a value that is not used yet, before the smallest one is taken.
const MAX_DRAWS: usize = 8;

/// Maximum number of elements that are drawn anew for a common divisor or an exclusive or.
const MAX_DIVISOR_TRIES: usize = 12;

/// The movable elements of an array, a text or a row.
struct AggregateMembers {
    field: FieldId,
    paths: Vec<Vec<usize>>,
}

/// The search for values that are not used yet.
#[derive(Default)]
pub(super) struct UnusedValues {
    /// Whether too few are left to draw one.
    is_crowded: bool,
    /// Number of the smallest values of which none is left.
    passed: usize,
}

impl FormulaRepairer<'_, '_, '_> {
    /// Repairs a comparison that folds an array or a row, or compares whole ones. Returns false if the comparison
    /// is of another kind.
    pub(super) fn repair_aggregate(&mut self, comparison: &Comparison, variables: &[i128]) -> bool {
        if let Some((left @ (Expr::Sequence(_) | Expr::TextLiteral(_)), right)) = comparison.single_operands() {
            self.repair_wholes(left, comparison.sign, right, variables);
            return true;
        }
        let folded = comparison.find_operand(|side| Some((aggregated_kind(side)?, side)));
        if let Some((fold, sign, other)) = folded {
            self.repair_fold(fold, sign, other, variables);
        }
        folded.is_some()
    }

    /// Returns the elements or repetitions that a fold runs over.
    fn find_folded(&self, fold: &Expr, variables: &[i128]) -> Option<AggregateMembers> {
        match fold {
            Expr::Fold(_, FoldRange::Elements, part) => self.find_members(part, variables),
            Expr::Fold(_, FoldRange::Instances(id), part) => {
                let Expr::Field(field) = **part else { return None };
                let (info, block) = (self.plan.format.field(field), self.plan.format.block(*id));
                if self.plan.is_size(field) || block.parent != Some(self.block) || info.block != *id {
                    return None;
                }
                let count = self.slots.get(block.slot)?.as_instances().len();
                let paths = (0..count).map(|at| vec![block.slot, at, info.slot]).collect();
                Some(AggregateMembers { field, paths })
            }
            Expr::Slice(slice) => {
                let Expr::Element(field, indices) = &slice.each else { return None };
                let paths = self.element_paths(&slice.range, *field, indices, &mut variables.to_vec())?;
                Some(AggregateMembers { field: *field, paths }).filter(|_| !self.plan.is_size(*field))
            }
            _ => None,
        }
    }

    fn find_members(&self, part: &Expr, variables: &[i128]) -> Option<AggregateMembers> {
        let (field, indices) = match part {
            Expr::Field(field) => (*field, &[][..]),
            Expr::Element(field, indices) => (*field, &**indices),
            _ => return None,
        };
        let format = self.plan.format;
        if self.plan.is_size(field) || !format.picks_row(field, indices) {
            return None;
        }
        let mut path = self.indexed_path(field, indices, variables)?;
        let mut paths = Vec::new();
        gather_paths(self.slots.get(path[0])?.value_at(&path[1..])?, &mut path, &mut paths);
        Some(AggregateMembers { field, paths })
    }

    fn member_numbers(&self, members: &AggregateMembers) -> Vec<i128> {
        members.paths.iter().filter_map(|path| number_at(self.slots, path)).collect()
    }

    /// Sets the elements with changed numbers.
    pub(super) fn set_changed_members(&mut self, paths: &[Vec<usize>], before: &[i128], after: &[i128]) {
        for (path, (old, new)) in paths.iter().zip(before.iter().zip(after)) {
            if old != new {
                self.set_member(path, *new);
            }
        }
    }

    pub(super) fn set_member(&mut self, path: &[usize], number: i128) {
        set_number(self.slots, path, number);
        self.forget_slices();
        self.changed = true;
    }

    fn repair_fold(
        &mut self,
        (kind, fold): (FoldKind, &Expr),
        sign: ComparisonOperator,
        other: &Expr,
        variables: &[i128],
    ) {
        let Some(members) = self.find_folded(fold, variables) else { return };
        let Ok(other) = value::evaluate_number(other, &self.scope_with(variables)) else { return };
        let wanted = |sign| narrow_by_operator(Interval::ALL, sign, Interval::from_value(other));
        match kind {
            FoldKind::Sum if sign == ComparisonOperator::NotEqual => {
                self.repair_sum(&members, Interval::new(other.saturating_add(1), MAX_NUMBER));
                if checked_total(&self.member_numbers(&members)) == Some(other) {
                    self.repair_sum(&members, Interval::new(-MAX_NUMBER, other.saturating_sub(1)));
                }
            }
            FoldKind::Sum => self.repair_sum(&members, wanted(sign)),
            FoldKind::Count(what) => self.repair_count(&members, what, other, sign),
            // Repair never changes sizes.
            FoldKind::Size => {}
            FoldKind::Gcd => self.repair_divisor(&members, wanted(sign)),
            FoldKind::Xor => self.repair_bits(&members, sign, other),
            FoldKind::Max | FoldKind::Min => self.repair_extreme(&members, kind, wanted(sign), sign),
            FoldKind::Distinct | FoldKind::Inversions | FoldKind::Cycles => {
                self.repair_relations(&members, kind, sign, other);
            }
        }
    }

    /// Moves elements until they have as many different values, inversions or cycles as wanted.
    fn repair_relations(&mut self, members: &AggregateMembers, kind: FoldKind, sign: ComparisonOperator, other: i128) {
        let before = self.member_numbers(members);
        let count = before.len() as i128;
        let possible = fold_interval(kind, Interval::from_value(count), self.allowed_range(members.field));
        let wanted = match sign {
            ComparisonOperator::NotEqual if other < possible.hi => Interval::new(other + 1, possible.hi),
            ComparisonOperator::NotEqual => Interval::new(possible.lo, other - 1),
            _ => narrow_by_operator(possible, sign, Interval::from_value(other)),
        };
        let mut after = before.clone();
        let field = members.field;
        match kind {
            _ if wanted.is_empty() => {}
            FoldKind::Distinct => self.change_different(&mut after, field, wanted),
            FoldKind::Inversions => {
                let now = count_inversions(&before);
                reorder_to_inversions(&mut after, wanted.clamp_value((self.choose_number)(field, wanted, now)));
            }
            _ => {
                let now = find_cycles(&before).map_or(0, |cycles| cycles.len() as i128);
                let cycles = wanted.clamp_value((self.choose_number)(field, wanted, now));
                change_cycles(&mut after, number_to_size(cycles).unwrap_or(1), &mut |count| {
                    self.choose_index(field, count, 0)
                });
            }
        }
        self.set_changed_members(&members.paths, &before, &after);
    }

    /// Moves numbers to values of others, or to new values, until there are as many different ones as wanted.
    fn change_different(&mut self, numbers: &mut [i128], field: FieldId, wanted: Interval) {
        let mut counts: HashMap<i128, usize> = HashMap::new();
        numbers.iter().for_each(|number| *counts.entry(*number).or_default() += 1);
        let mut different: Vec<i128> = counts.keys().copied().collect();
        different.sort_unstable();
        let mut excess = different.len() as i128 - wanted.clamp_value(different.len() as i128);
        let mut renamed: HashMap<i128, i128> = HashMap::new();
        while excess > 0 && different.len() > 1 {
            let dropped = different.swap_remove(self.choose_index(field, different.len(), different.len() - 1));
            renamed.insert(dropped, different[self.choose_index(field, different.len(), 0)]);
            excess -= 1;
        }
        for number in numbers.iter_mut() {
            // A value may have been dropped for one that was dropped later.
            while let Some(kept) = renamed.get(number) {
                *number = *kept;
            }
        }
        let mut unused = UnusedValues::default();
        for at in self.shuffle_positions(field, if excess < 0 { numbers.len() } else { 0 }) {
            let Some(shared) = counts.get_mut(&numbers[at]).filter(|count| excess < 0 && **count > 1) else { continue };
            *shared -= 1;
            let Some(new) = self.next_unused(&mut unused, field, &|number| counts.contains_key(&number)) else {
                return;
            };
            counts.insert(new, 1);
            numbers[at] = new;
            excess += 1;
        }
        put_in_order(numbers, self.plan.format.element_order(field));
    }

    /// Returns a value of the field that is not used: one that is drawn in a few attempts, or else the smallest. Values that
    /// were used once are taken to be used ever after.
    pub(super) fn next_unused(
        &mut self,
        unused: &mut UnusedValues,
        field: FieldId,
        is_used: &dyn Fn(i128) -> bool,
    ) -> Option<i128> {
        let allowed = self.allowed_range(field);
        let filter = self.plan.field_plan(field).filter.as_ref();
        let fits = |number: &i128| allowed.contains_value(*number) && !is_used(*number);
        for _ in 0..if unused.is_crowded { 0 } else { MAX_DRAWS } {
            let number = self.choose_within(field, Interval::ALL)?;
            let number = filter.map_or(number, |filter| filter.move_number(number, allowed));
            if fits(&number) {
                return Some(number);
            }
        }
        unused.is_crowded = true;
        let letters = self.plan.format.field(field).alphabet();
        loop {
            let number = match letters {
                Some(letters) => i128::from(*letters.get(unused.passed)?),
                None => Some(allowed.lo.checked_add(unused.passed as i128)?).filter(|number| *number <= allowed.hi)?,
            };
            unused.passed += 1;
            if fits(&number) && filter.is_none_or(|filter| filter.allows_number(number)) {
                return Some(number);
            }
        }
    }

    /// Moves elements until their sum is in a range, each in proportion to its slack.
    fn repair_sum(&mut self, members: &AggregateMembers, wanted: Interval) {
        let declared = self.allowed_range(members.field);
        let numbers = self.member_numbers(members);
        let Some(sum) = checked_total(&numbers).filter(|_| !wanted.is_empty()) else { return };
        let mut off = wanted.clamp_value(sum).saturating_sub(sum);
        let slack = |n: i128| if off > 0 { (declared.hi - n).max(0) } else { (n - declared.lo).max(0) };
        let slacks: Vec<i128> = numbers.iter().map(|n| slack(*n)).collect();
        let all = slacks.iter().fold(0_i128, |all, slack| all.saturating_add(*slack));
        if all == 0 {
            return;
        }
        let whole = off;
        let mut moved = numbers.clone();
        for (number, slack) in moved.iter_mut().zip(&slacks) {
            let share = whole.checked_mul(*slack).map_or(0, |product| product / all).clamp(-*slack, *slack);
            *number += share;
            off -= share;
        }
        // The amount lost by rounding goes to the elements with slack, from the last to the first.
        for number in moved.iter_mut().rev() {
            let to = declared.clamp_value(number.saturating_add(off));
            off = off.saturating_sub(to - *number);
            *number = to;
        }
        self.set_changed_members(&members.paths, &numbers, &moved);
    }

    /// Changes elements until the wanted number of them equal `value`.
    fn repair_count(&mut self, members: &AggregateMembers, value: i128, other: i128, sign: ComparisonOperator) {
        let count = self.member_numbers(members).iter().filter(|n| **n == value).count() as i128;
        let all = members.paths.len() as i128;
        let wanted = match sign {
            ComparisonOperator::NotEqual if count < all => Interval::from_value(count + 1),
            ComparisonOperator::NotEqual => Interval::from_value(count - 1),
            _ => narrow_by_operator(Interval::new(0, all), sign, Interval::from_value(other)),
        };
        if wanted.is_empty() || all == 0 {
            return;
        }
        let mut missing = wanted.clamp_value(count) - count;
        let from = self.choose_index(members.field, members.paths.len(), 0);
        for path in members.paths.iter().cycle().skip(from).take(members.paths.len()) {
            let counted = number_at(self.slots, path) == Some(value);
            let new = match missing.signum() {
                1 if !counted => self.choose_within(members.field, Interval::from_value(value)),
                -1 if counted => self.choose_other_than(members.field, value),
                _ => None,
            };
            if let Some(new) = new {
                self.set_member(path, new);
                missing -= missing.signum();
            }
        }
    }

    /// Moves the smallest or largest element into a range. If it is beyond the far end, all elements out of
    /// range move; if it falls short, one does.
    fn repair_extreme(
        &mut self,
        members: &AggregateMembers,
        fold: FoldKind,
        wanted: Interval,
        sign: ComparisonOperator,
    ) {
        let numbers = self.member_numbers(members);
        let end = if fold == FoldKind::Max { numbers.iter().max() } else { numbers.iter().min() };
        let Some(end) = end.copied() else { return };
        let wanted = if sign == ComparisonOperator::NotEqual { Interval::new(end + 1, MAX_NUMBER) } else { wanted };
        let beyond = if fold == FoldKind::Max { end > wanted.hi } else { end < wanted.lo };
        for (path, number) in members.paths.iter().zip(&numbers) {
            let out = if fold == FoldKind::Max { *number > wanted.hi } else { *number < wanted.lo };
            if beyond
                && out
                && let Some(new) = self.choose_within(members.field, wanted)
            {
                self.set_member(path, new);
            }
        }
        if !beyond
            && let Some(new) = self.choose_within(members.field, wanted)
            && let Some(path) = members.paths.last()
        {
            self.set_member(path, new);
        }
    }

    /// Moves all elements to multiples of the wanted common divisor, and then draws one of them anew until no larger
    /// number divides all.
    fn repair_divisor(&mut self, members: &AggregateMembers, wanted: Interval) {
        let wanted = wanted.intersect(Interval::NATURAL);
        if wanted.is_empty() || members.paths.is_empty() {
            return;
        }
        let divisor = wanted.clamp_value(common_divisor(&self.member_numbers(members)));
        let allowed = self.allowed_range(members.field);
        let multiple_near = |number: i128| match divisor {
            0 => 0,
            _ if number - number.rem_euclid(divisor) >= allowed.lo => number - number.rem_euclid(divisor),
            _ => number - number.rem_euclid(divisor) + divisor,
        };
        for (path, number) in members.paths.iter().zip(self.member_numbers(members)) {
            if self.choose_within(members.field, Interval::from_value(multiple_near(number))).is_some() {
                self.set_member(path, multiple_near(number));
            }
        }
        let at = self.choose_index(members.field, members.paths.len(), 0);
        for _ in 0..MAX_DIVISOR_TRIES {
            if wanted.contains_value(common_divisor(&self.member_numbers(members))) {
                return;
            }
            let Some(number) = self.choose_within(members.field, Interval::ALL) else { return };
            let number = multiple_near(number);
            if allowed.contains_value(number) {
                self.set_member(&members.paths[at], number);
            }
        }
    }

    /// Sets one element such that the exclusive or of all is as wanted. If none has a range for that, one of them is
    /// drawn anew.
    fn repair_bits(&mut self, members: &AggregateMembers, sign: ComparisonOperator, other: i128) {
        let count = members.paths.len();
        for attempt in 0..MAX_DIVISOR_TRIES {
            let numbers = self.member_numbers(members);
            let all = numbers.iter().fold(0, |bits, number| bits ^ number);
            if count == 0 || sign.compare(&all, &other) {
                return;
            }
            let from = self.choose_index(members.field, count, count - 1);
            // Of other operators, any result will do, so one element is drawn anew.
            let fitting = (0..count).map(|step| (from + step) % count).find(|at| {
                let needed = Interval::from_value(all ^ numbers[*at] ^ other);
                sign == ComparisonOperator::Equal && self.choose_within(members.field, needed).is_some()
            });
            let (at, new) = match fitting {
                Some(at) => (at, Some(all ^ numbers[at] ^ other)),
                None => ((from + attempt) % count, self.choose_within(members.field, Interval::ALL)),
            };
            if let Some(new) = new {
                self.set_member(&members.paths[at], new);
            }
        }
    }

    fn repair_wholes(&mut self, left: &Expr, sign: ComparisonOperator, right: &Expr, variables: &[i128]) {
        let (small, sign, large) = match sign {
            ComparisonOperator::Greater | ComparisonOperator::GreaterEqual => (right, sign.with_sides_swapped(), left),
            _ => (left, sign, right),
        };
        let numbers = |expr: &Expr| value::evaluate_elements(expr, &self.scope_with(variables)).ok();
        let (Some(before), Some(after)) = (numbers(small), numbers(large)) else { return };
        let inside =
            |expr: &Expr| if let Expr::Sequence(part) = expr { self.find_members(part, variables) } else { None };
        let members = (inside(small), inside(large));
        match (sign, members) {
            (ComparisonOperator::Equal, (_, Some(members))) if before.len() == after.len() => {
                self.copy_numbers(&before, &members)
            }
            (ComparisonOperator::Equal, (Some(members), _)) if before.len() == after.len() => {
                self.copy_numbers(&after, &members)
            }
            (ComparisonOperator::Equal, _) => {
                let _ = self.replace_text(large, &before, variables) || self.replace_text(small, &after, variables);
            }
            (ComparisonOperator::NotEqual, (a, b)) => {
                if let Some(members) = b.or(a) {
                    self.change_one_member(&members);
                }
            }
            (ComparisonOperator::Less | ComparisonOperator::LessEqual, (Some(a), Some(b)))
                if a.field == b.field && before.len() == after.len() && before > after =>
            {
                self.copy_numbers(&after, &a);
                self.copy_numbers(&before, &b);
            }
            (ComparisonOperator::Less | ComparisonOperator::LessEqual, (a, b)) => {
                self.order_wholes(&before, &after, a.as_ref(), b.as_ref())
            }
            _ => {}
        }
    }

    fn copy_numbers(&mut self, numbers: &[i128], members: &AggregateMembers) {
        for (path, number) in members.paths.iter().zip(numbers) {
            if self.choose_within(members.field, Interval::from_value(*number)).is_some() {
                self.set_member(path, *number);
            }
        }
    }

    /// Replaces a text of free length by one of another length. Returns false for what cannot be replaced.
    fn replace_text(&mut self, expr: &Expr, letters: &[i128], variables: &[i128]) -> bool {
        let Expr::Sequence(part) = expr else { return false };
        let (Expr::Field(field) | Expr::Element(field, _)) = **part else { return false };
        let info = self.plan.format.field(field);
        let is_free = info.has_free_length() && info.length.contains_value(letters.len() as i128);
        let text: Option<Vec<u8>> = letters.iter().map(|letter| u8::try_from(*letter).ok()).collect();
        let fits = |text: &Vec<u8>| info.alphabet().is_some_and(|all| text.iter().all(|letter| all.contains(letter)));
        let (Some(text), Some(members)) = (text.filter(fits), self.find_members(part, variables)) else { return false };
        let path = members.paths.first().and_then(|path| path.split_last()).map(|(_, path)| path);
        let place = path.and_then(|path| self.slots.get_mut(path[0])?.value_at_mut(&path[1..]));
        let Some(place) = place.filter(|_| is_free) else { return false };
        *place = Value::Text(text.into());
        self.forget_slices();
        self.changed = true;
        true
    }

    /// Changes one element.
    fn change_one_member(&mut self, members: &AggregateMembers) {
        let Some(last) = members.paths.len().checked_sub(1) else { return };
        let path = &members.paths[self.choose_index(members.field, last + 1, last)];
        if let Some(new) = number_at(self.slots, path).and_then(|old| self.choose_other_than(members.field, old)) {
            self.set_member(path, new);
        }
    }

    /// Makes `small` precede `large`: moves an element at the last position where one can be moved, among the
    /// common prefix and the first position at which they differ.
    fn order_wholes(
        &mut self,
        small: &[i128],
        large: &[i128],
        a: Option<&AggregateMembers>,
        b: Option<&AggregateMembers>,
    ) {
        let equal = small.iter().zip(large).take_while(|(s, l)| s == l).count();
        for at in (0..=equal.min(small.len().min(large.len()).saturating_sub(1))).rev() {
            let (Some(s), Some(l)) = (small.get(at), large.get(at)) else { continue };
            let places = [(b, Interval::new(s + 1, MAX_NUMBER)), (a, Interval::new(-MAX_NUMBER, l - 1))];
            for (members, range) in places {
                let Some(members) = members else { continue };
                if let Some(new) = self.choose_within(members.field, range) {
                    return self.set_member(&members.paths[at].clone(), new);
                }
            }
        }
    }

    /// Chooses a value of the field within a range: for a text, the code of one of its letters.
    fn choose_within(&mut self, field: FieldId, range: Interval) -> Option<i128> {
        if let Some(letters) = self.plan.format.field(field).alphabet() {
            let fitting = letters.iter().map(|letter| i128::from(*letter)).filter(|code| range.contains_value(*code));
            let fitting: Vec<i128> = fitting.collect();
            if fitting.is_empty() {
                return None;
            }
            return fitting.get(self.choose_index(field, fitting.len(), 0)).copied();
        }
        let range = self.allowed_range(field).intersect(range);
        let simplest = range.simplest_value();
        (!range.is_empty()).then(|| range.clamp_value((self.choose_number)(field, range, simplest)))
    }

    /// Chooses an index below `count`, which is positive; `preferred` is the one that changes the least.
    pub(super) fn choose_index(&mut self, field: FieldId, count: usize, preferred: usize) -> usize {
        let last = count as i128 - 1;
        (self.choose_number)(field, Interval::new(0, last), preferred as i128).clamp(0, last) as usize
    }

    /// Chooses any value but this one.
    fn choose_other_than(&mut self, field: FieldId, number: i128) -> Option<i128> {
        let below = Interval::new(-MAX_NUMBER, number - 1);
        let above = Interval::new(number + 1, MAX_NUMBER);
        let first = (self.choose_number)(field, Interval::new(0, 1), 0) > 0;
        let (one, other) = if first { (above, below) } else { (below, above) };
        self.choose_within(field, one).or_else(|| self.choose_within(field, other))
    }
}

/// Returns the reduction of a fold with elements that are moved together. The elements of a slice are only moved together if
/// these are not the prefixes of a row, or if they relate to each other.
fn aggregated_kind(expr: &Expr) -> Option<FoldKind> {
    match expr {
        Expr::Fold(fold, over, _) if *over == FoldRange::Elements || fold.is_relational() => Some(*fold),
        Expr::Slice(slice) => match (&slice.reduction, &slice.each) {
            (SliceReduction::Fold(fold), Expr::Element(_, indices))
                if fold.is_relational() || indices.last() != Some(&Expr::Variable(slice.variable)) =>
            {
                Some(*fold)
            }
            _ => None,
        },
        _ => None,
    }
}

fn common_divisor(numbers: &[i128]) -> i128 {
    numbers.iter().fold(0, |divisor, number| apply_operator(ArithmeticOperator::Gcd, divisor, *number).unwrap_or(1))
}

/// Returns the sum of the numbers, or `None` if it overflows.
fn checked_total(numbers: &[i128]) -> Option<i128> {
    numbers.iter().try_fold(0_i128, |sum, number| sum.checked_add(*number))
}

/// Collects the paths of all numbers and letters of a value.
fn gather_paths(value: &Value, path: &mut Vec<usize>, found: &mut Vec<Vec<usize>>) {
    let count = match value {
        Value::Ints(numbers) => numbers.len(),
        Value::Text(letters) => letters.len(),
        Value::List(rows) => rows.len(),
        _ => 0,
    };
    for i in 0..count {
        path.push(i);
        match value {
            Value::List(rows) => gather_paths(&rows[i], path, found),
            _ => found.push(path.clone()),
        }
        path.pop();
    }
}

// Checks the constraints of a drawn instance, and redraws the fields that break them.

/// Maximum number of redraws before the instance is drawn afresh.
const MAX_REDRAWS: usize = 64;

/// Number of values that can be checked in the time of one draw.
const CHECKS_PER_DRAW: usize = 8;

impl<'a> InstanceGenerator<'a, '_> {
    /// Redraws fields of a draft until the constraints with this home block hold.
    pub(super) fn redraw_until_valid(
        &mut self,
        block: BlockId,
        draft: &mut impl InstanceDraft<'a>,
    ) -> Result<(), DrawFailure<'a>> {
        let Some(mut broken) = draft.find_violation(self, RecheckScope::All) else { return Ok(()) };
        let (mut checks, mut was_same) = (1, false);
        for _ in 0..MAX_REDRAWS {
            let redrawn = self.without_cache(|generator| draft.redraw_field(generator, &broken));
            let doubt = match redrawn {
                RedrawOutcome::Nothing => break,
                // An unchanged number leaves the same constraint broken. Where no number can change, as on a board of
                // one cell, no redraw helps.
                RedrawOutcome::Same if was_same || draft.can_change(self, broken.constraint) => {
                    was_same = true;
                    continue;
                }
                RedrawOutcome::Same => break,
                RedrawOutcome::Number(field) if self.plan.block_plan(block).arrays.is_empty() => {
                    // Without arrays only this number changed, so the constraints before the broken one still
                    // hold.
                    RecheckScope::After { broken: broken.constraint, redrawn: field }
                }
                RedrawOutcome::Number(_) | RedrawOutcome::Array => RecheckScope::All,
            };
            if self.plan.format.stop_token.spend_steps(CHECKS_PER_DRAW as u64) {
                break;
            }
            checks += 1;
            match draft.find_violation(self, doubt) {
                Some(violation) => (broken, was_same) = (violation, false),
                None => return Ok(()),
            }
        }
        // Every round checked everything again, which is cheaper than drawing it.
        self.wasted_draws += (checks * draft.count_nodes() / CHECKS_PER_DRAW) as u64;
        let DraftViolation { constraint, sides, .. } = broken;
        Err(DrawFailure::BrokenConstraint(constraint, sides))
    }
}
