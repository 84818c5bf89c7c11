//! The digest of a program's source, which is part of the keys of what the program decides.

use rebut_diagnostics::Result;
use rebut_packages::{digest_parts, list_files_below, read_file};
use std::path::Path;

/// Returns the digest of a program's source: of a file, or of a folder with the names of all files in it.
///
/// # Errors
/// Returns an error if a file cannot be read.
pub(super) fn source_digest(source: &Path) -> Result<String> {
    if !source.is_dir() {
        return Ok(digest_parts(&[read_file(source)?]));
    }
    let mut parts = Vec::new();
    for file in list_files_below(source) {
        let name = file.strip_prefix(source).unwrap_or(&file).display().to_string();
        parts.extend([name.into_bytes(), read_file(&file)?]);
    }
    Ok(digest_parts(&parts))
}
