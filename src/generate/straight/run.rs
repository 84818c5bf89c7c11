//! Neighbours in a long list, drawn together: number by number, not one after the other.
//!
//! Neighbours are drawn in the same ways, so what is to be found out before a number is drawn is the same for all of them,
//! and is found out once. What is different comes at the end: those of which nothing is left, or for which a constraint
//! does not hold, are drawn again one by one.

use super::super::Failure;
use super::super::habits::RUN;
use super::super::instance::{ATTEMPT, Maker};
use super::draw::Sheet;
use super::rows::Rows;
use super::{Array, Number};
use crate::format::Interval;
use crate::value::Value;
use rebut_generators::{SizeWay, Sizes, scalar_by};

impl<'a> Maker<'a, '_> {
    /// Draws the next instances of a list, one for each room; numbers stay in the rows, and so do short texts if they are to.
    /// Some may be like `earlier` ones. Every budget is ample for them.
    pub(super) fn straight_run(
        &mut self,
        sheet: &mut Sheet<'a, '_>,
        rows: &mut Rows,
        earlier: Option<&[Value]>,
        slots: &mut [Value],
        rooms: &[usize],
    ) -> Result<(), Failure> {
        if let Some(earlier) = earlier.filter(|_| self.copies(sheet.block)) {
            self.copies_of_run(sheet, rows, earlier, slots, rooms.len());
        } else {
            self.numbers_of_run(sheet, rows, rooms);
            let straight = sheet.straight;
            for array in &straight.arrays {
                self.arrays_of_run(sheet, rows, array, slots, rooms.len());
            }
        }
        self.mend_run(sheet, rows, slots, rooms)
    }

    fn numbers_of_run(&mut self, sheet: &mut Sheet<'a, '_>, rows: &mut Rows, rooms: &[usize]) {
        let straight = sheet.straight;
        let reverse = self.in_reverse(sheet.block);
        for number in &straight.sizes {
            self.row_of_sizes(sheet, rows, number, rooms);
        }
        let last = straight.others.len().saturating_sub(1);
        for at in 0..straight.others.len() {
            let number = &straight.others[if reverse { last - at } else { at }];
            self.row_of_numbers(sheet, rows, number, rooms.len());
        }
    }

    /// Neighbours that are like earlier instances but for one number.
    #[expect(clippy::expect_used, reason = "the slots of single numbers are known when a format is prepared")]
    fn copies_of_run(
        &mut self,
        sheet: &Sheet<'a, '_>,
        rows: &mut Rows,
        earlier: &[Value],
        slots: &mut [Value],
        many: usize,
    ) {
        let straight = sheet.straight;
        let width = straight.stated.len();
        for (at, instance) in slots.chunks_exact_mut(width).take(many).enumerate() {
            let like = self.choices.index(earlier.len() / width) * width;
            let like = &earlier[like..like + width];
            sheet.copy(like, instance);
            for slot in &straight.layout {
                rows.fix(*slot, at, like[*slot].as_int().expect("the layout is one of numbers"));
            }
        }
        rows.know_all(straight.layout.len());
        if let Some(number) = self.choices.pick(&straight.others) {
            rows.forget(number);
            self.row_of_numbers(sheet, rows, number, many);
        }
    }

    /// Mends those that are not right.
    fn mend_run(
        &mut self,
        sheet: &mut Sheet<'a, '_>,
        rows: &mut Rows,
        slots: &mut [Value],
        rooms: &[usize],
    ) -> Result<(), Failure> {
        let straight = sheet.straight;
        if straight.musts.is_empty() && rows.dead == [false; RUN] {
            return Ok(());
        }
        sheet.limits.iter_mut().for_each(|limit| limit.1 = Interval::ALL);
        for (at, (instance, room)) in slots.chunks_exact_mut(straight.stated.len()).zip(rooms).enumerate() {
            if !rows.dead[at] && straight.musts.iter().all(|must| rows.holds(must, at)) {
                continue;
            }
            sheet.take(rows, at);
            if rows.dead[at] || self.straight_repair(sheet).is_err() {
                self.wasted += ATTEMPT;
                self.without_habits(|maker| maker.straight_instance(sheet, instance, *room))?;
                sheet.write(instance);
                rows.redrawn[at] = true;
            }
            for slot in &straight.layout {
                rows.fix(*slot, at, sheet.places[*slot].lo);
            }
        }
        Ok(())
    }

    fn row_of_sizes(&mut self, sheet: &mut Sheet<'a, '_>, rows: &mut Rows, number: &Number, rooms: &[usize]) {
        let (way, growth) = (self.habits.ways(number.field).size, self.settings.growth);
        rows.narrow(number.slot, &number.bounds);
        let mut lately: Option<(i64, i64, usize, Sizes)> = None;
        for (at, room) in rooms.iter().enumerate() {
            let Some((lo, hi)) = rows.left(number.slot, at) else { continue };
            let known = lately.as_ref().filter(|(from, to, within, _)| (*from, *to, within) == (lo, hi, room));
            let sizes = match known {
                Some((.., sizes)) => *sizes,
                None => {
                    sheet.take(rows, at);
                    let range = Interval::new(lo.into(), hi.into());
                    let (sizes, is_lasting) = self.sizes_left(sheet, number, range, *room);
                    lately = is_lasting.then_some((lo, hi, *room, sizes));
                    sizes
                }
            };
            let drawn = sizes.draw(self.choices, |c| way.unwrap_or_else(|| SizeWay::choose(c, growth)));
            rows.fix(number.slot, at, drawn);
        }
        rows.know(number);
    }

    fn row_of_numbers(&mut self, sheet: &Sheet<'a, '_>, rows: &mut Rows, number: &Number, many: usize) {
        let field = number.field;
        rows.narrow(number.slot, &number.bounds);
        let tied = self.wants_tie(field) && rows.known != 0;
        let whole = self.takes_whole(field);
        let way = self.habits.ways(field).number.filter(|_| self.plan.format.field(field).decimals().most == 0);
        for at in 0..many {
            let Some((lo, hi)) = rows.left(number.slot, at) else { continue };
            let range = Interval::new(lo.into(), hi.into());
            let drawn = match way {
                _ if tied => {
                    let slot = self.any_known(rows.known, &sheet.straight.layout);
                    range.nearest(self.tie_to(slot.map_or(0, |slot| rows.number(slot, at).into())))
                }
                Some(way) => {
                    let range = if whole { range } else { self.grown_range(range) };
                    scalar_by(self.choices, range.lo, range.hi, &self.settings.hints, |_| way)
                }
                None => self.scalar_within(field, range),
            };
            rows.fix(number.slot, at, drawn);
        }
        rows.know(number);
    }

    fn arrays_of_run(
        &mut self,
        sheet: &Sheet<'a, '_>,
        rows: &mut Rows,
        array: &Array,
        slots: &mut [Value],
        many: usize,
    ) {
        rows.narrow(array.slot, &array.bounds);
        let sums = [0, 1].map(|dimension| array.sizes.get(dimension).map(|size| rows.sums(size)).unwrap_or_default());
        let text = array.letters.as_ref().map(|letters| (letters, self.text_shape(array.field)));
        let mut dead = rows.dead;
        if let Some((letters, shape)) = text
            && let Some(places) = rows.texts(array.slot, &sums[0], many)
        {
            for ((place, dead), length) in places.iter_mut().zip(dead).zip(sums[0]) {
                if !dead {
                    *place = self.short_text(shape, letters, length as usize);
                }
            }
            return;
        }
        for (at, instance) in slots.chunks_exact_mut(sheet.straight.stated.len()).take(many).enumerate() {
            let place = &mut instance[array.slot];
            let sizes = sums.map(|sums| usize::try_from(sums[at]).unwrap_or(usize::MAX));
            match text {
                _ if dead[at] => {}
                Some((letters, shape)) if self.reserve_elements(array.field, &sizes[..1]).is_ok() => {
                    self.put_text_of(shape, letters, sizes[0], place);
                }
                Some(_) => dead[at] = true,
                None => {
                    let (lo, hi) = rows.range(array.slot, at);
                    let range = || Interval::new(lo.into(), hi.into());
                    dead[at] = !self.put_array(array, &sizes[..array.sizes.len()], range, place).unwrap_or(false);
                }
            }
        }
        rows.dead = dead;
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::panic, reason = "tests")]
    use super::super::super::instance::Partial;
    use super::super::super::tests::{LONG, STRAIGHT, parse};
    use super::*;
    use crate::format::{BlockId, Item};
    use crate::generate::{Plan, Settings};
    use crate::value::Scope;
    use rebut_generators::{Choices, Swarm};

    /// Neighbours drawn field by field in the general way.
    fn in_general(maker: &mut Maker<'_, '_>, block: BlockId, holder: &Scope<'_>, room: usize) -> Option<Vec<Value>> {
        let (plan, reverse) = (maker.plan, maker.in_reverse(block));
        let parts = plan.parts(block);
        let mut others = parts.others.clone();
        if reverse {
            others.reverse();
        }
        let mut neighbours: Vec<Partial> = vec![vec![None; plan.format.block(block).slots]; RUN];
        let mut dead = [false; RUN];
        for field in parts.sizes.iter().chain(&others) {
            for (slots, dead) in neighbours.iter_mut().zip(&mut dead).filter(|(_, dead)| !**dead) {
                let drawn = maker.scalar(*field, block, slots, Some(holder), &[], room);
                *dead = drawn.is_err();
                slots[plan.format.field(*field).slot] = drawn.ok().map(Value::Int);
            }
        }
        for field in &parts.arrays {
            for (slots, dead) in neighbours.iter_mut().zip(&mut dead).filter(|(_, dead)| !**dead) {
                let drawn = maker.array(*field, &maker.scope(block, slots, Some(holder)), &[], room);
                *dead = drawn.is_err();
                slots[plan.format.field(*field).slot] = drawn.ok();
            }
        }
        let mut all = Vec::new();
        for (mut slots, dead) in neighbours.into_iter().zip(dead) {
            if dead || maker.repair(block, &mut slots, Some(holder), &[]).is_err() {
                let again = maker.without_habits(|maker| maker.instance(block, Some(holder), &[], room));
                slots = again.ok()?.into_iter().map(Some).collect();
            }
            all.extend(slots.into_iter().flatten());
        }
        Some(all)
    }

    #[test]
    fn neighbours_are_drawn_as_the_general_way_draws_each_field() {
        let mut compared = 0;
        for text in STRAIGHT.iter().chain(LONG) {
            let format = parse(text);
            let plan = Plan::new(&format);
            let Some(Item::Block(block)) = format.block(BlockId(0)).items.last().cloned() else { panic!("{text}") };
            for stream in 0..150 {
                let growth = (stream % 5 * 25) as u32;
                let hints = if stream % 3 == 0 { vec![2, 7] } else { Vec::new() };
                let settings = Settings { growth, hints, patience: 5000, ..Settings::default() };
                let room = [4, 9, 1000][stream as usize % 3];
                let draw = |in_one_go: bool| {
                    let (mut choices, mut swarm) = (Choices::fresh(9, stream), Swarm::new());
                    let mut maker = Maker::new(&plan, &mut choices, &settings, &mut swarm);
                    let mut root: Partial = vec![None; format.block(BlockId(0)).slots];
                    for field in plan.parts(BlockId(0)).sizes.iter().chain(&plan.parts(BlockId(0)).others) {
                        let drawn = maker.scalar(*field, BlockId(0), &root, None, &[], 1000).unwrap();
                        root[format.field(*field).slot] = Some(Value::Int(drawn));
                    }
                    let holder = maker.scope(BlockId(0), &root, None);
                    maker.choose_habits(block, 0, 1000);
                    let slots = if in_one_go {
                        let mut sheet = maker.sheet(block, &holder, &[])?;
                        let mut slots = vec![Value::Int(0); RUN * format.block(block).slots];
                        let mut rows = Rows::new(&sheet.places, sheet.straight).unwrap();
                        rows.clear(false);
                        let drawn = maker.straight_run(&mut sheet, &mut rows, None, &mut slots, &[room; RUN]);
                        rows.write(&sheet.straight.layout, &mut slots);
                        drawn.ok().map(|()| slots)
                    } else {
                        maker.sheet(block, &holder, &[])?;
                        in_general(&mut maker, block, &holder, room)
                    };
                    Some((slots?, choices.count()))
                };
                let neighbours = draw(true);
                compared += usize::from(neighbours.is_some());
                assert_eq!(neighbours, draw(false), "{text}, stream {stream}");
            }
        }
        assert!(compared > 1000, "{compared}");
    }
}
