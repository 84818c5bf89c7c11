//! Programs of a package with its constants filled in, and submissions with the files that are added to them.
//!
//! A program that names a constant, or gets further files, is copied to a folder of rebut's own, called by the digest of
//! what is in it, and the package then names the copy. All others stay where they are.

use super::constants::Constants;
use super::included;
use super::model::{Package, Submission};
use crate::corpus::{LinkScope, digest, read_file};
use crate::diagnostic::{Error, Result};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use walkdir::WalkDir;

/// More files than any program has: what is larger is left as it is, and said to be no program when it is compiled.
const MOST_FILES: usize = 2000;
const MOST_BYTES: u64 = 64 << 20;

impl Package {
    /// The same package, where programs in which `{{name}}` stands for a constant are copies below `place` with the
    /// constants in them: submissions, validators, and headers that are included. So are submissions in a language for
    /// which there are files in `include/`, and programs with links that leave their folders: compilers read no other folder.
    ///
    /// # Errors
    /// If a file cannot be read, or a copy cannot be written.
    pub fn filled(mut self, place: &Path) -> Result<Package> {
        let filling = Filling { constants: &self.constants, place, untouched: None };
        for submission in &mut self.submissions {
            if let Some(copy) = filling.submission(submission, &self.include)? {
                submission.path = copy;
            }
        }
        let validators = self.input_validators.iter_mut().chain(&mut self.answer_validators);
        let others = self.output_validator.program.iter_mut().chain(&mut self.grader).chain(&mut self.static_validator);
        for path in validators.chain(others) {
            if let Some(copy) = filling.program(path)? {
                *path = copy;
            }
        }
        let mut include = Vec::new();
        for folder in &self.include {
            // Behind the copies, since folders inside are not copied.
            include.extend(filling.headers(folder)?);
            include.push(folder.clone());
        }
        self.include = include;
        Ok(self)
    }

    /// A program from elsewhere as if it had been handed in: a copy below `place` with the files that `include/` has for its
    /// language, or itself if there are none. Constants are the package's own affair: only what is added names them.
    ///
    /// # Errors
    /// If a file cannot be read, or the copy cannot be written.
    pub fn handed_in(&self, program: &Path, place: &Path) -> Result<PathBuf> {
        let (Some(name), Some(own)) = (program.file_name(), files_of(program)) else { return Ok(program.to_owned()) };
        let Some(all) = included::together(program, None, &own, &self.include) else { return Ok(program.to_owned()) };
        let filling = Filling { constants: &self.constants, place, untouched: Some(program) };
        let copy = filling.copy(&all, true)?;
        Ok(copy.map_or_else(|| program.to_owned(), |folder| folder.join(name)))
    }

    /// The places of all programs that may be copies.
    pub fn programs_mut(&mut self) -> impl Iterator<Item = &mut PathBuf> {
        let submissions = self.submissions.iter_mut().map(|submission| &mut submission.path);
        let validators = self.input_validators.iter_mut().chain(&mut self.output_validator.program);
        submissions.chain(validators).chain(&mut self.grader)
    }
}

struct Filling<'a> {
    constants: &'a Constants,
    place: &'a Path,
    /// A program in which nothing is filled in.
    untouched: Option<&'a Path>,
}

/// The files of a program by their names: of a file its own, of a folder with the folder's name before them. None if it
/// cannot be listed, or is no program: that is told when it is compiled.
pub(super) fn files_of(path: &Path) -> Option<BTreeMap<PathBuf, PathBuf>> {
    let name = path.file_name()?;
    if path.is_file() {
        return Some(BTreeMap::from([(PathBuf::from(name), path.to_owned())]));
    }
    let scope = LinkScope::of(path).ok()?;
    let mut files = BTreeMap::new();
    let mut bytes = 0;
    let is_meant =
        |entry: &walkdir::DirEntry| entry.depth() == 0 || !entry.file_name().as_encoded_bytes().starts_with(b".");
    for entry in WalkDir::new(path).follow_links(true).into_iter().filter_entry(is_meant) {
        let entry = entry.ok()?;
        let about = entry.metadata().ok()?;
        // Nothing is read through a link out of the program.
        if entry.path_is_symlink() && !scope.allows(entry.path()) {
            return None;
        }
        let inside = entry.path().strip_prefix(path).unwrap_or(Path::new(""));
        if about.is_file() {
            bytes += about.len();
            files.insert(Path::new(name).join(inside), entry.path().to_owned());
        }
        if files.len() > MOST_FILES || bytes > MOST_BYTES {
            return None;
        }
    }
    Some(files)
}

/// Adds the headers beside a source that are links out of its folder. Returns true if there are any, or if a program that is a
/// folder has links out of it.
fn add_links_out(path: &Path, files: &mut BTreeMap<PathBuf, PathBuf>) -> bool {
    if path.is_dir() {
        let Ok(root) = path.canonicalize() else { return false };
        let leaves = |place: &PathBuf| place.canonicalize().is_ok_and(|target| !target.starts_with(&root));
        return files.values().any(leaves);
    }
    let links = linked_headers(path.parent().unwrap_or(Path::new("")));
    let is_any = !links.is_empty();
    files.extend(links);
    is_any
}

