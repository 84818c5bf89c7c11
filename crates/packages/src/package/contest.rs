//! A contest: a folder of problem packages, and the file that lists them with letters, names and colours.

use super::package_log::{PackageLog, shorten_for_message};
use super::yaml_tree::{YamlKind, YamlNode, YamlPosition, YamlReader, parse_document};
use super::{DESCRIPTION_FILES, folder_name};
use crate::{Package, read_file};
use rebut_diagnostics::{Error, Result, list_and, suggestion_for};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Files that list the problems of a contest, as BAPCtools and DOMjudge read them, with the key of the list if it is not
/// the whole file.
const CONTEST_FILES: [(&str, &[&str]); 3] =
    [("problems.yaml", &[]), ("problemset.yaml", &["problems"]), ("contest.yaml", &["problems", "problemset"])];

/// A folder of problem packages.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Contest {
    /// Name of its folder.
    pub name: String,
    /// The problems, in the order of the contest.
    pub problems: Vec<ContestProblem>,
    /// Likely mistakes.
    pub notes: Vec<String>,
}

/// A problem of a contest.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ContestProblem {
    /// Folder of its package.
    pub folder: PathBuf,
    /// Its letter, if the contest states one.
    pub label: Option<String>,
    /// Its name in the contest, if it states one.
    pub name: Option<String>,
}

/// An entry of the list of problems.
struct ListedProblem {
    position: YamlPosition,
    id: String,
    label: Option<String>,
    name: Option<String>,
    colour: Option<String>,
}

impl Contest {
    /// Reads a folder that is no package but holds some; `None` for any other folder.
    ///
    /// # Errors
    /// Returns an error if the folder or the list cannot be read, or if the list names a problem that does not exist, or
    /// gives two problems the same letter.
    pub fn read(folder: &Path) -> Result<Option<Contest>> {
        let is_package = |folder: &Path| DESCRIPTION_FILES.iter().any(|name| folder.join(name).is_file());
        if is_package(folder) || !folder.is_dir() {
            return Ok(None);
        }
        let entries = std::fs::read_dir(folder).map_err(|e| Error::unreadable_file(folder, &e))?;
        let mut folders: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
        folders.retain(|path| is_package(path));
        folders.sort();
        if folders.is_empty() {
            return Ok(None);
        }
        let mut log = PackageLog::default();
        let listed = read_list(folder, &folders, &mut log)?;
        let problem = |folder: &PathBuf| {
            let entry = listed.iter().find(|entry| folder.ends_with(&entry.id));
            let (label, name) = entry.map(|entry| (entry.label.clone(), entry.name.clone())).unwrap_or_default();
            ContestProblem { folder: folder.clone(), label, name }
        };
        // Those that are not listed come last.
        folders.sort_by_key(|folder| listed.iter().position(|entry| folder.ends_with(&entry.id)).unwrap_or(usize::MAX));
        let problems = folders.iter().map(problem).collect();
        Ok(Some(Contest { name: folder_name(folder), problems, notes: log.into_notes(&folder.display().to_string())? }))
    }

    /// Returns the folders of the problems.
    pub fn folders(&self) -> Vec<PathBuf> {
        self.problems.iter().map(|problem| problem.folder.clone()).collect()
    }

    /// Returns what is likely to be a mistake about the problems together: names that differ from those of the contest, and
    /// limits that only one problem has. The packages are those of some of the problems.
    pub fn compare_packages(&self, packages: &[&Package]) -> Vec<String> {
        let mut notes = Vec::new();
        for ContestProblem { folder, name, .. } in &self.problems {
            let package = packages.iter().find(|package| package.folder == *folder);
            let (Some(package), Some(name)) = (package, name) else { continue };
            let titles: Vec<&String> = package.titles.values().collect();
            if !titles.is_empty() && !titles.contains(&name) {
                let titles: Vec<String> = titles.iter().map(|title| format!("`{title}`")).collect();
                notes.push(format!(
                    "`{}` is `{name}` in the contest, and {} in its package",
                    package.id,
                    list_and(&titles)
                ));
            }
        }
        let mut by_memory: BTreeMap<Option<u64>, Vec<&str>> = BTreeMap::new();
        for package in packages {
            by_memory.entry(package.limits.memory_bytes).or_default().push(&package.id);
        }
        let shown = |bytes: &Option<u64>| bytes.map_or("none".to_owned(), |bytes| format!("{} MiB", bytes >> 20));
        let usual = by_memory.iter().max_by_key(|(_, ids)| ids.len()).filter(|(_, ids)| ids.len() > 1);
        for (memory, ids) in &by_memory {
            if let Some((usual, _)) = usual.filter(|(usual, _)| *usual != memory) {
                let ids: Vec<String> = ids.iter().map(|id| format!("`{id}`")).collect();
                let (own, usual) = (shown(memory), shown(usual));
                notes.push(format!("memory limit of {}: {own}, of the other problems: {usual}", list_and(&ids)));
            }
        }
        notes
    }
}

