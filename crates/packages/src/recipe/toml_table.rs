//! Reader of TOML tables, key by key. Errors are reported with their location.

use super::{SpannedText, toml_span};
use rebut_diagnostics::{Diagnostic, Span, list_and, suggestion_or};
use toml::de::{DeTable, DeValue};

/// A table and the text of the recipe.
pub(super) struct TomlTable<'t> {
    table: &'t DeTable<'t>,
    pub(super) span: Span,
    text: &'t str,
}

pub(crate) fn syntax_diagnostic(error: &toml::de::Error) -> Diagnostic {
    let span = error.span().map_or(Span::new(0, 0), |s| Span::new(s.start, s.end));
    let mut lines = error.message().lines();
    let message = lines.next().unwrap_or("invalid TOML").to_owned();
    let expected = lines.collect::<Vec<_>>().join(" ");
    Diagnostic::error("toml", span, message).with_caret(expected)
}

impl<'t> TomlTable<'t> {
    pub(super) fn new(table: &'t DeTable<'t>, span: Span, text: &'t str) -> Self {
        TomlTable { table, span, text }
    }

    pub(super) fn key_names(&self) -> Vec<String> {
        self.table.keys().map(|key| key.get_ref().to_string()).collect()
    }

    pub(super) fn has_key(&self, key: &str) -> bool {
        self.table.contains_key(key)
    }

    /// Returns the location of a key, or of the table if it does not have the key.
    pub(super) fn key_span(&self, key: &str) -> Span {
        self.table.get_key_value(key).map_or(self.span, |(key, _)| toml_span(key))
    }

    /// Reports all keys that are not in `known`.
    pub(super) fn check_known_keys(&self, known: &[&str], of: &str, problems: &mut Vec<Diagnostic>) {
        for key in self.table.keys() {
            let name: &str = key.get_ref();
            if known.contains(&name) {
                continue;
            }
            let problem = Diagnostic::error("unknown-key", toml_span(key), format!("{of} has no key `{name}`"));
            let quoted: Vec<String> = known.iter().map(|k| format!("`{k}`")).collect();
            let otherwise = format!("the keys of {of} are {}", list_and(&quoted));
            let help = suggestion_or(name, known.iter().copied(), &otherwise);
            problems.push(problem.with_caret("unknown key").with_help(help));
        }
    }

    fn get_value(&self, key: &str) -> Option<(&'t DeValue<'t>, Span)> {
        self.table.get(key).map(|value| (value.get_ref(), toml_span(value)))
    }

    fn report_wrong_type(&self, key: &str, span: Span, wanted: &str, problems: &mut Vec<Diagnostic>) {
        let found = self.table.get(key).map_or("nothing", |value| value.get_ref().type_str());
        let article = if found.starts_with(['a', 'i']) { "an" } else { "a" };
        let problem = Diagnostic::error("type", span, format!("`{key}` must be {wanted}"));
        problems.push(problem.with_caret(format!("this is {article} {found}")));
    }

    pub(super) fn read_text(&self, key: &str, problems: &mut Vec<Diagnostic>) -> Option<SpannedText> {
        let (value, span) = self.get_value(key)?;
        match value {
            DeValue::String(text) => Some(SpannedText { text: text.to_string(), span }),
            _ => {
                self.report_wrong_type(key, span, "a string in quotes", problems);
                None
            }
        }
    }

    pub(super) fn read_text_list(&self, key: &str, problems: &mut Vec<Diagnostic>) -> Option<Vec<SpannedText>> {
        let (value, span) = self.get_value(key)?;
        let DeValue::Array(items) = value else { return self.read_text(key, problems).map(|text| vec![text]) };
        let texts = items.iter().map(|item| match item.get_ref() {
            DeValue::String(text) => Some(SpannedText { text: text.to_string(), span: toml_span(item) }),
            _ => None,
        });
        let found: Option<Vec<SpannedText>> = texts.collect();
        match found {
            Some(found) if !found.is_empty() => Some(found),
            Some(_) => {
                problems.push(Diagnostic::error("empty", span, format!("`{key}` is an empty list")));
                None
            }
            None => {
                self.report_wrong_type(key, span, "a string in quotes, or a list of strings", problems);
                None
            }
        }
    }

    /// Reads a boolean; false if it is missing.
    pub(super) fn read_switch(&self, key: &str, problems: &mut Vec<Diagnostic>) -> bool {
        match self.get_value(key) {
            Some((DeValue::Boolean(on), _)) => *on,
            Some((_, span)) => {
                self.report_wrong_type(key, span, "`true` or `false`", problems);
                false
            }
            None => false,
        }
    }

