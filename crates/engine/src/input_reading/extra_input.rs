//! Appends numbers to an input to find out whether a program expects more than the input holds.
//!
//! Programs share the position of their input file with this process, so the number of bytes that were read is known,
//! but only up to read-ahead. Inputs are therefore padded with more spaces than a program reads ahead. Spaces do not
//! change the meaning of an input, and a program that does not need anything after them stops before it has read them
//! all.

use crate::tuning::{EXTRA_LINES, PADDING_BYTES};
use rebut_diagnostics::Result;
use rebut_sandbox::{CancelToken, Program, RunLimits};

/// Returns a padding: spaces that a program reads to their end only if it needs more input.
pub(crate) fn padding() -> Vec<u8> {
    vec![b' '; PADDING_BYTES]
}

/// Returns true if a program succeeds on an input followed by many lines with a number, and stops in the padding at the
/// end. `input` must end with a newline.
///
/// # Errors
/// Returns an error if the program cannot be started, or if the work was cancelled.
pub(crate) fn is_satisfied_by_more_lines(
    program: &Program,
    input: &[u8],
    line: &[u8],
    limits: &RunLimits,
    cancel: &CancelToken,
) -> Result<bool> {
    let extended = [input, &line.repeat(EXTRA_LINES), &padding()].concat();
    let result = program.run_counting_reads(&extended, limits, cancel)?;
    Ok(result.is_some_and(|(outcome, read_bytes)| outcome.is_success() && read_bytes < extended.len() as u64))
}
