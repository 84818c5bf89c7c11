//! `rebut stress --slow`: searches for inputs on which submissions are too slow.

use super::super::args::StressArgs;
use super::super::compile_programs::{compile_counted, package_source_options};
use super::super::exit_status::ExitStatus;
use super::super::finding_tools::ProblemTools;
use super::super::problem_setup::{self, ProblemContext};
use super::super::session::Session;
use super::summary::{SearchClosing, emit_summary};
use rebut_diagnostics::Result;
use rebut_engine::event::{EndReason, Event, EventSink, Finding, FindingSlowness, SearchProgress, SearchStarted};
use rebut_engine::{
    CONFIRMATION_RUNS, CompiledSubmission, FailingInput, InputSource, JudgeSetup, Minimizer, RunEngine, SearchResult,
    SlowHit, SlowSearch, SlowSearchPlan,
};
use rebut_packages::verdict::Verdict;
use rebut_toolchain::CountedProgram;
use std::path::Path;

/// The submissions to search against, and the programs for comparison.
pub(super) struct SlowTargets<'a> {
    pub(super) problem: &'a ProblemContext,
    pub(super) submissions: Vec<CompiledSubmission>,
    pub(super) judge_setup: JudgeSetup,
    /// The source of the reference.
    pub(super) reference: &'a Path,
    pub(super) inputs: InputSource<'a>,
    pub(super) seed: u64,
}

/// Searches for slow inputs of each submission, and emits findings and the summary. `rejected` submissions do not compile.
pub(super) fn search_slow_inputs(
    args: &StressArgs,
    targets: &SlowTargets<'_>,
    rejected: usize,
    session: &mut Session,
) -> Result<ExitStatus> {
    targets.problem.require_format("search for slow inputs of")?;
    let options = package_source_options(targets.problem.package.as_ref());
    // Without a count of the reference, patterns are compared with ordinary inputs only.
    let accepted = CountedProgram::compile(&session.builder, targets.reference, &options, &session.cancel).ok();
    let tools = ProblemTools::new(targets.problem, session);
    session.keep_results();
    session.take_event(&Event::Started(search_started_event(args, targets, session.jobs)));
    let mut verdicts = vec![Verdict::CompileError; rejected];
    let mut closing = SearchClosing { flaky: Some(args.finding.flaky), ..SearchClosing::default() };
    let mut result = SearchResult { reason: EndReason::Done, ..SearchResult::default() };
    for submission in &targets.submissions {
        if session.cancel.is_cancelled() {
            break;
        }
        let search = SubmissionSearch { args, targets, submission, accepted: accepted.as_ref(), tools: &tools };
        let (found, progress, reason) = search.find_slow_input(session)?;
        merge_progress(&mut result.progress, progress);
        let Some(found) = found else {
            closing.survivors.push(submission.name.clone());
            result.reason = reason;
            continue;
        };
        let verdict = closing.count_confirmation(&found);
        session.take_event(&Event::Found(Box::new(found.clone())));
        verdicts.extend(verdict);
        if args.save && verdict.is_some() {
            super::save_test::save_finding_as_test(targets.problem, &found, session)?;
        }
    }
    Ok(emit_summary(session, Some(targets.seed), &result, &verdicts, closing))
}

/// The search against one submission.
struct SubmissionSearch<'a, 'i> {
    args: &'a StressArgs,
    targets: &'a SlowTargets<'i>,
    submission: &'a CompiledSubmission,
    accepted: Option<&'a CountedProgram>,
    tools: &'a ProblemTools<'a>,
}

impl SubmissionSearch<'_, '_> {
    fn find_slow_input(&self, session: &mut Session) -> Result<(Option<Finding>, SearchProgress, EndReason)> {
        let SubmissionSearch { args, targets, submission, accepted, .. } = *self;
        let nothing = (None, SearchProgress::default(), EndReason::Done);
        let format = targets.problem.require_format("search for slow inputs of")?;
        let package = targets.problem.package.as_ref();
        let Some(counted) = compile_counted(&submission.source, &submission.name, package, session)? else {
            return Ok(nothing);
        };
        let exact = targets.judge_setup.with_engine(RunEngine::Exec);
        let share = u32::try_from(targets.submissions.len()).unwrap_or(u32::MAX).max(1);
        let plan = SlowSearchPlan {
            format,
            validators: &targets.inputs.validators,
            name: &submission.name,
            program: &submission.program,
            submission: &counted,
            accepted,
            judge_setup: &exact,
            shape: args.shape.as_deref(),
            seed: targets.seed,
            jobs: session.jobs,
            time_budget: args.search_time() / share,
        };
        let search = SlowSearch::new(&plan)?;
        let result = search.run(session)?;
        let Some(hit) = result.hit else { return Ok((None, result.progress, result.reason)) };
        let (hit, slowness) = search.simplify_hit(hit, args.finding.shrink_time(), session)?;
        let found = self.report_hit(&exact, hit, slowness, session)?;
        Ok((Some(found), result.progress, result.reason))
    }

    fn report_hit(
        &self,
        exact: &JudgeSetup,
        hit: SlowHit,
        slowness: FindingSlowness,
        session: &mut Session,
    ) -> Result<Finding> {
        let SubmissionSearch { args, targets, submission, tools, .. } = *self;
        let source = submission.source.as_path();
        let record = targets.problem.build_finding_record(&args.inputs, targets.reference, Some(source), session);
        let minimizer = Minimizer {
            judge_setup: exact,
            engine: RunEngine::Exec,
            inputs: &targets.inputs,
            jobs: session.jobs,
            options: problem_setup::finding_options(&args.finding, false),
            seed: Some(targets.seed),
            tools,
            record,
        };
        let failing = FailingInput {
            value: hit.input.value,
            input: hit.input.bytes,
            answer: Vec::new(),
            run_result: hit.run_result,
            case: Some(hit.index + 1),
            shape: Some(hit.input.shape),
            elapsed_ms: hit.elapsed_ms,
            is_in_order: false,
            max_confirmation_runs: CONFIRMATION_RUNS,
        };
        minimizer.report_slow_input((&submission.name, source, &submission.program), failing, slowness, session)
    }
}

/// Adds the progress of a search to that of all.
fn merge_progress(all: &mut SearchProgress, one: SearchProgress) {
    all.elapsed_ms += one.elapsed_ms;
    all.cases += one.cases;
    all.test_cases += one.test_cases;
    for (code, count) in one.verdicts {
        *all.verdicts.entry(code).or_default() += count;
    }
}

fn search_started_event(args: &StressArgs, targets: &SlowTargets<'_>, jobs: usize) -> SearchStarted {
    SearchStarted {
        submissions: targets.submissions.iter().map(|submission| submission.name.clone()).collect(),
        reference: targets.judge_setup.reference.file_name(),
        inputs: targets.problem.format.as_ref().map(|format| format.source.name.clone()).unwrap_or_default(),
        checker: targets.judge_setup.judge.checker_name(),
        jobs,
        engine: "counters + exec".to_owned(),
        seed: targets.seed,
        time_budget_ms: u64::try_from(args.search_time().as_millis()).ok(),
        case_budget: None,
        initial_growth: 0,
    }
}
