//! Unnamed files in memory, which serve as a program's input and output.
//!
//! A pipe has to be served while the program runs, in the right order, or both sides wait for each other for ever; and
//! a process that was left behind keeps it open. A file has neither problem. The input is sealed, so that no program
//! can change its input through `/proc/self/fd/0`.

use super::sys::{AsFd, BorrowedFd, read_at, write_all_at};
use crate::tuning::{MAX_KEPT_STREAM_BYTES, SHORT_STREAM_BYTES};
use rebut_diagnostics::{Error, Result};
use std::fs::File;
use std::io;

/// An unnamed file.
#[derive(Debug)]
pub(super) struct MemoryFile(File);

/// Frees large contents early, because a stopped fork server keeps the streams of its last run.
impl Drop for MemoryFile {
    fn drop(&mut self) {
        if self.len() > MAX_KEPT_STREAM_BYTES {
            // A sealed input cannot be truncated, and stays as it is.
            let _ = self.0.set_len(0);
        }
    }
}

impl MemoryFile {
    /// Creates an empty file for output, which cannot be sealed.
    ///
    /// # Errors
    ///
    /// Returns an error if the operating system is out of descriptors or memory.
    pub(super) fn create_empty() -> Result<Self> {
        create_unnamed_file(false).map(MemoryFile).map_err(|cause| memory_file_error(&cause))
    }

    /// Creates an immutable file that contains `bytes`, positioned at its start.
    ///
    /// # Errors
    ///
    /// Returns an error if the operating system is out of descriptors or memory.
    pub(super) fn create_sealed(bytes: &[u8]) -> Result<Self> {
        let file = create_unnamed_file(true).map_err(|cause| memory_file_error(&cause))?;
        // Writing at an offset leaves the position at the start, where the program starts to read.
        write_all_at(&file, bytes, 0).map_err(|cause| memory_file_error(&cause))?;
        seal_file(&file).map_err(|cause| memory_file_error(&cause))?;
        Ok(MemoryFile(file))
    }

    pub(super) fn as_fd(&self) -> BorrowedFd<'_> {
        self.0.as_fd()
    }

    /// Returns how far it was read: programs that read from it share its position.
    ///
    /// # Errors
    ///
    /// Returns an error if the position cannot be determined.
    pub(super) fn read_position(&self) -> Result<u64> {
        std::io::Seek::stream_position(&mut &self.0).map_err(|cause| memory_file_error(&cause))
    }

    pub(super) fn len(&self) -> u64 {
        self.0.metadata().map_or(0, |metadata| metadata.len())
    }

    /// Returns its first bytes, at most `limit`.
    ///
    /// # Errors
    ///
    /// Returns an error if it cannot be read.
    pub(super) fn read_head(&self, limit: u64) -> Result<Vec<u8>> {
        self.read_range(0, self.len().min(limit))
    }

    /// Returns its first bytes, at most `limit`, and its length. A short file takes a single system call.
    ///
    /// # Errors
    ///
    /// Returns an error if it cannot be read.
    pub(super) fn read_head_and_len(&self, limit: u64) -> Result<(Vec<u8>, u64)> {
        let mut space = [0; SHORT_STREAM_BYTES];
        match read_at(&self.0, &mut space, 0) {
            Ok(count) if count < SHORT_STREAM_BYTES => {
                let kept = count.min(usize::try_from(limit).unwrap_or(SHORT_STREAM_BYTES));
                Ok((space[..kept].to_vec(), count as u64))
            }
            _ => {
                let length = self.len();
                Ok((self.read_range(0, length.min(limit))?, length))
            }
        }
    }

    /// Returns `length` bytes from an offset.
    ///
    /// # Errors
    ///
    /// Returns an error if it cannot be read.
    pub(super) fn read_range(&self, from: u64, length: u64) -> Result<Vec<u8>> {
        let mut bytes = vec![0; length as usize];
        let mut filled = 0;
        while filled < bytes.len() {
            match read_at(&self.0, &mut bytes[filled..], from + filled as u64) {
                // A process that is still being killed can have truncated the file.
                Ok(0) => break,
                Ok(count) => filled += count,
                Err(cause) if cause.kind() == io::ErrorKind::Interrupted => {}
                Err(cause) => return Err(memory_file_error(&cause)),
            }
        }
        bytes.truncate(filled);
        Ok(bytes)
    }
}

#[cfg(target_os = "linux")]
fn create_unnamed_file(can_be_sealed: bool) -> io::Result<File> {
    use rustix::fs::{MemfdFlags, memfd_create};
    let sealing = if can_be_sealed { MemfdFlags::ALLOW_SEALING } else { MemfdFlags::empty() };
    Ok(File::from(memfd_create("rebut", MemfdFlags::CLOEXEC | sealing)?))
}

#[cfg(target_os = "linux")]
fn seal_file(file: &File) -> io::Result<()> {
    use rustix::fs::{SealFlags, fcntl_add_seals};
    Ok(fcntl_add_seals(file, SealFlags::WRITE | SealFlags::SHRINK | SealFlags::GROW | SealFlags::SEAL)?)
}

/// Creates a file that is unlinked already.
#[cfg(not(target_os = "linux"))]
fn create_unnamed_file(_can_be_sealed: bool) -> io::Result<File> {
    tempfile::tempfile()
}

/// Files cannot be sealed on this system. The file is private to the run, so a program that writes to it harms only
/// itself.
#[cfg(not(target_os = "linux"))]
fn seal_file(_: &File) -> io::Result<()> {
    Ok(())
}

fn memory_file_error(cause: &io::Error) -> Error {
    super::system_error::describe_io_error("failed to hold a program's input or output in memory", cause)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sealed_file_reads_from_its_beginning_and_cannot_be_written() -> Result<()> {
        let file = MemoryFile::create_sealed(b"1 2 3\n")?;
        assert_eq!(file.read_head(100)?, b"1 2 3\n");
        assert_eq!(file.read_head(2)?, b"1 ");
        assert_eq!(file.read_range(4, 2)?, b"3\n");
        assert_eq!(file.read_head_and_len(3)?, (b"1 2".to_vec(), 6));
        for length in [4095, 4096, 5000] {
            let bytes = vec![b'x'; length];
            assert_eq!(
                MemoryFile::create_sealed(&bytes)?.read_head_and_len(4097)?,
                (bytes[..length.min(4097)].to_vec(), length as u64)
            );
        }
        if cfg!(target_os = "linux") {
            assert!(write_all_at(&file.0, b"9", 0).is_err());
            assert!(file.0.set_len(100).is_err());
        }
        Ok(())
    }
}
