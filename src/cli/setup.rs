//! From what the command line says to what a command works with: the format, the package, who judges, where inputs come from.

use super::args::{EngineArg, FindingArgs, FormatArgs, InputArgs, JudgeArgs, Narrowing};
use super::desk::Desk;
use super::discover::find_references;
use super::jury::{self, Jury};
use super::programs::{
    command, compile_all, compile_for, compile_quietly, file_name, is_script, jury_failure, leave_out, made_with,
    missing_header_help, source_options,
};
use crate::campaign::{
    Aims, Bench, Convention, Engine, Event, Found, Inputs, Origin, Referee, Role, SanitizerNote, Sink, Submission,
    Validator, sample_words,
};
use crate::corpus::{self, Package, Record, TestCase, TestSet};
use crate::ctd;
use crate::diagnostic::{Error, Result, Source, list_and};
use crate::format::Format;
use crate::generate::{Plan, Settings};
use crate::run::{self, Builder, Cancel, CompileError, Examination, Limits, Program, SourceOptions};
use rebut_checkers::Checker;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// What messages call a format that is part of the command line.
const TYPED: &str = "--input";

/// The package of a folder, with its constants where its programs name them.
pub(super) fn package(folder: &Path, desk: &Desk) -> Result<Package> {
    package_without(folder, &|_| false, desk)
}

/// The same as if some files were not there.
fn package_without(folder: &Path, is_left_out: &dyn Fn(&str) -> bool, desk: &Desk) -> Result<Package> {
    Package::load_without(folder, is_left_out)?.filled(&desk.builder.cache_folder().join("filled"))
}

/// The program that a user means by the name of a submission, with what the package adds to those in its language.
pub(super) fn submission(name: &Path, package: Option<&Package>, desk: &Desk) -> Result<PathBuf> {
    let path = corpus::find_submission(name, package)?;
    match package.filter(|package| package.submissions.iter().all(|own| own.path != path)) {
        Some(package) => package.handed_in(&path, &desk.builder.cache_folder().join("filled")),
        None => Ok(path),
    }
}

/// What a problem is made of, before anything is compiled.
pub(super) struct Problem {
    pub(super) package: Option<Package>,
    pub(super) format: Option<Format>,
    /// The folder to which the format's validators are relative.
    pub(super) folder: PathBuf,
}

impl Problem {
    /// Reads the package and the format; diagnostics are shown.
    pub(super) fn load(inputs: &InputArgs, beside: Option<&Path>, desk: &mut Desk) -> Result<Problem> {
        let package = inputs.problem.as_deref().map(|folder| package(folder, desk)).transpose()?;
        Problem::with_package(package, inputs, beside, desk)
    }

    /// Reads a package whose test set is about to be built: what an earlier build wrote about groups is not read.
    pub(super) fn to_be_built(inputs: &InputArgs, folder: &Path, set: &TestSet, desk: &mut Desk) -> Result<Problem> {
        let is_group_file = |path: &str| path.ends_with(".yaml");
        let is_left_out =
            |path: &str| is_group_file(path) && path.strip_prefix("data/").is_some_and(|path| set.is_as_built(path));
        let package = package_without(folder, &is_left_out, desk)?;
        Problem::with_package(Some(package), inputs, None, desk)
    }

    fn with_package(
        package: Option<Package>,
        inputs: &InputArgs,
        beside: Option<&Path>,
        desk: &mut Desk,
    ) -> Result<Problem> {
        let mut folder = PathBuf::from(".");
        let mut path = inputs.format.clone();
        if path.is_none() && inputs.input.is_none() && inputs.generator.is_none() {
            path = package.as_ref().and_then(|p| p.format.clone());
            path = path.or_else(|| Some(beside?.parent()?.join("input.format")).filter(|p| p.is_file()));
        }
        let source = match (&path, &inputs.input) {
            (Some(path), _) => {
                folder = path.parent().map(Path::to_owned).unwrap_or_default();
                Some(Source::new(path.display().to_string(), corpus::read_description(path)?))
            }
            (None, Some(text)) => Some(Source::new(TYPED, text.as_bytes())),
            (None, None) if inputs.generator.is_none() => package.as_ref().map(from_script).transpose()?.flatten(),
            (None, None) => None,
        };
        let format = source.map(|source| read_format(source, &inputs.narrowing, desk)).transpose()?;
        if format.is_none() && !inputs.narrowing.is_empty() {
            return Err(Error::usage("`--where`, `--let` and `--subtask` constrain a format, and there is none"));
        }
        if let Some(format) = &format {
            desk.know_format(format);
        }
        Ok(Problem { package, format, folder })
    }

