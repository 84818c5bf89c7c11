//! The text of a finder expression, such as `wa fails and time(slow) > 3 * time(fast)`, as a tree.
//!
//! ```text
//! condition   = conjunction { "or" conjunction }
//! conjunction = negation { "and" negation }
//! negation    = "not" negation | "(" condition ")" | statement
//! statement   = NAME "fails" | NAME "passes" | NAME "is" VERDICT | product COMPARISON product
//! product     = operand { "*" operand }
//! operand     = NUMBER | TEXT | ("answer" | "time" | "memory" | "score") "(" NAME ")"
//! ```

use crate::verdict::{Verdict, VerdictSet};
use rebut_diagnostics::{Diagnostic, Span, suggestion_for, suggestion_or};
use std::cmp::Ordering;

/// A parsed expression.
#[derive(Debug, PartialEq)]
pub struct Expression {
    /// When it holds.
    pub condition: Condition,
    /// The programs that it mentions, by their places among all names. The tree has places in this list.
    pub programs: Vec<usize>,
}

/// A condition on the runs of several programs on one input.
#[derive(Debug, PartialEq)]
pub enum Condition {
    /// Any of these, or all of them.
    Group {
        /// Whether one of them is enough.
        is_any: bool,
        /// The conditions.
        parts: Vec<Condition>,
    },
    /// This does not hold.
    Not(Box<Condition>),
    /// A program has one of these verdicts.
    Verdict(usize, VerdictSet),
    /// How the left side may relate to the right one.
    Compare(&'static [Option<Ordering>], Operand, Operand),
}

/// One side of a comparison.
#[derive(Debug, PartialEq)]
pub enum Operand {
    /// A number; a time is in seconds.
    Number(f64),
    /// A text in quotes.
    Text(String),
    /// A property of the run of a program.
    Measured(Measure, usize),
    /// Two operands, multiplied.
    Product(Box<Operand>, Box<Operand>),
}

/// A property of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Measure {
    /// Its output.
    Answer,
    /// Processor time in seconds.
    Time,
    /// Peak of memory in MiB.
    Memory,
    /// Points, from 0 to 100 if the judge gives none.
    Score,
}

const MEASURES: [(&str, Measure); 4] =
    [("answer", Measure::Answer), ("time", Measure::Time), ("memory", Measure::Memory), ("score", Measure::Score)];

const EQUAL: Option<Ordering> = Some(Ordering::Equal);
const LESS: Option<Ordering> = Some(Ordering::Less);
const GREATER: Option<Ordering> = Some(Ordering::Greater);

/// The comparisons, the longest signs first, with the relations that each allows. Values without an order only differ.
const COMPARISONS: [(&str, &[Option<Ordering>]); 7] = [
    ("==", &[EQUAL]),
    ("!=", &[LESS, GREATER, None]),
    ("<=", &[LESS, EQUAL]),
    (">=", &[GREATER, EQUAL]),
    ("=", &[EQUAL]),
    ("<", &[LESS]),
    (">", &[GREATER]),
];

/// Maximum depth of parentheses and `not`.
const MAX_DEPTH: usize = 64;

/// The words that can follow the name of a program.
const PREDICATES: [&str; 3] = ["fails", "passes", "is"];

const STATEMENT_HELP: &str =
    "conditions are `x fails`, `x passes`, `x is WA`, and comparisons such as `answer(x) != answer(y)`";

type Parsed<T> = Result<T, Diagnostic>;

/// Parses an expression. `names` has the names of each program, of which any may be used; without it, any word is one.
///
/// # Errors
/// Returns the first error, with its place in the text.
pub fn parse_expression(text: &str, names: Option<&[Vec<String>]>) -> Parsed<Expression> {
    let (tokens, end) = (split_tokens(text)?, Span::new(text.len(), text.len()));
    let mut parser = Parser { tokens, at: 0, depth: 0, end, names, programs: Vec::new() };
    let condition = parser.parse_condition()?;
    match parser.tokens.get(parser.at) {
        None => Ok(Expression { condition, programs: parser.programs }),
        Some(token) => Err(syntax_error(token.span, format!("`{}` follows a complete condition", token.text))
            .with_help("join conditions with `and` or `or`")),
    }
}

#[derive(Clone, Copy)]
struct Token<'t> {
    text: &'t str,
    span: Span,
    is_quoted: bool,
}

