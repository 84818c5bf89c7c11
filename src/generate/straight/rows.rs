//! The numbers of neighbours in the making, row by row.

use super::super::habits::RUN;
use super::draw::put;
use super::{Bound, Linear, Must, Number, Straight};
use crate::format::{Interval, Sign};
use crate::value::{SHORT, Value};

/// A number of each neighbour.
pub(super) type Row = [i64; RUN];

/// Numbers up to this size: of two sums of six parts and a constant, even the difference fits into a machine word.
const LIMIT: i128 = 1 << 56;

/// What each neighbour can have in each place: a single number once it is drawn.
#[derive(Debug)]
pub(super) struct Rows {
    lo: Vec<Row>,
    hi: Vec<Row>,
    /// What nothing but the layout says, to begin with.
    stated: Vec<(i64, i64)>,
    /// Which single numbers are drawn, in the order of the layout.
    pub(super) known: u64,
    /// Those neighbours of which nothing is left.
    pub(super) dead: [bool; RUN],
    /// Those that were drawn again by themselves.
    pub(super) redrawn: [bool; RUN],
    /// Short texts, by slot, and whether they are kept here.
    texts: Vec<Texts>,
    keeps_texts: bool,
}

/// A short text of each neighbour.
#[derive(Clone, Debug)]
struct Texts {
    letters: [[u8; SHORT]; RUN],
    lengths: Row,
    are_here: bool,
}

impl Rows {
    /// Empty rows between numbers that all fit into a word.
    pub(super) fn new(places: &[Interval], straight: &Straight) -> Option<Rows> {
        let word = |number: i128| i64::try_from(number).ok().filter(|_| number.abs() <= LIMIT);
        let stated = places.iter().map(|place| word(place.lo).zip(word(place.hi))).collect::<Option<Vec<_>>>()?;
        let fits = !straight.stated.is_empty() && straight.linears().all(|sum| sum.constant.abs() <= LIMIT);
        let empty = vec![[0; RUN]; stated.len()];
        let no_texts = Texts { letters: [[0; SHORT]; RUN], lengths: [0; RUN], are_here: false };
        fits.then(|| Rows {
            lo: empty.clone(),
            hi: empty,
            texts: vec![no_texts; straight.stated.len()],
            stated,
            known: 0,
            dead: [false; RUN],
            redrawn: [false; RUN],
            keeps_texts: false,
        })
    }

    /// Nothing is drawn; short texts are to be kept here, or not.
    pub(super) fn clear(&mut self, keeps_texts: bool) {
        self.keeps_texts = keeps_texts;
        (self.dead, self.redrawn) = ([false; RUN], [false; RUN]);
        for ((lo, hi), stated) in self.lo.iter_mut().zip(&mut self.hi).zip(&self.stated) {
            (*lo, *hi) = ([stated.0; RUN], [stated.1; RUN]);
        }
        self.known = 0;
    }

    /// What a neighbour can have in a place.
    pub(super) fn range(&self, place: usize, at: usize) -> (i64, i64) {
        (self.lo[place][at], self.hi[place][at])
    }

    /// Lays down what a neighbour has in a place.
    pub(super) fn fix(&mut self, place: usize, at: usize, number: i128) {
        debug_assert!(number.abs() <= LIMIT, "{number}");
        let number = number as i64;
        (self.lo[place][at], self.hi[place][at]) = (number, number);
    }

    /// What is left of a place for a neighbour that is not dead. If it is nothing, the neighbour is, and what stands there
    /// does no harm to what is worked out for all.
    pub(super) fn left(&mut self, place: usize, at: usize) -> Option<(i64, i64)> {
        if self.dead[at] {
            return None;
        }
        let (lo, hi) = self.range(place, at);
        if lo > hi {
            self.dead[at] = true;
            (self.lo[place][at], self.hi[place][at]) = (self.stated[place].0, self.stated[place].0);
        }
        (lo <= hi).then_some((lo, hi))
    }

    /// A number is drawn for every neighbour that is not dead.
    pub(super) fn know(&mut self, number: &Number) {
        self.known |= 1 << number.at;
    }

    /// Whether a number is drawn.
    pub(super) fn knows(&self, number: &Number) -> bool {
        self.known >> number.at & 1 == 1
    }

