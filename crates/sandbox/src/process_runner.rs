//! The reference engine: one process for each run.

use super::classify::{LimitEvidence, find_limit_hit};
use super::fork_server::{MAX_IN_PLACE_BYTES, MAX_IN_PLACE_RUNS};
use super::isolation::SandboxPolicy;
use super::limits::MIB;
use super::memory_file::MemoryFile;
use super::process::{self, EndedProcess, ProcessIo, StandardStreams};
use super::run_files::RunFiles;
use super::spawner::ProcessLauncher;
use super::supervise::{MemoryPeak, RunRequest, StopReason};
use super::sys::{ExecImage, OwnedFd, ResourceLimits, RunError, RunStage};
use super::tuning::{IN_PLACE_CHECK_INTERVAL, MAX_BATCH_WAIT, MAX_UNCLEAN_RUNS};
use super::{CancelToken, RunJob, RunLimits, RunOutcome, Runner};
use rebut_diagnostics::{Error, Result};
use std::borrow::Cow;
use std::ffi::{CString, OsStr, OsString};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;
use tempfile::TempDir;

/// Maximum length of the error stream that is kept.
const MAX_STDERR_BYTES: u64 = 64 << 10;

/// Address space is not memory: libraries, guard pages and allocator reserves count too. A program gets this much more
/// address space than the memory limit; the memory that it actually touches is judged by its memory peak.
const ADDRESS_SPACE_SLACK_BYTES: u64 = 64 * MIB;

/// Maximum number of open files of a sandboxed program: each of them can be as large as an output.
const MAX_OPEN_FILES: u64 = 256;

/// The same for a compiler, which reads many files at once.
const MAX_COMPILER_OPEN_FILES: u64 = 4096;

/// Maximum number of additional runs of a program that took slightly too long; the shortest time counts.
const MAX_RERUNS: u32 = 2;

/// Placeholders in a command that depend on the limits of a run.
const MEMORY_MIB_PLACEHOLDER: &str = "{memory_mib}";
const STACK_MIB_PLACEHOLDER: &str = "{stack_mib}";
const STACK_KIB_PLACEHOLDER: &str = "{stack_kib}";

/// Runs a program as a process of its own, or as a forked copy of a server.
pub struct ProcessRunner {
    image: ExecImage,
    command: Vec<OsString>,
    limits_address_space: bool,
    stack_limit_bytes: u64,
    sandbox: Option<Arc<SandboxPolicy>>,
    spawners: Arc<ProcessLauncher>,
    /// Files that are attached to each run, unless the job has others with their names.
    own_files: Option<RunFiles>,
    /// How to start it as a fork server, if it can be one.
    fork_server: Option<ForkableProgram>,
    /// The path before the names of its sources, if its interpreter reads copies; left out of its error stream.
    copies_prefix: Option<String>,
    /// Folders that must live as long as this can run: the working directory, and a temporary cache.
    _kept_folders: Vec<Arc<TempDir>>,
}

/// How a [`ProcessRunner`] starts its program.
pub struct LaunchSpec {
    /// The program, as an absolute path, and its arguments; can contain placeholders for limits.
    pub command: Vec<OsString>,
    /// The whole environment.
    pub environment: Vec<(OsString, OsString)>,
    /// The working directory.
    pub directory: OsString,
    /// True if the memory limit can be enforced on the address space. Some runtimes reserve far more than they use.
    pub limits_address_space: bool,
    /// Maximum size of the stack, if less than the memory limit.
    pub stack_limit_bytes: u64,
    /// The sandbox policy; `None` for the user's own tools.
    pub sandbox: Option<SandboxPolicy>,
    /// Starts the processes.
    pub spawners: Arc<ProcessLauncher>,
    /// Files that are attached to each run.
    pub own_files: Option<RunFiles>,
    /// How to start it as a fork server, if it can be one.
    pub fork_server: Option<ForkServerSpec>,
    /// The folder of the copies of its sources, if its interpreter reads those.
    pub copies: Option<PathBuf>,
    /// Folders that must not be removed while it can run.
    pub kept_folders: Vec<Arc<TempDir>>,
}

