//! Putting luggage into the folder of a run.

use super::PackingList;
use super::copy::copy;
use crate::run::isolation::folder::Folder;
use crate::run::sys::BorrowedFd;
use rustix::fs::{Mode, OFlags, mkdirat, openat};
use rustix::io::Errno;
use std::ffi::{CStr, CString};
use std::fs::File;
use std::io;

/// Makes folders, and files of these names with the bytes of these files, in an empty folder.
///
/// # Errors
///
/// The machine refuses.
pub(super) fn unpack(list: &PackingList, files: &[BorrowedFd<'_>], folder: &Folder) -> io::Result<()> {
    for name in &list.folders {
        make_parents(folder, name)?;
        make(folder, name)?;
    }
    for (name, file) in list.files.iter().zip(files) {
        make_parents(folder, name)?;
        let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        let opened = openat(folder.as_fd(), name, flags, Mode::RUSR | Mode::WUSR | Mode::RGRP | Mode::ROTH)?;
        copy(file, File::from(opened))?;
    }
    Ok(())
}

/// Makes the folders that a name speaks of.
fn make_parents(folder: &Folder, name: &CStr) -> io::Result<()> {
    let bytes = name.to_bytes();
    for (at, _) in bytes.iter().enumerate().filter(|(_, byte)| **byte == b'/') {
        make(folder, &CString::new(&bytes[..at])?)?;
    }
    Ok(())
}

fn make(folder: &Folder, name: &CStr) -> io::Result<()> {
    match mkdirat(folder.as_fd(), name, Mode::RWXU) {
        Ok(()) | Err(Errno::EXIST) => Ok(()),
        Err(cause) => Err(cause.into()),
    }
}
