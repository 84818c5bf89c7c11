//! The lines of the where part.

use super::cursor::Cursor;
use super::terms::expression;
use super::{Chain, SIGNS, Term, TermKind, WrittenFormula, WrittenKind, WrittenRule};
use crate::diagnostic::{Diagnostic, Span, nearest};
use crate::format::lines::Line;
use crate::format::token::{Kind, Token};

/// What one line of the where part says.
pub(super) fn where_line(line: &Line) -> Result<Vec<WrittenRule>, Diagnostic> {
    let first = line.tokens.first();
    let starts = |word: &str| first.is_some_and(|t| t.is_word(word));
    let called = line.tokens.get(1).is_some_and(|t| t.is("("));
    if starts("edges") && called
        || starts("parents") && matches!(line.tokens.get(1), Some(Token { kind: Kind::Name(_), .. }))
    {
        return graph(line).map(|rule| vec![rule]);
    }
    if starts("subtask") {
        return subtask(line).map(|rule| vec![rule]);
    }
    if starts("if") || starts("forall") || starts("exists") {
        return guarded(line).map(|formula| vec![WrittenRule::Formula(formula, whole_span(line))]);
    }
    if let Some(inner) = line.body.first() {
        return Err(Diagnostic::error("stray-indent", inner.span(), "a constraint has no block of its own")
            .caret("expected one constraint a line"));
    }
    let span = line.span();
    let mut cursor = Cursor::new(&line.tokens, span);
    if starts("let") {
        return constant(&mut cursor, span).map(|rule| vec![rule]);
    }
    if let Some(word) = ["validator", "generator", "shape"].into_iter().find(|word| starts(word)) {
        return external(word, &mut cursor).map(|rule| vec![rule]);
    }
    statement(&mut cursor, span)
}

/// `validator "..."`, `generator "..."`, `shape "..."`
fn external(word: &str, cursor: &mut Cursor) -> Result<WrittenRule, Diagnostic> {
    cursor.next();
    let (text, span) = cursor.text(&format!("`{word}` takes a text in double quotes"))?;
    cursor.end("after the text")?;
    Ok(match word {
        "shape" => WrittenRule::Shape { name: text, span },
        "generator" => WrittenRule::Generator { command: text, span },
        _ => WrittenRule::Validator { command: text, span },
    })
}

/// `let MOD = 10^9 + 7`
fn constant(cursor: &mut Cursor, span: Span) -> Result<WrittenRule, Diagnostic> {
    cursor.next();
    let (name, _) = cursor.name("`let` gives a constant its name")?;
    cursor.expect("=", "`let` gives a value: `let MOD = 10^9 + 7`")?;
    let value = expression(cursor)?;
    cursor.end("after the value")?;
    Ok(WrittenRule::Let { name, value, span })
}

/// `subtask small (20): N <= 10`, the constraints on the same line or indented below; `subtask full (80)` has none, and a
/// name alone selects.
fn subtask(line: &Line) -> Result<WrittenRule, Diagnostic> {
    let span = line.span();
    let mut cursor = Cursor::new(&line.tokens, span);
    cursor.next();
    let name = match cursor.peek().map(|t| &t.kind) {
        Some(Kind::Number(number)) => {
            cursor.next();
            number.to_string()
        }
        _ => cursor.name("a subtask has a name or a number")?.0,
    };
    let points = if cursor.take("(") {
        let points = expression(&mut cursor)?;
        cursor.expect(")", "the points of a subtask stand in brackets")?;
        Some(points)
    } else {
        None
    };
    if cursor.peek().is_none() && line.body.is_empty() && points.is_none() {
        return Ok(WrittenRule::Subtask { name, points, rules: None, span });
    }
    if cursor.peek().is_none() && line.body.is_empty() {
        return Ok(WrittenRule::Subtask { name, points, rules: Some(Vec::new()), span });
    }
    cursor.expect(":", "`subtask ...:` ends with a colon")?;
    cursor.end("after the colon")?;
    let mut rules = Vec::new();
    for inner in &line.body {
        rules.extend(where_line(inner)?);
    }
    Ok(WrittenRule::Subtask { name, points, rules: Some(rules), span })
}

