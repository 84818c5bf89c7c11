//! `rebut stress --save` and `rebut replay --save DIR`: adds the input of a finding to the test group where it belongs.
//!
//! A group accepts an input if all of these do: the recipe's restrictions on the group, the format's subtask of the
//! same name, and the input validators with the group's arguments. If several groups accept it, it goes to the
//! narrowest one, which accepts the fewest of the existing test cases.

use super::super::compile_programs;
use super::super::discover::PACKAGE_FILE;
use super::super::groups::{TestGroup, find_groups};
use super::super::infer::samples::find_samples;
use super::super::judges::validation_limits;
use super::super::problem_setup::ProblemContext;
use super::super::session::Session;
use rebut_diagnostics::{Error, ErrorKind, Result};
use rebut_engine::InputValidator;
use rebut_engine::event::{Event, EventSink, Finding, FindingFailure, FindingSlowness, WarningEvent};
use rebut_format::invalid;
use rebut_format::language::Format;
use rebut_packages::recipe::SECRET_GROUP;
use rebut_packages::verdict::Verdict;
use rebut_packages::{FindingFiles, Package, PackageSubmission, read_file};
use rebut_sandbox::RunJob;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// Folder for test cases that were not generated.
const HANDMADE_FOLDER: &str = "handmade";

/// Adds the input of a finding to the recipe, or to the test cases of a package without a recipe. The name of the test
/// contains that of the submission.
///
/// # Errors
/// Returns an error if the recipe or a test case cannot be read, a validator cannot be run, or the package cannot be
/// written.
pub(in crate::cli) fn save_finding_as_test(
    problem: &ProblemContext,
    found: &Finding,
    session: &mut Session,
) -> Result<()> {
    let package = problem.require_package()?;
    let handmade = package.folder.join(HANDMADE_FOLDER);
    let same = match &package.recipe {
        // A slow input is saved as the pattern that makes it.
        Some(recipe) if found.slowness.is_none() => {
            let known = String::from_utf8_lossy(&read_file(recipe)?).into_owned();
            let is_listed = |name: &String| known.contains(&format!("{HANDMADE_FOLDER}/{name}.in\""));
            name_of_same_input(&handmade, &found.run.input).filter(is_listed)
        }
        _ => None,
    };
    if let Some(name) = same {
        session.warn(format!("`{}` has this input already: `{name}`", handmade.display()));
        return Ok(());
    }
    let (message, help) = match choose_group(problem, found, session)? {
        Some(group) => match &package.recipe {
            Some(recipe) => {
                let name = add_to_recipe(package, recipe, &group, found)?;
                let place = if group == SECRET_GROUP { String::new() } else { format!(", in the group `{group}`") };
                let help = format!("`rebut build {}` adds it to the test set", package.folder.display());
                (format!("`{}` has a new test, `{name}`{place}", recipe.display()), Some(help))
            }
            None => {
                let folder = package.folder.join("data").join(&group);
                (add_to_folder(&folder, "", "test case", found)?, None)
            }
        },
        None => {
            let (id, submission) = (&package.id, &found.failure.submission);
            let message =
                format!("no group of `{id}` accepts the input on which `{submission}` fails, so it is not saved");
            (message, Some("add a group for it, or add it to a group by hand".to_owned()))
        }
    };
    session.take_event(&Event::Warning(WarningEvent { message, help }));
    Ok(())
}

/// Appends a test to the recipe and returns its name.
fn add_to_recipe(package: &Package, recipe: &Path, group: &str, found: &Finding) -> Result<String> {
    if let Some(slowness) = &found.slowness {
        return add_pattern_to_recipe(recipe, group, found, slowness);
    }
    let handmade = package.folder.join(HANDMADE_FOLDER);
    let name = unused_test_name(found, |name| handmade.join(format!("{name}.in")).exists());
    let file = format!("{HANDMADE_FOLDER}/{name}.in");
    let mut text = read_file(recipe)?;
    let group = if group == SECRET_GROUP { String::new() } else { format!("group = \"{group}\"\n") };
    let entry = format!("\n[[test]]\n{group}name = \"{name}\"\nfile = \"{file}\"\n");
    text.extend_from_slice(entry.as_bytes());
    let input = [(package.folder.join(&file), &*found.run.input)];
    rebut_packages::write_new_files(&input, || rebut_packages::write_atomically(recipe, &text))?;
    Ok(name)
}