/// How to start a program as a fork server.
pub struct ForkServerSpec {
    /// The program and its arguments, see [`LaunchSpec::command`].
    pub command: Vec<OsString>,
    /// Additional environment variables.
    pub environment: Vec<(OsString, OsString)>,
    /// True if its copies can choose a variant, see [`ProgramVariant`](super::ProgramVariant).
    pub takes_variants: bool,
    /// True if its copies can run it in place, or it does that by itself.
    pub runs_in_place: bool,
    /// False if no copies of it can be forked.
    pub forks: bool,
    /// How many times as long a new process takes to start as that of a compiled program.
    pub start_price: u64,
}

impl ProcessRunner {
    /// Creates a runner from a launch specification.
    ///
    /// # Errors
    ///
    /// Returns a `Usage` error if a word contains a NUL byte.
    pub fn new(spec: LaunchSpec) -> Result<Self> {
        let image = ExecImage {
            path: to_c_string(spec.command.first().map_or(OsStr::new(""), OsString::as_os_str))?,
            argv: Vec::new(),
            environment: to_environment_block(&spec.environment)?.into(),
            directory: to_c_string(&spec.directory)?,
        };
        let LaunchSpec {
            command,
            limits_address_space,
            stack_limit_bytes,
            sandbox,
            spawners,
            own_files,
            kept_folders: folders,
            ..
        } = spec;
        let sandbox = sandbox.map(Arc::new);
        // The folder of a server has no attached files.
        let fork_server = spec
            .fork_server
            .filter(|_| own_files.is_none() && spawners.check_fork_support().is_ok())
            .map(|server| ForkableProgram::new(server, &image));
        let fork_server = fork_server.transpose()?;
        Ok(ProcessRunner {
            image,
            command,
            limits_address_space,
            stack_limit_bytes,
            sandbox,
            spawners,
            own_files,
            fork_server,
            copies_prefix: spec.copies.map(|folder| format!("{}/", folder.display())),
            _kept_folders: folders,
        })
    }

    /// Builds the request for one run: as a process of its own, or as a forked copy.
    fn build_request(&self, job: &RunJob<'_>, server: Option<&ForkableProgram>) -> Result<RunRequest> {
        let (words, environment) = match server {
            Some(server) => (&server.command, &server.environment),
            None => (&self.command, &self.image.environment),
        };
        let own = words.iter().map(|word| to_c_string(&expand_placeholders(word, job.limits)));
        let argv = own.chain(job.args.iter().map(|word| to_c_string(word))).collect::<Result<Vec<_>>>()?;
        let path = argv.first().cloned().unwrap_or_default();
        let image =
            ExecImage { path, argv, environment: Arc::clone(environment), directory: self.image.directory.clone() };
        Ok(RunRequest {
            image,
            resources: self.resource_limits(job.limits),
            limits: job.limits.clone(),
            sandbox: self.sandbox.clone(),
            uses_fork_server: server.is_some_and(|server| server.forks),
            variant: 0,
            is_in_place: false,
            file_list: job.files.map(RunFiles::to_list),
        })
    }

    /// Returns the files of a run: those of the job, and the program's own.
    fn attached_files<'a>(&'a self, job: &RunJob<'a>) -> Result<Option<Cow<'a, RunFiles>>> {
        Ok(match (job.files, &self.own_files) {
            (Some(files), Some(own)) => Some(Cow::Owned(files.clone().completed_by(own)?)),
            (files, own) => files.or(own.as_ref()).map(Cow::Borrowed),
        })
    }

    /// Runs the job with these streams in a process of its own.
    fn execute_with_streams(
        &self,
        job: &RunJob<'_>,
        streams: StandardStreams<'_>,
        cancel: &CancelToken,
    ) -> Result<EndedProcess> {
        let files = self.attached_files(job)?;
        let job = RunJob { files: files.as_deref(), ..*job };
        let io = ProcessIo { streams, files: job.files };
        process::run_process(&self.spawners, &self.build_request(&job, None)?, io, cancel)
    }

