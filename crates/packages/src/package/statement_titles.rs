//! Titles found in the statements, for packages older than the `name` key of `problem.yaml`.

use super::package_log::PackageLog;
use super::package_tree::{PackageEntry, PackageTree};
use super::problem_yaml::ProblemYaml;
use rebut_diagnostics::Result;

/// Adds the titles of languages without a title in `problem.yaml`.
///
/// # Errors
///
/// Returns an error if a statement cannot be read.
pub(super) fn read_statement_titles(
    tree: &PackageTree,
    settings: &mut ProblemYaml,
    log: &mut PackageLog,
) -> Result<()> {
    for folder in ["problem_statement", "statement"] {
        for item in tree.children(folder) {
            let Some(language) = statement_language(item).filter(|language| !settings.titles.contains_key(*language))
            else {
                continue;
            };
            let text = tree.read_text(&item.path, log)?.unwrap_or_default();
            if let Some(title) = find_title(&text) {
                settings.titles.insert(language.to_owned(), title);
            }
        }
    }
    Ok(())
}

/// Returns the language of `problem.sv.tex`; `problem.tex` is English.
fn statement_language(item: &PackageEntry) -> Option<&str> {
    let middle = item.name.strip_prefix("problem")?.strip_suffix(".tex")?;
    if middle.is_empty() { Some("en") } else { middle.strip_prefix('.').filter(|language| !language.is_empty()) }
}

/// Returns the title, as plain text if it is given both in plain text and in LaTeX.
fn find_title(text: &str) -> Option<String> {
    let plain = text.lines().find_map(|line| line.trim().strip_prefix("%% plainproblemname:"));
    let in_latex =
        || text.split_once("\\problemname{").and_then(|(_, rest)| rest.split_once('}')).map(|(title, _)| title);
    let title = plain.or_else(in_latex)?.trim();
    (!title.is_empty() && !title.contains(['\n', '{'])).then(|| title.to_owned())
}
