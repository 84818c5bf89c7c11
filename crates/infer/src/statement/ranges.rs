//! Reads ranges that a statement gives in words: `between 1 and 1000`, `at least 2 and at most 100 characters`.

use super::chains::{TermParser, name_of_token};
use super::tokens::{Token, are_words_at, is_word, is_word_at, number_of_word, sentence_start};
use rebut_format::syntax::{SyntaxTerm, SyntaxTermKind};
use std::collections::BTreeMap;

const NUMBER_NOUNS: &[&str] =
    &["integer", "integers", "number", "numbers", "value", "values", "coordinate", "coordinates", "elements"];

/// A range of numbers, or of the length of a text.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct StatedRange {
    pub(crate) lo: Option<SyntaxTerm>,
    pub(crate) hi: Option<SyntaxTerm>,
    pub(crate) is_length: bool,
    /// True if numbers are named right before the range: `two integers, between 0 and 1000`.
    pub(crate) is_of_numbers: bool,
    /// True if the range counts things: `no more than 3 friends`.
    pub(crate) is_of_things: bool,
    /// The names that the range is about: `k` of `k is at most 10`.
    pub(crate) subjects: Vec<String>,
    /// True if the range is that of all numbers of the input: `each integer is between 0 and 1000`.
    pub(super) is_general: bool,
}

impl StatedRange {
    /// Returns a range of the length of a text.
    pub(crate) fn of_length(lo: Option<SyntaxTerm>, hi: Option<SyntaxTerm>) -> StatedRange {
        StatedRange {
            lo,
            hi,
            is_length: true,
            is_general: false,
            is_of_numbers: false,
            is_of_things: false,
            subjects: Vec::new(),
        }
    }
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
        let is_between = is_word(&tokens[at], &["between", "from", "range"]);
        let is_range = !is_between
            || lo.iter().chain(&hi).all(is_constant)
            || lo.as_ref().is_some_and(is_constant) && (follows_numbers(tokens, at) || words_of_all(&tokens[..at]) > 0);
        let lo = lo.filter(is_constant);
        if is_range && (lo.is_some() || hi.is_some()) {
            found.extend(stated_range(tokens, (lo, hi), at..end));
        }
        at = end;
    }
    found
}

/// Returns true right after a noun of numbers, or their names: `integers a, b between 1 and n`, `integers in the range`.
fn follows_numbers(tokens: &[Token], at: usize) -> bool {
    let is_joint = |token: &&Token| {
        matches!(token, Token::Name { .. } | Token::Sign(',')) || is_word(token, &["in", "the", "and"])
    };
    let joints = tokens[..at].iter().rev().take_while(is_joint).count();
    let are_all = is_word_at(tokens, at.wrapping_sub(1), &["all", "each", "are", "them"]);
    are_all || is_word_at(tokens, (at - joints).wrapping_sub(1), NUMBER_NOUNS)
}

/// Returns the largest numbers of digits that sentences give to whole numbers that no number of a format reaches, with
/// their names where they have some: `an integer n of at most 1000 digits`.
pub(super) fn find_digit_limits(tokens: &[Token]) -> Vec<(Option<String>, usize)> {
    /// Maximum number of digits of a number in a format.
    const MAX_DIGITS: i128 = 36;
    /// Maximum number of tokens from the noun to the limit.
    const MAX_DISTANCE: usize = 4;
    let mut found = Vec::new();
    for at in 0..tokens.len() {
        let Some((_, Some(hi), end)) = limits_at(tokens, at) else { continue };
        let are_decimals = is_word_at(tokens, end + 1, &["after", "behind", "following"]);
        let digits = hi.constant_value().filter(|digits| *digits > MAX_DIGITS && !are_decimals);
        if let (Some(digits), true) =
            (digits.and_then(|digits| usize::try_from(digits).ok()), is_word_at(tokens, end, &["digits"]))
        {
            let sentence = &tokens[sentence_start(tokens, at)..at];
            let is_noun = |token: &Token| is_word(token, &["integer", "integers", "number", "numbers"]);
            if !sentence.iter().rev().take(MAX_DISTANCE).any(is_noun) {
                continue;
            }
            let name = sentence.iter().rev().find_map(|token| name_of_token(token, tokens));
            found.push((name, digits));
        }
    }
    found
}

