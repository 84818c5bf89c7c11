//! Putting luggage into the folder of a run, where paths are all there is to go by. Not tested.

use super::PackingList;
use super::copy::copy;
use crate::run::isolation::folder::Folder;
use crate::run::sys::BorrowedFd;
use std::fs::{self, File};
use std::io;

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
