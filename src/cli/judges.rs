//! Selects judges: a built-in checker by name, a program, or the judge of a package.

use super::args::JudgeArgs;
use super::compile_programs;
use super::session::Session;
use rebut_checkers::{Checker, ExitCodeConvention};
use rebut_diagnostics::{Error, Result};
use rebut_engine::event::ProgramRole;
use rebut_engine::{Judge, JudgeMode, JudgeProgram, ValidatorConvention};
use rebut_packages::{Package, follows_testlib_conventions, validates_like_testlib};
use rebut_sandbox::{Program, RunLimits};
use rebut_toolchain::{Language, SourceOptions};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Prefix of the folder of a package that provides the judge, as recorded in findings.
const PACKAGE_PREFIX: &str = "package:";
/// Prefix of an interactor, as recorded in findings.
const INTERACTOR_PREFIX: &str = "interactor:";
/// Prefixes that state the exit code convention of a judge program instead of having it detected.
const CONVENTION_PREFIXES: [(&str, ExitCodeConvention); 2] =
    [("icpc:", ExitCodeConvention::Kattis), ("testlib:", ExitCodeConvention::Testlib)];

/// Returns the judge with the given name: a built-in checker, a program with or without a convention prefix, or a
/// package's judge.
///
/// # Errors
/// Returns an error if no judge has this name, or if it does not compile.
pub(super) fn judge_by_name(name: &str, options: &SourceOptions, session: &mut Session) -> Result<Judge> {
    if let Some(name) = name.strip_prefix(INTERACTOR_PREFIX) {
        return judge_from_program(name, options, JudgeMode::Interactor, session);
    }
    if let Some(folder) = name.strip_prefix(PACKAGE_PREFIX) {
        let package = session.load_package(Path::new(folder))?;
        return PackageJudge::compile_for_package(&package, session)?
            .with_arguments(&package.output_validator.arguments);
    }
    match Checker::parse(name) {
        // Built-in checkers take precedence; a program of the same name is given as `./tokens`.
        Ok(checker) => Ok(Judge::Checker(checker)),
        Err(_) if stated_convention(name).0.exists() => {
            judge_from_program(name, options, JudgeMode::Validator, session)
        }
        Err(message) => Err(unknown_checker_error(name, message)),
    }
}

/// Returns the source of the checker or interactor program given on the command line, if any.
pub(super) fn find_judge_source(judging: &JudgeArgs) -> Option<PathBuf> {
    let checker = judging.checker.as_deref().map(|name| stated_convention(name).0);
    let path = judging.interactor.as_deref().or(checker).filter(|path| path.is_file())?;
    Language::from_path(path).map(|_| absolute_path(path))
}

/// Splits the name of a program into its path and its stated convention, if any.
fn stated_convention(name: &str) -> (&Path, Option<ExitCodeConvention>) {
    let stated =
        CONVENTION_PREFIXES.iter().find_map(|(prefix, convention)| Some((name.strip_prefix(prefix)?, *convention)));
    stated.map_or((Path::new(name), None), |(path, convention)| (Path::new(path), Some(convention)))
}

/// Returns the error for an unknown checker, which may have been meant as a program.
fn unknown_checker_error(name: &str, message: String) -> Error {
    match Language::from_path(Path::new(name)) {
        Some(_) => Error::usage_error(format!("no file `{name}`")).with_help(
            "`--checker` names a program that judges outputs, or one of the checkers that `rebut check` lists",
        ),
        None => Error::usage_error(message),
    }
}

/// Processor time of a judge program that is given by name: searches are shorter than the minute that packages allow.
const MAX_CHECKER_TIME_MS: u64 = 10_000;

/// Compiles a judge program given by name, with or without a convention prefix.
pub(super) fn judge_from_program(
    name: &str,
    options: &SourceOptions,
    mode: JudgeMode,
    session: &mut Session,
) -> Result<Judge> {
    let (path, stated) = stated_convention(name);
    let path = absolute_path(path);
    let (program, identity) = compile_with_options(options, &path, ProgramRole::Checker, session)?;
    let convention =
        stated.unwrap_or_else(|| detect_convention(&path, &session.builder.complete_options(options).includes));
    let prefix = CONVENTION_PREFIXES.iter().find(|(_, known)| *known == convention).map_or("", |(prefix, _)| prefix);
    let role = if mode == JudgeMode::Interactor { INTERACTOR_PREFIX } else { "" };
    let judge = JudgeProgram {
        program,
        convention,
        arguments: Vec::new(),
        limits: RunLimits::with_cpu_time_ms(MAX_CHECKER_TIME_MS),
        mode,
        max_passes: 1,
        gives_points: false,
        identity,
        name: format!("{role}{prefix}{}", path.display()),
    };
    Ok(Judge::Program(Arc::new(judge)))
}

fn absolute_path(path: &Path) -> PathBuf {
    std::path::absolute(path).unwrap_or_else(|_| path.to_owned())
}

fn detect_convention(program: &Path, includes: &[PathBuf]) -> ExitCodeConvention {
    if follows_testlib_conventions(program, includes) {
        ExitCodeConvention::Testlib
    } else {
        ExitCodeConvention::Kattis
    }
}

