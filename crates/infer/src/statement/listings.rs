//! Reads what one sentence lists: quantities, names and lengths, in their order.

use super::chains::{TermParser, name_of_token};
use super::parts::StatedKind;
use super::quantities::{LETTER_NOUNS, ListedName, Listing, Quantity, length_at, quantity_at};
use super::ranges::skip_range;
use super::tokens::{DASH, Token, split_formula};
use super::words::{are_words_at, is_index_at, is_word, is_word_at};
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

#[cfg(test)]
mod tests {
    use super::super::outline::tests::check_outlines;

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
}
