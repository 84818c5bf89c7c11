//! Reads the letters of texts: `consists of lowercase letters`, `characters a-z and 0-9`.

use super::markup::FORMULA;
use super::sections::Sentence;
use super::tokens::Token;
use std::collections::BTreeSet;

/// The letters that a sentence gives to texts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct StatedLetters {
    /// The names of fields in the sentence.
    pub(crate) names: Vec<String>,
    pub(crate) letters: BTreeSet<char>,
    /// True if the sentence lists each of them: `consisting of o and x`.
    pub(crate) is_list: bool,
}

/// Words of sentences about texts.
const TEXT_WORDS: &[&str] = &[
    "string",
    "strings",
    "word",
    "words",
    "name",
    "names",
    "text",
    "consist",
    "consists",
    "consisting",
    "character",
    "characters",
    "letter",
    "letters",
];

/// Returns the letters that sentences give. `tokens` are those of the whole text.
pub(super) fn find_letters(sentences: &[Sentence], tokens: &[Token]) -> Vec<StatedLetters> {
    let mut found = Vec::new();
    for sentence in sentences.iter().filter(|sentence| sentence.has_any(TEXT_WORDS)) {
        let classes = letters_in(sentence);
        let listed = listed_letters(&sentence.text);
        let (letters, is_list) = match classes.is_empty() {
            true => (listed, true),
            // Signs that are listed beside classes belong to them: `digits and the symbols + and -`.
            false => {
                (classes.into_iter().chain(listed.into_iter().filter(char::is_ascii_punctuation)).collect(), false)
            }
        };
        if !letters.is_empty() {
            found.push(StatedLetters { names: texts_named(sentence, tokens), letters, is_list });
        }
    }
    found
}

/// Returns the names in a sentence, except for the ends of ranges of letters: `a-z` names no `z`.
fn texts_named(sentence: &Sentence, tokens: &[Token]) -> Vec<String> {
    let ranges: Vec<&str> = ["a-z", "A-Z"].into_iter().filter(|range| sentence.text.contains(range)).collect();
    let is_end = |name: &String| ranges.iter().any(|range| range.split('-').any(|end| end == name));
    sentence.field_names(tokens).into_iter().filter(|name| !is_end(name)).collect()
}

/// Returns the letters of the classes and ranges that a sentence names.
fn letters_in(sentence: &Sentence) -> BTreeSet<char> {
    let mut letters = letter_ranges(&sentence.text);
    if sentence.has_any(&["letters", "letter", "characters", "character", "alphabet"]) {
        let is_lower = sentence.has_any(&["lowercase", "lower-case", "lower case", "small"]);
        let is_upper = sentence.has_any(&["uppercase", "upper-case", "upper case", "capital"]);
        let is_any = sentence.has_any(&["english letters", "latin letters"]) && !is_lower && !is_upper;
        letters.extend(('a'..='z').filter(|_| is_lower || is_any));
        letters.extend(('A'..='Z').filter(|_| is_upper || is_any));
        letters.extend(('0'..='9').filter(|_| sentence.has_phrase("digits") && (is_lower || is_upper || is_any)));
    }
    letters
}

/// Returns the letters of ranges such as `a-z`, also where each end is quoted.
fn letter_ranges(sentence: &str) -> BTreeSet<char> {
    const QUOTES: &[char] = &['\'', '`', '"', '{', '}'];
    let plain: Vec<char> = sentence.chars().filter(|c| !QUOTES.contains(c)).collect();
    let is_inside = |at: Option<usize>| at.and_then(|at| plain.get(at)).is_some_and(|c| c.is_alphanumeric());
    let mut letters = BTreeSet::new();
    for (at, window) in plain.windows(3).enumerate() {
        let (&[first, dash, last], false, false) = (window, is_inside(at.checked_sub(1)), is_inside(Some(at + 3)))
        else {
            continue;
        };
        let is_range =
            matches!((first, last), ('a'..='z', 'a'..='z') | ('A'..='Z', 'A'..='Z') | ('0'..='9', '0'..='9'));
        if is_range && dash == '-' && first < last {
            letters.extend(first..=last);
        }
    }
    letters.extend(spelled_ranges(sentence));
    // Digits alone are a range of numbers.
    if letters.iter().all(char::is_ascii_digit) { BTreeSet::new() } else { letters }
}

