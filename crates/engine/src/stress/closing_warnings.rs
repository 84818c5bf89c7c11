//! Habits of the programs of a search that explain its result, or that other machines would not have.

use super::report_collector::explain_slow_reference;
use super::stress_plan::{CompiledSubmission, SearchResult, StressPlan};
use crate::event::WarningEvent;
use crate::input_reading::find_input_misfits;
use crate::inputs::find_long_type;
use rebut_packages::read_file;
use rebut_packages::verdict::Verdict;
use rebut_sandbox::Program;
use std::path::Path;

/// Number of inputs on which programs are run to see what they read.
const MISFIT_INPUTS: u64 = 8;

/// Returns the warnings at the end of a search. `has_findings` is true if the command has something else to report.
pub fn closing_warnings(
    plan: &StressPlan<'_>,
    result: &SearchResult,
    reference: &Path,
    has_findings: bool,
) -> Vec<WarningEvent> {
    let mut warnings = Vec::new();
    if !plan.judge_setup.cancel.is_cancelled() {
        warnings.extend(misfit_warnings(plan, result));
    }
    let has_run = result.progress.cases > 0;
    let is_silent = !has_run && result.progress.refused == 0 && result.hits.is_empty();
    if is_silent && !plan.judge_setup.cancel.is_cancelled() {
        let name = plan.judge_setup.reference.display_name();
        let explain =
            |why| WarningEvent { message: format!("the reference `{name}` answers no input: {why}"), help: None };
        warnings.extend(explain_slow_reference(plan).map(explain));
    }
    if !has_findings && has_run {
        warnings.extend(plan.submissions.iter().filter_map(long_type_warning));
        warnings.extend(same_program_warning(plan, reference));
    }
    warnings
}

/// Returns the warnings for programs that read more or less than the inputs contain. A failure to diagnose costs only
/// the warnings; it must not cost the result of the search.
fn misfit_warnings(plan: &StressPlan<'_>, result: &SearchResult) -> Vec<WarningEvent> {
    let mut inputs: Vec<Vec<u8>> = result.hits.iter().map(|hit| hit.input.bytes.clone()).collect();
    // An exhaustive source yields each input only once.
    if !plan.inputs.is_exhaustive() {
        for index in 0..MISFIT_INPUTS.min(result.progress.cases) {
            inputs.extend(plan.inputs.make_input(plan.seed, index).ok().flatten().map(|input| input.bytes));
        }
    }
    // One that takes its whole time on an input would take it each time.
    let is_slow = |i: usize| {
        result.hits.iter().any(|hit| hit.submission == Some(i) && hit.run_result.verdict == Verdict::TimeLimit)
    };
    let submissions = plan.submissions.iter().enumerate().filter(|(i, _)| !is_slow(*i));
    let submissions: Vec<(&str, &Program)> = submissions.map(|(_, s)| (s.name.as_str(), &s.program)).collect();
    find_input_misfits(&plan.judge_setup, &submissions, &inputs).unwrap_or_default()
}

/// Returns the warning for a submission that is the reference, so that their answers cannot differ.
fn same_program_warning(plan: &StressPlan<'_>, reference: &Path) -> Option<WarningEvent> {
    let source = read_file(reference).ok()?;
    let same = plan.submissions.iter().find(|submission| read_file(&submission.source).is_ok_and(|s| s == source))?;
    let name = &same.name;
    let message = format!("`{name}` is the same program as the reference, so no wrong answer can be found");
    let help = "`--reference` names a program that solves the problem by another method, however slow";
    Some(WarningEvent::new(message, help))
}

/// Returns the warning for a submission with numbers that some judges store in fewer bits.
fn long_type_warning(CompiledSubmission { name, source, .. }: &CompiledSubmission) -> Option<WarningEvent> {
    let line = find_long_type(source, &read_file(source).ok()?)?;
    let message =
        format!("`{name}` uses `long` (line {line}), which has 64 bits here and 32 on judges that run Windows");
    Some(WarningEvent { message, help: Some("`long long` has 64 bits everywhere".to_owned()) })
}
