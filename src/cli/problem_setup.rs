//! Turns command-line options into what the commands work with: format, package, judge, reference and input source.

use super::args::{EngineArg, FindingArgs, FormatArgs, InputArgs, JudgeArgs, NarrowingArgs};
use super::compile_programs::{
    compile_all, compile_command, compile_command_of, compile_for, compile_quietly, compile_with_identity,
    convert_script_exactly, display_file_name, is_checktestdata_script, missing_header_help, package_source_options,
    to_judge_error, warn_if_unsupported,
};
use super::files_beside::{FORMAT_FILE, NO_INPUTS, NO_REFERENCE, find_references};
use super::judges::{self, PackageJudge};
use super::session::Session;
use rebut_checkers::Checker;
use rebut_diagnostics::{Diagnostic, Error, Result, Severity, SourceText, list_and, to_millis};
use rebut_engine::event::{Event, EventSink, Finding, ProgramRole};
use rebut_engine::{
    CompiledSubmission, FindingOptions, GeneratorProgram, InputOrigin, InputSource, InputValidator, Judge, JudgeMode,
    JudgeSetup, RunEngine, ValidatorConvention, search_settings,
};
use rebut_format::generate::{GenerationPlan, GenerationSettings};
use rebut_format::invalid;
use rebut_format::language::{ExternalProgram, Format};
use rebut_import::testlib;
use rebut_packages::verdict::Verdict;
use rebut_packages::{FindingRecord, Package, TestSet, find_testlib_validator, read_file, read_run_files};
use rebut_sandbox::{Program, RunJob, RunLimits};
use rebut_toolchain::CompileError;
use std::path::{Path, PathBuf};

/// Maximum number of inputs of a package that a derived format is tried on.
const MAX_CHECKED_INPUTS: usize = 50;

/// Maximum size in bytes of such an input.
const MAX_CHECKED_BYTES: u64 = 1 << 18;

/// Name of a format given on the command line, as used in diagnostics.
const INLINE_FORMAT_NAME: &str = "--input";

/// Returns the path of the submission with the given name, combined with the files that the package includes for its
/// language.
pub(super) fn find_submission_path(name: &Path, package: Option<&Package>, session: &Session) -> Result<PathBuf> {
    let path = rebut_packages::find_submission(name, package)?;
    match package.filter(|package| package.submissions.iter().all(|own| own.path != path)) {
        Some(package) => package.copy_with_includes(&path, &session.builder.cache_folder().join("filled")),
        None => Ok(path),
    }
}

/// A problem as read from disk, before anything is compiled.
pub(super) struct ProblemContext {
    pub(super) package: Option<Package>,
    pub(super) format: Option<Format>,
    /// Folder that the format's validator paths are relative to.
    pub(super) folder: PathBuf,
    /// The submission that references are looked for beside, if any.
    pub(super) beside: Option<PathBuf>,
}

impl ProblemContext {
    /// Loads the package and the format. Diagnostics are shown.
    pub(super) fn load_problem(
        inputs: &InputArgs,
        beside: Option<&Path>,
        session: &mut Session,
    ) -> Result<ProblemContext> {
        let package = inputs.problem.as_deref().map(|folder| session.load_package(folder)).transpose()?;
        let mut problem = ProblemContext::from_package(package, inputs, beside, session)?;
        if problem.format.is_none() && inputs.generator.is_none() {
            problem.derive_format(&inputs.narrowing, session)?;
        }
        Ok(problem)
    }

