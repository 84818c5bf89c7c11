//! Reads the Input section of a statement: names, bounds, sums over all test cases.

mod blocks;
mod chains;
mod conditions;
mod contents;
mod copied;
mod french;
mod icelandic;
mod languages;
mod letters;
mod listings;
mod markup;
mod mentions;
mod numbered_lines;
mod outline;
mod parameters;
mod parts;
mod passages;
mod quantities;
mod ranges;
mod rendered;
mod sections;
mod tokens;

pub(crate) use conditions::{ConditionKind, StatedCondition, StatedOrder};
pub(crate) use copied::RestoredPower;
pub(crate) use letters::StatedLetters;
pub(crate) use outline::StatedLine;
pub(crate) use parts::{StatedForm, StatedKind, StatedPart};
pub(crate) use ranges::StatedRange;
use rebut_format::syntax::{ComparisonChain, SyntaxTerm};
use sections::Sections;
use std::collections::BTreeSet;
use tokens::Token;

/// Maximum number of words and signs that are read. Sections about the input have some hundreds.
const MAX_TOKENS: usize = 5_000;

/// Maximum number of bytes in which they are looked for: pages of judges have less, with all of their markup.
const MAX_BYTES: usize = 256 << 10;

/// Maximum number of subtasks that are read.
const MAX_SUBTASKS: usize = 50;

/// A name that a statement introduces.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct StatedName {
    pub(crate) name: String,
    /// True for the elements of a sequence: `a_i`, `a_1, ..., a_n`.
    pub(crate) is_indexed: bool,
    /// The last index of a sequence: `n` of `a_1, ..., a_n`.
    pub(crate) length: Option<String>,
    /// True if the statement calls it a number.
    pub(crate) is_number: bool,
    /// True if it is first mentioned as the upper bound of another name: `L` of `0 <= a <= L`.
    pub(crate) is_limit: bool,
    /// The number of the sentence that introduces it.
    pub(crate) sentence: usize,
}

/// The contents of a statement.
#[derive(Clone, Debug, Default)]
pub(crate) struct Statement {
    /// The names in the order in which they are introduced.
    pub(crate) names: Vec<StatedName>,
    pub(crate) chains: Vec<ComparisonChain>,
    /// The orders of elements.
    pub(crate) orders: Vec<StatedOrder>,
    /// The chains of each subtask in a table.
    pub(crate) subtasks: Vec<Vec<ComparisonChain>>,
    /// The ranges that sentences give in words.
    pub(crate) ranges: Vec<StatedRange>,
    /// `sum(n) <= 2*10^5`
    pub(crate) sums: Vec<(String, SyntaxTerm)>,
    /// True if the input has a number of test cases.
    pub(crate) has_cases: bool,
    /// True if test cases begin with their numbers, according to the text.
    pub(crate) has_case_numbers: bool,
    /// True if an empty line is between two test cases, according to the text.
    pub(crate) has_separated_cases: bool,
    /// The first and the last number of things that are numbered: `1` and `n`.
    pub(crate) numbering: Option<(SyntaxTerm, SyntaxTerm)>,
    /// The number of decimals of real numbers.
    pub(crate) decimals: Option<usize>,
    /// True if the end of the file ends the input, according to the text.
    pub(crate) ends_with_file: bool,
    /// Names with upper bounds that are too large for a number of a format, with the number of their digits.
    pub(crate) huge_numbers: Vec<(Option<String>, usize)>,
    /// True if a number of the text is too large for a number of a format.
    pub(crate) has_huge_number: bool,
    /// True if the text is so long that its end was not read.
    pub(crate) is_cut_short: bool,
    /// The lines of the input, if each of them is described.
    pub(crate) outline: Option<Vec<StatedLine>>,
    /// The numbers of lines, numbers or letters that it counts: `n` of `n integers`.
    pub(crate) counts: Vec<SyntaxTerm>,
    /// The names in sentences about permutations.
    pub(crate) permuted: Vec<String>,
    /// Sentences with conditions that ranges do not express.
    pub(crate) conditions: Vec<StatedCondition>,
    /// The letters of texts.
    pub(crate) letters: Vec<StatedLetters>,
    /// The letters and signs in quotes.
    pub(crate) quoted_letters: BTreeSet<char>,
    /// Lists of all texts that a field can have.
    pub(crate) listed_texts: Vec<Vec<String>>,
    /// The words of the text.
    pub(crate) words: Vec<String>,
    /// The numbers that are read as powers, because the text has lost them.
    pub(crate) powers: Vec<RestoredPower>,
}

