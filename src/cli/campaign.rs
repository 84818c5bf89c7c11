//! `rebut campaign`: runs the shards of a command on the workers of a task system, and merges them.

use super::args::{CampaignArgs, CampaignSystem, CliArgs, CliCommand, GlobalArgs, MergeArgs, ReportArgs, StressArgs};
use super::campaign_progress::{CampaignProgress, count_submissions};
use super::exit_status::ExitStatus;
use super::hyper_queue::{HyperQueue, JobState, TaskArray};
use super::merge::MergedCommand;
use super::recorded_arguments::record_arguments;
use super::session::Session;
use super::shard_variables::COUNT_VARIABLE;
use super::stress::random_seed;
use super::stress_manifest::SEED_PART;
use clap::Parser;
use rebut_diagnostics::{Error, ErrorKind, Result};
use rebut_engine::BlockPlan;
use rebut_engine::event::{ActivityEvent, Event, EventSink, WarningEvent};
use rebut_packages::JournalSet;
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
pub(super) struct Campaign<'c> {
    args: &'c CampaignArgs,
    /// Folder of the journal.
    journal: PathBuf,
    /// The arguments of the tasks, without the shard.
    arguments: Vec<String>,
    reports: ReportArgs,
    /// Number of blocks, if it is known before the tasks are run.
    blocks: Option<u64>,
    /// Whether the blocks are those of a search that ends with the first failure of each submission.
    ends_with_failures: bool,
    is_search: bool,
    /// The global options: those of the command.
    pub(super) global: GlobalArgs,
}

