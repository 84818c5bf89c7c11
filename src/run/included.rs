//! The files that C and C++ sources include.
//!
//! They are found by reading `#include` lines, without a preprocessor. What is found decides two things: a change of any of
//! these files makes another program, and of the files beside a source these are what its compiler may read.

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io::Read;
use std::path::{Path, PathBuf};

/// Maximum number of included files: more than any contest program has.
const MAX_FILES: usize = 1000;

/// Maximum size of all of them together: a table of numbers may be large, a device has no end.
const MAX_BYTES: u64 = 64 << 20;

/// How sources in C and C++ and what they include are named. Test data and whatever else lies beside them is not.
const CODE_EXTENSIONS: &[&str] = &[
    "c", "cc", "cpp", "cxx", "c++", "C", "h", "hh", "hpp", "hxx", "h++", "H", "def", "i", "ii", "inc", "inl", "ipp",
    "tcc", "tpp", "txx",
];

/// A file that a source includes, with what is in it.
pub(super) struct IncludedFile {
    /// Where it was found.
    pub(super) path: PathBuf,
    /// Its contents.
    pub(super) text: Vec<u8>,
}

/// The files that sources may include.
pub(super) struct IncludeScope {
    /// The folder of the sources, without links.
    own: Option<PathBuf>,
    /// Whether every file of that folder belongs to the program.
    is_whole_folder: bool,
    /// Folders searched for headers, as they were named.
    folders: Vec<PathBuf>,
    /// The same without links.
    real_folders: Vec<PathBuf>,
}

impl IncludeScope {
    /// The scope of sources in a folder, with further folders for headers. All files of the folder are in it if the folder
    /// is the program, else those that are named like code.
    pub(super) fn new(own: &Path, is_whole_folder: bool, folders: &[PathBuf]) -> Self {
        let real_folders = folders.iter().filter_map(|folder| fs::canonicalize(folder).ok()).collect();
        IncludeScope { own: fs::canonicalize(own).ok(), is_whole_folder, folders: folders.to_vec(), real_folders }
    }

    /// Returns true if that is a regular file in this scope, wherever links lead.
    fn contains(&self, path: &Path) -> bool {
        let Ok(real) = fs::canonicalize(path) else { return false };
        let is_own = self.own.as_ref().is_some_and(|own| real.starts_with(own));
        let is_header = self.real_folders.iter().any(|folder| real.starts_with(folder));
        (is_header || is_own && (self.is_whole_folder || is_code(&real))) && real.is_file()
    }

    /// Where an included file may be: beside the source if it is in quotes, and in the folders.
    fn places(&self, source: &Path, text: &[u8]) -> Vec<PathBuf> {
        let beside = source.parent().unwrap_or(Path::new(""));
        let text = String::from_utf8_lossy(text);
        let places = |line| {
            let quoted = include_name(line, ['"', '"']);
            let name = quoted.or_else(|| include_name(line, ['<', '>']));
            let elsewhere = name.into_iter().flat_map(|name| self.folders.iter().map(move |folder| folder.join(name)));
            quoted.map(|name| beside.join(name)).into_iter().chain(elsewhere)
        };
        text.lines().flat_map(places).collect()
    }
}

/// Returns true if a file is named like code in C or C++.
pub(super) fn is_code(path: &Path) -> bool {
    path.extension().unwrap_or_default().to_str().is_some_and(|extension| CODE_EXTENSIONS.contains(&extension))
}

/// Finds the files that sources include, and those that they include in turn, as far as they are in scope. What a compiler
/// brings along counts as the compiler.
pub(super) fn find_included(sources: &[(PathBuf, Vec<u8>)], scope: &IncludeScope) -> Vec<IncludedFile> {
    let mut seen = BTreeSet::new();
    let mut left_bytes = MAX_BYTES;
    let mut found: Vec<IncludedFile> = Vec::new();
    let mut waiting: Vec<PathBuf> = sources.iter().flat_map(|(path, text)| scope.places(path, text)).collect();
    while let Some(path) = waiting.pop() {
        if seen.len() == MAX_FILES || !seen.insert(path.clone()) || !scope.contains(&path) {
            continue;
        }
        if let Some(text) = read_at_most(&path, left_bytes) {
            left_bytes -= text.len() as u64;
            waiting.extend(scope.places(&path, &text));
            found.push(IncludedFile { path, text });
        }
    }
    found
}

