//! Words known from combinatorics, each the worst case of some text algorithm.

use super::few;
use crate::choices::Choices;

pub(super) fn thue_morse(c: &mut Choices, text: &mut [u8], last: u8) {
    let (one, two) = few::two(c, last);
    text.iter_mut().enumerate().for_each(|(i, letter)| *letter = if i.count_ones() % 2 == 0 { one } else { two });
}

pub(super) fn fibonacci(c: &mut Choices, text: &mut [u8], last: u8) {
    let (one, two) = few::two(c, last);
    text[0] = one;
    if let Some(second) = text.get_mut(1) {
        *second = two;
    }
    // Each word is the last one followed by the one before it, and starts with it: one place holds them all.
    let (mut before, mut whole) = (1, 2);
    while whole < text.len() {
        text.copy_within(..before.min(text.len() - whole), whole);
        (before, whole) = (whole, whole + before);
    }
}

/// Every block of some length over some of the letters exactly once, starting anywhere in that cycle.
pub(super) fn de_bruijn(c: &mut Choices, text: &mut [u8], last: u8) {
    let letters = c.range(2, i128::from(last.min(9)) + 1) as usize;
    let longest = text.len().ilog(letters).max(1) as i128;
    let cycle = de_bruijn_cycle(letters, c.range(1, longest) as usize);
    let start = c.index(cycle.len());
    text.iter_mut().zip(cycle.iter().cycle().skip(start)).for_each(|(letter, next)| *letter = *next);
}

/// The Lyndon words whose length divides `order`, one after the other in lexicographic order.
fn de_bruijn_cycle(letters: usize, order: usize) -> Vec<u8> {
    let mut cycle = Vec::new();
    let mut word = vec![0_usize];
    while !word.is_empty() {
        if order.is_multiple_of(word.len()) {
            cycle.extend(word.iter().map(|letter| *letter as u8));
        }
        let period = word.len();
        for i in period..order {
            word.push(word[i % period]);
        }
        while word.last() == Some(&(letters - 1)) {
            word.pop();
        }
        if let Some(letter) = word.last_mut() {
            *letter += 1;
        }
    }
    cycle
}

pub(super) fn rising_blocks(c: &mut Choices, text: &mut [u8], last: u8) {
    let (one, two) = few::two(c, last);
    text.fill(one);
    let (mut end, mut block) = (1, 1);
    while let Some(letter) = text.get_mut(end) {
        *letter = two;
        block += 1;
        end += block + 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_de_bruijn_cycle_has_every_block_once() {
        for (letters, order) in [(2, 1), (2, 5), (3, 3), (10, 2)] {
            let cycle = de_bruijn_cycle(letters, order);
            assert_eq!(cycle.len(), letters.pow(order as u32));
            let block = |at: usize| -> Vec<u8> { cycle.iter().cycle().skip(at).take(order).copied().collect() };
            let blocks: std::collections::BTreeSet<Vec<u8>> = (0..cycle.len()).map(block).collect();
            assert_eq!(blocks.len(), cycle.len());
        }
    }
}
