//! Who judges outputs: a checker by its name, a program, or whoever a package asks for.

use super::args::JudgeArgs;
use super::desk::Desk;
use super::programs;
use super::setup;
use crate::campaign::{JuryProgram, Manner, Referee, Role};
use crate::corpus::{Package, speaks_testlib};
use crate::diagnostic::{Error, Result};
use crate::run::{Language, Limits, Program, SourceOptions};
use rebut_checkers::{Checker, Convention};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Before the folder of a package whose output validator judges: findings name it so.
const PACKAGE: &str = "package:";
/// Before a program that submissions talk to: findings name it so.
const INTERACTOR: &str = "interactor:";
/// Before a program, where its convention is not to be found out by looking at it.
const CONVENTIONS: [(&str, Convention); 2] = [("icpc:", Convention::Kattis), ("testlib:", Convention::Testlib)];

/// The referee of this name: a checker of ours, a program with or without its convention, or a package's.
///
/// # Errors
/// If nothing is called so, or it does not compile.
pub(super) fn named(name: &str, options: &SourceOptions, desk: &mut Desk) -> Result<Referee> {
    if let Some(name) = name.strip_prefix(INTERACTOR) {
        return program(name, options, Manner::Interacts, desk);
    }
    if let Some(folder) = name.strip_prefix(PACKAGE) {
        let package = setup::package(Path::new(folder), desk)?;
        return Jury::of(&package, desk)?.referee(&package.output_validator.arguments);
    }
    match Checker::parse(name) {
        // A program of that name is `./tokens`.
        Ok(checker) => Ok(Referee::Checker(checker)),
        Err(_) if stated_convention(name).0.exists() => program(name, options, Manner::Checks, desk),
        Err(message) => Err(unknown_checker(name, message)),
    }
}

/// The program that submissions talk to.
///
/// # Errors
/// Returns an error if it is not there, or does not compile.
pub(super) fn interactor(path: &Path, options: &SourceOptions, desk: &mut Desk) -> Result<Referee> {
    program(&path.display().to_string(), options, Manner::Interacts, desk)
}

/// The source of the program that the command line names as checker or interactor, if it names one.
pub(super) fn find_judge_source(judging: &JudgeArgs) -> Option<PathBuf> {
    let checker = judging.checker.as_deref().map(|name| stated_convention(name).0);
    let path = judging.interactor.as_deref().or(checker).filter(|path| path.is_file())?;
    Language::of(path).map(|_| absolute(path))
}

/// The path in the name of a program, and its convention where the name states it.
fn stated_convention(name: &str) -> (&Path, Option<Convention>) {
    let stated = CONVENTIONS.iter().find_map(|(prefix, convention)| Some((name.strip_prefix(prefix)?, *convention)));
    stated.map_or((Path::new(name), None), |(path, convention)| (Path::new(path), Some(convention)))
}

/// Why there is no checker of that name; it may have been meant as a program.
fn unknown_checker(name: &str, message: String) -> Error {
    match Language::of(Path::new(name)) {
        Some(_) => Error::usage(format!("there is no file `{name}`")).with_help(
            "`--checker` names a program that judges outputs, or one of the checkers that `rebut check` lists",
        ),
        None => Error::usage(message),
    }
}

/// A program of the jury by its name, with or without its convention.
fn program(name: &str, options: &SourceOptions, manner: Manner, desk: &mut Desk) -> Result<Referee> {
    let (path, stated) = stated_convention(name);
    let path = absolute(path);
    let (program, identity) = compiled_with(options, &path, Role::Checker, desk)?;
    let convention = stated.unwrap_or_else(|| convention(&path, &desk.builder.complete_options(options).includes));
    let prefix = CONVENTIONS.iter().find(|(_, known)| *known == convention).map_or("", |(prefix, _)| prefix);
    let role = if manner == Manner::Interacts { INTERACTOR } else { "" };
    let jury = JuryProgram {
        program,
        convention,
        arguments: Vec::new(),
        limits: Limits::with_cpu_time_ms(VALIDATION_TIME_MS),
        manner,
        most_passes: 1,
        gives_points: false,
        identity,
        name: format!("{role}{prefix}{}", path.display()),
    };
    Ok(Referee::Program(Arc::new(jury)))
}

