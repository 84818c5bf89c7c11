//! Finds where a statement mentions lines: `the first line`, `each of the next m lines`, `on a single line`.

use super::chains::TermParser;
use super::quantities::{Quantity, quantity_at};
use super::tokens::{Token, is_word, is_word_at, number_of_word, sentence_start};
use rebut_format::syntax::SyntaxTerm;

/// Words before a single line.
const SINGLE_WORDS: &[&str] = &[
    "first",
    "second",
    "third",
    "fourth",
    "fifth",
    "sixth",
    "next",
    "following",
    "last",
    "final",
    "single",
    "one",
    "another",
    "a",
    "only",
];

/// Words before one of several lines that were mentioned before.
const REFINING_WORDS: &[&str] = &["each", "every", "such", "these", "i", "j"];

/// Words between a number of lines and the word `lines`.
const COUNTED_WORDS: &[&str] = &["further", "more", "additional", "other", "such", "following", "next", "input"];

/// How a statement mentions lines.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Mention {
    Single,
    Counted(SyntaxTerm),
    /// One of the lines that were mentioned before.
    Refining,
    /// A line that is not called so: `One integer q, the number of questions.`
    Item,
    /// A line that is described before it is mentioned: `two integers on a single line`.
    Trailing,
    /// The number of lines of the whole input.
    Overview,
    /// An unknown number of lines.
    Unknown,
}

/// Returns the mentions of lines, each with its place. Between others, a sentence may be one that lists numbers.
pub(super) fn find_mentions(tokens: &[Token]) -> Vec<(usize, Mention)> {
    let mentions = (0..tokens.len()).filter_map(|at| Some((at, mention_at(tokens, at)?)));
    let mentions: Vec<(usize, Mention)> = mentions.collect();
    let Some((first, _)) = mentions.first() else { return mentions };
    let is_free = |at: &usize| {
        let end =
            tokens[*at..].iter().position(|token| *token == Token::Sign('.')).map_or(tokens.len(), |end| at + end);
        !mentions.iter().any(|(place, _)| (*at..end).contains(place))
    };
    let starts = (first + 1..tokens.len()).filter(|at| tokens[at - 1] == Token::Sign('.') && is_item(&tokens[*at..]));
    let items = starts.filter(is_free).map(|at| (at, Mention::Item));
    let mut all: Vec<(usize, Mention)> = mentions.iter().cloned().chain(items).collect();
    all.sort_by_key(|(at, _)| *at);
    all
}

/// Returns true for a sentence that only lists numbers: `One integer q (q > 0), a number.`
fn is_item(sentence: &[Token]) -> bool {
    let Some((_, after)) = quantity_at(sentence, 0) else { return false };
    let is_listed = |token: &&Token| matches!(token, Token::Name { .. } | Token::Sign(',')) || is_word(token, &["and"]);
    let names = sentence[after..].iter().take_while(is_listed).count();
    let is_end = |token: &Token| matches!(token, Token::Sign('(' | '.' | ',')) || is_word(token, &["the", "denoting"]);
    names > 0 && sentence.get(after + names).is_none_or(is_end)
}

/// Returns where the text about a mention begins: with its sentence, or else within the sentence of the last one.
pub(super) fn mention_start(tokens: &[Token], after: usize, at: usize) -> usize {
    let start = sentence_start(tokens, at);
    if start >= after { start } else { at }
}

/// Returns how the token mentions lines, if it does.
pub(super) fn mention_at(tokens: &[Token], at: usize) -> Option<Mention> {
    let Token::Word(word) = &tokens[at] else { return None };
    let start = sentence_start(tokens, at);
    let sentence = &tokens[start..at];
    match word.as_str() {
        // "Line 2 contains n."
        "line" if sentence.is_empty() && is_line_number(&tokens[at + 1..]) => Some(Mention::Single),
        "line" => single_mention(sentence),
        "lines" => counted_mention(tokens, start, at),
        // Rows are lines if they follow others; those of a board are described with it.
        "rows" if sentence.iter().any(|token| is_word(token, &["next", "following", "follow", "followed"])) => {
            counted_mention(tokens, start, at)
        }
        _ => None,
    }
}

