//! All texts over an alphabet, by index: where few texts are possible, they are picked instead of being drawn.

use crate::language::Interval;
use rebut_generators::Choices;
use std::borrow::Borrow;

/// With at least this many texts for each wanted one, a text drawn at random is usually new.
pub(super) const MIN_TEXTS_PER_WANTED: u128 = 4;

/// Returns the number of texts of a length.
pub(super) fn text_count(letters: usize, length: usize) -> u128 {
    (letters as u128).saturating_pow(u32::try_from(length).unwrap_or(u32::MAX))
}

/// The texts over an alphabet with a length in a range, shorter ones first.
#[derive(Clone, Debug)]
pub(super) struct TextSpace {
    letters: Vec<u8>,
    /// Each length with its number of texts.
    lengths: Vec<(usize, u128)>,
    wanted: usize,
}

impl TextSpace {
    /// Returns the texts with those lengths. If many lengths are allowed, only the shortest ones that give enough
    /// choice are included.
    pub(super) fn new(letters: &[u8], lengths: Interval, wanted: usize) -> TextSpace {
        let enough = if letters.len() < 2 { 1 } else { MIN_TEXTS_PER_WANTED } * wanted as u128;
        let mut texts = TextSpace { letters: letters.to_vec(), lengths: Vec::new(), wanted };
        let (mut length, mut count) = (usize::try_from(lengths.lo).unwrap_or(0), 0_u128);
        while length as i128 <= lengths.hi && count < enough {
            let of_length = text_count(letters.len(), length);
            texts.lengths.push((length, of_length));
            count = count.saturating_add(of_length);
            length += 1;
        }
        texts
    }

    /// Returns the number of texts.
    pub(super) fn text_count(&self) -> u128 {
        self.lengths.iter().fold(0, |sum, (_, count)| sum.saturating_add(*count))
    }

    /// Returns the text at an index below the count.
    fn text_at(&self, mut number: u128) -> Vec<u8> {
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
pub(super) struct ShuffledTexts<T> {
    texts: T,
    /// The indices of the remaining texts, if they are few.
    order: Option<Vec<usize>>,
    /// The index of the last text.
    last: u128,
}

impl<T: Borrow<TextSpace>> ShuffledTexts<T> {
    /// Returns the texts in random order, each exactly once if they are few.
    pub(super) fn new(texts: T, choices: &mut Choices) -> Self {
        let all: &TextSpace = texts.borrow();
        let few = usize::try_from(all.text_count())
            .ok()
            .filter(|count| *count as u128 <= MIN_TEXTS_PER_WANTED * all.wanted as u128);
        let order = few.map(|count| {
            let mut order: Vec<usize> = (0..count).collect();
            choices.shuffle(&mut order);
            order
        });
        ShuffledTexts { texts, order, last: 0 }
    }

    /// Returns the next text, or `None` after the last. All texts occur even if every draw is zero.
    pub(super) fn next_text(&mut self, choices: &mut Choices) -> Option<Vec<u8>> {
        let texts: &TextSpace = self.texts.borrow();
        if let Some(order) = &mut self.order {
            return order.pop().map(|number| texts.text_at(number as u128));
        }
        let count = texts.text_count();
        let step = choices.draw_range(0, i128::try_from(count - 1).unwrap_or(i128::MAX));
        self.last = self.last.saturating_add(1).saturating_add(step.unsigned_abs()) % count;
        Some(texts.text_at(self.last))
    }
}