/// Returns the lower bounds of names that an adjective gives: `three non-negative integers a, b and c`.
pub(super) fn find_signed_numbers(tokens: &[Token]) -> Vec<StatedRange> {
    /// Maximum number of words between the adjective and the names.
    const MAX_WORDS: usize = 4;
    let mut found = Vec::new();
    for at in 0..tokens.len() {
        let is_hyphenated = is_word_at(tokens, at, &["non"]) && tokens.get(at + 1) == Some(&Token::Sign('-'));
        let (lo, after) = match &tokens[at] {
            Token::Word(word) if word == "positive" && !is_behind_non(tokens, at) => (1, at + 1),
            Token::Word(word) if word == "nonnegative" => (0, at + 1),
            _ if is_hyphenated && is_word_at(tokens, at + 2, &["negative"]) => (0, at + 3),
            _ => continue,
        };
        let is_between =
            |token: &&Token| matches!(token, Token::Word(word) if word != "and") || **token == Token::Sign('-');
        let words = tokens[after..].iter().take(MAX_WORDS).take_while(is_between).count();
        let is_listed = |token: &&Token| {
            matches!(token, Token::Name { .. } | Token::Sign(',') | Token::Dots) || is_word(token, &["and"])
        };
        let names = tokens[after + words..].iter().take_while(is_listed);
        let subjects: Vec<String> = names.filter_map(|token| name_of_token(token, tokens)).collect();
        if !subjects.is_empty() {
            let lo = Some(SyntaxTerm::from_number(lo));
            found.push(StatedRange {
                lo,
                hi: None,
                is_length: false,
                is_general: false,
                is_of_numbers: true,
                is_of_things: false,
                subjects,
            });
        }
    }
    found
}

/// Returns the numbers that a text gives to things: `1` and `n` of `numbered from 1 to n`, `numbers 1, 2, ..., n`.
pub(super) fn find_numbering(tokens: &[Token]) -> Option<(SyntaxTerm, SyntaxTerm)> {
    /// Maximum number of words between `numbered` and the first number.
    const MAX_WORDS: usize = 4;
    const NUMBERED: &[&str] =
        &["numbered", "labelled", "labeled", "marked", "indexed", "numrerade", "numrerad", "nummererade"];
    let is_numbered = |at: &usize| is_word(&tokens[*at], NUMBERED);
    (0..tokens.len()).filter(is_numbered).find_map(|at| {
        let words = tokens[at + 1..].iter().take(MAX_WORDS).take_while(|token| matches!(token, Token::Word(_))).count();
        let (lo, mut end) = TermParser::read_sum_at(tokens, at + 1 + words)?;
        lo.constant_value().filter(|lo| matches!(lo, 0 | 1))?;
        // Other numbers and dots may be between the two.
        while matches!(tokens.get(end), Some(Token::Sign(',' | '-') | Token::Dots | Token::Number(_)))
            || is_word_at(tokens, end, &["to", "through", "and", "up", "until"])
        {
            end += 1;
        }
        let (hi, _) = TermParser::read_sum_at(tokens, end)?;
        hi.constant_value().is_none().then_some((lo, hi))
    })
}

/// Returns the range between two ends that some tokens give, unless it is about decimals.
fn stated_range(
    tokens: &[Token],
    (lo, hi): (Option<SyntaxTerm>, Option<SyntaxTerm>),
    place: std::ops::Range<usize>,
) -> Option<StatedRange> {
    /// Maximum number of tokens before a range that name its subject.
    const MAX_DISTANCE: usize = 9;
    let start = sentence_start(tokens, place.start);
    let before = &tokens[start.max(place.start.saturating_sub(MAX_DISTANCE))..place.start];
    let unit = &tokens[place.end.min(tokens.len())..tokens.len().min(place.end + 3)];
    let speaks_of = |words: &[&str], near: &[Token]| near.iter().any(|token| is_word(token, words));
    if speaks_of(&["difference", "differences", "differ"], before) {
        // Two numbers that are near each other may both be large.
        return None;
    }
    if speaks_of(&["decimals", "decimal", "digits"], unit) || speaks_of(&["decimals", "digits"], before) {
        return None;
    }
    let is_length = speaks_of(&["length", "lengths", "long"], before)
        || speaks_of(&["characters", "letters", "symbols", "long"], unit);
    let is_general = tokens.get(start..start + 2).is_some_and(|first| {
        let are_numbers = is_word(&first[1], NUMBER_NOUNS) || is_word(&first[1], &["input"]);
        let is_said = place.start == start + 3 && is_word(&tokens[place.start - 1], &["is", "are"]);
        is_word(&first[0], &["each", "every", "all"]) && (are_numbers || is_said)
    });
    let is_absolute =
        before.windows(2).any(|pair| is_word(&pair[0], &["absolute"]) && is_word(&pair[1], &["value", "values"]));
    let lo = lo.or_else(|| hi.clone().filter(|_| is_absolute).map(SyntaxTerm::into_negated));
    let is_of_numbers = before.iter().rev().take(4).any(|token| is_word(token, NUMBER_NOUNS));
    let subjects = subjects_before(tokens, place.start);
    Some(StatedRange {
        lo,
        hi,
        is_length,
        is_general: is_general && subjects.is_empty(),
        is_of_numbers,
        is_of_things: !is_of_numbers && counts_things(before, unit),
        subjects,
    })
}