impl Statement {
    /// Reads a statement: text, Markdown, HTML or LaTeX. Of a whole statement, only the sections about the input and
    /// the constraints are read.
    pub(crate) fn parse(text: &str) -> Statement {
        let mut ends = (0..=text.len().min(MAX_BYTES)).rev();
        let first = ends.find(|end| text.is_char_boundary(*end)).unwrap_or(0);
        let copied::RestoredText { text: restored, powers } =
            copied::restore_copied(&rendered::restore_rendered(&text[..first]));
        let whole = markup::plain_text(&restored);
        let Sections { input: plain, original, scoring } = Sections::split_statement(&whole);
        let (tokens, is_cut_short) = first_tokens(&plain);
        let is_cut_short = is_cut_short || first < text.len();
        let words: Vec<String> = tokens
            .iter()
            .filter_map(|token| match token {
                Token::Word(word) => Some(word.clone()),
                _ => None,
            })
            .collect();
        let has_cases = words.windows(2).any(|pair| {
            matches!(pair[0].as_str(), "test" | "testcase" | "testcases" | "data")
                && matches!(pair[1].as_str(), "cases" | "case" | "sets" | "set")
        }) || words.iter().any(|word| word == "testcases");
        let (outline, is_grader) = read_lines(&whole, &plain, &tokens);
        let (ordered, orders) = conditions::join_orders(&tokens);
        let mut chains = chains::find_chains(&ordered);
        let of_scoring = sections::split_sentences(&scoring, &scoring);
        chains.extend(general_chains(&of_scoring));
        if is_grader {
            chains.extend(parameters::find_parameter_bounds(&whole));
        }
        remove_repeated(&mut chains);
        let sums = chains::find_sums(&tokens);
        let of_bounds = chains::find_huge_numbers(&chains).into_iter().map(|(name, digits)| (Some(name), digits));
        let huge_numbers: Vec<(Option<String>, usize)> = of_bounds.chain(ranges::find_digit_limits(&tokens)).collect();
        let names = introduced_names(&tokens);
        let sentences = if is_cut_short { Vec::new() } else { sections::split_sentences(&plain, &original) };
        Statement {
            names,
            chains,
            orders,
            subtasks: subtask_chains(&scoring, &of_scoring),
            ranges: [ranges::find_ranges(&tokens), ranges::find_signed_numbers(&tokens)].concat(),
            sums,
            has_cases,
            has_case_numbers: mentions_case_numbers(&sentences),
            has_separated_cases: mentions_separated_cases(&plain),
            numbering: ranges::find_numbering(&tokens),
            decimals: contents::stated_decimals(&tokens),
            ends_with_file: mentions_end_of_file(&plain),
            huge_numbers,
            has_huge_number: has_huge_power(&plain),
            is_cut_short,
            outline,
            counts: mentions::stated_counts(&tokens),
            permuted: names_beside(&sentences, &tokens, &["permutation", "permutations"]),
            conditions: conditions::find_conditions(&sentences, &tokens),
            letters: letters::find_letters(&sentences, &tokens),
            quoted_letters: letters::find_quoted_letters(&plain),
            listed_texts: listings::find_listed_texts(&plain, &original),
            words,
            powers,
        }
    }

    /// Returns true if the text has a word, in lower case.
    pub(crate) fn mentions_word(&self, word: &str) -> bool {
        self.words.iter().any(|other| other == word)
    }
}

/// Returns the lines of an input, if each of them is described, and true if a list has them by their numbers. `plain` is
/// the text about the input, with its tokens, in the whole text. Sample graders are often described elsewhere.
fn read_lines(whole: &str, plain: &str, tokens: &[Token]) -> (Option<Vec<StatedLine>>, bool) {
    let is_section = whole.len() > plain.len();
    let numbered = numbered_lines::find_numbered_lines(plain, is_section);
    if let Some(items) = numbered.or_else(|| numbered_lines::find_numbered_lines(whole, false)) {
        return (numbered_lines::read_numbered_lines(&items, tokens), true);
    }
    let shown = blocks::find_blocks(plain);
    let lines = if shown.is_empty() { outline::read_outline(tokens) } else { blocks::read_blocks(&shown, tokens) };
    (lines, false)
}

/// Removes the chains that are equal to an earlier one.
fn remove_repeated(chains: &mut Vec<ComparisonChain>) {
    let mut different: Vec<ComparisonChain> = Vec::new();
    for chain in chains.drain(..) {
        if !different.contains(&chain) {
            different.push(chain);
        }
    }
    *chains = different;
}

