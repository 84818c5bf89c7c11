//! The phrases that statements have in several languages, as data: `phrases.tsv`.

use super::tokens::{Token, is_unspaced, is_word};

/// The kinds of phrases, each with its phrases.
const TABLE: &str = include_str!("phrases.tsv");

/// Returns the phrases of a kind, which are lines without others between them: all of a long text's words are looked up.
pub(super) fn phrases_of(kind: &str) -> impl Iterator<Item = &'static str> {
    let start = TABLE.find(&format!("\n{kind}\t")).map_or(TABLE.len(), |before| before + 1);
    let phrase = move |line: &'static str| line.strip_prefix(kind)?.strip_prefix('\t');
    TABLE[start..].lines().map_while(phrase)
}

/// The words of a text, in which phrases are looked for.
#[derive(Debug)]
pub(super) struct Words {
    /// The words in lower case, each between spaces.
    spaced: String,
    /// The same without spaces.
    packed: String,
}

impl Words {
    pub(super) fn new(text: &str) -> Words {
        let words = text.split(|c: char| !c.is_alphanumeric() && c != '-').filter(|word| !word.is_empty());
        let spaced = words.fold(" ".to_owned(), |words, word| words + &word.to_lowercase() + " ");
        Words { packed: spaced.replace(' ', ""), spaced }
    }

    /// Returns true if the text has a phrase of a kind.
    pub(super) fn has_kind(&self, kind: &str) -> bool {
        phrases_of(kind).any(|phrase| match phrase.contains(is_unspaced) {
            true => self.packed.contains(&phrase.replace(' ', "")),
            false => self.spaced.contains(&format!(" {phrase} ")),
        })
    }

    /// Returns the first of some kinds that the whole text is a phrase of.
    pub(super) fn kind_of_phrase(&self, kinds: &[&'static str]) -> Option<&'static str> {
        let whole = self.spaced.trim();
        // Long texts have many lines, so the table is read once for each.
        let is_whole = |line: &&str| line.strip_suffix(whole).is_some_and(|kind| kind.ends_with('\t'));
        let mut lines = TABLE.lines().filter(is_whole).filter_map(|line| line.split_once('\t'));
        lines.find_map(|(found, _)| kinds.iter().copied().find(|kind| *kind == found))
    }
}

/// Returns the position behind a phrase of a kind that begins at a token. One without spaces may end a longer word.
pub(super) fn phrase_end(tokens: &[Token], at: usize, kind: &str) -> Option<usize> {
    let Token::Word(first) = tokens.get(at)? else { return None };
    let length = |phrase: &'static str| {
        if phrase.contains(is_unspaced) {
            return (first.ends_with(phrase) || first.starts_with(phrase)).then_some(1);
        }
        let words: Vec<&str> = phrase.split(' ').collect();
        let found = tokens[at..].iter().zip(&words).take_while(|(token, word)| is_word(token, &[word])).count();
        (found == words.len()).then_some(found)
    };
    phrases_of(kind).filter_map(length).max().map(|length| at + length)
}

/// Returns true if some tokens have a phrase of a kind.
pub(super) fn has_phrase(tokens: &[Token], kind: &str) -> bool {
    (0..tokens.len()).any(|at| phrase_end(tokens, at, kind).is_some())
}

/// Returns true for an `i` or `j` that counts things: `the i-th line`, but not `two integers i and j`.
pub(super) fn is_index_at(tokens: &[Token], at: usize) -> bool {
    let is_counter = matches!(&tokens[at], Token::Name { name, subscript: None } if matches!(name.as_str(), "i" | "j"));
    is_counter && !is_listed_number(tokens, at)
}

/// The word before the last of several names.
pub(super) const AND: &[&str] = &["and", "и", "et", "und", "과", "와", "と", "和"];

/// Returns true if a name is one of some numbers of a line: `two integers i and j`.
pub(super) fn is_listed_number(tokens: &[Token], at: usize) -> bool {
    // A bound may stand before the names: `integers 1 <= i, j <= n`.
    let is_listed = |token: &&Token| {
        matches!(token, Token::Name { .. } | Token::Sign(',') | Token::Comparison(_) | Token::Number(_))
            || is_word(token, AND)
    };
    let before = tokens[..at].iter().rposition(|token| !is_listed(&token));
    before.is_some_and(|before| phrase_end(tokens, before, "whole").is_some())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    /// All kinds that the inference uses.
    const KINDS: &[&str] = &[
        "condition",
        "aside",
        "input",
        "constraints",
        "scoring",
        "other",
        "case",
        "sum",
        "most",
        "least",
        "below",
        "bound",
        "between",
        "thing",
        "format",
        "list",
        "story",
        "joint",
        "point",
        "if",
        "whole",
        "loopless",
        "prime",
        "assured",
        "lowercase",
        "uppercase",
        "digit",
        "points",
        "group",
        "length",
        "derived",
        "filler",
        "text",
        "permutation",
        "tree",
        "distinct",
        "differ",
        "increasing",
        "decreasing",
        "nondecreasing",
        "nonincreasing",
        "simple",
        "connected",
        "acyclic",
        "balanced",
        "even",
        "odd",
        "arithmetic",
        "promise",
        "exception",
        "two",
        "three",
        "four",
        "five",
        "six",
        "next",
        "line",
        "property",
    ];

    #[test]
    fn each_line_has_a_known_kind_and_a_phrase() {
        let lines: Vec<&str> = TABLE.lines().filter(|line| !line.starts_with('#')).collect();
        for line in &lines {
            let (kind, phrase) = line.split_once('\t').unwrap_or_default();
            let kind = kind.strip_prefix("by-").unwrap_or(kind);
            assert!(KINDS.contains(&kind), "{line}");
            assert_eq!(phrase, phrase.trim().to_lowercase(), "{line}");
        }
        assert_eq!(lines.iter().collect::<BTreeSet<_>>().len(), lines.len());
        let with_words = |kind: &&str| phrases_of(kind).count() + phrases_of(&format!("by-{kind}")).count();
        let of_kinds: usize = KINDS.iter().map(with_words).sum();
        assert_eq!(of_kinds, lines.len(), "the lines of each kind follow each other");
        assert!(KINDS.iter().all(|kind| phrases_of(kind).next().is_some()));
    }

    #[test]
    fn phrases_are_whole_words_where_a_script_has_words() {
        for (text, kind, expected) in [
            ("The street is long.", "tree", false),
            ("the edges form a TREE.", "tree", true),
            ("保证输入是一棵树。", "tree", true),
            ("보장된다.", "promise", true),
            ("Все числа различны.", "distinct", true),
        ] {
            assert_eq!(Words::new(text).has_kind(kind), expected, "{text}");
        }
        assert_eq!(Words::new("**Input:**").kind_of_phrase(&["other", "input"]), Some("input"));
        assert_eq!(Words::new("input file").kind_of_phrase(&["input"]), None);
    }
}
