//! Relays the output of one program to the other.
//!
//! A relay must be transparent: when the receiver closes its end, the sender's next write must fail, although the relay
//! could still accept it; when the sender closes its end, the receiver must read the rest and then the end of the
//! input. So a relay waits for both events at once, and closes both ends together. The first party to close an end is
//! recorded *before* the other can notice, so that the order is that of cause and effect. Only an interactor can finish
//! writing to a submission that is gone: whether it judges must not depend on which program was faster.
//!
//! Where supervision does not kill all processes of a run, an escaped process can hold an end open for ever. So a relay
//! also ends when both runs are over.

use super::InteractionParty;
use super::transcript::{Transcript, TranscriptRecorder};
use crate::tuning::RELAY_CHUNK_BYTES;
use rustix::event::{PollFd, PollFlags, poll};
use rustix::io::{Errno, read, retry_on_intr, write};
use std::os::fd::{BorrowedFd, OwnedFd};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Instant;

/// Maximum number of bytes that an interactor can write to a submission that is gone.
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
    recorder: TranscriptRecorder,
    written_bytes: [u64; 2],
}

impl Conversation {
    /// Creates the state of an interaction with these output limits of interactor and submission.
    pub(super) fn new(limits_bytes: [u64; 2]) -> Self {
        Conversation { limits_bytes, start: Instant::now(), state: Mutex::default() }
    }

    /// Returns the party that left first, the transcript, and which parties exceeded their output limit.
    pub(super) fn into_results(self) -> (InteractionParty, Transcript, [bool; 2]) {
        let state = self.state.into_inner().unwrap_or_else(PoisonError::into_inner);
        let is_over = [0, 1].map(|i| state.written_bytes[i] > self.limits_bytes[i]);
        // Each relay records a departure before it ends, so the default is never used.
        (state.first_to_leave.unwrap_or(InteractionParty::Submission), state.recorder.finish(), is_over)
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
        let leaver = loop {
            match wait_for_data(&ends, shutdown, &mut chunk) {
                RelayEvent::Data(count) if !conversation.record_output(from, &chunk[..count]) => break from,
                RelayEvent::Data(count) => {
                    if forward_bytes(&ends.sink, shutdown, &chunk[..count]).is_err() {
                        break from.other_party();
                    }
                }
                RelayEvent::SourceClosed => break from,
                RelayEvent::SinkClosed => break from.other_party(),
            }
        };
        let first = conversation.record_departure(leaver);
        let PipeEnds { source, sink } = ends;
        drop(sink);
        // The interactor can finish writing to a submission that has left first, because its verdict counts; that
        // output is recorded and discarded. An interactor that writes without end is stopped by the limit.
        if from == InteractionParty::Interactor
            && leaver == InteractionParty::Submission
            && first == InteractionParty::Submission
        {
            let mut left = MAX_DISCARDED_BYTES;
            while let RelayEvent::Data(count) = wait_for_source(&source, shutdown, &mut chunk)
                && count <= left
            {
                left -= count;
                conversation.lock_state().recorder.record_bytes(from, conversation.elapsed_us(), &chunk[..count]);
            }
        }
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
