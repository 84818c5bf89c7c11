//! Restores the subscripts that a text loses when it is copied from a page: `a1, a2, …, an (1 ≤ ai ≤ 9)`.

use super::phrases::phrase_end;
use super::tokens::Token;

/// Words that are subscripted names only beside a comparison.
const WORDS: &[&str] = &["an", "am", "at", "as", "in", "is", "it", "on", "or", "to", "do", "by", "we", "me", "my"];

/// A sequence without its subscripts, which were lost.
#[derive(Clone, Debug)]
pub(super) struct Sequence {
    name: String,
    /// The subscripts of its elements, and those of any element.
    subscripts: Vec<String>,
}

/// Maximum number of sequences of a text whose elements are restored in its sentences: statements have ten.
const MAX_KNOWN: usize = 50;

/// Returns tokens with `a_1` and `a_i` in place of `a1` and `ai` where the text lists or has such sequences, and these.
pub(super) fn restore_subscripts(tokens: Vec<Token>, known: &[Sequence]) -> (Vec<Token>, Vec<Sequence>) {
    let mut restored = tokens;
    let places: Vec<usize> = (0..restored.len()).filter(|at| restored[*at] == Token::Dots).collect();
    let mut sequences: Vec<Sequence> = known.iter().take(MAX_KNOWN).cloned().collect();
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
        restored = join_steps(restored);
    }
    (restored, sequences)
}

/// Joins `a_i + 1` where it is beside `a_i`, with which it cannot be compared: the text has lost that `i + 1` is the subscript.
fn join_steps(tokens: Vec<Token>) -> Vec<Token> {
    let is_beside = |token: Option<&Token>| matches!(token, Some(Token::Comparison(_) | Token::Sign('-')));
    let mut joined: Vec<Token> = Vec::with_capacity(tokens.len());
    let mut at = 0;
    while let Some(token) = tokens.get(at) {
        let sign = match &tokens[at + 1..] {
            [Token::Sign(sign @ ('+' | '-')), Token::Number(1), ..] => Some(*sign),
            _ => None,
        };
        let is_before = is_beside(tokens.get(at + 3)) && tokens.get(at + 4) == Some(token);
        let is_after = at >= 2 && is_beside(tokens.get(at - 1)) && tokens.get(at - 2) == Some(token);
        match (token.element(), sign) {
            (Some((name, index)), Some(sign)) if is_before || is_after => {
                joined.push(Token::Name { name: name.to_owned(), subscript: Some(format!("{index}{sign}1")) });
                at += 3;
            }
            _ => {
                joined.push(token.clone());
                at += 1;
            }
        }
    }
    joined
}

/// Returns the sequence of which some dots leave out the middle, with the place of its last element.
fn sequence_around(tokens: &[Token], dots: usize) -> Option<(Sequence, usize)> {
    let is_joint = |token: Option<&Token>| matches!(token, Some(Token::Sign(',') | Token::Comparison(_)));
    let last = dots + 1 + usize::from(is_joint(tokens.get(dots + 1)));
    let end = tokens.get(last)?.plain_text()?;
    // The first element is shown, and perhaps the second.
    let shown = tokens[dots.saturating_sub(4)..dots].iter().filter_map(|token| split_digits(token.plain_text()?));
    let shown: Vec<(String, String)> = shown.collect();
    let (name, digits) = shown.last()?;
    let first = shown.iter().find(|(other, _)| other == name).map(|(_, first)| first)?;
    let suffix = end.strip_prefix(name).or_else(|| end.strip_prefix(&name.to_lowercase()))?;
    let is_suffix = !suffix.is_empty() && suffix.len() <= 2 && suffix.bytes().all(|byte| byte.is_ascii_alphanumeric());
    let is_first = shown.len() > 1 || matches!(digits.as_str(), "0" | "1");
    let subscripts = [first, digits, "i", "j", suffix].map(str::to_owned).to_vec();
    (is_suffix && is_first).then(|| (Sequence { name: name.clone(), subscripts }, last))
}

/// Returns the sequences of which only elements are named: `xi` and `yi` of `1 ≤ xi ≤ n`, and `ci` beside them.
fn elements_of_bounds(tokens: &[Token]) -> Vec<Sequence> {
    let base = |at: usize| {
        let text = tokens[at].plain_text()?;
        let is_element = text.len() == 2 && text.ends_with('i') && !WORDS.contains(&text);
        text.chars().next().filter(|c| is_element && c.is_ascii_alphabetic())
    };
    let is_bounded = |at: usize| matches!(tokens.get(at + 1), Some(Token::Comparison(_)));
    // In `each line has a string si`, the noun introduces it.
    let is_introduced =
        |at: usize| at > 0 && ["thing", "text"].into_iter().any(|kind| phrase_end(tokens, at - 1, kind) == Some(at));
    if !(0..tokens.len()).any(|at| base(at).is_some() && (is_bounded(at) || is_introduced(at))) {
        return Vec::new();
    }
    let mut names: Vec<char> = (0..tokens.len()).filter_map(base).collect();
    names.sort_unstable();
    names.dedup();
    let sequence = |name: char| Sequence { name: name.to_string(), subscripts: vec!["i".to_owned(), "j".to_owned()] };
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
    let text = tokens[at].plain_text()?;
    let is_compared = |at: Option<usize>| matches!(at.and_then(|at| tokens.get(at)), Some(Token::Comparison(_)));
    if WORDS.contains(&text) && !is_compared(at.checked_sub(1)) && !is_compared(Some(at + 1)) {
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
            Statement::parse("n and m. Three integers xi, yi and ci (1 ≤ xi ≤ n, 1 ≤ yi ≤ m, |ci| ≤ 9) each.");
        let names: Vec<String> = statement.names.into_iter().map(|name| name.name).collect();
        assert_eq!(names, ["n", "m", "x", "y", "c"]);
        assert_eq!(statement.chains.len(), 3);
    }

    #[test]
    fn elements_that_a_noun_introduces_are_restored() {
        let names = |text| Statement::parse(text).names.into_iter().map(|name| name.name).collect::<Vec<String>>();
        assert_eq!(names("n. Each line has a non-empty string si. The last line has a string t."), ["n", "s", "t"]);
        assert_eq!(names("n. Each line has two integers xi and yi."), ["n", "x", "y"]);
    }

    #[test]
    fn other_names_with_digits_stay() {
        let text = "The line contains x1, y1, x2, y2 (1 ≤ x1 < x2 ≤ 9), an integer n and so on... and n1.";
        let names: Vec<String> = Statement::parse(text).names.into_iter().map(|name| name.name).collect();
        assert_eq!(names, ["x1", "y1", "x2", "y2", "n", "n1"]);
    }
}
