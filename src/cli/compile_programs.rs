//! Compiles sources and commands into programs, and emits the events that report them.

use super::session::Session;
use rebut_diagnostics::{Error, ErrorKind, Result, SourceText};
use rebut_engine::event::{Event, EventSink, Finding, ProgramCompiled as CompiledEvent, ProgramRole, WarningEvent};
use rebut_format::invalid;
use rebut_format::language::Format;
use rebut_generators::HELPER_FILES;
use rebut_import::checktestdata;
use rebut_mutants::SourceLanguage;
use rebut_packages::{Package, digest_parts, list_files_below, read_file, write_atomically, write_file};
use rebut_sandbox::Program;
use rebut_toolchain::{BuildVariant, CompileError, CompiledProgram, CountedProgram, Language, SourceOptions};
use std::path::{Path, PathBuf};

/// A compiled program with its build identity, or a compile error.
pub(super) type CompileOutcome = std::result::Result<(Program, Option<String>), CompileError>;

/// Compiles a source or an executable with the options of a package, and reports it as an event.
pub(super) fn compile_for(
    package: Option<&Package>,
    path: &Path,
    role: ProgramRole,
    session: &mut Session,
) -> std::result::Result<Program, CompileError> {
    let options = with_modules(package_source_options(package), role, session)?;
    compile_with_identity(&options, path, role, session).map(|(program, _)| program)
}

/// Compiles a submission with counters. Returns `None`, after a finding, if the compiler rejects it.
pub(super) fn compile_counted(
    path: &Path,
    name: &str,
    package: Option<&Package>,
    session: &mut Session,
) -> Result<Option<CountedProgram>> {
    session.begin_activity("Compiling", name.to_owned());
    let options = package_source_options(package);
    match CountedProgram::compile(&session.builder, path, &options, &session.cancel) {
        Ok(program) => Ok(Some(program)),
        Err(CompileError::Failed(error)) => Err(error),
        Err(CompileError::Rejected { command, text }) => {
            session.take_event(&Event::Found(Box::new(Finding::compile_error(name, &command, &text))));
            Ok(None)
        }
    }
}

/// Compiles without an event. Also returns the build identity.
pub(super) fn compile_quietly(package: Option<&Package>, path: &Path, session: &Session) -> CompileOutcome {
    session.begin_activity("Compiling", display_file_name(path));
    let compiled = session.builder.compile_with_options(
        path,
        &package_source_options(package),
        BuildVariant::Judged,
        &session.cancel,
    )?;
    Ok((compiled.program, compiled.build_identity))
}

/// Compiles with an event. Also returns the build identity.
pub(super) fn compile_with_identity(
    options: &SourceOptions,
    path: &Path,
    role: ProgramRole,
    session: &mut Session,
) -> CompileOutcome {
    session.begin_activity("Compiling", display_file_name(path));
    session.locate_source(&display_file_name(path), path);
    let compiled = session.builder.compile_with_options(path, options, BuildVariant::Judged, &session.cancel)?;
    report_compiled(&compiled, &display_file_name(path), role, session);
    Ok(with_file_names(compiled, role, session))
}

/// Returns a program and its identity, with the names of its files if it uses some.
fn with_file_names(compiled: CompiledProgram, role: ProgramRole, session: &Session) -> (Program, Option<String>) {
    let CompiledProgram { program, build_identity, .. } = compiled;
    let uses_files = matches!(role, ProgramRole::Submission | ProgramRole::Reference);
    match session.file_names.as_ref().filter(|_| uses_files) {
        Some([input, output]) => {
            let identity = build_identity.map(|identity| format!("{identity} {input} {output}"));
            (program.with_file_names(input, output), identity)
        }
        None => (program, build_identity),
    }
}

/// Returns the language of a source, if its syntax is known: for mutants and lints.
pub(super) fn mutated_language(path: &Path) -> Option<SourceLanguage> {
    SourceLanguage::from_name(Language::from_path(path)?.name)
}

/// Returns the compile options of a package.
pub(super) fn package_source_options(package: Option<&Package>) -> SourceOptions {
    package.map_or_else(SourceOptions::default, |package| SourceOptions {
        includes: package.include.clone(),
        standards: package.standards.clone(),
        modules: None,
        entry_points: package.entry_points(),
        run_folder: PathBuf::new(),
    })
}

/// Adds the modules through which generators take their choices from rebut.
fn with_modules(options: SourceOptions, role: ProgramRole, session: &Session) -> Result<SourceOptions> {
    let modules = (role == ProgramRole::Generator).then(|| cached_helpers_folder(session)).transpose()?;
    Ok(SourceOptions { modules, ..options })
}