/// Returns the files of a folder that are named like code, sorted by name. What lies in folders below is found by what includes
/// it.
pub(super) fn code_files(folder: &Path) -> Vec<IncludedFile> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
    let mut paths: Vec<PathBuf> = entries.filter(|path| is_code(path) && path.is_file()).take(MAX_FILES).collect();
    paths.sort();
    let mut left_bytes = MAX_BYTES;
    let mut found = Vec::new();
    for path in paths {
        if let Some(text) = read_at_most(&path, left_bytes) {
            left_bytes -= text.len() as u64;
            found.push(IncludedFile { path, text });
        }
    }
    found
}

/// Reads a file. Returns None if it cannot be read, or is larger.
fn read_at_most(path: &Path, limit_bytes: u64) -> Option<Vec<u8>> {
    let mut text = Vec::new();
    File::open(path).ok()?.take(limit_bytes + 1).read_to_end(&mut text).ok()?;
    (text.len() as u64 <= limit_bytes).then_some(text)
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

    #[test]
    fn include_lines_are_recognised() {
        let quoted = |line| include_name(line, ['"', '"']);
        assert_eq!(quoted("#include \"lib/a.h\" // x"), Some("lib/a.h"));
        assert_eq!(quoted("  # include\"b.h\""), Some("b.h"));
        assert_eq!(quoted("#include <vector>"), None);
        assert_eq!(quoted("include \"b.h\""), None);
        assert_eq!(include_name("#include <testlib.h>", ['<', '>']), Some("testlib.h"));
    }

    /// The names of the files that a source finds in a folder with files inside and outside of it.
    fn found(text: &str, is_whole_folder: bool) -> std::io::Result<Vec<String>> {
        let outside = tempfile::tempdir()?;
        let (own, include) = (outside.path().join("own"), outside.path().join("include"));
        for folder in [&own.join("deep"), &include] {
            fs::create_dir_all(folder)?;
        }
        for (name, text) in [
            ("secret.h", ""),
            ("own/a.h", "#include \"deep/all.hpp\"\n#include \"a.h\"\n"),
            ("own/deep/all.hpp", "#include \"../b.inc\"\n"),
            ("own/b.inc", ""),
            ("own/1.ans", ""),
            ("own/id_rsa", ""),
            ("include/far.h", ""),
        ] {
            fs::write(outside.path().join(name), text)?;
        }
        std::os::unix::fs::symlink("../secret.h", own.join("link.h"))?;
        std::os::unix::fs::symlink("1.ans", own.join("answer.h"))?;
        rustix::fs::mkfifoat(rustix::fs::CWD, own.join("pipe.h"), rustix::fs::Mode::RWXU)?;
        let scope = IncludeScope::new(&own, is_whole_folder, &[include]);
        let sources = [(own.join("sol.cpp"), text.as_bytes().to_vec())];
        let name = |file: &IncludedFile| file.path.file_name().unwrap_or_default().display().to_string();
        let mut names: Vec<String> = find_included(&sources, &scope).iter().map(name).collect();
        names.sort();
        Ok(names)
    }

    #[test]
    fn only_code_of_the_program_and_headers_of_the_package_are_included() -> std::io::Result<()> {
        assert_eq!(found("#include \"a.h\"\n#include <far.h>\n", false)?, ["a.h", "all.hpp", "b.inc", "far.h"]);
        for name in ["../secret.h", "link.h", "pipe.h", "/dev/zero", "/etc/passwd", "missing.h", "deep", ".."] {
            let line = format!("#include \"{name}\"\n");
            assert_eq!((found(&line, false)?, found(&line, true)?), (vec![], vec![]), "{name}");
        }
        for name in ["1.ans", "answer.h", "id_rsa"] {
            let line = format!("#include \"{name}\"\n");
            assert_eq!((found(&line, false)?.len(), found(&line, true)?.len()), (0, 1), "{name}");
        }
        Ok(())
    }

    #[test]
    fn files_are_read_up_to_a_limit() -> std::io::Result<()> {
        let folder = tempfile::tempdir()?;
        let path = folder.path().join("a.h");
        fs::write(&path, "12345")?;
        assert_eq!(read_at_most(&path, 5), Some(b"12345".to_vec()));
        assert_eq!(read_at_most(&path, 4), None);
        assert_eq!(read_at_most(Path::new("/dev/zero"), 1000), None);
        Ok(())
    }
}
