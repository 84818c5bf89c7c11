//! Runs the mutants of accepted submissions against the tests of a package.
//!
//! The mutants of a submission share a program, the schema, which is compiled once and selects a mutant by its last
//! argument. If the compiler rejects the schema, its messages name the lines of the mutants that do not fit;
//! these become programs of their own. So does every mutant if the schema without a mistake fails a test, and every
//! mutant in Python, where nothing is compiled.
//!
//! Mutants in a schema run as forked copies of it where that is possible, since starting a process takes longer than
//! most of them. A copy that a test rejects is confirmed by a new process. A mutant that changes what is executed before
//! `main` is a new process each time: a copy would have executed it without the change.

use crate::event::{ActivityEvent, Event, EventSink, Kill, MutantOutcome, SubmissionMutants};
use crate::judging::{JudgeRequest, RunEngine, RunResult};
use crate::parallel::run_in_parallel;
use crate::tuning::{MAX_SCHEMATA, MIN_MUTANT_TIME_MS, MUTANT_TIME_FACTOR, SMALL_INPUT_BYTES};
use crate::verify::{VerifiedCase, VerifyPlan};
use rebut_diagnostics::{Result, to_millis};
use rebut_mutants::{
    FoundMutants, MUTANT_ARGUMENT, Mutant, MutantForm, SourceLanguage, build_schema, find_mutants_within, late_mutants,
};
use rebut_packages::verdict::Verdict;
use rebut_packages::{ResultCache, digest_folder, digest_parts, read_file};
use rebut_sandbox::{Program, ProgramVariant, RunLimits};
use rebut_toolchain::{CompileError, CompiledProgram, error_lines};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::ffi::OsString;
use std::ops::Range;
use std::time::Instant;

/// Maximum number of bytes shown of a part of a source.
const MAX_SHOWN_BYTES: usize = 400;
/// Part of every cache key, since another version can have other mutants.
const CACHE_KEY_VERSION: &str = concat!("rebut ", env!("CARGO_PKG_VERSION"), " mutants 7");

/// An accepted submission whose mutants are run.
#[derive(Clone, Debug)]
pub struct MutatedSubmission {
    /// Name of the submission.
    pub name: String,
    /// Its source.
    pub source: String,
    /// The language of its source.
    pub language: SourceLanguage,
    /// Digest of the source and how it is compiled. Without one, its mutants are not cached.
    pub identity: Option<String>,
    /// The bounds of its inputs.
    pub bounds: Vec<i128>,
}

impl MutatedSubmission {
    /// Finds all mutants.
    pub fn find_mutants(&self) -> FoundMutants {
        find_mutants_within(&self.source, self.language, &self.bounds)
    }
}

/// Compiles a changed source of a submission.
pub type CompileMutant<'a> =
    dyn Fn(&MutatedSubmission, &str) -> std::result::Result<CompiledProgram, CompileError> + Sync + 'a;

/// The submissions whose mutants are run, and how.
pub struct MutationPlan<'a> {
    /// The package as it was verified.
    pub package: &'a VerifyPlan<'a>,
    /// The submissions.
    pub submissions: Vec<MutatedSubmission>,
    /// Maximum number of mutants, of all submissions together.
    pub max_mutants: usize,
    /// Compiles a mutant.
    pub compile: &'a CompileMutant<'a>,
    /// Cache of results.
    pub cache: Option<&'a ResultCache>,
}

impl MutationPlan<'_> {
    /// Returns the maximum number of mutants of each submission.
    pub(super) fn mutants_of_each(&self) -> usize {
        self.max_mutants.div_ceil(self.submissions.len().max(1))
    }
}

/// The end of a mutant on its way through the tests.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MutantFate {
    /// Whether the compiler rejects it, so that it does not count.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_rejected: bool,
    /// The first test that kills it; `None` if it survives.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub killed_by: Option<Kill>,
}

