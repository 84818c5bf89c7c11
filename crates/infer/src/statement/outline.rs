//! Reads the descriptions of all lines in a statement: `each of the next m lines contains two integers a and b`.
//!
//! Sentences that mention lines are understood one by one. If one of them is not, there is no outline: a layout that
//! is described in part supports nothing.

use super::contents::{read_parts, read_repeated_parts, take_ranges};
use super::mentions::{Mention, find_mentions, mention_at, mention_start};
use super::parts::{StatedKind, StatedPart};
use super::ranges::find_ranges;
use super::tokens::{Token, is_word, number_of_word, sentence_start};
use rebut_format::syntax::SyntaxTerm;

/// Lines as a statement describes them.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct StatedLine {
    /// How often the line is repeated, unless it is a single one.
    pub(crate) count: Option<SyntaxTerm>,
    pub(crate) parts: Vec<StatedPart>,
    /// True if each test case has the line.
    pub(crate) is_in_case: bool,
}

/// Returns the lines of an input in their order, or `None` unless each is understood.
pub(super) fn read_outline(tokens: &[Token]) -> Option<Vec<StatedLine>> {
    if lists_forms(tokens) || has_nested_blocks(tokens) {
        return None;
    }
    let mentions = find_mentions(tokens);
    let mut outline = OutlineReader { tokens, lines: Vec::new(), known: Vec::new() };
    let first = mentions.first().map_or(tokens.len(), |(at, _)| mention_start(tokens, 0, *at));
    // "Input starts with two integers" describes a line without the word.
    let before = read_parts(&tokens[..first], tokens, &[]);
    if before.has_quantity {
        outline.push_line(None, before.parts, first);
    }
    for (number, (at, mention)) in mentions.iter().enumerate() {
        let end = mentions.get(number + 1).map_or(tokens.len(), |(next, _)| mention_start(tokens, at + 1, *next));
        outline.take_mention(mention, *at, end)?;
    }
    let mut lines = outline.lines;
    spread_general_range(&mut lines);
    (!lines.is_empty() && lines.iter().all(|line| !line.parts.is_empty())).then_some(lines)
}

/// Gives a range that holds for all numbers to the parts without one.
fn spread_general_range(lines: &mut [StatedLine]) {
    let ranges = lines.iter().flat_map(|line| &line.parts).filter_map(|part| part.range.clone());
    let Some(general) = ranges.into_iter().find(|range| range.is_general) else { return };
    for part in lines.iter_mut().flat_map(|line| &mut line.parts) {
        part.range.get_or_insert_with(|| general.clone());
    }
}

struct OutlineReader<'t> {
    tokens: &'t [Token],
    lines: Vec<StatedLine>,
    /// The names of single lines. Others may be used again.
    known: Vec<String>,
}

impl OutlineReader<'_> {
    /// Reads the description of a mentioned line up to the next mention. Returns `None` if it is not understood.
    fn take_mention(&mut self, mention: &Mention, at: usize, end: usize) -> Option<()> {
        let start = if *mention == Mention::Item { at } else { at + 1 };
        let described = &self.tokens[start..end.max(start)];
        let contents = match mention {
            Mention::Refining | Mention::Counted(_) => read_repeated_parts(described, self.tokens, &self.known),
            _ => read_parts(described, self.tokens, &self.known),
        };
        match mention {
            Mention::Overview => {}
            Mention::Unknown => return None,
            Mention::Refining => refine_parts(&mut self.lines.last_mut()?.parts, contents.parts),
            Mention::Trailing => {
                let start = sentence_start(self.tokens, at);
                let mut before = read_parts(&self.tokens[start..at], self.tokens, &self.known);
                take_ranges(&mut before.parts, find_ranges(&self.tokens[start..end.max(at)]));
                if before.has_quantity && !self.is_described(start) {
                    self.push_line(None, before.parts, end);
                }
            }
            Mention::Single if self.is_pattern(at) => refine_parts(&mut self.lines.last_mut()?.parts, contents.parts),
            Mention::Single | Mention::Item => self.push_line(None, contents.parts, end),
            Mention::Counted(count) => {
                let parts = match contents.parts.is_empty() {
                    true if speaks_of_same_form(described) => self.parts_of_last_lines()?,
                    true => contents.unnamed_part,
                    false => contents.parts,
                };
                self.push_line(Some(count.clone()), parts, end);
            }
        }
        Some(())
    }

    fn push_line(&mut self, count: Option<SyntaxTerm>, parts: Vec<StatedPart>, end: usize) {
        let is_in_case = self.lines.last().is_some_and(|line| line.is_in_case)
            || !self.lines.is_empty() && speaks_of_cases(&self.tokens[..end]);
        if count.is_none() {
            self.known.extend(parts.iter().filter_map(|part| part.name.clone()));
        }
        self.lines.push(StatedLine { count, parts, is_in_case });
    }

    /// Returns the parts of the lines before. The bounds of their names hold for both.
    fn parts_of_last_lines(&self) -> Option<Vec<StatedPart>> {
        self.lines.iter().rev().find(|line| line.count.is_some()).map(|line| line.parts.clone())
    }

    /// Returns true if another mention is in the sentence that begins at a token.
    fn is_described(&self, start: usize) -> bool {
        let end = self.tokens[start..]
            .iter()
            .position(|token| *token == Token::Sign('.'))
            .map_or(self.tokens.len(), |end| start + end);
        (start..end).any(|at| mention_at(self.tokens, at).is_some_and(|mention| mention != Mention::Trailing))
    }

    /// Returns true if a sentence explains the lines before it: `A line containing a b means ...`.
    fn is_pattern(&self, at: usize) -> bool {
        let start = sentence_start(self.tokens, at);
        let is_article = at == start + 1 && is_word(&self.tokens[start], &["a"]);
        let is_one = at == start + 1 && is_word(&self.tokens[start], &["one"]);
        self.lines.last().is_some_and(|line| line.count.is_some() && (is_article || is_one && line.parts.is_empty()))
    }
}

