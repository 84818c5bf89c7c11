//! Splits command lines into words and joins them. No shell is involved.

use rebut_diagnostics::{Error, Result};

/// Splits a command into words as a shell would: at white space, except inside quotes and after a backslash.
///
/// # Errors
///
/// Returns a `Usage` error if a quote is not closed, the command is empty, or an unquoted word is a shell operator.
pub fn split_words(command: &str) -> Result<Vec<String>> {
    let mut words = Vec::new();
    let mut letters = command.chars().peekable();
    while letters.peek().is_some() {
        if letters.next_if(|letter| letter.is_whitespace()).is_none() {
            words.push(parse_word(command, &mut letters)?);
        }
    }
    if words.is_empty() {
        return Err(Error::usage_error("the command is empty"));
    }
    Ok(words)
}

/// Words that have a meaning to a shell, but not to a program.
const SHELL_OPERATORS: &[&str] = &["|", "||", "&&", "&", ";", "<", ">", ">>", "2>&1"];

type CommandChars<'a> = std::iter::Peekable<std::str::Chars<'a>>;

fn parse_word(command: &str, letters: &mut CommandChars<'_>) -> Result<String> {
    let mut word = String::new();
    let mut bare = true;
    while let Some(letter) = letters.next_if(|letter| !letter.is_whitespace()) {
        bare &= !matches!(letter, '\'' | '"' | '\\');
        match letter {
            '\'' | '"' => parse_quoted(command, letter, letters, &mut word)?,
            '\\' => word.extend(letters.next()),
            _ => word.push(letter),
        }
    }
    if bare && SHELL_OPERATORS.contains(&word.as_str()) {
        return Err(Error::usage_error(format!("`{word}` in the command `{command}` would need a shell"))
            .with_help("commands run without a shell: put this one into a script, or write `sh -c '...'`"));
    }
    Ok(word)
}

/// Parses up to the closing quote. Inside double quotes a backslash escapes `"` and itself.
fn parse_quoted(command: &str, quote: char, letters: &mut CommandChars<'_>, word: &mut String) -> Result<()> {
    while let Some(letter) = letters.next() {
        if letter == quote {
            return Ok(());
        }
        let protected = (quote == '"' && letter == '\\').then(|| letters.next_if(|next| matches!(next, '"' | '\\')));
        word.push(protected.flatten().unwrap_or(letter));
    }
    Err(Error::usage_error(format!("unclosed {quote} in the command `{command}`")))
}

/// Joins words into a command that a shell would split into the same words.
pub(super) fn join_words<'a>(words: impl IntoIterator<Item = &'a str>) -> String {
    words.into_iter().map(quote_word).collect::<Vec<_>>().join(" ")
}

fn quote_word(word: &str) -> String {
    let plain = |letter: char| letter.is_alphanumeric() || "-_=+./,:@%".contains(letter);
    if !word.is_empty() && word.chars().all(plain) {
        return word.to_owned();
    }
    format!("'{}'", word.replace('\'', r"'\''"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check_split(command: &str, expected: &[&str]) {
        let words = split_words(command).unwrap_or_else(|error| vec![error.message().to_owned()]);
        assert_eq!(words, expected, "{command}");
    }

    #[test]
    fn commands_split_into_words() {
        check_split("python3 gen.py 5", &["python3", "gen.py", "5"]);
        check_split("  a\t'b c' \"d e\"  ", &["a", "b c", "d e"]);
        check_split(r#"a\ b "c\"d\\e\n" 'f\g' '' x"y"z"#, &["a b", r#"c"d\e\n"#, r"f\g", "", "xyz"]);
        check_split("gen '|'", &["gen", "|"]);
        check_split("gen --range=1<5", &["gen", "--range=1<5"]);
    }

    #[test]
    fn unsplittable_command_is_an_error() {
        check_split(" ", &["the command is empty"]);
        check_split("gen 'a b", &["unclosed ' in the command `gen 'a b`"]);
        check_split("gen | head", &["`|` in the command `gen | head` would need a shell"]);
    }

    #[test]
    fn joined_words_split_into_themselves() -> Result<()> {
        let words = ["g++", "-O2", "my sol.cpp", "it's", "", r"a\b", "$x"];
        assert_eq!(split_words(&join_words(words))?, words);
        Ok(())
    }
}