/// Splits a text into names and numbers, quoted texts, and signs.
fn split_tokens(text: &str) -> Parsed<Vec<Token<'_>>> {
    let is_word = |c: char| c.is_alphanumeric() || "_./-".contains(c);
    let mut tokens = Vec::new();
    let mut at = 0;
    while let Some(first) = text[at..].chars().next() {
        let rest = &text[at..];
        let mut signs = COMPARISONS.iter().map(|(sign, _)| *sign).chain(["(", ")", "*"]);
        let length = match first {
            _ if first.is_whitespace() => {
                at += first.len_utf8();
                continue;
            }
            '"' => match rest[1..].find('"') {
                Some(end) => end + 2,
                None => return Err(syntax_error(Span::new(at, text.len()), "the quote is not closed")),
            },
            _ if is_word(first) => rest.find(|c| !is_word(c)).unwrap_or(rest.len()),
            _ => signs.find(|sign| rest.starts_with(sign)).map(str::len).ok_or_else(|| {
                let span = Span::new(at, at + first.len_utf8());
                syntax_error(span, format!("`{first}` has no meaning here"))
                    .with_help("put names with other characters in double quotes")
            })?,
        };
        let quote = usize::from(first == '"');
        let span = Span::new(at, at + length);
        tokens.push(Token { text: &rest[quote..length - quote], span, is_quoted: first == '"' });
        at += length;
    }
    Ok(tokens)
}

fn syntax_error(span: Span, message: impl Into<String>) -> Diagnostic {
    Diagnostic::error("finder-syntax", span, message)
}

struct Parser<'t> {
    tokens: Vec<Token<'t>>,
    at: usize,
    depth: usize,
    /// The end of the text.
    end: Span,
    /// The names of each program, if they are known.
    names: Option<&'t [Vec<String>]>,
    programs: Vec<usize>,
}

impl<'t> Parser<'t> {
    /// Returns true and goes on if the next token is this word or sign.
    fn take(&mut self, text: &str) -> bool {
        let is_next = self.tokens.get(self.at).is_some_and(|token| !token.is_quoted && token.text == text);
        self.at += usize::from(is_next);
        is_next
    }

