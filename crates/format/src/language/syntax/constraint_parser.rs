//! Parser for the lines of the where part.

use super::term_parser::{parse_expression, parse_term_list};
use super::token_cursor::TokenCursor;
use super::{
    COMPARISON_SIGNS, ComparisonChain, SyntaxFieldKind, SyntaxFormula, SyntaxProperty, SyntaxRule, SyntaxTerm,
    SyntaxTermKind,
};
use crate::language::logical_line::LogicalLine;
use crate::language::tokenizer::{FormatToken, FormatTokenKind};
use rebut_diagnostics::{Diagnostic, Span, suggestion_for};

/// Parses a line of the where part.
pub(super) fn parse_constraint_line(line: &LogicalLine) -> Result<Vec<SyntaxRule>, Diagnostic> {
    let first = line.tokens.first();
    let starts = |word: &str| first.is_some_and(|t| t.is_word(word));
    let called = line.tokens.get(1).is_some_and(|t| t.is_mark("("));
    if starts("edges") && called
        || starts("parents") && matches!(line.tokens.get(1), Some(FormatToken { kind: FormatTokenKind::Name(_), .. }))
    {
        return parse_graph(line).map(|rule| vec![rule]);
    }
    if starts("polygon") && called {
        return parse_polygon(line).map(|rule| vec![rule]);
    }
    if starts("subtask") {
        return parse_subtask(line).map(|rule| vec![rule]);
    }
    if is_guarded(line) {
        return parse_guarded(line).map(|formula| vec![SyntaxRule::Formula(formula, span_with_body(line))]);
    }
    if let Some(inner) = line.body.first() {
        return Err(Diagnostic::error("stray-indent", inner.token_span(), "a constraint has no block of its own")
            .with_caret("expected one constraint per line"));
    }
    let span = line.token_span();
    let mut cursor = TokenCursor::for_line(line);
    if starts("let") {
        return parse_constant(&mut cursor, span).map(|rule| vec![rule]);
    }
    if let Some(word) = ["validator", "generator"].into_iter().find(|word| starts(word)) {
        return parse_external(word, &mut cursor).map(|rule| vec![rule]);
    }
    parse_statement(&mut cursor, span)
}

/// `validator "..."`, `generator "..."`
fn parse_external(word: &str, cursor: &mut TokenCursor) -> Result<SyntaxRule, Diagnostic> {
    cursor.next_token();
    let (text, span) = cursor.expect_quoted(&format!("`{word}` takes a text in double quotes"))?;
    let text = String::from_utf8_lossy(&text.unescaped).into_owned();
    cursor.expect_end("after the text")?;
    Ok(match word {
        "generator" => SyntaxRule::Generator { command: text, span },
        _ => SyntaxRule::Validator { command: text, span },
    })
}

/// `let MOD = 10^9 + 7`
fn parse_constant(cursor: &mut TokenCursor, span: Span) -> Result<SyntaxRule, Diagnostic> {
    cursor.next_token();
    let name = cursor.expect_name("`let` needs a name for the constant")?;
    cursor.expect_mark("=", "`let` needs a value: `let MOD = 10^9 + 7`")?;
    let value = parse_expression(cursor)?;
    cursor.expect_end("after the value")?;
    Ok(SyntaxRule::Let { name, value, span })
}

/// Parses `subtask small (20): N <= 10`, with the constraints on the same line or indented below. `subtask full (80)`
/// has no constraints, and a name alone selects a subtask.
fn parse_subtask(line: &LogicalLine) -> Result<SyntaxRule, Diagnostic> {
    let (span, mut cursor) = (line.token_span(), TokenCursor::for_line(line));
    cursor.next_token();
    let name = match cursor.peek_token().map(|t| &t.kind) {
        Some(FormatTokenKind::Number(number)) => {
            cursor.next_token();
            number.to_string()
        }
        _ => cursor.expect_name("a subtask has a name or a number")?,
    };
    let points = if cursor.accept_mark("(") {
        let points = parse_expression(&mut cursor)?;
        cursor.expect_mark(")", "the points of a subtask are written in brackets")?;
        Some(points)
    } else {
        None
    };
    if cursor.peek_token().is_none() && line.body.is_empty() {
        let rules = points.is_some().then(Vec::new);
        return Ok(SyntaxRule::Subtask { name, points, rules, span });
    }
    cursor.expect_mark(":", "`subtask ...:` ends with a colon")?;
    cursor.expect_end("after the colon")?;
    let mut rules = Vec::new();
    for inner in &line.body {
        rules.extend(parse_constraint_line(inner)?);
    }
    Ok(SyntaxRule::Subtask { name, points, rules: Some(rules), span })
}

