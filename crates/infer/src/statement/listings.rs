//! Reads what one sentence lists: quantities, names and lengths, in their order.

use super::chains::{TermParser, name_of_token};
use super::parts::StatedKind;
use super::quantities::{LETTER_NOUNS, ListedName, Listing, Quantity, length_at, quantity_at};
use super::ranges::skip_range;
use super::tokens::{DASH, Token, are_words_at, is_index_at, is_word, is_word_at, split_formula, split_tokens};
use rebut_format::syntax::SyntaxTerm;

/// Nouns of things in a row, which have a length as texts do.
const SEQUENCE_NOUNS: &[&str] = &["array", "sequence", "list", "permutation"];

/// Words after which a sentence explains what was listed before.
const EXPLAINING_WORDS: &[&str] =
    &["where", "such", "meaning", "indicating", "denoting", "denotes", "if", "means", "which", "representing", "so"];

/// Words before the meaning of a line.
const MEANING_WORDS: &[&str] = &["describing", "describes", "describe"];

/// Words before what a line has.
const CONTAINING_WORDS: &[&str] =
    &["contains", "contain", "containing", "with", "consists", "consisting", "has", "using"];

/// Words before `of` and what a line has.
const COLLECTING_WORDS: &[&str] = &["consist", "consists", "consisting", "list", "sequence", "array", "permutation"];

/// Words between two things of a line.
const CONNECTING_WORDS: &[&str] = &["and", "by", "with", "then", "contains", "contain", "containing", "the", "also"];

/// Reads the listings of one sentence.
pub(super) struct ListingReader<'t> {
    sentence: &'t [Token],
    /// The whole text.
    tokens: &'t [Token],
    known: &'t [String],
    listings: Vec<Listing>,
    /// True after a colon or a dash: what follows explains the things listed before, and may name them.
    is_explaining: bool,
    /// True after `describing`: what follows is the meaning of a line up to its contents.
    is_meaning: bool,
}

