//! What is thought of an input, and its answer.

use super::super::bench::{Answer, outcome_words};
use super::flaw::{Flaw, FlawKind};
use super::input::Input;
use super::order::{Making, Order};
use super::{BuildPlan, answer_key};
use crate::diagnostic::{ErrorKind, Result, Source};
use crate::format::Format;
use crate::read::read;
use crate::run::Program;
use crate::validate::{explain, violation};
use crate::value::{Value, instances_in};
use crate::verdict::Verdict;
use rebut_checkers::Judgement;

/// An input that was judged, with its answer.
#[derive(Clone, Debug, Default)]
pub(super) struct Answered {
    pub(super) answer: Option<Vec<u8>>,
    /// Its value, if the problem's format reads it.
    pub(super) value: Option<Value>,
    /// How many cases it has.
    pub(super) cases: usize,
    /// Whether an earlier build found the answer.
    pub(super) is_kept: bool,
    pub(super) flaws: Vec<Flaw>,
}

/// What the format thinks of an input.
struct Opinion {
    value: Option<Value>,
    refusal: Option<String>,
}

/// Judges an input, answers it, and compares the answer with what others say.
pub(super) fn answered(plan: &BuildPlan<'_>, input: &Input) -> Result<Answered> {
    let mut answered = Answered { cases: 1, ..Answered::default() };
    let order = &plan.orders[input.order];
    let own = plan.format.map(|format| own_opinion(plan, format, input)).transpose()?;
    answered.flaws = judged(plan, order, input, own.as_ref())?;
    if let (Some(format), Some(Opinion { value: Some(value), .. })) = (plan.format, &own) {
        answered.cases = format.cases().map_or(1, |cases| instances_in(format, cases, value.slots()).len());
    }
    answered.value = own.and_then(|own| own.value);
    if answered.flaws.is_empty() {
        answer(plan, order, input, &mut answered)?;
        object(plan, input, &mut answered)?;
    }
    Ok(answered)
}

/// What the format thinks, and the validators that it names.
fn own_opinion(plan: &BuildPlan<'_>, format: &Format, input: &Input) -> Result<Opinion> {
    let own = opinion(format, input);
    if own.refusal.is_some() {
        return Ok(own);
    }
    for validator in &plan.own_validators {
        if let Some(said) = validator.refuses(&input.bytes, &plan.bench.jury_limits, &plan.bench.cancel)? {
            let refusal = format!("its validator `{}` refuses it\n{said}", validator.program.display_name());
            return Ok(Opinion { value: None, refusal: Some(refusal) });
        }
    }
    Ok(own)
}

fn opinion(format: &Format, input: &Input) -> Opinion {
    let source = Source::new(format!("{}.in", input.name), input.bytes.clone());
    match read(format, &input.bytes) {
        Err(problem) => Opinion { value: None, refusal: Some(problem.render(&source)) },
        Ok(value) => {
            let refusal = violation(format, &value).map(|broken| explain(format, &value, &broken).render(&source));
            Opinion { value: refusal.is_none().then_some(value), refusal }
        }
    }
}

/// What the format, the validators and the recipe have against an input.
fn judged(plan: &BuildPlan<'_>, order: &Order, input: &Input, own: Option<&Opinion>) -> Result<Vec<Flaw>> {
    let flaw = |kind, message: String| Flaw::new(input.order, &input.name, kind, message);
    let invalid = match order.making {
        Making::Program { .. } => FlawKind::Generator,
        _ => FlawKind::Invalid,
    };
    let refusal = own.and_then(|own| own.refusal.clone());
    let mut flaws = Vec::new();
    let mut is_refused = false;
    for validator in &plan.validators {
        let name = validator.program.display_name();
        let said = match validator.refuses(&input.bytes, &plan.bench.jury_limits, &plan.bench.cancel) {
            Ok(said) => said,
            Err(error) if error.kind() == ErrorKind::Judge => {
                flaws.push(Flaw::of(input.order, &input.name, FlawKind::Validator, &error));
                continue;
            }
            Err(error) => return Err(error),
        };
        is_refused |= said.is_some();
        match (said, &refusal, own.is_some()) {
            (Some(said), None, true) => {
                let message = format!("the format accepts this input, and the validator `{name}` refuses it");
                flaws.push(flaw(FlawKind::Disagreement, message).note(said));
            }
            (None, Some(why), _) => {
                let message = format!("the validator `{name}` accepts this input, and the format refuses it");
                flaws.push(flaw(FlawKind::Disagreement, message).note(why));
            }
            (Some(said), None, false) => {
                flaws.push(flaw(invalid, format!("the validator `{name}` refuses this input")).note(said));
            }
            (Some(_), Some(_), _) | (None, None, _) => {}
        }
    }
    if let Some(why) = &refusal
        && (plan.validators.is_empty() || is_refused)
    {
        flaws.push(flaw(invalid, "this input is invalid".to_owned()).note(why));
    }
    if flaws.is_empty()
        && let Some(demanded) = &order.format
        && let Some(why) = opinion(demanded, input).refusal
    {
        flaws.push(flaw(invalid, "this input is not as the recipe demands".to_owned()).note(why));
    }
    Ok(flaws)
}