    /// The format that something is to be done with.
    ///
    /// # Errors
    /// There is none.
    pub(super) fn format_to(&self, to: &str) -> Result<&Format> {
        self.format.as_ref().ok_or_else(|| Error::usage(format!("the problem has no `input.format` to {to}")))
    }

    /// The problem of a package's folder.
    pub(super) fn of_package(folder: &Path, desk: &mut Desk) -> Result<Problem> {
        Problem::load(&target(folder), None, desk)
    }

    /// Its package.
    ///
    /// # Errors
    /// There is none.
    pub(super) fn package(&self) -> Result<&Package> {
        self.package.as_ref().ok_or_else(|| {
            Error::usage(format!("`{}` is no problem package", self.folder.display()))
                .with_help("a package is a folder with `problem.yaml`, `data/` and `submissions/`")
        })
    }
}

impl FormatArgs {
    /// The same as of a command to which inputs can be given in all ways.
    pub(super) fn given(&self) -> InputArgs {
        let from = self.target.as_deref().map(target).unwrap_or_default();
        InputArgs { input: self.input.clone(), narrowing: self.narrowing.clone(), ..from }
    }
}

/// The inputs of a problem's folder, or of a format's file.
pub(super) fn target(path: &Path) -> InputArgs {
    if path.is_dir() {
        return InputArgs { problem: Some(path.to_owned()), ..InputArgs::default() };
    }
    InputArgs { format: Some(path.to_owned()), ..InputArgs::default() }
}

impl Narrowing {
    fn is_empty(&self) -> bool {
        self.constraints.is_empty() && self.lets.is_empty() && self.subtask.is_none()
    }

    /// As lines of the where part: so messages can show them, and findings keep them.
    fn lines(&self) -> Vec<String> {
        let lets = self.lets.iter().map(|given| format!("let {given}"));
        let subtask = self.subtask.iter().map(|name| format!("subtask {name}"));
        self.constraints.iter().cloned().chain(lets).chain(subtask).collect()
    }
}

/// Reads a format with further constraints; its problems are shown, and errors end the command.
pub(super) fn read_format(mut source: Source, narrowing: &Narrowing, desk: &mut Desk) -> Result<Format> {
    let own = source.text.len();
    for line in narrowing.lines() {
        source.text.extend_from_slice(b"\nwhere:\n    ");
        source.text.extend_from_slice(line.as_bytes());
    }
    match Format::parse(&source) {
        Ok((mut format, warnings)) => {
            format.stop = desk.cancel.stop_token();
            if !warnings.is_empty() {
                desk.show(&warnings, &source);
            }
            // What the command line names and nothing uses is misspelt.
            if warnings.iter().any(|w| w.code == "unused" && w.span.start >= own) {
                return Err(Error::usage(""));
            }
            Ok(format)
        }
        Err(problems) => {
            let text = String::from_utf8_lossy(&source.text[..own]).into_owned();
            if source.name == TYPED && Path::new(&text).is_file() {
                return Err(Error::usage(format!("`{text}` is a file, and `--input` takes the format itself"))
                    .with_help(format!(
                        "name the file with `--format {text}`, or without an option where one format is all"
                    )));
            }
            desk.show(&problems, &source);
            // The diagnostics have said it all.
            Err(Error::usage(""))
        }
    }
}

