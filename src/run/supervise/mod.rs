//! One run from its start until nothing is left of it.
//!
//! It is [started](start) and [attended](attend) in the same way wherever that happens: in rebut itself, or in a spawner, which stands above
//! everything that a program started and so can look after all of it.

#[cfg(target_os = "linux")]
mod end;
#[cfg(target_os = "linux")]
mod family;
#[cfg(target_os = "linux")]
mod gate;
mod observe;
#[cfg(target_os = "linux")]
mod waiting;
mod watch;

#[cfg(target_os = "linux")]
pub(super) use end::end_everything_but;
#[cfg(target_os = "linux")]
pub(super) use family::{OwnChildren, descriptor_count, has_children, thread_count};
#[cfg(target_os = "linux")]
pub(super) use gate::Gate;
#[cfg(target_os = "linux")]
pub(super) use waiting::Waiting;
#[cfg(target_os = "linux")]
pub(super) use watch::PATIENCE;
pub(super) use watch::{Master, Stop};

use super::isolation::Walls;
use super::isolation::folder::Folder;
use super::luggage::PackingList;
#[cfg(target_os = "linux")]
use super::sys::AsFd;
use super::sys::{BorrowedFd, Child, Image, Resources, RunError, Stage, Start, Usage, own_memory_peak_bytes};
use super::{LimitHit, Limits};
use std::io;
use std::sync::Arc;
use std::time::{Duration, Instant};
use watch::Watch;

/// How often a program file that somebody still holds open for writing is tried again. Another thread that
/// starts a process just after a compiler was started holds such copies for an instant.
const BUSY_RETRIES: u32 = 50;

/// One thing to run.
#[derive(Clone, Debug)]
#[cfg_attr(test, derive(PartialEq, Eq))]
pub(super) struct Order {
    /// What is executed.
    pub(super) image: Image,
    /// What the kernel enforces.
    pub(super) resources: Resources,
    /// What we enforce.
    pub(super) limits: Limits,
    /// Whether the program is a fork server, of which a copy is to run.
    pub(super) is_warm: bool,
    /// The walls around it, which only a spawner can put up.
    #[cfg_attr(not(target_os = "linux"), allow(dead_code, reason = "there are no walls"))]
    pub(super) walls: Option<Arc<Walls>>,
    /// What it takes along and brings back; the files come beside the order.
    pub(super) luggage: Option<PackingList>,
}

/// How a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Report {
    /// Why it was no longer watched.
    pub(super) stop: Stop,
    /// The wait status, undecoded.
    pub(super) status: i32,
    /// Processor time of the process and of all that came of it, microseconds.
    pub(super) cpu_time_us: u64,
    /// Time on the wall clock, microseconds; where the limit on it was reached, without what was spent waiting for a
    /// processor.
    pub(super) wall_time_us: u64,
    /// The memory peak.
    pub(super) memory: MemoryPeak,
}

/// A memory peak, and whether it is the program's own.
///
/// The kernel counts into a process the memory of the one that started it, until the program is executed. What
/// lies above our own peak is therefore the program's; what does not may be ours.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum MemoryPeak {
    /// The program's own.
    Known(u64),
    /// No more than this.
    AtMost(u64),
}

/// How we look after a run.
pub(super) struct Care<'a> {
    /// What we enforce.
    pub(super) limits: &'a Limits,
    /// Who can tell us to stop.
    pub(super) master: Master<'a>,
    /// How far it reaches.
    pub(super) reach: Reach<'a>,
    /// The folders that it writes into: they must not grow without limits.
    pub(super) folders: [Option<&'a Folder>; 2],
    /// How much was in these from the beginning.
    pub(super) packed_bytes: u64,
    /// The gate of the fork server that it is a copy of.
    #[cfg(target_os = "linux")]
    pub(super) gate: Option<&'a Gate>,
    /// Our own memory peak, where it is known: one run after the other changes nothing about it that would count.
    pub(super) own_peak_bytes: Option<u64>,
}

impl Care<'_> {
    /// Where system calls of the run wait for an answer, if they do.
    fn gate(&self) -> Option<BorrowedFd<'_>> {
        #[cfg(target_os = "linux")]
        return self.gate.map(AsFd::as_fd);
        #[cfg(not(target_os = "linux"))]
        None
    }
}

/// How far our care reaches.
#[derive(Clone, Copy, Debug)]
pub(super) enum Reach<'a> {
    /// To the process and those that stayed in its group.
    Group,

    /// To every descendant: we are their subreaper, and have no children but theirs; except some, which stay.
    #[cfg_attr(not(target_os = "linux"), allow(dead_code, reason = "descendants are found there only"))]
    Tree(Tree<'a>),
}

/// All that descends from this process.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(not(target_os = "linux"), allow(dead_code, reason = "descendants are found there only"))]
pub(super) struct Tree<'a> {
    /// Children that stay.
    pub(super) spared: &'a [i32],
    /// The list of children.
    #[cfg(target_os = "linux")]
    pub(super) children: &'a OwnChildren,
}

