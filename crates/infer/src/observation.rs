//! The tokens that samples have for a field.

use crate::sample::{decimal_places, parse_integer};
use crate::statement::StatedKind;
use std::collections::BTreeSet;

/// Maximum number of different tokens that are kept.
const MAX_DIFFERENT: usize = 24;

/// The tokens of a field in all samples.
#[derive(Clone, Debug, Default)]
pub(crate) struct Observation {
    /// Number of tokens.
    pub(crate) count: usize,
    /// Number of tokens that are whole numbers.
    pub(crate) integers: usize,
    /// Number of tokens that are whole or real numbers.
    pub(crate) reals: usize,
    /// The smallest and the largest number, rounded outwards.
    pub(crate) range: Option<(i128, i128)>,
    /// The largest number of decimal places.
    pub(crate) decimals: usize,
    /// True if numbers have different numbers of decimal places.
    pub(crate) has_mixed_decimals: bool,
    /// True if the largest number of decimal places is neither in the samples nor in a statement.
    pub(crate) has_guessed_decimals: bool,
    /// The characters of all tokens.
    pub(crate) letters: BTreeSet<char>,
    /// True if a statement lists all letters.
    pub(crate) has_listed_letters: bool,
    /// All texts that the field can have, if a statement lists them.
    pub(crate) listed_texts: Option<Vec<String>>,
    /// The smallest and the largest length of a token.
    pub(crate) lengths: Option<(usize, usize)>,
    /// The different tokens, up to a limit.
    pub(crate) tokens: BTreeSet<String>,
    /// The kind of the tokens in a statement, if it names one.
    pub(crate) stated_kind: Option<StatedKind>,
    /// The number of digits of whole numbers that are too large for a number of a format, if a statement allows them.
    pub(crate) huge_digits: Option<usize>,
    /// Number of lists.
    pub(crate) lists: usize,
    /// The smallest and the largest number of elements of a list.
    pub(crate) list_lengths: Option<(usize, usize)>,
}

impl Observation {
    /// Adds a token.
    pub(crate) fn add_token(&mut self, token: &str) {
        self.count += 1;
        if let Some(number) = parse_integer(token) {
            self.integers += 1;
            self.widen_range(number, number);
        }
        if let Some(places) = decimal_places(token) {
            self.has_mixed_decimals |= self.reals > 0 && self.decimals != places;
            self.reals += 1;
            self.decimals = self.decimals.max(places);
            let whole = token.split('.').next().and_then(parse_integer).unwrap_or(0);
            let below = if token.starts_with('-') && places > 0 { whole - 1 } else { whole };
            let above = if !token.starts_with('-') && places > 0 { whole + 1 } else { whole };
            self.widen_range(below, above);
        }
        self.letters.extend(token.chars());
        widen(&mut self.lengths, token.chars().count());
        if self.tokens.len() <= MAX_DIFFERENT {
            self.tokens.insert(token.to_owned());
        }
    }

    /// Adds the number of elements of a list.
    pub(crate) fn add_list_length(&mut self, length: usize) {
        self.lists += 1;
        widen(&mut self.list_lengths, length);
    }

    fn widen_range(&mut self, least: i128, most: i128) {
        let (lo, hi) = self.range.unwrap_or((least, most));
        self.range = Some((lo.min(least), hi.max(most)));
    }

    /// Takes the kind that a statement names, if the tokens can be of that kind.
    pub(crate) fn take_kind(&mut self, kind: StatedKind) {
        match kind {
            StatedKind::Text => self.stated_kind = Some(kind),
            StatedKind::Real(decimals) if self.reals == self.count => {
                self.stated_kind = Some(kind);
                self.decimals = self.decimals.max(decimals.unwrap_or(0));
            }
            StatedKind::Real(_) => {}
        }
    }

    /// Allows real numbers more decimals than samples have, unless all of them have as many, such as the two of prices.
    pub(crate) fn guess_decimals(&mut self) {
        /// Number of decimals of most real numbers in inputs.
        const USUAL_DECIMALS: usize = 6;
        if self.is_real() && (self.has_mixed_decimals || self.decimals < 2) {
            self.has_guessed_decimals = self.decimals < USUAL_DECIMALS;
            self.decimals = self.decimals.max(USUAL_DECIMALS);
        }
    }

    /// Returns true if a list has all tokens, of which there is one, and if it may be that of all texts.
    pub(crate) fn is_among(&self, listed: &[String]) -> bool {
        let tokens = self.few_tokens(MAX_DIFFERENT).filter(|tokens| !tokens.is_empty() && !self.is_letter());
        tokens.is_some_and(|tokens| tokens.iter().all(|token| listed.iter().any(|text| text == token)))
    }

    /// Takes whole numbers for texts of digits, as many as a statement allows.
    pub(crate) fn take_huge_digits(&mut self, digits: usize) {
        let are_small = self.is_integer() && self.range.is_none_or(|(least, _)| least >= 0);
        let are_plain = || self.tokens.iter().all(|token| !token.starts_with('0') || token == "0");
        let are_large = self.count > 0 && self.stated_kind.is_none() && self.has_only_digits() && are_plain();
        if are_small || are_large {
            self.stated_kind = Some(StatedKind::Text);
            self.huge_digits = Some(digits);
        }
    }

    /// Returns true if all tokens are whole numbers.
    pub(crate) fn is_integer(&self) -> bool {
        self.integers == self.count && self.stated_kind.is_none()
    }

    /// Returns true if all tokens are numbers, and not all are whole.
    pub(crate) fn is_real(&self) -> bool {
        self.reals == self.count && !self.is_integer() && !self.is_text()
    }

    /// Returns true if a token is not a number, or only looks like one.
    pub(crate) fn is_text(&self) -> bool {
        self.reals < self.count || self.stated_kind == Some(StatedKind::Text)
    }

    /// Returns true if all letters are digits.
    pub(crate) fn has_only_digits(&self) -> bool {
        self.letters.iter().all(char::is_ascii_digit)
    }

    /// Returns true if all tokens are single characters, and not all are numbers.
    pub(crate) fn is_letter(&self) -> bool {
        self.is_text() && self.lengths == Some((1, 1))
    }

    /// Returns the different tokens if they are few, and `None` otherwise.
    pub(crate) fn few_tokens(&self, most: usize) -> Option<Vec<&str>> {
        (self.tokens.len() <= most.min(MAX_DIFFERENT)).then(|| self.tokens.iter().map(String::as_str).collect())
    }
}

/// Extends a range to a number.
fn widen(range: &mut Option<(usize, usize)>, number: usize) {
    let (lo, hi) = range.unwrap_or((number, number));
    *range = Some((lo.min(number), hi.max(number)));
}
