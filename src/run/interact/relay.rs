//! Carrying what one program says to the other.
//!
//! A relay must not be felt: when the listener closes its end, the speaker's next word must fail, though the relay could
//! still take it; when the speaker closes its end, the listener must read the rest and then the end. So a relay waits for
//! both at once, and lets go of both ends together. Who was the first to close one is noted *before* the other can learn
//! of it: then the order is that of cause and effect. Only an interactor may end what it has to say to a submission that
//! is gone: whether it judges must not depend on who was faster.
//!
//! Where nobody sees to it that all of a run ends, something that got away may hold an end for ever. So a relay also ends
//! when both runs are over.

use super::Party;
use super::transcript::{Recorder, Transcript};
use rustix::event::{PollFd, PollFlags, poll};
use rustix::io::{Errno, read, retry_on_intr, write};
use std::os::fd::{BorrowedFd, OwnedFd};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Instant;

/// No more is taken from a speaker before the listener has it: as little as possible beyond what two pipes hold.
const CHUNK_BYTES: usize = 4096;

/// So much an interactor may say to a submission that is gone.
const LAST_WORDS_BYTES: usize = 1 << 20;

/// What is known of a conversation.
pub(super) struct Talk {
    limits_bytes: [u64; 2],
    /// When the programs were started.
    start: Instant,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    first: Option<Party>,
    recorder: Recorder,
    said_bytes: [u64; 2],
}

impl Talk {
    /// One in which interactor and submission may say so much.
    pub(super) fn new(limits_bytes: [u64; 2]) -> Self {
        Talk { limits_bytes, start: Instant::now(), state: Mutex::default() }
    }

    /// Who left first, what was said, and who said too much.
    pub(super) fn end(self) -> (Party, Transcript, [bool; 2]) {
        let state = self.state.into_inner().unwrap_or_else(PoisonError::into_inner);
        let is_over = [0, 1].map(|i| state.said_bytes[i] > self.limits_bytes[i]);
        // Both have ended, so somebody was the first, unless no relay was needed to learn of it.
        (state.first.unwrap_or(Party::Submission), state.recorder.finish(), is_over)
    }

    fn state(&self) -> MutexGuard<'_, State> {
        // What is stored is complete whenever the lock is free, even after a panic elsewhere.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the time since the programs were started, in microseconds.
    fn elapsed_us(&self) -> u64 {
        u64::try_from(self.start.elapsed().as_micros()).unwrap_or(u64::MAX)
    }

    /// Notes that somebody left; who left first.
    pub(super) fn left(&self, party: Party) -> Party {
        *self.state().first.get_or_insert(party)
    }

    /// Notes what somebody says; says whether that is still within the limit.
    fn says(&self, party: Party, bytes: &[u8]) -> bool {
        let at_us = self.elapsed_us();
        let mut state = self.state();
        let index = party as usize;
        state.said_bytes[index] += bytes.len() as u64;
        state.recorder.add(party, at_us, bytes);
        state.said_bytes[index] <= self.limits_bytes[index]
    }
}

/// The two ends between which is carried: one to read from, and one to write to without being held up.
pub(super) struct Ends {
    pub(super) spoken: OwnedFd,
    pub(super) listener: OwnedFd,
}

/// One direction of a conversation.
pub(super) struct Relay<'a> {
    pub(super) from: Party,
    pub(super) talk: &'a Talk,
    pub(super) ends: Ends,
    /// Nobody writes to it; its other end is closed when both runs are over.
    pub(super) over: BorrowedFd<'a>,
}

impl Relay<'_> {
    /// Carries until either closes its end, or the speaker says too much. Failures of the machine are ends, too: both
    /// programs then learn of it.
    pub(super) fn run(self) {
        let Relay { from, talk, ends, over } = self;
        let mut chunk = [0; CHUNK_BYTES];
        let gone = loop {
            match listen(&ends, over, &mut chunk) {
                Heard::Words(count) if !talk.says(from, &chunk[..count]) => break from,
                Heard::Words(count) => {
                    if pass_on(&ends.listener, over, &chunk[..count]).is_err() {
                        break from.other();
                    }
                }
                Heard::End => break from,
                Heard::NobodyListens => break from.other(),
            }
        };
        let first = talk.left(gone);
        let Ends { spoken, listener } = ends;
        drop(listener);
        // A submission that has said its last word may go: what the interactor still has to say to it is heard by nobody, and
        // it judges. One that speaks without end is told at last.
        if from == Party::Interactor && gone == Party::Submission && first == Party::Submission {
            let mut left = LAST_WORDS_BYTES;
            while let Heard::Words(count) = hear(&spoken, over, &mut chunk)
                && count <= left
            {
                left -= count;
                talk.state().recorder.add(from, talk.elapsed_us(), &chunk[..count]);
            }
        }
    }
}

enum Heard {
    Words(usize),
    End,
    NobodyListens,
}

/// Waits until the speaker says something, or one of both is gone.
fn listen(ends: &Ends, over: BorrowedFd<'_>, chunk: &mut [u8]) -> Heard {
    let mut polled = [
        PollFd::new(&ends.spoken, PollFlags::IN),
        PollFd::new(&ends.listener, PollFlags::empty()),
        PollFd::new(&over, PollFlags::empty()),
    ];
    if retry_on_intr(|| poll(&mut polled, None)).is_err() {
        return Heard::End;
    }
    // The end of a pipe to write to tells of nothing but that nobody reads any more.
    if !polled[1].revents().is_empty() {
        return Heard::NobodyListens;
    }
    words(&polled[0], &ends.spoken, chunk)
}

/// The same where nobody listens any more.
fn hear(spoken: &OwnedFd, over: BorrowedFd<'_>, chunk: &mut [u8]) -> Heard {
    let mut polled = [PollFd::new(spoken, PollFlags::IN), PollFd::new(&over, PollFlags::empty())];
    if retry_on_intr(|| poll(&mut polled, None)).is_err() {
        return Heard::End;
    }
    words(&polled[0], spoken, chunk)
}

/// What the speaker has said by now.
fn words(polled: &PollFd<'_>, spoken: &OwnedFd, chunk: &mut [u8]) -> Heard {
    // What was said before it was over is still heard.
    if polled.revents().is_empty() {
        return Heard::End;
    }
    match retry_on_intr(|| read(spoken, &mut *chunk)) {
        Ok(0) | Err(_) => Heard::End,
        Ok(count) => Heard::Words(count),
    }
}

fn pass_on(listener: &OwnedFd, over: BorrowedFd<'_>, mut bytes: &[u8]) -> Result<(), Errno> {
    while !bytes.is_empty() {
        match retry_on_intr(|| write(listener, bytes)) {
            Ok(count) => bytes = &bytes[count..],
            Err(Errno::AGAIN) => wait_for_room(listener, over)?,
            Err(cause) => return Err(cause),
        }
    }
    Ok(())
}

fn wait_for_room(listener: &OwnedFd, over: BorrowedFd<'_>) -> Result<(), Errno> {
    let mut polled = [PollFd::new(listener, PollFlags::OUT), PollFd::new(&over, PollFlags::empty())];
    retry_on_intr(|| poll(&mut polled, None))?;
    if polled[1].revents().is_empty() { Ok(()) } else { Err(Errno::PIPE) }
}
