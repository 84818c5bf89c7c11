//! Checks the inputs of a test set and computes their answers.

use super::test_inputs::TestInput;
use super::test_job::{InputMethod, TestJob};
use super::{BuildPlan, answer_key};
use crate::event::{BuildFlaw, BuildFlawKind};
use crate::judge::describe_outcome;
use crate::judging::ReferenceAnswer;
use rebut_checkers::Judgement;
use rebut_diagnostics::{DiagnosticText, ErrorKind, Result, SourceText};
use rebut_format::language::Format;
use rebut_format::read::read_input;
use rebut_format::validate::{explain_violation, find_violation};
use rebut_format::value::{Value, instances_in_holder};
use rebut_packages::verdict::Verdict;
use rebut_sandbox::Program;

/// The result of checking an input, with its answer.
#[derive(Clone, Debug, Default)]
pub(super) struct AnsweredInput {
    pub(super) answer: Option<Vec<u8>>,
    /// The parsed input, if the format of the problem accepts it.
    pub(super) value: Option<Value>,
    /// Number of cases in the input.
    pub(super) cases: usize,
    /// Whether the answer is from an earlier build.
    pub(super) is_reused: bool,
    pub(super) flaws: Vec<BuildFlaw>,
}

/// The result of checking an input against a format.
struct FormatOpinion {
    value: Option<Value>,
    refusal: Option<DiagnosticText>,
}

/// Checks an input, computes its answer, and checks the answer with validators and, unless it is only a candidate, with
/// accepted submissions, since the slowest of these would take most of the time.
pub(super) fn judge_and_answer(plan: &BuildPlan<'_>, input: &TestInput, is_test: bool) -> Result<AnsweredInput> {
    let mut answered = AnsweredInput { cases: 1, ..AnsweredInput::default() };
    let job = &plan.test_jobs[input.order];
    let own = plan.format.map(|format| problem_format_opinion(plan, format, input)).transpose()?;
    answered.flaws = find_input_flaws(plan, job, input, own.as_ref())?;
    if let (Some(format), Some(FormatOpinion { value: Some(value), .. })) = (plan.format, &own) {
        answered.cases =
            format.cases_block().map_or(1, |cases| instances_in_holder(format, cases, value.root_slots()).len());
    }
    answered.value = own.and_then(|own| own.value);
    if answered.flaws.is_empty() {
        find_answer(plan, job, input, is_test, &mut answered)?;
        validate_answer(plan, input, &mut answered)?;
    }
    Ok(answered)
}

/// Checks an input against the format and the validators that it names.
fn problem_format_opinion(plan: &BuildPlan<'_>, format: &Format, input: &TestInput) -> Result<FormatOpinion> {
    let own = format_opinion(format, input);
    if own.refusal.is_some() {
        return Ok(own);
    }
    for validator in &plan.own_validators {
        if let Some(objection) =
            validator.check_input(&input.bytes, &plan.judge_setup.judge_limits, &plan.judge_setup.cancel)?
        {
            let refusal = format!("its validator `{}` refuses it\n{objection}", validator.program.display_name());
            return Ok(FormatOpinion { value: None, refusal: Some(refusal.into()) });
        }
    }
    Ok(own)
}

fn format_opinion(format: &Format, input: &TestInput) -> FormatOpinion {
    let source = SourceText::new(format!("{}.in", input.name), input.bytes.clone());
    match read_input(format, &input.bytes) {
        Err(problem) => FormatOpinion { value: None, refusal: Some(problem.to_styled_text(&source)) },
        Ok(value) => {
            let refusal = find_violation(format, &value)
                .map(|broken| explain_violation(format, &value, &broken).to_styled_text(&source));
            FormatOpinion { value: refusal.is_none().then_some(value), refusal }
        }
    }
}

