//! Runs an interaction: two programs, and the pipes and relays between them.

use super::relay::{Conversation, PipeEnds, PipeRelay};
use super::{Interaction, InteractionParty, InteractionSide};
use crate::sys::{AsFd, OwnedFd};
use crate::tuning::INTERACTOR_EXTRA_MS;
use crate::{CancelToken, LimitHit, RunJob, RunLimits, RunOutcome, system_error};
use rebut_diagnostics::{Error, Result};
use std::io;
use std::thread::{Scope, ScopedJoinHandle};

/// Runs two programs that interact until both have ended. The submission is dismissed if the interactor left before it
/// and `refuses` its outcome: nothing that the submission does afterwards can change that.
///
/// # Errors
///
/// Returns an error only for causes outside the programs, like [`Program::run`](crate::Program::run).
pub fn run_interaction(
    interactor: &InteractionSide<'_>,
    submission: &InteractionSide<'_>,
    refuses: &(dyn Fn(&RunOutcome) -> bool + Sync),
    cancel: &CancelToken,
) -> Result<Interaction> {
    let dismissal = &cancel.child_token();
    let (to_submission, from_interactor) = create_relayed_pipe()?;
    let (to_interactor, from_submission) = create_relayed_pipe()?;
    let limits = extend_wall_limits(interactor.limits, submission.limits);
    let output_limits = [interactor.limits.output_limit_bytes, submission.limits.output_limit_bytes];
    let conversation_state = Conversation::new(output_limits);
    let conversation = &conversation_state;
    let (shutdown, shutdown_writer) = create_pipe()?;
    let (interactor_result, submission_result) = std::thread::scope(|scope| -> Result<_> {
        let _shutdown_writer = shutdown_writer;
        for (from, ends) in [
            (InteractionParty::Interactor, to_submission.relay_ends),
            (InteractionParty::Submission, to_interactor.relay_ends),
        ] {
            let relay = PipeRelay { from, conversation, ends, shutdown: shutdown.as_fd() };
            spawn_thread(scope, move || relay.relay_until_closed())?;
        }
        let pipes = [to_interactor.reader, from_interactor];
        let limits = &limits;
        let interactor_thread = spawn_thread(scope, move || -> Result<(RunOutcome, bool)> {
            let outcome = run_side(interactor, &limits[0], pipes, cancel)?;
            // Recorded before the end of the interactor can affect the submission.
            let is_dismissed = refuses(&outcome)
                && conversation.record_departure(InteractionParty::Interactor) == InteractionParty::Interactor;
            if is_dismissed {
                dismissal.cancel();
            }
            Ok((outcome, is_dismissed))
        })?;
        let submission_result = run_side(submission, &limits[1], [to_submission.reader, from_submission], dismissal);
        conversation.record_end();
        Ok((join_thread(interactor_thread), submission_result))
    })?;
    let ((mut interactor, is_dismissed), mut submission) = (interactor_result?, submission_result?);
    let (first, ended_by_itself, transcript, is_over) = conversation_state.into_results();
    for (outcome, is_over) in [&mut interactor, &mut submission].into_iter().zip(is_over) {
        if is_over {
            outcome.limit = Some(LimitHit::Output);
        }
    }
    Ok(Interaction { interactor, submission, first_to_leave: first, ended_by_itself, is_dismissed, transcript })
}

/// One direction: the end that the receiver reads from, and the ends that the relay uses.
struct RelayedPipe {
    reader: OwnedFd,
    relay_ends: PipeEnds,
}

/// Creates one direction, and the end that the sender writes to.
fn create_relayed_pipe() -> Result<(RelayedPipe, OwnedFd)> {
    let (source, writer) = create_pipe()?;
    let (reader, sink) = create_pipe()?;
    rustix::io::ioctl_fionbio(&sink, true).map_err(|cause| pipe_error(&cause.into()))?;
    Ok((RelayedPipe { reader, relay_ends: PipeEnds { source, sink } }, writer))
}

fn create_pipe() -> Result<(OwnedFd, OwnedFd)> {
    let (reader, writer) = io::pipe().map_err(|cause| pipe_error(&cause))?;
    Ok((reader.into(), writer.into()))
}

fn pipe_error(cause: &io::Error) -> Error {
    system_error::describe_io_error("failed to create a pipe between two programs", cause)
}

fn spawn_thread<'scope, T: Send + 'scope>(
    scope: &'scope Scope<'scope, '_>,
    work: impl FnOnce() -> T + Send + 'scope,
) -> Result<ScopedJoinHandle<'scope, T>> {
    let thread = std::thread::Builder::new().spawn_scoped(scope, work);
    thread.map_err(|cause| system_error::describe_io_error("failed to start a relay thread", &cause))
}

/// Returns the limits of interactor and submission, extended by the time that each waits for the other.
fn extend_wall_limits(interactor: &RunLimits, submission: &RunLimits) -> [RunLimits; 2] {
    let with_wall_limit = |limits: &RunLimits, wall_time_limit_ms| RunLimits { wall_time_limit_ms, ..limits.clone() };
    let submission_ms = submission.wall_time_limit_ms.saturating_add(interactor.wall_time_limit_ms);
    let interactor_ms = submission_ms.saturating_add(INTERACTOR_EXTRA_MS);
    [with_wall_limit(interactor, interactor_ms), with_wall_limit(submission, submission_ms)]
}

fn run_side(
    side: &InteractionSide<'_>,
    limits: &RunLimits,
    pipes: [OwnedFd; 2],
    cancel: &CancelToken,
) -> Result<RunOutcome> {
    let job = RunJob { input: &[], args: side.args, limits, files: side.files };
    side.program.run_with_pipes(&job, pipes, cancel)
}

/// Joins a thread, and propagates its panic.
fn join_thread<T>(thread: ScopedJoinHandle<'_, T>) -> T {
    thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wall_limits_add_up_and_the_submission_ends_first() {
        let (short, long) = (RunLimits::with_cpu_time_ms(1000), RunLimits::with_cpu_time_ms(10_000));
        let wall =
            |interactor, submission| extend_wall_limits(interactor, submission).map(|limits| limits.wall_time_limit_ms);
        assert_eq!(wall(&short, &long), [25_000, 24_000]);
        assert_eq!(wall(&long, &short), [25_000, 24_000]);
        assert_eq!(extend_wall_limits(&long, &short).map(|limits| limits.cpu_time_limit_ms), [10_000, 1000]);
    }
}
