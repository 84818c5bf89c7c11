//! `rebut shrink`: minimizes a failing input file.

use super::args::{JudgeArgs, ShrinkArgs};
use super::exit_status::ExitStatus;
use super::finding_tools::ProblemTools;
use super::problem_setup::{self, ProblemContext};
use super::session::Session;
use super::show;
use super::stress::summary::{SearchClosing, emit_summary};
use rebut_diagnostics::{Error, Result};
use rebut_engine::event::{Event, EventSink};
use rebut_engine::{
    CompiledSubmission, FailingInput, GeneratorProgram, InputOrigin, InputSource, JudgeSetup, MAX_REPLAY_RUNS,
    Minimizer, ReferenceAnswer, RunEngine, RunResult, SearchResult,
};
use rebut_format::generate::{GenerationPlan, GenerationSettings};
use rebut_format::read;
use rebut_packages::read_file;
use rebut_packages::verdict::Verdict;

pub(super) fn run_shrink(args: &ShrinkArgs, session: &mut Session) -> Result<ExitStatus> {
    session.set_file_names(args.judging.files.clone());
    let input = read_file(&args.file)?;
    let problem = ProblemContext::load_problem(&args.inputs, Some(&args.submission), session)?;
    problem.require_reference(&args.judging, session)?;
    let found = problem_setup::find_submission_path(&args.submission, problem.package.as_ref(), session)?;
    let (mut submissions, rejected) = problem.compile_submissions(vec![found], true, session)?;
    let Some(submission) = submissions.pop() else {
        let verdicts = vec![Verdict::CompileError; rejected];
        return Ok(emit_summary(session, None, &SearchResult::default(), &verdicts, SearchClosing::default()));
    };
    let (setup, reference) = problem.build_judge_setup(&args.judging, session)?;
    let (engine, setup) = (setup.engine, setup.with_engine(RunEngine::Exec));
    let validators = problem.compile_validators(&args.inputs, session)?;
    if let Some(why) = show::explain_refusal(problem.format.as_ref(), &validators, &args.file, input.clone(), session)?
    {
        return Err(
            Error::usage_error(format!("`{}` is not a valid input", args.file.display())).with_note(why.to_string())
        );
    }
    let failing = find_failing_run(input, &problem, &setup, &submission)?;
    let Some(failing) = failing else {
        let name = &submission.name;
        return Err(Error::usage_error(format!(
            "`{name}` does not fail on `{}` in {MAX_REPLAY_RUNS} runs: there is nothing to shrink",
            args.file.display()
        )));
    };
    let origin = match &problem.format {
        Some(format) => {
            InputOrigin::Format { plan: GenerationPlan::new(format), settings: GenerationSettings::default() }
        }
        None => InputOrigin::Generator(GeneratorProgram::new(setup.reference.clone())),
    };
    let mut inputs = InputSource::new(origin, validators, setup.judge_limits.clone(), session.cancel.clone());
    inputs.generators = problem.compile_format_generators(session)?;
    let record = problem.build_finding_record(&args.inputs, &reference, Some(&submission.source), session);
    let tools = ProblemTools::new(&problem, session);
    let minimizer = Minimizer {
        judge_setup: &setup,
        engine,
        inputs: &inputs,
        jobs: session.jobs,
        // Shrinking without a validity check was explicitly requested; the finding notes its risk.
        options: problem_setup::finding_options(&args.finding, true),
        seed: None,
        tools: &tools,
        record,
    };
    let reference_failed = failing.run_result.verdict == Verdict::JudgeError;
    let subject = (submission.name.as_str(), submission.source.as_path(), &submission.program);
    session.keep_results();
    let mut found = minimizer.minimize_failure((!reference_failed).then_some(subject), failing, session)?;
    let JudgeArgs { memory_limit, memory_limit_origin, .. } = args.judging;
    problem_setup::name_memory_limit(&mut found, memory_limit, memory_limit_origin, problem.package.as_ref());
    let mut closing = SearchClosing { flaky: Some(args.finding.flaky), ..SearchClosing::default() };
    let verdicts = closing.count_confirmation(&found);
    session.take_event(&Event::Found(Box::new(found)));
    Ok(emit_summary(session, None, &SearchResult::default(), verdicts.as_slice(), closing))
}

/// Runs the submission on the file until it fails. A failure can be random, so it is run several times. Returns `None`
/// if it never fails.
fn find_failing_run(
    input: Vec<u8>,
    problem: &ProblemContext,
    setup: &JudgeSetup,
    submission: &CompiledSubmission,
) -> Result<Option<FailingInput>> {
    let mut outcome = run_once(&input, setup, submission)?;
    for _ in 1..MAX_REPLAY_RUNS {
        if outcome.1.verdict != Verdict::Accepted {
            break;
        }
        outcome = run_once(&input, setup, submission)?;
    }
    let (answer, result) = outcome;
    if result.verdict == Verdict::Accepted {
        return Ok(None);
    }
    let value = problem.format.as_ref().and_then(|f| read::read_input(f, &input).ok());
    let (case, shape, elapsed_ms, is_in_order, max_confirmation_runs) = (None, None, 0, false, MAX_REPLAY_RUNS);
    Ok(Some(FailingInput {
        input,
        value,
        answer,
        run_result: result,
        case,
        shape,
        elapsed_ms,
        is_in_order,
        max_confirmation_runs,
    }))
}

/// Returns the answer to an input and the result of the submission on it.
fn run_once(input: &[u8], setup: &JudgeSetup, submission: &CompiledSubmission) -> Result<(Vec<u8>, RunResult)> {
    Ok(match setup.run_reference(input)? {
        ReferenceAnswer::Known(answer) => {
            let result = setup.run_and_judge(&submission.program, input, &answer)?;
            (answer, result)
        }
        ReferenceAnswer::Failed(outcome) => (Vec::new(), JudgeSetup::reference_failure(outcome)),
        ReferenceAnswer::TooSlow => {
            return Err(Error::judge_error("the reference is too slow on this input")
                .with_help("give it more time with `--reference-time`"));
        }
    })
}
