//! `rebut stress`: search, shrink, explain.

use super::args::{InputArgs, Stress};
use super::desk::Desk;
use super::exit::Status;
use super::hunted;
use super::programs;
use super::setup::{self, Problem, Workshop};
use crate::campaign::{
    Ceiling, Engine, Event, Every, Hit, Hunter, Inputs, Reach, Reason, Scope, SearchResult, Sink, Started, StressPlan,
    Submission, Summary, Suspect, constants, search, search_exhaustively,
};
use crate::corpus;
use crate::diagnostic::{Error, Result, nearest};
use crate::generate::{Plan, Settings};
use crate::run::Program;
use crate::verdict::Verdict;
use rebut_generators::{all_shapes, find_shape};
use std::path::{Path, PathBuf};

pub(super) fn run(args: &Stress, desk: &mut Desk) -> Result<Status> {
    known_shape(args.shape.as_deref())?;
    let beside = args.submissions.first().map(PathBuf::as_path);
    let problem = Problem::load(&args.inputs, beside, desk)?;
    let named = match args.submissions.is_empty() {
        true => hunted::quarry(problem.package()?, &args.judging, args.exhaustive, desk)?,
        false => args.submissions.clone(),
    };
    let package = problem.package.as_ref();
    // What is wrong with the reference is told when its turn comes.
    let references = setup::references(&args.judging, &problem, beside, desk).unwrap_or_default();
    let found = setup::found_submissions(&named, package, desk)?;
    programs::prepare(&found, &references, package, desk);
    let (submissions, rejected) = setup::submissions(found, &problem, desk)?;
    if submissions.is_empty() {
        return Ok(finish(
            desk,
            None,
            &SearchResult::default(),
            &vec![Verdict::CompileError; rejected],
            Survivors::default(),
        ));
    }
    let (bench, reference) = setup::bench(&args.judging, &problem, beside, desk)?;
    let settings = Settings {
        most_elements: args.most_elements,
        most_cases: most_cases(&args.inputs, &problem),
        shape: args.shape.clone(),
        hints: hints(&submissions),
        ..Settings::default()
    };
    let inputs = setup::inputs(&args.inputs, &problem, settings, &bench.jury_limits, desk)?;
    let every = problem.format.as_ref().filter(|_| args.exhaustive);
    let single = every.and_then(Every::of_one_case);
    let narrow = single.as_ref().or(every).map(Plan::new);
    let cancel = desk.cancel.clone();
    let stop = || cancel.cancelled();
    let inputs = match (&narrow, &problem.format) {
        // What is enumerated first is decided by the search.
        (Some(narrow), Some(format)) => inputs.every(Every::new(format, narrow, &stop, 1)),
        _ if args.exhaustive => return Err(Error::usage("without a format nobody knows what every input is")),
        _ => {
            desk.begin("Enumerating", "the smallest inputs");
            inputs.from_the_smallest()
        }
    };
    let seed = args.seed.unwrap_or_else(fresh_seed);
    let mut plan = StressPlan {
        submissions,
        inputs,
        bench,
        seed,
        jobs: desk.jobs,
        time_budget: Some(args.time),
        case_budget: args.cases,
        keep_going: args.keep_going,
    };
    desk.keep_results();
    desk.take(&Event::Started(started(args, &problem, &plan)));
    let (result, reach) = match (&narrow, &problem.format) {
        (Some(narrow), Some(format)) => search_exhaustively(&mut plan, &Scope { format, narrow, stop: &stop }, desk)?,
        _ => (search(&plan, desk)?, None),
    };
    let mut verdicts = pursue(args, &problem, &plan, &reference, &result, desk)?;
    verdicts.extend(vec![Verdict::CompileError; rejected]);
    let survivors =
        Survivors { names: survivors(&plan.submissions, &result.hits), reach, ceiling: plan.inputs.ceiling() };
    Ok(finish(desk, Some(seed), &result, &verdicts, survivors))
}

/// A validator that refuses a file is asked about its cases one by one, so files are kept small where there is one.
fn most_cases(inputs: &InputArgs, problem: &Problem) -> usize {
    const JUDGED_IN_PROCESS: usize = 2000;
    const JUDGED_BY_PROGRAMS: usize = 12;
    let has_validator =
        !inputs.validator.is_empty() || problem.format.as_ref().is_some_and(|f| !f.validators.is_empty());
    if has_validator { JUDGED_BY_PROGRAMS } else { JUDGED_IN_PROCESS }
}

/// An unknown shape would silently be no shape at all.
pub(super) fn known_shape(name: Option<&str>) -> Result<()> {
    let Some(name) = name.filter(|n| find_shape(n).is_none()) else { return Ok(()) };
    let error = Error::usage(format!("there is no shape `{name}`"));
    Err(match nearest(name, all_shapes().map(|s| s.name)) {
        Some(near) => error.with_help(format!("did you mean `{near}`?")),
        None => error.with_help("`rebut shapes` lists them"),
    })
}

/// Numbers that the authors of the submissions thought of.
fn hints(submissions: &[Submission]) -> Vec<i128> {
    let sources = submissions.iter().filter_map(|s| corpus::read_file(&s.source).ok());
    let mut all: Vec<i128> = sources.flat_map(|source| constants(&source)).collect();
    all.sort_unstable();
    all.dedup();
    all
}

