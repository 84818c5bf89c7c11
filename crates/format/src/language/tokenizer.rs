//! Splits the text of a format into tokens.

use rebut_diagnostics::{Diagnostic, Span, shorten_text};

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum FormatTokenKind {
    /// A name or a keyword.
    Name(String),
    /// An integer: `10`, `2e5`.
    Number(i128),
    /// A decimal number, `0.5`, `1e-9`: its digits, and how many of them follow the point.
    Decimal(i128, u32),
    /// A text in double quotes.
    Text(QuotedText),
    /// A character in single quotes.
    Letter(u8),
    /// An operator or a bracket, in its ASCII spelling.
    Symbol(&'static str),
}

/// A text in double quotes, in the forms that its users need.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct QuotedText {
    /// The characters without escapes: a backslash takes the next character literally.
    pub(super) unescaped: Vec<u8>,
    /// The same, except that `-` and the backslash keep theirs: an escaped `-` makes no range.
    pub(super) letters: Vec<u8>,
    /// As written, for regular expressions; only the backslash before a quote is dropped.
    pub(super) raw: Vec<u8>,
}

/// A token and its location.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct FormatToken {
    pub(super) kind: FormatTokenKind,
    pub(super) span: Span,
}

impl FormatToken {
    pub(super) fn is_mark(&self, mark: &str) -> bool {
        matches!(&self.kind, FormatTokenKind::Symbol(m) if *m == mark)
    }

    pub(super) fn is_word(&self, word: &str) -> bool {
        matches!(&self.kind, FormatTokenKind::Name(name) if name == word)
    }

    /// Returns the token as messages name it.
    pub(super) fn display_text(&self) -> String {
        match &self.kind {
            FormatTokenKind::Name(name) => format!("`{name}`"),
            FormatTokenKind::Number(number) => format!("`{number}`"),
            FormatTokenKind::Decimal(..) => "a decimal number".to_owned(),
            FormatTokenKind::Text(text) => format!("the text \"{}\"", shorten_text(&text.unescaped, 20)),
            FormatTokenKind::Letter(letter) => format!("the letter '{}'", shorten_text(&[*letter], 4)),
            FormatTokenKind::Symbol(mark) => format!("`{mark}`"),
        }
    }
}

/// Maximum number of digits after the decimal point; as many before it still fit.
pub(super) const MAX_DECIMALS: u32 = 18;

/// All spellings of the operators, longest first, with the canonical spelling for the parser. Statements are pasted
/// from the web, so typographic signs are accepted as well as ASCII.
const OPERATOR_SPELLINGS: &[(&str, &str)] = &[
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

/// Splits the text of a line, which starts at `offset` in the source, into tokens. Comments are dropped.
pub(super) fn tokenize_line(line: &str, offset: usize, problems: &mut Vec<Diagnostic>) -> Vec<FormatToken> {
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(first) = line[at..].chars().next() {
        if first == '#' {
            break;
        }
        // Some editors begin files with an invisible byte order mark.
        if first.is_whitespace() || first == '\u{feff}' && offset + at == 0 {
            at += first.len_utf8();
            continue;
        }
        let (kind, length) = read_token(&line[at..], offset + at, problems);
        if let Some(kind) = kind {
            found.push(FormatToken { kind, span: Span::new(offset + at, offset + at + length) });
        }
        at += length.max(1);
    }
    found
}

/// Reads the token at the start of `rest` and returns it with its length in bytes. The token is `None` if it is
/// invalid; the problem is reported.
fn read_token(rest: &str, offset: usize, problems: &mut Vec<Diagnostic>) -> (Option<FormatTokenKind>, usize) {
    let first = rest.chars().next().unwrap_or(' ');
    if first.is_ascii_alphabetic() || first == '_' {
        let length = rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(rest.len());
        return (Some(FormatTokenKind::Name(rest[..length].to_owned())), length);
    }
    if first.is_ascii_digit() {
        return read_decimal(rest, offset, problems).unwrap_or_else(|| read_number(rest, offset, problems));
    }
    if first == '"' || first == '\'' {
        return read_quoted(rest, first, offset, problems);
    }
    let is_dots = rest.starts_with(ELLIPSIS);
    if let Some((spelling, mark)) =
        OPERATOR_SPELLINGS.iter().find(|(spelling, _)| !is_dots && rest.starts_with(spelling))
    {
        return (Some(FormatTokenKind::Symbol(mark)), spelling.len());
    }
    let length = if is_dots { ELLIPSIS.len() } else { first.len_utf8() };
    problems.push(stray_character_error(&rest[..length], offset));
    (None, length)
}

/// The usual mark between the first and the last number of a sequence in statements.
const ELLIPSIS: &str = "...";

fn stray_character_error(spelling: &str, offset: usize) -> Diagnostic {
    let span = Span::new(offset, offset + spelling.len());
    let shown = spelling.escape_debug();
    let problem = Diagnostic::error("stray-character", span, format!("`{shown}` has no meaning in a format"));
    match notation_hint(spelling) {
        Some(help) => problem.with_caret("not written like this").with_help(help),
        None => problem
            .with_caret("remove this")
            .with_note("names are made of ASCII letters, digits and `_`; a comment starts with `#`"),
    }
}

/// Returns a hint about how the format language writes a notation of statements.
fn notation_hint(spelling: &str) -> Option<&'static str> {
    match spelling {
        "|" => Some("the length of `s` is `len(s)`, the absolute value of `x` is `abs(x)`"),
        "²" | "³" | "¹" | "⁰" | "⁴" | "⁵" | "⁶" | "⁷" | "⁸" | "⁹" => {
            Some("powers are written with `^`: `10^9`")
        }
        ELLIPSIS | "…" => Some("an array of `n` numbers is written `a[n]`"),
        _ => None,
    }
}

