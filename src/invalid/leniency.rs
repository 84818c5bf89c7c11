//! Which invalid inputs break no constraint: a validator that accepts them is lenient, and not wrong about any value.

use super::{Breaks, Invalid};

/// In what a validator is lenient that accepts an input.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Leniency {
    /// Spaces, line ends, empty lines.
    WhiteSpace,
    /// Capitals and small letters.
    LetterCase,
    /// Numbers of the same value: leading zeros, signs, digits behind the point.
    NumberSpelling,
}

/// Names of inputs, or how they begin, by what they ask to be lenient in.
const NAMES: [(Leniency, &[&str]); 3] = [
    (
        Leniency::WhiteSpace,
        &[
            "crlf",
            "no-final-newline",
            "no-newline",
            "trailing-space",
            "leading-space",
            "double-space",
            "extra-space",
            "tab",
            "split-line",
            "joined-lines",
            "blank-line",
            "empty-line",
        ],
    ),
    (Leniency::LetterCase, &["word-case", "alternative-case"]),
    (
        Leniency::NumberSpelling,
        &[
            "leading-zero",
            "plus-sign",
            "minus-zero",
            "exponent",
            "decimal-point",
            "decimals-too-many",
            "decimals-too-few",
            "no-digit-before-point",
            "no-digit-behind-point",
        ],
    ),
];

impl Leniency {
    /// Returns what an input of this name asks to be lenient in; None if it is wrong in any reading.
    pub fn of_name(name: &str) -> Option<Leniency> {
        let is_it =
            |known: &&str| name.strip_prefix(*known).is_some_and(|rest| rest.is_empty() || rest.starts_with('-'));
        NAMES.iter().find(|(_, names)| names.iter().any(is_it)).map(|(leniency, _)| *leniency)
    }

    /// In a few words: `white space`.
    pub fn words(self) -> &'static str {
        match self {
            Leniency::WhiteSpace => "white space",
            Leniency::LetterCase => "letter case",
            Leniency::NumberSpelling => "how numbers are spelt",
        }
    }
}

impl Invalid {
    /// Returns what the input asks to be lenient in; None if it breaks a constraint, or cannot be read at all.
    pub fn leniency(&self) -> Option<Leniency> {
        Leniency::of_name(&self.name).filter(|_| self.breaks == Breaks::Layout)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_tell_white_space_from_what_is_wrong() {
        for (name, leniency) in [
            ("crlf", Some(Leniency::WhiteSpace)),
            ("blank-line-at-end-2", Some(Leniency::WhiteSpace)),
            ("leading-zero-n", Some(Leniency::NumberSpelling)),
            ("word-case-name", Some(Leniency::LetterCase)),
            ("extra-token", None),
            ("empty-file", None),
            ("tabular", None),
        ] {
            assert_eq!(Leniency::of_name(name), leniency, "{name}");
        }
    }
}
