use std::collections::BTreeSet;

use rebut_generators::{Choices, TEXT_SHAPES, WORST_CASE_TEXT_SHAPES};

#[test]
fn every_shape_keeps_length_and_alphabet() {
    for shape in TEXT_SHAPES.iter().chain(WORST_CASE_TEXT_SHAPES) {
        for letters in [0, 1, 2, 3, 26, 256, 1000] {
            for len in [0, 1, 2, 3, 5, 17, 300] {
                for seed in 0..20 {
                    let text = shape.draw_text(&mut Choices::from_seed(seed, 0), len, letters);
                    assert_eq!(text.len(), len, "{} seed {seed}", shape.name);
                    let fits = |letter: &u8| usize::from(*letter) < letters.max(1);
                    assert!(text.iter().all(fits), "{} seed {seed}: {text:?}", shape.name);
                }
            }
        }
    }
}

fn is_palindrome(text: &[u8]) -> bool {
    text.iter().eq(text.iter().rev())
}

fn changes(text: &[u8]) -> usize {
    text.windows(2).filter(|pair| pair[0] != pair[1]).count()
}

fn distinct(text: &[u8]) -> usize {
    BTreeSet::from_iter(text).len()
}

/// Draws many texts of the shape and checks that each has the property.
fn check(name: &str, has_property: impl Fn(&[u8]) -> bool) {
    let shape = TEXT_SHAPES.iter().find(|shape| shape.name == name).unwrap();
    for seed in 0..100 {
        let text = shape.draw_text(&mut Choices::from_seed(seed, 1), 40, 5);
        assert!(has_property(&text), "{name} seed {seed}: {text:?}");
    }
}

#[test]
fn shapes_have_their_properties() {
    check("one-letter", |text| distinct(text) == 1);
    check("two-letters", |text| distinct(text) == 2);
    check("one-odd-letter", |text| distinct(text) == 2 && changes(text) <= 2);
    check("sorted", |text| text.is_sorted() || text.is_sorted_by(|a, b| a >= b));
    check("periodic", |text| (1..=40).any(|period| text[period..] == text[..40 - period]));
    check("square", |text| text[..20] == text[20..]);
    check("bordered", |text| (1..40).any(|border| text[..border] == text[40 - border..]));
    check("palindrome", is_palindrome);
    check("nearly-palindrome", |text| (0..20).filter(|i| text[*i] != text[39 - i]).count() == 1);
    check("two-palindromes", |text| (0..=40).any(|cut| is_palindrome(&text[..cut]) && is_palindrome(&text[cut..])));
    check("alternating", |text| changes(text) == 39 && distinct(text) == 2);
    check("thue-morse", |text| {
        (1..=13).all(|n| text.windows(3 * n).all(|w| w[..n] != w[n..2 * n] || w[n..2 * n] != w[2 * n..]))
    });
    check("rising-blocks", |text| distinct(text) == 2 && changes(text) == 14);
}