/// Parses `edges (u, v) on 1..n: simple, connected` and `parents p of 2..n on 1..n: tree`, with the properties on the
/// same line or indented below.
fn parse_graph(line: &LogicalLine) -> Result<SyntaxRule, Diagnostic> {
    let (span, mut cursor) = (line.token_span(), TokenCursor::for_line(line));
    let parents = cursor.accept_word("parents");
    if !parents {
        cursor.next_token();
    }
    let what = parse_expression(&mut cursor)?;
    let children = if parents {
        cursor.expect_word("of", "`of` and the range of the children, as in `parents p of 2..n on 1..n`")?;
        Some(Box::new(parse_range(&mut cursor)?))
    } else {
        None
    };
    cursor.expect_word("on", "`on` and the range of the vertices, as in `on 1..n`")?;
    let vertices = Box::new(parse_range(&mut cursor)?);
    let condition = (!parents && cursor.accept_word("if"))
        .then(|| parse_comparison(&mut cursor, "a comparison, as in `if type = 1`"))
        .transpose()?;
    let properties = parse_properties(line, &mut cursor, "after the vertices")?;
    Ok(match children {
        Some(children) => SyntaxRule::Parents { name: what, children, vertices, properties, span },
        None => {
            let problem =
                |span| Diagnostic::error("edge-ends", span, "an edge has two ends").with_caret("expected `(u, v)`");
            SyntaxRule::Edges { ends: Box::new(split_pair(what, problem)?), vertices, condition, properties, span }
        }
    })
}

/// Parses the condition under which a line is an edge, or a block is there.
pub(super) fn parse_comparison(cursor: &mut TokenCursor, what: &str) -> Result<ComparisonChain, Diagnostic> {
    let chain = parse_chain(cursor)?;
    if chain.signs.is_empty() { Err(cursor.unexpected_end_error(what)) } else { Ok(chain) }
}

/// Parses `polygon (x, y): convex, counterclockwise`, with the properties on the same line or indented below.
fn parse_polygon(line: &LogicalLine) -> Result<SyntaxRule, Diagnostic> {
    let (span, mut cursor) = (line.token_span(), TokenCursor::for_line(line));
    cursor.next_token();
    let corner = parse_expression(&mut cursor)?;
    let properties = parse_properties(line, &mut cursor, "after the coordinates")?;
    let problem = |span| {
        Diagnostic::error("polygon-corners", span, "a corner has two coordinates").with_caret("expected `(x, y)`")
    };
    Ok(SyntaxRule::Polygon { corner: Box::new(split_pair(corner, problem)?), properties, span })
}

/// Parses what follows a colon, if there is one, and the lines below.
fn parse_properties(
    line: &LogicalLine,
    cursor: &mut TokenCursor,
    end: &str,
) -> Result<Vec<SyntaxProperty>, Diagnostic> {
    let mut properties = Vec::new();
    if cursor.accept_mark(":") {
        parse_property_words(cursor, &mut properties)?;
    }
    cursor.expect_end(end)?;
    for inner in &line.body {
        parse_property_words(&mut TokenCursor::for_line(inner), &mut properties)?;
    }
    Ok(properties)
}

/// Returns the two parts of `(u, v)`.
fn split_pair(both: SyntaxTerm, problem: impl Fn(Span) -> Diagnostic) -> Result<(SyntaxTerm, SyntaxTerm), Diagnostic> {
    let span = both.span;
    let SyntaxTermKind::Tuple(parts) = both.kind else { return Err(problem(span)) };
    <[SyntaxTerm; 2]>::try_from(parts).map(|[first, second]| (first, second)).map_err(|_| problem(span))
}

