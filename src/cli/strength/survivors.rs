//! `rebut strength`: searches for inputs that kill the mutants that the test set leaves alive.
//!
//! All survivors of a submission are searched for together, with the submission itself as the reference. An input that
//! was found for one of them is tried on the others first, so few inputs kill many.

use super::super::args::{InputArgs, JudgeArgs};
use super::super::problem_setup::{ProblemContext, input_args_from_path};
use super::super::session::Session;
use super::super::stress::failing_input_from_hit;
use super::super::stress::save_test::save_finding_as_test;
use super::mutant_compiler::{CompiledMutant, MutantCompiler};
use rebut_diagnostics::{Error, Result, count_with_noun};
use rebut_engine::event::{EndReason, Finding, NoSink, SubmissionMutants, Survival};
use rebut_engine::verify::VerifiedCase;
use rebut_engine::{
    CompiledSubmission, FindingOptions, JudgeSetup, Minimizer, MutatedSubmission, RunEngine, SMALLEST_SHAPE, SearchHit,
    SearchResult, StressPlan, run_search, survivors_of,
};
use rebut_mutants::{MUTANT_ARGUMENT, Mutant, MutantForm, SourceLanguage, build_schema};
use rebut_packages::read_file;
use rebut_packages::verdict::Verdict;
use rebut_sandbox::ProcessorSet;
use rebut_toolchain::{BuildVariant, CompileError, SanitizerResult, find_fault};
use std::ffi::OsString;
use std::path::Path;
use std::time::{Duration, Instant};

/// Maximum number of inputs of a search.
const MAX_INPUTS: u64 = 3000;

/// Maximum duration of a search, unless it has not yet tried as many inputs as excuse a survivor.
const MAX_DURATION: Duration = Duration::from_secs(20);

/// Maximum duration of trying these, which a busy machine seldom needs.
const MAX_FIRST_DURATION: Duration = Duration::from_secs(120);

/// Maximum duration of shrinking an input.
const SHRINK_DURATION: Duration = Duration::from_secs(5);

/// The seed, so that the same inputs are tried each time.
const SEED: u64 = 1;

/// The search for inputs that kill the survivors of one submission.
pub(super) struct SurvivorSearch<'a> {
    /// The package.
    pub(super) problem: &'a ProblemContext,
    /// The submission.
    pub(super) submission: &'a MutatedSubmission,
    /// Path of its source.
    pub(super) path: &'a Path,
    /// Compiles mutants.
    pub(super) compiler: &'a MutantCompiler,
    /// The tests.
    pub(super) cases: &'a [VerifiedCase],
    /// Whether to add what is found to the package.
    pub(super) saves: bool,
}

/// An input that kills a survivor, and its answer.
struct KillingInput {
    input: Vec<u8>,
    answer: Vec<u8>,
}

