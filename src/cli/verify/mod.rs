//! `rebut verify`: runs all submissions of packages on all their test cases and compares the verdicts with what is
//! expected.

mod growth;
pub(in crate::cli) mod probes;
mod small_outputs;

use super::args::{CompareArgs, JudgeArgs, VerifyArgs, VerifyCommandArgs};
use super::compile_programs::{self, compile_all, mutated_language, package_source_options};
use super::exit_status::ExitStatus;
use super::finding_tools;
use super::format::{describe_for_statement, replace_between_marks};
use super::judges::{PackageJudge, compile_judge_program, judge_by_name};
use super::problem_setup::{self, ProblemContext};
use super::session::Session;
use super::shards::manifest::{RUNS_PART, describe_table, tool_parts};
use super::shards::{choose_journal, require_single_problem};
use rebut_checkers::Checker;
use rebut_diagnostics::{Error, ErrorKind, Result, list_and};
use rebut_engine::event::{
    ActivityEvent, ContestVerified, EndReason, Event, EventSink, MeasuredTime, ProblemVerified, ProgramRole,
    ReportComparison,
};
use rebut_engine::verify::{
    CaseExpectation, CellCache, SubmissionExpectation, SubmissionSources, TableJournal, TimeLimitFactors, VerdictCell,
    VerifiedCase, VerifiedSubmission, VerifyPlan, VerifyResult, fill_cells, find_counterexample, fit_time_limit,
    verify_submissions,
};
use rebut_engine::{JournalUse, Judge, JudgeMode, JudgeProgram, ShardEnd, compare_reports, quote_for_shell};
use rebut_format::language::Format;
use rebut_infer::{BoundDifference, NameDifference, find_bound_differences, find_name_differences};
use rebut_mutants::{JuryRole, find_lints};
use rebut_packages::{
    Bundle, Contest, ContestProblem, Package, PackageSubmission, ResultCache, STATEMENT_FOLDERS, SharedStore,
    ShownSample, StaticCase, TestCase, find_shown_samples, language_code, list_files_below, read_file,
    write_time_limit,
};
use rebut_sandbox::{Program, RunLimits};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

/// Time limit for submissions while a time limit is being determined, in milliseconds.
const LIMIT_SEARCH_TIME_MS: u64 = 60_000;

/// Verifies packages, or merges the blocks of a package that was run elsewhere.
pub(super) fn run_verify(args: &VerifyCommandArgs, session: &mut Session) -> Result<ExitStatus> {
    session.open_reports(&args.reports);
    let contests: Vec<(&PathBuf, Option<Contest>)> =
        args.problems.iter().map(|folder| Ok((folder, Contest::read(folder)?))).collect::<Result<_>>()?;
    let problems: Vec<PathBuf> = contests
        .iter()
        .flat_map(|(folder, contest)| contest.as_ref().map_or_else(|| vec![(*folder).clone()], Contest::folders))
        .collect();
    require_single_problem(&args.shards, &problems, "verified")?;
    let journal = choose_journal(&args.shards, session)?;
    let mut verified: Vec<VerifiedPackage> = Vec::new();
    for folder in &problems {
        verified.push(match verify_package(args, folder, journal.as_ref(), session) {
            // An error in one package must not hide the results of the others.
            Err(error) if problems.len() > 1 && !session.cancel.is_cancelled() => {
                session.show_error(&error);
                VerifiedPackage { package: None, unmet: None, status: ExitStatus::from_error(&error) }
            }
            verified => verified?,
        });
    }
    let mut left = &verified[..];
    for (_, contest) in &contests {
        let (own, rest) = left.split_at(contest.as_ref().map_or(1, |contest| contest.problems.len()));
        if let Some(contest) = contest {
            conclude_contest(contest, own, session);
        }
        left = rest;
    }
    let status = verified.iter().map(|verified| verified.status).max().unwrap_or(ExitStatus::Success);
    let unmet = verified.iter().filter_map(|verified| verified.unmet).sum();
    Ok(session.emit_summary(unmet, status))
}

/// The result of verifying a package.
struct VerifiedPackage {
    /// The package, if it could be read.
    package: Option<Package>,
    /// Number of unmet expectations, or `None` after an error.
    unmet: Option<usize>,
    status: ExitStatus,
}