/// Compiles in parallel the sources that are later compiled one at a time: submissions, the reference, the judge and
/// the programs of a package. Errors are ignored here, since they are reported when the program is needed.
pub(super) fn precompile_sources(
    submissions: &[PathBuf],
    references: &[PathBuf],
    judge: Option<PathBuf>,
    package: Option<&Package>,
    session: &mut Session,
) {
    let judge_programs = package.into_iter().flat_map(|package| {
        let validators = package.input_validators.iter().filter(|path| !is_checktestdata_script(path));
        package.output_validator.program.iter().chain(validators)
    });
    let sources = submissions.iter().chain(references.first()).chain(&judge).chain(judge_programs);
    let sources: Vec<&Path> = sources.map(PathBuf::as_path).collect();
    session.begin_activity("Compiling", list_names(sources.iter().map(|path| display_file_name(path))));
    session.builder.precompile_sources(&sources, &package_source_options(package), session.jobs, &session.cancel);
}

/// Compiles a judge-side program given as a command. A compile error is a judge error.
pub(super) fn compile_command(text: &str, role: ProgramRole, session: &mut Session) -> Result<Program> {
    compile_command_of(Path::new(""), text, role, session)
}

/// Same for a command that a file in `folder` states: it is run there, and begins with a file of that folder or a program.
pub(super) fn compile_command_of(
    folder: &Path,
    text: &str,
    role: ProgramRole,
    session: &mut Session,
) -> Result<Program> {
    session.begin_activity("Compiling", text);
    let options = SourceOptions { run_folder: folder.to_owned(), ..SourceOptions::default() };
    let options = with_modules(options, role, session)?;
    let (head, arguments) = text.split_once(' ').unwrap_or((text, ""));
    let own = Some(folder.join(head)).filter(|own| own != Path::new(head) && own.exists());
    let command = own.map_or(text.to_owned(), |own| format!("'{}' {arguments}", own.display()));
    let compiled = session.builder.compile_command_with_options(&command, &options, &session.cancel);
    let compiled = compiled.map_err(|e| to_judge_error(e, text))?;
    report_compiled(&compiled, text, role, session);
    Ok(compiled.program)
}

/// Lists the names of programs on one line.
fn list_names(names: impl ExactSizeIterator<Item = String>) -> String {
    const MAX_LISTED_NAMES: usize = 4;
    let more = names.len().saturating_sub(MAX_LISTED_NAMES);
    let named: Vec<String> = names.take(MAX_LISTED_NAMES).collect();
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    format!("{}{more}", named.join(", "))
}

/// Reports a compiled program as an event.
fn report_compiled(compiled: &CompiledProgram, name: &str, role: ProgramRole, session: &mut Session) {
    session.begin_activity("Preparing", name);
    session.take_event(&Event::Compiled(CompiledEvent {
        name: name.to_owned(),
        role,
        language: compiled.language.map_or("command", |l| l.name).to_owned(),
        command: compiled.command.clone().unwrap_or_default(),
        wall_time_ms: compiled.compile_time_us / 1000,
        cached: compiled.is_from_cache,
    }));
    if let Some(standard) = &compiled.older_standard {
        let message = format!("`{name}` was compiled as {standard}: it does not compile with the default standard");
        let help = format!("select the contest's standard with `--std {}`", standard.replace("gnu", "c"));
        session.warn_with_help(message, &help);
    }
}

/// Warns about a solution of LeetCode: a method that nothing calls.
fn warn_of_lone_method(path: &Path, session: &mut Session) {
    let text = std::fs::read_to_string(path).unwrap_or_default();
    let is_called = ["main(", "__main__", "print", "stdout"].iter().any(|word| text.contains(word));
    let source = path.display();
    if text.contains("class Solution") && !is_called {
        let help = format!(
            "`rebut format from-signature {source} >input.format` makes a format of its parameters, and `rebut format \
             reader input.format --call {source}` prints a program that calls it"
        );
        session.warn_with_help(format!("`{source}` is a method, and nothing calls it"), &help);
    }
}

/// Converts a compile error of a judge-side program: it is a judge error, not a verdict.
pub(super) fn to_judge_error(error: CompileError, name: &str) -> Error {
    match error {
        CompileError::Failed(error) => error,
        CompileError::Rejected { command, text } => {
            let error =
                Error::judge_error(format!("`{name}` does not compile")).with_note(format!("{command}\n{text}"));
            match missing_header_help(&text) {
                Some(help) => error.with_help(help),
                None => error,
            }
        }
    }
}

