//! What a build depends on, as one short name.

use sha2::{Digest, Sha256};
use std::collections::BTreeSet;
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;

/// Part of every fingerprint; to be changed when what is stored in a build's folder changes.
const VERSION: &str = "rebut build 1";

/// More included files than any contest program has.
const INCLUDES_LIMIT: usize = 1000;

/// Collects parts. Each goes in with its length, so that no two lists of parts look the same.
pub(super) struct Fingerprint(Sha256);

impl Fingerprint {
    /// Of nothing but its own version.
    pub(super) fn new() -> Self {
        let mut fingerprint = Fingerprint(Sha256::new());
        fingerprint.add(VERSION.as_bytes());
        fingerprint
    }

    /// Adds a part.
    pub(super) fn add(&mut self, part: &[u8]) {
        self.0.update((part.len() as u64).to_le_bytes());
        self.0.update(part);
    }

    /// Adds a part that is a word.
    pub(super) fn add_word(&mut self, word: &OsStr) {
        self.add(word.as_encoded_bytes());
    }

    /// Adds a compiler with its arguments.
    pub(super) fn add_compiler(&mut self, compiler: &[OsString]) {
        compiler.iter().for_each(|word| self.add_word(word));
        self.add_program(Path::new(&compiler[0]));
    }

    /// Adds a program by where it really is, its size, and when it was installed: an upgrade changes these.
    pub(super) fn add_program(&mut self, path: &Path) {
        let path = path.canonicalize().unwrap_or_else(|_| path.to_owned());
        self.add_word(path.as_os_str());
        let Ok(metadata) = path.metadata() else { return };
        let modified = metadata.modified().ok().and_then(|time| time.duration_since(UNIX_EPOCH).ok());
        self.add(&metadata.len().to_le_bytes());
        self.add(&modified.map_or(0, |time| time.as_nanos()).to_le_bytes());
    }

    /// Adds the files that sources include, and those that they include in turn, as far as they are found beside the one
    /// that names them, or in one of these folders. What a compiler brings along counts as the compiler.
    pub(super) fn add_includes(&mut self, sources: Vec<(Vec<u8>, PathBuf)>, folders: &[PathBuf]) {
        let mut seen = BTreeSet::new();
        let found = |(text, source): &(Vec<u8>, PathBuf)| included(source, text, folders);
        let mut waiting: Vec<PathBuf> = sources.iter().flat_map(found).collect();
        while let Some(path) = waiting.pop() {
            if seen.len() == INCLUDES_LIMIT || seen.contains(&path) {
                continue;
            }
            if let Ok(text) = std::fs::read(&path) {
                self.add_word(path.file_name().unwrap_or_default());
                self.add(&text);
                waiting.extend(included(&path, &text, folders));
            }
            seen.insert(path);
        }
    }

    /// The name: 32 hexadecimal digits.
    pub(super) fn finish(self) -> String {
        self.0.finalize()[..16].iter().map(|byte| format!("{byte:02x}")).collect()
    }
}

/// Where what a source includes may be: beside it if it is in quotes, and in the folders.
fn included(source: &Path, text: &[u8], folders: &[PathBuf]) -> Vec<PathBuf> {
    let beside = source.parent().unwrap_or(Path::new(""));
    let text = String::from_utf8_lossy(text);
    let places = |line| {
        let quoted = include_name(line, ['"', '"']);
        let name = quoted.or_else(|| include_name(line, ['<', '>']));
        let elsewhere = name.into_iter().flat_map(|name| folders.iter().map(move |folder| folder.join(name)));
        quoted.map(|name| beside.join(name)).into_iter().chain(elsewhere)
    };
    text.lines().flat_map(places).collect()
}

/// The name in `# include "name"`, or between other marks.
fn include_name(line: &str, [open, close]: [char; 2]) -> Option<&str> {
    let directive = line.trim_start().strip_prefix('#')?.trim_start();
    let name = directive.strip_prefix("include")?.trim_start().strip_prefix(open)?;
    name.split(close).next()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(parts: &[&str]) -> String {
        let mut fingerprint = Fingerprint::new();
        parts.iter().for_each(|part| fingerprint.add(part.as_bytes()));
        fingerprint.finish()
    }

    #[test]
    fn parts_do_not_run_into_each_other() {
        assert_eq!(of(&["ab", "c"]), of(&["ab", "c"]));
        assert_ne!(of(&["ab", "c"]), of(&["a", "bc"]));
        assert_eq!(of(&[]).len(), 32);
    }

    #[test]
    fn include_lines_are_recognised() {
        let quoted = |line| include_name(line, ['"', '"']);
        assert_eq!(quoted("#include \"lib/a.h\" // x"), Some("lib/a.h"));
        assert_eq!(quoted("  # include\"b.h\""), Some("b.h"));
        assert_eq!(quoted("#include <vector>"), None);
        assert_eq!(quoted("include \"b.h\""), None);
        assert_eq!(include_name("#include <testlib.h>", ['<', '>']), Some("testlib.h"));
    }

    #[test]
    fn an_included_file_counts_even_through_another() -> std::io::Result<()> {
        let folder = tempfile::tempdir()?;
        let far = tempfile::tempdir()?;
        let source = folder.path().join("a.cpp");
        std::fs::write(folder.path().join("b.h"), "#include \"c.h\"\n#include \"b.h\"\n")?;
        std::fs::write(folder.path().join("c.h"), "1")?;
        let name = || {
            let mut fingerprint = Fingerprint::new();
            let text = b"#include \"b.h\"\n#include \"missing.h\"\n#include <far.h>\n".to_vec();
            fingerprint.add_includes(vec![(text, source.clone())], &[far.path().to_owned()]);
            fingerprint.finish()
        };
        let before = name();
        assert_eq!(before, name());
        std::fs::write(folder.path().join("c.h"), "2")?;
        let changed = name();
        assert_ne!(before, changed);
        std::fs::write(far.path().join("far.h"), "1")?;
        assert_ne!(changed, name());
        Ok(())
    }
}