/// Returns true for the number of some things that a sentence mentions by the way: `teams with less than 10 points`,
/// `there are no more than 3 friends`, `several test cases (at most 20)`. A total bounds its parts.
fn counts_things(before: &[Token], unit: &[Token]) -> bool {
    let is_at_end = |words: &[&str]| before.last().is_some_and(|token| is_word(token, words));
    let exists = before.len() >= 2 && is_word_at(before, before.len() - 2, &["there"]) && is_at_end(&["is", "are"]);
    let are_cases = before.len() >= 2
        && before.last() == Some(&Token::Sign('('))
        && is_word_at(before, before.len() - 2, &["cases", "testcases", "tests", "sets", "datasets", "lines"]);
    let is_total = unit.iter().any(|token| is_word(token, &["total"]));
    let is_followed = matches!(unit.first(), Some(Token::Word(word)) if !matches!(word.as_str(), "and" | "or" | "in"));
    are_cases || is_followed && !is_total && (exists || is_at_end(&["with"]))
}

/// Returns the names before a range and its verb: `n and m will not exceed 10`.
fn subjects_before(tokens: &[Token], at: usize) -> Vec<String> {
    const VERBS: &[&str] = &["is", "are", "be", "will", "must", "should", "does", "do", "not", "always"];
    let verbs = match words_of_all(&tokens[..at]) {
        0 => tokens[..at].iter().rev().take_while(|token| is_word(token, VERBS)).count(),
        words => words,
    };
    let mut subjects = Vec::new();
    let mut rest = &tokens[..at - verbs];
    while let Some((last, before)) = rest.split_last()
        && let Some(subject) = name_of_token(last, tokens)
    {
        if verbs > 0 && !subjects.contains(&subject) {
            subjects.push(subject);
        }
        let is_joint = |token: &&Token| is_word(token, &["and"]) || matches!(token, Token::Sign(',') | Token::Dots);
        let joints = before.iter().rev().take_while(is_joint).count();
        rest = if joints > 0 { &before[..before.len() - joints] } else { &[] };
    }
    subjects.reverse();
    subjects
}

/// Returns the number of tokens between names and their common range: `a, b and c, all distinct and in the range`.
fn words_of_all(before: &[Token]) -> usize {
    const WORDS: &[&str] =
        &["all", "each", "distinct", "different", "unique", "and", "of", "them", "in", "the", "are", "is"];
    let is_between = |token: &&Token| is_word(token, WORDS) || **token == Token::Sign(',');
    let words = before.iter().rev().take_while(is_between).count();
    let between = &before[before.len() - words..];
    if between.iter().any(|token| is_word(token, &["all", "each"])) { words } else { 0 }
}

/// Returns the position after a range that counts no things: `at most 20 letters`, `integers between 1 and n`.
pub(super) fn skip_range(tokens: &[Token], at: usize) -> Option<usize> {
    let Some((lo, hi, end)) = limits_at(tokens, at) else { return limit_in_words(tokens, at) };
    let is_constant = lo.iter().chain(&hi).all(|end| end.constant_value().is_some());
    let is_of_numbers = lo.as_ref().is_some_and(|lo| lo.constant_value().is_some()) && follows_numbers(tokens, at);
    (is_constant || is_of_numbers).then_some(end)
}

/// Returns the position after a limit with a number as a word: `at most two digits after the point`.
fn limit_in_words(tokens: &[Token], at: usize) -> Option<usize> {
    let is_limit = is_word_at(tokens, at, &["at"]) && is_word_at(tokens, at + 1, &["most", "least"]);
    match tokens.get(at + 2) {
        Some(Token::Word(word)) if is_limit && number_of_word(word).is_some() => Some(at + 3),
        _ => None,
    }
}

