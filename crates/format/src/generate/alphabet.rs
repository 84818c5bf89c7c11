//! The letters of texts.

use crate::value::MAX_INLINE_CHARACTERS;

/// The letters of texts, by their codes.
#[derive(Clone, Debug)]
pub(super) struct Alphabet {
    /// Indexed by any byte without a bounds check.
    table: [u8; 256],
    count: usize,
}

impl Alphabet {
    pub(super) fn new(letters: &[u8]) -> Self {
        let mut table = [0; 256];
        table.iter_mut().zip(letters).for_each(|(place, letter)| *place = *letter);
        Alphabet { table, count: letters.len() }
    }

    /// Returns the number of letters.
    pub(super) fn count(&self) -> usize {
        self.count
    }

    /// Returns the letters in the order of their codes.
    pub(super) fn letters(&self) -> &[u8] {
        &self.table[..self.count]
    }

    /// Replaces codes by letters.
    pub(super) fn spell_codes(&self, codes: &mut [u8]) {
        codes.iter_mut().for_each(|code| *code = self.letter_at(*code));
    }

    fn letter_at(&self, code: u8) -> u8 {
        self.table[usize::from(code)]
    }

    /// Spells a short text, word by word: the caller loads it as words too, and gets them by store forwarding.
    pub(super) fn spell_short_text(
        &self,
        codes: &[u8; MAX_INLINE_CHARACTERS],
        length: usize,
    ) -> [u8; MAX_INLINE_CHARACTERS] {
        let mut spelt = [0; MAX_INLINE_CHARACTERS];
        let words = spelt.as_chunks_mut().0.iter_mut().zip(codes.as_chunks::<8>().0);
        for (word, codes) in words.take(length.div_ceil(8)) {
            let joined = codes.iter().rev().fold(0, |word, code| word << 8 | u64::from(self.letter_at(*code)));
            *word = joined.to_le_bytes();
        }
        spelt
    }
}
