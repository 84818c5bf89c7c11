//! Tokens to logical lines: indentation, `;` and braces become a tree, so that the parser need not know of them.

use super::one_line::{OpenBlock, Place, split};
use super::token::{Kind, Token, tokens};
use crate::diagnostic::{Diagnostic, Source, Span};

/// One line of a format and the lines that stand indented under it.
#[derive(Clone, Debug)]
pub(super) struct Line {
    pub(super) tokens: Vec<Token>,
    pub(super) body: Vec<Line>,
    /// Whether the body stands in braces.
    pub(super) braced: bool,
}

/// The tree of lines of a source.
#[derive(Debug, Default)]
pub(super) struct Lines {
    pub(super) lines: Vec<Line>,
    /// Blocks of which it is not clear what belongs to them; the tree means nothing then.
    pub(super) open: Vec<OpenBlock>,
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
pub(super) const DEEPEST_BLOCK: usize = 32;

pub(super) fn too_deep(span: Span) -> Diagnostic {
    Diagnostic::error("too-deep", span, "blocks are nested too deeply").caret(format!("at most {DEEPEST_BLOCK} levels"))
}

struct Flat {
    indent: usize,
    tokens: Vec<Token>,
}

/// The tree of lines of a source.
pub(super) fn lines(source: &Source, problems: &mut Vec<Diagnostic>) -> Lines {
    let flat = joined(flat_lines(source, problems));
    let mut walk = Walk { flat: flat.into_iter().peekable(), open: Vec::new(), problems };
    let mut lines = Vec::new();
    while let Some(next) = walk.flat.peek() {
        let indent = next.indent;
        lines.extend(walk.siblings(indent, 0, Place::Layout));
    }
    Lines { lines, open: walk.open }
}

/// Puts lines together where a brace is still open at the end of one.
fn joined(flat: Vec<Flat>) -> Vec<Flat> {
    let mut found: Vec<Flat> = Vec::new();
    let mut depth = 0_usize;
    for line in flat {
        let before = depth;
        for token in &line.tokens {
            depth = if token.is("{") { depth + 1 } else { depth.saturating_sub(usize::from(token.is("}"))) };
        }
        match found.last_mut().filter(|_| before > 0) {
            Some(open) => {
                let start = line.tokens.first().map_or(Span::default(), |token| token.span);
                open.tokens.push(Token { kind: Kind::Mark(";"), span: Span::new(start.start, start.start) });
                open.tokens.extend(line.tokens);
            }
            None => found.push(line),
        }
    }
    found
}

struct Walk<'p> {
    flat: std::iter::Peekable<std::vec::IntoIter<Flat>>,
    open: Vec<OpenBlock>,
    problems: &'p mut Vec<Diagnostic>,
}

impl Walk<'_> {
    /// Takes the lines that are indented exactly `indent`, each with its deeper lines as its body.
    fn siblings(&mut self, indent: usize, depth: usize, place: Place) -> Vec<Line> {
        let mut found: Vec<Line> = Vec::new();
        while let Some(next) = self.flat.peek() {
            if next.indent < indent {
                break;
            }
            if next.indent > indent {
                let deeper = next.indent;
                let span = next.tokens.first().map_or(Span::default(), |t| t.span);
                if depth == DEEPEST_BLOCK {
                    self.problems.push(too_deep(span));
                    while self.flat.next_if(|line| line.indent > indent).is_some() {}
                    continue;
                }
                let below = found.last().map_or(place, |last| place_below(last, place));
                let body = self.siblings(deeper, depth + 1, below);
                attach(&mut found, body, span, self.problems);
                continue;
            }
            if let Some(line) = self.flat.next() {
                found.extend(split(line.tokens, place, depth, &mut self.open, self.problems));
            }
        }
        found
    }
}

/// The place of what stands indented below a line.
fn place_below(line: &Line, place: Place) -> Place {
    let starts = |word: &str| line.tokens.first().is_some_and(|token| token.is_word(word));
    match place {
        _ if starts("where") => Place::Rules,
        Place::Rules => Place::Rules,
        _ if starts("either") => Place::Forms,
        _ => Place::Layout,
    }
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
