//! `rebut stress`: searches for failing inputs, minimizes them and reports the findings.

pub(in crate::cli) mod save_test;
mod slow;
pub(in crate::cli) mod summary;
pub(in crate::cli) mod watch;

use super::args::{InitialGrowthArg, InputArgs, JudgeArgs, StressArgs, VerifyArgs};
use super::exit_status::ExitStatus;
use super::problem_setup::{self, ProblemContext, SanitizerContext};
use super::session::Session;
use super::shards::choose_search_journal;
use super::shards::manifest::{INPUTS_PART, SEED_PART, describe_search};
use super::verify::{self, VerifyOutput};
use super::{compile_programs, discover, judges, visualizers};
use rebut_diagnostics::{Error, Result, count_with_noun, group_thousands, list_and, suggestion_or};
use rebut_engine::event::{EndReason, Event, EventSink, Finding, JudgeKind, SearchStarted, WarningEvent};
use rebut_engine::{
    BlockPlan, BlockSearch, CONFIRMATION_RUNS, CompiledSubmission, ExhaustiveInputs, ExhaustiveScope, FailingInput,
    FindingOptions, InputSource, JournalUse, MergedSearch, Minimizer, RunEngine, SearchHit, SearchResult, SharedEnd,
    StressPlan, colliding_texts, constants_as_words, explain_slow_reference, extract_constants, extract_quoted_words,
    find_input_misfits, find_long_type, measure_initial_growth, run_search, search_exhaustively,
};
use rebut_format::generate::{GenerationPlan, GenerationSettings};
use rebut_format::language::Format;
use rebut_generators::{all_shapes, are_shapes_known};
use rebut_packages::verdict::{Verdict, VerdictSet};
use rebut_packages::{Package, PackageSubmission};
use rebut_sandbox::Program;
use slow::SlowTargets;
use std::path::{Path, PathBuf};
use std::time::Instant;
use summary::{SearchClosing, emit_shard_end, emit_summary};

