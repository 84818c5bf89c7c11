//! Splits the plain text of a statement into words, names, numbers and signs.

use super::markup::FORMULA;

/// A token of a statement.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Token {
    /// A name in a formula, or a letter in the text; with its subscript.
    Name {
        name: String,
        subscript: Option<String>,
    },
    Number(i128),
    /// A word of the text, in lower case.
    Word(String),
    /// A comparison operator.
    Comparison(&'static str),
    /// Another sign, such as `+`, `,` or `(`.
    Sign(char),
    /// `...`
    Dots,
}

impl Token {
    pub(super) fn name(&self) -> Option<&str> {
        if let Token::Name { name, .. } = self { Some(name) } else { None }
    }

    /// Returns the name and the subscript of an element.
    pub(super) fn element(&self) -> Option<(&str, &str)> {
        if let Token::Name { name, subscript: Some(subscript) } = self { Some((name, subscript)) } else { None }
    }

    /// Returns a word, or a name without a subscript.
    pub(super) fn plain_text(&self) -> Option<&str> {
        if let Token::Name { name: text, subscript: None } | Token::Word(text) = self { Some(text) } else { None }
    }
}

/// Returns true for a character of a script without spaces between words.
pub(super) fn is_unspaced(c: char) -> bool {
    matches!(c, '\u{2e80}'..='\u{9fff}' | '\u{ac00}'..='\u{d7af}')
}

/// The sign between two paragraphs.
pub(super) const PARAGRAPH: char = '\u{2029}';

/// The sign of a dash, which TeX writes as two or three hyphens.
pub(super) const DASH: char = '\u{2014}';

pub(super) fn split_formula(formula: &str) -> Vec<Token> {
    split_tokens(&format!("{FORMULA}{formula}"))
}

pub(super) fn split_tokens(text: &str) -> Vec<Token> {
    let characters = with_bracketed_exponents(text);
    let mut tokens = Vec::new();
    let (mut at, mut in_formula) = (0, false);
    while let Some(&c) = characters.get(at) {
        let rest = &characters[at..];
        let (token, length) = match c {
            FORMULA => {
                in_formula = !in_formula;
                (None, 1)
            }
            // A factorial: it belongs to the term.
            '!' if in_formula && rest.get(1) != Some(&'=') => (Some(Token::Sign('!')), 1),
            '<' | '>' | '=' | '!' => comparison(rest),
            '.' if rest.starts_with(&['.', '.']) => (Some(Token::Dots), rest.iter().take_while(|c| **c == '.').count()),
            '-' if rest.starts_with(&['-', '-']) => {
                (Some(Token::Sign(DASH)), rest.iter().take_while(|c| **c == '-').count())
            }
            '0'..='9' => number(rest),
            '*' if rest.get(1) == Some(&'*') && matches!(tokens.last(), Some(Token::Number(_))) => {
                (Some(Token::Sign('^')), 2)
            }
            // No formula goes beyond a paragraph: a mark is missing.
            '\n' if rest.get(1) == Some(&'\n') => {
                in_formula = false;
                (Some(Token::Sign(PARAGRAPH)), 2)
            }
            // A letter after an apostrophe ends a word: "the player's move".
            c if c.is_alphabetic() && at >= 2 && characters[at - 1] == '\'' && characters[at - 2].is_alphabetic() => {
                (None, rest.iter().take_while(|c| c.is_alphanumeric()).count())
            }
            // "$n$ y $m$", in Spanish and Portuguese.
            'y' | 'e' if !in_formula && joins_formulas(&tokens, rest) => (Some(Token::Word("and".to_owned())), 1),
            c if c.is_alphabetic() => word_or_name(rest, in_formula, follows_operand(&tokens)),
            c if c.is_whitespace() || matches!(c, '{' | '}') => (None, 1),
            c => (Some(Token::Sign(c)), 1),
        };
        let is_number = matches!(token, Some(Token::Number(_)));
        tokens.extend(token);
        at += length;
        // `2N` is a product; `2nd` and `3D` in the text are none.
        let letter = characters.get(at).filter(|c| c.is_ascii_alphabetic());
        let is_single =
            letter.is_some_and(|c| c.is_lowercase()) && !characters.get(at + 1).is_some_and(|c| c.is_alphanumeric());
        if is_number && (in_formula && letter.is_some() || is_single) {
            tokens.push(Token::Sign('*'));
        }
    }
    tokens
}