impl<'c> Campaign<'c> {
    /// Parses the command of a campaign.
    ///
    /// # Errors
    /// Returns an error if it cannot be cut into shards.
    pub(super) fn from_args(args: &'c CampaignArgs, global: &GlobalArgs) -> Result<Campaign<'c>> {
        let words: Vec<OsString> = std::iter::once("rebut".into()).chain(args.command.iter().cloned()).collect();
        let parsed = CliArgs::try_parse_from(&words).map_err(|problem| Error::usage_error(problem.to_string()))?;
        let no_reports = ReportArgs::default();
        let (journal, shard, block, reports, search) = match &parsed.command {
            CliCommand::Stress(command) => {
                (&command.journal, command.shard, command.block, &command.reports, Some(command))
            }
            CliCommand::Verify(command) => {
                (&command.shards.journal, command.shards.shard, command.shards.block, &command.reports, None)
            }
            CliCommand::Strength(command) => {
                let shards = &command.shards;
                (&shards.journal, shards.shard, Some(shards.block), &command.reports, None)
            }
            CliCommand::Build(command) => {
                (&command.shards.journal, command.shards.shard, command.shards.block, &command.reports, None)
            }
            CliCommand::Replay(command) => {
                (&command.shards.journal, command.shards.shard, command.shards.block, &no_reports, None)
            }
            _ => {
                let message = "a campaign is one of `stress`, `verify`, `strength`, `build` or `replay`";
                return Err(Error::usage_error(message));
            }
        };
        let Some(journal) = journal.clone() else {
            return Err(Error::usage_error("the command of a campaign requires `--journal`")
                .with_help("name a folder that all workers share, such as `--journal blocks`"));
        };
        if shard.is_some() {
            return Err(Error::usage_error("`--shard` has no effect in a campaign: each task runs its own shard"));
        }
        if search.is_some_and(|command| command.time.is_some()) {
            return Err(Error::usage_error("a campaign is not limited by `--time`").with_help("state `--cases`"));
        }
        let added: Vec<(&str, String)> =
            search.and_then(|command| choose_seed(command, &journal)).map(|seed| ("seed", seed)).into_iter().collect();
        let mut arguments = record_arguments(super::clap_definition(), &words, &added)?;
        arguments.insert(1, format!("--journal={}", journal.display()));
        if let Some(length) = block {
            arguments.insert(2, format!("--block={length}"));
        }
        if parsed.global.require_isolation || global.require_isolation {
            arguments.insert(2, "--require-isolation".to_owned());
        }
        Ok(Campaign {
            args,
            journal,
            arguments,
            reports: reports.clone(),
            blocks: search.and_then(count_blocks),
            ends_with_failures: search.is_some_and(|command| !command.keep_going),
            is_search: search.is_some(),
            global: GlobalArgs {
                json: parsed.global.json.or_else(|| global.json.clone()),
                jobs: parsed.global.jobs.or(global.jobs),
                verbose: parsed.global.verbose || global.verbose,
                quiet: parsed.global.quiet || global.quiet,
                ..parsed.global
            },
        })
    }

    /// Runs the tasks, and merges their blocks.
    ///
    /// # Errors
    /// Returns an error if the tasks cannot be submitted, if none of them ran a block, or if the merge fails.
    pub(super) fn run_campaign(&self, session: &mut Session) -> Result<ExitStatus> {
        let CampaignSystem::Hq = self.args.on;
        std::fs::create_dir_all(&self.journal).map_err(|e| Error::io_error("create", &self.journal, &e))?;
        let queue = HyperQueue::find_program(&session.builder, &session.cancel)?;
        let array = self.task_array(&queue, session)?;
        let mut job = queue.submit_array(&array, &session.cancel)?;
        let end = self.wait_for_tasks(&queue, &array, &mut job, session);
        if end.as_ref().map_or(true, |state| !state.is_over()) {
            queue.cancel_job(job)?;
        }
        let end = end.map_err(|error| match error.kind() {
            ErrorKind::Interrupted => error.with_help("the same command goes on with the blocks that are missing"),
            _ => error,
        })?;
        self.report_failed_tasks(&array, &end, session)?;
        let merge = MergeArgs { journals: vec![self.journal.clone()], reports: self.reports.clone() };
        MergedCommand::open(&merge, &self.global)?.run_merge(session)
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
        let jobs = self.global.jobs.map(|jobs| format!("--jobs={jobs}"));
        let mut command: Vec<OsString> = vec![program.into()];
        command.extend(self.arguments[..1].iter().map(OsString::from));
        command.extend(jobs.map(OsString::from));
        command.extend(self.arguments[1..].iter().map(OsString::from));
        let folder = std::path::absolute(self.journal.join("tasks"));
        let folder = folder.map_err(|e| Error::io_error("find", &self.journal, &e))?;
        let variables = vec![(COUNT_VARIABLE, tasks.to_string())];
        Ok(TaskArray { tasks, processors: self.global.jobs, variables, folder, command })
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
                    if state.is_over() || is_settled {
                        return Ok(state);
                    }
                }
                Ok(None) => {
                    warn(session, "the server of HyperQueue has lost the job: its tasks are submitted again");
                    *job = queue.submit_array(array, &session.cancel)?;
                }
                Err(error) if error.kind() == ErrorKind::Interrupted => return Err(error),
                Err(_) if outage => {}
                Err(_) => {
                    outage = true;
                    warn(session, "the server of HyperQueue does not answer: waiting until it is started again");
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
        progress.read_new_blocks(&set, self.is_search);
        let counts = state.counts;
        let tasks = counts.running + counts.waiting + counts.finished + counts.failed + counts.canceled;
        session.note_activity(&ActivityEvent {
            done: progress.count_blocks(),
            of: self.blocks,
            noun: "blocks",
            ..ActivityEvent::new("Running", format!("{} of {tasks} shards finished", counts.finished))
        });
        let is_settled = self.ends_with_failures && progress.is_settled(count_submissions(&set));
        is_settled || self.args.stop_at_failure && progress.has_failure()
    }

    /// Warns of tasks that failed.
    ///
    /// # Errors
    /// Returns an error if these are all tasks: the journal, if there is one, may be that of another command.
    fn report_failed_tasks(&self, array: &TaskArray, end: &JobState, session: &mut Session) -> Result<()> {
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
        let help = Some(format!("{line} (`{}`)", shown_path(&path)));
        session.take_event(&Event::Warning(WarningEvent { message, help }));
        Ok(())
    }
}

fn warn(session: &mut Session, message: &str) {
    session.take_event(&Event::Warning(WarningEvent { message: message.to_owned(), help: None }));
}

fn shown_path(path: &Path) -> String {
    path.display().to_string()
}

/// Returns the seed of all shards of a search at random, in hexadecimal: the stated one, that of the journal, or a new
/// one.
fn choose_seed(command: &StressArgs, journal: &Path) -> Option<String> {
    if command.exhaustive {
        return command.seed.map(|seed| format!("{seed:x}"));
    }
    let known = || JournalSet::open(&[journal.to_owned()]).ok()?.manifest().parts.get(SEED_PART).cloned();
    Some(command.seed.map(|seed| format!("{seed:x}")).or_else(known).unwrap_or_else(|| format!("{:x}", random_seed())))
}

/// Returns the number of blocks of a search, if it is known before its end.
fn count_blocks(command: &StressArgs) -> Option<u64> {
    let inputs = command.cases.filter(|_| !command.exhaustive)?;
    let block_inputs = command.block.unwrap_or_else(|| BlockPlan::default_block_inputs(inputs));
    Some(BlockPlan { inputs, block_inputs }.count_blocks())
}
