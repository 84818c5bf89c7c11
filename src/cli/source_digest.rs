//! The digest of a program's files, which is part of the keys of what the program decides.

use rebut_diagnostics::Result;
use rebut_packages::{digest_parts, list_files_below, read_file};
use std::path::{Path, PathBuf};

/// Returns the digest of a program's files with their names: of a source and the files that it names, or of a folder.
///
/// # Errors
/// Returns an error if a file cannot be read.
pub(super) fn source_digest(source: &Path) -> Result<String> {
    if !source.is_dir() {
        return Ok(digest_parts(&program_parts(source)?));
    }
    let mut parts = Vec::new();
    for file in list_files_below(source) {
        let name = file.strip_prefix(source).unwrap_or(&file).display().to_string();
        parts.extend([name.into_bytes(), read_file(&file)?]);
    }
    Ok(digest_parts(&parts))
}

/// Returns the contents of a program's only file, or the names and contents of all its files.
///
/// # Errors
/// Returns an error if the program cannot be read.
pub(super) fn program_parts(source: &Path) -> Result<Vec<Vec<u8>>> {
    let files = rebut_toolchain::read_program_files(source)?;
    // So test sets of programs with a single file keep their keys.
    if files.len() == 1 {
        return Ok(files.into_values().collect());
    }
    Ok(files.into_iter().flat_map(|(name, text)| [name.into_os_string().into_encoded_bytes(), text]).collect())
}

/// Returns the digest of a command, with the files that its words name.
pub(super) fn digest_command(command: &str, folder: &Path) -> Result<String> {
    let mut parts = vec![command.as_bytes().to_vec()];
    for word in command.split_whitespace().map(|word| word.trim_matches(['\'', '"'])) {
        let places = [folder.join(word), PathBuf::from(word)];
        if let Some(path) = places.iter().find(|path| path.is_file()) {
            parts.push(source_digest(path)?.into_bytes());
        }
    }
    Ok(digest_parts(&parts))
}
