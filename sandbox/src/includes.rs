//! Finds the files that C and C++ sources include.
//!
//! They are found by reading `#include` lines, without a preprocessor. The result has two uses: a change of any of
//! these files changes the program's fingerprint, and among the files next to a source only these are readable for its
//! compiler.

use crate::tuning::{MAX_INCLUDED_BYTES, MAX_INCLUDED_FILES};
use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io::Read;
use std::path::{Path, PathBuf};

/// Extensions of C and C++ sources and headers. Test data and other files next to them have different ones.
const CODE_EXTENSIONS: &[&str] = &[
    "c", "cc", "cpp", "cxx", "c++", "C", "h", "hh", "hpp", "hxx", "h++", "H", "def", "i", "ii", "inc", "inl", "ipp",
    "tcc", "tpp", "txx",
];

/// A file that a source includes, with its contents.
pub(super) struct IncludedFile {
    /// The path where it was found.
    pub(super) path: PathBuf,
    /// Its contents.
    pub(super) text: Vec<u8>,
}

/// The files that sources can include.
pub(super) struct IncludeScope {
    /// The folder of the sources, with links resolved.
    own_folder: Option<PathBuf>,
    /// True if every file of that folder belongs to the program.
    is_whole_folder: bool,
    /// Folders searched for headers, as they were named.
    header_folders: Vec<PathBuf>,
    /// The same folders with links resolved.
    real_header_folders: Vec<PathBuf>,
}

impl IncludeScope {
    /// Creates the scope of sources in a folder, with further folders for headers. If the folder is the program, all
    /// its files are in scope, otherwise only code files.
    pub(super) fn new(own: &Path, is_whole_folder: bool, folders: &[PathBuf]) -> Self {
        let real_folders = folders.iter().filter_map(|folder| fs::canonicalize(folder).ok()).collect();
        IncludeScope {
            own_folder: fs::canonicalize(own).ok(),
            is_whole_folder,
            header_folders: folders.to_vec(),
            real_header_folders: real_folders,
        }
    }

    /// Returns true if the path, with links resolved, is a regular file in this scope.
    fn contains(&self, path: &Path) -> bool {
        let Ok(real) = fs::canonicalize(path) else { return false };
        let is_own = self.own_folder.as_ref().is_some_and(|own| real.starts_with(own));
        let is_header = self.real_header_folders.iter().any(|folder| real.starts_with(folder));
        (is_header || is_own && (self.is_whole_folder || is_code_file(&real))) && real.is_file()
    }

    /// Returns the paths that an included file can have: next to the source if it is quoted, and in the header folders.
    fn candidate_paths(&self, source: &Path, text: &[u8]) -> Vec<PathBuf> {
        let beside = source.parent().unwrap_or(Path::new(""));
        let text = String::from_utf8_lossy(text);
        let places = |line| {
            let quoted = parse_include(line, ['"', '"']);
            let name = quoted.or_else(|| parse_include(line, ['<', '>']));
            let elsewhere =
                name.into_iter().flat_map(|name| self.header_folders.iter().map(move |folder| folder.join(name)));
            quoted.map(|name| beside.join(name)).into_iter().chain(elsewhere)
        };
        text.lines().flat_map(places).collect()
    }
}

/// Returns true if a file has an extension of C or C++ code.
pub(super) fn is_code_file(path: &Path) -> bool {
    path.extension().unwrap_or_default().to_str().is_some_and(|extension| CODE_EXTENSIONS.contains(&extension))
}

/// Finds the files in scope that sources include, directly or through other files. A compiler's own headers count as
/// part of the compiler.
pub(super) fn find_included(sources: &[(PathBuf, Vec<u8>)], scope: &IncludeScope) -> Vec<IncludedFile> {
    let mut seen = BTreeSet::new();
    let mut left_bytes = MAX_INCLUDED_BYTES;
    let mut found: Vec<IncludedFile> = Vec::new();
    let mut waiting: Vec<PathBuf> = sources.iter().flat_map(|(path, text)| scope.candidate_paths(path, text)).collect();
    while let Some(path) = waiting.pop() {
        if seen.len() == MAX_INCLUDED_FILES || !seen.insert(path.clone()) || !scope.contains(&path) {
            continue;
        }
        if let Some(text) = read_at_most(&path, left_bytes) {
            left_bytes -= text.len() as u64;
            waiting.extend(scope.candidate_paths(&path, &text));
            found.push(IncludedFile { path, text });
        }
    }
    found
}

/// Returns the code files of a folder, sorted by name. Files in subfolders are found through the files that include
/// them.
pub(super) fn list_code_files(folder: &Path) -> Vec<IncludedFile> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
    let mut paths: Vec<PathBuf> =
        entries.filter(|path| is_code_file(path) && path.is_file()).take(MAX_INCLUDED_FILES).collect();
    paths.sort();
    let mut left_bytes = MAX_INCLUDED_BYTES;
    let mut found = Vec::new();
    for path in paths {
        if let Some(text) = read_at_most(&path, left_bytes) {
            left_bytes -= text.len() as u64;
            found.push(IncludedFile { path, text });
        }
    }
    found
}

/// Reads a file. Returns `None` if it cannot be read, or is larger than the limit.
fn read_at_most(path: &Path, limit_bytes: u64) -> Option<Vec<u8>> {
    let mut text = Vec::new();
    File::open(path).ok()?.take(limit_bytes + 1).read_to_end(&mut text).ok()?;
    (text.len() as u64 <= limit_bytes).then_some(text)
}

/// Returns the name in `# include "name"`, or with other delimiters.
fn parse_include(line: &str, [open, close]: [char; 2]) -> Option<&str> {
    let directive = line.trim_start().strip_prefix('#')?.trim_start();
    let name = directive.strip_prefix("include")?.trim_start().strip_prefix(open)?;
    name.split(close).next()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn include_lines_are_recognised() {
        let quoted = |line| parse_include(line, ['"', '"']);
        assert_eq!(quoted("#include \"lib/a.h\" // x"), Some("lib/a.h"));
        assert_eq!(quoted("  # include\"b.h\""), Some("b.h"));
        assert_eq!(quoted("#include <vector>"), None);
        assert_eq!(quoted("include \"b.h\""), None);
        assert_eq!(parse_include("#include <testlib.h>", ['<', '>']), Some("testlib.h"));
    }

    /// Returns the names of the files that a source includes, in a folder with files inside and outside of it.
    fn included_names(text: &str, is_whole_folder: bool) -> std::io::Result<Vec<String>> {
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
        assert_eq!(
            included_names("#include \"a.h\"\n#include <far.h>\n", false)?,
            ["a.h", "all.hpp", "b.inc", "far.h"]
        );
        for name in ["../secret.h", "link.h", "pipe.h", "/dev/zero", "/etc/passwd", "missing.h", "deep", ".."] {
            let line = format!("#include \"{name}\"\n");
            assert_eq!((included_names(&line, false)?, included_names(&line, true)?), (vec![], vec![]), "{name}");
        }
        for name in ["1.ans", "answer.h", "id_rsa"] {
            let line = format!("#include \"{name}\"\n");
            assert_eq!((included_names(&line, false)?.len(), included_names(&line, true)?.len()), (0, 1), "{name}");
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
