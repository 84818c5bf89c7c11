//! Changes the comparisons of a statement before they are read: words about a name become one, and those of elements an order.

use super::chains::{TermParser, field_name, split_step};
use super::phrases::{has_phrase, phrase_end, phrases_of};
use super::tokens::{Token, is_word, is_word_at};
use std::ops::Range;

/// Maximum number of tokens before a range with its subject, and after it with its unit.
const MAX_DISTANCE: [usize; 2] = [9, 3];

/// The names in comparisons of a text without a name, and of each of several: `the string has length at least 1`.
pub(crate) const ANY_TEXT: &str = "text";
pub(crate) const EACH_TEXT: &str = "texts";

/// Returns tokens with comparisons in place of the ranges that words give to names, but not of `at most 3 friends`.
pub(super) fn replace_ranges(tokens: &[Token]) -> Vec<Token> {
    let mut replaced: Vec<Token> = Vec::with_capacity(tokens.len());
    // The table is long, and most words begin no range.
    let phrases: Vec<&str> = ["between", "least", "most", "below"].into_iter().flat_map(phrases_of).collect();
    let begins = |word: &str| phrases.iter().any(|phrase| phrase.starts_with(word) || word.contains(phrase));
    let mut at = 0;
    while at < tokens.len() {
        let may_begin = match &tokens[at] {
            Token::Word(word) => begins(word),
            token => *token == Token::Sign('∈'),
        };
        let range = may_begin.then(|| range_at(tokens, at)).flatten();
        let range = range.filter(|_| phrase_end(tokens, at, "sum").is_none());
        match range.filter(|range| put_sign(&mut replaced, tokens, range)) {
            Some((_, _, bound)) => at = bound.start,
            None => {
                replaced.push(tokens[at].clone());
                at += 1;
            }
        }
    }
    replaced
}

/// Replaces the names and words that some tokens end with by the beginning of a comparison, if the range is about names.
fn put_sign(replaced: &mut Vec<Token>, tokens: &[Token], (least, sign, bound): &RangeInWords) -> bool {
    let ends = |token: &Token| matches!(token, Token::Sign('.' | ':' | ';'));
    let start = replaced.iter().rposition(ends).map_or(0, |end| end + 1);
    let before = &replaced[start.max(replaced.len().saturating_sub(MAX_DISTANCE[0]))..];
    let unit = &tokens[bound.end..tokens.len().min(bound.end + MAX_DISTANCE[1])];
    let is_length = has_phrase(before, "length") || has_phrase(unit, "length");
    let names = subjects_before(before, is_length);
    let is_text = is_length && has_phrase(before, "text");
    if ["derived", "sum"].iter().any(|kind| has_phrase(before, kind)) || names.is_none() && !is_text {
        return false;
    }
    let are_several = before.iter().any(|token| is_word(token, &["each", "both", "all", "every", "strings", "words"]));
    let unnamed = Token::Name { name: if are_several { EACH_TEXT } else { ANY_TEXT }.to_owned(), subscript: None };
    let (start, names) = match names {
        Some(names) => (names.start, &before[names]),
        None => (before.len(), std::slice::from_ref(&unnamed)),
    };
    // Of a number, the same sign is the absolute value.
    let has_bars = is_length || before.iter().any(|token| is_word(token, &["absolute"]));
    let spell = |token: &Token| match token.name().filter(|_| has_bars) {
        Some(_) => vec![Token::Sign('|'), token.clone(), Token::Sign('|')],
        None => vec![token.clone()],
    };
    let bounded: Vec<Token> = names.iter().flat_map(spell).collect();
    let least = least.clone().map(|least| [&tokens[least], &[Token::Comparison("<=")]].concat());
    replaced.truncate(replaced.len() - before.len() + start);
    replaced.extend(least.into_iter().flatten().chain(bounded).chain([Token::Comparison(sign)]));
    true
}