/// A seed that no earlier run had.
fn fresh_seed() -> u64 {
    use std::hash::{BuildHasher, RandomState};
    // 32 bits are enough to be new, and short enough to be typed.
    RandomState::new().hash_one(std::process::id()) >> 32
}

fn started(args: &Stress, problem: &Problem, plan: &StressPlan<'_>) -> Started {
    let format = problem.format.as_ref().map(|f| f.source.name.clone());
    Started {
        submissions: plan.submissions.iter().map(|s| s.name.clone()).collect(),
        reference: plan.bench.reference.file_name(),
        inputs: args.inputs.generator.clone().or(format).unwrap_or_default(),
        checker: plan.bench.referee.name(),
        jobs: plan.jobs,
        engine: engine_words(plan),
        seed: plan.seed,
        time_budget_ms: plan.time_budget.and_then(|t| u64::try_from(t.as_millis()).ok()),
        case_budget: plan.case_budget,
    }
}

/// How programs are run, in a few words: `packed + fork server`.
fn engine_words(plan: &StressPlan<'_>) -> String {
    let programs = || plan.submissions.iter().map(|s| &s.program).chain([&plan.bench.reference]);
    let quick = plan.bench.engine == Engine::Quick && programs().any(Program::is_quick);
    let packed = plan.inputs.format().is_some_and(|format| format.cases().is_some());
    let engine = if quick { "fork server" } else { "exec" };
    if packed { format!("packed + {engine}") } else { engine.to_owned() }
}

/// Makes a finding of every hit; the verdicts of those that stand.
fn pursue(
    args: &Stress,
    problem: &Problem,
    plan: &StressPlan<'_>,
    reference: &Path,
    result: &SearchResult,
    desk: &mut Desk,
) -> Result<Vec<Verdict>> {
    let inputs: &Inputs<'_> = &plan.inputs;
    let exact = plan.bench.with(Engine::Exec);
    let mut verdicts = Vec::new();
    for hit in &result.hits {
        let submission = hit.submission.map(|i| &plan.submissions[i]);
        let record = setup::record(&args.inputs, problem, reference, submission.map(|s| s.source.as_path()));
        let workshop = Workshop { builder: desk.builder.clone(), cancel: desk.cancel.clone() };
        let sanitize = |source: &Path, input: &[u8]| workshop.sanitize(source, input);
        let hunter = Hunter {
            bench: &exact,
            engine: plan.bench.engine,
            inputs,
            jobs: plan.jobs,
            aims: setup::aims(&args.finding),
            seed: Some(plan.seed),
            readme: &crate::report::finding_readme,
            sanitize: &sanitize,
            record,
        };
        let subject = submission.map(|s| (s.name.as_str(), s.source.as_path(), &s.program));
        // Where a submission is tried on after a failure, what comes then is not the smallest.
        let is_in_order = inputs.is_every() && !args.keep_going;
        let found = hunter.pursue(subject, suspect(hit, is_in_order), desk)?;
        verdicts.push(found.verdict);
        desk.take(&Event::Found(Box::new(found.clone())));
        if args.save && found.verdict.is_rejection() {
            hunted::save(problem.package()?, &found, desk)?;
        }
    }
    Ok(verdicts)
}

fn suspect(hit: &Hit, is_in_order: bool) -> Suspect {
    Suspect {
        input: hit.made.bytes.clone(),
        value: hit.made.value.clone(),
        answer: hit.answer.clone(),
        trial: hit.trial.clone(),
        case: Some(hit.index + 1),
        shape: Some(hit.made.shape.clone()),
        elapsed_ms: hit.elapsed_ms,
        is_in_order,
    }
}

fn survivors(submissions: &[Submission], hits: &[Hit]) -> Vec<String> {
    let failed = |i: usize| hits.iter().any(|h| h.submission == Some(i));
    submissions.iter().enumerate().filter(|(i, _)| !failed(*i)).map(|(_, s)| s.name.clone()).collect()
}

/// Who passes, and what.
#[derive(Default)]
pub(super) struct Survivors {
    pub(super) names: Vec<String>,
    pub(super) reach: Option<Reach>,
    pub(super) ceiling: Option<Ceiling>,
}

/// Sends the closing event.
pub(super) fn finish(
    desk: &mut Desk,
    seed: Option<u64>,
    result: &SearchResult,
    verdicts: &[Verdict],
    survivors: Survivors,
) -> Status {
    // The jury's side can fail after the search, too: when its answers turn out to change from run to run.
    let reason = match result.reason {
        _ if desk.cancel.cancelled() => Reason::Interrupted,
        _ if verdicts.contains(&Verdict::JudgeError) => Reason::JudgeError,
        reason => reason,
    };
    let status = Status::of_search(reason, verdicts);
    desk.take(&Event::Summary(Summary {
        reason,
        progress: seed.map(|_| result.progress.clone()),
        findings: verdicts.len(),
        survivors: survivors.names,
        reach: survivors.reach,
        ceiling: survivors.ceiling,
        exit_status: status.code(),
        seed,
    }));
    status
}
