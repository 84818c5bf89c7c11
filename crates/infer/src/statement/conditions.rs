//! Finds sentences with conditions that ranges do not express, `It is guaranteed that all words are distinct`, and with letters
//! of texts.

use super::chains::{find_chains, has_open_term};
use super::markup::FORMULA;
use super::phrases::{phrase_end, phrases_of};
use super::sections::Sentence;
use super::tokens::{Token, is_word};
use crate::bound_terms::has_element;
use rebut_format::syntax::ComparisonChain;
use std::collections::BTreeSet;

/// A sentence with a condition on the input.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct StatedCondition {
    /// The sentence, shortened if it is long.
    pub(crate) sentence: String,
    /// The kinds of conditions that it has, by the phrases of the table.
    pub(crate) kinds: Vec<&'static str>,
    /// The names of fields in the sentence.
    pub(crate) names: Vec<String>,
    /// Its comparisons.
    pub(crate) chains: Vec<ComparisonChain>,
    /// True if the sentence has a comparison of which a side is not understood as a whole.
    pub(crate) is_open: bool,
    /// True for a sentence about points, or other pairs of numbers.
    pub(crate) is_about_points: bool,
    /// True for a sentence about a sum.
    pub(crate) is_sum: bool,
    /// True for a sentence of the story, which may be about the answer.
    pub(crate) is_aside: bool,
}

impl StatedCondition {
    pub(crate) fn has_kind(&self, kind: &str) -> bool {
        self.kinds.contains(&kind)
    }

    /// Returns true for a sentence about a sum that has no other condition.
    pub(crate) fn is_only_sum(&self) -> bool {
        self.is_sum && self.kinds.iter().all(|kind| matches!(*kind, "promise" | "sum"))
    }

    /// Returns true if a format has a rule for each kind of the sentence, and by `has_chain` all of its comparisons.
    pub(crate) fn is_expressed(&self, rules: &[&str], has_chain: impl Fn(&ComparisonChain) -> bool) -> bool {
        let words = |kind: &str| phrases_of(&format!("by-{kind}")).collect::<Vec<_>>();
        let has_rule = |kind: &str| {
            let words = words(kind);
            let mut fitting = rules.iter().filter(|rule| words.iter().any(|word| has_word(rule, word)));
            let named = |rule: &str| self.names.iter().any(|name| has_word(rule, name));
            let is_any =
                self.names.is_empty() || matches!(kind, "tree" | "connected" | "acyclic" | "simple" | "loopless");
            if is_any { fitting.next().is_some() } else { fitting.any(|rule| named(rule)) }
        };
        let has_chains = self.chains.iter().all(has_chain) && !self.is_open;
        let mut kinds = self.kinds.iter().filter(|kind| !words(kind).is_empty()).peekable();
        match kinds.peek() {
            Some(_) => has_chains && kinds.all(|kind| has_rule(kind)),
            None => has_chains && !(self.chains.is_empty() && self.has_kind("promise")),
        }
    }
}

/// Returns true if a rule has a word or a sign that is no part of a longer word.
fn has_word(rule: &str, word: &str) -> bool {
    let is_inside = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric()) && word.starts_with(char::is_alphanumeric);
    rule.match_indices(word)
        .any(|(at, _)| !is_inside(rule[..at].chars().next_back()) && !is_inside(rule[at + word.len()..].chars().next()))
}

