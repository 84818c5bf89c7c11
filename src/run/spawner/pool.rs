//! Our side: spawners, started when they are needed and kept for the next time.

use super::line::Line;
use super::serve::WORD;
use super::wire::{STOP, read_answers, spell_message};
use super::{Answer, Stream, Told};
use crate::diagnostic::Result;
use crate::run::isolation::{Kernel, KernelLimits};
use crate::run::processors::own_processor;
use crate::run::supervise::Order;
use crate::run::{Cancel, refusal};
use std::ffi::OsStr;
use std::io;
use std::os::fd::{AsFd, BorrowedFd};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// How often we look whether somebody has thrown the switch.
const TICK: Duration = Duration::from_millis(20);

/// A spawner answers at the latest so long after the last limit of its order. It needs that only when the kernel
/// cannot end a process; otherwise something has stopped the spawner itself.
const GRACE: Duration = Duration::from_secs(90);

/// How long a spawner may take to leave when the line is cut.
const FAREWELL: Duration = Duration::from_secs(10);

/// Spawners, as many as were ever needed at the same time.
#[derive(Debug)]
pub(super) struct Pool {
    program: PathBuf,
    folder: PathBuf,
    idle: Mutex<Vec<Spawner>>,
    /// What the kernel offers: asked when the first spawner is needed, and told to all.
    kernel: Mutex<Option<Kernel>>,
    kernel_limits: KernelLimits,
}

impl Pool {
    /// A pool of this program's processes, which remove this folder should we die.
    pub(super) fn new(program: PathBuf, folder: PathBuf, kernel_limits: KernelLimits) -> Self {
        Pool { program, folder, idle: Mutex::default(), kernel: Mutex::default(), kernel_limits }
    }