impl ListingReader<'_> {
    /// Returns a reader of a sentence. `tokens` are the whole text, `known` the names of earlier lines.
    pub(super) fn new<'t>(sentence: &'t [Token], tokens: &'t [Token], known: &'t [String]) -> ListingReader<'t> {
        ListingReader { sentence, tokens, known, listings: Vec::new(), is_explaining: false, is_meaning: false }
    }

    /// Reads the whole sentence.
    pub(super) fn read_all(mut self) -> Vec<Listing> {
        let mut at = 0;
        while let Some(token) = self.sentence.get(at) {
            if is_word(token, EXPLAINING_WORDS)
                && self.listings.last().is_some_and(|last| last.is_full() || last.quantity.is_none())
            {
                self.take_later_length(at);
                break;
            }
            if are_words_at(self.sentence, at, &["each", "of", "which"]) && !self.listings.is_empty() {
                break;
            }
            at = self.read_at(token, at);
        }
        self.listings
    }

    /// Reads what begins at a token, and returns the position after it.
    fn read_at(&mut self, token: &Token, at: usize) -> usize {
        if let Token::Comparison(_) = token {
            // The other side of a comparison is a bound, unless it is the name between two bounds.
            let is_bound = matches!(self.sentence.get(at + 1), Some(Token::Number(_)));
            return match TermParser::read_sum_at(self.sentence, at + 1) {
                Some((_, after)) if is_bound => after,
                _ => at + 1,
            };
        }
        self.is_explaining |= self.begins_explanation(token, at);
        if let Token::Word(word) = token {
            self.is_meaning =
                MEANING_WORDS.contains(&word.as_str()) || self.is_meaning && !CONTAINING_WORDS.contains(&word.as_str());
        }
        if let Some(after) = skip_range(self.sentence, at) {
            // "at most 100 letters"
            if self.listings.is_empty() && is_word_at(self.sentence, after, LETTER_NOUNS) {
                self.listings.push(Listing {
                    quantity: Some(Quantity::Fixed(1)),
                    are_letters: true,
                    is_described: false,
                    kind: Some(StatedKind::Text),
                    names: Vec::new(),
                });
            }
            return after;
        }
        if let Some((listing, after)) = quantity_at(self.sentence, at) {
            let is_listed = listing.are_letters || self.continues_listing(at);
            if is_listed && !self.is_explaining && !self.is_meaning {
                self.take_quantity(listing, at);
            }
            return after;
        }
        if let Some((length, after)) = length_at(self.sentence, at) {
            if !self.is_explaining && !self.is_meaning {
                self.take_stated_length(length, at);
            }
            return after;
        }
        if let Some(name) = name_of_token(token, self.tokens).filter(|_| self.is_field_name(at)) {
            self.take_name(name, at);
        }
        at + 1
    }

    /// Returns true if a name has a subscript that it does not have before.
    fn has_new_subscript(&self, at: usize) -> bool {
        let Some(token @ Token::Name { subscript: Some(_), .. }) = self.sentence.get(at) else { return false };
        !self.sentence[..at].contains(token)
    }

    /// Returns true unless a name is quoted, an ordinal, an index, or part of the meaning of a line.
    fn is_field_name(&self, at: usize) -> bool {
        let before = at.checked_sub(1).map(|before| &self.sentence[before]);
        let is_quoted = matches!(before, Some(Token::Sign('\'' | '`' | '"')));
        let hyphens = self.sentence[at + 1..].iter().take_while(|token| **token == Token::Sign('-')).count();
        let is_index = is_index_at(self.sentence, at);
        let is_ordinal = is_word_at(self.sentence, at + 1 + hyphens, &["th"]);
        !is_quoted && !is_index && !self.is_meaning && !is_ordinal && !self.is_listed_letter(at)
    }

    /// Returns true for a letter that texts consist of: `contains only the symbols H, Q and +`.
    fn is_listed_letter(&self, at: usize) -> bool {
        /// Maximum number of letters and signs before it.
        const MAX_LISTED: usize = 60;
        let is_listed = |token: &&Token| {
            matches!(token, Token::Name { .. } | Token::Number(_) | Token::Sign(_)) || is_word(token, &["and", "or"])
        };
        let listed = self.sentence[..at].iter().rev().take(MAX_LISTED).take_while(is_listed).count();
        let before = &self.sentence[..at - listed];
        let is_noun =
            before.last().is_some_and(|token| is_word(token, &["characters", "letters", "symbols", "digits"]));
        is_noun && before.iter().rev().skip(1).take(2).any(|token| is_word(token, &["only"]))
    }

    /// Returns true if what follows a token explains the things listed before.
    fn begins_explanation(&self, token: &Token, at: usize) -> bool {
        let is_dash = *token == Token::Sign(DASH);
        let has_quantity = self.listings.iter().any(|listing| listing.quantity.is_some());
        let is_number_of = are_words_at(self.sentence, at + 1, &["the", "number", "of"]);
        let is_described = self.listings.last().is_some_and(|last| last.is_described);
        (is_dash || *token == Token::Sign(':')) && has_quantity
            || *token == Token::Sign(',') && is_number_of && !self.listings.is_empty() && !is_described
    }

    /// Returns true if a number at a place counts the things that come next, and not those listed before.
    fn continues_listing(&self, at: usize) -> bool {
        let Some(before) = at.checked_sub(1).map(|before| &self.sentence[before]) else { return true };
        let is_consisting = at > 1 && is_word(&self.sentence[at - 2], COLLECTING_WORDS);
        match self.listings.is_empty() {
            true => true,
            false => *before == Token::Sign(',') || is_consisting || is_word(before, CONNECTING_WORDS),
        }
    }

    fn take_quantity(&mut self, listing: Listing, at: usize) {
        let before = at.checked_sub(1).map(|before| &self.sentence[before]);
        let is_inside = before.is_some_and(|token| is_word(token, &["of", "with", "containing"]));
        if listing.are_letters && is_inside && !self.listings.is_empty() {
            // "a string of n characters"
            if let Some(quantity @ Quantity::Sized(_)) = listing.quantity {
                self.take_length(quantity);
            }
            return;
        }
        let is_counted = self.listings.last().is_some_and(|last| last.quantity.is_some() && !last.is_described);
        if listing.is_described && is_counted {
            return;
        }
        let has_one = matches!(listing.quantity, Some(Quantity::Fixed(1)));
        let is_apposition = has_one
            && matches!(before, Some(Token::Sign(',')))
            && self.listings.last().is_some_and(|last| last.names.is_empty())
            && !self.sentence[at..].iter().any(|token| is_word(token, &["and"]));
        if !is_apposition {
            self.listings.push(listing);
        }
    }

    /// Takes the length of a text that comes after its name: `a string s, which consists of n letters`.
    fn take_later_length(&mut self, at: usize) {
        let rest = &self.sentence[at..];
        let consists =
            |place: &usize| is_word(&rest[*place], &["consists", "consisting"]) && is_word_at(rest, place + 1, &["of"]);
        let Some(place) = (0..rest.len()).find(consists) else { return };
        if let Some((Listing { quantity: Some(quantity @ Quantity::Sized(_)), are_letters: true, .. }, _)) =
            quantity_at(rest, place + 2)
        {
            self.take_length(quantity);
        }
    }

    /// Takes `of length n` for the length of the last text or sequence. Several numbers have no length.
    fn take_stated_length(&mut self, length: SyntaxTerm, at: usize) {
        let last = self.listings.last_mut();
        if last.as_ref().is_some_and(|last| matches!(last.quantity, Some(Quantity::Fixed(2..)))) {
            return;
        }
        let is_text = last.as_ref().is_some_and(|last| last.kind == Some(StatedKind::Text));
        let is_sequence = self.sentence[..at].iter().any(|token| is_word(token, SEQUENCE_NOUNS));
        self.take_length(Quantity::Sized(length));
        if let (true, false, Some(last)) = (is_sequence, is_text, self.listings.last_mut()) {
            last.are_letters = false;
        }
    }

    /// Takes a length for that of the last text, or of the whole line.
    fn take_length(&mut self, length: Quantity) {
        match self.listings.last_mut() {
            Some(listing) => (listing.quantity, listing.are_letters) = (Some(length), true),
            None => self.listings.push(Listing {
                quantity: Some(length),
                are_letters: true,
                is_described: false,
                kind: None,
                names: Vec::new(),
            }),
        }
    }

    /// Returns true for a name behind `and`, or `followed by`, and a thing that has no name: `the name of a town and d`.
    fn is_behind_described(&self, at: usize) -> bool {
        let is_joined = at > 0 && is_word(&self.sentence[at - 1], &["and", "by"]);
        is_joined && self.listings.last().is_some_and(|last| last.is_described && last.names.is_empty())
    }

    fn take_name(&mut self, name: String, at: usize) {
        let is_named = |listing: &Listing| listing.names.iter().any(|listed| listed.name == name);
        // `t_0, t_1 and t_2` are three numbers, `a_1, ..., a_n` are one array.
        let is_another = self.listings.last().is_some_and(|last| {
            matches!(last.quantity, Some(Quantity::Fixed(2..))) && !last.is_full() && is_named(last)
        }) && !self.sentence[..at].contains(&Token::Dots)
            && self.has_new_subscript(at);
        if !is_another && self.listings.iter().any(is_named) {
            add_length(&mut self.listings, &name, self.sentence, at);
            return;
        }
        let listed = ListedName { name, length: None };
        let is_behind_described = self.is_behind_described(at);
        let is_known = self.known.contains(&listed.name);
        match self.listings.last_mut() {
            // "n integers, the heights of the n bottles"
            Some(last) if is_known && matches!(last.quantity, Some(Quantity::Sized(_) | Quantity::Pairs(_))) => {}
            Some(last) if last.quantity.is_some() && !last.is_full() && !is_behind_described => {
                last.names.push(listed);
            }
            // "the number of towns n and the home h"
            Some(last)
                if last.is_described && follows_joint(self.sentence, at) && !self.known.contains(&listed.name) =>
            {
                self.listings.push(Listing {
                    quantity: Some(Quantity::Fixed(1)),
                    are_letters: false,
                    is_described: true,
                    kind: None,
                    names: vec![listed],
                });
            }
            Some(last) if last.quantity.is_some() => {}
            _ if is_known => {}
            Some(last) => last.names.push(listed),
            None => self.listings.push(Listing {
                quantity: None,
                are_letters: false,
                is_described: false,
                kind: None,
                names: vec![listed],
            }),
        }
    }
}

