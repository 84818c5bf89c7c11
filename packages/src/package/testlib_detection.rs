//! Detection of programs written with testlib, which follow other conventions for arguments and exit codes.

use std::path::{Path, PathBuf};
use walkdir::WalkDir;

/// Calls that a checker or an interactor starts with.
const REGISTRATION_CALLS: [&str; 2] = ["registerTestlibCmd", "registerInteraction"];

/// Macro defined as 42 in copies of testlib that have been adapted to the exit codes of problem packages.
const ACCEPT_EXIT_CODE_MACRO: &str = "OK_EXIT_CODE";

/// Maximum number of bytes of a source that are searched.
const MAX_SCANNED_BYTES: u64 = 1 << 20;

/// Returns true if a checker or an interactor follows testlib's conventions for arguments and exit codes, not those
/// of problem packages. Headers are searched next to the program and in `includes`.
pub fn follows_testlib_conventions(program: &Path, includes: &[PathBuf]) -> bool {
    let sources: Vec<String> = list_sources(program).iter().map(|path| read_source_start(path)).collect();
    let is_testlib = sources.iter().any(|text| REGISTRATION_CALLS.iter().any(|name| text.contains(name)));
    let folders = program.parent().into_iter().chain([program]).map(Path::to_owned);
    let headers = folders.chain(includes.to_vec()).map(|folder| folder.join("testlib.h"));
    is_testlib && !headers.filter(|path| path.is_file()).any(|path| accepts_with_42(&read_source_start(&path)))
}

fn accepts_with_42(header: &str) -> bool {
    let defines =
        |line: &str| line.trim_start().starts_with("#") && line.contains(ACCEPT_EXIT_CODE_MACRO) && line.contains("42");
    header.lines().any(defines)
}

/// Returns the file, or the files of the folder.
fn list_sources(program: &Path) -> Vec<PathBuf> {
    let entries = WalkDir::new(program).sort_by_file_name().into_iter().filter_map(std::result::Result::ok);
    let files = entries.filter(|entry| entry.file_type().is_file()).map(walkdir::DirEntry::into_path);
    files.filter(|path| path.file_name().is_none_or(|name| name != "testlib.h")).collect()
}

fn read_source_start(path: &Path) -> String {
    use std::io::Read as _;
    let mut bytes = Vec::new();
    if let Ok(file) = std::fs::File::open(path) {
        // An unreadable file is reported when it is compiled.
        let _ = file.take(MAX_SCANNED_BYTES).read_to_end(&mut bytes);
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn adapted_headers_accept_with_42() {
        assert!(accepts_with_42("#ifndef OK_EXIT_CODE\n  #define OK_EXIT_CODE 42\n#endif\n"));
        assert!(!accepts_with_42("#   define OK_EXIT_CODE 0\n"));
        assert!(!accepts_with_42("// OK_EXIT_CODE is 42 elsewhere\n"));
    }
}
