//! Radix sort of words, in linear time.

use crate::tuning::{MIN_RADIX_WORDS, RADIX_DIGIT_BITS};

/// Sorts words that use only the bits below `end`, and in which the bits below `start` are in order already: words that
/// are equal in all other bits ascend by them.
pub(crate) fn sort_words(words: &mut Vec<u64>, start: u32, end: u32) {
    debug_assert!(
        words.iter().all(|word| word.checked_shr(end).unwrap_or(0) == 0),
        "words use only the bits below `end`"
    );
    if words.is_sorted() {
        return;
    }
    if words.len() < MIN_RADIX_WORDS {
        return words.sort_unstable();
    }
    let mut other = vec![0; words.len()];
    for shift in (start..end).step_by(RADIX_DIGIT_BITS as usize) {
        sort_by_digit(words, &mut other, shift);
        std::mem::swap(words, &mut other);
    }
    debug_assert!(words.is_sorted(), "the bits below `start` were in order, so all digits are sorted now");
}

/// Sorts the words by one digit. The sort is stable.
fn sort_by_digit(from: &[u64], to: &mut [u64], shift: u32) {
    let digit = |word: u64| (word >> shift) as usize & ((1 << RADIX_DIGIT_BITS) - 1);
    let mut next = [0; 1 << RADIX_DIGIT_BITS];
    from.iter().for_each(|word| next[digit(*word)] += 1);
    let mut before = 0;
    for start in &mut next {
        before += std::mem::replace(start, before);
    }
    for word in from {
        let place = &mut next[digit(*word)];
        to[*place] = *word;
        *place += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::choices::Choices;

    #[test]
    fn agrees_with_sorting_by_comparison() {
        for bits in [1, 10, 11, 12, 30, 63, 64] {
            for len in [0, 1, 100, MIN_RADIX_WORDS, 3 * MIN_RADIX_WORDS] {
                let mut c = Choices::from_seed(bits.into(), len as u64);
                let mut words: Vec<u64> = (0..len).map(|_| c.draw_up_to(u64::MAX >> (64 - bits))).collect();
                let mut expected = words.clone();
                expected.sort_unstable();
                sort_words(&mut words, 0, bits);
                assert_eq!(words, expected, "{len} words of {bits} bits");
            }
        }
    }
}
