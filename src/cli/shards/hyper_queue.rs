//! `rebut campaign`: runs the shards of a command on the workers of HyperQueue, through its program `hq`, and merges them.

use super::manifest::{SEED_PART, SUBMISSION_PART};
use super::{COUNT_VARIABLE, MergedCommand, record_arguments};
use crate::cli::args::{CampaignArgs, CampaignSystem, CliArgs, CliCommand, GlobalArgs, ReportArgs, StressArgs};
use crate::cli::session::Session;
use crate::cli::settings::parse_arguments;
use crate::cli::stress::random_seed;
use rebut_diagnostics::{Error, ErrorKind, Result};
use rebut_engine::event::{ActivityEvent, EventSink};
use rebut_engine::{BlockPlan, BlockResult, BlockTimes};
use rebut_packages::JournalSet;
use rebut_sandbox::{CancelToken, Program, RunLimits};
use rebut_toolchain::CompileError;
use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// Number of tasks for each worker, so that a lost worker or a slow one delays the end by a part of its share only.
const TASKS_PER_WORKER: u32 = 4;

/// Shortest time between two looks at the job and the journal.
const POLL_INTERVAL: Duration = Duration::from_millis(500);

/// Number of times that a look takes, which is the time to the next one: looks must not slow down the file system.
const POLL_PAUSE_FACTOR: u32 = 20;

/// A campaign: the command that its tasks run, each a shard of it.
pub(in crate::cli) struct Campaign<'c> {
    args: &'c CampaignArgs,
    /// Folder of the journal.
    journal: PathBuf,
    /// The arguments of the tasks, without the shard.
    arguments: Vec<String>,
    reports: ReportArgs,
    /// The command, if it is a search.
    search: Option<StressArgs>,
    /// The global options: those of the command.
    pub(in crate::cli) global: GlobalArgs,
}

