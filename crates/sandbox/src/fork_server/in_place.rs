//! Copies of a fork server that run a program *in place*: on one input after the other in the same process, which puts
//! its memory back in between. The other side is `in_place.c`; for Java it is `InPlace.java`, in a virtual machine without a
//! server.
//!
//! Such a copy is as hostile as its program. It gets the inputs read-only, and what it reports of a run is copied and
//! checked here, so it can only spoil the results of its own program. It is stopped while other programs run.

use crate::RunLimits;
use crate::supervise::{ForkServerGate, MemoryPeak, StopReason, SupervisionReport};
use crate::sys::{BorrowedFd, ChildProcess, OwnedFd, SharedMemory};
use crate::tuning::{
    MAX_BATCH_TIME, MAX_BATCH_WAIT, MAX_IN_PLACE_TIME, MAX_IN_PLACE_WAIT, MAX_SERVER_WAIT, READY_TIMEOUT,
    SERVER_POLL_INTERVAL,
};
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::{Errno, read, retry_on_intr, write};
use rustix::net::{AddressFamily, SocketFlags, SocketType, socketpair};
use std::io;
use std::os::fd::AsFd;
use std::time::Instant;

// The layout of the shared memory, known to `in_place.c` as well.

const MAX_RUNS: usize = super::MAX_IN_PLACE_RUNS;
const INPUT_HEAD_BYTES: usize = 8 + 8 * MAX_RUNS;
const INPUT_AREA_BYTES: usize = (INPUT_HEAD_BYTES + super::MAX_IN_PLACE_BYTES).next_multiple_of(4096);
const OUTPUT_AREA_BYTES: usize = 1 << 20;
const REFUSED_AT: usize = 8;
const READY_AT: usize = 16;
const PREPARED_AT: usize = 24;
const RUNS_AT: usize = 32;
const RUN_BYTES: usize = 40;
const OUTPUTS_AT: usize = RUNS_AT + RUN_BYTES * MAX_RUNS;
const RESULT_BYTES: usize = (OUTPUTS_AT + OUTPUT_AREA_BYTES).next_multiple_of(4096);
/// Size of the file that ends with the memory that the program saves; only what is used takes memory.
const RESULT_FILE_BYTES: u64 = (RESULT_BYTES + (64 << 20)) as u64;
/// The size of a page of memory in bytes.
const PAGE_BYTES: u64 = 4096;

/// A run that exited, within narrow limits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct CleanRun {
    /// Its exit status, 0 to 255.
    pub(crate) status: i32,
    pub(crate) cpu_time_us: u64,
    /// Processor time with that of the preparation, which a new process needs as well.
    whole_time_us: u64,
    /// An estimate of the memory that it used, in bytes.
    pub(crate) memory_bytes: u64,
    pub(crate) output: Vec<u8>,
    pub(crate) error: Vec<u8>,
}

impl CleanRun {
    /// Returns true if it used so little that the limits cannot matter: it shares pages and preparation with other runs.
    pub(crate) fn is_far_from(&self, limits: &RunLimits) -> bool {
        self.cpu_time_us < MAX_IN_PLACE_TIME.as_micros() as u64
            && self.whole_time_us < limits.cpu_time_limit_ms.saturating_mul(1000) / 2
            && self.memory_bytes < limits.memory_limit_bytes / 2
    }

    /// Returns what is reported of it. Its time lacks what a new process needs.
    pub(crate) fn to_report(&self) -> SupervisionReport {
        SupervisionReport {
            stop: StopReason::Ended,
            // As `waitpid` reports it.
            status: self.status << 8,
            cpu_time_us: self.cpu_time_us,
            wall_time_us: self.cpu_time_us,
            memory: MemoryPeak::AtMost(self.memory_bytes),
        }
    }
}

/// The results of a batch: of each run, from the first on, that ended; `None` for one that does not count.
pub(crate) type InPlaceRuns = Vec<Option<CleanRun>>;

/// What is shared with a copy, before it exists.
#[derive(Debug)]
pub(crate) struct InPlaceMemory {
    inputs: SharedMemory,
    results: SharedMemory,
    control: OwnedFd,
    /// The copy's end of the control socket.
    theirs: Option<OwnedFd>,
}