/// The reference's answer, or the stated one if that is as good, and whether all accepted submissions agree.
fn answer(plan: &BuildPlan<'_>, order: &Order, input: &Input, answered: &mut Answered) -> Result<()> {
    if !plan.anew
        && let Some(kept) = plan.set.kept(&answer_key(plan, input))
    {
        answered.answer = Some(kept);
        answered.is_kept = true;
        return Ok(());
    }
    let flaw = |kind, message: String| Flaw::new(input.order, &input.name, kind, message);
    let name = plan.bench.reference.display_name();
    if plan.bench.referee.knows_what_is_right() {
        // No output of a submission is an answer: the reference shows that it is right as all others do.
        let stated = order.answer.as_ref().map(|stated| stated.bytes.clone()).unwrap_or_default();
        let name = name.rsplit('/').next().unwrap_or(name);
        contradiction(plan, input, &plan.bench.reference, name, &stated, answered)?;
        agree(plan, input, &stated, answered)?;
        answered.answer = Some(stated);
        return Ok(());
    }
    let known = match plan.bench.answer(&input.bytes)? {
        Answer::Known(known) => known,
        Answer::TooSlow => {
            let message = format!("the reference `{name}` is too slow to answer this input");
            answered.flaws.push(flaw(FlawKind::NoAnswer, message));
            return Ok(());
        }
        Answer::Failed(outcome) => {
            let message = format!("the reference `{name}` {} on this input", outcome_words(&outcome));
            let note = String::from_utf8_lossy(&outcome.stderr).into_owned();
            answered.flaws.push(flaw(FlawKind::NoAnswer, message).note(note));
            return Ok(());
        }
    };
    agree(plan, input, &known, answered)?;
    answered.answer = Some(match &order.answer {
        Some(stated) => {
            let judgement = plan.bench.judgement(&input.bytes, &known, &stated.bytes)?;
            if let Some(why) = objection(&judgement) {
                let message = format!("the answer in `{}` is not that of the reference `{name}`", stated.origin);
                answered.flaws.push(flaw(FlawKind::Answer, message).note(why));
            }
            stated.bytes.clone()
        }
        None => known,
    });
    Ok(())
}

/// What the answer validators have against the answer.
fn object(plan: &BuildPlan<'_>, input: &Input, answered: &mut Answered) -> Result<()> {
    let Some(answer) = &answered.answer else { return Ok(()) };
    for validator in &plan.answer_validators {
        let both = (&input.bytes[..], &answer[..]);
        let name = validator.name();
        let flaw = match validator.refuses(both, &[], &plan.bench.jury_limits, &plan.bench.cancel) {
            Ok(None) => continue,
            Ok(Some(said)) => {
                let message = format!("the answer validator `{name}` refuses this answer");
                Flaw::new(input.order, &input.name, FlawKind::Answer, message).note(said)
            }
            Err(error) if error.kind() == ErrorKind::Judge => {
                Flaw::of(input.order, &input.name, FlawKind::Validator, &error)
            }
            Err(error) => return Err(error),
        };
        answered.flaws.push(flaw);
    }
    Ok(())
}

/// What a checker has against an output.
fn objection(judgement: &Judgement) -> Option<String> {
    match judgement {
        Judgement::Accepted => None,
        Judgement::Wrong(mismatch) => Some(mismatch.message.clone()),
        Judgement::Failed(why) => Some(why.clone()),
    }
}

/// Runs every accepted submission on the input.
fn agree(plan: &BuildPlan<'_>, input: &Input, answer: &[u8], answered: &mut Answered) -> Result<()> {
    for accepted in &plan.accepted {
        contradiction(plan, input, &accepted.program, &accepted.name, answer, answered)?;
    }
    Ok(())
}

/// Runs a submission that has to be accepted.
fn contradiction(
    plan: &BuildPlan<'_>,
    input: &Input,
    program: &Program,
    name: &str,
    answer: &[u8],
    answered: &mut Answered,
) -> Result<()> {
    let trial = plan.bench.trial(program, &input.bytes, answer)?;
    if trial.verdict == Verdict::Accepted {
        return Ok(());
    }
    let kind = if trial.verdict == Verdict::JudgeError { FlawKind::Referee } else { FlawKind::Contradiction };
    let message = format!("`{name}` has to be accepted, and gets: {}", trial.verdict);
    let why = trial.mismatch.map(|mismatch| mismatch.message).or(trial.checker_failure);
    answered.flaws.push(Flaw::new(input.order, &input.name, kind, message).note(why.unwrap_or_default()));
    Ok(())
}
