//! `rebut build`: builds the test set of a problem from its recipe.

pub(in crate::cli) mod answers;
mod recipe_resolver;
mod selection;

use super::args::{BuildArgs, InputArgs, JudgeArgs, VerifyArgs};
use super::compile_programs::{
    self, compile_all, compile_quietly, package_source_options, source_digest, to_judge_error,
};
use super::exit_status::ExitStatus;
use super::groups::find_groups;
use super::problem_setup::ProblemContext;
use super::session::Session;
use super::shards::manifest::{PIECES_PART, describe_build};
use super::shards::{choose_journal, require_single_problem};
use super::stress::find::FinderSearch;
use super::verify;
use super::verify::probes;
use rebut_diagnostics::{Diagnostic, Error, Result};
use rebut_engine::event::{Event, EventSink, Finding, FlawBlame, ProgramRole};
use rebut_engine::verify::VerifyResult;
use rebut_engine::{
    AcceptedSubmission, BuildPlan, BuiltPiece, BuiltTestSet, DrawSettings, InputFinder, InputMethod, InputValidator,
    JournalUse, JudgeSetup, PieceBlocks, RunEngine, SharedEnd, SlowSearch, SlowSearchPlan, TestCandidate, TestJob,
    WorstInput, build_test_set,
};
use rebut_packages::recipe::{SAMPLE_GROUP, SECRET_GROUP, TestSetRecipe};
use rebut_packages::verdict::Verdict;
use rebut_packages::{Dialect, Package, PackageSubmission, TestSet, TestSetChanges, TestSetFile, digest_parts};
use rebut_sandbox::Program;
use rebut_toolchain::{CompileError, CountedProgram, Language};
use recipe_resolver::RecipeResolver;
use selection::CandidateSelector;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Builds test sets, or merges the tests of one that several machines made.
///
/// # Errors
/// Returns an error if programs cannot be run, or if journals are not those of this command.
pub(super) fn run_build(args: &BuildArgs, session: &mut Session) -> Result<ExitStatus> {
    session.open_reports(&args.reports);
    require_single_problem(&args.shards, &args.problems, "built")?;
    let journal = choose_journal(&args.shards, session)?;
    let mut statuses = Vec::new();
    let mut flaws = 0;
    for folder in &args.problems {
        let (status, found) = match build_problem(args, folder, journal.as_ref(), session) {
            // An error in one package must not hide the results of the others.
            Err(error) if args.problems.len() > 1 && !session.cancel.is_cancelled() => {
                session.show_error(&error);
                (ExitStatus::from_error(&error), 0)
            }
            built => built?,
        };
        statuses.push(status);
        flaws += found;
    }
    let status = statuses.into_iter().max().unwrap_or(ExitStatus::Success);
    Ok(session.emit_summary(flaws, status))
}

