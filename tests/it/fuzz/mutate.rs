//! Small mutations of a text. Most of them preserve its structure.

use rebut_generators::Choices;

/// Bytes with a meaning in some format.
const BYTES: &[u8] = b"\0\t\n\r +-.,:;=<>!()[]{}'\"\\#%^*/|&01239aAzZ_~\x7f\x80\xc3\xff";

/// Numbers at the limits of arithmetic.
const NUMBERS: &[&str] = &[
    "0",
    "1",
    "-1",
    "2",
    "9",
    "10",
    "255",
    "65536",
    "2147483647",
    "2147483648",
    "4294967296",
    "9223372036854775807",
    "9223372036854775808",
    "18446744073709551616",
    "1000000000000000000000000000000000000",
    "-1000000000000000000000000000000000000",
    "170141183460469231731687303715884105727",
    "99999999999999999999999999999999999999999999",
    "00",
    "-0",
    "+1",
    "1e9",
    "10^36",
    "10^37",
    "2e5",
    "1e-9",
    "0.5",
    "1.",
    ".5",
    "1e999",
    "nan",
    "inf",
];

/// The keywords and phrases of the format language.
pub(super) const WORDS: &[&str] = &[
    "where:",
    "cases",
    "repeat",
    "until",
    "eof",
    "either:",
    "if",
    "over",
    "count",
    "sum",
    "min",
    "max",
    "len",
    "distinct",
    "sorted",
    "increasing",
    "decreasing",
    "nonincreasing",
    "balanced",
    "permutation of 1..n",
    "edges (u, v) on 1..n:",
    "tree",
    "path",
    "star",
    "forest",
    "connected",
    "simple",
    "acyclic",
    "dag",
    "directed",
    "bipartite",
    "loopless",
    "validator",
    "shape",
    "generator",
    "real",
    "decimals",
    "one of",
    "matches",
    "let",
    "subtask",
    "symmetric",
    "parents",
    "forall i in 1..n:",
    "exists i in 1..n:",
    "and",
    "or",
    "not",
    "=>",
    "abs",
    "..",
    "<=",
    ">=",
    "!=",
    "==",
    "≤",
    "≠",
    "\"a-z\"",
    "\"",
    "[n]",
    "[]",
    "[n][m]",
    "[i+1]",
    "(a, b)",
    "n",
    "m",
    "a",
    "s",
    "where",
    "\n    ",
    "\n",
    "    ",
    "cases T:",
    "repeat n:",
    "repeat 1..3 until 0:",
    "a[n-1]",
    "2*10^5",
    "/ 0",
    "% n",
    "^ n",
    "- 1",
    "n where 1 <= n <= 5",
    ";",
    ":",
];

/// Returns a text with one to six mutations.
pub(super) fn mutated(choices: &mut Choices, text: &[u8], others: &[Vec<u8>], words: &[&str]) -> Vec<u8> {
    let mut text = text.to_vec();
    let times = 1 + choices.draw_log_range(0, 5);
    for _ in 0..times {
        mutate_once(choices, &mut text, others, words);
    }
    text.truncate(MOST);
    text
}

/// Maximum length of a mutated text in bytes.
const MOST: usize = 1 << 14;

fn mutate_once(choices: &mut Choices, text: &mut Vec<u8>, others: &[Vec<u8>], words: &[&str]) {
    match choices.draw_below(15) {
        0 => flip(choices, text),
        1 => insert_at_random(choices, text, |choices| vec![*choices.pick_item(BYTES).unwrap()]),
        2 => {
            let range = random_range(choices, text.len(), 8);
            text.drain(range);
        }
        3 | 4 => insert_at_random(choices, text, |choices| {
            choices.pick_item(words).map(|w| w.as_bytes().to_vec()).unwrap_or_default()
        }),
        5..=7 => replace(choices, text, numbers, number),
        8 => lines(choices, text, |_, line| [line, line].concat()),
        9 => lines(choices, text, |_, _| Vec::new()),
        10 => swap_lines(choices, text),
        11 => {
            let other = choices.pick_item(others).cloned().unwrap_or_default();
            replace(choices, text, tokens, |choices, _| one_of(choices, &other, tokens));
        }
        12 => {
            let other = choices.pick_item(others).cloned().unwrap_or_default();
            let (from, to) = (choices.draw_index(text.len() + 1), choices.draw_index(other.len() + 1));
            text.truncate(from);
            text.extend_from_slice(&other[to..]);
        }
        13 => {
            let range = random_range(choices, text.len(), 12);
            let times = choices.draw_log_range(1, 400) as usize;
            let piece = text[range.clone()].repeat(times);
            text.splice(range, piece);
        }
        _ => {
            let own = text.clone();
            replace(choices, text, tokens, |choices, _| one_of(choices, &own, tokens));
        }
    }
}

