//! The file of a block: its result, which is the same in each run, and its times, which are not.

use crate::stored_files::digest_parts;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

/// A block in a journal, by the name of its file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct BlockEntry {
    /// Number of the block, from 0.
    pub number: u64,
    /// The first bytes of the digest of its result.
    pub digest: u64,
}

/// The contents of the file of a block.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct StoredBlock<R, T> {
    /// Digest of the manifest.
    manifest: String,
    /// Number of the block, from 0.
    block: u64,
    /// The result, which depends on the manifest and the number alone.
    pub result: R,
    /// The times, which differ from run to run.
    pub times: T,
}

/// First part of the names of the files.
const NAME_START: &str = "block-";

/// Last part of the names of the files.
const NAME_END: &str = ".json";

impl BlockEntry {
    /// Returns the name of the file.
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

impl<R: Serialize + DeserializeOwned, T: Serialize + DeserializeOwned> StoredBlock<R, T> {
    /// Creates the contents of the file of a block.
    pub(super) fn new(manifest: &str, block: u64, result: R, times: T) -> Self {
        StoredBlock { manifest: manifest.to_owned(), block, result, times }
    }

    /// Returns the entry for these contents.
    pub(super) fn entry(&self) -> serde_json::Result<BlockEntry> {
        let result = serde_json::to_string(&self.result)?;
        let digest = digest_parts(&[self.manifest.as_str(), &self.block.to_string(), &result]);
        let digest = digest.get(..16).and_then(|start| u64::from_str_radix(start, 16).ok()).unwrap_or_default();
        Ok(BlockEntry { number: self.block, digest })
    }

    /// Parses a file, and checks that it is the one of its name and its manifest. Returns what is wrong otherwise.
    pub(super) fn parse(bytes: &[u8], entry: BlockEntry, manifest: &str) -> Result<Self, String> {
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
