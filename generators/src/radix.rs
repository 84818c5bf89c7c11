//! Sorting words digit by digit, which takes a time in proportion to their number.

/// Bits of a digit: few enough that as many buckets as there are digits fit the innermost cache.
const DIGIT: u32 = 11;

/// Fewer words than this are sorted faster by comparing them.
const FEW: usize = 2_000;

/// Sorts words of which only the bits below `end` are used, and of which those below `start` are in order already: by
/// them the words ascend wherever they agree in all others.
pub(crate) fn sort(words: &mut Vec<u64>, start: u32, end: u32) {
    if words.is_sorted() {
        return;
    }
    if words.len() < FEW {
        return words.sort_unstable();
    }
    let mut other = vec![0; words.len()];
    for shift in (start..end).step_by(DIGIT as usize) {
        pass(words, &mut other, shift);
        std::mem::swap(words, &mut other);
    }
}

/// Puts the words in the order of one digit, those with equal ones in the order they had.
fn pass(from: &[u64], to: &mut [u64], shift: u32) {
    let digit = |word: u64| (word >> shift) as usize & ((1 << DIGIT) - 1);
    let mut next = [0; 1 << DIGIT];
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
            for len in [0, 1, 100, FEW, 3 * FEW] {
                let mut c = Choices::fresh(bits.into(), len as u64);
                let mut words: Vec<u64> = (0..len).map(|_| c.up_to(u64::MAX >> (64 - bits))).collect();
                let mut expected = words.clone();
                expected.sort_unstable();
                sort(&mut words, 0, bits);
                assert_eq!(words, expected, "{len} words of {bits} bits");
            }
        }
    }
}
