//! Tokens to logical lines: indentation and `;` become a tree, so that the parser need not know of either.

use super::token::{Token, tokens};
use crate::diagnostic::{Diagnostic, Source, Span};

/// One line of a format and the lines that stand indented under it.
#[derive(Clone, Debug)]
pub(super) struct Line {
    pub(super) tokens: Vec<Token>,
    pub(super) body: Vec<Line>,
}

impl Line {
    pub(super) fn span(&self) -> Span {
        let first = self.tokens.first().map_or(Span::default(), |t| t.span);
        self.tokens.last().map_or(first, |t| first.to(t.span))
    }
}

/// The words that open a block.
const HEADERS: [&str; 6] = ["cases", "repeat", "either", "if", "where", "subtask"];

/// How deep blocks may nest; statements need three or four levels, and more would exhaust the stack.
const DEEPEST_BLOCK: usize = 32;

fn too_deep(span: Span) -> Diagnostic {
    Diagnostic::error("too-deep", span, "blocks are nested too deeply").caret(format!("at most {DEEPEST_BLOCK} levels"))
}

struct Flat {
    indent: usize,
    tokens: Vec<Token>,
}

/// The tree of lines of a source.
pub(super) fn lines(source: &Source, problems: &mut Vec<Diagnostic>) -> Vec<Line> {
    let mut flat = flat_lines(source, problems).into_iter().peekable();
    let mut roots = Vec::new();
    while let Some(next) = flat.peek() {
        let indent = next.indent;
        roots.extend(siblings(&mut flat, indent, 0, problems));
    }
    roots
}

/// Takes the lines that are indented exactly `indent`, each with its deeper lines as its body.
fn siblings(
    flat: &mut std::iter::Peekable<std::vec::IntoIter<Flat>>,
    indent: usize,
    depth: usize,
    problems: &mut Vec<Diagnostic>,
) -> Vec<Line> {
    let mut found: Vec<Line> = Vec::new();
    while let Some(next) = flat.peek() {
        if next.indent < indent {
            break;
        }
        if next.indent > indent {
            let deeper = next.indent;
            let span = next.tokens.first().map_or(Span::default(), |t| t.span);
            if depth == DEEPEST_BLOCK {
                problems.push(too_deep(span));
                while flat.next_if(|line| line.indent > indent).is_some() {}
                continue;
            }
            let body = siblings(flat, deeper, depth + 1, problems);
            attach(&mut found, body, span, problems);
            continue;
        }
        if let Some(line) = flat.next() {
            found.extend(split_inline(line.tokens, depth, problems));
        }
    }
    found
}

/// Puts an indented block under the line that opens it, which must end with a colon.
fn attach(found: &mut Vec<Line>, body: Vec<Line>, span: Span, problems: &mut Vec<Diagnostic>) {
    match found.last_mut() {
        Some(last) if last.body.is_empty() && opens_block(last) => last.body = body,
        _ => {
            // Of lines indented in two ways nobody knows which is deeper.
            if problems.iter().any(|p| p.code == "mixed-indent") {
                found.extend(body);
                return;
            }
            problems.push(
                Diagnostic::error("stray-indent", span, "this line is indented, but nothing above it opens a block")
                    .caret("indented deeper than the line above")
                    .help("a block is opened by a line that ends with a colon: `cases T:`, `repeat M:`, `where:`"),
            );
            found.extend(body);
        }
    }
}

/// Whether a block belongs under a line; the parser will see to it that there is a colon.
fn opens_block(line: &Line) -> bool {
    let starts = |first: &Token| HEADERS.iter().any(|word| first.is_word(word));
    line.tokens.last().is_some_and(|t| t.is(":")) || line.tokens.first().is_some_and(starts)
}

/// One written line to its logical lines: `;` separates them, `where` starts one, and what follows the colon of
/// a block header on the same line is that block's body.
fn split_inline(all: Vec<Token>, depth: usize, problems: &mut Vec<Diagnostic>) -> Vec<Line> {
    let mut found: Vec<Line> = Vec::new();
    let mut rest = all.into_iter().peekable();
    while let Some(first) = rest.next() {
        if first.is(";") {
            continue;
        }
        let header = HEADERS.iter().any(|word| first.is_word(word));
        let is_where = first.is_word("where");
        let is_subtask = first.is_word("subtask");
        let mut line = Line { tokens: vec![first], body: Vec::new() };
        while let Some(token) = rest.next_if(|t| {
            let where_opened = is_where && line.tokens.len() == 1 && !t.is(":");
            !t.is(";") && !t.is_word("where") && !where_opened
        }) {
            let opened = header && token.is(":");
            line.tokens.push(token);
            if opened {
                break;
            }
        }
        let opened = header && (is_where || line.tokens.last().is_some_and(|t| t.is(":")));
        if opened && rest.peek().is_some() {
            let inside: Vec<Token> = if is_where {
                rest.by_ref().collect()
            } else if is_subtask {
                // On one line, a subtask ends where the next begins.
                std::iter::from_fn(|| rest.next_if(|t| !t.is_word("where") && !t.is_word("subtask"))).collect()
            } else {
                std::iter::from_fn(|| rest.next_if(|t| !t.is_word("where"))).collect()
            };
            if depth < DEEPEST_BLOCK {
                line.body = split_inline(inside, depth + 1, problems);
            } else {
                problems.push(too_deep(line.span()));
            }
        }
        found.push(line);
    }
    found
}

fn flat_lines(source: &Source, problems: &mut Vec<Diagnostic>) -> Vec<Flat> {
    let mut found = Vec::new();
    let mut offset = 0;
    let mut tabs: Option<Span> = None;
    let mut spaces: Option<Span> = None;
    for raw in source.text.split_inclusive(|&b| b == b'\n') {
        let start = offset;
        offset += raw.len();
        let Ok(text) = std::str::from_utf8(raw) else {
            let bad = start + std::str::from_utf8(raw).err().map_or(0, |e| e.valid_up_to());
            problems.push(
                Diagnostic::error("not-utf8", Span::new(bad, bad + 1), "a format is UTF-8 text")
                    .caret("this byte is not UTF-8"),
            );
            continue;
        };
        let margin: &str = &text[..text.len() - text.trim_start_matches([' ', '\t']).len()];
        let tokens = tokens(&text[margin.len()..], start + margin.len(), problems);
        if tokens.is_empty() {
            continue;
        }
        let span = Span::new(start, start + margin.len());
        if margin.contains('\t') {
            tabs.get_or_insert(span);
        } else if !margin.is_empty() {
            spaces.get_or_insert(span);
        }
        let mixed = margin.contains('\t') && margin.contains(' ');
        if mixed || (tabs == Some(span) && spaces.is_some()) || (spaces == Some(span) && tabs.is_some()) {
            problems.push(
                Diagnostic::error("mixed-indent", span, "tabs and spaces are mixed in the indentation")
                    .caret("indented another way than the lines above")
                    .help("indent every line with spaces only"),
            );
        }
        found.push(Flat { indent: margin.chars().map(|c| if c == '\t' { 8 } else { 1 }).sum(), tokens });
    }
    found
}
