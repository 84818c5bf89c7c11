//! Every input of a restricted format, packed into as few files as possible.

use super::new_input::{InputFailure, NewInput};
use super::test_job::TestJob;
use crate::event::BuildFlawKind;
use crate::inputs::{ExhaustiveInputs, can_pack_cases, pack_cases};
use crate::tuning::{MAX_SCOPE_FILES, MAX_SCOPE_INPUTS};
use rebut_diagnostics::Result;
use rebut_format::enumerate::Enumerator;
use rebut_format::generate::GenerationPlan;
use rebut_format::language::Format;
use rebut_format::print::print_value;
use rebut_format::value::Value;
use rebut_sandbox::{CancelToken, RunLimits};

/// Returns all inputs of the job's format that its validators accept, the smallest first.
pub(super) fn enumerate_inputs(
    job: &TestJob,
    limits: &RunLimits,
    cancel: &CancelToken,
) -> Result<std::result::Result<Vec<NewInput>, InputFailure>> {
    let not_generated =
        |message: String| Ok(Err(InputFailure::new(BuildFlawKind::NotGenerated, message, String::new())));
    let Some(format) = &job.format else {
        return not_generated("`exhaustive` requires a format".to_owned());
    };
    let single = ExhaustiveInputs::single_case_format(format);
    let plan = GenerationPlan::new(single.as_ref().unwrap_or(format));
    let stop = || cancel.is_cancelled();
    let mut values = Vec::new();
    let mut enumerator = Enumerator::new(&plan, usize::MAX, &stop);
    for value in enumerator.by_ref() {
        if values.len() == MAX_SCOPE_INPUTS {
            return not_generated(format!("the scope has more than {MAX_SCOPE_INPUTS} inputs: narrow it"));
        }
        if passes_validators(job, plan.format, &value, limits, cancel)? {
            values.push(value);
        }
    }
    if cancel.is_cancelled() {
        return Err(rebut_diagnostics::Error::interrupted());
    }
    if enumerator.is_cut_short() {
        return not_generated(
            "the inputs of the scope cannot be listed: the enumeration would need too much memory".to_owned(),
        );
    }
    if values.is_empty() {
        return not_generated("the scope contains no input".to_owned());
    }
    match pack_into_files(format, &values) {
        Some(files) => Ok(Ok(files)),
        None => not_generated(format!(
            "the {} inputs of the scope need more than {MAX_SCOPE_FILES} files: narrow it",
            values.len()
        )),
    }
}

fn passes_validators(
    job: &TestJob,
    format: &Format,
    value: &Value,
    limits: &RunLimits,
    cancel: &CancelToken,
) -> Result<bool> {
    for validator in &job.validators {
        if validator.check_input(&print_value(format, value), limits, cancel)?.is_some() {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Packs the inputs into files, each as full as possible. Returns `None` if there are too many files.
fn pack_into_files(format: &Format, mut values: &[Value]) -> Option<Vec<NewInput>> {
    let mut files = Vec::new();
    while !values.is_empty() {
        let (taken, value) = pack_longest_prefix(format, values)?;
        files.push(NewInput { bytes: print_value(format, &value), ..NewInput::default() });
        values = &values[taken..];
        if files.len() > MAX_SCOPE_FILES {
            return None;
        }
    }
    Some(files)
}

/// Packs as many of the first values as possible into one file, and returns their number and the file. The search is
/// binary, because more cases never fit better.
fn pack_longest_prefix(format: &Format, values: &[Value]) -> Option<(usize, Value)> {
    let most = if can_pack_cases(format) { values.len() } else { 1 };
    if let Some(all) = pack_cases(format, &values[..most]) {
        return Some((most, all));
    }
    let (mut fits, mut too_many) = (1, most);
    while too_many - fits > 1 {
        let middle = usize::midpoint(fits, too_many);
        match pack_cases(format, &values[..middle]) {
            Some(_) => fits = middle,
            None => too_many = middle,
        }
    }
    Some((fits, pack_cases(format, &values[..fits])?))
}