/// Returns true for the number of one line, and not for `2k + 1`.
fn is_line_number(after: &[Token]) -> bool {
    matches!(after, [Token::Number(_), next, ..] if !matches!(next, Token::Sign('*' | '+' | '-') | Token::Name { .. }))
}

fn single_mention(before: &[Token]) -> Option<Mention> {
    let near = &before[before.len().saturating_sub(6)..];
    let text = |token: &Token| match token {
        Token::Word(word) => word.clone(),
        Token::Name { name, .. } => name.clone(),
        _ => String::new(),
    };
    let near: Vec<String> = near.iter().map(text).collect();
    let last = near.last().map(String::as_str).unwrap_or_default();
    let has_near =
        |words: &[&str], distance: usize| near.iter().rev().take(distance).any(|word| words.contains(&word.as_str()));
    if matches!(last, "a" | "one" | "single" | "same" | "per") && has_near(&["on", "in", "per"], 3) {
        return Some(Mention::Trailing);
    }
    if has_near(&["th", "ith"], 6) || has_near(REFINING_WORDS, 2) {
        return Some(Mention::Refining);
    }
    SINGLE_WORDS.contains(&last).then_some(Mention::Single)
}

fn counted_mention(tokens: &[Token], start: usize, at: usize) -> Option<Mention> {
    let skipped = tokens[start..at].iter().rev().take_while(|token| is_word(token, COUNTED_WORDS)).count();
    if let Some((from, count)) = count_before(tokens, start, at - skipped) {
        if are_rows_of_grid(&tokens[at + 1..]) {
            return None;
        }
        let before = &tokens[start..from];
        if before.last().is_some_and(|token| is_word(token, &["these", "those"])) {
            return Some(Mention::Refining);
        }
        let is_of_input = before.last().is_some_and(|token| is_word(token, &["of", "contains", "has", "exactly"]))
            && before.iter().any(|token| is_word(token, &["input", "case", "file", "instance"]))
            && !before.iter().any(|token| is_word(token, &["next", "following"]))
            && !before.windows(2).any(|pair| is_word(&pair[0], &["each"]) && is_word(&pair[1], &["of"]));
        let is_there = matches!(before, [token, verb] if is_word(token, &["there"]) && is_word(verb, &["are"]));
        // "two lines of input."
        let after = tokens[at + 1..].iter().find(|token| !is_word(token, &["of", "the", "input"]));
        let ends = after.is_none_or(|token| *token == Token::Sign('.'));
        let is_overview = is_of_input && ends || is_there;
        return Some(if is_overview { Mention::Overview } else { Mention::Counted(count) });
    }
    // "The numbers on the last lines are sorted."
    let is_condition = is_word_at(tokens, at + 1, &["are"])
        && tokens[start..at].iter().skip(1).any(|token| is_word(token, &["on", "in", "of"]));
    let last = tokens[start..at].last().filter(|_| !is_condition)?;
    is_word(last, &["following", "next", "remaining", "last", "subsequent"]).then_some(Mention::Unknown)
}

/// Returns true if columns are counted right after lines: `the board has n lines and m columns`.
fn are_rows_of_grid(after: &[Token]) -> bool {
    let is_joined = after.first().is_some_and(|token| is_word(token, &["and"]) || *token == Token::Sign(','));
    let counted = TermParser::read_sum_at(after, 1).filter(|_| is_joined);
    counted.is_some_and(|(_, end)| {
        after.get(end).is_some_and(|token| is_word(token, &["columns", "kolumner", "colonnes"]))
    })
}

/// Returns the numbers of lines, numbers or letters in a text: `n` of `n integers`. Constants are left out.
pub(super) fn stated_counts(tokens: &[Token]) -> Vec<SyntaxTerm> {
    let of_lines = (0..tokens.len()).filter_map(|at| match mention_at(tokens, at) {
        Some(Mention::Counted(count)) => Some(count),
        _ => None,
    });
    let of_things = (0..tokens.len()).filter_map(|at| match quantity_at(tokens, at)?.0.quantity {
        Some(Quantity::Sized(count) | Quantity::Pairs(count)) => Some(count),
        _ => None,
    });
    let mut counts: Vec<SyntaxTerm> = Vec::new();
    for count in of_lines.chain(of_things).filter(|count| count.constant_value().is_none()) {
        if !counts.contains(&count) {
            counts.push(count);
        }
    }
    counts
}

