//! Reads all files of a folder that is a program.

use crate::Language;
use crate::named_files::{NamedFiles, is_code_file};
use crate::tuning::{MAX_DATA_FILES, MAX_SOURCE_BYTES, MAX_SOURCE_DEPTH, MAX_SOURCE_FILES};
use rebut_diagnostics::{Error, Result, count_with_noun};
use rebut_sandbox::RunFiles;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// Leftovers of tools, which are not part of the program.
const IGNORED_NAMES: &[&str] = &["__pycache__"];

/// The files of a folder, by their names in it, with their contents.
pub(crate) struct SourceTree {
    pub(crate) files: BTreeMap<PathBuf, Vec<u8>>,
}

/// A folder that is being read.
struct SourceTreeReader<'a> {
    /// The folder as the user named it.
    shown: &'a Path,
    /// Its path with links resolved.
    root: PathBuf,
    files: BTreeMap<PathBuf, Vec<u8>>,
    bytes: usize,
}

impl SourceTree {
    /// Reads a folder; `shown` is the user's name for it. Hidden files are skipped. Links within the folder are
    /// followed.
    ///
    /// # Errors
    ///
    /// Returns `Usage` if a link is broken, leaves the folder or forms a cycle, or if the folder is too large for a
    /// program; returns `Operating` if it cannot be read.
    pub(crate) fn from_folder(folder: &Path, shown: &Path) -> Result<SourceTree> {
        let root = fs::canonicalize(folder).map_err(|cause| Error::unreadable_file(shown, &cause))?;
        let mut reader = SourceTreeReader { shown, root: root.clone(), files: BTreeMap::new(), bytes: 0 };
        reader.read_folder(&root, Path::new(""))?;
        Ok(SourceTree { files: reader.files })
    }
}

/// Returns the files that are not sources, which the program finds in its working folder. Returns `None` if there
/// are none.
///
/// # Errors
///
/// Returns `Usage` if there are too many of them for a run.
pub(crate) fn data_files(files: &NamedFiles) -> Result<Option<RunFiles>> {
    let is_data = |name: &&PathBuf| Language::from_path(name).is_none() && !is_code_file(name);
    let names: Vec<&PathBuf> = files.keys().filter(is_data).collect();
    if names.len() > MAX_DATA_FILES {
        let count = count_with_noun(names.len(), "file");
        return Err(Error::usage_error(format!("a program's folder has {count} besides its sources"))
            .with_help(format!("it can have {MAX_DATA_FILES}: each of its runs gets copies of them")));
    }
    let attach = |data: RunFiles, name: &&PathBuf| data.with_file(&name.to_string_lossy(), &files[*name]);
    let data = names.iter().try_fold(RunFiles::new(), attach)?;
    Ok((!names.is_empty()).then_some(data))
}

