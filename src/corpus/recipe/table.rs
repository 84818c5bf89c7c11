//! Tables of TOML, read key by key; what is wrong is told with its place.

use super::{Words, span};
use crate::diagnostic::{Diagnostic, Span, list_or, nearest};
use toml::de::{DeTable, DeValue};

/// A table and the text that it stands in.
pub(super) struct Table<'t> {
    table: &'t DeTable<'t>,
    pub(super) span: Span,
    text: &'t str,
}

/// An error of the notation itself.
pub(super) fn syntax_problem(error: &toml::de::Error) -> Diagnostic {
    let place = error.span().map_or(Span::new(0, 0), |s| Span::new(s.start, s.end));
    let mut lines = error.message().lines();
    let message = lines.next().unwrap_or("this is no TOML").to_owned();
    let expected = lines.collect::<Vec<_>>().join(" ");
    Diagnostic::error("toml", place, message).caret(expected)
}

impl<'t> Table<'t> {
    pub(super) fn new(table: &'t DeTable<'t>, span: Span, text: &'t str) -> Self {
        Table { table, span, text }
    }

    /// Its keys.
    pub(super) fn keys(&self) -> Vec<String> {
        self.table.keys().map(|key| key.get_ref().to_string()).collect()
    }

    /// Whether it has that key.
    pub(super) fn has(&self, key: &str) -> bool {
        self.table.contains_key(key)
    }

    /// Where a key stands; where the table does if it is not there.
    pub(super) fn key_span(&self, key: &str) -> Span {
        self.table.get_key_value(key).map_or(self.span, |(key, _)| span(key))
    }

    /// Complains about all keys but these.
    pub(super) fn only(&self, known: &[&str], of: &str, problems: &mut Vec<Diagnostic>) {
        for key in self.table.keys() {
            let name: &str = key.get_ref();
            if known.contains(&name) {
                continue;
            }
            let problem = Diagnostic::error("unknown-key", span(key), format!("{of} has no key `{name}`"));
            let quoted: Vec<String> = known.iter().map(|k| format!("`{k}`")).collect();
            problems.push(match nearest(name, known.iter().copied()) {
                Some(near) => problem.caret("not known").help(format!("did you mean `{near}`?")),
                None => problem.caret("not known").help(format!("{of} has {}", list_or(&quoted))),
            });
        }
    }

    fn value(&self, key: &str) -> Option<(&'t DeValue<'t>, Span)> {
        self.table.get(key).map(|value| (value.get_ref(), span(value)))
    }

    /// Complains that a value is of another kind than it should be.
    fn mismatch(&self, key: &str, place: Span, wanted: &str, problems: &mut Vec<Diagnostic>) {
        let found = self.table.get(key).map_or("nothing", |value| value.get_ref().type_str());
        let article = if found.starts_with(['a', 'i']) { "an" } else { "a" };
        let problem = Diagnostic::error("type", place, format!("`{key}` is {wanted}"));
        problems.push(problem.caret(format!("this is {article} {found}")));
    }

    /// A text.
    pub(super) fn words(&self, key: &str, problems: &mut Vec<Diagnostic>) -> Option<Words> {
        let (value, place) = self.value(key)?;
        match value {
            DeValue::String(text) => Some(Words { text: text.to_string(), span: place }),
            _ => {
                self.mismatch(key, place, "a text in quotes", problems);
                None
            }
        }
    }

    /// One text or several.
    pub(super) fn list(&self, key: &str, problems: &mut Vec<Diagnostic>) -> Option<Vec<Words>> {
        let (value, place) = self.value(key)?;
        let DeValue::Array(items) = value else { return self.words(key, problems).map(|words| vec![words]) };
        let texts = items.iter().map(|item| match item.get_ref() {
            DeValue::String(text) => Some(Words { text: text.to_string(), span: span(item) }),
            _ => None,
        });
        let found: Option<Vec<Words>> = texts.collect();
        match found {
            Some(found) if !found.is_empty() => Some(found),
            Some(_) => {
                problems.push(Diagnostic::error("empty", place, format!("`{key}` is an empty list")));
                None
            }
            None => {
                self.mismatch(key, place, "a text in quotes, or a list of such", problems);
                None
            }
        }
    }

    /// Whether a switch is on.
    pub(super) fn switch(&self, key: &str, problems: &mut Vec<Diagnostic>) -> bool {
        match self.value(key) {
            Some((DeValue::Boolean(on), _)) => *on,
            Some((_, place)) => {
                self.mismatch(key, place, "`true` or `false`", problems);
                false
            }
            None => false,
        }
    }

