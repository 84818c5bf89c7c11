//! Palindromes, and what is nearly one.

use super::{few, repeats};
use crate::choices::Choices;

fn mirror(text: &mut [u8]) {
    let len = text.len();
    for i in 0..len / 2 {
        text[len - 1 - i] = text[i];
    }
}

pub(super) fn palindrome(c: &mut Choices, text: &mut [u8], last: u8) {
    match c.weighted(&[2, 1, 1]) {
        0 => few::uniform(c, text, last),
        1 => few::two_letters(c, text, last),
        _ => repeats::runs(c, text, last),
    }
    mirror(text);
}

pub(super) fn nearly_palindrome(c: &mut Choices, text: &mut [u8], last: u8) {
    palindrome(c, text, last);
    few::change_one(c, text, last);
}

pub(super) fn two_palindromes(c: &mut Choices, text: &mut [u8], last: u8) {
    few::two_letters(c, text, last);
    let (left, right) = text.split_at_mut(c.index(text.len() + 1));
    mirror(left);
    mirror(right);
}
