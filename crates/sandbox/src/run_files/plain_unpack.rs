//! Unpacks attached files on systems other than Unix, addressed by path. Not tested.

use super::RunFileList;
use super::collected::copy_contents;
use crate::isolation::work_folder::WorkFolder;
use crate::sys::BorrowedFd;
use std::fs::{self, File};
use std::io;

/// Creates the attached folders and files in an empty folder.
///
/// # Errors
///
/// Returns an error if the operating system refuses.
pub(super) fn unpack_files(list: &RunFileList, files: &[BorrowedFd<'_>], folder: &WorkFolder) -> io::Result<()> {
    for name in &list.folders {
        fs::create_dir_all(folder.entry_path(name))?;
    }
    for (name, file) in list.files.iter().zip(files) {
        let place = folder.entry_path(name);
        fs::create_dir_all(place.parent().unwrap_or(&place))?;
        copy_contents(file, File::create_new(place)?)?;
    }
    Ok(())
}