impl SurvivorSearch<'_> {
    /// Records for each survivor why it survives: it is the same program as the original, an input kills it that is no
    /// test, it behaves like the original, or its behaviour is undefined. Without a format, and if submissions talk to
    /// the judge, inputs cannot be searched for.
    ///
    /// # Errors
    /// Returns an error if a program cannot be started, if a found input cannot be saved, or if the work was cancelled.
    pub(super) fn classify_survivors(&self, results: &mut SubmissionMutants, session: &mut Session) -> Result<()> {
        let package = self.problem.require_package()?;
        let (numbers, survivors) = self.compile_survivors(results)?;
        if survivors.is_empty() || self.problem.format.is_none() || package.problem_type.has_jury_dialogue() {
            return Ok(());
        }
        let alive = count_with_noun(survivors.len(), "mutant");
        session.announce_activity("Searching", format!("what kills {alive} of {}", self.submission.name));
        let mut plan = self.plan_search(survivors, session)?;
        session.announce_activity("Searching", format!("what kills {alive} of {}", self.submission.name));
        let found = search_inputs(&mut plan)?;
        let survivals = self.minimize_hits(&plan, &found.hits, session)?;
        // A reference that fails or answers nothing gives no information about the mutants.
        let cases = found.progress.cases;
        let smallest = found.progress.shapes.get(SMALLEST_SHAPE).copied().unwrap_or(0);
        let has_searched = cases > 0 && found.hits.iter().all(|hit| hit.submission.is_some());
        for (number, survival) in numbers.into_iter().zip(survivals) {
            let alike = has_searched.then_some(Survival::Alike { cases, smallest });
            results.mutants[number].survival = survival.or(alike);
        }
        let undefined = UndefinedSearch { submission: self.submission, compiler: self.compiler, cases: self.cases };
        undefined.mark_undefined(results)
    }

    /// Returns the numbers of the survivors that are not the same program as the original, and their programs. The
    /// others are recorded.
    fn compile_survivors(&self, results: &mut SubmissionMutants) -> Result<(Vec<usize>, Vec<CompiledSubmission>)> {
        let (mut numbers, mut survivors) = (Vec::new(), Vec::new());
        let source = &self.submission.source;
        let original = self.compile(source)?.and_then(|original| self.compiler.hash_program(&original.compiled));
        for (number, mutant) in survivors_of(self.submission, results) {
            // Some fit into the schema only: the part that they leave out defines something that is used.
            let Some(CompiledMutant { compiled, path }) = self.compile(&mutant.mutate_source(source))? else {
                continue;
            };
            if original.is_some() && self.compiler.hash_program(&compiled) == original {
                results.mutants[number].survival = Some(Survival::Identical);
                continue;
            }
            numbers.push(number);
            let (name, program) = (self.submission.name.clone(), compiled.program);
            survivors.push(CompiledSubmission { name, source: path, program });
        }
        Ok((numbers, survivors))
    }

    /// Compiles a source. Returns `None` if the compiler rejects it.
    fn compile(&self, source: &str) -> Result<Option<CompiledMutant>> {
        match self.compiler.compile_mutant(self.submission, source, BuildVariant::Judged) {
            Ok(compiled) => Ok(Some(compiled)),
            Err(CompileError::Rejected { .. }) => Ok(None),
            Err(CompileError::Failed(error)) => Err(error),
        }
    }

    fn plan_search(&self, survivors: Vec<CompiledSubmission>, session: &mut Session) -> Result<StressPlan<'_>> {
        let judging = JudgeArgs { reference: Some(self.path.to_owned()), ..JudgeArgs::default() };
        let (judge_setup, _) = self.problem.build_judge_setup(&judging, session)?;
        let inputs = self.input_args()?;
        let settings = self.problem.search_settings(&inputs, &survivors);
        let limits = &judge_setup.judge_limits;
        let inputs = self.problem.build_input_source(&inputs, settings, limits, session)?;
        Ok(StressPlan {
            submissions: survivors,
            inputs: inputs.with_smallest_inputs().with_mixture(None),
            judge_setup,
            seed: SEED,
            jobs: session.jobs,
            processors: ProcessorSet::from_current_thread(),
            time_budget: Some(MAX_DURATION),
            case_budget: Some(MAX_INPUTS),
            keep_going: false,
        })
    }

    fn input_args(&self) -> Result<InputArgs> {
        Ok(input_args_from_path(&self.problem.require_package()?.folder))
    }

    /// Returns an input that kills each survivor, in their order, if one was found.
    fn minimize_hits(
        &self,
        plan: &StressPlan<'_>,
        hits: &[SearchHit],
        session: &mut Session,
    ) -> Result<Vec<Option<Survival>>> {
        let exact = plan.judge_setup.with_engine(RunEngine::Exec);
        let mut known: Vec<KillingInput> = Vec::new();
        let mut survivals = vec![None; plan.submissions.len()];
        for (hit, number) in hits.iter().filter_map(|hit| Some((hit, hit.submission?))) {
            let mutant = &plan.submissions[number];
            for KillingInput { input, answer } in &known {
                let verdict = exact.run_and_judge(&mutant.program, input, answer)?.verdict;
                if verdict.is_rejection() {
                    survivals[number] = Some(killable(input, answer, verdict));
                    break;
                }
            }
            if survivals[number].is_some() {
                continue;
            }
            let found = self.minimize_hit(plan, &exact, hit, mutant, session)?;
            let verdict = found.failure.verdict;
            if !verdict.is_rejection() || found.failure.flaky.is_some() {
                continue;
            }
            survivals[number] = Some(killable(&found.run.input, &found.run.answer, verdict));
            if self.saves {
                save_finding_as_test(self.problem, &found, session)?;
            }
            known.push(KillingInput { input: found.run.input, answer: found.run.answer });
        }
        Ok(survivals)
    }

    fn minimize_hit(
        &self,
        plan: &StressPlan<'_>,
        exact: &JudgeSetup,
        hit: &SearchHit,
        mutant: &CompiledSubmission,
        session: &mut Session,
    ) -> Result<Finding> {
        let inputs = self.input_args()?;
        let source = mutant.source.as_path();
        let options = FindingOptions {
            shrink_budget: Some(SHRINK_DURATION),
            certify_budget: Duration::ZERO,
            end: None,
            keep_kind: false,
            shrink_unvalidated: false,
            findings: None,
        };
        let minimizer = Minimizer {
            judge_setup: exact,
            engine: plan.judge_setup.engine,
            inputs: &plan.inputs,
            jobs: plan.jobs,
            options,
            seed: Some(plan.seed),
            // Few of these are on a page, and they are drawn for it when all are known.
            tools: &NoSink,
            record: self.problem.build_finding_record(&inputs, self.path, Some(source), session),
        };
        let subject = (mutant.name.as_str(), source, &mutant.program);
        minimizer.minimize_failure(Some(subject), failing_input_from_hit(hit, false), &mut NoSink)
    }
}

