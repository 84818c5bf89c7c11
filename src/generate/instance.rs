//! One instance of a block.

use super::allocation::Allocation;
use super::budget::limits_within;
use super::formulas::{demanded, settle_formulas};
use super::growth::between;
use super::habits::Habits;
use super::live::{Live, least_elements, length_by};
use super::memo::Memo;
use super::straight::{Lines, Written};
use super::{Extreme, Failure, Plan, Scrap, Settings};
use crate::format::{BlockId, Comparison, FieldId, Interval, Item, Ranges, cut, narrow, narrow_by};
use crate::value::{Instances, Scope, Slots, Value};
use rebut_generators::{Choices, NumberWay, SizeWay, Sizes, Swarm, scalar, scalar_by, size};

/// So often an instance is started afresh before its constraint is given up.
pub(super) const MOST_TRIES: usize = 12;

/// An attempt in vain costs as much as so many draws, even if it ended before the first.
pub(super) const ATTEMPT: u64 = 16;

/// Number of instances of a list between two looks at the format's token: a divisor of where runs of neighbours begin.
const INSTANCES_PER_LOOK: usize = 1024;

/// However little a run has grown, numbers go this far from the simplest one.
const NEAR: i128 = 8;

/// Draws instances.
pub(super) struct Maker<'a, 'c> {
    pub(super) plan: &'a Plan<'a>,
    pub(super) choices: &'c mut Choices,
    pub(super) settings: &'c Settings,
    pub(super) swarm: &'c mut Swarm,
    /// Whether bounds by what may be absent are left out of account.
    pub(super) candid: bool,
    /// The first shape that was used, by which reports name the input.
    pub(super) used: Option<&'static str>,
    /// Whether any part has the shape that was asked for.
    has_wanted: bool,
    /// About how many draws came to nothing.
    pub(super) wasted: u64,
    /// The block whose instances are known to satisfy what is said of each, unless a number around them moves.
    pub(super) proved: Option<BlockId>,
    pub(super) habits: Habits,
    pub(super) scrap: Scrap,
    pub(super) allocation: Allocation,
    /// Whether a list may be written in place of being made.
    pub(super) writes: bool,
    /// The list that was.
    pub(super) written: Option<Written>,
    /// Whether a number has moved around a list that was written.
    pub(super) is_outdated: bool,
    /// The fields that take all that a law leaves them, while the instances of its list are drawn.
    pub(super) filled: Vec<FieldId>,
    /// Number of attempts in vain at the instance that is drawn.
    attempts: usize,
    /// How far ranges of a width have grown.
    spans: Memo<i128, i128>,
    /// The largest size in a range with which an instance has room, where nothing else decides that.
    fitting: Memo<(FieldId, Interval, usize), i128>,
}

/// The slots of an instance in the making.
pub(super) type Partial = Vec<Option<Value>>;

impl<'a, 'c> Maker<'a, 'c> {
    pub(super) fn new(
        plan: &'a Plan<'a>,
        choices: &'c mut Choices,
        settings: &'c Settings,
        swarm: &'c mut Swarm,
    ) -> Self {
        let candid = choices.chance(1, 12);
        let (spans, fitting) = (Memo::new(), Memo::new());
        Maker {
            plan,
            choices,
            settings,
            swarm,
            candid,
            used: None,
            has_wanted: false,
            wasted: 0,
            proved: None,
            habits: Habits::default(),
            scrap: Scrap::default(),
            allocation: Allocation::default(),
            writes: false,
            written: None,
            is_outdated: false,
            filled: Vec::new(),
            attempts: 0,
            spans,
            fitting,
        }
    }

    /// The name under which reports count the input: that of the shape that was asked for, if any part has it.
    pub(super) fn shape_name(&self) -> String {
        match (&self.settings.shape, self.settings.extreme) {
            (Some(shape), _) if self.has_wanted => shape.clone(),
            (_, Some(Extreme::Min)) => "min".to_owned(),
            (_, Some(Extreme::Max)) => "max".to_owned(),
            (_, None) => self.used.unwrap_or("numbers").to_owned(),
        }
    }

