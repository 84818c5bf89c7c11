//! `rebut stress`: search, shrink, explain.

use super::args::{Flaky, InputArgs, JudgeArgs, Stress};
use super::desk::Desk;
use super::discover;
use super::exit::Status;
use super::hunted;
use super::jury;
use super::programs;
use super::setup::{self, Problem, Workshop};
use crate::campaign::{
    Ceiling, Conclusion, Engine, Event, Every, Found, Hit, Hunter, Inputs, JudgedBy, Progress, REPLAYS, Reach, Reason,
    Scope, SearchResult, Sink, Started, StressPlan, Submission, Summary, Suspect, Warning, constants,
    explain_slow_reference, misfits, search, search_exhaustively, too_little, words,
};
use crate::corpus::{self, Package};
use crate::diagnostic::{Error, Result, counted, nearest};
use crate::generate::{Plan, Settings};
use crate::run::Program;
use crate::verdict::Verdict;
use rebut_generators::{all_shapes, find_shape};
use std::path::{Path, PathBuf};
use std::sync::Arc;

pub(super) fn run(args: &Stress, desk: &mut Desk) -> Result<Status> {
    desk.report_to(&args.reports);
    desk.report_on("stress", args.inputs.problem.as_deref().unwrap_or(Path::new("")), false);
    known_shape(args.shape.as_deref())?;
    let args = &discover::complete(args)?;
    let beside = args.submissions.first().map(PathBuf::as_path);
    let problem = Problem::load(&args.inputs, beside, desk)?;
    let package = problem.package.as_ref();
    let judging = with_reference(&args.judging, package, desk)?;
    let are_named = !args.submissions.is_empty();
    let named = match are_named {
        false => hunted::quarry(problem.package()?, &judging, args.exhaustive, desk)?,
        true => args.submissions.clone(),
    };
    // What is wrong with the reference is told when its turn comes.
    let references = setup::references(&judging, &problem, beside, desk).unwrap_or_default();
    let found = setup::found_submissions(&named, package, desk)?;
    programs::prepare(&found, &references, jury::find_judge_source(&judging), package, desk);
    let (submissions, rejected) = setup::submissions(found, are_named, &problem, desk)?;
    if submissions.is_empty() {
        let verdicts = vec![Verdict::CompileError; rejected];
        return Ok(finish(desk, None, &SearchResult::default(), &verdicts, Closing::default()));
    }
    let (bench, reference) = setup::bench(&judging, &problem, beside, desk)?;
    let settings = settings(args, &problem, &submissions);
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
    let mut closing = Closing::of_search(args, &plan, &result, reach);
    let mut verdicts = pursue(args, &problem, &plan, &reference, &result, &mut closing, desk)?;
    verdicts.extend(vec![Verdict::CompileError; rejected]);
    warn_of_misfits(&plan, &result, desk);
    warn_of_silent_reference(&plan, &result, desk);
    Ok(finish(desk, Some(seed), &result, &verdicts, closing))
}

/// The same with the fastest accepted submission of a package as the reference, where none is named.
fn with_reference(judging: &JudgeArgs, package: Option<&Package>, desk: &mut Desk) -> Result<JudgeArgs> {
    let mut judging = judging.clone();
    if let (None, Some(package)) = (&judging.reference, package) {
        judging.reference = setup::fastest_reference(package, desk)?;
    }
    Ok(judging)
}

fn settings(args: &Stress, problem: &Problem, submissions: &[Submission]) -> Settings {
    Settings {
        most_elements: args.most_elements,
        most_cases: most_cases(&args.inputs, problem),
        shape: args.shape.clone(),
        hints: hints(submissions),
        words: words_to_try(submissions, problem.package.as_ref()),
        ..Settings::default()
    }
}

/// Warns if the reference answered nothing at all, and what it does with its input tells why.
fn warn_of_silent_reference(plan: &StressPlan<'_>, result: &SearchResult, desk: &mut Desk) {
    if result.progress.cases > 0 || result.progress.refused > 0 || !result.hits.is_empty() || desk.cancel.cancelled() {
        return;
    }
    if let Some(why) = explain_slow_reference(plan) {
        let message = format!("the reference `{}` answers no input: {why}", plan.bench.reference.display_name());
        desk.take(&Event::Warning(Warning { message, help: None }));
    }
}

