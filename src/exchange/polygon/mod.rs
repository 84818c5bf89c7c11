//! Packages of Polygon. `problem.xml` says everything ([`descriptor`]); sources are taken from where it names them, to be
//! compiled anew, and no script of the package is ever run.

mod descriptor;
mod programs;
mod solutions;
mod statement;
mod tests;
mod xml;

use super::flaw::{Flaw, shown};
use super::sources::Shelf;
use super::target::{Imported, Settings};
use crate::corpus::Bundle;
use descriptor::Problem;
use std::borrow::Cow;

/// The file that makes a folder a package of Polygon.
pub(super) const FILE: &str = "problem.xml";

/// Makes a package of ours from one of Polygon.
pub(super) fn import(source: &Bundle, id: &str) -> Result<Imported, Flaw> {
    let bytes = source.get(FILE).unwrap_or_default();
    let text = std::str::from_utf8(bytes).map_err(|_| Flaw::at(FILE, "is not UTF-8"))?;
    let problem = descriptor::read(text.trim_start_matches('\u{feff}'))?;
    let mut made = Imported { notes: problem.notes.clone(), tests: problem.tests.len(), ..Imported::default() };
    let package = Package { source, is_windows: is_windows(source, &problem) };
    let titles = titles(&problem, id);
    made.title = titles[0].1.clone();
    let points: f64 = problem.groups.iter().map(|g| g.points).chain(problem.tests.iter().map(|t| t.points)).sum();
    let is_scoring = points > 0.0 && problem.tests.iter().any(|test| test.group.is_some());
    if points > 0.0 && !is_scoring {
        made.note("the points of tests are left out: they have no groups");
    }
    let mut types = vec![if is_scoring { "scoring" } else { "pass-fail" }];
    if problem.interactor.is_some() {
        types.push("interactive");
    }
    let settings = Settings {
        titles: &titles,
        types: if types == ["pass-fail", "interactive"] { &["interactive"] } else { &types },
        time_limit_ms: problem.time_limit_ms,
        memory_limit: Some(problem.memory_bytes),
        source: Some(("Polygon", problem.url.as_str())).filter(|(_, url)| !url.is_empty()),
        identity: &["polygon", &problem.url, &problem.short_name],
    };
    made.add("problem.yaml", settings.text())?;
    let folders = tests::folders(&problem);
    tests::write(&package, &problem, &folders, is_scoring, &mut made)?;
    programs::write(&package, &problem, &mut made)?;
    solutions::write(&package, &problem, &folders, &mut made)?;
    statement::write(&package, &titles, &problem, &mut made)?;
    Ok(made)
}

/// The files of a package, as ours would have them.
struct Package<'s> {
    source: &'s Bundle,
    /// Whether all its texts have line ends of Windows, so that none of them is meant.
    is_windows: bool,
}

impl<'s> Package<'s> {
    /// A file that has to be there.
    fn file(&self, place: &str, path: &str) -> Result<Cow<'s, [u8]>, Flaw> {
        let bytes = self.source.get(path);
        let bytes = bytes.ok_or_else(|| Flaw::at(place, format!("the file `{}` is missing", shown(path))))?;
        Ok(self.with_unix_ends(bytes))
    }

    fn with_unix_ends(&self, bytes: &'s [u8]) -> Cow<'s, [u8]> {
        if self.is_windows { without_carriage_returns(bytes) } else { Cow::Borrowed(bytes) }
    }
}

impl Shelf for Package<'_> {
    fn source(&self, path: &str) -> Option<Cow<'_, [u8]>> {
        self.source.get(path).map(without_carriage_returns)
    }

    fn roots(&self) -> &[&str] {
        &["files"]
    }
}

/// Packages that were made for Windows have its line ends in all tests.
fn is_windows(source: &Bundle, problem: &Problem) -> bool {
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

/// Titles by language code: at least one.
fn titles(problem: &Problem, id: &str) -> Vec<(String, String)> {
    let mut titles: Vec<(String, String)> = Vec::new();
    for (language, title) in &problem.titles {
        let code = code(language);
        if !title.is_empty() && titles.iter().all(|(known, _)| *known != code) {
            titles.push((code, title.clone()));
        }
    }
    if titles.is_empty() {
        titles.push(("en".to_owned(), id.to_owned()));
    }
    titles
}

/// The code of a language that Polygon names in English.
fn code(language: &str) -> String {
    const CODES: [(&str, &str); 22] = [
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
    let found = CODES.iter().find(|(name, _)| *name == language);
    // Codes of three letters from `qaa` on are for private use.
    found.map_or("qaa", |(_, code)| code).to_owned()
}
