//! The default output validator of ICPC problem packages, with all of its flags.

use crate::compare::{Texts, depart, mismatch, name_words};
use crate::judgement::{Judgement, Mismatch};
use crate::nearest::nearest;
use crate::text::tokens as split;
use crate::{exact, number, numbers, show, tokens};

/// The flags of the default output validator.
///
/// Without flags it compares tokens as the checker `tokens:ignore-case` does. It never blames the jury: an answer
/// token that is not a number is a word.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Icpc {
    /// `case_sensitive`: `YES` and `Yes` are different words.
    pub case_sensitive: bool,
    /// `space_change_sensitive`: the white space before, between and after the tokens is the same, byte for byte.
    pub space_change_sensitive: bool,
    /// `float_absolute_tolerance`: the absolute error that is still accepted, finite and not negative.
    pub absolute: Option<f64>,
    /// `float_relative_tolerance`: the error, relative to the answer, that is still accepted.
    pub relative: Option<f64>,
}

/// The flags that stand alone.
const SWITCHES: [&str; 2] = ["case_sensitive", "space_change_sensitive"];
/// The flags that are followed by a number.
const TOLERANCES: [&str; 3] = ["float_tolerance", "float_absolute_tolerance", "float_relative_tolerance"];

impl Icpc {
    /// The flags as a package lists them: `case_sensitive`, `float_tolerance` and its number, and so on. Of two
    /// tolerances of one kind the later one counts, as it does in the original.
    ///
    /// # Errors
    /// A text for the user that names the flag: there is no such one, or it lacks its number.
    pub fn parse<'a>(flags: impl IntoIterator<Item = &'a str>) -> Result<Self, String> {
        let mut icpc = Self::default();
        let mut flags = flags.into_iter();
        while let Some(flag) = flags.next() {
            match flag {
                "case_sensitive" => icpc.case_sensitive = true,
                "space_change_sensitive" => icpc.space_change_sensitive = true,
                "float_tolerance" => {
                    icpc.absolute = Some(tolerance(flag, flags.next())?);
                    icpc.relative = icpc.absolute;
                }
                "float_absolute_tolerance" => icpc.absolute = Some(tolerance(flag, flags.next())?),
                "float_relative_tolerance" => icpc.relative = Some(tolerance(flag, flags.next())?),
                _ => return Err(unknown(flag)),
            }
        }
        Ok(icpc)
    }

    /// The flags behind the colon of a checker's name: `case_sensitive,float_tolerance=1e-6`.
    pub(crate) fn parse_name(flags: &str) -> Result<Self, String> {
        Self::parse(flags.split([',', '=']))
    }

    /// The flags as they stand in a checker's name.
    pub(crate) fn name(&self) -> String {
        let stated = |name: &str, tolerance: Option<f64>| tolerance.map(|t| format!("{name}={}", show::shortest(t)));
        let same = self.absolute.map(f64::to_bits) == self.relative.map(f64::to_bits);
        let flags = [
            self.case_sensitive.then(|| SWITCHES[0].to_owned()),
            self.space_change_sensitive.then(|| SWITCHES[1].to_owned()),
            stated(TOLERANCES[0], self.absolute.filter(|_| same)),
            stated(TOLERANCES[1], self.absolute.filter(|_| !same)),
            stated(TOLERANCES[2], self.relative.filter(|_| !same)),
        ];
        let flags: Vec<String> = flags.into_iter().flatten().collect();
        if flags.is_empty() { "icpc".to_owned() } else { format!("icpc:{}", flags.join(",")) }
    }

    /// Whether numbers are compared by their values.
    pub(crate) fn has_tolerance(&self) -> bool {
        self.absolute.is_some() || self.relative.is_some()
    }

    /// Judges as the default output validator does.
    pub(crate) fn check(&self, answer: &[u8], output: &[u8]) -> Judgement {
        match (self.has_tolerance(), self.space_change_sensitive, self.case_sensitive) {
            (false, false, case_sensitive) => tokens::check(answer, output, !case_sensitive),
            (false, true, true) => exact::check(answer, output),
            _ => self.check_tokens(answer, output),
        }
    }

    /// Judges token by token, and then the white space if that counts.
    fn check_tokens(&self, answer: &[u8], output: &[u8]) -> Judgement {
        let same = |a: &[u8], b: &[u8]| self.same(a, b);
        let texts = Texts::new(answer, output);
        if let Some(departure) = depart(answer, output, same) {
            let told = mismatch(texts, departure, same, |a, b| self.name_difference(a, b));
            let hints = if self.space_change_sensitive { Vec::new() } else { told.hints };
            return Judgement::Wrong(Mismatch { hints, ..told });
        }
        if self.space_change_sensitive && !is_spaced_alike(answer, output) {
            return Judgement::Wrong(exact::white_space(answer, &respelt(answer, output)));
        }
        Judgement::Accepted
    }

    /// Whether two tokens are the same.
    pub(crate) fn same(&self, expected: &[u8], found: &[u8]) -> bool {
        match self.value(expected) {
            Some(value) => float(found).is_some_and(|found| self.is_near(value, found)),
            None => tokens::same(expected, found, !self.case_sensitive),
        }
    }

    /// The value of a token of the answer, if it is compared by that.
    fn value(&self, expected: &[u8]) -> Option<f64> {
        float(expected).filter(|_| self.has_tolerance())
    }

    /// Whether a value is within one of the tolerances.
    fn is_near(&self, expected: f64, found: f64) -> bool {
        let error = (expected - found).abs();
        self.absolute.is_some_and(|absolute| error <= absolute)
            || self.relative.is_some_and(|relative| error <= relative * expected.abs())
    }

    /// The name of the difference of two tokens.
    fn name_difference(&self, expected: &[u8], found: &[u8]) -> Option<String> {
        let Some(value) = self.value(expected) else { return name_words(expected, found) };
        Some(match float(found) {
            Some(found) => {
                let (absolute, relative) = (self.absolute.unwrap_or_default(), self.relative.unwrap_or_default());
                numbers::excess((value - found).abs(), value.abs(), absolute, relative)
            }
            None if number::read_signed(found).is_some() => ": beyond the range of 64-bit floats".to_owned(),
            None => format!(": {}", numbers::not_a_number(found)),
        })
    }
}

