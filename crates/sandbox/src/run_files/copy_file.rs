//! Copies an attached file into the folder of a run.

use crate::sys::{AsFd, BorrowedFd, read_at};
use crate::tuning::COPY_CHUNK_BYTES;
use std::fs::File;
use std::io::{self, Write};

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
