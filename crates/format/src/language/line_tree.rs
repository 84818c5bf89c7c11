//! Turns tokens into a tree of logical lines by indentation, `;` and braces, so that the parser can ignore all three.

use super::logical_line::{LogicalLine, MAX_BLOCK_DEPTH, nested_too_deep};
use super::one_line::{AmbiguousBlock, LineContext, split_logical_lines};
use super::tokenizer::{FormatToken, FormatTokenKind, tokenize_line};
use rebut_diagnostics::{Diagnostic, SourceText, Span};

/// The tree of lines of a source.
#[derive(Debug, Default)]
pub(super) struct LogicalLines {
    pub(super) lines: Vec<LogicalLine>,
    /// Blocks with an unclear extent. The tree is meaningless unless this is empty.
    pub(super) ambiguous_blocks: Vec<AmbiguousBlock>,
}

/// The keywords that open a block.
const BLOCK_KEYWORDS: [&str; 6] = ["cases", "repeat", "either", "if", "where", "subtask"];

struct IndentedLine {
    indent: usize,
    tokens: Vec<FormatToken>,
}

/// Parses a source into a tree of lines.
pub(super) fn parse_logical_lines(source: &SourceText, problems: &mut Vec<Diagnostic>) -> LogicalLines {
    let flat = join_open_braces(tokenize_lines(source, problems));
    let mut walk =
        LineTreeBuilder { indented_lines: flat.into_iter().peekable(), ambiguous_blocks: Vec::new(), problems };
    let mut lines = Vec::new();
    while let Some(next) = walk.indented_lines.peek() {
        let indent = next.indent;
        lines.extend(walk.take_siblings(indent, 0, LineContext::Layout));
    }
    LogicalLines { lines, ambiguous_blocks: walk.ambiguous_blocks }
}

/// Joins lines while a brace is open at the end of one.
fn join_open_braces(flat: Vec<IndentedLine>) -> Vec<IndentedLine> {
    let mut found: Vec<IndentedLine> = Vec::new();
    let mut depth = 0_usize;
    for line in flat {
        let before = depth;
        for token in &line.tokens {
            depth = if token.is_mark("{") { depth + 1 } else { depth.saturating_sub(usize::from(token.is_mark("}"))) };
        }
        match found.last_mut().filter(|_| before > 0) {
            Some(open) => {
                let start = line.tokens.first().map_or(Span::default(), |token| token.span);
                open.tokens.push(FormatToken {
                    kind: FormatTokenKind::Symbol(";"),
                    span: Span::new(start.start, start.start),
                });
                open.tokens.extend(line.tokens);
            }
            None => found.push(line),
        }
    }
    found
}

struct LineTreeBuilder<'p> {
    indented_lines: std::iter::Peekable<std::vec::IntoIter<IndentedLine>>,
    ambiguous_blocks: Vec<AmbiguousBlock>,
    problems: &'p mut Vec<Diagnostic>,
}

impl LineTreeBuilder<'_> {
    /// Takes the lines with exactly this indentation, each with its deeper lines as its body.
    fn take_siblings(&mut self, indent: usize, depth: usize, place: LineContext) -> Vec<LogicalLine> {
        let mut found: Vec<LogicalLine> = Vec::new();
        while let Some(next) = self.indented_lines.peek() {
            if next.indent < indent {
                break;
            }
            if next.indent > indent {
                let deeper = next.indent;
                let span = next.tokens.first().map_or(Span::default(), |t| t.span);
                if depth == MAX_BLOCK_DEPTH {
                    self.problems.push(nested_too_deep(span));
                    while self.indented_lines.next_if(|line| line.indent > indent).is_some() {}
                    continue;
                }
                let below = found.last().map_or(place, |last| context_below(last, place));
                let body = self.take_siblings(deeper, depth + 1, below);
                attach_body(&mut found, body, span, self.problems);
                continue;
            }
            if let Some(line) = self.indented_lines.next() {
                found.extend(split_logical_lines(line.tokens, place, depth, &mut self.ambiguous_blocks, self.problems));
            }
        }
        found
    }
}

/// Returns the context of the lines indented below a line.
fn context_below(line: &LogicalLine, place: LineContext) -> LineContext {
    let starts = |word: &str| line.tokens.first().is_some_and(|token| token.is_word(word));
    match place {
        _ if starts("where") => LineContext::Rules,
        LineContext::Rules => LineContext::Rules,
        _ if starts("either") => LineContext::Forms,
        _ => LineContext::Layout,
    }
}

/// Attaches an indented block to the line that opens it, which must end with a colon.
fn attach_body(found: &mut Vec<LogicalLine>, body: Vec<LogicalLine>, span: Span, problems: &mut Vec<Diagnostic>) {
    match found.last_mut() {
        Some(last) if last.body.is_empty() && opens_block(last) => last.body = body,
        _ => {
            // With mixed tabs and spaces it is undefined which line is deeper.
            if problems.iter().any(|p| p.code == "mixed-indent") {
                found.extend(body);
                return;
            }
            problems.push(
                Diagnostic::error("stray-indent", span, "this line is indented, but nothing above it opens a block")
                    .with_caret("indented deeper than the line above")
                    .with_help("open a block with a line that ends with a colon: `cases T:`, `repeat M:`, `where:`"),
            );
            found.extend(body);
        }
    }
}

/// Returns true if a block belongs below a line; the parser checks the colon.
fn opens_block(line: &LogicalLine) -> bool {
    let starts = |first: &FormatToken| BLOCK_KEYWORDS.iter().any(|word| first.is_word(word));
    line.tokens.last().is_some_and(|t| t.is_mark(":")) || line.tokens.first().is_some_and(starts)
}

fn tokenize_lines(source: &SourceText, problems: &mut Vec<Diagnostic>) -> Vec<IndentedLine> {
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
                Diagnostic::error("not-utf8", Span::new(bad, bad + 1), "this format is not UTF-8 text")
                    .with_caret("invalid byte"),
            );
            continue;
        };
        let margin: &str = &text[..text.len() - text.trim_start_matches([' ', '\t']).len()];
        let tokens = tokenize_line(&text[margin.len()..], start + margin.len(), problems);
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
                    .with_caret("indented differently from the lines above")
                    .with_help("indent every line with spaces only"),
            );
        }
        found.push(IndentedLine { indent: margin.chars().map(|c| if c == '\t' { 8 } else { 1 }).sum(), tokens });
    }
    found
}
