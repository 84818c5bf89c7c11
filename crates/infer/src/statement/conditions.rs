//! Finds sentences with conditions that ranges do not express: `It is guaranteed that all words are distinct.`

use super::chains::field_name;
use super::markup::FORMULA;
use super::sections::Sentence;
use super::tokens::Token;

/// A sentence with a condition on the input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct StatedCondition {
    /// The sentence, shortened if it is long.
    pub(crate) sentence: String,
    pub(crate) kind: ConditionKind,
    /// The names of fields in the sentence.
    pub(crate) names: Vec<String>,
}

/// What a condition is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ConditionKind {
    Distinct,
    Ordered,
    Permutation,
    Graph,
    Balanced,
    /// A property of numbers, such as being prime or odd.
    Arithmetic,
    /// A promise that a text is one of some.
    Choice,
    /// Something that the statement promises.
    Promise,
}

impl ConditionKind {
    /// Returns words of formats of which any one expresses the condition.
    pub(crate) fn format_words(self) -> &'static [&'static str] {
        match self {
            ConditionKind::Distinct => &["distinct", "permutation", "!=", "simple"],
            ConditionKind::Ordered => &["increasing", "decreasing", "sorted"],
            ConditionKind::Permutation => &["permutation"],
            ConditionKind::Graph => &["tree", "connected", "simple", "acyclic"],
            ConditionKind::Balanced => &["balanced"],
            ConditionKind::Arithmetic => &["prime", "gcd", "%"],
            ConditionKind::Choice => &["matches \"("],
            ConditionKind::Promise => &[],
        }
    }
}

/// Maximum number of characters of a sentence that is shown.
const MAX_SHOWN: usize = 160;

/// Phrases of conditions, in lower case. Of several in a sentence, the first of this table counts.
const PHRASES: &[(&str, ConditionKind)] = &[
    ("distinct", ConditionKind::Distinct),
    ("unique", ConditionKind::Distinct),
    ("no two", ConditionKind::Distinct),
    ("more than once", ConditionKind::Distinct),
    ("at most once", ConditionKind::Distinct),
    ("duplicate", ConditionKind::Distinct),
    ("duplicates", ConditionKind::Distinct),
    ("pairwise different", ConditionKind::Distinct),
    ("all different", ConditionKind::Distinct),
    ("are different", ConditionKind::Distinct),
    ("at different", ConditionKind::Distinct),
    ("permutation", ConditionKind::Permutation),
    ("sorted", ConditionKind::Ordered),
    ("increasing", ConditionKind::Ordered),
    ("decreasing", ConditionKind::Ordered),
    ("non-decreasing", ConditionKind::Ordered),
    ("nondecreasing", ConditionKind::Ordered),
    ("non-increasing", ConditionKind::Ordered),
    ("nonincreasing", ConditionKind::Ordered),
    ("ascending", ConditionKind::Ordered),
    ("descending", ConditionKind::Ordered),
    ("chronological", ConditionKind::Ordered),
    ("a tree", ConditionKind::Graph),
    ("acyclic", ConditionKind::Graph),
    ("cycles", ConditionKind::Graph),
    ("is connected", ConditionKind::Graph),
    ("are connected", ConditionKind::Graph),
    ("connected graph", ConditionKind::Graph),
    ("reachable", ConditionKind::Graph),
    ("loops", ConditionKind::Graph),
    ("multiple edges", ConditionKind::Graph),
    ("simple graph", ConditionKind::Graph),
    ("balanced", ConditionKind::Balanced),
    ("correct bracket", ConditionKind::Balanced),
    ("correctly nested", ConditionKind::Balanced),
    ("regular bracket", ConditionKind::Balanced),
    ("well-formed", ConditionKind::Balanced),
    ("prime", ConditionKind::Arithmetic),
    ("primes", ConditionKind::Arithmetic),
    ("coprime", ConditionKind::Arithmetic),
    ("odd number", ConditionKind::Arithmetic),
    ("even number", ConditionKind::Arithmetic),
    ("is odd", ConditionKind::Arithmetic),
    ("is even", ConditionKind::Arithmetic),
    ("divisible", ConditionKind::Arithmetic),
    ("multiple of", ConditionKind::Arithmetic),
    ("power of two", ConditionKind::Arithmetic),
    ("palindrome", ConditionKind::Promise),
    ("convex", ConditionKind::Promise),
    ("intersect", ConditionKind::Promise),
    ("overlap", ConditionKind::Promise),
    ("exactly one", ConditionKind::Promise),
    ("at least one", ConditionKind::Promise),
    ("guarantee", ConditionKind::Promise),
    ("guaranteed", ConditionKind::Promise),
    ("guarantees", ConditionKind::Promise),
    ("promised", ConditionKind::Promise),
    ("may assume", ConditionKind::Promise),
    ("can assume", ConditionKind::Promise),
    ("will always", ConditionKind::Promise),
    ("will never", ConditionKind::Promise),
    ("are always", ConditionKind::Promise),
    ("is always", ConditionKind::Promise),
    ("is never", ConditionKind::Promise),
];

