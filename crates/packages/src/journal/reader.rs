//! Reads several journals as one: the union of their blocks.

use super::block_file::{BlockData, BlockEntry, StoredBlock};
use super::manifest::{JournalManifest, MANIFEST_FILE};
use crate::stored_files::read_stored_file;
use rebut_diagnostics::{Error, Result};
use std::fs::File;
use std::io::Read as _;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use zip::ZipArchive;

/// Maximum depth of journals below a folder: the artifact of a job, and the folder of its journal.
const MAX_DEPTH: usize = 3;

/// Where files of a journal are.
enum JournalPlace {
    Folder(PathBuf),
    Archive(ZipJournal),
}

/// Where a block is. There may be a million of them, so only numbers are kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct BlockPlace {
    entry: BlockEntry,
    place: u32,
    /// Position in the archive.
    member: u32,
}

/// The union of journals of one search.
pub struct JournalSet {
    manifest: JournalManifest,
    manifest_digest: String,
    places: Vec<JournalPlace>,
    /// The blocks, by number and digest.
    blocks: Vec<BlockPlace>,
}

/// The runs of a block.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BlockReading<R, T> {
    /// The different results, each with the times of one run. More than one means that a program is flaky.
    pub runs: Vec<(R, T)>,
    /// The files of the block that could not be read, each with the reason.
    pub damages: Vec<String>,
}

impl JournalSet {
    /// Opens journals: folders, folders of journals, or zip archives of either.
    ///
    /// # Errors
    /// Returns an error if one cannot be read or holds no journal, or if they are of different searches.
    pub fn open(paths: &[PathBuf]) -> Result<JournalSet> {
        let mut set = OpenSet::default();
        for path in paths {
            let known = set.manifests;
            if path.is_dir() {
                set.add_folders(path, MAX_DEPTH)?
            } else {
                set.add_archive(path)?
            }
            if set.manifests == known {
                return Err(Error::usage_error(format!("`{}` holds no journal", path.display()))
                    .with_help(format!("a journal is a folder with `{MANIFEST_FILE}`, written by `--journal`")));
            }
        }
        let Some((manifest, _)) = set.manifest else { return Err(Error::usage_error("no journal was given")) };
        set.blocks.sort_unstable();
        let manifest_digest = manifest.digest();
        Ok(JournalSet { manifest, manifest_digest, places: set.places, blocks: set.blocks })
    }

    /// Returns the manifest of all journals.
    pub fn manifest(&self) -> &JournalManifest {
        &self.manifest
    }

    /// Returns the numbers of the blocks that have a file, in rising order.
    pub fn block_numbers(&self) -> impl Iterator<Item = u64> + '_ {
        let mut last = None;
        self.blocks.iter().map(|block| block.entry.number).filter(move |number| last.replace(*number) != Some(*number))
    }

    /// Reads the files of a block. Copies of a file are read only if it is damaged.
    pub fn read_block<R: BlockData, T: BlockData>(&self, number: u64) -> BlockReading<R, T> {
        let mut reading = BlockReading { runs: Vec::new(), damages: Vec::new() };
        let mut known = None;
        for block in &self.blocks[self.range_of_block(number)] {
            if known == Some(block.entry) {
                continue;
            }
            let stored = self
                .read_bytes(*block)
                .and_then(|bytes| StoredBlock::<R, T>::parse(&bytes, block.entry, &self.manifest_digest));
            match stored {
                Ok(StoredBlock { result, times, .. }) => {
                    known = Some(block.entry);
                    reading.runs.push((result, times));
                }
                Err(problem) => reading.damages.push(format!("{}: {problem}", self.describe_place(*block))),
            }
        }
        reading
    }

    fn range_of_block(&self, number: u64) -> Range<usize> {
        let start = self.blocks.partition_point(|block| block.entry.number < number);
        let count = self.blocks[start..].iter().take_while(|block| block.entry.number == number).count();
        start..start + count
    }

    fn read_bytes(&self, block: BlockPlace) -> std::result::Result<Vec<u8>, String> {
        match &self.places[block.place as usize] {
            JournalPlace::Folder(folder) => {
                read_stored_file(&folder.join(block.entry.file_name())).map_err(|e| e.to_string())
            }
            JournalPlace::Archive(archive) => archive.read_member(block.member as usize),
        }
    }

    fn describe_place(&self, block: BlockPlace) -> String {
        let name = block.entry.file_name();
        match &self.places[block.place as usize] {
            JournalPlace::Folder(folder) => format!("`{}`", folder.join(name).display()),
            JournalPlace::Archive(archive) => format!("`{name}` in `{}`", archive.path.display()),
        }
    }
}

/// A set of journals while it is opened.
#[derive(Default)]
struct OpenSet {
    /// The manifest, with the name of where it was found first.
    manifest: Option<(JournalManifest, String)>,
    manifests: usize,
    places: Vec<JournalPlace>,
    blocks: Vec<BlockPlace>,
}

