//! `rebut stress --save`: puts the input of a finding into the group of test cases where it belongs.
//!
//! A group accepts an input if the recipe's demands on the group do, the subtask of the format that is called like it, and the
//! input validators with the group's arguments. Of several groups that accept it the narrowest gets it: the one that accepts the
//! fewest of the test cases that are there.

use super::desk::Desk;
use super::jury::validation_limits;
use super::setup::{self, Problem};
use crate::campaign::{Event, Found, Sink, Validator, Warning};
use crate::corpus::recipe::{Group, Recipe, SAMPLE, SECRET, narrow};
use crate::corpus::{self, Package, Submission, TestCase, read_file};
use crate::diagnostic::{Error, ErrorKind, Result};
use crate::format::Format;
use crate::invalid;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// The folder of test cases that were not made by shapes.
const HANDMADE: &str = "handmade";

/// Adds the input of a finding to the recipe, by a name that tells which submission it kills; without a recipe to the test
/// cases.
///
/// # Errors
/// Returns an error if the recipe or a test case cannot be read, a validator cannot be run, or the package cannot be written.
pub(super) fn save(problem: &Problem, found: &Found, desk: &mut Desk) -> Result<()> {
    let package = problem.package()?;
    let (message, help) = match choose_group(problem, found, desk)? {
        Some(group) => match &package.recipe {
            Some(recipe) => {
                let name = add_to_recipe(package, recipe, &group, found)?;
                let place = if group == SECRET { String::new() } else { format!(", in the group `{group}`") };
                let help = format!("`rebut build {}` adds it to the test set", package.folder.display());
                (format!("`{}` has a new test, `{name}`{place}", recipe.display()), Some(help))
            }
            None => {
                let folder = package.folder.join("data").join(&group);
                let name = add_to_folder(&folder, found)?;
                (format!("`{}` has a new test case, `{name}`", folder.display()), None)
            }
        },
        None => {
            let (id, submission) = (&package.id, &found.submission);
            let message = format!("no group of `{id}` accepts the input that fails `{submission}`: it is not saved");
            (message, Some("add a group for it, or save it by hand where it belongs".to_owned()))
        }
    };
    desk.take(&Event::Warning(Warning { message, help }));
    Ok(())
}

/// Appends a test to the recipe. Returns its name.
fn add_to_recipe(package: &Package, recipe: &Path, group: &str, found: &Found) -> Result<String> {
    let handmade = package.folder.join(HANDMADE);
    let name = free_name(found, |name| handmade.join(format!("{name}.in")));
    let file = format!("{HANDMADE}/{name}.in");
    corpus::write_file(&package.folder.join(&file), &found.input)?;
    let mut text = read_file(recipe)?;
    let group = if group == SECRET { String::new() } else { format!("group = \"{group}\"\n") };
    let entry = format!("\n[[test]]\n{group}name = \"{name}\"\nfile = \"{file}\"\n");
    text.extend_from_slice(entry.as_bytes());
    corpus::write_whole(recipe, &text)?;
    Ok(name)
}

/// Writes a test case. Returns its name.
fn add_to_folder(folder: &Path, found: &Found) -> Result<String> {
    let name = free_name(found, |name| folder.join(format!("{name}.in")));
    corpus::write_file(&folder.join(format!("{name}.ans")), &found.answer)?;
    corpus::write_file(&folder.join(format!("{name}.in")), &found.input)?;
    Ok(name)
}

/// `kills_` and the submission's name, or with a number behind it the first that is not taken.
fn free_name(found: &Found, place: impl Fn(&str) -> PathBuf) -> String {
    let stem = found.submission.rsplit('/').next().unwrap_or_default().split('.').next().unwrap_or_default();
    let safe: String = stem.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
    let name = format!("kills_{safe}");
    let numbered = (2..).map(|i| format!("{name}_{i}"));
    std::iter::once(name.clone()).chain(numbered).find(|name| !place(name).exists()).unwrap_or_default()
}

