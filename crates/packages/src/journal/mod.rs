//! Journals: the finished blocks of a search, one small file each, beside a manifest.
//!
//! The name of a file has the number of the block and a digest of its result, so a journal only ever grows: two runs
//! with the same result write the same name, and two with different results write two files, which a merge reports.
//! Journals are united by copying their files into one folder.

mod block_file;
mod manifest;
mod reader;

pub use block_file::{BlockData, JournalWriter};
pub use manifest::{JOURNAL_VERSION, JournalManifest};
pub use reader::{BlockReading, JournalSet};

#[cfg(test)]
mod tests;