    /// Returns the kernel's resource limits. A limited address space also limits the stack. A smaller limit on the
    /// stack alone would turn deep recursion into a crash, and one as large as the address space would leave no space
    /// for the stacks of threads, which have the same size by default.
    fn resource_limits(&self, limits: &RunLimits) -> ResourceLimits {
        let stack = limits.memory_limit_bytes.min(self.stack_limit_bytes);
        let address_space = limits.memory_limit_bytes.saturating_add(ADDRESS_SPACE_SLACK_BYTES);
        ResourceLimits {
            address_space_bytes: self.limits_address_space.then_some(address_space),
            stack_bytes: (!self.limits_address_space).then_some(stack),
            file_size_bytes: limits.output_limit_bytes.saturating_add(1),
            cpu_time_s: limits.cpu_time_limit_ms.div_ceil(1000).saturating_add(1),
            max_open_files: self
                .sandbox
                .as_ref()
                .map(|policy| if policy.compiler.is_some() { MAX_COMPILER_OPEN_FILES } else { MAX_OPEN_FILES }),
        }
    }

    /// Runs the program in place on the first of several inputs. A run that does not count is made by a copy, and so is
    /// one of many that do, to see that it makes no difference. Stops early after a while, and at a limit. Returns
    /// nothing if the program cannot be run in place.
    fn run_in_place(&self, inputs: &[&[u8]], limits: &RunLimits, cancel: &CancelToken) -> Result<Vec<RunOutcome>> {
        let Some(server) = self.fork_server.as_ref().filter(|server| server.can_run_in_place()) else {
            return Ok(Vec::new());
        };
        let batch = leading_batch(inputs);
        if batch.is_empty() {
            return Ok(Vec::new());
        }
        let job = RunJob::new(b"", limits);
        let started = Instant::now();
        let request = RunRequest { is_in_place: true, ..self.build_request(&job, Some(server))? };
        let ran = match process::try_run_in_place(&self.spawners, &request, batch, cancel)? {
            Ok(ran) => ran,
            Err(error) => {
                if !cancel.is_cancelled() {
                    server.in_place.retire();
                }
                if error.stage != RunStage::InPlace {
                    server.record_failure(&error, cancel);
                }
                return Ok(Vec::new());
            }
        };
        if ran.is_empty() {
            server.record_run_in_place(false);
        }
        let mut outcomes = Vec::with_capacity(ran.len());
        for (ended, input) in ran.into_iter().zip(batch) {
            let in_place = ended.map(|ended| self.to_run_outcome(ended, limits)).transpose()?;
            let is_checked = server.record_run_in_place(in_place.is_some());
            let in_place = match in_place {
                Some(outcome) if !is_checked => {
                    outcomes.push(outcome);
                    continue;
                }
                in_place => in_place,
            };
            let job = RunJob::new(input, limits);
            let run = || match self.run_copy(&job, 0, cancel)? {
                Some(copied) => Ok(copied),
                None => self.run(&job, cancel),
            };
            let copied = run()?;
            // A program that uses chance differs from itself.
            if in_place.is_some_and(|outcome| !is_same_result(&outcome, &copied)) && is_same_result(&run()?, &copied) {
                server.in_place.record_difference();
            }
            let is_last = copied.limit.is_some() || started.elapsed() > MAX_BATCH_WAIT;
            outcomes.push(copied);
            if is_last {
                break;
            }
        }
        Ok(outcomes)
    }

    /// Runs a forked copy of a variant of the program, or of the program itself if the number is 0. Returns `None` if
    /// the program cannot be forked.
    fn run_copy(&self, job: &RunJob<'_>, variant: u64, cancel: &CancelToken) -> Result<Option<RunOutcome>> {
        let Some(server) = self.fork_server.as_ref().filter(|server| server.can_fork()) else { return Ok(None) };
        let io = ProcessIo { streams: StandardStreams::Input(job.input), files: job.files };
        let request = RunRequest { variant, ..self.build_request(job, Some(server))? };
        match process::try_run_process(&self.spawners, &request, io, cancel)? {
            Ok(ended) => self.to_run_outcome(ended, job.limits).map(Some),
            Err(error) => {
                server.record_failure(&error, cancel);
                Ok(None)
            }
        }
    }

    /// Runs the job and returns the ended process, without classifying the result.
    ///
    /// # Errors
    ///
    /// See [`Runner::run`].
    pub fn execute_job(&self, job: &RunJob<'_>, cancel: &CancelToken) -> Result<EndedProcess> {
        self.execute_with_streams(job, StandardStreams::Input(job.input), cancel)
    }

