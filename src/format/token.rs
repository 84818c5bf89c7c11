//! Text to tokens: the smallest pieces of a format.

use crate::diagnostic::{Diagnostic, Span, shorten};

/// What a token is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// A name or a keyword.
    Name(String),
    /// A whole number, `10`, `2e5`.
    Number(i128),
    /// A number with digits after the point, `0.5`, `1e-9`: its digits, and how many of them stand after the point.
    Decimal(i128, u32),
    /// Text in double quotes.
    Text(Quoted),
    /// One character in single quotes.
    Letter(u8),
    /// An operator or a bracket, in its ASCII spelling.
    Mark(&'static str),
}

/// What stands in double quotes, as those who read it need it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Quoted {
    /// The characters that are meant: a backslash takes the next one as it is.
    pub(super) plain: Vec<u8>,
    /// The same, but a backslash stays before a `-` that it was written before: such a one makes no range.
    pub(super) letters: Vec<u8>,
    /// As written, for regular expressions; only before the quote is there no backslash.
    pub(super) raw: Vec<u8>,
}

/// A token and its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Token {
    pub(super) kind: Kind,
    pub(super) span: Span,
}

impl Token {
    pub(super) fn is(&self, mark: &str) -> bool {
        matches!(&self.kind, Kind::Mark(m) if *m == mark)
    }

    pub(super) fn is_word(&self, word: &str) -> bool {
        matches!(&self.kind, Kind::Name(name) if name == word)
    }

    /// The token as messages name it.
    pub(super) fn describe(&self) -> String {
        match &self.kind {
            Kind::Name(name) => format!("`{name}`"),
            Kind::Number(number) => format!("`{number}`"),
            Kind::Decimal(..) => "a number with a point".to_owned(),
            Kind::Text(text) => format!("the text \"{}\"", shorten(&text.plain, 20)),
            Kind::Letter(letter) => format!("the letter '{}'", shorten(&[*letter], 4)),
            Kind::Mark(mark) => format!("`{mark}`"),
        }
    }
}

/// No real has more digits after the point: as many before it still fit.
pub(super) const MOST_DECIMALS: u32 = 18;

/// Every spelling of an operator, longest first, with the one that the parser knows it by.
/// Statements are pasted from the web, so the typographic signs are as good as the ASCII ones.
const MARKS: &[(&str, &str)] = &[
    ("<=", "<="),
    (">=", ">="),
    ("==", "="),
    ("=>", "=>"),
    ("⇒", "=>"),
    ("!=", "!="),
    ("<>", "!="),
    ("..", ".."),
    ("≤", "<="),
    ("≥", ">="),
    ("≠", "!="),
    ("×", "*"),
    ("·", "*"),
    ("−", "-"),
    ("<", "<"),
    (">", ">"),
    ("=", "="),
    ("+", "+"),
    ("-", "-"),
    ("*", "*"),
    ("/", "/"),
    ("%", "%"),
    ("^", "^"),
    ("(", "("),
    (")", ")"),
    ("[", "["),
    ("]", "]"),
    ("{", "{"),
    ("}", "}"),
    (",", ","),
    (":", ":"),
    (";", ";"),
];

/// Splits one line's text, which starts at `offset` in the source, into tokens. Comments are dropped.
pub(super) fn tokens(line: &str, offset: usize, problems: &mut Vec<Diagnostic>) -> Vec<Token> {
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(first) = line[at..].chars().next() {
        if first == '#' {
            break;
        }
        // Some editors begin each file with a byte order mark, which nobody sees.
        if first.is_whitespace() || first == '\u{feff}' && offset + at == 0 {
            at += first.len_utf8();
            continue;
        }
        let (kind, length) = one(&line[at..], offset + at, problems);
        if let Some(kind) = kind {
            found.push(Token { kind, span: Span::new(offset + at, offset + at + length) });
        }
        at += length.max(1);
    }
    found
}

