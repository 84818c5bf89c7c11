//! Writes a journal.

use super::block_file::StoredBlock;
use super::manifest::{JournalManifest, MANIFEST_FILE};
use crate::stored_files::write_atomically;
use rebut_diagnostics::{Error, Result};
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::io::Write as _;
use std::path::{Path, PathBuf};

/// A folder that finished blocks are written to, by any number of processes at the same time.
#[derive(Clone, Debug)]
pub struct JournalWriter {
    folder: PathBuf,
    manifest_digest: String,
}

impl JournalWriter {
    /// Opens the journal in a folder. The folder and its manifest are created if they are missing.
    ///
    /// # Errors
    /// Returns an error if the folder is the journal of another search, or cannot be written.
    pub fn open(folder: &Path, manifest: &JournalManifest) -> Result<JournalWriter> {
        std::fs::create_dir_all(folder).map_err(|e| Error::io_error("create", folder, &e))?;
        let path = folder.join(MANIFEST_FILE);
        if !path.exists() {
            write_first(&path, manifest.to_text()?.as_bytes())?;
        }
        let place = format!("`{}`", folder.display());
        let known = JournalManifest::parse(&crate::read_file(&path)?, &place)?;
        known.require_same(&place, manifest, "this command")?;
        Ok(JournalWriter { folder: folder.to_owned(), manifest_digest: manifest.digest() })
    }

    /// Writes the file of a finished block, whole or not at all.
    ///
    /// # Errors
    /// Returns an error if it cannot be written.
    pub fn write_block<R, T>(&self, block: u64, result: R, times: T) -> Result<()>
    where
        R: Serialize + DeserializeOwned,
        T: Serialize + DeserializeOwned,
    {
        let failed = |e: serde_json::Error| Error::operating_error(format!("failed to write block {block}: {e}"));
        let stored = StoredBlock::new(&self.manifest_digest, block, result, times);
        let path = self.folder.join(stored.entry().map_err(failed)?.file_name());
        write_atomically(&path, &serde_json::to_vec(&stored).map_err(failed)?)
    }
}

/// Writes a file whole, unless another process has written it in the meantime.
fn write_first(path: &Path, bytes: &[u8]) -> Result<()> {
    let folder = path.parent().unwrap_or(Path::new("."));
    let mut file =
        tempfile::NamedTempFile::new_in(folder).map_err(|e| Error::io_error("create a file in", folder, &e))?;
    file.write_all(bytes).map_err(|e| Error::io_error("write", path, &e))?;
    match file.persist_noclobber(path) {
        Err(failure) if !path.exists() => Err(Error::io_error("write", path, &failure.error)),
        _ => Ok(()),
    }
}
