//! Reads the input as a block of names, as AtCoder shows it:
//!
//! ```text
//! The input is given in the following format:
//!
//! N M
//! A_1 A_2 ... A_N
//! x_1 y_1
//! :
//! x_M y_M
//! ```

use super::chains::{TermParser, field_name};
use super::markup::FORMULA;
use super::phrases::{Words, phrases_of};
use super::tokens::{Token, is_word_at, split_formula, split_tokens};
use crate::layout::add_offset;
use rebut_format::syntax::{SyntaxTerm, SyntaxTermKind};

/// A line as a statement describes it.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct StatedLine {
    /// How often the line is repeated, unless it is a single one.
    pub(crate) count: Option<SyntaxTerm>,
    pub(crate) parts: Vec<StatedPart>,
    /// True if each test case has the line.
    pub(crate) is_in_case: bool,
}

/// A part of such a line.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct StatedPart {
    pub(crate) name: String,
    pub(crate) form: StatedForm,
}

/// The form of a part of a line.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum StatedForm {
    Token,
    /// A word, even if samples have digits only.
    Word,
    /// Numbers or words, as many as a size.
    Array(SyntaxTerm),
    /// A text of as many characters as a size.
    Text(SyntaxTerm),
}

/// Maximum number of lines of a block that are read.
const MAX_LINES: usize = 30;

/// Maximum number of names and signs in a line of a block.
const MAX_TOKENS: usize = 100;

/// Maximum first index of elements.
const MAX_FIRST_INDEX: i128 = 2;

/// Names of a line that stands for all lines of a test case.
const CASE_NAMES: &[&str] = &["case", "test", "testcase", "Case", "Test", "Testcase"];

/// Returns the lines of the input that blocks show: one, and perhaps another of each test case. `text` are the tokens of
/// the whole text.
pub(super) fn read_blocks(blocks: &[Vec<Row>], text: &[Token]) -> Option<Vec<StatedLine>> {
    let tokens: Vec<Token> = blocks.iter().flatten().flat_map(|row| row.tokens.clone()).collect();
    let mut lines = Vec::new();
    match blocks {
        [block] => lines.extend(read_lines(block, &tokens)?),
        [block, case] => {
            lines.extend(read_lines(before_cases(block)?, &tokens)?);
            lines.extend(read_lines(case, &tokens)?.into_iter().map(|line| StatedLine { is_in_case: true, ..line }));
        }
        _ => return None,
    }
    lines.iter_mut().flat_map(|line| &mut line.parts).for_each(|part| take_text(part, text));
    Some(lines)
}

/// Takes a part for a text where a sentence calls it one: `S is a string of length N`.
fn take_text(part: &mut StatedPart, tokens: &[Token]) {
    if part.form != StatedForm::Token {
        return;
    }
    let is_text = |at: &usize| {
        let is_named = matches!(&tokens[*at], Token::Name { name, .. } if *name == part.name);
        let article = usize::from(is_word_at(tokens, at + 2, &["a"]));
        let is_string = is_word_at(tokens, at + 2 + article, &["string"]);
        is_named && (is_word_at(tokens, at + 1, &["is", "are"]) && is_string || is_described(tokens, *at))
    };
    let Some(at) = (0..tokens.len()).find(is_text) else { return };
    let sentence = tokens[at..].split(|token| *token == Token::Sign('.')).next().unwrap_or_default();
    let length = (0..sentence.len()).find_map(|at| {
        let is_length = is_word_at(sentence, at, &["of"]) && is_word_at(sentence, at + 1, &["length"]);
        is_length.then(|| TermParser::read_sum_at(sentence, at + 2)).flatten()
    });
    let length = length.map(|(length, _)| length).filter(|length| length.constant_value().is_none());
    part.form = length.map_or(StatedForm::Word, StatedForm::Text);
}

/// Returns true for `S は ... 文字列`: a sentence in another script that names a text.
fn is_described(tokens: &[Token], at: usize) -> bool {
    if !matches!(tokens.get(at + 1), Some(Token::Word(word)) if word.starts_with(['は', '是', '은', '는'])) {
        return false;
    }
    let sentence = tokens[at..].split(|token| matches!(token, Token::Sign('.' | ','))).next().unwrap_or_default();
    sentence
        .iter()
        .skip(1)
        .any(|token| matches!(token, Token::Word(word) if !word.is_ascii() && Words::new(word).has_kind("text")))
}

