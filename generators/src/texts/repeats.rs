//! Repeats: runs, periods, squares and borders.

use super::letter_frequency;
use crate::choices::Choices;

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
