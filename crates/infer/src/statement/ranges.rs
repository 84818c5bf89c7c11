//! Reads ranges that a statement gives in words: `between 1 and 1000`, `at least 2 and at most 100 characters`.

use super::chains::{TermParser, name_of_token};
use super::phrases::{has_phrase, phrase_end};
use super::tokens::{Token, is_word, is_word_at};
use rebut_format::syntax::SyntaxTerm;

/// A range of numbers, or of the length of a text.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct StatedRange {
    pub(crate) lo: Option<SyntaxTerm>,
    pub(crate) hi: Option<SyntaxTerm>,
    pub(crate) is_length: bool,
    /// True if numbers are named right before the range: `two integers, between 0 and 1000`.
    pub(crate) is_of_numbers: bool,
    /// The names that the range is about: `k` of `k is at most 10`.
    pub(crate) subjects: Vec<String>,
}

/// Returns the ranges that some sentences give in words.
pub(super) fn find_ranges(tokens: &[Token]) -> Vec<StatedRange> {
    let mut found = Vec::new();
    let mut at = 0;
    while at < tokens.len() {
        let Some((lo, hi, end)) = range_at(tokens, at) else {
            at += 1;
            continue;
        };
        let is_constant = |end: &SyntaxTerm| end.constant_value().is_some();
        // A thing between two others has no range. The smallest `k` is a better bound than `at least k`.
        let is_between = phrase_end(tokens, at, "between").is_some();
        let is_range = !is_between || lo.as_ref().is_some_and(is_constant);
        let lo = lo.filter(is_constant);
        if is_range && (lo.is_some() || hi.is_some()) {
            found.extend(stated_range(tokens, (lo, hi), at..end));
        }
        at = end.max(at + 1);
    }
    found
}

/// Returns the number of decimals that a text allows: `at most 8 decimals`, `6 digits after the decimal point`.
pub(super) fn stated_decimals(tokens: &[Token]) -> Option<usize> {
    /// Maximum number of decimals of a real number in a format.
    const MAX_DECIMALS: usize = 18;
    let places = tokens.iter().enumerate().filter(|(at, _)| phrase_end(tokens, at + 1, "decimals").is_some());
    let mut numbers = places.filter_map(|(_, token)| match token {
        Token::Number(number) => usize::try_from(*number).ok(),
        _ => None,
    });
    numbers.find(|number| *number <= MAX_DECIMALS)
}

/// Returns the range between two ends that some tokens give, unless it is about decimals or the number of some things.
fn stated_range(
    tokens: &[Token],
    (lo, hi): (Option<SyntaxTerm>, Option<SyntaxTerm>),
    place: std::ops::Range<usize>,
) -> Option<StatedRange> {
    /// Maximum number of tokens before a range that name its subject, and after it that name its unit.
    const MAX_DISTANCE: [usize; 2] = [9, 3];
    let ends = |token: &Token| matches!(token, Token::Sign('.' | ':' | ';'));
    let start = tokens[..place.start].iter().rposition(ends).map_or(0, |end| end + 1);
    let before = &tokens[start.max(place.start.saturating_sub(MAX_DISTANCE[0]))..place.start];
    let unit = &tokens[place.end.min(tokens.len())..tokens.len().min(place.end + MAX_DISTANCE[1])];
    let is_length = [before, unit].iter().any(|near| has_phrase(near, "length"));
    let is_about_others = has_phrase(before, "derived") || has_phrase(unit, "decimals");
    let subjects = subjects_before(tokens, place.start);
    // A number of things, such as "at most 3 friends", bounds no number of the input.
    let counts_things = before.last() == Some(&Token::Sign('('))
        || matches!(unit.first(), Some(Token::Word(word)) if !matches!(word.as_str(), "and" | "or" | "in"));
    if !is_length && (is_about_others || counts_things && subjects.is_empty()) {
        return None;
    }
    let is_absolute = before.iter().any(|token| is_word(token, &["absolute"]));
    let lo = lo.or_else(|| hi.clone().filter(|_| is_absolute).map(SyntaxTerm::into_negated));
    let is_of_numbers = has_phrase(&before[before.len().saturating_sub(4)..], "number");
    Some(StatedRange { lo, hi, is_length, is_of_numbers, subjects })
}