/// Returns the objections of the format, the validators and the recipe to an input.
fn find_input_flaws(
    plan: &BuildPlan<'_>,
    job: &TestJob,
    input: &TestInput,
    own: Option<&FormatOpinion>,
) -> Result<Vec<BuildFlaw>> {
    let flaw = |kind, message: String| BuildFlaw::new(input.order, &input.name, kind, message);
    let invalid = match job.method {
        InputMethod::Program { .. } => BuildFlawKind::Generator,
        _ => BuildFlawKind::Invalid,
    };
    let refusal = own.and_then(|own| own.refusal.clone());
    let mut flaws = Vec::new();
    let mut is_refused = false;
    for validator in &plan.validators {
        let name = validator.program.display_name();
        let objection =
            match validator.check_input(&input.bytes, &plan.judge_setup.judge_limits, &plan.judge_setup.cancel) {
                Ok(objection) => objection,
                Err(error) if error.kind() == ErrorKind::Judge => {
                    flaws.push(BuildFlaw::from_error(input.order, &input.name, BuildFlawKind::Validator, &error));
                    continue;
                }
                Err(error) => return Err(error),
            };
        is_refused |= objection.is_some();
        match (objection, &refusal, own.is_some()) {
            (Some(objection), None, true) => {
                let message = format!("the format accepts this input, and the validator `{name}` refuses it");
                flaws.push(flaw(BuildFlawKind::Disagreement, message).with_note(objection));
            }
            (None, Some(why), _) => {
                let message = format!("the validator `{name}` accepts this input, and the format refuses it");
                flaws.push(flaw(BuildFlawKind::Disagreement, message).with_note(why.clone()));
            }
            (Some(objection), None, false) => {
                flaws.push(flaw(invalid, format!("the validator `{name}` refuses this input")).with_note(objection));
            }
            (Some(_), Some(_), _) | (None, None, _) => {}
        }
    }
    if let Some(why) = &refusal
        && (plan.validators.is_empty() || is_refused)
    {
        flaws.push(flaw(invalid, "this input is invalid".to_owned()).with_note(why.clone()));
    }
    if flaws.is_empty()
        && let Some(restricted) = &job.format
        && let Some(why) = format_opinion(restricted, input).refusal
    {
        flaws.push(flaw(invalid, "this input violates the restrictions in the recipe".to_owned()).with_note(why));
    }
    Ok(flaws)
}

/// Checks that all accepted submissions agree on a candidate that was selected.
pub(super) fn check_selected(
    plan: &BuildPlan<'_>,
    input: &TestInput,
    answered: &AnsweredInput,
) -> Result<Vec<BuildFlaw>> {
    let mut checked = AnsweredInput::default();
    if let Some(answer) = answered.answer.as_ref().filter(|_| !answered.is_reused) {
        check_accepted_agree(plan, input, answer, &mut checked)?;
    }
    Ok(checked.flaws)
}

