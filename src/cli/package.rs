//! From a package to programs that can run: its submissions, and who judges them.

use super::desk::Desk;
use super::setup::{self, Problem};
use crate::campaign::{JuryProgram, Manner, Referee, Role};
use crate::corpus::{Package, Submission};
use crate::diagnostic::{Error, Result};
use crate::run::{CompileError, Limits, Program, Variant};
use rebut_checkers::Convention;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

/// A compiled source, and what decides how it behaves.
pub(super) type Made = (std::result::Result<Program, CompileError>, Option<String>);

impl Problem {
    /// The problem of a package's folder.
    pub(super) fn of_package(folder: &Path, desk: &mut Desk) -> Result<Problem> {
        Problem::load(&setup::target(folder), None, desk)
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

/// Compiles the submissions, several at a time, and tells of them in their order.
pub(super) fn compile_all(package: &Package, submissions: &[&Submission], role: Role, desk: &mut Desk) -> Vec<Made> {
    let (builder, cancel) = (desk.builder.clone(), desk.cancel.clone());
    let includes: Vec<&Path> = package.include.iter().map(PathBuf::as_path).collect();
    let next = AtomicUsize::new(0);
    let made: Mutex<Vec<Option<_>>> = Mutex::new(submissions.iter().map(|_| None).collect());
    std::thread::scope(|scope| {
        for _ in 0..desk.jobs.clamp(1, submissions.len().max(1)) {
            scope.spawn(|| {
                while let Some((i, submission)) = {
                    let i = next.fetch_add(1, Ordering::Relaxed);
                    submissions.get(i).map(|s| (i, s))
                } {
                    let compiled = builder.compile_including(&submission.path, &includes, Variant::Judged, &cancel);
                    made.lock().unwrap_or_else(PoisonError::into_inner)[i] = Some(compiled);
                }
            });
        }
    });
    let made = made.into_inner().unwrap_or_else(PoisonError::into_inner);
    let told = made.into_iter().flatten().zip(submissions).map(|(compiled, submission)| {
        let compiled = compiled?;
        setup::tell(&compiled, &submission.name, role, desk);
        Ok(compiled)
    });
    told.map(|compiled| match compiled {
        Ok(compiled) => (Ok(compiled.program), compiled.identity),
        Err(error) => (Err(error), None),
    })
    .collect()
}

/// Who judges the outputs of a package.
pub(super) struct Jury<'p> {
    package: &'p Package,
    /// The program and its identity, if it is one.
    program: Option<(Program, Option<String>)>,
    convention: Convention,
}

impl<'p> Jury<'p> {
    /// Compiles the package's program, if it has one.
    pub(super) fn of(package: &'p Package, desk: &mut Desk) -> Result<Jury<'p>> {
        let convention = if package.speaks_testlib() { Convention::Testlib } else { Convention::Kattis };
        let output_validator = &package.output_validator;
        let program = match &output_validator.program {
            Some(path) => {
                let includes: Vec<&Path> = package.include.iter().map(PathBuf::as_path).collect();
                let compiled = desk.builder.compile_including(path, &includes, Variant::Judged, &desk.cancel);
                let compiled = compiled.map_err(|e| setup::jury_failure(e, &path.display().to_string()))?;
                setup::tell(&compiled, &setup::file_name(path), Role::Checker, desk);
                Some((compiled.program, compiled.identity))
            }
            None if output_validator.is_custom => {
                return Err(Error::usage(format!("`{}` has no output validator", package.folder.display()))
                    .with_help("`problem.yaml` asks for one, in `output_validators/` or `output_validator/`"));
            }
            None => None,
        };
        Ok(Jury { package, program, convention })
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
            identity: identity.clone(),
        };
        Ok(Referee::Program(Arc::new(jury.checked()?)))
    }
}

/// What a program of the jury may use: what the package says, and else a minute and 2 GiB.
pub(super) fn validation_limits(package: &Package) -> Limits {
    const TIME_MS: u64 = 60_000;
    const MEMORY_BYTES: u64 = 2 << 30;
    let limits = Limits::with_cpu_time_ms(package.limits.validation_time_ms.unwrap_or(TIME_MS));
    Limits {
        memory_limit_bytes: package.limits.validation_memory_bytes.unwrap_or(MEMORY_BYTES),
        output_limit_bytes: package.limits.validation_output_bytes.unwrap_or(limits.output_limit_bytes),
        ..limits
    }
}
