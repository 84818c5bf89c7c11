//! Reads the input as a list of numbered lines, as sample graders have it:
//!
//! ```text
//! The sample grader reads the input in the following format:
//!
//! - line 1: `N M`
//! - line 2: `P[0] P[1] ... P[N-1]`
//! - line 3 + i (0 ≤ i < M): `A[i] B[i]`
//! ```
//!
//! A list that is understood in part supports nothing, so each line must follow the one before, and be a row of names, or
//! the description of a line: `Line 1: Two integers, N and K`.

use super::blocks::{Row, read_row, take_text};
use super::chains::TermParser;
use super::contents::read_parts;
use super::markup::FORMULA;
use super::outline::StatedLine;
use super::parts::StatedPart;
use super::ranges::LinearForm;
use super::tokens::{DASH, Token, is_word, is_word_at, split_formula, split_tokens};

/// Maximum number of items of a list that are read.
const MAX_ITEMS: usize = 30;

/// Maximum number of characters of an item that are read.
const MAX_ITEM_LENGTH: usize = 600;

/// Words of an explanation after which a line may be different from the row.
const CONDITIONAL_WORDS: &[&str] =
    &["either", "or", "if", "followed", "then", "otherwise", "depending", "each", "type", "optional", "zero"];

/// Words that begin a text about further lines after a list.
const CONTINUING_WORDS: &[&str] = &[
    "line",
    "lines",
    "last",
    "next",
    "then",
    "a",
    "each",
    "for",
    "block",
    "blocks",
    "after",
    "the",
    "finally",
    "itemize",
    "enumerate",
];

/// Returns the items of the first list of numbered lines that describes the input. If `is_section`, the text is one
/// about the input, so that no sentence must introduce the list.
pub(super) fn find_numbered_lines(text: &str, is_section: bool) -> Option<Vec<String>> {
    let paragraphs = split_paragraphs(text);
    let mut intro = "";
    let mut at = 0;
    while let Some(paragraph) = paragraphs.get(at) {
        if !begins_item(paragraph) {
            intro = if is_environment(paragraph) { intro } else { paragraph };
            at += 1;
            continue;
        }
        let items = paragraphs[at..].iter().take_while(|paragraph| begins_item(paragraph)).count();
        let (list, rest) = (&paragraphs[at..at + items], &paragraphs[at + items..]);
        if item_head(&list[0]).is_some_and(|(head, _)| is_first_line(head)) && introduces_input(intro, is_section) {
            // A text that goes on with lines is kept as an item that is not understood.
            let further = rest.first().filter(|next| mentions_further_lines(next));
            return Some(list.iter().chain(further).take(MAX_ITEMS + 1).cloned().collect());
        }
        intro = "";
        at += items;
    }
    None
}

/// Returns the lines of a list of numbered lines. `text` are the tokens of the text about the input.
pub(super) fn read_numbered_lines(items: &[String], text: &[Token]) -> Option<Vec<StatedLine>> {
    let read = |item: &String| {
        let (head, content) = item_head(item)?;
        Some((read_head(&split_tokens(head))?, read_content(content)?))
    };
    let items: Vec<(LineNumbers, ItemContent)> =
        Some(items).filter(|items| items.len() <= MAX_ITEMS)?.iter().map(read).collect::<Option<_>>()?;
    let tokens: Vec<Token> = items.iter().flat_map(|(_, content)| content.tokens().to_vec()).collect();
    let mut next = LinearForm::from_number(1);
    let mut lines: Vec<StatedLine> = Vec::new();
    for (numbers, content) in &items {
        let parts = Some(content.read_parts(&tokens, &lines)?).filter(|_| numbers.first == next)?;
        let count = match &numbers.count {
            Some(count) => Some(count.to_term()?),
            None => None,
        };
        // "lines 2 and 3" have one of two things each, perhaps.
        if count.as_ref().is_some_and(|count| count.constant_value().is_some()) && parts.len() > 1 {
            return None;
        }
        next = next.add_times(numbers.count.as_ref().unwrap_or(&LinearForm::from_number(1)), 1)?;
        lines.push(StatedLine { count, parts, is_in_case: false });
    }
    lines.iter_mut().flat_map(|line| &mut line.parts).for_each(|part| take_text(part, text));
    Some(lines)
}

/// The content of the lines that an item is about.
enum ItemContent {
    /// A row of names.
    Row(Row),
    /// A sentence that describes the line.
    Sentence(Vec<Token>),
}