/// Appends a test that makes a slow input again from its pattern, and returns its name.
fn add_pattern_to_recipe(recipe: &Path, group: &str, found: &Finding, slowness: &FindingSlowness) -> Result<String> {
    let mut text = read_file(recipe)?;
    let known = String::from_utf8_lossy(&text).into_owned();
    let name = unused_test_name(found, |name| known.contains(&format!("\"{name}\"")));
    let group = if group == SECRET_GROUP { String::new() } else { format!("group = \"{group}\"\n") };
    let law = slowness.law.as_ref().map(|law| format!("# {} grows as {law} here", found.failure.submission));
    let ordinary = slowness.ordinary_law.as_ref().map(|law| format!(", and on random inputs as {law}"));
    let comment = law.map(|law| law + &ordinary.unwrap_or_default() + "\n").unwrap_or_default();
    let entry = format!("\n{comment}[[test]]\n{group}name = \"{name}\"\n{}", slowness.recipe);
    text.extend_from_slice(entry.as_bytes());
    rebut_packages::write_atomically(recipe, &text)?;
    Ok(name)
}

/// Adds the input of a recorded finding to the tests of a package, or to the samples in a folder that has none.
///
/// # Errors
/// Returns an error as [`save_finding_as_test`] does.
pub(in crate::cli) fn save_recorded_finding(
    finding: &FindingFiles,
    folder: &Path,
    session: &mut Session,
) -> Result<()> {
    let name = compile_programs::display_file_name(&finding.record.submission);
    let mut found = Finding::from_failure(FindingFailure::new(&name, Verdict::WrongAnswer));
    (found.run.input, found.run.answer) = (finding.input.clone(), finding.answer.clone());
    if folder.join(PACKAGE_FILE).is_file() || !folder.is_dir() {
        return save_finding_as_test(&ProblemContext::from_folder(folder, session)?, &found, session);
    }
    let samples = find_samples(folder);
    let place = samples.first().and_then(|sample| sample.input.parent()).unwrap_or(folder);
    // Samples named so come alone, and would hide another.
    let is_named = samples.iter().any(|sample| sample.name.starts_with("sample"));
    session.warn(add_to_folder(&place.join(""), if is_named { "sample-" } else { "" }, "sample", &found)?);
    Ok(())
}

/// Returns the name of a test case of a folder with this input.
fn name_of_same_input(folder: &Path, input: &[u8]) -> Option<String> {
    let files = std::fs::read_dir(folder).ok()?.flatten().map(|entry| entry.path());
    let mut same = files.filter(|path| {
        let is_input = path.extension().is_some_and(|extension| extension == "in");
        is_input
            && path.metadata().is_ok_and(|file| file.len() == input.len() as u64)
            && std::fs::read(path).is_ok_and(|bytes| bytes == input)
    });
    same.next()?.file_stem().map(|stem| stem.display().to_string())
}

/// Writes a test case, unless the folder has its input already, and returns a message about it.
fn add_to_folder(folder: &Path, prefix: &str, noun: &str, found: &Finding) -> Result<String> {
    let place = folder.display();
    if let Some(name) = name_of_same_input(folder, &found.run.input) {
        return Ok(format!("`{place}` has this input already: `{name}`"));
    }
    let is_used = |name: &str| folder.join(format!("{prefix}{name}.in")).exists();
    let name = prefix.to_owned() + &unused_test_name(found, is_used);
    let files = [("ans", &*found.run.answer), ("in", &*found.run.input)];
    let files = files.map(|(extension, bytes)| (folder.join(format!("{name}.{extension}")), bytes));
    rebut_packages::write_new_files(&files, || Ok(()))?;
    Ok(format!("`{place}` has a new {noun}, `{name}`"))
}

/// Returns `kills_` and the submission's name, with a number appended if the name is taken.
fn unused_test_name(found: &Finding, is_used: impl Fn(&str) -> bool) -> String {
    let stem = found.failure.submission.rsplit('/').next().unwrap_or_default().split('.').next().unwrap_or_default();
    let safe: String = stem.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
    let name = format!("kills_{safe}");
    let numbered = (2..).map(|i| format!("{name}_{i}"));
    std::iter::once(name.clone()).chain(numbered).find(|name| !is_used(name)).unwrap_or_default()
}

/// Decides which inputs groups accept.
struct GroupAcceptance<'a> {
    validators: Vec<(PathBuf, InputValidator)>,
    package: &'a Package,
    format: Option<&'a Format>,
    session: &'a Session,
}

