//! The manifest of a verdict table: the conditions of its cells.

use super::judges::validation_limits;
use super::session::Session;
use super::source_digest::source_digest;
use super::stress_manifest::describe_limits;
use super::tool_parts::add_tool_parts;
use rebut_diagnostics::Result;
use rebut_engine::verify::{VerifiedCase, VerifyPlan};
use rebut_engine::{BlockPlan, Judge};
use rebut_packages::{JOURNAL_VERSION, JournalManifest, Package, digest_folder, digest_parts, read_file};
use std::collections::BTreeMap;
use std::path::Path;

/// Name of the number of runs in a block in a manifest.
pub(super) const RUNS_PART: &str = "runs in a block";

/// Returns the manifest of a verdict table that is made by a command with these arguments.
///
/// # Errors
/// Returns an error if a file of the package cannot be read.
pub(super) fn describe_table(
    package: &Package,
    plan: &VerifyPlan<'_>,
    blocks: BlockPlan,
    arguments: Vec<String>,
    session: &Session,
) -> Result<JournalManifest> {
    let mut parts: BTreeMap<String, String> = BTreeMap::new();
    let mut add = |name: String, value: String| parts.insert(name, value);
    add("rebut".to_owned(), env!("CARGO_PKG_VERSION").to_owned());
    add("problem".to_owned(), package.id.clone());
    add(RUNS_PART.to_owned(), blocks.block_inputs.to_string());
    add("stops when decided".to_owned(), plan.stop_when_decided.to_string());
    add("limits of submissions".to_owned(), describe_limits(&plan.limits));
    add("limits of judge programs".to_owned(), describe_limits(&validation_limits(package)));
    add("standards".to_owned(), format!("{:?}", package.standards));
    let mut sources = Vec::new();
    for (number, submission) in plan.submissions.iter().enumerate() {
        let known = package.submissions.iter().find(|known| known.name == submission.name);
        let Some(source) = known.map(|known| known.path.clone()) else { continue };
        add(format!("submission {} {}", number + 1, submission.name), source_digest(&source)?);
        sources.push(source);
    }
    let judges = [&package.output_validator.program, &package.static_validator];
    for source in judges.into_iter().flatten() {
        add(format!("judge program {}", name_in_package(package, source)), source_digest(source)?);
        sources.push(source.clone());
    }
    for folder in &package.include {
        add(format!("include folder {}", name_in_package(package, folder)), source_digest(folder)?);
    }
    for (group, digest) in digest_groups(&plan.cases)? {
        add(format!("tests in {group}"), digest);
    }
    add_tool_parts(&mut parts, &sources, session)?;
    Ok(JournalManifest { version: JOURNAL_VERSION, arguments, parts })
}

/// Returns the path of a file in a package, which is the same on each machine.
fn name_in_package(package: &Package, path: &Path) -> String {
    path.strip_prefix(&package.folder).unwrap_or(path).display().to_string()
}

/// Returns the digest of the test cases of each group: their names, files, judges and arguments, in order.
fn digest_groups(cases: &[VerifiedCase]) -> Result<BTreeMap<String, String>> {
    let mut groups: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for case in cases {
        let group = case.name.rsplit_once('/').map_or("data", |(group, _)| group);
        groups.entry(group.to_owned()).or_default().push(digest_case(case)?);
    }
    Ok(groups.into_iter().map(|(group, cases)| (group, digest_parts(&cases))).collect())
}

fn digest_case(case: &VerifiedCase) -> Result<String> {
    let arguments = |judge: &Judge| match judge {
        Judge::Program(program) => format!("{:?} {:?}", program.mode, program.arguments),
        Judge::Checker(_) => judge.checker_name(),
    };
    let described = match &case.examiner {
        Some(examiner) => format!("static {:?}", examiner.arguments),
        None => format!("{} {:?}", arguments(&case.judge), case.arguments),
    };
    let files = match case.examiner {
        Some(_) => [Vec::new(), Vec::new()],
        None => [read_file(&case.input)?, read_file(&case.answer)?],
    };
    let [input, answer] = files.map(|bytes| digest_parts(&[bytes]));
    Ok(digest_parts(&[&case.name, &described, &input, &answer, &digest_folder(case.files.as_deref())?]))
}
