//! Import of Polygon packages. `problem.xml` describes everything ([`problem_xml`]). Sources are compiled again, and
//! no script of the package is ever run.

mod problem_xml;
mod solutions;
mod testset;

use super::imported_package::{ImportSettings, ImportedPackage, InteropError, quote_text, shorten_for_message};
use super::include_resolver::SourceLookup;
use crate::Bundle;
use problem_xml::PolygonProblem;
pub(super) use solutions::{POLYGON_TAGS, STATEMENT_SECTIONS};
use std::borrow::Cow;
use std::collections::BTreeMap;

/// The file that identifies a Polygon package.
pub(super) const PROBLEM_XML_FILE: &str = "problem.xml";

pub(super) fn import_polygon(source: &Bundle, id: &str) -> Result<ImportedPackage, InteropError> {
    let bytes = source.get(PROBLEM_XML_FILE).unwrap_or_default();
    let text =
        std::str::from_utf8(bytes).map_err(|_| InteropError::at_location(PROBLEM_XML_FILE, "is not valid UTF-8"))?;
    let problem = problem_xml::parse_problem_xml(text.trim_start_matches('\u{feff}'))?;
    let mut imported = ImportedPackage { tests: problem.tests.len(), ..ImportedPackage::default() };
    imported.contents.notes.clone_from(&problem.notes);
    let package = PolygonPackage { source, is_windows: has_windows_newlines(source, &problem) };
    let titles = titles_by_code(&problem, id);
    imported.title = titles[0].1.clone();
    let points: f64 = problem.groups.iter().map(|g| g.points).chain(problem.tests.iter().map(|t| t.points)).sum();
    let is_scoring = points > 0.0 && problem.tests.iter().any(|test| test.group.is_some());
    if problem.tests.iter().any(|test| test.points > 0.0 && (test.is_sample || test.group.is_none())) {
        imported.add_note("the points of samples and of tests without groups are left out");
    }
    let mut types = vec![if is_scoring { "scoring" } else { "pass-fail" }];
    if problem.interactor.is_some() {
        types.push("interactive");
    }
    let settings = ImportSettings {
        titles: &titles,
        types: if types == ["pass-fail", "interactive"] { &["interactive"] } else { &types },
        time_limit_ms: problem.time_limit_ms,
        memory_limit: Some(problem.memory_bytes),
        source: Some(("Polygon", problem.url.as_str())).filter(|(_, url)| !url.is_empty()),
        identity: &["polygon", &problem.url, &problem.short_name],
    };
    imported.add_file("problem.yaml", settings.to_problem_yaml())?;
    let folders = testset::group_folders(&problem);
    let (package, problem) = (&package, &problem);
    let mut import = PolygonImport { package, problem, folders: &folders, is_scoring, out: imported };
    testset::write_tests(&mut import)?;
    solutions::write_jury_programs(&mut import)?;
    solutions::write_solutions(&mut import)?;
    solutions::write_statements(&mut import, &titles)?;
    Ok(import.out)
}

/// A package that is being imported.
struct PolygonImport<'a> {
    package: &'a PolygonPackage<'a>,
    problem: &'a PolygonProblem,
    /// Names of groups' folders by Polygon's names.
    folders: &'a BTreeMap<String, String>,
    is_scoring: bool,
    out: ImportedPackage,
}

/// The files of a Polygon package, with Unix line ends.
struct PolygonPackage<'s> {
    source: &'s Bundle,
    /// Whether all texts have Windows line ends, which are then not significant.
    is_windows: bool,
}

impl<'s> PolygonPackage<'s> {
    fn required_file(&self, location: &str, path: &str) -> Result<Cow<'s, [u8]>, InteropError> {
        let bytes = self.source.get(path);
        let bytes = bytes.ok_or_else(|| {
            InteropError::at_location(location, format!("the file `{}` is missing", shorten_for_message(path)))
        })?;
        Ok(self.with_unix_newlines(bytes))
    }

    fn with_unix_newlines(&self, bytes: &'s [u8]) -> Cow<'s, [u8]> {
        if self.is_windows { without_carriage_returns(bytes) } else { Cow::Borrowed(bytes) }
    }
}

impl SourceLookup for PolygonPackage<'_> {
    fn find_source(&self, path: &str) -> Option<Cow<'_, [u8]>> {
        self.source.get(path).map(without_carriage_returns)
    }

    fn include_roots(&self) -> &[&str] {
        &["files"]
    }
}

/// Returns true if the package was made for Windows: all tests have Windows line ends.
fn has_windows_newlines(source: &Bundle, problem: &PolygonProblem) -> bool {
    let mut inputs =
        problem.tests.iter().filter_map(|test| source.get(&test.input)).filter(|bytes| bytes.contains(&b'\n'));
    let all_ends = |bytes: &[u8]| {
        bytes.split_inclusive(|b| *b == b'\n').all(|line| !line.ends_with(b"\n") || line.ends_with(b"\r\n"))
    };
    inputs.next().is_some_and(all_ends) && inputs.all(all_ends)
}

fn without_carriage_returns(bytes: &[u8]) -> Cow<'_, [u8]> {
    if !bytes.windows(2).any(|pair| pair == b"\r\n") {
        return Cow::Borrowed(bytes);
    }
    let lines = bytes.split_inclusive(|b| *b == b'\n');
    let lines = lines.flat_map(|line| match line.strip_suffix(b"\r\n") {
        Some(line) => line.iter().chain(b"\n"),
        None => line.iter().chain(b""),
    });
    Cow::Owned(lines.copied().collect())
}

/// Returns the line by which validators get the name of a group, as Polygon passes it.
fn group_arguments(group: &str) -> String {
    format!("input_validator_args: [\"--group\", {}]\n", quote_text(group))
}

/// Returns titles by language code, at least one.
fn titles_by_code(problem: &PolygonProblem, id: &str) -> Vec<(String, String)> {
    let mut titles: Vec<(String, String)> = Vec::new();
    for (language, title) in &problem.titles {
        let code = language_code(language);
        if !title.is_empty() && titles.iter().all(|(known, _)| *known != code) {
            titles.push((code, title.clone()));
        }
    }
    if titles.is_empty() {
        titles.push(("en".to_owned(), id.to_owned()));
    }
    titles
}

/// The languages that Polygon names in English, with their codes.
pub(in crate::interop) const LANGUAGE_CODES: [(&str, &str); 22] = [
    ("arabic", "ar"),
    ("armenian", "hy"),
    ("azerbaijani", "az"),
    ("belarusian", "be"),
    ("chinese", "zh"),
    ("english", "en"),
    ("french", "fr"),
    ("georgian", "ka"),
    ("german", "de"),
    ("italian", "it"),
    ("japanese", "ja"),
    ("kazakh", "kk"),
    ("korean", "ko"),
    ("persian", "fa"),
    ("polish", "pl"),
    ("portuguese", "pt"),
    ("romanian", "ro"),
    ("russian", "ru"),
    ("spanish", "es"),
    ("turkish", "tr"),
    ("ukrainian", "uk"),
    ("vietnamese", "vi"),
];

/// Returns the code of a language that Polygon names in English.
fn language_code(language: &str) -> String {
    let found = LANGUAGE_CODES.iter().find(|(name, _)| *name == language);
    // Three-letter codes from `qaa` on are reserved for private use.
    found.map_or("qaa", |(_, code)| code).to_owned()
}
