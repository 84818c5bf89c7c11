//! A program that can be run, however that is done.

use super::sys::OwnedFd;
use super::{Cancel, Limits, Luggage, Outcome};
use crate::diagnostic::{Error, Result};
use std::ffi::OsString;
use std::fmt;
use std::path::Path;
use std::sync::Arc;

/// One thing to run: what a program is given, and what it may use.
#[derive(Clone, Copy, Debug)]
pub struct Job<'a> {
    /// The bytes on its standard input.
    pub input: &'a [u8],
    /// Arguments that follow the program's own.
    pub args: &'a [OsString],
    /// What it may use.
    pub limits: &'a Limits,
    /// Files that it takes along, and what it brings back.
    pub luggage: Option<&'a Luggage>,
}

impl<'a> Job<'a> {
    /// A job without arguments and luggage.
    pub fn new(input: &'a [u8], limits: &'a Limits) -> Self {
        Job { input, args: &[], limits, luggage: None }
    }
}

/// A way to run one program: the boundary behind which every engine stands.
///
/// The engine of record starts a process for each job. A fork server, or a process that spawns on behalf of
/// others, is another implementation, and so is a scripted one in a test.
pub trait Runner: Send + Sync {
    /// Runs the job to its end, or until `cancel` is thrown.
    ///
    /// # Errors
    ///
    /// Only what is not the program's doing: the machine refuses a process or is out of space
    /// (`Operating`), or the run was cancelled (`Interrupted`).
    fn run(&self, job: &Job<'_>, cancel: &Cancel) -> Result<Outcome>;

    /// The same by the fastest way there is, for searching: what it finds is to be confirmed by [`run`](Runner::run).
    ///
    /// # Errors
    ///
    /// As [`run`](Runner::run).
    fn run_quickly(&self, job: &Job<'_>, cancel: &Cancel) -> Result<Outcome> {
        self.run(job, cancel)
    }

    /// Runs it as [`run_quickly`](Runner::run_quickly) does, without arguments, on several inputs, one after the other; what
    /// came of the first of them. It stops where that has taken long, or where one by one is the better way.
    ///
    /// # Errors
    ///
    /// As [`run`](Runner::run).
    fn run_several(&self, _inputs: &[&[u8]], _limits: &Limits, _cancel: &Cancel) -> Result<Vec<Outcome>> {
        Ok(Vec::new())
    }

    /// Runs the job, reading from the first pipe in place of its input, and writing to the second. Both are closed when
    /// this returns, and nowhere held longer than the program holds them. Such a run cannot be repeated, so one that ends
    /// just over its time is not.
    ///
    /// # Errors
    ///
    /// As [`run`](Runner::run); or this way to run a program has no pipes (`Operating`).
    fn converse(&self, _job: &Job<'_>, _pipes: [OwnedFd; 2], _cancel: &Cancel) -> Result<Outcome> {
        Err(Error::operating("there are no conversations with this program"))
    }

    /// Whether there is a faster way than [`run`](Runner::run).
    fn is_quick(&self) -> bool {
        false
    }

    /// Returns why the faster way was given up, once it was.
    fn refused_copies(&self) -> Option<String> {
        None
    }
}

impl<F> Runner for F
where
    F: Fn(&Job<'_>, &Cancel) -> Result<Outcome> + Send + Sync,
{
    fn run(&self, job: &Job<'_>, cancel: &Cancel) -> Result<Outcome> {
        self(job, cancel)
    }
}

/// A program ready to run. Clones are cheap and share everything; any number of threads may run it at once.
#[derive(Clone)]
pub struct Program {
    name: Arc<str>,
    runner: Arc<dyn Runner>,
}

impl Program {
    /// A program that is run by `runner` and called `name` in messages.
    pub fn new(name: impl Into<Arc<str>>, runner: impl Runner + 'static) -> Self {
        Program { name: name.into(), runner: Arc::new(runner) }
    }

    /// Runs it on `input`, with `args` after its own arguments.
    ///
    /// # Errors
    ///
    /// See [`Runner::run`]. Whatever the program itself does is an [`Outcome`], never an error.
    pub fn run(&self, input: &[u8], args: &[OsString], limits: &Limits, cancel: &Cancel) -> Result<Outcome> {
        self.run_job(&Job { args, ..Job::new(input, limits) }, cancel)
    }

    /// Runs it as the job says.
    ///
    /// # Errors
    ///
    /// See [`Runner::run`].
    pub fn run_job(&self, job: &Job<'_>, cancel: &Cancel) -> Result<Outcome> {
        if cancel.cancelled() {
            return Err(Error::interrupted());
        }
        self.runner.run(job, cancel)
    }

    /// Runs it as the job says, but reading from and writing to pipes, see [`interact`](super::interact()).
    ///
    /// # Errors
    ///
    /// See [`Runner::converse`].
    #[cfg(unix)]
    pub(super) fn converse(&self, job: &Job<'_>, pipes: [OwnedFd; 2], cancel: &Cancel) -> Result<Outcome> {
        if cancel.interrupted() {
            return Err(Error::interrupted());
        }
        self.runner.converse(job, pipes, cancel)
    }

    /// The same by the fastest way there is. A run in a copy of a warm process can differ from a true one for programs
    /// that depend on addresses or on memory that they did not fill: what this finds is to be confirmed.
    ///
    /// # Errors
    ///
    /// See [`Runner::run`].
    pub fn run_quickly(&self, input: &[u8], args: &[OsString], limits: &Limits, cancel: &Cancel) -> Result<Outcome> {
        if cancel.cancelled() {
            return Err(Error::interrupted());
        }
        self.runner.run_quickly(&Job { args, ..Job::new(input, limits) }, cancel)
    }

    /// Runs it so on several inputs, one after the other, which costs less than one by one; what came of the first of
    /// them. It stops where that has taken long, or where one by one is the better way.
    ///
    /// # Errors
    ///
    /// See [`Runner::run`].
    pub fn run_several(&self, inputs: &[&[u8]], limits: &Limits, cancel: &Cancel) -> Result<Vec<Outcome>> {
        if cancel.cancelled() {
            return Err(Error::interrupted());
        }
        self.runner.run_several(inputs, limits, cancel)
    }

    /// Whether [`run_quickly`](Program::run_quickly) is another way than [`run`](Program::run).
    pub fn is_quick(&self) -> bool {
        self.runner.is_quick()
    }

    /// Returns why [`run_quickly`](Program::run_quickly) has become the same as [`run`](Program::run), once it has: what the
    /// program does that cannot be copied.
    pub fn refused_copies(&self) -> Option<String> {
        self.runner.refused_copies()
    }

    /// What the user calls it: the source file as given, or the command.
    pub fn display_name(&self) -> &str {
        &self.name
    }

    /// The same without the folders that it lies in.
    pub fn file_name(&self) -> String {
        Path::new(&*self.name).file_name().map_or_else(|| self.name.to_string(), |n| n.to_string_lossy().into_owned())
    }
}

impl fmt::Debug for Program {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Program").field("name", &self.name).finish_non_exhaustive()
    }
}