    /// Derives the format from a validator with testlib, if the package has one. All validators stay as filters.
    fn derive_format(&mut self, narrowing: &NarrowingArgs, session: &mut Session) -> Result<()> {
        let Some(package) = &self.package else { return Ok(()) };
        let mut sources =
            package.input_validators.iter().filter_map(|path| find_testlib_validator(path, &package.include));
        let Some(path) = sources.next() else { return Ok(()) };
        let source = SourceText::new(path.display().to_string(), rebut_packages::read_description(&path)?);
        let Ok(found) = testlib::convert_validator(&source) else { return Ok(()) };
        let file = path.file_name().unwrap_or_default().display();
        let mut text = found.text.replace(&format!("    validator \"{file}\"\n"), "");
        text += if text.contains("\nwhere:\n") { "" } else { "where:\n" };
        for validator in &package.input_validators {
            let name = validator.strip_prefix(&package.folder).unwrap_or(validator).display();
            text += &format!("    validator \"{name}\"\n");
        }
        let derived = SourceText::new(format!("{} as a format", path.display()), text);
        let Ok((parsed, _)) = Format::parse(&derived) else { return Ok(()) };
        // The inputs of a package are valid; a format that refuses one misunderstands the validator.
        let inputs = package.test_cases.iter().map(|case| &case.input);
        let is_small = |path: &&PathBuf| std::fs::metadata(path).is_ok_and(|file| file.len() <= MAX_CHECKED_BYTES);
        for input in inputs.filter(is_small).take(MAX_CHECKED_INPUTS) {
            if invalid::find_refusal(&parsed, &read_file(input)?).is_some() {
                session.warn_with_help(
                    format!("no format was derived from `{}`: it would refuse `{}`", path.display(), input.display()),
                    "`rebut format from-testlib` shows the format; `--format` takes a corrected one",
                );
                return Ok(());
            }
        }
        let whole = if found.exact { "" } else { ", which says less than the validator" };
        session.announce_activity("Deriving", format!("the format from {}{whole}", path.display()));
        self.folder.clone_from(&package.folder);
        let format = read_format(derived, narrowing, session)?;
        session.set_board_format(&format);
        self.format = Some(format);
        Ok(())
    }

    /// Loads a package whose test set is about to be built. Group files (`.yaml`) written by an earlier build are
    /// ignored.
    pub(super) fn for_build(
        inputs: &InputArgs,
        folder: &Path,
        set: &TestSet,
        session: &mut Session,
    ) -> Result<ProblemContext> {
        let is_group_file = |path: &str| path.ends_with(".yaml");
        let is_left_out =
            |path: &str| is_group_file(path) && path.strip_prefix("data/").is_some_and(|path| set.is_unmodified(path));
        let package = session.load_package_without(folder, &is_left_out)?;
        ProblemContext::from_package(Some(package), inputs, None, session)
    }

    fn from_package(
        package: Option<Package>,
        inputs: &InputArgs,
        beside: Option<&Path>,
        session: &mut Session,
    ) -> Result<ProblemContext> {
        let mut folder = PathBuf::from(".");
        let mut path = inputs.format.clone();
        if path.is_none() && inputs.input.is_none() && inputs.generator.is_none() {
            path = package.as_ref().and_then(|p| p.format.clone());
            path = path.or_else(|| Some(beside?.parent()?.join(FORMAT_FILE)).filter(|p| p.is_file()));
        }
        let source = match (&path, &inputs.input) {
            (Some(path), _) => {
                folder = path.parent().map(Path::to_owned).unwrap_or_default();
                Some(SourceText::new(path.display().to_string(), rebut_packages::read_description(path)?))
            }
            (None, Some(text)) => Some(SourceText::new(INLINE_FORMAT_NAME, text.as_bytes())),
            (None, None) if inputs.generator.is_none() => {
                package.as_ref().map(format_from_script).transpose()?.flatten()
            }
            (None, None) => None,
        };
        let format = source.map(|source| read_format(source, &inputs.narrowing, session)).transpose()?;
        if format.is_none() && !inputs.narrowing.has_no_restriction() {
            return Err(Error::usage_error("`--where`, `--let` and `--subtask` require a format"));
        }
        if let Some(format) = &format {
            session.set_board_format(format);
        }
        Ok(ProblemContext { package, format, folder, beside: beside.map(Path::to_owned) })
    }

    /// Returns how the inputs of a search against submissions are generated.
    pub(super) fn search_settings(&self, inputs: &InputArgs, submissions: &[CompiledSubmission]) -> GenerationSettings {
        let format = self.format.as_ref();
        let has_validators = !inputs.validator.is_empty() || format.is_some_and(|f| !f.validators.is_empty());
        let sources: Vec<&Path> = submissions.iter().map(|submission| submission.source.as_path()).collect();
        search_settings(&sources, format, self.package.as_ref(), has_validators)
    }

