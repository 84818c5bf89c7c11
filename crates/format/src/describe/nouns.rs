//! Noun phrases for fields: an integer $n$; $n$ integers $a_1, \dots, a_n$; a string $s$ of lowercase letters.

use super::StatementWriter;
use super::markup::Markup;
use super::tex_number::count_in_words;
use crate::constraints::inline_math;
use crate::language::{DecimalPlaces, Expr, FieldDimension, FieldId, FieldKind};
use rebut_diagnostics::{list_and, list_or};

/// Minimum number of consecutive letters that are written as a range.
const MIN_RANGE_LENGTH: usize = 4;

/// A noun phrase for one or several fields of the same kind.
#[derive(Clone, Debug, Default)]
pub(super) struct NounPhrase {
    /// `an integer`
    one: String,
    /// `integers`
    many: String,
    /// Follows the name of one: ` of $n$ digits`.
    tail: String,
    /// Follows the names of several.
    tail_of_many: String,
    /// The names, each a formula.
    pub(super) names: Vec<String>,
    /// The number of elements, if the names stand for an array.
    pub(super) count: Option<String>,
}

impl NounPhrase {
    fn new(one: &str, many: &str, tail: String, tail_of_many: String) -> NounPhrase {
        NounPhrase { one: one.to_owned(), many: many.to_owned(), tail, tail_of_many, ..NounPhrase::default() }
    }

    /// Returns `an integer $n$`, `two integers $u$ and $v$`, `$n$ integers $a_1, \dots, a_n$`.
    pub(super) fn to_introduction(&self) -> String {
        let names = list_and(&self.names);
        match &self.count {
            None if self.names.len() == 1 => format!("{} {names}{}", self.one, self.tail),
            count => {
                let count = count.clone().unwrap_or_else(|| count_in_words(self.names.len() as i128));
                format!("{count} {} {names}{}", self.many, self.tail_of_many)
            }
        }
    }

    /// Returns `$n$ is an integer`, `$u$ and $v$ are integers`, `$c$ is `a` or `b``.
    fn to_clause(&self) -> String {
        let names = list_and(&self.names);
        match self.tail.strip_prefix(", which is ") {
            _ if self.count.is_some() || self.names.len() > 1 => {
                format!("{names} are {}{}", self.many, self.tail_of_many)
            }
            Some(choice) => format!("{names} is {choice}"),
            None => format!("{names} is {}{}", self.one, self.tail),
        }
    }

    /// Returns true if both can be introduced together, as numbers of one kind.
    fn can_join(&self, other: &NounPhrase) -> bool {
        self.count.is_none() && other.count.is_none() && (&self.one, &self.tail) == (&other.one, &other.tail)
    }
}

/// Returns `$n$ is an integer and $s$ is a string`.
pub(super) fn join_clauses(nouns: &[NounPhrase]) -> String {
    list_and(&nouns.iter().map(NounPhrase::to_clause).collect::<Vec<_>>())
}

impl StatementWriter<'_> {
    /// Returns the phrases for the fields of a line; adjacent fields of one kind are joined.
    pub(super) fn noun_phrases(&mut self, fields: &[FieldId]) -> Vec<NounPhrase> {
        let mut found: Vec<NounPhrase> = Vec::new();
        for field in fields {
            let noun = self.noun_phrase(*field);
            match found.last_mut().filter(|last| last.can_join(&noun)) {
                Some(last) => last.names.extend(noun.names),
                None => found.push(noun),
            }
        }
        found
    }

    fn noun_phrase(&mut self, field: FieldId) -> NounPhrase {
        let mut noun = self.kind_phrase(field);
        let outer = self.outer_dimensions(field);
        let dimensions = &self.format.field(field).dimensions;
        if outer == 0 {
            return NounPhrase { names: vec![inline_math(&self.tex.any_element(field, 0))], ..noun };
        }
        if outer == 1 && dimensions[0] == FieldDimension::Size(Expr::Constant(1)) {
            return NounPhrase { names: vec![inline_math(&self.tex.element_at(field, &["1".to_owned()]))], ..noun };
        }
        if dimensions[0] == FieldDimension::Free {
            noun.tail_of_many.push_str(", up to the end of the line");
        }
        let names = vec![inline_math(&self.tex.list_elements(field, &[], outer))];
        NounPhrase { names, count: Some(self.count_phrase(field, 0, outer)), ..noun }
    }

    /// Returns the number of dimensions of a field, without that of the characters of its texts.
    pub(super) fn outer_dimensions(&self, field: FieldId) -> usize {
        let info = self.format.field(field);
        info.dimensions.len() - usize::from(info.alphabet().is_some())
    }

    /// Returns the number of elements in some of the dimensions of a field, in words or as a formula.
    pub(super) fn count_phrase(&self, field: FieldId, from: usize, to: usize) -> String {
        match &self.format.field(field).dimensions[from..to] {
            [FieldDimension::Size(Expr::Constant(size))] => count_in_words(*size),
            [_] => inline_math(&self.tex.dimension_size(field, from)),
            _ => {
                let to_factor = |nth| {
                    let text = self.tex.dimension_size(field, nth);
                    if text.contains([' ', '-']) && !text.starts_with('\\') { format!("({text})") } else { text }
                };
                inline_math(&(from..to).map(to_factor).collect::<Vec<_>>().join(" \\cdot "))
            }
        }
    }

    /// Returns the noun phrase for a field, or for each of its elements.
    pub(super) fn kind_phrase(&mut self, field: FieldId) -> NounPhrase {
        match &self.format.field(field).kind {
            FieldKind::Number => NounPhrase::new("an integer", "integers", String::new(), String::new()),
            FieldKind::Real(decimals) => {
                let digits = decimal_digits_phrase(*decimals);
                let tails = (format!(" with {digits}"), format!(", each with {digits}"));
                NounPhrase::new("a real number", "real numbers", tails.0, tails.1)
            }
            FieldKind::Words(words) => {
                let words: Vec<String> = words.iter().map(|word| self.markup.format_code(word)).collect();
                choice_phrase("a word", "words", &list_or(&words))
            }
            FieldKind::Text(_) => self.string_phrase(field),
        }
    }

    fn string_phrase(&mut self, field: FieldId) -> NounPhrase {
        let info = self.format.field(field);
        let size = info.dimensions.last().unwrap_or(&FieldDimension::Free);
        let count = match size {
            FieldDimension::Size(Expr::Constant(size)) => count_in_words(*size) + " ",
            FieldDimension::Size(size) => inline_math(&self.tex.expression_tex(size)) + " ",
            FieldDimension::Free => String::new(),
        };
        if let Some((constraint, pattern)) = self.format.pattern_constraint(field) {
            self.stated[constraint] = true;
            let long = if count.is_empty() { String::new() } else { format!(" of {count}characters") };
            let pattern =
                format!("the regular expression {} as a whole", self.markup.format_code(pattern.text.as_bytes()));
            let tails = (format!("{long} that matches {pattern}"), format!("{long} that match {pattern}"));
            return NounPhrase::new("a string", "strings", tails.0, tails.1);
        }
        let (plural, single) = describe_alphabet(info.alphabet().unwrap_or_default(), self.markup);
        let is_letter = *size == FieldDimension::Size(Expr::Constant(1));
        match plural {
            Some(plural) if is_letter && !plural.contains(" and ") => {
                NounPhrase::new(&single, &plural, String::new(), String::new())
            }
            _ if is_letter => choice_phrase("a character", "characters", &single),
            Some(plural) => {
                let each = if count.is_empty() { "" } else { " each" };
                let tail = format!(" of {count}{plural}");
                NounPhrase::new("a string", "strings", tail.clone(), format!("{tail}{each}"))
            }
            None => {
                let tail = format!(" of {count}characters, each of which is {single}");
                NounPhrase::new("a string", "strings", tail.clone(), tail)
            }
        }
    }
}

