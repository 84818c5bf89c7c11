//! Answer validators of a package, and the probes that `rebut verify` runs on them.

use super::super::compile_programs::{display_file_name, is_checktestdata_script, read_script_format};
use super::super::judges::{validation_limits, validator_convention};
use super::super::problem_setup;
use super::super::session::Session;
use rebut_diagnostics::Result;
use rebut_engine::event::{EventSink, ValidatorExposure};
use rebut_engine::probes::{JudgeOpinion, OpinionCache, ValidatorQuery, show_tokens};
use rebut_engine::verify::VerifyPlan;
use rebut_engine::{AnswerProbe, AnswerValidator, InputValidator, collect_answer_opinions};
use rebut_packages::{Package, ValidatorArguments, read_file};
use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::path::PathBuf;
use std::sync::Arc;

/// Compiles the answer validators of a package and returns them with their paths. Checktestdata scripts that cannot be
/// converted without loss are skipped with a warning.
pub(in crate::cli) fn answer_validators(
    package: &Package,
    session: &mut Session,
) -> Result<Vec<(PathBuf, AnswerValidator)>> {
    let mut found = Vec::new();
    for path in &package.answer_validators {
        let validator = if is_checktestdata_script(path) {
            let Some(format) = read_script_format(path, session)? else {
                session
                    .warn(format!("`{}` is skipped: it cannot be converted to a format without loss", path.display()));
                continue;
            };
            AnswerValidator::Format { name: display_file_name(path), format: Box::new(format) }
        } else {
            let Some((program, identity)) = problem_setup::compile_validator(package, path, session)? else { continue };
            let convention = validator_convention(package, path, session);
            AnswerValidator::Program(InputValidator { program, convention, identity })
        };
        found.push((path.clone(), validator));
    }
    Ok(found)
}

/// Results of running answer validators on answers.
pub(in crate::cli) struct AnswerProbeResults {
    /// Validators found faulty, by the cause.
    pub(in crate::cli) exposures: Vec<(String, ValidatorExposure)>,
    /// Names of the package's invalid answers that an answer validator refused; the output validator need not refuse
    /// these.
    pub(in crate::cli) refused_probes: BTreeSet<String>,
    /// Number of answers that were checked.
    pub(in crate::cli) answer_count: usize,
}

/// Inputs and outputs that the checker accepts, by the test case.
pub(in crate::cli) type AcceptedOutputs = BTreeMap<String, Vec<Arc<(Vec<u8>, Vec<u8>)>>>;

/// Runs the answer validators on all answers of test cases, on the answers that the package declares invalid, and on
/// accepted outputs.
pub(in crate::cli) fn probe_answers(
    package: &Package,
    plan: &VerifyPlan<'_>,
    accepted: &AcceptedOutputs,
    cache: &dyn OpinionCache,
    session: &mut Session,
) -> Result<AnswerProbeResults> {
    let (paths, validators): (Vec<_>, Vec<_>) = answer_validators(package, session)?.into_iter().unzip();
    let mut results = AnswerProbeResults { exposures: Vec::new(), refused_probes: BTreeSet::new(), answer_count: 0 };
    if validators.is_empty() {
        return Ok(results);
    }
    let words = |of: &ValidatorArguments| -> Vec<Vec<OsString>> {
        paths.iter().map(|path| of.arguments_for(path).iter().map(OsString::from).collect()).collect()
    };
    let mut probes = Vec::new();
    for case in &package.test_cases {
        let Some(answer) = &case.answer else { continue };
        let files = Arc::new((read_file(&case.input)?, read_file(answer)?));
        let (name, arguments) = (case.name.clone(), words(&case.answer_arguments));
        let outputs = accepted.get(&name).into_iter().flatten().map(|case| (Arc::clone(case), true));
        for (case, is_output) in [(files, false)].into_iter().chain(outputs) {
            let shown = if is_output { format!("{} on ", show_tokens(&case.1)) } else { String::new() };
            let (name, arguments) = (shown + &name, arguments.clone());
            probes.push(AnswerProbe { name, case, is_valid: true, is_output, arguments });
        }
    }
    for probe in package.probes.iter().filter(|probe| probe.is_answer) {
        let Some((answer, _)) = &probe.output else { continue };
        let files = Arc::new((read_file(&probe.input)?, read_file(answer)?));
        let (name, arguments) = (probe.name.clone(), words(&probe.answer_arguments));
        probes.push(AnswerProbe { name, case: files, is_valid: probe.is_valid, is_output: false, arguments });
    }
    let limits = validation_limits(package);
    let query = ValidatorQuery { validators: &validators, limits, jobs: plan.jobs, cache, cancel: plan.cancel.clone() };
    let opinions = collect_answer_opinions(&query, &probes)?;
    for (probe, opinions) in probes.iter().zip(&opinions) {
        if opinions.iter().any(|opinion| matches!(opinion, JudgeOpinion::Refused(_))) {
            results.refused_probes.insert(probe.name.clone());
        }
        results.exposures.extend(answer_exposures(probe, opinions, &validators));
    }
    results.answer_count = probes.iter().filter(|probe| !probe.is_output).count();
    Ok(results)
}

/// Returns the validators that an opinion on an answer exposes, with the cause. Invalid answers are not considered
/// here, since they can be left to the output validator.
fn answer_exposures(
    probe: &AnswerProbe,
    opinions: &[JudgeOpinion],
    validators: &[AnswerValidator],
) -> Vec<(String, ValidatorExposure)> {
    let mut found = Vec::new();
    for (validator, opinion) in validators.iter().zip(opinions) {
        let origin = if probe.is_output { "the checker accepts it" } else { "it is the answer of a test case" };
        let (what, failure) = match opinion {
            JudgeOpinion::Refused(why) if probe.is_valid => {
                let why = why.lines().next().unwrap_or_default();
                (format!("refused, though {origin}: {why}"), None)
            }
            JudgeOpinion::Failed(how) => ("the answer".to_owned(), Some(how.clone())),
            _ => continue,
        };
        let exposed = ValidatorExposure::new(validator.display_name(), &probe.name, &what);
        let exposed = ValidatorExposure { is_refused: probe.is_valid, is_lenient: probe.is_output, ..exposed };
        let cause = if probe.is_output { origin.to_owned() } else { what };
        found.push((cause, ValidatorExposure { failure, ..exposed }));
    }
    found
}
