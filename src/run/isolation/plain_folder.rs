//! A working folder, where paths are all there is to go by. Not tested.

use std::ffi::{CStr, CString};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// A folder that belongs to us alone.
#[derive(Debug)]
pub(in crate::run) struct Folder {
    path: CString,
}

impl Folder {
    /// Makes a folder.
    ///
    /// # Errors
    ///
    /// The machine refuses.
    pub(in crate::run) fn make(path: CString) -> io::Result<Folder> {
        let folder = Folder { path };
        fs::create_dir(folder.place(c""))?;
        Ok(folder)
    }

    /// Where it is.
    pub(in crate::run) fn path(&self) -> &CStr {
        &self.path
    }

    /// Where something of this name is in it.
    pub(in crate::run) fn place(&self, name: &CStr) -> PathBuf {
        Path::new(&*self.path.to_string_lossy()).join(&*name.to_string_lossy())
    }

    /// Removes everything in it. Nobody may be working in it.
    ///
    /// # Errors
    ///
    /// The machine refuses.
    pub(in crate::run) fn empty(&self) -> io::Result<()> {
        fs::remove_dir_all(self.place(c""))?;
        fs::create_dir(self.place(c""))
    }

    /// How many bytes its files take. Programs may be working in it, so this is what was seen.
    pub(in crate::run) fn used_bytes(&self) -> u64 {
        used_bytes(&self.place(c""))
    }

    /// Returns how long its files are together.
    pub(in crate::run) fn size_bytes(&self) -> u64 {
        used_bytes(&self.place(c""))
    }
}

fn used_bytes(folder: &Path) -> u64 {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let sizes = entries.map(|entry| match entry.metadata() {
        Ok(about) if about.is_dir() => used_bytes(&entry.path()),
        about => about.map_or(0, |about| about.len()),
    });
    sizes.fold(0, u64::saturating_add)
}
