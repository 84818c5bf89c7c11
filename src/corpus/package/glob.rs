//! Patterns of names: `secret/*-{easy,hard}`. One matcher for submissions, test cases and groups.
//!
//! `*` is any part of one name and `?` any letter of it; `**` is any number of folders; `{a,b}` is either; `[a-c]` is one
//! of these letters and `[!a-c]` any other. A name fits, too, if a folder around it does.

/// How many patterns the braces of one may stand for.
const MOST_ALTERNATIVES: usize = 1000;

/// Whether a name fits a pattern, or lies in what fits it.
pub(super) fn covers(pattern: &str, name: &str) -> bool {
    let folders = name.match_indices('/').map(|(at, _)| &name[..at]);
    let names: Vec<&str> = folders.chain([name]).collect();
    alternatives(pattern.trim_end_matches('/')).iter().any(|pattern| names.iter().any(|name| fits(pattern, name)))
}

/// Whether just this name fits a pattern.
pub(super) fn fits_itself(pattern: &str, name: &str) -> bool {
    alternatives(pattern.trim_end_matches('/')).iter().any(|pattern| fits(pattern, name))
}

/// What the braces of a pattern stand for; braces inside braces are taken apart, too.
fn alternatives(pattern: &str) -> Vec<String> {
    let mut done = Vec::new();
    let mut open = vec![pattern.to_owned()];
    while let Some(pattern) = open.pop() {
        match innermost(&pattern) {
            Some((from, to)) if open.len() + done.len() < MOST_ALTERNATIVES => {
                let choices = pattern[from + 1..to].split(',');
                open.extend(
                    choices.map(|choice| format!("{}{}{}", &pattern[..from], choice.trim(), &pattern[to + 1..])),
                );
            }
            _ => done.push(pattern),
        }
    }
    done
}

/// The first pair of braces that has none inside it.
fn innermost(pattern: &str) -> Option<(usize, usize)> {
    let close = pattern.find('}')?;
    Some((pattern[..close].rfind('{')?, close))
}

/// Whether a whole name fits a pattern without braces: compared folder by folder.
fn fits(pattern: &str, name: &str) -> bool {
    let patterns: Vec<&str> = pattern.split('/').collect();
    let names: Vec<&str> = name.split('/').collect();
    // reached[i]: the first i names fit what was read of the pattern.
    let mut reached = vec![false; names.len() + 1];
    reached[0] = true;
    for part in patterns {
        let mut next = vec![false; names.len() + 1];
        if part == "**" {
            let from = reached.iter().position(|is_reached| *is_reached).unwrap_or(reached.len());
            next[from..].fill(true);
        } else {
            for (i, name) in names.iter().enumerate() {
                next[i + 1] = reached[i] && fits_one(part, name);
            }
        }
        reached = next;
    }
    reached[names.len()]
}

/// A letter of a pattern.
enum Letter {
    Just(char),
    Any,
    Of { ranges: Vec<(char, char)>, is_negated: bool },
    Star,
}

impl Letter {
    fn fits(&self, letter: char) -> bool {
        match self {
            Letter::Just(wanted) => *wanted == letter,
            Letter::Any | Letter::Star => true,
            Letter::Of { ranges, is_negated } => {
                ranges.iter().any(|(from, to)| (*from..=*to).contains(&letter)) != *is_negated
            }
        }
    }
}

/// Whether one name fits one part of a pattern.
fn fits_one(part: &str, name: &str) -> bool {
    let letters = letters(part);
    let mut reached = vec![false; letters.len() + 1];
    reached[0] = true;
    let through_stars = |reached: &mut Vec<bool>| {
        for (i, letter) in letters.iter().enumerate() {
            reached[i + 1] |= reached[i] && matches!(letter, Letter::Star);
        }
    };
    through_stars(&mut reached);
    for character in name.chars() {
        let mut next = vec![false; letters.len() + 1];
        for (i, letter) in letters.iter().enumerate().filter(|(i, letter)| reached[*i] && letter.fits(character)) {
            next[if matches!(letter, Letter::Star) { i } else { i + 1 }] = true;
        }
        through_stars(&mut next);
        reached = next;
    }
    reached[letters.len()]
}

fn letters(part: &str) -> Vec<Letter> {
    let mut letters = Vec::new();
    let mut rest = part.chars();
    while let Some(letter) = rest.next() {
        letters.push(match letter {
            '*' => Letter::Star,
            '?' => Letter::Any,
            '[' => match class(rest.as_str()) {
                Some((class, behind)) => {
                    rest = behind.chars();
                    class
                }
                None => Letter::Just('['),
            },
            letter => Letter::Just(letter),
        });
    }
    letters
}

/// The letters up to the closing bracket, and what stands behind it; a bracket that never closes is a letter itself.
fn class(text: &str) -> Option<(Letter, &str)> {
    let inner = text.strip_prefix(['!', '^']).unwrap_or(text);
    // A bracket that stands first is one of the letters.
    let end = inner.char_indices().skip(1).find(|(_, letter)| *letter == ']').map(|(at, _)| at)?;
    let of: Vec<char> = inner[..end].chars().collect();
    let mut ranges = Vec::new();
    let mut i = 0;
    while i < of.len() {
        let is_range = i + 2 < of.len() && of[i + 1] == '-';
        ranges.push((of[i], of[if is_range { i + 2 } else { i }]));
        i += if is_range { 3 } else { 1 };
    }
    Some((Letter::Of { ranges, is_negated: inner.len() < text.len() }, &inner[end + 1..]))
}

#[cfg(test)]
mod tests {
    use super::covers;

    #[test]
    fn patterns() {
        for (pattern, name, wanted) in [
            ("secret", "secret", true),
            ("secret", "secret/1", true),
            ("secret/", "secret/a/b", true),
            ("secret", "secrets", false),
            ("secret/*-easy", "secret/1-easy", true),
            ("secret/*-easy", "secret/1-easy/2", true),
            ("secret/*-easy", "secret/g/1-easy", false),
            ("*", "secret/g/1", true),
            ("*", "", true),
            ("*/1", "sample/1", true),
            ("*/1", "sample/10", false),
            ("**/1", "1", true),
            ("**/1", "a/b/c/1", true),
            ("**", "a/b", true),
            ("a/**/b", "a/b", true),
            ("a/**/b", "a/x/y/b/c", true),
            ("a/**/b", "a/x/y/c", false),
            ("{simple,complex}.py", "complex.py", true),
            ("{simple,complex}.py", "simple", false),
            ("a.{py, cpp}", "a.cpp", true),
            ("{a,b{c,d}}", "bd", true),
            ("{a", "{a", true),
            ("a}", "a}", true),
            ("a?c", "abc", true),
            ("a?c", "a/c", false),
            ("a?c", "aüc", true),
            ("[a-c]1", "b1", true),
            ("[!a-c]1", "b1", false),
            ("[^a-c]1", "d1", true),
            ("[]]", "]", true),
            ("[ab", "[ab", true),
            ("[a-]", "-", true),
            ("*a*a*a*a*a*b", "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaac", false),
            ("*.cpp", "x.cpp", true),
            ("", "", true),
            ("", "a", false),
        ] {
            assert_eq!(covers(pattern, name), wanted, "{pattern} {name}");
        }
        covers(&"{a,b}".repeat(30), "a");
    }
}
