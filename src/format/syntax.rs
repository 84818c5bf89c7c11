//! Logical lines to a syntax tree: what was written, before any name is looked up.

use super::lines::Line;
use super::model::BlockKind;
use super::token::{Kind, Token};
use crate::diagnostic::{Diagnostic, Span, nearest};

/// A whole format as written.
#[derive(Debug, Default)]
pub(super) struct Tree {
    pub(super) layout: Vec<LayoutLine>,
    pub(super) rules: Vec<WrittenRule>,
}

/// One line of the layout.
#[derive(Debug)]
pub(super) enum LayoutLine {
    /// Fields and fixed words that stand on one line of the input.
    Parts(Vec<Part>),
    /// `cases T:` or `repeat M:`, `if x = 1:`.
    Block { kind: BlockKind, count: WrittenCount, body: Vec<LayoutLine>, span: Span },
    /// `either:` and the first lines of its alternatives, each with the lines that belong to it.
    Either { alternatives: Vec<Vec<LayoutLine>>, span: Span },
}

/// How often a block is there.
#[derive(Debug)]
pub(super) enum WrittenCount {
    /// As often as a number says.
    Times(Term),
    /// Once under a condition.
    When(Vec<Vec<Term>>, Vec<&'static str>),
    /// `1..100 until 0 0`, `1..100 until eof`.
    Until { least: Term, most: Term, sentinel: Option<Vec<u8>> },
}

/// A part of a line: a field, or characters that always stand there.
#[derive(Debug)]
pub(super) struct Part {
    pub(super) kind: PartKind,
    pub(super) span: Span,
    /// Whether nothing separates it from the part before.
    pub(super) glued: bool,
}

/// What a part of a line is.
#[derive(Debug)]
pub(super) enum PartKind {
    Field(Field),
    Literal(Vec<u8>),
}

/// A name with its dimensions: `n`, `a[n]`, `board[R][C]`, `word[n][]`.
#[derive(Debug)]
pub(super) struct Field {
    pub(super) name: String,
    pub(super) span: Span,
    /// `None` for `[]`, a length that only the input tells.
    pub(super) dimensions: Vec<Option<Term>>,
}

/// An expression and its place.
#[derive(Clone, Debug)]
pub(super) struct Term {
    pub(super) kind: TermKind,
    pub(super) span: Span,
}

/// What an expression is made of.
#[derive(Clone, Debug)]
pub(super) enum TermKind {
    Number(i128),
    Letter(u8),
    Name(String),
    Minus(Box<Term>),
    Binary(&'static str, Box<Term>, Box<Term>),
    Call(String, Vec<Term>),
    Tuple(Vec<Term>),
}

/// One line of the where part.
#[derive(Debug)]
pub(super) enum WrittenRule {
    /// `1 <= a, b <= n`: lists of terms with the signs between them.
    Chain { lists: Vec<Vec<Term>>, signs: Vec<(&'static str, Span)>, span: Span },
    /// `board over ".#"`.
    Over { names: Vec<Term>, letters: Vec<u8>, letters_span: Span },
    /// `edges (u, v) on 1..n: simple, connected`.
    Edges { ends: Box<(Term, Term)>, vertices: Box<(Term, Term)>, adjectives: Vec<(String, Span)>, span: Span },
    /// `p permutation of 1..n`.
    Permutation { names: Vec<Term>, values: Box<(Term, Term)>, span: Span },
    /// A predicate alone on its line: `distinct(a)`.
    Predicate(Term),
    /// `validator "program arguments"`.
    Validator { command: String, span: Span },
    /// `shape "name"`: a bespoke shape that belongs to this format.
    Shape { name: String },
}

/// The words that no field can be called.
pub(super) const KEYWORDS: &[&str] =
    &["cases", "repeat", "either", "if", "until", "where", "over", "validator", "shape"];

/// The signs of comparisons.
const SIGNS: [&str; 6] = ["<=", "<", ">=", ">", "=", "!="];

/// Reads all lines; what cannot be read is noted and left out.
pub(super) fn parse(lines: Vec<Line>, problems: &mut Vec<Diagnostic>) -> Tree {
    let mut tree = Tree::default();
    tree.layout = layout(lines, &mut tree.rules, problems);
    tree
}

fn layout(lines: Vec<Line>, rules: &mut Vec<WrittenRule>, problems: &mut Vec<Diagnostic>) -> Vec<LayoutLine> {
    let mut found = Vec::new();
    for line in lines {
        if line.tokens.first().is_some_and(|t| t.is_word("where")) {
            rules.extend(line.body.into_iter().filter_map(|rule| note(where_line(&rule), problems)));
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
    parts(&mut Cursor::new(&line.tokens, line.span())).map(LayoutLine::Parts)
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
            Kind::Text(text) => String::from_utf8_lossy(text).into_owned(),
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

fn condition(cursor: &mut Cursor) -> Result<WrittenCount, Diagnostic> {
    let mut lists = vec![list(cursor)?];
    let mut signs = Vec::new();
    while let Some(sign) = SIGNS.iter().find(|m| cursor.peek_is(m)) {
        cursor.next();
        signs.push(*sign);
        lists.push(list(cursor)?);
    }
    if signs.is_empty() {
        return Err(cursor.missing("a comparison, as in `if x = 1:`"));
    }
    Ok(WrittenCount::When(lists, signs))
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

fn parts(cursor: &mut Cursor) -> Result<Vec<Part>, Diagnostic> {
    let mut found: Vec<Part> = Vec::new();
    while let Some(token) = cursor.next() {
        let glued = found.last().is_some_and(|before| before.span.end == token.span.start);
        let (kind, span) = match &token.kind {
            Kind::Name(name) => {
                let field = field(name, token.span, cursor)?;
                let span = field.span;
                (PartKind::Field(field), span)
            }
            Kind::Number(number) => (PartKind::Literal(number.to_string().into_bytes()), token.span),
            Kind::Text(text) => (PartKind::Literal(literal(text, token.span)?), token.span),
            Kind::Letter(letter) => (PartKind::Literal(literal(&[*letter], token.span)?), token.span),
            Kind::Mark(_) => return Err(not_a_field(token)),
        };
        found.push(Part { kind, span, glued });
    }
    Ok(found)
}

fn not_a_field(token: &Token) -> Diagnostic {
    let problem = Diagnostic::error("not-a-field", token.span, format!("{} is not a field", token.describe()))
        .caret("expected a name");
    match token.kind {
        Kind::Mark(",") => problem.help("fields are separated as the tokens of the input are: by a space"),
        Kind::Mark(mark) => problem.help(format!("if the input has it there, write it in quotes: \"{mark}\"")),
        _ => problem,
    }
}

/// Characters that always stand at a place of the line.
fn literal(text: &[u8], span: Span) -> Result<Vec<u8>, Diagnostic> {
    let plain: Vec<u8> = String::from_utf8_lossy(text).replace("\\-", "-").into_bytes();
    if plain.is_empty() || plain.iter().any(|b| !b.is_ascii_graphic()) {
        return Err(Diagnostic::error("bad-literal", span, "fixed words are visible ASCII characters")
            .caret("expected at least one, and no spaces")
            .help("several words are several texts: \"Case\" \"one\""));
    }
    Ok(plain)
}

/// A field and its dimensions; its name is read already.
fn field(name: &str, span: Span, cursor: &mut Cursor) -> Result<Field, Diagnostic> {
    if KEYWORDS.contains(&name) {
        return Err(Diagnostic::error("keyword", span, format!("`{name}` is a word of the language"))
            .caret("a field needs another name"));
    }
    let mut field = Field { name: name.to_owned(), span, dimensions: Vec::new() };
    while cursor.take("[") {
        field.dimensions.push(if cursor.peek_is("]") { None } else { Some(expression(cursor)?) });
        let close = cursor.expect("]", "a dimension ends with `]`")?;
        field.span = field.span.to(close);
    }
    Ok(field)
}

fn where_line(line: &Line) -> Result<WrittenRule, Diagnostic> {
    if line.tokens.first().is_some_and(|t| t.is_word("edges")) && line.tokens.get(1).is_some_and(|t| t.is("(")) {
        return edges(line);
    }
    if let Some(inner) = line.body.first() {
        return Err(Diagnostic::error("stray-indent", inner.span(), "a constraint has no block of its own")
            .caret("expected one constraint a line"));
    }
    let span = line.span();
    let mut cursor = Cursor::new(&line.tokens, span);
    for word in ["validator", "shape"] {
        if line.tokens.first().is_some_and(|t| t.is_word(word)) {
            cursor.next();
            let text = cursor.text(&format!("`{word}` takes a text in double quotes"))?;
            cursor.end("after the text")?;
            return Ok(if word == "shape" {
                WrittenRule::Shape { name: text.0 }
            } else {
                WrittenRule::Validator { command: text.0, span: text.1 }
            });
        }
    }
    chain(&mut cursor, span)
}

/// `edges (u, v) on 1..n: simple, connected`, the adjectives on the same line or indented below.
fn edges(line: &Line) -> Result<WrittenRule, Diagnostic> {
    let span = line.span();
    let mut cursor = Cursor::new(&line.tokens, span);
    cursor.next();
    let both = expression(&mut cursor)?;
    let TermKind::Tuple(ends) = both.kind else {
        return Err(Diagnostic::error("edge-ends", both.span, "an edge has two ends").caret("expected `(u, v)`"));
    };
    let Ok([from, to]) = <[Term; 2]>::try_from(ends) else {
        return Err(Diagnostic::error("edge-ends", both.span, "an edge has two ends").caret("expected `(u, v)`"));
    };
    if !cursor.take_word("on") {
        return Err(cursor.missing("`on` and the range of the vertices, as in `on 1..n`"));
    }
    let vertices = Box::new(range(&mut cursor)?);
    let mut adjectives = Vec::new();
    if cursor.take(":") {
        words(&mut cursor, &mut adjectives)?;
    }
    cursor.end("after the vertices")?;
    for inner in &line.body {
        words(&mut Cursor::new(&inner.tokens, inner.span()), &mut adjectives)?;
    }
    Ok(WrittenRule::Edges { ends: Box::new((from, to)), vertices, adjectives, span })
}

/// `1..n`
fn range(cursor: &mut Cursor) -> Result<(Term, Term), Diagnostic> {
    let first = expression(cursor)?;
    cursor.expect("..", "a range has two ends: `1..n`")?;
    Ok((first, expression(cursor)?))
}

/// Words with commas between them.
fn words(cursor: &mut Cursor, found: &mut Vec<(String, Span)>) -> Result<(), Diagnostic> {
    while let Some(token) = cursor.next() {
        match &token.kind {
            Kind::Name(name) => found.push((name.clone(), token.span)),
            Kind::Mark(",") => {}
            _ => {
                return Err(Diagnostic::error("adjective", token.span, "a graph is described in words")
                    .caret("expected a word such as `simple` or `connected`"));
            }
        }
    }
    Ok(())
}

fn chain(cursor: &mut Cursor, span: Span) -> Result<WrittenRule, Diagnostic> {
    let mut lists = vec![list(cursor)?];
    let mut signs = Vec::new();
    if cursor.take_word("over") {
        let (_, letters_span, letters) = cursor.bytes("`over` takes the letters in double quotes: `over \"a-z\"`")?;
        cursor.end("after the letters")?;
        return Ok(WrittenRule::Over { names: lists.remove(0), letters, letters_span });
    }
    if cursor.take_word("permutation") {
        if !cursor.take_word("of") {
            return Err(cursor.missing("`of` and a range, as in `p permutation of 1..n`"));
        }
        let values = Box::new(range(cursor)?);
        cursor.end("after the range")?;
        return Ok(WrittenRule::Permutation { names: lists.remove(0), values, span });
    }
    while let Some(token) = cursor.next() {
        let Some(sign) = SIGNS.iter().copied().find(|m| token.is(m)) else {
            return Err(unexpected(token));
        };
        signs.push((sign, token.span));
        lists.push(list(cursor)?);
    }
    if !signs.is_empty() {
        return Ok(WrittenRule::Chain { lists, signs, span });
    }
    match lists.remove(0) {
        mut one if one.len() == 1 && matches!(one[0].kind, TermKind::Call(..)) => {
            Ok(WrittenRule::Predicate(one.remove(0)))
        }
        _ => Err(Diagnostic::error("not-a-constraint", span, "this states nothing")
            .caret("expected a comparison, `over`, `distinct(...)`, `validator` or `shape`")
            .help("a constraint compares: `1 <= n <= 100`")),
    }
}

fn unexpected(token: &Token) -> Diagnostic {
    let problem = Diagnostic::error("unexpected", token.span, format!("{} is not expected here", token.describe()))
        .caret("expected a comparison sign or the end of the line");
    match &token.kind {
        Kind::Name(name) => match nearest(name, ["over", "permutation"]) {
            Some(word) => problem.help(format!("did you mean `{word}`?")),
            None if ["and", "or"].contains(&name.as_str()) => problem.help("all constraints hold: write one a line"),
            None => problem,
        },
        Kind::Number(_) => problem.help("digits are not grouped: `10000`, `10^4`"),
        Kind::Mark("[") => problem.help("what is said of an array holds for each element: write it without an index"),
        Kind::Mark(":") => problem.help("one constraint a line; a block is not opened here"),
        _ => problem,
    }
}

fn list(cursor: &mut Cursor) -> Result<Vec<Term>, Diagnostic> {
    let mut terms = vec![expression(cursor)?];
    while cursor.take(",") {
        terms.push(expression(cursor)?);
    }
    Ok(terms)
}

/// A sum of products of powers, as a statement writes it.
fn expression(cursor: &mut Cursor) -> Result<Term, Diagnostic> {
    cursor.enter()?;
    let result = binary(cursor, &["+", "-"], |c| binary(c, &["*", "/", "%"], signed));
    cursor.leave();
    result
}

fn binary(
    cursor: &mut Cursor,
    signs: &[&'static str],
    operand: impl Fn(&mut Cursor) -> Result<Term, Diagnostic>,
) -> Result<Term, Diagnostic> {
    let mut left = operand(cursor)?;
    let mut terms = 1;
    while let Some(sign) = signs.iter().find(|sign| cursor.peek_is(sign)) {
        cursor.next();
        terms += 1;
        if terms > MOST_TERMS {
            return Err(Diagnostic::error("too-deep", left.span, "this expression is too long")
                .caret(format!("at most {MOST_TERMS} terms")));
        }
        let right = operand(cursor)?;
        let span = left.span.to(right.span);
        left = Term { kind: TermKind::Binary(sign, Box::new(left), Box::new(right)), span };
    }
    Ok(left)
}

/// A leading minus binds weaker than `^`: -10^9 is -(10^9).
fn signed(cursor: &mut Cursor) -> Result<Term, Diagnostic> {
    if let Some(minus) = cursor.take_span("-") {
        cursor.enter()?;
        let inner = signed(cursor)?;
        cursor.leave();
        let span = minus.to(inner.span);
        return Ok(Term { kind: TermKind::Minus(Box::new(inner)), span });
    }
    power(cursor)
}

fn power(cursor: &mut Cursor) -> Result<Term, Diagnostic> {
    let base = atom(cursor)?;
    if !cursor.take("^") {
        return Ok(base);
    }
    cursor.enter()?;
    let exponent = power(cursor)?;
    cursor.leave();
    let span = base.span.to(exponent.span);
    Ok(Term { kind: TermKind::Binary("^", Box::new(base), Box::new(exponent)), span })
}

fn atom(cursor: &mut Cursor) -> Result<Term, Diagnostic> {
    let Some(token) = cursor.next() else {
        return Err(cursor.missing("a number or a name"));
    };
    let span = token.span;
    match &token.kind {
        Kind::Number(number) => Ok(Term { kind: TermKind::Number(*number), span }),
        Kind::Letter(letter) => Ok(Term { kind: TermKind::Letter(*letter), span }),
        Kind::Name(name) if KEYWORDS.contains(&name.as_str()) => {
            Err(Diagnostic::error("keyword", span, format!("`{name}` is a word of the language"))
                .caret("expected a number or a name"))
        }
        Kind::Name(name) if cursor.peek_is("(") => call(cursor, name.clone(), span),
        Kind::Name(name) => Ok(Term { kind: TermKind::Name(name.clone()), span }),
        Kind::Mark("(") => parenthesis(cursor, span),
        Kind::Mark(sign @ ("<" | ">")) if cursor.at > 1 && cursor.tokens[cursor.at - 2].is("=") => {
            Err(not_a_value(token).help(format!("the equals sign comes last: `{sign}=`")))
        }
        _ => Err(not_a_value(token)),
    }
}

fn not_a_value(token: &Token) -> Diagnostic {
    Diagnostic::error("not-a-value", token.span, format!("{} is not a value", token.describe()))
        .caret("expected a number or a name")
}

fn call(cursor: &mut Cursor, name: String, span: Span) -> Result<Term, Diagnostic> {
    cursor.next();
    let arguments = if cursor.peek_is(")") { Vec::new() } else { list(cursor)? };
    let close = cursor.expect(")", "the arguments end with `)`")?;
    Ok(Term { kind: TermKind::Call(name, arguments), span: span.to(close) })
}

fn parenthesis(cursor: &mut Cursor, open: Span) -> Result<Term, Diagnostic> {
    let mut inside = list(cursor)?;
    let close = cursor.expect(")", "expected `)`")?;
    let span = open.to(close);
    if inside.len() == 1 {
        let one = inside.remove(0);
        return Ok(Term { kind: one.kind, span });
    }
    Ok(Term { kind: TermKind::Tuple(inside), span })
}

/// How many terms a sum or a product may have: each nests the tree one level deeper.
const MOST_TERMS: usize = 200;

/// How deep expressions may nest: deeper ones would exhaust the stack, and no statement has them.
const DEEPEST: usize = 64;

struct Cursor<'a> {
    tokens: &'a [Token],
    at: usize,
    depth: usize,
    line: Span,
}

impl<'a> Cursor<'a> {
    fn new(tokens: &'a [Token], line: Span) -> Self {
        Cursor { tokens, at: 0, depth: 0, line }
    }

    fn peek(&self) -> Option<&'a Token> {
        self.tokens.get(self.at)
    }

    fn peek_is(&self, mark: &str) -> bool {
        self.peek().is_some_and(|t| t.is(mark))
    }

    fn next(&mut self) -> Option<&'a Token> {
        let token = self.peek()?;
        self.at += 1;
        Some(token)
    }

    fn take(&mut self, mark: &str) -> bool {
        self.take_span(mark).is_some()
    }

    fn take_span(&mut self, mark: &str) -> Option<Span> {
        self.peek().filter(|t| t.is(mark)).map(|t| {
            self.at += 1;
            t.span
        })
    }

    fn take_word(&mut self, word: &str) -> bool {
        let found = self.peek().is_some_and(|t| t.is_word(word));
        self.at += usize::from(found);
        found
    }

    fn expect(&mut self, mark: &str, what: &str) -> Result<Span, Diagnostic> {
        match self.take_span(mark) {
            Some(span) => Ok(span),
            None => match self.peek() {
                Some(found) => Err(Diagnostic::error("expected", found.span, what)
                    .caret(format!("expected `{mark}`, found {}", found.describe()))),
                None => Err(self.missing(&format!("`{mark}`")).note(what)),
            },
        }
    }

    fn end(&self, place: &str) -> Result<(), Diagnostic> {
        match self.peek() {
            None => Ok(()),
            Some(token) => Err(Diagnostic::error(
                "trailing",
                token.span,
                format!("nothing is expected {place}, but there is {}", token.describe()),
            )
            .caret("remove this")),
        }
    }

    fn bytes(&mut self, what: &str) -> Result<(String, Span, Vec<u8>), Diagnostic> {
        match self.next() {
            Some(Token { kind: Kind::Text(text), span }) => {
                Ok((String::from_utf8_lossy(text).into_owned(), *span, text.clone()))
            }
            Some(other) => Err(Diagnostic::error("expected-text", other.span, what)
                .caret(format!("expected a text, found {}", other.describe()))),
            None => Err(self.missing("a text in double quotes").note(what)),
        }
    }

    fn text(&mut self, what: &str) -> Result<(String, Span), Diagnostic> {
        self.bytes(what).map(|(text, span, _)| (text, span))
    }

    fn missing(&self, what: &str) -> Diagnostic {
        let end = self.line.end;
        Diagnostic::error("unfinished", Span::new(end, end), "the line ends too early")
            .caret(format!("expected {what}"))
    }

    fn enter(&mut self) -> Result<(), Diagnostic> {
        self.depth += 1;
        if self.depth <= DEEPEST {
            return Ok(());
        }
        Err(Diagnostic::error("too-deep", self.line, "this expression is nested too deeply")
            .caret(format!("at most {DEEPEST} levels")))
    }

    fn leave(&mut self) {
        self.depth -= 1;
    }
}
