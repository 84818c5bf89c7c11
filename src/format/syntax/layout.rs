//! The lines of the layout.

use super::cursor::Cursor;
use super::rules::{chain, where_line};
use super::terms::expression;
use super::{Field, KEYWORDS, LayoutLine, Part, PartKind, SIGNS, WrittenCount, WrittenRule};
use crate::diagnostic::{Diagnostic, Span};
use crate::format::lines::Line;
use crate::format::model::BlockKind;
use crate::format::token::{Kind, Token};

pub(super) fn layout(
    lines: Vec<Line>,
    rules: &mut Vec<WrittenRule>,
    problems: &mut Vec<Diagnostic>,
) -> Vec<LayoutLine> {
    let mut found = Vec::new();
    for line in lines {
        if line.tokens.first().is_some_and(|t| t.is_word("where")) {
            let found: Vec<_> = line.body.into_iter().filter_map(|rule| note(where_line(&rule), problems)).collect();
            rules.extend(found.into_iter().flatten());
            continue;
        }
        let read = layout_line(line, rules, problems);
        found.extend(note(read, problems));
    }
    found
}

fn note<T>(result: Result<T, Diagnostic>, problems: &mut Vec<Diagnostic>) -> Option<T> {
    let said = |problem: &Diagnostic| problem.code == "missing-where";
    match result {
        Ok(found) => Some(found),
        // Once is enough: the constraints follow each other.
        Err(problem) if said(&problem) && problems.iter().any(said) => None,
        Err(problem) => {
            problems.push(problem);
            None
        }
    }
}

fn layout_line(
    line: Line,
    rules: &mut Vec<WrittenRule>,
    problems: &mut Vec<Diagnostic>,
) -> Result<LayoutLine, Diagnostic> {
    let first_is = |word: &str| line.tokens.first().is_some_and(|t| t.is_word(word));
    if first_is("either") {
        return either(line, rules, problems);
    }
    let kinds = [("cases", BlockKind::Cases), ("repeat", BlockKind::Repeat), ("if", BlockKind::Condition)];
    if let Some((word, kind)) = kinds.into_iter().find(|(word, _)| first_is(word)) {
        return block(word, kind, line, rules, problems);
    }
    if let Some(sign) = line.tokens.iter().find(|t| SIGNS.iter().any(|m| t.is(m))) {
        return Err(Diagnostic::error("missing-where", sign.span, "a constraint stands in the layout")
            .caret("the layout only lists what the input's lines hold")
            .help("put the constraints under a line `where:`"));
    }
    if line.tokens.last().is_some_and(|t| t.is(":")) {
        return Err(not_a_block(&line));
    }
    parts(&mut Cursor::new(&line.tokens, line.span()), None).map(LayoutLine::Parts)
}

/// `cases T:`, `repeat M:`, `repeat 1..9 until 0 0:`, `if x = 1:`.
fn block(
    word: &str,
    kind: BlockKind,
    line: Line,
    rules: &mut Vec<WrittenRule>,
    problems: &mut Vec<Diagnostic>,
) -> Result<LayoutLine, Diagnostic> {
    let span = line.span();
    let mut cursor = Cursor::new(&line.tokens, span);
    cursor.next();
    let count = if kind == BlockKind::Condition { condition(&mut cursor)? } else { count(&mut cursor)? };
    cursor.expect(":", &format!("`{word} ...:` ends with a colon"))?;
    cursor.end("after the colon")?;
    if line.body.is_empty() {
        return Err(Diagnostic::error("empty-block", span, format!("`{word}` has no lines"))
            .caret("expected indented lines below"));
    }
    let body = layout(line.body, rules, problems);
    Ok(LayoutLine::Block { kind, count, body, span })
}

