//! Undoes what copying from a page does to formulas. MathJax loses powers and breaks lines, KaTeX gives each formula twice with
//! a sign on each line, and mirrors of problems repeat it as TeX: `1≤n≤105`, `10⏎5`, `1≤n≤1051\le n\le 10^51≤n≤105`.

use super::markup::{character_meaning, command_meaning};
use super::phrases::phrases_of;

/// A text as it was before it was copied.
pub(super) struct RestoredText {
    pub(super) text: String,
    pub(super) powers: Vec<RestoredPower>,
}

/// A number that is read as a power.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct RestoredPower {
    /// The number as the text has it: `105`.
    pub(crate) shown: String,
    /// The power: `10^5`.
    pub(crate) power: String,
}

/// Returns a text with its formulas as they were before it was copied.
pub(super) fn restore_copied(text: &str) -> RestoredText {
    let plain: String = text.chars().map(plain_letter).collect();
    let single = without_signs_on_lines(&plain);
    let joined: String = join_scripts(&single).chars().filter(|c| !is_invisible(*c)).collect();
    let joined = if single.len() < plain.len() { separate_bounds(&joined) } else { joined };
    let unbroken = without_breaks(&without_repetitions(&joined));
    restore_powers(&unbroken)
}

/// Returns true for characters that take no space.
fn is_invisible(c: char) -> bool {
    matches!(c, '\u{ad}' | '\u{200b}'..='\u{200f}' | '\u{2060}'..='\u{2064}' | '\u{feff}')
}

fn is_blank(c: char) -> bool {
    c.is_whitespace() || is_invisible(c)
}

/// Returns the letter or digit that a sign of mathematical alphabets stands for.
fn plain_letter(c: char) -> char {
    const LETTERS: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
    let code = u32::from(c);
    match code {
        0x210e => 'h',
        0x1d400..=0x1d6a3 => char::from(LETTERS[(code - 0x1d400) as usize % LETTERS.len()]),
        0x1d7ce..=0x1d7ff => char::from(b'0' + ((code - 0x1d7ce) % 10) as u8),
        _ => c,
    }
}

/// Returns true if a text has formulas that copying did not change.
fn has_markup(text: &str) -> bool {
    text.contains(['^', '$', '\\']) || ["<sup", "<var"].iter().any(|tag| text.contains(tag))
}

/// A word of a text, and the white space after it.
#[derive(Clone, Copy)]
struct Piece<'t> {
    word: &'t str,
    blank: &'t str,
}

/// Splits a text into its words; the first one is empty if the text begins with white space.
fn split_pieces(text: &str) -> Vec<Piece<'_>> {
    let mut pieces = Vec::new();
    let mut rest = text;
    while !rest.is_empty() {
        let (word, after) = rest.split_at(rest.find(is_blank).unwrap_or(rest.len()));
        let (blank, next) = after.split_at(after.find(|c| !is_blank(c)).unwrap_or(after.len()));
        pieces.push(Piece { word, blank });
        rest = next;
    }
    pieces
}

/// Removes the first of two copies of a formula, of which the first has each sign on a line of its own.
fn without_signs_on_lines(text: &str) -> String {
    /// Minimum number of lines of a formula that shows that the text has such copies.
    const MIN_LINES: usize = 3;
    /// Maximum number of lines of a formula.
    const MAX_LINES: usize = 80;
    /// Maximum number of characters of a sign: a number may have several digits.
    const MAX_SIGN: usize = 10;
    let pieces = split_pieces(text);
    let is_sign = |piece: &&Piece<'_>| piece.blank.contains('\n') && piece.word.len() <= MAX_SIGN;
    // The number of lines of a first copy that begins at a word.
    let copy_at = |at: usize, min_lines: usize| {
        let signs = pieces[at..].iter().take(MAX_LINES).take_while(is_sign).count();
        (min_lines..=signs).rev().find(|lines| is_repeated_behind(&pieces[at..], *lines))
    };
    if !(0..pieces.len()).any(|at| copy_at(at, MIN_LINES).is_some()) {
        return text.to_owned();
    }
    let mut plain = String::with_capacity(text.len());
    let mut at = 0;
    while let Some(piece) = pieces.get(at) {
        match copy_at(at, 1) {
            Some(lines) => at += lines,
            None => {
                plain.extend([piece.word, piece.blank]);
                at += 1;
            }
        }
    }
    plain
}

