//! Regular expressions of scripts, which are POSIX extended ones.
//!
//! They are translated to the syntax of `regex_syntax`, which parses them. The format language has better ways to
//! express most of them (`over`, `one of`, a length); the rest is printed from the parsed expression.

use crate::letters::{letters_of_range, regex_class, single_letter};
use rebut_format::language::{Interval, MAX_NUMBER};
use regex_syntax::ast::ClassAsciiKind;
use regex_syntax::hir::literal::Extractor;
use regex_syntax::hir::{Class, ClassBytes, Hir, HirKind, Repetition};
use std::collections::BTreeSet;

/// A parsed regular expression.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Pattern {
    whole: Hir,
    /// Whether the script also accepts characters that a format does not have.
    pub(crate) is_narrowed: bool,
}

/// A part of an expression split at spaces and line feeds.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum PatternPiece {
    /// A token between them.
    Token(Pattern),
    /// One space.
    Space,
    /// One line feed.
    Newline,
}

/// Maximum number of nested parentheses and repetitions.
const MAX_NESTING: u32 = 256;

impl Pattern {
    /// Parses an expression.
    ///
    /// # Errors
    ///
    /// Returns what is wrong with it.
    pub(crate) fn parse(text: &[u8]) -> Result<Pattern, String> {
        PatternTranslator { text, ..PatternTranslator::default() }.into_pattern()
    }

    /// Parses an expression of testlib, in which spaces are left out, and a dot and a dollar sign are letters. A negated
    /// class has a blank only if `has_blanks`.
    ///
    /// # Errors
    ///
    /// Returns what is wrong with it.
    pub(crate) fn parse_testlib(text: &[u8], has_blanks: bool) -> Result<Pattern, String> {
        let mut is_escaped = false;
        let is_kept = |byte: &&u8| {
            let is_kept = is_escaped || **byte != b' ';
            is_escaped = **byte == b'\\' && !is_escaped;
            is_kept
        };
        let text: Vec<u8> = text.iter().filter(is_kept).copied().collect();
        let visible = letters_of_range(if has_blanks { b' ' } else { b'!' }, b'~');
        PatternTranslator { text: &text, testlib: Some(visible), ..PatternTranslator::default() }.into_pattern()
    }

    /// Returns the expression that matches exactly these characters.
    pub(crate) fn from_literal(text: &[u8]) -> Pattern {
        let is_narrowed = !text.iter().all(|b| matches!(b, b'\n' | b' '..=b'~'));
        Pattern { whole: Hir::literal(text), is_narrowed }
    }

    /// Splits the expression at top-level spaces and line feeds.
    pub(crate) fn split_at_blanks(&self) -> Vec<PatternPiece> {
        let parts = match self.whole.kind() {
            HirKind::Concat(parts) => parts.as_slice(),
            _ => std::slice::from_ref(&self.whole),
        };
        let token = |parts: &mut Vec<Hir>| {
            let mut token = Pattern { whole: Hir::concat(std::mem::take(parts)), is_narrowed: self.is_narrowed };
            // A line feed that is not at the top level stays in a token, which has none.
            token.is_narrowed |= token.to_format_syntax().contains("\\x0a");
            PatternPiece::Token(token)
        };
        let (mut found, mut pending) = (Vec::new(), Vec::new());
        for part in parts {
            let HirKind::Literal(literal) = part.kind() else {
                pending.push(part.clone());
                continue;
            };
            for text in literal.0.split_inclusive(|b| b" \n".contains(b)) {
                let (text, blank) = match text {
                    [text @ .., b' '] => (text, Some(PatternPiece::Space)),
                    [text @ .., b'\n'] => (text, Some(PatternPiece::Newline)),
                    text => (text, None),
                };
                pending.extend((!text.is_empty()).then(|| Hir::literal(text)));
                if let Some(blank) = blank {
                    found.extend((!pending.is_empty()).then(|| token(&mut pending)));
                    found.push(blank);
                }
            }
        }
        if !pending.is_empty() || found.is_empty() {
            found.push(token(&mut pending));
        }
        found
    }

    pub(crate) fn length_range(&self) -> Interval {
        let properties = self.whole.properties();
        let max = properties.maximum_len().map_or(MAX_NUMBER, |max| max as i128);
        Interval::new(properties.minimum_len().unwrap_or(0) as i128, max)
    }

    /// Returns the letters if the expression matches every text of them within its lengths.
    pub(crate) fn uniform_letters(&self) -> Option<ClassBytes> {
        uniform_letters(&self.whole)
    }