/// Returns the headers of a folder that are links out of it, by name.
fn linked_headers(folder: &Path) -> BTreeMap<PathBuf, PathBuf> {
    let (Ok(scope), Ok(root)) = (LinkScope::of(folder), folder.canonicalize()) else { return BTreeMap::new() };
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let links = entries.filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_symlink())).map(|entry| entry.path());
    let leaves =
        |path: &PathBuf| path.canonicalize().is_ok_and(|target| !target.starts_with(&root) && target.is_file());
    let headers = links.filter(|path| included::is_header(path) && scope.allows(path) && leaves(path));
    headers.filter_map(|path| Some((PathBuf::from(path.file_name()?), path))).collect()
}

impl Filling<'_> {
    /// The copy of a program, a file or a folder; none if it names no constant, and has no link that leaves its folder.
    fn program(&self, path: &Path) -> Result<Option<PathBuf>> {
        let (Some(name), Some(mut files)) = (path.file_name(), files_of(path)) else { return Ok(None) };
        let is_needed = add_links_out(path, &mut files);
        Ok(self.copy(&files, is_needed)?.map(|folder| folder.join(name)))
    }

    /// The copy of a submission; none if it names no constant, and nothing is added to it.
    fn submission(&self, submission: &Submission, include: &[PathBuf]) -> Result<Option<PathBuf>> {
        let (Some(name), Some(mut own)) = (submission.path.file_name(), files_of(&submission.path)) else {
            return Ok(None);
        };
        let has_links = add_links_out(&submission.path, &mut own);
        let all = included::together(&submission.path, submission.language.as_deref(), &own, include);
        Ok(self.copy(all.as_ref().unwrap_or(&own), all.is_some() || has_links)?.map(|folder| folder.join(name)))
    }

    /// A folder with the headers of a folder, if one of them names a constant, or is a link that leaves the folder.
    fn headers(&self, folder: &Path) -> Result<Option<PathBuf>> {
        let headers = crate::corpus::files_in(folder).into_iter().filter(|path| included::is_header(path));
        let named = headers.filter_map(|path| Some((PathBuf::from(path.file_name()?), path)));
        let mut named: BTreeMap<PathBuf, PathBuf> = named.collect();
        let links = linked_headers(folder);
        let is_needed = !links.is_empty();
        named.extend(links);
        self.copy(&named, is_needed)
    }

    /// A folder with copies of these files by their names in it; none if there is nothing to be filled in, and it is not
    /// needed anyway.
    fn copy(&self, files: &BTreeMap<PathBuf, PathBuf>, is_needed: bool) -> Result<Option<PathBuf>> {
        if self.constants.is_empty() && !is_needed {
            return Ok(None);
        }
        let mut filled: Vec<(&PathBuf, &PathBuf, Vec<u8>)> = Vec::new();
        let mut is_changed = is_needed;
        for (name, path) in files {
            let bytes = read_file(path)?;
            let is_filled = self.untouched.is_none_or(|program| !path.starts_with(program));
            let text = std::str::from_utf8(&bytes).ok().filter(|_| is_filled);
            let text = text.map(|text| self.constants.replaced(text));
            let now = text.map_or_else(|| bytes.clone(), String::into_bytes);
            is_changed |= now != bytes;
            filled.push((name, path, now));
        }
        if !is_changed {
            return Ok(None);
        }
        let parts = filled.iter().flat_map(|(name, _, bytes)| [name.as_os_str().as_encoded_bytes(), bytes.as_slice()]);
        let name = &digest(&parts.collect::<Vec<&[u8]>>())[..32];
        let folder = self.place.join(name);
        if folder.is_dir() {
            return Ok(Some(folder));
        }
        fs::create_dir_all(self.place).map_err(|e| Error::io("create", self.place, &e))?;
        let stage = tempfile::Builder::new().prefix(".filled-").tempdir_in(self.place);
        let stage = stage.map_err(|e| Error::io("make a folder in", self.place, &e))?;
        for (name, path, bytes) in &filled {
            let copy = stage.path().join(name);
            let above = copy.parent().unwrap_or(stage.path());
            fs::create_dir_all(above).map_err(|e| Error::io("create", above, &e))?;
            // The copy may be run if the original may.
            fs::copy(path, &copy).map_err(|e| Error::io("write", &copy, &e))?;
            fs::write(&copy, bytes).map_err(|e| Error::io("write", &copy, &e))?;
        }
        // Somebody else may have made the same at the same time.
        if let Err(error) = fs::rename(stage.path(), &folder)
            && !folder.is_dir()
        {
            return Err(Error::io("write", &folder, &error));
        }
        Ok(Some(folder))
    }
}