/// Returns true if only words are between a name and a comma, `and` or `by` before it.
fn follows_joint(sentence: &[Token], at: usize) -> bool {
    let is_inside = |token: &&Token| {
        matches!(token, Token::Word(word) if !matches!(word.as_str(), "and" | "by")) || **token == Token::Sign('\'')
    };
    let words = sentence[..at].iter().rev().take_while(is_inside).count();
    let before = (at - words).checked_sub(1).map(|before| &sentence[before]);
    before.is_some_and(|token| *token == Token::Sign(',') || is_word(token, &["and", "by"]))
}

/// Takes the last index of `a_1, ..., a_n` for the number of elements.
fn add_length(listings: &mut [Listing], name: &str, sentence: &[Token], at: usize) {
    let Some(Token::Name { subscript: Some(subscript), .. }) = sentence.get(at) else { return };
    let is_last = sentence[..at].iter().rev().take(2).any(|before| *before == Token::Dots);
    let named = listings.iter_mut().flat_map(|listing| &mut listing.names).find(|listed| listed.name == name);
    if let (true, Some(listed)) = (is_last, named) {
        let first = sentence[..at].iter().find_map(|token| match token {
            Token::Name { name: other, subscript: Some(first) } if *other == name => first.trim().parse::<u8>().ok(),
            _ => None,
        });
        let index = split_formula(subscript);
        let last = TermParser::read_sum_at(&index, 0).filter(|(_, after)| *after == index.len());
        listed.length = last.map(|(last, _)| match 1 - i128::from(first.unwrap_or(1)) {
            0 => last,
            more if more > 0 => last.into_operation("+", SyntaxTerm::from_number(more)),
            fewer => last.into_operation("-", SyntaxTerm::from_number(-fewer)),
        });
    }
}

