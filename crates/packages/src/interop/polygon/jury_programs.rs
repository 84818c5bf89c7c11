//! Checkers, interactors, validators and generators, each with its includes in the same folder so that every judge
//! can compile it.

use super::PolygonPackage;
use super::problem_xml::{PolygonJudgeTest, PolygonProblem, PolygonSource};
use crate::interop::imported_package::ImportedPackage;
use crate::interop::include_resolver;
use crate::interop::interop_error::{InteropError, shorten_for_message};
use crate::interop::names::{UniqueNames, file_name, file_stem, sanitize_name};

/// Writes these programs and their tests.
pub(super) fn write_jury_programs(
    package: &PolygonPackage<'_>,
    problem: &PolygonProblem,
    imported: &mut ImportedPackage,
) -> Result<(), InteropError> {
    let program = |source: &PolygonSource, folder: &str, imported: &mut ImportedPackage| {
        let files = include_resolver::collect_program(package, &source.location, &source.path)?;
        include_resolver::write_program(files, folder, &source.location, imported)
    };
    if let Some(judge) = problem.interactor.as_ref().or(problem.checker.as_ref().map(|checker| &checker.source)) {
        program(judge, "output_validator", imported)?;
    }
    if problem.interactor.is_some() && problem.checker.is_some() {
        imported.contents.add_note("the checker is left out: the interactor decides the verdict");
    }
    let mut unique_names = UniqueNames::default();
    for validator in &problem.validators {
        let folder = unique_names.claim_name(&sanitize_name(file_stem(&validator.source.path)));
        program(&validator.source, &format!("input_validators/{folder}"), imported)?;
    }
    for source in find_generators(package, problem, imported)? {
        program(source, "generators", imported)?;
    }
    write_judge_tests(package, problem, imported)
}

/// Returns the programs that generate tests.
fn find_generators<'p>(
    package: &PolygonPackage<'_>,
    problem: &'p PolygonProblem,
    imported: &mut ImportedPackage,
) -> Result<Vec<&'p PolygonSource>, InteropError> {
    let mut done: Vec<&str> = Vec::new();
    let mut found = Vec::new();
    for test in &problem.tests {
        let Some(name) = test.command.as_deref().and_then(|command| command.split_whitespace().next()) else {
            continue;
        };
        if done.contains(&name) {
            continue;
        }
        done.push(name);
        match problem.executables.iter().find(|source| file_stem(&source.path) == name) {
            Some(source) => found.push(source),
            None if package.source.get(&test.input).is_some() => {
                imported
                    .contents
                    .add_note(format!("the generator `{}` is not in the package", shorten_for_message(name)));
            }
            None => {
                return Err(InteropError::at_location(
                    &test.location,
                    format!("there is no generator `{}`", shorten_for_message(name)),
                ));
            }
        }
    }
    Ok(found)
}

/// Writes the tests of checkers and validators.
fn write_judge_tests(
    package: &PolygonPackage<'_>,
    problem: &PolygonProblem,
    imported: &mut ImportedPackage,
) -> Result<(), InteropError> {
    let mut unique_names = UniqueNames::default();
    let judges = problem.checker.iter().filter(|_| problem.interactor.is_none()).chain(&problem.validators);
    for judge_test in judges.flat_map(|judge| &judge.tests) {
        let Some(folder) = judge_test_folder(judge_test) else {
            imported.contents.add_note(format!(
                "tests with the verdict `{}` are left out",
                shorten_for_message(&judge_test.verdict)
            ));
            continue;
        };
        let name = unique_names.claim_name(&format!("data/{folder}/{}", sanitize_name(file_name(&judge_test.input))));
        imported
            .contents
            .add_file(&format!("{name}.in"), package.required_file(&judge_test.location, &judge_test.input)?)?;
        if let Some((output, answer)) = &judge_test.output {
            imported.contents.add_file(&format!("{name}.out"), package.required_file(&judge_test.location, output)?)?;
            imported.contents.add_file(&format!("{name}.ans"), package.required_file(&judge_test.location, answer)?)?;
        }
    }
    Ok(())
}

/// Returns the folder below `data/` for a test with this verdict; `None` for other verdicts.
fn judge_test_folder(judge_test: &PolygonJudgeTest) -> Option<&'static str> {
    match (judge_test.verdict.as_str(), judge_test.output.is_some()) {
        ("ok", true) => Some("valid_output"),
        ("wrong-answer" | "presentation-error", true) => Some("invalid_output"),
        ("valid", false) => Some("valid_input"),
        ("invalid", false) => Some("invalid_input"),
        _ => None,
    }
}