/// Runs a search, or merges the blocks of one that was run elsewhere.
pub(super) fn run_stress(args: &StressArgs, session: &mut Session) -> Result<ExitStatus> {
    session.open_reports(&args.reports);
    session.begin_report_section("stress", args.inputs.problem.as_deref().unwrap_or(Path::new("")), false);
    require_known_shape(args.shape.as_deref())?;
    let journal = choose_search_journal(args, session)?;
    let mut args = discover::complete_args(args, session)?;
    args.seed = args.seed.or_else(|| recorded_seed(journal.as_ref()?, args.exhaustive));
    let args = &args;
    let beside = args.submissions.first().map(PathBuf::as_path);
    let problem = ProblemContext::load_problem(&args.inputs, beside, session)?;
    problem_setup::require_inputs(&args.inputs, &problem)?;
    let package = problem.package.as_ref();
    // The machines of a search with a journal must take the same reference, whatever they measure.
    let judging = match &journal {
        Some(_) => args.judging.clone(),
        None => with_fastest_reference(&args.judging, package, session)?,
    };
    let (submissions, rejected) = match compile_targets(args, &judging, &problem, session)? {
        SearchTargets::Compiled(submissions, rejected) => (submissions, rejected),
        SearchTargets::Nothing(status) => return Ok(status),
    };
    let (judge_setup, reference) = problem_setup::build_judge_setup(&judging, &problem, beside, session)?;
    let settings = search_settings(&args.inputs, args.max_elements, args.shape.clone(), &problem, &submissions);
    let limits = &judge_setup.judge_limits;
    let inputs = problem_setup::build_input_source(&args.inputs, &problem, settings.clone(), limits, session)?;
    if args.slow {
        let seed = args.seed.unwrap_or_else(random_seed);
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
        _ => with_random_inputs(inputs, args, session)?,
    };
    let mut plan = StressPlan {
        submissions,
        inputs,
        judge_setup,
        seed: args.seed.unwrap_or_else(random_seed),
        jobs: session.jobs,
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

/// The submissions of a search.
enum SearchTargets {
    /// The compiled ones, and the number of those that the compiler rejected.
    Compiled(Vec<CompiledSubmission>, usize),
    /// There is none to search against, as was reported.
    Nothing(ExitStatus),
}

/// Chooses and compiles the submissions of a search.
fn compile_targets(
    args: &StressArgs,
    judging: &JudgeArgs,
    problem: &ProblemContext,
    session: &mut Session,
) -> Result<SearchTargets> {
    session.set_file_names(args.judging.files.clone());
    let (package, beside) = (problem.package.as_ref(), args.submissions.first().map(PathBuf::as_path));
    let are_named = !args.submissions.is_empty();
    let named = choose_stress_targets(args, judging, problem, session)?;
    if named.is_empty() {
        let closing = SearchClosing { min_cases: args.min_cases, ..SearchClosing::default() };
        let status = emit_summary(session, None, &SearchResult::default(), &[], closing);
        return Ok(SearchTargets::Nothing(status));
    }
    // An error concerning the reference is reported when the reference is compiled.
    let references = problem_setup::reference_candidates(judging, problem, beside, session).unwrap_or_default();
    let found = problem_setup::find_submissions(&named, package, session)?;
    compile_programs::precompile_sources(&found, &references, judges::find_judge_source(judging), package, session);
    let (submissions, rejected) = problem_setup::compile_submissions(found, are_named, problem, session)?;
    if submissions.is_empty() {
        let verdicts = vec![Verdict::CompileError; rejected];
        let closing = SearchClosing::default();
        let status = emit_summary(session, None, &SearchResult::default(), &verdicts, closing);
        return Ok(SearchTargets::Nothing(status));
    }
    Ok(SearchTargets::Compiled(submissions, rejected))
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
        session.take_event(&Event::Started(search_started_event(args, problem, plan)));
        let MergedSearch { result, reach, missing: missing_blocks } = match self.search_inputs(plan, session)? {
            SharedEnd::Whole(searched) => *searched,
            SharedEnd::Shard(end) => return Ok(emit_shard_end(Some(plan.seed), end, session)),
        };
        let mut closing = SearchClosing { missing_blocks, ..SearchClosing::from_search(args, plan, &result, reach) };
        let mut verdicts = minimize_hits(args, problem, plan, reference, &result, &mut closing, session)?;
        verdicts.extend(vec![Verdict::CompileError; self.rejected]);
        warn_of_misfits(plan, &result, session);
        warn_of_silent_reference(plan, &result, session);
        if verdicts.is_empty() && result.progress.cases > 0 {
            warn_of_long(plan, session);
        }
        Ok(emit_summary(session, Some(plan.seed), &result, &verdicts, closing))
    }

    /// Searches all inputs, or those of a shard.
    fn search_inputs(&self, plan: &mut StressPlan<'a>, session: &mut Session) -> Result<SharedEnd<Box<MergedSearch>>> {
        let Some(journal) = &self.journal else {
            let (result, reach) = match &self.scope {
                Some(scope) => search_exhaustively(plan, scope, session)?,
                None => (run_search(plan, session)?, None),
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

/// Returns the source of the inputs of a random search.
fn with_random_inputs<'i>(
    inputs: InputSource<'i>,
    args: &StressArgs,
    session: &mut Session,
) -> Result<InputSource<'i>> {
    if args.exhaustive {
        return Err(Error::usage_error("`--exhaustive` requires a format"));
    }
    session.begin_activity("Enumerating", "the smallest inputs");
    Ok(inputs.with_smallest_inputs().with_mixture(args.max_elements))
}

/// Returns the judging options with the fastest accepted submission of a package as the reference, if none is given.
fn with_fastest_reference(judging: &JudgeArgs, package: Option<&Package>, session: &mut Session) -> Result<JudgeArgs> {
    let mut judging = judging.clone();
    if let (None, Some(package)) = (&judging.reference, package) {
        judging.reference = problem_setup::fastest_reference(package, session)?;
    }
    Ok(judging)
}

/// Approximate maximum number of numbers and characters of most inputs, unless the user names another.
const MOST_ELEMENTS: usize = 2000;

/// Returns how the inputs of a search are generated.
pub(super) fn search_settings(
    inputs: &InputArgs,
    max_elements: Option<usize>,
    shape: Option<String>,
    problem: &ProblemContext,
    submissions: &[CompiledSubmission],
) -> GenerationSettings {
    let hints = constants_of_submissions(submissions);
    let mut words = words_of_submissions(submissions, problem.package.as_ref());
    words.extend(constants_as_words(&hints));
    if let Some(format) = &problem.format {
        words.retain(|word| is_over_an_alphabet(format, word));
    }
    let colliding_texts = problem.format.as_ref().map(|format| colliding_texts(format, &hints)).unwrap_or_default();
    GenerationSettings {
        max_elements: max_elements.unwrap_or(MOST_ELEMENTS),
        max_cases: max_cases_per_file(inputs, problem),
        shape,
        hints,
        dictionary: words.into(),
        colliding_texts: colliding_texts.into(),
        ..GenerationSettings::default()
    }
}

/// Warns if the reference answered no input at all and its use of the input explains why.
fn warn_of_silent_reference(plan: &StressPlan<'_>, result: &SearchResult, session: &mut Session) {
    if result.progress.cases > 0
        || result.progress.refused > 0
        || !result.hits.is_empty()
        || session.cancel.is_cancelled()
    {
        return;
    }
    if let Some(why) = explain_slow_reference(plan) {
        let message = format!("the reference `{}` answers no input: {why}", plan.judge_setup.reference.display_name());
        session.take_event(&Event::Warning(WarningEvent { message, help: None }));
    }
}

/// Warns if submissions without a finding have numbers that some judges store in fewer bits.
fn warn_of_long(plan: &StressPlan<'_>, session: &mut Session) {
    for CompiledSubmission { name, source, .. } in &plan.submissions {
        if let Some(line) = rebut_packages::read_file(source).ok().and_then(|text| find_long_type(source, &text)) {
            let message =
                format!("`{name}` uses `long` (line {line}), which has 64 bits here and 32 on judges that run Windows");
            let help = Some("`long long` has 64 bits everywhere".to_owned());
            session.take_event(&Event::Warning(WarningEvent { message, help }));
        }
    }
}

/// Warns if programs read more or less than the inputs contain.
fn warn_of_misfits(plan: &StressPlan<'_>, result: &SearchResult, session: &mut Session) {
    /// Number of inputs the programs are run on.
    const MISFIT_INPUTS: u64 = 8;
    if session.cancel.is_cancelled() {
        return;
    }
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
    // A failure to diagnose costs only the warnings; it must not cost the result of the search.
    for warning in find_input_misfits(&plan.judge_setup, &submissions, &inputs).into_iter().flatten() {
        session.take_event(&Event::Warning(warning));
    }
}

/// Returns the maximum number of cases per file. If a validator refuses a file, its cases are validated one by one, so
/// files are kept small if there are validators.
fn max_cases_per_file(inputs: &InputArgs, problem: &ProblemContext) -> usize {
    const MAX_CASES_IN_PROCESS: usize = 2000;
    const MAX_CASES_WITH_VALIDATOR: usize = 12;
    let has_validator =
        !inputs.validator.is_empty() || problem.format.as_ref().is_some_and(|f| !f.validators.is_empty());
    if has_validator { MAX_CASES_WITH_VALIDATOR } else { MAX_CASES_IN_PROCESS }
}

/// Returns an error if no shape has this name, since it would have no effect.
pub(super) fn require_known_shape(name: Option<&str>) -> Result<()> {
    let Some(name) = name.filter(|names| !are_shapes_known(names)) else { return Ok(()) };
    let error = Error::usage_error(format!("unknown shape `{name}`"));
    Err(error.with_help(suggestion_or(name, all_shapes().map(|s| s.name), "`rebut shapes` lists them")))
}

/// Returns the integer constants in the sources of the submissions.
fn constants_of_submissions(submissions: &[CompiledSubmission]) -> Vec<i128> {
    let sources = submissions.iter().filter_map(|s| rebut_packages::read_file(&s.source).ok());
    let mut all: Vec<i128> = sources.flat_map(|source| extract_constants(&source)).collect();
    all.sort_unstable();
    all.dedup();
    all
}

/// Returns the string literals in the sources of the submissions and the words in the samples.
fn words_of_submissions(submissions: &[CompiledSubmission], package: Option<&Package>) -> Vec<Vec<u8>> {
    let sources = submissions.iter().filter_map(|submission| rebut_packages::read_file(&submission.source).ok());
    let mut all: Vec<Vec<u8>> = sources.flat_map(|source| extract_quoted_words(&source)).collect();
    all.extend(package.map(problem_setup::words_in_samples).unwrap_or_default());
    all.sort_unstable();
    all.dedup();
    all
}

/// Returns true if a word consists of letters of some text of the format.
fn is_over_an_alphabet(format: &Format, word: &[u8]) -> bool {
    let alphabets = || format.fields.iter().filter_map(|field| field.alphabet());
    alphabets().any(|letters| word.iter().all(|letter| letters.contains(letter)))
}

/// Returns a new seed.
pub(super) fn random_seed() -> u64 {
    use std::hash::{BuildHasher, RandomState};
    // 32 bits are enough to avoid repetition and short enough to type.
    RandomState::new().hash_one(std::process::id()) >> 32
}

fn search_started_event(args: &StressArgs, problem: &ProblemContext, plan: &StressPlan<'_>) -> SearchStarted {
    let format = problem.format.as_ref().map(|f| f.source.name.clone());
    SearchStarted {
        submissions: plan.submissions.iter().map(|s| s.name.clone()).collect(),
        reference: plan.judge_setup.reference.file_name(),
        inputs: args.inputs.generator.clone().or(format).unwrap_or_default(),
        checker: plan.judge_setup.judge.checker_name(),
        jobs: plan.jobs,
        engine: describe_engine(plan),
        seed: plan.seed,
        time_budget_ms: plan.time_budget.and_then(|t| u64::try_from(t.as_millis()).ok()),
        case_budget: plan.case_budget,
        initial_growth: plan.inputs.initial_growth,
    }
}

/// Describes how programs are run, such as `packed + fork server`.
fn describe_engine(plan: &StressPlan<'_>) -> String {
    let programs = || plan.submissions.iter().map(|s| &s.program).chain([&plan.judge_setup.reference]);
    let is_conversation = plan.judge_setup.judge.judge_kind() == JudgeKind::Conversation;
    let quick =
        plan.judge_setup.engine == RunEngine::Quick && !is_conversation && programs().any(Program::has_fast_path);
    let packed = plan.inputs.input_format().is_some_and(|format| format.cases_block().is_some());
    let engine = if quick { "fork server" } else { "exec" };
    if packed { format!("packed + {engine}") } else { engine.to_owned() }
}

/// Turns every hit into a finding, and returns the verdicts of the confirmed ones.
fn minimize_hits(
    args: &StressArgs,
    problem: &ProblemContext,
    plan: &StressPlan<'_>,
    reference: &Path,
    result: &SearchResult,
    closing: &mut SearchClosing,
    session: &mut Session,
) -> Result<Vec<Verdict>> {
    let inputs: &InputSource<'_> = &plan.inputs;
    let exact = plan.judge_setup.with_engine(RunEngine::Exec);
    let visualizers = visualizers::compile_visualizers(problem.package.as_ref(), session);
    let cancel = session.cancel.clone();
    let visualize = |found: &Finding| visualizers::draw_finding(&visualizers, found, None, &cancel).unwrap_or_default();
    let mut verdicts = Vec::new();
    let end = plan.time_budget.map(|budget| Instant::now() + args.finding.time_after_search(budget, result.hits.len()));
    for hit in &result.hits {
        let submission = hit.submission.map(|i| &plan.submissions[i]);
        let record = problem_setup::build_finding_record(
            &args.inputs,
            problem,
            reference,
            submission.map(|s| s.source.as_path()),
            session,
        );
        let sanitizers = SanitizerContext::new(problem.package.as_ref(), session);
        let sanitize = |source: &Path, input: &[u8]| sanitizers.run_with_sanitizers(source, input);
        let minimizer = Minimizer {
            judge_setup: &exact,
            engine: plan.judge_setup.engine,
            inputs,
            jobs: plan.jobs,
            options: FindingOptions { end, ..problem_setup::finding_options(&args.finding, false) },
            seed: Some(plan.seed),
            pages: &|found, folder| crate::report::finding_pages(found, folder, problem.format.as_ref()),
            sanitize: &sanitize,
            visualize: &visualize,
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
        max_confirmation_runs: CONFIRMATION_RUNS,
    }
}

/// Returns the growth up to which the inputs are drawn from the first one on: the stated one, or the measured one if nothing else
/// decides which inputs there are. With a seed, a number of cases or a journal, a search is the same on each machine.
///
/// # Errors
/// Returns an error if a program cannot be started, or if the growth must be measured for a journal.
pub(super) fn choose_initial_growth(args: &StressArgs, plan: &StressPlan<'_>, session: &mut Session) -> Result<u32> {
    let is_fixed = args.seed.is_some() || args.cases.is_some() || args.shards.journal.is_some();
    match args.initial_growth {
        Some(InitialGrowthArg::Stated(growth)) => return Ok(growth),
        Some(InitialGrowthArg::Measured) if args.shards.journal.is_some() => {
            let what = "`--initial-growth measured` may differ from machine to machine, but a journal may not";
            return Err(Error::usage_error(what).with_help("state a number from 0 to 100"));
        }
        None if is_fixed || plan.inputs.is_exhaustive() => return Ok(0),
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
        let message = format!("no test case kills {}", list_and(&names));
        session.take_event(&Event::Warning(WarningEvent { message, help: None }));
    }
    let targets: Vec<PathBuf> = accepted.into_iter().chain(survivors.iter().map(|s| s.path.clone())).collect();
    if targets.is_empty() {
        session.take_event(&Event::Warning(explain_no_targets(package)));
    }
    Ok(targets)
}

/// Returns a warning that explains why no submission of a package is worth searching against.
fn explain_no_targets(package: &Package) -> WarningEvent {
    let why = match expected_failures(package).is_empty() {
        true => "it has no wrong submission, and no second accepted one",
        false => "its test cases kill all wrong submissions, and it has no second accepted one",
    };
    WarningEvent {
        message: format!("`{}` has nothing to search for: {why}", package.folder.display()),
        help: Some("another accepted submission, by another method, is compared with the reference".to_owned()),
    }
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
    let how = VerifyArgs::default();
    let chosen = verify::ChosenSubmissions { submissions: wrong.clone(), are_named: false };
    let (_, survivors) = verify::verify_and_then(
        package,
        &chosen,
        &how,
        VerifyOutput::ProgressOnly,
        session,
        |plan, verified, _, _| {
            let rows = plan.submissions.iter().zip(&verified.rows);
            let accepted = rows.filter(|(_, row)| row.verdict == Some(Verdict::Accepted));
            Ok(accepted.map(|(submission, _)| submission.name.clone()).collect::<Vec<String>>())
        },
    )?;
    Ok(wrong.into_iter().filter(|submission| survivors.contains(&submission.name)).collect())
}