// Reads lists of all texts that a field can have: `The string is one of the following:` and an item for each, or
// ``either `open' or `locked'``.

/// Maximum number of texts of a list.
const MAX_TEXTS: usize = 60;

/// Maximum number of characters of a text.
const MAX_LENGTH: usize = 40;

/// Minimum number of words of a text that goes on after a list.
const MIN_WORDS: usize = 4;

const TEXT_NOUNS: &[&str] = &["string", "strings", "word", "words", "name", "names", "text"];

/// Signs around a text.
const QUOTES: [char; 9] = ['{', '}', '`', '\'', '"', '“', '”', '‘', '’'];

/// Phrases before all texts of a choice.
const CHOICE_PHRASES: &[&str] = &["one of ", "either "];

/// Words between such a phrase and the texts.
const LIST_WORDS: &[&str] = &["the words", "the strings", "the following", "the texts"];

/// Names of environments of TeX, which markup leaves.
const ENVIRONMENTS: &[&str] = &["itemize", "enumerate"];

/// Returns the lists of texts in a text. `original` is the same in its own language.
pub(super) fn find_listed_texts(plain: &str, original: &str) -> Vec<Vec<String>> {
    let paragraphs: Vec<&str> = plain.split("\n\n").collect();
    let items: Vec<&str> = original.split("\n\n").map(str::trim).collect();
    if paragraphs.len() != items.len() {
        return Vec::new();
    }
    let introductions = (0..paragraphs.len()).filter(|at| introduces_texts(paragraphs[*at]));
    let lists = introductions.filter_map(|at| listed_after(&items[at + 1..]));
    lists.chain(CHOICE_PHRASES.iter().flat_map(|phrase| listed_inside(plain, phrase))).collect()
}

/// Returns the lists of quoted texts behind each occurrence of a phrase.
fn listed_inside(plain: &str, phrase: &str) -> Vec<Vec<String>> {
    plain.match_indices(phrase).filter_map(|(at, _)| quoted_texts(&plain[at + phrase.len()..])).collect()
}

/// Reads a list of quoted texts: ``the words `on', `off' or `idle'``. Remarks between the texts end it, and then it may
/// not be the whole list. Lists of letters are none.
fn quoted_texts(text: &str) -> Option<Vec<String>> {
    let mut texts = Vec::new();
    let mut rest = text.trim_start();
    let noun = LIST_WORDS.iter().find_map(|words| rest.strip_prefix(words));
    rest = noun.unwrap_or(rest).trim_start();
    while let Some((text, after)) = quoted_text(rest) {
        texts.push(text);
        let joint = after.trim_start_matches([',', ' ', '\n']);
        let next = ["or ", "and "].iter().find_map(|word| joint.strip_prefix(word)).unwrap_or(joint).trim_start();
        if next.len() == after.len() || quoted_text(next).is_none() {
            // The last text comes after `or`.
            let is_whole =
                !["(", "or "].iter().any(|more| after.trim_start_matches([',', ' ', '\n']).starts_with(more));
            let has_words = texts.iter().any(|text: &String| text.len() > 1);
            return (is_whole && has_words && (2..=MAX_TEXTS).contains(&texts.len())).then_some(texts);
        }
        rest = next;
    }
    None
}

/// Splits a text after the quoted or set word that it begins with.
fn quoted_text(text: &str) -> Option<(String, &str)> {
    let inside = text.trim_start_matches(QUOTES);
    let length = inside.find(|c: char| !is_plain(c)).unwrap_or(inside.len());
    let after = inside[length..].trim_start_matches(QUOTES);
    let is_quoted = inside.len() < text.len() && after.len() + length < inside.len();
    (is_quoted && (1..=MAX_LENGTH).contains(&length)).then(|| (inside[..length].to_owned(), after))
}