/// A line of a block.
#[derive(Debug)]
pub(super) struct Row {
    tokens: Vec<Token>,
    /// True if no white space separates the names before the dots.
    is_glued: bool,
}

impl Row {
    fn new(line: &str) -> Row {
        let tokens = if line.contains(FORMULA) { split_tokens(line) } else { split_formula(line) };
        let names = line.replace(FORMULA, "");
        let shown = names.split("..").next().unwrap_or_default().trim();
        Row { tokens, is_glued: shown.matches('_').count() > 1 && !shown.contains(char::is_whitespace) }
    }

    /// Returns true for a line that stands for any number of lines like those around it.
    fn is_dots(&self) -> bool {
        matches!(self.tokens[..], [Token::Dots | Token::Sign(':')])
    }
}

/// Returns the blocks of a text, whether they are understood or not: between fences, or after a sentence about a format.
pub(super) fn find_blocks(text: &str) -> Vec<Vec<Row>> {
    let is_fence = |line: &&str| line.starts_with("```") || line.starts_with("~~~");
    // Markdown quotes the lines of a block, or sets them between fences.
    let lines = text.lines().map(str::trim).filter(|line| *line != ">");
    let mut lines = lines.map(|line| line.strip_prefix('>').unwrap_or(line).trim()).peekable();
    let mut blocks = Vec::new();
    while let Some(line) = lines.next() {
        let rows: Vec<&str> = if is_fence(&line) {
            lines.by_ref().take_while(|line| !is_fence(line)).filter(|line| !line.is_empty()).take(MAX_LINES).collect()
        } else if introduces_block(line) {
            while lines.next_if(|line| line.is_empty()).is_some() {}
            let ends = |line: &&str| line.is_empty() || is_fence(line) || is_prose(line);
            std::iter::from_fn(|| lines.next_if(|line| !ends(line))).take(MAX_LINES).collect()
        } else {
            continue;
        };
        let mut rows: Vec<Row> = rows.into_iter().map(Row::new).collect();
        restore_indices(&mut rows);
        if !rows.is_empty() {
            blocks.push(rows);
        }
    }
    blocks
}

/// Restores the indices of `u1 v1`, dots and `uM vM`, which a text loses when it is copied.
fn restore_indices(rows: &mut [Row]) {
    let split = |token: &Token| match token {
        Token::Name { name, subscript: None } | Token::Word(name) if name.len() > 1 && name.is_ascii() => {
            Some((name[..1].to_owned(), name[1..].to_owned()))
        }
        _ => None,
    };
    for dots in 1..rows.len().saturating_sub(1) {
        if !rows[dots].is_dots() {
            continue;
        }
        for at in [dots - 1, dots + 1] {
            let names: Option<Vec<(String, String)>> = rows[at].tokens.iter().map(split).collect();
            let Some(names) = names.filter(|names| names.iter().all(|(_, index)| *index == names[0].1)) else {
                continue;
            };
            let token = |(name, index)| Token::Name { name, subscript: Some(index) };
            rows[at].tokens = names.into_iter().map(token).collect();
        }
    }
}

/// Returns true for a line of a text, which has more words than a line of a block.
fn is_prose(line: &str) -> bool {
    /// Minimum number of words.
    const MIN_WORDS: usize = 3;
    split_tokens(line).iter().filter(|token| matches!(token, Token::Word(_))).count() >= MIN_WORDS
}

/// Returns true for the end of a sentence before a block.
fn introduces_block(line: &str) -> bool {
    let line = line.to_lowercase();
    let line = line.trim_end_matches([':', '.', '：', '。']).trim_end();
    phrases_of("format").any(|end| line.ends_with(end))
}

/// Returns the lines before `case_1`, dots, and `case_T`, if these are the last lines.
fn before_cases(rows: &[Row]) -> Option<&[Row]> {
    let is_case = |row: &Row| match &row.tokens[..] {
        [Token::Name { name, subscript: Some(_) }] => CASE_NAMES.contains(&name.as_str()),
        _ => false,
    };
    let (before, cases) = rows.split_at(rows.iter().position(is_case)?);
    cases.iter().all(|row| is_case(row) || row.is_dots()).then_some(before)
}