/// Warns if programs read more or less than the inputs hold.
fn warn_of_misfits(plan: &StressPlan<'_>, result: &SearchResult, desk: &mut Desk) {
    /// Number of inputs that programs are tried on.
    const INPUTS: u64 = 8;
    if desk.cancel.cancelled() {
        return;
    }
    let mut inputs: Vec<Vec<u8>> = result.hits.iter().map(|hit| hit.made.bytes.clone()).collect();
    // Of all inputs each is made once.
    if !plan.inputs.is_every() {
        for index in 0..INPUTS.min(result.progress.cases) {
            inputs.extend(plan.inputs.make(plan.seed, index).ok().flatten().map(|made| made.bytes));
        }
    }
    let submissions: Vec<(&str, &Program)> = plan.submissions.iter().map(|s| (s.name.as_str(), &s.program)).collect();
    // What stands in the way costs the warnings, and must not cost the result of the search.
    for warning in misfits(&plan.bench, &submissions, &inputs).into_iter().flatten() {
        desk.take(&Event::Warning(warning));
    }
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

/// Words that the authors of the submissions and of the samples thought of.
fn words_to_try(submissions: &[Submission], package: Option<&Package>) -> Arc<[Vec<u8>]> {
    let sources = submissions.iter().filter_map(|submission| corpus::read_file(&submission.source).ok());
    let mut all: Vec<Vec<u8>> = sources.flat_map(|source| words(&source)).collect();
    all.extend(package.map(setup::words_of_samples).unwrap_or_default());
    all.sort_unstable();
    all.dedup();
    all.into()
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
    let is_conversation = plan.bench.referee.kind() == JudgedBy::Conversation;
    let quick = plan.bench.engine == Engine::Quick && !is_conversation && programs().any(Program::is_quick);
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
    closing: &mut Closing,
    desk: &mut Desk,
) -> Result<Vec<Verdict>> {
    let inputs: &Inputs<'_> = &plan.inputs;
    let exact = plan.bench.with(Engine::Exec);
    let mut verdicts = Vec::new();
    for hit in &result.hits {
        let submission = hit.submission.map(|i| &plan.submissions[i]);
        let record = setup::record(&args.inputs, problem, reference, submission.map(|s| s.source.as_path()), desk);
        let workshop = Workshop::new(problem.package.as_ref(), desk);
        let sanitize = |source: &Path, input: &[u8]| workshop.sanitize(source, input);
        let hunter = Hunter {
            bench: &exact,
            engine: plan.bench.engine,
            inputs,
            jobs: plan.jobs,
            aims: setup::aims(&args.finding, false),
            seed: Some(plan.seed),
            readme: &crate::report::finding_readme,
            sanitize: &sanitize,
            record,
        };
        let subject = submission.map(|s| (s.name.as_str(), s.source.as_path(), &s.program));
        // Where a submission is tried on after a failure, what comes then is not the smallest.
        let is_in_order = inputs.is_every() && !args.keep_going;
        let found = hunter.pursue(subject, suspect(hit, is_in_order), desk)?;
        let verdict = closing.confirmed(&found);
        desk.take(&Event::Found(Box::new(found.clone())));
        verdicts.extend(verdict);
        if args.save && found.verdict.is_rejection() && verdict.is_some() {
            super::save::save(problem, &found, desk)?;
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
        chances: REPLAYS,
    }
}

fn survivors(submissions: &[Submission], hits: &[Hit]) -> Vec<String> {
    let failed = |i: usize| hits.iter().any(|h| h.submission == Some(i));
    submissions.iter().enumerate().filter(|(i, _)| !failed(*i)).map(|(_, s)| s.name.clone()).collect()
}

/// What the closing event says beside the findings.
#[derive(Default)]
pub(super) struct Closing {
    /// The submissions for which nothing was found.
    pub(super) survivors: Vec<String>,
    pub(super) reach: Option<Reach>,
    pub(super) ceiling: Option<Ceiling>,
    /// Number of failures that did not show again.
    pub(super) unconfirmed: usize,
    /// What these amount to.
    pub(super) flaky: Option<Flaky>,
    /// Number of test cases below which the command fails.
    pub(super) min_cases: Option<u64>,
    /// Number of inputs that the user asked for.
    pub(super) case_budget: Option<u64>,
}

impl Closing {
    /// What a search says before its findings are confirmed.
    fn of_search(args: &Stress, plan: &StressPlan<'_>, result: &SearchResult, reach: Option<Reach>) -> Closing {
        Closing {
            survivors: survivors(&plan.submissions, &result.hits),
            reach,
            ceiling: plan.inputs.ceiling(),
            unconfirmed: result.flaky,
            flaky: Some(args.finding.flaky),
            min_cases: args.min_cases,
            case_budget: args.cases,
        }
    }

    /// The verdict of a finding; none if it did not show again, which is counted.
    pub(super) fn confirmed(&mut self, found: &Found) -> Option<Verdict> {
        if !found.is_confirmed() && found.verdict.is_rejection() {
            self.unconfirmed += 1;
            return None;
        }
        Some(found.verdict)
    }

    /// What a search shows, and why, where that is not plain.
    fn conclusion(&self, reason: Reason, findings: usize, progress: Option<&Progress>) -> (Conclusion, Option<String>) {
        if reason == Reason::Interrupted {
            return (Conclusion::Interrupted, None);
        }
        if reason == Reason::JudgeError {
            return (Conclusion::JudgeError, None);
        }
        let too_little = progress.and_then(|progress| too_little(progress, reason, self.case_budget));
        let unmet = progress.and_then(|progress| self.unmet(progress));
        match (findings, self.unconfirmed, unmet.or(too_little)) {
            (1.., _, _) => (Conclusion::Found, None),
            (_, 1.., _) => (Conclusion::Flaky, None),
            (_, _, Some(why)) => (Conclusion::Inconclusive, Some(why)),
            _ => (Conclusion::NothingFound, None),
        }
    }

    /// That fewer test cases were tried than the user wants at least.
    fn unmet(&self, progress: &Progress) -> Option<String> {
        let tried = progress.test_cases.max(progress.cases);
        let least = self.min_cases.filter(|least| tried < *least)?;
        let [tried, least] = [tried, least].map(|number| counted(u128::from(number)));
        Some(format!("{tried} test cases were tried, and --min-cases asks for {least}"))
    }

    /// Whether the command fails for another reason than a finding.
    fn fails(&self, progress: Option<&Progress>) -> bool {
        self.unconfirmed > 0 && self.flaky == Some(Flaky::Fail) || progress.is_some_and(|p| self.unmet(p).is_some())
    }
}

/// Sends the closing event.
pub(super) fn finish(
    desk: &mut Desk,
    seed: Option<u64>,
    result: &SearchResult,
    verdicts: &[Verdict],
    closing: Closing,
) -> Status {
    // The jury's side can fail after the search, too: when its answers turn out to change from run to run.
    let reason = match result.reason {
        _ if desk.cancel.cancelled() => Reason::Interrupted,
        _ if verdicts.contains(&Verdict::JudgeError) => Reason::JudgeError,
        reason => reason,
    };
    let progress = seed.map(|_| result.progress.clone());
    let status = match Status::of_search(reason, verdicts) {
        Status::Fine if closing.fails(progress.as_ref()) => Status::Found,
        status => status,
    };
    let (conclusion, result_reason) = closing.conclusion(reason, verdicts.len(), progress.as_ref());
    desk.take(&Event::Summary(Summary {
        reason,
        progress,
        result: Some(conclusion),
        result_reason,
        findings: verdicts.len(),
        unconfirmed: closing.unconfirmed,
        survivors: closing.survivors,
        reach: closing.reach,
        ceiling: closing.ceiling,
        exit_status: status.code(),
        seed,
    }));
    status
}