/// Reports the problems of a contest together, and what is likely to be a mistake about them.
fn conclude_contest(contest: &Contest, verified: &[VerifiedPackage], session: &mut Session) {
    let packages: Vec<&Package> = verified.iter().filter_map(|verified| verified.package.as_ref()).collect();
    for note in contest.notes.iter().cloned().chain(contest.compare_packages(&packages)) {
        session.warn(note);
    }
    let row = |(problem, verified): (&ContestProblem, &VerifiedPackage)| ProblemVerified {
        label: problem.label.clone(),
        problem: problem.folder.file_name().unwrap_or_default().to_string_lossy().into_owned(),
        unmet: verified.unmet,
    };
    let problems = contest.problems.iter().zip(verified).map(row).collect();
    session.take_event(&Event::Contest(ContestVerified { contest: contest.name.clone(), problems }));
}

/// Verifies one package, or a shard of it.
fn verify_package(
    args: &VerifyCommandArgs,
    folder: &Path,
    journal: Option<&JournalUse>,
    session: &mut Session,
) -> Result<VerifiedPackage> {
    session.begin_package_section(folder);
    let problem = ProblemContext::from_folder(folder, session)?;
    let package = problem.require_package()?;
    let chosen = choose_submissions(package, &args.submissions)?;
    emit_package_notes(package, session);
    compare_with_statements(package, problem.format.as_ref(), session)?;
    lint_jury_programs(package, session)?;
    if chosen.is_empty() {
        let help = "submissions are in `submissions/accepted/`, `submissions/wrong_answer/` and so on";
        session.warn_with_help(format!("`{}` has no submissions", package.folder.display()), help);
    }
    let chosen = ChosenSubmissions { submissions: chosen, are_named: !args.submissions.is_empty() };
    let conclude = |plan: &VerifyPlan<'_>, store: Option<&ResultCache>, session: &mut Session| {
        let verified = report_table(package, plan, session)?;
        let (exposed, status) = examine_package(args, &problem, plan, &verified, store, session)?;
        Ok((verified.unmet_count() + exposed, verify_status(&verified).max(status)))
    };
    let (unmet, status) = with_compiled_plan(package, &chosen, &args.how, session, |plan, store, session| {
        let Some(journal) = journal else { return conclude(&plan, store, session) };
        require_stated_limit(&plan)?;
        let blocks = TableJournal::plan_blocks(&plan, journal.block_length(RUNS_PART, args.shards.block));
        let manifest = describe_table(package, &plan, blocks.block_inputs)?.into_manifest(journal, &[], session)?;
        let table = TableJournal::read(&plan, blocks, journal.open(&manifest, &session.cancel)?, session)?;
        let plan = VerifyPlan { cell_journal: Some(&table), ..plan };
        if !table.journal().is_part() {
            return conclude(&plan, store, session);
        }
        let end = fill_shard(&plan, &table, session)?;
        table.journal().report_shard(end, Vec::new(), session);
        Ok((0, ExitStatus::from_shard(end.reason)))
    })?;
    drop(chosen);
    Ok(VerifiedPackage { unmet: Some(unmet), status, package: problem.package })
}

/// Requires that the time limit is the same on all machines.
///
/// # Errors
/// Returns an error if it is derived from the times of runs.
pub(super) fn require_stated_limit(plan: &VerifyPlan<'_>) -> Result<()> {
    if plan.timing.is_stated {
        return Ok(());
    }
    Err(Error::usage_error("`--journal` requires a time limit, the same for all machines").with_help(
        "state it in `problem.yaml` or with `--time-limit`: one that is derived depends on the times of all runs",
    ))
}

/// Runs the blocks of the table that a shard lacks.
///
/// # Errors
/// Returns an error if programs cannot be run, or if a block cannot be kept.
pub(super) fn fill_shard(plan: &VerifyPlan<'_>, table: &TableJournal, session: &Session) -> Result<ShardEnd> {
    match fill_cells(plan, &mut ProgressOnlySink::new(session, Some(table.count_wanted()))) {
        Ok(()) => Ok(table.shard_end(EndReason::Done)),
        Err(error) if error.kind() == ErrorKind::Interrupted => Ok(table.shard_end(EndReason::Interrupted)),
        Err(error) => Err(error),
    }
}