/// Returns true if lines are described as being like those before: `in the same format`.
fn speaks_of_same_form(described: &[Token]) -> bool {
    described
        .windows(2)
        .any(|pair| is_word(&pair[0], &["same"]) && is_word(&pair[1], &["format", "form", "way", "manner"]))
}

/// Takes the names, or all parts if none is known, from a later description of the same lines.
fn refine_parts(parts: &mut Vec<StatedPart>, later: Vec<StatedPart>) {
    let is_word = |part: &StatedPart| part.name.is_none() && part.kind == Some(StatedKind::Text);
    if parts.is_empty() || later.len() > 1 && matches!(&parts[..], [part] if is_word(part)) {
        *parts = later;
    } else if parts.len() == later.len() {
        for (part, later) in parts.iter_mut().zip(later) {
            part.name = part.name.take().or(later.name);
        }
    }
}

/// Returns true if things other than test cases have lines of their own: `each recipe starts with a line`.
fn has_nested_blocks(tokens: &[Token]) -> bool {
    const WHOLES: &[&str] = &["case", "testcase", "test", "line", "row", "instance", "input", "file", "dataset"];
    tokens.windows(3).any(|window| {
        is_word(&window[0], &["each", "every"])
            && matches!(&window[1], Token::Word(word) if !WHOLES.contains(&word.as_str()))
            && is_word(&window[2], &["starts", "begins"])
    })
}

/// Returns true if lines have one of several forms: `queries of two types`, `in one of the following formats`.
fn lists_forms(tokens: &[Token]) -> bool {
    /// Maximum number of tokens from the number of forms to their noun.
    const MAX_DISTANCE: usize = 3;
    /// Nouns of lines. Other things may be of several types, too.
    const LINES: &[&str] =
        &["line", "lines", "query", "queries", "event", "events", "operation", "operations", "command", "commands"];
    let is_counted = |token: &Token| match token {
        Token::Word(word) => word == "following" || number_of_word(word).is_some_and(|number| number > 1),
        token => matches!(token, Token::Number(2..)),
    };
    tokens.split(|token| *token == Token::Sign('.')).any(|sentence| {
        let has_lines = sentence.iter().any(|token| is_word(token, LINES));
        sentence.iter().enumerate().any(|(at, token)| {
            let before = &sentence[at.saturating_sub(MAX_DISTANCE)..at];
            let are_forms = is_word(token, &["forms", "formats"]) || has_lines && is_word(token, &["kinds", "types"]);
            are_forms && before.iter().any(is_counted)
        })
    })
}

/// Returns true if a text describes each test case.
fn speaks_of_cases(tokens: &[Token]) -> bool {
    tokens.windows(3).any(|window| {
        is_word(&window[0], &["each", "every"])
            && (is_word(&window[1], &["case", "testcase"])
                || is_word(&window[1], &["test", "data"]) && is_word(&window[2], &["case", "set"]))
    })
}

#[cfg(test)]
pub(super) mod tests {
    #![allow(clippy::unwrap_used, clippy::panic, reason = "tests")]
    use super::super::Statement;
    use super::super::parts::{StatedForm, StatedKind, StatedPart};

