//! Detection of programs among the files and folders of a package.

use super::model::OutputValidator;
use super::package_log::PackageLog;
use super::package_tree::{PackageEntry, PackageTree};
use super::problem_yaml::ProblemYaml;
use crate::LinkScope;
use crate::score::Scoring;
use rebut_checkers::Checker;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use walkdir::WalkDir;

/// Extensions of files next to programs that are not programs.
const NON_PROGRAM_EXTENSIONS: [&str; 24] = [
    "bak", "orig", "rej", "swp", "swo", "tmp", "template", "md", "txt", "rst", "yaml", "yml", "json", "toml", "h",
    "hh", "hpp", "o", "class", "pyc", "in", "ans", "out", "pdf",
];

/// Names of files without extension that are not programs.
const NON_PROGRAM_NAMES: [&str; 6] = ["README", "LICENSE", "Makefile", "CMakeLists.txt", "compile_flags.txt", "TODO"];

/// Extensions added to a program's name to disable it, in lowercase.
const DISABLED_EXTENSIONS: [&str; 5] = ["tooslow", "disabled", "skip", "off", "unused"];

/// Returns true if a program is disabled by its name.
pub(super) fn is_disabled(item: &PackageEntry) -> bool {
    !item.is_folder && DISABLED_EXTENSIONS.contains(&item.extension().to_ascii_lowercase().as_str())
}

/// Returns true for a program: a source, an executable, or a folder that contains one.
pub(super) fn is_program(tree: &PackageTree, item: &PackageEntry) -> bool {
    if item.is_folder {
        return tree.files_below(&item.path).iter().any(|file| is_program(tree, file));
    }
    let extension = item.extension();
    let is_leftover = item.name.ends_with('~') || item.name.starts_with('#');
    !is_leftover && !NON_PROGRAM_EXTENSIONS.contains(&extension) && !NON_PROGRAM_NAMES.contains(&item.name.as_str())
}

/// Returns the programs in a folder, sorted by name.
pub(super) fn list_programs<'t>(tree: &'t PackageTree, folder: &str) -> Vec<&'t PackageEntry> {
    tree.children(folder).iter().filter(|item| is_program(tree, item)).collect()
}

/// Adds a note for each folder in a folder of programs that is not a program itself.
pub(super) fn note_folders_without_source(tree: &PackageTree, folder: &str, kind: &str, log: &mut PackageLog) {
    for item in tree.children(folder).iter().filter(|item| item.is_folder && !is_program(tree, item)) {
        log.add_note(&item.path, &format!("contains no source, so it is not a {kind}"));
    }
}

/// Returns the validators of one kind, in any of the folders in use. Viva scripts are skipped.
pub(super) fn find_validators(tree: &PackageTree, kind: &str, log: &mut PackageLog) -> Vec<PathBuf> {
    let mut found = Vec::new();
    // Only the folder of input validators has a name in the singular as well.
    let singular = (kind == "input").then(|| format!("{kind}_validator"));
    let folders = [format!("{kind}_validators"), format!("{kind}_format_validators")].into_iter().chain(singular);
    for folder in folders {
        note_folders_without_source(tree, &folder, "validator", log);
        for item in list_programs(tree, &folder) {
            if item.extension() == "viva" {
                log.add_note(&item.path, "Viva scripts are not supported");
            } else if is_disabled(item) {
                log.add_note(&item.path, "is skipped: its extension disables it");
            } else if found
                .iter()
                .any(|other: &PathBuf| other.file_name().is_some_and(|name| name == item.name.as_str()))
            {
                log.report_error(item.path.as_str(), format!("another {kind} validator has this name"));
            } else {
                found.push(tree.absolute_path(&item.path));
            }
        }
    }
    found
}

pub(super) fn find_output_validator(
    tree: &PackageTree,
    settings: &ProblemYaml,
    log: &mut PackageLog,
) -> OutputValidator {
    let mut found: Vec<&PackageEntry> = Vec::new();
    for folder in ["output_validator", "output_validators"] {
        found.extend(list_output_validators(tree, folder));
    }
    let is_custom = settings.is_custom;
    let needs_program = settings.problem_type.has_jury_dialogue();
    if found.len() > 1 {
        let names: Vec<String> = found.iter().map(|item| format!("`{}`", item.path)).collect();
        log.report_error("", format!("there is more than one output validator: {}", names.join(", ")));
        log.add_help("put the sources of one program into one folder");
    } else if found.is_empty() && needs_program {
        let kind = if settings.problem_type.interactive { "an interactive" } else { "a multi-pass" };
        log.report_error("", format!("{kind} problem needs an output validator, but the package has none"));
        log.add_help("put one into `output_validators/`");
    }
    if found.is_empty() && is_custom == Some(true) && !needs_program {
        log.add_note("output_validators", "has no program, but `problem.yaml` says `validation: custom`");
    }
    let is_unused = is_custom == Some(false) && !needs_program && !found.is_empty();
    if is_unused {
        log.add_note(&found[0].path, "is not used, because `problem.yaml` says `validation: default`");
        found.clear();
    }
    OutputValidator {
        program: found.first().map(|item| tree.absolute_path(&item.path)),
        is_custom: !found.is_empty() || is_custom == Some(true),
        arguments: settings.validator_flags.clone(),
    }
}