/// Returns the characters of a text with brackets in place of the braces of exponents that are terms: `2^{n-1}`.
fn with_bracketed_exponents(text: &str) -> Vec<char> {
    /// Maximum length of such an exponent.
    const MAX_LENGTH: usize = 60;
    let mut characters: Vec<char> = text.chars().collect();
    for at in 0..characters.len() {
        if !characters[at..].starts_with(&['^', '{']) {
            continue;
        }
        let mut depth = 0;
        let end = characters[at + 1..].iter().take(MAX_LENGTH).position(|c| {
            depth += i32::from(*c == '{') - i32::from(*c == '}');
            depth == 0
        });
        let Some(end) = end.map(|length| at + 1 + length) else { continue };
        if !characters[at + 2..end].iter().all(|c| c.is_alphanumeric() || c.is_whitespace()) {
            (characters[at + 1], characters[end]) = ('(', ')');
        }
    }
    characters
}

fn comparison(rest: &[char]) -> (Option<Token>, usize) {
    let is_double = rest.get(1) == Some(&'=');
    let sign = match (rest[0], is_double) {
        ('<', true) => "<=",
        ('<', false) => "<",
        ('>', true) => ">=",
        ('>', false) => ">",
        ('!', true) => "!=",
        ('!', false) => return (None, 1),
        _ => "=",
    };
    (Some(Token::Comparison(sign)), if is_double { 2 } else { 1 })
}

/// Reads a number. Groups of three digits may be separated by a comma, a space, `'` or `{,}`.
fn number(rest: &[char]) -> (Option<Token>, usize) {
    let is_digit = |at: usize| rest.get(at).is_some_and(char::is_ascii_digit);
    let mut digits = String::new();
    let (mut at, mut is_grouped) = (0, false);
    while is_digit(at) {
        digits.push(rest[at]);
        at += 1;
        let separator = match (rest.get(at), rest.get(at + 1)) {
            (Some('{'), Some(',')) if rest.get(at + 2) == Some(&'}') => 3,
            (Some(',' | ' ' | '\''), _) => 1,
            _ => 0,
        };
        let group = at + separator;
        let has_group = (group..group + 3).all(is_digit) && !is_digit(group + 3);
        // Only the first group may be shorter.
        if separator > 0 && (is_grouped || digits.len() <= 3) && has_group && !is_digit(at) {
            (at, is_grouped) = (group, true);
        }
    }
    if rest.get(at) == Some(&'.') && is_digit(at + 1) {
        // Formats have no such number: a comparison with it is a remark.
        let end = at + 1 + rest[at + 1..].iter().take_while(|c| c.is_ascii_digit()).count();
        return (Some(Token::Word(rest[..end].iter().collect())), end);
    }
    if let Some((zeros, end)) = exponent(rest, at) {
        return ((digits + &"0".repeat(zeros)).parse().ok().map(Token::Number), end);
    }
    (digits.parse().ok().map(Token::Number), at)
}

/// Reads the exponent of `1e5`, and returns it with its end.
fn exponent(rest: &[char], at: usize) -> Option<(usize, usize)> {
    let digits = rest.get(at + 1..)?.iter().take_while(|c| c.is_ascii_digit()).count();
    let end = at + 1 + digits;
    let is_exponent = matches!(rest[at], 'e' | 'E') && (1..=2).contains(&digits);
    let is_alone = !rest.get(end).is_some_and(|c| c.is_alphanumeric());
    let zeros = rest[at + 1..end].iter().collect::<String>().parse().ok().filter(|zeros| *zeros <= 36);
    zeros.filter(|_| is_exponent && is_alone).map(|zeros| (zeros, end))
}

/// Returns true if a letter stands between a name and a formula.
fn joins_formulas(tokens: &[Token], rest: &[char]) -> bool {
    matches!(tokens.last(), Some(Token::Name { .. })) && rest.get(1) == Some(&' ') && rest.get(2) == Some(&FORMULA)
}

/// Returns true if the last token is an operand, after which a name in the text can begin.
fn follows_operand(tokens: &[Token]) -> bool {
    matches!(tokens.last(), Some(Token::Comparison(_) | Token::Sign(',' | '(' | '*' | '+' | '-' | '/' | '%')))
}