/// The ends of a range, and the position after it.
type RangeAt = (Option<SyntaxTerm>, Option<SyntaxTerm>, usize);

/// Reads a range, or `up to 100`, which only counts letters or digits.
fn limits_at(tokens: &[Token], at: usize) -> Option<RangeAt> {
    match are_words_at(tokens, at, &["up", "to"]) {
        true => TermParser::read_sum_at(tokens, at + 2).map(|(hi, end)| (None, Some(hi), end)),
        false => range_at(tokens, at),
    }
}

fn range_at(tokens: &[Token], at: usize) -> Option<RangeAt> {
    let is_at = |place: usize, words: &[&str]| is_word_at(tokens, place, words);
    if is_at(at, &["between", "from", "range"]) {
        let skipped =
            usize::from(is_at(at + 1, &["from", "of", "between"]) || tokens.get(at + 1) == Some(&Token::Sign('[')));
        let (lo, after) = TermParser::read_sum_at(tokens, at + 1 + skipped)?;
        let is_joined =
            is_at(after, &["and", "to"]) || matches!(tokens.get(after), Some(Token::Sign(',' | '-') | Token::Dots));
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
    if is_at(at, &["less", "fewer", "shorter", "smaller"]) && is_at(at + 1, &["than"]) && !is_at(at + 2, &["or"]) {
        let (hi, after) = TermParser::read_sum_at(tokens, at + 2)?;
        return Some((SyntaxTerm::from_number(hi.constant_value()?.checked_sub(1)?), after));
    }
    let length = match () {
        () if is_at(at, &["at"]) && is_at(at + 1, &["most"]) => 2,
        () if is_at(at, &["no", "not"])
            && is_at(at + 1, &["more", "greater", "longer", "larger", "higher"])
            && is_at(at + 2, &["than"]) =>
        {
            3
        }
        () if is_at(at, &["exceeding", "exceed"]) && is_negated(tokens, at) => 1,
        () if is_at(at, &["more", "greater", "longer", "larger", "higher"])
            && is_at(at + 1, &["than"])
            && is_negated(tokens, at) =>
        {
            2
        }
        () => return None,
    };
    TermParser::read_sum_at(tokens, at + length)
}

/// Returns true if `non-` precedes a place.
fn is_behind_non(tokens: &[Token], at: usize) -> bool {
    at >= 2 && is_word_at(tokens, at - 2, &["non"]) && tokens[at - 1] == Token::Sign('-')
}

/// Returns true if one of the words shortly before a place negates it: `does not have more than`, `doesn't have`.
fn is_negated(tokens: &[Token], at: usize) -> bool {
    /// Maximum number of tokens between the two.
    const MAX_DISTANCE: usize = 4;
    const NEGATIONS: &[&str] =
        &["no", "not", "never", "none", "neither", "nor", "without", "cannot", "doesn", "don", "won", "isn", "aren"];
    let start = sentence_start(tokens, at).max(at.saturating_sub(MAX_DISTANCE));
    tokens[start..at].iter().any(|token| is_word(token, NEGATIONS))
}

// Sums of names and numbers, for the numbers of lines: `N + Q + 2`.

/// A sum of names, each with a factor, and a number.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct LinearForm {
    constant: i128,
    /// The factors of the names, none of which is zero.
    factors: BTreeMap<String, i128>,
}

impl LinearForm {
    pub(super) fn from_number(constant: i128) -> LinearForm {
        LinearForm { constant, ..LinearForm::default() }
    }

    /// Returns the form of a term, or `None` if it is no sum or too large.
    pub(super) fn from_term(term: &SyntaxTerm) -> Option<LinearForm> {
        if let Some(number) = term.constant_value() {
            return Some(LinearForm::from_number(number));
        }
        match &term.kind {
            SyntaxTermKind::Name(name) => {
                Some(LinearForm { constant: 0, factors: BTreeMap::from([(name.clone(), 1)]) })
            }
            SyntaxTermKind::Binary("+", left, right) => Self::from_term(left)?.add_times(&Self::from_term(right)?, 1),
            SyntaxTermKind::Binary("-", left, right) => Self::from_term(left)?.add_times(&Self::from_term(right)?, -1),
            SyntaxTermKind::Binary("*", left, right) => {
                let (factor, other) = match (left.constant_value(), right.constant_value()) {
                    (Some(factor), None) => (factor, right),
                    (None, Some(factor)) => (factor, left),
                    _ => return None,
                };
                LinearForm::default().add_times(&Self::from_term(other)?, factor)
            }
            _ => None,
        }
    }

