//! The instances of a repeated block, which share what a `sum` over them allows.

use super::ends::{EndBound, end_bound};
use super::graph::{Edges, order_limits};
use super::instance::{Maker, Partial};
use super::law::SharedList;
use super::live::{Live, least_elements};
use super::seen::Seen;
use super::{Extreme, Failure};
use crate::format::{
    BlockId, BlockKind, Comparison, Count, Expr, Fold, Format, Interval, LARGEST, Over, Rule, Sign, bounds_of, cut,
};
use crate::print::starts_like;
use crate::validate;
use crate::value::{self, Instances, Scope, Unknown, Value, each_occurrence_within};
use rebut_generators::{BudgetShape, size, split};
use std::ops::Range;

/// So many instances are tried before one that differs from all others is given up.
const MOST_REPEATS: usize = 40;

/// The same for texts, which are drawn without a look at those before.
const MOST_TEXTS: usize = 400;

/// So many texts are drawn before an unused one is picked, where most of all that there are have been used.
const DRAWN: usize = 8;

/// A sum over the instances of a block, and what is left of it.
pub(super) struct Budget<'e> {
    /// What each instance contributes.
    pub(super) each: &'e Expr,
    /// What the sum runs over: the instances, or what some of them lack.
    over: Over,
    /// The range of one contribution.
    pub(super) range: Interval,
    /// What every contribution must be, beyond what its fields can be.
    every: Interval,
    /// What all of them may come to together.
    pub(super) total: Interval,
    /// The share that each is meant to have at most.
    pub(super) shares: Vec<i128>,
    /// What must be so of one instance, and of which, once that is chosen.
    one: Vec<Interval>,
    chosen: Vec<(usize, Interval)>,
    /// Whether what an instance leaves of its share goes to the next, and how much that is.
    pub(super) carries: bool,
    carried: i128,
    /// Number of instances that have contributed.
    spent: usize,
}

impl Maker<'_, '_> {
    /// Draws all instances of a block.
    pub(super) fn instances(
        &mut self,
        child: BlockId,
        holder: &Scope<'_>,
        extra: &[Comparison],
        room: usize,
    ) -> Result<Instances, Failure> {
        let count = self.instance_count(child, holder, room)?;
        self.reserve_instances(count)?;
        let edges = self.edges(child, count, holder)?;
        if let Some(list) = self.columns(child, count, holder, extra, edges.as_ref())? {
            return Ok(list);
        }
        let list = SharedList { block: child, count, holder, room };
        let mut budgets = self.shared_limits(child, holder, extra);
        let law = self.choose_law(&list, &budgets);
        let is_portion = self.is_case(child) && self.settings.portion.is_some_and(|portion| portion.is_filled);
        let rooms = match law.filter(|_| budgets.iter().any(Budget::is_bounded)) {
            Some(law) => self.split_by_law(&list, law, &mut budgets),
            None => {
                let most = usize::try_from(self.most_of_instance(child, room)).unwrap_or(usize::MAX);
                let rooms = if is_portion { vec![most; count] } else { self.rooms(child, count, holder, room) };
                self.split_budgets(&list, &mut budgets);
                rooms
            }
        };
        let rooms = self.choose_ends(&list, &mut budgets, rooms);
        let filled = if is_portion || law.is_some() { self.fields_to_fill(child, &budgets) } else { Vec::new() };
        let before = std::mem::replace(&mut self.filled, filled);
        let copying = edges.is_none() && law.is_none() && self.choices.chance(1, 3);
        let drawn = self.list_within(&list, extra, (edges.as_ref(), copying), rooms, budgets);
        self.filled = before;
        drawn
    }