/// `1..n`
fn parse_range(cursor: &mut TokenCursor) -> Result<(SyntaxTerm, SyntaxTerm), Diagnostic> {
    let first = parse_expression(cursor)?;
    cursor.expect_mark("..", "a range has two ends: `1..n`")?;
    Ok((first, parse_expression(cursor)?))
}

/// The properties of several words.
const PHRASES: [&[&str]; 3] = [&["strongly", "connected"], &["strictly", "convex"], &["no", "straight", "angles"]];

/// Parses words separated by commas, each with or without a bound.
fn parse_property_words(cursor: &mut TokenCursor, found: &mut Vec<SyntaxProperty>) -> Result<(), Diagnostic> {
    while let Some(token) = cursor.next_token() {
        match &token.kind {
            FormatTokenKind::Name(name) => {
                let (mut word, mut span) = (name.clone(), token.span);
                let more = PHRASES.iter().find(|phrase| phrase[0] == word).map_or(&[][..], |phrase| &phrase[1..]);
                for next in more {
                    if cursor.accept_word(next) {
                        word = format!("{word} {next}");
                        span = span.to(cursor.tokens[cursor.at - 1].span);
                    }
                }
                let next = cursor.tokens.get(cursor.at).map(|token| &token.kind);
                let has_number = next.is_some_and(|next| *next != FormatTokenKind::Symbol(","));
                let (mut bound, mut least) = (None, None);
                if cursor.accept_mark("<=") || word == "regular" && has_number {
                    bound = Some(parse_expression(cursor)?);
                } else if word == "depth" && has_number {
                    let (first, last) = parse_range(cursor)?;
                    (least, bound) = (Some(first), Some(last));
                }
                found.push(SyntaxProperty { word, bound, least, span });
            }
            FormatTokenKind::Symbol(",") => {}
            _ => {
                return Err(Diagnostic::error("adjective", token.span, "properties are words")
                    .with_caret("expected a word such as `simple` or `connected`"));
            }
        }
    }
    Ok(())
}

/// Parses a line that starts with the field or expression that it constrains.
fn parse_statement(cursor: &mut TokenCursor, span: Span) -> Result<Vec<SyntaxRule>, Diagnostic> {
    if let Some(rules) = parse_field_kind(cursor)? {
        return Ok(rules);
    }
    let start = cursor.clone();
    if let Some(rule) = parse_permutation(cursor, span)? {
        return Ok(vec![rule]);
    }
    *cursor = start;
    let formula = parse_whole_formula(cursor)?;
    let SyntaxFormula::Chain(mut chain) = formula else { return Ok(vec![SyntaxRule::Formula(formula, span)]) };
    if !chain.signs.is_empty() {
        return Ok(vec![SyntaxRule::Chain(ComparisonChain { span, ..chain })]);
    }
    match chain.lists.remove(0) {
        mut one if one.len() == 1 && matches!(one[0].kind, SyntaxTermKind::Call(..)) => {
            Ok(vec![SyntaxRule::Predicate(one.remove(0))])
        }
        _ => Err(Diagnostic::error("not-a-constraint", span, "this is not a constraint")
            .with_caret("expected a comparison, `over`, `distinct(...)`, `validator` or `shape`")
            .with_help("a constraint compares: `1 <= n <= 100`")),
    }
}

