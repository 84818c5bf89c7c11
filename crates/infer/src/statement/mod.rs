//! Reads the Input section of a statement: names, bounds, sums over all test cases.

mod blocks;
mod chains;
mod conditions;
mod copied;
mod markup;
mod phrases;
mod ranges;
mod rendered;
mod sections;
mod subscripts;
mod tokens;

use crate::bound_terms::widest_bounds;
pub(crate) use blocks::StatedLayout;
pub(crate) use chains::split_step;
pub(crate) use conditions::{StatedCondition, StatedLetters};
pub(crate) use ranges::{ANY_TEXT, EACH_TEXT, StatedOrder};
use rebut_format::syntax::{ComparisonChain, SyntaxTerm};
use std::collections::BTreeSet;
use subscripts::Sequence;
use tokens::Token;

/// Maximum number of words and signs that are read. Sections about the input have some hundreds.
const MAX_TOKENS: usize = 5_000;

/// Maximum number of bytes in which they are looked for: pages of judges have less, with all of their markup.
const MAX_BYTES: usize = 256 << 10;

/// A name that a statement introduces.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct StatedName {
    pub(crate) name: String,
    /// True for the elements of a sequence: `a_i`, `a_1, ..., a_n`.
    pub(crate) is_indexed: bool,
    /// The last index of a sequence: `n` of `a_1, ..., a_n`.
    pub(crate) length: Option<String>,
    /// True for a sequence that begins with `a_2`.
    pub(crate) begins_at_two: bool,
    /// True if the statement calls it a number.
    pub(crate) is_number: bool,
    /// The number of the sentence that introduces it.
    pub(crate) sentence: usize,
}

/// The contents of a statement.
#[derive(Clone, Debug, Default)]
pub(crate) struct Statement {
    /// The names in the order in which they are introduced.
    pub(crate) names: Vec<StatedName>,
    pub(crate) chains: Vec<ComparisonChain>,
    /// The chains that hold for a part of the inputs, such as a subtask.
    pub(crate) partial: Vec<ComparisonChain>,
    /// The orders of elements.
    pub(crate) orders: Vec<StatedOrder>,
    /// `sum(n) <= 2*10^5`
    pub(crate) sums: Vec<(SyntaxTerm, SyntaxTerm)>,
    /// True if the text is so long that its end was not read.
    pub(crate) is_cut_short: bool,
    /// True if the formulas of a saved page are not there as TeX.
    pub(crate) has_only_mathml: bool,
    /// The layout of the input, if a block of names shows it.
    pub(crate) layout: Option<StatedLayout>,
    /// The names that it lists as the numbers of a line, in its order: `three integers n, m and k`.
    pub(crate) listed: Vec<Vec<String>>,
    /// The numbers of numbers of such lines, also where they are not named: `three integers`.
    pub(crate) line_lengths: Vec<usize>,
    /// The lines that begin with a word or a number of their kind, with the names that follow it: `1 l r`.
    pub(crate) forms: Vec<(String, Vec<String>)>,
    /// The numbers of lines that are next, once for each mention: `the next n lines`.
    pub(crate) next_lines: Vec<SyntaxTerm>,
    /// The names in them that an earlier line has, too, and those that stand for them.
    pub(crate) renamed: Vec<(String, String)>,
    /// The numbers of lines, numbers or letters that it counts: `n` of `n integers`.
    pub(crate) counts: Vec<SyntaxTerm>,
    /// The names that it calls texts.
    pub(crate) texts: Vec<String>,
    /// Sentences with conditions or comparisons.
    pub(crate) conditions: Vec<StatedCondition>,
    /// The letters of texts.
    pub(crate) letters: Vec<StatedLetters>,
    /// The kinds of phrases of the text that are no conditions: test cases and sums.
    kinds: Vec<&'static str>,
    /// The numbers that are read as powers, because the text has lost them.
    pub(crate) powers: Vec<copied::RestoredPower>,
}

