//! `rebut stress`: searches for failing inputs, minimizes them and reports the findings.

pub(in crate::cli) mod find;
pub(in crate::cli) mod save_test;
mod slow;
pub(in crate::cli) mod summary;

use super::args::{InitialGrowthArg, JudgeArgs, StressArgs, VerifyArgs};
use super::exit_status::ExitStatus;
use super::finding_tools::ProblemTools;
use super::problem_setup::{self, ProblemContext};
use super::session::Session;
use super::shards::choose_search_journal;
use super::shards::manifest::{INPUTS_PART, SEED_PART, describe_search};
use super::strength::mutant_compiler::MutantCompiler;
use super::verify::{self, ProgressOnlySink};
use super::{compile_programs, discover, judges};
use find::FinderSearch;
use rebut_diagnostics::{Error, Result, count_with_noun, group_thousands, list_and, suggestion_or};
use rebut_engine::event::{ActivityEvent, EndReason, Event, EventSink};
use rebut_engine::verify::verify_submissions;
use rebut_engine::{
    BlockPlan, BlockSearch, CompiledSubmission, ExhaustiveInputs, ExhaustiveScope, FailingInput, FindingOptions,
    FindingTools, InputSource, JournalUse, MAX_REPLAY_RUNS, MergedSearch, Minimizer, OperandGuide, RunEngine,
    SearchHit, SearchResult, Shard, SharedEnd, StressPlan, closing_warnings, measure_initial_growth,
    reach_of_every_input, run_search, search_exhaustively, undefined_behaviour_warnings,
};
use rebut_format::generate::{GenerationPlan, GenerationSettings};
use rebut_generators::{all_shapes, are_shapes_known};
use rebut_packages::verdict::{Verdict, VerdictSet};
use rebut_packages::{FileStamps, Package, PackageSubmission};
use rebut_sandbox::{OwnProcess, ProcessorSet};
use rebut_toolchain::{BuildVariant, LANGUAGES, split_words};
use slow::SlowTargets;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use summary::{SearchClosing, emit_shard_end, emit_summary};

/// Runs a search, or merges the blocks of one that was run elsewhere.
pub(super) fn run_stress(args: &StressArgs, session: &mut Session) -> Result<ExitStatus> {
    session.open_reports(&args.reports);
    session.begin_search_section("stress", args.inputs.problem.as_deref());
    require_known_shape(args.shape.as_deref())?;
    let journal = choose_search_journal(args, session)?;
    let mut args = discover::complete_args(args, session)?;
    args.seed = args.seed.or_else(|| recorded_seed(journal.as_ref()?, args.exhaustive));
    let beside = args.submissions.first().cloned();
    let beside = beside.as_deref();
    let problem = ProblemContext::load_problem(&args.inputs, beside, session)?;
    let finder = FinderSearch::from_args(&mut args, &problem, session)?;
    let args = &args;
    problem.require_inputs(&args.inputs)?;
    // The machines of a search with a journal must take the same reference, whatever they measure.
    let measured = problem.package.as_ref().filter(|_| journal.is_none());
    let judging = with_fastest_reference(&args.judging, measured, session)?;
    let (submissions, rejected) = compile_targets(args, &judging, &problem, session)?;
    let is_shard = matches!(&journal, Some(JournalUse::Run { shard, .. }) if *shard != Shard::WHOLE);
    if submissions.is_empty() && !(is_shard && finder.is_none()) {
        return Ok(conclude_without_search(args, rejected, session));
    }
    let (judge_setup, reference) = problem.build_judge_setup(&judging, session)?;
    let mut settings = problem.search_settings(&args.inputs, &submissions);
    settings.max_elements = args.max_elements.unwrap_or(settings.max_elements);
    settings.shape.clone_from(&args.shape);
    let (submissions, judge_setup) = find::apply_finder(finder, submissions, judge_setup)?;
    let limits = &judge_setup.judge_limits;
    let inputs = problem.build_input_source(&args.inputs, settings.clone(), limits, session)?;
    let seed = args.seed.unwrap_or_else(random_seed);
    if args.slow {
        let targets = SlowTargets { problem: &problem, submissions, judge_setup, reference: &reference, inputs, seed };
        return slow::search_slow_inputs(args, &targets, rejected, session);
    }
    let every = problem.format.as_ref().filter(|_| args.exhaustive);
    let single = every.and_then(ExhaustiveInputs::single_case_format);
    let narrow = single.as_ref().or(every).map(GenerationPlan::new);
    let cancel = session.cancel.clone();
    let stop = || cancel.is_cancelled();
    let inputs = match (&narrow, &problem.format) {
        // The search passes the index of the first input later.
        (Some(narrow), Some(format)) => inputs.with_exhaustive_inputs(ExhaustiveInputs::new(format, narrow, &stop, 1)),
        _ => with_random_inputs(inputs, args, journal.is_none().then_some(seed), session)?,
    };
    let mut plan = StressPlan {
        submissions,
        inputs,
        judge_setup,
        seed,
        jobs: session.jobs,
        processors: ProcessorSet::from_current_thread(),
        time_budget: args.time.or(journal.is_none().then(|| args.search_time())),
        case_budget: args.cases,
        keep_going: args.keep_going,
    };
    let scope = match (&narrow, &problem.format) {
        (Some(narrow), Some(format)) => Some(ExhaustiveScope { format, enumeration_plan: narrow, stop: &stop }),
        _ => None,
    };
    let search = PreparedSearch {
        args,
        problem: &problem,
        reference: &reference,
        settings,
        scope,
        of_one_case: single.is_some(),
        journal,
        rejected,
    };
    search.run_plan(&mut plan, session)
}