/// Returns the sentences that have a condition, each once. `tokens` are those of the whole text.
pub(super) fn find_conditions(sentences: &[Sentence], tokens: &[Token]) -> Vec<StatedCondition> {
    let mut found: Vec<StatedCondition> = Vec::new();
    for sentence in sentences {
        if let Some(kind) = condition_of(sentence) {
            let condition =
                StatedCondition { kind, names: sentence.field_names(tokens), sentence: shown(&sentence.original) };
            if !found.contains(&condition) {
                found.push(condition);
            }
        }
    }
    found
}

/// Returns the kind of the condition that a sentence has. A promise about a range or a sum is none.
fn condition_of(sentence: &Sentence) -> Option<ConditionKind> {
    let (_, kind) = PHRASES.iter().find(|(phrase, _)| sentence.has_phrase(phrase))?;
    let is_about_range = sentence.text.contains(['<', '>', '=']) || sentence.has_any(&["exceed", "exceeds", "between"]);
    match kind {
        ConditionKind::Promise if is_about_range => None,
        ConditionKind::Promise if sentence.has_any(&["one of the following", "one of following"]) => {
            Some(ConditionKind::Choice)
        }
        kind => Some(*kind),
    }
}

/// Returns a sentence as it is shown: without marks, and not longer than a line or two.
fn shown(sentence: &str) -> String {
    let plain: String = sentence.chars().filter(|c| !matches!(*c, FORMULA | '{' | '}' | '*')).collect();
    match plain.char_indices().nth(MAX_SHOWN) {
        Some((end, _)) => format!("{}...", plain[..end].trim_end()),
        None => plain,
    }
}

// Reads how elements compare with each other: `x_1 < x_2 < ... < x_n`, `a_i <= a_{i+1}`, `(u_i, v_i) != (u_j, v_j)`.

/// The order that a statement gives the elements of a sequence, or that they differ.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct StatedOrder {
    /// The name of the sequence, or those of several that have their elements side by side.
    pub(crate) names: Vec<String>,
    /// The predicate of a format for it, such as `increasing`.
    pub(crate) predicate: &'static str,
}

/// Returns the orders of elements, and the tokens with one element in place of each order: `1 <= x_1 < ... < x_n <= 9` has
/// the bounds of all elements.
pub(super) fn join_orders(tokens: &[Token]) -> (Vec<Token>, Vec<StatedOrder>) {
    let mut joined = Vec::with_capacity(tokens.len());
    let mut orders: Vec<StatedOrder> = Vec::new();
    let mut at = 0;
    while let Some(token) = tokens.get(at) {
        if let Some((elements, length)) = distinct_at(&tokens[at..]) {
            let names = elements.iter().map(|(name, subscript)| field_name(name, Some(subscript), tokens).0).collect();
            orders.push(StatedOrder { names, predicate: "distinct" });
            at += length;
            continue;
        }
        let (Some((predicate, length)), Token::Name { name, subscript }) = (order_at(&tokens[at..]), token) else {
            joined.push(token.clone());
            at += 1;
            continue;
        };
        let (field, _) = field_name(name, subscript.as_deref(), tokens);
        orders.push(StatedOrder { names: vec![field], predicate });
        joined.push(Token::Name { name: name.clone(), subscript: Some("i".to_owned()) });
        at += length;
    }
    orders.dedup();
    (joined, orders)
}

/// Returns the order that some tokens begin with, as a predicate, and its length.
fn order_at(tokens: &[Token]) -> Option<(&'static str, usize)> {
    let [Token::Name { name, subscript: Some(first) }, Token::Comparison(sign), rest @ ..] = tokens else {
        return None;
    };
    let predicate = match *sign {
        "<" => "increasing",
        "<=" => "nondecreasing",
        ">" => "decreasing",
        ">=" => "nonincreasing",
        _ => return None,
    };
    let is_element = |token: &Token| matches!(token, Token::Name { name: other, subscript: Some(_) } if other == name);
    let is_next = |token: &Token| match token {
        Token::Name { subscript: Some(next), .. } => is_element(token) && next.replace(' ', "") == format!("{first}+1"),
        _ => false,
    };
    if rest.first().is_some_and(is_next) {
        return Some((predicate, 3));
    }
    // Each element after the first has the same sign before it.
    let mut length = 1;
    let mut has_dots = false;
    while let [Token::Comparison(other), next, ..] = &tokens[length..] {
        if other != sign || !(is_element(next) || *next == Token::Dots) {
            break;
        }
        has_dots |= *next == Token::Dots;
        length += 2;
    }
    let ends_with_element = tokens.get(length - 1).is_some_and(is_element);
    (has_dots && ends_with_element).then_some((predicate, length))
}