/// Returns the sentences that have a condition or a comparison, each once. `tokens` are those of the whole text.
pub(super) fn find_conditions(sentences: &[Sentence], tokens: &[Token]) -> Vec<StatedCondition> {
    let mut found: Vec<StatedCondition> = Vec::new();
    for sentence in sentences {
        let (ordered, orders) = super::ranges::join_orders(&super::ranges::replace_ranges(&sentence.tokens));
        let is_bounded_sum = sentence.words.has_kind("sum") && sentence.words.has_kind("bound");
        let has_kind = |kind: &&str| match *kind {
            "sum" => is_bounded_sum,
            kind => sentence.words.has_kind(kind) || orders.iter().any(|order| order.predicate == kind),
        };
        let chains = find_chains(&ordered, tokens);
        let mut kinds: Vec<&'static str> = phrases_of("condition").filter(has_kind).collect();
        // The comparison has the condition on neighbours: `a_i != a_{i+1}, no two neighbours are equal`.
        let compares_places = chains.iter().flat_map(|chain| chain.lists.iter().flatten()).any(has_element);
        kinds.retain(|kind| *kind != "distinct" || !compares_places || !sentence.words.has_kind("exception"));
        let is_open = has_open_term(&ordered, tokens);
        if kinds.is_empty() && chains.is_empty() && !is_open {
            continue;
        }
        let names = sentence.field_names(tokens);
        let condition = StatedCondition {
            sentence: shown(&sentence.text),
            kinds,
            names,
            chains,
            is_open,
            is_about_points: sentence.words.has_kind("point"),
            is_sum: sentence.words.has_kind("sum"),
            is_aside: false,
        };
        if !found.contains(&condition) {
            found.push(condition);
        }
    }
    found
}

/// Returns the conditions of a story, which may be about the answer; so its comparisons are not about the input.
pub(super) fn find_asides(story: &[Sentence], tokens: &[Token]) -> Vec<StatedCondition> {
    let found = story.iter().flat_map(|sentence| {
        let conditions = find_conditions(std::slice::from_ref(sentence), tokens);
        let is_aside = !is_about_input(sentence);
        conditions.into_iter().map(move |condition| match is_aside {
            true => StatedCondition { is_aside, is_open: false, chains: Vec::new(), ..condition },
            false => condition,
        })
    });
    found.filter(|condition| !condition.is_aside || phrases_of("aside").any(|kind| condition.has_kind(kind))).collect()
}

/// Returns true for a sentence of a story that promises something, or has a property beside a name: `n even`, `n distinct integers a`.
fn is_about_input(sentence: &Sentence) -> bool {
    let has_property = |at: usize| {
        matches!(&sentence.tokens[at..], [property, _, Token::Name { .. }, ..] if is_word(property, &["distinct", "different", "unique"]))
            && phrase_end(&sentence.tokens, at + 1, "thing").is_some()
    };
    ["assured", "property"].iter().any(|kind| sentence.words.has_kind(kind))
        || (0..sentence.tokens.len()).any(has_property)
}

/// Returns a sentence as it is shown: without marks, and not longer than a line or two.
fn shown(sentence: &str) -> String {
    /// Maximum number of characters of a sentence that is shown.
    const MAX_SHOWN: usize = 160;
    let plain: String = sentence.chars().filter(|c| !matches!(*c, FORMULA | '{' | '}' | '*')).collect();
    match plain.char_indices().nth(MAX_SHOWN) {
        Some((end, _)) => format!("{}...", plain[..end].trim_end()),
        None => plain,
    }
}

// The letters that a statement lists for texts: `consisting of o and x`.

/// The letters that a sentence lists for texts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct StatedLetters {
    /// The names of fields in the sentence.
    pub(crate) names: Vec<String>,
    pub(crate) letters: BTreeSet<char>,
}

/// Returns the letters that sentences list. `tokens` are those of the whole text.
pub(super) fn find_letters(sentences: &[Sentence], tokens: &[Token]) -> Vec<StatedLetters> {
    let about_texts = sentences.iter().filter(|sentence| sentence.words.has_kind("text"));
    let listed = about_texts
        .map(|sentence| StatedLetters { names: sentence.field_names(tokens), letters: stated_letters(sentence) });
    listed.filter(|stated| !stated.letters.is_empty()).collect()
}

