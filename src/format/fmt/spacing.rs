//! Where spaces belong between the tokens of a line.

use crate::format::token::{Kind, Token};

/// Words that a bracket may follow without being called.
const NO_FUNCTIONS: &[&str] =
    &["edges", "on", "of", "in", "and", "or", "not", "if", "let", "real", "forall", "exists", "permutation"];

/// A line of the layout: what is apart stays apart, what is glued stays glued, as the input has it.
pub(super) fn parts(tokens: &[Token], source: &str) -> String {
    let mut depth = 0;
    join(tokens, source, |i| {
        let (a, b) = (&tokens[i], &tokens[i + 1]);
        depth += i32::from(a.is("[")) - i32::from(a.is("]"));
        if depth > 0 {
            return a.is(",");
        }
        let joins = a.is("(") || [")", "[", ":"].iter().any(|mark| b.is(mark));
        !joins && a.span.end < b.span.start
    })
}

/// `cases T:`, `repeat n-1:`, `repeat 1..9 until 0 0:`. A size is tight; a line that ends a repetition is a line.
pub(super) fn header(tokens: &[Token], source: &str) -> String {
    let until = tokens.iter().position(|t| t.is_word("until")).unwrap_or(tokens.len());
    join(tokens, source, |i| {
        let (a, b) = (&tokens[i], &tokens[i + 1]);
        if b.is(":") {
            return false;
        }
        let ending = i + 1 >= until && !a.is("-");
        i == 0 || ending || a.is(",")
    })
}

/// A line of the where part, or a condition.
pub(super) fn rule(tokens: &[Token], source: &str) -> String {
    let tight = tight(tokens);
    join(tokens, source, |i| {
        let (a, b) = (&tokens[i], &tokens[i + 1]);
        let closes = [")", "]", "[", ",", ":"].iter().any(|mark| b.is(mark));
        let opens = ["(", "["].iter().any(|mark| a.is(mark));
        let joins = ["..", "^"].iter().any(|mark| a.is(mark) || b.is(mark));
        let sign = a.is("-") && is_sign(tokens, i);
        !(closes || opens || joins || sign || tight[i] || tight[i + 1] || calls(tokens, i))
    })
}

/// Whether the name at `at` and the bracket after it are a call.
fn calls(tokens: &[Token], at: usize) -> bool {
    let Kind::Name(name) = &tokens[at].kind else { return false };
    let names_subtask = at == 1 && tokens[0].is_word("subtask");
    tokens[at + 1].is("(") && !names_subtask && !NO_FUNCTIONS.contains(&name.as_str())
}

/// Whether a minus has no left side.
fn is_sign(tokens: &[Token], at: usize) -> bool {
    match at.checked_sub(1).map(|before| &tokens[before].kind) {
        None => true,
        Some(Kind::Mark(mark)) => !matches!(*mark, ")" | "]"),
        Some(Kind::Name(name)) => NO_FUNCTIONS.contains(&name.as_str()),
        Some(_) => false,
    }
}

/// Which tokens are operators without spaces around them: in indices, in the ends of ranges, and between numbers as in
/// `2*10^5`.
fn tight(tokens: &[Token]) -> Vec<bool> {
    let mut found = vec![false; tokens.len()];
    let mut depth = 0;
    for (i, token) in tokens.iter().enumerate() {
        depth += i32::from(token.is("[")) - i32::from(token.is("]"));
        let number = |at: usize| matches!(tokens.get(at), Some(Token { kind: Kind::Number(_), .. }));
        let factor = token.is("*") && i > 0 && number(i - 1) && number(i + 1);
        found[i] |= is_operator(token) && (depth > 0 || factor);
        if token.is("..") {
            mark_end(tokens, (0..i).rev(), &mut found);
            mark_end(tokens, i + 1..tokens.len(), &mut found);
        }
    }
    found
}

/// Marks the operators in one end of a range, walking away from its dots.
fn mark_end(tokens: &[Token], walk: impl Iterator<Item = usize>, found: &mut [bool]) {
    let mut depth = 0;
    for i in walk {
        let token = &tokens[i];
        let ends = [",", ":", "<", "<=", ">", ">=", "=", "!=", "=>", ".."].iter().any(|mark| token.is(mark));
        let word = matches!(&token.kind, Kind::Name(name) if NO_FUNCTIONS.contains(&name.as_str()));
        depth += opening(token).abs() * if token.is("(") || token.is("[") { 1 } else { -1 };
        if depth == 0 && (ends || word) {
            return;
        }
        found[i] |= is_operator(token);
    }
}

fn is_operator(token: &Token) -> bool {
    ["+", "-", "*", "/", "%"].iter().any(|mark| token.is(mark))
}

/// How much deeper in brackets a token leads.
fn opening(token: &Token) -> i32 {
    match token.kind {
        Kind::Mark("(" | "[") => 1,
        Kind::Mark(")" | "]") => -1,
        _ => 0,
    }
}

/// The tokens in their plainest spelling, with spaces after those that `space` is true of.
fn join(tokens: &[Token], source: &str, mut space: impl FnMut(usize) -> bool) -> String {
    let mut text = String::new();
    for (i, token) in tokens.iter().enumerate() {
        text.push_str(match &token.kind {
            Kind::Mark(mark) => mark,
            _ => &source[token.span.start..token.span.end],
        });
        if i + 1 < tokens.len() && space(i) {
            text.push(' ');
        }
    }
    text
}