/// Returns true, after a warning, if a program cannot be run here at all: its compiler is missing, or its language is
/// unknown. The other programs are then run without it.
pub(super) fn warn_if_unsupported(name: &str, error: &CompileError, session: &mut Session) -> bool {
    let CompileError::Failed(error) = error else { return false };
    let is_left_out = error.is_unsupported() || error.kind() == ErrorKind::Usage;
    if is_left_out {
        let message = format!("`{name}` is skipped: {}", error.message());
        session.take_event(&Event::Warning(WarningEvent { message, help: error.help().map(str::to_owned) }));
    }
    is_left_out
}

/// Returns help for a missing header, extracted from the compiler's messages. Returns `None` if that is not what the
/// compiler complained about.
pub(super) fn missing_header_help(text: &str) -> Option<String> {
    const MISSING_HEADER_MARKERS: [&str; 2] = [": No such file or directory", "' file not found"];
    let line = text.lines().find(|line| {
        line.contains("fatal error:") && MISSING_HEADER_MARKERS.iter().any(|words| line.contains(words))
    })?;
    let rest = line.split("fatal error:").nth(1)?.trim_start();
    let header = rest.trim_start_matches('\'').split([':', '\'']).next()?;
    let help = format!(
        "`{header}` is looked for beside the source, in the package's folders, and in those named with `--include DIR`"
    );
    Some(match header.ends_with("testlib.h") {
        true => format!("{help}; it comes from https://github.com/MikeMirzayanov/testlib"),
        false => help,
    })
}

/// Returns the name by which a program is reported: its file name.
pub(super) fn display_file_name(path: &Path) -> String {
    path.file_name().map_or_else(|| path.display().to_string(), |n| n.to_string_lossy().into_owned())
}

/// Returns true if this is a checktestdata script, which is converted and not run.
pub(super) fn is_checktestdata_script(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "ctd")
}

/// Returns an error if the language of a source is unknown, even if the file is executable: it is a text without a `#!`
/// line.
fn unknown_language_error(path: &Path) -> Option<Error> {
    if Language::from_path(path).is_some() || !path.is_file() {
        return None;
    }
    let text = read_file(path).ok().filter(|text| !text.starts_with(b"#!") && !text.contains(&0))?;
    let what = if text.is_empty() { "is empty" } else { "does not begin with `#!`" };
    Some(
        Error::usage_error(format!("cannot tell the language of `{}`, which {what}", path.display()))
            .with_help(format!("name it {}", Language::all_extensions())),
    )
}

/// Compiles sources for a package in parallel, and reports them by the given names in order.
pub(super) fn compile_all(
    package: Option<&Package>,
    sources: &[(PathBuf, String)],
    role: ProgramRole,
    session: &mut Session,
) -> Vec<CompileOutcome> {
    let foreign: Vec<Option<Error>> = sources.iter().map(|(path, _)| unknown_language_error(path)).collect();
    let known = sources.iter().zip(&foreign).filter(|(_, foreign)| foreign.is_none());
    let paths: Vec<&Path> = known.map(|((path, _), _)| path.as_path()).collect();
    session.begin_activity("Compiling", list_names(sources.iter().map(|(_, name)| name.clone())));
    let compiled = session.builder.compile_all(&paths, &package_source_options(package), session.jobs, &session.cancel);
    let mut compiled = compiled.into_iter();
    let outcomes = foreign.into_iter().zip(sources).map(|(foreign, (path, name))| {
        warn_of_lone_method(path, session);
        let own = package.and_then(|package| package.own_source(path));
        session.locate_source(name, own.as_deref().unwrap_or(path));
        let outcome = match foreign {
            Some(error) => Err(error.into()),
            None => compiled.next().unwrap_or_else(|| Err(Error::interrupted().into())),
        };
        let program = outcome?;
        report_compiled(&program, name, role, session);
        Ok(with_file_names(program, role, session))
    });
    outcomes.collect()
}

// Writes the files through which generators take their choices from rebut.

/// Writes all of them into a folder of the user.
pub(super) fn write_helpers(folder: &Path) -> Result<()> {
    HELPER_FILES.iter().try_for_each(|file| write_file(&folder.join(file.name), file.text.as_bytes()))
}

