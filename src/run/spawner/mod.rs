//! Spawners: small processes that start programs for us and look after them.
//!
//! Starting programs from a process of its own has three reasons.
//!
//! * *Nothing gets away.* A spawner is the subreaper of all it starts: whatever a program starts, however it
//!   hides it from us, comes back to the spawner when its parent dies, and a run is over when the spawner has no
//!   children any more. A process with threads, compilers and runs side by side could not tell whose they are.
//! * *Killing rebut ends everything.* A spawner waits for words from us at all times. When the line is cut,
//!   however suddenly, it ends what runs, removes our temporary folders and goes.
//! * *The memory peak is the program's own.* The kernel begins to count with the memory of the process that starts
//!   another. A spawner is small.
//!
//! A spawner does one thing at a time, in one thread, so there are as many as there are runs at a time; they are
//! kept and used again. One is the program `rebut` itself, executed with a first word that nobody types. Where it
//! is (see [`Environment::with_spawner`](super::Environment::with_spawner)) only the program `rebut` knows for
//! sure. Without it, and on systems other than Linux, programs are started directly, and only their process group
//! is looked after.
//!
//! [`line`] carries messages and descriptors, [`wire`] is how they are spelt, [`serve`] is the spawner's side and
//! [`pool`] ours. [Fork servers](super::fork_server) live in a spawner, too, and their copies are its children.

#[cfg(target_os = "linux")]
mod line;
#[cfg(target_os = "linux")]
mod pool;
#[cfg(target_os = "linux")]
mod serve;
#[cfg(target_os = "linux")]
mod wire;

#[cfg(target_os = "linux")]
use pool::Pool;
#[cfg(target_os = "linux")]
pub use serve::serve_if_asked;

use super::Cancel;
use super::isolation::folder::Folder;
use super::isolation::{Kernel, KernelLimits};
use super::luggage::{Handed, PackingList};
use super::supervise::{Care, Master, Order, Reach, Report, attend, start};
use super::sys::{AsFd, BorrowedFd, OwnedFd, RunError, Stage, Start};
use crate::diagnostic::Result;
use std::ffi::CString;
use std::path::{Path, PathBuf};
use std::time::Instant;

/// What starts programs: spawners, or we ourselves.
#[derive(Debug)]
pub(super) struct Spawners {
    #[cfg(target_os = "linux")]
    pool: Option<Pool>,
}

/// What an order led to: a report, or what stood in its way.
pub(super) type Answer = std::result::Result<Report, RunError>;

/// An answer, and what was taken from the output after that run: nothing where all that it wrote is still in its streams.
pub(super) type Told = (Answer, Option<Vec<u8>>);

/// What a program reads from or writes to.
#[derive(Debug)]
pub(super) enum Stream<'a> {
    /// A file, which stays ours.
    Lent(BorrowedFd<'a>),
    /// The end of a pipe. It is closed here when the program has it, or whoever is at the other end would never learn that
    /// the program has closed it. So it cannot be given twice.
    Given(OwnedFd),
}

impl AsFd for Stream<'_> {
    fn as_fd(&self) -> BorrowedFd<'_> {
        match self {
            Stream::Lent(stream) => *stream,
            Stream::Given(stream) => stream.as_fd(),
        }
    }
}

impl Spawners {
    /// Spawners that are this program, and that remove this folder should we die; without a program none.
    #[cfg(target_os = "linux")]
    pub(super) fn new(program: Option<PathBuf>, folder: &Path, limits: KernelLimits) -> Self {
        Spawners { pool: program.map(|program| Pool::new(program, folder.to_owned(), limits)) }
    }

    /// There are none here.
    #[cfg(not(target_os = "linux"))]
    pub(super) fn new(_program: Option<PathBuf>, _folder: &Path, _limits: KernelLimits) -> Self {
        Spawners {}
    }

    /// Returns what the kernel offers of protection, found out once; nothing without spawners.
    pub(super) fn kernel(&self) -> Kernel {
        #[cfg(target_os = "linux")]
        if let Some(pool) = &self.pool {
            return pool.kernel();
        }
        Kernel::default()
    }