/// Reads the list of a contest, if there is one, and checks it against the folders of the packages.
fn read_list(contest: &Path, folders: &[PathBuf], log: &mut PackageLog) -> Result<Vec<ListedProblem>> {
    let mut found = CONTEST_FILES.iter().filter(|(name, _)| contest.join(name).is_file());
    // `contest.yaml` is mostly about other things.
    let Some((file, listed)) = found
        .find_map(|(name, keys)| {
            let read = read_file(&contest.join(name)).map(|bytes| {
                let document = parse_document(&String::from_utf8_lossy(&bytes), name, log)?;
                Some((*name, read_entries(&list_node(document, keys)?, &mut YamlReader::new(name, false, log))))
            });
            read.transpose()
        })
        .transpose()?
    else {
        return Ok(Vec::new());
    };
    let mut reader = YamlReader::new(file, false, log);
    let names: Vec<String> =
        folders.iter().filter_map(|path| Some(path.file_name()?.to_string_lossy().into_owned())).collect();
    for entry in &listed {
        if !names.contains(&entry.id) {
            reader.report_error(
                entry.position,
                format!("there is no problem `{}` in this contest", shorten_for_message(&entry.id)),
            );
            if let Some(help) = suggestion_for(&entry.id, names.iter().map(String::as_str)) {
                reader.add_help(help);
            }
        }
    }
    report_repeated(&listed, &mut reader);
    let unlisted: Vec<String> = names
        .iter()
        .filter(|name| listed.iter().all(|entry| entry.id != **name))
        .map(|name| format!("`{name}`"))
        .collect();
    if !unlisted.is_empty() {
        log.add_note(file, &format!("it does not list {}", list_and(&unlisted)));
    }
    Ok(listed)
}

/// Returns the list of problems of a document.
fn list_node(document: YamlNode, keys: &[&str]) -> Option<YamlNode> {
    match document.kind {
        YamlKind::List(_) if keys.is_empty() => Some(document),
        YamlKind::Map(entries) => {
            entries.into_iter().find(|(key, _)| keys.contains(&key.name.as_str())).map(|(_, value)| value)
        }
        _ => None,
    }
}

fn read_entries(list: &YamlNode, reader: &mut YamlReader<'_>) -> Vec<ListedProblem> {
    let YamlKind::List(entries) = &list.kind else {
        reader.report_error(list.position, format!("the problems should be a list, not {}", list.describe_value()));
        return Vec::new();
    };
    let mut found = Vec::new();
    for entry in entries {
        let mut listed =
            ListedProblem { position: entry.position, id: String::new(), label: None, name: None, colour: None };
        for (key, value) in reader.read_map("a problem", entry) {
            let text = |reader: &mut YamlReader<'_>| reader.read_text(&key.name, value);
            match key.name.as_str() {
                "id" | "short-name" | "probid" => listed.id = text(reader).unwrap_or_default(),
                "label" | "letter" => listed.label = text(reader),
                "rgb" => listed.colour = text(reader).map(|colour| colour.to_lowercase()),
                // A name by language names it once for each.
                "name" if value.scalar_text().is_some() => listed.name = text(reader),
                _ => {}
            }
        }
        if listed.id.is_empty() {
            reader.report_error(entry.position, "this problem has no `id`: the name of its folder");
        } else {
            found.push(listed);
        }
    }
    found
}

/// Reports duplicate letters, colours and problems.
fn report_repeated(listed: &[ListedProblem], reader: &mut YamlReader<'_>) {
    for (at, entry) in listed.iter().enumerate() {
        let before = &listed[..at];
        if before.iter().any(|other| other.id == entry.id) {
            reader.report_error(entry.position, format!("`{}` is listed twice", shorten_for_message(&entry.id)));
        }
        let same = |of: fn(&ListedProblem) -> &Option<String>| {
            of(entry).as_ref().and_then(|own| Some((own, before.iter().find(|other| of(other).as_ref() == Some(own))?)))
        };
        if let Some((label, other)) = same(|entry| &entry.label) {
            reader
                .report_error(entry.position, format!("`{}` and `{}` are both problem `{label}`", other.id, entry.id));
        }
        if let Some((colour, other)) = same(|entry| &entry.colour) {
            reader.add_note(
                entry.position,
                &format!("`{}` and `{}` have the same colour, `{colour}`", other.id, entry.id),
            );
        }
    }
}
