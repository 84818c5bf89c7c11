//! Finds sentences with conditions that ranges do not express: `It is guaranteed that all words are distinct.`

use super::markup::FORMULA;
use super::sentences::Sentence;
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

#[cfg(test)]
mod tests {
    use super::super::Statement;
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
}
