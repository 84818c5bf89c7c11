//! The files that a compiler read, recorded with each build, and compared before the build is used again.
//!
//! A compiler lists the files that it read in the format for `make`. They are kept in the build's folder with hashes of
//! their contents, and the folder is sealed: with the state of these files, and of those that were built. A build with a
//! seal that does not hold any more is made anew.

use super::fingerprint::{Fingerprint, digest_file};
use rebut_diagnostics::{Error, Result};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;

/// The file that compilers write: the files that they read, in the format for `make`.
pub(super) const DEPENDENCIES_FILE: &str = "dependencies";

/// The file with the files that were read: a line for each, with a hash of its contents.
const READS_FILE: &str = "reads";

/// The file with the seal: the state of what was built, the state of what was read, and a hash of what was read.
const SEAL_FILE: &str = "seal";

/// Adds a file to those that the compiler of a build has read.
///
/// # Errors
///
/// Returns an error if the list cannot be written.
pub(super) fn add_dependency(build: &Path, file: &Path) -> Result<()> {
    let list = build.join(DEPENDENCIES_FILE);
    let rules = fs::read_to_string(&list).unwrap_or_default();
    write_file(&list, &format!("{rules}\nadded: {}\n", file.display().to_string().replace(' ', "\\ ")))
}

/// Seals a finished build: records what its compiler read, but for files that are `known` by their contents already, and
/// returns a hash of it. Relative paths are relative to the folder that it ran in.
///
/// # Errors
///
/// Returns an error if a file of the build cannot be written.
pub(super) fn seal_build(build: &Path, folder: &Path, is_known: impl Fn(&Path) -> bool) -> Result<String> {
    let rules = fs::read(build.join(DEPENDENCIES_FILE)).unwrap_or_default();
    let mut reads = BTreeMap::new();
    for path in parse_make_dependencies(&String::from_utf8_lossy(&rules)) {
        // A precompiled header stands for the headers that were compiled.
        let precompiled = path.extension().is_some_and(|end| end == "gch").then(|| find_build_above(&path)).flatten();
        match precompiled {
            Some(other) => reads.extend(read_recorded(&other)),
            None if is_known(&path) => {}
            None => drop(reads.insert(path.clone(), digest_file(&folder.join(&path)).unwrap_or_default())),
        }
    }
    let _ = fs::remove_file(build.join(DEPENDENCIES_FILE));
    let lines = reads.iter().map(|(path, digest)| format!("{digest} {}\n", path.display()));
    write_file(&build.join(READS_FILE), &lines.collect::<String>())?;
    let contents = hash_contents(&reads);
    write_file(
        &build.join(SEAL_FILE),
        &format!("{}\n{}\n{contents}\n", built_state(build), reads_state(&reads, folder)),
    )?;
    Ok(contents)
}

/// Returns a hash of what the compiler of a build read. Returns `None` if any of it has changed since, or if what was
/// built has.
pub(super) fn check_seal(build: &Path, folder: &Path) -> Option<String> {
    let seal = fs::read_to_string(build.join(SEAL_FILE)).ok()?;
    let [built, state, contents] = seal.lines().collect::<Vec<_>>()[..] else { return None };
    if built != built_state(build) {
        return None;
    }
    let mut reads = read_recorded(build);
    let now = reads_state(&reads, folder);
    if now != state {
        // A file that was only touched, or that is in another checkout, is the same.
        reads.iter_mut().for_each(|(path, digest)| *digest = digest_file(&folder.join(path)).unwrap_or_default());
        if hash_contents(&reads) != contents {
            return None;
        }
        let _ = fs::write(build.join(SEAL_FILE), format!("{built}\n{now}\n{contents}\n"));
    }
    Some(contents.to_owned())
}

fn write_file(path: &Path, text: &str) -> Result<()> {
    fs::write(path, text).map_err(|cause| Error::io_error("write", path, &cause))
}

fn find_build_above(file: &Path) -> Option<PathBuf> {
    file.ancestors().skip(1).find(|folder| folder.join(SEAL_FILE).is_file()).map(Path::to_owned)
}

fn read_recorded(build: &Path) -> BTreeMap<PathBuf, String> {
    let text = fs::read_to_string(build.join(READS_FILE)).unwrap_or_default();
    let entries = text.lines().filter_map(|line| line.split_once(' '));
    entries.map(|(digest, path)| (PathBuf::from(path), digest.to_owned())).collect()
}

fn hash_contents(reads: &BTreeMap<PathBuf, String>) -> String {
    let mut fingerprint = Fingerprint::new();
    for (path, digest) in reads {
        fingerprint.add_word(path.file_name().unwrap_or_default());
        fingerprint.add_part(digest.as_bytes());
    }
    fingerprint.finish()
}

