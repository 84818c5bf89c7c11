//! The programs of the shipped problems, which several tests run. Those of a problem are compiled together because that
//! is faster.

use crate::environment::{home, skipped};
use rebut_sandbox::{CancelToken, HostEnvironment, Program};
use rebut_toolchain::{CompileError, ProgramBuilder};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{LazyLock, Mutex, PoisonError};
use walkdir::WalkDir;

/// The program of each submission by its file.
type Programs = BTreeMap<PathBuf, Result<Program, CompileError>>;

static BUILDER: LazyLock<ProgramBuilder> = LazyLock::new(|| {
    let cache = Path::new(env!("CARGO_TARGET_TMPDIR")).join("rebut-cache");
    let environment = HostEnvironment::from_process().unwrap().with_spawner(env!("CARGO_BIN_EXE_rebut"));
    ProgramBuilder::new(environment.with_variable("REBUT_CACHE", cache)).unwrap()
});

/// The programs of the problems that a test has asked for.
static PROGRAMS: Mutex<BTreeMap<String, Programs>> = Mutex::new(BTreeMap::new());

fn compile_problem(problem: &str) -> Programs {
    let submissions = home().join("testdata/problems").join(problem).join("submissions");
    let files = WalkDir::new(submissions).into_iter().map(|entry| entry.unwrap().into_path());
    let sources: Vec<PathBuf> = files.filter(|path| path.is_file()).collect();
    let paths: Vec<&Path> = sources.iter().map(PathBuf::as_path).collect();
    let made = BUILDER.compile_all(&paths, &rebut_toolchain::SourceOptions::default(), 2, &CancelToken::new());
    sources.into_iter().zip(made.into_iter().map(|made| made.map(|compiled| compiled.program))).collect()
}

/// Returns the program of a submission, or `None` and a message if there is no compiler for it.
pub(crate) fn compiled(source: &Path) -> Option<Program> {
    let problem = source.strip_prefix(home().join("testdata/problems")).unwrap().iter().next().unwrap();
    let problem = problem.to_str().unwrap();
    let mut programs = PROGRAMS.lock().unwrap_or_else(PoisonError::into_inner);
    match &programs.entry(problem.to_owned()).or_insert_with(|| compile_problem(problem))[source] {
        Ok(program) => Some(program.clone()),
        Err(CompileError::Failed(error)) => {
            skipped(error.message());
            None
        }
        Err(error) => panic!("{}: {error}", source.display()),
    }
}
