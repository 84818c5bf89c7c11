//! Relays the output of one program to the other.
//!
//! A relay must be transparent: when the sender closes its end, the receiver must read the rest and then the end of the
//! input. It waits for data and for closed ends at once.
//!
//! Which party left first must be a matter of cause and effect, not of which process was faster. So the end of one program is
//! kept from the other for as long as that can have no effect: the receiver reads the end of its input only when it
//! waits for more, and what it writes to a program that is gone is discarded, up to a limit. A program that ends before
//! has done so for its own reasons. An effect is recorded *before* the program can notice it.
//!
//! Where supervision does not kill all processes of a run, an escaped process can hold an end open for ever. So a relay
//! also ends when both runs are over.

use super::InteractionParty;
use super::pipe_readers::PipeReaders;
use super::transcript::{Transcript, TranscriptRecorder};
use crate::tuning::{END_POLL_INTERVAL, END_REPORT_TIME, RELAY_CHUNK_BYTES};
use rustix::event::{PollFd, PollFlags, poll};
use rustix::io::{Errno, read, retry_on_intr, write};
use std::os::fd::{BorrowedFd, OwnedFd};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Instant;

/// Maximum number of bytes that a program can write to one that is gone.
const MAX_DISCARDED_BYTES: usize = 1 << 20;

/// The shared state of the two relays of an interaction.
pub(super) struct Conversation {
    limits_bytes: [u64; 2],
    /// When the programs were started.
    start: Instant,
    state: Mutex<ConversationState>,
}

#[derive(Default)]
struct ConversationState {
    first_to_leave: Option<InteractionParty>,
    /// Whether the run of the submission is over.
    has_ended: bool,
    /// Whether the submission had a sign of the end of the interactor.
    is_affected: bool,
    recorder: TranscriptRecorder,
    written_bytes: [u64; 2],
}

impl Conversation {
    /// Creates the state of an interaction with these output limits of interactor and submission.
    pub(super) fn new(limits_bytes: [u64; 2]) -> Self {
        Conversation { limits_bytes, start: Instant::now(), state: Mutex::default() }
    }

    /// Returns the party that left first, whether the submission ended by itself, the transcript, and which parties
    /// exceeded their output limit.
    pub(super) fn into_results(self) -> (InteractionParty, bool, Transcript, [bool; 2]) {
        let state = self.state.into_inner().unwrap_or_else(PoisonError::into_inner);
        let is_over = [0, 1].map(|i| state.written_bytes[i] > self.limits_bytes[i]);
        // The relay of the interactor records a departure before it ends, so the default is never used.
        let first = state.first_to_leave.unwrap_or(InteractionParty::Submission);
        (first, !state.is_affected, state.recorder.finish(), is_over)
    }

    fn lock_state(&self) -> MutexGuard<'_, ConversationState> {
        // The stored state is complete whenever the lock is free, even after a panic elsewhere.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the time since the programs were started, in microseconds.
    fn elapsed_us(&self) -> u64 {
        u64::try_from(self.start.elapsed().as_micros()).unwrap_or(u64::MAX)
    }

    /// Records that a party left, and returns the party that left first.
    pub(super) fn record_departure(&self, party: InteractionParty) -> InteractionParty {
        *self.lock_state().first_to_leave.get_or_insert(party)
    }

    /// Records that the run of the submission is over.
    pub(super) fn record_end(&self) {
        self.lock_state().has_ended = true;
    }

    /// Records output of a party. Returns true while it is within the limit.
    fn record_output(&self, party: InteractionParty, bytes: &[u8]) -> bool {
        let at_us = self.elapsed_us();
        let mut state = self.lock_state();
        let index = party as usize;
        state.written_bytes[index] += bytes.len() as u64;
        state.recorder.record_bytes(party, at_us, bytes);
        state.written_bytes[index] <= self.limits_bytes[index]
    }
}

/// The two ends that a relay connects: one to read from, and a non-blocking one to write to.
pub(super) struct PipeEnds {
    pub(super) source: OwnedFd,
    pub(super) sink: OwnedFd,
}

/// One direction of an interaction.
pub(super) struct PipeRelay<'a> {
    pub(super) from: InteractionParty,
    pub(super) conversation: &'a Conversation,
    pub(super) ends: PipeEnds,
    /// A pipe without data. Its other end is closed when both runs are over.
    pub(super) shutdown: BorrowedFd<'a>,
}

impl PipeRelay<'_> {
    /// Relays until either end is closed, or the sender exceeds its output limit. Failures of the operating system
    /// close the ends as well, so that both programs notice.
    pub(super) fn relay_until_closed(self) {
        let PipeRelay { from, conversation, ends, shutdown } = self;
        let mut chunk = [0; RELAY_CHUNK_BYTES];
        loop {
            match wait_for_data(&ends, shutdown, &mut chunk) {
                RelayEvent::Data(count) if !conversation.record_output(from, &chunk[..count]) => {
                    conversation.record_departure(from);
                    return;
                }
                RelayEvent::Data(count) => {
                    if forward_bytes(&ends.sink, shutdown, &chunk[..count]).is_err() {
                        break;
                    }
                }
                RelayEvent::SourceClosed => return conversation.end_input(from, &ends, shutdown),
                RelayEvent::SinkClosed => break,
            }
        }
        conversation.discard_rest(from, ends, shutdown);
    }
}