impl InPlaceMemory {
    pub(crate) fn create() -> io::Result<InPlaceMemory> {
        let (control, theirs) =
            socketpair(AddressFamily::UNIX, SocketType::SEQPACKET, SocketFlags::CLOEXEC | SocketFlags::NONBLOCK, None)?;
        // Only this end must never block.
        rustix::fs::fcntl_setfl(&theirs, rustix::fs::OFlags::empty())?;
        Ok(InPlaceMemory {
            inputs: SharedMemory::create(INPUT_AREA_BYTES as u64, INPUT_AREA_BYTES, true)?,
            results: SharedMemory::create(RESULT_FILE_BYTES, RESULT_BYTES, false)?,
            control,
            theirs: Some(theirs),
        })
    }

    /// Returns the descriptors that the copy gets in the place of its standard streams.
    pub(crate) fn streams(&self) -> [BorrowedFd<'_>; 3] {
        let control = self.theirs.as_ref().unwrap_or(&self.control);
        [self.inputs.as_fd(), self.results.as_fd(), control.as_fd()]
    }
}

/// A copy that runs a program in place.
#[derive(Debug)]
pub(crate) struct InPlaceCopy {
    memory: InPlaceMemory,
    process: ChildProcess,
    /// True before its first batch.
    is_new: bool,
    is_stopped: bool,
}

impl InPlaceCopy {
    /// Wraps a copy that was forked with these descriptors as its streams.
    pub(crate) fn new(mut memory: InPlaceMemory, process: ChildProcess) -> InPlaceCopy {
        memory.theirs = None;
        InPlaceCopy { memory, process, is_new: true, is_stopped: false }
    }

    pub(crate) fn pid(&self) -> i32 {
        self.process.pid()
    }

    /// Runs the program on inputs, at most [`MAX_IN_PLACE_RUNS`](super::MAX_IN_PLACE_RUNS). There are fewer results than
    /// inputs if that takes long, and `None` if the program cannot be run in place. `gate` is that of its server, if it has
    /// one. After an error, and if it [has ended](InPlaceCopy::has_ended), this must be dropped.
    ///
    /// # Errors
    ///
    /// Returns an error if the operating system refuses, or if the run was cancelled.
    pub(crate) fn run_batch(
        &mut self,
        inputs: &[&[u8]],
        cancel_socket: BorrowedFd<'_>,
        gate: Option<&ForkServerGate>,
    ) -> io::Result<Option<InPlaceRuns>> {
        self.write_inputs(inputs);
        if self.is_stopped {
            self.process.send_continue()?;
            self.is_stopped = false;
        }
        write(&self.memory.control, &[0])?;
        let mut progress = Progress::new(self.process.cpu_time_us(), self.is_new);
        self.is_new = false;
        let mut is_too_slow = false;
        loop {
            let control = self.memory.control.as_fd();
            let calls = gate.map_or(control, AsFd::as_fd);
            let mut polled = [control, calls, cancel_socket].map(|fd| PollFd::from_borrowed_fd(fd, PollFlags::IN));
            let tick = Timespec { tv_sec: 0, tv_nsec: SERVER_POLL_INTERVAL.as_nanos() as _ };
            retry_on_intr(|| poll(&mut polled, Some(&tick)))?;
            let [is_done, has_calls, is_cancelled] = polled.map(|polled| !polled.revents().is_empty());
            if is_done {
                break;
            }
            if let (true, Some(gate)) = (has_calls, gate) {
                gate.answer_notifications(|| Some(self.pid()))?;
            }
            if is_cancelled {
                return Err(Errno::CANCELED.into());
            }
            let done = done_of(&self.memory.results.read_bytes(0, 8), inputs.len());
            let cpu_time_us = self.process.cpu_time_us();
            is_too_slow = progress.is_too_slow(done, cpu_time_us);
            if is_too_slow {
                break;
            }
            if progress.is_long(cpu_time_us) {
                self.memory.inputs.write_bytes(0, &(done as u64 + 1).min(inputs.len() as u64).to_ne_bytes());
            }
        }
        // Fails at the end of the stream as well: the process has ended, and the run that it was in does not count.
        let has_failed = is_too_slow || read(&self.memory.control, &mut [0]) != Ok(1);
        self.end_batch(inputs.len(), has_failed)
    }

    /// Returns true if the last batch has ended the process.
    pub(crate) fn has_ended(&self) -> bool {
        !self.is_stopped
    }

    fn write_inputs(&mut self, inputs: &[&[u8]]) {
        let mut head = vec![inputs.len() as u64];
        head.extend(inputs.iter().scan(0, |end, input| {
            *end += input.len() as u64;
            Some(*end)
        }));
        let head: Vec<u8> = head.into_iter().flat_map(u64::to_ne_bytes).collect();
        self.memory.inputs.write_bytes(0, &head);
        self.memory.inputs.write_bytes(INPUT_HEAD_BYTES, &inputs.concat());
        self.memory.results.write_bytes(0, &0_u64.to_ne_bytes());
    }

