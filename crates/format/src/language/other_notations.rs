//! Notations of statements and of programming languages that newcomers write, and their spelling in a format.

use rebut_diagnostics::{Diagnostic, Severity, SourceText};

/// The notations. `$a` stands for a word, `$X` for one or more, and `$p:one|two` for one of these; a pattern matches at the
/// start of a line or constraint, or anywhere in it after `*`.
const OTHER_NOTATIONS: &[(&str, &str)] = &[
    ("$a in [ $X , $Y ]", "a range is a chain: `$X <= $a <= $Y`"),
    ("$a in $X . . $Y", "a range is a chain: `$X <= $a <= $Y`"),
    ("$p:sorted|distinct|balanced|increasing|decreasing|nondecreasing|nonincreasing|symmetric $a", "write `$p($a)`"),
    ("$a is $p:sorted|distinct|balanced|increasing|decreasing|prime|symmetric", "write `$p($a)`"),
    ("$a is permutation", "write `$a permutation of 1..n`"),
    ("$a is a permutation", "write `$a permutation of 1..n`"),
    ("permutation ( $a )", "write `$a permutation of 1..n`"),
    ("$p:tree|forest|dag|bipartite|connected|simple ( $a , $b )", "write `edges ($a, $b) on 1..n: $p`"),
    ("$a string of length $X", "write `$a over \"a-z\"` and `len($a) = $X`"),
    ("$a is a string of length $X", "write `$a over \"a-z\"` and `len($a) = $X`"),
    ("string $a of length $X", "write `$a` in the layout, and below `where`: `$a over \"a-z\"`, `len($a) = $X`"),
    ("*string of length $X", "write a name, such as `s`, and below `where`: `s over \"a-z\"`, `len(s) = $X`"),
    ("*$t:string|str $a", "there are no types: write `$a`, and its letters below `where`: `$a over \"a-z\"`"),
    (
        "*$t:int|integer|long|float|double|char $a",
        "there are no types: write `$a`, and its range below `where`: `1 <= $a <= 9`",
    ),
    ("for $a in $X . . $Y", "write `repeat $Y:`, and the repeated lines below it, without a variable"),
];

/// Maximum number of words of a line that are compared with the patterns. None has half as many.
const MAX_WORDS: usize = 40;

/// Adds to the errors in lines with such a notation how to write it.
pub(super) fn add_notation_help(source: &SourceText, problems: &mut [Diagnostic]) {
    let text = String::from_utf8_lossy(&source.text);
    for problem in problems.iter_mut().filter(|problem| problem.severity == Severity::Error) {
        let segment = segment_around(&text, problem.span.start);
        let words = split_words(&segment);
        if let Some(help) = OTHER_NOTATIONS.iter().find_map(|(pattern, help)| fill_help(pattern, help, &words)) {
            problem.help = Some(help);
        }
    }
}

/// Returns the part of a line, or the constraint, that contains a position.
fn segment_around(text: &str, position: usize) -> String {
    let ends = ['\n', ';', ':', '{', '}', '#'];
    let (before, after) = text.split_at_checked(position).unwrap_or((text, ""));
    let before = before.rsplit(ends).next().and_then(|line| line.rsplit("where ").next());
    let after = after.split(ends).next().and_then(|line| line.split(" where").next());
    before.into_iter().chain(after).collect()
}

/// Splits a text into words and signs, the first [`MAX_WORDS`].
fn split_words(text: &str) -> Vec<&str> {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let mut words = Vec::new();
    let mut rest = text.trim_start();
    while let Some(first) = rest.chars().next().filter(|_| words.len() < MAX_WORDS) {
        let end = if is_word(first) { rest.find(|c| !is_word(c)).unwrap_or(rest.len()) } else { first.len_utf8() };
        words.push(&rest[..end]);
        rest = rest[end..].trim_start();
    }
    words
}

/// Returns the help for these words if the pattern matches.
fn fill_help(pattern: &str, help: &str, words: &[&str]) -> Option<String> {
    let starts = if pattern.starts_with('*') { words.len() } else { 1 };
    let parts: Vec<&str> = pattern.trim_start_matches('*').split(' ').collect();
    let found = (0..starts).find_map(|start| match_parts(&parts, words.get(start..)?))?;
    Some(found.into_iter().fold(help.to_owned(), |help, (name, text)| help.replace(name, &text)))
}

/// Matches the parts with the first words, and returns what each variable stands for.
fn match_parts<'p>(parts: &[&'p str], words: &[&str]) -> Option<Vec<(&'p str, String)>> {
    let Some((part, parts)) = parts.split_first() else { return Some(Vec::new()) };
    let (name, choices) = part.split_once(':').unwrap_or((part, ""));
    let is_long = name.starts_with('$') && name.ends_with(char::is_uppercase);
    let most = if is_long { words.len() } else { 1 };
    let least = if parts.is_empty() { most } else { 1 };
    for length in least.max(1)..=most {
        let taken = words.get(..length)?;
        let fits = match name.starts_with('$') {
            true if choices.is_empty() => is_long || taken[0].starts_with(char::is_alphabetic),
            true => choices.split('|').any(|choice| choice == taken[0]),
            false => name == taken[0],
        };
        if let Some(mut found) = fits.then(|| match_parts(parts, &words[length..])).flatten() {
            found.push((name, taken.concat()));
            return Some(found);
        }
    }
    None
}