    /// Returns why there are no fork servers here.
    ///
    /// # Errors
    ///
    /// Returns the reason as an error.
    pub(super) fn can_copy(&self) -> std::result::Result<(), &'static str> {
        #[cfg(target_os = "linux")]
        if let Some(pool) = &self.pool {
            return pool.kernel().can_hold_fork_servers();
        }
        Err("there are no spawners here to start them")
    }

    /// Has the order carried out, or carries it out. With luggage come its hold and its files.
    ///
    /// # Errors
    ///
    /// `Operating`: there can be no spawner, or it does not answer.
    pub(super) fn run(
        &self,
        order: &Order,
        streams: [Stream<'_>; 3],
        baggage: &[BorrowedFd<'_>],
        cancel: &Cancel,
    ) -> Result<Answer> {
        #[cfg(target_os = "linux")]
        if let Some(pool) = &self.pool {
            return pool.run(order, streams, baggage, cancel);
        }
        match &order.luggage {
            None => Ok(direct(order, streams, None, cancel)),
            Some(list) => Ok(travel(order, streams, list, baggage, cancel)),
        }
    }

    /// Has an order without luggage carried out on several inputs, one after the other, all with the same streams, into the
    /// first of which they are put. The answers to the first of them, of which only the last may have left what it wrote in
    /// its streams. Without spawners there are none.
    ///
    /// # Errors
    ///
    /// `Operating`: there can be no spawner.
    pub(super) fn run_several(
        &self,
        order: &Order,
        inputs: &[&[u8]],
        streams: [BorrowedFd<'_>; 3],
        cancel: &Cancel,
    ) -> Result<Vec<Told>> {
        #[cfg(target_os = "linux")]
        if let Some(pool) = &self.pool {
            return pool.run_several(order, inputs, streams, cancel);
        }
        let _ = (order, inputs, streams, cancel);
        Ok(Vec::new())
    }
}

/// Carries out an order with luggage ourselves.
fn travel(
    order: &Order,
    streams: [Stream<'_>; 3],
    list: &PackingList,
    baggage: &[BorrowedFd<'_>],
    cancel: &Cancel,
) -> Answer {
    let failed = |stage| move |cause| RunError { stage, cause };
    let luggage = Handed::new(list, baggage).map_err(failed(Stage::Prepare))?;
    let outer = tempfile::tempdir().map_err(failed(Stage::Prepare))?;
    let place = CString::new(outer.path().join("run").as_os_str().as_encoded_bytes());
    let folder = Folder::make(place.map_err(|cause| failed(Stage::Prepare)(cause.into()))?);
    let folder = folder.map_err(failed(Stage::Prepare))?;
    let mut order = order.clone();
    luggage.unpack(&folder, &mut order.image.argv).map_err(failed(Stage::Prepare))?;
    let packed_bytes = folder.size_bytes();
    let answer = direct(&order, streams, Some((&folder, packed_bytes)), cancel);
    luggage.collect(&folder, order.limits.output_limit_bytes).map_err(failed(Stage::End))?;
    folder.empty().map_err(failed(Stage::End))?;
    answer
}

/// Carries out an order ourselves.
fn direct(order: &Order, streams: [Stream<'_>; 3], folder: Option<(&Folder, u64)>, cancel: &Cancel) -> Answer {
    if order.is_warm {
        let cause = std::io::ErrorKind::Unsupported.into();
        return Err(RunError { stage: Stage::Copy, cause });
    }
    let started = Instant::now();
    let child = start(&Start {
        image: &order.image,
        streams: streams.each_ref().map(AsFd::as_fd),
        resources: order.resources,
        #[cfg(target_os = "linux")]
        server: None,
        #[cfg(target_os = "linux")]
        walls: None,
    })?;
    drop(streams);
    let master = Master::Switch(cancel);
    let care = Care {
        limits: &order.limits,
        master,
        reach: Reach::Group,
        folders: [folder.map(|(folder, _)| folder), None],
        packed_bytes: folder.map_or(0, |(_, packed_bytes)| packed_bytes),
        #[cfg(target_os = "linux")]
        gate: None,
        own_peak_bytes: None,
    };
    attend(child, started, &care)
}

/// There are no spawners here.
#[cfg(not(target_os = "linux"))]
pub fn serve_if_asked(_words: &[std::ffi::OsString]) -> bool {
    false
}
