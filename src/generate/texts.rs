//! All texts over some letters, by number: where few of them differ, they are picked, not sought.

use crate::format::Interval;
use rebut_generators::Choices;
use std::borrow::Borrow;

/// With so many texts for each that is wanted, a text drawn at random is most often new.
const AMPLE: u128 = 4;

/// The texts over some letters whose lengths are in a range, the shorter first.
#[derive(Clone, Debug)]
pub(super) struct Texts {
    letters: Vec<u8>,
    /// Each length, and how many texts have it.
    lengths: Vec<(usize, u128)>,
    wanted: usize,
}

impl Texts {
    /// The texts of those lengths; where many lengths are allowed, of the shortest that give ample choice among `wanted`.
    pub(super) fn new(letters: &[u8], lengths: Interval, wanted: usize) -> Texts {
        let enough = if letters.len() < 2 { 1 } else { AMPLE } * wanted as u128;
        let mut texts = Texts { letters: letters.to_vec(), lengths: Vec::new(), wanted };
        let (mut length, mut count) = (usize::try_from(lengths.lo).unwrap_or(0), 0_u128);
        while length as i128 <= lengths.hi && count < enough {
            let of_length = (letters.len() as u128).saturating_pow(u32::try_from(length).unwrap_or(u32::MAX));
            texts.lengths.push((length, of_length));
            count = count.saturating_add(of_length);
            length += 1;
        }
        texts
    }

    /// How many there are.
    pub(super) fn count(&self) -> u128 {
        self.lengths.iter().fold(0, |sum, (_, count)| sum.saturating_add(*count))
    }

    /// The text of a number below the count.
    fn text(&self, mut number: u128) -> Vec<u8> {
        for (length, count) in &self.lengths {
            if number >= *count {
                number -= count;
                continue;
            }
            let mut text = vec![0; *length];
            for place in text.iter_mut().rev() {
                let base = self.letters.len() as u128;
                *place = self.letters[(number % base) as usize];
                number /= base;
            }
            return text;
        }
        Vec::new()
    }
}

/// Texts in random order.
pub(super) struct Shuffled<T> {
    texts: T,
    /// The numbers of those that are left, if they are few.
    order: Option<Vec<usize>>,
    /// The number that came last.
    last: u128,
}

impl<T: Borrow<Texts>> Shuffled<T> {
    /// Each text once if they are few.
    pub(super) fn new(texts: T, choices: &mut Choices) -> Self {
        let all: &Texts = texts.borrow();
        let few = usize::try_from(all.count()).ok().filter(|count| *count as u128 <= AMPLE * all.wanted as u128);
        let order = few.map(|count| {
            let mut order: Vec<usize> = (0..count).collect();
            choices.shuffle(&mut order);
            order
        });
        Shuffled { texts, order, last: 0 }
    }

    /// The next text; none after the last. Even where every choice is the simplest one, all of them come.
    pub(super) fn next(&mut self, choices: &mut Choices) -> Option<Vec<u8>> {
        let texts: &Texts = self.texts.borrow();
        if let Some(order) = &mut self.order {
            return order.pop().map(|number| texts.text(number as u128));
        }
        let count = texts.count();
        let step = choices.range(0, i128::try_from(count - 1).unwrap_or(i128::MAX));
        self.last = self.last.saturating_add(1).saturating_add(step.unsigned_abs()) % count;
        Some(texts.text(self.last))
    }
}