/// Returns the letters of ranges such as "`A' to `Z'".
fn spelled_ranges(sentence: &str) -> BTreeSet<char> {
    let words: Vec<&str> = sentence.split_whitespace().collect();
    let mut letters = BTreeSet::new();
    for window in words.windows(3) {
        let &[first, "to", last] = window else { continue };
        let opened = first.strip_prefix('(').unwrap_or(first);
        let closed = last.trim_end_matches([')', ',', ';', '.']);
        if let (Some(first), Some(last)) = (single_letter(opened), single_letter(closed)) {
            letters.extend((first..=last).filter(|letter| letter.is_ascii_alphanumeric()));
        }
    }
    letters
}

/// Returns the letters that a sentence lists, if there are several: `consisting of o and x`, "either `.`, `#` or `S`".
fn listed_letters(sentence: &str) -> BTreeSet<char> {
    let words: Vec<&str> = sentence.split_whitespace().collect();
    let begins_list = |at: &usize| {
        let word = words[*at].to_lowercase();
        word.starts_with("consist")
            || matches!(word.as_str(), "either" | "is" | "are" | "letters" | "characters" | "symbols")
    };
    let lists = (0..words.len()).filter(begins_list).map(|at| letters_of_list(&words[at + 1..]));
    lists.into_iter().find(|letters| letters.len() > 1).unwrap_or_default()
}

/// Returns the letters at the beginning of some words. After `a, b, ...`, they go on to the next one, or to the end of
/// the alphabet.
fn letters_of_list(words: &[&str]) -> BTreeSet<char> {
    const JOINTS: &[&str] =
        &["and", "or", "only", "one", "either", "of", "the", "characters", "letters", "symbols", "digits", ","];
    let mut letters = BTreeSet::new();
    let mut last_before_dots: Option<char> = None;
    for word in words {
        let is_dots = word.trim_matches([',', FORMULA, '{', '}']).trim_matches(['.', '…']).is_empty();
        if is_dots && word.contains(['…', '.']) && word.matches('.').count() != 1 && !letters.is_empty() {
            last_before_dots = letters.last().copied();
        } else if let Some(letter) = single_letter(word) {
            if let Some(first) = last_before_dots.take() {
                letters.extend(first..=last_of_sequence(first, Some(letter)));
                return letters;
            }
            letters.insert(letter);
        } else if !JOINTS.contains(word) {
            break;
        }
    }
    if let Some(first) = last_before_dots {
        letters.extend(first..=last_of_sequence(first, None));
    }
    letters
}

/// Returns the last letter of a sequence: the one that ends it, or that of the alphabet.
fn last_of_sequence(first: char, last: Option<char>) -> char {
    let end = match first {
        'a'..='z' => 'z',
        'A'..='Z' => 'Z',
        '0'..='9' => '9',
        _ => first,
    };
    last.filter(|last| (first..=end).contains(last)).unwrap_or(end)
}

/// Returns the letters and signs that a text quotes, such as those of a map: "`.` is free".
pub(super) fn find_quoted_letters(text: &str) -> BTreeSet<char> {
    const QUOTES: &[char] = &['\'', '`', '"', '“', '‘', '«', '{'];
    let is_quoted = |word: &&str| word.starts_with(QUOTES);
    let words = text.split_whitespace().map(|word| word.trim_start_matches('(').trim_end_matches([')', ':']));
    let letters = words.filter(is_quoted).filter_map(single_letter);
    letters.filter(|letter| letter.is_ascii_graphic() && !QUOTES.contains(letter)).collect()
}

/// Returns the letter that a word consists of, without quotes and what separates it from the next one.
fn single_letter(word: &str) -> Option<char> {
    const QUOTES: &[char] = &['\'', '`', '"', '“', '”', '‘', '’', '«', '»', '{', '}', FORMULA];
    let word = word.strip_suffix(|c: char| c == ',' || c == ';').unwrap_or(word);
    // The point that ends a sentence, unless it is the letter itself.
    let word = word.strip_suffix('.').filter(|rest| !rest.trim_matches(QUOTES).is_empty()).unwrap_or(word);
    let mut letters = word.trim_matches(QUOTES).chars();
    let letter = letters.next().filter(|c| c.is_ascii_graphic())?;
    letters.next().is_none().then_some(letter)
}

// Restores the subscripts that a text loses when it is copied from a page: `a1, a2, …, an (1 ≤ ai ≤ 9)`.

/// Words that are subscripted names only beside a comparison.
const WORDS: &[&str] =
    &["an", "am", "ai", "at", "as", "in", "is", "it", "on", "or", "to", "do", "by", "we", "me", "my"];

/// A sequence whose subscripts were lost.
struct Sequence {
    name: String,
    /// The subscripts of its elements, and those of any element.
    subscripts: Vec<String>,
}

