//! Texts that differ in how often each letter occurs. Letters are numbers from 0 to `last`.

use crate::choices::Choices;

/// Draws a letter; each is equally likely.
pub(super) fn draw_letter(c: &mut Choices, last: u8) -> u8 {
    c.draw_up_to(u64::from(last)) as u8
}

/// Fills the text with letters that are equally likely. Several letters are decoded from one draw, as the digits of a
/// number.
pub(super) fn fill_uniform(c: &mut Choices, text: &mut [u8], last: u8) {
    let letters = u32::from(last) + 1;
    for part in text.chunks_mut(LETTERS_PER_DRAW[usize::from(last)].into()) {
        let mut number = c.draw_up_to(u64::from(letters.pow(part.len() as u32)) - 1) as u32;
        if letters.is_power_of_two() {
            for letter in part {
                *letter = number as u8 & last;
                number >>= letters.trailing_zeros();
            }
        } else {
            for letter in part {
                *letter = (number % letters) as u8;
                number /= letters;
            }
        }
    }
}

/// Number of letters per draw, indexed by the last letter of the alphabet: as many as fit into a draw of half a word.
const LETTERS_PER_DRAW: [u8; 256] = letters_per_draw();

const fn letters_per_draw() -> [u8; 256] {
    let mut letters = [15; 256];
    let mut last = 1;
    while last < letters.len() {
        letters[last] = (u16::MAX - 1).ilog(last as u16 + 1) as u8;
        last += 1;
    }
    letters
}

pub(super) fn fill_one_letter(c: &mut Choices, text: &mut [u8], last: u8) {
    text.fill(draw_letter(c, last));
}

pub(super) fn draw_two_letters(c: &mut Choices, last: u8) -> (u8, u8) {
    let one = draw_letter(c, last);
    (one, c.draw_up_to_except(last, one))
}

/// Fills the text with two letters in random order.
pub(super) fn fill_two_letters(c: &mut Choices, text: &mut [u8], last: u8) {
    let (one, two) = draw_two_letters(c, last);
    fill_uniform(c, text, 1);
    text.iter_mut().for_each(|letter| *letter = if *letter == 0 { one } else { two });
}

/// Fills the text with one letter, except in one place.
pub(super) fn fill_one_odd_letter(c: &mut Choices, text: &mut [u8], last: u8) {
    fill_one_letter(c, text, last);
    change_one_letter(c, text, last);
}

/// Replaces one letter by another, often at an end.
pub(super) fn change_one_letter(c: &mut Choices, text: &mut [u8], last: u8) {
    let at = match c.draw_weighted(&[2, 1, 1]) {
        0 => c.draw_index(text.len()),
        1 => 0,
        _ => text.len() - 1,
    };
    text[at] = c.draw_up_to_except(last, text[at]);
}

/// Fills the text with one letter, and others at random places.
pub(super) fn fill_skewed(c: &mut Choices, text: &mut [u8], last: u8) {
    let common = draw_letter(c, last);
    let rarity = c.draw_log_range(2, 64) as u32;
    text.fill_with(|| if c.draw_chance(1, rarity) { draw_letter(c, last) } else { common });
}

/// Fills the text with letters in ascending or descending order.
pub(super) fn fill_sorted(c: &mut Choices, text: &mut [u8], last: u8) {
    fill_uniform(c, text, last);
    text.sort_unstable();
    if c.draw_chance(1, 2) {
        text.reverse();
    }
}
