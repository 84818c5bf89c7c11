//! A program that can be run, independently of the engine.

use super::sys::OwnedFd;
use super::{CancelToken, RunFiles, RunLimits, RunOutcome};
use rebut_diagnostics::{Error, Result};
use std::ffi::OsString;
use std::fmt;
use std::path::Path;
use std::sync::Arc;

/// The input, arguments, limits and files of one run.
#[derive(Clone, Copy, Debug)]
pub struct RunJob<'a> {
    /// The bytes on its standard input.
    pub input: &'a [u8],
    /// Arguments that follow the program's own.
    pub args: &'a [OsString],
    /// Its limits.
    pub limits: &'a RunLimits,
    /// Files that are attached to the run, and names of files to collect.
    pub files: Option<&'a RunFiles>,
}

impl<'a> RunJob<'a> {
    /// Creates a job without arguments and files.
    pub fn new(input: &'a [u8], limits: &'a RunLimits) -> Self {
        RunJob { input, args: &[], limits, files: None }
    }
}

/// A way to run one program: the interface of all engines.
///
/// The engine for real programs starts a process for each job, or forks copies of a server. Closures implement this
/// trait as well, as scripted programs for tests.
pub trait Runner: Send + Sync {
    /// Runs the job to its end, or until it is cancelled.
    ///
    /// # Errors
    ///
    /// Returns an error only for causes outside the program: `Operating` if the operating system refuses a process or
    /// is out of space, `Interrupted` if the run was cancelled.
    fn run(&self, job: &RunJob<'_>, cancel: &CancelToken) -> Result<RunOutcome>;

    /// Runs the job in the fastest way available, for searching: findings have to be confirmed by [`run`](Runner::run).
    ///
    /// # Errors
    ///
    /// See [`run`](Runner::run).
    fn run_fast(&self, job: &RunJob<'_>, cancel: &CancelToken) -> Result<RunOutcome> {
        self.run(job, cancel)
    }

    /// Runs a forked copy of a variant of the program, by its number, see [`ProgramVariant`](super::ProgramVariant), without
    /// arguments and files. Returns `None` if there is no such copy.
    ///
    /// # Errors
    ///
    /// See [`run`](Runner::run).
    fn run_variant_copy(&self, _job: &RunJob<'_>, _variant: u64, _cancel: &CancelToken) -> Result<Option<RunOutcome>> {
        Ok(None)
    }

    /// Runs the program as [`run_fast`](Runner::run_fast) does, without arguments, on several inputs in sequence.
    /// Returns the outcomes of the first of them: it stops early after a while, and there are none if single runs are as good.
    ///
    /// # Errors
    ///
    /// See [`run`](Runner::run).
    fn run_batch(&self, _inputs: &[&[u8]], _limits: &RunLimits, _cancel: &CancelToken) -> Result<Vec<RunOutcome>> {
        Ok(Vec::new())
    }

    /// Runs the job in a process of its own, and returns how many bytes of the input were read, including read-ahead by
    /// buffers. `None` if the engine does not support that.
    ///
    /// # Errors
    ///
    /// See [`run`](Runner::run).
    fn run_counting_reads(&self, _job: &RunJob<'_>, _cancel: &CancelToken) -> Result<Option<(RunOutcome, u64)>> {
        Ok(None)
    }

    /// Runs the job, reading from the first pipe in place of its input, and writing to the second. Both are closed when
    /// this returns, and no descriptor of them is held longer than the program holds its own. Such a run cannot be
    /// repeated, so one that ends just after its time limit is not run again.
    ///
    /// # Errors
    ///
    /// See [`run`](Runner::run); also returns `Operating` if the engine does not support pipes.
    fn run_with_pipes(&self, _job: &RunJob<'_>, _pipes: [OwnedFd; 2], _cancel: &CancelToken) -> Result<RunOutcome> {
        Err(Error::operating_error("this program cannot be run interactively"))
    }

    /// Returns true if there is a faster way than [`run`](Runner::run).
    fn has_fast_path(&self) -> bool {
        false
    }

    /// Returns why the faster way was abandoned, if it was.
    fn fast_path_refusal(&self) -> Option<String> {
        None
    }

    /// Returns how many times as long a new process takes to start as that of a compiled program.
    fn start_price(&self) -> u64 {
        1
    }
}

impl<F> Runner for F
where
    F: Fn(&RunJob<'_>, &CancelToken) -> Result<RunOutcome> + Send + Sync,
{
    fn run(&self, job: &RunJob<'_>, cancel: &CancelToken) -> Result<RunOutcome> {
        self(job, cancel)
    }
}

/// A program ready to run. Clones are cheap and share everything; any number of threads can run it at once.
#[derive(Clone)]
pub struct Program {
    name: Arc<str>,
    runner: Arc<dyn Runner>,
}

impl Program {
    /// Creates a program that is run by `runner` and called `name` in messages.
    pub fn new(name: impl Into<Arc<str>>, runner: impl Runner + 'static) -> Self {
        Program { name: name.into(), runner: Arc::new(runner) }
    }

    /// Returns what runs it.
    pub(super) fn runner(&self) -> &Arc<dyn Runner> {
        &self.runner
    }

    /// Runs it on `input`, with `args` after its own arguments.
    ///
    /// # Errors
    ///
    /// See [`Runner::run`]. The program's own failures are a [`RunOutcome`], never an error.
    pub fn run(&self, input: &[u8], args: &[OsString], limits: &RunLimits, cancel: &CancelToken) -> Result<RunOutcome> {
        self.run_job(&RunJob { args, ..RunJob::new(input, limits) }, cancel)
    }

    /// Runs a job.
    ///
    /// # Errors
    ///
    /// See [`Runner::run`].
    pub fn run_job(&self, job: &RunJob<'_>, cancel: &CancelToken) -> Result<RunOutcome> {
        if cancel.is_cancelled() {
            return Err(Error::interrupted());
        }
        self.runner.run(job, cancel).inspect(|outcome| cancel.count_work(outcome))
    }

    /// Runs it on `input`, and returns how many bytes of it were read, or `None` if that is not known.
    ///
    /// # Errors
    ///
    /// See [`Runner::run_counting_reads`].
    pub fn run_counting_reads(
        &self,
        input: &[u8],
        limits: &RunLimits,
        cancel: &CancelToken,
    ) -> Result<Option<(RunOutcome, u64)>> {
        if cancel.is_cancelled() {
            return Err(Error::interrupted());
        }
        self.runner.run_counting_reads(&RunJob::new(input, limits), cancel)
    }

    /// Runs a job that reads from and writes to pipes, see [`run_interaction`](super::run_interaction).
    ///
    /// # Errors
    ///
    /// See [`Runner::run_with_pipes`].
    #[cfg(unix)]
    pub(super) fn run_with_pipes(
        &self,
        job: &RunJob<'_>,
        pipes: [OwnedFd; 2],
        cancel: &CancelToken,
    ) -> Result<RunOutcome> {
        if cancel.is_interrupted() {
            return Err(Error::interrupted());
        }
        self.runner.run_with_pipes(job, pipes, cancel).inspect(|outcome| cancel.count_work(outcome))
    }

    /// Runs it in the fastest way available. A forked copy can behave differently from a fresh process if the program
    /// depends on addresses or on uninitialized memory, so findings have to be confirmed.
    ///
    /// # Errors
    ///
    /// See [`Runner::run`].
    pub fn run_fast(
        &self,
        input: &[u8],
        args: &[OsString],
        limits: &RunLimits,
        cancel: &CancelToken,
    ) -> Result<RunOutcome> {
        self.run_job_fast(&RunJob { args, ..RunJob::new(input, limits) }, cancel)
    }

    /// Runs a job as [`run_fast`](Program::run_fast) does.
    ///
    /// # Errors
    ///
    /// See [`Runner::run`].
    pub fn run_job_fast(&self, job: &RunJob<'_>, cancel: &CancelToken) -> Result<RunOutcome> {
        if cancel.is_cancelled() {
            return Err(Error::interrupted());
        }
        let ran = self.runner.run_fast(job, cancel);
        ran.inspect(|outcome| cancel.count_work(outcome))
    }

    /// Runs it on several inputs in sequence, in the fastest way available, which costs less than single runs. Returns
    /// the outcomes of the first of them: it stops early after a while, or when single runs are the better way.
    ///
    /// # Errors
    ///
    /// See [`Runner::run`].
    pub fn run_batch(&self, inputs: &[&[u8]], limits: &RunLimits, cancel: &CancelToken) -> Result<Vec<RunOutcome>> {
        if cancel.is_cancelled() {
            return Err(Error::interrupted());
        }
        let ran = self.runner.run_batch(inputs, limits, cancel);
        ran.inspect(|outcomes| outcomes.iter().for_each(|outcome| cancel.count_work(outcome)))
    }

    /// Returns the program with its input also in a file of its working folder. If it leaves the `output` file there, that is its
    /// output.
    #[must_use]
    pub fn with_file_names(&self, input: &str, output: &str) -> Program {
        let (program, input, output) = (self.clone(), input.to_owned(), output.to_owned());
        let run = move |job: &RunJob<'_>, cancel: &CancelToken| {
            let files = job.files.cloned().unwrap_or_default().with_file(&input, job.input)?.with_collected(&output)?;
            let mut outcome = program.runner.run(&RunJob { files: Some(&files), ..*job }, cancel)?;
            outcome.output = outcome.files.remove(Path::new(&output)).unwrap_or(outcome.output);
            Ok(outcome)
        };
        Program::new(self.name.clone(), run)
    }

    /// Returns true if [`run_fast`](Program::run_fast) differs from [`run`](Program::run).
    pub fn has_fast_path(&self) -> bool {
        self.runner.has_fast_path()
    }

    /// Returns why [`run_fast`](Program::run_fast) has become the same as [`run`](Program::run), if it has: the reason
    /// why the program cannot be forked.
    pub fn fast_path_refusal(&self) -> Option<String> {
        self.runner.fast_path_refusal()
    }

    /// Returns how many times as long a new process of it takes to start as that of a compiled program: more than 1 only if
    /// there is a faster way.
    pub fn start_price(&self) -> u64 {
        self.runner.start_price()
    }

    /// Returns its name for the user: the source file as given, or the command.
    pub fn display_name(&self) -> &str {
        &self.name
    }

    /// Returns the same program with another name for the user.
    #[must_use]
    pub fn with_display_name(self, name: &str) -> Self {
        Program { name: name.into(), ..self }
    }

    /// Returns that name without folders.
    pub fn file_name(&self) -> String {
        Path::new(&*self.name).file_name().map_or_else(|| self.name.to_string(), |n| n.to_string_lossy().into_owned())
    }
}

impl fmt::Debug for Program {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Program").field("name", &self.name).finish_non_exhaustive()
    }
}