    /// Adds a form several times.
    pub(super) fn add_times(mut self, other: &LinearForm, times: i128) -> Option<LinearForm> {
        self.constant = self.constant.checked_add(other.constant.checked_mul(times)?)?;
        for (name, factor) in &other.factors {
            let sum = self.factors.entry(name.clone()).or_default();
            *sum = sum.checked_add(factor.checked_mul(times)?)?;
        }
        self.factors.retain(|_, factor| *factor != 0);
        Some(self)
    }

    /// Replaces a name, which must have the factor 1, by a form.
    pub(super) fn with_value(mut self, name: &str, value: &LinearForm) -> Option<LinearForm> {
        match self.factors.remove(name) {
            Some(1) => self.add_times(value, 1),
            _ => None,
        }
    }

    pub(super) fn to_term(&self) -> Option<SyntaxTerm> {
        let number = SyntaxTerm::from_number;
        let mut sum: Option<SyntaxTerm> = None;
        for (name, factor) in &self.factors {
            let term = match factor {
                1 => SyntaxTerm::from_name(name.clone()),
                2.. => number(*factor).into_operation("*", SyntaxTerm::from_name(name.clone())),
                _ => return None,
            };
            sum = Some(match sum {
                Some(sum) => sum.into_operation("+", term),
                None => term,
            });
        }
        Some(match (sum, self.constant) {
            (None, constant) => number(constant),
            (Some(sum), 0) => sum,
            (Some(sum), constant @ 1..) => sum.into_operation("+", number(constant)),
            (Some(sum), constant) => sum.into_operation("-", number(constant.checked_neg()?)),
        })
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests")]

    use super::super::Statement;
    use super::super::chains::TermParser;
    use super::super::tokens::split_formula;
    use super::*;

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
    fn numberings_are_found() {
        for text in [
            "The crates are numbered from $1$ to $n$.",
            "Flowers are marked with integers $1 \\ldots n$.",
            "Players are numbered $1, 2, \\dots, n$.",
        ] {
            let found = Statement::parse(text).numbering.map(|(lo, hi)| format!("{lo}..{hi}"));
            assert_eq!(found.as_deref(), Some("1..n"), "{text}");
        }
        assert_eq!(Statement::parse("The cards are numbered.").numbering, None);
    }

    #[test]
    fn ranges_in_words_have_their_subjects() {
        let cases: &[(&str, &[&str])] = &[
            ("Here $k$ is at most 10.", &["k: ..10"]),
            ("Both $n$ and $m$ are between 1 and 1000.", &["n,m: 1..1000"]),
            ("$a_1, \\ldots, a_n$ will not exceed $10^9$.", &["a: ..10^9"]),
            ("The length of the string is at least $k$ and at most $100\\,000$ characters.", &[": len ..100000"]),
            ("Eve doesn't have more than $10^9$ sheets of any size.", &[": ..10^9"]),
            ("The highest value is no greater than 10,000.", &[": ..10000"]),
            ("The total length of the $M$ strings does not exceed $10^6$.", &[": len ..10^6"]),
            ("Three non-negative integers $a$, $b$ and $c$.", &["a,b,c: 0.."]),
            ("A positive integer $n$ and an integer $m$.", &["n: 1.."]),
            ("All words have a length of at most $N$.", &[": len ..N"]),
            ("There is a road between $a$ and $b$.", &[]),
            ("It costs more than 5 crowns.", &[]),
            ("It has at most 12 decimals.", &[]),
        ];
        for (text, expected) in cases {
            assert_eq!(ranges(text), *expected, "{text}");
        }
    }

    #[test]
    fn sums_are_simplified() {
        for (text, expected) in [
            ("3 + Q - 1", Some("Q + 2")),
            ("N - 1 + M - N", Some("M - 1")),
            ("2 * N + M + N", Some("M + 3 * N")),
            ("5 - 7", Some("-2")),
            ("3 - N", None),
            ("N * M", None),
        ] {
            let (term, _) = TermParser::read_sum_at(&split_formula(text), 0).unwrap();
            let sum = LinearForm::from_term(&term).and_then(|form| form.to_term());
            assert_eq!(sum.map(|sum| sum.to_string()).as_deref(), expected, "{text}");
        }
    }
}