/// A mutant on its way through the tests.
pub(super) struct RunningMutant<'m> {
    mutant: &'m Mutant,
    /// How it is run, unless the compiler rejects it.
    runnable: Option<RunnableMutant>,
    killed_by: Option<(usize, Verdict)>,
}

/// The schema of a submission, and the mutants that are not part of it.
pub(super) struct CompiledSchema {
    program: Program,
    /// Identity of its build, if it has one.
    identity: Option<String>,
    separate: BTreeSet<usize>,
    /// The numbers of the mutants that a forked copy can be.
    late: BTreeSet<usize>,
    /// Processor time of the original on each test, in microseconds.
    times_us: Vec<u64>,
}

/// How mutants are run on the tests.
pub(super) struct TestRuns {
    /// Indices of the tests, in the order in which they are run.
    order: Vec<usize>,
    /// Processor time of the original on each test, in microseconds; 0 if it is not known.
    times_us: Vec<u64>,
}

/// Runs the mutants of all submissions.
///
/// # Errors
/// Returns an error if a file cannot be read, if a program cannot be started, or if the work was cancelled.
pub fn run_mutants(plan: &MutationPlan<'_>, sink: &mut dyn EventSink) -> Result<Vec<SubmissionMutants>> {
    let each = plan.mutants_of_each();
    let tests = if plan.submissions.is_empty() { None } else { digest_tests(plan.package)? };
    let mut results = Vec::new();
    for submission in &plan.submissions {
        let key = cache_key(plan, submission, each, tests.as_deref());
        let cached = key.as_ref().zip(plan.cache).and_then(|(key, cache)| cache.get(key));
        if let Some(known) = cached.and_then(|value| serde_json::from_value(value).ok()) {
            results.push(known);
            continue;
        }
        let result = MutationRun { plan, submission, jobs: plan.package.jobs }.run_submission(each, sink)?;
        if let (Some(key), Some(cache), Ok(value)) = (key, plan.cache, serde_json::to_value(&result)) {
            cache.insert(&key, value);
        }
        results.push(result);
    }
    Ok(results)
}

/// A mutant that can be run.
pub(super) struct RunnableMutant {
    /// Its own program, or its variant of the schema.
    pub(super) program: Program,
    /// Identity of the build of the program, if it has one.
    pub(super) identity: Option<String>,
    /// Its number in the schema, if it is part of one.
    pub(super) variant: Option<usize>,
    /// How it is started.
    pub(super) engine: RunEngine,
}

/// The mutants of a submission that compile.
pub(super) struct PreparedMutants {
    pub(super) mutants: Vec<RunnableMutant>,
    /// Processor time of the original on each test, in microseconds.
    pub(super) times_us: Vec<u64>,
}

/// Compiles the mutants of all submissions.
///
/// # Errors
/// Returns an error if a file cannot be read, if a program cannot be started, or if the work was cancelled.
pub(super) fn prepare_mutants(plan: &MutationPlan<'_>, sink: &mut dyn EventSink) -> Result<Vec<PreparedMutants>> {
    let each = plan.mutants_of_each();
    let mut prepared = Vec::new();
    for submission in &plan.submissions {
        let run = MutationRun { plan, submission, jobs: plan.package.jobs };
        let all = submission.find_mutants().mutants;
        let mutants = spread_mutants(&all, each);
        let mut ignored = SubmissionMutants::default();
        sink.take_event(&Event::Activity(ActivityEvent::new("Mutating", &submission.name)));
        let schema = run.compile_schema(&mutants, &mut ignored)?;
        let running = run.compile_range(&mutants, 0..mutants.len(), schema.as_ref(), sink)?;
        let times_us = run.original_times(schema.as_ref())?;
        let mutants = running.into_iter().filter_map(|running| running.runnable).collect();
        prepared.push(PreparedMutants { mutants, times_us });
    }
    Ok(prepared)
}