/// The reference: the one named; else the package's; else a `brute.*` or `reference.*` beside the submission.
pub(super) fn reference(
    judging: &JudgeArgs,
    problem: &Problem,
    beside: Option<&Path>,
    desk: &mut Desk,
) -> Result<(Program, PathBuf)> {
    let mut missing = None;
    for path in references(judging, problem, beside, desk)? {
        let error = match compile_for(problem.package.as_ref(), &path, Role::Reference, desk) {
            Ok(program) => return Ok((program, path)),
            Err(error) => error,
        };
        if judging.reference.is_none() && leave_out(&file_name(&path), &error, desk) {
            continue;
        }
        match error {
            CompileError::Failed(error) if error.kind() == crate::diagnostic::ErrorKind::Operating => {
                missing.get_or_insert(error);
            }
            error => return Err(jury_failure(error, &path.display().to_string())),
        }
    }
    Err(missing.unwrap_or_else(no_reference))
}

/// Fails if there is nothing that answers could be taken from: to be asked before anything is compiled.
///
/// # Errors
/// Returns an error if there is no reference and no interactor.
pub(super) fn require_reference(
    judging: &JudgeArgs,
    problem: &Problem,
    beside: Option<&Path>,
    desk: &Desk,
) -> Result<()> {
    let is_missing = judging.interactor.is_none() && references(judging, problem, beside, desk)?.is_empty();
    if is_missing { Err(no_reference()) } else { Ok(()) }
}

fn no_reference() -> Error {
    Error::usage("there is no reference to take answers from")
        .with_help("name one with `--reference brute.cpp`, or put it beside the submission as `brute.cpp`")
}

/// Returns the fastest of the accepted submissions of a package that can be run here, as measured on its largest test case.
/// What is fast in its language by custom is tried alone; None if the package's order says all.
///
/// # Errors
/// Returns an error if a submission cannot be run at all, or the work was interrupted.
pub(super) fn fastest_reference(package: &Package, desk: &mut Desk) -> Result<Option<PathBuf>> {
    /// Number of submissions that are measured.
    const MEASURED: usize = 4;
    let paths = package.references();
    let Some(best) = paths.first().map(|path| corpus::reference_rank(path)) else { return Ok(None) };
    let alike = paths.into_iter().filter(|path| corpus::reference_rank(path) == best).take(MEASURED);
    let alike: Vec<PathBuf> = alike.collect();
    let bytes = |case: &&TestCase| std::fs::metadata(&case.input).map_or(0, |file| file.len());
    let largest = package.test_cases.iter().max_by_key(bytes);
    let (Some(case), true) = (largest, alike.len() > 1 && !package.judging.is_conversation()) else { return Ok(None) };
    let input = corpus::read_file(&case.input)?;
    let arguments: Vec<std::ffi::OsString> = case.arguments.iter().map(Into::into).collect();
    let names: Vec<String> = alike.iter().map(|path| file_name(path)).collect();
    desk.announce("Timing", format!("{}: the fastest is the reference", list_and(&names)));
    super::programs::prepare(&alike, &[], None, Some(package), desk);
    let (_, limits) = limits(&JudgeArgs::default(), Some(package));
    let mut measured: Vec<(PathBuf, u64)> = Vec::new();
    for path in alike {
        // What does not compile is told where it is asked for, and what does, too.
        let Ok((program, _)) = compile_quietly(Some(package), &path, desk) else { continue };
        let outcome = program.run(&input, &arguments, &limits, &desk.cancel)?;
        if outcome.limit.is_none() {
            measured.push((path, outcome.cpu_time_us));
        }
    }
    Ok(clearly_fastest(measured))
}

/// Returns the program that is faster than the first by more than chance, or else the first.
fn clearly_fastest(measured: Vec<(PathBuf, u64)>) -> Option<PathBuf> {
    /// Least difference that counts, in microseconds of processor time.
    const DIFFERENCE_US: u64 = 50_000;
    let (first, of_first) = measured.first().cloned()?;
    let fastest = measured.into_iter().min_by_key(|(_, time)| *time)?;
    let is_clear = fastest.1 + DIFFERENCE_US < of_first && fastest.1 < of_first / 3 * 2;
    Some(if is_clear { fastest.0 } else { first })
}

/// What may be the reference, the likeliest first.
pub(super) fn references(
    judging: &JudgeArgs,
    problem: &Problem,
    beside: Option<&Path>,
    desk: &Desk,
) -> Result<Vec<PathBuf>> {
    if judging.interactor.is_some() {
        return Ok(Vec::new());
    }
    Ok(match (&judging.reference, &problem.package) {
        (Some(path), package) => vec![submission(path, package.as_ref(), desk)?],
        (None, Some(package)) => package.references(),
        (None, None) => beside.map(find_references).unwrap_or_default(),
    })
}