/// Stays with a process that was started then until it ends, reaches a limit or is no longer wanted, and ends whatever it
/// left behind.
///
/// # Errors
///
/// The machine refuses.
pub(super) fn attend(child: Child, started: Instant, care: &Care<'_>) -> Result<Report, RunError> {
    let mut watch = Watch::new(&child, care, started);
    let stop = watch.wait().map_err(|cause| RunError { stage: Stage::Wait, cause })?;
    let (seen_bytes, orphans, waited) = (watch.memory_seen_bytes, watch.orphans, watch.waited);
    let leaves_nobody = stop == Stop::Ended && leaves_nobody(&child, care.reach);
    if !leaves_nobody {
        // The process has not been reaped, so its group's number is still its own, and whoever is left in the
        // group dies with it.
        child.kill_group();
    }
    let main = child.reap().map_err(|cause| RunError { stage: Stage::Wait, cause })?;
    let rest = if leaves_nobody { Ok(Others::default()) } else { rest(care.reach) };
    let rest = rest.map_err(|cause| RunError { stage: Stage::End, cause })?;
    // One that waits until its time is over has written no less than one that ends.
    let may_leave = matches!(stop, Stop::Ended | Stop::Limit(LimitHit::WallTime));
    let stop = if may_leave && leaves_too_much(care) { Stop::Limit(LimitHit::Output) } else { stop };
    Ok(Report {
        stop,
        status: main.status,
        cpu_time_us: main.cpu_time_us + orphans.cpu_time_us + rest.cpu_time_us,
        // Who was kept waiting did not sleep: else a busy machine would make idlers of those who compute.
        wall_time_us: started.elapsed().saturating_sub(waited).as_micros() as u64,
        memory: memory_peak(
            &main,
            seen_bytes.max(orphans.memory_peak_bytes).max(rest.memory_peak_bytes),
            care.own_peak_bytes.unwrap_or_else(own_memory_peak_bytes),
        ),
    })
}

/// Returns true if more was left in the folder of a run than may be written. Nothing works in it any more, so this does not
/// depend on when it is asked.
fn leaves_too_much(care: &Care<'_>) -> bool {
    let size_bytes = care.folders.iter().flatten().map(|folder| folder.size_bytes()).fold(0, u64::saturating_add);
    size_bytes > care.limits.output_limit_bytes.saturating_add(care.packed_bytes)
}

/// What processes used of which nothing else is known.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Others {
    cpu_time_us: u64,
    memory_peak_bytes: u64,
}

impl Others {
    #[cfg(target_os = "linux")]
    fn add(&mut self, usage: &Usage) {
        self.cpu_time_us += usage.cpu_time_us;
        self.memory_peak_bytes = self.memory_peak_bytes.max(usage.memory_peak_bytes);
    }
}

#[cfg(target_os = "linux")]
impl Tree<'_> {
    /// Whether we certainly have no children but those that stay, and this one if one is given.
    fn has_only_spared(&self, and: Option<i32>) -> bool {
        let is_known = |pid: &i32| Some(*pid) == and || self.spared.contains(pid);
        self.children.now().iter().all(is_known)
    }
}

/// Whether a process that has ended, and was not reaped, has certainly left nobody behind: whoever it started would be a child of
/// ours by now.
#[cfg(target_os = "linux")]
fn leaves_nobody(ended: &Child, reach: Reach<'_>) -> bool {
    matches!(reach, Reach::Tree(tree) if ended.is_last() || tree.has_only_spared(Some(ended.id())))
}

/// Not known here.
#[cfg(not(target_os = "linux"))]
fn leaves_nobody(_: &Child, _: Reach<'_>) -> bool {
    false
}

/// Ends what is still there, and says what it used.
fn rest(reach: Reach<'_>) -> io::Result<Others> {
    match reach {
        #[cfg(target_os = "linux")]
        Reach::Tree(tree) => end::end_all(tree),
        _ => Ok(Others::default()),
    }
}

/// Starts a program, though somebody may still have its file open.
///
/// # Errors
///
/// The machine refuses another process, or the program cannot be executed.
pub(super) fn start(what: &Start<'_>) -> Result<Child, RunError> {
    for _ in 0..BUSY_RETRIES {
        match Child::start(what) {
            Err(error) if is_busy(&error) => std::thread::sleep(Duration::from_millis(2)),
            result => return result,
        }
    }
    Child::start(what)
}

fn is_busy(error: &RunError) -> bool {
    error.cause.kind() == io::ErrorKind::ExecutableFileBusy
}

fn memory_peak(main: &Usage, seen_bytes: u64, own_peak_bytes: u64) -> MemoryPeak {
    let peak = main.memory_peak_bytes.max(seen_bytes);
    if peak > own_peak_bytes {
        MemoryPeak::Known(peak)
    } else if seen_bytes > 0 {
        MemoryPeak::Known(seen_bytes)
    } else {
        MemoryPeak::AtMost(peak)
    }
}