impl ItemContent {
    fn tokens(&self) -> &[Token] {
        match self {
            ItemContent::Row(row) => &row.tokens,
            ItemContent::Sentence(tokens) => tokens,
        }
    }

    /// Reads the parts of the lines. `tokens` are those of all items, of which some lines were read before.
    fn read_parts(&self, tokens: &[Token], lines: &[StatedLine]) -> Option<Vec<StatedPart>> {
        match self {
            ItemContent::Row(row) => read_row(row, tokens),
            ItemContent::Sentence(sentence) => {
                let single = lines.iter().filter(|line| line.count.is_none());
                let known: Vec<String> =
                    single.flat_map(|line| &line.parts).filter_map(|part| part.name.clone()).collect();
                let contents = read_parts(sentence, tokens, &known);
                (contents.has_quantity && !contents.parts.is_empty()).then_some(contents.parts)
            }
        }
    }
}

/// Splits a text at empty lines, and before lines that begin with the number of a line.
fn split_paragraphs(text: &str) -> Vec<String> {
    let mut paragraphs: Vec<String> = vec![String::new()];
    for line in text.lines() {
        let line = line.trim().trim_start_matches(['•', '*', '-', ' ']);
        let starts = line.is_empty() || begins_item(line);
        match paragraphs.last_mut() {
            Some(last) if !starts || last.is_empty() => {
                last.extend([line, " "].iter().filter(|_| !line.is_empty()).copied())
            }
            _ => paragraphs.push(if line.is_empty() { String::new() } else { format!("{line} ") }),
        }
    }
    paragraphs.retain(|paragraph| !paragraph.is_empty());
    paragraphs
}

/// Returns true if a paragraph begins with the number of a line, and has a colon or code after it.
fn begins_item(paragraph: &str) -> bool {
    let lower: String = paragraph.chars().take("lines".len()).collect::<String>().to_lowercase();
    let Some(word) = ["lines", "line"].into_iter().find(|word| lower.starts_with(word)) else { return false };
    let rest = &paragraph[word.len()..];
    let number = rest.trim_start_matches(|c: char| c.is_whitespace() || matches!(c, FORMULA | '~'));
    let is_number = number.starts_with(|c: char| c.is_ascii_digit()) || begins_with_index(number);
    number.len() < rest.len() && is_number && item_head(paragraph).is_some()
}

/// Returns true for `i = 2` and `i + 2`.
fn begins_with_index(number: &str) -> bool {
    let mut signs = number.chars().filter(|c| *c != ' ');
    signs.next().is_some_and(|c| c.is_ascii_alphabetic()) && matches!(signs.next(), Some('=' | '+'))
}

/// Splits an item into the numbers of its lines and their content.
fn item_head(item: &str) -> Option<(&str, &str)> {
    let end = item.char_indices().take(MAX_ITEM_LENGTH).scan(false, |in_formula, (at, c)| {
        *in_formula ^= c == FORMULA;
        Some((at, c, *in_formula))
    });
    let is_end = |(at, c, in_formula): (usize, char, bool)| match c {
        ':' => Some((at, at + 1)),
        '{' | '`' if !in_formula => Some((at, at)),
        _ => None,
    };
    let (head, content) = end.into_iter().find_map(is_end)?;
    Some((&item[..head], item[content..].trim()))
}

fn is_first_line(head: &str) -> bool {
    read_head(&split_tokens(head)).is_some_and(|numbers| numbers.first == LinearForm::from_number(1))
}

/// Returns true for the name of an environment of TeX, which markup leaves.
fn is_environment(paragraph: &str) -> bool {
    ["itemize", "enumerate"].contains(&paragraph.trim())
}

/// Returns true for a text before a list by which the list is that of the input.
fn introduces_input(intro: &str, is_section: bool) -> bool {
    let tokens = split_tokens(intro.trim_end_matches([' ', '.', ':']));
    let sentence = tokens.rsplit(|token| *token == Token::Sign('.')).next().unwrap_or_default();
    let has = |words: &[&str]| sentence.iter().any(|token| is_word(token, words));
    let is_output = has(&["output", "outputs", "print", "prints", "write", "writes"]);
    has(&["read", "reads"]) || !is_output && (is_section || has(&["input"]))
}

/// Returns true if the text after a list goes on with lines, or with the items of another list.
fn mentions_further_lines(paragraph: &str) -> bool {
    let tokens = split_tokens(paragraph);
    let sentence = tokens.split(|token| *token == Token::Sign('.')).next().unwrap_or_default();
    let continues = is_word_at(sentence, 0, CONTINUING_WORDS);
    let has_lines =
        sentence.iter().any(|token| is_word(token, &["line", "lines", "block", "blocks", "itemize", "enumerate"]));
    continues && has_lines
}