/// Returns the lines of a block. `tokens` are those of all blocks.
fn read_lines(rows: &[Row], tokens: &[Token]) -> Option<Vec<StatedLine>> {
    let mut lines = Vec::new();
    let mut at = 0;
    while let Some(row) = rows.get(at) {
        // Before the dots, the second of some lines may be shown, too.
        let dots = (at + 1..at + 3).find(|dots| rows.get(*dots).is_some_and(Row::is_dots));
        let shown = dots.filter(|dots| rows[at..*dots].iter().all(|other| is_like(other, row)));
        if let Some(dots) = shown {
            let last = rows.get(dots + 1).filter(|last| is_like(last, row))?;
            lines.push(read_column(row, last, tokens)?);
            at = dots + 2;
        } else {
            lines.push(StatedLine { count: None, parts: read_row(row, tokens)?, is_in_case: false });
            at += 1;
        }
    }
    Some(lines)
}

/// Returns true for lines with the same names.
fn is_like(row: &Row, other: &Row) -> bool {
    let names = |row: &Row| -> Vec<Option<String>> {
        let name = |token: &Token| match token {
            Token::Name { name, .. } => Some(name.clone()),
            _ => None,
        };
        row.tokens.iter().map(name).collect()
    };
    names(row) == names(other)
}

/// Reads a line that is repeated, from the first and the last one.
fn read_column(first: &Row, last: &Row, tokens: &[Token]) -> Option<StatedLine> {
    let index = |row: &Row| match row.tokens.first()? {
        Token::Name { subscript: Some(subscript), .. } => {
            Some(subscript.split(',').next().unwrap_or_default().to_owned())
        }
        _ => None,
    };
    let count = number_of_indices(&index(first)?, &index(last)?)?;
    // In `A_{1,1} ... A_{1,M}`, the column is the last index.
    let of_columns = |token: &Token| match token {
        Token::Name { name, subscript: Some(subscript) } => Token::Name {
            name: name.clone(),
            subscript: subscript.split_once(',').map(|(_, column)| column.trim().to_owned()),
        },
        token => token.clone(),
    };
    let row = Row { tokens: first.tokens.iter().map(of_columns).collect(), is_glued: first.is_glued };
    Some(StatedLine { count: Some(count), parts: read_row(&row, tokens)?, is_in_case: false })
}

/// Reads the names of a line. `tokens` are those of all lines.
fn read_row(row: &Row, tokens: &[Token]) -> Option<Vec<StatedPart>> {
    let part = |name: String, form| StatedPart { name, form };
    let mut parts = Vec::new();
    let mut rest = Some(&row.tokens[..]).filter(|tokens| tokens.len() <= MAX_TOKENS)?;
    while let [Token::Name { name, subscript }, after @ ..] = rest {
        if let (Some(first), Some((last, after))) = (subscript, last_of_sequence(name, after)) {
            let size = number_of_indices(first, last)?;
            let form = if row.is_glued { StatedForm::Text(size) } else { StatedForm::Array(size) };
            parts.push(part(name.clone(), form));
            rest = after;
        } else {
            let (name, _) = field_name(name, subscript.as_deref(), tokens);
            parts.push(part(name, StatedForm::Token));
            rest = after;
        }
    }
    // Where nothing separates several parts, line breaks were lost.
    let is_clear = parts.len() == 1 || !row.is_glued;
    (rest.is_empty() && !parts.is_empty() && is_clear).then_some(parts)
}

/// Returns the last subscript of `A_1 A_2 ... A_N` after its first element, and what follows.
fn last_of_sequence<'t>(name: &str, after: &'t [Token]) -> Option<(&'t str, &'t [Token])> {
    let is_same = |token: &Token| matches!(token, Token::Name { name: other, subscript: Some(_) } if other == name);
    let shown = after.iter().take_while(|token| is_same(token)).count();
    match &after[shown..] {
        [Token::Dots, Token::Name { name: other, subscript: Some(last) }, rest @ ..] if other == name => {
            Some((last, rest))
        }
        _ => None,
    }
}

/// Returns the number of indices from the first to the last: `N` from 1 to `N`, `N - 1` from 2 to `N`.
fn number_of_indices(first: &str, last: &str) -> Option<SyntaxTerm> {
    let first: i128 = first.trim().parse().ok().filter(|first| (0..=MAX_FIRST_INDEX).contains(first))?;
    let index = split_formula(last);
    let (last, end) = TermParser::read_sum_at(&index, 0)?;
    (end == index.len()).then(|| with_added(last, 1 - first))
}

