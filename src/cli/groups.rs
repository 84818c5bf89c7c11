//! The groups of a package's test cases, with what the recipe and the format require of their inputs.

use super::problem_setup::ProblemContext;
use rebut_diagnostics::Result;
use rebut_format::language::Format;
use rebut_packages::recipe::{RecipeGroup, SAMPLE_GROUP, SECRET_GROUP, TestSetRecipe, narrow_format};

/// A group, with the rules for the inputs that it accepts.
pub(super) struct TestGroup {
    /// Name in the recipe, or folder below `data` in a package without a recipe.
    pub(super) name: String,
    /// Folder below `data`.
    pub(super) folder: String,
    /// The subtask of the format that its inputs have to satisfy.
    pub(super) subtask: Option<String>,
    /// The problem's format with the restrictions of the group, if there are any.
    pub(super) format: Option<Format>,
}

/// Returns the groups in order, without the samples: those of the recipe, or else the folders with test cases.
///
/// # Errors
/// Returns an error if the recipe is wrong.
pub(super) fn find_groups(problem: &ProblemContext) -> Result<Vec<TestGroup>> {
    let package = problem.require_package()?;
    if let Some(path) = &package.recipe {
        let recipe = TestSetRecipe::load(path)?;
        let named = recipe.groups.iter().filter(|group| group.name != SAMPLE_GROUP);
        let found = named.map(|group| test_group(problem, &group.name, group.data_folder(), Some((&recipe, group))));
        return Ok(found.collect());
    }
    let has_cases = |name: &str| package.test_cases.iter().any(|case| package.groups[case.group].name == name);
    let secret = package.groups.iter().filter(|group| group.name == SECRET_GROUP && has_cases(SECRET_GROUP));
    let groups = secret.chain(package.secret_groups().map(|(_, group)| group));
    Ok(groups.map(|group| test_group(problem, &group.name, group.name.clone(), None)).collect())
}

/// Returns a group with the recipe's restrictions, or with the subtask named like the group.
fn test_group(
    problem: &ProblemContext,
    name: &str,
    folder: String,
    recipe: Option<(&TestSetRecipe, &RecipeGroup)>,
) -> TestGroup {
    let mut found = TestGroup { name: name.to_owned(), folder, subtask: None, format: None };
    let Some(format) = &problem.format else { return found };
    let narrowed = if let Some((recipe, group)) = recipe.filter(|(_, group)| !group.restrictions.is_empty()) {
        found.subtask = group.restrictions.subtask.as_ref().map(|subtask| subtask.text.clone());
        narrow_format(&format.source, recipe, &[&group.restrictions]).ok().map(|narrowed| narrowed.format)
    } else {
        let base = found.folder.rsplit('/').next().unwrap_or_default();
        let is_number = |c: char| c.is_ascii_digit() || matches!(c, '-' | '_' | '.');
        let is_same_name = |name: &str| name == base || name == base.trim_start_matches(is_number);
        let subtask = format.subtasks.iter().find(|subtask| is_same_name(&subtask.name));
        found.subtask = subtask.map(|subtask| subtask.name.clone());
        found.subtask.as_ref().and_then(|subtask| {
            let mut source = format.source.clone();
            source.text.extend_from_slice(format!("\nwhere:\n    subtask {subtask}").as_bytes());
            Some(Format::parse(&source).ok()?.0)
        })
    };
    found.format = narrowed.map(|narrowed| Format { stop_token: format.stop_token.clone(), ..narrowed });
    found
}