/// Returns true if the first words of a text are the beginning of what follows them.
fn is_repeated_behind(pieces: &[Piece<'_>], words: usize) -> bool {
    let (first, rest) = pieces.split_at(words);
    let mut behind = rest.iter().flat_map(|piece| piece.word.chars());
    first.iter().flat_map(|piece| piece.word.chars()).all(|c| behind.next() == Some(c))
}

/// Joins powers and subscripts that stand on lines of their own: `10 ⏎5⏎`, `A ⏎i⏎`.
fn join_scripts(text: &str) -> String {
    let pieces = split_pieces(text);
    let mut plain = String::with_capacity(text.len());
    let mut at = 0;
    while let Some(piece) = pieces.get(at) {
        plain.push_str(piece.word);
        let script = pieces.get(at + 1).filter(|next| is_script(next) && piece.blank == " \n");
        let base = piece.word.chars().next_back().filter(|c| c.is_ascii_alphanumeric() || *c == ')');
        let (Some(base), Some(script)) = (base, script) else {
            plain.push_str(piece.blank);
            at += 1;
            continue;
        };
        plain.push_str(if base.is_ascii_alphabetic() { "_{" } else { "^{" });
        plain.extend([script.word, "}"]);
        // After the line of the script, and perhaps an invisible one, the line of the formula goes on.
        let shown = script.blank.replace("\n\u{200b}\n", "\n");
        let is_closed = pieces.get(at + 2).is_some_and(|next| next.word.starts_with(['∣', '|', ')', ',']));
        plain.push_str(match shown.trim_start_matches('\n').contains('\n') {
            true => "\n",
            false if is_closed => "",
            false => " ",
        });
        at += 2;
    }
    plain
}

/// Returns true for a power or a subscript on a line of its own: `5`, `i`, `i,j`, `N−1`.
fn is_script(piece: &Piece<'_>) -> bool {
    let is_inside = |c: char| c.is_ascii_alphanumeric() || matches!(c, '+' | '-' | '−' | ',');
    piece.blank.starts_with('\n') && (1..=6).contains(&piece.word.len()) && piece.word.chars().all(is_inside)
}

/// Puts each line that begins with a bound into a paragraph of its own: `1≤n≤5⏎-9≤a≤9` is no difference.
fn separate_bounds(text: &str) -> String {
    const COMPARISONS: &[char] = &['≤', '<', '≥', '⩽', '≦'];
    let begins_with_bound = |line: &str| {
        let number = line.trim_start().trim_start_matches(['-', '−']);
        number.starts_with(|c: char| c.is_ascii_digit()) && line.contains(COMPARISONS)
    };
    let apart = |(at, line): (usize, &str)| {
        if at > 0 && begins_with_bound(line) { format!("\n{line}") } else { line.to_owned() }
    };
    text.split('\n').enumerate().map(apart).collect::<Vec<_>>().join("\n")
}

/// Joins sentences that were broken around their formulas: a paragraph does not begin with a small letter or a comma.
fn without_breaks(text: &str) -> String {
    if has_markup(text) || text.contains("</") {
        return text.to_owned();
    }
    let text = separate_bounds(text);
    let pieces = split_pieces(&text);
    let mut plain = String::with_capacity(text.len());
    for (at, piece) in pieces.iter().enumerate() {
        let is_small = |c: char| c.is_ascii_lowercase() || matches!(c, '.' | ',' | ')');
        let goes_on = pieces.get(at + 1).is_some_and(|next| next.word.starts_with(is_small));
        let is_broken = piece.blank.contains("\n\n") && goes_on && !piece.word.ends_with([':', '.']);
        plain.extend([piece.word, if is_broken { " " } else { piece.blank }]);
    }
    plain
}

// Formulas that mirrors repeat.

/// Maximum number of characters of formulas that are compared with their TeX.
const MAX_COMPARED: usize = 1_000_000;

/// Maximum number of characters of a repeated formula.
const MAX_FORMULA: usize = 150;

/// Replaces formulas that stand beside their TeX, as `1≤n≤105` and `1\le n\le 10^5`, by that alone.
fn without_repetitions(text: &str) -> String {
    let may_repeat = !text.contains('$') && text.contains(['\\', '_', '^']) && !text.contains("\\begin");
    if !may_repeat {
        return text.split_inclusive(char::is_whitespace).map(without_halves).collect();
    }
    let characters: Vec<char> = text.chars().collect();
    let mut plain = String::with_capacity(text.len());
    let (mut at, mut compared_left, mut copies) = (0, MAX_COMPARED, 0);
    while at < characters.len() {
        match repetition_at(&characters[at..], &mut compared_left) {
            Some(found) => {
                plain.push('$');
                plain.extend(&characters[at + found.tex.start..at + found.tex.end]);
                plain.push('$');
                copies = copies.max(found.copies);
                at += found.end;
            }
            None => {
                plain.push(characters[at]);
                at += 1;
            }
        }
    }
    if copies < 2 {
        plain
    } else {
        plain.split_inclusive(|c| !char::is_alphanumeric(c)).map(|word| single_letter(word, copies)).collect()
    }
}

/// A formula beside its TeX.
struct Repetition {
    tex: std::ops::Range<usize>,
    end: usize,
    /// Number of copies, of which one is the TeX.
    copies: usize,
}

/// Returns the longest formula at the beginning of a text that is repeated as TeX.
fn repetition_at(text: &[char], compared_left: &mut usize) -> Option<Repetition> {
    let can_begin = text.first().is_some_and(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '−' | '(' | '|' | '∑'));
    let is_inside = |c: &&char| **c != '\n' && **c != '\\' && (c.is_ascii() || !c.is_alphabetic());
    let longest = text.iter().take(MAX_FORMULA).take_while(is_inside).count();
    if !can_begin || *compared_left == 0 {
        return None;
    }
    (1..=longest).rev().find_map(|length| {
        let (shown, rest) = text.split_at(length);
        let end = length + tex_length(shown, rest, compared_left)?;
        let again = shown.len() <= text.len() - end && text[end..].starts_with(shown);
        Some(Repetition {
            tex: length..end,
            end: if again { end + length } else { end },
            copies: if again { 3 } else { 2 },
        })
    })
}

