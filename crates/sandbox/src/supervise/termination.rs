//! Kills and reaps the processes that a program has started.

use super::descendants::all_descendants;
use super::{ChildList, DescendantUsage, ProcessTree};
use crate::sys::{ReapResult, reap_any, reap_if_ended};
use crate::tuning::KILL_TIMEOUT;
use rustix::process::{Pid, Signal, kill_process};
use std::io;
use std::time::{Duration, Instant};

/// Kills and reaps until this process has no descendants except the spared children; descendants of those are killed,
/// too.
///
/// Orphans are reparented to this process, regardless of their session, so having no children proves that nothing is
/// left. A killed process starts no more, so each round leaves only processes that were started between listing and
/// killing. A fork bomb loses that race, because killing is cheaper than forking.
///
/// # Errors
///
/// Returns an error if a process survives being killed.
pub(super) fn kill_descendants(tree: ProcessTree<'_>) -> io::Result<DescendantUsage> {
    let mut used = DescendantUsage::default();
    let mut since = None;
    let mut pause = Duration::from_micros(50);
    loop {
        if is_tree_gone(&mut used, tree)? {
            return Ok(used);
        }
        if since.get_or_insert_with(Instant::now).elapsed() > KILL_TIMEOUT {
            return Err(io::Error::other("a process left behind by the program cannot be killed"));
        }
        for pid in all_descendants().into_iter().filter(|pid| !tree.spared.contains(pid)) {
            // A process that has ended meanwhile is not affected. Its ID cannot have been reused, because only this
            // process reaps it.
            let _ = Pid::from_raw(pid).map(|pid| kill_process(pid, Signal::KILL));
        }
        if is_tree_gone(&mut used, tree)? {
            return Ok(used);
        }
        std::thread::sleep(pause);
        pause = (pause * 2).min(Duration::from_millis(5));
    }
}

/// Kills and reaps all descendants of this process except the given children; descendants of those are killed, too.
///
/// # Errors
///
/// Returns an error if a process survives being killed.
pub(crate) fn kill_all_except(spared: &[i32], children: &ChildList) -> io::Result<()> {
    kill_descendants(ProcessTree { spared, children }).map(|_| ())
}

/// Returns true if only spared processes are left. If none are spared, having no children is the proof.
fn is_tree_gone(used: &mut DescendantUsage, tree: ProcessTree<'_>) -> io::Result<bool> {
    if tree.spared.is_empty() {
        return Ok(reap_all_ended(used)? == RemainingChildren::NoneLeft);
    }
    reap_descendants(used, tree, None)?;
    Ok(all_descendants().iter().all(|pid| tree.spared.contains(pid)))
}

/// Reaps children that have ended, except the spared ones and `except`: the caller needs the status of that one.
pub(super) fn reap_descendants(
    used: &mut DescendantUsage,
    tree: ProcessTree<'_>,
    except: Option<i32>,
) -> io::Result<()> {
    let is_other = |pid: &i32| Some(*pid) != except && !tree.spared.contains(pid);
    for pid in tree.children.current_pids().into_iter().filter(is_other) {
        if let Some(usage) = reap_if_ended(pid)? {
            used.add_usage(&usage);
        }
    }
    Ok(())
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum RemainingChildren {
    NoneLeft,
    SomeLeft,
}

/// Reaps all children that have ended, and adds up what they used.
fn reap_all_ended(used: &mut DescendantUsage) -> io::Result<RemainingChildren> {
    loop {
        match reap_any()? {
            ReapResult::Ended(usage) => used.add_usage(&usage),
            ReapResult::AllAlive => return Ok(RemainingChildren::SomeLeft),
            ReapResult::NoChildren => return Ok(RemainingChildren::NoneLeft),
        }
    }
}
