//! Inputs and outputs that a package's validators must refuse, or must accept.

use super::data::{self, Pieces};
use super::group::{Heritage, Reader};
use super::log::Log;
use super::model::{ByValidator, Probe};
use super::settings::Settings;
use super::tree::{Item, Tree};
use crate::diagnostic::Result;

/// What the files of a folder are tried on.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Trial {
    /// `.in` alone: input validators.
    Input,
    /// `.in`, `.ans` and `.out`: the output validator.
    Output,
    /// `.in` and `.ans`: answer validators, and the output validator, the answer being the output.
    Answer,
    /// Whatever the files of each allow for: an older convention.
    ByFiles,
}

/// The folders below `data/`, in both spellings that are in use.
const FOLDERS: [(&str, Trial, bool); 10] = [
    ("invalid_input", Trial::Input, false),
    ("invalid_inputs", Trial::Input, false),
    ("valid_input", Trial::Input, true),
    ("valid_inputs", Trial::Input, true),
    ("invalid_output", Trial::Output, false),
    ("invalid_outputs", Trial::Output, false),
    ("valid_output", Trial::Output, true),
    ("valid_outputs", Trial::Output, true),
    ("invalid_answer", Trial::Answer, false),
    ("invalid_answers", Trial::Answer, false),
];

/// A folder of BAPCtools before there were others.
const BAD: (&str, Trial, bool) = ("bad", Trial::ByFiles, false);

/// Whether a folder below `data/` is one of those.
pub(super) fn is_folder_of_probes(name: &str) -> bool {
    FOLDERS.iter().chain([&BAD]).any(|(folder, ..)| *folder == name)
}

/// Reads them, sorted by their folders.
///
/// # Errors
/// If a file cannot be read.
pub(super) fn read(tree: &Tree, settings: &Settings, log: &mut Log) -> Result<Vec<Probe>> {
    let reader = Reader { tree, dialect: settings.dialect, constants: &settings.constants };
    let mut walk = Walk { reader, settings, probes: Vec::new(), log };
    let heritage = walk.reader.group("data", &Heritage::default(), walk.log)?;
    for (folder, trial, is_valid) in FOLDERS.iter().chain([&BAD]) {
        let folder = format!("data/{folder}");
        if tree.has_folder(&folder) {
            walk.folder(&folder, *trial, *is_valid, &heritage)?;
        }
    }
    Ok(walk.probes)
}

struct Walk<'a> {
    reader: Reader<'a>,
    settings: &'a Settings,
    probes: Vec<Probe>,
    log: &'a mut Log,
}

impl Walk<'_> {
    fn folder(&mut self, folder: &str, trial: Trial, is_valid: bool, inherited: &Heritage) -> Result<()> {
        let tree = self.reader.tree;
        let heritage = self.reader.group(folder, inherited, self.log)?;
        for (name, pieces) in data::cases(tree, folder, self.log) {
            self.probe(&format!("{folder}/{name}"), &pieces, trial, is_valid, &heritage)?;
        }
        let groups = tree.children(folder).iter().filter(|item| item.is_folder && !item.name.ends_with(".files"));
        for item in groups {
            self.folder(&item.path, trial, is_valid, &heritage)?;
        }
        Ok(())
    }

    fn probe(
        &mut self,
        path: &str,
        pieces: &Pieces<'_>,
        trial: Trial,
        is_valid: bool,
        inherited: &Heritage,
    ) -> Result<()> {
        let tree = self.reader.tree;
        let wanted: &[&str] = match trial {
            Trial::Input | Trial::ByFiles => &["in"],
            Trial::Output => &["in", "ans", "out"],
            Trial::Answer => &["in", "ans"],
        };
        let missing: Vec<String> = wanted
            .iter()
            .filter(|ending| !pieces.contains_key(**ending))
            .map(|ending| format!("`.{ending}`"))
            .collect();
        let Some(input) = pieces.get("in").filter(|_| missing.is_empty()) else {
            self.log.note(path, &format!("is not tried, for it has no {}", missing.join(" and no ")));
            return Ok(());
        };
        let heritage = match pieces.get("yaml") {
            Some(item) => self.reader.case(&item.path, inherited, self.log)?,
            None => inherited.clone(),
        };
        let file = |ending: &str| pieces.get(ending).map(|item: &&Item| tree.path(&item.path));
        let output = match trial {
            Trial::Input => None,
            Trial::Output => file("ans").zip(file("out")),
            Trial::Answer => file("ans").zip(file("ans")),
            Trial::ByFiles => file("ans").map(|answer| (answer.clone(), file("out").unwrap_or(answer))),
        };
        let arguments = match output {
            Some(_) => {
                let of_all = [&self.settings.validator_flags[..], &heritage.output_validator_arguments].concat();
                ByValidator { of_all, ..ByValidator::default() }
            }
            None => heritage.input_arguments,
        };
        self.probes.push(Probe {
            name: path.strip_prefix("data/").unwrap_or(path).to_owned(),
            input: tree.path(&input.path),
            output,
            is_valid,
            is_answer: trial == Trial::Answer,
            arguments,
            answer_arguments: heritage.answer_arguments,
        });
        Ok(())
    }
}
