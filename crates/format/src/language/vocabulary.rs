//! The words of the format language, with their place and meaning: the one table of them. The parser takes its reserved
//! words, functions and predicates from it, editors their answers; grammars and the reference page are checked with it.

/// Where a word can stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WordPlace {
    /// At the start of a line of the layout.
    Layout,
    /// At the end of a header of a repetition.
    Repetition,
    /// At the start of a constraint.
    Rule,
    /// Between formulas.
    Connective,
    /// Behind the names of fields.
    FieldKind,
    /// In an expression.
    Function,
    /// At the start of a constraint, with names in parentheses.
    Predicate,
    /// Behind the colon of `edges` and `parents`.
    GraphProperty,
    /// Behind the colon of `polygon`.
    PolygonProperty,
}

/// A word of the language.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct VocabularyWord {
    /// The word.
    pub name: &'static str,
    /// Where it can stand.
    pub place: WordPlace,
    /// An example.
    pub usage: &'static str,
    /// Its meaning, in Markdown.
    pub meaning: &'static str,
    /// Whether no field can have this name: where it can stand, a name could as well.
    pub is_reserved: bool,
}

const fn word(place: WordPlace, name: &'static str, usage: &'static str, meaning: &'static str) -> VocabularyWord {
    VocabularyWord { name, place, usage, meaning, is_reserved: false }
}

const fn reserved(place: WordPlace, name: &'static str, usage: &'static str, meaning: &'static str) -> VocabularyWord {
    VocabularyWord { is_reserved: true, ..word(place, name, usage, meaning) }
}

use WordPlace::{Connective, FieldKind, Function, GraphProperty, Layout, PolygonProperty, Predicate, Repetition, Rule};

