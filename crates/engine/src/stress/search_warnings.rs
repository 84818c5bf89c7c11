//! Warnings and errors of a search.

use super::block_result::BlockResult;
use crate::event::WarningEvent;
use crate::tuning::CONFIRMATION_RUNS;
use rebut_diagnostics::Error;

/// How to treat a failure that did not occur again.
const UNREPORTED: &str = "this is not reported as a finding; with `--flaky=fail` the command exits with status 1";

pub(super) fn chance_failure_warning(submission: &str, index: u64) -> WarningEvent {
    let input = index + 1;
    let message = format!(
        "{submission} failed on input {input}, but in none of {CONFIRMATION_RUNS} further runs: it depends on chance, on \
         time, or on files left by earlier runs"
    );
    WarningEvent::new(message, UNREPORTED)
}

/// Returns the warning for a failure that occurs only under the fork server.
pub(super) fn fork_server_failure_warning(submission: &str, index: u64) -> WarningEvent {
    let input = index + 1;
    let message = format!(
        "{submission} fails on input {input} in a forked process, but not in a new one: it depends on addresses, on \
         uninitialized memory, or on chance"
    );
    WarningEvent::new(message, "such failures are not reported; `--engine exec` runs every input in a new process")
}

/// Returns the warning for a failure of a block that does not occur again when the blocks are merged.
pub(super) fn failure_not_reproduced_warning(submission: &str, index: u64) -> WarningEvent {
    let input = index + 1;
    let message = format!(
        "{submission} failed on input {input} when its block was run, but in none of {CONFIRMATION_RUNS} runs here: it \
         depends on chance, on time, or on the machine"
    );
    WarningEvent::new(message, UNREPORTED)
}

/// Returns the warning for a block with different results in two runs.
pub(super) fn flaky_block_warning(program: &str, block: u64, one: &BlockResult, other: &BlockResult) -> WarningEvent {
    let describe = |result: &BlockResult| match result.failures.first() {
        Some(failure) => format!("fails on input {}", failure.index + 1),
        None => "passes".to_owned(),
    };
    let (one, other, block) = (describe(one), describe(other), block + 1);
    let how = if one == other { "the counts differ".to_owned() } else { format!("one {one}, another {other}") };
    let message = format!(
        "{program} is flaky: the runs of block {block} have different results ({how}); it depends on chance, on time, or \
         on the machine"
    );
    WarningEvent::new(message, "with `--flaky=fail` the command exits with status 1")
}

/// Returns the warning for a program that cannot use the fork server.
pub(super) fn no_fork_server_warning(program: &str, reason: &str) -> WarningEvent {
    WarningEvent::new(
        format!("{program} cannot use the fork server and is started anew for each run, which is slower: {reason}"),
        "verdicts are the same either way",
    )
}

/// Returns the error for a reference that answered none of the first inputs within its limits.
pub(super) fn reference_too_slow_error(reference: &str, inputs: u64) -> Error {
    Error::judge_error(format!(
        "the reference `{reference}` runs out of time or memory: it answered none of the first {inputs} inputs"
    ))
    .with_help("keep inputs small with `--where 'n <= 8'`, or give it more time with `--reference-time`")
}
