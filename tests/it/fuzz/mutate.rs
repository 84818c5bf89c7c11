//! Small damage to a text, most of it such that the text still has its structure.

use rebut_generators::Choices;

/// Bytes that mean something somewhere.
const BYTES: &[u8] = b"\0\t\n\r +-.,:;=<>!()[]{}'\"\\#%^*/|&01239aAzZ_~\x7f\x80\xc3\xff";

/// Numbers at which arithmetic ends.
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

/// The words of the format language, and what belongs together.
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

/// A text with one to six mutations.
pub(super) fn mutated(choices: &mut Choices, text: &[u8], others: &[Vec<u8>], words: &[&str]) -> Vec<u8> {
    let mut text = text.to_vec();
    let times = 1 + choices.log_range(0, 5);
    for _ in 0..times {
        once(choices, &mut text, others, words);
    }
    text.truncate(MOST);
    text
}

/// No mutated text is longer, in bytes.
const MOST: usize = 1 << 14;

fn once(choices: &mut Choices, text: &mut Vec<u8>, others: &[Vec<u8>], words: &[&str]) {
    match choices.below(15) {
        0 => flip(choices, text),
        1 => insert_at_random(choices, text, |choices| vec![*choices.pick(BYTES).unwrap()]),
        2 => {
            let range = stretch(choices, text.len(), 8);
            text.drain(range);
        }
        3 | 4 => insert_at_random(choices, text, |choices| {
            choices.pick(words).map(|w| w.as_bytes().to_vec()).unwrap_or_default()
        }),
        5..=7 => replace(choices, text, numbers, number),
        8 => lines(choices, text, |_, line| [line, line].concat()),
        9 => lines(choices, text, |_, _| Vec::new()),
        10 => swap_lines(choices, text),
        11 => {
            let other = choices.pick(others).cloned().unwrap_or_default();
            replace(choices, text, tokens, |choices, _| one_of(choices, &other, tokens));
        }
        12 => {
            let other = choices.pick(others).cloned().unwrap_or_default();
            let (from, to) = (choices.index(text.len() + 1), choices.index(other.len() + 1));
            text.truncate(from);
            text.extend_from_slice(&other[to..]);
        }
        13 => {
            let range = stretch(choices, text.len(), 12);
            let times = choices.log_range(1, 400) as usize;
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
    let at = choices.index(text.len());
    if let Some(byte) = text.get_mut(at) {
        *byte = if choices.chance(1, 2) { *byte ^ (1 << choices.below(8)) } else { *choices.pick(BYTES).unwrap() };
    }
}

fn insert_at_random(choices: &mut Choices, text: &mut Vec<u8>, make: impl Fn(&mut Choices) -> Vec<u8>) {
    let at = choices.index(text.len() + 1);
    let piece = make(choices);
    text.splice(at..at, piece);
}

/// A range of up to `most` bytes.
fn stretch(choices: &mut Choices, length: usize, most: usize) -> std::ops::Range<usize> {
    let start = choices.index(length + 1);
    start..(start + 1 + choices.index(most)).min(length)
}

type Pieces = fn(&[u8]) -> Vec<std::ops::Range<usize>>;

/// Runs of bytes of a kind.
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
    let Some(range) = choices.pick(&found).cloned() else { return };
    let new = with(choices, &text[range.clone()]);
    text.splice(range, new);
}

fn one_of(choices: &mut Choices, text: &[u8], pieces: Pieces) -> Vec<u8> {
    choices.pick(&pieces(text)).map(|range| text[range.clone()].to_vec()).unwrap_or_default()
}

/// An extreme, or a neighbour of what stands there.
fn number(choices: &mut Choices, old: &[u8]) -> Vec<u8> {
    let near = std::str::from_utf8(old).ok().and_then(|text| text.parse::<i128>().ok());
    match near {
        Some(near) if choices.chance(2, 3) => near.saturating_add(choices.range(-2, 2)).to_string().into_bytes(),
        _ => choices.pick(NUMBERS).unwrap().as_bytes().to_vec(),
    }
}

/// Replaces one line, its newline included.
fn lines(choices: &mut Choices, text: &mut Vec<u8>, with: impl Fn(&mut Choices, &[u8]) -> Vec<u8>) {
    let mut all: Vec<Vec<u8>> = text.split_inclusive(|b| *b == b'\n').map(<[u8]>::to_vec).collect();
    let at = choices.index(all.len());
    if let Some(line) = all.get_mut(at) {
        *line = with(choices, line);
    }
    *text = all.concat();
}

fn swap_lines(choices: &mut Choices, text: &mut Vec<u8>) {
    let mut all: Vec<Vec<u8>> = text.split_inclusive(|b| *b == b'\n').map(<[u8]>::to_vec).collect();
    let (a, b) = (choices.index(all.len()), choices.index(all.len()));
    if a != b {
        all.swap(a, b);
    }
    *text = all.concat();
}
