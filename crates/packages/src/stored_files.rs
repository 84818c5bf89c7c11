//! Digests of contents, and files that are written whole or not at all.

use crate::Bundle;
use rebut_diagnostics::{Error, Result};
use rebut_sandbox::RunFiles;
use sha2::{Digest, Sha256};
use std::io::{self, Write as _};
use std::path::Path;

/// Returns the files of a folder, if there is one, as files of a run.
///
/// # Errors
///
/// Returns an error as [`Bundle::read_folder`] does, or if there are too many files for a run.
pub fn read_run_files(folder: Option<&Path>) -> Result<Option<RunFiles>> {
    let Some(folder) = folder else { return Ok(None) };
    let bundle = Bundle::read_folder(folder)?;
    bundle.iter().try_fold(RunFiles::new(), |files, (name, bytes)| files.with_file(name, bytes)).map(Some)
}

/// Returns a digest of the names and contents of the files of a folder, if there is one.
///
/// # Errors
///
/// Returns an error as [`Bundle::read_folder`] does.
pub fn digest_folder(folder: Option<&Path>) -> Result<String> {
    let bundle = folder.map(Bundle::read_folder).transpose()?.unwrap_or_default();
    let parts: Vec<&[u8]> = bundle.iter().flat_map(|(name, bytes)| [name.as_bytes(), bytes]).collect();
    Ok(digest_parts(&parts))
}

/// Returns the SHA-256 of `parts` in hexadecimal. Each part is hashed with its length, so that different lists of
/// parts have different digests.
pub fn digest_parts<P: AsRef<[u8]>>(parts: &[P]) -> String {
    let mut hash = Sha256::new();
    for part in parts.iter().map(AsRef::as_ref) {
        hash.update((part.len() as u64).to_le_bytes());
        hash.update(part);
    }
    hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Reads a file that rebut has written. Other things at its path, such as a pipe, could take for ever.
///
/// # Errors
///
/// Returns an error if it cannot be read, or is not a regular file.
pub(crate) fn read_stored_file(path: &Path) -> io::Result<Vec<u8>> {
    if !std::fs::metadata(path)?.is_file() {
        return Err(io::Error::other("it is not a file"));
    }
    std::fs::read(path)
}

/// Writes a file atomically, by way of a temporary file in the same folder.
///
/// # Errors
///
/// Returns an error if it cannot be written. The earlier contents are kept in that case.
pub fn write_atomically(path: &Path, bytes: &[u8]) -> Result<()> {
    // A file in place of a device would be there for all programs.
    if is_device(path) {
        return std::fs::write(path, bytes).map_err(|e| Error::io_error("write", path, &e));
    }
    let folder = path.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
    std::fs::create_dir_all(folder).map_err(|e| Error::io_error("create", folder, &e))?;
    let mut file =
        shared_file_builder().tempfile_in(folder).map_err(|e| Error::io_error("create a file in", folder, &e))?;
    file.write_all(bytes).map_err(|e| Error::io_error("write", path, &e))?;
    file.persist(path).map(drop).map_err(|e| Error::io_error("write", path, &e.error))
}

fn is_device(path: &Path) -> bool {
    #[cfg(unix)]
    return std::fs::metadata(path)
        .is_ok_and(|found| std::os::unix::fs::FileTypeExt::is_char_device(&found.file_type()));
    #[cfg(not(unix))]
    return false;
}

/// Returns a builder of files that others may read, as far as the umask permits: like all files but temporary ones.
fn shared_file_builder() -> tempfile::Builder<'static, 'static> {
    #[cfg_attr(not(unix), expect(unused_mut, reason = "only Unix has such permissions"))]
    let mut builder = tempfile::Builder::new();
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    builder
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test may panic")]
mod tests {
    use super::*;

    #[cfg(unix)]
    #[test]
    fn file_has_the_permissions_that_the_umask_leaves() {
        use std::os::unix::fs::PermissionsExt as _;
        let folder = tempfile::tempdir().unwrap();
        let [atomic, plain] = ["atomic", "plain"].map(|name| folder.path().join(name));
        write_atomically(&atomic, b"a").unwrap();
        std::fs::write(&plain, b"b").unwrap();
        let mode = |path: &Path| std::fs::metadata(path).unwrap().permissions().mode();
        assert_eq!(mode(&atomic), mode(&plain));
    }

    #[cfg(unix)]
    #[test]
    fn devices_are_not_replaced() {
        let folder = tempfile::tempdir().unwrap();
        let device = folder.path().join("device");
        std::os::unix::fs::symlink("/dev/null", &device).unwrap();
        write_atomically(&device, b"a").unwrap();
        assert!(std::fs::symlink_metadata(&device).unwrap().is_symlink());
    }

    #[test]
    fn digests_separate_their_parts() {
        assert_ne!(digest_parts(&["ab", "c"]), digest_parts(&["a", "bc"]));
        assert_eq!(digest_parts::<&str>(&[]), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    }
}
