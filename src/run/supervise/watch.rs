//! Staying with a process until it ends, reaches a limit, or nobody wants it any more.

use super::observe::{self, Memory};
use super::{Care, Others};
use crate::run::sys::{BorrowedFd, Child, Waited};
use crate::run::{Cancel, LimitHit};
use std::io;
use std::time::{Duration, Instant};

/// How long a process runs unobserved. A program of a millisecond is waited for and never looked at.
const TICK: Duration = Duration::from_millis(20);

/// How often the wall time limit may be used up by waiting for a processor before that no longer counts.
pub(in crate::run) const PATIENCE: u32 = 4;

/// So often the memory that processes share is added up before the sum is believed.
#[cfg(target_os = "linux")]
const MOST_SUMS: usize = 4;

/// A program is stopped when the files in its folder take so many times what it may leave there.
const FILLING: u64 = 4;

/// Why we stopped watching.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::run) enum Stop {
    /// It ended by itself.
    Ended,
    /// It reached a limit and must be killed.
    Limit(LimitHit),
    /// Nobody wants it any more and it must be killed.
    Cancelled,
}

/// Who can tell us that nobody wants the process any more.
#[derive(Clone, Copy)]
pub(in crate::run) enum Master<'a> {
    /// Somebody in this process.
    Switch(&'a Cancel),
    /// Somebody at the other end of a line on which there is nothing else to say.
    #[cfg_attr(not(target_os = "linux"), allow(dead_code, reason = "there are no spawners here"))]
    Line(BorrowedFd<'a>),
}

/// One process under watch, with all that came of it if we can see that.
pub(super) struct Watch<'a> {
    child: &'a Child,
    care: &'a Care<'a>,
    started: Instant,
    /// The most resident memory seen, 0 if it ended before we looked.
    pub(super) memory_seen_bytes: u64,
    /// How long it was kept waiting for a processor, looked at when its wall time is used up.
    pub(super) waited: Duration,
    /// What those used whose parents are gone, as they themselves are.
    pub(super) orphans: Others,
}

impl<'a> Watch<'a> {
    /// A watch over a process that was started then.
    pub(super) fn new(child: &'a Child, care: &'a Care<'a>, started: Instant) -> Self {
        Watch { child, care, started, memory_seen_bytes: 0, waited: Duration::ZERO, orphans: Others::default() }
    }

    /// Waits until there is a reason to stop.
    ///
    /// # Errors
    ///
    /// The machine cannot wait for a process.
    pub(super) fn wait(&mut self) -> io::Result<Stop> {
        let line = match self.care.master {
            Master::Switch(_) => None,
            Master::Line(line) => Some(line),
        };
        loop {
            let pause = self.wall_left().min(TICK);
            match self.wait_for(pause, line)? {
                Waited::Ended => return Ok(Stop::Ended),
                Waited::Called => return Ok(Stop::Cancelled),
                Waited::InVain | Waited::Notified => {}
            }
            if matches!(self.care.master, Master::Switch(cancel) if cancel.cancelled()) {
                return Ok(Stop::Cancelled);
            }
            if let Some(limit) = self.look()? {
                return Ok(Stop::Limit(limit));
            }
        }
    }

    /// Waits for so long, answering meanwhile what a copy asks of its gate: however much that is, limits are looked at again.
    fn wait_for(&self, pause: Duration, line: Option<BorrowedFd<'_>>) -> io::Result<Waited> {
        let since = Instant::now();
        loop {
            let left = pause.saturating_sub(since.elapsed());
            let waited = self.child.wait(left, line, self.care.gate())?;
            #[cfg(target_os = "linux")]
            if let (Waited::Notified, Some(gate)) = (waited, self.care.gate) {
                gate.answer(|| Some(self.child.id()))?;
                if since.elapsed() < pause {
                    continue;
                }
            }
            return Ok(waited);
        }
    }

    fn wall_limit(&self) -> Duration {
        Duration::from_millis(self.care.limits.wall_time_limit_ms)
    }

    /// Wall time left; a little, and never none, when the rest is being waited for.
    fn wall_left(&self) -> Duration {
        self.wall_limit().saturating_sub(self.started.elapsed()).max(Duration::from_millis(1))
    }

    /// The limit that has been reached.
    fn look(&mut self) -> io::Result<Option<LimitHit>> {
        let main = observe::memory(self.child.id());
        self.memory_seen_bytes = self.memory_seen_bytes.max(main.peak_bytes);
        let cpu_time_us = self.child.cpu_time_us().unwrap_or(0) + observe::reaped_cpu_time_us(self.child.id());
        let others = self.look_at_others(main)?;
        let cpu_time_us = cpu_time_us + others.cpu_time_us;
        Ok(if cpu_time_us > self.care.limits.cpu_time_limit_ms.saturating_mul(1000) {
            Some(LimitHit::CpuTime)
        } else if others.are_over_memory || self.memory_seen_bytes > self.care.limits.memory_limit_bytes {
            Some(LimitHit::Memory)
        } else {
            self.late_or_wasteful()
        })
    }