/// Parses `NAMES over "a-z"`, `NAMES one of "push", "pop"`, `NAMES matches "[a-z]+"` or `NAMES real, 6 decimals`.
/// Returns `None` if the line is none of these.
fn parse_field_kind(cursor: &mut TokenCursor) -> Result<Option<Vec<SyntaxRule>>, Diagnostic> {
    let is = |word: &&&str| cursor.tokens.iter().any(|t| t.is_word(word));
    let Some(word) = ["over", "one", "matches", "real"].iter().find(is) else { return Ok(None) };
    let mut ahead = cursor.clone();
    let Ok(names) = parse_term_list(&mut ahead) else { return Ok(None) };
    if !ahead.accept_word(word) {
        return Ok(None);
    }
    *cursor = ahead;
    let mut rules = Vec::new();
    let of = match *word {
        "over" => {
            let (text, span) = cursor.expect_quoted("`over` takes the letters in double quotes: `over \"a-z\"`")?;
            SyntaxFieldKind::Letters(text.letters.clone(), span)
        }
        "one" => SyntaxFieldKind::Words(parse_word_choices(cursor)?),
        "matches" => {
            let (text, span) = cursor.expect_quoted("`matches` takes a regular expression in double quotes")?;
            SyntaxFieldKind::Pattern(String::from_utf8_lossy(&text.raw).into_owned(), span)
        }
        _ => parse_real_kind(cursor, &mut rules)?,
    };
    cursor.expect_end("after the declaration")?;
    rules.insert(0, SyntaxRule::FieldKind { names, of });
    Ok(Some(rules))
}

/// Parses `of "push", "pop"`, after `one`.
fn parse_word_choices(cursor: &mut TokenCursor) -> Result<Vec<(Vec<u8>, Span)>, Diagnostic> {
    cursor.expect_word("of", "`of` and the words, as in `op one of \"push\", \"pop\"`")?;
    let mut found = Vec::new();
    loop {
        let (text, span) = cursor.expect_quoted("write the words in double quotes: `one of \"push\", \"pop\"`")?;
        found.push((text.unescaped.clone(), span));
        if !cursor.accept_mark(",") && cursor.peek_token().is_none() {
            return Ok(found);
        }
    }
}

/// Parses `, 0 <= x <= 1, 0..6 decimals`, after `real`; the bounds are added to `rules`.
fn parse_real_kind(cursor: &mut TokenCursor, rules: &mut Vec<SyntaxRule>) -> Result<SyntaxFieldKind, Diagnostic> {
    let unsaid = |cursor: &TokenCursor| {
        cursor
            .unexpected_end_error("the number of digits after the point, as in `x real, 6 decimals`")
            .with_help("x real, 6 decimals")
    };
    let Some(decimals) = cursor.tokens.iter().position(|t| t.is_word("decimals") || t.is_word("decimal")) else {
        return Err(unsaid(cursor));
    };
    let comma = cursor.tokens[..decimals].iter().rposition(|t| t.is_mark(",")).filter(|comma| *comma >= cursor.at);
    let Some(comma) = comma else { return Err(unsaid(cursor)) };
    if comma > cursor.at {
        let (first, between) = (&cursor.tokens[cursor.at], &cursor.tokens[cursor.at..comma]);
        let mut inside = TokenCursor::new(between, first.span.to(cursor.tokens[comma].span));
        if !inside.accept_mark(",") {
            return Err(unexpected_token_error(first));
        }
        let start = inside.peek_token().map_or(first.span, |t| t.span);
        let bounds = parse_chain(&mut inside)?;
        inside.expect_end("after the bounds")?;
        let end = between.last().map_or(start, |t| t.span);
        rules.push(SyntaxRule::Chain(ComparisonChain { span: start.to(end), ..bounds }));
    }
    cursor.at = comma + 1;
    let least = parse_expression(cursor)?;
    let most = if cursor.accept_mark("..") { parse_expression(cursor)? } else { least.clone() };
    cursor.next_token();
    Ok(SyntaxFieldKind::Real(Box::new((least, most))))
}

/// Parses `p permutation of 1..n`, or returns `None` if the line is something else.
fn parse_permutation(cursor: &mut TokenCursor, span: Span) -> Result<Option<SyntaxRule>, Diagnostic> {
    if !cursor.tokens.iter().any(|t| t.is_word("permutation")) {
        return Ok(None);
    }
    let names = parse_term_list(cursor)?;
    if !cursor.accept_word("permutation") {
        return Ok(None);
    }
    cursor.expect_word("of", "`of` and a range, as in `p permutation of 1..n`")?;
    let values = Box::new(parse_range(cursor)?);
    cursor.expect_end("after the range")?;
    Ok(Some(SyntaxRule::Permutation { names, values, span }))
}

