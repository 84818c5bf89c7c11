//! Watches a process until it ends, reaches a limit or is cancelled.

use super::observe::{self, MemorySample};
use super::{DescendantUsage, SupervisionConfig};
use crate::sys::{BorrowedFd, ChildProcess, WaitResult};
#[cfg(target_os = "linux")]
use crate::tuning::MAX_MEMORY_SUMS;
use crate::tuning::{MAX_DISK_USE_FACTOR, MAX_WALL_TIME_FACTOR, POLL_INTERVAL};
use crate::{CancelToken, LimitHit};
use std::io;
use std::time::{Duration, Instant};

/// Why watching stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StopReason {
    /// The process ended by itself.
    Ended,
    /// It reached a limit and must be killed.
    Limit(LimitHit),
    /// It was cancelled and must be killed.
    Cancelled,
}

/// Where the cancellation of a run comes from.
#[derive(Clone, Copy)]
pub(crate) enum CancelSource<'a> {
    /// A token in this process.
    Token(&'a CancelToken),
    /// A socket of the client, which carries no other message during a run.
    #[cfg_attr(not(target_os = "linux"), allow(dead_code, reason = "only spawners use it"))]
    Socket(BorrowedFd<'a>),
}

/// Watches one process, and its descendants where they are visible.
pub(super) struct ProcessWatcher<'a> {
    child: &'a ChildProcess,
    config: &'a SupervisionConfig<'a>,
    started: Instant,
    /// The largest resident memory seen, 0 if the process ended before the first look.
    pub(super) memory_seen_bytes: u64,
    /// How long the process waited for a processor; measured when its wall time is used up.
    pub(super) delay: Duration,
    /// Resources used by reaped orphans.
    pub(super) orphan_usage: DescendantUsage,
}

impl<'a> ProcessWatcher<'a> {
    /// Creates a watcher of a process that was started at the given time.
    pub(super) fn new(child: &'a ChildProcess, config: &'a SupervisionConfig<'a>, started: Instant) -> Self {
        ProcessWatcher {
            child,
            config,
            started,
            memory_seen_bytes: 0,
            delay: Duration::ZERO,
            orphan_usage: DescendantUsage::default(),
        }
    }

    /// Waits until there is a reason to stop.
    ///
    /// # Errors
    ///
    /// Returns an error if the operating system cannot wait for the process.
    pub(super) fn wait(&mut self) -> io::Result<StopReason> {
        let socket = match self.config.cancel_source {
            CancelSource::Token(_) => None,
            CancelSource::Socket(socket) => Some(socket),
        };
        loop {
            let pause = self.wall_time_left().min(POLL_INTERVAL);
            match self.wait_answering(pause, socket)? {
                WaitResult::Ended => return Ok(StopReason::Ended),
                WaitResult::SocketReadable => return Ok(StopReason::Cancelled),
                WaitResult::TimedOut | WaitResult::Notified => {}
            }
            if matches!(self.config.cancel_source, CancelSource::Token(cancel) if cancel.is_cancelled()) {
                return Ok(StopReason::Cancelled);
            }
            if let Some(limit) = self.check_limits()? {
                return Ok(StopReason::Limit(limit));
            }
        }
    }

    /// Waits for the given time, answering notifications of a forked copy meanwhile. However many there are, it returns
    /// in time to check limits again.
    fn wait_answering(&self, pause: Duration, socket: Option<BorrowedFd<'_>>) -> io::Result<WaitResult> {
        let since = Instant::now();
        loop {
            let left = pause.saturating_sub(since.elapsed());
            let waited = self.child.wait(left, socket, self.config.gate_fd())?;
            #[cfg(target_os = "linux")]
            if let (WaitResult::Notified, Some(gate)) = (waited, self.config.gate) {
                gate.answer_notifications(|| Some(self.child.pid()))?;
                if since.elapsed() < pause {
                    continue;
                }
            }
            return Ok(waited);
        }
    }

    fn wall_time_limit(&self) -> Duration {
        Duration::from_millis(self.config.limits.wall_time_limit_ms)
    }

    /// Returns the wall time left, but at least a millisecond.
    fn wall_time_left(&self) -> Duration {
        self.wall_time_limit().saturating_sub(self.started.elapsed()).max(Duration::from_millis(1))
    }

    fn check_limits(&mut self) -> io::Result<Option<LimitHit>> {
        let main = observe::sample_memory(self.child.pid());
        self.memory_seen_bytes = self.memory_seen_bytes.max(main.peak_bytes);
        let cpu_time_us = self.child.cpu_time_us().unwrap_or(0) + observe::reaped_cpu_time_us(self.child.pid());
        let others = self.sample_descendants(main)?;
        let cpu_time_us = cpu_time_us + others.cpu_time_us;
        Ok(if cpu_time_us > self.config.limits.cpu_time_limit_ms.saturating_mul(1000) {
            Some(LimitHit::CpuTime)
        } else if others.is_over_memory || self.memory_seen_bytes > self.config.limits.memory_limit_bytes {
            Some(LimitHit::Memory)
        } else {
            self.check_disk_and_wall_time()
        })
    }