/// A range that words give: the places of its lower bound, if it has two; its sign; and the places of its bound, or of its upper bound.
type RangeInWords = (Option<Range<usize>>, &'static str, Range<usize>);

/// Returns the place of the last of the numbers that a set lists without gaps: `∈ {0, 1}`. Braces are no tokens.
fn last_member(tokens: &[Token], at: usize) -> Option<usize> {
    let number = |at: usize| if let Some(Token::Number(number)) = tokens.get(at) { Some(*number) } else { None };
    let is_next = |at: &usize| {
        tokens.get(at - 1) == Some(&Token::Sign(','))
            && number(*at).is_some_and(|next| number(at - 2) == Some(next - 1))
    };
    let last = (at + 3..).step_by(2).take_while(is_next).last().filter(|_| tokens[at] == Token::Sign('∈'));
    last.filter(|last| tokens.get(last + 1) != Some(&Token::Sign(',')))
}

/// Returns the range that begins at a token.
fn range_at(tokens: &[Token], at: usize) -> Option<RangeInWords> {
    let end = |kind: &str, at: usize| phrase_end(tokens, at, kind);
    let term_end = |at: usize| TermParser::read_sum_at(tokens, at).map(|(_, end)| end);
    let upper = |at: usize| end("most", at).map(|bound| ("<=", bound)).or_else(|| Some(("<", end("below", at)?)));
    let (least, sign, bound) = if let Some(last) = last_member(tokens, at) {
        return Some((Some(at + 1..at + 2), "<=", last..last + 1));
    } else if let Some(after) = end("between", at).or((tokens[at] == Token::Sign('∈')).then_some(at + 1)) {
        let first = after + usize::from(tokens.get(after) == Some(&Token::Sign('[')));
        let joint = term_end(first)?;
        let is_joined = is_word_at(tokens, joint, &["and", "to", "y", "e"])
            || matches!(tokens.get(joint), Some(Token::Sign(',' | '-') | Token::Dots));
        (Some(first..joint).filter(|_| is_joined), "<=", joint + 1)
    } else if let Some(first) = end("least", at) {
        let joint = term_end(first)?;
        let is_joined = is_word_at(tokens, joint, &["and", "but"]) || tokens.get(joint) == Some(&Token::Sign(','));
        match upper(joint + usize::from(is_joined)) {
            Some((sign, bound)) => (Some(first..joint), sign, bound),
            None => (None, ">=", first),
        }
    } else {
        let (sign, bound) = upper(at)?;
        (None, sign, bound)
    };
    Some((least, sign, bound..term_end(bound)?))
}

/// Returns the places of the names before a verb, `n and m will not`, or earlier, `S is a string of length`.
fn subjects_before(tokens: &[Token], is_length: bool) -> Option<Range<usize>> {
    // In `n is an integer between`, the verb is before its noun.
    let is_noun = |token: &Token| is_word(token, &["a", "an", "positive", "integer", "integers", "number", "numbers"]);
    let nouns = tokens.iter().rev().take_while(|token| is_noun(token)).count();
    let (verb, _) = tokens.split_at(tokens.len() - nouns);
    let tokens = if verb.last().is_some_and(|token| is_word(token, &["is", "are"])) { verb } else { tokens };
    let is_filler = |at: &usize| phrase_end(tokens, *at, "filler").is_some() || tokens[*at] == Token::Sign(',');
    let fillers = (0..tokens.len()).rev().take_while(is_filler).count();
    let last = tokens.iter().rposition(|token| token.name().is_some())?;
    let is_before = last + fillers + 1 == tokens.len() || is_length;
    let (mut start, mut at) = (last, last);
    while let Some(next) = at.checked_sub(1).filter(|_| is_before) {
        match &tokens[next] {
            Token::Name { .. } => start = next,
            Token::Sign(',') | Token::Dots => {}
            token if is_word(token, &["and"]) => {}
            _ => break,
        }
        at = next;
    }
    is_before.then_some(start..last + 1)
}

// How elements compare with each other: `x_1 < x_2 < ... < x_n`, `a_i <= a_{i+1}`, `(u_i, v_i) != (u_j, v_j)`.

/// The order that a statement gives the elements of a sequence, or that they differ.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct StatedOrder {
    /// The name of the sequence, or those of several that have their elements side by side.
    pub(crate) names: Vec<String>,
    /// The predicate of a format for it, such as `increasing`.
    pub(crate) predicate: &'static str,
}

