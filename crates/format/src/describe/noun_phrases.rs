//! Noun phrases for fields: an integer $n$; $n$ integers $a_1, \dots, a_n$; a string $s$ of lowercase letters.

use super::StatementWriter;
use super::alphabet::describe_alphabet;
use super::tex_number::count_in_words;
use crate::constraints::inline_math;
use crate::language::{DecimalPlaces, Expr, FieldDimension, FieldId, FieldKind};
use rebut_diagnostics::{list_and, list_or};

/// A noun phrase for one or several fields of the same kind.
#[derive(Clone, Debug)]
pub(super) struct NounPhrase {
    /// `an integer`
    singular: String,
    /// `integers`
    plural: String,
    /// Follows the name of one: ` of $n$ digits`.
    singular_tail: String,
    /// Follows the names of several.
    plural_tail: String,
    /// A shorter predicate for one of them: `` `0` or `1` ``.
    predicate: Option<String>,
    /// The names, each a formula.
    names: Vec<String>,
    /// The number of elements, if the names stand for an array.
    count: Option<String>,
}

impl NounPhrase {
    /// Creates a phrase without names.
    fn new(singular: &str, plural: &str, tail_one: String, tail_many: String) -> NounPhrase {
        NounPhrase {
            singular: singular.to_owned(),
            plural: plural.to_owned(),
            singular_tail: tail_one,
            plural_tail: tail_many,
            predicate: None,
            names: Vec::new(),
            count: None,
        }
    }

    /// Returns `an integer $n$`, `two integers $u$ and $v$`, `$n$ integers $a_1, \dots, a_n$`.
    pub(super) fn to_introduction(&self, alone: bool) -> String {
        let names = list_and(&self.names);
        match &self.count {
            Some(count) => format!("{count} {} {names}{}", self.plural, self.plural_tail),
            None if self.names.len() == 1 => {
                let article = if alone && self.plural == "integers" { "a single integer" } else { &self.singular };
                format!("{article} {names}{}", self.singular_tail)
            }
            None => {
                let count = count_in_words(self.names.len() as i128);
                format!("{count} {} {names}{}", self.plural, self.plural_tail)
            }
        }
    }

    /// Returns `$n$ is an integer`, `$u$ and $v$ are integers`.
    pub(super) fn to_clause(&self) -> String {
        let names = list_and(&self.names);
        let one = self.count.is_none() && self.names.len() == 1;
        match one {
            true if self.predicate.is_some() => format!("{names} is {}", self.predicate.as_deref().unwrap_or_default()),
            true => format!("{names} is {}{}", self.singular, self.singular_tail),
            false => format!("{names} are {}{}", self.plural, self.plural_tail),
        }
    }

    /// Returns the singular and plural without names.
    pub(super) fn without_names(&self) -> (String, String) {
        (format!("{}{}", self.singular, self.singular_tail), format!("{}{}", self.plural, self.plural_tail))
    }

    fn is_same_kind(&self, other: &NounPhrase) -> bool {
        self.count.is_none()
            && other.count.is_none()
            && (&self.singular, &self.singular_tail) == (&other.singular, &other.singular_tail)
    }
}