/// Returns tokens with `a_1`, `a_n` and `a_i` in place of `a1`, `an` and `ai` where the text lists `a1, a2, ..., an`.
pub(super) fn restore_subscripts(tokens: Vec<Token>) -> Vec<Token> {
    let places: Vec<usize> = (0..tokens.len()).filter(|at| tokens[*at] == Token::Dots).collect();
    let mut sequences: Vec<Sequence> = Vec::new();
    let mut restored = tokens;
    for dots in places {
        let Some((sequence, last)) = sequence_around(&restored, dots) else { continue };
        if let Some(subscript) = sequence.subscripts.last() {
            restored[last] = Token::Name { name: sequence.name.clone(), subscript: Some(subscript.clone()) };
        }
        if sequences.iter().all(|known| known.name != sequence.name) {
            sequences.push(sequence);
        }
    }
    sequences.extend(elements_of_bounds(&restored));
    if !sequences.is_empty() {
        for at in 0..restored.len() {
            if let Some(element) = element_at(&restored, at, &sequences) {
                restored[at] = element;
            }
        }
    }
    restored
}

/// Returns the sequence of which some dots leave out the middle, with the place of its last element.
fn sequence_around(tokens: &[Token], dots: usize) -> Option<(Sequence, usize)> {
    let is_joint = |token: Option<&Token>| matches!(token, Some(Token::Sign(',') | Token::Comparison(_)));
    let plain = |at: usize| match tokens.get(at)? {
        Token::Name { name, subscript: None } => Some(name.clone()),
        Token::Word(word) => Some(word.clone()),
        _ => None,
    };
    let joints = |at: usize| usize::from(is_joint(tokens.get(at)));
    let last = dots + 1 + joints(dots + 1);
    let before = dots.checked_sub(1 + usize::from(is_joint(tokens.get(dots.checked_sub(1)?))))?;
    // The second element may be shown, too.
    let second = plain(before)?;
    let (name, digits) = split_digits(&second)?;
    let first = match digits.as_str() {
        "0" | "1" if before < 2 || plain(before - 2).and_then(|first| split_digits(&first)).is_none() => digits.clone(),
        _ => {
            let (other, first) = split_digits(&plain(before.checked_sub(2)?)?)?;
            (other == name).then_some(first)?
        }
    };
    let end = plain(last)?;
    let suffix = end.strip_prefix(&name).or_else(|| end.strip_prefix(&name.to_lowercase()))?;
    let is_suffix = !suffix.is_empty() && suffix.len() <= 2 && suffix.bytes().all(|byte| byte.is_ascii_alphanumeric());
    let subscripts = [first, digits, "i".to_owned(), "j".to_owned(), suffix.to_owned()];
    is_suffix.then(|| (Sequence { name, subscripts: subscripts.to_vec() }, last))
}

/// Returns the sequences of which only elements are named: `xi` and `yi` of `1 ≤ xi ≤ n`, and `ci` beside them.
fn elements_of_bounds(tokens: &[Token]) -> Vec<Sequence> {
    let base = |at: usize| match &tokens[at] {
        Token::Name { name: text, subscript: None } | Token::Word(text) => {
            let is_element = text.len() == 2 && text.ends_with('i') && !WORDS.contains(&text.as_str());
            text.chars().next().filter(|c| is_element && c.is_ascii_alphabetic())
        }
        _ => None,
    };
    let is_bounded = |at: usize| matches!(tokens.get(at + 1), Some(Token::Comparison(_))) && base(at).is_some();
    if !(0..tokens.len()).any(is_bounded) {
        return Vec::new();
    }
    let mut names: Vec<char> = (0..tokens.len()).filter_map(base).collect();
    names.sort_unstable();
    names.dedup();
    let sequence = |name: char| Sequence { name: name.to_string(), subscripts: vec!["i".to_owned()] };
    names.into_iter().map(sequence).collect()
}

/// Splits `a12` into a name of letters and a number.
fn split_digits(text: &str) -> Option<(String, String)> {
    let (name, digits) = text.split_at(text.find(|c: char| c.is_ascii_digit())?);
    let is_element = !name.is_empty()
        && name.bytes().all(|byte| byte.is_ascii_alphabetic())
        && digits.bytes().all(|byte| byte.is_ascii_digit());
    is_element.then(|| (name.to_owned(), digits.to_owned()))
}

