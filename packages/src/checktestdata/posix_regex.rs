//! POSIX extended regular expressions, as used by `REGEX` in scripts.
//!
//! They are parsed into a tree, because the format language has better ways to express most of them (`over`, `one
//! of`, a length), and another syntax for the rest: inside brackets, a backslash is a literal in POSIX but an escape
//! in formats.

use super::byte_set::RegexByteSet;

/// A parsed regular expression.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum PosixRegex {
    /// One of these characters.
    OneByteOf(RegexByteSet),
    /// A concatenation.
    Sequence(Vec<PosixRegex>),
    /// One of these expressions.
    Alternatives(Vec<PosixRegex>),
    /// A repetition, with a minimum and maximum number.
    Repeat(Box<PosixRegex>, u32, Option<u32>),
}

/// Maximum nesting of parentheses.
const MAX_NESTING_DEPTH: usize = 32;

/// Maximum number of repetitions.
const MAX_REPETITIONS: u32 = 1_000_000;

impl PosixRegex {
    /// Parses an expression.
    ///
    /// # Errors
    ///
    /// Returns what is wrong with it.
    pub(super) fn parse_regex(text: &[u8]) -> Result<PosixRegex, &'static str> {
        let mut reader = PosixRegexParser { text, position: 0, depth: 0 };
        let found = reader.parse_alternatives()?;
        if reader.position < text.len() {
            return Err("there is an unmatched `)`");
        }
        Ok(found)
    }

    /// Returns the expression that matches exactly these characters.
    pub(super) fn from_literal(text: &[u8]) -> PosixRegex {
        PosixRegex::Sequence(text.iter().map(|b| PosixRegex::OneByteOf(RegexByteSet::from_byte(*b))).collect())
    }

    /// Splits the expression at top-level spaces and line feeds.
    pub(super) fn split_at_blanks(&self) -> Vec<RegexPiece> {
        let parts = match self {
            PosixRegex::Sequence(parts) => parts.clone(),
            other => vec![other.clone()],
        };
        let mut found = Vec::new();
        let mut piece = Vec::new();
        for part in parts {
            let gap = match &part {
                PosixRegex::OneByteOf(letters) => letters.single_byte().filter(|b| b" \n".contains(b)),
                _ => None,
            };
            let Some(gap) = gap else {
                piece.push(part);
                continue;
            };
            if !piece.is_empty() {
                found.push(RegexPiece::Token(join_sequence(std::mem::take(&mut piece))));
            }
            found.push(if gap == b' ' { RegexPiece::Space } else { RegexPiece::Newline });
        }
        if !piece.is_empty() || found.is_empty() {
            found.push(RegexPiece::Token(join_sequence(piece)));
        }
        found
    }

    /// Returns all characters that can occur in a match.
    pub(super) fn possible_bytes(&self) -> RegexByteSet {
        match self {
            PosixRegex::OneByteOf(letters) => letters.clone(),
            PosixRegex::Sequence(parts) | PosixRegex::Alternatives(parts) => {
                parts.iter().fold(RegexByteSet::empty_set(), |found, part| found.union_with(&part.possible_bytes()))
            }
            PosixRegex::Repeat(inner, ..) => inner.possible_bytes(),
        }
    }

    /// Restricts the expression to these characters.
    #[must_use]
    pub(super) fn restrict_to(&self, allowed: &RegexByteSet) -> PosixRegex {
        let all = |parts: &[PosixRegex]| parts.iter().map(|p| p.restrict_to(allowed)).collect();
        match self {
            PosixRegex::OneByteOf(letters) => PosixRegex::OneByteOf(letters.intersection_with(allowed)),
            PosixRegex::Sequence(parts) => PosixRegex::Sequence(all(parts)),
            PosixRegex::Alternatives(parts) => PosixRegex::Alternatives(all(parts)),
            PosixRegex::Repeat(inner, min, max) => PosixRegex::Repeat(Box::new(inner.restrict_to(allowed)), *min, *max),
        }
    }

    /// Returns the minimum length of a match, and the maximum unless it is unbounded.
    pub(super) fn length_range(&self) -> (u32, Option<u32>) {
        match self {
            PosixRegex::OneByteOf(_) => (1, Some(1)),
            PosixRegex::Sequence(parts) => {
                parts.iter().map(PosixRegex::length_range).fold((0, Some(0)), |(min, max), part| {
                    let max = max.zip(part.1).map(|(a, b)| a.saturating_add(b));
                    (min.saturating_add(part.0), max)
                })
            }
            PosixRegex::Alternatives(parts) => {
                let lengths: Vec<_> = parts.iter().map(PosixRegex::length_range).collect();
                let min = lengths.iter().map(|l| l.0).min().unwrap_or(0);
                (min, lengths.iter().map(|l| l.1).collect::<Option<Vec<_>>>().map(|m| m.into_iter().max().unwrap_or(0)))
            }
            PosixRegex::Repeat(inner, min, max) => {
                let (low, high) = inner.length_range();
                let max = if high == Some(0) { Some(0) } else { max.zip(high).map(|(a, b)| a.saturating_mul(b)) };
                (min.saturating_mul(low), max)
            }
        }
    }

    /// Returns the set of characters if the expression matches every text of them within its lengths.
    pub(super) fn uniform_byte_set(&self) -> Option<RegexByteSet> {
        match self {
            PosixRegex::OneByteOf(letters) => Some(letters.clone()),
            PosixRegex::Repeat(inner, ..) => match **inner {
                PosixRegex::OneByteOf(ref letters) => Some(letters.clone()),
                ref inner if inner.length_range() == (1, Some(1)) => inner.uniform_byte_set(),
                _ => None,
            },
            PosixRegex::Alternatives(parts) => {
                let single = parts.iter().all(|p| p.length_range() == (1, Some(1)));
                single.then(|| self.possible_bytes())
            }
            PosixRegex::Sequence(parts) => {
                let mut runs = parts.iter().map(PosixRegex::uniform_byte_set);
                let first = runs.next()??;
                runs.all(|run| run.as_ref() == Some(&first)).then_some(first)
            }
        }
    }

    /// Returns all matches in the order of the expression, or `None` if there are more than `limit`.
    pub(super) fn enumerate_words(&self, limit: usize) -> Option<Vec<Vec<u8>>> {
        let found = match self {
            PosixRegex::OneByteOf(letters) => letters.iter_bytes().map(|b| vec![b]).collect(),
            PosixRegex::Alternatives(parts) => {
                let mut found = Vec::new();
                for part in parts {
                    found.extend(part.enumerate_words(limit)?);
                }
                found
            }
            PosixRegex::Sequence(parts) => {
                let mut found: Vec<Vec<u8>> = vec![Vec::new()];
                for part in parts {
                    found = concatenate_each(&found, &part.enumerate_words(limit)?, limit)?;
                }
                found
            }
            PosixRegex::Repeat(inner, min, max) => repeat_words(&inner.enumerate_words(limit)?, *min, (*max)?, limit)?,
        };
        (found.len() <= limit).then_some(found)
    }

    /// Formats the expression in the syntax of the format language.
    pub(super) fn to_format_syntax(&self) -> String {
        match self {
            PosixRegex::OneByteOf(letters) => letters.to_regex_class(),
            PosixRegex::Sequence(parts) => {
                parts.iter().map(|p| p.to_grouped_syntax(matches!(p, PosixRegex::Alternatives(_)))).collect()
            }
            PosixRegex::Alternatives(parts) => {
                parts.iter().map(PosixRegex::to_format_syntax).collect::<Vec<_>>().join("|")
            }
            PosixRegex::Repeat(inner, min, max) => {
                let inner = inner.to_grouped_syntax(!matches!(**inner, PosixRegex::OneByteOf(_)));
                let times = match (min, max) {
                    (0, None) => "*".to_owned(),
                    (1, None) => "+".to_owned(),
                    (0, Some(1)) => "?".to_owned(),
                    (min, None) => format!("{{{min},}}"),
                    (min, Some(max)) if min == max => format!("{{{min}}}"),
                    (min, Some(max)) => format!("{{{min},{max}}}"),
                };
                inner + &times
            }
        }
    }

    fn to_grouped_syntax(&self, wanted: bool) -> String {
        if wanted { format!("({})", self.to_format_syntax()) } else { self.to_format_syntax() }
    }
}

