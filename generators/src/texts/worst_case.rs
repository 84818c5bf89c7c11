//! Texts that are the worst case of a common algorithm. They are never drawn at random.

mod java_hash;

use super::TextShape;
use crate::choices::Choices;

/// The worst cases among the text shapes, which are drawn only by name.
pub const WORST_CASE_TEXT_SHAPES: &[TextShape] = &[
    TextShape {
        name: "anti-string-search",
        doc: "one letter, and in some texts another one at the end, so that every comparison is long",
        fill: fill_odd_last_letter,
    },
    TextShape {
        name: "anti-backtracking",
        doc: "one letter in the first half and another one in the second, or the same with an odd end",
        fill: fill_two_halves,
    },
    TextShape {
        name: "anti-java-strings",
        doc: "texts of one length with the same `hashCode` in Java: a polynomial in 31 modulo 2^32",
        fill: java_hash::fill_equal_hash,
    },
];

fn fill_odd_last_letter(c: &mut Choices, text: &mut [u8], _: u8) {
    text.fill(0);
    let is_odd = c.draw_chance(1, 2);
    if let Some(end) = text.last_mut() {
        *end = u8::from(is_odd);
    }
}

fn fill_two_halves(c: &mut Choices, text: &mut [u8], _: u8) {
    let middle = text.len() / 2;
    text[..middle].fill(0);
    text[middle..].fill(1);
    let is_odd = c.draw_chance(1, 2);
    if let Some(end) = text.last_mut().filter(|_| is_odd) {
        *end = 0;
    }
}