/// The numbers of the lines that an item is about.
struct LineNumbers {
    first: LinearForm,
    /// The number of lines, unless it is a single one.
    count: Option<LinearForm>,
}

/// Reads the numbers of lines: `line 1`, `lines 3 to N + 2`, `line 2 + i (0 <= i < N)`.
fn read_head(tokens: &[Token]) -> Option<LineNumbers> {
    let rest = tokens.strip_prefix(&[Token::Word("line".to_owned())]);
    let rest = rest.or_else(|| tokens.strip_prefix(&[Token::Word("lines".to_owned())]))?;
    // "lines i = 2 to N + 1" has the name of an index.
    let rest = match rest {
        [Token::Name { .. }, Token::Comparison("="), rest @ ..] => rest,
        rest => rest,
    };
    let (first, after) = linear_form_at(rest, 0)?;
    let rest = &rest[after..];
    if rest.is_empty() {
        return Some(LineNumbers { first, count: None });
    }
    let is_joint = |token: &Token| {
        matches!(token, Token::Dots | Token::Sign(',' | '-' | DASH)) || is_word(token, &["to", "through", "and"])
    };
    let joints = rest.iter().take_while(|token| is_joint(token)).count();
    if joints > 0
        && let Some((last, end)) = linear_form_at(rest, joints)
    {
        let count = last.add_times(&first, -1)?.add_times(&LinearForm::from_number(1), 1)?;
        let is_pair = rest[..joints].iter().all(|token| matches!(token, Token::Sign(',')) || is_word(token, &["and"]));
        let is_clear = end == rest.len() && (!is_pair || count == LinearForm::from_number(2));
        return is_clear.then_some(LineNumbers { first, count: Some(count) });
    }
    let (index, from, to) = index_range(rest)?;
    let first = first.with_value(&index, &from)?;
    let count = to.add_times(&from, -1)?.add_times(&LinearForm::from_number(1), 1)?;
    Some(LineNumbers { first, count: Some(count) })
}

/// Reads the range of the index in the number of a line: `(0 <= i < N)`, `for i = 0, ..., N - 1`.
fn index_range(tokens: &[Token]) -> Option<(String, LinearForm, LinearForm)> {
    let is_opening = |token: &Token| {
        matches!(token, Token::Sign('(' | ','))
            || is_word(token, &["for", "each", "every", "all", "i", "such", "that", "where", "with"])
    };
    let rest = &tokens[tokens.iter().take_while(|token| is_opening(token)).count()..];
    let rest = rest.strip_suffix(&[Token::Sign(')')]).unwrap_or(rest);
    let less = |sign: &Token| match sign {
        Token::Comparison("<=") => Some(0),
        Token::Comparison("<") => Some(1),
        _ => None,
    };
    if let [Token::Name { name, .. }, Token::Comparison("="), ..] = rest {
        let (from, after) = linear_form_at(rest, 2)?;
        let is_joint =
            |token: &&Token| matches!(token, Token::Dots | Token::Sign(',')) || is_word(token, &["to", "through"]);
        let joints = rest[after..].iter().take_while(is_joint).count();
        let (to, end) = linear_form_at(rest, after + joints)?;
        return (end == rest.len() && joints > 0).then(|| (name.clone(), from, to));
    }
    let (from, after) = linear_form_at(rest, 0)?;
    let [lower, Token::Name { name, .. }, upper, ..] = rest.get(after..)? else { return None };
    let (to, end) = linear_form_at(rest, after + 3)?;
    let from = from.add_times(&LinearForm::from_number(less(lower)?), 1)?;
    let to = to.add_times(&LinearForm::from_number(less(upper)?), -1)?;
    (end == rest.len()).then(|| (name.clone(), from, to))
}

fn linear_form_at(tokens: &[Token], at: usize) -> Option<(LinearForm, usize)> {
    let (term, after) = TermParser::read_sum_at(tokens, at)?;
    Some((LinearForm::from_term(&term)?, after))
}

fn read_content(content: &str) -> Option<ItemContent> {
    let content: String = content.chars().take(MAX_ITEM_LENGTH).collect();
    read_names(&content).map(ItemContent::Row).or_else(|| read_sentence(&content).map(ItemContent::Sentence))
}