    /// Draws the instances of a list, each within its room and its shares of the budgets.
    fn list_within(
        &mut self,
        list: &SharedList<'_>,
        extra: &[Comparison],
        (edges, copying): (Option<&Edges>, bool),
        rooms: Vec<usize>,
        mut budgets: Vec<Budget<'_>>,
    ) -> Result<Instances, Failure> {
        let SharedList { block: child, count, holder, .. } = *list;
        let mut seen = Seen::new(self.plan, child, count, holder);
        if !seen.has_texts_for(count) {
            return Err(seen.failure());
        }
        if let Some(mut sheet) = self.sheet(child, holder, &budgets) {
            if let Some(lines) = self.lines(child).filter(|_| !copying && self.has_habits(count)) {
                return self.straight_lines(&mut sheet, lines, &rooms, &mut budgets);
            }
            self.reserve_slots(child, count)?;
            return self.straight_instances(&mut sheet, rooms, &mut budgets, copying);
        }
        self.reserve_slots(child, count)?;
        let mut list = Instances::with_room(self.plan.format.block(child).slots, count);
        for (i, room) in rooms.into_iter().enumerate() {
            self.look_at_token(i)?;
            self.choose_habits(child, i, count);
            let mut limits: Vec<Comparison> = budgets.iter().flat_map(|b| b.limits(i, count)).collect();
            limits.extend(order_limits(self.plan.format, child, holder, list.last(), count - i - 1));
            limits.extend(edges.iter().flat_map(|e| e.limits(i)));
            limits.extend(limits_within(self.plan.format, child, extra));
            let copied = if copying { self.near_copy(child, holder, &limits, &list, &mut seen) } else { None };
            let instance = match copied {
                Some(instance) => instance,
                None => self.new_instance(child, holder, &limits, room, &mut seen)?,
            };
            for budget in &mut budgets {
                budget.take(child, holder, &instance);
            }
            list.push(instance);
        }
        Ok(list)
    }

    fn instance_count(&mut self, child: BlockId, holder: &Scope<'_>, room: usize) -> Result<usize, Failure> {
        let known = match &self.plan.format.block(child).count {
            Count::Times(count) => value::number(count, holder).ok(),
            Count::When(comparisons) => Some(i128::from(comparisons.iter().all(|c| validate::compares(c, holder)))),
            Count::Chosen => Some(0),
            Count::Until { range, .. } => Some(self.free_count(*range, child, holder, room)),
        };
        let count = known.and_then(|count| usize::try_from(count).ok());
        count.ok_or_else(|| Failure { constraint: None, message: "a count has no value".to_owned() })
    }

    fn free_count(&mut self, range: Interval, child: BlockId, holder: &Scope<'_>, room: usize) -> i128 {
        match self.settings.extreme {
            Some(extreme) => extreme.end_of(range),
            None => {
                let least = least_elements(child, &Live { scope: holder }).max(1);
                let hi = range.hi.min(room as i128 / least).max(range.lo);
                if self.is_case(child) {
                    return self.number_of_cases(child, range.lo, hi, room);
                }
                size(self.choices, range.lo, hi, self.settings.growth)
            }
        }
    }

    /// An instance like an earlier one but for one number: what a program wrongly keeps from one case to the next shows
    /// only where the two are nearly the same.
    fn near_copy(
        &mut self,
        child: BlockId,
        holder: &Scope<'_>,
        limits: &[Comparison],
        earlier: &Instances,
        seen: &mut Seen<'_>,
    ) -> Option<Vec<Value>> {
        if !self.copies(child) {
            return None;
        }
        let format = self.plan.format;
        let mut slots: Partial = earlier.get(self.choices.index(earlier.len()))?.iter().cloned().map(Some).collect();
        let movable: Vec<_> =
            format.fields_of(child).filter(|f| format.field(*f).is_scalar() && !self.plan.is_size(*f)).collect();
        if let Some(field) = self.choices.pick(&movable).copied() {
            let slot = format.field(field).slot;
            slots[slot] = None;
            let number = self.scalar(field, child, &slots, Some(holder), limits, usize::MAX).ok()?;
            slots[slot] = Some(Value::Int(number));
        }
        let instance: Vec<Value> = slots.into_iter().flatten().collect();
        let scope = holder.inner(child, &instance);
        let keeps = |c: &Comparison| validate::compares(c, &scope);
        let fits = limits.iter().all(keeps) && validate::holds_within(format, child, &instance, holder);
        let fits = fits && !self.looks_like_the_end(child, &instance);
        (fits && seen.insert(&scope)).then_some(instance)
    }

