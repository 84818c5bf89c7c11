//! Tests: copied as files if all of them are in the package, otherwise converted to a recipe of manual files and
//! commands.

use super::PolygonImport;
use super::problem_xml::{PolygonGroup, PolygonProblem, PolygonTest};
use crate::interop::imported_package::{InteropError, quote_text, recipe_test, sanitize_name, shorten_for_message};
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// Returns the names of groups' folders by Polygon's names; numbered, if that is needed to keep their order.
pub(super) fn group_folders(problem: &PolygonProblem) -> BTreeMap<String, String> {
    let mut names: Vec<&str> = Vec::new();
    let named = problem.groups.iter().map(|group| group.name.as_str());
    for name in named.chain(problem.tests.iter().filter_map(|test| test.group.as_deref())) {
        let is_used = problem.tests.iter().any(|test| !test.is_sample && test.group.as_deref() == Some(name));
        if is_used && !names.contains(&name) {
            names.push(name);
        }
    }
    let width = names.len().to_string().len();
    let is_usable = names.is_sorted() && names.iter().all(|name| sanitize_name(name) == *name);
    let folder = |(at, name): (usize, &str)| match sanitize_name(name) {
        same if is_usable => (name.to_owned(), same),
        similar => (name.to_owned(), format!("{:0width$}_{similar}", at + 1)),
    };
    names.into_iter().enumerate().map(folder).collect()
}

/// Writes the tests and the settings of their groups.
pub(super) fn write_tests(import: &mut PolygonImport<'_>) -> Result<(), InteropError> {
    let PolygonImport { package, problem, folders, .. } = *import;
    write_groups(import)?;
    let exists = |path: &str| package.source.get(path).is_some();
    let commands = command_list(problem);
    if problem.tests.iter().all(|test| exists(&test.input) && exists(&test.answer)) {
        let width = problem.tests.len().to_string().len();
        for (at, test) in problem.tests.iter().enumerate() {
            let name = format!("data/{}/{:0width$}", test_folder(test, folders), at + 1);
            import.out.add_file(&format!("{name}.in"), package.required_file(&test.location, &test.input)?)?;
            import.out.add_file(&format!("{name}.ans"), package.required_file(&test.location, &test.answer)?)?;
        }
        return if commands.is_empty() { Ok(()) } else { import.out.add_file("generators/commands.txt", commands) };
    }
    import.out.needs_build = true;
    let text = write_recipe(import)?;
    import.out.add_file("tests.toml", text)
}

/// Returns the folder of a test below `data/`.
fn test_folder(test: &PolygonTest, folders: &BTreeMap<String, String>) -> String {
    match test.group.as_ref().and_then(|group| folders.get(group)) {
        _ if test.is_sample => "sample".to_owned(),
        Some(folder) => format!("secret/{folder}"),
        None => "secret".to_owned(),
    }
}

/// Returns the commands that generated the tests, and stress tests, for human readers.
fn command_list(problem: &PolygonProblem) -> String {
    let mut text = String::new();
    for (at, test) in problem.tests.iter().enumerate() {
        if let Some(command) = &test.command {
            let _ = writeln!(text, "{}: {}", at + 1, shorten_for_message(command));
        }
    }
    for stress in &problem.stresses {
        let _ = writeln!(text, "stress: {}", shorten_for_message(stress));
    }
    text
}

fn write_recipe(import: &mut PolygonImport<'_>) -> Result<String, InteropError> {
    let PolygonImport { package, problem, folders, .. } = *import;
    let mut text = String::new();
    let main = problem.solutions.iter().find(|solution| solution.tag == "main");
    if let Some(main) = main {
        let name = sanitize_name(crate::interop::imported_package::file_name(&main.source.path));
        let _ = writeln!(text, "reference = {}\n", quote_text(&format!("accepted/{name}")));
    }
    let width = problem.tests.len().to_string().len();
    for (at, test) in problem.tests.iter().enumerate() {
        let name = format!("t{:0width$}", at + 1);
        let input_source = match (&test.command, package.source.get(&test.input)) {
            (_, Some(_)) => format!("file = {}", quote_text(&write_manual_test(import, test, &name)?)),
            (Some(_), None) if test.from_file.is_some() => {
                import.out.tests -= 1;
                import.out.add_note(format!("test {} is left out: its command writes several files", at + 1));
                continue;
            }
            (Some(command), None) => format!("generator = {}", quote_text(command)),
            (None, None) => {
                return Err(InteropError::at_location(
                    &test.location,
                    format!("the file `{}` is missing", shorten_for_message(&test.input)),
                )
                .with_help("manual tests cannot be generated: download the full package"));
            }
        };
        let folder = test_folder(test, folders);
        let group = folder.strip_prefix("secret/").unwrap_or(&folder);
        let _ = writeln!(text, "{}", recipe_test(group, &name, &input_source));
    }
    for stress in &problem.stresses {
        let _ = writeln!(text, "# stress: {}", shorten_for_message(stress));
    }
    Ok(text.trim_end().to_owned() + "\n")
}

