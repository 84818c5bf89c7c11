//! Classification of invalid inputs that violate no constraint: a validator that accepts them is lenient about
//! notation, not wrong about values.

use super::{BrokenRule, InvalidInput};

/// The kind of leniency of a validator that accepts an invalid input.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Leniency {
    /// Spaces, line ends and empty lines.
    WhiteSpace,
    /// Upper and lower case.
    LetterCase,
    /// Other spellings of a number: leading zeros, signs, digits after the point.
    NumberSpelling,
}

/// Names of inputs, or their prefixes, by kind of leniency.
const LENIENCY_NAMES: [(Leniency, &[&str]); 3] = [
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
    /// Returns the kind of leniency that accepts an input with this name, or `None` if it is invalid in any notation.
    pub fn from_input_name(name: &str) -> Option<Leniency> {
        let is_it =
            |known: &&str| name.strip_prefix(*known).is_some_and(|rest| rest.is_empty() || rest.starts_with('-'));
        LENIENCY_NAMES.iter().find(|(_, names)| names.iter().any(is_it)).map(|(leniency, _)| *leniency)
    }

    /// Describes it in a few words: `white space`.
    pub fn description(self) -> &'static str {
        match self {
            Leniency::WhiteSpace => "white space",
            Leniency::LetterCase => "letter case",
            Leniency::NumberSpelling => "number spelling",
        }
    }
}

impl InvalidInput {
    /// Returns the kind of leniency that accepts this input, or `None` if it violates a constraint or cannot be read
    /// at all.
    pub fn leniency(&self) -> Option<Leniency> {
        Leniency::from_input_name(&self.name).filter(|_| self.broken_rule == BrokenRule::Layout)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn leniency_follows_from_the_input_name() {
        for (name, leniency) in [
            ("crlf", Some(Leniency::WhiteSpace)),
            ("blank-line-at-end-2", Some(Leniency::WhiteSpace)),
            ("leading-zero-n", Some(Leniency::NumberSpelling)),
            ("word-case-name", Some(Leniency::LetterCase)),
            ("extra-token", None),
            ("empty-file", None),
            ("tabular", None),
        ] {
            assert_eq!(Leniency::from_input_name(name), leniency, "{name}");
        }
    }
}
