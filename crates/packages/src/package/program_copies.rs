//! Copies of programs with constants substituted, and of submissions with include files added.
//!
//! A program that uses a constant, or gets extra files, is copied to a folder of rebut's own, named by the digest of
//! its contents, and the package then refers to the copy. All other programs are used in place.

use super::model::{Constants, Package, PackageSubmission};
use super::programs::list_program_files;
use crate::{LinkScope, digest_parts, read_file};
use rebut_diagnostics::{Error, Result};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

impl Package {
    /// Replaces programs that use constants by copies below `copies_folder` with the constants substituted. This
    /// applies to submissions, validators, and headers that are included. Submissions in a language that `include/`
    /// has files for, and programs with links that leave their folders, are copied as well: compilers cannot read
    /// other folders.
    ///
    /// # Errors
    ///
    /// Returns an error if a file cannot be read or a copy cannot be written.
    pub fn with_program_copies(mut self, copies_folder: &Path) -> Result<Package> {
        let copier = ProgramCopier { constants: &self.constants, copies_folder, excluded_program: None };
        for submission in &mut self.submissions {
            if let Some(copy) = copier.copy_submission(submission, &self.include)? {
                submission.path = copy;
            }
        }
        let validators = self.input_validators.iter_mut().chain(&mut self.answer_validators);
        let others = self.output_validator.program.iter_mut().chain(&mut self.grader).chain(&mut self.static_validator);
        for path in validators.chain(others) {
            if let Some(copy) = copier.copy_program(path)? {
                *path = copy;
            }
        }
        let mut include = Vec::new();
        for folder in &self.include {
            // The folder itself comes after the copies, since its subfolders are not copied.
            include.extend(copier.copy_headers(folder)?);
            include.push(folder.clone());
        }
        self.include = include;
        Ok(self)
    }

    /// Returns a copy below `place` of a program from outside the package, with the files that `include/` has for its
    /// language, as if it were a submission. Returns the program itself if there are no such files. Constants are
    /// substituted in the added files only.
    ///
    /// # Errors
    ///
    /// Returns an error if a file cannot be read or the copy cannot be written.
    pub fn copy_with_includes(&self, program: &Path, place: &Path) -> Result<PathBuf> {
        let (Some(name), Some(own)) = (program.file_name(), list_program_files(program)) else {
            return Ok(program.to_owned());
        };
        let Some(all) = merge_include_files(program, None, &own, &self.include) else {
            return Ok(program.to_owned());
        };
        let copier =
            ProgramCopier { constants: &self.constants, copies_folder: place, excluded_program: Some(program) };
        let copy = copier.copy_files(&all, true)?;
        Ok(copy.map_or_else(|| program.to_owned(), |folder| folder.join(name)))
    }

    /// Iterates over the paths of all programs that may be copied.
    pub fn programs_mut(&mut self) -> impl Iterator<Item = &mut PathBuf> {
        let submissions = self.submissions.iter_mut().map(|submission| &mut submission.path);
        let validators = self.input_validators.iter_mut().chain(&mut self.answer_validators);
        let others = self.output_validator.program.iter_mut().chain(&mut self.static_validator);
        submissions.chain(validators).chain(others).chain(&mut self.grader)
    }
}

struct ProgramCopier<'a> {
    constants: &'a Constants,
    copies_folder: &'a Path,
    /// A program in which no constants are substituted.
    excluded_program: Option<&'a Path>,
}

/// Adds headers next to a source that are links out of its folder. Returns true if there are any, or if the program
/// is a folder with links out of it.
fn add_external_links(path: &Path, files: &mut BTreeMap<PathBuf, PathBuf>) -> bool {
    if path.is_dir() {
        let Ok(root) = path.canonicalize() else { return false };
        let leaves = |path: &PathBuf| path.canonicalize().is_ok_and(|target| !target.starts_with(&root));
        return files.values().any(leaves);
    }
    let links = find_linked_headers(path.parent().unwrap_or(Path::new("")));
    let has_links = !links.is_empty();
    files.extend(links);
    has_links
}

