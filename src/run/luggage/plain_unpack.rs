//! Putting luggage into the folder of a run, where paths are all there is to go by. Not tested.

use super::PackingList;
use crate::run::isolation::folder::Folder;
use crate::run::sys::{AsFd, BorrowedFd, read_at};
use std::fs::{self, File};
use std::io::{self, Write};

/// Makes folders, and files of these names with the bytes of these files, in an empty folder.
///
/// # Errors
///
/// The machine refuses.
pub(super) fn unpack(list: &PackingList, files: &[BorrowedFd<'_>], folder: &Folder) -> io::Result<()> {
    for name in &list.folders {
        fs::create_dir_all(folder.place(name))?;
    }
    for (name, file) in list.files.iter().zip(files) {
        let place = folder.place(name);
        fs::create_dir_all(place.parent().unwrap_or(&place))?;
        copy(file, File::create_new(place)?)?;
    }
    Ok(())
}

/// Copies from the beginning. The position of a file belongs to all who hold it, so it is not used.
fn copy(from: &BorrowedFd<'_>, mut to: File) -> io::Result<()> {
    let from = File::from(from.as_fd().try_clone_to_owned()?);
    let mut chunk = vec![0; 256 << 10];
    let mut at = 0;
    loop {
        let count = read_at(&from, &mut chunk, at)?;
        if count == 0 {
            return Ok(());
        }
        to.write_all(&chunk[..count])?;
        at += count as u64;
    }
}