    /// Notes the shape of a part.
    pub(super) fn use_shape(&mut self, name: &'static str) {
        self.used.get_or_insert(name);
        self.note_shape(name);
    }

    /// Notes the shape of something that gives inputs no name: whether it is the one that was asked for.
    pub(super) fn note_shape(&mut self, name: &str) {
        let wanted = self.settings.shape.as_deref();
        self.has_wanted |= wanted.is_some_and(|wanted| wanted.rsplit('/').next() == Some(name));
    }

    /// Notes that a number moves around instances that were drawn.
    pub(super) fn unprove(&mut self) {
        self.proved = None;
        self.is_outdated |= self.written.is_some();
    }

    /// How the instances of a block are to be written, if they are.
    pub(super) fn lines(&self, block: BlockId) -> Option<&'a Lines> {
        self.plan.lines().filter(|lines| self.writes && lines.block == block)
    }

    pub(super) fn scope<'s>(&self, block: BlockId, partial: &'s Partial, outer: Option<&'s Scope<'s>>) -> Scope<'s>
    where
        'a: 's,
    {
        Scope { format: self.plan.format, block, slots: Slots::Partial(partial), outer, variables: &[] }
    }

    /// Draws an instance that satisfies the constraints at home in its block and the `extra` ones, of about
    /// `room` elements at most.
    pub(super) fn instance(
        &mut self,
        block: BlockId,
        outer: Option<&Scope<'_>>,
        extra: &[Comparison],
        room: usize,
    ) -> Result<Vec<Value>, Failure> {
        let mut failure = None;
        for attempt in 0..MOST_TRIES {
            // A dead end is most often one of size, so later attempts are made smaller.
            let room = (room >> attempt.min(usize::BITS as usize - 1)).max(1);
            let (wasted, drawn, allocation) = (self.wasted, self.choices.count(), self.allocation);
            let before = std::mem::replace(&mut self.attempts, attempt);
            let made = self.by_habit_at_first(attempt, |maker| {
                maker.fill_at_first(attempt, |maker| maker.attempt(block, outer, extra, room))
            });
            self.attempts = before;
            match made {
                Ok(slots) => return Ok(slots),
                Err(problem) => failure = Some(problem),
            }
            self.allocation = allocation;
            // What instances inside wasted is among what was drawn since, unless checking them took longer.
            self.wasted = self.wasted.max(wasted + self.choices.count() - drawn) + ATTEMPT;
            if self.is_out_of_patience() {
                break;
            }
        }
        Err(failure.unwrap_or(Failure { constraint: None, message: String::new() }))
    }

    /// Draws with all that a law leaves at the first attempts, and with any part of it at the others.
    #[inline]
    pub(super) fn fill_at_first<T>(&mut self, attempt: usize, draw: impl FnOnce(&mut Self) -> T) -> T {
        const FILLING_ATTEMPTS: usize = 2;
        if self.filled.is_empty() || attempt < FILLING_ATTEMPTS {
            return draw(self);
        }
        let filled = std::mem::take(&mut self.filled);
        let drawn = draw(self);
        self.filled = filled;
        drawn
    }

    /// Returns true if an input is to be given up: too much was drawn in vain, or the work is to end.
    pub(super) fn is_out_of_patience(&self) -> bool {
        self.wasted > self.settings.patience || self.plan.format.stop.spend(ATTEMPT)
    }

    /// Looks now and then, while a long list is drawn, whether the work is to end; its instance of this number comes next.
    ///
    /// # Errors
    /// Returns an error if it is.
    #[inline]
    pub(super) fn look_at_token(&self, instance: usize) -> Result<(), Failure> {
        let is_due = instance > 0 && instance.is_multiple_of(INSTANCES_PER_LOOK);
        let is_stopped = is_due && self.plan.format.stop.spend(INSTANCES_PER_LOOK as u64);
        if is_stopped { Err(Failure::stopped()) } else { Ok(()) }
    }

    fn attempt(
        &mut self,
        block: BlockId,
        outer: Option<&Scope<'_>>,
        extra: &[Comparison],
        room: usize,
    ) -> Result<Vec<Value>, Failure> {
        let (format, parts) = (self.plan.format, self.plan.parts(block));
        if outer.is_none() {
            (self.proved, self.written) = (None, None);
        }
        let mut slots: Partial = vec![None; format.block(block).slots];
        let mut limits = self.factor_limits(block, &self.scope(block, &slots, outer), extra, room);
        if parts.has_blocks {
            limits.extend(self.count_limits(block, &self.scope(block, &slots, outer), extra));
        }
        let all;
        let extra = if limits.is_empty() {
            extra
        } else {
            all = [extra, &*limits].concat();
            &all
        };
        // Sizes first, in the order of the layout; the others in that order or the reverse, so that neither of `l` and
        // `r` in `l <= r` is always drawn from the whole range. Those that stand for a size stand before what they bound.
        let leads = self.settings.extreme.is_some() && parts.others.iter().any(|field| self.plan.leads(*field));
        let reverse = self.in_reverse(block) && !leads;
        let last = parts.others.len().saturating_sub(1);
        let others = (0..parts.others.len()).map(|at| if reverse { last - at } else { at }).map(|at| parts.others[at]);
        for field in parts.sizes.iter().copied().chain(others) {
            let number = self.scalar(field, block, &slots, outer, extra, room)?;
            slots[format.field(field).slot] = Some(Value::Int(number));
        }
        for field in parts.arrays.iter().copied() {
            let array = self.array(field, &self.scope(block, &slots, outer), extra, room)?;
            slots[format.field(field).slot] = Some(array);
        }
        self.settle_sums(block, &mut slots, outer, extra);
        self.settle_letters(block, &mut slots, outer);
        self.blocks(block, &mut slots, outer, extra, room)?;
        self.settle_occurrences(block, &mut slots, outer);
        self.settle_formulas(block, &mut slots, outer);
        self.repair(block, &mut slots, outer, extra)?;
        Ok(complete(slots))
    }

    /// What the numbers drawn so far leave of a field's range.
    pub(super) fn range_left(
        &self,
        field: FieldId,
        scope: &Scope<'_>,
        extra: &[Comparison],
    ) -> Result<Interval, Failure> {
        let live = Live { scope };
        let mut range = self.plan.format.field(field).range;
        let mut blame = None;
        for narrowing in self.plan.narrowings(field) {
            // A bound that speaks only of what may be absent (no `a`, no queries) is mostly kept to all the same: it
            // saves dead ends; but now and then it is not, for the inputs that have nothing there.
            if self.candid && !narrowing.speaks_surely {
                continue;
            }
            let known = narrowing.quick.as_ref().and_then(|(sign, other)| Some((*sign, other.number(scope)?)));
            range = match known {
                Some((sign, other)) => cut(range, sign, Interval::point(other)),
                None => narrow_by(narrowing.stand, field, range, narrowing.comparison, &live),
            };
            if range.is_empty() && blame.is_none() {
                blame = Some(narrowing.constraint);
            }
        }
        for (constraint, formula) in self.plan.formulas(field) {
            let mut must = Vec::new();
            demanded(formula, scope, &mut must);
            range = must.into_iter().fold(range, |range, comparison| narrow(field, range, comparison, &live));
            if range.is_empty() && blame.is_none() {
                blame = Some(constraint);
            }
        }
        for comparison in extra {
            range = narrow(field, range, comparison, &live);
        }
        if range.is_empty() {
            return Err(Failure::nothing_left(self.plan.format, field, blame));
        }
        Ok(range)
    }

    pub(super) fn scalar(
        &mut self,
        field: FieldId,
        block: BlockId,
        slots: &Partial,
        outer: Option<&Scope<'_>>,
        extra: &[Comparison],
        room: usize,
    ) -> Result<i128, Failure> {
        let scope = self.scope(block, slots, outer);
        let range = self.range_left(field, &scope, extra)?;
        if self.plan.is_size(field) {
            return Ok(self.size(field, range, &scope, room));
        }
        if let Some(extreme) = self.settings.extreme.filter(|_| self.plan.leads(field)) {
            return Ok(extreme.end_of(range));
        }
        if self.is_filled(field) {
            return Ok(range.hi);
        }
        if self.wants_tie(field)
            && let Some(tie) = self.tie(block, slots)
        {
            return Ok(range.nearest(tie));
        }
        Ok(self.scalar_within(field, range))
    }

    /// A number of a field within a range.
    #[inline]
    pub(super) fn scalar_within(&mut self, field: FieldId, range: Interval) -> i128 {
        let (unit, range) = self.unit(field, range);
        let range = self.grown(field, range);
        let hints = if unit == 1 { self.settings.hints.as_slice() } else { &[] };
        let kept = self.habits.ways(field).number;
        let way = |c: &mut Choices| kept.unwrap_or_else(|| NumberWay::choose(c, hints));
        unit * scalar_by(self.choices, range.lo, range.hi, hints, way)
    }

    /// Whether a number is to be near another one of its instance.
    #[inline]
    pub(super) fn wants_tie(&mut self, field: FieldId) -> bool {
        self.habits.ways(field).tie.unwrap_or_else(|| self.choices.chance(1, 5))
    }

    /// Whether the numbers of an instance are drawn in the order opposite to that of the layout.
    #[inline]
    pub(super) fn in_reverse(&mut self, block: BlockId) -> bool {
        self.habits.customs(block).reverse.unwrap_or_else(|| self.choices.chance(1, 2))
    }

    /// One of the sizes that are left of a field.
    #[inline]
    pub(super) fn one_of(&mut self, field: FieldId, sizes: &Sizes) -> i128 {
        let (kept, growth) = (self.habits.ways(field).size, self.settings.growth);
        sizes.draw(self.choices, |c| kept.unwrap_or_else(|| SizeWay::choose(c, growth)))
    }

    /// The step in which a field's numbers are drawn, and the range in such steps. Reals are most often short: their last
    /// digits stay zero.
    #[inline]
    pub(super) fn unit(&mut self, field: FieldId, range: Interval) -> (i128, Interval) {
        let decimals = self.plan.format.field(field).decimals().most;
        if decimals == 0 {
            return (1, range);
        }
        self.unit_of_real(decimals, range)
    }

    #[inline(never)]
    #[expect(clippy::expect_used, reason = "a number from 0 to a `u32` is one")]
    fn unit_of_real(&mut self, decimals: u32, range: Interval) -> (i128, Interval) {
        let unit =
            10_i128.pow(u32::try_from(self.choices.range(0, i128::from(decimals))).expect("at most the decimals"));
        let steps = Interval::new(-(-range.lo).div_euclid(unit), range.hi.div_euclid(unit));
        if steps.is_empty() { (1, range) } else { (unit, steps) }
    }

    fn settle_formulas(&mut self, block: BlockId, slots: &mut Partial, outer: Option<&Scope<'_>>) {
        if !self.plan.parts(block).has_formulas {
            return;
        }
        self.unprove();
        let mut known = complete(std::mem::take(slots));
        let (plan, choices, hints) = (self.plan, &mut *self.choices, &self.settings.hints);
        // As little as possible is moved, or else anything may come of it; where the range does not show what is wrong
        // with a number, only chance helps.
        let bold = choices.chance(1, 4);
        let mut choose = |_: FieldId, range: Interval, before: i128| {
            if bold || range.contains(before) {
                scalar(choices, range.lo, range.hi, hints)
            } else {
                range.nearest(before)
            }
        };
        settle_formulas(plan, block, &mut known, outer, &mut choose);
        *slots = known.into_iter().map(Some).collect();
    }

    /// A number near one that the instance already has: equal and neighbouring values are where programs differ.
    fn tie(&mut self, block: BlockId, slots: &Partial) -> Option<i128> {
        let singles = &self.plan.parts(block).single_slots;
        let numbers = || singles.iter().filter_map(|slot| slots[*slot].as_ref()?.as_int());
        let near = numbers().nth(self.choices.index(numbers().count()))?;
        Some(self.tie_to(near))
    }

    /// A number near this one.
    pub(super) fn tie_to(&mut self, number: i128) -> i128 {
        number + self.choices.range(-2, 2)
    }

    /// Early in a run most numbers are kept small too: small inputs are cheap for slow references and easy to read.
    /// One in four ranges stays whole, so that overflow needs no long run.
    #[inline]
    pub(super) fn grown(&mut self, field: FieldId, range: Interval) -> Interval {
        if self.takes_whole(field) { range } else { self.grown_range(range) }
    }

    /// What a run has grown to of a range.
    #[inline(always)]
    pub(super) fn grown_range(&mut self, range: Interval) -> Interval {
        let width = range.hi - range.lo;
        if width <= NEAR {
            return range;
        }
        let (span, simplest) = (self.span(width), range.simplest());
        Interval::new(simplest - span, simplest + span).intersect(range)
    }

    /// Whether a number is drawn from all of its range.
    #[inline]
    pub(super) fn takes_whole(&mut self, field: FieldId) -> bool {
        self.settings.growth >= 100
            || self.settings.extreme.is_some()
            || self.habits.ways(field).whole.unwrap_or_else(|| self.choices.chance(1, 4))
    }

    /// How far from the simplest number of a range the numbers go that are drawn from it.
    pub(super) fn span(&mut self, width: i128) -> i128 {
        let growth = self.settings.growth;
        self.spans.get(width as usize, width, || between(NEAR as f64, width as f64, growth) as i128)
    }

    /// The largest size in a range with which an instance has room, if that is known without a look at anything.
    pub(super) fn known_fit(&self, block: BlockId, field: FieldId, range: Interval, room: usize) -> Option<i128> {
        if self.plan.parts(block).most_elements <= room as i128 {
            return Some(range.hi);
        }
        self.fitting.known(room, (field, range, room)).filter(|_| self.plan.parts(block).lone_size == Some(field))
    }

    pub(super) fn size(&mut self, field: FieldId, range: Interval, scope: &Scope<'_>, room: usize) -> i128 {
        match self.settings.extreme {
            Some(Extreme::Max) if self.plan.counts_cases(field) && self.choices.chance(1, 2) => return range.lo,
            Some(Extreme::Max) if self.plan.is_start(field) => return range.lo,
            // What the end breaks, a number near it may satisfy.
            Some(Extreme::Max) => return (range.hi - self.attempts as i128).max(range.lo),
            Some(extreme) => return extreme.end_of(range),
            None => {}
        }
        if self.plan.is_start(field) {
            let range = Interval::new(self.first_fit(field, range, scope, room), range.hi);
            return self.one_of(field, &Sizes::new(range.lo, range.hi, self.settings.growth));
        }
        let hi = self.fit(field, range, scope, room);
        if self.is_filled(field) {
            return Sizes::new(range.lo, hi, self.growth_to_fill()).largest();
        }
        if let Some(cases) = self.plan.format.cases().filter(|_| self.plan.counts_cases(field)) {
            return self.number_of_cases(cases, range.lo, hi, room);
        }
        self.one_of(field, &Sizes::new(range.lo, hi, self.settings.growth))
    }

    /// The largest size in a range with which an instance has room.
    pub(super) fn fit(&mut self, field: FieldId, range: Interval, scope: &Scope<'_>, room: usize) -> i128 {
        let live = Live { scope };
        let fits = |value: i128| {
            let view = Sized { field, value, live: &live };
            least_elements(scope.block, &view) <= room as i128
        };
        let parts = self.plan.parts(scope.block);
        if parts.most_elements <= room as i128 {
            range.hi
        } else if parts.lone_size == Some(field) {
            self.fitting.get(room, (field, range, room), || largest(range, fits))
        } else {
            largest(range, fits)
        }
    }

    /// The smallest number in a range, of which what it sizes begins, with which an instance has room.
    fn first_fit(&self, field: FieldId, range: Interval, scope: &Scope<'_>, room: usize) -> i128 {
        let live = Live { scope };
        let fits = |value: i128| least_elements(scope.block, &Sized { field, value, live: &live }) <= room as i128;
        // Mirrored, it falls.
        -largest(Interval::new(-range.hi, -range.lo), |value| fits(-value))
    }

    /// Cases are cheap: a run that tries a hundred costs hardly more than one that tries a single case, and the shrinker
    /// drops the others at once. So files are mostly full, and sometimes of one or a few cases.
    pub(super) fn number_of_cases(&mut self, cases: BlockId, lo: i128, hi: i128, room: usize) -> i128 {
        let full = self.full_of_cases(cases, room).min(self.settings.most_cases) as i128;
        let hi = full.clamp(lo, hi);
        match self.choices.weighted(&[1, 2, 9]) {
            0 => lo,
            1 => size(self.choices, lo, hi, self.settings.growth),
            _ => hi,
        }
    }

    /// Draws the instances of the blocks directly inside.
    fn blocks(
        &mut self,
        block: BlockId,
        slots: &mut Partial,
        outer: Option<&Scope<'_>>,
        extra: &[Comparison],
        room: usize,
    ) -> Result<(), Failure> {
        let format = self.plan.format;
        if !self.plan.parts(block).has_blocks {
            return Ok(());
        }
        for item in &format.block(block).items {
            match item {
                Item::Line(_) | Item::Rows(_) => {}
                Item::Block(child) => {
                    let list = self.instances(*child, &self.scope(block, slots, outer), extra, room)?;
                    slots[format.block(*child).slot] = Some(Value::Instances(list));
                }
                Item::Either(children) => {
                    let chosen = self.choices.pick(children).copied();
                    for child in children {
                        let mut list = Instances::new(format.block(*child).slots);
                        if Some(*child) == chosen {
                            let limits = limits_within(format, *child, extra);
                            list.push(self.instance(*child, Some(&self.scope(block, slots, outer)), &limits, room)?);
                        }
                        slots[format.block(*child).slot] = Some(Value::Instances(list));
                    }
                }
            }
        }
        Ok(())
    }
}