/// A group with all that decides which inputs it accepts.
struct Candidate {
    /// Its name as the recipe spells it; without a recipe its folder below `data`.
    name: String,
    /// The problem's format with what holds in the group.
    format: Option<Format>,
    /// Its folder below `data`, which has the arguments of input validators.
    folder: String,
}

/// Programs that judge the inputs of all groups.
struct Rules<'a> {
    validators: Vec<(PathBuf, Validator)>,
    package: &'a Package,
    desk: &'a Desk,
}

/// Returns the group to which the input of a finding belongs, or None if no group accepts it.
fn choose_group(problem: &Problem, found: &Found, desk: &mut Desk) -> Result<Option<String>> {
    let package = problem.package()?;
    let candidates = candidates(problem)?;
    // Without groups there is nothing to choose.
    if let [only] = &candidates[..]
        && only.name == SECRET
    {
        return Ok(Some(only.name.clone()));
    }
    let validators = setup::package_validators(problem, &|_| true, desk)?;
    let rules = Rules { validators, package, desk };
    let submission = package.submissions.iter().find(|s| s.path.ends_with(&found.submission));
    let mut accepting = Vec::new();
    for candidate in &candidates {
        let must_pass = submission.is_some_and(|submission| must_pass(submission, candidate, package));
        if !must_pass && rules.accepts(candidate, &found.input)? {
            accepting.push(candidate);
        }
    }
    if accepting.len() > 1 {
        let inputs = largest_of_each_group(package)?;
        let mut breadths = Vec::new();
        for candidate in &accepting {
            let accepted = inputs.iter().map(|input| rules.accepts(candidate, input));
            let accepted: Vec<bool> = accepted.collect::<Result<_>>()?;
            breadths.push(accepted.into_iter().filter(|is_accepted| *is_accepted).count());
        }
        // Of groups with the same rules the last is the hardest, by custom.
        let narrowest = (0..accepting.len()).rev().min_by_key(|number| breadths[*number]);
        return Ok(narrowest.map(|number| accepting[number].name.clone()));
    }
    Ok(accepting.first().map(|candidate| candidate.name.clone()))
}

impl Rules<'_> {
    fn accepts(&self, candidate: &Candidate, input: &[u8]) -> Result<bool> {
        if candidate.format.as_ref().is_some_and(|format| invalid::refusal(format, input).is_some()) {
            return Ok(false);
        }
        let limits = validation_limits(self.package);
        for (path, validator) in &self.validators {
            let arguments = arguments_of(self.package, &candidate.folder, path);
            match validator.refuses_with(input, &arguments, &limits, &self.desk.cancel) {
                Ok(None) => {}
                Ok(Some(_)) => return Ok(false),
                // A validator that fails accepts nothing.
                Err(error) if error.kind() == ErrorKind::Judge => return Ok(false),
                Err(error) => return Err(error),
            }
        }
        Ok(true)
    }
}

/// Returns the groups that can get a test, in their order: those of the recipe, or else the folders with test cases.
fn candidates(problem: &Problem) -> Result<Vec<Candidate>> {
    let package = problem.package()?;
    let mut found = Vec::new();
    if let Some(path) = &package.recipe {
        let Ok(recipe) = Recipe::load(path)? else {
            return Err(Error::usage(format!("`{}` is broken, so nothing can be saved into it", path.display()))
                .with_help(format!("`rebut build {}` shows where", package.folder.display())));
        };
        let named = recipe.groups.iter().filter(|group| group.name != SAMPLE);
        found.extend(named.map(|group| Candidate {
            name: group.name.clone(),
            format: format_of(problem, &group.folder(), Some((&recipe, group))),
            folder: group.folder(),
        }));
    } else {
        let has_cases = |name: &str| package.test_cases.iter().any(|case| package.groups[case.group].name == name);
        let secret = package.groups.iter().filter(|group| group.name == SECRET && has_cases(SECRET));
        let groups = secret.chain(package.secret_groups().map(|(_, group)| group));
        found.extend(groups.map(|group| Candidate {
            name: group.name.clone(),
            format: format_of(problem, &group.name, None),
            folder: group.name.clone(),
        }));
    }
    let has_groups = found.iter().any(|candidate| candidate.name != SECRET);
    if package.scale.is_some() && has_groups {
        // Beside the groups a test would give no points.
        found.retain(|candidate| candidate.name != SECRET);
    } else if !has_groups || found.iter().any(|candidate| candidate.name == SECRET) {
        let [name, folder] = [SECRET.to_owned(), SECRET.to_owned()];
        return Ok(vec![Candidate { name, format: None, folder }]);
    }
    Ok(found)
}