impl<'c> Campaign<'c> {
    /// Parses the command of a campaign.
    ///
    /// # Errors
    /// Returns an error if it cannot be cut into shards.
    pub(in crate::cli) fn from_args(args: &'c CampaignArgs, global: &GlobalArgs) -> Result<Campaign<'c>> {
        let words: Vec<OsString> = std::iter::once("rebut".into()).chain(args.command.iter().cloned()).collect();
        let CliArgs { mut command, global: own } =
            parse_arguments(&words)?.map_err(|problem| Error::usage_error(problem.to_string()))?;
        let Some((shards, reports)) = command.shared_work() else {
            let message = "a campaign is one of `stress`, `verify`, `strength`, `build` or `replay`";
            return Err(Error::usage_error(message));
        };
        let (shards, reports) = (shards.clone(), reports.map(|reports| reports.clone()).unwrap_or_default());
        let Some(journal) = shards.journal else {
            return Err(Error::usage_error("the command of a campaign requires `--journal`")
                .with_help("name a folder that all workers share, such as `--journal blocks`"));
        };
        if shards.shard.is_some() {
            return Err(Error::usage_error("`--shard` has no effect in a campaign: each task runs its own shard"));
        }
        let search = if let CliCommand::Stress(search) = command { Some(search) } else { None };
        if search.as_ref().is_some_and(|search| search.time.is_some()) {
            return Err(Error::usage_error("a campaign is not limited by `--time`").with_help("state `--cases`"));
        }
        let seed = search.as_ref().and_then(|search| choose_seed(search, &journal)).map(|seed| ("seed", seed));
        let mut arguments = record_arguments(crate::cli::clap_definition(), &words, seed.as_slice())?;
        let mut options = vec![format!("--journal={}", journal.display())];
        options.extend((own.require_isolation || global.require_isolation).then(|| "--require-isolation".to_owned()));
        options.extend(shards.block.map(|length| format!("--block={length}")));
        arguments.splice(1..1, options);
        Ok(Campaign {
            args,
            journal,
            arguments,
            reports,
            search,
            global: GlobalArgs {
                json: own.json.or_else(|| global.json.clone()),
                jobs: own.jobs.or(global.jobs),
                verbose: own.verbose || global.verbose,
                quiet: own.quiet || global.quiet,
                ..own
            },
        })
    }

    /// Runs the tasks, and returns the merge of their blocks.
    ///
    /// # Errors
    /// Returns an error if the tasks cannot be submitted, or if none of them ran a block.
    pub(in crate::cli) fn run_tasks(&self, session: &mut Session) -> Result<MergedCommand> {
        let CampaignSystem::Hq = self.args.on;
        std::fs::create_dir_all(&self.journal).map_err(|e| Error::io_error("create", &self.journal, &e))?;
        let queue = HyperQueue::find_program(session)?;
        let array = self.task_array(&queue, session)?;
        let mut job = queue.submit_array(&array, &session.cancel)?;
        let end = self.wait_for_tasks(&queue, &array, &mut job, session);
        if end.as_ref().map_or(true, |state| !state.is_over) {
            queue.cancel_job(job)?;
        }
        let end = end.map_err(|error| match error.kind() {
            ErrorKind::Interrupted => error.with_help("the same command goes on with the blocks that are missing"),
            _ => error,
        })?;
        report_failed_tasks(&array, &end, session)?;
        MergedCommand::open(std::slice::from_ref(&self.journal), &self.reports, &self.global)
    }

    /// Returns the tasks.
    fn task_array(&self, queue: &HyperQueue, session: &Session) -> Result<TaskArray> {
        let tasks = match self.args.shards {
            Some(shards) => shards,
            None => match queue.count_workers(&session.cancel)? {
                0 => {
                    return Err(Error::operating_error("no worker is connected to the server of HyperQueue")
                        .with_help("start some with `hq worker start`, or state `--shards` and start them later"));
                }
                workers => workers.saturating_mul(TASKS_PER_WORKER),
            },
        };
        let program = std::env::current_exe()
            .map_err(|e| Error::operating_error(format!("failed to find the program itself: {e}")))?;
        let (name, options) = self.arguments.split_at(1);
        let jobs = self.global.jobs.map(|jobs| format!("--jobs={jobs}"));
        let mut command: Vec<OsString> = vec![program.into()];
        command.extend(name.iter().chain(&jobs).chain(options).map(OsString::from));
        let folder = std::path::absolute(self.journal.join("tasks"));
        let folder = folder.map_err(|e| Error::io_error("find", &self.journal, &e))?;
        Ok(TaskArray { tasks, processors: self.global.jobs, folder, command })
    }

    /// Waits until no task is left, or until those that are left cannot change the result. A server that is restarted
    /// is waited for; if it has lost the job, the tasks are submitted again.
    fn wait_for_tasks(
        &self,
        queue: &HyperQueue,
        array: &TaskArray,
        job: &mut u64,
        session: &mut Session,
    ) -> Result<JobState> {
        let (mut progress, mut outage) = (CampaignProgress::default(), false);
        loop {
            session.check_interrupted()?;
            let began = Instant::now();
            match queue.find_job(*job, &session.cancel) {
                Ok(Some(state)) => {
                    outage = false;
                    let is_settled = self.look_at_journal(&mut progress, &state, session);
                    if state.is_over || is_settled {
                        return Ok(state);
                    }
                }
                Ok(None) => {
                    session.warn("the server of HyperQueue has lost the job: its tasks are submitted again".to_owned());
                    *job = queue.submit_array(array, &session.cancel)?;
                }
                Err(error) if error.kind() == ErrorKind::Interrupted => return Err(error),
                Err(_) if outage => {}
                Err(_) => {
                    outage = true;
                    session
                        .warn("the server of HyperQueue does not answer: waiting until it is started again".to_owned());
                }
            }
            std::thread::sleep(POLL_INTERVAL.max(began.elapsed() * POLL_PAUSE_FACTOR));
        }
    }

    /// Reads new blocks, and shows the progress of all workers. Returns true if the rest cannot change the result,
    /// or is not wanted.
    fn look_at_journal(&self, progress: &mut CampaignProgress, state: &JobState, session: &Session) -> bool {
        // Before the first task has begun, there is no manifest.
        let Ok(set) = JournalSet::open(std::slice::from_ref(&self.journal)) else { return false };
        progress.read_new_blocks(&set, self.search.is_some());
        session.note_activity(&ActivityEvent {
            done: progress.seen.len() as u64,
            of: self.search.as_ref().and_then(count_blocks),
            noun: "blocks",
            ..ActivityEvent::new("Running", format!("{} of {} shards finished", state.finished, state.tasks))
        });
        let submissions = set.manifest().parts.keys().filter(|name| name.starts_with(SUBMISSION_PART)).count();
        let ends_with_failures = self.search.as_ref().is_some_and(|search| !search.keep_going);
        let is_settled = ends_with_failures && progress.is_settled(submissions);
        is_settled || self.args.stop_at_failure && !progress.failures.is_empty()
    }
}

/// Warns of tasks that failed.
///
/// # Errors
/// Returns an error if these are all tasks: the journal, if there is one, may be that of another command.
fn report_failed_tasks(array: &TaskArray, end: &JobState, session: &mut Session) -> Result<()> {
    let Some(first) = end.failed.first() else { return Ok(()) };
    let count = end.failed.len();
    let message = format!("{count} of {} shards failed, the first of them shard {first}", array.tasks);
    let path = array.folder.join(format!("{first}.stderr"));
    let text = rebut_packages::read_file(&path).unwrap_or_default();
    let text = String::from_utf8_lossy(&text);
    if count == array.tasks as usize {
        return Err(Error::operating_error(message).with_note(text.trim().to_owned()));
    }
    let line = text.lines().find(|line| line.contains("error")).unwrap_or_default().trim().to_owned();
    session.warn_with_help(message, &format!("{line} (`{}`)", path.display()));
    Ok(())
}

/// Returns the seed of all shards of a search at random, in hexadecimal: the stated one, that of the journal, or a new
/// one.
fn choose_seed(search: &StressArgs, journal: &Path) -> Option<String> {
    let stated = search.seed.map(|seed| format!("{seed:x}"));
    if search.exhaustive {
        return stated;
    }
    let known = || JournalSet::open(&[journal.to_owned()]).ok()?.manifest().parts.get(SEED_PART).cloned();
    Some(stated.or_else(known).unwrap_or_else(|| format!("{:x}", random_seed())))
}

/// Returns the number of blocks of a search, if it is known before its end.
fn count_blocks(search: &StressArgs) -> Option<u64> {
    let inputs = search.cases.filter(|_| !search.exhaustive)?;
    let block_inputs = search.shards.block.unwrap_or_else(|| BlockPlan::default_block_inputs(inputs));
    Some(BlockPlan { inputs, block_inputs }.count_blocks())
}

/// The `hq` of this machine, the program of HyperQueue, which finds its server by `HQ_SERVER_DIR`.
struct HyperQueue {
    program: Program,
}

/// An array of tasks that differ in their number alone, which is in `HQ_TASK_ID`, from 1.
struct TaskArray {
    /// Number of tasks.
    tasks: u32,
    /// Number of processors of a task; `None` for all of its worker's.
    processors: Option<u16>,
    /// Folder for what the tasks print.
    folder: PathBuf,
    /// The command.
    command: Vec<OsString>,
}

/// A job, as far as a campaign needs it.
struct JobState {
    /// Number of tasks, but for those that were aborted.
    tasks: u64,
    finished: u64,
    /// Whether no task is left.
    is_over: bool,
    /// The numbers of tasks that failed, ascending.
    failed: Vec<u64>,
}

/// Limit of a command of `hq`: it sends a message and waits for the answer of the server.
const COMMAND_LIMIT_MS: u64 = 600_000;

impl HyperQueue {
    /// Finds `hq`.
    fn find_program(session: &Session) -> Result<HyperQueue> {
        match session.builder.compile_command("hq --colors never --output-mode json", &session.cancel) {
            Ok(compiled) => Ok(HyperQueue { program: compiled.program }),
            Err(CompileError::Failed(error)) if error.kind() == ErrorKind::Interrupted => Err(error),
            Err(_) => Err(Error::operating_error("`hq`, the program of HyperQueue, is not in PATH")
                .with_help("install it from https://it4innovations.github.io/hyperqueue, and start `hq server start`")),
        }
    }

