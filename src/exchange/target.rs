//! A package of ours in the making.

use super::flaw::{Flaw, shown};
use super::names::{Taken, plain, quoted, seconds, stem, uuid};
use super::sources::Whole;
use crate::corpus::Bundle;
use std::fmt::Write as _;

/// A package that was made from another one.
#[derive(Clone, Debug, Default)]
pub struct Imported {
    /// Its files.
    pub files: Bundle,
    /// What was left out or changed, and why: a sentence each.
    pub notes: Vec<String>,
    /// Its title.
    pub title: String,
    /// How many test cases it has, or will have when it is built.
    pub tests: usize,
    /// How many submissions it has.
    pub submissions: usize,
    /// Whether its test cases have to be built from its recipe.
    pub needs_build: bool,
}

impl Imported {
    /// Adds a file.
    ///
    /// # Errors
    /// If there is one of that name, or too much of everything.
    pub(super) fn add(&mut self, path: &str, bytes: impl Into<Vec<u8>>) -> Result<(), Flaw> {
        self.files.insert(path, bytes.into()).map_err(|words| Flaw::new(format!("`{}`: {words}", shown(path))))
    }

    /// Tells of something.
    pub(super) fn note(&mut self, text: impl Into<String>) {
        let text = text.into();
        if !self.notes.contains(&text) {
            self.notes.push(text);
        }
    }
}

/// What `problem.yaml` is to say.
pub(super) struct Settings<'a> {
    /// Titles by language code.
    pub(super) titles: &'a [(String, String)],
    /// `pass-fail`, or what else holds.
    pub(super) types: &'a [&'a str],
    pub(super) time_limit_ms: u64,
    /// In bytes.
    pub(super) memory_limit: Option<u64>,
    /// Where it comes from: a name and an address.
    pub(super) source: Option<(&'a str, &'a str)>,
    /// What decides its identifier.
    pub(super) identity: &'a [&'a str],
}

impl Settings<'_> {
    /// The text of `problem.yaml`, in the dialect in which expectations hold for each test case, as other systems mean
    /// them, and in which `submissions.yaml` can say the rest.
    pub(super) fn text(&self) -> String {
        let mut text = String::from("problem_format_version: 2025-09\n");
        match self.types {
            [one] => text.push_str(&format!("type: {one}\n")),
            several => text.push_str(&format!("type: [{}]\n", several.join(", "))),
        }
        text.push_str("name:\n");
        for (language, title) in self.titles {
            let _ = writeln!(text, "    {language}: {}", quoted(title));
        }
        let _ = writeln!(text, "uuid: {}", uuid(self.identity));
        if let Some((name, address)) = self.source {
            let _ = writeln!(text, "source:\n    name: {}\n    url: {}", quoted(name), quoted(address));
        }
        let _ = writeln!(text, "license: unknown\nlimits:\n    time_limit: {}", seconds(self.time_limit_ms));
        if let Some(bytes) = self.memory_limit {
            let _ = writeln!(text, "    memory: {}", (bytes >> 20).max(1));
        }
        text
    }
}

/// The submissions of a package in the making, with the file that says what folders cannot.
#[derive(Debug, Default)]
pub(super) struct Submissions {
    taken: Taken,
    entries: Vec<(String, Vec<String>)>,
}

impl Submissions {
    /// Adds one to a folder: a file, or a folder if there is more to it. The result is its name.
    pub(super) fn add(&mut self, folder: &str, file: &str, whole: Whole, made: &mut Imported) -> Result<String, Flaw> {
        made.submissions += 1;
        let file = plain(file);
        if whole.len() == 1 {
            let name = self.taken.take(&format!("{folder}/{file}"));
            made.add(&format!("submissions/{name}"), whole.into_values().next().unwrap_or_default())?;
            return Ok(name);
        }
        let name = self.taken.take(&format!("{folder}/{}", stem(&file)));
        for (part, bytes) in whole {
            made.add(&format!("submissions/{name}/{part}"), bytes)?;
        }
        Ok(name)
    }

    /// Says more of a submission, or of a folder of them, in lines of YAML.
    pub(super) fn say(&mut self, pattern: &str, lines: &[String]) {
        match self.entries.iter_mut().find(|(known, _)| known == pattern) {
            Some((_, known)) => {
                known.extend(lines.iter().filter(|line| !known.contains(line)).cloned().collect::<Vec<_>>())
            }
            None => self.entries.push((pattern.to_owned(), lines.to_vec())),
        }
    }

    /// The text of `submissions.yaml`; none if there is nothing to say.
    pub(super) fn text(&self) -> Option<String> {
        let mut text = String::new();
        for (pattern, lines) in &self.entries {
            let _ = writeln!(text, "{}:", quoted(pattern));
            lines.iter().for_each(|line| text.push_str(&format!("    {line}\n")));
        }
        (!text.is_empty()).then_some(text)
    }
}