/// Reads a description such as `Two integers, N and K` or `Line i + 1 contains an integer`. Words by which lines may differ
/// make it unclear.
fn read_sentence(content: &str) -> Option<Vec<Token>> {
    let tokens = split_tokens(content);
    let starts = |words: &[&str]| tokens.first().is_some_and(|token| is_word(token, words));
    let verb = tokens.iter().position(|token| is_word(token, &["contains", "describes", "has"]));
    let start = match verb.filter(|_| starts(&["line", "each", "every", "the"])) {
        Some(verb) => verb + 1,
        None => 0,
    };
    let sentence = &tokens[start..];
    let is_unclear = sentence.iter().any(|token| is_word(token, CONDITIONAL_WORDS)) || starts(&["the"]) && start == 0;
    (!is_unclear).then(|| sentence.to_vec())
}

/// Reads the names of a line, with an explanation behind them.
fn read_names(content: &str) -> Option<Row> {
    let (code, explanation) = split_code(content);
    let (mut tokens, explanation) = match code.is_empty() {
        false => (split_formula(&code), split_tokens(explanation)),
        // Single letters are names, also `A`, if there are no words.
        true if !content.contains(FORMULA) && are_all_short(content) => (split_formula(content), Vec::new()),
        true => (split_tokens(content), Vec::new()),
    };
    tokens.retain(|token| *token != Token::Sign(','));
    let is_row = |token: &&Token| matches!(token, Token::Name { .. } | Token::Dots);
    let names = tokens.iter().take_while(is_row).count();
    let explanation = [tokens.split_off(names), explanation].concat();
    let is_conditional = explanation.iter().any(|token| is_word(token, CONDITIONAL_WORDS) || *token == Token::Dots);
    if names == 0 || is_conditional || !is_explanation(&explanation) {
        return None;
    }
    let is_glued = code.contains(']') && code.split(']').skip(1).any(|after| after.starts_with(char::is_alphabetic));
    let tokens = tokens.iter().map(of_last_index).collect();
    Some(Row { tokens: with_indices(tokens), is_glued })
}

/// Returns true for a text that may come after the names of a line. Numbers and other names would be part of it.
fn is_explanation(tokens: &[Token]) -> bool {
    match tokens.first() {
        None => true,
        Some(Token::Sign(sign)) => matches!(*sign, ':' | '-' | DASH | '(' | '.' | ';'),
        Some(Token::Word(_)) => true,
        Some(_) => false,
    }
}

/// Splits a text after the code at its beginning, in braces or backquotes.
fn split_code(content: &str) -> (String, &str) {
    let mut code = String::new();
    let mut rest = content.trim();
    while let Some(opening @ ('{' | '`')) = rest.chars().next() {
        let closing = if opening == '{' { '}' } else { '`' };
        let Some((inside, after)) = rest[1..].split_once(closing) else { break };
        code.extend([inside, " "]);
        rest = after.trim_start();
    }
    (code, rest)
}

/// Returns true if no word of a text has more than two letters side by side.
fn are_all_short(text: &str) -> bool {
    /// Minimum number of letters of a word.
    const WORD_LENGTH: usize = 3;
    let word = text.split(|c: char| !c.is_alphabetic()).find(|word| word.chars().count() >= WORD_LENGTH);
    word.is_none()
}

/// Returns a name with the last of several indices: of `s[i][0]`, the row is the number of the line.
fn of_last_index(token: &Token) -> Token {
    match token {
        Token::Name { name, subscript: Some(subscript) } => Token::Name {
            name: name.clone(),
            subscript: subscript.rsplit(',').next().map(|column| column.trim().to_owned()),
        },
        token => token.clone(),
    }
}

/// Gives the names of a sequence without brackets their indices: `C1 ... CG`.
fn with_indices(mut tokens: Vec<Token>) -> Vec<Token> {
    let plain = |token: Option<&Token>| match token {
        Some(Token::Name { name, subscript: None }) => Some(name.clone()),
        _ => None,
    };
    for dots in 0..tokens.len() {
        let (Token::Dots, Some(last)) = (&tokens[dots], plain(tokens.get(dots + 1))) else { continue };
        let Some(stem) = last.get(..1).filter(|_| last.len() > 1) else { continue };
        let index = |name: &str| name.strip_prefix(stem).map(str::to_owned);
        let is_element = |token: &Token| {
            let index = plain(Some(token)).and_then(|name| index(&name));
            index.is_some_and(|index| !index.is_empty() && index.bytes().all(|byte| byte.is_ascii_digit()))
        };
        let shown = tokens[..dots].iter().rev().take_while(|token| is_element(token)).count();
        for token in tokens[dots - shown..dots + 2].iter_mut().filter(|_| shown > 0) {
            if let Some(subscript) = plain(Some(token)).and_then(|name| index(&name)) {
                *token = Token::Name { name: stem.to_owned(), subscript: Some(subscript) };
            }
        }
    }
    tokens
}