    /// Returns the format.
    ///
    /// # Errors
    /// Returns an error if the problem has no format.
    pub(super) fn require_format(&self, to: &str) -> Result<&Format> {
        self.format.as_ref().ok_or_else(|| Error::usage_error(format!("the problem has no `input.format` to {to}")))
    }

    /// Loads the problem in a package folder.
    pub(super) fn from_folder(folder: &Path, session: &mut Session) -> Result<ProblemContext> {
        let inputs = InputArgs { problem: Some(folder.to_owned()), ..InputArgs::default() };
        let package = Some(session.load_package(folder)?);
        ProblemContext::from_package(package, &inputs, None, session)
    }

    /// Returns the package.
    ///
    /// # Errors
    /// Returns an error if the problem has no package.
    pub(super) fn require_package(&self) -> Result<&Package> {
        self.package.as_ref().ok_or_else(|| {
            Error::usage_error("no problem package was given").with_help("name the folder of one with `--problem DIR`")
        })
    }
}

impl FormatArgs {
    /// Converts to the more general input options.
    pub(super) fn to_input_args(&self) -> InputArgs {
        let from = self.target.as_deref().map(input_args_from_path).unwrap_or_default();
        InputArgs { input: self.input.clone(), narrowing: self.narrowing.clone(), ..from }
    }
}

/// Returns the input options for a path: a problem folder or a format file.
pub(super) fn input_args_from_path(path: &Path) -> InputArgs {
    if path.is_dir() {
        return InputArgs { problem: Some(path.to_owned()), ..InputArgs::default() };
    }
    InputArgs { format: Some(path.to_owned()), ..InputArgs::default() }
}

impl NarrowingArgs {
    fn has_no_restriction(&self) -> bool {
        self.constraints.is_empty() && self.lets.is_empty() && self.subtask.is_none()
    }

    /// Appends the restrictions to a format as lines of a `where` section, so that findings record them. Messages about
    /// them name the option.
    fn append_to_format(&self, source: &mut SourceText) {
        let mut append = |keyword: &str, option: &str, text: &str| {
            let lines = text.replace('\n', "\n    ");
            source.append_text(&format!("\nwhere:\n    {keyword}"), option, &lines);
        };
        self.constraints.iter().for_each(|text| append("", "--where", text));
        self.lets.iter().for_each(|text| append("let ", "--let", text));
        self.subtask.iter().for_each(|text| append("subtask ", "--subtask", text));
    }
}

/// Parses a format with further restrictions appended. Warnings are shown.
pub(super) fn read_format(mut source: SourceText, narrowing: &NarrowingArgs, session: &mut Session) -> Result<Format> {
    let own = source.text.len();
    narrowing.append_to_format(&mut source);
    match Format::parse(&source) {
        Ok((mut format, warnings)) => {
            format.stop_token = session.stop_token();
            // An unused name that was given on the command line is a typo.
            let (typos, warnings): (Vec<_>, Vec<_>) =
                warnings.into_iter().partition(|warning| warning.code == "unused" && warning.span.start >= own);
            if !typos.is_empty() {
                let errors = typos.into_iter().map(|typo| Diagnostic { severity: Severity::Error, ..typo });
                return Err(Error::from_diagnostics(source, errors.collect()));
            }
            if !warnings.is_empty() {
                session.show_diagnostics(&warnings, &source);
            }
            Ok(format)
        }
        Err(problems) => {
            let text = String::from_utf8_lossy(&source.text[..own]).into_owned();
            if source.name == INLINE_FORMAT_NAME && Path::new(&text).is_file() {
                return Err(Error::usage_error(format!("`{text}` is a file, and `--input` takes the format itself"))
                    .with_help(format!(
                        "name the file with `--format {text}`, or without an option for commands that only take a format"
                    )));
            }
            Err(Error::from_diagnostics(source, problems))
        }
    }
}