    fn to_run_outcome(&self, ended: EndedProcess, limits: &RunLimits) -> Result<RunOutcome> {
        let (output, out_bytes) = ended.stdout.read_head(limits.output_limit_bytes)?;
        let (stderr, err_bytes) = ended.stderr.read_tail(MAX_STDERR_BYTES)?;
        let facts = LimitEvidence {
            stop: ended.stop,
            exit: ended.exit,
            cpu_time_us: ended.cpu_time_us,
            memory: ended.memory,
            written_bytes: if ended.collected.is_truncated { u64::MAX } else { out_bytes.max(err_bytes) },
            stderr: &stderr,
        };
        let (MemoryPeak::Known(memory_peak_bytes) | MemoryPeak::AtMost(memory_peak_bytes)) = ended.memory;
        Ok(RunOutcome {
            exit: ended.exit,
            limit: find_limit_hit(&facts, limits),
            cpu_time_us: ended.cpu_time_us,
            wall_time_us: ended.wall_time_us,
            memory_peak_bytes,
            output,
            stderr: self.name_sources(stderr),
            files: ended.collected.files,
        })
    }

    /// Replaces the paths of copied sources in an error stream by their names.
    fn name_sources(&self, stderr: Vec<u8>) -> Vec<u8> {
        match (&self.copies_prefix, str::from_utf8(&stderr)) {
            (Some(prefix), Ok(text)) if text.contains(prefix) => text.replace(prefix, "").into_bytes(),
            _ => stderr,
        }
    }
}

/// A program that can be a fork server.
struct ForkableProgram {
    command: Vec<OsString>,
    takes_variants: bool,
    /// False if no copies of it can be forked.
    forks: bool,
    start_price: u64,
    in_place: InPlaceUse,
    environment: Arc<Vec<CString>>,
    /// The arguments of the last run.
    arguments: Mutex<Vec<OsString>>,
    /// Number of copies that the operating system refused.
    failures: AtomicU32,
    /// Why it is no longer forked, once there is a reason.
    refusal: Mutex<Option<String>>,
}

impl ForkableProgram {
    /// Maximum number of copies that the operating system refuses before forking is disabled.
    const MAX_FAILURES: u32 = 3;

    fn new(spec: ForkServerSpec, image: &ExecImage) -> Result<ForkableProgram> {
        let environment = [image.environment.as_slice(), &to_environment_block(&spec.environment)?].concat();
        Ok(ForkableProgram {
            command: spec.command,
            takes_variants: spec.takes_variants,
            forks: spec.forks,
            start_price: spec.start_price,
            in_place: InPlaceUse { is_possible: AtomicBool::new(spec.runs_in_place), ..InPlaceUse::default() },
            environment: environment.into(),
            arguments: Mutex::default(),
            failures: AtomicU32::new(0),
            refusal: Mutex::default(),
        })
    }

    fn can_fork(&self) -> bool {
        self.forks && self.failures.load(Ordering::Relaxed) < Self::MAX_FAILURES
    }

    fn can_run_in_place(&self) -> bool {
        self.in_place.is_possible() && self.failures.load(Ordering::Relaxed) < Self::MAX_FAILURES
    }

    /// Records a run in place, and returns true if it is to be compared with a copy. If there are no copies, it is compared with
    /// a new process, which costs more: the 2nd, 32nd and 512th are, and so on.
    fn record_run_in_place(&self, counts: bool) -> bool {
        let runs = self.in_place.record_run(counts);
        let (interval, step) = if self.forks { (1, 1) } else { (self.start_price, 4) };
        runs.is_power_of_two() && runs.trailing_zeros() % step == 1 % step
            || runs.is_multiple_of(IN_PLACE_CHECK_INTERVAL * interval)
    }

    /// Returns true if the last run had the same arguments, or none.
    fn repeats_arguments(&self, arguments: &[OsString]) -> bool {
        let mut last = self.arguments.lock().unwrap_or_else(PoisonError::into_inner);
        let is_repeated = *last == arguments;
        if !is_repeated {
            *last = arguments.to_vec();
        }
        is_repeated
    }