/// Reads a number with a decimal point or a negative exponent. Returns `None` if the text starts with another kind of
/// number.
fn read_decimal(rest: &str, offset: usize, problems: &mut Vec<Diagnostic>) -> Option<(Option<FormatTokenKind>, usize)> {
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
    let places = u32::try_from(after + shift).ok().filter(|places| *places <= MAX_DECIMALS);
    match all.parse::<i128>().ok().filter(|n| *n <= super::MAX_NUMBER).zip(places) {
        Some((number, places)) => Some((Some(FormatTokenKind::Decimal(number, places)), length)),
        None => {
            problems.push(
                Diagnostic::error("bad-number", span, "this number has too many digits")
                    .with_caret(format!("at most {MAX_DECIMALS} digits after the point")),
            );
            Some((Some(FormatTokenKind::Number(1)), length))
        }
    }
}

fn read_number(rest: &str, offset: usize, problems: &mut Vec<Diagnostic>) -> (Option<FormatTokenKind>, usize) {
    let length = rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(rest.len());
    let text = &rest[..length];
    let span = Span::new(offset, offset + length);
    let (digits, exponent) = text.split_once(['e', 'E']).unwrap_or((text, "0"));
    let value = digits.parse::<i128>().ok().zip(exponent.parse::<u32>().ok());
    let value = value.and_then(|(digits, exponent)| digits.checked_mul(10_i128.checked_pow(exponent)?));
    let Some(value) = value.filter(|v| *v <= super::MAX_NUMBER) else {
        problems.push(bad_number_error(text, span));
        return (Some(FormatTokenKind::Number(1)), length);
    };
    if digits == "10" && exponent != "0" {
        problems.push(
            Diagnostic::warning("ten-e", span, format!("`{text}` is 10 × 10^{exponent}"))
                .with_caret("ten times as large as it looks")
                .with_help(format!("write `10^{exponent}` or `1e{exponent}` for 10^{exponent}")),
        );
    }
    (Some(FormatTokenKind::Number(value)), length)
}

fn bad_number_error(text: &str, span: Span) -> Diagnostic {
    let digits = text.len() - text.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let rest = text[digits..].replace('_', "");
    if rest.is_empty() || rest.strip_prefix(['e', 'E']).is_some_and(|e| e.parse::<u128>().is_ok()) {
        return Diagnostic::error("bad-number", span, "this number is too large").with_caret("at most 10^36");
    }
    let problem = Diagnostic::error("bad-number", span, format!("`{text}` is neither a number nor a name"));
    if rest.bytes().all(|b| b.is_ascii_digit()) {
        return problem.with_caret("digits cannot be grouped").with_help(format!("write `{}`", text.replace('_', "")));
    }
    problem.with_caret("a name cannot start with a digit").with_help(format!(
        "write products with `*`: `{}*{}`",
        &text[..digits],
        &text[digits..]
    ))
}

