//! Removes the markup of a statement: HTML, TeX and Markdown become plain text in which formulas are marked.

/// Marks the beginning and the end of a formula.
pub(super) const FORMULA: char = '\u{1}';

/// The signs of formulas and their meanings: `signs.tsv`.
const SIGNS: &str = include_str!("signs.tsv");

/// Returns the signs of a kind with their meanings, as the table spells them.
fn signs_of(kind: &str) -> impl Iterator<Item = (&'static str, &'static str)> {
    SIGNS.lines().filter_map(move |line| line.strip_prefix(kind)?.strip_prefix('\t')?.split_once('\t'))
}

/// Returns the characters of a meaning in the table, which has `∅` for none.
fn spell_meaning(meaning: &str) -> impl Iterator<Item = char> {
    meaning.chars().filter(|c| *c != '∅').map(|c| match c {
        '␣' => ' ',
        '¶' => '\n',
        c => c,
    })
}

/// Returns the meaning of a command of TeX, which is empty if it has none.
pub(super) fn command_meaning(name: &str) -> impl Iterator<Item = char> {
    let meaning = signs_of("command").find(|(command, _)| *command == name).map(|(_, meaning)| meaning);
    spell_meaning(meaning.unwrap_or_default())
}

/// Returns the meaning of a character, which is the character itself if it has no other.
pub(super) fn character_meaning(c: char) -> impl Iterator<Item = char> {
    let meaning = match c {
        _ if c.is_ascii() => None,
        '\u{a0}' => Some(" "),
        '\u{2009}' | '\u{202f}' => Some(""),
        _ => signs_of("character").find(|(character, _)| character.starts_with(c)).map(|(_, meaning)| meaning),
    };
    spell_meaning(meaning.unwrap_or_default()).chain(meaning.is_none().then_some(c))
}

/// Returns a statement as plain text. Formulas are between [`FORMULA`] marks.
pub(super) fn plain_text(text: &str) -> String {
    let text = strip_tags(&without_bullets(&without_comments(text)));
    let spell = |sign: &str| spell_meaning(sign).collect::<String>();
    let text = signs_of("entity").fold(text, |text, (from, to)| text.replace(&spell(from), &spell(to)));
    let plain: String = replace_tex(&text).chars().flat_map(character_meaning).collect();
    // `10¹⁸` has a sign for each digit.
    plain.replace("^1^", "^1")
}

/// Returns a text of TeX without its comments, and any other text as it is.
fn without_comments(text: &str) -> String {
    if !["\\begin{", "\\section", "\\problemname"].iter().any(|command| text.contains(command)) {
        return text.to_owned();
    }
    let without_comment = |line: &str| {
        let signs = line.match_indices('%').map(|(at, _)| at);
        let mut comments = signs.filter(|at| !line[..*at].ends_with('\\'));
        comments.next().map_or_else(|| line.to_owned(), |at| line[..at].to_owned())
    };
    let is_comment = |line: &&str| line.trim_start().starts_with('%');
    text.split('\n').filter(|line| !is_comment(line)).map(without_comment).collect::<Vec<_>>().join("\n")
}

/// Replaces the marks of the items of a list in Markdown by blank lines: after a number, `- 1` is no difference.
fn without_bullets(text: &str) -> String {
    let without_bullet = |line: &str| {
        let item = line.trim_start();
        let text = ["- ", "* ", "+ "].iter().find_map(|bullet| item.strip_prefix(bullet));
        text.map_or_else(|| line.to_owned(), |text| format!("\n{text}"))
    };
    text.split('\n').map(without_bullet).collect::<Vec<_>>().join("\n")
}

/// Returns what the braces at the beginning of a text enclose, if that is short.
fn braced(text: &str) -> Option<&str> {
    /// Maximum number of bytes to read, so that unclosed braces do not take long.
    const MAX_BYTES: usize = 2000;
    let inside = text.strip_prefix('{')?;
    let mut depth = 0;
    for (at, c) in inside.char_indices().take_while(|(at, _)| *at < MAX_BYTES) {
        match c {
            '{' => depth += 1,
            '}' if depth == 0 => return Some(&inside[..at]),
            '}' => depth -= 1,
            _ => {}
        }
    }
    None
}

/// Returns the length of the name of a command at the beginning of a text.
pub(super) fn command_length(text: &str) -> usize {
    text.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(text.len())
}

/// Maximum length of a tag in bytes, with its brackets.
const MAX_TAG_LENGTH: usize = 200;

/// Removes the tags of HTML. Subscripts and superscripts stay, and what is set as a variable becomes a formula.
fn strip_tags(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('<') {
        plain.push_str(&rest[..at]);
        rest = &rest[at..];
        let end = rest.bytes().take(MAX_TAG_LENGTH).position(|byte| byte == b'>').filter(|end| is_tag(&rest[1..*end]));
        let Some(end) = end else {
            plain.push('<');
            rest = &rest[1..];
            continue;
        };
        let tag = rest[1..end].trim_start_matches('/');
        let name = tag.split(|c: char| !c.is_ascii_alphanumeric()).next().unwrap_or_default().to_ascii_lowercase();
        let is_closing = rest[1..].starts_with('/');
        match (name.as_str(), is_closing) {
            ("sub", false) => plain.push_str("_{"),
            ("sup", false) => plain.push_str("^{"),
            ("sub" | "sup", true) => plain.push('}'),
            ("var", _) => plain.push(FORMULA),
            ("p" | "li" | "pre", _) => plain.push_str("\n\n"),
            ("br" | "div" | "h1" | "h2" | "h3" | "h4" | "ul", _) => plain.push('\n'),
            _ => {}
        }
        rest = &rest[end + 1..];
    }
    plain + rest
}

