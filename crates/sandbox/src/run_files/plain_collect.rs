//! Collects the files of a run on systems other than Unix, addressed by path. Not tested.

use super::RunFileList;
use crate::isolation::work_folder::WorkFolder;
use crate::sys::{BorrowedFd, write_all_at};
use std::fs::{self, File};
use std::io;
use std::path::Path;

/// Writes the wanted files that exist into the archive, up to a total size. Links are skipped.
///
/// # Errors
///
/// Returns an error if the operating system refuses.
pub(super) fn collect_files(
    list: &RunFileList,
    folder: &WorkFolder,
    archive: BorrowedFd<'_>,
    limit_bytes: u64,
) -> io::Result<()> {
    let mut collector = PlainFileCollector { bytes: vec![0; 8], left_bytes: limit_bytes };
    let mut is_complete = true;
    for name in &list.collected_names {
        is_complete &= collector.collect_entry(&folder.entry_path(name), &name.to_string_lossy())?;
    }
    collector.bytes[0] = u8::from(!is_complete);
    write_all_at(&File::from(archive.try_clone_to_owned()?), &collector.bytes, 0)
}

/// An archive that is being written, and the remaining limit.
struct PlainFileCollector {
    bytes: Vec<u8>,
    left_bytes: u64,
}

impl PlainFileCollector {
    /// Collects a file, or a folder with its contents. Returns false if it is incomplete; a missing entry is complete.
    fn collect_entry(&mut self, place: &Path, name: &str) -> io::Result<bool> {
        let Ok(metadata) = fs::symlink_metadata(place) else { return Ok(true) };
        if metadata.is_dir() {
            let mut entries = fs::read_dir(place)?.collect::<io::Result<Vec<_>>>()?;
            entries.sort_by_key(fs::DirEntry::file_name);
            let mut is_complete = true;
            for entry in entries {
                is_complete &=
                    self.collect_entry(&entry.path(), &format!("{name}/{}", entry.file_name().to_string_lossy()))?;
            }
            return Ok(is_complete);
        }
        if !metadata.is_file() || metadata.len() > self.left_bytes {
            return Ok(!metadata.is_file());
        }
        self.left_bytes -= metadata.len();
        for part in [name.as_bytes(), &fs::read(place)?] {
            self.bytes.extend((part.len() as u64).to_le_bytes());
            self.bytes.extend_from_slice(part);
        }
        Ok(true)
    }
}
