//! From sources and commands to programs that can run, and the events that tell of it.

use super::desk::Desk;
use crate::campaign::{Compiled as CompiledEvent, Event, Role, Sink, Warning};
use crate::corpus::{Package, read_file};
use crate::diagnostic::{Error, ErrorKind, Result};
use crate::run::{CompileError, Compiled, Language, Program, SourceOptions, Variant};
use std::path::{Path, PathBuf};

/// A compiled source, and what decides how it behaves.
pub(super) type Made = std::result::Result<(Program, Option<String>), CompileError>;

/// A program from a source or an executable, with the event that tells of it, compiled as a package wants it.
pub(super) fn compile_for(
    package: Option<&Package>,
    path: &Path,
    role: Role,
    desk: &mut Desk,
) -> std::result::Result<Program, CompileError> {
    made_with(&source_options(package), path, role, desk).map(|(program, _)| program)
}

/// The same with what decides how it behaves, without an event.
pub(super) fn compile_quietly(package: Option<&Package>, path: &Path, desk: &Desk) -> Made {
    desk.begin("Compiling", file_name(path));
    let compiled = desk.builder.compile_with(path, &source_options(package), Variant::Judged, &desk.cancel)?;
    Ok((compiled.program, compiled.identity))
}

/// The same with what decides how it behaves.
pub(super) fn made_with(options: &SourceOptions, path: &Path, role: Role, desk: &mut Desk) -> Made {
    desk.begin("Compiling", file_name(path));
    let compiled = desk.builder.compile_with(path, options, Variant::Judged, &desk.cancel)?;
    tell(&compiled, &file_name(path), role, desk);
    Ok((compiled.program, compiled.identity))
}

/// How a package wants its sources to be compiled.
pub(super) fn source_options(package: Option<&Package>) -> SourceOptions {
    package.map_or_else(SourceOptions::default, |package| SourceOptions {
        includes: package.include.clone(),
        standards: package.standards.clone(),
    })
}

/// Compiles side by side what will be asked for one by one: these submissions, the reference, the program that judges, and those
/// of a package. What stands in the way of one of them is told when it is asked for.
pub(super) fn prepare(
    submissions: &[PathBuf],
    references: &[PathBuf],
    judge: Option<PathBuf>,
    package: Option<&Package>,
    desk: &mut Desk,
) {
    let jury = package.into_iter().flat_map(|package| {
        let validators = package.input_validators.iter().filter(|path| !is_script(path));
        package.output_validator.program.iter().chain(validators)
    });
    let sources = submissions.iter().chain(references.first()).chain(&judge).chain(jury);
    let sources: Vec<&Path> = sources.map(PathBuf::as_path).collect();
    desk.begin("Compiling", list_names(sources.iter().map(|path| file_name(path))));
    desk.builder.prepare(&sources, &source_options(package), desk.jobs, &desk.cancel);
}

/// A program of the jury from a command: its failure to compile is the jury's.
pub(super) fn command(text: &str, role: Role, desk: &mut Desk) -> Result<Program> {
    desk.begin("Compiling", text);
    let compiled = desk.builder.command(text, &desk.cancel).map_err(|e| jury_failure(e, text))?;
    tell(&compiled, text, role, desk);
    Ok(compiled.program)
}

/// The names of programs in a line; so many of them that it stays one.
fn list_names(names: impl ExactSizeIterator<Item = String>) -> String {
    const NAMED: usize = 4;
    let more = names.len().saturating_sub(NAMED);
    let named: Vec<String> = names.take(NAMED).collect();
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    format!("{}{more}", named.join(", "))
}

/// Tells of a program.
fn tell(compiled: &Compiled, name: &str, role: Role, desk: &mut Desk) {
    desk.begin("Preparing", name);
    desk.take(&Event::Compiled(CompiledEvent {
        name: name.to_owned(),
        role,
        language: compiled.language.map_or("command", |l| l.name).to_owned(),
        command: compiled.command.clone().unwrap_or_default(),
        wall_time_ms: compiled.compile_time_us / 1000,
        cached: compiled.from_cache,
    }));
    if let Some(standard) = &compiled.older_standard {
        let message = format!("`{name}` compiles only by an older standard: it was compiled as {standard}");
        let help = Some(format!("choose the standard of the contest with `--std {}`", standard.replace("gnu", "c")));
        desk.take(&Event::Warning(Warning { message, help }));
    }
}