/// Returns the tokens of a text, and true if there are more than are read.
fn first_tokens(text: &str) -> (Vec<Token>, bool) {
    let mut tokens = mentions::replace_memberships(letters::restore_subscripts(tokens::split_tokens(text)));
    let is_cut_short = tokens.len() > MAX_TOKENS;
    tokens.truncate(MAX_TOKENS);
    (tokens, is_cut_short)
}

/// Returns true if a sentence has a phrase such as `the data set number`, unless it is about the output.
fn mentions_case_numbers(sentences: &[sections::Sentence]) -> bool {
    const NUMBERS: &[&str] = &["test case number", "data set number", "dataset number"];
    const PRINTING: &[&str] = &["output", "print", "prints", "display", "write"];
    sentences.iter().any(|sentence| sentence.has_any(NUMBERS) && !sentence.has_any(PRINTING))
}

/// Returns the comparison chains that the sentences about the points have for all subtasks.
fn general_chains(sentences: &[sections::Sentence]) -> Vec<ComparisonChain> {
    const ALL: &[&str] = &["all cases", "all test cases", "all tests", "all subtasks", "all groups", "every subtask"];
    let general = sentences.iter().filter(|sentence| sentence.has_any(ALL));
    general.take(MAX_SUBTASKS).flat_map(|sentence| chains::find_chains(&first_tokens(&sentence.text).0)).collect()
}

fn names_beside(sentences: &[sections::Sentence], tokens: &[Token], words: &[&str]) -> Vec<String> {
    let about = sentences.iter().filter(|sentence| sentence.has_any(words));
    about.flat_map(|sentence| sentence.field_names(tokens)).collect()
}

/// Returns the comparison chains of each row of a table of subtasks, or else of each sentence about points that has some:
/// `For all points, solve N <= 10000.`
fn subtask_chains(scoring: &str, sentences: &[sections::Sentence]) -> Vec<Vec<ComparisonChain>> {
    let chains_of = |text: &String| chains::find_chains(&first_tokens(text).0);
    let rows = sections::table_rows(&markup::without_cells(scoring));
    if !rows.is_empty() {
        return rows.iter().take(MAX_SUBTASKS).map(chains_of).collect();
    }
    let chains = sentences.iter().take(MAX_SUBTASKS).map(|sentence| chains_of(&sentence.text));
    chains.filter(|chains| !chains.is_empty()).collect()
}

/// Returns true if a sentence of a text mentions an empty line between two test cases.
fn mentions_separated_cases(text: &str) -> bool {
    text.to_lowercase().split(['.', '!', ';']).any(|sentence| {
        let words: Vec<&str> = sentence.split_whitespace().collect();
        let has_any = |wanted: &[&str]| wanted.iter().any(|phrase| words.join(" ").contains(phrase));
        has_any(&["blank line", "empty line"])
            && has_any(&["between", "separated by"])
            && has_any(&["case", "data set", "dataset", "consecutive"])
    })
}

/// Returns true if a sentence of a text mentions that the input ends with the file.
fn mentions_end_of_file(text: &str) -> bool {
    text.to_lowercase().split(['.', '!', ';']).any(|sentence| {
        let words = sentence.split_whitespace().collect::<Vec<_>>().join(" ").replace('-', " ");
        let has_any = |wanted: &[&str]| wanted.iter().any(|phrase| words.contains(phrase));
        has_any(&["end of file", "end of the file", "end of input", "end of the input", "(eof)", " eof"])
            && has_any(&["terminate", "until", "ended by", "ends with", "ends at", "up to"])
    })
}

/// Returns true if a text has a power of ten that no number of a format reaches, such as `10^1000` or `10^10^6`.
fn has_huge_power(text: &str) -> bool {
    /// Maximum exponent of ten of a number in a format.
    const MAX_EXPONENT: u32 = 36;
    let packed: String = text.chars().filter(|c| !matches!(c, '{' | '}' | '(' | ')' | ' ')).collect();
    packed.split("10^").skip(1).any(|rest| {
        let digits = rest.chars().take_while(char::is_ascii_digit).count();
        let (exponent, after) = rest.split_at(digits);
        // `10^10^6` has nothing between its powers of ten.
        let is_tower = rest.is_empty() || after.starts_with('^');
        is_tower || digits > 0 && exponent.parse().map_or(true, |exponent: u32| exponent > MAX_EXPONENT)
    })
}

