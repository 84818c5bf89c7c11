//! Import of a folder with a validator, solutions and samples, which a [`Package`] has been read from.

use super::imported_package::{
    ImportSettings, ImportedPackage, ImportedSubmissions, InteropError, file_name, quote_text, recipe_test,
    sanitize_name,
};
use super::include_resolver::{self, SourceLookup};
use crate::{Bundle, Package};
use std::borrow::Cow;
use std::fmt::Write as _;
use std::path::Path;

/// Limit where the folder states none.
const USUAL_TIME_MS: u64 = 1000;

/// The files of such a folder, and the header of testlib, which may be in a folder above.
struct LooseFiles<'s> {
    files: &'s Bundle,
    testlib: Option<&'s [u8]>,
}

impl SourceLookup for LooseFiles<'_> {
    fn find_source(&self, path: &str) -> Option<Cow<'_, [u8]>> {
        self.files.get(path).or(self.testlib.filter(|_| path == "testlib.h")).map(Cow::Borrowed)
    }

    fn include_roots(&self) -> &[&str] {
        &[""]
    }
}

/// Makes a package of a folder without a description. `format` is what its validator was converted to, and `testlib` the
/// header.
///
/// # Errors
///
/// Returns an error if the folder has no accepted solution, or if a source includes what is not there.
pub fn import_loose_folder(
    package: &Package,
    files: &Bundle,
    format: Option<&str>,
    testlib: Option<&[u8]>,
) -> Result<ImportedPackage, InteropError> {
    let sources = LooseFiles { files, testlib };
    let title = package.titles.values().next().unwrap_or(&package.id).clone();
    let mut imported = ImportedPackage { title: title.clone(), needs_build: true, ..ImportedPackage::default() };
    let settings = ImportSettings {
        titles: &[("en".to_owned(), title)],
        types: &["pass-fail"],
        time_limit_ms: package.limits.cpu_time_ms.unwrap_or(USUAL_TIME_MS),
        memory_limit: package.limits.memory_bytes,
        source: None,
        identity: &["folder", &package.id],
    };
    imported.add_file("problem.yaml", settings.to_problem_yaml())?;
    if let Some(text) = format {
        imported.add_file("input.format", text)?;
    }
    let add = |path: &Path, folder: &str, imported: &mut ImportedPackage| {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let program = include_resolver::collect_program(&sources, &name, &name)?;
        include_resolver::write_program(program, folder, &name, imported)
    };
    for validator in &package.input_validators {
        add(validator, "input_validators/validator", &mut imported)?;
    }
    if let Some(checker) = &package.output_validator.program {
        add(checker, "output_validator", &mut imported)?;
    }
    for (path, _) in files.iter().filter(|(path, _)| path.starts_with("generator") && !path.contains('/')) {
        add(Path::new(path), "generators", &mut imported)?;
    }
    let reference = write_submissions(package, &sources, &mut imported)?;
    let recipe = write_recipe(package, files, &reference, &mut imported)?;
    imported.add_file("tests.toml", recipe)?;
    Ok(imported)
}

/// Writes the solutions, and returns the name of the first accepted one.
fn write_submissions(
    package: &Package,
    sources: &LooseFiles<'_>,
    imported: &mut ImportedPackage,
) -> Result<String, InteropError> {
    let (mut submissions, mut reference) = (ImportedSubmissions::default(), None);
    for submission in &package.submissions {
        let is_accepted = submission.expectation.is_accepted();
        let folder = if is_accepted { "accepted" } else { "rejected" };
        let file = file_name(&submission.name);
        let program = include_resolver::collect_program(sources, file, file)?;
        let name = submissions.add_submission(folder, file, program, imported)?;
        reference = reference.or(is_accepted.then_some(name));
    }
    reference.ok_or_else(|| InteropError::new("has no accepted solution: its name begins with `correct`"))
}

/// Returns the recipe of the tests. They become files, and the reference answers them.
fn write_recipe(
    package: &Package,
    files: &Bundle,
    reference: &str,
    imported: &mut ImportedPackage,
) -> Result<String, InteropError> {
    let mut text = format!("reference = {}\n", quote_text(reference));
    for case in &package.test_cases {
        let name = sanitize_name(&case.name);
        let group = if case.is_sample { "sample" } else { "secret" };
        for (path, ending) in [(Some(&case.input), "in"), (case.answer.as_ref(), "ans")] {
            let bytes = path.and_then(|path| files.get(&path.file_name()?.to_string_lossy()));
            if let Some(bytes) = bytes {
                imported.add_file(&format!("generators/manual/{name}.{ending}"), bytes)?;
            }
        }
        let file = format!("file = {}", quote_text(&format!("generators/manual/{name}.in")));
        let _ = write!(text, "\n{}", recipe_test(group, &name, &file));
        imported.tests += 1;
    }
    Ok(text)
}