    /// Whether an instance is to be like an earlier one.
    #[inline]
    pub(super) fn copies(&mut self, block: BlockId) -> bool {
        self.habits.customs(block).copying.unwrap_or_else(|| self.choices.chance(1, 2))
    }

    /// Whether an instance begins with the line that ends its repetition.
    fn looks_like_the_end(&self, child: BlockId, instance: &[Value]) -> bool {
        match &self.plan.format.block(child).count {
            Count::Until { sentinel: Some(sentinel), .. } => starts_like(self.plan.format, child, instance, sentinel),
            _ => false,
        }
    }

    /// An instance that differs from all before it where the format asks for that.
    fn new_instance(
        &mut self,
        child: BlockId,
        holder: &Scope<'_>,
        limits: &[Comparison],
        room: usize,
        seen: &mut Seen<'_>,
    ) -> Result<Vec<Value>, Failure> {
        let texts = seen.tells_texts_apart();
        // Few short texts differ: later tries may be longer, and at last of any size but the largest.
        let (repeats, extreme) = if texts { (MOST_TEXTS, self.settings.extreme) } else { (MOST_REPEATS, None) };
        for attempt in 0..repeats {
            let room = if texts { room.saturating_add(attempt) } else { room };
            let instance = match extreme.filter(|_| attempt >= repeats / 8) {
                Some(_) => self.instance_of_any_size(child, holder, limits, room)?,
                None => self.by_habit_at_first(attempt, |maker| maker.instance(child, Some(holder), limits, room))?,
            };
            if self.looks_like_the_end(child, &instance) {
                continue;
            }
            if seen.insert(&holder.inner(child, &instance)) {
                return Ok(instance);
            }
            if (attempt >= DRAWN && seen.is_crowded() || attempt + 1 == repeats)
                && let Some(instance) = self.with_unused_texts(child, holder, limits, instance, seen)
            {
                return Ok(instance);
            }
        }
        Err(seen.failure())
    }

    /// The same instance with texts that none before has: where few are left, they are picked, not drawn.
    fn with_unused_texts(
        &mut self,
        child: BlockId,
        holder: &Scope<'_>,
        limits: &[Comparison],
        mut instance: Vec<Value>,
        seen: &mut Seen<'_>,
    ) -> Option<Vec<Value>> {
        let format = self.plan.format;
        for _ in 0..MOST_REPEATS {
            for (field, text) in seen.unused(self.choices)? {
                *instance.get_mut(format.field(field).slot)? = Value::Text(text.into());
            }
            let fits = validate::holds_within(format, child, &instance, holder)
                && !self.looks_like_the_end(child, &instance)
                && limits.iter().all(|c| validate::compares(c, &holder.inner(child, &instance)));
            if fits && seen.insert(&holder.inner(child, &instance)) {
                return Some(instance);
            }
        }
        None
    }

    /// An instance as if no extreme were asked for.
    fn instance_of_any_size(
        &mut self,
        child: BlockId,
        holder: &Scope<'_>,
        limits: &[Comparison],
        room: usize,
    ) -> Result<Vec<Value>, Failure> {
        let settings = self.settings.relaxed();
        let mut maker = Maker::new(self.plan, self.choices, &settings, self.swarm);
        maker.instance(child, Some(holder), limits, room)
    }

    /// How many elements each instance may have: the room is split as a budget is. Among cases there is room for all of
    /// the size that is wanted, and none for one far beyond it: what is slow on large cases would be slow on every file.
    fn rooms(&mut self, child: BlockId, count: usize, holder: &Scope<'_>, room: usize) -> Vec<usize> {
        let least = least_elements(child, &Live { scope: holder }).max(1);
        let most = if self.is_case(child) { self.most_of_case(child, room) } else { room };
        let most = (most.min(1 << 40) as i128).max(least);
        let (room, all) = (room.min(1 << 40) as i128, most.saturating_mul(count as i128));
        // Most files have room for all of their cases; now and then one takes it from the others all the same.
        if self.is_case(child) && all <= room && self.settings.shape.is_none() && !self.choices.chance(1, 4) {
            return vec![most as usize; count];
        }
        let total = room.min(all).max(least.saturating_mul(count as i128));
        let rooms = self.split(child, count, total, Interval::new(least, most));
        rooms.into_iter().map(|r| usize::try_from(r).unwrap_or(usize::MAX)).collect()
    }