/// Returns the convention of a validator of a package.
pub(super) fn validator_convention(package: &Package, path: &Path, session: &Session) -> ValidatorConvention {
    let options = session.builder.complete_options(&compile_programs::package_source_options(Some(package)));
    match validates_like_testlib(path, &options.includes) {
        true => ValidatorConvention::Plain,
        false => ValidatorConvention::Icpc,
    }
}

/// Compiles a judge program and returns it with its build identity.
pub(super) fn compile_judge_program(
    package: Option<&Package>,
    path: &Path,
    role: ProgramRole,
    session: &mut Session,
) -> Result<(Program, Option<String>)> {
    compile_with_options(&compile_programs::package_source_options(package), path, role, session)
}

fn compile_with_options(
    options: &SourceOptions,
    path: &Path,
    role: ProgramRole,
    session: &mut Session,
) -> Result<(Program, Option<String>)> {
    compile_programs::compile_with_identity(options, path, role, session)
        .map_err(|error| compile_programs::to_judge_error(error, &path.display().to_string()))
}

/// Default time limit of a judge program, in milliseconds of processor time.
const DEFAULT_VALIDATION_TIME_MS: u64 = 60_000;

/// The compiled judge of a package.
pub(super) struct PackageJudge<'p> {
    package: &'p Package,
    /// The judge program and its build identity, if the package has one.
    program: Option<(Program, Option<String>)>,
    convention: ExitCodeConvention,
    name: String,
}

impl<'p> PackageJudge<'p> {
    /// Compiles the package's judge program, if it has one.
    pub(super) fn compile_for_package(package: &'p Package, session: &mut Session) -> Result<PackageJudge<'p>> {
        let name = format!("{PACKAGE_PREFIX}{}", absolute_path(&package.folder).display());
        let output_validator = &package.output_validator;
        let program = match &output_validator.program {
            Some(path) => Some(compile_judge_program(Some(package), path, ProgramRole::Checker, session)?),
            None if output_validator.is_custom => {
                return Err(Error::usage_error(format!("`{}` has no output validator", package.folder.display()))
                    .with_help("`problem.yaml` requires one in `output_validators/` or `output_validator/`; commands with `--checker` can take one from there"));
            }
            None => None,
        };
        let path = output_validator.program.as_deref();
        let includes =
            session.builder.complete_options(&compile_programs::package_source_options(Some(package))).includes;
        let convention = path.map_or(ExitCodeConvention::Kattis, |path| detect_convention(path, &includes));
        Ok(PackageJudge { package, program, convention, name })
    }

    /// Returns the judge with these arguments, which test groups and test cases can set.
    pub(super) fn with_arguments(&self, arguments: &[String]) -> Result<Judge> {
        let Some((program, identity)) = &self.program else {
            return Ok(Judge::Checker(self.package.checker_for_arguments(arguments)?));
        };
        let judge = JudgeProgram {
            convention: self.convention,
            arguments: arguments.to_vec(),
            name: self.name.clone(),
            ..PackageJudge::judge_program(self.package, program.clone(), identity.clone())
        };
        Ok(Judge::Program(Arc::new(judge.require_supported()?)))
    }

    /// Returns a program as the judge of a package, by the convention of problem packages.
    pub(super) fn judge_program(package: &Package, program: Program, identity: Option<String>) -> JudgeProgram {
        let judging = package.problem_type;
        JudgeProgram {
            name: program.display_name().to_owned(),
            program,
            convention: ExitCodeConvention::Kattis,
            arguments: Vec::new(),
            limits: validation_limits(package),
            mode: if judging.interactive { JudgeMode::Interactor } else { JudgeMode::Validator },
            max_passes: if judging.multi_pass { package.limits.validation_passes } else { 1 },
            gives_points: judging.scoring,
            identity,
        }
    }
}

/// Returns the limits of judge programs: the package's, or by default one minute and 2 GiB.
pub(super) fn validation_limits(package: &Package) -> RunLimits {
    const DEFAULT_MEMORY_BYTES: u64 = 2 << 30;
    let limits = RunLimits::with_cpu_time_ms(package.limits.validation_time_ms.unwrap_or(DEFAULT_VALIDATION_TIME_MS));
    RunLimits {
        memory_limit_bytes: package.limits.validation_memory_bytes.unwrap_or(DEFAULT_MEMORY_BYTES),
        output_limit_bytes: package.limits.validation_output_bytes.unwrap_or(limits.output_limit_bytes),
        ..limits
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    #[test]
    fn prefix_states_the_convention_of_exit_codes() {
        for (name, path, convention) in [
            ("icpc:check.cpp", "check.cpp", Some(ExitCodeConvention::Kattis)),
            ("testlib:a/check.cpp", "a/check.cpp", Some(ExitCodeConvention::Testlib)),
            ("check.cpp", "check.cpp", None),
            ("other:check.cpp", "other:check.cpp", None),
        ] {
            assert_eq!(stated_convention(name), (Path::new(path), convention));
        }
    }

    #[test]
    fn unknown_checker_that_looks_like_a_source_is_a_missing_file() {
        let message = |name: &str| unknown_checker_error(name, "no such checker".to_owned()).message().to_owned();
        assert_eq!(message("check.cpp"), "no file `check.cpp`");
        assert_eq!(message("tokenz"), "no such checker");
    }
}
