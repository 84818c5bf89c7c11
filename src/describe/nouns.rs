//! What a field is called: an integer $n$; $n$ integers $a_1, \dots, a_n$; a string $s$ of lowercase letters.

use super::letters::letters;
use super::number::counted;
use super::{Author, list_and, math};
use crate::diagnostic::list_or;
use crate::format::{Decimals, Dimension, Expr, FieldId, Kind, Rule};

/// One or several things of a kind.
#[derive(Clone, Debug)]
pub(super) struct Noun {
    /// `an integer`
    singular: String,
    /// `integers`
    plural: String,
    /// What follows the name of one: ` of $n$ digits`.
    tail_one: String,
    /// What follows the names of several.
    tail_many: String,
    /// What one of them is, if that is shorter: `` `0` or `1` ``.
    is: Option<String>,
    /// The names, each a formula.
    names: Vec<String>,
    /// How many there are, if the names stand for an array.
    count: Option<String>,
}

impl Noun {
    /// One that has no names yet.
    fn new(singular: &str, plural: &str, tail_one: String, tail_many: String) -> Noun {
        Noun {
            singular: singular.to_owned(),
            plural: plural.to_owned(),
            tail_one,
            tail_many,
            is: None,
            names: Vec::new(),
            count: None,
        }
    }

    /// `an integer $n$`, `two integers $u$ and $v$`, `$n$ integers $a_1, \dots, a_n$`.
    pub(super) fn contained(&self, alone: bool) -> String {
        let names = list_and(&self.names);
        match &self.count {
            Some(count) => format!("{count} {} {names}{}", self.plural, self.tail_many),
            None if self.names.len() == 1 => {
                let article = if alone && self.plural == "integers" { "a single integer" } else { &self.singular };
                format!("{article} {names}{}", self.tail_one)
            }
            None => {
                let count = counted(self.names.len() as i128);
                format!("{count} {} {names}{}", self.plural, self.tail_many)
            }
        }
    }

    /// `$n$ is an integer`, `$u$ and $v$ are integers`.
    pub(super) fn clause(&self) -> String {
        let names = list_and(&self.names);
        let one = self.count.is_none() && self.names.len() == 1;
        match one {
            true if self.is.is_some() => format!("{names} is {}", self.is.as_deref().unwrap_or_default()),
            true => format!("{names} is {}{}", self.singular, self.tail_one),
            false => format!("{names} are {}{}", self.plural, self.tail_many),
        }
    }

    /// What one of them is, without a name.
    pub(super) fn each(&self) -> (String, String) {
        (format!("{}{}", self.singular, self.tail_one), format!("{}{}", self.plural, self.tail_many))
    }

    fn is_like(&self, other: &Noun) -> bool {
        self.count.is_none()
            && other.count.is_none()
            && (&self.singular, &self.tail_one) == (&other.singular, &other.tail_one)
    }
}

