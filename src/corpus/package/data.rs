//! The test cases and their groups, in the order in which judges use them.

use super::grading::Marking;
use super::group::{self, Heritage, Reader};
use super::log::Log;
use super::model::{Dialect, Group, TestCase};
use super::settings::Settings;
use super::tree::{Item, Tree};
use crate::diagnostic::{Result, numbered};
use std::collections::BTreeMap;

/// Endings of the files of a test case, the longer ones first.
pub(super) const ENDINGS: [&str; 18] = [
    "in.statement",
    "ans.statement",
    "in.download",
    "ans.download",
    "in",
    "ans",
    "out",
    "interaction",
    "files",
    "args",
    "yaml",
    "hint",
    "desc",
    "png",
    "jpg",
    "jpeg",
    "svg",
    "hash",
];

/// The files of one test case by their endings, in the tree.
pub(super) type Pieces<'t> = BTreeMap<&'static str, &'t Item>;

/// Groups and test cases.
#[derive(Debug, Default)]
pub(super) struct Data {
    pub(super) groups: Vec<Group>,
    pub(super) test_cases: Vec<TestCase>,
    /// How each of the groups is marked.
    pub(super) markings: Vec<Marking>,
}

/// Reads `data/sample` and `data/secret`.
///
/// # Errors
/// If a file cannot be read.
pub(super) fn read(tree: &Tree, settings: &Settings, log: &mut Log) -> Result<Data> {
    let reader = Reader { tree, dialect: settings.dialect, constants: &settings.constants };
    let mut walk = Walk { reader, settings, data: Data::default(), unanswered: Vec::new(), log };
    let heritage = walk.reader.group("data", &Heritage::default(), walk.log)?;
    walk.open("data", &heritage);
    for folder in ["data/sample", "data/secret"] {
        if tree.has_folder(folder) {
            walk.group(folder, &heritage)?;
        }
    }
    walk.check_whole();
    Ok(walk.data)
}

/// The files of a folder's test cases, by name.
pub(super) fn cases<'t>(tree: &'t Tree, folder: &str, log: &mut Log) -> BTreeMap<&'t str, Pieces<'t>> {
    let mut cases: BTreeMap<&str, Pieces<'_>> = BTreeMap::new();
    for item in tree.children(folder) {
        let is_of_group = group::FILES.contains(&item.name.as_str());
        let is_file_by_name = is_of_group || [".in", ".ans"].iter().any(|ending| item.name.ends_with(ending));
        if item.is_folder && is_file_by_name {
            log.mistaken(&item.path, true);
        }
        if is_of_group {
            continue;
        }
        let ending = ENDINGS.iter().find_map(|ending| {
            let stem = item.name.strip_suffix(ending)?.strip_suffix('.')?;
            (!stem.is_empty() && item.is_folder == (*ending == "files")).then_some((stem, *ending))
        });
        match ending {
            Some((stem, ending)) => drop(cases.entry(stem).or_default().insert(ending, item)),
            None if !item.is_folder && !is_remark(item) => log.note(&item.path, "belongs to no test case"),
            None => {}
        }
    }
    cases
}

/// Whether a file is there for people.
fn is_remark(item: &Item) -> bool {
    matches!(item.extension(), "md" | "txt" | "sh" | "py" | "cpp" | "pdf") || !item.name.contains('.')
}

struct Walk<'a> {
    reader: Reader<'a>,
    settings: &'a Settings,
    data: Data,
    /// Test cases without an answer.
    unanswered: Vec<String>,
    log: &'a mut Log,
}