/// Returns the elements that differ at different places, with the number of their tokens: `a_i != a_j`, `(u_i, v_i) != (u_j,
/// v_j)`.
fn distinct_at(tokens: &[Token]) -> Option<(Vec<(&str, &str)>, usize)> {
    let (elements, after) = elements_at(tokens)?;
    let (others, length) = elements_at(tokens.get(after + 1..)?)?;
    let is_other = |((name, subscript), (other, other_subscript)): (&(&str, &str), &(&str, &str))| {
        name == other && subscript != other_subscript && !subscript.bytes().any(|byte| byte.is_ascii_digit())
    };
    let are_same = elements.len() == others.len() && elements.iter().zip(&others).all(is_other);
    (tokens[after] == Token::Comparison("!=") && are_same).then_some((elements, after + 1 + length))
}

/// Returns an element, or several in parentheses, with the number of their tokens.
fn elements_at(tokens: &[Token]) -> Option<(Vec<(&str, &str)>, usize)> {
    /// Maximum number of elements in parentheses.
    const MAX_ELEMENTS: usize = 4;
    let first = tokens.first()?;
    if *first != Token::Sign('(') {
        return Some((vec![named_element(first)?], 1));
    }
    let mut elements = Vec::new();
    let mut at = 1;
    while elements.len() < MAX_ELEMENTS {
        elements.push(named_element(tokens.get(at)?)?);
        match tokens.get(at + 1)? {
            Token::Sign(',') => at += 2,
            Token::Sign(')') => return Some((elements, at + 2)),
            _ => return None,
        }
    }
    None
}

/// Returns the name and the subscript of an element.
fn named_element(token: &Token) -> Option<(&str, &str)> {
    match token {
        Token::Name { name, subscript: Some(subscript) } => Some((name, subscript)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::super::Statement;
    use super::super::tests::spelled_chains;
    use super::ConditionKind::{self, Arithmetic, Balanced, Distinct, Graph, Ordered, Promise};

    fn conditions(text: &str) -> Vec<(ConditionKind, String)> {
        Statement::parse(text).conditions.into_iter().map(|condition| (condition.kind, condition.sentence)).collect()
    }

    #[test]
    fn conditions_are_found_in_all_markups() {
        let cases: &[(&str, ConditionKind, &str)] = &[
            ("One integer $n$.\nAll $a_i$ are \\textbf{distinct}.", Distinct, "All a_i are distinct."),
            ("- `n` is odd\n- the edges form a tree", Arithmetic, "`n` is odd"),
            ("<li>s is a balanced sequence</li><li>one line</li>", Balanced, "s is a balanced sequence"),
            ("It is guaranteed\nthat the graph is connected (i.e. a path exists).", Graph, ""),
            (
                "\\begin{itemize}\\item A line. \\item The times are sorted.\\end{itemize}",
                Ordered,
                "The times are sorted.",
            ),
            ("There will always be a way out.", Promise, "There will always be a way out."),
        ];
        for (text, kind, sentence) in cases {
            let found = conditions(text);
            let (first, shown) = found.first().map_or((None, ""), |(kind, shown)| (Some(*kind), shown));
            assert_eq!(first, Some(*kind), "{text}: {found:?}");
            assert!(sentence.is_empty() || shown == *sentence, "{text}: {shown}");
        }
    }

    #[test]
    fn ranges_and_sums_are_no_conditions() {
        for text in [
            "It is guaranteed that $n \\le 10$.",
            "It is guaranteed that the sum of $n$ over all test cases does not exceed $1000$.",
            "The first line contains the number of different cards.",
        ] {
            assert_eq!(conditions(text), [], "{text}");
        }
    }

    #[test]
    fn long_sentences_are_shortened() {
        let found = conditions(&format!("It is guaranteed that {} it ends.", "on and on, é ".repeat(100)));
        assert!(found.iter().all(|(_, shown)| shown.chars().count() < 170 && shown.ends_with("...")), "{found:?}");
    }

    #[test]
    fn orders_are_read_with_their_bounds() {
        let cases = [
            ("$1 \\le x_1 < x_2 < \\dots < x_n \\le 9$", "increasing(x)", "1 <= x <= 9"),
            ("$a_1 \\ge a_2 \\ge \\ldots \\ge a_n$", "nonincreasing(a)", ""),
            ("$0 \\le t_i \\le t_{i+1} \\le 7$", "nondecreasing(t)", "0 <= t <= 7"),
            ("$1 \\le l_i < r_i \\le n$", "", "1 <= l < r <= n"),
            ("$1 \\le a_i \\le 9$, $a_i \\ne a_j$ if $i \\ne j$", "distinct(a)", "1 <= a <= 9; i != j"),
            ("$(u_i, v_i) \\neq (u_j, v_j)$", "distinct(u, v)", ""),
            ("$u_i \\ne v_i$", "", "u != v"),
            ("$x_1 < x_2 \\le 5$", "", "x1 < x2 <= 5"),
        ];
        for (text, order, chain) in cases {
            let statement = Statement::parse(text);
            let orders =
                statement.orders.iter().map(|order| format!("{}({})", order.predicate, order.names.join(", ")));
            assert_eq!(orders.collect::<Vec<_>>().join(", "), order, "{text}");
            assert_eq!(spelled_chains(statement.chains).join("; "), chain, "{text}");
        }
    }
}