impl ProblemContext {
    /// Compiles the reference: the one given by `--reference`, or the package's, or `brute.*`, `reference.*`, ... next to
    /// the submission.
    pub(super) fn compile_reference(&self, judging: &JudgeArgs, session: &mut Session) -> Result<(Program, PathBuf)> {
        let mut missing = None;
        for path in self.reference_candidates(judging, session)? {
            let error = match compile_for(self.package.as_ref(), &path, ProgramRole::Reference, session) {
                Ok(program) => return Ok((program, path)),
                Err(error) => error,
            };
            if judging.reference.is_none() && warn_if_unsupported(&display_file_name(&path), &error, session) {
                continue;
            }
            match error {
                CompileError::Failed(error) if error.kind() == rebut_diagnostics::ErrorKind::Operating => {
                    missing.get_or_insert(error);
                }
                error => return Err(to_judge_error(error, &path.display().to_string())),
            }
        }
        Err(missing.unwrap_or_else(no_reference_error))
    }

    /// Checks that answers can be obtained, before anything is compiled.
    ///
    /// # Errors
    /// Returns an error if there is neither a reference nor an interactor.
    pub(super) fn require_reference(&self, judging: &JudgeArgs, session: &Session) -> Result<()> {
        let is_missing = judging.interactor.is_none() && self.reference_candidates(judging, session)?.is_empty();
        if is_missing { Err(no_reference_error()) } else { Ok(()) }
    }

    /// Returns the candidates for the reference, best first.
    pub(super) fn reference_candidates(&self, judging: &JudgeArgs, session: &Session) -> Result<Vec<PathBuf>> {
        if judging.interactor.is_some() {
            return Ok(Vec::new());
        }
        Ok(match (&judging.reference, &self.package) {
            (Some(path), package) => vec![find_submission_path(path, package.as_ref(), session)?],
            (None, Some(package)) => package.reference_candidates(),
            (None, None) => self.beside.as_deref().map(find_references).unwrap_or_default(),
        })
    }

    /// Builds the judge setup. Also returns the path of the reference's source.
    pub(super) fn build_judge_setup(
        &self,
        judging: &JudgeArgs,
        session: &mut Session,
    ) -> Result<(JudgeSetup, PathBuf)> {
        let judge = choose_judge(judging, self.package.as_ref(), session)?;
        let (reference, source) = match &judging.interactor {
            // An interactor judges by itself, without an answer.
            Some(path) => (judge.judge_program().cloned().ok_or_else(no_reference_error)?, path.clone()),
            None => self.compile_reference(judging, session)?,
        };
        let (limits, judge_limits) = choose_limits(judging, self.package.as_ref());
        let engine = match judging.engine {
            EngineArg::Auto => RunEngine::Quick,
            EngineArg::Exec => RunEngine::Exec,
        };
        Ok((JudgeSetup { engine, reference, judge, limits, judge_limits, cancel: session.cancel.clone() }, source))
    }

    /// Compiles the validators of the format and the command line, and those of a package without a format.
    pub(super) fn compile_validators(&self, inputs: &InputArgs, session: &mut Session) -> Result<Vec<InputValidator>> {
        let mut found = Vec::new();
        for validator in self.format.iter().flat_map(|f| &f.validators) {
            let program = self.compile_external(&validator.command, ProgramRole::Validator, session)?;
            found.push(InputValidator { program, convention: ValidatorConvention::Plain, identity: None });
        }
        for text in &inputs.validator {
            let program = compile_command(text, ProgramRole::Validator, session)?;
            found.push(InputValidator { program, convention: ValidatorConvention::Plain, identity: None });
        }
        if self.format.is_none() {
            found.extend(self.compile_own_validators(session)?);
        }
        Ok(found)
    }

    /// Same as [`compile_validators`], plus the validators of a package that has a format. These are only tested, not
    /// relied on.
    pub(super) fn compile_all_validators(
        &self,
        inputs: &InputArgs,
        session: &mut Session,
    ) -> Result<Vec<InputValidator>> {
        let mut found = self.compile_validators(inputs, session)?;
        if self.format.is_some() {
            found.extend(self.compile_own_validators(session)?);
        }
        Ok(found)
    }

