//! Undoes what copying from a page does to formulas. MathJax loses powers and breaks lines, KaTeX gives each formula twice with
//! a sign on each line, and mirrors of problems repeat it as TeX: `1≤n≤105`, `10⏎5`, `1≤n≤1051\le n\le 10^51≤n≤105`.

use super::markup::{character_meaning, command_length, command_meaning};
use super::phrases::phrases_of;
use std::ops::Range;

/// A number as a text has it, and the power that it is read as: `105` and `10^5`.
pub(crate) type RestoredPower = (String, String);

/// Returns a text with its formulas as they were before it was copied, and the powers in it that were lost.
pub(super) fn restore_copied(text: &str) -> (String, Vec<RestoredPower>) {
    // A sign of mathematical alphabets begins the first copy of a formula, so it is no script of the word before it.
    let marked = |c: char| [Some('\u{2060}').filter(|_| plain_letter(c) != c), Some(plain_letter(c))];
    let plain: String = text.chars().flat_map(marked).flatten().collect();
    let single = without_copies(&plain);
    let joined: String = join_scripts(&single).chars().filter(|c| !is_invisible(*c)).collect();
    let joined = if single.len() < plain.len() { separate_bounds(&joined) } else { joined };
    restore_powers(&without_breaks(&joined))
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

/// Returns true if a text has formulas that copying did not change. One command alone is a mistake of the page.
fn has_markup(text: &str) -> bool {
    text.contains(['^', '$'])
        || text.matches('\\').nth(1).is_some()
        || ["<sup", "<var"].iter().any(|tag| text.contains(tag))
}

/// A word of a text, and the white space after it.
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

// Formulas that a text has twice or three times in a row.

/// Maximum number of characters of formulas that are compared with what follows them.
const MAX_COMPARED: usize = 1_000_000;

/// Maximum number of characters of a formula that is repeated.
const MAX_FORMULA: usize = 150;

/// Replaces the copies of each formula by one, if any is one beyond doubt, as one with signs of mathematical alphabets is. Of `1≤n≤105` and `1\le n\le 10^5`, that is the TeX.
fn without_copies(text: &str) -> String {
    if ["$", "</", "\\begin"].iter().any(|markup| text.contains(markup)) {
        return text.to_owned();
    }
    let shown = ShownText { text, characters: shown_characters(text) };
    let mut compared_left = MAX_COMPARED;
    if !text.contains('\u{2060}')
        && !(0..shown.characters.len()).any(|at| shown.copies_at(at, false, &mut compared_left).is_some())
    {
        return text.to_owned();
    }
    let (mut plain, mut at, mut kept) = (String::with_capacity(text.len()), 0, 0);
    let mut compared_left = MAX_COMPARED;
    while at < shown.characters.len() {
        let Some((number, length)) = shown.copies_at(at, true, &mut compared_left) else {
            at += 1;
            continue;
        };
        // The first copy stands on lines of its own, so a line ended before it that goes on behind the last one.
        let before = &text[kept..shown.characters[at].1.start];
        plain.push_str(
            before
                .trim_end_matches(is_invisible)
                .strip_suffix('\n')
                .filter(|line| line.ends_with(' '))
                .unwrap_or(before),
        );
        let copies: Vec<&str> = (0..number).map(|copy| shown.source(at + copy * length, length)).collect();
        match copies.iter().find(|copy| copy.contains(TEX)) {
            Some(tex) => plain.extend(["$", tex, "$"]),
            None => plain.push_str(copies[number - 1]),
        }
        at += number * length;
        kept = shown.end_before(at);
    }
    plain + &text[kept..]
}

/// Signs of TeX that a shown formula lacks.
const TEX: [char; 3] = ['^', '_', '\\'];

/// A text with the characters that a page shows for it.
struct ShownText<'t> {
    text: &'t str,
    /// The characters, each with its place in the text.
    characters: Vec<(char, Range<usize>)>,
}