    /// Reads a whole number in a range.
    pub(super) fn read_number(&self, key: &str, min: u32, max: u32, problems: &mut Vec<Diagnostic>) -> Option<u32> {
        let (value, span) = self.get_value(key)?;
        let found = parse_integer(value).and_then(|n| u32::try_from(n).ok()).filter(|n| (min..=max).contains(n));
        if found.is_none() {
            let problem =
                Diagnostic::error("range", span, format!("`{key}` must be a whole number from {min} to {max}"));
            problems.push(problem.with_caret("out of range, or not a whole number"));
        }
        found
    }

    pub(super) fn read_seed(&self, key: &str, problems: &mut Vec<Diagnostic>) -> Option<u64> {
        let (value, span) = self.get_value(key)?;
        let found = parse_integer(value).and_then(|n| u64::try_from(n).ok());
        if found.is_none() {
            let problem =
                Diagnostic::error("range", span, format!("`{key}` must be a whole number that is not negative"));
            problems.push(problem.with_caret("not a valid seed").with_help("write `7` or `0x5eed`, for example"));
        }
        found
    }

    /// Reads a percentage, or two: for the first and the last case.
    pub(super) fn read_percentages(&self, key: &str, problems: &mut Vec<Diagnostic>) -> Option<(u32, u32)> {
        let (value, span) = self.get_value(key)?;
        let percent =
            |value: &DeValue<'_>| parse_integer(value).and_then(|n| u32::try_from(n).ok()).filter(|n| *n <= 100);
        let found = match value {
            DeValue::Array(items) if items.len() == 2 => {
                let mut ends = items.iter().map(|item| percent(item.get_ref()));
                ends.next().flatten().zip(ends.next().flatten())
            }
            one => percent(one).map(|n| (n, n)),
        };
        if found.is_none() {
            let problem =
                Diagnostic::error("range", span, format!("`{key}` must be a number from 0 to 100, or two of them"));
            problems.push(problem.with_caret("not a percentage").with_help("`[100, 0]` starts with the largest case"));
        }
        found
    }

    /// Reads `let = { N = 10 }` as `N = 10`.
    pub(super) fn read_assignments(&self, key: &str, problems: &mut Vec<Diagnostic>) -> Vec<SpannedText> {
        let Some((value, span)) = self.get_value(key) else { return Vec::new() };
        let DeValue::Table(table) = value else {
            self.report_wrong_type(key, span, "a table such as `{ N = 10 }`", problems);
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
                Some(shown) => {
                    found.push(SpannedText { text: format!("{} = {shown}", name.get_ref()), span: toml_span(value) })
                }
                None => {
                    let message = format!("`{}` must be a number, or a string such as \"10^9\"", name.get_ref());
                    problems.push(Diagnostic::error("type", toml_span(value), message));
                }
            }
        }
        found
    }

    pub(super) fn read_table(&self, key: &str, problems: &mut Vec<Diagnostic>) -> Option<TomlTable<'t>> {
        let (value, span) = self.get_value(key)?;
        let DeValue::Table(table) = value else {
            self.report_wrong_type(key, span, "a table", problems);
            return None;
        };
        Some(TomlTable { table, span: self.key_span(key), text: self.text })
    }

    /// Reads an array of tables: `[[test]]`.
    pub(super) fn read_table_list(&self, key: &str, problems: &mut Vec<Diagnostic>) -> Vec<TomlTable<'t>> {
        let Some((value, span)) = self.get_value(key) else { return Vec::new() };
        let DeValue::Array(items) = value else {
            let problem = Diagnostic::error("type", self.key_span(key), format!("`{key}` must be an array of tables"));
            problems.push(problem.with_help(format!("write `[[{key}]]` above each")));
            return Vec::new();
        };
        let mut found = Vec::new();
        for item in items {
            match item.get_ref() {
                DeValue::Table(table) => found.push(TomlTable { table, span: toml_span(item), text: self.text }),
                _ => self.report_wrong_type(key, span, "an array of tables", problems),
            }
        }
        found
    }
}

/// Parses an integer in any base.
fn parse_integer(value: &DeValue<'_>) -> Option<i64> {
    let integer = value.as_integer()?;
    i64::from_str_radix(integer.as_str(), integer.radix()).ok()
}
