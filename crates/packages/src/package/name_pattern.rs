//! Patterns of names, for submissions, test cases and groups: `secret/*-{easy,hard}`.
//!
//! `*` matches any part of a component and `?` any character of it; `**` matches any number of folders; `{a,b}`
//! matches either; `[a-c]` matches one of these characters and `[!a-c]` any other. A name also matches if one of its
//! parent folders does.

/// Maximum number of patterns that the braces of one pattern expand to.
const MAX_ALTERNATIVES: usize = 1000;

/// Returns true if a pattern matches a name or one of its parent folders.
pub(super) fn matches_name_or_parent(pattern: &str, name: &str) -> bool {
    let folders = name.match_indices('/').map(|(at, _)| &name[..at]);
    let names: Vec<&str> = folders.chain([name]).collect();
    expand_braces(pattern.trim_end_matches('/'))
        .iter()
        .any(|pattern| names.iter().any(|name| matches_path(pattern, name)))
}

pub(super) fn matches_exact_name(pattern: &str, name: &str) -> bool {
    expand_braces(pattern.trim_end_matches('/')).iter().any(|pattern| matches_path(pattern, name))
}

/// Expands the braces of a pattern, nested ones included.
fn expand_braces(pattern: &str) -> Vec<String> {
    let mut done = Vec::new();
    let mut open = vec![pattern.to_owned()];
    while let Some(pattern) = open.pop() {
        match find_innermost_braces(&pattern) {
            Some((from, to)) if open.len() + done.len() < MAX_ALTERNATIVES => {
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

/// Returns the first pair of braces without braces inside.
fn find_innermost_braces(pattern: &str) -> Option<(usize, usize)> {
    let close = pattern.find('}')?;
    Some((pattern[..close].rfind('{')?, close))
}

/// Returns true if a pattern without braces matches a whole name, component by component.
fn matches_path(pattern: &str, name: &str) -> bool {
    let patterns: Vec<&str> = pattern.split('/').collect();
    let names: Vec<&str> = name.split('/').collect();
    // reached[i]: the pattern so far matches the first i components.
    let mut reached = vec![false; names.len() + 1];
    reached[0] = true;
    for part in patterns {
        let mut next = vec![false; names.len() + 1];
        if part == "**" {
            let from = reached.iter().position(|is_reached| *is_reached).unwrap_or(reached.len());
            next[from..].fill(true);
        } else {
            for (i, name) in names.iter().enumerate() {
                next[i + 1] = reached[i] && matches_component(part, name);
            }
        }
        reached = next;
    }
    reached[names.len()]
}

/// A token of a pattern.
enum GlobToken {
    Literal(char),
    Any,
    Class { ranges: Vec<(char, char)>, is_negated: bool },
    AnySequence,
}

impl GlobToken {
    fn matches_char(&self, letter: char) -> bool {
        match self {
            GlobToken::Literal(wanted) => *wanted == letter,
            GlobToken::Any | GlobToken::AnySequence => true,
            GlobToken::Class { ranges, is_negated } => {
                ranges.iter().any(|(from, to)| (*from..=*to).contains(&letter)) != *is_negated
            }
        }
    }
}

/// Returns true if one component of a pattern matches one component of a name.
fn matches_component(part: &str, name: &str) -> bool {
    let letters = parse_glob_tokens(part);
    let mut reached = vec![false; letters.len() + 1];
    reached[0] = true;
    let through_stars = |reached: &mut Vec<bool>| {
        for (i, letter) in letters.iter().enumerate() {
            reached[i + 1] |= reached[i] && matches!(letter, GlobToken::AnySequence);
        }
    };
    through_stars(&mut reached);
    for character in name.chars() {
        let mut next = vec![false; letters.len() + 1];
        for (i, letter) in
            letters.iter().enumerate().filter(|(i, letter)| reached[*i] && letter.matches_char(character))
        {
            next[if matches!(letter, GlobToken::AnySequence) { i } else { i + 1 }] = true;
        }
        through_stars(&mut next);
        reached = next;
    }
    reached[letters.len()]
}

fn parse_glob_tokens(part: &str) -> Vec<GlobToken> {
    let mut letters = Vec::new();
    let mut rest = part.chars();
    while let Some(letter) = rest.next() {
        letters.push(match letter {
            '*' => GlobToken::AnySequence,
            '?' => GlobToken::Any,
            '[' => match parse_character_class(rest.as_str()) {
                Some((class, behind)) => {
                    rest = behind.chars();
                    class
                }
                None => GlobToken::Literal('['),
            },
            letter => GlobToken::Literal(letter),
        });
    }
    letters
}

/// Parses a class up to its closing bracket, and returns the rest. A bracket that is never closed is a literal.
fn parse_character_class(text: &str) -> Option<(GlobToken, &str)> {
    let inner = text.strip_prefix(['!', '^']).unwrap_or(text);
    // A closing bracket in first position is a literal.
    let end = inner.char_indices().skip(1).find(|(_, letter)| *letter == ']').map(|(at, _)| at)?;
    let members: Vec<char> = inner[..end].chars().collect();
    let mut ranges = Vec::new();
    let mut i = 0;
    while i < members.len() {
        let is_range = i + 2 < members.len() && members[i + 1] == '-';
        ranges.push((members[i], members[if is_range { i + 2 } else { i }]));
        i += if is_range { 3 } else { 1 };
    }
    Some((GlobToken::Class { ranges, is_negated: inner.len() < text.len() }, &inner[end + 1..]))
}

#[cfg(test)]
mod tests {
    use super::matches_name_or_parent;

    #[test]
    fn names_match_patterns() {
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
            assert_eq!(matches_name_or_parent(pattern, name), wanted, "{pattern} {name}");
        }
        matches_name_or_parent(&"{a,b}".repeat(30), "a");
    }
}
