//! Regular expressions of scripts: POSIX extended ones, as `REGEX` has them.
//!
//! They are read into a tree, because the format language has better words for most of them (`over`, `one of`, a
//! length), and writes the others another way: inside brackets a backslash is a letter here and an escape there.

use super::letters::Letters;

/// What an expression matches.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Pattern {
    /// One character of these.
    One(Letters),
    /// One after the other.
    All(Vec<Pattern>),
    /// Any of these.
    Any(Vec<Pattern>),
    /// The same so many times: at least, and at most if there is a limit.
    Times(Box<Pattern>, u32, Option<u32>),
}

/// How deep brackets may nest.
const DEEPEST: usize = 32;

/// How large a number of repetitions may be.
const MOST_TIMES: u32 = 1_000_000;

impl Pattern {
    /// Reads an expression.
    ///
    /// # Errors
    /// What is wrong with it.
    pub(super) fn parse(text: &[u8]) -> Result<Pattern, &'static str> {
        let mut reader = Reader { text, at: 0, depth: 0 };
        let found = reader.alternatives()?;
        if reader.at < text.len() {
            return Err("there is a `)` too many");
        }
        Ok(found)
    }

    /// These very characters.
    pub(super) fn literal(text: &[u8]) -> Pattern {
        Pattern::All(text.iter().map(|b| Pattern::One(Letters::one(*b))).collect())
    }

    /// The pieces between blanks and line feeds that stand in it once and by themselves.
    pub(super) fn pieces(&self) -> Vec<Piece> {
        let parts = match self {
            Pattern::All(parts) => parts.clone(),
            other => vec![other.clone()],
        };
        let mut found = Vec::new();
        let mut piece = Vec::new();
        for part in parts {
            let gap = match &part {
                Pattern::One(letters) => letters.only().filter(|b| b" \n".contains(b)),
                _ => None,
            };
            let Some(gap) = gap else {
                piece.push(part);
                continue;
            };
            if !piece.is_empty() {
                found.push(Piece::Token(joined(std::mem::take(&mut piece))));
            }
            found.push(if gap == b' ' { Piece::Space } else { Piece::Newline });
        }
        if !piece.is_empty() || found.is_empty() {
            found.push(Piece::Token(joined(piece)));
        }
        found
    }

    /// All characters that it can produce.
    pub(super) fn letters(&self) -> Letters {
        match self {
            Pattern::One(letters) => letters.clone(),
            Pattern::All(parts) | Pattern::Any(parts) => {
                parts.iter().fold(Letters::none(), |found, part| found.with(&part.letters()))
            }
            Pattern::Times(inner, ..) => inner.letters(),
        }
    }

    /// The same with these characters only.
    #[must_use]
    pub(super) fn limited(&self, allowed: &Letters) -> Pattern {
        let all = |parts: &[Pattern]| parts.iter().map(|p| p.limited(allowed)).collect();
        match self {
            Pattern::One(letters) => Pattern::One(letters.within(allowed)),
            Pattern::All(parts) => Pattern::All(all(parts)),
            Pattern::Any(parts) => Pattern::Any(all(parts)),
            Pattern::Times(inner, least, most) => Pattern::Times(Box::new(inner.limited(allowed)), *least, *most),
        }
    }

    /// How many characters it matches: at least, and at most if there is a limit.
    pub(super) fn lengths(&self) -> (u32, Option<u32>) {
        match self {
            Pattern::One(_) => (1, Some(1)),
            Pattern::All(parts) => parts.iter().map(Pattern::lengths).fold((0, Some(0)), |(least, most), part| {
                let most = most.zip(part.1).map(|(a, b)| a.saturating_add(b));
                (least.saturating_add(part.0), most)
            }),
            Pattern::Any(parts) => {
                let lengths: Vec<_> = parts.iter().map(Pattern::lengths).collect();
                let least = lengths.iter().map(|l| l.0).min().unwrap_or(0);
                (
                    least,
                    lengths.iter().map(|l| l.1).collect::<Option<Vec<_>>>().map(|m| m.into_iter().max().unwrap_or(0)),
                )
            }
            Pattern::Times(inner, least, most) => {
                let (low, high) = inner.lengths();
                let most = if high == Some(0) { Some(0) } else { most.zip(high).map(|(a, b)| a.saturating_mul(b)) };
                (least.saturating_mul(low), most)
            }
        }
    }

    /// The characters, if it matches every text of them within its lengths.
    pub(super) fn run(&self) -> Option<Letters> {
        match self {
            Pattern::One(letters) => Some(letters.clone()),
            Pattern::Times(inner, ..) => match **inner {
                Pattern::One(ref letters) => Some(letters.clone()),
                ref inner if inner.lengths() == (1, Some(1)) => inner.run(),
                _ => None,
            },
            Pattern::Any(parts) => {
                let single = parts.iter().all(|p| p.lengths() == (1, Some(1)));
                single.then(|| self.letters())
            }
            Pattern::All(parts) => {
                let mut runs = parts.iter().map(Pattern::run);
                let first = runs.next()??;
                runs.all(|run| run.as_ref() == Some(&first)).then_some(first)
            }
        }
    }

    /// All that it matches, in the order of writing; none if it is more than `limit`.
    pub(super) fn words(&self, limit: usize) -> Option<Vec<Vec<u8>>> {
        let found = match self {
            Pattern::One(letters) => letters.bytes().map(|b| vec![b]).collect(),
            Pattern::Any(parts) => {
                let mut found = Vec::new();
                for part in parts {
                    found.extend(part.words(limit)?);
                }
                found
            }
            Pattern::All(parts) => {
                let mut found: Vec<Vec<u8>> = vec![Vec::new()];
                for part in parts {
                    found = combined(&found, &part.words(limit)?, limit)?;
                }
                found
            }
            Pattern::Times(inner, least, most) => repeated(&inner.words(limit)?, *least, (*most)?, limit)?,
        };
        (found.len() <= limit).then_some(found)
    }

    /// As the format language writes it between quotes.
    pub(super) fn text(&self) -> String {
        match self {
            Pattern::One(letters) => letters.class(),
            Pattern::All(parts) => parts.iter().map(|p| p.grouped(matches!(p, Pattern::Any(_)))).collect(),
            Pattern::Any(parts) => parts.iter().map(Pattern::text).collect::<Vec<_>>().join("|"),
            Pattern::Times(inner, least, most) => {
                let inner = inner.grouped(!matches!(**inner, Pattern::One(_)));
                let times = match (least, most) {
                    (0, None) => "*".to_owned(),
                    (1, None) => "+".to_owned(),
                    (0, Some(1)) => "?".to_owned(),
                    (least, None) => format!("{{{least},}}"),
                    (least, Some(most)) if least == most => format!("{{{least}}}"),
                    (least, Some(most)) => format!("{{{least},{most}}}"),
                };
                inner + &times
            }
        }
    }

    fn grouped(&self, wanted: bool) -> String {
        if wanted { format!("({})", self.text()) } else { self.text() }
    }
}