/// Returns the orders of elements, and the tokens with one element in place of each: `1 <= x_1 < ... < x_n <= 9`.
pub(super) fn join_orders(tokens: &[Token]) -> (Vec<Token>, Vec<StatedOrder>) {
    let mut joined = Vec::with_capacity(tokens.len());
    let mut orders: Vec<StatedOrder> = Vec::new();
    let mut at = 0;
    while let Some(token) = tokens.get(at) {
        if let Some((mut elements, mut length)) = distinct_at(&tokens[at..]) {
            // Of `a_i != a_j or b_i != b_j`, the pairs are distinct.
            while let Some([Token::Word(word), rest @ ..]) = tokens.get(at + length..)
                && matches!(word.as_str(), "or" | "または" | "或")
                && let Some((others, more)) = distinct_at(rest)
            {
                elements.extend(others);
                length += 1 + more;
            }
            let names = elements.iter().map(|(name, subscript)| field_name(name, Some(subscript), tokens).0).collect();
            orders.push(StatedOrder { names, predicate: "distinct" });
            at += length;
            continue;
        }
        let (Some((predicate, length)), Token::Name { name, subscript }) = (order_at(&tokens[at..]), token) else {
            joined.push(token.clone());
            at += 1;
            continue;
        };
        let (field, _) = field_name(name, subscript.as_deref(), tokens);
        orders.push(StatedOrder { names: vec![field], predicate });
        joined.push(Token::Name { name: name.clone(), subscript: Some("i".to_owned()) });
        at += length;
    }
    orders.dedup();
    (joined, orders)
}

/// Returns the order that some tokens begin with, as a predicate, and its length.
fn order_at(tokens: &[Token]) -> Option<(&'static str, usize)> {
    let [token, Token::Comparison(sign), rest @ ..] = tokens else { return None };
    let (name, first) = token.element()?;
    let predicate = match *sign {
        "<" => "increasing",
        "<=" => "nondecreasing",
        ">" => "decreasing",
        ">=" => "nonincreasing",
        _ => return None,
    };
    let is_element = |token: &Token| token.element().is_some_and(|(other, _)| other == name);
    // Beside `a_i`, `a_{i+1}` is the next element, and `a_{i-1}` the one before.
    let step = |token: &Token| {
        let (_, index) = token.element().filter(|_| is_element(token))?;
        let (one, other) = (split_step(first)?, split_step(index)?);
        (one.0 == other.0).then_some(other.1 - one.1)
    };
    match rest.first().and_then(step) {
        Some(1) => return Some((predicate, 3)),
        Some(-1) => {
            let swapped = [("increasing", "decreasing"), ("nondecreasing", "nonincreasing")];
            let mut both = swapped.into_iter().flat_map(|(up, down)| [(up, down), (down, up)]);
            return both.find(|(one, _)| *one == predicate).map(|(_, other)| (other, 3));
        }
        _ => {}
    }
    // Each element after the first has the same sign before it.
    let mut length = 1;
    let mut has_dots = false;
    while let [Token::Comparison(other), next, ..] = &tokens[length..] {
        if other != sign || !(is_element(next) || *next == Token::Dots) {
            break;
        }
        has_dots |= *next == Token::Dots;
        length += 2;
    }
    let ends_with_element = tokens.get(length - 1).is_some_and(is_element);
    (has_dots && ends_with_element).then_some((predicate, length))
}

/// Returns the elements that differ at different places, with the number of their tokens: `(u_i, v_i) != (u_j, v_j)`.
fn distinct_at(tokens: &[Token]) -> Option<(Vec<(&str, &str)>, usize)> {
    let (elements, after) = elements_at(tokens)?;
    let (others, length) = elements_at(tokens.get(after + 1..)?)?;
    let is_other = |((name, subscript), (other, other_subscript)): (&(&str, &str), &(&str, &str))| {
        let is_any = |subscript: &str| !subscript.bytes().any(|byte| byte.is_ascii_digit());
        name == other && subscript != other_subscript && is_any(subscript) && is_any(other_subscript)
    };
    let are_same = elements.len() == others.len() && elements.iter().zip(&others).all(is_other);
    (tokens[after] == Token::Comparison("!=") && are_same).then_some((elements, after + 1 + length))
}