    /// Returns the number of workers that are connected.
    fn count_workers(&self, cancel: &CancelToken) -> Result<u32> {
        let workers = self.run_command(&["worker".into(), "list".into()], cancel)?;
        let workers = workers.as_array().ok_or_else(|| unexpected_output("no list of workers"))?;
        Ok(u32::try_from(workers.len()).unwrap_or(u32::MAX))
    }

    /// Submits an array, and returns the number of its job. A task runs again if its worker is lost, as often as needed.
    fn submit_array(&self, array: &TaskArray, cancel: &CancelToken) -> Result<u64> {
        let cpus = array.processors.map_or_else(|| "all".to_owned(), |count| count.to_string());
        let mut words: Vec<OsString> = ["submit", "--name=rebut", "--crash-limit=unlimited"].map(OsString::from).into();
        words.push(format!("--array=1-{}", array.tasks).into());
        words.push(format!("--cpus={cpus}").into());
        for stream in ["stdout", "stderr"] {
            let mut word = OsString::from(format!("--{stream}="));
            word.push(array.folder.join(format!("%{{TASK_ID}}.{stream}")));
            words.push(word);
        }
        words.push(format!("--env={COUNT_VARIABLE}={}", array.tasks).into());
        words.push("--".into());
        words.extend(array.command.iter().cloned());
        let job = self.run_command(&words, cancel)?;
        job["id"].as_u64().ok_or_else(|| unexpected_output("a job without a number"))
    }

