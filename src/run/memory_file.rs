//! Files without a name, in memory: what a program reads from and writes to.
//!
//! A pipe has to be served while the program runs, in the right order, or both sides wait for each other for
//! ever; and a process that was left behind keeps it open. A file has none of this. The input is sealed, so
//! that no program can change, through `/proc/self/fd/0`, what it was given.

use super::sys::{AsFd, BorrowedFd, read_at, write_all_at};
use crate::diagnostic::{Error, Result};
use std::fs::File;
use std::io;

/// A file without a name.
#[derive(Debug)]
pub(super) struct MemoryFile(File);

/// A stopped fork server keeps the streams of its last run: what is large is not kept with them.
impl Drop for MemoryFile {
    fn drop(&mut self) {
        const LARGE_BYTES: u64 = 1 << 20;
        if self.len() > LARGE_BYTES {
            // An input is sealed, so it stays as it is.
            let _ = self.0.set_len(0);
        }
    }
}

impl MemoryFile {
    /// An empty file to be written, which nobody can seal.
    ///
    /// # Errors
    ///
    /// The machine is out of descriptors or of memory.
    pub(super) fn empty() -> Result<Self> {
        create(false).map(MemoryFile).map_err(|cause| refused(&cause))
    }

    /// A file that holds `bytes`, read from its beginning, and that cannot be changed.
    ///
    /// # Errors
    ///
    /// The machine is out of descriptors or of memory.
    pub(super) fn sealed(bytes: &[u8]) -> Result<Self> {
        let file = create(true).map_err(|cause| refused(&cause))?;
        // Writing at a place leaves the position at the beginning, where the program will start to read.
        write_all_at(&file, bytes, 0).map_err(|cause| refused(&cause))?;
        seal(&file).map_err(|cause| refused(&cause))?;
        Ok(MemoryFile(file))
    }

    /// The descriptor.
    pub(super) fn as_fd(&self) -> BorrowedFd<'_> {
        self.0.as_fd()
    }

    /// How much is in it.
    pub(super) fn len(&self) -> u64 {
        self.0.metadata().map_or(0, |metadata| metadata.len())
    }

    /// Its first bytes, at most `limit`.
    ///
    /// # Errors
    ///
    /// It cannot be read.
    pub(super) fn head(&self, limit: u64) -> Result<Vec<u8>> {
        self.read(0, self.len().min(limit))
    }

    /// Its first bytes, at most `limit`, and how much is in it. What is short is read at once.
    ///
    /// # Errors
    ///
    /// It cannot be read.
    pub(super) fn head_of_all(&self, limit: u64) -> Result<(Vec<u8>, u64)> {
        const SHORT: usize = 4096;
        let mut space = [0; SHORT];
        match read_at(&self.0, &mut space, 0) {
            Ok(count) if count < SHORT => {
                let kept = count.min(usize::try_from(limit).unwrap_or(SHORT));
                Ok((space[..kept].to_vec(), count as u64))
            }
            _ => {
                let length = self.len();
                Ok((self.read(0, length.min(limit))?, length))
            }
        }
    }

    /// So many bytes from a place on.
    ///
    /// # Errors
    ///
    /// It cannot be read.
    pub(super) fn read(&self, from: u64, length: u64) -> Result<Vec<u8>> {
        let mut bytes = vec![0; length as usize];
        let mut filled = 0;
        while filled < bytes.len() {
            match read_at(&self.0, &mut bytes[filled..], from + filled as u64) {
                // A process that is still being killed may have cut the file short.
                Ok(0) => break,
                Ok(count) => filled += count,
                Err(cause) if cause.kind() == io::ErrorKind::Interrupted => {}
                Err(cause) => return Err(refused(&cause)),
            }
        }
        bytes.truncate(filled);
        Ok(bytes)
    }
}

#[cfg(target_os = "linux")]
fn create(can_be_sealed: bool) -> io::Result<File> {
    use rustix::fs::{MemfdFlags, memfd_create};
    let sealing = if can_be_sealed { MemfdFlags::ALLOW_SEALING } else { MemfdFlags::empty() };
    Ok(File::from(memfd_create("rebut", MemfdFlags::CLOEXEC | sealing)?))
}

#[cfg(target_os = "linux")]
fn seal(file: &File) -> io::Result<()> {
    use rustix::fs::{SealFlags, fcntl_add_seals};
    Ok(fcntl_add_seals(file, SealFlags::WRITE | SealFlags::SHRINK | SealFlags::GROW | SealFlags::SEAL)?)
}

/// A file that is unlinked already.
#[cfg(not(target_os = "linux"))]
fn create(_can_be_sealed: bool) -> io::Result<File> {
    tempfile::tempfile()
}

/// Nothing can be sealed here; the file is nobody else's, so a program that writes to it harms only itself.
#[cfg(not(target_os = "linux"))]
fn seal(_: &File) -> io::Result<()> {
    Ok(())
}

fn refused(cause: &io::Error) -> Error {
    super::refusal::of_io("failed to hold a program's input or output in memory", cause)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sealed_file_reads_from_its_beginning_and_cannot_be_written() -> Result<()> {
        let file = MemoryFile::sealed(b"1 2 3\n")?;
        assert_eq!(file.head(100)?, b"1 2 3\n");
        assert_eq!(file.head(2)?, b"1 ");
        assert_eq!(file.read(4, 2)?, b"3\n");
        assert_eq!(file.head_of_all(3)?, (b"1 2".to_vec(), 6));
        for length in [4095, 4096, 5000] {
            let bytes = vec![b'x'; length];
            assert_eq!(
                MemoryFile::sealed(&bytes)?.head_of_all(4097)?,
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
