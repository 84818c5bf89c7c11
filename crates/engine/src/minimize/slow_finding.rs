//! Findings of the search for slow inputs, which is not followed by shrinking: their size is the point.

use super::describe_finding::describe_failing_input;
use super::minimization_task::FailingInput;
use super::minimizer::Minimizer;
use crate::event::{ActivityEvent, Event, EventSink, Finding, FindingSlowness};
use crate::judge::judge_outcome;
use crate::judging::ReferenceAnswer;
use crate::tuning::CONFIRMATION_RUNS;
use rebut_diagnostics::Result;
use rebut_packages::verdict::Verdict;
use rebut_sandbox::Program;
use std::path::Path;

impl Minimizer<'_, '_> {
    /// Runs a slow input again, and saves it as a finding. Only failures that need no answer can be reported, since the
    /// reference may be too slow for the input as well.
    ///
    /// # Errors
    /// Returns an error if a program cannot be started, or if the work was cancelled.
    pub fn report_slow_input(
        &self,
        (name, source, program): (&str, &Path, &Program),
        mut failing: FailingInput,
        slowness: FindingSlowness,
        sink: &mut dyn EventSink,
    ) -> Result<Finding> {
        sink.take_event(&Event::Activity(ActivityEvent::new("Confirming", name)));
        let hint = match self.judge_setup.run_reference(&failing.input)? {
            ReferenceAnswer::Known(answer) => {
                failing.answer = answer;
                None
            }
            ReferenceAnswer::TooSlow => {
                Some("is too slow for this input as well, so it does not prove that a solution can be fast enough")
            }
            ReferenceAnswer::Failed(_) => Some("fails on this input as well"),
        };
        let mut failed = 1;
        for _ in 1..CONFIRMATION_RUNS {
            let run_result = self.judge_setup.run_and_judge(program, &failing.input, &failing.answer)?;
            failed += u32::from(judge_outcome(&run_result.outcome) == Some(failing.run_result.verdict));
        }
        let mut finding = describe_failing_input(self.judge_setup, self.seed, name, &failing);
        let reference = self.judge_setup.reference.display_name();
        finding.failure.hints.extend(hint.map(|hint| format!("the reference `{reference}` {hint}")));
        finding.failure.flaky = (failed < CONFIRMATION_RUNS).then_some((failed, CONFIRMATION_RUNS));
        if finding.failure.verdict == Verdict::RuntimeError {
            finding.failure.sanitizer = (self.sanitize)(source, &failing.input);
        }
        finding.minimization.is_complete = true;
        finding.slowness = Some(slowness);
        finding.images = (self.visualize)(&finding);
        Ok(self.create_saver(Some(source)).save_finding(finding, sink))
    }
}
