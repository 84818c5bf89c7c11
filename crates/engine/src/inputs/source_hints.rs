//! Extracts numbers and words from sources and samples, for use in generated inputs.
//!
//! The numbers in a source are often array sizes, moduli and limits. Inputs with values at or next to them find more
//! failures.

use crate::tuning::{
    MAX_COLLISION_BASES, MAX_COLLISION_MODULI, MAX_COMMON_BASES, MAX_SOURCE_CONSTANTS, MAX_WORD_BYTES,
    MIN_COLLISION_MODULUS, MIN_SOURCE_CONSTANT, MIN_WORD_CONSTANT,
};
use rebut_format::generate::GenerationSettings;
use rebut_format::language::Format;
use rebut_generators::{Choices, PolynomialHash, draw_colliding_texts, is_prime};
use rebut_packages::{Package, read_file};
use rebut_toolchain::Language;
use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;

/// Approximate maximum number of numbers and characters of most inputs of a search.
const MAX_USUAL_ELEMENTS: usize = 2000;
/// Maximum number of cases in a file of a search.
const MAX_CASES: usize = 2000;
/// The same if programs validate the inputs: if one refuses a file, its cases are validated one by one.
const MAX_VALIDATED_CASES: usize = 12;

/// Returns how the inputs of a search are generated, with what the sources of the submissions and the samples of their
/// package tell about inputs. `has_validators` tells whether programs validate the inputs.
pub fn search_settings(
    sources: &[&Path],
    format: Option<&Format>,
    package: Option<&Package>,
    has_validators: bool,
) -> GenerationSettings {
    let sources: Vec<Vec<u8>> = sources.iter().filter_map(|path| read_file(path).ok()).collect();
    let constants: BTreeSet<i128> = sources.iter().flat_map(|source| extract_constants(source)).collect();
    let hints: Arc<[i128]> = constants.into_iter().collect();
    let letters = sources.iter().flat_map(|source| extract_letters(source));
    let quoted = sources.iter().flat_map(|source| extract_quoted_words(source));
    let words: BTreeSet<Vec<u8>> =
        quoted.chain(letters).chain(package.map(words_in_samples).unwrap_or_default()).collect();
    let mut words: Vec<Vec<u8>> = words.into_iter().chain(constants_as_words(&hints)).collect();
    if let Some(format) = format {
        words.retain(|word| is_over_an_alphabet(format, word));
    }
    GenerationSettings {
        max_elements: MAX_USUAL_ELEMENTS,
        max_cases: if has_validators { MAX_VALIDATED_CASES } else { MAX_CASES },
        colliding_texts: format.map(|format| colliding_texts(format, &hints)).unwrap_or_default().into(),
        hints,
        dictionary: words.into(),
        ..GenerationSettings::default()
    }
}

/// Returns true if a word consists of letters of some text of the format.
fn is_over_an_alphabet(format: &Format, word: &[u8]) -> bool {
    let mut alphabets = format.fields.iter().filter_map(|field| field.alphabet());
    alphabets.any(|letters| word.iter().all(|letter| letters.contains(letter)))
}

/// Returns the words that occur in the samples of a package. Unreadable samples are skipped.
pub fn words_in_samples(package: &Package) -> Vec<Vec<u8>> {
    let samples = package.test_cases.iter().filter(|case| case.is_sample);
    let inputs = samples.filter_map(|case| read_file(&case.input).ok());
    inputs.flat_map(|input| extract_sample_words(&input)).collect()
}

/// Returns the integer literals of a source in increasing order, including powers such as `1e9`, `1LL << 20` and
/// `(1 << 61) - 1`. Small numbers occur everywhere and are omitted. Returns nothing if there are too many.
fn extract_constants(source: &[u8]) -> Vec<i128> {
    let words = source.split(|b| !is_literal_part(b)).filter(|w| w.first().is_some_and(u8::is_ascii_digit));
    let literals = words.filter_map(parse_number_literal);
    let powers = powers_with_operator(source, b"<<").chain(powers_with_operator(source, b"**"));
    let found: BTreeSet<i128> = literals.chain(powers).filter(|n| *n >= MIN_SOURCE_CONSTANT).collect();
    if found.len() > MAX_SOURCE_CONSTANTS { Vec::new() } else { found.into_iter().collect() }
}