/// Computes the answer with the reference, or takes the stated one if the judge accepts it, and checks that all
/// accepted submissions agree if it is a test.
fn find_answer(
    plan: &BuildPlan<'_>,
    job: &TestJob,
    input: &TestInput,
    is_test: bool,
    answered: &mut AnsweredInput,
) -> Result<()> {
    if !plan.rebuild_all
        && let Some(reused) = plan.set.find_built_bytes(&answer_key(plan, input))
    {
        answered.answer = Some(reused);
        answered.is_reused = true;
        return Ok(());
    }
    let flaw = |kind, message: String| BuildFlaw::new(input.order, &input.name, kind, message);
    let name = plan.judge_setup.reference.display_name();
    if plan.judge_setup.judge.needs_no_answer() {
        // The output of a submission is not an answer, so the reference is checked like any accepted submission.
        let stated = job.answer.as_ref().map(|stated| stated.bytes.clone()).unwrap_or_default();
        let name = name.rsplit('/').next().unwrap_or(name);
        check_accepted_submission(plan, input, &plan.judge_setup.reference, name, &stated, answered)?;
        if is_test {
            check_accepted_agree(plan, input, &stated, answered)?;
        }
        answered.answer = Some(stated);
        return Ok(());
    }
    let known = match plan.judge_setup.run_reference(&input.bytes)? {
        ReferenceAnswer::Known(known) => known,
        ReferenceAnswer::TooSlow => {
            let message = format!("the reference `{name}` is too slow to answer this input");
            answered.flaws.push(flaw(BuildFlawKind::NoAnswer, message));
            return Ok(());
        }
        ReferenceAnswer::Failed(outcome) => {
            let message = format!("the reference `{name}` {} on this input", describe_outcome(&outcome));
            let note = String::from_utf8_lossy(&outcome.stderr).into_owned();
            answered.flaws.push(flaw(BuildFlawKind::NoAnswer, message).with_note(note));
            return Ok(());
        }
    };
    if is_test {
        check_accepted_agree(plan, input, &known, answered)?;
    }
    answered.answer = Some(match &job.answer {
        Some(stated) => {
            let judgement = plan.judge_setup.judge_output(&input.bytes, &known, &stated.bytes)?;
            if let Some(why) = judgement_objection(&judgement) {
                let message = format!("the answer in `{}` differs from that of the reference `{name}`", stated.origin);
                answered.flaws.push(flaw(BuildFlawKind::Answer, message).with_note(why));
            }
            stated.bytes.clone()
        }
        None => known,
    });
    Ok(())
}

/// Checks the answer with the answer validators.
fn validate_answer(plan: &BuildPlan<'_>, input: &TestInput, answered: &mut AnsweredInput) -> Result<()> {
    let Some(answer) = &answered.answer else { return Ok(()) };
    for validator in &plan.answer_validators {
        let both = (&input.bytes[..], &answer[..]);
        let name = validator.display_name();
        let flaw = match validator.check_answer(both, &[], &plan.judge_setup.judge_limits, &plan.judge_setup.cancel) {
            Ok(None) => continue,
            Ok(Some(objection)) => {
                let message = format!("the answer validator `{name}` refuses this answer");
                BuildFlaw::new(input.order, &input.name, BuildFlawKind::Answer, message).with_note(objection)
            }
            Err(error) if error.kind() == ErrorKind::Judge => {
                BuildFlaw::from_error(input.order, &input.name, BuildFlawKind::Validator, &error)
            }
            Err(error) => return Err(error),
        };
        answered.flaws.push(flaw);
    }
    Ok(())
}

/// Returns the objection of a checker to an output.
fn judgement_objection(judgement: &Judgement) -> Option<String> {
    match judgement {
        Judgement::Accepted => None,
        Judgement::Wrong(mismatch) => Some(mismatch.message.clone()),
        Judgement::Failed(why) => Some(why.clone()),
    }
}

/// Checks that every accepted submission is accepted on the input.
fn check_accepted_agree(
    plan: &BuildPlan<'_>,
    input: &TestInput,
    answer: &[u8],
    answered: &mut AnsweredInput,
) -> Result<()> {
    for accepted in &plan.accepted {
        check_accepted_submission(plan, input, &accepted.program, &accepted.name, answer, answered)?;
    }
    Ok(())
}

fn check_accepted_submission(
    plan: &BuildPlan<'_>,
    input: &TestInput,
    program: &Program,
    name: &str,
    answer: &[u8],
    answered: &mut AnsweredInput,
) -> Result<()> {
    let result = plan.judge_setup.run_and_judge(program, &input.bytes, answer)?;
    if result.verdict == Verdict::Accepted {
        return Ok(());
    }
    let kind = if result.verdict == Verdict::JudgeError { BuildFlawKind::Judge } else { BuildFlawKind::Contradiction };
    let message = format!("`{name}` must be accepted, but gets: {}", result.verdict);
    let why = result.mismatch.map(|mismatch| mismatch.message).or(result.checker_failure);
    answered.flaws.push(BuildFlaw::new(input.order, &input.name, kind, message).with_note(why.unwrap_or_default()));
    Ok(())
}