    /// Compiles all validators of the package.
    fn compile_own_validators(&self, session: &mut Session) -> Result<Vec<InputValidator>> {
        let own = self.compile_package_validators(&|_| true, session)?;
        Ok(own.into_iter().map(|(_, validator)| validator).collect())
    }

    /// Compiles the package's validators for which `is_wanted` returns true, and returns them with their paths.
    /// Checktestdata scripts are excluded: they are read as formats. Validators that cannot be run here are skipped with a
    /// warning.
    pub(super) fn compile_package_validators(
        &self,
        is_wanted: &dyn Fn(&Path) -> bool,
        session: &mut Session,
    ) -> Result<Vec<(PathBuf, InputValidator)>> {
        let mut found = Vec::new();
        if let Some(package) = &self.package {
            for path in package.input_validators.iter().filter(|path| !is_checktestdata_script(path) && is_wanted(path))
            {
                if let Some((program, identity)) = compile_validator(package, path, session)? {
                    let convention = judges::validator_convention(package, path, session);
                    found.push((path.clone(), InputValidator { program, convention, identity }));
                }
            }
        }
        Ok(found)
    }

    /// Compiles a program that a format names: a source or a command, relative to the format's folder. It is shown as it is
    /// named there.
    fn compile_external(&self, text: &str, role: ProgramRole, session: &mut Session) -> Result<Program> {
        let source = self.folder.join(text);
        let program = if source.exists() {
            compile_for(self.package.as_ref(), &source, role, session).map_err(|e| to_judge_error(e, text))?
        } else {
            compile_command_of(&self.folder, text, role, session)?
        };
        Ok(program.with_display_name(text))
    }

    /// Checks that inputs can be made, before anything is compiled.
    ///
    /// # Errors
    /// Returns an error if there is neither a format nor a generator.
    pub(super) fn require_inputs(&self, args: &InputArgs) -> Result<()> {
        match args.generator.is_some() || self.format.is_some() {
            true => Ok(()),
            false => Err(self.no_inputs_error()),
        }
    }

    fn no_inputs_error(&self) -> Error {
        let format_file = match &self.package {
            Some(package) => format!("in `{}`", package.folder.join(FORMAT_FILE).display()),
            None => "in a file with `--format`".to_owned(),
        };
        Error::usage_error(NO_INPUTS).with_help(format!(
            "describe it with `--input 'n; a[n] where 1<=n<=8; -9<=a<=9'`, {format_file}, or give a program that makes \
             inputs with `--generator`"
        ))
    }

