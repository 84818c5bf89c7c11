//! What a run has brought back: reading what its hold says.

use crate::diagnostic::{Error, Result};
use crate::run::memory_file::MemoryFile;
use std::collections::BTreeMap;
use std::path::PathBuf;

/// What a run has brought back.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(in crate::run) struct Brought {
    /// Files by their names in the folder of the run.
    pub(in crate::run) files: BTreeMap<PathBuf, Vec<u8>>,
    /// Whether there was more than may be brought back.
    pub(in crate::run) is_too_much: bool,
}

impl Brought {
    /// What is in a hold.
    ///
    /// # Errors
    ///
    /// It cannot be read, or whoever filled it did not finish (`Operating`).
    pub(in crate::run) fn unload(hold: &MemoryFile) -> Result<Brought> {
        let bytes = hold.head(u64::MAX)?;
        read(&bytes).ok_or_else(|| Error::operating("failed to bring back the files of a run: they are damaged"))
    }
}

fn read(mut bytes: &[u8]) -> Option<Brought> {
    let is_too_much = number(&mut bytes)? != 0;
    let mut files = BTreeMap::new();
    while !bytes.is_empty() {
        let name = path(part(&mut bytes)?);
        files.insert(name, part(&mut bytes)?.to_vec());
    }
    Some(Brought { files, is_too_much })
}

fn number(bytes: &mut &[u8]) -> Option<u64> {
    let (number, rest) = bytes.split_first_chunk::<8>()?;
    *bytes = rest;
    Some(u64::from_le_bytes(*number))
}

fn part<'a>(bytes: &mut &'a [u8]) -> Option<&'a [u8]> {
    let length = usize::try_from(number(bytes)?).ok()?;
    let (part, rest) = bytes.split_at_checked(length)?;
    *bytes = rest;
    Some(part)
}

#[cfg(unix)]
fn path(name: &[u8]) -> PathBuf {
    use std::os::unix::ffi::OsStrExt;
    PathBuf::from(std::ffi::OsStr::from_bytes(name))
}

#[cfg(not(unix))]
fn path(name: &[u8]) -> PathBuf {
    PathBuf::from(String::from_utf8_lossy(name).into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn damage_is_refused() {
        for bytes in [&b""[..], b"1234567", &[0; 12], &[0, 0, 0, 0, 0, 0, 0, 0, 9, 0, 0, 0, 0, 0, 0, 0, 1]] {
            assert_eq!(read(bytes), None, "{bytes:?}");
        }
    }
}