/// The token at the start of `rest` and its length in bytes; no token if it is not one (a problem is noted).
fn one(rest: &str, offset: usize, problems: &mut Vec<Diagnostic>) -> (Option<Kind>, usize) {
    let first = rest.chars().next().unwrap_or(' ');
    if first.is_ascii_alphabetic() || first == '_' {
        let length = rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(rest.len());
        return (Some(Kind::Name(rest[..length].to_owned())), length);
    }
    if first.is_ascii_digit() {
        return decimal(rest, offset, problems).unwrap_or_else(|| number(rest, offset, problems));
    }
    if first == '"' || first == '\'' {
        return quoted(rest, first, offset, problems);
    }
    let is_dots = rest.starts_with(DOTS);
    if let Some((spelling, mark)) = MARKS.iter().find(|(spelling, _)| !is_dots && rest.starts_with(spelling)) {
        return (Some(Kind::Mark(mark)), spelling.len());
    }
    let length = if is_dots { DOTS.len() } else { first.len_utf8() };
    problems.push(stray(&rest[..length], offset));
    (None, length)
}

/// What statements write between the first number of a sequence and its last.
const DOTS: &str = "...";

fn stray(spelling: &str, offset: usize) -> Diagnostic {
    let span = Span::new(offset, offset + spelling.len());
    let shown = spelling.escape_debug();
    let problem = Diagnostic::error("stray-character", span, format!("`{shown}` has no meaning in a format"));
    match habit(spelling) {
        Some(help) => problem.caret("not written like this").help(help),
        None => problem
            .caret("remove this")
            .note("names are made of ASCII letters, digits and `_`; a comment starts with `#`"),
    }
}

/// How that is written here for which statements have this.
fn habit(spelling: &str) -> Option<&'static str> {
    match spelling {
        "|" => Some("the length of `s` is `len(s)`, the absolute value of `x` is `abs(x)`"),
        "²" | "³" | "¹" | "⁰" | "⁴" | "⁵" | "⁶" | "⁷" | "⁸" | "⁹" => {
            Some("powers are written with `^`: `10^9`")
        }
        DOTS | "…" => Some("an array of `n` numbers is written `a[n]`"),
        _ => None,
    }
}

/// A number with a point or a negative exponent; none if the text starts with another kind of number.
fn decimal(rest: &str, offset: usize, problems: &mut Vec<Diagnostic>) -> Option<(Option<Kind>, usize)> {
    let digits = |text: &str| text.len() - text.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let whole = digits(rest);
    let mut length = whole;
    let mut after = 0;
    if rest[whole..].starts_with('.') {
        after = digits(&rest[whole + 1..]);
        length += if after > 0 { 1 + after } else { 0 };
    }
    let mut shift = 0;
    if let Some(exponent) = rest[length..].strip_prefix("e-").or_else(|| rest[length..].strip_prefix("E-")) {
        let written = digits(exponent);
        shift = exponent[..written].parse::<usize>().ok().filter(|_| written > 0)?;
        length += 2 + written;
    }
    if after == 0 && shift == 0 {
        return None;
    }
    let span = Span::new(offset, offset + length);
    let all: String = rest[..length].chars().take_while(|c| !matches!(c, 'e' | 'E')).filter(|c| *c != '.').collect();
    let places = u32::try_from(after + shift).ok().filter(|places| *places <= MOST_DECIMALS);
    match all.parse::<i128>().ok().filter(|n| *n <= super::LARGEST).zip(places) {
        Some((number, places)) => Some((Some(Kind::Decimal(number, places)), length)),
        None => {
            problems.push(
                Diagnostic::error("bad-number", span, "this number has too many digits")
                    .caret(format!("at most {MOST_DECIMALS} of them after the point")),
            );
            Some((Some(Kind::Number(1)), length))
        }
    }
}

