//! Drawing instances of a block that is understood in full.

use super::super::Failure;
use super::super::budget::{Budget, are_ample};
use super::super::habits::runs;
use super::super::instance::{ATTEMPT, MOST_TRIES, Maker, Partial};
use super::super::repair::{LOOKS, MOST_REPAIRS};
use super::rows::Rows;
use super::{Array, Bound, MOST_SUMS, Must, Number, Straight, bounded};
use crate::format::{BlockId, Expr, FieldId, Format, Interval, Rule, cut};
use crate::validate::Sides;
use crate::value::{Instances, Scope, Value};
use rebut_generators::Sizes;

/// An instance in the making.
pub(in crate::generate) struct Sheet<'p, 's> {
    pub(super) straight: &'p Straight,
    pub(super) block: BlockId,
    holder: &'s Scope<'s>,
    /// What each slot can hold, a single number once it is drawn; behind them the numbers around.
    pub(super) places: Vec<Interval>,
    /// Which single numbers are drawn, in the order of the layout.
    known: u64,
    /// What its share of each budget leaves of a slot.
    pub(super) limits: Vec<(usize, Interval)>,
    /// The sizes that were drawn last of each single number, as most instances draw from the same.
    lately: Vec<Option<Lately>>,
}

/// Sizes within a range, for an instance with some room.
#[derive(Clone, Copy)]
struct Lately {
    range: Interval,
    room: usize,
    sizes: Sizes,
}

/// Why an instance came to nothing. Most such ends are followed by another attempt, and are put into words only if not.
pub(super) enum End {
    /// Nothing is left of a field.
    Empty(FieldId, Option<usize>),
    /// A constraint does not hold.
    Broken(usize, [i128; MOST_SUMS], [i128; MOST_SUMS]),
    /// Anything else.
    Other(Box<Failure>),
}

impl End {
    fn other(failure: Failure) -> End {
        End::Other(Box::new(failure))
    }

    fn failure(self, format: &Format) -> Failure {
        match self {
            End::Empty(field, blame) => Failure::nothing_left(format, field, blame),
            End::Other(failure) => *failure,
            End::Broken(constraint, left, right) => match &format.constraints[constraint].rule {
                Rule::Compare(comparison) => {
                    let numbers = |side: &[Expr], of: [i128; MOST_SUMS]| of[..side.len().min(MOST_SUMS)].to_vec();
                    let sides = match (&*comparison.left, &*comparison.right) {
                        ([_], [_]) => Sides::Numbers(comparison, left[0], right[0]),
                        (a, b) => Sides::Tuples(comparison, numbers(a, left), numbers(b, right)),
                    };
                    Failure::broken(format, constraint, sides.words(format))
                }
                _ => Failure { constraint: None, message: String::new() },
            },
        }
    }
}

impl Sheet<'_, '_> {
    /// Nothing is drawn.
    fn clear(&mut self) {
        let straight = self.straight;
        self.places[..straight.stated.len()].copy_from_slice(&straight.stated);
        self.known = 0;
    }

    fn set(&mut self, number: &Number, to: i128) {
        self.places[number.slot] = Interval::point(to);
        self.known |= 1 << number.at;
    }

    fn forget(&mut self, number: &Number) {
        self.places[number.slot] = self.straight.stated[number.slot];
        self.known &= !(1 << number.at);
    }

    /// What is left of a number. Ranges are too wide for registers as results: where they are needed at once, they are not
    /// handed on through memory.
    #[inline(always)]
    fn left(&self, number: &Number) -> Result<Interval, End> {
        let mut range = bounded(self.straight.stated[number.slot], &number.bounds, &self.places);
        for (slot, limit) in &self.limits {
            if *slot == number.slot {
                range = range.intersect(*limit);
            }
        }
        if range.is_empty() { Err(self.empty(number.field, number.slot, &number.bounds)) } else { Ok(range) }
    }

    #[cold]
    fn empty(&self, field: FieldId, slot: usize, bounds: &[Bound]) -> End {
        let mut range = self.straight.stated[slot];
        let mut ends = bounds.iter().filter(|bound| {
            range = cut(range, bound.sign, bound.other.within(&self.places));
            range.is_empty()
        });
        End::Empty(field, ends.next().map(|bound| bound.constraint))
    }