/// Examines a verified package further: how strong its tests are, how slow submissions grow, and what its judge programs
/// accept. Returns the number of findings and the resulting exit status.
fn examine_package(
    args: &VerifyCommandArgs,
    problem: &ProblemContext,
    plan: &VerifyPlan<'_>,
    verified: &VerifyResult,
    store: Option<&ResultCache>,
    session: &mut Session,
) -> Result<(usize, ExitStatus)> {
    if args.submissions.is_empty() {
        probes::emit_appraisal(problem, plan, verified, store, session)?;
    }
    if args.growth {
        let mut counted = growth::CountedSubmissions::default();
        growth::explain_slow_submissions(problem, &plan.limits, &mut counted, session)?;
        growth::emit_margins(problem, plan, verified, &mut counted, session)?;
    }
    if args.write_limit {
        write_measured_limit(problem.require_package()?, plan, verified, session)?;
    }
    if args.no_probes || !args.submissions.is_empty() {
        return Ok((0, ExitStatus::Success));
    }
    probes::probe_package(problem, plan, store, args.strict, session)
}

/// Writes the time limit that the slowest submission within it requires into the package.
///
/// # Errors
/// Returns an error if that is not known, or if the file cannot be written.
fn write_measured_limit(
    package: &Package,
    plan: &VerifyPlan<'_>,
    verified: &VerifyResult,
    session: &mut Session,
) -> Result<()> {
    let Some((slowest, limit_ms)) = fit_time_limit(plan, &verified.rows) else {
        return Err(Error::usage_error(
            "no submission was measured that must be accepted, so no time limit is written",
        ));
    };
    let MeasuredTime { submission, cpu_time_ms, test_case, was_stopped } = slowest;
    if was_stopped {
        let message = format!("`{submission}` was stopped on `{test_case}`, so no time limit is written");
        return Err(Error::usage_error(message).with_help("measure it with a larger `--time-limit`"));
    }
    let path = write_time_limit(&package.folder, limit_ms)?;
    let limit = format!("{} s in {}", limit_ms / 1000, path.display());
    session.announce_activity("Limit", format!("{limit}: {cpu_time_ms} ms for `{submission}` on `{test_case}`"));
    Ok(())
}

/// Returns the named submissions, or all.
fn choose_submissions<'p>(package: &'p Package, names: &[PathBuf]) -> Result<Vec<&'p PackageSubmission>> {
    if names.is_empty() {
        return Ok(package.submissions.iter().collect());
    }
    let paths = names.iter().map(|name| rebut_packages::find_submission(name, Some(package)));
    let paths = paths.collect::<Result<Vec<_>>>()?;
    let found: Vec<_> = package.submissions.iter().filter(|s| paths.contains(&s.path)).collect();
    if found.is_empty() {
        return Err(Error::usage_error("no submission of that name in this package")
            .with_help("`rebut run FILE DIR` runs one that is not in the package"));
    }
    Ok(found)
}

/// The submissions to run.
pub(super) struct ChosenSubmissions<'p> {
    pub(super) submissions: Vec<&'p PackageSubmission>,
    /// True if the user named them: it is then an error if one cannot be run here; otherwise it is skipped.
    pub(super) are_named: bool,
}

/// A sink that displays only the progress.
pub(super) struct ProgressOnlySink<'d> {
    session: &'d Session,
    activity: ActivityEvent,
    /// Number of runs, if it is not that of the whole table.
    runs: Option<u64>,
}

impl<'d> ProgressOnlySink<'d> {
    pub(super) fn new(session: &'d Session, runs: Option<u64>) -> Self {
        ProgressOnlySink { session, activity: ActivityEvent::default(), runs }
    }
}

impl EventSink for ProgressOnlySink<'_> {
    fn take_event(&mut self, event: &Event) {
        match event {
            Event::Verifying(verifying) => {
                let all = (verifying.submissions.len() * verifying.test_cases.len()) as u64;
                let of = Some(self.runs.unwrap_or(all));
                self.activity =
                    ActivityEvent { of, noun: "runs", ..ActivityEvent::new("Verifying", &verifying.problem) };
            }
            Event::Judged(_) => self.activity.done += 1,
            _ => return,
        }
        self.session.note_activity(&self.activity);
    }
}

