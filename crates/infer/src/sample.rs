//! Sample inputs as lines of tokens.

/// A sample input.
#[derive(Clone, Debug)]
pub struct Sample {
    /// Name of its file, for messages.
    pub name: String,
    /// Its lines as tokens. Empty lines at the end are left out.
    pub(crate) lines: Vec<Vec<String>>,
    /// True if white space was changed: tokens are separated by single spaces, lines end with a newline.
    pub is_respaced: bool,
}

impl Sample {
    /// Splits an input into lines and tokens. White space at the ends of lines and of the input does not count, nor does a byte
    /// order mark.
    pub fn new(name: impl Into<String>, bytes: &[u8]) -> Sample {
        let text: String =
            bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes).iter().map(|byte| char::from(*byte)).collect();
        let mut lines: Vec<Vec<String>> =
            text.lines().map(|line| line.split_ascii_whitespace().map(str::to_owned).collect()).collect();
        while lines.last().is_some_and(Vec::is_empty) {
            lines.pop();
        }
        let mut sample = Sample { name: name.into(), lines, is_respaced: false };
        sample.is_respaced = sample.to_bytes() != bytes;
        sample
    }

    /// Returns the input with single spaces between tokens and a newline after each line.
    pub fn to_bytes(&self) -> Vec<u8> {
        let lines = self.lines.iter().map(|line| line.join(" ") + "\n");
        lines.flat_map(|line| line.chars().map(|c| u8::try_from(c).unwrap_or(b'?')).collect::<Vec<u8>>()).collect()
    }

    /// Returns how much there is to read from a line to another: the number of tokens, and long ones count several times.
    pub(crate) fn size_of_lines(&self, from: usize, to: usize) -> usize {
        /// Number of characters that take about as long to read as a token.
        const TOKEN_CHARACTERS: usize = 16;
        let lines = self.lines.iter().take(to).skip(from);
        lines.map(|line| 1 + line.iter().map(|token| 1 + token.len() / TOKEN_CHARACTERS).sum::<usize>()).sum()
    }

    /// Returns the number of tokens.
    pub(crate) fn token_count(&self) -> usize {
        self.lines.iter().map(Vec::len).sum()
    }
}

/// Returns the value of a token that is a whole number as a format spells it: no `+`, no leading zero, no `-0`.
pub(crate) fn parse_integer(token: &str) -> Option<i128> {
    /// Maximum number of digits of a number: the next power of ten is a bound that formats can have.
    const MAX_DIGITS: usize = 35;
    let digits = token.strip_prefix('-').unwrap_or(token);
    let is_number = !digits.is_empty() && digits.len() <= MAX_DIGITS && digits.bytes().all(|b| b.is_ascii_digit());
    let is_plain = !digits.starts_with('0') || token == "0";
    if is_number && is_plain { token.parse().ok() } else { None }
}

/// Returns the number of decimal places of a token that is a real number as a format spells it.
pub(crate) fn decimal_places(token: &str) -> Option<usize> {
    if parse_integer(token).is_some() {
        return Some(0);
    }
    let (whole, decimals) = token.strip_prefix('-').unwrap_or(token).split_once('.')?;
    let is_number =
        parse_integer(whole).is_some_and(|whole| whole >= 0) && decimals.bytes().all(|b| b.is_ascii_digit());
    let is_negative_zero = token.starts_with('-') && token.bytes().all(|b| matches!(b, b'-' | b'0' | b'.'));
    (is_number && !decimals.is_empty() && decimals.len() <= 18 && !is_negative_zero).then_some(decimals.len())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::panic, reason = "tests")]
    use super::*;

    #[test]
    fn numbers_are_those_of_a_format() {
        assert_eq!([parse_integer("-12"), parse_integer("0")], [Some(-12), Some(0)]);
        assert!(["", "-", "+1", "007", "-0", "1.5", "1e5"].iter().all(|token| parse_integer(token).is_none()));
        assert_eq!([decimal_places("3"), decimal_places("-0.25")], [Some(0), Some(2)]);
        assert!([".5", "5.", "-0.0", "00.1", "1e5"].iter().all(|token| decimal_places(token).is_none()));
    }

    #[test]
    fn white_space_at_the_ends_does_not_count() {
        let sample = Sample::new("1.in", b"\xef\xbb\xbf2\r\n5  3 \n\n");
        assert!(sample.is_respaced);
        assert_eq!(sample.to_bytes(), b"2\n5 3\n");
        assert!(!Sample::new("1.in", b"1\n").is_respaced);
    }
}