/// Searches for inputs that kill the survivors. How many inputs excuse a survivor does not depend on how busy the machine
/// is, as far as that can be.
fn search_inputs(plan: &mut StressPlan<'_>) -> Result<SearchResult> {
    let began = Instant::now();
    let search = |plan: &StressPlan<'_>| match run_search(plan, &mut NoSink)? {
        found if found.reason == EndReason::Interrupted => Err(Error::interrupted()),
        found => Ok(found),
    };
    (plan.case_budget, plan.time_budget) = (Some(Survival::MIN_CASES), Some(MAX_FIRST_DURATION));
    let first = search(plan)?;
    if began.elapsed() > MAX_DURATION / 2 || first.hits.len() == plan.submissions.len() {
        return Ok(first);
    }
    (plan.case_budget, plan.time_budget) = (Some(MAX_INPUTS), Some(MAX_DURATION));
    let found = search(plan)?;
    Ok(if found.progress.cases < first.progress.cases { first } else { found })
}

fn killable(input: &[u8], answer: &[u8], verdict: Verdict) -> Survival {
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    Survival::Killable { input: text(input), answer: text(answer), verdict }
}

// `rebut strength`: finds the survivors that differ from the original in undefined behaviour only.
//
// Such a mutant writes behind the end of an array, say, and still prints the right answer. The survivors that behave
// like the original share a schema, which is compiled once with sanitizers and run on the tests; those that cannot
// share it are programs of their own.

/// Maximum number of programs that are compiled with sanitizers for a submission, which takes seconds each.
const MAX_PROGRAMS: usize = 12;

/// Maximum number of bytes of an input that is run with sanitizers.
const MAX_INPUT_BYTES: usize = 1 << 16;

/// After this time no other mutant of a submission is tried.
const MAX_RUN_DURATION: Duration = Duration::from_secs(30);

/// A program with sanitizers, and the argument that chooses the mutant.
struct SanitizedMutant<'a> {
    program: &'a CompiledMutant,
    argument: Option<OsString>,
}

/// Finds the mutants of a submission that a sanitizer stops on a test, although they behave like the original.
pub(super) struct UndefinedSearch<'a> {
    /// The submission.
    pub(super) submission: &'a MutatedSubmission,
    /// Compiles mutants.
    pub(super) compiler: &'a MutantCompiler,
    /// The tests.
    pub(super) cases: &'a [VerifiedCase],
}