/// A part of an expression split at spaces and line feeds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum RegexPiece {
    /// A token between them.
    Token(PosixRegex),
    /// One space.
    Space,
    /// One line feed.
    Newline,
}

fn join_sequence(mut parts: Vec<PosixRegex>) -> PosixRegex {
    if parts.len() == 1 { parts.remove(0) } else { PosixRegex::Sequence(parts) }
}

/// Concatenates each of `firsts` with each of `seconds`.
fn concatenate_each(firsts: &[Vec<u8>], seconds: &[Vec<u8>], limit: usize) -> Option<Vec<Vec<u8>>> {
    let size = firsts.len().checked_mul(seconds.len()).filter(|size| *size <= limit)?;
    let mut found = Vec::with_capacity(size);
    for first in firsts {
        for second in seconds {
            found.push([first.as_slice(), second].concat());
        }
    }
    Some(found)
}

/// Returns all concatenations of `min` to `max` words.
fn repeat_words(words: &[Vec<u8>], min: u32, max: u32, limit: usize) -> Option<Vec<Vec<u8>>> {
    // Each repetition makes the words longer, so that the limit on their number bounds their length, too.
    if usize::try_from(max).is_ok_and(|max| max > limit) {
        return None;
    }
    let mut row: Vec<Vec<u8>> = vec![Vec::new()];
    let mut found = if min == 0 { row.clone() } else { Vec::new() };
    for times in 1..=max {
        row = concatenate_each(&row, words, limit)?;
        if times >= min {
            found.extend(row.iter().cloned());
        }
    }
    (found.len() <= limit).then_some(found)
}

