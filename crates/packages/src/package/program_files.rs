//! The files of a program.

use crate::LinkScope;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use walkdir::WalkDir;

/// Maximum number of files in a program. A larger folder is left as it is, and is rejected when it is compiled.
const MAX_PROGRAM_FILES: usize = 2000;
const MAX_PROGRAM_BYTES: u64 = 64 << 20;

/// Returns the files of a program by their names. For a folder, the names start with the name of the folder. Returns
/// `None` if the files cannot be listed or it is not a program, which is reported when it is compiled.
pub(super) fn list_program_files(path: &Path) -> Option<BTreeMap<PathBuf, PathBuf>> {
    let name = path.file_name()?;
    if path.is_file() {
        return Some(BTreeMap::from([(PathBuf::from(name), path.to_owned())]));
    }
    let scope = LinkScope::for_folder(path).ok()?;
    let mut files = BTreeMap::new();
    let mut bytes = 0;
    let is_visible =
        |entry: &walkdir::DirEntry| entry.depth() == 0 || !entry.file_name().as_encoded_bytes().starts_with(b".");
    for entry in WalkDir::new(path).follow_links(true).into_iter().filter_entry(is_visible) {
        let entry = entry.ok()?;
        let metadata = entry.metadata().ok()?;
        // Never read through a link that leaves the program.
        if entry.path_is_symlink() && !scope.allows_link(entry.path()) {
            return None;
        }
        let inside = entry.path().strip_prefix(path).unwrap_or(Path::new(""));
        if metadata.is_file() {
            bytes += metadata.len();
            files.insert(Path::new(name).join(inside), entry.path().to_owned());
        }
        if files.len() > MAX_PROGRAM_FILES || bytes > MAX_PROGRAM_BYTES {
            return None;
        }
    }
    Some(files)
}