/// Returns the letters that a sentence lists, if there are several, and those of the kinds that it names: `lowercase letters and #`.
fn stated_letters(sentence: &Sentence) -> BTreeSet<char> {
    let words: Vec<&str> = sentence.text.split_whitespace().collect();
    let is_of = |word: &str, kind| {
        let word = word.strip_suffix([',', ':']).filter(|word| !word.is_empty()).unwrap_or(word).to_lowercase();
        phrases_of(kind).any(|phrase| word == phrase)
    };
    // In `there is a string`, the letter is an article.
    let is_article = |at: usize| {
        words[at] == "a" && words.get(at + 1).is_some_and(|next| single_letter(next).is_none() && !is_of(next, "joint"))
    };
    let letters_after = |at: usize| -> BTreeSet<char> {
        let letter_at = |at: usize| single_letter(words[at]).filter(|_| !is_article(at));
        let listed = (at + 1..words.len()).map(|at| (letter_at(at), is_of(words[at], "joint")));
        listed.take_while(|(letter, is_joint)| letter.is_some() || *is_joint).filter_map(|(letter, _)| letter).collect()
    };
    let classes = [("lowercase", 'a'..='z'), ("uppercase", 'A'..='Z'), ("digit", '0'..='9')];
    let classes = classes.into_iter().filter(|(kind, _)| sentence.words.has_kind(kind)).map(|(_, class)| class);
    let classes: Vec<_> = classes.collect();
    let least = if classes.is_empty() { 2 } else { 1 };
    let lists = (0..words.len()).filter(|at| is_of(words[*at], "list")).map(letters_after);
    let mut letters = lists.into_iter().find(|letters| letters.len() >= least).unwrap_or_default();
    for class in classes {
        // In `the letters a, b and c`, the list counts.
        if letters.iter().filter(|letter| class.contains(*letter)).count() < 2 {
            letters.extend(class);
        }
    }
    letters
}

/// Returns the letter that a word consists of, without quotes and what separates it from the next one.
fn single_letter(word: &str) -> Option<char> {
    const QUOTES: &[char] = &['\'', '`', '"', '“', '”', '‘', '’', '«', '»', '{', '}', FORMULA];
    let word = word.strip_suffix(|c: char| c == ',' || c == ';').unwrap_or(word);
    // The point that ends a sentence, unless it is the letter itself.
    let word = word.strip_suffix('.').filter(|rest| !rest.trim_matches(QUOTES).is_empty()).unwrap_or(word);
    let mut letters = word.trim_matches(QUOTES).chars();
    let letter = letters.next().filter(|c| c.is_ascii_graphic())?;
    letters.next().is_none().then_some(letter)
}

#[cfg(test)]
mod tests {
    use super::super::Statement;
    use std::collections::BTreeSet;

    fn letters(text: &str) -> String {
        let found = Statement::parse(text).letters;
        found.into_iter().flat_map(|stated| stated.letters).collect::<BTreeSet<char>>().into_iter().collect()
    }

    #[test]
    fn lists_of_letters_are_read() {
        let cases = [
            ("$S$ is a string of length $N$ consisting of `o` and `x`.", "ox"),
            ("The string consists of the characters \"#\", \".\" or 'S'.", "#.S"),
            ("Each character is either \\texttt{A}, \\texttt{B}, or \\texttt{D}.", "ABD"),
            ("Each letter is `L` or `R`.", "LR"),
            ("The string consists of only the digits `0', `1' and `3'.", "013"),
            ("Each character of $s$ is one of 'R', 'L' or '?'.", "?LR"),
            ("A string consisting of letters «<code>a</code>», «<code>b</code>» only.", "ab"),
            ("A string of lowercase English letters.", "abcdefghijklmnopqrstuvwxyz"),
            ("The string consists of digits, `-` and `.`", "-.0123456789"),
            ("The string s consists of words.", ""),
            ("The name of a or b is a word.", ""),
            ("Each of the n numbers is odd.", ""),
        ];
        for (text, expected) in cases {
            assert_eq!(letters(text), expected, "{text}");
        }
    }
}