/// All words, by their places.
pub const VOCABULARY: &[VocabularyWord] = &[
    reserved(
        Layout,
        "cases",
        "cases T:",
        "Independent test cases: the lines below are repeated. A search puts many small cases into one file, and \
         shrinking deletes whole cases first.",
    ),
    reserved(
        Layout,
        "repeat",
        "repeat m:",
        "The lines below are repeated `m` times. Without a count in the input, state a range and the end: `repeat \
         0..5 until 0 0:`.",
    ),
    reserved(
        Layout,
        "either",
        "either:",
        "Each line below is one form of the input at this point. A form of several lines begins with a line that \
         ends with a colon.",
    ),
    reserved(
        Layout,
        "if",
        "if type = 1:",
        "The lines below are present only if all of the comparisons hold. In the where part, `if A: B` is `A => \
         B`.",
    ),
    reserved(Layout, "where", "where:", "Begins the constraints."),
    reserved(Repetition, "until", "repeat 1..100 until 0 0:", "The line that ends the repetition, or `eof`."),
    word(
        Repetition,
        "separated by",
        "cases T separated by \"\":",
        "The line between two repetitions, but not after the last; `\"\"` is an empty line.",
    ),
    word(Repetition, "eof", "repeat 1..9 until eof:", "The end of the input."),
    reserved(Rule, "let", "let MAXN = 10^5", "Defines a constant. `--let MAXN=10` on the command line overrides it."),
    word(
        Rule,
        "subtask",
        "subtask small (20): n <= 10",
        "Constraints in addition to those of the problem, which hold if the subtask is selected; its points in \
         parentheses.",
    ),
    word(
        Rule,
        "edges",
        "edges (u, v) on 1..n: simple, connected",
        "The lines of a repeated block are the edges of a graph on these vertices.",
    ),
    word(
        Rule,
        "parents",
        "parents p of 2..n on 1..n: tree",
        "The k-th number of `p` is the parent of the k-th vertex of the range after `of`.",
    ),
    word(
        Rule,
        "polygon",
        "polygon (x, y): convex, counterclockwise",
        "The lines of a repeated block are the corners of a polygon, in their order. Its sides do not cross or touch.",
    ),
    reserved(
        Rule,
        "validator",
        "validator \"check.py\"",
        "A program that checks what a format cannot express. Exit status 42 accepts and 43 refuses, or 0 and 1 to \
         3 with testlib.",
    ),
    word(
        Rule,
        "generator",
        "generator \"gen.py\"",
        "A program that prints an input for a seed, its last argument. Searches use its inputs as well.",
    ),
    reserved(Rule, "forall", "forall i in 1..n-1: a[i] != a[i+1]", "The formula holds for each number of the range."),
    reserved(Rule, "exists", "exists i in 1..n: a[i] > 0", "The formula holds for at least one number of the range."),
    reserved(Connective, "not", "not (type = 3 and n = 2)", "The formula does not hold."),
    reserved(Connective, "and", "n >= 3 and m >= 3", "Both formulas hold."),
    reserved(Connective, "or", "a[2] = 5 or a[2] = 6", "At least one of the formulas holds."),
    word(Connective, "in", "forall i in 1..n:", "The range of a variable."),
    reserved(
        FieldKind,
        "over",
        "s over \"a-z\"",
        "A text of these characters, which stand side by side. `-` between two characters is a range. The first \
         character is the simplest one.",
    ),
    word(FieldKind, "one of", "op one of \"push\", \"pop\"", "One of these words."),
    word(
        FieldKind,
        "matches",
        "id matches \"[A-Z][a-z]*\"",
        "A text that the regular expression matches as a whole. If its length is not bounded by it, bound it with \
         `len`.",
    ),
    word(
        FieldKind,
        "real",
        "x real, 0 <= x <= 1, 6 decimals",
        "A real number, with its number of digits after the point: `6 decimals`, or `0..6 decimals`.",
    ),
    word(FieldKind, "decimals", "x real, 6 decimals", "The number of digits after the point of a real number."),
    word(FieldKind, "permutation of", "p permutation of 1..n", "All numbers are in the range and different."),
    word(FieldKind, "on", "edges (u, v) on 1..n", "The numbers of the vertices."),
    word(
        FieldKind,
        "of",
        "parents p of 2..n on 1..n",
        "What a permutation permutes, or the vertices that have a parent.",
    ),
    word(
        Function,
        "sum",
        "sum(a) <= 100",
        "The sum of the elements of an array, or of all repetitions of a single number: `sum(n) <= 2*10^5` over \
         all cases.",
    ),
    word(Function, "min", "min(a) <= w", "The smallest element of an array, or of several numbers: `min(n, 20)`."),
    word(Function, "max", "max(n) >= 1", "The largest element of an array, or of several numbers: `max(x, y)`."),
    word(
        Function,
        "count",
        "count(s, 'S') = 1",
        "How often a number, a letter or a word occurs: `count(a, 7)`, `count(s, 'S')`, `count(op, \"push\")`.",
    ),
    word(
        Function,
        "gcd",
        "gcd(n, k) <= 5",
        "The greatest common divisor of several numbers, or of the elements of an array.",
    ),
    word(
        Function,
        "xor",
        "xor(a) = 0",
        "The exclusive or of the bits of several numbers, or of the elements of an array.",
    ),
    word(
        Function,
        "inversions",
        "inversions(p) = k",
        "The number of pairs of elements of which the first is greater than the second.",
    ),
    word(
        Function,
        "cycles",
        "cycles(p) = 1",
        "The number of cycles of a permutation of consecutive numbers, in which the k-th element follows the k-th number.",
    ),
    word(Function, "len", "1 <= len(s) <= 6", "The length of a text or a list."),
    word(Function, "abs", "abs(n - m) <= 9", "The absolute value."),
    word(
        Function,
        "prime",
        "prime(p)",
        "The number is prime. Compared with another one, it is 1 or 0: `sum(prime(a)) >= 2`.",
    ),
    word(
        Function,
        "whole",
        "whole(a) <= whole(b)",
        "The array as a whole: compared in lexicographic order instead of element by element.",
    ),
    word(
        Predicate,
        "distinct",
        "distinct(a)",
        "All elements of an array, all repetitions of a number or a tuple, or all texts are different: \
         `distinct((x, y))`. Compared with a number, it is how many different values there are: `distinct(a) = 3`.",
    ),
    word(
        Predicate,
        "disjoint",
        "disjoint(a, b)",
        "No element of one of these arrays, texts or repeated numbers is an element of another one.",
    ),
    word(Predicate, "sorted", "sorted(a)", "Each element is at most the next one; the same as `nondecreasing`."),
    word(Predicate, "increasing", "increasing(a)", "Each element is less than the next one."),
    word(Predicate, "nondecreasing", "nondecreasing(a)", "Each element is at most the next one."),
    word(Predicate, "decreasing", "decreasing(a)", "Each element is greater than the next one."),
    word(Predicate, "nonincreasing", "nonincreasing(a)", "Each element is at least the next one."),
    word(Predicate, "symmetric", "symmetric(V)", "`V[i][j] = V[j][i]` for all rows and columns."),
    word(
        Predicate,
        "balanced",
        "balanced(s)",
        "Each text is a balanced bracket sequence: each bracket of `()`, `[]`, `{}` and `<>` has its counterpart. \
         Other characters do not matter.",
    ),
    word(
        Predicate,
        "connected",
        "connected(board, \".S\")",
        "The cells with these characters are connected by steps to the left, right, up and down.",
    ),
    word(GraphProperty, "tree", "edges (u, v) on 1..n: tree", "Connected, without cycles."),
    word(GraphProperty, "forest", "edges (u, v) on 1..n: forest", "Without cycles; the same as `acyclic`."),
    word(
        GraphProperty,
        "acyclic",
        "edges (u, v) on 1..n: acyclic",
        "Without cycles. Two equal undirected edges are a cycle, and so is a loop.",
    ),
    word(GraphProperty, "dag", "edges (u, v) on 1..n: dag", "Directed, without directed cycles."),
    word(
        GraphProperty,
        "directed",
        "edges (u, v) on 1..n: directed",
        "Edges lead from the first vertex to the second.",
    ),
    word(
        GraphProperty,
        "undirected",
        "edges (u, v) on 1..n: undirected",
        "Edges have no direction, as without this word.",
    ),
    word(GraphProperty, "simple", "edges (u, v) on 1..n: simple", "No loops, no repeated edges."),
    word(GraphProperty, "loopless", "edges (u, v) on 1..n: loopless", "No edge from a vertex to itself."),
    word(
        GraphProperty,
        "connected",
        "edges (u, v) on 1..n: connected",
        "Each vertex can be reached from each other one; directions are ignored.",
    ),
    word(
        GraphProperty,
        "strongly connected",
        "edges (u, v) on 1..n: strongly connected",
        "Directed, and each vertex can be reached from each other one.",
    ),
    word(
        GraphProperty,
        "bipartite",
        "edges (u, v) on 1..n: bipartite",
        "The vertices have two colours, and each edge connects different ones.",
    ),
    word(
        GraphProperty,
        "path",
        "edges (u, v) on 1..n: path",
        "A tree in which no vertex has more than two neighbours.",
    ),
    word(GraphProperty, "star", "edges (u, v) on 1..n: star", "A tree in which one vertex belongs to all edges."),
    word(
        GraphProperty,
        "degree",
        "edges (u, v) on 1..n: degree <= 3",
        "The maximum number of edges at each vertex of an undirected graph.",
    ),
    word(
        GraphProperty,
        "depth",
        "edges (u, v) on 1..n: tree, depth 3..5",
        "The number of edges from the root of a tree, which is the vertex without a parent or the first one, to the farthest \
         vertex; also `depth <= 5`.",
    ),
    word(GraphProperty, "even", "edges (u, v) on 1..n: even", "Each vertex has an even number of edges."),
    word(
        GraphProperty,
        "eulerian",
        "edges (u, v) on 1..n: eulerian",
        "Connected, and each vertex has an even number of edges: a round trip uses each edge once.",
    ),
    word(
        GraphProperty,
        "regular",
        "edges (u, v) on 1..n: regular k",
        "Each vertex has the same number of edges; with a number, this many.",
    ),
    word(PolygonProperty, "convex", "polygon (x, y): convex", "No angle inside is larger than a straight one."),
    word(
        PolygonProperty,
        "strictly convex",
        "polygon (x, y): strictly convex",
        "Convex, and three corners in a row are never on a line.",
    ),
    word(
        PolygonProperty,
        "no straight angles",
        "polygon (x, y): no straight angles",
        "Three corners in a row are never on a line.",
    ),
    word(PolygonProperty, "clockwise", "polygon (x, y): clockwise", "The inside is on the right of each side."),
    word(
        PolygonProperty,
        "counterclockwise",
        "polygon (x, y): counterclockwise",
        "The inside is on the left of each side.",
    ),
];

