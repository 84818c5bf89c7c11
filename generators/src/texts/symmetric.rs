//! Palindromes, and near-palindromes.

use super::{letter_frequency, repeats};
use crate::choices::Choices;

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
        _ => repeats::fill_runs(c, text, last),
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