impl Walk<'_> {
    /// Adds a group, and tells its index.
    fn open(&mut self, folder: &str, heritage: &Heritage) -> usize {
        self.data.groups.push(Group {
            name: name_below_data(folder).to_owned(),
            input_arguments: heritage.input_arguments.clone(),
            output_validator_arguments: self.output_arguments(heritage),
            max_score: heritage.max_score,
        });
        let file = group::FILES.map(|name| format!("{folder}/{name}"));
        let file = file.into_iter().find(|path| self.reader.tree.file(path).is_some());
        self.data.markings.push(Marking {
            group: name_below_data(folder).to_owned(),
            has_file: file.is_some(),
            place: file.unwrap_or_else(|| folder.to_owned()),
            grading: heritage.grading.clone(),
            points: heritage.points.clone(),
            speaks_of_graders: heritage.speaks_of_graders,
        });
        self.data.groups.len() - 1
    }

    fn output_arguments(&self, heritage: &Heritage) -> Vec<String> {
        [&self.settings.validator_flags[..], &heritage.output_validator_arguments].concat()
    }

    /// Reads a group and all inside it; test cases and groups are taken by name, not one kind before the other.
    fn group(&mut self, folder: &str, inherited: &Heritage) -> Result<()> {
        let tree = self.reader.tree;
        let heritage = self.reader.group(folder, inherited, self.log)?;
        let index = self.open(folder, &heritage);
        let cases = cases(tree, folder, self.log);
        let is_group = |item: &&Item| item.is_folder && !item.name.ends_with(".files");
        let groups: Vec<&Item> = tree.children(folder).iter().filter(is_group).collect();
        self.check_names(folder, &cases, &groups);
        let mut names: Vec<(&str, Option<&Item>)> = cases.keys().map(|name| (*name, None)).collect();
        names.extend(groups.into_iter().map(|item| (item.name.as_str(), Some(item))));
        names.sort_by_key(|(name, _)| *name);
        for (name, group) in names {
            match group {
                Some(item) => self.group(&item.path, &heritage)?,
                None => self.case(folder, name, &cases[name], &heritage, index)?,
            }
        }
        Ok(())
    }

    fn case(
        &mut self,
        folder: &str,
        name: &str,
        pieces: &Pieces<'_>,
        inherited: &Heritage,
        group: usize,
    ) -> Result<()> {
        let tree = self.reader.tree;
        let path = format!("{folder}/{name}");
        let Some(input) = pieces.get("in") else {
            if pieces.contains_key("ans") || pieces.contains_key("files") {
                self.log.note(&path, "has no input, `.in`, and is no test case");
            }
            return Ok(());
        };
        if !pieces.contains_key("ans") {
            self.unanswered.push(path.clone());
        }
        let is_newer = matches!(self.settings.dialect, Dialect::Draft2023 | Dialect::V2025);
        let mut heritage = match pieces.get("yaml").filter(|_| is_newer) {
            Some(item) => self.reader.case(&item.path, inherited, self.log)?,
            None => inherited.clone(),
        };
        if let Some(item) = pieces.get("args") {
            let text = tree.text(&item.path, self.log)?.unwrap_or_default();
            heritage.arguments = text.split_whitespace().map(str::to_owned).collect();
        }
        let output_validator_arguments = self.output_arguments(&heritage);
        self.data.test_cases.push(TestCase {
            name: name_below_data(&path).to_owned(),
            input: tree.path(&input.path),
            answer: pieces.get("ans").map(|item| tree.path(&item.path)),
            group,
            arguments: heritage.arguments,
            output_validator_arguments,
            input_arguments: heritage.input_arguments,
            answer_arguments: heritage.answer_arguments,
            files: pieces.get("files").map(|item| tree.path(&item.path)),
            is_sample: folder == "data/sample" || folder.starts_with("data/sample/"),
        });
        Ok(())
    }

    /// Names that are told apart by the case of letters alone are one name elsewhere.
    fn check_names(&mut self, folder: &str, cases: &BTreeMap<&str, Pieces<'_>>, groups: &[&Item]) {
        let mut seen: BTreeMap<String, &str> = BTreeMap::new();
        for name in cases.keys().copied().chain(groups.iter().map(|item| item.name.as_str())) {
            let Some(other) = seen.insert(name.to_lowercase(), name) else { continue };
            if other != name {
                self.log
                    .error(format!("{folder}/{name}"), format!("is told from `{other}` by the case of letters alone"));
            } else if self.settings.dialect == Dialect::V2025 {
                self.log.error(format!("{folder}/{name}"), "is the name of a test case and of a folder");
            }
        }
    }

    fn check_whole(&mut self) {
        let tree = self.reader.tree;
        if !tree.has_folder("data") {
            self.log.note("data", "is not there");
        } else if self.data.test_cases.is_empty() {
            self.log.note("data", "has no test cases");
        }
        if let Some(first) = self.unanswered.first() {
            let others = match self.unanswered.len() - 1 {
                0 => String::new(),
                count => format!(", like {}", numbered(count, "other test case")),
            };
            self.log.note(first, &format!("has no answer, `.ans`{others}"));
        }
        for item in tree.children("data") {
            let is_known =
                super::probes::is_folder_of_probes(&item.name) || matches!(item.name.as_str(), "sample" | "secret");
            if item.is_folder && !is_known {
                self.log.note(&item.path, "is not read: test cases lie in `data/sample` and `data/secret`");
            } else if !item.is_folder && is_known {
                self.log.mistaken(&item.path, false);
            }
        }
    }
}

/// The path below `data`.
fn name_below_data(path: &str) -> &str {
    path.strip_prefix("data").map_or(path, |rest| rest.trim_start_matches('/'))
}
