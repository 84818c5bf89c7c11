//! Spaces between the tokens of a line.

use crate::language::tokenizer::{FormatToken, FormatTokenKind};

/// Keywords before a parenthesis that are not function names.
const NON_FUNCTION_WORDS: &[&str] =
    &["edges", "polygon", "on", "of", "in", "and", "or", "not", "if", "let", "real", "forall", "exists", "permutation"];

/// Formats a line of the layout: separate parts stay separate and glued parts stay glued, as in the input.
pub(super) fn space_layout(tokens: &[FormatToken], source: &str) -> String {
    let mut depth = 0;
    join_tokens(tokens, source, |i| {
        let (a, b) = (&tokens[i], &tokens[i + 1]);
        depth += i32::from(a.is_mark("[")) - i32::from(a.is_mark("]"));
        if depth > 0 {
            return a.is_mark(",");
        }
        let joins = a.is_mark("(") || [")", "[", ":"].iter().any(|mark| b.is_mark(mark));
        !joins && a.span.end < b.span.start
    })
}

/// Formats `cases T:`, `repeat n-1:` or `repeat 1..9 until 0 0:`. A size has no spaces; a line that ends or separates
/// repetitions is formatted as a line of the layout.
pub(super) fn space_block_header(tokens: &[FormatToken], source: &str) -> String {
    let starts_line = |at: &usize| *at > 1 && ["until", "separated"].iter().any(|word| tokens[*at].is_word(word));
    let until = (0..tokens.len()).find(starts_line).unwrap_or(tokens.len());
    join_tokens(tokens, source, |i| {
        let (a, b) = (&tokens[i], &tokens[i + 1]);
        if b.is_mark(":") {
            return false;
        }
        let ending = i + 1 >= until && !a.is_mark("-");
        i == 0 || ending || a.is_mark(",")
    })
}

/// Formats a line of the where part, or a condition.
pub(super) fn space_rule(tokens: &[FormatToken], source: &str) -> String {
    let tight = find_tight_operators(tokens);
    join_tokens(tokens, source, |i| {
        let (a, b) = (&tokens[i], &tokens[i + 1]);
        let closes = [")", "]", "[", ",", ":"].iter().any(|mark| b.is_mark(mark));
        let opens = ["(", "["].iter().any(|mark| a.is_mark(mark));
        let joins = ["..", "^"].iter().any(|mark| a.is_mark(mark) || b.is_mark(mark));
        let sign = a.is_mark("-") && is_unary_minus(tokens, i);
        !(closes || opens || joins || sign || tight[i] || tight[i + 1] || is_call(tokens, i))
    })
}

/// Returns true if the name at `at` and the parenthesis after it are a call.
fn is_call(tokens: &[FormatToken], at: usize) -> bool {
    let FormatTokenKind::Name(name) = &tokens[at].kind else { return false };
    let names_subtask = at == 1 && tokens[0].is_word("subtask");
    tokens[at + 1].is_mark("(") && !names_subtask && !NON_FUNCTION_WORDS.contains(&name.as_str())
}

/// Returns true if a minus has no left operand.
fn is_unary_minus(tokens: &[FormatToken], at: usize) -> bool {
    match at.checked_sub(1).map(|before| &tokens[before].kind) {
        None => true,
        Some(FormatTokenKind::Symbol(mark)) => !matches!(*mark, ")" | "]"),
        Some(FormatTokenKind::Name(name)) => NON_FUNCTION_WORDS.contains(&name.as_str()),
        Some(_) => false,
    }
}

/// Returns the operators that are formatted without spaces: in indices, in the ends of ranges, and between numbers as
/// in `2*10^5`.
fn find_tight_operators(tokens: &[FormatToken]) -> Vec<bool> {
    let mut found = vec![false; tokens.len()];
    let mut depth = 0;
    for (i, token) in tokens.iter().enumerate() {
        depth += i32::from(token.is_mark("[")) - i32::from(token.is_mark("]"));
        let number = |at: usize| matches!(tokens.get(at), Some(FormatToken { kind: FormatTokenKind::Number(_), .. }));
        let factor = token.is_mark("*") && i > 0 && number(i - 1) && number(i + 1);
        found[i] |= is_binary_operator(tokens, i) && (depth > 0 || factor);
        if token.is_mark("..") {
            mark_range_end(tokens, (0..i).rev(), &mut found);
            mark_range_end(tokens, i + 1..tokens.len(), &mut found);
        }
    }
    found
}

/// Marks the operators in one end of a range, starting from its dots.
fn mark_range_end(tokens: &[FormatToken], walk: impl Iterator<Item = usize>, found: &mut [bool]) {
    let mut depth = 0;
    for i in walk {
        let token = &tokens[i];
        let ends = [",", ":", "<", "<=", ">", ">=", "=", "!=", "=>", ".."].iter().any(|mark| token.is_mark(mark));
        let word = matches!(&token.kind, FormatTokenKind::Name(name) if NON_FUNCTION_WORDS.contains(&name.as_str()));
        depth += bracket_depth_change(token).abs() * if token.is_mark("(") || token.is_mark("[") { 1 } else { -1 };
        if depth == 0 && (ends || word) {
            return;
        }
        found[i] |= is_binary_operator(tokens, i);
    }
}

fn is_binary_operator(tokens: &[FormatToken], at: usize) -> bool {
    ["+", "-", "*", "/", "%"].iter().any(|mark| tokens[at].is_mark(mark)) && !is_unary_minus(tokens, at)
}

/// Returns the change of the bracket depth at a token.
fn bracket_depth_change(token: &FormatToken) -> i32 {
    match token.kind {
        FormatTokenKind::Symbol("(" | "[") => 1,
        FormatTokenKind::Symbol(")" | "]") => -1,
        _ => 0,
    }
}

/// Joins the tokens in their canonical spelling, with a space after each for which `space` returns true.
fn join_tokens(tokens: &[FormatToken], source: &str, mut space: impl FnMut(usize) -> bool) -> String {
    let mut text = String::new();
    for (i, token) in tokens.iter().enumerate() {
        text.push_str(match &token.kind {
            FormatTokenKind::Symbol(mark) => mark,
            _ => &source[token.span.start..token.span.end],
        });
        if i + 1 < tokens.len() && space(i) {
            text.push(' ');
        }
    }
    text
}
