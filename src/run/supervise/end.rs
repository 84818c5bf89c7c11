//! The end of everything that a program started.

use super::Others;
use super::Tree;
use super::family::descendants;
use crate::run::sys::{Reaped, reap_any};
use rustix::process::{Pid, Signal, kill_process};
use std::io;
use std::time::{Duration, Instant};

/// How long the kernel may take to end processes that have been killed. They go at once, but for those that
/// wait inside the kernel for a device.
const PATIENCE: Duration = Duration::from_secs(60);

/// Kills and reaps until this process has no descendants, but for some children that are spared.
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
        let below = descendants(rustix::process::getpid().as_raw_nonzero().get());
        for pid in below.into_iter().filter(|pid| !tree.spared.contains(pid)) {
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

/// Whether nobody is left but those who are spared.
fn is_over(used: &mut Others, tree: Tree<'_>) -> io::Result<bool> {
    let left = reap_all(used)?;
    Ok(left == Left::Nothing || !tree.spared.is_empty() && tree.has_only_spared(None))
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Left {
    Nothing,
    Something,
}

/// Takes note of all that have ended.
pub(super) fn reap_all(used: &mut Others) -> io::Result<Left> {
    loop {
        match reap_any()? {
            Reaped::One(usage) => used.add(&usage),
            Reaped::AllLive => return Ok(Left::Something),
            Reaped::NoneLeft => return Ok(Left::Nothing),
        }
    }
}