fn is_literal_part(byte: &u8) -> bool {
    byte.is_ascii_alphanumeric() || *byte == b'_' || *byte == b'.' || *byte == b'\''
}

/// Returns the values of shifts and powers of two literals in a source, such as `1LL << 61` or `2**61`. If 1 is subtracted
/// from one, as in `(1LL << 61) - 1`, that is its value.
fn powers_with_operator<'s>(source: &'s [u8], operator: &'static [u8]) -> impl Iterator<Item = i128> + 's {
    let places = (0..source.len()).filter(move |at| source[*at..].starts_with(operator));
    places.filter_map(move |at| {
        let (before, after) = (source[..at].trim_ascii_end(), source[at + operator.len()..].trim_ascii_start());
        let begin = before.iter().rposition(|byte| !is_literal_part(byte)).map_or(0, |last| last + 1);
        let end = after.iter().position(|byte| !is_literal_part(byte)).unwrap_or(after.len());
        let (left, right) = (parse_number_literal(&before[begin..])?, parse_number_literal(&after[..end])?);
        let base = if operator == b"<<" { 2 } else { left };
        let power = base.checked_pow(u32::try_from(right).ok()?)?;
        let value = if operator == b"<<" { left.checked_mul(power)? } else { power };
        Some(value - i128::from(is_decremented(&after[end..])))
    })
}

/// Returns true if an expression, perhaps in parentheses, is followed by `- 1`.
fn is_decremented(after: &[u8]) -> bool {
    let after = after.trim_ascii_start();
    let after = after.strip_prefix(b")").unwrap_or(after).trim_ascii_start();
    let Some(number) = after.strip_prefix(b"-").map(<[u8]>::trim_ascii_start) else { return false };
    let end = number.iter().position(|byte| !is_literal_part(byte)).unwrap_or(number.len());
    parse_number_literal(&number[..end]) == Some(1)
}

/// Returns the words in the string literals of a source, and the literals that consist of several words. Words are
/// short, consist of visible characters and are not numbers. Format directives (`%d`, `{}`) and escapes are omitted.
fn extract_quoted_words(source: &[u8]) -> Vec<Vec<u8>> {
    let texts = quoted_texts(source);
    let words: BTreeSet<Vec<u8>> = texts.iter().flat_map(|text| split_into_words(text)).collect();
    let phrases: BTreeSet<Vec<u8>> = texts.iter().filter_map(|text| parse_phrase(text)).collect();
    [words, phrases].into_iter().filter(|all| all.len() <= MAX_SOURCE_CONSTANTS).flatten().collect()
}

/// Returns the letters that are literals of a source by themselves, such as `'@'`.
fn extract_letters(source: &[u8]) -> impl Iterator<Item = Vec<u8>> {
    quoted_texts(source).into_iter().filter(|text| text.len() == 1 && text[0].is_ascii_graphic())
}

/// Returns the words of a sample that are not numbers, and its lines that consist of several such words.
fn extract_sample_words(input: &[u8]) -> Vec<Vec<u8>> {
    let words: BTreeSet<Vec<u8>> = split_into_words(input).collect();
    let phrases: BTreeSet<Vec<u8>> = input.split(|byte| *byte == b'\n').filter_map(parse_phrase).collect();
    words.into_iter().take(MAX_SOURCE_CONSTANTS).chain(phrases.into_iter().take(MAX_SOURCE_CONSTANTS)).collect()
}

