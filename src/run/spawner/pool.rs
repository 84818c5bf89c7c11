//! Our side: spawners, started when they are needed and kept for the next time.

use super::Answer;
use super::line::Line;
use super::serve::WORD;
use super::wire::{STOP, read_answer, spell_order};
use crate::diagnostic::Result;
use crate::run::processors::own_processor;
use crate::run::supervise::Order;
use crate::run::{Cancel, refusal};
use std::io;
use std::os::fd::BorrowedFd;
use std::os::unix::process::CommandExt;
use std::path::PathBuf;
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
}

impl Pool {
    /// A pool of this program's processes, which remove this folder should we die.
    pub(super) fn new(program: PathBuf, folder: PathBuf) -> Self {
        Pool { program, folder, idle: Mutex::default() }
    }

    /// Has an order carried out.
    ///
    /// # Errors
    ///
    /// `Operating`: the machine refuses a spawner, or two in a row did not live to answer.
    pub(super) fn run(&self, order: &Order, descriptors: &[BorrowedFd<'_>], cancel: &Cancel) -> Result<Answer> {
        let message = spell_order(order);
        let wall_limit = Duration::from_millis(order.limits.wall_time_limit_ms);
        let deadline = wall_limit.saturating_mul(crate::run::supervise::PATIENCE).saturating_add(GRACE);
        let mut spawner = self.take()?;
        let mut answer = spawner.carry_out(&message, descriptors, cancel, deadline);
        if answer.is_err() {
            // Somebody may have killed it, by mistake or by malice: once is no reason to give up.
            spawner = Spawner::start(&self.program, &self.folder)?;
            answer = spawner.carry_out(&message, descriptors, cancel, deadline);
        }
        let answer =
            answer.map_err(|cause| refusal::of_io("failed to speak with the process that runs programs", &cause))?;
        self.idle().push(spawner);
        Ok(answer)
    }

    /// A spawner that nobody else uses: one on the processor that this thread is kept on, if it is.
    fn take(&self) -> Result<Spawner> {
        let own = own_processor();
        let mut idle = self.idle();
        let near = idle.iter().rposition(|spawner| own.is_none() || spawner.processor == own);
        let near = near.map(|at| idle.remove(at));
        drop(idle);
        near.map_or_else(|| Spawner::start(&self.program, &self.folder), Ok)
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
    fn start(program: &std::path::Path, folder: &std::path::Path) -> Result<Spawner> {
        let refused = |cause: io::Error| {
            refusal::of_io(&format!("failed to start `{}`, which runs programs", program.display()), &cause)
        };
        let (ours, theirs) = Line::pair().map_err(refused)?;
        let mut command = Command::new(program);
        command.args([WORD.as_ref(), folder.as_os_str()]).env_clear().current_dir("/").process_group(0);
        command.stdin(theirs.into_descriptor()).stdout(Stdio::null()).stderr(Stdio::null());
        let process = command.spawn().map_err(refused)?;
        Ok(Spawner { line: ours, processor: own_processor(), process: Some(process) })
    }

    /// Sends an order and waits for the answer.
    fn carry_out(
        &mut self,
        message: &[u8],
        descriptors: &[BorrowedFd<'_>],
        cancel: &Cancel,
        deadline: Duration,
    ) -> io::Result<Answer> {
        self.line.send(message, descriptors)?;
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
            Some((bytes, _)) => read_answer(&bytes),
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
