//! The spawner's own side: a process that carries out orders until the line is cut.

use super::line::Line;
use super::wire::{STOP, read_message, read_order, spell_answers};
use super::{Answer, Told};
use crate::run::fork_server::{Senses, Servers};
use crate::run::isolation::folder::Folder;
use crate::run::isolation::{Kernel, Prepared, Walls, prepare};
use crate::run::luggage::{Handed, PackingList};
use crate::run::supervise::{Care, Master, Order, OwnChildren, Reach, Stop, Tree, attend, end_everything_but, start};
use crate::run::sys::{Bell, RunError, Stage, Start, own_memory_peak_bytes, read_at, write_all_at};
use rustix::fs::OFlags;
use rustix::process::{DumpableBehavior, set_child_subreaper, set_dumpable_behavior};
use std::borrow::Cow;
use std::ffi::{CString, OsStr, OsString};
use std::fs::File;
use std::io::{self, Seek, SeekFrom};
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::rc::Rc;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// The first word of a spawner's command line: nothing that anybody types.
pub(super) const WORD: &str = "spawner-of-rebut";

/// Serves as a spawner if these words, the arguments of the process, ask for it; says whether they did. To be
/// called first of all by a program that is named in
/// [`Environment::with_spawner`](crate::run::Environment::with_spawner).
pub fn serve_if_asked(words: &[OsString]) -> bool {
    let [word, kernel, folder] = words else { return false };
    if word != OsStr::new(WORD) {
        return false;
    }
    // What the kernel offers is told by the second word: a spawner does not try by itself.
    let kernel = kernel.to_str().and_then(Kernel::parse).unwrap_or_default();
    let folder = Path::new(folder);
    // The other end notices that it ended; nothing else is to be reported.
    if let Ok(mut spawner) = Spawner::new(folder, kernel)
        && is_alone(&spawner.serve())
    {
        remove(folder);
    }
    true
}

/// Returns true if serving ended because the process that gave the orders is gone. A spawner that merely failed must leave the
/// folder alone, since others work in it.
fn is_alone(served: &io::Result<()>) -> bool {
    use io::ErrorKind::{BrokenPipe, ConnectionReset};
    served.as_ref().map_or_else(|cause| matches!(cause.kind(), BrokenPipe | ConnectionReset), |()| true)
}

/// Makes a folder in which a spawner runs programs. One that was killed leaves its own, and its process number may come again.
fn make_work_folder(parent: &Path) -> io::Result<Folder> {
    let number = rustix::process::getpid().as_raw_nonzero();
    let mut path = parent.join(format!("work-{number}"));
    for again in 1_u32.. {
        match Folder::make(CString::new(path.as_os_str().as_bytes())?) {
            Err(cause) if cause.kind() == io::ErrorKind::AlreadyExists => {
                path = parent.join(format!("work-{number}-{again}"));
            }
            made => return made,
        }
    }
    Err(io::ErrorKind::AlreadyExists.into())
}

/// A spawner: its end of the line, its working folder, walls that it has prepared, and its fork servers.
struct Spawner {
    line: Line,
    folder: Folder,
    kernel: Kernel,
    prepared: Vec<(Walls, Rc<Prepared>)>,
    servers: Servers,
    children: OwnChildren,
    bell: Bell,
    /// Our own memory peak, while several runs come one after the other with the same streams.
    peak_bytes: Option<u64>,
    /// Orders as they came, and what they say.
    understood: Vec<(Vec<u8>, Rc<Understood>)>,
}

/// An order, to be carried out in our own folder if there are walls, and these as they were prepared.
struct Understood {
    order: Order,
    walls: Option<Rc<Prepared>>,
    /// The folder for the results of a compiler.
    results: Option<Folder>,
}

/// After so long an order is not carried out once more: whoever gave it wants to hear something.
const LONG: Duration = Duration::from_millis(20);

/// An output that is shorter is sent with an answer.
const FEW_BYTES: usize = 32 << 10;

/// More orders are not kept: the one that came the longest ago goes first.
const MOST_UNDERSTOOD: usize = 8;

impl Spawner {
    fn new(parent: &Path, kernel: Kernel) -> io::Result<Spawner> {
        let line = Line::from_descriptor(rustix::io::fcntl_dupfd_cloexec(std::io::stdin(), 3)?);
        // Not to be stopped by what the user types; that is for us to be told. It may lead a group already.
        let _ = rustix::process::setsid();
        set_child_subreaper(Some(rustix::process::getpid()))?;
        // Programs of the same user are not to look into it.
        set_dumpable_behavior(DumpableBehavior::NotDumpable)?;
        let folder = make_work_folder(parent)?;
        let (children, bell) = (OwnChildren::new(), Bell::new(line.as_fd())?);
        let servers = Servers::default();
        let (prepared, understood, peak_bytes) = (Vec::new(), Vec::new(), None);
        Ok(Spawner { line, folder, kernel, prepared, servers, children, bell, peak_bytes, understood })
    }