    /// Records a failed fork. A program that cannot be forked is not tried again; a resource that the operating system
    /// lacked can be available the next time.
    fn record_failure(&self, error: &RunError, cancel: &CancelToken) {
        if cancel.is_cancelled() {
            return;
        }
        if error.stage == RunStage::Copy && error.cause.raw_os_error().is_none() {
            self.disable_forking(error.cause.to_string());
        } else if self.failures.fetch_add(1, Ordering::Relaxed) + 1 >= Self::MAX_FAILURES {
            self.disable_forking(format!("the operating system refuses to fork it ({})", error.cause));
        }
    }

    /// Disables forking, and keeps the first reason.
    fn disable_forking(&self, reason: String) {
        self.lock_refusal().get_or_insert(reason);
        self.failures.store(Self::MAX_FAILURES, Ordering::Relaxed);
    }

    fn lock_refusal(&self) -> MutexGuard<'_, Option<String>> {
        // The stored reason is complete whenever the lock is free, even after a panic elsewhere.
        self.refusal.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Whether and how well a program runs in place.
#[derive(Default)]
struct InPlaceUse {
    is_possible: AtomicBool,
    /// True if a run in place had another result than a copy.
    has_difference: AtomicBool,
    runs: AtomicU64,
    /// Runs that did not count.
    unclean_runs: AtomicU64,
}

impl InPlaceUse {
    fn is_possible(&self) -> bool {
        self.is_possible.load(Ordering::Relaxed)
    }

    fn retire(&self) {
        self.is_possible.store(false, Ordering::Relaxed);
    }

    fn record_difference(&self) {
        self.has_difference.store(true, Ordering::Relaxed);
        self.retire();
    }

    /// Records a run, and returns how many there were. A program of which many runs do not count is no longer run in place.
    fn record_run(&self, counts: bool) -> u64 {
        let runs = self.runs.fetch_add(1, Ordering::Relaxed) + 1;
        if !counts {
            let unclean = self.unclean_runs.fetch_add(1, Ordering::Relaxed) + 1;
            if unclean >= MAX_UNCLEAN_RUNS && unclean > runs / 4 {
                self.retire();
            }
        }
        runs
    }
}

/// Returns true if two runs do the same, as far as a judge sees.
fn is_same_result(one: &RunOutcome, other: &RunOutcome) -> bool {
    (one.exit, one.limit, &one.output) == (other.exit, other.limit, &other.output)
}

impl Runner for ProcessRunner {
    fn run(&self, job: &RunJob<'_>, cancel: &CancelToken) -> Result<RunOutcome> {
        let limits = job.limits.including_slack();
        let with_slack = RunJob { limits: &limits, ..*job };
        let mut best = self.execute_job(&with_slack, cancel)?;
        for _ in 0..MAX_RERUNS {
            if !is_near_time_limit(&best, job.limits) {
                break;
            }
            let again = self.execute_job(&with_slack, cancel)?;
            if again.cpu_time_us < best.cpu_time_us {
                best = again;
            }
        }
        self.to_run_outcome(best, job.limits)
    }

    fn run_fast(&self, job: &RunJob<'_>, cancel: &CancelToken) -> Result<RunOutcome> {
        // Runs in place have no files.
        let in_place = if job.args.is_empty() && job.files.is_none() {
            self.run_in_place(&[job.input], job.limits, cancel)?.pop()
        } else {
            None
        };
        // A server is started with fixed arguments: those of a judge stay the same from run to run.
        let is_repeated = self.fork_server.as_ref().is_some_and(|server| server.repeats_arguments(job.args));
        let ran = if in_place.is_none() && is_repeated { self.run_copy(job, 0, cancel)? } else { in_place };
        ran.map_or_else(|| self.run(job, cancel), Ok)
    }

    fn run_variant_copy(&self, job: &RunJob<'_>, variant: u64, cancel: &CancelToken) -> Result<Option<RunOutcome>> {
        let takes_variants = self.fork_server.as_ref().is_some_and(|server| server.takes_variants);
        if takes_variants { self.run_copy(job, variant, cancel) } else { Ok(None) }
    }

