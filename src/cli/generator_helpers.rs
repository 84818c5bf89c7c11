//! Writes the files through which generators take their choices from rebut.

use super::session::Session;
use rebut_diagnostics::Result;
use rebut_generators::HELPER_FILES;
use rebut_packages::{digest_parts, write_atomically, write_file};
use std::path::{Path, PathBuf};

/// Writes all of them into a folder of the user.
pub(super) fn write_helpers(folder: &Path) -> Result<()> {
    HELPER_FILES.iter().try_for_each(|file| write_file(&folder.join(file.name), file.text.as_bytes()))
}

/// Returns a folder of the build cache that contains them. It is named after their contents.
pub(super) fn cached_helpers_folder(session: &Session) -> Result<PathBuf> {
    let digest = digest_parts(&HELPER_FILES.map(|file| file.text));
    let folder = session.builder.cache_folder().join(format!("include-{}", &digest[..16]));
    for file in HELPER_FILES {
        let path = folder.join(file.name);
        if !path.is_file() {
            write_atomically(&path, file.text.as_bytes())?;
        }
    }
    // Programs do not run in the folder of rebut.
    Ok(std::path::absolute(&folder).unwrap_or(folder))
}