/// Returns the group that the input of a finding belongs to, or `None` if no group accepts it.
fn choose_group(problem: &ProblemContext, found: &Finding, session: &mut Session) -> Result<Option<String>> {
    let package = problem.require_package()?;
    let candidates = group_candidates(problem)?;
    // Without groups, all tests are secret.
    if let [only] = &candidates[..]
        && only.name == SECRET_GROUP
    {
        return Ok(Some(only.name.clone()));
    }
    let validators = problem.compile_package_validators(&|_| true, session)?;
    let rules = GroupAcceptance { validators, package, format: problem.format.as_ref(), session };
    let submission = package.submissions.iter().find(|s| s.path.ends_with(&found.failure.submission));
    let mut accepting = Vec::new();
    for candidate in &candidates {
        let must_pass = submission.is_some_and(|submission| is_expected_to_pass(submission, candidate, package));
        if !must_pass && rules.accepts_input(candidate, &found.run.input)? {
            accepting.push(candidate);
        }
    }
    if accepting.len() > 1 {
        let inputs = largest_input_per_group(package)?;
        let mut breadths = Vec::new();
        for candidate in &accepting {
            let accepted = inputs.iter().map(|input| rules.accepts_input(candidate, input));
            let accepted: Vec<bool> = accepted.collect::<Result<_>>()?;
            breadths.push(accepted.into_iter().filter(|is_accepted| *is_accepted).count());
        }
        // Among groups with the same rules, the last is by convention the hardest.
        let narrowest = (0..accepting.len()).rev().min_by_key(|number| breadths[*number]);
        return Ok(narrowest.map(|number| accepting[number].name.clone()));
    }
    Ok(accepting.first().map(|candidate| candidate.name.clone()))
}

impl GroupAcceptance<'_> {
    fn accepts_input(&self, candidate: &TestGroup, input: &[u8]) -> Result<bool> {
        let format = candidate.format.as_ref().or(self.format);
        if format.is_some_and(|format| invalid::find_refusal(format, input).is_some()) {
            return Ok(false);
        }
        let limits = validation_limits(self.package);
        for (path, validator) in &self.validators {
            let arguments = validator_arguments(self.package, &candidate.folder, path);
            let job = RunJob { args: &arguments, ..RunJob::new(input, &limits) };
            match validator.check_job(&job, &self.session.cancel).map(|(refusal, _)| refusal) {
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

/// Returns the groups that a test can be added to, in order.
fn group_candidates(problem: &ProblemContext) -> Result<Vec<TestGroup>> {
    let package = problem.require_package()?;
    let mut found = find_groups(problem).map_err(|error| match (error.diagnostics(), &package.recipe) {
        (Some(_), Some(path)) => {
            Error::usage_error(format!("`{}` has errors, so no test can be added to it", path.display()))
                .with_help(format!("`rebut build {}` shows them", package.folder.display()))
        }
        _ => error,
    })?;
    let has_groups = found.iter().any(|candidate| candidate.name != SECRET_GROUP);
    if package.scoring.is_some() && has_groups {
        // A test outside the groups would give no points.
        found.retain(|candidate| candidate.name != SECRET_GROUP);
    } else if !has_groups || found.iter().any(|candidate| candidate.name == SECRET_GROUP) {
        let [name, folder] = [SECRET_GROUP.to_owned(), SECRET_GROUP.to_owned()];
        return Ok(vec![TestGroup { name, folder, subtask: None, format: None }]);
    }
    Ok(found)
}

/// Returns the arguments of an input validator in a group. A group without a folder inherits those of the enclosing
/// folder.
fn validator_arguments(package: &Package, folder: &str, validator: &Path) -> Vec<OsString> {
    let find = |name: &str| package.groups.iter().find(|group| group.name == name);
    let group = find(folder).or_else(|| find(SECRET_GROUP)).or_else(|| find(""));
    let words = group.map(|group| group.input_arguments.arguments_for(validator)).unwrap_or_default();
    words.iter().map(OsString::from).collect()
}

/// Returns true if the submission is expected to be accepted in a group; an input on which it fails does not belong
/// there.
fn is_expected_to_pass(submission: &PackageSubmission, candidate: &TestGroup, package: &Package) -> bool {
    let is_it = |name: &str| name == candidate.name || name.strip_prefix("secret/") == Some(candidate.name.as_str());
    let Some(group) = package.groups.iter().find(|group| is_it(&group.name)) else { return false };
    let is_full = |rule: &rebut_packages::SubmissionRule| match (rule.expected_score, group.max_score) {
        (Some(wanted), Some(most)) => wanted == rebut_packages::score::ExpectedScore::Within(most, most),
        _ => false,
    };
    let about = submission.rules.iter().filter(|rule| rule.covers_name(&group.name));
    let mut about = about.filter(|rule| rule.expectation.is_some_and(|e| e.is_accepted()) || is_full(rule));
    about.next().is_some()
}

/// Returns the largest input of each secret group, which is the one most likely to break the rules of narrower groups.
fn largest_input_per_group(package: &Package) -> Result<Vec<Vec<u8>>> {
    let groups = 0..package.groups.len();
    let largest = groups.filter_map(|number| {
        package
            .test_cases
            .iter()
            .filter(|case| case.group == number && !case.is_sample)
            .max_by_key(|case| case.input_bytes())
    });
    largest.map(|case| read_file(&case.input)).collect()
}