    fn next(&mut self, wanted: &str) -> Parsed<Token<'t>> {
        self.at += 1;
        let missing = || syntax_error(self.end, format!("{wanted} is missing at the end"));
        self.tokens.get(self.at - 1).copied().ok_or_else(missing)
    }

    fn require(&mut self, sign: &str) -> Parsed<()> {
        let span = self.tokens.get(self.at).map_or(self.end, |token| token.span);
        if self.take(sign) { Ok(()) } else { Err(syntax_error(span, format!("`{sign}` is missing here"))) }
    }

    fn parse_condition(&mut self) -> Parsed<Condition> {
        self.parse_group("or", |parser| parser.parse_group("and", Self::parse_negation))
    }

    /// Parses parts with a word between them.
    fn parse_group(&mut self, word: &str, parse: impl Fn(&mut Self) -> Parsed<Condition>) -> Parsed<Condition> {
        let first = parse(self)?;
        let mut parts = vec![first];
        while self.take(word) {
            parts.push(parse(self)?);
        }
        Ok(if parts.len() == 1 { parts.remove(0) } else { Condition::Group { is_any: word == "or", parts } })
    }

    fn parse_negation(&mut self) -> Parsed<Condition> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return Err(syntax_error(self.end, "the expression is nested too deeply"));
        }
        let condition = if self.take("not") {
            Condition::Not(Box::new(self.parse_negation()?))
        } else if self.take("(") {
            let inner = self.parse_condition()?;
            self.require(")")?;
            inner
        } else {
            self.parse_statement()?
        };
        self.depth -= 1;
        Ok(condition)
    }

    /// Parses what a program does, or a comparison.
    fn parse_statement(&mut self) -> Parsed<Condition> {
        let follows = self.tokens.get(self.at + 1).filter(|token| PREDICATES.contains(&token.text) && !token.is_quoted);
        let Some(follows) = follows.map(|token| token.text) else { return self.parse_comparison() };
        let program = self.parse_program()?;
        self.at += 1;
        let verdicts = match follows {
            "fails" => Verdict::ALL.into_iter().filter(|one| one.is_rejection()).collect(),
            "passes" => vec![Verdict::Accepted],
            _ => vec![self.parse_verdict()?],
        };
        Ok(Condition::Verdict(program, VerdictSet::from_verdicts(&verdicts)))
    }

    fn parse_verdict(&mut self) -> Parsed<Verdict> {
        let codes = Verdict::ALL.map(Verdict::code);
        let token = self.next("a verdict")?;
        let verdict = Verdict::from_code(&token.text.to_uppercase()).filter(|_| !token.is_quoted);
        verdict.ok_or_else(|| {
            let message = format!("`{}` is not a verdict", token.text);
            let all = format!("verdicts are {}", codes.join(", "));
            Diagnostic::error("finder-verdict", token.span, message).with_help(suggestion_or(token.text, codes, &all))
        })
    }

    fn parse_comparison(&mut self) -> Parsed<Condition> {
        let left = self.parse_product()?;
        let token = self.next("a comparison")?;
        let known = COMPARISONS.iter().find(|(sign, _)| !token.is_quoted && *sign == token.text);
        let (_, allowed) = known.ok_or_else(|| {
            syntax_error(token.span, format!("`{}` is not a comparison", token.text)).with_help(STATEMENT_HELP)
        })?;
        Ok(Condition::Compare(allowed, left, self.parse_product()?))
    }

    fn parse_product(&mut self) -> Parsed<Operand> {
        let mut product = self.parse_operand()?;
        while self.take("*") {
            product = Operand::Product(Box::new(product), Box::new(self.parse_operand()?));
        }
        Ok(product)
    }

    fn parse_operand(&mut self) -> Parsed<Operand> {
        let Token { text, span, is_quoted } = self.next("a condition")?;
        if is_quoted {
            return Ok(Operand::Text(text.to_owned()));
        }
        if let Some(number) = parse_number(text) {
            return Ok(Operand::Number(number));
        }
        if let Some((_, measure)) = MEASURES.iter().find(|(name, _)| *name == text) {
            self.require("(")?;
            let program = self.parse_program()?;
            self.require(")")?;
            return Ok(Operand::Measured(*measure, program));
        }
        let names = self.names.into_iter().flatten().flatten().map(String::as_str);
        if self.names.is_none() || names.clone().any(|name| name == text) {
            let follows = self.tokens.get(self.at);
            let meant = follows.and_then(|token| suggestion_for(token.text, PREDICATES));
            let span = follows.filter(|_| meant.is_some()).map_or(span, |token| token.span);
            let help = meant.unwrap_or_else(|| STATEMENT_HELP.to_owned());
            return Err(syntax_error(span, format!("what does `{text}` do?")).with_help(help));
        }
        let problem = syntax_error(span, format!("`{text}` is neither a program nor a number"));
        let words = MEASURES.iter().map(|(name, _)| *name).chain(names);
        Err(problem.with_help(suggestion_or(text, words, STATEMENT_HELP)))
    }

    /// Parses the name of a program, and returns its place in the list of those that are mentioned.
    fn parse_program(&mut self) -> Parsed<usize> {
        let Token { text, span, .. } = self.next("the name of a program")?;
        let Some(names) = self.names else { return Ok(0) };
        let mut matching = names.iter().enumerate().filter(|(_, names)| names.iter().any(|name| name == text));
        let problem = |message| Diagnostic::error("finder-program", span, message);
        match (matching.next(), matching.next()) {
            (Some((program, _)), None) => {
                let known = self.programs.iter().position(|known| *known == program);
                self.programs.extend(known.is_none().then_some(program));
                Ok(known.unwrap_or(self.programs.len() - 1))
            }
            (Some((_, one)), Some((_, other))) => {
                let help = format!("write `{}` or `{}`", one.join("`, `"), other.join("`, `"));
                Err(problem(format!("`{text}` is the name of several programs")).with_help(help))
            }
            (None, _) => {
                let mut unknown = problem(format!("there is no program `{text}`"));
                unknown.help = suggestion_for(text, names.iter().flatten().map(String::as_str));
                Err(unknown)
            }
        }
    }
}