/// Returns the headers of a folder that are links out of it, by name.
fn find_linked_headers(folder: &Path) -> BTreeMap<PathBuf, PathBuf> {
    let (Ok(scope), Ok(root)) = (LinkScope::for_folder(folder), folder.canonicalize()) else { return BTreeMap::new() };
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let links = entries.filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_symlink())).map(|entry| entry.path());
    let leaves =
        |path: &PathBuf| path.canonicalize().is_ok_and(|target| !target.starts_with(&root) && target.is_file());
    let headers = links.filter(|path| is_header(path) && scope.allows_link(path) && leaves(path));
    headers.filter_map(|path| Some((PathBuf::from(path.file_name()?), path))).collect()
}

impl ProgramCopier<'_> {
    /// Returns the copy of a program, or `None` if it uses no constants and has no links that leave its folder.
    fn copy_program(&self, path: &Path) -> Result<Option<PathBuf>> {
        let (Some(name), Some(mut files)) = (path.file_name(), list_program_files(path)) else { return Ok(None) };
        let is_needed = add_external_links(path, &mut files);
        Ok(self.copy_files(&files, is_needed)?.map(|folder| folder.join(name)))
    }

    /// Returns the copy of a submission, or `None` if it uses no constants and nothing is added to it.
    fn copy_submission(&self, submission: &PackageSubmission, include: &[PathBuf]) -> Result<Option<PathBuf>> {
        let (Some(name), Some(mut own)) = (submission.path.file_name(), list_program_files(&submission.path)) else {
            return Ok(None);
        };
        let has_links = add_external_links(&submission.path, &mut own);
        let all = merge_include_files(&submission.path, submission.language.as_deref(), &own, include);
        Ok(self.copy_files(all.as_ref().unwrap_or(&own), all.is_some() || has_links)?.map(|folder| folder.join(name)))
    }

    /// Returns a folder with copies of a folder's headers, if one of them uses a constant or is a link out of the
    /// folder.
    fn copy_headers(&self, folder: &Path) -> Result<Option<PathBuf>> {
        let headers = crate::list_files(folder).into_iter().filter(|path| is_header(path));
        let headers_by_name = headers.filter_map(|path| Some((PathBuf::from(path.file_name()?), path)));
        let mut headers_by_name: BTreeMap<PathBuf, PathBuf> = headers_by_name.collect();
        let links = find_linked_headers(folder);
        let is_needed = !links.is_empty();
        headers_by_name.extend(links);
        self.copy_files(&headers_by_name, is_needed)
    }

    /// Returns a folder with copies of these files, or `None` if no constant is substituted and `is_needed` is false.
    fn copy_files(&self, files: &BTreeMap<PathBuf, PathBuf>, is_needed: bool) -> Result<Option<PathBuf>> {
        if self.constants.is_empty() && !is_needed {
            return Ok(None);
        }
        let mut copies: Vec<(&PathBuf, &PathBuf, Vec<u8>)> = Vec::new();
        let mut is_changed = is_needed;
        for (name, path) in files {
            let bytes = read_file(path)?;
            let is_substituted = self.excluded_program.is_none_or(|program| !path.starts_with(program));
            let text = std::str::from_utf8(&bytes).ok().filter(|_| is_substituted);
            let text = text.map(|text| self.constants.substitute_constants(text));
            let contents = text.map_or_else(|| bytes.clone(), String::into_bytes);
            is_changed |= contents != bytes;
            copies.push((name, path, contents));
        }
        if !is_changed {
            return Ok(None);
        }
        let parts = copies.iter().flat_map(|(name, _, bytes)| [name.as_os_str().as_encoded_bytes(), bytes.as_slice()]);
        let name = &digest_parts(&parts.collect::<Vec<&[u8]>>())[..32];
        let folder = self.copies_folder.join(name);
        if folder.is_dir() {
            return Ok(Some(folder));
        }
        fs::create_dir_all(self.copies_folder).map_err(|e| Error::io_error("create", self.copies_folder, &e))?;
        let stage = tempfile::Builder::new().prefix(".filled-").tempdir_in(self.copies_folder);
        let stage = stage.map_err(|e| Error::io_error("create a folder in", self.copies_folder, &e))?;
        for (name, path, bytes) in &copies {
            let copy = stage.path().join(name);
            let above = copy.parent().unwrap_or(stage.path());
            fs::create_dir_all(above).map_err(|e| Error::io_error("create", above, &e))?;
            // Keeps the permission to execute.
            fs::copy(path, &copy).map_err(|e| Error::io_error("write", &copy, &e))?;
            fs::write(&copy, bytes).map_err(|e| Error::io_error("write", &copy, &e))?;
        }
        // Another process may have created the same copy at the same time.
        if let Err(error) = fs::rename(stage.path(), &folder)
            && !folder.is_dir()
        {
            return Err(Error::io_error("write", &folder, &error));
        }
        Ok(Some(folder))
    }
}

