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
use super::phrases::{Words, phrase_end, phrases_of};
use super::tokens::{Token, is_word, is_word_at, split_formula, split_tokens};
use crate::bound_terms::term_names;
use crate::layout::{Count, FieldIndex, Node, Part, Size, add_offset};
use rebut_format::syntax::SyntaxTerm;

/// The layout that blocks of names show.
#[derive(Clone, Debug, Default)]
pub(crate) struct StatedLayout {
    pub(crate) nodes: Vec<Node>,
    /// The names of the fields.
    pub(crate) names: Vec<String>,
    /// The fields that are words, even if samples have digits only.
    pub(crate) words: Vec<FieldIndex>,
}

/// Maximum number of lines of a block that are read.
const MAX_LINES: usize = 30;

/// Maximum number of names and signs in a line of a block.
const MAX_TOKENS: usize = 100;

/// Returns the layout that the only block of a text shows. `text` are the tokens of the whole text.
pub(super) fn read_blocks(blocks: &[Vec<Row>], text: &[Token]) -> Option<StatedLayout> {
    let [block] = blocks else { return None };
    let tokens: Vec<Token> = block.iter().flat_map(|row| row.tokens.clone()).collect();
    let mut reader = BlockReader { layout: StatedLayout::default(), tokens: &tokens, text };
    reader.layout.nodes = reader.read_lines(block)?;
    Some(reader.layout)
}

/// Returns the length, if any, of a name that a sentence calls a text: `S is a string of length N`, `X has N digits`.
pub(super) fn text_length(name: &str, tokens: &[Token]) -> Option<Option<SyntaxTerm>> {
    let is_noun = |token: &Token| matches!(token, Token::Word(word) if Words::new(word).has_kind("text"));
    let is_unit = |at: usize| ["digit", "length"].iter().any(|kind| phrase_end(tokens, at, kind).is_some());
    let counted = |at: usize| {
        let (length, end) = TermParser::read_sum_at(tokens, at + 2).filter(|_| is_word_at(tokens, at + 1, &["has"]))?;
        is_unit(end).then_some(length)
    };
    let is_text = |at: &usize| {
        let is_named = matches!(&tokens[*at], Token::Name { name: other, .. } if other == name);
        // `S and T are strings`
        let is_listed = |verb: &usize| {
            (is_word_at(tokens, *verb, &["and"]) || tokens.get(*verb) == Some(&Token::Sign(',')))
                && tokens.get(verb + 1).is_some_and(|token| token.name().is_some())
        };
        let verb = (at + 1..).step_by(2).take(6).find(|verb| !is_listed(verb)).unwrap_or(at + 1);
        // The noun is close behind `is`, and ends a sentence in another script: `S は ... 文字列`.
        let reach = match tokens.get(verb) {
            Some(Token::Word(word)) if matches!(word.as_str(), "is" | "are") => 6,
            Some(Token::Word(word)) if word.starts_with(['は', '是', '은', '는']) => tokens.len(),
            _ => 0,
        };
        // `N is the number of words` is about a number.
        let is_inside = |token: &&Token| !matches!(token, Token::Sign('.' | ',')) && !is_word(token, &["of"]);
        // In `the number of words n`, the name is a number.
        let is_count = at.checked_sub(3).is_some_and(|before| is_word_at(tokens, before, &["number"]));
        let follows_noun = at.checked_sub(1).filter(|before| !is_count && is_noun(&tokens[*before]));
        let is_called = || tokens[verb..].iter().take_while(is_inside).take(reach).any(is_noun);
        is_named && (follows_noun.is_some_and(|noun| !is_unit(noun)) || counted(*at).is_some() || is_called())
    };
    let at = (0..tokens.len()).find(is_text)?;
    let sentence = tokens[at..].split(|token| *token == Token::Sign('.')).next().unwrap_or_default();
    let length = (0..sentence.len()).find_map(|at| {
        let is_length = is_word_at(sentence, at, &["of", "with"]) && is_word_at(sentence, at + 1, &["length"]);
        is_length.then(|| TermParser::read_sum_at(sentence, at + 2)).flatten()
    });
    let length = counted(at).or(length.map(|(length, _)| length));
    Some(length.filter(|length| length.constant_value().is_none()))
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
        blocks.extend((!rows.is_empty()).then(|| rows.into_iter().map(Row::new).collect()));
    }
    blocks
}