impl Statement {
    /// Reads a statement: text, Markdown, HTML or LaTeX, or the sections of it about the input and the constraints.
    pub(crate) fn parse(text: &str) -> Statement {
        let first = &text.as_bytes()[..text.len().min(MAX_BYTES)];
        let (restored, powers) = copied::restore_copied(&rendered::restore_rendered(&String::from_utf8_lossy(first)));
        let sections::Sections { whole: plain, partial: scoring, story } =
            sections::split_sections(&markup::plain_text(&restored));
        let (mut tokens, sequences) = split_names(&plain, &[]);
        let is_cut_short = tokens.len() > MAX_TOKENS || first.len() < text.len();
        tokens.truncate(MAX_TOKENS);
        let renamed = rename_repeated(&mut tokens);
        let (mut partial, _) = split_names(&scoring, &sequences);
        partial.truncate(MAX_TOKENS);
        let (ordered, orders) = ranges::join_orders(&ranges::replace_ranges(&tokens));
        let mut chains: Vec<ComparisonChain> = Vec::new();
        for chain in chains::find_chains(&ordered, &tokens) {
            if !chains.contains(&chain) {
                chains.push(chain);
            }
        }
        let split = |text: &str| if is_cut_short { Vec::new() } else { sections::split_sentences(text, &sequences) };
        let sentences = split(&plain);
        share_bounds(&mut chains, &renamed);
        let story = split(&story);
        chains.extend(told_ranges(&story, &chains, &tokens));
        let all = phrases::Words::new(if is_cut_short { "" } else { &plain });
        let shown = blocks::find_blocks(&plain);
        let [counts, next_lines] = chains::stated_counts(&tokens);
        Statement {
            names: introduced_names(&tokens),
            partial: chains::find_chains(&partial, &tokens),
            orders,
            sums: chains::find_sums(&tokens),
            is_cut_short,
            has_only_mathml: text.contains("<math") && !["x-tex", "math/tex"].iter().any(|tex| text.contains(tex)),
            layout: blocks::read_blocks(&shown, &tokens),
            listed: listed_names(&tokens),
            line_lengths: line_lengths(&tokens),
            forms: listed_forms(&tokens),
            next_lines,
            counts,
            conditions: [conditions::find_conditions(&sentences, &tokens), conditions::find_asides(&story, &tokens)]
                .concat(),
            texts: names_of_texts(&tokens),
            letters: conditions::find_letters(&sentences, &tokens),
            kinds: ["case", "sum"].into_iter().filter(|kind| all.has_kind(kind)).collect(),
            chains,
            powers,
            renamed,
        }
    }

    /// Returns true if a name is the number of what the text counts, or the last index of a sequence.
    pub(crate) fn has_size(&self, name: &str) -> bool {
        let is_last = |stated: &StatedName| stated.length.as_deref() == Some(name);
        self.names.iter().any(is_last) || self.counts.contains(&SyntaxTerm::from_name(name.to_owned()))
    }

    /// Returns true if the text has a phrase of a kind. The story may have it of an answer, unless it is about a tree.
    pub(crate) fn mentions_kind(&self, kind: &str) -> bool {
        let has_kind =
            |condition: &StatedCondition| condition.has_kind(kind) && (!condition.is_aside || kind == "tree");
        self.kinds.contains(&kind) || self.conditions.iter().any(has_kind)
    }
}

/// Returns the ranges that a story has for names without a bound. Its other comparisons are not about the input.
fn told_ranges(told: &[sections::Sentence], known: &[ComparisonChain], tokens: &[Token]) -> Vec<ComparisonChain> {
    let has_bound = |term: &SyntaxTerm| widest_bounds(term, known).hi.is_some();
    let is_range = |chain: &ComparisonChain| match &chain.lists[..] {
        [least, bounded @ .., _] => {
            let is_constant = least.iter().all(|term| term.constant_value().is_some());
            is_constant && !bounded.is_empty() && !bounded.iter().flatten().any(has_bound)
        }
        _ => false,
    };
    let unconditional = told.iter().filter(|sentence| !sentence.words.has_kind("if"));
    let chains = unconditional.flat_map(|sentence| chains::find_chains(&sentence.tokens, tokens));
    chains.filter(|chain| is_range(chain) && !known.contains(chain)).collect()
}

