//! A client of HyperQueue, through its program `hq`.

use rebut_diagnostics::{Error, Result};
use rebut_sandbox::{CancelToken, Program, RunLimits};
use rebut_toolchain::{CompileError, ProgramBuilder};
use serde::Deserialize;
use std::ffi::OsString;
use std::path::PathBuf;

/// The `hq` of this machine, which finds its server by `HQ_SERVER_DIR`.
pub(super) struct HyperQueue {
    program: Program,
}

/// An array of tasks that differ in their number alone.
pub(super) struct TaskArray {
    /// Number of tasks. Each has its number, from 1, in `HQ_TASK_ID`.
    pub(super) tasks: u32,
    /// Number of processors of a task; `None` for all of its worker's.
    pub(super) processors: Option<u16>,
    /// Variables in the environment of each task.
    pub(super) variables: Vec<(&'static str, String)>,
    /// Folder for what the tasks print.
    pub(super) folder: PathBuf,
    /// The command.
    pub(super) command: Vec<OsString>,
}

/// Numbers of tasks of a job by their states.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(default)]
pub(super) struct TaskCounts {
    pub(super) running: u32,
    pub(super) waiting: u32,
    pub(super) finished: u32,
    pub(super) failed: u32,
    pub(super) canceled: u32,
    pub(super) aborted: u32,
}

/// A job, as far as a campaign needs it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct JobState {
    pub(super) counts: TaskCounts,
    /// The numbers of tasks that failed, ascending.
    pub(super) failed: Vec<u32>,
}

#[derive(Deserialize)]
struct SubmittedJob {
    id: u64,
}

#[derive(Deserialize)]
struct JobReport {
    info: JobInfo,
    tasks: Vec<TaskReport>,
}

#[derive(Deserialize)]
struct JobInfo {
    task_stats: TaskCounts,
}

#[derive(Deserialize)]
struct TaskReport {
    id: u32,
    state: String,
}

/// Limits of a command of `hq`: it sends a message and waits for the answer of the server.
const COMMAND_LIMIT_MS: u64 = 600_000;

impl JobState {
    /// Returns true if no task is left.
    pub(super) fn is_over(&self) -> bool {
        self.counts.running == 0 && self.counts.waiting == 0
    }
}

impl HyperQueue {
    /// Finds `hq`.
    ///
    /// # Errors
    /// Returns an error if it is not installed.
    pub(super) fn find_program(builder: &ProgramBuilder, cancel: &CancelToken) -> Result<HyperQueue> {
        match builder.compile_command("hq --colors never --output-mode json", cancel) {
            Ok(compiled) => Ok(HyperQueue { program: compiled.program }),
            Err(CompileError::Failed(error)) if error.kind() == rebut_diagnostics::ErrorKind::Interrupted => Err(error),
            Err(_) => Err(Error::operating_error("`hq`, the program of HyperQueue, is not in PATH")
                .with_help("install it from https://it4innovations.github.io/hyperqueue, and start `hq server start`")),
        }
    }

    /// Returns the number of workers that are connected.
    ///
    /// # Errors
    /// Returns an error if the server does not answer.
    pub(super) fn count_workers(&self, cancel: &CancelToken) -> Result<u32> {
        let workers: Vec<serde_json::Value> = self.query(&["worker", "list"], cancel)?;
        Ok(u32::try_from(workers.len()).unwrap_or(u32::MAX))
    }

    /// Submits an array, and returns the number of its job. A task runs again if its worker is lost, as often as needed.
    ///
    /// # Errors
    /// Returns an error if the server does not answer or refuses it.
    pub(super) fn submit_array(&self, array: &TaskArray, cancel: &CancelToken) -> Result<u64> {
        let cpus = array.processors.map_or_else(|| "all".to_owned(), |count| count.to_string());
        let mut words: Vec<OsString> = vec!["submit".into(), "--name=rebut".into(), "--crash-limit=unlimited".into()];
        words.push(format!("--array=1-{}", array.tasks).into());
        words.push(format!("--cpus={cpus}").into());
        for stream in ["stdout", "stderr"] {
            let mut word = OsString::from(format!("--{stream}="));
            word.push(array.folder.join(format!("%{{TASK_ID}}.{stream}")));
            words.push(word);
        }
        words.extend(array.variables.iter().map(|(name, value)| format!("--env={name}={value}").into()));
        words.push("--".into());
        words.extend(array.command.iter().cloned());
        self.query::<SubmittedJob>(&words, cancel).map(|job| job.id)
    }

    /// Returns the state of a job, or `None` if the server does not know it.
    ///
    /// # Errors
    /// Returns an error if the server does not answer.
    pub(super) fn find_job(&self, job: u64, cancel: &CancelToken) -> Result<Option<JobState>> {
        let reports: Vec<JobReport> = self.query(&["job", "info", &job.to_string()], cancel)?;
        Ok(reports.into_iter().next().map(|JobReport { info, tasks }| {
            let failed = tasks.into_iter().filter(|task| task.state == "failed");
            let mut failed: Vec<u32> = failed.map(|task| task.id).collect();
            failed.sort_unstable();
            JobState { counts: info.task_stats, failed }
        }))
    }

    /// Cancels the tasks of a job that are left.
    ///
    /// # Errors
    /// Returns an error if the server does not answer.
    pub(super) fn cancel_job(&self, job: u64) -> Result<()> {
        // The campaign itself may be cancelled by then.
        self.run_command(&["job", "cancel", &job.to_string()], &CancelToken::new()).map(drop)
    }

    fn query<T: for<'d> Deserialize<'d>>(
        &self,
        words: &[impl AsRef<std::ffi::OsStr>],
        cancel: &CancelToken,
    ) -> Result<T> {
        let output = self.run_command(words, cancel)?;
        serde_json::from_slice(&output).map_err(|e| Error::operating_error(format!("unexpected output of `hq`: {e}")))
    }

    /// Runs `hq`, and returns its output.
    fn run_command(&self, words: &[impl AsRef<std::ffi::OsStr>], cancel: &CancelToken) -> Result<Vec<u8>> {
        let arguments: Vec<OsString> = words.iter().map(|word| word.as_ref().to_owned()).collect();
        let limits = RunLimits::with_cpu_time_ms(COMMAND_LIMIT_MS);
        let outcome = self.program.run(b"", &arguments, &limits, cancel)?;
        if outcome.is_success() {
            return Ok(outcome.output);
        }
        let command = arguments.first().map(|word| word.to_string_lossy().into_owned()).unwrap_or_default();
        let error = Error::operating_error(format!("`hq {command}` failed"));
        Err(error.with_note(failure_text(&outcome.output, &outcome.stderr)))
    }
}

/// Returns the message of a command that failed: without the stack that follows it in JSON, or else from its error
/// stream.
fn failure_text(output: &[u8], stderr: &[u8]) -> String {
    #[derive(Deserialize)]
    struct Failure {
        error: String,
    }
    let stated = serde_json::from_slice::<Failure>(output).map(|failure| failure.error);
    let text = stated.unwrap_or_else(|_| String::from_utf8_lossy(stderr).into_owned());
    let message = text.split("\n\nStack backtrace").next().unwrap_or_default();
    message.trim().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn message_of_a_failure_has_no_stack() {
        let output =
            br#"{"error": "Invalid server directory\n\nCaused by:\n    no folder\n\nStack backtrace:\n   0: x"}"#;
        assert_eq!(failure_text(output, b""), "Invalid server directory\n\nCaused by:\n    no folder");
        assert_eq!(failure_text(b"", b"connection refused\n"), "connection refused");
    }
}