impl Conversation {
    /// Ends the input of the receiver when it needs more, after the sender has closed its end.
    fn end_input(&self, from: InteractionParty, ends: &PipeEnds, shutdown: BorrowedFd<'_>) {
        if from == InteractionParty::Interactor {
            self.record_departure(from);
        }
        if !wait_until_end_is_needed(&ends.sink, shutdown) {
            self.record_departure(InteractionParty::Interactor);
        } else if from == InteractionParty::Interactor {
            self.lock_state().is_affected = true;
        } else {
            // One that runs on has not left: it has merely closed its output.
            let asked = Instant::now();
            while !self.lock_state().has_ended && asked.elapsed() < END_REPORT_TIME {
                std::thread::sleep(END_POLL_INTERVAL);
            }
            if self.lock_state().has_ended {
                self.record_departure(from);
            }
        }
    }

    /// Discards what the sender writes to a receiver that is gone: whether it can finish must not depend on which
    /// program was faster. One that writes without end is stopped by the limit.
    fn discard_rest(&self, from: InteractionParty, ends: PipeEnds, shutdown: BorrowedFd<'_>) {
        let is_interactor = from == InteractionParty::Interactor;
        if !is_interactor {
            self.record_departure(InteractionParty::Interactor);
        }
        let PipeEnds { source, sink } = ends;
        drop(sink);
        let mut chunk = [0; RELAY_CHUNK_BYTES];
        let mut left = MAX_DISCARDED_BYTES;
        while let RelayEvent::Data(count) = wait_for_source(&source, shutdown, &mut chunk) {
            if count > left {
                self.record_departure(from.other_party());
                self.lock_state().is_affected |= !is_interactor;
                return;
            }
            left -= count;
            if is_interactor {
                self.lock_state().recorder.record_bytes(from, self.elapsed_us(), &chunk[..count]);
            }
        }
        self.record_departure(InteractionParty::Interactor);
    }
}

/// Waits until the receiver waits for more input than it was sent. Returns false if it ends before that.
fn wait_until_end_is_needed(sink: &OwnedFd, shutdown: BorrowedFd<'_>) -> bool {
    let mut readers = PipeReaders::default();
    let mut is_needed = false;
    loop {
        let mut polled = [PollFd::new(sink, PollFlags::empty()), PollFd::new(&shutdown, PollFlags::empty())];
        let interval = END_POLL_INTERVAL.try_into().ok();
        let looked = retry_on_intr(|| poll(&mut polled, interval.as_ref()));
        // A receiver that has just ended cannot be observed, but its end of the pipe is closed.
        if is_needed || looked.is_err() || polled.iter().any(|end| !end.revents().is_empty()) {
            return polled.iter().all(|end| end.revents().is_empty());
        }
        is_needed = readers.wait_for_input(sink);
    }
}

enum RelayEvent {
    Data(usize),
    SourceClosed,
    SinkClosed,
}

/// Waits until the sender writes, or either end is closed.
fn wait_for_data(ends: &PipeEnds, shutdown: BorrowedFd<'_>, chunk: &mut [u8]) -> RelayEvent {
    let mut polled = [
        PollFd::new(&ends.source, PollFlags::IN),
        PollFd::new(&ends.sink, PollFlags::empty()),
        PollFd::new(&shutdown, PollFlags::empty()),
    ];
    if retry_on_intr(|| poll(&mut polled, None)).is_err() {
        return RelayEvent::SourceClosed;
    }
    // With no events requested, the write end of a pipe reports only that the last reader has closed it.
    if !polled[1].revents().is_empty() {
        return RelayEvent::SinkClosed;
    }
    read_chunk(&polled[0], &ends.source, chunk)
}

/// Like [`wait_for_data`], after the receiver has closed its end.
fn wait_for_source(source: &OwnedFd, shutdown: BorrowedFd<'_>, chunk: &mut [u8]) -> RelayEvent {
    let mut polled = [PollFd::new(source, PollFlags::IN), PollFd::new(&shutdown, PollFlags::empty())];
    if retry_on_intr(|| poll(&mut polled, None)).is_err() {
        return RelayEvent::SourceClosed;
    }
    read_chunk(&polled[0], source, chunk)
}

/// Reads the data that is available.
fn read_chunk(polled: &PollFd<'_>, source: &OwnedFd, chunk: &mut [u8]) -> RelayEvent {
    // Data that was written before the end is still read.
    if polled.revents().is_empty() {
        return RelayEvent::SourceClosed;
    }
    match retry_on_intr(|| read(source, &mut *chunk)) {
        Ok(0) | Err(_) => RelayEvent::SourceClosed,
        Ok(count) => RelayEvent::Data(count),
    }
}

fn forward_bytes(sink: &OwnedFd, shutdown: BorrowedFd<'_>, mut bytes: &[u8]) -> Result<(), Errno> {
    while !bytes.is_empty() {
        match retry_on_intr(|| write(sink, bytes)) {
            Ok(count) => bytes = &bytes[count..],
            Err(Errno::AGAIN) => wait_until_writable(sink, shutdown)?,
            Err(cause) => return Err(cause),
        }
    }
    Ok(())
}

fn wait_until_writable(sink: &OwnedFd, shutdown: BorrowedFd<'_>) -> Result<(), Errno> {
    let mut polled = [PollFd::new(sink, PollFlags::OUT), PollFd::new(&shutdown, PollFlags::empty())];
    retry_on_intr(|| poll(&mut polled, None))?;
    if polled[1].revents().is_empty() { Ok(()) } else { Err(Errno::PIPE) }
}