/// Returns the names that a text calls strings or words.
fn names_of_texts(tokens: &[Token]) -> Vec<String> {
    let names = tokens.iter().filter_map(|token| chains::name_of_token(token, tokens)).collect::<BTreeSet<_>>();
    names.into_iter().filter(|name| blocks::text_length(name, tokens).is_some()).collect()
}

/// Returns the tokens of a text, with subscripts that were lost.
fn split_names(text: &str, known: &[Sequence]) -> (Vec<Token>, Vec<Sequence>) {
    subscripts::restore_subscripts(tokens::split_tokens(text), known)
}

/// Returns the names in the order of their first occurrence. Variables that only count, as `i` in `a_i`, are left out.
fn introduced_names(tokens: &[Token]) -> Vec<StatedName> {
    let mut names: Vec<StatedName> = Vec::new();
    for (at, token) in tokens.iter().enumerate() {
        let Token::Name { name, subscript } = token else { continue };
        let (name, is_indexed) = chains::field_name(name, subscript.as_deref(), tokens);
        if phrases::is_index_at(tokens, at) || name.is_empty() {
            continue;
        }
        let is_last = at > 0 && tokens[..at].iter().rev().take(2).any(|before| *before == Token::Dots);
        let length = subscript.clone().filter(|_| is_last).map(|last| last_index(&last));
        match names.iter_mut().find(|known| known.name == name) {
            Some(known) => {
                known.is_indexed |= is_indexed;
                known.length = known.length.take().or(length);
            }
            None => names.push(StatedName {
                begins_at_two: subscript.as_deref() == Some("2"),
                name,
                is_indexed,
                length,
                is_number: phrases::is_listed_number(tokens, at),
                sentence: tokens[..at].iter().filter(|token| **token == Token::Sign('.')).count(),
            }),
        }
    }
    names
}

/// Returns the lists of several different names that follow `integers` or `numbers`. Bounds in parentheses may follow a name.
fn listed_names(tokens: &[Token]) -> Vec<Vec<String>> {
    let named = |places: Vec<usize>| names_at(&places, tokens);
    let lists = name_lists(tokens).into_iter().map(named);
    lists.filter(|names| names.iter().collect::<BTreeSet<_>>().len() == names.len()).collect()
}

/// Returns the numbers of numbers that a text gives lines, by the names that it lists or in words: `three integers`.
fn line_lengths(tokens: &[Token]) -> Vec<usize> {
    let words = ["two", "three", "four", "five", "six"];
    // The table is long, and most words begin no number.
    let all: Vec<&str> = words.into_iter().flat_map(phrases::phrases_of).collect();
    let begins = |word: &str| all.iter().any(|phrase| phrase.starts_with(word) || word.contains(phrase));
    let counted = |at: usize| words.iter().position(|kind| phrases::phrase_end(tokens, at, kind).is_some());
    let may_begin = |at: &usize| matches!(&tokens[*at], Token::Word(word) if begins(word));
    let in_words = (0..tokens.len()).filter(may_begin).filter_map(counted).map(|place| place + 2);
    let listed = listed_names(tokens).into_iter().map(|names| names.len());
    listed.chain(in_words).collect::<BTreeSet<usize>>().into_iter().collect()
}

/// Returns the words and numbers that names follow, each with these names: `1 l r`, `push x`.
fn listed_forms(tokens: &[Token]) -> Vec<(String, Vec<String>)> {
    let name = |at: usize| tokens.get(at).and_then(|token| chains::name_of_token(token, tokens));
    let form = |at: usize| {
        let tag = match &tokens[at] {
            Token::Number(number) => number.to_string(),
            token => token.plain_text()?.to_lowercase(),
        };
        let names: Vec<String> = (at + 1..at + 7).map_while(name).collect();
        let is_inside = at > 0
            && (tokens[at - 1].name().is_some() || matches!(tokens[at - 1], Token::Comparison(sign) if sign != ">"));
        (!names.is_empty() && !is_inside).then_some((tag, names))
    };
    (0..tokens.len()).filter_map(form).take(200).collect()
}