/// Returns the characters that are shown for a text: no white space, the signs that commands of TeX mean, and no sign of TeX.
fn shown_characters(text: &str) -> Vec<(char, Range<usize>)> {
    let mut characters = Vec::new();
    let mut at = 0;
    while let Some(c) = text[at..].chars().next() {
        let rest = &text[at + c.len_utf8()..];
        let next = rest.chars().next().map_or(0, char::len_utf8);
        let (name, meaning): (&str, Vec<char>) = match c {
            '\\' => {
                let name = &rest[..command_length(rest).max(next)];
                (name, command_meaning(name).collect())
            }
            '{' | '}' | '^' | '_' => ("", Vec::new()),
            c => ("", character_meaning(c).collect()),
        };
        let end = at + c.len_utf8() + name.len();
        characters.extend(meaning.into_iter().filter(|c| !is_blank(*c)).map(|c| (c, at..end)));
        at = end;
    }
    characters
}

impl<'t> ShownText<'t> {
    /// Returns the end of the source of the characters before a position, with the braces that it closes.
    fn end_before(&self, at: usize) -> usize {
        let end = at.checked_sub(1).map_or(0, |last| self.characters[last].1.end);
        end + self.text[end..].bytes().take_while(|byte| *byte == b'}').count()
    }

    /// Returns the source of some characters.
    fn source(&self, at: usize, length: usize) -> &'t str {
        &self.text[self.characters[at].1.start..self.end_before(at + length)]
    }

    /// Returns the number of copies and the length of the longest formula at a position, one beyond doubt if it is the first.
    fn copies_at(&self, at: usize, has_others: bool, compared_left: &mut usize) -> Option<(usize, usize)> {
        let (first, place) = &self.characters[at];
        let is_inside_word = self.text[..place.start].ends_with(|c: char| c.is_ascii_alphanumeric());
        if is_inside_word || first.is_alphabetic() && !first.is_ascii() {
            return None;
        }
        let rest = &self.characters[at..];
        (1..=MAX_FORMULA.min(rest.len() / 2)).rev().find_map(|length| {
            let mut is_same = |copy: usize| {
                let other = rest.get(copy * length..(copy + 1) * length)?;
                let same = rest[..length].iter().zip(other).take_while(|(one, other)| one.0 == other.0).count();
                *compared_left = compared_left.checked_sub(same)?;
                (same == length).then_some(())
            };
            is_same(1)?;
            let number = if is_same(2).is_some() { 3 } else { 2 };
            let is_formula =
                self.is_formula(at, length) || has_others && (self.is_broken(at, length) || self.is_letter(at, number));
            is_formula.then_some((number, length))
        })
    }

    /// Returns true if some characters and their copy are a formula beyond doubt: a comparison, a sequence, or beside its TeX.
    fn is_formula(&self, at: usize, length: usize) -> bool {
        let formula: String = self.characters[at..at + length].iter().map(|(c, _)| *c).collect();
        let has_tex = self.source(at + length, length).contains(TEX) && !self.source(at, length).contains(TEX);
        let is_plain = formula.chars().all(|c| c.is_ascii() || !c.is_alphabetic());
        let is_long = length > 2 && (formula.contains(['<', '>', '=']) || formula.contains("..."));
        is_plain && formula.contains(|c: char| c.is_ascii_alphabetic()) && length > 1 && (is_long || has_tex)
    }

    /// Returns true if each sign of a formula, or its only one, stands on a line of its own.
    fn is_broken(&self, at: usize, length: usize) -> bool {
        let first = &self.text[self.characters[at].1.start..self.characters[at + length].1.start];
        first.ends_with('\n') && !first.contains(' ')
    }

    /// Returns true if a letter and its copies are all of a word.
    fn is_letter(&self, at: usize, number: usize) -> bool {
        let word = self.source(at, number);
        let goes_on = self.text[self.end_before(at + number)..].starts_with(|c: char| c.is_ascii_alphanumeric());
        word.len() == number
            && word.bytes().all(|byte| byte.is_ascii_alphabetic() && byte == word.as_bytes()[0])
            && !goes_on
    }
}