impl StatementWriter<'_> {
    /// Returns the phrases for the fields of a line; adjacent fields of one kind are merged.
    pub(super) fn noun_phrases(&mut self, fields: &[FieldId]) -> Vec<NounPhrase> {
        let mut found: Vec<NounPhrase> = Vec::new();
        for field in fields {
            let noun = self.noun_phrase(*field);
            match found.last_mut().filter(|last| last.is_same_kind(&noun)) {
                Some(last) => last.names.extend(noun.names),
                None => found.push(noun),
            }
        }
        found
    }

    fn noun_phrase(&mut self, field: FieldId) -> NounPhrase {
        let noun = self.kind_phrase(field);
        let info = self.format.field(field);
        let outer = info.dimensions.len() - usize::from(info.alphabet().is_some());
        if outer == 0 {
            return NounPhrase { names: vec![inline_math(&self.tex.field_name(field))], ..noun };
        }
        if outer == 1 && info.dimensions[0] == FieldDimension::Size(Expr::Constant(1)) {
            return NounPhrase { names: vec![inline_math(&self.tex.element_at(field, &["1".to_owned()]))], ..noun };
        }
        let mut noun = noun;
        if info.dimensions[0] == FieldDimension::Free {
            noun.plural_tail.push_str(", up to the end of the line");
        }
        NounPhrase {
            names: vec![inline_math(&self.list_elements(field, outer))],
            count: Some(self.count_phrase(field, outer)),
            ..noun
        }
    }

    /// Returns `a_1, a_2, \dots, a_n`.
    pub(super) fn list_elements(&self, field: FieldId, dimensions: usize) -> String {
        let first = |nth: &str| self.tex.element_at(field, &vec![nth.to_owned(); dimensions]);
        let sizes: Vec<String> = (0..dimensions).map(|nth| self.tex.dimension_size(field, nth)).collect();
        let last = self.tex.element_at(field, &sizes);
        match (dimensions, sizes[0].parse::<u32>()) {
            (1, Ok(2)) => format!("{}, {last}", first("1")),
            (1, Ok(3)) => format!("{}, {}, {last}", first("1"), first("2")),
            (1, _) => format!("{}, {}, \\dots, {last}", first("1"), first("2")),
            _ => {
                let second: Vec<String> = (1..dimensions).map(|_| "1".to_owned()).chain(["2".to_owned()]).collect();
                format!("{}, {}, \\dots, {last}", first("1"), self.tex.element_at(field, &second))
            }
        }
    }

    /// Returns the number of elements in the outer dimensions of a field, in words or as a formula.
    pub(super) fn count_phrase(&self, field: FieldId, dimensions: usize) -> String {
        match &self.format.field(field).dimensions[..dimensions] {
            [FieldDimension::Size(Expr::Constant(size))] => count_in_words(*size),
            [_] => inline_math(&self.tex.dimension_size(field, 0)),
            _ => {
                let factor = |nth| {
                    let text = self.tex.dimension_size(field, nth);
                    if text.contains([' ', '-']) && !text.starts_with('\\') { format!("({text})") } else { text }
                };
                inline_math(&(0..dimensions).map(factor).collect::<Vec<_>>().join(" \\cdot "))
            }
        }
    }

    /// Returns the noun phrase for a field, or for each of its elements.
    pub(super) fn kind_phrase(&mut self, field: FieldId) -> NounPhrase {
        match &self.format.field(field).kind {
            FieldKind::Number => NounPhrase::new("an integer", "integers", String::new(), String::new()),
            FieldKind::Real(decimals) => {
                let digits = decimal_digits_phrase(*decimals);
                NounPhrase::new(
                    "a real number",
                    "real numbers",
                    format!(" with {digits}"),
                    format!(", each with {digits}"),
                )
            }
            FieldKind::Words(words) => {
                let words: Vec<String> = words.iter().map(|word| self.markup.format_code(word)).collect();
                let words = list_or(&words);
                let noun = NounPhrase::new(
                    "a word",
                    "words",
                    format!(", which is {words}"),
                    format!(", each of which is {words}"),
                );
                NounPhrase { predicate: Some(words), ..noun }
            }
            FieldKind::Text(_) => self.string_phrase(field),
        }
    }

    fn string_phrase(&mut self, field: FieldId) -> NounPhrase {
        let info = self.format.field(field);
        let made_of = describe_alphabet(info.alphabet().unwrap_or_default(), self.markup);
        let size = info.dimensions.last().cloned().unwrap_or(FieldDimension::Free);
        let count = match &size {
            FieldDimension::Size(Expr::Constant(size)) => count_in_words(*size) + " ",
            FieldDimension::Size(size) => inline_math(&self.tex.expression_tex(size)) + " ",
            FieldDimension::Free => String::new(),
        };
        if let Some(pattern) = self.state_pattern(field) {
            let long = if count.is_empty() { String::new() } else { format!(" of {count}characters") };
            let matches = format!("the regular expression {} as a whole", self.markup.format_code(pattern.as_bytes()));
            let tails = (format!("{long} that matches {matches}"), format!("{long} that match {matches}"));
            return NounPhrase::new("a string", "strings", tails.0, tails.1);
        }
        if size == FieldDimension::Size(Expr::Constant(1)) {
            let one = made_of.singular;
            return match made_of.plural {
                Some(plural) if !plural.contains(" and ") => {
                    NounPhrase::new(&one, &plural, String::new(), String::new())
                }
                None if one.starts_with("a character from") && !one.contains(" or ") => {
                    NounPhrase::new(&one, "characters", String::new(), format!(", each of which is {one}"))
                }
                _ => {
                    let tails = (format!(", which is {one}"), format!(", each of which is {one}"));
                    NounPhrase {
                        predicate: Some(one),
                        ..NounPhrase::new("a character", "characters", tails.0, tails.1)
                    }
                }
            };
        }
        let tail = match made_of.plural {
            Some(plural) => format!(" of {count}{plural}"),
            None => format!(" of {count}characters, each of which is {}", made_of.singular),
        };
        let each = if count.is_empty() || tail.contains(',') { "" } else { " each" };
        NounPhrase::new("a string", "strings", tail.clone(), format!("{tail}{each}"))
    }

    /// Returns the regular expression that a text matches, and marks it as stated.
    fn state_pattern(&mut self, field: FieldId) -> Option<String> {
        let (constraint, pattern) = self.format.pattern_constraint(field)?;
        self.stated[constraint] = true;
        Some(pattern.text.clone())
    }
}

/// Returns `exactly two digits after the decimal point`.
fn decimal_digits_phrase(decimals: DecimalPlaces) -> String {
    let noun = |count: u32| format!("{} digit{}", count_in_words(count.into()), if count == 1 { "" } else { "s" });
    let place = "after the decimal point";
    match (decimals.min, decimals.max) {
        (least, most) if least == most => format!("exactly {} {place}", noun(least)),
        (0, most) => format!("at most {} {place}", noun(most)),
        (least, most) => format!("{} to {} {place}", count_in_words(least.into()), noun(most)),
    }
}
