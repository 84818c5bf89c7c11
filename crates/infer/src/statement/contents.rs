//! Reads the description of a line in a statement: `three integers n, m and k`, `n integers a_1, ..., a_n`, `a string s`.

use super::listings::ListingReader;
use super::parts::{StatedForm, StatedKind, StatedPart};
use super::quantities::{ListedName, Listing, Quantity};
use super::ranges::{StatedRange, find_ranges};
use super::tokens::{Token, are_words_at, is_word, is_word_at, number_of_word};
use rebut_format::syntax::SyntaxTerm;

/// Nouns of lines that have one thing each, unless they are counted.
const UNCOUNTED_NOUNS: &[&str] = &["names", "words", "strings"];

/// The description of a line.
#[derive(Debug, Default)]
pub(super) struct Contents {
    pub(super) parts: Vec<StatedPart>,
    /// True if a number counts the things.
    pub(super) has_quantity: bool,
    /// The part of each of several lines that are only called words.
    pub(super) unnamed_part: Vec<StatedPart>,
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
        let listings = ListingReader::new(sentence, tokens, known).read_all();
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

/// Reads the parts of lines of which there are several. A next sentence may go on with the same line: `It begins
/// with a number k. Then follow k integers.`
pub(super) fn read_repeated_parts(sentences: &[Token], tokens: &[Token], known: &[String]) -> Contents {
    let mut contents = read_parts(sentences, tokens, known);
    let described = |sentence: &&[Token]| !read_parts(sentence, tokens, known).parts.is_empty();
    let mut later =
        sentences.split(|token| *token == Token::Sign('.')).skip_while(|sentence| !described(sentence)).skip(1);
    let following = later.next().filter(|sentence| continues_line(sentence)).unwrap_or_default();
    let more = read_parts(following, tokens, known).parts;
    let is_end = following.iter().any(|token| is_word(token, &["ends"]));
    let are_lists = !more.is_empty() && more.iter().all(|part| part.form != StatedForm::Token);
    if !contents.parts.is_empty() && (are_lists || is_end) {
        contents.parts.extend(more);
    }
    contents
}

/// Returns true for a sentence about what follows in a line: `After it there are k integers`, `Then follow k integers`.
fn continues_line(sentence: &[Token]) -> bool {
    const BEGINNINGS: &[&[&str]] = &[
        &["after", "it"],
        &["after", "that"],
        &["after", "this"],
        &["following", "this"],
        &["following", "it"],
        &["then", "follow"],
        &["then", "follows"],
        &["then", "there", "are"],
        &["it", "is", "followed"],
        &["this", "is", "followed"],
        &["they", "are", "followed"],
        &["it", "ends", "with"],
        &["the", "line", "ends", "with"],
    ];
    BEGINNINGS.iter().any(|words| are_words_at(sentence, 0, words))
}

/// Returns true for groups that a size counts and that are not read, as in `n triples of integers`.
fn has_counted_groups(tokens: &[Token]) -> bool {
    tokens.windows(2).any(|pair| {
        matches!(pair[0], Token::Name { .. } | Token::Sign(')')) && is_word(&pair[1], &["triples", "tuples"])
    })
}

/// Takes the ranges in words for those of the parts. One range without a subject holds for all parts.
pub(super) fn take_ranges(parts: &mut [StatedPart], ranges: Vec<StatedRange>) {
    let ranges = ranges.into_iter().filter(|range| range.is_length || !range.is_of_things).collect();
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
        let is_subject = |part: &&mut StatedPart| part.name.as_ref().is_some_and(|name| range.subjects.contains(name));
        let mut named = parts.iter_mut().filter(is_subject).peekable();
        if named.peek().is_some() {
            named.for_each(|part| part.range = Some(range.clone()));
        } else if range.subjects.is_empty() || is_unnamed {
            others.push(range);
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
                let has_name = matches!(kept.last(), Some(Token::Name { .. }));
                kept.extend(name.filter(|_| has_bounds && !has_name).cloned());
            }
            _ if open.is_empty() => kept.push(token.clone()),
            _ => {}
        }
    }
    kept
}

fn parts_of_listing(listing: Listing, decimals: Option<usize>) -> Vec<StatedPart> {
    let kind = match listing.kind {
        Some(StatedKind::Real(_)) => Some(StatedKind::Real(decimals)),
        kind => kind,
    };
    let part = |name, form| StatedPart { name, form, kind, range: None };
    let mut names = listing.names.into_iter();
    match listing.quantity {
        Some(Quantity::Sized(size)) => {
            let form = if listing.are_letters { StatedForm::Text(size) } else { StatedForm::Array(size) };
            vec![part(names.next().map(|listed| listed.name), form)]
        }
        Some(Quantity::Pairs(size)) => {
            let names = names.map(|listed| Some(listed.name)).chain([None, None]).take(2);
            names.map(|name| part(name, StatedForm::Group(size.clone()))).collect()
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
pub(super) fn stated_decimals(tokens: &[Token]) -> Option<usize> {
    /// Maximum number of decimals of a real number in a format.
    const MAX_DECIMALS: usize = 18;
    tokens.iter().enumerate().find_map(|(at, token)| {
        let number = match token {
            Token::Number(number) => usize::try_from(*number).ok()?,
            Token::Word(word) => number_of_word(word)?,
            _ => return None,
        };
        // "3 decimal numbers" are no decimals.
        let are_decimals = is_word_at(tokens, at + 1, &["decimals"])
            || is_word_at(tokens, at + 1, &["decimal"])
                && is_word_at(tokens, at + 2, &["places", "digits", "place", "digit"]);
        let are_digits =
            is_word_at(tokens, at + 1, &["digits"]) && is_word_at(tokens, at + 2, &["after", "behind", "following"]);
        Some(number).filter(|number| (are_decimals || are_digits) && *number <= MAX_DECIMALS)
    })
}
