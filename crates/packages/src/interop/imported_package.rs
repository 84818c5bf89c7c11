//! An imported package under construction.

use crate::Bundle;
pub(super) use crate::package::shorten_for_message;
use rebut_diagnostics::Error;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::Path;

/// The files of a program, by their names in one folder.
pub(super) type ProgramFiles = BTreeMap<String, Vec<u8>>;

/// A package converted from another system.
#[derive(Clone, Debug, Default)]
pub struct ImportedPackage {
    /// Its files, and notes on the conversion.
    pub contents: ConvertedPackage,
    /// Title of the problem.
    pub title: String,
    /// Number of test cases, including those that the recipe generates.
    pub tests: usize,
    /// Number of submissions.
    pub submissions: usize,
    /// Whether its test cases have to be built from its recipe.
    pub needs_build: bool,
}

impl ImportedPackage {
    pub(super) fn add_file(&mut self, path: &str, bytes: impl Into<Vec<u8>>) -> Result<(), InteropError> {
        self.contents.add_file(path, bytes)
    }

    pub(super) fn add_note(&mut self, text: impl Into<String>) {
        self.contents.add_note(text);
    }
}

/// The settings of `problem.yaml`.
pub(super) struct ImportSettings<'a> {
    /// Titles by language code.
    pub(super) titles: &'a [(String, String)],
    /// `pass-fail` or other types.
    pub(super) types: &'a [&'a str],
    pub(super) time_limit_ms: u64,
    /// In bytes.
    pub(super) memory_limit: Option<u64>,
    /// Origin: a name and an address.
    pub(super) source: Option<(&'a str, &'a str)>,
    /// Parts that the UUID is derived from.
    pub(super) identity: &'a [&'a str],
}

impl ImportSettings<'_> {
    /// Formats `problem.yaml`. The dialect is 2025-09: its expectations hold for each test case, as in other systems,
    /// and `submissions.yaml` can express the rest.
    pub(super) fn to_problem_yaml(&self) -> String {
        let mut text = String::from("problem_format_version: 2025-09\n");
        match self.types {
            [one] => text.push_str(&format!("type: {one}\n")),
            several => text.push_str(&format!("type: [{}]\n", several.join(", "))),
        }
        text.push_str("name:\n");
        for (language, title) in self.titles {
            let _ = writeln!(text, "    {language}: {}", quote_text(title));
        }
        let _ = writeln!(text, "uuid: {}", derive_uuid(self.identity));
        if let Some((name, address)) = self.source {
            let _ = writeln!(text, "source:\n    name: {}\n    url: {}", quote_text(name), quote_text(address));
        }
        let _ = writeln!(text, "license: unknown\nlimits:\n    time_limit: {}", ms_to_seconds(self.time_limit_ms));
        if let Some(bytes) = self.memory_limit {
            let _ = writeln!(text, "    memory: {}", (bytes >> 20).max(1));
        }
        text
    }
}

/// The submissions of an imported package, with the contents of `submissions.yaml`.
#[derive(Debug, Default)]
pub(super) struct ImportedSubmissions {
    names: UniqueNames,
    entries: Vec<(String, Vec<String>)>,
}

impl ImportedSubmissions {
    /// Adds a submission to a folder, as a file, or as a folder if it consists of several files. Returns its name.
    pub(super) fn add_submission(
        &mut self,
        folder: &str,
        file: &str,
        files: ProgramFiles,
        imported: &mut ImportedPackage,
    ) -> Result<String, InteropError> {
        imported.submissions += 1;
        let file = sanitize_name(file);
        if files.len() == 1 {
            let name = self.names.claim_name(&format!("{folder}/{file}"));
            imported.add_file(&format!("submissions/{name}"), files.into_values().next().unwrap_or_default())?;
            return Ok(name);
        }
        let name = self.names.claim_name(&format!("{folder}/{}", file_stem(&file)));
        for (part, bytes) in files {
            imported.add_file(&format!("submissions/{name}/{part}"), bytes)?;
        }
        Ok(name)
    }

    /// Adds lines of YAML about a submission or a folder of submissions.
    pub(super) fn add_yaml_lines(&mut self, pattern: &str, lines: &[String]) {
        match self.entries.iter_mut().find(|(known, _)| known == pattern) {
            Some((_, known)) => {
                known.extend(lines.iter().filter(|line| !known.contains(line)).cloned().collect::<Vec<_>>())
            }
            None => self.entries.push((pattern.to_owned(), lines.to_vec())),
        }
    }

    /// Formats `submissions.yaml`; `None` if it would be empty.
    pub(super) fn to_submissions_yaml(&self) -> Option<String> {
        let mut text = String::new();
        for (pattern, lines) in &self.entries {
            let _ = writeln!(text, "{}:", quote_text(pattern));
            lines.iter().for_each(|line| text.push_str(&format!("    {line}\n")));
        }
        (!text.is_empty()).then_some(text)
    }
}

// The result of a conversion: files, and notes on omissions.

/// A package that was converted from or for another system.
#[derive(Clone, Debug, Default)]
pub struct ConvertedPackage {
    /// Files of the package.
    pub files: Bundle,
    /// Notes on omissions and changes, one sentence each.
    pub notes: Vec<String>,
}

impl ConvertedPackage {
    /// Adds a file.
    ///
    /// # Errors
    ///
    /// Returns an error if the file exists already or the package becomes too large.
    pub(super) fn add_file(&mut self, path: &str, bytes: impl Into<Vec<u8>>) -> Result<(), InteropError> {
        self.files
            .insert(path, bytes.into())
            .map_err(|problem| InteropError::new(format!("`{}`: {problem}", shorten_for_message(path))))
    }