/// Reports that there is nothing to search, and how many submissions the compiler rejected. A shard draws no conclusion:
/// its journal then has no blocks.
fn conclude_without_search(args: &StressArgs, rejected: usize, session: &mut Session) -> ExitStatus {
    let min_cases = args.min_cases.filter(|_| rejected == 0);
    let closing = SearchClosing { min_cases, ..SearchClosing::default() };
    let verdicts = vec![Verdict::CompileError; rejected];
    emit_summary(session, None, &SearchResult::default(), &verdicts, closing)
}

/// Chooses and compiles the submissions of a search. Also returns the number of those that the compiler rejected.
fn compile_targets(
    args: &StressArgs,
    judging: &JudgeArgs,
    problem: &ProblemContext,
    session: &mut Session,
) -> Result<(Vec<CompiledSubmission>, usize)> {
    session.set_file_names(args.judging.files.clone());
    let package = problem.package.as_ref();
    let are_named = !args.submissions.is_empty();
    let named = choose_stress_targets(args, judging, problem, session)?;
    if named.is_empty() {
        return Ok((Vec::new(), 0));
    }
    // An error concerning the reference is reported when the reference is compiled.
    let references = problem.reference_candidates(judging, session).unwrap_or_default();
    let found = problem_setup::find_submissions(&named, package, session)?;
    compile_programs::precompile_sources(&found, &references, judges::find_judge_source(judging), package, session);
    problem.compile_submissions(found, are_named, session)
}

/// A search, ready to run.
struct PreparedSearch<'s, 'a> {
    args: &'s StressArgs,
    problem: &'s ProblemContext,
    reference: &'s Path,
    /// The settings of generation.
    settings: GenerationSettings,
    /// The inputs of an exhaustive search.
    scope: Option<ExhaustiveScope<'a>>,
    /// Whether only inputs with a single case are enumerated although the format allows several.
    of_one_case: bool,
    journal: Option<JournalUse>,
    /// Number of submissions that the compiler rejected.
    rejected: usize,
}

