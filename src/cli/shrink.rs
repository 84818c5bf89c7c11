//! `rebut shrink`: any failing file.

use super::args::Shrink;
use super::desk::Desk;
use super::exit::Status;
use super::setup::{self, Problem, Workshop};
use super::stress::{self, Closing};
use super::validate;
use crate::campaign::{
    Answer, Bench, CHANCES, Engine, Event, Hunter, Inputs, Origin, SearchResult, Sink, Submission, Suspect, Trial,
};
use crate::corpus::read_file;
use crate::diagnostic::{Error, Result};
use crate::generate::{Plan, Settings};
use crate::read;
use crate::verdict::Verdict;
use std::path::Path;

pub(super) fn run(args: &Shrink, desk: &mut Desk) -> Result<Status> {
    let input = read_file(&args.file)?;
    let problem = Problem::load(&args.inputs, Some(&args.submission), desk)?;
    setup::require_reference(&args.judging, &problem, Some(&args.submission), desk)?;
    let found = setup::submission(&args.submission, problem.package.as_ref(), desk)?;
    let (mut submissions, rejected) = setup::submissions(vec![found], true, &problem, desk)?;
    let Some(submission) = submissions.pop() else {
        let verdicts = vec![Verdict::CompileError; rejected];
        return Ok(stress::finish(desk, None, &SearchResult::default(), &verdicts, Closing::default()));
    };
    let (bench, reference) = setup::bench(&args.judging, &problem, Some(&args.submission), desk)?;
    let (engine, bench) = (bench.engine, bench.with(Engine::Exec));
    let validators = setup::validators(&args.inputs, &problem, desk)?;
    if let Some(why) = validate::refusal(problem.format.as_ref(), &validators, &args.file, input.clone(), desk)? {
        return Err(Error::usage(format!("`{}` is not a valid input", args.file.display())).with_note(why));
    }
    let suspect = suspect(input, &problem, &bench, &submission)?;
    let Some(suspect) = suspect else {
        let name = &submission.name;
        return Err(Error::usage(format!(
            "`{name}` does not fail on `{}` in {CHANCES} runs: there is nothing to shrink",
            args.file.display()
        )));
    };
    let origin = match &problem.format {
        Some(format) => Origin::Format { plan: Plan::new(format), settings: Settings::default() },
        None => Origin::Generator(bench.reference.clone()),
    };
    let inputs = Inputs::new(origin, validators, bench.jury_limits.clone(), desk.cancel.clone());
    let record = setup::record(&args.inputs, &problem, &reference, Some(&submission.source), desk);
    let workshop = Workshop::new(problem.package.as_ref(), desk);
    let sanitize = |source: &Path, input: &[u8]| workshop.sanitize(source, input);
    let hunter = Hunter {
        bench: &bench,
        engine,
        inputs: &inputs,
        jobs: desk.jobs,
        // The user asks for just this; what it may cost is said with the finding.
        aims: setup::aims(&args.finding, true),
        seed: None,
        readme: &crate::report::finding_readme,
        sanitize: &sanitize,
        record,
    };
    let reference_failed = suspect.trial.verdict == Verdict::JudgeError;
    let subject = (submission.name.as_str(), submission.source.as_path(), &submission.program);
    desk.keep_results();
    let found = hunter.pursue((!reference_failed).then_some(subject), suspect, desk)?;
    let mut closing = Closing { flaky: Some(args.finding.flaky), ..Closing::default() };
    let verdicts = closing.confirmed(&found);
    desk.take(&Event::Found(Box::new(found)));
    Ok(stress::finish(desk, None, &SearchResult::default(), verdicts.as_slice(), closing))
}

/// What happens on the file as it is; none if nothing fails. A failure may depend on chance, so it is given several.
fn suspect(input: Vec<u8>, problem: &Problem, bench: &Bench, submission: &Submission) -> Result<Option<Suspect>> {
    let mut seen = run_once(&input, bench, submission)?;
    for _ in 1..CHANCES {
        if seen.1.verdict != Verdict::Accepted {
            break;
        }
        seen = run_once(&input, bench, submission)?;
    }
    let (answer, trial) = seen;
    if trial.verdict == Verdict::Accepted {
        return Ok(None);
    }
    let value = problem.format.as_ref().and_then(|f| read::read(f, &input).ok());
    let (case, shape, elapsed_ms, is_in_order, chances) = (None, None, 0, false, CHANCES);
    Ok(Some(Suspect { input, value, answer, trial, case, shape, elapsed_ms, is_in_order, chances }))
}

/// The answer to an input, and what the submission does on it.
fn run_once(input: &[u8], bench: &Bench, submission: &Submission) -> Result<(Vec<u8>, Trial)> {
    Ok(match bench.answer(input)? {
        Answer::Known(answer) => {
            let trial = bench.trial(&submission.program, input, &answer)?;
            (answer, trial)
        }
        Answer::Failed(outcome) => (Vec::new(), Bench::reference_failure(outcome)),
        Answer::TooSlow => {
            return Err(Error::judge("the reference is too slow on this input")
                .with_help("give it more time with `--reference-time`"));
        }
    })
}