/// Limits on submissions, and on the jury's programs.
pub(super) fn limits(judging: &JudgeArgs, package: Option<&Package>) -> (Limits, Limits) {
    const LEAST_JURY_MS: u64 = 10_000;
    let millis = |d: std::time::Duration| u64::try_from(d.as_millis()).unwrap_or(u64::MAX).max(1);
    let stated = judging.time_limit.map(millis).or(package.and_then(|p| p.limits.cpu_time_ms));
    let mut limits = stated.map_or_else(Limits::default, Limits::with_cpu_time_ms);
    let memory = judging.memory_limit.map(|m| m << 20).or(package.and_then(|p| p.limits.memory_bytes));
    limits.memory_limit_bytes = memory.unwrap_or(limits.memory_limit_bytes);
    limits.output_limit_bytes = package.and_then(|p| p.limits.output_bytes).unwrap_or(limits.output_limit_bytes);
    let jury_ms = judging.reference_time.map_or(LEAST_JURY_MS.max(limits.cpu_time_limit_ms * 5), millis);
    let jury = Limits {
        memory_limit_bytes: limits.memory_limit_bytes.max(2 << 30),
        output_limit_bytes: limits.output_limit_bytes,
        ..Limits::with_cpu_time_ms(jury_ms)
    };
    (limits, jury)
}

/// Who judges outputs: the one that is named, else the package's, else tokens.
fn referee(judging: &JudgeArgs, package: Option<&Package>, desk: &mut Desk) -> Result<Referee> {
    if let Some(path) = &judging.interactor {
        return jury::interactor(path, &source_options(package), desk);
    }
    match (&judging.checker, package) {
        (Some(name), _) => jury::named(name, &source_options(package), desk),
        (None, Some(package)) => Jury::of(package, desk)?.referee(&package.output_validator.arguments),
        (None, None) => Ok(Referee::Checker(Checker::default())),
    }
}

/// The jury's side of a comparison, and where the reference's source is.
pub(super) fn bench(
    judging: &JudgeArgs,
    problem: &Problem,
    beside: Option<&Path>,
    desk: &mut Desk,
) -> Result<(Bench, PathBuf)> {
    let referee = referee(judging, problem.package.as_ref(), desk)?;
    let (reference, source) = match &judging.interactor {
        // It knows what is right: there is no answer that a reference could print.
        Some(path) => (referee.program().cloned().ok_or_else(no_reference)?, path.clone()),
        None => reference(judging, problem, beside, desk)?,
    };
    let (limits, jury_limits) = limits(judging, problem.package.as_ref());
    let engine = match judging.engine {
        EngineArg::Auto => Engine::Quick,
        EngineArg::Exec => Engine::Exec,
    };
    Ok((Bench { engine, reference, referee, limits, jury_limits, cancel: desk.cancel.clone() }, source))
}

/// The validators of the format, of the command line, and of a package without a format.
pub(super) fn validators(inputs: &InputArgs, problem: &Problem, desk: &mut Desk) -> Result<Vec<Validator>> {
    let mut found = Vec::new();
    for validator in problem.format.iter().flat_map(|f| &f.validators) {
        let program = external(&validator.command, Role::Validator, problem, desk)?;
        found.push(Validator { program, convention: Convention::Plain, identity: None });
    }
    for text in &inputs.validator {
        let program = command(text, Role::Validator, desk)?;
        found.push(Validator { program, convention: Convention::Plain, identity: None });
    }
    if problem.format.is_none() {
        found.extend(package_validators(problem, &|_| true, desk)?.into_iter().map(|(_, validator)| validator));
    }
    Ok(found)
}

/// The same with those of a package that has a format, too: to be tested, not to be obeyed.
pub(super) fn all_validators(inputs: &InputArgs, problem: &Problem, desk: &mut Desk) -> Result<Vec<Validator>> {
    let mut found = validators(inputs, problem, desk)?;
    if problem.format.is_some() {
        found.extend(package_validators(problem, &|_| true, desk)?.into_iter().map(|(_, validator)| validator));
    }
    Ok(found)
}

