//! The working folder on systems other than Unix, addressed by path. Not tested.

use std::ffi::{CStr, CString};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// A folder that only rebut uses.
#[derive(Debug)]
pub(crate) struct WorkFolder {
    path: CString,
}

impl WorkFolder {
    /// Creates a folder.
    ///
    /// # Errors
    ///
    /// Returns an error if the operating system refuses.
    pub(crate) fn create(path: CString) -> io::Result<WorkFolder> {
        let folder = WorkFolder { path };
        fs::create_dir(folder.entry_path(c""))?;
        Ok(folder)
    }

    pub(crate) fn path(&self) -> &CStr {
        &self.path
    }

    pub(crate) fn entry_path(&self, name: &CStr) -> PathBuf {
        Path::new(&*self.path.to_string_lossy()).join(&*name.to_string_lossy())
    }

    /// Removes everything in the folder. No process may be working in it.
    ///
    /// # Errors
    ///
    /// Returns an error if the operating system refuses.
    pub(crate) fn remove_contents(&self) -> io::Result<()> {
        fs::remove_dir_all(self.entry_path(c""))?;
        fs::create_dir(self.entry_path(c""))
    }

    /// Returns the number of bytes that its files take. Programs may still be working in the folder, so this is a
    /// sample.
    pub(crate) fn used_bytes(&self) -> u64 {
        folder_size_bytes(&self.entry_path(c""))
    }

    /// Returns the total length of its files.
    pub(crate) fn size_bytes(&self) -> u64 {
        folder_size_bytes(&self.entry_path(c""))
    }
}

fn folder_size_bytes(folder: &Path) -> u64 {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let sizes = entries.map(|entry| match entry.metadata() {
        Ok(about) if about.is_dir() => folder_size_bytes(&entry.path()),
        about => about.map_or(0, |about| about.len()),
    });
    sizes.fold(0, u64::saturating_add)
}