    /// Returns the state of a job, or `None` if the server does not know it.
    fn find_job(&self, job: u64, cancel: &CancelToken) -> Result<Option<JobState>> {
        let reports = self.run_command(&["job".into(), "info".into(), job.to_string().into()], cancel)?;
        let reports = reports.as_array().ok_or_else(|| unexpected_output("no list of jobs"))?;
        let Some(report) = reports.first() else { return Ok(None) };
        let counts =
            report["info"]["task_stats"].as_object().ok_or_else(|| unexpected_output("a job without tasks"))?;
        let count = |state: &str| counts.get(state).and_then(serde_json::Value::as_u64).unwrap_or(0);
        let tasks = report["tasks"].as_array().into_iter().flatten().filter(|task| task["state"] == "failed");
        let mut failed: Vec<u64> = tasks.filter_map(|task| task["id"].as_u64()).collect();
        failed.sort_unstable();
        Ok(Some(JobState {
            tasks: ["running", "waiting", "finished", "failed", "canceled"].map(count).iter().sum(),
            finished: count("finished"),
            is_over: count("running") == 0 && count("waiting") == 0,
            failed,
        }))
    }

    /// Cancels the tasks of a job that are left. The campaign itself may be cancelled by then.
    fn cancel_job(&self, job: u64) -> Result<()> {
        let words = ["job".into(), "cancel".into(), job.to_string().into()];
        self.run_program(&words, &CancelToken::new()).map(drop)
    }

    /// Runs `hq`, and returns its output.
    ///
    /// # Errors
    /// Returns an error if the server does not answer or refuses.
    fn run_command(&self, words: &[OsString], cancel: &CancelToken) -> Result<serde_json::Value> {
        let output = self.run_program(words, cancel)?;
        serde_json::from_slice(&output).map_err(unexpected_output)
    }