    /// A whole number in a range.
    pub(super) fn number(&self, key: &str, least: u32, most: u32, problems: &mut Vec<Diagnostic>) -> Option<u32> {
        let (value, place) = self.value(key)?;
        let found = integer(value).and_then(|n| u32::try_from(n).ok()).filter(|n| (least..=most).contains(n));
        if found.is_none() {
            let problem =
                Diagnostic::error("range", place, format!("`{key}` is a whole number from {least} to {most}"));
            problems.push(problem.caret("this is none"));
        }
        found
    }

    /// A number to begin random choices with.
    pub(super) fn seed(&self, key: &str, problems: &mut Vec<Diagnostic>) -> Option<u64> {
        let (value, place) = self.value(key)?;
        let found = integer(value).and_then(|n| u64::try_from(n).ok());
        if found.is_none() {
            let problem = Diagnostic::error("range", place, format!("`{key}` is a whole number, not negative"));
            problems.push(problem.caret("this is none").help("as in `7` or `0x5eed`"));
        }
        found
    }

    /// A percentage, or two: at the first and at the last.
    pub(super) fn percentages(&self, key: &str, problems: &mut Vec<Diagnostic>) -> Option<(u32, u32)> {
        let (value, place) = self.value(key)?;
        let percent = |value: &DeValue<'_>| integer(value).and_then(|n| u32::try_from(n).ok()).filter(|n| *n <= 100);
        let found = match value {
            DeValue::Array(items) if items.len() == 2 => {
                let mut ends = items.iter().map(|item| percent(item.get_ref()));
                ends.next().flatten().zip(ends.next().flatten())
            }
            one => percent(one).map(|n| (n, n)),
        };
        if found.is_none() {
            let problem =
                Diagnostic::error("range", place, format!("`{key}` is a number from 0 to 100, or two of them"));
            problems.push(problem.caret("this is none").help("`[100, 0]` begins with the largest case"));
        }
        found
    }

    /// `let = { N = 10 }` as `N = 10`.
    pub(super) fn assignments(&self, key: &str, problems: &mut Vec<Diagnostic>) -> Vec<Words> {
        let Some((value, place)) = self.value(key) else { return Vec::new() };
        let DeValue::Table(table) = value else {
            self.mismatch(key, place, "a table such as `{ N = 10 }`", problems);
            return Vec::new();
        };
        let mut found = Vec::new();
        for (name, value) in table {
            let shown = match value.get_ref() {
                DeValue::String(text) => Some(text.to_string()),
                DeValue::Integer(_) | DeValue::Float(_) => self.text.get(value.span()).map(str::to_owned),
                _ => None,
            };
            match shown {
                Some(shown) => found.push(Words { text: format!("{} = {shown}", name.get_ref()), span: span(value) }),
                None => {
                    let message = format!("`{}` is a number, or a text such as \"10^9\"", name.get_ref());
                    problems.push(Diagnostic::error("type", span(value), message));
                }
            }
        }
        found
    }

    /// A table inside.
    pub(super) fn table(&self, key: &str, problems: &mut Vec<Diagnostic>) -> Option<Table<'t>> {
        let (value, place) = self.value(key)?;
        let DeValue::Table(table) = value else {
            self.mismatch(key, place, "a table", problems);
            return None;
        };
        Some(Table { table, span: self.key_span(key), text: self.text })
    }

    /// The tables of a list: `[[test]]`.
    pub(super) fn tables(&self, key: &str, problems: &mut Vec<Diagnostic>) -> Vec<Table<'t>> {
        let Some((value, place)) = self.value(key) else { return Vec::new() };
        let DeValue::Array(items) = value else {
            let problem = Diagnostic::error("type", self.key_span(key), format!("`{key}` is a list of tables"));
            problems.push(problem.help(format!("write `[[{key}]]` above each")));
            return Vec::new();
        };
        let mut found = Vec::new();
        for item in items {
            match item.get_ref() {
                DeValue::Table(table) => found.push(Table { table, span: span(item), text: self.text }),
                _ => self.mismatch(key, place, "a list of tables", problems),
            }
        }
        found
    }
}

/// A whole number, in whatever base it is written.
fn integer(value: &DeValue<'_>) -> Option<i64> {
    let integer = value.as_integer()?;
    i64::from_str_radix(integer.as_str(), integer.radix()).ok()
}