/// Reads the longest term that ends before a token, and returns it with its start.
fn count_before(tokens: &[Token], start: usize, end: usize) -> Option<(usize, SyntaxTerm)> {
    if let Some(Token::Word(word)) = end.checked_sub(1).and_then(|last| tokens.get(last)) {
        return Some((end - 1, SyntaxTerm::from_number(number_of_word(word)? as i128)));
    }
    (start..end).find_map(|from| {
        let (term, after) = TermParser::read_count_at(tokens, from)?;
        (after == end).then_some((from, term))
    })
}

// Reads bounds as sets: `n ∈ {1, ..., 10^5}`, `a, b ∈ [0, n]`.

/// The sign before a set.
const MEMBER: Token = Token::Sign('∈');

/// Returns tokens with comparisons in place of sets of whole numbers: `1 <= n <= 10^5` for `n ∈ {1, ..., 10^5}`.
pub(super) fn replace_memberships(tokens: Vec<Token>) -> Vec<Token> {
    if !tokens.contains(&MEMBER) {
        return tokens;
    }
    let mut replaced: Vec<Token> = Vec::with_capacity(tokens.len());
    let mut at = 0;
    while let Some(token) = tokens.get(at) {
        match set_at(&tokens, at) {
            Some((lo, hi, end)) => {
                let is_listed = |token: &&Token| matches!(token, Token::Name { .. } | Token::Sign(','));
                let listed = replaced.iter().rev().take_while(is_listed).count();
                let members = replaced.split_off(replaced.len() - listed);
                replaced.extend_from_slice(lo);
                replaced.push(Token::Comparison("<="));
                replaced.extend(members);
                replaced.push(Token::Comparison("<="));
                replaced.extend_from_slice(hi);
                at = end;
            }
            None => {
                replaced.push(token.clone());
                at += 1;
            }
        }
    }
    replaced
}

/// Returns the smallest and the largest number of the set behind a sign, and the position after it. Braces are no tokens.
fn set_at(tokens: &[Token], at: usize) -> Option<(&[Token], &[Token], usize)> {
    let follows_name = matches!(tokens.get(at.checked_sub(1)?), Some(Token::Name { .. }));
    if tokens[at] != MEMBER || !follows_name {
        return None;
    }
    let is_bracketed = tokens.get(at + 1) == Some(&Token::Sign('['));
    let first = at + 1 + usize::from(is_bracketed);
    let (_, after_first) = TermParser::read_sum_at(tokens, first)?;
    let is_joint = |token: &&Token| matches!(token, Token::Sign(',') | Token::Dots);
    let joints = tokens[after_first..].iter().take_while(is_joint).count();
    let last = after_first + joints;
    let (_, end) = TermParser::read_sum_at(tokens, last).filter(|_| joints > 0)?;
    let closing = usize::from(tokens.get(end) == Some(&Token::Sign(']')));
    Some((&tokens[first..after_first], &tokens[last..end], end + closing))
}

#[cfg(test)]
mod tests {
    use super::super::Statement;
    use super::super::tests::spelled_chains;

    #[test]
    fn sets_of_numbers_are_bounds() {
        let cases = [
            ("an integer $n \\in \\{1,\\ldots, 10^5\\}$, the number", "1 <= n <= 10^5"),
            ("$a, b ∈ [0, n - 1]$ and $c \\in \\{0, 1\\}$", "0 <= a, b <= n - 1; 0 <= c <= 1"),
            ("a point $p \\in S$", ""),
        ];
        for (text, chains) in cases {
            assert_eq!(spelled_chains(Statement::parse(text).chains).join("; "), chains, "{text}");
        }
    }
}