#[cfg(test)]
mod tests {
    use super::super::outline::tests::check_outlines;

    #[test]
    fn numbered_lines_are_read_in_all_markups() {
        let cases = [
            (
                "\\section*{Input format}\nThe judge reads input in the following format:\n\\begin{itemize}\n  \\item line $1$: \
                 \\texttt{N K}\n  \\item line $2$: \\texttt{L[0] L[1] .. L[N - 1]}\n  \\item lines $3$ to $3 + K - 1$: \
                 \\texttt{A[i] B[i]}\n\\end{itemize}\n\\section*{Output}\nline $1$: \\texttt{X}",
                "N K; L[N]; K x A B",
            ),
            (
                "The sample grader reads the input in the following format:\n\n- line $1$: $N\\ Q$\n- line $2 + i$ ($0 \\leq i \
                 \\leq N - 1$): $a[i]\\; b[i]$\n- line $2 + N + j$ ($0 \\leq j < Q$): $L$ $R$ for question $j$\n\nIt prints:\n\n\
                 - line $1$: $0$\n",
                "N Q; N x a b; Q x L R",
            ),
            (
                "Input format:<ul><li>line 1: <code>N A</code></li><li>lines 2 to N+1: <code>A B</code></li></ul>",
                "N A; N x A B",
            ),
            (
                "# Input\n* line 1: `N`\n* lines i = 2 … N+1: `X[i-2] Y[i-2]`\n* line N + 2: `G`: the number of calls\n* line N+3 `C1 \
                 ... CG`: their parameters\n",
                "N; N x X Y; G; C[G]",
            ),
            (
                "\\section*{Constraints}\n$N < 5$\n\\section*{Grader}\nIt reads the input:\n\\begin{itemize}\n\\item line $1$: \
                 $N$ -- the number\n\\item line $2 + i$ ($0 \\le i < N$): $s[i][0]$ $s[i][1]$ $\\ldots$ $s[i][N-1]$\n\\end{itemize}",
                "N; N x s[N]",
            ),
            (
                "INPUT FORMAT:\n\n* Line 1: Two space-separated integers, N and K (1 <= N <= 50).\n\n* Lines 2..N+1: Line i+1 \
                 contains two integers: x_i and y_i\n\n* Line N+2: A string s.\n\nSAMPLE INPUT:\n\n2 3\n",
                "N K; N x x y; s:text",
            ),
            ("Input:\nLine 1: A single integer, N\nLines 2..1+N: Each line contains a name.", "N; N x _:text"),
            ("Input:\nline 1: N\nlines 2 and 3: S\n\nS is a string of length N.", "N; 2 x S<N>:text"),
        ];
        check_outlines(&cases);
    }

    #[test]
    fn lists_that_are_understood_in_part_support_nothing() {
        let start = "The sample grader reads the input in the following format:\n\n- line 1: `N Q`\n";
        for rest in [
            "- line 2: the numbers\n",
            "- line 3: `A`\n",
            "- lines 2 to N: `A`\n- line N + 2: `B`\n",
            "- line 2 + i: `A[i]`\n",
            "- line 2 + i (0 ≤ i): `A[i]`\n- last line: `-1`\n",
            "- lines 2 to 1 + Q: each line is a jump or a question. If the line is `0 A B`, a jump is made.\n",
            "- lines 2 to 1 + Q: `T A`, and `B` if T is 1\n",
            "- line 2: `A[0] ... A[N-1]`\n\nThen a block of lines follows for each case:\n",
            "- lines 2 and 3: `A B`\n",
            "- line 2: A list of the cows.\n",
            "- lines 2 to N + 1: Two integers, or one if it is a query\n",
            "- line 2: The first N values are those of A\n",
            "- lines 2 to 1 + Q: `T`\n\\begin{itemize}\n\\item 0 A\n\\item 1\n\\end{itemize}\nlines",
        ] {
            check_outlines(&[(&format!("{start}{rest}"), "none")]);
        }
        check_outlines(&[("The grader reads n. It prints:\n- line 1: `N`\n", "none")]);
    }
}