    /// The numbers of the first constraint that does not hold.
    fn first_broken(&self) -> Option<(&Must, End)> {
        let must = self.straight.musts.iter().find(|must| !self.holds(must))?;
        let (mut left, mut right) = ([0; MOST_SUMS], [0; MOST_SUMS]);
        left.iter_mut().zip(&must.left).for_each(|(number, sum)| *number = sum.number(&self.places));
        right.iter_mut().zip(&must.right).for_each(|(number, sum)| *number = sum.number(&self.places));
        Some((must, End::Broken(must.constraint, left, right)))
    }

    fn holds(&self, must: &Must) -> bool {
        must.holds(|sum| sum.number(&self.places))
    }

    /// Notes what its share of each budget leaves to an instance.
    pub(super) fn limit(&mut self, budgets: &[Budget<'_>], i: usize, count: usize) {
        for (limit, budget) in self.limits.iter_mut().zip(budgets) {
            limit.1 = budget.limit(i, count);
        }
    }

    /// Notes what an instance contributes to each budget.
    pub(super) fn spend(&self, budgets: &mut [Budget<'_>], number: impl Fn(usize) -> i128) {
        for ((slot, _), budget) in self.limits.iter().zip(budgets) {
            budget.spend(number(*slot));
        }
    }

    /// The parts that it is made of, as [`Value::nodes`] counts them.
    fn nodes(&self) -> usize {
        let nodes = |array: &Array| {
            let sizes = array.sizes.iter().rev().map(|size| usize::try_from(size.number(&self.places)).unwrap_or(0));
            sizes.fold(1, |each, size| 1 + size * each)
        };
        self.known.count_ones() as usize + self.straight.arrays.iter().map(nodes).sum::<usize>()
    }

    /// Puts the single numbers into their slots.
    pub(super) fn write(&self, slots: &mut [Value]) {
        for slot in &self.straight.layout {
            put(&mut slots[*slot], self.places[*slot].lo);
        }
    }

    /// Puts the arrays of another instance into their slots.
    pub(super) fn copy(&self, like: &[Value], slots: &mut [Value]) {
        for array in &self.straight.arrays {
            match (&mut slots[array.slot], &like[array.slot]) {
                (Value::Text(to), Value::Text(from)) => {
                    to.clear();
                    to.extend_from_slice(from);
                }
                (to, from) => to.clone_from(from),
            }
        }
    }

    /// Takes over the numbers of a neighbour, as far as they are drawn.
    pub(super) fn take(&mut self, rows: &Rows, at: usize) {
        let straight = self.straight;
        self.clear();
        for number in straight.sizes.iter().chain(&straight.others).filter(|number| rows.knows(number)) {
            self.set(number, rows.number(number.slot, at).into());
        }
    }

    /// Takes over an instance, but for its arrays.
    fn load(&mut self, instance: &[Value]) {
        let straight = self.straight;
        self.clear();
        for number in straight.sizes.iter().chain(&straight.others) {
            if let Some(Value::Int(known)) = instance.get(number.slot) {
                self.set(number, *known);
            }
        }
    }
}

impl<'a> Maker<'a, '_> {
    /// An empty sheet for the instances of a block, if they can be drawn straight this time.
    pub(in crate::generate) fn sheet<'s>(
        &self,
        child: BlockId,
        holder: &'s Scope<'s>,
        budgets: &[Budget<'_>],
    ) -> Option<Sheet<'a, 's>> {
        let straight = self.plan.straight(child)?;
        if self.settings.extreme.is_some() || self.candid && straight.is_unsure {
            return None;
        }
        let own = |budget: &Budget<'_>| match budget.each {
            Expr::Field(field) => {
                let info = self.plan.format.field(*field);
                (info.block == child && info.is_scalar()).then_some((info.slot, Interval::ALL))
            }
            _ => None,
        };
        let limits = budgets.iter().map(own).collect::<Option<Vec<_>>>()?;
        let places = [straight.stated.clone(), straight.surroundings(holder)?].concat();
        let lately = vec![None; straight.layout.len()];
        Some(Sheet { straight, block: child, holder, places, known: 0, limits, lately })
    }