    /// Checks the limits that a program can reach without computing.
    fn check_disk_and_wall_time(&mut self) -> Option<LimitHit> {
        // The amount seen depends on timing, so the verdict rests on what is there at the end; this only stops a
        // program that fills the disk.
        let limit = self.config.limits.output_limit_bytes.saturating_mul(MAX_DISK_USE_FACTOR);
        let used_bytes =
            self.config.folders.iter().flatten().map(|folder| folder.used_bytes()).fold(0, u64::saturating_add);
        if used_bytes > limit.saturating_add(self.config.initial_bytes) {
            return Some(LimitHit::Output);
        }
        self.is_over_wall_time().then_some(LimitHit::WallTime)
    }

    /// Returns true if the wall time is used up, not counting time spent waiting for a processor.
    fn is_over_wall_time(&mut self) -> bool {
        let elapsed = self.started.elapsed();
        if elapsed < self.wall_time_limit() {
            return false;
        }
        self.delay = self.scheduling_delay().min(elapsed);
        elapsed >= self.wall_time_limit() * MAX_WALL_TIME_FACTOR || elapsed - self.delay >= self.wall_time_limit()
    }
}

impl ProcessWatcher<'_> {
    /// Returns how long the process and its living descendants waited for a processor: the driver of a compiler sleeps
    /// while the compiler itself waits. Where they waited in parallel the sum is too large, which only gives them more
    /// time.
    fn scheduling_delay(&self) -> Duration {
        let others = self.descendant_pids().into_iter().map(observe::scheduling_delay);
        others.fold(observe::scheduling_delay(self.child.pid()), Duration::saturating_add)
    }
}

/// A look at the descendants of a process.
#[derive(Clone, Copy, Debug, Default)]
struct DescendantSample {
    /// The processor time of all of them, including those that have ended.
    cpu_time_us: u64,
    /// True if the living processes together use too much memory.
    is_over_memory: bool,
}

#[cfg(not(target_os = "linux"))]
impl ProcessWatcher<'_> {
    /// Always empty: descendants cannot be listed on this system.
    fn descendant_pids(&self) -> Vec<i32> {
        Vec::new()
    }

    /// Always zero: descendants cannot be listed on this system.
    fn sample_descendants(&mut self, _: MemorySample) -> io::Result<DescendantSample> {
        Ok(DescendantSample::default())
    }
}

#[cfg(target_os = "linux")]
impl ProcessWatcher<'_> {
    /// Returns the living descendants of the process; none where they cannot be listed.
    fn descendant_pids(&self) -> Vec<i32> {
        let super::KillScope::Tree(tree) = self.config.kill_scope else { return Vec::new() };
        let mut pids = super::descendants::descendants_except(tree.spared);
        pids.retain(|pid| *pid != self.child.pid());
        pids
    }

    /// Samples all descendants, and reaps those that have ended.
    fn sample_descendants(&mut self, main: MemorySample) -> io::Result<DescendantSample> {
        let super::KillScope::Tree(tree) = self.config.kill_scope else { return Ok(DescendantSample::default()) };
        // The process itself is reaped last, by the caller.
        super::termination::reap_descendants(&mut self.orphan_usage, tree, Some(self.child.pid()))?;
        let pids = self.descendant_pids();
        let memories: Vec<MemorySample> = pids.iter().map(|pid| observe::sample_memory(*pid)).collect();
        let peak = memories.iter().map(|memory| memory.peak_bytes).max();
        self.memory_seen_bytes = self.memory_seen_bytes.max(peak.unwrap_or(0));
        let own_bytes = main.own_bytes + memories.iter().map(|memory| memory.own_bytes).sum::<u64>();
        let living = pids.iter().map(|pid| observe::cpu_time_us(*pid)).sum::<u64>();
        Ok(DescendantSample {
            cpu_time_us: living + self.orphan_usage.cpu_time_us,
            is_over_memory: self.is_over_memory(own_bytes, &pids),
        })
    }

    /// Returns true if all processes together use too much memory. Pages that are shared after a fork count once. That
    /// is slow to compute, so it is done only if a simple sum exceeds the limit.
    fn is_over_memory(&self, own_bytes: u64, others: &[i32]) -> bool {
        let limit = self.config.limits.memory_limit_bytes;
        if others.is_empty() || own_bytes <= limit {
            return false;
        }
        // The processes are sampled one after the other. If one of them ends meanwhile, its share of common pages moves
        // to those sampled later, and the sum is too large: so it is computed again. A program that keeps replacing its
        // processes is over the limit after a few attempts.
        for _ in 0..MAX_MEMORY_SUMS {
            let all = others.iter().copied().chain([self.child.pid()]);
            let sum_bytes = all.map(observe::proportional_memory_bytes).sum::<u64>();
            if sum_bytes <= limit {
                return false;
            }
            if others.iter().all(|pid| observe::sample_memory(*pid).own_bytes > 0) {
                break;
            }
        }
        true
    }
}
