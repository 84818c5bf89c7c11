//! Solutions and their tags. A tag holds for each test, as expectations of packages do.

use super::PolygonPackage;
use super::problem_xml::{PolygonProblem, PolygonSolution};
use crate::interop::imported_package::{ImportedPackage, ImportedSubmissions};
use crate::interop::include_resolver;
use crate::interop::interop_error::{InteropError, shorten_for_message};
use crate::interop::names::file_name;
use std::collections::BTreeMap;

/// A tag with the corresponding folder of submissions, and the verdicts permitted and required on each test case.
struct PolygonTag {
    name: &'static str,
    folder: &'static str,
    permitted: &'static str,
    required: &'static str,
    /// Whether the folder is not part of the package format.
    is_special: bool,
}

const fn polygon_tag(
    name: &'static str,
    folder: &'static str,
    permitted: &'static str,
    required: &'static str,
) -> PolygonTag {
    PolygonTag { name, folder, permitted, required, is_special: false }
}

/// All tags except `do-not-run`.
const POLYGON_TAGS: [PolygonTag; 10] = [
    polygon_tag("main", "accepted", "AC", ""),
    polygon_tag("accepted", "accepted", "AC", ""),
    polygon_tag("rejected", "rejected", "AC, WA, TLE, RTE", "WA, TLE, RTE"),
    polygon_tag("wrong-answer", "wrong_answer", "AC, WA", "WA"),
    polygon_tag("presentation-error", "wrong_answer", "AC, WA", "WA"),
    polygon_tag("time-limit-exceeded", "time_limit_exceeded", "AC, TLE", "TLE"),
    polygon_tag("memory-limit-exceeded", "run_time_error", "AC, RTE", "RTE"),
    polygon_tag("failed", "run_time_error", "AC, RTE", "RTE"),
    polygon_tag("time-limit-exceeded-or-memory-limit-exceeded", "brute_force", "AC, TLE, RTE", "TLE, RTE"),
    PolygonTag {
        is_special: true,
        ..polygon_tag("time-limit-exceeded-or-accepted", "slow_or_accepted", "AC, TLE", "")
    },
];

fn find_tag(name: &str, solution: &PolygonSolution) -> Result<&'static PolygonTag, InteropError> {
    let found = POLYGON_TAGS.iter().find(|tag| tag.name == name);
    found.ok_or_else(|| {
        let error = InteropError::at_location(
            &solution.source.location,
            format!("the tag `{}` is unknown", shorten_for_message(name)),
        );
        match rebut_diagnostics::suggestion_for(name, POLYGON_TAGS.iter().map(|tag| tag.name)) {
            Some(help) => error.with_help(help),
            None => error,
        }
    })
}

/// Writes the solutions, and `submissions.yaml` for expectations that folders cannot express.
pub(super) fn write_solutions(
    package: &PolygonPackage<'_>,
    problem: &PolygonProblem,
    folders: &BTreeMap<String, String>,
    imported: &mut ImportedPackage,
) -> Result<(), InteropError> {
    let mut submissions = ImportedSubmissions::default();
    // The model solution goes first to keep its name, which the recipe refers to.
    let mut ordered: Vec<&PolygonSolution> = problem.solutions.iter().collect();
    ordered.sort_by_key(|solution| solution.tag != "main");
    for solution in ordered {
        let file = file_name(&solution.source.path);
        if solution.tag == "do-not-run" {
            imported
                .contents
                .add_note(format!("`{}` is left out: it is tagged `do-not-run`", shorten_for_message(file)));
            continue;
        }
        let tag = find_tag(&solution.tag, solution)?;
        let files = include_resolver::collect_program(package, &solution.source.location, &solution.source.path)?;
        let name = submissions.add_submission(tag.folder, file, files, imported)?;
        if tag.is_special {
            submissions.add_yaml_lines(tag.folder, &expectation_lines(tag));
        }
        if tag.name == "main" {
            submissions.add_yaml_lines(&name, &["model_solution: true".to_owned()]);
        }
        for (group, group_tag) in &solution.group_tags {
            let Some(folder) = folders.get(group) else { continue };
            let lines = expectation_lines(find_tag(group_tag, solution)?);
            submissions.add_yaml_lines(&name, &[format!("secret/{folder}: {{{}}}", lines.join(", "))]);
        }
    }
    match submissions.to_submissions_yaml() {
        Some(text) => imported.contents.add_file("submissions/submissions.yaml", text),
        None => Ok(()),
    }
}

/// Returns the expectation of a tag as YAML.
fn expectation_lines(tag: &PolygonTag) -> Vec<String> {
    let mut lines = vec![format!("permitted: [{}]", tag.permitted)];
    if !tag.required.is_empty() {
        lines.push(format!("required: [{}]", tag.required));
    }
    lines
}
