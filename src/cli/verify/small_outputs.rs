//! `rebut verify` tries small outputs: each that the checker accepts must be right as the answer, too, and validators of
//! answers must accept it.

use super::super::build::answers::AcceptedOutputs;
use super::super::session::Session;
use rebut_diagnostics::Result;
use rebut_engine::event::{SmallOutputSummary, ValidatorExposure};
use rebut_engine::probes::{OpinionCache, SmallOutputQuery, is_integer, show_tokens, try_small_outputs};
use rebut_engine::verify::VerifyPlan;
use rebut_engine::{InputValidator, Judge};
use rebut_format::enumerate::Enumerator;
use rebut_format::generate::GenerationPlan;
use rebut_format::language::Format;
use rebut_format::print::print_value;
use rebut_packages::read_file;
use rebut_sandbox::RunJob;
use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// Maximum size in bytes of an answer beside which small outputs are tried, number of test cases, and number of inputs of the format.
const MAX_ANSWER_BYTES: u64 = 1_000;
const MAX_CASES: usize = 4;
const MAX_FORMAT_CASES: usize = 2;

/// Number of inputs of the format among which different answers are searched for, and steps to find them and to check their
/// constraints.
const MAX_FORMAT_INPUTS: usize = 20;
const MAX_FORMAT_STEPS: u64 = 10_000;
const MAX_CONSTRAINT_STEPS: u64 = 1_000_000;

/// Maximum number of words in answers that small outputs consist of, and their size in bytes.
const MAX_WORDS: usize = 4;
const MAX_WORD_BYTES: usize = 20;

/// Number of accepted outputs of a test case that validators of answers are given, and of those that the report shows.
const MAX_VALIDATED_OUTPUTS: usize = 5;
const MAX_EXAMPLES: usize = 2;

/// The results on all test cases: those on which the checker did not contradict itself, contradictions with their cause, and
/// accepted outputs with as many tokens as the answer.
#[derive(Default)]
pub(in crate::cli) struct SmallOutputResults {
    pub(in crate::cli) summary: SmallOutputSummary,
    pub(in crate::cli) exposures: Vec<(String, ValidatorExposure)>,
    pub(in crate::cli) accepted: AcceptedOutputs,
}

/// An input with its answer.
struct SmallCase<'p> {
    name: String,
    input: Vec<u8>,
    answer: Vec<u8>,
    judge: &'p Judge,
}

/// Tries small outputs on a checker that is a program, beside the smallest test cases and inputs of the format.
///
/// # Errors
/// Returns an error if a file cannot be read, if a program cannot be run at all, or if the work was cancelled.
pub(in crate::cli) fn prove_checker(
    format: Option<&Format>,
    plan: &VerifyPlan<'_>,
    validators: &[InputValidator],
    cache: &dyn OpinionCache,
    session: &Session,
) -> Result<SmallOutputResults> {
    let (mut cases, words) = choose_test_cases(plan)?;
    if let Some(format) = format {
        add_smallest_inputs(format, plan, validators, session, &mut cases)?;
    }
    let mut results = SmallOutputResults::default();
    let SmallOutputResults { summary, exposures, accepted } = &mut results;
    for SmallCase { name, input, answer, judge } in cases {
        let (jobs, cancel) = (session.jobs, &session.cancel);
        let query = SmallOutputQuery { judge, input: &input, answer: &answer, words: &words, jobs, cancel };
        let Some(trial) = try_small_outputs(&query, cache)? else { continue };
        if let Some(exposed) = trial.exposure {
            let name = format!("{} on {name}", exposed.name);
            exposures.push(("a contradiction".to_owned(), ValidatorExposure { name, ..exposed }));
            continue;
        }
        summary.cases += 1;
        summary.outputs += trial.tried;
        summary.accepted += trial.accepted.len();
        summary.examples.extend(trial.accepted.first().map(|output| format!("`{}` on {name}", show_tokens(output))));
        // Of another length, an output may need another layout than that of the answer.
        let count = |text: &[u8]| text.split(u8::is_ascii_whitespace).filter(|token| !token.is_empty()).count();
        let alike = trial.accepted.into_iter().filter(|output| count(output) == count(&answer));
        let alike = alike.take(MAX_VALIDATED_OUTPUTS).map(|output| Arc::new((input.clone(), output)));
        accepted.insert(name, alike.collect());
    }
    summary.examples.truncate(MAX_EXAMPLES);
    Ok(results)
}