    fn run_program(&self, words: &[OsString], cancel: &CancelToken) -> Result<Vec<u8>> {
        let outcome = self.program.run(b"", words, &RunLimits::with_cpu_time_ms(COMMAND_LIMIT_MS), cancel)?;
        if outcome.is_success() {
            return Ok(outcome.output);
        }
        let command = words.first().map(|word| word.to_string_lossy().into_owned()).unwrap_or_default();
        let error = Error::operating_error(format!("`hq {command}` failed"));
        Err(error.with_note(failure_text(&outcome.output, &outcome.stderr)))
    }
}

fn unexpected_output(problem: impl std::fmt::Display) -> Error {
    Error::operating_error(format!("unexpected output of `hq`: {problem}"))
}

/// Returns the message of a command that failed: without the stack that follows it in JSON, or else from its error
/// stream.
fn failure_text(output: &[u8], stderr: &[u8]) -> String {
    let failure = serde_json::from_slice::<serde_json::Value>(output).unwrap_or_default();
    let text = failure["error"].as_str().map_or_else(|| String::from_utf8_lossy(stderr), |stated| stated.into());
    text.split("\n\nStack backtrace").next().unwrap_or_default().trim().to_owned()
}

/// The blocks that were seen in the journal of a campaign so far.
#[derive(Default)]
struct CampaignProgress {
    seen: BTreeSet<u64>,
    /// The first block with a failure of each submission, and of the reference.
    failures: BTreeMap<Option<usize>, u64>,
}

impl CampaignProgress {
    /// Reads the blocks of a journal that were not seen before. `is_search` is false if its blocks are those of a table,
    /// in which a failure can be expected.
    fn read_new_blocks(&mut self, set: &JournalSet, is_search: bool) {
        let new: Vec<u64> = set.block_numbers().filter(|number| !self.seen.contains(number)).collect();
        for number in new {
            let runs = if is_search { set.read_block::<BlockResult, BlockTimes>(number).runs } else { Vec::new() };
            self.add_block(number, runs.iter().flat_map(|(result, _)| &result.failures).map(|one| one.submission));
        }
    }

    fn add_block(&mut self, number: u64, failing: impl IntoIterator<Item = Option<usize>>) {
        self.seen.insert(number);
        for submission in failing {
            let first = self.failures.entry(submission).or_insert(number);
            *first = number.min(*first);
        }
    }

    /// Returns true if the blocks that are missing cannot change the result of a search any more: in the blocks before
    /// them, each of its submissions has failed, or the reference.
    fn is_settled(&self, submissions: usize) -> bool {
        let complete = (0..).zip(&self.seen).take_while(|(expected, number)| expected == *number).count() as u64;
        let has_failed = |program: Option<usize>| self.failures.get(&program).is_some_and(|at| *at < complete);
        has_failed(None) || submissions > 0 && (0..submissions).all(|submission| has_failed(Some(submission)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn search_is_settled_when_no_block_before_the_failures_is_missing() {
        let mut progress = CampaignProgress::default();
        progress.add_block(0, []);
        progress.add_block(2, [Some(0)]);
        assert!(!progress.failures.is_empty() && !progress.is_settled(1), "an earlier input of block 1 may fail");
        progress.add_block(1, []);
        assert!(progress.is_settled(1));
        assert!(!progress.is_settled(2), "the other submission has not failed");
        progress.add_block(5, [Some(1)]);
        progress.add_block(3, [Some(1)]);
        assert!(progress.is_settled(2), "block 5 is not needed");
        assert_eq!(progress.seen.len(), 5);
    }

    #[test]
    fn failure_of_the_reference_ends_a_search() {
        let mut progress = CampaignProgress::default();
        assert!(!progress.is_settled(0));
        progress.add_block(0, [None]);
        assert!(progress.is_settled(3));
    }

    #[test]
    fn message_of_a_failure_has_no_stack() {
        let output =
            br#"{"error": "Invalid server directory\n\nCaused by:\n    no folder\n\nStack backtrace:\n   0: x"}"#;
        assert_eq!(failure_text(output, b""), "Invalid server directory\n\nCaused by:\n    no folder");
        assert_eq!(failure_text(b"", b"connection refused\n"), "connection refused");
    }
}
