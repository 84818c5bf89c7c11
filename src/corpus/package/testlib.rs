//! Whether a program of the jury is written with testlib, and so wants to be called in another way.

use super::Package;
use std::path::{Path, PathBuf};
use walkdir::WalkDir;

/// What a checker or an interactor calls first.
const REGISTRATIONS: [&str; 2] = ["registerTestlibCmd", "registerInteraction"];

/// Copies of testlib that were changed to the exit statuses of problem packages define one of these as 42.
const ACCEPTING: &str = "OK_EXIT_CODE";

/// So much of a source is looked at.
const MOST_BYTES: u64 = 1 << 20;

impl Package {
    /// Whether the output validator follows testlib's conventions for arguments and exit statuses, not those of packages.
    pub fn speaks_testlib(&self) -> bool {
        let Some(program) = &self.output_validator.program else { return false };
        let sources: Vec<String> = files(program).iter().map(|path| text(path)).collect();
        let is_testlib = sources.iter().any(|text| REGISTRATIONS.iter().any(|name| text.contains(name)));
        let beside = program.parent().into_iter().map(Path::to_owned);
        let headers =
            beside.chain(self.include.clone()).chain([program.clone()]).map(|folder| folder.join("testlib.h"));
        is_testlib && !headers.filter(|path| path.is_file()).any(|path| accepts_by_42(&text(&path)))
    }
}

fn accepts_by_42(header: &str) -> bool {
    let defines = |line: &str| line.trim_start().starts_with("#") && line.contains(ACCEPTING) && line.contains("42");
    header.lines().any(defines)
}

/// The file, or the files of the folder.
fn files(program: &Path) -> Vec<PathBuf> {
    let entries = WalkDir::new(program).sort_by_file_name().into_iter().filter_map(std::result::Result::ok);
    let files = entries.filter(|entry| entry.file_type().is_file()).map(walkdir::DirEntry::into_path);
    files.filter(|path| path.file_name().is_none_or(|name| name != "testlib.h")).collect()
}

fn text(path: &Path) -> String {
    use std::io::Read as _;
    let mut bytes = Vec::new();
    if let Ok(file) = std::fs::File::open(path) {
        // A file that cannot be read says nothing of testlib; compiling it will tell what is wrong.
        let _ = file.take(MOST_BYTES).read_to_end(&mut bytes);
    }
    String::from_utf8_lossy(&bytes).into_owned()
}
