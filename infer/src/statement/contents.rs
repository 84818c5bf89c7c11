//! Reads the description of a line in a statement: `three integers n, m and k`, `n integers a_1, ..., a_n`, `a string s`.

use super::chains::{TermParser, field_name};
use super::ranges::{StatedRange, find_ranges, skip_range};
use super::tokens::{DASH, Token, split_formula};
use super::words::{is_word, number_of_word};
use rebut_format::syntax::SyntaxTerm;

/// A part of a line as a statement describes it.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct StatedPart {
    pub(crate) name: Option<String>,
    pub(crate) form: StatedForm,
    /// The kind of the tokens, if the statement does not call them whole numbers.
    pub(crate) kind: Option<StatedKind>,
    /// The range of the numbers, or of the length of the text, if the statement gives it in words.
    pub(crate) range: Option<StatedRange>,
}

/// The kind of tokens that a statement names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum StatedKind {
    /// A word, even if samples have digits only.
    Text,
    /// A real number with this many decimals at most, even if samples have whole numbers only.
    Real(usize),
}

/// The form of a part of a line.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum StatedForm {
    Token,
    /// Numbers or words, as many as a size.
    Array(SyntaxTerm),
    /// A text of as many characters as a size.
    Text(SyntaxTerm),
}

/// Nouns of things that are numbers or words of a line.
const TOKEN_NOUNS: &[&str] = &[
    "integer",
    "integers",
    "number",
    "numbers",
    "value",
    "values",
    "real",
    "reals",
    "float",
    "floats",
    "decimal",
    "decimals",
    "string",
    "strings",
    "word",
    "words",
    "name",
    "names",
    "character",
    "letter",
    "digit",
    "coordinates",
    "naturals",
];
/// Nouns of things that stand side by side.
const LETTER_NOUNS: &[&str] = &["characters", "letters", "digits", "symbols", "chars"];
/// Nouns of two things.
const PAIR_NOUNS: &[&str] = &["pair", "pairs"];
/// Nouns of texts.
const TEXT_NOUNS: &[&str] = &["string", "strings", "word", "words", "name", "names", "letter", "character"];
/// Nouns of things in a row, which have a length as texts do.
const SEQUENCE_NOUNS: &[&str] = &["array", "sequence", "list", "permutation"];
/// Nouns and adjectives of real numbers.
const REAL_WORDS: &[&str] = &["real", "reals", "float", "floats", "floating", "decimal", "decimals"];
/// Nouns before `of` and a thing that has no name: `the number of rows`.
const PROPERTY_NOUNS: &[&str] =
    &["number", "name", "length", "size", "width", "height", "weight", "amount", "index", "id", "cost", "price"];
/// Nouns of lines that have one thing each, unless they are counted.
const UNCOUNTED_NOUNS: &[&str] = &["names", "words", "strings"];
/// Words between a number and its noun that are no adjectives.
const NO_ADJECTIVES: &[&str] = &["the", "of", "and", "in", "for", "a", "an", "is", "are", "to", "with", "or"];
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
/// Maximum number of words between a number and its noun.
const MAX_ADJECTIVES: usize = 4;
/// Maximum number of things of a line that a constant counts.
const MAX_TOKENS: i128 = 40;

/// The description of a line.
#[derive(Debug, Default)]
pub(super) struct Contents {
    pub(super) parts: Vec<StatedPart>,
    /// True if a number counts the things.
    pub(super) has_quantity: bool,
    /// The part of each of several lines that are only called words.
    pub(super) unnamed_part: Vec<StatedPart>,
}

/// How many things a statement lists, and which.
struct Listing {
    quantity: Option<Quantity>,
    are_letters: bool,
    /// True for `the number of rows`.
    is_described: bool,
    kind: Option<StatedKind>,
    names: Vec<ListedName>,
}

enum Quantity {
    Fixed(usize),
    Sized(SyntaxTerm),
}

struct ListedName {
    name: String,
    /// The number of elements of `a_1, ..., a_n`.
    length: Option<SyntaxTerm>,
}