fn word_or_name(rest: &[char], in_formula: bool, is_after_sign: bool) -> (Option<Token>, usize) {
    // Between scripts without spaces and names, there may be none: `三个整数n`.
    let is_inside = |c: &&char| c.is_alphanumeric() && is_unspaced(**c) == is_unspaced(rest[0]);
    let length = rest.iter().take_while(is_inside).count();
    let text: String = rest[..length].iter().collect();
    // A prime is a part of the name in a formula: `x'_i`.
    let primes = if in_formula { rest[length..].iter().take_while(|c| **c == '\'').count() } else { 0 };
    let (length, text) = (length + primes, text + &"p".repeat(primes));
    let (subscript, end) = subscript(rest, length);
    let letters = text.chars().filter(|c| c.is_alphabetic()).count();
    let next = rest[end..].iter().find(|c| **c != ' ');
    let is_compared = matches!(next, Some('<' | '>' | '+' | '*' | '=' | '%' | '/')) && rest[end..].len() > 1;
    // "n integers, a string" has an article after a comma, "x, a and b" a name.
    let next_word = rest[end..].iter().skip_while(|c| **c == ' ').take_while(|c| c.is_alphabetic()).count();
    let is_joined =
        [" and ", " mod ", " is "].iter().any(|word| rest[end..].iter().take(word.len()).copied().eq(word.chars()));
    let is_listed = is_joined || is_after_sign && next_word < 2;
    let is_article = matches!(text.as_str(), "a" | "A" | "I") && !is_listed && !is_compared && next != Some(&',');
    let is_function = subscript.is_none() && matches!(text.as_str(), "min" | "max" | "gcd" | "mod" | "sum" | "of");
    let is_name = subscript.is_some() || in_formula && !is_function || is_compared || letters == 1 && !is_article;
    if is_name && text.is_ascii() {
        return (Some(Token::Name { name: text, subscript }), end);
    }
    (Some(Token::Word(text.to_lowercase())), length)
}

/// Reads a subscript behind a name, and returns it with the end of both.
fn subscript(rest: &[char], length: usize) -> (Option<String>, usize) {
    let skipped = rest[length..].iter().take_while(|c| **c == FORMULA).count();
    let at = length + skipped;
    if rest.get(at) == Some(&'[') && rest.get(at + 1).is_some_and(|c| c.is_alphanumeric()) {
        let (mut indices, mut end): (Vec<String>, usize) = (Vec::new(), at);
        // `D[i][j]` has two indices, and no name has more than four.
        while indices.len() < 4 && rest.get(end) == Some(&'[') {
            let inside: String = rest[end + 1..].iter().take_while(|c| **c != ']').collect();
            end = (end + 2 + inside.chars().count()).min(rest.len());
            indices.push(inside);
        }
        return (Some(indices.join(",")), end);
    }
    if rest.get(at) != Some(&'_') {
        return (None, length);
    }
    if rest.get(at + 1) == Some(&'{') {
        let inside: String = rest[at + 2..].iter().take_while(|c| **c != '}').collect();
        let end = at + 3 + inside.chars().count();
        return (Some(inside), end.min(rest.len()));
    }
    // `c_0c_1` has two names.
    let is_number = rest.get(at + 1).is_some_and(char::is_ascii_digit);
    let is_inside = |c: &&char| if is_number { c.is_ascii_digit() } else { c.is_alphanumeric() };
    let inside: String = rest[at + 1..].iter().take_while(is_inside).collect();
    let end = at + 1 + inside.chars().count();
    (Some(inside), end)
}

// Words and sentences among the tokens of a statement.

pub(super) fn is_word(token: &Token, words: &[&str]) -> bool {
    matches!(token, Token::Word(word) if words.contains(&word.as_str()))
}

/// Returns true if one of some words is at a place.
pub(super) fn is_word_at(tokens: &[Token], at: usize, words: &[&str]) -> bool {
    tokens.get(at).is_some_and(|token| is_word(token, words))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_of_digits_are_one_number() {
        for (text, number) in [
            ("1,000,000,000", 1_000_000_000),
            ("12 345 678 901 234", 12_345_678_901_234),
            ("100{,}000{,}000{,}000", 100_000_000_000),
            ("1'000'000'000'000'000'000", 1_000_000_000_000_000_000),
            ("200,000", 200_000),
        ] {
            assert_eq!(split_formula(text), [Token::Number(number)], "{text}");
        }
        let several = |text: &str| split_formula(text).len() > 1;
        assert!(["1000,000", "1,00", "1,0000", "1,000,0000"].into_iter().all(several));
    }
}
