//! Looks for the shortest conversation among the failing inputs of one size.
//!
//! Of an interactive problem the conversation is read rather than the input. Its inputs are therefore ordered by the
//! number of elements, then by the length of the conversation, and only then by how simple they are. Shrinking and the
//! proof of minimality settle the number of elements. After them, the valid inputs with that number are run, the
//! simplest first, up to a number and a deadline.
//!
//! A conversation can be random. So the length of a conversation is that of the longest one in several runs, all of which
//! have to fail, and nothing is claimed to be shortest if the runs of an input differ.

use super::candidate_runs::CandidateRuns;
use super::minimality_proof::none_if_timed_out;
use super::minimization_task::MinimizationResult;
use crate::event::{ActivityEvent, Event, EventSink, FindingConversation};
use crate::parallel::run_in_parallel;
use crate::predicate::{FailurePredicate, ObservedFailure, PredicateOutcome};
use crate::tuning::{CONFIRMATION_RUNS, CONVERSATIONS_PER_WORKER, MAX_CONVERSATION_INPUTS};
use rebut_diagnostics::Result;
use rebut_format::enumerate::Enumerator;
use rebut_format::generate::GenerationPlan;
use rebut_format::print::print_value;
use rebut_format::read::read_input;
use rebut_format::value::{Measure, Value};
use rebut_sandbox::ConversationLength;

/// Replaces the result by the failing input with the shortest conversation, among those with as many elements that
/// can be run in the rest of the time for shrinking. Returns its length, or `None` if no others can be run: without an interactor or a
/// format, or if the failure is flaky.
pub(super) fn shorten_conversation(
    runs: &CandidateRuns<'_, '_>,
    result: &mut MinimizationResult,
    sink: &mut dyn EventSink,
) -> Option<FindingConversation> {
    result.best.run_result.conversation?;
    let plan = runs.inputs.generation_plan()?;
    let _phase = runs.task.shrink_end.map(|end| runs.judge_setup.cancel.begin_phase_until(end));
    if runs.task.tries > 1 || runs.judge_setup.cancel.should_stop() {
        return None;
    }
    let value = read_input(plan.format, &result.best.input).ok()?;
    sink.take_event(&Event::Activity(ActivityEvent::new("Shortening", runs.task.name)));
    let print = |value: &Value| print_value(plan.format, value);
    let predicate = runs.build_predicate(runs.judge_setup, &print);
    let search = ConversationSearch { predicate, plan, jobs: runs.jobs };
    let ShortestConversation { failure, shortest_run, inputs, is_proved } = search.find_shortest(&value).ok()??;
    let conversation = FindingConversation {
        fewest_messages: shortest_run.messages,
        inputs_of_this_size: inputs,
        shortest_of_this_size: is_proved,
        ..FindingConversation::from_run(failure.run_result.conversation?)
    };
    result.steps += usize::from(failure.input != result.best.input);
    result.best = failure;
    Some(conversation)
}

/// A search for the shortest conversation.
pub(crate) struct ConversationSearch<'s, 'a, 'i> {
    /// Runs inputs in new processes, each once.
    pub(crate) predicate: FailurePredicate<'a, 'i, Value>,
    pub(crate) plan: &'s GenerationPlan<'s>,
    /// Number of workers.
    pub(crate) jobs: usize,
}

/// The failing input with the shortest conversation, as far as inputs were run.
pub(crate) struct ShortestConversation {
    /// The failure in the run with the longest conversation.
    pub(crate) failure: ObservedFailure,
    pub(crate) shortest_run: ConversationLength,
    /// Number of valid inputs of this size that were run.
    pub(crate) inputs: u64,
    /// Whether it is proved that no failing input of this size has a shorter conversation.
    pub(crate) is_proved: bool,
}

/// An input that failed in each of its runs.
struct ConfirmedInput {
    measure: Measure,
    failure: ObservedFailure,
    shortest_run: ConversationLength,
    longest_run: ConversationLength,
}

impl ConfirmedInput {
    /// Returns true if an input comes before this one.
    fn is_preceded_by(&self, length: ConversationLength, measure: &Measure) -> bool {
        (length, measure) < (self.longest_run, &self.measure)
    }
}