/// Builds the test set of one problem, or a shard of it. Returns the exit status and the number of flaws.
fn build_problem(
    args: &BuildArgs,
    folder: &Path,
    journal: Option<&JournalUse>,
    session: &mut Session,
) -> Result<(ExitStatus, usize)> {
    let given = InputArgs { problem: Some(folder.to_owned()), ..InputArgs::default() };
    session.begin_package_section(folder);
    let set = TestSet::open(folder, args.force)?;
    let problem = ProblemContext::for_build(&given, folder, &set, session)?;
    let recipe = recipe_resolver::load_recipe(folder)?;
    check_groups(&recipe, problem.require_package()?)?;
    compare_points(&recipe, &problem, session)?;
    let own = problem.compile_validators(&given, session)?;
    let own = if problem.format.is_some() { own } else { Vec::new() };
    let mut resolver = RecipeResolver::new(&recipe, folder, problem.format.as_ref(), own, session);
    let mut test_jobs = resolver.resolve_tests()?;
    let own_validators = resolver.into_validators();
    let reference = args.reference.clone().or_else(|| recipe.reference.as_ref().map(|r| PathBuf::from(&r.text)));
    let judging = JudgeArgs { reference, checker: args.checker.clone(), ..JudgeArgs::default() };
    let (judge_setup, source) = problem.build_judge_setup(&judging, session)?;
    let reference_key = source_digest(&source)?;
    compile_finders(&mut test_jobs, &recipe, &problem, &judge_setup, session)?;
    depend_on_answers(&mut test_jobs, &reference_key);
    let finder = slow_input_finder(&mut test_jobs, &problem, &source, &judge_setup, session)?;
    let find_slow = finder.as_ref().map(|finder| |job: &TestJob| finder.find_inputs(job));
    // After all other keys are known, as a selection depends on all tests.
    let selector = candidate_selector(&recipe, &problem, &judge_setup, session)?;
    if let Some(selector) = &selector {
        depend_on_selection(&mut test_jobs, selector.key());
    }
    let select = selector.as_ref().map(|selector| {
        |candidates: &[TestCandidate<'_>], sink: &mut dyn EventSink| selector.select_candidates(candidates, sink)
    });
    let answer_validators = answers::answer_validators(problem.require_package()?, session)?;
    let (accepted, rejected) = compile_accepted(&problem, &source, session)?;
    let limits = judge_setup.judge_limits.clone();
    let plan = BuildPlan {
        test_jobs,
        set: &set,
        format: problem.format.as_ref(),
        // Here submissions are compared for agreement, not judged for speed.
        judge_setup: JudgeSetup { limits, engine: RunEngine::Exec, ..judge_setup },
        reference_key,
        own_validators,
        validators: other_validators(&problem, session)?,
        answer_validators: answer_validators.into_iter().map(|(_, validator)| validator).collect(),
        accepted,
        extra_files: score_files(&recipe, problem.require_package()?, &set, session),
        select: select.as_ref().map(|select| select as _),
        find_slow: find_slow.as_ref().map(|find_slow| find_slow as _),
        pieces: None,
        jobs: session.jobs,
        // The machines of a journal may have different test sets on disk.
        rebuild_all: args.force || journal.is_some(),
    };
    session.begin_activity("Building", folder.display().to_string());
    session.keep_results();
    let shared = journal.map(|journal| share_pieces(args, journal, &problem, (&plan, &source), session));
    let pieces = match shared.transpose()? {
        Some(SharedEnd::Whole(pieces)) => Some(pieces),
        Some(SharedEnd::Shard(reason)) => return Ok((ExitStatus::from_shard(reason), 0)),
        None => None,
    };
    if rejected > 0 {
        return Ok((ExitStatus::Found, rejected));
    }
    let plan = BuildPlan { pieces: pieces.as_deref(), rebuild_all: args.force, ..plan };
    finish_build(args, folder, &plan, session)
}

/// Makes the pieces of a test set with a journal.
fn share_pieces(
    args: &BuildArgs,
    journal: &JournalUse,
    problem: &ProblemContext,
    (plan, reference): (&BuildPlan<'_>, &Path),
    session: &mut Session,
) -> Result<SharedEnd<Vec<BuiltPiece>>> {
    let blocks = PieceBlocks::cut_plan(plan, journal.block_length(PIECES_PART, args.shards.block));
    let conditions = describe_build(problem, plan, reference, blocks.block_pieces())?;
    let mut journal = journal.open(&conditions.into_manifest(journal, &[], session)?, &session.cancel)?;
    blocks.share_pieces(&mut journal, session)
}

/// Builds, writes and reports a test set, and verifies all submissions on it.
fn finish_build(
    args: &BuildArgs,
    folder: &Path,
    plan: &BuildPlan<'_>,
    session: &mut Session,
) -> Result<(ExitStatus, usize)> {
    let built = build_test_set(plan, session)?;
    if session.cancel.is_cancelled() {
        return Err(Error::interrupted());
    }
    let written = write_test_set(args, plan.set, &built, session)?;
    session.take_event(&Event::Built(built.to_event(written)));
    let (status, flaws) = (build_status(args, &built, written), built.flaws.len());
    if status != ExitStatus::Success || args.check || args.no_verify {
        return Ok((status, flaws));
    }
    let verified = verify_built_set(folder, session)?;
    Ok((verify::verify_status(&verified), verified.unmet_count()))
}

/// Returns what selects the tests, if the recipe has candidates.
fn candidate_selector(
    recipe: &TestSetRecipe,
    problem: &ProblemContext,
    judge_setup: &JudgeSetup,
    session: &mut Session,
) -> Result<Option<CandidateSelector>> {
    if !recipe.all_tests().any(|(_, test)| test.is_candidate) {
        return Ok(None);
    }
    CandidateSelector::new(recipe.selection, problem, judge_setup.clone(), session).map(Some)
}

/// Returns what finds slow inputs, if the recipe asks for them. Their keys then depend on the programs.
fn slow_input_finder(
    jobs: &mut [TestJob],
    problem: &ProblemContext,
    reference: &Path,
    judge_setup: &JudgeSetup,
    session: &mut Session,
) -> Result<Option<SlowInputFinder>> {
    let is_slow = |job: &&mut TestJob| matches!(job.method, InputMethod::Slow);
    let mut slow_jobs: Vec<&mut TestJob> = jobs.iter_mut().filter(is_slow).collect();
    if slow_jobs.is_empty() {
        return Ok(None);
    }
    let finder = SlowInputFinder::new(problem.require_package()?, reference, judge_setup.clone(), session)?;
    slow_jobs.iter_mut().for_each(|job| job.key = digest_parts(&[job.key.as_str(), finder.key()]));
    Ok(Some(finder))
}

/// Compiles the programs of conditions on submissions: submissions of the package, and sources in `generators/`. The keys
/// of their inputs then depend on them.
fn compile_finders(
    jobs: &mut [TestJob],
    recipe: &TestSetRecipe,
    problem: &ProblemContext,
    judge_setup: &JudgeSetup,
    session: &mut Session,
) -> Result<()> {
    let package = problem.require_package()?;
    let own = package.submissions.iter().map(|submission| submission.path.clone());
    let beside = rebut_packages::list_files(&package.folder.join("generators"));
    let sources: Vec<PathBuf> =
        own.chain(beside.into_iter().filter(|path| Language::from_path(path).is_some())).collect();
    for (job, (_, test)) in jobs.iter_mut().zip(recipe.all_tests()) {
        let Some(find) = &test.find else { continue };
        let finder = FinderSearch::parse(&find.text, sources.clone()).map_err(|problem| {
            let span = find.part_span(&recipe.source, problem.span);
            Error::from_diagnostics(recipe.source.clone(), vec![Diagnostic { span, ..problem }])
        })?;
        for source in &finder.sources {
            job.key = digest_parts(&[&job.key, &source_digest(source)?]);
        }
        let setup = judge_setup.with_engine(RunEngine::Exec);
        let (stand_in, judge_setup) = finder.compile_search(setup, |source| {
            compile_programs::compile_for(Some(package), source, ProgramRole::Submission, session)
                .map_err(|error| to_judge_error(error, &compile_programs::display_file_name(source)))
        })?;
        job.finder = Some(InputFinder { program: stand_in.program, judge_setup });
    }
    Ok(())
}

/// Makes the keys of inputs that were taken for the output of programs depend on the reference.
fn depend_on_answers(jobs: &mut [TestJob], reference_key: &str) {
    for job in jobs {
        let is_filtered = matches!(&job.method, InputMethod::Draw(DrawSettings { answer: Some(_), .. }));
        if is_filtered || job.finder.is_some() {
            job.key = digest_parts(&[&job.key, reference_key]);
        }
    }
}

/// Makes the keys of candidates depend on everything that decides the selection: on the other tests, too.
fn depend_on_selection(jobs: &mut [TestJob], selection_key: &str) {
    let all: Vec<String> = jobs.iter().map(|job| format!("{} {}", job.key, job.count)).collect();
    let key = digest_parts(&[selection_key.to_owned(), digest_parts(&all)]);
    for job in jobs.iter_mut().filter(|job| job.is_candidate) {
        job.key = digest_parts(&[&job.key, &key]);
    }
}

/// Runs every submission on the test set that was just built.
fn verify_built_set(folder: &Path, session: &mut Session) -> Result<VerifyResult> {
    let problem = ProblemContext::from_folder(folder, session)?;
    let package = problem.require_package()?;
    let all = verify::ChosenSubmissions { submissions: package.submissions.iter().collect(), are_named: false };
    verify::with_compiled_plan(package, &all, &VerifyArgs::default(), session, |plan, store, session| {
        let verified = verify::report_table(package, &plan, session)?;
        probes::emit_appraisal(&problem, &plan, &verified, store, session)?;
        Ok(verified)
    })
}

/// Writes the test set, unless `--check` was given or something prevents it. Returns true if it was written.
fn write_test_set(args: &BuildArgs, set: &TestSet, built: &BuiltTestSet, session: &mut Session) -> Result<bool> {
    if args.check || !built.flaws.is_empty() {
        return Ok(false);
    }
    let TestSetChanges { edited, foreign, .. } = &built.changes;
    let is_wanted = |path: &&String| built.files.iter().any(|file| file.path == **path);
    let lost: Vec<&String> = edited.iter().chain(foreign).filter(is_wanted).collect();
    let others: Vec<&String> = edited.iter().chain(foreign).filter(|path| !is_wanted(path)).collect();
    if !args.force && (!lost.is_empty() || !others.is_empty()) {
        session.warn_with_help(
            "`data/` has files that the recipe does not make, so nothing was written".to_owned(),
            "add them to the recipe as `file`, move them away, or build with `--force`, which overwrites those that \
                    are in the way and keeps the others",
        );
        return Ok(false);
    }
    set.write_files(&built.files, &built.changes)?;
    Ok(true)
}

fn build_status(args: &BuildArgs, built: &BuiltTestSet, written: bool) -> ExitStatus {
    match built.flaws.iter().map(|flaw| flaw.kind.blame()).max() {
        Some(FlawBlame::Judge) => ExitStatus::Judge,
        Some(FlawBlame::Recipe) => ExitStatus::Usage,
        Some(FlawBlame::Unclear) => ExitStatus::Found,
        None if args.check && !built.changes.is_empty() => ExitStatus::Found,
        None if args.check || written => ExitStatus::Success,
        None => ExitStatus::Usage,
    }
}

/// Returns an error if a test of a scoring problem is in no group while others are.
fn check_groups(recipe: &TestSetRecipe, package: &Package) -> Result<()> {
    let scored = recipe.groups.iter().find(|group| group.score.is_some() && group.name != SECRET_GROUP);
    let outside = recipe.groups.iter().find(|group| group.name == SECRET_GROUP).and_then(|group| group.tests.first());
    let (Some(scored), Some(test), true) = (scored, outside, package.problem_type.scoring) else { return Ok(()) };
    let problem = Diagnostic::error("no-group", test.span, "this test is in no group, so it gives no points");
    let help = format!("set its group, as in `group = \"{}\"`", scored.name);
    let problem = problem.with_caret("only groups give points").with_help(help);
    Err(Error::from_diagnostics(recipe.source.clone(), vec![problem]))
}

/// Warns of groups that give other points than their subtask in the format.
fn compare_points(recipe: &TestSetRecipe, problem: &ProblemContext, session: &mut Session) -> Result<()> {
    let subtasks = problem.format.as_ref().map_or(&[][..], |format| &format.subtasks);
    for group in find_groups(problem)? {
        let score = recipe.groups.iter().find(|known| known.name == group.name).and_then(|known| known.score);
        let subtask = subtasks.iter().find(|subtask| Some(&subtask.name) == group.subtask.as_ref());
        let (Some(score), Some((name, points))) = (score, subtask.and_then(|s| Some((&s.name, s.points?)))) else {
            continue;
        };
        if i128::from(score) != points {
            let group = group.name;
            session.warn(format!("the group `{group}` gives {score} points, but the format says {points} of `{name}`"));
        }
    }
    Ok(())
}

/// Returns the files that set the points of the groups, in the dialect of the package: for all groups, or none.
fn score_files(recipe: &TestSetRecipe, package: &Package, set: &TestSet, session: &mut Session) -> Vec<TestSetFile> {
    let is_legacy = matches!(package.dialect, Dialect::Legacy | Dialect::LegacyIcpc);
    let scored: Vec<(String, u32)> =
        recipe.groups.iter().filter_map(|group| Some((group.data_folder(), group.score?))).collect();
    if scored.is_empty() {
        return Vec::new();
    }
    if !package.problem_type.scoring {
        let message = "groups have points, but `problem.yaml` does not set `type: scoring`".to_owned();
        session.warn_with_help(message, "judges give no points without it");
    }
    let total: u64 = scored.iter().map(|(_, score)| u64::from(*score)).sum();
    let name = if is_legacy { "testdata.yaml" } else { "test_group.yaml" };
    let file = |folder: &str, text: String| {
        let key = digest_parts(&[&text]);
        TestSetFile { path: format!("{folder}/{name}"), key, bytes: text.into_bytes() }
    };
    let around = enclosing_score_files(recipe, total, is_legacy).into_iter().map(|(folder, text)| file(folder, text));
    // Files about all groups that were written by hand are not overwritten.
    let around = around.filter(|file| {
        !set.is_handmade(&file.path) && !scored.iter().any(|(f, _)| file.path.starts_with(&format!("{f}/{name}")))
    });
    let of_group = |(folder, score): &(String, u32)| {
        file(
            folder,
            if is_legacy {
                format!("on_reject: break\ngrader_flags: min\naccept_score: {score}\nrange: 0 {score}\n")
            } else {
                format!("max_score: {score}\nscore_aggregation: pass-fail\n")
            },
        )
    };
    around.chain(scored.iter().map(of_group)).collect()
}

/// Returns the files needed around the groups, so that a failing group does not take the points of the others.
fn enclosing_score_files(recipe: &TestSetRecipe, total: u64, is_legacy: bool) -> Vec<(&'static str, String)> {
    if !is_legacy {
        return vec![("secret", format!("max_score: {total}\n"))];
    }
    let secret = format!(
        "on_reject: continue\ngrader_flags: first_error accept_if_any_accepted\naccept_score: 0\nrange: 0 {total}\n"
    );
    let sample = "on_reject: continue\ngrader_flags: always_accept\naccept_score: 0\nrange: 0 0\n";
    let has_samples = recipe.groups.iter().any(|group| group.name == SAMPLE_GROUP && !group.tests.is_empty());
    let sample = has_samples.then(|| ("sample", sample.to_owned()));
    [("secret", secret)].into_iter().chain(sample).collect()
}

/// Compiles the package's validators that the format does not name.
fn other_validators(problem: &ProblemContext, session: &mut Session) -> Result<Vec<InputValidator>> {
    let named: Vec<PathBuf> = problem
        .format
        .iter()
        .flat_map(|format| &format.validators)
        .filter_map(|v| problem.folder.join(v.command.split(' ').next()?).canonicalize().ok())
        .collect();
    let is_named = |path: &Path| path.canonicalize().is_ok_and(|path| named.contains(&path));
    let found = problem.compile_package_validators(&|path| !is_named(path), session)?;
    Ok(found.into_iter().map(|(_, validator)| validator).collect())
}

/// Compiles the accepted submissions except the reference. Submissions without a compiler on this machine are skipped.
/// Also returns the number of those that do not compile, as is reported.
fn compile_accepted(
    problem: &ProblemContext,
    reference: &Path,
    session: &mut Session,
) -> Result<(Vec<AcceptedSubmission>, usize)> {
    let package = problem.package.as_ref();
    let paths = package.iter().flat_map(|package| package.reference_candidates()).filter(|path| path != reference);
    let named: Vec<(PathBuf, String)> =
        paths.map(|path| (path.clone(), compile_programs::display_file_name(&path))).collect();
    let (mut found, mut rejected) = (Vec::new(), 0);
    for (compiled, (_, name)) in compile_all(package, &named, ProgramRole::Submission, session).into_iter().zip(&named)
    {
        match compiled {
            Ok((program, _)) => found.push(AcceptedSubmission { name: name.clone(), program }),
            Err(error) if compile_programs::warn_if_unsupported(name, &error, session) => {}
            Err(CompileError::Failed(error)) => return Err(error),
            Err(CompileError::Rejected { command, text }) => {
                rejected += 1;
                session.take_event(&Event::Found(Box::new(Finding::compile_error(name, &command, &text))));
            }
        }
    }
    Ok((found, rejected))
}

// `rebut build`: the inputs on which the submissions that must be too slow do the most work.

/// Part of the key of slow inputs, since another version can find other ones.
const KEY_VERSION: &str = concat!("rebut ", env!("CARGO_PKG_VERSION"), " slow 1");

/// Finds inputs on which the submissions that must be too slow do the most work.
pub(super) struct SlowInputFinder {
    submissions: Vec<SlowSubmission>,
    /// The reference, for comparison.
    accepted: Option<CountedProgram>,
    judge_setup: JudgeSetup,
    jobs: usize,
    /// Digest of the programs.
    key: String,
}

/// A submission that must be too slow.
struct SlowSubmission {
    name: String,
    program: Program,
    counted: CountedProgram,
}

impl SlowInputFinder {
    /// Compiles the submissions of a package that must be too slow, and the reference.
    ///
    /// # Errors
    /// Returns an error if a file cannot be read, or if the work was cancelled.
    pub(super) fn new(
        package: &Package,
        reference: &Path,
        judge_setup: JudgeSetup,
        session: &mut Session,
    ) -> Result<SlowInputFinder> {
        let mut parts = vec![KEY_VERSION.to_owned(), source_digest(reference)?];
        let mut submissions = Vec::new();
        for submission in package.submissions.iter().filter(|submission| must_be_slow(submission)) {
            parts.push(source_digest(&submission.path)?);
            submissions.extend(compile_slow(package, submission, session)?);
        }
        let options = package_source_options(Some(package));
        let accepted = CountedProgram::compile(&session.builder, reference, &options, &session.cancel).ok();
        Ok(SlowInputFinder {
            submissions,
            accepted: accepted.filter(CountedProgram::has_counters),
            judge_setup: judge_setup.with_engine(RunEngine::Exec),
            jobs: session.jobs,
            key: digest_parts(&parts),
        })
    }

    /// Returns a digest of the programs that the inputs depend on.
    pub(super) fn key(&self) -> &str {
        &self.key
    }

    /// Returns an input for each submission, but only one of each pattern.
    ///
    /// # Errors
    /// Returns an error if a program cannot be started, or if the work was cancelled.
    pub(super) fn find_inputs(&self, job: &TestJob) -> Result<Vec<Vec<u8>>> {
        let Some(format) = &job.format else { return Ok(Vec::new()) };
        let mut found: Vec<WorstInput> = Vec::new();
        for submission in &self.submissions {
            let plan = SlowSearchPlan {
                format,
                validators: &job.validators,
                name: &submission.name,
                program: &submission.program,
                submission: &submission.counted,
                accepted: self.accepted.as_ref(),
                judge_setup: &self.judge_setup,
                shape: None,
                seed: job.seed,
                jobs: self.jobs,
                time_budget: Duration::MAX,
            };
            let Some(worst) = SlowSearch::new(&plan)?.make_worst_input()? else { continue };
            if found.iter().all(|other| other.kind != worst.kind) {
                found.push(worst);
            }
        }
        Ok(found.into_iter().map(|worst| worst.bytes).collect())
    }
}

/// Returns true if a submission must exceed the time limit on a test.
fn must_be_slow(submission: &PackageSubmission) -> bool {
    submission.expectation.required.contains(Verdict::TimeLimit)
}

/// Compiles a submission with counters. Returns `None`, after a warning, if that is not possible.
fn compile_slow(
    package: &Package,
    submission: &PackageSubmission,
    session: &mut Session,
) -> Result<Option<SlowSubmission>> {
    let options = package_source_options(Some(package));
    let name = submission.name.clone();
    let programs = CountedProgram::compile(&session.builder, &submission.path, &options, &session.cancel)
        .and_then(|counted| Ok((counted, compile_quietly(Some(package), &submission.path, session)?.0)));
    match programs {
        Ok((counted, program)) if counted.has_counters() => Ok(Some(SlowSubmission { name, program, counted })),
        Ok(_) | Err(CompileError::Rejected { .. }) => {
            session.warn(format!("the work of `{name}` cannot be counted, so no slow input is made for it"));
            Ok(None)
        }
        Err(CompileError::Failed(error)) => Err(error),
    }
}