/// Returns the length of the TeX at the beginning of a text that shows a formula.
fn tex_length(shown: &[char], tex: &[char], compared_left: &mut usize) -> Option<usize> {
    let is_shown = |c: &char| !c.is_whitespace();
    let mut wanted = shown.iter().flat_map(|c| character_meaning(*c)).filter(is_shown).peekable();
    let (mut at, mut has_markup) = (0, false);
    while wanted.peek().is_some() {
        let c = *tex.get(at)?;
        at += 1;
        *compared_left = compared_left.checked_sub(1)?;
        has_markup |= matches!(c, '^' | '_' | '\\');
        let is_same = match c {
            '{' | '}' | '^' | '_' => true,
            '\\' => {
                let letters = tex[at..].iter().take_while(|c| c.is_ascii_alphabetic()).count();
                let name: String = tex[at..at + letters].iter().collect();
                at += letters.max(1);
                command_meaning(&name).filter(is_shown).all(|c| wanted.next() == Some(c))
            }
            c => character_meaning(c).filter(is_shown).all(|c| wanted.next() == Some(c)),
        };
        if !is_same {
            return None;
        }
    }
    at += tex[at..].iter().take_while(|c| **c == '}').count();
    has_markup.then_some(at)
}

/// Returns a letter in place of several copies of it.
fn single_letter(word: &str, copies: usize) -> &str {
    let name = word.trim_end_matches(|c: char| !c.is_alphanumeric());
    let is_copied = name.len() == copies && name.is_ascii() && name.bytes().all(|byte| byte == name.as_bytes()[0]);
    if is_copied && !name.starts_with(|c: char| c.is_ascii_digit()) { &word[copies - 1..] } else { word }
}

/// Returns the first half of a word that consists of two equal comparisons, or the first third of three.
fn without_halves(word: &str) -> String {
    let shown = word.trim_end_matches(char::is_whitespace);
    let characters: Vec<char> = shown.chars().collect();
    let copies = [3, 2].into_iter().find(|copies| {
        let length = characters.len() / copies;
        length > 0
            && characters.len().is_multiple_of(*copies)
            && characters.chunks(length).all(|part| *part == characters[..length])
    });
    match copies.filter(|_| shown.contains(['≤', '<', '≥', '⩽', '…'])) {
        Some(copies) => characters[..characters.len() / copies].iter().collect::<String>() + &word[shown.len()..],
        None => word.to_owned(),
    }
}

// Powers.

/// Replaces numbers such as `105` and `1018` by powers of ten where they are bounds, and `231-1` by a power of two, in texts
/// that have no powers at all. As numbers, hardly any problem has such bounds.
fn restore_powers(text: &str) -> RestoredText {
    let mut powers: Vec<RestoredPower> = Vec::new();
    if has_markup(text) || text.contains(['⁰', '²', '³', '⁴', '⁵', '⁶', '⁷', '⁸', '⁹']) {
        return RestoredText { text: text.to_owned(), powers };
    }
    let mut plain = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(start) = rest.find(|c: char| c.is_ascii_digit()) {
        let (before, number) = rest.split_at(start);
        plain.push_str(before);
        let (number, after) = number.split_at(number.find(|c: char| !c.is_ascii_digit()).unwrap_or(number.len()));
        let power = power_of(number, after).filter(|_| is_bound(&plain, after));
        plain.push_str(power.as_deref().unwrap_or(number));
        let restored = power.map(|power| RestoredPower { shown: number.to_owned(), power });
        powers.extend(restored.filter(|restored| !powers.contains(restored)));
        rest = after;
    }
    plain.push_str(rest);
    RestoredText { text: plain, powers }
}