/// Returns the cache key of a submission's mutants, or `None` if a program has no identity.
fn cache_key(
    plan: &MutationPlan<'_>,
    submission: &MutatedSubmission,
    each: usize,
    tests: Option<&str>,
) -> Option<String> {
    let (identity, tests) = submission.identity.as_deref().zip(tests)?;
    let limits = format!("{:?} {each} {:?}", plan.package.limits, submission.bounds);
    Some(digest_parts(&[CACHE_KEY_VERSION, identity, &limits, tests]))
}

/// Returns a digest of the tests and how they are judged, or `None` if a judge has no identity.
///
/// # Errors
/// Returns an error if a test cannot be read.
pub fn digest_tests(package: &VerifyPlan<'_>) -> Result<Option<String>> {
    let mut parts = Vec::new();
    for case in &package.cases {
        let Some(judge) = case.judge.cache_identity() else { return Ok(None) };
        parts.push(digest_parts(&[read_file(&case.input)?, read_file(&case.answer)?]));
        parts.push(format!("{judge} {:?}", case.arguments));
        parts.push(digest_folder(case.files.as_deref())?);
    }
    Ok(Some(digest_parts(&parts)))
}

/// Returns at most `most` mutants, evenly spread over the source.
pub(super) fn spread_mutants(all: &[Mutant], most: usize) -> Vec<&Mutant> {
    let count = all.len().min(most);
    (0..count).map(|i| &all[i * all.len() / count]).collect()
}

/// Returns the survivors among the mutants of a submission, with the number of each.
pub fn survivors_of(submission: &MutatedSubmission, results: &SubmissionMutants) -> Vec<(usize, Mutant)> {
    let all = submission.find_mutants().mutants;
    let tried = spread_mutants(&all, results.mutants.len()).into_iter().zip(&results.mutants).enumerate();
    let alive = tried.filter(|(_, (_, outcome))| outcome.is_survivor());
    alive.map(|(number, (mutant, _))| (number, mutant.clone())).collect()
}

impl CompiledSchema {
    /// Returns true if the mutant with this index is part of it.
    fn has_mutant(&self, index: usize) -> bool {
        !self.separate.contains(&index)
    }

    fn choose_variant(&self, number: usize) -> RunnableMutant {
        let argument = OsString::from(format!("{MUTANT_ARGUMENT}{number}"));
        let program = self.program.with_variant(ProgramVariant { number: number as u64, argument });
        let engine = if self.late.contains(&number) { RunEngine::Quick } else { RunEngine::Exec };
        RunnableMutant { program, identity: self.identity.clone(), variant: Some(number), engine }
    }
}

/// The work on the mutants of one submission.
pub(super) struct MutationRun<'p> {
    pub(super) plan: &'p MutationPlan<'p>,
    pub(super) submission: &'p MutatedSubmission,
    /// Number of parallel jobs.
    pub(super) jobs: usize,
}