/// Reads the parts that some sentences after the mention of a line list. `known` are the names of earlier lines.
pub(super) fn read_parts(sentences: &[Token], tokens: &[Token], known: &[String]) -> Contents {
    let decimals = stated_decimals(tokens);
    let ranges = find_ranges(sentences);
    let sentences = without_remarks(sentences);
    if has_counted_groups(&sentences) {
        return Contents::default();
    }
    let mut sentences = sentences.split(|token| *token == Token::Sign('.'));
    let read = |sentence: &[Token]| {
        let reader =
            ListingReader { sentence, tokens, known, listings: Vec::new(), is_explaining: false, is_meaning: false };
        let listings = reader.read_all();
        let has_quantity = listings.iter().any(|listing| listing.quantity.is_some());
        let are_words = sentence.iter().any(|token| is_word(token, UNCOUNTED_NOUNS));
        let unnamed = are_words.then_some(StatedPart {
            name: None,
            form: StatedForm::Token,
            kind: Some(StatedKind::Text),
            range: None,
        });
        let parts = listings.into_iter().flat_map(|listing| parts_of_listing(listing, decimals)).collect();
        Contents { parts, has_quantity, unnamed_part: unnamed.into_iter().collect() }
    };
    let mut first = sentences.next().map(read).unwrap_or_default();
    if !first.parts.is_empty() {
        take_ranges(&mut first.parts, ranges);
        return first;
    }
    // Later sentences mention names for other reasons.
    let has_words = !first.unnamed_part.is_empty();
    let is_listing = |contents: &Contents| !contents.parts.is_empty() && (contents.has_quantity || !has_words);
    let mut later = sentences.map(read).find(is_listing).unwrap_or_default();
    take_ranges(&mut later.parts, ranges);
    Contents { unnamed_part: first.unnamed_part, ..later }
}

/// Returns true for groups that a size counts, as in `n pairs of integers`. No part of a line is one.
fn has_counted_groups(tokens: &[Token]) -> bool {
    tokens.windows(2).any(|pair| {
        matches!(pair[0], Token::Name { .. } | Token::Sign(')')) && is_word(&pair[1], &["pairs", "triples", "tuples"])
    })
}

/// Takes the ranges in words for those of the parts. One range without a subject holds for all parts.
pub(super) fn take_ranges(parts: &mut [StatedPart], ranges: Vec<StatedRange>) {
    let ranges = take_named_ranges(parts, ranges);
    if ranges.len() != 1 && ranges.len() != parts.len() {
        return;
    }
    for (part, range) in parts.iter_mut().zip(ranges.into_iter().cycle()) {
        part.range = Some(range);
    }
}

/// Gives the ranges that are those of a name, as in `k is at most 10`, to its part, and returns the others. Where a
/// part has no name, the name may be its own.
fn take_named_ranges(parts: &mut [StatedPart], ranges: Vec<StatedRange>) -> Vec<StatedRange> {
    let is_unnamed = parts.iter().any(|part| part.name.is_none());
    let mut others = Vec::new();
    for range in ranges {
        let named = parts.iter_mut().find(|part| range.subject.is_some() && part.name == range.subject);
        match named {
            Some(part) => part.range = Some(range),
            None if range.subject.is_none() || is_unnamed => others.push(range),
            None => {}
        }
    }
    others
}

/// Returns the tokens without those in parentheses, which have bounds and explanations. Of bounds, the name stays: some
/// numbers have none elsewhere.
fn without_remarks(tokens: &[Token]) -> Vec<Token> {
    let mut kept: Vec<Token> = Vec::new();
    let mut open: Vec<usize> = Vec::new();
    for (at, token) in tokens.iter().enumerate() {
        match token {
            Token::Sign('(') => open.push(at),
            Token::Sign(')') => {
                let start = open.pop();
                let remark = start.filter(|_| open.is_empty()).map(|start| &tokens[start..at]).unwrap_or_default();
                let has_bounds = remark.iter().any(|token| matches!(token, Token::Comparison(_)));
                let name = remark.iter().find(|token| matches!(token, Token::Name { .. }));
                kept.extend(name.filter(|_| has_bounds).cloned());
            }
            _ if open.is_empty() => kept.push(token.clone()),
            _ => {}
        }
    }
    kept
}