/// Copies the files of a manual test, which the recipe refers to.
fn write_manual_test(import: &mut PolygonImport<'_>, test: &PolygonTest, name: &str) -> Result<String, InteropError> {
    let package = import.package;
    let path = format!("generators/manual/{name}.in");
    import.out.add_file(&path, package.required_file(&test.location, &test.input)?)?;
    if package.source.get(&test.answer).is_some() {
        import
            .out
            .add_file(&format!("generators/manual/{name}.ans"), package.required_file(&test.location, &test.answer)?)?;
    }
    Ok(path)
}

/// Returns the groups that must be passed before a group gives points. Submissions can only be required to pass
/// groups that come earlier and give either all of their points or none.
fn required_groups(import: &mut PolygonImport<'_>, group: &PolygonGroup, own: &str) -> Vec<String> {
    let PolygonImport { problem, folders, .. } = *import;
    let mut found = Vec::new();
    for name in &group.requires {
        let is_sample = |test: &&PolygonTest| test.is_sample && test.group.as_ref() == Some(name);
        let other = problem.groups.iter().find(|other| other.name == *name);
        let folder = folders.get(name).map(|folder| format!("secret/{folder}"));
        match folder {
            Some(folder) if folder.as_str() < own && !other.is_some_and(|other| other.is_each_test) => {
                found.push(quote_text(&folder));
            }
            None if problem.tests.iter().any(|test| is_sample(&test)) => found.push(quote_text("sample")),
            _ => {
                let reason = match (&folder, other) {
                    (None, _) => "has no tests",
                    (_, Some(other)) if other.is_each_test => "gives points for each test",
                    _ => "comes after it",
                };
                import.out.add_note(format!(
                    "`{}` requires `{}`, which is left out: that group {reason}",
                    shorten_for_message(&group.name),
                    shorten_for_message(name)
                ));
            }
        }
    }
    found
}

/// Writes the files of groups: points, and the arguments by which Polygon passes the group to validators.
fn write_groups(import: &mut PolygonImport<'_>) -> Result<(), InteropError> {
    let PolygonImport { problem, folders, is_scoring, .. } = *import;
    let samples = problem.tests.iter().find(|test| test.is_sample);
    let samples = samples.and_then(|test| test.group.as_ref());
    let named = samples.map(|name| ("sample".to_owned(), name));
    let named = named.into_iter().chain(folders.iter().map(|(name, folder)| (format!("secret/{folder}"), name)));
    let mut total = 0.0;
    for (folder, name) in named {
        let mut text = String::new();
        let tests = || problem.tests.iter().filter(|test| !test.is_sample && test.group.as_ref() == Some(name));
        let group = problem.groups.iter().find(|group| group.name == *name);
        let is_each_test = group.is_some_and(|group| group.is_each_test);
        let of_tests: f64 = tests().map(|test| test.points).sum();
        let points = group.map_or(of_tests, |group| if is_each_test { of_tests } else { group.points.max(of_tests) });
        if is_scoring && folder != "sample" {
            let aggregation = if is_each_test { "sum" } else { "pass-fail" };
            let _ = writeln!(text, "max_score: {points}\nscore_aggregation: {aggregation}");
            total += points;
            if is_each_test && tests().any(|test| test.points != of_tests / tests().count() as f64) {
                let name = shorten_for_message(name);
                import.out.add_note(format!("the tests of `{name}` give the same points now: theirs are left out"));
            }
            let required = group.map_or_else(Vec::new, |group| required_groups(import, group, &folder));
            if !required.is_empty() {
                let _ = writeln!(text, "require_pass: [{}]", required.join(", "));
            }
        }
        if !problem.validators.is_empty() || !folder.ends_with(&format!("/{name}")) {
            text += &super::group_arguments(name);
        }
        if !text.is_empty() {
            import.out.add_file(&format!("data/{folder}/test_group.yaml"), text)?;
        }
    }
    if is_scoring && !folders.is_empty() {
        import.out.add_file("data/secret/test_group.yaml", format!("max_score: {total}\n"))?;
    }
    Ok(())
}