/// Returns true for a line of a text, which has at least three words.
fn is_prose(line: &str) -> bool {
    split_tokens(line).iter().filter(|token| matches!(token, Token::Word(_))).count() >= 3
}

/// Returns true for the end of a sentence before a block.
fn introduces_block(line: &str) -> bool {
    let line = line.to_lowercase();
    let line = line.trim_end_matches([':', '.', '：', '。']).trim_end();
    phrases_of("format").any(|end| line.ends_with(end))
}

/// Reads the lines of blocks.
struct BlockReader<'t> {
    layout: StatedLayout,
    /// The tokens of all blocks, and of the whole text.
    tokens: &'t [Token],
    text: &'t [Token],
}

impl BlockReader<'_> {
    fn read_lines(&mut self, rows: &[Row]) -> Option<Vec<Node>> {
        let mut lines = Vec::new();
        let mut at = 0;
        while let Some(row) = rows.get(at) {
            // Before the dots, the second of some lines may be shown, too.
            let dots = (at + 1..at + 3).find(|dots| rows.get(*dots).is_some_and(Row::is_dots));
            let shown = dots.filter(|dots| rows[at..*dots].iter().all(|other| is_like(other, row)));
            if let Some(dots) = shown {
                let last = rows.get(dots + 1).filter(|last| is_like(last, row))?;
                lines.push(self.read_column(row, last)?);
                at = dots + 2;
            } else {
                lines.push(Node::Line(self.read_row(row)?));
                at += 1;
            }
        }
        Some(lines)
    }

    /// Reads a line that is repeated, from the first and the last one.
    fn read_column(&mut self, first: &Row, last: &Row) -> Option<Node> {
        let index = |row: &Row| Some(row.tokens.first()?.element()?.1.split(',').next()?.to_owned());
        let count = Count::Times(self.size_of(&number_of_indices(&index(first)?, &index(last)?)?)?);
        // In `A_{1,1} ... A_{1,M}`, the column is the last index.
        let of_columns = |token: &Token| match token.element() {
            Some((name, index)) => Token::Name {
                name: name.to_owned(),
                subscript: index.split_once(',').map(|(_, column)| column.trim().to_owned()),
            },
            None => token.clone(),
        };
        let row = Row { tokens: first.tokens.iter().map(of_columns).collect(), is_glued: first.is_glued };
        Some(Node::Block { count, body: vec![Node::Line(self.read_row(&row)?)] })
    }

    /// Reads the names of a line.
    fn read_row(&mut self, row: &Row) -> Option<Vec<Part>> {
        let mut parts = Vec::new();
        let mut rest = Some(&row.tokens[..]).filter(|tokens| tokens.len() <= MAX_TOKENS)?;
        while let [Token::Name { name, subscript }, after @ ..] = rest {
            let field = self.layout.names.len();
            if let (Some(first), Some((last, after))) = (subscript, last_of_sequence(name, after)) {
                let size = number_of_indices(first, last)?;
                parts.push(if row.is_glued { self.text_part(&size) } else { Part::Array(field, self.size_of(&size)?) });
                self.layout.names.push(name.clone());
                rest = after;
            } else {
                let (name, _) = field_name(name, subscript.as_deref(), self.tokens);
                parts.push(match text_length(&name, self.text) {
                    Some(Some(size)) => self.text_part(&size),
                    Some(None) => self.word_part(),
                    None => Part::Token(field),
                });
                self.layout.names.push(name);
                rest = after;
            }
        }
        // Where nothing separates several parts, line breaks were lost.
        let is_clear = parts.len() == 1 || !row.is_glued;
        (rest.is_empty() && !parts.is_empty() && is_clear).then_some(parts)
    }

    /// Returns the next field as a text of as many characters as a size, or as a word if no earlier fields give the size.
    fn text_part(&mut self, size: &SyntaxTerm) -> Part {
        match self.size_of(size) {
            Some(size) => Part::Text(self.layout.names.len(), size),
            None => self.word_part(),
        }
    }

    fn word_part(&mut self) -> Part {
        self.layout.words.push(self.layout.names.len());
        Part::Token(self.layout.names.len())
    }

    /// Returns a size that the names of earlier fields give.
    fn size_of(&self, term: &SyntaxTerm) -> Option<Size> {
        if let Some(number) = term.constant_value() {
            return Some(Size::Constant(number));
        }
        let names = &self.layout.names;
        let [name] = &term_names(term)[..] else { return None };
        let field = names.iter().rposition(|other| other == name)?;
        let changes = (1..=4).flat_map(|factor| (-2..=2).map(move |offset| (factor, offset)));
        let mut sizes = changes.map(|(factor, offset)| Size::Linear { factor, field, offset });
        sizes.find(|size| size.to_term(|_| SyntaxTerm::from_name(name.clone())) == *term)
    }
}