/// `edges (u, v) on 1..n: simple, connected` and `parents p of 2..n on 1..n: tree`, the adjectives on the same line or
/// indented below.
fn graph(line: &Line) -> Result<WrittenRule, Diagnostic> {
    let span = line.span();
    let mut cursor = Cursor::new(&line.tokens, span);
    let parents = cursor.take_word("parents");
    if !parents {
        cursor.next();
    }
    let what = expression(&mut cursor)?;
    let children = if parents {
        if !cursor.take_word("of") {
            return Err(cursor.missing("`of` and the range of the children, as in `parents p of 2..n on 1..n`"));
        }
        Some(Box::new(range(&mut cursor)?))
    } else {
        None
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
    Ok(match children {
        Some(children) => WrittenRule::Parents { name: what, children, vertices, adjectives, span },
        None => WrittenRule::Edges { ends: Box::new(ends(what)?), vertices, adjectives, span },
    })
}

fn ends(both: Term) -> Result<(Term, Term), Diagnostic> {
    let problem = Diagnostic::error("edge-ends", both.span, "an edge has two ends").caret("expected `(u, v)`");
    let TermKind::Tuple(ends) = both.kind else { return Err(problem) };
    match <[Term; 2]>::try_from(ends) {
        Ok([from, to]) => Ok((from, to)),
        Err(_) => Err(problem),
    }
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

/// A line that starts with the thing it speaks of.
fn statement(cursor: &mut Cursor, span: Span) -> Result<Vec<WrittenRule>, Diagnostic> {
    if let Some(rules) = made(cursor)? {
        return Ok(rules);
    }
    let start = cursor.clone();
    if let Some(rule) = permutation(cursor, span)? {
        return Ok(vec![rule]);
    }
    *cursor = start;
    let formula = formula(cursor)?;
    if let Some(token) = cursor.next() {
        return Err(unexpected(token));
    }
    let WrittenFormula::Chain(mut chain) = formula else { return Ok(vec![WrittenRule::Formula(formula, span)]) };
    if !chain.signs.is_empty() {
        return Ok(vec![WrittenRule::Chain(Chain { span, ..chain })]);
    }
    match chain.lists.remove(0) {
        mut one if one.len() == 1 && matches!(one[0].kind, TermKind::Call(..)) => {
            Ok(vec![WrittenRule::Predicate(one.remove(0))])
        }
        _ => Err(Diagnostic::error("not-a-constraint", span, "this states nothing")
            .caret("expected a comparison, `over`, `distinct(...)`, `validator` or `shape`")
            .help("a constraint compares: `1 <= n <= 100`")),
    }
}

/// `NAMES over "a-z"`, `NAMES one of "push", "pop"`, `NAMES matches "[a-z]+"`, `NAMES real, 6 decimals`; none if the line
/// says something else.
fn made(cursor: &mut Cursor) -> Result<Option<Vec<WrittenRule>>, Diagnostic> {
    let is = |word: &&&str| cursor.tokens.iter().any(|t| t.is_word(word));
    let Some(word) = ["over", "one", "matches", "real"].iter().find(is) else { return Ok(None) };
    let mut ahead = cursor.clone();
    let Ok(names) = list(&mut ahead) else { return Ok(None) };
    if !ahead.take_word(word) {
        return Ok(None);
    }
    *cursor = ahead;
    let mut rules = Vec::new();
    let of = match *word {
        "over" => {
            let (text, span) = cursor.quoted("`over` takes the letters in double quotes: `over \"a-z\"`")?;
            WrittenKind::Letters(text.letters.clone(), span)
        }
        "one" => WrittenKind::Words(choices(cursor)?),
        "matches" => {
            let (text, span) = cursor.quoted("`matches` takes a regular expression in double quotes")?;
            WrittenKind::Pattern(String::from_utf8_lossy(&text.raw).into_owned(), span)
        }
        _ => real(cursor, &mut rules)?,
    };
    cursor.end("after what it is made of")?;
    rules.insert(0, WrittenRule::Made { names, of });
    Ok(Some(rules))
}

/// `of "push", "pop"`, after `one`.
fn choices(cursor: &mut Cursor) -> Result<Vec<(Vec<u8>, Span)>, Diagnostic> {
    if !cursor.take_word("of") {
        return Err(cursor.missing("`of` and the words, as in `op one of \"push\", \"pop\"`"));
    }
    let mut found = Vec::new();
    loop {
        let (text, span) = cursor.quoted("the words stand in double quotes: `one of \"push\", \"pop\"`")?;
        found.push((text.plain.clone(), span));
        if !cursor.take(",") && cursor.peek().is_none() {
            return Ok(found);
        }
    }
}

/// `, 0 <= x <= 1, 0..6 decimals`, after `real`; what stands between goes to `rules`.
fn real(cursor: &mut Cursor, rules: &mut Vec<WrittenRule>) -> Result<WrittenKind, Diagnostic> {
    let unsaid = |cursor: &Cursor| {
        cursor.missing("how many digits stand after the point, as in `x real, 6 decimals`").help("x real, 6 decimals")
    };
    let Some(decimals) = cursor.tokens.iter().position(|t| t.is_word("decimals") || t.is_word("decimal")) else {
        return Err(unsaid(cursor));
    };
    let comma = cursor.tokens[..decimals].iter().rposition(|t| t.is(",")).filter(|comma| *comma >= cursor.at);
    let Some(comma) = comma else { return Err(unsaid(cursor)) };
    if comma > cursor.at {
        let (first, between) = (&cursor.tokens[cursor.at], &cursor.tokens[cursor.at..comma]);
        let mut inside = Cursor::new(between, first.span.to(cursor.tokens[comma].span));
        if !inside.take(",") {
            return Err(unexpected(first));
        }
        let start = inside.peek().map_or(first.span, |t| t.span);
        let bounds = chain(&mut inside)?;
        inside.end("after the bounds")?;
        let end = between.last().map_or(start, |t| t.span);
        rules.push(WrittenRule::Chain(Chain { span: start.to(end), ..bounds }));
    }
    cursor.at = comma + 1;
    let least = expression(cursor)?;
    let most = if cursor.take("..") { expression(cursor)? } else { least.clone() };
    cursor.next();
    Ok(WrittenKind::Real(Box::new((least, most))))
}

/// `p permutation of 1..n`; none if the line says something else.
fn permutation(cursor: &mut Cursor, span: Span) -> Result<Option<WrittenRule>, Diagnostic> {
    if !cursor.tokens.iter().any(|t| t.is_word("permutation")) {
        return Ok(None);
    }
    let names = list(cursor)?;
    if !cursor.take_word("permutation") {
        return Ok(None);
    }
    if !cursor.take_word("of") {
        return Err(cursor.missing("`of` and a range, as in `p permutation of 1..n`"));
    }
    let values = Box::new(range(cursor)?);
    cursor.end("after the range")?;
    Ok(Some(WrittenRule::Permutation { names, values, span }))
}

/// `if A: B`, `forall i in 1..n: B`, with B on the same line or indented below.
fn guarded(line: &Line) -> Result<WrittenFormula, Diagnostic> {
    let span = line.span();
    let mut cursor = Cursor::new(&line.tokens, span);
    let guard = if cursor.take_word("if") { Guard::If(formula(&mut cursor)?) } else { quantifier(&mut cursor)? };
    if line.body.is_empty() {
        if let Guard::If(_) = guard {
            cursor.expect(":", "`if ...:` ends with a colon")?;
            return Err(cursor.missing("what holds under this condition"));
        }
        // The whole line again: more may follow the body.
        let mut cursor = Cursor::new(&line.tokens, span);
        let whole = formula(&mut cursor)?;
        return match cursor.next() {
            Some(token) => Err(unexpected(token)),
            None => Ok(whole),
        };
    }
    cursor.expect(":", "what it is said of ends with a colon")?;
    cursor.end("after the colon")?;
    let mut parts = Vec::new();
    for inner in &line.body {
        let starts = |word: &str| inner.tokens.first().is_some_and(|t| t.is_word(word));
        if starts("if") || starts("forall") || starts("exists") {
            parts.push(guarded(inner)?);
            continue;
        }
        let mut cursor = Cursor::new(&inner.tokens, inner.span());
        parts.push(formula(&mut cursor)?);
        if let Some(token) = cursor.next() {
            return Err(unexpected(token));
        }
    }
    Ok(guard.around(WrittenFormula::All(parts), whole_span(line)))
}

fn whole_span(line: &Line) -> Span {
    line.body.last().map_or(line.span(), |last| line.span().to(whole_span(last)))
}

/// What stands before the colon.
enum Guard {
    If(WrittenFormula),
    Quantifier { every: bool, name: String, range: Box<(Term, Term)> },
}

impl Guard {
    fn around(self, body: WrittenFormula, span: Span) -> WrittenFormula {
        match self {
            Guard::If(condition) => WrittenFormula::Implies(Box::new((condition, body))),
            Guard::Quantifier { every, name, range } => {
                WrittenFormula::Quantified { every, name, range, body: Box::new(body), span }
            }
        }
    }
}

/// `forall i in 1..n`
fn quantifier(cursor: &mut Cursor) -> Result<Guard, Diagnostic> {
    let every = cursor.peek_word("forall");
    cursor.next();
    let (name, _) = cursor.name("a quantifier counts with a name: `forall i in 1..n: ...`")?;
    if !cursor.take_word("in") {
        return Err(cursor.missing("`in` and a range, as in `forall i in 1..n: ...`"));
    }
    let range = Box::new(range(cursor)?);
    Ok(Guard::Quantifier { every, name, range })
}

/// Comparisons with `=>`, `or`, `and`, `not` between them, from the weakest to the strongest.
fn formula(cursor: &mut Cursor) -> Result<WrittenFormula, Diagnostic> {
    cursor.enter()?;
    let condition = joined(cursor, "or", WrittenFormula::Any, |c| joined(c, "and", WrittenFormula::All, simple))?;
    let found = if cursor.peek_is("=>") {
        if let (WrittenFormula::Chain(chain), Some(arrow)) = (&condition, cursor.next())
            && chain.signs.is_empty()
        {
            return Err(Diagnostic::error("not-a-condition", arrow.span, "`=>` means: if this, then that")
                .caret("expected a comparison before it")
                .help("greater or equal is `>=`"));
        }
        WrittenFormula::Implies(Box::new((condition, formula(cursor)?)))
    } else {
        condition
    };
    cursor.leave();
    Ok(found)
}

fn joined(
    cursor: &mut Cursor,
    word: &str,
    join: fn(Vec<WrittenFormula>) -> WrittenFormula,
    part: impl Fn(&mut Cursor) -> Result<WrittenFormula, Diagnostic>,
) -> Result<WrittenFormula, Diagnostic> {
    let first = part(cursor)?;
    if !cursor.peek_word(word) {
        return Ok(first);
    }
    let mut parts = vec![first];
    while cursor.take_word(word) {
        parts.push(part(cursor)?);
    }
    Ok(join(parts))
}

fn simple(cursor: &mut Cursor) -> Result<WrittenFormula, Diagnostic> {
    if cursor.take_word("not") {
        cursor.enter()?;
        let inner = simple(cursor)?;
        cursor.leave();
        return Ok(WrittenFormula::Not(Box::new(inner)));
    }
    if cursor.peek_word("forall") || cursor.peek_word("exists") {
        let start = cursor.peek().map_or(Span::default(), |t| t.span);
        let guard = quantifier(cursor)?;
        cursor.expect(":", "what it is said of follows a colon")?;
        let body = formula(cursor)?;
        let end = cursor.tokens[cursor.at - 1].span;
        return Ok(guard.around(body, start.to(end)));
    }
    if cursor.take_word("if") {
        let condition = formula(cursor)?;
        cursor.expect(":", "what holds under a condition follows a colon")?;
        return Ok(WrittenFormula::Implies(Box::new((condition, formula(cursor)?))));
    }
    if bracket_holds_comparison(cursor) {
        cursor.next();
        let inner = formula(cursor)?;
        cursor.expect(")", "expected `)`")?;
        return Ok(inner);
    }
    chain(cursor).map(WrittenFormula::Chain)
}

/// Whether the next token opens a bracket in which something is compared: then it is no part of an expression.
fn bracket_holds_comparison(cursor: &Cursor) -> bool {
    if !cursor.peek_is("(") {
        return false;
    }
    let mut depth = 0;
    for token in &cursor.tokens[cursor.at..] {
        depth += i32::from(token.is("(")) - i32::from(token.is(")"));
        if depth == 0 {
            return false;
        }
        if SIGNS.iter().any(|sign| token.is(sign)) {
            return true;
        }
    }
    false
}

/// Lists of terms with signs between them; a list alone is a chain without signs.
pub(super) fn chain(cursor: &mut Cursor) -> Result<Chain, Diagnostic> {
    let mut lists = vec![list(cursor)?];
    let mut signs = Vec::new();
    while let Some((sign, token)) = cursor.peek().and_then(|t| Some((SIGNS.iter().copied().find(|m| t.is(m))?, t))) {
        cursor.next();
        signs.push((sign, token.span));
        lists.push(list(cursor)?);
    }
    let first = lists.first().and_then(|l| l.first()).map_or(Span::default(), |t| t.span);
    let last = lists.last().and_then(|l| l.last()).map_or(first, |t| t.span);
    Ok(Chain { lists, signs, span: first.to(last) })
}

fn unexpected(token: &Token) -> Diagnostic {
    let problem = Diagnostic::error("unexpected", token.span, format!("{} is not expected here", token.describe()))
        .caret("expected a comparison sign or the end of the line");
    match &token.kind {
        Kind::Name(name) => match nearest(name, ["over", "permutation", "matches", "real", "and", "or"]) {
            Some(word) => problem.help(format!("did you mean `{word}`?")),
            None => problem,
        },
        Kind::Number(_) => problem.help("digits are not grouped: `10000`, `10^4`"),
        Kind::Mark(":") => problem.help("one constraint a line; a block is not opened here"),
        _ => problem,
    }
}

/// Expressions with commas between them.
pub(super) fn list(cursor: &mut Cursor) -> Result<Vec<Term>, Diagnostic> {
    let mut terms = vec![expression(cursor)?];
    while cursor.take(",") {
        terms.push(expression(cursor)?);
    }
    Ok(terms)
}