// Files that a package adds to each submission in a language: `include/<language>/`, or else `include/default/`.

/// Language codes and the extensions of their sources.
const LANGUAGE_EXTENSIONS: [(&str, &[&str]); 11] = [
    ("c", &["c"]),
    ("cpp", &["cc", "cpp", "cxx", "c++", "C"]),
    ("go", &["go"]),
    ("haskell", &["hs"]),
    ("java", &["java"]),
    ("javascript", &["js"]),
    ("kotlin", &["kt"]),
    ("ocaml", &["ml"]),
    ("pascal", &["pas"]),
    ("python3", &["py", "py3"]),
    ("rust", &["rs"]),
];

/// Returns the files of the submission at `path` together with the files added to it, by their paths below a folder
/// named like the submission. Returns `None` if nothing is added. The language is `stated`, or else found by the
/// extension.
pub(super) fn merge_include_files(
    path: &Path,
    stated: Option<&str>,
    own: &BTreeMap<PathBuf, PathBuf>,
    include: &[PathBuf],
) -> Option<BTreeMap<PathBuf, PathBuf>> {
    let name = PathBuf::from(path.file_name()?);
    let is_single = own.contains_key(&name);
    let code_by_extension =
        if is_single { language_code(&name) } else { own.keys().find_map(|file| language_code(file)) }?;
    let code = stated.unwrap_or(code_by_extension);
    let folder = [code, "default"].iter().find_map(|code| {
        let is_it = |folder: &&PathBuf| folder.ends_with(Path::new("include").join(code));
        include.iter().find(is_it)
    })?;
    let added = list_program_files(folder)?;
    let inside: Vec<(PathBuf, PathBuf)> =
        added.into_iter().map(|(file, path)| (file.components().skip(1).collect(), path)).collect();
    let has_main = inside.iter().any(|(file, _)| is_named_main(file));
    let mut all: BTreeMap<PathBuf, PathBuf> = if is_single {
        // For languages in which one file imports the others, make the submitted file the main one unless an added file is.
        let main = match name.extension().and_then(|ending| ending.to_str()) {
            Some("py" | "py3") if !has_main => Path::new("__main__.py"),
            Some("js") if !has_main => Path::new("main.js"),
            _ => &name,
        };
        let place = |file: &PathBuf| name.join(if *file == name { main } else { file });
        // A source that another one includes is not compiled with it.
        let is_part = |file: &PathBuf| *file == name || !matches!(language_code(file), Some("c" | "cpp"));
        own.iter().filter(|(file, _)| is_part(file)).map(|(file, path)| (place(file), path.clone())).collect()
    } else {
        own.clone()
    };
    all.extend(inside.into_iter().map(|(file, path)| (name.join(file), path)));
    Some(all)
}

/// Returns the language code of a source, by its extension.
pub fn language_code(file: &Path) -> Option<&'static str> {
    let ending = file.extension()?.to_str()?;
    LANGUAGE_EXTENSIONS.iter().find(|(_, endings)| endings.contains(&ending)).map(|(code, _)| *code)
}

pub(super) fn is_header(file: &Path) -> bool {
    file.extension().is_some_and(|ending| ["h", "hh", "hpp"].iter().any(|known| ending == *known))
}

fn is_named_main(file: &Path) -> bool {
    let stem = file.file_stem().and_then(|stem| stem.to_str()).unwrap_or_default();
    ["main", "__main__"].contains(&stem.to_lowercase().as_str())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn languages_are_known_by_extensions() {
        assert_eq!(language_code(Path::new("a/sub.cc")), Some("cpp"));
        assert_eq!(language_code(Path::new("sub.C")), Some("cpp"));
        assert_eq!(language_code(Path::new("sub.py")), Some("python3"));
        assert_eq!(language_code(Path::new("Makefile")), None);
    }

    #[test]
    fn headers_and_main_files_are_recognized() {
        assert!(is_header(Path::new("a.hpp")) && !is_header(Path::new("a.cpp")));
        assert!(is_named_main(Path::new("x/Main.java")) && is_named_main(Path::new("__main__.py")));
        assert!(!is_named_main(Path::new("domain.py")));
    }
}
