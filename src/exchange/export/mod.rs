//! A package of ours as other judges read it.

mod data;
mod points;
mod settings;
mod statement;
mod submissions;
mod validators;

use super::flaw::{Flaw, shown};
use crate::corpus::{Bundle, Dialect, Package};
use crate::format::Format;

/// Who is to read an exported package.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Readers of the legacy format: Kattis, BAPCtools and others.
    Legacy,
    /// Readers of the version 2025-09.
    V2025,
    /// DOMjudge: the legacy format with its own additions, and test cases in two folders only.
    Domjudge,
}

/// What is exported.
pub struct Source<'a> {
    /// The package.
    pub package: &'a Package,
    /// All files of its folder.
    pub files: &'a Bundle,
    /// Its format, if it has one.
    pub format: Option<&'a Format>,
}

/// An exported package.
#[derive(Clone, Debug, Default)]
pub struct Exported {
    /// Its files.
    pub files: Bundle,
    /// What was left out or changed, and why: a sentence each.
    pub notes: Vec<String>,
}

/// Makes a package for others.
///
/// # Errors
/// If a test case has no answer, or the package is too large.
pub fn export(source: &Source<'_>, kind: Kind) -> Result<Exported, Flaw> {
    let mut made = Exported::default();
    made.add("problem.yaml", settings::text(source.package, kind))?;
    if kind == Kind::Domjudge {
        made.add("domjudge-problem.ini", settings::ini(source.package))?;
    } else if kind == Kind::Legacy
        && let Some(ms) = source.package.limits.cpu_time_ms
    {
        made.add(".timelimit", format!("{}\n", super::names::seconds(ms)))?;
    }
    data::write(source, kind, &mut made)?;
    validators::write(source, kind, &mut made)?;
    submissions::write(source, kind, &mut made)?;
    statement::write(source, kind, &mut made)?;
    Ok(made)
}

impl Kind {
    fn is_legacy(self) -> bool {
        self != Kind::V2025
    }

    /// Whether a package of this dialect is already written as this kind of readers understands it.
    fn reads(self, dialect: Dialect) -> bool {
        match dialect {
            Dialect::Legacy | Dialect::LegacyIcpc => self.is_legacy(),
            Dialect::V2025 => self == Kind::V2025,
            Dialect::Draft2023 => false,
        }
    }
}

impl Exported {
    fn add(&mut self, path: &str, bytes: impl Into<Vec<u8>>) -> Result<(), Flaw> {
        self.files.insert(path, bytes.into()).map_err(|words| Flaw::new(format!("`{}`: {words}", shown(path))))
    }

    fn note(&mut self, text: impl Into<String>) {
        let text = text.into();
        if !self.notes.contains(&text) {
            self.notes.push(text);
        }
    }
}

impl Source<'_> {
    /// The path in the package of a file or folder that the package names.
    fn inner(&self, path: &std::path::Path) -> Option<String> {
        Some(path.strip_prefix(&self.package.folder).ok()?.to_str()?.to_owned())
    }

    /// A program's files, by their paths beside or in it: one for a file, all for a folder.
    fn program(&self, path: &std::path::Path) -> Vec<(String, &[u8])> {
        let Some(path) = self.inner(path) else { return Vec::new() };
        let name = super::names::file_name(&path).to_owned();
        match self.files.get(&path) {
            Some(bytes) => vec![(name, bytes)],
            None => self.files.below(&path).map(|(below, bytes)| (format!("{name}/{below}"), bytes)).collect(),
        }
    }
}