impl SourceTreeReader<'_> {
    /// Reads the folder at the resolved path `here`; `name` is its path in the program's folder.
    fn read_folder(&mut self, here: &Path, name: &Path) -> Result<()> {
        if name.components().count() > MAX_SOURCE_DEPTH {
            return Err(self.too_large_error("deep"));
        }
        let unreadable = |cause| Error::unreadable_file(&self.shown.join(name), &cause);
        for entry in fs::read_dir(here).map_err(unreadable)? {
            let own = entry.map_err(unreadable)?.file_name();
            let is_hidden = own.as_encoded_bytes().starts_with(b".");
            if !is_hidden && IGNORED_NAMES.iter().all(|leftover| own != *leftover) {
                self.read_entry(&here.join(&own), &name.join(&own))?;
            }
        }
        Ok(())
    }

    fn read_entry(&mut self, here: &Path, name: &Path) -> Result<()> {
        let shown = self.shown.join(name);
        let unreadable = |cause| Error::unreadable_file(&shown, &cause);
        let mut about = fs::symlink_metadata(here).map_err(unreadable)?;
        let mut place = here.to_owned();
        if about.is_symlink() {
            place = self.resolve_link(here, &shown)?;
            about = fs::metadata(&place).map_err(unreadable)?;
        }
        if about.is_dir() {
            return self.read_folder(&place, name);
        }
        // Pipes and devices are not sources, and reading them would not end.
        if about.is_file() {
            self.bytes = self.bytes.saturating_add(usize::try_from(about.len()).unwrap_or(usize::MAX));
            if self.files.len() >= MAX_SOURCE_FILES || self.bytes > MAX_SOURCE_BYTES {
                return Err(self.too_large_error("large"));
            }
            self.files.insert(name.to_owned(), fs::read(&place).map_err(unreadable)?);
        }
        Ok(())
    }

    /// Resolves a link. It must lead into the folder, but not to a folder that contains the link.
    fn resolve_link(&self, link: &Path, shown: &Path) -> Result<PathBuf> {
        let wrong = |why: &str| {
            Err(Error::usage_error(format!("the link `{}` {why}", shown.display()))
                .with_help("a program must be contained in its folder: replace the link by a copy"))
        };
        match fs::canonicalize(link) {
            Err(_) => wrong("is broken"),
            Ok(target) if !target.starts_with(&self.root) => wrong("leads outside the program's folder"),
            Ok(target) if link.starts_with(&target) => wrong("forms a cycle"),
            Ok(target) => Ok(target),
        }
    }

    fn too_large_error(&self, how: &str) -> Error {
        Error::usage_error(format!("the folder `{}` is too {how} to be a program", self.shown.display()))
            .with_help("name the source file, or a folder that contains only sources")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::symlink;

    fn read_test_folder(prepare: impl Fn(&Path) -> std::io::Result<()>) -> std::io::Result<String> {
        let outside = tempfile::tempdir()?;
        let folder = outside.path().join("f");
        fs::create_dir_all(folder.join("sub"))?;
        fs::write(outside.path().join("secret"), "secret")?;
        fs::write(folder.join("sub/a"), "1")?;
        prepare(&folder)?;
        Ok(match SourceTree::from_folder(&folder, Path::new("f")) {
            Ok(tree) => tree.files.keys().map(|name| name.display().to_string()).collect::<Vec<_>>().join(" "),
            Err(error) => error.message().to_owned(),
        })
    }

    #[test]
    fn links_are_followed_inside_only() -> std::io::Result<()> {
        assert_eq!(read_test_folder(|_| Ok(()))?, "sub/a");
        assert_eq!(read_test_folder(|folder| symlink("sub/a", folder.join("b")))?, "b sub/a");
        assert_eq!(read_test_folder(|folder| symlink("sub", folder.join("c")))?, "c/a sub/a");
        let escape = "the link `f/b` leads outside the program's folder";
        assert_eq!(read_test_folder(|folder| symlink("../secret", folder.join("b")))?, escape);
        assert_eq!(read_test_folder(|folder| symlink("/etc", folder.join("b")))?, escape);
        assert_eq!(read_test_folder(|folder| symlink("..", folder.join("b")))?, escape);
        assert_eq!(read_test_folder(|folder| symlink("nothing", folder.join("b")))?, "the link `f/b` is broken");
        assert_eq!(read_test_folder(|folder| symlink("b", folder.join("b")))?, "the link `f/b` is broken");
        let circle = "the link `f/sub/b` forms a cycle";
        assert_eq!(read_test_folder(|folder| symlink("..", folder.join("sub/b")))?, circle);
        assert_eq!(read_test_folder(|folder| symlink(".", folder.join("sub/b")))?, circle);
        let crossed = |folder: &Path| {
            fs::create_dir(folder.join("other"))?;
            symlink("../other", folder.join("sub/o"))?;
            symlink("../sub", folder.join("other/s"))
        };
        assert_eq!(read_test_folder(crossed)?, "the folder `f` is too deep to be a program");
        Ok(())
    }

    #[test]
    fn hidden_files_leftovers_and_pipes_are_skipped() -> std::io::Result<()> {
        let prepare = |folder: &Path| {
            fs::create_dir_all(folder.join(".git"))?;
            fs::create_dir_all(folder.join("__pycache__"))?;
            for name in [".hidden", ".git/x", "__pycache__/y.pyc", "main.py"] {
                fs::write(folder.join(name), "")?;
            }
            rustix::fs::mkfifoat(rustix::fs::CWD, folder.join("pipe"), rustix::fs::Mode::RWXU).map_err(Into::into)
        };
        assert_eq!(read_test_folder(prepare)?, "main.py sub/a");
        assert_eq!(
            read_test_folder(|folder| fs::File::create(folder.join("huge"))?.set_len(1 << 40))?,
            "the folder `f` is too large to be a program"
        );
        Ok(())
    }
}