/// Compiles what is needed to run submissions on all test cases, and passes it to `run` with the result cache, which
/// is saved afterwards.
pub(super) fn with_compiled_plan<T>(
    package: &Package,
    chosen: &ChosenSubmissions<'_>,
    how: &VerifyArgs,
    session: &mut Session,
    run: impl FnOnce(VerifyPlan<'_>, Option<&ResultCache>, &mut Session) -> Result<T>,
) -> Result<T> {
    require_answered_cases(package)?;
    if how.times {
        session.show_times();
    }
    let sources: Vec<PathBuf> = chosen.submissions.iter().map(|submission| submission.path.clone()).collect();
    compile_programs::precompile_sources(&sources, &[], None, Some(package), session);
    let submissions = compile_submissions(package, chosen, session)?;
    let cached = (!how.no_cache).then(|| StoredCells(open_result_store(package, session)));
    let nothing = rebut_engine::verify::NoCellCache;
    let cell_cache: &dyn CellCache = cached.as_ref().map_or(&nothing, |r| r);
    let plan = VerifyPlan {
        problem: package.id.clone(),
        folder: package.folder.clone(),
        submissions,
        cases: build_cases(package, how, session)?,
        limits: choose_limits(package, how),
        scale: package.scoring.clone(),
        grader: compile_grader(package, session)?,
        timing: TimeLimitFactors {
            is_stated: how.time_limit.is_some() || package.limits.cpu_time_ms.is_some(),
            ac_to_time_limit: package.limits.ac_to_time_limit,
            time_limit_to_tle: package.limits.time_limit_to_tle,
        },
        jobs: session.jobs,
        stop_when_decided: how.lazy,
        cell_cache,
        cell_journal: None,
        cancel: session.cancel.clone(),
    };
    session.keep_results();
    let ran = run(plan, cached.as_ref().map(|cells| &cells.0), session);
    if let Some(problem) = cached.as_ref().and_then(|cells| cells.0.store_problem()) {
        session.give_up_store(&problem);
    }
    let result = match ran {
        Err(error) if error.kind() == ErrorKind::Interrupted && cached.is_some() => {
            Err(error.with_help("the results so far are cached: the next `rebut verify` continues from there"))
        }
        result => result,
    };
    if let Some(Err(error)) = cached.as_ref().map(|r| r.0.save()) {
        session.warn_with_help(format!("failed to save the result cache: {error}"), "`--no-cache` disables the cache");
    }
    result
}

/// Fills the table and reports it.
pub(super) fn report_table(package: &Package, plan: &VerifyPlan<'_>, session: &mut Session) -> Result<VerifyResult> {
    let verified = verify_submissions(plan, session)?;
    if session.shows_counterexamples() {
        emit_counterexamples(package, plan, &verified, session)?;
    }
    Ok(verified)
}

/// Emits the failure of each rejected submission on the smallest test case that rejects it.
fn emit_counterexamples(
    package: &Package,
    plan: &VerifyPlan<'_>,
    verified: &VerifyResult,
    session: &mut Session,
) -> Result<()> {
    let visualizers = finding_tools::compile_visualizers(Some(package), session);
    for (submission, row) in plan.submissions.iter().zip(&verified.rows) {
        if let Some(mut found) = find_counterexample(plan, submission, row, verified.cpu_time_limit_ms)? {
            let words = [submission.name.as_str(), &plan.folder.to_string_lossy()].map(quote_for_shell);
            found.saved.replay = Some(format!("rebut run {}", words.join(" ")));
            let case = package.test_cases.iter().find(|case| Some(&case.name) == found.origin.test_case.as_ref());
            found.saved.shrink = case.and_then(|case| shrink_command(package, case, submission, &plan.folder));
            let arguments = case.map(|case| &case.visualizer_arguments);
            found.images = finding_tools::draw_finding(&visualizers, &found, arguments, &session.cancel)?;
            session.take_event(&Event::Counterexample(Box::new(found)));
        }
    }
    Ok(())
}

/// Returns the command that shrinks a test case that rejects a submission, if the package has a format.
fn shrink_command(
    package: &Package,
    case: &TestCase,
    submission: &VerifiedSubmission,
    folder: &Path,
) -> Option<String> {
    package.format.as_ref()?;
    let words = [&case.input.to_string_lossy(), submission.name.as_str(), &folder.to_string_lossy()];
    let [input, name, folder] = words.map(quote_for_shell);
    Some(format!("rebut shrink {input} {name} --problem {folder}"))
}

/// Emits the notes of the package loader as warnings.
pub(super) fn emit_package_notes(package: &Package, session: &mut Session) {
    for note in &package.notes {
        session.warn(format!("{}: {note}", package.id));
    }
}

/// Warns where a statement of the package differs from the format or from the samples.
///
/// # Errors
/// Returns an error if a statement or a sample cannot be read.
fn compare_with_statements(package: &Package, format: Option<&Format>, session: &mut Session) -> Result<()> {
    for folder in STATEMENT_FOLDERS {
        let Ok(entries) = std::fs::read_dir(package.folder.join(folder)) else { continue };
        let mut paths: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
        paths.sort();
        paths.retain(|path| path.extension().is_some_and(|kind| kind == "tex" || kind == "md"));
        for path in paths {
            let text = String::from_utf8_lossy(&read_file(&path)?).into_owned();
            let name = path.strip_prefix(&package.folder).unwrap_or(&path).display().to_string();
            let mut differences = format.map_or(Vec::new(), |format| compare_with_format(&text, &name, &path, format));
            differences.extend(compare_with_samples(package, &text, &name)?);
            for (difference, help) in differences {
                session.warn_with_help(format!("{}: {difference}", package.id), &help);
            }
        }
    }
    Ok(())
}

/// Returns where a statement differs from the format: in its description between marks, in bounds, in names and their
/// order. Each comes with what to do.
fn compare_with_format(text: &str, name: &str, path: &Path, format: &Format) -> Vec<(String, String)> {
    let mut found = Vec::new();
    if replace_between_marks(text, || describe_for_statement(format, path)).is_some_and(|now| now != text) {
        let folder = path.parent().and_then(Path::parent).unwrap_or(path);
        let words = [folder, path].map(|path| quote_for_shell(&path.to_string_lossy()));
        found.push((
            format!("`{name}` has other words between its marks than the format"),
            format!("write them again: `rebut format describe {}`", words.join(" --into ")),
        ));
    }
    let help = "correct the one that is wrong".to_owned();
    for BoundDifference { quantity, is_upper, stated, formatted } in find_bound_differences(text, &format.source) {
        let bound = if is_upper { "at most" } else { "at least" };
        let message = format!("`{quantity}` is {bound} {stated} in `{name}`, and {bound} {formatted} in the format");
        found.push((message, help.clone()));
    }
    for NameDifference { stated, formatted } in find_name_differences(text, &format.source) {
        let [stated, formatted] = [stated, formatted].map(|names| names.join(" "));
        let message = format!("the numbers of a line are `{stated}` in `{name}`, and `{formatted}` in the format");
        found.push((message, help.clone()));
    }
    found
}

/// Returns the samples that a statement shows and the package does not have, with what to do.
fn compare_with_samples(package: &Package, text: &str, name: &str) -> Result<Vec<(String, String)>> {
    let mut shown = find_shown_samples(text);
    shown.retain(|sample| sample.is_enclosed);
    if shown.is_empty() {
        return Ok(Vec::new());
    }
    let words = |text: &str| text.split_whitespace().map(str::to_owned).collect::<Vec<String>>();
    let files = list_files_below(&package.folder.join("data/sample"));
    let known = files.iter().map(|path| Ok(words(&String::from_utf8_lossy(&read_file(path)?))));
    let known = known.collect::<Result<BTreeSet<Vec<String>>>>()?;
    let foreign = shown.into_iter().filter(|sample| !known.contains(&words(&sample.text)));
    let describe = |ShownSample { line, .. }| {
        let message = format!("the sample in line {line} of `{name}` is not in `data/sample`");
        (message, "correct the one that is wrong, or add the sample".to_owned())
    };
    Ok(foreign.map(describe).collect())
}

/// Warns of likely mistakes in the sources of validators, checkers and generators, and of generators that the recipe does
/// not name.
fn lint_jury_programs(package: &Package, session: &mut Session) -> Result<()> {
    let folder = package.folder.join("generators");
    let generators = list_files_below(&folder);
    let validators = package.input_validators.iter().chain(&package.answer_validators);
    let programs = validators.map(|path| (path, JuryRole::Validator));
    let programs = programs.chain(package.output_validator.program.iter().map(|path| (path, JuryRole::Checker)));
    let programs = programs.chain(generators.iter().map(|path| (path, JuryRole::Generator)));
    for (program, role) in programs {
        let sources = if program.is_dir() { list_files_below(program) } else { vec![program.clone()] };
        for path in sources {
            lint_source(package, &path, role, session)?;
        }
    }
    let Some(recipe) = &package.recipe else { return Ok(()) };
    let recipe = String::from_utf8_lossy(&read_file(recipe)?).into_owned();
    // Deeper files belong to a program or are modules.
    let programs = generators.iter().filter(|path| path.parent() == Some(&folder) && mutated_language(path).is_some());
    let texts = generators.iter().map(|path| read_file(path)).collect::<Result<Vec<_>>>()?;
    let texts: Vec<_> = texts.iter().map(|text| String::from_utf8_lossy(text)).collect();
    let imports = texts.iter().flat_map(|text| text.lines());
    let imports: Vec<&str> = imports.filter(|line| line.contains("import") || line.contains("#include")).collect();
    for path in programs {
        // A generator is named with its folder or without, with its extension or without.
        let stem = path.file_stem().unwrap_or_default().to_string_lossy();
        if !recipe.contains(&*stem) && !imports.iter().any(|line| line.contains(&*stem)) {
            let name = path.strip_prefix(&package.folder).unwrap_or(path).display();
            session.warn(format!("{}: the recipe does not use `{name}`", package.id));
        }
    }
    Ok(())
}

/// Warns of likely mistakes in a source, once for each rule.
fn lint_source(package: &Package, path: &Path, role: JuryRole, session: &mut Session) -> Result<()> {
    let Some(language) = mutated_language(path) else { return Ok(()) };
    let name = path.strip_prefix(&package.folder).unwrap_or(path).display();
    let mut by_rule: BTreeMap<(&str, &str), Vec<String>> = BTreeMap::new();
    for lint in find_lints(&String::from_utf8_lossy(&read_file(path)?), language, role) {
        by_rule.entry((lint.name, lint.reason)).or_default().push(lint.line.to_string());
    }
    for ((rule, reason), lines) in by_rule {
        let lines = format!("{} {}", if lines.len() == 1 { "line" } else { "lines" }, list_and(&lines));
        let message = format!("{}: `{name}`, {lines}: {reason}", package.id);
        session.warn_with_help(message, &format!("if it is meant, a comment `rebut: allow {rule}` silences this"));
    }
    Ok(())
}

pub(super) fn verify_status(verified: &VerifyResult) -> ExitStatus {
    match (verified.has_judge_error(), verified.unmet_count()) {
        (true, _) => ExitStatus::Judge,
        (false, 0) => ExitStatus::Success,
        (false, _) => ExitStatus::Found,
    }
}

/// Compiles the submissions in parallel.
fn compile_submissions(
    package: &Package,
    chosen: &ChosenSubmissions<'_>,
    session: &mut Session,
) -> Result<Vec<VerifiedSubmission>> {
    let submissions = &chosen.submissions;
    let sources: Vec<_> = submissions.iter().map(|one| (one.path.clone(), one.name.clone())).collect();
    let compiled = compile_all(Some(package), &sources, ProgramRole::Submission, session);
    let mut verified = Vec::new();
    for (submission, compiled) in submissions.iter().zip(compiled) {
        let (compiled, identity) =
            compiled.map_or_else(|e| (Err(e), None), |(program, identity)| (Ok(program), identity));
        let program = match compiled {
            Err(error)
                if !chosen.are_named && compile_programs::warn_if_unsupported(&submission.name, &error, session) =>
            {
                continue;
            }
            compiled => VerifiedSubmission::separate_rejection(compiled)?,
        };
        let (name, expected) = (submission.name.clone(), resolve_expectation(package, submission));
        let sources = submission_sources(package, submission)?;
        verified.push(VerifiedSubmission { name, expected, program, identity, sources });
    }
    Ok(verified)
}

/// Returns the names of all test cases. A static case is represented by the name of its group.
fn case_names(package: &Package) -> impl Iterator<Item = &str> {
    let of_groups = package.static_cases.iter().map(|case| case.group.as_str());
    package.test_cases.iter().map(|case| case.name.as_str()).chain(of_groups)
}

/// Returns the package's expectation, with the rules resolved to the numbers of the test cases that they cover.
fn resolve_expectation(package: &Package, submission: &PackageSubmission) -> SubmissionExpectation {
    let rules = submission.rules.iter().map(|rule| CaseExpectation {
        name: rule.pattern.clone(),
        cases: (0..).zip(case_names(package)).filter(|(_, name)| rule.covers_name(name)).map(|(i, _)| i).collect(),
        expectation: rule.expectation,
        message: rule.message.clone(),
        score: rule.expected_score,
        groups: package
            .groups
            .iter()
            .map(|group| &group.name)
            .filter(|name| rule.matches_group(name))
            .cloned()
            .collect(),
    });
    let PackageSubmission { expectation, time_bound: times, expected_score: score, .. } = *submission;
    SubmissionExpectation { expectation, rules: rules.collect(), times, score }
}

/// Compiles the package's grader, if it has one.
fn compile_grader(package: &Package, session: &mut Session) -> Result<Option<Program>> {
    let grader = package.grader.as_deref();
    grader
        .map(|path| Ok(super::judges::compile_judge_program(Some(package), path, ProgramRole::Grader, session)?.0))
        .transpose()
}

/// Checks that there are test cases and that each has an answer, before anything is compiled.
fn require_answered_cases(package: &Package) -> Result<()> {
    if package.test_cases.is_empty() && (package.static_validator.is_none() || package.static_cases.is_empty()) {
        return Err(Error::usage_error(format!("`{}` has no test case in `data/`", package.folder.display()))
            .with_help(match &package.data_origin {
                Some(origin) if package.recipe.is_none() => origin.as_str(),
                _ => "`rebut build` makes them from a `tests.toml`",
            }));
    }
    package.check_groups()?;
    match package.test_cases.iter().find(|case| case.answer.is_none()) {
        Some(case) => {
            Err(Error::usage_error(format!("the test case `{}` of `{}` has no answer", case.name, package.id))
                .with_help(format!("`{}` is missing", case.input.with_extension("ans").display())))
        }
        None => Ok(()),
    }
}

/// Returns the test cases with their judges.
fn build_cases(package: &Package, how: &VerifyArgs, session: &mut Session) -> Result<Vec<VerifiedCase>> {
    let package_judge = PackageJudge::compile_for_package(package, session)?;
    let named = how.checker.as_deref();
    let named = named.map(|name| judge_by_name(name, &package_source_options(Some(package)), session)).transpose()?;
    let mut judges: BTreeMap<Vec<String>, Judge> = BTreeMap::new();
    let mut cases = Vec::new();
    for case in &package.test_cases {
        let answer = case.answer.clone().unwrap_or_default();
        let arguments = &case.output_validator_arguments;
        let judge = match named.as_ref().or(judges.get(arguments)) {
            Some(judge) => judge.clone(),
            None => package_judge.with_arguments(arguments)?,
        };
        judges.insert(arguments.clone(), judge.clone());
        cases.push(VerifiedCase {
            name: case.name.clone(),
            input: case.input.clone(),
            answer,
            judge,
            examiner: None,
            arguments: case.arguments.iter().map(Into::into).collect(),
            files: case.files.clone(),
        });
    }
    cases.extend(static_cases(package, session)?);
    Ok(cases)
}

fn choose_limits(package: &Package, how: &VerifyArgs) -> RunLimits {
    let searched = || package.limits.cpu_time_ms.is_none().then_some(Duration::from_millis(LIMIT_SEARCH_TIME_MS));
    let (time_limit, memory_limit) = (how.time_limit.or_else(searched), how.memory_limit);
    problem_setup::choose_limits(&JudgeArgs { time_limit, memory_limit, ..JudgeArgs::default() }, Some(package)).0
}

/// Opens the result cache of a package. Every key is a digest of the programs and files behind a result, so the same
/// file can be used by other checkouts, and by other packages of the same name.
pub(super) fn open_result_store(package: &Package, session: &Session) -> ResultCache {
    let cache = ResultCache::open(&session.builder.cache_folder().join("results"), &package.id);
    cache.with_shared_store(open_shared_store(package, session))
}

/// Returns the store that the user's machines share, if a variable names one. Its entries are shared by machines with the
/// same compilers.
fn open_shared_store(package: &Package, session: &Session) -> Option<SharedStore> {
    let place = std::env::var_os(STORE_VARIABLE).filter(|place| !place.is_empty() && session.uses_store())?;
    let token = std::env::var(STORE_TOKEN_VARIABLE).ok();
    let judges = [&package.output_validator.program, &package.static_validator];
    let programs = package.submissions.iter().map(|submission| &submission.path).chain(judges.into_iter().flatten());
    let sources: Vec<PathBuf> = programs.chain(&package.input_validators).cloned().collect();
    // An interrupt ends the command soon.
    let parts = tool_parts(&sources, session).ok()?;
    let scope: Vec<String> = parts.into_iter().flat_map(|(name, value)| [name, value]).collect();
    Some(SharedStore::open_place(&place, token.as_deref(), &rebut_packages::digest_parts(&scope)))
}

/// The folder or the address of the results that machines share.
const STORE_VARIABLE: &str = "REBUT_STORE";

/// The token that a server gets with each request.
const STORE_TOKEN_VARIABLE: &str = "REBUT_STORE_TOKEN";

/// Part of every key, since another version can judge differently.
const CELL_KEY_VERSION: &str = concat!("rebut ", env!("CARGO_PKG_VERSION"), " cell 3");

/// The result cache, as a cache of verdict cells.
struct StoredCells(ResultCache);

impl CellCache for StoredCells {
    fn get_cell(&self, key: &str) -> Option<VerdictCell> {
        serde_json::from_value(self.0.get(key)?).ok()
    }

    fn store_cell(&self, key: &str, cell: &VerdictCell) {
        // Results that could be different the next time are not cached.
        if cell.is_close || cell.verdict == rebut_packages::verdict::Verdict::JudgeError {
            return;
        }
        if let Ok(value) = serde_json::to_value(cell) {
            self.0.insert(key, value);
        }
    }

    fn digest_parts(&self, parts: &[&[u8]]) -> String {
        rebut_packages::digest_parts(&[&[CELL_KEY_VERSION.as_bytes()], parts].concat())
    }
}

// The static validator of a package, and the sources of submissions passed to it.

/// Returns the default entry point of a language, by its code. `None` means the file itself.
fn default_entry_point(code: &str) -> Option<&'static str> {
    match code {
        "java" => Some("Main"),
        "kotlin" => Some("MainKt"),
        "javascript" | "python3" => None,
        _ => Some(""),
    }
}

