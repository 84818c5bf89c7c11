//! The digest of a program's source, which is part of the keys of what the program decides.

use rebut_diagnostics::Result;
use rebut_packages::{digest_parts, list_files, read_file};
use std::path::Path;

/// Returns the digest of a program's source, or of all files in its folder.
pub(super) fn source_digest(source: &Path) -> Result<String> {
    let files = if source.is_dir() { list_files(source) } else { vec![source.to_owned()] };
    let texts: Vec<Vec<u8>> = files.iter().map(|file| read_file(file)).collect::<Result<_>>()?;
    Ok(digest_parts(&texts))
}