impl ConversationSearch<'_, '_, '_> {
    /// Runs the inputs with as many elements as `value`, which fails. Returns `None` if `value` does not fail in each of
    /// its runs, or is not judged by a conversation.
    ///
    /// # Errors
    /// Returns an error if a program cannot be started, a validator fails, or the work was cancelled.
    pub(crate) fn find_shortest(&self, value: &Value) -> Result<Option<ShortestConversation>> {
        let cancel = &self.predicate.test.judge_setup.cancel;
        let is_over = || cancel.should_stop();
        let Some(Some(mut best)) = none_if_timed_out(self.confirm_input(value), cancel)? else { return Ok(None) };
        let mut enumerator = Enumerator::with_elements(self.plan, value.element_count(), &is_over);
        let (mut taken, mut inputs, mut is_settled) = (0, 0, true);
        loop {
            let width = (self.jobs.max(1) * CONVERSATIONS_PER_WORKER).min(MAX_CONVERSATION_INPUTS - taken);
            let values: Vec<Value> = enumerator.by_ref().take(width).collect();
            let run = self.run_inputs(&values, &mut best);
            let Some((run_inputs, run_is_settled)) = none_if_timed_out(run, cancel)? else { break };
            (taken, inputs, is_settled) = (taken + values.len(), inputs + run_inputs, is_settled && run_is_settled);
            let is_last = values.len() < width && !enumerator.is_cut_short() && !is_over();
            if is_last || width == 0 || is_over() {
                is_settled &= is_last && best.shortest_run == best.longest_run;
                return Ok(Some(best.into_result(inputs, is_settled)));
            }
        }
        Ok(Some(best.into_result(inputs, false)))
    }

    /// Runs inputs, and replaces `best` by the first that comes before it. Returns the number of valid inputs, and
    /// whether the outcome of each is known.
    fn run_inputs(&self, values: &[Value], best: &mut ConfirmedInput) -> Result<(u64, bool)> {
        let outcomes = run_in_parallel(self.jobs, values.len(), |at| self.run_input(&values[at]), &mut |_| ())?;
        let (mut inputs, mut is_settled) = (0, true);
        for (value, outcome) in values.iter().zip(outcomes) {
            inputs += u64::from(!matches!(outcome, PredicateOutcome::Refused));
            match outcome {
                PredicateOutcome::Refused | PredicateOutcome::Passes | PredicateOutcome::FailsOtherwise => {}
                PredicateOutcome::Unresolved => is_settled = false,
                PredicateOutcome::Fails(failure) => {
                    let length = failure.run_result.conversation.unwrap_or_default();
                    if best.is_preceded_by(length, &Measure::of_value(self.plan.format, value)) {
                        is_settled &= self.replace_if_confirmed(value, best)?;
                    }
                }
            }
        }
        Ok((inputs, is_settled))
    }

    /// Runs an input, once more if its outcome stays unknown: on a busy machine, programs that wait for each other can look
    /// as if they waited forever.
    fn run_input(&self, value: &Value) -> Result<PredicateOutcome> {
        match self.predicate.test_candidate(value, None)? {
            PredicateOutcome::Unresolved => self.predicate.test_candidate(value, None),
            outcome => Ok(outcome),
        }
    }

    /// Runs an input again whose conversation was shorter than that of `best` in one run, and replaces `best` if it is
    /// so in all runs. Returns false if its runs differ.
    fn replace_if_confirmed(&self, value: &Value, best: &mut ConfirmedInput) -> Result<bool> {
        let Some(confirmed) = self.confirm_input(value)? else { return Ok(false) };
        let is_better = best.is_preceded_by(confirmed.longest_run, &confirmed.measure);
        let is_stable = confirmed.shortest_run == confirmed.longest_run;
        if is_better {
            *best = confirmed;
        }
        Ok(is_better && is_stable)
    }

    /// Runs an input several times. Returns `None` unless it fails each time.
    fn confirm_input(&self, value: &Value) -> Result<Option<ConfirmedInput>> {
        let mut runs = Vec::new();
        for _ in 0..CONFIRMATION_RUNS {
            let PredicateOutcome::Fails(failure) = self.predicate.test_valid_candidate(value)? else { return Ok(None) };
            let Some(length) = failure.run_result.conversation else { return Ok(None) };
            runs.push((length, *failure));
        }
        let shortest_run = runs.iter().map(|(length, _)| *length).min();
        assert_eq!(runs.len(), CONFIRMATION_RUNS as usize, "each run has failed");
        let longest = runs.into_iter().max_by_key(|(length, _)| *length);
        Ok(shortest_run.zip(longest).map(|(shortest_run, (longest_run, failure))| ConfirmedInput {
            measure: Measure::of_value(self.plan.format, value),
            failure,
            shortest_run,
            longest_run,
        }))
    }
}

impl ConfirmedInput {
    fn into_result(self, inputs: u64, is_proved: bool) -> ShortestConversation {
        ShortestConversation { failure: self.failure, shortest_run: self.shortest_run, inputs, is_proved }
    }
}
