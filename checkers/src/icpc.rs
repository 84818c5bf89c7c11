//! The default output validator of ICPC problem packages, with all of its flags.

use crate::judgement::{Judgement, Mismatch};
use crate::token_comparison::{TextPair, build_mismatch, first_difference, name_word_difference};
use crate::tokenizer::split_tokens as split;
use crate::{exact, number_parser, numbers, printable, tokens};
use rebut_diagnostics::suggest_name;

/// The flags of the default output validator.
///
/// Without flags it compares tokens like the checker `tokens:ignore-case`. It never reports a judge error: an answer
/// token that is not a number is a word.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct IcpcFlags {
    /// `case_sensitive`: `YES` and `Yes` are different words.
    pub case_sensitive: bool,
    /// `space_change_sensitive`: the white space before, between and after the tokens has to be the same, byte for
    /// byte.
    pub space_change_sensitive: bool,
    /// `float_absolute_tolerance`: maximum absolute error, finite and not negative.
    pub absolute: Option<f64>,
    /// `float_relative_tolerance`: maximum error relative to the answer.
    pub relative: Option<f64>,
}

/// Flags without a value.
const SWITCH_FLAGS: [&str; 2] = ["case_sensitive", "space_change_sensitive"];
/// Flags that are followed by a number.
const TOLERANCE_FLAGS: [&str; 3] = ["float_tolerance", "float_absolute_tolerance", "float_relative_tolerance"];

impl IcpcFlags {
    /// Parses flags as a package lists them: `case_sensitive`, `float_tolerance` and its number, and so on. Of two
    /// tolerances of one kind the later one applies, as in the original.
    ///
    /// # Errors
    /// Returns an error message if a flag is unknown or its number is missing.
    pub fn parse_flags<'a>(flags: impl IntoIterator<Item = &'a str>) -> Result<Self, String> {
        let mut icpc = Self::default();
        let mut flags = flags.into_iter();
        while let Some(flag) = flags.next() {
            match flag {
                "case_sensitive" => icpc.case_sensitive = true,
                "space_change_sensitive" => icpc.space_change_sensitive = true,
                "float_tolerance" => {
                    icpc.absolute = Some(parse_tolerance(flag, flags.next())?);
                    icpc.relative = icpc.absolute;
                }
                "float_absolute_tolerance" => icpc.absolute = Some(parse_tolerance(flag, flags.next())?),
                "float_relative_tolerance" => icpc.relative = Some(parse_tolerance(flag, flags.next())?),
                _ => return Err(unknown_flag_message(flag)),
            }
        }
        Ok(icpc)
    }

    /// Parses the flags in a checker's name, after the colon: `case_sensitive,float_tolerance=1e-6`.
    pub(crate) fn parse_checker_name(flags: &str) -> Result<Self, String> {
        // `1e6` is a slip, and 2 may be an absolute tolerance.
        for (_, text) in flags.split(',').filter_map(|flag| flag.split_once('=')).filter(|(_, text)| text.contains('e'))
        {
            number_parser::require_small_tolerance(text.parse().unwrap_or(0.0), text)?;
        }
        Self::parse_flags(flags.split([',', '=']))
    }

    /// Returns the checker's name with these flags.
    pub(crate) fn checker_name(&self) -> String {
        let stated =
            |name: &str, tolerance: Option<f64>| tolerance.map(|t| format!("{name}={}", printable::format_shortest(t)));
        let same = self.absolute.map(f64::to_bits) == self.relative.map(f64::to_bits);
        let flags = [
            self.case_sensitive.then(|| SWITCH_FLAGS[0].to_owned()),
            self.space_change_sensitive.then(|| SWITCH_FLAGS[1].to_owned()),
            stated(TOLERANCE_FLAGS[0], self.absolute.filter(|_| same)),
            stated(TOLERANCE_FLAGS[1], self.absolute.filter(|_| !same)),
            stated(TOLERANCE_FLAGS[2], self.relative.filter(|_| !same)),
        ];
        let flags: Vec<String> = flags.into_iter().flatten().collect();
        if flags.is_empty() { "icpc".to_owned() } else { format!("icpc:{}", flags.join(",")) }
    }

    /// Returns true if numbers are compared by value.
    pub(crate) fn has_tolerance(&self) -> bool {
        self.absolute.is_some() || self.relative.is_some()
    }

    /// Judges like the default output validator.
    pub(crate) fn check(&self, answer: &[u8], output: &[u8]) -> Judgement {
        match (self.has_tolerance(), self.space_change_sensitive, self.case_sensitive) {
            (false, false, case_sensitive) => tokens::check_tokens(answer, output, !case_sensitive),
            (false, true, true) => exact::check_exact(answer, output),
            _ => self.check_tokens(answer, output),
        }
    }

    /// Compares token by token, and then the white space if it is significant.
    fn check_tokens(&self, answer: &[u8], output: &[u8]) -> Judgement {
        let same = |a: &[u8], b: &[u8]| self.is_same_token(a, b);
        let texts = TextPair::new(answer, output);
        if let Some(difference) = first_difference(answer, output, same) {
            let mismatch = build_mismatch(texts, difference, same, |a, b| self.name_difference(a, b));
            let hints = if self.space_change_sensitive { Vec::new() } else { mismatch.hints };
            return Judgement::Wrong(Mismatch { hints, ..mismatch });
        }
        if self.space_change_sensitive && !is_spaced_alike(answer, output) {
            return Judgement::Wrong(exact::describe_white_space(answer, &with_answer_spelling(answer, output)));
        }
        Judgement::Accepted
    }

    /// Returns true if two tokens are equal.
    pub(crate) fn is_same_token(&self, expected: &[u8], found: &[u8]) -> bool {
        match self.numeric_value(expected) {
            Some(value) => parse_float(found).is_some_and(|found| self.is_near(value, found)),
            None => tokens::is_same_token(expected, found, !self.case_sensitive),
        }
    }

    /// Returns the value of a token of the answer, if it is compared by value.
    fn numeric_value(&self, expected: &[u8]) -> Option<f64> {
        parse_float(expected).filter(|_| self.has_tolerance())
    }

    /// Returns true if a value is within one of the tolerances.
    fn is_near(&self, expected: f64, found: f64) -> bool {
        let error = (expected - found).abs();
        self.absolute.is_some_and(|absolute| error <= absolute)
            || self.relative.is_some_and(|relative| error <= relative * expected.abs())
    }

    /// Returns the name of the difference between two tokens.
    fn name_difference(&self, expected: &[u8], found: &[u8]) -> Option<String> {
        let Some(value) = self.numeric_value(expected) else { return name_word_difference(expected, found) };
        Some(match parse_float(found) {
            Some(found) => {
                let (absolute, relative) = (self.absolute.unwrap_or_default(), self.relative.unwrap_or_default());
                numbers::error_phrase((value - found).abs(), value.abs(), absolute, relative)
            }
            None if number_parser::parse_signed_decimal(found).is_some() => {
                ": beyond the range of 64-bit floats".to_owned()
            }
            None => format!(": {}", numbers::describe_malformed_number(found)),
        })
    }
}