    /// All instances of a block; `copying` if some are to be like others.
    #[expect(clippy::expect_used, reason = "the slots of single numbers are known when a format is prepared")]
    pub(in crate::generate) fn straight_instances(
        &mut self,
        sheet: &mut Sheet<'a, '_>,
        rooms: Vec<usize>,
        budgets: &mut [Budget<'_>],
        copying: bool,
    ) -> Result<Instances, Failure> {
        let (count, width) = (rooms.len(), sheet.straight.stated.len());
        let mut slots = self.scrap.slots(count * width);
        let mut rows = Rows::new(&sheet.places, sheet.straight).filter(|_| self.has_habits(count));
        for run in runs(count) {
            self.look_at_token(run.start)?;
            self.choose_habits(sheet.block, run.start, count);
            let slots = &mut slots[..run.end * width];
            // Where a list is hard to find instances for, copies of the first are what it is made of.
            let begins_copying = copying && run.start == 0;
            if let Some(rows) =
                rows.as_mut().filter(|_| !begins_copying && self.filled.is_empty() && are_ample(budgets, &run, count))
            {
                let (earlier, places) = slots.split_at_mut(run.start * width);
                rows.clear(false);
                self.straight_run(sheet, rows, copying.then_some(&*earlier), places, &rooms[run.clone()])?;
                rows.write(&sheet.straight.layout, places);
                for at in 0..run.len() {
                    sheet.spend(budgets, |slot| rows.number(slot, at).into());
                }
                continue;
            }
            for i in run {
                let (earlier, instance) = slots[..(i + 1) * width].split_at_mut(i * width);
                sheet.limit(budgets, i, count);
                self.straight_next(sheet, earlier, instance, rooms[i], copying)?;
                sheet.spend(budgets, |slot| instance[slot].as_int().expect("what is spent is a number"));
            }
        }
        self.prove(sheet.block);
        Ok(Instances::of_slots(width, count, slots))
    }

    /// Notes that all instances of a block keep to what is said of each. A block directly in the whole input has one list, so
    /// nothing else is to be said of its instances.
    pub(super) fn prove(&mut self, block: BlockId) {
        let is_only = self.plan.format.block(block).parent == Some(BlockId(0));
        self.proved = Some(block).filter(|_| is_only);
    }

    /// One more instance.
    pub(super) fn straight_next(
        &mut self,
        sheet: &mut Sheet<'a, '_>,
        earlier: &[Value],
        instance: &mut [Value],
        room: usize,
        copying: bool,
    ) -> Result<(), Failure> {
        match if copying { self.straight_copy(sheet, earlier) } else { None } {
            Some(like) => sheet.copy(like, instance),
            None => self.straight_instance(sheet, instance, room)?,
        }
        sheet.write(instance);
        Ok(())
    }

    /// The same as [`Maker::near_copy`]: the earlier instance that has the same arrays, if there is such an instance.
    fn straight_copy<'v>(&mut self, sheet: &mut Sheet<'a, '_>, earlier: &'v [Value]) -> Option<&'v [Value]> {
        if !self.copies(sheet.block) {
            return None;
        }
        let straight = sheet.straight;
        let width = straight.stated.len();
        let like = self.choices.index(earlier.len() / width.max(1)) * width;
        let instance = earlier.get(like..like + width)?;
        sheet.load(instance);
        if let Some(number) = self.choices.pick(&straight.others) {
            sheet.forget(number);
            let drawn = self.straight_scalar(sheet, number).ok()?;
            sheet.set(number, drawn);
        }
        let within = |(slot, limit): &(usize, Interval)| limit.contains(sheet.places[*slot].lo);
        let fits = sheet.limits.iter().all(within) && straight.musts.iter().all(|must| sheet.holds(must));
        fits.then_some(instance)
    }

    /// The same as [`Maker::instance`]; its arrays go into their slots, its numbers stay on the sheet.
    pub(super) fn straight_instance(
        &mut self,
        sheet: &mut Sheet<'a, '_>,
        slots: &mut [Value],
        room: usize,
    ) -> Result<(), Failure> {
        let mut end = None;
        for attempt in 0..MOST_TRIES {
            let room = (room >> attempt.min(usize::BITS as usize - 1)).max(1);
            let (wasted, drawn, allocation) = (self.wasted, self.choices.count(), self.allocation);
            let made = self.by_habit_at_first(attempt, |maker| {
                maker.fill_at_first(attempt, |maker| maker.straight_attempt(sheet, slots, room))
            });
            match made {
                Ok(()) => return Ok(()),
                Err(why) => end = Some(why),
            }
            self.allocation = allocation;
            self.wasted = self.wasted.max(wasted + self.choices.count() - drawn) + ATTEMPT;
            if self.is_out_of_patience() {
                break;
            }
        }
        let nothing = Failure { constraint: None, message: String::new() };
        Err(end.map_or(nothing, |end| end.failure(self.plan.format)))
    }

    fn straight_attempt(&mut self, sheet: &mut Sheet<'a, '_>, slots: &mut [Value], room: usize) -> Result<(), End> {
        let straight = sheet.straight;
        sheet.clear();
        let reverse = self.in_reverse(sheet.block);
        for number in &straight.sizes {
            let range = sheet.left(number)?;
            let size = self.straight_size(sheet, number, range, room);
            sheet.set(number, size);
        }
        let last = straight.others.len().saturating_sub(1);
        for at in 0..straight.others.len() {
            let number = &straight.others[if reverse { last - at } else { at }];
            let drawn = self.straight_scalar(sheet, number)?;
            sheet.set(number, drawn);
        }
        for array in &straight.arrays {
            self.straight_array(sheet, array, &mut slots[array.slot])?;
        }
        if straight.musts.is_empty() { Ok(()) } else { self.straight_repair(sheet) }
    }

    fn straight_size(&mut self, sheet: &mut Sheet<'a, '_>, number: &Number, range: Interval, room: usize) -> i128 {
        let lately = sheet.lately[number.at].filter(|lately| lately.room == room && lately.range == range);
        let sizes = lately.map(|lately| lately.sizes).unwrap_or_else(|| {
            let (sizes, is_lasting) = self.sizes_left(sheet, number, range, room);
            sheet.lately[number.at] = is_lasting.then_some(Lately { range, room, sizes });
            sizes
        });
        if self.is_filled(number.field) {
            return sizes.largest();
        }
        self.one_of(number.field, &sizes)
    }

    /// The sizes in a range with which the instance has room, and whether they are the same for every instance.
    pub(super) fn sizes_left(
        &mut self,
        sheet: &Sheet<'a, '_>,
        number: &Number,
        range: Interval,
        room: usize,
    ) -> (Sizes, bool) {
        let known = self.known_fit(sheet.block, number.field, range, room);
        let hi = known.unwrap_or_else(|| {
            let mut slots: Partial = vec![None; sheet.straight.stated.len()];
            for known in sheet.straight.sizes.iter().filter(|known| sheet.known >> known.at & 1 == 1) {
                slots[known.slot] = Some(Value::Int(sheet.places[known.slot].lo));
            }
            self.fit(number.field, range, &self.scope(sheet.block, &slots, Some(sheet.holder)), room)
        });
        let growth = if self.is_filled(number.field) { self.growth_to_fill() } else { self.settings.growth };
        (Sizes::new(range.lo, hi, growth), known.is_some())
    }

    fn straight_scalar(&mut self, sheet: &Sheet<'a, '_>, number: &Number) -> Result<i128, End> {
        let range = sheet.left(number)?;
        if self.is_filled(number.field) {
            return Ok(range.hi);
        }
        if self.wants_tie(number.field)
            && let Some(tie) = self.straight_tie(sheet)
        {
            return Ok(range.nearest(tie));
        }
        Ok(self.scalar_within(number.field, range))
    }

    fn straight_tie(&mut self, sheet: &Sheet<'a, '_>) -> Option<i128> {
        let slot = self.any_known(sheet.known, &sheet.straight.layout)?;
        Some(self.tie_to(sheet.places[slot].lo))
    }

    /// The slot of any single number that is drawn.
    pub(super) fn any_known(&mut self, mut known: u64, layout: &[usize]) -> Option<usize> {
        for _ in 0..self.choices.index(known.count_ones() as usize) {
            known &= known - 1;
        }
        layout.get(known.trailing_zeros() as usize).copied()
    }

    fn straight_array(&mut self, sheet: &Sheet<'a, '_>, array: &Array, place: &mut Value) -> Result<(), End> {
        let mut sizes = [0; 2];
        for (size, sum) in sizes.iter_mut().zip(&array.sizes) {
            let known = usize::try_from(sum.number(&sheet.places));
            *size = known.map_err(|_| End::other(Failure::no_size(self.plan.format, array.field)))?;
        }
        let range = || bounded(sheet.straight.stated[array.slot], &array.bounds, &sheet.places);
        let drawn = self.put_array(array, &sizes[..array.sizes.len()], range, place).map_err(End::other)?;
        if drawn { Ok(()) } else { Err(sheet.empty(array.field, array.slot, &array.bounds)) }
    }

    /// Puts an array of such sizes into its place; not if no number is left for what is in it.
    pub(super) fn put_array(
        &mut self,
        array: &Array,
        sizes: &[usize],
        range: impl FnOnce() -> Interval,
        place: &mut Value,
    ) -> Result<bool, Failure> {
        let count = self.reserve_elements(array.field, sizes)?;
        if let (Some(letters), [length]) = (&array.letters, sizes) {
            let shape = self.text_shape(array.field);
            self.put_text_of(shape, letters, *length, place);
            return Ok(true);
        }
        if let (Some(letters), [rows, columns]) = (self.plan.format.field(array.field).letters(), sizes) {
            *place = self.board(array.field, letters, *rows, *columns);
            return Ok(true);
        }
        let range = if count == 0 { Interval::ALL } else { range() };
        if range.is_empty() {
            return Ok(false);
        }
        let numbers = if count == 0 { Vec::new() } else { self.numbers_within(array.field, count, range) };
        *place = super::super::arrays::nest(numbers, sizes);
        Ok(true)
    }

    /// The same as [`Maker::repair`].
    pub(super) fn straight_repair(&mut self, sheet: &mut Sheet<'a, '_>) -> Result<(), End> {
        let straight = sheet.straight;
        let (mut last, mut repairs, mut is_same) = (None, 0, false);
        for _ in 0..MOST_REPAIRS {
            repairs += 1;
            if !is_same {
                last = sheet.first_broken().map(|(must, end)| (must.constraint, end));
            }
            let Some((constraint, _)) = &last else { return Ok(()) };
            let Some(field) = self.choices.pick(self.plan.blamed(*constraint)) else { break };
            let Some(number) = straight.others.iter().find(|number| number.field == *field) else { break };
            let before = sheet.places[number.slot].lo;
            sheet.forget(number);
            let Ok(drawn) = self.without_habits(|maker| maker.straight_scalar(sheet, number)) else { break };
            sheet.set(number, drawn);
            is_same = before == drawn && straight.arrays.is_empty();
            if is_same && repairs == 1 && self.is_stuck(sheet, *constraint) {
                self.without_habits(|maker| maker.repair_in_vain(sheet, *constraint, MOST_REPAIRS - repairs));
                repairs = MOST_REPAIRS;
                break;
            }
        }
        self.wasted += (repairs * sheet.nodes() / LOOKS) as u64;
        last.map_or(Ok(()), |(_, end)| Err(end))
    }

    /// Whether none of the numbers to blame for a constraint can be any other, as on a board of one cell.
    fn is_stuck(&self, sheet: &Sheet<'a, '_>, constraint: usize) -> bool {
        self.plan.blamed(constraint).iter().all(|field| {
            let number = sheet.straight.others.iter().find(|number| number.field == *field);
            let range = number.and_then(|number| sheet.left(number).ok());
            range.is_some_and(|range| range.lo == range.hi)
        })
    }

    /// Draws what so many repairs draw that change nothing.
    fn repair_in_vain(&mut self, sheet: &Sheet<'a, '_>, constraint: usize, repairs: usize) {
        let blamed = self.plan.blamed(constraint);
        let others = sheet.known.count_ones() as usize - 1;
        for _ in 0..repairs {
            let Some(field) = self.choices.pick(blamed) else { return };
            if self.choices.chance(1, 5) && others > 0 {
                self.choices.index(others);
                self.choices.range(-2, 2);
            } else {
                self.scalar_within(*field, Interval::point(0));
            }
        }
    }
}

/// Puts a number into a slot.
pub(super) fn put(slot: &mut Value, number: i128) {
    match slot {
        Value::Int(before) => *before = number,
        other => *other = Value::Int(number),
    }
}