    /// Builds the input source: a generator program, or the format.
    pub(super) fn build_input_source<'f>(
        &'f self,
        args: &InputArgs,
        settings: GenerationSettings,
        judge_limits: &RunLimits,
        session: &mut Session,
    ) -> Result<InputSource<'f>> {
        let validators = self.compile_validators(args, session)?;
        let origin = match (&args.generator, &self.format) {
            (Some(text), _) => {
                let program = compile_command(text, ProgramRole::Generator, session)?;
                InputOrigin::Generator(GeneratorProgram::new(program))
            }
            (None, Some(format)) => InputOrigin::Format { plan: GenerationPlan::new(format), settings },
            (None, None) => return Err(self.no_inputs_error()),
        };
        let mut inputs = InputSource::new(origin, validators, judge_limits.clone(), session.cancel.clone());
        // The comment of `rebut infer` and `rebut listen` stays in the file until the lines below it have been checked.
        let has_guesses = |format: &Format| rebut_infer::has_guesses(&String::from_utf8_lossy(&format.source.text));
        inputs.is_guessed =
            args.is_guessed || args.generator.is_none() && self.format.as_ref().is_some_and(has_guesses);
        if args.generator.is_none() {
            inputs.is_narrowed = !args.narrowing.has_no_restriction();
            inputs.generators = self.compile_format_generators(session)?;
        }
        Ok(inputs)
    }

    /// Compiles the generators that the format names.
    pub(super) fn compile_format_generators(&self, session: &mut Session) -> Result<Vec<GeneratorProgram>> {
        let generators = self.format.iter().flat_map(|format| &format.generators);
        let compile = |generator: &ExternalProgram| {
            self.compile_external(&generator.command, ProgramRole::Generator, session).map(GeneratorProgram::new)
        };
        generators.map(compile).collect()
    }

    /// Compiles submissions and returns those that compile, with the number of those rejected by the compiler, which are
    /// reported as findings. Programs that cannot be run here are skipped with a warning, unless the user named them.
    pub(super) fn compile_submissions(
        &self,
        paths: Vec<PathBuf>,
        are_named: bool,
        session: &mut Session,
    ) -> Result<(Vec<CompiledSubmission>, usize)> {
        let named: Vec<(PathBuf, String)> =
            paths.into_iter().map(|path| (path.clone(), display_file_name(&path))).collect();
        let compiled = compile_all(self.package.as_ref(), &named, ProgramRole::Submission, session);
        let mut found = Vec::new();
        let mut rejected = 0;
        for (compiled, (source, name)) in compiled.into_iter().zip(named) {
            match compiled {
                Ok((program, _)) => {
                    found.push(CompiledSubmission { name: unique_name(&source, &found), source, program })
                }
                Err(error) if !are_named && warn_if_unsupported(&name, &error, session) => {}
                Err(CompileError::Failed(error)) => return Err(error),
                Err(CompileError::Rejected { command, text }) => {
                    rejected += 1;
                    let hints = missing_header_help(&text).into_iter().collect();
                    let mut found = Finding::compile_error(&name, &command, &text);
                    found.failure.hints = hints;
                    session.take_event(&Event::Found(Box::new(found)));
                }
            }
        }
        Ok((found, rejected))
    }

    /// Returns the part of `finding.json` that the command line determines.
    pub(super) fn build_finding_record(
        &self,
        args: &InputArgs,
        reference: &Path,
        submission: Option<&Path>,
        session: &Session,
    ) -> FindingRecord {
        let options = session.builder.complete_options(&package_source_options(self.package.as_ref()));
        let absolute = |p: &Path| std::path::absolute(p).unwrap_or_else(|_| p.to_owned());
        let format = self.format.as_ref();
        FindingRecord {
            submission: submission.map(absolute).unwrap_or_default(),
            reference: Some(absolute(reference)),
            validators: format
                .iter()
                .flat_map(|f| f.validators.iter().map(|v| v.command.clone()))
                .chain(args.validator.clone())
                .collect(),
            folder: absolute(&self.folder),
            standards: options.standards.iter().map(|standard| standard.name().to_owned()).collect(),
            includes: options.includes.iter().map(|folder| absolute(folder)).collect(),
            files: session.file_names.clone(),
            format: format.map(|f| String::from_utf8_lossy(&f.source.text).into_owned()),
            ..FindingRecord::default()
        }
    }
}

fn no_reference_error() -> Error {
    Error::usage_error(NO_REFERENCE)
        .with_help("name one with `--reference brute.cpp`, or put it beside the submission as `brute.cpp`")
}