impl<'a> PreparedSearch<'_, 'a> {
    /// Mixes in inputs that follow what the submissions compute, if these read them from their standard input.
    fn guide_inputs(&self, plan: &mut StressPlan<'_>, session: &Session) -> Result<()> {
        if self.args.exhaustive || plan.judge_setup.judge.holds_conversation() || session.file_names.is_some() {
            return Ok(());
        }
        let compiler = MutantCompiler::new(self.problem.package.as_ref(), session)?;
        let compile = move |original: &Path, source: &str| {
            compiler.compile_changed(original, source, BuildVariant::Judged).map(|changed| changed.compiled)
        };
        // One submission stands for all that an expression mentions.
        let mentioned = self.args.submissions.iter().filter(|_| self.args.find.is_some()).map(PathBuf::as_path);
        let searched = plan.submissions.iter().filter(|_| self.args.find.is_none());
        let sources = mentioned.chain(searched.map(|submission| &*submission.source));
        plan.inputs.guide = Some(OperandGuide::new(sources, Box::new(compile)));
        Ok(())
    }

    /// Runs the search or its shard, and reports the findings.
    fn run_plan(&self, plan: &mut StressPlan<'a>, session: &mut Session) -> Result<ExitStatus> {
        let PreparedSearch { args, problem, reference, .. } = *self;
        session.keep_results();
        if self.journal.is_none() && args.judging.reference_time.is_none() {
            plan.limit_reference_time();
        }
        for warning in plan.inputs.examine_generators(plan.seed)? {
            session.take_event(&Event::Warning(warning));
        }
        plan.inputs.initial_growth = choose_initial_growth(args, plan, session)?;
        self.guide_inputs(plan, session)?;
        let format = problem.format.as_ref().map(|f| f.source.name.clone());
        let inputs = args.inputs.generator.clone().or(format).unwrap_or_default();
        session.take_event(&Event::Started(plan.started_event(inputs)));
        let MergedSearch { result, reach, missing: missing_blocks } = match self.search_inputs(plan, session)? {
            SharedEnd::Whole(searched) => *searched,
            SharedEnd::Shard(end) => return Ok(emit_shard_end(Some(plan.seed), end, session)),
        };
        let mut closing = SearchClosing { missing_blocks, ..SearchClosing::from_search(args, plan, &result, reach) };
        let tools = ProblemTools::new(problem, session);
        let mut verdicts = self.minimize_hits(plan, &result, &tools, &mut closing, session)?;
        verdicts.extend(vec![Verdict::CompileError; self.rejected]);
        let mut warnings = closing_warnings(plan, &result, reference, !verdicts.is_empty());
        // Under `--find`, an expression passes, not a program.
        let has_programs = args.find.is_none() && plan.inputs.input_format().is_some();
        if self.journal.is_none() && has_programs {
            session.note_activity(&ActivityEvent::new("Checking", "inputs once more, with sanitizers"));
            let find_fault = |source: &Path, input: &[u8]| tools.run_with_sanitizers(source, input);
            warnings.extend(undefined_behaviour_warnings(plan, &result, reference, &find_fault));
        }
        for warning in warnings {
            session.take_event(&Event::Warning(warning));
        }
        Ok(emit_summary(session, Some(plan.seed), &result, &verdicts, closing))
    }

    /// Turns every hit into a finding, and returns the verdicts of the confirmed ones.
    fn minimize_hits(
        &self,
        plan: &StressPlan<'_>,
        result: &SearchResult,
        tools: &ProblemTools<'_>,
        closing: &mut SearchClosing,
        session: &mut Session,
    ) -> Result<Vec<Verdict>> {
        let PreparedSearch { args, problem, reference, .. } = *self;
        let inputs: &InputSource<'_> = &plan.inputs;
        let exact = plan.judge_setup.with_engine(RunEngine::Exec);
        let mut verdicts = Vec::new();
        let end =
            plan.time_budget.map(|budget| Instant::now() + args.finding.time_after_search(budget, result.hits.len()));
        for hit in &result.hits {
            let submission = hit.submission.map(|i| &plan.submissions[i]);
            let mut record =
                problem.build_finding_record(&args.inputs, reference, submission.map(|s| s.source.as_path()), session);
            record.finder = args.find.as_ref().map(|text| find::finder_record(text, &args.submissions));
            let minimizer = Minimizer {
                judge_setup: &exact,
                engine: plan.judge_setup.engine,
                inputs,
                jobs: plan.jobs,
                options: FindingOptions { end, ..problem_setup::finding_options(&args.finding, false) },
                seed: Some(plan.seed),
                tools,
                record,
            };
            let subject = submission.map(|s| (s.name.as_str(), s.source.as_path(), &s.program));
            // With `--keep-going` the failures after the first need not be the smallest, nor is any if blocks are missing.
            let is_in_order = inputs.is_exhaustive() && !args.keep_going && closing.missing_blocks.is_none();
            let mut found = minimizer.minimize_failure(subject, failing_input_from_hit(hit, is_in_order), session)?;
            let JudgeArgs { memory_limit, memory_limit_origin, .. } = args.judging;
            problem_setup::name_memory_limit(&mut found, memory_limit, memory_limit_origin, problem.package.as_ref());
            let verdict = closing.count_confirmation(&found);
            session.take_event(&Event::Found(Box::new(found.clone())));
            verdicts.extend(verdict);
            if args.save && found.failure.verdict.is_rejection() && verdict.is_some() {
                save_test::save_finding_as_test(problem, &found, session)?;
            }
        }
        Ok(verdicts)
    }

    /// Searches all inputs, or those of a shard.
    fn search_inputs(&self, plan: &mut StressPlan<'a>, session: &mut Session) -> Result<SharedEnd<Box<MergedSearch>>> {
        let Some(journal) = &self.journal else {
            let (result, reach) = match &self.scope {
                Some(scope) => search_exhaustively(plan, scope, session)?,
                None => {
                    let result = run_search(plan, session)?;
                    let reach = reach_of_every_input(plan, &result);
                    (result, reach)
                }
            };
            return Ok(SharedEnd::Whole(Box::new(MergedSearch { result, reach, missing: None })));
        };
        let usual_engine = plan.judge_setup.engine;
        if self.scope.is_some() {
            // The other levels of an exhaustive search only make it faster on one machine.
            plan.judge_setup = plan.judge_setup.with_engine(RunEngine::Exec);
        }
        let end = self.search_blocks(journal, plan, session);
        plan.judge_setup = plan.judge_setup.with_engine(usual_engine);
        end
    }

    /// Runs the blocks that a journal lacks, or merges journals.
    fn search_blocks(
        &self,
        journal: &JournalUse,
        plan: &StressPlan<'a>,
        session: &mut Session,
    ) -> Result<SharedEnd<Box<MergedSearch>>> {
        let args = self.args;
        // The number of inputs of an exhaustive search is known at its end.
        let inputs = args.cases.unwrap_or(u64::MAX);
        let usual = match args.exhaustive {
            true => ENUMERATED_BLOCK_INPUTS,
            false => BlockPlan::default_block_inputs(inputs),
        };
        let block_inputs = journal.block_length(INPUTS_PART, args.shards.block).unwrap_or(usual);
        let mut conditions = describe_search(args, self.problem, plan, self.reference, &self.settings)?;
        conditions.add_part(INPUTS_PART, block_inputs);
        let manifest = conditions.into_manifest(journal, &[("seed", format!("{:x}", plan.seed))], session)?;
        let is_run_here = matches!(journal, JournalUse::Run { .. });
        let mut journal = journal.open(&manifest, &session.cancel)?;
        let inputs = if plan.submissions.is_empty() { 0 } else { inputs };
        let search = BlockSearch { plan, blocks: BlockPlan { inputs, block_inputs } };
        let end = search.run_shard(&mut journal, session)?;
        if journal.is_part() {
            return Ok(SharedEnd::Shard(end));
        }
        let count = group_thousands(u128::from(search.count_merged(&journal)));
        session.begin_activity("Merging", format!("{count} blocks"));
        let mut merged = search.merge_blocks(&journal, self.of_one_case, session)?;
        if is_run_here && merged.result.reason == EndReason::Incomplete {
            merged.result.reason = end;
        }
        Ok(SharedEnd::Whole(Box::new(merged)))
    }
}