/// Returns numbers with many digits as words: the constants of a source, their neighbours and their doubles. Programs
/// that compute modulo a constant fail on its multiples.
fn constants_as_words(constants: &[i128]) -> Vec<Vec<u8>> {
    let near = |constant: i128| (-1..=1).map(move |step| constant.saturating_add(step));
    let numbers: BTreeSet<i128> = constants
        .iter()
        .filter(|constant| **constant >= MIN_WORD_CONSTANT)
        .flat_map(|constant| near(*constant).chain(near(constant.saturating_mul(2))))
        .collect();
    numbers.into_iter().map(|number| number.to_string().into_bytes()).collect()
}

/// Returns the number of the first line with a format directive such as `%I64d`, which only the C library of Windows knows.
pub(crate) fn find_windows_directive(source: &[u8]) -> Option<usize> {
    find_first_line(source, |line| line.windows(4).any(|part| part == b"%I64"))
}

/// Returns the number of the first line with a property.
fn find_first_line(source: &[u8], is_wanted: impl FnMut(&[u8]) -> bool) -> Option<usize> {
    source.split(|byte| *byte == b'\n').position(is_wanted).map(|line| line + 1)
}

/// Returns the number of the first line of a source in C or C++ with the type `long`, which has 32 bits on some systems.
pub(crate) fn find_long_type(path: &Path, source: &[u8]) -> Option<usize> {
    let language = Language::from_path(path)?.name;
    if !["C", "C++"].contains(&language) {
        return None;
    }
    let uses_long = |line: &[u8]| {
        let code = line.split(|byte| *byte == b'"').step_by(2).collect::<Vec<_>>().concat();
        let code = String::from_utf8_lossy(&code).into_owned();
        let code = code.split("//").next().unwrap_or_default();
        let words: Vec<&str> =
            code.split(|c: char| !c.is_alphanumeric() && c != '_').filter(|word| !word.is_empty()).collect();
        let is_wide = |at: usize| words.get(at).is_some_and(|word| ["long", "double"].contains(word));
        (0..words.len()).any(|at| words[at] == "long" && !is_wide(at + 1) && !(at > 0 && is_wide(at - 1)))
    };
    find_first_line(source, uses_long)
}

fn split_into_words(text: &[u8]) -> impl Iterator<Item = Vec<u8>> {
    text.split(u8::is_ascii_whitespace).filter(|word| is_word(word)).map(<[u8]>::to_vec)
}

fn is_word(word: &[u8]) -> bool {
    let is_number = word.iter().all(|byte| byte.is_ascii_digit() || b"+-.".contains(byte));
    let is_directive = word.iter().any(|byte| b"%{}\\".contains(byte));
    (1..=MAX_WORD_BYTES).contains(&word.len()) && word.iter().all(u8::is_ascii_graphic) && !is_number && !is_directive
}

/// Returns a text without surrounding white space if it consists of several words separated by single spaces.
fn parse_phrase(text: &[u8]) -> Option<Vec<u8>> {
    let text = text.trim_ascii();
    let words: Vec<&[u8]> = text.split(|byte| *byte == b' ').collect();
    let is_phrase = words.len() > 1 && text.len() <= MAX_WORD_BYTES && words.iter().all(|word| is_word(word));
    is_phrase.then(|| text.to_vec())
}

