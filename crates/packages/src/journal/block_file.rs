//! The file of a block: its result, which is the same in each run, and its times, which are not; and the writer of such
//! files.

use super::manifest::{JournalManifest, MANIFEST_FILE};
use crate::stored_files::{digest_parts, write_atomically};
use rebut_diagnostics::{Error, Result};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::io::Write as _;
use std::path::{Path, PathBuf};

/// Data of a block, in its file as JSON.
pub trait BlockData: Serialize + DeserializeOwned {}

impl<D: Serialize + DeserializeOwned> BlockData for D {}

/// A block in a journal, by the name of its file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct BlockEntry {
    /// Number of the block, from 0.
    pub(super) number: u64,
    /// The first bytes of the digest of its result.
    pub(super) digest: u64,
}

/// The contents of the file of a block.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct StoredBlock<R, T> {
    manifest: String,
    /// Number of the block, from 0.
    block: u64,
    /// The result, which depends on the manifest and the number alone.
    pub(super) result: R,
    /// The times, which differ from run to run.
    pub(super) times: T,
}

/// First part of the names of the files.
const NAME_START: &str = "block-";

/// Last part of the names of the files.
const NAME_END: &str = ".json";

impl BlockEntry {
    pub(super) fn file_name(self) -> String {
        format!("{NAME_START}{:08}-{:016x}{NAME_END}", self.number, self.digest)
    }

    /// Parses the name of a file, or returns `None` if it is not that of a block.
    pub(super) fn from_file_name(name: &str) -> Option<BlockEntry> {
        let (number, digest) = name.strip_prefix(NAME_START)?.strip_suffix(NAME_END)?.split_once('-')?;
        let digest = u64::from_str_radix(digest, 16).ok()?;
        let entry = BlockEntry { number: number.parse().ok()?, digest };
        (entry.file_name() == name).then_some(entry)
    }
}

impl<R: BlockData, T: BlockData> StoredBlock<R, T> {
    /// Returns the entry for these contents.
    fn entry(&self) -> serde_json::Result<BlockEntry> {
        let result = serde_json::to_string(&self.result)?;
        let digest = digest_parts(&[self.manifest.as_str(), &self.block.to_string(), &result]);
        let digest = digest.get(..16).and_then(|start| u64::from_str_radix(start, 16).ok()).unwrap_or_default();
        Ok(BlockEntry { number: self.block, digest })
    }

    /// Parses a file, and checks that it is the one of its name and its manifest. Returns what is wrong otherwise.
    pub(super) fn parse(bytes: &[u8], entry: BlockEntry, manifest: &str) -> std::result::Result<Self, String> {
        let stored: Self = serde_json::from_slice(bytes).map_err(|e| e.to_string())?;
        if stored.manifest != manifest {
            return Err("it is of another search".to_owned());
        }
        if stored.entry().map_err(|e| e.to_string())? != entry {
            return Err("its contents are not those of its name".to_owned());
        }
        Ok(stored)
    }
}

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

    /// Returns the folder.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Writes the file of a finished block, whole or not at all.
    ///
    /// # Errors
    /// Returns an error if it cannot be written.
    pub fn write_block<R: BlockData, T: BlockData>(&self, block: u64, result: R, times: T) -> Result<()> {
        let failed = |e: serde_json::Error| Error::operating_error(format!("failed to write block {block}: {e}"));
        let stored = StoredBlock { manifest: self.manifest_digest.clone(), block, result, times };
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