/// Number of inputs in a block of an exhaustive search, unless the user chooses another. Each is run in a new process, so
/// they take about a second.
const ENUMERATED_BLOCK_INPUTS: u64 = 256;

/// Returns the seed of a journal, if there is one already. All shards of an exhaustive search have the same one: its
/// inputs do not depend on it.
fn recorded_seed(journal: &JournalUse, is_exhaustive: bool) -> Option<u64> {
    const ENUMERATION_SEED: u64 = 1;
    let recorded = journal.recorded_part(SEED_PART).and_then(|seed| u64::from_str_radix(&seed, 16).ok());
    recorded.or(is_exhaustive.then_some(ENUMERATION_SEED))
}

/// Returns the source of the inputs of a random search: with a seed, every input where they are few and of any size.
fn with_random_inputs<'i>(
    inputs: InputSource<'i>,
    args: &StressArgs,
    seed: Option<u64>,
    session: &mut Session,
) -> Result<InputSource<'i>> {
    if args.exhaustive {
        return Err(Error::usage_error("`--exhaustive` requires a format"));
    }
    session.begin_activity("Enumerating", "the smallest inputs");
    let inputs = inputs.with_smallest_inputs().with_mixture(args.max_elements);
    Ok(match seed.filter(|_| args.max_elements.is_none()) {
        Some(seed) => inputs.with_every_input(seed),
        None => inputs,
    })
}