fn count(cursor: &mut Cursor) -> Result<WrittenCount, Diagnostic> {
    let least = expression(cursor)?;
    if !cursor.take("..") {
        if let Some(until) = cursor.peek().filter(|t| t.is_word("until")) {
            return Err(Diagnostic::error("no-bound", until.span, "how often at least, and at most?")
                .caret("expected a range before this")
                .help("repeat 1..100 until 0 0:"));
        }
        return Ok(WrittenCount::Times(least));
    }
    let most = expression(cursor)?;
    if !cursor.take_word("until") {
        return Err(cursor.missing("`until` and the line that ends the repetition, or `until eof`"));
    }
    let mut words: Vec<String> = Vec::new();
    while let Some(token) = cursor.peek().filter(|t| !t.is(":")) {
        cursor.next();
        words.push(match &token.kind {
            Kind::Number(number) => number.to_string(),
            Kind::Decimal(number, decimals) => decimal(*number, *decimals),
            Kind::Text(text) => String::from_utf8_lossy(&text.plain).into_owned(),
            Kind::Name(name) if name == "eof" && words.is_empty() => {
                return Ok(WrittenCount::Until { least, most, sentinel: None });
            }
            Kind::Mark("-") => "-".to_owned(),
            _ => {
                let problem = Diagnostic::error("sentinel", token.span, "the end is a line of numbers and texts")
                    .caret("expected a number, a text in double quotes, or `eof`");
                return Err(match &token.kind {
                    Kind::Name(name) => problem.help(format!("a word stands in quotes: \"{name}\"")),
                    _ => problem,
                });
            }
        });
    }
    if words.is_empty() {
        return Err(cursor.missing("the line that ends the repetition, or `eof`"));
    }
    let sentinel = words.join(" ").replace("- ", "-").into_bytes();
    Ok(WrittenCount::Until { least, most, sentinel: Some(sentinel) })
}

/// A number with its point, as it was written.
fn decimal(number: i128, decimals: u32) -> String {
    let digits = format!("{number:0width$}", width = decimals as usize + 1);
    let (whole, after) = digits.split_at(digits.len() - decimals as usize);
    format!("{whole}.{after}")
}

fn condition(cursor: &mut Cursor) -> Result<WrittenCount, Diagnostic> {
    let chain = chain(cursor)?;
    if chain.signs.is_empty() {
        return Err(cursor.missing("a comparison, as in `if x = 1:`"));
    }
    Ok(WrittenCount::When(chain))
}

/// `either:`; below it a line starts an alternative, and lines indented under a line that ends in a colon belong to it.
fn either(line: Line, rules: &mut Vec<WrittenRule>, problems: &mut Vec<Diagnostic>) -> Result<LayoutLine, Diagnostic> {
    let span = line.span();
    let mut cursor = Cursor::new(&line.tokens, span);
    cursor.next();
    cursor.expect(":", "`either:` ends with a colon")?;
    cursor.end("after the colon")?;
    let mut alternatives: Vec<Vec<LayoutLine>> = Vec::new();
    for mut inner in line.body {
        let header = !inner.body.is_empty()
            && !["cases", "repeat", "either", "if", "where"]
                .iter()
                .any(|w| inner.tokens.first().is_some_and(|t| t.is_word(w)));
        let body = if header { std::mem::take(&mut inner.body) } else { Vec::new() };
        if header {
            inner.tokens.pop();
        }
        let mut lines = layout(vec![inner], rules, problems);
        lines.extend(layout(body, rules, problems));
        if !lines.is_empty() {
            alternatives.push(lines);
        }
    }
    if alternatives.len() < 2 {
        return Err(Diagnostic::error("empty-block", span, "`either` needs at least two alternatives")
            .caret("expected indented lines below, one for each alternative"));
    }
    Ok(LayoutLine::Either { alternatives, span })
}

/// The parts of a line, or of a group up to the bracket that closes the `open` one.
fn parts(cursor: &mut Cursor, open: Option<Span>) -> Result<Vec<Part>, Diagnostic> {
    let mut found: Vec<Part> = Vec::new();
    while !(open.is_some() && cursor.peek_is(")")) {
        let Some(token) = cursor.next() else { break };
        let glued = found.last().is_some_and(|before| before.span.end == token.span.start);
        let (kind, span) = match &token.kind {
            Kind::Name(name) => {
                let field = field(name, token.span, cursor)?;
                let span = field.span;
                (PartKind::Field(field), span)
            }
            Kind::Mark("(") => {
                cursor.enter()?;
                let inside = bracket(cursor, token.span)?;
                cursor.leave();
                inside
            }
            Kind::Number(number) => (PartKind::Literal(number.to_string().into_bytes()), token.span),
            Kind::Text(text) => (PartKind::Literal(literal(&text.plain, token.span)?), token.span),
            Kind::Letter(letter) => (PartKind::Literal(literal(&[*letter], token.span)?), token.span),
            Kind::Mark(_) | Kind::Decimal(..) => return Err(not_a_field(token)),
        };
        found.push(Part { kind, span, glued });
    }
    Ok(found)
}

