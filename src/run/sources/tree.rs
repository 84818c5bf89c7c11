//! All files of a folder that is a program.

use crate::diagnostic::{Error, Result};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// More than any program for a contest has; a folder with more is something else.
const MOST_FILES: usize = 2000;
const MOST_BYTES: usize = 64 << 20;
const MOST_DEPTH: usize = 32;

/// What tools leave behind, and nobody means.
const LEFTOVERS: &[&str] = &["__pycache__"];

/// The files of a folder by their names in it, with what is in them.
pub(in crate::run) struct Tree {
    pub(in crate::run) files: BTreeMap<PathBuf, Vec<u8>>,
}

/// A folder that is being read.
struct Reader<'a> {
    /// The folder as the user named it.
    shown: &'a Path,
    /// Where it really is.
    root: PathBuf,
    files: BTreeMap<PathBuf, Vec<u8>>,
    bytes: usize,
}

impl Tree {
    /// Reads a folder that the user knows by that name. Hidden files are not part of it. Links are followed inside.
    ///
    /// # Errors
    ///
    /// `Usage`: a link leads nowhere, out of the folder or round in a circle; it is too much for a program.
    /// `Operating`: it cannot be read.
    pub(in crate::run) fn read(folder: &Path, shown: &Path) -> Result<Tree> {
        let root = fs::canonicalize(folder).map_err(|cause| Error::unreadable(shown, &cause))?;
        let mut reader = Reader { shown, root: root.clone(), files: BTreeMap::new(), bytes: 0 };
        reader.folder(&root, Path::new(""))?;
        Ok(Tree { files: reader.files })
    }
}

impl Reader<'_> {
    /// Reads a folder that is really here, and has that name in the whole.
    fn folder(&mut self, here: &Path, name: &Path) -> Result<()> {
        if name.components().count() > MOST_DEPTH {
            return Err(self.too_much("deep"));
        }
        let unreadable = |cause| Error::unreadable(&self.shown.join(name), &cause);
        for entry in fs::read_dir(here).map_err(unreadable)? {
            let own = entry.map_err(unreadable)?.file_name();
            let is_hidden = own.as_encoded_bytes().starts_with(b".");
            if !is_hidden && LEFTOVERS.iter().all(|leftover| own != *leftover) {
                self.entry(&here.join(&own), &name.join(&own))?;
            }
        }
        Ok(())
    }

    fn entry(&mut self, here: &Path, name: &Path) -> Result<()> {
        let shown = self.shown.join(name);
        let unreadable = |cause| Error::unreadable(&shown, &cause);
        let mut about = fs::symlink_metadata(here).map_err(unreadable)?;
        let mut place = here.to_owned();
        if about.is_symlink() {
            place = self.target(here, &shown)?;
            about = fs::metadata(&place).map_err(unreadable)?;
        }
        if about.is_dir() {
            return self.folder(&place, name);
        }
        // Pipes and devices are no sources, and reading them would not end.
        if about.is_file() {
            self.bytes = self.bytes.saturating_add(usize::try_from(about.len()).unwrap_or(usize::MAX));
            if self.files.len() >= MOST_FILES || self.bytes > MOST_BYTES {
                return Err(self.too_much("large"));
            }
            self.files.insert(name.to_owned(), fs::read(&place).map_err(unreadable)?);
        }
        Ok(())
    }

    /// Where a link leads: into the folder, and not to one that it is in.
    fn target(&self, link: &Path, shown: &Path) -> Result<PathBuf> {
        let wrong = |why: &str| {
            Err(Error::usage(format!("the link `{}` {why}", shown.display()))
                .with_help("a program is all that is in its folder: put a copy in place of the link"))
        };
        match fs::canonicalize(link) {
            Err(_) => wrong("leads nowhere"),
            Ok(target) if !target.starts_with(&self.root) => wrong("leads out of the program's folder"),
            Ok(target) if link.starts_with(&target) => wrong("leads round in a circle"),
            Ok(target) => Ok(target),
        }
    }

    fn too_much(&self, how: &str) -> Error {
        Error::usage(format!("the folder `{}` is too {how} to be a program", self.shown.display()))
            .with_help("name the source file, or the folder that has nothing but sources")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::symlink;

    fn read(prepare: impl Fn(&Path) -> std::io::Result<()>) -> std::io::Result<String> {
        let outside = tempfile::tempdir()?;
        let folder = outside.path().join("f");
        fs::create_dir_all(folder.join("sub"))?;
        fs::write(outside.path().join("secret"), "secret")?;
        fs::write(folder.join("sub/a"), "1")?;
        prepare(&folder)?;
        Ok(match Tree::read(&folder, Path::new("f")) {
            Ok(tree) => tree.files.keys().map(|name| name.display().to_string()).collect::<Vec<_>>().join(" "),
            Err(error) => error.message().to_owned(),
        })
    }

    #[test]
    fn links_are_followed_inside_only() -> std::io::Result<()> {
        assert_eq!(read(|_| Ok(()))?, "sub/a");
        assert_eq!(read(|folder| symlink("sub/a", folder.join("b")))?, "b sub/a");
        assert_eq!(read(|folder| symlink("sub", folder.join("c")))?, "c/a sub/a");
        let escape = "the link `f/b` leads out of the program's folder";
        assert_eq!(read(|folder| symlink("../secret", folder.join("b")))?, escape);
        assert_eq!(read(|folder| symlink("/etc", folder.join("b")))?, escape);
        assert_eq!(read(|folder| symlink("..", folder.join("b")))?, escape);
        assert_eq!(read(|folder| symlink("nothing", folder.join("b")))?, "the link `f/b` leads nowhere");
        assert_eq!(read(|folder| symlink("b", folder.join("b")))?, "the link `f/b` leads nowhere");
        let circle = "the link `f/sub/b` leads round in a circle";
        assert_eq!(read(|folder| symlink("..", folder.join("sub/b")))?, circle);
        assert_eq!(read(|folder| symlink(".", folder.join("sub/b")))?, circle);
        let crossed = |folder: &Path| {
            fs::create_dir(folder.join("other"))?;
            symlink("../other", folder.join("sub/o"))?;
            symlink("../sub", folder.join("other/s"))
        };
        assert_eq!(read(crossed)?, "the folder `f` is too deep to be a program");
        Ok(())
    }

    #[test]
    fn only_files_that_somebody_means_are_part_of_it() -> std::io::Result<()> {
        let prepare = |folder: &Path| {
            fs::create_dir_all(folder.join(".git"))?;
            fs::create_dir_all(folder.join("__pycache__"))?;
            for name in [".hidden", ".git/x", "__pycache__/y.pyc", "main.py"] {
                fs::write(folder.join(name), "")?;
            }
            rustix::fs::mkfifoat(rustix::fs::CWD, folder.join("pipe"), rustix::fs::Mode::RWXU).map_err(Into::into)
        };
        assert_eq!(read(prepare)?, "main.py sub/a");
        assert_eq!(
            read(|folder| fs::File::create(folder.join("huge"))?.set_len(1 << 40))?,
            "the folder `f` is too large to be a program"
        );
        Ok(())
    }
}