/// Parses a number; one with `s` or `ms` is a time in seconds.
fn parse_number(text: &str) -> Option<f64> {
    let starts_as_number = text.trim_start_matches('-').starts_with(|c: char| c.is_ascii_digit());
    let (digits, unit) = match text.strip_suffix("ms") {
        Some(digits) => (digits, 1e-3),
        None => (text.strip_suffix('s').unwrap_or(text), 1.0),
    };
    digits.parse::<f64>().ok().filter(|_| starts_as_number).map(|number| number * unit)
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test may panic")]
mod tests {
    use super::*;
    use rebut_diagnostics::SourceText;

    fn parse(text: &str) -> Parsed<Expression> {
        let names = [vec!["wa.cpp", "wa"], vec!["tle.cpp", "tle"], vec!["wa.py", "wa"], vec!["2fast.cpp", "2fast"]];
        let names: Vec<Vec<String>> =
            names.iter().map(|all| all.iter().map(|one| (*one).to_owned()).collect()).collect();
        parse_expression(text, Some(&names))
    }

    fn verdict(program: usize, verdict: Verdict) -> Condition {
        Condition::Verdict(program, VerdictSet::from_verdicts(&[verdict]))
    }

    #[test]
    fn and_binds_more_than_or() {
        let (wa, tle) = (|| verdict(0, Verdict::WrongAnswer), || verdict(1, Verdict::Accepted));
        let group = |is_any, parts| Condition::Group { is_any, parts };
        let parsed = parse("wa.py is wa and tle passes or not tle.cpp passes").unwrap();
        assert_eq!(parsed.programs, [2, 1]);
        let any = group(true, vec![group(false, vec![wa(), tle()]), Condition::Not(Box::new(tle()))]);
        assert_eq!(parsed.condition, any);
        let grouped = parse("wa.cpp is WA and (tle passes or tle passes)").unwrap();
        assert_eq!(grouped.condition, group(false, vec![wa(), group(true, vec![tle(), tle()])]));
    }

    #[test]
    fn comparisons_have_numbers_texts_and_products() {
        let condition = |text: &str| parse(text).unwrap().condition;
        let time = |program| Operand::Measured(Measure::Time, program);
        let product = Operand::Product(Box::new(Operand::Number(3.0)), Box::new(time(1)));
        assert_eq!(condition("time(tle)>3*time(2fast)"), Condition::Compare(&[GREATER], time(0), product));
        let late = Condition::Compare(&[GREATER, EQUAL], time(0), Operand::Number(0.5));
        assert_eq!(condition("time(tle) >= 500ms"), late);
        let answer = Operand::Measured(Measure::Answer, 0);
        let text = Condition::Compare(&[LESS, GREATER, None], answer, Operand::Text("NO WAY".to_owned()));
        assert_eq!(condition("answer(tle) != \"NO WAY\""), text);
    }

    #[test]
    fn errors_have_a_place_and_a_suggestion() {
        let cases = [
            ("", "finder-syntax 1 a condition is missing at the end"),
            ("tle fials", "finder-syntax 5 what does `tle` do?; did you mean `fails`?"),
            ("tel fails", "finder-program 1 there is no program `tel`; did you mean `tle`?"),
            (
                "wa fails",
                "finder-program 1 `wa` is the name of several programs; write `wa.cpp`, `wa` or `wa.py`, `wa`",
            ),
            ("tle is WAA", "finder-verdict 8 `WAA` is not a verdict; did you mean `WA`?"),
            ("tle fails tle passes", "finder-syntax 11 `tle` follows a complete condition"),
            ("tle fails and", "finder-syntax 14 a condition is missing at the end"),
            ("(tle fails", "finder-syntax 11 `)` is missing here"),
            ("answr(tle) = 1", "finder-syntax 1 `answr` is neither a program nor a number; did you mean `answer`?"),
            ("answer(tle = 1", "finder-syntax 12 `)` is missing here"),
            ("time(tle)", "finder-syntax 10 a comparison is missing at the end"),
            ("time(tle) fails 3", "finder-syntax 11 `fails` is not a comparison"),
            ("tle \u{2713}", "finder-syntax 5 `\u{2713}` has no meaning here"),
            ("\"tle", "finder-syntax 1 the quote is not closed"),
        ];
        for (text, expected) in cases {
            let problem = parse(text).unwrap_err();
            let (_, column) = SourceText::new("--find", text).line_column(problem.span.start);
            let help = problem.help.filter(|help| help.starts_with("did") || help.starts_with("write"));
            let help = help.map(|help| format!("; {help}")).unwrap_or_default();
            assert_eq!(format!("{} {column} {}{help}", problem.code, problem.message), expected, "{text}");
        }
        for (text, message) in [("a fails and b is AC", None), ("a fials", Some("what does `a` do?"))] {
            assert_eq!(parse_expression(text, None).err().map(|problem| problem.message).as_deref(), message);
        }
        assert!(parse(&"(".repeat(100_000)).is_err() && parse(&"not ".repeat(100_000)).is_err());
    }
}
