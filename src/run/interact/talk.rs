//! Two programs, and the pipes and relays between them.

use super::relay::{Ends, Relay, Talk};
use super::{Interaction, Party, Side};
use crate::diagnostic::{Error, Result};
use crate::run::sys::{AsFd, OwnedFd};
use crate::run::{Cancel, Job, LimitHit, Limits, Outcome, refusal};
use std::io;
use std::thread::{Scope, ScopedJoinHandle};

/// The interactor is given that much longer than a submission that waits for it.
const HEAD_START_MS: u64 = 1000;

/// Lets two programs speak with each other until both have ended. A submission is dismissed when an interactor that left
/// before it ended as one that `refuses` it does: whatever it did from then on would change nothing.
///
/// # Errors
///
/// Only what is not the programs' doing, as for [`Program::run`](crate::run::Program::run).
pub fn interact(
    interactor: &Side<'_>,
    submission: &Side<'_>,
    refuses: &(dyn Fn(&Outcome) -> bool + Sync),
    cancel: &Cancel,
) -> Result<Interaction> {
    let dismissal = &cancel.of_a_part();
    let (to_submission, from_interactor) = channel()?;
    let (to_interactor, from_submission) = channel()?;
    let limits = limits(interactor.limits, submission.limits);
    let own = Talk::new([interactor.limits.output_limit_bytes, submission.limits.output_limit_bytes]);
    let talk = &own;
    let (over, running) = pipe()?;
    let (said, heard) = std::thread::scope(|scope| -> Result<_> {
        let _running = running;
        for (from, ends) in [(Party::Interactor, to_submission.relayed), (Party::Submission, to_interactor.relayed)] {
            let relay = Relay { from, talk, ends, over: over.as_fd() };
            spawn(scope, move || relay.run())?;
        }
        let pipes = [to_interactor.read, from_interactor];
        let limits = &limits;
        let talking = spawn(scope, move || -> Result<(Outcome, bool)> {
            let outcome = speak(interactor, &limits[0], pipes, cancel)?;
            // Noted before the submission can be ended by it.
            let is_dismissed = refuses(&outcome) && talk.left(Party::Interactor) == Party::Interactor;
            if is_dismissed {
                dismissal.cancel();
            }
            Ok((outcome, is_dismissed))
        })?;
        let heard = speak(submission, &limits[1], [to_submission.read, from_submission], dismissal);
        Ok((joined(talking), heard))
    })?;
    let ((mut interactor, is_dismissed), mut submission) = (said?, heard?);
    let (first, transcript, is_over) = own.end();
    for (outcome, is_over) in [&mut interactor, &mut submission].into_iter().zip(is_over) {
        if is_over {
            outcome.limit = Some(LimitHit::Output);
        }
    }
    Ok(Interaction { interactor, submission, first, is_dismissed, transcript })
}

/// One direction: the end that the listener reads from, and those that are relayed between.
struct Channel {
    read: OwnedFd,
    relayed: Ends,
}

/// One direction, and the end that the speaker writes to.
fn channel() -> Result<(Channel, OwnedFd)> {
    let (spoken, speaker) = pipe()?;
    let (read, listener) = pipe()?;
    rustix::io::ioctl_fionbio(&listener, true).map_err(|cause| no_pipe(&cause.into()))?;
    Ok((Channel { read, relayed: Ends { spoken, listener } }, speaker))
}

fn pipe() -> Result<(OwnedFd, OwnedFd)> {
    let (reader, writer) = io::pipe().map_err(|cause| no_pipe(&cause))?;
    Ok((reader.into(), writer.into()))
}

fn no_pipe(cause: &io::Error) -> Error {
    refusal::of_io("failed to make a pipe between two programs", cause)
}

fn spawn<'scope, T: Send + 'scope>(
    scope: &'scope Scope<'scope, '_>,
    work: impl FnOnce() -> T + Send + 'scope,
) -> Result<ScopedJoinHandle<'scope, T>> {
    let thread = std::thread::Builder::new().spawn_scoped(scope, work);
    thread.map_err(|cause| refusal::of_io("failed to start a thread between two programs", &cause))
}

/// The limits of interactor and submission, each of which also waits for the other.
fn limits(interactor: &Limits, submission: &Limits) -> [Limits; 2] {
    let patient = |limits: &Limits, wall_time_limit_ms| Limits { wall_time_limit_ms, ..limits.clone() };
    let submission_ms = submission.wall_time_limit_ms.saturating_add(interactor.wall_time_limit_ms);
    let interactor_ms = submission_ms.saturating_add(HEAD_START_MS);
    [patient(interactor, interactor_ms), patient(submission, submission_ms)]
}

fn speak(side: &Side<'_>, limits: &Limits, pipes: [OwnedFd; 2], cancel: &Cancel) -> Result<Outcome> {
    let job = Job { input: &[], args: side.args, limits, luggage: side.luggage };
    side.program.converse(&job, pipes, cancel)
}

/// What a thread results in; should it panic, so do we.
fn joined<T>(thread: ScopedJoinHandle<'_, T>) -> T {
    thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_waits_for_the_other_and_the_submission_is_ended_first() {
        let (short, long) = (Limits::with_cpu_time_ms(1000), Limits::with_cpu_time_ms(10_000));
        let wall = |interactor, submission| limits(interactor, submission).map(|limits| limits.wall_time_limit_ms);
        assert_eq!(wall(&short, &long), [25_000, 24_000]);
        assert_eq!(wall(&long, &short), [25_000, 24_000]);
        assert_eq!(limits(&long, &short).map(|limits| limits.cpu_time_limit_ms), [10_000, 1000]);
    }
}