fn is_guarded(line: &LogicalLine) -> bool {
    line.tokens.first().is_some_and(|first| ["if", "forall", "exists"].iter().any(|word| first.is_word(word)))
}

/// Parses `if A: B` and `forall i in 1..n: B`, with B on the same line or indented below.
fn parse_guarded(line: &LogicalLine) -> Result<SyntaxFormula, Diagnostic> {
    let mut cursor = TokenCursor::for_line(line);
    let guard = if cursor.accept_word("if") {
        FormulaGuard::If(parse_formula(&mut cursor)?)
    } else {
        parse_quantifier(&mut cursor)?
    };
    if line.body.is_empty() {
        if let FormulaGuard::If(_) = guard {
            cursor.expect_mark(":", "`if ...:` ends with a colon")?;
            return Err(cursor.unexpected_end_error("the constraint under this condition"));
        }
        // Parse the whole line again, since more may follow the body.
        return parse_whole_formula(&mut TokenCursor::for_line(line));
    }
    cursor.expect_mark(":", "a line with indented constraints below ends with a colon")?;
    cursor.expect_end("after the colon")?;
    let mut parts = Vec::new();
    for inner in &line.body {
        parts.push(match is_guarded(inner) {
            true => parse_guarded(inner)?,
            false => parse_whole_formula(&mut TokenCursor::for_line(inner))?,
        });
    }
    let body = if parts.len() == 1 { parts.remove(0) } else { SyntaxFormula::All(parts) };
    Ok(guard.wrap_formula(body, span_with_body(line)))
}

fn span_with_body(line: &LogicalLine) -> Span {
    line.body.last().map_or(line.token_span(), |last| line.token_span().to(span_with_body(last)))
}

/// The part before the colon.
enum FormulaGuard {
    If(SyntaxFormula),
    Quantifier { every: bool, name: String, range: Box<(SyntaxTerm, SyntaxTerm)> },
}

impl FormulaGuard {
    fn wrap_formula(self, body: SyntaxFormula, span: Span) -> SyntaxFormula {
        match self {
            FormulaGuard::If(condition) => SyntaxFormula::Implies(Box::new((condition, body))),
            FormulaGuard::Quantifier { every, name, range } => {
                SyntaxFormula::Quantified { every, name, range, body: Box::new(body), span }
            }
        }
    }
}

/// `forall i in 1..n`
fn parse_quantifier(cursor: &mut TokenCursor) -> Result<FormulaGuard, Diagnostic> {
    let every = cursor.peek_is_word("forall");
    cursor.next_token();
    let name = cursor.expect_name("a quantifier needs a variable: `forall i in 1..n: ...`")?;
    cursor.expect_word("in", "`in` and a range, as in `forall i in 1..n: ...`")?;
    let range = Box::new(parse_range(cursor)?);
    Ok(FormulaGuard::Quantifier { every, name, range })
}

/// Parses a formula up to the end of the line.
fn parse_whole_formula(cursor: &mut TokenCursor) -> Result<SyntaxFormula, Diagnostic> {
    let formula = parse_formula(cursor)?;
    cursor.next_token().map_or(Ok(formula), |token| Err(unexpected_token_error(token)))
}

/// Parses comparisons combined by `=>`, `or`, `and` and `not`, from the weakest to the strongest operator.
fn parse_formula(cursor: &mut TokenCursor) -> Result<SyntaxFormula, Diagnostic> {
    cursor.parse_nested(|inner| {
        let condition = parse_joined(inner, "or", SyntaxFormula::Any, |part| {
            parse_joined(part, "and", SyntaxFormula::All, parse_simple_formula)
        })?;
        let Some(arrow) = inner.accept_mark_span("=>") else { return Ok(condition) };
        if matches!(&condition, SyntaxFormula::Chain(chain) if chain.signs.is_empty()) {
            return Err(Diagnostic::error("not-a-condition", arrow, "`=>` means: if this, then that")
                .with_caret("expected a comparison before it")
                .with_help("greater or equal is `>=`"));
        }
        Ok(SyntaxFormula::Implies(Box::new((condition, parse_formula(inner)?))))
    })
}

