//! Words from combinatorics, each the worst case of some text algorithm.

use super::letter_frequency;
use crate::choices::Choices;

pub(super) fn fill_thue_morse(c: &mut Choices, text: &mut [u8], last: u8) {
    let (one, two) = letter_frequency::draw_two_letters(c, last);
    text.iter_mut().enumerate().for_each(|(i, letter)| *letter = if i.count_ones() % 2 == 0 { one } else { two });
}

pub(super) fn fill_fibonacci(c: &mut Choices, text: &mut [u8], last: u8) {
    let (one, two) = letter_frequency::draw_two_letters(c, last);
    text[0] = one;
    if let Some(second) = text.get_mut(1) {
        *second = two;
    }
    // Each word is the concatenation of the previous two, and starts with the previous one: one buffer holds them all.
    let (mut before, mut whole) = (1, 2);
    while whole < text.len() {
        text.copy_within(..before.min(text.len() - whole), whole);
        (before, whole) = (whole, whole + before);
    }
}

/// Every block of some length over some of the letters exactly once, starting anywhere in the cycle.
pub(super) fn fill_de_bruijn(c: &mut Choices, text: &mut [u8], last: u8) {
    let letters = c.draw_range(2, i128::from(last.min(9)) + 1) as usize;
    let longest = text.len().ilog(letters).max(1);
    let order = c.draw_range(1, i128::from(longest)) as u32;
    let length = letters.pow(order);
    let start = c.draw_index(length);
    visit_de_bruijn_cycle(letters as u8, order as usize, |at, letter| {
        if let Some(place) = text.get_mut((at + length - start) % length) {
            *place = letter;
        }
    });
    repeat_prefix(text, length);
}

/// Passes each letter of a de Bruijn cycle with its position to `put`: the Lyndon words of a length that divides
/// `order`, in lexicographic order.
fn visit_de_bruijn_cycle(letters: u8, order: usize, mut put: impl FnMut(usize, u8)) {
    // Enough for any order: a text with all words of this length would not fit into memory.
    let mut word = [0; u64::BITS as usize];
    let (mut length, mut place) = (1, 0);
    while length > 0 {
        if order.is_multiple_of(length) {
            word[..length].iter().enumerate().for_each(|(i, letter)| put(place + i, *letter));
            place += length;
        }
        repeat_prefix(&mut word[..order], length);
        length = order;
        while length > 0 && word[length - 1] == letters - 1 {
            length -= 1;
        }
        if let Some(letter) = word[..length].last_mut() {
            *letter += 1;
        }
    }
}

pub(super) fn fill_rising_blocks(c: &mut Choices, text: &mut [u8], last: u8) {
    let (one, two) = letter_frequency::draw_two_letters(c, last);
    text.fill(one);
    let (mut end, mut block) = (1, 1);
    while let Some(letter) = text.get_mut(end) {
        *letter = two;
        block += 1;
        end += block + 1;
    }
}

// Repeats: runs, periods, squares and borders.

pub(super) fn fill_runs(c: &mut Choices, text: &mut [u8], last: u8) {
    let longest = c.draw_log_range(2, text.len().max(2) as i128);
    let mut letter = letter_frequency::draw_letter(c, last);
    let mut rest = text;
    while !rest.is_empty() {
        let length = c.draw_log_range(1, longest) as usize;
        let (run, after) = rest.split_at_mut(length.min(rest.len()));
        run.fill(letter);
        rest = after;
        letter = c.draw_up_to_except(last, letter);
    }
}

/// Fills the rest of the text by repeating its first `period` letters.
pub(super) fn repeat_prefix(text: &mut [u8], period: usize) {
    for i in period..text.len() {
        text[i] = text[i - period];
    }
}

pub(super) fn fill_periodic(c: &mut Choices, text: &mut [u8], last: u8) {
    let period = c.draw_log_range(1, text.len() as i128) as usize;
    letter_frequency::fill_uniform(c, &mut text[..period], last);
    repeat_prefix(text, period);
}

pub(super) fn fill_nearly_periodic(c: &mut Choices, text: &mut [u8], last: u8) {
    fill_periodic(c, text, last);
    letter_frequency::change_one_letter(c, text, last);
}

pub(super) fn fill_square(c: &mut Choices, text: &mut [u8], last: u8) {
    let half = text.len().div_ceil(2);
    letter_frequency::fill_uniform(c, &mut text[..half], last);
    repeat_prefix(text, half);
}

pub(super) fn fill_bordered(c: &mut Choices, text: &mut [u8], last: u8) {
    letter_frequency::fill_uniform(c, text, last);
    let len = text.len();
    let border = c.draw_range(1, (len / 2).max(1) as i128) as usize;
    text.copy_within(..border, len - border);
}

pub(super) fn fill_alternating(c: &mut Choices, text: &mut [u8], last: u8) {
    let (one, two) = letter_frequency::draw_two_letters(c, last);
    text.iter_mut().enumerate().for_each(|(i, letter)| *letter = if i % 2 == 0 { one } else { two });
}

// Palindromes, and near-palindromes.

fn mirror_text(text: &mut [u8]) {
    let len = text.len();
    for i in 0..len / 2 {
        text[len - 1 - i] = text[i];
    }
}

pub(super) fn fill_palindrome(c: &mut Choices, text: &mut [u8], last: u8) {
    match c.draw_weighted(&[2, 1, 1]) {
        0 => letter_frequency::fill_uniform(c, text, last),
        1 => letter_frequency::fill_two_letters(c, text, last),
        _ => fill_runs(c, text, last),
    }
    mirror_text(text);
}

pub(super) fn fill_nearly_palindrome(c: &mut Choices, text: &mut [u8], last: u8) {
    fill_palindrome(c, text, last);
    letter_frequency::change_one_letter(c, text, last);
}

pub(super) fn fill_two_palindromes(c: &mut Choices, text: &mut [u8], last: u8) {
    letter_frequency::fill_two_letters(c, text, last);
    let (left, right) = text.split_at_mut(c.draw_index(text.len() + 1));
    mirror_text(left);
    mirror_text(right);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_de_bruijn_cycle_has_every_block_once() {
        for (letters, order) in [(2, 1), (2, 5), (3, 3), (10, 2)] {
            let mut cycle = Vec::new();
            visit_de_bruijn_cycle(letters, order, |at, letter| {
                assert_eq!(at, cycle.len());
                cycle.push(letter);
            });
            assert_eq!(cycle.len(), usize::from(letters).pow(order as u32));
            let block = |at: usize| -> Vec<u8> { cycle.iter().cycle().skip(at).take(order).copied().collect() };
            let blocks: std::collections::BTreeSet<Vec<u8>> = (0..cycle.len()).map(block).collect();
            assert_eq!(blocks.len(), cycle.len());
        }
    }
}