/// Returns true for lines with the same names.
fn is_like(row: &Row, other: &Row) -> bool {
    let names = |row: &Row| row.tokens.iter().map(|token| token.name().map(str::to_owned)).collect::<Vec<_>>();
    names(row) == names(other)
}

/// Returns the last subscript of `A_1 A_2 ... A_N` after its first element, and what follows.
fn last_of_sequence<'t>(name: &str, after: &'t [Token]) -> Option<(&'t str, &'t [Token])> {
    let element = |token: &'t Token| token.element().filter(|(other, _)| *other == name);
    let shown = after.iter().take_while(|token| element(token).is_some()).count();
    let [Token::Dots, last, rest @ ..] = &after[shown..] else { return None };
    Some((element(last)?.1, rest))
}

/// Returns the number of indices from the first to the last: `N` from 1 to `N`, `N - 1` from 2 to `N`.
fn number_of_indices(first: &str, last: &str) -> Option<SyntaxTerm> {
    let first: i128 = first.trim().parse().ok().filter(|first| (0..=2).contains(first))?;
    let index = split_formula(last);
    let (last, end) = TermParser::read_sum_at(&index, 0)?;
    (end == index.len()).then(|| add_offset(last, 1 - first))
}

#[cfg(test)]
mod tests {
    use super::super::Statement;
    use super::StatedLayout;
    use crate::layout::{Count, Node, Part, Size};
    use rebut_format::syntax::SyntaxTerm;

    fn spelled(layout: &StatedLayout, nodes: &[Node]) -> String {
        let size = |size: &Size| size.to_term(|field| SyntaxTerm::from_name(layout.names[field].clone())).to_string();
        let part = |part: &Part| {
            let name = &layout.names[part.field()];
            match part {
                Part::Array(_, length) => format!("{name}[{}]", size(length)),
                Part::Text(_, length) => format!("{name}<{}>", size(length)),
                _ if layout.words.contains(&part.field()) => format!("{name}:text"),
                _ => name.clone(),
            }
        };
        let node = |node: &Node| match node {
            Node::Line(parts) => parts.iter().map(part).collect::<Vec<_>>().join(" "),
            Node::Block { count: Count::Times(count), body } => format!("{} x {}", size(count), spelled(layout, body)),
            _ => String::new(),
        };
        nodes.iter().map(node).collect::<Vec<_>>().join("; ")
    }

    fn check_outlines(cases: &[(&str, &str)]) {
        for (text, expected) in cases {
            let layout = Statement::parse(text).layout;
            let found = layout.map_or("none".to_owned(), |layout| spelled(&layout, &layout.nodes));
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
