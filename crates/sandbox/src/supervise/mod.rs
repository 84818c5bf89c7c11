//! Supervises one run, from its start until no process of it is left.
//!
//! A run is [started](start_with_retries) and [supervised](supervise_run) by the same code in rebut itself and in a
//! spawner. A spawner is an ancestor of every process of the run, so it can supervise all of them.

#[cfg(target_os = "linux")]
mod descendants;
#[cfg(target_os = "linux")]
mod gate;
mod observe;
#[cfg(target_os = "linux")]
mod readiness_timer;
#[cfg(target_os = "linux")]
mod termination;
mod watch;

#[cfg(target_os = "linux")]
pub(super) use descendants::{ChildList, descriptor_count, has_children, thread_count};
#[cfg(target_os = "linux")]
pub(super) use gate::ForkServerGate;
#[cfg(target_os = "linux")]
pub(super) use readiness_timer::ReadinessTimer;
#[cfg(target_os = "linux")]
pub(super) use termination::kill_all_except;
pub(super) use watch::CancelSource;
pub use watch::StopReason;

use super::isolation::SandboxPolicy;
use super::isolation::work_folder::WorkFolder;
use super::run_files::RunFileList;
#[cfg(target_os = "linux")]
use super::sys::AsFd;
use super::sys::{
    BorrowedFd, ChildProcess, ExecImage, ProcessStart, ProcessUsage, ResourceLimits, RunError, RunStage,
    own_memory_peak_bytes,
};
use super::{LimitHit, RunLimits};
use crate::tuning::MAX_BUSY_RETRIES;
use std::io;
use std::sync::Arc;
use std::time::{Duration, Instant};
use watch::ProcessWatcher;

/// A program to run, with its limits and sandbox.
#[derive(Clone, Debug)]
#[cfg_attr(test, derive(PartialEq, Eq))]
pub(super) struct RunRequest {
    /// The program to execute.
    pub(super) image: ExecImage,
    /// The limits that the kernel enforces.
    pub(super) resources: ResourceLimits,
    /// The limits that rebut enforces.
    pub(super) limits: RunLimits,
    /// True if the program is a fork server, of which a copy is to run.
    pub(super) uses_fork_server: bool,
    /// The variant of the program that the copy is to run; 0 for the program itself.
    #[cfg_attr(not(target_os = "linux"), allow(dead_code, reason = "fork servers need Linux"))]
    pub(super) variant: u64,
    /// True if the copy is to run the program in place, on many inputs.
    #[cfg_attr(not(target_os = "linux"), allow(dead_code, reason = "fork servers need Linux"))]
    pub(super) is_in_place: bool,
    /// The sandbox, which only a spawner can apply.
    #[cfg_attr(not(target_os = "linux"), allow(dead_code, reason = "the sandbox needs Linux"))]
    pub(super) sandbox: Option<Arc<SandboxPolicy>>,
    /// The names of the attached and the collected files; their descriptors are passed separately.
    pub(super) file_list: Option<RunFileList>,
}

/// How a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct SupervisionReport {
    /// Why supervision stopped.
    pub(super) stop: StopReason,
    /// The wait status, undecoded.
    pub(super) status: i32,
    /// Processor time of the process and all its descendants, in microseconds.
    pub(super) cpu_time_us: u64,
    /// Elapsed time in microseconds. If the wall time limit was reached, time spent waiting for a processor is
    /// excluded.
    pub(super) wall_time_us: u64,
    pub(super) memory: MemoryPeak,
}

/// A memory peak, and whether it is the program's own.
///
/// Until a new process executes its program, the kernel attributes to it the memory of the process that started it. So
/// a peak above the starter's own is the program's, and a lower one can be the starter's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum MemoryPeak {
    /// The program's own peak.
    Known(u64),
    /// An upper bound on it.
    AtMost(u64),
}

/// How a run is supervised.
pub(super) struct SupervisionConfig<'a> {
    /// The limits that rebut enforces.
    pub(super) limits: &'a RunLimits,
    /// Where a cancellation comes from.
    pub(super) cancel_source: CancelSource<'a>,
    /// Which processes are killed at the end.
    pub(super) kill_scope: KillScope<'a>,
    /// The folders that the run writes into. Their size is limited.
    pub(super) folders: [Option<&'a WorkFolder>; 2],
    /// Size of their contents at the start.
    pub(super) initial_bytes: u64,
    /// The gate of the fork server that the process was forked from.
    #[cfg(target_os = "linux")]
    pub(super) gate: Option<&'a ForkServerGate>,
}

impl SupervisionConfig<'_> {
    /// Returns the descriptor to poll for system calls of the run that wait for an answer.
    fn gate_fd(&self) -> Option<BorrowedFd<'_>> {
        #[cfg(target_os = "linux")]
        return self.gate.map(AsFd::as_fd);
        #[cfg(not(target_os = "linux"))]
        None
    }
}

/// Which processes a run consists of.
#[derive(Clone, Copy, Debug)]
pub(super) enum KillScope<'a> {
    /// The process and its process group.
    Group,

    /// Every descendant of this process, which is a subreaper, except the spared children.
    #[cfg_attr(not(target_os = "linux"), allow(dead_code, reason = "descendants can be listed on Linux only"))]
    Tree(ProcessTree<'a>),
}

/// The descendants of this process.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(not(target_os = "linux"), allow(dead_code, reason = "descendants can be listed on Linux only"))]
pub(super) struct ProcessTree<'a> {
    /// Children that are not part of the run.
    pub(super) spared: &'a [i32],
    #[cfg(target_os = "linux")]
    pub(super) children: &'a ChildList,
}

