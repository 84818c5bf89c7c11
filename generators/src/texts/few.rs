//! Which letters occur, and how often.

use crate::choices::Choices;

pub(super) fn letter(c: &mut Choices, last: u8) -> u8 {
    c.up_to(u64::from(last)) as u8
}

pub(super) fn uniform(c: &mut Choices, len: usize, last: u8) -> Vec<u8> {
    (0..len).map(|_| letter(c, last)).collect()
}

pub(super) fn one_letter(c: &mut Choices, len: usize, last: u8) -> Vec<u8> {
    vec![letter(c, last); len]
}

pub(super) fn two_letters(c: &mut Choices, len: usize, last: u8) -> Vec<u8> {
    let one = letter(c, last);
    let two = c.up_to_except(last, one);
    (0..len).map(|_| if c.chance(1, 2) { two } else { one }).collect()
}

pub(super) fn one_odd_letter(c: &mut Choices, len: usize, last: u8) -> Vec<u8> {
    let mut text = one_letter(c, len, last);
    change_one(c, &mut text, last);
    text
}

/// Replaces the letter in one place by another one, often at an end.
pub(super) fn change_one(c: &mut Choices, text: &mut [u8], last: u8) {
    let at = match c.weighted(&[2, 1, 1]) {
        0 => c.index(text.len()),
        1 => 0,
        _ => text.len() - 1,
    };
    text[at] = c.up_to_except(last, text[at]);
}

pub(super) fn skewed(c: &mut Choices, len: usize, last: u8) -> Vec<u8> {
    let common = letter(c, last);
    let rarity = c.log_range(2, 64) as u32;
    (0..len).map(|_| if c.chance(1, rarity) { letter(c, last) } else { common }).collect()
}

pub(super) fn sorted(c: &mut Choices, len: usize, last: u8) -> Vec<u8> {
    let mut text = uniform(c, len, last);
    text.sort_unstable();
    if c.chance(1, 2) {
        text.reverse();
    }
    text
}