/// The slots of an instance that is made.
#[expect(clippy::expect_used, reason = "an instance is complete once each item of its block was drawn")]
pub(super) fn complete(slots: Partial) -> Vec<Value> {
    slots.into_iter().map(|slot| slot.expect("each slot was drawn")).collect()
}

/// The largest number in a range for which a falling condition holds; the lower end if it never does.
pub(super) fn largest(range: Interval, holds: impl Fn(i128) -> bool) -> i128 {
    let (mut low, mut high) = (range.lo, range.hi);
    if holds(high) {
        return high;
    }
    while low < high {
        let middle = low + (high - low + 1) / 2;
        if holds(middle) { low = middle } else { high = middle - 1 }
    }
    low
}

/// The ranges of a scope in which one more number is known.
pub(super) struct Sized<'l, 'a, 's> {
    pub(super) field: FieldId,
    pub(super) value: i128,
    pub(super) live: &'l Live<'a, 's>,
}

impl Ranges for Sized<'_, '_, '_> {
    fn format(&self) -> &crate::format::Format {
        self.live.format()
    }

    fn value(&self, field: FieldId) -> Interval {
        if field == self.field { Interval::point(self.value) } else { self.live.value(field) }
    }

    fn free_length(&self, field: FieldId) -> Interval {
        match self.live.scope.field(field) {
            Some(_) => self.live.free_length(field),
            None => length_by(self.format().field(field), self),
        }
    }
}