    /// Writes a part as `n`, `a[n]` or `s<n>`, with `_` for one without a name.
    fn describe_part(part: &StatedPart) -> String {
        let name = part.name.clone().unwrap_or_else(|| "_".to_owned());
        let kind = match part.kind {
            None => String::new(),
            Some(StatedKind::Text) => ":text".to_owned(),
            Some(StatedKind::Real(decimals)) => {
                format!(":real{}", decimals.map_or(String::new(), |decimals| decimals.to_string()))
            }
        };
        let range = part.range.as_ref().map_or(String::new(), |range| {
            let end = |end: &Option<_>| end.as_ref().map_or(String::new(), ToString::to_string);
            let length = if range.is_length { "len " } else { "" };
            format!("({length}{}..{})", end(&range.lo), end(&range.hi))
        });
        let size = match &part.form {
            StatedForm::Token => String::new(),
            StatedForm::Array(size) => format!("[{size}]"),
            StatedForm::Text(size) => format!("<{size}>"),
            StatedForm::Group(size) => format!("{{{size}}}"),
        };
        name + &size + &kind + &range
    }

    /// Writes the outline of a statement, a line for each line, with the number of repetitions.
    fn outline(text: &str) -> String {
        let Some(lines) = Statement::parse(text).outline else { return "none".to_owned() };
        let line = |line: &super::StatedLine| {
            let parts: Vec<String> = line.parts.iter().map(describe_part).collect();
            let case = if line.is_in_case { "case: " } else { "" };
            let count = line.count.as_ref().map_or(String::new(), |count| format!("{count} x "));
            format!("{case}{count}{}", parts.join(" "))
        };
        lines.iter().map(line).collect::<Vec<_>>().join("; ")
    }

    #[track_caller]
    pub(in crate::statement) fn check_outlines(cases: &[(&str, &str)]) {
        for (text, expected) in cases {
            assert_eq!(outline(text), *expected, "{text}");
        }
    }

    #[test]
    fn lines_are_read_with_their_contents() {
        let cases = [
            (
                "The first line contains two integers $n$ and $m$ ($1 \\le n \\le 10$, $0 \\le m \\le 20$), the number of \
                 towns and the number of roads. Each of the next $m$ lines contains three integers $u$, $v$, $w$.",
                "n m; m x u v w",
            ),
            (
                "The first line contains an integer $n$, the length of the player's list. The second line contains $n$ \
                 integers $a_1, \\dots, a_n$ ($1 \\le a_i \\le 10^9$).",
                "n; a[n]",
            ),
            ("One line with one integer n. n - 1 lines, each containing two integers u and v.", "n; n - 1 x u v"),
            ("The first line contains R and C. Then follow R lines with C characters each.", "R C; R x _<C>"),
            ("The next $2n$ lines each contain a word from the dictionary.", "2 * n x _:text"),
            ("The first line contains $N$. The next line contains the sizes $K_2, \\dots, K_N$.", "N; K[N - 1]"),
            (
                "Input starts with an integer k. Then follows a line with three real numbers x, y and z with at most 8 \
                 decimals.",
                "k; x:real8 y:real8 z:real8",
            ),
            ("The input consists of two numbers on a single line, each between 1 and 500.", "_(1..500) _(1..500)"),
            ("The only line contains a string s. Its length is at least 2 and at most 100.", "s:text(len 2..100)"),
            (
                "The first line contains t, the number of test cases. The first line of each test case contains n. The \
                 second line contains n integers a_i.",
                "t; case: n; case: a[n]",
            ),
            (
                "First line will contain T, the number of test cases. Each test case consists of two lines of input. The \
                 first line of each test case contains two integers N and M. The second line contains N integers A_i.",
                "T; case: N M; case: A[N]",
            ),
            ("The first line contains the integers $t_0$, $t_1$ and $t_2$.", "t0 t1 t2"),
            (
                "The following n lines describe the points: the $i$-th line contains two integers $x_i$ and $y_i$.",
                "n x x y",
            ),
        ];
        check_outlines(&cases);
    }

