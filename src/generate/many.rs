//! Formulas about many numbers at once: `sum(V[i]) = 100`, `count(board[i], '#') <= 1`, `words[i] < words[i+1]`.
//!
//! No one number can be moved to where such a comparison holds, so all of a row are: a sum that is off is shared out among
//! its parts, by the room that each has left; of a count, as many elements change as there are too many or too few; of two
//! wholes in the wrong order, the contents change places, or the first element that can decide does.

use super::formulas::{Settler, number_at, set_number};
use crate::format::{Comparison, Expr, FieldId, Fold, Interval, LARGEST, Over, Sign, cut};
use crate::value::{self, Value};

/// The elements of an array, a text or a row, that can be moved.
struct Members {
    field: FieldId,
    paths: Vec<Vec<usize>>,
}

impl Settler<'_, '_, '_> {
    /// Mends a comparison that folds an array or a row, or compares wholes. Whether it is of that kind.
    pub(super) fn mend_many(&mut self, comparison: &Comparison, variables: &[i128]) -> bool {
        let ([left], [right]) = (&*comparison.left, &*comparison.right) else { return false };
        match (left, right) {
            (Expr::Whole(_) | Expr::Letters(_), _) => self.mend_wholes(left, comparison.sign, right, variables),
            (Expr::Fold(fold, Over::Elements, part), other) => {
                self.mend_fold((*fold, part), comparison.sign, other, variables);
            }
            (other, Expr::Fold(fold, Over::Elements, part)) => {
                self.mend_fold((*fold, part), comparison.sign.mirrored(), other, variables);
            }
            _ => return false,
        }
        true
    }

    fn members(&self, part: &Expr, variables: &[i128]) -> Option<Members> {
        let (field, indices) = match part {
            Expr::Field(field) => (*field, &[][..]),
            Expr::Element(field, indices) => (*field, &**indices),
            _ => return None,
        };
        let format = self.plan.format;
        if self.plan.is_size(field) || !format.picks_row(field, indices) {
            return None;
        }
        let scope = self.scope(variables);
        let index = |e: &Expr| usize::try_from(value::number(e, &scope).ok()? - 1).ok();
        let positions = indices.iter().map(index).collect::<Option<Vec<usize>>>()?;
        let mut path = self.place(field, &positions, format.counts_repetitions(field, indices))?;
        let mut paths = Vec::new();
        gather(self.slots.get(path[0])?.at(&path[1..])?, &mut path, &mut paths);
        Some(Members { field, paths })
    }

    fn numbers(&self, members: &Members) -> Vec<i128> {
        members.paths.iter().filter_map(|path| number_at(self.slots, path)).collect()
    }

    fn set(&mut self, path: &[usize], number: i128) {
        set_number(self.slots, path, number);
        self.changed = true;
    }

    fn mend_fold(&mut self, (fold, part): (Fold, &Expr), sign: Sign, other: &Expr, variables: &[i128]) {
        let Some(members) = self.members(part, variables) else { return };
        let Ok(other) = value::number(other, &self.scope(variables)) else { return };
        let wanted = |sign| cut(Interval::ALL, sign, Interval::point(other));
        match fold {
            Fold::Sum if sign == Sign::NotEqual => {
                self.share_out(&members, Interval::new(other.saturating_add(1), LARGEST));
                if total(&self.numbers(&members)) == Some(other) {
                    self.share_out(&members, Interval::new(-LARGEST, other.saturating_sub(1)));
                }
            }
            Fold::Sum => self.share_out(&members, wanted(sign)),
            Fold::Count(what) => self.recount(&members, what, other, sign),
            // No text becomes longer or shorter here.
            Fold::Size => {}
            Fold::Max | Fold::Min => self.move_end(&members, fold, wanted(sign), sign),
        }
    }

    /// Moves elements until their sum is in a range; each takes its part by the room that it has.
    fn share_out(&mut self, members: &Members, wanted: Interval) {
        let stated = self.stated(members.field);
        let numbers = self.numbers(members);
        let Some(sum) = total(&numbers).filter(|_| !wanted.is_empty()) else { return };
        let mut off = wanted.nearest(sum).saturating_sub(sum);
        let room = |n: i128| if off > 0 { (stated.hi - n).max(0) } else { (n - stated.lo).max(0) };
        let rooms: Vec<i128> = numbers.iter().map(|n| room(*n)).collect();
        let all = rooms.iter().fold(0_i128, |all, room| all.saturating_add(*room));
        if all == 0 {
            return;
        }
        let whole = off;
        let mut moved = numbers.clone();
        for (number, room) in moved.iter_mut().zip(&rooms) {
            let share = whole.checked_mul(*room).map_or(0, |product| product / all).clamp(-*room, *room);
            *number += share;
            off -= share;
        }
        // What rounding left over goes to whoever has room, from the last to the first.
        for number in moved.iter_mut().rev() {
            let to = stated.nearest(number.saturating_add(off));
            off = off.saturating_sub(to - *number);
            *number = to;
        }
        let changed =
            members.paths.iter().zip(numbers.iter().zip(&moved)).filter(|(_, (before, after))| before != after);
        for (path, (_, after)) in changed {
            self.set(path, *after);
        }
    }

    /// Changes elements until as many as asked for equal `what`.
    fn recount(&mut self, members: &Members, what: i128, other: i128, sign: Sign) {
        let count = self.numbers(members).iter().filter(|n| **n == what).count() as i128;
        let all = members.paths.len() as i128;
        let wanted = match sign {
            Sign::NotEqual if count < all => Interval::point(count + 1),
            Sign::NotEqual => Interval::point(count - 1),
            _ => cut(Interval::new(0, all), sign, Interval::point(other)),
        };
        if wanted.is_empty() || all == 0 {
            return;
        }
        let mut missing = wanted.nearest(count) - count;
        let from = (self.choose)(members.field, Interval::new(0, all - 1), 0).clamp(0, all - 1) as usize;
        for path in members.paths.iter().cycle().skip(from).take(members.paths.len()) {
            let counted = number_at(self.slots, path) == Some(what);
            let new = match missing.signum() {
                1 if !counted => self.one_of(members.field, Interval::point(what)),
                -1 if counted => self.other_than(members.field, what),
                _ => None,
            };
            if let Some(new) = new {
                self.set(path, new);
                missing -= missing.signum();
            }
        }
    }

    /// Brings the smallest or the largest element into a range: past its end all have to move, and up to its start one.
    fn move_end(&mut self, members: &Members, fold: Fold, wanted: Interval, sign: Sign) {
        let numbers = self.numbers(members);
        let end = if fold == Fold::Max { numbers.iter().max() } else { numbers.iter().min() };
        let Some(end) = end.copied() else { return };
        let wanted = if sign == Sign::NotEqual { Interval::new(end + 1, LARGEST) } else { wanted };
        let beyond = if fold == Fold::Max { end > wanted.hi } else { end < wanted.lo };
        for (path, number) in members.paths.iter().zip(&numbers) {
            let out = if fold == Fold::Max { *number > wanted.hi } else { *number < wanted.lo };
            if beyond
                && out
                && let Some(new) = self.one_of(members.field, wanted)
            {
                self.set(path, new);
            }
        }
        if !beyond
            && let Some(new) = self.one_of(members.field, wanted)
            && let Some(path) = members.paths.last()
        {
            self.set(path, new);
        }
    }

    fn mend_wholes(&mut self, left: &Expr, sign: Sign, right: &Expr, variables: &[i128]) {
        let (small, sign, large) = match sign {
            Sign::Greater | Sign::GreaterEqual => (right, sign.mirrored(), left),
            _ => (left, sign, right),
        };
        let numbers = |expr: &Expr| value::elements(expr, &self.scope(variables)).ok();
        let (Some(before), Some(after)) = (numbers(small), numbers(large)) else { return };
        let inside = |expr: &Expr| if let Expr::Whole(part) = expr { self.members(part, variables) } else { None };
        let members = (inside(small), inside(large));
        match (sign, members) {
            (Sign::Equal, (_, Some(members))) if before.len() == after.len() => self.copy(&before, &members),
            (Sign::Equal, (Some(members), _)) if before.len() == after.len() => self.copy(&after, &members),
            (Sign::NotEqual, (a, b)) => {
                if let Some(members) = b.or(a) {
                    self.differ(&members);
                }
            }
            (Sign::Less | Sign::LessEqual, (Some(a), Some(b)))
                if a.field == b.field && before.len() == after.len() && before > after =>
            {
                self.copy(&after, &a);
                self.copy(&before, &b);
            }
            (Sign::Less | Sign::LessEqual, (a, b)) => self.decide(&before, &after, a.as_ref(), b.as_ref()),
            _ => {}
        }
    }

    fn copy(&mut self, numbers: &[i128], members: &Members) {
        for (path, number) in members.paths.iter().zip(numbers) {
            if self.one_of(members.field, Interval::point(*number)).is_some() {
                self.set(path, *number);
            }
        }
    }

    /// Changes one element.
    fn differ(&mut self, members: &Members) {
        let Some(last) = members.paths.len().checked_sub(1) else { return };
        let at = (self.choose)(members.field, Interval::new(0, last as i128), last as i128).clamp(0, last as i128);
        let path = &members.paths[at as usize];
        if let Some(new) = number_at(self.slots, path).and_then(|old| self.other_than(members.field, old)) {
            self.set(path, new);
        }
    }

    /// Makes the first whole come before the second at the last place where one of them can be moved, of those at which
    /// they are still equal, and the first at which they are not.
    fn decide(&mut self, small: &[i128], large: &[i128], a: Option<&Members>, b: Option<&Members>) {
        let equal = small.iter().zip(large).take_while(|(s, l)| s == l).count();
        for at in (0..=equal.min(small.len().min(large.len()).saturating_sub(1))).rev() {
            let (Some(s), Some(l)) = (small.get(at), large.get(at)) else { continue };
            let places = [(b, Interval::new(s + 1, LARGEST)), (a, Interval::new(-LARGEST, l - 1))];
            for (members, range) in places {
                let Some(members) = members else { continue };
                if let Some(new) = self.one_of(members.field, range) {
                    return self.set(&members.paths[at].clone(), new);
                }
            }
        }
    }

    /// A number that the field can have within a range: of a text, the code of one of its letters.
    fn one_of(&mut self, field: FieldId, range: Interval) -> Option<i128> {
        if let Some(letters) = self.plan.format.field(field).letters() {
            let fitting = letters.iter().map(|letter| i128::from(*letter)).filter(|code| range.contains(*code));
            let fitting: Vec<i128> = fitting.collect();
            let last = fitting.len().checked_sub(1)? as i128;
            let at = (self.choose)(field, Interval::new(0, last), 0).clamp(0, last);
            return fitting.get(at as usize).copied();
        }
        let range = self.stated(field).intersect(range);
        let simplest = range.simplest();
        (!range.is_empty()).then(|| range.nearest((self.choose)(field, range, simplest)))
    }

    /// Any other number than this one.
    fn other_than(&mut self, field: FieldId, number: i128) -> Option<i128> {
        let below = Interval::new(-LARGEST, number - 1);
        let above = Interval::new(number + 1, LARGEST);
        let first = (self.choose)(field, Interval::new(0, 1), 0) > 0;
        let (one, other) = if first { (above, below) } else { (below, above) };
        self.one_of(field, one).or_else(|| self.one_of(field, other))
    }
}

/// The sum of some numbers; none if it is too large.
fn total(numbers: &[i128]) -> Option<i128> {
    numbers.iter().try_fold(0_i128, |sum, number| sum.checked_add(*number))
}

/// The paths of all numbers and letters of a value.
fn gather(value: &Value, path: &mut Vec<usize>, found: &mut Vec<Vec<usize>>) {
    let count = match value {
        Value::Ints(numbers) => numbers.len(),
        Value::Text(letters) => letters.len(),
        Value::List(rows) => rows.len(),
        _ => 0,
    };
    for i in 0..count {
        path.push(i);
        match value {
            Value::List(rows) => gather(&rows[i], path, found),
            _ => found.push(path.clone()),
        }
        path.pop();
    }
}