    /// Splits a total among the instances of a block. Most ways of splitting leave next to nothing to most of them, and
    /// many cases of the smallest size are all the same: every other file of cases is cut at random places.
    fn split(&mut self, child: BlockId, count: usize, total: i128, each: Interval) -> Vec<i128> {
        let shape = self.swarm.budgets(self.choices);
        self.note_shape(shape.name);
        let evenly = self.is_case(child) && self.settings.shape.is_none() && self.choices.chance(1, 2);
        let shape = if evenly { BudgetShape::at_random() } else { shape };
        split(self.choices, shape, count, total, each.lo, each.hi)
    }

    fn is_case(&self, block: BlockId) -> bool {
        self.plan.format.block(block).kind == BlockKind::Cases
    }

    /// So many elements a case may have in an input with this room.
    pub(super) fn most_of_case(&self, block: BlockId, room: usize) -> usize {
        let possible = usize::try_from(self.plan.parts(block).most_elements).unwrap_or(usize::MAX);
        room.min(self.settings.elements_wanted()).min(possible)
    }

    /// So many elements an instance of a list may have.
    pub(super) fn most_of_instance(&self, block: BlockId, room: usize) -> i128 {
        let most = if self.is_case(block) { self.most_of_case(block, room) } else { room };
        most.min(1 << 40) as i128
    }

    /// How many cases an input with this room has, if it is full: a thousand of the smallest are of no use, so there is
    /// room for each to have the size that is wanted, or for some of them where that is large.
    pub(super) fn full_of_cases(&mut self, block: BlockId, room: usize) -> usize {
        const SMALL: i128 = 25;
        const FEW: i128 = 10;
        let each = self.most_of_case(block, room) as i128;
        let each = if each > SMALL { self.choices.log_range(FEW, each) } else { each };
        room / usize::try_from(each).unwrap_or(usize::MAX).max(1)
    }

