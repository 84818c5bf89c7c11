//! Undefined behaviour of submissions that passed a search: their answers were right by luck.
//!
//! A program that reads beyond an array finds what its build happens to put there. So at the end of a long search, its
//! inputs of full size and its first ones are run once more with sanitizers. A fault is reported only if the reference has
//! none on the same input.

use super::stress_plan::{SearchResult, StressPlan};
use crate::event::{SanitizerFinding, WarningEvent};
use crate::tuning::{MAX_SANITIZED_INPUTS, MAX_SANITIZED_LARGE_INPUTS, MIN_SANITIZED_SEARCH_MS, SANITIZED_SHARE};
use std::cell::Cell;
use std::path::Path;
use std::time::{Duration, Instant};

/// Maximum length in bytes of an input that is shown in a sentence.
const MAX_SHOWN_BYTES: usize = 80;

/// Runs a source with sanitizers on an input, and returns the fault that they report.
pub(super) type FindFault<'f> = &'f dyn Fn(&Path, &[u8]) -> Option<SanitizerFinding>;

/// Returns a warning for each submission that passed a search of some seconds, and has undefined behaviour on one of its
/// inputs.
pub fn undefined_behaviour_warnings(
    plan: &StressPlan<'_>,
    result: &SearchResult,
    reference: &Path,
    find_fault: FindFault<'_>,
) -> Vec<WarningEvent> {
    let progress = &result.progress;
    if progress.elapsed_ms < MIN_SANITIZED_SEARCH_MS || plan.inputs.is_exhaustive() {
        return Vec::new();
    }
    let mut indices = plan.inputs.large_indices(progress.cases, MAX_SANITIZED_LARGE_INPUTS);
    indices.extend(0..progress.cases.min(MAX_SANITIZED_INPUTS));
    let share = Duration::from_millis(progress.elapsed_ms / SANITIZED_SHARE);
    let passing = plan.submissions.iter().enumerate();
    let passing = passing.filter(|(at, _)| result.hits.iter().all(|hit| hit.submission != Some(*at)));
    let warning = |name: &str, source: &Path| {
        // The first run compiles, which may take longer than all others.
        let end = Cell::new(None);
        let is_over = || end.get().is_some_and(|end| Instant::now() >= end) || plan.judge_setup.cancel.is_cancelled();
        indices.iter().take_while(|_| !is_over()).find_map(|index| {
            let input = plan.inputs.make_input(plan.seed, *index).ok()??;
            let fault = find_fault(source, &input.bytes);
            end.set(end.get().or_else(|| Some(Instant::now() + share)));
            let fault = fault?;
            find_fault(reference, &input.bytes).is_none().then(|| describe_fault(name, index + 1, &input.bytes, &fault))
        })
    };
    passing.filter_map(|(_, submission)| warning(&submission.name, &submission.source)).collect()
}

/// Returns a short input with slashes for its line ends, to be shown in a sentence.
pub(super) fn input_on_a_line(input: &[u8]) -> Option<String> {
    let text = input.trim_ascii_end();
    (text.len() <= MAX_SHOWN_BYTES).then(|| String::from_utf8_lossy(text).replace('\n', " / "))
}

fn describe_fault(name: &str, case: u64, input: &[u8], fault: &SanitizerFinding) -> WarningEvent {
    let shown = input_on_a_line(input).map(|input| format!("`{input}`, ")).unwrap_or_default();
    let line = fault.place.as_ref().map(|(_, line)| format!("line {line}: ")).unwrap_or_default();
    let fault = &fault.message;
    let message = format!("`{name}` has undefined behaviour on input {case}, {shown}which is valid: {line}{fault}");
    let help = "another compiler may build a program that fails on it; the reference has none there";
    WarningEvent::new(message, help)
}
