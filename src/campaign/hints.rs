//! Numbers that a program's author thought of: array sizes, moduli, limits. Inputs at and beside them find more.

use std::collections::BTreeSet;

/// So many constants are kept; sources with more are tables, which say nothing.
const MOST: usize = 64;

/// The whole numbers written in a source text, and powers such as `1e9`; small ones occur everywhere and are left out.
pub fn constants(source: &[u8]) -> Vec<i128> {
    const SMALLEST: i128 = 8;
    let is_part = |b: &u8| b.is_ascii_alphanumeric() || *b == b'_' || *b == b'.' || *b == b'\'';
    let words = source.split(|b| !is_part(b)).filter(|w| w.first().is_some_and(u8::is_ascii_digit));
    let found: BTreeSet<i128> = words.filter_map(number).filter(|n| *n >= SMALLEST).collect();
    if found.len() > MOST { Vec::new() } else { found.into_iter().collect() }
}

/// The words in a text in quotes of a source, or in a sample: what consists of visible characters, has a letter or a sign in it,
/// and is short. Directives of formats (`%d`, `{}`) and escapes are left out.
pub fn words(source: &[u8]) -> Vec<Vec<u8>> {
    let found: BTreeSet<Vec<u8>> = quoted(source).iter().flat_map(|text| words_of(text)).collect();
    if found.len() > MOST { Vec::new() } else { found.into_iter().collect() }
}

/// The words of a sample that are no numbers.
pub fn sample_words(input: &[u8]) -> Vec<Vec<u8>> {
    let found: BTreeSet<Vec<u8>> = words_of(input).collect();
    found.into_iter().take(MOST).collect()
}

fn words_of(text: &[u8]) -> impl Iterator<Item = Vec<u8>> {
    const LONGEST: usize = 40;
    let is_word = |word: &&[u8]| {
        let is_number = word.iter().all(|byte| byte.is_ascii_digit() || b"+-.".contains(byte));
        let is_directive = word.iter().any(|byte| b"%{}\\".contains(byte));
        (1..=LONGEST).contains(&word.len()) && word.iter().all(u8::is_ascii_graphic) && !is_number && !is_directive
    };
    text.split(u8::is_ascii_whitespace).filter(is_word).map(<[u8]>::to_vec)
}

/// The texts between quotes, without what a backslash stands before. Those of comments count as well: they do no harm.
fn quoted(source: &[u8]) -> Vec<Vec<u8>> {
    let mut found = Vec::new();
    for line in source.split(|byte| *byte == b'\n') {
        if line.trim_ascii_start().starts_with(b"#include") {
            continue;
        }
        let mut bytes = line.iter().copied();
        while let Some(quote) = bytes.by_ref().find(|byte| *byte == b'"' || *byte == b'\'') {
            let mut text = Vec::new();
            let mut is_closed = false;
            while let Some(byte) = bytes.next() {
                match byte {
                    // What an escape stands for is no part of a word.
                    b'\\' => {
                        bytes.next();
                        text.push(b' ');
                    }
                    _ if byte == quote => {
                        is_closed = true;
                        break;
                    }
                    _ => text.push(byte),
                }
            }
            found.extend(Some(text).filter(|_| is_closed));
        }
    }
    found
}

fn number(word: &[u8]) -> Option<i128> {
    let text = std::str::from_utf8(word).ok()?.to_ascii_lowercase().replace(['_', '\''], "");
    if let Some(digits) = text.strip_prefix("0x") {
        return i128::from_str_radix(digits.trim_end_matches(['u', 'l']), 16).ok();
    }
    let text = text.split(['i', 'u', 'l', 'f', 'n']).next()?;
    let (mantissa, exponent) = text.split_once('e').unwrap_or((text, "0"));
    let mantissa = mantissa.trim_end_matches(".0").trim_end_matches('.');
    mantissa.parse::<i128>().ok()?.checked_mul(10_i128.checked_pow(exponent.parse().ok()?)?)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests")]
    use super::*;

    #[test]
    fn words_are_those_of_literals_without_directives() {
        let source = b"#include \"x.h\"\nif (s == \"pea\" || c == 'Q') printf(\"%d ok\\n\"); // it's 12 \"7\" open";
        let found: Vec<String> = words(source).into_iter().map(|word| String::from_utf8(word).unwrap()).collect();
        assert_eq!(found, ["Q", "ok", "pea"]);
        assert_eq!(sample_words(b"3\npush 4\n-1.5 pop\n"), [b"pop".to_vec(), b"push".to_vec()]);
    }

    #[test]
    fn reads_the_spellings_of_several_languages() {
        let source = b"int a[100005]; const int M = 1'000'000'007; long x = 1e9; y = 0xFFu; z = 10_000i64; s = v2 + 3;";
        assert_eq!(constants(source), vec![255, 10_000, 100_005, 1_000_000_000, 1_000_000_007]);
    }
}
