//! The spawner's own side: a process that carries out orders until the line is cut.

use super::Answer;
use super::line::{Line, Message};
use super::wire::{STOP, read_order, spell_answer};
use crate::run::fork_server::Servers;
use crate::run::supervise::{Master, Reach, attend, supervise};
use crate::run::sys::{RunError, Stage};
use rustix::process::{DumpableBehavior, set_child_subreaper, set_dumpable_behavior};
use std::ffi::{OsStr, OsString};
use std::io;
use std::os::fd::{AsFd, BorrowedFd};
use std::path::Path;
use std::time::Instant;

/// The first word of a spawner's command line: nothing that anybody types.
pub(super) const WORD: &str = "spawner-of-rebut";

/// Serves as a spawner if these words, the arguments of the process, ask for it; says whether they did. To be
/// called first of all by a program that is named in
/// [`Environment::with_spawner`](crate::run::Environment::with_spawner).
pub fn serve_if_asked(words: &[OsString]) -> bool {
    let [word, folder] = words else { return false };
    if word != OsStr::new(WORD) {
        return false;
    }
    // Nobody is there to be told why it ended, but the other end, who notices.
    let _ = serve();
    remove(Path::new(folder));
    true
}

/// Carries out orders until there is nobody to give them. What runs then is ended first.
fn serve() -> io::Result<()> {
    let line = Line::from_descriptor(rustix::io::fcntl_dupfd_cloexec(std::io::stdin(), 3)?);
    // Not to be stopped by what the user types; that is for us to be told. It may lead a group already.
    let _ = rustix::process::setsid();
    set_child_subreaper(Some(rustix::process::getpid()))?;
    // Programs of the same user are not to look into it.
    set_dumpable_behavior(DumpableBehavior::NotDumpable)?;
    let mut servers = Servers::default();
    while let Some(message) = line.receive()? {
        // That nobody wants what has ended meanwhile is old news.
        if message.0 != STOP {
            let answer = carry_out(&message, &line, &mut servers);
            line.send(&spell_answer(&answer), &[])?;
        }
    }
    Ok(())
}

fn carry_out((bytes, descriptors): &Message, line: &Line, servers: &mut Servers) -> Answer {
    let order = read_order(bytes).map_err(|cause| RunError { stage: Stage::Prepare, cause })?;
    let streams: Vec<BorrowedFd<'_>> = descriptors.iter().map(AsFd::as_fd).collect();
    // The kernel leaves out descriptors for which there is no room.
    let streams = <[BorrowedFd<'_>; 3]>::try_from(streams);
    let streams = streams.map_err(|_| RunError { stage: Stage::Prepare, cause: rustix::io::Errno::MFILE.into() })?;
    let master = Master::Line(line.as_fd());
    if !order.is_warm {
        return supervise(&order, streams, master, Reach::Tree(&servers.ids()));
    }
    let copy = servers.copy(&order, streams)?;
    attend(copy, &order, Instant::now(), master, Reach::Tree(&servers.ids()))
}

/// Removes the folder of whoever gave the orders. They do it themselves if they end in peace; then there is
/// nothing to remove.
fn remove(folder: &Path) {
    if folder.is_absolute() {
        let _ = std::fs::remove_dir_all(folder);
    }
}