/// Returns the value of a token that is a number in the grammar of the package format, within the range of 64-bit
/// floats.
fn parse_float(token: &[u8]) -> Option<f64> {
    number_parser::parse_signed_decimal(token).filter(|value| value.is_finite())
}

/// Parses the number after a flag.
fn parse_tolerance(flag: &str, number: Option<&str>) -> Result<f64, String> {
    let number = number.ok_or_else(|| format!("the validator flag `{flag}` needs a number, such as `1e-6`"))?;
    parse_float(number.as_bytes()).filter(|value| !number.starts_with('-') && *value >= 0.0).ok_or_else(|| {
        format!("the validator flag `{flag}` needs a number that is not negative, such as `1e-6`, not `{number}`")
    })
}

fn unknown_flag_message(flag: &str) -> String {
    let names = || SWITCH_FLAGS.into_iter().chain(TOLERANCE_FLAGS);
    let proposal = suggest_name(flag, names()).map(|name| format!(" did you mean `{name}`?")).unwrap_or_default();
    let choices: Vec<String> = names().map(|name| format!("`{name}`")).collect();
    format!("unknown validator flag `{flag}`;{proposal} available flags: {}", choices.join(", "))
}

/// Returns true if the white space before, between and after the tokens is the same, in texts with the same number of
/// tokens.
pub(crate) fn is_spaced_alike(answer: &[u8], output: &[u8]) -> bool {
    white_space_gaps(answer).eq(white_space_gaps(output))
}

/// Returns the white space before each token, and that after the last one.
fn white_space_gaps(text: &[u8]) -> impl Iterator<Item = &[u8]> {
    let ends = split(text).map(|token| token.start + token.text.len());
    let starts = split(text).map(|token| token.start).chain([text.len()]);
    std::iter::once(0).chain(ends).zip(starts).map(|(end, start)| &text[end..start])
}

/// Returns the output with each token replaced by the answer's, so that only white space can differ.
fn with_answer_spelling(answer: &[u8], output: &[u8]) -> Vec<u8> {
    let spellings = split(answer).map(|token| token.text).chain([&[][..]]);
    white_space_gaps(output).zip(spellings).flat_map(|(gap, token)| [gap, token]).flatten().copied().collect()
}