    /// Carries out orders until there is nobody to give them. What runs then is ended first.
    fn serve(&mut self) -> io::Result<()> {
        while let Some((bytes, descriptors)) = self.line.receive()? {
            // That nobody wants what has ended meanwhile is old news.
            if bytes != STOP {
                let answers = self.carry_out(&bytes, descriptors);
                self.line.send(&spell_answers(&answers), &[])?;
            }
        }
        // Servers go with everything that descends from them: nothing of theirs outlives this process.
        let ended = end_everything_but(&[], &self.children);
        self.servers = Servers::default();
        ended.and(self.folder.empty())
    }

    /// When this returns, no descriptor that came with the order is open here any more: input, output and error stream, and
    /// luggage. A fork server is stopped, and keeps what it was given until it is next asked for a copy.
    fn carry_out(&mut self, bytes: &[u8], mut streams: Vec<OwnedFd>) -> Vec<Told> {
        let only = |answer| vec![(answer, None)];
        let (understood, inputs) = match read_message(bytes).and_then(|(order, all)| Ok((self.understand(order)?, all)))
        {
            Ok(read) => read,
            Err(cause) => return only(Err(not_prepared(cause))),
        };
        let baggage = streams.split_off(streams.len().min(3));
        // The kernel leaves out descriptors for which there is no room.
        let Ok(streams) = <[OwnedFd; 3]>::try_from(streams) else {
            return only(Err(not_prepared(rustix::io::Errno::MFILE.into())));
        };
        let mut answers = match &understood.order.luggage {
            Some(list) => only(self.travel(&understood, streams, list, &baggage)),
            None if inputs.is_empty() => only(self.once(&understood, streams, None)),
            None => self.several(&understood, streams.map(File::from), &inputs),
        };
        if let Err(cause) = self.servers.stop(&self.children) {
            answers = only(Err(RunError { stage: Stage::End, cause }));
        }
        answers
    }

    /// Runs a program on several inputs, up to one after which there is more to tell than a few lines: that is the last one,
    /// and what it wrote is left where it is.
    fn several(&mut self, understood: &Understood, streams: [File; 3], inputs: &[&[u8]]) -> Vec<Told> {
        let [input, output, error] = &streams;
        let started = Instant::now();
        let (mut told, mut room): (Vec<Told>, Vec<u8>) = (Vec::with_capacity(inputs.len()), vec![0; FEW_BYTES]);
        self.peak_bytes = Some(own_memory_peak_bytes());
        for (i, bytes) in inputs.iter().enumerate() {
            if streams.iter().try_for_each(forget_flags).and_then(|()| fill(input, bytes)).is_err() {
                break;
            }
            let answer = self.once(understood, streams.each_ref().map(AsFd::as_fd), None);
            let is_plain = matches!(&answer, Ok(report) if report.stop == Stop::Ended);
            let is_last = i + 1 == inputs.len() || !is_plain || started.elapsed() > LONG;
            let taken = if is_last { None } else { take_few(output, error, &mut room) };
            let is_last = taken.is_none();
            told.push((answer, taken));
            if is_last {
                break;
            }
        }
        self.peak_bytes = None;
        told
    }

    fn travel(
        &mut self,
        understood: &Understood,
        streams: [OwnedFd; 3],
        list: &PackingList,
        baggage: &[OwnedFd],
    ) -> Answer {
        let baggage: Vec<BorrowedFd<'_>> = baggage.iter().map(AsFd::as_fd).collect();
        let luggage = Handed::new(list, &baggage).map_err(not_prepared)?;
        self.once(understood, streams, Some(luggage))
    }

    fn once<S: AsFd>(&mut self, understood: &Understood, streams: [S; 3], luggage: Option<Handed<'_>>) -> Answer {
        let has_folder = understood.walls.is_some() || luggage.is_some();
        let answer = self.run(understood, streams, luggage);
        if has_folder {
            self.folder.empty().map_err(|cause| RunError { stage: Stage::End, cause })?;
        }
        answer
    }

    /// What an order says. Those of a search are always the same few.
    fn understand(&mut self, bytes: &[u8]) -> io::Result<Rc<Understood>> {
        if let Some((_, known)) = self.understood.iter().find(|(known, _)| known == bytes) {
            return Ok(Rc::clone(known));
        }
        let mut order = read_order(bytes)?;
        let walls = order.walls.take();
        let compiler = walls.as_ref().and_then(|walls| walls.compiler.as_ref());
        let results = compiler.map(|compiler| Folder::open(compiler.results.clone())).transpose()?;
        let is_kept = results.is_none();
        let walls = walls.map(|walls| self.wall(&walls, &mut order)).transpose()?;
        let understood = Rc::new(Understood { order, walls, results });
        // No two builds write into the same folder.
        if !is_kept {
            return Ok(understood);
        }
        if self.understood.len() >= MOST_UNDERSTOOD {
            self.understood.remove(0);
        }
        self.understood.push((bytes.to_vec(), Rc::clone(&understood)));
        Ok(understood)
    }