/// Returns the names before a range and its verb: `n and m will not exceed 10`.
fn subjects_before(tokens: &[Token], at: usize) -> Vec<String> {
    let is_between = |at: &usize| phrase_end(tokens, *at, "filler").is_some() || tokens[*at] == Token::Sign(',');
    let words = (0..at).rev().take_while(is_between).count();
    let mut subjects = Vec::new();
    let mut rest = &tokens[..at - words];
    while let Some((last, before)) = rest.split_last()
        && let Some(subject) = name_of_token(last, tokens)
    {
        if !subjects.contains(&subject) {
            subjects.push(subject);
        }
        let is_joint = |token: &&Token| is_word(token, &["and"]) || matches!(token, Token::Sign(',') | Token::Dots);
        let joints = before.iter().rev().take_while(is_joint).count();
        rest = if joints > 0 { &before[..before.len() - joints] } else { &[] };
    }
    subjects.reverse();
    subjects
}

/// The ends of a range, and the position after it.
type RangeAt = (Option<SyntaxTerm>, Option<SyntaxTerm>, usize);

fn range_at(tokens: &[Token], at: usize) -> Option<RangeAt> {
    if let Some(after) = phrase_end(tokens, at, "between") {
        let skipped = usize::from(tokens.get(after) == Some(&Token::Sign('[')));
        let (lo, after) = TermParser::read_sum_at(tokens, after + skipped)?;
        let is_joined = is_word_at(tokens, after, &["and", "to", "y", "e"])
            || matches!(tokens.get(after), Some(Token::Sign(',' | '-') | Token::Dots));
        let (hi, end) = is_joined.then(|| TermParser::read_sum_at(tokens, after + 1)).flatten()?;
        return Some((Some(lo), Some(hi), end));
    }
    if let Some(after) = phrase_end(tokens, at, "least") {
        let (lo, after) = TermParser::read_sum_at(tokens, after)?;
        let joined =
            usize::from(is_word_at(tokens, after, &["and", "but"]) || tokens.get(after) == Some(&Token::Sign(',')));
        return Some(match at_most(tokens, after + joined) {
            Some((hi, end)) => (Some(lo), Some(hi), end),
            None => (Some(lo), None, after),
        });
    }
    at_most(tokens, at).map(|(hi, end)| (None, Some(hi), end))
}

fn at_most(tokens: &[Token], at: usize) -> Option<(SyntaxTerm, usize)> {
    if let Some(after) = phrase_end(tokens, at, "below").filter(|after| !is_word_at(tokens, *after, &["or"])) {
        let (hi, after) = TermParser::read_sum_at(tokens, after)?;
        return Some((SyntaxTerm::from_number(hi.constant_value()?.checked_sub(1)?), after));
    }
    TermParser::read_sum_at(tokens, phrase_end(tokens, at, "most")?)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests")]

    use super::super::Statement;

    /// The ranges of a text: their subjects, the ends, and `len` for lengths.
    fn ranges(text: &str) -> Vec<String> {
        let found = Statement::parse(text).ranges;
        let end = |end: &Option<_>| end.as_ref().map_or(String::new(), ToString::to_string);
        let length = |is_length| if is_length { "len " } else { "" };
        let range = |range: &super::StatedRange| {
            let subjects = range.subjects.join(",");
            format!("{subjects}: {}{}..{}", length(range.is_length), end(&range.lo), end(&range.hi))
        };
        found.iter().map(range).collect()
    }

    #[test]
    fn ranges_in_words_have_their_subjects() {
        let cases: &[(&str, &[&str])] = &[
            ("Here $k$ is at most 10.", &["k: ..10"]),
            ("Both $n$ and $m$ are between 1 and 1000.", &["n,m: 1..1000"]),
            ("$a_1, \\ldots, a_n$ will not exceed $10^9$.", &["a: ..10^9"]),
            ("The length of the string is at least $k$ and at most $100\\,000$ characters.", &[": len ..100000"]),
            ("The highest value is no greater than 10,000.", &[": ..10000"]),
            ("保证 n 不超过 1000。", &["n: ..1000"]),
            ("Число n не превосходит 1000.", &["n: ..1000"]),
            ("There is a road between $a$ and $b$.", &[]),
            ("There are at most 3 friends.", &[]),
            ("The sum of all numbers is at most 9.", &[]),
            ("It has at most 12 decimals.", &[]),
        ];
        for (text, expected) in cases {
            assert_eq!(ranges(text), *expected, "{text}");
        }
    }
}