/// Returns the names in the order of their first occurrence. Variables that only count, as `i` in `a_i`, are left out.
fn introduced_names(tokens: &[Token]) -> Vec<StatedName> {
    let mut names: Vec<StatedName> = Vec::new();
    for (at, token) in tokens.iter().enumerate() {
        let Token::Name { name, subscript } = token else { continue };
        let (name, is_indexed) = chains::field_name(name, subscript.as_deref(), tokens);
        if tokens::is_index_at(tokens, at) || name.is_empty() {
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
                name,
                is_indexed,
                length,
                is_number: tokens::is_listed_number(tokens, at),
                is_limit: is_limit_at(tokens, at),
                sentence: tokens[..at].iter().filter(|token| **token == Token::Sign('.')).count(),
            }),
        }
    }
    names
}

/// Returns true for the upper bound of another name: `L` of `0 <= a <= L`.
fn is_limit_at(tokens: &[Token], at: usize) -> bool {
    let is_below = |token: Option<&Token>| matches!(token, Some(Token::Comparison("<" | "<=")));
    let Some(before) = at.checked_sub(2) else { return false };
    is_below(tokens.get(at - 1)) && matches!(tokens[before], Token::Name { .. }) && !is_below(tokens.get(at + 1))
}

/// Returns the last of several indices: `m` of `n,m`.
fn last_index(subscript: &str) -> String {
    subscript.rsplit(',').next().unwrap_or_default().trim().to_owned()
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
        assert_eq!(rules("$0 \\le s \\ne d < N$"), ["0 <= s, d < N", "s != d"]);
        assert_eq!(rules("$0 \\le p \\le T$ -- $0$ denotes the sample"), ["0 <= p <= T"]);
        assert_eq!(rules("$1 \\le n \\le 1.5 \\cdot 10^5$"), ["1 <= n <= 150000"]);
        assert_eq!(rules("\\newcommand{\\maxn}{500} $1 \\leq n \\leq \\maxn$"), ["1 <= n <= 500"]);
        assert_eq!(rules("$1 \\le k \\le n$ and $m$ is at most $9$"), ["1 <= k <= n"]);
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
        assert_eq!(rules("$N$ and $M$, $0 \\le K \\le NM$"), ["0 <= K <= N * M"]);
        assert_eq!(rules("$1 \\le S \\le 9$ and $1 \\le S_i \\le 200$"), ["1 <= S <= 9", "1 <= Si <= 200"]);
        assert_eq!(rules("$0 \\le i_s, i_t < n$"), ["0 <= is, it < n"]);
        assert_eq!(rules("$0 \\le x_t < n$"), ["0 <= x < n"]);
        assert_eq!(rules("$1 \\le \\text{length}(s) \\le 30$"), ["1 <= len(s) <= 30"]);
    }

    #[test]
    fn numbers_may_be_words() {
        let ranges = |text: &str| -> Vec<String> {
            let end = |end: &Option<SyntaxTerm>| end.as_ref().map_or(String::new(), ToString::to_string);
            let ranges = Statement::parse(text).ranges;
            ranges.iter().map(|range| format!("{}..{}", end(&range.lo), end(&range.hi))).collect()
        };
        assert_eq!(ranges("integers, all less than a million"), ["..999999"]);
        assert_eq!(ranges("$n$ is at most 2 thousand"), ["..2000"]);
        assert_eq!(ranges("$n$ is at most one hundred thousand, $k$ at most 3 hundred"), ["..100000", "..300"]);
        assert_eq!(
            ranges("The absolute value of each coordinate is at most one billion."),
            ["-1000000000..1000000000"]
        );
    }

    #[test]
    fn bounds_of_differences_are_not_those_of_numbers() {
        assert_eq!(Statement::parse("The absolute value of the difference of two heights is at most 5.").ranges, []);
    }

    #[test]
    fn bounds_of_all_subtasks_are_bounds() {
        let statement = Statement::parse("Input\nn and k\nScoring\nIn all cases $1 \\le k \\le n$.\n");
        assert_eq!((statement.chains.len(), statement.subtasks.len()), (1, 1));
    }

    #[test]
    fn sentences_about_points_are_subtasks() {
        let text =
            "Input\nn\nScoring\nFor half of the points, solve $n \\le 20$.\n\nFor all points, solve $n \\le 9000$.\n";
        assert_eq!(Statement::parse(text).subtasks.iter().map(Vec::len).collect::<Vec<_>>(), [1, 1]);
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
        assert!(statement.has_cases);
        assert_eq!(statement.sums.len(), 1);
        assert_eq!(statement.sums[0].0, "n");
    }
}