/// Returns the test cases that the static validator judges. They come after all others, which scoring relies on.
pub(super) fn static_cases(package: &Package, session: &mut Session) -> Result<Vec<VerifiedCase>> {
    let (Some(path), false) = (&package.static_validator, package.static_cases.is_empty()) else {
        return Ok(Vec::new());
    };
    let (program, identity) = compile_judge_program(Some(package), path, ProgramRole::Checker, session)?;
    let case = |asked: &StaticCase| VerifiedCase {
        name: asked.test_case_name(),
        input: PathBuf::new(),
        answer: PathBuf::new(),
        judge: Judge::Checker(Checker::default()),
        examiner: Some(Arc::new(JudgeProgram {
            arguments: asked.arguments.clone(),
            mode: JudgeMode::Validator,
            max_passes: 1,
            name: path.display().to_string(),
            ..PackageJudge::judge_program(package, program.clone(), identity.clone())
        })),
        arguments: Vec::new(),
        files: None,
    };
    Ok(package.static_cases.iter().map(case).collect())
}

/// Returns the sources of a submission for the static validator, or `None` if the package has no static cases.
pub(super) fn submission_sources(
    package: &Package,
    submission: &PackageSubmission,
) -> Result<Option<SubmissionSources>> {
    if package.static_cases.is_empty() {
        return Ok(None);
    }
    let path = &submission.path;
    let own = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let mut files: Vec<(String, Vec<u8>)> = if path.is_dir() {
        Bundle::read_folder(path)?.iter().map(|(name, bytes)| (name.to_owned(), bytes.to_owned())).collect()
    } else {
        vec![(own.clone(), read_file(path)?)]
    };
    // A single file combined with included files is started as `__main__.py` or `main.js`; the validator sees the name
    // under which it was submitted.
    let is_file = Path::new(&own).extension().is_some_and(|ending| ending == "py" || ending == "py3" || ending == "js");
    let renamed = files.iter_mut().find(|(name, _)| is_file && (name == "__main__.py" || name == "main.js"));
    if let Some((name, _)) = renamed.filter(|_| path.is_dir()) {
        name.clone_from(&own);
    }
    let by_ending = files.iter().find_map(|(name, _)| Some((language_code(Path::new(name))?, name)));
    let code = by_ending.map_or("", |(code, _)| code);
    let has = |wanted: &str| files.iter().any(|(name, _)| name == wanted);
    let started = match by_ending.map(|(code, first)| (default_entry_point(code), first)) {
        Some((Some(started), _)) => started.to_owned(),
        Some(_) if has("__main__.py") => "__main__.py".to_owned(),
        Some(_) if has("main.js") => "main.js".to_owned(),
        Some(_) if has(&own) => own,
        Some((None, first)) => first.clone(),
        None => String::new(),
    };
    Ok(Some(SubmissionSources {
        language: submission.language.clone().unwrap_or_else(|| code.to_owned()),
        entry_point: submission.entry_point.clone().unwrap_or(started),
        files,
    }))
}

pub(super) fn run_compare(args: &CompareArgs, session: &mut Session) -> Result<ExitStatus> {
    session.open_html(&args.page);
    let (before, after) = (read_file(&args.before)?, read_file(&args.after)?);
    let names = (args.before.display().to_string(), args.after.display().to_string());
    let comparisons = compare_reports((&names.0, &before), (&names.1, &after))?;
    let is_unchanged = comparisons.iter().all(ReportComparison::is_unchanged);
    let findings = comparisons.iter().filter(|comparison| !comparison.is_unchanged()).count();
    for comparison in comparisons {
        session.take_event(&Event::Compared(comparison));
    }
    let status = if is_unchanged { ExitStatus::Success } else { ExitStatus::Found };
    Ok(session.emit_summary(findings, status))
}