impl OpenSet {
    /// Adds the journals in a folder and below, to a depth, and those in its zip archives. Names are not kept: a journal may have a million files.
    fn add_folders(&mut self, folder: &Path, depth: usize) -> Result<()> {
        let unreadable = |e: std::io::Error| Error::io_error("read", folder, &e);
        let manifest = folder.join(MANIFEST_FILE);
        let place = self.next_place();
        let is_journal = manifest.is_file();
        if is_journal {
            self.add_manifest(&crate::read_file(&manifest)?, format!("`{}`", folder.display()))?;
            self.places.push(JournalPlace::Folder(folder.to_owned()));
        }
        let mut below = Vec::new();
        for entry in std::fs::read_dir(folder).map_err(unreadable)? {
            let entry = entry.map_err(unreadable)?;
            let name = entry.file_name();
            match name.to_str().and_then(BlockEntry::from_file_name) {
                Some(entry) if is_journal => self.blocks.push(BlockPlace { entry, place, member: 0 }),
                Some(_) => {}
                None if depth > 0 => below.push(entry.path()),
                None => {}
            }
        }
        below.sort();
        below.iter().filter(|path| !path.is_symlink()).try_for_each(|path| match () {
            () if path.is_dir() => self.add_folders(path, depth - 1),
            () if path.extension().is_some_and(|extension| extension == "zip") => self.add_archive(path),
            () => Ok(()),
        })
    }

    fn add_archive(&mut self, path: &Path) -> Result<()> {
        let (archive, place) = (ZipJournal::open(path)?, self.next_place());
        for (at, name) in archive.members() {
            let file_name = name.rsplit('/').next().unwrap_or_default();
            if file_name == MANIFEST_FILE {
                let bytes = archive.read_member(at);
                let bytes = bytes.map_err(|e| Error::usage_error(format!("`{name}` in `{}`: {e}", path.display())))?;
                self.add_manifest(&bytes, format!("`{name}` in `{}`", path.display()))?;
            } else if let (Some(entry), Ok(member)) = (BlockEntry::from_file_name(file_name), u32::try_from(at)) {
                self.blocks.push(BlockPlace { entry, place, member });
            }
        }
        self.places.push(JournalPlace::Archive(archive));
        Ok(())
    }

    fn add_manifest(&mut self, bytes: &[u8], place: String) -> Result<()> {
        let manifest = JournalManifest::parse(bytes, &place)?;
        self.manifests += 1;
        match &self.manifest {
            Some((first, first_place)) => first.require_same(first_place, &manifest, &place),
            None => {
                self.manifest = Some((manifest, place));
                Ok(())
            }
        }
    }

    fn next_place(&self) -> u32 {
        u32::try_from(self.places.len()).unwrap_or(u32::MAX)
    }
}

/// Maximum size of a member that is read, in bytes: archives are untrusted.
const MAX_MEMBER_BYTES: u64 = 64 << 20;

/// A journal in a zip archive, as CI systems keep the files of a job. Its members are read one at a time.
struct ZipJournal {
    path: PathBuf,
    archive: Mutex<ZipArchive<File>>,
}

impl ZipJournal {
    /// Opens an archive.
    ///
    /// # Errors
    /// Returns an error if it cannot be read or is no archive.
    fn open(path: &Path) -> Result<ZipJournal> {
        let file = File::open(path).map_err(|e| Error::unreadable_file(path, &e))?;
        let archive = ZipArchive::new(file).map_err(|e| {
            Error::usage_error(format!("`{}` is neither a folder nor a zip archive: {e}", path.display()))
        })?;
        Ok(ZipJournal { path: path.to_owned(), archive: Mutex::new(archive) })
    }

    /// Returns the names of the members, with their positions.
    fn members(&self) -> Vec<(usize, String)> {
        let archive = self.archive.lock().unwrap_or_else(PoisonError::into_inner);
        let names = (0..archive.len()).filter_map(|at| Some((at, archive.name_for_index(at)?.ok()?.into_owned())));
        names.collect()
    }

    /// Reads the member at a position.
    ///
    /// # Errors
    /// Returns a message if it is damaged or too large.
    fn read_member(&self, at: usize) -> std::result::Result<Vec<u8>, String> {
        let mut archive = self.archive.lock().unwrap_or_else(PoisonError::into_inner);
        let mut bytes = Vec::new();
        let member = archive.by_index(at).map_err(|e| e.to_string())?;
        member.take(MAX_MEMBER_BYTES + 1).read_to_end(&mut bytes).map_err(|e| e.to_string())?;
        if bytes.len() as u64 > MAX_MEMBER_BYTES { Err("it is too large".to_owned()) } else { Ok(bytes) }
    }
}