// Powers.

/// Replaces bounds such as `105` and `231-1` by powers in texts that have none: hardly any problem has them as numbers.
fn restore_powers(text: &str) -> (String, Vec<RestoredPower>) {
    let mut powers: Vec<RestoredPower> = Vec::new();
    if has_markup(text) || text.contains(['⁰', '²', '³', '⁴', '⁵', '⁶', '⁷', '⁸', '⁹']) {
        return (text.to_owned(), powers);
    }
    let mut plain = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(start) = rest.find(|c: char| c.is_ascii_digit()) {
        let (before, number) = rest.split_at(start);
        plain.push_str(before);
        let (number, after) = number.split_at(number.find(|c: char| !c.is_ascii_digit()).unwrap_or(number.len()));
        let power = power_of(number, after).filter(|_| is_bound(&plain, after));
        plain.push_str(power.as_deref().unwrap_or(number));
        let restored = power.map(|power| (number.to_owned(), power));
        powers.extend(restored.filter(|restored| !powers.contains(restored)));
        rest = after;
    }
    plain.push_str(rest);
    (plain, powers)
}

/// Returns the power that a number without its superscript may be.
fn power_of(number: &str, after: &str) -> Option<String> {
    let is_two = matches!(number, "230" | "231" | "232" | "260" | "262" | "263" | "264")
        || matches!(number, "220" | "224" | "229" | "259" | "261") && after.trim_start().starts_with(['-', '−']);
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
    let is_factor = before.ends_with(['⋅', '×', '·', '∙', '*', '∗']);
    let is_least = is_negative && after.trim_start().starts_with(COMPARISONS);
    let last = before.rsplit(|c: char| c.is_whitespace()).next().unwrap_or_default();
    !joined && (is_compared || is_factor || is_least || phrases_of("bound").any(|word| last.ends_with(word)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn restored(text: &str) -> String {
        restore_copied(text).0
    }

    #[test]
    fn powers_are_restored_where_a_text_has_none() {
        for (text, expected) in [
            ("n (1≤n≤105)", "n (1≤n≤10^5)"),
            ("1≤n≤2⋅105, −109≤ai≤109", "1≤n≤2⋅10^5, −10^9≤ai≤10^9"),
            ("k <= 1018 and does not exceed 3×105.", "k <= 10^18 and does not exceed 3×10^5."),
            ("−231≤x≤231−1", "−2^31≤x≤2^31−1"),
            ("1≤n≤105,0≤x≤y", "1≤n≤10^5,0≤x≤y"),
            ("1≤n≤4∗105", "1≤n≤4∗10^5"),
            ("1≤M≤2×105\n−109≤Ai≤109", "1≤M≤2×10^5\n\n−10^9≤Ai≤10^9"),
            // Numbers, of which none is a power, and a text with powers.
            ("1≤n≤1000, m≤1024, k ≤ 100, q≤1050", "1≤n≤1000, m≤1024, k ≤ 100, q≤1050"),
            ("1≤n≤105, m≤10^5", "1≤n≤105, m≤10^5"),
            ("$n \\le 105$", "$n \\le 105$"),
            ("1≤n≤105.5, the room 105, modulo 109+7", "1≤n≤105.5, the room 105, modulo 109+7"),
        ] {
            assert_eq!(restored(text), expected);
        }
        let powers = restore_copied("n≤105, m≤105").1;
        assert_eq!(powers, [("105".to_owned(), "10^5".to_owned())]);
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
            ("n≤𝑘\nn≤k\n\n𝑁\nN \n𝐾\nK\nOutput\n", "n≤k\n\nN K\nOutput\n"),
            (
                "one integer t\n(1≤t≤5). Then t\n\ntest cases follow.",
                "one integer t\n(1≤t≤5). Then t test cases follow.",
            ),
        ] {
            assert_eq!(restored(text), expected);
        }
    }
}
