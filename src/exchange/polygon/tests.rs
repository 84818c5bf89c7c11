//! Tests: as files where all of them are there, else as a recipe of hand-made files and commands.

use super::Package;
use super::descriptor::{Group, Problem, Test};
use crate::exchange::flaw::{Flaw, shown};
use crate::exchange::names::{plain, quoted};
use crate::exchange::target::Imported;
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// The names of groups, by how Polygon calls them: numbered, so that they are judged in their order.
pub(super) fn folders(problem: &Problem) -> BTreeMap<String, String> {
    let mut names: Vec<&str> = Vec::new();
    let named = problem.groups.iter().map(|group| group.name.as_str());
    for name in named.chain(problem.tests.iter().filter_map(|test| test.group.as_deref())) {
        let is_used = problem.tests.iter().any(|test| !test.is_sample && test.group.as_deref() == Some(name));
        if is_used && !names.contains(&name) {
            names.push(name);
        }
    }
    let width = names.len().to_string().len();
    let folder = |(at, name): (usize, &str)| (name.to_owned(), format!("{:0width$}_{}", at + 1, plain(name)));
    names.into_iter().enumerate().map(folder).collect()
}

/// Writes the tests, and what holds for their groups.
pub(super) fn write(
    package: &Package<'_>,
    problem: &Problem,
    folders: &BTreeMap<String, String>,
    is_scoring: bool,
    made: &mut Imported,
) -> Result<(), Flaw> {
    groups(problem, folders, is_scoring, made)?;
    let is_there = |path: &str| package.source.get(path).is_some();
    let commands = commands(problem);
    if problem.tests.iter().all(|test| is_there(&test.input) && is_there(&test.answer)) {
        let width = problem.tests.len().to_string().len();
        for (at, test) in problem.tests.iter().enumerate() {
            let name = format!("data/{}/{:0width$}", place_of(test, folders), at + 1);
            made.add(&format!("{name}.in"), package.file(&test.place, &test.input)?)?;
            made.add(&format!("{name}.ans"), package.file(&test.place, &test.answer)?)?;
        }
        return if commands.is_empty() { Ok(()) } else { made.add("generators/commands.txt", commands) };
    }
    made.needs_build = true;
    let text = recipe(package, problem, folders, made)?;
    made.add("tests.toml", text)
}

/// Where a test belongs below `data/`.
fn place_of(test: &Test, folders: &BTreeMap<String, String>) -> String {
    match test.group.as_ref().and_then(|group| folders.get(group)) {
        _ if test.is_sample => "sample".to_owned(),
        Some(folder) => format!("secret/{folder}"),
        None => "secret".to_owned(),
    }
}

/// How the tests were made, and stress runs: for people.
fn commands(problem: &Problem) -> String {
    let mut text = String::new();
    for (at, test) in problem.tests.iter().enumerate() {
        if let Some(command) = &test.command {
            let _ = writeln!(text, "{}: {}", at + 1, shown(command));
        }
    }
    for stress in &problem.stresses {
        let _ = writeln!(text, "stress: {}", shown(stress));
    }
    text
}

fn recipe(
    package: &Package<'_>,
    problem: &Problem,
    folders: &BTreeMap<String, String>,
    made: &mut Imported,
) -> Result<String, Flaw> {
    let mut text = String::new();
    let main = problem.solutions.iter().find(|solution| solution.tag == "main");
    if let Some(main) = main {
        let name = plain(crate::exchange::names::file_name(&main.source.path));
        let _ = writeln!(text, "reference = {}\n", quoted(&format!("accepted/{name}")));
    }
    let width = problem.tests.len().to_string().len();
    for (at, test) in problem.tests.iter().enumerate() {
        let name = format!("t{:0width$}", at + 1);
        let maker = match (&test.command, package.source.get(&test.input)) {
            (_, Some(_)) => format!("file = {}", quoted(&file(package, test, &name, made)?)),
            (Some(_), None) if test.from_file.is_some() => {
                made.tests -= 1;
                made.note(format!("test {} is left out: its command makes several files", at + 1));
                continue;
            }
            (Some(command), None) => format!("generator = {}", quoted(command)),
            (None, None) => {
                return Err(Flaw::at(&test.place, format!("the file `{}` is missing", shown(&test.input)))
                    .with_help("tests made by hand cannot be made again: download the full package"));
            }
        };
        let place = place_of(test, folders);
        let group = place.strip_prefix("secret/").unwrap_or(&place);
        let _ = writeln!(text, "[[test]]\ngroup = {}\nname = {}\n{maker}\n", quoted(group), quoted(&name));
    }
    for stress in &problem.stresses {
        let _ = writeln!(text, "# stress: {}", shown(stress));
    }
    Ok(text.trim_end().to_owned() + "\n")
}