impl Author<'_> {
    /// The fields of a line; neighbours of one kind are named together.
    pub(super) fn nouns(&mut self, fields: &[FieldId]) -> Vec<Noun> {
        let mut found: Vec<Noun> = Vec::new();
        for field in fields {
            let noun = self.noun(*field);
            match found.last_mut().filter(|last| last.is_like(&noun)) {
                Some(last) => last.names.extend(noun.names),
                None => found.push(noun),
            }
        }
        found
    }

    fn noun(&mut self, field: FieldId) -> Noun {
        let noun = self.kind(field);
        let info = self.format.field(field);
        let outer = info.dimensions.len() - usize::from(info.letters().is_some());
        if outer == 0 {
            return Noun { names: vec![math(&self.maths.name(field))], ..noun };
        }
        if outer == 1 && info.dimensions[0] == Dimension::Size(Expr::Constant(1)) {
            return Noun { names: vec![math(&self.maths.at(field, &["1".to_owned()]))], ..noun };
        }
        let mut noun = noun;
        if info.dimensions[0] == Dimension::Free {
            noun.tail_many.push_str(", up to the end of the line");
        }
        Noun { names: vec![math(&self.elements(field, outer))], count: Some(self.count(field, outer)), ..noun }
    }

    /// `a_1, a_2, \dots, a_n`
    pub(super) fn elements(&self, field: FieldId, dimensions: usize) -> String {
        let first = |nth: &str| self.maths.at(field, &vec![nth.to_owned(); dimensions]);
        let sizes: Vec<String> = (0..dimensions).map(|nth| self.maths.size(field, nth)).collect();
        let last = self.maths.at(field, &sizes);
        match (dimensions, sizes[0].parse::<u32>()) {
            (1, Ok(2)) => format!("{}, {last}", first("1")),
            (1, Ok(3)) => format!("{}, {}, {last}", first("1"), first("2")),
            (1, _) => format!("{}, {}, \\dots, {last}", first("1"), first("2")),
            _ => {
                let second: Vec<String> = (1..dimensions).map(|_| "1".to_owned()).chain(["2".to_owned()]).collect();
                format!("{}, {}, \\dots, {last}", first("1"), self.maths.at(field, &second))
            }
        }
    }

    /// How many elements a field has in its outer dimensions, in words or as a formula.
    pub(super) fn count(&self, field: FieldId, dimensions: usize) -> String {
        match &self.format.field(field).dimensions[..dimensions] {
            [Dimension::Size(Expr::Constant(size))] => counted(*size),
            [_] => math(&self.maths.size(field, 0)),
            _ => {
                let factor = |nth| {
                    let text = self.maths.size(field, nth);
                    if text.contains([' ', '-']) && !text.starts_with('\\') { format!("({text})") } else { text }
                };
                math(&(0..dimensions).map(factor).collect::<Vec<_>>().join(" \\cdot "))
            }
        }
    }

    /// The kind of thing that a field, or each element of it, is.
    pub(super) fn kind(&mut self, field: FieldId) -> Noun {
        match &self.format.field(field).kind {
            Kind::Number => Noun::new("an integer", "integers", String::new(), String::new()),
            Kind::Real(decimals) => {
                let digits = digits(*decimals);
                Noun::new("a real number", "real numbers", format!(" with {digits}"), format!(", each with {digits}"))
            }
            Kind::Words(words) => {
                let words: Vec<String> = words.iter().map(|word| self.markup.code(word)).collect();
                let words = list_or(&words);
                let noun =
                    Noun::new("a word", "words", format!(", which is {words}"), format!(", each of which is {words}"));
                Noun { is: Some(words), ..noun }
            }
            Kind::Text(_) => self.text(field),
        }
    }

    fn text(&mut self, field: FieldId) -> Noun {
        let info = self.format.field(field);
        let made_of = letters(info.letters().unwrap_or_default(), self.markup);
        let size = info.dimensions.last().cloned().unwrap_or(Dimension::Free);
        let count = match &size {
            Dimension::Size(Expr::Constant(size)) => counted(*size) + " ",
            Dimension::Size(size) => math(&self.maths.expr(size)) + " ",
            Dimension::Free => String::new(),
        };
        if let Some(pattern) = self.pattern(field) {
            let long = if count.is_empty() { String::new() } else { format!(" of {count}characters") };
            let matches = format!("the regular expression {} as a whole", self.markup.code(pattern.as_bytes()));
            let tails = (format!("{long} that matches {matches}"), format!("{long} that match {matches}"));
            return Noun::new("a string", "strings", tails.0, tails.1);
        }
        if size == Dimension::Size(Expr::Constant(1)) {
            let one = made_of.one;
            return match made_of.plural {
                Some(plural) if !plural.contains(" and ") => Noun::new(&one, &plural, String::new(), String::new()),
                None if one.starts_with("a character from") && !one.contains(" or ") => {
                    Noun::new(&one, "characters", String::new(), format!(", each of which is {one}"))
                }
                _ => {
                    let tails = (format!(", which is {one}"), format!(", each of which is {one}"));
                    Noun { is: Some(one), ..Noun::new("a character", "characters", tails.0, tails.1) }
                }
            };
        }
        let tail = match made_of.plural {
            Some(plural) => format!(" of {count}{plural}"),
            None => format!(" of {count}characters, each of which is {}", made_of.one),
        };
        let each = if count.is_empty() || tail.contains(',') { "" } else { " each" };
        Noun::new("a string", "strings", tail.clone(), format!("{tail}{each}"))
    }

    /// The regular expression that a text matches; it counts as stated then.
    fn pattern(&mut self, field: FieldId) -> Option<String> {
        let format = self.format;
        let mut found = format.constraints.iter().enumerate().filter_map(|(i, c)| match &c.rule {
            Rule::Matches(f, pattern) if *f == field => Some((i, pattern.text.clone())),
            _ => None,
        });
        let (constraint, text) = found.next()?;
        self.stated[constraint] = true;
        Some(text)
    }
}

/// `exactly two digits after the decimal point`
fn digits(decimals: Decimals) -> String {
    let noun = |count: u32| format!("{} digit{}", counted(count.into()), if count == 1 { "" } else { "s" });
    let place = "after the decimal point";
    match (decimals.least, decimals.most) {
        (least, most) if least == most => format!("exactly {} {place}", noun(least)),
        (0, most) => format!("at most {} {place}", noun(most)),
        (least, most) => format!("{} to {} {place}", counted(least.into()), noun(most)),
    }
}