/// Returns the element of a sequence that a token stands for.
fn element_at(tokens: &[Token], at: usize, sequences: &[Sequence]) -> Option<Token> {
    let text = match &tokens[at] {
        Token::Name { name, subscript: None } => name,
        Token::Word(word) => word,
        _ => return None,
    };
    let is_compared = |at: Option<usize>| matches!(at.and_then(|at| tokens.get(at)), Some(Token::Comparison(_)));
    if WORDS.contains(&text.as_str()) && !is_compared(at.checked_sub(1)) && !is_compared(Some(at + 1)) {
        return None;
    }
    sequences.iter().find_map(|sequence| {
        let subscript = text.strip_prefix(&sequence.name)?;
        sequence
            .subscripts
            .iter()
            .any(|known| known == subscript)
            .then(|| Token::Name { name: sequence.name.clone(), subscript: Some(subscript.to_owned()) })
    })
}

#[cfg(test)]
mod tests {
    use super::super::Statement;
    use super::super::tests::spelled_chains;
    use std::collections::BTreeSet;

    fn letters(text: &str) -> String {
        let found = Statement::parse(text).letters;
        found.into_iter().flat_map(|stated| stated.letters).collect::<BTreeSet<char>>().into_iter().collect()
    }

    #[test]
    fn classes_and_ranges_of_letters_are_read() {
        let (lower, upper, digits) = ("abcdefghijklmnopqrstuvwxyz", "ABCDEFGHIJKLMNOPQRSTUVWXYZ", "0123456789");
        let cases = [
            ("A string s of lowercase English letters.", lower.to_owned()),
            ("Names have lower-case and upper-case letters only.", format!("{upper}{lower}")),
            ("Each word consists of upper case letters and digits.", format!("{digits}{upper}")),
            ("It consists of characters \\texttt{a-z} and \\texttt{0-9}.", format!("{digits}{lower}")),
            ("The words contain letters \\texttt{`a'}-\\texttt{`e'}.", "abcde".to_owned()),
            ("The string has letters (`\\texttt{A}' to `\\texttt{C}', and `0' to `1').", "01ABC".to_owned()),
            ("The string s has 1-9 characters.", String::new()),
            ("$S$ is a string of length $N$ consisting of `o` and `x`.", "ox".to_owned()),
            ("The string consists of the characters \"#\", \".\" or 'S'.", "#.S".to_owned()),
            ("Each character is either \\texttt{A}, \\texttt{B}, or \\texttt{D}.", "ABD".to_owned()),
            ("Each letter is `L` or `R`.", "LR".to_owned()),
            ("The string consists of only the digits `0', `1' and `3'.", "013".to_owned()),
            ("The letters \\texttt{a}, \\texttt{b}, \\dots in the word are small.", lower.to_owned()),
            ("A string consisting of the letters 'a', 'b', ..., 'f'.", "abcdef".to_owned()),
            ("Each character of $s$ is one of 'R', 'L' or '?'.", "?LR".to_owned()),
            ("A string consisting of letters «<code>a</code>», «<code>b</code>» only.", "ab".to_owned()),
            ("It consists of lowercase letters and the symbols `+`, `-`, and `*`.", format!("*+-{lower}")),
            ("The string s consists of words.", String::new()),
            ("The name of a or b is a word.", String::new()),
            ("Each of the n numbers is odd.", String::new()),
        ];
        for (text, expected) in cases {
            assert_eq!(letters(text), expected, "{text}");
        }
    }

    #[test]
    fn lost_subscripts_are_restored() {
        let text = "The first line contains an integer n (1 ≤ n ≤ 9). The second line contains n integers a1, a2, …, an \
                    (1 ≤ a1 < a2 < … < an ≤ 50). The third line contains b1,b2,...,bn (0≤bi≤7).";
        let statement = Statement::parse(text);
        let names: Vec<String> = statement.names.iter().map(|name| name.name.clone()).collect();
        assert_eq!(names, ["n", "a", "b"]);
        assert_eq!(statement.orders.len(), 1);
        assert_eq!(spelled_chains(statement.chains), ["1 <= n <= 9", "1 <= a <= 50", "0 <= b <= 7"]);
    }

    #[test]
    fn elements_alone_are_restored() {
        let statement =
            Statement::parse("n and m. Three integers xi, yi and ci (1 ≤ xi ≤ n, 1 ≤ yi ≤ nm, |ci| ≤ 9) each.");
        let names: Vec<String> = statement.names.into_iter().map(|name| name.name).collect();
        assert_eq!(names, ["n", "m", "x", "y", "c"]);
        assert_eq!(statement.chains.len(), 3);
    }

    #[test]
    fn other_names_with_digits_stay() {
        let text = "The line contains x1, y1, x2, y2 (1 ≤ x1 < x2 ≤ 9), an integer n and so on... and n1.";
        let names: Vec<String> = Statement::parse(text).names.into_iter().map(|name| name.name).collect();
        assert_eq!(names, ["x1", "y1", "x2", "y2", "n", "n1"]);
    }
}