    /// What all instances of a block share, and what is asked of the smallest or the largest of them.
    pub(super) fn shared_limits<'e>(
        &self,
        child: BlockId,
        holder: &Scope<'_>,
        extra: &'e [Comparison],
    ) -> Vec<Budget<'e>>
    where
        Self: 'e,
    {
        let format = self.plan.format;
        let stated = format.constraints.iter().filter_map(|c| match &c.rule {
            Rule::Compare(comparison) => Some(comparison),
            _ => None,
        });
        let live = Live { scope: holder };
        let mut found: Vec<Budget<'e>> = Vec::new();
        // The format outlives the plan's borrow, and so do its expressions.
        for comparison in stated.chain(extra) {
            if let Some(Summed { each, over, sign, other }) = instance_sum(child, comparison) {
                let budget = self.budget_of(child, each, over, &live, &mut found);
                budget.total = budget.total.intersect(cut(Interval::ALL, sign, bounds_of(other, &live)));
            } else if let Some(EndBound { each, over, every, one }) = end_bound(child, comparison, &live) {
                let budget = self.budget_of(child, each, over, &live, &mut found);
                budget.every = budget.every.intersect(every);
                budget.one.extend(one);
            }
        }
        for budget in &mut found {
            let left = budget.range.intersect(budget.every);
            budget.range = if left.is_empty() { budget.range } else { left };
            if let Some(portion) = self.settings.portion.filter(|_| self.is_case(child) && budget.is_bounded()) {
                budget.total.hi = budget.total.hi.min(portion.most(budget.range.lo, budget.total.hi));
            }
        }
        found
    }

    /// The budget of what each instance contributes, which is a new one if nothing was found of it yet.
    fn budget_of<'e, 'f>(
        &self,
        child: BlockId,
        each: &'e Expr,
        over: Over,
        live: &Live<'_, '_>,
        found: &'f mut Vec<Budget<'e>>,
    ) -> &'f mut Budget<'e> {
        let known = found.iter().position(|budget| budget.each == each && budget.over == over);
        let at = known.unwrap_or_else(|| {
            let range = match over {
                // Where it is absent nothing is contributed.
                Over::Occurrences(_) => bounds_of(each, live).hull(Interval::point(0)),
                Over::Elements | Over::Instances(_) => {
                    within_its_bounds(self.plan.format, child, each, bounds_of(each, live), live)
                }
            };
            found.push(Budget::new(each, over, range));
            found.len() - 1
        });
        &mut found[at]
    }

    /// Gives each instance its shares of the budgets, where they need any.
    fn split_budgets(&mut self, list: &SharedList<'_>, budgets: &mut [Budget<'_>]) {
        let is_whole = self.settings.extreme == Some(Extreme::Max) || self.settings.portion.is_some();
        if is_whole && list.count == 1 {
            return;
        }
        for budget in budgets {
            let most = budget.total.hi.min(budget.range.hi.saturating_mul(list.count as i128));
            let least = budget.range.lo.saturating_mul(list.count as i128);
            if !self.is_ample(list.block, budget, list.count, list.room) {
                budget.shares = self.split(list.block, list.count, most.max(least), budget.range);
            }
        }
    }

    /// Chooses of which instances that is so which must be so of one.
    fn choose_ends(&mut self, list: &SharedList<'_>, budgets: &mut [Budget<'_>], mut rooms: Vec<usize>) -> Vec<usize> {
        if list.count == 0 {
            return rooms;
        }
        for budget in budgets {
            for wanted in std::mem::take(&mut budget.one) {
                let at = match (wanted.lo > -LARGEST, budget.shares.is_empty()) {
                    (_, true) => self.choices.index(list.count),
                    (true, false) => (0..list.count).max_by_key(|i| budget.shares[*i]).unwrap_or(0),
                    (false, false) => (0..list.count).min_by_key(|i| budget.shares[*i]).unwrap_or(0),
                };
                // Where one is to be both large and small, there have to be two.
                let fits = |at: usize| !budget.wanted_of(at).intersect(wanted).is_empty();
                let at = (0..list.count).map(|i| (at + i) % list.count).find(|at| fits(*at)).unwrap_or(at);
                if let Some(share) = budget.shares.get_mut(at).filter(|share| **share < wanted.lo) {
                    // Just enough, or all that the others can spare.
                    *share = if self.choices.chance(1, 2) { wanted.lo } else { LARGEST };
                }
                budget.chosen.push((at, wanted));
                if wanted.lo > -LARGEST {
                    rooms[at] = list.room;
                }
            }
        }
        rooms
    }

    /// Returns limits on the numbers that count the instances of the blocks directly inside: so that the least of all of them
    /// fits into what they share, and their most reaches what they have to.
    pub(super) fn count_limits(&self, block: BlockId, scope: &Scope<'_>, extra: &[Comparison]) -> Vec<Comparison> {
        let format = self.plan.format;
        let mut limits = Vec::new();
        for child in format.children(block) {
            let Count::Times(count @ Expr::Field(_)) = &format.block(child).count else { continue };
            for budget in self.shared_limits(child, scope, extra) {
                let range = budget.count_range();
                limits.extend((range.hi < LARGEST).then(|| compare(count, Sign::LessEqual, range.hi)));
                limits.extend((range.lo > 0).then(|| compare(count, Sign::GreaterEqual, range.lo)));
            }
        }
        limits
    }

    /// Whether each case may contribute what it likes: all together cannot reach what they share, as when sizes may add up
    /// to more than there is room for.
    fn is_ample(&self, child: BlockId, budget: &Budget<'_>, count: usize, room: usize) -> bool {
        let of_sizes = || {
            let mut fields = self.plan.format.concerned([budget.each]).into_iter();
            fields.all(|field| self.plan.is_size(field) && self.plan.format.field(field).block == child)
        };
        let is_one_sided = budget.total.lo == -LARGEST && self.settings.shape.is_none();
        let most = budget.range.hi.saturating_mul(count as i128);
        let fits = most <= budget.total.hi || room as i128 <= budget.total.hi && of_sizes();
        self.is_case(child) && is_one_sided && fits
    }
}

