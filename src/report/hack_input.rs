//! The input of a finding by itself, to be pasted where a judge asks for a hack.

use rebut_engine::event::{Event, EventSink};
use std::cmp::Reverse;

/// Keeps the smallest input that is proved to fail a submission.
#[derive(Debug, Default)]
pub struct HackInput {
    smallest: Option<Vec<u8>>,
}

impl HackInput {
    /// Returns the input in bytes that the judge reads; `None` if nothing was found.
    pub fn into_bytes(self) -> Option<Vec<u8>> {
        self.smallest
    }
}

impl EventSink for HackInput {
    fn take_event(&mut self, event: &Event) {
        let Event::Found(finding) = event else { return };
        // A hack that fails only sometimes, or that the judge refuses, costs the hacker points.
        if !finding.failure.verdict.is_rejection() || finding.failure.flaky.is_some() {
            return;
        }
        let candidates = self.smallest.take().into_iter().chain([finding.run.input.clone()]);
        self.smallest = candidates.max_by_key(|input| Reverse(input.len()));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rebut_engine::event::{Finding, FindingFailure};
    use rebut_packages::verdict::Verdict;

    fn found(verdict: Verdict, input: &str) -> Finding {
        let mut finding = Finding::from_failure(FindingFailure::new("sol.cpp", verdict));
        finding.run.input = input.as_bytes().to_vec();
        finding
    }

    #[test]
    fn smallest_reliable_input_is_kept() {
        let mut hack = HackInput::default();
        let mut flaky = found(Verdict::WrongAnswer, "1\n");
        flaky.failure.flaky = Some((1, 3));
        let findings = [
            found(Verdict::WrongAnswer, "12 7\n"),
            found(Verdict::RuntimeError, "3\n"),
            found(Verdict::JudgeError, ""),
            flaky,
        ];
        for finding in findings {
            hack.take_event(&Event::Found(Box::new(finding)));
        }
        assert_eq!(hack.into_bytes().as_deref(), Some(&b"3\n"[..]));
    }
}