fn flip(choices: &mut Choices, text: &mut [u8]) {
    let at = choices.draw_index(text.len());
    if let Some(byte) = text.get_mut(at) {
        *byte = if choices.draw_chance(1, 2) {
            *byte ^ (1 << choices.draw_below(8))
        } else {
            *choices.pick_item(BYTES).unwrap()
        };
    }
}

fn insert_at_random(choices: &mut Choices, text: &mut Vec<u8>, make: impl Fn(&mut Choices) -> Vec<u8>) {
    let at = choices.draw_index(text.len() + 1);
    let piece = make(choices);
    text.splice(at..at, piece);
}

/// Returns a range of up to `most` bytes.
fn random_range(choices: &mut Choices, length: usize, most: usize) -> std::ops::Range<usize> {
    let start = choices.draw_index(length + 1);
    start..(start + 1 + choices.draw_index(most)).min(length)
}

type Pieces = fn(&[u8]) -> Vec<std::ops::Range<usize>>;

/// Returns the maximal ranges of bytes of a kind.
fn runs(text: &[u8], is_part: impl Fn(u8) -> bool) -> Vec<std::ops::Range<usize>> {
    let mut found = Vec::new();
    let mut start = None;
    for (at, byte) in text.iter().copied().chain([b'\n']).enumerate() {
        match (start, is_part(byte) && at < text.len()) {
            (None, true) => start = Some(at),
            (Some(first), false) => {
                found.push(first..at);
                start = None;
            }
            _ => {}
        }
    }
    found
}

fn numbers(text: &[u8]) -> Vec<std::ops::Range<usize>> {
    runs(text, |b| b.is_ascii_digit())
}

fn tokens(text: &[u8]) -> Vec<std::ops::Range<usize>> {
    runs(text, |b| !b.is_ascii_whitespace())
}

fn replace(choices: &mut Choices, text: &mut Vec<u8>, pieces: Pieces, with: impl Fn(&mut Choices, &[u8]) -> Vec<u8>) {
    let found = pieces(text);
    let Some(range) = choices.pick_item(&found).cloned() else { return };
    let new = with(choices, &text[range.clone()]);
    text.splice(range, new);
}

fn one_of(choices: &mut Choices, text: &[u8], pieces: Pieces) -> Vec<u8> {
    choices.pick_item(&pieces(text)).map(|range| text[range.clone()].to_vec()).unwrap_or_default()
}

/// Returns an extreme number, or a neighbour of the old one.
fn number(choices: &mut Choices, old: &[u8]) -> Vec<u8> {
    let near = std::str::from_utf8(old).ok().and_then(|text| text.parse::<i128>().ok());
    match near {
        Some(near) if choices.draw_chance(2, 3) => {
            near.saturating_add(choices.draw_range(-2, 2)).to_string().into_bytes()
        }
        _ => choices.pick_item(NUMBERS).unwrap().as_bytes().to_vec(),
    }
}

/// Replaces one line with its newline.
fn lines(choices: &mut Choices, text: &mut Vec<u8>, with: impl Fn(&mut Choices, &[u8]) -> Vec<u8>) {
    let mut all: Vec<Vec<u8>> = text.split_inclusive(|b| *b == b'\n').map(<[u8]>::to_vec).collect();
    let at = choices.draw_index(all.len());
    if let Some(line) = all.get_mut(at) {
        *line = with(choices, line);
    }
    *text = all.concat();
}

fn swap_lines(choices: &mut Choices, text: &mut Vec<u8>) {
    let mut all: Vec<Vec<u8>> = text.split_inclusive(|b| *b == b'\n').map(<[u8]>::to_vec).collect();
    let (a, b) = (choices.draw_index(all.len()), choices.draw_index(all.len()));
    if a != b {
        all.swap(a, b);
    }
    *text = all.concat();
}