/// Returns the fastest accepted submission of a package that can be run here, measured on its largest test case. Only
/// languages that are usually fast are measured. Returns `None` if the package's own order already decides.
///
/// # Errors
/// Returns an error if a submission cannot be run at all, or if the user interrupted.
pub(super) fn fastest_reference(package: &Package, session: &mut Session) -> Result<Option<PathBuf>> {
    /// Maximum number of submissions that are measured.
    const MAX_MEASURED: usize = 4;
    let paths = package.reference_candidates();
    let Some(best) = paths.first().map(|path| rebut_packages::reference_rank(path)) else { return Ok(None) };
    let alike = paths.into_iter().filter(|path| rebut_packages::reference_rank(path) == best).take(MAX_MEASURED);
    let alike: Vec<PathBuf> = alike.collect();
    let largest = package.test_cases.iter().max_by_key(|case| case.input_bytes());
    let (Some(case), true) = (largest, alike.len() > 1 && !package.problem_type.has_jury_dialogue()) else {
        return Ok(None);
    };
    let input = rebut_packages::read_file(&case.input)?;
    let arguments: Vec<std::ffi::OsString> = case.arguments.iter().map(Into::into).collect();
    let files = read_run_files(case.files.as_deref())?;
    let names: Vec<String> = alike.iter().map(|path| display_file_name(path)).collect();
    session.announce_activity("Timing", format!("{}: the fastest is the reference", list_and(&names)));
    super::compile_programs::precompile_sources(&alike, &[], None, Some(package), session);
    let (_, limits) = choose_limits(&JudgeArgs::default(), Some(package));
    let mut measured: Vec<(PathBuf, u64)> = Vec::new();
    for path in alike {
        // Compile errors are reported later, when this program is needed.
        let Ok((program, _)) = compile_quietly(Some(package), &path, session) else { continue };
        let job = RunJob { input: &input, args: &arguments, limits: &limits, files: files.as_ref() };
        let outcome = program.run_job(&job, &session.cancel)?;
        if outcome.limit.is_none() {
            measured.push((path, outcome.cpu_time_us));
        }
    }
    Ok(choose_clearly_fastest(measured))
}

/// Returns the fastest program if it is clearly faster than the first one, and the first one otherwise.
fn choose_clearly_fastest(measured: Vec<(PathBuf, u64)>) -> Option<PathBuf> {
    /// Minimum difference that counts, in microseconds of processor time.
    const MIN_DIFFERENCE_US: u64 = 50_000;
    let (first, of_first) = measured.first().cloned()?;
    let fastest = measured.into_iter().min_by_key(|(_, time)| *time)?;
    let is_clear = fastest.1 + MIN_DIFFERENCE_US < of_first && fastest.1 < of_first / 3 * 2;
    Some(if is_clear { fastest.0 } else { first })
}

/// Returns the limits for submissions and for judge programs.
pub(super) fn choose_limits(judging: &JudgeArgs, package: Option<&Package>) -> (RunLimits, RunLimits) {
    const MIN_JUDGE_TIME_MS: u64 = 10_000;
    let millis = |d: std::time::Duration| to_millis(d).max(1);
    let stated = judging.time_limit.map(millis).or(package.and_then(|p| p.limits.cpu_time_ms));
    let mut limits = stated.map_or_else(RunLimits::default, RunLimits::with_cpu_time_ms);
    let memory = judging.memory_limit.map(|m| m << 20).or(package.and_then(|p| p.limits.memory_bytes));
    limits.memory_limit_bytes = memory.unwrap_or(limits.memory_limit_bytes);
    limits.output_limit_bytes = package.and_then(|p| p.limits.output_bytes).unwrap_or(limits.output_limit_bytes);
    let judge_ms = judging.reference_time.map_or(MIN_JUDGE_TIME_MS.max(limits.cpu_time_limit_ms * 5), millis);
    let judge_limits = RunLimits {
        memory_limit_bytes: limits.memory_limit_bytes.max(2 << 30),
        output_limit_bytes: limits.output_limit_bytes,
        ..RunLimits::with_cpu_time_ms(judge_ms)
    };
    (limits, judge_limits)
}

/// Adds to a finding where the memory limit that it exceeds is from.
pub(super) fn name_memory_limit(
    found: &mut Finding,
    stated: Option<u64>,
    origin: Option<&str>,
    package: Option<&Package>,
) {
    if found.failure.verdict == Verdict::MemoryLimit {
        let of_package = package.is_some_and(|package| package.limits.memory_bytes.is_some());
        found.failure.message += ", ";
        found.failure.message += match (origin.filter(|_| stated.is_some()), stated) {
            (Some(origin), _) => origin,
            (None, Some(_)) => "from `--memory-limit`",
            (None, None) if of_package => "from `problem.yaml`",
            (None, None) => "the default",
        };
    }
}