/// Finds the custom grader, if some group uses one.
pub(super) fn find_grader(tree: &PackageTree, scoring: Option<&Scoring>, log: &mut PackageLog) -> Option<PathBuf> {
    let Some(Scoring::Graders(grader_scoring)) = scoring else { return None };
    let custom_group = grader_scoring.groups.iter().find(|group| group.is_custom)?;
    let found = list_programs(tree, "graders");
    match found[..] {
        [grader] => return Some(tree.absolute_path(&grader.path)),
        [] => log.report_error(format!("data/{}", custom_group.name), "needs a custom grader, but `graders/` is empty"),
        _ => log.report_error("graders", "has more than one grader"),
    }
    None
}

pub(super) fn find_static_validator(tree: &PackageTree, log: &mut PackageLog) -> Option<PathBuf> {
    let found = list_output_validators(tree, "static_validator");
    if found.len() > 1 {
        log.report_error("static_validator", "has more than one program");
        log.add_help("put the sources of one program into one folder");
    }
    found.first().map(|item| tree.absolute_path(&item.path))
}

/// Finds the program in a folder for a visualizer. A package is usable without its pictures, so several are only noted.
pub(super) fn find_visualizer(tree: &PackageTree, folder: &str, log: &mut PackageLog) -> Option<PathBuf> {
    let found: Vec<&PackageEntry> =
        list_output_validators(tree, folder).into_iter().filter(|item| !is_disabled(item)).collect();
    if found.len() > 1 {
        log.add_note(folder, "has more than one program, so none of them draws anything");
        return None;
    }
    found.first().map(|item| tree.absolute_path(&item.path))
}

/// Returns the output validators in a folder: each program in it, or the folder itself if its files form one program.
fn list_output_validators<'t>(tree: &'t PackageTree, folder: &str) -> Vec<&'t PackageEntry> {
    let programs = list_programs(tree, folder);
    let has_headers = tree.children(folder).iter().any(|item| matches!(item.extension(), "h" | "hh" | "hpp"));
    let is_script = programs.iter().any(|item| matches!(item.name.as_str(), "build" | "run"));
    let is_module = programs.iter().any(|item| item.name == "__main__.py");
    let one = tree.children("").iter().find(|item| item.path == folder);
    let all_files = programs.iter().all(|item| !item.is_folder);
    // In the newest version, such a folder has one program: `output_validator/`, not `output_validators/`.
    let is_one = !folder.ends_with('s') && programs.len() > 1;
    if is_script || is_module || is_one || (has_headers && all_files && !programs.is_empty()) {
        return one.into_iter().collect();
    }
    programs
}

/// Returns the folders with headers that the package's programs can include.
pub(super) fn find_include_folders(tree: &PackageTree) -> Vec<PathBuf> {
    let mut found = Vec::new();
    if tree.has_folder("include") {
        found.push(tree.absolute_path("include"));
        found.extend(
            tree.children("include").iter().filter(|item| item.is_folder).map(|item| tree.absolute_path(&item.path)),
        );
    }
    let has_header = |folder: &str| tree.children(folder).iter().any(|item| matches!(item.extension(), "h" | "hpp"));
    for folder in ["", "output_validator", "output_validators", "input_validators"] {
        if has_header(folder) {
            found.push(tree.absolute_path(folder));
        }
    }
    found
}

// The files of a program.

/// Maximum number of files in a program. A larger folder is left as it is, and is rejected when it is compiled.
const MAX_PROGRAM_FILES: usize = 2000;

const MAX_PROGRAM_BYTES: u64 = 64 << 20;

/// Returns the files of a program by their names: a source with the files that it names in its folder, or those in a folder,
/// with the name of the folder before theirs. Returns `None` if the files cannot be listed or it is not a program, which is
/// reported when it is compiled.
pub(super) fn list_program_files(path: &Path) -> Option<BTreeMap<PathBuf, PathBuf>> {
    let name = path.file_name()?;
    if path.is_file() {
        let named = rebut_toolchain::read_program_files(path).ok()?;
        return Some(named.into_keys().map(|name| (name.clone(), path.with_file_name(name))).collect());
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

/// Returns the checker that behaves like the default output validator with these arguments.
///
/// # Errors
///
/// Returns an error message if an argument is unknown or its number is missing.
pub(super) fn checker_from_arguments(arguments: &[String]) -> Result<Checker, String> {
    Checker::from_validator_flags(&arguments.join(" "))
}

// Detection of programs written with testlib, which follow other conventions for arguments and exit codes.

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

/// Returns the source of a validator that is written with testlib: the file, or the one of its folder with `main`.
pub fn find_testlib_validator(program: &Path, includes: &[PathBuf]) -> Option<PathBuf> {
    let mut sources = list_sources(program).into_iter().filter(|_| validates_like_testlib(program, includes));
    sources.find(|path| program.is_file() || is_testlib_validator(&read_source_start(path)))
}

/// Returns true for the main source of a validator that is written with testlib. It need not register.
pub(crate) fn is_testlib_validator(text: &str) -> bool {
    text.contains(HEADER) && text.contains("main(")
}

/// Returns the folder of `testlib.h` beside or above a folder without a description: in it, or in `testlib/` or
/// `third_party/testlib/` of one of the folders above.
pub(super) fn find_header_folder(folder: &Path) -> Option<PathBuf> {
    let folder = folder.canonicalize().ok()?;
    let places = ["", "testlib", "third_party/testlib"];
    folder
        .ancestors()
        .flat_map(|above| places.map(|place| above.join(place)))
        .find(|place| place.join(HEADER).is_file())
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
