//! Probes: inputs and outputs that the validators of a package must reject or accept.

use super::group_settings::{GroupSettings, GroupSettingsReader};
use super::model::{ValidatorArguments, ValidatorProbe};
use super::package_log::PackageLog;
use super::package_tree::{PackageEntry, PackageTree};
use super::probe_folders::{BAD_FOLDER, PROBE_FOLDERS, ProbeKind};
use super::problem_yaml::ProblemYaml;
use super::test_data::{self, CaseFiles};
use rebut_diagnostics::Result;

/// Reads the probes, sorted by folder.
///
/// # Errors
///
/// Returns an error if a file cannot be read.
pub(super) fn read_probes(
    tree: &PackageTree,
    settings: &ProblemYaml,
    log: &mut PackageLog,
) -> Result<Vec<ValidatorProbe>> {
    let reader = GroupSettingsReader { tree, dialect: settings.dialect, constants: &settings.constants };
    let mut walk = ProbeWalker { reader, settings, probes: Vec::new(), log };
    let settings_of_data = walk.reader.read_group("data", &GroupSettings::default(), walk.log)?;
    for (folder, kind, is_valid) in PROBE_FOLDERS.iter().chain([&BAD_FOLDER]) {
        let folder = format!("data/{folder}");
        if tree.has_folder(&folder) {
            walk.visit_folder(&folder, *kind, *is_valid, &settings_of_data)?;
        }
    }
    Ok(walk.probes)
}

struct ProbeWalker<'a> {
    reader: GroupSettingsReader<'a>,
    settings: &'a ProblemYaml,
    probes: Vec<ValidatorProbe>,
    log: &'a mut PackageLog,
}

impl ProbeWalker<'_> {
    fn visit_folder(&mut self, folder: &str, kind: ProbeKind, is_valid: bool, inherited: &GroupSettings) -> Result<()> {
        let tree = self.reader.tree;
        let group_settings = self.reader.read_group(folder, inherited, self.log)?;
        for (name, files) in test_data::collect_case_files(tree, folder, self.log) {
            self.add_probe(&format!("{folder}/{name}"), &files, kind, is_valid, &group_settings)?;
        }
        let groups = tree.children(folder).iter().filter(|item| item.is_folder && !item.name.ends_with(".files"));
        for item in groups {
            self.visit_folder(&item.path, kind, is_valid, &group_settings)?;
        }
        Ok(())
    }

    fn add_probe(
        &mut self,
        path: &str,
        files: &CaseFiles<'_>,
        kind: ProbeKind,
        is_valid: bool,
        inherited: &GroupSettings,
    ) -> Result<()> {
        let tree = self.reader.tree;
        let wanted: &[&str] = match kind {
            ProbeKind::Input | ProbeKind::ByFiles => &["in"],
            ProbeKind::Output => &["in", "ans", "out"],
            ProbeKind::Answer => &["in", "ans"],
        };
        let missing: Vec<String> =
            wanted.iter().filter(|ending| !files.contains_key(**ending)).map(|ending| format!("`.{ending}`")).collect();
        let Some(input) = files.get("in").filter(|_| missing.is_empty()) else {
            self.log.add_note(path, &format!("is not tried: it has no {}", missing.join(" and no ")));
            return Ok(());
        };
        let probe_settings = match files.get("yaml") {
            Some(item) => self.reader.read_test_case(&item.path, inherited, self.log)?,
            None => inherited.clone(),
        };
        let file = |ending: &str| files.get(ending).map(|item: &&PackageEntry| tree.absolute_path(&item.path));
        let output = match kind {
            ProbeKind::Input => None,
            ProbeKind::Output => file("ans").zip(file("out")),
            ProbeKind::Answer => file("ans").zip(file("ans")),
            ProbeKind::ByFiles => file("ans").map(|answer| (answer.clone(), file("out").unwrap_or(answer))),
        };
        let arguments = match output {
            Some(_) => {
                let common = [&self.settings.validator_flags[..], &probe_settings.output_validator_arguments].concat();
                ValidatorArguments { common, ..ValidatorArguments::default() }
            }
            None => probe_settings.input_arguments,
        };
        self.probes.push(ValidatorProbe {
            name: path.strip_prefix("data/").unwrap_or(path).to_owned(),
            input: tree.absolute_path(&input.path),
            output,
            is_valid,
            is_answer: kind == ProbeKind::Answer,
            arguments,
            answer_arguments: probe_settings.answer_arguments,
            files: file("files"),
        });
        Ok(())
    }
}