/// Returns the format of inputs in a group: with the recipe's demands, or with the subtask that is called like the group.
fn format_of(problem: &Problem, folder: &str, recipe: Option<(&Recipe, &Group)>) -> Option<Format> {
    let format = problem.format.as_ref()?;
    if let Some((recipe, group)) = recipe.filter(|(_, group)| !group.demands.is_empty()) {
        let narrowed = narrow(&format.source, recipe, &[&group.demands]).ok()?;
        return Some(Format { stop: format.stop.clone(), ..narrowed.format });
    }
    let base = folder.rsplit('/').next().unwrap_or(folder);
    let is_number = |c: char| c.is_ascii_digit() || matches!(c, '-' | '_' | '.');
    let is_called_so = |name: &str| name == base || name == base.trim_start_matches(is_number);
    let subtask = format.subtasks.iter().find(|subtask| is_called_so(&subtask.name));
    let Some(subtask) = subtask else { return Some(format.clone()) };
    let mut source = format.source.clone();
    source.text.extend_from_slice(format!("\nwhere:\n    subtask {}", subtask.name).as_bytes());
    let (narrowed, _) = Format::parse(&source).ok()?;
    Some(Format { stop: format.stop.clone(), ..narrowed })
}

/// Returns the arguments of an input validator in a group; of a group without a folder those of the folder around it.
fn arguments_of(package: &Package, folder: &str, validator: &Path) -> Vec<OsString> {
    let find = |name: &str| package.groups.iter().find(|group| group.name == name);
    let group = find(folder).or_else(|| find(SECRET)).or_else(|| find(""));
    let words = group.map(|group| group.input_arguments.of(validator)).unwrap_or_default();
    words.iter().map(OsString::from).collect()
}

/// Returns true if the submission is expected to be accepted in a group: what fails it does not belong there.
fn must_pass(submission: &Submission, candidate: &Candidate, package: &Package) -> bool {
    let is_it = |name: &str| name == candidate.name || name.strip_prefix("secret/") == Some(candidate.name.as_str());
    let Some(group) = package.groups.iter().find(|group| is_it(&group.name)) else { return false };
    let is_full = |rule: &corpus::Rule| match (rule.score, group.max_score) {
        (Some(wanted), Some(most)) => wanted == crate::score::Wanted::Within(most, most),
        _ => false,
    };
    let about = submission.rules.iter().filter(|rule| rule.is_about(&group.name));
    let mut about = about.filter(|rule| rule.expectation.is_some_and(|e| e.is_accepted()) || is_full(rule));
    about.next().is_some()
}

/// Returns the largest input of each secret group: of all in it, it most likely breaks the rules of narrower groups.
fn largest_of_each_group(package: &Package) -> Result<Vec<Vec<u8>>> {
    let bytes = |case: &&TestCase| std::fs::metadata(&case.input).map_or(0, |file| file.len());
    let groups = 0..package.groups.len();
    let largest = groups.filter_map(|number| {
        package.test_cases.iter().filter(|case| case.group == number && !case.is_sample).max_by_key(bytes)
    });
    largest.map(|case| read_file(&case.input)).collect()
}
