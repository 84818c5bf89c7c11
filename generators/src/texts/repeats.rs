//! Repeats: runs, periods, squares and borders.

use super::few;
use crate::choices::Choices;

pub(super) fn runs(c: &mut Choices, text: &mut [u8], last: u8) {
    let longest = c.log_range(2, text.len().max(2) as i128);
    let mut letter = few::letter(c, last);
    let mut rest = text;
    while !rest.is_empty() {
        let length = c.log_range(1, longest) as usize;
        let (run, after) = rest.split_at_mut(length.min(rest.len()));
        run.fill(letter);
        rest = after;
        letter = c.up_to_except(last, letter);
    }
}

/// Goes on with what the text begins with.
pub(super) fn repeat(text: &mut [u8], period: usize) {
    for i in period..text.len() {
        text[i] = text[i - period];
    }
}

pub(super) fn periodic(c: &mut Choices, text: &mut [u8], last: u8) {
    let period = c.log_range(1, text.len() as i128) as usize;
    few::uniform(c, &mut text[..period], last);
    repeat(text, period);
}

pub(super) fn nearly_periodic(c: &mut Choices, text: &mut [u8], last: u8) {
    periodic(c, text, last);
    few::change_one(c, text, last);
}

pub(super) fn square(c: &mut Choices, text: &mut [u8], last: u8) {
    let half = text.len().div_ceil(2);
    few::uniform(c, &mut text[..half], last);
    repeat(text, half);
}

pub(super) fn bordered(c: &mut Choices, text: &mut [u8], last: u8) {
    few::uniform(c, text, last);
    let len = text.len();
    let border = c.range(1, (len / 2).max(1) as i128) as usize;
    text.copy_within(..border, len - border);
}

pub(super) fn alternating(c: &mut Choices, text: &mut [u8], last: u8) {
    let (one, two) = few::two(c, last);
    text.iter_mut().enumerate().for_each(|(i, letter)| *letter = if i % 2 == 0 { one } else { two });
}