/// A part of an expression between blanks and line feeds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Piece {
    /// What is matched between them.
    Token(Pattern),
    /// One blank.
    Space,
    /// One line feed.
    Newline,
}

fn joined(mut parts: Vec<Pattern>) -> Pattern {
    if parts.len() == 1 { parts.remove(0) } else { Pattern::All(parts) }
}

/// Each of these followed by each of those.
fn combined(firsts: &[Vec<u8>], seconds: &[Vec<u8>], limit: usize) -> Option<Vec<Vec<u8>>> {
    let size = firsts.len().checked_mul(seconds.len()).filter(|size| *size <= limit)?;
    let mut found = Vec::with_capacity(size);
    for first in firsts {
        for second in seconds {
            found.push([first.as_slice(), second].concat());
        }
    }
    Some(found)
}

/// So many of these one after the other.
fn repeated(words: &[Vec<u8>], least: u32, most: u32, limit: usize) -> Option<Vec<Vec<u8>>> {
    // Each repetition makes longer words, so a limit on their number is one on their length, too.
    if usize::try_from(most).is_ok_and(|most| most > limit) {
        return None;
    }
    let mut row: Vec<Vec<u8>> = vec![Vec::new()];
    let mut found = if least == 0 { row.clone() } else { Vec::new() };
    for times in 1..=most {
        row = combined(&row, words, limit)?;
        if times >= least {
            found.extend(row.iter().cloned());
        }
    }
    (found.len() <= limit).then_some(found)
}