/// Returns a hash of the sizes and times of the files that were read.
fn reads_state(reads: &BTreeMap<PathBuf, String>, folder: &Path) -> String {
    let mut fingerprint = Fingerprint::new();
    for path in reads.keys() {
        fingerprint.add_word(path.as_os_str());
        let Ok(about) = fs::metadata(folder.join(path)) else { continue };
        let modified = about.modified().ok().and_then(|time| time.duration_since(UNIX_EPOCH).ok());
        fingerprint.add_part(&about.len().to_le_bytes());
        fingerprint.add_part(&modified.map_or(0, |time| time.as_nanos()).to_le_bytes());
    }
    fingerprint.finish()
}

/// Returns a hash of the names, sizes, permissions and times of the files of a build. A program cannot set the
/// time at which the contents or permissions of a file changed last.
fn built_state(build: &Path) -> String {
    let mut fingerprint = Fingerprint::new();
    let mut waiting = vec![build.to_owned()];
    while let Some(folder) = waiting.pop() {
        let mut entries: Vec<_> = fs::read_dir(folder).into_iter().flatten().flatten().collect();
        entries.sort_by_key(fs::DirEntry::file_name);
        for entry in entries.iter().filter(|entry| entry.file_name() != SEAL_FILE) {
            fingerprint.add_word(&entry.file_name());
            let Ok(about) = entry.metadata() else { continue };
            match about.is_dir() {
                true => waiting.push(entry.path()),
                false => fingerprint.add_part(&file_state(&about)),
            }
        }
    }
    fingerprint.finish()
}

#[cfg(unix)]
fn file_state(about: &fs::Metadata) -> Vec<u8> {
    use std::os::unix::fs::MetadataExt as _;
    let (mode, owner) = (i64::from(about.mode()), i64::from(about.uid()));
    [about.size().cast_signed(), mode, owner, about.ctime(), about.ctime_nsec()].map(i64::to_le_bytes).concat()
}

#[cfg(not(unix))]
fn file_state(about: &fs::Metadata) -> Vec<u8> {
    about.len().to_le_bytes().to_vec()
}

/// Parses rules for `make`: `target: file file`, on several lines, with escaped characters in file names.
fn parse_make_dependencies(rules: &str) -> Vec<PathBuf> {
    let joined = rules.replace("\\\r\n", " ").replace("\\\n", " ");
    joined.lines().filter_map(|rule| rule.split_once(": ")).flat_map(|(_, files)| split_file_names(files)).collect()
}

fn split_file_names(files: &str) -> Vec<PathBuf> {
    let (mut parts, mut part) = (Vec::new(), String::new());
    let mut letters = files.chars().peekable();
    while let Some(letter) = letters.next() {
        match (letter, letters.peek()) {
            ('\\', Some(' ' | '#')) | ('$', Some('$')) => part.extend(letters.next()),
            _ if letter.is_whitespace() => parts.push(std::mem::take(&mut part)),
            _ => part.push(letter),
        }
    }
    parts.push(part);
    parts.into_iter().filter(|part| !part.is_empty()).map(PathBuf::from).collect()
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test may panic")]
mod tests {
    use super::*;

    #[test]
    fn make_rules_are_split_into_dependencies() {
        let rules = "x.gch: bits/stdc++.h \\\n /usr/a\\ b/c.h /usr/d$$e \\\n /f\\#\n\nmain: a.rs\n\na.rs:\n";
        let parts = parse_make_dependencies(rules);
        let shown: Vec<_> = parts.iter().map(|path| path.display().to_string()).collect();
        assert_eq!(shown, ["bits/stdc++.h", "/usr/a b/c.h", "/usr/d$e", "/f#", "a.rs"]);
        assert_eq!(parse_make_dependencies(""), Vec::<PathBuf>::new());
    }

    #[test]
    fn seal_holds_until_a_file_changes_that_was_read_or_built() {
        let folder = tempfile::tempdir().unwrap();
        let write = |name: &str, text: &str| fs::write(folder.path().join(name), text).unwrap();
        let build = folder.path().join("build");
        fs::create_dir_all(build.join("inner")).unwrap();
        let [program, inner] = ["build/program", "build/inner/x"];
        for (name, text) in [("a b.h", "1"), ("known.h", "1"), (program, "1"), (inner, "1")] {
            write(name, text);
        }
        let seal = || {
            write("build/dependencies", &format!("x: known.h \\\n {}/a\\ b.h\n", folder.path().display()));
            seal_build(&build, folder.path(), |path| path == Path::new("known.h")).unwrap();
        };
        let check = || check_seal(&build, folder.path());
        seal();
        let first = check();
        assert!(first.is_some() && check() == first);
        write("known.h", "2");
        write("a b.h", "1");
        assert_eq!(check(), first, "only touched");
        write("a b.h", "2");
        assert_eq!(check(), None);
        seal();
        assert!(check().is_some() && check() != first);
        write(inner, "2");
        assert_eq!(check(), None);
        seal();
        let readable = std::os::unix::fs::PermissionsExt::from_mode(0o600);
        fs::set_permissions(folder.path().join(program), readable).unwrap();
        assert_eq!(check(), None);
    }
}