fn names_at(places: &[usize], tokens: &[Token]) -> Vec<String> {
    places.iter().filter_map(|at| chains::name_of_token(&tokens[*at], tokens)).collect()
}

/// Returns the places of the names in each list.
fn name_lists(tokens: &[Token]) -> Vec<Vec<usize>> {
    let mut lists: Vec<Vec<usize>> = Vec::new();
    let is_name = |at: usize| matches!(tokens.get(at), Some(Token::Name { .. }));
    let mut at = 1;
    while at < tokens.len() {
        if !is_name(at) || !matches!(tokens[at - 1], Token::Word(_)) || !phrases::is_listed_number(tokens, at) {
            at += 1;
            continue;
        }
        let mut places: Vec<usize> = Vec::new();
        // The search goes on after a list, not inside it: the text can be long.
        while is_name(at) {
            places.push(at);
            at += 1;
            if tokens.get(at) == Some(&Token::Sign('(')) {
                at += tokens[at..].iter().position(|token| *token == Token::Sign(')')).map_or(0, |end| end + 1);
            }
            while matches!(tokens.get(at), Some(Token::Sign(','))) || tokens::is_word_at(tokens, at, phrases::AND) {
                at += 1;
            }
        }
        let is_cut = tokens.get(at) == Some(&Token::Dots);
        lists.extend((places.len() > 1 && !is_cut).then_some(places));
    }
    lists
}

/// Maximum number of lists of names that are compared, of names in each, and of tokens of the sentence around it.
const MAX_LISTS: [usize; 3] = [50, 8, 200];

/// Gives numbers with names of an earlier line others: after edges `u, v, c`, queries have `u2, v2, k`. Returns both names.
fn rename_repeated(tokens: &mut [Token]) -> Vec<(String, String)> {
    let mut lists = name_lists(tokens);
    lists.retain(|places| places.len() <= MAX_LISTS[1]);
    lists.truncate(MAX_LISTS[0]);
    let names: Vec<Vec<String>> = lists.iter().map(|places| names_at(places, tokens)).collect();
    let mut renamed: Vec<(String, String)> = Vec::new();
    for (number, places) in lists.iter().enumerate().skip(1) {
        let is_again = |(at, other): (usize, &Vec<String>)| {
            at != number && other.len() == places.len() && other.iter().all(|name| names[number].contains(name))
        };
        if names.iter().enumerate().any(is_again) {
            continue;
        }
        let ends = |token: &Token| matches!(token, Token::Sign('.' | tokens::PARAGRAPH));
        let sentence = &tokens[places[0]..tokens.len().min(places[0] + MAX_LISTS[2])];
        let sentence = sentence.split(ends).next().unwrap_or_default();
        let in_sentence: Vec<_> = sentence.iter().map(|token| chains::name_of_token(token, tokens)).collect();
        for name in &names[number] {
            let other = format!("{name}2");
            let is_new = !names[..number].iter().flatten().any(|known| known == name);
            if is_new || renamed.iter().any(|(_, known)| *known == other) {
                continue;
            }
            for (token, own) in tokens[places[0]..].iter_mut().zip(&in_sentence) {
                if let (Token::Name { name: own_name, .. }, true) = (token, own.as_ref() == Some(name)) {
                    own_name.push('2');
                }
            }
            renamed.push((name.clone(), other));
        }
    }
    renamed
}

/// Gives numbers with the name of an earlier line the bounds of the name, unless they have their own.
fn share_bounds(chains: &mut [ComparisonChain], renamed: &[(String, String)]) {
    for (name, other) in renamed {
        let [name, other] = [name, other].map(SyntaxTerm::from_name);
        if chains.iter().any(|chain| chain.lists.iter().flatten().any(|term| *term == other)) {
            continue;
        }
        for list in chains.iter_mut().flat_map(|chain| &mut chain.lists) {
            list.extend(list.contains(&name).then(|| other.clone()));
        }
    }
}