    /// All single numbers are drawn.
    pub(super) fn know_all(&mut self, count: usize) {
        self.known = if count == 0 { 0 } else { u64::MAX >> (u64::BITS as usize - count) };
    }

    /// A number is not drawn yet.
    pub(super) fn forget(&mut self, number: &Number) {
        let (lo, hi) = self.stated[number.slot];
        (self.lo[number.slot], self.hi[number.slot]) = ([lo; RUN], [hi; RUN]);
        self.known &= !(1 << number.at);
    }

    /// Puts single numbers into their slots.
    pub(super) fn write(&self, layout: &[usize], slots: &mut [Value]) {
        for slot in layout {
            let instances = slots.chunks_exact_mut(self.texts.len());
            for (instance, number) in instances.zip(&self.lo[*slot]) {
                put(&mut instance[*slot], (*number).into());
            }
        }
    }

    /// Whether short texts of a slot are kept here.
    pub(super) fn has_text(&self, slot: usize) -> bool {
        self.texts[slot].are_here
    }

    /// The text of a neighbour, and how long it is.
    pub(super) fn text(&self, slot: usize, at: usize) -> (&[u8; SHORT], usize) {
        (&self.texts[slot].letters[at], self.texts[slot].lengths[at] as usize)
    }

    /// The places for the texts of a slot, if they are kept here.
    pub(super) fn texts(&mut self, slot: usize, lengths: &Row, many: usize) -> Option<&mut [[u8; SHORT]]> {
        let are_short = lengths.iter().take(many).all(|length| (0..=SHORT as i64).contains(length));
        let texts = &mut self.texts[slot];
        texts.are_here = self.keeps_texts && are_short;
        texts.lengths = *lengths;
        texts.are_here.then_some(&mut texts.letters[..many])
    }

    /// What a neighbour has in a place.
    pub(super) fn number(&self, place: usize, at: usize) -> i64 {
        self.lo[place][at]
    }

    /// A sum of what is drawn, of each neighbour.
    pub(super) fn sums(&self, sum: &Linear) -> Row {
        let mut sums = [sum.constant as i64; RUN];
        for (place, is_negative) in &sum.parts {
            let parts = sums.iter_mut().zip(&self.lo[*place]);
            parts.for_each(|(sum, part)| *sum += if *is_negative { -part } else { *part });
        }
        sums
    }

    /// Cuts off what bounds do not leave of a place.
    pub(super) fn narrow(&mut self, place: usize, bounds: &[Bound]) {
        for bound in bounds {
            let (least, most) = self.within(&bound.other);
            let (lo, hi) = (&mut self.lo[place], &mut self.hi[place]);
            for at in 0..RUN {
                match bound.sign {
                    Sign::Less => hi[at] = hi[at].min(most[at] - 1),
                    Sign::LessEqual => hi[at] = hi[at].min(most[at]),
                    Sign::Greater => lo[at] = lo[at].max(least[at] + 1),
                    Sign::GreaterEqual => lo[at] = lo[at].max(least[at]),
                    Sign::Equal => (lo[at], hi[at]) = (lo[at].max(least[at]), hi[at].min(most[at])),
                    Sign::NotEqual if least[at] != most[at] => {}
                    Sign::NotEqual => {
                        let (from, to) = (lo[at], hi[at]);
                        lo[at] += i64::from(from == least[at]);
                        hi[at] -= i64::from(to == least[at]);
                    }
                }
            }
        }
    }

    /// What a sum can be.
    fn within(&self, sum: &Linear) -> (Row, Row) {
        let (mut lo, mut hi) = ([sum.constant as i64; RUN], [sum.constant as i64; RUN]);
        for (place, is_negative) in &sum.parts {
            let (least, most) = (&self.lo[*place], &self.hi[*place]);
            for at in 0..RUN {
                let part = if *is_negative { (-most[at], -least[at]) } else { (least[at], most[at]) };
                (lo[at], hi[at]) = (lo[at] + part.0, hi[at] + part.1);
            }
        }
        (lo, hi)
    }

    /// Whether a constraint holds, of a neighbour that is drawn.
    pub(super) fn holds(&self, must: &Must, at: usize) -> bool {
        must.holds(|sum| sum.of(|place| self.number(place, at).into()))
    }
}
