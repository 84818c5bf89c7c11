//! Detection of programs written with testlib, which follow other conventions for arguments and exit codes.

use std::path::{Path, PathBuf};
use walkdir::WalkDir;

/// Calls that a checker, an interactor or a validator starts with.
const REGISTRATION_CALLS: [&str; 3] = ["registerTestlibCmd", "registerInteraction", "registerValidation"];

/// The header, which validators need not call anything of.
const HEADER: &str = "testlib.h";

/// Macro defined as 42 in copies of testlib that have been adapted to the exit codes of problem packages.
const ACCEPT_EXIT_CODE_MACRO: &str = "OK_EXIT_CODE";

/// Maximum number of bytes of a source that are searched.
const MAX_SCANNED_BYTES: u64 = 1 << 20;

/// Returns true if a checker or an interactor follows testlib's conventions for arguments and exit codes, not those
/// of problem packages. Headers are searched next to the program and in `includes`.
pub fn follows_testlib_conventions(program: &Path, includes: &[PathBuf]) -> bool {
    has_testlib_source(program, includes, is_registered)
}

/// Returns true if a validator of inputs or answers has the exit codes of testlib, not those of problem packages.
pub fn validates_like_testlib(program: &Path, includes: &[PathBuf]) -> bool {
    has_testlib_source(program, includes, |text| text.contains(HEADER))
}

/// Returns true if a source passes a test, and neither a source nor the header defines the exit code of packages.
fn has_testlib_source(program: &Path, includes: &[PathBuf], is_testlib: impl Fn(&str) -> bool) -> bool {
    let sources: Vec<String> = list_sources(program).iter().map(|path| read_source_start(path)).collect();
    let folders = program.parent().into_iter().chain([program]).map(Path::to_owned);
    let headers = folders.chain(includes.to_vec()).map(|folder| folder.join(HEADER));
    let mut headers = headers.filter(|path| path.is_file());
    sources.iter().any(|text| is_testlib(text))
        && !sources.iter().any(|text| accepts_with_42(text))
        && !headers.any(|path| accepts_with_42(&read_source_start(&path)))
}

/// Returns true if a source is that of a program written with testlib.
pub(crate) fn is_registered(text: &str) -> bool {
    REGISTRATION_CALLS.iter().any(|name| text.contains(name))
}

/// Returns true if a source lets testlib accept with 42.
pub(crate) fn accepts_with_42(header: &str) -> bool {
    let defines =
        |line: &str| line.trim_start().starts_with("#") && line.contains(ACCEPT_EXIT_CODE_MACRO) && line.contains("42");
    header.lines().any(defines)
}

/// Returns the file, or the files of the folder.
fn list_sources(program: &Path) -> Vec<PathBuf> {
    let entries = WalkDir::new(program).sort_by_file_name().into_iter().filter_map(std::result::Result::ok);
    let files = entries.filter(|entry| entry.file_type().is_file()).map(walkdir::DirEntry::into_path);
    files.filter(|path| path.file_name().is_none_or(|name| name != HEADER)).collect()
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