    fn run_batch(&self, inputs: &[&[u8]], limits: &RunLimits, cancel: &CancelToken) -> Result<Vec<RunOutcome>> {
        self.run_in_place(inputs, limits, cancel)
    }

    fn run_counting_reads(&self, job: &RunJob<'_>, cancel: &CancelToken) -> Result<Option<(RunOutcome, u64)>> {
        let input = MemoryFile::create_sealed(job.input)?;
        let ended = self.execute_with_streams(job, StandardStreams::File(&input), cancel)?;
        Ok(Some((self.to_run_outcome(ended, job.limits)?, input.read_position()?)))
    }

    fn run_with_pipes(&self, job: &RunJob<'_>, pipes: [OwnedFd; 2], cancel: &CancelToken) -> Result<RunOutcome> {
        let with_slack = RunJob { limits: &job.limits.including_slack(), ..*job };
        self.to_run_outcome(self.execute_with_streams(&with_slack, StandardStreams::Pipes(pipes), cancel)?, job.limits)
    }

    fn has_fast_path(&self) -> bool {
        self.fork_server.as_ref().is_some_and(|server| server.can_fork() || server.can_run_in_place())
    }

    fn start_price(&self) -> u64 {
        self.fork_server.as_ref().map_or(1, |server| server.start_price)
    }

    fn fast_path_refusal(&self) -> Option<String> {
        let server = self.fork_server.as_ref()?;
        let refusal = server.lock_refusal().clone();
        let differs = server.in_place.has_difference.load(Ordering::Relaxed);
        refusal.or_else(|| {
            differs.then(|| "its output differs from run to run, or when its process is used again".to_owned())
        })
    }
}

/// Returns the first inputs, as many as fit into one batch.
fn leading_batch<'i, 'b>(inputs: &'i [&'b [u8]]) -> &'i [&'b [u8]] {
    let mut bytes = 0;
    let fits = |input: &&&[u8]| {
        bytes += input.len();
        bytes <= MAX_IN_PLACE_BYTES
    };
    &inputs[..inputs.iter().take(MAX_IN_PLACE_RUNS).take_while(fits).count()]
}

/// Returns true if the process ended by itself just after its time limit; a busy machine can be the reason.
fn is_near_time_limit(ended: &EndedProcess, limits: &RunLimits) -> bool {
    ended.stop == StopReason::Ended && ended.cpu_time_us > limits.cpu_time_limit_ms.saturating_mul(1000)
}

/// Replaces placeholders in a word of a command. The stack of a runtime that manages its own gets half of the memory.
fn expand_placeholders(word: &OsStr, limits: &RunLimits) -> OsString {
    let Some(text) = word.to_str().filter(|text| text.contains('{')) else {
        return word.to_owned();
    };
    let memory_mib = (limits.memory_limit_bytes / MIB).max(1);
    let stack_mib = (memory_mib / 2).clamp(1, 1000);
    let text = text.replace(MEMORY_MIB_PLACEHOLDER, &memory_mib.to_string());
    let text = text.replace(STACK_MIB_PLACEHOLDER, &stack_mib.to_string());
    text.replace(STACK_KIB_PLACEHOLDER, &(stack_mib * 1024).to_string()).into()
}

/// Returns the variables as `NAME=value`.
fn to_environment_block(environment: &[(OsString, OsString)]) -> Result<Vec<CString>> {
    let variable = |(name, value): &(OsString, OsString)| to_c_string(&[name.as_os_str(), value].join(OsStr::new("=")));
    environment.iter().map(variable).collect()
}

fn to_c_string(word: &OsStr) -> Result<CString> {
    let nul_error = || Error::usage_error(format!("`{}` contains a NUL character", Path::new(word).display()));
    CString::new(word.as_encoded_bytes()).map_err(|_| nul_error())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limit_placeholders_are_expanded() {
        let limits = RunLimits { memory_limit_bytes: 256 * MIB, ..RunLimits::default() };
        assert_eq!(expand_placeholders(OsStr::new("-Xmx{memory_mib}m"), &limits), "-Xmx256m");
        assert_eq!(expand_placeholders(OsStr::new("--stack-size={stack_kib}"), &limits), "--stack-size=131072");
        assert_eq!(expand_placeholders(OsStr::new("{other}"), &limits), "{other}");
    }
}
