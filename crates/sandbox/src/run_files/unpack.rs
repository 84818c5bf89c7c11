//! Unpacks attached files into the folder of a run.

use super::RunFileList;
use super::collected::copy_contents;
use crate::isolation::work_folder::WorkFolder;
use crate::sys::BorrowedFd;
use rustix::fs::{Mode, OFlags, mkdirat, openat};
use rustix::io::Errno;
use std::ffi::{CStr, CString};
use std::fs::File;
use std::io;

/// Creates the attached folders and files in an empty folder.
///
/// # Errors
///
/// Returns an error if the operating system refuses.
pub(super) fn unpack_files(list: &RunFileList, files: &[BorrowedFd<'_>], folder: &WorkFolder) -> io::Result<()> {
    for name in &list.folders {
        create_parents(folder, name)?;
        create_folder(folder, name)?;
    }
    for (name, file) in list.files.iter().zip(files) {
        create_parents(folder, name)?;
        let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        let opened = openat(folder.as_fd(), name, flags, Mode::RUSR | Mode::WUSR | Mode::RGRP | Mode::ROTH)?;
        copy_contents(file, File::from(opened))?;
    }
    Ok(())
}

fn create_parents(folder: &WorkFolder, name: &CStr) -> io::Result<()> {
    let bytes = name.to_bytes();
    for (at, _) in bytes.iter().enumerate().filter(|(_, byte)| **byte == b'/') {
        create_folder(folder, &CString::new(&bytes[..at])?)?;
    }
    Ok(())
}

fn create_folder(folder: &WorkFolder, name: &CStr) -> io::Result<()> {
    match mkdirat(folder.as_fd(), name, Mode::RWXU) {
        Ok(()) | Err(Errno::EXIST) => Ok(()),
        Err(cause) => Err(cause.into()),
    }
}
