//! Which letters occur, and how often.

use crate::choices::Choices;

pub(super) fn letter(c: &mut Choices, last: u8) -> u8 {
    c.up_to(u64::from(last)) as u8
}

/// Several letters in one draw, as the digits of a number.
pub(super) fn uniform(c: &mut Choices, text: &mut [u8], last: u8) {
    let letters = u32::from(last) + 1;
    for part in text.chunks_mut(AT_ONCE[usize::from(last)].into()) {
        let mut number = c.up_to(u64::from(letters.pow(part.len() as u32)) - 1) as u32;
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

/// How many letters of an alphabet that ends with this one are drawn at once: as many as half a word of the cipher
/// decides.
const AT_ONCE: [u8; 256] = at_once();

const fn at_once() -> [u8; 256] {
    let mut most = [15; 256];
    let mut last = 1;
    while last < most.len() {
        most[last] = (u16::MAX - 1).ilog(last as u16 + 1) as u8;
        last += 1;
    }
    most
}

pub(super) fn one_letter(c: &mut Choices, text: &mut [u8], last: u8) {
    text.fill(letter(c, last));
}

/// Two different letters.
pub(super) fn two(c: &mut Choices, last: u8) -> (u8, u8) {
    let one = letter(c, last);
    (one, c.up_to_except(last, one))
}

pub(super) fn two_letters(c: &mut Choices, text: &mut [u8], last: u8) {
    let (one, two) = two(c, last);
    uniform(c, text, 1);
    text.iter_mut().for_each(|letter| *letter = if *letter == 0 { one } else { two });
}

pub(super) fn one_odd_letter(c: &mut Choices, text: &mut [u8], last: u8) {
    one_letter(c, text, last);
    change_one(c, text, last);
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

pub(super) fn skewed(c: &mut Choices, text: &mut [u8], last: u8) {
    let common = letter(c, last);
    let rarity = c.log_range(2, 64) as u32;
    text.fill_with(|| if c.chance(1, rarity) { letter(c, last) } else { common });
}

pub(super) fn sorted(c: &mut Choices, text: &mut [u8], last: u8) {
    uniform(c, text, last);
    text.sort_unstable();
    if c.chance(1, 2) {
        text.reverse();
    }
}