/// Supervises a process until it ends, reaches a limit or is cancelled, and then kills its remaining descendants.
///
/// # Errors
///
/// Returns an error if the operating system refuses.
pub(super) fn supervise_run(
    child: ChildProcess,
    started: Instant,
    config: &SupervisionConfig<'_>,
) -> Result<SupervisionReport, RunError> {
    let mut watch = ProcessWatcher::new(&child, config, started);
    let stop = watch.wait().map_err(|cause| RunError { stage: RunStage::Wait, cause })?;
    let (seen_bytes, orphans, delay) = (watch.memory_seen_bytes, watch.orphan_usage, watch.delay);
    let is_alone = stop == StopReason::Ended && has_no_descendants(&child, config.kill_scope);
    if !is_alone {
        // The process has not been reaped, so its process group ID cannot have been reused, and the remaining members
        // of the group die with it.
        child.kill_group();
    }
    let main = child.reap().map_err(|cause| RunError { stage: RunStage::Wait, cause })?;
    let rest = if is_alone { Ok(DescendantUsage::default()) } else { kill_remaining(config.kill_scope) };
    let rest = rest.map_err(|cause| RunError { stage: RunStage::End, cause })?;
    // A process can write too much and then wait until its time is over.
    let may_leave = matches!(stop, StopReason::Ended | StopReason::Limit(LimitHit::WallTime));
    let stop = if may_leave && has_output_overflow(config) { StopReason::Limit(LimitHit::Output) } else { stop };
    Ok(SupervisionReport {
        stop,
        status: main.status,
        cpu_time_us: main.cpu_time_us + orphans.cpu_time_us + rest.cpu_time_us,
        // Waiting for a processor is not idling: otherwise a busy machine would turn computing programs into idle ones.
        wall_time_us: started.elapsed().saturating_sub(delay).as_micros() as u64,
        memory: to_memory_peak(
            &main,
            seen_bytes.max(orphans.memory_peak_bytes).max(rest.memory_peak_bytes),
            own_memory_peak_bytes(),
        ),
    })
}

/// Returns true if the run left more in its folder than it was allowed to write. No process works there any more, so
/// the result does not depend on timing.
fn has_output_overflow(config: &SupervisionConfig<'_>) -> bool {
    let size_bytes = config.folders.iter().flatten().map(|folder| folder.size_bytes()).fold(0, u64::saturating_add);
    size_bytes > config.limits.output_limit_bytes.saturating_add(config.initial_bytes)
}

/// The resources used by descendants other than the main process.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct DescendantUsage {
    cpu_time_us: u64,
    memory_peak_bytes: u64,
}

impl DescendantUsage {
    #[cfg(target_os = "linux")]
    fn add_usage(&mut self, usage: &ProcessUsage) {
        self.cpu_time_us += usage.cpu_time_us;
        self.memory_peak_bytes = self.memory_peak_bytes.max(usage.memory_peak_bytes);
    }
}

#[cfg(target_os = "linux")]
impl ProcessTree<'_> {
    /// Returns true if this process certainly has no children except the spared ones, and `and` if given.
    fn has_only_spared_children(&self, and: Option<i32>) -> bool {
        let is_known = |pid: &i32| Some(*pid) == and || self.spared.contains(pid);
        self.children.current_pids().iter().all(is_known)
    }
}

/// Returns true if a process that has ended, but is not reaped, has certainly left no descendants: they would be
/// children of this process by now.
#[cfg(target_os = "linux")]
fn has_no_descendants(ended: &ChildProcess, scope: KillScope<'_>) -> bool {
    matches!(scope, KillScope::Tree(tree) if ended.has_left_no_descendants() || tree.has_only_spared_children(Some(ended.pid())))
}

/// Always false: descendants cannot be listed on this system.
#[cfg(not(target_os = "linux"))]
fn has_no_descendants(_: &ChildProcess, _: KillScope<'_>) -> bool {
    false
}

/// Kills the remaining processes and returns the resources that they used.
fn kill_remaining(scope: KillScope<'_>) -> io::Result<DescendantUsage> {
    match scope {
        #[cfg(target_os = "linux")]
        KillScope::Tree(tree) => termination::kill_descendants(tree),
        _ => Ok(DescendantUsage::default()),
    }
}

/// Starts a program. Retries if another process still has the executable open for writing.
///
/// # Errors
///
/// Returns an error if the operating system refuses another process, or if the program cannot be executed.
pub(super) fn start_with_retries(start: &ProcessStart<'_>) -> Result<ChildProcess, RunError> {
    for _ in 0..MAX_BUSY_RETRIES {
        match ChildProcess::start(start) {
            Err(error) if is_executable_busy(&error) => std::thread::sleep(Duration::from_millis(2)),
            result => return result,
        }
    }
    ChildProcess::start(start)
}

fn is_executable_busy(error: &RunError) -> bool {
    error.cause.kind() == io::ErrorKind::ExecutableFileBusy
}

fn to_memory_peak(main: &ProcessUsage, seen_bytes: u64, own_peak_bytes: u64) -> MemoryPeak {
    let peak = main.memory_peak_bytes.max(seen_bytes);
    if peak > own_peak_bytes {
        MemoryPeak::Known(peak)
    } else if seen_bytes > 0 {
        MemoryPeak::Known(seen_bytes)
    } else {
        MemoryPeak::AtMost(peak)
    }
}