fn absolute(path: &Path) -> PathBuf {
    std::path::absolute(path).unwrap_or_else(|_| path.to_owned())
}

fn convention(program: &Path, includes: &[PathBuf]) -> Convention {
    if speaks_testlib(program, includes) { Convention::Testlib } else { Convention::Kattis }
}

/// A program of the jury, and its identity.
pub(super) fn compiled(
    package: Option<&Package>,
    path: &Path,
    role: Role,
    desk: &mut Desk,
) -> Result<(Program, Option<String>)> {
    compiled_with(&programs::source_options(package), path, role, desk)
}

fn compiled_with(
    options: &SourceOptions,
    path: &Path,
    role: Role,
    desk: &mut Desk,
) -> Result<(Program, Option<String>)> {
    programs::made_with(options, path, role, desk)
        .map_err(|error| programs::jury_failure(error, &path.display().to_string()))
}

/// The processor time of a program of the jury, where nobody says otherwise.
const VALIDATION_TIME_MS: u64 = 60_000;

/// Who judges the outputs of a package.
pub(super) struct Jury<'p> {
    package: &'p Package,
    /// The program and its identity, if it is one.
    program: Option<(Program, Option<String>)>,
    convention: Convention,
    name: String,
}

impl<'p> Jury<'p> {
    /// Compiles the package's program, if it has one.
    pub(super) fn of(package: &'p Package, desk: &mut Desk) -> Result<Jury<'p>> {
        let name = format!("{PACKAGE}{}", absolute(&package.folder).display());
        let output_validator = &package.output_validator;
        let program = match &output_validator.program {
            Some(path) => Some(compiled(Some(package), path, Role::Checker, desk)?),
            None if output_validator.is_custom => {
                return Err(Error::usage(format!("`{}` has no output validator", package.folder.display()))
                    .with_help("`problem.yaml` asks for one, in `output_validators/` or `output_validator/`; where there is `--checker`, name one with it"));
            }
            None => None,
        };
        let path = output_validator.program.as_deref();
        let includes = desk.builder.complete_options(&programs::source_options(Some(package))).includes;
        let convention = path.map_or(Convention::Kattis, |path| convention(path, &includes));
        Ok(Jury { package, program, convention, name })
    }

    /// The referee with these arguments: test groups and test cases may have their own.
    pub(super) fn referee(&self, arguments: &[String]) -> Result<Referee> {
        let Some((program, identity)) = &self.program else {
            return Ok(Referee::Checker(self.package.checker_with(arguments)?));
        };
        let judging = self.package.judging;
        let jury = JuryProgram {
            program: program.clone(),
            convention: self.convention,
            arguments: arguments.to_vec(),
            limits: validation_limits(self.package),
            manner: if judging.interactive { Manner::Interacts } else { Manner::Checks },
            most_passes: if judging.multi_pass { self.package.limits.validation_passes } else { 1 },
            gives_points: judging.scoring,
            identity: identity.clone(),
            name: self.name.clone(),
        };
        Ok(Referee::Program(Arc::new(jury.checked()?)))
    }
}

/// What a program of the jury may use: what the package says, and else a minute and 2 GiB.
pub(super) fn validation_limits(package: &Package) -> Limits {
    const MEMORY_BYTES: u64 = 2 << 30;
    let limits = Limits::with_cpu_time_ms(package.limits.validation_time_ms.unwrap_or(VALIDATION_TIME_MS));
    Limits {
        memory_limit_bytes: package.limits.validation_memory_bytes.unwrap_or(MEMORY_BYTES),
        output_limit_bytes: package.limits.validation_output_bytes.unwrap_or(limits.output_limit_bytes),
        ..limits
    }
}
