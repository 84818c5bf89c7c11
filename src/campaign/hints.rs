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
    use super::*;

    #[test]
    fn reads_the_spellings_of_several_languages() {
        let source = b"int a[100005]; const int M = 1'000'000'007; long x = 1e9; y = 0xFFu; z = 10_000i64; s = v2 + 3;";
        assert_eq!(constants(source), vec![255, 10_000, 100_005, 1_000_000_000, 1_000_000_007]);
    }
}