impl UndefinedSearch<'_> {
    /// Searches, and records what is found. The original must have no fault on a test.
    ///
    /// # Errors
    /// Returns an error if a program cannot be started, or if the work was cancelled.
    pub(super) fn mark_undefined(&self, results: &mut SubmissionMutants) -> Result<()> {
        if self.submission.language != SourceLanguage::Cpp {
            return Ok(());
        }
        let began = Instant::now();
        let survivors = survivors_of(self.submission, results);
        let is_alike = |number: usize| matches!(results.mutants[number].survival, Some(Survival::Alike { .. }));
        let alike: Vec<(usize, &Mutant)> = survivors
            .iter()
            .filter(|(number, _)| is_alike(*number))
            .map(|(number, mutant)| (*number, mutant))
            .collect();
        if alike.is_empty() {
            return Ok(());
        }
        let Some(original) = self.compile(&self.submission.source)? else { return Ok(()) };
        let tests = self.defined_tests(&original)?;
        let shared: Vec<(usize, &Mutant)> = alike
            .iter()
            .filter(|(_, mutant)| mutant.form != MutantForm::Declaration)
            .map(|(number, mutant)| (number + 1, *mutant))
            .collect();
        let schema = build_schema(&self.submission.source, self.submission.language, &shared);
        let schema = schema.filter(|_| !shared.is_empty()).map(|text| self.compile(&text)).transpose()?.flatten();
        let mut own_programs = 0;
        for (number, mutant) in alike {
            let is_shared = schema.is_some() && mutant.form != MutantForm::Declaration;
            if began.elapsed() > MAX_RUN_DURATION || !is_shared && own_programs == MAX_PROGRAMS {
                continue;
            }
            let own = match is_shared {
                true => None,
                false => {
                    own_programs += 1;
                    self.compile(&mutant.mutate_source(&self.submission.source))?
                }
            };
            let argument = is_shared.then(|| OsString::from(format!("{MUTANT_ARGUMENT}{}", number + 1)));
            let Some(program) = own.as_ref().or(schema.as_ref().filter(|_| is_shared)) else { continue };
            let found = self.first_fault(&SanitizedMutant { program, argument }, &tests)?;
            if let Some((test, message)) = found {
                let test_case = self.cases[test].name.clone();
                results.mutants[number].survival = Some(Survival::Undefined { test_case, message });
            }
        }
        Ok(())
    }

    /// Compiles a source with sanitizers. Returns `None` if the compiler rejects it.
    fn compile(&self, source: &str) -> Result<Option<CompiledMutant>> {
        match self.compiler.compile_mutant(self.submission, source, BuildVariant::Sanitized) {
            Ok(compiled) => Ok(Some(compiled)),
            Err(CompileError::Rejected { .. }) => Ok(None),
            Err(CompileError::Failed(error)) => Err(error),
        }
    }

    /// Returns the tests on which the behaviour of the original is defined.
    fn defined_tests(&self, original: &CompiledMutant) -> Result<Vec<usize>> {
        let mut tests = Vec::new();
        for (test, case) in self.cases.iter().enumerate().filter(|(_, case)| case.examiner.is_none()) {
            if read_file(&case.input)?.len() > MAX_INPUT_BYTES {
                continue;
            }
            let mutant = SanitizedMutant { program: original, argument: None };
            if self.run_test(&mutant, case)? == SanitizerResult::Clean {
                tests.push(test);
            }
        }
        Ok(tests)
    }

    /// Returns the first test on which a sanitizer stops a mutant, and its message.
    fn first_fault(&self, mutant: &SanitizedMutant<'_>, tests: &[usize]) -> Result<Option<(usize, String)>> {
        for test in tests {
            if let SanitizerResult::Fault(report) = self.run_test(mutant, &self.cases[*test])? {
                return Ok(Some((*test, report.message)));
            }
        }
        Ok(None)
    }

    fn run_test(&self, mutant: &SanitizedMutant<'_>, case: &VerifiedCase) -> Result<SanitizerResult> {
        let arguments: Vec<OsString> = case.arguments.iter().chain(&mutant.argument).cloned().collect();
        let CompiledMutant { compiled, path } = mutant.program;
        find_fault(&compiled.program, path, &arguments, &read_file(&case.input)?, self.compiler.cancel())
    }
}