    #[test]
    fn lines_are_found_in_other_phrases() {
        let cases = [
            (
                "Line 1 has a string s. Line 2 has an integer C. The C following lines have an integer P.",
                "s:text; C; C x P",
            ),
            ("It starts with integer $N$. The next $N$ lines contain an integer $Y$.", "N; N x Y"),
            ("The first line has $N$. The $N$ following lines have a place as two integers $x$ and $y$.", "N; N x x y"),
            (
                "The first line has n and m. The board has n lines and m columns. The next n lines have m characters.",
                "n m; n x _<m>",
            ),
            (
                "The first line has $n$ and $m$. The next $n$ lines tell a plan; in the $i$-th of these lines there are two \
                 integers $a_i$ and $b_i$. In the next $m$ lines there are lists; each of these lines begins with an integer \
                 $s_i$, the size. After it there are $s_i$ integers.",
                "n m; n x a b; m x s _[s]",
            ),
            ("One line with $n$. Then $n$ lines with two integers between $1$ and $n$.", "n; n x _(1..n) _(1..n)"),
            ("A single line of $l$~letters.", "_<l>"),
            ("The first line has $n$. On the second line, $n$ integers, giving the heights of the $n$ men.", "n; _[n]"),
            ("One line with $N$. $N - 1$ lines with two integers $1 \\le i, j \\le N$.", "N; N - 1 x i j"),
            (
                "One line containing the number of stations $N$, the number of routes $M$, the home $A$ and Karl's town $B$.",
                "N M A B",
            ),
            (
                "The first line has $n$. This is followed by $n$ lines, where the $i$:th line contains the name of the $i$:th \
                 town and $d_i$.",
                "n; n x _:text d",
            ),
            ("A single line with at most $100$ letters, each of which is N or S.", "_:text(len ..100)"),
            (
                "The first line has $n$. The next $n$ lines list some words. Each line begins with a number $p_i$. Then \
                 follow $p_i$ integers.",
                "n; n x p _[p]",
            ),
            (
                "The first line has $t$. The next $t$ lines each contain $2$ integers. The line ends with a string.",
                "t; t x _ _ _:text",
            ),
            (
                "The first line has $n$. The next $n$ lines have a road each. A road is two integers $a$ $b$. The next $n$ \
                 lines have the new roads, in the same format.",
                "n; n x a b; n x a b",
            ),
            ("The first line has $N$, followed by $N$ lines. One line has four integers: the ends.", "N; N x _ _ _ _"),
            ("One line with an integer $q$ followed by $q$ pairs of integers $x_i$ $y_i$.", "q x{q} y{q}"),
            (
                "The first line has $N$. The following $N$ lines start with an integer $k$. Then follow $k$ pairs of integers.",
                "N; N x k _{k} _{k}",
            ),
            (
                "The input has: Two integers $n$ and $m$ ($1 \\le n, m \\le 9$), the sizes. $m$ lines, each with an integer \
                 $i$. One integer $q$ ($q \\le 9$), the number of cars. $q$ lines with one integer $w_i$ each.",
                "n m; m x i; q; q x w",
            ),
            (
                "The first line has a single decimal integer $P$, the number of data sets. Each data set is a single line of \
                 input. It has the data set number, $K$, followed by $2$ floating point values $x$ and $y$.",
                "P; case: K x:real y:real",
            ),
        ];
        check_outlines(&cases);
    }

    #[test]
    fn explanations_and_limits_are_no_contents() {
        let cases = [
            (
                "The first line contains N and M. The next $M$ lines describe the edges. The $i$-th of these $M$ lines \
                 contains three integers $u_i$, $v_i$ and $w_i$.",
                "N M; M x u v w",
            ),
            (
                "One line with two integers n and m. m lines, each with three integers a, b and c, describing a ferry \
                 from a to b of length c.",
                "n m; m x a b c",
            ),
            (
                "The first line contains n. The second line contains a string s, describing a road of length n.",
                "n; s:text",
            ),
            ("The first line contains n. The second line contains an array $a$ of length n.", "n; a[n]"),
            (
                "The first line contains n. Each of the next n lines contains the name of a team, consisting of at most \
                 20 letters, and two integers p and r.",
                "n; n x _:text(len ..20) p(len ..20) r(len ..20)",
            ),
            (
                "The first line contains n, followed by n lines of length n. There is a zone of each of the three types.",
                "n; n x _<n>",
            ),
            (
                "The first line contains n. Each of the next n lines contains a string with n ones and zeros.",
                "n; n x _<n>:text",
            ),
            ("The only line contains a string s of between 1 and 50 letters.", "s:text(len 1..50)"),
            ("The first line contains a letter c and an integer d.", "c:text d"),
            ("The first line contains n and k, where k is at most 10.", "n k(..10)"),
            ("The first line contains n and k. Here k is at least 2, and n is at most 10.", "n(..10) k(2..)"),
        ];
        check_outlines(&cases);
    }

    #[test]
    fn there_is_no_outline_unless_each_line_is_understood() {
        for text in [
            "The first line contains n. The following lines contain the words.",
            "The first line contains n. The second line contains the array.",
            "A permutation is printed on one line.",
            "The first line contains n. The next n lines describe events. Each line has one of two forms: \"+ x\" adds x, \
             \"? l r\" is a question.",
            "The first line contains N. Then follow N recipes. Each recipe starts with a line containing a number M. The \
             next M lines contain one integer each.",
            "The first line contains n. The next line contains n triples of integers.",
            "The first line contains q. Each of the next q lines contains a query of one of the following types: 1 x or 2 y.",
        ] {
            assert_eq!(outline(text), "none", "{text}");
        }
    }
}