/// What stands in brackets: the rows of one field, `(words[n][])`, or with a number behind it what is repeated, `(x y)[n]`.
fn bracket(cursor: &mut Cursor, open: Span) -> Result<(PartKind, Span), Diagnostic> {
    let mut inside = parts(cursor, Some(open))?;
    let close = cursor.expect(")", "the bracket is closed")?;
    if cursor.take("[") {
        let count = expression(cursor)?;
        let end = cursor.expect("]", "the number of repetitions ends with `]`")?;
        if inside.is_empty() {
            return Err(Diagnostic::error("empty-block", open.to(end), "nothing is repeated here")
                .caret("expected fields in the brackets"));
        }
        return Ok((PartKind::Group { parts: inside, count: Box::new(count) }, open.to(end)));
    }
    match (inside.pop(), inside.is_empty()) {
        (Some(Part { kind: PartKind::Field(field), .. }), true) => {
            Ok((PartKind::Field(Field { on_one_line: true, ..field }), open.to(close)))
        }
        _ => Err(Diagnostic::error("group", open.to(close), "how often does this stand here?")
            .caret("a field in brackets has its rows on one line: `(words[n][])`")
            .help("several fields are repeated by a number behind the brackets: `(x y)[n]`")),
    }
}

/// A line that ends like the head of a block, and is none.
fn not_a_block(line: &Line) -> Diagnostic {
    let span = line.tokens.first().map_or(line.span(), |token| token.span);
    Diagnostic::error("not-a-block", span, "no block begins like this")
        .caret("expected `cases`, `repeat`, `if` or `either`")
        .help("test cases: `cases T:`; lines that come q times: `repeat q:`; a colon of the input stands in quotes: \":\"")
}

fn not_a_field(token: &Token) -> Diagnostic {
    let problem = Diagnostic::error("not-a-field", token.span, format!("{} is not a field", token.describe()))
        .caret("expected a name");
    match token.kind {
        Kind::Mark(",") => problem.help("fields are separated as the tokens of the input are: by a space"),
        Kind::Mark("{" | "}") => {
            problem.help("braces group lines behind the colon of a block: `repeat m: { k; x[k] }`")
        }
        Kind::Mark(mark) => problem.help(format!("if the input has it there, write it in quotes: \"{mark}\"")),
        _ => problem,
    }
}

/// Characters that always stand at a place of the line.
fn literal(text: &[u8], span: Span) -> Result<Vec<u8>, Diagnostic> {
    if text.is_empty() || text.iter().any(|b| !b.is_ascii_graphic()) {
        return Err(Diagnostic::error("bad-literal", span, "fixed words are visible ASCII characters")
            .caret("expected at least one, and no spaces")
            .help("several words are several texts: \"Case\" \"one\""));
    }
    Ok(text.to_vec())
}

/// A field and its dimensions; its name is read already.
fn field(name: &str, span: Span, cursor: &mut Cursor) -> Result<Field, Diagnostic> {
    if KEYWORDS.contains(&name) {
        return Err(Diagnostic::error("keyword", span, format!("`{name}` is a word of the language"))
            .caret("a field needs another name"));
    }
    let mut field = Field { name: name.to_owned(), span, dimensions: Vec::new(), on_one_line: false };
    while cursor.take("[") {
        field.dimensions.push(if cursor.peek_is("]") { None } else { Some(expression(cursor)?) });
        let close = cursor.expect("]", "a dimension ends with `]`")?;
        field.span = field.span.to(close);
    }
    Ok(field)
}