    /// Has an order carried out.
    ///
    /// # Errors
    ///
    /// `Operating`: the machine refuses a spawner, or two in a row did not live to answer.
    pub(super) fn run(
        &self,
        order: &Order,
        streams: [Stream<'_>; 3],
        baggage: &[BorrowedFd<'_>],
        cancel: &Cancel,
    ) -> Result<Answer> {
        let message = spell_message(order, &[]);
        let deadline = deadline(order, 1);
        let mut streams = Some(streams);
        let mut spawner = self.take()?;
        let tell = |spawner: &Spawner, streams: &Option<[Stream<'_>; 3]>| {
            let streams = streams.iter().flatten().map(AsFd::as_fd);
            spawner.line.send(&message, &streams.chain(baggage.iter().copied()).collect::<Vec<_>>())
        };
        let told = tell(&spawner, &streams);
        streams = streams.filter(|streams| streams.iter().all(|stream| matches!(stream, Stream::Lent(_))));
        let mut answer = told.and_then(|()| spawner.answer(cancel, deadline));
        if let (Err(_), Some(used)) = (&answer, &streams) {
            // Somebody may have killed it, by mistake or by malice: once is no reason to give up.
            used.iter().for_each(begin_anew);
            spawner = self.start()?;
            answer = tell(&spawner, &streams).and_then(|()| spawner.answer(cancel, deadline));
        }
        let answer =
            answer.map_err(|cause| refusal::of_io("failed to speak with the process that runs programs", &cause))?;
        self.idle().push(spawner);
        Ok(answer)
    }

    /// Has an order carried out on several inputs, one after the other, all with the same streams; the inputs are put into
    /// the first of these. There may be fewer answers, see [`Spawners::run_several`](super::Spawners::run_several).
    ///
    /// # Errors
    ///
    /// `Operating`: the machine refuses a spawner.
    pub(super) fn run_several(
        &self,
        order: &Order,
        inputs: &[&[u8]],
        streams: [BorrowedFd<'_>; 3],
        cancel: &Cancel,
    ) -> Result<Vec<Told>> {
        let spawner = self.take()?;
        let told = spawner.line.send(&spell_message(order, inputs), &streams);
        let answers = told.and_then(|()| spawner.answers(cancel, deadline(order, inputs.len())));
        Ok(match answers {
            Ok(answers) => {
                self.idle().push(spawner);
                answers
            }
            // Who runs them one by one learns what is wrong.
            Err(_) => Vec::new(),
        })
    }

    /// A spawner that nobody else uses: one on the processor that this thread is kept on, if it is.
    fn take(&self) -> Result<Spawner> {
        let own = own_processor();
        let mut idle = self.idle();
        let near = idle.iter().rposition(|spawner| own.is_none() || spawner.processor == own);
        let near = near.map(|at| idle.remove(at));
        drop(idle);
        near.map_or_else(|| self.start(), Ok)
    }

    fn start(&self) -> Result<Spawner> {
        Spawner::start(&self.program, self.kernel(), &self.folder)
    }

    /// What the kernel offers of protection.
    pub(super) fn kernel(&self) -> Kernel {
        let mut known = self.kernel.lock().unwrap_or_else(PoisonError::into_inner);
        *known.get_or_insert_with(|| Kernel::ask(self.kernel_limits))
    }

    fn idle(&self) -> std::sync::MutexGuard<'_, Vec<Spawner>> {
        // What is stored is complete whenever the lock is free, even after a panic elsewhere.
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Pool {
    fn drop(&mut self) {
        // All lines are cut before anybody is waited for, so that they leave at the same time.
        let leaving: Vec<Option<Child>> = self.idle().drain(..).map(Spawner::dismiss).collect();
        leaving.into_iter().flatten().for_each(see_off);
    }
}

/// How long an order may take that is carried out so many times.
fn deadline(order: &Order, times: usize) -> Duration {
    let wall_limit = Duration::from_millis(order.limits.wall_time_limit_ms);
    let runs = crate::run::supervise::PATIENCE.saturating_mul(times as u32);
    wall_limit.saturating_mul(runs).saturating_add(GRACE)
}

/// Undoes what a run that was cut off has done to a stream: it is read and written from its beginning again. An input,
/// which is sealed, cannot be cut.
fn begin_anew(stream: &Stream<'_>) {
    let _ = rustix::fs::ftruncate(stream, 0);
    let _ = rustix::fs::seek(stream, rustix::fs::SeekFrom::Start(0));
}

/// Waits for a spawner to leave; it has nothing left to do.
fn see_off(mut process: Child) {
    let since = Instant::now();
    while process.try_wait().is_ok_and(|status| status.is_none()) {
        if since.elapsed() > FAREWELL {
            let _ = process.kill();
            let _ = process.wait();
            return;
        }
        std::thread::sleep(Duration::from_micros(200));
    }
}

/// A process that runs programs for us.
#[derive(Debug)]
struct Spawner {
    line: Line,
    /// The processor that it is kept on, if it is.
    processor: Option<usize>,
    process: Option<Child>,
}

impl Spawner {
    fn start(program: &Path, kernel: Kernel, folder: &Path) -> Result<Spawner> {
        let refused = |cause: io::Error| {
            refusal::of_io(&format!("failed to start `{}`, which runs programs", program.display()), &cause)
        };
        let (ours, theirs) = Line::pair().map_err(refused)?;
        let mut command = Command::new(program);
        command
            .args([WORD.as_ref(), OsStr::new(&kernel.spell()), folder.as_os_str()])
            .env_clear()
            .current_dir("/")
            .process_group(0);
        command.stdin(theirs.into_descriptor()).stdout(Stdio::null()).stderr(Stdio::null());
        let process = command.spawn().map_err(refused)?;
        Ok(Spawner { line: ours, processor: own_processor(), process: Some(process) })
    }

    /// Waits for the only answer.
    fn answer(&self, cancel: &Cancel, deadline: Duration) -> io::Result<Answer> {
        let only = self.answers(cancel, deadline)?.pop();
        only.map(|(answer, _)| answer).ok_or_else(|| io::Error::other("there was no answer"))
    }

    /// Waits for the answers.
    fn answers(&self, cancel: &Cancel, deadline: Duration) -> io::Result<Vec<Told>> {
        let since = Instant::now();
        let mut is_told = false;
        while !self.line.is_ready(TICK)? {
            if cancel.cancelled() && !is_told {
                self.line.send(STOP, &[])?;
                is_told = true;
            }
            if since.elapsed() > deadline {
                return Err(io::ErrorKind::TimedOut.into());
            }
        }
        match self.line.receive()? {
            Some((bytes, _)) => read_answers(&bytes),
            None => Err(io::Error::other("it ended unexpectedly")),
        }
    }

    /// Cuts the line.
    fn dismiss(mut self) -> Option<Child> {
        self.process.take()
    }
}

/// A spawner that is dropped has failed: one that is merely told to leave would take our folder with it.
impl Drop for Spawner {
    fn drop(&mut self) {
        if let Some(process) = &mut self.process {
            let _ = process.kill();
            let _ = process.wait();
        }
    }
}
