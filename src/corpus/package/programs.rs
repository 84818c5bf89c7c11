//! Which files and folders of a package are programs.

use super::log::Log;
use super::model::OutputValidator;
use super::settings::Settings;
use super::tree::{Item, Tree};
use crate::score::Scale;
use std::path::PathBuf;

/// Extensions of what lies beside programs and is none.
const NO_PROGRAMS: [&str; 24] = [
    "bak", "orig", "rej", "swp", "swo", "tmp", "template", "md", "txt", "rst", "yaml", "yml", "json", "toml", "h",
    "hh", "hpp", "o", "class", "pyc", "in", "ans", "out", "pdf",
];

/// Names of such files without an extension.
const NO_PROGRAM_NAMES: [&str; 6] = ["README", "LICENSE", "Makefile", "CMakeLists.txt", "compile_flags.txt", "TODO"];

/// Endings behind the name of a program by which people switch it off, in lowercase.
const SWITCHED_OFF: [&str; 5] = ["tooslow", "disabled", "skip", "off", "unused"];

/// Returns true if the name of a program says that it is not to be run.
pub(super) fn is_switched_off(item: &Item) -> bool {
    !item.is_folder && SWITCHED_OFF.contains(&item.extension().to_ascii_lowercase().as_str())
}

/// Whether something is a program: a source, an executable, or a folder that has one in it.
pub(super) fn is_program(tree: &Tree, item: &Item) -> bool {
    if item.is_folder {
        return tree.files_below(&item.path).iter().any(|file| is_program(tree, file));
    }
    let extension = item.extension();
    let is_leftover = item.name.ends_with('~') || item.name.starts_with('#');
    !is_leftover && !NO_PROGRAMS.contains(&extension) && !NO_PROGRAM_NAMES.contains(&item.name.as_str())
}

/// The programs that lie in a folder, sorted by name. Two of one name are a mistake where they would be mixed up.
pub(super) fn programs<'t>(tree: &'t Tree, folder: &str) -> Vec<&'t Item> {
    tree.children(folder).iter().filter(|item| is_program(tree, item)).collect()
}

/// Notes folders in a folder of programs that are none.
pub(super) fn note_empty(tree: &Tree, folder: &str, what: &str, log: &mut Log) {
    for item in tree.children(folder).iter().filter(|item| item.is_folder && !is_program(tree, item)) {
        log.note(&item.path, &format!("has no source, and is no {what}"));
    }
}

/// The programs that judge inputs.
pub(super) fn input_validators(tree: &Tree, log: &mut Log) -> Vec<PathBuf> {
    validators(tree, &["input_validators", "input_format_validators", "input_validator"], "input", log)
}

/// The programs that judge answers.
pub(super) fn answer_validators(tree: &Tree, log: &mut Log) -> Vec<PathBuf> {
    validators(tree, &["answer_validators", "answer_format_validators"], "answer", log)
}

/// The validators of one kind. Scripts of Viva are left out.
fn validators(tree: &Tree, folders: &[&str], kind: &str, log: &mut Log) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for folder in folders {
        note_empty(tree, folder, "validator", log);
        for item in programs(tree, folder) {
            if item.extension() == "viva" {
                log.note(&item.path, "scripts of Viva are not read");
            } else if is_switched_off(item) {
                log.note(&item.path, "is left out: by its ending it is switched off");
            } else if found
                .iter()
                .any(|other: &PathBuf| other.file_name().is_some_and(|name| name == item.name.as_str()))
            {
                log.error(item.path.as_str(), format!("another {kind} validator has this name"));
            } else {
                found.push(tree.path(&item.path));
            }
        }
    }
    found
}

/// Who judges outputs.
pub(super) fn output_validator(tree: &Tree, settings: &Settings, log: &mut Log) -> OutputValidator {
    let mut found: Vec<&Item> = Vec::new();
    for folder in ["output_validator", "output_validators"] {
        found.extend(validators_of(tree, folder));
    }
    let asked = settings.is_custom;
    let needs_one = settings.judging.interactive || settings.judging.multi_pass;
    if found.len() > 1 {
        let names: Vec<String> = found.iter().map(|item| format!("`{}`", item.path)).collect();
        log.error("", format!("there is more than one output validator: {}", names.join(", ")));
        log.help("sources of one program belong into one folder");
    } else if found.is_empty() && needs_one {
        let kind = if settings.judging.interactive { "an interactive" } else { "a multi-pass" };
        log.error("", format!("{kind} problem needs an output validator, and there is none"));
        log.help("put one into `output_validators/`");
    }
    if found.is_empty() && asked == Some(true) && !needs_one {
        log.note("output_validators", "has none, and `problem.yaml` says `validation: custom`");
    }
    let is_passed_over = asked == Some(false) && !needs_one && !found.is_empty();
    if is_passed_over {
        log.note(&found[0].path, "is not used, for `problem.yaml` says `validation: default`");
        found.clear();
    }
    OutputValidator {
        program: found.first().map(|item| tree.path(&item.path)),
        is_custom: !found.is_empty() || asked == Some(true),
        arguments: settings.validator_flags.clone(),
    }
}

/// The jury's own grader, where some group asks for one.
pub(super) fn grader(tree: &Tree, scale: Option<&Scale>, log: &mut Log) -> Option<PathBuf> {
    let Some(Scale::Graded(graded)) = scale else { return None };
    let asking = graded.groups.iter().find(|group| group.is_custom)?;
    let found = programs(tree, "graders");
    match found[..] {
        [grader] => return Some(tree.path(&grader.path)),
        [] => log.error(format!("data/{}", asking.name), "asks for a grader of its own, and `graders/` has none"),
        _ => log.error("graders", "has more than one grader"),
    }
    None
}

/// Who judges the sources of submissions.
pub(super) fn static_validator(tree: &Tree, log: &mut Log) -> Option<PathBuf> {
    let found = validators_of(tree, "static_validator");
    if found.len() > 1 {
        log.error("static_validator", "has more than one program");
        log.help("sources of one program belong into one folder");
    }
    found.first().map(|item| tree.path(&item.path))
}

/// The output validators of a folder: each program in it, or the folder itself where its files are one program's.
fn validators_of<'t>(tree: &'t Tree, folder: &str) -> Vec<&'t Item> {
    let programs = programs(tree, folder);
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

/// Folders whose headers the package's programs may include.
pub(super) fn include(tree: &Tree) -> Vec<PathBuf> {
    let mut found = Vec::new();
    if tree.has_folder("include") {
        found.push(tree.path("include"));
        found.extend(tree.children("include").iter().filter(|item| item.is_folder).map(|item| tree.path(&item.path)));
    }
    let has_header = |folder: &str| tree.children(folder).iter().any(|item| matches!(item.extension(), "h" | "hpp"));
    for folder in ["", "output_validator", "output_validators", "input_validators"] {
        if has_header(folder) {
            found.push(tree.path(folder));
        }
    }
    found
}
