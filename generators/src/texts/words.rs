//! Words known from combinatorics, each the worst case of some text algorithm.

use super::few;
use crate::choices::Choices;

pub(super) fn thue_morse(c: &mut Choices, len: usize, last: u8) -> Vec<u8> {
    let one = few::letter(c, last);
    let two = c.up_to_except(last, one);
    (0..len).map(|i| if i.count_ones() % 2 == 0 { one } else { two }).collect()
}

pub(super) fn fibonacci(c: &mut Choices, len: usize, last: u8) -> Vec<u8> {
    let one = few::letter(c, last);
    let two = c.up_to_except(last, one);
    // Each word is the last one followed by the one before it, and starts with it: one buffer holds them all.
    let mut text = vec![one, two];
    let mut before = 1;
    while text.len() < len {
        let whole = text.len();
        text.extend_from_within(..before);
        before = whole;
    }
    text.truncate(len);
    text
}

/// Every block of some length over some of the letters exactly once, starting anywhere in that cycle.
pub(super) fn de_bruijn(c: &mut Choices, len: usize, last: u8) -> Vec<u8> {
    let letters = c.range(2, i128::from(last.min(9)) + 1) as usize;
    let longest = len.ilog(letters).max(1) as i128;
    let cycle = de_bruijn_cycle(letters, c.range(1, longest) as usize);
    let start = c.index(cycle.len());
    cycle.iter().copied().cycle().skip(start).take(len).collect()
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

pub(super) fn rising_blocks(c: &mut Choices, len: usize, last: u8) -> Vec<u8> {
    let one = few::letter(c, last);
    let two = c.up_to_except(last, one);
    let mut text = Vec::with_capacity(len);
    let mut block = 1;
    while text.len() < len {
        text.extend(std::iter::repeat_n(one, block));
        text.push(two);
        block += 1;
    }
    text.truncate(len);
    text
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
