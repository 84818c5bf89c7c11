//! Reads how many things a line lists, and their noun: `two integers`, `n characters`, `the number of rows`.

use super::chains::TermParser;
use super::parts::StatedKind;
use super::tokens::{Token, is_word, is_word_at, number_of_word};
use rebut_format::syntax::SyntaxTerm;

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
    "elements",
    "naturals",
];

/// Nouns of things that stand side by side.
pub(super) const LETTER_NOUNS: &[&str] =
    &["characters", "letters", "digits", "symbols", "chars", "ones", "zeros", "zeroes", "bits"];

/// Nouns of two things.
const PAIR_NOUNS: &[&str] = &["pair", "pairs"];

const TEXT_NOUNS: &[&str] = &["string", "strings", "word", "words", "name", "names", "letter", "character"];

/// Nouns and adjectives of real numbers.
const REAL_WORDS: &[&str] = &["real", "reals", "float", "floats", "floating", "decimal", "decimals"];

/// Nouns before `of` and a thing that has no name: `the number of rows`.
const PROPERTY_NOUNS: &[&str] =
    &["number", "name", "length", "size", "width", "height", "weight", "amount", "index", "id", "cost", "price"];

/// Words between a number and its noun that are no adjectives.
const NO_ADJECTIVES: &[&str] =
    &["th", "the", "of", "and", "in", "for", "a", "an", "is", "are", "to", "with", "or", "as"];

/// Maximum number of words between a number and its noun.
const MAX_ADJECTIVES: usize = 4;

/// Maximum number of things of a line that a constant counts.
const MAX_TOKENS: i128 = 40;

/// How many things a statement lists, and which.
pub(super) struct Listing {
    pub(super) quantity: Option<Quantity>,
    pub(super) are_letters: bool,
    /// True for `the number of rows`.
    pub(super) is_described: bool,
    pub(super) kind: Option<StatedKind>,
    pub(super) names: Vec<ListedName>,
}

pub(super) enum Quantity {
    Fixed(usize),
    Sized(SyntaxTerm),
    /// A size that counts pairs.
    Pairs(SyntaxTerm),
}

pub(super) struct ListedName {
    pub(super) name: String,
    /// The number of elements of `a_1, ..., a_n`.
    pub(super) length: Option<SyntaxTerm>,
}

impl Listing {
    /// Returns true if all things of the listing have names.
    pub(super) fn is_full(&self) -> bool {
        match self.quantity {
            Some(Quantity::Fixed(number)) => self.names.len() >= number,
            Some(Quantity::Sized(_)) => !self.names.is_empty(),
            Some(Quantity::Pairs(_)) => self.names.len() >= 2,
            None => false,
        }
    }
}

/// Reads the number of things, and their noun: `two integers`, `n space-separated integers`, `the number of rows`.
pub(super) fn quantity_at(sentence: &[Token], at: usize) -> Option<(Listing, usize)> {
    let listing = |quantity, are_letters| Listing {
        quantity: Some(quantity),
        are_letters,
        is_described: false,
        kind: None,
        names: Vec::new(),
    };
    if let Some(after) = unnamed_number_at(sentence, at) {
        let kind = is_word_at(sentence, at + 1, &["name"]).then_some(StatedKind::Text);
        return Some((Listing { is_described: true, kind, ..listing(Quantity::Fixed(1), false) }, after));
    }
    if is_word_at(sentence, at, &["one"]) && is_word_at(sentence, at + 1, &["of"]) {
        return Some((listing(Quantity::Fixed(1), false), at + 2));
    }
    let (quantity, after) = count_at(sentence, at)?;
    let following = &sentence[after..sentence.len().min(after + MAX_ADJECTIVES + 1)];
    let is_noun =
        |token: &Token| is_word(token, TOKEN_NOUNS) || is_word(token, LETTER_NOUNS) || is_word(token, PAIR_NOUNS);
    let is_hyphen = |place: usize| following[place] == Token::Sign('-') && place > 0;
    let is_adjective = |place: usize| match &following[place] {
        Token::Word(word) => !NO_ADJECTIVES.contains(&word.as_str()) && number_of_word(word).is_none(),
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
        let of_singles = match quantity {
            Quantity::Fixed(number) => Quantity::Fixed(2 * number),
            Quantity::Sized(size) | Quantity::Pairs(size) => Quantity::Pairs(size),
        };
        return Some((listing(of_singles, false), pair_end(sentence, after + place + 1)));
    }
    // "integer numbers" and "real values" are one noun.
    let more = following[place + 1..].iter().take_while(|token| is_noun(token)).count();
    let are_separated = following[..place].iter().any(|token| is_word(token, &["separated"]));
    let are_letters = is_word(noun, LETTER_NOUNS) && !are_separated;
    let end = after + place + 1 + more;
    let phrase = &sentence[after..end];
    let kind = kind_of_noun(noun, phrase);
    let listed = match (&quantity, are_letters) {
        // A word of some characters.
        (Quantity::Fixed(_), true) => listing(Quantity::Fixed(1), true),
        _ => listing(quantity, are_letters),
    };
    Some((Listing { kind, ..listed }, end))
}