/// Returns the power that a number without its superscript may be.
fn power_of(number: &str, after: &str) -> Option<String> {
    let is_two = matches!(number, "231" | "232" | "263") && after.trim_start().starts_with(['-', '−', '≤', '<']);
    let exponent = number.strip_prefix(if is_two { "2" } else { "10" })?;
    let is_usual = is_two || matches!(exponent.parse(), Ok(2..=9_u8)) || matches!(exponent.parse(), Ok(10..=18_u8));
    (is_usual && !exponent.starts_with('0')).then(|| format!("{}^{exponent}", if is_two { "2" } else { "10" }))
}

/// Returns true if a number between two texts is a bound, perhaps behind a factor or a sign.
fn is_bound(before: &str, after: &str) -> bool {
    const COMPARISONS: &[char] = &['≤', '<', '≥', '>', '⩽', '≦', '⩾', '≧'];
    let digits_behind = |text: &str| text.bytes().take_while(u8::is_ascii_digit).count();
    let joined = after.starts_with(|c: char| c.is_ascii_alphanumeric())
        || after.strip_prefix('.').is_some_and(|rest| digits_behind(rest) > 0)
        || after.strip_prefix(',').is_some_and(|rest| digits_behind(rest) == 3);
    let before = before.trim_end();
    let unsigned = before.trim_end_matches(['-', '−']).trim_end();
    let is_negative = unsigned.len() < before.len();
    let is_compared = unsigned.ends_with(COMPARISONS) || unsigned.ends_with("<=") || unsigned.ends_with(">=");
    let is_factor = before.ends_with(['⋅', '×', '·', '∙']);
    let is_least = is_negative && after.trim_start().starts_with(COMPARISONS);
    let last = before.rsplit(|c: char| c.is_whitespace()).next().unwrap_or_default();
    !joined && (is_compared || is_factor || is_least || phrases_of("bound").any(|word| last.ends_with(word)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn restored(text: &str) -> String {
        restore_copied(text).text
    }

    #[test]
    fn powers_are_restored_where_a_text_has_none() {
        for (text, expected) in [
            ("n (1≤n≤105)", "n (1≤n≤10^5)"),
            ("1≤n≤2⋅105, −109≤ai≤109", "1≤n≤2⋅10^5, −10^9≤ai≤10^9"),
            ("k <= 1018 and does not exceed 3×105.", "k <= 10^18 and does not exceed 3×10^5."),
            ("−231≤x≤231−1", "−2^31≤x≤2^31−1"),
            ("1≤n≤105,0≤x≤y", "1≤n≤10^5,0≤x≤y"),
            ("1≤M≤2×105\n−109≤Ai≤109", "1≤M≤2×10^5\n\n−10^9≤Ai≤10^9"),
            // Numbers, of which none is a power, and a text with powers.
            ("1≤n≤1000, m≤1024, k ≤ 100, q≤1050", "1≤n≤1000, m≤1024, k ≤ 100, q≤1050"),
            ("1≤n≤105, m≤10^5", "1≤n≤105, m≤10^5"),
            ("$n \\le 105$", "$n \\le 105$"),
            ("1≤n≤105.5, the room 105, modulo 109+7", "1≤n≤105.5, the room 105, modulo 109+7"),
        ] {
            assert_eq!(restored(text), expected);
        }
        let powers = restore_copied("n≤105, m≤105").powers;
        assert_eq!(powers, [RestoredPower { shown: "105".to_owned(), power: "10^5".to_owned() }]);
    }

    #[test]
    fn formulas_have_one_copy_on_one_line() {
        for (text, expected) in [
            ("1\n≤\n𝑁\n≤\n10\n5\n1≤N≤10 \n5\n .\n", "1≤N≤10^{5} .\n"),
            (
                "1≤A \ni\n\u{200b}\n ≤10 \n9\n \nN K\nA \n1\n\u{200b}\n  … A \nN\n\u{200b}\n \n",
                "1≤A_{i} ≤10^{9}\nN K\nA_{1} … A_{N}\n",
            ),
            ("1≤n≤1051\\le n\\le 10^51≤n≤105 ，nnn", "$1\\le n\\le 10^5$ ，n"),
            ("string ss (1≤|s|≤105)(1\\leq|s|\\leq 10^{5}).", "string s $(1\\leq|s|\\leq 10^{5})$."),
            ("1≤t≤1041≤t≤104", "1≤t≤10^4"),
            (
                "one integer t\n(1≤t≤5). Then t\n\ntest cases follow.",
                "one integer t\n(1≤t≤5). Then t test cases follow.",
            ),
        ] {
            assert_eq!(restored(text), expected);
        }
    }
}
