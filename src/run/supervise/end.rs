//! The end of everything that a program started.

use super::family::descendants;
use super::{Others, OwnChildren, Tree};
use crate::run::sys::{Reaped, reap_any, reap_if_ended};
use rustix::process::{Pid, Signal, kill_process};
use std::io;
use std::time::{Duration, Instant};

/// How long the kernel may take to end processes that have been killed. They go at once, but for those that
/// wait inside the kernel for a device.
const PATIENCE: Duration = Duration::from_secs(60);

/// Kills and reaps until this process has no descendants, but for some children that are spared: what descends from these is
/// killed, too.
///
/// A process whose parent is gone becomes ours, whatever session it is in: so being without children is the
/// proof that nothing is left. A process that has been killed starts no more, so each round leaves only what
/// was started between looking and killing, and a fork bomb loses the race: killing is cheaper than forking.
///
/// # Errors
///
/// A process outlives its killing.
pub(super) fn end_all(tree: Tree<'_>) -> io::Result<Others> {
    let mut used = Others::default();
    let mut since = None;
    let mut pause = Duration::from_micros(50);
    loop {
        if is_over(&mut used, tree)? {
            return Ok(used);
        }
        if since.get_or_insert_with(Instant::now).elapsed() > PATIENCE {
            return Err(io::Error::other("a process that it left behind cannot be killed"));
        }
        for pid in descendants().into_iter().filter(|pid| !tree.spared.contains(pid)) {
            // Whoever has ended meanwhile need not be killed. The number is nobody else's: we reap, and nobody else.
            let _ = Pid::from_raw(pid).map(|pid| kill_process(pid, Signal::KILL));
        }
        if is_over(&mut used, tree)? {
            return Ok(used);
        }
        std::thread::sleep(pause);
        pause = (pause * 2).min(Duration::from_millis(5));
    }
}

/// Kills and reaps everything that descends from this process, but for these children; what descends from them goes, too.
///
/// # Errors
///
/// Returns an error if a process outlives its killing.
pub(in crate::run) fn end_everything_but(spared: &[i32], children: &OwnChildren) -> io::Result<()> {
    end_all(Tree { spared, children }).map(|_| ())
}

/// Whether nothing is left but what is spared. Where nothing is, having no children is the proof.
fn is_over(used: &mut Others, tree: Tree<'_>) -> io::Result<bool> {
    if tree.spared.is_empty() {
        return Ok(reap_all(used)? == Left::Nothing);
    }
    reap_others(used, tree, None)?;
    Ok(descendants().iter().all(|pid| tree.spared.contains(pid)))
}

/// Reaps children that have ended, but for those that are spared, and one that is still to be asked how it ended.
pub(super) fn reap_others(used: &mut Others, tree: Tree<'_>, but: Option<i32>) -> io::Result<()> {
    let is_other = |pid: &i32| Some(*pid) != but && !tree.spared.contains(pid);
    for pid in tree.children.now().into_iter().filter(is_other) {
        if let Some(usage) = reap_if_ended(pid)? {
            used.add(&usage);
        }
    }
    Ok(())
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Left {
    Nothing,
    Something,
}

/// Takes note of all that have ended.
fn reap_all(used: &mut Others) -> io::Result<Left> {
    loop {
        match reap_any()? {
            Reaped::One(usage) => used.add(&usage),
            Reaped::AllLive => return Ok(Left::Something),
            Reaped::NoneLeft => return Ok(Left::Nothing),
        }
    }
}