struct PosixRegexParser<'t> {
    text: &'t [u8],
    position: usize,
    depth: usize,
}

impl PosixRegexParser<'_> {
    fn peek_byte(&self) -> Option<u8> {
        self.text.get(self.position).copied()
    }

    fn accept_byte(&mut self, byte: u8) -> bool {
        let found = self.peek_byte() == Some(byte);
        self.position += usize::from(found);
        found
    }

    fn parse_alternatives(&mut self) -> Result<PosixRegex, &'static str> {
        self.depth += 1;
        if self.depth > MAX_NESTING_DEPTH {
            return Err("it is nested too deeply");
        }
        let mut found = vec![self.parse_sequence()?];
        while self.accept_byte(b'|') {
            found.push(self.parse_sequence()?);
        }
        self.depth -= 1;
        Ok(if found.len() == 1 { found.remove(0) } else { PosixRegex::Alternatives(found) })
    }

    fn parse_sequence(&mut self) -> Result<PosixRegex, &'static str> {
        let mut found = Vec::new();
        while let Some(byte) = self.peek_byte().filter(|b| !b"|)".contains(b)) {
            // Anchors have no effect, because the whole text is matched.
            if b"^$".contains(&byte) {
                self.position += 1;
                continue;
            }
            let one = self.parse_atom(byte)?;
            found.push(self.parse_quantifiers(one)?);
        }
        Ok(join_sequence(found))
    }

    fn parse_atom(&mut self, byte: u8) -> Result<PosixRegex, &'static str> {
        self.position += 1;
        Ok(match byte {
            b'(' => {
                let inside = self.parse_alternatives()?;
                if !self.accept_byte(b')') {
                    return Err("a `(` is not closed");
                }
                inside
            }
            b'[' => PosixRegex::OneByteOf(self.parse_bracket_class()?),
            b'.' => PosixRegex::OneByteOf(RegexByteSet::all_bytes()),
            b'\\' => {
                let escaped = self.peek_byte().ok_or("it ends with a backslash")?;
                self.position += 1;
                PosixRegex::OneByteOf(RegexByteSet::from_byte(escaped))
            }
            b'*' | b'+' | b'?' | b'{' => return Err("there is nothing to repeat"),
            other => PosixRegex::OneByteOf(RegexByteSet::from_byte(other)),
        })
    }

    fn parse_quantifiers(&mut self, mut inner: PosixRegex) -> Result<PosixRegex, &'static str> {
        let mut stacked = 0;
        while let Some(byte) = self.peek_byte() {
            let (min, max) = match byte {
                b'*' => (0, None),
                b'+' => (1, None),
                b'?' => (0, Some(1)),
                b'{' => {
                    self.position += 1;
                    self.parse_braces()?
                }
                _ => break,
            };
            stacked += 1;
            if stacked > MAX_NESTING_DEPTH {
                return Err("it is nested too deeply");
            }
            self.position += 1;
            inner = PosixRegex::Repeat(Box::new(inner), min, max);
        }
        Ok(inner)
    }

    /// Parses `{2}`, `{2,}` or `{2,5}` up to the closing brace.
    fn parse_braces(&mut self) -> Result<(u32, Option<u32>), &'static str> {
        let min = self.parse_count().ok_or("the number of repetitions is missing")?;
        let max = if self.accept_byte(b',') { self.parse_count() } else { Some(min) };
        if self.peek_byte() != Some(b'}') || max.is_some_and(|max| max < min) {
            return Err("the number of repetitions in `{` and `}` is invalid");
        }
        Ok((min, max))
    }

    fn parse_count(&mut self) -> Option<u32> {
        let start = self.position;
        while self.peek_byte().is_some_and(|b| b.is_ascii_digit()) {
            self.position += 1;
        }
        let digits = std::str::from_utf8(&self.text[start..self.position]).ok()?;
        if digits.is_empty() { None } else { Some(digits.parse().unwrap_or(MAX_REPETITIONS).min(MAX_REPETITIONS)) }
    }

    /// Parses the rest of a class, up to its closing bracket. A backslash is a literal.
    fn parse_bracket_class(&mut self) -> Result<RegexByteSet, &'static str> {
        let negated = self.accept_byte(b'^');
        let mut found = RegexByteSet::empty_set();
        let start = self.position;
        loop {
            let first = self.peek_byte().ok_or("a `[` is not closed")?;
            if first == b']' && self.position > start {
                self.position += 1;
                return Ok(if negated { found.complement() } else { found });
            }
            if let Some(named) = self.parse_named_class()? {
                found = found.union_with(&named);
                continue;
            }
            self.position += 1;
            let range = self.peek_byte() == Some(b'-') && self.text.get(self.position + 1).is_some_and(|b| *b != b']');
            let last = if range { self.text.get(self.position + 1).copied().unwrap_or(first) } else { first };
            self.position += if range { 2 } else { 0 };
            if last < first {
                return Err("a range of characters is reversed");
            }
            found = found.union_with(&RegexByteSet::from_range(first, last));
        }
    }

    /// Parses a named class such as `[:alpha:]`.
    fn parse_named_class(&mut self) -> Result<Option<RegexByteSet>, &'static str> {
        if !self.text[self.position..].starts_with(b"[:") {
            return Ok(None);
        }
        let rest = &self.text[self.position + 2..];
        let end = rest.windows(2).position(|w| w == b":]").ok_or("a `[:` is not closed")?;
        let found = RegexByteSet::from_posix_class(&rest[..end]).ok_or("the name of a class is unknown")?;
        self.position += end + 4;
        Ok(Some(found))
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::panic, reason = "tests")]
    use super::*;

    fn format_syntax(pattern: &str) -> String {
        PosixRegex::parse_regex(pattern.as_bytes()).unwrap().to_format_syntax()
    }

    #[test]
    fn expressions_are_written_in_the_other_dialect() {
        for (posix, written) in [
            ("[a-z]+", "[a-z]+"),
            ("(foo|bar)x?", "(foo|bar)x?"),
            ("[][,0-9]{2,}", r"[,0-9\[\]]{2,}"),
            (r"[\]", r"\\"),
            (r"\.\(a", r"\.\(a"),
            ("^a{3}$", "a{3}"),
            ("[[:digit:]]", "[0-9]"),
            ("(a|(b|c))*", "(a|b|c)*"),
        ] {
            assert_eq!(format_syntax(posix), written, "{posix}");
        }
    }

    #[test]
    fn uniform_sets_and_finite_word_lists_are_recognized() {
        let pattern = |p: &str| PosixRegex::parse_regex(p.as_bytes()).unwrap();
        assert_eq!(pattern("[ab][ab]*").uniform_byte_set(), Some(RegexByteSet::from_range(b'a', b'b')));
        assert_eq!(pattern("(a|b){3}").uniform_byte_set(), Some(RegexByteSet::from_range(b'a', b'b')));
        assert_eq!(pattern("[ab]c").uniform_byte_set(), None);
        assert_eq!(pattern("[ab]{2,3}").length_range(), (2, Some(3)));
        assert_eq!(pattern("(no|yes)").enumerate_words(9).unwrap(), [b"no".to_vec(), b"yes".to_vec()]);
        assert_eq!(pattern("(2|3)(c|d)").enumerate_words(9).unwrap().len(), 4);
        assert_eq!(pattern("[a-z]{3}").enumerate_words(99), None);
        assert_eq!(pattern("a{1000000}").enumerate_words(99), None);
    }

    #[test]
    fn pieces_are_cut_at_blanks() {
        let pieces = PosixRegex::parse_regex(b"[a-z]+ x\n").unwrap().split_at_blanks();
        assert_eq!(pieces.len(), 4);
        assert_eq!((&pieces[1], &pieces[3]), (&RegexPiece::Space, &RegexPiece::Newline));
        assert_eq!(PosixRegex::parse_regex(b"[a ]+").unwrap().split_at_blanks().len(), 1);
    }

    #[test]
    fn malformed_expressions_are_rejected() {
        for broken in ["(", ")", "[a", "*a", "a{", "a{2", "a{3,2}", "[z-a]", "[[:x:]]", "\\", "[[:"] {
            assert!(PosixRegex::parse_regex(broken.as_bytes()).is_err(), "{broken}");
        }
        assert!(PosixRegex::parse_regex("(".repeat(100_000).as_bytes()).is_err());
        assert!(PosixRegex::parse_regex(format!("a{}", "*".repeat(100_000)).as_bytes()).is_err());
    }
}