/// Reads a text or a letter: `"a-z"`, `'S'`. A backslash takes the next character literally.
fn read_quoted(
    rest: &str,
    quote: char,
    offset: usize,
    problems: &mut Vec<Diagnostic>,
) -> (Option<FormatTokenKind>, usize) {
    let mut text = QuotedText::default();
    let mut letters = rest.char_indices().skip(1);
    while let Some((i, letter)) = letters.next() {
        if letter == quote {
            let span = Span::new(offset, offset + i + 1);
            return (Some(quoted_token(text, quote, span, problems)), i + 1);
        }
        let plain = if letter == '\\' { letters.next().map_or('\\', |(_, c)| c) } else { letter };
        let is_escaped = letter == '\\';
        text.letters.extend((is_escaped && matches!(plain, '-' | '\\')).then_some(b'\\'));
        text.raw.extend((is_escaped && plain != quote).then_some(b'\\'));
        for bytes in [&mut text.unescaped, &mut text.letters, &mut text.raw] {
            bytes.extend(plain.encode_utf8(&mut [0; 4]).bytes());
        }
    }
    let span = Span::new(offset, offset + rest.trim_end().len());
    problems.push(
        Diagnostic::error("open-quote", span, "this quotation mark is never closed")
            .with_caret(format!("expected {quote} before the end of the line")),
    );
    // To recover, the text ends at the first space.
    for bytes in [&mut text.unescaped, &mut text.letters] {
        bytes.truncate(bytes.iter().position(u8::is_ascii_whitespace).unwrap_or(bytes.len()));
    }
    let first = text.unescaped.first().copied();
    (
        Some(if quote == '"' { FormatTokenKind::Text(text) } else { FormatTokenKind::Letter(first.unwrap_or(b'?')) }),
        rest.len(),
    )
}

fn quoted_token(text: QuotedText, quote: char, span: Span, problems: &mut Vec<Diagnostic>) -> FormatTokenKind {
    if quote == '"' {
        return FormatTokenKind::Text(text);
    }
    let letter = &text.unescaped;
    if letter.len() != 1 {
        problems.push(
            Diagnostic::error("not-one-letter", span, "single quotes must contain exactly one character")
                .with_caret("not one ASCII character")
                .with_help("write texts of several characters in double quotes"),
        );
    }
    FormatTokenKind::Letter(letter.first().copied().unwrap_or(b'?'))
}

// The words of a format's text, for editors, which have to look at texts that cannot be parsed yet.

/// A word of the text, and its location.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FormatWord {
    /// Its kind.
    pub kind: FormatWordKind,
    /// Its location.
    pub span: Span,
}

/// The kind of a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FormatWordKind {
    /// A name or a keyword.
    Name,
    /// A number.
    Number,
    /// A text or a letter in quotes; one that is never closed ends with its line.
    Quoted,
    /// An operator, a bracket or a separator, in its ASCII spelling.
    Symbol(&'static str),
}

/// Splits the text of a format into words. White space, comments and characters without a meaning are left out. Between
/// two words of one line there are no comments.
///
/// ```
/// use rebut_format::language::{FormatWordKind, split_words};
///
/// let text = "n # the count\na[n]";
/// let names: Vec<&str> = split_words(text)
///     .iter()
///     .filter(|word| word.kind == FormatWordKind::Name)
///     .map(|word| &text[word.span.start..word.span.end])
///     .collect();
/// assert_eq!(names, ["n", "a", "n"]);
/// ```
pub fn split_words(text: &str) -> Vec<FormatWord> {
    let mut words = Vec::new();
    let mut offset = 0;
    for line in text.split_inclusive('\n') {
        words.extend(tokenize_line(line, offset, &mut Vec::new()).into_iter().map(|token| {
            let kind = match token.kind {
                FormatTokenKind::Name(_) => FormatWordKind::Name,
                FormatTokenKind::Number(_) | FormatTokenKind::Decimal(..) => FormatWordKind::Number,
                FormatTokenKind::Text(_) | FormatTokenKind::Letter(_) => FormatWordKind::Quoted,
                FormatTokenKind::Symbol(symbol) => FormatWordKind::Symbol(symbol),
            };
            FormatWord { kind, span: token.span }
        }));
        offset += line.len();
    }
    words
}