/// Returns a folder of the build cache that contains them. It is named after their contents.
pub(super) fn cached_helpers_folder(session: &Session) -> Result<PathBuf> {
    let digest = digest_parts(&HELPER_FILES.map(|file| file.text));
    let folder = session.builder.cache_folder().join(format!("include-{}", &digest[..16]));
    for file in HELPER_FILES {
        let path = folder.join(file.name);
        if !path.is_file() {
            write_atomically(&path, file.text.as_bytes())?;
        }
    }
    // Programs do not run in the folder of rebut.
    Ok(std::path::absolute(&folder).unwrap_or(folder))
}

// Checktestdata scripts of a package, read as formats: those among the input validators judge inputs like any other
// validator.

/// The checktestdata scripts of a package.
pub(super) struct ChecktestdataValidators {
    /// File names and formats of the scripts that a format expresses exactly.
    pub(super) formats: Vec<(String, Format)>,
    /// Whether there are others: what they would refuse is not known.
    pub(super) has_unsupported: bool,
}

impl ChecktestdataValidators {
    /// Reads the scripts among the input validators. A script that no format expresses exactly is skipped with a warning.
    ///
    /// # Errors
    /// Returns an error if a file cannot be read.
    pub(super) fn read(package: &Package, session: &mut Session) -> Result<ChecktestdataValidators> {
        let mut scripts = ChecktestdataValidators { formats: Vec::new(), has_unsupported: false };
        for path in package.input_validators.iter().filter(|path| is_checktestdata_script(path)) {
            if let Some(format) = read_script_format(path, session)? {
                scripts.formats.push((display_file_name(path), format));
            } else {
                scripts.has_unsupported = true;
                session.warn(format!("`{}` is not run: no format expresses the same", path.display()));
            }
        }
        Ok(scripts)
    }

    /// Returns true if one of the scripts refuses an input.
    pub(super) fn refuses_input(&self, input: &[u8]) -> bool {
        self.formats.iter().any(|(_, format)| invalid::find_refusal(format, input).is_some())
    }
}

/// Reads a checktestdata script as a format, which is stopped together with the command. Returns `None` unless a format
/// expresses the script exactly.
///
/// # Errors
/// Returns an error if the file cannot be read.
pub(super) fn read_script_format(path: &Path, session: &Session) -> Result<Option<Format>> {
    let Some(text) = convert_script_exactly(path)? else { return Ok(None) };
    let source = SourceText::new(path.display().to_string(), text);
    let parsed = Format::parse(&source).ok();
    Ok(parsed.map(|(format, _)| Format { stop_token: session.stop_token(), ..format }))
}

/// Returns the text of the format that expresses a checktestdata script exactly, or `None` if there is none.
///
/// # Errors
/// Returns an error if the file cannot be read.
pub(super) fn convert_script_exactly(path: &Path) -> Result<Option<Vec<u8>>> {
    let script = SourceText::new(path.display().to_string(), rebut_packages::read_description(path)?);
    let converted = checktestdata::convert_script(&script).ok().filter(|found| found.exact);
    Ok(converted.map(|found| found.text.into_bytes()))
}

// The digest of a program's files, which is part of the keys of what the program decides.

/// Returns the digest of a program's files with their names: of a source and the files that it names, or of a folder.
///
/// # Errors
/// Returns an error if a file cannot be read.
pub(super) fn source_digest(source: &Path) -> Result<String> {
    if !source.is_dir() {
        return Ok(digest_parts(&program_parts(source)?));
    }
    let mut parts = Vec::new();
    for file in list_files_below(source) {
        let name = file.strip_prefix(source).unwrap_or(&file).display().to_string();
        parts.extend([name.into_bytes(), read_file(&file)?]);
    }
    Ok(digest_parts(&parts))
}

/// Returns the contents of a program's only file, or the names and contents of all its files.
///
/// # Errors
/// Returns an error if the program cannot be read.
pub(super) fn program_parts(source: &Path) -> Result<Vec<Vec<u8>>> {
    let files = rebut_toolchain::read_program_files(source)?;
    // So test sets of programs with a single file keep their keys.
    if files.len() == 1 {
        return Ok(files.into_values().collect());
    }
    Ok(files.into_iter().flat_map(|(name, text)| [name.into_os_string().into_encoded_bytes(), text]).collect())
}

/// Returns the digest of a command, with the files that its words name.
pub(super) fn digest_command(command: &str, folder: &Path) -> Result<String> {
    let mut parts = vec![command.as_bytes().to_vec()];
    for word in command.split_whitespace().map(|word| word.trim_matches(['\'', '"'])) {
        let places = [folder.join(word), PathBuf::from(word)];
        if let Some(path) = places.iter().find(|path| path.is_file()) {
            parts.push(source_digest(path)?.into_bytes());
        }
    }
    Ok(digest_parts(&parts))
}