/// Returns `a word, which is `push` or `pop``.
fn choice_phrase(one: &str, many: &str, choice: &str) -> NounPhrase {
    NounPhrase::new(one, many, format!(", which is {choice}"), format!(", each of which is {choice}"))
}

/// Returns `exactly two digits after the decimal point`.
fn decimal_digits_phrase(decimals: DecimalPlaces) -> String {
    let noun = |count: u32| format!("{} digit{}", count_in_words(count.into()), if count == 1 { "" } else { "s" });
    let count = match (decimals.min, decimals.max) {
        (least, most) if least == most => format!("exactly {}", noun(least)),
        (0, most) => format!("at most {}", noun(most)),
        (least, most) => format!("{} to {}", count_in_words(least.into()), noun(most)),
    };
    format!("{count} after the decimal point")
}

/// Returns the characters of an alphabet, if they have a plural: `lowercase English letters`; and one of them: `a lowercase
/// English letter`, `` `.` or `#` ``.
fn describe_alphabet(alphabet: &[u8], markup: Markup) -> (Option<String>, String) {
    let mut left: Vec<u8> = alphabet.to_vec();
    let mut take = |range: std::ops::RangeInclusive<u8>| {
        let is_whole = range.clone().all(|letter| alphabet.contains(&letter));
        left.retain(|letter| !is_whole || !range.contains(letter));
        is_whole
    };
    let mut classes = match (take(b'a'..=b'z'), take(b'A'..=b'Z')) {
        (true, true) => vec![("an English letter", "English letters")],
        (true, false) => vec![("a lowercase English letter", "lowercase English letters")],
        (false, true) => vec![("an uppercase English letter", "uppercase English letters")],
        (false, false) => Vec::new(),
    };
    classes.extend(take(b'0'..=b'9').then_some(("a digit", "digits")));
    classes.extend(take(b' '..=b' ').then_some(("a space", "spaces")));
    let plurals: Vec<&str> = classes.iter().map(|(_, many)| *many).collect();
    let plural = (left.is_empty() && !classes.is_empty()).then(|| list_and(&plurals));
    let mut one: Vec<String> = classes.iter().map(|(one, _)| (*one).to_owned()).collect();
    for run in left.chunk_by(|a, b| *b == a.wrapping_add(1)) {
        match run {
            [first, .., last] if run.len() >= MIN_RANGE_LENGTH => {
                let [first, last] = [first, last].map(|letter| markup.format_code(&[*letter]));
                one.push(format!("one of {first} to {last}"));
            }
            _ => one.extend(run.iter().map(|letter| markup.format_code(&[*letter]))),
        }
    }
    (plural, list_or(&one))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn alphabets_are_named_in_words() {
        let words = |alphabet: &[u8]| describe_alphabet(alphabet, Markup::Markdown);
        let lower: Vec<u8> = (b'a'..=b'z').collect();
        let plural = Some("lowercase English letters".to_owned());
        assert_eq!(words(&lower), (plural, "a lowercase English letter".to_owned()));
        assert_eq!(words(b".#S"), (None, "`.`, `#` or `S`".to_owned()));
        assert_eq!(words(b"012345x"), (None, "one of `0` to `5` or `x`".to_owned()));
        let with_space: Vec<u8> = lower.iter().copied().chain(*b" .").collect();
        assert_eq!(words(&with_space), (None, "a lowercase English letter, a space or `.`".to_owned()));
    }
}