    fn run<S: AsFd>(&mut self, understood: &Understood, streams: [S; 3], luggage: Option<Handed<'_>>) -> Answer {
        let order = &understood.order;
        let walls = understood.walls.as_deref();
        let (mut image, mut packed_bytes) = (Cow::Borrowed(&order.image), 0);
        if let Some(luggage) = &luggage {
            luggage.unpack(&self.folder, &mut image.to_mut().argv).map_err(not_prepared)?;
            packed_bytes = self.folder.size_bytes();
        }
        let lent = streams.each_ref().map(AsFd::as_fd);
        let what = Start { image: &image, streams: lent, resources: order.resources, server: None, walls };
        let (child, started) = if order.is_warm {
            let senses = Senses { bell: &self.bell, children: &self.children, master: self.line.as_fd() };
            self.servers.copy(&what, senses)?
        } else {
            let started = Instant::now();
            (start(&what)?, started)
        };
        // Whoever is at the other end of a pipe must notice when the program closes it.
        drop(streams);
        let servers = self.servers.ids();
        let own = (walls.is_some() || luggage.is_some()).then_some(&self.folder);
        let care = Care {
            limits: &order.limits,
            master: Master::Line(self.line.as_fd()),
            reach: Reach::Tree(Tree { spared: &servers, children: &self.children }),
            folders: [own, understood.results.as_ref()],
            packed_bytes,
            gate: self.servers.gate().filter(|_| order.is_warm),
            own_peak_bytes: self.peak_bytes,
        };
        let answer = attend(child, started, &care);
        if let Some(luggage) = luggage {
            let limit_bytes = order.limits.output_limit_bytes;
            luggage.collect(&self.folder, limit_bytes).map_err(|cause| RunError { stage: Stage::End, cause })?;
        }
        answer
    }

    /// Prepares walls, and lets the order be carried out in our own folder. A compiler has its temporary files there, and
    /// works where the sources are.
    fn wall(&mut self, walls: &Walls, order: &mut Order) -> io::Result<Rc<Prepared>> {
        let folder = self.folder.path();
        if walls.compiler.is_none() {
            order.image.directory = folder.to_owned();
        }
        for variable in Arc::make_mut(&mut order.image.environment) {
            let name = ["HOME=", "TMPDIR="].into_iter().find(|name| variable.to_bytes().starts_with(name.as_bytes()));
            if let Some(name) = name {
                *variable = CString::new([name.as_bytes(), folder.to_bytes()].concat())?;
            }
        }
        if let Some((_, prepared)) = self.prepared.iter().find(|(known, _)| known == walls) {
            return Ok(Rc::clone(prepared));
        }
        let prepared = Rc::new(prepare(walls, folder, self.kernel)?);
        if walls.compiler.is_none() {
            self.prepared.push((walls.clone(), Rc::clone(&prepared)));
        }
        Ok(prepared)
    }
}

/// A program may have asked for all that is written to be appended, or for other things that stay with a file.
fn forget_flags(file: &File) -> io::Result<()> {
    Ok(rustix::fs::fcntl_setfl(file, OFlags::empty())?)
}

/// Puts bytes into a file in place of what is in it, to be read from its beginning.
fn fill(mut file: &File, bytes: &[u8]) -> io::Result<()> {
    write_all_at(file, bytes, 0)?;
    file.set_len(bytes.len() as u64)?;
    file.rewind()
}

/// Takes what a run wrote from its output, so that the next can begin anew; none, and nothing is taken, where there is no room
/// for it, or where there is something in the error stream, too.
fn take_few(mut output: &File, mut error: &File, room: &mut [u8]) -> Option<Vec<u8>> {
    let count = read_at(output, room, 0).ok().filter(|count| *count < room.len())?;
    // Its end is its beginning, where the next run is to write, whatever place this one has sought.
    if error.seek(SeekFrom::End(0)).ok()? != 0 {
        return None;
    }
    output.rewind().ok()?;
    output.set_len(0).ok()?;
    Some(room[..count].to_vec())
}

fn not_prepared(cause: io::Error) -> RunError {
    RunError { stage: Stage::Prepare, cause }
}

/// Removes the folder of whoever gave the orders. They do it themselves if they end in peace; then there is
/// nothing to remove.
fn remove(folder: &Path) {
    if folder.is_absolute() {
        let _ = std::fs::remove_dir_all(folder);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spawner_works_beside_what_an_earlier_one_of_its_number_left() -> io::Result<()> {
        let parent = tempfile::tempdir()?;
        let folders = (0..3).map(|_| make_work_folder(parent.path())).collect::<io::Result<Vec<Folder>>>()?;
        assert_eq!(std::fs::read_dir(parent.path())?.count(), folders.len());
        Ok(())
    }

    #[test]
    fn only_a_spawner_that_is_alone_removes_the_folder_of_all() {
        let failed = |kind: io::ErrorKind| Err(io::Error::from(kind));
        assert!(is_alone(&Ok(())) && is_alone(&failed(io::ErrorKind::BrokenPipe)));
        assert!(!is_alone(&failed(io::ErrorKind::AlreadyExists)) && !is_alone(&failed(io::ErrorKind::OutOfMemory)));
    }
}