struct Reader<'t> {
    text: &'t [u8],
    at: usize,
    depth: usize,
}

impl Reader<'_> {
    fn peek(&self) -> Option<u8> {
        self.text.get(self.at).copied()
    }

    fn take(&mut self, byte: u8) -> bool {
        let found = self.peek() == Some(byte);
        self.at += usize::from(found);
        found
    }

    fn alternatives(&mut self) -> Result<Pattern, &'static str> {
        self.depth += 1;
        if self.depth > DEEPEST {
            return Err("it is nested too deeply");
        }
        let mut found = vec![self.sequence()?];
        while self.take(b'|') {
            found.push(self.sequence()?);
        }
        self.depth -= 1;
        Ok(if found.len() == 1 { found.remove(0) } else { Pattern::Any(found) })
    }

    fn sequence(&mut self) -> Result<Pattern, &'static str> {
        let mut found = Vec::new();
        while let Some(byte) = self.peek().filter(|b| !b"|)".contains(b)) {
            // An anchor says where the match begins and ends: there it begins and ends anyway.
            if b"^$".contains(&byte) {
                self.at += 1;
                continue;
            }
            let one = self.one(byte)?;
            found.push(self.times(one)?);
        }
        Ok(joined(found))
    }

    fn one(&mut self, byte: u8) -> Result<Pattern, &'static str> {
        self.at += 1;
        Ok(match byte {
            b'(' => {
                let inside = self.alternatives()?;
                if !self.take(b')') {
                    return Err("a `(` is never closed");
                }
                inside
            }
            b'[' => Pattern::One(self.class()?),
            b'.' => Pattern::One(Letters::all()),
            b'\\' => {
                let escaped = self.peek().ok_or("it ends with a backslash")?;
                self.at += 1;
                Pattern::One(Letters::one(escaped))
            }
            b'*' | b'+' | b'?' | b'{' => return Err("there is nothing to repeat"),
            other => Pattern::One(Letters::one(other)),
        })
    }

    fn times(&mut self, mut inner: Pattern) -> Result<Pattern, &'static str> {
        let mut stacked = 0;
        while let Some(byte) = self.peek() {
            let (least, most) = match byte {
                b'*' => (0, None),
                b'+' => (1, None),
                b'?' => (0, Some(1)),
                b'{' => {
                    self.at += 1;
                    self.braces()?
                }
                _ => break,
            };
            stacked += 1;
            if stacked > DEEPEST {
                return Err("it is nested too deeply");
            }
            self.at += 1;
            inner = Pattern::Times(Box::new(inner), least, most);
        }
        Ok(inner)
    }

    /// `{2}`, `{2,}`, `{2,5}`, up to the closing brace.
    fn braces(&mut self) -> Result<(u32, Option<u32>), &'static str> {
        let least = self.number().ok_or("a number of repetitions is missing")?;
        let most = if self.take(b',') { self.number() } else { Some(least) };
        if self.peek() != Some(b'}') || most.is_some_and(|most| most < least) {
            return Err("its `{` and `}` hold no numbers of repetitions");
        }
        Ok((least, most))
    }

    fn number(&mut self) -> Option<u32> {
        let start = self.at;
        while self.peek().is_some_and(|b| b.is_ascii_digit()) {
            self.at += 1;
        }
        let digits = std::str::from_utf8(&self.text[start..self.at]).ok()?;
        if digits.is_empty() { None } else { Some(digits.parse().unwrap_or(MOST_TIMES).min(MOST_TIMES)) }
    }

    /// The rest of a class, up to its bracket. A backslash is a letter like any other.
    fn class(&mut self) -> Result<Letters, &'static str> {
        let negated = self.take(b'^');
        let mut found = Letters::none();
        let start = self.at;
        loop {
            let first = self.peek().ok_or("a `[` is never closed")?;
            if first == b']' && self.at > start {
                self.at += 1;
                return Ok(if negated { found.others() } else { found });
            }
            if let Some(named) = self.named()? {
                found = found.with(&named);
                continue;
            }
            self.at += 1;
            let range = self.peek() == Some(b'-') && self.text.get(self.at + 1).is_some_and(|b| *b != b']');
            let last = if range { self.text.get(self.at + 1).copied().unwrap_or(first) } else { first };
            self.at += if range { 2 } else { 0 };
            if last < first {
                return Err("a range of letters runs backwards");
            }
            found = found.with(&Letters::range(first, last));
        }
    }

    /// `[:alpha:]` and its like.
    fn named(&mut self) -> Result<Option<Letters>, &'static str> {
        if !self.text[self.at..].starts_with(b"[:") {
            return Ok(None);
        }
        let rest = &self.text[self.at + 2..];
        let end = rest.windows(2).position(|w| w == b":]").ok_or("a class has no end")?;
        let found = Letters::named(&rest[..end]).ok_or("there is no class of this name")?;
        self.at += end + 4;
        Ok(Some(found))
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::panic, reason = "tests")]
    use super::*;

    fn text(pattern: &str) -> String {
        Pattern::parse(pattern.as_bytes()).unwrap().text()
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
            assert_eq!(text(posix), written, "{posix}");
        }
    }

    #[test]
    fn runs_and_words_are_seen() {
        let pattern = |p: &str| Pattern::parse(p.as_bytes()).unwrap();
        assert_eq!(pattern("[ab][ab]*").run(), Some(Letters::range(b'a', b'b')));
        assert_eq!(pattern("(a|b){3}").run(), Some(Letters::range(b'a', b'b')));
        assert_eq!(pattern("[ab]c").run(), None);
        assert_eq!(pattern("[ab]{2,3}").lengths(), (2, Some(3)));
        assert_eq!(pattern("(no|yes)").words(9).unwrap(), [b"no".to_vec(), b"yes".to_vec()]);
        assert_eq!(pattern("(2|3)(c|d)").words(9).unwrap().len(), 4);
        assert_eq!(pattern("[a-z]{3}").words(99), None);
        assert_eq!(pattern("a{1000000}").words(99), None);
    }

    #[test]
    fn pieces_are_cut_at_blanks() {
        let pieces = Pattern::parse(b"[a-z]+ x\n").unwrap().pieces();
        assert_eq!(pieces.len(), 4);
        assert_eq!((&pieces[1], &pieces[3]), (&Piece::Space, &Piece::Newline));
        assert_eq!(Pattern::parse(b"[a ]+").unwrap().pieces().len(), 1);
    }

    #[test]
    fn broken_ones_are_refused() {
        for broken in ["(", ")", "[a", "*a", "a{", "a{2", "a{3,2}", "[z-a]", "[[:x:]]", "\\", "[[:"] {
            assert!(Pattern::parse(broken.as_bytes()).is_err(), "{broken}");
        }
        assert!(Pattern::parse("(".repeat(100_000).as_bytes()).is_err());
        assert!(Pattern::parse(format!("a{}", "*".repeat(100_000)).as_bytes()).is_err());
    }
}
