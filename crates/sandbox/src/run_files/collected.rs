//! Reads the archive of files that were collected from a run, and copies attached files into its folder.

use crate::memory_file::MemoryFile;
use crate::sys::{AsFd, BorrowedFd, read_at};
use crate::tuning::COPY_CHUNK_BYTES;
use rebut_diagnostics::{Error, Result};
use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, Write};
use std::path::PathBuf;

/// The files collected from a run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct CollectedFiles {
    /// The files, by their names in the folder of the run.
    pub(crate) files: BTreeMap<PathBuf, Vec<u8>>,
    /// True if files were omitted because they exceeded a limit.
    pub(crate) is_truncated: bool,
}

impl CollectedFiles {
    /// Reads an archive.
    ///
    /// # Errors
    ///
    /// Returns an `Operating` error if the archive cannot be read or is incomplete.
    pub(crate) fn from_archive(archive: &MemoryFile) -> Result<CollectedFiles> {
        let bytes = archive.read_head(u64::MAX)?;
        parse_archive(&bytes)
            .ok_or_else(|| Error::operating_error("failed to collect the files of a run: the archive is damaged"))
    }
}

fn parse_archive(mut bytes: &[u8]) -> Option<CollectedFiles> {
    let is_truncated = read_number(&mut bytes)? != 0;
    let mut files = BTreeMap::new();
    while !bytes.is_empty() {
        let name = to_path(read_part(&mut bytes)?);
        files.insert(name, read_part(&mut bytes)?.to_vec());
    }
    Some(CollectedFiles { files, is_truncated })
}

fn read_number(bytes: &mut &[u8]) -> Option<u64> {
    let (number, rest) = bytes.split_first_chunk::<8>()?;
    *bytes = rest;
    Some(u64::from_le_bytes(*number))
}

fn read_part<'a>(bytes: &mut &'a [u8]) -> Option<&'a [u8]> {
    let length = usize::try_from(read_number(bytes)?).ok()?;
    let (part, rest) = bytes.split_at_checked(length)?;
    *bytes = rest;
    Some(part)
}

#[cfg(unix)]
fn to_path(name: &[u8]) -> PathBuf {
    use std::os::unix::ffi::OsStrExt;
    PathBuf::from(std::ffi::OsStr::from_bytes(name))
}

#[cfg(not(unix))]
fn to_path(name: &[u8]) -> PathBuf {
    PathBuf::from(String::from_utf8_lossy(name).into_owned())
}

/// Copies a file from its start. The file's position is shared by all its descriptors, so it is not used.
///
/// # Errors
///
/// Returns an error if the operating system refuses.
pub(super) fn copy_contents(from: &BorrowedFd<'_>, mut to: File) -> io::Result<()> {
    let from = File::from(from.as_fd().try_clone_to_owned()?);
    let mut chunk = vec![0; COPY_CHUNK_BYTES.min(from.metadata()?.len() as usize + 1)];
    let mut at = 0;
    loop {
        match read_at(&from, &mut chunk, at) {
            Ok(0) => return Ok(()),
            Ok(count) => {
                to.write_all(&chunk[..count])?;
                at += count as u64;
            }
            Err(cause) if cause.kind() == io::ErrorKind::Interrupted => {}
            Err(cause) => return Err(cause),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn damaged_archive_is_rejected() {
        for bytes in [&b""[..], b"1234567", &[0; 12], &[0, 0, 0, 0, 0, 0, 0, 0, 9, 0, 0, 0, 0, 0, 0, 0, 1]] {
            assert_eq!(parse_archive(bytes), None, "{bytes:?}");
        }
    }
}