/// Those of the package's validators that are wanted, with their paths. A checktestdata script is none of them: it is read as
/// a format. What cannot be run here is left out with a warning.
pub(super) fn package_validators(
    problem: &Problem,
    is_wanted: &dyn Fn(&Path) -> bool,
    desk: &mut Desk,
) -> Result<Vec<(PathBuf, Validator)>> {
    let mut found = Vec::new();
    if let Some(package) = &problem.package {
        for path in package.input_validators.iter().filter(|path| !is_script(path) && is_wanted(path)) {
            if let Some((program, identity)) = validator(package, path, desk)? {
                found.push((path.clone(), Validator { program, convention: Convention::Plain, identity }));
            }
        }
    }
    Ok(found)
}

/// Returns a validator of a package with its identity; None, after a warning, if it cannot be run here.
pub(super) fn validator(package: &Package, path: &Path, desk: &mut Desk) -> Result<Option<(Program, Option<String>)>> {
    match made_with(&source_options(Some(package)), path, Role::Validator, desk) {
        Ok(made) => Ok(Some(made)),
        Err(error) if leave_out(&path.display().to_string(), &error, desk) => Ok(None),
        Err(error) => Err(jury_failure(error, &path.display().to_string())),
    }
}

/// The only checktestdata script of a package, as a format, if it can be said without loss.
fn from_script(package: &Package) -> Result<Option<Source>> {
    let mut scripts = package.input_validators.iter().filter(|path| is_script(path));
    let (Some(path), None) = (scripts.next(), scripts.next()) else { return Ok(None) };
    let script = Source::new(path.display().to_string(), corpus::read_description(path)?);
    let converted = ctd::convert(&script).ok().filter(|found| found.exact);
    Ok(converted.map(|found| Source::new(format!("{} as a format", path.display()), found.text.into_bytes())))
}

/// A program that a format names: a source or a command, relative to the format's folder.
fn external(text: &str, role: Role, problem: &Problem, desk: &mut Desk) -> Result<Program> {
    let (head, arguments) = text.split_once(' ').unwrap_or((text, ""));
    let source = problem.folder.join(head);
    if source.is_file() && arguments.is_empty() {
        return compile_for(problem.package.as_ref(), &source, role, desk).map_err(|e| jury_failure(e, text));
    }
    if !source.is_file() {
        return command(text, role, desk);
    }
    command(&format!("'{}' {arguments}", source.display()), role, desk)
}

/// Where inputs come from.
pub(super) fn inputs<'f>(
    args: &InputArgs,
    problem: &'f Problem,
    settings: Settings,
    jury: &Limits,
    desk: &mut Desk,
) -> Result<Inputs<'f>> {
    let validators = validators(args, problem, desk)?;
    let origin = match (&args.generator, &problem.format) {
        (Some(text), _) => Origin::Generator(command(text, Role::Generator, desk)?),
        (None, Some(format)) => Origin::Format { plan: Plan::new(format), settings },
        (None, None) => {
            return Err(Error::usage("nothing says what an input looks like").with_help(
                "describe it with `--input 'n; a[n] where 1<=n<=8; -9<=a<=9'`, in a file with `--format`, or give a \
                 program that makes inputs with `--generator`",
            ));
        }
    };
    let mut inputs = Inputs::new(origin, validators, jury.clone(), desk.cancel.clone());
    if args.generator.is_none() {
        for generator in problem.format.iter().flat_map(|f| &f.generators) {
            inputs.generators.push(external(&generator.command, Role::Generator, problem, desk)?);
        }
    }
    Ok(inputs)
}

/// The words in the samples of a package; a sample that cannot be read has none.
pub(super) fn words_of_samples(package: &Package) -> Vec<Vec<u8>> {
    let samples = package.test_cases.iter().filter(|case| case.is_sample);
    let inputs = samples.filter_map(|case| corpus::read_file(&case.input).ok());
    inputs.flat_map(|input| sample_words(&input)).collect()
}