/// Returns the smallest test cases with different short answers and a checker that is a program; and some words of all such answers, with
/// an integer if there is one.
fn choose_test_cases<'p>(plan: &'p VerifyPlan<'_>) -> Result<(Vec<SmallCase<'p>>, Vec<Vec<u8>>)> {
    let bytes = |path: &Path| std::fs::metadata(path).map_or(u64::MAX, |file| file.len());
    let is_tried = |judge: &Judge| matches!(judge, Judge::Program(_)) && !judge.needs_no_answer();
    let cases = plan.cases.iter().filter(|case| case.examiner.is_none() && is_tried(&case.judge));
    let mut cases: Vec<_> = cases.filter(|case| bytes(&case.answer) <= MAX_ANSWER_BYTES).collect();
    cases.sort_by_cached_key(|case| bytes(&case.input));
    let (mut chosen, mut answers, mut words, mut integer) = (Vec::new(), BTreeSet::new(), Vec::new(), None);
    for case in cases {
        let answer = read_file(&case.answer)?;
        for token in answer.split(u8::is_ascii_whitespace) {
            if is_integer(token) {
                integer = Some(token.to_vec());
            } else if (1..=MAX_WORD_BYTES).contains(&token.len()) && words.iter().all(|word| word != token) {
                words.extend((words.len() < MAX_WORDS).then(|| token.to_vec()));
            }
        }
        if chosen.len() < MAX_CASES && answers.insert(answer.clone()) {
            let (name, input) = (case.name.clone(), read_file(&case.input)?);
            chosen.push(SmallCase { name, input, answer, judge: &case.judge });
        }
    }
    Ok((chosen, words.into_iter().chain(integer).collect()))
}

/// Adds the smallest inputs of the format with other answers than those before, by a submission that must be accepted.
fn add_smallest_inputs(
    format: &Format,
    plan: &VerifyPlan<'_>,
    validators: &[InputValidator],
    session: &Session,
    cases: &mut Vec<SmallCase<'_>>,
) -> Result<()> {
    let accepted = plan.submissions.iter().find(|submission| submission.expected.expectation.is_accepted());
    let reference = accepted.and_then(|submission| submission.program.as_ref().ok());
    let (Some(reference), Some(judge)) = (reference, cases.first().map(|case| case.judge)) else { return Ok(()) };
    if cases.iter().any(|case| case.judge.cache_identity() != judge.cache_identity()) {
        // Its arguments depend on the test case.
        return Ok(());
    }
    let limited = Format { stop_token: format.stop_token.with_steps(MAX_CONSTRAINT_STEPS), ..format.clone() };
    let (generation, limits, steps) = (GenerationPlan::new(&limited), &plan.limits, AtomicU64::new(0));
    let (most, cancel) = (cases.len() + MAX_FORMAT_CASES, &session.cancel);
    let stop = || steps.fetch_add(1, Ordering::Relaxed) >= MAX_FORMAT_STEPS || limited.stop_token.is_stopped();
    for value in Enumerator::new(&generation, usize::MAX, &stop).take(MAX_FORMAT_INPUTS) {
        if cases.len() == most {
            break;
        }
        let input = print_value(format, &value);
        let is_valid = |validator: &InputValidator| matches!(validator.check_input(&input, limits, cancel), Ok(None));
        if !validators.iter().all(is_valid) {
            continue;
        }
        let outcome = reference.run_job(&RunJob::new(&input, limits), cancel)?;
        if outcome.is_success() && cases.iter().all(|case| case.answer != outcome.output) {
            let name = format!("the input {}", show_tokens(&input));
            cases.push(SmallCase { name, input, answer: outcome.output, judge });
        }
    }
    Ok(())
}
