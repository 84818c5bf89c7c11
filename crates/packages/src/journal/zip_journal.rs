//! A journal in a zip archive, as CI systems keep the files of a job.

use super::block_file::BlockEntry;
use rebut_diagnostics::{Error, Result};
use std::fs::File;
use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use zip::ZipArchive;

/// Maximum size of a member that is read, in bytes: archives are untrusted.
const MAX_MEMBER_BYTES: u64 = 64 << 20;

/// An open archive. Its members are read one at a time.
pub(super) struct ZipJournal {
    path: PathBuf,
    archive: Mutex<ZipArchive<File>>,
}

impl ZipJournal {
    /// Opens an archive.
    ///
    /// # Errors
    /// Returns an error if it cannot be read or is no archive.
    pub(super) fn open(path: &Path) -> Result<ZipJournal> {
        let file = File::open(path).map_err(|e| Error::unreadable_file(path, &e))?;
        let archive = ZipArchive::new(file).map_err(|e| {
            Error::usage_error(format!("`{}` is neither a folder nor a zip archive: {e}", path.display()))
        })?;
        Ok(ZipJournal { path: path.to_owned(), archive: Mutex::new(archive) })
    }

    /// Returns the path of the archive.
    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// Returns the names of the members, with their positions.
    pub(super) fn members(&self) -> Vec<(usize, String)> {
        let archive = self.archive.lock().unwrap_or_else(PoisonError::into_inner);
        let names = (0..archive.len()).filter_map(|at| Some((at, archive.name_for_index(at)?.ok()?.into_owned())));
        names.collect()
    }

    /// Reads the member at a position.
    ///
    /// # Errors
    /// Returns a message if it is damaged or too large.
    pub(super) fn read_member(&self, at: usize) -> std::result::Result<Vec<u8>, String> {
        let mut archive = self.archive.lock().unwrap_or_else(PoisonError::into_inner);
        let mut bytes = Vec::new();
        let member = archive.by_index(at).map_err(|e| e.to_string())?;
        member.take(MAX_MEMBER_BYTES + 1).read_to_end(&mut bytes).map_err(|e| e.to_string())?;
        if bytes.len() as u64 > MAX_MEMBER_BYTES { Err("it is too large".to_owned()) } else { Ok(bytes) }
    }
}

/// Splits the name of a member into its folder and the name of the file.
pub(super) fn split_member_name(name: &str) -> (&str, &str) {
    name.rsplit_once('/').unwrap_or(("", name))
}

/// Returns the block of a member, if it is one.
pub(super) fn block_of_member(name: &str) -> Option<BlockEntry> {
    BlockEntry::from_file_name(split_member_name(name).1)
}