    /// The limits that programs reach that do not compute.
    fn late_or_wasteful(&mut self) -> Option<LimitHit> {
        // Whether more than the limit is seen depends on when it is looked at: the verdict rests on what is there at the end.
        let limit = self.care.limits.output_limit_bytes.saturating_mul(FILLING);
        let used_bytes =
            self.care.folders.iter().flatten().map(|folder| folder.used_bytes()).fold(0, u64::saturating_add);
        if used_bytes > limit.saturating_add(self.care.packed_bytes) {
            return Some(LimitHit::Output);
        }
        self.is_late().then_some(LimitHit::WallTime)
    }

    /// Whether the wall time is used up, not counting the time it was ready to run and others ran instead.
    fn is_late(&mut self) -> bool {
        let elapsed = self.started.elapsed();
        if elapsed < self.wall_limit() {
            return false;
        }
        self.waited = self.waiting_time().min(elapsed);
        elapsed >= self.wall_limit() * PATIENCE || elapsed - self.waited >= self.wall_limit()
    }
}

impl Watch<'_> {
    /// How long the process and those that came of it were kept waiting for a processor, as far as they live: the driver of a
    /// compiler sleeps while the compiler itself waits. Where they waited side by side this is too much, which only gives them
    /// more time.
    fn waiting_time(&self) -> Duration {
        let others = self.others().into_iter().map(observe::waiting_time);
        others.fold(observe::waiting_time(self.child.id()), Duration::saturating_add)
    }
}

/// What is seen of the descendants of a process.
#[derive(Clone, Copy, Debug, Default)]
struct Seen {
    /// The processor time of all, those included that are gone.
    cpu_time_us: u64,
    /// Whether those who live use too much memory together.
    are_over_memory: bool,
}

#[cfg(not(target_os = "linux"))]
impl Watch<'_> {
    /// No other process is seen here.
    fn others(&self) -> Vec<i32> {
        Vec::new()
    }

    /// Nobody else is seen here.
    fn look_at_others(&mut self, _: Memory) -> io::Result<Seen> {
        Ok(Seen::default())
    }
}

#[cfg(target_os = "linux")]
impl Watch<'_> {
    /// The processes that descend from this one and live; none where they cannot be found.
    fn others(&self) -> Vec<i32> {
        let super::Reach::Tree(tree) = self.care.reach else { return Vec::new() };
        let mut pids = super::family::descendants_but(tree.spared);
        pids.retain(|pid| *pid != self.child.id());
        pids
    }

    /// Looks at everybody but the process itself, and buries the dead.
    fn look_at_others(&mut self, main: Memory) -> io::Result<Seen> {
        let super::Reach::Tree(tree) = self.care.reach else { return Ok(Seen::default()) };
        // It must not be the process itself: that one is taken note of when all is over.
        super::end::reap_others(&mut self.orphans, tree, Some(self.child.id()))?;
        let pids = self.others();
        let memories: Vec<Memory> = pids.iter().map(|pid| observe::memory(*pid)).collect();
        let peak = memories.iter().map(|memory| memory.peak_bytes).max();
        self.memory_seen_bytes = self.memory_seen_bytes.max(peak.unwrap_or(0));
        let own_bytes = main.own_bytes + memories.iter().map(|memory| memory.own_bytes).sum::<u64>();
        let living = pids.iter().map(|pid| observe::cpu_time_us(*pid)).sum::<u64>();
        Ok(Seen {
            cpu_time_us: living + self.orphans.cpu_time_us,
            are_over_memory: self.are_over_together(own_bytes, &pids),
        })
    }

    /// Whether all together use too much. Pages that are shared after a fork are counted once, but only when it
    /// matters: counting them so is slow.
    fn are_over_together(&self, own_bytes: u64, others: &[i32]) -> bool {
        let limit = self.care.limits.memory_limit_bytes;
        if others.is_empty() || own_bytes <= limit {
            return false;
        }
        // One is looked at after the other. If somebody ends meanwhile, the pages that were theirs together count more for
        // those who come next: then the sum is too large, and is taken again. Somebody who always changes has no excuse.
        for _ in 0..MOST_SUMS {
            let all = others.iter().copied().chain([self.child.id()]);
            let sum_bytes = all.map(observe::shared_memory_bytes).sum::<u64>();
            if sum_bytes <= limit {
                return false;
            }
            if others.iter().all(|pid| observe::memory(*pid).own_bytes > 0) {
                break;
            }
        }
        true
    }
}
