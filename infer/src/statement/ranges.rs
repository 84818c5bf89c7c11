//! Reads ranges that a statement gives in words: `between 1 and 1000`, `at least 2 and at most 100 characters`.

use super::chains::{TermParser, field_name};
use super::tokens::Token;
use super::words::{is_word, is_word_at, sentence_start};
use rebut_format::syntax::SyntaxTerm;

/// A range of numbers, or of the length of a text.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct StatedRange {
    pub(crate) lo: Option<SyntaxTerm>,
    pub(crate) hi: Option<SyntaxTerm>,
    pub(crate) is_length: bool,
    /// The name that the range is about: `k` of `k is at most 10`.
    pub(super) subject: Option<String>,
    /// True if the range is that of all numbers of the input: `each integer is between 0 and 1000`.
    pub(super) is_general: bool,
}

/// Returns the ranges that some sentences give in words.
pub(super) fn find_ranges(tokens: &[Token]) -> Vec<StatedRange> {
    /// Maximum number of tokens before a range that name its subject.
    const MAX_DISTANCE: usize = 6;
    let mut found = Vec::new();
    let mut at = 0;
    while at < tokens.len() {
        let Some((lo, hi, end)) = range_at(tokens, at) else {
            at += 1;
            continue;
        };
        let before = &tokens[at.saturating_sub(MAX_DISTANCE)..at];
        let unit = &tokens[end.min(tokens.len())..tokens.len().min(end + 3)];
        let speaks_of = |words: &[&str], near: &[Token]| near.iter().any(|token| is_word(token, words));
        let are_decimals =
            speaks_of(&["decimals", "decimal", "digits"], unit) || speaks_of(&["decimals", "digits"], before);
        // What is between two things is no range.
        let is_constant = lo.iter().chain(&hi).all(|end: &SyntaxTerm| end.constant_value().is_some());
        if !are_decimals && is_constant {
            let is_length = speaks_of(&["length", "lengths", "long"], before)
                || speaks_of(&["characters", "letters", "symbols", "long"], unit);
            let start = sentence_start(tokens, at);
            let is_general = tokens.get(start..start + 2).is_some_and(|first| {
                let are_numbers =
                    is_word(&first[1], &["integer", "integers", "number", "numbers", "value", "values", "input"]);
                let is_said = at == start + 3 && is_word(&tokens[at - 1], &["is", "are"]);
                is_word(&first[0], &["each", "every", "all"]) && (are_numbers || is_said)
            });
            found.push(StatedRange { lo, hi, is_length, is_general, subject: subject_before(tokens, at) });
        }
        at = end;
    }
    found
}

/// Returns the name before a range and its verb, unless it is one of several: `n and m will not exceed 10`.
fn subject_before(tokens: &[Token], at: usize) -> Option<String> {
    const VERBS: &[&str] = &["is", "be", "will", "must", "should", "does", "not", "always"];
    let verbs = tokens[..at].iter().rev().take_while(|token| is_word(token, VERBS)).count();
    let (Token::Name { name, subscript }, before) = tokens[..at - verbs].split_last()? else { return None };
    let is_listed = match before {
        [.., Token::Name { .. }, joint] => is_word(joint, &["and"]) || *joint == Token::Sign(','),
        _ => false,
    };
    (verbs > 0 && !is_listed).then(|| field_name(name, subscript.as_deref(), tokens).0)
}

/// Returns the position after a range between constants, which counts no things: `at most 20 letters`.
pub(super) fn skip_range(tokens: &[Token], at: usize) -> Option<usize> {
    let (lo, hi, end) = match is_word_at(tokens, at, &["up"]) && is_word_at(tokens, at + 1, &["to"]) {
        true => TermParser::read_sum_at(tokens, at + 2).map(|(hi, end)| (None, Some(hi), end))?,
        false => range_at(tokens, at)?,
    };
    lo.iter().chain(&hi).all(|end| end.constant_value().is_some()).then_some(end)
}

/// The ends of a range, and the position after it.
type RangeAt = (Option<SyntaxTerm>, Option<SyntaxTerm>, usize);

fn range_at(tokens: &[Token], at: usize) -> Option<RangeAt> {
    let is_at = |place: usize, words: &[&str]| is_word_at(tokens, place, words);
    if is_at(at, &["between", "from", "range"]) {
        let skipped =
            usize::from(is_at(at + 1, &["from", "of", "between"]) || tokens.get(at + 1) == Some(&Token::Sign('[')));
        let (lo, after) = TermParser::read_sum_at(tokens, at + 1 + skipped)?;
        let is_joined = is_at(after, &["and", "to"]) || matches!(tokens.get(after), Some(Token::Sign(',' | '-')));
        let (hi, end) = is_joined.then(|| TermParser::read_sum_at(tokens, after + 1)).flatten()?;
        return Some((Some(lo), Some(hi), end));
    }
    if is_at(at, &["at"]) && is_at(at + 1, &["least"]) {
        let (lo, after) = TermParser::read_sum_at(tokens, at + 2)?;
        let joined = usize::from(is_at(after, &["and", "but"]) || tokens.get(after) == Some(&Token::Sign(',')));
        return Some(match at_most(tokens, after + joined) {
            Some((hi, end)) => (Some(lo), Some(hi), end),
            None => (Some(lo), None, after),
        });
    }
    at_most(tokens, at).map(|(hi, end)| (None, Some(hi), end))
}

fn at_most(tokens: &[Token], at: usize) -> Option<(SyntaxTerm, usize)> {
    let is_at = |place: usize, words: &[&str]| is_word_at(tokens, place, words);
    let length = match () {
        () if is_at(at, &["at"]) && is_at(at + 1, &["most"]) => 2,
        () if is_at(at, &["no", "not"])
            && is_at(at + 1, &["more", "greater", "longer", "larger"])
            && is_at(at + 2, &["than"]) =>
        {
            3
        }
        () if is_at(at, &["exceeding", "exceed"]) => 1,
        () => return None,
    };
    TermParser::read_sum_at(tokens, at + length)
}