/// Why there is no program of the jury: that its source is refused is the jury's failure, and no verdict.
pub(super) fn jury_failure(error: CompileError, name: &str) -> Error {
    match error {
        CompileError::Failed(error) => error,
        CompileError::Rejected { command, text } => {
            let error = Error::judge(format!("`{name}` does not compile")).with_note(format!("{command}\n{text}"));
            match missing_header_help(&text) {
                Some(help) => error.with_help(help),
                None => error,
            }
        }
    }
}

/// Returns true, after a warning, if a program cannot be run here at all: its compiler is missing, or it is no program that rebut
/// knows. Where it is one of many, the others are run without it.
pub(super) fn leave_out(name: &str, error: &CompileError, desk: &mut Desk) -> bool {
    let CompileError::Failed(error) = error else { return false };
    let is_left_out = error.is_unsupported() || error.kind() == ErrorKind::Usage;
    if is_left_out {
        let message = format!("`{name}` is left out: {}", error.message());
        desk.take(&Event::Warning(Warning { message, help: error.help().map(str::to_owned) }));
    }
    is_left_out
}

/// Returns what to do about a header that a compiler did not find, from its messages. Returns None if that is not what stopped it.
pub(super) fn missing_header_help(text: &str) -> Option<String> {
    const ABSENT: [&str; 2] = [": No such file or directory", "' file not found"];
    let line =
        text.lines().find(|line| line.contains("fatal error:") && ABSENT.iter().any(|words| line.contains(words)))?;
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

/// What a program is called in what is told.
pub(super) fn file_name(path: &Path) -> String {
    path.file_name().map_or_else(|| path.display().to_string(), |n| n.to_string_lossy().into_owned())
}

/// Whether it is a script of checktestdata, which is read and not run.
pub(super) fn is_script(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "ctd")
}

/// Why a source is in a language that is not spoken here, whether it may be executed or not: it is a text, and names nobody
/// to execute it.
fn foreign(path: &Path) -> Option<Error> {
    if Language::of(path).is_some() || !path.is_file() {
        return None;
    }
    let text = read_file(path).ok().filter(|text| !text.starts_with(b"#!") && !text.contains(&0))?;
    let what = if text.is_empty() { "is empty" } else { "is no script that begins with `#!`" };
    Some(
        Error::usage(format!("cannot tell the language of `{}`, which {what}", path.display()))
            .with_help(format!("name it {}", Language::all_extensions())),
    )
}

/// Compiles sources for a package, several at a time, and tells of them by these names in their order.
pub(super) fn compile_all(
    package: Option<&Package>,
    sources: &[(PathBuf, String)],
    role: Role,
    desk: &mut Desk,
) -> Vec<Made> {
    let foreign: Vec<Option<Error>> = sources.iter().map(|(path, _)| foreign(path)).collect();
    let spoken = sources.iter().zip(&foreign).filter(|(_, foreign)| foreign.is_none());
    let paths: Vec<&Path> = spoken.map(|((path, _), _)| path.as_path()).collect();
    desk.begin("Compiling", list_names(sources.iter().map(|(_, name)| name.clone())));
    let made = desk.builder.compile_all(&paths, &source_options(package), desk.jobs, &desk.cancel);
    let mut made = made.into_iter();
    let told = foreign.into_iter().zip(sources).map(|(foreign, (_, name))| {
        let compiled = match foreign {
            Some(error) => Err(error.into()),
            None => made.next().unwrap_or_else(|| Err(Error::interrupted().into())),
        };
        let compiled = compiled?;
        tell(&compiled, name, role, desk);
        Ok((compiled.program, compiled.identity))
    });
    told.collect()
}