/// What is left of a contribution by the constraints that speak of it alone: `n * m <= 1000` beside `sum(n * m) <= 40000`.
fn within_its_bounds(format: &Format, child: BlockId, each: &Expr, range: Interval, live: &Live<'_, '_>) -> Interval {
    let stated = format.constraints.iter().filter(|c| c.home == child && !matches!(each, Expr::Field(_)));
    let bounded = stated.fold(range, |range, constraint| match &constraint.rule {
        Rule::Compare(Comparison { left, sign, right, .. }) => match (&**left, &**right) {
            ([left], [right]) if left == each => cut(range, *sign, bounds_of(right, live)),
            ([left], [right]) if right == each => cut(range, sign.mirrored(), bounds_of(left, live)),
            _ => range,
        },
        _ => range,
    });
    if bounded.is_empty() { range } else { bounded }
}

/// A bound on a sum over the instances of a block.
pub(super) struct Summed<'e> {
    /// What each contributes.
    pub(super) each: &'e Expr,
    /// What the sum runs over.
    pub(super) over: Over,
    /// How the sum stands to the bound.
    pub(super) sign: Sign,
    /// The bound.
    pub(super) other: &'e Expr,
}

/// What each instance contributes to a sum over a block, and the bound on that sum.
pub(super) fn instance_sum(child: BlockId, comparison: &Comparison) -> Option<Summed<'_>> {
    let ([left], [right]) = (&*comparison.left, &*comparison.right) else { return None };
    let summed = |side: &'_ Expr| match side {
        Expr::Fold(Fold::Sum, over, _) => over.outermost() == Some(child),
        _ => false,
    };
    let (sum, sign, other) = if summed(left) {
        (left, comparison.sign, right)
    } else if summed(right) {
        (right, comparison.sign.mirrored(), left)
    } else {
        return None;
    };
    match sum {
        Expr::Fold(_, over, each) => Some(Summed { each, over: *over, sign, other }),
        _ => None,
    }
}

/// The limits on what an instance contributes that speak of a block inside it which it may lack.
pub(super) fn limits_within(format: &Format, child: BlockId, limits: &[Comparison]) -> Vec<Comparison> {
    let speaks_of_it = |limit: &&Comparison| {
        let fields = format.concerned(limit.left.iter().chain(&limit.right));
        format.is_optional(child) && fields.iter().any(|field| format.is_within(format.field(*field).block, child))
    };
    limits.iter().filter(speaks_of_it).cloned().collect()
}

impl<'e> Budget<'e> {
    fn new(each: &'e Expr, over: Over, range: Interval) -> Self {
        Budget {
            each,
            over,
            range,
            every: Interval::ALL,
            total: Interval::ALL,
            shares: Vec::new(),
            one: Vec::new(),
            chosen: Vec::new(),
            carries: false,
            carried: 0,
            spent: 0,
        }
    }
}