    /// Returns all matches once in the order of the expression, or `None` if there are more than `limit` or no end of
    /// them.
    pub(crate) fn enumerate_words(&self, limit: usize) -> Option<Vec<Vec<u8>>> {
        let mut extractor = Extractor::new();
        extractor.limit_class(limit).limit_repeat(limit).limit_literal_len(usize::MAX).limit_total(limit);
        let found = extractor.extract(&expand_repetitions(&self.whole, limit)?);
        let words = found.literals().filter(|_| found.is_exact())?;
        let mut seen = BTreeSet::new();
        Some(words.iter().map(|word| word.as_bytes().to_vec()).filter(|word| seen.insert(word.clone())).collect())
    }

    /// Formats the expression in the syntax of the format language.
    pub(crate) fn to_format_syntax(&self) -> String {
        let mut text = String::new();
        write_pattern(&self.whole, &mut text);
        text
    }
}

fn parse_translated(text: &str) -> Result<Hir, String> {
    let mut builder = regex_syntax::ParserBuilder::new();
    let parsed = builder.unicode(false).utf8(false).nest_limit(MAX_NESTING).build().parse(text);
    parsed.map_err(|error| match error {
        regex_syntax::Error::Parse(error) => error.kind().to_string(),
        regex_syntax::Error::Translate(error) => error.kind().to_string(),
        _ => "it cannot be parsed".to_owned(),
    })
}

/// Returns the set of single characters that an expression matches, if it matches nothing else.
fn letter_set(part: &Hir) -> Option<ClassBytes> {
    match part.kind() {
        HirKind::Literal(literal) => match *literal.0 {
            [letter] => Some(letters_of_range(letter, letter)),
            _ => None,
        },
        HirKind::Class(Class::Bytes(letters)) => Some(letters.clone()),
        HirKind::Class(Class::Unicode(letters)) => letters.to_byte_class(),
        _ => None,
    }
}

fn uniform_letters(part: &Hir) -> Option<ClassBytes> {
    match part.kind() {
        HirKind::Literal(literal) => {
            let first = *literal.0.first()?;
            literal.0.iter().all(|b| *b == first).then(|| letters_of_range(first, first))
        }
        HirKind::Repetition(repetition) => letter_set(&repetition.sub),
        HirKind::Concat(parts) => {
            let mut runs = parts.iter().map(uniform_letters);
            let first = runs.next()??;
            runs.all(|run| run.as_ref() == Some(&first)).then_some(first)
        }
        _ => letter_set(part),
    }
}

/// Writes repetitions of different numbers as alternatives, because the library lists only the others. Returns `None` if
/// there are more than `limit` matches or no end of them.
fn expand_repetitions(part: &Hir, limit: usize) -> Option<Hir> {
    let expand = |parts: &[Hir]| parts.iter().map(|p| expand_repetitions(p, limit)).collect::<Option<Vec<Hir>>>();
    Some(match part.kind() {
        HirKind::Concat(parts) => Hir::concat(expand(parts)?),
        HirKind::Alternation(parts) => Hir::alternation(expand(parts)?),
        HirKind::Repetition(repetition) => {
            let (min, max) = (repetition.min, repetition.max?);
            let with = |sub, min, max| Hir::repetition(Repetition { min, max: Some(max), greedy: true, sub });
            // Each number of repetitions but zero has at least as many matches as the repeated expression, so that the
            // limit bounds the copies of nested ones.
            let copies = usize::try_from(max - min.max(1) + 1).ok().filter(|copies| *copies <= limit)?;
            let sub = Box::new(expand_repetitions(&repetition.sub, limit / copies)?);
            match copies {
                1 => with(sub, min, max),
                _ => Hir::alternation((min..=max).map(|times| with(sub.clone(), times, times)).collect()),
            }
        }
        _ => part.clone(),
    })
}

fn write_pattern(part: &Hir, text: &mut String) {
    match part.kind() {
        HirKind::Empty | HirKind::Look(_) => {}
        HirKind::Literal(literal) => literal.0.iter().for_each(|b| *text += &regex_class(&letters_of_range(*b, *b))),
        HirKind::Class(_) => *text += &letter_set(part).as_ref().map(regex_class).unwrap_or_default(),
        HirKind::Capture(capture) => write_pattern(&capture.sub, text),
        HirKind::Concat(parts) => {
            parts.iter().for_each(|p| write_grouped(p, matches!(p.kind(), HirKind::Alternation(_)), text));
        }
        HirKind::Alternation(parts) => {
            for (i, part) in parts.iter().enumerate() {
                *text += if i > 0 { "|" } else { "" };
                write_pattern(part, text);
            }
        }
        HirKind::Repetition(repetition) => {
            write_grouped(&repetition.sub, letter_set(&repetition.sub).is_none(), text);
            *text += &match (repetition.min, repetition.max) {
                (0, None) => "*".to_owned(),
                (1, None) => "+".to_owned(),
                (0, Some(1)) => "?".to_owned(),
                (min, None) => format!("{{{min},}}"),
                (min, Some(max)) if min == max => format!("{{{min}}}"),
                (min, Some(max)) => format!("{{{min},{max}}}"),
            };
        }
    }
}

