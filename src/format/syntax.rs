//! Logical lines to a syntax tree: what was written, before any name is looked up.

use super::lines::Line;
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
    /// Fields that stand on one line of the input.
    Fields(Vec<Field>),
    /// `cases T:` or `repeat M:`.
    Repeat { cases: bool, count: Term, body: Vec<LayoutLine>, span: Span },
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
    /// A predicate alone on its line: `distinct(a)`.
    Predicate(Term),
    /// `validator "program arguments"`.
    Validator { command: String, span: Span },
    /// `shape "name"`: a bespoke shape that belongs to this format.
    Shape { name: String },
}

/// The words that no field can be called.
pub(super) const KEYWORDS: &[&str] = &["cases", "repeat", "where", "over", "validator", "shape"];

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
    result.map_err(|problem| problems.push(problem)).ok()
}

fn layout_line(
    line: Line,
    rules: &mut Vec<WrittenRule>,
    problems: &mut Vec<Diagnostic>,
) -> Result<LayoutLine, Diagnostic> {
    let span = line.span();
    let mut cursor = Cursor::new(&line.tokens, span);
    let keyword = ["cases", "repeat"].into_iter().find(|word| line.tokens.first().is_some_and(|t| t.is_word(word)));
    let Some(keyword) = keyword else {
        if let Some(sign) = line.tokens.iter().find(|t| ["<=", "<", ">=", ">", "=", "!="].iter().any(|m| t.is(m))) {
            return Err(Diagnostic::error("missing-where", sign.span, "a constraint stands in the layout")
                .caret("the layout only lists what the input's lines hold")
                .help("put the constraints under a line `where:`"));
        }
        return fields(&mut cursor).map(LayoutLine::Fields);
    };
    cursor.next();
    let count = expression(&mut cursor)?;
    cursor.expect(":", &format!("`{keyword} COUNT:` ends with a colon"))?;
    cursor.end("after the colon")?;
    if line.body.is_empty() {
        return Err(Diagnostic::error("empty-block", span, format!("`{keyword}` has nothing to repeat"))
            .caret("expected indented lines below"));
    }
    let body = layout(line.body, rules, problems);
    Ok(LayoutLine::Repeat { cases: keyword == "cases", count, body, span })
}

fn fields(cursor: &mut Cursor) -> Result<Vec<Field>, Diagnostic> {
    let mut found = Vec::new();
    while let Some(token) = cursor.next() {
        let Kind::Name(name) = &token.kind else {
            let problem = Diagnostic::error("not-a-field", token.span, format!("{} is not a field", token.describe()))
                .caret("expected a name");
            return Err(if token.is(",") {
                problem.help("fields are separated as the tokens of the input are: by a space")
            } else {
                problem
            });
        };
        if KEYWORDS.contains(&name.as_str()) {
            return Err(Diagnostic::error("keyword", token.span, format!("`{name}` is a word of the language"))
                .caret("a field needs another name"));
        }
        let mut field = Field { name: name.clone(), span: token.span, dimensions: Vec::new() };
        while cursor.take("[") {
            field.dimensions.push(if cursor.peek_is("]") { None } else { Some(expression(cursor)?) });
            let close = cursor.expect("]", "a dimension ends with `]`")?;
            field.span = field.span.to(close);
        }
        found.push(field);
    }
    Ok(found)
}

fn where_line(line: &Line) -> Result<WrittenRule, Diagnostic> {
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

fn chain(cursor: &mut Cursor, span: Span) -> Result<WrittenRule, Diagnostic> {
    let mut lists = vec![list(cursor)?];
    let mut signs = Vec::new();
    if cursor.take_word("over") {
        let (_, letters_span, letters) = cursor.bytes("`over` takes the letters in double quotes: `over \"a-z\"`")?;
        cursor.end("after the letters")?;
        return Ok(WrittenRule::Over { names: lists.remove(0), letters, letters_span });
    }
    while let Some(token) = cursor.next() {
        let Some(sign) = ["<=", "<", ">=", ">", "=", "!="].into_iter().find(|m| token.is(m)) else {
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
        Kind::Name(name) => match nearest(name, ["over"]) {
            Some(word) => problem.help(format!("did you mean `{word}`?")),
            None => problem,
        },
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
    while let Some(sign) = signs.iter().find(|sign| cursor.peek_is(sign)) {
        cursor.next();
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
        Kind::Number(number) => juxtaposed(cursor, Term { kind: TermKind::Number(*number), span }),
        Kind::Letter(letter) => Ok(Term { kind: TermKind::Letter(*letter), span }),
        Kind::Name(name) if KEYWORDS.contains(&name.as_str()) => {
            Err(Diagnostic::error("keyword", span, format!("`{name}` is a word of the language"))
                .caret("expected a number or a name"))
        }
        Kind::Name(name) if cursor.peek_is("(") => call(cursor, name.clone(), span),
        Kind::Name(name) => Ok(Term { kind: TermKind::Name(name.clone()), span }),
        Kind::Mark("(") => parenthesis(cursor, span),
        _ => Err(Diagnostic::error("not-a-value", span, format!("{} is not a value", token.describe()))
            .caret("expected a number or a name")),
    }
}

/// `2n` is a product on paper; here it must be written out, so it is named rather than misread.
fn juxtaposed(cursor: &mut Cursor, number: Term) -> Result<Term, Diagnostic> {
    match cursor.peek() {
        Some(Token { kind: Kind::Name(name), span }) if span.start == number.span.end => {
            Err(Diagnostic::error("missing-times", number.span.to(*span), "a product needs its sign")
                .caret(format!("write `*` before `{name}`")))
        }
        _ => Ok(number),
    }
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