impl Budget<'_> {
    /// What must be so of an instance whatever the others contribute.
    fn wanted_of(&self, i: usize) -> Interval {
        let chosen = self.chosen.iter().filter(|(at, _)| *at == i);
        chosen.fold(self.every, |range, (_, wanted)| range.intersect(*wanted))
    }

    /// How much more than the least of all of them the instances from `i` have to contribute, and how much less than their
    /// most they can.
    fn reserved_from(&self, i: usize) -> (i128, i128) {
        let later = self.chosen.iter().filter(|(at, _)| *at >= i).map(|(_, wanted)| wanted);
        later.fold((0, 0), |(more, less), wanted| {
            let above = (wanted.lo - self.range.lo).clamp(0, LARGEST);
            let below = (self.range.hi - wanted.hi).clamp(0, LARGEST);
            (more.saturating_add(above), less.saturating_add(below))
        })
    }

    /// How many instances there can be.
    fn count_range(&self) -> Interval {
        // The largest of nothing satisfies every bound.
        let mut range = Interval::NATURAL;
        let above = self.one.iter().map(|wanted| wanted.lo - self.range.lo).fold(0, i128::max);
        if self.is_bounded() && self.range.lo > 0 {
            range.hi = (self.total.hi - above).div_euclid(self.range.lo);
        }
        if self.total.lo > -LARGEST && self.range.hi > 0 {
            range.lo = range.lo.max(-(-self.total.lo).div_euclid(self.range.hi));
        }
        range
    }

    /// What the `i`-th of `count` instances must keep to, so that those after it still have their least (and, where
    /// the sum has a lower bound, can still reach it with their most).
    fn limits(&self, i: usize, count: usize) -> Vec<Comparison> {
        let limit = self.limit(i, count);
        let most = (limit.hi < LARGEST).then(|| compare(self.each, Sign::LessEqual, limit.hi));
        let least = (limit.lo > -LARGEST).then(|| compare(self.each, Sign::GreaterEqual, limit.lo));
        most.into_iter().chain(least).collect()
    }

    /// The same as a range.
    pub(super) fn limit(&self, i: usize, count: usize) -> Interval {
        let after = (count - i - 1) as i128;
        let (more, less) = if self.chosen.is_empty() { (0, 0) } else { self.reserved_from(i + 1) };
        let mut limit = Interval::ALL;
        if self.total.hi < LARGEST {
            let most = self.total.hi - after.saturating_mul(self.range.lo).saturating_add(more);
            let share = self.shares.get(i).map_or(most, |share| share.saturating_add(self.carried));
            let needed = self.total.lo.saturating_sub(after.saturating_mul(self.range.hi).saturating_sub(less));
            limit.hi = most.min(share.max(needed).max(self.range.lo));
        }
        if self.total.lo > -LARGEST {
            limit.lo = self.total.lo.saturating_sub(after.saturating_mul(self.range.hi).saturating_sub(less));
        }
        if self.every == Interval::ALL && self.chosen.is_empty() {
            return limit;
        }
        let wanted = self.wanted_of(i);
        // What is wanted of one was kept free for it.
        Interval::new(limit.lo.max(wanted.lo), limit.hi.max(wanted.lo.min(self.range.hi)).min(wanted.hi))
    }

    /// Whether some of so many instances may contribute what they like, whatever each of them does.
    fn is_ample_for(&self, some: &Range<usize>, count: usize) -> bool {
        let spread = self.range.hi.saturating_sub(self.range.lo);
        let least = self.limit(some.start, count).hi.saturating_sub(spread.saturating_mul(some.len() as i128 - 1));
        let is_free = self.every == Interval::ALL && !self.chosen.iter().any(|(at, _)| some.contains(at));
        is_free && self.shares.is_empty() && self.total.lo == -LARGEST && least >= self.range.hi
    }

    fn take(&mut self, child: BlockId, holder: &Scope<'_>, instance: &[Value]) {
        let mut parts = 0_i128;
        let known = each_occurrence_within(&holder.inner(child, instance), self.over, &mut |_, scope| {
            match value::number(self.each, scope) {
                Ok(part) => parts = parts.saturating_add(part),
                Err(Unknown::Empty | Unknown::Absent(_)) => {}
                Err(unknown) => return Err(unknown),
            }
            Ok(())
        });
        if known.is_ok() {
            self.spend(parts);
        }
    }

    /// Notes what an instance contributes.
    pub(super) fn spend(&mut self, part: i128) {
        if self.carries {
            let share = self.shares.get(self.spent).copied().unwrap_or(part);
            self.carried = self.carried.saturating_add(share).saturating_sub(part).max(0);
            self.spent += 1;
        }
        self.total.lo = (self.total.lo - part).max(-LARGEST);
        self.total.hi -= part;
    }
}

/// Whether every budget leaves to some of so many instances what they like.
pub(super) fn are_ample(budgets: &[Budget<'_>], some: &Range<usize>, count: usize) -> bool {
    budgets.iter().all(|budget| budget.is_ample_for(some, count))
}

fn compare(left: &Expr, sign: Sign, right: i128) -> Comparison {
    Comparison::new(left.clone(), sign, Expr::Constant(right))
}
