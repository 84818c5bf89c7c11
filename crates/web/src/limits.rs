//! Limits on the work and the size of an answer. They are steps and characters, not time: the page terminates a worker
//! that takes too long all the same.

use rebut_diagnostics::SourceText;
use rebut_format::language::Format;

/// Number of steps, each about as expensive as a comparison, that the work on one part of an answer may take.
const MAX_STEPS: u64 = 10_000_000;
/// Number of nodes that a search for the smallest inputs may visit. Some are expensive, and count many steps.
pub(crate) const MAX_NODES: u64 = 50_000;
/// Maximum number of bytes of an input that is shown.
const MAX_SHOWN_BYTES: usize = 4_000;

/// Parses a format without errors.
pub(crate) fn parse_bounded(text: &str) -> Option<Format> {
    let (format, _) = Format::parse(&SourceText::new("format", text.as_bytes())).ok()?;
    Some(bound_steps(&format))
}

/// Returns the format with all steps that a part of an answer may take.
pub(crate) fn bound_steps(format: &Format) -> Format {
    Format { stop_token: format.stop_token.with_steps(MAX_STEPS), ..format.clone() }
}

/// Returns an input as text that is short enough to be shown. The rest is counted.
pub(crate) fn shown_input(bytes: &[u8]) -> String {
    let shown = String::from_utf8_lossy(&bytes[..bytes.len().min(MAX_SHOWN_BYTES)]).into_owned();
    match bytes.len().checked_sub(MAX_SHOWN_BYTES) {
        Some(rest @ 1..) => format!("{shown}\u{2026} and {rest} bytes more"),
        _ => shown,
    }
}
