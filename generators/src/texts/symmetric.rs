//! Palindromes, and what is nearly one.

use super::{few, repeats};
use crate::choices::Choices;

fn mirror(text: &mut [u8]) {
    let len = text.len();
    for i in 0..len / 2 {
        text[len - 1 - i] = text[i];
    }
}

pub(super) fn palindrome(c: &mut Choices, len: usize, last: u8) -> Vec<u8> {
    let mut text = match c.weighted(&[2, 1, 1]) {
        0 => few::uniform(c, len, last),
        1 => few::two_letters(c, len, last),
        _ => repeats::runs(c, len, last),
    };
    mirror(&mut text);
    text
}

pub(super) fn nearly_palindrome(c: &mut Choices, len: usize, last: u8) -> Vec<u8> {
    let mut text = palindrome(c, len, last);
    few::change_one(c, &mut text, last);
    text
}

pub(super) fn two_palindromes(c: &mut Choices, len: usize, last: u8) -> Vec<u8> {
    let mut text = few::two_letters(c, len, last);
    let (left, right) = text.split_at_mut(c.index(len + 1));
    mirror(left);
    mirror(right);
    text
}
