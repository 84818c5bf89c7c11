//! Texts that are made from others, or from themselves.

use rebut_generators::Choices;
use std::ops::RangeInclusive;

/// The requirements on a text.
pub(super) struct TextRequirements<'l> {
    /// The letters that it may have.
    pub(super) letters: &'l [u8],
    /// The possible numbers of letters.
    pub(super) length: RangeInclusive<usize>,
}

/// Returns a text that is made from `source`, and in some ways from `target`, or `None` if none is possible.
pub(super) fn relate_text(
    choices: &mut Choices,
    target: &[u8],
    source: &[u8],
    requirements: &TextRequirements<'_>,
) -> Option<Vec<u8>> {
    let letter = *choices.pick_item(requirements.letters)?;
    let mut related = combine_texts(choices, target, source, letter);
    let (least, most) = (*requirements.length.start(), *requirements.length.end());
    related.truncate(most);
    if related.is_empty() && least > 0 {
        return None;
    }
    // A text of a given length is continued with its beginning.
    (related.len()..least).for_each(|at| related.push(related[at - related.len().min(at)]));
    related.iter().all(|letter| requirements.letters.contains(letter)).then_some(related)
}

/// Makes a text from others, in one of several ways.
fn combine_texts(choices: &mut Choices, target: &[u8], source: &[u8], letter: u8) -> Vec<u8> {
    let length = source.len();
    let (one, other) = (choices.draw_index(length + 1), choices.draw_index(length + 1));
    let (from, to) = (one.min(other), one.max(other));
    let mut copy = source.to_vec();
    match choices.draw_index(18) {
        0 => copy,
        1 => source[..one].to_vec(),
        2 => source[one..].to_vec(),
        3 => source[from..to].to_vec(),
        4 => copy.into_iter().rev().collect(),
        5 => source.repeat(2),
        6 => [&source[one..], &source[..one]].concat(),
        7 => {
            choices.shuffle(&mut copy);
            copy
        }
        8 => {
            if let Some(changed) = copy.get_mut(one) {
                *changed = letter;
            }
            copy
        }
        9 => {
            copy.insert(one, letter);
            copy
        }
        10 => [&source[..from], &source[(from + 1).min(length)..]].concat(),
        11 => {
            copy.push(letter);
            copy
        }
        12 => {
            if let Some(last) = copy.last_mut() {
                *last = letter;
            }
            copy
        }
        // Many times one letter, with the source at the end.
        13 => [&vec![letter; one], source].concat(),
        // The source in the middle of the target.
        14 => {
            let at = choices.draw_index(target.len() + 1);
            [&target[..at], source, &target[at..]].concat()
        }
        // A beginning of the source, and at once the whole: a search has to fall back within what it has matched.
        15 => [&source[..one], source].concat(),
        16 => [source, &source[..one]].concat(),
        _ => source[..one].iter().copied().cycle().take(if one == 0 { 0 } else { length }).collect(),
    }
}