/// Returns the judging options with the fastest accepted submission of a package as the reference, if none is given.
fn with_fastest_reference(judging: &JudgeArgs, package: Option<&Package>, session: &mut Session) -> Result<JudgeArgs> {
    let mut judging = judging.clone();
    if let (None, Some(package)) = (&judging.reference, package) {
        judging.reference = problem_setup::fastest_reference(package, session)?;
    }
    Ok(judging)
}

/// Returns an error if no shape has this name, since it would have no effect.
pub(super) fn require_known_shape(name: Option<&str>) -> Result<()> {
    let Some(name) = name.filter(|names| !are_shapes_known(names)) else { return Ok(()) };
    let error = Error::usage_error(format!("unknown shape `{name}`"));
    Err(error.with_help(suggestion_or(name, all_shapes().map(|s| s.name), "`rebut shapes` lists them")))
}

/// Returns a new seed.
pub(super) fn random_seed() -> u64 {
    use std::hash::{BuildHasher, RandomState};
    // 32 bits are enough to avoid repetition and short enough to type.
    RandomState::new().hash_one(std::process::id()) >> 32
}

/// Returns the failing input of a search, to be minimized.
pub(super) fn failing_input_from_hit(hit: &SearchHit, is_in_order: bool) -> FailingInput {
    FailingInput {
        input: hit.input.bytes.clone(),
        value: hit.input.value.clone(),
        answer: hit.answer.clone(),
        run_result: hit.run_result.clone(),
        case: Some(hit.index + 1),
        shape: Some(hit.input.shape.clone()),
        elapsed_ms: hit.elapsed_ms,
        is_in_order,
        // It has failed twice by now.
        max_confirmation_runs: MAX_REPLAY_RUNS,
    }
}

/// Returns the growth up to which the inputs are drawn from the first one on: the stated one, or the measured one if nothing else
/// decides which inputs there are. With a journal, a search is the same on each machine.
///
/// # Errors
/// Returns an error if a program cannot be started, or if the growth must be measured for a journal.
pub(super) fn choose_initial_growth(args: &StressArgs, plan: &StressPlan<'_>, session: &mut Session) -> Result<u32> {
    match args.initial_growth {
        Some(InitialGrowthArg::Stated(growth)) => return Ok(growth),
        Some(InitialGrowthArg::Measured) if args.shards.journal.is_some() => {
            let what = "`--initial-growth measured` may differ from machine to machine, but a journal may not";
            return Err(Error::usage_error(what).with_help("state a number from 0 to 100"));
        }
        None if args.shards.journal.is_some() || plan.inputs.is_complete() || plan.inputs.is_exhaustive() => {
            return Ok(0);
        }
        Some(InitialGrowthArg::Measured) | None => {}
    }
    session.begin_activity("Measuring", "how long a run takes");
    measure_initial_growth(plan)
}

// Chooses the submissions that `rebut stress` searches against: the named ones, or those of a package that reveal
// missing test cases.

