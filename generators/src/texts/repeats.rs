//! Repeats: runs, periods, squares and borders.

use super::few;
use crate::choices::Choices;

pub(super) fn runs(c: &mut Choices, len: usize, last: u8) -> Vec<u8> {
    let longest = c.log_range(2, len.max(2) as i128);
    let mut text = Vec::with_capacity(len);
    let mut letter = few::letter(c, last);
    while text.len() < len {
        let end = text.len() + c.log_range(1, longest) as usize;
        text.resize(end.min(len), letter);
        letter = c.up_to_except(last, letter);
    }
    text
}

pub(super) fn periodic(c: &mut Choices, len: usize, last: u8) -> Vec<u8> {
    let period = c.log_range(1, len as i128) as usize;
    let block = few::uniform(c, period, last);
    block.into_iter().cycle().take(len).collect()
}

pub(super) fn nearly_periodic(c: &mut Choices, len: usize, last: u8) -> Vec<u8> {
    let mut text = periodic(c, len, last);
    few::change_one(c, &mut text, last);
    text
}

pub(super) fn square(c: &mut Choices, len: usize, last: u8) -> Vec<u8> {
    let half = few::uniform(c, len.div_ceil(2), last);
    half.iter().copied().cycle().take(len).collect()
}

pub(super) fn bordered(c: &mut Choices, len: usize, last: u8) -> Vec<u8> {
    let mut text = few::uniform(c, len, last);
    let border = c.range(1, (len / 2).max(1) as i128) as usize;
    text.copy_within(..border, len - border);
    text
}

pub(super) fn alternating(c: &mut Choices, len: usize, last: u8) -> Vec<u8> {
    let one = few::letter(c, last);
    let two = c.up_to_except(last, one);
    [one, two].into_iter().cycle().take(len).collect()
}
