//! The digest of a program's files, which is part of the keys of what the program decides.

use rebut_diagnostics::Result;
use rebut_packages::{digest_parts, list_files_below, read_file};
use std::path::{Path, PathBuf};

/// Returns the digest of a program's files with their names: of a source and the files that it names, or of a folder.
///
/// # Errors
/// Returns an error if a file cannot be read.
pub(super) fn source_digest(source: &Path) -> Result<String> {
    let mut parts = Vec::new();
    if !source.is_dir() {
        for (name, text) in rebut_sandbox::read_program_files(source)? {
            parts.extend([name.into_os_string().into_encoded_bytes(), text]);
        }
        return Ok(digest_parts(&parts));
    }
    for file in list_files_below(source) {
        let name = file.strip_prefix(source).unwrap_or(&file).display().to_string();
        parts.extend([name.into_bytes(), read_file(&file)?]);
    }
    Ok(digest_parts(&parts))
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