/// Returns the named submissions, or else those of the package worth searching against. These are the accepted ones
/// except for the reference and its copies (if two disagree, at least one is wrong), and the rejected ones that survive
/// all test cases - or all rejected ones if the smallest counterexample of each is wanted. Submissions that need only be
/// too slow are excluded, since small inputs cannot show that. If there are none, a warning gives the reason.
///
/// # Errors
///
/// Returns an error if there is no package, or if the test cases cannot be run.
pub(super) fn choose_stress_targets(
    args: &StressArgs,
    judging: &JudgeArgs,
    problem: &ProblemContext,
    session: &mut Session,
) -> Result<Vec<PathBuf>> {
    if !args.submissions.is_empty() {
        return Ok(args.submissions.clone());
    }
    let package = problem.require_package()?;
    let named = judging
        .reference
        .as_deref()
        .map(|name| problem_setup::find_submission_path(name, Some(package), session))
        .transpose()?;
    let reference = named.or_else(|| package.reference_candidates().into_iter().next());
    let source = reference.as_deref().and_then(|path| rebut_packages::read_file(path).ok());
    let is_copy = |path: &Path| source.is_some() && rebut_packages::read_file(path).ok() == source;
    let accepted = package.accepted_submissions().filter(|s| Some(&s.path) != reference.as_ref() && !is_copy(&s.path));
    let accepted: Vec<PathBuf> = accepted.map(|s| s.path.clone()).collect();
    let survivors = if args.exhaustive { expected_failures(package) } else { find_survivors(package, session)? };
    let names: Vec<String> = survivors.iter().map(|s| format!("`{}`", s.name)).collect();
    if !names.is_empty() && !args.exhaustive {
        session.warn(format!("no test case kills {}", list_and(&names)));
    }
    let targets: Vec<PathBuf> = accepted.into_iter().chain(survivors.iter().map(|s| s.path.clone())).collect();
    if targets.is_empty() {
        let why = match expected_failures(package).is_empty() {
            true => "it has no wrong submission, and no second accepted one",
            false => "its test cases kill all wrong submissions, and it has no second accepted one",
        };
        let help = "another accepted submission, by another method, is compared with the reference";
        session.warn_with_help(format!("`{}` has nothing to search for: {why}", package.folder.display()), help);
    }
    Ok(targets)
}

/// Returns the submissions that must fail for a reason other than time.
fn expected_failures(package: &Package) -> Vec<&PackageSubmission> {
    let slow = VerdictSet::from_verdicts(&[Verdict::TimeLimit]);
    let can_be_shown = |s: &&PackageSubmission| s.expectation.required.iter().any(|verdict| !slow.contains(verdict));
    package.submissions.iter().filter(|s| s.expectation.is_rejected()).filter(can_be_shown).collect()
}

/// Returns those that survive all test cases.
fn find_survivors<'p>(package: &'p Package, session: &mut Session) -> Result<Vec<&'p PackageSubmission>> {
    let wrong = expected_failures(package);
    let has_test_cases = !package.test_cases.is_empty() && package.test_cases.iter().all(|case| case.answer.is_some());
    if wrong.is_empty() || !has_test_cases {
        return Ok(wrong);
    }
    let (submissions, cases) = (wrong.len(), package.test_cases.len());
    let (submissions, cases) = (count_with_noun(submissions, "wrong submission"), count_with_noun(cases, "test case"));
    session.announce_activity("Verifying", format!("{}: {submissions} on {cases}, to find survivors", package.id));
    let chosen = verify::ChosenSubmissions { submissions: wrong.clone(), are_named: false };
    let survivors =
        verify::with_compiled_plan(package, &chosen, &VerifyArgs::default(), session, |plan, _, session| {
            let verified = verify_submissions(&plan, &mut ProgressOnlySink::new(session, None))?;
            let rows = plan.submissions.iter().zip(&verified.rows);
            let accepted = rows.filter(|(_, row)| row.verdict == Some(Verdict::Accepted));
            Ok(accepted.map(|(submission, _)| submission.name.clone()).collect::<Vec<String>>())
        })?;
    Ok(wrong.into_iter().filter(|submission| survivors.contains(&submission.name)).collect())
}

// `rebut stress --watch`: searches again whenever a source changes.
//
// Each search is a process of its own with the same arguments, so that it begins as if it had just been typed, and a
// change in the middle of one can interrupt it.