/// Returns true if the text between angle brackets is a tag: two comparisons are not.
fn is_tag(inside: &str) -> bool {
    let name = inside.trim_start_matches('/');
    name.starts_with(|c: char| c.is_ascii_alphabetic()) && !inside.contains(['<', '\n'])
}

/// Maximum number of fractions inside each other.
const MAX_FRACTIONS: usize = 4;

/// Replaces the commands of TeX, and marks formulas.
fn replace_tex(text: &str) -> String {
    replace_tex_within(text, MAX_FRACTIONS)
}

/// The same, of a text with at most so many fractions inside each other.
fn replace_tex_within(text: &str, fractions: usize) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let after = &rest[c.len_utf8()..];
        match c {
            '$' => {
                plain.push(FORMULA);
                rest = after.trim_start_matches('$');
            }
            '\\' => rest = replace_command(after, fractions, &mut plain),
            // A copy has the limits beside the sign: `∑i=1mki`.
            '∑' => {
                plain.push_str(" sum of ");
                rest = match after.as_bytes() {
                    [b'a'..=b'z', b'=', b'0'..=b'9', last, ..] if last.is_ascii_alphanumeric() => &after[4..],
                    _ => after,
                };
            }
            // A space where no line ends.
            '~' => {
                plain.push(' ');
                rest = after;
            }
            _ => {
                plain.push(c);
                rest = after;
            }
        }
    }
    plain
}

/// Appends the meaning of a command, and returns the text after it.
fn replace_command<'t>(after: &'t str, fractions: usize, plain: &mut String) -> &'t str {
    let length = command_length(after);
    let name = &after[..length];
    if name.is_empty() {
        let Some(c) = after.chars().next() else { return after };
        match c {
            // A thin space groups digits.
            ',' | '!' => {}
            // Wider ones separate names.
            ';' | ':' | '>' => plain.push(' '),
            '(' | ')' | '[' | ']' => plain.push(FORMULA),
            _ => plain.push(c),
        }
        return &after[c.len_utf8()..];
    }
    if name == "not" && after[length..].trim_start().starts_with('=') {
        plain.push('!');
        return after[length..].trim_start();
    }
    if let ("begin" | "end", Some((inside, rest))) = (name, argument(&after[length..])) {
        // The name may be a heading: `\begin{Input}`.
        plain.extend(["\n\n", if name == "begin" { inside } else { "" }, "\n\n"]);
        return without_options(rest);
    }
    if let ("frac" | "dfrac" | "tfrac", Some(inner)) = (name, fractions.checked_sub(1))
        && let Some(above) = braced(&after[length..])
        && let rest = &after[length + above.len() + 2..]
        && let Some(below) = braced(rest)
    {
        plain.push_str(&format!("({})/({})", replace_tex_within(above, inner), replace_tex_within(below, inner)));
        return &rest[below.len() + 2..];
    }
    if let ("mathrm" | "mathit", Some((inside, rest))) = (name, argument(&after[length..])) {
        // A name of several letters may have a subscript.
        plain.push_str(inside);
        return rest;
    }
    if signs_of("silent").any(|(command, _)| command == name) {
        let rest = without_options(&after[length..]);
        return argument(rest).map_or(rest, |(_, rest)| rest);
    }
    plain.extend(command_meaning(name));
    if name == "sum" {
        return without_limits(&after[length..]);
    }
    &after[length..]
}

/// Returns the text behind the limits of a sum: `_{i=1}^n`.
fn without_limits(text: &str) -> &str {
    let mut rest = text.strip_prefix("\\limits").unwrap_or(text).trim_start_matches(' ');
    while let Some(limit) = rest.strip_prefix(['_', '^']) {
        let length = braced(limit).map(|inside| inside.len() + 2).or(limit.chars().next().map(char::len_utf8));
        rest = limit[length.unwrap_or(0)..].trim_start_matches(' ');
    }
    rest
}

/// Returns the text behind the options in brackets that it begins with.
fn without_options(text: &str) -> &str {
    text.strip_prefix('[').and_then(|options| options.split_once(']')).map_or(text, |(_, rest)| rest)
}

/// Splits a text after the argument in braces that it begins with.
fn argument(text: &str) -> Option<(&str, &str)> {
    text.strip_prefix('{')?.split_once('}')
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::panic, reason = "tests")]
    use super::*;

    #[test]
    fn bounds_of_all_markups_read_the_same() {
        let spellings = [
            "1 ≤ n ≤ 2⋅10⁵",
            "$1 \\le n \\leq 2 \\cdot 10^{5}$",
            "1 &le; <i>n</i> &le; 2&middot;10<sup>5</sup>",
            "\\(1 \\leqslant n \\leqslant 2\\times10^5\\)",
        ];
        for spelling in spellings {
            let plain: String = plain_text(spelling).chars().filter(|c| !c.is_whitespace() && *c != FORMULA).collect();
            assert_eq!(plain.replace(['{', '}'], ""), "1<=n<=2*10^5", "{spelling}");
        }
    }

    #[test]
    fn comments_of_tex_are_left_out() {
        let text = "\\section*{Input}\n% An older text: $n < 3$\nOne $n$. % or two\n5\\% more.\n";
        assert_eq!(plain_text(text).lines().skip(1).collect::<Vec<_>>(), ["One \u{1}n\u{1}. ", "5% more."]);
        assert_eq!(plain_text("# Input\n5 % more\n% 3"), "# Input\n5 % more\n% 3");
    }

    #[test]
    fn comparisons_are_no_tags() {
        assert_eq!(strip_tags("1 < a < b and b > 2"), "1 < a < b and b > 2");
    }
}
