//! Titles that stand in the statements: of packages that were written before `problem.yaml` had names.

use super::log::Log;
use super::settings::Settings;
use super::tree::{Item, Tree};
use crate::diagnostic::Result;

/// Adds the titles of languages that `problem.yaml` has none for.
///
/// # Errors
/// If a statement cannot be read.
pub(super) fn read(tree: &Tree, settings: &mut Settings, log: &mut Log) -> Result<()> {
    for folder in ["problem_statement", "statement"] {
        for item in tree.children(folder) {
            let Some(language) = language(item).filter(|language| !settings.titles.contains_key(*language)) else {
                continue;
            };
            let text = tree.text(&item.path, log)?.unwrap_or_default();
            if let Some(title) = title(&text) {
                settings.titles.insert(language.to_owned(), title);
            }
        }
    }
    Ok(())
}

/// The language of `problem.sv.tex`; `problem.tex` is English.
fn language(item: &Item) -> Option<&str> {
    let middle = item.name.strip_prefix("problem")?.strip_suffix(".tex")?;
    if middle.is_empty() { Some("en") } else { middle.strip_prefix('.').filter(|language| !language.is_empty()) }
}

/// The title in plain letters, where one is given beside that in LaTeX.
fn title(text: &str) -> Option<String> {
    let plain = text.lines().find_map(|line| line.trim().strip_prefix("%% plainproblemname:"));
    let in_latex =
        || text.split_once("\\problemname{").and_then(|(_, rest)| rest.split_once('}')).map(|(title, _)| title);
    let title = plain.or_else(in_latex)?.trim();
    (!title.is_empty() && !title.contains(['\n', '{'])).then(|| title.to_owned())
}
