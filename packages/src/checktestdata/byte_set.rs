//! Sets of bytes, for regular expressions.

/// A set of bytes, with a bit for each, the low half first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct RegexByteSet([u128; 2]);

impl RegexByteSet {
    /// Returns the empty set.
    pub(super) fn empty_set() -> RegexByteSet {
        RegexByteSet([0; 2])
    }

    /// Returns the set of all bytes.
    pub(super) fn all_bytes() -> RegexByteSet {
        RegexByteSet([u128::MAX; 2])
    }

    /// Returns the set of a single byte.
    pub(super) fn from_byte(byte: u8) -> RegexByteSet {
        RegexByteSet::from_range(byte, byte)
    }

    /// Returns the set of an inclusive range.
    pub(super) fn from_range(first: u8, last: u8) -> RegexByteSet {
        RegexByteSet::from_predicate(|b| (first..=last).contains(&b))
    }

    /// Returns the visible ASCII characters, which tokens consist of.
    pub(super) fn visible_ascii() -> RegexByteSet {
        RegexByteSet::from_range(b'!', b'~')
    }

    /// Returns the set of a POSIX character class.
    pub(super) fn from_posix_class(name: &[u8]) -> Option<RegexByteSet> {
        Some(match name {
            b"alpha" => RegexByteSet::from_predicate(|b| b.is_ascii_alphabetic()),
            b"digit" => RegexByteSet::from_predicate(|b| b.is_ascii_digit()),
            b"alnum" => RegexByteSet::from_predicate(|b| b.is_ascii_alphanumeric()),
            b"upper" => RegexByteSet::from_predicate(|b| b.is_ascii_uppercase()),
            b"lower" => RegexByteSet::from_predicate(|b| b.is_ascii_lowercase()),
            b"punct" => RegexByteSet::from_predicate(|b| b.is_ascii_punctuation()),
            b"space" => RegexByteSet::from_predicate(|b| b" \t\n\r\x0b\x0c".contains(&b)),
            b"blank" => RegexByteSet::from_predicate(|b| b" \t".contains(&b)),
            b"xdigit" => RegexByteSet::from_predicate(|b| b.is_ascii_hexdigit()),
            b"graph" => RegexByteSet::visible_ascii(),
            b"print" => RegexByteSet::from_range(b' ', b'~'),
            b"cntrl" => RegexByteSet::from_predicate(|b| b.is_ascii_control()),
            _ => return None,
        })
    }

    fn from_predicate(belongs: impl Fn(u8) -> bool) -> RegexByteSet {
        let mut found = RegexByteSet::empty_set();
        for byte in 0..=u8::MAX {
            found.0[usize::from(byte / 128)] |= u128::from(belongs(byte)) << (byte % 128);
        }
        found
    }

    /// Returns the union of both sets.
    #[must_use]
    pub(super) fn union_with(&self, other: &RegexByteSet) -> RegexByteSet {
        RegexByteSet::from_predicate(|b| self.contains_byte(b) || other.contains_byte(b))
    }

    /// Returns the intersection of both sets.
    #[must_use]
    pub(super) fn intersection_with(&self, other: &RegexByteSet) -> RegexByteSet {
        RegexByteSet::from_predicate(|b| self.contains_byte(b) && other.contains_byte(b))
    }

    /// Returns the complement.
    #[must_use]
    pub(super) fn complement(&self) -> RegexByteSet {
        RegexByteSet::from_predicate(|b| !self.contains_byte(b))
    }

    pub(super) fn contains_byte(&self, byte: u8) -> bool {
        self.0[usize::from(byte / 128)] >> (byte % 128) & 1 == 1
    }

    pub(super) fn iter_bytes(&self) -> impl Iterator<Item = u8> + '_ {
        (0..=u8::MAX).filter(|b| self.contains_byte(*b))
    }

    pub(super) fn is_empty(&self) -> bool {
        self.iter_bytes().next().is_none()
    }

    /// Returns the only byte of a set with one element.
    pub(super) fn single_byte(&self) -> Option<u8> {
        let mut bytes = self.iter_bytes();
        bytes.next().filter(|_| bytes.next().is_none())
    }

    /// Returns the ranges of consecutive bytes, as first and last byte.
    fn byte_ranges(&self) -> Vec<(u8, u8)> {
        let mut found: Vec<(u8, u8)> = Vec::new();
        for byte in self.iter_bytes() {
            match found.last_mut() {
                Some((_, last)) if *last + 1 == byte => *last = byte,
                _ => found.push((byte, byte)),
            }
        }
        found
    }

    /// Formats the ranges, with a backslash before special characters.
    fn to_range_text(&self, special: &[u8]) -> String {
        let letter = |byte: u8| {
            let escape = if special.contains(&byte) { "\\" } else { "" };
            format!("{escape}{}", char::from(byte))
        };
        let range = |(first, last): (u8, u8)| match last - first {
            // Up to three characters are no longer without the dash.
            0..=2 => (first..=last).map(letter).collect(),
            _ => format!("{}-{}", letter(first), letter(last)),
        };
        self.byte_ranges().into_iter().map(range).collect()
    }

    /// Formats the set for `over` in the format language.
    pub(super) fn to_over_charset(&self) -> String {
        self.to_range_text(b"\\\"-")
    }

    /// Formats the set as part of a regular expression.
    pub(super) fn to_regex_class(&self) -> String {
        match self.single_byte() {
            Some(byte) if b"\\.+*?()|[]{}^$\"".contains(&byte) => format!("\\{}", char::from(byte)),
            Some(byte) => char::from(byte).to_string(),
            None => format!("[{}]", self.to_range_text(b"\\\"-[]^")),
        }
    }
}