    /// Stops the process, unless the batch has ended it, and reads the results.
    fn end_batch(&mut self, count: usize, has_failed: bool) -> io::Result<Option<InPlaceRuns>> {
        let head = self.memory.results.read_bytes(0, OUTPUTS_AT);
        // A process that fails before it is ready will always fail.
        if number_at(&head, REFUSED_AT) != 0 || has_failed && number_at(&head, READY_AT) == 0 {
            return Ok(None);
        }
        if !has_failed {
            self.process.stop_and_wait()?;
            self.is_stopped = true;
        }
        let prepared_us = number_at(&head, PREPARED_AT);
        let done = done_of(&head, count);
        let mut start = 0;
        let mut runs: InPlaceRuns = Vec::with_capacity(done + 1);
        for run in 0..done {
            let (result, end) = self.read_run(&head[RUNS_AT + run * RUN_BYTES..][..RUN_BYTES], prepared_us, start);
            start = end;
            runs.push(result);
        }
        if has_failed && done < count {
            runs.push(None);
        }
        Ok(Some(runs))
    }

    /// Reads the result of a run, with its output from this offset on, and returns where that of the next one starts.
    fn read_run(&self, record: &[u8], prepared_us: u64, start: usize) -> (Option<CleanRun>, usize) {
        const EXITED: i32 = 1;
        let word = |at: usize| i32::from_ne_bytes([record[at], record[at + 1], record[at + 2], record[at + 3]]);
        let offset = |at| usize::try_from(number_at(record, at)).unwrap_or(usize::MAX);
        let (output_end, error_end) = (offset(8), offset(16));
        if !(start <= output_end && output_end <= error_end && error_end <= OUTPUT_AREA_BYTES) {
            return (None, start);
        }
        let run = (word(0) == EXITED).then(|| CleanRun {
            status: word(4) & 0xff,
            cpu_time_us: number_at(record, 24),
            whole_time_us: number_at(record, 24).saturating_add(prepared_us),
            memory_bytes: number_at(record, 32).saturating_mul(PAGE_BYTES),
            output: self.memory.results.read_bytes(OUTPUTS_AT + start, output_end - start),
            error: self.memory.results.read_bytes(OUTPUTS_AT + output_end, error_end - output_end),
        });
        (run, error_end)
    }
}

/// Watches that each run ends soon, but for the first one, before which the program prepares itself.
struct Progress {
    is_first: bool,
    started: Instant,
    started_us: u64,
    done: usize,
    since: Instant,
    cpu_time_us: u64,
}

impl Progress {
    fn new(cpu_time_us: Option<u64>, is_first: bool) -> Progress {
        let (now, cpu_time_us) = (Instant::now(), cpu_time_us.unwrap_or(0));
        Progress { is_first, started: now, started_us: cpu_time_us, done: 0, since: now, cpu_time_us }
    }

    /// Returns true if no further run should be started.
    fn is_long(&self, cpu_time_us: Option<u64>) -> bool {
        let used_us = cpu_time_us.unwrap_or(0).saturating_sub(self.started_us);
        used_us > MAX_BATCH_TIME.as_micros() as u64 || self.started.elapsed() > MAX_BATCH_WAIT
    }

    /// Returns true if the current run has taken too long.
    fn is_too_slow(&mut self, done: usize, cpu_time_us: Option<u64>) -> bool {
        let cpu_time_us = cpu_time_us.unwrap_or(0);
        if done > self.done {
            *self = Progress { is_first: false, done, since: Instant::now(), cpu_time_us, ..*self };
        }
        let (limit, wait) =
            if self.is_first { (READY_TIMEOUT, MAX_SERVER_WAIT) } else { (MAX_IN_PLACE_TIME, MAX_IN_PLACE_WAIT) };
        let is_slow = cpu_time_us.saturating_sub(self.cpu_time_us) > limit.as_micros() as u64;
        let is_late = self.started.elapsed() > MAX_BATCH_WAIT + wait;
        is_slow || is_late || self.since.elapsed() > wait
    }
}

/// Returns the number of finished runs that the process reports, at most this many.
fn done_of(head: &[u8], count: usize) -> usize {
    usize::try_from(number_at(head, 0)).map_or(count, |done| done.min(count))
}

fn number_at(bytes: &[u8], at: usize) -> u64 {
    bytes[at..].first_chunk::<8>().map_or(0, |number| u64::from_ne_bytes(*number))
}
