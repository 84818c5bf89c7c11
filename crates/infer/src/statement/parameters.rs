//! Finds the bounds of the parameters of functions, which tasks with a sample grader list where they describe the
//! functions, and not in the section about the input.

use super::chains::find_chains;
use super::tokens::{Token, is_word, split_tokens};
use rebut_format::syntax::ComparisonChain;

/// Headings of the sections that describe functions.
const HEADINGS: &[&str] = &["task", "your task", "implementation", "implementation details", "interface"];

/// Maximum number of characters of a heading.
const MAX_HEADING_LENGTH: usize = 60;

/// Maximum number of comparisons that are read.
const MAX_BOUNDS: usize = 60;

/// Maximum number of tokens of an item that only has bounds.
const MAX_TOKENS: usize = 60;

/// Returns the bounds in those items of descriptions of functions that have nothing else.
pub(super) fn find_parameter_bounds(text: &str) -> Vec<ComparisonChain> {
    let mut found = Vec::new();
    let mut is_described = false;
    for paragraph in text.split("\n\n") {
        for line in paragraph.lines() {
            if let Some(heading) = heading_of(line) {
                is_described = HEADINGS.contains(&heading.as_str());
            }
        }
        if is_described {
            found.extend(bounds_of(paragraph));
        }
        if found.len() >= MAX_BOUNDS {
            break;
        }
    }
    found
}

/// Returns the words of a line that is a heading in TeX or Markdown.
fn heading_of(line: &str) -> Option<String> {
    let line = line.trim();
    let is_heading = line.starts_with("*{") || line.starts_with('#');
    let is_short = line.chars().nth(MAX_HEADING_LENGTH).is_none();
    (is_heading && is_short).then(|| line.trim_matches(|c: char| !c.is_alphanumeric()).to_lowercase())
}

/// Returns the bounds of a paragraph without words. Equations are about single elements.
fn bounds_of(paragraph: &str) -> Vec<ComparisonChain> {
    let tokens = split_tokens(paragraph);
    let is_formula = |token: &Token| !matches!(token, Token::Word(_)) || is_word(token, &["and", "min", "max"]);
    if tokens.len() > MAX_TOKENS || !tokens.iter().all(is_formula) {
        return Vec::new();
    }
    let mut chains = find_chains(&tokens);
    chains.retain(|chain| chain.signs.iter().all(|(sign, _)| !matches!(*sign, "=" | "!=")));
    chains
}

#[cfg(test)]
mod tests {
    use super::super::tests::spelled_chains;
    use super::*;

    #[test]
    fn only_items_without_words_are_bounds() {
        let text = "*{Story}\n\n\u{1}1 <= K\u{1}\n\n*{Task}\n\n{K}: a number (\u{1}0 <= K < 5\u{1})\n\n\u{1}0 <= L[i] <= R[i] <= 9\u{1}\n\n\
                    \u{1}L[0] = 0\u{1}\n\n\u{1}N < 9\u{1} and \u{1}M < 8\u{1}.\n\n*{Example}\n\n\u{1}2 <= K\u{1}\n";
        assert_eq!(spelled_chains(find_parameter_bounds(text)), ["0 <= L <= R <= 9", "N < 9", "M < 8"]);
    }
}