/// Returns a term plus a number, such as `n` for `n - 1` plus 1.
fn with_added(term: SyntaxTerm, added: i128) -> SyntaxTerm {
    let (term, added) = match term.kind {
        SyntaxTermKind::Binary("-", size, less) if less.constant_value().is_some() => {
            (*size, added - less.constant_value().unwrap_or(0))
        }
        _ => (term, added),
    };
    add_offset(term, added)
}

#[cfg(test)]
mod tests {
    use super::super::Statement;
    use super::{StatedForm, StatedLine};

    fn spelled(line: &StatedLine) -> String {
        let parts = line.parts.iter().map(|part| match &part.form {
            StatedForm::Token => part.name.clone(),
            StatedForm::Word => format!("{}:text", part.name),
            StatedForm::Array(size) => format!("{}[{size}]", part.name),
            StatedForm::Text(size) => format!("{}<{size}>", part.name),
        });
        let count = line.count.as_ref().map_or(String::new(), |count| format!("{count} x "));
        let case = if line.is_in_case { "case: " } else { "" };
        format!("{case}{count}{}", parts.collect::<Vec<_>>().join(" "))
    }

    fn check_outlines(cases: &[(&str, &str)]) {
        for (text, expected) in cases {
            let lines = Statement::parse(text).lines;
            let found =
                lines.map_or("none".to_owned(), |lines| lines.iter().map(spelled).collect::<Vec<_>>().join("; "));
            assert_eq!(found, *expected, "{text}");
        }
    }

    #[test]
    fn blocks_of_names_are_read() {
        let cases = [
            ("The input is given in the following format:\n\nN M\nA_1 A_2 … A_N\n", "N M; A[N]"),
            ("... in the following format:\n```\nN\nx_1 y_1\nx_2 y_2\n:\nx_N y_N\nS\n```\n", "N; N x x y; S"),
            (
                "Input is given from Standard Input in the following format:\n$H$ $W$\n$A_{1,1}$ $\\ldots$ $A_{1,W}$\n$\\vdots$\n$A_{H,1}$ $\\ldots$ $A_{H,W}$\n",
                "H W; H x A[W]",
            ),
            (
                "Input is given in the following format:\n\n> $N$ $M$\n> \n> $X_1$ $Y_1$\n> \n> $:$\n> \n> $X_M$ $Y_M$\n\nThe end.",
                "N M; M x X Y",
            ),
            (
                "The input is given in the following format:\n\n$N$\n$S$\n$T$\n\n- $S$ is a string of length $N$.\n- $T$ is a string.",
                "N; S<N>; T:text",
            ),
            (
                "Constraints\n1≤N≤100\nS is a string of length \nN consisting of o and x.\nInput\nInput is given in the following format:\n\nN  \nS  \nOutput\n",
                "N; S<N>",
            ),
            ("following format:<pre><var>N</var>\n<var>c_0c_1\\ldots c_{N-1}</var></pre>", "N; c<N>"),
            (
                "The input is given in the following format:\n\n$T$\n$\\mathrm{case}_1$\n$\\mathrm{case}_2$\n:\n$\\mathrm{case}_T$\n\nEach case has the following format:\n\n$N$ $K$\n$P_2$ ... $P_N$\n",
                "T; case: N K; case: P[N - 1]",
            ),
        ];
        check_outlines(&cases);
        check_outlines(&[(
            "入力\n入力は以下の形式で標準入力から与えられる。\n\n$N$\n$S$\n\n- $S$ は長さ $N$ の文字列",
            "N; S:text",
        )]);
    }

    #[test]
    fn blocks_that_are_understood_in_part_support_nothing() {
        let cases = [
            (
                "The input has the following format:\n\nQ\nquery_1\n:\nquery_Q\n\nA query has the following format:\n\n1 x\n",
                "none",
            ),
            ("The input has the following format:\n\nN\nx_1 y_1 … x_N y_N\n", "none"),
            ("The input has the following format:\n\nN\nx_1\n:\n", "none"),
            ("The input has the following format:\n\n$N$$A_1$$A_2$$\\ldots$$A_N$\n", "none"),
        ];
        check_outlines(&cases);
    }
}