/// Returns the words that one of these places allows, in the order of the table.
pub fn words_in(places: &[WordPlace]) -> impl Iterator<Item = &'static VocabularyWord> {
    VOCABULARY.iter().filter(move |word| places.contains(&word.place))
}

/// Returns the words of a place.
pub fn names_in(place: WordPlace) -> impl Iterator<Item = &'static str> {
    VOCABULARY.iter().filter(move |word| word.place == place).map(|word| word.name)
}

/// Returns true if no field can have this name.
pub fn is_reserved_word(name: &str) -> bool {
    VOCABULARY.iter().any(|word| word.is_reserved && word.name == name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::constraints::TEXT_PROPERTIES;
    use crate::language::{graph_property_names, polygon_property_names};

    #[test]
    fn properties_are_those_that_are_implemented() {
        assert!(TEXT_PROPERTIES.iter().all(|property| names_in(Predicate).any(|name| name == property.name())));
        for (place, names) in [
            (GraphProperty, graph_property_names().collect::<Vec<_>>()),
            (PolygonProperty, polygon_property_names().collect()),
        ] {
            let explained: Vec<&str> = names_in(place).collect();
            assert!(names.iter().all(|name| explained.contains(name)), "{names:?}");
            assert!(
                explained.iter().all(|name| names.contains(name) || matches!(*name, "degree" | "depth")),
                "{explained:?}"
            );
        }
    }

    #[test]
    fn usages_contain_their_words() {
        for word in VOCABULARY {
            assert!(word.usage.contains(word.name), "{}", word.name);
        }
    }
}
