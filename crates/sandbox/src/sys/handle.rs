//! The operating system's handle of a stream: a descriptor on Unix, a handle on Windows. One set of names for both.

use std::fs::File;
use std::io;

#[cfg(unix)]
pub(crate) use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
#[cfg(windows)]
pub(crate) use std::os::windows::io::{BorrowedHandle as BorrowedFd, OwnedHandle as OwnedFd};

/// A type that has a handle.
#[cfg(windows)]
pub(crate) trait AsFd {
    fn as_fd(&self) -> BorrowedFd<'_>;
}

#[cfg(windows)]
impl<T: std::os::windows::io::AsHandle> AsFd for T {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.as_handle()
    }
}

/// Reads from an offset, independently of the file's own position.
///
/// # Errors
///
/// Returns an error if the file cannot be read.
pub(crate) fn read_at(file: &File, bytes: &mut [u8], at: u64) -> io::Result<usize> {
    #[cfg(unix)]
    return std::os::unix::fs::FileExt::read_at(file, bytes, at);
    #[cfg(windows)]
    return std::os::windows::fs::FileExt::seek_read(file, bytes, at);
}

/// Writes all bytes at an offset, and leaves the file's own position as it was.
///
/// # Errors
///
/// Returns an error if the file cannot be written.
pub(crate) fn write_all_at(file: &File, bytes: &[u8], at: u64) -> io::Result<()> {
    #[cfg(unix)]
    return std::os::unix::fs::FileExt::write_all_at(file, bytes, at);
    #[cfg(windows)]
    {
        use std::io::{Seek, Write};
        let mut file = file;
        let before = file.stream_position()?;
        file.seek(io::SeekFrom::Start(at))?;
        file.write_all(bytes)?;
        file.seek(io::SeekFrom::Start(before)).map(|_| ())
    }
}

/// Duplicates a stream for a command of the standard library.
///
/// # Errors
///
/// Returns an error if the operating system is out of descriptors.
#[cfg(not(target_os = "linux"))]
pub(super) fn to_stdio(stream: BorrowedFd<'_>) -> Result<std::process::Stdio, super::RunError> {
    let copy = stream.try_clone_to_owned();
    copy.map(Into::into).map_err(|cause| super::RunError { stage: super::RunStage::Fork, cause })
}