/// Where submissions are that were named.
pub(super) fn found_submissions(paths: &[PathBuf], package: Option<&Package>, desk: &Desk) -> Result<Vec<PathBuf>> {
    paths.iter().map(|path| submission(path, package, desk)).collect()
}

/// The submissions that compile; the others are reported with the compiler's words. What cannot be run here is left out, unless
/// the user named it.
pub(super) fn submissions(
    paths: Vec<PathBuf>,
    are_named: bool,
    problem: &Problem,
    desk: &mut Desk,
) -> Result<(Vec<Submission>, usize)> {
    let named: Vec<(PathBuf, String)> = paths.into_iter().map(|path| (path.clone(), file_name(&path))).collect();
    let compiled = compile_all(problem.package.as_ref(), &named, Role::Submission, desk);
    let mut found = Vec::new();
    let mut rejected = 0;
    for (compiled, (source, name)) in compiled.into_iter().zip(named) {
        match compiled {
            Ok((program, _)) => found.push(Submission { name: unique_name(&source, &found), source, program }),
            Err(error) if !are_named && leave_out(&name, &error, desk) => {}
            Err(CompileError::Failed(error)) => return Err(error),
            Err(CompileError::Rejected { command, text }) => {
                rejected += 1;
                let hints = missing_header_help(&text).into_iter().collect();
                let found = Found { hints, ..Found::compile_error(&name, &command, &text) };
                desk.take(&Event::Found(Box::new(found)));
            }
        }
    }
    Ok((found, rejected))
}

/// The file's name; its path, where another submission has the same name.
fn unique_name(source: &Path, others: &[Submission]) -> String {
    let name = file_name(source);
    if others.iter().any(|o| o.name == name) { source.display().to_string() } else { name }
}

/// What makes findings, with everything it needs of the command line.
pub(super) struct Workshop {
    pub(super) builder: Arc<Builder>,
    /// How the package wants its sources to be compiled.
    pub(super) options: SourceOptions,
    pub(super) cancel: Cancel,
}

impl Workshop {
    /// Returns one for a package's sources, or for others.
    pub(super) fn new(package: Option<&Package>, desk: &Desk) -> Workshop {
        let options = source_options(package);
        Workshop { builder: desk.builder.clone(), options, cancel: desk.cancel.clone() }
    }

    /// One more run of a crash with sanitizers, for C and C++; whatever stands in its way only costs the note.
    pub(super) fn sanitize(&self, source: &Path, input: &[u8]) -> Option<SanitizerNote> {
        let Ok(Examination::Fault(report)) = run::examine(&self.builder, source, &self.options, input, &self.cancel)
        else {
            return None;
        };
        Some(SanitizerNote {
            kind: report.kind,
            message: report.message,
            place: report.line.map(|line| (report.file, line)),
            function: report.function,
            source_line: report.source_line,
        })
    }
}

/// The part of `finding.json` that the command line decides.
pub(super) fn record(
    args: &InputArgs,
    problem: &Problem,
    reference: &Path,
    submission: Option<&Path>,
    desk: &Desk,
) -> Record {
    let options = desk.builder.complete_options(&source_options(problem.package.as_ref()));
    let absolute = |p: &Path| std::path::absolute(p).unwrap_or_else(|_| p.to_owned());
    let format = problem.format.as_ref();
    Record {
        submission: submission.map(absolute).unwrap_or_default(),
        reference: Some(absolute(reference)),
        validators: format
            .iter()
            .flat_map(|f| f.validators.iter().map(|v| v.command.clone()))
            .chain(args.validator.clone())
            .collect(),
        folder: absolute(&problem.folder),
        standards: options.standards.iter().map(|standard| standard.name().to_owned()).collect(),
        includes: options.includes.iter().map(|folder| absolute(folder)).collect(),
        format: format.map(|f| String::from_utf8_lossy(&f.source.text).into_owned()),
        ..Record::default()
    }
}

/// What the command line says of findings.
pub(super) fn aims(args: &FindingArgs, shrinks_blindly: bool) -> Aims {
    Aims {
        shrinks_blindly,
        shrink_budget: Some(args.shrink_time),
        certify_budget: args.certify,
        keep_kind: !args.any_failure,
        findings: (!args.no_save).then(|| args.findings.clone()),
    }
}