/// Returns an element, or a few in parentheses, with the number of their tokens.
fn elements_at<'t>(tokens: &'t [Token]) -> Option<(Vec<(&'t str, &'t str)>, usize)> {
    let first = tokens.first()?;
    if *first != Token::Sign('(') {
        return Some((vec![first.element()?], 1));
    }
    let end = tokens.iter().take(8).position(|token| *token == Token::Sign(')'))?;
    let elements = tokens[1..end].split(|token| *token == Token::Sign(','));
    let element = |part: &'t [Token]| if let [token] = part { token.element() } else { None };
    Some((elements.map(element).collect::<Option<_>>()?, end + 1))
}

#[cfg(test)]
mod tests {
    use super::super::Statement;
    use super::super::tests::spelled_chains;

    #[test]
    fn ranges_in_words_are_comparisons() {
        let cases: &[(&str, &[&str])] = &[
            ("Here $k$ is at most 10.", &["k <= 10"]),
            ("Both $n$ and $m$ are between 1 and 1000.", &["1 <= n, m <= 1000"]),
            ("$a_1, \\ldots, a_n$ will not exceed $10^9$.", &["a <= 10^9"]),
            ("The length of $s$ is at least 2 and at most $100\\,000$ characters.", &["2 <= len(s) <= 100000"]),
            ("$S$ and $T$ are strings of length between 1 and 9, inclusive.", &["1 <= len(S), len(T) <= 9"]),
            ("A string $s$ of at most 20 characters.", &["len(s) <= 20"]),
            ("Each string is between 1 and 100 letters long.", &["1 <= len(texts) <= 100"]),
            ("This string has length at least 1 and at most 9.", &["1 <= len(text) <= 9"]),
            ("保证 n 不超过 1000。", &["n <= 1000"]),
            ("Число n не превосходит 1000.", &["n <= 1000"]),
            ("There is a road between $a$ and $b$.", &[]),
            ("There are at most 3 friends.", &[]),
            ("The sum of all $a_i$ is at most 9.", &[]),
            ("It has at most 12 decimals.", &[]),
        ];
        for (text, expected) in cases {
            assert_eq!(spelled_chains(Statement::parse(text).chains), *expected, "{text}");
        }
    }

    #[test]
    fn orders_are_read_with_their_bounds() {
        let cases = [
            ("$1 \\le x_1 < x_2 < \\dots < x_n \\le 9$", "increasing(x)", "1 <= x <= 9"),
            ("$a_1 \\ge a_2 \\ge \\ldots \\ge a_n$", "nonincreasing(a)", ""),
            ("$0 \\le t_i \\le t_{i+1} \\le 7$", "nondecreasing(t)", "0 <= t <= 7"),
            ("$1 \\le l_i < r_i \\le n$", "", "1 <= l < r <= n"),
            ("$1 \\le a_i \\le 9$, $a_i \\ne a_j$ if $i \\ne j$", "distinct(a)", "1 <= a <= 9; i != j"),
            ("$(u_i, v_i) \\neq (u_j, v_j)$", "distinct(u, v)", ""),
            ("$u_i \\ne v_i$", "", "u != v"),
            ("$x_1 < x_2 \\le 5$", "", "x1 < x2 <= 5"),
        ];
        for (text, order, chain) in cases {
            let statement = Statement::parse(text);
            let orders =
                statement.orders.iter().map(|order| format!("{}({})", order.predicate, order.names.join(", ")));
            assert_eq!(orders.collect::<Vec<_>>().join(", "), order, "{text}");
            assert_eq!(spelled_chains(statement.chains).join("; "), chain, "{text}");
        }
    }
}
