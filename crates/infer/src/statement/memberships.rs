//! Reads bounds as sets: `n ∈ {1, ..., 10^5}`, `a, b ∈ [0, n]`.

use super::chains::TermParser;
use super::tokens::Token;

/// The sign before a set.
const MEMBER: Token = Token::Sign('∈');

/// Returns tokens with comparisons in place of sets of whole numbers: `1 <= n <= 10^5` for `n ∈ {1, ..., 10^5}`.
pub(super) fn replace_memberships(tokens: Vec<Token>) -> Vec<Token> {
    if !tokens.contains(&MEMBER) {
        return tokens;
    }
    let mut replaced: Vec<Token> = Vec::with_capacity(tokens.len());
    let mut at = 0;
    while let Some(token) = tokens.get(at) {
        match set_at(&tokens, at) {
            Some((lo, hi, end)) => {
                let is_listed = |token: &&Token| matches!(token, Token::Name { .. } | Token::Sign(','));
                let listed = replaced.iter().rev().take_while(is_listed).count();
                let members = replaced.split_off(replaced.len() - listed);
                replaced.extend_from_slice(lo);
                replaced.push(Token::Comparison("<="));
                replaced.extend(members);
                replaced.push(Token::Comparison("<="));
                replaced.extend_from_slice(hi);
                at = end;
            }
            None => {
                replaced.push(token.clone());
                at += 1;
            }
        }
    }
    replaced
}

/// Returns the smallest and the largest number of the set behind a sign, and the position after it. Braces are no tokens.
fn set_at(tokens: &[Token], at: usize) -> Option<(&[Token], &[Token], usize)> {
    let follows_name = matches!(tokens.get(at.checked_sub(1)?), Some(Token::Name { .. }));
    if tokens[at] != MEMBER || !follows_name {
        return None;
    }
    let is_bracketed = tokens.get(at + 1) == Some(&Token::Sign('['));
    let first = at + 1 + usize::from(is_bracketed);
    let (_, after_first) = TermParser::read_sum_at(tokens, first)?;
    let is_joint = |token: &&Token| matches!(token, Token::Sign(',') | Token::Dots);
    let joints = tokens[after_first..].iter().take_while(is_joint).count();
    let last = after_first + joints;
    let (_, end) = TermParser::read_sum_at(tokens, last).filter(|_| joints > 0)?;
    let closing = usize::from(tokens.get(end) == Some(&Token::Sign(']')));
    Some((&tokens[first..after_first], &tokens[last..end], end + closing))
}

#[cfg(test)]
mod tests {
    use super::super::Statement;
    use super::super::tests::spelled_chains;

    #[test]
    fn sets_of_numbers_are_bounds() {
        let cases = [
            ("an integer $n \\in \\{1,\\ldots, 10^5\\}$, the number", "1 <= n <= 10^5"),
            ("$a, b ∈ [0, n - 1]$ and $c \\in \\{0, 1\\}$", "0 <= a, b <= n - 1; 0 <= c <= 1"),
            ("a point $p \\in S$", ""),
        ];
        for (text, chains) in cases {
            assert_eq!(spelled_chains(Statement::parse(text).chains).join("; "), chains, "{text}");
        }
    }
}
