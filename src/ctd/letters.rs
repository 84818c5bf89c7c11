//! Sets of characters.

/// A set of bytes: a bit for each, the low half first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Letters([u128; 2]);

impl Letters {
    /// No byte.
    pub(super) fn none() -> Letters {
        Letters([0; 2])
    }

    /// Every byte.
    pub(super) fn all() -> Letters {
        Letters([u128::MAX; 2])
    }

    /// This one.
    pub(super) fn one(byte: u8) -> Letters {
        Letters::range(byte, byte)
    }

    /// From one to another, both included.
    pub(super) fn range(first: u8, last: u8) -> Letters {
        Letters::where_is(|b| (first..=last).contains(&b))
    }

    /// What a token can be made of: the visible characters of ASCII.
    pub(super) fn visible() -> Letters {
        Letters::range(b'!', b'~')
    }

    /// A class of POSIX.
    pub(super) fn named(name: &[u8]) -> Option<Letters> {
        Some(match name {
            b"alpha" => Letters::where_is(|b| b.is_ascii_alphabetic()),
            b"digit" => Letters::where_is(|b| b.is_ascii_digit()),
            b"alnum" => Letters::where_is(|b| b.is_ascii_alphanumeric()),
            b"upper" => Letters::where_is(|b| b.is_ascii_uppercase()),
            b"lower" => Letters::where_is(|b| b.is_ascii_lowercase()),
            b"punct" => Letters::where_is(|b| b.is_ascii_punctuation()),
            b"space" => Letters::where_is(|b| b" \t\n\r\x0b\x0c".contains(&b)),
            b"blank" => Letters::where_is(|b| b" \t".contains(&b)),
            b"xdigit" => Letters::where_is(|b| b.is_ascii_hexdigit()),
            b"graph" => Letters::visible(),
            b"print" => Letters::range(b' ', b'~'),
            b"cntrl" => Letters::where_is(|b| b.is_ascii_control()),
            _ => return None,
        })
    }

    fn where_is(belongs: impl Fn(u8) -> bool) -> Letters {
        let mut found = Letters::none();
        for byte in 0..=u8::MAX {
            found.0[usize::from(byte / 128)] |= u128::from(belongs(byte)) << (byte % 128);
        }
        found
    }

    /// Both together.
    #[must_use]
    pub(super) fn with(&self, other: &Letters) -> Letters {
        Letters::where_is(|b| self.has(b) || other.has(b))
    }

    /// What both have.
    #[must_use]
    pub(super) fn within(&self, other: &Letters) -> Letters {
        Letters::where_is(|b| self.has(b) && other.has(b))
    }

    /// What this has not.
    #[must_use]
    pub(super) fn others(&self) -> Letters {
        Letters::where_is(|b| !self.has(b))
    }

    pub(super) fn has(&self, byte: u8) -> bool {
        self.0[usize::from(byte / 128)] >> (byte % 128) & 1 == 1
    }

    pub(super) fn bytes(&self) -> impl Iterator<Item = u8> + '_ {
        (0..=u8::MAX).filter(|b| self.has(*b))
    }

    pub(super) fn is_empty(&self) -> bool {
        self.bytes().next().is_none()
    }

    /// The byte, if it is only one.
    pub(super) fn only(&self) -> Option<u8> {
        let mut bytes = self.bytes();
        bytes.next().filter(|_| bytes.next().is_none())
    }

    /// Runs of neighbours, first and last.
    fn ranges(&self) -> Vec<(u8, u8)> {
        let mut found: Vec<(u8, u8)> = Vec::new();
        for byte in self.bytes() {
            match found.last_mut() {
                Some((_, last)) if *last + 1 == byte => *last = byte,
                _ => found.push((byte, byte)),
            }
        }
        found
    }

    /// The ranges, with a backslash before what has a meaning of its own.
    fn spelled(&self, special: &[u8]) -> String {
        let letter = |byte: u8| {
            let escape = if special.contains(&byte) { "\\" } else { "" };
            format!("{escape}{}", char::from(byte))
        };
        let range = |(first, last): (u8, u8)| match last - first {
            // Up to three letters are as short without the dash.
            0..=2 => (first..=last).map(letter).collect(),
            _ => format!("{}-{}", letter(first), letter(last)),
        };
        self.ranges().into_iter().map(range).collect()
    }

    /// As `over` has it between its quotes.
    pub(super) fn over(&self) -> String {
        self.spelled(b"\\\"-")
    }

    /// As a regular expression has it.
    pub(super) fn class(&self) -> String {
        match self.only() {
            Some(byte) if b"\\.+*?()|[]{}^$\"".contains(&byte) => format!("\\{}", char::from(byte)),
            Some(byte) => char::from(byte).to_string(),
            None => format!("[{}]", self.spelled(b"\\\"-[]^")),
        }
    }
}
