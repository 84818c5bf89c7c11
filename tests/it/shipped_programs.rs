//! The programs of the shipped problems, which several tests run. They are compiled together because that is faster.

use crate::environment::{home, skipped};
use rebut_sandbox::{CancelToken, HostEnvironment, Program};
use rebut_toolchain::{CompileError, ProgramBuilder};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;
use walkdir::WalkDir;

/// The program of each submission by its file.
static PROGRAMS: LazyLock<BTreeMap<PathBuf, Result<Program, CompileError>>> = LazyLock::new(|| {
    let problems = WalkDir::new(home().join("testdata/problems")).into_iter().map(|entry| entry.unwrap().into_path());
    let is_source = |path: &PathBuf| path.is_file() && path.iter().any(|folder| folder == "submissions");
    let sources: Vec<PathBuf> = problems.filter(is_source).collect();
    let paths: Vec<&Path> = sources.iter().map(PathBuf::as_path).collect();
    let cache = Path::new(env!("CARGO_TARGET_TMPDIR")).join("rebut-cache");
    let environment = HostEnvironment::from_process().unwrap().with_spawner(env!("CARGO_BIN_EXE_rebut"));
    let builder = ProgramBuilder::new(environment.with_variable("REBUT_CACHE", cache)).unwrap();
    let made = builder.compile_all(&paths, &rebut_toolchain::SourceOptions::default(), 2, &CancelToken::new());
    sources.into_iter().zip(made.into_iter().map(|made| made.map(|compiled| compiled.program))).collect()
});

/// Returns the program of a submission, or `None` and a message if there is no compiler for it.
pub(crate) fn compiled(source: &Path) -> Option<Program> {
    match &PROGRAMS[source] {
        Ok(program) => Some(program.clone()),
        Err(CompileError::Failed(error)) => {
            skipped(error.message());
            None
        }
        Err(error) => panic!("{}: {error}", source.display()),
    }
}