fn write_grouped(part: &Hir, is_grouped: bool, text: &mut String) {
    *text += if is_grouped { "(" } else { "" };
    write_pattern(part, text);
    *text += if is_grouped { ")" } else { "" };
}

/// Translates the syntax, in which a backslash in brackets is literal, and limits it to printable characters and line
/// feeds.
#[derive(Default)]
struct PatternTranslator<'t> {
    text: &'t [u8],
    /// For the dialect of testlib, the letters among which negated classes choose.
    testlib: Option<ClassBytes>,
    position: usize,
    output: String,
    is_narrowed: bool,
}

impl PatternTranslator<'_> {
    fn into_pattern(mut self) -> Result<Pattern, String> {
        let is_posix = self.testlib.is_none();
        while let Some(byte) = self.next_byte() {
            match byte {
                // Anchors have no effect, because the whole text is matched.
                b'^' | b'$' if is_posix => {}
                b'(' => self.output += "(?:",
                // Written `?`, it would make a repetition before it lazy.
                b'?' => self.output += "{0,1}",
                b')' | b'|' | b'*' | b'+' => self.output.push(char::from(byte)),
                b'{' => {
                    let length = self.text[self.position..].iter().position(|b| *b == b'}');
                    let counts = &self.text[self.position..][..length.ok_or("a `{` is not closed")?];
                    if !counts.first().is_some_and(u8::is_ascii_digit) {
                        return Err("the number of repetitions is missing".to_owned());
                    }
                    self.position += counts.len() + 1;
                    self.output += &format!("{{{}}}", String::from_utf8_lossy(counts));
                }
                b'[' => {
                    let letters = self.read_class()?;
                    self.push_letters(letters);
                }
                b'.' if is_posix => self.push_letters(letters_of_range(0, u8::MAX)),
                b'\\' => {
                    let escaped = self.next_byte().ok_or("it ends with a backslash")?;
                    self.push_letters(letters_of_range(escaped, escaped));
                }
                other => self.push_letters(letters_of_range(other, other)),
            }
        }
        Ok(Pattern { whole: parse_translated(&self.output)?, is_narrowed: self.is_narrowed })
    }

    fn next_byte(&mut self) -> Option<u8> {
        let byte = self.text.get(self.position).copied();
        self.position += 1;
        byte
    }

    /// Adds one of these letters.
    fn push_letters(&mut self, mut letters: ClassBytes) {
        if single_letter(&letters) != Some(b'\n') {
            let all = letters.clone();
            letters.intersect(&letters_of_range(b' ', b'~'));
            self.is_narrowed |= letters != all;
        }
        self.output += &regex_class(&letters);
    }

    /// Reads the rest of a class. Its members are escaped, and the library reads it.
    fn read_class(&mut self) -> Result<ClassBytes, String> {
        let (mut class, unclosed) = (String::from("["), "a `[` is not closed");
        let is_negated = self.text.get(self.position) == Some(&b'^');
        self.position += usize::from(is_negated);
        let start = self.position;
        loop {
            let rest = self.text.get(self.position..).unwrap_or_default();
            match rest.first().ok_or(unclosed)? {
                b']' if self.position > start || self.testlib.is_some() => break,
                b'[' if rest.starts_with(b"[:") && self.testlib.is_none() => {
                    let length = rest[2..].windows(2).position(|w| w == b":]").ok_or("a `[:` is not closed")? + 4;
                    let name = std::str::from_utf8(&rest[2..length - 2]).unwrap_or_default();
                    ClassAsciiKind::from_name(name).ok_or("the name of a class is unknown")?;
                    class += &String::from_utf8_lossy(&rest[..length]);
                    self.position += length;
                }
                _ => {
                    class += &self.read_member().ok_or(unclosed)?;
                    if let [b'-', last, ..] = self.text[self.position..]
                        && last != b']'
                    {
                        self.position += 1;
                        if self.text[self.position..].starts_with(b"[:") && self.testlib.is_none() {
                            return Err("a range ends with a class".to_owned());
                        }
                        class = class + "-" + &self.read_member().ok_or(unclosed)?;
                    }
                }
            }
        }
        self.position += 1;
        let empty = ClassBytes::empty();
        let named = if class == "[" && is_negated { None } else { Some(parse_translated(&(class + "]"))?) };
        let mut letters = named.as_ref().map_or(Some(empty), letter_set).ok_or("a class is empty")?;
        if is_negated {
            letters.negate();
            self.testlib.iter().for_each(|visible| letters.intersect(visible));
        }
        if letters.ranges().is_empty() { Err("a class is empty".to_owned()) } else { Ok(letters) }
    }

    /// Reads a member of a class, and returns it escaped.
    fn read_member(&mut self) -> Option<String> {
        let byte = self.next_byte()?;
        let byte = if byte == b'\\' && self.testlib.is_some() { self.next_byte()? } else { byte };
        Some(format!("\\x{byte:02x}"))
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::panic, reason = "tests")]
    use super::*;

    fn pattern(text: &str) -> Pattern {
        Pattern::parse(text.as_bytes()).unwrap()
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
            ("[+-][^!-}]", r"[+\-][ ~]"),
            ("[%--/]", r"[%-\-/]"),
            ("[a-z--/]", r"[\-./a-z]"),
            ("(a|(b|c))*", "(a|[bc])*"),
            ("(ab+?){2}", "(a(b+)?){2}"),
        ] {
            assert_eq!(pattern(posix).to_format_syntax(), written, "{posix}");
        }
        assert!(pattern("a.b").is_narrowed && !pattern("[ -~]\n").is_narrowed);
        let pieces = pattern("a|b\n").split_at_blanks();
        assert!(matches!(&pieces[..], [PatternPiece::Token(token)] if token.is_narrowed), "{pieces:?}");
    }

    #[test]
    fn uniform_sets_and_finite_word_lists_are_recognized() {
        assert_eq!(pattern("[ab][ab]*").uniform_letters(), Some(letters_of_range(b'a', b'b')));
        assert_eq!(pattern("(a|b){3}").uniform_letters(), Some(letters_of_range(b'a', b'b')));
        assert_eq!(pattern("aa").uniform_letters(), Some(letters_of_range(b'a', b'a')));
        assert_eq!(pattern("[ab]c").uniform_letters(), None);
        assert_eq!(pattern("[ab]{2,3}").length_range(), Interval::new(2, 3));
        assert_eq!(pattern("(no|yes)").enumerate_words(9).unwrap(), [b"no".to_vec(), b"yes".to_vec()]);
        assert_eq!(pattern("(2|3)(c|d)").enumerate_words(9).unwrap().len(), 4);
        for (repeated, words) in [
            ("(ab){1,2}", "ab abab"),
            ("a{0,3}", " a aa aaa"),
            ("(a|b|ab){1,2}", "a b ab aa aab ba bb bab aba abb abab"),
            ("((ab){0,2}c){1,2}", "c abc ababc cc cabc cababc abcc abcabc abcababc ababcc ababcabc ababcababc"),
        ] {
            let found = pattern(repeated).enumerate_words(12).map(|words| words.join(&b' '));
            assert_eq!(found.as_deref(), Some(words.as_bytes()), "{repeated}");
        }
        assert_eq!(pattern("((ab){0,2}c){1,2}").enumerate_words(11), None);
        assert_eq!(pattern(&format!("{}ab{}", "(".repeat(99), "){1,2}".repeat(99))).enumerate_words(99), None);
        assert_eq!(pattern("(ab){2,}").enumerate_words(99), None);
        assert_eq!(pattern("[a-z]{3}").enumerate_words(99), None);
        assert_eq!(pattern("a{1000000}").enumerate_words(99), None);
    }

    #[test]
    fn pieces_are_cut_at_blanks() {
        let pieces = pattern("[a-z]+ x\n").split_at_blanks();
        assert_eq!(pieces.len(), 4);
        assert_eq!((&pieces[1], &pieces[3]), (&PatternPiece::Space, &PatternPiece::Newline));
        assert_eq!(pattern("[a ]+").split_at_blanks().len(), 1);
    }

    #[test]
    fn malformed_expressions_are_rejected() {
        for broken in
            ["(", ")", "[a", "*a", "a{", "a{2", "a{3,2}", "[z-a]", "[[:x:]]", "\\", "[[:", "a|*", "a{,2}", "[[:]"]
        {
            assert!(Pattern::parse(broken.as_bytes()).is_err(), "{broken}");
        }
        assert!(Pattern::parse(b"[%-[:digit:]]").is_err());
        assert!(Pattern::parse("(".repeat(100_000).as_bytes()).is_err());
        assert!(Pattern::parse(format!("a{}", "*".repeat(100_000)).as_bytes()).is_err());
    }
}
