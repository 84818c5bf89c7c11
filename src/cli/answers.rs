//! Who judges a package's answers, and what they are asked while it is verified.

use super::desk::Desk;
use super::jury::validation_limits;
use super::programs::{file_name, is_script};
use super::setup;
use crate::campaign::probes::{Asking, Opinion, Opinions};
use crate::campaign::verify::VerifyPlan;
use crate::campaign::{
    AnswerProbe, AnswerValidator, Convention, Event, Exposed, Sink, Validator, Warning, answer_opinions,
};
use crate::corpus::{self, ByValidator, Package, read_file};
use crate::ctd;
use crate::diagnostic::{Result, Source};
use crate::format::Format;
use std::collections::BTreeSet;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The answer validators of a package with their files. A script that no format can say is left out with a warning.
pub(super) fn validators(package: &Package, desk: &mut Desk) -> Result<Vec<(PathBuf, AnswerValidator)>> {
    let mut found = Vec::new();
    for path in &package.answer_validators {
        let validator = if is_script(path) {
            let Some(format) = from_script(path)? else {
                let message = format!("`{}` is not run: no format says the same", path.display());
                desk.take(&Event::Warning(Warning { message, help: None }));
                continue;
            };
            let format = Format { stop: desk.cancel.stop_token(), ..format };
            AnswerValidator::Format { name: file_name(path), format: Box::new(format) }
        } else {
            let Some((program, identity)) = setup::validator(package, path, desk)? else { continue };
            AnswerValidator::Program(Validator { program, convention: Convention::Plain, identity })
        };
        found.push((path.clone(), validator));
    }
    Ok(found)
}

fn from_script(path: &Path) -> Result<Option<Format>> {
    let script = Source::new(path.display().to_string(), corpus::read_description(path)?);
    let Some(converted) = ctd::convert(&script).ok().filter(|found| found.exact) else { return Ok(None) };
    let source = Source::new(script.name, converted.text.into_bytes());
    Ok(Format::parse(&source).ok().map(|(format, _)| format))
}

/// What was found out about answers.
pub(super) struct AnswersAsked {
    /// Who is exposed.
    pub(super) exposed: Vec<(String, Exposed)>,
    /// The package's own wrong answers that were refused: nobody else has to refuse them.
    pub(super) refused: BTreeSet<String>,
    /// How many answers there were.
    pub(super) count: usize,
}

/// Asks the answer validators about all answers of test cases, and about those of which the package says that they are wrong.
pub(super) fn ask(
    package: &Package,
    plan: &VerifyPlan<'_>,
    memory: &dyn Opinions,
    desk: &mut Desk,
) -> Result<AnswersAsked> {
    let (paths, validators): (Vec<_>, Vec<_>) = validators(package, desk)?.into_iter().unzip();
    let mut asked = AnswersAsked { exposed: Vec::new(), refused: BTreeSet::new(), count: 0 };
    if validators.is_empty() {
        return Ok(asked);
    }
    let words = |of: &ByValidator| -> Vec<Vec<OsString>> {
        paths.iter().map(|path| of.of(path).iter().map(OsString::from).collect()).collect()
    };
    let mut probes = Vec::new();
    for case in &package.test_cases {
        let Some(answer) = &case.answer else { continue };
        let files = Arc::new((read_file(&case.input)?, read_file(answer)?));
        let (name, arguments) = (case.name.clone(), words(&case.answer_arguments));
        probes.push(AnswerProbe { name, case: files, is_valid: true, arguments });
    }
    for probe in package.probes.iter().filter(|probe| probe.is_answer) {
        let Some((answer, _)) = &probe.output else { continue };
        let files = Arc::new((read_file(&probe.input)?, read_file(answer)?));
        let (name, arguments) = (probe.name.clone(), words(&probe.answer_arguments));
        probes.push(AnswerProbe { name, case: files, is_valid: probe.is_valid, arguments });
    }
    let limits = validation_limits(package);
    let trial = Asking { validators: &validators, limits, jobs: plan.jobs, memory, cancel: plan.cancel.clone() };
    let said = answer_opinions(&trial, &probes)?;
    for (probe, said) in probes.iter().zip(&said) {
        if said.iter().any(|opinion| matches!(opinion, Opinion::Refused(_))) {
            asked.refused.insert(probe.name.clone());
        }
        asked.exposed.extend(about(probe, said, &validators));
    }
    asked.count = probes.len();
    Ok(asked)
}

/// Whom the opinions on an answer expose, with the cause. One that the package calls wrong may be left to the output validator.
fn about(probe: &AnswerProbe, said: &[Opinion], validators: &[AnswerValidator]) -> Vec<(String, Exposed)> {
    let mut found = Vec::new();
    for (validator, opinion) in validators.iter().zip(said) {
        let (what, failure) = match opinion {
            Opinion::Refused(why) if probe.is_valid => {
                let why = why.lines().next().unwrap_or_default();
                (format!("refused, though it is the answer of a test case: {why}"), None)
            }
            Opinion::Failed(how) => ("the answer".to_owned(), Some(how.clone())),
            _ => continue,
        };
        let exposed = Exposed {
            validator: validator.name(),
            name: probe.name.clone(),
            what: what.clone(),
            failure,
            is_refused: probe.is_valid,
            is_lenient: false,
            others: Vec::new(),
        };
        found.push((what, exposed));
    }
    found
}