fn is_plain(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}

/// Returns true for a text with a last sentence before a list of all texts.
fn introduces_texts(paragraph: &str) -> bool {
    let Some(paragraph) = paragraph.trim_end().strip_suffix(':') else { return false };
    let sentence = paragraph.rsplit('.').next().unwrap_or_default();
    let tokens = split_tokens(sentence);
    let is_choice = |window: &[Token]| is_word(&window[0], &["one"]) && is_word(&window[1], &["of"]);
    tokens.windows(2).any(is_choice) && tokens.iter().any(|token| is_word(token, TEXT_NOUNS))
}

/// Returns the texts of the items at the beginning of some paragraphs, unless another short one comes after them.
fn listed_after(paragraphs: &[&str]) -> Option<Vec<String>> {
    let is_empty = |paragraph: &&&str| paragraph.is_empty() || ENVIRONMENTS.contains(*paragraph);
    let mut rest = paragraphs.iter().filter(|paragraph| !is_empty(paragraph)).take(MAX_TEXTS + 1).peekable();
    let mut texts = Vec::new();
    while let Some(text) = rest.peek().and_then(|paragraph| listed_text(paragraph)) {
        texts.push(text);
        rest.next();
    }
    let is_whole = rest.next().is_none_or(|next| next.split_whitespace().count() >= MIN_WORDS);
    (is_whole && (2..=MAX_TEXTS).contains(&texts.len())).then_some(texts)
}

/// Returns the text of an item that is a single word, perhaps in quotes or braces.
fn listed_text(item: &str) -> Option<String> {
    let item = item.trim_end_matches(['.', ',', ';']);
    let text = item.trim_matches(QUOTES);
    let is_text = !text.is_empty() && text.len() <= MAX_LENGTH && text.chars().all(is_plain);
    is_text.then(|| text.to_owned())
}

#[cfg(test)]
mod tests {
    use super::super::outline::tests::check_outlines;
    use super::*;
    use crate::statement::markup::plain_text;

    #[test]
    fn letters_that_texts_consist_of_are_no_names() {
        check_outlines(&[
            ("One line with a string s. It contains only the characters H, Q and 9.", "s:text"),
            (
                "The input has one line, which contains a program. The program contains only the symbols H, Q and +.",
                "none",
            ),
        ]);
    }

    fn listed(text: &str) -> Vec<String> {
        let plain = plain_text(text);
        find_listed_texts(&plain, &plain).iter().map(|texts| texts.join(" ")).collect()
    }

    #[test]
    fn items_of_lists_are_texts() {
        let list = "One line with a name. The string is one of the following:\n\\begin{itemize}\n\\item \\texttt{Ab}\n\\item \
                    \\texttt{C1}\n\\end{itemize}\n\n";
        assert_eq!(listed(&format!("{list}The string is the name of a town.")), ["Ab C1"]);
        assert_eq!(listed(list), ["Ab C1"]);
        assert_eq!(listed("The word is one of the following:\n\n- `x`\n- `yz`\n"), ["x yz"]);
        assert_eq!(
            listed("($s$ is one of ``\\texttt{on}'', ``\\texttt{off}'' or ``\\texttt{idle}'')"),
            ["on off idle"]
        );
        assert_eq!(listed("It is either `open` or `locked`, as the door is."), ["open locked"]);
        assert_eq!(listed("It starts with one of the words ``enter'' or ``leave''."), ["enter leave"]);
        assert_eq!(listed("<p>one of these words:</p><ul><li>\"on\"</li><li>\"off\"</li></ul>"), ["on off"]);
    }

    #[test]
    fn lists_of_other_things_are_no_texts() {
        for text in [
            "The string is one of the following:\n\n- `x`\n- `yz 5`\n",
            "The string is one of the following:\n\n- `x`\n",
            "Each line is one of the following:\n\n- `x`\n- `y`\n",
            "The string is one of the following:\n\n- the letter x\n- the letter y\n",
            "either ``straight'' (for a roll), ``low'' or ``high''",
            "either `a` or `bc` (the last one), or `de`",
            "each letter is either `x` or `y`",
            "one of x or yz",
            "The strings are these:\n\n- `x`\n- `y`\n",
        ] {
            assert!(listed(text).is_empty(), "{text}");
        }
    }
}
