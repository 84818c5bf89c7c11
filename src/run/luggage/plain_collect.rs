//! Bringing back what a run has left, where paths are all there is to go by. Not tested.

use super::PackingList;
use crate::run::isolation::folder::Folder;
use crate::run::sys::{BorrowedFd, write_all_at};
use std::fs::{self, File};
use std::io;
use std::path::Path;

/// Fills the hold with what is wanted and there, at most so many bytes of it. Links are left out.
///
/// # Errors
///
/// The machine refuses.
pub(super) fn collect(list: &PackingList, folder: &Folder, hold: BorrowedFd<'_>, limit_bytes: u64) -> io::Result<()> {
    let mut collector = Collector { bytes: vec![0; 8], left_bytes: limit_bytes };
    let mut is_all = true;
    for name in &list.wanted {
        is_all &= collector.take(&folder.place(name), &name.to_string_lossy())?;
    }
    collector.bytes[0] = u8::from(!is_all);
    write_all_at(&File::from(hold.try_clone_to_owned()?), &collector.bytes, 0)
}

/// What goes into the hold, and how much still may.
struct Collector {
    bytes: Vec<u8>,
    left_bytes: u64,
}

impl Collector {
    /// Takes a file, or all that is in a folder. Says whether it was taken whole, or is not there.
    fn take(&mut self, place: &Path, name: &str) -> io::Result<bool> {
        let Ok(about) = fs::symlink_metadata(place) else { return Ok(true) };
        if about.is_dir() {
            let mut entries = fs::read_dir(place)?.collect::<io::Result<Vec<_>>>()?;
            entries.sort_by_key(fs::DirEntry::file_name);
            let mut is_all = true;
            for entry in entries {
                is_all &= self.take(&entry.path(), &format!("{name}/{}", entry.file_name().to_string_lossy()))?;
            }
            return Ok(is_all);
        }
        if !about.is_file() || about.len() > self.left_bytes {
            return Ok(!about.is_file());
        }
        self.left_bytes -= about.len();
        for part in [name.as_bytes(), &fs::read(place)?] {
            self.bytes.extend((part.len() as u64).to_le_bytes());
            self.bytes.extend_from_slice(part);
        }
        Ok(true)
    }
}
