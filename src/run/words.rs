//! A command line as words, and back. No shell is involved.

use crate::diagnostic::{Error, Result};

/// Splits a command into words as a shell would: at white space, except inside quotes and after a backslash.
///
/// # Errors
///
/// `Usage`: a quote is not closed, there is no word, or a bare word is one that only a shell understands.
pub(crate) fn split(command: &str) -> Result<Vec<String>> {
    let mut words = Vec::new();
    let mut letters = command.chars().peekable();
    while letters.peek().is_some() {
        if letters.next_if(|letter| letter.is_whitespace()).is_none() {
            words.push(word(command, &mut letters)?);
        }
    }
    if words.is_empty() {
        return Err(Error::usage("the command is empty"));
    }
    Ok(words)
}

/// What means something to a shell and nothing to a program.
const OPERATORS: &[&str] = &["|", "||", "&&", "&", ";", "<", ">", ">>", "2>&1"];

type Letters<'a> = std::iter::Peekable<std::str::Chars<'a>>;

fn word(command: &str, letters: &mut Letters<'_>) -> Result<String> {
    let mut word = String::new();
    let mut bare = true;
    while let Some(letter) = letters.next_if(|letter| !letter.is_whitespace()) {
        bare &= !matches!(letter, '\'' | '"' | '\\');
        match letter {
            '\'' | '"' => quoted(command, letter, letters, &mut word)?,
            '\\' => word.extend(letters.next()),
            _ => word.push(letter),
        }
    }
    if bare && OPERATORS.contains(&word.as_str()) {
        return Err(Error::usage(format!("`{word}` in the command `{command}` would need a shell"))
            .with_help("commands are run without one: put it into a script, or write `sh -c '...'`"));
    }
    Ok(word)
}

/// Up to the closing quote; inside double quotes a backslash protects `"` and itself.
fn quoted(command: &str, quote: char, letters: &mut Letters<'_>, word: &mut String) -> Result<()> {
    while let Some(letter) = letters.next() {
        if letter == quote {
            return Ok(());
        }
        let protected = (quote == '"' && letter == '\\').then(|| letters.next_if(|next| matches!(next, '"' | '\\')));
        word.push(protected.flatten().unwrap_or(letter));
    }
    Err(Error::usage(format!("unclosed {quote} in the command `{command}`")))
}

/// Words as a command that a shell would split into the same words.
pub(super) fn join<'a>(words: impl IntoIterator<Item = &'a str>) -> String {
    words.into_iter().map(quote).collect::<Vec<_>>().join(" ")
}

fn quote(word: &str) -> String {
    let plain = |letter: char| letter.is_alphanumeric() || "-_=+./,:@%".contains(letter);
    if !word.is_empty() && word.chars().all(plain) {
        return word.to_owned();
    }
    format!("'{}'", word.replace('\'', r"'\''"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(command: &str, expected: &[&str]) {
        let words = split(command).unwrap_or_else(|error| vec![error.message().to_owned()]);
        assert_eq!(words, expected, "{command}");
    }

    #[test]
    fn commands_split_into_words() {
        check("python3 gen.py 5", &["python3", "gen.py", "5"]);
        check("  a\t'b c' \"d e\"  ", &["a", "b c", "d e"]);
        check(r#"a\ b "c\"d\\e\n" 'f\g' '' x"y"z"#, &["a b", r#"c"d\e\n"#, r"f\g", "", "xyz"]);
        check("gen '|'", &["gen", "|"]);
        check("gen --range=1<5", &["gen", "--range=1<5"]);
    }

    #[test]
    fn what_cannot_be_split_is_explained() {
        check(" ", &["the command is empty"]);
        check("gen 'a b", &["unclosed ' in the command `gen 'a b`"]);
        check("gen | head", &["`|` in the command `gen | head` would need a shell"]);
    }

    #[test]
    fn joined_words_split_into_themselves() -> Result<()> {
        let words = ["g++", "-O2", "my sol.cpp", "it's", "", r"a\b", "$x"];
        assert_eq!(split(&join(words))?, words);
        Ok(())
    }
}