/// Takes the files of a test along, for the recipe.
fn file(package: &Package<'_>, test: &Test, name: &str, made: &mut Imported) -> Result<String, Flaw> {
    let path = format!("generators/manual/{name}.in");
    made.add(&path, package.file(&test.place, &test.input)?)?;
    if package.source.get(&test.answer).is_some() {
        made.add(&format!("generators/manual/{name}.ans"), package.file(&test.place, &test.answer)?)?;
    }
    Ok(path)
}

/// The groups that have to be passed before one gives points. Only what comes before it, and gives all of its points or none,
/// can be required of a submission.
fn required(
    problem: &Problem,
    folders: &BTreeMap<String, String>,
    group: &Group,
    own: &str,
    made: &mut Imported,
) -> Vec<String> {
    let mut found = Vec::new();
    for name in &group.requires {
        let is_sample = |test: &&Test| test.is_sample && test.group.as_ref() == Some(name);
        let other = problem.groups.iter().find(|other| other.name == *name);
        let folder = folders.get(name).map(|folder| format!("secret/{folder}"));
        match folder {
            Some(folder) if folder.as_str() < own && !other.is_some_and(|other| other.is_each_test) => {
                found.push(quoted(&folder));
            }
            None if problem.tests.iter().any(|test| is_sample(&test)) => found.push(quoted("sample")),
            _ => {
                let why = match (&folder, other) {
                    (None, _) => "has no tests",
                    (_, Some(other)) if other.is_each_test => "gives points for each test",
                    _ => "comes after it",
                };
                made.note(format!(
                    "that `{}` gives points only after `{}` is left out, for that one {why}",
                    shown(&group.name),
                    shown(name)
                ));
            }
        }
    }
    found
}

/// What holds for groups: their points, and the arguments by which Polygon tells validators of them.
fn groups(
    problem: &Problem,
    folders: &BTreeMap<String, String>,
    is_scoring: bool,
    made: &mut Imported,
) -> Result<(), Flaw> {
    let samples = problem.tests.iter().find(|test| test.is_sample);
    let samples = samples.and_then(|test| test.group.as_ref());
    let named = samples.map(|name| ("sample".to_owned(), name));
    let named = named.into_iter().chain(folders.iter().map(|(name, folder)| (format!("secret/{folder}"), name)));
    let mut total = 0.0;
    for (folder, name) in named {
        let mut text = String::new();
        let tests = problem.tests.iter().filter(|test| test.group.as_ref() == Some(name));
        let group = problem.groups.iter().find(|group| group.name == *name);
        let is_each_test = group.is_some_and(|group| group.is_each_test);
        let of_tests: f64 = tests.map(|test| test.points).sum();
        let points = group.map_or(of_tests, |group| if is_each_test { of_tests } else { group.points.max(of_tests) });
        if is_scoring && folder != "sample" {
            let aggregation = if is_each_test { "sum" } else { "pass-fail" };
            let _ = writeln!(text, "max_score: {points}\nscore_aggregation: {aggregation}");
            total += points;
            let required = group.map_or_else(Vec::new, |group| required(problem, folders, group, &folder, made));
            if !required.is_empty() {
                let _ = writeln!(text, "require_pass: [{}]", required.join(", "));
            }
        }
        if !problem.validators.is_empty() {
            let _ = writeln!(text, "input_validator_args: [\"--group\", {}]", quoted(name));
        }
        if !text.is_empty() {
            made.add(&format!("data/{folder}/test_group.yaml"), text)?;
        }
    }
    if is_scoring && !folders.is_empty() {
        made.add("data/secret/test_group.yaml", format!("max_score: {total}\n"))?;
    }
    Ok(())
}