    /// Adds a note, unless there is the same one already.
    pub(super) fn add_note(&mut self, text: impl Into<String>) {
        let text = text.into();
        if !self.notes.contains(&text) {
            self.notes.push(text);
        }
    }
}

// Errors in packages of other systems.

/// An error in a foreign package, with its location and help.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InteropError {
    location: String,
    text: String,
    help: Option<String>,
}

impl InteropError {
    /// Creates an error about the whole package.
    pub(super) fn new(text: impl Into<String>) -> InteropError {
        InteropError::at_location("", text)
    }

    /// Creates an error at a location: a path in the package, followed by line and column if known.
    pub(super) fn at_location(location: impl Into<String>, text: impl Into<String>) -> InteropError {
        InteropError { location: location.into(), text: text.into(), help: None }
    }

    pub(super) fn with_help(mut self, help: impl Into<String>) -> InteropError {
        self.help = Some(help.into());
        self
    }

    /// Converts it to the error of a command.
    pub fn into_error(self, source: &Path) -> Error {
        let source = source.display();
        let location = if self.location.is_empty() {
            source.to_string()
        } else {
            format!("{source}/{}", shorten_for_message(&self.location))
        };
        let error = Error::usage_error(format!("`{location}`: {}", self.text));
        match self.help {
            Some(help) => error.with_help(help),
            None => error,
        }
    }
}

// File names that all judges accept, and quoting for YAML and TOML.

/// Replaces characters other than letters, digits, `_`, `-` and dots, so that the name starts and ends with a letter
/// or digit.
pub(super) fn sanitize_name(name: &str) -> String {
    let kept = |c: char| if c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.') { c } else { '_' };
    let name: String = name.chars().map(kept).collect();
    let name = name.trim_matches(|c: char| !c.is_ascii_alphanumeric());
    if name.is_empty() { "unnamed".to_owned() } else { name.to_owned() }
}

/// Returns the part after the last slash.
pub(super) fn file_name(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

/// Returns the name without folders and extension.
pub(super) fn file_stem(path: &str) -> &str {
    let name = file_name(path);
    name.rsplit_once('.').filter(|(stem, _)| !stem.is_empty()).map_or(name, |(stem, _)| stem)
}

/// Returns the part after the last dot.
pub(super) fn file_extension(path: &str) -> &str {
    file_name(path).rsplit_once('.').map_or("", |(_, extension)| extension)
}

/// Makes names unique: the second `a.c` becomes `a_2.c`.
#[derive(Debug, Default)]
pub(super) struct UniqueNames(BTreeSet<String>);

impl UniqueNames {
    pub(super) fn claim_name(&mut self, path: &str) -> String {
        let (stem, extension) = match path.rsplit_once('.') {
            Some((stem, extension)) if !extension.contains('/') => (stem, format!(".{extension}")),
            _ => (path, String::new()),
        };
        let mut free = path.to_owned();
        for number in 2.. {
            if self.0.insert(free.to_ascii_lowercase()) {
                break;
            }
            free = format!("{stem}_{number}{extension}");
        }
        free
    }
}

/// Returns the entry of a test in a recipe. `input_source` is the line that says where its input is from.
pub(super) fn recipe_test(group: &str, name: &str, input_source: &str) -> String {
    format!("[[test]]\ngroup = {}\nname = {}\n{input_source}\n", quote_text(group), quote_text(name))
}

/// Quotes a text in a way that JSON, YAML and TOML understand.
pub(super) fn quote_text(text: &str) -> String {
    let mut found = String::from("\"");
    for c in text.chars() {
        match c {
            '"' | '\\' => found.extend(['\\', c]),
            '\n' => found.push_str("\\n"),
            '\t' => found.push_str("\\t"),
            c if c.is_control() => found.push_str(&format!("\\u{:04x}", u32::from(c))),
            c => found.push(c),
        }
    }
    found.push('"');
    found
}

/// Formats milliseconds as seconds, without trailing zeros.
pub(super) fn ms_to_seconds(ms: u64) -> String {
    let text = format!("{}.{:03}", ms / 1000, ms % 1000);
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// Derives an identifier in the form of a UUID from these parts.
pub(super) fn derive_uuid(identity: &[&str]) -> String {
    let parts: Vec<&[u8]> = identity.iter().map(|part| part.as_bytes()).collect();
    let hex = crate::digest_parts(&parts);
    format!("{}-{}-8{}-a{}-{}", &hex[..8], &hex[8..12], &hex[12..15], &hex[15..18], &hex[18..30])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_sanitized_and_unique() {
        assert_eq!(sanitize_name("a b/ü.cpp"), "a_b__.cpp");
        assert_eq!(sanitize_name("..x"), "x");
        assert_eq!(sanitize_name("///"), "unnamed");
        let mut taken = UniqueNames::default();
        let names = ["f/a.c", "f/A.c", "f/a.c", "f.d/a"].map(|name| taken.claim_name(name));
        assert_eq!(names, ["f/a.c", "f/A_2.c", "f/a_3.c", "f.d/a"]);
        assert_eq!((file_stem("a/b.tar.gz"), file_stem("a/.b"), file_extension("a.b/c")), ("b.tar", ".b", ""));
    }

    #[test]
    fn texts_are_quoted_and_times_are_short() {
        assert_eq!(quote_text("a\"\\\n\u{1b}ü"), "\"a\\\"\\\\\\n\\u001bü\"");
        assert_eq!([ms_to_seconds(3000), ms_to_seconds(1500), ms_to_seconds(1)], ["3", "1.5", "0.001"]);
        assert_eq!(derive_uuid(&["a"]).len(), 36);
    }
}