/// Reads the number before a noun, and returns it with the position after it. A pair needs none.
fn count_at(sentence: &[Token], at: usize) -> Option<(Quantity, usize)> {
    Some(match sentence.get(at)? {
        Token::Word(word) if matches!(word.as_str(), "a" | "an" | "single") => (Quantity::Fixed(1), at + 1),
        Token::Word(word) if PAIR_NOUNS.contains(&word.as_str()) => (Quantity::Fixed(1), at),
        // "It starts with integer n."
        Token::Word(word) if word == "integer" && matches!(sentence.get(at + 1), Some(Token::Name { .. })) => {
            (Quantity::Fixed(1), at)
        }
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
    })
}

/// Returns the kind of the things that a noun with its adjectives names, if they are no whole numbers.
fn kind_of_noun(noun: &Token, phrase: &[Token]) -> Option<StatedKind> {
    let has_any = |words: &[&str]| phrase.iter().any(|token| is_word(token, words));
    if is_word(noun, TEXT_NOUNS) {
        Some(StatedKind::Text)
    } else if has_any(REAL_WORDS) && !has_any(&["integer", "integers"]) {
        Some(StatedKind::Real(None))
    } else {
        None
    }
}

/// Returns the position after what a pair consists of: `of integers`.
fn pair_end(sentence: &[Token], at: usize) -> usize {
    let is_of = is_word_at(sentence, at, &["of"]);
    let noun = sentence[at..].iter().take(MAX_ADJECTIVES + 1).position(|token| is_word(token, TOKEN_NOUNS));
    noun.filter(|_| is_of).map_or(at, |noun| at + noun + 1)
}

/// Reads `the number of` at the beginning of what is listed, with what is counted.
fn unnamed_number_at(sentence: &[Token], at: usize) -> Option<usize> {
    let is_at = |place: usize, words: &[&str]| is_word_at(sentence, place, words);
    let is_number = is_at(at, &["the"]) && is_at(at + 1, PROPERTY_NOUNS) && is_at(at + 2, &["of"]);
    let is_listed = begins_list(sentence, at)
        || sentence[at - 1] == Token::Sign(',')
            && first_property(sentence).is_some_and(|first| first < at && begins_list(sentence, first));
    if is_number && is_listed {
        // What is counted may be a noun of its own: "the number of pairs".
        let counted = sentence[at + 3..].iter().take_while(|token| matches!(token, Token::Word(word) if word != "and"));
        return Some(at + 3 + counted.count());
    }
    None
}

/// Returns true for the place of the first thing in a list, or of one behind `and`.
fn begins_list(sentence: &[Token], at: usize) -> bool {
    at == 0 || is_word_at(sentence, at - 1, &["contains", "contain", "containing", "and", "with", "is"])
}

/// Returns the place of the first phrase such as `the number of`.
fn first_property(sentence: &[Token]) -> Option<usize> {
    let is_property = |window: &[Token]| {
        is_word(&window[0], &["the"]) && is_word(&window[1], PROPERTY_NOUNS) && is_word(&window[2], &["of"])
    };
    sentence.windows(3).position(is_property)
}

/// Reads `of length n`.
pub(super) fn length_at(sentence: &[Token], at: usize) -> Option<(SyntaxTerm, usize)> {
    if !is_word_at(sentence, at, &["of"]) || !is_word_at(sentence, at + 1, &["length"]) {
        return None;
    }
    TermParser::read_sum_at(sentence, at + 2).filter(|(length, _)| length.constant_value().is_none())
}
