//! Detection of programs among the files and folders of a package.

use super::model::OutputValidator;
use super::package_log::PackageLog;
use super::package_tree::{PackageEntry, PackageTree};
use super::problem_yaml::ProblemYaml;
use crate::score::Scoring;
use std::path::PathBuf;

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

/// Returns the input validators.
pub(super) fn find_input_validators(tree: &PackageTree, log: &mut PackageLog) -> Vec<PathBuf> {
    find_validators(tree, &["input_validators", "input_format_validators", "input_validator"], "input", log)
}

/// Returns the answer validators.
pub(super) fn find_answer_validators(tree: &PackageTree, log: &mut PackageLog) -> Vec<PathBuf> {
    find_validators(tree, &["answer_validators", "answer_format_validators"], "answer", log)
}

/// Returns the validators of one kind. Viva scripts are skipped.
fn find_validators(tree: &PackageTree, folders: &[&str], kind: &str, log: &mut PackageLog) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for folder in folders {
        note_folders_without_source(tree, folder, "validator", log);
        for item in list_programs(tree, folder) {
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

/// Finds the output validator.
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

/// Finds the static validator.
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
    if is_script || is_module || (has_headers && all_files && !programs.is_empty()) {
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