/// Returns the judge: the one given on the command line, or the package's, or token comparison.
fn choose_judge(judging: &JudgeArgs, package: Option<&Package>, session: &mut Session) -> Result<Judge> {
    if let Some(path) = &judging.interactor {
        let (name, options) = (path.display().to_string(), package_source_options(package));
        return judges::judge_from_program(&name, &options, JudgeMode::Interactor, session);
    }
    match (&judging.checker, package) {
        (Some(name), _) => judges::judge_by_name(name, &package_source_options(package), session),
        (None, Some(package)) => {
            PackageJudge::compile_for_package(package, session)?.with_arguments(&package.output_validator.arguments)
        }
        (None, None) => Ok(Judge::Checker(Checker::default())),
    }
}

/// Compiles a validator of a package and returns it with its build identity. Returns `None`, after a warning, if it
/// cannot be run here.
pub(super) fn compile_validator(
    package: &Package,
    path: &Path,
    session: &mut Session,
) -> Result<Option<(Program, Option<String>)>> {
    match compile_with_identity(&package_source_options(Some(package)), path, ProgramRole::Validator, session) {
        Ok(compiled) => Ok(Some(compiled)),
        Err(error) if warn_if_unsupported(&path.display().to_string(), &error, session) => Ok(None),
        Err(error) => Err(to_judge_error(error, &path.display().to_string())),
    }
}

/// Converts the package's checktestdata script to a format, if it has exactly one and the conversion is lossless.
fn format_from_script(package: &Package) -> Result<Option<SourceText>> {
    let mut scripts = package.input_validators.iter().filter(|path| is_checktestdata_script(path));
    let (Some(path), None) = (scripts.next(), scripts.next()) else { return Ok(None) };
    let text = convert_script_exactly(path)?;
    Ok(text.map(|text| SourceText::new(format!("{} as a format", path.display()), text)))
}

/// Resolves the names of submissions to paths.
pub(super) fn find_submissions(
    paths: &[PathBuf],
    package: Option<&Package>,
    session: &Session,
) -> Result<Vec<PathBuf>> {
    paths.iter().map(|path| find_submission_path(path, package, session)).collect()
}

/// Returns the file name, or the path if another submission has the same file name.
fn unique_name(source: &Path, others: &[CompiledSubmission]) -> String {
    let name = display_file_name(source);
    if others.iter().any(|o| o.name == name) { source.display().to_string() } else { name }
}

/// Returns the options for findings.
pub(super) fn finding_options(args: &FindingArgs, shrink_unvalidated: bool) -> FindingOptions {
    FindingOptions {
        shrink_unvalidated,
        shrink_budget: Some(args.shrink_time()),
        certify_budget: args.certify,
        end: None,
        keep_kind: !args.any_failure,
        findings: (!args.no_save).then(|| args.findings.clone()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    fn fastest(times: &[u64]) -> Option<String> {
        let measured = times.iter().zip(["a", "b", "c"]).map(|(time, name)| (PathBuf::from(name), *time));
        choose_clearly_fastest(measured.collect()).map(|path| path.display().to_string())
    }

    #[test]
    fn first_program_stays_unless_another_is_clearly_faster() {
        assert_eq!(fastest(&[]), None);
        assert_eq!(fastest(&[900_000, 590_000, 500_000]).as_deref(), Some("c"));
        assert_eq!(fastest(&[900_000, 610_000]).as_deref(), Some("a"), "less than a third faster");
        assert_eq!(fastest(&[60_000, 11_000]).as_deref(), Some("a"), "less than 50 ms faster");
    }

    #[test]
    fn judge_programs_get_more_time_and_memory_than_submissions() {
        let stated = |time_ms: u64| JudgeArgs {
            time_limit: Some(std::time::Duration::from_millis(time_ms)),
            memory_limit: Some(64),
            ..JudgeArgs::default()
        };
        let (limits, judge_limits) = choose_limits(&stated(1_000), None);
        assert_eq!((limits.cpu_time_limit_ms, limits.memory_limit_bytes), (1_000, 64 << 20));
        assert_eq!((judge_limits.cpu_time_limit_ms, judge_limits.memory_limit_bytes), (10_000, 2 << 30));
        assert_eq!(choose_limits(&stated(3_000), None).1.cpu_time_limit_ms, 15_000);
    }
}