/// Returns the last of several indices: `m` of `n,m`, and of `im`.
fn last_index(subscript: &str) -> String {
    let last = subscript.rsplit(',').next().unwrap_or_default().trim();
    last.strip_prefix(['i', 'j']).filter(|rest| rest.len() == 1).unwrap_or(last).to_owned()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::panic, reason = "tests")]
    use super::*;
    use rebut_format::syntax::{SyntaxRule, SyntaxTree};

    /// Writes chains as a format spells them.
    pub(super) fn spelled_chains(chains: Vec<ComparisonChain>) -> Vec<String> {
        let rules = chains.into_iter().map(SyntaxRule::Chain).collect();
        let text = SyntaxTree { layout: Vec::new(), rules }.to_string();
        text.lines().skip(1).map(|line| line.trim().to_owned()).collect()
    }

    /// The chains of a statement, as a format spells them.
    fn rules(text: &str) -> Vec<String> {
        spelled_chains(Statement::parse(text).chains)
    }

    #[test]
    fn bounds_are_read_in_all_markups() {
        for text in [
            "The first line contains n and m (1 ≤ n, m ≤ 2⋅10^5).",
            "The first line contains $n$ and $m$ ($1 \\le n, m \\le 2 \\cdot 10^5$).",
            "<p>The first line contains <var>n</var> and <var>m</var> (<var>1 &le; n, m &le; 2 &times; 10<sup>5</sup></var>).</p>",
            "two integers n and m (1 <= n, m <= 200,000)",
            "two integers n and m (1 <= n, m <= 2*10**5)",
        ] {
            let found = rules(text).join("; ");
            assert!(matches!(found.as_str(), "1 <= n, m <= 2*10^5" | "1 <= n, m <= 200000"), "{text}: {found}");
        }
        assert_eq!(rules("$-10^9 \\leq a_i \\leq 10^9$"), ["-10^9 <= a <= 10^9"]);
        assert_eq!(rules("$1 \\le l_i \\le r_i \\le n$"), ["1 <= l <= r <= n"]);
        assert_eq!(rules("a string s (1 ≤ |s| ≤ 100)"), ["1 <= len(s) <= 100"]);
        assert_eq!(rules("$0 \\le m \\le n(n-1)/2$"), ["0 <= m <= n * (n - 1) / 2"]);
    }

    #[test]
    fn bounds_of_one_sentence_are_chains_of_their_own() {
        assert_eq!(rules("$1 \\le n \\le 200$, $0 \\le m \\le 250$"), ["1 <= n <= 200", "0 <= m <= 250"]);
        assert_eq!(rules("n and m, 1 <= n, m <= 10"), ["1 <= n, m <= 10"]);
        assert_eq!(rules("$1 \\le a, b \\le n$, $a \\not= b$"), ["1 <= a, b <= n", "a != b"]);
        assert_eq!(rules("$1 \\le a, b \\le n, a \\neq b$"), ["1 <= a, b <= n", "a != b"]);
        assert_eq!(rules("$0 \\le s \\ne d < N$"), ["0 <= s != d < N"]);
        assert_eq!(rules("$0 \\le p \\le T$ -- $0$ denotes the sample"), ["0 <= p <= T"]);
        assert_eq!(rules("$1 \\le n \\le 1.5 \\cdot 10^5$"), [""; 0]);
        assert_eq!(rules("$1 \\le k \\le n$ and $m$ is at most $9$"), ["1 <= k <= n", "m <= 9"]);
        assert_eq!(rules("- $1 \\le n \\le 10^5$\n- $0 \\le m \\le 5$\n"), ["1 <= n <= 10^5", "0 <= m <= 5"]);
        assert_eq!(rules("  * 1 ≤ n ≤ 10^5\n  * 0 ≤ m ≤ 5"), ["1 <= n <= 10^5", "0 <= m <= 5"]);
        assert_eq!(
            rules("$10^{-4} \\le L \\le 10$, $1 \\le D[i][0], D[i][1] \\le 9$"),
            ["<= L <= 10", "1 <= D, D <= 9"]
        );
        assert_eq!(rules("\\section*{\\inputsection}\n$n < 5$\n\\section*{\\outputsection}\n$m < 4$"), ["n < 5"]);
        assert_eq!(rules("$u \\neq v$, and $c \\geq 1$"), ["u != v", "c >= 1"]);
        assert_eq!(rules("$M \\le \\min(2 \\cdot 10^5, \\frac{N(N-1)}{2})$"), ["M <= min(2*10^5, N * (N - 1) / 2)"]);
        assert_eq!(rules("$1 \\le N \\le \\min(20000, W \\cdot H)$"), ["1 <= N <= min(20000, W * H)"]);
        assert_eq!(rules("$M \\le \\min\\{10^5, N\\}$"), ["M <= min(10^5, N)"]);
        assert_eq!(rules("$1 \\le a_i \\le 2N$"), ["1 <= a <= 2 * N"]);
        assert_eq!(rules("$0 \\le p_a, p_b$, $0.1 \\le p_a + p_b$"), ["0 <= pa, pb"]);
    }

    #[test]
    fn names_of_bounds_are_told_apart() {
        assert_eq!(rules("$1 \\le h_i, s_i, \\le 9$"), ["1 <= h, s <= 9"]);
        assert_eq!(rules("$0 \\le i_s, i_t < n$"), ["0 <= is, it < n"]);
    }

    #[test]
    fn counts_are_those_of_lines_and_numbers() {
        let text = "The first line has $n$ and $k$. The next $n - 1$ lines have $k$ integers and 3 words.";
        let counts: Vec<String> = Statement::parse(text).counts.iter().map(ToString::to_string).collect();
        assert_eq!(counts, ["n - 1", "k"]);
    }

    #[test]
    fn names_come_in_order_with_their_lengths() {
        let text = "The first line contains $n$ and $q$. The second line contains $n$ integers $a_1, a_2, \\ldots, a_n$. \
                    Each of the next $q$ lines contains $l_i$ and $r_i$.";
        let names = Statement::parse(text).names;
        let found: Vec<(&str, bool, Option<&str>)> =
            names.iter().map(|name| (name.name.as_str(), name.is_indexed, name.length.as_deref())).collect();
        let expected =
            [("n", false, None), ("q", false, None), ("a", true, Some("n")), ("l", true, None), ("r", true, None)];
        assert_eq!(found, expected);
    }

    #[test]
    fn names_of_the_input_come_before_those_of_the_constraints() {
        let text = "Constraints\n1 ≤ S, K\nInput\nK N\nS\nOutput\nThe answer X";
        let names: Vec<String> = Statement::parse(text).names.into_iter().map(|name| name.name).collect();
        assert_eq!(names, ["K", "N", "S"]);
    }

    #[test]
    fn indices_are_names_where_numbers_are_listed() {
        let names =
            |text: &str| -> Vec<String> { Statement::parse(text).names.into_iter().map(|name| name.name).collect() };
        assert_eq!(names("Each of the $U$ lines contains two integers $i, j$, the $i$-th row."), ["U", "i", "j"]);
        assert_eq!(names("The $i$-th line contains $a_i$."), ["a"]);
        assert_eq!(names("$n$ lines with $x_i$, $x'_i$ and $y''$"), ["n", "x", "xp", "ypp"]);
    }

    #[test]
    fn sums_over_all_cases_are_read() {
        let text = "It is guaranteed that the sum of $n$ over all test cases does not exceed $2 \\cdot 10^5$.";
        let statement = Statement::parse(text);
        assert!(statement.mentions_kind("case"));
        assert_eq!(statement.sums.len(), 1);
        assert_eq!(statement.sums[0].0.to_string(), "n");
    }
}