fn number(rest: &str, offset: usize, problems: &mut Vec<Diagnostic>) -> (Option<Kind>, usize) {
    let length = rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(rest.len());
    let text = &rest[..length];
    let span = Span::new(offset, offset + length);
    let (digits, exponent) = text.split_once(['e', 'E']).unwrap_or((text, "0"));
    let value = digits.parse::<i128>().ok().zip(exponent.parse::<u32>().ok());
    let value = value.and_then(|(digits, exponent)| digits.checked_mul(10_i128.checked_pow(exponent)?));
    let Some(value) = value.filter(|v| *v <= super::LARGEST) else {
        problems.push(bad_number(text, span));
        return (Some(Kind::Number(1)), length);
    };
    if digits == "10" && exponent != "0" {
        problems.push(
            Diagnostic::warning("ten-e", span, format!("`{text}` is 10 × 10^{exponent}"))
                .caret("ten times more than it may look like")
                .help(format!("write `10^{exponent}` or `1e{exponent}` for 10^{exponent}")),
        );
    }
    (Some(Kind::Number(value)), length)
}

fn bad_number(text: &str, span: Span) -> Diagnostic {
    let digits = text.len() - text.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let rest = text[digits..].replace('_', "");
    if rest.is_empty() || rest.strip_prefix(['e', 'E']).is_some_and(|e| e.parse::<u128>().is_ok()) {
        return Diagnostic::error("bad-number", span, "this number is too large").caret("at most 10^36");
    }
    let problem = Diagnostic::error("bad-number", span, format!("`{text}` is neither a number nor a name"));
    if rest.bytes().all(|b| b.is_ascii_digit()) {
        return problem.caret("digits are not grouped").help(format!("write `{}`", text.replace('_', "")));
    }
    problem.caret("a name cannot start with a digit").help(format!(
        "a product needs its sign: `{}*{}`",
        &text[..digits],
        &text[digits..]
    ))
}

/// A text or a letter: `"a-z"`, `'S'`. A backslash takes the next character as it is.
fn quoted(rest: &str, quote: char, offset: usize, problems: &mut Vec<Diagnostic>) -> (Option<Kind>, usize) {
    let mut text = Quoted::default();
    let mut letters = rest.char_indices().skip(1);
    while let Some((i, letter)) = letters.next() {
        if letter == quote {
            let span = Span::new(offset, offset + i + 1);
            return (Some(finish_quoted(text, quote, span, problems)), i + 1);
        }
        let plain = if letter == '\\' { letters.next().map_or('\\', |(_, c)| c) } else { letter };
        let is_escaped = letter == '\\';
        text.letters.extend((is_escaped && plain == '-').then_some(b'\\'));
        text.raw.extend((is_escaped && plain != quote).then_some(b'\\'));
        for bytes in [&mut text.plain, &mut text.letters, &mut text.raw] {
            bytes.extend(plain.encode_utf8(&mut [0; 4]).bytes());
        }
    }
    let span = Span::new(offset, offset + rest.trim_end().len());
    problems.push(
        Diagnostic::error("open-quote", span, "this quotation mark is never closed")
            .caret(format!("expected {quote} before the end of the line")),
    );
    // It was meant to end somewhere: most likely where the word does.
    for bytes in [&mut text.plain, &mut text.letters] {
        bytes.truncate(bytes.iter().position(u8::is_ascii_whitespace).unwrap_or(bytes.len()));
    }
    let first = text.plain.first().copied();
    (Some(if quote == '"' { Kind::Text(text) } else { Kind::Letter(first.unwrap_or(b'?')) }), rest.len())
}

fn finish_quoted(text: Quoted, quote: char, span: Span, problems: &mut Vec<Diagnostic>) -> Kind {
    if quote == '"' {
        return Kind::Text(text);
    }
    let letter = &text.plain;
    if letter.len() != 1 {
        problems.push(
            Diagnostic::error("not-one-letter", span, "single quotes hold exactly one character")
                .caret("not one ASCII character")
                .help("texts of several characters stand in double quotes"),
        );
    }
    Kind::Letter(letter.first().copied().unwrap_or(b'?'))
}