/// The value of a token that is a number in the package format's grammar, within the range of 64-bit floats.
fn float(token: &[u8]) -> Option<f64> {
    number::read_signed(token).filter(|value| value.is_finite())
}

/// The number behind a flag.
fn tolerance(flag: &str, number: Option<&str>) -> Result<f64, String> {
    let number = number.ok_or_else(|| format!("the validator flag `{flag}` needs a number, such as `1e-6`"))?;
    float(number.as_bytes()).filter(|value| !number.starts_with('-') && *value >= 0.0).ok_or_else(|| {
        format!("the validator flag `{flag}` needs a number that is not negative, such as `1e-6`, not `{number}`")
    })
}

/// The refusal of a flag that does not exist.
fn unknown(flag: &str) -> String {
    let names = || SWITCHES.into_iter().chain(TOLERANCES);
    let proposal = nearest(flag, names()).map(|name| format!(" did you mean `{name}`?")).unwrap_or_default();
    let choices: Vec<String> = names().map(|name| format!("`{name}`")).collect();
    format!("there is no validator flag `{flag}`;{proposal} there are {}", choices.join(", "))
}

/// Whether the white space before, between and after the tokens is the same, in texts of equally many tokens.
pub(crate) fn is_spaced_alike(answer: &[u8], output: &[u8]) -> bool {
    gaps(answer).eq(gaps(output))
}

/// The white space before each token, and that after the last one.
fn gaps(text: &[u8]) -> impl Iterator<Item = &[u8]> {
    let ends = split(text).map(|token| token.start + token.text.len());
    let starts = split(text).map(|token| token.start).chain([text.len()]);
    std::iter::once(0).chain(ends).zip(starts).map(|(end, start)| &text[end..start])
}

/// The output with the answer's spelling of each token, so that white space is all that differs.
fn respelt(answer: &[u8], output: &[u8]) -> Vec<u8> {
    let spellings = split(answer).map(|token| token.text).chain([&[][..]]);
    gaps(output).zip(spellings).flat_map(|(gap, token)| [gap, token]).flatten().copied().collect()
}