impl MutationRun<'_> {
    fn run_submission(&self, most: usize, sink: &mut dyn EventSink) -> Result<SubmissionMutants> {
        let all = self.submission.find_mutants().mutants;
        let mutants = spread_mutants(&all, most);
        let mut result = SubmissionMutants { found: all.len(), ..self.empty_result() };
        sink.take_event(&Event::Activity(ActivityEvent::new("Mutating", &self.submission.name)));
        let began = Instant::now();
        let schema = self.compile_schema(&mutants, &mut result)?;
        let whole = 0..mutants.len();
        result.programs += count_separate(schema.as_ref(), whole.clone());
        let mut running = self.compile_range(&mutants, whole, schema.as_ref(), sink)?;
        result.compile_time_ms = to_millis(began.elapsed());
        let runs = self.plan_runs(schema.as_ref())?;
        result.run_time_ms = self.run_tests(&mut running, &runs, sink)? / 1000;
        let outcome = |running: &RunningMutant<'_>| self.describe_outcome(running.mutant, self.find_fate(running));
        result.mutants = running.iter().map(outcome).collect();
        Ok(result)
    }

    /// Returns the result before any mutant was run.
    pub(super) fn empty_result(&self) -> SubmissionMutants {
        SubmissionMutants { submission: self.submission.name.clone(), ..SubmissionMutants::default() }
    }

    /// Returns how mutants are run on the tests. Those with small inputs come first, since most mutants die on any test;
    /// the order depends on no measured time, so each mutant dies on the same test every time.
    pub(super) fn plan_runs(&self, schema: Option<&CompiledSchema>) -> Result<TestRuns> {
        let mut order = Vec::new();
        for (test, case) in self.cases().iter().enumerate().filter(|(_, case)| case.examiner.is_none()) {
            order.push((read_file(&case.input)?.len() / SMALL_INPUT_BYTES, test));
        }
        order.sort_unstable();
        Ok(TestRuns {
            order: order.into_iter().map(|(_, test)| test).collect(),
            times_us: self.original_times(schema)?,
        })
    }

    /// Returns the processor time of the original on each test in microseconds; 0 if it is not known.
    fn original_times(&self, schema: Option<&CompiledSchema>) -> Result<Vec<u64>> {
        Ok(match schema {
            Some(schema) => schema.times_us.clone(),
            None => self.time_original()?.unwrap_or_else(|| vec![0; self.cases().len()]),
        })
    }

    fn cases(&self) -> &[VerifiedCase] {
        &self.plan.package.cases
    }

    /// Compiles the schema, without the mutants that the compiler rejects in it. Returns `None` if there is no schema
    /// that passes all tests.
    pub(super) fn compile_schema(
        &self,
        mutants: &[&Mutant],
        result: &mut SubmissionMutants,
    ) -> Result<Option<CompiledSchema>> {
        if !self.submission.language.has_schema() {
            result.separate_because = Some("nothing is compiled".to_owned());
            return Ok(None);
        }
        let is_separate = |number: &usize| mutants[*number].form == MutantForm::Declaration;
        let mut separate: BTreeSet<usize> = (0..mutants.len()).filter(is_separate).collect();
        for _ in 0..MAX_SCHEMATA {
            let fitting = (0..mutants.len()).filter(|number| !separate.contains(number));
            let numbered: Vec<(usize, &Mutant)> = fitting.map(|number| (number + 1, mutants[number])).collect();
            if numbered.is_empty() {
                break;
            }
            let MutatedSubmission { source, language, .. } = self.submission;
            let Some(schema) = build_schema(source, *language, &numbered) else { break };
            result.programs += 1;
            let began = Instant::now();
            let compiled = (self.plan.compile)(self.submission, &schema);
            result.one_compile_time_ms = to_millis(began.elapsed());
            let text = match compiled {
                Ok(compiled) => {
                    let late = late_mutants(source, *language, &numbered);
                    return self.check_schema(compiled, (separate, late), mutants.len(), result);
                }
                Err(CompileError::Failed(error)) => return Err(error),
                Err(CompileError::Rejected { text, .. }) => text,
            };
            let lines = error_lines(&text);
            let before = separate.len();
            separate.extend(numbered.iter().map(|(number, _)| number - 1).filter(|number| {
                let mutant = mutants[*number];
                let height = mutant.original_text(&self.submission.source).matches('\n').count();
                lines.range(mutant.line..=mutant.line + height).next().is_some()
            }));
            if separate.len() == before {
                break;
            }
        }
        result.separate_because = Some("no schema compiles".to_owned());
        Ok(None)
    }

    /// Returns the schema if it passes all tests without a mistake.
    fn check_schema(
        &self,
        compiled: CompiledProgram,
        (separate, late): (BTreeSet<usize>, BTreeSet<usize>),
        mutants: usize,
        result: &mut SubmissionMutants,
    ) -> Result<Option<CompiledSchema>> {
        let CompiledProgram { program, build_identity: identity, .. } = compiled;
        match self.time_program(&program)? {
            Ok(times_us) => {
                result.in_one_program = mutants - separate.len();
                Ok(Some(CompiledSchema { program, identity, separate, late, times_us }))
            }
            Err((test, verdict)) => {
                let name = &self.cases()[test].name;
                result.separate_because = Some(format!("the schema without a mistake gets {verdict} on `{name}`"));
                Ok(None)
            }
        }
    }

    /// Returns the processor time of a program on each test in microseconds, or the first test that it fails.
    fn time_program(&self, program: &Program) -> Result<std::result::Result<Vec<u64>, (usize, Verdict)>> {
        let limits = RunLimits { cpu_time_slack_ms: 0, ..self.limits(u64::MAX) };
        let mut times_us = Vec::new();
        for (test, case) in self.cases().iter().enumerate() {
            if case.examiner.is_some() {
                times_us.push(0);
                continue;
            }
            let files = (read_file(&case.input)?, read_file(&case.answer)?);
            let ran = self.run_case((program, RunEngine::Exec), case, &files, &limits)?;
            if ran.verdict != Verdict::Accepted {
                return Ok(Err((test, ran.verdict)));
            }
            times_us.push(ran.outcome.cpu_time_us);
        }
        Ok(Ok(times_us))
    }

    /// Same, of the submission itself. Returns `None` if it does not compile here or fails a test.
    fn time_original(&self) -> Result<Option<Vec<u64>>> {
        match (self.plan.compile)(self.submission, &self.submission.source) {
            Ok(compiled) => Ok(self.time_program(&compiled.program)?.ok()),
            Err(CompileError::Failed(error)) => Err(error),
            Err(CompileError::Rejected { .. }) => Ok(None),
        }
    }

    /// Returns the limits with at most this processor time in milliseconds.
    fn limits(&self, cpu_time_ms: u64) -> RunLimits {
        let package = self.plan.package;
        // The schema is slower than the submission.
        package.limits_with(cpu_time_ms.min(package.limits.cpu_time_limit_ms.saturating_mul(MUTANT_TIME_FACTOR)))
    }

    fn run_case(
        &self,
        (program, engine): (&Program, RunEngine),
        case: &VerifiedCase,
        (input, answer): &(Vec<u8>, Vec<u8>),
        limits: &RunLimits,
    ) -> Result<RunResult> {
        let files = case.run_files()?;
        let request = JudgeRequest::new(input, answer, limits, &self.plan.package.cancel);
        let request = JudgeRequest { arguments: &case.arguments, files: files.as_ref(), engine, ..request };
        case.judge.run_and_confirm(program, &request)
    }

    /// Returns some of the mutants, ready to be run. Those that are not part of the schema are compiled, each by itself.
    pub(super) fn compile_range<'m>(
        &self,
        mutants: &[&'m Mutant],
        numbers: Range<usize>,
        schema: Option<&CompiledSchema>,
        sink: &mut dyn EventSink,
    ) -> Result<Vec<RunningMutant<'m>>> {
        let prepare = |at: usize| {
            let number = numbers.start + at;
            let mutant = mutants[number];
            if let Some(schema) = schema.filter(|schema| schema.has_mutant(number)) {
                let runnable = Some(schema.choose_variant(number + 1));
                return Ok(RunningMutant { mutant, runnable, killed_by: None });
            }
            let compiled = (self.plan.compile)(self.submission, &mutant.mutate_source(&self.submission.source));
            let runnable = match compiled {
                Ok(CompiledProgram { program, build_identity: identity, .. }) => {
                    Some(RunnableMutant { program, identity, variant: None, engine: RunEngine::Exec })
                }
                Err(CompileError::Rejected { .. }) => None,
                Err(CompileError::Failed(error)) => return Err(error),
            };
            Ok(RunningMutant { mutant, runnable, killed_by: None })
        };
        let mut activity = ActivityEvent {
            of: Some(numbers.len() as u64),
            noun: "mutants",
            ..ActivityEvent::new("Compiling", format!("mutants of {}", self.submission.name))
        };
        run_in_parallel(self.jobs, numbers.len(), prepare, &mut |done| {
            activity.done = done as u64;
            sink.take_event(&Event::Activity(activity.clone()));
        })
    }

    /// Runs the mutants that are alive on each test in order. Returns the processor time in microseconds.
    pub(super) fn run_tests(
        &self,
        mutants: &mut [RunningMutant<'_>],
        TestRuns { order, times_us }: &TestRuns,
        sink: &mut dyn EventSink,
    ) -> Result<u64> {
        let mut activity = ActivityEvent {
            of: Some(order.len() as u64),
            noun: "tests",
            ..ActivityEvent::new("Running", format!("mutants of {}", self.submission.name))
        };
        let mut cpu_time_us = 0;
        for (done, test) in order.iter().copied().enumerate() {
            activity.done = done as u64;
            sink.take_event(&Event::Activity(activity.clone()));
            let is_alive = |mutant: &RunningMutant<'_>| mutant.runnable.is_some() && mutant.killed_by.is_none();
            let alive: Vec<usize> = (0..mutants.len()).filter(|number| is_alive(&mutants[*number])).collect();
            if alive.is_empty() {
                break;
            }
            let case = &self.cases()[test];
            let files = (read_file(&case.input)?, read_file(&case.answer)?);
            let limits = self.limits(times_us[test].saturating_mul(MUTANT_TIME_FACTOR) / 1000 + MIN_MUTANT_TIME_MS);
            let run = |at: usize| {
                let mutant = mutants[alive[at]].runnable.as_ref();
                let ran = mutant.map(|one| self.run_case((&one.program, one.engine), case, &files, &limits));
                Ok(ran.transpose()?.map(|ran| (ran.verdict, ran.outcome.cpu_time_us)))
            };
            let results = run_in_parallel(self.jobs, alive.len(), run, &mut |_| ())?;
            for (number, (verdict, time_us)) in alive.into_iter().zip(results).filter_map(|(n, ran)| Some((n, ran?))) {
                cpu_time_us += time_us;
                if verdict.is_rejection() {
                    mutants[number].killed_by = Some((test, verdict));
                }
            }
        }
        Ok(cpu_time_us)
    }

    pub(super) fn find_fate(&self, running: &RunningMutant<'_>) -> MutantFate {
        let kill = |(test, verdict): (usize, Verdict)| Kill { test_case: self.cases()[test].name.clone(), verdict };
        MutantFate { is_rejected: running.runnable.is_none(), killed_by: running.killed_by.map(kill) }
    }

    /// Describes a mutant and its end.
    pub(super) fn describe_outcome(&self, mutant: &Mutant, fate: MutantFate) -> MutantOutcome {
        let shown = |text: &str| rebut_diagnostics::shorten_text(text.as_bytes(), MAX_SHOWN_BYTES);
        let (end_line, end_column) = mutant.end_place(&self.submission.source);
        MutantOutcome {
            operator: mutant.operator.name().to_owned(),
            line: mutant.line,
            column: mutant.column,
            end_line,
            end_column,
            original: shown(mutant.original_text(&self.submission.source)),
            replacement: shown(&mutant.replacement),
            is_rejected: fate.is_rejected,
            killed_by: fate.killed_by,
            survival: None,
        }
    }
}

/// Returns how many of these mutants are programs of their own.
pub(super) fn count_separate(schema: Option<&CompiledSchema>, numbers: Range<usize>) -> usize {
    numbers.filter(|number| !schema.is_some_and(|schema| schema.has_mutant(*number))).count()
}

#[cfg(test)]
mod tests {
    use super::*;
    use rebut_mutants::find_mutants;

    #[test]
    fn mutants_are_spread_over_the_source() {
        let source = "int f() { return 1 + 2 + 3 + 4 + 5 + 6; }";
        let all = find_mutants(source, SourceLanguage::Cpp);
        let few = spread_mutants(&all, 4);
        assert_eq!(few.len(), 4);
        assert!(few.windows(2).all(|pair| pair[0].range.start <= pair[1].range.start) && few[0].range != few[3].range);
        assert_eq!(spread_mutants(&all, 1000).len(), all.len());
        assert!(spread_mutants(&[], 5).is_empty() && spread_mutants(&all, 0).is_empty());
    }
}