/// Time between two checks of the files: short enough for a change to be noticed at once, and a check takes a fraction of
/// a millisecond.
const LOOK_INTERVAL: Duration = Duration::from_millis(200);

/// Extensions of files beside a submission from which `rebut stress` takes something, other than sources.
const OTHER_EXTENSIONS: [&str; 3] = ["format", "in", "ans"];

/// Searches until the user interrupts.
///
/// # Errors
/// Returns an error if rebut cannot be started again.
pub(super) fn run_watch(args: &StressArgs, session: &mut Session) -> Result<ExitStatus> {
    let arguments = arguments_of_a_search(std::env::args_os().skip(1));
    session.stop_heartbeat();
    loop {
        // Before the search, so that a change during its first moments is seen.
        let stamps = look_at_files(args);
        let mut search = Some(OwnProcess::start(&arguments)?);
        let changed = wait_for_change(args, &stamps, &mut search, session)?;
        if let Some(search) = search {
            search.interrupt_and_wait()?;
        }
        let Some(changed) = changed else { return Ok(ExitStatus::Interrupted) };
        session.announce_activity("Changed", changed.display().to_string());
    }
}

/// Waits until a file has changed, and returns it; `None` if the user interrupts. Takes the search when it has ended.
fn wait_for_change(
    args: &StressArgs,
    stamps: &FileStamps,
    search: &mut Option<OwnProcess>,
    session: &Session,
) -> Result<Option<PathBuf>> {
    while !session.cancel.is_cancelled() {
        if let Some(running) = search
            && running.poll_exit_code()?.is_some()
        {
            *search = None;
            let files = count_with_noun(stamps.file_count(), "file");
            session.announce_activity("Watching", format!("{files} for changes   ^C ends"));
        }
        if let Some(changed) = stamps.first_change(&look_at_files(args)) {
            return Ok(Some(changed.to_owned()));
        }
        std::thread::sleep(LOOK_INTERVAL);
    }
    Ok(None)
}

/// Returns the arguments of each search: those of this run without `--watch`.
fn arguments_of_a_search(arguments: impl Iterator<Item = OsString>) -> Vec<OsString> {
    arguments.filter(|argument| argument != "--watch").collect()
}

/// Looks at all files that the search may read: those on the command line, the sources, formats and samples beside
/// submissions and in the working folder, and the package.
fn look_at_files(args: &StressArgs) -> FileStamps {
    let mut stamps = FileStamps::default();
    let (inputs, judging) = (&args.inputs, &args.judging);
    let named = [&inputs.format, &judging.reference, &judging.interactor].into_iter().flatten();
    for path in named.chain(&args.submissions) {
        stamps.add_file(path);
    }
    let commands = inputs.generator.iter().chain(&inputs.validator).chain(&judging.checker);
    for word in commands.filter_map(|command| split_words(command).ok()).flatten() {
        stamps.add_file(Path::new(&word));
    }
    let folders = args.submissions.iter().filter_map(|path| path.parent()).chain([Path::new("")]);
    for folder in folders {
        stamps.add_files_in(if folder.as_os_str().is_empty() { Path::new(".") } else { folder }, is_source);
    }
    if let Some(package) = &inputs.problem {
        stamps.add_package(package);
    }
    stamps
}

fn is_source(path: &Path) -> bool {
    let Some(extension) = path.extension().and_then(|extension| extension.to_str()) else { return false };
    OTHER_EXTENSIONS.contains(&extension) || LANGUAGES.iter().any(|language| language.extensions.contains(&extension))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_search_has_the_other_arguments() {
        let typed = ["stress", "sol.py", "--watch", "--time", "5s"].into_iter().map(OsString::from);
        assert_eq!(arguments_of_a_search(typed), ["stress", "sol.py", "--time", "5s"]);
    }

    #[test]
    fn only_files_that_a_search_reads_are_watched() {
        let watched = ["sol.cpp", "brute.py", "input.format", "1.in", "notes.txt", "sol"].map(Path::new).map(is_source);
        assert_eq!(watched, [true, true, true, true, false, false]);
    }
}