fn parse_joined(
    cursor: &mut TokenCursor,
    word: &str,
    join: fn(Vec<SyntaxFormula>) -> SyntaxFormula,
    part: impl Fn(&mut TokenCursor) -> Result<SyntaxFormula, Diagnostic>,
) -> Result<SyntaxFormula, Diagnostic> {
    let first = part(cursor)?;
    if !cursor.peek_is_word(word) {
        return Ok(first);
    }
    let mut parts = vec![first];
    while cursor.accept_word(word) {
        parts.push(part(cursor)?);
    }
    Ok(join(parts))
}

fn parse_simple_formula(cursor: &mut TokenCursor) -> Result<SyntaxFormula, Diagnostic> {
    if cursor.accept_word("not") {
        return Ok(SyntaxFormula::Not(Box::new(cursor.parse_nested(parse_simple_formula)?)));
    }
    if cursor.peek_is_word("forall") || cursor.peek_is_word("exists") {
        let start = cursor.peek_token().map_or(Span::default(), |t| t.span);
        let guard = parse_quantifier(cursor)?;
        cursor.expect_mark(":", "a quantifier is followed by a colon")?;
        let body = parse_formula(cursor)?;
        let end = cursor.tokens[cursor.at - 1].span;
        return Ok(guard.wrap_formula(body, start.to(end)));
    }
    if cursor.accept_word("if") {
        let condition = parse_formula(cursor)?;
        cursor.expect_mark(":", "a condition is followed by a colon")?;
        return Ok(SyntaxFormula::Implies(Box::new((condition, parse_formula(cursor)?))));
    }
    if is_comparison_in_brackets(cursor) {
        cursor.next_token();
        let inner = parse_formula(cursor)?;
        cursor.expect_mark(")", "expected `)`")?;
        return Ok(inner);
    }
    parse_chain(cursor).map(SyntaxFormula::Chain)
}

/// Returns true if the next token opens a parenthesized formula, which is not part of an expression.
fn is_comparison_in_brackets(cursor: &TokenCursor) -> bool {
    if !cursor.peek_is_mark("(") {
        return false;
    }
    let mut depth = 0;
    for token in &cursor.tokens[cursor.at..] {
        depth += i32::from(token.is_mark("(")) - i32::from(token.is_mark(")"));
        if depth == 0 {
            return false;
        }
        if COMPARISON_SIGNS.iter().any(|sign| token.is_mark(sign)) {
            return true;
        }
    }
    false
}

/// Parses lists of terms with operators between them; a single list is a chain without operators.
pub(super) fn parse_chain(cursor: &mut TokenCursor) -> Result<ComparisonChain, Diagnostic> {
    let mut lists = vec![parse_term_list(cursor)?];
    let mut signs = Vec::new();
    while let Some((sign, token)) =
        cursor.peek_token().and_then(|t| Some((COMPARISON_SIGNS.iter().copied().find(|m| t.is_mark(m))?, t)))
    {
        cursor.next_token();
        signs.push((sign, token.span));
        lists.push(parse_term_list(cursor)?);
    }
    let first = lists.first().and_then(|l| l.first()).map_or(Span::default(), |t| t.span);
    let last = lists.last().and_then(|l| l.last()).map_or(first, |t| t.span);
    Ok(ComparisonChain { lists, signs, span: first.to(last) })
}

fn unexpected_token_error(token: &FormatToken) -> Diagnostic {
    let problem = Diagnostic::error("unexpected", token.span, format!("{} is not expected here", token.display_text()))
        .with_caret("expected a comparison operator or the end of the line");
    match &token.kind {
        FormatTokenKind::Name(name) => {
            match suggestion_for(name, ["over", "permutation", "matches", "real", "and", "or"]) {
                Some(help) => problem.with_help(help),
                None => problem,
            }
        }
        FormatTokenKind::Number(_) => problem.with_help("digits cannot be grouped: write `10000` or `10^4`"),
        FormatTokenKind::Symbol(":") => problem.with_help("write one constraint per line; no block can be opened here"),
        _ => problem,
    }
}