/// Returns the texts between quotes, with each escape sequence replaced by a space. Quotes in comments are included,
/// since they do no harm.
fn quoted_texts(source: &[u8]) -> Vec<Vec<u8>> {
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
                    // An escaped character is not part of a word.
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

/// Parses an integer literal of C++, Java, Python or Rust, such as `1'000u`, `0xFF`, `10_000i64` or `1e9`.
fn parse_number_literal(word: &[u8]) -> Option<i128> {
    let text = std::str::from_utf8(word).ok()?.to_ascii_lowercase().replace(['_', '\''], "");
    if let Some(digits) = text.strip_prefix("0x") {
        return i128::from_str_radix(digits.trim_end_matches(['u', 'l']), 16).ok();
    }
    let text = text.split(['i', 'u', 'l', 'f', 'n']).next()?;
    let (mantissa, exponent) = text.split_once('e').unwrap_or((text, "0"));
    let mantissa = mantissa.trim_end_matches(".0").trim_end_matches('.');
    mantissa.parse::<i128>().ok()?.checked_mul(10_i128.checked_pow(exponent.parse().ok()?)?)
}

// Texts with the same hash, for the bases and the moduli in the sources.

/// Largest modulus for which collisions are known.
const MAX_MODULUS: u64 = (1 << 62) - 1;

/// Returns pairs of different texts with the same polynomial hash, over the alphabets of a format: for each prime
/// modulus among the constants of the sources and each other constant that may be the base, and for all hashes with the most
/// likely ones of these together, since some programs compare two hashes. The pairs depend on the format and the constants only.
fn colliding_texts(format: &Format, constants: &[i128]) -> Vec<[Vec<u8>; 2]> {
    let moduli = likely_moduli(constants);
    let bases = likely_bases(constants, &moduli);
    let alphabets: BTreeSet<&[u8]> = format.fields.iter().filter_map(|field| field.alphabet()).collect();
    let single = hashes_of(&bases, &moduli).into_iter().map(|hash| vec![hash]);
    let common = hashes_of(&bases[..bases.len().min(MAX_COMMON_BASES)], &moduli);
    let common = Some(common).filter(|hashes| hashes.len() > 1);
    let mut choices = Choices::from_seed(0, 0);
    single
        .chain(common)
        .flat_map(|hashes| alphabets.iter().map(move |letters| (hashes.clone(), *letters)))
        .filter_map(|(hashes, letters)| draw_colliding_texts(&mut choices, &hashes, letters))
        .collect()
}

/// Returns the primes among some constants that are large enough for a modulus, the largest ones last.
fn likely_moduli(constants: &[i128]) -> Vec<u64> {
    let is_likely = |number: &u64| (MIN_COLLISION_MODULUS..=MAX_MODULUS).contains(number) && is_prime(*number);
    small_numbers(constants).filter(is_likely).take(MAX_COLLISION_MODULI).collect()
}

/// Returns the constants that may be the base of a hash. A base is mostly a prime, such as 31 or 131.
fn likely_bases(constants: &[i128], moduli: &[u64]) -> Vec<u64> {
    let mut bases: Vec<u64> = small_numbers(constants).filter(|number| !moduli.contains(number)).collect();
    bases.sort_by_key(|number| (!is_prime(*number), *number));
    bases.truncate(MAX_COLLISION_BASES);
    bases
}

fn small_numbers(constants: &[i128]) -> impl Iterator<Item = u64> {
    constants.iter().filter_map(|constant| u64::try_from(*constant).ok())
}

/// Returns the hashes with each base and each modulus.
fn hashes_of(bases: &[u64], moduli: &[u64]) -> Vec<PolynomialHash> {
    let with_modulus = |modulus: u64| bases.iter().map(move |base| PolynomialHash { base: *base, modulus });
    moduli.iter().flat_map(|modulus| with_modulus(*modulus)).collect()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests")]

    use super::*;

    #[test]
    fn types_and_directives_that_depend_on_the_system_are_found() {
        let long = |text: &str| find_long_type(Path::new("a.cpp"), text.as_bytes());
        assert_eq!(long("int main() {\n    unsigned long s = 0;\n"), Some(2));
        for wide in ["long long s;", "long double x;", "puts(\"long\"); // long", "int longest;"] {
            assert_eq!(long(wide), None, "{wide}");
        }
        assert_eq!(find_long_type(Path::new("a.py"), b"long = 1"), None);
        assert_eq!(find_windows_directive(b"int x;\nscanf(\"%I64d\", &x);\n"), Some(2));
        assert_eq!(find_windows_directive(b"scanf(\"%lld\", &x);\n"), None);
    }

    #[test]
    fn words_are_those_of_literals_without_directives() {
        let source = b"#include \"x.h\"\nif (s == \"pea\" || c == 'Q') printf(\"%d ok\\n\"); // it's 12 \"7\" open";
        let found: Vec<String> =
            extract_quoted_words(source).into_iter().map(|word| String::from_utf8(word).unwrap()).collect();
        assert_eq!(found, ["Q", "ok", "pea"]);
        assert_eq!(extract_quoted_words(b"x = 'pea soup' + \"12 a\""), [&b"a"[..], b"pea", b"soup", b"pea soup"]);
        assert_eq!(extract_sample_words(b"2 3\npush 4\npea soup\n"), [&b"pea"[..], b"push", b"soup", b"pea soup"]);
        assert_eq!(extract_sample_words(b"3\npush 4\n-1.5 pop\n"), [b"pop".to_vec(), b"push".to_vec()]);
    }

    #[test]
    fn constants_become_words_with_their_neighbours() {
        let words = constants_as_words(&[8, 1_000_000_007]);
        let expected = ["1000000006", "1000000007", "1000000008", "2000000013", "2000000014", "2000000015"];
        assert_eq!(words, expected.map(|word| word.as_bytes().to_vec()));
    }

    #[test]
    fn reads_the_spellings_of_several_languages() {
        let source = b"int a[100005]; const int M = 1'000'000'007; long x = 1e9; y = 0xFFu; z = 10_000i64; s = v2 + 3;";
        assert_eq!(extract_constants(source), vec![255, 10_000, 100_005, 1_000_000_000, 1_000_000_007]);
    }

    #[test]
    fn shifts_and_powers_are_constants() {
        let source =
            b"M = (1LL << 61) - 1; int a[1<<20]; b = 2**40-1; c = 1 << n; cout << 5 << 7; d = 2 ** 9; e = 1 << 999;";
        // Printing looks like a shift.
        assert_eq!(
            extract_constants(source),
            vec![9, 20, 40, 61, 512, 640, 999, 1 << 20, (1 << 40) - 1, (1 << 61) - 1]
        );
    }

    #[test]
    fn collisions_need_a_prime_modulus_a_base_and_a_text() {
        let texts = Format::from_text("s; t where s, t over \"a-z\"; 1 <= len(s), len(t) <= 100").unwrap();
        let count = |constants: &[i128]| colliding_texts(&texts, constants).len();
        assert_eq!(count(&[131, 1_000_000_007]), 1);
        assert_eq!(count(&[131, (1 << 61) - 1]), 1);
        // One for each hash, and one for all with two of the bases.
        assert_eq!(count(&[31, 131, 100_005, 998_244_353, 1_000_000_007]), 7);
        // Limits are no moduli, and nothing is a hash without a base.
        assert_eq!(count(&[131, 1_000_000, 1_000_000_000]), 0);
        assert_eq!(count(&[1_000_000_007]), 0);
        let numbers = Format::from_text("n; a[n] where 1 <= n <= 9; 1 <= a <= 9").unwrap();
        assert_eq!(colliding_texts(&numbers, &[131, 1_000_000_007]).len(), 0);
    }

    #[test]
    fn the_last_pair_collides_for_two_hashes() {
        let texts = Format::from_text("s where s over \"a-z\"; 1 <= len(s) <= 100").unwrap();
        let mut pair = colliding_texts(&texts, &[131, 13_331, 998_244_353, 1_000_000_007]).pop().unwrap();
        let hash = |text: &[u8], base, modulus| PolynomialHash { base, modulus }.of_text(text);
        let collides =
            |pair: &[Vec<u8>; 2], base, modulus| hash(&pair[0], base, modulus) == hash(&pair[1], base, modulus);
        if !collides(&pair, 131, 998_244_353) {
            pair.iter_mut().for_each(|text| text.reverse());
        }
        for (base, modulus) in
            [(131, 998_244_353), (13_331, 998_244_353), (131, 1_000_000_007), (13_331, 1_000_000_007)]
        {
            assert!(collides(&pair, base, modulus), "{base} {modulus}");
        }
    }
}