/// Reads the listings of one sentence.
struct ListingReader<'t> {
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
    fn read_all(mut self) -> Vec<Listing> {
        let mut at = 0;
        while let Some(token) = self.sentence.get(at) {
            if is_word(token, EXPLAINING_WORDS)
                && self.listings.last().is_some_and(|last| last.is_full() || last.quantity.is_none())
            {
                self.take_later_length(at);
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
        if let Some((name, _)) = name_of_token(token, self.tokens).filter(|_| self.is_field_name(at)) {
            self.take_name(name, at);
        }
        at + 1
    }

    /// Returns true if a name has a subscript that it does not have before.
    fn has_new_subscript(&self, at: usize) -> bool {
        let Some(token @ Token::Name { subscript: Some(_), .. }) = self.sentence.get(at) else { return false };
        !self.sentence[..at].contains(token)
    }

    /// Returns true unless a name is quoted, an ordinal, or part of the meaning of a line.
    fn is_field_name(&self, at: usize) -> bool {
        let before = at.checked_sub(1).map(|before| &self.sentence[before]);
        let is_quoted = matches!(before, Some(Token::Sign('\'' | '`' | '"')));
        let hyphens = self.sentence[at + 1..].iter().take_while(|token| **token == Token::Sign('-')).count();
        !is_quoted && !self.is_meaning && !is_word_at(self.sentence, at + 1 + hyphens, "th")
    }

    /// Returns true if what follows a token explains the things listed before.
    fn begins_explanation(&self, token: &Token, at: usize) -> bool {
        let is_dash = *token == Token::Sign(DASH);
        let has_quantity = self.listings.iter().any(|listing| listing.quantity.is_some());
        let is_number_of =
            ["the", "number", "of"].iter().zip(at + 1..).all(|(word, at)| is_word_at(self.sentence, at, word));
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
        if listing.are_letters && before.is_some_and(|token| is_word(token, &["of"])) && !self.listings.is_empty() {
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
            |place: &usize| is_word(&rest[*place], &["consists", "consisting"]) && is_word_at(rest, place + 1, "of");
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
        match self.listings.last_mut() {
            Some(last) if last.quantity.is_some() && !last.is_full() => last.names.push(listed),
            Some(last) if last.quantity.is_some() => {}
            _ if self.known.contains(&listed.name) => {}
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

impl Listing {
    /// Returns true if all things of the listing have names.
    fn is_full(&self) -> bool {
        match self.quantity {
            Some(Quantity::Fixed(number)) => self.names.len() >= number,
            Some(Quantity::Sized(_)) => !self.names.is_empty(),
            None => false,
        }
    }
}

/// Returns the name of the field that a token denotes.
fn name_of_token(token: &Token, tokens: &[Token]) -> Option<(String, bool)> {
    let Token::Name { name, subscript } = token else { return None };
    Some(field_name(name, subscript.as_deref(), tokens)).filter(|(name, _)| !name.is_empty())
}

/// Reads the number of things, and their noun: `two integers`, `n space-separated integers`, `the number of rows`.
fn quantity_at(sentence: &[Token], at: usize) -> Option<(Listing, usize)> {
    let listing = |quantity, are_letters| Listing {
        quantity: Some(quantity),
        are_letters,
        is_described: false,
        kind: None,
        names: Vec::new(),
    };
    if let Some(after) = unnamed_number_at(sentence, at) {
        let kind = is_word_at(sentence, at + 1, "name").then_some(StatedKind::Text);
        return Some((Listing { is_described: true, kind, ..listing(Quantity::Fixed(1), false) }, after));
    }
    let (quantity, after) = match sentence.get(at)? {
        Token::Word(word) if matches!(word.as_str(), "a" | "an" | "single") => (Quantity::Fixed(1), at + 1),
        Token::Word(word) if word == "one" && is_word_at(sentence, at + 1, "of") => {
            return Some((listing(Quantity::Fixed(1), false), at + 2));
        }
        Token::Word(word) if PAIR_NOUNS.contains(&word.as_str()) => (Quantity::Fixed(1), at),
        Token::Word(word) => (Quantity::Fixed(number_of_word(word)?), at + 1),
        Token::Number(_) | Token::Name { .. } => {
            let (term, after) = TermParser::read_count_at(sentence, at)?;
            match term.constant_value() {
                Some(number) if !(1..=MAX_TOKENS).contains(&number) => return None,
                Some(number) => (Quantity::Fixed(usize::try_from(number).ok()?), after),
                None => (Quantity::Sized(term), after),
            }
        }
        _ => return None,
    };
    let following = &sentence[after..sentence.len().min(after + MAX_ADJECTIVES + 1)];
    let is_noun =
        |token: &Token| is_word(token, TOKEN_NOUNS) || is_word(token, LETTER_NOUNS) || is_word(token, PAIR_NOUNS);
    let is_hyphen = |place: usize| following[place] == Token::Sign('-') && place > 0;
    let is_adjective = |place: usize| match &following[place] {
        Token::Word(word) => !NO_ADJECTIVES.contains(&word.as_str()),
        _ => is_hyphen(place),
    };
    let place = (0..following.len()).find(|place| is_noun(&following[*place]) || !is_adjective(*place))?;
    let noun = &following[place];
    let are_several = matches!(quantity, Quantity::Fixed(2..));
    if !is_noun(noun) {
        // "containing two tones"
        let is_plural = matches!(following.first(), Some(Token::Word(word)) if word.ends_with('s'));
        let is_listed = at > 0 && is_word(&sentence[at - 1], &["contains", "contain", "containing", "with"]);
        return (are_several && is_plural && is_listed).then(|| (listing(quantity, false), after + 1));
    }
    if is_word(noun, PAIR_NOUNS) {
        let Quantity::Fixed(number) = quantity else { return None };
        return Some((listing(Quantity::Fixed(2 * number), false), pair_end(sentence, after + place + 1)));
    }
    // "integer numbers" and "real values" are one noun.
    let more = following[place + 1..].iter().take_while(|token| is_noun(token)).count();
    let are_separated = following[..place].iter().any(|token| is_word(token, &["separated"]));
    let are_letters = is_word(noun, LETTER_NOUNS) && !are_separated;
    let end = after + place + 1 + more;
    let phrase = &sentence[after..end];
    let kind = if is_word(noun, TEXT_NOUNS) {
        Some(StatedKind::Text)
    } else if phrase.iter().any(|token| is_word(token, REAL_WORDS)) {
        Some(StatedKind::Real(0))
    } else {
        None
    };
    let listed = match (&quantity, are_letters) {
        // A word of some characters.
        (Quantity::Fixed(_), true) => listing(Quantity::Fixed(1), true),
        _ => listing(quantity, are_letters),
    };
    Some((Listing { kind, ..listed }, end))
}

fn is_word_at(sentence: &[Token], at: usize, word: &str) -> bool {
    sentence.get(at).is_some_and(|token| is_word(token, &[word]))
}

/// Returns the position after what a pair consists of: `of integers`.
fn pair_end(sentence: &[Token], at: usize) -> usize {
    let is_of = sentence.get(at).is_some_and(|token| is_word(token, &["of"]));
    let noun = sentence[at..].iter().take(MAX_ADJECTIVES + 1).position(|token| is_word(token, TOKEN_NOUNS));
    noun.filter(|_| is_of).map_or(at, |noun| at + noun + 1)
}

/// Reads `the number of` at the beginning of what is listed, with what is counted.
fn unnamed_number_at(sentence: &[Token], at: usize) -> Option<usize> {
    let is_at = |place: usize, words: &[&str]| sentence.get(place).is_some_and(|token| is_word(token, words));
    let is_number = is_at(at, &["the"]) && is_at(at + 1, PROPERTY_NOUNS) && is_at(at + 2, &["of"]);
    let is_listed = at == 0 || is_at(at - 1, &["contains", "contain", "containing", "and", "with", "is"]);
    if is_number && is_listed {
        // What is counted may be a noun of its own: "the number of pairs".
        let counted = sentence[at + 3..].iter().take_while(|token| matches!(token, Token::Word(word) if word != "and"));
        return Some(at + 3 + counted.count());
    }
    None
}

/// Reads `of length n`.
fn length_at(sentence: &[Token], at: usize) -> Option<(SyntaxTerm, usize)> {
    if !is_word_at(sentence, at, "of") || !is_word_at(sentence, at + 1, "length") {
        return None;
    }
    TermParser::read_sum_at(sentence, at + 2).filter(|(length, _)| length.constant_value().is_none())
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

fn parts_of_listing(listing: Listing, decimals: Option<usize>) -> Vec<StatedPart> {
    let kind = match listing.kind {
        Some(StatedKind::Real(_)) => decimals.map(StatedKind::Real),
        kind => kind,
    };
    let part = |name, form| StatedPart { name, form, kind, range: None };
    let mut names = listing.names.into_iter();
    match listing.quantity {
        Some(Quantity::Sized(size)) => {
            let form = if listing.are_letters { StatedForm::Text(size) } else { StatedForm::Array(size) };
            vec![part(names.next().map(|listed| listed.name), form)]
        }
        Some(Quantity::Fixed(number)) => {
            let first = names.next();
            if let Some(ListedName { name, length: Some(length) }) = first {
                return vec![part(Some(name), StatedForm::Array(length))];
            }
            let listed = first.into_iter().chain(names).map(|listed| Some(listed.name));
            let named = listed.chain(std::iter::repeat(None)).take(number);
            named.map(|name| part(name, StatedForm::Token)).collect()
        }
        None => {
            let form = |length: Option<SyntaxTerm>| length.map_or(StatedForm::Token, StatedForm::Array);
            names.map(|listed| part(Some(listed.name), form(listed.length))).collect()
        }
    }
}

/// Returns the number of decimals that a text allows: `at most 8 decimals`, `6 digits after the decimal point`.
fn stated_decimals(tokens: &[Token]) -> Option<usize> {
    /// Maximum number of decimals of a real number in a format.
    const MAX_DECIMALS: usize = 18;
    tokens.iter().enumerate().find_map(|(at, token)| {
        let Token::Number(number) = token else { return None };
        let is_at = |place: usize, words: &[&str]| tokens.get(place).is_some_and(|token| is_word(token, words));
        let are_decimals = is_at(at + 1, &["decimals", "decimal"]);
        let are_digits = is_at(at + 1, &["digits"]) && is_at(at + 2, &["after", "behind", "following"]);
        usize::try_from(*number).ok().filter(|number| (are_decimals || are_digits) && *number <= MAX_DECIMALS)
    })
}
