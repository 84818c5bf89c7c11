//! `rebut strength`: finds the survivors that differ from the original in undefined behaviour only.
//!
//! Such a mutant writes behind the end of an array, say, and still prints the right answer. The survivors that behave
//! like the original share a schema, which is compiled once with sanitizers and run on the tests; those that cannot
//! share it are programs of their own.

use super::mutant_compiler::{CompiledMutant, MutantCompiler};
use rebut_diagnostics::Result;
use rebut_engine::event::{SubmissionMutants, Survival};
use rebut_engine::verify::VerifiedCase;
use rebut_engine::{MutatedSubmission, survivors_of};
use rebut_mutants::{MUTANT_ARGUMENT, Mutant, MutantForm, SourceLanguage, build_schema};
use rebut_packages::read_file;
use rebut_toolchain::{BuildVariant, CompileError, SanitizerResult, find_fault};
use std::ffi::OsString;
use std::time::{Duration, Instant};

/// Maximum number of programs that are compiled with sanitizers for a submission, which takes seconds each.
const MAX_PROGRAMS: usize = 12;
/// Maximum number of bytes of an input that is run with sanitizers.
const MAX_INPUT_BYTES: usize = 1 << 16;
/// After this time no other mutant of a submission is tried.
const MAX_DURATION: Duration = Duration::from_secs(30);

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
            if began.elapsed() > MAX_DURATION || !is_shared && own_programs == MAX_PROGRAMS {
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
